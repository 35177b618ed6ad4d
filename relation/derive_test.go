package relation

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"raisind/catalog"
	"raisind/spatialidx"
	"raisind/sql/types"
	"raisind/storage"
)

// tracking is the profile of moving objects.
func tracking() *catalog.PolicyOverride { return &catalog.PolicyOverride{Precisions: []int{8, 6}} }

func wrote(i storage.CommitInfo) string {
	return fmt.Sprintf("%d+%d", i.SpatialLive, i.SpatialTombstones)
}

// The table of the tracking page: keys written and tombstones of one update.
func TestWhatAnUpdateWrites(t *testing.T) {
	h := newHouse(t)
	r := h.workspace("fleet")
	steps := []struct {
		what  string
		info  func() storage.CommitInfo
		wants string
	}{
		{"first position", func() storage.CommitInfo { return h.put(r, 1, point(13.4, 52.5)) }, "8+0"},
		{"move out of every cell", func() storage.CommitInfo { return h.put(r, 1, point(-70, -30)) }, "8+8"},
		{"move within the finest cell", func() storage.CommitInfo { return h.put(r, 1, point(-70.0000001, -30)) }, "8+0"},
		{"another property", func() storage.CommitInfo {
			return h.put(r, 1, strings.Replace(point(-70.0000001, -30), "3", "4", 1))
		}, "0+0"},
		{"a few metres", func() storage.CommitInfo { return h.put(r, 1, point(-70.0001, -30)) }, "8+4"},
		{"no position any more", func() storage.CommitInfo { return h.put(r, 1, `{"position": null}`) }, "0+8"},
		{"still none", func() storage.CommitInfo { return h.put(r, 1, `{}`) }, "0+0"},
		{"again", func() storage.CommitInfo { return h.put(r, 1, point(0, 0)) }, "8+0"},
		{"deleted", func() storage.CommitInfo { return h.delete(r, 1) }, "0+8"},
	}
	for _, s := range steps {
		if got := wrote(s.info()); got != s.wants {
			t.Errorf("%s: wrote %s, want %s", s.what, got, s.wants)
		}
		h.check()
	}

	// A policy declared before the first position: two precisions from the start.
	v := h.alter(h.workspace("vans"), "position", tracking())
	h.put(v, 1, point(13.4, 52.5))
	if got := wrote(h.put(v, 1, point(-70, -30))); got != "2+2" {
		t.Errorf("tracking profile: wrote %s, want 2+2", got)
	}
	h.check()
}

// After ALTER the writes go to the union of the old and the new policy, until a
// rebuild; precisions of the new policy are not used before.
func TestPolicyChangeAndRebuild(t *testing.T) {
	h := newHouse(t)
	ctx := context.Background()
	r := h.alter(h.workspace("fleet"), "position", tracking())
	for i := range 500 {
		h.put(r, storage.RowID(i+1), point(float64(i)/10, 52.5))
	}
	r = h.alter(r, "position", &catalog.PolicyOverride{Precisions: []int{6, 4}})
	if got := wrote(h.put(r, 1, point(-70, -30))); got != "3+3" {
		t.Errorf("between policies: wrote %s, want 3+3", got)
	}
	usable := func() string {
		s, _ := h.ix.State(r.ID, "position")
		return fmt.Sprintf("%s %s", s.Phase, spatialidx.FormatPrecisions(s.Precisions))
	}
	if got := usable(); got != "ready (8, 6)" {
		t.Errorf("before the rebuild: %s", got)
	}
	s, _ := h.ix.State(r.ID, "position")
	if health, err := h.ix.Health(ctx, r, s); err != nil || !health.NeedsRebuild || health.Live != 1001 || health.Nodes != 500 {
		t.Errorf("health before: %+v %v", health, err)
	}
	h.check()
	h.restart()
	r, _ = h.cat.Current().ByID(r.ID)
	if got := usable(); got != "ready (8, 6)" {
		t.Errorf("after a restart: %s", got)
	}
	done, err := h.ix.Rebuild(ctx, r.ID, "")
	if err != nil {
		t.Fatal(err)
	}
	if done.Entries != 499 || done.Tombstones != 500 {
		t.Errorf("rebuild wrote %d entries and %d tombstones, want 499 and 500", done.Entries, done.Tombstones)
	}
	if got := usable(); got != "ready (6, 4)" {
		t.Errorf("after the rebuild: %s", got)
	}
	h.check()
	s, _ = h.ix.State(r.ID, "position")
	health, err := h.ix.Health(ctx, r, s)
	if err != nil || health.NeedsRebuild || health.Live != 1000 || health.PerPrecision[8] != 0 || health.Nodes != 500 {
		t.Errorf("health after: %+v %v", health, err)
	}
	if got := wrote(h.put(r, 2, point(-70, -30))); got != "2+2" {
		t.Errorf("after the rebuild: wrote %s, want 2+2", got)
	}
	if done, err = h.ix.Rebuild(ctx, r.ID, "position"); err != nil || done.Entries != 0 || done.Tombstones != 0 {
		t.Errorf("second rebuild: %+v %v", done, err)
	}
	// A view older than the rebuild must not use what the rebuild wrote.
	if s.Built() == 0 || s.Built() > h.db.Visible() {
		t.Errorf("built through %v, visible %v", s.Built(), h.db.Visible())
	}
}

