package planner

import (
	"raisind/pgerr"
	"raisind/sql/ast"
	"raisind/sql/expr"
	"raisind/sql/types"
)

// jsonRecords are the functions whose columns the query defines: what they read, and
// the function that yields one JSON value a row, none for a single row.
var jsonRecords = map[string]struct {
	doc      *types.Type
	elements string
}{
	"jsonb_to_recordset": {types.TJSONB, "jsonb_array_elements"},
	"json_to_recordset":  {types.TJSON, "json_array_elements"},
	"jsonb_to_record":    {types.TJSONB, ""},
	"json_to_record":     {types.TJSON, ""},
}

// recordRef binds f(doc) AS t(a int, b text): each column is read from the member of
// its name.
func (b *builder) recordRef(e ast.Expr, defs []ast.ColumnDef, fn *fromFunc, s *scope) ([]column, *setCall, error) {
	call, ok := e.(*ast.FuncCall)
	name := ""
	if ok {
		name = call.Name[len(call.Name)-1]
	}
	known, ok := jsonRecords[name]
	if !ok || len(call.Args) != 1 {
		if x, err := b.expr(e, s); err != nil {
			return nil, nil, err
		} else if set, ok := x.(*setCall); ok && set.fn.Routine != 0 && set.fn.Result == types.TRecord && len(set.fn.Columns) == 0 {
			return b.routineRecords(set, defs)
		} else if x.Type() == types.TRecord {
			return nil, nil, b.notSupported(e.Pos(), "a column definition list for this function")
		}
		return nil, nil, b.err(pgerr.SyntaxError, e.Pos(), "a column definition list is only allowed for functions returning \"record\"")
	}
	x, err := b.typed(call.Args[0], s)
	if err != nil {
		return nil, nil, err
	}
	doc, ok, err := b.coerce(x.e, known.doc, -1, types.Implicit, x.at)
	if err != nil {
		return nil, nil, err
	}
	if !ok {
		return nil, nil, b.undefinedFunction(call, &callArgs{es: []expr.Expr{x.e}})
	}
	fn.row = &rel{kind: relOut, cols: []column{{name: "value", t: known.doc, typmod: -1}}}
	value := typed{fn.row.newVar(0, e.Pos()), e.Pos()}
	var cols []column
	for i := range defs {
		c, member, err := b.recordColumn(&defs[i], value)
		if err != nil {
			return nil, nil, err
		}
		fn.record, cols = append(fn.record, member), append(cols, c)
	}
	if known.elements == "" {
		return cols, &setCall{args: []expr.Expr{doc}, t: known.doc, at: e.Pos()}, nil
	}
	r, err := b.call(known.elements, e.Pos(), s, typed{doc, x.at})
	if err != nil {
		return nil, nil, err
	}
	set, ok := r.(*setCall)
	if !ok {
		return nil, nil, b.err(pgerr.InternalError, e.Pos(), "%s does not return a set", known.elements)
	}
	return cols, set, nil
}

// recordColumn reads one member of a JSON object as a column's type.
func (b *builder) recordColumn(d *ast.ColumnDef, value typed) (column, expr.Expr, error) {
	t, typmod, err := b.typeName(&d.Type)
	if err != nil {
		return column{}, nil, err
	}
	key := typed{&expr.Const{Val: types.Str(d.Name), T: types.TUnknown}, d.Pos()}
	member, err := b.binary("->", value, key, d.Pos())
	if err == nil {
		member = &expr.Cast{Arg: member, T: t, Typmod: typmod, Explicit: true, Fn: types.PopulateCast(value.e.Type(), t)}
	}
	return column{name: d.Name, t: t, typmod: typmod}, member, err
}
