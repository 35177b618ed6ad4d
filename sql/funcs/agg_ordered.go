package funcs

import (
	"math"

	"raisind/pgerr"
	"raisind/sql/types"
)

// Ordered-set aggregates are fed their direct arguments first and then the value of
// WITHIN GROUP, in the order asked for.

// orderedState gathers the values of a group in order.
type orderedState struct {
	fraction types.Datum
	values   []types.Datum
	finish   func(s *orderedState) (types.Datum, error)
}

func (s *orderedState) Add(_ *Ctx, args []types.Datum) error {
	s.fraction = args[0]
	if v := args[len(args)-1]; !v.IsNull() {
		s.values = append(s.values, v)
	}
	return nil
}

func (s *orderedState) Result(*Ctx) (types.Datum, error) {
	if len(s.values) == 0 || s.fraction.IsNull() {
		return types.Null, nil
	}
	return s.finish(s)
}

// checkFraction refuses a percentile outside 0 to 1.
func checkFraction(p float64) error {
	if !(p >= 0 && p <= 1) {
		return pgerr.New(pgerr.NumericValueOutOfRange, "percentile value %v is not between 0 and 1", p)
	}
	return nil
}

// disc is the first value whose place reaches the fraction.
func (s *orderedState) disc(p float64) (types.Datum, error) {
	if err := checkFraction(p); err != nil {
		return types.Null, err
	}
	i := int(math.Ceil(p*float64(len(s.values)))) - 1
	return s.values[max(i, 0)], nil
}

// cont interpolates between the two values beside the fraction.
func (s *orderedState) cont(p float64, between func(a, b types.Datum, f float64) types.Datum) (types.Datum, error) {
	if err := checkFraction(p); err != nil {
		return types.Null, err
	}
	at := p * float64(len(s.values)-1)
	lo, hi := math.Floor(at), math.Ceil(at)
	if lo == hi {
		return s.values[int(lo)], nil
	}
	return between(s.values[int(lo)], s.values[int(hi)], at-lo), nil
}

func betweenFloats(a, b types.Datum, f float64) types.Datum {
	return types.Float(a.Float() + f*(b.Float()-a.Float()))
}

func betweenIntervals(a, b types.Datum, f float64) types.Datum {
	x := intervalOf(a)
	neg, err := negateInterval(nil, []types.Datum{a})
	if err != nil {
		return types.Null
	}
	diff, err := addIntervals(intervalOf(b), intervalOf(neg))
	if err != nil {
		return types.Null
	}
	part, err := scaleInterval(diff, func(v float64) float64 { return v * f })
	if err != nil {
		return types.Null
	}
	sum, err := addIntervals(x, intervalOf(part))
	if err != nil {
		return types.Null
	}
	return types.Ref(&sum)
}

// each applies a percentile to a fraction, or to every element of an array of them.
func each(s *orderedState, elem *types.Type, one func(p float64) (types.Datum, error)) (types.Datum, error) {
	a := arrayOf(s.fraction)
	if a == nil {
		return one(s.fraction.Float())
	}
	out := *a
	out.Elem = elem
	out.Elems = make([]types.Datum, len(a.Elems))
	for i, p := range a.Elems {
		if p.IsNull() {
			continue
		}
		var err error
		if out.Elems[i], err = one(p.Float()); err != nil {
			return types.Null, err
		}
	}
	return types.Ref(&out), nil
}

// mode finds the value that occurs most often among neighbours; of equal ones the first.
func mode(t *types.Type) func(s *orderedState) (types.Datum, error) {
	return func(s *orderedState) (types.Datum, error) {
		best, bestCount, count := s.values[0], 0, 0
		for i, v := range s.values {
			if i > 0 && types.Compare(t, v, s.values[i-1]) == 0 {
				count++
			} else {
				count = 1
			}
			if count > bestCount {
				best, bestCount = v, count
			}
		}
		return best, nil
	}
}

func orderedAggregates() []Aggregate {
	cont := func(args, result string, between func(a, b types.Datum, f float64) types.Datum) AggOverload {
		return typedAggregate(args, result, func(ts []*types.Type) AggState {
			return &orderedState{finish: func(s *orderedState) (types.Datum, error) {
				return each(s, ts[1], func(p float64) (types.Datum, error) { return s.cont(p, between) })
			}}
		})
	}
	disc := func(args, result string) AggOverload {
		return typedAggregate(args, result, func(ts []*types.Type) AggState {
			return &orderedState{finish: func(s *orderedState) (types.Datum, error) { return each(s, ts[1], s.disc) }}
		})
	}
	return []Aggregate{
		{
			Name: "percentile_cont", Group: groupAggregate, Doc: "The value at a fraction of the ordered group, interpolated.",
			Overloads: []AggOverload{
				cont("float8,float8", "float8", betweenFloats), cont("float8,interval", "interval", betweenIntervals),
				cont("float8[],float8", "float8[]", betweenFloats), cont("float8[],interval", "interval[]", betweenIntervals),
			},
			Examples: []Example{{`SELECT percentile_cont(0.5) WITHIN GROUP (ORDER BY g) FROM generate_series(1, 4) AS g`, "2.5"}},
		},
		{
			Name: "percentile_disc", Group: groupAggregate, Doc: "The first value of the ordered group that reaches a fraction.",
			Overloads: []AggOverload{disc("float8,anyelement", "anyelement"), disc("float8[],anyelement", "anyarray")},
			Examples:  []Example{{`SELECT percentile_disc(0.5) WITHIN GROUP (ORDER BY g) FROM generate_series(1, 4) AS g`, "2"}},
		},
		{
			Name: "mode", Group: groupAggregate, Doc: "The value that occurs most often in the ordered group.",
			Overloads: []AggOverload{typedAggregate("anyelement", "anyelement", func(ts []*types.Type) AggState {
				return &orderedState{finish: mode(ts[0])}
			})},
			Examples: []Example{{`SELECT mode() WITHIN GROUP (ORDER BY g / 3) FROM generate_series(1, 5) AS g`, "1"}},
		},
	}
}
