package ddl

import (
	"raisind/catalog"
	"raisind/pgerr"
	"raisind/sql/ast"
	"raisind/storage"
)

func (d *definer) dropTables(s *ast.DropTable) error {
	if err := d.Runtime.Indexer.Purge(); err != nil { // what earlier ones left
		return err
	}
	var refs []catalog.Ref
	for _, n := range s.Names {
		r, err := d.relation(n, storage.AccessExclusive)
		if err != nil {
			return err
		}
		if r == nil {
			if n.Schema != "" {
				if _, ok := d.Catalog.Snapshot().Schema(n.Schema); !ok {
					if s.IfExists {
						d.notice("schema %q does not exist, skipping", n.Schema)
						continue
					}
					return pgerr.New(pgerr.InvalidSchemaName, "schema %q does not exist", n.Schema)
				}
			}
			if s.IfExists {
				d.notice("table %q does not exist, skipping", n.Name)
				continue
			}
			return pgerr.New(pgerr.UndefinedTable, "table %q does not exist", n.Dotted())
		}
		if r.Kind != catalog.Table {
			e := pgerr.New(pgerr.WrongObjectType, "%q is not a table", r.Name)
			switch r.Kind {
			case catalog.View:
				e.WithHint("Use DROP VIEW to remove a view.")
			case catalog.MaterializedView:
				e.WithHint("Use DROP MATERIALIZED VIEW to remove a materialized view.")
			case catalog.Sequence:
				e.WithHint("Use DROP SEQUENCE to remove a sequence.")
			case catalog.Workspace:
				e.WithHint("Use DROP WORKSPACE to remove a workspace.")
			case catalog.CompositeType:
				e.WithHint("Use DROP TYPE to remove a type.")
			}
			return e
		}
		refs = append(refs, r.Ref())
	}
	return d.drop(refs, s.Cascade)
}

// drop removes objects with what depends on them: CASCADE tells of it, RESTRICT
// refuses.
func (d *definer) drop(refs []catalog.Ref, cascade bool) error {
	return d.Catalog.Delete(d.ctx, refs, catalog.Dropping{Cascade: cascade, Path: d.searchPath(), Notice: d.Notice})
}
