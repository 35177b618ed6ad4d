package storage

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"testing"
)

// TestViewsKeepWhatTheySaw: a statement never sees its own writes made after its view was taken, over
// enough rows that the buffer's tree has several levels.
func TestViewsKeepWhatTheySaw(t *testing.T) {
	db := openMem(t)
	txn := db.Begin(ReadCommitted)
	defer txn.Rollback()
	const n = 5000
	for row := RowID(1); row <= n; row++ {
		txn.Put(1, row, fmt.Appendf(nil, "--%d", row))
	}
	v := must[*View](t)(txn.NewView())
	it := v.Rows(1)
	rows := 0
	for it.Next() { // UPDATE … SET, moving rows ahead of the scan
		rows++
		txn.Put(1, it.RowID(), []byte("--new"))
		txn.Put(1, it.RowID()+n, []byte("--new"))
		txn.Delete(1, it.RowID()+1)
		if string(it.Value()) != fmt.Sprintf("--%d", it.RowID()) {
			t.Fatalf("row %d: %q", it.RowID(), it.Value())
		}
	}
	check(t, it.Err())
	if rows != n {
		t.Errorf("%d rows, want %d", rows, n)
	}
	if v.OwnDeletedOrChanged(1) != n || v.OwnDeletedOrChanged(2) != 0 {
		t.Errorf("own rows: %d", v.OwnDeletedOrChanged(1))
	}
	check(t, v.Close())
}

func TestCatalogRecords(t *testing.T) {
	o := openMem(t)
	put := func(kv ...string) Revision {
		txn := o.Begin(ReadCommitted)
		for i := 0; i < len(kv); i += 2 {
			if kv[i+1] == "" {
				txn.DeleteMeta([]byte(kv[i]))
			} else {
				txn.PutMeta([]byte(kv[i]), []byte(kv[i+1]))
			}
		}
		return must[CommitInfo](t)(txn.Commit(bg, nil, CommitOptions{})).Revision
	}
	first := put("r/1", "a", "r/2", "b", "r/\x00", "zero", "s", "c")
	put("r/2", "", "r/3", "d")
	txn := o.Begin(ReadCommitted)
	txn.PutMeta([]byte("r/0"), []byte("own"))
	txn.DeleteMeta([]byte("r/1"))
	sp := txn.Savepoint()
	txn.PutMeta([]byte("r/9"), []byte("undone"))
	txn.RollbackTo(sp)
	txn.PutMeta([]byte("r/4"), []byte("own"))
	scan := func(v *View) string {
		var got []string
		check(t, v.ScanMeta([]byte("r/"), func(key, value []byte) error {
			got = append(got, fmt.Sprintf("%q=%s", key, value))
			one, ok, err := v.GetMeta(key)
			if err != nil || !ok || string(one) != string(value) {
				t.Errorf("%q: %q %v %v, scan says %q", key, one, ok, err, value)
			}
			return nil
		}))
		check(t, v.Close())
		return fmt.Sprint(got)
	}
	if got := scan(must[*View](t)(txn.NewView())); got != `["r/\x00"=zero "r/0"=own "r/3"=d "r/4"=own]` {
		t.Errorf("own: %s", got)
	}
	if got := scan(must[*View](t)(txn.ViewAt(first))); got != `["r/\x00"=zero "r/1"=a "r/2"=b]` {
		t.Errorf("first revision: %s", got)
	}
	if got := scan(must[*View](t)(o.NewView())); got != `["r/\x00"=zero "r/1"=a "r/3"=d]` {
		t.Errorf("newest: %s", got)
	}
	if !txn.HasWrites() {
		t.Error("a catalog change is a write")
	}
	txn.Rollback()
}

