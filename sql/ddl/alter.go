package ddl

import (
	"slices"
	"strings"

	"raisind/catalog"
	"raisind/pgerr"
	"raisind/sql/ast"
	"raisind/storage"
)

// pass is the order in which PostgreSQL does the actions of one ALTER TABLE: what
// goes first, new columns before what needs them.
func pass(a *ast.AlterAction) int {
	switch a.Kind {
	case ast.DropColumn, ast.DropConstraint:
		return 0
	case ast.SetType:
		return 1
	case ast.AddColumn:
		return 2
	case ast.AddConstraint:
		if a.Constraint.Kind == ast.References {
			return 5
		}
		return 4
	case ast.ValidateConstraint, ast.AlterConstraint:
		return 6
	}
	return 3
}

// alterTable is ALTER TABLE, and ALTER INDEX as far as an index has actions.
func (d *definer) alterTable(s *ast.AlterTable) error {
	if s.Kind == "index" {
		return d.alterIndex(s)
	}
	r, err := d.relation(s.Name, storage.AccessExclusive)
	if err != nil {
		return err
	}
	if r == nil {
		if len(s.Actions) == 1 && s.Actions[0].Kind == ast.RenameTable { // ALTER TABLE renames indexes too
			if _, _, ok := d.index(s.Name); ok {
				return d.alterIndex(s)
			}
		}
		if s.IfExists {
			d.notice("relation %q does not exist, skipping", s.Name.Dotted())
			return nil
		}
		return d.undefined(s.Name)
	}
	if r.Kind != catalog.Table {
		return d.alterOther(s, r)
	}
	if err := d.objects().MustOwn(r.OwnerOID(), "table", r.Name); err != nil {
		return err
	}
	actions := make([]*ast.AlterAction, len(s.Actions))
	for i := range s.Actions {
		actions[i] = &s.Actions[i]
	}
	slices.SortStableFunc(actions, func(a, b *ast.AlterAction) int { return pass(a) - pass(b) })
	for _, a := range actions {
		now, ok := d.Catalog.ByID(r.ID)
		if !ok {
			return d.undefined(s.Name)
		}
		t := &tableMaker{definer: d, r: now.Clone(), old: now}
		if err := t.alter(a); err != nil {
			return err
		}
	}
	return nil
}

// alterOther is ALTER TABLE of a relation that is none: what all have in common.
func (d *definer) alterOther(s *ast.AlterTable, r *catalog.Relation) error {
	kind := map[catalog.Kind]string{catalog.View: "view", catalog.MaterializedView: "materialized view", catalog.Sequence: "sequence"}[r.Kind]
	if kind == "" {
		return d.mustBeTable(r)
	}
	for i := range s.Actions {
		switch s.Actions[i].Kind {
		case ast.RenameTable, ast.RenameColumn, ast.SetSchema, ast.OwnerTo:
		default:
			return pgerr.New(pgerr.WrongObjectType, "ALTER action %s cannot be performed on relation %q", actionWords(&s.Actions[i]), r.Name).
				WithDetail("This operation is not supported for %ss.", r.Kind)
		}
	}
	n := *s
	n.Kind = kind
	return d.objects().AlterRelation(&n)
}

// actionWords are PostgreSQL's for an action.
func actionWords(a *ast.AlterAction) string {
	switch a.Kind {
	case ast.AddColumn:
		return "ADD COLUMN"
	case ast.DropColumn:
		return "DROP COLUMN"
	case ast.AddConstraint:
		return "ADD CONSTRAINT"
	case ast.DropConstraint:
		return "DROP CONSTRAINT"
	case ast.ValidateConstraint:
		return "VALIDATE CONSTRAINT"
	case ast.SetType:
		return "ALTER COLUMN ... SET DATA TYPE"
	case ast.SetDefault:
		return "ALTER COLUMN ... SET DEFAULT"
	case ast.SetNotNull:
		return "ALTER COLUMN ... SET NOT NULL"
	case ast.DropNotNull:
		return "ALTER COLUMN ... DROP NOT NULL"
	case ast.SetOptions:
		return "SET"
	case ast.ResetOptions:
		return "RESET"
	}
	return "ALTER"
}

