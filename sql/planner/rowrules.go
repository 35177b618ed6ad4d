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
	"raisind/sql/plan"
	"raisind/sql/types"
)

// Use says what an expression over a table's row is for; it decides what is allowed
// in it.
type Use uint8

// The uses.
const (
	UseDefault Use = iota
	UseGenerated
	UseCheck
	UseIndex
	UseIndexPredicate
	UseTransform // ALTER TABLE … USING
)

var useClause = [...]clause{
	UseDefault: inDefault, UseGenerated: inGenerated, UseCheck: inCheck, UseIndex: inIndex, UseIndexPredicate: inIndexPredicate,
	UseTransform: inTransform,
}

// Bound is an expression over the columns of a relation.
type Bound struct {
	Expr expr.Expr
	// Columns are the positions of the columns it reads.
	Columns []int
	// Depends are the functions, sequences and types it needs.
	Depends []catalog.Dependency
}

// ColumnType finds the type that a name in SQL stands for, and its modifier.
func ColumnType(ctx context.Context, opt Options, n *ast.TypeName) (*types.Type, int32, error) {
	return newBuilder(ctx, opt).typeName(n)
}

// BindExpr binds an expression over the rows of r: their columns stand at the
// positions they have in r, system columns behind them. With to it is converted to
// that type, as an assignment is to the column name.
func BindExpr(ctx context.Context, opt Options, r *catalog.Relation, e ast.Expr, use Use, to *catalog.Column) (Bound, error) {
	b := newBuilder(ctx, opt)
	x, cols, err := b.overRow(r, e, use, to)
	if err != nil {
		return Bound{}, err
	}
	if len(b.params) > 0 {
		return Bound{}, b.err(pgerr.UndefinedParameter, b.params[0].at, "there is no parameter $1")
	}
	return Bound{Expr: x, Columns: cols}, b.failed
}

// overRow binds an expression over the columns of r.
func (b *builder) overRow(r *catalog.Relation, e ast.Expr, use Use, to *catalog.Column) (expr.Expr, []int, error) {
	q := &query{}
	s := &scope{q: q, clause: useClause[use]}
	target := &rel{alias: r.Name, kind: relTable, table: r, schema: r.Schema, cols: tableColumns(r)}
	if err := b.addRel(q, target); err != nil {
		return nil, nil, err
	}
	_, s.items = leaf(target)
	x, err := b.typed(e, s)
	if use == UseDefault {
		err = b.withoutColumns(x.e, err)
	}
	if err != nil {
		return nil, nil, err
	}
	if x.e, err = b.checkUse(x, use); err != nil {
		return nil, nil, err
	}
	if to != nil {
		if x.e, err = b.fitColumn(x, use, to); err != nil {
			return nil, nil, err
		}
	}
	if x.e, err = b.toText(x.e, x.at); err != nil {
		return nil, nil, err
	}
	var cols []int
	expr.Walk(x.e, func(e expr.Expr) bool {
		if v, ok := e.(*variable); ok && v.col < len(r.Columns) && !slices.Contains(cols, v.col) {
			cols = append(cols, v.col)
		}
		return true
	})
	return b.finished(x.e, relLayout(target), nil), cols, nil
}

// fitColumn converts the value to the type of a column.
func (b *builder) fitColumn(x typed, use Use, to *catalog.Column) (expr.Expr, error) {
	r, ok, err := b.coerce(x.e, to.Type, to.Typmod, types.Assignment, x.at)
	if err != nil || ok {
		return r, err
	}
	switch use {
	case UseTransform:
		return nil, b.err(pgerr.DatatypeMismatch, -1, "result of USING clause for column %q cannot be cast automatically to type %s", to.Name, to.Type).
			WithHint("You might need to add an explicit cast.")
	case UseGenerated:
		return nil, b.err(pgerr.DatatypeMismatch, -1, "column %q is of type %s but generation expression is of type %s", to.Name, to.Type, x.e.Type()).
			WithHint("You will need to rewrite or cast the expression.")
	}
	return nil, b.err(pgerr.DatatypeMismatch, -1, "column %q is of type %s but default expression is of type %s", to.Name, to.Type, x.e.Type()).
		WithHint("You will need to rewrite or cast the expression.")
}

// checkUse refuses what the use does not allow.
func (b *builder) checkUse(x typed, use Use) (expr.Expr, error) {
	var err error
	switch use {
	case UseCheck:
		if x.e, err = b.toBool(x.e, "CHECK", x.at); err != nil {
			return nil, err
		}
	case UseIndexPredicate:
		if x.e, err = b.toBool(x.e, "WHERE", x.at); err != nil {
			return nil, err
		}
	}
	if hasSubquery(x.e) {
		return nil, b.err(pgerr.FeatureNotSupported, x.at, "cannot use subquery in %s", useWords[use])
	}
	mustBe := funcs.Volatile
	switch use {
	case UseGenerated, UseIndex, UseIndexPredicate:
		mustBe = funcs.Immutable
	}
	if mustBe == funcs.Immutable && changeable(x.e) {
		switch use {
		case UseGenerated:
			return nil, b.err(pgerr.InvalidObjectDefinition, -1, "generation expression is not immutable")
		case UseIndex:
			return nil, b.err(pgerr.InvalidObjectDefinition, -1, "functions in index expression must be marked IMMUTABLE")
		}
		return nil, b.err(pgerr.InvalidObjectDefinition, -1, "functions in index predicate must be marked IMMUTABLE")
	}
	return x.e, nil
}

