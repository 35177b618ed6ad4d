package types

import (
	"cmp"
	"encoding/binary"
	"math"
	"strconv"
	"strings"

	"raisind/pgerr"
)

func init() {
	f := codec{
		parse:   parseFloat,
		format:  formatFloat,
		compare: func(_ *Type, a, b Datum) int { return CompareFloat(a.Float(), b.Float()) },
		hash:    func(dst []byte, _ *Type, d Datum) []byte { return appendHashFloat(dst, d.Float()) },
		key:     func(dst []byte, _ *Type, d Datum) []byte { return appendKeyFloat(dst, d.Float()) },
	}
	TFloat4.codec, TFloat8.codec = f, f
	TFloat4.codec.recv = func(_ *Type, b []byte, _ int32) (Datum, error) {
		v, err := fixed(b, 4)
		return Float(float64(math.Float32frombits(uint32(v)))), err
	}
	TFloat4.codec.send = func(dst []byte, _ *Type, d Datum) []byte {
		return binary.BigEndian.AppendUint32(dst, math.Float32bits(float32(d.Float())))
	}
	TFloat8.codec.recv = func(_ *Type, b []byte, _ int32) (Datum, error) {
		v, err := fixed(b, 8)
		return Float(math.Float64frombits(v)), err
	}
	TFloat8.codec.send = func(dst []byte, _ *Type, d Datum) []byte {
		f := d.Float()
		if f != f {
			f = nan
		}
		return binary.BigEndian.AppendUint64(dst, math.Float64bits(f))
	}
}

// nan is the NaN that C writes; Go's has another bit set.
var nan = math.Float64frombits(0x7ff8000000000000)

// CompareFloat is the order of floats: NaN equals NaN and is greatest.
func CompareFloat(a, b float64) int {
	switch {
	case a != a:
		if b != b {
			return 0
		}
		return 1
	case b != b:
		return -1
	}
	return cmp.Compare(a, b)
}

// floatBits is the size of a float type.
func floatBits(t *Type) int {
	if t == TFloat4 {
		return 32
	}
	return 64
}

// parseFloat reads what strtod reads: a decimal or hexadecimal number, or NaN, inf and
// infinity in any case. A number out of range is reported before what follows it.
func parseFloat(t *Type, s string, _ int32, _ *Env) (Datum, error) {
	i, n := trimSpace(s)
	in := s[i:n]
	if v, ok := floatWord(in); ok {
		return Float(v), nil
	}
	end, hex := floatPrefix(in)
	if end == 0 {
		return Null, syntaxError(t, s)
	}
	number := in[:end]
	if hex && !strings.ContainsAny(number, "pP") {
		number += "p0" // C may leave the exponent out, Go wants it
	}
	v, err := strconv.ParseFloat(number, floatBits(t))
	if err != nil || v == 0 && !isZeroText(in[:end], hex) {
		shown := in[:end]
		if t == TFloat4 {
			shown = s
		}
		return Null, pgerr.New(pgerr.NumericValueOutOfRange, "\"%s\" is out of range for type %s", shown, t.SQLName)
	}
	if end < len(in) {
		return Null, syntaxError(t, s)
	}
	return Float(v), nil
}

// floatPrefix returns the length of the number at the start of s, 0 for none.
func floatPrefix(s string) (end int, hex bool) {
	i := 0
	if i < len(s) && (s[i] == '-' || s[i] == '+') {
		i++
	}
	is, mark := isDigit, byte('e')
	if i+2 < len(s) && s[i] == '0' && s[i+1]|0x20 == 'x' && (hexValue(s[i+2]) < 16 || s[i+2] == '.' && i+3 < len(s) && hexValue(s[i+3]) < 16) {
		hex, mark = true, 'p'
		is = func(c byte) bool { return hexValue(c) < 16 }
		i += 2
	}
	digits := 0
	for ; i < len(s) && is(s[i]); i++ {
		digits++
	}
	if i < len(s) && s[i] == '.' {
		for i++; i < len(s) && is(s[i]); i++ {
			digits++
		}
	}
	if digits == 0 {
		return 0, false
	}
	if i < len(s) && s[i]|0x20 == mark {
		e := i + 1
		if e < len(s) && (s[e] == '-' || s[e] == '+') {
			e++
		}
		if e < len(s) && isDigit(s[e]) {
			for i = e; i < len(s) && isDigit(s[i]); i++ {
			}
		}
	}
	return i, hex
}

