package geom

// The predicates are planar, on x and y, with the boundary rules of the DE-9IM as PostGIS
// has them: Contains asks for a common interior point, Covers does not; a line's boundary
// are its ends that occur an odd number of times. What has a NaN or infinite coordinate
// meets nothing, itself included. Geometry collections are the union of their parts.
//
// Points, boxes that do not meet and polygons whose edges keep apart are decided here, in
// exact arithmetic; what is left goes to simplefeatures, by Relate. SRIDs are the
// caller's business. An error wraps ErrTopology, for lines of one point, open rings and
// what simplefeatures gives up on.

// Intersects reports whether a and b have a point in common.
func Intersects(a, b *Geometry) (bool, error) {
	if !boxesMeet(a, b) {
		return false, nil
	}
	if x, y, ok := b.AsPoint(); ok {
		return a.locate(x, y) != exterior, checkTopology(a)
	}
	if x, y, ok := a.AsPoint(); ok {
		return b.locate(x, y) != exterior, checkTopology(b)
	}
	if err := checkBoth(a, b); err != nil {
		return false, err
	}
	return holdsAny(a, b) || holdsAny(b, a) || edgesMeet(a, b) != apart, nil
}

// Disjoint reports whether a and b have no point in common.
func Disjoint(a, b *Geometry) (bool, error) {
	meet, err := Intersects(a, b)
	return !meet && err == nil, err
}

// Contains reports whether no point of b is outside a, and an interior point of b is an
// interior point of a.
func Contains(a, b *Geometry) (bool, error) { return holds(a, b, false) }

// Within is Contains with its arguments exchanged.
func Within(a, b *Geometry) (bool, error) { return Contains(b, a) }

// Covers reports whether no point of b is outside a, and b is not empty.
func Covers(a, b *Geometry) (bool, error) { return holds(a, b, true) }

// CoveredBy is Covers with its arguments exchanged.
func CoveredBy(a, b *Geometry) (bool, error) { return Covers(b, a) }

// holds is Covers, or Contains when covers is not set.
func holds(a, b *Geometry, covers bool) (bool, error) {
	boxA, okA := a.Box()
	boxB, okB := b.Box()
	if !okA || !okB || a.odd() || b.odd() || !boxA.Contains(boxB) {
		return false, nil
	}
	if err := checkBoth(a, b); err != nil {
		return false, err
	}
	if x, y, ok := b.AsPoint(); ok && a.kind != GeometryCollection {
		at := a.locate(x, y)
		return at == interior || covers && at == boundary, nil
	}
	if yes, sure := a.holdsAreas(b, covers); sure {
		return yes, nil
	}
	m, err := Relate(a, b)
	if err != nil {
		return false, err
	}
	if covers {
		return matchesAny(m, "T*****FF*", "*T****FF*", "***T**FF*", "****T*FF*"), nil
	}
	return matchesAny(m, "T*****FF*"), nil
}

// holdsAreas decides holds for a polygon or multipolygon a where no edge of b touches its
// boundary.
func (a *Geometry) holdsAreas(b *Geometry, covers bool) (yes, sure bool) {
	if a.kind != Polygon && a.kind != MultiPolygon {
		return false, false
	}
	if b.kind == MultiPoint {
		some := false
		all := b.eachPathStart(func(x, y float64) bool {
			at := a.locateInArea(x, y)
			some = some || at == interior
			return at != exterior
		})
		return all && (some || covers), true
	}
	outside := !b.eachPathStart(func(x, y float64) bool { return a.locateInArea(x, y) != exterior })
	if outside {
		return false, true
	}
	switch edgesMeet(a, b) {
	case crossing: // b leaves a where it crosses a ring
		return false, true
	case touching:
		return false, false
	}
	// All paths of b are inside a. An area of b may still hold a hole of a.
	return !b.hasAreas() || a.eachPathStart(func(x, y float64) bool { return b.locateInAreas(x, y) != interior }), true
}

// Touches reports whether a and b have points in common, but no interior ones.
func Touches(a, b *Geometry) (bool, error) {
	if !boxesMeet(a, b) {
		return false, nil
	}
	if x, y, ok := b.AsPoint(); ok && a.kind != GeometryCollection {
		return a.locate(x, y) == boundary, checkTopology(a)
	}
	if x, y, ok := a.AsPoint(); ok && b.kind != GeometryCollection {
		return b.locate(x, y) == boundary, checkTopology(b)
	}
	return relateAny(a, b, "FT*******", "F**T*****", "F***T****")
}

