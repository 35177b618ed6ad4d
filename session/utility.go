package session

import (
	"context"
	"slices"
	"strings"

	"raisind/catalog"
	"raisind/pgerr"
	"raisind/sql/ast"
	"raisind/sql/ddl"
	"raisind/sql/exec"
	"raisind/sql/parser"
	"raisind/sql/plan"
	"raisind/sql/types"
)

// emit takes one row of a statement that is not planned.
type emit func(types.Row) error

// innerOf returns the statement inside another that is planned with it, or nil.
func innerOf(n ast.Stmt) ast.Stmt {
	switch n := n.(type) {
	case *ast.Explain:
		if d, ok := n.Stmt.(*ast.Declare); ok {
			return d.Query
		}
		return n.Stmt
	case *ast.Declare:
		return n.Query
	case *ast.Copy:
		return n.Query
	}
	return nil
}

// analyseUtility settles parameters and columns of a statement that is not planned.
func (s *Session) analyseUtility(ctx context.Context, p *prepared) error {
	if inner := innerOf(p.stmt.Node); inner != nil && isPlanned(inner) {
		p.inner = &prepared{
			text: p.text, given: p.given, keep: p.keep, made: p.made,
			stmt: parser.Statement{Node: inner, Text: p.stmt.Text, Offset: p.stmt.Offset},
		}
		if err := s.plan(ctx, p.inner); err != nil {
			return err
		}
		p.inner.params, p.inner.cols = p.inner.plan.Params, p.inner.plan.Columns
		p.params = p.inner.params
	}
	if c, ok := p.stmt.Node.(*ast.Call); ok && !s.failedBlock() {
		var err error
		if p.cols, err = s.callColumns(ctx, c, p.stmt.Text); err != nil {
			return shift(err, p.text, p.stmt)
		}
		return nil
	}
	p.cols = s.utilityColumns(p)
	return nil
}

func textColumn(name string) plan.Column {
	return plan.Column{Name: name, Type: types.TText, Typmod: -1}
}

// utilityColumns describes the rows of a statement that is not planned, as things are
// now; nil when it yields none.
func (s *Session) utilityColumns(p *prepared) []plan.Column {
	switch n := p.stmt.Node.(type) {
	case *ast.Show:
		if n.Name == "all" {
			return []plan.Column{textColumn("name"), textColumn("setting"), textColumn("description")}
		}
		if d := findSetting(n.Name); d != nil {
			return []plan.Column{textColumn(d.name)}
		}
		return []plan.Column{textColumn(n.Name)}
	case *ast.Explain:
		c := textColumn("QUERY PLAN")
		if n.Format == ast.FormatJSON {
			c.Type = types.TJSON
		}
		return []plan.Column{c}
	case *ast.Fetch:
		if c, ok := s.portals[n.Cursor]; ok && !n.Move {
			return c.result.Columns
		}
	case *ast.Execute:
		if q, ok := s.prepared[n.Name]; ok {
			return q.cols
		}
	}
	return exec.DDLColumns(p.stmt.Node)
}

// simpleFormats are the result formats of a statement of a simple query: text, except
// that a binary cursor yields what it holds.
func (s *Session) simpleFormats(p *prepared) []int16 {
	if n, ok := p.stmt.Node.(*ast.Fetch); ok && !n.Move {
		if c, ok := s.portals[n.Cursor]; ok && c.cursor != nil && c.cursor.binary {
			return []int16{1}
		}
	}
	return nil
}

// runUtility runs a statement that is not planned. Its rows are announced once it has
// begun to work, so that its own errors come first.
func (s *Session) runUtility(ctx context.Context, p *portal, max int64) (tag Tag, complete bool, err error) {
	p.started = true
	if max > 0 && p.result.Columns != nil {
		p.rows = []types.Row{}
		if p.tag, err = s.utility(ctx, p, func(row types.Row) error {
			p.rows = append(p.rows, slices.Clone(row))
			return nil
		}); err != nil {
			return tag, false, err
		}
		return s.sendKept(p, max)
	}
	describe := func() {
		if p.announce {
			p.announce = false
			s.client.Describe(&p.result)
		}
	}
	tag, err = s.utility(ctx, p, func(row types.Row) error {
		describe()
		return s.client.Row(&p.result, row)
	})
	p.done = true
	if err == nil {
		describe()
	}
	return tag, err == nil, err
}

