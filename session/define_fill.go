package session

import (
	"context"

	"raisind/catalog"
	"raisind/sql/ast"
	"raisind/sql/exec"
	"raisind/sql/parser"
	"raisind/sql/planner"
)

// fillView runs the query of a materialized view into it.
func (s *Session) fillView(ctx context.Context, r *catalog.Relation) (rows int, err error) {
	stmts, err := parser.Parse(r.Query.SQL)
	if err != nil {
		return rows, err
	}
	tx := s.ensureTx()
	opt := s.plannerOptions("", nil, tx)
	opt.SearchPath, opt.Role = []string{r.Schema, catalog.DefaultSchema}, r.OwnerOID()
	st, err := planner.Plan(ctx, stmts[0].Node, opt)
	if err != nil {
		return rows, err
	}
	q, err := s.engine.runtime.Open(ctx, st, s.openOptions(ctx, nil))
	if err != nil {
		return rows, err
	}
	defer q.Close()
	targets := make([]int, len(r.Columns))
	for i := range targets {
		targets[i] = i
	}
	in, err := s.engine.runtime.NewInserter(ctx, exec.InserterOptions{
		Txn: tx.store, Catalog: tx.cat, Rel: r, Targets: targets, Funcs: s.funcsCtx(ctx),
	})
	if err != nil {
		return rows, err
	}
	defer in.Close()
	for {
		row, ok, err := q.Next()
		if err != nil || !ok {
			return rows, err
		}
		if err := in.Insert(row); err != nil {
			return rows, err
		}
		rows++
	}
}

// emptyView deletes the rows of a materialized view.
func (s *Session) emptyView(ctx context.Context, r *catalog.Relation) error {
	return s.runInternal(ctx, "DELETE FROM "+ast.QuoteIdent(r.Schema)+"."+ast.QuoteIdent(r.Name), nil, false, nil)
}
