package storage

import (
	"errors"
	"math"
	"testing"

	"github.com/cockroachdb/pebble/v2/vfs"
)

func TestSequence(t *testing.T) {
	fs := vfs.NewCrashableMem()
	open := func(fs vfs.FS) *DB {
		t.Helper()
		db, err := Open(Options{Dir: "db", FS: fs})
		if err != nil {
			t.Fatal(err)
		}
		return db
	}
	up := Sequence{Increment: 1, Min: 1, Max: math.MaxInt64, Start: 1}
	db := open(fs)
	next := func(db *DB, s Sequence, n int) (int64, int) {
		t.Helper()
		v, count, err := db.NextSequence(7, s, n, true)
		if err != nil {
			t.Fatal(err)
		}
		return v, count
	}
	for want := int64(1); want < 100; want++ {
		if v, _ := next(db, up, 1); v != want {
			t.Fatalf("got %d, want %d", v, want)
		}
	}
	crashed := open(fs.CrashClone(vfs.CrashCloneCfg{}))
	if v, _ := next(crashed, up, 1); v < 100 || v > 100+maxSequenceBlock {
		t.Errorf("after a crash: %d", v)
	}
	if err := crashed.Close(); err != nil {
		t.Fatal(err)
	}
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
	db = open(fs)
	defer db.Close()
	if v, n := next(db, up, 5); v != 100 || n != 5 {
		t.Errorf("after a stop: %d values from %d", n, v)
	}
	if err := db.SetSequence(7, 8, false, true); err != nil {
		t.Fatal(err)
	}
	small := Sequence{Increment: 2, Min: 1, Max: 11, Start: 1}
	if v, n := next(db, small, 5); v != 8 || n != 2 {
		t.Errorf("%d values from %d", n, v)
	}
	if _, _, err := db.NextSequence(7, small, 1, true); !errors.Is(err, ErrSequenceExhausted) {
		t.Errorf("at the end: %v", err)
	}
	small.Cycle = true
	if v, _ := next(db, small, 1); v != 1 {
		t.Errorf("cycled to %d", v)
	}
	down := Sequence{Increment: -3, Min: math.MinInt64, Max: -1, Start: -1}
	if v, _, err := db.NextSequence(8, down, 1, false); err != nil || v != -1 {
		t.Errorf("down: %d %v", v, err)
	}
	if st, err := db.ReadSequence(8, down); err != nil || st.Last != -1 || !st.Called || st.Ahead != 32 {
		t.Errorf("state %+v %v", st, err)
	}
}
