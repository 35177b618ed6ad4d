package plpgsql

import (
	"context"
	"slices"
	"strings"

	"raisind/pgerr"
	"raisind/sql/ast"
	"raisind/sql/plan"
	"raisind/sql/types"
)

// execSQL runs a statement of SQL.
func (f *frame) execSQL(s *execSQL) error {
	if !isPlanned(s.q.stmt.Node) {
		return f.utility(s.q, s.into, s.strict)
	}
	p, err := f.planOf(s.q)
	if err != nil {
		return err
	}
	if s.into == nil {
		if p.st.Columns != nil && s.kind != "PERFORM" && (p.st.Verb == "SELECT" || len(p.st.Columns) > 0) {
			return pgerr.New(pgerr.SyntaxError, "query has no destination for result data").
				WithHint("%s", noDestinationHint(p.st))
		}
		n, err := f.query(s.q, p, 0, nil)
		if err != nil {
			return err
		}
		f.processed = n
		f.setFound(n > 0)
		return nil
	}
	if p.st.Columns == nil {
		return pgerr.New(pgerr.SyntaxError, "INTO used with a command that cannot return data")
	}
	row, n, err := f.one(s.q, p, s.strict || p.st.Verb != "SELECT")
	if err != nil {
		return err
	}
	return f.into(s.into, p, row, n, s.strict, p.st.Verb != "SELECT", s.q, nil)
}

func noDestinationHint(st *plan.Statement) string {
	if st.Verb == "SELECT" {
		return "If you want to discard the results of a SELECT, use PERFORM instead."
	}
	return "If you want to discard the results, use PERFORM instead."
}

// one fetches the first row of a query and, when it is to be known, whether there is a
// second.
func (f *frame) one(q *fragment, p *prepared, second bool) (row types.Row, n int64, err error) {
	max := int64(1)
	if second {
		max = 2
	}
	if p.st.Verb != "SELECT" {
		max = 0
	}
	seen := int64(0)
	n, err = f.query(q, p, max, func(r types.Row) error {
		if seen++; seen == 1 {
			row = slices.Clone(r)
			if row == nil {
				row = types.Row{}
			}
		}
		return nil
	})
	return row, max2(n, seen), err
}

func max2(a, b int64) int64 { return max(a, b) }

// into assigns the row of a statement with INTO.
func (f *frame) into(to *target, p *prepared, row types.Row, n int64, strict, modifies bool, q *fragment, using []string) error {
	f.processed = min(n, max(n, 0))
	if n == 0 || row == nil {
		if strict {
			return f.strictDetail(pgerr.New(pgerr.NoDataFound, "query returned no rows"), q, p)
		}
		f.processed = 0
		f.setFound(false)
		return f.assignRow(to, p.st.Columns, nil, p)
	}
	if n > 1 && (strict || modifies) {
		e := pgerr.New(pgerr.TooManyRows, "query returned more than one row")
		if modifies && !strict {
			e.WithHint("Make sure the query returns a single row, or use LIMIT 1.")
		} else {
			e.WithHint("Make sure the query returns a single row, or use LIMIT 1.")
		}
		return f.strictDetail(e, q, p)
	}
	f.processed = 1
	f.setFound(true)
	return f.assignRow(to, p.st.Columns, row, p)
}

// strictDetail adds the parameters when the body asks for them.
func (f *frame) strictDetail(e *pgerr.Error, q *fragment, p *prepared) error {
	if !f.fn.printStrict || p == nil || len(p.params) == 0 {
		return e
	}
	var parts []string
	for i, v := range f.values(p, true) {
		src := p.params[i]
		d := &f.fn.vars[src.dno]
		name, t := d.name, d.t
		if src.field >= 0 {
			desc := f.slots[src.dno].desc
			name, t = d.name+"."+desc.names[src.field], desc.types[src.field]
		}
		text := "NULL"
		if !v.IsNull() {
			text = "'" + strings.ReplaceAll(string(t.AppendText(nil, v, f.env())), "'", "''") + "'"
		}
		parts = append(parts, name+"="+text)
	}
	return e.WithDetail("parameters: %s", strings.Join(parts, ", "))
}

