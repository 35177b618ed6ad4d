package expr

import (
	"raisind/pgerr"
	"raisind/sql/types"
)

// Type implements Expr.
func (e *Subquery) Type() *types.Type { return e.T }

// Eval implements Expr. What does not depend on the outer row is computed once for
// each execution.
func (e *Subquery) Eval(ec *Ctx, row types.Row) (types.Datum, error) {
	if e.Kind == SubqueryAny || e.Kind == SubqueryAll {
		return e.compareAll(ec, row)
	}
	if !e.Correlated {
		if v, ok := ec.once[e].(types.Datum); ok {
			return v, nil
		}
	}
	v, err := e.value(ec, row)
	if err == nil && !e.Correlated {
		ec.remember(e, v)
	}
	return v, err
}

func (e *Subquery) value(ec *Ctx, row types.Row) (types.Datum, error) {
	result := types.Null
	rows := 0
	arr := &types.Array{}
	err := ec.Subplans.Scan(ec, e.ID, row, func(r types.Row) (bool, error) {
		rows++
		switch e.Kind {
		case SubqueryExists:
			return false, nil
		case SubqueryArray:
			arr.Elems = append(arr.Elems, r[0])
			return true, nil
		}
		if rows > 1 {
			return false, pgerr.New(pgerr.CardinalityViolation, "more than one row returned by a subquery used as an expression")
		}
		result = r[0]
		if e.T == types.TRecord && len(r) > 1 {
			result = types.Ref(&types.Record{Names: e.Names, Types: e.Types, Fields: append([]types.Datum(nil), r...)})
		}
		return true, nil
	})
	if err != nil {
		return types.Null, err
	}
	switch e.Kind {
	case SubqueryExists:
		return types.Bool((rows > 0) != e.Not), nil
	case SubqueryArray:
		return arrayOfRows(arr, e.T)
	}
	return result, nil
}

// arrayOfRows turns the values of ARRAY(subquery) into an array; arrays become one
// of a dimension more.
func arrayOfRows(arr *types.Array, t *types.Type) (types.Datum, error) {
	arr.Elem = t.Elem
	if len(arr.Elems) == 0 {
		return types.Ref(arr), nil
	}
	if _, nested := arr.Elems[0].Ref().(*types.Array); nested {
		lit := &ArrayLit{T: t, Nested: true}
		for _, d := range arr.Elems {
			lit.Elems = append(lit.Elems, &Const{Val: d, T: t})
		}
		return lit.Eval(nil, nil)
	}
	arr.Dims, arr.Lower = []int32{int32(len(arr.Elems))}, []int32{1}
	return types.Ref(arr), nil
}

// compareAll is Args op ANY or ALL (subquery).
func (e *Subquery) compareAll(ec *Ctx, row types.Row) (types.Datum, error) {
	args := make([]types.Datum, len(e.Args))
	for i, a := range e.Args {
		v, err := a.Eval(ec, row)
		if err != nil {
			return types.Null, err
		}
		args[i] = v
	}
	result, err := e.compareRows(ec, row, args)
	if err == nil && e.Not && !result.IsNull() {
		result = types.Bool(!result.Bool())
	}
	return result, err
}

func (e *Subquery) compareRows(ec *Ctx, row types.Row, args []types.Datum) (types.Datum, error) {
	all := e.Kind == SubqueryAll
	if e.hashed() {
		set, err := e.hashRows(ec, row)
		if err != nil {
			return types.Null, err
		}
		return set.has(ec, e.Args[0].Type(), args[0]), nil
	}
	null := false
	decided := types.Null
	err := ec.Subplans.Scan(ec, e.ID, row, func(r types.Row) (bool, error) {
		v, err := e.compareRow(ec, args, r)
		switch {
		case err != nil:
			return false, err
		case v.IsNull():
			null = true
		case v.Bool() != all:
			decided = v
			return false, nil
		}
		return true, nil
	})
	switch {
	case err != nil || !decided.IsNull():
		return decided, err
	case null:
		return types.Null, nil
	}
	return types.Bool(all), nil
}

// hashed reports whether the subquery is x = ANY (rows) with rows that stay the same.
func (e *Subquery) hashed() bool {
	return !e.Correlated && e.Kind == SubqueryAny && len(e.Args) == 1 &&
		Hashes(e.Ops[0], e.Args[0].Type(), e.Ops[0].Args[1].Type)
}

func (e *Subquery) hashRows(ec *Ctx, row types.Row) (*hashSet, error) {
	if set, ok := ec.once[e].(*hashSet); ok {
		return set, nil
	}
	set := newHashSet(0)
	t := e.Args[0].Type()
	err := ec.Subplans.Scan(ec, e.ID, row, func(r types.Row) (bool, error) {
		v, err := e.cast(ec, 0, r[0])
		if err == nil {
			set.add(t, v)
		}
		return true, err
	})
	if err != nil {
		return nil, err
	}
	ec.remember(e, set)
	return set, nil
}

func (e *Subquery) cast(ec *Ctx, i int, d types.Datum) (types.Datum, error) {
	if d.IsNull() || i >= len(e.Casts) || e.Casts[i] == nil || e.Casts[i].Binary {
		return d, nil
	}
	return e.Casts[i].Fn(ec.Env, d, -1, false)
}

// compareRow compares the arguments with one row of the subquery. Rows are equal when
// all columns are, differ when any does, and sort by the first column that differs.
func (e *Subquery) compareRow(ec *Ctx, args []types.Datum, r types.Row) (types.Datum, error) {
	equality := len(args) == 1 || e.RowOp == "=" || e.RowOp == "<>"
	null := false
	for i, l := range args {
		d, err := e.cast(ec, i, r[i])
		if err != nil {
			return types.Null, err
		}
		if !equality {
			if l.IsNull() || d.IsNull() {
				return types.Null, nil
			}
			c := types.Compare(e.Args[i].Type(), l, d)
			if c != 0 || i == len(args)-1 {
				return types.Bool(ordered(e.RowOp, c)), nil
			}
			continue
		}
		v, err := operate(ec, e.Ops[i], l, d)
		switch {
		case err != nil:
			return types.Null, err
		case v.IsNull():
			null = true
		case len(args) == 1 || v.Bool() == (e.RowOp == "<>"):
			return v, nil // one pair that is not equal decides
		}
	}
	if null {
		return types.Null, nil
	}
	return types.Bool(e.RowOp != "<>"), nil
}

// ordered tells whether op holds for the outcome c of a comparison.
func ordered(op string, c int) bool {
	switch op {
	case "<":
		return c < 0
	case "<=":
		return c <= 0
	case ">":
		return c > 0
	}
	return c >= 0
}
