package funcs

import (
	"math"
	"strings"

	"raisind/sql/types"
)

// aggregate makes a strict overload: rows with a NULL argument are not fed to it.
func aggregate(args, result string, newState func() AggState) AggOverload {
	o := AggOverload{Strict: true, New: func([]*types.Type) AggState { return newState() }}
	o.Args, _, o.Variadic = parseArgs(args)
	o.Result = mustType(result)
	return o
}

// typedAggregate is fed every row and knows the types of its arguments.
func typedAggregate(args, result string, newState func(args []*types.Type) AggState) AggOverload {
	o := AggOverload{New: newState}
	o.Args, _, o.Variadic = parseArgs(args)
	o.Result = mustType(result)
	return o
}

// countState counts rows.
type countState struct{ n int64 }

func (s *countState) Add(*Ctx, []types.Datum) error {
	s.n++
	return nil
}

// Remove implements Retractor.
func (s *countState) Remove(*Ctx, []types.Datum) (bool, error) {
	s.n--
	return true, nil
}

func (s *countState) Result(*Ctx) (types.Datum, error) { return types.Int(s.n), nil }

// extremeState keeps the least or the greatest value.
type extremeState struct {
	t     *types.Type
	sign  int // 1 for max, -1 for min
	value types.Datum
}

func (s *extremeState) Add(_ *Ctx, args []types.Datum) error {
	if s.value.IsNull() || types.Compare(s.t, args[0], s.value)*s.sign >= 0 { // of equal ones the last, as PostgreSQL
		s.value = args[0]
	}
	return nil
}

func (s *extremeState) Result(*Ctx) (types.Datum, error) { return s.value, nil }

// intSum adds integers of at most 32 bits; int64 holds 2^32 of them.
type intSum struct {
	sum int64
	n   int64
}

func (s *intSum) Add(_ *Ctx, args []types.Datum) error {
	v, ok := addInt(s.sum, args[0].Int())
	if !ok {
		return intTypes[2].errRange()
	}
	s.sum = v
	s.n++
	return nil
}

// Remove implements Retractor.
func (s *intSum) Remove(_ *Ctx, args []types.Datum) (bool, error) {
	s.sum -= args[0].Int()
	s.n--
	return true, nil
}

func (s *intSum) Result(*Ctx) (types.Datum, error) {
	if s.n == 0 {
		return types.Null, nil
	}
	return types.Int(s.sum), nil
}

// floatSum is sum of float8, and of float4 when single is set.
type floatSum struct {
	sum          float64
	seen, single bool
}

func (s *floatSum) Add(_ *Ctx, args []types.Datum) error {
	v := args[0].Float()
	if !s.seen {
		s.sum, s.seen = v, true
		return nil
	}
	round := keep
	if s.single {
		round = toSingle
	}
	var err error
	s.sum, err = addFloat(s.sum, v, round)
	return err
}

func (s *floatSum) Result(*Ctx) (types.Datum, error) { return floatOrNull(s.sum, s.seen), nil }

// floatMoments holds count, sum and sum of squared differences of floats by the
// method of Youngs and Cramer, as float8_accum computes them.
type floatMoments struct {
	n, sx, sxx float64
	result     func(s *floatMoments) (float64, bool)
}

func (s *floatMoments) Add(_ *Ctx, args []types.Datum) error {
	v, n, sx := args[0].Float(), s.n, s.sx
	s.n++
	s.sx += v
	if n == 0 {
		if math.IsNaN(v) || isInf(v) {
			s.sxx = math.NaN()
		}
		return nil
	}
	d := v*s.n - s.sx
	s.sxx += d * d / (s.n * n)
	if isInf(s.sx) || isInf(s.sxx) {
		if !isInf(sx) && !isInf(v) {
			return errFloatOverflow()
		}
		s.sxx = math.NaN()
	}
	return nil
}

func (s *floatMoments) Result(*Ctx) (types.Datum, error) { return floatOrNull(s.result(s)), nil }

func (s *floatMoments) avg() (float64, bool) { return s.sx / s.n, s.n > 0 }

func (s *floatMoments) varPop() (float64, bool) { return s.sxx / s.n, s.n > 0 }

func (s *floatMoments) varSamp() (float64, bool) { return s.sxx / (s.n - 1), s.n > 1 }

// boolState is bool_and (decisive false) and bool_or (decisive true).
type boolState struct{ decisive, seen, value bool }

func (s *boolState) Add(_ *Ctx, args []types.Datum) error {
	if !s.seen {
		s.seen, s.value = true, !s.decisive
	}
	if args[0].Bool() == s.decisive {
		s.value = s.decisive
	}
	return nil
}

func (s *boolState) Result(*Ctx) (types.Datum, error) {
	if !s.seen {
		return types.Null, nil
	}
	return types.Bool(s.value), nil
}

// bitState folds integers with a bitwise operation.
type bitState struct {
	op   func(a, b int64) int64
	v    int64
	seen bool
}

func (s *bitState) Add(_ *Ctx, args []types.Datum) error {
	if !s.seen {
		s.v, s.seen = args[0].Int(), true
		return nil
	}
	s.v = s.op(s.v, args[0].Int())
	return nil
}

func (s *bitState) Result(*Ctx) (types.Datum, error) {
	if !s.seen {
		return types.Null, nil
	}
	return types.Int(s.v), nil
}

// bitStringState folds bit strings of one length.
type bitStringState struct {
	name string
	op   func(a, b byte) byte
	v    types.Datum
}

func (s *bitStringState) Add(fc *Ctx, args []types.Datum) error {
	if s.v.IsNull() {
		s.v = args[0]
		return nil
	}
	var err error
	s.v, err = bitStrings(strings.ToUpper(strings.TrimPrefix(s.name, "bit_")), s.op)(fc, []types.Datum{s.v, args[0]})
	return err
}

func (s *bitStringState) Result(*Ctx) (types.Datum, error) { return s.v, nil }

// intervalState sums intervals; avg divides by their number.
type intervalState struct {
	sum types.Interval
	n   int64
	avg bool
}

func (s *intervalState) Add(_ *Ctx, args []types.Datum) error {
	var err error
	s.sum, err = addIntervals(s.sum, intervalOf(args[0]))
	s.n++
	return err
}

// Remove implements Retractor.
func (s *intervalState) Remove(_ *Ctx, args []types.Datum) (bool, error) {
	v := intervalOf(args[0])
	s.sum.Months -= v.Months
	s.sum.Days -= v.Days
	s.sum.Micros -= v.Micros
	s.n--
	return true, nil
}

func (s *intervalState) Result(*Ctx) (types.Datum, error) {
	switch {
	case s.n == 0:
		return types.Null, nil
	case !s.avg:
		return intervalDatum(s.sum)
	}
	n := float64(s.n)
	return scaleInterval(s.sum, func(v float64) float64 { return v / n })
}
