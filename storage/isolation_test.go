package storage

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"strconv"
	"sync"
	"sync/atomic"
	"testing"
)

func get(t testing.TB, v *View, row RowID) string {
	t.Helper()
	value, _, _, err := v.Get(1, row)
	check(t, err)
	return string(value)
}

// TestReadCommittedLooksAgain: who waited for a row sees what the other has made of it.
func TestReadCommittedLooksAgain(t *testing.T) {
	db := openMem(t)
	commit(t, db, map[RowID]string{1: "--10"})
	a, b := db.Begin(ReadCommitted), db.Begin(ReadCommitted)
	view := must[*View](t)(b.NewView())
	if get(t, view, 1) != "--10" {
		t.Fatal("not there")
	}
	must[bool](t)(a.LockRow(bg, 1, 1, ForNoKeyUpdate, Wait))
	a.Put(1, 1, []byte("--11"))
	var wg sync.WaitGroup
	wg.Go(func() {
		waitFor(t, "b waiting", func() bool { return waiters(db, 1) == 1 })
		if _, err := a.Commit(bg, testDeriver{}, CommitOptions{Sync: true}); err != nil {
			t.Error(err)
		}
	})
	waited, err := b.LockRow(bg, 1, 1, ForNoKeyUpdate, Wait)
	if err != nil || !waited {
		t.Fatalf("waited %v, %v", waited, err)
	}
	if changed := must[bool](t)(view.Changed(1, 1)); !changed {
		t.Error("the row has not changed")
	}
	if changed := must[bool](t)(view.Changed(1, 2)); changed {
		t.Error("a row nobody wrote has changed")
	}
	if get(t, view, 1) != "--10" {
		t.Error("the statement's view has moved")
	}
	again := must[*View](t)(b.NewLatestView())
	if get(t, again, 1) != "--11" {
		t.Error("the newest version is not there")
	}
	value, rev, ok, err := b.GetLatest(1, 1)
	if err != nil || !ok || string(value) != "--11" || rev != again.Revision() {
		t.Errorf("GetLatest: %q %v %v %v", value, rev, ok, err)
	}
	check(t, b.CheckWrite(1, 1))
	b.Put(1, 1, []byte("--12"))
	if value, _, _, _ := b.GetLatest(1, 1); string(value) != "--12" {
		t.Errorf("GetLatest of an own write: %q", value)
	}
	check(t, view.Close())
	check(t, again.Close())
	must[CommitInfo](t)(b.Commit(bg, testDeriver{}, CommitOptions{}))
	wg.Wait()
}

func TestRepeatableRead(t *testing.T) {
	db := openMem(t)
	commit(t, db, map[RowID]string{1: "--1", 2: "--1"})
	txn := db.Begin(RepeatableRead)
	check(t, must[*View](t)(txn.NewView()).Close())
	commit(t, db, map[RowID]string{1: "--2"})
	v := must[*View](t)(txn.NewView())
	if get(t, v, 1) != "--1" {
		t.Error("the snapshot has moved")
	}
	check(t, v.Close())
	check(t, txn.CheckWrite(1, 2))
	if err := txn.CheckWrite(1, 1); !errors.Is(err, ErrSerialization) {
		t.Errorf("write to a changed row: %v", err)
	}
	txn.Put(1, 1, []byte("--3"))
	if _, err := txn.Commit(bg, testDeriver{}, CommitOptions{}); !errors.Is(err, ErrSerialization) {
		t.Errorf("commit of it: %v", err)
	}
	if _, err := txn.NewView(); !errors.Is(err, ErrTxnDone) {
		t.Errorf("after a failed commit: %v", err)
	}
}