func columnTypes(cols []plan.Column) []*types.Type {
	ts := make([]*types.Type, len(cols))
	for i := range cols {
		ts[i] = cols[i].Type
	}
	return ts
}

// descOf describes the rows of a plan; the same for each run of it.
func (p *prepared) descOf() *fields {
	if p.desc == nil {
		p.desc = fieldsOfColumns(p.st.Columns)
	}
	return p.desc
}

func fieldsOfColumns(cols []plan.Column) *fields {
	d := &fields{}
	for _, c := range cols {
		d.names, d.types, d.typmods = append(d.names, c.Name), append(d.types, c.Type), append(d.typmods, c.Typmod)
	}
	return d
}

// assignRow assigns a row to a record or a list of variables; nil is a row of NULLs.
func (f *frame) assignRow(to *target, cols []plan.Column, row types.Row, p *prepared) error {
	d := &f.fn.vars[to.dno]
	if d.kind == rowVar {
		list := f.fn.rows[to.dno]
		if len(cols) == 1 && len(list) > 1 && row != nil && row[0].Record() != nil {
			rec := row[0].Record()
			return f.spread(list, rec.Fields, rec.Types)
		}
		ts := columnTypes(cols)
		if row == nil {
			row = make(types.Row, len(cols))
		}
		return f.spread(list, row, ts)
	}
	s := &f.slots[to.dno]
	if len(cols) == 1 && row != nil && row[0].Record() != nil {
		return f.storeRecord(to.dno, row[0])
	}
	if d.desc != nil {
		if row == nil {
			s.vals = nil
			return nil
		}
		return f.storeRow(to.dno, row, columnTypes(cols))
	}
	if p != nil {
		s.desc = p.descOf()
	} else {
		s.desc = fieldsOfColumns(cols)
	}
	if row == nil {
		s.vals = make([]types.Datum, len(cols))
		return nil
	}
	s.vals = slices.Clone(row)
	return nil
}

// utility runs a statement that is not planned.
func (f *frame) utility(q *fragment, into *target, strict bool) error {
	if f.fn.ReadOnly {
		return pgerr.New(pgerr.FeatureNotSupported, "%s is not allowed in a non-volatile function", commandWord(q.text))
	}
	switch n := q.stmt.Node.(type) {
	case *ast.Begin, *ast.Commit, *ast.Rollback, *ast.Savepoint, *ast.Release, *ast.RollbackTo, *ast.TwoPhase:
		return pgerr.New(pgerr.FeatureNotSupported, "unsupported transaction command in PL/pgSQL")
	case *ast.Copy:
		_ = n
		return pgerr.New(pgerr.FeatureNotSupported, "cannot COPY to/from client in PL/pgSQL")
	}
	v := &finder{f: f, ns: q.ns}
	if q.ns == nil {
		v = nil
	}
	f.in.stack = append(f.in.stack, entry{sql: q.context()})
	var res Result
	var err error
	if v != nil {
		res, err = f.in.host.Utility(f.ctx, q.stmt, v, func() []types.Datum {
			return f.values(&prepared{params: v.params}, true)
		})
	} else {
		res, err = f.in.host.Utility(f.ctx, q.stmt, nil, nil)
	}
	f.in.stack = f.in.stack[:len(f.in.stack)-1]
	if err != nil {
		return f.inFragment(err, q)
	}
	f.eval.Ctx = nil // the transaction may be another
	f.processed = res.Count
	if res.Out {
		return f.outArguments(q, res)
	}
	if into != nil {
		if res.Columns == nil {
			return pgerr.New(pgerr.SyntaxError, "INTO used with a command that cannot return data")
		}
		p := &prepared{st: &plan.Statement{Columns: res.Columns}}
		var row types.Row
		if len(res.Rows) > 0 {
			row = res.Rows[0]
		}
		return f.into(into, p, row, int64(len(res.Rows)), strict, false, q, nil)
	}
	if res.Columns != nil {
		return pgerr.New(pgerr.SyntaxError, "query has no destination for result data")
	}
	return nil
}

