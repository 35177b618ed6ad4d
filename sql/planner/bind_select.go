package planner

import (
	"raisind/pgerr"
	"raisind/sql/ast"
	"raisind/sql/expr"
	"raisind/sql/plan"
	"raisind/sql/types"
)

// queryUse is where a query stands.
type queryUse struct {
	// keepUnknown leaves output columns of unknown type to the caller; otherwise
	// they become text.
	keepUnknown bool
	sublink     bool           // within an expression
	setOp       plan.SetOpKind // an arm of INTERSECT or EXCEPT
}

// selectQuery binds a query.
func (b *builder) selectQuery(sel *ast.Select, parent *scope, use queryUse) (*query, error) {
	if b.depth++; b.depth > maxNesting {
		return nil, b.err(pgerr.StatementTooComplex, sel.Pos(), "queries are nested too deeply, limit %d", maxNesting)
	}
	defer func() { b.depth-- }()
	q := &query{}
	s := &scope{parent: parent, q: q, sublink: use.sublink, setOp: use.setOp}
	if err := b.withClause(sel.With, s); err != nil {
		return nil, err
	}
	var err error
	switch {
	case sel.Op != ast.NoSetOp:
		err = b.setOperation(sel, q, s)
	case len(sel.Values) > 0:
		err = b.valuesClause(sel, q, s)
	default:
		err = b.plainSelect(sel, q, s)
	}
	if err != nil {
		return nil, err
	}
	if err := b.limitClause(sel, q, s); err != nil {
		return nil, err
	}
	if !use.keepUnknown {
		for i := range q.visible {
			if q.outputType(i) == types.TUnknown {
				if err := b.coerceOutput(q, i, types.TText, ""); err != nil {
					return nil, err
				}
			}
		}
	}
	if q.grouped {
		if err := b.checkGroupedQuery(q); err != nil {
			return nil, err
		}
	}
	if err := b.lockingClause(sel, q, s); err != nil {
		return nil, err
	}
	return q, nil
}

// plainSelect binds SELECT … FROM … in the order PostgreSQL does.
func (b *builder) plainSelect(sel *ast.Select, q *query, s *scope) error {
	declareWindows(sel, q)
	if sel.Into != nil && s.parent != nil {
		return b.err(pgerr.SyntaxError, sel.Into.Name.Pos(), "SELECT ... INTO is not allowed here")
	}
	s.clause = inFrom
	if err := b.fromClause(sel.From, s); err != nil {
		return err
	}
	s.clause = inSelect
	var err error
	if q.targets, err = b.targetList(sel.Targets, s); err != nil {
		return err
	}
	q.visible = len(q.targets)
	if sel.Where != nil {
		if err := b.whereClause(sel.Where, q, s); err != nil {
			return err
		}
	}
	if sel.Having != nil {
		s.clause = inHaving
		x, err := b.typed(sel.Having, s)
		if err != nil {
			return err
		}
		if q.having, err = b.toBool(x.e, "HAVING", x.at); err != nil {
			return err
		}
		q.grouped = true
	}
	if err := b.orderBy(sel.OrderBy, q, s); err != nil {
		return err
	}
	if err := b.groupBy(sel, q, s); err != nil {
		return err
	}
	if err := b.distinctClause(sel, q, s); err != nil {
		return err
	}
	return b.windowClause(q, s)
}

func (b *builder) whereClause(where ast.Expr, q *query, s *scope) error {
	s.clause = inWhere
	x, err := b.typed(where, s)
	if err != nil {
		return err
	}
	cond, err := b.toBool(x.e, "WHERE", x.at)
	if err != nil {
		return err
	}
	q.where = appendConjuncts(q.where, cond)
	return nil
}

// targetList binds a select list or RETURNING.
func (b *builder) targetList(list []ast.Target, s *scope) ([]target, error) {
	out := make([]target, 0, len(list))
	for i := range list {
		t := &list[i]
		switch e := t.Expr.(type) {
		case *ast.ColumnRef:
			if e.Star {
				cols, err := b.star(s, e.Parts, e.Pos())
				if err != nil {
					return nil, err
				}
				out = append(out, cols...)
				continue
			}
		case *ast.FieldSelect:
			if e.Star {
				cols, err := b.expandRecord(e, s)
				if err != nil {
					return nil, err
				}
				out = append(out, cols...)
				continue
			}
		}
		x, err := b.expr(t.Expr, s)
		if err != nil {
			return nil, err
		}
		name := t.Name
		if name == "" {
			name = columnName(t.Expr)
		}
		out = append(out, target{e: x, name: name, at: location(t.Expr)})
	}
	if len(out) > maxTargets {
		return nil, b.err(pgerr.TooManyColumns, -1, "target lists can have at most %d entries", maxTargets)
	}
	return out, nil
}

// maxTargets is PostgreSQL's MaxTupleAttributeNumber.
const maxTargets = 1664

