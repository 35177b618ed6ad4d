package session

import (
	"context"
	"errors"

	"raisind/storage"
)

// AdvisoryLock implements funcs.AdvisoryLocker.
func (s *Session) AdvisoryLock(ctx context.Context, key int64, pair, shared, transaction, try bool) (bool, error) {
	k := storage.AdvisoryKey{Key: uint64(key), Pair: pair}
	policy := storage.Wait
	if try {
		policy = storage.NoWait
	}
	var err error
	if transaction {
		err = s.ensureTx().store.LockAdvisory(ctx, k, shared, policy)
	} else {
		s.owner.SetLockTimeout(s.lockTimeout)
		err = s.owner.LockAdvisory(ctx, k, shared, policy)
	}
	if try && errors.Is(err, storage.ErrLockNotAvailable) {
		return false, nil
	}
	return err == nil, mapError(err)
}

// AdvisoryUnlock implements funcs.AdvisoryLocker.
func (s *Session) AdvisoryUnlock(key int64, pair, shared bool) (bool, error) {
	return s.owner.UnlockAdvisory(storage.AdvisoryKey{Key: uint64(key), Pair: pair}, shared), nil
}

// AdvisoryUnlockAll implements funcs.AdvisoryLocker.
func (s *Session) AdvisoryUnlockAll() { s.owner.UnlockAllAdvisory() }

// SizeBytes implements funcs.Sizer. Relations share the store's files, so that only the
// whole has a size.
func (s *Session) SizeBytes(oid uint32) (int64, bool) {
	if oid != 0 {
		return 0, false
	}
	return int64(s.engine.cfg.DB.Metrics().DiskSpaceUsage()), true
}
