package ddl

import (
	"slices"
	"strings"

	"raisind/catalog"
	"raisind/pgerr"
	"raisind/sql/ast"
	"raisind/sql/planner"
	"raisind/sql/types"
	"raisind/storage"
)

var accessMethods = []string{"btree", "hash", "gist", "spgist", "gin", "brin"}

func (d *definer) createIndex(s *ast.CreateIndex) error {
	if s.Tablespace != "" && s.Tablespace != "pg_default" {
		return pgerr.New(pgerr.UndefinedObject, "tablespace %q does not exist", s.Tablespace)
	}
	r, err := d.mustRelation(s.Relation, storage.Share)
	if err != nil {
		return err
	}
	switch r.Kind {
	case catalog.Table, catalog.MaterializedView:
	case catalog.Workspace:
		return pgerr.New(pgerr.FeatureNotSupported, "cannot create index on workspace %q", r.Name).
			WithHint("Geometries in its properties are indexed anyway; see ALTER SPATIAL INDEX.")
	default:
		return pgerr.New(pgerr.WrongObjectType, "cannot create index on relation %q", r.Name).
			WithDetail("This operation is not supported for %ss.", r.Kind)
	}
	t := &tableMaker{definer: d, r: r.Clone()}
	if s.Name != "" && d.Catalog.Snapshot().NameTaken(r.Schema, s.Name) {
		if s.IfNotExists {
			d.noticeOf(pgerr.DuplicateTable, "relation %q already exists, skipping", s.Name)
			return nil
		}
		return pgerr.New(pgerr.DuplicateTable, "relation %q already exists", s.Name)
	}
	x, err := t.index(s)
	if err != nil {
		return err
	}
	if x.Name = s.Name; x.Name == "" {
		x.Name = t.indexName(&x)
	}
	if err := t.addIndex(x); err != nil {
		return err
	}
	return t.replace(r)
}

// replace puts the changed table into the catalog and enters the rows in new indexes.
func (t *tableMaker) replace(old *catalog.Relation) error {
	if err := t.Catalog.Replace(t.ctx, t.r); err != nil {
		return err
	}
	if old.Kind.HasRows() {
		if err := t.fill(); err != nil {
			return err
		}
	}
	return t.runAfter()
}

// index reads the definition of an index.
func (t *tableMaker) index(s *ast.CreateIndex) (catalog.Index, error) {
	x := catalog.Index{Unique: s.Unique, NullsNotDistinct: s.NullsNotDistinct, Method: strings.ToLower(s.Method), Format: catalog.RowKeys}
	if x.Method == "" {
		x.Method = "btree"
	}
	if x.Method == "rtree" { // its name before PostgreSQL 8.2
		t.notice("substituting access method \"gist\" for obsolete method \"rtree\"")
		x.Method = "gist"
	}
	if !slices.Contains(accessMethods, x.Method) {
		return x, pgerr.New(pgerr.UndefinedObject, "access method %q does not exist", s.Method)
	}
	if x.Unique && x.Method != "btree" {
		return x, pgerr.New(pgerr.FeatureNotSupported, "access method %q does not support unique indexes", x.Method)
	}
	if len(s.Elems) > 32 {
		return x, pgerr.New(pgerr.TooManyColumns, "cannot use more than %d columns in an index", 32)
	}
	if len(s.Elems) > 1 && (x.Method == "hash" || x.Method == "spgist") {
		return x, pgerr.New(pgerr.FeatureNotSupported, "access method %q does not support multicolumn indexes", x.Method)
	}
	if len(s.Include) > 0 && x.Method != "btree" && x.Method != "gist" && x.Method != "spgist" {
		return x, pgerr.New(pgerr.FeatureNotSupported, "access method %q does not support included columns", x.Method)
	}
	if x.Method != "btree" && x.Method != "hash" {
		x.Format = catalog.NoKeys
	}
	plain := x.Unique && !x.NullsNotDistinct && x.Method == "btree" && s.Where == nil
	x.Keys = make([]catalog.IndexKey, len(s.Elems))
	for i := range s.Elems {
		e := &s.Elems[i]
		if err := t.indexElem(&x, i, e); err != nil {
			return x, err
		}
		plain = plain && x.Columns[i] != catalog.ExprColumn && !x.Keys[i].Desc && !x.Keys[i].NullsFirst
	}
	if plain {
		x.Format = catalog.UniqueKeys
	}
	for i := range s.Include {
		e := &s.Include[i]
		if e.Name == "" {
			return x, t.err(pgerr.FeatureNotSupported, e.Pos(), "expressions are not supported in included columns")
		}
		at, ok := t.r.ColumnByName(e.Name)
		if !ok {
			return x, pgerr.New(pgerr.UndefinedColumn, "column %q does not exist", e.Name)
		}
		x.Include = append(x.Include, at)
	}
	if s.Where != nil {
		b, err := planner.BindExpr(t.ctx, t.Planner, t.r, s.Where, planner.UseIndexPredicate, nil)
		if err != nil {
			return x, err
		}
		x.Predicate = ast.Format(s.Where)
		x.Depends = append(x.Depends, t.dependencies(b, s.Where)...)
	}
	for _, o := range s.Options {
		if x.Options == nil {
			x.Options = map[string]string{}
		}
		name := strings.ToLower(o.Name)
		if !indexOption(name) {
			return x, pgerr.New(pgerr.InvalidParameterValue, "unrecognized parameter %q", o.Name)
		}
		x.Options[name] = optionText(o)
	}
	return x, nil
}

