package geom

import (
	"math"
	"strconv"
)

// Bounds between which PostGIS writes a number without exponent.
const (
	fixedAbove = 1e-8
	fixedBelow = 1e15
)

// appendNumber writes v as PostGIS 3 does: the shortest digits that read back as v,
// then rounded half-even to maxDecimals; with an exponent at 1e15 and above and at 1e-8
// and below, where maxDecimals counts the decimals of the mantissa.
func appendNumber(dst []byte, v float64, maxDecimals int) []byte {
	maxDecimals = max(maxDecimals, 0)
	switch a := math.Abs(v); {
	case v == 0: // of either sign
		return append(dst, '0')
	case v != v:
		return append(dst, "NaN"...)
	case math.IsInf(v, 1):
		return append(dst, "Infinity"...)
	case math.IsInf(v, -1):
		return append(dst, "-Infinity"...)
	case a <= fixedAbove || a >= fixedBelow:
		return appendScientific(dst, v, maxDecimals)
	}
	start := len(dst)
	dst = strconv.AppendFloat(dst, v, 'f', -1, 64)
	dot := -1
	for i := start; i < len(dst); i++ {
		if dst[i] == '.' {
			dot = i
			break
		}
	}
	if dot < 0 || len(dst)-dot-1 <= maxDecimals {
		return dst
	}
	return roundDecimal(dst, start, dot, maxDecimals)
}

// roundDecimal cuts the decimal text dst[start:], whose point is at dot, to decimals
// digits behind the point, half to even, and drops trailing zeros, a bare point and the
// sign of a zero.
func roundDecimal(dst []byte, start, dot, decimals int) []byte {
	neg := dst[start] == '-'
	first := start
	if neg {
		first++
	}
	cut := dot + 1 + decimals
	up := dst[cut] > '5'
	if dst[cut] == '5' {
		last := cut - 1
		if last == dot {
			last--
		}
		up = len(dst) > cut+1 || (dst[last]-'0')&1 == 1
	}
	dst = dst[:cut]
	if up {
		i := cut - 1
		for ; i >= first; i-- {
			if dst[i] == '.' {
				continue
			}
			if dst[i] != '9' {
				dst[i]++
				break
			}
			dst[i] = '0'
		}
		if i < first { // all nines: one digit more
			dst = append(dst, 0)
			copy(dst[first+1:], dst[first:])
			dst[first] = '1'
			dot++
		}
	}
	for dst[len(dst)-1] == '0' && len(dst)-1 > dot {
		dst = dst[:len(dst)-1]
	}
	if dst[len(dst)-1] == '.' {
		dst = dst[:len(dst)-1]
	}
	if neg && len(dst) == first+1 && dst[first] == '0' {
		dst = append(dst[:start], '0')
	}
	return dst
}

// appendScientific writes v as mantissa and exponent. A mantissa rounded up to ten
// stays 10, as PostGIS leaves it.
func appendScientific(dst []byte, v float64, maxDecimals int) []byte {
	start := len(dst)
	dst = strconv.AppendFloat(dst, v, 'e', -1, 64)
	e := len(dst) - 1
	for dst[e] != 'e' {
		e--
	}
	var exp [4]byte
	n := copy(exp[:], dst[e+1:]) // sign and two or three digits
	dst = dst[:e]
	dot := start + 1
	if dst[start] == '-' {
		dot++
	}
	if len(dst)-dot-1 > maxDecimals {
		dst = roundDecimal(dst, start, dot, maxDecimals)
	}
	dst = append(dst, 'e', exp[0])
	digits := exp[1:n]
	for len(digits) > 1 && digits[0] == '0' {
		digits = digits[1:]
	}
	return append(dst, digits...)
}

// pow10 are the powers of ten that a float64 holds exactly.
var pow10 = [...]float64{
	1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11,
	1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22,
}

// scanNumber reads the JSON number at s[i:] and returns its value, correctly rounded,
// and the index behind it; end is i when there is none. A number too large for a
// float64 is an infinity.
//
// Numbers of at most 15 digits and a small exponent, which positions are, need no
// more than one multiplication or division of exact values (Clinger 1990); the rest
// goes to strconv.
func scanNumber(s string, i int) (v float64, end int) {
	start := i
	neg := false
	if i < len(s) && s[i] == '-' {
		neg = true
		i++
	}
	var mantissa uint64
	digits := i
	for i < len(s) && s[i]-'0' <= 9 {
		mantissa = mantissa*10 + uint64(s[i]-'0')
		i++
	}
	n := i - digits
	if n == 0 || n > 1 && s[digits] == '0' {
		return 0, start
	}
	exp := 0
	if i < len(s) && s[i] == '.' {
		point := i
		i++
		for i < len(s) && s[i]-'0' <= 9 {
			mantissa = mantissa*10 + uint64(s[i]-'0')
			i++
		}
		exp = point + 1 - i
		if exp == 0 {
			return 0, start
		}
		n -= exp
	}
	if i < len(s) && s[i]|0x20 == 'e' {
		i++
		if i < len(s) && (s[i] == '+' || s[i] == '-') {
			i++
		}
		digits := i
		for i < len(s) && s[i]-'0' <= 9 {
			i++
		}
		if i == digits {
			return 0, start
		}
		n = 100 // to strconv
	}
	if n <= 19 && mantissa < 1<<53 && exp >= -22 {
		v = float64(mantissa)
		if exp < 0 {
			v /= pow10[-exp]
		}
		if neg {
			v = -v
		}
		return v, i
	}
	v, _ = strconv.ParseFloat(s[start:i], 64) // the only error left is range, with v an infinity
	return v, i
}
