package funcs

import (
	"fmt"
	"strconv"
	"strings"

	"raisind/sql/types"
)

// of makes an overload from its declaration as SQL writes it:
//
//	of("a geography, b geography, use_spheroid bool default true", "float8", body)
//	of("format text, variadic args any", "text", body)
//
// Argument names may be left out. A declaration that cannot be read is a mistake
// in the table and panics while the package is initialised.
func of(args, result string, body EvalFunc) Overload {
	o := signature(args, result)
	o.Eval = body
	return o
}

// typed is of for a body that must know the types of its arguments.
func typed(args, result string, body func(args []*types.Type) EvalFunc) Overload {
	o := signature(args, result)
	o.EvalFor = body
	return o
}

// set is of for a set-returning function. A result such as "(key text, value jsonb)"
// declares columns.
func set(args, result string, body SetFunc) Overload {
	o := signature(args, result)
	o.Set = body
	return o
}

// named gives the only result column of a set a name of its own; without one it has
// the function's.
func (o Overload) named(column string) Overload {
	o.Columns = []Arg{{Name: column, Type: o.Result}}
	return o
}

func signature(args, result string) Overload {
	var o Overload
	o.Args, o.Defaults, o.Variadic = parseArgs(args)
	if cols, ok := strings.CutPrefix(result, "("); ok {
		o.Result = mustType("record")
		o.Columns, _, _ = parseArgs(strings.TrimSuffix(cols, ")"))
	} else {
		o.Result = mustType(result)
	}
	return o
}

func parseArgs(s string) (args []Arg, defaults []types.Datum, variadic bool) {
	if s == "" {
		return nil, nil, false
	}
	for part := range strings.SplitSeq(s, ",") {
		part = strings.TrimSpace(part)
		decl, value, hasDefault := strings.Cut(part, " default ")
		decl, variadic = strings.CutPrefix(decl, "variadic ")
		var a Arg
		name, typ, named := strings.Cut(decl, " ")
		if named {
			a.Name = name
		} else {
			typ = decl
		}
		a.Type = mustType(strings.TrimSpace(typ))
		if hasDefault {
			defaults = append(defaults, defaultValue(a.Type, value))
		}
		args = append(args, a)
	}
	return args, defaults, variadic
}

// typesByName are the types under their names in pg_type, which has "char" besides
// the SQL spelling of bpchar.
var typesByName = func() map[string]*types.Type {
	m := map[string]*types.Type{}
	for _, t := range types.All() {
		m[t.Name] = t
	}
	return m
}()

// mustType finds a type by the name the table uses: pg_type's, with [] for arrays.
func mustType(name string) *types.Type {
	base, isArray := strings.CutSuffix(name, "[]")
	t := typesByName[base]
	if t != nil && isArray {
		t = t.Array()
	}
	if t == nil {
		panic(fmt.Sprintf("funcs: no type %q", name))
	}
	return t
}

func defaultValue(t *types.Type, s string) types.Datum {
	if s == "null" {
		return types.Null
	}
	switch t.Category {
	case types.CategoryBool:
		return types.Bool(s == "true")
	case types.CategoryNumeric:
		f, err := strconv.ParseFloat(s, 64)
		if err != nil {
			panic(fmt.Sprintf("funcs: default %q", s))
		}
		if t.Name == "float8" {
			return types.Float(f)
		}
		return types.Int(int64(f))
	}
	return types.Str(strings.Trim(s, "'"))
}
