package planner

import (
	"slices"

	"raisind/sql/expr"
	"raisind/sql/plan"
	"raisind/sql/types"
)

// unit is a part of FROM that has its plan.
type unit struct {
	node plan.Node
	l    *layout
	rels relSet
	rows float64 // expected
	// ordered is how many of the query's ORDER BY keys the rows are sorted by.
	ordered int
	// conds are all conditions the rows were selected by.
	conds []expr.Expr
}

// qual is one conjunct of WHERE, or of ON of an inner join.
type qual struct {
	e    expr.Expr
	rels relSet
	done bool
}

func newQual(e expr.Expr, q *query) *qual {
	c := &qual{e: e, rels: relsOf(e, q)}
	if c.rels == 0 && volatile(e) { // computed for every row of all
		c.rels = allRels(q)
	}
	return c
}

func allRels(q *query) relSet { return 1<<len(q.rels) - 1 }

// take returns the conditions of the quals that pick accepts, marking them done.
func take(quals []*qual, pick func(*qual) bool) []*qual {
	var out []*qual
	for _, c := range quals {
		if !c.done && pick(c) {
			c.done = true
			out = append(out, c)
		}
	}
	return out
}

func condsOf(quals []*qual) []expr.Expr {
	out := make([]expr.Expr, len(quals))
	for i, c := range quals {
		out[i] = c.e
	}
	return out
}

// fromPlan plans the FROM and WHERE of one query.
type fromPlan struct {
	b *builder
	q *query
	// single is set when the query has one item and its order and limit may be
	// answered by how that item is read.
	single bool
}

func (b *builder) planFrom(q *query, f frames, pushed []expr.Expr) (*unit, error) {
	from, conds := hoist(q.from, slices.Concat(q.where, pushed))
	conds, err := b.revisionRule(q, conds)
	if err != nil {
		return nil, err
	}
	p := &fromPlan{b: b, q: q}
	conds = p.distanceRule(conds)
	from = p.semiJoins(from, &conds)
	here, semis := conds, []*semi(nil)
	if from != nil {
		here, semis = p.semiQueries(conds)
	}
	var quals []*qual
	var gates []expr.Expr
	for _, e := range here {
		if c, ok := e.(*expr.Const); ok {
			if c.Val.IsNull() || !c.Val.Bool() {
				return p.nothing(), nil
			}
			continue
		}
		c := newQual(e, q)
		if c.rels == 0 && from != nil {
			gates = append(gates, e)
			continue
		}
		quals = append(quals, c)
	}
	if from == nil {
		u := &unit{node: &plan.Values{Rows: [][]expr.Expr{{}}}, l: emptyLayout(q), rows: 1}
		u.node = b.filter(u.node, u.l, condsOf(quals), f)
		return u, nil
	}
	from = p.reduceOuter(from, quals)
	p.single = from.rel != nil && semis == nil
	u, err := p.tree(from, quals, f)
	if err != nil {
		return nil, err
	}
	rest := take(quals, func(*qual) bool { return true })
	u.node = b.filter(u.node, u.l, condsOf(rest), f)
	for _, j := range semis {
		if u, err = p.semiJoin(u, j, f); err != nil {
			return nil, err
		}
	}
	u.conds = conds
	return p.gate(u, gates, f), nil
}

// hoist takes the conditions off the inner joins at the top: they are WHERE's as well.
func hoist(n *fromNode, conds []expr.Expr) (*fromNode, []expr.Expr) {
	if n == nil || n.rel != nil || n.kind != plan.InnerJoin {
		return n, conds
	}
	out := *n
	conds = append(conds[:len(conds):len(conds)], n.on...)
	out.on = nil
	out.left, conds = hoist(n.left, conds)
	out.right, conds = hoist(n.right, conds)
	return &out, conds
}

// nothing is the plan of a condition that is false.
func (p *fromPlan) nothing() *unit {
	l := emptyLayout(p.q)
	v := &plan.Values{Rows: [][]expr.Expr{}}
	for _, r := range p.q.rels {
		l.at[r.index] = l.width
		l.width += len(r.cols)
		v.Cols = append(v.Cols, planColumns(r.cols)...)
		r.need, r.needOutput = nil, nil
	}
	return &unit{node: v, l: l, rels: allRels(p.q), conds: p.q.where}
}

// gate opens u only when conditions hold that no row can change.
func (p *fromPlan) gate(u *unit, gates []expr.Expr, f frames) *unit {
	if len(gates) == 0 {
		return u
	}
	l := emptyLayout(p.q)
	once := p.b.filter(&plan.Values{Rows: [][]expr.Expr{{}}}, l, gates, f)
	u.node = &plan.NestedLoop{Kind: plan.InnerJoin, Left: once, Right: u.node, Cols: u.node.Columns()}
	return u
}

