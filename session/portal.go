package session

import (
	"context"
	"math"
	"slices"
	"strconv"
	"time"

	"raisind/pgerr"
	"raisind/sql/ast"
	"raisind/sql/exec"
	"raisind/sql/funcs"
	"raisind/sql/plan"
	"raisind/sql/types"
)

// portal is a statement with its parameters, ready to run or running. A cursor is a
// portal too.
type portal struct {
	name   string
	number uint64
	prep   *prepared
	plan   *plan.Statement // what runs; nil for statements that are not planned
	params []types.Datum
	result Result
	made   time.Time

	query *exec.Query // open while rows may come
	// rows wait here when all were fetched before the first was sent, from next on.
	rows []types.Row
	next int
	tag  Tag // to answer with once rows are through

	started, done bool
	announce      bool    // rows were not described yet: the protocol is the simple one
	cursor        *cursor // of DECLARE
}

// Bind is a Bind message. Its slices live until Bind returns.
type Bind struct {
	Portal, Statement string
	// ParamFormats are none (all text), one for all, or one a parameter.
	ParamFormats []int16
	// Params are nil for NULL.
	Params        [][]byte
	ResultFormats []int16
}

// Bind handles a Bind message: it makes a portal.
func (s *Session) Bind(ctx context.Context, b *Bind) error {
	return s.handle(ctx, func(ctx context.Context) error {
		prep, err := s.statement(b.Statement)
		if err != nil {
			return err
		}
		s.running = prep.text
		if s.failedBlock() && (len(prep.params) > 0 || prep.stmt.Node == nil || s.mayRun(prep.stmt.Node) != nil) {
			return abortedError()
		}
		if err := checkFormats(b, prep); err != nil {
			return err
		}
		p, err := s.newPortal(b.Portal, prep)
		if err != nil {
			return err
		}
		if p.params, err = s.bindParams(p.params[:0], b, prep); err != nil {
			return err
		}
		if err := s.revalidate(ctx, prep); err != nil {
			return err
		}
		p.plan = prep.plan
		cols := prep.cols
		if prep.plan == nil && prep.stmt.Node != nil {
			cols = s.utilityColumns(prep)
		}
		formats := b.ResultFormats
		if len(formats) > 1 && len(formats) != len(cols) {
			return pgerr.New(pgerr.ProtocolViolation, "bind message has %d result formats but query has %d columns", len(formats), len(cols))
		}
		p.result = Result{Columns: cols, Formats: append(p.result.Formats[:0], formats...), Env: s.env}
		s.portals[p.name] = p
		return nil
	})
}

func checkFormats(b *Bind, prep *prepared) error {
	if n := len(b.ParamFormats); n > 1 && n != len(b.Params) {
		return pgerr.New(pgerr.ProtocolViolation, "bind message has %d parameter formats but %d parameters", n, len(b.Params))
	}
	if len(b.Params) != len(prep.params) {
		return pgerr.New(pgerr.ProtocolViolation, `bind message supplies %d parameters, but prepared statement "%s" requires %d`,
			len(b.Params), b.Statement, len(prep.params))
	}
	for i, f := range b.ParamFormats {
		if f != 0 && f != 1 {
			return paramError(badFormat(f), b, i, false)
		}
	}
	for _, f := range b.ResultFormats {
		if f != 0 && f != 1 {
			return badFormat(f)
		}
	}
	return nil
}

func badFormat(code int16) error {
	return pgerr.New(pgerr.InvalidParameterValue, "unsupported format code: %d", code)
}

// newPortal makes a portal that is not in the table yet. The unnamed one takes the
// place, and the memory, of the one before.
func (s *Session) newPortal(name string, prep *prepared) (*portal, error) {
	old := s.portals[name]
	if old != nil && name != "" {
		return nil, pgerr.New(pgerr.DuplicateCursor, `cursor "%s" already exists`, name)
	}
	p := &portal{}
	if old != nil {
		s.dropPortal(old)
		p = old
		*p = portal{params: old.params, result: Result{Formats: old.result.Formats}}
	}
	s.portalNumber++
	p.name, p.number, p.prep, p.made = name, s.portalNumber, prep, s.statementTime
	return p, nil
}

// bindParams reads the parameter values.
func (s *Session) bindParams(dst []types.Datum, b *Bind, prep *prepared) ([]types.Datum, error) {
	size := 0
	for _, v := range b.Params {
		size += len(v)
	}
	// One copy of all text holds for as long as any value of it lives.
	text := ""
	if size > 0 && !(len(b.ParamFormats) == 1 && b.ParamFormats[0] == 1) {
		all := make([]byte, 0, size)
		for _, v := range b.Params {
			all = append(all, v...)
		}
		text = string(all)
	}
	at := 0
	for i, raw := range b.Params {
		if raw == nil {
			dst = append(dst, types.Null)
			continue
		}
		binary := len(b.ParamFormats) == 1 && b.ParamFormats[0] == 1 || len(b.ParamFormats) > 1 && b.ParamFormats[i] == 1
		var v types.Datum
		var err error
		t := inputType(prep.params[i])
		if binary {
			v, err = t.ParseBinary(raw, -1)
		} else {
			str := text[at : at+len(raw)]
			if err = validText(str); err == nil {
				v, err = t.ParseText(str, -1, s.env)
			}
		}
		at += len(raw)
		if err != nil {
			return nil, paramError(err, b, i, !binary)
		}
		dst = append(dst, v)
	}
	return dst, nil
}

