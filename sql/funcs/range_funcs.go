package funcs

import (
	"raisind/pgerr"
	"raisind/sql/types"
)

// rangesOf takes a range or a multirange apart.
func rangesOf(d types.Datum) []*types.Range {
	if r := d.Range(); r != nil {
		if r.Empty {
			return nil
		}
		return []*types.Range{r}
	}
	if m := d.Multirange(); m != nil {
		return m.Ranges
	}
	return nil
}

// pointRange is a value as a range of its own.
func pointRange(d types.Datum) *types.Range {
	return &types.Range{Lower: d, Upper: d, LowerInc: true, UpperInc: true}
}

func rangeConstructor(t *types.Type) EvalFunc {
	return func(_ *Ctx, args []types.Datum) (types.Datum, error) {
		bounds := "[)"
		if len(args) > 2 {
			if args[2].IsNull() {
				return types.Null, pgerr.New(pgerr.DataException, "range constructor flags argument must not be null")
			}
			bounds = args[2].Str()
		}
		switch bounds {
		case "[)", "[]", "()", "(]":
		default:
			return types.Null, pgerr.New(pgerr.SyntaxError, "invalid range bound flags").
				WithHint(`Valid values are "[]", "[)", "(]", and "()".`)
		}
		r, err := types.NewRange(t, types.Range{Lower: args[0], Upper: args[1], LowerInc: bounds[0] == '[', UpperInc: bounds[1] == ']'})
		if err != nil {
			return types.Null, err
		}
		return types.Ref(r), nil
	}
}

func multirangeConstructor(t *types.Type) EvalFunc {
	return func(_ *Ctx, args []types.Datum) (types.Datum, error) {
		var rs []*types.Range
		if len(args) == 1 {
			if a := arrayOf(args[0]); a != nil {
				for _, e := range a.Elems {
					if e.IsNull() {
						return types.Null, pgerr.New(pgerr.NullValueNotAllowed, "multirange values cannot contain null members")
					}
					rs = append(rs, e.Range())
				}
			} else {
				rs = rangesOf(args[0])
			}
		}
		return types.Ref(types.NewMultirange(t, rs)), nil
	}
}

// rangeTest is a predicate on two ranges.
type rangeTest func(rt *types.Type, a, b []*types.Range) bool

func anyPair(test func(t *types.Type, a, b *types.Range) bool) rangeTest {
	return func(t *types.Type, a, b []*types.Range) bool {
		for _, x := range a {
			for _, y := range b {
				if test(t, x, y) {
					return true
				}
			}
		}
		return false
	}
}

// covers: every range of b lies within one of a.
func covers(t *types.Type, a, b []*types.Range) bool {
	for _, y := range b {
		found := false
		for _, x := range a {
			found = found || types.RangeContains(t, x, y)
		}
		if !found {
			return false
		}
	}
	return true
}

// ends compares the outermost bounds, false where one side is empty.
func ends(test func(t *types.Type, aFirst, aLast, bFirst, bLast *types.Range) bool) rangeTest {
	return func(t *types.Type, a, b []*types.Range) bool {
		if len(a) == 0 || len(b) == 0 {
			return false
		}
		return test(t, a[0], a[len(a)-1], b[0], b[len(b)-1])
	}
}

var rangeTests = []struct {
	symbol, name, commutator, doc string
	test                          rangeTest
	elem                          bool // the right side may be a value
}{
	{"@>", "range_contains", "<@", "True when the left range contains the right range or value.", covers, true},
	{"&&", "range_overlaps", "&&", "True when two ranges share a point.", anyPair(types.RangesOverlap), false},
	{"<<", "range_before", ">>", "True when the left range ends before the right one begins.", ends(func(t *types.Type, _, al, bf, _ *types.Range) bool {
		return types.RangeBefore(t, al, bf)
	}), false},
	{">>", "range_after", "<<", "True when the left range begins after the right one ends.", ends(func(t *types.Type, af, _, _, bl *types.Range) bool {
		return types.RangeBefore(t, bl, af)
	}), false},
	{"&<", "range_overleft", "", "True when the left range does not extend beyond the right one.", ends(func(t *types.Type, _, al, _, bl *types.Range) bool {
		return types.CompareUpper(t, al, bl) <= 0
	}), false},
	{"&>", "range_overright", "", "True when the left range does not begin before the right one.", ends(func(t *types.Type, af, _, bf, _ *types.Range) bool {
		return types.CompareLower(t, af, bf) >= 0
	}), false},
	{"-|-", "range_adjacent", "-|-", "True when two ranges touch and share nothing.", ends(func(t *types.Type, af, al, bf, bl *types.Range) bool {
		return types.RangesAdjacent(t, al, bf) || types.RangesAdjacent(t, bl, af)
	}), false},
}

