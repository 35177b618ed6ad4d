package storage

import (
	"fmt"
	"io"
	"math/rand/v2"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/cockroachdb/pebble/v2/vfs"
)

const crashWriters = 4

// crashRun is one store of a chain of crashes, with writers that each count up.
type crashRun struct {
	t       *testing.T
	db      *DB
	acked   [crashWriters]atomic.Int64 // newest count whose commit with Sync returned
	commits atomic.Int64
	maxRow  atomic.Uint64 // newest row id acknowledged
}

// TestCrash crashes stores under load, keeping different shares of what was not synced, three times in a
// row each.
func TestCrash(t *testing.T) {
	for _, percent := range []int{0, 5, 30, 70, 100} {
		t.Run(fmt.Sprint(percent), func(t *testing.T) {
			for seed := range uint64(3) { // the first without pruning
				rng := rand.New(rand.NewPCG(seed, uint64(percent)))
				t.Logf("seed %d", seed)
				fs := vfs.NewCrashableMem()
				var run crashRun
				for round := range 4 {
					run.t = t
					o := crashOptions(fs)
					if o.Prune.Disabled = seed == 0; seed > 0 {
						o.Prune.KeepRevisions, o.Prune.Retention = 1, time.Millisecond
					}
					run.db = openStore(t, o)
					run.db.SetHistoryRetention(func(RelationID) (time.Duration, bool) { return 0, false })
					start := run.verify(round > 0)
					fs = run.writeAndCrash(rng, fs, start, percent)
				}
			}
		})
	}
}

func crashOptions(fs vfs.FS) Options {
	o := testOptions(fs)
	o.MemTableBytes = minMemTableBytes
	o.Clock = nil // writers are concurrent
	return o
}

// writeAndCrash lets the writers go on from start and clones the file system in the midst of it.
func (r *crashRun) writeAndCrash(rng *rand.Rand, fs *vfs.MemFS, start [crashWriters]int64, percent int) *vfs.MemFS {
	for w := range start {
		r.acked[w].Store(0) // what survived is checked against what this round acknowledges
	}
	r.maxRow.Store(0)
	limit := r.commits.Load() + 20 + rng.Int64N(400)
	var stop atomic.Bool
	var wg sync.WaitGroup
	for w := range start {
		seed := rng.Uint64()
		wg.Go(func() {
			rng := rand.New(rand.NewPCG(seed, 0))
			for n := start[w] + 1; !stop.Load(); n++ {
				r.write(rng, w, n)
			}
		})
	}
	waitFor(r.t, "writers", func() bool { return r.commits.Load() >= limit })
	var acked [crashWriters]int64
	for w := range acked {
		acked[w] = r.acked[w].Load()
	}
	maxRow := r.maxRow.Load()
	clone := fs.CrashClone(vfs.CrashCloneCfg{UnsyncedDataPercent: percent, RNG: rand.New(rand.NewPCG(rng.Uint64(), 0))})
	stop.Store(true)
	wg.Wait()
	closeStore(r.t, r.db)
	for w := range acked {
		r.acked[w].Store(acked[w])
	}
	r.maxRow.Store(maxRow)
	return clone
}

// write commits count n of writer w: the same value in two relations, and every tenth time a new row.
func (r *crashRun) write(rng *rand.Rand, w int, n int64) {
	txn := r.db.Begin(ReadCommitted)
	value := fmt.Sprintf("%c%c%d %s", 'w'+n%3, 'a'+rng.IntN(16), n, strings.Repeat("-", rng.IntN(300)))
	txn.Put(1, RowID(w+1), []byte(value))
	txn.Put(2, RowID(w+1), []byte(value))
	var row RowID
	if n%10 == 0 {
		row = r.db.NextRowID(3)
		txn.Put(3, row, []byte("--"+strconv.FormatInt(n, 10)))
	}
	o := CommitOptions{Sync: rng.IntN(3) > 0}
	if _, err := txn.Commit(bg, testDeriver{}, o); err != nil {
		r.t.Error(err)
	}
	r.commits.Add(1)
	if o.Sync {
		r.acked[w].Store(n)
		for old := r.maxRow.Load(); uint64(row) > old && !r.maxRow.CompareAndSwap(old, uint64(row)); old = r.maxRow.Load() {
		}
	}
}

