package ddl

import (
	"context"
	"sync"
	"time"

	"raisind/catalog"
	"raisind/relation"
	"raisind/sql/expr"
	"raisind/sql/funcs"
	"raisind/sql/planner"
	"raisind/sql/types"
)

// CompileIndex is the relation.Compiler: it binds the expressions and the predicate of
// an index, which are immutable and so need no session. Commits run what it returns
// side by side, so every evaluation has a context to itself.
func CompileIndex(r *catalog.Relation, x *catalog.Index) (*relation.Computed, error) {
	ctx := context.Background()
	c := &relation.Computed{Keys: make([]func(types.Row) (types.Datum, error), len(x.Columns)), Types: make([]*types.Type, len(x.Columns))}
	bind := func(sql string, use planner.Use) (expr.Expr, error) {
		return planner.BindStored(ctx, planner.Options{}, r, sql, use, nil)
	}
	env := types.DefaultEnv()
	contexts := &sync.Pool{New: func() any {
		return &expr.Ctx{Ctx: &funcs.Ctx{Context: ctx, Env: env, StmtTime: time.Unix(0, 0), TxnTime: time.Unix(0, 0)}}
	}}
	for i, col := range x.Columns {
		if col != catalog.ExprColumn {
			continue
		}
		e, err := bind(x.Key(i).Expr, planner.UseIndex)
		if err != nil {
			return nil, err
		}
		c.Types[i] = e.Type()
		c.Keys[i] = func(row types.Row) (types.Datum, error) {
			ec := contexts.Get().(*expr.Ctx)
			defer contexts.Put(ec)
			return e.Eval(ec, row)
		}
	}
	if x.Predicate != "" {
		e, err := bind(x.Predicate, planner.UseIndexPredicate)
		if err != nil {
			return nil, err
		}
		c.Predicate = func(row types.Row) (bool, error) {
			ec := contexts.Get().(*expr.Ctx)
			defer contexts.Put(ec)
			return expr.EvalBool(e, ec, row)
		}
	}
	return c, nil
}
