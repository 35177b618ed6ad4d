package funcs

import (
	"slices"

	"raisind/pgerr"
	"raisind/sql/types"
)

// maxArrayElements bounds an array, as PostgreSQL's MaxArraySize does.
const maxArrayElements = 134217727

func errArraySize() error {
	return pgerr.New(pgerr.ProgramLimitExceeded, "array size exceeds the maximum allowed (%d)", maxArrayElements)
}

// elemOf is the element type of an array type; of a polymorphic leftover, text.
func elemOf(t *types.Type) *types.Type {
	if t.Elem != nil {
		return t.Elem
	}
	return types.TText
}

// newArray makes a one-dimensional array that keeps elems.
func newArray(elem *types.Type, elems []types.Datum) *types.Array {
	a := &types.Array{Elem: elem}
	if len(elems) > 0 {
		a.Dims, a.Lower, a.Elems = []int32{int32(len(elems))}, []int32{1}, elems
	}
	return a
}

func textArray(s []string) types.Datum {
	elems := make([]types.Datum, len(s))
	for i, v := range s {
		elems[i] = types.Str(v)
	}
	return types.Ref(newArray(types.TText, elems))
}

func errIncompatible(detail string) error {
	return pgerr.New(pgerr.ArraySubscriptError, "cannot concatenate incompatible arrays").WithDetail("%s", detail)
}

// catArrays joins two arrays, of which one may be nil.
func catArrays(a, b *types.Array) (*types.Array, error) {
	switch {
	case a == nil || len(a.Dims) == 0 && b != nil:
		return b, nil
	case b == nil || len(b.Dims) == 0:
		return a, nil
	case len(a.Elems)+len(b.Elems) > maxArrayElements:
		return nil, errArraySize()
	}
	na, nb := len(a.Dims), len(b.Dims)
	out := &types.Array{Elem: a.Elem, Elems: slices.Concat(a.Elems, b.Elems)}
	switch {
	case na == nb:
		if !slices.Equal(a.Dims[1:], b.Dims[1:]) {
			return nil, errIncompatible("Arrays with differing element dimensions are not compatible for concatenation.")
		}
		out.Dims, out.Lower = slices.Clone(a.Dims), a.Lower
		out.Dims[0] += b.Dims[0]
	case na == nb-1:
		if !slices.Equal(a.Dims, b.Dims[1:]) {
			return nil, errIncompatible("Arrays with differing dimensions are not compatible for concatenation.")
		}
		out.Dims, out.Lower = slices.Clone(b.Dims), b.Lower
		out.Dims[0]++
	case na == nb+1:
		if !slices.Equal(a.Dims[1:], b.Dims) {
			return nil, errIncompatible("Arrays with differing dimensions are not compatible for concatenation.")
		}
		out.Dims, out.Lower = slices.Clone(a.Dims), a.Lower
		out.Dims[0]++
	default:
		return nil, pgerr.New(pgerr.ArraySubscriptError, "cannot concatenate incompatible arrays").
			WithDetail("Arrays of %d and %d dimensions are not compatible for concatenation.", na, nb)
	}
	return out, nil
}

func arrayCat(_ *Ctx, args []types.Datum) (types.Datum, error) {
	a, err := catArrays(arrayOf(args[0]), arrayOf(args[1]))
	if err != nil || a == nil {
		return types.Null, err
	}
	return types.Ref(a), nil
}

func errOneDimensional() error {
	return pgerr.New(pgerr.DataException, "argument must be empty or one-dimensional array")
}

// arrayAppend and arrayPrepend take a NULL array for an empty one.
func arrayAppend(elem *types.Type) EvalFunc {
	return func(_ *Ctx, args []types.Datum) (types.Datum, error) {
		a := arrayOf(args[0])
		if a == nil || len(a.Dims) == 0 {
			return types.Ref(newArray(elem, []types.Datum{args[1]})), nil
		}
		if len(a.Dims) != 1 {
			return types.Null, errOneDimensional()
		}
		elems := slices.Concat(a.Elems, args[1:2])
		return types.Ref(&types.Array{Elem: a.Elem, Dims: []int32{a.Dims[0] + 1}, Lower: a.Lower, Elems: elems}), nil
	}
}

