package planner

import (
	"slices"

	"raisind/pgerr"
	"raisind/sql/ast"
	"raisind/sql/expr"
	"raisind/sql/types"
)

// findTarget resolves an item of ORDER BY, GROUP BY or DISTINCT ON: an output name,
// a position, or an expression. The result is a target's number, or -1 and e.
func (b *builder) findTarget(e ast.Expr, clause clause, q *query, s *scope) (int, expr.Expr, error) {
	word := clauseWords[clause]
	switch e := e.(type) {
	case *ast.ColumnRef:
		if len(e.Parts) != 1 || e.Star {
			break
		}
		name := e.Parts[0]
		if clause == inGroupBy { // input columns come first there
			here := *s
			here.parent = nil
			if x, err := b.unqualified(&here, name, e.Pos()); x != nil || err != nil {
				break
			}
		}
		found := -1
		for i := range q.visible {
			if q.targets[i].name != name {
				continue
			}
			if found >= 0 && !expr.Equal(q.targets[found].e, q.targets[i].e) {
				return 0, nil, b.err(pgerr.AmbiguousColumn, e.Pos(), "%s %q is ambiguous", word, name)
			}
			if found < 0 {
				found = i
			}
		}
		if found >= 0 {
			return found, nil, nil
		}
	case *ast.Literal:
		if e.Kind != ast.LitInt || int64(int32(e.Int)) != e.Int {
			return 0, nil, b.err(pgerr.SyntaxError, e.Pos(), "non-integer constant in %s", word)
		}
		if e.Int < 1 || e.Int > int64(q.visible) {
			return 0, nil, b.err(pgerr.InvalidColumnReference, e.Pos(), "%s position %d is not in select list", word, e.Int)
		}
		return int(e.Int) - 1, nil, nil
	}
	s.clause = clause
	x, err := b.expr(e, s)
	if err != nil {
		return 0, nil, err
	}
	for i := range q.visible {
		if expr.Equal(q.targets[i].e, x) {
			return i, nil, nil
		}
	}
	return -1, x, nil
}

// orderBy binds the ORDER BY of a plain query.
func (b *builder) orderBy(list []ast.OrderItem, q *query, s *scope) error {
	for i := range list {
		o := &list[i]
		t, x, err := b.findTarget(o.Expr, inOrderBy, q, s)
		if err != nil {
			return err
		}
		at := location(o.Expr)
		if t >= 0 {
			if q.targets[t].e, err = b.toText(q.targets[t].e, q.targets[t].at); err != nil {
				return err
			}
			x = q.targets[t].e
		}
		k, err := b.keyOf(o, typed{x, at})
		if err != nil {
			return err
		}
		k.target = t
		q.order = append(q.order, k)
	}
	return nil
}

// sortKey binds an ORDER BY item that is always an expression, as in aggregates.
func (b *builder) sortKey(o *ast.OrderItem, s *scope, _ *query) (orderKey, error) {
	x, err := b.typed(o.Expr, s)
	if err != nil {
		return orderKey{}, err
	}
	return b.keyOf(o, x)
}

// keyOf makes a key of a bound expression.
func (b *builder) keyOf(o *ast.OrderItem, x typed) (orderKey, error) {
	e, err := b.toText(x.e, x.at)
	if err != nil {
		return orderKey{}, err
	}
	if !e.Type().Comparable() {
		return orderKey{}, b.err(pgerr.UndefinedFunction, x.at, "could not identify an ordering operator for type %s", e.Type()).
			WithHint("Use an explicit ordering operator or modify the query.")
	}
	k := orderKey{e: e, target: -1, desc: o.Desc, at: x.at}
	switch o.Using {
	case "", "<", "pg_catalog.<":
	case ">", "pg_catalog.>":
		k.desc = true
	default:
		return orderKey{}, b.err(pgerr.WrongObjectType, o.Pos(), "operator %s is not a valid ordering operator", o.Using).
			WithHint("Ordering operators must be \"<\" or \">\" members of btree operator families.")
	}
	switch o.Nulls {
	case ast.NullsFirst:
		k.nullsFirst = true
	case ast.NullsDefault:
		k.nullsFirst = k.desc
	}
	return k, nil
}

