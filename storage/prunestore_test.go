package storage

import (
	"context"
	"fmt"
	"math/rand/v2"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/cockroachdb/pebble/v2"
	"github.com/cockroachdb/pebble/v2/vfs"

	"raisind/storage/keys"
)

// update commits count versions of each row, one second apart, moving between two cells.
func update(t testing.TB, db *DB, clock *handClock, rows RowID, count int) {
	t.Helper()
	for i := range count {
		all := map[RowID]string{}
		for row := RowID(1); row <= rows; row++ {
			all[row] = fmt.Sprintf("%c%c%d", "xy"[i%2], "ae"[i%2], i)
		}
		commit(t, db, all)
		clock.advance(time.Second)
	}
}

// TestPruneViews: what a view or snapshot reads does not change under it, whatever is pruned meanwhile, and
// goes once it is closed.
func TestPruneViews(t *testing.T) {
	o, clock := pruneOptions(vfs.NewMem())
	o.Prune.KeepRevisions = 1
	db := openStore(t, o)
	defer closeStore(t, db)
	db.SetHistoryRetention(func(RelationID) (time.Duration, bool) { return 0, false })
	update(t, db, clock, 10, 5)
	txn := db.Begin(RepeatableRead)
	defer txn.Rollback()
	view := must[*View](t)(txn.NewView())
	before := readAll(t, view)
	early := must[*View](t)(db.NewView())
	update(t, db, clock, 10, 5)
	commit(t, db, map[RowID]string{3: ""})
	clock.advance(3 * time.Hour)
	check(t, db.VacuumAll(bg))
	for name, v := range map[string]*View{"of the snapshot": view, "outside": early} {
		if got := readAll(t, v); got != before {
			t.Errorf("the view %s reads\n%s\nand read\n%s", name, got, before)
		}
	}
	if err := txn.CheckWrite(1, 3); err != ErrSerialization {
		t.Errorf("writing a row deleted since the snapshot: %v", err)
	}
	check(t, view.Close())
	check(t, early.Close())
	if n := countKeys(t, db)[keys.RowFamily]; n != 10+50+1 {
		t.Errorf("%d row versions while a snapshot is held, want its own and all later ones", n)
	}
	txn.Rollback()
	check(t, db.VacuumAll(bg))
	if n := countKeys(t, db); n[keys.RowFamily] != 9 || n[keys.UniqueFamily] != 9 || n[keys.SpatialFamily] != 18 {
		t.Errorf("left once the snapshot has ended: %v", n)
	}
}

// TestPruneHistory: rows can be read back to the retention, and no further.
func TestPruneHistory(t *testing.T) {
	o, clock := pruneOptions(vfs.NewMem())
	db := openStore(t, o)
	defer closeStore(t, db)
	db.SetHistoryRetention(func(RelationID) (time.Duration, bool) { return 10 * time.Second, false })
	var states []string
	var revs []Revision
	for i := range 30 {
		revs = append(revs, commit(t, db, map[RowID]string{1: fmt.Sprint("xa", i)}))
		states = append(states, fmt.Sprint("xa", i))
		clock.advance(time.Second)
	}
	check(t, db.Vacuum(bg, 1, []IndexID{1}))
	txn := db.Begin(ReadCommitted)
	defer txn.Rollback()
	gone, read := 0, 0
	for i, rev := range revs {
		v := must[*View](t)(txn.ViewAt(rev))
		value, _, _, err := v.Get(1, 1)
		switch {
		case err == ErrSnapshotTooOld && read == 0:
			gone++
		case err != nil || string(value) != states[i]:
			t.Errorf("state %d: %q %v", i, value, err)
		default:
			read++
		}
		check(t, v.Close())
	}
	if gone != 20 || read != 10 {
		t.Errorf("%d states gone, %d read", gone, read)
	}
	if n := countKeys(t, db)[keys.RowFamily]; n != 10 {
		t.Errorf("%d versions left", n)
	}
}

