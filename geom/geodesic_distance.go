package geom

import (
	"math"

	"github.com/golang/geo/s1"
	"github.com/golang/geo/s2"
)

// GeodesicDistanceM is the distance in metres between the nearest places of a and b,
// read as geographies: edges are great circles in geodetic coordinates, the inside of a
// ring is its smaller side. As PostGIS does it, nearest places are found on the sphere
// and their distance is GeodesicM. Unlike PostGIS, where several pairs of edges are
// nearest within the difference of sphere and ellipsoid, each is measured and the
// smallest counts; so the distance to a multipoint is that to its nearest point. ok is
// false when a or b is empty or has a coordinate that is not finite or out of range.
func GeodesicDistanceM(a, b *Geometry) (distanceM float64, ok bool) {
	if p, isPoint := a.LonLat(); isPoint {
		if q, isPoint := b.LonLat(); isPoint {
			distanceM = GeodesicM(p, q)
			return distanceM, distanceM == distanceM
		}
	}
	if a.empty || b.empty {
		return 0, false
	}
	sa, okA := a.sphere()
	sb, okB := b.sphere()
	if !okA || !okB {
		return 0, false
	}
	return sa.distanceM(sb), true
}

// GeodesicDWithin reports whether a and b lie no farther apart than radiusM metres:
// exactly GeodesicDistanceM(a, b) <= radiusM; false where that has no distance.
func GeodesicDWithin(a, b *Geometry, radiusM float64) bool {
	if p, ok := a.LonLat(); ok {
		if q, ok := b.LonLat(); ok {
			return WithinM(p, q, radiusM)
		}
	}
	if a.empty || b.empty || !(radiusM >= 0) {
		return false
	}
	sa, okA := a.sphere()
	sb, okB := b.sphere()
	if !okA || !okB {
		return false
	}
	apart := s1.ChordAngle(min(4, sa.edges.top().distance2(sb.edges.top()))).Angle().Radians()
	if DistanceBoundM(apart) > radiusM && !sa.meets(sb) {
		return false
	}
	return sa.distanceM(sb) <= radiusM
}

// top is the box round all edges.
func (t *sphereTree) top() *sphereBox { return &t.levels[len(t.levels)-1][0] }

// meets reports whether a part of one shape lies in an area of the other.
func (s *sphereShape) meets(o *sphereShape) bool {
	return s.holdsAny(o) || o.holdsAny(s)
}

// holdsAny reports whether an area of s holds a vertex of o. When edges do not cross,
// which the caller sees by their distance, a path lies wholly inside or outside, so one
// vertex of each would do; the others cost little and settle doubtful boundaries.
func (s *sphereShape) holdsAny(o *sphereShape) bool {
	if len(s.areas) == 0 {
		return false
	}
	for i, e := range o.edges.edges {
		if i > 0 && e.a == o.edges.edges[i-1].b {
			continue // same path
		}
		if s.contains(o.points[e.a]) {
			return true
		}
	}
	return false
}

// edgePair is a place of a search through two trees.
type edgeSearch struct {
	a, b  *sphereShape
	best2 float64 // squared chord
	// visit is called with pairs of edges no farther apart than limit2, once it is set.
	limit2 float64
	visit  func(ea, eb sphereEdge)
}

// bandFactor is how much farther apart on the sphere a pair of places may be than the
// nearest one, and still be nearer on the ellipsoid.
const bandFactor = maxRadiusM / minRadiusM * (1 + 1e-9)

// maxCandidates bounds the pairs of edges measured on the ellipsoid; two long parallel
// lines have more, all alike.
const maxCandidates = 4096

func (s *sphereShape) distanceM(o *sphereShape) float64 {
	if s.meets(o) {
		return 0
	}
	search := edgeSearch{a: s, b: o, best2: math.Inf(1)}
	top, otop := len(s.edges.levels)-1, len(o.edges.levels)-1
	search.nearest(top, 0, otop, 0)
	if search.best2 == 0 {
		return 0
	}
	angle := s1.ChordAngle(min(search.best2, 4)).Angle().Radians()
	search.limit2 = 5 // more than any
	if limit := angle*bandFactor + 1e-15; limit < math.Pi {
		h := 2 * math.Sin(limit/2)
		search.limit2 = h*h*(1+1e-12) + 1e-30
	}
	best, n := math.Inf(1), 0
	search.visit = func(ea, eb sphereEdge) {
		if n++; n > maxCandidates {
			return
		}
		p, q := s2.EdgePairClosestPoints(s.points[ea.a], s.points[ea.b], o.points[eb.a], o.points[eb.b])
		if p == q {
			best = 0
			return
		}
		best = min(best, GeodesicM(s.exact(p, ea), o.exact(q, eb)))
	}
	search.nearest(top, 0, otop, 0)
	return best
}