// tree plans a join tree. It marks the quals it applied as done.
func (p *fromPlan) tree(n *fromNode, quals []*qual, f frames) (*unit, error) {
	switch {
	case n.rel != nil:
		own := take(quals, func(c *qual) bool { return c.rels.within(n.rel.set()) })
		return p.leaf(n.rel, own, 0, f)
	case n.kind == plan.InnerJoin:
		return p.inner(n, quals, f)
	}
	return p.outer(n, quals, f)
}

// inner plans a group of inner joins: the order is free, so it starts with what is
// expected to give the fewest rows and goes on along the conditions.
func (p *fromPlan) inner(n *fromNode, quals []*qual, f frames) (*unit, error) {
	var parts []*fromNode
	var flatten func(*fromNode)
	flatten = func(n *fromNode) {
		if n.rel != nil || n.kind != plan.InnerJoin {
			parts = append(parts, n)
			return
		}
		for _, e := range n.on {
			if c, ok := e.(*expr.Const); ok && !c.Val.IsNull() && c.Val.Bool() {
				continue
			}
			quals = append(quals, newQual(e, p.q))
		}
		flatten(n.left)
		flatten(n.right)
	}
	flatten(n)
	p.single = false
	j := &joining{p: p, quals: quals, f: f}
	for _, n := range parts {
		j.rest = append(j.rest, &part{n: n, rels: n.rels(), deps: p.dependencies(n)})
	}
	for _, x := range j.rest {
		if err := j.estimate(x); err != nil {
			return nil, err
		}
	}
	cur, err := j.start()
	for err == nil && len(j.rest) > 0 {
		cur, err = j.add(cur, j.next(cur))
	}
	if err != nil {
		return nil, err
	}
	rest := take(quals, func(c *qual) bool { return c.rels.within(cur.rels) })
	cur.node = p.b.filter(cur.node, cur.l, condsOf(rest), f)
	return cur, nil
}

// dependencies are the items outside of n that lateral items within it read.
func (p *fromPlan) dependencies(n *fromNode) relSet {
	var deps relSet
	all := n.rels()
	for _, r := range p.q.rels {
		if all.has(r) {
			deps |= r.lateral
		}
	}
	return deps &^ all
}

// outer plans LEFT, RIGHT and FULL joins; RIGHT is LEFT with the sides swapped.
func (p *fromPlan) outer(n *fromNode, quals []*qual, f frames) (*unit, error) {
	p.single = false
	left, right, kind := n.left, n.right, n.kind
	if kind == plan.RightJoin {
		left, right, kind = right, left, plan.LeftJoin
	}
	lrels, rrels := left.rels(), right.rels()
	var on []*qual
	for _, e := range n.on {
		if c, ok := e.(*expr.Const); ok && !c.Val.IsNull() && c.Val.Bool() {
			continue
		}
		on = append(on, newQual(e, p.q))
	}
	var fromAbove []*qual
	if kind == plan.LeftJoin { // what concerns the left side alone may go first
		fromAbove = take(quals, func(c *qual) bool { return c.rels != 0 && c.rels.within(lrels) && !volatile(c.e) })
		for _, c := range fromAbove {
			c.done = false
		}
	}
	l, err := p.tree(left, fromAbove, f)
	if err != nil {
		return nil, err
	}
	rest := take(fromAbove, func(*qual) bool { return true })
	l.node = p.b.filter(l.node, l.l, condsOf(rest), f)
	if kind == plan.LeftJoin && right.rel != nil {
		if u, err := p.lookupJoin(l, right.rel, on, plan.LeftJoin, f); u != nil || err != nil {
			return u, err
		}
	}
	inRight := f
	lateral := p.dependencies(right).overlaps(lrels)
	if lateral {
		inRight = f.push(l.l)
	}
	var rquals []*qual
	if kind == plan.LeftJoin {
		rquals = take(on, func(c *qual) bool { return c.rels != 0 && c.rels.within(rrels) })
		for _, c := range rquals {
			c.done = false
		}
	}
	r, err := p.tree(right, rquals, inRight)
	if err != nil {
		return nil, err
	}
	rrest := take(rquals, func(*qual) bool { return true })
	r.node = p.b.filter(r.node, r.l, condsOf(rrest), inRight)
	on = take(on, func(*qual) bool { return true })
	return p.join(l, r, kind, on, lateral, f), nil
}

