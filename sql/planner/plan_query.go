package planner

import (
	"slices"

	"raisind/sql/expr"
	"raisind/sql/plan"
	"raisind/sql/types"
)

// planQuery makes the plan of a bound query; f are the rows around it.
func (b *builder) planQuery(q *query, f frames) (plan.Node, error) { return b.planPushed(q, f, nil) }

// planPushed is planQuery with more conditions, which the caller found to hold for
// every row that matters; only plain queries take them.
func (b *builder) planPushed(q *query, f frames, pushed []expr.Expr) (plan.Node, error) {
	var node plan.Node
	var err error
	switch q.kind {
	case valuesQuery:
		node, err = b.planValues(q, f)
	case setQuery:
		node, err = b.planSetOp(q, f)
	default:
		if node, err = b.planPlain(q, f, pushed); err != nil {
			return nil, err
		}
	}
	if err != nil {
		return nil, err
	}
	if q.post == nil {
		return node, nil
	}
	out := relLayout(q.outRel())
	exprs := make([]expr.Expr, q.visible)
	for i := range exprs {
		e := q.post[i]
		if e == nil {
			e = q.out.newVar(i, -1)
		}
		exprs[i] = b.finished(e, out, f)
	}
	return &plan.Project{Source: node, Exprs: exprs, Cols: planColumns(q.columns())}, nil
}

func (b *builder) planValues(q *query, f frames) (plan.Node, error) {
	v := &plan.Values{Rows: make([][]expr.Expr, len(q.rows)), Cols: planColumns(q.columns())}
	for i, row := range q.rows {
		v.Rows[i] = row
		for _, e := range row {
			switch e.(type) {
			case *expr.Const, *expr.Param:
				continue
			}
			v.Rows[i] = b.finishAll(row, nil, f)
			break
		}
	}
	return b.orderAndLimit(v, q, relLayout(q.outRel()), f), nil
}

func (b *builder) planSetOp(q *query, f frames) (plan.Node, error) {
	l, err := b.planQuery(q.left, f)
	if err != nil {
		return nil, err
	}
	r, err := b.planQuery(q.right, f)
	if err != nil {
		return nil, err
	}
	cols := planColumns(q.columns())
	for i := range cols {
		cols[i].TableOID, cols[i].AttNum = 0, 0
	}
	n := &plan.SetOp{Kind: q.op, All: q.all, Left: l, Right: r, Cols: cols}
	return b.orderAndLimit(n, q, relLayout(q.outRel()), f), nil
}

// orderAndLimit sorts and cuts rows that already are the query's output.
func (b *builder) orderAndLimit(n plan.Node, q *query, l *layout, f frames) plan.Node {
	if len(q.order) > 0 {
		n = &plan.Sort{Source: n, Keys: b.sortKeys(q.order, l, f), Top: b.top(q, f)}
	}
	return b.limit(n, q, l, f)
}

func (b *builder) sortKeys(order []orderKey, l *layout, f frames) []plan.SortKey {
	keys := make([]plan.SortKey, len(order))
	for i, k := range order {
		keys[i] = plan.SortKey{Expr: b.finished(k.e, l, f), Desc: k.desc, NullsFirst: k.nullsFirst}
	}
	return keys
}

// top is how many rows of an ordering are wanted, nil for all.
func (b *builder) top(q *query, f frames) expr.Expr {
	if q.ties || volatile(q.limit) || volatile(q.offset) {
		return nil
	}
	return b.finished(b.wanted(q), nil, f)
}

// wanted is limit plus offset, not finished; nil without a limit.
func (b *builder) wanted(q *query) expr.Expr {
	if q.limit == nil || q.offset == nil {
		return q.limit
	}
	offset := q.offset
	if _, ok := expr.IsConst(offset); !ok {
		offset = b.fold(&expr.Coalesce{Args: []expr.Expr{offset, &expr.Const{Val: types.Int(0), T: types.TInt8}}, T: types.TInt8})
	}
	sum, err := b.binary("+", typed{q.limit, -1}, typed{offset, -1}, -1)
	if err != nil {
		return nil
	}
	return sum
}

func (b *builder) limit(n plan.Node, q *query, l *layout, f frames) plan.Node {
	if q.limit == nil && q.offset == nil {
		return n
	}
	lim := &plan.Limit{Source: n, Count: b.finished(q.limit, nil, f), Offset: b.finished(q.offset, nil, f)}
	if q.ties {
		lim.TiesKeys = b.sortKeys(q.order, l, f)
	}
	return lim
}

