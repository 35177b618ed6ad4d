package funcs

import (
	"math"
	"math/big"

	"raisind/pgerr"
	"raisind/sql/types"
)

func errInputRange() error {
	return pgerr.New(pgerr.NumericValueOutOfRange, "input is out of range")
}

// float8Checked is a body for a function of one double that may fail.
func float8Checked(f func(float64) (float64, error)) EvalFunc {
	return func(_ *Ctx, args []types.Datum) (types.Datum, error) {
		v, err := f(args[0].Float())
		if err != nil {
			return types.Null, err
		}
		return types.Float(v), nil
	}
}

// within refuses arguments outside [lo, hi]; NaN passes.
func within(lo, hi float64, f func(float64) float64) EvalFunc {
	return float8Checked(func(x float64) (float64, error) {
		if x < lo || x > hi {
			return 0, errInputRange()
		}
		return f(x), nil
	})
}

// periodic refuses infinities, which have no angle.
func periodic(f func(float64) float64) EvalFunc {
	return float8Checked(func(x float64) (float64, error) {
		if isInf(x) {
			return 0, errInputRange()
		}
		return f(x), nil
	})
}

// growing reports a result that overflows or vanishes.
func growing(f func(float64) float64, vanishes bool) EvalFunc {
	return float8Checked(func(x float64) (float64, error) {
		v := f(x)
		if isInf(v) && !isInf(x) {
			return 0, errFloatOverflow()
		}
		if vanishes && v == 0 && !isInf(x) {
			return 0, errFloatUnderflow()
		}
		return v, nil
	})
}

func logFloat(f func(float64) float64) EvalFunc {
	return float8Checked(func(x float64) (float64, error) {
		switch {
		case x == 0:
			return 0, pgerr.New(pgerr.InvalidArgumentForLogarithm, "cannot take logarithm of zero")
		case x < 0:
			return 0, pgerr.New(pgerr.InvalidArgumentForLogarithm, "cannot take logarithm of a negative number")
		}
		return f(x), nil
	})
}

// Sines and cosines of degrees that are exact at 0, 30, 60 and 90, as float.c has them.
func sinDeg(x float64) float64 {
	x = math.Mod(x, 360)
	sign := 1.0
	if x < 0 {
		x, sign = -x, -1
	}
	if x > 180 {
		x, sign = 360-x, -sign
	}
	if x > 90 {
		x = 180 - x
	}
	return sign * sinQuadrant(x)
}

func cosDeg(x float64) float64 {
	x = math.Abs(math.Mod(x, 360))
	sign := 1.0
	if x > 180 {
		x = 360 - x
	}
	if x > 90 {
		x, sign = 180-x, -1
	}
	return sign * cosQuadrant(x)
}

// These are variables so that products are rounded as those of a variable angle are:
// only then are quotients exact.
var (
	radPerDeg     = math.Pi / 180
	sin30         = math.Sin(30 * radPerDeg)
	oneMinusCos60 = 1 - math.Cos(60*radPerDeg)
	asinHalf      = math.Asin(0.5)
	acosHalf      = math.Acos(0.5)
	atanOne       = math.Atan(1)
	tan45         = sinQuadrant(45) / cosQuadrant(45)
	cot45         = cosQuadrant(45) / sinQuadrant(45)
)

func sinQuadrant(x float64) float64 {
	if x <= 30 {
		return math.Sin(x*radPerDeg) / sin30 / 2
	}
	return cos0to60(90 - x)
}

func cosQuadrant(x float64) float64 {
	if x <= 60 {
		return cos0to60(x)
	}
	return math.Sin((90-x)*radPerDeg) / sin30 / 2
}

func cos0to60(x float64) float64 {
	return 1 - (1-math.Cos(x*radPerDeg))/oneMinusCos60/2
}

func tanDeg(x float64) float64 {
	x, sign := firstQuadrant(x)
	return sign*(sinQuadrant(x)/cosQuadrant(x)/tan45) + 0 // no negative zero
}

func cotDeg(x float64) float64 {
	x, sign := firstQuadrant(x)
	return sign*(cosQuadrant(x)/sinQuadrant(x)/cot45) + 0
}

// firstQuadrant brings an angle to 0 to 90 degrees; sign is that of its tangent.
func firstQuadrant(x float64) (angle, sign float64) {
	x, sign = math.Mod(x, 360), 1
	if x < 0 {
		x, sign = -x, -1
	}
	if x > 180 {
		x, sign = 360-x, -sign
	}
	if x > 90 {
		x, sign = 180-x, -sign
	}
	return x, sign
}

