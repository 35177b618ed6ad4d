package geom

// coordBuilder collects positions of which some may have a z: when one has, all get
// one, 0 where it was missing.
type coordBuilder struct {
	xy []float64
	z  []float64 // empty as long as no position had one
}

func (b *coordBuilder) len() int { return len(b.xy) / 2 }

func (b *coordBuilder) add(x, y, z float64, hasZ bool) {
	if hasZ && len(b.z) == 0 {
		b.z = make([]float64, b.len(), cap(b.xy)/2+1)
	}
	b.xy = append(b.xy, x, y)
	if hasZ || len(b.z) > 0 {
		b.z = append(b.z, z)
	}
}

// flat returns the positions interleaved.
func (b *coordBuilder) flat() ([]float64, Dims) {
	if len(b.z) == 0 {
		return b.xy, XY
	}
	out := make([]float64, 0, 3*len(b.z))
	for i, z := range b.z {
		out = append(out, b.xy[2*i], b.xy[2*i+1], z)
	}
	return out, XYZ
}

// coordinates reads the coordinates of a geometry of any kind but a collection from
// the array at i; nil after a fault. The array has been checked to be JSON.
func (r *geoJSON) coordinates(kind Kind, i int) *Geometry {
	var b coordBuilder
	switch kind {
	case Point:
		if _, some, end := r.position(&b, i); end < 0 {
			return nil
		} else if !some {
			return NewEmpty(Point, XY, 0)
		}
		coords, dims := b.flat()
		return NewPointDims(coords, dims, 0)
	case LineString:
		if r.line(&b, i) < 0 {
			return nil
		}
		coords, dims := b.flat()
		return NewLineString(coords, dims, 0)
	case MultiPoint:
		if r.positions(&b, i) < 0 {
			return nil
		}
		coords, dims := b.flat()
		return multiPoint(coords, dims)
	case Polygon:
		var ends []int
		if r.rings(&b, &ends, i) < 0 {
			return nil
		}
		coords, dims := b.flat()
		return polygonOfPositions(coords, ends, 0, dims)
	case MultiLineString:
		var ends []int
		if r.elements(i, func(at int) int {
			end := r.line(&b, at)
			ends = append(ends, b.len())
			return end
		}) < 0 {
			return nil
		}
		coords, dims := b.flat()
		parts := make([]*Geometry, len(ends))
		start := 0
		for i, end := range ends {
			stop := end * dims.Stride()
			parts[i] = NewLineString(coords[start:stop:stop], dims, 0)
			start = stop
		}
		return NewCollection(MultiLineString, parts, dims, 0)
	}
	return r.multiPolygon(&b, i)
}

func multiPoint(coords []float64, dims Dims) *Geometry {
	stride := dims.Stride()
	points := make([]Geometry, len(coords)/stride)
	parts := make([]*Geometry, len(points))
	for i := range points {
		points[i] = Geometry{kind: Point, dims: dims}
		copy(points[i].p[:stride], coords[i*stride:])
		parts[i] = &points[i]
	}
	return NewCollection(MultiPoint, parts, dims, 0)
}

func (r *geoJSON) multiPolygon(b *coordBuilder, i int) *Geometry {
	var ends, polyEnds []int // polyEnds counts rings
	if r.elements(i, func(at int) int {
		n := len(ends)
		end := r.rings(b, &ends, at)
		if len(ends) > n {
			polyEnds = append(polyEnds, len(ends))
		}
		return end
	}) < 0 {
		return nil
	}
	coords, dims := b.flat()
	parts := make([]*Geometry, len(polyEnds))
	ring, start := 0, 0
	for i, end := range polyEnds {
		parts[i] = polygonOfPositions(coords, ends[ring:end], start, dims)
		ring, start = end, ends[end-1]
	}
	return NewCollection(MultiPolygon, parts, dims, 0)
}

// polygonOfPositions makes a polygon of rings that end at the given positions of
// coords, the first beginning at position start.
func polygonOfPositions(coords []float64, ends []int, start int, dims Dims) *Geometry {
	if len(ends) == 0 {
		return NewEmpty(Polygon, dims, 0)
	}
	stride := dims.Stride()
	own := make([]int, len(ends))
	for i, e := range ends {
		own[i] = (e - start) * stride
	}
	stop := ends[len(ends)-1] * stride
	return newPolygon(coords[start*stride:stop:stop], own, dims, 0)
}

// rings reads an array of rings and appends the positions at which they end; rings
// without positions are left out.
func (r *geoJSON) rings(b *coordBuilder, ends *[]int, i int) int {
	if r.s[i] != '[' {
		return r.fail(faultNesting, i)
	}
	return r.elements(i, func(at int) int {
		start := b.len()
		end := r.positions(b, at)
		if end < 0 || b.len() == start {
			return end
		}
		if r.property {
			if b.len()-start < 4 {
				return r.fail(faultFewPositions, at)
			}
			if last := b.len() - 1; b.xy[2*start] != b.xy[2*last] || b.xy[2*start+1] != b.xy[2*last+1] {
				return r.fail(faultUnclosed, at)
			}
		}
		*ends = append(*ends, b.len())
		return end
	})
}

func (r *geoJSON) line(b *coordBuilder, i int) int {
	start := b.len()
	end := r.positions(b, i)
	if end >= 0 && r.property && b.len()-start == 1 {
		return r.fail(faultFewPositions, i)
	}
	return end
}

// positions reads an array of positions; those without numbers are left out.
func (r *geoJSON) positions(b *coordBuilder, i int) int {
	if r.s[i] != '[' {
		return r.fail(faultNesting, i)
	}
	return r.elements(i, func(at int) int {
		_, _, end := r.position(b, at)
		return end
	})
}

// position reads [x, y], [x, y, z] or [] and adds it to b; some is false for [].
func (r *geoJSON) position(b *coordBuilder, i int) (n int, some bool, end int) {
	if r.s[i] != '[' {
		return 0, false, r.fail(faultNesting, i)
	}
	var p [3]float64
	hasZ := false
	i = r.blank(i + 1)
	for r.s[i] != ']' {
		v, end := scanNumber(r.s, i)
		switch {
		case end > i && n < 3:
			p[n] = v
			hasZ = n == 2
		case end > i:
		case n < 2:
			if r.s[i] == '[' {
				return n, false, r.fail(faultNesting, i)
			}
			return n, false, r.fail(faultNotNumber, i)
		default:
			if end = r.skip(i, 0); end < 0 {
				return n, false, -1
			}
		}
		if r.property && n < 2 {
			if !isFinite(v) {
				return n, false, r.fail(faultNotFinite, i)
			}
			if limit := 180 - float64(90*n); v < -limit || v > limit {
				return n, false, r.fail(faultRange, i)
			}
		}
		n++
		if i = r.blank(end); r.s[i] == ',' {
			i = r.blank(i + 1)
		}
	}
	switch {
	case n == 0:
		return 0, false, i + 1
	case n == 1:
		return 1, false, r.fail(faultFewOrdinates, i)
	}
	if !isFinite(p[2]) {
		hasZ = false
	}
	b.add(p[0]+0, p[1]+0, p[2]+0, hasZ) // -0 + 0 is 0
	return n, true, i + 1
}
