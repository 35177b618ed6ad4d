package ast

// LiteralKind tells what a Literal was written as.
type LiteralKind uint8

// The kinds of constants the grammar knows.
const (
	LitNull LiteralKind = iota
	LitBool
	LitInt     // an integer that fits 64 bits; int4 or int8 by its size
	LitNumeric // any other number: decimals, exponents, larger integers
	LitString  // of type unknown until its context decides
	LitBit     // Text starts with b or x, as PostgreSQL keeps it
)

// Literal is a constant.
type Literal struct {
	At
	Kind LiteralKind
	// Text is the value without quotes and escapes; a number as written, with a
	// leading - when the sign was written directly before it. Empty for LitNull
	// and LitBool.
	Text string
	Int  int64 // LitInt
	Bool bool  // LitBool
}

// Param is $N, N counted from 1.
type Param struct {
	At
	N int
}

// ColumnRef is a possibly qualified column: Parts are c, t.c, s.t.c or d.s.t.c.
// With Star the last part stands for itself: Parts [t] and Star is t.*, no Parts
// is *.
type ColumnRef struct {
	At
	Parts []string
	Star  bool
}

// FuncCall is a call of a function, aggregate or window function. The special
// forms EXTRACT, SUBSTRING, POSITION, OVERLAY, TRIM, NORMALIZE, IS NORMALIZED,
// OVERLAPS and COLLATION FOR are calls of what PostgreSQL calls them inside:
// Name is then pg_catalog and extract, substring, position, overlay, btrim,
// ltrim, rtrim, normalize, is_normalized, overlaps, pg_collation_for, with
// arguments in that function's order.
type FuncCall struct {
	At
	Name []string
	// Args may hold *NamedArg.
	Args     []Expr
	Distinct bool // count(DISTINCT x)
	Star     bool // count(*)
	Variadic bool // the last argument is VARIADIC
	OrderBy  []OrderItem
	// Within is the WITHIN GROUP (ORDER BY ...) list.
	Within []OrderItem
	Filter Expr
	Over   *Window
}

// NamedArg is name => value in a call.
type NamedArg struct {
	At
	Name  string
	Value Expr
}

// Window is what stands after OVER, or a definition of the WINDOW clause.
type Window struct {
	At
	// Name is the name defined by the WINDOW clause, or for OVER name the
	// window used as it is.
	Name string
	// Base is the window that (base ...) starts from.
	Base        string
	PartitionBy []Expr
	OrderBy     []OrderItem
	Frame       *Frame
}

// FrameMode is the unit of a window frame.
type FrameMode uint8

// The units of window frames.
const (
	FrameRange FrameMode = iota
	FrameRows
	FrameGroups
)

// Frame is a window frame; without BETWEEN the end is the current row.
type Frame struct {
	Mode       FrameMode
	Start, End FrameBound
	Exclude    FrameExclude
}

// BoundKind is one end of a window frame.
type BoundKind uint8

// The ends of window frames.
const (
	UnboundedPreceding BoundKind = iota
	OffsetPreceding
	CurrentRow
	OffsetFollowing
	UnboundedFollowing
)

// FrameBound is one end of a frame; Offset belongs to the two Offset kinds.
type FrameBound struct {
	Kind   BoundKind
	Offset Expr
}

// FrameExclude is a frame's EXCLUDE clause.
type FrameExclude uint8

// What a frame leaves out.
const (
	ExcludeNoOthers FrameExclude = iota
	ExcludeCurrentRow
	ExcludeGroup
	ExcludeTies
)

// Unary is a prefix operator. Op is the symbol, or s.op for OPERATOR(s.op).
type Unary struct {
	At
	Op   string
	Expr Expr
}

// Binary is an infix operator, comparisons included (!= is kept as <>). Op is
// the symbol, or s.op for OPERATOR(s.op).
type Binary struct {
	At
	Op          string
	Left, Right Expr
}

// And is a conjunction of two or more.
type And struct {
	At
	Args []Expr
}

// Or is a disjunction of two or more.
type Or struct {
	At
	Args []Expr
}

// Not negates.
type Not struct {
	At
	Expr Expr
}

// Cast is CAST(x AS t) or x::t; Pos is that of the :: or CAST.
type Cast struct {
	At
	Expr Expr
	Type TypeName
}

// TypedLiteral is a type name before a string: date '2024-01-01'.
type TypedLiteral struct {
	At
	Type TypeName
	Text string
}

// IntervalLit is interval '1' hour; Type carries fields and precision.
type IntervalLit struct {
	At
	Type TypeName
	Text string
}

// Case is CASE [Operand] WHEN ... ELSE ... END.
type Case struct {
	At
	Operand Expr // nil for the searched form
	Whens   []When
	Else    Expr
}

// When is one branch of a Case.
type When struct {
	At
	Cond, Result Expr
}

// Coalesce is COALESCE(a, ...).
type Coalesce struct {
	At
	Args []Expr
}

// Greatest is GREATEST(a, ...).
type Greatest struct {
	At
	Args []Expr
}

// Least is LEAST(a, ...).
type Least struct {
	At
	Args []Expr
}

// NullIf is NULLIF(a, b).
type NullIf struct {
	At
	Left, Right Expr
}

