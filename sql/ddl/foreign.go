package ddl

import (
	"slices"

	"raisind/catalog"
	"raisind/pgerr"
	"raisind/sql/ast"
	"raisind/sql/types"
	"raisind/storage"
)

// actions are the actions of a foreign key by their words.
var actions = map[string]byte{"": 'a', "no action": 'a', "restrict": 'r', "cascade": 'c', "set null": 'n', "set default": 'd'}

// foreignKey adds a foreign key: a REFERENCES of the column l.column, or FOREIGN KEY
// of the table. All columns and keys of the table are there by now; what needs the
// table to be in the catalog goes into t.after.
func (t *tableMaker) foreignKey(l laterConstraint) error {
	c := l.c
	columns := c.Columns
	if len(columns) == 0 && l.column != "" {
		columns = []string{l.column}
	}
	if c.Match == "partial" {
		return t.err(pgerr.FeatureNotSupported, c.Pos(), "MATCH PARTIAL not yet implemented")
	}
	parent := t.r
	if found := t.lookup(c.Ref); found == nil || found.ID != t.r.ID {
		own := found == nil && c.Ref.Name == t.r.Name && (c.Ref.Schema == "" || c.Ref.Schema == t.r.Schema)
		if !own {
			var err error
			if parent, err = t.mustRelation(c.Ref, storage.ShareRowExclusive); err != nil {
				return err
			}
		}
	}
	if parent.Kind != catalog.Table && parent.Kind != catalog.Workspace {
		return pgerr.New(pgerr.WrongObjectType, "referenced relation %q is not a table", parent.Name)
	}
	switch {
	case t.r.Persistence == catalog.Temporary && parent.Persistence != catalog.Temporary:
		return pgerr.New(pgerr.InvalidTableDefinition, "constraints on temporary tables may reference only temporary tables")
	case t.r.Persistence != catalog.Temporary && parent.Persistence == catalog.Temporary:
		return pgerr.New(pgerr.InvalidTableDefinition, "constraints on permanent tables may reference only permanent tables")
	}
	k := catalog.Constraint{
		OID: t.Runtime.Catalog.NextOID(), Kind: catalog.ConstraintForeign, RefRelation: parent.ID, Match: 's',
		OnUpdate: actions[c.OnUpdate], OnDelete: actions[c.OnDelete], NotValid: c.NotValid,
	}
	if c.Match == "full" {
		k.Match = 'f'
	}
	if c.InitiallyDeferred != nil && *c.InitiallyDeferred {
		if c.Deferrable != nil && !*c.Deferrable {
			return t.err(pgerr.SyntaxError, c.Pos(), "constraint declared INITIALLY DEFERRED must be DEFERRABLE")
		}
		k.Deferrable, k.InitiallyDeferred = true, true
	}
	if c.Deferrable != nil && *c.Deferrable {
		k.Deferrable = true
	}
	var own []int
	for _, name := range columns {
		at, ok := t.r.ColumnByName(name)
		if !ok {
			return pgerr.New(pgerr.UndefinedColumn, "column %q referenced in foreign key constraint does not exist", name)
		}
		own = append(own, at)
		k.Columns = append(k.Columns, t.r.Columns[at].ID)
	}
	ix, err := t.referencedIndex(c, parent)
	if err != nil {
		return err
	}
	k.Index = ix.ID
	names := c.RefColumns
	if len(names) == 0 {
		for _, at := range ix.Columns {
			names = append(names, parent.Columns[at].Name)
		}
	}
	if len(names) != len(own) {
		return pgerr.New(pgerr.InvalidForeignKey, "number of referencing and referenced columns for foreign key disagree")
	}
	label := ""
	for i, name := range names {
		at, _ := parent.ColumnByName(name)
		k.RefColumns = append(k.RefColumns, parent.Columns[at].ID)
		a, b := t.r.Columns[own[i]].Type, parent.Columns[at].Type
		if !canBeEqual(a.Storage(), b.Storage()) {
			shown := c.Name
			if shown == "" {
				shown = t.foreignName(columns)
			}
			return pgerr.New(pgerr.DatatypeMismatch, "foreign key constraint %q cannot be implemented", shown).
				WithDetail("Key columns %q and %q are of incompatible types: %s and %s.", t.r.Columns[own[i]].Name, name, a, b)
		}
	}
	for _, at := range own {
		col := &t.r.Columns[at]
		if col.Generated == "" {
			continue
		}
		if k.OnUpdate == 'n' || k.OnUpdate == 'd' || k.OnUpdate == 'c' {
			return t.err(pgerr.SyntaxError, -1, "invalid %s action for foreign key constraint containing generated column", "ON UPDATE")
		}
		if k.OnDelete == 'n' || k.OnDelete == 'd' {
			return t.err(pgerr.SyntaxError, -1, "invalid %s action for foreign key constraint containing generated column", "ON DELETE")
		}
	}
	if label = c.Name; label == "" {
		label = t.foreignName(columns)
	} else if _, taken := t.r.Constraint(label); taken {
		return pgerr.New(pgerr.DuplicateObject, "constraint %q for relation %q already exists", label, t.r.Name)
	}
	k.Name = label
	t.r.Constraints = append(t.r.Constraints, k)
	if !k.NotValid {
		oid := k.OID
		t.after = append(t.after, func() error { return t.verifyForeignKey(oid) })
	}
	return nil
}

