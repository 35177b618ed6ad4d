package types

import (
	"encoding/binary"
	"math"
	"strconv"
	"strings"

	"raisind/pgerr"
)

// TMoney holds cents, printed as in the locale en_US.
var TMoney = define(790, 791, "money", "money", 8, CategoryNumeric, ordinary)

func init() {
	TMoney.codec = codec{
		parse:  func(t *Type, s string, _ int32, _ *Env) (Datum, error) { return parseMoney(s) },
		format: func(dst []byte, _ *Type, d Datum, _ *Env) []byte { return appendMoney(dst, d.num) },
		send:   func(dst []byte, _ *Type, d Datum) []byte { return binary.BigEndian.AppendUint64(dst, uint64(d.num)) },
		recv: func(_ *Type, b []byte, _ int32) (Datum, error) {
			if len(b) != 8 {
				return Null, shortBinary()
			}
			return Int(int64(binary.BigEndian.Uint64(b))), nil
		},
		compare: compareNum,
		hash:    func(dst []byte, _ *Type, d Datum) []byte { return appendHashInt(dst, d.num) },
		key:     func(dst []byte, _ *Type, d Datum) []byte { return appendKeyInt(dst, d.num) },
	}
	addCast(TMoney, TNumeric, Assignment, func(_ *Env, d Datum) (Datum, error) {
		sign, v := "", d.num
		if v < 0 {
			sign = "-"
		}
		u := magnitude(v)
		return TNumeric.ParseText(sign+strconv.FormatUint(u/100, 10)+"."+string([]byte{byte('0' + u%100/10), byte('0' + u%10)}), -1, nil)
	})
	addCast(TNumeric, TMoney, Assignment, func(_ *Env, d Datum) (Datum, error) {
		return moneyOf(string(TNumeric.AppendText(nil, d, nil)))
	})
	for _, t := range [2]*Type{TInt4, TInt8} {
		addCast(t, TMoney, Assignment, func(_ *Env, d Datum) (Datum, error) {
			if d.num > math.MaxInt64/100 || d.num < math.MinInt64/100 {
				return Null, outOfRange(TInt8)
			}
			return Int(d.num * 100), nil
		})
	}
}

func magnitude(v int64) uint64 {
	if v < 0 {
		return uint64(-(v + 1)) + 1
	}
	return uint64(v)
}

func appendMoney(dst []byte, cents int64) []byte {
	if cents < 0 {
		dst = append(dst, '-')
	}
	u := magnitude(cents)
	dst = append(dst, '$')
	whole := strconv.FormatUint(u/100, 10)
	for i := range len(whole) {
		if i > 0 && (len(whole)-i)%3 == 0 {
			dst = append(dst, ',')
		}
		dst = append(dst, whole[i])
	}
	return append(dst, '.', byte('0'+u%100/10), byte('0'+u%10))
}

// parseMoney reads a sign or parentheses, a dollar sign, digits with commas, cents.
func parseMoney(s string) (Datum, error) {
	bad := pgerr.New(pgerr.InvalidTextRepresentation, "invalid input syntax for type %s: \"%s\"", "money", s)
	t := strings.TrimSpace(s)
	negative := false
	if strings.HasPrefix(t, "(") && strings.HasSuffix(t, ")") {
		negative, t = true, strings.TrimSpace(t[1:len(t)-1])
	}
	for again := true; again; {
		again = false
		switch {
		case strings.HasPrefix(t, "-"):
			negative, t, again = true, strings.TrimSpace(t[1:]), true
		case strings.HasPrefix(t, "+"), strings.HasPrefix(t, "$"):
			t, again = strings.TrimSpace(t[1:]), true
		}
	}
	t = strings.ReplaceAll(t, ",", "")
	if t == "" || strings.Trim(t, "0123456789.") != "" || strings.Count(t, ".") > 1 || t == "." {
		return Null, bad
	}
	if negative {
		t = "-" + t
	}
	d, err := moneyOf(t)
	if err != nil {
		return Null, pgerr.New(pgerr.NumericValueOutOfRange, "value \"%s\" is out of range for type %s", s, "money")
	}
	return d, nil
}

// moneyOf rounds a decimal number to cents.
func moneyOf(s string) (Datum, error) {
	d, err := TNumeric.ParseText(s, NumericTypmodOf(1000, 2), nil)
	if err != nil {
		return Null, err
	}
	text := strings.Replace(string(TNumeric.AppendText(nil, d, nil)), ".", "", 1)
	v, err := strconv.ParseInt(text, 10, 64)
	if err != nil {
		return Null, outOfRange(TInt8)
	}
	return Int(v), nil
}

// NumericTypmodOf is the modifier of numeric(precision, scale).
func NumericTypmodOf(precision, scale int) int32 {
	return int32(precision<<16|scale&0x7ff) + varlenaHeader
}
