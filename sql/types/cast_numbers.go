package types

import (
	"math"

	"raisind/pgerr"
)

func init() {
	toInt := func(to *Type) castFn {
		lo, hi := integerRange(to)
		return func(_ *Env, d Datum) (Datum, error) {
			if d.num < lo || d.num > hi {
				return Null, outOfRange(to)
			}
			return d, nil
		}
	}
	intToFloat := func(to *Type) castFn {
		return func(_ *Env, d Datum) (Datum, error) {
			if to == TFloat4 {
				return Float(float64(float32(d.num))), nil
			}
			return Float(float64(d.num)), nil
		}
	}
	intToNumeric := func(_ *Env, d Datum) (Datum, error) { return NumericFromInt(d.num), nil }

	ints := []*Type{TInt2, TInt4, TInt8}
	for i, from := range ints {
		for j, to := range ints {
			switch {
			case j > i:
				addCast(from, to, Implicit, keep)
			case j < i:
				addCast(from, to, Assignment, toInt(to))
			}
		}
		addCast(from, TFloat4, Implicit, intToFloat(TFloat4))
		addCast(from, TFloat8, Implicit, intToFloat(TFloat8))
		addCast(from, TNumeric, Implicit, intToNumeric)

		for _, f := range [2]*Type{TFloat4, TFloat8} {
			addCast(f, from, Assignment, func(_ *Env, d Datum) (Datum, error) { return FloatToInt(d.Float(), from) })
		}
		addCast(TNumeric, from, Assignment, func(_ *Env, d Datum) (Datum, error) {
			v, err := NumericToInt(d.Numeric(), from)
			return Int(v), err
		})
		addCast(TJSONB, from, Explicit, func(_ *Env, d Datum) (Datum, error) {
			n, err := jsonToNumeric(d.str, from)
			if err != nil {
				return Null, err
			}
			v, err := NumericToInt(n.Numeric(), from)
			return Int(v), err
		})
	}
	addCast(TFloat4, TFloat8, Implicit, keep)
	addCast(TFloat8, TFloat4, Assignment, func(_ *Env, d Datum) (Datum, error) { return FloatToFloat4(d.Float()) })
	addCast(TFloat4, TNumeric, Assignment, func(_ *Env, d Datum) (Datum, error) { return NumericFromFloat(d.Float(), 32), nil })
	addCast(TFloat8, TNumeric, Assignment, func(_ *Env, d Datum) (Datum, error) { return NumericFromFloat(d.Float(), 64), nil })
	for _, to := range [2]*Type{TFloat4, TFloat8} {
		toFloat := func(d Datum) (Datum, error) {
			f, err := NumericToFloat(d.Numeric(), floatBits(to))
			return Float(f), err
		}
		addCast(TNumeric, to, Implicit, func(_ *Env, d Datum) (Datum, error) { return toFloat(d) })
		addCast(TJSONB, to, Explicit, func(_ *Env, d Datum) (Datum, error) {
			n, err := jsonToNumeric(d.str, to)
			if err != nil {
				return Null, err
			}
			return toFloat(n)
		})
	}
	addCast(TJSONB, TNumeric, Explicit, func(_ *Env, d Datum) (Datum, error) { return jsonToNumeric(d.str, TNumeric) })

	addCast(TInt4, TBool, Explicit, func(_ *Env, d Datum) (Datum, error) { return Bool(d.num != 0), nil })
	addCast(TBool, TInt4, Explicit, keep)
	addCast(TJSONB, TBool, Explicit, func(_ *Env, d Datum) (Datum, error) {
		if d.str != "true" && d.str != "false" {
			return Null, cannotCastJSON(d.str, TBool)
		}
		return Bool(d.str == "true"), nil
	})
	initOIDCasts()
}

// initOIDCasts enters the casts between integers, oid and the reg types.
func initOIDCasts() {
	unsigned := func(_ *Env, d Datum) (Datum, error) { return Int(int64(uint32(d.num))), nil }
	signed := func(_ *Env, d Datum) (Datum, error) { return Int(int64(int32(d.num))), nil }
	fromInt8 := func(_ *Env, d Datum) (Datum, error) {
		if d.num < 0 || d.num > math.MaxUint32 {
			return Null, pgerr.New(pgerr.NumericValueOutOfRange, "OID out of range")
		}
		return d, nil
	}
	for _, t := range append([]*Type{TOID}, regTypes...) {
		addCast(TInt2, t, Implicit, unsigned)
		addCast(TInt4, t, Implicit, unsigned)
		addCast(TInt8, t, Implicit, fromInt8)
		addCast(t, TInt4, Assignment, signed)
		addCast(t, TInt8, Assignment, keep)
		if t != TOID {
			addCast(TOID, t, Implicit, nil)
			addCast(t, TOID, Implicit, nil)
		}
	}
	for _, pair := range [2][2]*Type{{TRegproc, TRegprocedure}, {TRegoper, TRegoperator}} {
		addCast(pair[0], pair[1], Implicit, nil)
		addCast(pair[1], pair[0], Implicit, nil)
	}
	toRegclass := func(env *Env, d Datum) (Datum, error) { return findReg(TRegclass, d.str, env) } // always a name, never a number
	stable(addCast(TText, TRegclass, Implicit, toRegclass))
	stable(addCast(TVarchar, TRegclass, Implicit, toRegclass))
	addCast(TXID8, TXID, Explicit, unsigned)
}

// FloatToInt rounds to the nearest integer, halves to even, within the type's range.
func FloatToInt(f float64, to *Type) (Datum, error) {
	r := math.RoundToEven(f)
	lo, hi := integerRange(to)
	// The upper end is compared as one beyond it, which a float holds exactly.
	if !(r >= float64(lo) && r < -float64(lo)) || int64(r) > hi {
		return Null, outOfRange(to)
	}
	return Int(int64(r)), nil
}

// FloatToFloat4 rounds to the nearest float4; what becomes infinite or zero is an error.
func FloatToFloat4(f float64) (Datum, error) {
	v := float64(float32(f))
	switch {
	case math.IsInf(v, 0) && !math.IsInf(f, 0):
		return Null, pgerr.New(pgerr.NumericValueOutOfRange, "value out of range: overflow")
	case v == 0 && f != 0:
		return Null, pgerr.New(pgerr.NumericValueOutOfRange, "value out of range: underflow")
	}
	return Float(v), nil
}

// jsonToNumeric returns the number that doc is, as a numeric, on its way to type to.
func jsonToNumeric(doc string, to *Type) (Datum, error) {
	if JSONTypeof(doc) != "number" {
		return Null, cannotCastJSON(doc, to)
	}
	d, ok, err := scanNumeric(doc)
	if err == nil && !ok {
		err = cannotCastJSON(doc, to)
	}
	return d, err
}

func cannotCastJSON(doc string, to *Type) error {
	what := JSONTypeof(doc)
	if what == "number" {
		what = "numeric"
	}
	return pgerr.New(pgerr.InvalidParameterValue, "cannot cast jsonb %s to type %s", what, to.SQLName)
}