// verifyForeignKey holds the rows that are there against a foreign key.
func (d *definer) verifyForeignKey(oid uint32) error {
	if d.VerifyForeignKey == nil {
		return nil
	}
	return d.VerifyForeignKey(oid)
}

func (t *tableMaker) foreignName(columns []string) string {
	joined := ""
	for i, c := range columns {
		if i > 0 {
			joined += "_"
		}
		joined += c
	}
	return freeName(t.r.Name, joined, "fkey", func(n string) bool { _, ok := t.r.Constraint(n); return ok })
}

// referencedIndex finds the unique index of the key that is referenced.
func (t *tableMaker) referencedIndex(c *ast.Constraint, parent *catalog.Relation) (*catalog.Index, error) {
	if len(c.RefColumns) == 0 {
		for i := range parent.Indexes {
			if parent.Indexes[i].Primary {
				return &parent.Indexes[i], nil
			}
		}
		return nil, pgerr.New(pgerr.UndefinedObject, "there is no primary key for referenced table %q", parent.Name)
	}
	var cols []int
	for _, name := range c.RefColumns {
		at, ok := parent.ColumnByName(name)
		if !ok {
			return nil, pgerr.New(pgerr.UndefinedColumn, "column %q referenced in foreign key constraint does not exist", name)
		}
		if slices.Contains(cols, at) {
			return nil, pgerr.New(pgerr.InvalidForeignKey, "foreign key referenced-columns list must not contain duplicates")
		}
		cols = append(cols, at)
	}
	for i := range parent.Indexes {
		x := &parent.Indexes[i]
		if x.Unique && x.Predicate == "" && !x.HasExprs() && !x.Invalid && len(x.Columns) == len(cols) &&
			!slices.ContainsFunc(x.Columns, func(at int) bool { return !slices.Contains(cols, at) }) {
			return x, nil
		}
	}
	return nil, pgerr.New(pgerr.InvalidForeignKey, "there is no unique constraint matching given keys for referenced table %q", parent.Name)
}

// canBeEqual reports whether values of two types can be equal: one converts to the
// other by itself.
func canBeEqual(a, b *types.Type) bool {
	if a == b {
		return true
	}
	implicit := func(from, to *types.Type) bool {
		c, ok := types.FindCast(from, to)
		return ok && c.Context == types.Implicit
	}
	return implicit(a, b) || implicit(b, a)
}
