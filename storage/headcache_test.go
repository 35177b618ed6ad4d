package storage

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"sync"
	"testing"

	"github.com/cockroachdb/pebble/v2/vfs"
)

// Point reads, which the cache of newest versions answers where it can, find what scans find, which know
// nothing of it: in old and new views, while rows are written, deleted and pushed out of the cache.
func TestHeadCacheAgreesWithScans(t *testing.T) {
	const rows, writers, rounds, writes = 200, 4, 2, 200
	fs := vfs.NewMem()
	o := testOptions(fs)
	o.CacheBytes = headCacheShare << 20
	for round := range rounds {
		db := openStore(t, o)
		var wg sync.WaitGroup
		stop := make(chan struct{})
		for w := range writers {
			wg.Go(func() { randomWrites(t, db, rand.New(rand.NewPCG(uint64(round), uint64(w))), rows, writes) })
		}
		var readers sync.WaitGroup
		for r := range 2 {
			readers.Go(func() {
				rng := rand.New(rand.NewPCG(uint64(round), uint64(100+r)))
				for {
					select {
					case <-stop:
						return
					default:
						compareViews(t, db, rng, rows)
					}
				}
			})
		}
		wg.Wait()
		close(stop)
		readers.Wait()
		compareViews(t, db, rand.New(rand.NewPCG(uint64(round), 200)), rows)
		if s := db.HeadCacheStats(); s.Hits == 0 || s.Misses == 0 || s.Entries == 0 {
			t.Errorf("the cache was not put to the test: %+v", s)
		}
		closeStore(t, db)
	}
}

func randomWrites(t *testing.T, db *DB, rng *rand.Rand, rows, writes int) {
	for range writes {
		txn := db.Begin(ReadCommitted)
		row := RowID(rng.IntN(rows))
		if _, err := txn.LockRow(bg, 1, row, ForUpdate, Wait); err != nil {
			t.Error(err)
			return
		}
		switch rng.IntN(8) {
		case 0:
			txn.Delete(1, row)
		case 1: // more than the cache takes
			txn.Put(1, row, bytes.Repeat([]byte{'a' + byte(rng.IntN(4))}, maxHeadValue+rng.IntN(100)))
		default:
			value := fmt.Appendf(nil, "%c%c%d", 'a'+rng.IntN(4), 'a'+rng.IntN(16), rng.Int())
			txn.Put(1, row, append(value, make([]byte, rng.IntN(9000))...))
		}
		if _, err := txn.Commit(bg, testDeriver{}, CommitOptions{}); err != nil {
			t.Error(err)
			return
		}
	}
}

// compareViews takes a view, reads some rows of it, lets time pass, and reads all rows by points and by scan.
func compareViews(t *testing.T, db *DB, rng *rand.Rand, rows int) {
	v, err := db.NewView()
	if err != nil {
		t.Error(err)
		return
	}
	defer v.Close()
	points := func(n int) {
		for range n {
			if _, _, _, err := v.Peek(1, RowID(rng.IntN(rows))); err != nil {
				t.Error(err)
			}
		}
	}
	points(20)
	type version struct {
		value string
		rev   Revision
	}
	scanned := map[RowID]version{}
	it := v.Rows(1)
	for it.Next() {
		scanned[it.RowID()] = version{string(it.Value()), it.Revision()}
	}
	if err := it.Err(); err != nil {
		t.Error(err)
	}
	points(20)
	for row := range RowID(rows) {
		value, rev, ok, err := v.Peek(1, row)
		want, exists := scanned[row]
		if err != nil || ok != exists || string(value) != want.value || rev != want.rev {
			t.Errorf("row %d at %v: found %d bytes of %v (%t, %v), the scan %d bytes of %v (%t)",
				row, v.Revision(), len(value), rev, ok, err, len(want.value), want.rev, exists)
			return
		}
		for key := byte('a'); key < 'e'; key++ {
			holder, ok, err := v.LookupUnique(1, uniqueKeyOf(row, key))
			if holds := exists && want.value[0] == key; err != nil || ok != holds || ok && holder != row {
				t.Errorf("key %c of row %d at %v: row %d (%t, %v), the scan %t", key, row, v.Revision(), holder, ok, err, holds)
				return
			}
		}
	}
}

// A commit larger than a memtable, whose batch Pebble keeps for itself, reaches the cache as any other does.
func TestHeadCacheOfLargeCommit(t *testing.T) {
	o := testOptions(vfs.NewMem())
	o.MemTableBytes = minMemTableBytes
	db := openStore(t, o)
	defer closeStore(t, db)
	for _, text := range []string{"aa", "bb", "cc"} {
		rows := map[RowID]string{}
		for row := range RowID(400) {
			rows[row] = text + string(make([]byte, 1000))
		}
		commit(t, db, rows)
		compareViews(t, db, rand.New(rand.NewPCG(1, 1)), 400)
	}
}

// A view of the past that was opened after a restart must not fill the cache with what is newest to it.
func TestHeadCacheAfterRestart(t *testing.T) {
	o := testOptions(vfs.NewMem())
	db := openStore(t, o)
	first := commit(t, db, map[RowID]string{1: "aaold"})
	commit(t, db, map[RowID]string{1: "abnew"})
	closeStore(t, db)
	db = openStore(t, o)
	defer closeStore(t, db)
	txn := db.Begin(ReadCommitted)
	defer txn.Rollback()
	past := must[*View](t)(txn.ViewAt(first))
	defer past.Close()
	now := must[*View](t)(db.NewView())
	defer now.Close()
	for _, read := range []struct {
		v    *View
		want string
	}{{past, "aaold"}, {now, "abnew"}, {past, "aaold"}, {now, "abnew"}} {
		value, _, _, err := read.v.Get(1, 1)
		check(t, err)
		if string(value) != read.want {
			t.Errorf("at %v: %q, want %q", read.v.Revision(), value, read.want)
		}
	}
}
