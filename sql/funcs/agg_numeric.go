package funcs

import (
	"math/big"

	"raisind/sql/types"
)

// numericMoments sums numerics, or integers turned into them, and their squares when
// a variance is asked for.
type numericMoments struct {
	n            int64
	sum, squares number
	wantSquares  bool
	integers     bool
	small        int64 // a part of the sum of integers that still fits
	special      number
	hasSpecial   bool
	widest       int64 // how many values have the scale of the sum
	result       func(s *numericMoments) (number, bool)
}

func newNumericMoments(integers, squares bool, result func(s *numericMoments) (number, bool)) func() AggState {
	return func() AggState {
		return &numericMoments{
			sum: numberOfInt(0), squares: numberOfInt(0), wantSquares: squares, integers: integers, result: result,
		}
	}
}

func (s *numericMoments) Add(_ *Ctx, args []types.Datum) error {
	s.n++
	if s.integers {
		v := args[0].Int()
		if t, ok := addInt(s.small, v); ok {
			s.small = t
		} else {
			s.sum.coef.Add(s.sum.coef, big.NewInt(s.small))
			s.small = v
		}
		if s.wantSquares {
			sq := big.NewInt(v)
			s.squares.coef.Add(s.squares.coef, sq.Mul(sq, sq))
		}
		return nil
	}
	v := numberOf(args[0])
	if !v.finite() {
		if !s.hasSpecial {
			s.special, s.hasSpecial = v, true
		} else {
			s.special = s.special.add(v)
		}
		return nil
	}
	switch {
	case v.scale > s.sum.scale:
		s.widest = 1
	case v.scale == s.sum.scale:
		s.widest++
	}
	s.sum.accumulate(v)
	if s.wantSquares {
		s.squares.accumulate(v.mul(v))
	}
	return nil
}

// Remove implements Retractor. The last value with the scale of the sum, and what is
// not finite, cannot be taken back.
func (s *numericMoments) Remove(_ *Ctx, args []types.Datum) (bool, error) {
	v := numberOfInt(args[0].Int())
	if !s.integers {
		v = numberOf(args[0])
		if s.hasSpecial || !v.finite() || v.scale == s.sum.scale && v.scale > 0 && s.widest == 1 {
			return false, nil
		}
		if v.scale == s.sum.scale {
			s.widest--
		}
	}
	s.n--
	s.sum.accumulate(v.negate())
	if s.wantSquares {
		s.squares.accumulate(v.mul(v).negate())
	}
	return true, nil
}

// accumulate adds v in place.
func (n *number) accumulate(v number) {
	if v.scale > n.scale {
		*n = n.round(v.scale)
	} else if v.scale < n.scale {
		v = v.round(n.scale)
	}
	n.coef.Add(n.coef, v.coef)
}

func (s *numericMoments) Result(*Ctx) (types.Datum, error) {
	if s.integers && s.small != 0 {
		s.sum.coef.Add(s.sum.coef, big.NewInt(s.small))
		s.small = 0
	}
	v, ok := s.result(s)
	if !ok {
		return types.Null, nil
	}
	return v.datum()
}

func (s *numericMoments) total() (number, bool) {
	if s.hasSpecial {
		return s.special, true
	}
	return s.sum, s.n > 0
}

func (s *numericMoments) avg() (number, bool) {
	t, ok := s.total()
	if !ok {
		return number{}, false
	}
	q, err := t.quo(numberOfInt(s.n))
	return q, err == nil
}

// variance is numeric_stddev_internal.
func (s *numericMoments) variance(sample, root bool) (number, bool) {
	least := int64(1)
	if sample {
		least = 2
	}
	if s.n < least {
		return number{}, false
	}
	if s.hasSpecial {
		return nan(), true
	}
	n := numberOfInt(s.n)
	scale := 2 * s.sum.scale
	num := n.mul(s.squares).round(scale).sub(s.sum.mul(s.sum).round(scale))
	if num.sign() <= 0 {
		return numberOfInt(0), true
	}
	den := n
	if sample {
		den = numberOfInt(s.n - 1)
	}
	den = den.mul(n)
	scale = divScale(num, den)
	v := num.quoScale(den, scale)
	if root {
		v = v.sqrtScale(scale)
	}
	return v, true
}