// planPlain plans SELECT: FROM and WHERE, grouping, set-returning functions,
// ordering, locks, the limit, and the select list.
func (b *builder) planPlain(q *query, f frames, pushed []expr.Expr) (plan.Node, error) {
	asOf := b.asOf
	defer func() { b.asOf = asOf }()
	u, err := b.planFrom(q, f, pushed)
	if err != nil {
		return nil, err
	}
	n, l := u.node, u.l
	if q.grouped && len(pushed) == 0 {
		if e := b.extremeRule(q, f); e != nil {
			n, l = e.node, e.l
		}
	}
	if q.grouped {
		n, l = b.planAggregate(q, n, l, f)
		if q.having != nil {
			n = b.filter(n, l, appendConjuncts(nil, q.having), f)
		}
	}
	var ordered []orderKey
	if len(q.windowCalls) > 0 {
		n, l, ordered = b.planWindows(q, n, l, f)
	}
	if len(q.setCalls) > 0 {
		if p := b.directSets(q, n, l, f); p != nil {
			return b.limit(p, q, nil, f), nil
		}
		n, l = b.planSets(q.setCalls, n, l, f)
	}
	if q.distinct && q.distinctOn == nil {
		return b.planDistinct(q, n, l, f), nil
	}
	order := q.order
	if q.distinctOn != nil {
		order = b.distinctOrder(q)
	}
	if len(order) > 0 && u.ordered < len(order) && !keysBegin(ordered, order) {
		n, l = b.planSort(q, order, n, l, f)
	}
	if q.distinctOn != nil {
		n = &plan.Distinct{Source: n, On: b.finishAll(q.distinctOn, l, f)}
	}
	if len(q.locks) > 0 {
		n = b.planLocks(q, u, n, l, f)
	}
	n = b.limit(n, q, l, f)
	return b.project(q, n, l, f), nil
}

// project computes the select list over rows of l.
func (b *builder) project(q *query, n plan.Node, l *layout, f frames) plan.Node {
	p := &plan.Project{Source: n, Exprs: make([]expr.Expr, q.visible), Cols: make([]plan.Column, q.visible)}
	for i := range p.Exprs {
		t := &q.targets[i]
		p.Exprs[i] = b.finished(t.e, l, f)
		c := plan.Column{Name: t.name, Type: t.e.Type(), Typmod: typmodOf(t.e)}
		if v, ok := t.e.(*variable); ok {
			c.TableOID, c.AttNum = v.column().oid, v.column().attnum
		}
		p.Cols[i] = c
	}
	return p
}

// filter keeps rows for which all conditions hold.
func (b *builder) filter(n plan.Node, l *layout, conds []expr.Expr, f frames) plan.Node {
	if len(conds) == 0 {
		return n
	}
	return &plan.Filter{Source: n, Cond: b.conjunction(conds, l, f)}
}

// conjunction finishes conditions and joins them; nil for none.
func (b *builder) conjunction(conds []expr.Expr, l *layout, f frames) expr.Expr {
	switch len(conds) {
	case 0:
		return nil
	case 1:
		return b.finished(conds[0], l, f)
	}
	return &expr.And{Args: b.finishAll(conds, l, f)}
}

// planAggregate groups rows; the layout that follows has keys, aggregates, and
// answers of GROUPING.
func (b *builder) planAggregate(q *query, n plan.Node, l *layout, f frames) (plan.Node, *layout) {
	var sets []*setCall
	for _, k := range q.keys {
		expr.Walk(k, func(e expr.Expr) bool {
			if c, ok := e.(*setCall); ok {
				sets = append(sets, c)
			}
			return true
		})
	}
	if len(sets) > 0 {
		n, l = b.planSets(sets, n, l, f)
		q.setCalls = slices.DeleteFunc(slices.Clone(q.setCalls), func(c *setCall) bool { return slices.Contains(sets, c) })
	}
	a := &plan.Aggregate{Source: n, Keys: b.finishAll(q.keys, l, f), Sets: q.sets}
	out := &layout{q: q}
	add := func(e expr.Expr) {
		out.exprs = append(out.exprs, e)
		a.Cols = append(a.Cols, plan.Column{Name: b.text(e), Type: e.Type(), Typmod: typmodOf(e)})
	}
	for _, k := range q.keys {
		add(k)
	}
	for _, g := range q.aggs {
		call := plan.AggCall{Fn: g.fn, Args: b.finishAll(g.args, l, f), Distinct: g.distinct, T: g.t, Filter: b.finished(g.filter, l, f)}
		if len(g.order) > 0 {
			call.OrderBy = b.sortKeys(g.order, l, f)
		}
		a.Calls = append(a.Calls, call)
		add(g)
	}
	for _, g := range q.groupings {
		var keys []int
		for _, e := range g.args {
			keys = append(keys, slices.IndexFunc(q.keys, func(k expr.Expr) bool { return expr.Equal(k, e) }))
		}
		a.Grouping = append(a.Grouping, keys)
		add(g)
	}
	out.width = len(out.exprs)
	return a, out
}

