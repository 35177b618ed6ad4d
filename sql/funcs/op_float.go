package funcs

import (
	"math"

	"raisind/pgerr"
	"raisind/sql/types"
)

func errFloatOverflow() error {
	return pgerr.New(pgerr.NumericValueOutOfRange, "value out of range: overflow")
}

func errFloatUnderflow() error {
	return pgerr.New(pgerr.NumericValueOutOfRange, "value out of range: underflow")
}

func isInf(f float64) bool { return math.IsInf(f, 0) }

// floatOp computes in double precision, or rounds to single where both sides are.
type floatOp func(a, b float64, round func(float64) float64) (float64, error)

func keep(f float64) float64     { return f }
func toSingle(f float64) float64 { return float64(float32(f)) }

func addFloat(a, b float64, round func(float64) float64) (float64, error) {
	s := round(a + b)
	if isInf(s) && !isInf(a) && !isInf(b) {
		return 0, errFloatOverflow()
	}
	return s, nil
}

func subFloat(a, b float64, round func(float64) float64) (float64, error) {
	s := round(a - b)
	if isInf(s) && !isInf(a) && !isInf(b) {
		return 0, errFloatOverflow()
	}
	return s, nil
}

func mulFloat(a, b float64, round func(float64) float64) (float64, error) {
	p := round(a * b)
	if isInf(p) && !isInf(a) && !isInf(b) {
		return 0, errFloatOverflow()
	}
	if p == 0 && a != 0 && b != 0 {
		return 0, errFloatUnderflow()
	}
	return p, nil
}

func divFloat(a, b float64, round func(float64) float64) (float64, error) {
	if b == 0 && !math.IsNaN(a) {
		return 0, errDivisionByZero()
	}
	q := round(a / b)
	if isInf(q) && !isInf(a) {
		return 0, errFloatOverflow()
	}
	if q == 0 && a != 0 && !isInf(b) {
		return 0, errFloatUnderflow()
	}
	return q, nil
}

// floatArithmetic gives the overloads of an operation for every pair of float types.
func floatArithmetic(op floatOp) []Overload {
	body := func(round func(float64) float64) EvalFunc {
		return func(_ *Ctx, args []types.Datum) (types.Datum, error) {
			v, err := op(args[0].Float(), args[1].Float(), round)
			if err != nil {
				return types.Null, err
			}
			return types.Float(v), nil
		}
	}
	double := body(keep)
	return []Overload{
		of("float8,float8", "float8", double),
		of("float4,float4", "float4", body(toSingle)),
		of("float4,float8", "float8", double),
		of("float8,float4", "float8", double),
	}
}

// float8Func is a body for a function of one double that cannot fail.
func float8Func(f func(float64) float64) EvalFunc {
	return func(_ *Ctx, args []types.Datum) (types.Datum, error) {
		return types.Float(f(args[0].Float())), nil
	}
}

// powFloat is power(float8, float8) with PostgreSQL's errors.
func powFloat(a, b float64) (float64, error) {
	switch {
	case math.IsNaN(a):
		if b == 0 {
			return 1, nil
		}
		return a, nil
	case math.IsNaN(b):
		if a == 1 {
			return 1, nil
		}
		return b, nil
	case a == 0 && b < 0:
		return 0, pgerr.New(pgerr.InvalidArgumentForPowerFunction, "zero raised to a negative power is undefined")
	case a < 0 && math.Floor(b) != b:
		return 0, pgerr.New(pgerr.InvalidArgumentForPowerFunction, "a negative number raised to a non-integer power yields a complex result")
	case isInf(a) || isInf(b):
		return math.Pow(a, b), nil
	}
	v := math.Pow(a, b)
	if isInf(v) {
		return 0, errFloatOverflow()
	}
	if v == 0 && a != 0 {
		return 0, errFloatUnderflow()
	}
	return v, nil
}

func powerFloat8(_ *Ctx, args []types.Datum) (types.Datum, error) {
	v, err := powFloat(args[0].Float(), args[1].Float())
	if err != nil {
		return types.Null, err
	}
	return types.Float(v), nil
}

func sqrtFloat8(_ *Ctx, args []types.Datum) (types.Datum, error) {
	f := args[0].Float()
	if f < 0 {
		return types.Null, errSqrtNegative()
	}
	return types.Float(math.Sqrt(f)), nil
}

func errSqrtNegative() error {
	return pgerr.New(pgerr.InvalidArgumentForPowerFunction, "cannot take square root of a negative number")
}

func absFloat(_ *Ctx, args []types.Datum) (types.Datum, error) {
	return types.Float(math.Abs(args[0].Float())), nil
}

func negateFloat(_ *Ctx, args []types.Datum) (types.Datum, error) {
	return types.Float(-args[0].Float()), nil
}