// alter does one action.
func (t *tableMaker) alter(a *ast.AlterAction) error {
	switch a.Kind {
	case ast.AddColumn:
		return t.addColumn(a)
	case ast.DropColumn:
		return t.dropColumn(a)
	case ast.SetType:
		return t.setType(a)
	case ast.SetDefault, ast.SetNotNull, ast.DropNotNull, ast.AddIdentity, ast.SetIdentity, ast.DropIdentity, ast.DropExpression,
		ast.SetStatistics, ast.SetStorage, ast.SetCompression, ast.SetColumnOptions:
		return t.alterColumn(a)
	case ast.AddConstraint:
		t.later = []laterConstraint{{c: a.Constraint}}
		return t.settle()
	case ast.DropConstraint:
		c, ok := t.r.Constraint(a.Name)
		if !ok {
			if a.IfExists {
				t.notice("constraint %q of relation %q does not exist, skipping", a.Name, t.r.Name)
				return nil
			}
			return t.noConstraint(a.Name)
		}
		return t.drop([]catalog.Ref{c.Ref()}, a.Cascade)
	case ast.ValidateConstraint:
		return t.validate(a.Name)
	case ast.AlterConstraint:
		return t.deferConstraint(a)
	case ast.RenameTable:
		return t.move("rename", a.NewName)
	case ast.SetSchema:
		return t.move("schema", a.NewName)
	case ast.OwnerTo:
		return t.move("owner", a.NewName)
	case ast.RenameColumn:
		return t.renameColumn(a.Name, a.NewName)
	case ast.RenameConstraint:
		return t.renameConstraint(a.Name, a.NewName)
	case ast.SetOptions:
		if err := t.setOptions(t.r, a.Options); err != nil {
			return err
		}
		return t.Catalog.Replace(t.ctx, t.r)
	case ast.ResetOptions:
		for _, o := range a.Options {
			name := strings.ToLower(o.Name)
			if !knownOption(name) && name != catalog.OptionHistoryRetention {
				return pgerr.New(pgerr.InvalidParameterValue, "unrecognized parameter %q", o.Name)
			}
			delete(t.r.Options, name)
		}
		return t.Catalog.Replace(t.ctx, t.r)
	case ast.EnableTrigger, ast.DisableTrigger:
		if t.SwitchTrigger == nil {
			return notSupported("switching triggers here")
		}
		return t.SwitchTrigger(t.old, a)
	}
	return t.otherAction(a)
}

// otherAction is what the parser has read as words: what PostgreSQL does with storage
// is taken and does nothing, what would change results is refused.
func (t *tableMaker) otherAction(a *ast.AlterAction) error {
	words := strings.Fields(strings.ToLower(a.Name))
	at := func(i int) string {
		if i < len(words) {
			return words[i]
		}
		return ""
	}
	switch {
	case at(0) == "cluster" && at(1) == "on":
		if _, ok := t.r.IndexByName(strings.Trim(at(2), `"`)); !ok {
			return pgerr.New(pgerr.UndefinedObject, "index %q for table %q does not exist", strings.Trim(at(2), `"`), t.r.Name)
		}
		return nil
	case at(0) == "replica" && at(1) == "identity", at(0) == "set" && at(1) == "without",
		at(0) == "disable" && at(1) == "row", at(0) == "no" && at(1) == "force":
		return nil
	case at(0) == "set" && (at(1) == "logged" || at(1) == "unlogged"):
		t.r.Persistence = catalog.Permanent
		if at(1) == "unlogged" {
			t.r.Persistence = catalog.Unlogged
		}
		return t.Catalog.Replace(t.ctx, t.r)
	case at(0) == "enable" && at(1) == "row", at(0) == "force":
		return notSupported("row level security").WithHint("Use views and privileges.")
	case at(0) == "inherit", at(0) == "no" && at(1) == "inherit":
		return notSupported("table inheritance").WithHint("Use one table, or a view over several.")
	case at(0) == "attach", at(0) == "detach":
		return notSupported("partitioning of tables").WithHint("Use one table; its rows need no partitions.")
	}
	return notSupported("ALTER TABLE ... %s", strings.ToUpper(strings.Join(words[:min(2, len(words))], " ")))
}

