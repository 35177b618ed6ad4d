package planner

import (
	"raisind/pgerr"
	"raisind/sql/ast"
	"raisind/sql/expr"
	"raisind/sql/types"
)

// arrayLit binds ARRAY[…]; want is the array type of a cast around it, or nil.
func (b *builder) arrayLit(e *ast.ArrayLit, s *scope, want *types.Type) (expr.Expr, error) {
	if len(e.Elems) == 0 {
		if want == nil {
			return nil, b.err(pgerr.IndeterminateDatatype, e.Pos(), "cannot determine type of empty array").
				WithHint("Explicitly cast to the desired type, for example ARRAY[]::integer[].")
		}
		return b.fold(&expr.ArrayLit{T: want}), nil
	}
	nested := false
	es := make([]typed, len(e.Elems))
	for i, x := range e.Elems {
		var err error
		es[i].at = location(x)
		if inner, ok := x.(*ast.ArrayLit); ok {
			nested = true
			es[i].e, err = b.arrayLit(inner, s, want)
		} else {
			es[i].e, err = b.expr(x, s)
			nested = nested || err == nil && es[i].e.Type().IsArray()
		}
		if err != nil {
			return nil, err
		}
	}
	var t *types.Type // of the elements
	if want != nil {
		t = want.Elem
		if nested {
			t = want
		}
		for i := range es {
			r, ok, err := b.coerce(es[i].e, t, -1, types.Explicit, es[i].at)
			if err == nil && !ok {
				err = b.err(pgerr.CannotCoerce, es[i].at, "cannot cast type %s to %s", es[i].e.Type(), t)
			}
			if err != nil {
				return nil, err
			}
			es[i].e = r
		}
	} else {
		var err error
		if t, err = b.commonType(es, "ARRAY"); err != nil {
			return nil, err
		}
		for i := range es {
			if es[i].e, err = b.toCommon(es[i], t, "ARRAY"); err != nil {
				return nil, err
			}
		}
	}
	at := t
	if !nested {
		if at = t.Array(); at == nil {
			return nil, b.err(pgerr.UndefinedObject, e.Pos(), "could not find array type for data type %s", t)
		}
	}
	lit := &expr.ArrayLit{T: at, Nested: nested}
	for _, x := range es {
		lit.Elems = append(lit.Elems, x.e)
	}
	return b.fold(lit), nil
}

// subscript binds a chain of [i] and [lo:hi]; of jsonb it is ->.
func (b *builder) subscript(e ast.Expr, s *scope) (expr.Expr, error) {
	var chain []ast.Expr
	base := e
	for {
		switch x := base.(type) {
		case *ast.Index:
			chain, base = append(chain, x), x.Expr
			continue
		case *ast.Slice:
			chain, base = append(chain, x), x.Expr
			continue
		}
		break
	}
	x, err := b.typed(base, s)
	if err != nil {
		return nil, err
	}
	t := x.e.Type()
	if t == types.TJSONB {
		return b.subscriptJSON(x, chain, s)
	}
	elem := t.Elem
	if t == types.TName { // PostgreSQL has names as arrays of bytes, from 0
		elem = types.TChar
		for _, c := range chain {
			if _, slice := c.(*ast.Slice); slice || len(chain) > 1 {
				return nil, b.notSupported(c.Pos(), "slicing a value of type name")
			}
		}
	} else if elem == nil || !t.IsArray() && t != types.TInt2Vector && t != types.TOIDVector {
		return nil, b.err(pgerr.DatatypeMismatch, x.at, "cannot subscript type %s because it does not support subscripting", t)
	}
	if len(chain) > 6 {
		return nil, b.err(pgerr.ProgramLimitExceeded, x.at, "number of array dimensions (%d) exceeds the maximum allowed (6)", len(chain))
	}
	out := &expr.Subscript{Arg: x.e, T: elem}
	bound := func(e ast.Expr) (expr.Expr, error) {
		if e == nil {
			return nil, nil
		}
		i, err := b.typed(e, s)
		if err != nil {
			return nil, err
		}
		r, ok, err := b.coerce(i.e, types.TInt4, -1, types.Assignment, i.at)
		if err == nil && !ok {
			err = b.err(pgerr.DatatypeMismatch, i.at, "array subscript must have type integer")
		}
		return r, err
	}
	for i := len(chain) - 1; i >= 0; i-- {
		var r expr.SubscriptRange
		switch x := chain[i].(type) {
		case *ast.Index:
			r.Lo, err = bound(x.Index)
		case *ast.Slice:
			r.Slice, out.T = true, t
			if r.Lo, err = bound(x.Low); err == nil {
				r.Hi, err = bound(x.High)
			}
		}
		if err != nil {
			return nil, err
		}
		out.Index = append(out.Index, r)
	}
	return b.fold(out), nil
}

// sliceEnd is where messages point at a slice: its last bound.
func sliceEnd(e ast.Expr) int {
	if s, ok := e.(*ast.Slice); ok {
		if s.High != nil {
			return location(s.High)
		}
		if s.Low != nil {
			return location(s.Low)
		}
	}
	return e.Pos()
}

// subscriptJSON is jsonb[i] or jsonb['key'].
func (b *builder) subscriptJSON(x typed, chain []ast.Expr, s *scope) (expr.Expr, error) {
	for i := len(chain) - 1; i >= 0; i-- {
		index, ok := chain[i].(*ast.Index)
		if !ok {
			return nil, b.err(pgerr.DatatypeMismatch, sliceEnd(chain[i]), "jsonb subscript does not support slices")
		}
		key, err := b.typed(index.Index, s)
		if err != nil {
			return nil, err
		}
		if x.e, err = b.binary("->", x, key, index.Pos()); err != nil {
			return nil, err
		}
	}
	return x.e, nil
}
