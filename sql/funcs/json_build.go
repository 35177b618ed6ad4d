package funcs

import (
	"raisind/pgerr"
	"raisind/sql/types"
)

// appendJSONValue appends a value as to_json or to_jsonb writes it.
func appendJSONValue(fc *Ctx, dst []byte, t *types.Type, d types.Datum, jsonb bool) ([]byte, error) {
	switch {
	case d.IsNull():
		return append(dst, "null"...), nil
	case t == types.TUnknown:
		return types.AppendJSONString(dst, d.Str()), nil
	case jsonb:
		s, err := types.ToJSON(t, d, fc.Env)
		return append(dst, s...), err
	}
	return types.AppendJSONText(dst, t, d, fc.Env), nil
}

// toJSON is the body of to_json and to_jsonb.
func toJSON(jsonb bool) func(args []*types.Type) EvalFunc {
	return func(ts []*types.Type) EvalFunc {
		return func(fc *Ctx, args []types.Datum) (types.Datum, error) {
			b, err := appendJSONValue(fc, nil, ts[0], args[0], jsonb)
			return strResult(string(b), err)
		}
	}
}

// isScalar reports whether values of t may be keys.
func isScalar(t *types.Type) bool {
	return !t.IsArray() && t != types.TRecord && t != types.TJSON && t != types.TJSONB
}

// buildObject is json_build_object and jsonb_build_object.
func buildObject(name string, jsonb bool) func(args []*types.Type) EvalFunc {
	return func(ts []*types.Type) EvalFunc {
		return func(fc *Ctx, args []types.Datum) (types.Datum, error) {
			if len(args)%2 != 0 {
				return types.Null, pgerr.New(pgerr.InvalidParameterValue, "argument list must have even number of elements").
					WithHint("The arguments of %s() must consist of alternating keys and values.", name)
			}
			b := []byte{'{'}
			for i := 0; i < len(args); i += 2 {
				switch {
				case args[i].IsNull() && jsonb:
					return types.Null, pgerr.New(pgerr.InvalidParameterValue, "argument %d: key must not be null", i+1)
				case args[i].IsNull():
					return types.Null, pgerr.New(pgerr.InvalidParameterValue, "argument %d cannot be null", i+1).
						WithHint("Object keys should be text.")
				case !isScalar(ts[i]):
					return types.Null, pgerr.New(pgerr.InvalidParameterValue, "key value must be scalar, not array, composite, or json")
				}
				if i > 0 {
					b = append(b, ", "...)
				}
				b = types.AppendJSONString(b, outputOf(ts[i])(fc, args[i]))
				b = append(b, " : "...)
				var err error
				if b, err = appendJSONValue(fc, b, ts[i+1], args[i+1], jsonb); err != nil {
					return types.Null, err
				}
			}
			return jsonResult(append(b, '}'), jsonb)
		}
	}
}

// jsonResult brings text that was put together into canonical form where it is jsonb.
func jsonResult(b []byte, jsonb bool) (types.Datum, error) {
	if jsonb {
		return strResult(types.CanonicalJSONB(string(b)))
	}
	return types.Str(string(b)), nil
}

// buildArray is json_build_array and jsonb_build_array.
func buildArray(jsonb bool) func(args []*types.Type) EvalFunc {
	return func(ts []*types.Type) EvalFunc {
		return func(fc *Ctx, args []types.Datum) (types.Datum, error) {
			b := []byte{'['}
			for i, a := range args {
				if i > 0 {
					b = append(b, ", "...)
				}
				var err error
				if b, err = appendJSONValue(fc, b, ts[i], a, jsonb); err != nil {
					return types.Null, err
				}
			}
			return strResult(string(append(b, ']')), nil)
		}
	}
}

// textObject is json_object and jsonb_object: an object of texts from an array of
// alternating keys and values, of pairs, or from two arrays.
func textObject(jsonb bool) EvalFunc {
	return func(_ *Ctx, args []types.Datum) (types.Datum, error) {
		keys, values, err := pairsOf(args)
		if err != nil {
			return types.Null, err
		}
		b := []byte{'{'}
		for i, k := range keys {
			if k.IsNull() {
				return types.Null, pgerr.New(pgerr.NullValueNotAllowed, "null value not allowed for object key")
			}
			if i > 0 {
				b = append(b, ", "...)
			}
			b = types.AppendJSONString(b, k.Str())
			b = append(b, " : "...)
			if values[i].IsNull() {
				b = append(b, "null"...)
			} else {
				b = types.AppendJSONString(b, values[i].Str())
			}
		}
		return jsonResult(append(b, '}'), jsonb)
	}
}

