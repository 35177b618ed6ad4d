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
	if p, isPoint := b.LonLat(); isPoint {
		s, ok := a.sphere()
		if !ok || !onSphere(p) {
			return 0, false
		}
		p = p.wrapped()
		return s.pointDistanceM(p, spherePoint(p)), true
	}
	if a.kind == Point {
		return GeodesicDistanceM(b, a)
	}
	sa, okA := a.sphere()
	sb, okB := b.sphere()
	if !okA || !okB {
		return 0, false
	}
	return sa.distanceM(sb), true
}

// onSphere reports whether p has a place: any longitude, a latitude in range.
func onSphere(p LonLat) bool {
	return isFinite(p.LonDeg) && p.LatDeg >= -90 && p.LatDeg <= 90
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
	if a.kind == Point {
		a, b = b, a
	}
	if p, ok := b.LonLat(); ok {
		s, ok := a.sphere()
		if !ok || !onSphere(p) {
			return false
		}
		p = p.wrapped()
		q := spherePoint(p)
		box := sphereBox{lo: q.Vector, hi: q.Vector}
		if apart := angleOfChord2(s.edges.top().apart2(&box)); DistanceBoundM(apart) > radiusM && !s.contains(q) {
			return false
		}
		return s.pointDistanceM(p, q) <= radiusM
	}
	sa, okA := a.sphere()
	sb, okB := b.sphere()
	if !okA || !okB {
		return false
	}
	apart := angleOfChord2(sa.edges.top().apart2(sb.edges.top()))
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
	band2 := chord2OfAngle(angleOfChord2(nearest2)*bandFactor + 1e-15)
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

// chord2OfAngle is the squared chord of an angle, rounded up; more than any for half a
// turn and more.
func chord2OfAngle(angle float64) float64 {
	if angle >= math.Pi {
		return 5
	}
	h := 2 * math.Sin(angle/2)
	return h*h*(1+1e-12) + 1e-30
}

func angleOfChord2(chord2 float64) float64 {
	return 2 * math.Asin(min(1, math.Sqrt(chord2)/2))
}

// pointDistanceM is distanceM to a single place p, which is q on the sphere.
func (s *sphereShape) pointDistanceM(p LonLat, q s2.Point) float64 {
	if s.contains(q) {
		return 0
	}
	n := pointSearch{shape: s, p: p, q: q, limit2: math.Inf(1)}
	n.box = sphereBox{lo: q.Vector, hi: q.Vector}
	top := len(s.edges.levels) - 1
	n.node(top, 0)
	if n.limit2 == 0 {
		return 0
	}
	// Radii round p make the band narrower than those of the whole ellipsoid.
	angle := angleOfChord2(n.limit2)
	low, high := radiiAround(p.LatDeg, angle*maxRadiusM)
	n.low, n.bestM = low, math.Inf(1)
	n.limit2 = chord2OfAngle(angle*(high/low)*(1+1e-9) + 1e-15)
	n.node(top, 0)
	return n.bestM
}

// pointSearch goes down the edges of a shape, near ones first: first for the nearest on
// the sphere, then, when low is set, for the nearest on the ellipsoid.
type pointSearch struct {
	shape  *sphereShape
	p      LonLat
	q      s2.Point
	box    sphereBox
	limit2 float64 // squared chord beyond which nothing is of interest
	low    float64 // metres that a radian has at least
	bestM  float64
}

func (n *pointSearch) node(level, i int) {
	t := &n.shape.edges
	if level == 0 {
		n.leaf(t.leaf(i))
		return
	}
	var order [treeFanout]struct {
		child  int
		apart2 float64
	}
	k := 0
	for c := i * treeFanout; c < min((i+1)*treeFanout, len(t.levels[level-1])); c++ {
		d := t.levels[level-1][c].apart2(&n.box)
		j := k
		for ; j > 0 && order[j-1].apart2 > d; j-- {
			order[j] = order[j-1]
		}
		order[j].child, order[j].apart2 = c, d
		k++
	}
	for _, c := range order[:k] {
		if c.apart2 > n.limit2 {
			return
		}
		n.node(level-1, c.child)
	}
}

func (n *pointSearch) leaf(edges []edge) {
	for _, e := range edges {
		a, b := n.shape.points[e.a], n.shape.points[e.b]
		d2 := chord2(n.q.Vector, a.Vector)
		if e.a != e.b {
			d2 = vertexApart2(n.q, a, b, 5)
		}
		if d2 >= n.limit2 {
			continue
		}
		if n.low == 0 {
			n.limit2 = d2
			continue
		}
		near := n.shape.lonLat[e.a]
		if e.a != e.b {
			near = n.shape.exact(s2.Project(n.q, a, b), e)
		}
		if m := GeodesicM(n.p, near); m < n.bestM {
			n.bestM = m
			n.limit2 = min(n.limit2, chord2OfAngle((m*(1+slackRel)+slackM)/n.low))
		}
	}
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
