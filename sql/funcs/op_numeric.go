package funcs

import (
	"github.com/cockroachdb/apd/v3"

	"raisind/sql/types"
)

// exact computes without rounding: sums and products of numerics keep every digit.
var exact = func() *apd.Context {
	c := apd.BaseContext.WithPrecision(0)
	c.MaxExponent, c.MinExponent = apd.MaxExponent, apd.MinExponent
	return c
}()

func decimalOf(d types.Datum) *apd.Decimal {
	a, _ := d.Ref().(*apd.Decimal)
	return a
}

// exactNumeric is a body for +, - and *: apd's fast path for finite operands of
// ordinary size, the long way for the rest.
func exactNumeric(fast func(d, a, b *apd.Decimal) (apd.Condition, error), slow func(a, b number) number) EvalFunc {
	const small = 2000 // digits; sums and products stay far below every limit
	return func(_ *Ctx, args []types.Datum) (types.Datum, error) {
		a, b := decimalOf(args[0]), decimalOf(args[1])
		if a.Form == apd.Finite && b.Form == apd.Finite && isSmall(a, small) && isSmall(b, small) {
			d := new(apd.Decimal)
			if _, err := fast(d, a, b); err == nil {
				if d.Coeff.Sign() == 0 {
					d.Negative = false
				}
				return types.Ref(d), nil
			}
		}
		return slow(numberOfDecimal(a), numberOfDecimal(b)).datum()
	}
}

func isSmall(a *apd.Decimal, digits int) bool {
	return a.Coeff.BitLen() < 3*digits && a.Exponent <= 0 && a.Exponent > -int32(digits)
}

var (
	addNumeric = exactNumeric(exact.Add, number.add)
	subNumeric = exactNumeric(exact.Sub, number.sub)
	mulNumeric = exactNumeric(exact.Mul, number.mul)
)

// numericFunc2 is a body for a function of two numerics that may fail.
func numericFunc2(f func(a, b number) (number, error)) EvalFunc {
	return func(_ *Ctx, args []types.Datum) (types.Datum, error) {
		n, err := f(numberOf(args[0]), numberOf(args[1]))
		if err != nil {
			return types.Null, err
		}
		return n.datum()
	}
}

// numericFunc1 is a body for a function of one numeric that may fail.
func numericFunc1(f func(a number) (number, error)) EvalFunc {
	return func(_ *Ctx, args []types.Datum) (types.Datum, error) {
		n, err := f(numberOf(args[0]))
		if err != nil {
			return types.Null, err
		}
		return n.datum()
	}
}

// pure wraps a function of one numeric that cannot fail.
func pure(f func(a number) number) EvalFunc {
	return numericFunc1(func(a number) (number, error) { return f(a), nil })
}

func (n number) abs() number {
	if n.coef.Sign() < 0 {
		return n.negate()
	}
	return n
}

func (n number) sqrtChecked() (number, error) {
	switch {
	case n.isNaN() || n.isInf() && n.sign() > 0:
		return n, nil
	case n.sign() < 0:
		return number{}, errSqrtNegative()
	}
	return n.sqrt(), nil
}
