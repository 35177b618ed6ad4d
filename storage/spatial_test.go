package storage

import (
	"errors"
	"testing"
)

// TestHotCell: a cell with thousands of superseded entries is read like one without.
func TestHotCell(t *testing.T) {
	db := openMem(t)
	const rows, rounds = 20, 200
	for range rounds {
		txn := db.Begin(ReadCommitted)
		for row := RowID(1); row <= rows; row++ {
			txn.Put(1, row, []byte("-a"))
		}
		must[CommitInfo](t)(txn.Commit(bg, testDeriver{}, CommitOptions{}))
	}
	for _, flushed := range []bool{false, true} {
		if flushed {
			check(t, db.Flush())
		}
		v := must[*View](t)(db.NewView())
		it := v.ScanSpatial(1, 5, 6, []CellRange{{0, 1<<60 - 1}}, SpatialScan{MaxKeysPerCell: rows})
		n := 0
		for it.Next() {
			n++
		}
		check(t, it.Err())
		if s := it.Stats(); n != rows || s.Keys != rows || s.Superseded != 0 {
			t.Errorf("flushed %v: %d rows, %+v", flushed, n, s)
		}
		check(t, it.Close())
		check(t, v.Close())
	}
}

// TestOldView: a view finds its versions beneath many newer ones.
func TestOldView(t *testing.T) {
	db := openMem(t)
	rev := commit(t, db, map[RowID]string{1: "xa1", 2: "ya1", 3: "za1"})
	for range 50 {
		commit(t, db, map[RowID]string{1: "xa2", 2: "ya2", 4: "wa2"})
	}
	txn := db.Begin(ReadCommitted)
	defer txn.Rollback()
	v := must[*View](t)(txn.ViewAt(rev))
	defer v.Close()
	if n := drain(t, v.ScanSpatial(1, 5, 8, []CellRange{{0, 1<<60 - 1}}, SpatialScan{})); n != 3 {
		t.Errorf("%d entries", n)
	}
	if n := drain(t, v.Rows(1)); n != 3 {
		t.Errorf("%d rows", n)
	}
	for _, reverse := range []bool{false, true} {
		if n := drain(t, v.ScanUnique(1, nil, nil, reverse)); n != 3 {
			t.Errorf("%d keys, reverse %v", n, reverse)
		}
	}
	it := v.ScanSpatial(1, 5, 8, []CellRange{{0, 1<<60 - 1}}, SpatialScan{})
	drain(t, it)
	if s := it.Stats(); s.Superseded > 4*maxSteps || s.Seeks > 4 {
		t.Errorf("an old view walks instead of seeking: %+v", s)
	}
}

func TestCellBudget(t *testing.T) {
	db := openMem(t)
	commit(t, db, map[RowID]string{1: "-a", 2: "-a", 3: "-e", 4: "-e", 5: "-e", 6: "-W", 7: "-W"})
	commit(t, db, map[RowID]string{3: "-i"}) // its tombstone still counts
	v := must[*View](t)(db.NewView())
	defer v.Close()
	all := []CellRange{{0, 0}, {1 << 60, 1 << 60}}
	for budget, want := range map[int]error{0: nil, 3: nil, 2: ErrCellBudget, 1: ErrCellBudget} {
		it := v.ScanSpatial(1, 5, 6, all, SpatialScan{Wide: true, MaxKeysPerCell: budget})
		for it.Next() {
		}
		if !errors.Is(it.Err(), want) {
			t.Errorf("budget %d: %v", budget, it.Err())
		}
		check(t, it.Close())
	}
	for _, none := range []SpatialScan{{}, {Wide: true}} {
		want := 0
		if none.Wide {
			want = 2
		}
		if n := drain(t, v.ScanSpatial(1, 5, 6, nil, none)); n != want {
			t.Errorf("no ranges, wide %v: %d", none.Wide, n)
		}
	}
}

// TestSparseRanges: empty cells cost nothing but what is found on the way.
func TestSparseRanges(t *testing.T) {
	db := openMem(t)
	commit(t, db, map[RowID]string{1: "-a", 2: "-p"})
	v := must[*View](t)(db.NewView())
	defer v.Close()
	var ranges []CellRange
	for c := uint64(0); c < 1000; c++ {
		ranges = append(ranges, CellRange{c << 50, c << 50})
	}
	it := v.ScanSpatial(1, 5, 8, ranges, SpatialScan{})
	if n := drain(t, it); n != 1 {
		t.Errorf("%d entries", n)
	}
	if s := it.Stats(); s.Keys > 2 || s.Seeks > 2 {
		t.Errorf("%+v", s)
	}
}
