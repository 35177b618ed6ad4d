package ddl

import (
	"slices"

	"raisind/catalog"
	"raisind/pgerr"
	"raisind/sql/ast"
	"raisind/sql/define"
	"raisind/sql/planner"
	"raisind/sql/types"
)

// constraintName settles the name of a constraint of the table.
func (t *tableMaker) constraintName(given, columns, label string) (string, error) {
	taken := func(name string) bool { _, ok := t.r.Constraint(name); return ok }
	if given == "" {
		return freeName(t.r.Name, columns, label, taken), nil
	}
	if taken(given) {
		return "", pgerr.New(pgerr.DuplicateObject, "constraint %q for relation %q already exists", given, t.r.Name)
	}
	return given, nil
}

// check adds a check constraint.
func (t *tableMaker) check(l laterConstraint) error {
	b, err := planner.BindExpr(t.ctx, t.Planner, t.r, l.c.Expr, planner.UseCheck, nil)
	if err != nil {
		return err
	}
	column := l.column
	if len(b.Columns) == 1 {
		column = t.r.Columns[b.Columns[0]].Name
	} else if column == "" || len(b.Columns) > 1 {
		column = ""
	}
	name, err := t.constraintName(l.c.Name, column, "check")
	if err != nil {
		return err
	}
	c := catalog.Constraint{
		OID: t.Runtime.Catalog.NextOID(), Name: name, Kind: catalog.ConstraintCheck, Expr: ast.Format(l.c.Expr),
		NotValid: l.c.NotValid, NoInherit: l.c.NoInherit, Depends: t.dependencies(b, l.c.Expr),
	}
	for _, col := range b.Columns {
		c.Columns = append(c.Columns, t.r.Columns[col].ID)
	}
	t.r.Constraints = append(t.r.Constraints, c)
	if !l.c.NotValid {
		t.checks = append(t.checks, name)
	}
	return nil
}

// key adds a primary key or a unique constraint with its index.
func (t *tableMaker) key(l laterConstraint) error {
	c := l.c
	if c.Kind == ast.Exclude {
		return notSupported("EXCLUDE").WithHint("Use a unique index, or check in a trigger.")
	}
	if c.Deferrable != nil && *c.Deferrable {
		return notSupported("a deferrable unique or primary key constraint").WithHint("Leave DEFERRABLE out: keys are checked row by row.")
	}
	primary := c.Kind == ast.PrimaryKey
	if primary {
		for i := range t.r.Constraints {
			if t.r.Constraints[i].Kind == catalog.ConstraintPrimary {
				return t.err(pgerr.InvalidTableDefinition, c.Pos(), "multiple primary keys for table %q are not allowed", t.r.Name)
			}
		}
	}
	if c.UsingIndex != "" {
		return t.keyUsingIndex(c, primary)
	}
	columns := c.Columns
	if len(columns) == 0 && l.column != "" {
		columns = []string{l.column}
	}
	x := catalog.Index{Unique: true, Primary: primary, NullsNotDistinct: c.NullsNotDistinct}
	for _, name := range columns {
		at, ok := t.r.ColumnByName(name)
		if !ok {
			return t.err(pgerr.UndefinedColumn, c.Pos(), "column %q named in key does not exist", name)
		}
		if slices.Contains(x.Columns, at) {
			what := "unique"
			if primary {
				what = "primary key"
			}
			return t.err(pgerr.DuplicateColumn, c.Pos(), "column %q appears twice in %s constraint", name, what)
		}
		if primary {
			t.r.Columns[at].NotNull = true
		}
		x.Columns = append(x.Columns, at)
	}
	for _, name := range c.Include {
		at, ok := t.r.ColumnByName(name)
		if !ok {
			return t.err(pgerr.UndefinedColumn, c.Pos(), "column %q named in key does not exist", name)
		}
		x.Include = append(x.Include, at)
	}
	if x.NullsNotDistinct {
		x.Format = catalog.RowKeys
	}
	if c.Name != "" {
		if _, dup := t.r.Constraint(c.Name); dup {
			return pgerr.New(pgerr.DuplicateObject, "constraint %q for relation %q already exists", c.Name, t.r.Name)
		}
		x.Name = c.Name
	} else {
		x.Name = t.indexName(&x)
	}
	if err := t.addIndex(x); err != nil {
		return err
	}
	t.addKeyConstraint(&t.r.Indexes[len(t.r.Indexes)-1], c)
	return nil
}

