package types

import (
	"encoding/binary"
	"strings"

	"raisind/pgerr"
)

// Bit strings: a Datum's text holds '0' and '1'.
var (
	TBit    = define(1560, 1561, "bit", "bit", -1, CategoryBitString, ordinary)
	TVarbit = define(1562, 1563, "varbit", "bit varying", -1, CategoryBitString, preferred)
)

func init() {
	c := codec{
		parse:  func(t *Type, s string, typmod int32, _ *Env) (Datum, error) { return parseBits(s) },
		format: func(dst []byte, _ *Type, d Datum, _ *Env) []byte { return append(dst, d.str...) },
		send: func(dst []byte, _ *Type, d Datum) []byte {
			dst = binary.BigEndian.AppendUint32(dst, uint32(len(d.str)))
			return append(dst, packBits(d.str)...)
		},
		recv: func(t *Type, b []byte, _ int32) (Datum, error) {
			if len(b) < 4 {
				return Null, shortBinary()
			}
			n := int(int32(binary.BigEndian.Uint32(b)))
			if b = b[4:]; n < 0 || (n+7)/8 != len(b) {
				return Null, pgerr.New(pgerr.InvalidBinaryRepresentation, "invalid length in external bit string")
			}
			return Str(unpackBits(b, n)), nil
		},
		fit:     fitBits,
		compare: func(_ *Type, a, b Datum) int { return strings.Compare(a.str, b.str) },
		hash:    func(dst []byte, _ *Type, d Datum) []byte { return appendHashBytes(dst, d.str) },
		key:     func(dst []byte, _ *Type, d Datum) []byte { return appendKeyBytes(dst, d.str) },
	}
	TBit.codec, TVarbit.codec = c, c
	addCast(TBit, TVarbit, Implicit, nil)
	addCast(TVarbit, TBit, Implicit, nil)
	for _, t := range [2]*Type{TInt4, TInt8} {
		width := int(t.Len) * 8
		c := addCast(t, TBit, Explicit, nil)
		c.Binary = false
		c.Fn = func(_ *Env, d Datum, typmod int32, _ bool) (Datum, error) {
			n := int(typmod)
			if typmod < 0 {
				n = 1
			}
			out := make([]byte, n)
			for i := range out { // the last bit is the lowest; the sign fills what is missing
				shift := min(n-1-i, width-1)
				out[i] = byte('0' + d.num>>shift&1)
			}
			return Str(string(out)), nil
		}
		addCast(TBit, t, Explicit, func(_ *Env, d Datum) (Datum, error) {
			if len(d.str) > width {
				return Null, outOfRange(t)
			}
			var v uint64
			for i := range len(d.str) {
				v = v<<1 | uint64(d.str[i]-'0')
			}
			if t == TInt4 {
				return Int(int64(int32(v))), nil
			}
			return Int(int64(v)), nil
		})
	}
}

// parseBits reads 0101, b0101 or xAF.
func parseBits(s string) (Datum, error) {
	if s != "" && s[0]|0x20 == 'x' {
		var b strings.Builder
		for i := 1; i < len(s); i++ {
			v := strings.IndexByte("0123456789abcdef", s[i]|0x20)
			if v < 0 || !isDigit(s[i]) && !isAlpha(s[i]) {
				return Null, pgerr.New(pgerr.InvalidTextRepresentation, "\"%s\" is not a valid hexadecimal digit", firstRune(s[i:]))
			}
			for k := 3; k >= 0; k-- {
				b.WriteByte(byte('0' + v>>k&1))
			}
		}
		return Str(b.String()), nil
	}
	if s != "" && s[0]|0x20 == 'b' {
		s = s[1:]
	}
	for i := range len(s) {
		if s[i] != '0' && s[i] != '1' {
			return Null, pgerr.New(pgerr.InvalidTextRepresentation, "\"%s\" is not a valid binary digit", firstRune(s[i:]))
		}
	}
	return Str(s), nil
}

func firstRune(s string) string {
	for _, r := range s {
		return string(r)
	}
	return ""
}

// fitBits applies bit(n) and varbit(n): explicit casts cut and fill up on the right.
func fitBits(t *Type, d Datum, n int32, explicit bool) (Datum, error) {
	have := int32(len(d.str))
	switch {
	case t == TVarbit && have <= n, t == TBit && have == n:
		return d, nil
	case !explicit && t == TBit:
		return Null, pgerr.New(pgerr.StringDataLengthMismatch, "bit string length %d does not match type bit(%d)", have, n)
	case !explicit:
		return Null, pgerr.New(pgerr.StringDataRightTruncation, "bit string too long for type bit varying(%d)", n)
	case have > n:
		return Str(d.str[:n]), nil
	}
	return Str(d.str + strings.Repeat("0", int(n-have))), nil
}

func packBits(s string) []byte {
	out := make([]byte, (len(s)+7)/8)
	for i := range len(s) {
		out[i/8] |= (s[i] - '0') << (7 - i%8)
	}
	return out
}

func unpackBits(b []byte, n int) string {
	out := make([]byte, n)
	for i := range out {
		out[i] = '0' + b[i/8]>>(7-i%8)&1
	}
	return string(out)
}
