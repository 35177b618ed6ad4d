package types

import (
	"cmp"
	"math"
	"strconv"
	"strings"

	"github.com/cockroachdb/apd/v3"

	"raisind/pgerr"
)

// Limits of numeric, from PostgreSQL's storage format.
const (
	MaxNumericIntegerDigits = 131072 // digits before the decimal point
	MaxNumericScale         = 16383  // digits after it
)

// A numeric is held as a finite decimal whose exponent is never above zero: minus the
// exponent is the display scale. Zero is never negative. NaN and both infinities exist.

func init() {
	TNumeric.codec = codec{
		parse:  parseNumeric,
		format: func(dst []byte, _ *Type, d Datum, _ *Env) []byte { return AppendNumeric(dst, d.Numeric()) },
		recv:   recvNumeric, send: sendNumeric,
		fit:     fitNumeric,
		compare: func(_ *Type, a, b Datum) int { return CompareNumeric(a.Numeric(), b.Numeric()) },
		hash:    func(dst []byte, _ *Type, d Datum) []byte { return hashNumeric(dst, d.Numeric()) },
		key:     func(dst []byte, _ *Type, d Datum) []byte { return keyNumeric(dst, d.Numeric()) },
	}
}

var (
	numericNaN    = &apd.Decimal{Form: apd.NaN}
	numericInf    = &apd.Decimal{Form: apd.Infinite}
	numericNegInf = &apd.Decimal{Form: apd.Infinite, Negative: true}
)

// NumericFromInt makes a numeric of scale 0.
func NumericFromInt(v int64) Datum { return Ref(apd.New(v, 0)) }

// NewNumeric makes a numeric of the result of a calculation, which it may change: an
// exponent above zero is multiplied out, digits after the 16,383rd are rounded away,
// more than 131,072 digits before the point are an error.
func NewNumeric(d *apd.Decimal) (Datum, error) {
	switch d.Form {
	case apd.NaN, apd.NaNSignaling:
		return Ref(numericNaN), nil
	case apd.Infinite:
		if d.Negative {
			return Ref(numericNegInf), nil
		}
		return Ref(numericInf), nil
	}
	if d.Coeff.Sign() == 0 {
		d.Negative = false
		d.Exponent = max(min(d.Exponent, 0), -MaxNumericScale)
		return Ref(d), nil
	}
	if d.Coeff.BitLen() <= 128 && d.Exponent <= 0 && d.Exponent >= -MaxNumericScale {
		return Ref(d), nil
	}
	if d.NumDigits()+int64(d.Exponent) > MaxNumericIntegerDigits {
		return Null, numericOverflow()
	}
	if d.Exponent > 0 {
		d.Coeff.Mul(&d.Coeff, pow10(d.Exponent))
		d.Exponent = 0
	}
	if d.Exponent < -MaxNumericScale {
		d = RoundNumeric(d, MaxNumericScale)
	}
	return Ref(d), nil
}

func numericOverflow() error {
	return pgerr.New(pgerr.NumericValueOutOfRange, "value overflows numeric format")
}

var smallPow10 = func() (p [40]apd.BigInt) {
	p[0].SetInt64(1)
	ten := apd.NewBigInt(10)
	for i := 1; i < len(p); i++ {
		p[i].Mul(&p[i-1], ten)
	}
	return p
}()

// pow10 is 10 to the nth, n >= 0. The result is shared: do not write to it.
func pow10(n int32) *apd.BigInt {
	if int(n) < len(smallPow10) {
		return &smallPow10[n]
	}
	return new(apd.BigInt).Exp(apd.NewBigInt(10), apd.NewBigInt(int64(n)), nil)
}

// RoundNumeric rounds half away from zero to scale digits after the point, or pads with
// zeros. A negative scale rounds to tens, hundreds ... NaN and infinities stay.
func RoundNumeric(d *apd.Decimal, scale int32) *apd.Decimal { return rescale(d, scale, true) }

// TruncNumeric is RoundNumeric towards zero.
func TruncNumeric(d *apd.Decimal, scale int32) *apd.Decimal { return rescale(d, scale, false) }

func rescale(d *apd.Decimal, scale int32, round bool) *apd.Decimal {
	if d.Form != apd.Finite || d.Exponent == -scale {
		return d
	}
	r := &apd.Decimal{Negative: d.Negative, Exponent: -scale}
	if diff := d.Exponent + scale; diff > 0 {
		r.Coeff.Mul(&d.Coeff, pow10(diff))
	} else {
		p := pow10(-diff)
		var rem apd.BigInt
		r.Coeff.QuoRem(&d.Coeff, p, &rem)
		if round {
			rem.Lsh(&rem, 1)
			if rem.Cmp(p) >= 0 {
				r.Coeff.Add(&r.Coeff, &smallPow10[0])
			}
		}
	}
	if r.Exponent > 0 {
		r.Coeff.Mul(&r.Coeff, pow10(r.Exponent))
		r.Exponent = 0
	}
	if r.Coeff.Sign() == 0 {
		r.Negative = false
	}
	return r
}

// parseNumeric reads blanks, a sign, digits with a point, an exponent; NaN, inf, infinity.
func parseNumeric(t *Type, s string, _ int32, _ *Env) (Datum, error) {
	i, n := trimSpace(s)
	in := s[i:n]
	if f, ok := floatWord(in); ok {
		if f != f && (in[0] == '-' || in[0] == '+') {
			return Null, syntaxError(t, s)
		}
		return NumericFromFloat(f, 64), nil
	}
	d, ok, err := scanNumeric(in)
	if !ok {
		return Null, syntaxError(t, s)
	}
	return d, err
}

