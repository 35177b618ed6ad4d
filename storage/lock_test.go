package storage

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

// TestRowLockConflicts is PostgreSQL's table 13.3.
func TestRowLockConflicts(t *testing.T) {
	db := openMem(t)
	free := [4][4]bool{ // held, requested
		ForKeyShare:    {ForKeyShare: true, ForShare: true, ForNoKeyUpdate: true},
		ForShare:       {ForKeyShare: true, ForShare: true},
		ForNoKeyUpdate: {ForKeyShare: true},
		ForUpdate:      {},
	}
	for held := ForKeyShare; held <= ForUpdate; held++ {
		for asked := ForKeyShare; asked <= ForUpdate; asked++ {
			a, b := db.Begin(ReadCommitted), db.Begin(ReadCommitted)
			must[bool](t)(a.LockRow(bg, 1, 1, held, Wait))
			_, err := b.LockRow(bg, 1, 1, asked, NoWait)
			if free[held][asked] != (err == nil) || err != nil && !errors.Is(err, ErrLockNotAvailable) {
				t.Errorf("held %d, asked %d: %v", held, asked, err)
			}
			if _, err := b.LockRow(bg, 1, 1, asked, SkipLocked); !free[held][asked] && !errors.Is(err, ErrSkip) {
				t.Errorf("held %d, asked %d, skip: %v", held, asked, err)
			}
			b.Rollback()
			must[bool](t)(a.LockRow(bg, 1, 1, asked, NoWait)) // own locks never conflict
			a.Rollback()
		}
	}
	checkNoLocks(t, db)
}

// TestRelationLockConflicts is PostgreSQL's table 13.2.
func TestRelationLockConflicts(t *testing.T) {
	db := openMem(t)
	conflict := [8]string{ // held across, x: conflict
		AccessShare:          ".......x",
		RowShare:             "......xx",
		RowExclusive:         "....xxxx",
		ShareUpdateExclusive: "...xxxxx",
		Share:                "..xx.xxx",
		ShareRowExclusive:    "..xxxxxx",
		Exclusive:            ".xxxxxxx",
		AccessExclusive:      "xxxxxxxx",
	}
	for asked := AccessShare; asked <= AccessExclusive; asked++ {
		for held := AccessShare; held <= AccessExclusive; held++ {
			a, b := db.Begin(ReadCommitted), db.Begin(ReadCommitted)
			check(t, a.LockRelation(bg, 1, held, Wait))
			err := b.LockRelation(bg, 1, asked, NoWait)
			if want := conflict[asked][held] == 'x'; want != errors.Is(err, ErrLockNotAvailable) {
				t.Errorf("held %d, asked %d: %v", held, asked, err)
			}
			a.Rollback()
			b.Rollback()
		}
	}
	checkNoLocks(t, db)
}

// checkNoLocks looks for locks left behind.
func checkNoLocks(t *testing.T, db *DB) {
	t.Helper()
	for i := range db.locks.shards {
		s := &db.locks.shards[i]
		s.mu.Lock()
		if len(s.locks) > 0 {
			t.Errorf("%d locks left in shard %d", len(s.locks), i)
		}
		s.mu.Unlock()
	}
}

// waiters counts who waits for a row of relation 1.
func waiters(db *DB, row RowID) int {
	id := lockID{lockRow, 1, uint64(row)}
	s := db.locks.shard(id)
	s.mu.Lock()
	defer s.mu.Unlock()
	if l := s.locks[id]; l != nil {
		return len(l.queue)
	}
	return 0
}

func waitFor(t *testing.T, what string, cond func() bool) {
	t.Helper()
	for limit := time.Now().Add(20 * time.Second); !cond(); runtime.Gosched() {
		if time.Now().After(limit) {
			t.Fatalf("%s: did not happen", what)
		}
		time.Sleep(50 * time.Microsecond)
	}
}

