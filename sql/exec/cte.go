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
	a    arena
	rows []types.Row
	done bool
}

// row returns row i, running the plan as far as needed; nil when there are fewer.
func (s *spool) row(i int) (types.Row, error) {
	for i >= len(s.rows) && !s.done {
		if s.it == nil {
			var err error
			if s.it, err = s.q.build(s.root, s.ec); err != nil {
				return nil, err
			}
		}
		row, err := s.it.next()
		if err != nil {
			return nil, err
		}
		if row == nil {
			s.close()
			break
		}
		if row, err = s.a.keep(row); err != nil {
			return nil, err
		}
		s.rows = append(s.rows, row)
	}
	if i >= len(s.rows) {
		return nil, nil
	}
	return s.rows[i], nil
}

func (s *spool) close() {
	s.done = true
	if s.it != nil {
		s.it.close()
		s.it = nil
	}
}

// openCTEs prepares the statement's WITH queries; none is run yet.
func (q *Query) openCTEs() {
	q.ctes = make([]*spool, len(q.st.CTEs))
	for i := range q.st.CTEs {
		q.ctes[i] = &spool{q: q, root: q.st.CTEs[i].Root, ec: q.ec, a: arena{q: q}}
	}
}

// finishCTEs runs those that change data to their ends, read or not.
func (q *Query) finishCTEs() error {
	for id, c := range q.ctes {
		if !q.st.CTEs[id].Modifies {
			continue
		}
		for {
			if row, err := c.row(len(c.rows)); err != nil {
				return err
			} else if row == nil {
				break
			}
		}
	}
	return nil
}

// cteScan reads a WITH query from its first row.
type cteScan struct {
	c  *spool
	at int
}

func (q *Query) newCTEScan(n *plan.CTEScan) (iter, error) {
	if n.Working {
		return &rowsIter{rows: q.working[n.ID]}, nil
	}
	return &cteScan{c: q.ctes[n.ID]}, nil
}

func (s *cteScan) next() (types.Row, error) {
	row, err := s.c.row(s.at)
	s.at++
	return row, err
}

func (s *cteScan) close() {}

// recursiveUnion yields its first term, then runs its second over the rows of the
// round before until a round yields nothing.
type recursiveUnion struct {
	q     *Query
	n     *plan.RecursiveUnion
	ec    *expr.Ctx
	it    iter
	a     arena
	round []types.Row         // rows of this round, the next one's input
	seen  map[string]struct{} // rows yielded, unless ALL
	key   []byte
}

func (q *Query) newRecursiveUnion(n *plan.RecursiveUnion, ec *expr.Ctx) (iter, error) {
	it, err := q.build(n.Initial, ec)
	if err != nil {
		return nil, err
	}
	if q.working == nil {
		q.working = map[int][]types.Row{}
	}
	return &recursiveUnion{q: q, n: n, ec: ec, it: it, a: arena{q: q}, seen: map[string]struct{}{}}, nil
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
			if len(r.round) == 0 {
				return nil, nil
			}
			r.q.working[r.n.ID], r.round = r.round, nil
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
		if row, err = r.a.keep(row); err != nil {
			return nil, err
		}
		r.round = append(r.round, row)
		return row, nil
	}
}

func (r *recursiveUnion) close() { r.it.close() }
