package storage

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/cockroachdb/pebble/v2/vfs"

	"raisind/storage/keys"
)

// TestModel runs random transactions with savepoints, rollbacks and views of all kinds against a model in
// memory, flushing, compacting and reopening in between.
func TestModel(t *testing.T) {
	seeds, steps := 24, 500
	if testing.Short() {
		seeds = 4
	}
	for seed := range seeds {
		t.Run(fmt.Sprint("seed", seed), func(t *testing.T) {
			m := newModel(t, uint64(seed))
			for m.step = 0; m.step < steps; m.step++ {
				m.random()
			}
			m.reopen()
		})
	}
}

type rowAddr struct {
	rel RelationID
	row RowID
}

// contents are the rows of all relations.
type contents map[rowAddr]string

type modelVersion struct {
	rev  Revision
	rows contents
}

type model struct {
	t      *testing.T
	rng    *rand.Rand
	fs     vfs.FS
	opts   Options
	db     *DB
	step   int
	hist   []modelVersion // committed, oldest first
	txns   []*modelTxn
	views  []*modelView
	counts map[string]int
	clock  *handClock // of a store that prunes, else nil
}

type modelTxn struct {
	t     *Txn
	snap  Revision // of RepeatableRead, after the first view
	taken bool
	own   contents // "": deleted
	saves []modelSave
}

type modelSave struct {
	sp  Savepoint
	own contents
}

type modelView struct {
	v       *View
	rev     Revision
	base    contents
	own     contents
	history bool
}

func newModel(t *testing.T, seed uint64) *model {
	m := &model{t: t, rng: rand.New(rand.NewPCG(seed, 1)), fs: vfs.NewMem(), counts: map[string]int{}}
	m.opts = testOptions(m.fs)
	m.db = openStore(t, m.opts)
	t.Cleanup(func() { closeStore(t, m.db) })
	m.hist = []modelVersion{{0, contents{}}}
	return m
}

func (m *model) fatalf(format string, args ...any) {
	m.t.Helper()
	m.t.Fatalf("step %d: %s", m.step, fmt.Sprintf(format, args...))
}

func (m *model) random() {
	actions := []struct {
		weight int
		do     func()
	}{
		{m.ifPruning(8), m.vacuum},
		{m.ifPruning(1), m.crash},
		{m.ifPruning(10), m.begin},
		{m.ifPruning(20), m.commit},
		{6, m.begin},
		{40, m.write},
		{12, m.openView},
		{14, m.checkView},
		{10, m.closeView},
		{6, m.savepoint},
		{5, m.rollbackTo},
		{10, m.commit},
		{3, m.rollback},
		{3, m.flush},
		{1, m.reopen},
	}
	total := 0
	for _, a := range actions {
		total += a.weight
	}
	n := m.rng.IntN(total)
	for _, a := range actions {
		if n -= a.weight; n < 0 {
			a.do()
			return
		}
	}
}

func (m *model) newest() modelVersion { return m.hist[len(m.hist)-1] }

// at is the newest state not newer than rev.
func (m *model) at(rev Revision) modelVersion {
	for _, h := range slices.Backward(m.hist) {
		if h.rev <= rev {
			return h
		}
	}
	return m.hist[0]
}

func (m *model) begin() {
	if len(m.txns) >= 3 {
		return
	}
	iso := []Isolation{ReadCommitted, RepeatableRead, ReadCommitted, Serializable}[m.rng.IntN(4)]
	m.txns = append(m.txns, &modelTxn{t: m.db.Begin(iso), own: contents{}})
}

func (m *model) txn() *modelTxn {
	if len(m.txns) == 0 {
		return nil
	}
	return m.txns[m.rng.IntN(len(m.txns))]
}

func (m *model) end(x *modelTxn) {
	m.txns = slices.DeleteFunc(m.txns, func(o *modelTxn) bool { return o == x })
}

