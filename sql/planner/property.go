package planner

import (
	"strconv"
	"strings"

	"raisind/catalog"
	"raisind/sql/expr"
	"raisind/sql/funcs"
	"raisind/sql/types"
)

// isSpatialName reports whether a function takes geometries, so that an argument
// written properties->>'p' means the property and not its text.
func isSpatialName(name string) bool { return strings.HasPrefix(name, "st_") }

// isSpatialOperator reports whether an operator has a spatial meaning beside others.
func isSpatialOperator(symbol string) bool {
	switch symbol {
	case "&&", "@", "~", "~=", "<->", "<#>", "<<", ">>", "&<", "&>", "<<|", "|>>", "&<|", "|&>", "=", "<<->>":
		return symbol != "="
	}
	return false
}

// isSpatialType reports whether a value of t has a place.
func isSpatialType(t *types.Type) bool {
	return t == types.TGeometry || t == types.TGeography || t == types.TBox2D || t == types.TBox3D
}

// propertyArguments lets jsonb ->> text stand for jsonb -> text where some overload
// takes a geometry or a property.
func (b *builder) propertyArguments(overloads []*funcs.Overload, args *callArgs) {
	for i, e := range args.es {
		p := b.propertyOf(e)
		if p == e {
			continue
		}
		for _, o := range overloads {
			if i < len(o.Args) && (isSpatialType(o.Args[i].Type) || o.Args[i].Type == types.TJSONB) {
				args.es[i] = p
				args.ts = nil
				break
			}
		}
	}
}

// propertyOperands is propertyArguments for an operator whose other side has a place,
// or is a property as well.
func (b *builder) propertyOperands(l, r *typed) {
	lp, rp := b.propertyOf(l.e), b.propertyOf(r.e)
	switch {
	case isSpatialType(r.e.Type()):
		l.e = lp
	case isSpatialType(l.e.Type()):
		r.e = rp
	}
}

// propertyOf returns e with ->> read as ->, #>> as #>, and a dotted key of a
// workspace's properties as a path; e itself when it is none of these.
func (b *builder) propertyOf(e expr.Expr) expr.Expr {
	call, ok := e.(*expr.Call)
	if !ok || call.Fn.Func == nil || len(call.Args) != 2 || call.Args[0].Type() != types.TJSONB {
		return e
	}
	symbol := call.Fn.Func.Operator
	switch symbol {
	case "->>", "#>>":
		x, err := b.binary(symbol[:2], typed{call.Args[0], -1}, typed{call.Args[1], -1}, -1)
		if err != nil {
			return e
		}
		e = x
		if call, ok = e.(*expr.Call); !ok {
			return e
		}
		symbol = symbol[:2]
	}
	if symbol != "->" || call.Args[1].Type() != types.TText || !isProperties(call.Args[0]) {
		return e
	}
	key, ok := expr.IsConst(call.Args[1])
	if !ok || !strings.Contains(key.Str(), ".") && !strings.Contains(key.Str(), "[]") {
		return e
	}
	return b.dotted(call.Args[0], key.Str(), e)
}

// isProperties reports whether e is the properties column of a workspace.
func isProperties(e expr.Expr) bool {
	v, ok := e.(*variable)
	return ok && v.rel.isWorkspace() && v.col == catalog.ColProperties
}

// dotted follows a path such as venue.geo, stops.0.geo or stops[].geo.
func (b *builder) dotted(doc expr.Expr, path string, otherwise expr.Expr) expr.Expr {
	if strings.Contains(path, "[]") {
		return &expr.Elements{Arg: doc, Path: path}
	}
	x := doc
	for _, key := range strings.Split(path, ".") {
		if key == "" {
			return otherwise
		}
		k := expr.Expr(&expr.Const{Val: types.Str(key), T: types.TText})
		if x != doc {
			if i, err := strconv.ParseInt(key, 10, 32); err == nil && i >= 0 {
				k = &expr.Const{Val: types.Int(i), T: types.TInt4}
			}
		}
		next, err := b.binary("->", typed{x, -1}, typed{k, -1}, -1)
		if err != nil {
			return otherwise
		}
		x = next
	}
	return x
}

// property is an indexable value of a relation.
type property struct {
	name     string
	e        expr.Expr
	wildcard bool
}

// propertyName tells which indexed value of r an argument is: a geometry column, or
// a path within a workspace's properties, casts to geometry aside.
func propertyName(e expr.Expr, r *rel) (property, bool) {
	p := property{e: e}
	for {
		c, ok := e.(*expr.Cast)
		if !ok || c.T != types.TGeometry && c.T != types.TGeography {
			break
		}
		e = c.Arg
	}
	switch x := e.(type) {
	case *variable:
		if x.rel == r && r.table != nil && x.col < len(r.table.Columns) && isGeometryType(x.Type()) {
			p.name = x.column().name
			if r.table.Columns[x.col].Name != p.name { // renamed by an alias
				p.name = r.table.Columns[x.col].Name
			}
			return p, true
		}
	case *expr.Elements:
		if v, ok := x.Arg.(*variable); ok && v.rel == r && isProperties(v) {
			p.name, p.wildcard = x.Path, true
			return p, true
		}
	case *expr.Call:
		path, ok := propertyPath(x, r, 0)
		if ok && len(path) > 0 {
			p.name = string(path)
			return p, true
		}
	}
	return p, false
}

func isGeometryType(t *types.Type) bool { return t == types.TGeometry || t == types.TGeography }

// propertyPath is the catalog's path of a chain of -> and #> over properties of r.
func propertyPath(c *expr.Call, r *rel, depth int) ([]byte, bool) {
	if c.Fn.Func == nil || len(c.Args) != 2 || depth > 64 {
		return nil, false
	}
	symbol := c.Fn.Func.Operator
	if symbol != "->" && symbol != "#>" {
		return nil, false
	}
	var path []byte
	switch base := c.Args[0].(type) {
	case *variable:
		if base.rel != r || !isProperties(base) {
			return nil, false
		}
	case *expr.Call:
		var ok bool
		if path, ok = propertyPath(base, r, depth+1); !ok {
			return nil, false
		}
	default:
		return nil, false
	}
	key, ok := expr.IsConst(c.Args[1])
	if !ok {
		return nil, false
	}
	switch {
	case symbol == "#>":
		arr, _ := key.Ref().(*types.Array)
		if arr == nil {
			return nil, false
		}
		for _, k := range arr.Elems {
			// A number in #> may be an index or a key; no one path says both.
			if k.IsNull() || isDigits(k.Str()) {
				return nil, false
			}
			path = catalog.AppendPathKey(path, k.Str())
		}
	case c.Args[1].Type() == types.TText:
		path = catalog.AppendPathKey(path, key.Str())
	case key.Int() >= 0:
		path = catalog.AppendPathIndex(path, int(key.Int()))
	default:
		return nil, false
	}
	return path, true
}

func isDigits(s string) bool {
	return s != "" && strings.Trim(s, "0123456789") == ""
}
