package planner

import (
	"slices"

	"raisind/sql/expr"
	"raisind/sql/funcs"
	"raisind/sql/plan"
)

// part is one member of a group of inner joins that is not joined yet.
type part struct {
	n    *fromNode
	rels relSet
	deps relSet // items it reads laterally
	own  []*qual
	rows float64
	u    *unit // planned already
}

// joining joins a group, one part after the other.
type joining struct {
	p     *fromPlan
	quals []*qual
	f     frames
	rest  []*part
}

// estimate says how many rows a part gives by itself.
func (j *joining) estimate(x *part) error {
	x.rows = defaultRows
	if x.n.rel != nil {
		for _, c := range j.quals {
			if !c.done && c.rels != 0 && c.rels.within(x.rels) {
				c.done = true
				x.own = append(x.own, c)
			}
		}
		r := x.n.rel
		switch {
		case r.kind == relTable:
			a := j.p.access(r, x.own, 0)
			x.rows = a.rows
		case x.deps == 0:
			u, err := j.p.leaf(r, x.own, 0, j.f)
			if err != nil {
				return err
			}
			x.u, x.rows = u, u.rows
		}
		return nil
	}
	if x.deps != 0 {
		return nil
	}
	own := take(j.quals, func(c *qual) bool { return c.rels != 0 && c.rels.within(x.rels) })
	for _, c := range own {
		c.done = false
	}
	u, err := j.p.tree(x.n, own, j.f)
	if err != nil {
		return err
	}
	rest := take(own, func(*qual) bool { return true })
	u.node = j.p.b.filter(u.node, u.l, condsOf(rest), j.f)
	x.u, x.rows = u, u.rows
	return nil
}

// start takes the part with the fewest rows; the written order decides near ties.
func (j *joining) start() (*unit, error) {
	at := -1
	for i, x := range j.rest {
		if x.deps == 0 && (at < 0 || x.rows*2 < j.rest[at].rows) {
			at = i
		}
	}
	x := j.remove(max(at, 0))
	return j.plan(x, j.f)
}

func (j *joining) remove(i int) *part {
	x := j.rest[i]
	j.rest = slices.Delete(j.rest, i, i+1)
	return x
}

// plan plans a part by itself.
func (j *joining) plan(x *part, f frames) (*unit, error) {
	if x.u != nil {
		return x.u, nil
	}
	if x.n.rel != nil {
		return j.p.leaf(x.n.rel, x.own, 0, f)
	}
	own := take(j.quals, func(c *qual) bool { return c.rels != 0 && c.rels.within(x.rels) })
	for _, c := range own {
		c.done = false
	}
	u, err := j.p.tree(x.n, own, f)
	if err == nil {
		rest := take(own, func(*qual) bool { return true })
		u.node = j.p.b.filter(u.node, u.l, condsOf(rest), f)
	}
	return u, err
}

// next picks the part to join with: one that a condition connects, with few rows.
func (j *joining) next(cur *unit) *part {
	at, connected := -1, false
	for i, x := range j.rest {
		if !x.deps.within(cur.rels) {
			continue
		}
		c := x.deps != 0 || slices.ContainsFunc(j.quals, func(c *qual) bool {
			return !c.done && c.rels.overlaps(x.rels) && c.rels.overlaps(cur.rels) && c.rels.within(cur.rels|x.rels)
		})
		if at < 0 || c && !connected || c == connected && x.rows*2 < j.rest[at].rows {
			at, connected = i, c
		}
	}
	return j.remove(max(at, 0))
}

// add joins one more part.
func (j *joining) add(cur *unit, x *part) (*unit, error) {
	on := take(j.quals, func(c *qual) bool { return c.rels.within(cur.rels|x.rels) && c.rels.overlaps(x.rels) })
	if x.n.rel != nil {
		u, err := j.p.lookupJoin(cur, x.n.rel, slices.Concat(x.own, on), plan.InnerJoin, j.f)
		if u != nil || err != nil {
			return u, err
		}
	}
	lateral := x.deps.overlaps(cur.rels)
	inner := j.f
	if lateral {
		inner = j.f.push(cur.l)
		x.u = nil
	}
	u, err := j.plan(x, inner)
	if err != nil {
		return nil, err
	}
	if !lateral && cur.rows < u.rows { // the smaller side is kept in memory
		if k, _ := j.p.hashKeys(u, cur, on); len(k) > 0 {
			return j.p.join(u, cur, plan.InnerJoin, on, false, j.f), nil
		}
	}
	return j.p.join(cur, u, plan.InnerJoin, on, lateral, j.f), nil
}

