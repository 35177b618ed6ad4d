package funcs

import (
	"fmt"
	"slices"
	"strings"

	"raisind/pgerr"
	"raisind/sql/types"
)

// dimension is dimension n of an array from 1, false when it has none.
func dimension(args []types.Datum) (a *types.Array, i int, ok bool) {
	a = arrayOf(args[0])
	n := args[1].Int()
	return a, int(n - 1), n >= 1 && n <= int64(len(a.Dims))
}

func arrayLength(_ *Ctx, args []types.Datum) (types.Datum, error) {
	a, i, ok := dimension(args)
	if !ok {
		return types.Null, nil
	}
	return types.Int(int64(a.Dims[i])), nil
}

func arrayLower(_ *Ctx, args []types.Datum) (types.Datum, error) {
	a, i, ok := dimension(args)
	if !ok {
		return types.Null, nil
	}
	return types.Int(int64(a.Lower[i])), nil
}

func arrayUpper(_ *Ctx, args []types.Datum) (types.Datum, error) {
	a, i, ok := dimension(args)
	if !ok {
		return types.Null, nil
	}
	return types.Int(int64(a.Lower[i]) + int64(a.Dims[i]) - 1), nil
}

func arrayNDims(_ *Ctx, args []types.Datum) (types.Datum, error) {
	n := len(arrayOf(args[0]).Dims)
	if n == 0 {
		return types.Null, nil
	}
	return types.Int(int64(n)), nil
}

func arrayDims(_ *Ctx, args []types.Datum) (types.Datum, error) {
	a := arrayOf(args[0])
	if len(a.Dims) == 0 {
		return types.Null, nil
	}
	var b strings.Builder
	for i := range a.Dims {
		fmt.Fprintf(&b, "[%d:%d]", a.Lower[i], a.Lower[i]+a.Dims[i]-1)
	}
	return types.Str(b.String()), nil
}

func cardinality(_ *Ctx, args []types.Datum) (types.Datum, error) {
	return types.Int(int64(len(arrayOf(args[0]).Elems))), nil
}

// notDistinct tells whether two elements are equal, NULLs being equal to each other.
func notDistinct(elem *types.Type, a, b types.Datum) bool {
	if a.IsNull() || b.IsNull() {
		return a.IsNull() && b.IsNull()
	}
	return types.Compare(elem, a, b) == 0
}

func errMultiDimensional() error {
	return pgerr.New(pgerr.FeatureNotSupported, "searching for elements in multidimensional arrays is not supported")
}

// arrayPosition is the subscript of the first equal element, from a subscript on.
func arrayPosition(ts []*types.Type) EvalFunc {
	elem := elemOf(ts[0])
	return func(_ *Ctx, args []types.Datum) (types.Datum, error) {
		a := arrayOf(args[0])
		switch {
		case a == nil || len(a.Dims) == 0:
			return types.Null, nil
		case len(a.Dims) > 1:
			return types.Null, errMultiDimensional()
		}
		from := 0
		if len(args) > 2 {
			if args[2].IsNull() {
				return types.Null, pgerr.New(pgerr.NullValueNotAllowed, "initial position must not be null")
			}
			from = int(max(args[2].Int()-int64(a.Lower[0]), 0))
		}
		for i := from; i < len(a.Elems); i++ {
			if notDistinct(elem, a.Elems[i], args[1]) {
				return types.Int(int64(a.Lower[0]) + int64(i)), nil
			}
		}
		return types.Null, nil
	}
}

func arrayPositions(ts []*types.Type) EvalFunc {
	elem := elemOf(ts[0])
	return func(_ *Ctx, args []types.Datum) (types.Datum, error) {
		a := arrayOf(args[0])
		switch {
		case a == nil:
			return types.Null, nil
		case len(a.Dims) > 1:
			return types.Null, errMultiDimensional()
		}
		var out []types.Datum
		for i, e := range a.Elems {
			if notDistinct(elem, e, args[1]) {
				out = append(out, types.Int(int64(a.Lower[0])+int64(i)))
			}
		}
		return types.Ref(newArray(types.TInt4, out)), nil
	}
}

