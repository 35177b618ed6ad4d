package planner

import (
	"slices"

	"raisind/catalog"
	"raisind/pgerr"
	"raisind/sql/ast"
	"raisind/sql/expr"
	"raisind/sql/parser"
	"raisind/sql/types"
	"raisind/storage"
)

func (b *builder) insert(ins *ast.Insert, s *scope) (*dml, error) {
	if err := b.withClause(ins.With, s); err != nil {
		return nil, err
	}
	d := &dml{verb: "INSERT", overriding: ins.Overriding}
	var err error
	if d.target, err = b.targetRel(&ins.Into, ins.Alias, s.q, s); err != nil {
		return nil, err
	}
	table := d.target.table
	ats, err := b.insertColumns(ins, d)
	if err != nil {
		return nil, err
	}
	switch src := ins.Source; {
	case src == nil: // DEFAULT VALUES
		d.targets = nil
		d.source = &query{kind: valuesQuery, rows: [][]expr.Expr{{}}}
	case plainValues(src):
		err = b.insertValues(src, d, ats, s)
	default:
		err = b.insertQuery(src, d, ats, s)
	}
	if err != nil {
		return nil, err
	}
	if d.rules, err = b.rowRules(table); err != nil {
		return nil, err
	}
	d.defaults = make([]expr.Expr, len(table.Columns))
	for i := range table.Columns {
		if !slices.Contains(d.targets, i) {
			if d.defaults[i], err = b.defaultOf(table, i); err != nil {
				return nil, err
			}
		}
	}
	_, items := leaf(d.target)
	s.items = items
	if ins.OnConflict != nil {
		if d.conflict, err = b.onConflict(ins.OnConflict, d.target, s); err != nil {
			return nil, err
		}
	}
	d.returning, err = b.returning(ins.Returning, s)
	d.q = s.q
	return d, err
}

// plainValues reports whether src is a list of rows and nothing more.
func plainValues(src *ast.Select) bool {
	return len(src.Values) > 0 && src.With == nil && len(src.OrderBy) == 0 && src.Limit == nil && src.Offset == nil
}

// insertColumns finds the columns named, or all; ats are where they are written.
func (b *builder) insertColumns(ins *ast.Insert, d *dml) ([]int, error) {
	if len(ins.Columns) == 0 {
		for i := range d.target.table.Columns {
			d.targets = append(d.targets, i)
		}
		return nil, nil
	}
	var ats []int
	for i := range ins.Columns {
		c := &ins.Columns[i]
		col, err := b.targetColumn(c, d.target)
		if err != nil {
			return nil, err
		}
		if slices.Contains(d.targets, col) {
			return nil, b.err(pgerr.DuplicateColumn, c.Pos(), "column %q specified more than once", c.Name)
		}
		d.targets, ats = append(d.targets, col), append(ats, c.Pos())
	}
	return ats, nil
}

// fitTargets compares the number of values with the columns.
func (b *builder) fitTargets(d *dml, n int, ats []int, valueAt func(int) int) error {
	if n > len(d.targets) {
		return b.err(pgerr.SyntaxError, valueAt(len(d.targets)), "INSERT has more expressions than target columns")
	}
	if n < len(d.targets) {
		if ats != nil {
			return b.err(pgerr.SyntaxError, ats[n], "INSERT has more target columns than expressions")
		}
		d.targets = d.targets[:n]
	}
	return nil
}

