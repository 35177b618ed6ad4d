package planner

import (
	"slices"

	"raisind/pgerr"
	"raisind/sql/ast"
	"raisind/sql/expr"
	"raisind/sql/funcs"
	"raisind/sql/types"
)

// aggregateCall binds a call of an aggregate function.
func (b *builder) aggregateCall(f *ast.FuncCall, overloads []*funcs.AggOverload, s *scope) (expr.Expr, error) {
	name := f.Name[len(f.Name)-1]
	if f.Variadic {
		return nil, b.notSupported(f.Pos(), "VARIADIC in a call of an aggregate")
	}
	agg := &aggregate{distinct: f.Distinct, at: f.Pos()}
	before := outerUses(s)
	inner := *s
	inner.inAggregate = true
	args, err := b.callArguments(f, &inner)
	if err != nil {
		return nil, err
	}
	if len(f.Within) > 0 {
		return b.orderedSet(f, overloads, agg, args, before, s, &inner)
	}
	if len(f.Args) == 0 && !f.Star && hasArgs(overloads) {
		return nil, b.err(pgerr.WrongObjectType, f.Pos(), "%s(*) must be used to call a parameterless aggregate function", name)
	}
	if err := b.resolveAggregate(f, overloads, agg, args); err != nil {
		return nil, err
	}
	for i, o := range f.OrderBy {
		k, err := b.sortKey(&o, &inner, nil)
		if err != nil {
			return nil, err
		}
		if f.Distinct && !slices.ContainsFunc(agg.args, func(a expr.Expr) bool { return expr.Equal(a, k.e) }) {
			return nil, b.err(pgerr.InvalidColumnReference, f.OrderBy[i].Pos(),
				"in an aggregate with DISTINCT, ORDER BY expressions must appear in argument list")
		}
		agg.order = append(agg.order, k)
	}
	return b.placeAggregate(f, agg, before, s, &inner)
}

// outerUses remembers how many outer values each query around uses.
func outerUses(s *scope) map[*query]int {
	if s.parent == nil {
		return nil
	}
	n := map[*query]int{}
	for ; s != nil; s = s.parent {
		if s.q != nil {
			n[s.q] = len(s.q.outer)
		}
	}
	return n
}

func hasArgs(overloads []*funcs.AggOverload) bool {
	for _, o := range overloads {
		if len(o.Args) == 0 {
			return true
		}
	}
	return false
}

// resolveAggregate picks the overload and converts the arguments.
func (b *builder) resolveAggregate(f *ast.FuncCall, overloads []*funcs.AggOverload, agg *aggregate, args *callArgs) error {
	ts := args.typeOf()
	var candidates []candidate
	var found *candidate
	for i, o := range overloads {
		c, ok := candidateFor(o.Args, o.Variadic, 0, args, false)
		if !ok {
			continue
		}
		c.index = i
		candidates = append(candidates, c)
	}
	c, ambiguous := pick(ts, candidates)
	switch {
	case ambiguous:
		return b.err(pgerr.AmbiguousFunction, f.Pos(), "function %s is not unique", signatureOf(dotted(f.Name), args)).
			WithHint("Could not choose a best candidate function. You might need to add explicit type casts.")
	case c == nil:
		return b.undefinedFunction(f, args)
	}
	found = c
	agg.fn = overloads[found.index]
	var err error
	agg.args, agg.t, err = b.convertArgs(agg.fn.Args, nil, agg.fn.Result, agg.fn.ResultType, found, args, f.Pos())
	if err != nil {
		return err
	}
	if agg.distinct {
		for i, a := range agg.args {
			if !a.Type().Hashable() {
				return b.err(pgerr.UndefinedFunction, args.ats[min(i, len(args.ats)-1)], "could not identify an equality operator for type %s", a.Type())
			}
		}
	}
	return nil
}

