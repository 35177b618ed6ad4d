package planner

import (
	"raisind/pgerr"
	"raisind/sql/ast"
	"raisind/sql/expr"
	"raisind/sql/funcs"
	"raisind/sql/types"
)

// rowLit binds ROW(…); t.* within it stands for the columns.
func (b *builder) rowLit(e *ast.RowLit, s *scope) (expr.Expr, error) {
	fields, err := b.rowArgs(e, s)
	if err != nil {
		return nil, err
	}
	es := make([]expr.Expr, len(fields))
	for i, f := range fields {
		if es[i], err = b.toText(f.e, f.at); err != nil {
			return nil, err
		}
	}
	return expr.NewRecord(es, rowNames(len(es))), nil
}

// rowNames are f1, f2 …, the field names of ROW(…).
func rowNames(n int) []string {
	names := make([]string, n)
	for i := range names {
		names[i] = "f" + itoa(i+1)
	}
	return names
}

func (b *builder) rowArgs(e *ast.RowLit, s *scope) ([]typed, error) {
	var out []typed
	for _, a := range e.Args {
		if ref, ok := a.(*ast.ColumnRef); ok && ref.Star {
			cols, err := b.star(s, ref.Parts, ref.Pos())
			if err != nil {
				return nil, err
			}
			for _, c := range cols {
				out = append(out, typed{c.e, ref.Pos()})
			}
			continue
		}
		x, err := b.typed(a, s)
		if err != nil {
			return nil, err
		}
		out = append(out, x)
	}
	return out, nil
}

// typedOrRow binds an operand that may be written t.*.
func (b *builder) typedOrRow(e ast.Expr, s *scope) (typed, error) {
	if isWholeRow(e) {
		ref := e.(*ast.ColumnRef)
		x, err := b.rowLit(&ast.RowLit{At: ref.At, Args: []ast.Expr{ref}}, s)
		return typed{x, ref.Pos()}, err
	}
	return b.typed(e, s)
}

// isWholeRow reports whether e is t.*, all of a row as one value. Its fields are compared
// as those of records are: in order, up to the first that differs.
func isWholeRow(e ast.Expr) bool {
	ref, ok := e.(*ast.ColumnRef)
	return ok && ref.Star && len(ref.Parts) > 0
}

// isRow reports whether the fields of e can be seen.
func isRow(e expr.Expr) bool {
	_, ok := e.(*expr.Record)
	return ok
}

func rowFields(x typed) []typed {
	r := x.e.(*expr.Record)
	out := make([]typed, len(r.Fields))
	for i, f := range r.Fields {
		out[i] = typed{f, x.at}
	}
	return out
}

// rowComparison binds (a, b) op (c, d).
func (b *builder) rowComparison(e *ast.Binary, s *scope) (expr.Expr, error) {
	l, err := b.rowArgs(e.Left.(*ast.RowLit), s)
	if err != nil {
		return nil, err
	}
	r, err := b.rowArgs(e.Right.(*ast.RowLit), s)
	if err != nil {
		return nil, err
	}
	return b.compareRows(e.Op, l, r, e.Pos())
}

// compareRows spells a comparison of rows out: equal when all fields are, different
// when any are, and ordered by the first field that differs.
func (b *builder) compareRows(op string, l, r []typed, at int) (expr.Expr, error) {
	if len(l) != len(r) {
		return nil, b.err(pgerr.SyntaxError, at, "unequal number of entries in row expressions")
	}
	if len(l) == 0 {
		return nil, b.err(pgerr.FeatureNotSupported, at, "cannot compare rows of zero length")
	}
	pair := func(op string, i int) (expr.Expr, error) {
		c, err := b.binary(op, l[i], r[i], at)
		if err == nil && c.Type() != types.TBool {
			err = b.err(pgerr.DatatypeMismatch, at, "row comparison operator must yield type boolean, not type %s", c.Type())
		}
		return c, err
	}
	if op == "=" || op == "<>" {
		parts := make([]expr.Expr, len(l))
		for i := range l {
			var err error
			if parts[i], err = pair(op, i); err != nil {
				return nil, err
			}
		}
		if op == "=" {
			return b.fold(&expr.And{Args: parts}), nil
		}
		return b.fold(&expr.Or{Args: parts}), nil
	}
	strict := op[:1] // < of <=
	last := len(l) - 1
	result, err := pair(op, last)
	if err != nil {
		return nil, err
	}
	for i := last - 1; i >= 0; i-- {
		less, err := pair(strict, i)
		if err != nil {
			return nil, err
		}
		same, err := pair("=", i)
		if err != nil {
			return nil, err
		}
		// less OR (same AND the rest); a NULL field makes both parts NULL.
		result = b.fold(&expr.Or{Args: []expr.Expr{less, b.fold(&expr.And{Args: []expr.Expr{same, result}})}})
	}
	return result, nil
}

