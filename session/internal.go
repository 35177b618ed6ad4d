package session

import (
	"context"

	"raisind/catalog"
	"raisind/pgerr"
	"raisind/sql/exec"
	"raisind/sql/planner"
	"raisind/sql/types"
)

// param is a parameter of a statement that the server runs for itself.
type param struct {
	value types.Datum
	t     *types.Type
}

// openOptions are what a statement of the session runs with.
func (s *Session) openOptions(ctx context.Context, params []types.Datum) exec.OpenOptions {
	return exec.OpenOptions{
		Txn: s.tx.store, Catalog: s.tx.cat, Params: params, Funcs: s.funcsCtx(ctx), Notice: s.noticeFn, Keys: s,
	}
}

// runInternal runs a statement for the server itself, with names as in pg_catalog and
// with the rights of whoever owns what it touches. each is told of the rows; it may be
// nil. With latest it sees what is committed now, whatever the isolation level.
func (s *Session) runInternal(ctx context.Context, sql string, params []param, latest bool, each func(types.Row) error) error {
	return s.runFor(ctx, sql, params, each, func(o *exec.OpenOptions) { o.Latest = latest })
}

// runUnwatched runs a change that foreign keys are not to see, on what is committed now.
func (s *Session) runUnwatched(ctx context.Context, sql string) error {
	return s.runFor(ctx, sql, nil, nil, func(o *exec.OpenOptions) { o.Latest, o.Keys = true, nil })
}

// runFor is runInternal with options of its own.
func (s *Session) runFor(ctx context.Context, sql string, params []param, each func(types.Row) error, adjust func(*exec.OpenOptions)) error {
	tx := s.ensureTx()
	stmts, _, err := s.engine.cache.parse(sql)
	if err != nil {
		return err
	}
	if len(stmts) != 1 {
		return pgerr.New(pgerr.InternalError, "internal statement is not one: %s", sql)
	}
	given := make([]*types.Type, len(params))
	values := make([]types.Datum, len(params))
	for i := range params {
		given[i], values[i] = params[i].t, params[i].value
	}
	key := planKey{text: sql, catalog: tx.cat.Version(), params: paramKey(given), settings: "internal;" + s.planKey}
	shared := !tx.cat.Changed()
	st, ok := s.engine.cache.plans.Get(key)
	if !ok || !shared {
		opt := s.plannerOptions(sql, given, tx)
		opt.SearchPath, opt.Role = []string{"pg_catalog", catalog.DefaultSchema}, 0
		if st, err = planner.Plan(ctx, stmts[0].Node, opt); err != nil {
			return err
		}
		if shared && !st.Uncacheable && st.CatalogVersion == key.catalog {
			s.engine.cache.plans.Add(key, st)
		}
	}
	open := s.openOptions(ctx, values)
	adjust(&open)
	q, err := s.engine.runtime.Open(ctx, st, open)
	if err != nil {
		return err
	}
	defer q.Close()
	for {
		row, ok, err := q.Next()
		if err != nil || !ok {
			return err
		}
		if each != nil {
			if err := each(row); err != nil {
				return err
			}
		}
	}
}
