package expr

import (
	"raisind/pgerr"
	"raisind/sql/funcs"
	"raisind/sql/types"
)

// Type implements Expr.
func (e *Const) Type() *types.Type { return e.T }

// Eval implements Expr.
func (e *Const) Eval(*Ctx, types.Row) (types.Datum, error) { return e.Val, nil }

// Type implements Expr.
func (e *Column) Type() *types.Type { return e.T }

// Eval implements Expr.
func (e *Column) Eval(_ *Ctx, row types.Row) (types.Datum, error) { return row[e.Index], nil }

// Type implements Expr.
func (e *Outer) Type() *types.Type { return e.T }

// Eval implements Expr.
func (e *Outer) Eval(ec *Ctx, _ types.Row) (types.Datum, error) {
	return ec.Outer[len(ec.Outer)-e.Level][e.Index], nil
}

// Type implements Expr.
func (e *Param) Type() *types.Type { return e.T }

// Eval implements Expr. A parameter that was not bound is 42P02.
func (e *Param) Eval(ec *Ctx, _ types.Row) (types.Datum, error) {
	if e.N > len(ec.Params) {
		return types.Null, pgerr.New(pgerr.UndefinedParameter, "there is no parameter $%d", e.N)
	}
	return ec.Params[e.N-1], nil
}

// Type implements Expr.
func (e *Call) Type() *types.Type { return e.T }

// Eval implements Expr. The arguments are collected on the context's stack, so that
// a call costs no allocation of its own.
func (e *Call) Eval(ec *Ctx, row types.Row) (types.Datum, error) {
	base := len(ec.stack)
	strict := e.Fn.Func == nil || e.Fn.Func.Nulls == funcs.NullOnNull
	for _, a := range e.Args {
		v, err := a.Eval(ec, row)
		if err != nil || strict && v.IsNull() {
			ec.stack = ec.stack[:base]
			return types.Null, err
		}
		ec.stack = append(ec.stack, v)
	}
	v, err := e.Fn.Eval(ec.Ctx, ec.stack[base:])
	clear(ec.stack[base:])
	ec.stack = ec.stack[:base]
	return v, err
}

// Type implements Expr.
func (e *Cast) Type() *types.Type { return e.T }

// Eval implements Expr.
func (e *Cast) Eval(ec *Ctx, row types.Row) (types.Datum, error) {
	v, err := e.Arg.Eval(ec, row)
	if err != nil || v.IsNull() {
		return types.Null, err
	}
	if e.Fn != nil && e.Fn.Fn != nil {
		return e.Fn.Fn(ec.Env, v, e.Typmod, e.Explicit)
	}
	if e.Typmod >= 0 {
		return types.ApplyTypmod(e.T, v, e.Typmod, e.Explicit)
	}
	return v, nil
}

// Type implements Expr.
func (e *And) Type() *types.Type { return types.TBool }

// Eval implements Expr.
func (e *And) Eval(ec *Ctx, row types.Row) (types.Datum, error) {
	return junction(ec, row, e.Args, false)
}

// Type implements Expr.
func (e *Or) Type() *types.Type { return types.TBool }

// Eval implements Expr.
func (e *Or) Eval(ec *Ctx, row types.Row) (types.Datum, error) {
	return junction(ec, row, e.Args, true)
}

// junction stops at the first argument equal to decisive; a NULL seen before an
// undecided end makes the result NULL.
func junction(ec *Ctx, row types.Row, args []Expr, decisive bool) (types.Datum, error) {
	null := false
	for _, a := range args {
		v, err := a.Eval(ec, row)
		switch {
		case err != nil:
			return types.Null, err
		case v.IsNull():
			null = true
		case v.Bool() == decisive:
			return v, nil
		}
	}
	if null {
		return types.Null, nil
	}
	return types.Bool(!decisive), nil
}

// Type implements Expr.
func (e *Not) Type() *types.Type { return types.TBool }

// Eval implements Expr.
func (e *Not) Eval(ec *Ctx, row types.Row) (types.Datum, error) {
	v, err := e.Arg.Eval(ec, row)
	if err != nil || v.IsNull() {
		return types.Null, err
	}
	return types.Bool(!v.Bool()), nil
}

// Type implements Expr.
func (e *IsTest) Type() *types.Type { return types.TBool }

