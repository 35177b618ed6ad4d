package exec

import (
	"cmp"
	"math"
	"slices"

	"raisind/geom"
	"raisind/spatialidx"
	"raisind/sql/plan"
	"raisind/storage"
)

// metresPerDegree is about what a degree of latitude measures.
const metresPerDegree = 111_000

// nearestPlanar is nearestByCells for distances in degrees: squares around the centre,
// each proven up to half its side, in place of circles. What lies beyond longitude and
// latitude is in the wide list, which every square reads.
func (s *spatialScan) nearestPlanar(own []neighbour) (kept []neighbour, whole bool, err error) {
	k := float64(s.d.Count)
	reach := min(1000*1.5*math.Sqrt(k/(math.Pi*firstDensityPerKm2))/metresPerDegree, 360)
	known := map[storage.RowID]bool{}
	for {
		box := geom.Box{
			MinX: max(s.d.Box.MinX-reach, geom.World.MinX), MinY: max(s.d.Box.MinY-reach, geom.World.MinY),
			MaxX: min(s.d.Box.MaxX+reach, geom.World.MaxX), MaxY: min(s.d.Box.MaxY+reach, geom.World.MaxY),
		}
		whole = box.Contains(geom.World)
		cover, _, ok := plan.ChooseBox(s.d.State.Precisions, s.d.State.Rows, box)
		if !ok {
			return nil, false, errNotCovered
		}
		s.d.Cover = cover
		// The sides were rounded: what is a hair nearer than they are is certain.
		proven := reach * (1 - 1e-9)
		all, err := s.inSquare(cover, box, whole, proven)
		if err != nil {
			return nil, false, err
		}
		for _, o := range own {
			if whole || o.distM <= proven {
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
		reach = min(reach*grow, 360)
	}
}

// inSquare returns what lies within proven of the centre with its distances in
// degrees, each row once; with whole everything.
func (s *spatialScan) inSquare(cover spatialidx.Cover, box geom.Box, whole bool, proven float64) ([]neighbour, error) {
	var all []neighbour
	var shapes []storage.RowID
	err := s.scan(cover, func(row storage.RowID, e spatialidx.Entry) {
		switch {
		case e.Point && s.d.PointCenter && e.P.Valid() && s.d.Center.SRID() == s.n.PointSRID:
			// As ST_Distance: the root of the sum of squares.
			dx, dy := s.d.CenterP.LonDeg-e.P.LonDeg, s.d.CenterP.LatDeg-e.P.LatDeg
			if d := math.Sqrt(dx*dx + dy*dy); whole || d <= proven {
				all = append(all, neighbour{row, d})
			}
		case whole || e.Point || e.Box.Empty() || e.Box.Intersects(box):
			shapes = append(shapes, row)
		}
	})
	if err != nil {
		return nil, err
	}
	s.stats.Candidates += int64(len(all) + len(shapes))
	if all, err = s.measureShapes(all, shapes, whole, proven); err != nil {
		return nil, err
	}
	slices.SortFunc(all, func(a, b neighbour) int { return cmp.Compare(a.row, b.row) })
	return slices.CompactFunc(all, func(a, b neighbour) bool { return a.row == b.row }), nil
}
