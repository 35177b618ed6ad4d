package storage

import (
	"context"
	"time"

	"github.com/cockroachdb/pebble/v2"
)

// CommitOptions are the options of Commit.
type CommitOptions struct {
	// Sync: return when the commit is on disk. Without it the log is synced within lazySyncInterval.
	Sync bool
	// OnApply runs in the order of revisions, before the revision becomes visible. It must be quick and must
	// not call into the store.
	OnApply func(Revision)
}

// CommitInfo tells what a commit wrote.
type CommitInfo struct {
	Revision          Revision // 0: nothing to write
	Rows              int      // row versions
	Keys              int      // all keys: rows, unique, spatial, catalog
	SpatialLive       int      // spatial entries
	SpatialTombstones int
	DirtyExtents      int
	Bytes             int64         // of the batch
	Wait              time.Duration // for earlier commits and for the disk
}

// Commit writes the transaction as one batch under one revision: its rows and catalog records, and what d
// derives from the rows. When it returns, the revision is visible and the locks are given back; with Sync it
// is on disk. An error means that nothing was written. The transaction has ended either way.
//
// ErrSerialization: a row written has a version newer than the snapshot, or, for a Serializable
// transaction that writes, something read has. ErrUnique: d derived one key for two rows. ErrTooLarge: more
// than MaxCommitBytes.
func (t *Txn) Commit(ctx context.Context, d Deriver, o CommitOptions) (CommitInfo, error) {
	if t.done {
		return CommitInfo{}, ErrTxnDone
	}
	defer t.Rollback()
	if !t.HasWrites() {
		return CommitInfo{}, nil
	}
	db := t.db
	if db.opts.ReadOnly {
		return CommitInfo{}, ErrReadOnly
	}
	if t.Bytes() > MaxCommitBytes {
		return CommitInfo{}, ErrTooLarge
	}
	if !db.registry.enter() {
		return CommitInfo{}, ErrClosed
	}
	defer db.registry.leave()
	b := db.newBuilder()
	defer db.freeBuilder(b)
	if err := b.build(ctx, t, d); err != nil {
		return CommitInfo{}, err
	}
	if b.info.Keys == 0 { // rows that came and went within the transaction
		return CommitInfo{}, nil
	}
	err := db.apply(t, b, o)
	return b.info, err
}

// apply takes a built batch through the pipeline.
func (db *DB) apply(t *Txn, b *builder, o CommitOptions) error {
	c := &b.inFlight
	*c = inFlight{onApply: o.OnApply}
	var check func() error
	recheck := false
	if t.reads != nil {
		check = func() (err error) {
			recheck, err = t.reads.checkCoarse(&db.changes, t.snapshot.rev)
			return err
		}
	}
	if err := db.pipeline.assign(c, b.changes, check); err != nil {
		return err
	}
	if recheck {
		db.pipeline.waitFirst(c)
		if err := t.reads.checkPoints(db, t.snapshot.rev); err != nil {
			db.pipeline.finish(c, true)
			return err
		}
	}
	if err := b.stamp(c.rev, c.slot); err != nil {
		db.pipeline.finish(c, true)
		return storeError(err)
	}
	db.recent.mark(&t.writes, c.rev)
	db.heads.committed(b.batch, c.rev) // before Pebble, which takes the bytes of a large batch away
	var err error
	if o.Sync {
		err = db.p.ApplyNoSyncWait(b.batch, pebble.Sync)
	} else {
		err = db.p.Apply(b.batch, pebble.NoSync)
	}
	applied := time.Now()
	if err != nil {
		db.heads.clear()
	}
	db.pipeline.finish(c, err != nil)
	if err != nil {
		return storeError(err)
	}
	b.info.Revision = c.rev
	t.end() // others need not wait for our disk: their commits lie behind ours in the log
	if o.Sync {
		if err := b.batch.SyncWait(); err != nil { // visible, but perhaps not to survive: nothing can go on
			db.opts.Fatal("sync of the log failed: " + err.Error())
			return storeError(err)
		}
	} else {
		db.syncer.written()
	}
	b.info.Wait = time.Since(applied)
	return nil
}

// DryDerive counts what d derives from the rows written since the view since was taken (nil: since the
// transaction began), without writing anything.
func (t *Txn) DryDerive(d Deriver, since *View) (CommitInfo, error) {
	if t.done {
		return CommitInfo{}, ErrTxnDone
	}
	db := t.db
	if !db.registry.enter() {
		return CommitInfo{}, ErrClosed
	}
	defer db.registry.leave()
	b := db.newBuilder()
	defer db.freeBuilder(b)
	err := b.dry(t, d, since)
	return b.info, err
}
