package storage

import (
	"fmt"
	"sync/atomic"
	"testing"
	"time"

	"github.com/cockroachdb/pebble/v2/vfs"

	"raisind/storage/keys"
)

// TestDecide goes through the rules one by one. A version is written as its revision, with - for a tombstone
// and ? for a key that cannot be read, and a group newest first.
func TestDecide(t *testing.T) {
	const all = keys.MaxRevision
	for _, c := range []struct {
		name  string
		lim   pruneLimits
		group []string
		want  string // what stays
		held  bool
	}{
		{"nothing", pruneLimits{8, 50, all}, nil, "[]", false},
		{"the newest stays whatever its age", pruneLimits{8, 50, all}, []string{"1"}, "[1]", false},
		{"an older one within both limits stays", pruneLimits{2, 50, all}, []string{"80", "70"}, "[80 70]", false},
		{"too many newer ones", pruneLimits{2, 50, all}, []string{"80", "70", "60"}, "[80 70]", false},
		{"too old", pruneLimits{8, 50, all}, []string{"80", "49"}, "[80]", false},
		{"exactly as old as allowed", pruneLimits{8, 50, all}, []string{"80", "50"}, "[80 50]", false},
		{"age is of the version, not since it was superseded", pruneLimits{8, 50, all}, []string{"51", "49", "48"}, "[51]", false},
		{"one kept", pruneLimits{1, 0, all}, []string{"80", "70", "60"}, "[80]", false},
		{"by count only", pruneLimits{2, 0, all}, []string{"3", "2", "1"}, "[3 2]", false},
		{"by count only a tombstone stays", pruneLimits{2, 0, all}, []string{"3-", "2", "1"}, "[3- 2]", false},
		{"from the future is recent", pruneLimits{8, 50, all}, []string{"900", "800", "700"}, "[900 800 700]", false},
		{"from the future counts", pruneLimits{2, 50, all}, []string{"900", "800", "700"}, "[900 800]", false},
		{"entry and tombstone of one revision count once", pruneLimits{2, 50, all}, []string{"80", "80-", "70", "60"}, "[80 80- 70]", false},
		{"a recent tombstone stays", pruneLimits{8, 50, all}, []string{"60-"}, "[60-]", false},
		{"an aged tombstone alone goes", pruneLimits{8, 50, all}, []string{"40-"}, "[]", false},
		{"an aged tombstone goes with what it hides", pruneLimits{8, 50, all}, []string{"40-", "30", "20-"}, "[]", false},
		{"an aged tombstone stays over what stays", pruneLimits{8, 50, 35}, []string{"40-", "39"}, "[40- 39]", true},
		{"a recent tombstone stays when all under it goes", pruneLimits{8, 50, all}, []string{"60-", "30"}, "[60-]", false},
		{"a tombstone further down is like any", pruneLimits{2, 50, all}, []string{"80", "70-", "60-"}, "[80 70-]", false},
		{"what cannot be read stays", pruneLimits{1, 50, all}, []string{"80", "0?", "40"}, "[80 0?]", false},
		{"what cannot be read is no newest", pruneLimits{1, 50, all}, []string{"0?", "10"}, "[0? 10]", false},
		{"a tombstone stays over what cannot be read", pruneLimits{8, 50, all}, []string{"40-", "0?"}, "[40- 0?]", false},
		{"only unreadable", pruneLimits{1, 50, all}, []string{"0?", "0?"}, "[0? 0?]", false},
		{"a view reads the older one", pruneLimits{1, 50, 75}, []string{"80", "70"}, "[80 70]", true},
		{"a view reads the newer one", pruneLimits{1, 50, 80}, []string{"80", "70"}, "[80]", false},
		{"a view reads the middle", pruneLimits{1, 50, 75}, []string{"80", "70", "60", "50"}, "[80 70]", true},
		{"a view asks for the tombstone", pruneLimits{8, 50, 39}, []string{"40-"}, "[40-]", true},
	} {
		var group []version
		for _, s := range c.group {
			var v version
			var mark string
			fmt.Sscanf(s, "%d%s", &v.rev, &mark)
			v.tombstone, v.unreadable = mark == "-", mark == "?"
			group = append(group, v)
		}
		drops, held := decide(group, c.lim)
		left := []string{}
		for i, v := range group {
			if !v.drop {
				left = append(left, c.group[i])
			}
		}
		if got := fmt.Sprint(left); got != c.want || held != c.held || drops != len(group)-len(left) {
			t.Errorf("%s: %v leaves %s, held %v, drops %d; want %s, held %v", c.name, c.group, got, held, drops, c.want, c.held)
		}
	}
}

func TestPruneOptionsFromEnv(t *testing.T) {
	for _, c := range []struct {
		filter, keep, secs string
		want               PruneOptions
	}{
		{"", "", "", PruneOptions{false, 8, time.Hour}},
		{"0", "", "", PruneOptions{true, 8, time.Hour}},
		{"off", "3", "60", PruneOptions{true, 3, time.Minute}},
		{"FALSE", "0", "0", PruneOptions{true, 1, NoRetention}},
		{"no", "x", "y", PruneOptions{true, 8, time.Hour}},
		{"1", "-1", "-1", PruneOptions{false, 8, time.Hour}},
		{"on", "18446744073709551615", "18446744073709551615", PruneOptions{false, 1<<31 - 1, 9223372036 * time.Second}},
		{"true", " 5 ", "1.5", PruneOptions{false, 5, time.Hour}},
		{"yes", "", "", PruneOptions{false, 8, time.Hour}},
		{"perhaps", "", "", PruneOptions{false, 8, time.Hour}},
	} {
		env := map[string]string{
			"RAISIN_SPATIAL_COMPACTION_FILTER": c.filter, "RAISIN_SPATIAL_KEEP_REVISIONS": c.keep, "RAISIN_SPATIAL_RETENTION_SECS": c.secs,
		}
		got := PruneOptionsFromEnv(func(name string) (string, bool) { s := env[name]; return s, s != "" })
		if got != c.want {
			t.Errorf("%q %q %q: %+v, want %+v", c.filter, c.keep, c.secs, got, c.want)
		}
	}
}

