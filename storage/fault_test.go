package storage

import (
	"errors"
	"fmt"
	"sync/atomic"
	"testing"

	"github.com/cockroachdb/pebble/v2/vfs"
	"github.com/cockroachdb/pebble/v2/vfs/errorfs"
)

// failNth fails one read after the next n.
type failNth struct{ left atomic.Int64 }

func (f *failNth) arm(n int64) { f.left.Store(n + 1) }

// disarm tells whether the fault has happened.
func (f *failNth) disarm() (fired bool) { return f.left.Swap(0) < 0 }

// String implements errorfs.Injector.
func (f *failNth) String() string { return "fail the nth read" }

// MaybeError implements errorfs.Injector.
func (f *failNth) MaybeError(op errorfs.Op) error {
	if op.Kind.ReadOrWrite() != errorfs.OpIsRead || f.left.Load() == 0 {
		return nil
	}
	if f.left.Add(-1) == 0 {
		f.left.Store(-1)
		return errorfs.ErrInjected
	}
	return nil
}

// TestReadFaults fails the first, second, third … read of each way of reading until one passes clean: each
// fault is an error, none a missing or wrong row.
func TestReadFaults(t *testing.T) {
	var faults failNth
	o := testOptions(errorfs.Wrap(vfs.NewMem(), &faults))
	o.CacheBytes = 1 // nothing stays cached
	db := openStore(t, o)
	const rows = 500
	for range 3 {
		all := map[RowID]string{}
		for row := RowID(1); row <= rows; row++ {
			all[row] = fmt.Sprintf("x%c%0200d", 'a'+row%16, row)
		}
		commit(t, db, all)
		check(t, db.Flush())
	}
	closeStore(t, db)
	o.ReadOnly = true // no compaction gets in the way of the faults
	db = openStore(t, o)
	defer closeStore(t, db)
	count := func(it iterator) (int, error) {
		n := 0
		for it.Next() {
			n++
		}
		return n, errors.Join(it.Err(), it.Close())
	}
	reads := map[string]func(v *View) (int, error){
		"rows":     func(v *View) (int, error) { return count(v.Rows(1)) },
		"keys":     func(v *View) (int, error) { return count(v.ScanUnique(1, nil, nil, false)) },
		"backward": func(v *View) (int, error) { return count(v.ScanUnique(1, nil, nil, true)) },
		"cells": func(v *View) (int, error) {
			return count(v.ScanSpatial(1, 5, 8, []CellRange{{0, 1<<64 - 1}}, SpatialScan{}))
		},
		"get": func(v *View) (n int, err error) {
			for row := RowID(1); row <= rows && err == nil; row += 7 {
				var ok bool
				if _, _, ok, err = v.Get(1, row); ok {
					n += 7
				} else if err == nil {
					return n, nil
				}
			}
			return min(n, rows), err
		},
		"lookup": func(v *View) (n int, err error) {
			for row := RowID(1); row <= rows && err == nil; row += 7 {
				var ok bool
				if _, ok, err = v.LookupUnique(1, uniqueKeyOf(row, 'x')); ok {
					n += 7
				} else if err == nil {
					return n, nil
				}
			}
			return min(n, rows), err
		},
		"commit": func(*View) (int, error) {
			txn := db.Begin(ReadCommitted)
			defer txn.Rollback()
			for row := RowID(1); row <= rows; row++ {
				txn.Delete(1, row)
			}
			b := db.newBuilder()
			defer db.freeBuilder(b)
			err := b.build(bg, txn, testDeriver{})
			return b.info.Rows, err
		},
	}
	for name, read := range reads {
		fired := 0
		for n := int64(0); ; n++ {
			v := must[*View](t)(db.NewView())
			faults.arm(n)
			got, err := read(v)
			hit := faults.disarm()
			if closeErr := v.Close(); hit {
				fired++ // Close may tell the error once more
			} else {
				check(t, closeErr)
			}
			if (err != nil) != hit || err == nil && got != rows || err != nil && !errors.Is(err, errorfs.ErrInjected) {
				t.Fatalf("%s, fault %d: %d rows, hit %v, %v", name, n, got, hit, err)
			}
			if !hit {
				break
			}
			if n > 20 { // every read of a long scan is alike
				n += n / 3
			}
		}
		if fired == 0 {
			t.Errorf("%s read nothing", name)
		}
	}
}
