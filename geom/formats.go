package geom

import "math"

// AppendPolyline writes a line in Google's encoded polyline format.
func AppendPolyline(dst []byte, g *Geometry, precision int) []byte {
	scale := math.Pow10(precision)
	var px, py int64
	one := func(v int64) {
		u := uint64(v) << 1
		if v < 0 {
			u = ^u
		}
		for u >= 0x20 {
			dst = append(dst, byte(0x20|u&0x1f)+63)
			u >>= 5
		}
		dst = append(dst, byte(u)+63)
	}
	g.EachPosition(func(p []float64) bool {
		x, y := int64(math.Round(p[0]*scale)), int64(math.Round(p[1]*scale))
		one(y - py)
		one(x - px)
		px, py = x, y
		return true
	})
	return dst
}

// ParsePolyline reads an encoded polyline as a line of longitudes and latitudes.
func ParsePolyline(s string, precision int) *Geometry {
	scale := math.Pow10(precision)
	var coords []float64
	var at [2]int64
	for i := 0; i < len(s); {
		for k := range at {
			var v uint64
			for shift := 0; i < len(s) && shift < 64; shift += 5 {
				b := uint64(s[i]) - 63
				i++
				v |= (b & 0x1f) << shift
				if b < 0x20 {
					break
				}
			}
			d := int64(v >> 1)
			if v&1 == 1 {
				d = ^d
			}
			at[k] += d
		}
		coords = append(coords, float64(at[1])/scale, float64(at[0])/scale)
	}
	return NewLineString(coords, XY, 4326)
}

// AppendSVG writes g as the path data of SVG: y negated, absolute or relative moves.
func AppendSVG(dst []byte, g *Geometry, relative bool, digits int) []byte {
	num := func(v float64) { dst = appendNumber(dst, v, digits) }
	switch g.kind {
	case Point, MultiPoint:
		n := 0
		g.EachPosition(func(p []float64) bool {
			if n++; n > 1 {
				dst = append(dst, ',')
			}
			if relative {
				dst = append(dst, `x="`...)
				num(p[0])
				dst = append(dst, `" y="`...)
			} else {
				dst = append(dst, `cx="`...)
				num(p[0])
				dst = append(dst, `" cy="`...)
			}
			num(-p[1])
			dst = append(dst, '"')
			return true
		})
		return dst
	case GeometryCollection:
		for i, p := range g.s.parts {
			if i > 0 {
				dst = append(dst, ';')
			}
			dst = AppendSVG(dst, p, relative, digits)
		}
		return dst
	}
	first := true
	stride := g.dims.Stride()
	g.eachPath(func(c []float64, k Kind) {
		if !first {
			dst = append(dst, ' ')
		}
		first = false
		n := len(c) / stride
		ring := k == Polygon
		if ring {
			n--
		}
		px, py := 0.0, 0.0
		round := func(v float64) float64 {
			f := math.Pow10(digits)
			return math.RoundToEven(v*f) / f
		}
		for i := range n {
			x, y := c[i*stride], -c[i*stride+1]
			switch {
			case i == 0:
				dst = append(dst, "M "...)
			case i == 1 && relative:
				dst = append(dst, " l "...)
			case i == 1:
				dst = append(dst, " L "...)
			default:
				dst = append(dst, ' ')
			}
			if relative {
				x, y = round(x), round(y)
				if i == 0 {
					num(x)
					dst = append(dst, ' ')
					num(y)
				} else {
					num(x - px)
					dst = append(dst, ' ')
					num(y - py)
				}
				px, py = x, y
				continue
			}
			num(x)
			dst = append(dst, ' ')
			num(y)
		}
		if ring {
			dst = append(dst, ' ', "Zz"[b2i(relative)])
		}
	})
	return dst
}

func b2i(b bool) int {
	if b {
		return 1
	}
	return 0
}

// AppendKML writes g, in longitude and latitude, as KML 2; prefix is the namespace's.
func AppendKML(dst []byte, g *Geometry, digits int, prefix string) []byte {
	open := func(tag string) { dst = append(append(append(append(dst, '<'), prefix...), tag...), '>') }
	shut := func(tag string) { dst = append(append(append(append(dst, "</"...), prefix...), tag...), '>') }
	stride := min(g.dims.Stride(), 2+b2i(g.dims.HasZ()))
	coords := func(c []float64) {
		open("coordinates")
		for i := 0; i < len(c); i += g.dims.Stride() {
			if i > 0 {
				dst = append(dst, ' ')
			}
			for k := range stride {
				if k > 0 {
					dst = append(dst, ',')
				}
				dst = appendNumber(dst, c[i+k], digits)
			}
		}
		shut("coordinates")
	}
	switch g.kind {
	case Point:
		open("Point")
		coords(g.Positions())
		shut("Point")
	case LineString:
		open("LineString")
		coords(g.s.coords)
		shut("LineString")
	case Polygon:
		open("Polygon")
		for i := range g.s.ends {
			tag := "innerBoundaryIs"
			if i == 0 {
				tag = "outerBoundaryIs"
			}
			open(tag)
			open("LinearRing")
			coords(g.Ring(i))
			shut("LinearRing")
			shut(tag)
		}
		shut("Polygon")
	default:
		open("MultiGeometry")
		for _, p := range g.s.parts {
			dst = AppendKML(dst, p, digits, prefix)
		}
		shut("MultiGeometry")
	}
	return dst
}