// handClock stands still until it is moved.
type handClock struct{ ms atomic.Int64 }

func (c *handClock) now() time.Time          { return time.UnixMilli(c.ms.Load()) }
func (c *handClock) advance(d time.Duration) { c.ms.Add(d.Milliseconds()) }

// pruneOptions open a store that prunes by a clock of the test.
func pruneOptions(fs vfs.FS) (Options, *handClock) {
	o := testOptions(fs)
	clock := new(handClock)
	clock.ms.Store(1_712_000_000_000)
	o.Clock, o.Prune = clock.now, PruneOptions{}
	return o, clock
}

// countKeys counts all keys stored, by family.
func countKeys(t testing.TB, db *DB) map[byte]int {
	t.Helper()
	it, err := db.p.NewIter(nil)
	check(t, err)
	n := map[byte]int{}
	for it.First(); it.Valid(); it.Next() {
		n[it.Key()[0]]++
	}
	check(t, it.Close())
	return n
}

// settle has the pruner do what is nominated.
func settle(t testing.TB, db *DB) {
	t.Helper()
	if !db.pruner.disabled {
		check(t, db.pruner.request(bg, nil))
	}
}

// headOf is everything a view of now reads.
func headOf(t testing.TB, db *DB) string {
	t.Helper()
	v := must[*View](t)(db.NewView())
	defer v.Close()
	return readAll(t, v)
}

// readAll is everything v reads of relations 1 and 2.
func readAll(t testing.TB, v *View) string {
	t.Helper()
	var out []byte
	for rel := RelationID(1); rel <= 2; rel++ {
		rows := v.Rows(rel)
		for rows.Next() {
			out = fmt.Appendf(out, "row %d %v %s\n", rows.RowID(), rows.Revision(), rows.Value())
		}
		check(t, rows.Err())
		check(t, rows.Close())
		uniques := v.ScanUnique(IndexID(rel), nil, nil, false)
		for uniques.Next() {
			out = fmt.Appendf(out, "key %x %d\n", uniques.Key(), uniques.RowID())
		}
		check(t, uniques.Err())
		check(t, uniques.Close())
		for _, prec := range []uint8{6, 8} {
			it := v.ScanSpatial(rel, 5, prec, []CellRange{{0, 1<<64 - 1}}, SpatialScan{Wide: true})
			for it.Next() {
				out = fmt.Appendf(out, "cell %d %x %d %v %s\n", prec, it.Cell(), it.RowID(), it.Revision(), it.Value())
			}
			check(t, it.Err())
			check(t, it.Close())
		}
	}
	return string(out)
}

// TestPruneHotCell lets 50 rows circle in one cell of precision 6, with pruning and without.
func TestPruneHotCell(t *testing.T) {
	const rows, rounds = 50, 200
	var heads [2]string
	for i, disabled := range []bool{false, true} {
		o, clock := pruneOptions(vfs.NewMem())
		o.Prune.Disabled = disabled
		db := openStore(t, o)
		for round := range rounds {
			txn := db.Begin(ReadCommitted)
			for row := RowID(1); row <= rows; row++ {
				cell := "abcd"[(int(row)+round)%4] // four cells of precision 8 in one of precision 6
				txn.Put(1, row, fmt.Appendf(nil, "%c%c%d", 'k', cell, round))
			}
			must[CommitInfo](t)(txn.Commit(bg, testDeriver{}, CommitOptions{}))
			clock.advance(time.Second)
		}
		check(t, db.Flush())
		settle(t, db)
		heads[i] = headOf(t, db)
		n := countKeys(t, db)[keys.SpatialFamily]
		want := rows*8 + rows*4*8 // 8 revisions per row in its cell of precision 6, and in each of precision 8
		if disabled {
			want = rows*rounds*3 - rows // an entry per precision, a tombstone per move
		}
		if n < want { // there may be more: what was written of a table does not count what lies in others
			t.Errorf("disabled %v: %d spatial keys after a flush, want at least %d", disabled, n, want)
		}
		check(t, db.Compact(bg))
		settle(t, db)
		if n = countKeys(t, db)[keys.SpatialFamily]; n != want {
			t.Errorf("disabled %v: %d spatial keys, want %d; %+v", disabled, n, want, db.PruneStats())
		}
		if n := countKeys(t, db)[keys.RowFamily]; n != rows*rounds {
			t.Errorf("disabled %v: %d row versions, want all: no retention was given", disabled, n)
		}
		clock.advance(2 * time.Hour)
		check(t, db.Sweep(bg))
		check(t, db.Compact(bg))
		if n := countKeys(t, db)[keys.SpatialFamily]; !disabled && n != 2*rows {
			t.Errorf("%d spatial keys left of %d rows once all has aged", n, rows)
		} else if disabled && n != want {
			t.Errorf("disabled, %d keys of %d left", n, want)
		}
		if got := headOf(t, db); got != heads[i] {
			t.Errorf("sweeping changed what is read:\n%s\nwas\n%s", got, heads[i])
		}
		closeStore(t, db)
	}
	if heads[0] != heads[1] {
		t.Error("pruning changes what is read")
	}
}
