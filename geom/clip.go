package geom

// ClipToBox keeps what of g lies in a box: points and lines exactly, rings by Sutherland
// and Hodgman's algorithm, which joins pieces along the edge of the box. It never fails.
func ClipToBox(g *Geometry, b Box) *Geometry {
	dims, stride := g.dims, g.dims.Stride()
	if gb, ok := g.Box(); ok && b.Contains(gb) {
		return g
	}
	switch g.kind {
	case Point:
		if g.empty || !b.ContainsPoint(g.p[0], g.p[1]) {
			return NewEmpty(Point, dims, g.srid)
		}
		return g
	case LineString:
		var parts []*Geometry
		for _, c := range clipLine(g.s.coords, stride, b) {
			parts = append(parts, NewLineString(c, dims, g.srid))
		}
		return gather(parts, LineString, dims, g.srid)
	case Polygon:
		var rings [][]float64
		for i := range g.s.ends {
			c := clipRing(g.Ring(i), stride, b)
			if len(c) >= 4*stride {
				rings = append(rings, c)
			} else if i == 0 {
				return NewEmpty(Polygon, dims, g.srid)
			}
		}
		return NewPolygon(rings, dims, g.srid)
	}
	var parts []*Geometry
	for _, p := range g.s.parts {
		if c := ClipToBox(p, b); !c.empty {
			parts = append(parts, c.leaves(nil)...)
		}
	}
	if g.kind == GeometryCollection {
		return NewCollection(GeometryCollection, parts, dims, g.srid)
	}
	return gather(parts, g.kind.partKind(), dims, g.srid)
}

// clipLine cuts a line into the pieces within b (Liang and Barsky).
func clipLine(c []float64, stride int, b Box) [][]float64 {
	var out [][]float64
	var cur []float64
	flush := func() {
		if len(cur) > stride {
			out = append(out, cur)
		}
		cur = nil
	}
	at := func(i int, t float64) []float64 {
		p := make([]float64, stride)
		for k := range p {
			switch t {
			case 0:
				p[k] = c[i-stride+k]
			case 1:
				p[k] = c[i+k]
			default:
				p[k] = c[i-stride+k] + t*(c[i+k]-c[i-stride+k])
			}
		}
		return p
	}
	for i := stride; i < len(c); i += stride {
		x, y := c[i-stride], c[i-stride+1]
		dx, dy := c[i]-x, c[i+1]-y
		t0, t1 := 0.0, 1.0
		ok := true
		for _, e := range [4][2]float64{{-dx, x - b.MinX}, {dx, b.MaxX - x}, {-dy, y - b.MinY}, {dy, b.MaxY - y}} {
			switch p, q := e[0], e[1]; {
			case p == 0:
				ok = ok && q >= 0
			case p < 0:
				t0 = max(t0, q/p)
			default:
				t1 = min(t1, q/p)
			}
		}
		if !ok || t0 > t1 {
			flush()
			continue
		}
		if t0 > 0 || cur == nil {
			flush()
			cur = at(i, t0)
		}
		if t1 > t0 {
			cur = append(cur, at(i, t1)...)
		}
		if t1 < 1 {
			flush()
		}
	}
	flush()
	return out
}

// clipRing cuts a ring at the four sides of b, one after another.
func clipRing(c []float64, stride int, b Box) []float64 {
	for side := range 4 {
		axis := side / 2
		limit := [4]float64{b.MinX, b.MaxX, b.MinY, b.MaxY}[side]
		sign := 1.0
		if side%2 == 1 {
			sign = -1
		}
		in := func(p []float64) bool { return sign*(p[axis]-limit) >= 0 }
		out := make([]float64, 0, len(c)+4*stride)
		n := len(c)/stride - 1 // the closing position is set anew
		for i := range max(n, 0) {
			p, q := c[i*stride:(i+1)*stride], c[(i+1)*stride:(i+2)*stride]
			if in(p) {
				out = append(out, p...)
			}
			if in(p) != in(q) {
				t := (limit - p[axis]) / (q[axis] - p[axis])
				for k := range p {
					out = append(out, p[k]+t*(q[k]-p[k]))
				}
				out[len(out)-stride+axis] = limit
			}
		}
		if len(out) < 3*stride {
			return nil
		}
		c = append(out, out[:stride]...)
	}
	return c
}