func floatWord(s string) (float64, bool) {
	if len(s) < 3 {
		return 0, false
	}
	sign, w := 1, s
	if w[0] == '-' || w[0] == '+' {
		if w[0] == '-' {
			sign = -1
		}
		w = w[1:]
	}
	switch {
	case strings.EqualFold(w, "inf"), strings.EqualFold(w, "infinity"):
		return math.Inf(sign), true
	case strings.EqualFold(w, "nan"):
		return nan, true
	}
	return 0, false
}

// isZeroText reports whether the digits before the exponent are all zero, so that a
// result of zero is no underflow.
func isZeroText(s string, hex bool) bool {
	for i := 0; i < len(s); i++ {
		switch c := s[i] | 0x20; {
		case !hex && c == 'e', c == 'p':
			return true
		case s[i] >= '1' && s[i] <= '9', hex && c >= 'a' && c <= 'f':
			return false
		}
	}
	return true
}

func formatFloat(dst []byte, t *Type, d Datum, env *Env) []byte {
	return appendFloat(dst, d.Float(), floatBits(t), env.ExtraFloatDigits)
}

// AppendFloat appends f as PostgreSQL prints float8 (bits 64) or float4 (bits 32):
// the shortest digits that read back as f.
func AppendFloat(dst []byte, f float64, bits int) []byte { return appendFloat(dst, f, bits, 1) }

func appendFloat(dst []byte, f float64, bits, extraDigits int) []byte {
	switch {
	case f != f:
		return append(dst, "NaN"...)
	case math.IsInf(f, 1):
		return append(dst, "Infinity"...)
	case math.IsInf(f, -1):
		return append(dst, "-Infinity"...)
	}
	digits := 15 // DBL_DIG
	if bits == 32 {
		digits = 6 // FLT_DIG
	}
	if extraDigits <= 0 {
		return strconv.AppendFloat(dst, f, 'g', max(digits+extraDigits, 1), 64)
	}
	// The smallest float whose shortest digits reach 0.0001 is the one nearest to it.
	abs, smallest, largest := math.Abs(f), 1e-4, 1e15
	if bits == 32 {
		smallest, largest = float64(float32(1e-4)), 1e6
	}
	if abs == 0 || abs >= smallest && abs < largest {
		if bits == 32 && abs == 0x1p-12 { // two texts are equally near; PostgreSQL takes the even one, Go the other
			return strconv.AppendFloat(dst, f, 'f', 11, 32)
		}
		return strconv.AppendFloat(dst, f, 'f', -1, bits)
	}
	start := len(dst)
	dst = strconv.AppendFloat(dst, f, 'e', -1, bits)
	if abs >= largest && onBoundary(dst[start:], abs, bits) {
		return appendInside(dst[:start], f, bits)
	}
	return dst
}

// appendInside appends the fewest digits that lie nearer to f than to any other float.
func appendInside(dst []byte, f float64, bits int) []byte {
	start := len(dst)
	for n := 1; ; n++ {
		dst = strconv.AppendFloat(dst[:start], f, 'e', n, bits)
		if n >= 16 {
			return dst
		}
		if v, _ := strconv.ParseFloat(string(dst[start:]), bits); v == f && !onBoundary(dst[start:], math.Abs(f), bits) {
			return dst
		}
	}
}

// onBoundary reports whether text, in the form d.ddde+xx, lies exactly halfway between f
// and a neighbour. Go takes such digits when they read back as f, PostgreSQL wants
// digits that lie strictly inside: 1e23 is printed as 9.999999999999999e+22.
func onBoundary(text []byte, f float64, bits int) bool {
	var digits uint64
	exp, frac, i := 0, 0, 0
	for ; i < len(text) && text[i] != 'e'; i++ {
		switch c := text[i]; {
		case isDigit(c):
			digits = digits*10 + uint64(c-'0')
			if frac > 0 {
				frac++
			}
		case c == '.':
			frac = 1
		}
	}
	exp, _ = strconv.Atoi(string(text[min(i+1, len(text)):]))
	exp -= max(frac-1, 0)
	// f = m * 2^e; halfway lie (2m-1) and (2m+1) * 2^(e-1). digits * 10^exp is one of them
	// only if its odd part is, so exp is small: 5^exp divides a number of 54 bits.
	fr, e := math.Frexp(f)
	precision := 53
	if bits == 32 {
		precision = 24
	}
	m := uint64(math.Ldexp(fr, precision))
	e -= precision
	if exp < 0 || exp > 23 || digits == 0 {
		return false
	}
	twos := 0
	for digits%2 == 0 {
		digits, twos = digits/2, twos+1
	}
	for range exp {
		if digits > 1<<55 {
			return false
		}
		digits *= 5
	}
	return twos+exp == e-1 && (digits == 2*m-1 || digits == 2*m+1)
}
