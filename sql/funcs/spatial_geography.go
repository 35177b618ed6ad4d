package funcs

import (
	"math"

	"raisind/geom"
	"raisind/sql/types"
)

// This file holds what PostGIS computes on a sphere: geographies with use_spheroid
// false, ST_DistanceSphere, and the relationships of geographies, whose edges are
// great circles.

// sphereRadiusM is the mean radius (2a+b)/3 of WGS 84, which PostGIS's sphere has.
const sphereRadiusM = 6371008.7714150598

// vec is a direction from the centre of the sphere, of length 1.
type vec [3]float64

func vecOf(lonDeg, latDeg float64) vec {
	const rad = math.Pi / 180
	sinLat, cosLat := math.Sincos(latDeg * rad)
	sinLon, cosLon := math.Sincos(lonDeg * rad)
	return vec{cosLat * cosLon, cosLat * sinLon, sinLat}
}

func (a vec) dot(b vec) float64 { return a[0]*b[0] + a[1]*b[1] + a[2]*b[2] }

func (a vec) cross(b vec) vec {
	return vec{a[1]*b[2] - a[2]*b[1], a[2]*b[0] - a[0]*b[2], a[0]*b[1] - a[1]*b[0]}
}

func (a vec) plus(b vec) vec { return vec{a[0] + b[0], a[1] + b[1], a[2] + b[2]} }

func (a vec) scaled(f float64) vec { return vec{a[0] * f, a[1] * f, a[2] * f} }

func (a vec) unit() vec {
	n := math.Sqrt(a.dot(a))
	if n == 0 {
		return a
	}
	return vec{a[0] / n, a[1] / n, a[2] / n}
}

// arc is the angle between two directions in radians, exact at all distances.
func (a vec) arc(b vec) float64 {
	c := a.cross(b)
	return math.Atan2(math.Sqrt(c.dot(c)), a.dot(b))
}

// arcRad is the angle between two places seen from the centre (Vincenty's formula).
func arcRad(a, b geom.LonLat) float64 {
	const rad = math.Pi / 180
	sinA, cosA := math.Sincos(a.LatDeg * rad)
	sinB, cosB := math.Sincos(b.LatDeg * rad)
	sinL, cosL := math.Sincos((b.LonDeg - a.LonDeg) * rad)
	return math.Atan2(math.Hypot(cosB*sinL, cosA*sinB-sinA*cosB*cosL), sinA*sinB+cosA*cosB*cosL)
}

// arcs is a geometry as points and great-circle edges; rings holds the polygons.
type arcs struct {
	points []vec
	edges  [][2]vec
	rings  [][]vec // shells and holes; even-odd decides what is inside
}

func (s *arcs) add(g *geom.Geometry) {
	stride := g.Dims().Stride()
	line := func(c []float64) []vec {
		out := make([]vec, 0, len(c)/stride)
		for i := 0; i+1 < len(c); i += stride {
			v := vecOf(c[i], c[i+1])
			if n := len(out); n > 0 {
				s.edges = append(s.edges, [2]vec{out[n-1], v})
			}
			out = append(out, v)
		}
		s.points = append(s.points, out...)
		return out
	}
	switch g.Kind() {
	case geom.Point, geom.LineString:
		line(g.Positions())
	case geom.Polygon:
		for r := range g.NumRings() {
			s.rings = append(s.rings, line(g.Ring(r)))
		}
	default:
		for i := range g.NumParts() {
			s.add(g.Part(i))
		}
	}
}

func arcsOf(g *geom.Geometry) *arcs {
	s := &arcs{}
	s.add(g)
	return s
}

// sphereDistanceM is the distance on the sphere; ok is false for empty.
func sphereDistanceM(a, b *geom.Geometry) (m float64, ok bool) {
	if pa, ok := a.LonLat(); ok {
		if pb, ok := b.LonLat(); ok {
			return sphereRadiusM * arcRad(pa, pb), true
		}
	}
	if a.IsEmpty() || b.IsEmpty() {
		return 0, false
	}
	return sphereRadiusM * arcsOf(a).distance(arcsOf(b)), true
}

