package storage

import (
	"context"
	"time"

	"github.com/cockroachdb/pebble/v2"
)

// MaxCommitBytes bounds the bytes one transaction may write.
const MaxCommitBytes = 1 << 30

// DB is an open store. Safe for concurrent use.
type DB struct{}

// Open opens or makes the store in o.Dir.
// ErrLocked: directory in use. ErrForeign: not a raisind store. ErrFormat: written by a newer raisind.
func Open(o Options) (*DB, error) { return nil, ErrClosed }

// Close refuses new work, waits for open views and running commits, and closes the store.
func (db *DB) Close() error { return nil }

// Begin starts a transaction. It costs nothing until it reads, writes or locks.
func (db *DB) Begin(iso Isolation) *Txn { return nil }

// BeginFor starts a transaction whose locks belong to owner, next to the owner's session locks.
func (db *DB) BeginFor(owner *Owner, iso Isolation) *Txn { return nil }

// NewOwner makes a holder of session locks. Its Close releases them.
func (db *DB) NewOwner() *Owner { return nil }

// NextRowID hands out a row id of rel that was never handed out before, over restarts too.
func (db *DB) NextRowID(rel RelationID) RowID { return 0 }

// Visible is the newest revision whose commit every new view sees.
func (db *DB) Visible() Revision { return 0 }

// NewView reads the newest visible revision outside any transaction.
func (db *DB) NewView() (*View, error) { return nil, nil }

// OldestActive is the oldest revision an open view or transaction snapshot reads, or Visible without one.
func (db *DB) OldestActive() Revision { return 0 }

// GetMeta reads local metadata written by DB.PutMeta: unversioned, outside transactions, of this node.
// Catalog records (Txn.PutMeta) are another space: read them with View.GetMeta, View.ScanMeta.
func (db *DB) GetMeta(key []byte) ([]byte, bool, error) { return nil, false, nil }

// ScanMeta calls fn for the local metadata under prefix in key order. Key and value live until fn returns.
func (db *DB) ScanMeta(prefix []byte, fn func(key, value []byte) error) error { return nil }

// MetaKV is one local metadata record; a nil Value deletes.
type MetaKV struct{ Key, Value []byte }

// PutMeta writes local metadata in one atomic batch, with sync durable on return.
func (db *DB) PutMeta(sync bool, kvs ...MetaKV) error { return nil }

// Metrics are Pebble's.
func (db *DB) Metrics() *pebble.Metrics { return nil }

// Flush writes the memtables to tables.
func (db *DB) Flush() error { return nil }

// Compact rewrites all tables.
func (db *DB) Compact(ctx context.Context) error { return nil }

// Txn is a transaction. Used by one goroutine at a time.
type Txn struct{}

// Isolation is the level given to Begin.
func (t *Txn) Isolation() Isolation { return 0 }

// ID numbers the transaction within this run of the store.
func (t *Txn) ID() uint64 { return 0 }

// HasWrites tells whether Commit would write anything.
func (t *Txn) HasWrites() bool { return false }

// NewView reads as the isolation level says: READ COMMITTED the newest visible revision, else the
// transaction's snapshot, which the first view takes. Own writes up to now are in it.
func (t *Txn) NewView() (*View, error) { return nil, nil }

// NewLatestView reads the newest visible revision whatever the isolation, with own writes (unique
// checks, re-evaluation after waiting for a lock).
func (t *Txn) NewLatestView() (*View, error) { return nil, nil }

// ViewAt reads history as of rev without own writes; a rev above Visible reads Visible.
func (t *Txn) ViewAt(rev Revision) (*View, error) { return nil, nil }

// Put writes a row; the value belongs to the transaction from now on.
func (t *Txn) Put(rel RelationID, row RowID, value []byte) {}

// Delete deletes a row.
func (t *Txn) Delete(rel RelationID, row RowID) {}

// PutUnique makes an own unique key visible to later views of this transaction. What goes to disk at
// commit is derived, not this. The key is copied.
func (t *Txn) PutUnique(index IndexID, key []byte, row RowID) {}

// DeleteUnique hides a unique key from later views of this transaction.
func (t *Txn) DeleteUnique(index IndexID, key []byte) {}

// PutMeta writes a catalog record, versioned by the commit revision. The transaction keeps value.
func (t *Txn) PutMeta(key, value []byte) {}

// DeleteMeta deletes a catalog record.
func (t *Txn) DeleteMeta(key []byte) {}

// Savepoint marks a place in a transaction.
type Savepoint struct{}

// Savepoint marks the present state.
func (t *Txn) Savepoint() Savepoint { return Savepoint{} }

// RollbackTo undoes what was written and releases what was locked after sp, which stays usable.
func (t *Txn) RollbackTo(sp Savepoint) {}

// Release forgets sp, keeping writes and locks.
func (t *Txn) Release(sp Savepoint) {}

