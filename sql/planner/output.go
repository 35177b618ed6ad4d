package planner

import (
	"raisind/pgerr"
	"raisind/sql/expr"
	"raisind/sql/plan"
	"raisind/sql/types"
)

// output is the expression behind an output column, for what can be told from it.
func (q *query) output(i int) expr.Expr {
	if q.post != nil && q.post[i] != nil {
		return q.post[i]
	}
	return q.targets[i].e
}

// outputType is the type of an output column; unknown while nobody decided it.
func (q *query) outputType(i int) *types.Type {
	if q.post != nil && q.post[i] != nil {
		return q.post[i].Type()
	}
	switch q.kind {
	case valuesQuery:
		return q.rows[0][i].Type()
	case setQuery:
		return q.out.cols[i].t
	}
	return q.targets[i].e.Type()
}

func (q *query) outputTyped(i int) typed { return typed{typeOnly{q.outputType(i)}, q.targets[i].at} }

// typmod is the type modifier of an output column.
func (q *query) typmod(i int) int32 {
	if q.post != nil && q.post[i] != nil {
		return typmodOf(q.post[i])
	}
	switch q.kind {
	case valuesQuery:
		column := make([]expr.Expr, len(q.rows))
		for r := range q.rows {
			column[r] = q.rows[r][i]
		}
		return commonTypmod(column)
	case setQuery:
		return q.out.cols[i].typmod
	}
	return typmodOf(q.targets[i].e)
}

// columns describes the rows q yields, as a range item has them.
func (q *query) columns() []column {
	cols := make([]column, q.visible)
	for i := range cols {
		c := column{name: q.targets[i].name, t: q.outputType(i), typmod: q.typmod(i)}
		if c.t == types.TRecord && q.kind == plainQuery {
			c.fields = fieldsOf(q.output(i))
		}
		if v := q.origin(i); v != nil {
			c.oid, c.attnum = v.column().oid, v.column().attnum
		}
		cols[i] = c
	}
	return cols
}

// origin is the table column that an output column is, nil when it is computed.
func (q *query) origin(i int) *variable {
	if q.kind != plainQuery || q.post != nil && q.post[i] != nil {
		return nil
	}
	v, _ := q.targets[i].e.(*variable)
	return v
}

// outRel is the range item that stands for q's rows.
func (q *query) outRel() *rel {
	if q.out == nil {
		q.out = &rel{kind: relOut, cols: q.columns()}
	}
	return q.out
}

// coerceOutput makes an output column of type t; what names the construct for errors.
func (b *builder) coerceOutput(q *query, i int, t *types.Type, what string) error {
	from := q.outputType(i)
	if from == t {
		return nil
	}
	convert := func(e expr.Expr, at int) (expr.Expr, error) {
		r, ok, err := b.coerce(e, t, -1, types.Implicit, at)
		if err == nil && !ok {
			err = b.err(pgerr.CannotCoerce, at, "%s could not convert type %s to %s", what, from, t)
		}
		return r, err
	}
	var err error
	switch {
	case q.kind == valuesQuery:
		for r := range q.rows {
			if q.rows[r][i], err = convert(q.rows[r][i], q.targets[i].at); err != nil {
				return err
			}
		}
		q.targets[i].e = q.rows[0][i]
		if q.out != nil {
			q.out.cols[i].t = t
		}
	case q.kind == plainQuery:
		q.targets[i].e, err = convert(q.targets[i].e, q.targets[i].at)
	case from == types.TUnknown:
		for _, side := range []*query{q.left, q.right} {
			if err := b.coerceOutput(side, i, t, what); err != nil {
				return err
			}
		}
		q.out.cols[i].t = t
	default:
		if q.post == nil {
			q.post = make([]expr.Expr, q.visible)
		}
		q.post[i], err = convert(q.out.newVar(i, q.targets[i].at), q.targets[i].at)
	}
	return err
}

// resultColumns describes the result of the statement.
func (b *builder) resultColumns(q *query) []plan.Column { return planColumns(q.columns()) }

// planColumns turns columns into those of a plan.
func planColumns(cols []column) []plan.Column {
	out := make([]plan.Column, len(cols))
	for i, c := range cols {
		out[i] = plan.Column{Name: c.name, Type: c.t, Typmod: c.typmod, TableOID: c.oid, AttNum: c.attnum}
	}
	return out
}