// settle puts the table with its new constraints into the catalog and holds the rows
// against them.
func (t *tableMaker) settle() error {
	var notNull []int
	if err := t.constraints(); err != nil {
		return err
	}
	for i := range t.r.Columns {
		if id := t.r.Columns[i].ID; t.r.Columns[i].NotNull {
			if at, was := t.old.ColumnByID(id); was && !t.old.Columns[at].NotNull {
				notNull = append(notNull, i)
			}
		}
	}
	if err := t.Catalog.Replace(t.ctx, t.r); err != nil {
		return err
	}
	if err := t.checkRows(t.checks, notNull); err != nil {
		return err
	}
	if err := t.fill(); err != nil {
		return err
	}
	return t.runAfter()
}

// move renames the table, gives it another owner or schema, and its sequences with it.
func (t *tableMaker) move(action, to string) error {
	if err := t.objects().MoveRelation(t.r, action, to); err != nil || action == "rename" {
		return err
	}
	for _, q := range slices.Clone(t.Catalog.Snapshot().Relations()) {
		if q.Sequence == nil || q.Sequence.Owner != t.r.ID {
			continue
		}
		if err := t.Txn.LockRelation(t.ctx, q.ID, storage.AccessExclusive, storage.Wait); err != nil {
			return err
		}
		if err := t.objects().MoveRelation(q.Clone(), action, to); err != nil {
			return err
		}
	}
	return nil
}

func (t *tableMaker) noConstraint(name string) error {
	return pgerr.New(pgerr.UndefinedObject, "constraint %q of relation %q does not exist", name, t.r.Name)
}

// validate holds the rows against a constraint that was added NOT VALID.
func (t *tableMaker) validate(name string) error {
	c, ok := t.r.Constraint(name)
	switch {
	case !ok:
		return t.noConstraint(name)
	case c.Kind != catalog.ConstraintCheck && c.Kind != catalog.ConstraintForeign:
		return pgerr.New(pgerr.WrongObjectType, "constraint %q of relation %q is not a foreign key or check constraint", name, t.r.Name)
	case !c.NotValid:
		return nil
	}
	c.NotValid = false
	if err := t.Catalog.Replace(t.ctx, t.r); err != nil {
		return err
	}
	if c.Kind == catalog.ConstraintForeign {
		return t.verifyForeignKey(c.OID)
	}
	return t.checkRows([]string{name}, nil)
}

func (t *tableMaker) deferConstraint(a *ast.AlterAction) error {
	c, ok := t.r.Constraint(a.Name)
	switch {
	case !ok:
		return t.noConstraint(a.Name)
	case c.Kind != catalog.ConstraintForeign:
		return pgerr.New(pgerr.WrongObjectType, "constraint %q of relation %q is not a foreign key constraint", a.Name, t.r.Name)
	}
	given := a.Constraint
	deferred := given.InitiallyDeferred != nil && *given.InitiallyDeferred
	if deferred && given.Deferrable != nil && !*given.Deferrable {
		return t.err(pgerr.SyntaxError, a.Pos(), "constraint declared INITIALLY DEFERRED must be DEFERRABLE")
	}
	c.Deferrable, c.InitiallyDeferred = deferred || given.Deferrable != nil && *given.Deferrable, deferred
	return t.Catalog.Replace(t.ctx, t.r)
}

func (t *tableMaker) renameConstraint(name, to string) error {
	c, ok := t.r.Constraint(name)
	if !ok {
		return pgerr.New(pgerr.UndefinedObject, "constraint %q for table %q does not exist", name, t.r.Name)
	}
	if _, taken := t.r.Constraint(to); taken {
		return pgerr.New(pgerr.DuplicateObject, "constraint %q for relation %q already exists", to, t.r.Name)
	}
	c.Name = to
	if c.Kind == catalog.ConstraintPrimary || c.Kind == catalog.ConstraintUnique {
		for i := range t.r.Indexes {
			if t.r.Indexes[i].ID == c.Index {
				t.r.Indexes[i].Name = to
			}
		}
	}
	return t.Catalog.Replace(t.ctx, t.r)
}
