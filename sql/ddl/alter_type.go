package ddl

import (
	"slices"

	"raisind/catalog"
	"raisind/pgerr"
	"raisind/sql/ast"
	"raisind/sql/parser"
	"raisind/sql/planner"
	"raisind/sql/types"
)

// setType is ALTER COLUMN TYPE: every row is written anew, and the indexes over the
// column are built anew under other numbers.
func (t *tableMaker) setType(a *ast.AlterAction) error {
	at, err := t.columnAt(a.Name)
	if err != nil {
		return err
	}
	if err := t.typeIsFree(at); err != nil {
		return err
	}
	typ, typmod, err := t.columnType(&ast.ColumnDef{At: a.At, Name: a.Name, Type: *a.Type})
	if err != nil {
		return err
	}
	c := &t.r.Columns[at]
	was := *c
	c.Type, c.Typmod, c.Collation = typ, typmod, ""
	if len(a.Collation) > 0 {
		if c.Collation, err = collation(a.Collation, typ); err != nil {
			return err
		}
	}
	using := a.Using
	if using == nil {
		using = &ast.ColumnRef{Parts: []string{a.Name}}
	}
	b, err := planner.BindExpr(t.ctx, t.Planner, t.old, using, planner.UseTransform, c)
	if err != nil {
		if a.Using == nil && pgerr.Is(err, pgerr.DatatypeMismatch) {
			name := ast.QuoteIdent(c.Name)
			shown := types.FormatType(typ, typmod)
			if c.Generated != "" {
				return pgerr.New(pgerr.DatatypeMismatch, "column %q cannot be cast automatically to type %s", c.Name, typ)
			}
			return pgerr.New(pgerr.DatatypeMismatch, "column %q cannot be cast automatically to type %s", c.Name, typ).
				WithHint("You might need to specify \"USING %s::%s\".", name, shown)
		}
		return err
	}
	if c.Generated != "" && a.Using != nil {
		return pgerr.New(pgerr.InvalidColumnDefinition, "cannot specify USING when altering type of generated column").
			WithDetail("Column %q is a generated column.", c.Name)
	}
	if err := t.convertDefault(at); err != nil {
		return err
	}
	if was.Type != typ {
		c.Slot = t.r.NextColumnID
		t.r.NextColumnID++
		if err := t.otherGeometry(c); err != nil {
			return err
		}
	}
	renumbered, err := t.renumberIndexes(at)
	if err != nil {
		return err
	}
	for i := range t.r.Constraints {
		k := &t.r.Constraints[i]
		if k.Kind != catalog.ConstraintCheck || !slices.Contains(k.Columns, c.ID) {
			continue
		}
		if _, err := planner.BindStored(t.ctx, t.Planner, t.r, k.Expr, planner.UseCheck, nil); err != nil {
			return err
		}
		if !k.NotValid {
			t.checks = append(t.checks, k.Name)
		}
	}
	if err := t.Catalog.Replace(t.ctx, t.r); err != nil {
		return err
	}
	if err := t.followIndexes(renumbered); err != nil {
		return err
	}
	if err := t.rewrite(at, b.Expr); err != nil {
		return err
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
	return t.recheckKeys(c.ID)
}

// typeIsFree refuses to change the type of a column that others were planned with.
func (t *tableMaker) typeIsFree(at int) error {
	c := &t.r.Columns[at]
	if v := t.viewOf(c.ID); v != nil {
		return pgerr.New(pgerr.FeatureNotSupported, "cannot alter type of a column used by a view or rule").
			WithDetail("rule _RETURN on view %s depends on column %q", v.Name, c.Name)
	}
	if g := t.generatedFrom(at); len(g) > 0 {
		return pgerr.New(pgerr.SyntaxError, "cannot alter type of a column used by a generated column").
			WithDetail("Column %q is used by generated column %q.", c.Name, t.r.Columns[g[0]].Name)
	}
	for i := range t.r.Triggers {
		if tr := &t.r.Triggers[i]; slices.Contains(tr.Columns, c.ID) || needs(tr.Depends, t.r, c.ID) {
			return pgerr.New(pgerr.FeatureNotSupported, "cannot alter type of a column used in a trigger definition").
				WithDetail("trigger %s on table %s depends on column %q", tr.Name, t.r.Name, c.Name)
		}
	}
	return nil
}

// convertDefault checks that the default can be assigned to the new type.
func (t *tableMaker) convertDefault(at int) error {
	c := &t.r.Columns[at]
	if c.Default == "" || c.Identity != 0 {
		return nil
	}
	e, err := parser.ParseExpr(c.Default)
	if err != nil {
		return pgerr.Wrap(err, pgerr.InternalError, "the default of column %q cannot be read: %v", c.Name, err)
	}
	if _, err := planner.BindExpr(t.ctx, t.Planner, t.r, e, planner.UseDefault, c); err != nil {
		if pgerr.Is(err, pgerr.DatatypeMismatch) {
			return pgerr.New(pgerr.DatatypeMismatch, "default for column %q cannot be cast automatically to type %s", c.Name, c.Type)
		}
		return err
	}
	return nil
}

// renumberIndexes gives the indexes over a column new numbers, under which they are
// built from nothing; the result are new numbers by old ones.
func (t *tableMaker) renumberIndexes(at int) (map[uint32]*catalog.Index, error) {
	moved := map[uint32]*catalog.Index{}
	id := t.r.Columns[at].ID
	for i := range t.r.Indexes {
		x := &t.r.Indexes[i]
		if !slices.Contains(x.Columns, at) && !slices.Contains(x.Include, at) && !needs(x.Depends, t.r, id) {
			continue
		}
		for k, col := range x.Columns {
			if col == at {
				if x.Format != catalog.NoKeys && !t.r.Columns[at].Type.Comparable() {
					return nil, pgerr.New(pgerr.UndefinedObject, "data type %s has no default operator class for access method %q", t.r.Columns[at].Type, x.AccessMethod()).
						WithHint("You must specify an operator class for the index or define a default operator class for the data type.")
				}
				if err := methodTakes(x.AccessMethod(), t.r.Columns[at].Type, x.Key(k).Opclass); err != nil {
					return nil, err
				}
			}
		}
		t.renumber(i, moved)
	}
	return moved, nil
}

// renumber gives one index a new number.
func (t *tableMaker) renumber(i int, moved map[uint32]*catalog.Index) {
	x := &t.r.Indexes[i]
	old := x.ID
	x.ID = t.Runtime.Catalog.NextIndexID()
	moved[uint32(old)] = x
	t.built = append(t.built, i)
	for k := range t.r.Constraints {
		if c := &t.r.Constraints[k]; c.Index == old {
			c.Index = x.ID
		}
	}
}

// followIndexes tells the foreign keys of other tables the new numbers.
func (t *tableMaker) followIndexes(moved map[uint32]*catalog.Index) error {
	for _, o := range slices.Clone(t.Catalog.Snapshot().Relations()) {
		if o.ID == t.r.ID {
			continue
		}
		var n *catalog.Relation
		for i := range o.Constraints {
			if x, ok := moved[uint32(o.Constraints[i].Index)]; ok && o.Constraints[i].Index != 0 {
				if n == nil {
					n = o.Clone()
				}
				n.Constraints[i].Index = x.ID
			}
		}
		if n == nil {
			continue
		}
		if err := t.lockOther(n); err != nil {
			return err
		}
		if err := t.Catalog.Replace(t.ctx, n); err != nil {
			return err
		}
	}
	return nil
}

// recheckKeys holds the rows against the foreign keys that a column is part of.
func (t *tableMaker) recheckKeys(id uint16) error {
	snap := t.Catalog.Snapshot()
	for _, r := range snap.Relations() {
		for i := range r.Constraints {
			k := &r.Constraints[i]
			own := r.ID == t.r.ID && slices.Contains(k.Columns, id)
			referenced := k.RefRelation == t.r.ID && slices.Contains(k.RefColumns, id)
			if k.Kind != catalog.ConstraintForeign || !own && !referenced {
				continue
			}
			if err := t.sameKeyTypes(r, k); err != nil {
				return err
			}
			if !k.NotValid {
				if err := t.verifyForeignKey(k.OID); err != nil {
					return err
				}
			}
		}
	}
	return nil
}

// sameKeyTypes refuses a foreign key whose columns can no longer be equal.
func (t *tableMaker) sameKeyTypes(r *catalog.Relation, k *catalog.Constraint) error {
	parent, ok := t.Catalog.ByID(k.RefRelation)
	if !ok {
		return nil
	}
	for i := range k.Columns {
		own, _ := r.ColumnByID(k.Columns[i])
		ref, _ := parent.ColumnByID(k.RefColumns[i])
		a, b := &r.Columns[own], &parent.Columns[ref]
		if !canBeEqual(a.Type.Storage(), b.Type.Storage()) {
			return pgerr.New(pgerr.DatatypeMismatch, "foreign key constraint %q cannot be implemented", k.Name).
				WithDetail("Key columns %q and %q are of incompatible types: %s and %s.", a.Name, b.Name, a.Type, b.Type)
		}
	}
	return nil
}
