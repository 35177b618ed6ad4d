package expr

import (
	"context"
	"reflect"
	"testing"

	"raisind/pgerr"
	"raisind/sql/funcs"
	"raisind/sql/types"
)

// op finds an operator of the table.
func op(t testing.TB, symbol string, args ...*types.Type) *funcs.Overload {
	t.Helper()
	for _, o := range funcs.ByOperator(symbol, len(args)) {
		same := true
		for i, a := range args {
			same = same && o.Args[i].Type == a
		}
		if same {
			return o.Bind(args)
		}
	}
	t.Fatalf("no operator %s", symbol)
	return nil
}

func num(v int64) Expr { return &Const{Val: types.Int(v), T: types.TInt4} }

var (
	null   Expr = &Const{T: types.TInt4}
	yes    Expr = &Const{Val: types.Bool(true), T: types.TBool}
	no     Expr = &Const{Val: types.Bool(false), T: types.TBool}
	unsure Expr = &Const{T: types.TBool}
)

func newCtx() *Ctx {
	return &Ctx{Ctx: &funcs.Ctx{Context: context.Background(), Env: types.DefaultEnv()}}
}

// text prints a value as a test reads it.
func text(e Expr, d types.Datum) string {
	if d.IsNull() {
		return "NULL"
	}
	return string(e.Type().AppendText(nil, d, nil))
}

func eval(t *testing.T, e Expr) string {
	t.Helper()
	v, err := e.Eval(newCtx(), nil)
	if err != nil {
		return "error " + pgerr.From(err).Code.String()
	}
	return text(e, v)
}

func intArray(vs ...Expr) Expr { return &ArrayLit{Elems: vs, T: types.TInt4.Array()} }

func TestLogic(t *testing.T) {
	for _, c := range []struct {
		e    Expr
		want string
	}{
		{&And{[]Expr{yes, yes}}, "t"},
		{&And{[]Expr{unsure, no}}, "f"},
		{&And{[]Expr{unsure, yes}}, "NULL"},
		{&Or{[]Expr{unsure, yes}}, "t"},
		{&Or{[]Expr{no, unsure}}, "NULL"},
		{&Not{unsure}, "NULL"},
		{&IsTest{Arg: unsure, What: IsUnknown}, "t"},
		{&IsTest{Arg: unsure, What: IsTrue, Not: true}, "t"},
		{&IsTest{Arg: no, What: IsFalse}, "t"},
		{&Distinct{Left: null, Right: null}, "f"},
		{&Distinct{Left: null, Right: num(1)}, "t"},
		{&Distinct{Left: num(1), Right: num(1), Not: true}, "t"},
		{&Coalesce{[]Expr{null, num(2)}, types.TInt4}, "2"},
		{&MinMax{[]Expr{num(2), null, num(3)}, true, types.TInt4}, "3"},
		{&MinMax{[]Expr{null, null}, false, types.TInt4}, "NULL"},
	} {
		if got := eval(t, c.e); got != c.want {
			t.Errorf("%s = %s, want %s", Format(c.e), got, c.want)
		}
	}
}

