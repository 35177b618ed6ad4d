package planner

import (
	"context"
	"strconv"
	"strings"

	"raisind/pgerr"
	"raisind/sql/ast"
	"raisind/sql/funcs"
	"raisind/sql/types"
)

// typeName finds the type that a name written in SQL stands for, and its modifier.
func (b *builder) typeName(n *ast.TypeName) (*types.Type, int32, error) {
	if n.SetOf {
		return nil, 0, b.err(pgerr.SyntaxError, n.Pos(), "type %q cannot be a set here", dotted(n.Names))
	}
	if n.PctType {
		return nil, 0, b.notSupported(n.Pos(), "%%TYPE")
	}
	t := b.namedType(n.Names)
	if t == nil {
		return nil, 0, b.err(pgerr.UndefinedObject, n.Pos(), "type %q does not exist", dotted(n.Names)+strings.Repeat("[]", len(n.Dims)))
	}
	typmod := int32(-1)
	if len(n.Mods) > 0 || n.Fields != "" {
		mods, err := typeModifiers(n)
		if err == nil {
			typmod, err = types.TypmodFromNames(t, mods)
		}
		if err != nil {
			return nil, 0, b.at(err, n.Pos())
		}
	}
	if len(n.Dims) > 0 {
		if t.Array() == nil {
			return nil, 0, b.err(pgerr.UndefinedObject, n.Pos(), "could not find array type for data type %s", t)
		}
		t = t.Array()
	}
	return t, typmod, nil
}

// namedType finds a type without modifiers; nil when there is none.
func (b *builder) namedType(names []string) *types.Type {
	name := names[len(names)-1]
	if t := b.userType(names); t != nil {
		return t
	}
	if len(names) > 1 && !isSystemSchema(names[len(names)-2]) {
		return nil
	}
	if name == "char" { // only "char" in quotes comes under this name
		return types.TChar
	}
	if t, ok := types.ByName(name); ok {
		return t
	}
	if name == "string" { // how the workspace dialect calls text
		return types.TText
	}
	return nil
}

// isSystemSchema reports whether functions, operators and types live there.
func isSystemSchema(name string) bool {
	return name == "pg_catalog" || name == "public" || name == "information_schema"
}

// typeModifiers are the words in parentheses, then the fields of an interval.
func typeModifiers(n *ast.TypeName) ([]string, error) {
	var mods []string
	if n.Fields != "" {
		mods = append(mods, n.Fields)
	}
	for _, m := range n.Mods {
		switch m := m.(type) {
		case *ast.Literal:
			switch m.Kind {
			case ast.LitInt:
				mods = append(mods, strconv.FormatInt(m.Int, 10))
			case ast.LitString, ast.LitNumeric:
				mods = append(mods, m.Text)
			default:
				return nil, errTypeModifier()
			}
		case *ast.ColumnRef:
			if len(m.Parts) != 1 {
				return nil, errTypeModifier()
			}
			mods = append(mods, m.Parts[0])
		default:
			return nil, errTypeModifier()
		}
	}
	return mods, nil
}

func errTypeModifier() error {
	return pgerr.New(pgerr.SyntaxError, "type modifiers must be simple constants or identifiers")
}

// TypeName finds the type that a name written in SQL stands for, and its modifier.
func TypeName(ctx context.Context, n *ast.TypeName, opt Options) (*types.Type, int32, error) {
	return newBuilder(ctx, opt).typeName(n)
}

// KnowsFunction reports whether the server has a function of a name of its own.
func KnowsFunction(name string) bool {
	return len(funcs.ByName(name)) > 0
}
