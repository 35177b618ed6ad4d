package storage

import (
	"context"
	"slices"
	"sync"
	"time"
)

// lockID names what is locked. num is the row, the advisory key, or a hash of a unique key: a collision
// only makes two transactions wait for each other's key.
type lockID struct {
	kind lockKind
	obj  uint32 // relation or index
	num  uint64
}

const lockShards = 64 // a power of two

// lockTable holds all locks, spread over shards with a mutex each. Taking a free lock is one map insertion.
type lockTable struct {
	shards [lockShards]lockShard
	waits  waitGraph
}

type lockShard struct {
	mu    sync.Mutex
	locks map[lockID]*lock
	free  []*lock // for reuse; a lock stays in its shard
	_     [16]byte
}

// freeLocks bounds the unused locks a shard keeps.
const freeLocks = 64

// lock is one locked thing. Its shard's mu guards it.
type lock struct {
	id      lockID
	shard   *lockShard
	holders []holder
	queue   []*waiter // in the order in which they will be served
	first   [1]holder // room for the usual single holder
}

// holder is what an owner holds, apart for its transaction and its session.
type holder struct {
	owner   *Owner
	session bool
	modes   modeSet
}

// waiter is an owner waiting for a lock.
type waiter struct {
	lock    *lock
	owner   *Owner
	session bool
	mode    uint8
	granted chan struct{} // closed under the shard's mu when the waiter has become a holder
}

// lockRequest is what acquire needs besides its owner.
type lockRequest struct {
	id      lockID
	mode    uint8
	session bool
	policy  WaitPolicy
	timeout time.Duration // of the wait; 0: none
}

// grant is the outcome of acquire.
type grant struct {
	lock   *lock   // nil: what is held already suffices
	before modeSet // what the owner held at this level before
	waited bool
}

func (t *lockTable) init() {
	for i := range t.shards {
		t.shards[i].locks = map[lockID]*lock{}
	}
}

func (t *lockTable) shard(id lockID) *lockShard {
	h := id.num*0x9e3779b97f4a7c15 ^ uint64(id.obj)*0xc2b2ae3d27d4eb4f ^ uint64(id.kind)<<56
	return &t.shards[(h^h>>32)*0x9e3779b97f4a7c15>>(64-6)]
}

// acquire takes a lock for o, waiting as the policy says.
func (t *lockTable) acquire(ctx context.Context, o *Owner, r lockRequest) (grant, error) {
	s := t.shard(r.id)
	s.mu.Lock()
	l := s.locks[r.id]
	if l == nil {
		l = s.newLock(r.id)
		l.add(o, r.session, r.mode)
		s.mu.Unlock()
		return grant{lock: l}, nil
	}
	before := l.held(o, r.session)
	switch {
	case r.session && before&(1<<r.mode) != 0, !r.session && covers(r.id.kind, before, r.mode):
		s.mu.Unlock()
		return grant{}, nil
	case !l.blocked(o, r.mode):
		l.add(o, r.session, r.mode)
		s.mu.Unlock()
		return grant{lock: l, before: before}, nil
	case r.policy == NoWait:
		s.mu.Unlock()
		return grant{}, ErrLockNotAvailable
	case r.policy == SkipLocked:
		s.mu.Unlock()
		return grant{}, ErrSkip
	}
	w := &waiter{lock: l, owner: o, session: r.session, mode: r.mode, granted: make(chan struct{})}
	l.enqueue(w)
	s.mu.Unlock()
	if err := t.wait(ctx, w, r.timeout); err != nil {
		return grant{}, err
	}
	return grant{lock: l, before: before, waited: true}, nil
}

// wait returns when w has been granted. Else w has left the queue.
func (t *lockTable) wait(ctx context.Context, w *waiter, timeout time.Duration) error {
	if t.waits.begin(w) {
		defer t.waits.end(w)
		if t.leaveQueue(w) {
			return ErrDeadlock
		}
		return nil // granted at the last moment
	}
	defer t.waits.end(w)
	var expired <-chan time.Time
	if timeout > 0 {
		timer := time.NewTimer(timeout)
		defer timer.Stop()
		expired = timer.C
	}
	var err error
	select {
	case <-w.granted:
		return nil
	case <-ctx.Done():
		err = context.Cause(ctx)
	case <-expired:
		err = ErrLockTimeout
	}
	if t.leaveQueue(w) {
		return err
	}
	return nil
}

