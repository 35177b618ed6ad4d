package planner

import (
	"slices"

	"raisind/sql/expr"
	"raisind/sql/plan"
)

// directSets plans a select list whose set-returning functions are whole columns,
// over rows that need no order; nil when it is not that simple.
func (b *builder) directSets(q *query, n plan.Node, l *layout, f frames) plan.Node {
	if len(q.order) > 0 || q.distinct || len(q.locks) > 0 {
		return nil
	}
	p := &plan.ProjectSet{Source: n, Items: make([]plan.SetItem, q.visible), Cols: make([]plan.Column, q.visible)}
	for i := range q.visible {
		t := &q.targets[i]
		c := plan.Column{Name: t.name, Type: t.e.Type(), Typmod: typmodOf(t.e)}
		switch e := t.e.(type) {
		case *setCall:
			if e.level > 0 {
				return nil
			}
		default:
			if expr.Any(e, func(x expr.Expr) bool { _, ok := x.(*setCall); return ok }) {
				return nil
			}
			if v, ok := e.(*variable); ok {
				c.TableOID, c.AttNum = v.column().oid, v.column().attnum
			}
		}
		p.Cols[i] = c
	}
	for i := range q.visible {
		if c, ok := q.targets[i].e.(*setCall); ok {
			p.Items[i] = b.setItem(c, l, f)
		} else {
			p.Items[i] = plan.SetItem{Expr: b.finished(q.targets[i].e, l, f)}
		}
	}
	return p
}

func (b *builder) setItem(c *setCall, l *layout, f frames) plan.SetItem {
	return plan.SetItem{Set: c.fn, Args: b.finishAll(c.args, l, f)}
}

// planSets computes set-returning calls, the inner ones first; their values follow
// the columns of the rows they came from.
func (b *builder) planSets(calls []*setCall, n plan.Node, l *layout, f frames) (plan.Node, *layout) {
	level := 0
	for _, c := range calls {
		level = max(level, c.level)
	}
	cols := n.Columns()
	for at := 0; at <= level; at++ {
		p := &plan.ProjectSet{Source: n, Cols: slices.Clone(cols)}
		for i, c := range cols {
			p.Items = append(p.Items, plan.SetItem{Expr: &expr.Column{Index: i, Name: c.Name, T: c.Type, Typmod: c.Typmod}})
		}
		next := &layout{q: l.q, at: l.at, exprs: slices.Clone(l.exprs), base: l.base, width: l.width, same: l.same}
		if len(next.exprs) == 0 {
			next.base = l.width
		}
		for _, c := range calls {
			if c.level != at || next.find(c) >= 0 {
				continue
			}
			p.Items = append(p.Items, b.setItem(c, l, f))
			p.Cols = append(p.Cols, plan.Column{Name: c.fn.Func.Name, Type: c.t, Typmod: -1})
			next.exprs = append(next.exprs, c)
			next.width++
		}
		n, l, cols = p, next, p.Cols
	}
	return n, l
}