func TestLists(t *testing.T) {
	eq, lt := op(t, "=", types.TInt4, types.TInt4), op(t, "<", types.TInt4, types.TInt4)
	in := func(arg Expr, not bool, list ...Expr) Expr { return NewInList(arg, list, eq, not) }
	// The same lists through a column, so that they are compared one by one.
	slow := func(arg Expr, not bool, list ...Expr) Expr {
		e := NewInList(arg, list, eq, not)
		e.set = nil
		return e
	}
	for _, f := range []func(Expr, bool, ...Expr) Expr{in, slow} {
		for _, c := range []struct {
			e    Expr
			want string
		}{
			{f(num(1), false, num(1), num(2)), "t"},
			{f(num(3), false, num(1), num(2)), "f"},
			{f(num(3), false, num(1), null), "NULL"},
			{f(num(1), false, num(1), null), "t"},
			{f(null, false, num(1)), "NULL"},
			{f(num(3), true, num(1), num(2)), "t"},
			{f(num(3), true, num(1), null), "NULL"},
			{f(num(1), true, num(1), null), "f"},
		} {
			if got := eval(t, c.e); got != c.want {
				t.Errorf("%s = %s, want %s", Format(c.e), got, c.want)
			}
		}
	}
	many := []Expr{num(1), num(2), num(3), num(4), num(5), num(6), num(7), num(8), num(9), null}
	for _, c := range []struct {
		e    Expr
		want string
	}{
		{&AnyAll{Left: num(2), Right: intArray(num(1), num(2)), Op: eq}, "t"},
		{&AnyAll{Left: num(9), Right: intArray(num(1), null), Op: eq}, "NULL"},
		{&AnyAll{Left: num(9), Right: intArray(), Op: eq}, "f"},
		{&AnyAll{Left: null, Right: intArray(), Op: eq}, "f"},
		{&AnyAll{Left: num(0), Right: intArray(num(1), num(2)), Op: lt, All: true}, "t"},
		{&AnyAll{Left: num(1), Right: intArray(num(1), null), Op: lt, All: true}, "f"},
		{&AnyAll{Left: num(0), Right: intArray(num(1), null), Op: lt, All: true}, "NULL"},
		{&AnyAll{Left: null, Right: intArray(), Op: lt, All: true}, "t"},
		{&AnyAll{Left: num(1), Right: &Const{T: types.TInt4.Array()}, Op: eq}, "NULL"},
		{&AnyAll{Left: num(7), Right: Fold(intArray(many...), newCtx()), Op: eq}, "t"},
		{&AnyAll{Left: num(70), Right: Fold(intArray(many...), newCtx()), Op: eq}, "NULL"},
	} {
		if got := eval(t, c.e); got != c.want {
			t.Errorf("%s = %s, want %s", Format(c.e), got, c.want)
		}
	}
}

func TestCase(t *testing.T) {
	eq := op(t, "=", types.TInt4, types.TInt4)
	value := &CaseValue{T: types.TInt4}
	simple := func(operand, els Expr) Expr {
		return &Case{
			Operand: operand, Else: els, T: types.TInt4,
			Whens: []When{
				{&Call{Fn: eq, Args: []Expr{value, num(1)}, T: types.TBool}, num(10)},
				{&Call{Fn: eq, Args: []Expr{value, num(2)}, T: types.TBool}, num(20)},
			},
		}
	}
	// A CASE within a branch has an operand of its own.
	nested := &Case{
		Operand: num(2), T: types.TInt4,
		Whens: []When{
			{&Call{Fn: eq, Args: []Expr{simple(num(1), nil), num(99)}, T: types.TBool}, num(1)},
			{&Call{Fn: eq, Args: []Expr{value, num(2)}, T: types.TBool}, num(2)},
		},
	}
	for _, c := range []struct {
		e    Expr
		want string
	}{
		{simple(num(2), nil), "20"},
		{simple(num(3), nil), "NULL"},
		{simple(num(3), num(0)), "0"},
		{simple(null, num(0)), "0"},
		{nested, "2"},
		{&NullIf{num(1), num(1), eq}, "NULL"},
		{&NullIf{num(1), num(2), eq}, "1"},
		{&NullIf{num(1), null, eq}, "1"},
		{&NullIf{null, num(1), eq}, "NULL"},
	} {
		if got := eval(t, c.e); got != c.want {
			t.Errorf("%s = %s, want %s", Format(c.e), got, c.want)
		}
	}
}

