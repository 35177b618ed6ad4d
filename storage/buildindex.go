package storage

import (
	"context"

	"github.com/cockroachdb/pebble/v2"

	"raisind/storage/keys"
)

// firstRevision is what the entries of a built index are stored under: every view
// sees them.
const firstRevision Revision = 1

// buildBatchBytes is how much of an index is written at once.
const buildBatchBytes = 4 << 20

// BuildIndex writes keys of rows that are committed into an index whose number nobody
// else uses yet; a transaction that fails leaves them behind for PurgeIndex. fn calls
// put once a key. What is written is on disk with the next commit that is synced.
func (db *DB) BuildIndex(ctx context.Context, index IndexID, fn func(put func(key []byte, row RowID) error) error) error {
	if db.opts.ReadOnly {
		return ErrReadOnly
	}
	if !db.registry.enter() {
		return ErrClosed
	}
	defer db.registry.leave()
	b := db.p.NewBatch()
	defer func() { b.Close() }()
	var buf []byte
	var value [16]byte
	flush := func() error {
		if err := context.Cause(ctx); err != nil {
			return err
		}
		if b.Empty() {
			return nil
		}
		if err := b.Commit(pebble.NoSync); err != nil {
			return storeError(err)
		}
		b.Close()
		b = db.p.NewBatch()
		return nil
	}
	err := fn(func(key []byte, row RowID) error {
		buf = keys.Unique{Index: index, Key: key, Revision: firstRevision}.Append(buf[:0])
		if err := b.Set(buf, keys.AppendRowID(value[:0], row), nil); err != nil {
			return storeError(err)
		}
		if b.Len() < buildBatchBytes {
			return nil
		}
		return flush()
	})
	if err != nil {
		return err
	}
	if err := flush(); err != nil {
		return err
	}
	db.syncer.written()
	return nil
}

// PurgeIndex deletes everything stored of an index. Nobody may read it any more.
func (db *DB) PurgeIndex(index IndexID) error {
	return db.running(func() error {
		if db.opts.ReadOnly {
			return ErrReadOnly
		}
		db.pruner.reading.Lock()
		defer db.pruner.reading.Unlock()
		p := keys.AppendIndex(nil, index)
		return storeError(db.p.DeleteRange(p, keys.AppendSuccessor(nil, p), pebble.NoSync))
	})
}
