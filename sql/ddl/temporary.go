package ddl

import (
	"raisind/catalog"
	"raisind/sql/ast"
)

// tableSchema is where a new table goes and how long it lasts.
func (d *definer) tableSchema(n ast.RelName, temp bool) (string, catalog.Persistence, error) {
	if temp {
		return "", 0, notSupported("a temporary table").WithHint("Use a table and drop it.")
	}
	schema, err := d.creationSchema(n)
	return schema, catalog.Permanent, err
}
