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
// index i; nil and -1 after a fault.
func (r *geoJSON) coordinates(kind Kind, i int) (*Geometry, int) {
	if i >= len(r.s) || r.s[i] != '[' {
		if r.skip(i, 0) < 0 {
			return nil, -1
		}
		return nil, r.fail(faultNotArray, i)
	}
	var b coordBuilder
	var ends, polygonEnds []int // positions behind each line or ring, rings behind each polygon
	end := -1
	switch kind {
	case Point:
		end = r.position(&b, i)
	case LineString:
		end = r.line(&b, i)
	case MultiPoint:
		end = r.positions(&b, i)
	case Polygon:
		end = r.rings(&b, &ends, i)
	case MultiLineString:
		end = r.elements(i, func(at int) int {
			end := r.line(&b, at)
			ends = append(ends, b.len())
			return end
		})
	case MultiPolygon:
		end = r.elements(i, func(at int) int {
			n := len(ends)
			end := r.rings(&b, &ends, at)
			if len(ends) > n {
				polygonEnds = append(polygonEnds, len(ends))
			}
			return end
		})
	}
	if end < 0 {
		return nil, -1
	}
	coords, dims := b.flat()
	switch kind {
	case Point:
		if len(coords) == 0 {
			return NewEmpty(Point, XY, 0), end
		}
		return NewPointDims(coords, dims, 0), end
	case LineString:
		return NewLineString(coords, dims, 0), end
	case MultiPoint:
		return multiPoint(coords, dims), end
	case Polygon:
		return polygonOfPositions(coords, ends, 0, dims), end
	case MultiLineString:
		return multiLineString(coords, ends, dims), end
	}
	return multiPolygon(coords, ends, polygonEnds, dims), end
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

func multiLineString(coords []float64, ends []int, dims Dims) *Geometry {
	parts := make([]*Geometry, len(ends))
	start := 0
	for i, end := range ends {
		stop := end * dims.Stride()
		parts[i] = NewLineString(coords[start:stop:stop], dims, 0)
		start = stop
	}
	return NewCollection(MultiLineString, parts, dims, 0)
}

func multiPolygon(coords []float64, ends, polygonEnds []int, dims Dims) *Geometry {
	parts := make([]*Geometry, len(polygonEnds))
	ring, start := 0, 0
	for i, end := range polygonEnds {
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

// array checks that an array begins at index i.
func (r *geoJSON) array(i int) bool {
	if i < len(r.s) && r.s[i] == '[' {
		return true
	}
	if r.skip(i, 0) >= 0 {
		r.fail(faultNesting, i)
	}
	return false
}

// rings reads an array of rings and appends the positions at which they end; rings
// without positions are left out.
func (r *geoJSON) rings(b *coordBuilder, ends *[]int, i int) int {
	if !r.array(i) {
		return -1
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
	if !r.array(i) {
		return -1
	}
	return r.elements(i, func(at int) int { return r.position(b, at) })
}

// position reads [x, y] or [x, y, z] and adds it to b; [] adds nothing. It does in one
// loop what elements does in general, being most of the work.
func (r *geoJSON) position(b *coordBuilder, i int) int {
	if !r.array(i) {
		return -1
	}
	var p [3]float64
	n, hasZ, start := 0, false, i
	for i = r.blank(i + 1); i < len(r.s) && r.s[i] != ']'; n++ {
		v, end := scanNumber(r.s, i)
		switch {
		case end > i && n < 3:
			p[n] = v
			hasZ = n == 2 && isFinite(v)
		case end > i:
		case n < 2:
			nested := r.s[i] == '['
			if end = r.skip(i, 0); end < 0 {
				return -1
			}
			if nested {
				return r.fail(faultNesting, i)
			}
			return r.fail(faultNotNumber, i)
		default:
			if end = r.skip(i, 0); end < 0 {
				return -1
			}
		}
		if r.property && n < 2 {
			if !isFinite(v) {
				return r.fail(faultNotFinite, i)
			}
			if limit := 180 - float64(90*n); v < -limit || v > limit {
				return r.fail(faultRange, i)
			}
		}
		i = r.blank(end)
		if i < len(r.s) && r.s[i] == ',' {
			if i = r.blank(i + 1); i < len(r.s) && r.s[i] == ']' {
				return r.fail(faultCharacter, i)
			}
		} else if i < len(r.s) && r.s[i] != ']' {
			return r.fail(faultArrayComma, i)
		}
	}
	switch {
	case i >= len(r.s):
		return r.fail(faultEnd, len(r.s))
	case n == 1:
		return r.fail(faultFewOrdinates, start)
	case n > 1:
		b.add(p[0]+0, p[1]+0, p[2]+0, hasZ) // -0 + 0 is 0
	}
	return i + 1
}