// TestOnApply runs in the order of revisions, before the revision is visible, and not for a commit that
// fails.
func TestOnApply(t *testing.T) {
	db := openMem(t)
	var last atomic.Int64
	var wg sync.WaitGroup
	for g := range 8 {
		wg.Go(func() {
			for i := range 50 {
				txn := db.Begin(ReadCommitted)
				txn.Put(1, RowID(g*50+i+1), []byte("--"))
				var mine Revision
				info, err := txn.Commit(bg, nil, CommitOptions{Sync: i%5 == 0, OnApply: func(rev Revision) {
					if mine = rev; int64(rev) <= last.Swap(int64(rev)) {
						t.Errorf("%v out of order", rev)
					}
					if db.Visible() >= rev {
						t.Errorf("%v is visible already", rev)
					}
				}})
				if err != nil || info.Revision != mine || db.Visible() < mine {
					t.Errorf("commit: %v, revision %v, applied as %v", err, info.Revision, mine)
				}
			}
		})
	}
	wg.Wait()

	failing := db.Begin(ReadCommitted)
	failing.Put(1, 1, []byte("--"))
	broken := errors.New("broken")
	_, err := failing.Commit(bg, deriverFunc(func(*Entries) error { return broken }), CommitOptions{
		OnApply: func(Revision) { t.Error("applied") },
	})
	if !errors.Is(err, broken) {
		t.Error(err)
	}
	empty := db.Begin(ReadCommitted)
	empty.Delete(1, 9999)
	info, err := empty.Commit(bg, nil, CommitOptions{OnApply: func(Revision) { t.Error("applied") }})
	if err != nil || info.Revision != 0 || info.Keys != 0 {
		t.Errorf("deleting what is not there: %+v, %v", info, err)
	}
}

type deriverFunc func(out *Entries) error

func (f deriverFunc) Derive(_ RelationID, _ RowID, _, _ []byte, out *Entries) error { return f(out) }

func TestCommitCounts(t *testing.T) {
	db := openMem(t)
	commit(t, db, map[RowID]string{1: "xa1", 2: "yb1", 3: "-W1"})
	txn := db.Begin(ReadCommitted)
	before := must[*View](t)(txn.NewView())
	defer before.Close()
	txn.Put(1, 1, []byte("xb2")) // next cell at precision 8, same at 6; same key
	txn.Put(1, 2, []byte("zp2")) // other cells, other key
	txn.Delete(1, 3)             // leaves two wide lists
	middle := must[*View](t)(txn.NewView())
	defer middle.Close()
	txn.Put(1, 1, []byte("-a3")) // back; gives the key up
	want := CommitInfo{Rows: 3, SpatialLive: 4, SpatialTombstones: 4, Keys: 3 + 8 + 3}

	got := must[CommitInfo](t)(txn.DryDerive(testDeriver{}, before))
	got.Bytes = 0
	if got != want {
		t.Errorf("dry: %+v, want %+v", got, want)
	}
	got = must[CommitInfo](t)(txn.DryDerive(testDeriver{}, middle))
	got.Bytes = 0
	if want := (CommitInfo{Rows: 1, SpatialLive: 2, SpatialTombstones: 1, Keys: 1 + 3 + 1}); got != want {
		t.Errorf("dry, last statement: %+v, want %+v", got, want)
	}
	got = must[CommitInfo](t)(txn.Commit(bg, testDeriver{}, CommitOptions{Sync: true}))
	if got.Bytes < 14*20 || got.Revision == 0 {
		t.Errorf("%+v", got)
	}
	got.Bytes, got.Revision, got.Wait = 0, 0, 0
	if got != want {
		t.Errorf("commit: %+v, want %+v", got, want)
	}
}

