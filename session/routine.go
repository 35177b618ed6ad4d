package session

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"raisind/catalog"
	"raisind/pgerr"
	"raisind/sql/ast"
	"raisind/sql/exec"
	"raisind/sql/expr"
	"raisind/sql/funcs"
	"raisind/sql/parser"
	"raisind/sql/plan"
	"raisind/sql/planner"
	"raisind/sql/plpgsql"
	"raisind/sql/types"
)

// routines are what a session keeps of the functions that users define: the interpreter,
// and each function as it was read, by everything that its reading depends on.
type routines struct {
	interp *plpgsql.Interpreter
	read   map[routineKey]*routine
	// triggers are bound for the catalog of a version.
	triggers   map[whenKey]*boundTrigger
	triggersAt uint64
	// cursors counts the portals that functions named.
	cursors int
	// triggerDepth is pg_trigger_depth().
	triggerDepth int
	// nonatomic tells that the procedure at work may end transactions; busy that there is
	// a procedure at work.
	nonatomic, busy bool
}

type routineKey struct {
	oid, relation uint32
	types         string
}

// routine is a function as it was read from one definition.
type routine struct {
	def *catalog.Function
	rel *catalog.Relation
	fn  *plpgsql.Function
	// polymorphic: it was read for the types of a call.
	polymorphic bool
}

// holds tells whether what was read is the function as it is now.
func (r *routine) holds(def *catalog.Function, rel *catalog.Relation) bool {
	return r.def == def && (r.rel == rel || rel != nil && r.rel != nil && slices.EqualFunc(r.rel.Columns, rel.Columns, sameColumn))
}

// maxRoutines bounds how many functions a session keeps.
const maxRoutines = 1000

func (s *Session) interpreter() *plpgsql.Interpreter {
	if s.routines.interp == nil {
		s.routines.interp = plpgsql.New(host{s})
		s.routines.read = map[routineKey]*routine{}
	}
	return s.routines.interp
}

// host is the session as functions see it: plpgsql.Host.
type host struct{ s *Session }

// Type implements plpgsql.Types.
func (h host) Type(n *ast.TypeName, sql string) (*types.Type, int32, error) {
	opt := h.s.plannerOptions(sql, nil, h.s.ensureTx())
	return planner.ResolveType(h.s.ctx, n, opt)
}

// Fields implements plpgsql.Types.
func (h host) Fields(name []string) (*plpgsql.Fields, bool, error) {
	snap := h.s.ensureTx().cat.Snapshot()
	schemas := h.s.searchPath()
	if n := len(name); n > 1 {
		schemas = name[n-2 : n-1]
	}
	for _, schema := range schemas {
		if r, ok := snap.ByName(schema, name[len(name)-1]); ok && len(r.Columns) > 0 {
			return relationFields(r), true, nil
		}
	}
	if v, ok := (virtualRelations{h.s.engine, h.s.tx.cat}).Lookup(schemaOf(name), name[len(name)-1]); ok {
		f := &plpgsql.Fields{}
		for _, c := range v.Cols {
			f.Names, f.Types, f.Typmods = append(f.Names, c.Name), append(f.Types, c.Type), append(f.Typmods, c.Typmod)
		}
		return f, true, nil
	}
	return nil, false, nil
}

func schemaOf(name []string) string {
	if len(name) > 1 {
		return name[len(name)-2]
	}
	return "pg_catalog"
}

// FieldsOf implements what plpgsql asks of a composite type.
func (h host) FieldsOf(t *types.Type) (*plpgsql.Fields, bool) {
	list := t.Fields()
	if len(list) == 0 {
		return nil, false
	}
	f := &plpgsql.Fields{Type: t}
	for _, x := range list {
		f.Names, f.Types, f.Typmods = append(f.Names, x.Name), append(f.Types, x.Type), append(f.Typmods, x.Typmod)
	}
	return f, true
}

func relationFields(r *catalog.Relation) *plpgsql.Fields {
	f := &plpgsql.Fields{Type: r.RowType()}
	for i := range r.Columns {
		c := &r.Columns[i]
		f.Names, f.Types, f.Typmods = append(f.Names, c.Name), append(f.Types, c.Type), append(f.Typmods, c.Typmod)
	}
	return f
}

// PlannerOptions implements plpgsql.Host.
func (h host) PlannerOptions(sql string) planner.Options {
	return h.s.plannerOptions(sql, nil, h.s.ensureTx())
}

// PlanKey implements plpgsql.Host.
func (h host) PlanKey() string { return h.s.planKey }