func (f rangeTest) eval(rt *types.Type, swap bool) EvalFunc {
	return func(_ *Ctx, args []types.Datum) (types.Datum, error) {
		a, b := rangesOf(args[0]), rangesOf(args[1])
		if swap {
			a, b = b, a
		}
		return types.Bool(f(rt, a, b)), nil
	}
}

// rangeKinds are the names of a range type, its multirange and its subtype.
func rangeKinds(t *types.Type) (r, m, sub string) {
	return t.Name, t.Multirange().Name, t.Subtype().Name
}

func rangeOps() []Func {
	var out []Func
	contained := Func{
		Name: "range_contained_by", Operator: "<@", Commutator: "@>", Group: groupRange, Volatility: Immutable,
		Doc: "True when the right range contains the left range or value.",
	}
	for _, x := range rangeTests {
		f := Func{Name: x.name, Operator: x.symbol, Commutator: x.commutator, Group: groupRange, Volatility: Immutable, Doc: x.doc}
		for _, t := range types.RangeTypes() {
			r, m, sub := rangeKinds(t)
			for _, sides := range [][2]string{{r, r}, {r, m}, {m, r}, {m, m}} {
				f.Overloads = append(f.Overloads, of(sides[0]+","+sides[1], "bool", x.test.eval(t, false)))
				if x.elem {
					contained.Overloads = append(contained.Overloads, of(sides[0]+","+sides[1], "bool", x.test.eval(t, true)))
				}
			}
			if x.elem {
				holds := func(_ *Ctx, set, value types.Datum) (types.Datum, error) {
					return types.Bool(covers(t, rangesOf(set), []*types.Range{pointRange(value)})), nil
				}
				for _, side := range []string{r, m} {
					f.Overloads = append(f.Overloads, of(side+","+sub, "bool", func(fc *Ctx, args []types.Datum) (types.Datum, error) {
						return holds(fc, args[0], args[1])
					}))
					contained.Overloads = append(contained.Overloads, of(sub+","+side, "bool", func(fc *Ctx, args []types.Datum) (types.Datum, error) {
						return holds(fc, args[1], args[0])
					}))
				}
			}
		}
		out = append(out, f)
	}
	return append(append(out, contained), rangeArithmetic()...)
}

func errNotContiguous(what string) error {
	return pgerr.New(pgerr.DataException, "result of range %s would not be contiguous", what)
}

// rangeArithmetic are union, intersection and difference.
func rangeArithmetic() []Func {
	op := func(symbol, name, commutator, doc string) Func {
		return Func{Name: name, Operator: symbol, Commutator: commutator, Group: groupRange, Volatility: Immutable, Doc: doc}
	}
	plus, times, minus := op("+", "range_union", "+", "What is in either; two ranges must touch."),
		op("*", "range_intersect", "*", "What is in both."), op("-", "range_minus", "", "What is in the left one alone; of ranges it must be one piece.")
	for _, t := range types.RangeTypes() {
		r, m, _ := rangeKinds(t)
		mt := t.Multirange()
		plus.Overloads = append(plus.Overloads, of(r+","+r, r, func(_ *Ctx, args []types.Datum) (types.Datum, error) {
			a, b := args[0].Range(), args[1].Range()
			if !a.Empty && !b.Empty && !types.RangesOverlap(t, a, b) && !types.RangesAdjacent(t, a, b) {
				return types.Null, errNotContiguous("union")
			}
			return types.Ref(types.RangesHull(t, a, b)), nil
		}), of(m+","+m, m, func(_ *Ctx, args []types.Datum) (types.Datum, error) {
			return types.Ref(types.NewMultirange(mt, append(rangesOf(args[0])[:len(rangesOf(args[0])):len(rangesOf(args[0]))], rangesOf(args[1])...))), nil
		}))
		times.Overloads = append(times.Overloads, of(r+","+r, r, func(_ *Ctx, args []types.Datum) (types.Datum, error) {
			return types.Ref(types.RangesShared(t, args[0].Range(), args[1].Range())), nil
		}), of(m+","+m, m, func(_ *Ctx, args []types.Datum) (types.Datum, error) {
			return types.Ref(types.NewMultirange(mt, sharedRanges(t, rangesOf(args[0]), rangesOf(args[1])))), nil
		}))
		minus.Overloads = append(minus.Overloads, of(r+","+r, r, func(_ *Ctx, args []types.Datum) (types.Datum, error) {
			left := types.RangesDifference(t, args[0].Range(), args[1].Range())
			if len(left) > 1 {
				return types.Null, errNotContiguous("difference")
			}
			if len(left) == 0 {
				return types.Ref(&types.Range{Empty: true}), nil
			}
			n, err := types.NewRange(t, *left[0])
			if err != nil {
				return types.Null, err
			}
			return types.Ref(n), nil
		}), of(m+","+m, m, func(_ *Ctx, args []types.Datum) (types.Datum, error) {
			left := rangesOf(args[0])
			for _, cut := range rangesOf(args[1]) {
				var next []*types.Range
				for _, x := range left {
					next = append(next, types.RangesDifference(t, x, cut)...)
				}
				left = next
			}
			return types.Ref(types.NewMultirange(mt, left)), nil
		}))
	}
	return []Func{plus, times, minus}
}

