package planner

import (
	"strconv"

	"raisind/pgerr"
	"raisind/sql/ast"
	"raisind/sql/expr"
	"raisind/sql/funcs"
	"raisind/sql/types"
)

func itoa(i int) string { return strconv.Itoa(i) }

// subselect binds a query used as a value.
func (b *builder) subselect(sel *ast.Select, s *scope) (*query, error) {
	q, err := b.selectQuery(sel, s, queryUse{sublink: true})
	if err == nil && q.volatile {
		b.markVolatile(s)
	}
	return q, err
}

func (b *builder) exists(e *ast.Exists, s *scope) (expr.Expr, error) {
	q, err := b.subselect(e.Query, s)
	if err != nil {
		return nil, err
	}
	return &subquery{kind: expr.SubqueryExists, q: q, t: types.TBool, at: e.Pos()}, nil
}

func (b *builder) oneColumn(q *query, at int) error {
	if q.visible != 1 {
		return b.err(pgerr.SyntaxError, at, "subquery must return only one column")
	}
	return nil
}

func (b *builder) scalarSubquery(e *ast.Subquery, s *scope) (expr.Expr, error) {
	q, err := b.subselect(e.Query, s)
	if err != nil {
		return nil, err
	}
	if err := b.oneColumn(q, e.Pos()); err != nil {
		return nil, err
	}
	return &subquery{kind: expr.SubqueryScalar, q: q, t: q.outputType(0), at: e.Pos()}, nil
}

func (b *builder) arraySubquery(e *ast.ArraySubquery, s *scope) (expr.Expr, error) {
	q, err := b.subselect(e.Query, s)
	if err != nil {
		return nil, err
	}
	if err := b.oneColumn(q, e.Pos()); err != nil {
		return nil, err
	}
	t := q.outputType(0)
	if !t.IsArray() {
		if t.Array() == nil {
			return nil, b.err(pgerr.UndefinedObject, e.Pos(), "could not find array type for data type %s", t)
		}
		t = t.Array()
	}
	return &subquery{kind: expr.SubqueryArray, q: q, t: t, at: e.Pos()}, nil
}

// inSubquery binds x IN (SELECT …).
func (b *builder) inSubquery(e *ast.In, s *scope) (expr.Expr, error) {
	r, err := b.quantified(e.Expr, "=", false, e.Query, e.Pos(), s)
	if err != nil {
		return nil, err
	}
	if e.Not {
		return b.negate(r), nil
	}
	return r, nil
}

// anyAll binds x op ANY or ALL, over an array or a subquery.
func (b *builder) anyAll(e *ast.AnyAll, s *scope) (expr.Expr, error) {
	if e.Query != nil {
		return b.quantified(e.Expr, e.Op, e.All, e.Query, e.Pos(), s)
	}
	l, err := b.typed(e.Expr, s)
	if err != nil {
		return nil, err
	}
	r, err := b.typed(e.Array, s)
	if err != nil {
		return nil, err
	}
	return b.arrayOp(e.Op, l, r, e.All, e.Pos())
}

// arrayOp is make_scalar_array_op: the operator is resolved for the elements, then
// an undecided array becomes one of what the operator takes.
func (b *builder) arrayOp(op string, l, r typed, all bool, at int) (expr.Expr, error) {
	elem := types.TUnknown
	if t := r.e.Type(); t != types.TUnknown {
		if t.Elem == nil {
			return nil, b.err(pgerr.WrongObjectType, at, "op ANY/ALL (array) requires array on right side")
		}
		elem = t.Elem
	}
	ov, c, err := b.operator(op, l.e.Type(), elem, at)
	if err != nil {
		return nil, err
	}
	g, err := b.solve(c.args, []*types.Type{l.e.Type(), elem}, at)
	if err != nil {
		return nil, err
	}
	if ov.Result != types.TBool {
		return nil, b.err(pgerr.WrongObjectType, at, "op ANY/ALL (array) requires operator to yield boolean")
	}
	lt, rt := g.concrete(c.args[0]), g.concrete(c.args[1])
	left, ok, err := b.coerce(l.e, lt, -1, types.Implicit, l.at)
	if err != nil {
		return nil, err
	}
	if !ok {
		return nil, b.err(pgerr.CannotCoerce, l.at, "cannot cast type %s to %s", l.e.Type(), lt)
	}
	out := &expr.AnyAll{Left: left, Right: r.e, All: all}
	out.Op = ov.Bind([]*types.Type{lt, rt})
	switch {
	case elem == types.TUnknown:
		if rt.Array() == nil {
			return nil, b.err(pgerr.UndefinedObject, at, "could not find array type for data type %s", rt)
		}
		if out.Right, _, err = b.coerce(r.e, rt.Array(), -1, types.Implicit, r.at); err != nil {
			return nil, err
		}
	case elem != rt:
		if out.ElemCast, ok = castable(elem, rt, types.Implicit); !ok {
			return nil, b.err(pgerr.CannotCoerce, r.at, "cannot cast type %s to %s", elem, rt)
		}
	}
	if list := b.constantList(out, op, all); list != nil {
		return list, nil
	}
	return b.fold(out), nil
}

