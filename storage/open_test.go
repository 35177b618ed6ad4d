package storage

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/cockroachdb/pebble/v2"
	"github.com/cockroachdb/pebble/v2/vfs"

	"raisind/storage/keys"
)

// filesystems are the disk and memory, each with a directory to use.
func filesystems(t *testing.T) map[string]Options {
	mem := testOptions(vfs.NewMem())
	disk := testOptions(vfs.Default)
	disk.Dir = filepath.Join(t.TempDir(), "deep", "data")
	return map[string]Options{"memory": mem, "disk": disk}
}

func TestOpenAgain(t *testing.T) {
	for name, o := range filesystems(t) {
		t.Run(name, func(t *testing.T) {
			db := openStore(t, o)
			if db.Visible() != 0 {
				t.Errorf("a new store is at %v", db.Visible())
			}
			if _, err := Open(o); !errors.Is(err, ErrLocked) {
				t.Errorf("second open: %v", err)
			}
			rev := commit(t, db, map[RowID]string{1: "--1"})
			closeStore(t, db)
			if err := db.Close(); !errors.Is(err, ErrClosed) {
				t.Errorf("second close: %v", err)
			}
			if _, err := db.NewView(); !errors.Is(err, ErrClosed) {
				t.Errorf("view of a closed store: %v", err)
			}

			o.ReadOnly = true
			db = openStore(t, o)
			v := must[*View](t)(db.NewView())
			if v.Revision() != rev || get(t, v, 1) != "--1" {
				t.Errorf("at %v: %q", v.Revision(), get(t, v, 1))
			}
			check(t, v.Close())
			txn := db.Begin(ReadCommitted)
			txn.Put(1, 2, []byte("--2"))
			if _, err := txn.Commit(bg, nil, CommitOptions{}); !errors.Is(err, ErrReadOnly) {
				t.Errorf("commit: %v", err)
			}
			if err := db.PutMeta(true, MetaKV{[]byte("a"), []byte("b")}); !errors.Is(err, ErrReadOnly) {
				t.Errorf("PutMeta: %v", err)
			}
			closeStore(t, db)
		})
	}
}

func TestOpenForeign(t *testing.T) {
	for name, o := range filesystems(t) {
		t.Run(name, func(t *testing.T) {
			check(t, o.FS.MkdirAll(o.Dir, 0o755))
			f := must[vfs.File](t)(o.FS.Create(o.FS.PathJoin(o.Dir, "notes.txt"), vfs.WriteCategoryUnspecified))
			check(t, f.Close())
			if _, err := Open(o); !errors.Is(err, ErrForeign) || !strings.Contains(err.Error(), "notes.txt") {
				t.Errorf("directory with other files: %v", err)
			}
			if names := must[[]string](t)(o.FS.List(o.Dir)); len(names) != 1 {
				t.Errorf("open left %v", names)
			}
			check(t, o.FS.Remove(o.FS.PathJoin(o.Dir, "notes.txt")))

			other := must[*pebble.DB](t)(pebble.Open(o.Dir, &pebble.Options{FS: o.FS, Logger: pebbleLogger{log: o.Logger, fatal: o.Fatal}}))
			check(t, other.Set([]byte("a"), []byte("b"), pebble.Sync))
			check(t, other.Close())
			if _, err := Open(o); !errors.Is(err, ErrForeign) {
				t.Errorf("another Pebble store: %v", err)
			}
		})
	}
}

func TestOpenChecksFormat(t *testing.T) {
	o := testOptions(vfs.NewMem())
	db := openStore(t, o)
	commit(t, db, map[RowID]string{1: "--1"})
	marker := keys.Local{Kind: keys.FormatMarker}.Append(nil)
	check(t, db.p.Set(marker, []byte{keys.FormatVersion + 1}, pebble.Sync))
	closeStore(t, db)
	if _, err := Open(o); !errors.Is(err, ErrFormat) {
		t.Errorf("store from the future: %v", err)
	}
	p := must[*pebble.DB](t)(pebble.Open(o.Dir, pebbleOptions(&o, &events{}, nil, &pruner{disabled: true})))
	check(t, p.Delete(marker, pebble.Sync))
	check(t, p.Close())
	if _, err := Open(o); !errors.Is(err, ErrForeign) {
		t.Errorf("store without marker: %v", err)
	}
}

