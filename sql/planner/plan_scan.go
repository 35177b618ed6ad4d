package planner

import (
	"slices"

	"raisind/catalog"
	"raisind/sql/ast"
	"raisind/sql/expr"
	"raisind/sql/funcs"
	"raisind/sql/plan"
	"raisind/sql/types"
)

// accessKind is a way to read a table.
type accessKind uint8

const (
	rowScan accessKind = iota
	keyScan
	indexScan
	spatialScan
)

// access is how a table is read, as the rules decided.
type access struct {
	kind    accessKind
	index   *catalog.Index
	keys    [][]expr.Expr // keyScan: rows of key values
	array   expr.Expr     // keyScan: an array of them, instead
	ix      *indexAccess  // indexScan
	reverse bool
	ordered int // ORDER BY keys that the way of reading satisfies
	spatial *spatialMatch
	used    []*qual // conditions that the way of reading answers
	reason  *plan.NotUsed
	refused *spatialMatch // what the reason is about
	rows    float64
}

func (a *access) usesIndex() bool { return a.kind != rowScan }

// reads reports whether the index is read by values of other items.
func (a *access) reads(q *query, s relSet) bool {
	var es []expr.Expr
	for _, k := range a.keys {
		es = append(es, k...)
	}
	if a.array != nil {
		es = append(es, a.array)
	}
	if a.ix != nil {
		es = append(es, a.ix.values()...)
	}
	if m := a.spatial; m != nil {
		es = append(es, m.center)
		if m.radius != nil {
			es = append(es, m.radius)
		}
	}
	return slices.ContainsFunc(es, func(e expr.Expr) bool { return relsOf(e, q).overlaps(s) })
}

// access decides how r is read under the conditions; avail are items whose values
// are at hand.
func (p *fromPlan) access(r *rel, quals []*qual, avail relSet) *access {
	c := &choice{p: p, b: p.b, r: r, quals: quals, avail: avail, a: &access{}}
	for _, rule := range rules {
		if rule.apply(c) {
			break
		}
	}
	c.estimate()
	return c.a
}

// leaf plans one range item under conditions on it alone.
func (p *fromPlan) leaf(r *rel, quals []*qual, avail relSet, f frames) (*unit, error) {
	b := p.b
	conds := condsOf(quals)
	u := &unit{l: relLayout(r), rels: r.set(), rows: defaultRows}
	var err error
	switch r.kind {
	case relTable:
		return p.scan(r, quals, p.access(r, quals, avail), f)
	case relVirtual:
		v := *r.virtual
		v.Alias = r.alias
		v.Cols = planColumns(r.cols)
		v.Filter = b.conjunction(conds, u.l, f)
		u.rows = virtualRows
		if v.Expected > 0 {
			u.rows = v.Expected
		}
		if v.KeyColumn, v.Key = virtualKey(r, conds); v.Key != nil {
			v.Key = b.finished(v.Key, nil, f)
		}
		u.node = &v
		u.rows = selectivity(conds, u.rows)
		return u, nil
	case relDerived:
		u.node, conds, err = p.derived(r.sub, r, conds, f)
		u.rows = b.estimate(r.sub)
		if r.joinOnly && err == nil {
			u.node = &plan.Distinct{Source: u.node}
		}
	case relFunction:
		u.node = p.function(r, f)
	case relCTE:
		u.node, conds, err = p.cte(r, conds, f)
	case relWorking:
		u.node = &plan.CTEScan{ID: r.cte.id, Name: r.cte.name, Alias: r.alias, Working: true, Cols: planColumns(r.cols)}
	}
	if err != nil {
		return nil, err
	}
	u.node = b.filter(u.node, u.l, conds, f)
	u.rows = selectivity(conds, u.rows)
	return u, nil
}