// TestWriteSkew: two transactions read both rows and each clears the other one. Snapshot isolation lets
// both commit, SERIALIZABLE must not. Each way of reading must be noticed.
func TestWriteSkew(t *testing.T) {
	ways := map[string]func(v *View){
		"row":    func(v *View) { get(t, v, 1); get(t, v, 2) },
		"absent": func(v *View) { get(t, v, 3); get(t, v, 4) },
		"rows":   func(v *View) { drain(t, v.Rows(1)) },
		"old":    func(v *View) { drain(t, v.Versions(1)) },
		"cells":  func(v *View) { drain(t, v.ScanSpatial(1, 5, 6, []CellRange{{0, 1<<64 - 1}}, SpatialScan{})) },
		"keys":   func(v *View) { drain(t, v.ScanUnique(1, nil, nil, false)) },
		"key": func(v *View) {
			for _, key := range [][]byte{uniqueKeyOf(1, 'x'), uniqueKeyOf(2, 'x')} {
				_, _, err := v.LookupUnique(1, key)
				check(t, err)
			}
		},
		"absent key": func(v *View) {
			for _, key := range [][]byte{uniqueKeyOf(3, 'y'), uniqueKeyOf(4, 'y')} {
				_, _, err := v.LookupUnique(1, key)
				check(t, err)
			}
		},
	}
	for way, read := range ways {
		for _, iso := range []Isolation{RepeatableRead, Serializable} {
			t.Run(fmt.Sprint(way, iso), func(t *testing.T) {
				db := openMem(t)
				commit(t, db, map[RowID]string{1: "xa1", 2: "xa1"})
				write := map[bool]func(txn *Txn, mine int){
					false: func(txn *Txn, mine int) { txn.Put(1, RowID(mine), []byte("-a0")) },
					true:  func(txn *Txn, mine int) { txn.Put(1, RowID(mine+2), []byte("ya0")) },
				}[way == "absent" || way == "absent key"]
				a, b := db.Begin(iso), db.Begin(iso)
				for i, txn := range []*Txn{a, b} {
					v := must[*View](t)(txn.NewView())
					read(v)
					check(t, v.Close())
					write(txn, i+1)
				}
				must[CommitInfo](t)(a.Commit(bg, testDeriver{}, CommitOptions{}))
				_, err := b.Commit(bg, testDeriver{}, CommitOptions{})
				if want := iso == Serializable; want != errors.Is(err, ErrSerialization) {
					t.Errorf("second commit: %v", err)
				}
				if _, err := db.Begin(ReadCommitted).Commit(bg, nil, CommitOptions{}); err != nil {
					t.Errorf("after it: %v", err)
				}
				commit(t, db, map[RowID]string{9: "--9"}) // the pipeline goes on
			})
		}
	}
}

type iterator interface {
	Next() bool
	Err() error
	Close() error
}

func drain(t testing.TB, it iterator) (n int) {
	t.Helper()
	for it.Next() {
		n++
	}
	check(t, it.Err())
	check(t, it.Close())
	return n
}

// TestSerializablePoints: single rows of one relation do not get into each other's way, and readers never
// fail.
func TestSerializablePoints(t *testing.T) {
	db := openMem(t)
	commit(t, db, map[RowID]string{1: "xa1", 2: "xa1"})
	a, b, reader := db.Begin(Serializable), db.Begin(Serializable), db.Begin(Serializable)
	for i, txn := range []*Txn{a, b} {
		v := must[*View](t)(txn.NewView())
		get(t, v, RowID(i+1))
		check(t, v.Close())
		txn.Put(1, RowID(i+1), []byte("xa2"))
	}
	v := must[*View](t)(reader.NewView())
	if n := drain(t, v.Rows(1)); n != 2 {
		t.Errorf("%d rows", n)
	}
	check(t, v.Close())
	must[CommitInfo](t)(a.Commit(bg, testDeriver{}, CommitOptions{}))
	must[CommitInfo](t)(b.Commit(bg, testDeriver{}, CommitOptions{}))
	must[CommitInfo](t)(reader.Commit(bg, testDeriver{}, CommitOptions{}))
}

// TestSerializableConcurrent lets workers keep the invariant "at most one of each pair is set" by reading
// both and setting one: any write skew breaks it.
func TestSerializableConcurrent(t *testing.T) {
	db := openMem(t)
	const pairs = 4
	var failed, done atomic.Int32
	var wg sync.WaitGroup
	for g := range 4 {
		wg.Go(func() {
			rng := rand.New(rand.NewPCG(uint64(g), 3))
			for range 150 {
				pair := RowID(rng.IntN(pairs))
				mine, other := pair*2+1+RowID(g%2), pair*2+2-RowID(g%2)
				txn := db.Begin(Serializable)
				v := must[*View](t)(txn.NewView())
				_, _, mineSet, err := v.Peek(1, mine)
				check(t, err)
				_, _, otherSet, err := v.Peek(1, other)
				check(t, err)
				check(t, v.Close())
				if _, err := txn.LockRow(bg, 1, mine, ForUpdate, Wait); err != nil {
					t.Error(err)
				}
				switch {
				case mineSet:
					txn.Delete(1, mine)
				case !otherSet:
					txn.Put(1, mine, []byte("-a"))
				}
				switch _, err := txn.Commit(bg, testDeriver{}, CommitOptions{}); {
				case errors.Is(err, ErrSerialization):
					failed.Add(1)
				case err != nil:
					t.Error(err)
				default:
					done.Add(1)
				}
			}
		})
	}
	stop := make(chan struct{})
	var watch sync.WaitGroup
	watch.Go(func() {
		for {
			v, err := db.NewView()
			if err != nil {
				t.Error(err)
				return
			}
			for pair := range RowID(pairs) {
				_, _, a, _ := v.Peek(1, pair*2+1)
				_, _, b, _ := v.Peek(1, pair*2+2)
				if a && b {
					t.Errorf("pair %d: both set at %v", pair, v.Revision())
				}
			}
			v.Close()
			select {
			case <-stop:
				return
			default:
			}
		}
	})
	wg.Wait()
	close(stop)
	watch.Wait()
	t.Logf("%d committed, %d failed", done.Load(), failed.Load())
	if done.Load() == 0 {
		t.Error("nobody ever committed")
	}
}

