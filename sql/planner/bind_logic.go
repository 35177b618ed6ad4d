package planner

import (
	"raisind/pgerr"
	"raisind/sql/ast"
	"raisind/sql/expr"
	"raisind/sql/types"
)

func (b *builder) caseExpr(e *ast.Case, s *scope) (expr.Expr, error) {
	c := &expr.Case{}
	var value typed
	if e.Operand != nil {
		x, err := b.typed(e.Operand, s)
		if err != nil {
			return nil, err
		}
		if x.e, err = b.toText(x.e, x.at); err != nil {
			return nil, err
		}
		c.Operand = x.e
		value = typed{&expr.CaseValue{T: x.e.Type()}, x.at}
	}
	results := make([]typed, 1, len(e.Whens)+1) // ELSE first: it decides the type first
	for _, w := range e.Whens {
		cond, err := b.typed(w.Cond, s)
		if err != nil {
			return nil, err
		}
		if c.Operand != nil {
			if cond.e, err = b.binary("=", value, cond, w.Pos()); err != nil {
				return nil, err
			}
		}
		if cond.e, err = b.toBool(cond.e, "CASE/WHEN", cond.at); err != nil {
			return nil, err
		}
		then, err := b.typed(w.Result, s)
		if err != nil {
			return nil, err
		}
		c.Whens = append(c.Whens, expr.When{Cond: cond.e})
		results = append(results, then)
	}
	results[0] = typed{&expr.Const{T: types.TUnknown}, e.Pos()}
	if e.Else != nil {
		var err error
		if results[0], err = b.typed(e.Else, s); err != nil {
			return nil, err
		}
	}
	if err := b.noSets(results, "CASE"); err != nil {
		return nil, err
	}
	t, err := b.commonType(results, "CASE")
	if err != nil {
		return nil, err
	}
	c.T = t
	if e.Else != nil {
		if c.Else, err = b.toCommon(results[0], t, "CASE/ELSE"); err != nil {
			return nil, err
		}
	}
	for i := range c.Whens {
		if c.Whens[i].Then, err = b.toCommon(results[i+1], t, "CASE/WHEN"); err != nil {
			return nil, err
		}
	}
	return b.fold(c), nil
}

// noSets refuses set-returning functions within CASE and COALESCE.
func (b *builder) noSets(es []typed, what string) error {
	for _, x := range es {
		var call *setCall
		expr.Walk(x.e, func(e expr.Expr) bool {
			if c, ok := e.(*setCall); ok && call == nil {
				call = c
			}
			return call == nil
		})
		if call != nil {
			return b.err(pgerr.FeatureNotSupported, call.at, "set-returning functions are not allowed in %s", what).
				WithHint("You might be able to move the set-returning function into a LATERAL FROM item.")
		}
	}
	return nil
}

func (b *builder) minMax(args []ast.Expr, greatest bool, at int, s *scope) (expr.Expr, error) {
	what := "LEAST"
	if greatest {
		what = "GREATEST"
	}
	t, es, err := b.unified(args, what, s)
	if err != nil {
		return nil, err
	}
	if !t.Comparable() {
		return nil, b.err(pgerr.UndefinedFunction, at, "could not identify a comparison function for type %s", t)
	}
	return b.fold(&expr.MinMax{Args: es, Greatest: greatest, T: t}), nil
}

func (b *builder) nullIf(e *ast.NullIf, s *scope) (expr.Expr, error) {
	l, err := b.typed(e.Left, s)
	if err != nil {
		return nil, err
	}
	r, err := b.typed(e.Right, s)
	if err != nil {
		return nil, err
	}
	ov, args, t, err := b.binaryArgs("=", l, r, e.Pos())
	if err != nil {
		return nil, err
	}
	if t != types.TBool {
		return nil, b.err(pgerr.DatatypeMismatch, e.Pos(), "NULLIF requires = operator to yield boolean")
	}
	return b.fold(&expr.NullIf{Left: args[0], Right: args[1], Eq: ov}), nil
}

