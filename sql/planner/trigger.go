package planner

import (
	"context"

	"raisind/catalog"
	"raisind/pgerr"
	"raisind/sql/ast"
	"raisind/sql/expr"
	"raisind/sql/types"
)

// TriggerRows says which rows the WHEN condition of a trigger may use.
type TriggerRows struct {
	Relation *catalog.Relation
	// Row is set for triggers FOR EACH ROW.
	Row bool
	// Insert and Delete tell that the trigger fires on them too.
	Insert, Delete bool
	// Before: of a BEFORE trigger, whose NEW has no generated columns yet.
	Before bool
}

// TriggerWhen is a WHEN condition, bound. Its parameters are columns of OLD and NEW.
type TriggerWhen struct {
	Cond   expr.Expr
	Params []TriggerColumn
}

// TriggerColumn is a column of OLD, or of NEW.
type TriggerColumn struct {
	New    bool
	Column int
}

// BindTriggerWhen binds the WHEN condition of a trigger.
func BindTriggerWhen(ctx context.Context, cond ast.Expr, rows TriggerRows, opt Options) (*TriggerWhen, error) {
	v := &triggerVariables{rows: rows}
	opt.Variables = v
	b := newBuilder(ctx, opt)
	x, err := b.typed(cond, &scope{q: &query{}, clause: inWhere})
	if err != nil {
		return nil, err
	}
	if x.e, err = b.toBool(x.e, "WHEN", x.at); err != nil {
		return nil, err
	}
	if expr.Any(x.e, func(e expr.Expr) bool { _, ok := e.(*subquery); return ok }) {
		return nil, b.err(pgerr.FeatureNotSupported, x.at, "cannot use subquery in trigger WHEN condition")
	}
	return &TriggerWhen{Cond: x.e, Params: v.params}, nil
}

// triggerVariables are OLD and NEW.
type triggerVariables struct {
	rows   TriggerRows
	params []TriggerColumn
}

// Precedence implements Variables.
func (v *triggerVariables) Precedence() Precedence { return VariablesFirst }

// Argument implements Variables.
func (v *triggerVariables) Argument(int) *Variable { return nil }

// Find implements Variables.
func (v *triggerVariables) Find(parts []string, _ bool) (*Variable, error) {
	name := parts[0]
	if name != "new" && name != "old" || len(parts) > 2 {
		return nil, nil
	}
	isNew := name == "new"
	switch {
	case !v.rows.Row:
		return nil, pgerr.New(pgerr.InvalidObjectDefinition, "statement trigger's WHEN condition cannot reference column values")
	case !isNew && v.rows.Insert:
		return nil, pgerr.New(pgerr.InvalidObjectDefinition, "INSERT trigger's WHEN condition cannot reference OLD values")
	case isNew && v.rows.Delete:
		return nil, pgerr.New(pgerr.InvalidObjectDefinition, "DELETE trigger's WHEN condition cannot reference NEW values")
	}
	r := v.rows.Relation
	if len(parts) == 1 {
		out := &Variable{Record: true, Composite: r.RowType()}
		for i := range r.Columns {
			if !r.Columns[i].Hidden {
				out.Names = append(out.Names, r.Columns[i].Name)
				out.Fields = append(out.Fields, *v.column(isNew, i))
			}
		}
		return out, nil
	}
	i, ok := r.ColumnByName(parts[1])
	if !ok {
		return nil, pgerr.New(pgerr.UndefinedColumn, "column %s.%s does not exist", name, parts[1])
	}
	return v.column(isNew, i), nil
}

func (v *triggerVariables) column(isNew bool, col int) *Variable {
	c := TriggerColumn{isNew, col}
	t := v.rows.Relation.Columns[col].Type
	for i, p := range v.params {
		if p == c {
			return &Variable{N: i + 1, T: t}
		}
	}
	v.params = append(v.params, c)
	return &Variable{N: len(v.params), T: t}
}

// Values are the condition's parameters for two rows.
func (w *TriggerWhen) Values(dst []types.Datum, old, cur types.Row) []types.Datum {
	for _, p := range w.Params {
		row := old
		if p.New {
			row = cur
		}
		if row == nil {
			dst = append(dst, types.Null)
		} else {
			dst = append(dst, row[p.Column])
		}
	}
	return dst
}
