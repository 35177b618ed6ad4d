package planner

import (
	"strings"

	"raisind/pgerr"
	"raisind/sql/ast"
	"raisind/sql/expr"
	"raisind/sql/types"
)

// expr binds an expression. The type of what comes back may still be unknown: a
// literal or parameter that its context has to decide.
func (b *builder) expr(e ast.Expr, s *scope) (expr.Expr, error) {
	switch e := e.(type) {
	case *ast.Literal:
		return b.constant(e)
	case *ast.Param:
		if b.opt.Variables != nil {
			return b.argument(e)
		}
		return b.parameter(e)
	case *ast.ColumnRef:
		if e.Star {
			return nil, b.err(pgerr.SyntaxError, e.Pos(), "row expansion via \"*\" is not supported here")
		}
		x, err := b.columnRef(s, e.Parts, e.Pos())
		if err != nil {
			return nil, err
		}
		return b.outerRef(s, x), nil
	case *ast.FuncCall:
		return b.funcCall(e, s)
	case *ast.Unary:
		return b.unaryExpr(e, s)
	case *ast.Binary:
		return b.binaryExpr(e, s)
	case *ast.And:
		args, err := b.conditions(e.Args, "AND", s)
		if err != nil {
			return nil, err
		}
		return b.fold(&expr.And{Args: args}), nil
	case *ast.Or:
		args, err := b.conditions(e.Args, "OR", s)
		if err != nil {
			return nil, err
		}
		return b.fold(&expr.Or{Args: args}), nil
	case *ast.Not:
		args, err := b.conditions([]ast.Expr{e.Expr}, "NOT", s)
		if err != nil {
			return nil, err
		}
		return b.negate(args[0]), nil
	case *ast.Cast:
		return b.castExpr(e, s)
	case *ast.TypedLiteral:
		return b.typedLiteral(&e.Type, e.Text, e.Pos())
	case *ast.IntervalLit:
		return b.typedLiteral(&e.Type, e.Text, e.Pos())
	case *ast.Case:
		return b.caseExpr(e, s)
	case *ast.Coalesce:
		t, args, err := b.unified(e.Args, "COALESCE", s)
		if err != nil {
			return nil, err
		}
		return b.fold(&expr.Coalesce{Args: args, T: t}), nil
	case *ast.Greatest:
		return b.minMax(e.Args, true, e.Pos(), s)
	case *ast.Least:
		return b.minMax(e.Args, false, e.Pos(), s)
	case *ast.NullIf:
		return b.nullIf(e, s)
	case *ast.Between:
		return b.between(e, s)
	case *ast.In:
		return b.inExpr(e, s)
	case *ast.LikeExpr:
		return b.like(e, s)
	case *ast.IsTest:
		return b.isTest(e, s)
	case *ast.AnyAll:
		return b.anyAll(e, s)
	case *ast.Exists:
		return b.exists(e, s)
	case *ast.Subquery:
		return b.scalarSubquery(e, s)
	case *ast.ArraySubquery:
		return b.arraySubquery(e, s)
	case *ast.ArrayLit:
		return b.arrayLit(e, s, nil)
	case *ast.RowLit:
		return b.rowLit(e, s)
	case *ast.Index:
		return b.subscript(e, s)
	case *ast.Slice:
		return b.subscript(e, s)
	case *ast.FieldSelect:
		return b.fieldSelect(e, s)
	case *ast.Collate:
		return b.collate(e, s)
	case *ast.AtTimeZone:
		x, err := b.typed(e.Expr, s)
		if err != nil {
			return nil, err
		}
		zone, err := b.typed(e.Zone, s)
		if err != nil {
			return nil, err
		}
		return b.call("timezone", e.Pos(), s, zone, x)
	case *ast.SQLValue:
		return b.sqlValue(e, s)
	case *ast.Grouping:
		return b.groupingCall(e, s)
	case *ast.Default:
		return nil, b.err(pgerr.SyntaxError, e.Pos(), "DEFAULT is not allowed in this context")
	case *ast.NamedArg:
		return nil, b.err(pgerr.SyntaxError, e.Pos(), "syntax error at or near \"=>\"")
	case nil:
		return nil, pgerr.New(pgerr.InternalError, "an expression is missing")
	}
	return nil, b.notSupported(e.Pos(), "this expression")
}

