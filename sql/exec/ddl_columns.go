package exec

import (
	"raisind/sql/ast"
	"raisind/sql/plan"
	"raisind/sql/types"
)

// Result columns of the statements about spatial indexes.
var (
	alterColumns   = spatialColumns("workspace", "property", "precisions", "cover", "note")
	resetColumns   = spatialColumns("workspace", "property", "result")
	rebuildColumns = spatialColumns("job_id", "workspace", "property", "scope")
	verifyColumns  = spatialColumns("workspace", "property", "status", "detail", "live_entries", "distinct_nodes", "normalizer_version")
	configColumns  = spatialColumns("workspace", "property", "precisions", "srid", "bucket_property", "cover", "declared_at", "policy_hash")
	healthColumns  = spatialColumns(
		"workspace", "property", "phase", "indexed_precisions", "indexed_policy_hash", "built_through", "nodes_indexed",
		"configured_precisions", "configured_policy_hash", "needs_rebuild", "live_entries", "tombstoned_entries",
		"distinct_nodes", "legacy_entries", "live_per_precision", "normalizer_version",
		"pruning", "superseded_entries", "prunable_entries", "pruning_lag_seconds",
	)
)

// spatialTypes are the types of the columns that are not text.
var spatialTypes = map[string]*types.Type{
	"needs_rebuild": types.TBool, "pruning_lag_seconds": types.TFloat8,
	"built_through": types.TInt8, "nodes_indexed": types.TInt8, "live_entries": types.TInt8, "tombstoned_entries": types.TInt8,
	"distinct_nodes": types.TInt8, "legacy_entries": types.TInt8, "normalizer_version": types.TInt8,
	"superseded_entries": types.TInt8, "prunable_entries": types.TInt8,
}

func spatialColumns(names ...string) []plan.Column {
	cols := make([]plan.Column, len(names))
	for i, n := range names {
		cols[i] = plan.Column{Name: n, Type: types.TText, Typmod: -1}
		if t := spatialTypes[n]; t != nil {
			cols[i].Type = t
		}
	}
	return cols
}

// DDLColumns describes the rows that RunDDL yields for a statement, nil for none.
func DDLColumns(n ast.Stmt) []plan.Column {
	switch n := n.(type) {
	case *ast.AlterSpatialIndex:
		if n.Reset {
			return resetColumns
		}
		return alterColumns
	case *ast.ShowSpatialIndexConfig:
		return configColumns
	case *ast.ShowSpatialIndexHealth:
		return healthColumns
	case *ast.RebuildSpatialIndex:
		return rebuildColumns
	case *ast.VerifySpatialIndex:
		return verifyColumns
	}
	return nil
}
