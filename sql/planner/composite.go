package planner

import (
	"raisind/pgerr"
	"raisind/sql/expr"
	"raisind/sql/funcs"
	"raisind/sql/types"
)

// coerceRow converts a row to a composite type, field by field.
func (b *builder) coerceRow(e expr.Expr, to *types.Type, context types.CastContext, at int) (expr.Expr, bool, error) {
	from, want := fieldsOf(e), to.Fields()
	if from == nil {
		return nil, false, nil
	}
	mismatch := func() *pgerr.Error {
		return b.err(pgerr.CannotCoerce, at, "cannot cast type %s to %s", e.Type(), to)
	}
	switch {
	case len(from) < len(want):
		return nil, true, mismatch().WithDetail("Input has too few columns.")
	case len(from) > len(want):
		return nil, true, mismatch().WithDetail("Input has too many columns.")
	}
	fields := make([]expr.Expr, len(want))
	for i, f := range want {
		var x expr.Expr
		if r, ok := e.(*expr.Record); ok {
			x = r.Fields[i]
		} else {
			x = &expr.Field{Arg: e, Index: i, Name: from[i].name, T: from[i].t}
		}
		c, ok, err := b.coerce(x, f.Type, f.Typmod, context, at)
		if err != nil {
			return nil, true, err
		}
		if !ok {
			return nil, true, mismatch().WithDetail("Cannot cast type %s to %s in column %d.", x.Type(), f.Type, i+1)
		}
		fields[i] = c
	}
	return rowOf(e, fields, to), true, nil
}

// rowOf is the row of fields as a composite type, NULL where the row e that they come
// from is.
func rowOf(e expr.Expr, fields []expr.Expr, to *types.Type) expr.Expr {
	names := make([]string, len(fields))
	kinds := make([]*types.Type, len(fields))
	args := make([]funcs.Arg, len(fields))
	for i, f := range fields {
		names[i], kinds[i], args[i] = to.Fields()[i].Name, f.Type(), funcs.Arg{Type: f.Type()}
	}
	body := func(_ *funcs.Ctx, values []types.Datum) (types.Datum, error) {
		return types.Ref(&types.Record{Names: names, Types: kinds, Fields: append([]types.Datum(nil), values...)}), nil
	}
	f := &funcs.Func{Name: "row", Title: "ROW", Volatility: funcs.Immutable, Nulls: funcs.CalledOnNull}
	call := &expr.Call{Fn: &funcs.Overload{Args: args, Result: to, Eval: body, Func: f}, Args: fields, T: to}
	if _, ok := e.(*expr.Record); ok {
		return call
	}
	missing := &expr.IsTest{Arg: e, What: expr.IsNull}
	return &expr.Case{Whens: []expr.When{{Cond: missing, Then: &expr.Const{T: to}}}, Else: call, T: to}
}
