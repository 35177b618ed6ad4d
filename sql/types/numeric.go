package types

import (
	"cmp"
	"encoding/binary"
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
		e, ok, inRange := scanInt(s[i+1:])
		if !ok {
			return Null, false, nil
		}
		if !inRange || e >= math.MaxInt32/2 || e <= -math.MaxInt32/2 {
			return Null, true, numericOverflow()
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

// numericSign words of the binary form.
const (
	signPositive = 0x0000
	signNegative = 0x4000
	signNaN      = 0xc000
	signInf      = 0xd000
	signNegInf   = 0xf000
)

// sendNumeric writes digits in base 10,000, aligned to the decimal point:
//
//	digits int16 | weight of the first int16 | sign uint16 | scale uint16 | digit int16 ...
func sendNumeric(dst []byte, _ *Type, d Datum) []byte {
	v := d.Numeric()
	switch {
	case v.Form == apd.Infinite && v.Negative:
		return append(dst, 0, 0, 0, 0, signNegInf>>8, 0, 0, 32) // 32: what PostgreSQL's header happens to hold
	case v.Form == apd.Infinite:
		return append(dst, 0, 0, 0, 0, signInf>>8, 0, 0, 32)
	case v.Form != apd.Finite:
		return append(dst, 0, 0, 0, 0, signNaN>>8, 0, 0, 0)
	}
	var buf [64]byte
	text := v.Coeff.Append(buf[:0], 10)
	for e := v.Exponent; e > 0; e-- {
		text = append(text, '0')
	}
	scale := int(max(-v.Exponent, 0))
	for range (4 - scale%4) % 4 {
		text = append(text, '0')
	}
	weight := (len(text)+3)/4 - (scale+3)/4 - 1
	head := len(dst)
	dst = append(dst, 0, 0, 0, 0, 0, 0, 0, 0)
	for len(text) > 0 {
		n := (len(text)-1)%4 + 1
		var digit uint16
		for _, c := range text[:n] {
			digit = digit*10 + uint16(c-'0')
		}
		text = text[n:]
		if digit == 0 && len(dst) == head+8 { // zeros in front are not sent
			weight--
			continue
		}
		dst = binary.BigEndian.AppendUint16(dst, digit)
	}
	for len(dst) > head+8 && dst[len(dst)-1] == 0 && dst[len(dst)-2] == 0 { // nor those at the end
		dst = dst[:len(dst)-2]
	}
	n := (len(dst) - head - 8) / 2
	sign := signPositive
	if v.Negative && n > 0 {
		sign = signNegative
	}
	if n == 0 {
		weight = 0
	}
	binary.BigEndian.PutUint16(dst[head:], uint16(n))
	binary.BigEndian.PutUint16(dst[head+2:], uint16(int16(weight)))
	binary.BigEndian.PutUint16(dst[head+4:], uint16(sign))
	binary.BigEndian.PutUint16(dst[head+6:], uint16(scale))
	return dst
}

func recvNumeric(_ *Type, b []byte, _ int32) (Datum, error) {
	bad := func(what string) (Datum, error) {
		return Null, pgerr.New(pgerr.InvalidBinaryRepresentation, "invalid %s in external \"numeric\" value", what)
	}
	if len(b) < 8 {
		return Null, shortBinary()
	}
	n := int(binary.BigEndian.Uint16(b))
	weight := int(int16(binary.BigEndian.Uint16(b[2:])))
	sign := binary.BigEndian.Uint16(b[4:])
	scale := int(binary.BigEndian.Uint16(b[6:]))
	switch sign {
	case signPositive, signNegative:
	case signNaN:
		return Ref(numericNaN), nil
	case signInf:
		return Ref(numericInf), nil
	case signNegInf:
		return Ref(numericNegInf), nil
	default:
		return bad("sign")
	}
	if scale > MaxNumericScale {
		return bad("scale")
	}
	b = b[8:]
	if len(b) < 2*n {
		return Null, shortBinary()
	}
	if len(b) > 2*n {
		return Null, binaryError(TNumeric)
	}
	text := make([]byte, 0, 4*n+1)
	text = append(text, '0')
	for i := range n {
		digit := binary.BigEndian.Uint16(b[2*i:])
		if digit > 9999 {
			return bad("digit")
		}
		text = append(text, '0'+byte(digit/1000), '0'+byte(digit/100%10), '0'+byte(digit/10%10), '0'+byte(digit%10))
	}
	d := &apd.Decimal{Negative: sign == signNegative, Exponent: int32(4 * (weight - n + 1))}
	if _, ok := d.Coeff.SetString(string(text), 10); !ok {
		return bad("digit")
	}
	return NewNumeric(TruncNumeric(d, int32(scale)))
}

// hashNumeric writes sign, exponent and digits of the value without zeros at the end of its fraction.
func hashNumeric(dst []byte, v *apd.Decimal) []byte {
	if r := numericRank(v); r != 0 {
		return append(dst, byte(4+r))
	}
	if v.Exponent > 0 {
		v = RoundNumeric(v, 0)
	}
	sign := byte(0)
	if v.Negative && v.Coeff.Sign() != 0 {
		sign = 1
	}
	exp := uint64(-v.Exponent)
	if v.Coeff.IsUint64() {
		c := v.Coeff.Uint64()
		for exp > 0 && c%10 == 0 {
			c, exp = c/10, exp-1
			if c == 0 {
				exp = 0
			}
		}
		dst = binary.AppendUvarint(append(dst, sign), exp)
		var b [8]byte
		binary.BigEndian.PutUint64(b[:], c)
		return appendHashBytes(dst, strings.TrimLeft(string(b[:]), "\x00"))
	}
	var c, rem apd.BigInt
	c.Set(&v.Coeff)
	for q := new(apd.BigInt); exp > 0; exp-- {
		if q.QuoRem(&c, &smallPow10[1], &rem); rem.Sign() != 0 {
			break
		}
		c.Set(q)
	}
	dst = binary.AppendUvarint(append(dst, sign), exp)
	return appendHashBytes(dst, string(c.Bytes()))
}

// keyNumeric writes class, then the place of the first digit, then the digits without
// zeros at the end, each plus one and closed by 00; for negative values the complement.
func keyNumeric(dst []byte, v *apd.Decimal) []byte {
	switch numericRank(v) {
	case -1:
		return append(dst, 0x00)
	case 1:
		return append(dst, 0x40)
	case 2:
		return append(dst, 0x50)
	}
	switch {
	case v.Coeff.Sign() == 0:
		return append(dst, 0x20)
	case v.Negative:
		dst = append(dst, 0x10)
	default:
		dst = append(dst, 0x30)
	}
	head := len(dst)
	var buf [64]byte
	text := v.Coeff.Append(buf[:0], 10)
	place := int32(len(text)) + v.Exponent
	for text[len(text)-1] == '0' {
		text = text[:len(text)-1]
	}
	dst = binary.BigEndian.AppendUint32(dst, uint32(place)^1<<31)
	for _, c := range text {
		dst = append(dst, c-'0'+1)
	}
	dst = append(dst, 0)
	if v.Negative {
		for i := head; i < len(dst); i++ {
			dst[i] = ^dst[i]
		}
	}
	return dst
}
