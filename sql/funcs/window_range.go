package funcs

import (
	"math"

	"raisind/pgerr"
	"raisind/sql/types"
)

// InRange is PostgreSQL's in_range support function of a type: whether value <= base
// ± offset (less), or >= (not less); sub takes the offset away. It decides the ends
// of a RANGE frame.
type InRange struct {
	Order, Offset *types.Type
	Fn            func(fc *Ctx, value, base, offset types.Datum, sub, less bool) (bool, error)
}

// inRanges are the pairs of PostgreSQL's btree families.
var inRanges = func() []InRange {
	t := mustType
	var out []InRange
	add := func(order, offset string, fn func(fc *Ctx, value, base, offset types.Datum, sub, less bool) (bool, error)) {
		out = append(out, InRange{t(order), t(offset), fn})
	}
	for _, pair := range [][2]string{
		{"int2", "int2"},
		{"int2", "int4"},
		{"int2", "int8"},
		{"int4", "int2"},
		{"int4", "int4"},
		{"int4", "int8"},
		{"int8", "int8"},
	} {
		add(pair[0], pair[1], inRangeInt)
	}
	add("float4", "float8", inRangeFloat)
	add("float8", "float8", inRangeFloat)
	add("numeric", "numeric", inRangeNumeric)
	add("date", "interval", inRangeMoved("timestamp", func(fc *Ctx, args []types.Datum) (types.Datum, error) {
		return datePlusInterval(fc, args)
	}, func(d types.Datum) (types.Datum, error) {
		micros, err := dateAsTimestamp(d.Int())
		return types.Int(micros), err
	}))
	same := func(d types.Datum) (types.Datum, error) { return d, nil }
	add("timestamp", "interval", inRangeMoved("timestamp", timestampPlusInterval, same))
	add("timestamptz", "interval", inRangeMoved("timestamptz", timestamptzPlusInterval, same))
	add("interval", "interval", inRangeMoved("interval", intervalPlusInterval, same))
	add("time", "interval", inRangeTime)
	add("timetz", "interval", inRangeTimeTZ)
	return out
}()

// InRanges lists the support functions for a type of ORDER BY.
func InRanges(order *types.Type) []*InRange {
	var out []*InRange
	for i := range inRanges {
		if inRanges[i].Order == order {
			out = append(out, &inRanges[i])
		}
	}
	return out
}

func errFrameOffset() error {
	return pgerr.New(pgerr.InvalidPrecedingOrFollowingSize, "invalid preceding or following size in window function")
}

func inRangeInt(_ *Ctx, value, base, offset types.Datum, sub, less bool) (bool, error) {
	by := offset.Int()
	if by < 0 {
		return false, errFrameOffset()
	}
	if sub {
		by = -by
	}
	sum, ok := addInt(base.Int(), by)
	switch {
	case !ok: // beyond all values
		return sub != less, nil
	case less:
		return value.Int() <= sum, nil
	}
	return value.Int() >= sum, nil
}

func inRangeFloat(_ *Ctx, value, base, offset types.Datum, sub, less bool) (bool, error) {
	v, b, by := value.Float(), base.Float(), offset.Float()
	switch {
	case math.IsNaN(by) || by < 0:
		return false, errFrameOffset()
	case math.IsNaN(v): // NaN is in range of NaN alone, and above all others
		return math.IsNaN(b) || !less, nil
	case math.IsNaN(b):
		return less, nil
	case isInf(by) && isInf(b) && (b > 0) == sub: // infinity minus infinity: all are in range
		return true, nil
	}
	if sub {
		by = -by
	}
	if less {
		return v <= b+by, nil
	}
	return v >= b+by, nil
}

func inRangeNumeric(_ *Ctx, value, base, offset types.Datum, sub, less bool) (bool, error) {
	v, b, by := numberOf(value), numberOf(base), numberOf(offset)
	switch {
	case by.isNaN() || by.sign() < 0:
		return false, errFrameOffset()
	case v.isNaN():
		return b.isNaN() || !less, nil
	case b.isNaN():
		return less, nil
	case by.isInf() && b.isInf() && (b.sign() > 0) == sub:
		return true, nil
	}
	if sub {
		by = by.negate()
	}
	if less {
		return v.cmp(b.add(by)) <= 0, nil
	}
	return v.cmp(b.add(by)) >= 0, nil
}

// inRangeMoved compares with the base moved by an interval; the sum is of type t.
func inRangeMoved(t string, plus EvalFunc, lift func(types.Datum) (types.Datum, error)) func(fc *Ctx, value, base, offset types.Datum, sub, less bool) (bool, error) {
	sumType, intervalType := mustType(t), mustType("interval")
	zero := types.Ref(&types.Interval{})
	return func(fc *Ctx, value, base, offset types.Datum, sub, less bool) (bool, error) {
		if types.Compare(intervalType, offset, zero) < 0 {
			return false, errFrameOffset()
		}
		if sub {
			var err error
			if offset, err = negateInterval(fc, []types.Datum{offset}); err != nil {
				return false, err
			}
		}
		sum, err := plus(fc, []types.Datum{base, offset})
		if err != nil {
			return false, err
		}
		if value, err = lift(value); err != nil {
			return false, err
		}
		c := types.Compare(sumType, value, sum)
		if less {
			return c <= 0, nil
		}
		return c >= 0, nil
	}
}

// inRangeTime does not wrap at midnight, and minds the time part of the offset alone.
func inRangeTime(_ *Ctx, value, base, offset types.Datum, sub, less bool) (bool, error) {
	by := intervalOf(offset).Micros
	if by < 0 {
		return false, errFrameOffset()
	}
	return inRangeMicros(value.Int(), base.Int(), by, sub, less), nil
}

func inRangeMicros(value, base, by int64, sub, less bool) bool {
	if sub {
		by = -by
	}
	sum, ok := addInt(base, by)
	switch {
	case !ok:
		return less
	case less:
		return value <= sum
	}
	return value >= sum
}

func inRangeTimeTZ(_ *Ctx, value, base, offset types.Datum, sub, less bool) (bool, error) {
	by := intervalOf(offset).Micros
	if by < 0 {
		return false, errFrameOffset()
	}
	if sub {
		by = -by
	}
	sum := base.TimeTZ()
	sum.Micros += by
	c := types.Compare(mustType("timetz"), value, types.Ref(&sum))
	if less {
		return c <= 0, nil
	}
	return c >= 0, nil
}