// lookupJoin joins a table by reading it for each left row, where the conditions let
// an index find its rows and that is cheaper than reading all; nil otherwise.
func (p *fromPlan) lookupJoin(l *unit, r *rel, conds []*qual, kind plan.JoinKind, f frames) (*unit, error) {
	if r.kind != relTable || r.lateral != 0 {
		return nil, nil
	}
	usable := func(c *qual) bool { return c.rels.within(l.rels | r.set()) }
	if slices.ContainsFunc(conds, func(c *qual) bool { return !usable(c) || volatile(c.e) }) {
		return nil, nil
	}
	alone := slices.DeleteFunc(slices.Clone(conds), func(c *qual) bool { return !c.rels.within(r.set()) })
	all := p.b.tableRows(r)
	a := p.access(r, conds, l.rels)
	switch {
	case !a.usesIndex() || !a.reads(p.q, l.rels):
		return nil, nil
	case a.kind == keyScan || a.kind == indexScan:
		if l.rows*max(1, a.rows)*lookupCost > min(all, p.access(r, alone, 0).rows)+l.rows {
			return nil, nil
		}
	}
	for _, c := range conds {
		c.done = true
	}
	u, err := p.scan(r, conds, a, f.push(l.l))
	if err != nil {
		return nil, err
	}
	out := &unit{l: l.l.joined(u.l), rels: l.rels | r.set(), rows: max(1, l.rows*u.rows)}
	out.node = &plan.NestedLoop{
		Kind: kind, Left: l.node, Right: u.node, Lateral: true,
		Cols: slices.Concat(l.node.Columns(), u.node.Columns()),
	}
	return out, nil
}

// lookupCost is what finding one row by key costs, in rows of a scan.
const lookupCost = 3

// semiJoins turns x IN (SELECT …) into a join with the distinct rows of the
// subquery where x is a unique key: each is then looked up. It must not be done for
// a subquery that depends on the query's own rows.
func (p *fromPlan) semiJoins(from *fromNode, conds *[]expr.Expr) *fromNode {
	if from == nil {
		return nil
	}
	copied := false
	for i, e := range *conds {
		s, ok := e.(*subquery)
		if !ok || s.kind != expr.SubqueryAny || s.rowOp != "=" || s.not || len(s.args) != 1 || s.q.recursive {
			continue
		}
		v, ok := s.args[0].(*variable)
		if !ok || v.rel.q != p.q || !uniqueColumn(v) || p.b.asOf != nil ||
			slices.ContainsFunc(s.q.outer, func(o expr.Expr) bool { return usesQuery(o, p.q) }) {
			continue
		}
		if s.q.limit == nil && p.b.estimate(s.q)*lookupCost > p.b.tableRows(v.rel) {
			continue
		}
		if len(p.q.rels) == maxRels {
			break
		}
		r := &rel{kind: relDerived, sub: s.q, alias: "ANY_subquery", cols: s.q.columns(), joinOnly: true, q: p.q, index: len(p.q.rels)}
		p.q.rels = append(p.q.rels, r)
		value := expr.Expr(r.newVar(0, -1))
		if len(s.casts) > 0 && s.casts[0] != nil {
			value = &expr.Cast{Arg: value, T: s.ops[0].Args[1].Type, Typmod: -1, Fn: s.casts[0]}
		}
		if !copied {
			*conds, copied = slices.Clone(*conds), true
		}
		(*conds)[i] = &expr.Call{Fn: s.ops[0], Args: []expr.Expr{v, value}, T: s.t}
		from = &fromNode{kind: plan.InnerJoin, left: from, right: &fromNode{rel: r}}
	}
	return from
}

// uniqueColumn reports whether a column alone is a unique key.
func uniqueColumn(v *variable) bool {
	if v.rel.table == nil {
		return false
	}
	for i := range v.rel.table.Indexes {
		ix := &v.rel.table.Indexes[i]
		if ix.Plain() && len(ix.Columns) == 1 && ix.Columns[0] == v.col {
			return true
		}
	}
	return false
}

// strict reports whether e is not true for a row in which all of s is NULL.
func strict(e expr.Expr, q *query, s relSet) bool {
	if nullFor(e, q, s) {
		return true
	}
	switch e := e.(type) {
	case *expr.And:
		return slices.ContainsFunc(e.Args, func(a expr.Expr) bool { return strict(a, q, s) })
	case *expr.Or:
		return !slices.ContainsFunc(e.Args, func(a expr.Expr) bool { return !strict(a, q, s) })
	case *expr.IsTest:
		switch e.What {
		case expr.IsNull:
			return e.Not && nullFor(e.Arg, q, s)
		case expr.IsTrue:
			return !e.Not && strict(e.Arg, q, s)
		case expr.IsFalse:
			return !e.Not && nullFor(e.Arg, q, s)
		}
	case *expr.AnyAll: // an empty array gives false for ANY
		return nullFor(e.Left, q, s) && !e.All
	}
	return false
}

// nullFor reports whether e is NULL for such a row.
func nullFor(e expr.Expr, q *query, s relSet) bool {
	switch e := e.(type) {
	case *variable:
		return e.rel.q == q && s.has(e.rel)
	case *expr.Call:
		if e.Fn.Func == nil || e.Fn.Func.Nulls != funcs.NullOnNull {
			return false
		}
		return slices.ContainsFunc(e.Args, func(a expr.Expr) bool { return nullFor(a, q, s) })
	case *expr.Cast:
		return nullFor(e.Arg, q, s)
	case *expr.Not:
		return nullFor(e.Arg, q, s)
	case *expr.InList:
		return nullFor(e.Arg, q, s) && len(e.List) > 0
	}
	return false
}