func TestArrays(t *testing.T) {
	ints := intArray(num(10), num(20), num(30))
	matrix := &ArrayLit{
		Elems:  []Expr{intArray(num(1), num(2)), intArray(num(3), num(4))},
		T:      types.TInt4.Array(),
		Nested: true,
	}
	at := func(a Expr, i ...Expr) Expr {
		s := &Subscript{Arg: a, T: types.TInt4}
		for _, x := range i {
			s.Index = append(s.Index, SubscriptRange{Lo: x})
		}
		return s
	}
	cut := func(a Expr, bounds ...SubscriptRange) Expr {
		return &Subscript{Arg: a, Index: bounds, T: types.TInt4.Array()}
	}
	for _, c := range []struct {
		e    Expr
		want string
	}{
		{ints, "{10,20,30}"},
		{matrix, "{{1,2},{3,4}}"},
		{at(ints, num(2)), "20"},
		{at(ints, num(0)), "NULL"},
		{at(ints, num(4)), "NULL"},
		{at(ints, null), "NULL"},
		{at(matrix, num(2), num(1)), "3"},
		{at(matrix, num(2)), "NULL"},
		{cut(ints, SubscriptRange{Lo: num(2), Hi: num(9), Slice: true}), "{20,30}"},
		{cut(ints, SubscriptRange{Hi: num(2), Slice: true}), "{10,20}"},
		{cut(ints, SubscriptRange{Slice: true}), "{10,20,30}"},
		{cut(ints, SubscriptRange{Lo: num(5), Hi: num(9), Slice: true}), "{}"},
		{cut(matrix, SubscriptRange{Lo: num(2), Hi: num(2), Slice: true}, SubscriptRange{Lo: num(1), Hi: num(1), Slice: true}), "{{3}}"},
		{cut(matrix, SubscriptRange{Lo: num(1), Hi: num(2), Slice: true}), "{{1,2},{3,4}}"},
		{&ArrayLit{Elems: []Expr{intArray(num(1)), intArray(num(1), num(2))}, T: types.TInt4.Array(), Nested: true}, "error 2202E"},
		{&ArrayLit{Elems: []Expr{intArray(num(1)), intArray()}, T: types.TInt4.Array(), Nested: true}, "error 2202E"},
		{&ArrayLit{Elems: []Expr{intArray(), intArray()}, T: types.TInt4.Array(), Nested: true}, "{}"},
	} {
		if got := eval(t, c.e); got != c.want {
			t.Errorf("%s = %s, want %s", Format(c.e), got, c.want)
		}
	}
}

func TestRecords(t *testing.T) {
	row := NewRecord([]Expr{num(1), null}, []string{"a", "b"})
	none := NewRecord([]Expr{null, null}, nil)
	for _, c := range []struct {
		e    Expr
		want string
	}{
		{&Field{Arg: row, Index: 0, Name: "a", T: types.TInt4}, "1"},
		{&Field{Arg: row, Index: 1, Name: "b", T: types.TInt4}, "NULL"},
		{&Field{Arg: &Const{T: types.TRecord}, Index: 0, T: types.TInt4}, "NULL"},
		{&IsTest{Arg: row, What: IsNull}, "f"},
		{&IsTest{Arg: row, What: IsNull, Not: true}, "f"},
		{&IsTest{Arg: none, What: IsNull}, "t"},
		{&IsTest{Arg: NewRecord([]Expr{num(1)}, nil), What: IsNull, Not: true}, "t"},
	} {
		if got := eval(t, c.e); got != c.want {
			t.Errorf("%s = %s, want %s", Format(c.e), got, c.want)
		}
	}
}

// rows runs a subquery that always yields the same rows and counts how often.
type rows struct {
	rows []types.Row
	runs int
}

func (r *rows) Scan(_ *Ctx, _ int, _ types.Row, fn func(types.Row) (bool, error)) error {
	r.runs++
	for _, row := range r.rows {
		if more, err := fn(row); err != nil || !more {
			return err
		}
	}
	return nil
}

