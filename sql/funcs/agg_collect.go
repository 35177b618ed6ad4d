package funcs

import (
	"slices"
	"strings"

	"raisind/geom"
	"raisind/pgerr"
	"raisind/sql/types"
)

// maxResultBytes bounds what an aggregate of texts may grow to, as PostgreSQL's 1 GB
// limit of a value does.
const maxResultBytes = 1<<30 - 1

func errTooLong() error {
	return pgerr.New(pgerr.ProgramLimitExceeded, "out of memory").
		WithDetail("Cannot enlarge string buffer beyond %d bytes.", maxResultBytes)
}

// stringState is string_agg: a delimiter stands in front of every value but the first.
type stringState struct {
	b    strings.Builder
	seen bool
}

func (s *stringState) Add(_ *Ctx, args []types.Datum) error {
	if args[0].IsNull() {
		return nil
	}
	if s.seen {
		s.b.WriteString(args[1].Str()) // a NULL delimiter is empty
	}
	s.seen = true
	s.b.WriteString(args[0].Str())
	if s.b.Len() > maxResultBytes {
		return errTooLong()
	}
	return nil
}

func (s *stringState) Result(*Ctx) (types.Datum, error) { return strOrNull(s.b.String(), s.seen), nil }

// arrayState is array_agg of single values, NULLs included.
type arrayState struct {
	elem  *types.Type
	elems []types.Datum
}

func (s *arrayState) Add(_ *Ctx, args []types.Datum) error {
	if len(s.elems) == maxArrayElements {
		return errArraySize()
	}
	s.elems = append(s.elems, args[0])
	return nil
}

func (s *arrayState) Result(*Ctx) (types.Datum, error) {
	if len(s.elems) == 0 {
		return types.Null, nil
	}
	return types.Ref(newArray(s.elem, s.elems)), nil
}

// arraysState is array_agg of arrays: one more dimension.
type arraysState struct {
	out *types.Array
}

func (s *arraysState) Add(_ *Ctx, args []types.Datum) error {
	a := arrayOf(args[0])
	switch {
	case a == nil:
		return pgerr.New(pgerr.NullValueNotAllowed, "cannot accumulate null arrays")
	case len(a.Dims) == 0:
		return pgerr.New(pgerr.ArraySubscriptError, "cannot accumulate empty arrays")
	case s.out == nil:
		s.out = &types.Array{Elem: a.Elem, Dims: append([]int32{0}, a.Dims...), Lower: append([]int32{1}, a.Lower...)}
	default:
		same := len(a.Dims) == len(s.out.Dims)-1
		for i := 0; same && i < len(a.Dims); i++ {
			same = a.Dims[i] == s.out.Dims[i+1] && a.Lower[i] == s.out.Lower[i+1]
		}
		if !same {
			return pgerr.New(pgerr.ArraySubscriptError, "cannot accumulate arrays of different dimensionality")
		}
	}
	if len(s.out.Elems)+len(a.Elems) > maxArrayElements {
		return errArraySize()
	}
	s.out.Dims[0]++
	s.out.Elems = append(s.out.Elems, a.Elems...)
	return nil
}

func (s *arraysState) Result(*Ctx) (types.Datum, error) {
	if s.out == nil {
		return types.Null, nil
	}
	out := *s.out // rows may still be added
	out.Dims = slices.Clone(out.Dims)
	return types.Ref(&out), nil
}

// jsonArrayState is json_agg and jsonb_agg.
type jsonArrayState struct {
	t     *types.Type
	jsonb bool
	b     []byte
}

func (s *jsonArrayState) Add(fc *Ctx, args []types.Datum) error {
	nested := s.t.IsArray() || s.t.Name == "record"
	switch {
	case s.b == nil:
		s.b = append(s.b, '[')
	case !s.jsonb && nested && !args[0].IsNull():
		s.b = append(s.b, ", \n "...)
	default:
		s.b = append(s.b, ", "...)
	}
	var err error
	s.b, err = appendJSONValue(fc, s.b, s.t, args[0], s.jsonb)
	if err == nil && len(s.b) > maxResultBytes {
		return errTooLong()
	}
	return err
}

func (s *jsonArrayState) Result(*Ctx) (types.Datum, error) {
	if s.b == nil {
		return types.Null, nil
	}
	return types.Str(string(s.b) + "]"), nil
}

// jsonObjectState is json_object_agg and jsonb_object_agg.
type jsonObjectState struct {
	key, value *types.Type
	jsonb      bool
	b          []byte
}

func (s *jsonObjectState) Add(fc *Ctx, args []types.Datum) error {
	if args[0].IsNull() {
		return pgerr.New(pgerr.InvalidParameterValue, "field name must not be null")
	}
	if s.b == nil {
		s.b = append(s.b, "{ "...)
	} else {
		s.b = append(s.b, ", "...)
	}
	s.b = types.AppendJSONString(s.b, outputOf(s.key)(fc, args[0]))
	s.b = append(s.b, " : "...)
	var err error
	s.b, err = appendJSONValue(fc, s.b, s.value, args[1], s.jsonb)
	if err == nil && len(s.b) > maxResultBytes {
		return errTooLong()
	}
	return err
}

func (s *jsonObjectState) Result(*Ctx) (types.Datum, error) {
	if s.b == nil {
		return types.Null, nil
	}
	text := string(s.b) + " }"
	if s.jsonb {
		return strResult(types.CanonicalJSONB(text))
	}
	return types.Str(text), nil
}

// extentState is ST_Extent.
type extentState struct {
	box geom.Box
	any bool
}

func (s *extentState) Add(_ *Ctx, args []types.Datum) error {
	if b, ok := boxOf(args[0]); ok {
		if !s.any {
			s.box, s.any = b, true
		} else {
			s.box = s.box.Extend(b)
		}
	}
	return nil
}

func (s *extentState) Result(*Ctx) (types.Datum, error) {
	if !s.any {
		return types.Null, nil
	}
	b := s.box
	return types.Ref(&b), nil
}

// shapesState gathers geometries and makes one of them at the end.
type shapesState struct {
	shapes []*geom.Geometry
	finish func(fc *Ctx, shapes []*geom.Geometry) (types.Datum, error)
}

func (s *shapesState) Add(_ *Ctx, args []types.Datum) error {
	s.shapes = append(s.shapes, args[0].Geom())
	return nil
}

func (s *shapesState) Result(fc *Ctx) (types.Datum, error) { return s.finish(fc, s.shapes) }
