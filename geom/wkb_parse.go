package geom

import (
	"encoding/binary"
	"math"
)

// ParseEWKB reads WKB in any spelling: EWKB flags or ISO type numbers, either byte
// order, an SRID where there is one. Bytes behind the geometry are ignored, as PostGIS
// does, and so are open rings and short lines.
func ParseEWKB(b []byte) (*Geometry, error) {
	if len(b) == 0 {
		return nil, parseErrorf("Unable to parse WKB")
	}
	r := wkbReader{b: b}
	g, err := r.geometry(0)
	if err != nil {
		return nil, err
	}
	return g, nil
}

// parseHex reads WKB in hexadecimal digits.
func parseHex(s string) (*Geometry, error) {
	if len(s)%2 != 0 {
		return nil, parseErrorf("Invalid hex string, length (%d) has to be a multiple of two!", len(s))
	}
	b := make([]byte, len(s)/2)
	for i := range b {
		hi, lo := hexDigit(s[2*i]), hexDigit(s[2*i+1])
		if hi > 15 || lo > 15 {
			bad := s[2*i]
			if hi <= 15 {
				bad = s[2*i+1]
			}
			return nil, parseErrorf("Invalid hex character (%c) encountered", rune(bad))
		}
		b[i] = hi<<4 | lo
	}
	return ParseEWKB(b)
}

func hexDigit(c byte) byte {
	switch {
	case c-'0' <= 9:
		return c - '0'
	case c|0x20 >= 'a' && c|0x20 <= 'f':
		return c | 0x20 - 'a' + 10
	}
	return 0xff
}

// wkbReader reads from b, of which the first bytes have been consumed.
type wkbReader struct {
	b []byte
}

var errWKBSize = parseErrorf("WKB structure does not match expected size!")

// geometry reads one geometry with its header.
func (r *wkbReader) geometry(depth int) (*Geometry, error) {
	if depth > maxNesting {
		return nil, parseErrorf(msgNesting)
	}
	if len(r.b) < 1 {
		return nil, errWKBSize
	}
	if r.b[0] > 1 {
		return nil, parseErrorf("Invalid endian flag value encountered.")
	}
	big := r.b[0] == 0
	r.b = r.b[1:]
	word, err := r.u32(big)
	if err != nil {
		return nil, err
	}
	kind, dims, err := wkbType(word)
	if err != nil {
		return nil, err
	}
	srid := int32(0)
	if word&ewkbSRID != 0 {
		v, err := r.u32(big)
		if err != nil {
			return nil, err
		}
		srid = ClampSRID(int64(int32(v)))
	}
	g, err := r.body(kind, dims, big, depth)
	if err != nil {
		return nil, err
	}
	g.srid = srid
	return g, nil
}

// wkbType takes the type word apart.
func wkbType(word uint32) (Kind, Dims, error) {
	dims := XY
	if word&ewkbZ != 0 {
		dims |= XYZ
	}
	if word&ewkbM != 0 {
		dims |= XYM
	}
	simple := word & 0x0fffffff
	if simple >= 4000 {
		return 0, 0, parseErrorf("Unknown WKB type (%d)!", word)
	}
	if simple >= 3000 && simple < 4000 {
		dims |= XYZM
	} else if simple >= 2000 && simple < 3000 {
		dims |= XYM
	} else if simple >= 1000 && simple < 2000 {
		dims |= XYZ
	}
	switch base := simple % 1000; {
	case base >= uint32(Point) && base <= uint32(GeometryCollection):
		return Kind(base), dims, nil
	case base >= 8 && base < uint32(8+len(unsupportedWKB)):
		return 0, 0, &ParseError{Msg: unsupportedWKB[base-8] + " geometries are not supported", Pos: -1, err: ErrUnsupported}
	default:
		return 0, 0, parseErrorf("Unknown WKB type (%d)! Full WKB type number was (%d).", base, word)
	}
}

// unsupportedWKB names the types from number 8 on.
var unsupportedWKB = [...]string{
	"CircularString", "CompoundCurve", "CurvePolygon", "MultiCurve", "MultiSurface", "Curve", "Surface",
	"PolyhedralSurface", "Tin", "Triangle",
}

