package geom

import (
	"encoding/binary"
	"math"
	"strconv"
)

// Flags of the EWKB type word.
const (
	ewkbZ    = 0x80000000
	ewkbM    = 0x40000000
	ewkbSRID = 0x20000000
)

// wkbForm is one of the binary forms of a geometry.
type wkbForm struct {
	extended  bool // EWKB: flags and SRID instead of ISO's type numbers
	bigEndian bool
}

// AppendEWKB writes g as PostGIS stores and sends it: EWKB, little-endian.
func (g *Geometry) AppendEWKB(dst []byte) []byte {
	return appendWKB(dst, g, wkbForm{extended: true}, true)
}

// AppendWKB writes g as ST_AsBinary does: ISO WKB without SRID, little-endian.
func (g *Geometry) AppendWKB(dst []byte) []byte { return appendWKB(dst, g, wkbForm{}, false) }

// AppendWKBOrder writes g as EWKB or ISO WKB in the given byte order (XDR is big-endian).
func (g *Geometry) AppendWKBOrder(dst []byte, ewkb, bigEndian bool) []byte {
	return appendWKB(dst, g, wkbForm{extended: ewkb, bigEndian: bigEndian}, ewkb)
}

// AppendHexEWKB writes the EWKB in capital hexadecimal digits, the text form of a
// geometry value.
func (g *Geometry) AppendHexEWKB(dst []byte) []byte {
	const digits = "0123456789ABCDEF"
	start := len(dst)
	dst = g.AppendEWKB(dst)
	n := len(dst) - start
	dst = append(dst, dst[start:]...)
	for i := n - 1; i >= 0; i-- { // from the end: byte i becomes digits 2i and 2i+1
		b := dst[start+i]
		dst[start+2*i], dst[start+2*i+1] = digits[b>>4], digits[b&15]
	}
	return dst
}

func (f wkbForm) u32(dst []byte, v uint32) []byte {
	if f.bigEndian {
		return binary.BigEndian.AppendUint32(dst, v)
	}
	return binary.LittleEndian.AppendUint32(dst, v)
}

func (f wkbForm) floats(dst []byte, vs []float64) []byte {
	for _, v := range vs {
		if f.bigEndian {
			dst = binary.BigEndian.AppendUint64(dst, math.Float64bits(v))
		} else {
			dst = binary.LittleEndian.AppendUint64(dst, math.Float64bits(v))
		}
	}
	return dst
}

// wkbNaN is the NaN that stands for the ordinates of POINT EMPTY.
const wkbNaN = 0x7ff8000000000000

func appendWKB(dst []byte, g *Geometry, f wkbForm, withSRID bool) []byte {
	order := byte(1)
	if f.bigEndian {
		order = 0
	}
	dst = append(dst, order)
	withSRID = withSRID && g.srid != 0
	dst = f.u32(dst, f.typeWord(g, withSRID))
	if withSRID {
		dst = f.u32(dst, uint32(g.srid))
	}
	stride := g.dims.Stride()
	switch g.kind {
	case Point:
		if !g.empty {
			return f.floats(dst, g.p[:stride])
		}
		nan := math.Float64frombits(wkbNaN)
		return f.floats(dst, []float64{nan, nan, nan, nan}[:stride])
	case LineString:
		dst = f.u32(dst, uint32(len(g.s.coords)/stride))
		return f.floats(dst, g.s.coords)
	case Polygon:
		dst = f.u32(dst, uint32(len(g.s.ends)))
		for i := range g.s.ends {
			ring := g.Ring(i)
			dst = f.u32(dst, uint32(len(ring)/stride))
			dst = f.floats(dst, ring)
		}
		return dst
	}
	dst = f.u32(dst, uint32(len(g.s.parts)))
	for _, p := range g.s.parts {
		dst = appendWKB(dst, p, f, false)
	}
	return dst
}

func (f wkbForm) typeWord(g *Geometry, withSRID bool) uint32 {
	w := uint32(g.kind)
	if !f.extended {
		if g.dims.HasZ() {
			w += 1000
		}
		if g.dims.HasM() {
			w += 2000
		}
		return w
	}
	if g.dims.HasZ() {
		w |= ewkbZ
	}
	if g.dims.HasM() {
		w |= ewkbM
	}
	if withSRID {
		w |= ewkbSRID
	}
	return w
}

func appendInt(dst []byte, v int) []byte { return strconv.AppendInt(dst, int64(v), 10) }