// derived plans a subquery in FROM, with the conditions that may go into it.
func (p *fromPlan) derived(sub *query, r *rel, conds []expr.Expr, f frames) (plan.Node, []expr.Expr, error) {
	var pushed, kept []expr.Expr
	for _, e := range conds {
		if inner, ok := pushDown(e, sub, r); ok {
			pushed = append(pushed, inner)
		} else {
			kept = append(kept, e)
		}
	}
	n, err := p.b.planPushed(sub, f, pushed)
	return n, kept, err
}

// pushDown rewrites a condition on the output of a subquery as one on what it
// selects from. It must not pass a limit, a group, DISTINCT, a lock, or a volatile
// or set-returning expression.
func pushDown(e expr.Expr, sub *query, r *rel) (expr.Expr, bool) {
	if sub.kind != plainQuery || sub.grouped || sub.distinct || sub.limit != nil || sub.offset != nil ||
		len(sub.setCalls) > 0 || len(sub.windowCalls) > 0 || len(sub.locks) > 0 || sub.from == nil || volatile(e) || hasSubquery(e) {
		return nil, false
	}
	ok := true
	inner := expr.Rewrite(e, func(x expr.Expr) (expr.Expr, bool) {
		v, is := x.(*variable)
		if !is {
			return x, true
		}
		if v.rel != r {
			return x, false
		}
		out := sub.output(v.col)
		if sub.post != nil || volatile(out) || hasSubquery(out) {
			ok = false
		}
		return out, false
	})
	return inner, ok
}

// function plans a function in FROM.
func (p *fromPlan) function(r *rel, f frames) plan.Node {
	b, fn := p.b, r.fn
	cols := planColumns(r.cols)
	if len(fn.calls) > 1 {
		return p.rowsFrom(r, f)
	}
	call := fn.calls[0]
	if fn.record != nil {
		return p.recordFunction(r, call, f)
	}
	n := &plan.FuncScan{Fn: call.fn, Alias: r.alias, Ordinality: fn.ordinality, Cols: cols}
	if call.fn != nil {
		n.Args = b.finishAll(call.args, nil, f)
		return n
	}
	n.Scalar = b.finished(call.args[0], nil, f)
	width := len(cols)
	if fn.ordinality {
		width--
	}
	if width <= 1 {
		return n
	}
	// A scalar function of several result columns: its record taken apart.
	record := plan.Column{Name: r.alias, Type: call.t, Typmod: -1}
	n.Cols = []plan.Column{record}
	pr := &plan.Project{Source: n, Cols: cols}
	for i := range width {
		pr.Exprs = append(pr.Exprs, &expr.Field{
			Arg: &expr.Column{Index: 0, Name: r.alias, T: call.t, Typmod: -1}, Index: i, Name: cols[i].Name, T: cols[i].Type,
		})
	}
	if fn.ordinality {
		n.Cols = append(n.Cols, cols[width])
		pr.Exprs = append(pr.Exprs, &expr.Column{Index: 1, Name: cols[width].Name, T: cols[width].Type, Typmod: -1})
	}
	return pr
}

// recordFunction reads JSON records: one column each, from the member of its name.
func (p *fromPlan) recordFunction(r *rel, call *setCall, f frames) plan.Node {
	fn := r.fn
	n := &plan.FuncScan{Alias: r.alias, Ordinality: fn.ordinality, Cols: planColumns(fn.row.cols)}
	if call.fn != nil {
		n.Fn, n.Args = call.fn, p.b.finishAll(call.args, nil, f)
	} else {
		n.Scalar = p.b.finished(call.args[0], nil, f)
	}
	pr := &plan.Project{Source: n, Exprs: p.b.finishAll(fn.record, relLayout(fn.row), f), Cols: planColumns(r.cols)}
	if fn.ordinality {
		last := pr.Cols[len(pr.Cols)-1]
		n.Cols = append(n.Cols, last)
		pr.Exprs = append(pr.Exprs, &expr.Column{Index: 1, Name: last.Name, T: last.Type, Typmod: -1})
	}
	return pr
}

