package funcs

import (
	"math"
	"math/big"

	"github.com/cockroachdb/apd/v3"

	"raisind/pgerr"
	"raisind/sql/types"
)

// Limits of PostgreSQL's numeric (numeric.c).
const (
	numericMinSigDigits    = 16   // digits a division or a logarithm has at least
	numericMaxDisplayScale = 1000 // digits after the point that a result chooses at most
	numericMaxScale        = 16383
	numericMaxIntDigits    = 131072 // digits before the point
	numericMaxResultScale  = 2000   // largest decimal weight of exp and power
	numericBase            = 10000  // PostgreSQL counts in digits of this base
	numericBaseDigits      = 4
)

var bigTen = big.NewInt(10)

// number is a numeric taken apart: coef × 10^-scale, or a special value.
type number struct {
	form  apd.Form // Finite, Infinite or NaN
	coef  *big.Int // signed; for Infinite only the sign counts
	scale int      // digits after the point, at least 0
}

func numberOf(d types.Datum) number {
	a, _ := d.Ref().(*apd.Decimal)
	return numberOfDecimal(a)
}

func numberOfDecimal(a *apd.Decimal) number {
	if a == nil {
		return number{coef: new(big.Int)}
	}
	n := number{form: a.Form, scale: int(-a.Exponent)}
	switch a.Form {
	case apd.Finite:
		n.coef = new(big.Int).Set(a.Coeff.MathBigInt())
		if n.scale < 0 {
			n.coef.Mul(n.coef, pow10(-n.scale))
			n.scale = 0
		}
	case apd.Infinite:
		n.coef, n.scale = big.NewInt(1), 0
	default:
		return number{form: apd.NaN, coef: new(big.Int)}
	}
	if a.Negative {
		n.coef.Neg(n.coef)
	}
	return n
}

func numberOfInt(v int64) number { return number{coef: big.NewInt(v)} }

func nan() number { return number{form: apd.NaN, coef: new(big.Int)} }

func infinity(sign int) number { return number{form: apd.Infinite, coef: big.NewInt(int64(sign))} }

// pow10 returns 10^n as a value of its own.
func pow10(n int) *big.Int { return new(big.Int).Exp(bigTen, big.NewInt(int64(n)), nil) }

func (n number) isNaN() bool    { return n.form == apd.NaN || n.form == apd.NaNSignaling }
func (n number) isInf() bool    { return n.form == apd.Infinite }
func (n number) finite() bool   { return n.form == apd.Finite }
func (n number) sign() int      { return n.coef.Sign() }
func (n number) isZero() bool   { return n.finite() && n.coef.Sign() == 0 }
func (n number) negate() number { n.coef = new(big.Int).Neg(n.coef); return n }

// decimal puts a number together; there is no negative zero.
func (n number) decimal() *apd.Decimal {
	d := &apd.Decimal{Form: n.form}
	if n.isNaN() {
		d.Form = apd.NaN
		return d
	}
	d.Negative = n.coef.Sign() < 0
	if n.isInf() {
		return d
	}
	d.Coeff.SetMathBigInt(new(big.Int).Abs(n.coef))
	d.Exponent = int32(-n.scale)
	return d
}

// datum returns n as a value, or 22003 when it has more digits than a numeric may.
func (n number) datum() (types.Datum, error) {
	if n.finite() {
		if n.scale > numericMaxScale {
			n = n.round(numericMaxScale)
		}
		// 10^k has 3.32 k bits: most values are cleared without counting digits.
		if n.coef.BitLen() > 3*numericMaxIntDigits && n.intDigits() > numericMaxIntDigits {
			return types.Null, errNumericOverflow()
		}
	}
	return types.Ref(n.decimal()), nil
}

func errNumericOverflow() error {
	return pgerr.New(pgerr.NumericValueOutOfRange, "value overflows numeric format")
}

// digits is the number of decimal digits of the coefficient, 0 for zero.
func (n number) digits() int {
	if n.coef.Sign() == 0 {
		return 0
	}
	return len(new(big.Int).Abs(n.coef).String())
}

// intDigits is the number of digits before the point; 0 or less for values below 1.
func (n number) intDigits() int { return n.digits() - n.scale }

// round returns n with scale digits after the point, half away from zero. A
// negative scale rounds before the point and leaves no digits after it.
func (n number) round(scale int) number {
	if !n.finite() {
		return n
	}
	if scale >= n.scale {
		if scale > n.scale {
			n.coef = new(big.Int).Mul(n.coef, pow10(scale-n.scale))
			n.scale = scale
		}
		return n
	}
	div := pow10(n.scale - scale)
	n.coef = quoRound(n.coef, div)
	if scale < 0 {
		n.coef.Mul(n.coef, pow10(-scale))
		scale = 0
	}
	n.scale = scale
	return n
}

// trunc is round toward zero.
func (n number) trunc(scale int) number {
	if !n.finite() || scale >= n.scale {
		return n.round(scale)
	}
	n.coef = new(big.Int).Quo(n.coef, pow10(n.scale-scale))
	if scale < 0 {
		n.coef.Mul(n.coef, pow10(-scale))
		scale = 0
	}
	n.scale = scale
	return n
}

// quoRound divides, half away from zero. den is positive.
func quoRound(num, den *big.Int) *big.Int {
	q, r := new(big.Int).QuoRem(num, den, new(big.Int))
	if r.Abs(r).Lsh(r, 1).Cmp(den) >= 0 {
		q.Add(q, big.NewInt(int64(num.Sign())))
	}
	return q
}

