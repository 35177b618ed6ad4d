package exec

import (
	"cmp"
	"errors"
	"slices"

	"raisind/geom"
	"raisind/pgerr"
	"raisind/relation"
	"raisind/spatialidx"
	"raisind/sql/expr"
	"raisind/sql/plan"
	"raisind/sql/types"
	"raisind/storage"
)

// candidate is a row the index names.
type candidate struct {
	row storage.RowID
	p   geom.LonLat // where it is, when point
	// point tells that the row's geometry is the point p; decided that p alone
	// satisfies the predicate.
	point, decided bool
}

// spatialScan is what the scans of the index share: what was decided at the start,
// the row under work, and the way rows are fetched and checked.
type spatialScan struct {
	q     *Query
	n     *plan.SpatialScan
	ec    *expr.Ctx
	stats *plan.Stats
	d     plan.Decision
	row   types.Row
}

// newSpatialScan makes an iterator that decides when its first row is asked for.
func (q *Query) newSpatialScan(n *plan.SpatialScan, ec *expr.Ctx) (iter, error) {
	s := &spatialScan{q: q, n: n, ec: ec, stats: q.stat(n), row: make(types.Row, len(n.Rel.Columns)+plan.ExtraColumns)}
	return &decidingIter{open: s.open}, nil
}

// decidingIter makes its iterator when it is first used.
type decidingIter struct {
	open func() (iter, error)
	it   iter
}

func (d *decidingIter) next() (types.Row, error) {
	if d.it == nil {
		it, err := d.open()
		if err != nil {
			return nil, err
		}
		d.it = it
	}
	return d.it.next()
}

func (d *decidingIter) close() {
	if d.it != nil {
		d.it.close()
	}
}

func (s *spatialScan) open() (iter, error) {
	d, err := s.n.Decide(s.ec, s.q)
	if err != nil {
		return nil, err
	}
	s.d = d
	s.stats.Decided = &s.d
	if d.Never {
		return &rowsIter{}, nil
	}
	if d.NotUsed != nil {
		s.q.rt.totals.rowScans[d.NotUsed.Reason].Add(1)
	} else {
		s.q.rt.totals.scans[s.n.Kind].Add(1)
		s.notePruning()
	}
	if s.n.Kind == plan.KnnScan {
		return s.openKnn()
	}
	if d.NotUsed != nil {
		return s.rowScan(s.n.Predicate), nil
	}
	var all []candidate
	if s.n.Kind == plan.DistanceScan {
		all, err = s.withinRadius()
	} else {
		all, err = s.meetingBox()
	}
	if errors.Is(err, storage.ErrCellBudget) {
		s.fallBack(plan.ReasonCellBudget)
		return s.rowScan(s.n.Predicate), nil
	}
	if err != nil {
		return nil, err
	}
	return &candidateIter{s: s, all: all, own: s.q.view.OwnRows(s.n.Rel.ID)}, nil
}

// notePruning takes down, for EXPLAIN ANALYZE, how far pruning is behind.
func (s *spatialScan) notePruning() {
	if s.q.stats == nil {
		return
	}
	p := s.q.rt.DB.PruneStats()
	s.stats.Pruning = &plan.Pruning{On: p.Enabled, Waiting: p.Waiting, LagNanos: p.Behind.Nanoseconds()}
}

// rowScan answers from the rows; pred is nil when every row counts.
func (s *spatialScan) rowScan(pred expr.Expr) *rowScan {
	return &rowScan{
		q: s.q, rel: s.n.Rel, need: s.n.Need, conds: conditions(pred, s.n.Filter), distance: s.n.Distance,
		ec: s.ec, stats: s.stats, row: s.row,
	}
}