func arrayRemove(ts []*types.Type) EvalFunc {
	elem := elemOf(ts[0])
	return func(_ *Ctx, args []types.Datum) (types.Datum, error) {
		a := arrayOf(args[0])
		switch {
		case a == nil:
			return types.Null, nil
		case len(a.Dims) == 0:
			return args[0], nil
		case len(a.Dims) > 1:
			return types.Null, pgerr.New(pgerr.FeatureNotSupported, "removing elements from multidimensional arrays is not supported")
		}
		kept := slices.DeleteFunc(slices.Clone(a.Elems), func(e types.Datum) bool { return notDistinct(elem, e, args[1]) })
		switch len(kept) {
		case len(a.Elems):
			return args[0], nil
		case 0:
			return types.Ref(newArray(a.Elem, nil)), nil
		}
		return types.Ref(&types.Array{Elem: a.Elem, Dims: []int32{int32(len(kept))}, Lower: a.Lower, Elems: kept}), nil
	}
}

func arrayReplace(ts []*types.Type) EvalFunc {
	elem := elemOf(ts[0])
	return func(_ *Ctx, args []types.Datum) (types.Datum, error) {
		a := arrayOf(args[0])
		if a == nil {
			return types.Null, nil
		}
		out := *a
		out.Elems = slices.Clone(a.Elems)
		for i, e := range out.Elems {
			if notDistinct(elem, e, args[1]) {
				out.Elems[i] = args[2]
			}
		}
		return types.Ref(&out), nil
	}
}

// arrayFill makes an array of one value; dims and lower bounds are arrays of integers.
func arrayFill(ts []*types.Type) EvalFunc {
	elem := ts[0]
	return func(_ *Ctx, args []types.Datum) (types.Datum, error) {
		if args[1].IsNull() || len(args) > 2 && args[2].IsNull() {
			return types.Null, pgerr.New(pgerr.NullValueNotAllowed, "dimension array or low bound array cannot be null")
		}
		dims, err := subscriptsOf(args[1])
		if err != nil {
			return types.Null, err
		}
		lower := make([]int32, len(dims))
		for i := range lower {
			lower[i] = 1
		}
		if len(args) > 2 {
			if lower, err = subscriptsOf(args[2]); err != nil {
				return types.Null, err
			}
			if len(lower) != len(dims) {
				return types.Null, pgerr.New(pgerr.ArraySubscriptError, "wrong number of array subscripts").
					WithDetail("Low bound array has different size than dimensions array.")
			}
		}
		total := int64(1)
		for _, d := range dims {
			if d < 0 || total*int64(d) > maxArrayElements {
				return types.Null, errArraySize()
			}
			total *= int64(d)
		}
		if len(dims) == 0 || total == 0 {
			return types.Ref(newArray(elem, nil)), nil
		}
		elems := make([]types.Datum, total)
		for i := range elems {
			elems[i] = args[0]
		}
		return types.Ref(&types.Array{Elem: elem, Dims: dims, Lower: lower, Elems: elems}), nil
	}
}

func subscriptsOf(d types.Datum) ([]int32, error) {
	a := arrayOf(d)
	if len(a.Dims) > 1 {
		return nil, pgerr.New(pgerr.ArraySubscriptError, "wrong number of array subscripts").
			WithDetail("Dimension array must be one dimensional.")
	}
	out := make([]int32, len(a.Elems))
	for i, e := range a.Elems {
		if e.IsNull() {
			return nil, pgerr.New(pgerr.NullValueNotAllowed, "dimension values cannot be null")
		}
		out[i] = int32(e.Int())
	}
	return out, nil
}

// trimArray drops elements of the first dimension at the end.
func trimArray(_ *Ctx, args []types.Datum) (types.Datum, error) {
	a, n := arrayOf(args[0]), args[1].Int()
	have := int64(0)
	if len(a.Dims) > 0 {
		have = int64(a.Dims[0])
	}
	if n < 0 || n > have {
		return types.Null, pgerr.New(pgerr.ArrayElementError, "number of elements to trim must be between 0 and %d", have)
	}
	if have == n {
		return types.Ref(newArray(a.Elem, nil)), nil
	}
	out := *a
	out.Dims, out.Lower = slices.Clone(a.Dims), make([]int32, len(a.Dims))
	for i := range out.Lower {
		out.Lower[i] = 1
	}
	out.Dims[0] -= int32(n)
	out.Elems = a.Elems[:int64(len(a.Elems))/have*(have-n)]
	return types.Ref(&out), nil
}