// constantList turns x = ANY of a constant array into a list, and x <> ALL likewise.
func (b *builder) constantList(e *expr.AnyAll, op string, all bool) expr.Expr {
	v, ok := expr.IsConst(e.Right)
	if !ok || e.ElemCast != nil || !(op == "=" && !all || op == "<>" && all) {
		return nil
	}
	arr, _ := v.Ref().(*types.Array)
	if arr == nil || len(arr.Elems) == 0 {
		return nil
	}
	eq := e.Op
	if all {
		var err error
		if eq, err = b.equality(e.Left.Type(), -1); err != nil || e.Left.Type() != e.Right.Type().Elem {
			return nil
		}
	}
	list := make([]expr.Expr, len(arr.Elems))
	for i, d := range arr.Elems {
		list[i] = &expr.Const{Val: d, T: e.Right.Type().Elem}
	}
	return b.fold(expr.NewInList(e.Left, list, eq, all))
}

// quantified binds left op ANY or ALL (SELECT …), left a value or a row.
func (b *builder) quantified(left ast.Expr, op string, all bool, sel *ast.Select, at int, s *scope) (expr.Expr, error) {
	var ls []typed
	if row, ok := left.(*ast.RowLit); ok {
		var err error
		if ls, err = b.rowArgs(row, s); err != nil {
			return nil, err
		}
	} else {
		l, err := b.typed(left, s)
		if err != nil {
			return nil, err
		}
		ls = []typed{l}
	}
	q, err := b.subselect(sel, s)
	if err != nil {
		return nil, err
	}
	kind := expr.SubqueryAny
	if all {
		kind = expr.SubqueryAll
	}
	out := &subquery{kind: kind, q: q, rowOp: op, t: types.TBool, at: at}
	return out, b.subqueryOps(out, ls, op, at)
}

// subqueryOps resolves the comparisons of a left side with the columns of a subquery.
func (b *builder) subqueryOps(out *subquery, ls []typed, op string, at int) error {
	q := out.q
	switch {
	case len(ls) < q.visible:
		return b.err(pgerr.SyntaxError, at, "subquery has too many columns")
	case len(ls) > q.visible:
		return b.err(pgerr.SyntaxError, at, "subquery has too few columns")
	}
	for i, l := range ls {
		r := typed{typeOnly{q.outputType(i)}, at}
		ov, c, err := b.operator(op, l.e.Type(), r.e.Type(), at)
		if err != nil {
			return err
		}
		if ov.Result != types.TBool {
			return b.err(pgerr.DatatypeMismatch, at, "row comparison operator must yield type boolean, not type %s", ov.Result)
		}
		g, err := b.solve(c.args, []*types.Type{l.e.Type(), r.e.Type()}, at)
		if err != nil {
			return err
		}
		lt, rt := g.concrete(c.args[0]), g.concrete(c.args[1])
		if len(ls) > 1 && lt != rt { // rows are ordered by one type a column
			if lt, err = b.commonType([]typed{{typeOnly{lt}, l.at}, {typeOnly{rt}, at}}, "row comparison"); err != nil {
				return err
			}
			rt = lt
			if ov, _, err = b.operator(op, lt, rt, at); err != nil {
				return err
			}
		}
		e, ok, err := b.coerce(l.e, lt, -1, types.Implicit, l.at)
		if err != nil {
			return err
		}
		if !ok {
			return b.err(pgerr.CannotCoerce, l.at, "cannot cast type %s to %s", l.e.Type(), lt)
		}
		var cast *types.Cast
		if q.outputType(i) != rt {
			if cast, ok = castable(q.outputType(i), rt, types.Implicit); !ok {
				return b.err(pgerr.CannotCoerce, at, "cannot cast type %s to %s", q.outputType(i), rt)
			}
		}
		out.args = append(out.args, e)
		out.ops = append(out.ops, boundOp(ov, lt, rt))
		out.casts = append(out.casts, cast)
	}
	return nil
}

func boundOp(ov *funcs.Overload, l, r *types.Type) *funcs.Overload {
	return ov.Bind([]*types.Type{l, r})
}

// rowSubquery binds (a, b) op (SELECT c, d): the subquery gives one row, or none.
func (b *builder) rowSubquery(e *ast.Binary, sub *ast.Subquery, s *scope) (expr.Expr, error) {
	ls, err := b.rowArgs(e.Left.(*ast.RowLit), s)
	if err != nil {
		return nil, err
	}
	q, err := b.subselect(sub.Query, s)
	if err != nil {
		return nil, err
	}
	switch {
	case len(ls) < q.visible:
		return nil, b.err(pgerr.SyntaxError, e.Pos(), "subquery has too many columns")
	case len(ls) > q.visible:
		return nil, b.err(pgerr.SyntaxError, e.Pos(), "subquery has too few columns")
	}
	row := &subquery{kind: expr.SubqueryScalar, q: q, t: types.TRecord, at: sub.Pos()}
	rs := make([]typed, q.visible)
	for i := range rs {
		rs[i] = typed{&expr.Field{Arg: row, Index: i, Name: q.targets[i].name, T: q.outputType(i)}, sub.Pos()}
		if q.visible == 1 {
			row.t = q.outputType(0)
			rs[0].e = row
		}
	}
	return b.compareRows(e.Op, ls, rs, e.Pos())
}