// utility is the switch over statements that are not planned.
func (s *Session) utility(ctx context.Context, p *portal, row emit) (Tag, error) {
	node := p.prep.stmt.Node
	tag := Tag{Verb: commandName(node)}
	switch n := node.(type) {
	case *ast.Begin:
		// BEGIN and START TRANSACTION are one node; the tag repeats the word.
		if rest := p.prep.stmt.Text[n.Pos():]; len(rest) > 5 && strings.EqualFold(rest[:5], "start") {
			tag.Verb = "START TRANSACTION"
		}
		return tag, s.begin(n.Modes)
	case *ast.Commit:
		return s.endBlock(ctx, true, n.Chain)
	case *ast.Rollback:
		return s.endBlock(ctx, false, n.Chain)
	case *ast.Savepoint:
		return tag, s.savepoint(n.Name)
	case *ast.Release:
		return tag, s.release(n.Name)
	case *ast.RollbackTo:
		return tag, s.rollbackTo(n.Name)
	case *ast.SetTransaction:
		return tag, s.setTransaction(n)
	case *ast.TwoPhase:
		return s.twoPhase(n)
	case *ast.Set:
		return tag, s.setStatement(n)
	case *ast.Show:
		return tag, s.showStatement(n, row)
	case *ast.Reset:
		return tag, s.resetStatement(n)
	case *ast.Discard:
		return tag, s.discard(n)
	case *ast.Prepare:
		return tag, s.prepareStatement(ctx, p, n)
	case *ast.Execute:
		return s.executeStatement(ctx, p, n, row)
	case *ast.Deallocate:
		return s.deallocate(n)
	case *ast.Declare:
		return tag, s.declare(ctx, p, n)
	case *ast.Fetch:
		return s.fetch(ctx, n, row)
	case *ast.CloseCursor:
		return s.closeCursor(n)
	case *ast.Explain:
		return tag, s.explainStatement(ctx, p, n, row)
	case *ast.Copy:
		return s.copyStatement(ctx, p, n)
	case *ast.Vacuum:
		return tag, s.vacuum(ctx, n)
	case *ast.Analyze:
		return tag, s.analyzeStatement(ctx, n)
	case *ast.Checkpoint:
		return tag, s.engine.cfg.DB.Flush()
	case *ast.LockTable:
		return tag, s.lockTable(ctx, n)
	case *ast.CreateExtension:
		return tag, s.createExtension(n)
	case *ast.Do:
		return tag, s.do(ctx, p, n)
	case *ast.Call:
		return tag, s.callStatement(ctx, p, n, row)
	case *ast.DropObject:
		switch n.Kind {
		case "function", "procedure", "routine":
			return tag, s.dropRoutines(ctx, n)
		case "trigger":
			return tag, s.dropTrigger(ctx, n)
		}
	case *ast.AlterTable:
		if done, err := s.alterTriggers(ctx, n); done || err != nil {
			return tag, err
		}
	case *ast.SetConstraints:
		if err := s.setDeferred(ctx, n); err != nil {
			return tag, err
		}
		return tag, s.setConstraints(ctx, n)
	case *ast.Truncate:
		return tag, s.truncate(ctx, n)
	case *ast.CreateFunction:
		return tag, s.createFunction(ctx, p, n)
	case *ast.AlterFunction:
		return tag, s.alterFunction(ctx, n)
	case *ast.CreateTrigger:
		return tag, s.createTrigger(ctx, p, n)
	case *ast.AlterTrigger:
		return tag, s.alterTrigger(ctx, n)
	case *ast.Listen:
		s.listen(channelName(n.Channel), true)
		return tag, nil
	case *ast.Unlisten:
		s.listen(channelName(n.Channel), false)
		return tag, nil
	case *ast.Notify:
		return tag, s.Notify(channelName(n.Channel), n.Payload)
	}
	return s.definition(ctx, p.prep.stmt, p.prep.text, row)
}

// ddlEnv is what a statement that defines something runs in.
func (s *Session) ddlEnv(ctx context.Context, stmt parser.Statement) ddl.Env {
	tx := s.ensureTx()
	return ddl.Env{
		Runtime: s.engine.runtime, Txn: tx.store, Catalog: tx.cat, Funcs: s.funcsCtx(ctx),
		Planner: s.plannerOptions(stmt.Text, nil, tx), Role: s.roleOID(), Notice: s.notice,
		SwitchTrigger: func(r *catalog.Relation, a *ast.AlterAction) error { return s.switchTriggers(ctx, r, a) },
		TempSchema:    s.tempSchema, VerifyForeignKey: func(oid uint32) error { return s.verifyForeignKey(ctx, oid) },
	}
}

