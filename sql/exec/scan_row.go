package exec

import (
	"raisind/catalog"
	"raisind/relation"
	"raisind/sql/expr"
	"raisind/sql/plan"
	"raisind/sql/types"
	"raisind/storage"
)

// setExtras fills the columns behind a scan's own: __revision (NULL for what the
// transaction has not committed yet), __distance and the row id.
func setExtras(r *catalog.Relation, row types.Row, rev storage.Revision, distance types.Datum, id storage.RowID) {
	x := row[len(r.Columns):]
	x[plan.ExtraRevision] = types.Null
	if rev != 0 {
		x[plan.ExtraRevision] = types.Int(int64(rev))
	}
	x[plan.ExtraDistance] = distance
	x[plan.ExtraRowID] = types.Int(int64(id))
}

// rowScan reads the rows of a relation in row-id order.
type rowScan struct {
	q        *Query
	rel      *catalog.Relation
	need     []bool
	conds    []expr.Expr // all must hold; none is nil
	distance expr.Expr
	asOf     plan.AsOf
	ec       *expr.Ctx
	stats    *plan.Stats

	it   *storage.RowIter
	past *storage.View // of a historical scan; the query's own otherwise
	row  types.Row
	done bool
}

func (q *Query) newRowScan(n *plan.RowScan, ec *expr.Ctx) (iter, error) {
	if n.Reason != nil {
		q.rt.totals.rowScans[n.Reason.Reason].Add(1)
	}
	return &rowScan{
		q: q, rel: n.Rel, need: n.Need, conds: conditions(n.Filter), distance: n.Distance, asOf: n.AsOf,
		ec: ec, stats: q.stat(n), row: make(types.Row, len(n.Rel.Columns)+plan.ExtraColumns),
	}, nil
}

// conditions leaves out those that are nil.
func conditions(conds ...expr.Expr) []expr.Expr {
	var c []expr.Expr
	for _, e := range conds {
		if e != nil {
			c = append(c, e)
		}
	}
	return c
}

// holds evaluates conditions in order; NULL counts as false.
func holds(conds []expr.Expr, ec *expr.Ctx, row types.Row) (bool, error) {
	for _, c := range conds {
		if ok, err := expr.EvalBool(c, ec, row); !ok {
			return false, err
		}
	}
	return true, nil
}

func (s *rowScan) open() error {
	view := s.q.view
	if s.asOf.Revision != nil {
		d, err := s.asOf.Revision.Eval(s.ec, nil)
		if err != nil {
			return err
		}
		if d.IsNull() || d.Int() < 0 {
			s.done = true // __revision = NULL holds for no row, and nothing was before revision 0
			return nil
		}
		if s.past, err = s.q.opt.Txn.ViewAt(storage.Revision(d.Int())); err != nil {
			return err
		}
		s.past.Bind(s.q.ctx)
		view = s.past
	}
	if s.asOf.Versions {
		s.it = view.Versions(s.rel.ID)
	} else {
		s.it = view.Rows(s.rel.ID)
	}
	return nil
}

func (s *rowScan) next() (types.Row, error) {
	if s.it == nil && !s.done {
		if err := s.open(); err != nil {
			return nil, err
		}
	}
	for !s.done {
		if err := s.q.tick(); err != nil {
			return nil, err
		}
		if !s.it.Next() {
			s.done = true
			return nil, s.end()
		}
		var err error
		if s.row, err = relation.DecodeRow(s.rel, s.it.Value(), s.need, s.row); err != nil {
			return nil, err
		}
		setExtras(s.rel, s.row, s.it.Revision(), types.Null, s.it.RowID())
		if s.asOf.Revision != nil {
			// The whole query reads as of the revision it named, which is what its
			// condition on __revision then finds.
			d, err := s.asOf.Revision.Eval(s.ec, nil)
			if err != nil {
				return nil, err
			}
			s.row[len(s.rel.Columns)+plan.ExtraRevision] = d
		}
		ok, err := holds(s.conds, s.ec, s.row)
		if err != nil {
			return nil, err
		}
		if !ok {
			s.stats.RemovedByFilter++
			continue
		}
		if s.distance != nil {
			d, err := s.distance.Eval(s.ec, s.row)
			if err != nil {
				return nil, err
			}
			s.row[len(s.rel.Columns)+plan.ExtraDistance] = d
		}
		return s.row, nil
	}
	return nil, nil
}

// end takes the iterator's counters and reports how it ended.
func (s *rowScan) end() error {
	countReads(s.stats, s.it.Stats())
	err := s.it.Err()
	s.close()
	return err
}

func (s *rowScan) close() {
	if s.it != nil {
		s.it.Close()
		s.it = nil
		s.done = true
	}
	if s.past != nil {
		s.past.Close()
		s.past = nil
	}
}
