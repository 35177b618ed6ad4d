package geom

import "math"

// Simplify is ST_Simplify: Douglas and Peucker's algorithm on every line and ring. Areas
// and lines that collapse go, unless keep is set; nil when nothing is left.
func Simplify(g *Geometry, tolerance float64, keep bool) *Geometry {
	if g.empty {
		return g
	}
	return g.thin(func(c []float64, kind Kind, first bool) []float64 {
		stride := g.dims.Stride()
		if kind == LineString {
			out := simplifyPath(c, stride, tolerance, 2)
			if len(out) == 2*stride && len(c) > len(out) && sameFloats(out[:2], out[stride:stride+2]) && !keep {
				return nil
			}
			return out
		}
		minimum := 0
		if keep && first {
			minimum = 4
		}
		if out := simplifyPath(c, stride, tolerance, minimum); len(out) >= 4*stride {
			return out
		}
		return nil
	})
}

// thin rebuilds g of paths changed by fn, which returns nil for what goes; first is set
// for shells. It returns nil when nothing is left; points stay.
func (g *Geometry) thin(fn func(c []float64, kind Kind, first bool) []float64) *Geometry {
	if g.empty {
		return g
	}
	switch g.kind {
	case Point:
		return g
	case LineString:
		if c := fn(g.s.coords, LineString, true); c != nil {
			return NewLineString(c, g.dims, g.srid)
		}
		return nil
	case Polygon:
		var rings [][]float64
		for i := range g.s.ends {
			c := fn(g.Ring(i), Polygon, i == 0)
			if c == nil && i == 0 {
				return nil
			}
			if c != nil {
				rings = append(rings, c)
			}
		}
		return NewPolygon(rings, g.dims, g.srid)
	}
	var parts []*Geometry
	for _, p := range g.s.parts {
		if t := p.thin(fn); t != nil && !t.empty {
			parts = append(parts, t)
		}
	}
	if len(parts) == 0 {
		return nil
	}
	return NewCollection(g.kind, parts, g.dims, g.srid)
}

// simplifyPath keeps at least minimum positions (PostGIS's ptarray_simplify_in_place).
func simplifyPath(c []float64, stride int, tolerance float64, minimum int) []float64 {
	n := len(c) / stride
	if n < 3 || n <= minimum {
		return c
	}
	kept := make([]bool, n)
	kept[0], kept[n-1] = true, true
	count := 2
	first, last := 0, n-1
	var stack []int
	for {
		limit := tolerance * tolerance
		if count < minimum {
			limit = -1
		}
		split := first
		for k := first + 1; k < last; k++ {
			_, d := nearestOnSegment(c[k*stride], c[k*stride+1], c[first*stride], c[first*stride+1], c[last*stride], c[last*stride+1])
			if d > limit {
				limit, split = d, k
			}
		}
		if split != first {
			kept[split] = true
			count++
			stack = append(stack, last)
			last = split
			continue
		}
		if len(stack) == 0 {
			break
		}
		first, last = last, stack[len(stack)-1]
		stack = stack[:len(stack)-1]
	}
	out := make([]float64, 0, count*stride)
	for i, k := range kept {
		if k {
			out = append(out, c[i*stride:(i+1)*stride]...)
		}
	}
	return out
}

// RemoveRepeatedPoints drops positions within tolerance of the one before; lines keep two
// positions and rings four.
func RemoveRepeatedPoints(g *Geometry, tolerance float64) *Geometry {
	if g.kind == MultiPoint {
		var parts []*Geometry
		for _, p := range g.s.parts {
			near := false
			for _, q := range parts {
				d := math.Hypot(p.p[0]-q.p[0], p.p[1]-q.p[1])
				near = near || tolerance > 0 && d <= tolerance || tolerance <= 0 && Identical(p, q)
			}
			if !near {
				parts = append(parts, p)
			}
		}
		return NewCollection(MultiPoint, parts, g.dims, g.srid)
	}
	out := g.thin(func(c []float64, kind Kind, _ bool) []float64 {
		minimum := 2
		if kind == Polygon {
			minimum = 4
		}
		return withoutRepeated(c, g.dims.Stride(), tolerance, minimum)
	})
	if out == nil {
		return g
	}
	return out
}

func withoutRepeated(c []float64, stride int, tolerance float64, minimum int) []float64 {
	n := len(c) / stride
	if n < 2 {
		return c
	}
	out := append(make([]float64, 0, len(c)), c[:stride]...)
	for i := 1; i < n; i++ {
		p, prev := c[i*stride:(i+1)*stride], out[len(out)-stride:]
		kept := len(out) / stride
		if n-i+kept > minimum {
			d2 := math.Inf(1)
			if tolerance > 0 {
				d2 = (p[0]-prev[0])*(p[0]-prev[0]) + (p[1]-prev[1])*(p[1]-prev[1])
				if i < n-1 && d2 <= tolerance*tolerance {
					continue
				}
			} else if sameFloats(p, prev) {
				continue
			}
			if i == n-1 && kept > 1 && tolerance > 0 && d2 <= tolerance*tolerance {
				out = out[:len(out)-stride]
			}
		}
		out = append(out, p...)
	}
	return out
}