// expandRecord is (x).* in a select list.
func (b *builder) expandRecord(e *ast.FieldSelect, s *scope) ([]target, error) {
	x, err := b.expr(e.Expr, s)
	if err != nil {
		return nil, err
	}
	fields := fieldsOf(x)
	if fields == nil {
		if x.Type() == types.TRecord {
			return nil, b.err(pgerr.FeatureNotSupported, e.Pos(), "record type has not been registered")
		}
		return nil, b.err(pgerr.WrongObjectType, e.Pos(), "type %s is not composite", x.Type())
	}
	out := make([]target, len(fields))
	for i, f := range fields {
		v, err := b.fieldOf(x, f.name, e.Pos())
		if err != nil {
			return nil, err
		}
		out[i] = target{e: v, name: f.name, at: location(e)}
	}
	return out, nil
}

// valuesClause binds VALUES (…), (…).
func (b *builder) valuesClause(sel *ast.Select, q *query, s *scope) error {
	q.kind = valuesQuery
	s.clause = inValues
	width := len(sel.Values[0])
	rows := make([][]typed, len(sel.Values))
	for i, src := range sel.Values {
		if len(src) != width {
			return b.err(pgerr.SyntaxError, firstLocation(src), "VALUES lists must all be the same length")
		}
		row, err := b.typedAll(src, s)
		if err != nil {
			return err
		}
		rows[i] = row
	}
	q.rows = make([][]expr.Expr, len(rows))
	for i := range rows {
		q.rows[i] = make([]expr.Expr, width)
	}
	column := make([]typed, len(rows))
	for c := range width {
		for i := range rows {
			column[i] = rows[i][c]
		}
		t, err := b.commonType(column, "VALUES")
		if err != nil {
			return err
		}
		unknown := true
		for i := range rows {
			unknown = unknown && column[i].e.Type() == types.TUnknown
		}
		for i := range rows {
			e := column[i].e
			if !unknown { // otherwise whoever reads the column may still decide
				if e, err = b.toCommon(column[i], t, "VALUES"); err != nil {
					return err
				}
			}
			q.rows[i][c] = e
		}
		q.targets = append(q.targets, target{e: q.rows[0][c], name: "column" + itoa(c+1), at: column[0].at})
	}
	q.visible = width
	return b.orderOutput(sel.OrderBy, q, s)
}

func firstLocation(es []ast.Expr) int {
	if len(es) == 0 {
		return -1
	}
	return location(es[0])
}

// setOperation binds UNION, INTERSECT and EXCEPT.
func (b *builder) setOperation(sel *ast.Select, q *query, s *scope) error {
	q.kind, q.all = setQuery, sel.All
	q.op = [...]plan.SetOpKind{ast.Union: plan.Union, ast.Intersect: plan.Intersect, ast.Except: plan.Except}[sel.Op]
	word := [...]string{ast.Union: "UNION", ast.Intersect: "INTERSECT", ast.Except: "EXCEPT"}[sel.Op]
	var err error
	arm := queryUse{keepUnknown: true, setOp: q.op}
	if q.left, err = b.selectQuery(sel.Left, s, arm); err != nil {
		return err
	}
	if q.right, err = b.selectQuery(sel.Right, s, arm); err != nil {
		return err
	}
	q.volatile = q.left.volatile || q.right.volatile
	q.recursive = q.left.recursive || q.right.recursive
	if q.left.visible != q.right.visible {
		return b.err(pgerr.SyntaxError, firstTarget(sel.Right), "each %s query must have the same number of columns", word)
	}
	var cols []column
	for i := range q.left.visible {
		l, r := q.left.outputTyped(i), q.right.outputTyped(i)
		t, err := b.commonType([]typed{l, r}, word)
		if err != nil {
			return err
		}
		for _, side := range []*query{q.left, q.right} {
			if err := b.coerceOutput(side, i, t, word); err != nil {
				return err
			}
		}
		if !(q.all && q.op == plan.Union) && !t.Hashable() {
			return b.err(pgerr.UndefinedFunction, l.at, "could not identify an equality operator for type %s", t)
		}
		typmod := q.left.typmod(i)
		if q.right.typmod(i) != typmod {
			typmod = -1
		}
		cols = append(cols, column{name: q.left.targets[i].name, t: t, typmod: typmod})
	}
	q.visible = q.left.visible
	q.out = &rel{kind: relOut, cols: cols}
	for i := range cols {
		at := q.left.targets[i].at
		q.targets = append(q.targets, target{e: q.out.newVar(i, at), name: cols[i].name, at: at})
	}
	return b.orderOutput(sel.OrderBy, q, s)
}

func firstTarget(sel *ast.Select) int {
	for sel.Op != ast.NoSetOp {
		sel = sel.Left
	}
	if len(sel.Targets) > 0 {
		return location(sel.Targets[0].Expr)
	}
	if len(sel.Values) > 0 {
		return firstLocation(sel.Values[0])
	}
	return sel.Pos()
}

// lockingClause applies FOR UPDATE and its kin.
func (b *builder) lockingClause(sel *ast.Select, q *query, s *scope) error {
	for i := range sel.Locking {
		l := &sel.Locking[i]
		if err := b.lockQuery(l, q, s); err != nil {
			return err
		}
	}
	return nil
}
