package plpgsql

import (
	"raisind/pgerr"
	"raisind/sql/types"
)

func (f *frame) returnStmt(s *returnStmt) error {
	fn := f.fn
	if fn.Trigger {
		return f.returnTrigger(s)
	}
	if s.value == nil {
		return nil
	}
	v, t, mod, err := f.returned(s.dno, s.value)
	if err != nil {
		return err
	}
	if fn.Inline || fn.Result == types.TVoid {
		return nil
	}
	f.ret, err = f.fitResult(v, t, mod)
	return err
}

// returned computes what RETURN is given.
func (f *frame) returned(dno int, q *fragment) (types.Datum, *types.Type, int32, error) {
	if dno >= 0 {
		d := &f.fn.vars[dno]
		if d.t != nil {
			if d.kind == recordVar && f.slots[dno].desc == nil && d.t == types.TRecord {
				return types.Null, types.TRecord, -1, nil
			}
			return f.whole(dno), d.t, d.typmod, nil
		}
	}
	return f.evalExpr(q)
}

// fitResult converts a value to the function's result.
func (f *frame) fitResult(v types.Datum, t *types.Type, _ int32) (types.Datum, error) {
	fn := f.fn
	if fn.Columns == nil && fn.Result != types.TRecord {
		if t == fn.Result {
			return v, nil
		}
		f.text = "while casting return value to function's return type"
		r, err := f.cast(v, t, fn.Result, -1)
		if err == nil {
			f.text = ""
		}
		return r, err
	}
	rec := v.Record()
	switch {
	case v.IsNull():
		return v, nil
	case rec == nil:
		return v, pgerr.New(pgerr.DatatypeMismatch, "cannot return non-composite value from function returning composite type")
	case fn.Columns == nil:
		return v, nil
	}
	row, err := f.fitRow(rec.Fields, rec.Types, "returned record type does not match expected record type")
	if err != nil {
		return v, err
	}
	return types.Ref(&types.Record{Names: fn.Columns.Names, Types: fn.Columns.Types, Fields: row}), nil
}

// fitRow converts a row to the columns of the result.
func (f *frame) fitRow(vals []types.Datum, ts []*types.Type, msg string) (types.Row, error) {
	c := f.fn.Columns
	if len(vals) != len(c.Types) {
		return nil, pgerr.New(pgerr.DatatypeMismatch, "%s", msg).
			WithDetail("Number of returned columns (%d) does not match expected column count (%d).", len(vals), len(c.Types))
	}
	row := make(types.Row, len(vals))
	for i, v := range vals {
		if ts[i] != c.Types[i] {
			cast, ok := types.FindCast(ts[i], c.Types[i])
			if ok && cast.Context < types.Assignment && ts[i] != types.TUnknown || !ok {
				return nil, pgerr.New(pgerr.DatatypeMismatch, "%s", msg).
					WithDetail("Returned type %s does not match expected type %s in column %d.", ts[i], c.Types[i], i+1)
			}
		}
		var err error
		if row[i], err = f.cast(v, ts[i], c.Types[i], c.Typmods[i]); err != nil {
			return nil, err
		}
	}
	return row, nil
}

func (f *frame) returnNext(s *returnNext) error {
	fn := f.fn
	if s.value == nil {
		var row types.Row
		for _, dno := range fn.outs {
			row = append(row, f.whole(dno))
		}
		f.rows = append(f.rows, row)
		return nil
	}
	v, t, _, err := f.returned(s.dno, s.value)
	if err != nil {
		return err
	}
	if fn.Columns == nil {
		if fn.Result == types.TRecord {
			if rec := v.Record(); rec != nil {
				f.rows = append(f.rows, types.Row{v})
				return nil
			}
			return pgerr.New(pgerr.DatatypeMismatch, "cannot return non-composite value from function returning composite type")
		}
		if v, err = f.cast(v, t, fn.Result, -1); err != nil {
			return err
		}
		f.rows = append(f.rows, types.Row{v})
		return nil
	}
	rec := v.Record()
	if rec == nil {
		if !v.IsNull() {
			return pgerr.New(pgerr.DatatypeMismatch, "cannot return non-composite value from function returning composite type")
		}
		f.rows = append(f.rows, make(types.Row, len(fn.Columns.Types)))
		return nil
	}
	row, err := f.fitRow(rec.Fields, rec.Types, "wrong record type supplied in RETURN NEXT")
	if err != nil {
		return err
	}
	f.rows = append(f.rows, row)
	return nil
}

func (f *frame) returnQuery(s *returnQuery) error {
	var n int64
	add := func(row types.Row, ts []*types.Type) error {
		n++
		if f.fn.Columns == nil {
			if f.fn.Result == types.TRecord {
				f.rows = append(f.rows, recordRow(row, ts))
				return nil
			}
			if len(row) != 1 || row[0].Record() == nil && ts[0] != f.fn.Result {
				if len(row) == 1 {
					if c, ok := types.FindCast(ts[0], f.fn.Result); ok && c.Context >= types.Assignment {
						v, err := f.cast(row[0], ts[0], f.fn.Result, -1)
						f.rows = append(f.rows, types.Row{v})
						return err
					}
					return pgerr.New(pgerr.DatatypeMismatch, "structure of query does not match function result type").
						WithDetail("Returned type %s does not match expected type %s in column 1.", ts[0], f.fn.Result)
				}
				return pgerr.New(pgerr.DatatypeMismatch, "structure of query does not match function result type").
					WithDetail("Number of returned columns (%d) does not match expected column count (1).", len(row))
			}
			f.rows = append(f.rows, types.Row{row[0]})
			return nil
		}
		out, err := f.fitRow(row, ts, "structure of query does not match function result type")
		if err != nil {
			return err
		}
		f.rows = append(f.rows, out)
		return nil
	}
	var err error
	if s.source.dynamic {
		var d *dyn
		if d, err = f.dynamicQuery(&s.source); err != nil {
			return err
		}
		ts := columnTypes(d.p.st.Columns)
		_, err = d.run(f, 0, func(row types.Row) error { return add(row, ts) })
	} else {
		if !isPlanned(s.source.q.stmt.Node) {
			return pgerr.New(pgerr.SyntaxError, "cannot open %s query as cursor", commandWord(s.source.q.text))
		}
		var p *prepared
		if p, err = f.planOf(s.source.q); err != nil {
			return err
		}
		if p.st.Columns == nil {
			return pgerr.New(pgerr.InvalidCursorDefinition, "query does not return tuples")
		}
		ts := columnTypes(p.st.Columns)
		if f.fn.Columns != nil && len(ts) != len(f.fn.Columns.Types) { // said even of no rows
			if _, err := f.fitRow(make([]types.Datum, len(ts)), ts, "structure of query does not match function result type"); err != nil {
				return err
			}
		}
		_, err = f.query(s.source.q, p, 0, func(row types.Row) error { return add(row, ts) })
	}
	if err != nil {
		return err
	}
	f.processed = n
	f.setFound(n > 0)
	return nil
}

// recordRow is a row as one value: that of a function whose columns nobody knows.
func recordRow(row types.Row, ts []*types.Type) types.Row {
	return types.Row{types.Ref(&types.Record{Types: ts, Fields: append(types.Row(nil), row...)})}
}
