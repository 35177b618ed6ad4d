package funcs

import (
	"raisind/pgerr"
	"raisind/sql/types"
)

func jsonOps() []Func {
	op := func(symbol, name, commutator, doc string, overloads ...Overload) Func {
		return Func{
			Name: name, Operator: symbol, Commutator: commutator, Group: groupJSON,
			Volatility: Immutable, Doc: doc, Overloads: overloads,
		}
	}
	return []Func{
		op("->", "json_object_field", "", "Member of an object by key, or element of an array by position from 0 (negative: from the end).",
			of("jsonb,text", "jsonb", jsonKey), of("jsonb,int4", "jsonb", jsonIndex),
			of("json,text", "json", textKey), of("json,int4", "json", textIndex)),
		op("->>", "json_object_field_text", "", "As ->, as text; a JSON null gives NULL.",
			of("jsonb,text", "text", asText(jsonKey)), of("jsonb,int4", "text", asText(jsonIndex)),
			of("json,text", "text", asText(textKey)), of("json,int4", "text", asText(textIndex))),
		op("#>", "json_extract_path", "", "What a path of keys and positions leads to.",
			of("jsonb,text[]", "jsonb", jsonPath), of("json,text[]", "json", textPath)),
		op("#>>", "json_extract_path_text", "", "As #>, as text; a JSON null gives NULL.",
			of("jsonb,text[]", "text", asText(jsonPath)), of("json,text[]", "text", asText(textPath))),
		op("@>", "jsonb_contains", "<@", "True when the left value contains the right one.", of("jsonb,jsonb", "bool", jsonContains)),
		op("<@", "jsonb_contained", "@>", "True when the right value contains the left one.", of("jsonb,jsonb", "bool", swapped(jsonContains))),
		op("?", "jsonb_exists", "", "True when the text is a key of the object or a string in the array.", of("jsonb,text", "bool", jsonExists)),
		op("?|", "jsonb_exists_any", "", "True when any of the texts is a key or string of the value.", of("jsonb,text[]", "bool", jsonExistsAny)),
		op("?&", "jsonb_exists_all", "", "True when all of the texts are keys or strings of the value.", of("jsonb,text[]", "bool", jsonExistsAll)),
		op("||", "jsonb_concat", "", "Merges two objects, the right one winning, or joins arrays.", of("jsonb,jsonb", "jsonb", jsonConcat)),
		op("-", "jsonb_delete", "", "Removes a key, several keys, or the element at a position.",
			of("jsonb,text", "jsonb", jsonDeleteKey), of("jsonb,int4", "jsonb", jsonDeleteIndex),
			of("jsonb,text[]", "jsonb", jsonDeleteKeys)),
		op("#-", "jsonb_delete_path", "", "Removes what a path leads to.", of("jsonb,text[]", "jsonb", jsonDeletePath)),
	}
}

func jsonKey(_ *Ctx, args []types.Datum) (types.Datum, error) {
	v, ok := types.JSONGetKey(args[0].Str(), args[1].Str())
	return strOrNull(v, ok), nil
}

func jsonIndex(_ *Ctx, args []types.Datum) (types.Datum, error) {
	v, ok := types.JSONGetIndex(args[0].Str(), int(args[1].Int()))
	return strOrNull(v, ok), nil
}

func strOrNull(s string, ok bool) types.Datum {
	if !ok {
		return types.Null
	}
	return types.Str(s)
}

// textKey and textIndex read the type json, which keeps its text as it was given.
func textKey(_ *Ctx, args []types.Datum) (types.Datum, error) {
	v, ok := types.JSONTextGetKey(args[0].Str(), args[1].Str())
	return strOrNull(v, ok), nil
}

func textIndex(_ *Ctx, args []types.Datum) (types.Datum, error) {
	v, ok := types.JSONTextGetIndex(args[0].Str(), int(args[1].Int()))
	return strOrNull(v, ok), nil
}

var (
	jsonPath = follow(types.JSONGetPath)
	textPath = follow(types.JSONTextGetPath)
)