// gmlNames are the elements of GML by kind: the name, and what holds a part in GML 2 and 3.
var gmlNames = map[Kind][3]string{
	MultiPoint: {"MultiPoint", "pointMember", "pointMember"}, MultiLineString: {"MultiLineString", "lineStringMember", "curveMember"},
	MultiPolygon: {"MultiPolygon", "polygonMember", "surfaceMember"}, GeometryCollection: {"MultiGeometry", "geometryMember", "geometryMember"},
}

// AppendGML writes g as GML 2 or 3. srs is the name of its system, "" for none.
func AppendGML(dst []byte, g *Geometry, version, digits int, srs string, options int) []byte {
	w := gml{out: dst, version: version, digits: digits, prefix: "gml:", flip: options&16 != 0, short: options&4 == 0, dimension: options&2 == 0}
	w.shape(g, srs)
	return w.out
}

type gml struct {
	out                    []byte
	version, digits        int
	prefix                 string
	flip, short, dimension bool
}

func (w *gml) open(tag, srs string) {
	w.out = append(append(append(w.out, '<'), w.prefix...), tag...)
	if srs != "" {
		w.out = append(append(append(w.out, ` srsName="`...), srs...), '"')
	}
	w.out = append(w.out, '>')
}

func (w *gml) shut(tag string) {
	w.out = append(append(append(append(w.out, "</"...), w.prefix...), tag...), '>')
}

func (w *gml) coords(c []float64, dims Dims, point bool) {
	n := 2 + b2i(dims.HasZ())
	tag, between, inside := "coordinates", byte(' '), byte(',')
	if w.version == 3 {
		tag, inside = "posList", ' '
		if point {
			tag = "pos"
		}
	}
	if w.version == 3 && w.dimension {
		w.out = append(append(append(w.out, '<'), w.prefix...), tag...)
		w.out = append(append(w.out, ` srsDimension="`...), byte('0'+n), '"', '>')
	} else {
		w.open(tag, "")
	}
	for i := 0; i < len(c); i += dims.Stride() {
		if i > 0 {
			w.out = append(w.out, between)
		}
		for k := range n {
			if k > 0 {
				w.out = append(w.out, inside)
			}
			j := k
			if w.flip && k < 2 {
				j = 1 - k
			}
			w.out = appendNumber(w.out, c[i+j], w.digits)
		}
	}
	w.shut(tag)
}

func (w *gml) shape(g *Geometry, srs string) {
	switch g.kind {
	case Point:
		w.open("Point", srs)
		if !g.empty {
			w.coords(g.Positions(), g.dims, true)
		}
		w.shut("Point")
	case LineString:
		if w.version == 3 && !w.short {
			w.open("Curve", srs)
			w.open("segments", "")
			w.open("LineStringSegment", "")
			w.coords(g.s.coords, g.dims, false)
			w.shut("LineStringSegment")
			w.shut("segments")
			w.shut("Curve")
			return
		}
		w.open("LineString", srs)
		w.coords(g.s.coords, g.dims, false)
		w.shut("LineString")
	case Polygon:
		w.open("Polygon", srs)
		for i := range g.s.ends {
			tag := [2][2]string{{"outerBoundaryIs", "innerBoundaryIs"}, {"exterior", "interior"}}[b2i(w.version == 3)][b2i(i > 0)]
			w.open(tag, "")
			w.open("LinearRing", "")
			w.coords(g.Ring(i), g.dims, false)
			w.shut("LinearRing")
			w.shut(tag)
		}
		w.shut("Polygon")
	default:
		names := gmlNames[g.kind]
		if w.version == 3 && g.kind == MultiLineString {
			names[0] = "MultiCurve"
		}
		if w.version == 3 && g.kind == MultiPolygon {
			names[0] = "MultiSurface"
		}
		w.open(names[0], srs)
		for _, p := range g.s.parts {
			w.open(names[b2i(w.version == 3)+1], "")
			w.shape(p, "")
			w.shut(names[b2i(w.version == 3)+1])
		}
		w.shut(names[0])
	}
}