// Without a state record nothing is known of what the index holds: the twelve
// precisions are cleared, and the index is not used until it is rebuilt.
func TestLostStateRecord(t *testing.T) {
	h := newHouse(t)
	r := h.workspace("fleet")
	h.put(r, 1, point(13.4, 52.5))
	h.put(r, 2, point(13.5, 52.5))
	if err := h.ix.Drop(r.ID); err != nil {
		t.Fatal(err)
	}
	h.restart()
	r, _ = h.cat.Current().ByID(r.ID)
	if got := wrote(h.put(r, 1, point(-70, -30))); got != "8+12" {
		t.Errorf("wrote %s, want 8+12", got)
	}
	s, ok := h.ix.State(r.ID, "position")
	if !ok || s.Phase != NotBuilt || len(s.Precisions) != 0 {
		t.Fatalf("state %+v", s)
	}
	if _, err := h.ix.Rebuild(context.Background(), r.ID, "position"); err != nil {
		t.Fatal(err)
	}
	h.check()
	if got := wrote(h.put(r, 2, point(-70, -30))); got != "8+8" {
		t.Errorf("after the rebuild: wrote %s, want 8+8", got)
	}
}

// Shapes go where their box says, under either cover; changing the cover does not
// leave anything behind.
func TestShapes(t *testing.T) {
	h := newHouse(t)
	extent := spatialidx.Extent
	r := h.alter(h.workspace("zones"), "", &catalog.PolicyOverride{Precisions: []int{7, 5}})
	square := func(lon, lat, size float64) string {
		return fmt.Sprintf(`{"zone": {"type": "Polygon", "coordinates": [[[%v, %v], [%v, %v], [%v, %v], [%v, %v], [%v, %v]]]}}`,
			lon, lat, lon+size, lat, lon+size, lat+size, lon, lat+size, lon, lat)
	}
	zones := []string{
		square(10.0001, 50.0001, 0.0001), square(10, 50, 0.01), square(-5, -5, 10), square(-180, -90, 180),
		`{"zone": {"type": "LineString", "coordinates": [[179.9, 1], [180, 1]]}}`,
		`{"zone": {"type": "Point", "coordinates": [7, 7]}}`,
		`{"zone": {"type": "GeometryCollection", "geometries": []}}`,
		`{"zone": {"type": "Polygon", "coordinates": [[[0, 0], [1, 1]]]}}`,
	}
	shift := 0
	write := func() {
		shift += 3
		for i := range zones {
			h.put(r, storage.RowID(i+1), zones[(i+shift)%len(zones)])
		}
	}
	write()
	h.check()
	r = h.alter(r, "zone", &catalog.PolicyOverride{Cover: &extent})
	write()
	h.check()
	r = h.alter(r, "zone", nil)
	write()
	h.check()
	r = h.alter(r, "zone", &catalog.PolicyOverride{Cover: &extent})
	if _, err := h.ix.Rebuild(context.Background(), r.ID, ""); err != nil {
		t.Fatal(err)
	}
	h.check()
	write()
	for i := range zones {
		h.delete(r, storage.RowID(i+1))
	}
	if rep := h.check(); rep.SpatialEntries != 0 {
		t.Errorf("%d entries of no rows", rep.SpatialEntries)
	}
}

