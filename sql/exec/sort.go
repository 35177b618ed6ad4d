package exec

import (
	"container/heap"
	"slices"

	"raisind/sql/expr"
	"raisind/sql/plan"
	"raisind/sql/types"
)

// sorted is a row with the values it is sorted by and its place in the input, which
// decides between equal ones.
type sorted struct {
	keys types.Row
	row  types.Row
	seq  int
}

// compareKeys orders two rows by their sort keys.
func compareKeys(keys []plan.SortKey, a, b types.Row) int {
	for i := range keys {
		if c := compareKey(&keys[i], a[i], b[i]); c != 0 {
			return c
		}
	}
	return 0
}

func compareKey(k *plan.SortKey, a, b types.Datum) int {
	switch {
	case a.IsNull() && b.IsNull():
		return 0
	case a.IsNull() || b.IsNull():
		if a.IsNull() == k.NullsFirst {
			return -1
		}
		return 1
	}
	c := types.Compare(k.Expr.Type(), a, b)
	if k.Desc {
		return -c
	}
	return c
}

// sortIter reads its source to the end and yields it in order.
type sortIter struct {
	q     *Query
	n     *plan.Sort
	ec    *expr.Ctx
	src   iter
	stats *plan.Stats
	ready bool
	rows  []sorted
	at    int
}

func (q *Query) newSort(n *plan.Sort, ec *expr.Ctx) (iter, error) {
	src, err := q.build(n.Source, ec)
	if err != nil {
		return nil, err
	}
	return &sortIter{q: q, n: n, ec: ec, src: src, stats: q.stat(n)}, nil
}

func (s *sortIter) next() (types.Row, error) {
	if !s.ready {
		if err := s.read(); err != nil {
			return nil, err
		}
		s.ready = true
		s.src.close()
	}
	if s.at == len(s.rows) {
		return nil, nil
	}
	s.at++
	return s.rows[s.at-1].row, nil
}

// maxHeapRows is up to how many wanted rows a heap is used for.
const maxHeapRows = 100_000

func (s *sortIter) read() error {
	before := s.q.memory
	top, err := evalCount(s.n.Top, s.ec, unbounded)
	if err != nil {
		return err
	}
	method := "quicksort"
	if top <= maxHeapRows {
		method = "top-N heapsort"
		err = s.readTop(int(max(top, 0)))
	} else {
		err = s.readAll()
	}
	s.stats.SortMethod, s.stats.SortSpaceBytes = method, before-s.q.memory
	return err
}

func (s *sortIter) readAll() error {
	a := arena{q: s.q}
	keys := make(types.Row, len(s.n.Keys))
	for {
		row, err := s.src.next()
		if err != nil {
			return err
		}
		if row == nil {
			break
		}
		if err := s.q.tick(); err != nil {
			return err
		}
		r := sorted{seq: len(s.rows)}
		if err := evalKeys(keys, s.n.Keys, s.ec, row); err != nil {
			return err
		}
		if r.keys, err = a.keep(keys); err != nil {
			return err
		}
		if r.row, err = a.keep(row); err != nil {
			return err
		}
		s.rows = append(s.rows, r)
	}
	slices.SortStableFunc(s.rows, func(a, b sorted) int { return compareKeys(s.n.Keys, a.keys, b.keys) })
	return nil
}

func evalKeys(dst types.Row, keys []plan.SortKey, ec *expr.Ctx, row types.Row) error {
	for i := range keys {
		var err error
		if dst[i], err = keys[i].Expr.Eval(ec, row); err != nil {
			return err
		}
	}
	return nil
}

// readTop keeps the first top rows in a heap whose root is the last of them.
func (s *sortIter) readTop(top int) error {
	h := &topHeap{keys: s.n.Keys}
	keys := make(types.Row, len(s.n.Keys))
	for seq := 0; ; seq++ {
		row, err := s.src.next()
		if err != nil {
			return err
		}
		if row == nil {
			break
		}
		if err := s.q.tick(); err != nil {
			return err
		}
		if top == 0 {
			continue
		}
		if err := evalKeys(keys, s.n.Keys, s.ec, row); err != nil {
			return err
		}
		if len(h.rows) < top {
			if err := s.q.hold(int64(len(row)+len(keys))*datumBytes + 64); err != nil {
				return err
			}
			heap.Push(h, sorted{keys: slices.Clone(keys), row: slices.Clone(row), seq: seq})
			continue
		}
		if last := &h.rows[0]; compareKeys(s.n.Keys, keys, last.keys) < 0 {
			last.keys, last.row, last.seq = append(last.keys[:0], keys...), append(last.row[:0], row...), seq
			heap.Fix(h, 0)
		}
	}
	s.rows = h.rows
	slices.SortFunc(s.rows, func(a, b sorted) int { return -h.after(&a, &b) })
	return nil
}

// topHeap has the row that sorts last at its root.
type topHeap struct {
	keys []plan.SortKey
	rows []sorted
}

// after is above 0 when b comes after a.
func (h *topHeap) after(a, b *sorted) int {
	if c := compareKeys(h.keys, b.keys, a.keys); c != 0 {
		return c
	}
	return b.seq - a.seq
}

func (h *topHeap) Len() int           { return len(h.rows) }
func (h *topHeap) Less(i, j int) bool { return h.after(&h.rows[i], &h.rows[j]) < 0 }
func (h *topHeap) Swap(i, j int)      { h.rows[i], h.rows[j] = h.rows[j], h.rows[i] }
func (h *topHeap) Push(x any)         { h.rows = append(h.rows, x.(sorted)) }
func (h *topHeap) Pop() any {
	last := h.rows[len(h.rows)-1]
	h.rows = h.rows[:len(h.rows)-1]
	return last
}

func (s *sortIter) close() {
	s.src.close()
	s.rows = nil
	s.ready, s.at = true, 0
}