// typed is expr with the place to point at.
func (b *builder) typed(e ast.Expr, s *scope) (typed, error) {
	x, err := b.expr(e, s)
	return typed{x, location(e)}, err
}

func (b *builder) typedAll(es []ast.Expr, s *scope) ([]typed, error) {
	out := make([]typed, len(es))
	for i, e := range es {
		var err error
		if out[i], err = b.typed(e, s); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// unified binds expressions and brings them to one type.
func (b *builder) unified(es []ast.Expr, what string, s *scope) (*types.Type, []expr.Expr, error) {
	ts, err := b.typedAll(es, s)
	if err != nil {
		return nil, nil, err
	}
	return b.unify(ts, what)
}

// conditions binds operands of a logical operator.
func (b *builder) conditions(es []ast.Expr, what string, s *scope) ([]expr.Expr, error) {
	out := make([]expr.Expr, len(es))
	for i, e := range es {
		x, err := b.expr(e, s)
		if err != nil {
			return nil, err
		}
		if out[i], err = b.toBool(x, what, location(e)); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// constant binds a literal.
func (b *builder) constant(e *ast.Literal) (expr.Expr, error) {
	switch e.Kind {
	case ast.LitNull:
		return &expr.Const{T: types.TUnknown}, nil
	case ast.LitBool:
		return &expr.Const{Val: types.Bool(e.Bool), T: types.TBool}, nil
	case ast.LitInt:
		t := types.TInt4
		if int64(int32(e.Int)) != e.Int {
			t = types.TInt8
		}
		return &expr.Const{Val: types.Int(e.Int), T: t}, nil
	case ast.LitNumeric:
		v, err := types.TNumeric.ParseText(e.Text, -1, b.opt.Env)
		if err != nil {
			return nil, b.at(err, e.Pos())
		}
		return &expr.Const{Val: v, T: types.TNumeric, Text: e.Text}, nil
	case ast.LitString:
		return &expr.Const{Val: types.Str(e.Text), T: types.TUnknown}, nil
	}
	v, err := types.TBit.ParseText(e.Text, -1, b.opt.Env)
	if err != nil {
		return nil, b.at(err, e.Pos())
	}
	return &expr.Const{Val: v, T: types.TBit, Text: e.Text}, nil
}

func (b *builder) parameter(e *ast.Param) (expr.Expr, error) {
	p := b.param(e.N)
	if p.at < 0 {
		p.at = e.Pos()
	}
	t := p.t
	if t == nil {
		t = types.TUnknown
	}
	return &expr.Param{N: e.N, T: t}, nil
}

func (b *builder) unaryExpr(e *ast.Unary, s *scope) (expr.Expr, error) {
	x, err := b.typed(e.Expr, s)
	if err != nil {
		return nil, err
	}
	return b.unary(e.Op, x, e.Pos())
}

func (b *builder) binaryExpr(e *ast.Binary, s *scope) (expr.Expr, error) {
	if isComparison(e.Op) {
		_, lrow := e.Left.(*ast.RowLit)
		_, rrow := e.Right.(*ast.RowLit)
		sub, rsub := e.Right.(*ast.Subquery)
		switch {
		case lrow && rrow:
			return b.rowComparison(e, s)
		case lrow && rsub:
			return b.rowSubquery(e, sub, s)
		}
	}
	l, err := b.typed(e.Left, s)
	if err != nil {
		return nil, err
	}
	r, err := b.typed(e.Right, s)
	if err != nil {
		return nil, err
	}
	if isComparison(e.Op) && isRow(l.e) && isRow(r.e) {
		return b.compareRows(e.Op, rowFields(l), rowFields(r), e.Pos())
	}
	return b.binary(e.Op, l, r, e.Pos())
}

// negate is NOT e.
func (b *builder) negate(e expr.Expr) expr.Expr {
	switch x := e.(type) {
	case *subquery:
		if x.kind != expr.SubqueryScalar && x.kind != expr.SubqueryArray {
			n := *x
			n.not = !n.not
			return &n
		}
	case *expr.Distinct:
		return &expr.Distinct{Left: x.Left, Right: x.Right, Not: !x.Not, NoEquality: x.NoEquality}
	}
	return b.fold(&expr.Not{Arg: e})
}

func (b *builder) castExpr(e *ast.Cast, s *scope) (expr.Expr, error) {
	t, typmod, err := b.typeName(&e.Type)
	if err != nil {
		return nil, err
	}
	var x expr.Expr
	if lit, ok := e.Expr.(*ast.ArrayLit); ok && t.Elem != nil {
		x, err = b.arrayLit(lit, s, t) // the elements are read as of that type
	} else {
		x, err = b.expr(e.Expr, s)
	}
	if err != nil {
		return nil, err
	}
	if t == types.TGeometry || t == types.TGeography {
		x = b.propertyOf(x) // (properties->>'position')::geometry
	}
	return b.cast(x, t, typmod, location(e.Expr), e.Pos())
}

func (b *builder) typedLiteral(n *ast.TypeName, text string, at int) (expr.Expr, error) {
	t, typmod, err := b.typeName(n)
	if err != nil {
		return nil, err
	}
	if n.Pos() >= 0 && n.Pos() < len(b.opt.SQL) { // PostgreSQL points at the string
		if i := strings.IndexByte(b.opt.SQL[n.Pos():], '\''); i >= 0 {
			at = n.Pos() + i
		}
	}
	return b.cast(&expr.Const{Val: types.Str(text), T: types.TUnknown}, t, typmod, at, at)
}

// collate accepts the collations that sort as the server does.
func (b *builder) collate(e *ast.Collate, s *scope) (expr.Expr, error) {
	x, err := b.typed(e.Expr, s)
	if err != nil {
		return nil, err
	}
	if x.e, err = b.toText(x.e, x.at); err != nil {
		return nil, err
	}
	if t := x.e.Type(); t.Category != types.CategoryString && (t.Elem == nil || t.Elem.Category != types.CategoryString) {
		return nil, b.err(pgerr.DatatypeMismatch, e.Pos(), "collations are not supported by type %s", t)
	}
	switch name := e.Name[len(e.Name)-1]; strings.ToLower(name) {
	case "c", "posix", "default", "ucs_basic", "c.utf8", "c.utf-8":
		return x.e, nil
	default:
		return nil, b.err(pgerr.UndefinedObject, e.Pos(), "collation %q for encoding \"UTF8\" does not exist", dotted(e.Name))
	}
}

// sqlValue binds the functions that are written without parentheses.
func (b *builder) sqlValue(e *ast.SQLValue, s *scope) (expr.Expr, error) {
	at := e.Pos()
	var name string
	var t *types.Type
	switch e.Name {
	case "current_date":
		name, t = "now", types.TDate
	case "current_time":
		name, t = "now", types.TTimeTZ
	case "current_timestamp":
		name, t = "now", types.TTimestamptz
	case "localtime":
		name, t = "now", types.TTime
	case "localtimestamp":
		name, t = "now", types.TTimestamp
	case "current_role", "user":
		name = "current_user"
	case "current_catalog":
		name = "current_database"
	default:
		name = e.Name
	}
	x, err := b.call(name, at, s)
	if err != nil || t == nil {
		return x, err
	}
	typmod := int32(-1)
	if e.Precision >= 0 {
		typmod = int32(min(e.Precision, 6))
	}
	return b.cast(x, t, typmod, at, at)
}
