package exec

import (
	"container/heap"
	"context"
	"slices"

	"raisind/sql/plan"
	"raisind/sql/types"
)

// sorter sorts rows by keys that were computed for them, equal ones in the order they
// came. What does not fit into its memory is written to disk in sorted runs, which are
// merged while they are read:
//
//  1. Rows are gathered in memory.
//  2. When it is full they are sorted and written as a run.
//  3. Runs that are too many to be merged at once are merged in groups of neighbours.
//  4. Reading merges what is left; without a run it reads the rows in memory.
type sorter struct {
	q    *Query
	keys []plan.SortKey
	acc  account
	a    arena
	rows []sorted
	// file is where runs go. With spillTo it is one that others share, and close.
	file    *spillFile
	spillTo func() *spillFile
	runs    []*tape
	seq     int
	stop    error
	heap    mergeHeap
	begun   bool
	at      int
}

func (q *Query) newSorter(keys []plan.SortKey) *sorter {
	s := &sorter{q: q, keys: keys, acc: q.sortMemory()}
	s.a = arena{q: q, acc: &s.acc}
	return s
}

// add takes a copy of a row and its keys.
func (s *sorter) add(keys, row types.Row) error {
	r := sorted{seq: s.seq}
	s.seq++
	var err error
	if r.keys, err = s.a.keep(keys); err != nil {
		return err
	}
	if r.row, err = s.a.keep(row); err != nil {
		return err
	}
	s.rows = append(s.rows, r)
	if s.mustSpill() {
		return s.writeRun()
	}
	return nil
}

// smallestRun is what a sorter holds at least, in bytes, before it makes a run
// because others have used up the memory it shares with them.
const smallestRun = 64 << 10

func (s *sorter) mustSpill() bool {
	return s.acc.full() || s.acc.parent != nil && s.acc.held > smallestRun && s.acc.parent.full()
}

// sortRows sorts what is in memory. A cancelled statement stops comparing.
func (s *sorter) sortRows() error {
	slices.SortStableFunc(s.rows, func(a, b sorted) int {
		if s.stop != nil {
			return 0
		}
		if s.q.ticks++; s.q.ticks%checkEvery == 0 && s.q.ctx.Err() != nil {
			s.stop = context.Cause(s.q.ctx)
		}
		return compareKeys(s.keys, a.keys, b.keys)
	})
	return s.stop
}

func (s *sorter) writeRun() error {
	if err := s.sortRows(); err != nil {
		return err
	}
	switch {
	case s.file != nil:
	case s.spillTo != nil:
		s.file = s.spillTo()
	default:
		s.file = s.q.newSpillFile()
	}
	t := s.file.newTape(len(s.rows[0].keys) + len(s.rows[0].row))
	var buf types.Row
	for _, r := range s.rows {
		buf = append(append(buf[:0], r.keys...), r.row...)
		if err := t.add(buf); err != nil {
			return err
		}
	}
	s.runs = append(s.runs, t)
	clear(s.rows)
	s.rows, s.a.chunk = s.rows[:0], nil
	s.acc.release()
	return t.flush()
}

// begin ends the adding of rows.
func (s *sorter) begin() error {
	s.begun = true
	if len(s.runs) == 0 {
		return s.sortRows()
	}
	if len(s.rows) > 0 {
		if err := s.writeRun(); err != nil {
			return err
		}
	}
	s.rows = nil
	for fan := s.fanIn(); len(s.runs) > fan; {
		var merged []*tape
		for group := range slices.Chunk(s.runs, fan) {
			t, err := s.mergeRuns(group)
			if err != nil {
				return err
			}
			merged = append(merged, t)
		}
		s.runs = merged
	}
	return s.open(s.runs)
}

// fanIn is how many runs are merged at a time: a block of each is in memory.
func (s *sorter) fanIn() int { return int(min(max(s.acc.limit/blockBytes, 8), 128)) }

func (s *sorter) mergeRuns(runs []*tape) (*tape, error) {
	if len(runs) == 1 {
		return runs[0], nil
	}
	if err := s.open(runs); err != nil {
		return nil, err
	}
	t := s.file.newTape(runs[0].width)
	for {
		row, err := s.heap.next()
		if err != nil {
			return nil, err
		}
		if row == nil {
			return t, t.flush()
		}
		if err := t.add(row); err != nil {
			return nil, err
		}
	}
}

func (s *sorter) open(runs []*tape) error {
	s.heap = mergeHeap{keys: s.keys}
	for i, t := range runs {
		r := t.reader()
		row, err := r.next()
		if err != nil {
			return err
		}
		if row != nil {
			s.heap.runs = append(s.heap.runs, mergeRun{r: r, row: row, n: i})
		}
	}
	heap.Init(&s.heap)
	return nil
}

// next returns the next row and its keys, nil at the end. They live until the
// following next.
func (s *sorter) next() (keys, row types.Row, err error) {
	if !s.begun {
		if err := s.begin(); err != nil {
			return nil, nil, err
		}
	}
	if len(s.runs) > 0 {
		row, err := s.heap.next()
		if err != nil || row == nil {
			return nil, nil, err
		}
		n := len(s.keys)
		return row[:n:n], row[n:], nil
	}
	if s.at == len(s.rows) {
		return nil, nil, nil
	}
	r := &s.rows[s.at]
	s.at++
	return r.keys, r.row, nil
}

// diskBytes is what the runs have written.
func (s *sorter) diskBytes() int64 {
	if s.file == nil {
		return 0
	}
	return s.file.size
}

// forget gives the memory back.
func (s *sorter) forget() {
	s.acc.release()
	s.rows, s.a.chunk, s.runs, s.heap, s.begun = nil, nil, nil, mergeHeap{}, true
}

// mergeHeap has the run with the first row at its root.
type mergeHeap struct {
	keys []plan.SortKey
	runs []mergeRun
	used bool // the root's row was handed out
}

type mergeRun struct {
	r   *tapeReader
	row types.Row
	n   int
}

func (h *mergeHeap) next() (types.Row, error) {
	if h.used {
		h.used = false
		top := &h.runs[0]
		var err error
		if top.row, err = top.r.next(); err != nil {
			return nil, err
		}
		if top.row == nil {
			heap.Pop(h)
		} else {
			heap.Fix(h, 0)
		}
	}
	if len(h.runs) == 0 {
		return nil, nil
	}
	h.used = true
	return h.runs[0].row, nil
}

func (h *mergeHeap) Len() int { return len(h.runs) }

func (h *mergeHeap) Less(i, j int) bool {
	if c := compareKeys(h.keys, h.runs[i].row, h.runs[j].row); c != 0 {
		return c < 0
	}
	return h.runs[i].n < h.runs[j].n
}

func (h *mergeHeap) Swap(i, j int) { h.runs[i], h.runs[j] = h.runs[j], h.runs[i] }
func (h *mergeHeap) Push(x any)    { h.runs = append(h.runs, x.(mergeRun)) }

func (h *mergeHeap) Pop() any {
	last := h.runs[len(h.runs)-1]
	h.runs = h.runs[:len(h.runs)-1]
	return last
}
