package funcs

import (
	"raisind/pgerr"
	"raisind/sql/types"
)

func errJSONKind(format string, args ...any) error {
	return pgerr.New(pgerr.InvalidParameterValue, format, args...)
}

// jsonKind is object, array or scalar.
func jsonKind(doc string) string {
	switch k := types.JSONTypeof(doc); k {
	case "object", "array":
		return k
	}
	return "scalar"
}

// eachMember is the body of json(b)_each and json(b)_each_text.
func eachMember(name string, asText, jsonb bool) SetFunc {
	return func(_ *Ctx, args []types.Datum) (RowSource, error) {
		doc := args[0].Str()
		if kind := jsonKind(doc); kind != "object" {
			switch {
			case jsonb:
				return nil, errJSONKind("cannot call %s on a non-object", name)
			case kind == "array":
				return nil, errJSONKind("cannot deconstruct an array as an object")
			}
			return nil, errJSONKind("cannot deconstruct a scalar")
		}
		var rows []types.Row
		var m rowMaker
		for key, value := range types.JSONEach(doc) {
			rows = append(rows, m.row(types.Str(key), jsonElement(value, asText)))
		}
		return rowsOf(rows), nil
	}
}

func jsonElement(value string, asText bool) types.Datum {
	if !asText {
		return types.Str(value)
	}
	s, ok := types.JSONAsText(value)
	return strOrNull(s, ok)
}

// arrayElements is the body of json(b)_array_elements and its text form.
func arrayElements(name string, asText, jsonb bool) SetFunc {
	return func(_ *Ctx, args []types.Datum) (RowSource, error) {
		doc := args[0].Str()
		if kind := jsonKind(doc); kind != "array" {
			switch {
			case jsonb && kind == "scalar":
				return nil, errJSONKind("cannot extract elements from a scalar")
			case jsonb:
				return nil, errJSONKind("cannot extract elements from an object")
			case kind == "scalar":
				return nil, errJSONKind("cannot call %s on a scalar", name)
			}
			return nil, errJSONKind("cannot call %s on a non-array", name)
		}
		var values []types.Datum
		for value := range types.JSONElements(doc) {
			values = append(values, jsonElement(value, asText))
		}
		return valueRows(values), nil
	}
}

func objectKeys(name string) SetFunc {
	return func(_ *Ctx, args []types.Datum) (RowSource, error) {
		doc := args[0].Str()
		switch jsonKind(doc) {
		case "array":
			return nil, errJSONKind("cannot call %s on an array", name)
		case "scalar":
			return nil, errJSONKind("cannot call %s on a scalar", name)
		}
		var values []types.Datum
		for key := range types.JSONEach(doc) {
			values = append(values, types.Str(key))
		}
		return valueRows(values), nil
	}
}

func jsonArrayLength(_ *Ctx, args []types.Datum) (types.Datum, error) {
	n, ok := types.JSONArrayLength(args[0].Str())
	if ok {
		return types.Int(int64(n)), nil
	}
	if jsonKind(args[0].Str()) == "scalar" {
		return types.Null, errJSONKind("cannot get array length of a scalar")
	}
	return types.Null, errJSONKind("cannot get array length of a non-array")
}

func jsonTypeof(_ *Ctx, args []types.Datum) (types.Datum, error) {
	return types.Str(types.JSONTypeof(args[0].Str())), nil
}

// jsonChange is the body of jsonb_set and jsonb_insert; a path with a NULL is an error.
func jsonChange(change func(doc string, path []string, value string, flag bool) (string, error)) EvalFunc {
	return func(_ *Ctx, args []types.Datum) (types.Datum, error) {
		path, err := pathArg(args[1])
		if err != nil {
			return types.Null, err
		}
		return strResult(change(args[0].Str(), path, args[2].Str(), args[3].Bool()))
	}
}

func pathArg(d types.Datum) ([]string, error) {
	if a := arrayOf(d); a != nil && len(a.Dims) > 1 {
		return nil, pgerr.New(pgerr.ArraySubscriptError, "wrong number of array subscripts")
	}
	path, ok := texts(d)
	if !ok {
		return nil, errNullPath(d)
	}
	return path, nil
}

