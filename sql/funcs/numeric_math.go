package funcs

import (
	"math"
	"math/big"

	"github.com/cockroachdb/apd/v3"

	"raisind/pgerr"
)

// This file holds the transcendental functions of numeric. The result scale is
// chosen as numeric.c chooses it; the value is computed with guard digits and
// rounded once.

// guardDigits are computed beyond the digits asked for.
const guardDigits = 12

func precise(digits int) *apd.Context {
	c := apd.BaseContext.WithPrecision(uint32(max(digits, 1) + guardDigits))
	c.MaxExponent, c.MinExponent = apd.MaxExponent, apd.MinExponent
	return c
}

// sqrt of a finite number that is not negative.
func (n number) sqrt() number {
	weight, _ := n.firstDigit()
	sweight := 0
	if weight >= 0 {
		sweight = weight*numericBaseDigits/2 + 1
	} else {
		sweight = 1 - (1-weight*numericBaseDigits)/2
	}
	return n.sqrtScale(clampScale(numericMinSigDigits-sweight, n.scale))
}

// sqrtScale is the square root rounded to scale digits.
func (n number) sqrtScale(scale int) number {
	// One digit more than asked for decides the rounding; the root is never exactly half.
	c := new(big.Int).Set(n.coef)
	if shift := 2*(scale+1) - n.scale; shift >= 0 {
		c.Mul(c, pow10(shift))
	} else {
		c.Quo(c, pow10(-shift))
	}
	return number{coef: c.Sqrt(c), scale: scale + 1}.round(scale)
}

func (n number) exp() (number, error) {
	if n.isInf() {
		if n.sign() < 0 {
			return numberOfInt(0), nil
		}
		return n, nil
	}
	val := n.float() * 0.434294481903252
	val = min(max(val, -numericMaxResultScale), numericMaxResultScale)
	scale := clampScale(numericMinSigDigits-int(val), n.scale)
	return n.expScale(scale)
}

func (n number) expScale(scale int) (number, error) {
	f := n.float()
	switch {
	case f > numericMaxResultScale*3:
		return number{}, errNumericOverflow()
	case f < -numericMaxResultScale*3:
		return number{coef: new(big.Int), scale: scale}, nil
	}
	digits := scale + max(int(f*0.434294481903252), 0) + 2
	var d apd.Decimal
	if _, err := precise(digits).Exp(&d, n.decimal()); err != nil {
		return number{}, errNumericOverflow()
	}
	return numberOfDecimal(&d).round(scale), nil
}

// lnWeight estimates the decimal weight of ln n, as estimate_ln_dweight does.
func (n number) lnWeight() int {
	if n.sign() <= 0 {
		return 0
	}
	if n.cmp(number{coef: big.NewInt(9), scale: 1}) >= 0 && n.cmp(number{coef: big.NewInt(11), scale: 1}) <= 0 {
		x := n.sub(numberOfInt(1))
		if x.isZero() {
			return 0
		}
		w, digit := x.firstDigit()
		return w*numericBaseDigits + int(math.Log10(float64(digit)))
	}
	digits, weight := n.leading(2)
	return int(math.Log10(math.Abs(math.Log(digits) + float64(weight)*2.302585092994046)))
}

// leading returns the first count digits of base 10,000 as one number and the
// decimal weight of its last digit.
func (n number) leading(count int) (value float64, weight int) {
	w, _ := n.firstDigit()
	s := n.baseDigits()
	count = min(count, len(s))
	for _, d := range s[:count] {
		value = value*numericBase + float64(d)
	}
	return value, (w - count + 1) * numericBaseDigits
}

// baseDigits are the digits in base 10,000 without trailing zeros.
func (n number) baseDigits() []int {
	pad := (numericBaseDigits - n.scale%numericBaseDigits) % numericBaseDigits
	c := new(big.Int).Abs(n.coef)
	c.Mul(c, pow10(pad))
	var out []int
	s := c.String()
	for len(s)%numericBaseDigits != 0 {
		s = "0" + s
	}
	for i := 0; i < len(s); i += numericBaseDigits {
		d := 0
		for _, ch := range s[i : i+numericBaseDigits] {
			d = d*10 + int(ch-'0')
		}
		if d != 0 || len(out) > 0 {
			out = append(out, d)
		}
	}
	for len(out) > 0 && out[len(out)-1] == 0 {
		out = out[:len(out)-1]
	}
	return out
}

