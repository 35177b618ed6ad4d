package storage

import "errors"

// Sentinels. Callers map them to what their protocol knows; compare with errors.Is.
var (
	// ErrLocked: another process holds the directory.
	ErrLocked = errors.New("storage: data directory is in use by another process")
	// ErrForeign: the directory holds something that is not a raisind store.
	ErrForeign = errors.New("storage: directory is not a raisind store")
	// ErrFormat: the store was written by a newer raisind.
	ErrFormat = errors.New("storage: store has an unknown format")
	// ErrClosed: the store is closed or closing.
	ErrClosed = errors.New("storage: store is closed")
	// ErrReadOnly: the store was opened read-only.
	ErrReadOnly = errors.New("storage: store is read-only")
	// ErrCorrupt: stored bytes that no raisind wrote.
	ErrCorrupt = errors.New("storage: corrupt data")
	// ErrTxnDone: the transaction has been committed or rolled back.
	ErrTxnDone = errors.New("storage: transaction has ended")
	// ErrTooLarge: one transaction wrote more than MaxCommitBytes.
	ErrTooLarge = errors.New("storage: transaction is too large")

	// ErrSerialization: a concurrent commit makes this transaction impossible at its isolation level.
	ErrSerialization = errors.New("storage: could not serialize access due to concurrent update")
	// ErrUnique: two rows of one commit claim the same unique key.
	ErrUnique = errors.New("storage: two rows of one commit have the same unique key")
	// ErrSnapshotTooOld: the revision asked for has been pruned.
	ErrSnapshotTooOld = errors.New("storage: snapshot too old")
	// ErrCellBudget: a cell holds more entries than the scan may visit.
	ErrCellBudget = errors.New("storage: cell holds more entries than the scan may visit")

	// ErrLockTimeout: the lock timeout of the transaction passed while waiting.
	ErrLockTimeout = errors.New("storage: lock timeout")
	// ErrDeadlock: waiting would have closed a circle of waiting transactions.
	ErrDeadlock = errors.New("storage: deadlock detected")
	// ErrLockNotAvailable: NoWait met a conflicting lock.
	ErrLockNotAvailable = errors.New("storage: lock not available")
	// ErrSkip: SkipLocked met a conflicting lock; the row is to be left out.
	ErrSkip = errors.New("storage: row is locked, skipped")
)