func (m *model) write() {
	x := m.txn()
	if x == nil {
		return
	}
	a := rowAddr{RelationID(1 + m.rng.IntN(2)), RowID(1 + m.rng.IntN(24))}
	_, err := x.t.LockRow(bg, a.rel, a.row, ForUpdate, NoWait)
	if errors.Is(err, ErrLockNotAvailable) {
		return
	}
	check(m.t, err)
	if x.t.Isolation() != ReadCommitted {
		if !x.taken {
			x.taken, x.snap = true, m.newest().rev
		}
		err := x.t.CheckWrite(a.rel, a.row)
		if _, own := x.own[a]; m.changedSince(a, x.snap) {
			if !errors.Is(err, ErrSerialization) {
				m.fatalf("CheckWrite of %v (own %v): %v", a, own, err)
			}
			m.counts["serialization"]++
			return
		}
		check(m.t, err)
	}
	old := m.newest().rows[a]
	if own, ok := x.own[a]; ok {
		old = own
	}
	value := ""
	if m.rng.IntN(4) > 0 {
		value = fmt.Sprintf("%c%c%d", "wxyz-"[m.rng.IntN(5)], "abcdefghijklmnopW-"[m.rng.IntN(18)], m.step)
	}
	oldKey, _ := parts([]byte(old))
	newKey, _ := parts([]byte(value))
	if oldKey != newKey && oldKey != '-' {
		x.t.DeleteUnique(IndexID(a.rel), uniqueKeyOf(a.row, oldKey))
	}
	if value == "" {
		x.t.Delete(a.rel, a.row)
	} else {
		x.t.Put(a.rel, a.row, []byte(value))
		if newKey != '-' {
			x.t.PutUnique(IndexID(a.rel), uniqueKeyOf(a.row, newKey), a.row)
		}
	}
	x.own[a] = value
}

func (m *model) changedSince(a rowAddr, rev Revision) bool {
	for _, h := range slices.Backward(m.hist) {
		if h.rev <= rev {
			return false
		}
		if h.changed(m, a) {
			return true
		}
	}
	return false
}

// changed tells whether the commit of h wrote a; values are unique by step.
func (h modelVersion) changed(m *model, a rowAddr) bool {
	i := slices.IndexFunc(m.hist, func(o modelVersion) bool { return o.rev == h.rev })
	return i > 0 && m.hist[i-1].rows[a] != h.rows[a]
}

func (m *model) openView() {
	x := m.txn()
	if x == nil || len(m.views) >= 8 {
		return
	}
	v := &modelView{own: contents{}}
	var err error
	switch m.rng.IntN(4) {
	case 0:
		v.v, err = x.t.NewLatestView()
		v.rev, v.own = m.newest().rev, maps.Clone(x.own)
	case 1:
		rev := m.hist[m.rng.IntN(len(m.hist))].rev + Revision(m.rng.IntN(3))
		v.v, err = x.t.ViewAt(rev)
		v.rev, v.history = min(rev, m.newest().rev), true
	default:
		if x.t.Isolation() != ReadCommitted && !x.taken {
			x.taken, x.snap = true, m.newest().rev
		}
		v.v, err = x.t.NewView()
		v.rev, v.own = m.newest().rev, maps.Clone(x.own)
		if x.taken {
			v.rev = x.snap
		}
	}
	check(m.t, err)
	if v.v.Revision() != v.rev {
		m.fatalf("view reads %v, want %v", v.v.Revision(), v.rev)
	}
	v.base = m.at(v.rev).rows
	m.views = append(m.views, v)
	m.compare(v)
}

func (m *model) checkView() {
	if len(m.views) > 0 {
		m.compare(m.views[m.rng.IntN(len(m.views))])
	}
}

func (m *model) closeView() {
	if len(m.views) > 0 {
		i := m.rng.IntN(len(m.views))
		m.compare(m.views[i])
		check(m.t, m.views[i].v.Close())
		m.views = slices.Delete(m.views, i, i+1)
	}
}

func (m *model) savepoint() {
	if x := m.txn(); x != nil {
		x.saves = append(x.saves, modelSave{x.t.Savepoint(), maps.Clone(x.own)})
	}
}

func (m *model) rollbackTo() {
	x := m.txn()
	if x == nil || len(x.saves) == 0 {
		return
	}
	i := m.rng.IntN(len(x.saves))
	x.t.RollbackTo(x.saves[i].sp)
	x.own = maps.Clone(x.saves[i].own)
	x.saves = x.saves[:i+1]
}

