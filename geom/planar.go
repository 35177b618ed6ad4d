package geom

import "math"

// planarShape is a geometry as edges in the plane.
type planarShape struct {
	xy    []float64 // vertices of all paths, two ordinates each
	edges edgeTree[Box, *Box]
	// starts are the edges that begin a path: point, line or ring.
	starts []int
	areas  bool // g has polygons
}

func newPlanarShape(g *Geometry) *planarShape {
	s := &planarShape{}
	n := g.NumPoints()
	s.xy = make([]float64, 0, 2*n)
	edges := make([]edge, 0, n)
	s.add(g, &edges)
	s.edges = newEdgeTree[Box](edges, s.edgeBox)
	return s
}

func (s *planarShape) add(g *Geometry, edges *[]edge) {
	if g.empty {
		return
	}
	stride := g.dims.Stride()
	switch g.kind {
	case Point:
		s.addPath(g.p[:stride], stride, edges)
	case LineString:
		s.addPath(g.s.coords, stride, edges)
	case Polygon:
		s.areas = true
		for i := range g.s.ends {
			s.addPath(g.Ring(i), stride, edges)
		}
	default:
		for _, p := range g.s.parts {
			s.add(p, edges)
		}
	}
}

func (s *planarShape) addPath(coords []float64, stride int, edges *[]edge) {
	first := int32(len(s.xy) / 2)
	for i := 0; i < len(coords); i += stride {
		s.xy = append(s.xy, coords[i], coords[i+1])
	}
	last := int32(len(s.xy)/2) - 1
	s.starts = append(s.starts, len(*edges))
	if first == last {
		*edges = append(*edges, edge{first, first})
	}
	for v := first; v < last; v++ {
		*edges = append(*edges, edge{v, v + 1})
	}
}

// segment is an edge with its coordinates.
type segment struct{ ax, ay, bx, by float64 }

func (s *planarShape) segment(e edge) segment {
	return segment{s.xy[2*e.a], s.xy[2*e.a+1], s.xy[2*e.b], s.xy[2*e.b+1]}
}

func (s *planarShape) edgeBox(e edge) Box { return s.segment(e).box() }

func (s segment) box() Box {
	return Box{MinX: min(s.ax, s.bx), MinY: min(s.ay, s.by), MaxX: max(s.ax, s.bx), MaxY: max(s.ay, s.by)}
}

// meeting is how two segments meet.
type meeting uint8

const (
	apart    meeting = iota
	touching         // an end of one lies on the other, or they overlap
	crossing         // they cross inside both
)

// meet tells how two segments meet, exactly.
func (s segment) meet(o segment) meeting {
	if !s.box().Intersects(o.box()) {
		return apart
	}
	a := orientation(s.ax, s.ay, s.bx, s.by, o.ax, o.ay)
	b := orientation(s.ax, s.ay, s.bx, s.by, o.bx, o.by)
	if a*b > 0 {
		return apart
	}
	c := orientation(o.ax, o.ay, o.bx, o.by, s.ax, s.ay)
	d := orientation(o.ax, o.ay, o.bx, o.by, s.bx, s.by)
	switch {
	case c*d > 0:
		return apart
	case a*b < 0 && c*d < 0:
		return crossing
	}
	return touching // on one line their boxes meet only where they do
}

// distancePoint is the distance from x y, computed as PostGIS does.
func (s segment) distancePoint(x, y float64) float64 {
	dx, dy := s.bx-s.ax, s.by-s.ay
	if dx == 0 && dy == 0 {
		return pointDistance(x, y, s.ax, s.ay)
	}
	r := ((x-s.ax)*dx + (y-s.ay)*dy) / (dx*dx + dy*dy)
	switch {
	case r < 0:
		return pointDistance(x, y, s.ax, s.ay)
	case r > 1:
		return pointDistance(x, y, s.bx, s.by)
	case (s.ay-y)*dx == (s.ax-x)*dy:
		return 0
	}
	return pointDistance(x, y, s.ax+r*dx, s.ay+r*dy)
}

func pointDistance(ax, ay, bx, by float64) float64 {
	dx, dy := bx-ax, by-ay
	return math.Sqrt(dx*dx + dy*dy)
}

// distance is the distance between two segments.
func (s segment) distance(o segment) float64 {
	switch {
	case s.ax == s.bx && s.ay == s.by:
		return o.distancePoint(s.ax, s.ay)
	case o.ax == o.bx && o.ay == o.by:
		return s.distancePoint(o.ax, o.ay)
	case s.meet(o) != apart:
		return 0
	}
	return min(s.distancePoint(o.ax, o.ay), s.distancePoint(o.bx, o.by),
		o.distancePoint(s.ax, s.ay), o.distancePoint(s.bx, s.by))
}

// maxDistance is from where on PostGIS takes a distance for none.
const maxDistance = math.MaxFloat32

