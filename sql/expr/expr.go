// Package expr holds bound expressions: names are resolved, types are decided,
// and every node can compute its value for a row. It knows functions and types;
// tables, plans and storage it does not know: subqueries reach it through an
// interface that the executor implements.
package expr

import (
	"raisind/sql/funcs"
	"raisind/sql/types"
)

// Ctx is what evaluation needs besides the row. One Ctx serves one execution of
// one statement; it is not safe for concurrent use.
type Ctx struct {
	*funcs.Ctx
	// Params are the values of $1, $2 …, already of the types the plan settled on.
	Params []types.Datum
	// Outer are the current rows of the enclosing queries, innermost last.
	Outer []types.Row
	// Subplans runs subqueries.
	Subplans SubplanRunner

	stack     []types.Datum // arguments of the calls being evaluated
	caseValue types.Datum   // operand of the innermost simple CASE
	key       []byte        // scratch for hash keys
	once      map[Expr]any  // what uncorrelated subqueries and constant arrays gave
}

// SubplanRunner runs a subquery for the current outer row.
type SubplanRunner interface {
	// Scan calls fn with each row of subplan id until fn returns false. Rows live
	// until fn returns. outer is the row the subquery is evaluated for.
	Scan(ec *Ctx, id int, outer types.Row, fn func(types.Row) (bool, error)) error
}

// Expr is a bound expression. It is immutable and safe for concurrent use.
type Expr interface {
	// Type is the type of the value; never nil.
	Type() *types.Type
	// Eval computes the value for row. The result is immutable.
	Eval(ec *Ctx, row types.Row) (types.Datum, error)
}

// EvalBool evaluates a condition: NULL counts as false.
func EvalBool(e Expr, ec *Ctx, row types.Row) (bool, error) {
	d, err := e.Eval(ec, row)
	return err == nil && !d.IsNull() && d.Bool(), err
}

// Const is a constant.
type Const struct {
	Val types.Datum
	T   *types.Type
	// Text is how the constant was written, for EXPLAIN; may be empty.
	Text string
	// Mod is the type modifier plus one: 0 for none.
	Mod int32
}

// Column is a column of the input row.
type Column struct {
	Index  int
	Name   string // for EXPLAIN and error messages
	T      *types.Type
	Typmod int32
}

// Outer is a column of an enclosing query's row; Level 1 is the nearest.
type Outer struct {
	Level, Index int
	Name         string
	T            *types.Type
	Typmod       int32
}

// Param is $N; its type was given or inferred.
type Param struct {
	N int // 1-based
	T *types.Type
}

// Call is a function or operator with the overload chosen and arguments already cast.
type Call struct {
	Fn   *funcs.Overload
	Args []Expr
	T    *types.Type
	Pos  int // 1-based character of the call, 0 when unknown
}

// Cast is a conversion.
type Cast struct {
	Arg      Expr
	T        *types.Type
	Typmod   int32
	Explicit bool
	Fn       *types.Cast // nil: binary compatible, only the typmod is applied
}

// And, Or are n-ary with three-valued logic and left-to-right short cut.
type And struct{ Args []Expr }

// Or: see And.
type Or struct{ Args []Expr }

// Not is three-valued negation.
type Not struct{ Arg Expr }

// IsTest is IS [NOT] NULL | TRUE | FALSE | UNKNOWN.
type IsTest struct {
	Arg  Expr
	What IsWhat
	Not  bool
}

// IsWhat names what an IsTest asks.
type IsWhat uint8

// What IsTest can ask.
const (
	IsNull IsWhat = iota
	IsTrue
	IsFalse
	IsUnknown
)

// Distinct is IS [NOT] DISTINCT FROM on two values of one type.
type Distinct struct {
	Left, Right Expr
	Not         bool
	// NoEquality tells that the type has no equality, which a comparison of whole rows
	// finds out when it gets that far: 42883.
	NoEquality bool
}

// Case is CASE WHEN. Operand is given for a simple CASE: it is evaluated once, and
// the conditions compare a CaseValue.
type Case struct {
	Operand Expr
	Whens   []When
	Else    Expr // nil: NULL
	T       *types.Type
}

// CaseValue stands for the operand of the CASE around it.
type CaseValue struct{ T *types.Type }

// NullIf is NULLIF: NULL when Eq holds, else Left.
type NullIf struct {
	Left, Right Expr
	Eq          *funcs.Overload
}

// When is one branch.
type When struct{ Cond, Then Expr }

// Coalesce returns its first argument that is not NULL.
type Coalesce struct {
	Args []Expr
	T    *types.Type
}

// MinMax is GREATEST or LEAST.
type MinMax struct {
	Args     []Expr
	Greatest bool
	T        *types.Type
}

// InList is x = ANY of constants or expressions, with SQL's NULL rules. Made by
// NewInList.
type InList struct {
	Arg  Expr
	List []Expr
	Eq   *funcs.Overload
	Not  bool
	set  *hashSet // given when every item is a constant that hashes
}

// AnyAll is x op ANY (array) or x op ALL (array).
type AnyAll struct {
	Left, Right Expr // Right is an array
	Op          *funcs.Overload
	// LeftCast and the element cast were applied by the binder; ElemCast may be nil.
	ElemCast *types.Cast
	All      bool
}

// ArrayLit is ARRAY[…] of elements of one type (or of arrays of it).
type ArrayLit struct {
	Elems  []Expr
	T      *types.Type // the array type
	Nested bool        // the elements are arrays themselves
}

// Subscript is a[i], a[i][j] or a slice a[i:j].
type Subscript struct {
	Arg   Expr
	Index []SubscriptRange
	T     *types.Type
}

// SubscriptRange is one subscript; Slice tells a[lo:hi] from a[lo].
type SubscriptRange struct {
	Lo, Hi Expr // nil bound: left out
	Slice  bool
}

// Record is ROW(…). Made by NewRecord.
type Record struct {
	Fields []Expr
	Names  []string
	types  []*types.Type
}

// Field is (record).name.
type Field struct {
	Arg   Expr
	Index int
	Name  string
	T     *types.Type
}

// SubqueryKind tells how a subquery is used.
type SubqueryKind uint8

// The uses of a subquery in an expression.
const (
	SubqueryScalar SubqueryKind = iota
	SubqueryExists
	SubqueryAny // Arg op ANY (subquery); IN is = ANY
	SubqueryAll
	SubqueryArray // ARRAY(subquery)
)

// Subquery is a subquery used as a value.
type Subquery struct {
	Kind SubqueryKind
	// ID is what the runner knows the plan by.
	ID int
	// Args and Ops are given for ANY and ALL: Args[i] Ops[i] column i, all must hold.
	Args []Expr
	Ops  []*funcs.Overload
	// RowOp is the comparison of rows: "=" or "<>" or "<" …; "=" when there is one column.
	RowOp string
	// Casts convert the subquery's columns before Ops; entries may be nil.
	Casts []*types.Cast
	Not   bool
	T     *types.Type
	// Names and Types describe the columns of a scalar subquery of several columns.
	Names []string
	Types []*types.Type
	// Correlated is false when the result may be computed once per execution.
	Correlated bool
}
