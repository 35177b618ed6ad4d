package ddl

import (
	"slices"
	"strings"

	"raisind/catalog"
	"raisind/pgerr"
	"raisind/sql/ast"
	"raisind/sql/exec"
	"raisind/sql/planner"
	"raisind/sql/types"
	"raisind/storage"
)

// maxColumns is how many columns a table may have, as in PostgreSQL.
const maxColumns = 1600

// systemColumns are names that no column may have.
var systemColumns = []string{"tableoid", "ctid", "xmin", "xmax", "cmin", "cmax", "__revision", "__distance"}

func (d *definer) createTable(s *ast.CreateTable) error {
	switch {
	case len(s.Inherits) > 0:
		return notSupported("table inheritance").WithHint("Use one table, or a view over several.")
	case s.PartitionBy != nil:
		return notSupported("partitioning of tables").WithHint("Use one table; its rows need no partitions.")
	case s.Method != "" && s.Method != "heap":
		return pgerr.New(pgerr.UndefinedObject, "access method %q does not exist", s.Method)
	case s.Tablespace != "" && s.Tablespace != "pg_default":
		return pgerr.New(pgerr.UndefinedObject, "tablespace %q does not exist", s.Tablespace)
	}
	r, err := d.newTable(s.Name, s.IfNotExists, s.Temp, s.Unlogged, s.OnCommit)
	if err != nil || r == nil {
		return err
	}
	if err := d.setOptions(r, s.Options); err != nil {
		return err
	}
	t := &tableMaker{definer: d, r: r}
	for i := range s.Columns {
		if err := t.column(&s.Columns[i]); err != nil {
			return err
		}
	}
	for i := range s.Likes {
		if err := t.like(&s.Likes[i]); err != nil {
			return err
		}
	}
	for i := range s.Constraints {
		t.later = append(t.later, laterConstraint{c: &s.Constraints[i]})
	}
	return t.finish()
}

// newTable makes an empty table of a name that is free; nil when it is taken and may be.
func (d *definer) newTable(n ast.RelName, ifNotExists, temp, unlogged bool, onCommit string) (*catalog.Relation, error) {
	schema, persistence, err := d.tableSchema(n, temp)
	if err != nil {
		return nil, err
	}
	if persistence != catalog.Temporary && onCommit != "" {
		return nil, pgerr.New(pgerr.InvalidTableDefinition, "ON COMMIT can only be used on temporary tables")
	}
	if d.Catalog.Snapshot().NameTaken(schema, n.Name) {
		if ifNotExists {
			d.noticeOf(pgerr.DuplicateTable, "relation %q already exists, skipping", n.Name)
			return nil, nil
		}
		return nil, pgerr.New(pgerr.DuplicateTable, "relation %q already exists", n.Name)
	}
	r := d.Runtime.Catalog.NewRelation(catalog.Table, schema, n.Name)
	r.Owner, r.Persistence = d.Role, persistence
	if onCommit != "preserve rows" {
		r.OnCommit = onCommit
	}
	if unlogged {
		r.Persistence = catalog.Unlogged
	}
	return r, nil
}

// setOptions keeps WITH (…), which says how PostgreSQL stores a table, for who asks.
func (d *definer) setOptions(r *catalog.Relation, opts []ast.Option) error {
	for _, o := range opts {
		name := strings.ToLower(o.Name)
		if name == "oids" {
			if text := optionText(o); text != "false" && text != "off" && text != "0" {
				return pgerr.New(pgerr.FeatureNotSupported, "tables declared WITH OIDS are not supported")
			}
			continue
		}
		if name == catalog.OptionHistoryRetention {
			keep, err := exec.Retention(optionText(o))
			if err != nil {
				return err
			}
			r.Options[name] = keep
			continue
		}
		if !knownOption(name) {
			return pgerr.New(pgerr.InvalidParameterValue, "unrecognized parameter %q", o.Name)
		}
		r.Options[name] = optionText(o)
	}
	return nil
}

