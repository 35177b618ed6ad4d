package plpgsql

import (
	"raisind/pgerr"
	"raisind/sql/ast"
	"raisind/sql/exec"
	"raisind/sql/expr"
	"raisind/sql/parser"
	"raisind/sql/plan"
	"raisind/sql/planner"
	"raisind/sql/types"
)

// prepared is the plan of a fragment, with where its parameters come from.
type prepared struct {
	st       *plan.Statement
	settings string
	version  uint64
	params   []source
	// assumed are the fields that records had when the plan was made.
	assumed []assumed
	// simple are the values of a query that reads nothing; nil for others.
	simple []expr.Expr
	desc   *fields
}

// source is the variable, or the field of a record, that a parameter is.
type source struct{ dno, field int }

type assumed struct {
	dno  int
	desc *fields
}

// finder finds variables for the planner and numbers the parameters they become.
type finder struct {
	f       *frame
	ns      *scope
	params  []source
	assumed []assumed
}

// Precedence implements planner.Variables.
func (v *finder) Precedence() planner.Precedence { return v.f.fn.conflict }

// Find implements planner.Variables.
func (v *finder) Find(parts []string, must bool) (*planner.Variable, error) {
	it, used := v.ns.lookup(parts)
	if it == nil {
		return nil, nil
	}
	return v.variable(it.dno, parts[used:], must)
}

// Argument implements planner.Variables.
func (v *finder) Argument(n int) *planner.Variable {
	it, _ := v.ns.lookup([]string{"$" + itoa(n)})
	if it == nil {
		return nil
	}
	x, err := v.variable(it.dno, nil, false)
	if err != nil {
		return nil
	}
	return x
}

func (v *finder) variable(dno int, rest []string, must bool) (*planner.Variable, error) {
	d := &v.f.fn.vars[dno]
	if d.kind != recordVar {
		if len(rest) > 0 || d.t == nil {
			return nil, nil
		}
		return v.param(dno, -1, d.t), nil
	}
	desc := v.f.slots[dno].desc
	if desc == nil {
		return nil, pgerr.New(pgerr.ObjectNotInPrerequisiteState, `record "%s" is not assigned yet`, d.name).
			WithDetail("The tuple structure of a not-yet-assigned record is indeterminate.")
	}
	v.assumed = append(v.assumed, assumed{dno, desc})
	if len(rest) == 0 {
		r := &planner.Variable{Record: true, Names: desc.names, Composite: d.t}
		for i, t := range desc.types {
			r.Fields = append(r.Fields, *v.param(dno, i, t))
		}
		return r, nil
	}
	i := desc.find(rest[0])
	if i < 0 || len(rest) > 1 {
		if must {
			return nil, pgerr.New(pgerr.UndefinedColumn, `record "%s" has no field "%s"`, d.name, rest[0])
		}
		return nil, nil
	}
	return v.param(dno, i, desc.types[i]), nil
}

func (v *finder) param(dno, field int, t *types.Type) *planner.Variable {
	for i, p := range v.params {
		if p.dno == dno && p.field == field {
			return &planner.Variable{N: i + 1, T: t}
		}
	}
	v.params = append(v.params, source{dno, field})
	return &planner.Variable{N: len(v.params), T: t}
}

// hidden stands for a variable without columns of its own in a plan's key.
func (p *prepared) holds(f *frame) bool {
	h := f.in.host
	if p.version != h.CatalogVersion() || p.settings != h.PlanKey() || p.st.Uncacheable {
		return false
	}
	for _, a := range p.assumed {
		if cur := f.slots[a.dno].desc; cur != a.desc && (cur == nil || !equalFields(cur, a.desc)) {
			return false
		}
	}
	return true
}

func equalFields(a, b *fields) bool {
	if len(a.types) != len(b.types) {
		return false
	}
	for i := range a.types {
		if a.types[i] != b.types[i] || a.names[i] != b.names[i] {
			return false
		}
	}
	return true
}

// planOf returns a plan of the fragment that holds now.
func (f *frame) planOf(q *fragment) (*prepared, error) {
	if q.plan != nil && q.plan.holds(f) {
		return q.plan, nil
	}
	v := &finder{f: f, ns: q.ns}
	opt := f.in.host.PlannerOptions(q.stmt.Text)
	opt.Variables = v
	if f.tables != nil {
		opt.Virtual = transitions{f.tables, opt.Virtual}
	}
	h := f.in.host
	p := &prepared{settings: h.PlanKey(), version: h.CatalogVersion()}
	st, err := planner.Plan(f.ctx, q.stmt.Node, opt)
	if err != nil {
		return nil, f.inFragment(err, q)
	}
	p.st, p.params, p.assumed = st, v.params, v.assumed
	p.simple = simpleValues(st)
	q.plan = p
	if f.tables != nil {
		q.plan = nil // it holds the rows of this statement
	}
	return p, nil
}

// simpleValues are the expressions of a SELECT without FROM.
func simpleValues(st *plan.Statement) []expr.Expr {
	if st.Verb != "SELECT" || len(st.CTEs) > 0 || len(st.Subplans) > 0 {
		return nil
	}
	switch n := st.Root.(type) {
	case *plan.Values:
		if len(n.Rows) == 1 {
			return n.Rows[0]
		}
	case *plan.Project:
		if v, ok := n.Source.(*plan.Values); ok && len(v.Rows) == 1 && len(v.Rows[0]) == 0 {
			return n.Exprs
		}
	}
	return nil
}

