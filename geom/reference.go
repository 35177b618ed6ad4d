package geom

import (
	"fmt"
	"math"
)

// Interpolate is the point of a line at a part of its length, 0 to 1; every ordinate is
// interpolated.
func Interpolate(line *Geometry, fraction float64) *Geometry {
	if line.empty {
		return NewEmpty(Point, line.dims, line.srid)
	}
	stride := line.dims.Stride()
	p := positionAt(line.s.coords, stride, fraction*pathLength(line.s.coords, stride))
	return NewPointDims(p, line.dims, line.srid)
}

func positionAt(c []float64, stride int, at float64) []float64 {
	if at <= 0 {
		return c[:stride]
	}
	for i := stride; i < len(c); i += stride {
		l := math.Hypot(c[i]-c[i-stride], c[i+1]-c[i-stride+1])
		if at <= l && l > 0 {
			if at == l {
				return c[i : i+stride]
			}
			return mixed(c[i-stride:i], c[i:i+stride], at/l)
		}
		at -= l
	}
	return c[len(c)-stride:]
}

func mixed(a, b []float64, t float64) []float64 {
	p := make([]float64, len(a))
	for k := range p {
		p[k] = a[k] + t*(b[k]-a[k])
	}
	return p
}

// Locate is how far along a line, as a part of its length, the point nearest to x y lies.
func Locate(line *Geometry, x, y float64) float64 {
	c, stride := line.s.coords, line.dims.Stride()
	total := pathLength(c, stride)
	if total == 0 {
		return 0
	}
	best, at, done := math.Inf(1), 0.0, 0.0
	for i := stride; i < len(c); i += stride {
		l := math.Hypot(c[i]-c[i-stride], c[i+1]-c[i-stride+1])
		t, d := nearestOnSegment(x, y, c[i-stride], c[i-stride+1], c[i], c[i+1])
		if d < best {
			best, at = d, done+t*l
		}
		done += l
	}
	return min(at/total, 1)
}

// Substring is the part of a line between two parts of its length; a point when they are
// the same.
func Substring(line *Geometry, from, to float64) *Geometry {
	if line.empty {
		return line
	}
	c, stride := line.s.coords, line.dims.Stride()
	total := pathLength(c, stride)
	if from == to {
		return NewPointDims(positionAt(c, stride, from*total), line.dims, line.srid)
	}
	out := append([]float64{}, positionAt(c, stride, from*total)...)
	done := 0.0
	for i := stride; i < len(c); i += stride {
		done += math.Hypot(c[i]-c[i-stride], c[i+1]-c[i-stride+1])
		if done > from*total && done < to*total {
			out = append(out, c[i:i+stride]...)
		}
	}
	out = append(out, positionAt(c, stride, to*total)...)
	return NewLineString(dropRepeatedXY(out, stride), line.dims, line.srid)
}

// AddMeasure gives lines a measure that runs from one value to another by length.
func AddMeasure(g *Geometry, from, to float64) *Geometry {
	dims := g.dims | XYM
	if g.kind == MultiLineString {
		total, done := 0.0, 0.0
		for _, p := range g.s.parts {
			total += pathLength(p.s.coords, p.dims.Stride())
		}
		parts := make([]*Geometry, len(g.s.parts))
		for i, p := range g.s.parts {
			l := pathLength(p.s.coords, p.dims.Stride())
			if total > 0 {
				parts[i] = AddMeasure(p, from+(to-from)*done/total, from+(to-from)*(done+l)/total)
			} else {
				parts[i] = AddMeasure(p, from, to)
			}
			done += l
		}
		return NewCollection(MultiLineString, parts, dims, g.srid)
	}
	if g.empty {
		return NewEmpty(g.kind, dims, g.srid)
	}
	c, stride := append([]float64(nil), Force(g, dims).s.coords...), dims.Stride()
	total := pathLength(c, stride)
	n := len(c) / stride
	done := 0.0
	for i := 0; i < len(c); i += stride {
		if i > 0 {
			done += math.Hypot(c[i]-c[i-stride], c[i+1]-c[i-stride+1])
		}
		switch {
		case total > 0:
			c[i+stride-1] = from + (to-from)*done/total
		case n > 1:
			c[i+stride-1] = from + (to-from)*float64(i/stride)/float64(n-1)
		default:
			c[i+stride-1] = from
		}
	}
	return NewLineString(c, dims, g.srid)
}

