package ddl

import (
	"slices"

	"raisind/catalog"
	"raisind/pgerr"
	"raisind/relation"
	"raisind/sql/ast"
	"raisind/sql/expr"
	"raisind/sql/parser"
	"raisind/sql/planner"
	"raisind/sql/types"
	"raisind/storage"
)

// addColumn is ADD COLUMN. Rows get the default written into them: its value may
// differ from row to row.
func (t *tableMaker) addColumn(a *ast.AlterAction) error {
	if _, dup := t.r.ColumnByName(a.Column.Name); dup {
		if a.IfNotExists {
			t.noticeOf(pgerr.DuplicateColumn, "column %q of relation %q already exists, skipping", a.Column.Name, t.r.Name)
			return nil
		}
		return pgerr.New(pgerr.DuplicateColumn, "column %q of relation %q already exists", a.Column.Name, t.r.Name)
	}
	if err := t.column(a.Column); err != nil {
		return err
	}
	sequences := len(t.after) // they count the rows that are there
	if err := t.constraints(); err != nil {
		return err
	}
	at := len(t.r.Columns) - 1
	c := &t.r.Columns[at]
	if err := t.otherGeometry(c); err != nil {
		return err
	}
	if err := t.Catalog.Replace(t.ctx, t.r); err != nil {
		return err
	}
	after := t.after
	t.after = after[:sequences]
	if err := t.runAfter(); err != nil {
		return err
	}
	t.after = after[sequences:]
	var value expr.Expr
	var err error
	if c.Generated != "" {
		value, err = planner.BindStored(t.ctx, t.Planner, t.r, c.Generated, planner.UseGenerated, c)
	} else {
		var all []expr.Expr
		if all, err = planner.Defaults(t.ctx, t.Planner, t.r, nil); err == nil {
			value = all[at]
		}
	}
	if err != nil {
		return err
	}
	if value != nil {
		if err := t.rewrite(at, value); err != nil {
			return err
		}
	}
	var notNull []int
	if c.NotNull {
		notNull = []int{at}
	}
	if err := t.checkRows(t.checks, notNull); err != nil {
		return err
	}
	if err := t.fill(); err != nil {
		return err
	}
	return t.runAfter()
}

// rewrite gives the column at a position its value in every row. The expression reads
// rows as they were, a new column being NULL.
func (t *tableMaker) rewrite(at int, value expr.Expr) error {
	ec := t.exprContext()
	from := t.old
	if len(from.Columns) < len(t.r.Columns) {
		from = t.r
	}
	return t.eachRow(from, func(id storage.RowID, row types.Row) error {
		v, err := value.Eval(ec, row)
		if err != nil {
			return err
		}
		row[at] = v
		stored, err := relation.EncodeRow(t.r, row)
		if err != nil {
			return err
		}
		t.Txn.Put(t.r.ID, id, stored)
		return t.ctx.Err()
	})
}

// otherGeometry takes care that what the spatial index may hold under the name of a
// geometry column from an earlier one is not taken for its own.
func (t *tableMaker) otherGeometry(c *catalog.Column) error {
	if !c.IsGeometryColumn() {
		return nil
	}
	if _, known := t.Runtime.Indexer.State(t.r.ID, c.Name); !known {
		return nil
	}
	return t.unbuilt(c.Name)
}

func (t *tableMaker) unbuilt(column string) error {
	n := pgerr.Notice("the spatial index of column %q has to be rebuilt", column)
	t.tell(n.WithHint("Use REBUILD SPATIAL INDEX; until then queries read all rows."))
	return t.Runtime.Indexer.Unbuild(t.r.ID, column)
}

// columnAt finds a column of the table.
func (t *tableMaker) columnAt(name string) (int, error) {
	at, ok := t.r.ColumnByName(name)
	if !ok {
		if slices.Contains(systemColumns, name) {
			return 0, pgerr.New(pgerr.FeatureNotSupported, "cannot alter system column %q", name)
		}
		return 0, t.noColumn(name)
	}
	return at, nil
}

func (t *tableMaker) noColumn(name string) error {
	return pgerr.New(pgerr.UndefinedColumn, "column %q of relation %q does not exist", name, t.r.Name)
}