// distance is the least angle between two shapes: between points and edges of both,
// 0 where edges cross or one lies in an area of the other.
func (s *arcs) distance(t *arcs) float64 {
	if s.holds(t.points[0]) || t.holds(s.points[0]) || s.crosses(t) {
		return 0
	}
	best := math.Pi
	for _, p := range s.points {
		best = min(best, t.distanceTo(p))
	}
	for _, p := range t.points {
		best = min(best, s.distanceTo(p))
	}
	return best
}

func (s *arcs) distanceTo(p vec) float64 {
	best := math.Pi
	for _, q := range s.points {
		best = min(best, p.arc(q))
	}
	for _, e := range s.edges {
		best = min(best, distanceToEdge(p, e[0], e[1]))
	}
	return best
}

// distanceToEdge is the angle from p to the shorter great circle arc from a to b.
func distanceToEdge(p, a, b vec) float64 {
	n := a.cross(b)
	if n.dot(n) > 0 {
		n = n.unit()
		// The foot of the perpendicular counts when it falls between a and b.
		if a.cross(p).dot(n) > 0 && p.cross(b).dot(n) > 0 {
			return math.Abs(math.Asin(min(max(p.dot(n), -1), 1)))
		}
	}
	return min(p.arc(a), p.arc(b))
}

func (s *arcs) crosses(t *arcs) bool {
	for _, e := range s.edges {
		for _, f := range t.edges {
			if edgesCross(e, f) {
				return true
			}
		}
	}
	return false
}

// edgesCross reports whether two arcs cross properly.
func edgesCross(e, f [2]vec) bool {
	n, m := e[0].cross(e[1]), f[0].cross(f[1])
	if s := n.dot(f[0]) * n.dot(f[1]); s >= 0 {
		return false
	}
	if s := m.dot(e[0]) * m.dot(e[1]); s >= 0 {
		return false
	}
	// The circles meet in two antipodal points; the arcs must hold the same one.
	x := n.cross(m)
	return x.dot(e[0].plus(e[1])) > 0 == (x.dot(f[0].plus(f[1])) > 0)
}

// holds reports whether p lies in an area: an arc from p to a place outside crosses
// the rings an odd number of times. As PostGIS, the outside is where the centre of the
// ring is not: the larger part of the sphere.
func (s *arcs) holds(p vec) bool {
	if len(s.rings) == 0 {
		return false
	}
	out := s.outside()
	n := 0
	for _, ring := range s.rings {
		for i := 1; i < len(ring); i++ {
			if ring[i] != ring[i-1] && edgesCross([2]vec{p, out}, [2]vec{ring[i-1], ring[i]}) {
				n++
			}
		}
	}
	return n%2 == 1
}

// outside is the antipode of the middle of all positions, moved a little so that it
// lies on no edge of ordinary data.
func (s *arcs) outside() vec {
	var c vec
	for _, p := range s.points {
		c = c.plus(p)
	}
	c = c.unit()
	return vec{-c[0] + 1.7e-6, -c[1] - 2.3e-6, -c[2] + 1.1e-6}.unit()
}

// edgeTolerance is how near in radians a position counts as on an edge: 6 µm.
const edgeTolerance = 1e-12

// covers reports whether no position of t lies outside s and no edge of t leaves it.
func (s *arcs) covers(t *arcs) bool {
	for _, p := range t.points {
		if !s.holds(p) && s.distanceTo(p) > edgeTolerance {
			return false
		}
	}
	return !s.crosses(t)
}

func sphereLengthM(g *geom.Geometry) float64 {
	total := 0.0
	for _, e := range arcsOf(g).edges {
		total += e[0].arc(e[1])
	}
	return total * sphereRadiusM
}

// sphereAreaM2 is the spherical excess of the shell less that of the holes.
func sphereAreaM2(g *geom.Geometry) float64 {
	total := 0.0
	stride := g.Dims().Stride()
	for r := range g.NumRings() {
		a := ringExcess(g.Ring(r), stride)
		if r > 0 {
			a = -a
		}
		total += a
	}
	return max(total, 0) * sphereRadiusM * sphereRadiusM
}