// fallBack records that a scan which had begun goes on as a row scan. Nothing has
// been yielded yet.
func (s *spatialScan) fallBack(reason plan.Reason) {
	s.stats.FellBack = &plan.NotUsed{Reason: reason, Relation: s.n.Rel.Name, Property: s.n.Property, RadiusM: s.d.RadiusM}
	s.q.rt.totals.rowScans[reason].Add(1)
	if reason != plan.ReasonCellBudget {
		return
	}
	if s.q.fellBack[s.n] {
		return // said before: the scan runs for many outer rows
	}
	if s.q.fellBack == nil {
		s.q.fellBack = map[*plan.SpatialScan]bool{}
	}
	s.q.fellBack[s.n] = true
	s.q.notice(pgerr.Notice("spatial index NOT USED for '%s'.'%s' (%s); applied per row", s.n.Rel.Name, s.n.Property, s.stats.FellBack))
	if log := s.q.rt.Logger; log != nil {
		log.Warn("spatial scan went on as a row scan", "relation", s.n.Rel.Name, "property", s.n.Property, "reason", s.stats.FellBack.String())
	}
}

// scan calls fn with every entry in the cover's cells, then with the rows of which
// not all geometries are in the index; entries of the latter rule out nothing.
func (s *spatialScan) scan(c spatialidx.Cover, fn func(row storage.RowID, e spatialidx.Entry)) error {
	s.stats.Precision = c.Precision
	s.stats.Cells += int64(c.Cells)
	s.stats.Ranges += int64(len(c.Ranges))
	ranges := make([]storage.CellRange, len(c.Ranges))
	for i, r := range c.Ranges {
		ranges[i] = storage.CellRange{First: uint64(r.First), Last: uint64(r.Last)}
	}
	err := s.scanList(s.d.State.Property, uint8(c.Precision), ranges, fn)
	if err != nil {
		return err
	}
	if prop, prec, ok := s.q.rt.Indexer.Overflow(s.n.Rel.ID); ok {
		return s.scanList(prop, prec, nil, fn)
	}
	return nil
}

func (s *spatialScan) scanList(prop storage.PropertyID, prec uint8, ranges []storage.CellRange, fn func(storage.RowID, spatialidx.Entry)) error {
	it := s.q.view.ScanSpatial(s.n.Rel.ID, prop, prec, ranges, storage.SpatialScan{Wide: true, MaxKeysPerCell: s.q.rt.maxKeysPerCell()})
	defer it.Close()
	for it.Next() {
		if err := s.q.tick(); err != nil {
			return err
		}
		e, err := spatialidx.DecodeEntry(it.Value())
		if err != nil {
			return errors.Join(storage.ErrCorrupt, err)
		}
		fn(it.RowID(), e)
	}
	countReads(s.stats, it.Stats())
	s.q.rt.totals.visited(it.Stats())
	return it.Err()
}

// withinRadius collects the rows of a DistanceScan.
func (s *spatialScan) withinRadius() ([]candidate, error) {
	var all []candidate
	circle := geom.NewCircle(s.d.CenterP, s.d.RadiusM)
	err := s.scan(s.d.Cover, func(row storage.RowID, e spatialidx.Entry) {
		c := candidate{row: row, p: e.P, point: e.Point}
		switch {
		case e.Point && s.d.Exact && e.P.Valid():
			if !circle.Contains(e.P) || s.n.Strict && geom.GeodesicM(s.d.CenterP, e.P) >= s.d.RadiusM {
				return
			}
			c.decided = true
		case e.MinDistanceM(s.d.CenterP) > s.d.RadiusM:
			return
		}
		all = append(all, c)
	})
	return s.byRow(all), err
}

// meetingBox collects the rows of a BoxScan.
func (s *spatialScan) meetingBox() ([]candidate, error) {
	var all []candidate
	err := s.scan(s.d.Cover, func(row storage.RowID, e spatialidx.Entry) {
		b := e.Box
		if e.Point {
			b = geom.Box{MinX: e.P.LonDeg, MinY: e.P.LatDeg, MaxX: e.P.LonDeg, MaxY: e.P.LatDeg}
		}
		if !b.Empty() && !b.Intersects(s.d.Box) {
			return
		}
		c := candidate{row: row, p: e.P, point: e.Point}
		if s.d.BoxPoints && e.Point && e.P.Valid() {
			if c.decided = true; s.n.Points == plan.PointInside && !s.inside(e.P) {
				return
			}
		}
		all = append(all, c)
	})
	return s.byRow(all), err
}

