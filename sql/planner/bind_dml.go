package planner

import (
	"slices"

	"raisind/catalog"
	"raisind/pgerr"
	"raisind/sql/ast"
	"raisind/sql/expr"
	"raisind/sql/plan"
	"raisind/sql/types"
	"raisind/storage"
)

// dml is a bound INSERT, UPDATE or DELETE.
type dml struct {
	verb   string
	target *rel
	// q joins the target with FROM or USING under the condition (UPDATE, DELETE).
	q           *query
	set         []assignment
	descendants bool
	rules       *plan.RowRules

	// INSERT
	overriding ast.Overriding
	source     *query
	targets    []int
	defaults   []expr.Expr
	conflict   *conflict

	returning []target
}

// assignment sets the column at a position.
type assignment struct {
	col int
	e   expr.Expr
}

// conflict is ON CONFLICT; the expressions are over the target and over proposed.
type conflict struct {
	q        *query
	proposed *rel
	index    *catalog.Index
	update   bool
	set      []assignment
	where    expr.Expr
}

// columns describes what RETURNING gives.
func (d *dml) columns() []column {
	cols := make([]column, len(d.returning))
	for i, t := range d.returning {
		cols[i] = column{name: t.name, t: t.e.Type(), typmod: typmodOf(t.e), fields: fieldsOf(t.e)}
		if v, ok := t.e.(*variable); ok {
			cols[i].oid, cols[i].attnum = v.column().oid, v.column().attnum
		}
	}
	return cols
}

// dml binds a statement that writes; parent is the scope of a WITH around it.
func (b *builder) dml(stmt ast.Stmt, parent *scope) (*dml, error) {
	q := &query{volatile: true}
	s := &scope{parent: parent, q: q}
	b.writes = true
	switch stmt := stmt.(type) {
	case *ast.Insert:
		s.writes = catalog.PrivilegeInsert
		if oc := stmt.OnConflict; oc != nil && oc.Update {
			s.writes |= catalog.PrivilegeUpdate
		}
		return b.insert(stmt, s)
	case *ast.Update:
		s.writes = catalog.PrivilegeUpdate
		return b.update(stmt, s)
	case *ast.Delete:
		s.writes = catalog.PrivilegeDelete
		return b.delete(stmt, s)
	}
	return nil, pgerr.New(pgerr.FeatureNotSupported, "this statement is not supported in WITH")
}

// targetRel finds the relation that is written.
func (b *builder) targetRel(name *ast.RelName, alias string, q *query, s *scope) (*rel, error) {
	r := &rel{at: name.Pos(), alias: name.Name, target: true}
	if err := b.relation(r, name, s); err != nil {
		return nil, err
	}
	if r.table == nil {
		return nil, b.err(pgerr.InsufficientPrivilege, -1, "permission denied: %q is a system catalog", name.Name)
	}
	if err := b.mayWrite(r.table, s.writes); err != nil {
		return nil, err
	}
	if alias != "" {
		r.alias, r.schema = alias, ""
	}
	b.use(r.table.ID, storage.RowExclusive)
	return r, b.addRel(q, r)
}

func (b *builder) update(u *ast.Update, s *scope) (*dml, error) {
	if u.CurrentOf != "" {
		return nil, b.notSupported(-1, "WHERE CURRENT OF")
	}
	if err := b.withClause(u.With, s); err != nil {
		return nil, err
	}
	d := &dml{verb: "UPDATE", q: s.q}
	var err error
	if d.target, err = b.targetRel(&u.Relation, u.Alias, s.q, s); err != nil {
		return nil, err
	}
	if err := b.joinTarget(d.target, u.From, s); err != nil {
		return nil, err
	}
	if d.set, err = b.setClauses(u.Set, d.target, s); err != nil {
		return nil, err
	}
	if d.rules, err = b.rowRules(d.target.table); err != nil {
		return nil, err
	}
	if u.Where != nil {
		if err := b.whereClause(u.Where, s.q, s); err != nil {
			return nil, err
		}
	}
	d.returning, err = b.returning(u.Returning, s)
	return d, err
}

func (b *builder) delete(del *ast.Delete, s *scope) (*dml, error) {
	if del.CurrentOf != "" {
		return nil, b.notSupported(-1, "WHERE CURRENT OF")
	}
	if err := b.withClause(del.With, s); err != nil {
		return nil, err
	}
	d := &dml{verb: "DELETE", q: s.q, descendants: del.Descendants}
	var err error
	if d.target, err = b.targetRel(&del.Relation, del.Alias, s.q, s); err != nil {
		return nil, err
	}
	if d.descendants && !d.target.isWorkspace() {
		return nil, b.err(pgerr.WrongObjectType, del.Relation.Pos(), "%q is not a workspace", del.Relation.Name).
			WithHint("Only nodes of a workspace have descendants.")
	}
	if err := b.joinTarget(d.target, del.Using, s); err != nil {
		return nil, err
	}
	if del.Where != nil {
		if err := b.whereClause(del.Where, s.q, s); err != nil {
			return nil, err
		}
	}
	d.returning, err = b.returning(del.Returning, s)
	return d, err
}

