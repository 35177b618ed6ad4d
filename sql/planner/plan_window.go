package planner

import (
	"cmp"
	"slices"

	"raisind/sql/expr"
	"raisind/sql/plan"
)

// planWindows computes the window functions of a query, window by window, each over
// rows sorted for it. Windows are taken in PostgreSQL's order, so that one sort
// serves all whose keys begin its own. What the rows are ordered by at the end is
// returned too.
func (b *builder) planWindows(q *query, n plan.Node, l *layout, f frames) (plan.Node, *layout, []orderKey) {
	var active []*windowDef
	for _, d := range q.windows {
		if slices.ContainsFunc(q.windowCalls, func(c *windowCall) bool { return c.def == d }) {
			active = append(active, d)
		}
	}
	slices.SortStableFunc(active, func(x, y *windowDef) int { // common_prefix_cmp
		kx, ky := x.keys(), y.keys()
		for i := range min(len(kx), len(ky)) {
			if c := cmp.Or(cmp.Compare(y.refs[i], x.refs[i]), compareBool(ky[i].desc, kx[i].desc), compareBool(kx[i].nullsFirst, ky[i].nullsFirst)); c != 0 {
				return c
			}
		}
		return cmp.Compare(len(ky), len(kx))
	})
	var ordered []orderKey
	for _, d := range active {
		keys := d.keys()
		if !keysBegin(ordered, keys) {
			n = &plan.Sort{Source: n, Keys: b.sortKeys(keys, l, f)}
			ordered = keys
		}
		n, l = b.planWindow(q, d, n, l, f)
	}
	return n, l, ordered
}

func compareBool(x, y bool) int {
	switch {
	case x == y:
		return 0
	case y:
		return -1
	}
	return 1
}

// keys are what the rows of a window are sorted by.
func (d *windowDef) keys() []orderKey {
	var keys []orderKey
	for _, e := range d.partition {
		k := orderKey{e: e, target: -1}
		for _, o := range d.order { // a key of both takes ORDER BY's direction
			if expr.Equal(o.e, e) {
				k = o
			}
		}
		keys = append(keys, k)
	}
	for _, o := range d.order {
		if !slices.ContainsFunc(keys, func(k orderKey) bool { return expr.Equal(k.e, o.e) }) {
			keys = append(keys, o)
		}
	}
	return keys
}

// keysBegin reports whether rows ordered by some keys are ordered by others too.
func keysBegin(ordered, keys []orderKey) bool {
	if len(keys) > len(ordered) {
		return false
	}
	for i, k := range keys {
		o := ordered[i]
		if o.desc != k.desc || o.nullsFirst != k.nullsFirst || !expr.Equal(o.e, k.e) || volatile(k.e) {
			return false
		}
	}
	return true
}

// planWindow adds the node of one window.
func (b *builder) planWindow(q *query, d *windowDef, n plan.Node, l *layout, f frames) (plan.Node, *layout) {
	w := &plan.Window{Source: n, Partition: b.finishAll(d.partition, l, f), Order: b.sortKeys(d.order, l, f), Frame: d.frame}
	w.Frame.StartOffset, w.Frame.EndOffset = b.finished(d.frame.StartOffset, nil, f), b.finished(d.frame.EndOffset, nil, f)
	w.Cols = slices.Clone(n.Columns())
	next := &layout{q: l.q, at: l.at, exprs: slices.Clone(l.exprs), base: l.base, width: l.width, same: l.same}
	if len(next.exprs) == 0 {
		next.base = l.width
	}
	for _, c := range q.windowCalls {
		if c.def != d {
			continue
		}
		w.Calls = append(w.Calls, plan.WindowCall{
			Window: c.fn, Agg: c.agg, Args: b.finishAll(c.args, l, f), Filter: b.finished(c.filter, l, f), T: c.t,
		})
		w.Cols = append(w.Cols, plan.Column{Name: b.text(c), Type: c.t, Typmod: -1})
		next.exprs = append(next.exprs, c)
		next.width++
	}
	return w, next
}
