package storage

import (
	"context"
	"log/slog"
	"testing"
	"time"

	"github.com/cockroachdb/pebble/v2/vfs"
	"go.uber.org/goleak"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

var bg = context.Background()

// testClock gives each commit its own millisecond, so that revisions are the same in each run.
type testClock struct{ ms int64 }

func (c *testClock) now() time.Time {
	c.ms++
	return time.UnixMilli(c.ms)
}

func testOptions(fs vfs.FS) Options {
	clock := &testClock{ms: 1_712_000_000_000}
	return Options{
		Dir: "data", FS: fs, CacheBytes: 8 << 20, MemTableBytes: 256 << 10, Clock: clock.now,
		Logger: slog.New(slog.DiscardHandler),
		Prune:  PruneOptions{Disabled: true},
		Fatal:  func(msg string) { panic(msg) },
	}
}

func openStore(t testing.TB, o Options) *DB {
	t.Helper()
	db, err := Open(o)
	if err != nil {
		t.Fatal(err)
	}
	return db
}

// openMem opens a store in memory that is closed with the test.
func openMem(t testing.TB) *DB {
	t.Helper()
	db := openStore(t, testOptions(vfs.NewMem()))
	t.Cleanup(func() { closeStore(t, db) })
	return db
}

// closeStore closes the store; a store closed by the test itself is fine.
func closeStore(t testing.TB, db *DB) {
	t.Helper()
	if err := db.Close(); err != nil && err != ErrClosed {
		t.Fatal(err)
	}
	if e := db.Events(); e.APIMisuses+e.Corruptions+e.BackgroundErrors > 0 {
		t.Errorf("events: %+v", e)
	}
}

func must[T any](t testing.TB) func(v T, err error) T {
	return func(v T, err error) T {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		return v
	}
}

func check(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// commit writes rows of relation 1 in a transaction of its own.
func commit(t testing.TB, db *DB, rows map[RowID]string) Revision {
	t.Helper()
	txn := db.Begin(ReadCommitted)
	for row, value := range rows {
		if value == "" {
			txn.Delete(1, row)
		} else {
			txn.Put(1, row, []byte(value))
		}
	}
	info := must[CommitInfo](t)(txn.Commit(bg, testDeriver{}, CommitOptions{}))
	return info.Revision
}

// testDeriver derives from values of the form key, cell, payload (one byte each, then any): a unique key in
// index rel, unless key is '-'; an entry at precisions 8 and 6 of property 5, unless cell is '-'.
type testDeriver struct{}

func (testDeriver) Derive(rel RelationID, row RowID, old, cur []byte, out *Entries) error {
	oldKey, oldCell := parts(old)
	newKey, newCell := parts(cur)
	if oldKey != newKey {
		if oldKey != '-' {
			out.DeleteUnique(IndexID(rel), uniqueKeyOf(row, oldKey))
		}
		if newKey != '-' {
			out.SetUnique(IndexID(rel), uniqueKeyOf(row, newKey))
		}
	}
	for _, prec := range []uint8{8, 6} {
		was, wide, had := cellOf(oldCell, prec)
		is, isWide, has := cellOf(newCell, prec)
		if had {
			out.TombstoneSpatial(5, prec, was, wide) // the entry wins where both are in one cell
		}
		if has {
			out.SetSpatial(5, prec, is, isWide, cur)
		}
	}
	return nil
}

func parts(value []byte) (key, cell byte) {
	if len(value) < 2 {
		return '-', '-'
	}
	return value[0], value[1]
}

// uniqueKeyOf holds zero bytes and is never claimed by another row.
func uniqueKeyOf(row RowID, key byte) []byte { return []byte{0, byte(row >> 8), byte(row), key} }

// cellOf maps letters to cells: 'a' to 'p' to the 16 cells of the first four bits at precision 6, finer by
// the low two bits of the letter at precision 8; 'W' to the wide list.
func cellOf(cell byte, prec uint8) (c uint64, wide, ok bool) {
	switch {
	case cell == '-':
		return 0, false, false
	case cell == 'W':
		return 0, true, true
	case prec == 6:
		return uint64(cell-'a') >> 2 << 60, false, true
	}
	return uint64(cell-'a')>>2<<60 | uint64(cell-'a')&3<<50, false, true
}