func (m *model) commit() {
	x := m.txn()
	if x == nil {
		return
	}
	m.end(x)
	if m.clock != nil {
		m.clock.ms.Add(m.rng.Int64N(20))
	}
	info, err := x.t.Commit(bg, testDeriver{}, CommitOptions{Sync: m.rng.IntN(2) == 0})
	if errors.Is(err, ErrSerialization) && x.t.Isolation() == Serializable {
		m.counts["coarse"]++
		return
	}
	check(m.t, err)
	next := maps.Clone(m.newest().rows)
	changed := 0
	for a, value := range x.own {
		if value != "" || next[a] != "" {
			changed++
		}
		next[a] = value
		if value == "" {
			delete(next, a)
		}
	}
	if info.Rows != changed || (info.Revision == 0) != (changed == 0) {
		m.fatalf("commit wrote %d rows at %v, want %d", info.Rows, info.Revision, changed)
	}
	if changed == 0 {
		return
	}
	if info.Revision <= m.newest().rev || m.db.Visible() != info.Revision {
		m.fatalf("revision %v after %v, visible %v", info.Revision, m.newest().rev, m.db.Visible())
	}
	m.hist = append(m.hist, modelVersion{info.Revision, next})
	m.counts["commits"]++
}

func (m *model) rollback() {
	if x := m.txn(); x != nil {
		m.end(x)
		x.t.Rollback()
	}
}

func (m *model) flush() {
	if m.rng.IntN(3) == 0 {
		check(m.t, m.db.Compact(bg))
	} else {
		check(m.t, m.db.Flush())
	}
}

func (m *model) reopen() {
	for len(m.views) > 0 {
		m.closeView()
	}
	for len(m.txns) > 0 {
		m.rollback()
	}
	closeStore(m.t, m.db)
	m.db = openStore(m.t, m.opts)
	if m.db.Visible() != m.newest().rev {
		m.fatalf("visible %v after reopening, want %v", m.db.Visible(), m.newest().rev)
	}
	v := must[*View](m.t)(m.db.NewView())
	m.compare(&modelView{v: v, rev: m.newest().rev, base: m.newest().rows, own: contents{}})
	check(m.t, v.Close())
}

// compare reads everything through the view in every way there is.
func (m *model) compare(v *modelView) {
	m.t.Helper()
	for rel := RelationID(1); rel <= 2; rel++ {
		want := map[RowID]string{}
		own := map[RowID]string{}
		for a, value := range v.base {
			if a.rel == rel {
				want[a.row] = value
			}
		}
		for a, value := range v.own {
			if a.rel == rel {
				want[a.row], own[a.row] = value, value
				if value == "" {
					delete(want, a.row)
					delete(own, a.row)
				}
			}
		}
		if m.rowsGone(v, rel) {
			continue
		}
		m.compareRows(v, rel, want, own)
		m.compareVersions(v, rel)
		if !m.indexGone(v, rel) {
			m.compareUnique(v, rel, want)
			m.compareSpatial(v, rel, want, own)
		}
	}
}

func (m *model) compareRows(v *modelView, rel RelationID, want, own map[RowID]string) {
	m.t.Helper()
	first := RowID(0)
	if m.rng.IntN(2) == 0 {
		first = RowID(m.rng.IntN(26))
	}
	got := m.collect(v.v.RowsFrom(rel, first))
	expect := maps.Clone(want)
	maps.DeleteFunc(expect, func(row RowID, _ string) bool { return row < first })
	if !maps.Equal(got, expect) {
		m.fatalf("rows of %d from %d at %v:\n got %v\nwant %v", rel, first, v.rev, got, expect)
	}
	if got := m.collect(v.v.OwnRows(rel)); !maps.Equal(got, own) {
		m.fatalf("own rows of %d: got %v, want %v", rel, got, own)
	}
	for row := RowID(1); row <= 24; row++ {
		value, _, ok, err := v.v.Get(rel, row)
		check(m.t, err)
		if w, has := want[row]; ok != has || string(value) != w {
			m.fatalf("row %d/%d at %v: got %q %v, want %q", rel, row, v.rev, value, ok, w)
		}
	}
}

func (m *model) collect(it *RowIter) map[RowID]string {
	m.t.Helper()
	got := map[RowID]string{}
	last := RowID(0)
	for it.Next() {
		if it.RowID() <= last {
			m.fatalf("row %d after %d", it.RowID(), last)
		}
		last = it.RowID()
		got[last] = string(it.Value())
	}
	check(m.t, it.Err())
	check(m.t, it.Close())
	return got
}

