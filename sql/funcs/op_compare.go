package funcs

import (
	"cmp"
	"math"

	"raisind/sql/types"
)

// compareFunc orders two values that are not NULL.
type compareFunc func(fc *Ctx, a, b types.Datum) int

// comparison is one of the six comparison operators.
type comparison struct {
	symbol, name, negator, commutator string
	holds                             func(c int) bool
}

var comparisons = []comparison{
	{"=", "eq", "<>", "=", func(c int) bool { return c == 0 }},
	{"<>", "ne", "=", "<>", func(c int) bool { return c != 0 }},
	{"<", "lt", ">=", ">", func(c int) bool { return c < 0 }},
	{"<=", "le", ">", ">=", func(c int) bool { return c <= 0 }},
	{">", "gt", "<=", "<", func(c int) bool { return c > 0 }},
	{">=", "ge", "<", "<=", func(c int) bool { return c >= 0 }},
}

// sameTypeComparable are the types compared by their btree order.
var sameTypeComparable = []string{
	"bool", "bytea", "char", "date", "interval", "jsonb", "numeric", "oid", "record", "tid", "time",
	"timestamp", "timestamptz", "timetz", "uuid", "bpchar", "geometry", "geography", "oidvector",
	"int4range", "int8range", "numrange", "tsrange", "tstzrange", "daterange",
	"inet", "macaddr", "macaddr8", "bit", "varbit", "money",
	"int4multirange", "int8multirange", "nummultirange", "tsmultirange", "tstzmultirange", "datemultirange",
}

func comparisonOps() []Func {
	var out []Func
	for _, c := range comparisons {
		f := Func{
			Name: c.name, Operator: c.symbol, Negator: c.negator, Commutator: c.commutator,
			Group: groupComparison, Volatility: Immutable, Doc: comparisonDoc[c.symbol],
		}
		ints := c.of(compareInts)
		for _, a := range []string{"int2", "int4", "int8"} {
			for _, b := range []string{"int2", "int4", "int8"} {
				f.Overloads = append(f.Overloads, of(a+","+b, "bool", ints))
			}
		}
		floats := c.of(compareFloats)
		for _, a := range []string{"float4", "float8"} {
			for _, b := range []string{"float4", "float8"} {
				f.Overloads = append(f.Overloads, of(a+","+b, "bool", floats))
			}
		}
		texts := c.of(compareTexts)
		switch c.symbol { // length first where the order does not matter
		case "=":
			texts = func(_ *Ctx, args []types.Datum) (types.Datum, error) {
				return types.Bool(args[0].Str() == args[1].Str()), nil
			}
		case "<>":
			texts = func(_ *Ctx, args []types.Datum) (types.Datum, error) {
				return types.Bool(args[0].Str() != args[1].Str()), nil
			}
		}
		for _, sig := range []string{"text,text", "name,name", "name,text", "text,name"} {
			f.Overloads = append(f.Overloads, of(sig, "bool", texts))
		}
		for _, name := range sameTypeComparable {
			t := mustType(name)
			f.Overloads = append(f.Overloads, of(name+","+name, "bool", c.of(func(_ *Ctx, a, b types.Datum) int {
				return types.Compare(t, a, b)
			})))
		}
		f.Overloads = append(f.Overloads,
			typed("anyarray,anyarray", "bool", func(args []*types.Type) EvalFunc {
				return c.of(func(_ *Ctx, a, b types.Datum) int { return types.Compare(args[0], a, b) })
			}),
			typed("anyenum,anyenum", "bool", func(args []*types.Type) EvalFunc {
				return c.of(func(_ *Ctx, a, b types.Datum) int { return types.Compare(args[0], a, b) })
			}),
			of("date,timestamp", "bool", c.of(compareDateTimestamp)),
			of("timestamp,date", "bool", c.of(reversed(compareDateTimestamp))),
		)
		if c.symbol == "=" || c.symbol == "<>" {
			f.Overloads = append(f.Overloads, of("xid,xid", "bool", ints), of("xid,int4", "bool", ints))
		}
		out = append(out, f)

		// Comparing with a timestamptz depends on the session's time zone.
		f.Volatility = Stable
		f.Overloads = []Overload{
			of("date,timestamptz", "bool", c.of(compareDateTimestamptz)),
			of("timestamptz,date", "bool", c.of(reversed(compareDateTimestamptz))),
			of("timestamp,timestamptz", "bool", c.of(compareTimestampTimestamptz)),
			of("timestamptz,timestamp", "bool", c.of(reversed(compareTimestampTimestamptz))),
		}
		out = append(out, f)
	}
	return out
}

var comparisonDoc = map[string]string{
	"=":  "True when both sides are equal.",
	"<>": "True when the sides differ.",
	"<":  "True when the left side sorts before the right side.",
	"<=": "True when the left side sorts before the right side or is equal to it.",
	">":  "True when the left side sorts after the right side.",
	">=": "True when the left side sorts after the right side or is equal to it.",
}

// of makes the body of the operator over an order.
func (c comparison) of(order compareFunc) EvalFunc {
	switch c.symbol {
	case "=":
		return func(fc *Ctx, args []types.Datum) (types.Datum, error) {
			return types.Bool(order(fc, args[0], args[1]) == 0), nil
		}
	case "<>":
		return func(fc *Ctx, args []types.Datum) (types.Datum, error) {
			return types.Bool(order(fc, args[0], args[1]) != 0), nil
		}
	}
	holds := c.holds
	return func(fc *Ctx, args []types.Datum) (types.Datum, error) {
		return types.Bool(holds(order(fc, args[0], args[1]))), nil
	}
}

func reversed(order compareFunc) compareFunc {
	return func(fc *Ctx, a, b types.Datum) int { return -order(fc, b, a) }
}

func compareInts(_ *Ctx, a, b types.Datum) int { return cmp.Compare(a.Int(), b.Int()) }

func compareTexts(_ *Ctx, a, b types.Datum) int { return cmp.Compare(a.Str(), b.Str()) }

// compareFloats is PostgreSQL's order of floats: NaN equals itself and is greatest.
func compareFloats(_ *Ctx, a, b types.Datum) int {
	x, y := a.Float(), b.Float()
	switch {
	case x < y:
		return -1
	case x > y:
		return 1
	case x == y:
		return 0
	}
	return cmp.Compare(b2i(math.IsNaN(x)), b2i(math.IsNaN(y)))
}

func b2i(b bool) int {
	if b {
		return 1
	}
	return 0
}

func compareDateTimestamp(_ *Ctx, a, b types.Datum) int {
	micros, out := dateToMicros(a.Int())
	if out != 0 && b.Int() != posInfinity && b.Int() != negInfinity {
		return out
	}
	return cmp.Compare(micros, b.Int())
}

func compareDateTimestamptz(fc *Ctx, a, b types.Datum) int {
	micros, out := dateToMicros(a.Int())
	if out != 0 && b.Int() != posInfinity && b.Int() != negInfinity {
		return out
	}
	return cmp.Compare(types.LocalToUTC(micros, fc.location()), b.Int())
}

func compareTimestampTimestamptz(fc *Ctx, a, b types.Datum) int {
	return cmp.Compare(types.LocalToUTC(a.Int(), fc.location()), b.Int())
}
