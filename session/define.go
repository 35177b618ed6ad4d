package session

import (
	"context"

	"raisind/catalog"
	"raisind/sql/ast"
	"raisind/sql/define"
	"raisind/sql/planner"
)

// definer is what statements that define objects work on.
func (s *Session) definer(ctx context.Context) *define.Env {
	tx := s.ensureTx()
	return &define.Env{
		Ctx: ctx, DB: s.engine.cfg.DB, Txn: tx.store, Cat: tx.cat, Path: s.searchPath(), TempSchema: s.tempSchema, Temp: s.temp,
		Role: s.roleOID(), User: s.oidOfRole(s.sessionUser()), Notice: s.notice, Sync: s.syncCommit,
		Fill:  func(r *catalog.Relation) (int, error) { return s.fillView(ctx, r) },
		Empty: func(r *catalog.Relation) error { return s.emptyView(ctx, r) },
		Drop: func(refs []catalog.Ref, cascade bool) error {
			return tx.cat.Delete(ctx, refs, catalog.Dropping{Cascade: cascade, Path: s.searchPath(), Notice: s.notice})
		},
		VerifyDomain: func(u *catalog.UserType, check string) error { return s.verifyDomain(ctx, u, check) },
		Plan:         func(sql string) planner.Options { return s.plannerOptions(sql, nil, tx) },
	}
}

// defineObject runs statements about objects other than tables.
func (s *Session) defineObject(ctx context.Context, node ast.Stmt) (Tag, bool, error) {
	e := s.definer(ctx)
	tag, handled, err := define.Run(e, node)
	return Tag{Verb: tag}, handled, err
}