func TestOpenUnusable(t *testing.T) {
	o := testOptions(vfs.Default)
	o.Dir = filepath.Join(t.TempDir(), "file")
	check(t, os.WriteFile(o.Dir, nil, 0o600))
	if _, err := Open(o); err == nil {
		t.Error("opened a file")
	}
	_, err := Open(Options{CacheBytes: -1, MemTableBytes: 1})
	for _, want := range []string{"Dir", "CacheBytes", "MemTableBytes"} {
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("options: %v does not name %s", err, want)
		}
	}
	o = testOptions(vfs.NewMem())
	o.ReadOnly = true
	if _, err := Open(o); err == nil {
		t.Error("opened what is not there read-only")
	}
}

// TestRevisions: strictly rising, whatever the clock does and over restarts.
func TestRevisions(t *testing.T) {
	o := testOptions(vfs.NewMem())
	ms := int64(2_000_000_000_000)
	o.Clock = func() time.Time { return time.UnixMilli(ms) }
	db := openStore(t, o)
	first := commit(t, db, map[RowID]string{1: "--1"})
	if first.UnixMs() != ms || first != keys.RevisionAtMs(ms) {
		t.Errorf("first revision %v at %d ms", first, ms)
	}
	ms -= 1000
	second := commit(t, db, map[RowID]string{1: "--2"})
	if second != first+1 {
		t.Errorf("%v after %v with the clock behind", second, first)
	}
	closeStore(t, db)
	ms -= 1_000_000
	db = openStore(t, o)
	if db.Visible() != second {
		t.Errorf("recovered %v, want %v", db.Visible(), second)
	}
	if third := commit(t, db, map[RowID]string{1: "--3"}); third != second+1 {
		t.Errorf("%v after %v and a restart", third, second)
	}
	closeStore(t, db)
}

func TestRowIDs(t *testing.T) {
	o := testOptions(vfs.NewMem())
	seen := map[RowID]bool{}
	for run := range 3 {
		db := openStore(t, o)
		var mu sync.Mutex
		var wg sync.WaitGroup
		for range 3 {
			wg.Go(func() {
				for range rowIDBlock {
					row := db.NextRowID(7)
					mu.Lock()
					if row == 0 || seen[row] {
						t.Errorf("run %d: row %d again", run, row)
					}
					seen[row] = true
					mu.Unlock()
				}
			})
		}
		wg.Wait()
		if row := db.NextRowID(8); run == 0 && row != 1 {
			t.Errorf("another relation starts at %d", row)
		}
		closeStore(t, db)
		db.NextRowID(7)
		txn := db.Begin(ReadCommitted)
		txn.Put(7, 1, []byte("--"))
		if _, err := txn.Commit(bg, nil, CommitOptions{}); !errors.Is(err, ErrClosed) {
			t.Errorf("commit to a closed store: %v", err)
		}
	}
	o.ReadOnly = true
	db := openStore(t, o)
	db.NextRowID(7)
	if err := db.rowIDs.failed(7); !errors.Is(err, ErrReadOnly) {
		t.Errorf("row ids of a read-only store: %v", err)
	}
	closeStore(t, db)
}

func TestCloseWaits(t *testing.T) {
	db := openStore(t, testOptions(vfs.NewMem()))
	commit(t, db, map[RowID]string{1: "--1"})
	txn := db.Begin(RepeatableRead)
	v := must[*View](t)(txn.NewView())
	closed := make(chan error, 1)
	go func() { closed <- db.Close() }()
	waitFor(t, "closing", func() bool {
		probe, err := db.NewView()
		if err == nil {
			check(t, probe.Close())
		}
		return errors.Is(err, ErrClosed)
	})
	if get(t, v, 1) != "--1" {
		t.Error("an open view does not read")
	}
	it := v.Rows(1)
	if !it.Next() {
		t.Error("an open view does not scan")
	}
	check(t, v.Close()) // closes the iterator
	if it.Next() {
		t.Error("an iterator outlives its view")
	}
	check(t, it.Close())
	select {
	case err := <-closed:
		t.Errorf("closed under a snapshot: %v", err)
	default:
	}
	txn.Rollback()
	check(t, <-closed)
	if _, err := txn.NewView(); !errors.Is(err, ErrTxnDone) {
		t.Error(err)
	}
}