// rowsFrom plans ROWS FROM (f(), g()): they advance side by side.
func (p *fromPlan) rowsFrom(r *rel, f frames) plan.Node {
	ps := &plan.ProjectSet{Source: &plan.Values{Rows: [][]expr.Expr{{}}}}
	pr := &plan.Project{Source: ps, Cols: planColumns(r.cols)}
	at := 0
	for i, call := range r.fn.calls {
		item := plan.SetItem{}
		width := 1
		if call.fn != nil {
			item.Set, item.Args = call.fn, p.b.finishAll(call.args, nil, f)
			width = max(1, len(call.fn.Columns))
		} else {
			item.Expr = p.b.finished(call.args[0], nil, f)
		}
		ps.Items = append(ps.Items, item)
		ps.Cols = append(ps.Cols, plan.Column{Name: r.cols[at].name, Type: call.t, Typmod: -1})
		value := &expr.Column{Index: i, Name: r.cols[at].name, T: call.t, Typmod: -1}
		if record := r.fn.items[i].record; record != nil {
			for _, e := range p.b.finishAll(record, relLayout(r.fn.items[i].row), f) {
				pr.Exprs = append(pr.Exprs, expr.Rewrite(e, func(e expr.Expr) (expr.Expr, bool) {
					if _, ok := e.(*expr.Column); ok {
						return value, false
					}
					return e, true
				}))
			}
			at += len(record)
			continue
		}
		for k := range width {
			if width == 1 {
				pr.Exprs = append(pr.Exprs, value)
			} else {
				pr.Exprs = append(pr.Exprs, &expr.Field{Arg: value, Index: k, Name: r.cols[at+k].name, T: r.cols[at+k].t})
			}
		}
		at += width
	}
	if r.fn.ordinality {
		all := pr.Cols
		pr.Cols = all[:len(all)-1]
		number := funcs.WindowsByName("row_number")[0]
		return &plan.Window{
			Source: pr, Frame: plan.Frame{End: ast.CurrentRow}, Cols: all,
			Calls: []plan.WindowCall{{Window: number, T: number.Result}},
		}
	}
	return pr
}

// scan makes the node that reads a table as decided. Conditions that the access does
// not answer become its filter.
func (p *fromPlan) scan(r *rel, quals []*qual, a *access, f frames) (*unit, error) {
	b := p.b
	r.need = make([]bool, len(r.cols))
	r.needOutput = make([]bool, len(r.cols))
	columns := len(r.table.Columns)
	need := r.need[:columns:columns]
	cols := planColumns(r.cols)
	l := relLayout(r)
	u := &unit{l: l, rels: r.set(), rows: a.rows, ordered: a.ordered}
	var rest []expr.Expr
	for _, c := range quals {
		if !slices.Contains(a.used, c) {
			rest = append(rest, c.e)
		}
	}
	if a.array != nil {
		p.keysOfArray(u, r, a, rest, need, cols, f)
		return u, nil
	}
	b.bare = true
	defer func() { b.bare = false }()
	filter := b.conjunction(rest, l, f)
	switch a.kind {
	case keyScan:
		n := &plan.KeyScan{Rel: r.table, Alias: r.alias, Index: a.index, Need: need, Filter: filter, Cols: cols}
		for _, k := range a.keys {
			n.Keys = append(n.Keys, b.finishAll(k, nil, f))
		}
		u.node = n
		b.expect(u, r)
	case indexScan:
		u.node = p.indexNode(r, a, filter, need, cols, f)
		b.expect(u, r)
	case spatialScan:
		u.node = p.spatial(r, a, l, filter, need, cols, f)
	default:
		defer func() { b.expect(u, r) }()
		n := &plan.RowScan{Rel: r.table, Alias: r.alias, Need: need, Filter: filter, Reason: a.reason, Cols: cols}
		b.historical(r, n, f)
		if m := a.refused; m != nil && m.geodesic && m.spheroid() {
			u.l.same = []sameValue{{m, r.newVar(r.extra(plan.ExtraDistance), -1)}}
			need := r.need
			b.atEnd = append(b.atEnd, func() {
				if need[r.extra(plan.ExtraDistance)] {
					n.Distance = b.finished(m.distanceExpr(b), relLayout(r), f)
				}
			})
		}
		u.node = n
	}
	return u, nil
}

