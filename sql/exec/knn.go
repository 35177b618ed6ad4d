package exec

import (
	"cmp"
	"errors"
	"math"
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

// A KnnScan works in these steps:
//
//  1. Scan the cells of a circle around the centre; the first circle is one that
//     would hold the rows wanted in a town.
//  2. Of what lies within the circle, nearest first, keep the rows that pass the
//     filter, until as many as wanted are kept, and all tied with the last.
//  3. Enough kept: their distances are proven, for whatever lies outside the circle
//     is farther than all of them. Else take a larger circle, up to the whole Earth.
//  4. Still too few: rows without a distance follow, all of them, since they are
//     tied with each other.
//
// When no precision covers a circle within the cell budget, or a cell is over its
// own, the rows are read one by one instead and the nearest kept.

// halfEarthM is above the length of any geodesic of the WGS 84 ellipsoid, in metres.
const halfEarthM = 20_004_000

// firstDensityPerKm2 is how many rows the first circle expects on a square kilometre.
const firstDensityPerKm2 = 28

// neighbour is a row with its distance in metres.
type neighbour struct {
	row   storage.RowID
	distM float64
}

func byDistance(a, b neighbour) int {
	return cmp.Or(cmp.Compare(a.distM, b.distM), cmp.Compare(a.row, b.row))
}

func (s *spatialScan) openKnn() (iter, error) {
	if s.d.Count == 0 {
		return &rowsIter{}, nil
	}
	if s.n.Distance == nil {
		return nil, pgerr.New(pgerr.InternalError, "nearest rows without a distance to sort by")
	}
	if s.d.NotUsed != nil {
		return s.nearestByRows()
	}
	near, whole, err := s.nearestByCells()
	switch {
	case errors.Is(err, storage.ErrCellBudget):
		s.fallBack(plan.ReasonCellBudget)
		return s.nearestByRows()
	case errors.Is(err, errNotCovered):
		s.fallBack(plan.ReasonRadiusNotCovered)
		return s.nearestByRows()
	case err != nil:
		return nil, err
	}
	return &knnIter{s: s, near: near, rest: whole && int64(len(near)) < s.d.Count}, nil
}

// errNotCovered tells that a circle needs more cells than a scan may visit.
var errNotCovered = errors.New("circle not covered")

// nearestByCells runs steps 1 to 3; whole tells that the whole Earth was searched.
func (s *spatialScan) nearestByCells() (kept []neighbour, whole bool, err error) {
	own, err := s.ownNeighbours()
	if err != nil {
		return nil, false, err
	}
	if s.n.Planar {
		return s.nearestPlanar(own)
	}
	k := float64(s.d.Count)
	s.d.RadiusM = min(1000*1.5*math.Sqrt(k/(math.Pi*firstDensityPerKm2)), halfEarthM)
	known := map[storage.RowID]bool{} // whether a row passed the filter
	for {
		whole = s.d.RadiusM >= halfEarthM
		cover, _, ok := plan.ChooseCircle(s.d.State.Precisions, s.d.State.Rows, s.d.CenterP, s.d.RadiusM)
		if !ok {
			return nil, false, errNotCovered
		}
		s.d.Cover = cover
		all, err := s.inCircle(cover, whole)
		if err != nil {
			return nil, false, err
		}
		for _, o := range own {
			if whole || o.distM <= s.provenM() {
				all = append(all, o)
			}
		}
		slices.SortFunc(all, byDistance)
		if kept, err = s.passing(all, known); err != nil {
			return nil, false, err
		}
		if whole || int64(len(kept)) >= s.d.Count {
			return kept, whole, nil
		}
		grow := 8.0
		if n := float64(len(kept)); n > 0 {
			grow = min(max(1.3*math.Sqrt(k/n), 2), 8)
		}
		s.d.RadiusM = min(s.d.RadiusM*grow, halfEarthM)
	}
}

// provenM is the distance up to which the circle certainly holds every row. The
// statement may ask for a distance that is rounded or of the sphere: it is off from
// the geodesic by less than what is taken off here.
func (s *spatialScan) provenM() float64 {
	if s.d.Exact {
		return s.d.RadiusM
	}
	return (s.d.RadiusM - 0.001) / 1.01
}

// inCircle returns what lies within the circle with its distances, each row once.
func (s *spatialScan) inCircle(cover spatialidx.Cover, whole bool) ([]neighbour, error) {
	var all []neighbour
	var shapes []storage.RowID
	circle := geom.NewCircle(s.d.CenterP, s.d.RadiusM)
	err := s.scan(cover, func(row storage.RowID, e spatialidx.Entry) {
		switch {
		case e.Point && s.d.Exact && e.P.Valid():
			if whole || circle.Contains(e.P) {
				all = append(all, neighbour{row, geom.GeodesicM(s.d.CenterP, e.P)})
			}
		case whole || !(e.MinDistanceM(s.d.CenterP) > s.d.RadiusM):
			shapes = append(shapes, row)
		}
	})
	if err != nil {
		return nil, err
	}
	s.stats.Candidates += int64(len(all) + len(shapes))
	if all, err = s.measureShapes(all, shapes, whole, s.provenM()); err != nil {
		return nil, err
	}
	// A row whose shape became a point may have a stale entry of the shape: both tell
	// the same distance.
	slices.SortFunc(all, func(a, b neighbour) int { return cmp.Compare(a.row, b.row) })
	return slices.CompactFunc(all, func(a, b neighbour) bool { return a.row == b.row }), nil
}

// measureShapes adds rows whose distance only their value tells, those within proven.
func (s *spatialScan) measureShapes(all []neighbour, shapes []storage.RowID, whole bool, proven float64) ([]neighbour, error) {
	slices.Sort(shapes)
	for _, row := range slices.Compact(shapes) {
		if err := s.q.tick(); err != nil {
			return nil, err
		}
		value, _, ok, err := s.q.view.Peek(s.n.Rel.ID, row)
		if err != nil {
			return nil, err
		}
		if !ok {
			continue
		}
		s.stats.Rechecked++
		d, err := s.distanceFrom(value)
		if err != nil {
			return nil, err
		}
		if !d.IsNull() && (whole || d.Float() <= proven) {
			all = append(all, neighbour{row, d.Float()})
		}
	}
	return all, nil
}

// distanceFrom evaluates the distance of a stored row.
func (s *spatialScan) distanceFrom(value []byte) (types.Datum, error) {
	var err error
	if s.row, err = relation.DecodeRow(s.n.Rel, value, s.n.Need, s.row); err != nil {
		return types.Null, err
	}
	setExtras(s.n.Rel, s.row, 0, types.Null, 0)
	return s.n.Distance.Eval(s.ec, s.row)
}

// ownNeighbours are the transaction's own rows that have a distance.
func (s *spatialScan) ownNeighbours() ([]neighbour, error) {
	it := s.q.view.OwnRows(s.n.Rel.ID)
	defer it.Close()
	var own []neighbour
	for it.Next() {
		d, err := s.distanceFrom(it.Value())
		if err != nil {
			return nil, err
		}
		if !d.IsNull() {
			own = append(own, neighbour{it.RowID(), d.Float()})
		}
	}
	return own, it.Err()
}

// passing returns the first rows that pass the filter: as many as wanted and all
// tied with the last.
func (s *spatialScan) passing(all []neighbour, known map[storage.RowID]bool) ([]neighbour, error) {
	var kept []neighbour
	for _, n := range all {
		if int64(len(kept)) >= s.d.Count && n.distM > kept[len(kept)-1].distM {
			break
		}
		if s.n.Filter != nil {
			pass, seen := known[n.row]
			if !seen {
				if err := s.q.tick(); err != nil {
					return nil, err
				}
				value, rev, ok, err := s.q.view.Peek(s.n.Rel.ID, n.row)
				if err != nil {
					return nil, err
				}
				if pass = ok; ok {
					if s.row, err = relation.DecodeRow(s.n.Rel, value, s.n.Need, s.row); err != nil {
						return nil, err
					}
					setExtras(s.n.Rel, s.row, rev, types.Float(n.distM), n.row)
					if pass, err = expr.EvalBool(s.n.Filter, s.ec, s.row); err != nil {
						return nil, err
					}
				}
				if !pass {
					s.stats.RemovedByFilter++
				}
				known[n.row] = pass
			}
			if !pass {
				continue
			}
		}
		kept = append(kept, n)
	}
	return kept, nil
}

// nearestByRows reads every row and keeps the nearest.
func (s *spatialScan) nearestByRows() (iter, error) {
	scan := s.rowScan(nil)
	defer scan.close()
	var near []neighbour
	bound := math.Inf(1) // rows farther than this are not among the nearest
	full := math.MaxInt  // how many to gather before the farthest are thrown away
	if s.d.Count < math.MaxInt32 {
		full = 2*int(s.d.Count) + 1024
	}
	for {
		row, err := scan.next()
		if err != nil {
			return nil, err
		}
		if row == nil {
			break
		}
		x := row[len(s.n.Rel.Columns):]
		d := x[plan.ExtraDistance]
		if d.IsNull() || d.Float() > bound {
			continue
		}
		if err := s.q.hold(16); err != nil {
			return nil, err
		}
		near = append(near, neighbour{storage.RowID(x[plan.ExtraRowID].Int()), d.Float()})
		if len(near) >= full {
			near, bound = s.nearest(near)
			full = max(full, 2*len(near)) // many may be tied
		}
	}
	near, _ = s.nearest(near)
	return &knnIter{s: s, near: near, rest: int64(len(near)) < s.d.Count}, nil
}

// nearest sorts and cuts behind the last row wanted and those tied with it; bound is
// that row's distance, infinite while there are fewer.
func (s *spatialScan) nearest(near []neighbour) (kept []neighbour, bound float64) {
	slices.SortFunc(near, byDistance)
	if int64(len(near)) < s.d.Count {
		return near, math.Inf(1)
	}
	bound = near[s.d.Count-1].distM
	n := int(s.d.Count)
	for n < len(near) && near[n].distM == bound {
		n++
	}
	return near[:n], bound
}

// knnIter yields the neighbours, then with rest the rows that have no distance.
type knnIter struct {
	s    *spatialScan
	near []neighbour
	at   int
	rest bool
	scan *rowScan
	seen map[storage.RowID]bool
}

func (it *knnIter) next() (types.Row, error) {
	s := it.s
	for it.at < len(it.near) {
		n := it.near[it.at]
		it.at++
		value, rev, ok, err := s.q.view.Peek(s.n.Rel.ID, n.row)
		if err != nil {
			return nil, err
		}
		if !ok {
			continue
		}
		if s.row, err = relation.DecodeRow(s.n.Rel, value, s.n.Need, s.row); err != nil {
			return nil, err
		}
		distance := types.Float(n.distM)
		if s.n.Planar { // __distance counts in metres
			distance = types.Null
		}
		setExtras(s.n.Rel, s.row, rev, distance, n.row)
		return s.row, nil
	}
	if !it.rest {
		return nil, nil
	}
	if it.scan == nil {
		it.scan = s.rowScan(nil)
		it.seen = make(map[storage.RowID]bool, len(it.near))
		for _, n := range it.near {
			it.seen[n.row] = true
		}
	}
	for {
		row, err := it.scan.next()
		if err != nil || row == nil {
			return nil, err
		}
		if x := row[len(s.n.Rel.Columns):]; !it.seen[storage.RowID(x[plan.ExtraRowID].Int())] {
			return row, nil
		}
	}
}

func (it *knnIter) close() {
	if it.scan != nil {
		it.scan.close()
	}
}