func arrayFuncs() []Func {
	fn := func(name string, nulls NullRule, doc string, example Example, overloads ...Overload) Func {
		return Func{
			Name: name, Group: groupArray, Volatility: Immutable, Nulls: nulls, Doc: doc,
			Overloads: overloads, Examples: []Example{example},
		}
	}
	return []Func{
		fn("array_length", NullOnNull, "Number of elements along a dimension.", Example{`SELECT array_length(ARRAY[1, 2, 3], 1)`, "3"},
			of("anyarray,int4", "int4", arrayLength)),
		fn("array_lower", NullOnNull, "First subscript of a dimension.", Example{`SELECT array_lower('[0:2]={1,2,3}'::int[], 1)`, "0"},
			of("anyarray,int4", "int4", arrayLower)),
		fn("array_upper", NullOnNull, "Last subscript of a dimension.", Example{`SELECT array_upper(ARRAY[1, 8, 3, 7], 1)`, "4"},
			of("anyarray,int4", "int4", arrayUpper)),
		fn("array_ndims", NullOnNull, "Number of dimensions.", Example{`SELECT array_ndims(ARRAY[[1, 2], [3, 4]])`, "2"},
			of("anyarray", "int4", arrayNDims)),
		fn("array_dims", NullOnNull, "The bounds of all dimensions.", Example{`SELECT array_dims(ARRAY[[1, 2, 3], [4, 5, 6]])`, "[1:2][1:3]"},
			of("anyarray", "text", arrayDims)),
		fn("cardinality", NullOnNull, "Number of elements of all dimensions.", Example{`SELECT cardinality(ARRAY[[1, 2], [3, 4]])`, "4"},
			of("anyarray", "int4", cardinality)),
		fn("array_append", CalledOnNull, "Adds an element at the end.", Example{`SELECT array_append(ARRAY[1, 2], 3)`, "{1,2,3}"},
			typed("anycompatiblearray,anycompatible", "anycompatiblearray", func(ts []*types.Type) EvalFunc { return arrayAppend(elemOf(ts[0])) })),
		fn("array_prepend", CalledOnNull, "Adds an element at the beginning.", Example{`SELECT array_prepend(1, ARRAY[2, 3])`, "{1,2,3}"},
			typed("anycompatible,anycompatiblearray", "anycompatiblearray", func(ts []*types.Type) EvalFunc { return arrayPrepend(elemOf(ts[1])) })),
		fn("array_cat", CalledOnNull, "Joins two arrays.", Example{`SELECT array_cat(ARRAY[1, 2], ARRAY[3])`, "{1,2,3}"},
			of("anycompatiblearray,anycompatiblearray", "anycompatiblearray", arrayCat)),
		fn("array_position", CalledOnNull, "Subscript of the first element equal to a value, from a subscript on.",
			Example{`SELECT array_position(ARRAY['sun', 'mon', 'tue'], 'mon')`, "2"},
			typed("anycompatiblearray,anycompatible", "int4", arrayPosition), typed("anycompatiblearray,anycompatible,int4", "int4", arrayPosition)),
		fn("array_positions", CalledOnNull, "Subscripts of all elements equal to a value.", Example{`SELECT array_positions(ARRAY['A', 'A', 'B'], 'A')`, "{1,2}"},
			typed("anycompatiblearray,anycompatible", "int4[]", arrayPositions)),
		fn("array_remove", CalledOnNull, "Removes all elements equal to a value.", Example{`SELECT array_remove(ARRAY[1, 2, 3, 2], 2)`, "{1,3}"},
			typed("anycompatiblearray,anycompatible", "anycompatiblearray", arrayRemove)),
		fn("array_replace", CalledOnNull, "Replaces all elements equal to a value.", Example{`SELECT array_replace(ARRAY[1, 2, 5, 4], 5, 3)`, "{1,2,3,4}"},
			typed("anycompatiblearray,anycompatible,anycompatible", "anycompatiblearray", arrayReplace)),
		fn("array_fill", CalledOnNull, "An array of one value, of given lengths and lower bounds.", Example{`SELECT array_fill(7, ARRAY[3])`, "{7,7,7}"},
			typed("anyelement,int4[]", "anyarray", arrayFill), typed("anyelement,int4[],int4[]", "anyarray", arrayFill)),
		fn("trim_array", NullOnNull, "Drops elements at the end.", Example{`SELECT trim_array(ARRAY[1, 2, 3, 4], 2)`, "{1,2}"},
			of("anyarray,int4", "anyarray", trimArray)),
	}
}
