package storage

import (
	"context"
	"hash/maphash"
	"time"
)

// Owner holds locks: those of its transactions, and session-level advisory locks. Its locks never conflict
// with each other. Used by one goroutine at a time.
type Owner struct {
	db      *DB
	waiting *waiter // guarded by waitGraph.mu
	timeout time.Duration
	session map[AdvisoryKey]*sessionLock
}

// AdvisoryKey names an advisory lock. PostgreSQL keeps bigint keys apart from pairs of ints: Pair.
type AdvisoryKey struct {
	Key  uint64
	Pair bool
}

func (k AdvisoryKey) lockID() lockID {
	if k.Pair {
		return lockID{kind: lockAdvisoryPair, num: k.Key}
	}
	return lockID{kind: lockAdvisory, num: k.Key}
}

// sessionLock counts how often a session-level lock was taken, by mode.
type sessionLock struct {
	lock  *lock
	count [2]int
}

// NewOwner makes a holder of session-level locks. Its Close releases them.
func (db *DB) NewOwner() *Owner { return &Owner{db: db} }

// Close releases what the owner still holds.
func (o *Owner) Close() { o.UnlockAllAdvisory() }

// SetLockTimeout bounds each wait of LockAdvisory, which then ends with ErrLockTimeout; 0: no bound.
func (o *Owner) SetLockTimeout(d time.Duration) { o.timeout = d }

// LockAdvisory takes a session-level advisory lock; each success needs one UnlockAdvisory.
func (o *Owner) LockAdvisory(ctx context.Context, key AdvisoryKey, shared bool, policy WaitPolicy) error {
	mode := advisoryMode(shared)
	g, err := o.db.locks.acquire(ctx, o, lockRequest{
		id: key.lockID(), mode: mode, session: true, policy: policy, timeout: o.timeout,
	})
	if err != nil {
		return err
	}
	s := o.session[key]
	if s == nil {
		if o.session == nil {
			o.session = map[AdvisoryKey]*sessionLock{}
		}
		s = &sessionLock{lock: g.lock}
		o.session[key] = s
	}
	s.count[mode]++
	return nil
}

// UnlockAdvisory gives one session-level advisory lock back; false: it was not held.
func (o *Owner) UnlockAdvisory(key AdvisoryKey, shared bool) bool {
	s, mode := o.session[key], advisoryMode(shared)
	if s == nil || s.count[mode] == 0 {
		return false
	}
	if s.count[mode]--; s.count[mode] == 0 {
		var keep modeSet
		if s.count[1-mode] > 0 {
			keep = 1 << (1 - mode)
		} else {
			delete(o.session, key)
		}
		o.db.locks.release(s.lock, o, true, keep)
	}
	return true
}

// UnlockAllAdvisory gives all session-level advisory locks back.
func (o *Owner) UnlockAllAdvisory() {
	for _, s := range o.session {
		o.db.locks.release(s.lock, o, true, 0)
	}
	clear(o.session)
}

func advisoryMode(shared bool) uint8 {
	if shared {
		return sharedMode
	}
	return exclusiveMode
}

// heldLock is one entry of a transaction's list of locks: undoing it leaves the modes before.
type heldLock struct {
	lock   *lock
	before modeSet
}

// SetLockTimeout bounds each wait for a lock, which then ends with ErrLockTimeout; 0: no bound.
func (t *Txn) SetLockTimeout(d time.Duration) { t.lockTimeout = d }

// LockRow locks a row until the end of the transaction. Any lock may find a row changed since the view it
// was read in; waited says that it is likely. See View.Changed and CheckWrite.
func (t *Txn) LockRow(ctx context.Context, rel RelationID, row RowID, mode RowLockMode, policy WaitPolicy) (waited bool, err error) {
	return t.lock(ctx, lockID{lockRow, uint32(rel), uint64(row)}, uint8(mode), policy)
}

// LockRelation locks a relation until the end of the transaction.
func (t *Txn) LockRelation(ctx context.Context, rel RelationID, mode RelLockMode, policy WaitPolicy) error {
	for _, h := range t.relationLocks {
		if h.rel == rel && covers(lockRelation, h.modes, uint8(mode)) {
			return nil
		}
	}
	_, err := t.lock(ctx, lockID{kind: lockRelation, obj: uint32(rel)}, uint8(mode), policy)
	if err == nil {
		t.noteRelationLock(rel, uint8(mode))
	}
	return err
}

// LockKey locks a unique key exclusively until the end of the transaction. To be held before the key is
// looked up for a uniqueness check, claimed or released.
func (t *Txn) LockKey(ctx context.Context, index IndexID, key []byte) error {
	_, err := t.lock(ctx, lockID{lockKey, uint32(index), maphash.Bytes(keySeed, key)}, exclusiveMode, Wait)
	return err
}

var keySeed = maphash.MakeSeed()

// LockAdvisory takes an advisory lock until the end of the transaction.
func (t *Txn) LockAdvisory(ctx context.Context, key AdvisoryKey, shared bool, policy WaitPolicy) error {
	_, err := t.lock(ctx, key.lockID(), advisoryMode(shared), policy)
	return err
}

func (t *Txn) lock(ctx context.Context, id lockID, mode uint8, policy WaitPolicy) (waited bool, err error) {
	if t.done {
		return false, ErrTxnDone
	}
	g, err := t.db.locks.acquire(ctx, t.owner, lockRequest{id: id, mode: mode, policy: policy, timeout: t.lockTimeout})
	if err != nil {
		return false, err
	}
	if g.lock != nil {
		t.held = append(t.held, heldLock{g.lock, g.before})
	}
	return g.waited, nil
}

// unlockTo gives back the locks taken after the first n, newest first.
func (t *Txn) unlockTo(n int) {
	for i := len(t.held) - 1; i >= n; i-- {
		h := t.held[i]
		if h.lock.id.kind == lockRelation {
			t.relationLocks = t.relationLocks[:0] // asked for again when needed
		}
		t.db.locks.release(h.lock, t.owner, false, h.before)
		t.held[i] = heldLock{}
	}
	t.held = t.held[:n]
}

// relationLock remembers what is held on a relation, so that the statements of a transaction do not meet
// at the relation's shard each time.
type relationLock struct {
	rel   RelationID
	modes modeSet
}

func (t *Txn) noteRelationLock(rel RelationID, mode uint8) {
	for i := range t.relationLocks {
		if t.relationLocks[i].rel == rel {
			t.relationLocks[i].modes |= 1 << mode
			return
		}
	}
	t.relationLocks = append(t.relationLocks, relationLock{rel, 1 << mode})
}