// TestUniqueInOneCommit: a key given up by one row and claimed by another belongs to the latter; one
// claimed twice fails the commit.
func TestUniqueInOneCommit(t *testing.T) {
	db := openMem(t)
	derive := func(rows ...string) (CommitInfo, error) {
		txn := db.Begin(ReadCommitted)
		for i, value := range rows {
			txn.Put(1, RowID(i+1), []byte(value))
		}
		return txn.Commit(bg, swapDeriver{}, CommitOptions{})
	}
	holder := func(key string) RowID {
		txn := db.Begin(ReadCommitted)
		defer txn.Rollback()
		row, ok, err := txn.LookupLatest(1, []byte(key))
		check(t, err)
		if !ok {
			return 0
		}
		return row
	}
	must[CommitInfo](t)(derive("a", "b"))
	must[CommitInfo](t)(derive("b", "a"))
	if holder("a") != 2 || holder("b") != 1 {
		t.Errorf("after the swap a: %d, b: %d", holder("a"), holder("b"))
	}
	must[CommitInfo](t)(derive("c", "b"))
	if holder("a") != 0 || holder("b") != 2 || holder("c") != 1 {
		t.Errorf("a: %d, b: %d, c: %d", holder("a"), holder("b"), holder("c"))
	}
	if _, err := derive("d", "d"); !errors.Is(err, ErrUnique) {
		t.Errorf("two rows with one key: %v", err)
	}
	txn := db.Begin(ReadCommitted)
	txn.PutUnique(1, []byte("e"), 7)
	txn.DeleteUnique(1, []byte("b"))
	if row, ok, err := txn.LookupLatest(1, []byte("e")); err != nil || !ok || row != 7 {
		t.Errorf("own key: %d %v %v", row, ok, err)
	}
	if _, ok, err := txn.LookupLatest(1, []byte("b")); err != nil || ok {
		t.Errorf("own key given up: %v %v", ok, err)
	}
	txn.Rollback()
}

// swapDeriver makes the value the unique key.
type swapDeriver struct{}

func (swapDeriver) Derive(_ RelationID, _ RowID, old, cur []byte, out *Entries) error {
	if cur != nil {
		out.SetUnique(1, cur)
	}
	if old != nil {
		out.DeleteUnique(1, old)
	}
	return nil
}

// TestEntryBeatsTombstone: for one cell in one commit, whatever the order of the calls; and a cell set twice
// is written once.
func TestEntryBeatsTombstone(t *testing.T) {
	db := openMem(t)
	txn := db.Begin(ReadCommitted)
	txn.Put(1, 1, []byte("--"))
	info := must[CommitInfo](t)(txn.Commit(bg, deriverFunc(func(out *Entries) error {
		out.SetSpatial(5, 6, 1<<40, false, []byte("first"))
		out.TombstoneSpatial(5, 6, 1<<40, false)
		out.TombstoneSpatial(5, 6, 2<<40, false)
		out.SetSpatial(5, 6, 2<<40, false, []byte("second"))
		out.SetSpatial(5, 6, 1<<40, false, []byte("last"))
		out.TombstoneSpatial(5, 6, 3<<40, false)
		out.TombstoneSpatial(5, 6, 3<<40, false)
		out.SetSpatial(5, 6, 12345, true, []byte("wide"))
		return nil
	}), CommitOptions{}))
	if info.SpatialLive != 3 || info.SpatialTombstones != 1 {
		t.Errorf("%+v", info)
	}
	v := must[*View](t)(db.NewView())
	defer v.Close()
	it := v.ScanSpatial(1, 5, 6, []CellRange{{1 << 40, 3 << 40}}, SpatialScan{Wide: true})
	var got []string
	for it.Next() {
		got = append(got, fmt.Sprintf("%d:%s@%v", it.Cell()>>40, it.Value(), it.Revision() == info.Revision))
	}
	check(t, it.Close())
	if fmt.Sprint(got) != "[1:last@true 2:second@true 0:wide@true]" {
		t.Errorf("%v", got)
	}
}

