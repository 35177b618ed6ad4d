package planner

import (
	"raisind/pgerr"
	"raisind/sql/ast"
	"raisind/sql/expr"
	"raisind/sql/funcs"
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
		defs := f.Columns
		if i == 0 && len(te.Columns) > 0 {
			defs = te.Columns
		}
		alias := functionName(f.Func)
		if i == 0 {
			r.alias = alias
		}
		if te.Alias != nil && te.Alias.Name != "" {
			alias = te.Alias.Name
		}
		var cols []column
		var call *setCall
		var err error
		item := &fromFunc{}
		if len(defs) > 0 {
			cols, call, err = b.recordRef(f.Func, defs, item, s)
			fn.record, fn.row = item.record, item.row
		} else {
			cols, call, err = b.functionColumns(f.Func, alias, s)
		}
		if err != nil {
			return nil, nil, err
		}
		r.cols = append(r.cols, cols...)
		fn.calls, fn.items = append(fn.calls, call), append(fn.items, item)
		for _, a := range call.args {
			r.lateral |= relsOf(a, s.q)
		}
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

// functionColumns binds a function in FROM and names the columns that it gives. A
// call without fn is a scalar expression, its one argument.
func (b *builder) functionColumns(src ast.Expr, alias string, s *scope) ([]column, *setCall, error) {
	x, err := b.expr(src, s)
	if err != nil {
		return nil, nil, err
	}
	call, isSet := x.(*setCall)
	if isSet {
		if len(call.fn.Columns) > 1 {
			return argColumns(call.fn.Columns), call, nil
		}
		if call.fn.Routine != 0 && call.t == types.TRecord && len(call.fn.Columns) == 0 {
			return nil, nil, b.err(pgerr.SyntaxError, src.Pos(), "a column definition list is required for functions returning \"record\"")
		}
		col := column{name: alias, t: call.t, typmod: -1}
		if len(call.fn.Columns) == 1 {
			col.name = call.fn.Columns[0].Name
		}
		return []column{col}, call, nil
	}
	if x, err = b.toText(x, src.Pos()); err != nil {
		return nil, nil, err
	}
	scalar := &setCall{args: []expr.Expr{x}, t: x.Type(), at: src.Pos()}
	if plain, ok := x.(*expr.Call); ok && len(plain.Fn.Columns) > 1 {
		return argColumns(plain.Fn.Columns), scalar, nil
	}
	if x.Type() == types.TRecord {
		return nil, nil, b.err(pgerr.SyntaxError, src.Pos(), "a column definition list is required for functions returning \"record\"")
	}
	return []column{{name: alias, t: x.Type(), typmod: typmodOf(x), fields: fieldsOf(x)}}, scalar, nil
}

func argColumns(args []funcs.Arg) []column {
	cols := make([]column, len(args))
	for i, a := range args {
		cols[i] = column{name: a.Name, t: a.Type, typmod: -1}
	}
	return cols
}
