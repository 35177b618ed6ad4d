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
	apart := s1.ChordAngle(min(4, sa.edges.top().apart2(sb.edges.top()))).Angle().Radians()
	if DistanceBoundM(apart) > radiusM && !sa.meets(sb) {
		return false
	}
	return sa.distanceM(sb) <= radiusM
}

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
	// Nearest on the sphere.
	nearest2 := math.Inf(1)
	search := edgeSearch[sphereBox, *sphereBox]{a: &s.edges, b: &o.edges, limit2: nearest2}
	search.visit = func(ea, eb edge) {
		nearest2 = s.apart2(ea, o, eb, nearest2)
		search.limit2 = nearest2
		if nearest2 == 0 {
			search.limit2 = -1
		}
	}
	search.run()
	if nearest2 == 0 {
		return 0
	}
	// Nearest on the ellipsoid is within the band above it.
	band2 := 5.0 // more than any
	if angle := s1.ChordAngle(min(nearest2, 4)).Angle().Radians()*bandFactor + 1e-15; angle < math.Pi {
		h := 2 * math.Sin(angle/2)
		band2 = h*h*(1+1e-12) + 1e-30
	}
	best, n := math.Inf(1), 0
	search.limit2 = band2
	search.visit = func(ea, eb edge) {
		if s.apart2(ea, o, eb, band2) >= band2 {
			return
		}
		p, q := s2.EdgePairClosestPoints(s.points[ea.a], s.points[ea.b], o.points[eb.a], o.points[eb.b])
		best = min(best, GeodesicM(s.exact(p, ea), o.exact(q, eb)))
		if n++; n >= maxCandidates {
			search.limit2 = -1
		}
	}
	search.run()
	return best
}

// exact maps a point on an edge back to longitude and latitude; a vertex to what it was
// given as.
func (s *sphereShape) exact(p s2.Point, e edge) LonLat {
	switch p {
	case s.points[e.a]:
		return s.lonLat[e.a]
	case s.points[e.b]:
		return s.lonLat[e.b]
	}
	return sphereLonLat(p)
}

// apart2 returns the squared chord between an edge of s and one of o if it is less than
// limit2, else limit2.
func (s *sphereShape) apart2(ea edge, o *sphereShape, eb edge, limit2 float64) float64 {
	a0, a1 := s.points[ea.a], s.points[ea.b]
	b0, b1 := o.points[eb.a], o.points[eb.b]
	switch {
	case ea.a == ea.b && eb.a == eb.b:
		return min(limit2, chord2(a0.Vector, b0.Vector))
	case ea.a == ea.b:
		return vertexApart2(a0, b0, b1, limit2)
	case eb.a == eb.b:
		return vertexApart2(b0, a0, a1, limit2)
	}
	if s2.CrossingSign(a0, a1, b0, b1) == s2.Cross {
		return 0
	}
	limit2 = vertexApart2(a0, b0, b1, limit2)
	limit2 = vertexApart2(a1, b0, b1, limit2)
	limit2 = vertexApart2(b0, a0, a1, limit2)
	return vertexApart2(b1, a0, a1, limit2)
}

func vertexApart2(p, a, b s2.Point, limit2 float64) float64 {
	d, _ := s2.UpdateMinDistance(p, a, b, s1.ChordAngle(min(limit2, 4)))
	return min(limit2, float64(d))
}
