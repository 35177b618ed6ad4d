package session

import (
	"context"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"raisind/pgerr"
	"raisind/sql/ast"
	"raisind/sql/parser"
	"raisind/sql/plan"
	"raisind/sql/planner"
	"raisind/sql/types"
)

// prepared is a prepared statement: of Parse, of PREPARE, or of one statement of a
// simple query.
type prepared struct {
	name string
	// text is what it was prepared from, the whole of it.
	text string
	// stmt.Node is nil for an empty statement.
	stmt parser.Statement
	// given are the parameter types the client named, nil where it did not.
	given []*types.Type
	// params are the parameter types as they were settled.
	params []*types.Type
	// plan is set for statements that are planned; it is made anew when the catalog moves.
	plan *plan.Statement
	// inner is the statement inside EXPLAIN, DECLARE and COPY.
	inner *prepared
	// planSettings is the Session.planKey the plan was made under.
	planSettings string
	planTook     time.Duration
	// cols describe the rows; nil for a statement without rows.
	cols []plan.Column
	// keep: plans of it are worth keeping for all sessions.
	keep bool
	// sql tells PREPARE from Parse.
	sql  bool
	made time.Time
}

// isPlanned reports whether a statement is one the planner plans.
func isPlanned(n ast.Stmt) bool {
	switch n.(type) {
	case *ast.Select, *ast.Insert, *ast.Update, *ast.Delete:
		return true
	}
	return false
}

// Parse handles a Parse message: it prepares a statement. The empty name may be used
// again and again, others only once.
func (s *Session) Parse(ctx context.Context, name, text string, paramOIDs []uint32) error {
	return s.handle(ctx, func(ctx context.Context) error {
		s.runs(text)
		if name == "" {
			s.unnamed = nil // gone even when the new one fails
		}
		p, err := s.prepare(ctx, text, paramOIDs)
		if err != nil {
			return err
		}
		p.name = name
		return s.keep(p)
	})
}

// keep stores a prepared statement under its name.
func (s *Session) keep(p *prepared) error {
	if p.name == "" {
		s.unnamed = p
		return nil
	}
	if _, ok := s.prepared[p.name]; ok {
		return pgerr.New(pgerr.DuplicatePreparedStatement, `prepared statement "%s" already exists`, p.name)
	}
	s.prepared[p.name] = p
	return nil
}

// prepare analyses the text of a Parse message.
func (s *Session) prepare(ctx context.Context, text string, paramOIDs []uint32) (*prepared, error) {
	if err := validText(text); err != nil {
		return nil, err
	}
	stmts, keep, err := s.engine.cache.parse(text)
	if err != nil {
		return nil, err
	}
	if len(stmts) > 1 {
		return nil, pgerr.New(pgerr.SyntaxError, "cannot insert multiple commands into a prepared statement")
	}
	given, err := paramTypes(paramOIDs)
	if err != nil {
		return nil, err
	}
	if len(stmts) == 0 {
		return &prepared{text: text, given: given, params: given, made: s.statementTime}, nil
	}
	if err := s.mayRun(stmts[0].Node); err != nil {
		return nil, err
	}
	return s.analyse(ctx, text, stmts[0], given, keep)
}

func paramTypes(oids []uint32) ([]*types.Type, error) {
	if len(oids) == 0 {
		return nil, nil
	}
	ts := make([]*types.Type, len(oids))
	for i, oid := range oids {
		if oid == 0 || oid == types.TUnknown.OID {
			continue
		}
		t, ok := types.ByOID(oid)
		if !ok {
			return nil, pgerr.New(pgerr.UndefinedObject, "type with OID %d does not exist", oid)
		}
		ts[i] = t
	}
	return ts, nil
}

// analyse settles parameter types and columns of one statement; with keep, its plan is
// worth keeping for all.
func (s *Session) analyse(ctx context.Context, text string, st parser.Statement, given []*types.Type, keep bool) (*prepared, error) {
	p := &prepared{text: text, stmt: st, given: given, params: given, keep: keep, made: s.statementTime}
	if isPlanned(st.Node) {
		if err := s.plan(ctx, p); err != nil {
			return nil, err
		}
		p.params, p.cols = p.plan.Params, p.plan.Columns
		return p, nil
	}
	return p, s.analyseUtility(ctx, p)
}

// plan gives p a plan that holds for the catalog as it is now.
func (s *Session) plan(ctx context.Context, p *prepared) error {
	began := time.Now()
	tx := s.ensureTx()
	given := p.given
	if p.plan != nil {
		given = p.params // what the client was told stays
	}
	st, err := s.planStatement(ctx, p, given, tx)
	if err != nil {
		return shift(err, p.text, p.stmt)
	}
	p.plan, p.planSettings, p.planTook = st, s.planKey, time.Since(began)
	return nil
}

// planStatement plans a statement or finds its plan.
func (s *Session) planStatement(ctx context.Context, p *prepared, given []*types.Type, tx *transaction) (*plan.Statement, error) {
	stmt := &p.stmt
	shared := p.keep && !tx.cat.Changed()
	var key planKey
	if shared {
		key = planKey{text: stmt.Text, catalog: tx.cat.Version(), params: paramKey(given), settings: s.planKey}
		if st, ok := s.engine.cache.plans.Get(key); ok {
			return st, nil
		}
	}
	st, err := planner.Plan(ctx, stmt.Node, s.plannerOptions(stmt.Text, given, tx))
	s.plans.Add(1)
	if err != nil {
		return nil, err
	}
	if shared && !st.Uncacheable && st.CatalogVersion == key.catalog {
		s.engine.cache.plans.Add(key, st)
	}
	return st, nil
}

