package planner

import (
	"raisind/catalog"
	"raisind/pgerr"
	"raisind/sql/ast"
	"raisind/sql/parser"
	"raisind/sql/types"
	"raisind/storage"
)

// snapshotter is a Catalog that knows objects other than relations.
type snapshotter interface{ Snapshot() *catalog.Snapshot }

func (b *builder) snapshot() *catalog.Snapshot {
	if c, ok := b.opt.Catalog.(snapshotter); ok {
		return c.Snapshot()
	}
	return nil
}

// catalogRelation makes r the relation t: a view is its query.
func (b *builder) catalogRelation(r *rel, t *catalog.Relation, name *ast.RelName) error {
	r.schema = t.Schema
	if err := b.mayUse(r, t); err != nil {
		return err
	}
	switch t.Kind {
	case catalog.View:
		return b.viewRel(r, t)
	case catalog.CompositeType:
		return b.err(pgerr.WrongObjectType, name.Pos(), "cannot open relation %q", t.Name).
			WithDetail("This operation is not supported for composite types.")
	case catalog.MaterializedView:
		if t.Query != nil && !t.Query.Populated {
			return b.err(pgerr.ObjectNotInPrerequisiteState, -1, "materialized view %q has not been populated", t.Name).
				WithHint("Use the REFRESH MATERIALIZED VIEW command.")
		}
	}
	r.kind, r.table = relTable, t
	r.cols = tableColumns(t)
	return nil
}

// viewRel binds the query of a view in its place. The text of a view has its names
// settled; nothing of the query around it is in reach.
func (b *builder) viewRel(r *rel, t *catalog.Relation) error {
	sel, err := viewQuery(t)
	if err != nil {
		return err
	}
	b.use(t.ID, storage.AccessShare)
	sql, path, vars, role := b.opt.SQL, b.opt.SearchPath, b.opt.Variables, b.opt.Role
	b.opt.Variables = nil
	if role != 0 && t.Options["security_invoker"] != "true" {
		b.opt.Role = t.OwnerOID()
	}
	b.opt.SQL, b.opt.SearchPath = "", []string{"pg_catalog", t.Schema, catalog.DefaultSchema} // positions in it mean nothing to the client
	b.views++
	q, err := b.selectQuery(sel, nil, queryUse{})
	b.views--
	b.opt.SQL, b.opt.SearchPath, b.opt.Variables, b.opt.Role = sql, path, vars, role
	if err != nil {
		return err
	}
	r.kind, r.sub, r.view = relDerived, q, t
	r.cols = q.columns()
	if len(r.cols) < len(t.Columns) {
		return pgerr.New(pgerr.InternalError, "view %q yields %d columns, not %d", t.Name, len(r.cols), len(t.Columns))
	}
	for i := range t.Columns {
		c := &r.cols[i]
		c.name, c.oid, c.attnum, c.typmod = t.Columns[i].Name, t.OID, int16(t.Columns[i].ID), t.Columns[i].Typmod
	}
	return nil
}

// viewQuery parses the query of a view.
func viewQuery(t *catalog.Relation) (*ast.Select, error) {
	if t.Query == nil {
		return nil, pgerr.New(pgerr.InternalError, "view %q has no query", t.Name)
	}
	stmts, err := parser.Parse(t.Query.SQL)
	if err != nil {
		return nil, pgerr.Wrap(err, pgerr.InternalError, "query of view %q cannot be read: %v", t.Name, err)
	}
	if len(stmts) == 1 {
		if sel, ok := stmts[0].Node.(*ast.Select); ok {
			return sel, nil
		}
	}
	return nil, pgerr.New(pgerr.InternalError, "view %q is no query", t.Name)
}

// userType finds a type that a user defined; nil when there is none.
func (b *builder) userType(names []string) *types.Type {
	snap := b.snapshot()
	if snap == nil {
		return nil
	}
	name := names[len(names)-1]
	if len(names) > 1 {
		schema := names[len(names)-2]
		if schema == "pg_temp" {
			schema = b.opt.TempSchema
		}
		t, _ := snap.TypeByName(schema, name)
		return t
	}
	for _, schema := range b.searchPath() {
		if schema == "pg_catalog" {
			if _, ok := types.ByName(name); ok {
				return nil
			}
			continue
		}
		if t, ok := snap.TypeByName(schema, name); ok {
			return t
		}
	}
	return nil
}
