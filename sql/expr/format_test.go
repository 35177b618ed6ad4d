package expr

import (
	"testing"

	"raisind/sql/funcs"
	"raisind/sql/types"
)

func TestFormat(t *testing.T) {
	eq := op(t, "=", types.TText, types.TText)
	arrow := op(t, "->>", types.TJSONB, types.TText)
	str := func(s string) Expr { return &Const{Val: types.Str(s), T: types.TText} }
	col := func(name string, t *types.Type) Expr { return &Column{Name: name, T: t} }
	state := &Call{Fn: arrow, Args: []Expr{col("properties", types.TJSONB), str("state")}, T: types.TText}
	lower := &Call{Fn: funcs.ByName("lower")[0], Args: []Expr{col("name", types.TText)}, T: types.TText}
	for _, c := range []struct {
		e    Expr
		want string
	}{
		{&Call{Fn: eq, Args: []Expr{state, str("free")}, T: types.TBool}, `((properties ->> 'state'::text) = 'free'::text)`},
		{num(5), "5"},
		{num(-5), "'-5'::integer"},
		{null, "NULL::integer"},
		{yes, "true"},
		{&Const{Val: types.Float(1.5), T: types.TFloat8}, "'1.5'::double precision"},
		{&Const{Val: types.Int(7), T: types.TInt8}, "'7'::bigint"},
		{&Const{Val: types.Str("x"), T: types.TUnknown}, "'x'"},
		{str(`it's \ `), `E'it''s \\ '::text`},
		{&Param{N: 3, T: types.TText}, "$3"},
		{lower, "lower(name)"},
		{&Cast{Arg: col("age", types.TInt4), T: types.TVarchar, Typmod: 14}, "(age)::character varying(10)"},
		{&And{[]Expr{yes, &Not{no}}}, "(true AND (NOT false))"},
		{&IsTest{Arg: col("a", types.TInt4), What: IsNull, Not: true}, "(a IS NOT NULL)"},
		{&Distinct{Left: num(1), Right: num(2), Not: true}, "(NOT (1 IS DISTINCT FROM 2))"},
		{&Coalesce{[]Expr{num(1), num(2)}, types.TInt4}, "COALESCE(1, 2)"},
		{&Case{Whens: []When{{yes, num(1)}}, Else: num(2), T: types.TInt4}, "CASE WHEN true THEN 1 ELSE 2 END"},
		{NewInList(col("a", types.TText), []Expr{str("x"), str("y z")}, eq, false), `(a = ANY ('{x,"y z"}'::text[]))`},
		{NewInList(col("a", types.TText), []Expr{str("x")}, eq, true), `(a <> ALL ('{x}'::text[]))`},
		{&AnyAll{Left: col("a", types.TText), Right: &Param{N: 1, T: types.TText.Array()}, Op: eq}, "(a = ANY ($1))"},
		{&Subscript{Arg: col("tags", types.TText.Array()), Index: []SubscriptRange{{Lo: num(1), Hi: num(2), Slice: true}}, T: types.TText}, "tags[1:2]"},
		{NewRecord([]Expr{num(1), str("x")}, nil), "ROW(1, 'x'::text)"},
		{&Field{Arg: col("r", types.TRecord), Name: "Geo", T: types.TText}, `(r)."Geo"`},
		{&Subquery{Kind: SubqueryExists, ID: 2, Not: true, T: types.TBool}, "(NOT (SubPlan 3))"},
		{&Outer{Name: "o.id", T: types.TInt4}, "o.id"},
	} {
		if got := Format(c.e); got != c.want {
			t.Errorf("%s, want %s", got, c.want)
		}
	}
}

func TestQuoteName(t *testing.T) {
	for in, want := range map[string]string{"path": "path", "a_1": "a_1", "Big": `"Big"`, "1a": `"1a"`, "": `""`, `q"q`: `"q""q"`, "a:b": `"a:b"`} {
		if got := QuoteName(in); got != want {
			t.Errorf("%s: %s, want %s", in, got, want)
		}
	}
}

func TestFold(t *testing.T) {
	plus := op(t, "+", types.TInt4, types.TInt4)
	div := op(t, "/", types.TInt4, types.TInt4)
	call := func(o *funcs.Overload, a, b Expr) Expr { return &Call{Fn: o, Args: []Expr{a, b}, T: types.TInt4} }
	x := &Column{Name: "x", T: types.TBool}
	now := &Call{Fn: funcs.ByName("now")[0], T: types.TTimestamptz}
	for _, c := range []struct {
		e    Expr
		want string
	}{
		{call(plus, num(1), num(2)), "3"},
		{call(plus, null, &Column{Name: "x", T: types.TInt4}), "NULL::integer"},
		{call(div, num(1), num(0)), "(1 / 0)"}, // it fails when it is executed
		{now, "now()"},
		{&And{[]Expr{yes, x}}, "x"},
		{&And{[]Expr{x, no}}, "false"},
		{&And{[]Expr{x, unsure}}, "(x AND NULL::boolean)"},
		{&Or{[]Expr{no, no}}, "false"},
		{&Or{[]Expr{x, yes}}, "true"},
		{&Coalesce{[]Expr{null, num(1), num(2)}, types.TInt4}, "1"},
		{&Case{Whens: []When{{no, num(1)}, {x, num(2)}, {yes, num(3)}}, T: types.TInt4}, "CASE WHEN x THEN 2 ELSE 3 END"},
		{&Case{Whens: []When{{no, num(1)}}, T: types.TInt4}, "NULL::integer"},
		{&Cast{Arg: num(5), T: types.TText, Typmod: -1, Fn: mustFind(t, types.TInt4, types.TText)}, "'5'::text"},
	} {
		if got := Format(Fold(c.e, newCtx())); got != c.want {
			t.Errorf("%s folds to %s, want %s", Format(c.e), got, c.want)
		}
	}
}

func mustFind(t *testing.T, from, to *types.Type) *types.Cast {
	t.Helper()
	c, ok := types.FindCast(from, to)
	if !ok {
		t.Fatalf("no cast from %s to %s", from, to)
	}
	return c
}

func TestVolatility(t *testing.T) {
	now := &Call{Fn: funcs.ByName("now")[0], T: types.TTimestamptz}
	random := &Call{Fn: funcs.ByName("random")[0], T: types.TFloat8}
	for _, c := range []struct {
		e    Expr
		want funcs.Volatility
	}{
		{num(1), funcs.Immutable},
		{&Param{N: 1, T: types.TInt4}, funcs.Stable},
		{now, funcs.Stable},
		{random, funcs.Volatile},
		{&And{[]Expr{yes, &IsTest{Arg: random}}}, funcs.Volatile},
		{&Subquery{T: types.TInt4}, funcs.Volatile},
	} {
		if got := VolatilityOf(c.e); got != c.want {
			t.Errorf("%s is %c, want %c", Format(c.e), got, c.want)
		}
	}
}
