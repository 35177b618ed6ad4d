package storage

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"sync"
	"sync/atomic"

	"github.com/cockroachdb/pebble/v2"

	"raisind/storage/keys"
)

// DB is an open store. Safe for concurrent use.
type DB struct {
	opts Options
	lock *pebble.Lock
	p    *pebble.DB

	events    events
	registry  registry
	pipeline  pipeline
	locks     lockTable
	rowIDs    rowIDs
	sequences sequences
	horizons  horizons
	changes   changes
	recent    recentRows
	heads     headCache
	syncer    syncer
	pruner    pruner

	visible  atomic.Int64 // newest visible Revision
	nextTxn  atomic.Uint64
	builders sync.Pool // of *builder
}

// Open opens or makes the store in o.Dir.
// ErrLocked: directory in use. ErrForeign: not a raisind store. ErrFormat: written by a newer raisind.
func Open(o Options) (*DB, error) {
	o.EnsureDefaults()
	if err := o.Validate(); err != nil {
		return nil, err
	}
	lock, err := lockDirectory(&o)
	if err != nil {
		return nil, err
	}
	db := &DB{opts: o, lock: lock}
	db.registry.init()
	db.pipeline.init(db)
	db.locks.init()
	db.pruner.init(db)
	db.changes.newest = map[objectID]*atomic.Int64{}
	if err := db.open(); err != nil {
		if db.p != nil {
			err = errors.Join(err, db.p.Close())
		}
		return nil, errors.Join(err, lock.Close())
	}
	if !o.ReadOnly {
		db.syncer.start(db.p, o.Fatal)
		db.pruner.start()
	}
	return db, nil
}

func (db *DB) open() (err error) {
	db.p, err = pebble.Open(db.opts.Dir, pebbleOptions(&db.opts, &db.events, db.lock, &db.pruner))
	if err != nil {
		db.p = nil
		return fmt.Errorf("open store in %s: %w", db.opts.Dir, err)
	}
	if err := db.checkFormat(); err != nil {
		return err
	}
	last, err := db.lastRevision()
	if err != nil {
		return err
	}
	db.pipeline.last = last
	db.visible.Store(int64(last))
	db.heads.init(db, db.opts.CacheBytes/headCacheShare)
	if err := db.pruner.load(); err != nil {
		return err
	}
	return db.horizons.load(db)
}

// checkFormat refuses a Pebble store without our marker or with one from the future, and marks a new one.
func (db *DB) checkFormat() error {
	key := keys.Local{Kind: keys.FormatMarker}.Append(nil)
	value, found, err := db.get(key)
	switch {
	case err != nil:
		return err
	case found && len(value) == 1 && value[0] == keys.FormatVersion:
		return nil
	case found:
		return fmt.Errorf("%w: format %x, this raisind knows %d", ErrFormat, value, keys.FormatVersion)
	}
	// Without marker it is a new store, or one whose making was interrupted: then nothing is in it.
	it, err := db.p.NewIter(nil)
	if err != nil {
		return err
	}
	empty := !it.First()
	if err := it.Close(); err != nil {
		return err
	}
	if !empty || db.opts.ReadOnly {
		return fmt.Errorf("%w: %s has no format marker", ErrForeign, db.opts.Dir)
	}
	return db.p.Set(key, []byte{keys.FormatVersion}, pebble.Sync)
}

// Close refuses new work, waits for open views, snapshots and running commits, and closes the store.
func (db *DB) Close() error {
	if !db.registry.close() {
		return ErrClosed
	}
	db.pruner.stop()
	db.syncer.stop()
	return errors.Join(db.closeSequences(), db.p.Close(), db.lock.Close())
}

// Visible is the newest revision whose commit every new view sees.
func (db *DB) Visible() Revision { return Revision(db.visible.Load()) }

// OldestActive is the oldest revision that an open view or transaction snapshot reads, or Visible without
// one. Versions superseded at or before it are read by nobody but history.
func (db *DB) OldestActive() Revision {
	db.registry.mu.Lock()
	defer db.registry.mu.Unlock()
	return db.registry.oldestOr(db.Visible())
}

// Metrics are Pebble's.
func (db *DB) Metrics() *pebble.Metrics {
	if !db.registry.enter() {
		return &pebble.Metrics{}
	}
	defer db.registry.leave()
	return db.p.Metrics()
}

// Events counts stalls, errors and the like since the store was opened.
func (db *DB) Events() Events { return db.events.snapshot() }

// Flush writes the memtables to tables.
func (db *DB) Flush() error {
	return db.running(func() error { return db.p.Flush() })
}

// Compact rewrites all tables.
func (db *DB) Compact(ctx context.Context) error {
	return db.running(func() error {
		return db.p.Compact(ctx, []byte{0}, []byte{0xff}, true)
	})
}

// running calls fn while the store cannot be closed.
func (db *DB) running(fn func() error) error {
	if !db.registry.enter() {
		return ErrClosed
	}
	defer db.registry.leave()
	return fn()
}

// get reads an unversioned key; the value is a copy.
func (db *DB) get(key []byte) (value []byte, found bool, err error) {
	v, closer, err := db.p.Get(key)
	if errors.Is(err, pebble.ErrNotFound) {
		return nil, false, nil
	}
	if err != nil {
		return nil, false, storeError(err)
	}
	value = append([]byte{}, v...)
	return value, true, closer.Close()
}

// storeError marks damage, whoever found it, as ErrCorrupt.
func storeError(err error) error {
	if err == nil || errors.Is(err, ErrCorrupt) {
		return err
	}
	if pebble.IsCorruptionError(err) || errors.Is(err, keys.ErrCorrupt) || errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("%w: %w", ErrCorrupt, err)
	}
	return err
}