// verify checks a store after a crash and returns the count each writer goes on from.
func (r *crashRun) verify(crashed bool) (counts [crashWriters]int64) {
	t, db := r.t, r.db
	t.Helper()
	v := must[*View](t)(db.NewView())
	defer v.Close()
	var newest Revision
	for w := range counts {
		row := RowID(w + 1)
		one, rev, ok, err := v.Get(1, row)
		check(t, err)
		two, rev2, ok2, err := v.Get(2, row)
		check(t, err)
		if ok != ok2 || string(one) != string(two) || rev != rev2 {
			t.Fatalf("writer %d: half a commit: %.20q at %v, %.20q at %v", w, one, rev, two, rev2)
		}
		if ok {
			counts[w], err = strconv.ParseInt(string(one[2:strings.IndexByte(string(one), ' ')]), 10, 64)
			check(t, err)
		}
		if acked := r.acked[w].Load(); crashed && counts[w] < acked {
			t.Errorf("writer %d: %d survived, %d was acknowledged", w, counts[w], acked)
		}
		newest = max(newest, rev)
	}
	checkDerived(t, v, 1)
	checkDerived(t, v, 2)

	if db.Visible() < newest {
		t.Errorf("visible %v, stored %v", db.Visible(), newest)
	}
	it := v.Rows(3)
	var last RowID
	for it.Next() {
		last = it.RowID()
		newest = max(newest, it.Revision())
	}
	check(t, it.Err())
	check(t, it.Close())
	if crashed && uint64(last) < r.maxRow.Load() {
		t.Errorf("row %d survived, %d was acknowledged", last, r.maxRow.Load())
	}
	if row := db.NextRowID(3); row <= last {
		t.Errorf("row id %d handed out again, %d is there", row, last)
	}
	if info := commit(t, db, map[RowID]string{1000: "--"}); info <= newest {
		t.Errorf("revision %v after %v", info, newest)
	}
	return counts
}

// checkDerived holds the index entries of a relation against its rows, both ways.
func checkDerived(t *testing.T, v *View, rel RelationID) {
	t.Helper()
	want := map[RowID]string{}
	keysWanted, cells := 0, 0
	it := v.Rows(rel)
	for it.Next() {
		want[it.RowID()] = string(it.Value())
		key, cell := parts(it.Value())
		if key != '-' {
			keysWanted++
			if row, ok, err := v.LookupUnique(IndexID(rel), uniqueKeyOf(it.RowID(), key)); err != nil || !ok || row != it.RowID() {
				t.Errorf("relation %d row %d: key gives %d %v %v", rel, it.RowID(), row, ok, err)
			}
		}
		if cell != '-' {
			cells++
		}
	}
	check(t, it.Err())
	check(t, it.Close())
	if n := drain(t, v.ScanUnique(IndexID(rel), nil, nil, false)); n != keysWanted {
		t.Errorf("relation %d: %d keys, want %d", rel, n, keysWanted)
	}
	for _, prec := range []uint8{6, 8} {
		n := 0
		it := v.ScanSpatial(rel, 5, prec, []CellRange{{0, 1<<64 - 1}}, SpatialScan{Wide: true})
		for it.Next() {
			n++
			if want[it.RowID()] != string(it.Value()) {
				t.Errorf("relation %d row %d: entry of %.20q, row is %.20q", rel, it.RowID(), it.Value(), want[it.RowID()])
			}
		}
		check(t, it.Err())
		check(t, it.Close())
		if n != cells {
			t.Errorf("relation %d: %d entries at precision %d, want %d", rel, n, prec, cells)
		}
	}
}

// makingFS is a crashable file system whose Lock takes its clone lock once. That of MemFS takes it for
// reading twice, which deadlocks with a clone asked for in between.
type makingFS struct{ *vfs.MemFS }

// Lock is Create: nobody else opens this file system.
func (f makingFS) Lock(name string) (io.Closer, error) {
	return f.Create(name, vfs.WriteCategoryUnspecified)
}

// TestCrashWhileMaking: a store whose making was interrupted at any moment can be made again.
func TestCrashWhileMaking(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 7))
	for i := range 9 {
		fs := vfs.NewCrashableMem()
		opened := make(chan *DB)
		go func() {
			o := crashOptions(fs)
			o.FS = makingFS{fs}
			db, err := Open(o)
			if err != nil {
				t.Error(err)
			}
			opened <- db
		}()
		var clones []*vfs.MemFS
		var db *DB
		for db == nil {
			if len(clones) < 25 {
				clones = append(clones, fs.CrashClone(vfs.CrashCloneCfg{UnsyncedDataPercent: i % 3 * 50, RNG: rng}))
			}
			select {
			case db = <-opened:
			default:
			}
		}
		closeStore(t, db)
		for _, clone := range clones {
			db := openStore(t, crashOptions(clone))
			commit(t, db, map[RowID]string{1: "--1"})
			closeStore(t, db)
		}
	}
}