func commandWord(text string) string {
	w := strings.Fields(text)
	if len(w) == 0 {
		return "this command"
	}
	n := 1
	if len(w) > 1 {
		switch strings.ToLower(w[0]) {
		case "create", "alter", "drop":
			n = 2
		}
	}
	return strings.ToUpper(strings.Join(w[:n], " "))
}

// outArguments assigns the output arguments of CALL to the variables given for them.
func (f *frame) outArguments(q *fragment, res Result) error {
	call, ok := q.stmt.Node.(*ast.Call)
	if !ok || len(res.Rows) == 0 {
		return nil
	}
	next := 0
	for i, a := range call.Func.Args {
		if i >= len(res.Columns) || res.Columns[i].Type == nil {
			continue // an input
		}
		if n, ok := a.(*ast.NamedArg); ok {
			a = n.Value
		}
		name := res.Columns[i].Name
		ref, isRef := a.(*ast.ColumnRef)
		var to target
		if isRef && !ref.Star {
			if it, used := q.ns.lookup(ref.Parts); it != nil {
				to = target{dno: it.dno, name: strings.Join(ref.Parts, ".")}
				for _, p := range ref.Parts[used:] {
					to.path = append(to.path, step{field: p})
				}
				if f.fn.vars[it.dno].constant {
					return pgerr.New(pgerr.ErrorInAssignment, `variable "%s" is declared CONSTANT`, f.fn.vars[it.dno].name)
				}
			} else {
				isRef = false
			}
		}
		if !isRef {
			return pgerr.New(pgerr.SyntaxError, `procedure parameter "%s" is an output parameter but corresponding argument is not writable`, name)
		}
		if err := f.assignTo(&to, res.Rows[0][next], res.Columns[i].Type, -1); err != nil {
			return err
		}
		next++
	}
	return nil
}

// text computes the text of EXECUTE.
func (f *frame) text1(q *fragment, what string) (string, error) {
	v, t, _, err := f.evalExpr(q)
	if err != nil {
		return "", err
	}
	if v.IsNull() {
		return "", pgerr.New(pgerr.NullValueNotAllowed, "%s", what)
	}
	return string(t.AppendText(nil, v, f.env())), nil
}

// using computes the parameters of EXECUTE.
func (f *frame) using(list []*fragment) ([]types.Datum, []*types.Type, error) {
	var vals []types.Datum
	var ts []*types.Type
	for _, q := range list {
		v, t, _, err := f.evalExpr(q)
		if err != nil {
			return nil, nil, err
		}
		vals, ts = append(vals, v), append(ts, t)
	}
	return vals, ts, nil
}

// dyn is a statement of EXECUTE, planned.
type dyn struct {
	q    *fragment
	p    *prepared
	vals []types.Datum
}

// planDynamic plans a statement of EXECUTE.
func (f *frame) planDynamic(q *fragment, vals []types.Datum, ts []*types.Type) (*dyn, error) {
	opt := f.in.host.PlannerOptions(q.stmt.Text)
	opt.ParamTypes = ts
	if f.tables != nil {
		opt.Virtual = transitions{f.tables, opt.Virtual}
	}
	if sel, ok := q.stmt.Node.(*ast.Select); ok && sel.Into != nil {
		return nil, pgerr.New(pgerr.FeatureNotSupported, "EXECUTE of SELECT ... INTO is not implemented").
			WithHint("You might want to use EXECUTE ... INTO or EXECUTE CREATE TABLE ... AS instead.")
	}
	st, err := planStatement(f.ctx, q, opt)
	if err != nil {
		return nil, f.inFragment(err, q)
	}
	return &dyn{q: q, p: &prepared{st: st, simple: nil}, vals: vals}, nil
}

