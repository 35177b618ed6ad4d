package storage

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/cockroachdb/pebble/v2/vfs"

	"raisind/storage/keys"
)

// TestPruneModel is TestModel on stores that prune a lot, sweep, vacuum and crash. Once everything has aged
// and no view is open, exactly what exists now is left.
func TestPruneModel(t *testing.T) {
	seeds, steps := 16, 2000
	if testing.Short() {
		seeds = 6
	}
	for seed := range seeds {
		t.Run(fmt.Sprint("seed", seed), func(t *testing.T) {
			m := &model{t: t, rng: rand.New(rand.NewPCG(uint64(seed), 2)), fs: vfs.NewCrashableMem(), counts: map[string]int{}}
			m.opts, m.clock = pruneOptions(m.fs)
			m.opts.MemTableBytes = minMemTableBytes
			m.opts.Prune.KeepRevisions = 1 + m.rng.IntN(3)
			m.opts.Prune.Retention = time.Duration(1+m.rng.IntN(200)) * time.Millisecond
			m.openPruned()
			t.Cleanup(func() { closeStore(t, m.db) })
			m.hist = []modelVersion{{0, contents{}}}
			for m.step = 0; m.step < steps; m.step++ {
				m.random()
			}
			m.reopen()
			m.retain()
			m.checkPruned()
		})
	}
}

func (m *model) ifPruning(weight int) int {
	if m.clock == nil {
		return 0
	}
	return weight
}

func (m *model) openPruned() {
	m.db = openStore(m.t, m.opts)
	m.retain()
}

// retain keeps 100 ms of relation 1, and all of relation 2 for some of the seeds.
func (m *model) retain() {
	if m.clock == nil {
		return
	}
	forever := m.opts.Prune.KeepRevisions == 3
	m.db.SetHistoryRetention(func(rel RelationID) (time.Duration, bool) {
		return 100 * time.Millisecond, rel == 2 && forever
	})
}

func (m *model) vacuum() {
	switch m.rng.IntN(5) {
	case 0:
		check(m.t, m.db.Sweep(bg))
	case 1:
		rel := RelationID(1 + m.rng.IntN(2))
		check(m.t, m.db.Vacuum(bg, rel, []IndexID{IndexID(rel)}))
	case 2:
		check(m.t, m.db.VacuumAll(bg))
	case 3:
		m.db.pruner.requestSweep()
		settle(m.t, m.db)
	case 4:
		settle(m.t, m.db)
	}
	m.compareHead()
}

// crash goes on with what a crash leaves: all commits up to one.
func (m *model) crash() {
	for len(m.views) > 0 {
		m.closeView()
	}
	for len(m.txns) > 0 {
		m.rollback()
	}
	clone := m.fs.(*vfs.MemFS).CrashClone(vfs.CrashCloneCfg{
		UnsyncedDataPercent: []int{0, 50, 100}[m.rng.IntN(3)], RNG: rand.New(rand.NewPCG(m.rng.Uint64(), 0)),
	})
	closeStore(m.t, m.db)
	m.fs, m.opts.FS = clone, clone
	m.openPruned()
	for m.newest().rev > m.db.Visible() {
		m.hist = m.hist[:len(m.hist)-1]
	}
	if m.newest().rev != m.db.Visible() {
		m.fatalf("visible %v after a crash, which no commit had; %v is next", m.db.Visible(), m.newest().rev)
	}
	m.compareHead()
}

func (m *model) compareHead() {
	m.t.Helper()
	v := must[*View](m.t)(m.db.NewView())
	m.compare(&modelView{v: v, rev: m.newest().rev, base: m.newest().rows, own: contents{}})
	check(m.t, v.Close())
}

// rowsGone tells whether v lies below the horizon of rel, where every read must fail.
func (m *model) rowsGone(v *modelView, rel RelationID) bool {
	m.t.Helper()
	if !v.history || v.rev >= m.db.Horizon(rel) {
		return false
	}
	_, _, _, err := v.v.Get(rel, 1)
	m.tooOld(err)
	for _, it := range []iterator{v.v.Rows(rel), v.v.Versions(rel), v.v.ScanSpatial(rel, 5, 8, []CellRange{{0, 1}}, SpatialScan{})} {
		if it.Next() {
			m.fatalf("a row of %d at %v, below the horizon", rel, v.rev)
		}
		m.tooOld(it.Err())
		check(m.t, it.Close())
	}
	m.counts["rows gone"]++
	return true
}

// indexGone tells whether v lies below where the indexes reach back to.
func (m *model) indexGone(v *modelView, rel RelationID) bool {
	m.t.Helper()
	if !v.history || int64(v.rev) >= m.db.pruner.index.Load() {
		return false
	}
	_, _, err := v.v.LookupUnique(IndexID(rel), []byte{0})
	m.tooOld(err)
	for _, it := range []iterator{v.v.ScanUnique(IndexID(rel), nil, nil, true), v.v.ScanSpatial(rel, 5, 8, []CellRange{{0, 1}}, SpatialScan{})} {
		if it.Next() {
			m.fatalf("an entry of %d at %v, below the horizon", rel, v.rev)
		}
		m.tooOld(it.Err())
		check(m.t, it.Close())
	}
	m.counts["index gone"]++
	return true
}

func (m *model) tooOld(err error) {
	m.t.Helper()
	if !errors.Is(err, ErrSnapshotTooOld) {
		m.fatalf("reading below the horizon: %v", err)
	}
}

// checkPruned lets everything age and counts what is left.
func (m *model) checkPruned() {
	m.clock.advance(time.Hour)
	if m.rng.IntN(2) == 0 {
		check(m.t, m.db.Sweep(bg))
	} else {
		check(m.t, m.db.Flush())
		check(m.t, m.db.Compact(bg))
		m.db.pruner.requestSweep()
		settle(m.t, m.db)
	}
	m.compareHead()
	want := map[byte]int{}
	versions := map[RelationID]int{}
	for a, value := range m.newest().rows {
		versions[a.rel]++
		key, cell := parts([]byte(value))
		if key != '-' {
			want[keys.UniqueFamily]++
		}
		if cell != '-' {
			want[keys.SpatialFamily] += 2
		}
	}
	if m.opts.Prune.KeepRevisions == 3 { // all of relation 2 is kept, deletions too
		versions[2] = 0
		for a := range slices.Values(m.addresses(2)) {
			for _, h := range m.hist {
				if h.changed(m, a) {
					versions[2]++
				}
			}
		}
	}
	want[keys.RowFamily] = versions[1] + versions[2]
	got := countKeys(m.t, m.db)
	for _, family := range []byte{keys.RowFamily, keys.UniqueFamily, keys.SpatialFamily} {
		if got[family] != want[family] {
			m.fatalf("%d keys of family %c left, want %d; %+v", got[family], family, want[family], m.db.PruneStats())
		}
	}
	m.t.Log(m.counts, m.db.PruneStats())
}

func (m *model) addresses(rel RelationID) (list []rowAddr) {
	for row := RowID(1); row <= 24; row++ {
		list = append(list, rowAddr{rel, row})
	}
	return list
}
