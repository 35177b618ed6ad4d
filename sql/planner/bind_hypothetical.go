package planner

import (
	"raisind/pgerr"
	"raisind/sql/ast"
	"raisind/sql/expr"
	"raisind/sql/funcs"
	"raisind/sql/types"
)

// hypothetical reports whether name is an aggregate that ranks a row that is not there.
func hypothetical(name string) bool {
	switch name {
	case "rank", "dense_rank", "percent_rank", "cume_dist":
		return true
	}
	return false
}

// hypotheticalSet binds rank(…) WITHIN GROUP (ORDER BY …) and its kin as counts of the
// rows that sort before the row given.
func (b *builder) hypotheticalSet(f *ast.FuncCall, name string, s *scope) (expr.Expr, error) {
	if len(f.Args) != len(f.Within) {
		args, err := b.callArguments(f, s)
		if err != nil {
			return nil, err
		}
		for i := range f.Within {
			x, err := b.typed(f.Within[i].Expr, s)
			if err != nil {
				return nil, err
			}
			args.es, args.ats, args.ts = append(args.es, x.e), append(args.ats, x.at), nil
		}
		return nil, b.err(pgerr.UndefinedFunction, f.Pos(), "function %s does not exist", signatureOf(dotted(f.Name), args)).
			WithHint("To use the hypothetical-set aggregate %s, the number of hypothetical direct arguments (here %d) must match the number of ordering columns (here %d).",
				name, len(f.Args), len(f.Within))
	}
	if f.Distinct {
		return nil, b.err(pgerr.SyntaxError, f.Pos(), "cannot use DISTINCT with WITHIN GROUP")
	}
	at := f.At
	var keys []ast.Expr
	for i := range f.Within {
		keys = append(keys, f.Within[i].Expr)
	}
	before := sortsBefore(f, 0)
	count := func(cond ast.Expr) ast.Expr {
		if f.Filter != nil && cond != nil {
			cond = &ast.And{At: at, Args: []ast.Expr{f.Filter, cond}}
		} else if cond == nil {
			cond = f.Filter
		}
		return &ast.FuncCall{At: at, Name: []string{"count"}, Star: true, Filter: cond}
	}
	one := &ast.Literal{At: at, Kind: ast.LitInt, Int: 1}
	op := func(l ast.Expr, symbol string, r ast.Expr) ast.Expr {
		return &ast.Binary{At: at, Op: symbol, Left: l, Right: r}
	}
	float := func(e ast.Expr) ast.Expr { return &ast.FuncCall{At: at, Name: []string{"float8"}, Args: []ast.Expr{e}} }
	var out ast.Expr
	switch name {
	case "rank":
		out = op(count(before), "+", one)
	case "dense_rank":
		out = op(&ast.FuncCall{At: at, Name: []string{"count"}, Distinct: true, Args: []ast.Expr{&ast.RowLit{At: at, Args: keys}}, Filter: both(f.Filter, before)}, "+", one)
	case "percent_rank":
		out = &ast.Case{
			At: at, Whens: []ast.When{{At: at, Cond: op(count(nil), "=", &ast.Literal{At: at, Kind: ast.LitInt}), Result: float(&ast.Literal{At: at, Kind: ast.LitInt})}},
			Else: op(float(count(before)), "/", float(count(nil))),
		}
	default:
		same := ast.Expr(&ast.Or{At: at, Args: []ast.Expr{before, sortsEqual(f)}})
		out = op(float(op(count(same), "+", one)), "/", float(op(count(nil), "+", one)))
	}
	return b.expr(out, s)
}

// both joins two conditions of which the first may be missing.
func both(a, b ast.Expr) ast.Expr {
	if a == nil {
		return b
	}
	return &ast.And{At: ast.At(a.Pos()), Args: []ast.Expr{a, b}}
}

// sortsBefore is the condition that a row comes before the one given, from key i on.
func sortsBefore(f *ast.FuncCall, i int) ast.Expr {
	at := f.At
	w := &f.Within[i]
	k, h := w.Expr, f.Args[i]
	less := "<"
	if w.Desc {
		less = ">"
	}
	isNull := func(e ast.Expr, not bool) ast.Expr { return &ast.IsTest{At: at, Kind: ast.IsNull, Expr: e, Not: not} }
	compare := &ast.Binary{At: at, Op: less, Left: k, Right: h}
	first := w.Nulls == ast.NullsFirst || w.Nulls == ast.NullsDefault && w.Desc
	var out ast.Expr
	if first {
		out = &ast.And{At: at, Args: []ast.Expr{isNull(h, true), &ast.Or{At: at, Args: []ast.Expr{isNull(k, false), compare}}}}
	} else {
		out = &ast.And{At: at, Args: []ast.Expr{isNull(k, true), &ast.Or{At: at, Args: []ast.Expr{isNull(h, false), compare}}}}
	}
	if i+1 < len(f.Within) {
		out = &ast.Or{At: at, Args: []ast.Expr{out, &ast.And{At: at, Args: []ast.Expr{equalKey(f, i), sortsBefore(f, i+1)}}}}
	}
	return out
}

func equalKey(f *ast.FuncCall, i int) ast.Expr {
	return &ast.IsTest{At: f.At, Kind: ast.IsDistinct, Expr: f.Within[i].Expr, Right: f.Args[i], Not: true}
}

func sortsEqual(f *ast.FuncCall) ast.Expr {
	out := &ast.And{At: f.At}
	for i := range f.Within {
		out.Args = append(out.Args, equalKey(f, i))
	}
	if len(out.Args) == 1 {
		return out.Args[0]
	}
	return out
}

// spread makes the call of a function of any number of arguments of any type whose
// last argument, VARIADIC, is an array of them.
func spread(ov *funcs.Overload, ts []*types.Type) *funcs.Overload {
	last := len(ts) - 1
	if !ts[last].IsArray() {
		return ov.Bind(ts)
	}
	out := *ov
	out.EvalFor = nil
	out.Eval = func(fc *funcs.Ctx, args []types.Datum) (types.Datum, error) {
		a := args[last].Array()
		if a == nil {
			return types.Null, nil
		}
		full, all := append([]types.Datum(nil), args[:last]...), append([]*types.Type(nil), ts[:last]...)
		for _, e := range a.Elems {
			full, all = append(full, e), append(all, a.Elem)
		}
		return ov.Bind(all).Eval(fc, full)
	}
	return &out
}
