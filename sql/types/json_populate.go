package types

import (
	"strings"

	"raisind/pgerr"
)

// PopulateCast reads a JSON value, of type json or jsonb, as a value of type to, as
// json_to_record and json_populate_record do: arrays become arrays, objects composite
// values, and what is neither goes through the type's input function.
func PopulateCast(from, to *Type) *Cast {
	return &Cast{From: from, To: to, Context: Explicit, Stable: true, Fn: func(env *Env, d Datum, typmod int32, _ bool) (Datum, error) {
		return Populate(to, typmod, d.str, from == TJSONB, env, Null)
	}}
}

// Populate is the conversion of PopulateCast. base gives the fields that an object of
// a composite type lacks.
func Populate(t *Type, typmod int32, doc string, jsonb bool, env *Env, base Datum) (Datum, error) {
	if env == nil {
		env = defaultEnv
	}
	doc = strings.TrimFunc(doc, func(r rune) bool { return r < 0x80 && isJSONSpace(byte(r)) })
	if doc == "null" {
		return Null, nil
	}
	switch {
	case t == TJSON || t == TJSONB:
		if t == TJSONB && !jsonb {
			s, err := CanonicalJSONB(doc)
			return Str(s), err
		}
		return Str(doc), nil
	case t.IsArray() && !isContainer(doc, '"'):
		return populateArray(t, typmod, doc, jsonb, env)
	case t.Kind() == KindComposite && !isContainer(doc, '"'):
		return populateComposite(t, doc, jsonb, env, base)
	}
	s, ok := JSONAsText(doc)
	if !ok {
		return Null, nil
	}
	return t.ParseText(s, typmod, env)
}

func populateArray(t *Type, typmod int32, doc string, jsonb bool, env *Env) (Datum, error) {
	if !isContainer(doc, '[') {
		return Null, pgerr.New(pgerr.InvalidTextRepresentation, "expected JSON array")
	}
	a := &Array{Elem: t.Elem}
	if err := a.populate(typmod, doc, jsonb, env, 0); err != nil {
		return Null, err
	}
	if len(a.Elems) == 0 {
		a.Dims = nil
	}
	for range a.Dims {
		a.Lower = append(a.Lower, 1)
	}
	return Ref(a), nil
}

// populate appends the elements of one level, all of whose arrays are of one length.
func (a *Array) populate(typmod int32, doc string, jsonb bool, env *Env, level int) error {
	if level >= 6 {
		return pgerr.New(pgerr.ProgramLimitExceeded, "number of array dimensions (%d) exceeds the maximum allowed (%d)", level+1, 6)
	}
	n, _ := JSONArrayLength(doc)
	malformed := pgerr.New(pgerr.InvalidTextRepresentation, "malformed JSON array").
		WithDetail("Multidimensional arrays must have sub-arrays with matching dimensions.")
	switch {
	case level == len(a.Dims):
		if len(a.Elems) > 0 {
			return malformed
		}
		a.Dims = append(a.Dims, int32(n))
	case a.Dims[level] != int32(n):
		return malformed
	}
	for v := range JSONElements(doc) {
		nested := isContainer(v, '[') && a.Elem != TJSON && a.Elem != TJSONB
		if level+1 < len(a.Dims) && !nested {
			return pgerr.New(pgerr.InvalidTextRepresentation, "expected JSON array")
		}
		if nested {
			if err := a.populate(typmod, v, jsonb, env, level+1); err != nil {
				return err
			}
			continue
		}
		d, err := Populate(a.Elem, typmod, v, jsonb, env, Null)
		if err != nil {
			return err
		}
		a.Elems = append(a.Elems, d)
	}
	return nil
}

func populateComposite(t *Type, doc string, jsonb bool, env *Env, base Datum) (Datum, error) {
	if !isContainer(doc, '{') {
		return Null, pgerr.New(pgerr.InvalidParameterValue, "cannot call %s on a scalar", "populate_composite")
	}
	get := JSONGetKey
	if !jsonb {
		get = JSONTextGetKey
	}
	r := &Record{}
	old := base.Record()
	for i, f := range t.Fields() {
		r.Names, r.Types = append(r.Names, f.Name), append(r.Types, f.Type)
		var was Datum
		if old != nil && i < len(old.Fields) {
			was = old.Fields[i]
		}
		v, ok := get(doc, f.Name)
		if !ok {
			r.Fields = append(r.Fields, was)
			continue
		}
		d, err := Populate(f.Type, f.Typmod, v, jsonb, env, was)
		if err != nil {
			return Null, err
		}
		r.Fields = append(r.Fields, d)
	}
	return Ref(r), nil
}