// knownOption tells PostgreSQL's storage parameters of tables.
func knownOption(name string) bool {
	name = strings.TrimPrefix(name, "toast.")
	return strings.HasPrefix(name, "autovacuum_") || slices.Contains([]string{
		"fillfactor", "toast_tuple_target", "parallel_workers", "vacuum_index_cleanup", "vacuum_truncate", "log_autovacuum_min_duration", "user_catalog_table",
	}, name)
}

func optionText(o ast.Option) string {
	if lit, ok := o.Value.(*ast.Literal); ok {
		return lit.Text
	}
	return "true"
}

// tableMaker builds a table, or adds to one.
type tableMaker struct {
	*definer
	r     *catalog.Relation
	old   *catalog.Relation // the table before, of ALTER TABLE
	later []laterConstraint // constraints, which need all columns
	after []func() error    // what needs the table to be in the catalog
	built []int             // indexes that rows have to be entered in, by position
	// checks are names of new check constraints, which rows have to fulfil.
	checks []string
	// sequences are names that columns have taken for theirs.
	sequences []string
}

type laterConstraint struct {
	c      *ast.Constraint
	column string // of a column's constraint
}

// column adds a column.
func (t *tableMaker) column(def *ast.ColumnDef) error {
	if len(t.r.Columns) >= maxColumns {
		return pgerr.New(pgerr.TooManyColumns, "tables can have at most %d columns", maxColumns)
	}
	if err := t.columnName(def.Name); err != nil {
		return err
	}
	typ, typmod, err := t.columnType(def)
	if err != nil {
		return err
	}
	c := catalog.Column{ID: t.r.NextColumnID, Name: def.Name, Type: typ, Typmod: typmod}
	t.r.NextColumnID++
	if len(def.Collation) > 0 {
		if c.Collation, err = collation(def.Collation, typ); err != nil {
			return err
		}
	}
	t.r.Columns = append(t.r.Columns, c)
	at := len(t.r.Columns) - 1
	var null, given bool
	for i := range def.Constraints {
		con := &def.Constraints[i]
		col := &t.r.Columns[at]
		switch con.Kind {
		case ast.NotNull:
			if null {
				return t.err(pgerr.SyntaxError, con.Pos(), "conflicting NULL/NOT NULL declarations for column %q of table %q", def.Name, t.r.Name)
			}
			col.NotNull = true
		case ast.Null:
			if col.NotNull {
				return t.err(pgerr.SyntaxError, con.Pos(), "conflicting NULL/NOT NULL declarations for column %q of table %q", def.Name, t.r.Name)
			}
			null = true
		case ast.DefaultValue:
			if given {
				return t.err(pgerr.SyntaxError, con.Pos(), "multiple default values specified for column %q of table %q", def.Name, t.r.Name)
			}
			given = true
			if err := t.setDefault(at, con.Expr); err != nil {
				return err
			}
		case ast.Generated:
			col.Generated = ast.Format(con.Expr)
			t.later = append(t.later, laterConstraint{con, def.Name})
		case ast.Identity:
			if err := t.identity(at, con); err != nil {
				return err
			}
		default:
			t.later = append(t.later, laterConstraint{con, def.Name})
		}
	}
	if col := &t.r.Columns[at]; col.Generated != "" && given {
		return t.err(pgerr.SyntaxError, def.Pos(), "both default and generation expression specified for column %q of table %q", def.Name, t.r.Name)
	}
	return t.serial(at, def)
}

func (t *tableMaker) columnName(name string) error {
	if slices.Contains(systemColumns, name) {
		return pgerr.New(pgerr.DuplicateColumn, "column name %q conflicts with a system column name", name)
	}
	if _, dup := t.r.ColumnByName(name); dup {
		return pgerr.New(pgerr.DuplicateColumn, "column %q specified more than once", name)
	}
	return nil
}

