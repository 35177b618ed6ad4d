package geom

import "math"

// Grid is a raster that positions are moved to: origin and cell size per ordinate, in
// the order x, y, z, m; a size of 0 leaves an ordinate as it is.
type Grid struct{ Origin, Size [4]float64 }

// snap moves the position p, whose dimensions are dims, onto the grid.
func (r *Grid) snap(p []float64, dims Dims) {
	for i := range p {
		axis := i
		if dims == XYM && i == 2 {
			axis = 3
		}
		if s := r.Size[axis]; s > 0 {
			p[i] = math.RoundToEven((p[i]-r.Origin[axis])/s)*s + r.Origin[axis]
		}
	}
}

// SnapToGrid moves every position onto a grid, drops positions that repeat the one before
// and what no longer is a line or ring, as PostGIS does.
func SnapToGrid(g *Geometry, r Grid) *Geometry {
	moved := g.Map(func(p []float64) { r.snap(p, g.dims) })
	out := tidy(moved)
	if out == nil {
		return NewEmpty(g.kind, g.dims, g.srid)
	}
	return out
}

// tidy drops repeated positions, lines of one position and rings of fewer than four; nil
// when nothing is left.
func tidy(g *Geometry) *Geometry {
	if g.empty {
		return g
	}
	stride := g.dims.Stride()
	switch g.kind {
	case Point:
		return g
	case LineString:
		c := dropRepeated(g.s.coords, stride)
		if len(c) < 2*stride {
			return nil
		}
		return NewLineString(c, g.dims, g.srid)
	case Polygon:
		var rings [][]float64
		for i := range g.s.ends {
			c := dropRepeated(g.Ring(i), stride)
			if len(c) >= 4*stride {
				rings = append(rings, c)
			} else if i == 0 {
				return nil
			}
		}
		return NewPolygon(rings, g.dims, g.srid)
	}
	var parts []*Geometry
	for _, p := range g.s.parts {
		if t := tidy(p); t != nil {
			parts = append(parts, t)
		}
	}
	if len(parts) == 0 {
		return nil
	}
	return NewCollection(g.kind, parts, g.dims, g.srid)
}

// dropRepeated leaves out positions equal to the one before in every ordinate.
func dropRepeated(c []float64, stride int) []float64 {
	out := make([]float64, 0, len(c))
	for i := 0; i < len(c); i += stride {
		p := c[i : i+stride]
		if n := len(out); n > 0 && sameFloats(out[n-stride:], p) {
			continue
		}
		out = append(out, p...)
	}
	return out
}

// ReducePrecision rounds x and y to multiples of size and mends areas that rounding made
// invalid.
func ReducePrecision(g *Geometry, size float64) (*Geometry, error) {
	if size <= 0 || g.empty {
		return g, nil
	}
	inv := 1 / size
	whole := inv == math.Floor(inv)
	round := func(v float64) float64 {
		if whole {
			return math.Floor(v*inv+0.5) / inv
		}
		return math.Floor(v/size+0.5) * size
	}
	out := tidy(g.Map(func(p []float64) { p[0], p[1] = round(p[0]), round(p[1]) }))
	if out == nil {
		return NewEmpty(g.kind, g.dims, g.srid), nil
	}
	if out.Dimension() == 2 {
		return UnaryUnion(out)
	}
	return out, nil
}
