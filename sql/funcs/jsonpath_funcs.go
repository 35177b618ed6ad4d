package funcs

import (
	"raisind/pgerr"
	"raisind/sql/types"
)

// pathExists and its kin take a document, a path, variables, and whether errors stay
// silent.
func pathExists(useZone bool) EvalFunc {
	return func(fc *Ctx, args []types.Datum) (types.Datum, error) {
		vars, silent := pathOptions(args)
		st, err := runPath(fc, args[1].JSONPath(), args[0].Str(), vars, silent, useZone, nil)
		if err != nil || st == pathError {
			return types.Null, err
		}
		return types.Bool(st == pathOK), nil
	}
}

// pathOptions are the arguments behind the path; operators have none and are silent.
func pathOptions(args []types.Datum) (vars string, silent bool) {
	if len(args) < 4 {
		return "{}", true
	}
	return args[2].Str(), args[3].Bool()
}

func pathMatch(useZone bool) EvalFunc {
	return func(fc *Ctx, args []types.Datum) (types.Datum, error) {
		vars, silent := pathOptions(args)
		found := &pathFound{}
		if _, err := runPath(fc, args[1].JSONPath(), args[0].Str(), vars, silent, useZone, found); err != nil {
			return types.Null, err
		}
		if len(found.items) == 1 {
			switch i := found.items[0]; i.kind {
			case 'b':
				return types.Bool(i.b), nil
			case 'n':
				return types.Null, nil
			}
		}
		if !silent {
			return types.Null, pgerr.New(pgerr.SingletonSQLJSONItemRequired, "single boolean result is expected")
		}
		return types.Null, nil
	}
}

func pathItems(fc *Ctx, args []types.Datum, useZone bool) ([]pathItem, error) {
	vars, silent := pathOptions(args)
	found := &pathFound{}
	_, err := runPath(fc, args[1].JSONPath(), args[0].Str(), vars, silent, useZone, found)
	return found.items, err
}

func pathQuery(useZone bool) SetFunc {
	return func(fc *Ctx, args []types.Datum) (RowSource, error) {
		items, err := pathItems(fc, args, useZone)
		if err != nil {
			return nil, err
		}
		values := make([]types.Datum, len(items))
		for i, it := range items {
			values[i] = types.Str(it.json())
		}
		return valueRows(values), nil
	}
}

func pathQueryArray(useZone bool) EvalFunc {
	return func(fc *Ctx, args []types.Datum) (types.Datum, error) {
		items, err := pathItems(fc, args, useZone)
		if err != nil {
			return types.Null, err
		}
		b := []byte{'['}
		for i, it := range items {
			if i > 0 {
				b = append(b, ", "...)
			}
			b = append(b, it.json()...)
		}
		return types.Str(string(append(b, ']'))), nil
	}
}

func pathQueryFirst(useZone bool) EvalFunc {
	return func(fc *Ctx, args []types.Datum) (types.Datum, error) {
		items, err := pathItems(fc, args, useZone)
		if err != nil || len(items) == 0 {
			return types.Null, err
		}
		return types.Str(items[0].json()), nil
	}
}

func jsonPathFuncs() []Func {
	const sig = "target jsonb, path jsonpath, vars jsonb default '{}', silent bool default false"
	var out []Func
	for _, zone := range []bool{false, true} {
		suffix, v, more := "", Immutable, ""
		if zone {
			suffix, v, more = "_tz", Stable, " Dates and times may be compared by the session's time zone."
		}
		fn := func(name, doc string, o Overload, args, want string) {
			out = append(out, Func{
				Name: name + suffix, Group: groupJSON, Volatility: v, Doc: doc + more, Overloads: []Overload{o},
				Examples: []Example{{`SELECT ` + name + suffix + `(` + args + `)`, want}},
			})
		}
		const doc = `'{"a": [1, 2, 3]}'`
		fn("jsonb_path_exists", "True when a path finds anything.", of(sig, "bool", pathExists(zone)), doc+`, '$.a[*] ? (@ > 2)'`, "t")
		fn("jsonb_path_match", "The result of a path that is a predicate.", of(sig, "bool", pathMatch(zone)), doc+`, 'exists($.a[*] ? (@ > 5))'`, "f")
		fn("jsonb_path_query", "What a path finds, a row each.", set(sig, "jsonb", pathQuery(zone)), doc+`, '$.a[last]'`, "3")
		fn("jsonb_path_query_array", "What a path finds, as an array.", of(sig, "jsonb", pathQueryArray(zone)), doc+`, '$.a[*] ? (@ < 3)'`, "[1, 2]")
		fn("jsonb_path_query_first", "The first that a path finds.", of(sig, "jsonb", pathQueryFirst(zone)), doc+`, '$.a[*] ? (@ > 1)'`, "2")
	}
	op := func(symbol, name, doc string, body EvalFunc) {
		out = append(out, Func{Name: name, Operator: symbol, Group: groupJSON, Volatility: Immutable, Doc: doc, Overloads: []Overload{of("jsonb,jsonpath", "bool", body)}})
	}
	op("@?", "jsonb_path_exists_opr", "True when a path finds anything; errors give NULL.", pathExists(false))
	op("@@", "jsonb_path_match_opr", "The result of a path that is a predicate; errors give NULL.", pathMatch(false))
	return out
}