// exact maps a point on an edge back to longitude and latitude; a vertex to what it was
// given as.
func (s *sphereShape) exact(p s2.Point, e sphereEdge) LonLat {
	switch p {
	case s.points[e.a]:
		return s.lonLat[e.a]
	case s.points[e.b]:
		return s.lonLat[e.b]
	}
	return sphereLonLat(p)
}

// nearest goes down two trees, the nearer children first, leaving out what is farther
// apart than the best pair so far or, when visiting, than the limit.
func (s *edgeSearch) nearest(la, ia, lb, ib int) {
	ta, tb := &s.a.edges, &s.b.edges
	if la == 0 && lb == 0 {
		s.leaves(ia, ib)
		return
	}
	// Open the coarser node.
	openA := lb == 0 || la > 0 && la >= lb
	var order [sphereFanout]struct {
		i  int
		d2 float64
	}
	n := 0
	add := func(i int, d2 float64) {
		if d2 > s.bound() {
			return
		}
		k := n
		for ; k > 0 && order[k-1].d2 > d2; k-- {
			order[k] = order[k-1]
		}
		order[k].i, order[k].d2 = i, d2
		n++
	}
	if openA {
		other := &tb.levels[lb][ib]
		for i := ia * sphereFanout; i < min((ia+1)*sphereFanout, len(ta.levels[la-1])); i++ {
			add(i, ta.levels[la-1][i].distance2(other))
		}
	} else {
		other := &ta.levels[la][ia]
		for i := ib * sphereFanout; i < min((ib+1)*sphereFanout, len(tb.levels[lb-1])); i++ {
			add(i, tb.levels[lb-1][i].distance2(other))
		}
	}
	for _, c := range order[:n] {
		if c.d2 > s.bound() {
			return
		}
		if openA {
			s.nearest(la-1, c.i, lb, ib)
		} else {
			s.nearest(la, ia, lb-1, c.i)
		}
	}
}

func (s *edgeSearch) bound() float64 {
	if s.visit != nil {
		return s.limit2
	}
	return s.best2
}

func (s *edgeSearch) leaves(ia, ib int) {
	ea := s.a.edges.edges[ia*sphereLeafEdges : min((ia+1)*sphereLeafEdges, len(s.a.edges.edges))]
	eb := s.b.edges.edges[ib*sphereLeafEdges : min((ib+1)*sphereLeafEdges, len(s.b.edges.edges))]
	for _, a := range ea {
		for _, b := range eb {
			if s.visit == nil {
				s.best2 = s.edgePair(a, b, s.best2)
			} else if s.edgePair(a, b, s.limit2) < s.limit2 {
				s.visit(a, b)
			}
		}
	}
}

// edgePair returns the squared chord between two edges if it is less than limit2, else
// limit2.
func (s *edgeSearch) edgePair(ea, eb sphereEdge, limit2 float64) float64 {
	a0, a1 := s.a.points[ea.a], s.a.points[ea.b]
	b0, b1 := s.b.points[eb.a], s.b.points[eb.b]
	switch {
	case ea.a == ea.b && eb.a == eb.b:
		return min(limit2, chord2(a0.Vector, b0.Vector))
	case ea.a == ea.b:
		return vertexEdge(a0, b0, b1, limit2)
	case eb.a == eb.b:
		return vertexEdge(b0, a0, a1, limit2)
	}
	if limit2 > 0 && s2.CrossingSign(a0, a1, b0, b1) == s2.Cross {
		return 0
	}
	limit2 = vertexEdge(a0, b0, b1, limit2)
	limit2 = vertexEdge(a1, b0, b1, limit2)
	limit2 = vertexEdge(b0, a0, a1, limit2)
	return vertexEdge(b1, a0, a1, limit2)
}

func vertexEdge(p, a, b s2.Point, limit2 float64) float64 {
	d, _ := s2.UpdateMinDistance(p, a, b, s1.ChordAngle(min(limit2, 4)))
	return min(limit2, float64(d))
}