// run executes it.
func (d *dyn) run(f *frame, max int64, fn func(types.Row) error) (int64, error) {
	f.in.stack = append(f.in.stack, entry{sql: d.q.context()})
	n, err := d.rows(f, max, fn)
	f.in.stack = f.in.stack[:len(f.in.stack)-1]
	if err != nil {
		return n, f.inFragment(err, d.q)
	}
	return n, nil
}

func (d *dyn) rows(f *frame, max int64, fn func(types.Row) error) (n int64, err error) {
	if err := f.mayWrite(d.p.st); err != nil {
		return 0, err
	}
	run, err := f.in.host.Open(f.ctx, d.p.st, d.vals)
	if err != nil {
		return 0, err
	}
	defer run.Close()
	if d.p.st.Writes {
		max = 0 // what it writes, it writes all of
	}
	for max == 0 || n < max {
		row, ok, err := run.Next()
		if err != nil {
			return n, err
		}
		if !ok {
			break
		}
		n++
		if fn != nil {
			if err := fn(row); err != nil {
				return n, err
			}
		}
	}
	if d.p.st.Verb != "SELECT" {
		n = run.RowsAffected()
	}
	return n, nil
}

func (f *frame) execute(s *execute) error {
	text, err := f.text1(s.q, "query string argument of EXECUTE is null")
	if err != nil {
		return err
	}
	vals, ts, err := f.using(s.using)
	if err != nil {
		return err
	}
	list, err := dynamic(text)
	if err != nil {
		return err
	}
	for i, q := range list {
		last := i == len(list)-1
		if !isPlanned(q.stmt.Node) {
			switch q.stmt.Node.(type) {
			case *ast.Begin, *ast.Commit, *ast.Rollback, *ast.Savepoint, *ast.Release, *ast.RollbackTo:
				return pgerr.New(pgerr.FeatureNotSupported, "EXECUTE of transaction commands is not implemented")
			}
			to := s.into
			if !last {
				to = nil
			}
			if err := f.utility(q, to, s.strict); err != nil {
				return err
			}
			continue
		}
		d, err := f.planDynamic(q, vals, ts)
		if err != nil {
			return err
		}
		if s.into == nil || !last {
			n, err := d.run(f, 0, nil)
			if err != nil {
				return err
			}
			f.processed = n
			continue
		}
		if d.p.st.Columns == nil {
			return pgerr.New(pgerr.SyntaxError, "INTO used with a command that cannot return data")
		}
		var row types.Row
		max := int64(0)
		if d.p.st.Verb == "SELECT" {
			max = 2
		}
		seen := int64(0)
		n, err := d.run(f, max, func(r types.Row) error {
			if seen++; seen == 1 {
				row = append(types.Row{}, r...)
			}
			return nil
		})
		if err != nil {
			return err
		}
		n = max2(n, seen)
		found := f.slots[f.fn.found].val
		if n > 1 && !s.strict {
			n = 1
		}
		err = f.into(s.into, d.p, row, n, s.strict, false, q, nil)
		f.slots[f.fn.found].val = found // EXECUTE leaves FOUND alone
		if err != nil {
			return err
		}
	}
	return nil
}

// forQuery loops over the rows of a query or cursor.
func (f *frame) forQuery(s *forQuery) (outcome, error) {
	found := false
	defer func() { f.setFound(found) }()
	rc := rcOK
	stop := false
	body := func(cols []plan.Column, row types.Row, p *prepared) error {
		found = true
		f.cur = s
		if err := f.assignRow(&s.into, cols, row, p); err != nil {
			return err
		}
		depth := f.in.stack
		out, err := f.stmts(s.body)
		f.in.stack = depth
		if err != nil {
			return bodyError{err}
		}
		var on bool
		if on, rc = f.again(out, s.label); !on {
			stop = true
			return errStop
		}
		return nil
	}
	var err error
	switch {
	case s.cursor >= 0:
		err = f.forCursor(s, body)
	case s.source.dynamic:
		err = f.forDynamic(s, body)
	default:
		var p *prepared
		if p, err = f.planOf(s.source.q); err != nil {
			return rcOK, err
		}
		if p.st.Columns == nil {
			return rcOK, pgerr.New(pgerr.InvalidCursorDefinition, "cannot open %s query as cursor", p.st.Verb)
		}
		err = f.loopRows(s.source.q, p, nil, body)
	}
	if b, ok := err.(bodyError); ok {
		return rcOK, b.error
	}
	if stop {
		err = nil
	}
	if err == nil {
		f.cur = s
	}
	return rc, err
}

