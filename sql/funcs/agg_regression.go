package funcs

import (
	"math"

	"raisind/sql/types"
)

// pairMoments holds the moments of pairs (Y, X) by the method of Youngs and Cramer, as
// float8_regr_accum computes them.
type pairMoments struct {
	n, sx, sxx, sy, syy, sxy float64
	result                   func(s *pairMoments) (float64, bool)
}

func (s *pairMoments) Add(_ *Ctx, args []types.Datum) error {
	y, x := args[0].Float(), args[1].Float()
	n := s.n
	s.n++
	s.sx += x
	s.sy += y
	if n == 0 {
		if x-x != 0 { // NaN or infinite
			s.sxx, s.sxy = math.NaN(), math.NaN()
		}
		if y-y != 0 {
			s.syy, s.sxy = math.NaN(), math.NaN()
		}
		return nil
	}
	dx, dy := x*s.n-s.sx, y*s.n-s.sy
	scale := 1 / (s.n * n)
	s.sxx += dx * dx * scale
	s.syy += dy * dy * scale
	s.sxy += dx * dy * scale
	if isInf(s.sx) || isInf(s.sxx) || isInf(s.sy) || isInf(s.syy) || isInf(s.sxy) {
		if x-x == 0 && y-y == 0 {
			return errFloatOverflow()
		}
		s.sxx, s.syy, s.sxy = math.NaN(), math.NaN(), math.NaN()
	}
	return nil
}

func (s *pairMoments) Result(*Ctx) (types.Datum, error) { return floatOrNull(s.result(s)), nil }

// countPairs is regr_count.
type countPairs struct{ countState }

func regressionAggregates() []Aggregate {
	const rows = ` FROM generate_series(1, 4) AS g`
	agg := func(name, doc, want string, result func(s *pairMoments) (float64, bool)) Aggregate {
		return Aggregate{
			Name: name, Group: groupAggregate, Doc: doc,
			Overloads: []AggOverload{aggregate("float8,float8", "float8", func() AggState { return &pairMoments{result: result} })},
			Examples:  []Example{{`SELECT ` + name + `(2 * g + 1, g)` + rows, want}},
		}
	}
	return []Aggregate{
		{
			Name: "regr_count", Group: groupAggregate, Doc: "Number of pairs without a NULL.",
			Overloads: []AggOverload{aggregate("float8,float8", "int8", func() AggState { return &countPairs{} })},
			Examples:  []Example{{`SELECT regr_count(g, g)` + rows, "4"}},
		},
		agg("regr_sxx", "Sum of squares of the independent variable.", "5", func(s *pairMoments) (float64, bool) { return s.sxx, s.n > 0 }),
		agg("regr_syy", "Sum of squares of the dependent variable.", "20", func(s *pairMoments) (float64, bool) { return s.syy, s.n > 0 }),
		agg("regr_sxy", "Sum of products of both variables.", "10", func(s *pairMoments) (float64, bool) { return s.sxy, s.n > 0 }),
		agg("regr_avgx", "Mean of the independent variable.", "2.5", func(s *pairMoments) (float64, bool) { return s.sx / s.n, s.n > 0 }),
		agg("regr_avgy", "Mean of the dependent variable.", "6", func(s *pairMoments) (float64, bool) { return s.sy / s.n, s.n > 0 }),
		agg("covar_pop", "Covariance of the population.", "2.5", func(s *pairMoments) (float64, bool) { return s.sxy / s.n, s.n > 0 }),
		agg("covar_samp", "Covariance of a sample.", "3.3333333333333335", func(s *pairMoments) (float64, bool) { return s.sxy / (s.n - 1), s.n > 1 }),
		agg("corr", "Correlation.", "1", func(s *pairMoments) (float64, bool) {
			return s.sxy / math.Sqrt(s.sxx*s.syy), s.n > 0 && s.sxx != 0 && s.syy != 0
		}),
		agg("regr_r2", "Square of the correlation.", "1", func(s *pairMoments) (float64, bool) {
			if s.syy == 0 {
				return 1, s.n > 0 && s.sxx != 0
			}
			return s.sxy * s.sxy / (s.sxx * s.syy), s.n > 0 && s.sxx != 0
		}),
		agg("regr_slope", "Slope of the line of least squares.", "2", func(s *pairMoments) (float64, bool) {
			return s.sxy / s.sxx, s.n > 0 && s.sxx != 0
		}),
		agg("regr_intercept", "Where the line of least squares crosses x = 0.", "1", func(s *pairMoments) (float64, bool) {
			return (s.sy - s.sx*s.sxy/s.sxx) / s.n, s.n > 0 && s.sxx != 0
		}),
	}
}