func (s *Session) plannerOptions(text string, given []*types.Type, tx *transaction) planner.Options {
	return planner.Options{
		Catalog: tx.cat, Virtual: virtualRelations{s.engine, tx.cat}, ParamTypes: given, SearchPath: s.searchPath(), TempSchema: s.temp, Role: s.roleOID(),
		Env: s.env, SQL: text, Settings: s.settingOrEmpty,
	}
}

// shift moves the position of an error from the statement to the text it came in.
func shift(err error, text string, stmt parser.Statement) error {
	e, ok := err.(*pgerr.Error)
	if !ok || e.Pos == 0 || stmt.Offset == 0 {
		return err
	}
	moved := *e
	moved.Pos += utf8.RuneCountInString(text[:stmt.Offset])
	return &moved
}

// revalidate makes p.plan hold for the catalog as it is now. A statement whose columns
// have changed must be prepared anew by the client, who was told the old ones.
func (s *Session) revalidate(ctx context.Context, p *prepared) error {
	if p.plan == nil {
		return nil
	}
	tx := s.ensureTx()
	if p.plan.CatalogVersion == tx.cat.Version() && p.planSettings == s.planKey && !p.plan.Uncacheable {
		return nil
	}
	if err := s.plan(ctx, p); err != nil {
		return err
	}
	if !sameColumns(p.cols, p.plan.Columns) {
		p.planSettings = staleSettings // it may change back
		return pgerr.New(pgerr.FeatureNotSupported, "cached plan must not change result type")
	}
	p.cols = p.plan.Columns
	return nil
}

func sameColumns(a, b []plan.Column) bool {
	return slices.EqualFunc(a, b, func(x, y plan.Column) bool {
		return x.Name == y.Name && x.Type == y.Type && x.Typmod == y.Typmod
	})
}

// statement finds a prepared statement by name.
func (s *Session) statement(name string) (*prepared, error) {
	if name == "" {
		if s.unnamed == nil {
			return nil, pgerr.New(pgerr.InvalidSQLStatementName, "unnamed prepared statement does not exist")
		}
		return s.unnamed, nil
	}
	if p, ok := s.prepared[name]; ok {
		return p, nil
	}
	return nil, pgerr.New(pgerr.InvalidSQLStatementName, `prepared statement "%s" does not exist`, name)
}

// CloseStatement handles Close of a statement; a name that is not there is no error.
func (s *Session) CloseStatement(name string) {
	if name == "" {
		s.unnamed = nil
		return
	}
	delete(s.prepared, name)
}

// DescribeStatement handles Describe of a statement: its parameter types and its
// columns, nil when it yields no rows.
func (s *Session) DescribeStatement(ctx context.Context, name string) (params []*types.Type, r *Result, err error) {
	err = s.handle(ctx, func(ctx context.Context) error {
		p, err := s.statement(name)
		if err != nil {
			return err
		}
		s.runs(p.text)
		if s.failedBlock() && p.cols != nil {
			return abortedError()
		}
		if p.cols != nil {
			r = &Result{Columns: p.cols}
		}
		params = p.params
		return nil
	})
	return params, r, err
}

// validText refuses what is no UTF-8 or holds a NUL.
func validText(text string) error {
	if utf8.ValidString(text) && strings.IndexByte(text, 0) < 0 {
		return nil
	}
	for i := 0; i < len(text); {
		r, n := utf8.DecodeRuneInString(text[i:])
		if r == utf8.RuneError && n <= 1 || text[i] == 0 {
			return invalidBytes(text[i:])
		}
		i += n
	}
	return nil
}

// invalidBytes names the bytes PostgreSQL would: as many as the first one announces.
func invalidBytes(rest string) error {
	n := 1
	switch c := rest[0]; {
	case c >= 0xf0 && c < 0xf8:
		n = 4
	case c >= 0xe0 && c < 0xf0:
		n = 3
	case c >= 0xc0 && c < 0xe0:
		n = 2
	}
	n = min(n, len(rest))
	list := ""
	for i := range n {
		if i > 0 {
			list += " "
		}
		list += hexByte(rest[i])
	}
	return pgerr.New(pgerr.CharacterNotInRepertoire, `invalid byte sequence for encoding "UTF8": %s`, list)
}

func hexByte(c byte) string {
	const digits = "0123456789abcdef"
	return "0x" + string([]byte{digits[c>>4], digits[c&15]})
}

// failedBlock reports whether the transaction block waits for its end.
func (s *Session) failedBlock() bool { return s.tx != nil && s.tx.failed }

func abortedError() error {
	return pgerr.New(pgerr.InFailedSQLTransaction, "current transaction is aborted, commands ignored until end of transaction block")
}

// mayRun says no to what a failed block does not take.
func (s *Session) mayRun(n ast.Stmt) error {
	if !s.failedBlock() {
		return nil
	}
	switch n.(type) {
	case *ast.Commit, *ast.Rollback, *ast.RollbackTo, *ast.TwoPhase:
		return nil
	}
	return abortedError()
}