// CatalogVersion implements plpgsql.Host.
func (h host) CatalogVersion() uint64 { return h.s.ensureTx().cat.Version() }

// Open implements plpgsql.Host.
func (h host) Open(ctx context.Context, st *plan.Statement, params []types.Datum) (*exec.Query, error) {
	return h.s.open(ctx, st, params, measuring{})
}

// Funcs implements plpgsql.Host.
func (h host) Funcs(ctx context.Context) *funcs.Ctx {
	h.s.ensureTx()
	return h.s.funcsCtx(ctx)
}

// Utility implements plpgsql.Host.
func (h host) Utility(ctx context.Context, st parser.Statement, vars planner.Variables, params func() []types.Datum) (plpgsql.Result, error) {
	s := h.s
	if err := s.mayRun(st.Node); err != nil {
		return plpgsql.Result{}, err
	}
	if c, ok := st.Node.(*ast.Call); ok {
		return s.callProcedure(ctx, c, st.Text, vars, params, false)
	}
	p := &prepared{text: st.Text, stmt: parser.Statement{Node: st.Node, Text: st.Text}, made: s.statementTime}
	if err := s.analyseUtility(ctx, p); err != nil {
		return plpgsql.Result{}, err
	}
	res := plpgsql.Result{Columns: p.cols}
	if vars != nil {
		p.params = nil
	}
	tag, err := s.utility(ctx, &portal{prep: p, started: true, result: Result{Columns: p.cols, Env: s.env}}, func(row types.Row) error {
		res.Rows = append(res.Rows, slices.Clone(row))
		return nil
	})
	res.Count = tag.Rows
	return res, err
}

// subtransaction is a savepoint without a name.
type subtransaction struct {
	s  *Session
	tx *transaction
	sp savepoint
}

// Savepoint implements plpgsql.Host.
func (h host) Savepoint() plpgsql.Subtransaction {
	return &subtransaction{h.s, h.s.ensureTx(), h.s.mark("")}
}

// Release implements plpgsql.Subtransaction.
func (t *subtransaction) Release() {
	if t.s.tx == t.tx {
		t.tx.store.Release(t.sp.store)
	}
}

// Rollback implements plpgsql.Subtransaction.
func (t *subtransaction) Rollback() {
	if t.s.tx == t.tx {
		t.s.undoTo(t.sp)
	}
}

// EndTransaction implements plpgsql.Host.
func (h host) EndTransaction(ctx context.Context, commit, chain bool) error {
	s := h.s
	old := s.tx
	if commit {
		if err := s.commit(ctx); err != nil {
			return err
		}
	} else {
		s.rollback()
	}
	if chain {
		s.tx = &transaction{level: old.level, readOnly: old.readOnly, deferrable: old.deferrable, start: s.statementTime}
		s.openTx()
	} else {
		s.ensureTx()
	}
	s.tx.queried = true
	return nil
}

// Notice implements plpgsql.Host.
func (h host) Notice(e *pgerr.Error) { h.s.notice(e) }

// NewCursorName implements plpgsql.Host.
func (h host) NewCursorName() string {
	h.s.routines.cursors++
	return fmt.Sprintf("<unnamed portal %d>", h.s.routines.cursors)
}

// OpenCursor implements plpgsql.Host.
func (h host) OpenCursor(ctx context.Context, name, text string, st *plan.Statement, params []types.Datum, scroll *bool) error {
	s := h.s
	prep := &prepared{text: text, plan: st, cols: st.Columns, planSettings: s.planKey}
	c, err := s.newPortal(name, prep)
	if err != nil {
		return err
	}
	c.plan, c.params = st, params
	c.result = Result{Columns: st.Columns, Env: s.env}
	c.cursor = &cursor{}
	switch {
	case scroll != nil && *scroll:
		c.cursor.scroll = scrollYes
	case scroll != nil || st.Writes:
		c.cursor.scroll = scrollNo
	}
	c.started = true
	if c.query, err = s.open(ctx, st, params, measuring{}); err != nil {
		return err
	}
	s.portals[name] = c
	return nil
}

// CursorColumns implements plpgsql.Host.
func (h host) CursorColumns(name string) ([]plan.Column, error) {
	p, err := h.s.findCursor(name)
	if err != nil {
		return nil, err
	}
	return p.result.Columns, nil
}

// FetchCursor implements plpgsql.Host.
func (h host) FetchCursor(ctx context.Context, name string, dir ast.FetchDirection, count int64, all bool, row func(types.Row) error) (int64, error) {
	n := &ast.Fetch{Cursor: name, Direction: dir, Count: count, All: all}
	tag, err := h.s.fetch(ctx, n, row)
	return tag.Rows, err
}

