package types

import (
	"bytes"
	"cmp"
	"encoding/binary"
	"math"

	"raisind/geom"
)

// Geometries are ordered as PostGIS orders them: along a Hilbert curve through the
// centres of their boxes, so that neighbours in the order are neighbours on the ground;
// ties by their bytes.

func compareGeometries(t *Type, a, b Datum) int {
	ga, gb := a.Geom(), b.Geom()
	if ga == gb {
		return 0
	}
	x, y := ga.AppendEWKB(nil), gb.AppendEWKB(nil)
	if bytes.Equal(x, y) {
		return 0
	}
	return cmp.Or(cmp.Compare(curvePosition(t, ga), curvePosition(t, gb)), bytes.Compare(x, y))
}

func keyGeometry(dst []byte, t *Type, d Datum) []byte {
	dst = binary.BigEndian.AppendUint64(dst, curvePosition(t, d.Geom()))
	return appendKeyBytes(dst, string(d.Geom().AppendEWKB(nil)))
}

// curvePosition is the place of a geometry on the curve; empty geometries come first.
func curvePosition(t *Type, g *geom.Geometry) uint64 {
	box, ok := g.Box()
	if !ok {
		return 0
	}
	x, y := float32((box.MinX+box.MaxX)/2), float32((box.MinY+box.MaxY)/2)
	switch {
	// Well-known ranges are moved to where floats are evenly spaced.
	case t == TGeography, g.SRID() == SRIDWGS84:
		x, y = float32(1.5+float64(x)/512), float32(1.5+float64(y)/256)
	case g.SRID() == 3857 || g.SRID() == 3395:
		x, y = float32(1.5+float64(x)/67108864), float32(1.5+float64(y)/67108864)
	}
	return hilbert(math.Float32bits(y), math.Float32bits(x))
}

// hilbert interleaves two 32 bit coordinates into a position on a Hilbert curve, in
// parallel for all bits. Method: https://threadlocalmutex.com/?p=188
func hilbert(px, py uint32) uint64 {
	x, y := uint64(px), uint64(py)
	a := x ^ y
	b := 0xffffffff ^ a
	c := 0xffffffff ^ (x | y)
	d := x & (y ^ 0xffffffff)
	ta := a | b>>1
	tb := a>>1 ^ a
	tc := c>>1 ^ b&(d>>1) ^ c
	td := a&(c>>1) ^ d>>1 ^ d
	for shift := uint(2); shift <= 8; shift *= 2 {
		a, b, c, d = ta, tb, tc, td
		ta = a&(a>>shift) ^ b&(b>>shift)
		tb = a&(b>>shift) ^ b&((a^b)>>shift)
		tc ^= a&(c>>shift) ^ b&(d>>shift)
		td ^= b&(c>>shift) ^ (a^b)&(d>>shift)
	}
	a, b, c, d = ta, tb, tc, td
	tc ^= a&(c>>16) ^ b&(d>>16)
	td ^= b&(c>>16) ^ (a^b)&(d>>16)
	a = tc ^ tc>>1
	b = td ^ td>>1
	i0 := x ^ y
	i1 := b | (0xffffffff ^ (i0 | a))
	return spread(i1)<<1 | spread(i0)
}

// spread puts a zero bit between the bits of a 32 bit number.
func spread(v uint64) uint64 {
	v = (v | v<<16) & 0x0000ffff0000ffff
	v = (v | v<<8) & 0x00ff00ff00ff00ff
	v = (v | v<<4) & 0x0f0f0f0f0f0f0f0f
	v = (v | v<<2) & 0x3333333333333333
	return (v | v<<1) & 0x5555555555555555
}
