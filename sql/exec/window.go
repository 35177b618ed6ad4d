package exec

import (
	"raisind/sql/ast"
	"raisind/sql/expr"
	"raisind/sql/funcs"
	"raisind/sql/plan"
	"raisind/sql/types"
)

// window computes window functions, one partition in memory at a time.
type window struct {
	q    *Query
	n    *plan.Window
	ec   *expr.Ctx
	src  iter
	row  types.Row
	part *partition
	// ahead is the first row of the next partition, with its keys.
	ahead, aheadKeys types.Row
	started, ended   bool
	at               int
	held             int64       // bytes of the partition
	start, end       types.Datum // the frame's offsets, once known
}

// partition are the rows of one partition and what the frames of its rows need.
type partition struct {
	w     *window
	rows  []types.Row
	order []types.Row // values of ORDER BY
	group []int       // the number of each row's peer group
	first []int       // the first row of each group, and the number of rows
	evals []windowEval

	frameOf int // the row the frame was computed for, -1 for none
	frame   []funcs.Span
	buf     [3]funcs.Span
	// rangeFrom and rangeTo go forward with the rows under RANGE.
	rangeFrom, rangeTo int
}

// windowEval is one call over one partition.
type windowEval struct {
	fn  funcs.WindowEval
	agg *windowAgg
}

func (q *Query) newWindow(n *plan.Window, ec *expr.Ctx) (iter, error) {
	src, err := q.build(n.Source, ec)
	if err != nil {
		return nil, err
	}
	return &window{q: q, n: n, ec: ec, src: src, row: make(types.Row, len(n.Cols))}, nil
}

func (w *window) next() (types.Row, error) {
	if w.part == nil || w.at == len(w.part.rows) {
		if w.ended {
			return nil, nil
		}
		if err := w.read(); err != nil {
			return nil, err
		}
		if len(w.part.rows) == 0 {
			return nil, nil
		}
	}
	p := w.part
	n := copy(w.row, p.rows[w.at])
	for i := range p.evals {
		var err error
		if e := &p.evals[i]; e.agg != nil {
			w.row[n+i], err = e.agg.value(w.at)
		} else {
			w.row[n+i], err = e.fn(w.at)
		}
		if err != nil {
			return nil, err
		}
	}
	w.at++
	return w.row, w.q.tick()
}

// read gathers the next partition.
func (w *window) read() error {
	if w.part != nil {
		w.q.memory += w.held // partitions follow each other: only one is held
	}
	p := &partition{w: w, frameOf: -1}
	w.part, w.at = p, 0
	a := arena{q: w.q}
	keys := make(types.Row, len(w.n.Partition))
	w.held = 0
	if w.ahead != nil {
		if err := p.add(&a, w.ahead); err != nil {
			return err
		}
		copy(keys, w.aheadKeys)
	}
	w.ahead = nil
	fresh := make(types.Row, len(keys))
	for {
		row, err := w.src.next()
		if err != nil {
			return err
		}
		if row == nil {
			w.ended = true
			break
		}
		if err := w.q.tick(); err != nil {
			return err
		}
		if err := evalAll(fresh, w.n.Partition, w.ec, row); err != nil {
			return err
		}
		if len(p.rows) > 0 && !sameValues(w.n.Partition, keys, fresh) {
			w.ahead, w.aheadKeys = append(types.Row(nil), row...), append(w.aheadKeys[:0], fresh...)
			break
		}
		if len(p.rows) == 0 {
			copy(keys, fresh)
		}
		if err := p.add(&a, row); err != nil {
			return err
		}
	}
	p.first = append(p.first, len(p.rows))
	p.open()
	return w.offsets(len(p.rows))
}

// add takes a row of the source.
func (p *partition) add(a *arena, row types.Row) error {
	w := p.w
	before := w.q.memory
	defer func() { w.held += before - w.q.memory }()
	kept, err := a.keep(row)
	if err != nil {
		return err
	}
	keys := make(types.Row, len(w.n.Order))
	if err := evalKeys(keys, w.n.Order, w.ec, row); err != nil {
		return err
	}
	if err := w.q.hold(int64(len(keys))*datumBytes + 32); err != nil {
		return err
	}
	n := len(p.rows)
	group := 0
	switch {
	case n == 0:
		p.first = append(p.first, 0)
	case compareKeys(w.n.Order, p.order[n-1], keys) != 0:
		group = p.group[n-1] + 1
		p.first = append(p.first, n)
	default:
		group = p.group[n-1]
	}
	p.rows, p.order, p.group = append(p.rows, kept), append(p.order, keys), append(p.group, group)
	return nil
}

func sameValues(es []expr.Expr, a, b types.Row) bool {
	for i, e := range es {
		if a[i].IsNull() != b[i].IsNull() || !a[i].IsNull() && types.Compare(e.Type(), a[i], b[i]) != 0 {
			return false
		}
	}
	return true
}

// open makes the states of all calls.
func (p *partition) open() {
	for i := range p.w.n.Calls {
		c := &p.w.n.Calls[i]
		if c.Agg != nil {
			p.evals = append(p.evals, windowEval{agg: newWindowAgg(p, c)})
			continue
		}
		p.evals = append(p.evals, windowEval{fn: c.Window.New(&callView{p, c})})
	}
}

// callView is a partition as one window function sees it.
type callView struct {
	*partition
	c *plan.WindowCall
}

// Rows implements funcs.Partition.
func (p *partition) Rows() int { return len(p.rows) }

// Peers implements funcs.Partition.
func (p *partition) Peers(row int) funcs.Span {
	g := p.group[row]
	return funcs.Span{From: p.first[g], To: p.first[g+1]}
}

// Args implements funcs.Partition.
func (v *callView) Args() int { return len(v.c.Args) }

// Arg implements funcs.Partition.
func (v *callView) Arg(row, i int) (types.Datum, error) {
	return v.c.Args[i].Eval(v.w.ec, v.rows[row])
}

// Frame implements funcs.Partition.
func (p *partition) Frame(row int) ([]funcs.Span, error) {
	if p.frameOf == row {
		return p.frame, nil
	}
	from, to, err := p.bounds(row)
	if err != nil {
		return nil, err
	}
	p.frameOf = row
	p.frame = p.buf[:0]
	keep := func(from, to int) {
		if from < to {
			p.frame = append(p.frame, funcs.Span{From: from, To: to})
		}
	}
	without := func(s funcs.Span) {
		keep(from, min(to, s.From))
		keep(max(from, s.To), to)
	}
	switch p.w.n.Frame.Exclude {
	case ast.ExcludeCurrentRow:
		without(funcs.Span{From: row, To: row + 1})
	case ast.ExcludeGroup:
		without(p.Peers(row))
	case ast.ExcludeTies:
		peers := p.Peers(row)
		keep(from, min(to, peers.From))
		if from <= row && row < to {
			keep(row, row+1)
		}
		keep(max(from, peers.To), to)
	default:
		keep(from, to)
	}
	return p.frame, nil
}

func (w *window) close() {
	w.src.close()
	w.part, w.ended = nil, true
}
