package geom

// Force returns g with the ordinates of dims: those missing become 0, others are
// dropped.
func Force(g *Geometry, dims Dims) *Geometry {
	if g.dims == dims {
		return g
	}
	switch {
	case g.kind == Point:
		c := &Geometry{kind: Point, dims: dims, empty: g.empty, srid: g.srid}
		if !g.empty {
			forceCoords(c.p[:0], g.p[:g.dims.Stride()], g.dims, dims)
		}
		return c
	case g.kind.isMulti():
		parts := make([]*Geometry, len(g.s.parts))
		for i, p := range g.s.parts {
			parts[i] = Force(p, dims)
		}
		return NewCollection(g.kind, parts, dims, g.srid)
	}
	from, to := g.dims.Stride(), dims.Stride()
	n := len(g.s.coords) / from
	coords := forceCoords(make([]float64, 0, n*to), g.s.coords, g.dims, dims)
	if g.kind == LineString {
		return NewLineString(coords, dims, g.srid)
	}
	ends := make([]int, len(g.s.ends))
	for i, e := range g.s.ends {
		ends[i] = e / from * to
	}
	return newPolygon(coords, ends, dims, g.srid)
}

func forceCoords(dst, src []float64, from, to Dims) []float64 {
	stride := from.Stride()
	for i := 0; i < len(src); i += stride {
		dst = append(dst, src[i], src[i+1])
		if to.HasZ() {
			z := 0.0
			if from.HasZ() {
				z = src[i+2]
			}
			dst = append(dst, z)
		}
		if to.HasM() {
			m := 0.0
			if from.HasM() {
				m = src[i+stride-1]
			}
			dst = append(dst, m)
		}
	}
	return dst
}