func TestLockQueueIsFair(t *testing.T) {
	db := openMem(t)
	holder := db.Begin(ReadCommitted)
	must[bool](t)(holder.LockRow(bg, 1, 1, ForShare, Wait))
	var order []int
	var wg sync.WaitGroup
	var running atomic.Int32
	// An exclusive waiter, then a sharer that could run beside the holder but must not overtake, and so on.
	for i, mode := range []RowLockMode{ForUpdate, ForShare, ForUpdate, ForShare} {
		wg.Go(func() {
			txn := db.Begin(ReadCommitted)
			waited, err := txn.LockRow(bg, 1, 1, mode, Wait)
			if err != nil || !waited {
				t.Errorf("waiter %d: waited %v, %v", i, waited, err)
			}
			if running.Add(1) != 1 {
				t.Error("two at once")
			}
			order = append(order, i)
			running.Add(-1)
			txn.Rollback()
		})
		waitFor(t, "waiting", func() bool { return waiters(db, 1) == i+1 })
	}
	other := db.Begin(ReadCommitted)
	if _, err := other.LockRow(bg, 1, 1, ForShare, NoWait); !errors.Is(err, ErrLockNotAvailable) {
		t.Errorf("a sharer overtakes those who wait: %v", err)
	}
	holder.Rollback()
	wg.Wait()
	if fmt.Sprint(order) != "[0 1 2 3]" {
		t.Errorf("served in order %v", order)
	}
	other.Rollback()
	checkNoLocks(t, db)
}

// TestLockUpgradeGoesAhead: a holder that asks for more passes those who wait for what it holds.
func TestLockUpgradeGoesAhead(t *testing.T) {
	db := openMem(t)
	holder := db.Begin(ReadCommitted)
	must[bool](t)(holder.LockRow(bg, 1, 1, ForShare, Wait))
	var wg sync.WaitGroup
	wg.Go(func() {
		txn := db.Begin(ReadCommitted)
		defer txn.Rollback()
		if _, err := txn.LockRow(bg, 1, 1, ForUpdate, Wait); err != nil {
			t.Error(err)
		}
	})
	waitFor(t, "waiting", func() bool { return waiters(db, 1) == 1 })
	if waited, err := holder.LockRow(bg, 1, 1, ForUpdate, Wait); err != nil || waited {
		t.Errorf("upgrade: waited %v, %v", waited, err)
	}
	holder.Rollback()
	wg.Wait()
	checkNoLocks(t, db)
}

func TestDeadlock(t *testing.T) {
	db := openMem(t)
	const n = 5
	txns := make([]*Txn, n)
	for i := range txns {
		txns[i] = db.Begin(ReadCommitted)
		must[bool](t)(txns[i].LockRow(bg, 1, RowID(i+1), ForUpdate, Wait))
	}
	var wg sync.WaitGroup
	for i := range n - 1 {
		wg.Go(func() {
			if _, err := txns[i].LockRow(bg, 1, RowID(i+2), ForUpdate, Wait); err != nil {
				t.Errorf("transaction %d: %v", i, err)
			}
			txns[i].Rollback()
		})
		waitFor(t, "waiting", func() bool { return waiters(db, RowID(i+2)) == 1 })
	}
	if _, err := txns[n-1].LockRow(bg, 1, 1, ForUpdate, Wait); !errors.Is(err, ErrDeadlock) {
		t.Errorf("closing the circle: %v", err)
	}
	txns[n-1].Rollback()
	wg.Wait()
	checkNoLocks(t, db)
}

// TestDeadlockOfSharers: two hold a row shared and both want it alone.
func TestDeadlockOfSharers(t *testing.T) {
	db := openMem(t)
	a, b := db.Begin(ReadCommitted), db.Begin(ReadCommitted)
	must[bool](t)(a.LockRow(bg, 1, 1, ForShare, Wait))
	must[bool](t)(b.LockRow(bg, 1, 1, ForShare, Wait))
	var wg sync.WaitGroup
	wg.Go(func() {
		if _, err := a.LockRow(bg, 1, 1, ForUpdate, Wait); err != nil {
			t.Error(err)
		}
		a.Rollback()
	})
	waitFor(t, "waiting", func() bool { return waiters(db, 1) == 1 })
	if _, err := b.LockRow(bg, 1, 1, ForUpdate, Wait); !errors.Is(err, ErrDeadlock) {
		t.Errorf("second upgrade: %v", err)
	}
	b.Rollback()
	wg.Wait()
	checkNoLocks(t, db)
}

