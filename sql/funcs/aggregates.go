package funcs

import (
	"math"

	"raisind/geom"
	"raisind/sql/types"
)

// ordered are the types that min and max know.
var ordered = []string{
	"int2", "int4", "int8", "float4", "float8", "numeric", "text", "bpchar", "date", "time", "timetz",
	"timestamp", "timestamptz", "interval", "money", "inet", "oid", "tid", "uuid", "bytea",
}

func aggregates() []Aggregate {
	agg := func(name, doc string, example Example, overloads ...AggOverload) Aggregate {
		return Aggregate{Name: name, Group: groupAggregate, Doc: doc, Overloads: overloads, Examples: []Example{example}}
	}
	out := []Aggregate{
		agg("count", "Number of rows, or of rows whose argument is not NULL.", Example{`SELECT count(*) FROM generate_series(1, 3)`, "3"},
			aggregate("", "int8", func() AggState { return &countState{} }),
			aggregate("any", "int8", func() AggState { return &countState{} })),
		agg("sum", "Sum. Integers of 16 and 32 bits give bigint, bigint gives numeric.", Example{`SELECT sum(g) FROM generate_series(1, 4) AS g`, "10"},
			aggregate("int2", "int8", func() AggState { return &intSum{} }),
			aggregate("int4", "int8", func() AggState { return &intSum{} }),
			aggregate("int8", "numeric", newNumericMoments(true, false, (*numericMoments).total)),
			aggregate("float4", "float4", func() AggState { return &floatSum{single: true} }),
			aggregate("float8", "float8", func() AggState { return &floatSum{} }),
			aggregate("numeric", "numeric", newNumericMoments(false, false, (*numericMoments).total)),
			aggregate("money", "money", func() AggState { return &intSum{} }),
			aggregate("interval", "interval", func() AggState { return &intervalState{} })),
		agg("avg", "Mean. Integers give numeric.", Example{`SELECT avg(g) FROM generate_series(1, 4) AS g`, "2.5000000000000000"},
			append(momentAggregates((*numericMoments).avg, false, (*floatMoments).avg),
				aggregate("interval", "interval", func() AggState { return &intervalState{avg: true} }))...),
		extremes("min", "Least value.", "1", -1),
		extremes("max", "Greatest value.", "3", 1),
		agg("bool_and", "True when all are true.", Example{`SELECT bool_and(g > 1) FROM generate_series(1, 3) AS g`, "f"},
			aggregate("bool", "bool", func() AggState { return &boolState{decisive: false} })),
		agg("every", "True when all are true.", Example{`SELECT every(g > 0) FROM generate_series(1, 3) AS g`, "t"},
			aggregate("bool", "bool", func() AggState { return &boolState{decisive: false} })),
		agg("bool_or", "True when any is true.", Example{`SELECT bool_or(g > 2) FROM generate_series(1, 3) AS g`, "t"},
			aggregate("bool", "bool", func() AggState { return &boolState{decisive: true} })),
		bitAggregate("bit_and", "Bitwise AND.", "2", func(a, b int64) int64 { return a & b }),
		bitAggregate("bit_or", "Bitwise OR.", "3", func(a, b int64) int64 { return a | b }),
		bitAggregate("bit_xor", "Bitwise exclusive OR.", "1", func(a, b int64) int64 { return a ^ b }),
		agg("string_agg", "Joins texts with a delimiter; NULLs are left out.",
			Example{`SELECT string_agg(g::text, ',' ORDER BY g) FROM generate_series(1, 3) AS g`, "1,2,3"},
			typedAggregate("text,text", "text", func([]*types.Type) AggState { return &stringState{} }),
			typedAggregate("bytea,bytea", "bytea", func([]*types.Type) AggState { return &stringState{} })),
		agg("array_agg", "Gathers values into an array, NULLs included.",
			Example{`SELECT array_agg(g ORDER BY g) FROM generate_series(1, 3) AS g`, "{1,2,3}"},
			typedAggregate("anynonarray", "anyarray", func(args []*types.Type) AggState { return &arrayState{elem: args[0]} }),
			typedAggregate("anyarray", "anyarray", func([]*types.Type) AggState { return &arraysState{} })),
		agg("json_agg", "Gathers values into a JSON array, NULLs included.",
			Example{`SELECT json_agg(g ORDER BY g) FROM generate_series(1, 3) AS g`, "[1, 2, 3]"},
			typedAggregate("anyelement", "json", func(args []*types.Type) AggState { return &jsonArrayState{t: args[0]} })),
		agg("jsonb_agg", "Gathers values into a jsonb array, NULLs included.",
			Example{`SELECT jsonb_agg(g ORDER BY g) FROM generate_series(1, 3) AS g`, "[1, 2, 3]"},
			typedAggregate("anyelement", "jsonb", func(args []*types.Type) AggState { return &jsonArrayState{t: args[0], jsonb: true} })),
		agg("json_object_agg", "Gathers keys and values into a JSON object.",
			Example{`SELECT json_object_agg('k' || g, g) FROM generate_series(1, 1) AS g`, `{ "k1" : 1 }`},
			typedAggregate("any,any", "json", func(args []*types.Type) AggState { return &jsonObjectState{key: args[0], value: args[1]} })),
		agg("jsonb_object_agg", "Gathers keys and values into a jsonb object.",
			Example{`SELECT jsonb_object_agg('k' || g, g) FROM generate_series(1, 2) AS g`, `{"k1": 1, "k2": 2}`},
			typedAggregate("any,any", "jsonb", func(args []*types.Type) AggState {
				return &jsonObjectState{key: args[0], value: args[1], jsonb: true}
			})),
		agg("ST_Extent", "The box round all geometries.",
			Example{`SELECT ST_Extent(ST_Point(g, g)) FROM generate_series(1, 3) AS g`, "BOX(1 1,3 3)"},
			aggregate("geometry", "box2d", func() AggState { return &extentState{} })),
		agg("ST_Collect", "Puts all geometries into one.",
			Example{`SELECT ST_AsText(ST_Collect(ST_Point(g, g) ORDER BY g)) FROM generate_series(1, 2) AS g`, "MULTIPOINT((1 1),(2 2))"},
			aggregate("geometry", "geometry", func() AggState {
				return &shapesState{finish: func(_ *Ctx, s []*geom.Geometry) (types.Datum, error) { return collectAll(s) }}
			})),
		agg("ST_MakeLine", "Joins all points and lines to one line.",
			Example{`SELECT ST_AsText(ST_MakeLine(ST_Point(g, g) ORDER BY g)) FROM generate_series(1, 2) AS g`, "LINESTRING(1 1,2 2)"},
			aggregate("geometry", "geometry", func() AggState { return &shapesState{finish: makeLineAll} })),
	}
	for _, v := range []struct {
		names        []string
		doc, want    string
		sample, root bool
	}{
		{[]string{"var_pop"}, "Variance of the population.", "0.66666666666666666667", false, false},
		{[]string{"var_samp", "variance"}, "Variance of a sample.", "1.00000000000000000000", true, false},
		{[]string{"stddev_pop"}, "Standard deviation of the population.", "0.81649658092772603273", false, true},
		{[]string{"stddev_samp", "stddev"}, "Standard deviation of a sample.", "1.00000000000000000000", true, true},
	} {
		for _, name := range v.names {
			exactly := func(s *numericMoments) (number, bool) { return s.variance(v.sample, v.root) }
			nearly := func(s *floatMoments) (float64, bool) {
				f, ok := s.varPop()
				if v.sample {
					f, ok = s.varSamp()
				}
				if v.root {
					f = math.Sqrt(f)
				}
				return f, ok
			}
			out = append(out, agg(name, v.doc, Example{`SELECT ` + name + `(g) FROM generate_series(1, 3) AS g`, v.want},
				momentAggregates(exactly, true, nearly)...))
		}
	}
	return out
}