// rowIn binds (a, b) IN ((1, 2), (3, 4)).
func (b *builder) rowIn(e *ast.In, row *ast.RowLit, s *scope) (expr.Expr, error) {
	l, err := b.rowArgs(row, s)
	if err != nil {
		return nil, err
	}
	op := "="
	if e.Not {
		op = "<>"
	}
	var parts []expr.Expr
	for _, item := range e.List {
		r, err := b.typedOrRow(item, s)
		if err != nil {
			return nil, err
		}
		if !isRow(r.e) {
			return nil, b.err(pgerr.SyntaxError, e.Pos(), "unequal number of entries in row expressions")
		}
		fields := rowFields(r)
		if lit, ok := item.(*ast.RowLit); ok { // literals keep their unknown types for the comparison
			if fields, err = b.rowArgs(lit, s); err != nil {
				return nil, err
			}
		}
		c, err := b.compareRows(op, l, fields, e.Pos())
		if err != nil {
			return nil, err
		}
		parts = append(parts, c)
	}
	if e.Not {
		return b.fold(&expr.And{Args: parts}), nil
	}
	return b.fold(&expr.Or{Args: parts}), nil
}

// fieldSelect binds (x).name.
func (b *builder) fieldSelect(e *ast.FieldSelect, s *scope) (expr.Expr, error) {
	if e.Star {
		return nil, b.err(pgerr.FeatureNotSupported, e.Pos(), "row expansion via \"*\" is not supported here")
	}
	x, err := b.expr(e.Expr, s)
	if err != nil {
		return nil, err
	}
	f, err := b.fieldOf(x, e.Name, location(e))
	if ref, ok := e.Expr.(*ast.ColumnRef); err != nil && ok && len(ref.Parts) == 1 && isRow(x) {
		return nil, b.err(pgerr.UndefinedColumn, location(e), "column %s.%s does not exist", ref.Parts[0], e.Name)
	}
	return f, err
}

// fieldOf is x.name.
func (b *builder) fieldOf(x expr.Expr, name string, at int) (expr.Expr, error) {
	fields := fieldsOf(x)
	for i, f := range fields {
		if f.name != name {
			continue
		}
		if r, ok := x.(*expr.Record); ok {
			return r.Fields[i], nil
		}
		return &expr.Field{Arg: x, Index: i, Name: name, T: f.t}, nil
	}
	switch {
	case fields != nil || x.Type() == types.TRecord:
		return nil, b.err(pgerr.UndefinedColumn, at, "could not identify column %q in record data type", name)
	case x.Type() == types.TUnknown:
		return nil, b.err(pgerr.IndeterminateDatatype, at, "could not determine data type of field %q", name)
	}
	return nil, b.err(pgerr.WrongObjectType, at, "column notation .%s applied to type %s, which is not a composite type", name, x.Type())
}

// fieldsOf describes the fields of a record; nil when they are not known.
func fieldsOf(e expr.Expr) []field {
	if t := e.Type(); t.Kind() == types.KindComposite {
		var out []field
		for _, f := range t.Fields() {
			out = append(out, field{name: f.Name, t: f.Type.Storage()})
		}
		return out
	}
	switch e := e.(type) {
	case *expr.Record:
		out := make([]field, len(e.Fields))
		for i, f := range e.Fields {
			out[i].t = f.Type()
			if i < len(e.Names) {
				out[i].name = e.Names[i]
			}
		}
		return out
	case *variable:
		return e.column().fields
	case *setCall:
		return resultFields(e.fn)
	case *expr.Call:
		return resultFields(e.Fn)
	case *expr.Case:
		if e.Else != nil && e.T == types.TRecord {
			return fieldsOf(e.Else)
		}
	case *subquery:
		if e.kind == expr.SubqueryScalar && e.t == types.TRecord && e.q.visible == 1 {
			return fieldsOf(e.q.output(0))
		}
	case *aggregate:
		return nil
	}
	return nil
}

// resultFields are the columns of a function that returns records.
func resultFields(o *funcs.Overload) []field {
	if len(o.Columns) < 2 {
		return nil
	}
	out := make([]field, len(o.Columns))
	for i, c := range o.Columns {
		out[i] = field{c.Name, c.Type}
	}
	return out
}
