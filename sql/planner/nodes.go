package planner

import (
	"slices"

	"raisind/pgerr"
	"raisind/sql/expr"
	"raisind/sql/funcs"
	"raisind/sql/types"
)

// The expressions of a bound query that no row has yet. finish turns them into
// nodes of package expr.

// unfinished is what evaluating one of them gives; it does not happen.
func unfinished() (types.Datum, error) {
	return types.Null, pgerr.New(pgerr.InternalError, "an expression was executed before it was planned")
}

// variable is a column of a range item.
type variable struct {
	rel *rel
	col int
	at  int
}

// Type implements expr.Expr.
func (v *variable) Type() *types.Type { return v.rel.cols[v.col].t }

// Eval implements expr.Expr.
func (v *variable) Eval(*expr.Ctx, types.Row) (types.Datum, error) { return unfinished() }

// SameAs implements what expr.Equal asks of foreign nodes.
func (v *variable) SameAs(e expr.Expr) bool {
	o, ok := e.(*variable)
	return ok && o.rel == v.rel && o.col == v.col
}

func (v *variable) column() *column { return &v.rel.cols[v.col] }

// aggregate is a call of an aggregate; it belongs to q.
type aggregate struct {
	q        *query
	fn       *funcs.AggOverload
	args     []expr.Expr
	distinct bool
	order    []orderKey
	filter   expr.Expr
	t        *types.Type
	at       int
}

// Type implements expr.Expr.
func (a *aggregate) Type() *types.Type { return a.t }

// Eval implements expr.Expr.
func (a *aggregate) Eval(*expr.Ctx, types.Row) (types.Datum, error) { return unfinished() }

// SameAs compares aggregates so that each is computed once.
func (a *aggregate) SameAs(e expr.Expr) bool {
	o, ok := e.(*aggregate)
	if !ok || o.q != a.q || o.fn != a.fn || o.distinct != a.distinct || !expr.Equal(o.filter, a.filter) ||
		!slices.EqualFunc(o.args, a.args, expr.Equal) {
		return false
	}
	return slices.EqualFunc(o.order, a.order, func(x, y orderKey) bool {
		return x.desc == y.desc && x.nullsFirst == y.nullsFirst && expr.Equal(x.e, y.e)
	})
}

// grouping is GROUPING(…).
type grouping struct {
	q    *query
	args []expr.Expr
	ats  []int
	at   int
}

// Type implements expr.Expr.
func (g *grouping) Type() *types.Type { return types.TInt4 }

// Eval implements expr.Expr.
func (g *grouping) Eval(*expr.Ctx, types.Row) (types.Datum, error) { return unfinished() }

// SameAs compares by the keys asked about.
func (g *grouping) SameAs(e expr.Expr) bool {
	o, ok := e.(*grouping)
	return ok && o.q == g.q && slices.EqualFunc(o.args, g.args, expr.Equal)
}

// setCall is a set-returning function in a select list.
type setCall struct {
	q    *query
	fn   *funcs.Overload
	args []expr.Expr
	t    *types.Type
	// level is how many set-returning calls are nested in its arguments.
	level int
	at    int
}

// Type implements expr.Expr.
func (c *setCall) Type() *types.Type { return c.t }

// Eval implements expr.Expr.
func (c *setCall) Eval(*expr.Ctx, types.Row) (types.Datum, error) { return unfinished() }

// SameAs compares calls so that one written twice is one.
func (c *setCall) SameAs(e expr.Expr) bool {
	o, ok := e.(*setCall)
	return ok && o.q == c.q && o.fn != nil && c.fn != nil && o.fn.Func == c.fn.Func && c.fn.Func.Volatility != funcs.Volatile &&
		slices.EqualFunc(o.args, c.args, expr.Equal)
}

// subquery is a query used as a value.
type subquery struct {
	kind  expr.SubqueryKind
	q     *query
	args  []expr.Expr
	ops   []*funcs.Overload
	casts []*types.Cast
	rowOp string
	not   bool
	t     *types.Type
	at    int
}

// Type implements expr.Expr.
func (s *subquery) Type() *types.Type { return s.t }

// Eval implements expr.Expr.
func (s *subquery) Eval(*expr.Ctx, types.Row) (types.Datum, error) { return unfinished() }

// Children implements expr.Parent: the left sides of ANY and ALL.
func (s *subquery) Children() []expr.Expr { return s.args }

// WithChildren implements expr.Parent.
func (s *subquery) WithChildren(c []expr.Expr) expr.Expr {
	n := *s
	n.args = c
	return &n
}

// relsOf returns the range items of q that e depends on, through subqueries too.
func relsOf(e expr.Expr, q *query) relSet {
	var s relSet
	expr.Walk(e, func(e expr.Expr) bool {
		switch e := e.(type) {
		case *variable:
			if e.rel.q == q {
				s |= e.rel.set()
			}
		case *aggregate:
			for _, a := range e.args {
				s |= relsOf(a, q)
			}
		case *subquery:
			for _, o := range e.q.outer {
				s |= relsOf(o, q)
			}
		}
		return true
	})
	return s
}

// volatile reports whether e may give another value each time it is computed.
func volatile(e expr.Expr) bool {
	return expr.Any(e, func(e expr.Expr) bool {
		switch e := e.(type) {
		case *expr.Call:
			return e.Fn.Func != nil && e.Fn.Func.Volatility == funcs.Volatile
		case *setCall:
			return true
		case *subquery:
			return e.q.volatile
		}
		return false
	})
}

// hasSubquery reports whether a subquery is part of e.
func hasSubquery(e expr.Expr) bool {
	return expr.Any(e, func(e expr.Expr) bool { _, ok := e.(*subquery); return ok })
}

// typmodOf is the type modifier of what e yields, -1 when none is known.
func typmodOf(e expr.Expr) int32 {
	switch e := e.(type) {
	case *variable:
		return e.column().typmod
	case *expr.Cast:
		return e.Typmod
	case *expr.Const:
		return e.Mod - 1
	case *expr.Column:
		return e.Typmod
	case *expr.Outer:
		return e.Typmod
	case *expr.Coalesce:
		return commonTypmod(e.Args)
	case *expr.MinMax:
		return commonTypmod(e.Args)
	case *expr.NullIf:
		return typmodOf(e.Left)
	case *expr.Case:
		results := make([]expr.Expr, 0, len(e.Whens)+1)
		for _, w := range e.Whens {
			results = append(results, w.Then)
		}
		if e.Else != nil {
			results = append(results, e.Else)
		}
		return commonTypmod(results)
	case *subquery:
		if e.kind == expr.SubqueryScalar && len(e.q.targets) > 0 {
			return e.q.typmod(0)
		}
	}
	return -1
}

func commonTypmod(es []expr.Expr) int32 {
	m := int32(-1)
	for i, e := range es {
		if t := typmodOf(e); i > 0 && t != m || t < 0 {
			return -1
		} else {
			m = t
		}
	}
	return m
}

// typeOnly stands for an expression of which only the type is known.
type typeOnly struct{ t *types.Type }

// Type implements expr.Expr.
func (e typeOnly) Type() *types.Type { return e.t }

// Eval implements expr.Expr.
func (e typeOnly) Eval(*expr.Ctx, types.Row) (types.Datum, error) { return unfinished() }