// Columns of tables are indexed like properties; what is projected has no cells.
func TestGeometryColumns(t *testing.T) {
	h := newHouse(t)
	r := &catalog.Relation{ID: h.cat.NextRelationID(), Schema: "public", Name: "incidents", Kind: catalog.Table, Columns: []catalog.Column{
		{ID: 1, Name: "id", Type: types.TInt4, Typmod: -1}, {ID: 2, Name: "geom", Type: types.TGeometry, Typmod: -1},
	}}
	h.do(func(_ *storage.Txn, tx *catalog.Tx) {
		if err := tx.Create(context.Background(), r); err != nil {
			t.Fatal(err)
		}
	})
	for i, text := range []string{"POINT(1 2)", "SRID=3857;POINT(1000000 2000000)", "POINT EMPTY", "LINESTRING(0 0,1 1)", "POINT(NaN 1)", "POINT(180 90)"} {
		g, err := types.TGeometry.ParseText(text, -1, nil)
		if err != nil {
			t.Fatal(err)
		}
		h.do(func(txn *storage.Txn, _ *catalog.Tx) {
			txn.Put(r.ID, storage.RowID(i+1), encode(t, r, types.Row{types.Int(int64(i)), g}))
		})
	}
	if rep := h.check(); rep.SpatialEntries != 5*8 {
		t.Errorf("%d entries, want %d", rep.SpatialEntries, 5*8)
	}
	for i := range 6 {
		h.delete(r, storage.RowID(i+1))
	}
	if rep := h.check(); rep.SpatialEntries != 0 {
		t.Errorf("%d entries of no rows", rep.SpatialEntries)
	}
}

// Rows with more geometries than are indexed stand on a list of their own.
func TestOverflow(t *testing.T) {
	h := newHouse(t)
	r := h.workspace("routes")
	stops := func(n int) string {
		var b strings.Builder
		b.WriteString(`{"stops": [`)
		for i := range n {
			if i > 0 {
				b.WriteString(", ")
			}
			fmt.Fprintf(&b, `{"type": "Point", "coordinates": [%d, 1]}`, i)
		}
		b.WriteString("]}")
		return b.String()
	}
	h.put(r, 1, stops(MaxGeometries))
	if _, _, ok := h.ix.Overflow(r.ID); ok {
		t.Error("a full row is on the list")
	}
	h.put(r, 1, stops(MaxGeometries+1))
	h.put(r, 2, stops(3))
	if _, _, ok := h.ix.Overflow(r.ID); !ok {
		t.Fatal("there is no list")
	}
	if rep := h.check(); rep.SpatialEntries != (MaxGeometries+3)*8+1 {
		t.Errorf("%d entries, want %d", rep.SpatialEntries, (MaxGeometries+3)*8+1)
	}
	if _, err := h.ix.Rebuild(context.Background(), r.ID, ""); err != nil {
		t.Fatal(err)
	}
	h.check()
	h.put(r, 1, stops(1))
	if rep := h.check(); rep.SpatialEntries != 4*8 {
		t.Errorf("%d entries, want %d", rep.SpatialEntries, 4*8)
	}
}