// follow is the body of #>; a NULL in the path leads nowhere.
func follow(get func(doc string, path []string) (string, bool)) EvalFunc {
	return func(_ *Ctx, args []types.Datum) (types.Datum, error) {
		path, ok := texts(args[1])
		if !ok {
			return types.Null, nil
		}
		v, ok := get(args[0].Str(), path)
		return strOrNull(v, ok), nil
	}
}

// asText makes the ->> of a ->.
func asText(get EvalFunc) EvalFunc {
	return func(fc *Ctx, args []types.Datum) (types.Datum, error) {
		d, err := get(fc, args)
		if err != nil || d.IsNull() {
			return d, err
		}
		s, ok := types.JSONAsText(d.Str())
		return strOrNull(s, ok), nil
	}
}

func arrayOf(d types.Datum) *types.Array {
	a, _ := d.Ref().(*types.Array)
	return a
}

// texts returns the elements of a text array; false when one of them is NULL.
func texts(d types.Datum) ([]string, bool) {
	a := arrayOf(d)
	if a == nil {
		return nil, true
	}
	out := make([]string, 0, len(a.Elems))
	for _, e := range a.Elems {
		if e.IsNull() {
			return nil, false
		}
		out = append(out, e.Str())
	}
	return out, true
}

// someTexts is texts without the NULLs.
func someTexts(d types.Datum) []string {
	a := arrayOf(d)
	if a == nil {
		return nil
	}
	out := make([]string, 0, len(a.Elems))
	for _, e := range a.Elems {
		if !e.IsNull() {
			out = append(out, e.Str())
		}
	}
	return out
}

func jsonContains(_ *Ctx, args []types.Datum) (types.Datum, error) {
	return types.Bool(types.JSONContains(args[0].Str(), args[1].Str())), nil
}

func jsonExists(_ *Ctx, args []types.Datum) (types.Datum, error) {
	return types.Bool(types.JSONExists(args[0].Str(), args[1].Str())), nil
}

func jsonExistsAny(_ *Ctx, args []types.Datum) (types.Datum, error) {
	for _, key := range someTexts(args[1]) {
		if types.JSONExists(args[0].Str(), key) {
			return types.Bool(true), nil
		}
	}
	return types.Bool(false), nil
}

func jsonExistsAll(_ *Ctx, args []types.Datum) (types.Datum, error) {
	for _, key := range someTexts(args[1]) {
		if !types.JSONExists(args[0].Str(), key) {
			return types.Bool(false), nil
		}
	}
	return types.Bool(true), nil
}

// strResult wraps what the JSON functions of types return.
func strResult(s string, err error) (types.Datum, error) {
	if err != nil {
		return types.Null, err
	}
	return types.Str(s), nil
}

func jsonConcat(_ *Ctx, args []types.Datum) (types.Datum, error) {
	return strResult(types.JSONConcat(args[0].Str(), args[1].Str()))
}

func jsonDeleteKey(_ *Ctx, args []types.Datum) (types.Datum, error) {
	return strResult(types.JSONDeleteKey(args[0].Str(), args[1].Str()))
}

func jsonDeleteKeys(_ *Ctx, args []types.Datum) (types.Datum, error) {
	return strResult(types.JSONDeleteKeys(args[0].Str(), someTexts(args[1])))
}

func jsonDeleteIndex(_ *Ctx, args []types.Datum) (types.Datum, error) {
	return strResult(types.JSONDeleteIndex(args[0].Str(), int(args[1].Int())))
}

func jsonDeletePath(_ *Ctx, args []types.Datum) (types.Datum, error) {
	path, err := pathArg(args[1])
	if err != nil {
		return types.Null, err
	}
	return strResult(types.JSONDeletePath(args[0].Str(), path))
}

func errNullPath(path types.Datum) error {
	pos := 1
	for i, e := range arrayOf(path).Elems {
		if e.IsNull() {
			pos = i + 1
			break
		}
	}
	return pgerr.New(pgerr.NullValueNotAllowed, "path element at position %d is null", pos)
}
