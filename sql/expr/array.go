package expr

import (
	"slices"

	"raisind/pgerr"
	"raisind/sql/types"
)

// Type implements Expr.
func (e *ArrayLit) Type() *types.Type { return e.T }

// Eval implements Expr.
func (e *ArrayLit) Eval(ec *Ctx, row types.Row) (types.Datum, error) {
	out := &types.Array{Elem: e.T.Elem}
	if !e.Nested {
		if len(e.Elems) == 0 {
			return types.Ref(out), nil
		}
		out.Dims, out.Lower = []int32{int32(len(e.Elems))}, []int32{1}
		out.Elems = make([]types.Datum, len(e.Elems))
		for i, x := range e.Elems {
			v, err := x.Eval(ec, row)
			if err != nil {
				return types.Null, err
			}
			out.Elems[i] = v
		}
		return types.Ref(out), nil
	}
	// Arrays of arrays: all of one shape; NULL and empty ones only among themselves.
	empty := false
	var n int32
	for _, x := range e.Elems {
		v, err := x.Eval(ec, row)
		if err != nil {
			return types.Null, err
		}
		a, _ := v.Ref().(*types.Array)
		if a == nil || len(a.Elems) == 0 {
			empty = true
			continue
		}
		if n == 0 {
			out.Dims, out.Lower = slices.Clone(a.Dims), slices.Clone(a.Lower)
		} else if !slices.Equal(out.Dims, a.Dims) || !slices.Equal(out.Lower, a.Lower) {
			return types.Null, errDimensions()
		}
		n++
		out.Elems = append(out.Elems, a.Elems...)
	}
	if n == 0 {
		return types.Ref(out), nil
	}
	if empty {
		return types.Null, errDimensions()
	}
	out.Dims = append([]int32{n}, out.Dims...)
	out.Lower = append([]int32{1}, out.Lower...)
	return types.Ref(out), nil
}

func errDimensions() error {
	return pgerr.New(pgerr.ArraySubscriptError, "multidimensional arrays must have array expressions with matching dimensions")
}

// Type implements Expr.
func (e *Subscript) Type() *types.Type { return e.T }

// maxSubscripts is PostgreSQL's limit on dimensions.
const maxSubscripts = 6

// Eval implements Expr. A subscript out of range gives NULL, a slice what lies in range.
func (e *Subscript) Eval(ec *Ctx, row types.Row) (types.Datum, error) {
	v, err := e.Arg.Eval(ec, row)
	if err != nil || v.IsNull() {
		return types.Null, err
	}
	if e.Arg.Type() == types.TName {
		return e.nameByte(ec, row, v.Str())
	}
	var lo, hi [maxSubscripts]int32
	slice := false
	for _, s := range e.Index {
		slice = slice || s.Slice
	}
	a, _ := v.Ref().(*types.Array)
	if a == nil {
		return types.Null, nil
	}
	for i, s := range e.Index {
		if slice && i < len(a.Dims) { // bounds left out reach to the ends
			lo[i], hi[i] = a.Lower[i], a.Lower[i]+a.Dims[i]-1
		}
		if slice && !s.Slice { // a[2][1:3] means a[1:2][1:3]
			lo[i] = 1
			s.Lo, s.Hi = nil, s.Lo
		}
		for _, b := range []struct {
			e   Expr
			dst *int32
		}{{s.Lo, &lo[i]}, {s.Hi, &hi[i]}} {
			if b.e == nil {
				continue
			}
			d, err := b.e.Eval(ec, row)
			if err != nil || d.IsNull() {
				return types.Null, err
			}
			*b.dst = int32(d.Int())
		}
	}
	if slice {
		return types.Ref(sliceArray(a, lo[:len(e.Index)], hi[:len(e.Index)])), nil
	}
	if len(e.Index) != len(a.Dims) {
		return types.Null, nil
	}
	at := 0
	for i, n := range a.Dims {
		k := lo[i] - a.Lower[i]
		if k < 0 || k >= n {
			return types.Null, nil
		}
		at = at*int(n) + int(k)
	}
	return a.Elems[at], nil
}

// nameByte is one byte of a name, which are numbered from 0.
func (e *Subscript) nameByte(ec *Ctx, row types.Row, name string) (types.Datum, error) {
	at, err := e.Index[0].Lo.Eval(ec, row)
	if err != nil || at.IsNull() || at.Int() < 0 || at.Int() >= int64(types.TName.Len) {
		return types.Null, err
	}
	if i := int(at.Int()); i < len(name) {
		return types.TChar.ParseText(name[i:i+1], -1, nil)
	}
	return types.Str(""), nil
}

// sliceArray cuts a box out of an array; dimensions without bounds stay whole.
func sliceArray(a *types.Array, lo, hi []int32) *types.Array {
	out := &types.Array{Elem: a.Elem}
	if len(lo) > len(a.Dims) {
		return out
	}
	from := make([]int32, len(a.Dims))
	n := make([]int32, len(a.Dims))
	for i := range a.Dims {
		first, last := a.Lower[i], a.Lower[i]+a.Dims[i]-1
		if i < len(lo) {
			first, last = max(first, lo[i]), min(last, hi[i])
		}
		if last < first {
			return out
		}
		from[i], n[i] = first-a.Lower[i], last-first+1
	}
	out.Dims = n
	out.Lower = make([]int32, len(n))
	for i := range out.Lower {
		out.Lower[i] = 1
	}
	var cut func(dim, at int)
	cut = func(dim, at int) {
		if dim == len(n) {
			out.Elems = append(out.Elems, a.Elems[at])
			return
		}
		for k := range n[dim] {
			cut(dim+1, at*int(a.Dims[dim])+int(from[dim]+k))
		}
	}
	cut(0, 0)
	return out
}