// orderOutput binds the ORDER BY of VALUES and of set operations, which see the
// output columns only.
func (b *builder) orderOutput(list []ast.OrderItem, q *query, s *scope) error {
	if len(list) == 0 {
		return nil
	}
	for i := range q.visible { // what sorts has a type
		if q.outputType(i) == types.TUnknown {
			if err := b.coerceOutput(q, i, types.TText, ""); err != nil {
				return err
			}
		}
	}
	out := q.outRel()
	inner := &scope{parent: s, q: q, items: []*item{{rel: out, colVisible: true, lateralOK: true}}}
	for i := range list {
		o := &list[i]
		t, x, err := b.findTarget(o.Expr, inOrderBy, q, inner)
		if q.kind == setQuery && (t < 0 || err != nil) {
			if err != nil {
				if _, name := o.Expr.(*ast.ColumnRef); name || !pgerr.Is(err, pgerr.UndefinedColumn) {
					return err
				}
			}
			return b.err(pgerr.FeatureNotSupported, location(o.Expr), "invalid UNION/INTERSECT/EXCEPT ORDER BY clause").
				WithDetail("Only result column names can be used, not expressions or functions.").
				WithHint("Add the expression/function to every SELECT, or move the UNION into a FROM clause.")
		}
		if err != nil {
			return err
		}
		if t >= 0 {
			x = out.newVar(t, location(o.Expr))
		}
		k, err := b.keyOf(o, typed{x, location(o.Expr)})
		if err != nil {
			return err
		}
		k.target = t
		q.order = append(q.order, k)
	}
	return nil
}

// distinctClause binds DISTINCT and DISTINCT ON.
func (b *builder) distinctClause(sel *ast.Select, q *query, s *scope) error {
	if !sel.Distinct {
		return nil
	}
	q.distinct = true
	if len(sel.DistinctOn) == 0 {
		for i := range q.visible {
			t := &q.targets[i]
			var err error
			if t.e, err = b.toText(t.e, t.at); err != nil {
				return err
			}
			if !t.e.Type().Hashable() {
				return b.err(pgerr.UndefinedFunction, t.at, "could not identify an equality operator for type %s", t.e.Type())
			}
		}
		for _, k := range q.order {
			if k.target < 0 {
				return b.err(pgerr.InvalidColumnReference, k.at, "for SELECT DISTINCT, ORDER BY expressions must appear in select list")
			}
		}
		return nil
	}
	for _, e := range sel.DistinctOn {
		t, x, err := b.findTarget(e, inDistinctOn, q, s)
		if err != nil {
			return err
		}
		if t >= 0 {
			if q.targets[t].e, err = b.toText(q.targets[t].e, q.targets[t].at); err != nil {
				return err
			}
			x = q.targets[t].e
		}
		if x, err = b.toText(x, location(e)); err != nil {
			return err
		}
		if !x.Type().Hashable() {
			return b.err(pgerr.UndefinedFunction, location(e), "could not identify an equality operator for type %s", x.Type())
		}
		if !slices.ContainsFunc(q.distinctOn, func(d expr.Expr) bool { return expr.Equal(d, x) }) {
			q.distinctOn = append(q.distinctOn, x)
		}
	}
	// The first keys of ORDER BY must be these, in any order.
	isOn := func(e expr.Expr) bool {
		return slices.ContainsFunc(q.distinctOn, func(d expr.Expr) bool { return expr.Equal(d, e) })
	}
	other := false
	matched := 0
	for _, k := range q.order {
		switch {
		case !isOn(k.e):
			other = true
		case other:
			return b.err(pgerr.InvalidColumnReference, k.at, "SELECT DISTINCT ON expressions must match initial ORDER BY expressions")
		default:
			matched++
		}
	}
	if other && matched < len(q.distinctOn) {
		return b.err(pgerr.InvalidColumnReference, location(sel.DistinctOn[0]), "SELECT DISTINCT ON expressions must match initial ORDER BY expressions")
	}
	return nil
}

// limitClause binds LIMIT, OFFSET and WITH TIES.
func (b *builder) limitClause(sel *ast.Select, q *query, s *scope) error {
	bind := func(e ast.Expr, c clause) (expr.Expr, error) {
		if e == nil {
			return nil, nil
		}
		s.clause = c
		x, err := b.typed(e, s)
		if err != nil {
			return nil, err
		}
		if usesQuery(x.e, q) {
			return nil, b.err(pgerr.InvalidColumnReference, x.at, "argument of %s must not contain variables", clauseWords[c])
		}
		return b.toType(x.e, types.TInt8, clauseWords[c], x.at)
	}
	var err error
	if q.offset, err = bind(sel.Offset, inOffset); err != nil {
		return err
	}
	if q.limit, err = bind(sel.Limit, inLimit); err != nil {
		return err
	}
	if c, ok := q.limit.(*expr.Const); ok && c.Val.IsNull() {
		q.limit = nil
	}
	if sel.WithTies {
		if len(q.order) == 0 {
			return b.err(pgerr.SyntaxError, -1, "WITH TIES cannot be specified without ORDER BY clause")
		}
		q.ties = true
	}
	return nil
}