// keysOfArray looks up the distinct elements of an array one by one.
func (p *fromPlan) keysOfArray(u *unit, r *rel, a *access, rest []expr.Expr, need []bool, cols []plan.Column, f frames) {
	b := p.b
	t := a.array.Type()
	elem := plan.Column{Name: "unnest", Type: t.Elem, Typmod: -1}
	values := &plan.Distinct{Source: &plan.FuncScan{
		Fn: unnest.Bind([]*types.Type{t}), Args: []expr.Expr{b.finished(a.array, nil, f)}, Alias: "unnest", Cols: []plan.Column{elem},
	}}
	inner := f.push(&layout{width: 1})
	scan := &plan.KeyScan{
		Rel: r.table, Alias: r.alias, Index: a.index, Need: need, Cols: cols,
		Keys:   [][]expr.Expr{{&expr.Outer{Level: 1, Index: 0, Name: elem.Name, T: t.Elem, Typmod: -1}}},
		Filter: b.conjunction(rest, u.l, inner),
	}
	u.node = &plan.NestedLoop{
		Kind: plan.InnerJoin, Left: values, Right: scan, Lateral: true, Cols: append([]plan.Column{elem}, cols...),
	}
	u.l.at[r.index] = 1
	u.l.width++
}

// unnest yields the elements of an array.
var unnest = func() *funcs.Overload {
	for _, o := range funcs.ByName("unnest") {
		if len(o.Args) == 1 && o.Args[0].Type == types.TAnyArray {
			return o
		}
	}
	return nil
}()

// spatial makes a scan of the cell index.
func (p *fromPlan) spatial(r *rel, a *access, l *layout, filter expr.Expr, need []bool, cols []plan.Column, f frames) plan.Node {
	b, m := p.b, a.spatial
	n := &plan.SpatialScan{
		Kind: m.kind, Rel: r.table, Alias: r.alias, Property: m.name, Strict: m.strict, Exact: m.exact,
		PredicateText: m.text, Filter: filter, Need: need, Cols: cols,
		Center: b.finished(m.center, nil, f),
	}
	n.PointSRID = m.columnSRID()
	if m.kind == plan.BoxScan {
		n.Points = m.pointRule()
	}
	n.RadiusM = b.finished(m.radius, nil, f)
	n.Count = b.finished(m.count, nil, f)
	b.forPredicate = true
	n.Geometry = b.finished(m.e, l, f)
	if m.pred != nil {
		n.Predicate = b.finished(m.pred, l, f)
	}
	n.Planar = m.kind == plan.KnnScan && !m.geodesic
	if m.kind != plan.BoxScan {
		n.Distance = b.finished(m.distanceExpr(b), l, f)
	}
	b.forPredicate = false
	if m.kind != plan.BoxScan && m.spheroid() {
		l.same = []sameValue{{m, r.newVar(r.extra(plan.ExtraDistance), -1)}}
	}
	output := r.needOutput
	n.NeedOutput = output[:len(need):len(need)]
	b.atEnd = append(b.atEnd, func() {
		if n.Kind == plan.DistanceScan && !output[r.extra(plan.ExtraDistance)] {
			n.Distance = nil // nobody reads it
		}
		n.NeedRow = slices.Contains(n.NeedOutput, true) || output[r.extra(plan.ExtraRevision)]
	})
	return n
}

// virtualRows is what a catalog relation is expected to have.
const virtualRows = 100