// inputType is the type a parameter is read as: one whose type was never settled is text.
func inputType(t *types.Type) *types.Type {
	if t == nil || t == types.TUnknown {
		return types.TText
	}
	return t
}

// paramError tells which parameter an error is about. Values of parameters are nobody
// else's business, so that a text is only hinted at.
func paramError(err error, b *Bind, i int, text bool) error {
	e := *pgerr.From(err)
	e.Where = "unnamed portal"
	if b.Portal != "" {
		e.Where = `portal "` + b.Portal + `"`
	}
	e.Where += " parameter $" + strconv.Itoa(i+1)
	if text {
		e.Where += " = '...'"
	}
	return &e
}

// DescribePortal handles Describe of a portal; nil when it yields no rows.
func (s *Session) DescribePortal(ctx context.Context, name string) (r *Result, err error) {
	err = s.handle(ctx, func(context.Context) error {
		p, err := s.portal(name)
		if err != nil {
			return err
		}
		if s.failedBlock() && p.result.Columns != nil {
			return abortedError()
		}
		if p.result.Columns != nil {
			r = &p.result
		}
		return nil
	})
	return r, err
}

func (s *Session) portal(name string) (*portal, error) {
	if p, ok := s.portals[name]; ok {
		return p, nil
	}
	return nil, pgerr.New(pgerr.InvalidCursorName, `portal "%s" does not exist`, name)
}

// ClosePortal handles Close of a portal; a name that is not there is no error.
func (s *Session) ClosePortal(ctx context.Context, name string) error {
	p, ok := s.portals[name]
	if !ok {
		return nil
	}
	return s.handle(ctx, func(context.Context) error { s.dropPortal(p); return nil })
}

// dropPortal ends a portal.
func (s *Session) dropPortal(p *portal) {
	s.endQuery(p)
	p.rows = nil
	if s.portals[p.name] == p {
		delete(s.portals, p.name)
	}
}

// endQuery closes what runs. An error of closing is no news: the rows are through or
// not wanted.
func (s *Session) endQuery(p *portal) {
	if q := p.query; q != nil {
		p.query = nil
		if err := q.Close(); err != nil {
			s.engine.cfg.Logger.Warn("closing a query", "pid", s.pid, "statement", p.prep.text, "error", err)
		}
	}
}

// closePortals ends the portals of the transaction, and held cursors too when all.
func (s *Session) closePortals(all bool) {
	for _, p := range s.portals {
		if all || p.cursor == nil || !p.cursor.held {
			s.dropPortal(p)
		}
	}
}

// Execute handles an Execute message. maxRows 0 means all rows.
func (s *Session) Execute(ctx context.Context, name string, maxRows int64) error {
	return s.handle(ctx, func(ctx context.Context) error {
		p, err := s.portal(name)
		if err != nil {
			return err
		}
		s.running = p.prep.text
		if p.prep.stmt.Node == nil {
			s.client.Empty()
			return nil
		}
		if err := s.mayRun(p.prep.stmt.Node); err != nil {
			return err
		}
		tag, complete, err := s.run(ctx, p, maxRows)
		switch {
		case err != nil:
			return err
		case complete:
			s.client.Complete(tag)
		default:
			s.client.Suspended()
		}
		return nil
	})
}

// run sends up to max rows of a portal, all for 0, and reports whether it is through.
func (s *Session) run(ctx context.Context, p *portal, max int64) (tag Tag, complete bool, err error) {
	switch {
	case p.done && p.rows == nil && p.cursor == nil:
		if p.plan == nil || p.plan.Verb != "SELECT" {
			return tag, false, pgerr.New(pgerr.ObjectNotInPrerequisiteState, `portal "%s" cannot be run`, p.name)
		}
		return Tag{Verb: "SELECT", Counted: true}, true, nil
	case p.rows != nil:
		return s.sendKept(p, max)
	case p.cursor != nil:
		return s.runCursor(p, max)
	case p.plan == nil:
		return s.runUtility(ctx, p, max)
	}
	if !p.started {
		if err := s.startQuery(ctx, p); err != nil {
			return tag, false, err
		}
		if max > 0 && runsToEnd(p.plan) {
			if err := s.keepAll(p); err != nil {
				return tag, false, err
			}
			return s.sendKept(p, max)
		}
	}
	var n int64
	for max == 0 || n < max {
		row, ok, err := p.query.Next()
		if err != nil {
			return tag, false, err
		}
		if !ok {
			return s.finish(p, n), true, nil
		}
		if p.result.Columns != nil {
			if err := s.client.Row(&p.result, row); err != nil {
				return tag, false, err
			}
		}
		n++
	}
	return tag, false, nil
}