// inside reports whether a point is in the scan's box and not on its edge.
func (s *spatialScan) inside(p geom.LonLat) bool {
	b := &s.d.Box
	return p.LonDeg > b.MinX && p.LonDeg < b.MaxX && p.LatDeg > b.MinY && p.LatDeg < b.MaxY
}

// byRow sorts candidates by row, which is how rows lie in the store, and leaves each
// row in once. A row in several cells is undecided in some only when its list entry
// knows less, so the decided one is kept.
func (s *spatialScan) byRow(all []candidate) []candidate {
	slices.SortFunc(all, func(a, b candidate) int {
		if c := cmp.Compare(a.row, b.row); c != 0 || a.decided == b.decided {
			return c
		}
		if a.decided {
			return -1
		}
		return 1
	})
	all = slices.CompactFunc(all, func(a, b candidate) bool { return a.row == b.row })
	s.stats.Candidates += int64(len(all))
	s.q.rt.totals.candidates.Add(int64(len(all)))
	return all
}

// fetch reads a candidate's row into s.row; ok is false when it is not there or a
// condition does not hold.
func (s *spatialScan) fetch(c candidate) (ok bool, err error) {
	r := s.n.Rel
	if !s.n.NeedRow && c.decided && s.n.Filter == nil {
		setExtras(r, s.row, 0, s.distanceOf(c), c.row)
		return true, nil
	}
	value, rev, ok, err := s.q.view.Peek(r.ID, c.row)
	if err != nil || !ok {
		return false, err
	}
	return s.check(value, rev, c)
}

// check decodes a row and evaluates what the entry did not decide.
func (s *spatialScan) check(value []byte, rev storage.Revision, c candidate) (ok bool, err error) {
	r := s.n.Rel
	need := s.n.Need
	if c.decided && s.n.NeedOutput != nil {
		need = s.n.NeedOutput
	}
	if s.row, err = relation.DecodeRow(r, value, need, s.row); err != nil {
		return false, err
	}
	setExtras(r, s.row, rev, types.Null, c.row)
	if !c.decided && s.n.Predicate != nil {
		s.stats.Rechecked++
		if ok, err = expr.EvalBool(s.n.Predicate, s.ec, s.row); !ok {
			s.stats.RemovedByFilter++
			return false, err
		}
	}
	if s.n.Filter != nil {
		if ok, err = expr.EvalBool(s.n.Filter, s.ec, s.row); !ok {
			s.stats.RemovedByFilter++
			return false, err
		}
	}
	if s.n.Distance != nil {
		d := s.distanceOf(c)
		if d.IsNull() {
			if d, err = s.n.Distance.Eval(s.ec, s.row); err != nil {
				return false, err
			}
		}
		s.row[len(r.Columns)+plan.ExtraDistance] = d
	}
	return true, nil
}

// distanceOf is the distance the entry tells; NULL when it does not, or nobody asks.
func (s *spatialScan) distanceOf(c candidate) types.Datum {
	if s.n.Distance == nil || !c.point || !c.decided || !s.d.PointCenter || s.n.Kind == plan.BoxScan {
		return types.Null
	}
	return types.Float(geom.GeodesicM(s.d.CenterP, c.p))
}

// candidateIter yields the rows of the candidates, then the transaction's own rows,
// which the index does not hold yet.
type candidateIter struct {
	s   *spatialScan
	all []candidate
	at  int
	own *storage.RowIter
}

func (it *candidateIter) next() (types.Row, error) {
	for it.at < len(it.all) {
		if err := it.s.q.tick(); err != nil {
			return nil, err
		}
		c := it.all[it.at]
		it.at++
		if ok, err := it.s.fetch(c); err != nil {
			return nil, err
		} else if ok {
			return it.s.row, nil
		}
	}
	for it.own != nil {
		if !it.own.Next() {
			err := it.own.Err()
			it.close()
			return nil, err
		}
		ok, err := it.s.check(it.own.Value(), 0, candidate{row: it.own.RowID()})
		if err != nil {
			return nil, err
		}
		if ok {
			return it.s.row, nil
		}
	}
	return nil, nil
}

func (it *candidateIter) close() {
	if it.own != nil {
		it.own.Close()
		it.own = nil
	}
}