var useWords = [...]string{
	UseDefault: "DEFAULT expression", UseGenerated: "column generation expression", UseCheck: "check constraint",
	UseIndex: "index expression", UseIndexPredicate: "index predicate", UseTransform: "transform expression",
}

// changeable reports whether e may give another value for the same row.
func changeable(e expr.Expr) bool {
	return expr.Any(e, func(e expr.Expr) bool {
		switch e := e.(type) {
		case *expr.Call:
			return e.Fn.Func != nil && e.Fn.Func.Volatility != funcs.Immutable
		case *expr.Cast:
			return e.Fn != nil && sessionCast(e.Arg.Type(), e.T)
		case *setCall:
			return true
		}
		return false
	})
}

// sessionCast reports whether a cast depends on settings of the session.
func sessionCast(from, to *types.Type) bool {
	dated := func(t *types.Type) bool { return t.Category == types.CategoryDateTime }
	switch {
	case from == types.TTimestamptz || to == types.TTimestamptz || from == types.TTimeTZ || to == types.TTimeTZ:
		return from != to
	case dated(from):
		return to.Category == types.CategoryString
	case dated(to):
		return from.Category == types.CategoryString
	}
	return false
}

// withoutColumns refuses a default that names a column, whether there is one or not.
func (b *builder) withoutColumns(e expr.Expr, err error) error {
	const refusal = "cannot use column reference in DEFAULT expression"
	if err != nil {
		if pgerr.Is(err, pgerr.UndefinedColumn) {
			c := *pgerr.From(err)
			c.Code, c.Msg, c.Hint, c.Detail = pgerr.FeatureNotSupported, refusal, "", ""
			return &c
		}
		return err
	}
	expr.Walk(e, func(e expr.Expr) bool {
		if v, ok := e.(*variable); ok && err == nil {
			err = b.err(pgerr.FeatureNotSupported, v.at, refusal)
		}
		return true
	})
	return err
}

// RowRules binds what r asks of every row written to it; nil when that is nothing.
func RowRules(ctx context.Context, opt Options, r *catalog.Relation) (*plan.RowRules, error) {
	return newBuilder(ctx, opt).rowRules(r)
}

func (b *builder) rowRules(r *catalog.Relation) (*plan.RowRules, error) {
	if r.Kind == catalog.Workspace {
		return nil, nil
	}
	var rules plan.RowRules
	for i := range r.Columns {
		c := &r.Columns[i]
		if c.Generated == "" {
			continue
		}
		e, err := b.stored(r, c.Generated, UseGenerated, c)
		if err != nil {
			return nil, err
		}
		rules.Generated = append(rules.Generated, plan.Assign{Column: i, Value: e})
	}
	for i := range r.Constraints {
		c := &r.Constraints[i]
		if c.Kind != catalog.ConstraintCheck {
			continue
		}
		e, err := b.stored(r, c.Expr, UseCheck, nil)
		if err != nil {
			return nil, err
		}
		rules.Checks = append(rules.Checks, plan.Check{Name: c.Name, Cond: e})
	}
	slices.SortFunc(rules.Checks, func(a, b plan.Check) int { return cmp.Compare(a.Name, b.Name) })
	if rules.Generated == nil && rules.Checks == nil {
		return nil, nil
	}
	return &rules, nil
}

// BindStored binds an expression whose text the catalog keeps.
func BindStored(ctx context.Context, opt Options, r *catalog.Relation, text string, use Use, to *catalog.Column) (expr.Expr, error) {
	return newBuilder(ctx, opt).stored(r, text, use, to)
}

func (b *builder) stored(r *catalog.Relation, text string, use Use, to *catalog.Column) (expr.Expr, error) {
	src, err := parser.ParseExpr(text)
	if err != nil {
		return nil, pgerr.Wrap(err, pgerr.InternalError, "%s of relation %q cannot be read: %v", useWords[use], r.Name, err)
	}
	sql := b.opt.SQL
	b.opt.SQL = "" // positions in it mean nothing to the client
	defer func() { b.opt.SQL = sql }()
	e, _, err := b.overRow(r, src, use, to)
	return e, err
}

// Defaults binds the defaults of the columns of r at positions that skip does not
// hold; nil where there is none.
func Defaults(ctx context.Context, opt Options, r *catalog.Relation, skip []int) ([]expr.Expr, error) {
	b := newBuilder(ctx, opt)
	out := make([]expr.Expr, len(r.Columns))
	for i := range r.Columns {
		if slices.Contains(skip, i) {
			continue
		}
		e, err := b.defaultOf(r, i)
		if err != nil {
			return nil, err
		}
		out[i] = b.finished(e, nil, nil)
	}
	return out, nil
}