// TestSweepAtRest: what merely ages in tables that no compaction touches is found by the sweeps that the
// pruner makes by itself, each table once.
func TestSweepAtRest(t *testing.T) {
	o, clock := pruneOptions(vfs.NewMem())
	db := openStore(t, o)
	defer func() { closeStore(t, db) }()
	retain := func() { db.SetHistoryRetention(func(RelationID) (time.Duration, bool) { return time.Minute, false }) }
	retain()
	update(t, db, clock, 20, 6)
	commit(t, db, map[RowID]string{7: ""})
	check(t, db.Compact(bg))
	settle(t, db)
	n := countKeys(t, db)
	if n[keys.SpatialFamily] != 20*6*4-20*2+2 {
		t.Fatalf("pruned what is recent: %v", n)
	}
	sweep := func() (read uint64) {
		before := db.PruneStats().KeysRead
		db.pruner.requestSweep()
		settle(t, db)
		return db.PruneStats().KeysRead - before
	}
	rest := func() { // compactions of Pebble's own accord may write a table anew, which is then swept anew
		t.Helper()
		for range 20 {
			if sweep() == 0 {
				return
			}
		}
		t.Error("sweeps go on reading what they have swept")
	}
	sweep()
	if n := countKeys(t, db); n[keys.RowFamily] != 121 {
		t.Errorf("%v after a sweep of what is recent", n)
	}
	clock.advance(2 * time.Minute)
	sweep()
	if n := countKeys(t, db); n[keys.RowFamily] != 19 || n[keys.SpatialFamily] != 20*6*4-20*2+2 {
		t.Errorf("%v after the retention of rows", n)
	}
	rest()
	clock.advance(2 * time.Hour)
	closeStore(t, db)
	db = openStore(t, o)
	retain()
	settle(t, db) // the sweep at open
	if n := countKeys(t, db); n[keys.RowFamily] != 19 || n[keys.UniqueFamily] != 19 || n[keys.SpatialFamily] != 38 {
		t.Errorf("%v after all has aged", n)
	}
	rest()
}

// TestSweepAcrossTables: a version and what supersedes it can lie in tables that each look clean.
func TestSweepAcrossTables(t *testing.T) {
	o, clock := pruneOptions(vfs.NewMem())
	db := openStore(t, o)
	defer closeStore(t, db)
	db.SetHistoryRetention(func(RelationID) (time.Duration, bool) { return time.Minute, false })
	commit(t, db, map[RowID]string{1: "xa1", 2: "xa1"})
	check(t, db.Compact(bg))
	commit(t, db, map[RowID]string{1: "xa2"})
	check(t, db.Flush())
	clock.advance(2 * time.Hour)
	db.pruner.requestSweep()
	settle(t, db)
	if n := countKeys(t, db); n[keys.RowFamily] != 2 || n[keys.SpatialFamily] != 4 {
		t.Errorf("left: %v", n)
	}
}

// TestPruneSwitchedOn: what was written while pruning was off goes with the first sweep after it is on; what
// was kept under a larger budget too.
func TestPruneSwitchedOn(t *testing.T) {
	o, clock := pruneOptions(vfs.NewMem())
	for _, c := range []struct {
		disabled bool
		keep     int
		want     int
	}{{true, 8, 20}, {false, 8, 10 * 2}, {false, 5, 5 * 2}, {true, 1, 5 * 2}, {false, 1, 2}} {
		o.Prune = PruneOptions{Disabled: c.disabled, KeepRevisions: c.keep, Retention: NoRetention}
		db := openStore(t, o)
		if c.want == 20 && c.disabled {
			for i := range 10 {
				commit(t, db, map[RowID]string{1: fmt.Sprint("xa", i)})
				clock.advance(time.Second)
			}
		}
		check(t, db.Compact(bg))
		settle(t, db)
		want := min(c.want, 16)
		if c.disabled {
			want = c.want
		}
		if n := countKeys(t, db)[keys.SpatialFamily]; n != want {
			t.Errorf("disabled %v, keep %d: %d keys, want %d", c.disabled, c.keep, n, want)
		}
		closeStore(t, db)
	}
}