// Crosses reports whether a and b have some but not all interior points in common, with a
// dimension less than the higher of theirs.
func Crosses(a, b *Geometry) (bool, error) {
	if !boxesMeet(a, b) || a.kind == Point || b.kind == Point {
		return false, checkBoth(a, b)
	}
	switch da, db := a.Dimension(), b.Dimension(); {
	case da < db:
		return relateAny(a, b, "T*T******")
	case da > db:
		return relateAny(a, b, "T*****T**")
	case da == 1:
		return relateAny(a, b, "0********")
	}
	return false, checkBoth(a, b)
}

// Overlaps reports whether a and b have the same dimension and some but not all interior
// points in common, with that dimension.
func Overlaps(a, b *Geometry) (bool, error) {
	if !boxesMeet(a, b) || a.kind == Point || b.kind == Point || a.Dimension() != b.Dimension() {
		return false, checkBoth(a, b)
	}
	if a.Dimension() == 1 {
		return relateAny(a, b, "1*T***T**")
	}
	return relateAny(a, b, "T*T***T**")
}

// Equals reports whether a and b are the same set of points; two empty geometries are.
func Equals(a, b *Geometry) (bool, error) {
	if a.empty || b.empty {
		return a.empty && b.empty, nil
	}
	boxA, okA := a.Box()
	boxB, okB := b.Box()
	if !okA || !okB || a.odd() || b.odd() || boxA != boxB {
		return false, nil
	}
	if a.kind == Point && b.kind == Point {
		return true, nil
	}
	if err := checkBoth(a, b); err != nil {
		return false, err
	}
	if a.kind == b.kind && Identical(a, b) {
		return true, nil
	}
	return relateAny(a, b, "T*F**FFF*")
}

// ContainsProperly reports whether every point of b is an interior point of a.
func ContainsProperly(a, b *Geometry) (bool, error) {
	if !boxesMeet(a, b) {
		return false, nil
	}
	if x, y, ok := b.AsPoint(); ok && a.kind != GeometryCollection {
		return a.locate(x, y) == interior, checkTopology(a)
	}
	return relateAny(a, b, "T**FF*FF*")
}

// boxesMeet reports whether a and b can have a point in common.
func boxesMeet(a, b *Geometry) bool {
	boxA, okA := a.Box()
	boxB, okB := b.Box()
	return okA && okB && boxA.Intersects(boxB) && !a.odd() && !b.odd()
}

// locate tells where x y lies relative to g, in a collection the inmost place among its
// parts.
func (g *Geometry) locate(x, y float64) location {
	switch g.kind {
	case Point:
		if !g.empty && g.p[0] == x && g.p[1] == y {
			return interior
		}
		return exterior
	case LineString, MultiLineString:
		return g.locateOnLines(x, y)
	case Polygon, MultiPolygon:
		return g.locateInArea(x, y)
	}
	at := exterior
	for _, p := range g.s.parts {
		at = max(at, p.locate(x, y))
	}
	return at
}

// locateOnLines tells whether x y is on the lines of g, and whether as an end that
// occurs an odd number of times.
func (g *Geometry) locateOnLines(x, y float64) location {
	on, ends := false, 0
	visit := func(l *Geometry) {
		if l.empty || !l.box().ContainsPoint(x, y) {
			return
		}
		c, stride := l.s.coords, l.dims.Stride()
		last := len(c) - stride
		if c[0] == x && c[1] == y {
			ends++
		}
		if c[last] == x && c[last+1] == y {
			ends++
		}
		for i := stride; i <= last && !on; i += stride {
			s := segment{c[i-stride], c[i-stride+1], c[i], c[i+1]}
			on = s.box().ContainsPoint(x, y) && orientation(s.ax, s.ay, s.bx, s.by, x, y) == 0
		}
	}
	if g.kind == LineString {
		visit(g)
	} else {
		for _, l := range g.s.parts {
			visit(l)
		}
	}
	switch {
	case ends%2 == 1:
		return boundary
	case on || ends > 0:
		return interior
	}
	return exterior
}

// edgesMeet tells how the edges of a and b meet: crossing when a pair crosses.
func edgesMeet(a, b *Geometry) meeting {
	sa, sb := a.planar(), b.planar()
	found := apart
	search := edgeSearch[Box, *Box]{a: &sa.edges, b: &sb.edges}
	search.visit = func(ea, eb edge) {
		if found = max(found, sa.segment(ea).meet(sb.segment(eb))); found == crossing {
			search.limit2 = -1
		}
	}
	search.run()
	return found
}
