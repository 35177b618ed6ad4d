package geom

import (
	"math"

	"github.com/golang/geo/r3"
	"github.com/golang/geo/s1"
	"github.com/golang/geo/s2"
)

// sphereShape is a geometry on the unit sphere that carries geodetic longitude and
// latitude: edges are great circles, as PostGIS takes them for geographies. Built once
// per geometry, then shared and never changed.
type sphereShape struct {
	lonLat []LonLat   // vertices of all paths
	points []s2.Point // the same on the sphere
	edges  edgeTree[sphereBox, *sphereBox]
	areas  []sphereArea
}

// newSphereShape takes g apart. The result has no edges when g is empty; ok is false
// when a coordinate is not finite or a latitude is out of range.
func newSphereShape(g *Geometry) (s *sphereShape, ok bool) {
	s = &sphereShape{}
	var edges []edge
	if !s.add(g, &edges) {
		return nil, false
	}
	s.edges = newEdgeTree[sphereBox](edges, func(e edge) sphereBox {
		return arcBox(s.points[e.a].Vector, s.points[e.b].Vector)
	})
	return s, true
}

func (s *sphereShape) add(g *Geometry, edges *[]edge) bool {
	if g.empty {
		return true
	}
	stride := g.dims.Stride()
	switch g.kind {
	case Point:
		return s.addPath(g.p[:stride], stride, edges)
	case LineString:
		return s.addPath(g.s.coords, stride, edges)
	case Polygon:
		first := len(s.points)
		var rings [][]s2.Point
		for i := range g.s.ends {
			start := len(s.points)
			if !s.addPath(g.Ring(i), stride, edges) {
				return false
			}
			rings = append(rings, s.points[start:len(s.points):len(s.points)])
		}
		s.areas = append(s.areas, newSphereArea(rings, s.points[first:]))
		return true
	}
	for _, p := range g.s.parts {
		if !s.add(p, edges) {
			return false
		}
	}
	return true
}

func (s *sphereShape) addPath(coords []float64, stride int, edges *[]edge) bool {
	first := int32(len(s.points))
	for i := 0; i < len(coords); i += stride {
		p := LonLat{LonDeg: coords[i], LatDeg: coords[i+1]}
		if !isFinite(p.LonDeg) || !(p.LatDeg >= -90 && p.LatDeg <= 90) {
			return false
		}
		p = p.wrapped()
		s.lonLat = append(s.lonLat, p)
		s.points = append(s.points, spherePoint(p))
	}
	last := int32(len(s.points)) - 1
	if first == last {
		*edges = append(*edges, edge{first, first})
		return true
	}
	for v := first; v < last; v++ {
		*edges = append(*edges, edge{v, v + 1})
	}
	return true
}

// spherePoint maps geodetic longitude and latitude to the unit sphere.
func spherePoint(p LonLat) s2.Point {
	return s2.PointFromLatLng(s2.LatLng{Lat: s1.Angle(p.LatDeg * radPerDeg), Lng: s1.Angle(p.LonDeg * radPerDeg)})
}

func sphereLonLat(p s2.Point) LonLat {
	ll := s2.LatLngFromPoint(p)
	return LonLat{LonDeg: float64(ll.Lng) / radPerDeg, LatDeg: float64(ll.Lat) / radPerDeg}
}

// sphereArea tells inside from outside of a polygon on the sphere. Whatever the winding
// of a ring, its inside is the smaller side.
//
// Within a hemisphere the gnomonic projection makes great circles straight lines, so a
// polygon that fits becomes a planar one; larger ones are left to s2.
type sphereArea struct {
	center, u, v r3.Vector // the projection
	minCos       float64   // of the angle between center and any vertex
	rings        []ringIndex
	loops        []*s2.Loop // instead of rings
}

// hemisphereCos is how far from the horizon of the projection vertices must stay.
const hemisphereCos = 0.1