func TestLocalMeta(t *testing.T) {
	o := testOptions(vfs.NewMem())
	db := openStore(t, o)
	check(t, db.PutMeta(true, MetaKV{[]byte("s/1"), []byte("one")}, MetaKV{[]byte("s/2"), []byte{}}, MetaKV{[]byte("t"), []byte("x")}))
	check(t, db.PutMeta(false, MetaKV{[]byte("t"), nil}))
	closeStore(t, db)
	db = openStore(t, o)
	defer closeStore(t, db)
	value, ok, err := db.GetMeta([]byte("s/1"))
	if err != nil || !ok || string(value) != "one" {
		t.Errorf("s/1: %q %v %v", value, ok, err)
	}
	if value, ok, _ := db.GetMeta([]byte("s/2")); !ok || len(value) != 0 {
		t.Errorf("s/2: %q %v", value, ok)
	}
	if _, ok, _ := db.GetMeta([]byte("t")); ok {
		t.Error("t was deleted")
	}
	var got []string
	check(t, db.ScanMeta([]byte("s/"), func(key, value []byte) error {
		got = append(got, fmt.Sprintf("%s=%s", key, value))
		return nil
	}))
	if fmt.Sprint(got) != "[s/1=one s/2=]" {
		t.Errorf("scan: %v", got)
	}
	stop := errors.New("stop")
	if err := db.ScanMeta(nil, func(_, _ []byte) error { return stop }); !errors.Is(err, stop) {
		t.Errorf("fn's error: %v", err)
	}
}

func TestHorizon(t *testing.T) {
	o := testOptions(vfs.NewMem())
	db := openStore(t, o)
	first := commit(t, db, map[RowID]string{1: "--1"})
	second := commit(t, db, map[RowID]string{1: "--2"})
	txn := db.Begin(RepeatableRead)
	check(t, must[*View](t)(txn.NewView()).Close())
	third := commit(t, db, map[RowID]string{1: "--3"})

	if got := db.OldestActive(); got != second {
		t.Errorf("oldest active %v, want the snapshot's %v", got, second)
	}
	if got := must[Revision](t)(db.RaiseHorizon(1, third)); got != second {
		t.Errorf("horizon %v, want %v: a snapshot reads there", got, second)
	}
	read := func(rel RelationID, rev Revision) error {
		v := must[*View](t)(txn.ViewAt(rev))
		defer v.Close()
		_, _, _, err := v.Get(rel, 1)
		for _, it := range []iterator{v.Rows(rel), v.Versions(rel), v.ScanSpatial(rel, 5, 6, []CellRange{{0, 1}}, SpatialScan{})} {
			for it.Next() {
			}
			if (it.Err() == nil) != (err == nil) {
				t.Errorf("iterator says %v, Get %v", it.Err(), err)
			}
			check(t, it.Close())
		}
		return err
	}
	if err := read(1, first); !errors.Is(err, ErrSnapshotTooOld) {
		t.Errorf("below the horizon: %v", err)
	}
	check(t, read(1, second))
	check(t, read(2, first)) // another relation
	txn.Rollback()
	if got := db.OldestActive(); got != third {
		t.Errorf("oldest active %v without views, want %v", got, third)
	}
	must[Revision](t)(db.RaiseHorizon(1, third))
	if got := must[Revision](t)(db.RaiseHorizon(1, first)); got != third {
		t.Errorf("the horizon sank to %v", got)
	}
	closeStore(t, db)
	db = openStore(t, o)
	if got := db.Horizon(1); got != third {
		t.Errorf("horizon %v after reopening, want %v", got, third)
	}
	closeStore(t, db)
}

// What Pebble leaves of a store whose making was interrupted is no reason to refuse the directory.
func TestOpenAfterInterruptedMaking(t *testing.T) {
	for _, name := range []string{
		"temporary.000003.dbtmp", "CURRENT.000001.dbtmp", "OPTIONS-000002.dbtmp", "MANIFEST-000001", "000002.log", "000004.dbtmp",
	} {
		o := testOptions(vfs.NewMem())
		check(t, o.FS.MkdirAll(o.Dir, 0o755))
		f := must[vfs.File](t)(o.FS.Create(o.FS.PathJoin(o.Dir, name), vfs.WriteCategoryUnspecified))
		check(t, f.Close())
		db, err := Open(o)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		closeStore(t, db)
	}
}