// leaveQueue takes w out of the queue; false: it has been granted meanwhile.
func (t *lockTable) leaveQueue(w *waiter) bool {
	s := w.lock.shard
	s.mu.Lock()
	defer s.mu.Unlock()
	i := slices.Index(w.lock.queue, w)
	if i < 0 {
		return false
	}
	w.lock.queue = slices.Delete(w.lock.queue, i, i+1)
	w.lock.serve() // those behind may have waited for w alone
	return true
}

// release leaves o with the modes keep on l, at its level.
func (t *lockTable) release(l *lock, o *Owner, session bool, keep modeSet) {
	s := l.shard
	s.mu.Lock()
	defer s.mu.Unlock()
	for i := range l.holders {
		h := &l.holders[i]
		if h.owner != o || h.session != session {
			continue
		}
		if h.modes = keep; keep == 0 {
			l.holders = slices.Delete(l.holders, i, i+1)
		}
		break
	}
	if len(l.queue) > 0 {
		l.serve()
	}
	if len(l.holders) == 0 && len(l.queue) == 0 {
		s.drop(l)
	}
}

func (s *lockShard) newLock(id lockID) *lock {
	var l *lock
	if n := len(s.free); n > 0 {
		l, s.free = s.free[n-1], s.free[:n-1]
	} else {
		l = &lock{shard: s}
	}
	l.id = id
	l.holders = l.first[:0]
	s.locks[id] = l
	return l
}

func (s *lockShard) drop(l *lock) {
	delete(s.locks, l.id)
	l.holders, l.queue, l.first = nil, nil, [1]holder{}
	if len(s.free) < freeLocks {
		s.free = append(s.free, l)
	}
}

// held returns what o holds at a level.
func (l *lock) held(o *Owner, session bool) modeSet {
	for i := range l.holders {
		if h := &l.holders[i]; h.owner == o && h.session == session {
			return h.modes
		}
	}
	return 0
}

// heldByAny returns what o holds at both levels.
func (l *lock) heldByAny(o *Owner) modeSet { return l.held(o, false) | l.held(o, true) }

func (l *lock) add(o *Owner, session bool, mode uint8) {
	for i := range l.holders {
		if h := &l.holders[i]; h.owner == o && h.session == session {
			h.modes |= 1 << mode
			return
		}
	}
	l.holders = append(l.holders, holder{o, session, 1 << mode})
}

// blocked tells whether o has to wait for mode: a holder conflicts, or somebody waits in a conflicting
// mode. Who holds the lock in a mode that such a waiter waits for goes ahead of it, for behind it both
// would wait forever.
func (l *lock) blocked(o *Owner, mode uint8) bool {
	if l.holdersConflict(o, mode) {
		return true
	}
	mine := l.heldByAny(o)
	for _, w := range l.queue {
		if conflicts[l.id.kind][mode]&(1<<w.mode) != 0 && conflicts[l.id.kind][w.mode]&mine == 0 {
			return true
		}
	}
	return false
}

func (l *lock) holdersConflict(o *Owner, mode uint8) bool {
	for i := range l.holders {
		if h := &l.holders[i]; h.owner != o && conflicts[l.id.kind][mode]&h.modes != 0 {
			return true
		}
	}
	return false
}

// enqueue puts w behind all others, but before the first that waits for what w's owner holds.
func (l *lock) enqueue(w *waiter) {
	at := len(l.queue)
	if mine := l.heldByAny(w.owner); mine != 0 {
		for i, other := range l.queue {
			if conflicts[l.id.kind][other.mode]&mine != 0 {
				at = i
				break
			}
		}
	}
	l.queue = slices.Insert(l.queue, at, w)
}

// serve grants, in order, whoever conflicts with no holder and with nobody still waiting before it.
func (l *lock) serve() {
	var waiting modeSet
	kept := l.queue[:0]
	for _, w := range l.queue {
		if conflicts[l.id.kind][w.mode]&waiting != 0 || l.holdersConflict(w.owner, w.mode) {
			waiting |= 1 << w.mode
			kept = append(kept, w)
			continue
		}
		l.add(w.owner, w.session, w.mode)
		close(w.granted)
	}
	clear(l.queue[len(kept):])
	l.queue = kept
}