// CloseCursor implements plpgsql.Host.
func (h host) CloseCursor(name string) error {
	_, err := h.s.closeCursor(&ast.CloseCursor{Name: name})
	return err
}

// CallRoutine implements funcs.RoutineCaller.
func (s *Session) CallRoutine(fc *funcs.Ctx, oid uint32, ts []*types.Type, result *types.Type, args []types.Datum) (v types.Datum, err error) {
	r, err := s.routine(oid, ts, result, nil)
	if err != nil {
		return types.Null, err
	}
	if r.fn.Trigger {
		bad := pgerr.New(pgerr.FeatureNotSupported, "trigger functions can only be called as triggers")
		bad.AddContext(`compilation of PL/pgSQL function "` + r.fn.Name + `" near line 1`)
		return types.Null, bad
	}
	args = slices.Clone(args) // they live on a stack
	err = s.within(r, func() error {
		v, err = s.interpreter().Call(fc.Context, r.fn, args)
		return err
	})
	return v, err
}

// CallSetRoutine implements funcs.RoutineCaller.
func (s *Session) CallSetRoutine(fc *funcs.Ctx, oid uint32, ts []*types.Type, result *types.Type, args []types.Datum) (funcs.RowSource, error) {
	r, err := s.routine(oid, ts, result, nil)
	if err != nil {
		return nil, err
	}
	var rows []types.Row
	args = slices.Clone(args)
	err = s.within(r, func() error {
		rows, err = s.interpreter().CallSet(fc.Context, r.fn, args)
		return err
	})
	return &keptRows{rows: rows}, err
}

type keptRows struct {
	rows []types.Row
	at   int
}

// Next implements funcs.RowSource.
func (k *keptRows) Next() (types.Row, bool, error) {
	if k.at == len(k.rows) {
		return nil, false, nil
	}
	k.at++
	return k.rows[k.at-1], true, nil
}

// within runs a function under its SET options and, for SECURITY DEFINER, as its owner.
func (s *Session) within(r *routine, fn func() error) error {
	if len(r.def.Config) == 0 && !r.def.SecurityDefiner {
		return fn()
	}
	var restore []func() error
	set := func(name, value string) error {
		old, _ := s.Setting(name)
		if err := s.set(name, &value, true); err != nil {
			return err
		}
		restore = append(restore, func() error { return s.set(name, &old, true) })
		return nil
	}
	tx := s.tx
	for _, c := range r.def.Config {
		name, value, _ := strings.Cut(c, "=")
		if err := set(name, value); err != nil {
			return err
		}
	}
	if r.def.SecurityDefiner {
		if o, ok := s.ensureTx().cat.Snapshot().RoleByOID(r.def.OwnerOID()); ok && o.Name != s.User() {
			if err := set("role", o.Name); err != nil {
				return err
			}
		}
	}
	err := fn()
	if s.tx != tx {
		return err
	}
	for _, f := range slices.Backward(restore) {
		if rerr := f(); rerr != nil && err == nil {
			err = rerr
		}
	}
	return err
}

// routine finds a function and reads it if it was not read yet. rel is the relation of a
// trigger.
func (s *Session) routine(oid uint32, ts []*types.Type, result *types.Type, rel *catalog.Relation) (*routine, error) {
	snap := s.ensureTx().cat.Snapshot()
	def, ok := snap.FunctionByOID(oid)
	if !ok {
		return nil, pgerr.New(pgerr.UndefinedFunction, "function with OID %d does not exist", oid)
	}
	key := routineKey{oid: oid}
	if rel != nil {
		key.relation = rel.OID
	}
	if r, ok := s.routines.read[key]; ok && !r.polymorphic && r.holds(def, rel) {
		return r, nil
	}
	d := s.describe(snap, def, rel)
	polymorphic := false
	for _, a := range d.Args {
		polymorphic = polymorphic || a.Type.IsPolymorphic() || a.Type == types.TRecord
	}
	if polymorphic {
		key.types = paramKey(ts)
	}
	s.interpreter()
	if r, ok := s.routines.read[key]; ok && r.holds(def, rel) {
		return r, nil
	}
	if polymorphic {
		concretize(d, ts, result)
	}
	fn, err := s.readBody(*d, def)
	if err != nil {
		return nil, err
	}
	r := &routine{def: def, rel: rel, fn: fn, polymorphic: polymorphic}
	if len(s.routines.read) >= maxRoutines {
		clear(s.routines.read)
	}
	s.routines.read[key] = r
	return r, nil
}

