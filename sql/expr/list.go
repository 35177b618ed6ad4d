package expr

import (
	"raisind/sql/funcs"
	"raisind/sql/types"
)

// hashSet holds values of one type for tests of membership.
type hashSet struct {
	keys map[string]struct{}
	null bool // a NULL is among the values
}

func newHashSet(n int) *hashSet { return &hashSet{keys: make(map[string]struct{}, n)} }

func (s *hashSet) add(t *types.Type, d types.Datum) {
	if d.IsNull() {
		s.null = true
		return
	}
	s.keys[string(types.AppendHashKey(nil, t, d))] = struct{}{}
}

func (s *hashSet) empty() bool { return len(s.keys) == 0 && !s.null }

// has is d = ANY (the values), by SQL's rules.
func (s *hashSet) has(ec *Ctx, t *types.Type, d types.Datum) types.Datum {
	if s.empty() {
		return types.Bool(false)
	}
	if d.IsNull() {
		return types.Null
	}
	ec.key = types.AppendHashKey(ec.key[:0], t, d)
	if _, ok := s.keys[string(ec.key)]; ok {
		return types.Bool(true)
	}
	if s.null {
		return types.Null
	}
	return types.Bool(false)
}

// Hashes reports whether op is the equality that the hash keys of its type stand for.
func Hashes(op *funcs.Overload, left, right *types.Type) bool {
	return op != nil && op.Func != nil && op.Func.Operator == "=" && left == right && left.Hashable() &&
		left != types.TGeometry && left != types.TGeography && left != types.TRecord
}

// NewInList makes an InList; items that are all constants become a set.
func NewInList(arg Expr, list []Expr, eq *funcs.Overload, not bool) *InList {
	e := &InList{Arg: arg, List: list, Eq: eq, Not: not}
	t := arg.Type()
	for _, item := range list {
		if _, ok := item.(*Const); !ok || !Hashes(eq, t, item.Type()) {
			return e
		}
	}
	e.set = newHashSet(len(list))
	for _, item := range list {
		e.set.add(t, item.(*Const).Val)
	}
	return e
}

// Type implements Expr.
func (e *InList) Type() *types.Type { return types.TBool }

// Eval implements Expr.
func (e *InList) Eval(ec *Ctx, row types.Row) (types.Datum, error) {
	v, err := e.Arg.Eval(ec, row)
	if err != nil {
		return types.Null, err
	}
	in := types.Bool(false)
	if e.set != nil {
		in = e.set.has(ec, e.Arg.Type(), v)
	} else {
		for _, item := range e.List {
			i, err := item.Eval(ec, row)
			if err != nil {
				return types.Null, err
			}
			eq, err := operate(ec, e.Eq, v, i)
			if err != nil {
				return types.Null, err
			}
			if eq.IsNull() {
				in = eq
			} else if eq.Bool() {
				in = eq
				break
			}
		}
	}
	if !in.IsNull() && e.Not {
		return types.Bool(!in.Bool()), nil
	}
	return in, nil
}

// operate calls a binary operator under its null rule.
func operate(ec *Ctx, op *funcs.Overload, l, r types.Datum) (types.Datum, error) {
	if (l.IsNull() || r.IsNull()) && op.Func.Nulls == funcs.NullOnNull {
		return types.Null, nil
	}
	return compare2(ec, op, l, r)
}

// Type implements Expr.
func (e *AnyAll) Type() *types.Type { return types.TBool }

// minHashedArray elements of an array make it worth a set.
const minHashedArray = 9

// Eval implements Expr. An empty array gives false for ANY and true for ALL; a NULL
// array gives NULL.
func (e *AnyAll) Eval(ec *Ctx, row types.Row) (types.Datum, error) {
	l, err := e.Left.Eval(ec, row)
	if err != nil {
		return types.Null, err
	}
	if set, ok := ec.once[e].(*hashSet); ok {
		return set.has(ec, e.Left.Type(), l), nil
	}
	r, err := e.Right.Eval(ec, row)
	if err != nil || r.IsNull() {
		return types.Null, err
	}
	arr, _ := r.Ref().(*types.Array)
	if arr == nil || len(arr.Elems) == 0 {
		return types.Bool(e.All), nil
	}
	if len(arr.Elems) >= minHashedArray && e.hashed() {
		set := newHashSet(len(arr.Elems))
		for _, d := range arr.Elems {
			set.add(e.Left.Type(), d)
		}
		ec.remember(e, set)
		return set.has(ec, e.Left.Type(), l), nil
	}
	null := false
	for _, d := range arr.Elems {
		if !d.IsNull() && e.ElemCast != nil && !e.ElemCast.Binary {
			if d, err = e.ElemCast.Fn(ec.Env, d, -1, false); err != nil {
				return types.Null, err
			}
		}
		v, err := operate(ec, e.Op, l, d)
		switch {
		case err != nil:
			return types.Null, err
		case v.IsNull():
			null = true
		case v.Bool() != e.All:
			return v, nil
		}
	}
	if null {
		return types.Null, nil
	}
	return types.Bool(e.All), nil
}

// hashed reports whether the array is the same for the whole execution and equality
// can be looked up.
func (e *AnyAll) hashed() bool {
	switch e.Right.(type) {
	case *Param, *Const:
	default:
		return false
	}
	return !e.All && e.ElemCast == nil && Hashes(e.Op, e.Left.Type(), e.Right.Type().Elem)
}

// remember keeps a result for the rest of the execution.
func (ec *Ctx) remember(e Expr, v any) {
	if ec.once == nil {
		ec.once = map[Expr]any{}
	}
	ec.once[e] = v
}
