package relation

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/cockroachdb/pebble/v2/vfs"

	"raisind/catalog"
	"raisind/storage"
)

// mover moves rows at random as a session would: it locks a row before it writes it.
type mover struct {
	h    *house
	r    *catalog.Relation
	rows int
	rng  *rand.Rand
}

func (m *mover) move() error {
	id := storage.RowID(m.rng.IntN(m.rows) + 1)
	txn := m.h.db.Begin(storage.ReadCommitted)
	defer txn.Rollback()
	if _, err := txn.LockRow(context.Background(), m.r.ID, id, storage.ForUpdate, storage.Wait); err != nil {
		return err
	}
	if m.rng.IntN(20) == 0 {
		v, err := m.h.db.NewView()
		if err != nil {
			return err
		}
		_, _, ok, err := v.Get(m.r.ID, id)
		v.Close()
		if err != nil {
			return err
		}
		if ok {
			txn.Delete(m.r.ID, id)
		}
	} else {
		txn.Put(m.r.ID, id, encode(m.h.t, m.r, node(m.h.t, m.r, fmt.Sprintf("/%d", id), point(13+m.rng.Float64(), 52+m.rng.Float64()))))
	}
	deriver, ended := m.h.ix.Committing(m.h.cat.Current())
	_, err := txn.Commit(context.Background(), deriver, storage.CommitOptions{})
	ended()
	return err
}

// While an index is rebuilt to other precisions and back, rows move; every precision
// that is said to be usable holds what the rows call for, at every moment.
func TestRebuildWhileRowsMove(t *testing.T) {
	h := newHouse(t)
	r := h.workspace("fleet")
	const rows = 1200
	for i := range rows {
		h.put(r, storage.RowID(i+1), point(13+float64(i)/rows, 52))
	}
	stop := make(chan struct{})
	var wg sync.WaitGroup
	for w := range 4 {
		wg.Go(func() {
			m := &mover{h: h, r: r, rows: rows, rng: rand.New(rand.NewPCG(uint64(w), 1))}
			for {
				select {
				case <-stop:
					return
				default:
				}
				if err := m.move(); err != nil {
					t.Error(err)
					return
				}
			}
		})
	}
	wg.Go(func() { // verify all the time
		for {
			select {
			case <-stop:
				return
			default:
			}
			v, err := h.db.NewView()
			if err != nil {
				t.Error(err)
				return
			}
			s, _ := h.ix.State(r.ID, "position")
			use := *s
			use.Precisions = s.Usable(v.Revision())
			cur, _ := h.cat.Current().ByID(r.ID)
			c := newComparison(v, cur, []*State{&use})
			err = c.rows(nil)
			v.Close()
			if got := c.seen["position"].got; err != nil || got.Missing > 0 {
				t.Errorf("usable %v: %d entries missing, such as %s, %v", use.Precisions, got.Missing, got.Example, err)
				return
			}
		}
	})
	for _, precisions := range [][]int{{8, 6}, {7, 5, 4}, {12, 1}, {8, 6}} {
		cur, _ := h.cat.Current().ByID(r.ID)
		h.alter(cur, "position", &catalog.PolicyOverride{Precisions: precisions})
		if _, err := h.ix.Rebuild(context.Background(), r.ID, ""); err != nil {
			t.Fatal(err)
		}
		s, _ := h.ix.State(r.ID, "position")
		if s.Phase != Ready || !slices.Equal(s.Precisions, precisions) || !slices.Equal(s.Held, precisions) {
			t.Errorf("after the rebuild: %+v", s)
		}
	}
	close(stop)
	wg.Wait()
	h.check()
}