// runsToEnd reports whether a statement that yields rows also changes data, so that it
// must be through before the client sees how far it wants to read.
func runsToEnd(st *plan.Statement) bool {
	return st.Verb != "SELECT" || slices.ContainsFunc(st.CTEs, func(c plan.CTE) bool { return c.Modifies })
}

// finish ends a query that has yielded all its rows, n of them this time.
func (s *Session) finish(p *portal, n int64) Tag {
	tag := Tag{Verb: p.plan.Verb, Rows: n, Counted: true}
	if p.plan.Verb != "SELECT" {
		tag.Rows = p.query.RowsAffected()
	}
	p.done = true
	s.endQuery(p)
	return tag
}

// keepAll runs a query to its end and keeps the rows.
func (s *Session) keepAll(p *portal) error {
	p.rows = []types.Row{}
	for {
		row, ok, err := p.query.Next()
		if err != nil {
			return err
		}
		if !ok {
			p.tag = s.finish(p, int64(len(p.rows)))
			return nil
		}
		p.rows = append(p.rows, slices.Clone(row))
	}
}

// sendKept sends rows that were kept.
func (s *Session) sendKept(p *portal, max int64) (tag Tag, complete bool, err error) {
	for n := int64(0); max == 0 || n < max; n++ {
		if p.next == len(p.rows) {
			p.rows, p.done = nil, true
			p.tag.Rows = n // of this Execute, as PostgreSQL counts
			return p.tag, true, nil
		}
		if err := s.client.Row(&p.result, p.rows[p.next]); err != nil {
			return tag, false, err
		}
		p.next++
	}
	return tag, false, nil
}

// runCursor is an Execute of a portal that DECLARE made.
func (s *Session) runCursor(p *portal, max int64) (tag Tag, complete bool, err error) {
	want := max
	if want == 0 {
		want = math.MaxInt64
	}
	n, err := s.scroll(p, ast.Forward, want, func(row types.Row) error { return s.client.Row(&p.result, row) })
	return Tag{Verb: "SELECT", Rows: n, Counted: true}, n < want, err
}

// startQuery opens the query of a portal.
//
// Opening locks the relations of the plan. A plan made before the locks were held may
// be of a catalog that has moved on; then it is made anew, and holds.
func (s *Session) startQuery(ctx context.Context, p *portal) error {
	return s.startQueryWith(ctx, p, nil)
}

// startQueryWith is startQuery with options of its own.
func (s *Session) startQueryWith(ctx context.Context, p *portal, set func(*exec.OpenOptions)) error {
	p.started = true
	for {
		var err error
		if p.query, err = s.open(ctx, p.plan, p.params, set); err != nil {
			return err
		}
		if p.plan.CatalogVersion == s.tx.cat.Version() || len(p.plan.Relations) == 0 {
			return nil
		}
		s.endQuery(p)
		if err := s.revalidate(ctx, p.prep); err != nil {
			return err
		}
		p.plan = p.prep.plan
	}
}

// open begins the execution of a plan.
func (s *Session) open(ctx context.Context, st *plan.Statement, params []types.Datum, set func(*exec.OpenOptions)) (*exec.Query, error) {
	tx := s.ensureTx()
	if st.Writes && tx.readOnly {
		return nil, s.forbidReadOnly(writingVerb(st))
	}
	tx.queried = true
	o := exec.OpenOptions{Txn: tx.store, Catalog: tx.cat, Params: params, Notice: s.notice, Funcs: s.funcsCtx(ctx)}
	if set != nil {
		set(&o)
	}
	return s.engine.runtime.Open(ctx, st, o)
}

func (s *Session) funcsCtx(ctx context.Context) *funcs.Ctx {
	return &funcs.Ctx{Context: ctx, Env: s.env, Session: s, StmtTime: s.statementTime, TxnTime: s.tx.start}
}

// writingVerb names what a read-only transaction refuses.
func writingVerb(st *plan.Statement) string {
	if st.Verb != "SELECT" {
		return st.Verb
	}
	for _, c := range st.CTEs {
		if c.Modifies {
			switch c.Root.(type) {
			case *plan.Insert:
				return "INSERT"
			case *plan.Update:
				return "UPDATE"
			case *plan.Delete:
				return "DELETE"
			}
		}
	}
	return "SELECT FOR UPDATE"
}

// Sync handles a Sync message: it ends the transaction of the messages before it,
// unless that is a block.
func (s *Session) Sync(ctx context.Context) error {
	if s.tx == nil || s.tx.block {
		return nil
	}
	return s.handle(ctx, s.commit)
}