// PlanarDistance is the smallest distance between a and b in the unit of their
// coordinates, z ignored; 0 where they meet or one lies in the other. ok is false when
// one is empty or has a NaN coordinate, or the distance is beyond float32.
func PlanarDistance(a, b *Geometry) (distance float64, ok bool) {
	if a.empty || b.empty || a.odd() || b.odd() {
		ax, ay, pa := a.AsPoint()
		bx, by, pb := b.AsPoint()
		if !pa || !pb {
			return 0, false
		}
		distance = pointDistance(ax, ay, bx, by)
		return distance, distance < maxDistance
	}
	if ax, ay, ok := a.AsPoint(); ok {
		if bx, by, ok := b.AsPoint(); ok {
			distance = pointDistance(ax, ay, bx, by)
			return distance, distance < maxDistance
		}
	}
	distance = planarWithin(a, b, 0, math.Inf(1))
	return distance, distance < maxDistance
}

// PlanarDWithin reports whether a and b lie no farther apart than tolerance, in the unit
// of their coordinates; false where they have no distance. A negative tolerance is
// ErrNegativeTolerance.
func PlanarDWithin(a, b *Geometry, tolerance float64) (bool, error) {
	switch {
	case tolerance < 0:
		return false, ErrNegativeTolerance
	case tolerance != tolerance || a.empty || b.empty:
		return false, nil
	}
	boxA, okA := a.Box()
	boxB, okB := b.Box()
	if !okA || !okB {
		return false, nil
	}
	if d2 := boxA.apart2(&boxB); d2 > tolerance*tolerance*(1+1e-12) {
		return false, nil
	}
	d, ok := 0.0, false
	if a.odd() || b.odd() || a.kind == Point && b.kind == Point {
		d, ok = PlanarDistance(a, b)
	} else {
		d = planarWithin(a, b, tolerance, tolerance*(1+1e-12))
		ok = d < maxDistance
	}
	return ok && d <= tolerance, nil
}

// planarWithin is the distance between two finite geometries that are not both points; it
// may stop at any pair no farther apart than enough, and need not look beyond limit.
func planarWithin(a, b *Geometry, enough, limit float64) float64 {
	if holdsAny(a, b) || holdsAny(b, a) {
		return 0
	}
	sa, sb := a.planar(), b.planar()
	best := math.Inf(1)
	search := edgeSearch[Box, *Box]{a: &sa.edges, b: &sb.edges, limit2: limit * limit}
	search.visit = func(ea, eb edge) {
		if d := sa.segment(ea).distance(sb.segment(eb)); d < best {
			best = d
			// Boxes are compared by squares, which may be rounded up.
			if search.limit2 = min(search.limit2, d*d*(1+1e-12)); d <= enough {
				search.limit2 = -1
			}
		}
	}
	search.run()
	return best
}

// holdsAny reports whether an area of a holds the first vertex of a path of b, its
// boundary included: when edges do not meet, a path is inside or outside as a whole.
func holdsAny(a, b *Geometry) bool {
	if !a.hasAreas() {
		return false
	}
	return !b.eachPathStart(func(x, y float64) bool { return a.locateInAreas(x, y) == exterior })
}

// hasAreas reports whether g has a polygon that is not empty.
func (g *Geometry) hasAreas() bool {
	switch g.kind {
	case Polygon, MultiPolygon:
		return !g.empty
	case GeometryCollection:
		for _, p := range g.s.parts {
			if p.hasAreas() {
				return true
			}
		}
	}
	return false
}

// eachPathStart calls fn with the first vertex of each point, line and ring of g until it
// returns false.
func (g *Geometry) eachPathStart(fn func(x, y float64) bool) bool {
	switch {
	case g.empty:
	case g.kind == Point:
		return fn(g.p[0], g.p[1])
	case g.kind == LineString:
		return fn(g.s.coords[0], g.s.coords[1])
	case g.kind == Polygon:
		for i := range g.s.ends {
			if r := g.Ring(i); !fn(r[0], r[1]) {
				return false
			}
		}
	default:
		for _, p := range g.s.parts {
			if !p.eachPathStart(fn) {
				return false
			}
		}
	}
	return true
}

// locateInAreas tells where x y lies relative to the polygons of g.
func (g *Geometry) locateInAreas(x, y float64) location {
	switch g.kind {
	case Polygon, MultiPolygon:
		return g.locateInArea(x, y)
	case GeometryCollection:
		at := exterior
		for _, p := range g.s.parts {
			at = max(at, p.locateInAreas(x, y))
		}
		return at
	}
	return exterior
}

// locateInArea is where x y lies relative to a Polygon or MultiPolygon. Large ones keep
// an index from the second question on: the first costs no more than building it.
func (g *Geometry) locateInArea(x, y float64) location {
	if g.empty || !g.box().ContainsPoint(x, y) {
		return exterior
	}
	if a := g.s.derived.area.Load(); a != nil {
		return a.locate(x, y)
	}
	if len(g.s.coords) <= 4*ringLeafEdges && len(g.s.parts) <= 1 || g.s.derived.asked.Add(1) == 1 {
		return locatePoint(g, x, y)
	}
	return g.area().locate(x, y)
}

// area returns the index of a Polygon or MultiPolygon, built if need be.
func (g *Geometry) area() *areaIndex {
	if a := g.s.derived.area.Load(); a != nil {
		return a
	}
	a := makeAreaIndex(g, true)
	g.s.derived.area.Store(a)
	return a
}
