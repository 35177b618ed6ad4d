package types

import (
	"encoding/binary"
	"strings"

	"github.com/cockroachdb/apd/v3"

	"raisind/pgerr"
)

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