// A precision is usable as soon as it is complete, long before the end; the old ones
// stay so until then. A cancelled rebuild leaves what is complete.
func TestPrecisionsBecomeUsable(t *testing.T) {
	h := newHouse(t)
	r := h.alter(h.workspace("fleet"), "position", &catalog.PolicyOverride{Precisions: []int{5}})
	for i := range 50 {
		h.put(r, storage.RowID(i+1), point(float64(i), 52))
	}
	r = h.alter(r, "position", &catalog.PolicyOverride{Precisions: []int{9, 6}})
	// The last row is locked: precision 6 waits for it.
	txn := h.db.Begin(storage.ReadCommitted)
	if _, err := txn.LockRow(context.Background(), r.ID, 50, storage.ForUpdate, storage.Wait); err != nil {
		t.Fatal(err)
	}
	j, err := h.ix.StartRebuild(r.ID, "position")
	if err != nil {
		t.Fatal(err)
	}
	usable := func() []int {
		s, _ := h.ix.State(r.ID, "position")
		return s.Precisions
	}
	for j.Progress().Done < 50 {
		time.Sleep(time.Millisecond)
	}
	if got := usable(); !slices.Equal(got, []int{5}) {
		t.Errorf("usable while 6 is written: %v", got)
	}
	next := h.db.Begin(storage.ReadCommitted)
	wait := make(chan error)
	go func() { // behind the rebuild's own lock of the row
		_, err := next.LockRow(context.Background(), r.ID, 49, storage.ForUpdate, storage.Wait)
		wait <- err
	}()
	if err := <-wait; err != nil { // nobody waits for the rebuild while it waits
		t.Fatal(err)
	}
	txn.Rollback()
	for !slices.Contains(usable(), 6) {
		time.Sleep(time.Millisecond)
	}
	if got := usable(); !slices.Equal(got, []int{6, 5}) {
		t.Errorf("usable while 9 is written: %v", got)
	}
	if !h.ix.CancelRebuild(j.ID) {
		t.Error("there is nothing to cancel")
	}
	if _, err := j.Wait(context.Background()); !errors.Is(err, errCancelled) {
		t.Errorf("cancelled rebuild: %v", err)
	}
	next.Rollback()
	s, _ := h.ix.State(r.ID, "position")
	if health, err := h.ix.Health(context.Background(), r, s); err != nil || s.Phase != Ready || !health.NeedsRebuild {
		t.Errorf("after the cancel: %+v, %v", s, err)
	}
	h.check()
	if n := len(h.ix.Rebuilds()); n != 1 || h.ix.CancelRebuild(j.ID) {
		t.Errorf("%d jobs", n)
	}
	h.restart()
	if err := h.ix.ResumeRebuilds(); err != nil || len(h.ix.Rebuilds()) != 0 {
		t.Errorf("a cancelled job came back: %v", err)
	}
	if _, err := h.ix.Rebuild(context.Background(), r.ID, ""); err != nil {
		t.Fatal(err)
	}
	if got := usable(); !slices.Equal(got, []int{9, 6}) {
		t.Errorf("usable in the end: %v", got)
	}
	h.check()
}

func knownJobs(ix *Indexer) []*Job {
	ix.jobs.mu.Lock()
	defer ix.jobs.mu.Unlock()
	return slices.Clone(ix.jobs.all)
}

// A rebuild that a crash ended goes on at the next start, and what is complete was
// complete before the crash as well.
func TestRebuildGoesOnAfterCrash(t *testing.T) {
	fs := vfs.NewCrashableMem()
	h := &house{t: t, fs: fs}
	h.open()
	r := h.workspace("fleet")
	const rows = 3 * rebuildBatchRows
	h.do(func(txn *storage.Txn, _ *catalog.Tx) {
		for i := range rows {
			txn.Put(r.ID, storage.RowID(i+1), encode(t, r, node(t, r, fmt.Sprintf("/n%d", i), point(float64(i)/100, 52))))
		}
	})
	r = h.alter(r, "position", &catalog.PolicyOverride{Precisions: []int{8, 5, 3}})
	j, err := h.ix.StartRebuild(r.ID, "")
	if err != nil {
		t.Fatal(err)
	}
	rng := rand.New(rand.NewPCG(1, 2))
	var crashes []vfs.FS
	for n := 0; !j.hasEnded(); n++ {
		if n%20 == 0 {
			if err := h.db.Flush(); err != nil {
				t.Fatal(err)
			}
		}
		crashes = append(crashes, fs.CrashClone(vfs.CrashCloneCfg{UnsyncedDataPercent: 50, RNG: rng}))
		time.Sleep(2 * time.Millisecond)
	}
	if _, err := j.Wait(context.Background()); err != nil {
		t.Fatal(err)
	}
	h.db.Close()
	resumed := 0
	for i := 0; i < len(crashes); i += 1 + len(crashes)/12 {
		c := &house{t: t, fs: crashes[i]}
		c.open()
		c.check()
		if err := c.ix.ResumeRebuilds(); err != nil {
			t.Fatal(err)
		}
		for _, j := range knownJobs(c.ix) {
			resumed++
			if _, err := j.Wait(context.Background()); err != nil {
				t.Fatal(err)
			}
			s, _ := c.ix.State(r.ID, "position")
			if s.Phase != Ready || !slices.Equal(s.Precisions, []int{8, 5, 3}) {
				t.Errorf("after crash %d: %+v", i, s)
			}
		}
		c.check()
		c.ix.Close()
		c.db.Close()
	}
	t.Logf("%d crashes, %d jobs went on", len(crashes), resumed)
}