func sharedRanges(t *types.Type, a, b []*types.Range) []*types.Range {
	var out []*types.Range
	for _, x := range a {
		for _, y := range b {
			if s := types.RangesShared(t, x, y); !s.Empty {
				out = append(out, s)
			}
		}
	}
	return out
}

func rangeFuncs() []Func {
	fn := func(name, doc, example, want string) Func {
		return Func{Name: name, Group: groupRange, Volatility: Immutable, Doc: doc, Examples: []Example{{`SELECT ` + example, want}}}
	}
	lower := fn("lower", "Lower bound, NULL when infinite or the range is empty.", `lower('[1,5)'::int4range)`, "1")
	upper := fn("upper", "Upper bound, NULL when infinite or the range is empty.", `upper('[1,5)'::int4range)`, "5")
	isEmpty := fn("isempty", "True for the range without a point.", `isempty('empty'::int4range)`, "t")
	lowerInc := fn("lower_inc", "True when the lower bound belongs to the range.", `lower_inc('[1,5)'::int4range)`, "t")
	upperInc := fn("upper_inc", "True when the upper bound belongs to the range.", `upper_inc('[1,5)'::int4range)`, "f")
	lowerInf := fn("lower_inf", "True when the range has no lower bound.", `lower_inf('(,5)'::int4range)`, "t")
	upperInf := fn("upper_inf", "True when the range has no upper bound.", `upper_inf('(,5)'::int4range)`, "f")
	merge := fn("range_merge", "The smallest range with both, or all of a multirange, in it.", `range_merge('[1,2)'::int4range, '[5,6)')`, "[1,6)")
	multi := fn("multirange", "A multirange of one range.", `multirange('[1,2)'::int4range)`, "{[1,2)}")
	unnest := fn("unnest", "The ranges of a multirange, a row each.", `unnest('{[1,2)}'::int4multirange)`, "[1,2)")
	var out []Func
	for _, t := range types.RangeTypes() {
		r, m, sub := rangeKinds(t)
		make := Func{
			Name: r, Group: groupRange, Volatility: Immutable, Nulls: CalledOnNull, Doc: "Makes a range; the third argument says which bounds belong to it.",
			Overloads: []Overload{of(sub+","+sub, r, rangeConstructor(t)), of(sub+","+sub+",text", r, rangeConstructor(t))},
			Examples:  []Example{{`SELECT isempty(` + r + `(NULL, NULL))`, "f"}},
		}
		makeMulti := Func{
			Name: m, Group: groupRange, Volatility: Immutable, Doc: "Makes a multirange of ranges.",
			Overloads: []Overload{
				of("", m, multirangeConstructor(t.Multirange())), of(r, m, multirangeConstructor(t.Multirange())),
				of("variadic ranges "+r+"[]", m, multirangeConstructor(t.Multirange())),
			},
			Examples: []Example{{`SELECT ` + m + `()`, "{}"}},
		}
		out = append(out, make, makeMulti)
		for _, side := range []string{r, m} {
			bound := func(f *Func, result string, of1 func(rs []*types.Range) types.Datum) {
				f.Overloads = append(f.Overloads, of(side, result, func(_ *Ctx, args []types.Datum) (types.Datum, error) {
					return of1(rangesOf(args[0])), nil
				}))
			}
			first := func(f *Func, result string, none types.Datum, get func(r *types.Range) types.Datum) {
				bound(f, result, func(rs []*types.Range) types.Datum {
					if len(rs) == 0 {
						return none
					}
					return get(rs[0])
				})
			}
			last := func(f *Func, result string, none types.Datum, get func(r *types.Range) types.Datum) {
				bound(f, result, func(rs []*types.Range) types.Datum {
					if len(rs) == 0 {
						return none
					}
					return get(rs[len(rs)-1])
				})
			}
			no := types.Bool(false)
			first(&lower, sub, types.Null, func(r *types.Range) types.Datum { return r.Lower })
			last(&upper, sub, types.Null, func(r *types.Range) types.Datum { return r.Upper })
			bound(&isEmpty, "bool", func(rs []*types.Range) types.Datum { return types.Bool(len(rs) == 0) })
			first(&lowerInc, "bool", no, func(r *types.Range) types.Datum { return types.Bool(r.LowerInc) })
			last(&upperInc, "bool", no, func(r *types.Range) types.Datum { return types.Bool(r.UpperInc) })
			first(&lowerInf, "bool", no, func(r *types.Range) types.Datum { return types.Bool(r.Lower.IsNull()) })
			last(&upperInf, "bool", no, func(r *types.Range) types.Datum { return types.Bool(r.Upper.IsNull()) })
		}
		hull := func(rs []*types.Range) types.Datum {
			out := &types.Range{Empty: true}
			for _, x := range rs {
				out = types.RangesHull(t, out, x)
			}
			return types.Ref(out)
		}
		merge.Overloads = append(merge.Overloads, of(r+","+r, r, func(_ *Ctx, args []types.Datum) (types.Datum, error) {
			return hull([]*types.Range{args[0].Range(), args[1].Range()}), nil
		}), of(m, r, func(_ *Ctx, args []types.Datum) (types.Datum, error) { return hull(rangesOf(args[0])), nil }))
		multi.Overloads = append(multi.Overloads, of(r, m, multirangeConstructor(t.Multirange())))
		unnest.Overloads = append(unnest.Overloads, set(m, r, func(_ *Ctx, args []types.Datum) (RowSource, error) {
			var values []types.Datum
			for _, x := range rangesOf(args[0]) {
				values = append(values, types.Ref(x))
			}
			return valueRows(values), nil
		}))
	}
	return append(out, lower, upper, isEmpty, lowerInc, upperInc, lowerInf, upperInf, merge, multi, unnest)
}

