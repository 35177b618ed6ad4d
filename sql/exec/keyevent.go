package exec

import (
	"context"
	"slices"

	"raisind/catalog"
	"raisind/sql/types"
	"raisind/storage"
)

// KeyWatcher is told of rows whose foreign keys, or whose keys that foreign keys
// reference, have to be looked after. Old and new rows are its own to keep.
type KeyWatcher interface {
	// Changed is called for a row of r that was inserted (old is nil), updated, or
	// deleted (now is nil).
	Changed(r *catalog.Relation, id storage.RowID, old, now types.Row)
	// EndStatement is called when a statement has written all its rows.
	EndStatement(ctx context.Context) error
}

// watched reports whether rows of r take part in foreign keys.
func (q *Query) watched(r *catalog.Relation) bool {
	return q.opt.Keys != nil && q.opt.Catalog != nil && q.opt.Catalog.Snapshot().InForeignKey(r)
}

// changed tells the watcher of a row that was written.
func (q *Query) changed(r *catalog.Relation, id storage.RowID, old, now types.Row) {
	if !q.watched(r) {
		return
	}
	n := len(r.Columns)
	keep := func(row types.Row) types.Row {
		if row == nil {
			return nil
		}
		return slices.Clone(row[:n])
	}
	q.keyed = true
	q.opt.Keys.Changed(r, id, keep(old), keep(now))
}

// endKeys ends the statement for the watcher.
func (q *Query) endKeys() error {
	if !q.keyed {
		return nil
	}
	q.keyed = false
	return q.opt.Keys.EndStatement(q.ctx)
}