// Rebuilds of one relation take turns; closing the indexer ends them for the time
// being, and the next start takes them up.
func TestRebuildsTakeTurns(t *testing.T) {
	h := newHouse(t)
	r := h.alter(h.workspace("fleet"), "position", &catalog.PolicyOverride{Precisions: []int{6}})
	h.put(r, 1, point(1, 1))
	r = h.alter(r, "position", &catalog.PolicyOverride{Precisions: []int{4}})
	txn := h.db.Begin(storage.ReadCommitted)
	if _, err := txn.LockRow(context.Background(), r.ID, 1, storage.ForUpdate, storage.Wait); err != nil {
		t.Fatal(err)
	}
	for range 2 {
		if _, err := h.ix.StartRebuild(r.ID, "position"); err != nil {
			t.Fatal(err)
		}
	}
	working := func() (n int) {
		for _, p := range h.ix.Rebuilds() {
			if p.Phase != "waiting for its turn" && !p.Ended {
				n++
			}
		}
		return n
	}
	for working() == 0 {
		time.Sleep(time.Millisecond)
	}
	if n := working(); n != 1 {
		t.Errorf("%d rebuilds work at once", n)
	}
	h.ix.Close()
	txn.Rollback()
	if _, err := h.ix.StartRebuild(r.ID, ""); !errors.Is(err, storage.ErrClosed) {
		t.Errorf("after Close: %v", err)
	}
	h.restart()
	if err := h.ix.ResumeRebuilds(); err != nil {
		t.Fatal(err)
	}
	all := knownJobs(h.ix)
	if len(all) < 2 {
		t.Errorf("%d jobs were taken up", len(all))
	}
	for _, j := range all {
		if _, err := j.Wait(context.Background()); err != nil {
			t.Error(err)
		}
	}
	s, _ := h.ix.State(r.ID, "position")
	if !slices.Equal(s.Held, []int{4}) {
		t.Errorf("in the end: %+v", s)
	}
	h.check()
}

// The barrier waits for commits that entered before it, not for later ones.
func TestBarrier(t *testing.T) {
	var f inFlight
	leave := f.enter()
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if err := f.barrier(ctx); err == nil {
		t.Error("passed a commit in flight")
	}
	later := f.enter()
	ended := make(chan error)
	go func() { ended <- f.barrier(context.Background()) }()
	select {
	case <-ended:
		t.Error("a commit left by an earlier barrier was passed")
	case <-time.After(10 * time.Millisecond):
	}
	leave()
	later()
	if err := <-ended; err != nil {
		t.Error(err)
	}
	last := f.enter()
	defer last()
	if err := f.barrier(ctx); err == nil {
		t.Error("passed a commit in flight")
	}
}

// A row set counts each row once.
func TestRowSet(t *testing.T) {
	var s rowSet
	for _, id := range []storage.RowID{1, 64, 1, 1 << 15, 1<<15 - 1, 64, 1 << 40} {
		s.add(id)
	}
	if s.n != 5 {
		t.Errorf("%d rows, want 5", s.n)
	}
}