// columnType settles the type of a column.
func (t *tableMaker) columnType(def *ast.ColumnDef) (*types.Type, int32, error) {
	if base := serialType(&def.Type); base != nil {
		return base, -1, nil
	}
	typ, typmod, err := planner.ColumnType(t.ctx, t.Planner, &def.Type)
	if err != nil {
		return nil, 0, err
	}
	if typ.IsPseudo() || typ == types.TUnknown {
		return nil, 0, pgerr.New(pgerr.InvalidTableDefinition, "column %q has pseudo-type %s", def.Name, typ)
	}
	return typ, typmod, nil
}

func collation(name []string, t *types.Type) (string, error) {
	last := name[len(name)-1]
	switch last {
	case "default", "C", "POSIX", "ucs_basic", "C.UTF-8", "en_US.utf8", "en_US", "en_US.UTF-8", "en-x-icu", "und-x-icu":
	default:
		return "", pgerr.New(pgerr.UndefinedObject, "collation %q for encoding \"UTF8\" does not exist", last)
	}
	if t.Category != types.CategoryString && (t.Elem == nil || t.Elem.Category != types.CategoryString) {
		return "", pgerr.New(pgerr.DatatypeMismatch, "collations are not supported by type %s", t)
	}
	switch last {
	case "default", "C", "POSIX", "ucs_basic", "C.UTF-8":
		return last, nil
	}
	return "", notSupported("collation %q", last).WithHint("Text sorts by its bytes: use COLLATE \"C\".")
}

// setDefault checks a default and keeps its text.
func (t *tableMaker) setDefault(at int, e ast.Expr) error {
	c := &t.r.Columns[at]
	b, err := planner.BindExpr(t.ctx, t.Planner, t.r, e, planner.UseDefault, c)
	if err != nil {
		return err
	}
	c.Default, c.Depends = ast.Format(e), t.dependencies(b, e)
	return nil
}

// finish settles the constraints and puts the table into the catalog.
func (t *tableMaker) finish() error {
	if err := t.constraints(); err != nil {
		return err
	}
	if err := t.Txn.LockRelation(t.ctx, t.r.ID, storage.AccessExclusive, storage.Wait); err != nil {
		return err
	}
	if err := t.Catalog.Create(t.ctx, t.r); err != nil {
		return err
	}
	return t.runAfter()
}

func (t *tableMaker) runAfter() error {
	for _, f := range t.after {
		if err := f(); err != nil {
			return err
		}
	}
	return nil
}

// constraints settles the constraints that waited for all columns: generated columns,
// keys, checks, then foreign keys, in the order PostgreSQL makes them.
func (t *tableMaker) constraints() error {
	var keys, checks, foreign []laterConstraint
	for _, l := range t.later {
		switch l.c.Kind {
		case ast.Generated:
			if err := t.generated(l); err != nil {
				return err
			}
		case ast.Check:
			checks = append(checks, l)
		case ast.PrimaryKey, ast.Unique, ast.Exclude:
			keys = append(keys, l)
		case ast.References:
			foreign = append(foreign, l)
		}
	}
	t.later = nil
	for _, l := range checks {
		if err := t.check(l); err != nil {
			return err
		}
	}
	// The primary key comes first, whatever was written first.
	slices.SortStableFunc(keys, func(a, b laterConstraint) int {
		rank := func(l laterConstraint) int {
			if l.c.Kind == ast.PrimaryKey {
				return 0
			}
			return 1
		}
		return rank(a) - rank(b)
	})
	for _, l := range keys {
		if err := t.key(l); err != nil {
			return err
		}
	}
	for _, l := range foreign {
		if err := t.foreignKey(l); err != nil {
			return err
		}
	}
	return nil
}

// generated checks the expression of a generated column.
func (t *tableMaker) generated(l laterConstraint) error {
	at, _ := t.r.ColumnByName(l.column)
	c := &t.r.Columns[at]
	b, err := planner.BindExpr(t.ctx, t.Planner, t.r, l.c.Expr, planner.UseGenerated, c)
	if err != nil {
		return err
	}
	for _, col := range b.Columns {
		if t.r.Columns[col].Generated != "" {
			return t.err(pgerr.InvalidObjectDefinition, -1, "cannot use generated column %q in column generation expression", t.r.Columns[col].Name).
				WithDetail("A generated column cannot reference another generated column.")
		}
	}
	c.Depends = t.dependencies(b, l.c.Expr)
	return nil
}

