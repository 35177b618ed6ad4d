package geom

import (
	"cmp"
	"slices"
)

// Normalize is ST_Normalize, in the order of GEOS: lines run from their lesser end, rings
// start at their least position with shells clockwise and holes against it, and what can
// change places stands in descending order.
func Normalize(g *Geometry) *Geometry {
	if g.empty {
		return g
	}
	stride := g.dims.Stride()
	switch g.kind {
	case Point:
		return g
	case LineString:
		return NewLineString(normalLine(g.s.coords, stride), g.dims, g.srid)
	case Polygon:
		rings := make([][]float64, len(g.s.ends))
		for i := range rings {
			rings[i] = normalRing(g.Ring(i), stride, i == 0)
		}
		slices.SortStableFunc(rings[1:], func(a, b []float64) int { return comparePaths(b, a, stride, stride) })
		return NewPolygon(rings, g.dims, g.srid)
	}
	parts := make([]*Geometry, len(g.s.parts))
	for i, p := range g.s.parts {
		parts[i] = Normalize(p)
	}
	slices.SortStableFunc(parts, func(a, b *Geometry) int { return compareShapes(b, a) })
	return NewCollection(g.kind, parts, g.dims, g.srid)
}

func normalLine(c []float64, stride int) []float64 {
	n := len(c) / stride
	if last := (n - 1) * stride; n > 3 && c[0] == c[last] && c[1] == c[last+1] {
		c = fromLeast(c, stride)
		if ringArea(c, stride) < 0 {
			c = backward(c, stride)
		}
		return c
	}
	for i, j := 0, n-1; i < j; i, j = i+1, j-1 {
		if o := slices.Compare(c[i*stride:i*stride+2], c[j*stride:j*stride+2]); o != 0 {
			if o > 0 {
				return backward(c, stride)
			}
			break
		}
	}
	return c
}

func normalRing(c []float64, stride int, clockwise bool) []float64 {
	c = fromLeast(c, stride)
	if ccw := ringArea(c, stride) < 0; ccw == clockwise {
		c = backward(c, stride)
	}
	return c
}

// fromLeast turns a closed path so that it starts and ends at its least position.
func fromLeast(c []float64, stride int) []float64 {
	least := 0
	for k := stride; k < len(c)-stride; k += stride {
		if slices.Compare(c[k:k+2], c[least:least+2]) < 0 {
			least = k
		}
	}
	return slices.Concat(c[least:len(c)-stride], c[:least], c[least:least+stride])
}

func backward(c []float64, stride int) []float64 {
	out := make([]float64, 0, len(c))
	for i := len(c) - stride; i >= 0; i -= stride {
		out = append(out, c[i:i+stride]...)
	}
	return out
}

// comparePaths orders two paths by their positions, x before y, then by their number.
func comparePaths(a, b []float64, strideA, strideB int) int {
	for i, j := 0, 0; i < len(a) && j < len(b); i, j = i+strideA, j+strideB {
		if o := slices.Compare(a[i:i+2], b[j:j+2]); o != 0 {
			return o
		}
	}
	return cmp.Compare(len(a)/strideA, len(b)/strideB)
}

// kindOrder is the place of a kind in GEOS's order of shapes.
var kindOrder = [...]int{
	Point: 0, MultiPoint: 1, LineString: 2, MultiLineString: 3, Polygon: 4, MultiPolygon: 5, GeometryCollection: 6,
}

// compareShapes is GEOS's order of shapes: by kind, the empty first, then by position.
func compareShapes(a, b *Geometry) int {
	if o := cmp.Compare(kindOrder[a.kind], kindOrder[b.kind]); o != 0 {
		return o
	}
	switch {
	case a.empty && b.empty:
		return 0
	case a.empty:
		return -1
	case b.empty:
		return 1
	}
	sa, sb := a.dims.Stride(), b.dims.Stride()
	switch a.kind {
	case Point:
		return slices.Compare(a.p[:2], b.p[:2])
	case LineString:
		return comparePaths(a.s.coords, b.s.coords, sa, sb)
	case Polygon:
		if o := comparePaths(a.Ring(0), b.Ring(0), sa, sb); o != 0 {
			return o
		}
		if o := cmp.Compare(len(a.s.ends), len(b.s.ends)); o != 0 {
			return o
		}
		for i := 1; i < len(a.s.ends); i++ {
			if o := comparePaths(a.Ring(i), b.Ring(i), sa, sb); o != 0 {
				return o
			}
		}
		return 0
	}
	return slices.CompareFunc(a.s.parts, b.s.parts, compareShapes)
}