func (n number) ln() (number, error) {
	if err := n.checkLog(); err != nil || n.isInf() {
		return n, err
	}
	return n.lnScale(clampScale(numericMinSigDigits-n.lnWeight(), n.scale))
}

func (n number) checkLog() error {
	switch {
	case n.isNaN():
		return nil
	case n.sign() == 0:
		return pgerr.New(pgerr.InvalidArgumentForLogarithm, "cannot take logarithm of zero")
	case n.sign() < 0:
		return pgerr.New(pgerr.InvalidArgumentForLogarithm, "cannot take logarithm of a negative number")
	}
	return nil
}

func (n number) lnScale(scale int) (number, error) {
	d, err := n.lnDigits(scale + 6)
	if err != nil {
		return number{}, err
	}
	return numberOfDecimal(d).round(scale), nil
}

// lnDigits computes ln n to about digits significant digits. Numbers far from 1 are
// taken as d.ddd × 10^k first: ln n = ln d.ddd + k ln 10.
func (n number) lnDigits(digits int) (*apd.Decimal, error) {
	const far = 40
	c := precise(digits)
	d := new(apd.Decimal)
	k := n.intDigits() - 1
	if k <= far && k >= -far {
		if _, err := c.Ln(d, n.decimal()); err != nil {
			return nil, errNumericOverflow()
		}
		return d, nil
	}
	c = precise(digits + 8)
	var tenth, product apd.Decimal
	lead := number{coef: n.coef, scale: n.digits() - 1}.round(digits + 8)
	for _, step := range []func() (apd.Condition, error){
		func() (apd.Condition, error) { return c.Ln(d, lead.decimal()) },
		func() (apd.Condition, error) { return c.Ln(&tenth, apd.New(10, 0)) },
		func() (apd.Condition, error) { return c.Mul(&product, &tenth, apd.New(int64(k), 0)) },
		func() (apd.Condition, error) { return c.Add(d, d, &product) },
	} {
		if _, err := step(); err != nil {
			return nil, errNumericOverflow()
		}
	}
	return d, nil
}

// log is the logarithm of n to base.
func (n number) log(base number) (number, error) {
	if err := base.checkLog(); err != nil {
		return number{}, err
	}
	if err := n.checkLog(); err != nil {
		return number{}, err
	}
	switch {
	case base.isNaN() || n.isNaN() || base.isInf() && n.isInf():
		return nan(), nil
	case base.isInf():
		return numberOfInt(0), nil
	case n.isInf():
		return n, nil
	}
	scale := clampScale(numericMinSigDigits-(n.lnWeight()-base.lnWeight()), max(base.scale, n.scale))
	lnN, err := n.lnDigits(scale + 24)
	if err != nil {
		return number{}, err
	}
	lnBase, err := base.lnDigits(scale + 24)
	if err != nil {
		return number{}, err
	}
	if lnBase.IsZero() {
		return number{}, errDivisionByZero()
	}
	return numberOfDecimal(lnN).quoScale(numberOfDecimal(lnBase), scale), nil
}

// pow is power(numeric, numeric).
func (n number) pow(e number) (number, error) {
	if !n.finite() || !e.finite() {
		return n.powSpecial(e)
	}
	switch {
	case n.sign() == 0 && e.sign() < 0:
		return number{}, pgerr.New(pgerr.InvalidArgumentForPowerFunction, "zero raised to a negative power is undefined")
	case n.sign() < 0 && e.cmp(e.trunc(0)) != 0:
		return number{}, pgerr.New(pgerr.InvalidArgumentForPowerFunction, "a negative number raised to a non-integer power yields a complex result")
	}
	if i, ok := e.int64(); ok && e.cmp(e.trunc(0)) == 0 && i >= math.MinInt32 && i <= math.MaxInt32 {
		return n.powInt(int(i), e.scale)
	}
	if n.sign() == 0 {
		return number{coef: new(big.Int), scale: numericMinSigDigits}, nil
	}
	neg := n.sign() < 0 && e.trunc(0).coef.Bit(0) == 1
	if n.sign() < 0 {
		n = n.negate()
	}
	localScale := clampScale(8-n.lnWeight(), 0)
	approx, err := n.lnScale(localScale)
	if err != nil {
		return number{}, err
	}
	val := approx.mul(e).round(localScale).float()
	if math.Abs(val) > numericMaxResultScale*3.01 {
		if val > 0 {
			return number{}, errNumericOverflow()
		}
		return number{coef: new(big.Int), scale: numericMaxDisplayScale}, nil
	}
	val *= 0.434294481903252
	scale := clampScale(numericMinSigDigits-int(val), max(n.scale, e.scale))
	ln, err := n.lnDigits(scale + max(int(math.Abs(val)), 0) + e.intDigits() + 24)
	if err != nil {
		return number{}, err
	}
	r, err := numberOfDecimal(ln).mul(e).expScale(scale)
	if neg {
		r = r.negate()
	}
	return r, err
}