// Eval implements Expr.
func (e *IsTest) Eval(ec *Ctx, row types.Row) (types.Datum, error) {
	v, err := e.Arg.Eval(ec, row)
	if err != nil {
		return types.Null, err
	}
	if rec, ok := v.Ref().(*types.Record); ok && e.What == IsNull {
		// A row IS NULL when all its fields are, IS NOT NULL when none is.
		for _, f := range rec.Fields {
			if f.IsNull() == e.Not {
				return types.Bool(false), nil
			}
		}
		return types.Bool(true), nil
	}
	var is bool
	switch e.What {
	case IsNull, IsUnknown:
		is = v.IsNull()
	case IsTrue:
		is = !v.IsNull() && v.Bool()
	case IsFalse:
		is = !v.IsNull() && !v.Bool()
	}
	return types.Bool(is != e.Not), nil
}

// Type implements Expr.
func (e *Distinct) Type() *types.Type { return types.TBool }

// Eval implements Expr.
func (e *Distinct) Eval(ec *Ctx, row types.Row) (types.Datum, error) {
	if e.NoEquality {
		return types.Null, pgerr.New(pgerr.UndefinedFunction, "could not identify an equality operator for type %s", e.Left.Type())
	}
	l, err := e.Left.Eval(ec, row)
	if err != nil {
		return types.Null, err
	}
	r, err := e.Right.Eval(ec, row)
	if err != nil {
		return types.Null, err
	}
	distinct := l.IsNull() != r.IsNull()
	if !l.IsNull() && !r.IsNull() {
		distinct = types.Compare(e.Left.Type(), l, r) != 0
	}
	return types.Bool(distinct != e.Not), nil
}

// Type implements Expr.
func (e *Case) Type() *types.Type { return e.T }

// Eval implements Expr.
func (e *Case) Eval(ec *Ctx, row types.Row) (types.Datum, error) {
	if e.Operand != nil {
		v, err := e.Operand.Eval(ec, row)
		if err != nil {
			return types.Null, err
		}
		outer := ec.caseValue
		defer func() { ec.caseValue = outer }()
		ec.caseValue = v
	}
	for _, w := range e.Whens {
		ok, err := EvalBool(w.Cond, ec, row)
		if err != nil {
			return types.Null, err
		}
		if ok {
			return w.Then.Eval(ec, row)
		}
	}
	if e.Else == nil {
		return types.Null, nil
	}
	return e.Else.Eval(ec, row)
}

// Type implements Expr.
func (e *CaseValue) Type() *types.Type { return e.T }

// Eval implements Expr.
func (e *CaseValue) Eval(ec *Ctx, _ types.Row) (types.Datum, error) { return ec.caseValue, nil }

// Type implements Expr.
func (e *NullIf) Type() *types.Type { return e.Left.Type() }

// Eval implements Expr.
func (e *NullIf) Eval(ec *Ctx, row types.Row) (types.Datum, error) {
	l, err := e.Left.Eval(ec, row)
	if err != nil || l.IsNull() {
		return l, err
	}
	r, err := e.Right.Eval(ec, row)
	if err != nil || r.IsNull() {
		return l, err
	}
	eq, err := compare2(ec, e.Eq, l, r)
	if err != nil {
		return types.Null, err
	}
	if !eq.IsNull() && eq.Bool() {
		return types.Null, nil
	}
	return l, nil
}

// compare2 calls a binary operator on two values that are not NULL.
func compare2(ec *Ctx, op *funcs.Overload, l, r types.Datum) (types.Datum, error) {
	base := len(ec.stack)
	ec.stack = append(ec.stack, l, r)
	v, err := op.Eval(ec.Ctx, ec.stack[base:])
	clear(ec.stack[base:])
	ec.stack = ec.stack[:base]
	return v, err
}

// Type implements Expr.
func (e *Coalesce) Type() *types.Type { return e.T }

// Eval implements Expr.
func (e *Coalesce) Eval(ec *Ctx, row types.Row) (types.Datum, error) {
	for _, a := range e.Args {
		if v, err := a.Eval(ec, row); err != nil || !v.IsNull() {
			return v, err
		}
	}
	return types.Null, nil
}

// Type implements Expr.
func (e *MinMax) Type() *types.Type { return e.T }

// Eval implements Expr. NULLs are passed over.
func (e *MinMax) Eval(ec *Ctx, row types.Row) (types.Datum, error) {
	best := types.Null
	for _, a := range e.Args {
		v, err := a.Eval(ec, row)
		if err != nil {
			return types.Null, err
		}
		if v.IsNull() {
			continue
		}
		if best.IsNull() || (types.Compare(e.T, v, best) > 0) == e.Greatest {
			best = v
		}
	}
	return best, nil
}
