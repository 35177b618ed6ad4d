package geom

import (
	"math"

	"github.com/golang/geo/s2"
)

// GeodesicBox is a box in degrees of longitude and latitude that holds g both as planar
// shape and as geography: the arcs of its edges, which bend towards the poles and may
// cross the antimeridian, and the inside of its polygons, which may hold a pole. Where
// the longitudes do not make one interval it spans all of them. ok is false when g is
// empty or leaves longitude -180 to 180, latitude -90 to 90.
func GeodesicBox(g *Geometry) (box Box, ok bool) {
	box, ok = g.Box()
	if !ok || !World.Contains(box) || g.odd() {
		return Box{}, false
	}
	if g.kind == Point || g.kind == MultiPoint {
		return box, true
	}
	s, ok := g.sphere()
	if !ok {
		return Box{}, false
	}
	for i := 0; i < len(s.edges.edges); {
		// One path after another.
		bounder := s2.NewRectBounder()
		bounder.AddPoint(s.points[s.edges.edges[i].a])
		for first := i; i < len(s.edges.edges) && (i == first || s.edges.edges[i].a == s.edges.edges[i-1].b); i++ {
			if e := s.edges.edges[i]; e.a != e.b {
				bounder.AddPoint(s.points[e.b])
				if math.Abs(s.lonLat[e.a].LonDeg-s.lonLat[e.b].LonDeg) >= 180 {
					box.MinX, box.MaxX = -180, 180
				}
			}
		}
		r := bounder.RectBound()
		box.MinY = min(box.MinY, r.Lat.Lo/radPerDeg-boxSlackDeg)
		box.MaxY = max(box.MaxY, r.Lat.Hi/radPerDeg+boxSlackDeg)
	}
	north, south := s2.PointFromCoords(0, 0, 1), s2.PointFromCoords(0, 0, -1)
	if s.contains(north) {
		box.MinX, box.MaxX, box.MaxY = -180, 180, 90
	}
	if s.contains(south) {
		box.MinX, box.MaxX, box.MinY = -180, 180, -90
	}
	return Box{
		MinX: max(box.MinX, -180), MinY: max(box.MinY, -90),
		MaxX: min(box.MaxX, 180), MaxY: min(box.MaxY, 90),
	}, true
}

// boxSlackDeg covers the rounding between degrees and radians.
const boxSlackDeg = 1e-9
