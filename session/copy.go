package session

import (
	"context"
	"errors"
	"io"
	"slices"

	"raisind/catalog"
	"raisind/pgerr"
	"raisind/sql/ast"
	"raisind/sql/exec"
	"raisind/sql/planner"
	"raisind/sql/types"
)

// copyStatement is COPY.
func (s *Session) copyStatement(ctx context.Context, p *portal, n *ast.Copy) (Tag, error) {
	if n.Program || !n.Std {
		return Tag{}, pgerr.New(pgerr.FeatureNotSupported, "COPY with files or programs of the server is not supported").
			WithHint("Use COPY FROM STDIN or TO STDOUT, or psql's \\copy.")
	}
	opt, err := copyOptionsOf(n, p.prep)
	if err != nil {
		return Tag{}, err
	}
	if n.From {
		return s.copyFrom(ctx, p, n, opt)
	}
	return s.copyTo(ctx, p, n, opt)
}

// relation finds a relation a statement names, for a text it stands in.
func (s *Session) relation(name ast.RelName, text string) (*catalog.Relation, error) {
	s.ensureTx()
	if r, ok := s.findRelation(name.Schema, name.Name); ok {
		return r, nil
	}
	return nil, pgerr.New(pgerr.UndefinedTable, `relation "%s" does not exist`, name.Dotted())
}

// copyColumns returns the places in r's columns that COPY reads or writes.
func copyColumns(r *catalog.Relation, names []string) ([]int, error) {
	var targets []int
	if names == nil {
		for i, c := range r.Columns {
			if !c.Hidden && c.Generated == "" {
				targets = append(targets, i)
			}
		}
		return targets, nil
	}
	for _, name := range names {
		i, ok := r.ColumnByName(name)
		if !ok {
			return nil, pgerr.New(pgerr.UndefinedColumn, `column "%s" of relation "%s" does not exist`, name, r.Name)
		}
		if r.Columns[i].Generated != "" {
			return nil, pgerr.New(pgerr.InvalidColumnReference, `column "%s" is a generated column`, name).
				WithDetail("Generated columns cannot be used in COPY.")
		}
		if slices.Contains(targets, i) {
			return nil, pgerr.New(pgerr.DuplicateColumn, `column "%s" specified more than once`, name)
		}
		targets = append(targets, i)
	}
	return targets, nil
}

// copyFrom is COPY FROM STDIN.
func (s *Session) copyFrom(ctx context.Context, p *portal, n *ast.Copy, opt *copyOptions) (Tag, error) {
	if n.Where != nil {
		return Tag{}, notSupported("COPY FROM with WHERE")
	}
	if n.Relation == nil {
		return Tag{}, pgerr.New(pgerr.SyntaxError, "COPY FROM needs a relation")
	}
	rel, err := s.relation(*n.Relation, p.prep.text)
	if err != nil {
		return Tag{}, err
	}
	if err := s.forbidReadOnly("COPY FROM"); err != nil {
		return Tag{}, err
	}
	targets, err := copyColumns(rel, n.Columns)
	if err != nil {
		return Tag{}, err
	}
	cols := make([]copyColumn, len(targets))
	for i, t := range targets {
		c := rel.Columns[t]
		cols[i] = copyColumn{name: c.Name, typ: c.Type, typmod: c.Typmod}
	}
	if err := opt.bind(rel.Name, cols); err != nil {
		return Tag{}, err
	}
	s.tx.queried = true
	opts := s.plannerOptions("", nil, s.tx)
	defaults, err := planner.Defaults(ctx, opts, rel, targets)
	if err != nil {
		return Tag{}, err
	}
	rules, err := planner.RowRules(ctx, opts, rel)
	if err != nil {
		return Tag{}, err
	}
	ins, err := s.engine.runtime.NewInserter(ctx, exec.InserterOptions{
		Txn: s.tx.store, Catalog: s.tx.cat, Rel: rel, Targets: targets, Defaults: defaults, Rules: rules, Funcs: s.funcsCtx(ctx), Keys: s,
		Triggers: s.triggersFor(ctx, rel),
	})
	if err != nil {
		return Tag{}, err
	}
	defer ins.Close()
	if err := s.client.CopyIn(int8(opt.wireFormat()), len(cols)); err != nil {
		return Tag{}, err
	}
	in := &copyIn{next: s.client.CopyNext}
	rows := opt.reader(in, rel.Name, cols, s.env)
	tag := Tag{Verb: "COPY", Counted: true}
	for {
		row, err := rows.next()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return tag, err
		}
		if err := ins.Insert(row); err != nil {
			return tag, rows.at(mapError(err))
		}
		if tag.Rows++; tag.Rows%256 == 0 && ctx.Err() != nil {
			return tag, context.Cause(ctx)
		}
	}
	if err := in.drain(); err != nil {
		return tag, err
	}
	if err := ins.Finish(); err != nil {
		return tag, err
	}
	return tag, ins.Done()
}