func newSphereArea(rings [][]s2.Point, all []s2.Point) sphereArea {
	var sum r3.Vector
	for _, p := range all {
		sum = sum.Add(p.Vector)
	}
	a := sphereArea{minCos: -1}
	if sum.Norm() > 1e-9 {
		a.center = sum.Normalize()
		a.minCos = 1
		for _, p := range all {
			a.minCos = min(a.minCos, p.Dot(a.center))
		}
	}
	if a.minCos < hemisphereCos {
		for _, r := range rings {
			if l := smallLoop(r); l != nil {
				a.loops = append(a.loops, l)
			} else if len(a.loops) == 0 { // a shell without inside has no holes
				break
			}
		}
		return a
	}
	a.u = a.center.Ortho()
	a.v = a.center.Cross(a.u)
	for _, r := range rings {
		xy := make([]float64, 0, 2*len(r))
		for _, p := range r {
			x, y := a.project(p.Vector)
			xy = append(xy, x, y)
		}
		if r[0] != r[len(r)-1] { // an open ring counts as closed; 180 and -180 differ by rounding
			xy = append(xy, xy[0], xy[1])
		}
		a.rings = append(a.rings, makeRingIndex(xy, 2, true))
	}
	return a
}

// smallLoop is the loop of a closed ring with the smaller side as its inside; nil for a
// ring without area.
func smallLoop(ring []s2.Point) *s2.Loop {
	var vs []s2.Point
	for i, p := range ring {
		if i == 0 || p != vs[len(vs)-1] {
			vs = append(vs, p)
		}
	}
	for len(vs) > 1 && vs[0] == vs[len(vs)-1] {
		vs = vs[:len(vs)-1]
	}
	if len(vs) < 3 {
		return nil
	}
	l := s2.LoopFromPoints(vs)
	if l.IsNormalized() {
		return l
	}
	back := make([]s2.Point, len(vs))
	for i, p := range vs {
		back[len(vs)-1-i] = p
	}
	return s2.LoopFromPoints(back)
}

func (a *sphereArea) project(p r3.Vector) (x, y float64) {
	w := p.Dot(a.center)
	return p.Dot(a.u) / w, p.Dot(a.v) / w
}

// contains reports whether p lies inside; on a boundary it may say either, which the
// distance to the edge, 0, decides.
func (a *sphereArea) contains(p s2.Point) bool {
	if len(a.loops) > 0 {
		if !a.loops[0].ContainsPoint(p) {
			return false
		}
		for _, hole := range a.loops[1:] {
			if hole.ContainsPoint(p) {
				return false
			}
		}
		return true
	}
	// Edges between vertices within an angle of the center stay within it.
	if len(a.rings) == 0 || p.Dot(a.center) < a.minCos-1e-12 {
		return false
	}
	x, y := a.project(p.Vector)
	if a.rings[0].locate(x, y) == exterior {
		return false
	}
	for i := range a.rings[1:] {
		if a.rings[i+1].locate(x, y) == interior {
			return false
		}
	}
	return true
}

// contains reports whether p lies inside a polygon of s.
func (s *sphereShape) contains(p s2.Point) bool {
	for i := range s.areas {
		if s.areas[i].contains(p) {
			return true
		}
	}
	return false
}

// chord2 is the squared chord between two points, as s1.ChordAngle counts.
func chord2(a, b r3.Vector) float64 {
	d := a.Sub(b)
	return d.Dot(d)
}

// sphereBox is a box in space round edges.
type sphereBox struct{ lo, hi r3.Vector }

// arcBox bounds the arc from a to b: its points lie no farther from the chord than 1 -
// cos(half the angle).
func arcBox(a, b r3.Vector) sphereBox {
	bulge := 1 - math.Sqrt(max(0, 1-chord2(a, b)/4)) + 1e-15
	return sphereBox{
		lo: r3.Vector{X: min(a.X, b.X) - bulge, Y: min(a.Y, b.Y) - bulge, Z: min(a.Z, b.Z) - bulge},
		hi: r3.Vector{X: max(a.X, b.X) + bulge, Y: max(a.Y, b.Y) + bulge, Z: max(a.Z, b.Z) + bulge},
	}
}

func (b *sphereBox) join(o *sphereBox) {
	b.lo = r3.Vector{X: min(b.lo.X, o.lo.X), Y: min(b.lo.Y, o.lo.Y), Z: min(b.lo.Z, o.lo.Z)}
	b.hi = r3.Vector{X: max(b.hi.X, o.hi.X), Y: max(b.hi.Y, o.hi.Y), Z: max(b.hi.Z, o.hi.Z)}
}

// apart2 is a lower bound of the squared chord between what is in two boxes.
func (b *sphereBox) apart2(o *sphereBox) float64 {
	x := max(0, b.lo.X-o.hi.X, o.lo.X-b.hi.X)
	y := max(0, b.lo.Y-o.hi.Y, o.lo.Y-b.hi.Y)
	z := max(0, b.lo.Z-o.hi.Z, o.lo.Z-b.hi.Z)
	return x*x + y*y + z*z
}
