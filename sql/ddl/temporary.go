package ddl

import (
	"raisind/catalog"
	"raisind/pgerr"
	"raisind/sql/ast"
)

// tableSchema is where a new table goes and how long it lasts.
func (d *definer) tableSchema(n ast.RelName, temp bool) (string, catalog.Persistence, error) {
	own := d.Planner.TempSchema
	if temp || n.Schema == "pg_temp" || own != "" && n.Schema == own {
		if temp && n.Schema != "" && n.Schema != "pg_temp" && n.Schema != own {
			return "", 0, pgerr.New(pgerr.InvalidTableDefinition, "cannot create temporary relation in non-temporary schema")
		}
		if d.TempSchema == nil {
			return "", 0, notSupported("a temporary table here").WithHint("Use a table and drop it.")
		}
		schema, err := d.TempSchema()
		return schema, catalog.Temporary, err
	}
	schema, err := d.creationSchema(n)
	return schema, catalog.Permanent, err
}
