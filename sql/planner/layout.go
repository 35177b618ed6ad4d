package planner

import (
	"slices"

	"raisind/pgerr"
	"raisind/sql/expr"
	"raisind/sql/plan"
	"raisind/sql/types"
)

// layout says where the values of a query stand in the rows of one plan node.
type layout struct {
	q *query
	// at is where each range item's columns start, by its number; -1: not there.
	at []int
	// exprs are computed values, at base and following.
	exprs []expr.Expr
	base  int
	// same are expressions whose value a column of the row has: the distance that a
	// spatial scan fills in.
	same  []sameValue
	width int
}

// sameValue is a distance and the variable that holds its value.
type sameValue struct {
	m *spatialMatch
	v *variable
}

// emptyLayout is that of rows without columns.
func emptyLayout(q *query) *layout {
	l := &layout{q: q, at: make([]int, len(q.rels))}
	for i := range l.at {
		l.at[i] = -1
	}
	return l
}

// relLayout is that of the rows of one range item.
func relLayout(r *rel) *layout {
	if r.q == nil { // the output of a query
		return &layout{width: len(r.cols)}
	}
	l := emptyLayout(r.q)
	l.at[r.index] = 0
	l.width = len(r.cols)
	return l
}

// joined is the layout of rows of l followed by rows of r.
func (l *layout) joined(r *layout) *layout {
	out := &layout{q: l.q, at: slices.Clone(l.at), width: l.width + r.width}
	out.same = append(slices.Clone(l.same), r.same...)
	for i, at := range r.at {
		if at >= 0 {
			out.at[i] = l.width + at
		}
	}
	return out
}

// find returns where e stands in the row, -1 when it has to be computed.
func (l *layout) find(e expr.Expr) int {
	for i, x := range l.exprs {
		if x == e || expr.Equal(x, e) {
			return l.base + i
		}
	}
	v, ok := e.(*variable)
	if !ok {
		return -1
	}
	switch {
	case v.rel.q == nil: // relOut: its query is told by the layout's use
		if l.at == nil && l.q == nil {
			return v.col
		}
	case v.rel.q == l.q && l.at != nil && v.rel.index < len(l.at):
		if at := l.at[v.rel.index]; at >= 0 {
			return at + v.col
		}
	}
	return -1
}

// frames are the layouts of the rows around, outermost first: those of enclosing
// queries, and the left rows of lateral joins.
type frames []*layout

func (f frames) push(l *layout) frames { return append(f[:len(f):len(f)], l) }

// finished turns a bound expression into one over rows of l.
func (b *builder) finished(e expr.Expr, l *layout, f frames) expr.Expr {
	if e == nil {
		return nil
	}
	return expr.Rewrite(e, func(e expr.Expr) (expr.Expr, bool) {
		switch e.(type) {
		case *expr.Const, *expr.Param, *expr.CaseValue:
			return e, false
		}
		if l != nil {
			for _, s := range l.same {
				if call, ok := e.(*expr.Call); ok && s.m.isDistance(call) {
					e = s.v
				}
			}
			if i := l.find(e); i >= 0 {
				return b.columnAt(e, i), false
			}
		}
		switch e := e.(type) {
		case *variable, *aggregate, *grouping, *setCall, *windowCall:
			return b.outerAt(e, f), false
		case *subquery:
			return b.subplan(e, l, f), false
		}
		return e, true
	})
}

func (b *builder) finishAll(es []expr.Expr, l *layout, f frames) []expr.Expr {
	if es == nil {
		return nil
	}
	out := make([]expr.Expr, len(es))
	for i, e := range es {
		out[i] = b.finished(e, l, f)
	}
	return out
}

// columnAt is a reference to column i of the current row.
func (b *builder) columnAt(e expr.Expr, i int) expr.Expr {
	c := &expr.Column{Index: i, T: e.Type(), Typmod: -1}
	if v, ok := e.(*variable); ok {
		v.rel.mark(v.col, b.forPredicate)
		c.Name, c.Typmod = b.varName(v), v.column().typmod
		if b.bare {
			c.Name = expr.QuoteName(v.column().name)
		}
	} else {
		c.Name = b.text(e)
	}
	return c
}

// mark notes that a column of a scan is read.
func (r *rel) mark(col int, forPredicate bool) {
	if r.need != nil && col < len(r.need) {
		r.need[col] = true
		if !forPredicate {
			r.needOutput[col] = true
		}
	}
}