// orderedSet binds mode() and the percentiles: the WITHIN GROUP keys are the last
// arguments, and rows come in their order.
func (b *builder) orderedSet(f *ast.FuncCall, overloads []*funcs.AggOverload, agg *aggregate, args *callArgs, before map[*query]int, s, inner *scope) (expr.Expr, error) {
	if f.Distinct {
		return nil, b.err(pgerr.SyntaxError, f.Pos(), "cannot use DISTINCT with WITHIN GROUP")
	}
	for i := range f.Within {
		k, err := b.sortKey(&f.Within[i], inner, nil)
		if err != nil {
			return nil, err
		}
		agg.order = append(agg.order, k)
		args.es, args.ats = append(args.es, k.e), append(args.ats, f.Within[i].Pos())
		args.ts = nil
	}
	if err := b.resolveAggregate(f, overloads, agg, args); err != nil {
		return nil, err
	}
	return b.placeAggregate(f, agg, before, s, inner)
}

// placeAggregate finds the query an aggregate belongs to, the nearest one whose
// variables it uses, and checks that it may stand where it does.
func (b *builder) placeAggregate(f *ast.FuncCall, agg *aggregate, before map[*query]int, s, inner *scope) (expr.Expr, error) {
	if f.Filter != nil {
		inner.clause = inFilter
		x, err := b.typed(f.Filter, inner)
		if err != nil {
			return nil, err
		}
		if agg.filter, err = b.toBool(x.e, "FILTER", x.at); err != nil {
			return nil, err
		}
	}
	owner := aggregateScope(agg, s)
	at := f.Pos()
	if owner == nil || owner.q == nil {
		return nil, b.err(pgerr.GroupingError, at, "aggregate functions are not allowed in %s", clauseWords[s.clause])
	}
	if owner.inAggregate {
		return nil, b.err(pgerr.GroupingError, at, "aggregate function calls cannot be nested")
	}
	switch owner.clause {
	case inSelect, inHaving, inOrderBy, inDistinctOn, inWindow:
	case inFrom:
		return nil, b.err(pgerr.GroupingError, at, "aggregate functions are not allowed in functions in FROM")
	case inLimit, inOffset:
		return nil, b.err(pgerr.GroupingError, at, "aggregate functions are not allowed in %s", clauseWords[owner.clause])
	default:
		return nil, b.err(pgerr.GroupingError, at, "aggregate functions are not allowed in %s", clauseWords[owner.clause])
	}
	q := owner.q
	q.grouped = true
	agg.q = q
	// Queries between use the aggregate, not what is in it.
	for l := s; l != owner && l.q != q; l = l.parent {
		if l.q != nil {
			l.q.outer = l.q.outer[:before[l.q]]
		}
	}
	for _, a := range q.aggs {
		if a.SameAs(agg) && !volatile(agg.filter) && !slices.ContainsFunc(agg.args, volatile) {
			return b.outerRef(s, a), nil
		}
	}
	q.aggs = append(q.aggs, agg)
	return b.outerRef(s, agg), nil
}

// aggregateScope is the scope whose query an aggregate belongs to.
func aggregateScope(agg *aggregate, s *scope) *scope {
	uses := func(q *query) bool {
		for _, a := range agg.args {
			if usesQuery(a, q) {
				return true
			}
		}
		for _, k := range agg.order {
			if usesQuery(k.e, q) {
				return true
			}
		}
		return agg.filter != nil && usesQuery(agg.filter, q)
	}
	for l := s; l != nil; l = l.parent {
		if l.q != nil && uses(l.q) {
			return l
		}
	}
	return s
}

// usesQuery reports whether e has variables or aggregates of q.
func usesQuery(e expr.Expr, q *query) bool {
	return expr.Any(e, func(e expr.Expr) bool {
		switch e := e.(type) {
		case *variable:
			return e.rel.q == q
		case *aggregate:
			return e.q == q
		case *subquery:
			return slices.ContainsFunc(e.q.outer, func(o expr.Expr) bool { return usesQuery(o, q) })
		}
		return false
	})
}

// groupingCall binds GROUPING(a, b).
func (b *builder) groupingCall(e *ast.Grouping, s *scope) (expr.Expr, error) {
	if s.q == nil || s.clause != inSelect && s.clause != inHaving && s.clause != inOrderBy && s.clause != inWindow {
		return nil, b.err(pgerr.GroupingError, e.Pos(), "grouping operations are not allowed in %s", clauseWords[s.clause])
	}
	g := &grouping{q: s.q, at: e.Pos()}
	for _, a := range e.Args {
		x, err := b.expr(a, s)
		if err != nil {
			return nil, err
		}
		g.args, g.ats = append(g.args, x), append(g.ats, location(a))
	}
	s.q.grouped = true
	for _, o := range s.q.groupings {
		if o.SameAs(g) {
			return o, nil
		}
	}
	s.q.groupings = append(s.q.groupings, g)
	return g, nil
}