// MeasureAt is the measure of a line at the point nearest to x y.
func MeasureAt(line *Geometry, x, y float64) float64 {
	c, stride := line.s.coords, line.dims.Stride()
	best, m := math.Inf(1), 0.0
	for i := stride; i < len(c); i += stride {
		t, d := nearestOnSegment(x, y, c[i-stride], c[i-stride+1], c[i], c[i+1])
		if d < best {
			best, m = d, c[i-1]+t*(c[i+stride-1]-c[i-1])
		}
	}
	return m
}

// Between is what of g has a measure, or with axis 2 a z, from lo to hi: points and pieces
// of lines. offset moves the pieces to the left.
func Between(g *Geometry, lo, hi float64, axis int) (*Geometry, error) {
	var points, lines []*Geometry
	stride := g.dims.Stride()
	if axis < 0 {
		axis = stride - 1
	}
	for _, p := range g.leaves(nil) {
		switch p.kind {
		case Point:
			if !p.empty && p.p[axis] >= lo && p.p[axis] <= hi {
				points = append(points, p)
			}
		case LineString:
			a, b := clipMeasure(p.s.coords, stride, axis, lo, hi)
			for _, c := range a {
				lines = append(lines, NewLineString(c, g.dims, g.srid))
			}
			for _, c := range b {
				points = append(points, NewPointDims(c, g.dims, g.srid))
			}
		default:
			return nil, fmt.Errorf("unsupported type %s", p.kind)
		}
	}
	switch {
	case len(points) == 0 && len(lines) == 0:
		kind := MultiLineString
		if g.Dimension() == 0 {
			kind = MultiPoint
		}
		return NewEmpty(kind, g.dims, g.srid), nil
	case len(points) == 0:
		return NewCollection(MultiLineString, lines, g.dims, g.srid), nil
	case len(lines) == 0:
		return NewCollection(MultiPoint, points, g.dims, g.srid), nil
	}
	return NewCollection(GeometryCollection, append(lines, points...), g.dims, g.srid), nil
}

// clipMeasure cuts a path to where one ordinate lies from lo to hi.
func clipMeasure(c []float64, stride, axis int, lo, hi float64) (lines, points [][]float64) {
	var cur []float64
	flush := func() {
		if n := len(cur) / stride; n > 1 {
			lines = append(lines, cur)
		} else if n == 1 {
			points = append(points, cur)
		}
		cur = nil
	}
	push := func(p []float64) {
		if n := len(cur); n > 0 && sameFloats(cur[n-stride:], p) {
			return
		}
		cur = append(cur, p...)
	}
	for i := 0; i < len(c); i += stride {
		p := c[i : i+stride]
		in := p[axis] >= lo && p[axis] <= hi
		if i > 0 {
			q := c[i-stride : i]
			if q[axis] != p[axis] {
				first, last := lo, hi
				if p[axis] < q[axis] {
					first, last = hi, lo
				}
				for _, v := range [2]float64{first, last} {
					if t := (v - q[axis]) / (p[axis] - q[axis]); t > 0 && t < 1 {
						m := mixed(q, p, t)
						m[axis] = v
						if v == first {
							flush()
						}
						push(m)
						if v == last {
							flush()
							if first == last {
								break
							}
						}
					}
				}
			}
		}
		if in {
			push(p)
		} else {
			flush()
		}
	}
	flush()
	return lines, points
}