func align(a, b number) (x, y *big.Int, scale int) {
	scale = max(a.scale, b.scale)
	return a.round(scale).coef, b.round(scale).coef, scale
}

func (n number) add(m number) number {
	switch {
	case n.isNaN() || m.isNaN():
		return nan()
	case n.isInf() && m.isInf():
		if n.sign() != m.sign() {
			return nan()
		}
		return n
	case n.isInf():
		return n
	case m.isInf():
		return m
	}
	x, y, scale := align(n, m)
	return number{coef: new(big.Int).Add(x, y), scale: scale}
}

func (n number) sub(m number) number { return n.add(m.negate()) }

func (n number) mul(m number) number {
	switch {
	case n.isNaN() || m.isNaN():
		return nan()
	case n.isInf() || m.isInf():
		if n.sign() == 0 || m.sign() == 0 {
			return nan()
		}
		return infinity(n.sign() * m.sign())
	}
	return number{coef: new(big.Int).Mul(n.coef, m.coef), scale: n.scale + m.scale}
}

// quo divides with the scale PostgreSQL's select_div_scale chooses.
func (n number) quo(m number) (number, error) {
	switch {
	case n.isNaN() || m.isNaN():
		return nan(), nil
	case n.isInf() && m.isInf():
		return nan(), nil
	case n.isInf():
		if m.sign() == 0 {
			return number{}, errDivisionByZero()
		}
		return infinity(n.sign() * m.sign()), nil
	case m.isInf():
		return numberOfInt(0), nil
	case m.sign() == 0:
		return number{}, errDivisionByZero()
	}
	return n.quoScale(m, divScale(n, m)), nil
}

// quoScale divides finite numbers, m not zero, to scale digits.
func (n number) quoScale(m number, scale int) number {
	num, den := new(big.Int).Set(n.coef), new(big.Int).Set(m.coef)
	if shift := scale + m.scale - n.scale; shift >= 0 {
		num.Mul(num, pow10(shift))
	} else {
		den.Mul(den, pow10(-shift))
	}
	if den.Sign() < 0 {
		num.Neg(num)
		den.Neg(den)
	}
	return number{coef: quoRound(num, den), scale: scale}
}

// firstDigit is the weight and the value of the first digit in base 10,000, as
// PostgreSQL stores numbers; both 0 for zero.
func (n number) firstDigit() (weight, digit int) {
	d := n.digits()
	if d == 0 {
		return 0, 0
	}
	exp := d - n.scale - 1 // decimal exponent of the leading digit
	weight = floorDiv(exp, numericBaseDigits)
	// The leading base digit holds the top decimal digits down to 10^(4·weight).
	keep := exp - weight*numericBaseDigits + 1
	s := new(big.Int).Abs(n.coef).String()
	for i := range keep {
		digit *= 10
		if i < len(s) {
			digit += int(s[i] - '0')
		}
	}
	return weight, digit
}

func floorDiv(a, b int) int {
	q := a / b
	if a%b != 0 && (a < 0) != (b < 0) {
		q--
	}
	return q
}

func clampScale(scale, inputs int) int {
	return min(max(scale, inputs, 0), numericMaxDisplayScale)
}

func divScale(a, b number) int {
	wa, fa := a.firstDigit()
	wb, fb := b.firstDigit()
	weight := wa - wb
	if fa <= fb {
		weight--
	}
	return clampScale(numericMinSigDigits-weight*numericBaseDigits, max(a.scale, b.scale))
}

// mod is the remainder of truncating division, with the sign of n.
func (n number) mod(m number) (number, error) {
	switch {
	case n.isNaN() || m.isNaN():
		return nan(), nil
	case n.isInf():
		if m.sign() == 0 {
			return number{}, errDivisionByZero()
		}
		return nan(), nil
	case m.isInf():
		return n, nil
	case m.sign() == 0:
		return number{}, errDivisionByZero()
	}
	x, y, scale := align(n, m)
	return number{coef: new(big.Int).Rem(x, y), scale: scale}, nil
}

// div is the integer part of the quotient.
func (n number) div(m number) (number, error) {
	switch {
	case n.finite() && m.finite() && m.sign() != 0:
		x, y, _ := align(n, m)
		return number{coef: new(big.Int).Quo(x, y)}, nil
	}
	return n.quo(m)
}

func (n number) cmp(m number) int {
	switch {
	case n.isNaN() || m.isNaN():
		return b2i(n.isNaN()) - b2i(m.isNaN())
	case n.isInf() || m.isInf():
		x, y := 0, 0
		if n.isInf() {
			x = n.sign()
		}
		if m.isInf() {
			y = m.sign()
		}
		return x - y
	}
	x, y, _ := align(n, m)
	return x.Cmp(y)
}

// float is the nearest float8; ±Inf where it does not fit.
func (n number) float() float64 {
	switch {
	case n.isNaN():
		return math.NaN()
	case n.isInf():
		return math.Inf(n.sign())
	}
	f, err := n.decimal().Float64()
	if err != nil && math.Abs(f) < 1 {
		return 0
	}
	return f
}

// int64 returns an integral value, false when it does not fit.
func (n number) int64() (int64, bool) {
	if !n.finite() {
		return 0, false
	}
	r := n.round(0)
	return r.coef.Int64(), r.coef.IsInt64()
}
