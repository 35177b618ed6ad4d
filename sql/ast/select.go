package ast

// SetOp combines two queries.
type SetOp uint8

// The set operations; NoSetOp is a plain SELECT or VALUES.
const (
	NoSetOp SetOp = iota
	Union
	Intersect
	Except
)

// Select is a query: SELECT, VALUES, TABLE t (read as SELECT * FROM t), or a set
// operation over two of them. With, OrderBy, Limit, Offset and Locking may stand
// on any; of the rest a set operation uses Op, All, Left, Right, VALUES uses
// Values, and SELECT all others.
type Select struct {
	At
	With *With

	Distinct   bool
	DistinctOn []Expr // SELECT DISTINCT ON (...), Distinct is set too
	Targets    []Target
	Into       *Into
	From       []TableExpr
	Where      Expr
	// GroupDistinct is GROUP BY DISTINCT.
	GroupDistinct bool
	GroupBy       []GroupItem
	Having        Expr
	Windows       []*Window // each with a Name

	// Values are the rows of VALUES.
	Values [][]Expr

	Op          SetOp
	All         bool
	Left, Right *Select

	OrderBy []OrderItem
	// Limit is nil for none and LIMIT ALL.
	Limit, Offset Expr
	WithTies      bool // FETCH FIRST n ROWS WITH TIES
	Locking       []Locking
}

// Into is the target of SELECT INTO.
type Into struct {
	Name           RelName
	Temp, Unlogged bool
}

// With is a WITH clause.
type With struct {
	At
	Recursive bool
	CTEs      []*CTE
}

// Materialize is a CTE's MATERIALIZED clause.
type Materialize uint8

// The MATERIALIZED clauses.
const (
	MaterializeDefault Materialize = iota
	Materialized
	NotMaterialized
)

// CTE is one query of a WITH clause: *Select, *Insert, *Update or *Delete.
type CTE struct {
	At
	Name         string
	Columns      []string
	Materialized Materialize
	Query        Stmt
	Search       *Search
	Cycle        *Cycle
}

// Search is SEARCH DEPTH|BREADTH FIRST BY columns SET column.
type Search struct {
	At
	Breadth bool
	By      []string
	Set     string
}

// Cycle is CYCLE columns SET mark [TO value DEFAULT value] USING path.
type Cycle struct {
	At
	Columns   []string
	Mark      string
	To        Expr // nil with Otherwise for true and false
	Otherwise Expr
	Path      string
}

// GroupKind tells the items of GROUP BY apart.
type GroupKind uint8

// The items of GROUP BY.
const (
	GroupExpr  GroupKind = iota // Exprs has one
	GroupEmpty                  // ()
	GroupRollup
	GroupCube
	GroupSets // Sets
)

// GroupItem is one item of GROUP BY.
type GroupItem struct {
	At
	Kind  GroupKind
	Exprs []Expr
	Sets  []GroupItem
}

// LockStrength is the mode of a locking clause.
type LockStrength uint8

// The row lock modes, weakest first.
const (
	ForKeyShare LockStrength = iota
	ForShare
	ForNoKeyUpdate
	ForUpdate
)

// LockWait says what a locking clause does about locked rows.
type LockWait uint8

// What to do about locked rows.
const (
	LockBlock LockWait = iota
	LockNoWait
	LockSkip
)

// Locking is FOR UPDATE | SHARE ... [OF relations] [NOWAIT | SKIP LOCKED].
type Locking struct {
	At
	Strength LockStrength
	Of       []RelName
	Wait     LockWait
}

// Alias renames a FROM item and its columns.
type Alias struct {
	At
	Name    string
	Columns []string
}

// TableRef is a relation in FROM.
type TableRef struct {
	At
	Name RelName
	// Only is FROM ONLY t.
	Only   bool
	Alias  *Alias
	Sample *TableSample
}

// TableSample is TABLESAMPLE method (args) [REPEATABLE (seed)].
type TableSample struct {
	At
	Method []string
	Args   []Expr
	Repeat Expr
}

// SubqueryRef is a derived table.
type SubqueryRef struct {
	At
	Lateral bool
	Query   *Select
	Alias   *Alias
}

// FuncRef is a function in FROM, or several side by side with ROWS FROM.
type FuncRef struct {
	At
	Lateral bool
	// RowsFrom is set for the ROWS FROM (...) spelling.
	RowsFrom   bool
	Funcs      []RowsFunc
	Ordinality bool
	Alias      *Alias
	// Columns is the column definition list AS a (c type, ...).
	Columns []ColumnDef
}

// RowsFunc is one function of a FuncRef.
type RowsFunc struct {
	// Func is a *FuncCall or one of the forms that look like one.
	Func    Expr
	Columns []ColumnDef // ROWS FROM (f() AS (c type))
}

// JoinKind is the kind of a join.
type JoinKind uint8

// The joins.
const (
	InnerJoin JoinKind = iota
	LeftJoin
	RightJoin
	FullJoin
	CrossJoin
)

// Join is two FROM items joined.
type Join struct {
	At
	Kind        JoinKind
	Natural     bool
	Left, Right TableExpr
	On          Expr
	Using       []string
	UsingAlias  string // JOIN ... USING (c) AS alias
	Alias       *Alias // (a JOIN b ON ...) AS alias
}

func (*Select) stmt() {}

func (*TableRef) tableExpr()    {}
func (*SubqueryRef) tableExpr() {}
func (*FuncRef) tableExpr()     {}
func (*Join) tableExpr()        {}