// copyTo is COPY TO STDOUT.
func (s *Session) copyTo(ctx context.Context, p *portal, n *ast.Copy, opt *copyOptions) (Tag, error) {
	var q *prepared
	switch {
	case p.prep.inner != nil:
		q = p.prep.inner
		if err := s.revalidate(ctx, q); err != nil {
			return Tag{}, err
		}
		if q.cols == nil {
			return Tag{}, pgerr.New(pgerr.FeatureNotSupported, "COPY query must have a RETURNING clause")
		}
	case n.Relation != nil:
		rel, err := s.relation(*n.Relation, p.prep.text)
		if err != nil {
			return Tag{}, err
		}
		if q, err = s.selectAll(ctx, rel, n); err != nil {
			return Tag{}, err
		}
	default:
		return Tag{}, notSupported("COPY of this statement")
	}
	cols := make([]copyColumn, len(q.cols))
	for i, c := range q.cols {
		cols[i] = copyColumn{name: c.Name, typ: c.Type, typmod: c.Typmod}
	}
	if err := opt.bind("", cols); err != nil {
		return Tag{}, err
	}
	run := &portal{prep: q, plan: q.plan, params: p.params}
	if err := s.startQuery(ctx, run); err != nil {
		return Tag{}, err
	}
	defer s.endQuery(run)
	s.client.CopyOut(int8(opt.wireFormat()), len(cols))
	w := &copyWriter{opt: opt, cols: cols, env: s.env, send: s.client.CopyData}
	if err := w.begin(); err != nil {
		return Tag{}, err
	}
	tag := Tag{Verb: "COPY", Counted: true}
	for {
		row, ok, err := run.query.Next()
		if err != nil {
			return tag, err
		}
		if !ok {
			break
		}
		if err := w.row(row); err != nil {
			return tag, err
		}
		tag.Rows++
	}
	if err := w.end(); err != nil {
		return tag, err
	}
	s.client.CopyDone()
	return tag, nil
}

// selectAll prepares the query that COPY relation TO reads.
func (s *Session) selectAll(ctx context.Context, rel *catalog.Relation, n *ast.Copy) (*prepared, error) {
	targets, err := copyColumns(rel, n.Columns)
	if err != nil {
		return nil, err
	}
	sel := &ast.Select{From: []ast.TableExpr{&ast.TableRef{Name: ast.RelName{Schema: rel.Schema, Name: rel.Name}}}}
	for _, t := range targets {
		sel.Targets = append(sel.Targets, ast.Target{Expr: &ast.ColumnRef{Parts: []string{rel.Columns[t].Name}}})
	}
	p := &prepared{stmt: planless(sel), made: s.statementTime}
	if err := s.plan(ctx, p); err != nil {
		return nil, err
	}
	p.cols = p.plan.Columns
	return p, nil
}

// copyColumn is a column of COPY.
type copyColumn struct {
	name   string
	typ    *types.Type
	typmod int32

	forceQuote, forceNotNull, forceNull bool
}

// copyIn is the stream of a COPY FROM.
type copyIn struct {
	next func() ([]byte, error)
	eof  bool
}

// read returns the next piece, io.EOF at the end.
func (in *copyIn) read() ([]byte, error) {
	if in.eof {
		return nil, io.EOF
	}
	b, err := in.next()
	if err != nil {
		in.eof = errors.Is(err, io.EOF)
	}
	return b, err
}

// drain reads what follows the end-of-data marker.
func (in *copyIn) drain() error {
	for !in.eof {
		if _, err := in.read(); err != nil && !errors.Is(err, io.EOF) {
			return err
		}
	}
	return nil
}
