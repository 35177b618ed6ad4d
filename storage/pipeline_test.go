package storage

import (
	"sync"
	"testing"

	"github.com/cockroachdb/pebble/v2"
	"github.com/cockroachdb/pebble/v2/vfs"
)

// TestCommitsReachTheLogInAnyOrder: the newest revision is recovered when its batch was written first, and
// nothing is visible before what precedes it.
func TestCommitsReachTheLogInAnyOrder(t *testing.T) {
	o := testOptions(vfs.NewMem())
	db := openStore(t, o)
	old := commit(t, db, map[RowID]string{1: "--1"})
	var list []*builder
	for range 3 {
		txn := db.Begin(ReadCommitted)
		txn.Put(1, RowID(len(list)+1), []byte("xa2"))
		b := db.newBuilder()
		check(t, b.build(bg, txn, testDeriver{}))
		check(t, db.pipeline.assign(&b.inFlight, b.changes, nil))
		check(t, b.stamp(b.inFlight.rev, b.inFlight.slot))
		list = append(list, b)
	}
	var wg sync.WaitGroup
	for _, i := range []int{2, 0, 1} {
		b := list[i]
		check(t, db.p.Apply(b.batch, pebble.NoSync))
		if i == 2 {
			wg.Go(func() { db.pipeline.finish(&b.inFlight, false) })
			waitFor(t, "waiting for the others", func() bool {
				db.pipeline.mu.Lock()
				defer db.pipeline.mu.Unlock()
				return b.inFlight.visible != nil
			})
			if db.Visible() != old {
				t.Errorf("%v is visible before its turn", db.Visible())
			}
			continue
		}
		db.pipeline.finish(&b.inFlight, false)
		if db.Visible() < b.inFlight.rev {
			t.Errorf("%v is not visible", b.inFlight.rev)
		}
	}
	wg.Wait()
	newest := list[2].inFlight.rev
	if db.Visible() != newest {
		t.Errorf("visible %v, want %v", db.Visible(), newest)
	}
	for _, b := range list {
		db.freeBuilder(b)
	}
	closeStore(t, db)
	db = openStore(t, o)
	if db.Visible() != newest {
		t.Errorf("recovered %v, want %v", db.Visible(), newest)
	}
	closeStore(t, db)
}

// TestPipelineFull: more commits at once than the ring has room for, some of them failing late.
func TestPipelineFull(t *testing.T) {
	db := openMem(t)
	first := &inFlight{}
	check(t, db.pipeline.assign(first, nil, nil))
	var wg sync.WaitGroup
	for i := range 3 * maxInFlight {
		wg.Go(func() {
			c := &inFlight{}
			if err := db.pipeline.assign(c, nil, nil); err != nil {
				t.Error(err)
			}
			if i%7 == 0 {
				db.pipeline.waitFirst(c)
			}
			db.pipeline.finish(c, i%7 == 0)
			if i%7 != 0 && db.Visible() < c.rev {
				t.Errorf("%v is not visible", c.rev)
			}
		})
	}
	waitFor(t, "a full ring", func() bool {
		db.pipeline.mu.Lock()
		defer db.pipeline.mu.Unlock()
		return db.pipeline.n == maxInFlight
	})
	db.pipeline.finish(first, false)
	wg.Wait()
	if db.pipeline.n != 0 {
		t.Errorf("%d left in the ring", db.pipeline.n)
	}
	commit(t, db, map[RowID]string{1: "--1"})
}