// joinTarget puts the target in front of the other items, which do not see it.
func (b *builder) joinTarget(target *rel, from []ast.TableExpr, s *scope) error {
	s.clause = inFrom
	if err := b.fromClause(from, s); err != nil {
		return err
	}
	n, items := leaf(target)
	if err := b.checkNames(items, s.items); err != nil {
		return err
	}
	s.items = append(items, s.items...)
	if s.q.from != nil {
		n = &fromNode{kind: plan.InnerJoin, left: n, right: s.q.from}
	}
	s.q.from = n
	return nil
}

func (b *builder) returning(list []ast.Target, s *scope) ([]target, error) {
	if len(list) == 0 {
		return nil, nil
	}
	s.clause = inReturning
	out, err := b.targetList(list, s)
	if err != nil {
		return nil, err
	}
	for i := range out {
		if out[i].e, err = b.toText(out[i].e, out[i].at); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// targetColumn finds the column that INSERT or UPDATE assigns to.
func (b *builder) targetColumn(c *ast.ColumnTarget, r *rel) (int, error) {
	i, ok := r.table.ColumnByName(c.Name)
	if !ok {
		if c.Name == "__revision" || c.Name == "__distance" || c.Name == "ctid" || c.Name == "tableoid" {
			return 0, b.err(pgerr.FeatureNotSupported, c.Pos(), "cannot assign to system column %q", c.Name)
		}
		return 0, b.err(pgerr.UndefinedColumn, c.Pos(), "column %q of relation %q does not exist", c.Name, r.table.Name)
	}
	if len(c.Path) > 0 {
		return 0, b.notSupported(c.Pos(), "assignment to a part of a column")
	}
	return i, nil
}

// setClauses binds SET of UPDATE and ON CONFLICT DO UPDATE.
func (b *builder) setClauses(list []ast.SetClause, r *rel, s *scope) ([]assignment, error) {
	var out []assignment
	s.clause = inSet
	for i := range list {
		c := &list[i]
		values, err := b.setValues(c, s)
		if err != nil {
			return nil, err
		}
		for k := range c.Columns {
			col, err := b.targetColumn(&c.Columns[k], r)
			if err != nil {
				return nil, err
			}
			if slices.ContainsFunc(out, func(a assignment) bool { return a.col == col }) {
				return nil, b.err(pgerr.SyntaxError, -1, "multiple assignments to same column %q", c.Columns[k].Name)
			}
			e := values[k].e
			tc := &r.table.Columns[col]
			if tc.Generated != "" {
				if e == nil {
					continue // it is computed again
				}
				return nil, b.err(pgerr.GeneratedAlways, -1, "column %q can only be updated to DEFAULT", tc.Name).
					WithDetail("Column %q is a generated column.", tc.Name)
			}
			if tc.Identity == 'a' && e != nil {
				return nil, b.err(pgerr.GeneratedAlways, -1, "column %q can only be updated to DEFAULT", tc.Name).
					WithDetail("Column %q is an identity column defined as GENERATED ALWAYS.", tc.Name)
			}
			if e == nil {
				e, err = b.defaultOf(r.table, col)
			} else {
				e, err = b.assign(e, tc.Name, tc.Type, tc.Typmod, values[k].at)
			}
			if err != nil {
				return nil, err
			}
			if e == nil {
				e = &expr.Const{T: tc.Type}
			}
			out = append(out, assignment{col, e})
		}
	}
	return out, nil
}

// setValues are the values of one clause, one a column; a nil expression is DEFAULT.
func (b *builder) setValues(c *ast.SetClause, s *scope) ([]typed, error) {
	if !c.Multi {
		return b.valuesOrDefault([]ast.Expr{c.Value}, s)
	}
	switch v := c.Value.(type) {
	case *ast.RowLit:
		if len(v.Args) != len(c.Columns) {
			return nil, b.err(pgerr.SyntaxError, v.Pos(), "number of columns does not match number of values")
		}
		return b.valuesOrDefault(v.Args, s)
	case *ast.Subquery:
		q, err := b.subselect(v.Query, s)
		if err != nil {
			return nil, err
		}
		if q.visible != len(c.Columns) {
			return nil, b.err(pgerr.SyntaxError, v.Pos(), "number of columns does not match number of values")
		}
		row := &subquery{kind: expr.SubqueryScalar, q: q, t: types.TRecord, at: v.Pos()}
		if q.visible == 1 {
			row.t = q.outputType(0)
			return []typed{{row, v.Pos()}}, nil
		}
		out := make([]typed, q.visible)
		for i := range out {
			out[i] = typed{&expr.Field{Arg: row, Index: i, Name: q.targets[i].name, T: q.outputType(i)}, v.Pos()}
		}
		return out, nil
	}
	if len(c.Columns) == 1 {
		return b.valuesOrDefault([]ast.Expr{c.Value}, s)
	}
	return nil, b.err(pgerr.FeatureNotSupported, location(c.Value), "source for a multiple-column UPDATE item must be a sub-SELECT or ROW() expression")
}

func (b *builder) valuesOrDefault(es []ast.Expr, s *scope) ([]typed, error) {
	out := make([]typed, len(es))
	for i, e := range es {
		if _, ok := e.(*ast.Default); ok {
			out[i].at = e.Pos()
			continue
		}
		var err error
		if out[i], err = b.typed(e, s); err != nil {
			return nil, err
		}
	}
	return out, nil
}
