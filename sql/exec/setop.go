package exec

import (
	"raisind/sql/expr"
	"raisind/sql/plan"
	"raisind/sql/types"
)

// setOp combines two inputs. INTERSECT and EXCEPT read the right one first and keep
// how often each of its rows came.
type setOp struct {
	q           *Query
	n           *plan.SetOp
	left, right iter
	onRight     bool
	ready       bool
	seen        map[string]struct{} // rows yielded, unless ALL
	counts      map[string]int64    // rows of the right side not yet used up
	key         []byte
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
	return &setOp{q: q, n: n, left: left, right: right, seen: map[string]struct{}{}}, nil
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
		if err != nil || row == nil {
			return nil, err
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
			if s.onRight {
				return nil, nil
			}
			s.onRight = true
			continue
		}
		if s.n.All {
			return row, nil
		}
		if err := s.q.tick(); err != nil {
			return nil, err
		}
		s.key = appendRowKey(s.key[:0], s.n.Cols, row)
		fresh, err := s.q.addKey(s.seen, s.key)
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
		if s.counts[string(s.key)] == 0 {
			if err := s.q.hold(int64(len(s.key)) + mapEntryBytes); err != nil {
				return err
			}
		}
		s.counts[string(s.key)]++
	}
}

// keep tells whether a left row belongs to the result. With ALL a row comes as often
// as the counts of both sides allow.
func (s *setOp) keep(row types.Row) (bool, error) {
	if err := s.q.tick(); err != nil {
		return false, err
	}
	s.key = appendRowKey(s.key[:0], s.n.Cols, row)
	n := s.counts[string(s.key)]
	if s.n.All {
		if n > 0 {
			s.counts[string(s.key)] = n - 1
		}
		return (n > 0) == (s.n.Kind == plan.Intersect), nil
	}
	if (n > 0) != (s.n.Kind == plan.Intersect) {
		return false, nil
	}
	return s.q.addKey(s.seen, s.key)
}

func (s *setOp) close() {
	s.left.close()
	s.right.close()
}