func TestSubqueries(t *testing.T) {
	eq, lt := op(t, "=", types.TInt4, types.TInt4), op(t, "<", types.TInt4, types.TInt4)
	one := func(vs ...types.Datum) []types.Row {
		var out []types.Row
		for _, v := range vs {
			out = append(out, types.Row{v})
		}
		return out
	}
	i := func(v int64) types.Datum { return types.Int(v) }
	any := func(arg Expr, o *funcs.Overload, kind SubqueryKind, correlated bool) *Subquery {
		return &Subquery{Kind: kind, Args: []Expr{arg}, Ops: []*funcs.Overload{o}, RowOp: o.Func.Operator, T: types.TBool, Correlated: correlated}
	}
	for _, c := range []struct {
		name string
		e    *Subquery
		rows []types.Row
		want string
	}{
		{"scalar", &Subquery{T: types.TInt4}, one(i(7)), "7"},
		{"scalar of none", &Subquery{T: types.TInt4}, nil, "NULL"},
		{"scalar of two", &Subquery{T: types.TInt4}, one(i(7), i(8)), "error 21000"},
		{"exists", &Subquery{Kind: SubqueryExists, T: types.TBool}, one(types.Null), "t"},
		{"not exists", &Subquery{Kind: SubqueryExists, Not: true, T: types.TBool}, one(types.Null), "f"},
		{"array", &Subquery{Kind: SubqueryArray, T: types.TInt4.Array()}, one(i(1), types.Null), "{1,NULL}"},
		{"array of none", &Subquery{Kind: SubqueryArray, T: types.TInt4.Array()}, nil, "{}"},
		{"any", any(num(2), eq, SubqueryAny, true), one(i(1), i(2)), "t"},
		{"any with NULL", any(num(3), eq, SubqueryAny, true), one(i(1), types.Null), "NULL"},
		{"any of none", any(null, eq, SubqueryAny, true), nil, "f"},
		{"hashed any", any(num(2), eq, SubqueryAny, false), one(i(1), i(2)), "t"},
		{"hashed any with NULL", any(num(3), eq, SubqueryAny, false), one(i(1), types.Null), "NULL"},
		{"hashed any of none", any(null, eq, SubqueryAny, false), nil, "f"},
		{"all", any(num(0), lt, SubqueryAll, true), one(i(1), i(2)), "t"},
		{"all fails", any(num(1), lt, SubqueryAll, true), one(types.Null, i(1)), "f"},
		{"all of none", any(null, lt, SubqueryAll, true), nil, "t"},
	} {
		ec := newCtx()
		r := &rows{rows: c.rows}
		ec.Subplans = r
		got := ""
		for range 2 {
			v, err := c.e.Eval(ec, nil)
			if got = text(c.e, v); err != nil {
				got = "error " + pgerr.From(err).Code.String()
			}
		}
		if got != c.want {
			t.Errorf("%s: %s, want %s", c.name, got, c.want)
		}
		if once := !c.e.Correlated && c.name != "scalar of two"; once != (r.runs == 1) {
			t.Errorf("%s ran %d times", c.name, r.runs)
		}
	}
}

func TestRowSubqueries(t *testing.T) {
	eq, lt := op(t, "=", types.TInt4, types.TInt4), op(t, "<", types.TInt4, types.TInt4)
	i := func(v int64) types.Datum { return types.Int(v) }
	for _, c := range []struct {
		op   string
		fn   *funcs.Overload
		row  types.Row
		want string
	}{
		{"=", eq, types.Row{i(1), i(2)}, "t"},
		{"=", eq, types.Row{i(1), types.Null}, "NULL"},
		{"=", eq, types.Row{i(9), types.Null}, "f"},
		{"<", lt, types.Row{i(1), i(3)}, "t"},
		{"<", lt, types.Row{i(1), i(2)}, "f"},
		{"<", lt, types.Row{i(2), types.Null}, "t"},
		{"<", lt, types.Row{i(1), types.Null}, "NULL"},
	} {
		e := &Subquery{
			Kind: SubqueryAny, Args: []Expr{num(1), num(2)}, Ops: []*funcs.Overload{c.fn, c.fn}, RowOp: c.op,
			T: types.TBool, Correlated: true,
		}
		ec := newCtx()
		ec.Subplans = &rows{rows: []types.Row{c.row}}
		v, err := e.Eval(ec, nil)
		if got := text(e, v); err != nil || got != c.want {
			t.Errorf("(1, 2) %s ANY %v = %s, %v, want %s", c.op, c.row, got, err, c.want)
		}
	}
}

