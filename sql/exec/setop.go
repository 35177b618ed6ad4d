package exec

import (
	"raisind/sql/expr"
	"raisind/sql/plan"
	"raisind/sql/types"
)

// setOp combines two inputs. INTERSECT and EXCEPT read the right one first and keep
// how often each of its rows came. When memory is full, both inputs are split on disk
// by their rows, and each part is combined by itself.
type setOp struct {
	q           *Query
	n           *plan.SetOp
	stats       *plan.Stats
	left, right iter
	onRight     bool
	ready       bool
	seen        *deduper         // rows yielded; of UNION and EXCEPT without ALL
	acc         account          // of counts
	counts      map[string]int64 // rows of the right side not yet used up
	key         []byte
	file        *spillFile
	parts       []setParts
	level       int
}

// setParts are rows of both sides that were put aside: left ones as they are, right
// ones as their keys and how often each came.
type setParts struct {
	left, right *tape
	level       int
}

func (q *Query) newSetOp(n *plan.SetOp, ec *expr.Ctx) (iter, error) {
	left, err := q.build(n.Left, ec)
	if err != nil {
		return nil, err
	}
	right, err := q.build(n.Right, ec)
	if err != nil {
		left.close()
		return nil, err
	}
	stats := q.stat(n)
	return &setOp{q: q, n: n, stats: stats, left: left, right: right, seen: q.newDeduper(stats), acc: q.hashMemory()}, nil
}

func (s *setOp) next() (types.Row, error) {
	if s.n.Kind == plan.Union {
		return s.union()
	}
	if !s.ready {
		if err := s.count(); err != nil {
			return nil, err
		}
		s.ready = true
	}
	for {
		row, err := s.left.next()
		if err != nil {
			return nil, err
		}
		if row == nil {
			more, err := s.nextPart()
			if err != nil || !more {
				return nil, err
			}
			continue
		}
		ok, err := s.keep(row)
		if err != nil {
			return nil, err
		}
		if ok {
			return row, nil
		}
	}
}

func (s *setOp) union() (types.Row, error) {
	for {
		side := s.left
		if s.onRight {
			side = s.right
		}
		row, err := side.next()
		if err != nil {
			return nil, err
		}
		if row == nil {
			if !s.onRight {
				s.onRight = true
				continue
			}
			if s.n.All {
				return nil, nil
			}
			more, err := s.seen.rest()
			if err != nil || more == nil {
				return nil, err
			}
			s.right.close()
			s.right = more
			continue
		}
		if s.n.All {
			return row, nil
		}
		if err := s.q.tick(); err != nil {
			return nil, err
		}
		s.key = appendRowKey(s.key[:0], s.n.Cols, row)
		fresh, err := s.seen.fresh(s.key, row)
		if err != nil {
			return nil, err
		}
		if fresh {
			return row, nil
		}
	}
}

// count reads the right side.
func (s *setOp) count() error {
	s.counts = map[string]int64{}
	for {
		row, err := s.right.next()
		if err != nil || row == nil {
			return err
		}
		if err := s.q.tick(); err != nil {
			return err
		}
		s.key = appendRowKey(s.key[:0], s.n.Cols, row)
		if err := s.add(1); err != nil {
			return err
		}
		if s.acc.full() {
			return s.split()
		}
	}
}

// add counts s.key n times more.
func (s *setOp) add(n int64) error {
	before, ok := s.counts[string(s.key)]
	if !ok {
		if err := s.acc.take(int64(len(s.key)) + mapEntryBytes); err != nil {
			return err
		}
	}
	s.counts[string(s.key)] = before + n
	return nil
}

// split puts aside what was counted and what is left of both sides.
func (s *setOp) split() error {
	if s.file == nil {
		s.file = s.q.newSpillFile()
	}
	left, right := &partitions{level: s.level}, &partitions{level: s.level}
	counted := make(types.Row, 2)
	for key, n := range s.counts {
		counted[0], counted[1] = types.Str(key), types.Int(n)
		s.key = append(s.key[:0], key...)
		if err := right.add(s.file, right.of(s.key), counted); err != nil {
			return err
		}
	}
	s.forget()
	for _, side := range []struct {
		it iter
		p  *partitions
	}{{s.right, right}, {s.left, left}} {
		for {
			row, err := side.it.next()
			if err != nil {
				return err
			}
			if row == nil {
				break
			}
			if err := s.q.tick(); err != nil {
				return err
			}
			s.key = appendRowKey(s.key[:0], s.n.Cols, row)
			part := side.p.of(s.key)
			if side.p == right {
				counted[0], counted[1] = types.Str(string(s.key)), types.Int(1)
				row = counted
			}
			if err := side.p.add(s.file, part, row); err != nil {
				return err
			}
		}
		side.it.close()
	}
	s.left, s.right = &rowsIter{}, &rowsIter{}
	return s.list(left, right)
}