// join joins two planned parts on conditions, by hash where there is an equality.
func (p *fromPlan) join(l, r *unit, kind plan.JoinKind, on []*qual, lateral bool, f frames) *unit {
	both := l.l.joined(r.l)
	cols := slices.Concat(l.node.Columns(), r.node.Columns())
	u := &unit{l: both, rels: l.rels | r.rels, rows: joinRows(l, r, kind, len(on) > 0)}
	if !lateral {
		keys, rest := p.hashKeys(l, r, on)
		if len(keys) > 0 {
			h := &plan.HashJoin{Kind: kind, Left: l.node, Right: r.node, Cols: cols}
			for _, k := range keys {
				h.LeftKeys = append(h.LeftKeys, p.b.finished(k[0], l.l, f))
				h.RightKeys = append(h.RightKeys, p.b.finished(k[1], r.l, f))
			}
			h.On = p.b.conjunction(condsOf(rest), both, f)
			u.node = h
			u.rows = max(l.rows, r.rows)
			if kind == plan.LeftJoin {
				u.rows = max(l.rows, min(r.rows, l.rows*4))
			}
			return u
		}
	}
	inOn := f
	u.node = &plan.NestedLoop{Kind: kind, Left: l.node, Right: r.node, On: p.b.conjunction(condsOf(on), both, inOn), Lateral: lateral, Cols: cols}
	return u
}

func joinRows(l, r *unit, kind plan.JoinKind, conditions bool) float64 {
	rows := l.rows * r.rows
	if conditions {
		rows = max(1, rows/10)
	}
	if kind != plan.InnerJoin {
		rows = max(rows, l.rows)
	}
	return rows
}

// hashKeys finds equalities between the sides; what remains is checked per pair.
func (p *fromPlan) hashKeys(l, r *unit, on []*qual) (keys [][2]expr.Expr, rest []*qual) {
	for _, c := range on {
		if k, ok := p.equalSides(c.e, l.rels, r.rels); ok {
			keys = append(keys, k)
			continue
		}
		rest = append(rest, c)
	}
	return keys, rest
}

// equalSides splits a = b into an expression over each side, of one type.
func (p *fromPlan) equalSides(e expr.Expr, lrels, rrels relSet) (k [2]expr.Expr, ok bool) {
	call, ok := e.(*expr.Call)
	if !ok || call.Fn.Func == nil || call.Fn.Func.Operator != "=" || len(call.Args) != 2 || volatile(e) {
		return k, false
	}
	a, c := call.Args[0], call.Args[1]
	ra, rc := relsOf(a, p.q), relsOf(c, p.q)
	switch {
	case ra != 0 && rc != 0 && ra.within(lrels) && rc.within(rrels):
	case ra != 0 && rc != 0 && ra.within(rrels) && rc.within(lrels):
		a, c = c, a
	default:
		return k, false
	}
	if a.Type() != c.Type() {
		if _, both, err := p.b.unify([]typed{{a, -1}, {c, -1}}, "hash"); err == nil {
			a, c = both[0], both[1]
		} else {
			return k, false
		}
		if call.Fn.Func.Volatility != 'i' {
			return k, false
		}
	}
	t := a.Type()
	if t != c.Type() || !t.Hashable() || t == types.TGeometry || t == types.TGeography || t == types.TRecord {
		return k, false
	}
	return [2]expr.Expr{a, c}, true
}

// reduceOuter turns outer joins into inner ones where a condition refuses the rows
// they would make up.
func (p *fromPlan) reduceOuter(n *fromNode, quals []*qual) *fromNode {
	if n.rel != nil {
		return n
	}
	refused := func(s relSet) bool {
		return slices.ContainsFunc(quals, func(c *qual) bool { return strict(c.e, p.q, s) })
	}
	out := *n
	switch n.kind {
	case plan.LeftJoin:
		if refused(n.right.rels()) {
			out.kind = plan.InnerJoin
		}
	case plan.RightJoin:
		if refused(n.left.rels()) {
			out.kind = plan.InnerJoin
		}
	case plan.FullJoin:
		l, r := refused(n.left.rels()), refused(n.right.rels())
		switch {
		case l && r:
			out.kind = plan.InnerJoin
		case l:
			out.kind = plan.LeftJoin // rows without a left side are refused
		case r:
			out.kind = plan.RightJoin
		}
	}
	deeper := quals
	if out.kind == plan.InnerJoin {
		for _, e := range out.on {
			deeper = append(deeper[:len(deeper):len(deeper)], newQual(e, p.q))
		}
	}
	out.left, out.right = p.reduceOuter(n.left, deeper), p.reduceOuter(n.right, deeper)
	return &out
}