func arrayPrepend(elem *types.Type) EvalFunc {
	return func(_ *Ctx, args []types.Datum) (types.Datum, error) {
		a := arrayOf(args[1])
		if a == nil || len(a.Dims) == 0 {
			return types.Ref(newArray(elem, []types.Datum{args[0]})), nil
		}
		if len(a.Dims) != 1 {
			return types.Null, errOneDimensional()
		}
		elems := append([]types.Datum{args[0]}, a.Elems...)
		return types.Ref(&types.Array{Elem: a.Elem, Dims: []int32{a.Dims[0] + 1}, Lower: a.Lower, Elems: elems}), nil
	}
}

func arrayOps() []Func {
	op := func(symbol, name, commutator string, nulls NullRule, doc string, overloads ...Overload) Func {
		return Func{
			Name: name, Operator: symbol, Commutator: commutator, Group: groupArray,
			Volatility: Immutable, Nulls: nulls, Doc: doc, Overloads: overloads,
		}
	}
	return []Func{
		op("||", "array_cat", "", CalledOnNull, "Joins arrays, or an array and an element.",
			of("anycompatiblearray,anycompatiblearray", "anycompatiblearray", arrayCat),
			typed("anycompatiblearray,anycompatible", "anycompatiblearray", func(args []*types.Type) EvalFunc {
				return arrayAppend(elemOf(args[0]))
			}),
			typed("anycompatible,anycompatiblearray", "anycompatiblearray", func(args []*types.Type) EvalFunc {
				return arrayPrepend(elemOf(args[1]))
			})),
		op("@>", "arraycontains", "<@", NullOnNull, "True when every element of the right array is one of the left array.",
			typed("anyarray,anyarray", "bool", func(args []*types.Type) EvalFunc {
				return containment(elemOf(args[0]), func(a, b *types.Array) (all, of *types.Array) { return b, a })
			})),
		op("<@", "arraycontained", "@>", NullOnNull, "True when every element of the left array is one of the right array.",
			typed("anyarray,anyarray", "bool", func(args []*types.Type) EvalFunc {
				return containment(elemOf(args[0]), func(a, b *types.Array) (all, of *types.Array) { return a, b })
			})),
		op("&&", "arrayoverlap", "&&", NullOnNull, "True when the arrays have an element in common.",
			typed("anyarray,anyarray", "bool", func(args []*types.Type) EvalFunc {
				elem := elemOf(args[0])
				return func(_ *Ctx, a []types.Datum) (types.Datum, error) {
					has := memberOf(elem, arrayOf(a[1]))
					for _, e := range arrayOf(a[0]).Elems {
						if has(e) {
							return types.Bool(true), nil
						}
					}
					return types.Bool(false), nil
				}
			})),
	}
}

func containment(elem *types.Type, order func(a, b *types.Array) (all, of *types.Array)) EvalFunc {
	return func(_ *Ctx, args []types.Datum) (types.Datum, error) {
		all, of := order(arrayOf(args[0]), arrayOf(args[1]))
		has := memberOf(elem, of)
		for _, e := range all.Elems {
			if !has(e) {
				return types.Bool(false), nil
			}
		}
		return types.Bool(true), nil
	}
}

// hashedMembership is the array length from which membership is looked up in a map.
const hashedMembership = 16

// memberOf returns a test for being an element of a. NULL is an element of nothing.
func memberOf(elem *types.Type, a *types.Array) func(types.Datum) bool {
	if len(a.Elems) < hashedMembership || !elem.Hashable() {
		return func(d types.Datum) bool {
			if d.IsNull() {
				return false
			}
			for _, e := range a.Elems {
				if !e.IsNull() && types.Compare(elem, d, e) == 0 {
					return true
				}
			}
			return false
		}
	}
	seen := make(map[string]struct{}, len(a.Elems))
	var buf []byte
	for _, e := range a.Elems {
		if !e.IsNull() {
			buf = types.AppendHashKey(buf[:0], elem, e)
			seen[string(buf)] = struct{}{}
		}
	}
	return func(d types.Datum) bool {
		if d.IsNull() {
			return false
		}
		buf = types.AppendHashKey(buf[:0], elem, d)
		_, ok := seen[string(buf)]
		return ok
	}
}