// like copies the columns of another relation.
func (t *tableMaker) like(l *ast.TableLike) error {
	src, err := t.mustRelation(l.Name, storage.AccessShare)
	if err != nil {
		return err
	}
	if src.Kind == catalog.Sequence {
		return t.err(pgerr.WrongObjectType, l.Pos(), "relation %q is invalid in LIKE clause", src.Name)
	}
	with := map[string]bool{}
	for _, o := range l.Options {
		verb, what, _ := strings.Cut(o, " ")
		if what == "all" {
			for _, w := range []string{"comments", "constraints", "defaults", "generated", "identity", "indexes", "statistics", "storage", "compression"} {
				with[w] = verb == "including"
			}
			continue
		}
		with[what] = verb == "including"
	}
	byID := map[uint16]uint16{}
	for i := range src.Columns {
		c := src.Columns[i]
		if c.Hidden {
			continue
		}
		if err := t.columnName(c.Name); err != nil {
			return err
		}
		n := catalog.Column{ID: t.r.NextColumnID, Name: c.Name, Type: c.Type, Typmod: c.Typmod, NotNull: c.NotNull, Collation: c.Collation}
		byID[c.ID] = n.ID
		if with["defaults"] {
			n.Default, n.Depends = c.Default, c.Depends
		}
		if with["generated"] && c.Generated != "" {
			n.Generated, n.Depends = c.Generated, c.Depends
		}
		if with["comments"] {
			n.Comment = c.Comment
		}
		t.r.NextColumnID++
		t.r.Columns = append(t.r.Columns, n)
		if with["identity"] && c.Identity != 0 {
			if err := t.identity(len(t.r.Columns)-1, &ast.Constraint{Kind: ast.Identity, Always: c.Identity == 'a'}); err != nil {
				return err
			}
		}
	}
	return t.likeParts(src, with, byID)
}

// likeParts copies checks and indexes.
func (t *tableMaker) likeParts(src *catalog.Relation, with map[string]bool, byID map[uint16]uint16) error {
	for i := range src.Constraints {
		c := src.Constraints[i]
		if c.Kind != catalog.ConstraintCheck || !with["constraints"] {
			continue
		}
		n := catalog.Constraint{OID: t.Runtime.Catalog.NextOID(), Name: c.Name, Kind: c.Kind, Expr: c.Expr, Depends: c.Depends}
		for _, id := range c.Columns {
			n.Columns = append(n.Columns, byID[id])
		}
		if with["comments"] {
			n.Comment = c.Comment
		}
		t.r.Constraints = append(t.r.Constraints, n)
	}
	if !with["indexes"] {
		return nil
	}
	place := func(cols []int) []int {
		var out []int
		for _, c := range cols {
			if c != catalog.ExprColumn {
				c, _ = t.r.ColumnByID(byID[src.Columns[c].ID])
			}
			out = append(out, c)
		}
		return out
	}
	for i := range src.Indexes {
		x := src.Indexes[i]
		n := x
		n.ID, n.OID = t.Runtime.Catalog.NextIndexID(), t.Runtime.Catalog.NextOID()
		n.Columns, n.Include = place(x.Columns), place(x.Include)
		n.Name = t.indexName(&n)
		if !with["comments"] {
			n.Comment = ""
		}
		t.r.Indexes = append(t.r.Indexes, n)
		for k := range src.Constraints {
			if c := &src.Constraints[k]; c.Index == x.ID && (c.Kind == catalog.ConstraintPrimary || c.Kind == catalog.ConstraintUnique) {
				t.r.Constraints = append(t.r.Constraints, t.r.ConstraintOf(&n, t.Runtime.Catalog.NextOID()))
			}
		}
	}
	return nil
}