// TestPruneUnreadable: keys that nobody wrote stay and stop nothing.
func TestPruneUnreadable(t *testing.T) {
	o, clock := pruneOptions(vfs.NewMem())
	db := openStore(t, o)
	defer closeStore(t, db)
	db.SetHistoryRetention(func(RelationID) (time.Duration, bool) { return 0, false })
	update(t, db, clock, 3, 12)
	cell := keys.AppendSpatialCell(nil, 1, 5, 6, 0)
	odd := [][]byte{
		{keys.RowFamily},
		{keys.RowFamily, 0, 0},
		{keys.UniqueFamily},
		{keys.SpatialFamily, 9},
		append(keys.AppendRowPrefix(nil, 1, 2), 1, 2, 3),
		append(cell, 0, 0, 0, 0, 0, 0, 0, 2, 9, 9),
		append(keys.Spatial{Relation: 1, Property: 5, Precision: 6, Row: 2, Revision: 77}.Append(nil)[:keys.SpatialLen-1], 7),
		append(keys.AppendUniquePrefix(nil, 1, []byte("z")), 5),
	}
	for _, k := range odd {
		check(t, db.p.Set(k, []byte{200}, pebble.NoSync))
	}
	clock.advance(2 * time.Hour)
	check(t, db.VacuumAll(bg))
	for _, k := range odd {
		if _, found, err := db.get(k); err != nil || !found {
			t.Errorf("%x is gone: %v", k, err)
		}
	}
	n := countKeys(t, db)
	// The tombstones of row 2 stay over what cannot be read beside them.
	if n[keys.RowFamily] != 3+3 || n[keys.SpatialFamily] < 6+3 || n[keys.SpatialFamily] > 6+3+2 {
		t.Errorf("left: %v", n)
	}
	if s := db.PruneStats(); s.Errors != 0 {
		t.Errorf("%+v", s)
	}
}

// TestNominateOverflow: groups beyond the bound go into a range.
func TestNominateOverflow(t *testing.T) {
	o, clock := pruneOptions(vfs.NewMem())
	o.Prune.KeepRevisions = 1
	db := openStore(t, o)
	defer closeStore(t, db)
	update(t, db, clock, 40, 3)
	db.pruner.reading.Lock() // the pruner can begin, but not go on
	var many []string
	for i := range maxNominated {
		many = append(many, string(keys.AppendRowPrefix(nil, 9, RowID(i))))
	}
	db.pruner.nominate(many[:1])
	taken := func() bool {
		db.pruner.mu.Lock()
		defer db.pruner.mu.Unlock()
		return len(db.pruner.nominated) == 0
	}
	for !taken() {
		time.Sleep(time.Millisecond)
	}
	db.pruner.nominate(many)
	check(t, db.p.Flush())
	if s := db.PruneStats(); s.Overflows == 0 || s.Waiting != maxNominated+1 { // one is in work
		t.Errorf("%+v", s)
	}
	db.pruner.reading.Unlock()
	settle(t, db)
	if n := countKeys(t, db)[keys.SpatialFamily]; n != 40*2*2 {
		t.Errorf("%d spatial keys left", n)
	}
	if s := db.PruneStats(); s.Waiting != 0 || s.Pruned == 0 {
		t.Errorf("%+v", s)
	}
}

// TestPrunePurge: a relation purged while it is pruned leaves nothing and no misuse.
func TestPrunePurge(t *testing.T) {
	o, clock := pruneOptions(vfs.NewMem())
	o.Prune.KeepRevisions, o.MemTableBytes = 1, minMemTableBytes
	db := openStore(t, o)
	defer closeStore(t, db)
	db.SetHistoryRetention(func(RelationID) (time.Duration, bool) { return 0, false })
	update(t, db, clock, 300, 6)
	var swept sync.WaitGroup
	swept.Go(func() { check(t, db.Sweep(bg)) })
	check(t, db.Purge(1, []IndexID{1}))
	swept.Wait()
	check(t, db.VacuumAll(bg))
	if n := countKeys(t, db); n[keys.RowFamily]+n[keys.UniqueFamily]+n[keys.SpatialFamily] != 0 {
		t.Errorf("left: %v", n)
	}
}

