package geom

// node splits lines where they meet and leaves repeated pieces out.
func node(lines []*Geometry, dims Dims, srid int32) ([]*Geometry, error) {
	if len(lines) == 0 {
		return nil, nil
	}
	u, err := UnaryUnion(NewCollection(MultiLineString, lines, dims, srid))
	if err != nil {
		return nil, err
	}
	var out []*Geometry
	for _, l := range Force(u, dims).leaves(nil) {
		if l.kind == LineString && !l.empty {
			out = append(out, l)
		}
	}
	return out, nil
}

// areaByParity keeps the faces of linework that an odd number of rings goes round.
func areaByParity(rings []*Geometry, dims Dims, srid int32) (area *Geometry, rest []*Geometry, err error) {
	noded, err := node(rings, dims, srid)
	if err != nil {
		return nil, nil, err
	}
	all, rest := faces(noded, dims, srid)
	var kept []*Geometry
	for _, f := range all {
		x, y, ok := insideOf(f)
		if !ok {
			continue
		}
		n := 0
		for _, r := range rings {
			if oddCrossings(r.s.coords, dims.Stride(), x, y) {
				n++
			}
		}
		if n%2 == 1 {
			kept = append(kept, f)
		}
	}
	if len(kept) == 0 {
		return NewEmpty(Polygon, dims, srid), rest, nil
	}
	area, err = UnaryUnion(NewCollection(MultiPolygon, kept, dims, srid))
	return area, rest, err
}

// oddCrossings reports whether a ray from x y crosses a ring an odd number of times.
func oddCrossings(c []float64, stride int, x, y float64) bool {
	odd := false
	for i := stride; i < len(c); i += stride {
		ax, ay, bx, by := c[i-stride], c[i-stride+1], c[i], c[i+1]
		if (ay > y) != (by > y) && x < ax+(y-ay)/(by-ay)*(bx-ax) {
			odd = !odd
		}
	}
	return odd
}

// insideOf is a point well within an area: on a line through the middle of its box, in
// the middle of the longest piece inside.
func insideOf(g *Geometry) (x, y float64, ok bool) {
	b, ok := g.Box()
	if !ok {
		return 0, 0, false
	}
	y = scanLine(g, (b.MinY+b.MaxY)/2)
	cuts := crossingsAt(g, y)
	best := -1.0
	for i := 0; i+1 < len(cuts); i += 2 {
		if w := cuts[i+1] - cuts[i]; w > best {
			best, x = w, cuts[i]+w/2
		}
	}
	return x, y, best > 0
}

// MakeValid is ST_MakeValid by linework: areas by the even-odd rule; lines and points
// that areas collapse to stay beside them.
func MakeValid(g *Geometry) (*Geometry, error) {
	if g.empty {
		return g, nil
	}
	if err := checkFinite(g); err != nil {
		return nil, err
	}
	switch g.kind {
	case Point, MultiPoint:
		return g, nil
	case LineString:
		return validLine(g), nil
	case MultiLineString:
		var lines, points []*Geometry
		for _, p := range g.s.parts {
			if v := validLine(p); v.kind == Point {
				points = append(points, v)
			} else if !v.empty {
				lines = append(lines, v)
			}
		}
		return assemble(nil, lines, points, MultiLineString, g), nil
	case Polygon, MultiPolygon:
		return validArea(g)
	}
	parts := make([]*Geometry, 0, len(g.s.parts))
	for _, p := range g.s.parts {
		v, err := MakeValid(p)
		if err != nil {
			return nil, err
		}
		parts = append(parts, v)
	}
	return NewCollection(GeometryCollection, parts, g.dims, g.srid), nil
}

// validLine makes a point of a line without extent.
func validLine(g *Geometry) *Geometry {
	stride := g.dims.Stride()
	if g.empty {
		return g
	}
	if c := dropRepeatedXY(g.s.coords, stride); len(c) == stride {
		return NewPointDims(c, g.dims, g.srid)
	}
	return g
}