// setReturning places a set-returning function of a select list.
func (b *builder) setReturning(fn *funcs.Overload, args []expr.Expr, t *types.Type, s *scope, at int) (expr.Expr, error) {
	if len(fn.Columns) == 1 {
		t = fn.Columns[0].Type
	}
	c := &setCall{q: s.q, fn: fn, args: args, t: t, at: at}
	for _, a := range args {
		expr.Walk(a, func(e expr.Expr) bool {
			if inner, ok := e.(*setCall); ok {
				c.level = max(c.level, inner.level+1)
				return false
			}
			return true
		})
	}
	if s.inAggregate {
		return nil, b.err(pgerr.FeatureNotSupported, at, "aggregate function calls cannot contain set-returning function calls").
			WithHint("You might be able to move the set-returning function into a LATERAL FROM item.")
	}
	switch s.clause {
	case inSelect, inOrderBy, inDistinctOn, inGroupBy:
		if s.q == nil {
			break
		}
		s.q.setCalls = append(s.q.setCalls, c)
		return c, nil
	case inFrom:
		return c, nil
	}
	return nil, b.err(pgerr.FeatureNotSupported, at, "set-returning functions are not allowed in %s", clauseWords[s.clause])
}

// checkGrouped refuses variables of q outside of aggregates that are not grouped by.
// e is what a grouped query yields, orders by or filters groups by.
func (b *builder) checkGrouped(q *query, e expr.Expr) error {
	var bad error
	expr.Walk(e, func(x expr.Expr) bool {
		if bad != nil || b.isKey(q, x) {
			return false
		}
		switch x := x.(type) {
		case *aggregate:
			if x.q == q {
				return false
			}
			for _, a := range x.args {
				bad = b.checkGrouped(q, a)
			}
		case *grouping:
			bad = b.checkGrouping(q, x)
		case *setCall:
			for _, a := range x.args {
				if bad == nil {
					bad = b.checkGrouped(q, a)
				}
			}
		case *variable:
			if x.rel.q == q && !b.dependent(q, x) {
				bad = b.err(pgerr.GroupingError, x.at, "column %q must appear in the GROUP BY clause or be used in an aggregate function",
					x.rel.alias+"."+x.column().name)
			}
		case *subquery:
			for _, o := range x.q.outer {
				v, ok := o.(*variable)
				if ok && v.rel.q == q && !b.isKey(q, v) && !b.dependent(q, v) {
					bad = b.err(pgerr.GroupingError, v.at, "subquery uses ungrouped column %q from outer query",
						v.rel.alias+"."+v.column().name)
					break
				}
			}
		}
		return bad == nil
	})
	return bad
}

func (b *builder) isKey(q *query, e expr.Expr) bool {
	switch e.(type) {
	case *expr.Const:
		return false
	}
	return slices.ContainsFunc(q.keys, func(k expr.Expr) bool { return expr.Equal(k, e) })
}

// dependent reports whether a column is fixed by the primary key grouped by, and
// makes it a key too.
func (b *builder) dependent(q *query, v *variable) bool {
	if v.rel.table == nil || q.sets != nil {
		return false
	}
	for i := range v.rel.table.Indexes {
		ix := &v.rel.table.Indexes[i]
		if !ix.Primary {
			continue
		}
		for _, c := range ix.Columns {
			if !b.isKey(q, v.rel.newVar(c, -1)) {
				return false
			}
		}
		q.keys = append(q.keys, v)
		return true
	}
	return false
}

func (b *builder) checkGrouping(q *query, g *grouping) error {
	if g.q != q {
		return nil
	}
	for i, a := range g.args {
		if !b.isKey(q, a) {
			return b.err(pgerr.GroupingError, g.ats[i], "arguments to GROUPING must be grouping expressions of the associated query level")
		}
	}
	return nil
}