// TestDeadlockAcrossKinds goes through a unique key, a relation and a session-level advisory lock.
func TestDeadlockAcrossKinds(t *testing.T) {
	db := openMem(t)
	owner := db.NewOwner()
	defer owner.Close()
	key := AdvisoryKey{Key: 7}
	check(t, owner.LockAdvisory(bg, key, false, Wait))
	a, b, c := db.BeginFor(owner, ReadCommitted), db.Begin(ReadCommitted), db.Begin(ReadCommitted)
	check(t, b.LockKey(bg, 1, []byte("k")))
	check(t, c.LockRelation(bg, 1, AccessExclusive, Wait))
	var wg sync.WaitGroup
	wg.Go(func() { // a waits for b
		if err := a.LockKey(bg, 1, []byte("k")); err != nil {
			t.Error(err)
		}
		a.Rollback()
	})
	waitFor(t, "a waiting", func() bool { return waiting(db, owner) })
	wg.Go(func() { // b waits for c
		if err := b.LockRelation(bg, 1, RowExclusive, Wait); err != nil {
			t.Error(err)
		}
		b.Rollback()
	})
	waitFor(t, "b waiting", func() bool { return waiting(db, b.owner) })
	if err := c.LockAdvisory(bg, key, true, Wait); !errors.Is(err, ErrDeadlock) {
		t.Errorf("c closes the circle: %v", err)
	}
	c.Rollback()
	wg.Wait()
	owner.Close()
	checkNoLocks(t, db)
}

func waiting(db *DB, o *Owner) bool {
	db.locks.waits.mu.Lock()
	defer db.locks.waits.mu.Unlock()
	return o.waiting != nil
}

// TestLongQueueIsNoDeadlock: many wait for one row while one of them already holds another.
func TestLongQueueIsNoDeadlock(t *testing.T) {
	db := openMem(t)
	holder := db.Begin(ReadCommitted)
	must[bool](t)(holder.LockRow(bg, 1, 1, ForUpdate, Wait))
	var wg sync.WaitGroup
	const n = 200
	for i := range n {
		wg.Go(func() {
			txn := db.Begin(ReadCommitted)
			defer txn.Rollback()
			if _, err := txn.LockRow(bg, 1, RowID(10+i), ForUpdate, Wait); err != nil {
				t.Error(err)
			}
			mode := []RowLockMode{ForUpdate, ForNoKeyUpdate, ForShare}[i%3]
			if _, err := txn.LockRow(bg, 1, 1, mode, Wait); err != nil {
				t.Error(err)
			}
		})
	}
	waitFor(t, "waiting", func() bool { return waiters(db, 1) == n })
	holder.Rollback()
	wg.Wait()
	checkNoLocks(t, db)
}

func TestLockWaitEnds(t *testing.T) {
	db := openMem(t)
	holder := db.Begin(ReadCommitted)
	must[bool](t)(holder.LockRow(bg, 1, 1, ForUpdate, Wait))

	why := errors.New("statement cancelled")
	ctx, cancel := context.WithCancelCause(bg)
	var wg sync.WaitGroup
	wg.Go(func() {
		txn := db.Begin(ReadCommitted)
		defer txn.Rollback()
		if _, err := txn.LockRow(ctx, 1, 1, ForUpdate, Wait); !errors.Is(err, why) {
			t.Errorf("cancelled: %v", err)
		}
	})
	waitFor(t, "waiting", func() bool { return waiters(db, 1) == 1 })
	wg.Go(func() { // behind the one that gives up
		txn := db.Begin(ReadCommitted)
		defer txn.Rollback()
		if _, err := txn.LockRow(bg, 1, 1, ForKeyShare, Wait); err != nil {
			t.Error(err)
		}
	})
	waitFor(t, "waiting", func() bool { return waiters(db, 1) == 2 })
	cancel(why)
	waitFor(t, "giving up", func() bool { return waiters(db, 1) == 1 })

	txn := db.Begin(ReadCommitted)
	txn.SetLockTimeout(time.Millisecond)
	if _, err := txn.LockRow(bg, 1, 1, ForUpdate, Wait); !errors.Is(err, ErrLockTimeout) {
		t.Errorf("timeout: %v", err)
	}
	txn.Rollback()
	holder.Rollback()
	wg.Wait()
	checkNoLocks(t, db)
}