// CommitOptions are the options of Commit.
type CommitOptions struct {
	// Sync: return when the commit is on disk, not merely written to the log file.
	Sync bool
	// OnApply runs in the order of revisions, before the revision becomes visible. It must be quick and
	// must not call into the store.
	OnApply func(Revision)
}

// CommitInfo tells what a commit wrote.
type CommitInfo struct {
	Revision          Revision // 0: read-only, nothing written
	Rows              int      // row versions
	Keys              int      // all keys: rows, unique, spatial, catalog
	SpatialLive       int      // spatial entries
	SpatialTombstones int
	DirtyExtents      int
	Bytes             int64         // keys and values
	Wait              time.Duration // for earlier commits and for the disk
}

// Commit writes the transaction. Any error means rolled back. The transaction has ended either way.
func (t *Txn) Commit(ctx context.Context, d Deriver, o CommitOptions) (CommitInfo, error) {
	return CommitInfo{}, nil
}

// Rollback drops the writes and releases the locks. Harmless after Commit.
func (t *Txn) Rollback() {}

// DryDerive counts what d derives from the rows written since the view since was taken (nil: since the
// start), without writing it.
func (t *Txn) DryDerive(d Deriver, since *View) (CommitInfo, error) { return CommitInfo{}, nil }

// SetLockTimeout bounds each wait for a lock, which then ends with ErrLockTimeout; 0: no bound.
func (t *Txn) SetLockTimeout(d time.Duration) {}

// LockRow locks a row until the end of the transaction. waited tells that the row may have changed.
func (t *Txn) LockRow(ctx context.Context, rel RelationID, row RowID, mode RowLockMode, policy WaitPolicy) (waited bool, err error) {
	return false, nil
}

// LockRelation locks a relation until the end of the transaction.
func (t *Txn) LockRelation(ctx context.Context, rel RelationID, mode RelLockMode, policy WaitPolicy) error {
	return nil
}

// LockKey locks a unique key exclusively until the end of the transaction.
func (t *Txn) LockKey(ctx context.Context, index IndexID, key []byte) error { return nil }

// AdvisoryKey names an advisory lock. PostgreSQL keeps bigint keys and pairs of ints apart: Pair.
type AdvisoryKey struct {
	Key  uint64
	Pair bool
}

// LockAdvisory takes an advisory lock until the end of the transaction.
func (t *Txn) LockAdvisory(ctx context.Context, key AdvisoryKey, shared bool, policy WaitPolicy) error {
	return nil
}

// CheckWrite fails with ErrSerialization when the row has a committed version newer than the snapshot
// of a RepeatableRead or Serializable transaction. To be called with the row locked.
func (t *Txn) CheckWrite(rel RelationID, row RowID) error { return nil }

// Owner holds locks: those of its transactions and session-level advisory locks. Its locks never
// conflict with each other.
type Owner struct{}

// LockAdvisory takes a session-level advisory lock; each call needs one UnlockAdvisory.
func (o *Owner) LockAdvisory(ctx context.Context, key AdvisoryKey, shared bool, policy WaitPolicy) error {
	return nil
}

// UnlockAdvisory gives one session-level advisory lock back; false: it was not held.
func (o *Owner) UnlockAdvisory(key AdvisoryKey, shared bool) bool { return false }

// UnlockAllAdvisory gives all session-level advisory locks back.
func (o *Owner) UnlockAllAdvisory() {}

// Close releases what the owner still holds.
func (o *Owner) Close() {}

// View reads one revision, with the own writes of its transaction up to the moment it was taken.
// Not safe for concurrent use. To be closed; its open iterators are closed with it.
type View struct{}

// Revision is what the view reads.
func (v *View) Revision() Revision { return 0 }

// Bind ends iterators of this view opened from now on with the cause of ctx once it is done.
func (v *View) Bind(ctx context.Context) {}

// Get reads a row. The value is an immutable copy the caller may keep. rev is 0 for an own write.
func (v *View) Get(rel RelationID, row RowID) (value []byte, rev Revision, ok bool, err error) {
	return nil, 0, false, nil
}

// Peek is Get without the copy: the value lives until the next call on the view.
func (v *View) Peek(rel RelationID, row RowID) (value []byte, rev Revision, ok bool, err error) {
	return nil, 0, false, nil
}

// Changed tells whether the row has a committed version newer than the view. With the row locked the
// answer stays true; a lock taken without waiting needs it as much as one waited for.
func (v *View) Changed(rel RelationID, row RowID) (bool, error) { return false, nil }

// Rows iterates over the rows of rel in ascending row id, own writes merged.
func (v *View) Rows(rel RelationID) *RowIter { return nil }

// RowsFrom is Rows starting at first.
func (v *View) RowsFrom(rel RelationID, first RowID) *RowIter { return nil }

// Versions iterates over every retained committed version up to the view's revision, newest first within
// a row; deletions and own writes are left out.
func (v *View) Versions(rel RelationID) *RowIter { return nil }

// OwnRows iterates over the rows this transaction wrote and that exist now.
func (v *View) OwnRows(rel RelationID) *RowIter { return nil }

