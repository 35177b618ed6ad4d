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
	*sorter
}

func (q *Query) newSort(n *plan.Sort, ec *expr.Ctx) (iter, error) {
	src, err := q.build(n.Source, ec)
	if err != nil {
		return nil, err
	}
	return &sortIter{q: q, n: n, ec: ec, src: src, stats: q.stat(n), sorter: q.newSorter(n.Keys)}, nil
}

func (s *sortIter) next() (types.Row, error) {
	if !s.ready {
		if err := s.read(); err != nil {
			return nil, err
		}
		s.ready = true
		s.src.close()
	}
	_, row, err := s.sorter.next()
	return row, err
}

// maxHeapRows is up to how many wanted rows a heap is used for.
const maxHeapRows = 100_000

func (s *sortIter) read() error {
	top, err := evalCount(s.n.Top, s.ec, unbounded)
	if err != nil {
		return err
	}
	method := "quicksort"
	if top <= maxHeapRows {
		method = "top-N heapsort"
		var whole bool
		if whole, err = s.readTop(int(max(top, 0))); err == nil && !whole {
			method = "quicksort"
			err = s.readAll()
		}
	} else {
		err = s.readAll()
	}
	if err != nil {
		return err
	}
	if err = s.begin(); err != nil {
		return err
	}
	s.stats.SortSpaceBytes, s.stats.SortOnDisk = max(s.acc.peak, s.stats.SortSpaceBytes), false
	if s.stats.SortMethod = method; s.file != nil {
		s.stats.SortMethod, s.stats.SortSpaceBytes, s.stats.SortOnDisk = "external merge", s.diskBytes(), true
	}
	return nil
}

func (s *sortIter) readAll() error {
	keys := make(types.Row, len(s.n.Keys))
	for {
		row, err := s.src.next()
		if err != nil || row == nil {
			return err
		}
		if err := s.q.tick(); err != nil {
			return err
		}
		if err := evalKeys(keys, s.n.Keys, s.ec, row); err != nil {
			return err
		}
		if err := s.add(keys, row); err != nil {
			return err
		}
	}
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

// readTop keeps the first top rows in a heap whose root is the last of them. whole is
// false when memory is full before the source has ended: the rows kept are then as
// good as all read so far, and the rest is to be sorted with them.
func (s *sortIter) readTop(top int) (whole bool, err error) {
	h := &topHeap{keys: s.n.Keys}
	keys := make(types.Row, len(s.n.Keys))
	for ; ; s.seq++ {
		row, err := s.src.next()
		if err != nil {
			return false, err
		}
		if row == nil {
			whole = true
			break
		}
		if err := s.q.tick(); err != nil {
			return false, err
		}
		if top == 0 {
			continue
		}
		if err := evalKeys(keys, s.n.Keys, s.ec, row); err != nil {
			return false, err
		}
		if len(h.rows) < top {
			if err := s.acc.take(rowBytes(row) + rowBytes(keys) + 64); err != nil {
				return false, err
			}
			heap.Push(h, sorted{keys: slices.Clone(keys), row: slices.Clone(row), seq: s.seq})
		} else if last := &h.rows[0]; compareKeys(s.n.Keys, keys, last.keys) < 0 {
			if err := s.acc.take(rowBytes(row) + rowBytes(keys) - rowBytes(last.row) - rowBytes(last.keys)); err != nil {
				return false, err
			}
			last.keys, last.row, last.seq = append(last.keys[:0], keys...), append(last.row[:0], row...), s.seq
			heap.Fix(h, 0)
		}
		if s.acc.full() {
			break
		}
	}
	s.rows = h.rows
	slices.SortFunc(s.rows, func(a, b sorted) int { return -h.after(&a, &b) })
	if !whole {
		s.seq++
	}
	return whole, nil
}

// rowBytes is about how much memory a row takes.
func rowBytes(row types.Row) int64 {
	n := int64(len(row)) * datumBytes
	for _, d := range row {
		n += d.SizeBytes()
	}
	return n
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
	s.forget()
	if s.file != nil {
		s.file.close()
	}
	s.ready = true
}
