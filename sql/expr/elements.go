package expr

import (
	"strings"

	"raisind/geom"
	"raisind/sql/types"
)

// Elements is what a path with [] finds in a jsonb value: the geometries at all
// elements, as one GeoJSON collection; NULL when there is none. It stands where a
// property is searched, so that any element may match.
type Elements struct {
	Arg  Expr
	Path string // stops[].geo
}

// Type implements Expr.
func (e *Elements) Type() *types.Type { return types.TJSONB }

// Children implements Parent.
func (e *Elements) Children() []Expr { return []Expr{e.Arg} }

// WithChildren implements Parent.
func (e *Elements) WithChildren(c []Expr) Expr { return &Elements{c[0], e.Path} }

// Eval implements Expr.
func (e *Elements) Eval(ec *Ctx, row types.Row) (types.Datum, error) {
	v, err := e.Arg.Eval(ec, row)
	if err != nil || v.IsNull() {
		return types.Null, err
	}
	var found []string
	elements(v.Str(), strings.Split(e.Path, "."), func(doc string) {
		if g, _ := geom.FromProperty(doc); g != nil && !g.IsEmpty() {
			found = append(found, doc)
		}
	})
	switch len(found) {
	case 0:
		return types.Null, nil
	case 1:
		return types.Str(found[0]), nil
	}
	return types.Str(`{"type": "GeometryCollection", "geometries": [` + strings.Join(found, ", ") + `]}`), nil
}

// elements follows path and calls fn with every value it leads to.
func elements(doc string, path []string, fn func(string)) {
	if len(path) == 0 {
		fn(doc)
		return
	}
	key, all := strings.CutSuffix(path[0], "[]")
	if key != "" {
		member, ok := types.JSONGetPath(doc, []string{key})
		if !ok {
			return
		}
		doc = member
	}
	if !all {
		elements(doc, path[1:], fn)
		return
	}
	for item := range types.JSONElements(doc) {
		elements(item, path[1:], fn)
	}
}