func sameColumn(a, b catalog.Column) bool {
	return a.Name == b.Name && a.Type == b.Type && a.Typmod == b.Typmod
}

// readBody reads the body of a function in its language.
func (s *Session) readBody(d plpgsql.Definition, def *catalog.Function) (*plpgsql.Function, error) {
	if def.Language == "sql" {
		return plpgsql.CompileSQL(d, host{s}, def.Standard)
	}
	return plpgsql.Compile(d, host{s})
}

// concretize gives polymorphic arguments and results the types of a call.
func concretize(d *plpgsql.Definition, ts []*types.Type, result *types.Type) {
	var elem *types.Type
	i := 0
	for k := range d.Args {
		a := &d.Args[k]
		if a.Mode == 'o' || a.Mode == 't' {
			continue
		}
		if i < len(ts) && ts[i] != nil {
			switch {
			case a.Type == types.TAnyArray || a.Type == types.TAnyCompatibleArray:
				elem, a.Type = ts[i].Elem, ts[i]
			case a.Type.IsPolymorphic():
				elem, a.Type = ts[i], ts[i]
			}
		}
		i++
	}
	stand := func(t *types.Type) *types.Type {
		switch {
		case elem == nil || !t.IsPolymorphic():
			return t
		case t == types.TAnyArray || t == types.TAnyCompatibleArray:
			return elem.Array()
		}
		return elem
	}
	d.Element = elem
	for k := range d.Args {
		d.Args[k].Type = stand(d.Args[k].Type)
	}
	if d.Columns != nil {
		c := *d.Columns
		c.Types = slices.Clone(c.Types)
		for k := range c.Types {
			c.Types[k] = stand(c.Types[k])
		}
		d.Columns = &c
	}
	d.Result = stand(d.Result)
	if d.Result.IsPolymorphic() && result != nil {
		d.Result = result
	}
}

// describe is what the interpreter is told of a function.
func (s *Session) describe(snap *catalog.Snapshot, f *catalog.Function, rel *catalog.Relation) *plpgsql.Definition {
	r := planner.RoutineOf(snap, f)
	d := &plpgsql.Definition{
		Name: f.Name, Body: f.Body, Result: r.Result, Set: f.ReturnsSet, Procedure: f.Kind == 'p', ReadOnly: f.Volatility != 'v',
		Signature: s.signatureOf(snap, f),
	}
	for _, a := range f.Args {
		t, ok := snap.TypeByOID(a.Type)
		if !ok {
			t = types.TUnknown
		}
		d.Args = append(d.Args, plpgsql.Arg{Name: a.Name, Type: t, Mode: a.Mode})
	}
	if len(r.Columns) > 1 {
		c := &plpgsql.Fields{}
		for _, x := range r.Columns {
			c.Names, c.Types, c.Typmods = append(c.Names, x.Name), append(c.Types, x.Type), append(c.Typmods, -1)
		}
		d.Columns = c
	}
	if d.Result == types.TTrigger {
		d.Trigger = true
		if rel != nil {
			d.Relation = relationFields(rel)
		}
	}
	return d
}

// signatureOf is how messages name a function: f(integer), with its schema when the search
// path does not find it.
func (s *Session) signatureOf(snap *catalog.Snapshot, f *catalog.Function) string {
	var sb strings.Builder
	if !slices.Contains(s.searchPath(), f.Schema) {
		sb.WriteString(ast.QuoteIdent(f.Schema) + ".")
	}
	sb.WriteString(ast.QuoteIdent(f.Name) + "(")
	n := 0
	for _, a := range f.Args {
		if a.Mode == 't' || a.Mode == 'o' && f.Kind != 'p' {
			continue
		}
		if n++; n > 1 {
			sb.WriteString(",")
		}
		if t, ok := snap.TypeByOID(a.Type); ok {
			sb.WriteString(t.String())
		} else {
			sb.WriteString(strconv.FormatUint(uint64(a.Type), 10))
		}
	}
	return sb.String() + ")"
}

