package planner

import (
	"raisind/pgerr"
	"raisind/sql/ast"
	"raisind/sql/expr"
	"raisind/sql/types"
)

// Variables are names that stand for parameters of the plan: the variables of a function's
// body, or the arguments of a function in SQL.
type Variables interface {
	// Precedence says what a name means that is a column too.
	Precedence() Precedence
	// Find returns what a dotted name stands for; nil when it is no variable. A field that a
	// record does not have is an error only when must is set.
	Find(parts []string, must bool) (*Variable, error)
	// Argument returns what $n stands for; nil when there is none.
	Argument(n int) *Variable
}

// Precedence orders variables and columns of the same name.
type Precedence uint8

// What a name means that is a variable and a column.
const (
	Ambiguous Precedence = iota // an error
	VariablesFirst
	ColumnsFirst
)

// Variable is a parameter of the plan, or a record of such.
type Variable struct {
	// N is the parameter's number and T its type, for a variable without Fields.
	N int
	T *types.Type
	// Names and Fields describe a record.
	Names  []string
	Fields []Variable
	Record bool
	// Composite is the type of the record when it has a name.
	Composite *types.Type
}

// columnRef binds c, t.c, s.t.c, or a variable.
func (b *builder) columnRef(s *scope, parts []string, at int) (expr.Expr, error) {
	vs := b.opt.Variables
	if vs == nil {
		return b.tableColumn(s, parts, at)
	}
	if vs.Precedence() == VariablesFirst {
		if x, err := b.variableRef(parts, at, false); x != nil || err != nil {
			return x, err
		}
		return b.tableColumn(s, parts, at)
	}
	e, err := b.tableColumn(s, parts, at)
	if err != nil && !pgerr.Is(err, pgerr.UndefinedColumn) && !pgerr.Is(err, pgerr.UndefinedTable) {
		return nil, err
	}
	if e != nil && vs.Precedence() == ColumnsFirst {
		return e, nil
	}
	x, verr := b.variableRef(parts, at, e == nil)
	switch {
	case verr != nil:
		return nil, verr
	case x == nil:
		return e, err
	case e != nil:
		return nil, b.err(pgerr.AmbiguousColumn, at, "column reference %q is ambiguous", dotted(parts)).
			WithDetail("It could refer to either a PL/pgSQL variable or a table column.")
	}
	return x, nil
}

// variableRef is a variable as an expression; nil when there is none of the name.
func (b *builder) variableRef(parts []string, at int, must bool) (expr.Expr, error) {
	v, err := b.opt.Variables.Find(parts, must)
	if err != nil || v == nil {
		if _, when := b.opt.Variables.(*triggerVariables); when {
			err = b.at(err, at)
		}
		return nil, err // PostgreSQL points at nothing
	}
	return b.variableExpr(v), nil
}

func (b *builder) variableExpr(v *Variable) expr.Expr {
	if !v.Record {
		p, t := b.param(v.N), v.T.Storage() // as the values of columns are planned
		p.t, p.given = t, true
		return &expr.Param{N: v.N, T: t}
	}
	fields := make([]expr.Expr, len(v.Fields))
	for i := range v.Fields {
		fields[i] = b.variableExpr(&v.Fields[i])
	}
	return expr.NewRecord(fields, v.Names)
}

// argument binds $n within a function.
func (b *builder) argument(e *ast.Param) (expr.Expr, error) {
	v := b.opt.Variables.Argument(e.N)
	if v == nil {
		return nil, b.err(pgerr.UndefinedParameter, e.Pos(), "there is no parameter $%d", e.N)
	}
	return b.variableExpr(v), nil
}

// variableStar lists the fields of a record variable; nil when there is none of the name.
func (b *builder) variableStar(parts []string, at int) ([]target, error) {
	x, err := b.variableRef(parts, at, false)
	r, ok := x.(*expr.Record)
	if err != nil || !ok {
		return nil, err
	}
	out := make([]target, len(r.Fields))
	for i, f := range r.Fields {
		out[i] = target{e: f, name: r.Names[i], at: at}
	}
	return out, nil
}

// spreadRows replaces t.* in rows of VALUES by the columns it stands for.
func (b *builder) spreadRows(src *ast.Select, s *scope) (*ast.Select, error) {
	found := false
	for _, row := range src.Values {
		for _, v := range row {
			if ref, ok := v.(*ast.ColumnRef); ok && ref.Star && len(ref.Parts) > 0 {
				found = true
			}
		}
	}
	if !found {
		return src, nil
	}
	out := *src
	out.Values = make([][]ast.Expr, len(src.Values))
	for i, row := range src.Values {
		for _, v := range row {
			ref, ok := v.(*ast.ColumnRef)
			if !ok || !ref.Star || len(ref.Parts) == 0 {
				out.Values[i] = append(out.Values[i], v)
				continue
			}
			cols, err := b.star(s, ref.Parts, ref.Pos())
			if err != nil {
				return nil, err
			}
			for _, c := range cols {
				out.Values[i] = append(out.Values[i], &ast.ColumnRef{At: ref.At, Parts: append(append([]string(nil), ref.Parts...), c.name)})
			}
		}
	}
	return &out, nil
}