// indexElem adds a key to an index.
func (t *tableMaker) indexElem(x *catalog.Index, i int, e *ast.IndexElem) error {
	k := &x.Keys[i]
	var typ *types.Type
	name := e.Name
	if ref, ok := e.Expr.(*ast.ColumnRef); ok && name == "" && len(ref.Parts) == 1 {
		name = ref.Parts[0]
	}
	if name != "" {
		at, ok := t.r.ColumnByName(name)
		if !ok {
			return pgerr.New(pgerr.UndefinedColumn, "column %q does not exist", name)
		}
		x.Columns = append(x.Columns, at)
		typ = t.r.Columns[at].Type
	} else {
		b, err := planner.BindExpr(t.ctx, t.Planner, t.r, e.Expr, planner.UseIndex, nil)
		if err != nil {
			return err
		}
		x.Columns = append(x.Columns, catalog.ExprColumn)
		typ = b.Expr.Type()
		k.Expr, k.Type = ast.Format(e.Expr), typ.OID
		x.Depends = append(x.Depends, t.dependencies(b, e.Expr)...)
	}
	if len(e.Opclass) > 0 {
		k.Opclass = e.Opclass[len(e.Opclass)-1]
	}
	if len(e.Collation) > 0 {
		var err error
		if k.Collation, err = collation(e.Collation, typ); err != nil {
			return err
		}
	}
	if x.Method != "btree" && (e.Desc || e.Nulls != ast.NullsDefault) {
		return pgerr.New(pgerr.FeatureNotSupported, "access method %q does not support ASC/DESC options", x.Method)
	}
	k.Desc = e.Desc
	k.NullsFirst = e.Nulls == ast.NullsFirst || e.Nulls == ast.NullsDefault && e.Desc
	return methodTakes(x.Method, typ, k.Opclass)
}

// methodTakes tells whether an access method has an operator class for a type.
func methodTakes(method string, t *types.Type, opclass string) error {
	base := t.Storage()
	spatial := base == types.TGeometry || base == types.TGeography
	var ok bool
	switch method {
	case "btree", "hash":
		ok = t.Comparable() || t.Hashable()
	case "gist", "spgist":
		ok = spatial || method == "spgist" && base.Category == types.CategoryString
	case "gin":
		ok = base == types.TJSONB || t.IsArray()
	case "brin":
		ok = spatial || t.Comparable()
	}
	if ok {
		return nil
	}
	if opclass != "" {
		return pgerr.New(pgerr.UndefinedObject, "operator class %q does not exist for access method %q", opclass, method)
	}
	return pgerr.New(pgerr.UndefinedObject, "data type %s has no default operator class for access method %q", t, method).
		WithHint("You must specify an operator class for the index or define a default operator class for the data type.")
}

// exprName is what PostgreSQL calls an expression in the name of an index.
func exprName(sql string) string {
	name, _, isCall := strings.Cut(sql, "(")
	if isCall && name != "" && strings.Trim(name, "abcdefghijklmnopqrstuvwxyz_0123456789") == "" {
		return name
	}
	return "expr"
}