// OwnDeletedOrChanged counts the rows of rel this transaction wrote.
func (v *View) OwnDeletedOrChanged(rel RelationID) int { return 0 }

// LookupUnique finds the row that holds a unique key, own writes included.
func (v *View) LookupUnique(index IndexID, key []byte) (RowID, bool, error) { return 0, false, nil }

// ScanUnique iterates over the keys in [start, end) in order, own writes merged; nil start: from the
// beginning, nil end: to the end.
func (v *View) ScanUnique(index IndexID, start, end []byte, reverse bool) *UniqueIter { return nil }

// ScanSpatial iterates over the newest entry per (cell, row) in ranges, which are sorted and disjoint.
// Tombstones and rows the transaction itself wrote are left out: the caller adds OwnRows.
func (v *View) ScanSpatial(rel RelationID, prop PropertyID, prec uint8, ranges []CellRange, o SpatialScan) *SpatialIter {
	return nil
}

// GetMeta reads a catalog record, own writes included.
func (v *View) GetMeta(key []byte) ([]byte, bool, error) { return nil, false, nil }

// ScanMeta calls fn for the catalog records under prefix in key order, own writes included. Key and value
// live until fn returns.
func (v *View) ScanMeta(prefix []byte, fn func(key, value []byte) error) error { return nil }

// Close releases the view.
func (v *View) Close() error { return nil }

// ScanStats counts what an iterator read.
type ScanStats struct {
	Keys       int // keys visited, tombstones included
	Superseded int // of these, versions stepped over because a view does not read them
	Seeks      int
}

// RowIter iterates over rows. Next, then Err, and Close in every case.
type RowIter struct{}

// Next moves to the next row.
func (it *RowIter) Next() bool { return false }

// RowID of the current row.
func (it *RowIter) RowID() RowID { return 0 }

// Revision of the current row; 0 for an own write.
func (it *RowIter) Revision() Revision { return 0 }

// Value of the current row; lives until the following Next.
func (it *RowIter) Value() []byte { return nil }

// Err tells an end from a failure.
func (it *RowIter) Err() error { return nil }

// Stats counts what was read so far.
func (it *RowIter) Stats() ScanStats { return ScanStats{} }

// Close ends the iteration.
func (it *RowIter) Close() error { return nil }

// UniqueIter iterates over unique keys. Next, then Err, and Close in every case.
type UniqueIter struct{}

// Next moves to the next key.
func (it *UniqueIter) Next() bool { return false }

// Key is the current key; lives until the following Next.
func (it *UniqueIter) Key() []byte { return nil }

// RowID holds the current key.
func (it *UniqueIter) RowID() RowID { return 0 }

// Err tells an end from a failure.
func (it *UniqueIter) Err() error { return nil }

// Stats counts what was read so far.
func (it *UniqueIter) Stats() ScanStats { return ScanStats{} }

// Close ends the iteration.
func (it *UniqueIter) Close() error { return nil }

// SpatialIter iterates over spatial entries. Next, then Err, and Close in every case.
type SpatialIter struct{}

// Next moves to the next live entry.
func (it *SpatialIter) Next() bool { return false }

// RowID of the current entry. A row in several cells comes once per cell.
func (it *SpatialIter) RowID() RowID { return 0 }

// Cell of the current entry; 0 in the wide list.
func (it *SpatialIter) Cell() uint64 { return 0 }

// Revision of the current entry: when the row entered the cell or moved within it.
func (it *SpatialIter) Revision() Revision { return 0 }

// Value of the current entry; lives until the following Next.
func (it *SpatialIter) Value() []byte { return nil }

// Err tells an end from a failure; ErrCellBudget when a cell is over budget.
func (it *SpatialIter) Err() error { return nil }

// Stats counts what was read so far.
func (it *SpatialIter) Stats() ScanStats { return ScanStats{} }

// Close ends the iteration.
func (it *SpatialIter) Close() error { return nil }

// Deriver turns one row change into index entries. It sees only its arguments: old is the last committed
// value or nil, cur the final value or nil. Both live until Derive returns.
type Deriver interface {
	Derive(rel RelationID, row RowID, old, cur []byte, out *Entries) error
}

// Entries collects what a Deriver derives from one row change. Keys and values are copied.
type Entries struct{}

// SetUnique claims a unique key for the row.
func (e *Entries) SetUnique(index IndexID, key []byte) {}

// DeleteUnique releases a unique key of the row. When another row of the commit claims it, the claim wins.
func (e *Entries) DeleteUnique(index IndexID, key []byte) {}

// SetSpatial puts the row into a cell, or into the wide list of the precision (cell is then ignored).
func (e *Entries) SetSpatial(prop PropertyID, prec uint8, cell uint64, wide bool, value []byte) {}

// TombstoneSpatial takes the row out of a cell it has left. With SetSpatial for the same cell the entry wins.
func (e *Entries) TombstoneSpatial(prop PropertyID, prec uint8, cell uint64, wide bool) {}