// dropColumn is DROP COLUMN.
func (t *tableMaker) dropColumn(a *ast.AlterAction) error {
	at, ok := t.r.ColumnByName(a.Name)
	if !ok {
		if slices.Contains(systemColumns, a.Name) {
			return pgerr.New(pgerr.FeatureNotSupported, "cannot drop system column %q", a.Name)
		}
		if a.IfExists {
			t.notice("column %q of relation %q does not exist, skipping", a.Name, t.r.Name)
			return nil
		}
		return t.noColumn(a.Name)
	}
	refs := []catalog.Ref{{Class: catalog.ClassRelation, OID: t.r.OID, Sub: t.r.Columns[at].ID}}
	for _, g := range t.generatedFrom(at) { // a generated column goes as a whole
		if !a.Cascade {
			return pgerr.New(pgerr.DependentObjectsStillExist, "cannot drop column %s of table %s because other objects depend on it", a.Name, t.r.Name).
				WithDetail("column %s of table %s depends on column %s of table %s", t.r.Columns[g].Name, t.r.Name, a.Name, t.r.Name).
				WithHint("Use DROP ... CASCADE to drop the dependent objects too.")
		}
		t.notice("drop cascades to column %s of table %s", t.r.Columns[g].Name, t.r.Name)
		refs = append(refs, catalog.Ref{Class: catalog.ClassRelation, OID: t.r.OID, Sub: t.r.Columns[g].ID})
	}
	return t.drop(refs, a.Cascade)
}

// generatedFrom are the positions of generated columns that read the column.
func (t *tableMaker) generatedFrom(at int) []int {
	var list []int
	for i := range t.r.Columns {
		if t.r.Columns[i].Generated != "" && i != at && needs(t.r.Columns[i].Depends, t.r, t.r.Columns[at].ID) {
			list = append(list, i)
		}
	}
	return list
}

// needs reports whether a column is among what something depends on.
func needs(deps []catalog.Dependency, r *catalog.Relation, id uint16) bool {
	return slices.ContainsFunc(deps, func(d catalog.Dependency) bool {
		return d.On == catalog.Ref{Class: catalog.ClassRelation, OID: r.OID, Sub: id}
	})
}

// alterColumn is what ALTER COLUMN does without touching rows.
func (t *tableMaker) alterColumn(a *ast.AlterAction) error {
	at, err := t.columnAt(a.Name)
	if err != nil {
		return err
	}
	c := &t.r.Columns[at]
	switch a.Kind {
	case ast.SetDefault:
		return t.alterDefault(at, a)
	case ast.SetNotNull:
		if c.NotNull {
			return nil
		}
		c.NotNull = true
		return t.settle()
	case ast.DropNotNull:
		switch {
		case c.Identity != 0:
			return pgerr.New(pgerr.SyntaxError, "column %q of relation %q is an identity column", c.Name, t.r.Name)
		case slices.ContainsFunc(t.r.Indexes, func(x catalog.Index) bool { return x.Primary && slices.Contains(x.Columns, at) }):
			return pgerr.New(pgerr.InvalidTableDefinition, "column %q is in a primary key", c.Name)
		}
		c.NotNull = false
	case ast.AddIdentity:
		switch {
		case !c.NotNull:
			return pgerr.New(pgerr.ObjectNotInPrerequisiteState, "column %q of relation %q must be declared NOT NULL before identity can be added", c.Name, t.r.Name)
		case c.Identity != 0:
			return pgerr.New(pgerr.ObjectNotInPrerequisiteState, "column %q of relation %q is already an identity column", c.Name, t.r.Name)
		case c.Default != "" || c.Generated != "":
			return pgerr.New(pgerr.ObjectNotInPrerequisiteState, "column %q of relation %q already has a default value", c.Name, t.r.Name)
		}
		if err := t.identity(at, a.Constraint); err != nil {
			return err
		}
		return t.settle()
	case ast.SetIdentity:
		return t.setIdentity(at, a)
	case ast.DropIdentity:
		if c.Identity == 0 {
			if a.IfExists {
				t.notice("column %q of relation %q is not an identity column, skipping", c.Name, t.r.Name)
				return nil
			}
			return pgerr.New(pgerr.ObjectNotInPrerequisiteState, "column %q of relation %q is not an identity column", c.Name, t.r.Name)
		}
		c.Identity = 0
		seq := t.identitySequence(c.ID)
		if err := t.Catalog.Replace(t.ctx, t.r); err != nil || seq == nil {
			return err
		}
		return t.Catalog.Drop(t.ctx, seq.ID)
	case ast.DropExpression:
		if c.Generated == "" {
			if a.IfExists {
				t.notice("column %q of relation %q is not a stored generated column, skipping", c.Name, t.r.Name)
				return nil
			}
			return pgerr.New(pgerr.ObjectNotInPrerequisiteState, "column %q of relation %q is not a stored generated column", c.Name, t.r.Name)
		}
		c.Generated, c.Depends = "", nil
	default:
		return nil // how PostgreSQL stores values and counts them
	}
	return t.Catalog.Replace(t.ctx, t.r)
}