func asinDeg(x float64) float64 {
	switch {
	case math.Abs(x) <= 0.5:
		return math.Asin(x) / asinHalf * 30
	case x < 0:
		return -asinDeg(-x)
	}
	return 90 - math.Acos(x)/acosHalf*60
}

func acosDeg(x float64) float64 {
	switch {
	case x > 0.5:
		return math.Acos(x) / acosHalf * 60
	case x >= 0:
		return 90 - math.Asin(x)/asinHalf*30
	}
	return 90 + asinDeg(-x)
}

func atanDeg(x float64) float64 { return math.Atan(x) / atanOne * 45 }

func float8Func2(f func(a, b float64) float64) EvalFunc {
	return func(_ *Ctx, args []types.Datum) (types.Datum, error) {
		return types.Float(f(args[0].Float(), args[1].Float())), nil
	}
}

func signFloat(x float64) float64 {
	switch {
	case x > 0:
		return 1
	case x < 0:
		return -1
	}
	return 0 // of NaN too
}

func (n number) signum() number {
	if n.isNaN() {
		return n
	}
	return numberOfInt(int64(n.sign()))
}

// floor and ceil keep no digits after the point.
func (n number) floor() number {
	t := n.trunc(0)
	if n.finite() && n.cmp(t) < 0 {
		return t.sub(numberOfInt(1))
	}
	return t
}

func (n number) ceil() number { return n.negate().floor().negate() }

// roundTo and truncTo take the scale as their second argument.
func roundTo(f func(n number, scale int) number) EvalFunc {
	return func(_ *Ctx, args []types.Datum) (types.Datum, error) {
		scale := int(min(max(args[1].Int(), -numericMaxResultScale), numericMaxResultScale))
		return f(numberOf(args[0]), scale).datum()
	}
}

func gcd(a, b int64) uint64 {
	x, y := absU(a), absU(b)
	for y != 0 {
		x, y = y, x%y
	}
	return x
}

func (t intType) gcd(_ *Ctx, args []types.Datum) (types.Datum, error) {
	g := gcd(args[0].Int(), args[1].Int())
	if g > uint64(t.max) {
		return types.Null, t.errRange()
	}
	return types.Int(int64(g)), nil
}

func (t intType) lcm(_ *Ctx, args []types.Datum) (types.Datum, error) {
	a, b := args[0].Int(), args[1].Int()
	if a == 0 || b == 0 {
		return types.Int(0), nil
	}
	v, ok := mulInt(a/int64(gcd(a, b)), b)
	if !ok || v == math.MinInt64 {
		return types.Null, t.errRange()
	}
	if v < 0 {
		v = -v
	}
	if v > t.max {
		return types.Null, t.errRange()
	}
	return types.Int(v), nil
}

func (n number) gcd(m number) (number, error) {
	switch {
	case !n.finite() || !m.finite():
		return nan(), nil
	}
	x, y, scale := align(n, m)
	g := new(big.Int).GCD(nil, nil, new(big.Int).Abs(x), new(big.Int).Abs(y))
	return number{coef: g, scale: scale}, nil
}

func (n number) lcm(m number) (number, error) {
	if !n.finite() || !m.finite() {
		return nan(), nil
	}
	x, y, scale := align(n, m)
	if x.Sign() == 0 || y.Sign() == 0 {
		return number{coef: new(big.Int), scale: scale}, nil
	}
	g := new(big.Int).GCD(nil, nil, new(big.Int).Abs(x), new(big.Int).Abs(y))
	v := new(big.Int).Quo(x, g)
	return number{coef: v.Abs(v.Mul(v, y)), scale: scale}, nil
}

// maxFactorial is the largest argument whose factorial a numeric holds.
const maxFactorial = 32177

func factorial(_ *Ctx, args []types.Datum) (types.Datum, error) {
	n := args[0].Int()
	switch {
	case n < 0:
		return types.Null, pgerr.New(pgerr.NumericValueOutOfRange, "factorial of a negative number is undefined")
	case n > maxFactorial:
		return types.Null, errNumericOverflow()
	}
	return number{coef: new(big.Int).MulRange(1, max(n, 1))}.datum()
}