func TestFinishedTransaction(t *testing.T) {
	db := openMem(t)
	txn := db.Begin(ReadCommitted)
	txn.Put(1, 1, []byte("--1"))
	must[CommitInfo](t)(txn.Commit(bg, nil, CommitOptions{}))
	txn.Put(1, 1, []byte("--2"))
	txn.RollbackTo(Savepoint{})
	txn.Rollback()
	_, err := txn.Commit(bg, nil, CommitOptions{})
	for what, err := range map[string]error{
		"Commit": err, "CheckWrite": func() error { txn.iso = RepeatableRead; return txn.CheckWrite(1, 1) }(),
		"LockKey": txn.LockKey(bg, 1, nil),
		"NewView": second(txn.NewView()), "NewLatestView": second(txn.NewLatestView()), "ViewAt": second(txn.ViewAt(1)),
		"DryDerive": second(txn.DryDerive(nil, nil)),
	} {
		if !errors.Is(err, ErrTxnDone) {
			t.Errorf("%s: %v", what, err)
		}
	}
	v := must[*View](t)(db.NewView())
	if get(t, v, 1) != "--1" {
		t.Error("written after the end")
	}
	check(t, v.Close())
	check(t, v.Close())
	if _, _, _, err := v.Get(1, 1); err == nil {
		t.Error("a closed view reads")
	}
	if it := v.Rows(1); it.Next() || it.Err() == nil {
		t.Error("a closed view scans")
	}
}

func second[T any](_ T, err error) error { return err }

// TestBoundContext: a long scan ends with the cause of its context, as does a long commit.
func TestBoundContext(t *testing.T) {
	db := openMem(t)
	txn := db.Begin(ReadCommitted)
	for row := RowID(1); row <= 3*checkEvery; row++ {
		txn.Put(1, row, []byte("xa"))
	}
	must[CommitInfo](t)(txn.Commit(bg, testDeriver{}, CommitOptions{}))
	why := errors.New("cancelled")
	ctx, cancel := context.WithCancelCause(bg)
	cancel(why)
	v := must[*View](t)(db.NewView())
	defer v.Close()
	v.Bind(ctx)
	for name, it := range map[string]iterator{
		"rows": v.Rows(1), "keys": v.ScanUnique(1, nil, nil, false), "back": v.ScanUnique(1, nil, nil, true),
		"cells": v.ScanSpatial(1, 5, 6, []CellRange{{0, 1 << 62}}, SpatialScan{}),
	} {
		n := 0
		for it.Next() {
			n++
		}
		if !errors.Is(it.Err(), why) || n > checkEvery {
			t.Errorf("%s: %d read, %v", name, n, it.Err())
		}
		check(t, it.Close())
	}
	long := db.Begin(ReadCommitted)
	for row := RowID(1); row <= 3*checkEvery; row++ {
		long.Put(1, row, []byte("xb"))
	}
	if _, err := long.Commit(ctx, testDeriver{}, CommitOptions{}); !errors.Is(err, why) {
		t.Errorf("commit: %v", err)
	}
}

func TestTooLarge(t *testing.T) {
	db := openMem(t)
	txn := db.Begin(ReadCommitted)
	txn.Put(1, 1, []byte("--"))
	sp, small := txn.Savepoint(), txn.Bytes()
	big := make([]byte, 1<<20)
	for row := RowID(1); txn.Bytes() <= MaxCommitBytes; row++ {
		txn.Put(1, row, big)
	}
	txn.RollbackTo(sp)
	if txn.Bytes() != small {
		t.Errorf("%d bytes after rolling back, want %d", txn.Bytes(), small)
	}
	must[CommitInfo](t)(txn.Commit(bg, nil, CommitOptions{}))

	txn = db.Begin(ReadCommitted)
	for row := RowID(1); row <= MaxCommitBytes>>20; row++ {
		txn.Put(1, row, big)
	}
	if _, err := txn.Commit(bg, nil, CommitOptions{}); !errors.Is(err, ErrTooLarge) {
		t.Errorf("commit of %d bytes: %v", MaxCommitBytes, err)
	}
}