// planDistinct plans SELECT DISTINCT: the select list, then one of each, then order.
func (b *builder) planDistinct(q *query, n plan.Node, l *layout, f frames) plan.Node {
	p := b.project(q, n, l, f)
	var out plan.Node = &plan.Distinct{Source: p}
	done := &layout{q: q}
	for i := range q.visible {
		done.exprs = append(done.exprs, q.targets[i].e)
	}
	done.width = q.visible
	return b.orderAndLimit(out, q, done, f)
}

// distinctOrder is the order DISTINCT ON picks its rows by: ORDER BY, and what it is
// distinct on where that is not given.
func (b *builder) distinctOrder(q *query) []orderKey {
	order := slices.Clone(q.order)
	if len(order) > 0 {
		return order
	}
	for _, e := range q.distinctOn {
		if e.Type().Comparable() {
			order = append(order, orderKey{e: e, target: -1})
		}
	}
	return order
}

// planSort orders rows before the select list is computed. Keys that the select list
// shows are computed once, in a projection below.
func (b *builder) planSort(q *query, order []orderKey, n plan.Node, l *layout, f frames) (plan.Node, *layout) {
	var shared []expr.Expr
	for _, k := range order {
		if k.target >= 0 && l.find(k.e) < 0 && !isFixed(k.e) {
			shared = append(shared, k.e)
		}
	}
	if len(shared) > 0 {
		n, l = b.extend(q, shared, n, l, f)
	}
	s := &plan.Sort{Source: n, Keys: b.sortKeys(order, l, f)}
	if q.distinctOn == nil && len(q.locks) == 0 {
		s.Top = b.top(q, f)
	}
	return s, l
}

// isFixed reports whether e is a constant or a parameter, which costs nothing.
func isFixed(e expr.Expr) bool {
	switch e.(type) {
	case *expr.Const, *expr.Param:
		return true
	}
	return false
}

// extend adds computed values to rows.
func (b *builder) extend(q *query, es []expr.Expr, n plan.Node, l *layout, f frames) (plan.Node, *layout) {
	cols := slices.Clone(n.Columns())
	p := &plan.Project{Source: n}
	for i, c := range cols {
		p.Exprs = append(p.Exprs, &expr.Column{Index: i, Name: c.Name, T: c.Type, Typmod: c.Typmod})
	}
	next := &layout{q: l.q, at: l.at, exprs: slices.Clone(l.exprs), base: l.base, width: l.width, same: l.same}
	if len(next.exprs) == 0 {
		next.base = l.width
	}
	for _, e := range es {
		if next.find(e) >= 0 {
			continue
		}
		p.Exprs = append(p.Exprs, b.finished(e, l, f))
		cols = append(cols, plan.Column{Name: b.text(e), Type: e.Type(), Typmod: typmodOf(e)})
		next.exprs = append(next.exprs, e)
		next.width++
	}
	p.Cols = cols
	return p, next
}

// planLocks locks the rows of the relations that a FOR clause names.
func (b *builder) planLocks(q *query, u *unit, n plan.Node, l *layout, f frames) plan.Node {
	lr := &plan.LockRows{Source: n}
	qual := b.conjunction(u.conds, l, f)
	for _, k := range q.locks {
		k.rel.markAll()
		lr.Locks = append(lr.Locks, plan.RowLock{
			Rel: k.rel.table, Offset: l.at[k.rel.index], Mode: k.mode, Wait: k.wait, Qual: qual,
		})
	}
	return lr
}

func (r *rel) markAll() {
	for i := range r.need {
		if i < len(r.table.Columns) {
			r.need[i], r.needOutput[i] = true, true
		}
	}
}