// TestConcurrentTransfers moves amounts between rows under row locks. Each view, old or new, sees the same
// sum, and the index the rows it should.
func TestConcurrentTransfers(t *testing.T) {
	db := openMem(t)
	const rows, total = 12, 12 * 100
	start := map[RowID]string{}
	for row := RowID(1); row <= rows; row++ {
		start[row] = "xa100"
	}
	commit(t, db, start)
	amount := func(value []byte) int {
		n, err := strconv.Atoi(string(value[2:]))
		check(t, err)
		return n
	}
	var wg sync.WaitGroup
	for g := range 4 {
		wg.Go(func() {
			rng := rand.New(rand.NewPCG(uint64(g), 4))
			for range 200 {
				txn := db.Begin(ReadCommitted)
				from, to := RowID(1+rng.IntN(rows)), RowID(1+rng.IntN(rows))
				if from == to {
					continue
				}
				ok := true
				for _, row := range []RowID{from, to} {
					if _, err := txn.LockRow(bg, 1, row, ForUpdate, Wait); errors.Is(err, ErrDeadlock) {
						ok = false
						break
					} else if err != nil {
						t.Error(err)
					}
				}
				if ok {
					a, _, _, err := txn.GetLatest(1, from)
					check(t, err)
					b, _, _, err := txn.GetLatest(1, to)
					check(t, err)
					n := rng.IntN(10)
					txn.Put(1, from, fmt.Appendf(nil, "x%c%d", 'a'+rng.IntN(16), amount(a)-n))
					txn.Put(1, to, fmt.Appendf(nil, "x%c%d", 'a'+rng.IntN(16), amount(b)+n))
					if _, err := txn.Commit(bg, testDeriver{}, CommitOptions{Sync: n == 0}); err != nil {
						t.Error(err)
					}
				}
				txn.Rollback()
			}
		})
	}
	stop := make(chan struct{})
	var watch sync.WaitGroup
	for g := range 2 {
		watch.Go(func() {
			rng := rand.New(rand.NewPCG(uint64(g), 5))
			for {
				select {
				case <-stop:
					return
				default:
				}
				txn := db.Begin(RepeatableRead)
				v, err := txn.NewView()
				check(t, err)
				if rng.IntN(2) == 0 {
					v.Close()
					v, err = txn.ViewAt(v.Revision() - Revision(rng.IntN(50)<<20))
					check(t, err)
				}
				sum, n := 0, 0
				for it := v.Rows(1); ; {
					if !it.Next() {
						check(t, it.Err())
						check(t, it.Close())
						break
					}
					sum += amount(it.Value())
					n++
				}
				if n > 0 && (sum != total || n != rows) {
					t.Errorf("sum %d of %d rows at %v", sum, n, v.Revision())
				}
				for _, prec := range []uint8{6, 8} {
					sum := 0
					it := v.ScanSpatial(1, 5, prec, []CellRange{{0, 1<<64 - 1}}, SpatialScan{})
					for it.Next() {
						sum += amount(it.Value())
					}
					check(t, it.Err())
					if n > 0 && sum != total {
						t.Errorf("sum %d in the index at %v", sum, v.Revision())
					}
				}
				v.Close()
				txn.Rollback()
			}
		})
	}
	wg.Wait()
	close(stop)
	watch.Wait()
	checkNoLocks(t, db)
}