// powInt is power with an integral exponent.
func (n number) powInt(e, eScale int) (number, error) {
	f := 0.0
	if !n.isZero() {
		lead, p := n.leading(4)
		f = float64(e) * (math.Log10(lead) + float64(p))
	}
	scale := clampScale(numericMinSigDigits, max(n.scale, eScale))
	switch {
	case f > numericMaxIntDigits:
		return number{}, errNumericOverflow()
	case f+1 < float64(-scale):
		return number{coef: new(big.Int), scale: scale}, nil
	}
	const exactDigits = 200_000
	if math.Abs(f)+2*float64(n.scale)*math.Abs(float64(e)) < exactDigits { // exact, then rounded
		c := new(big.Int).Exp(n.coef, big.NewInt(int64(max(e, -e))), nil)
		if e >= 0 {
			return number{coef: c, scale: n.scale * e}.round(scale), nil
		}
		return numberOfInt(1).quoScale(number{coef: c, scale: n.scale * -e}, scale), nil
	}
	return n.powBinary(e, scale, int(math.Abs(f))), nil
}

// powBinary squares and multiplies in binary floating point, with bits to spare for the
// digits of the result and for the rounding of every step.
func (n number) powBinary(e, scale, intDigits int) number {
	const bitsPerDigit, spare = 4, 128
	prec := uint((scale+intDigits)*bitsPerDigit + spare)
	base := new(big.Float).SetPrec(prec).SetInt(n.coef)
	base.Quo(base, new(big.Float).SetPrec(prec).SetInt(pow10(n.scale)))
	result := new(big.Float).SetPrec(prec).SetInt64(1)
	for k := max(e, -e); k > 0; k >>= 1 {
		if k&1 != 0 {
			result.Mul(result, base)
		}
		base.Mul(base, base)
	}
	if e < 0 {
		result.Quo(new(big.Float).SetPrec(prec).SetInt64(1), result)
	}
	const guard = 4
	shifted, _ := result.Mul(result, new(big.Float).SetPrec(prec).SetInt(pow10(scale+guard))).Int(nil)
	return number{coef: shifted, scale: scale + guard}.round(scale)
}

// powSpecial is power with a NaN or an infinity, as POSIX and numeric.c have it.
func (n number) powSpecial(e number) (number, error) {
	one := numberOfInt(1)
	switch {
	case n.isNaN():
		if e.finite() && e.sign() == 0 {
			return one, nil
		}
		return nan(), nil
	case e.isNaN():
		if n.cmp(one) == 0 {
			return one, nil
		}
		return nan(), nil
	case n.isZero() && e.sign() < 0:
		return number{}, pgerr.New(pgerr.InvalidArgumentForPowerFunction, "zero raised to a negative power is undefined")
	case n.sign() < 0 && e.finite() && e.cmp(e.trunc(0)) != 0:
		return number{}, pgerr.New(pgerr.InvalidArgumentForPowerFunction, "a negative number raised to a non-integer power yields a complex result")
	case n.cmp(one) == 0 || e.isZero():
		return one, nil
	case n.isZero() && e.sign() > 0:
		return numberOfInt(0), nil
	}
	if e.isInf() {
		abs := n
		if n.sign() < 0 {
			abs = n.negate()
		}
		switch c := abs.cmp(one); {
		case c == 0:
			return one, nil
		case (c > 0) == (e.sign() > 0):
			return infinity(1), nil
		}
		return numberOfInt(0), nil
	}
	// n is infinite, e finite and not zero.
	if e.sign() < 0 {
		return numberOfInt(0), nil
	}
	if n.sign() < 0 && e.trunc(0).coef.Bit(0) == 1 {
		return infinity(-1), nil
	}
	return infinity(1), nil
}
