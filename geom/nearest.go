package geom

import "math"

// Pair is a point of one geometry and a point of another.
type Pair struct {
	A, B     [3]float64
	Distance float64
}

// Line is the pair as a line from A to B.
func (p Pair) Line(dims Dims, srid int32) *Geometry {
	n := 2
	if dims.HasZ() {
		n = 3
	}
	return NewLineString(append(append([]float64{}, p.A[:n]...), p.B[:n]...), dims&XYZ, srid)
}

// span is a segment in space; points are segments without length.
type span struct{ a, b [3]float64 }

func (g *Geometry) spans(solid bool) []span {
	var out []span
	stride, z := g.dims.Stride(), solid && g.dims.HasZ()
	at := func(c []float64) (p [3]float64) {
		p[0], p[1] = c[0], c[1]
		if z {
			p[2] = c[2]
		}
		return p
	}
	g.eachPath(func(c []float64, _ Kind) {
		if len(c) == stride {
			out = append(out, span{at(c), at(c)})
		}
		for i := stride; i < len(c); i += stride {
			out = append(out, span{at(c[i-stride:]), at(c[i:])})
		}
	})
	return out
}

func minus(a, b [3]float64) [3]float64 { return [3]float64{a[0] - b[0], a[1] - b[1], a[2] - b[2]} }
func dot3(a, b [3]float64) float64     { return a[0]*b[0] + a[1]*b[1] + a[2]*b[2] }
func along(s span, t float64) [3]float64 {
	switch t {
	case 0:
		return s.a
	case 1:
		return s.b
	}
	return [3]float64{s.a[0] + t*(s.b[0]-s.a[0]), s.a[1] + t*(s.b[1]-s.a[1]), s.a[2] + t*(s.b[2]-s.a[2])}
}
func distance3(a, b [3]float64) float64 { d := minus(a, b); return math.Sqrt(dot3(d, d)) }

// closest are the nearest points of two segments (Ericson 2005, section 5.1.9).
func closest(p, q span) Pair {
	d1, d2, r := minus(p.b, p.a), minus(q.b, q.a), minus(p.a, q.a)
	a, e, f := dot3(d1, d1), dot3(d2, d2), dot3(d2, r)
	clamp := func(v float64) float64 { return max(0, min(1, v)) }
	var s, t float64
	switch {
	case a == 0 && e == 0:
	case a == 0:
		t = clamp(f / e)
	case e == 0:
		s = clamp(-dot3(d1, r) / a)
	default:
		b, c := dot3(d1, d2), dot3(d1, r)
		if den := a*e - b*b; den > 0 {
			s = clamp((b*f - c*e) / den)
		}
		t = (b*s + f) / e
		if t < 0 {
			t, s = 0, clamp(-c/a)
		} else if t > 1 {
			t, s = 1, clamp((b-c)/a)
		}
	}
	x, y := along(p, s), along(q, t)
	return Pair{x, y, distance3(x, y)}
}

// Nearest are the nearest points of a and b; solid counts z as well and takes areas for
// their borders alone. false when one is empty.
func Nearest(a, b *Geometry, solid bool) (Pair, bool) {
	if a.empty || b.empty {
		return Pair{}, false
	}
	best := Pair{Distance: math.Inf(1)}
	sa, sb := a.spans(solid), b.spans(solid)
	for _, p := range sa {
		for _, q := range sb {
			if c := closest(p, q); c.Distance < best.Distance {
				best = c
				if c.Distance == 0 {
					return best, true
				}
			}
		}
	}
	if !solid { // one may lie within the other
		for _, s := range sb {
			if a.Dimension() == 2 && a.locate(s.a[0], s.a[1]) == interior {
				return Pair{s.a, s.a, 0}, true
			}
		}
		for _, s := range sa {
			if b.Dimension() == 2 && b.locate(s.a[0], s.a[1]) == interior {
				return Pair{s.a, s.a, 0}, true
			}
		}
	}
	return best, !math.IsInf(best.Distance, 1)
}

// Farthest are the positions of a and b farthest apart.
func Farthest(a, b *Geometry, solid bool) (Pair, bool) {
	best := Pair{Distance: -1}
	for _, p := range a.positions3(solid) {
		for _, q := range b.positions3(solid) {
			if d := distance3(p, q); d > best.Distance {
				best = Pair{p, q, d}
			}
		}
	}
	return best, best.Distance >= 0
}

func (g *Geometry) positions3(solid bool) [][3]float64 {
	var out [][3]float64
	g.EachPosition(func(p []float64) bool {
		v := [3]float64{p[0], p[1], 0}
		if solid && g.dims.HasZ() {
			v[2] = p[2]
		}
		out = append(out, v)
		return true
	})
	return out
}

// Hausdorff is the discrete Hausdorff distance: the greatest distance of a position of one
// to the other; fraction below 1 adds positions along segments.
func Hausdorff(a, b *Geometry, fraction float64) (float64, bool) {
	if a.empty || b.empty {
		return 0, false
	}
	directed := func(from, to *Geometry) float64 {
		worst := 0.0
		spans := to.spans(false)
		try := func(x, y float64) {
			best := math.Inf(1)
			for _, s := range spans {
				_, d := nearestOnSegment(x, y, s.a[0], s.a[1], s.b[0], s.b[1])
				best = min(best, d)
			}
			worst = max(worst, best)
		}
		for _, s := range from.spans(false) {
			n := 1
			if fraction > 0 {
				n = int(math.Floor(1/fraction + 0.5))
			}
			for i := range n {
				t := float64(i) / float64(n)
				try(s.a[0]+t*(s.b[0]-s.a[0]), s.a[1]+t*(s.b[1]-s.a[1]))
			}
			try(s.b[0], s.b[1])
		}
		return math.Sqrt(worst)
	}
	return max(directed(a, b), directed(b, a)), true
}

// Frechet is the discrete Fréchet distance of the positions of a and b.
func Frechet(a, b *Geometry, fraction float64) (float64, bool) {
	if a.empty || b.empty {
		return 0, false
	}
	pa, pb := densified(a, fraction), densified(b, fraction)
	prev := make([]float64, len(pb))
	for i, p := range pa {
		diagonal := 0.0
		for j, q := range pb {
			d := distance3(p, q)
			var reach float64
			switch {
			case i == 0 && j == 0:
				reach = 0
			case i == 0:
				reach = prev[j-1]
			case j == 0:
				reach = prev[0]
			default:
				reach = min(prev[j], prev[j-1], diagonal)
			}
			diagonal, prev[j] = prev[j], max(d, reach)
		}
	}
	return prev[len(prev)-1], true
}

func densified(g *Geometry, fraction float64) [][3]float64 {
	if fraction <= 0 || fraction >= 1 {
		return g.positions3(false)
	}
	n := int(math.Ceil(1 / fraction))
	var out [][3]float64
	spans := g.spans(false)
	for _, s := range spans {
		for i := range n {
			out = append(out, along(s, float64(i)/float64(n)))
		}
	}
	return append(out, spans[len(spans)-1].b)
}