// Between is x [NOT] BETWEEN [SYMMETRIC] low AND high.
type Between struct {
	At
	Expr, Low, High Expr
	Not, Symmetric  bool
}

// In is x [NOT] IN (list) or x [NOT] IN (query); one of List and Query is set.
type In struct {
	At
	Expr  Expr
	List  []Expr
	Query *Select
	Not   bool
}

// LikeKind tells the three pattern predicates apart.
type LikeKind uint8

// The pattern predicates.
const (
	Like LikeKind = iota
	ILike
	SimilarTo
)

// LikeExpr is x [NOT] LIKE | ILIKE | SIMILAR TO pattern [ESCAPE e].
type LikeExpr struct {
	At
	Kind          LikeKind
	Expr, Pattern Expr
	Escape        Expr // nil for none
	Not           bool
}

// IsKind is what an IsTest asks.
type IsKind uint8

// The tests after IS.
const (
	IsNull IsKind = iota // also ISNULL, NOTNULL
	IsTrue
	IsFalse
	IsUnknown
	IsDistinct // IS [NOT] DISTINCT FROM Right
	IsDocument // XML
)

// IsTest is x IS [NOT] NULL | TRUE | FALSE | UNKNOWN | DISTINCT FROM y.
type IsTest struct {
	At
	Kind  IsKind
	Expr  Expr
	Right Expr // IsDistinct only
	Not   bool
}

// AnyAll is x op ANY (array or query), SOME being ANY, or x op ALL (...). Op may
// also be ~~, !~~, ~~*, !~~* for LIKE and ILIKE. One of Array and Query is set.
type AnyAll struct {
	At
	Expr  Expr
	Op    string
	All   bool
	Array Expr
	Query *Select
}

// Exists is EXISTS (query).
type Exists struct {
	At
	Query *Select
}

// Subquery is a scalar (or row) sub-select.
type Subquery struct {
	At
	Query *Select
}

// ArrayLit is ARRAY[...]; inner [...] are ArrayLit as well.
type ArrayLit struct {
	At
	Elems []Expr
}

// ArraySubquery is ARRAY(query).
type ArraySubquery struct {
	At
	Query *Select
}

// RowLit is ROW(a, ...) or (a, b, ...).
type RowLit struct {
	At
	Args []Expr
}

// Index is x[i].
type Index struct {
	At
	Expr, Index Expr
}

// Slice is x[low:high]; either bound may be nil.
type Slice struct {
	At
	Expr, Low, High Expr
}

// FieldSelect is (x).name, or (x).* with Star.
type FieldSelect struct {
	At
	Expr Expr
	Name string
	Star bool
}

// Collate is x COLLATE name.
type Collate struct {
	At
	Expr Expr
	Name []string
}

// AtTimeZone is x AT TIME ZONE zone.
type AtTimeZone struct {
	At
	Expr, Zone Expr
}

// SQLValue is one of the functions written without parentheses: current_date,
// current_time, current_timestamp, localtime, localtimestamp, current_user,
// current_role, session_user, user, current_catalog, current_schema.
type SQLValue struct {
	At
	Name      string
	Precision int // fractional digits of seconds, -1 when not given
}

// Grouping is GROUPING(a, ...).
type Grouping struct {
	At
	Args []Expr
}

// Default is DEFAULT in place of a value; valid in INSERT and UPDATE only.
type Default struct{ At }

// TypeName names a type as written. The SQL spellings come as PostgreSQL's own
// names (integer is pg_catalog, int4; character is pg_catalog, bpchar with 1).
type TypeName struct {
	At
	Names []string
	// Mods are the modifiers: numbers, strings and words (*ColumnRef), as in
	// geometry(Point, 4326).
	Mods []Expr
	// Fields restricts an interval: "year to month", "day to second", ...
	Fields string
	// Dims has one entry per [], the bound or -1.
	Dims    []int
	SetOf   bool
	PctType bool // name%TYPE
}

func (*Literal) expr()       {}
func (*Param) expr()         {}
func (*ColumnRef) expr()     {}
func (*FuncCall) expr()      {}
func (*NamedArg) expr()      {}
func (*Unary) expr()         {}
func (*Binary) expr()        {}
func (*And) expr()           {}
func (*Or) expr()            {}
func (*Not) expr()           {}
func (*Cast) expr()          {}
func (*TypedLiteral) expr()  {}
func (*IntervalLit) expr()   {}
func (*Case) expr()          {}
func (*Coalesce) expr()      {}
func (*Greatest) expr()      {}
func (*Least) expr()         {}
func (*NullIf) expr()        {}
func (*Between) expr()       {}
func (*In) expr()            {}
func (*LikeExpr) expr()      {}
func (*IsTest) expr()        {}
func (*AnyAll) expr()        {}
func (*Exists) expr()        {}
func (*Subquery) expr()      {}
func (*ArrayLit) expr()      {}
func (*ArraySubquery) expr() {}
func (*RowLit) expr()        {}
func (*Index) expr()         {}
func (*Slice) expr()         {}
func (*FieldSelect) expr()   {}
func (*Collate) expr()       {}
func (*AtTimeZone) expr()    {}
func (*SQLValue) expr()      {}
func (*Grouping) expr()      {}
func (*Default) expr()       {}
