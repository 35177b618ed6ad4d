package session

import (
	"raisind/catalog"
	"raisind/sql/funcs"
	"raisind/sql/plan"
	"raisind/sql/types"
)

// virtualRelations are the relations made up for queries: the engine's own, and those
// it was given.
type virtualRelations struct {
	e   *Engine
	cat *catalog.Tx
}

// Lookup implements planner.VirtualCatalog.
func (v virtualRelations) Lookup(schema, name string) (*plan.VirtualScan, bool) {
	if schema == "pg_catalog" && name == progressRebuild {
		return &plan.VirtualScan{Name: name, Cols: progressColumns, Rows: v.e.progressRows}, true
	}
	if v.e.cfg.Virtual != nil {
		if scan, ok := v.e.cfg.Virtual.Lookup(schema, name); ok {
			return scan, true
		}
	}
	if r, ok, err := v.cat.Lookup(schema, name); err == nil && ok && r.Kind == catalog.Sequence {
		return sequenceScan(r), true
	}
	return v.e.system.Lookup(schema, name)
}

// progressRebuild is the relation of rebuilds that run or wait, and of the last that
// ended of each relation.
const progressRebuild = "raisin_progress_rebuild"

var progressColumns = []plan.Column{
	textColumn("relation"), textColumn("property"), textColumn("phase"),
	{Name: "done", Type: types.TInt8, Typmod: -1},
	{Name: "total", Type: types.TInt8, Typmod: -1},
	{Name: "rows_per_second", Type: types.TFloat8, Typmod: -1},
	{Name: "remaining_seconds", Type: types.TFloat8, Typmod: -1},
	textColumn("job_id"), textColumn("detail"),
}

// progressRows are made when the scan starts.
func (e *Engine) progressRows(*funcs.Ctx) (funcs.RowSource, error) {
	var rows progressSource
	for _, p := range e.indexer.Rebuilds() {
		property, detail := types.Str("*"), types.Null
		if p.Property != "" {
			property = types.Str(p.Property)
		}
		if p.Detail != "" {
			detail = types.Str(p.Detail)
		}
		speed, remaining := types.Null, types.Null
		if p.PerSecond > 0 {
			speed, remaining = types.Float(p.PerSecond), types.Float(p.Remaining.Seconds())
		}
		rows = append(rows, types.Row{
			types.Str(p.Relation), property, types.Str(p.Phase), types.Int(p.Done), types.Int(p.Total),
			speed, remaining, types.Str(p.JobID), detail,
		})
	}
	return &rows, nil
}

type progressSource []types.Row

// Next implements funcs.RowSource.
func (s *progressSource) Next() (types.Row, bool, error) {
	if len(*s) == 0 {
		return nil, false, nil
	}
	row := (*s)[0]
	*s = (*s)[1:]
	return row, true, nil
}