func (t *tableMaker) alterDefault(at int, a *ast.AlterAction) error {
	c := &t.r.Columns[at]
	switch {
	case c.Identity != 0:
		e := pgerr.New(pgerr.SyntaxError, "column %q of relation %q is an identity column", c.Name, t.r.Name)
		if a.Expr == nil {
			e.WithHint("Use ALTER TABLE ... ALTER COLUMN ... DROP IDENTITY instead.")
		}
		return e
	case c.Generated != "":
		e := pgerr.New(pgerr.SyntaxError, "column %q of relation %q is a generated column", c.Name, t.r.Name)
		if a.Expr == nil {
			e.WithHint("Use ALTER TABLE ... ALTER COLUMN ... DROP EXPRESSION instead.")
		}
		return e
	case a.Expr == nil:
		c.Default, c.Depends = "", nil
	default:
		if err := t.setDefault(at, a.Expr); err != nil {
			return err
		}
	}
	return t.Catalog.Replace(t.ctx, t.r)
}

// identitySequence is the sequence of an identity column.
func (t *tableMaker) identitySequence(column uint16) *catalog.Relation {
	for _, q := range t.Catalog.Snapshot().Relations() {
		if s := q.Sequence; s != nil && s.Owner == t.r.ID && s.OwnerColumn == column && s.Identity {
			return q
		}
	}
	return nil
}

func (t *tableMaker) setIdentity(at int, a *ast.AlterAction) error {
	c := &t.r.Columns[at]
	if c.Identity == 0 {
		return pgerr.New(pgerr.ObjectNotInPrerequisiteState, "column %q of relation %q is not an identity column", c.Name, t.r.Name)
	}
	switch a.NewName {
	case "always":
		c.Identity = 'a'
	case "default":
		c.Identity = 'd'
	}
	if err := t.Catalog.Replace(t.ctx, t.r); err != nil || len(a.Options) == 0 {
		return err
	}
	seq := t.identitySequence(c.ID)
	if seq == nil {
		return pgerr.New(pgerr.InternalError, "identity column %q has no sequence", c.Name)
	}
	s := &ast.AlterSequence{Name: ast.RelName{Schema: seq.Schema, Name: seq.Name}, Options: sequenceOptions(a.Options)}
	return t.objects().AlterSequence(s)
}

// renameColumn gives a column another name, in the expressions of the table too.
func (t *tableMaker) renameColumn(name, to string) error {
	at, ok := t.r.ColumnByName(name)
	if !ok {
		return pgerr.New(pgerr.UndefinedColumn, "column %q does not exist", name)
	}
	if slices.Contains(systemColumns, to) {
		return pgerr.New(pgerr.DuplicateColumn, "column name %q conflicts with a system column name", to)
	}
	if _, taken := t.r.ColumnByName(to); taken {
		return pgerr.New(pgerr.DuplicateColumn, "column %q of relation %q already exists", to, t.r.Name)
	}
	c := &t.r.Columns[at]
	if v := t.viewOf(c.ID); v != nil {
		return notSupported("renaming column %q, which view %q reads,", name, v.Name).WithHint("Drop the view, rename the column and make the view again.")
	}
	c.Name = to
	renamed := func(sql *string) (err error) {
		if *sql == "" {
			return nil
		}
		*sql, err = renameIn(*sql, name, to)
		return err
	}
	var err error
	each := func(sql *string) {
		if err == nil {
			err = renamed(sql)
		}
	}
	for i := range t.r.Columns {
		each(&t.r.Columns[i].Generated)
	}
	for i := range t.r.Constraints {
		each(&t.r.Constraints[i].Expr)
	}
	for i := range t.r.Indexes {
		x := &t.r.Indexes[i]
		each(&x.Predicate)
		for k := range x.Keys {
			each(&x.Keys[k].Expr)
		}
	}
	for i := range t.r.Triggers {
		each(&t.r.Triggers[i].When)
	}
	if err != nil {
		return err
	}
	if p, ok := t.r.Spatial.Properties[name]; ok {
		delete(t.r.Spatial.Properties, name)
		t.r.Spatial.Set(to, p)
	}
	if c.IsGeometryColumn() {
		if err := t.unbuilt(to); err != nil {
			return err
		}
	}
	return t.Catalog.Replace(t.ctx, t.r)
}

// renameIn puts a new name of a column into the text of an expression.
func renameIn(sql, name, to string) (string, error) {
	e, err := parser.ParseExpr(sql)
	if err != nil {
		return "", pgerr.Wrap(err, pgerr.InternalError, "an expression of the table cannot be read: %v", err)
	}
	return ast.FormatSettled(e, &ast.Settled{Rename: func(parts []string) []string {
		if last := len(parts) - 1; last >= 0 && parts[last] == name {
			parts = slices.Clone(parts)
			parts[last] = to
		}
		return parts
	}}), nil
}

// viewOf finds a view that reads a column.
func (t *tableMaker) viewOf(id uint16) *catalog.Relation {
	for _, v := range t.Catalog.Snapshot().Relations() {
		if v.Query != nil && needs(v.Query.Depends, t.r, id) {
			return v
		}
	}
	return nil
}