// TestVacuumCancelled: a caller that gives up gets its cause, the pruner goes on.
func TestVacuumCancelled(t *testing.T) {
	o, clock := pruneOptions(vfs.NewMem())
	db := openStore(t, o)
	update(t, db, clock, 5, 12)
	ctx, cancel := context.WithCancelCause(bg)
	cause := fmt.Errorf("enough")
	cancel(cause)
	if err := db.Sweep(ctx); err != cause {
		t.Errorf("cancelled: %v", err)
	}
	check(t, db.Vacuum(bg, 1, []IndexID{1}))
	closeStore(t, db)
	if err := db.VacuumAll(bg); err != ErrClosed {
		t.Errorf("closed: %v", err)
	}
	o.ReadOnly = true
	db = openStore(t, o)
	defer closeStore(t, db)
	if err := db.VacuumAll(bg); err != ErrReadOnly {
		t.Errorf("read-only: %v", err)
	}
	check(t, db.Sweep(bg))
}

// TestPruneConcurrent: readers next to writers and a pruner that never rests see each row in exactly one
// cell, and their view twice the same.
func TestPruneConcurrent(t *testing.T) {
	const rows, writers, readers = 32, 2, 3
	o := testOptions(vfs.NewMem())
	o.Clock, o.MemTableBytes = time.Now, minMemTableBytes
	o.Prune = PruneOptions{KeepRevisions: 1, Retention: time.Millisecond}
	db := openStore(t, o)
	defer closeStore(t, db)
	db.SetHistoryRetention(func(RelationID) (time.Duration, bool) { return time.Millisecond, false })
	all := map[RowID]string{}
	for row := RowID(1); row <= rows; row++ {
		all[row] = "xa0"
	}
	commit(t, db, all)
	commits := 3000
	if testing.Short() {
		commits = 500
	}
	var left atomic.Int64
	left.Store(int64(commits))
	var wg sync.WaitGroup
	for w := range writers {
		wg.Go(func() {
			rng := rand.New(rand.NewPCG(uint64(w), 3))
			for n := left.Add(-1); n >= 0; n = left.Add(-1) {
				txn := db.Begin(ReadCommitted)
				row := RowID(1 + w + writers*rng.IntN(rows/writers))
				txn.Put(1, row, fmt.Appendf(nil, "%c%c%d%s", "xyz"[rng.IntN(3)], 'a'+byte(rng.IntN(16)), n, strings.Repeat("-", 100)))
				if _, err := txn.Commit(bg, testDeriver{}, CommitOptions{}); err != nil {
					t.Error(err)
				}
				if n%100 == 0 {
					if err := db.Flush(); err != nil {
						t.Error(err)
					}
				}
			}
		})
	}
	for range readers {
		wg.Go(func() {
			for left.Load() > 0 {
				v, err := db.NewView()
				if err != nil {
					t.Error(err)
					return
				}
				first := readAll(t, v)
				if n := strings.Count(first, "\nrow ") + 1; n != rows || strings.Count(first, "\nkey ") != rows || strings.Count(first, "\ncell ") != 2*rows {
					t.Errorf("a view read\n%s", first)
				}
				if again := readAll(t, v); again != first {
					t.Errorf("a view read\n%s\nthen\n%s", first, again)
				}
				v.Close()
			}
		})
	}
	wg.Go(func() {
		for left.Load() > 0 {
			if err := db.Sweep(bg); err != nil {
				t.Error(err)
			}
		}
	})
	wg.Wait()
	time.Sleep(2 * time.Millisecond) // all ages
	check(t, db.VacuumAll(bg))
	if n := countKeys(t, db); n[keys.RowFamily] != rows || n[keys.UniqueFamily] != rows || n[keys.SpatialFamily] != 2*rows {
		t.Errorf("left: %v; %+v", n, db.PruneStats())
	}
}