func scaleOf(_ *Ctx, args []types.Datum) (types.Datum, error) {
	n := numberOf(args[0])
	if !n.finite() {
		return types.Null, nil
	}
	return types.Int(int64(n.scale)), nil
}

// trimScale drops zeros behind the point.
func (n number) trimScale() number {
	if !n.finite() {
		return n
	}
	c, s := new(big.Int).Set(n.coef), n.scale
	for s > 0 {
		q, r := new(big.Int).QuoRem(c, bigTen, new(big.Int))
		if r.Sign() != 0 {
			break
		}
		c, s = q, s-1
	}
	return number{coef: c, scale: s}
}

func minScale(_ *Ctx, args []types.Datum) (types.Datum, error) {
	n := numberOf(args[0])
	if !n.finite() {
		return types.Null, nil
	}
	return types.Int(int64(n.trimScale().scale)), nil
}

func errBucket(format string, args ...any) error {
	return pgerr.New(pgerr.InvalidArgumentForWidthBucket, format, args...)
}

func widthBucketFloat(_ *Ctx, args []types.Datum) (types.Datum, error) {
	x, lo, hi, count := args[0].Float(), args[1].Float(), args[2].Float(), args[3].Int()
	switch {
	case count <= 0:
		return types.Null, errBucket("count must be greater than zero")
	case math.IsNaN(x) || math.IsNaN(lo) || math.IsNaN(hi):
		return types.Null, errBucket("operand, lower bound, and upper bound cannot be NaN")
	case isInf(lo) || isInf(hi):
		return types.Null, errBucket("lower and upper bounds must be finite")
	case lo == hi:
		return types.Null, errBucket("lower bound cannot equal upper bound")
	}
	sign := 1.0
	if lo > hi {
		sign = -1
	}
	switch {
	case (x-lo)*sign < 0:
		return types.Int(0), nil
	case (x-hi)*sign >= 0:
		if count == math.MaxInt32 {
			return types.Null, intTypes[1].errRange()
		}
		return types.Int(count + 1), nil
	}
	b := int64((x/2-lo/2)/(hi/2-lo/2)*float64(count)) + 1
	return types.Int(min(b, count)), nil
}

func widthBucketNumeric(_ *Ctx, args []types.Datum) (types.Datum, error) {
	x, lo, hi, count := numberOf(args[0]), numberOf(args[1]), numberOf(args[2]), args[3].Int()
	switch {
	case count <= 0:
		return types.Null, errBucket("count must be greater than zero")
	case x.isNaN() || lo.isNaN() || hi.isNaN():
		return types.Null, errBucket("operand, lower bound, and upper bound cannot be NaN")
	case lo.isInf() || hi.isInf():
		return types.Null, errBucket("lower and upper bounds must be finite")
	case lo.cmp(hi) == 0:
		return types.Null, errBucket("lower bound cannot equal upper bound")
	}
	up := lo.cmp(hi) < 0
	if c := x.cmp(lo); up && c < 0 || !up && c > 0 {
		return types.Int(0), nil
	}
	if c := x.cmp(hi); up && c >= 0 || !up && c <= 0 {
		if count == math.MaxInt32 {
			return types.Null, intTypes[1].errRange()
		}
		return types.Int(count + 1), nil
	}
	q, err := x.sub(lo).mul(numberOfInt(count)).div(hi.sub(lo))
	if err != nil {
		return types.Null, err
	}
	b, _ := q.int64()
	return types.Int(b + 1), nil
}

// widthBucketArray finds the bucket among sorted lower bounds.
func widthBucketArray(args []*types.Type) EvalFunc {
	elem := elemOf(args[1])
	return func(_ *Ctx, args []types.Datum) (types.Datum, error) {
		bounds := arrayOf(args[1])
		if len(bounds.Dims) > 1 {
			return types.Null, pgerr.New(pgerr.ArraySubscriptError, "thresholds must be one-dimensional array")
		}
		lo, hi := 0, len(bounds.Elems)
		for lo < hi {
			mid := (lo + hi) / 2
			if bounds.Elems[mid].IsNull() {
				return types.Null, pgerr.New(pgerr.NullValueNotAllowed, "thresholds array must not contain NULLs")
			}
			if types.Compare(elem, args[0], bounds.Elems[mid]) < 0 {
				hi = mid
			} else {
				lo = mid + 1
			}
		}
		return types.Int(int64(lo)), nil
	}
}