// bodyError is an error of a loop's body, which is not the query's.
type bodyError struct{ error }

type stopped struct{}

func (stopped) Error() string { return "loop left" }

var errStop error = stopped{}

// loopRows runs a loop's body for each row of a query. The body's calls are not the
// query's: it stands on the stack only while rows are read.
func (f *frame) loopRows(q *fragment, p *prepared, vals []types.Datum, body func([]plan.Column, types.Row, *prepared) error) error {
	if err := f.mayWrite(p.st); err != nil {
		return err
	}
	wrap := func(err error) error { return f.inFragment(err, q) }
	var run interface {
		Next() (types.Row, bool, error)
		Close() error
	}
	var err error
	f.in.stack = append(f.in.stack, entry{sql: q.context()})
	if vals != nil {
		run, err = f.in.host.Open(f.ctx, p.st, vals)
	} else {
		run, err = f.open(q, &p)
	}
	f.in.stack = f.in.stack[:len(f.in.stack)-1]
	if err != nil {
		return wrap(err)
	}
	defer run.Close()
	next := run.Next
	if !f.atomic { // the body may end the transaction that the query reads in
		var rows []types.Row
		for {
			row, ok, err := run.Next()
			if err != nil {
				return wrap(err)
			}
			if !ok {
				break
			}
			rows = append(rows, slices.Clone(row))
		}
		run.Close()
		at := 0
		next = func() (types.Row, bool, error) {
			if at == len(rows) {
				return nil, false, nil
			}
			at++
			return rows[at-1], true, nil
		}
	}
	for {
		f.in.stack = append(f.in.stack, entry{sql: q.context()})
		row, ok, err := next()
		f.in.stack = f.in.stack[:len(f.in.stack)-1]
		if err != nil {
			return wrap(err)
		}
		if !ok {
			return nil
		}
		if f.ctx.Err() != nil {
			return context.Cause(f.ctx)
		}
		if err := body(p.st.Columns, row, p); err != nil {
			return err
		}
	}
}

func (f *frame) forDynamic(s *forQuery, body func([]plan.Column, types.Row, *prepared) error) error {
	d, err := f.dynamicQuery(s.source)
	if err != nil {
		return err
	}
	return f.loopRows(d.q, d.p, d.vals, body)
}

// dynamicQuery plans the one query of EXECUTE that yields rows.
func (f *frame) dynamicQuery(src *querySource) (*dyn, error) {
	text, err := f.text1(src.q, "query string argument of EXECUTE is null")
	if err != nil {
		return nil, err
	}
	vals, ts, err := f.using(src.using)
	if err != nil {
		return nil, err
	}
	list, err := dynamic(text)
	if err != nil {
		return nil, err
	}
	if len(list) != 1 || !isPlanned(list[0].stmt.Node) {
		return nil, pgerr.New(pgerr.InvalidCursorDefinition, "cannot open %s query as cursor", commandWord(text))
	}
	d, err := f.planDynamic(list[0], vals, ts)
	if err != nil {
		return nil, err
	}
	if d.p.st.Columns == nil {
		return nil, pgerr.New(pgerr.InvalidCursorDefinition, "cannot open %s query as cursor", d.p.st.Verb)
	}
	if d.vals == nil {
		d.vals = []types.Datum{}
	}
	return d, nil
}
