package planner

import (
	"slices"
	"strings"

	"raisind/pgerr"
	"raisind/sql/expr"
	"raisind/sql/types"
)

// castable finds the cast from one type to another that applies in a context.
func castable(from, to *types.Type, context types.CastContext) (*types.Cast, bool) {
	if from == to {
		return nil, true
	}
	if (to == types.TOIDVector || to == types.TInt2Vector) && context != types.Explicit {
		return nil, false
	}
	c, ok := types.FindCast(from, to)
	if !ok || c.Context < context {
		return nil, false
	}
	return c, true
}

// canCoerce is PostgreSQL's can_coerce_type for one type.
func canCoerce(from, to *types.Type, context types.CastContext) bool {
	switch {
	case from == to || to == types.TAny || from == types.TUnknown:
		return true
	case to.Kind() == types.KindDomain:
		return canCoerce(from, to.Storage(), context)
	case to.IsPolymorphic():
		switch to {
		case types.TAnyArray, types.TAnyCompatibleArray:
			return from.IsArray() || from == types.TInt2Vector || from == types.TOIDVector
		case types.TAnyNonArray, types.TAnyCompatibleNonArray:
			return !from.IsArray()
		case types.TAnyEnum:
			return from.Kind() == types.KindEnum
		}
		return true
	}
	_, ok := castable(from, to, context)
	return ok
}

// coerce converts e to a type where its context asks for one; ok is false when there
// is no such conversion. typmod is applied when it is not -1.
func (b *builder) coerce(e expr.Expr, to *types.Type, typmod int32, context types.CastContext, at int) (r expr.Expr, ok bool, err error) {
	if base, _ := to.Domain(); base != nil {
		return b.coerceDomain(e, to, context, at)
	}
	from := e.Type()
	explicit := context == types.Explicit
	if to.Kind() == types.KindComposite && from != to && (from == types.TRecord || from.Kind() == types.KindComposite) {
		return b.coerceRow(e, to, context, at)
	}
	if from == types.TUnknown && to != types.TUnknown {
		switch x := e.(type) {
		case *expr.Const:
			r, err = b.literal(x, to, typmod, at)
			if err != nil {
				return nil, true, err
			}
			return b.applyTypmod(r, typmod, explicit), true, nil
		case *expr.Param:
			if err := b.setParam(x, to, at); err != nil {
				return nil, true, err
			}
			return b.applyTypmod(x, typmod, explicit), true, nil
		}
	}
	if from == to {
		return b.applyTypmod(e, typmod, explicit), true, nil
	}
	c, ok := castable(from, to, context)
	if !ok {
		return nil, false, nil
	}
	cast := &expr.Cast{Arg: e, T: to, Typmod: typmod, Explicit: explicit, Fn: c}
	if c.Binary && typmod < 0 {
		cast.Fn = nil
	}
	return b.fold(cast), true, nil
}

// applyTypmod fits e, already of its type, to a modifier.
func (b *builder) applyTypmod(e expr.Expr, typmod int32, explicit bool) expr.Expr {
	if typmod < 0 || typmodOf(e) == typmod {
		return e
	}
	if c, ok := e.(*expr.Const); ok && c.Val.IsNull() {
		return &expr.Const{T: c.T, Mod: typmod + 1}
	}
	return b.fold(&expr.Cast{Arg: e, T: e.Type(), Typmod: typmod, Explicit: explicit})
}

// literal reads a literal of unknown type as one of type to.
func (b *builder) literal(c *expr.Const, to *types.Type, typmod int32, at int) (expr.Expr, error) {
	if b.settling() {
		b.settled.Literals[at] = types.FormatType(to, -1)
	}
	if c.Val.IsNull() {
		return &expr.Const{T: to}, nil
	}
	if to != types.TInterval {
		typmod = -1 // applied afterwards, as a cast does
	}
	text := c.Val.Str()
	v, err := to.ParseText(text, typmod, b.opt.Env)
	if err != nil {
		return nil, b.at(err, at)
	}
	if dependsOnSession(to, text) {
		b.st.Uncacheable = true
	}
	return &expr.Const{Val: v, T: to}, nil
}