func notSupported(what string) error {
	return pgerr.New(pgerr.FeatureNotSupported, "%s is not supported", what)
}

// definition runs statements that define things: workspaces, tables, indexes.
func (s *Session) definition(ctx context.Context, stmt parser.Statement, text string, row emit) (Tag, error) {
	node := stmt.Node
	name := commandName(node)
	if !onlyReads(node) {
		if err := s.forbidReadOnly(name); err != nil {
			return Tag{}, err
		}
	}
	if _, ok := node.(*ast.RebuildSpatialIndex); ok {
		if err := s.forbidBlock(name); err != nil {
			return Tag{}, err
		}
	}
	switch n := node.(type) {
	case *ast.CreateIndex:
		if n.Concurrently {
			if err := s.forbidBlock("CREATE INDEX CONCURRENTLY"); err != nil {
				return Tag{}, err
			}
		}
	case *ast.DropObject:
		if n.Concurrently {
			if err := s.forbidBlock("DROP INDEX CONCURRENTLY"); err != nil {
				return Tag{}, err
			}
		}
	}
	tx := s.ensureTx()
	tx.queried = true
	if tag, handled, err := s.defineObject(ctx, node); handled {
		return tag, err
	}
	res, handled, err := s.engine.runtime.RunDDLAs(ctx, s.roleOID(), node, tx.store, tx.cat)
	if err == nil && !handled {
		res, handled, err = ddl.Run(ctx, node, s.ddlEnv(ctx, stmt))
		err = shift(err, text, stmt)
	}
	if err != nil {
		return Tag{}, err
	}
	if !handled {
		return Tag{}, notSupported(name)
	}
	for _, n := range res.Notices {
		s.notice(n)
	}
	for _, r := range res.Rows {
		if err := row(r); err != nil {
			return Tag{}, err
		}
	}
	return Tag{Verb: res.Tag}, nil
}

func onlyReads(n ast.Stmt) bool {
	switch n.(type) {
	case *ast.ShowSpatialIndexConfig, *ast.ShowSpatialIndexHealth, *ast.VerifySpatialIndex:
		return true
	}
	return false
}

// lockTable is LOCK TABLE.
func (s *Session) lockTable(ctx context.Context, n *ast.LockTable) error {
	if err := s.needBlock("LOCK TABLE"); err != nil {
		return err
	}
	for _, name := range n.Relations {
		rel, err := s.relation(name, s.running)
		if err != nil {
			return err
		}
		if err := s.lockRelation(ctx, rel, n); err != nil {
			return err
		}
	}
	return nil
}

// createExtension knows one extension, which is always there.
func (s *Session) createExtension(n *ast.CreateExtension) error {
	if n.Name != "postgis" {
		return pgerr.New(pgerr.FeatureNotSupported, `extension "%s" is not available`, n.Name).
			WithHint("PostGIS's functions are built in; other extensions cannot be added.")
	}
	if !n.IfNotExists {
		return pgerr.New(pgerr.DuplicateObject, `extension "%s" already exists`, n.Name)
	}
	e := pgerr.Notice(`extension "%s" already exists, skipping`, n.Name)
	e.Code = pgerr.DuplicateObject
	s.notice(e)
	return nil
}

// twoPhase is PREPARE TRANSACTION and its kin, which PostgreSQL has switched off by default.
func (s *Session) twoPhase(n *ast.TwoPhase) (Tag, error) {
	if n.Verb != "prepare" {
		return Tag{}, pgerr.New(pgerr.UndefinedObject, `prepared transaction with identifier "%s" does not exist`, n.ID)
	}
	if s.tx == nil || !s.tx.block {
		s.notice(pgerr.Warning(pgerr.NoActiveSQLTransaction, "there is no transaction in progress"))
		return Tag{Verb: "ROLLBACK"}, nil
	}
	if s.tx.failed {
		s.rollback()
		return Tag{Verb: "ROLLBACK"}, nil
	}
	s.rollback() // it fails and takes the transaction with it
	return Tag{}, pgerr.New(pgerr.ObjectNotInPrerequisiteState, "prepared transactions are disabled").
		WithHint("Distributed commits are not supported.")
}