func (t *tableMaker) addKeyConstraint(x *catalog.Index, c *ast.Constraint) {
	con := t.r.ConstraintOf(x, t.Runtime.Catalog.NextOID())
	if c.InitiallyDeferred != nil {
		con.InitiallyDeferred = *c.InitiallyDeferred
	}
	t.r.Constraints = append(t.r.Constraints, con)
}

// keyUsingIndex makes a constraint of a unique index that is there.
func (t *tableMaker) keyUsingIndex(c *ast.Constraint, primary bool) error {
	i := slices.IndexFunc(t.r.Indexes, func(x catalog.Index) bool { return x.Name == c.UsingIndex })
	if i < 0 {
		return t.err(pgerr.UndefinedObject, c.Pos(), "index %q does not exist", c.UsingIndex)
	}
	x := &t.r.Indexes[i]
	for k := range t.r.Constraints {
		if t.r.Constraints[k].Index == x.ID {
			return t.err(pgerr.ObjectNotInPrerequisiteState, c.Pos(), "index %q is already associated with a constraint", x.Name)
		}
	}
	switch {
	case !x.Unique:
		return t.err(pgerr.WrongObjectType, c.Pos(), "%q is not a unique index", x.Name).
			WithDetail("Cannot create a primary key or unique constraint using such an index.")
	case x.HasExprs():
		return t.err(pgerr.WrongObjectType, c.Pos(), "index %q contains expressions", x.Name).
			WithDetail("Cannot create a primary key or unique constraint using such an index.")
	case x.Predicate != "":
		return t.err(pgerr.WrongObjectType, c.Pos(), "%q is a partial index", x.Name).
			WithDetail("Cannot create a primary key or unique constraint using such an index.")
	}
	if primary {
		x.Primary = true
		for _, col := range x.Columns {
			t.r.Columns[col].NotNull = true
		}
	}
	if c.Name != "" && c.Name != x.Name {
		t.notice("ALTER TABLE / ADD CONSTRAINT USING INDEX will rename index %q to %q", x.Name, c.Name)
		x.Name = c.Name
	}
	t.addKeyConstraint(x, c)
	return nil
}

// indexName is the name PostgreSQL gives an index without one.
func (t *tableMaker) indexName(x *catalog.Index) string {
	taken := func(name string) bool {
		if t.Catalog.Snapshot().NameTaken(t.r.Schema, name) || name == t.r.Name {
			return true
		}
		_, con := t.r.Constraint(name)
		_, ok := t.r.IndexByName(name)
		return ok || con
	}
	if x.Primary {
		return freeName(t.r.Name, "", "pkey", taken)
	}
	var columns string
	for i, c := range x.Columns {
		if i > 0 {
			columns += "_"
		}
		if c == catalog.ExprColumn {
			columns += exprName(x.Key(i).Expr)
		} else {
			columns += t.r.Columns[c].Name
		}
		if len(columns) > define.MaxNameBytes {
			break
		}
	}
	label := "idx"
	if x.Unique && len(x.Keys) == 0 && x.Predicate == "" && x.Method == "" {
		label = "key"
	}
	return freeName(t.r.Name, columns, label, taken)
}

// addIndex gives an index its numbers and adds it.
func (t *tableMaker) addIndex(x catalog.Index) error {
	for i, c := range x.Columns {
		typ := types.TText
		if c != catalog.ExprColumn {
			typ = t.r.Columns[c].Type
		} else if u, ok := t.Catalog.Snapshot().TypeByOID(x.Key(i).Type); ok {
			typ = u
		}
		if x.Format != catalog.NoKeys && !typ.Comparable() {
			return pgerr.New(pgerr.UndefinedObject, "data type %s has no default operator class for access method %q", typ, x.AccessMethod()).
				WithHint("You must specify an operator class for the index or define a default operator class for the data type.")
		}
	}
	x.ID, x.OID = t.Runtime.Catalog.NextIndexID(), t.Runtime.Catalog.NextOID()
	t.r.Indexes = append(t.r.Indexes, x)
	t.built = append(t.built, len(t.r.Indexes)-1)
	return nil
}