func TestRollbackToReleasesLocks(t *testing.T) {
	db := openMem(t)
	a, b := db.Begin(ReadCommitted), db.Begin(ReadCommitted)
	must[bool](t)(a.LockRow(bg, 1, 1, ForKeyShare, Wait))
	sp := a.Savepoint()
	must[bool](t)(a.LockRow(bg, 1, 1, ForUpdate, Wait))
	must[bool](t)(a.LockRow(bg, 1, 2, ForUpdate, Wait))
	check(t, a.LockRelation(bg, 1, AccessExclusive, Wait))
	if _, err := b.LockRow(bg, 1, 1, ForNoKeyUpdate, NoWait); !errors.Is(err, ErrLockNotAvailable) {
		t.Errorf("before: %v", err)
	}
	a.RollbackTo(sp)
	must[bool](t)(b.LockRow(bg, 1, 1, ForNoKeyUpdate, NoWait)) // FOR KEY SHARE is left
	must[bool](t)(b.LockRow(bg, 1, 2, ForUpdate, NoWait))
	check(t, b.LockRelation(bg, 1, AccessExclusive, NoWait))
	if err := a.LockRelation(bg, 1, AccessShare, NoWait); !errors.Is(err, ErrLockNotAvailable) {
		t.Errorf("a believes to hold the relation still: %v", err)
	}
	if _, err := b.LockRow(bg, 1, 1, ForUpdate, NoWait); !errors.Is(err, ErrLockNotAvailable) {
		t.Errorf("FOR KEY SHARE is gone: %v", err)
	}
	a.Rollback()
	b.Rollback()
	checkNoLocks(t, db)
}

func TestAdvisoryLocks(t *testing.T) {
	db := openMem(t)
	a, b := db.NewOwner(), db.NewOwner()
	key := AdvisoryKey{Key: 42}
	for range 2 {
		check(t, a.LockAdvisory(bg, key, false, Wait))
	}
	check(t, a.LockAdvisory(bg, key, true, Wait))
	txn := db.BeginFor(a, ReadCommitted)
	check(t, txn.LockAdvisory(bg, key, false, NoWait)) // its own session's lock
	txn.Rollback()

	free := func(o *Owner, shared bool) bool {
		err := o.LockAdvisory(bg, key, shared, NoWait)
		if err == nil {
			o.UnlockAdvisory(key, shared)
		} else if !errors.Is(err, ErrLockNotAvailable) {
			t.Fatal(err)
		}
		return err == nil
	}
	check(t, b.LockAdvisory(bg, AdvisoryKey{Key: 42, Pair: true}, false, NoWait)) // another key space
	steps := []struct{ unlockShared, sharedFree, exclusiveFree bool }{
		{false, false, false}, // one exclusive left
		{false, true, false},  // the shared one left
		{true, true, true},
	}
	for i, s := range steps {
		if !a.UnlockAdvisory(key, s.unlockShared) {
			t.Errorf("step %d: was not held", i)
		}
		if free(b, true) != s.sharedFree || free(b, false) != s.exclusiveFree {
			t.Errorf("step %d: wrong locks left", i)
		}
	}
	if a.UnlockAdvisory(key, false) {
		t.Error("unlocked what was not held")
	}
	check(t, a.LockAdvisory(bg, key, false, Wait))
	a.UnlockAllAdvisory()
	if !free(b, false) {
		t.Error("UnlockAllAdvisory left a lock")
	}
	a.Close()
	b.Close()
	checkNoLocks(t, db)
}

// TestLockStress: random locks of random kinds; exclusion holds, everybody ends, nothing is left.
func TestLockStress(t *testing.T) {
	db := openMem(t)
	const rows = 6
	var holders [rows]atomic.Int32 // 1: shared, 1000: exclusive
	var wg sync.WaitGroup
	var deadlocks atomic.Int32
	for g := range 8 {
		wg.Go(func() {
			for i := range 300 {
				txn := db.Begin(ReadCommitted)
				held := map[int]int32{}
				for j := range 3 {
					row := (g*7 + i*3 + j*5) % rows
					mode, weight := ForShare, int32(1)
					if (g+i+j)%3 > 0 {
						mode, weight = ForUpdate, 1000
					}
					_, err := txn.LockRow(bg, 1, RowID(row), mode, WaitPolicy((g+i)%3))
					if errors.Is(err, ErrDeadlock) {
						deadlocks.Add(1)
						break
					}
					if err != nil {
						continue
					}
					if was := held[row]; was >= weight {
						continue
					} else {
						holders[row].Add(weight - was)
						held[row] = weight
					}
					if n := holders[row].Load(); n > 1000 || mode == ForUpdate && n != 1000 {
						t.Errorf("row %d: holders %d", row, n)
					}
					runtime.Gosched()
				}
				for row, weight := range held {
					holders[row].Add(-weight)
				}
				txn.Rollback()
			}
		})
	}
	wg.Wait()
	t.Logf("%d deadlocks", deadlocks.Load())
	checkNoLocks(t, db)
}