// TestChildren takes every node apart and puts it together again.
func TestChildren(t *testing.T) {
	eq := op(t, "=", types.TInt4, types.TInt4)
	a, b, c := num(1), num(2), num(3)
	for _, e := range []Parent{
		&Call{Fn: eq, Args: []Expr{a, b}, T: types.TBool}, &Cast{Arg: a, T: types.TText}, &And{[]Expr{yes, no}}, &Or{[]Expr{yes, no}},
		&Not{yes}, &IsTest{Arg: a}, &Distinct{Left: a, Right: b}, &NullIf{a, b, eq},
		&Case{Operand: a, Whens: []When{{yes, b}}, Else: c, T: types.TInt4}, &Case{Whens: []When{{yes, b}}, T: types.TInt4},
		&Coalesce{[]Expr{a, b}, types.TInt4}, &MinMax{[]Expr{a, b}, true, types.TInt4}, NewInList(a, []Expr{b, c}, eq, false),
		&AnyAll{Left: a, Right: intArray(b), Op: eq}, &ArrayLit{Elems: []Expr{a, b}, T: types.TInt4.Array()},
		&Subscript{Arg: intArray(a), Index: []SubscriptRange{{Lo: b}, {Hi: c, Slice: true}}, T: types.TInt4},
		NewRecord([]Expr{a, b}, []string{"x", "y"}), &Field{Arg: NewRecord([]Expr{a}, nil), T: types.TInt4},
		&Subquery{Kind: SubqueryAny, Args: []Expr{a}, T: types.TBool}, &Elements{Arg: &Const{T: types.TJSONB}, Path: "a[].b"},
	} {
		again := e.WithChildren(e.Children())
		if !reflect.DeepEqual(e, again) {
			t.Errorf("%T: %v, then %v", e, e, again)
		}
		same := Rewrite(e, func(x Expr) (Expr, bool) { return x, true })
		if same != Expr(e) {
			t.Errorf("%T was copied though nothing changed", e)
		}
		swapped := Rewrite(e, func(x Expr) (Expr, bool) {
			if x == a {
				return null, false
			}
			return x, true
		})
		if Any(e, func(x Expr) bool { return x == a }) && (Any(swapped, func(x Expr) bool { return x == a }) || Equal(e, swapped)) {
			t.Errorf("%T: the constant is still there", e)
		}
		if _, sub := e.(*Subquery); !sub && !Equal(e, e.WithChildren(append([]Expr(nil), e.Children()...))) {
			t.Errorf("%T does not equal its copy", e)
		}
	}
}

func TestElements(t *testing.T) {
	doc := `{"one": [{"type": "Point", "coordinates": [5, 6]}], "stops": [{"geo": {"type": "Point", "coordinates": [1, 2]}}, {"geo": "no"}, {"geo": {"type": "Point", "coordinates": [3, 4]}}]}`
	for _, c := range []struct{ path, want string }{
		{"stops[].geo", `{"type": "GeometryCollection", "geometries": [{"type": "Point", "coordinates": [1, 2]}, {"type": "Point", "coordinates": [3, 4]}]}`},
		{"one[]", `{"type": "Point", "coordinates": [5, 6]}`},
		{"none[].geo", "NULL"},
		{"stops[].none", "NULL"},
	} {
		e := &Elements{Arg: &Const{Val: types.Str(doc), T: types.TJSONB}, Path: c.path}
		if got := eval(t, e); got != c.want {
			t.Errorf("%s = %s, want %s", c.path, got, c.want)
		}
	}
}

func BenchmarkCall(b *testing.B) {
	e := &Call{Fn: op(b, "=", types.TInt4, types.TInt4), Args: []Expr{&Column{Index: 0, T: types.TInt4}, num(5)}, T: types.TBool}
	ec, row := newCtx(), types.Row{types.Int(5)}
	b.ReportAllocs()
	for b.Loop() {
		if _, err := e.Eval(ec, row); err != nil {
			b.Fatal(err)
		}
	}
}