// momentAggregates gives the overloads of a mean or a variance for every number type.
func momentAggregates(exactly func(*numericMoments) (number, bool), squares bool, nearly func(*floatMoments) (float64, bool)) []AggOverload {
	var out []AggOverload
	for _, t := range intTypes {
		out = append(out, aggregate(t.name, "numeric", newNumericMoments(true, squares, exactly)))
	}
	floats := func() AggState { return &floatMoments{result: nearly} }
	return append(out,
		aggregate("numeric", "numeric", newNumericMoments(false, squares, exactly)),
		aggregate("float4", "float8", floats), aggregate("float8", "float8", floats))
}

func extremes(name, doc, want string, sign int) Aggregate {
	a := Aggregate{
		Name: name, Group: groupAggregate, Doc: doc,
		Examples: []Example{{`SELECT ` + name + `(g) FROM generate_series(1, 3) AS g`, want}},
	}
	for _, o := range ordered {
		t := mustType(o)
		a.Overloads = append(a.Overloads, aggregate(o, o, func() AggState { return &extremeState{t: t, sign: sign} }))
	}
	arrays := typedAggregate("anyarray", "anyarray", func(args []*types.Type) AggState { return &extremeState{t: args[0], sign: sign} })
	arrays.Strict = true
	enums := typedAggregate("anyenum", "anyenum", func(args []*types.Type) AggState { return &extremeState{t: args[0], sign: sign} })
	enums.Strict = true
	a.Overloads = append(a.Overloads, arrays, enums)
	return a
}

func bitAggregate(name, doc, want string, op func(a, b int64) int64) Aggregate {
	a := Aggregate{
		Name: name, Group: groupAggregate, Doc: doc,
		Examples: []Example{{`SELECT ` + name + `(g) FROM generate_series(2, 3) AS g`, want}},
	}
	for _, t := range intTypes {
		a.Overloads = append(a.Overloads, aggregate(t.name, t.name, func() AggState { return &bitState{op: op} }))
	}
	a.Overloads = append(a.Overloads, aggregate("bit", "bit", func() AggState {
		return &bitStringState{name: name, op: func(a, b byte) byte { return byte(op(int64(a), int64(b))) }}
	}))
	return a
}