func (m *model) compareUnique(v *modelView, rel RelationID, want map[RowID]string) {
	m.t.Helper()
	type entry struct {
		key string
		row RowID
	}
	var expect, got []entry
	start, end := uniqueKeyOf(RowID(m.rng.IntN(26)), "aw"[m.rng.IntN(2)]), uniqueKeyOf(RowID(m.rng.IntN(26)), 'x')
	switch m.rng.IntN(3) {
	case 0:
		start, end = nil, nil
	case 1:
		end = nil
	}
	for row, value := range want {
		k, _ := parts([]byte(value))
		if k == '-' {
			continue
		}
		key := uniqueKeyOf(row, k)
		if r, ok, err := v.v.LookupUnique(IndexID(rel), key); err != nil || !ok || r != row {
			m.fatalf("key %q at %v: row %d %v %v, want %d", key, v.rev, r, ok, err, row)
		}
		if bytes.Compare(key, start) >= 0 && (end == nil || bytes.Compare(key, end) < 0) {
			expect = append(expect, entry{string(key), row})
		}
	}
	slices.SortFunc(expect, func(a, b entry) int { return cmp.Compare(a.key, b.key) })
	reverse := m.rng.IntN(2) == 0
	if reverse {
		slices.Reverse(expect)
	}
	it := v.v.ScanUnique(IndexID(rel), start, end, reverse)
	for it.Next() {
		got = append(got, entry{string(it.Key()), it.RowID()})
	}
	check(m.t, it.Err())
	check(m.t, it.Close())
	if !slices.Equal(got, expect) {
		m.fatalf("index %d [%q, %q) reverse %v at %v:\n got %v\nwant %v", rel, start, end, reverse, v.rev, got, expect)
	}
}

func (m *model) compareSpatial(v *modelView, rel RelationID, want, own map[RowID]string) {
	m.t.Helper()
	prec := []uint8{8, 6}[m.rng.IntN(2)]
	var ranges []CellRange
	for c := uint64(0); c < 4; c++ {
		if m.rng.IntN(3) > 0 {
			ranges = append(ranges, CellRange{c << 60, c<<60 | uint64(m.rng.IntN(4))<<50})
		}
	}
	wide := m.rng.IntN(2) == 0
	inside := func(value string) bool {
		_, letter := parts([]byte(value))
		cell, isWide, ok := cellOf(letter, prec)
		if !ok || isWide {
			return ok && wide
		}
		return slices.ContainsFunc(ranges, func(r CellRange) bool { return r.First <= cell && cell <= r.Last })
	}
	expect, got := map[RowID]string{}, map[RowID]string{}
	for row, value := range want {
		if inside(value) {
			expect[row] = value
		}
	}
	it := v.v.ScanSpatial(rel, 5, prec, ranges, SpatialScan{Wide: wide})
	for it.Next() {
		if _, again := got[it.RowID()]; again {
			m.fatalf("row %d twice", it.RowID())
		}
		if _, is := own[it.RowID()]; is {
			m.fatalf("own row %d in the scan", it.RowID())
		}
		got[it.RowID()] = string(it.Value())
	}
	check(m.t, it.Err())
	check(m.t, it.Close())
	for row, value := range own {
		if inside(value) {
			got[row] = value
		}
	}
	if !maps.Equal(got, expect) {
		m.fatalf("cells %x of %d, precision %d, wide %v, at %v:\n got %v\nwant %v", ranges, rel, prec, wide, v.rev, got, expect)
	}
}

func (m *model) compareVersions(v *modelView, rel RelationID) {
	m.t.Helper()
	var expect, got []string
	var superseded []Revision // of the expected ones; MaxRevision: not yet
	for row := RowID(1); row <= 24; row++ {
		a := rowAddr{rel, row}
		above := keys.MaxRevision
		for _, h := range slices.Backward(m.hist) {
			if !h.changed(m, a) {
				continue
			}
			if h.rev <= v.rev && h.rows[a] != "" {
				expect = append(expect, fmt.Sprint(row, h.rev, h.rows[a]))
				superseded = append(superseded, above)
			}
			above = h.rev
		}
	}
	it := v.v.Versions(rel)
	for it.Next() {
		got = append(got, fmt.Sprint(it.RowID(), it.Revision(), string(it.Value())))
	}
	check(m.t, it.Err())
	check(m.t, it.Close())
	if horizon := m.db.Horizon(rel); horizon > 0 { // those superseded at or before it may be gone
		have := got
		var least []string
		for i, s := range expect {
			if len(have) > 0 && have[0] == s {
				have = have[1:]
			} else if superseded[i] <= horizon {
				continue
			}
			least = append(least, s)
		}
		expect = least
	}
	if !slices.Equal(got, expect) {
		m.fatalf("versions of %d at %v:\n got %v\nwant %v", rel, v.rev, got, expect)
	}
}
