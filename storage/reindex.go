package storage

import (
	"context"

	"github.com/cockroachdb/pebble/v2"

	"raisind/storage/keys"
)

// Reindex writes spatial entries of rel that follow from no row change, all under one revision: for
// rebuilding an index. fn calls row for each row at most once and fills the Entries it is given, of which
// only the spatial ones count. The caller keeps the rows from changing meanwhile. When Reindex returns the
// revision is visible; it is on disk with the next commit that is synced, or soon.
func (db *DB) Reindex(ctx context.Context, rel RelationID, fn func(row func(RowID, func(*Entries)) error) error) (CommitInfo, error) {
	if db.opts.ReadOnly {
		return CommitInfo{}, ErrReadOnly
	}
	if !db.registry.enter() {
		return CommitInfo{}, ErrClosed
	}
	defer db.registry.leave()
	b := db.newBuilder()
	defer db.freeBuilder(b)
	b.batch = db.p.NewBatch()
	b.slot()
	err := fn(func(row RowID, derive func(*Entries)) error {
		b.entries.row = row
		b.entries.spatial, b.entries.bytes = b.entries.spatial[:0], b.entries.bytes[:0]
		derive(&b.entries)
		b.spatial(rel, row)
		if b.info.Keys%checkEvery == 0 {
			if err := context.Cause(ctx); err != nil {
				return err
			}
		}
		return b.withinLimit()
	})
	if err != nil || b.info.Keys == 0 {
		return CommitInfo{}, err
	}
	c := &b.inFlight
	if err := db.pipeline.assign(c, nil, nil); err != nil {
		return CommitInfo{}, err
	}
	if err = b.stamp(c.rev, c.slot); err == nil {
		err = db.p.Apply(b.batch, pebble.NoSync)
	}
	db.pipeline.finish(c, err != nil)
	if err != nil {
		return CommitInfo{}, storeError(err)
	}
	db.syncer.written()
	b.info.Revision = c.rev
	return b.info, nil
}

// Purge deletes everything stored of a relation and its indexes. Nobody may read them any more: the
// relation was dropped at or before OldestActive.
func (db *DB) Purge(rel RelationID, indexes []IndexID) error {
	return db.running(func() error {
		if db.opts.ReadOnly {
			return ErrReadOnly
		}
		db.pruner.reading.Lock()
		defer db.pruner.reading.Unlock()
		b := db.p.NewBatch()
		defer b.Close()
		prefixes := [][]byte{keys.AppendRelationRows(nil, rel), keys.AppendSpatialRelation(nil, rel)}
		for _, ix := range indexes {
			prefixes = append(prefixes, keys.AppendIndex(nil, ix))
		}
		for _, p := range prefixes {
			if err := b.DeleteRange(p, keys.AppendSuccessor(nil, p), nil); err != nil {
				return storeError(err)
			}
		}
		for _, kind := range []keys.LocalKind{keys.RowIDBlock, keys.HistoryHorizon} {
			if err := b.Delete(keys.AppendLocalRelation(nil, kind, rel), nil); err != nil {
				return storeError(err)
			}
		}
		return storeError(b.Commit(pebble.NoSync))
	})
}
