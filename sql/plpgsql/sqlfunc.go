package plpgsql

import (
	"strings"

	"raisind/pgerr"
	"raisind/sql/ast"
	"raisind/sql/parser"
	"raisind/sql/types"
)

// CompileSQL reads the body of a function in SQL: statements, or with standard RETURN … or
// BEGIN ATOMIC … END. An error's position counts characters of the body.
func CompileSQL(def Definition, cat Types, standard bool) (*Function, error) {
	fn := &Function{Definition: def, rows: map[int][]target{}, outRow: -1, newRow: -1, oldRow: -1, conflict: useColumn}
	r := &reader{src: def.Body, fn: fn, cat: cat, ns: &scope{kind: nsBlock, name: def.Name}}
	r.arguments()
	fn.found = r.add(variable{name: "found", t: types.TBool, typmod: -1}, false)
	if r.err != nil {
		return nil, r.err
	}
	text, skip := def.Body, 0
	if standard {
		trimmed := strings.TrimSpace(text)
		lower := strings.ToLower(trimmed)
		if strings.HasPrefix(lower, "return") {
			skip = len("return")
			f := &fragment{mode: modeExpr, text: strings.TrimSpace(trimmed[skip:]), pos: skip, ns: r.ns}
			r.toks = []parser.Token{{}}
			r.parse(f)
			if r.err != nil {
				return nil, r.err
			}
			fn.sql = []*fragment{f}
			return fn, nil
		}
		// BEGIN ATOMIC … END
		toks, err := parser.Tokens(text)
		if err != nil {
			return nil, err
		}
		if len(toks) > 3 {
			skip = toks[1].End
			text = strings.Repeat(" ", skip) + text[skip:toks[len(toks)-2].Start]
		}
	}
	list, err := parser.Parse(text)
	if err != nil {
		return nil, err
	}
	for _, s := range list {
		switch s.Node.(type) {
		case *ast.Begin, *ast.Commit, *ast.Rollback, *ast.Savepoint, *ast.Release, *ast.RollbackTo:
			return nil, pgerr.New(pgerr.FeatureNotSupported, "%s is not allowed in an SQL function", commandWord(s.Text))
		}
		fn.sql = append(fn.sql, &fragment{mode: modeStatement, text: s.Text, pos: s.Offset, stmt: parser.Statement{Node: s.Node, Text: s.Text}, ns: r.ns})
	}
	return fn, nil
}

// CheckSQL plans the statements of a function in SQL and compares the last one's columns
// with the result. An error's position counts characters of the body.
func (in *Interpreter) CheckSQL(fn *Function) error {
	f := in.newFrame(in.ctx(), fn)
	for i, q := range fn.sql {
		if !isPlanned(q.stmt.Node) {
			continue
		}
		p, err := f.planOf(q)
		if err != nil {
			e := *pgerr.From(err)
			if e.InternalPos > 0 {
				e.Pos = pgerr.CharPos(fn.Body, min(q.pos+byteAt(q.text, e.InternalPos), len(fn.Body)))
			}
			e.InternalPos, e.InternalQuery, e.Where = 0, "", ""
			return &e
		}
		if i == len(fn.sql)-1 {
			if err := f.checkResult(p); err != nil {
				return err
			}
		}
	}
	if len(fn.sql) == 0 || !isPlanned(fn.sql[len(fn.sql)-1].stmt.Node) {
		return f.checkResult(nil)
	}
	return nil
}