// scanNumeric reads a number without blanks; ok is false when it is none.
func scanNumeric(s string) (Datum, bool, error) {
	i, neg := 0, false
	if i < len(s) && (s[i] == '-' || s[i] == '+') {
		neg = s[i] == '-'
		i++
	}
	start, point, digits := i, -1, 0
	var small uint64
	for ; i < len(s); i++ {
		switch c := s[i]; {
		case isDigit(c):
			small = small*10 + uint64(c-'0')
			digits++
			continue
		case c == '.' && point < 0:
			point = i
			continue
		}
		break
	}
	end := i
	if digits == 0 {
		return Null, false, nil
	}
	exp := 0
	if i < len(s) {
		if s[i]|0x20 != 'e' {
			return Null, false, nil
		}
		e, rest, state := leadingInteger(s[i+1:])
		switch {
		case state == noDigits:
			return Null, false, nil
		case state != inRange64 || e >= math.MaxInt32/2 || e <= -math.MaxInt32/2:
			return Null, true, numericOverflow()
		case rest < len(s)-i-1:
			return Null, false, nil
		}
		exp = int(e)
	}
	d := &apd.Decimal{Negative: neg}
	scale := 0
	if point >= 0 {
		scale = end - point - 1
	}
	if digits <= 18 {
		d.Coeff.SetUint64(small)
	} else {
		text := s[start:end]
		if point >= 0 {
			text = s[start:point] + s[point+1:end]
		}
		if len(strings.TrimLeft(text, "0")) > MaxNumericIntegerDigits+MaxNumericScale {
			return Null, true, numericOverflow()
		}
		if _, ok := d.Coeff.SetString(text, 10); !ok {
			return Null, false, nil
		}
	}
	switch scale -= exp; {
	case scale > MaxNumericScale:
		return Null, true, numericOverflow()
	case d.Coeff.Sign() == 0:
		d.Negative = false
		scale = max(scale, 0)
	case apd.NumDigits(&d.Coeff)-int64(scale) > MaxNumericIntegerDigits:
		return Null, true, numericOverflow()
	case scale < 0:
		d.Coeff.Mul(&d.Coeff, pow10(int32(-scale)))
		scale = 0
	}
	d.Exponent = -int32(scale)
	return Ref(d), true, nil
}

// AppendNumeric appends d with its display scale.
func AppendNumeric(dst []byte, d *apd.Decimal) []byte {
	switch d.Form {
	case apd.NaN, apd.NaNSignaling:
		return append(dst, "NaN"...)
	case apd.Infinite:
		if d.Negative {
			dst = append(dst, '-')
		}
		return append(dst, "Infinity"...)
	}
	if d.Negative && d.Coeff.Sign() != 0 {
		dst = append(dst, '-')
	}
	start := len(dst)
	if d.Coeff.IsUint64() {
		dst = strconv.AppendUint(dst, d.Coeff.Uint64(), 10)
	} else {
		dst = d.Coeff.Append(dst, 10)
	}
	for e := d.Exponent; e > 0 && d.Coeff.Sign() != 0; e-- {
		dst = append(dst, '0')
	}
	if d.Exponent >= 0 {
		return dst
	}
	scale := int(-d.Exponent)
	if have := len(dst) - start; have <= scale { // zeros up to one digit before the point
		pad := scale + 1 - have
		for range pad {
			dst = append(dst, '0')
		}
		copy(dst[start+pad:], dst[start:start+have])
		for i := range pad {
			dst[start+i] = '0'
		}
	}
	dst = append(dst, 0)
	point := len(dst) - 1 - scale
	copy(dst[point+1:], dst[point:len(dst)-1])
	dst[point] = '.'
	return dst
}

// CompareNumeric orders numerics: NaN equals NaN and is greatest.
func CompareNumeric(a, b *apd.Decimal) int {
	if ra, rb := numericRank(a), numericRank(b); ra != rb || ra != 0 {
		return cmp.Compare(ra, rb)
	}
	return a.Cmp(b)
}

func numericRank(d *apd.Decimal) int {
	switch {
	case d.Form == apd.Finite:
		return 0
	case d.Form != apd.Infinite:
		return 2
	case d.Negative:
		return -1
	}
	return 1
}

// fitNumeric rounds to the scale of numeric(precision, scale) and refuses what has too many digits.
func fitNumeric(_ *Type, d Datum, typmod int32, _ bool) (Datum, error) {
	v := d.Numeric()
	precision, scale := NumericTypmod(typmod)
	switch v.Form {
	case apd.NaN, apd.NaNSignaling:
		return d, nil
	case apd.Infinite:
		return Null, pgerr.New(pgerr.NumericValueOutOfRange, "numeric field overflow").
			WithDetail("A field with precision %d, scale %d cannot hold an infinite value.", precision, scale)
	}
	v = RoundNumeric(v, scale)
	if v.Coeff.Sign() != 0 && apd.NumDigits(&v.Coeff)+int64(v.Exponent) > int64(precision-scale) {
		limit := "1"
		if precision != scale {
			limit = "10^" + strconv.Itoa(int(precision-scale))
		}
		return Null, pgerr.New(pgerr.NumericValueOutOfRange, "numeric field overflow").
			WithDetail("A field with precision %d, scale %d must round to an absolute value less than %s.", precision, scale, limit)
	}
	return Ref(v), nil
}

// NumericTypmod returns precision and scale of a typmod of numeric.
func NumericTypmod(typmod int32) (precision, scale int32) {
	typmod -= varlenaHeader
	return typmod >> 16 & 0xffff, (typmod&0x7ff ^ 1024) - 1024
}
