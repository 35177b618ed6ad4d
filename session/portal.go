package session

import (
	"context"
	"math"
	"slices"
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
	hidden        bool    // from pg_cursors: the portal of a simple query
	announce      bool    // rows were not described yet: the protocol is the simple one
	cursor        *cursor // of DECLARE
}

// newPortal makes a portal that is not in the table yet. The unnamed one takes the
// place, and the memory, of the one before.
func (s *Session) newPortal(name string, prep *prepared) (*portal, error) {
	old := s.portals[name]
	var p *portal
	switch {
	case name == "":
		if old != nil {
			s.dropPortal(old)
		}
		if p, s.spare = s.spare, nil; p != nil {
			*p = portal{params: p.params, result: Result{Formats: p.result.Formats}}
		}
	case old != nil:
		return nil, pgerr.New(pgerr.DuplicateCursor, `cursor "%s" already exists`, name)
	}
	if p == nil {
		p = &portal{}
	}
	s.portalNumber++
	p.name, p.number, p.prep, p.made = name, s.portalNumber, prep, s.statementTime
	return p, nil
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
		if p.name == "" {
			s.spare = p
		}
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
		s.runs(p.prep.text)
		if p.prep.stmt.Node == nil {
			s.client.Empty()
			return nil
		}
		if err := s.mayRun(p.prep.stmt.Node); err != nil {
			return err
		}
		s.countRun(p)
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
	return s.startMeasured(ctx, p, measuring{})
}

// measuring says what an execution measures.
type measuring struct {
	nodes, timing bool
	triggers      *[]plan.TriggerStats // of those that could fire, where wanted
}

// startMeasured is startQuery for EXPLAIN ANALYZE.
func (s *Session) startMeasured(ctx context.Context, p *portal, m measuring) error {
	p.started = true
	for {
		var err error
		if p.query, err = s.open(ctx, p.plan, p.params, m); err != nil {
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
func (s *Session) open(ctx context.Context, st *plan.Statement, params []types.Datum, m measuring) (*exec.Query, error) {
	tx := s.ensureTx()
	if st.Writes && tx.readOnly {
		return nil, s.forbidReadOnly(writingVerb(st))
	}
	tx.queried = true
	triggers := s.triggersOf(ctx, st)
	if fired, ok := triggers.(*firedTriggers); ok {
		fired.stats = m.triggers
	}
	return s.engine.runtime.Open(ctx, st, exec.OpenOptions{
		Txn: tx.store, Catalog: tx.cat, Params: params, Funcs: s.funcsCtx(ctx), Notice: s.noticeFn, Keys: s,
		Instrument: m.nodes, Timing: m.timing,
		WorkMemBytes: s.workMemBytes, HashMemBytes: s.hashMemBytes, TempFileBytes: s.tempFileBytes,
		Triggers: triggers,
	})
}

func (s *Session) funcsCtx(ctx context.Context) *funcs.Ctx {
	return &funcs.Ctx{Context: ctx, Env: s.env, Session: s, StmtTime: s.statementTime, TxnTime: s.tx.start, Random: s.random}
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
