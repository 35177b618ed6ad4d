package exec

import (
	"context"
	"errors"

	"raisind/pgerr"
	"raisind/storage"
)

// sentinels is what each error of the store means to a client.
var sentinels = []struct {
	err  error
	code pgerr.Code
	msg  string
	hint string
}{
	{storage.ErrSerialization, pgerr.SerializationFailure, "could not serialize access due to concurrent update", ""},
	{storage.ErrDeadlock, pgerr.DeadlockDetected, "deadlock detected", "See server log for query details."},
	{storage.ErrLockTimeout, pgerr.LockNotAvailable, "canceling statement due to lock timeout", ""},
	{storage.ErrLockNotAvailable, pgerr.LockNotAvailable, "could not obtain lock on row", ""},
	{storage.ErrSnapshotTooOld, pgerr.SnapshotTooOld, "snapshot too old", "Rows of that revision have been pruned; raise history_retention to keep more of the past."},
	{storage.ErrCorrupt, pgerr.DataCorrupted, "stored data is corrupt", "Run raisind check on the data directory."},
	{storage.ErrUnique, pgerr.UniqueViolation, "two rows of the transaction have the same unique key", ""},
	{storage.ErrTooLarge, pgerr.ProgramLimitExceeded, "transaction is too large", "Split the work over several transactions."},
	{storage.ErrReadOnly, pgerr.ReadOnlySQLTransaction, "the store is open for reading only", ""},
	{storage.ErrTxnDone, pgerr.InvalidTransactionTermination, "the transaction has ended", ""},
	{storage.ErrClosed, pgerr.AdminShutdown, "terminating connection due to administrator command", ""},
}

// MapError gives an error of the store or of a context the SQLSTATE a client sees.
// Errors that have one keep it.
func MapError(err error) error { return mapError(err) }

func mapError(err error) error {
	if err == nil {
		return nil
	}
	var coded *pgerr.Error
	if errors.As(err, &coded) {
		return err
	}
	for _, s := range sentinels {
		if errors.Is(err, s.err) {
			e := pgerr.Wrap(err, s.code, "%s", s.msg)
			if s.err == storage.ErrCorrupt {
				e.Detail = err.Error()
			}
			if s.hint != "" {
				e.Hint = s.hint
			}
			return e
		}
	}
	if errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded) {
		return pgerr.Wrap(err, pgerr.QueryCanceled, "canceling statement due to user request")
	}
	return err
}
