package catalog

import (
	"context"
	"reflect"
	"testing"
	"time"

	"github.com/cockroachdb/pebble/v2/vfs"

	"raisind/pgerr"
	"raisind/spatialidx"
	"raisind/storage"
)

// store is a store in memory that can be opened again.
type store struct {
	t  *testing.T
	fs vfs.FS
	db *storage.DB
	c  *Catalog
}

func newStore(t *testing.T) *store {
	s := &store{t: t, fs: vfs.NewMem()}
	s.open()
	t.Cleanup(func() { s.db.Close() })
	return s
}

func (s *store) open() {
	s.t.Helper()
	var err error
	if s.db, err = storage.Open(storage.Options{Dir: "db", FS: s.fs}); err != nil {
		s.t.Fatal(err)
	}
	if s.c, err = Load(s.db); err != nil {
		s.t.Fatal(err)
	}
}

func (s *store) restart() {
	s.t.Helper()
	if err := s.db.Close(); err != nil {
		s.t.Fatal(err)
	}
	s.open()
}

func (s *store) begin() (*storage.Txn, *Tx) {
	t := s.db.Begin(storage.ReadCommitted)
	return t, s.c.Begin(t)
}

func (s *store) commit(t *storage.Txn, tx *Tx) {
	s.t.Helper()
	if _, err := t.Commit(context.Background(), nil, storage.CommitOptions{OnApply: tx.OnApply}); err != nil {
		s.t.Fatal(err)
	}
}

func (s *store) create(name string) *Relation {
	s.t.Helper()
	t, tx := s.begin()
	r := s.c.NewWorkspace(name)
	if err := tx.Create(context.Background(), r); err != nil {
		s.t.Fatal(err)
	}
	s.commit(t, tx)
	return r
}

func TestCreateIsSeenWhenCommitted(t *testing.T) {
	s := newStore(t)
	ctx := context.Background()
	txn, tx := s.begin()
	before := tx.Version()
	if err := tx.Create(ctx, s.c.NewWorkspace("fleet")); err != nil {
		t.Fatal(err)
	}
	if _, ok, _ := tx.Lookup("", "fleet"); !ok {
		t.Error("own workspace not seen")
	}
	if tx.Version() == before {
		t.Error("version did not move with an own change")
	}
	if _, ok := s.c.Current().ByName("public", "fleet"); ok {
		t.Error("seen by others before the commit")
	}
	published := s.c.Current().Version()
	s.commit(txn, tx)
	r, ok := s.c.Current().ByName("", "fleet")
	if !ok || s.c.Current().Version() == published {
		t.Fatalf("not published: %v, version %d", ok, s.c.Current().Version())
	}
	s.restart()
	again, ok := s.c.Current().ByID(r.ID)
	if !ok {
		t.Fatal("lost by a restart")
	}
	r.Spatial, again.Spatial = SpatialConfig{}, SpatialConfig{}
	r.row, again.row = nil, nil
	if len(again.Options) == 0 {
		again.Options = r.Options
	}
	if !reflect.DeepEqual(r, again) {
		t.Errorf("read back as\n%+v\nwas\n%+v", again, r)
	}
}

func TestRollbackAndSavepoint(t *testing.T) {
	s := newStore(t)
	ctx := context.Background()
	txn, tx := s.begin()
	if err := tx.Create(ctx, s.c.NewWorkspace("a")); err != nil {
		t.Fatal(err)
	}
	sp, mark := txn.Savepoint(), tx.Savepoint()
	b := s.c.NewWorkspace("b")
	if err := tx.Create(ctx, b); err != nil {
		t.Fatal(err)
	}
	seen := tx.Version()
	txn.RollbackTo(sp)
	tx.RollbackTo(mark)
	if _, ok := tx.ByID(b.ID); ok {
		t.Error("b outlived its savepoint")
	}
	if tx.Version() == seen {
		t.Error("version is that of the state rolled back")
	}
	s.commit(txn, tx)
	for name, want := range map[string]bool{"a": true, "b": false} {
		if _, ok := s.c.Current().ByName("", name); ok != want {
			t.Errorf("%s: there %v, want %v", name, ok, want)
		}
	}
	txn, tx = s.begin()
	if err := tx.Create(ctx, s.c.NewWorkspace("c")); err != nil {
		t.Fatal(err)
	}
	txn.Rollback()
	if _, ok := s.c.Current().ByName("", "c"); ok {
		t.Error("c outlived its transaction")
	}
}

func TestNamesAreUnique(t *testing.T) {
	s := newStore(t)
	ctx := context.Background()
	s.create("fleet")
	txn, tx := s.begin()
	if err := tx.Create(ctx, s.c.NewWorkspace("fleet")); !pgerr.Is(err, pgerr.DuplicateTable) {
		t.Errorf("second create: %v", err)
	}
	txn.Rollback()

	// Two transactions make one name: the second waits for the first.
	t1, tx1 := s.begin()
	if err := tx1.Create(ctx, s.c.NewWorkspace("yard")); err != nil {
		t.Fatal(err)
	}
	done := make(chan error)
	go func() {
		t2, tx2 := s.begin()
		defer t2.Rollback()
		done <- tx2.Create(ctx, s.c.NewWorkspace("yard"))
	}()
	select {
	case err := <-done:
		t.Fatalf("did not wait: %v", err)
	case <-time.After(20 * time.Millisecond):
	}
	s.commit(t1, tx1)
	if err := <-done; !pgerr.Is(err, pgerr.DuplicateTable) {
		t.Errorf("after the wait: %v", err)
	}
}