// jsonSetLax is jsonb_set with a say in what a NULL value does.
func jsonSetLax(_ *Ctx, args []types.Datum) (types.Datum, error) {
	if args[0].IsNull() || args[1].IsNull() || args[3].IsNull() {
		return types.Null, nil
	}
	if args[4].IsNull() {
		return types.Null, pgerr.New(pgerr.InvalidParameterValue,
			`null_value_treatment must be "delete_key", "return_target", "use_json_null", or "raise_exception"`)
	}
	path, err := pathArg(args[1])
	if err != nil {
		return types.Null, err
	}
	value := args[2].Str()
	if args[2].IsNull() {
		switch args[4].Str() {
		case "raise_exception":
			return types.Null, pgerr.New(pgerr.NullValueNotAllowed, "JSON value must not be null").
				WithDetail(`Exception was raised because null_value_treatment is "raise_exception".`).
				WithHint(`To avoid, either change the null_value_treatment argument or ensure that an SQL NULL is not passed.`)
		case "use_json_null":
			value = "null"
		case "delete_key":
			return strResult(types.JSONDeletePath(args[0].Str(), path))
		case "return_target":
			return args[0], nil
		default:
			return types.Null, pgerr.New(pgerr.InvalidParameterValue,
				`null_value_treatment must be "delete_key", "return_target", "use_json_null", or "raise_exception"`)
		}
	}
	return strResult(types.JSONSet(args[0].Str(), path, value, args[3].Bool()))
}

// stripTextNulls is json_strip_nulls: white space goes too.
func stripTextNulls(dst []byte, doc string) []byte {
	switch types.JSONTypeof(doc) {
	case "object":
		dst = append(dst, '{')
		first := true
		for k, v := range types.JSONEach(doc) {
			if types.JSONTypeof(v) == "null" {
				continue
			}
			if !first {
				dst = append(dst, ',')
			}
			first = false
			dst = types.AppendJSONString(dst, k)
			dst = stripTextNulls(append(dst, ':'), v)
		}
		return append(dst, '}')
	case "array":
		dst = append(dst, '[')
		first := true
		for v := range types.JSONElements(doc) {
			if !first {
				dst = append(dst, ',')
			}
			first = false
			dst = stripTextNulls(dst, v)
		}
		return append(dst, ']')
	case "string":
		s, _ := types.JSONAsText(doc)
		return types.AppendJSONString(dst, s)
	}
	return append(dst, trimJSONSpace(doc)...)
}

func trimJSONSpace(s string) string {
	isSpace := func(c byte) bool { return c == ' ' || c == '\t' || c == '\n' || c == '\r' }
	for len(s) > 0 && isSpace(s[0]) {
		s = s[1:]
	}
	for len(s) > 0 && isSpace(s[len(s)-1]) {
		s = s[:len(s)-1]
	}
	return s
}