// Check finds an entry too many, an entry too few and a wrong key.
func TestCheckFindsFaults(t *testing.T) {
	h := newHouse(t)
	ctx := context.Background()
	r := h.workspace("fleet")
	h.put(r, 1, point(13.4, 52.5))
	h.put(r, 2, point(13.5, 52.5))
	h.check()
	s, _ := h.ix.State(r.ID, "position")
	_, err := h.db.Reindex(ctx, r.ID, func(row func(storage.RowID, func(*storage.Entries)) error) error {
		return row(1, func(out *storage.Entries) {
			out.TombstoneSpatial(s.Property, 6, uint64(spatialidx.CellAt(lonLat(13.4, 52.5), 6)), false)
		})
	})
	if err != nil {
		t.Fatal(err)
	}
	_, err = h.db.Reindex(ctx, r.ID, func(row func(storage.RowID, func(*storage.Entries)) error) error {
		return row(2, func(out *storage.Entries) {
			out.SetSpatial(s.Property, 6, uint64(spatialidx.CellAt(lonLat(1, 1), 6)), false, world)
		})
	})
	if err != nil {
		t.Fatal(err)
	}
	got, err := h.ix.Verify(ctx, r, s)
	if err != nil || got.Missing != 1 || got.Stray != 1 {
		t.Errorf("verify: %+v %v", got, err)
	}
	rep, err := Check(ctx, h.db, h.cat, h.ix)
	if err != nil || rep.ProblemCount != 1 {
		t.Errorf("check: %+v %v", rep, err)
	}
	if _, err := h.ix.Rebuild(ctx, r.ID, "position"); err != nil {
		t.Fatal(err)
	}
	h.check()
	// A row written behind the indexer's back has no keys.
	txn := h.db.Begin(storage.ReadCommitted)
	txn.Put(r.ID, 3, encode(t, r, node(t, r, "/three", "{}")))
	if _, err := txn.Commit(ctx, nil, storage.CommitOptions{}); err != nil {
		t.Fatal(err)
	}
	if rep, err = Check(ctx, h.db, h.cat, h.ix); err != nil || rep.ProblemCount != 2 {
		t.Errorf("check: %+v %v", rep, err)
	}
}

// A dropped relation leaves nothing behind once nobody can read it.
func TestPurge(t *testing.T) {
	h := newHouse(t)
	r := h.workspace("fleet")
	h.put(r, 1, point(13.4, 52.5))
	reader := h.db.Begin(storage.RepeatableRead)
	v, err := reader.NewView()
	if err != nil {
		t.Fatal(err)
	}
	h.do(func(_ *storage.Txn, tx *catalog.Tx) {
		if err := tx.Drop(context.Background(), r.ID); err != nil {
			t.Fatal(err)
		}
	})
	rows := func() (n int) {
		it := v.Rows(r.ID)
		defer it.Close()
		for it.Next() {
			n++
		}
		return n
	}
	if err := h.ix.Purge(); err != nil {
		t.Fatal(err)
	}
	if rows() != 1 {
		t.Error("purged under a reader")
	}
	v.Close()
	reader.Rollback()
	if err := h.ix.Purge(); err != nil {
		t.Fatal(err)
	}
	if v, err = h.db.NewView(); err != nil {
		t.Fatal(err)
	}
	defer v.Close()
	if rows() != 0 || len(h.ix.States(r.ID)) != 0 {
		t.Error("rows or states are left")
	}
}

// A record widened by a deletion keeps its name when the row's memory is used again.
func TestStateNameOutlivesRow(t *testing.T) {
	h := newHouse(t)
	r := h.workspace("fleet")
	for i := range 20 {
		h.put(r, storage.RowID(i+1), point(float64(i), 1))
	}
	r = h.alter(r, "position", &catalog.PolicyOverride{Precisions: []int{5, 3}})
	for i := range 20 {
		h.delete(r, storage.RowID(i+1))
		h.put(r, storage.RowID(i+100), strings.Replace(point(1, 2), "position", fmt.Sprintf("other%d", i), 1))
	}
	if s, ok := h.ix.State(r.ID, "position"); !ok || len(s.Held) != 10 {
		t.Errorf("state %+v", s)
	}
	if n := len(h.ix.States(r.ID)); n != 21 {
		t.Errorf("%d states, want 21", n)
	}
	h.check()
}