func TestNumbersAreNotReused(t *testing.T) {
	s := newStore(t)
	r := s.create("fleet")
	txn, tx := s.begin()
	if err := tx.Drop(context.Background(), r.ID); err != nil {
		t.Fatal(err)
	}
	s.commit(txn, tx)
	if _, ok := s.c.Current().ByID(r.ID); ok {
		t.Error("still there")
	}
	if got := s.c.TakeDropped(s.db.Visible()); len(got) != 1 || got[0].ID != r.ID {
		t.Errorf("dropped: %v", got)
	}
	s.restart()
	next := s.create("fleet")
	if next.ID <= r.ID || next.Indexes[0].ID <= r.Indexes[1].ID {
		t.Errorf("numbers %d, %d after %d, %d", next.ID, next.Indexes[0].ID, r.ID, r.Indexes[1].ID)
	}
	got := s.c.TakeDropped(0)
	if len(got) != 1 || got[0].ID != r.ID || len(got[0].Indexes) != 2 || got[0].Indexes[1].ID != r.Indexes[1].ID {
		t.Errorf("dropped before the restart: %+v", got)
	}
}

func TestPolicyMergesFieldByField(t *testing.T) {
	extent := spatialidx.Extent
	r := &Relation{Spatial: SpatialConfig{
		Default:    &PolicyOverride{Precisions: []int{8, 6}, Cover: &extent},
		Properties: map[string]*PolicyOverride{"position": {Precisions: []int{7, 5}}, "stops[].geo": {Precisions: []int{6}}},
	}}
	for property, want := range map[string]string{
		"position":    "(7, 5) Extent property override",
		"other":       "(8, 6) Extent workspace default",
		"stops.3.geo": "(6) Extent property override",
		"stops":       "(8, 6) Extent workspace default",
	} {
		p, scope := r.Policy(property)
		if got := p.String() + " " + p.Cover.String() + " " + scope.String(); got != want {
			t.Errorf("%s: %s, want %s", property, got, want)
		}
	}
	p, scope := (&Relation{}).Policy("position")
	if !reflect.DeepEqual(p, spatialidx.DefaultPolicy()) || scope != ServerDefault {
		t.Errorf("undeclared: %v %v", p, scope)
	}
	a := (&Relation{}).EffectivePolicy("x").Hash()
	if b := r.EffectivePolicy("x").Hash(); a == b || len(b) != 16 {
		t.Errorf("hashes %s and %s", a, b)
	}
	merged := r.Spatial.Override("position").Merge(&PolicyOverride{Cover: &extent})
	if merged.Cover == nil || len(merged.Precisions) != 2 || r.Spatial.Properties["position"].Cover != nil {
		t.Errorf("merge: %+v", merged)
	}
}

func TestPolicySurvivesRestart(t *testing.T) {
	s := newStore(t)
	r := s.create("fleet").Clone()
	extent, srid, bucket := spatialidx.Extent, int32(4326), "floor"
	r.Spatial.Set("position", &PolicyOverride{Precisions: []int{8, 6}, Cover: &extent, SRID: &srid, Bucket: &bucket})
	r.Spatial.Set("", &PolicyOverride{Precisions: []int{6}})
	txn, tx := s.begin()
	if err := tx.Replace(context.Background(), r); err != nil {
		t.Fatal(err)
	}
	s.commit(txn, tx)
	s.restart()
	got, _ := s.c.Current().ByName("", "fleet")
	if !reflect.DeepEqual(got.Spatial, r.Spatial) {
		t.Errorf("got %+v, want %+v", got.Spatial, r.Spatial)
	}
	r = got.Clone()
	r.Spatial.Set("position", nil)
	if got.Spatial.Override("position") == nil || r.Spatial.Override("position") != nil {
		t.Error("a clone shares its policies")
	}
}

func TestPropertyPath(t *testing.T) {
	for _, c := range []struct {
		keys []any
		want string
	}{
		{[]any{"position"}, `position`},
		{[]any{"stops", 0, "geo"}, `stops.0.geo`},
		{[]any{"stops", "0", "geo"}, `stops.\0.geo`},
		{[]any{"a.b", `c\d`}, `a\.b.c\\d`},
		{[]any{"", ""}, `\e.\e`},
		{[]any{"7"}, `\7`},
	} {
		var path []byte
		for _, k := range c.keys {
			if i, ok := k.(int); ok {
				path = AppendPathIndex(path, i)
			} else {
				path = AppendPathKey(path, k.(string))
			}
		}
		if string(path) != c.want {
			t.Errorf("%v: %s, want %s", c.keys, path, c.want)
		}
	}
	for path, want := range map[string]string{"stops.3.geo": "stops[].geo", "a.0.1": "a[][]", "position": "position", `a.\0.b`: `a.\0.b`} {
		if got := CollapseElements(path); got != want {
			t.Errorf("%s: %s, want %s", path, got, want)
		}
	}
}

func TestHistoryRetention(t *testing.T) {
	for text, want := range map[string]time.Duration{"": time.Hour, "48h0m0s": 48 * time.Hour, "forever": 0} {
		r := &Relation{Options: map[string]string{}}
		if text != "" {
			r.Options[OptionHistoryRetention] = text
		}
		if d, forever := r.HistoryRetention(); d != want || forever != (text == Forever) {
			t.Errorf("%q: %v %v", text, d, forever)
		}
	}
}