func validArea(g *Geometry) (*Geometry, error) {
	dims := g.dims
	if dims.HasM() { // overlays know no measures
		dims &^= XYM
	}
	stride := dims.Stride()
	var rings, points []*Geometry
	Force(g, dims).eachPath(func(c []float64, _ Kind) {
		c = dropRepeatedXY(c, stride)
		if len(c) == stride {
			points = append(points, NewPointDims(c, dims, g.srid))
			return
		}
		if c[0] != c[len(c)-stride] || c[1] != c[len(c)-stride+1] {
			c = append(c, c[:stride]...)
		}
		rings = append(rings, NewLineString(c, dims, g.srid))
	})
	area, rest, err := areaByParity(rings, dims, g.srid)
	if err != nil {
		return nil, err
	}
	var areas, lines []*Geometry
	if !area.empty {
		areas = area.leaves(nil)
	}
	if len(rest) > 0 { // what the area's border does not hold
		left := NewCollection(MultiLineString, rest, dims, g.srid)
		if !area.empty {
			if left, err = Combine(OverlayDifference, left, area); err != nil {
				return nil, err
			}
		}
		merged := LineMerge(left, false)
		if !merged.empty {
			lines = merged.leaves(nil)
		}
	}
	var alone []*Geometry
	for _, p := range points {
		held := !area.empty && area.locate(p.p[0], p.p[1]) != exterior
		for _, l := range lines {
			held = held || l.locate(p.p[0], p.p[1]) != exterior
		}
		if !held {
			alone = append(alone, p)
		}
	}
	return assemble(areas, lines, alone, g.kind, g), nil
}

// assemble puts areas, lines and points together as GEOS does: one kind alone in its
// multi geometry, several in a collection.
func assemble(areas, lines, points []*Geometry, kind Kind, g *Geometry) *Geometry {
	dims := g.dims
	for _, s := range [][]*Geometry{areas, lines, points} {
		if len(s) > 0 {
			dims = s[0].dims
		}
	}
	var parts []*Geometry
	for _, s := range [][]*Geometry{areas, lines, points} {
		if len(s) > 0 {
			parts = append(parts, gather(s, Point, dims, g.srid))
		}
	}
	switch len(parts) {
	case 0:
		return NewEmpty(kind, dims, g.srid)
	case 1:
		if p := parts[0]; kind.isMulti() && p.kind == kind.partKind() {
			return NewCollection(kind, []*Geometry{p}, dims, g.srid)
		}
		return parts[0]
	}
	return NewCollection(GeometryCollection, parts, dims, g.srid)
}

// BuildArea is ST_BuildArea: the area of rings, each hole within a hole an island.
func BuildArea(g *Geometry) (*Geometry, error) {
	if g.empty {
		return NewEmpty(Polygon, g.dims&XYZ, g.srid), nil
	}
	if err := checkConstruct(g); err != nil {
		return nil, err
	}
	lines, dims := lineworkOf([]*Geometry{g})
	all, _ := faces(lines, dims, g.srid)
	depth := parents(all)
	var kept []*Geometry
	for i, f := range all {
		if depth[i]%2 == 0 {
			kept = append(kept, f)
		}
	}
	if len(kept) == 0 {
		return nil, nil
	}
	return UnaryUnion(NewCollection(MultiPolygon, kept, dims, g.srid))
}

// parents counts for each face how many faces it fills a hole of, one within another.
func parents(all []*Geometry) []int {
	parent := make([]int, len(all))
	for i, f := range all {
		parent[i] = -1
		box := boxOf(f.Ring(0), f.dims.Stride())
		area := twiceArea(f.Ring(0), f.dims.Stride())
		for j, o := range all {
			if i == j {
				continue
			}
			for k := 1; k < o.NumRings(); k++ {
				if h := o.Ring(k); len(h) == len(f.Ring(0)) && boxOf(h, o.dims.Stride()) == box && twiceArea(h, o.dims.Stride()) == -area {
					parent[i] = j
				}
			}
		}
	}
	depth := make([]int, len(all))
	for i := range all {
		for p, n := parent[i], 0; p >= 0 && n <= len(all); p, n = parent[p], n+1 {
			depth[i]++
		}
	}
	return depth
}
