package funcs

import (
	"raisind/pgerr"
	"raisind/sql/types"
)

func errStepZero() error {
	return pgerr.New(pgerr.InvalidParameterValue, "step size cannot equal zero")
}

// intSeries counts from a to b; the last step may leave the range of the type.
func intSeries(_ *Ctx, args []types.Datum) (RowSource, error) {
	next, end, step := args[0].Int(), args[1].Int(), int64(1)
	if len(args) > 2 {
		step = args[2].Int()
	}
	if step == 0 {
		return nil, errStepZero()
	}
	done := false
	var rows rowMaker
	return rowFunc(func() (types.Row, bool, error) {
		if done || step > 0 && next > end || step < 0 && next < end {
			return nil, false, nil
		}
		r := rows.row(types.Int(next))
		var ok bool
		if next, ok = addInt(next, step); !ok {
			done = true
		}
		return r, true, nil
	}), nil
}

func numericSeries(_ *Ctx, args []types.Datum) (RowSource, error) {
	next, end, step := numberOf(args[0]), numberOf(args[1]), numberOfInt(1)
	if len(args) > 2 {
		step = numberOf(args[2])
	}
	for _, v := range []struct {
		n    number
		what string
	}{{next, "start value"}, {end, "stop value"}, {step, "step size"}} {
		if v.n.isNaN() {
			return nil, pgerr.New(pgerr.InvalidParameterValue, "%s cannot be NaN", v.what)
		}
		if v.n.isInf() {
			return nil, pgerr.New(pgerr.InvalidParameterValue, "%s cannot be infinity", v.what)
		}
	}
	if step.sign() == 0 {
		return nil, errStepZero()
	}
	var rows rowMaker
	return rowFunc(func() (types.Row, bool, error) {
		if c := next.cmp(end); step.sign() > 0 && c > 0 || step.sign() < 0 && c < 0 {
			return nil, false, nil
		}
		d, err := next.datum()
		next = next.add(step)
		return rows.row(d), err == nil, err
	}), nil
}

// timestampSeries adds with the body of the operator +, so that steps of months and
// days follow the calendar of the session.
func timestampSeries(add EvalFunc) SetFunc {
	return func(fc *Ctx, args []types.Datum) (RowSource, error) {
		next, end, step := args[0].Int(), args[1].Int(), args[2]
		sign := types.Compare(types.TInterval, step, types.Ref(&types.Interval{}))
		if sign == 0 {
			return nil, errStepZero()
		}
		var rows rowMaker
		return rowFunc(func() (types.Row, bool, error) {
			if sign > 0 && next > end || sign < 0 && next < end {
				return nil, false, nil
			}
			r := rows.row(types.Int(next))
			d, err := add(fc, []types.Datum{types.Int(next), step})
			if err != nil {
				return nil, false, err
			}
			next = d.Int()
			return r, true, nil
		}), nil
	}
}

func seriesFuncs() []Func {
	fn := func(name string, v Volatility, doc string, example Example, overloads ...Overload) Func {
		return Func{Name: name, Group: groupSeries, Volatility: v, Doc: doc, Overloads: overloads, Examples: []Example{example}}
	}
	return []Func{
		fn("generate_series", Immutable, "Counts from the first value to the second, by the third (1).",
			Example{`SELECT sum(g) FROM generate_series(1, 10) AS g`, "55"},
			set("int4,int4", "int4", intSeries), set("int4,int4,int4", "int4", intSeries),
			set("int8,int8", "int8", intSeries), set("int8,int8,int8", "int8", intSeries),
			set("numeric,numeric", "numeric", numericSeries), set("numeric,numeric,numeric", "numeric", numericSeries),
			set("timestamp,timestamp,interval", "timestamp", timestampSeries(timestampPlusInterval))),
		fn("generate_series", Stable, "Counts from one moment to another by an interval.",
			Example{`SELECT count(*) FROM generate_series('2026-01-01'::timestamptz, '2026-01-02'::timestamptz, '6 hours') AS g`, "5"},
			set("timestamptz,timestamptz,interval", "timestamptz", timestampSeries(timestamptzPlusInterval))),
		fn("generate_subscripts", Immutable, "The subscripts of a dimension of an array, in reverse where asked for.",
			Example{`SELECT max(g) FROM generate_subscripts(ARRAY['a','b','c'], 1) AS g`, "3"},
			set("anyarray,int4", "int4", generateSubscripts), set("anyarray,int4,bool", "int4", generateSubscripts)),
		fn("unnest", Immutable, "The elements of an array as rows.",
			Example{`SELECT max(u) FROM unnest(ARRAY[3, 1, 2]) AS u`, "3"},
			set("anyarray", "anyelement", unnest)),
	}
}

func generateSubscripts(fc *Ctx, args []types.Datum) (RowSource, error) {
	a, dim := arrayOf(args[0]), args[1].Int()
	if dim < 1 || dim > int64(len(a.Dims)) {
		return noRows, nil
	}
	lo := int64(a.Lower[dim-1])
	hi := lo + int64(a.Dims[dim-1]) - 1
	if len(args) > 2 && args[2].Bool() {
		return intSeries(fc, []types.Datum{types.Int(hi), types.Int(lo), types.Int(-1)})
	}
	return intSeries(fc, []types.Datum{types.Int(lo), types.Int(hi)})
}

func unnest(_ *Ctx, args []types.Datum) (RowSource, error) {
	return valueRows(arrayOf(args[0]).Elems), nil
}
