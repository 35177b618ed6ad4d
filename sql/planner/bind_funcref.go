package planner

import (
	"raisind/pgerr"
	"raisind/sql/ast"
	"raisind/sql/expr"
	"raisind/sql/types"
)

// funcRef binds a function in FROM. It may use items to its left, LATERAL or not.
func (b *builder) funcRef(te *ast.FuncRef, s *scope) (*fromNode, []*item, error) {
	lateral, clause := s.lateral, s.clause
	s.lateral, s.clause = true, inFrom
	defer func() { s.lateral, s.clause = lateral, clause }()

	r := &rel{kind: relFunction, at: te.Pos()}
	fn := &fromFunc{ordinality: te.Ordinality}
	r.fn = fn
	funcsIn := spreadUnnest(te.Funcs)
	for i, f := range funcsIn {
		x, err := b.expr(f.Func, s)
		if err != nil {
			return nil, nil, err
		}
		defs := f.Columns
		if i == 0 && len(te.Columns) > 0 {
			defs = te.Columns
		}
		name := functionName(f.Func)
		if i == 0 {
			r.alias = name
		}
		alias := name
		if te.Alias != nil && te.Alias.Name != "" {
			alias = te.Alias.Name
		}
		cols, call, err := b.functionColumns(x, f.Func, name, alias, defs, fn)
		if err != nil {
			return nil, nil, err
		}
		r.cols = append(r.cols, cols...)
		if call == nil {
			call = &setCall{fn: nil, args: []expr.Expr{x}, t: x.Type(), at: f.Func.Pos()}
		}
		fn.calls = append(fn.calls, call)
		r.lateral |= relsOf(x, s.q)
		for _, a := range call.args {
			r.lateral |= relsOf(a, s.q)
		}
	}
	if len(fn.calls) > 1 && te.Ordinality {
		return nil, nil, b.notSupported(te.Pos(), "WITH ORDINALITY over several functions")
	}
	if te.Ordinality {
		r.cols = append(r.cols, column{name: "ordinality", t: types.TInt8, typmod: -1})
	}
	if err := b.applyAlias(r, te.Alias); err != nil {
		return nil, nil, err
	}
	if err := b.addRel(s.q, r); err != nil {
		return nil, nil, err
	}
	n, items := leaf(r)
	return n, items, nil
}

// spreadUnnest turns unnest(a, b) into unnest(a) and unnest(b) side by side.
func spreadUnnest(list []ast.RowsFunc) []ast.RowsFunc {
	var out []ast.RowsFunc
	for _, f := range list {
		call, ok := f.Func.(*ast.FuncCall)
		if !ok || call.Name[len(call.Name)-1] != "unnest" || len(call.Args) < 2 {
			out = append(out, f)
			continue
		}
		for _, a := range call.Args {
			one := *call
			one.Args = []ast.Expr{a}
			out = append(out, ast.RowsFunc{Func: &one})
		}
	}
	return out
}

func functionName(e ast.Expr) string {
	if name := columnName(e); name != noName {
		return name
	}
	return "function"
}

// functionColumns are the columns that a function in FROM gives.
func (b *builder) functionColumns(x expr.Expr, src ast.Expr, name, alias string, defs []ast.ColumnDef, fn *fromFunc) ([]column, *setCall, error) {
	call, isSet := x.(*setCall)
	plainCall, isCall := x.(*expr.Call)
	t := x.Type()
	if len(defs) > 0 {
		return b.recordColumns(x, src, name, defs, fn)
	}
	switch {
	case isSet && len(call.fn.Columns) > 1:
		var cols []column
		for _, c := range call.fn.Columns {
			cols = append(cols, column{name: c.Name, t: c.Type, typmod: -1})
		}
		return cols, call, nil
	case isSet:
		col := column{name: alias, t: call.t, typmod: -1}
		if len(call.fn.Columns) == 1 {
			col.name = call.fn.Columns[0].Name
		}
		return []column{col}, call, nil
	case isCall && len(plainCall.Fn.Columns) > 1:
		var cols []column
		for _, c := range plainCall.Fn.Columns {
			cols = append(cols, column{name: c.Name, t: c.Type, typmod: -1})
		}
		return cols, nil, nil
	}
	if t == types.TRecord {
		return nil, nil, b.err(pgerr.SyntaxError, src.Pos(), "a column definition list is required for functions returning \"record\"")
	}
	x, err := b.toText(x, src.Pos())
	if err != nil {
		return nil, nil, err
	}
	return []column{{name: alias, t: x.Type(), typmod: typmodOf(x), fields: fieldsOf(x)}}, nil, nil
}

// recordColumns are those of a column definition list, which only the functions that
// turn JSON into records take: each column is read from the member of its name.
func (b *builder) recordColumns(x expr.Expr, src ast.Expr, name string, defs []ast.ColumnDef, fn *fromFunc) ([]column, *setCall, error) {
	var args []expr.Expr
	switch x := x.(type) {
	case *setCall:
		args = x.args
	case *expr.Call:
		args = x.Args
	}
	spread := map[string]string{
		"jsonb_to_recordset": "jsonb_array_elements", "json_to_recordset": "json_array_elements",
		"jsonb_to_record": "", "json_to_record": "",
	}
	elements, ok := spread[name]
	if !ok || len(args) != 1 {
		return nil, nil, b.err(pgerr.SyntaxError, src.Pos(), "a column definition list is only allowed for functions returning \"record\"")
	}
	doc := args[0].Type()
	fn.row = &rel{kind: relOut, cols: []column{{name: "value", t: doc, typmod: -1}}}
	value := fn.row.newVar(0, src.Pos())
	var cols []column
	for i := range defs {
		d := &defs[i]
		t, typmod, err := b.typeName(&d.Type)
		if err != nil {
			return nil, nil, err
		}
		op := "->>"
		if t == types.TJSONB || t == types.TJSON || t.Elem != nil {
			op = "->"
		}
		key := typed{&expr.Const{Val: types.Str(d.Name), T: types.TUnknown}, d.Pos()}
		member, err := b.binary(op, typed{value, src.Pos()}, key, d.Pos())
		if err != nil {
			return nil, nil, err
		}
		if member, err = b.cast(member, t, typmod, d.Pos(), d.Pos()); err != nil {
			return nil, nil, err
		}
		fn.record = append(fn.record, member)
		cols = append(cols, column{name: d.Name, t: t, typmod: typmod})
	}
	if elements == "" {
		return cols, &setCall{args: args, t: doc, at: src.Pos()}, nil
	}
	e, err := b.call(elements, src.Pos(), &scope{clause: inFrom}, typed{args[0], src.Pos()})
	if err != nil {
		return nil, nil, err
	}
	call, ok := e.(*setCall)
	if !ok {
		return nil, nil, b.err(pgerr.InternalError, src.Pos(), "%s does not return a set", elements)
	}
	return cols, call, nil
}