// rangeAgg gathers ranges into a multirange, or what they share.
type rangeAgg struct {
	t      *types.Type // the range type
	ranges []*types.Range
	shared bool
	multi  bool // the input is a multirange
	seen   bool
}

func (s *rangeAgg) Add(_ *Ctx, args []types.Datum) error {
	if args[0].IsNull() {
		s.seen = s.seen || !s.shared
		return nil
	}
	rs := rangesOf(args[0])
	switch {
	case !s.shared || !s.seen:
		s.ranges = append(s.ranges, rs...)
	default:
		s.ranges = sharedRanges(s.t, s.ranges, rs)
	}
	s.seen = true
	return nil
}

func (s *rangeAgg) Result(*Ctx) (types.Datum, error) {
	if !s.seen {
		return types.Null, nil
	}
	if s.shared && !s.multi {
		if len(s.ranges) == 0 {
			return types.Ref(&types.Range{Empty: true}), nil
		}
		return types.Ref(s.ranges[0]), nil
	}
	return types.Ref(types.NewMultirange(s.t.Multirange(), s.ranges)), nil
}

func rangeAggregates() []Aggregate {
	all := Aggregate{
		Name: "range_agg", Group: groupAggregate, Doc: "What is in any of the ranges, as a multirange.",
		Examples: []Example{{`SELECT range_agg(int4range(g, g + 1)) FROM generate_series(1, 3) AS g`, "{[1,4)}"}},
	}
	shared := Aggregate{
		Name: "range_intersect_agg", Group: groupAggregate, Doc: "What all ranges have in common.",
		Examples: []Example{{`SELECT range_intersect_agg(int4range(g, 9)) FROM generate_series(1, 3) AS g`, "[3,9)"}},
	}
	for _, t := range types.RangeTypes() {
		r, m, _ := rangeKinds(t)
		for _, side := range []string{r, m} {
			all.Overloads = append(all.Overloads, typedAggregate(side, m, func([]*types.Type) AggState { return &rangeAgg{t: t} }))
			shared.Overloads = append(shared.Overloads, aggregate(side, side, func() AggState {
				return &rangeAgg{t: t, shared: true, multi: side == m}
			}))
		}
	}
	return []Aggregate{all, shared}
}