func jsonFuncs() []Func {
	fn := func(name, doc string, example Example, overloads ...Overload) Func {
		return Func{
			Name: name, Group: groupJSON, Volatility: Immutable, Doc: doc,
			Overloads: overloads, Examples: []Example{example},
		}
	}
	var out []Func
	for _, t := range []string{"json", "jsonb"} {
		jsonb := t == "jsonb"
		path, key := textPath, textPath
		if jsonb {
			path, key = jsonPath, jsonPath
		}
		name := func(s string) string { return t + "_" + s }
		from := "from_json " + t
		out = append(out,
			fn(name("each"), "The members of an object as rows.",
				Example{`SELECT value FROM ` + name("each") + `('{"a": 1}')`, "1"},
				set(from, "(key text,value "+t+")", eachMember(name("each"), false, jsonb))),
			fn(name("each_text"), "The members of an object as rows of texts.",
				Example{`SELECT value FROM ` + name("each_text") + `('{"a": "x"}')`, "x"},
				set(from, "(key text,value text)", eachMember(name("each_text"), true, jsonb))),
			fn(name("array_elements"), "The elements of an array as rows.",
				Example{`SELECT count(*) FROM ` + name("array_elements") + `('[1, 2]')`, "2"},
				set(from, t, arrayElements(name("array_elements"), false, jsonb)).named("value")),
			fn(name("array_elements_text"), "The elements of an array as rows of texts.",
				Example{`SELECT max(value) FROM ` + name("array_elements_text") + `('["a", "b"]')`, "b"},
				set(from, "text", arrayElements(name("array_elements_text"), true, jsonb)).named("value")),
			fn(name("object_keys"), "The keys of an object as rows.",
				Example{`SELECT max(k) FROM ` + name("object_keys") + `('{"a": 1, "b": 2}') AS k`, "b"},
				set(t, "text", objectKeys(name("object_keys")))),
			fn(name("array_length"), "Number of elements of an array.", Example{`SELECT ` + name("array_length") + `('[1, 2, 3]')`, "3"},
				of(t, "int4", jsonArrayLength)),
			fn(name("typeof"), "object, array, string, number, boolean or null.", Example{`SELECT ` + name("typeof") + `('1.5')`, "number"},
				of(t, "text", jsonTypeof)),
			fn(name("extract_path"), "What a path of keys and positions leads to.",
				Example{`SELECT ` + name("extract_path") + `('{"a": {"b": 5}}', 'a', 'b')`, "5"},
				of(from+",variadic path_elems text[]", t, path)),
			fn(name("extract_path_text"), "What a path of keys and positions leads to, as text.",
				Example{`SELECT ` + name("extract_path_text") + `('{"a": ["x", "y"]}', 'a', '1')`, "y"},
				of(from+",variadic path_elems text[]", "text", asText(key))),
		)
	}
	lax := fn("jsonb_set_lax", "As jsonb_set, where a NULL value becomes a JSON null, deletes the key, changes nothing or is an error.",
		Example{`SELECT jsonb_set_lax('{"a": 1}', '{a}', NULL, true, 'delete_key')`, "{}"},
		of("jsonb_in jsonb,path text[],replacement jsonb,create_if_missing bool default true,null_value_treatment text default 'use_json_null'", "jsonb", jsonSetLax))
	lax.Nulls = CalledOnNull
	return append(out, lax,
		fn("jsonb_set", "Replaces the value at a path, or adds it where create_if_missing allows.",
			Example{`SELECT jsonb_set('{"a": {"b": 1}}', '{a,b}', '2')`, `{"a": {"b": 2}}`},
			of("jsonb_in jsonb,path text[],replacement jsonb,create_if_missing bool default true", "jsonb", jsonChange(types.JSONSet))),
		fn("jsonb_insert", "Puts a value in front of or behind the element at a path, or under a new key.",
			Example{`SELECT jsonb_insert('{"a": [1, 3]}', '{a,1}', '2')`, `{"a": [1, 2, 3]}`},
			of("jsonb_in jsonb,path text[],replacement jsonb,insert_after bool default false", "jsonb", jsonChange(types.JSONInsert))),
		fn("jsonb_strip_nulls", "Removes members that are null, at every depth.",
			Example{`SELECT jsonb_strip_nulls('{"a": null, "b": [null]}')`, `{"b": [null]}`},
			of("jsonb", "jsonb", func(_ *Ctx, args []types.Datum) (types.Datum, error) {
				return types.Str(types.JSONStripNulls(args[0].Str())), nil
			})),
		fn("json_strip_nulls", "Removes members that are null, at every depth.",
			Example{`SELECT json_strip_nulls('{"a": null, "b": [null]}')`, `{"b":[null]}`},
			of("json", "json", func(_ *Ctx, args []types.Datum) (types.Datum, error) {
				return types.Str(string(stripTextNulls(nil, args[0].Str()))), nil
			})),
		fn("jsonb_pretty", "The text over several lines, indented.", Example{`SELECT length(jsonb_pretty('[1]'))`, "9"},
			of("jsonb", "text", func(_ *Ctx, args []types.Datum) (types.Datum, error) {
				return types.Str(types.JSONPretty(args[0].Str())), nil
			})),
	)
}