// insertValues binds rows of values; each goes to its column's type at once.
func (b *builder) insertValues(src *ast.Select, d *dml, ats []int, s *scope) error {
	q := &query{kind: valuesQuery, rows: make([][]expr.Expr, 0, len(src.Values))}
	vs := &scope{parent: s.parent, q: q, ctes: s.ctes, clause: inValues}
	table := d.target.table
	src, err := b.spreadRows(src, vs)
	if err != nil {
		return err
	}
	n := len(src.Values[0])
	if err := b.fitTargets(d, n, ats, func(i int) int { return location(src.Values[0][i]) }); err != nil {
		return err
	}
	var defaults []expr.Expr
	for _, row := range src.Values {
		if len(row) != n {
			return b.err(pgerr.SyntaxError, firstLocation(row), "VALUES lists must all be the same length")
		}
		es := make([]expr.Expr, n)
		for i, v := range row {
			col := d.targets[i]
			c := &table.Columns[col]
			_, isDefault := v.(*ast.Default)
			switch {
			case isDefault || c.Identity == 0:
			case d.overriding == ast.OverridingUser:
				if _, err := b.typed(v, vs); err != nil {
					return err
				}
				isDefault = true
			case c.Identity == 'a' && d.overriding == ast.OverridingNone:
				return cannotOverride(c)
			}
			if isDefault {
				if c.Generated != "" {
					es[i] = &expr.Const{T: c.Type}
					continue
				}
				if defaults == nil {
					defaults = make([]expr.Expr, len(table.Columns))
				}
				if defaults[col] == nil {
					e, err := b.defaultOf(table, col)
					if err != nil {
						return err
					}
					if e == nil {
						e = &expr.Const{T: c.Type}
					}
					defaults[col] = e
				}
				es[i] = defaults[col]
				continue
			}
			if c.Generated != "" {
				return cannotInsert(c)
			}
			x, err := b.typed(v, vs)
			if err != nil {
				return err
			}
			if es[i], err = b.assign(x.e, c.Name, c.Type, c.Typmod, x.at); err != nil {
				return err
			}
		}
		q.rows = append(q.rows, es)
	}
	for i := range n {
		c := &table.Columns[d.targets[i]]
		q.targets = append(q.targets, target{e: q.rows[0][i], name: c.Name, at: -1})
	}
	q.visible = n
	d.source = q
	return nil
}

// insertQuery binds INSERT … SELECT; columns of unknown type take the target's.
func (b *builder) insertQuery(src *ast.Select, d *dml, ats []int, s *scope) error {
	inner := &scope{parent: s.parent, ctes: s.ctes, q: &query{}}
	q, err := b.selectQuery(src, inner, queryUse{keepUnknown: true})
	if err != nil {
		return err
	}
	if err := b.fitTargets(d, q.visible, ats, func(i int) int { return q.targets[i].at }); err != nil {
		return err
	}
	for i := range q.visible {
		c := &d.target.table.Columns[d.targets[i]]
		at := q.targets[i].at
		if c.Generated != "" {
			return cannotInsert(c)
		}
		if c.Identity == 'a' && d.overriding == ast.OverridingNone {
			return cannotOverride(c)
		}
		if c.Identity != 0 && d.overriding == ast.OverridingUser {
			e, err := b.defaultOf(d.target.table, d.targets[i])
			if err != nil {
				return err
			}
			if q.post == nil {
				q.post = make([]expr.Expr, q.visible)
			}
			q.post[i] = e
			continue
		}
		if q.outputType(i) == types.TUnknown {
			if err := b.coerceOutput(q, i, c.Type, "INSERT"); err != nil {
				return err
			}
		}
		if q.outputType(i) == c.Type && (c.Typmod < 0 || q.typmod(i) == c.Typmod) {
			continue
		}
		e, err := b.assign(q.outRel().newVar(i, at), c.Name, c.Type, c.Typmod, at)
		if err != nil {
			return err
		}
		if q.post == nil {
			q.post = make([]expr.Expr, q.visible)
		}
		q.post[i] = e
	}
	d.source = q
	return nil
}

// cannotInsert refuses a value for a column that makes its own.
func cannotInsert(c *catalog.Column) error {
	return pgerr.New(pgerr.GeneratedAlways, "cannot insert a non-DEFAULT value into column %q", c.Name).
		WithDetail("Column %q is a generated column.", c.Name)
}