// inFragment makes of an error about a fragment one of the function's: a position becomes
// one in the fragment's text, which is shown as QUERY; without one the text is a line of
// CONTEXT.
func (f *frame) inFragment(err error, q *fragment) error {
	e := *pgerr.From(exec.MapError(err))
	if e.Pos > 0 {
		text := q.stmt.Text
		at := q.offset(byteAt(text, e.Pos))
		e.InternalPos, e.InternalQuery, e.Pos = pgerr.CharPos(q.text, at), q.text, 0
		return &e
	}
	e.AddContext(q.context())
	return &e
}

// context is the fragment's own line of CONTEXT.
func (q *fragment) context() string {
	switch q.mode {
	case modeExpr:
		return `SQL expression "` + q.text + `"`
	case modeAssign:
		return `PL/pgSQL assignment "` + q.text + `"`
	}
	return `SQL statement "` + q.text + `"`
}

// values are the parameters of a plan, as they are now. The slice is the frame's own when
// it may be used again.
func (f *frame) values(p *prepared, own bool) []types.Datum {
	dst := f.params[:0]
	if own {
		dst = make([]types.Datum, 0, len(p.params))
	}
	for _, s := range p.params {
		v := &f.slots[s.dno]
		switch {
		case s.field < 0:
			dst = append(dst, v.val)
		case v.vals == nil || s.field >= len(v.vals):
			dst = append(dst, types.Null)
		default:
			dst = append(dst, v.vals[s.field])
		}
	}
	if !own {
		f.params = dst
	}
	return dst
}

// evalExpr computes an expression: its value, type and modifier.
func (f *frame) evalExpr(q *fragment) (v types.Datum, t *types.Type, typmod int32, err error) {
	p, err := f.planOf(q)
	if err != nil {
		return types.Null, nil, -1, err
	}
	if len(p.st.Columns) != 1 {
		n := len(p.st.Columns)
		e := pgerr.New(pgerr.SyntaxError, "query returned %d columns", n)
		if n == 1 {
			e.Msg = "query returned 1 column"
		}
		e.AddContext("query: " + q.text)
		return types.Null, nil, -1, e
	}
	c := &p.st.Columns[0]
	if p.simple != nil {
		f.eval.Params = f.values(p, false)
		if f.eval.Ctx == nil {
			f.eval.Ctx = f.in.host.Funcs(f.ctx)
		}
		saved := f.params
		f.params = nil // a call may come back into this frame's expressions
		v, err = p.simple[0].Eval(&f.eval, nil)
		f.params = saved
		return v, c.Type, c.Typmod, err
	}
	var row types.Row
	_, err = f.query(q, p, 2, func(r types.Row) error {
		if row != nil {
			return pgerr.New(pgerr.CardinalityViolation, "query returned more than one row")
		}
		row = append(types.Row{}, r...)
		return nil
	})
	if err != nil || row == nil {
		return types.Null, c.Type, c.Typmod, err
	}
	return row[0], c.Type, c.Typmod, nil
}

// condition computes an expression as a boolean; NULL counts as false.
func (f *frame) condition(q *fragment) (bool, error) {
	v, t, _, err := f.evalExpr(q)
	if err != nil {
		return false, err
	}
	if t != types.TBool {
		if v, err = f.cast(v, t, types.TBool, -1); err != nil {
			return false, err
		}
	}
	return !v.IsNull() && v.Bool(), nil
}

// query runs the plan of a fragment and gives up to max rows to fn, all for 0. It returns
// the count of the command.
func (f *frame) query(q *fragment, p *prepared, max int64, fn func(types.Row) error) (int64, error) {
	f.in.stack = append(f.in.stack, entry{sql: q.context()})
	n, err := f.rowsOf(q, p, max, fn)
	f.in.stack = f.in.stack[:len(f.in.stack)-1]
	if err != nil {
		return n, f.inFragment(err, q)
	}
	return n, nil
}

func (f *frame) rowsOf(q *fragment, p *prepared, max int64, fn func(types.Row) error) (n int64, err error) {
	if err := f.mayWrite(p.st); err != nil {
		return 0, err
	}
	run, err := f.open(q, &p)
	if err != nil {
		return 0, err
	}
	defer run.Close()
	if p.st.Writes {
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
	if p.st.Verb != "SELECT" {
		n = run.RowsAffected()
	}
	return n, nil
}

// open begins the execution of a plan that holds once its relations are locked.
func (f *frame) open(q *fragment, p **prepared) (*exec.Query, error) {
	for {
		run, err := f.in.host.Open(f.ctx, (*p).st, f.values(*p, true))
		if err != nil {
			return nil, err
		}
		if q == nil || len((*p).st.Relations) == 0 || (*p).version == f.in.host.CatalogVersion() {
			return run, nil
		}
		run.Close()
		if *p, err = f.planOf(q); err != nil {
			return nil, err
		}
	}
}

// mayWrite refuses a writing statement in a function that is not volatile.
func (f *frame) mayWrite(st *plan.Statement) error {
	if f.fn.ReadOnly && st.Writes {
		return pgerr.New(pgerr.FeatureNotSupported, "%s is not allowed in a non-volatile function", st.Verb)
	}
	return nil
}

// isPlanned reports whether a statement is one the planner plans.
func isPlanned(n ast.Stmt) bool {
	switch n.(type) {
	case *ast.Select, *ast.Insert, *ast.Update, *ast.Delete:
		return true
	}
	return false
}

// dynamic makes a fragment for each statement of a text that EXECUTE was given.
func dynamic(text string) ([]*fragment, error) {
	list, err := parser.Parse(text)
	if err != nil {
		e := *pgerr.From(err)
		if e.Pos > 0 {
			e.InternalPos, e.InternalQuery, e.Pos = e.Pos, text, 0
		}
		return nil, &e
	}
	out := make([]*fragment, len(list))
	for i, s := range list {
		out[i] = &fragment{mode: modeStatement, text: text, stmt: s}
	}
	return out, nil
}