func (f *frame) checkResult(p *prepared) error {
	fn := f.fn
	if fn.Result == types.TVoid || fn.Procedure {
		return nil
	}
	mismatch := func(detail string, args ...any) error {
		return pgerr.New(pgerr.InvalidFunctionDefinition, "return type mismatch in function declared to return %s", fn.Result).WithDetail(detail, args...)
	}
	if p == nil || p.st.Columns == nil {
		return mismatch("Function's final statement must be SELECT or INSERT/UPDATE/DELETE RETURNING.")
	}
	cols := p.st.Columns
	if fn.Columns == nil {
		if fn.Result == types.TRecord {
			return nil
		}
		if len(cols) != 1 {
			return mismatch("Final statement must return exactly one column.")
		}
		if c, ok := types.FindCast(cols[0].Type, fn.Result); !ok || c.Context < types.Assignment && cols[0].Type != fn.Result {
			return mismatch("Actual return type is %s.", cols[0].Type)
		}
		return nil
	}
	if len(cols) == 1 && (cols[0].Type == types.TRecord || cols[0].Type.Category == types.CategoryComposite) {
		return nil
	}
	if len(cols) < len(fn.Columns.Types) {
		return mismatch("Final statement returns too few columns.")
	}
	if len(cols) > len(fn.Columns.Types) {
		return mismatch("Final statement returns too many columns.")
	}
	for i, c := range cols {
		if x, ok := types.FindCast(c.Type, fn.Columns.Types[i]); !ok || x.Context < types.Assignment && c.Type != fn.Columns.Types[i] {
			return mismatch("Final statement returns %s instead of %s at column %d.", c.Type, fn.Columns.Types[i], i+1)
		}
	}
	return nil
}

// runSQL runs a function in SQL: its result is that of the last statement.
func (f *frame) runSQL() (types.Datum, error) {
	fn := f.fn
	for i, q := range fn.sql {
		f.sqlAt = i + 1
		last := i == len(fn.sql)-1
		if !isPlanned(q.stmt.Node) {
			if err := f.utility(q, nil, false); err != nil {
				return types.Null, err
			}
			continue
		}
		p, err := f.planOf(q)
		if err != nil {
			return types.Null, err
		}
		if !last || fn.Result == types.TVoid || fn.Procedure && len(fn.outs) == 0 || p.st.Columns == nil {
			if _, err := f.rowsOf(q, p, 0, nil); err != nil {
				return types.Null, err
			}
			continue
		}
		ts := columnTypes(p.st.Columns)
		max := int64(1)
		if fn.Set || p.st.Verb != "SELECT" {
			max = 0
		}
		first := true
		if _, err = f.rowsOf(q, p, max, func(row types.Row) error {
			if !fn.Set && !first {
				return nil
			}
			first = false
			return f.sqlRow(row, ts)
		}); err != nil {
			return types.Null, err
		}
	}
	return f.ret, nil
}

// sqlRow takes one row of the last statement.
func (f *frame) sqlRow(row types.Row, ts []*types.Type) error {
	fn := f.fn
	if len(row) == 1 && row[0].Record() != nil && (fn.Columns != nil || fn.Result == types.TRecord) {
		rec := row[0].Record()
		row, ts = rec.Fields, rec.Types
	}
	if fn.Procedure {
		rec := &types.Record{}
		for i, dno := range fn.outs {
			if i < len(row) {
				v, err := f.cast(row[i], ts[i], fn.vars[dno].t, -1)
				if err != nil {
					return err
				}
				rec.Names, rec.Types, rec.Fields = append(rec.Names, fn.vars[dno].name), append(rec.Types, fn.vars[dno].t), append(rec.Fields, v)
			}
		}
		f.ret = types.Ref(rec)
		return nil
	}
	var out types.Row
	var names []string
	var err error
	switch {
	case fn.Columns != nil:
		if out, err = f.fitRow(row, ts, "return type mismatch in function declared to return record"); err != nil {
			return err
		}
		names, ts = fn.Columns.Names, fn.Columns.Types
	case fn.Result == types.TRecord:
		out = append(types.Row{}, row...)
	default:
		v, err := f.cast(row[0], ts[0], fn.Result, -1)
		if err != nil {
			return err
		}
		if fn.Set {
			f.rows = append(f.rows, types.Row{v})
		} else {
			f.ret = v
		}
		return nil
	}
	switch {
	case fn.Set && fn.Columns == nil:
		f.rows = append(f.rows, recordRow(out, ts))
		return nil
	case fn.Set:
		f.rows = append(f.rows, out)
		return nil
	}
	f.ret = types.Ref(&types.Record{Names: names, Types: append([]*types.Type(nil), ts...), Fields: out})
	return nil
}