// ringExcess adds the excess of the triangles and quadrangles between each edge and
// the equator (Bessel); a ring round a pole takes the rest of its hemisphere.
func ringExcess(c []float64, stride int) float64 {
	const rad = math.Pi / 180
	excess, turn := 0.0, 0.0
	for i := stride; i+1 < len(c); i += stride {
		dLon := math.Remainder((c[i]-c[i-stride])*rad, 2*math.Pi)
		t1, t2 := math.Tan(c[i-stride+1]*rad/2), math.Tan(c[i+1]*rad/2)
		excess += 2 * math.Atan2(math.Tan(dLon/2)*(t1+t2), 1+t1*t2)
		turn += dLon
	}
	a := math.Abs(excess)
	if math.Abs(turn) > math.Pi {
		a = 2*math.Pi - a
	}
	return a
}

func geographyPredicate(fn string, p func(a, b *geom.Geometry) bool) EvalFunc {
	return func(_ *Ctx, args []types.Datum) (types.Datum, error) {
		a, b := args[0].Geom(), args[1].Geom()
		if err := sameSRID(fn, a, b); err != nil {
			return types.Null, err
		}
		return types.Bool(p(a, b)), nil
	}
}

func coversGeography(a, b *geom.Geometry) bool {
	if a.IsEmpty() || b.IsEmpty() {
		return false
	}
	return arcsOf(a).covers(arcsOf(b))
}

// geographyRelationships have no use of the index: geodesic edges leave the planar boxes.
func geographyRelationships() []Func {
	fn := func(name, doc, want string, p func(a, b *geom.Geometry) bool) Func {
		return Func{
			Name: name, Group: groupGeomRelate, Volatility: Immutable, Doc: doc,
			Overloads: []Overload{of("geog1 geography,geog2 geography", "bool", geographyPredicate("geography_"+name[len("ST_"):], p))},
			Examples:  []Example{{`SELECT ` + name + `('POLYGON((0 0,4 0,4 4,0 4,0 0))'::geography, 'POINT(2 2)'::geography)`, want}},
		}
	}
	return []Func{
		fn("ST_Intersects", "True when two geographies have a place in common; edges are geodesics.", "t",
			func(a, b *geom.Geometry) bool { return geom.GeodesicDWithin(a, b, 0) }),
		fn("ST_Covers", "True when no place of b lies outside a; edges are great circles.", "t", coversGeography),
		fn("ST_CoveredBy", "True when no place of a lies outside b; edges are great circles.", "f",
			func(a, b *geom.Geometry) bool { return coversGeography(b, a) }),
	}
}

// centroidGeography is the mean direction: of the positions, of the edges by length, or
// of the areas, whichever has the highest dimension.
func centroidGeography(_ *Ctx, args []types.Datum) (types.Datum, error) {
	g := args[0].Geom()
	if g.IsEmpty() {
		return types.Geom(geom.NewEmpty(geom.GeometryCollection, geom.XY, g.SRID())), nil
	}
	if g.Kind() == geom.Point {
		return args[0], nil
	}
	var sum vec
	s := arcsOf(g)
	switch g.Dimension() {
	case 2:
		for _, p := range areasOf(g) {
			for r, ring := range arcsOf(p).rings {
				v := areaVector(ring)
				if r > 0 {
					v = v.scaled(-1)
				}
				sum = sum.plus(v)
			}
		}
	case 1:
		for _, e := range s.edges {
			sum = sum.plus(e[0].plus(e[1]).unit().scaled(e[0].arc(e[1])))
		}
	}
	if sum.dot(sum) == 0 { // points, or shapes without length and area
		for _, p := range s.points {
			sum = sum.plus(p)
		}
	}
	const deg = 180 / math.Pi
	v := sum.unit()
	lon, lat := math.Atan2(v[1], v[0])*deg, math.Atan2(v[2], math.Hypot(v[0], v[1]))*deg
	return types.Geom(geom.NewPoint(lon, lat, g.SRID())), nil
}

// areaVector is the integral of the direction over the inside of a ring: half the sum
// of the edges' normals, each as long as its edge (Stokes). It points to the ring's side
// whatever the winding.
func areaVector(ring []vec) vec {
	var sum, middle vec
	for i := 1; i < len(ring); i++ {
		a, b := ring[i-1], ring[i]
		sum = sum.plus(a.cross(b).unit().scaled(a.arc(b) / 2))
		middle = middle.plus(b)
	}
	if sum.dot(middle) < 0 {
		return sum.scaled(-1)
	}
	return sum
}
