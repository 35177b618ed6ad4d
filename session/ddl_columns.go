package session

import (
	"raisind/sql/ast"
	"raisind/sql/plan"
	"raisind/sql/types"
)

// ddlColumns describes the rows of the statements about spatial indexes before they
// run, for Describe. Running them yields the same columns; a test compares.
func ddlColumns(n ast.Stmt) []plan.Column {
	switch n := n.(type) {
	case *ast.AlterSpatialIndex:
		if n.Reset {
			return textColumns("workspace", "property", "result")
		}
		return textColumns("workspace", "property", "precisions", "cover", "note")
	case *ast.ShowSpatialIndexConfig:
		return textColumns("workspace", "property", "precisions", "srid", "bucket_property", "cover", "declared_at", "policy_hash")
	case *ast.ShowSpatialIndexHealth:
		return healthColumns
	case *ast.RebuildSpatialIndex:
		return textColumns("job_id", "workspace", "property", "scope")
	case *ast.VerifySpatialIndex:
		return verifyColumns
	}
	return nil
}

func textColumns(names ...string) []plan.Column {
	cols := make([]plan.Column, len(names))
	for i, n := range names {
		cols[i] = textColumn(n)
	}
	return cols
}

// typed gives the named columns a type.
func typed(cols []plan.Column, t *types.Type, names ...string) []plan.Column {
	for i := range cols {
		for _, n := range names {
			if cols[i].Name == n {
				cols[i].Type = t
			}
		}
	}
	return cols
}

var healthColumns = typed(typed(textColumns(
	"workspace", "property", "phase", "indexed_precisions", "indexed_policy_hash", "built_through", "nodes_indexed",
	"configured_precisions", "configured_policy_hash", "needs_rebuild", "live_entries", "tombstoned_entries",
	"distinct_nodes", "legacy_entries", "live_per_precision", "normalizer_version",
), types.TInt8, "built_through", "nodes_indexed", "live_entries", "tombstoned_entries", "distinct_nodes", "legacy_entries", "normalizer_version"),
	types.TBool, "needs_rebuild")

var verifyColumns = typed(textColumns(
	"workspace", "property", "status", "detail", "live_entries", "distinct_nodes", "normalizer_version",
), types.TInt8, "live_entries", "distinct_nodes", "normalizer_version")
