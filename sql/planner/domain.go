package planner

import (
	"cmp"
	"context"
	"slices"

	"raisind/catalog"
	"raisind/pgerr"
	"raisind/sql/ast"
	"raisind/sql/expr"
	"raisind/sql/funcs"
	"raisind/sql/parser"
	"raisind/sql/types"
)

// A value of a domain is planned as one of its base type: what makes a value of the
// domain, a cast or an assignment to a column, checks it.

// storedTypmod is the modifier of a column's values: of a domain, its base's.
func storedTypmod(c *catalog.Column) int32 {
	t, typmod := c.Type, c.Typmod
	for {
		base, mod := t.Domain()
		if base == nil {
			return typmod
		}
		t, typmod = base, mod
	}
}

// coerceDomain converts e to the base of a domain and checks it against the domain.
func (b *builder) coerceDomain(e expr.Expr, to *types.Type, context types.CastContext, at int) (expr.Expr, bool, error) {
	base, typmod := to.Domain()
	e, ok, err := b.coerce(e, base, typmod, context, at)
	if err != nil || !ok {
		return nil, ok, err
	}
	e, err = b.domainTest(e, to)
	return e, true, err
}

// domainTest wraps e, of the domain's base type, into its checks.
func (b *builder) domainTest(e expr.Expr, domain *types.Type) (expr.Expr, error) {
	snap := b.snapshot()
	if snap == nil {
		return e, nil
	}
	u, ok := snap.UserType(domain.OID)
	if !ok || u.Domain == nil {
		return nil, pgerr.New(pgerr.InternalError, "type %s has no definition", domain)
	}
	base, typmod := domain.Domain()
	if !u.Domain.NotNull && len(u.Domain.Checks) == 0 {
		return e, nil
	}
	checks := make([]expr.Expr, len(u.Domain.Checks))
	names := make([]string, len(checks))
	list := slices.Clone(u.Domain.Checks)
	slices.SortFunc(list, func(a, b catalog.Constraint) int { return cmp.Compare(a.Name, b.Name) })
	for i := range list {
		src, err := parser.ParseExpr(list[i].Expr)
		if err != nil {
			return nil, pgerr.Wrap(err, pgerr.InternalError, "check of domain %s cannot be read: %v", domain, err)
		}
		sql := b.opt.SQL
		b.opt.SQL = "" // positions in it mean nothing to the client
		checks[i], err = b.domainCheck(base, typmod, src)
		b.opt.SQL = sql
		if err != nil {
			return nil, err
		}
		names[i] = list[i].Name
	}
	notNull, name, schema := u.Domain.NotNull, u.Name, u.Schema
	body := func(fc *funcs.Ctx, args []types.Datum) (types.Datum, error) {
		if args[0].IsNull() && notNull {
			return types.Null, pgerr.New(pgerr.NotNullViolation, "domain %s does not allow null values", name).
				WithRelation(schema, "", "", "")
		}
		ec := &expr.Ctx{Ctx: fc}
		for i, c := range checks {
			v, err := c.Eval(ec, args)
			if err != nil {
				return types.Null, err
			}
			if !v.IsNull() && !v.Bool() {
				return types.Null, pgerr.New(pgerr.CheckViolation, "value for domain %s violates check constraint %q", name, names[i]).
					WithRelation(schema, "", "", names[i])
			}
		}
		return args[0], nil
	}
	t := e.Type()
	f := &funcs.Func{Name: name, Title: name, Volatility: funcs.Volatile, Nulls: funcs.CalledOnNull}
	o := &funcs.Overload{Args: []funcs.Arg{{Type: t}}, Result: t, Eval: body, Func: f}
	return &expr.Call{Fn: o, Args: []expr.Expr{e}, T: t}, nil
}

// domainCheck binds a check over VALUE, which is the only column of its rows.
func (b *builder) domainCheck(base *types.Type, typmod int32, x ast.Expr) (expr.Expr, error) {
	q := &query{}
	s := &scope{q: q, clause: inDefault}
	r := &rel{alias: "", kind: relDerived, cols: []column{{name: "value", t: base.Storage(), typmod: typmod}}}
	if err := b.addRel(q, r); err != nil {
		return nil, err
	}
	_, s.items = leaf(r)
	e, err := b.typed(x, s)
	if err != nil {
		return nil, err
	}
	if e.e, err = b.toBool(e.e, "CHECK", e.at); err != nil {
		return nil, err
	}
	return expr.Rewrite(e.e, func(e expr.Expr) (expr.Expr, bool) {
		if v, ok := e.(*variable); ok && v.rel == r {
			return &expr.Column{Index: 0, T: v.Type(), Name: "value"}, false
		}
		return e, true
	}), nil
}

// domainDefault is the default that a column has from its domain; nil for none.
func (b *builder) domainDefault(t *types.Type) (expr.Expr, error) {
	base, _ := t.Domain()
	if base == nil {
		return nil, nil
	}
	u, ok := b.snapshot().UserType(t.OID)
	if !ok {
		return nil, nil
	}
	if u.Domain.Default == "" {
		e, err := b.domainDefault(base)
		if err != nil {
			return nil, err
		}
		if e == nil {
			e = &expr.Const{T: t.Storage()}
		}
		return b.domainTest(e, t)
	}
	src, err := parser.ParseExpr(u.Domain.Default)
	if err != nil {
		return nil, pgerr.Wrap(err, pgerr.InternalError, "default of domain %s cannot be read: %v", t, err)
	}
	sql := b.opt.SQL
	b.opt.SQL = ""
	defer func() { b.opt.SQL = sql }()
	x, err := b.expr(src, &scope{clause: inDefault})
	if err != nil {
		return nil, err
	}
	return b.assign(x, u.Name, t, -1, -1)
}

// DomainCheck binds a check of a domain over a type: its rows hold the value alone.
func DomainCheck(ctx context.Context, opt Options, base *types.Type, typmod int32, x ast.Expr) (expr.Expr, error) {
	return newBuilder(ctx, opt).domainCheck(base, typmod, x)
}

// CheckDomainDefault binds the default of a domain over a type.
func CheckDomainDefault(ctx context.Context, opt Options, base *types.Type, typmod int32, name string, x ast.Expr) error {
	b := newBuilder(ctx, opt)
	e, err := b.expr(x, &scope{clause: inDefault})
	if err != nil {
		return err
	}
	_, err = b.assign(e, name, base, typmod, -1)
	return err
}