// dependsOnSession reports whether reading text as a t may give something else
// under other settings or at another time.
func dependsOnSession(t *types.Type, text string) bool {
	if t.Elem != nil {
		t = t.Elem
	}
	iso := len(text) > 4 && text[4] == '-' // not now, today, or an order of day and month
	if t == types.TRegclass && text != "" && strings.Trim(text, "0123456789") == "" {
		return false // an OID
	}
	switch t {
	case types.TTimestamptz: // a time zone given is not the session's
		return !iso || len(text) < 11 || !strings.ContainsAny(text[11:], "+-Z")
	case types.TTimeTZ:
		return true
	case types.TInterval: // IntervalStyle tells what a sign stands for
		return strings.Contains(text, "-")
	case types.TDate, types.TTime, types.TTimestamp:
		return !iso
	case types.TRegclass, types.TRegproc, types.TRegtype, types.TRegnamespace, types.TRegrole, types.TRegprocedure, types.TRegoper, types.TRegoperator:
		return true
	}
	return false
}

// toText decides that what is still unknown is text.
func (b *builder) toText(e expr.Expr, at int) (expr.Expr, error) {
	if e.Type() != types.TUnknown {
		return e, nil
	}
	r, _, err := b.coerce(e, types.TText, -1, types.Implicit, at)
	return r, err
}

// toBool wants a condition for a clause: WHERE, NOT, AND, CASE/WHEN …
func (b *builder) toBool(e expr.Expr, what string, at int) (expr.Expr, error) {
	r, ok, err := b.coerce(e, types.TBool, -1, types.Assignment, at)
	if err == nil && !ok {
		err = b.err(pgerr.DatatypeMismatch, at, "argument of %s must be type boolean, not type %s", what, e.Type())
	}
	return r, err
}

// toType wants a value of a type for a clause such as LIMIT.
func (b *builder) toType(e expr.Expr, t *types.Type, what string, at int) (expr.Expr, error) {
	r, ok, err := b.coerce(e, t, -1, types.Assignment, at)
	if err == nil && !ok {
		err = b.err(pgerr.DatatypeMismatch, at, "argument of %s must be type %s, not type %s", what, t, e.Type())
	}
	return r, err
}

// typed is an expression with the place PostgreSQL points at for it.
type typed struct {
	e  expr.Expr
	at int
}

// commonType is select_common_type: what UNION, CASE and their kin settle on. With
// what empty it returns nil instead of failing.
func (b *builder) commonType(es []typed, what string) (*types.Type, error) {
	t := es[0].e.Type()
	if t != types.TUnknown && !slices.ContainsFunc(es, func(x typed) bool { return x.e.Type() != t }) {
		return t, nil
	}
	for _, x := range es[1:] {
		n := x.e.Type()
		switch {
		case n == t || n == types.TUnknown:
		case t == types.TUnknown:
			t = n
		case n.Category != t.Category:
			if what == "" {
				return nil, nil
			}
			return nil, b.err(pgerr.DatatypeMismatch, x.at, "%s types %s and %s cannot be matched", what, t, n)
		case !t.Preferred && canCoerce(t, n, types.Implicit) && !canCoerce(n, t, types.Implicit):
			t = n
		}
	}
	if t == types.TUnknown {
		t = types.TText
	}
	return t, nil
}

// toCommon converts e to the type that commonType chose.
func (b *builder) toCommon(x typed, t *types.Type, what string) (expr.Expr, error) {
	r, ok, err := b.coerce(x.e, t, -1, types.Implicit, x.at)
	if err == nil && !ok {
		err = b.err(pgerr.CannotCoerce, x.at, "%s could not convert type %s to %s", what, x.e.Type(), t)
	}
	return r, err
}

// unify brings expressions to one type.
func (b *builder) unify(es []typed, what string) (*types.Type, []expr.Expr, error) {
	t, err := b.commonType(es, what)
	if err != nil {
		return nil, nil, err
	}
	out := make([]expr.Expr, len(es))
	for i, x := range es {
		if out[i], err = b.toCommon(x, t, what); err != nil {
			return nil, nil, err
		}
	}
	return t, out, nil
}

// assign converts e to a column's type, as INSERT and UPDATE do.
func (b *builder) assign(e expr.Expr, name string, t *types.Type, typmod int32, at int) (expr.Expr, error) {
	r, ok, err := b.coerce(e, t, typmod, types.Assignment, at)
	if err == nil && !ok {
		err = b.err(pgerr.DatatypeMismatch, at, "column %q is of type %s but expression is of type %s", name, t, e.Type()).
			WithHint("You will need to rewrite or cast the expression.")
	}
	return r, err
}

// cast is an explicit x::t.
func (b *builder) cast(e expr.Expr, t *types.Type, typmod int32, at, castAt int) (expr.Expr, error) {
	r, ok, err := b.coerce(e, t, typmod, types.Explicit, at)
	if err == nil && !ok {
		err = b.err(pgerr.CannotCoerce, castAt, "cannot cast type %s to %s", e.Type(), t)
	}
	return r, err
}