func pairsOf(args []types.Datum) (keys, values []types.Datum, err error) {
	subscripts := func(format string) error { return pgerr.New(pgerr.ArraySubscriptError, "%s", format) }
	a := arrayOf(args[0])
	if len(args) == 2 {
		b := arrayOf(args[1])
		switch {
		case len(a.Dims) > 1 || len(b.Dims) > 1:
			return nil, nil, subscripts("wrong number of array subscripts")
		case len(a.Elems) != len(b.Elems):
			return nil, nil, subscripts("mismatched array dimensions")
		}
		return a.Elems, b.Elems, nil
	}
	switch {
	case len(a.Dims) > 2:
		return nil, nil, subscripts("wrong number of array subscripts")
	case len(a.Dims) == 2 && a.Dims[1] != 2:
		return nil, nil, subscripts("array must have two columns")
	case len(a.Elems)%2 != 0:
		return nil, nil, subscripts("array must have even number of elements")
	}
	for i := 0; i < len(a.Elems); i += 2 {
		keys, values = append(keys, a.Elems[i]), append(values, a.Elems[i+1])
	}
	return keys, values, nil
}

// rowToJSON writes a record; pretty puts a line feed between fields.
func rowToJSON(fc *Ctx, args []types.Datum) (types.Datum, error) {
	r, _ := args[0].Ref().(*types.Record)
	if r == nil {
		return types.Null, nil
	}
	if len(args) < 2 || !args[1].Bool() {
		return types.Str(string(types.AppendJSONText(nil, types.TRecord, args[0], fc.Env))), nil
	}
	b := []byte{'{'}
	for i, f := range r.Fields {
		if i > 0 {
			b = append(b, ",\n "...)
		}
		b = types.AppendJSONString(b, r.Names[i])
		b = append(b, ':')
		var err error
		if b, err = appendJSONValue(fc, b, r.Types[i], f, false); err != nil {
			return types.Null, err
		}
	}
	return types.Str(string(append(b, '}'))), nil
}

// arrayToJSON writes an array; pretty puts a line feed between its elements.
func arrayToJSON(ts []*types.Type) EvalFunc {
	return func(fc *Ctx, args []types.Datum) (types.Datum, error) {
		a := arrayOf(args[0])
		if len(args) < 2 || !args[1].Bool() || len(a.Dims) != 1 {
			return types.Str(string(types.AppendJSONText(nil, ts[0], args[0], fc.Env))), nil
		}
		b := []byte{'['}
		for i, e := range a.Elems {
			if i > 0 {
				b = append(b, ",\n "...)
			}
			var err error
			if b, err = appendJSONValue(fc, b, elemOf(ts[0]), e, false); err != nil {
				return types.Null, err
			}
		}
		return types.Str(string(append(b, ']'))), nil
	}
}

func jsonBuildFuncs() []Func {
	fn := func(name string, nulls NullRule, doc string, example Example, overloads ...Overload) Func {
		return Func{
			Name: name, Group: groupJSON, Volatility: Stable, Nulls: nulls, Doc: doc,
			Overloads: overloads, Examples: []Example{example},
		}
	}
	object := func(name, t, want string, jsonb bool) Func {
		return fn(name, CalledOnNull, "Makes an object of alternating keys and values.",
			Example{`SELECT ` + name + `('a', 1, 'b', true)`, want},
			typed("", t, buildObject(name, jsonb)), typed("variadic args any", t, buildObject(name, jsonb)))
	}
	array := func(name, t string, jsonb bool) Func {
		return fn(name, CalledOnNull, "Makes an array of its arguments.", Example{`SELECT ` + name + `(1, 'a', NULL)`, `[1, "a", null]`},
			typed("", t, buildArray(jsonb)), typed("variadic args any", t, buildArray(jsonb)))
	}
	fromText := func(name, t, want string, jsonb bool) Func {
		f := fn(name, NullOnNull, "Makes an object of texts from an array of keys and values, or one of each.",
			Example{`SELECT ` + name + `('{a,1,b,2}'::text[])`, want},
			of("text[]", t, textObject(jsonb)), of("text[],text[]", t, textObject(jsonb)))
		f.Volatility = Immutable
		return f
	}
	return []Func{
		object("json_build_object", "json", `{"a" : 1, "b" : true}`, false),
		object("jsonb_build_object", "jsonb", `{"a": 1, "b": true}`, true),
		array("json_build_array", "json", false),
		array("jsonb_build_array", "jsonb", true),
		fromText("json_object", "json", `{"a" : "1", "b" : "2"}`, false),
		fromText("jsonb_object", "jsonb", `{"a": "1", "b": "2"}`, true),
		fn("to_json", NullOnNull, "The JSON of a value.", Example{`SELECT to_json('a "b"'::text)`, `"a \"b\""`},
			typed("anyelement", "json", toJSON(false))),
		fn("to_jsonb", NullOnNull, "The jsonb of a value.", Example{`SELECT to_jsonb(ARRAY[1, 2])`, `[1, 2]`},
			typed("anyelement", "jsonb", toJSON(true))),
		fn("row_to_json", NullOnNull, "The JSON object of a row, over several lines where asked for.",
			Example{`SELECT row_to_json(ROW(1, 'a'))`, `{"f1":1,"f2":"a"}`},
			of("record", "json", rowToJSON), of("record,bool", "json", rowToJSON)),
		fn("array_to_json", NullOnNull, "The JSON of an array, over several lines where asked for.",
			Example{`SELECT array_to_json(ARRAY[1, 2])`, `[1,2]`},
			typed("anyarray", "json", arrayToJSON), typed("anyarray,bool", "json", arrayToJSON)),
	}
}