// defaultOf is the default of a column, nil for none.
func (b *builder) defaultOf(t *catalog.Relation, col int) (expr.Expr, error) {
	c := &t.Columns[col]
	if c.Identity != 0 {
		return b.identityDefault(t, c)
	}
	if c.Default == "" {
		return b.domainDefault(c.Type)
	}
	src, err := parser.ParseExpr(c.Default)
	if err != nil {
		return nil, pgerr.Wrap(err, pgerr.InternalError, "default of column %q of relation %q cannot be read: %v", c.Name, t.Name, err)
	}
	sql, vars := b.opt.SQL, b.opt.Variables
	b.opt.SQL, b.opt.Variables = "", nil // positions in a default mean nothing to the client
	defer func() { b.opt.SQL, b.opt.Variables = sql, vars }()
	x, err := b.expr(src, &scope{clause: inDefault})
	if err != nil {
		return nil, err
	}
	return b.assign(x, c.Name, c.Type, c.Typmod, -1)
}

// onConflict binds ON CONFLICT. Its expressions see the target and, as excluded,
// the row proposed.
func (b *builder) onConflict(oc *ast.OnConflict, r *rel, s *scope) (*conflict, error) {
	c := &conflict{update: oc.Update}
	ix, err := b.arbiter(oc, r.table)
	if err != nil {
		return nil, err
	}
	c.index = ix
	if !oc.Update {
		return c, nil
	}
	if ix == nil {
		return nil, b.err(pgerr.SyntaxError, oc.Pos(), "ON CONFLICT DO UPDATE requires inference specification or constraint name").
			WithHint("For example, ON CONFLICT (column_name).")
	}
	cols := tableColumns(r.table)[:len(r.table.Columns)]
	c.proposed = &rel{kind: relOut, alias: "excluded", cols: cols}
	c.q = s.q
	if err := b.addRel(s.q, c.proposed); err != nil {
		return nil, err
	}
	_, items := leaf(c.proposed)
	items[0].colVisible = true
	inner := *s
	inner.items = append(slices.Clone(s.items), items...)
	b.use(r.table.ID, storage.RowExclusive)
	if c.set, err = b.setClauses(oc.Set, r, &inner); err != nil {
		return nil, err
	}
	if oc.Where != nil {
		inner.clause = inWhere
		x, err := b.typed(oc.Where, &inner)
		if err != nil {
			return nil, err
		}
		if c.where, err = b.toBool(x.e, "WHERE", x.at); err != nil {
			return nil, err
		}
	}
	return c, nil
}

// arbiter finds the unique index that ON CONFLICT names; nil when it names none.
func (b *builder) arbiter(oc *ast.OnConflict, t *catalog.Relation) (*catalog.Index, error) {
	if oc.Constraint != "" {
		if ix, ok := t.IndexByName(oc.Constraint); ok && ix.Unique {
			return ix, nil
		}
		return nil, b.err(pgerr.UndefinedObject, -1, "constraint %q for table %q does not exist", oc.Constraint, t.Name)
	}
	if len(oc.Elems) == 0 {
		return nil, nil
	}
	var cols []int
	for i := range oc.Elems {
		e := &oc.Elems[i]
		if e.Name == "" {
			if ref, ok := e.Expr.(*ast.ColumnRef); ok && len(ref.Parts) == 1 {
				e = &ast.IndexElem{At: e.At, Name: ref.Parts[0]}
			} else {
				return nil, b.err(pgerr.InvalidColumnReference, -1, "there is no unique or exclusion constraint matching the ON CONFLICT specification")
			}
		}
		col, ok := t.ColumnByName(e.Name)
		if !ok {
			return nil, b.err(pgerr.UndefinedColumn, e.Pos(), "column %q does not exist", e.Name)
		}
		if !slices.Contains(cols, col) {
			cols = append(cols, col)
		}
	}
	for i := range t.Indexes {
		ix := &t.Indexes[i]
		if ix.Unique && len(ix.Columns) == len(cols) && !slices.ContainsFunc(ix.Columns, func(c int) bool { return !slices.Contains(cols, c) }) {
			return ix, nil
		}
	}
	return nil, b.err(pgerr.InvalidColumnReference, -1, "there is no unique or exclusion constraint matching the ON CONFLICT specification")
}
