package planner

import (
	"context"
	"fmt"

	"raisind/catalog"
	"raisind/pgerr"
	"raisind/sql/ast"
	"raisind/sql/expr"
	"raisind/sql/funcs"
	"raisind/sql/plan"
	"raisind/sql/types"
	"raisind/storage"
)

// builder holds one statement while it is bound and planned.
type builder struct {
	ctx     context.Context
	opt     Options
	st      *plan.Statement
	ec      *expr.Ctx // for folding
	params  []*param
	rels    int // range items made so far
	uses    []plan.RelationUse
	writes  bool
	version uint64
	// subplans are the subqueries being planned, outermost first.
	subplans []*subplanState
	planned  map[subplanKey]*expr.Subquery
	atEnd    []func()
	failed   error
	// modifying are WITH queries that write.
	modifying []*cte
	// asOf is the revision that the query being planned reads, nil for HEAD.
	asOf expr.Expr
	// forPredicate is set while expressions are finished that only a spatial scan's
	// bare leaves the table's name off columns: the conditions of a scan name its own so.
	bare bool
	// recheck reads.
	forPredicate bool
	depth        int
	// views is how many views the query being bound is within.
	views int
	// settled, when set, is told what names mean.
	settled *ast.Settled
	// depends are the columns that were named, while settled is set.
	depends map[catalog.Ref]struct{}
}

// maxNesting bounds how deep queries may nest.
const maxNesting = 200

func newBuilder(ctx context.Context, opt Options) *builder {
	if opt.Env == nil {
		opt.Env = types.DefaultEnv()
	}
	b := &builder{ctx: ctx, opt: opt, st: &plan.Statement{}}
	if opt.Catalog != nil {
		b.version = opt.Catalog.Version()
	}
	return b
}

// err makes an error that points at a byte of the statement; -1 points nowhere.
func (b *builder) err(code pgerr.Code, at int, format string, args ...any) *pgerr.Error {
	return pgerr.New(code, format, args...).At(b.pos(at))
}

func (b *builder) pos(at int) int {
	if at < 0 || b.opt.SQL == "" {
		return 0
	}
	return pgerr.CharPos(b.opt.SQL, at)
}

// at gives err a position if it has none.
func (b *builder) at(err error, at int) error {
	if err == nil {
		return nil
	}
	e := pgerr.From(err)
	if e.Pos > 0 || b.pos(at) == 0 {
		return e
	}
	c := *e
	return c.At(b.pos(at))
}

// notSupported is 0A000 for a construct that is known and missing.
func (b *builder) notSupported(at int, format string, args ...any) error {
	return b.err(pgerr.FeatureNotSupported, at, "%s", fmt.Sprintf(format, args...)+" is not supported")
}

// foldCtx is the context constants are computed in.
func (b *builder) foldCtx() *expr.Ctx {
	if b.ec == nil {
		b.ec = &expr.Ctx{Ctx: &funcs.Ctx{Context: b.ctx, Env: b.opt.Env}}
	}
	return b.ec
}

func (b *builder) fold(e expr.Expr) expr.Expr { return expr.Fold(e, b.foldCtx()) }

// use notes that the statement touches a relation.
func (b *builder) use(id storage.RelationID, mode storage.RelLockMode) {
	for i := range b.uses {
		if b.uses[i].ID == id {
			b.uses[i].Mode = max(b.uses[i].Mode, mode)
			return
		}
	}
	b.uses = append(b.uses, plan.RelationUse{ID: id, Mode: mode})
}

// param is what is known of $N.
type param struct {
	t *types.Type // nil until known
	// given types come from the client and are not changed.
	given bool
	at    int // first use
}

// param returns the state of $n, making it.
func (b *builder) param(n int) *param {
	for len(b.params) < n {
		p := &param{at: -1}
		if i := len(b.params); i < len(b.opt.ParamTypes) {
			if t := b.opt.ParamTypes[i]; t != nil && t != types.TUnknown {
				p.t, p.given = t, true
			}
		}
		b.params = append(b.params, p)
	}
	return b.params[n-1]
}

// setParam decides the type of an undecided parameter, or checks it.
func (b *builder) setParam(e *expr.Param, t *types.Type, at int) error {
	p := b.param(e.N)
	if p.t == nil {
		p.t = t
	}
	if p.t != t {
		return b.err(pgerr.AmbiguousParameter, at, "inconsistent types deduced for parameter $%d", e.N).
			WithDetail("%s versus %s", p.t, t)
	}
	e.T = t
	return nil
}

// checkParams refuses parameters whose type nothing decided.
func (b *builder) checkParams() error {
	if len(b.opt.ParamTypes) > 0 {
		b.param(len(b.opt.ParamTypes))
	}
	for i, p := range b.params {
		if p.t == nil {
			return b.err(pgerr.IndeterminateDatatype, -1, "could not determine data type of parameter $%d", i+1)
		}
	}
	return nil
}

func (b *builder) paramTypes() []*types.Type {
	if len(b.params) == 0 {
		return nil
	}
	ts := make([]*types.Type, len(b.params))
	for i, p := range b.params {
		ts[i] = p.t
	}
	return ts
}