func (b *builder) between(e *ast.Between, s *scope) (expr.Expr, error) {
	x, err := b.typed(e.Expr, s)
	if err != nil {
		return nil, err
	}
	lo, err := b.typed(e.Low, s)
	if err != nil {
		return nil, err
	}
	hi, err := b.typed(e.High, s)
	if err != nil {
		return nil, err
	}
	at := e.Pos()
	within := func(lo, hi typed) (expr.Expr, error) {
		from, err := b.binary(">=", x, lo, at)
		if err != nil {
			return nil, err
		}
		to, err := b.binary("<=", x, hi, at)
		if err != nil {
			return nil, err
		}
		return b.fold(&expr.And{Args: []expr.Expr{from, to}}), nil
	}
	r, err := within(lo, hi)
	if err != nil {
		return nil, err
	}
	if e.Symmetric {
		swapped, err := within(hi, lo)
		if err != nil {
			return nil, err
		}
		r = b.fold(&expr.Or{Args: []expr.Expr{r, swapped}})
	}
	if e.Not {
		r = b.negate(r)
	}
	return r, nil
}

// inExpr binds x IN (…). Items without variables become one list, which may be
// looked up; the others are compared one by one.
func (b *builder) inExpr(e *ast.In, s *scope) (expr.Expr, error) {
	if e.Query != nil {
		return b.inSubquery(e, s)
	}
	op := "="
	if e.Not {
		op = "<>"
	}
	if row, ok := e.Expr.(*ast.RowLit); ok {
		return b.rowIn(e, row, s)
	}
	x, err := b.typed(e.Expr, s)
	if err != nil {
		return nil, err
	}
	items, err := b.typedAll(e.List, s)
	if err != nil {
		return nil, err
	}
	var parts []expr.Expr
	var plain, others []typed
	for _, item := range items {
		if hasVariable(item.e) {
			others = append(others, item)
		} else {
			plain = append(plain, item)
		}
	}
	if len(plain) > 1 {
		list, err := b.inList(x, plain, e)
		if err != nil {
			return nil, err
		}
		if list != nil {
			parts = append(parts, list)
			plain = nil
		}
	}
	for _, item := range append(plain, others...) {
		var c expr.Expr
		if isRow(x.e) && isRow(item.e) {
			c, err = b.compareRows(op, rowFields(x), rowFields(item), e.Pos())
		} else {
			c, err = b.binary(op, x, item, e.Pos())
		}
		if err != nil {
			return nil, err
		}
		if c, err = b.toBool(c, "IN", e.Pos()); err != nil {
			return nil, err
		}
		parts = append(parts, c)
	}
	switch {
	case len(parts) == 1:
		return parts[0], nil
	case e.Not:
		return b.fold(&expr.And{Args: parts}), nil
	}
	return b.fold(&expr.Or{Args: parts}), nil
}

// inList makes a list of items of one type; nil when they have none in common with x.
func (b *builder) inList(x typed, items []typed, e *ast.In) (expr.Expr, error) {
	t, err := b.commonType(append([]typed{x}, items...), "")
	if err != nil || t == nil || t.Array() == nil {
		return nil, err
	}
	list := make([]expr.Expr, len(items))
	for i, item := range items {
		r, ok, err := b.coerce(item.e, t, -1, types.Implicit, item.at)
		if err != nil || !ok {
			return nil, err
		}
		list[i] = r
	}
	ov, args, _, err := b.binaryArgs("=", x, typed{typeOnly{t}, e.Pos()}, e.Pos())
	if err != nil {
		return nil, err
	}
	if ov.Args[1].Type != t { // the operator wants the items as something else, varchar as text
		for i := range list {
			r, ok, err := b.coerce(list[i], args[1].Type(), -1, types.Implicit, items[i].at)
			if err != nil || !ok {
				return nil, err
			}
			list[i] = r
		}
	}
	return b.fold(expr.NewInList(args[0], list, ov, e.Not)), nil
}

// hasVariable reports whether e depends on any row.
func hasVariable(e expr.Expr) bool {
	return expr.Any(e, func(e expr.Expr) bool {
		switch e.(type) {
		case *variable, *aggregate, *grouping, *setCall, *subquery:
			return true
		}
		return false
	})
}