// list notes the parts of a split.
func (s *setOp) list(left, right *partitions) error {
	for i := range left.tapes {
		for _, t := range []*tape{left.tapes[i], right.tapes[i]} {
			if t != nil {
				if err := t.flush(); err != nil {
					return err
				}
				t.buf = nil
			}
		}
		if left.tapes[i] != nil {
			s.parts = append(s.parts, setParts{left.tapes[i], right.tapes[i], s.level + 1})
		}
	}
	return nil
}

func (s *setOp) forget() {
	s.stats.HashBytes = max(s.stats.HashBytes, s.acc.peak)
	s.acc.release()
	s.counts = map[string]int64{}
}

// nextPart begins a part that was put aside; false when none is left. A part whose
// right side does not fit into memory either is split once more, up to a depth at
// which splitting does not help.
func (s *setOp) nextPart() (bool, error) {
	for len(s.parts) > 0 {
		p := s.parts[len(s.parts)-1]
		s.parts = s.parts[:len(s.parts)-1]
		s.forget()
		s.left, s.level = p.left.reader(), p.level
		if p.right == nil {
			return true, nil
		}
		r := p.right.reader()
		for {
			row, err := r.next()
			if err != nil {
				return false, err
			}
			if row == nil {
				return true, nil
			}
			s.key = append(s.key[:0], row[0].Str()...)
			if err := s.add(row[1].Int()); err != nil {
				return false, err
			}
			if s.acc.full() && s.level < maxLevels {
				break
			}
		}
		if err := s.splitAgain(p, r); err != nil {
			return false, err
		}
	}
	return s.restOfSeen()
}

func (s *setOp) splitAgain(p setParts, counted iter) error {
	left, right := &partitions{level: s.level}, &partitions{level: s.level}
	entry := make(types.Row, 2)
	for key, n := range s.counts {
		entry[0], entry[1] = types.Str(key), types.Int(n)
		if err := right.add(s.file, right.of([]byte(key)), entry); err != nil {
			return err
		}
	}
	s.forget()
	for {
		row, err := counted.next()
		if err != nil {
			return err
		}
		if row == nil {
			break
		}
		if err := right.add(s.file, right.of([]byte(row[0].Str())), row); err != nil {
			return err
		}
	}
	for l := p.left.reader(); ; {
		row, err := l.next()
		if err != nil {
			return err
		}
		if row == nil {
			return s.list(left, right)
		}
		s.key = appendRowKey(s.key[:0], s.n.Cols, row)
		if err := left.add(s.file, left.of(s.key), row); err != nil {
			return err
		}
	}
}

// restOfSeen goes on with rows of EXCEPT that its memory of rows yielded had no room
// for: all of them belong to the result, each once.
func (s *setOp) restOfSeen() (bool, error) {
	if s.n.All || s.n.Kind != plan.Except {
		return false, nil
	}
	s.forget()
	more, err := s.seen.rest()
	if more != nil {
		s.left = more
	}
	return more != nil, err
}

// keep tells whether a left row belongs to the result. With ALL a row comes as often
// as the counts of both sides allow.
func (s *setOp) keep(row types.Row) (bool, error) {
	if err := s.q.tick(); err != nil {
		return false, err
	}
	s.key = appendRowKey(s.key[:0], s.n.Cols, row)
	n := s.counts[string(s.key)]
	switch {
	case s.n.All:
		if n > 0 {
			s.counts[string(s.key)] = n - 1
		}
		return (n > 0) == (s.n.Kind == plan.Intersect), nil
	case s.n.Kind == plan.Intersect:
		if n > 0 {
			s.counts[string(s.key)] = 0 // yielded
		}
		return n > 0, nil
	case n > 0:
		return false, nil
	}
	return s.seen.fresh(s.key, row)
}

func (s *setOp) close() {
	s.left.close()
	s.right.close()
	s.acc.release()
	s.counts, s.parts = nil, nil
	s.seen.close()
	if s.file != nil {
		s.file.close()
	}
}