// outerAt is a reference to a value of a row around.
func (b *builder) outerAt(e expr.Expr, f frames) expr.Expr {
	for i := len(f) - 1; i >= 0; i-- {
		at := f[i].find(e)
		if at < 0 {
			continue
		}
		for _, s := range b.subplans {
			if i < s.depth {
				s.correlated = true
			}
		}
		o := &expr.Outer{Level: len(f) - i, Index: at, T: e.Type(), Typmod: -1}
		if v, ok := e.(*variable); ok {
			v.rel.mark(v.col, false)
			o.Name, o.Typmod = b.varName(v), v.column().typmod
		} else {
			o.Name = b.text(e)
		}
		return o
	}
	if b.failed == nil {
		b.failed = pgerr.New(pgerr.InternalError, "no row has %s", b.text(e))
	}
	return &expr.Const{T: e.Type()}
}

// varName is how EXPLAIN writes a column: qualified once there are several items.
func (b *builder) varName(v *variable) string {
	name := expr.QuoteName(v.column().name)
	if b.rels > 1 && v.rel.alias != "" {
		return expr.QuoteName(v.rel.alias) + "." + name
	}
	return name
}

// text prints a bound expression for EXPLAIN.
func (b *builder) text(e expr.Expr) string {
	return expr.Format(expr.Rewrite(e, func(e expr.Expr) (expr.Expr, bool) {
		switch e := e.(type) {
		case *variable:
			return &expr.Column{Name: b.varName(e), T: e.Type(), Typmod: -1}, false
		case *aggregate:
			return &expr.Column{Name: b.aggregateText(e), T: e.t, Typmod: -1}, false
		case *windowCall:
			args := b.list(e.args)
			if e.agg != nil && len(e.args) == 0 {
				args = "*"
			}
			return &expr.Column{Name: expr.QuoteName(e.name()) + "(" + args + ") OVER (?)", T: e.t, Typmod: -1}, false
		case *grouping:
			return &expr.Column{Name: "GROUPING(" + b.list(e.args) + ")", T: e.Type(), Typmod: -1}, false
		case *setCall:
			name := ""
			if e.fn != nil && e.fn.Func != nil {
				name = e.fn.Func.Name
			}
			return &expr.Column{Name: name + "(" + b.list(e.args) + ")", T: e.t, Typmod: -1}, false
		case *subquery:
			return &expr.Column{Name: "(SubPlan)", T: e.t, Typmod: -1}, false
		}
		return e, true
	}))
}

func (b *builder) list(es []expr.Expr) string {
	out := ""
	for i, e := range es {
		if i > 0 {
			out += ", "
		}
		out += b.text(e)
	}
	return out
}

func (b *builder) aggregateText(a *aggregate) string {
	args := b.list(a.args)
	switch {
	case len(a.args) == 0:
		args = "*"
	case a.distinct:
		args = "DISTINCT " + args
	}
	out := expr.QuoteName(a.fn.Agg.Name) + "(" + args + ")"
	if a.filter != nil {
		out += " FILTER (WHERE " + b.text(a.filter) + ")"
	}
	return out
}

// subplanState follows the planning of a subquery.
type subplanState struct {
	// depth is how many frames are outside of the subquery, its own row's included.
	depth      int
	correlated bool
}

// subplanKey finds a subquery planned before for the same rows.
type subplanKey struct {
	s *subquery
	l *layout
	n int // frames
}

// subplan plans a subquery for rows of l and returns the expression that runs it.
func (b *builder) subplan(s *subquery, l *layout, f frames) expr.Expr {
	key := subplanKey{s, l, len(f)}
	if e, ok := b.planned[key]; ok {
		return e
	}
	if l == nil {
		l = &layout{}
	}
	outer := f.push(l)
	state := &subplanState{depth: len(outer)}
	b.subplans = append(b.subplans, state)
	id := len(b.st.Subplans)
	b.st.Subplans = append(b.st.Subplans, plan.Subplan{})
	node, err := b.planQuery(s.q, outer)
	b.subplans = b.subplans[:len(b.subplans)-1]
	if err != nil {
		if b.failed == nil {
			b.failed = err
		}
		return &expr.Const{T: s.t}
	}
	correlated := state.correlated || s.q.recursive
	b.st.Subplans[id] = plan.Subplan{Root: node, Correlated: correlated}
	e := &expr.Subquery{
		Kind: s.kind, ID: id, Args: b.finishAll(s.args, l, f), Ops: s.ops, RowOp: s.rowOp, Casts: s.casts,
		Not: s.not, T: s.t, Correlated: correlated,
	}
	if s.t == types.TRecord && s.kind == expr.SubqueryScalar {
		for i := range s.q.visible {
			e.Names = append(e.Names, s.q.targets[i].name)
			e.Types = append(e.Types, s.q.outputType(i))
		}
	}
	if b.planned == nil {
		b.planned = map[subplanKey]*expr.Subquery{}
	}
	b.planned[key] = e
	return e
}
