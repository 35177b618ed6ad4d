// Package storage keeps relations with revisions on Pebble: transactions, views of one revision, locks,
// and the commit pipeline that turns a transaction's rows into one atomic batch together with the index
// entries derived from them. It knows bytes, revisions and locks; rows, SQL and SQLSTATEs are the caller's.
//
// What it promises:
//   - A commit has one revision. All of it becomes visible at once, in the order of revisions, and a crash
//     keeps all of it or nothing. A commit with Sync is on disk when Commit returns.
//   - A View reads one revision, plus the own writes of its transaction up to the moment it was taken.
//     What it needs is never pruned while it is open.
//   - Superseded versions of rows stay readable for the time that SetHistoryRetention gives, or until
//     somebody gives them up with RaiseHorizon; then reading that far back is ErrSnapshotTooOld.
//
// What the caller owes: it locks an existing row before it writes it (LockRow with ForNoKeyUpdate or
// ForUpdate) and a unique key before it claims or releases it (LockKey). A transaction and its views are
// used by one goroutine at a time.
package storage

import "raisind/storage/keys"

// The numbers of the store, declared with the key layouts.
type (
	// Revision numbers a commit: unix milliseconds << 20 | counter, strictly increasing.
	Revision = keys.Revision
	// RelationID numbers a workspace or table.
	RelationID = keys.RelationID
	// RowID numbers a row within its relation.
	RowID = keys.RowID
	// IndexID numbers a unique or secondary index.
	IndexID = keys.IndexID
	// PropertyID numbers an indexed property or geometry column.
	PropertyID = keys.PropertyID
)

// Isolation is what a transaction sees of others.
type Isolation uint8

const (
	// ReadCommitted: each view reads the newest visible revision.
	ReadCommitted Isolation = iota
	// RepeatableRead: all views read the revision of the first; writing a row changed since fails.
	RepeatableRead
	// Serializable: RepeatableRead, and a transaction that wrote fails at commit when a concurrent
	// commit wrote into what it read.
	Serializable
)

// WaitPolicy says what to do when a lock is held in a conflicting mode.
type WaitPolicy uint8

const (
	// Wait waits in the order of arrival.
	Wait WaitPolicy = iota
	// NoWait fails with ErrLockNotAvailable.
	NoWait
	// SkipLocked fails with ErrSkip.
	SkipLocked
)

// RowLockMode is one of PostgreSQL's four row lock modes, weakest first.
type RowLockMode uint8

const (
	ForKeyShare    RowLockMode = iota // FOR KEY SHARE
	ForShare                          // FOR SHARE
	ForNoKeyUpdate                    // FOR NO KEY UPDATE; an UPDATE that leaves the unique keys alone
	ForUpdate                         // FOR UPDATE; DELETE, and an UPDATE of a unique key
)

// RelLockMode is one of PostgreSQL's eight table lock modes, weakest first.
type RelLockMode uint8

const (
	AccessShare          RelLockMode = iota // SELECT
	RowShare                                // SELECT FOR UPDATE, FOR SHARE
	RowExclusive                            // INSERT, UPDATE, DELETE
	ShareUpdateExclusive                    // VACUUM, ANALYZE
	Share                                   // CREATE INDEX
	ShareRowExclusive                       // CREATE TRIGGER
	Exclusive                               // REFRESH … CONCURRENTLY
	AccessExclusive                         // DROP, TRUNCATE, most of ALTER
)

// CellRange is a run of cells of one precision, both ends included. Cells are left aligned geohash bits.
type CellRange struct{ First, Last uint64 }

// SpatialScan are the options of View.ScanSpatial.
type SpatialScan struct {
	Wide           bool // read the precision's wide list after the cells
	MaxKeysPerCell int  // (cell, row) groups a cell may hold before ErrCellBudget; 0: no limit
	// FirstRow is where the scan begins within its first cell, to go on with one that was left.
	FirstRow RowID
}