// callProcedure runs CALL. top tells that the client sent it.
func (s *Session) callProcedure(ctx context.Context, c *ast.Call, text string, vars planner.Variables, params func() []types.Datum, top bool) (plpgsql.Result, error) {
	tx := s.ensureTx()
	opt := s.plannerOptions(text, nil, tx)
	opt.Variables = vars
	b, err := planner.BindCall(ctx, c, opt)
	if err != nil {
		return plpgsql.Result{}, err
	}
	r, err := s.routine(b.OID, b.Types, nil, nil)
	if err != nil {
		return plpgsql.Result{}, err
	}
	ec := &expr.Ctx{Ctx: s.funcsCtx(ctx)}
	if params != nil {
		ec.Params = params()
	}
	var args []types.Datum
	res := plpgsql.Result{}
	for i, a := range r.def.Args {
		t, _ := tx.cat.Snapshot().TypeByOID(a.Type)
		col := plan.Column{Name: a.Name, Typmod: -1}
		if a.Mode == 'o' || a.Mode == 'b' {
			col.Type, res.Out = t, true
		}
		res.Columns = append(res.Columns, col)
		if a.Mode == 'o' {
			continue
		}
		v, err := b.Args[i].Eval(ec, nil)
		if err != nil {
			return res, err
		}
		args = append(args, v)
	}
	atomic := !top && !s.routines.nonatomic || tx.block || tx.implicitBlock || r.def.SecurityDefiner || len(r.def.Config) > 0
	defer s.setNonatomic(!atomic)()
	var v types.Datum
	err = s.within(r, func() error {
		v, err = s.interpreter().CallProcedure(ctx, r.fn, args, atomic)
		return err
	})
	if err != nil {
		return res, err
	}
	if rec := v.Record(); res.Out && rec != nil {
		res.Rows = []types.Row{rec.Fields}
	}
	return res, nil
}

// setNonatomic notes whether the procedure that begins may end transactions; what it
// returns takes that back.
func (s *Session) setNonatomic(on bool) func() {
	r := &s.routines
	was, busy := r.nonatomic, r.busy
	r.nonatomic, r.busy = on, true
	return func() { r.nonatomic, r.busy = was, busy }
}

// callStatement is CALL from the client.
func (s *Session) callStatement(ctx context.Context, p *portal, c *ast.Call, row emit) error {
	res, err := s.callProcedure(ctx, c, p.prep.stmt.Text, nil, nil, true)
	if err != nil {
		return err
	}
	for _, r := range res.Rows {
		if err := row(r); err != nil {
			return err
		}
	}
	return nil
}

// callColumns describes the row that CALL answers with; nil for none.
func (s *Session) callColumns(ctx context.Context, c *ast.Call, text string) ([]plan.Column, error) {
	tx := s.ensureTx()
	b, err := planner.BindCall(ctx, c, s.plannerOptions(text, nil, tx))
	if err != nil {
		return nil, err
	}
	f, ok := tx.cat.Snapshot().FunctionByOID(b.OID)
	if !ok {
		return nil, nil
	}
	var cols []plan.Column
	for _, a := range f.Args {
		if a.Mode == 'o' || a.Mode == 'b' {
			t, _ := tx.cat.Snapshot().TypeByOID(a.Type)
			cols = append(cols, plan.Column{Name: a.Name, Type: t, Typmod: -1})
		}
	}
	return cols, nil
}

// do runs DO.
func (s *Session) do(ctx context.Context, p *portal, n *ast.Do) error {
	switch n.Language {
	case "", "plpgsql":
	case "sql":
		return pgerr.New(pgerr.FeatureNotSupported, `language "sql" does not support inline code execution`)
	default:
		return noLanguage(n.Language)
	}
	def := plpgsql.Definition{Name: "inline_code_block", Signature: "inline_code_block", Body: n.Body, Result: types.TVoid, Inline: true}
	tx := s.ensureTx()
	fn, err := plpgsql.Compile(def, host{s})
	if err != nil {
		text := p.prep.stmt.Text
		return plpgsql.InBody(err, n.Body, text, bodyPlace(text, 0, n.Body))
	}
	atomic := tx.block || tx.implicitBlock || s.routines.busy && !s.routines.nonatomic
	defer s.setNonatomic(!atomic)()
	_, err = s.interpreter().CallProcedure(ctx, fn, nil, atomic)
	return err
}

func noLanguage(name string) error {
	return pgerr.New(pgerr.UndefinedObject, `language "%s" does not exist`, name).
		WithHint("Functions can be written in sql and plpgsql.")
}

// bodyPlace maps the bytes of a body to those of the statement that holds it as a string,
// found from an offset on.
func bodyPlace(text string, from int, body string) func(int) int {
	rest := text[from:]
	if i := strings.Index(rest, "$"+body); i >= 0 { // between dollar quotes
		return func(at int) int { return from + i + 1 + at }
	}
	quoted := "'" + strings.ReplaceAll(body, "'", "''") + "'"
	i := strings.Index(rest, quoted)
	if i < 0 {
		return func(int) int { return -1 }
	}
	return func(at int) int { return from + i + 1 + at + strings.Count(body[:min(at, len(body))], "'") }
}