// like binds the pattern predicates as the operators and functions PostgreSQL has
// for them.
func (b *builder) like(e *ast.LikeExpr, s *scope) (expr.Expr, error) {
	x, err := b.typed(e.Expr, s)
	if err != nil {
		return nil, err
	}
	pattern, err := b.typed(e.Pattern, s)
	if err != nil {
		return nil, err
	}
	op := "~~"
	switch e.Kind {
	case ast.ILike:
		op = "~~*"
	case ast.SimilarTo:
		op = "~"
	}
	if e.Kind == ast.SimilarTo || e.Escape != nil {
		args := []typed{pattern}
		if e.Escape != nil {
			esc, err := b.typed(e.Escape, s)
			if err != nil {
				return nil, err
			}
			args = append(args, esc)
		}
		name := "like_escape"
		if e.Kind == ast.SimilarTo {
			name = "similar_to_escape"
		}
		if pattern.e, err = b.call(name, e.Pos(), s, args...); err != nil {
			return nil, err
		}
	}
	if e.Not {
		op = "!" + op
	}
	return b.binary(op, x, pattern, e.Pos())
}

func (b *builder) isTest(e *ast.IsTest, s *scope) (expr.Expr, error) {
	if e.Kind == ast.IsDistinct {
		return b.isDistinct(e, s)
	}
	x, err := b.typed(e.Expr, s)
	if err != nil {
		return nil, err
	}
	var what expr.IsWhat
	switch e.Kind {
	case ast.IsNull:
		if x.e, err = b.toText(x.e, x.at); err != nil {
			return nil, err
		}
		return b.fold(&expr.IsTest{Arg: x.e, What: expr.IsNull, Not: e.Not}), nil
	case ast.IsTrue:
		what = expr.IsTrue
	case ast.IsFalse:
		what = expr.IsFalse
	case ast.IsUnknown:
		what = expr.IsUnknown
	default:
		return nil, b.notSupported(e.Pos(), "IS DOCUMENT")
	}
	words := [...]string{expr.IsTrue: "TRUE", expr.IsFalse: "FALSE", expr.IsUnknown: "UNKNOWN"}[what]
	if e.Not {
		words = "NOT " + words
	}
	if x.e, err = b.toBool(x.e, "IS "+words, x.at); err != nil {
		return nil, err
	}
	return b.fold(&expr.IsTest{Arg: x.e, What: what, Not: e.Not}), nil
}

// isDistinct binds IS [NOT] DISTINCT FROM, of rows field by field.
func (b *builder) isDistinct(e *ast.IsTest, s *scope) (expr.Expr, error) {
	l, err := b.typedOrRow(e.Expr, s)
	if err != nil {
		return nil, err
	}
	r, err := b.typedOrRow(e.Right, s)
	if err != nil {
		return nil, err
	}
	if isRow(l.e) && isRow(r.e) {
		lf, rf := rowFields(l), rowFields(r)
		if len(lf) != len(rf) {
			return nil, b.err(pgerr.SyntaxError, e.Pos(), "unequal number of entries in row expressions")
		}
		whole := isWholeRow(e.Expr) && isWholeRow(e.Right)
		parts := make([]expr.Expr, len(lf))
		for i := range lf {
			if t := lf[i].e.Type(); whole && t == rf[i].e.Type() && !t.Hashable() {
				parts[i] = &expr.Distinct{Left: lf[i].e, Right: rf[i].e, Not: e.Not, NoEquality: true}
				continue
			}
			if parts[i], err = b.distinct(lf[i], rf[i], e.Not, e.Pos()); err != nil {
				return nil, err
			}
		}
		if e.Not {
			return b.fold(&expr.And{Args: parts}), nil
		}
		return b.fold(&expr.Or{Args: parts}), nil
	}
	return b.distinct(l, r, e.Not, e.Pos())
}

func (b *builder) distinct(l, r typed, not bool, at int) (expr.Expr, error) {
	// NULL on one side asks whether the other is NULL.
	for _, p := range [2][2]typed{{l, r}, {r, l}} {
		if c, ok := p[0].e.(*expr.Const); ok && c.Val.IsNull() && c.T == types.TUnknown {
			x, err := b.toText(p[1].e, p[1].at)
			if err != nil {
				return nil, err
			}
			return b.fold(&expr.IsTest{Arg: x, What: expr.IsNull, Not: !not}), nil
		}
	}
	_, args, _, err := b.binaryArgs("=", l, r, at)
	if err != nil {
		return nil, err
	}
	if args[0].Type() != args[1].Type() { // = of two types: compare as the common one
		if _, args, err = b.unify([]typed{{args[0], l.at}, {args[1], r.at}}, "IS DISTINCT FROM"); err != nil {
			return nil, err
		}
	}
	return b.fold(&expr.Distinct{Left: args[0], Right: args[1], Not: not}), nil
}