func (r *wkbReader) u32(big bool) (uint32, error) {
	if len(r.b) < 4 {
		return 0, errWKBSize
	}
	v := binary.LittleEndian.Uint32(r.b)
	if big {
		v = binary.BigEndian.Uint32(r.b)
	}
	r.b = r.b[4:]
	return v, nil
}

// floats reads len(dst) ordinates, whose presence the caller has checked.
func (r *wkbReader) floats(dst []float64, big bool) {
	for i := range dst {
		v := binary.LittleEndian.Uint64(r.b[8*i:])
		if big {
			v = binary.BigEndian.Uint64(r.b[8*i:])
		}
		dst[i] = math.Float64frombits(v)
	}
	r.b = r.b[8*len(dst):]
}

// positions appends a counted list of positions to coords.
func (r *wkbReader) positions(coords []float64, stride int, big bool) ([]float64, error) {
	n, err := r.u32(big)
	if err != nil {
		return nil, err
	}
	if n > math.MaxInt32 {
		return nil, parseErrorf("Pointarray length (%d) is too large", int32(n))
	}
	if uint64(n)*uint64(stride)*8 > uint64(len(r.b)) {
		return nil, errWKBSize
	}
	start, count := len(coords), int(n)*stride
	if cap(coords)-start < count {
		coords = append(make([]float64, 0, start+count), coords...)
	}
	coords = coords[:start+count]
	r.floats(coords[start:], big)
	return coords, nil
}

func (r *wkbReader) body(kind Kind, dims Dims, big bool, depth int) (*Geometry, error) {
	stride := dims.Stride()
	switch kind {
	case Point:
		if len(r.b) < 8*stride {
			return nil, errWKBSize
		}
		g := &Geometry{kind: Point, dims: dims}
		r.floats(g.p[:stride], big)
		if g.p[0] != g.p[0] && g.p[1] != g.p[1] {
			g.empty, g.p = true, [4]float64{}
		}
		return g, nil
	case LineString:
		coords, err := r.positions(nil, stride, big)
		if err != nil {
			return nil, err
		}
		return NewLineString(coords, dims, 0), nil
	case Polygon:
		return r.polygon(dims, big)
	}
	n, err := r.u32(big)
	if err != nil {
		return nil, err
	}
	if uint64(n)*minWKB > uint64(len(r.b)) {
		return nil, errWKBSize
	}
	parts := make([]*Geometry, 0, n)
	for range n {
		p, err := r.geometry(depth + 1)
		if err != nil {
			return nil, err
		}
		if want := kind.partKind(); want != 0 && p.kind != want {
			return nil, parseErrorf("%s cannot contain %s element", kind, p.kind)
		}
		if p.dims != dims {
			return nil, parseErrorf(msgDims)
		}
		p.srid = 0
		parts = append(parts, p)
	}
	return NewCollection(kind, parts, dims, 0), nil
}

// minWKB is the size of the smallest geometry in bytes: byte order, type, a count.
const minWKB = 9

func (r *wkbReader) polygon(dims Dims, big bool) (*Geometry, error) {
	n, err := r.u32(big)
	if err != nil {
		return nil, err
	}
	if uint64(n)*4 > uint64(len(r.b)) {
		return nil, errWKBSize
	}
	var coords []float64
	ends := make([]int, 0, n)
	for i := range n {
		start := len(coords)
		if coords, err = r.positions(coords, dims.Stride(), big); err != nil {
			return nil, err
		}
		if len(coords) == start {
			if i == 0 { // an empty shell: what follows cannot be holes of it
				return NewEmpty(Polygon, dims, 0), r.skipRings(n-1, dims.Stride(), big)
			}
			continue
		}
		ends = append(ends, len(coords))
	}
	if len(coords) == 0 {
		return NewEmpty(Polygon, dims, 0), nil
	}
	return newPolygon(coords, ends, dims, 0), nil
}

// skipRings reads n rings and forgets them.
func (r *wkbReader) skipRings(n uint32, stride int, big bool) error {
	for range n {
		if _, err := r.positions(nil, stride, big); err != nil {
			return err
		}
	}
	return nil
}
