package types

import (
	"math"
	"strconv"

	"github.com/cockroachdb/apd/v3"

	"raisind/pgerr"
)

// NumericFromFloat makes a numeric of a float with the digits that are certain in it:
// 15 for float8 (bits 64), 6 for float4 (bits 32).
func NumericFromFloat(f float64, bits int) Datum {
	switch {
	case f != f:
		return Ref(numericNaN)
	case math.IsInf(f, 1):
		return Ref(numericInf)
	case math.IsInf(f, -1):
		return Ref(numericNegInf)
	}
	digits := 15
	if bits == 32 {
		digits = 6
	}
	var buf [32]byte
	d, _, _ := scanNumeric(string(strconv.AppendFloat(buf[:0], f, 'g', digits, 64)))
	return d
}

// NumericToFloat returns the nearest float8, or float4 for bits 32.
func NumericToFloat(d *apd.Decimal, bits int) (float64, error) {
	switch {
	case d.Form == apd.Infinite:
		if d.Negative {
			return math.Inf(-1), nil
		}
		return math.Inf(1), nil
	case d.Form != apd.Finite:
		return math.NaN(), nil
	}
	if c := d.Coeff.Uint64(); bits == 64 && d.Coeff.IsUint64() && c < 1<<53 && d.Exponent <= 0 && d.Exponent >= -22 {
		f := float64(c) / math.Pow10(int(-d.Exponent)) // both exact, so the quotient is the nearest
		if d.Negative {
			f = -f
		}
		return f, nil
	}
	var buf [64]byte
	text := string(AppendNumeric(buf[:0], d))
	f, err := strconv.ParseFloat(text, bits)
	if err != nil || f == 0 && d.Coeff.Sign() != 0 {
		t := TFloat8
		if bits == 32 {
			t = TFloat4
		}
		return 0, pgerr.New(pgerr.NumericValueOutOfRange, "\"%s\" is out of range for type %s", text, t.SQLName)
	}
	return f, nil
}

// NumericToInt rounds d half away from zero to an integer of type t (int2, int4, int8).
func NumericToInt(d *apd.Decimal, t *Type) (int64, error) {
	if d.Form != apd.Finite {
		what := "NaN"
		if d.Form == apd.Infinite {
			what = "infinity"
		}
		return 0, pgerr.New(pgerr.FeatureNotSupported, "cannot convert %s to %s", what, t.SQLName)
	}
	r := RoundNumeric(d, 0)
	lo, hi := integerRange(t)
	if r.Coeff.BitLen() > 64 {
		return 0, outOfRange(t)
	}
	u := r.Coeff.Uint64()
	switch {
	case r.Negative && u <= -uint64(lo):
		return int64(-u), nil
	case !r.Negative && u <= uint64(hi):
		return int64(u), nil
	}
	return 0, outOfRange(t)
}

func outOfRange(t *Type) error {
	return pgerr.New(pgerr.NumericValueOutOfRange, "%s out of range", t.SQLName)
}
