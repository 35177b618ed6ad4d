package expr

import (
	"raisind/pgerr"
	"raisind/sql/types"
)

// NewRecord makes a row of fields; names may be nil.
func NewRecord(fields []Expr, names []string) *Record {
	e := &Record{Fields: fields, Names: names, types: make([]*types.Type, len(fields))}
	for i, f := range fields {
		e.types[i] = f.Type()
	}
	return e
}

// Type implements Expr.
func (e *Record) Type() *types.Type { return types.TRecord }

// Eval implements Expr.
func (e *Record) Eval(ec *Ctx, row types.Row) (types.Datum, error) {
	rec := &types.Record{Names: e.Names, Types: e.types, Fields: make([]types.Datum, len(e.Fields))}
	for i, f := range e.Fields {
		v, err := f.Eval(ec, row)
		if err != nil {
			return types.Null, err
		}
		rec.Fields[i] = v
	}
	return types.Ref(rec), nil
}

// Type implements Expr.
func (e *Field) Type() *types.Type { return e.T }

// Eval implements Expr.
func (e *Field) Eval(ec *Ctx, row types.Row) (types.Datum, error) {
	v, err := e.Arg.Eval(ec, row)
	if err != nil || v.IsNull() {
		return types.Null, err
	}
	rec, ok := v.Ref().(*types.Record)
	if !ok || e.Index >= len(rec.Fields) {
		return types.Null, pgerr.New(pgerr.UndefinedColumn, "could not identify column %q in record data type", e.Name)
	}
	return rec.Fields[e.Index], nil
}
