package planner

import (
	"slices"

	"raisind/sql/expr"
	"raisind/sql/plan"
	"raisind/sql/types"
)

// semi is EXISTS (…), NOT EXISTS (…) or x IN (…) that is answered by one join with
// the subquery's rows instead of running it for every row.
type semi struct {
	kind plan.JoinKind
	sub  *query
	from *fromNode
	own  []expr.Expr // the subquery's conditions on itself
	on   []expr.Expr // over the query and over r
	r    *rel        // the subquery's columns that on reads
}

// semiQueries takes the subqueries off conds that become semi- and anti-joins. It
// must not take one that would rather be looked up by key for the few rows there
// are, nor one that counts, cuts or locks its rows.
func (p *fromPlan) semiQueries(conds []expr.Expr) (kept []expr.Expr, found []*semi) {
	for i, e := range conds {
		s, ok := e.(*subquery)
		var j *semi
		if ok {
			j = p.semiOf(s)
		}
		if j == nil {
			if found != nil {
				kept = append(kept, e)
			}
			continue
		}
		if found == nil {
			kept = slices.Clone(conds[:i])
		}
		found = append(found, j)
	}
	if found == nil {
		return conds, nil
	}
	return kept, found
}

func (p *fromPlan) semiOf(s *subquery) *semi {
	sub := s.q
	j := &semi{sub: sub, kind: plan.SemiJoin}
	switch {
	case s.kind == expr.SubqueryExists:
		if s.not {
			j.kind = plan.AntiJoin
		}
	case s.kind == expr.SubqueryAny && s.rowOp == "=" && !s.not:
	default:
		return nil
	}
	correlated := slices.ContainsFunc(sub.outer, func(o expr.Expr) bool { return usesQuery(o, p.q) })
	if !correlated || sub.kind != plainQuery || sub.from == nil || sub.grouped || sub.limit != nil || sub.offset != nil ||
		len(sub.setCalls) > 0 || len(sub.windowCalls) > 0 || len(sub.locks) > 0 || sub.volatile || sub.recursive || sub.post != nil || len(p.q.rels) == maxRels {
		return nil
	}
	var conds []expr.Expr
	j.from, conds = hoist(sub.from, sub.where)
	if p.readsOuter(j.from, sub) {
		return nil
	}
	j.r = &rel{kind: relDerived, sub: sub, joinOnly: true, q: p.q, index: len(p.q.rels), alias: sub.rels[0].alias}
	hashed := false
	for _, e := range conds {
		if mentionsRevision(e) {
			return nil
		}
		if !usesQuery(e, p.q) {
			j.own = append(j.own, e)
			continue
		}
		if hasSubquery(e) {
			return nil
		}
		on := j.lift(e)
		_, equal := p.equalSides(on, allRels(p.q), j.r.set())
		hashed = hashed || equal
		j.on = append(j.on, on)
	}
	for i, a := range s.args {
		out := sub.targets[i].e
		if hasSubquery(out) || usesQuery(out, p.q) {
			return nil
		}
		col := len(j.r.cols)
		j.r.cols = append(j.r.cols, column{name: sub.targets[i].name, t: out.Type(), typmod: typmodOf(out)})
		j.outputs(out)
		value := expr.Expr(j.r.newVar(col, -1))
		if i < len(s.casts) && s.casts[i] != nil {
			value = &expr.Cast{Arg: value, T: s.ops[i].Args[1].Type, Typmod: -1, Fn: s.casts[i]}
		}
		on := &expr.Call{Fn: s.ops[i], Args: []expr.Expr{a, value}, T: types.TBool}
		_, equal := p.equalSides(on, allRels(p.q), j.r.set())
		hashed = hashed || equal
		j.on = append(j.on, on)
	}
	if !hashed || p.lookedUp(j, conds) {
		return nil
	}
	p.q.rels = append(p.q.rels, j.r)
	return j
}

// readsOuter reports whether what is below n depends on rows of the query.
func (p *fromPlan) readsOuter(n *fromNode, sub *query) bool {
	if n.rel == nil {
		return slices.ContainsFunc(n.on, func(e expr.Expr) bool { return usesQuery(e, p.q) }) ||
			p.readsOuter(n.left, sub) || p.readsOuter(n.right, sub)
	}
	uses := func(e expr.Expr) bool { return usesQuery(e, p.q) }
	switch r := n.rel; r.kind {
	case relDerived:
		return slices.ContainsFunc(r.sub.outer, uses)
	case relFunction:
		return slices.ContainsFunc(r.fn.calls, func(c *setCall) bool { return slices.ContainsFunc(c.args, uses) })
	case relCTE:
		return r.cte.q != nil && slices.ContainsFunc(r.cte.q.outer, uses)
	case relWorking:
		return true
	}
	return false
}

// outputs notes what the next column of r is.
func (j *semi) outputs(e expr.Expr) { j.r.outputs = append(j.r.outputs, e) }

// lift rewrites a condition: columns of the subquery become columns of r.
func (j *semi) lift(e expr.Expr) expr.Expr {
	return expr.Rewrite(e, func(x expr.Expr) (expr.Expr, bool) {
		v, ok := x.(*variable)
		if !ok || v.rel.q != j.sub {
			return x, true
		}
		for i, o := range j.r.outputs {
			if v.SameAs(o) {
				return j.r.newVar(i, -1), false
			}
		}
		c := *v.column()
		c.hidden = false
		j.r.cols = append(j.r.cols, c)
		j.outputs(v)
		return j.r.newVar(len(j.r.cols)-1, -1), false
	})
}

// lookedUp reports whether the subquery finds its rows by an index and few rows ask.
func (p *fromPlan) lookedUp(j *semi, conds []expr.Expr) bool {
	r := j.from.rel
	if r == nil || r.kind != relTable {
		return false
	}
	inner := &fromPlan{b: p.b, q: j.sub}
	var quals []*qual
	for _, e := range conds {
		quals = append(quals, newQual(e, j.sub))
	}
	return inner.access(r, quals, 0).usesIndex() && p.b.estimate(p.q)*lookupCost < p.b.tableRows(r)
}

// semiJoin joins u with the rows of the subquery.
func (p *fromPlan) semiJoin(u *unit, j *semi, f frames) (*unit, error) {
	sub := j.sub
	before := *sub
	sub.targets, sub.visible = nil, len(j.r.outputs)
	for i, e := range j.r.outputs {
		sub.targets = append(sub.targets, target{e: e, name: j.r.cols[i].name, at: -1})
	}
	sub.from, sub.where, sub.order, sub.distinct, sub.distinctOn, sub.out = j.from, j.own, nil, false, nil, nil
	node, err := p.b.planQuery(sub, f)
	*sub = before
	if err != nil {
		return nil, err
	}
	r := &unit{node: node, l: relLayout(j.r), rels: j.r.set(), rows: p.b.estimate(sub)}
	l := *u.l
	for len(l.at) < len(p.q.rels) {
		l.at = append(slices.Clone(l.at), -1)
	}
	u.l = &l
	var on []*qual
	for _, e := range j.on {
		on = append(on, newQual(e, p.q))
	}
	out := p.join(u, r, j.kind, on, false, f)
	out.l, out.rels, out.rows = u.l, u.rels, max(1, u.rows/2)
	cols := u.node.Columns()
	switch n := out.node.(type) {
	case *plan.HashJoin:
		n.Cols = cols
	case *plan.NestedLoop:
		n.Cols = cols
	}
	return out, nil
}
