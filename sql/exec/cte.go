package exec

import (
	"raisind/sql/expr"
	"raisind/sql/plan"
	"raisind/sql/types"
)

// spool keeps the rows of a plan that several readers share. The plan runs once, as
// far as its readers ask.
type spool struct {
	q    *Query
	root plan.Node
	ec   *expr.Ctx
	it   iter
	rows *rowStore
	done bool
}

// grow adds the next row of the plan; false at its end.
func (s *spool) grow() (bool, error) {
	if s.done {
		return false, nil
	}
	if s.it == nil {
		var err error
		if s.it, err = s.q.build(s.root, s.ec); err != nil {
			return false, err
		}
	}
	row, err := s.it.next()
	if err != nil {
		return false, err
	}
	if row == nil {
		s.end()
		return false, nil
	}
	return true, s.rows.add(row)
}

// end closes the plan; the rows stay.
func (s *spool) end() {
	s.done = true
	if s.it != nil {
		s.it.close()
		s.it = nil
	}
}

func (s *spool) close() {
	s.end()
	s.rows.close()
}

// spoolReader reads a spool from its first row, running the plan as far as needed.
type spoolReader struct {
	s *spool
	r *storeReader
}

func (s *spool) reader() *spoolReader { return &spoolReader{s: s, r: s.rows.reader()} }

func (r *spoolReader) next() (types.Row, error) {
	if r.r.at == r.s.rows.len() {
		if more, err := r.s.grow(); err != nil || !more {
			return nil, err
		}
	}
	return r.r.next()
}

func (r *spoolReader) close() {}

func (q *Query) newSpool(root plan.Node, ec *expr.Ctx) *spool {
	return &spool{q: q, root: root, ec: ec, rows: q.newRowStore(len(root.Columns()))}
}

// openCTEs prepares the statement's WITH queries; none is run yet.
func (q *Query) openCTEs() {
	q.ctes = make([]*spool, len(q.st.CTEs))
	for i := range q.st.CTEs {
		q.ctes[i] = q.newSpool(q.st.CTEs[i].Root, q.ec)
	}
}

// finishCTEs runs those that change data to their ends, read or not.
func (q *Query) finishCTEs() error {
	for id, c := range q.ctes {
		if !q.st.CTEs[id].Modifies {
			continue
		}
		for {
			if more, err := c.grow(); err != nil {
				return err
			} else if !more {
				break
			}
		}
	}
	return nil
}

// newCTEScan reads a WITH query from its first row.
func (q *Query) newCTEScan(n *plan.CTEScan) (iter, error) {
	if n.Working {
		if w := q.working[n.ID]; w != nil {
			return w.reader(), nil
		}
		return &rowsIter{}, nil
	}
	return q.ctes[n.ID].reader(), nil
}

// recursiveUnion yields its first term, then runs its second over the rows of the
// round before until a round yields nothing.
type recursiveUnion struct {
	q     *Query
	n     *plan.RecursiveUnion
	ec    *expr.Ctx
	it    iter
	round *rowStore           // rows of this round, the next one's input
	seen  map[string]struct{} // rows yielded, unless ALL
	key   []byte
}

func (q *Query) newRecursiveUnion(n *plan.RecursiveUnion, ec *expr.Ctx) (iter, error) {
	it, err := q.build(n.Initial, ec)
	if err != nil {
		return nil, err
	}
	if q.working == nil {
		q.working = map[int]*rowStore{}
	}
	return &recursiveUnion{q: q, n: n, ec: ec, it: it, round: q.newRowStore(len(n.Cols)), seen: map[string]struct{}{}}, nil
}

func (r *recursiveUnion) next() (types.Row, error) {
	for {
		if err := r.q.tick(); err != nil {
			return nil, err
		}
		row, err := r.it.next()
		if err != nil {
			return nil, err
		}
		if row == nil {
			r.it.close()
			if r.round.len() == 0 {
				return nil, nil
			}
			if before := r.q.working[r.n.ID]; before != nil {
				before.close()
			}
			r.q.working[r.n.ID], r.round = r.round, r.q.newRowStore(len(r.n.Cols))
			if r.it, err = r.q.build(r.n.Next, r.ec); err != nil {
				return nil, err
			}
			continue
		}
		if !r.n.All {
			r.key = appendRowKey(r.key[:0], r.n.Cols, row)
			fresh, err := r.q.addKey(r.seen, r.key)
			if err != nil {
				return nil, err
			}
			if !fresh {
				continue
			}
		}
		return row, r.round.add(row)
	}
}

func (r *recursiveUnion) close() {
	r.it.close()
	r.round.close()
	if w := r.q.working[r.n.ID]; w != nil {
		w.close()
		delete(r.q.working, r.n.ID)
	}
}
