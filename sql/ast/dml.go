package ast

// ColumnTarget is a column that INSERT or UPDATE assigns to, with the
// subscripts and fields of c[1].f, if any, from the left.
type ColumnTarget struct {
	At
	Name string
	// Path holds *Index, *Slice and *FieldSelect whose Expr is nil.
	Path []Expr
}

// Overriding is INSERT's OVERRIDING clause.
type Overriding uint8

// The OVERRIDING clauses.
const (
	OverridingNone Overriding = iota
	OverridingUser
	OverridingSystem
)

// Insert is INSERT INTO.
type Insert struct {
	At
	With       *With
	Into       RelName
	Alias      string
	Columns    []ColumnTarget // empty when not given
	Overriding Overriding
	// Source is VALUES or a query, nil for DEFAULT VALUES. Rows of VALUES may
	// hold *Default.
	Source     *Select
	OnConflict *OnConflict
	Returning  []Target
}

// OnConflict is ON CONFLICT [target] DO NOTHING | UPDATE.
type OnConflict struct {
	At
	// Elems or Constraint name the arbiter; neither means any.
	Elems      []IndexElem
	ElemsWhere Expr // the predicate of a partial index
	Constraint string
	// Update is false for DO NOTHING.
	Update bool
	Set    []SetClause
	Where  Expr
}

// SetClause is column = value, or (columns) = row.
type SetClause struct {
	At
	Columns []ColumnTarget
	// Multi is the parenthesised form, even of one column; Value is then a
	// *RowLit, a *Subquery or another expression of row type.
	Multi bool
	Value Expr
}

// Update is UPDATE.
type Update struct {
	At
	With      *With
	Relation  RelName
	Only      bool
	Alias     string
	Set       []SetClause
	From      []TableExpr
	Where     Expr
	CurrentOf string // WHERE CURRENT OF cursor
	Returning []Target
}

// Delete is DELETE FROM.
type Delete struct {
	At
	With      *With
	Relation  RelName
	Only      bool
	Alias     string
	Using     []TableExpr
	Where     Expr
	CurrentOf string // WHERE CURRENT OF cursor
	// Descendants is WITH DESCENDANTS: the subtree of each matched node too.
	Descendants bool
	Returning   []Target
}

func (*Insert) stmt() {}
func (*Update) stmt() {}
func (*Delete) stmt() {}
