package geom

import "math"

// withZ gives the positions of g a z from the shapes it was made of, when any has one:
// that of the same position, else what lies on the nearest segment, of two shapes the
// mean. GEOS does so where segments cross.
func withZ(g *Geometry, from ...*Geometry) *Geometry {
	if elevated(from...) == XY || g.empty {
		return g
	}
	type xy [2]float64
	known := map[xy]float64{}
	for _, s := range from {
		if !s.dims.HasZ() {
			continue
		}
		s.EachPosition(func(p []float64) bool {
			if _, ok := known[xy{p[0], p[1]}]; !ok && p[2] == p[2] {
				known[xy{p[0], p[1]}] = p[2]
			}
			return true
		})
	}
	return Force(g, XYZ).Map(func(p []float64) {
		at := xy{p[0], p[1]}
		z, ok := known[at]
		if !ok {
			z = meanZ(p[0], p[1], from)
			known[at] = z
		}
		p[2] = z
	})
}

func meanZ(x, y float64, from []*Geometry) float64 {
	sum, n := 0.0, 0
	for _, s := range from {
		if !s.dims.HasZ() {
			continue
		}
		if z, ok := s.zNear(x, y); ok {
			sum += z
			n++
		}
	}
	if n == 0 {
		return 0
	}
	return sum / float64(n)
}

// zNear is the z of the point of g's lines nearest to x y.
func (g *Geometry) zNear(x, y float64) (z float64, ok bool) {
	stride := g.dims.Stride()
	best := math.Inf(1)
	g.eachPath(func(c []float64, _ Kind) {
		for i := 0; i < len(c); i += stride {
			j := i + stride
			if j >= len(c) {
				j = i
			}
			t, d := nearestOnSegment(x, y, c[i], c[i+1], c[j], c[j+1])
			if d < best {
				best, z, ok = d, c[i+2]+t*(c[j+2]-c[i+2]), true
			}
		}
	})
	return z, ok
}

// nearestOnSegment returns how far along the segment from a to b the point nearest to x y
// lies, from 0 to 1, and the square of its distance.
func nearestOnSegment(x, y, ax, ay, bx, by float64) (t, d2 float64) {
	dx, dy := bx-ax, by-ay
	if l := dx*dx + dy*dy; l > 0 {
		t = max(0, min(1, ((x-ax)*dx+(y-ay)*dy)/l))
	}
	ex, ey := x-(ax+t*dx), y-(ay+t*dy)
	return t, ex*ex + ey*ey
}
