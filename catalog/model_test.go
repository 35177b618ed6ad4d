package catalog

import (
	"context"
	"reflect"
	"testing"

	"raisind/pgerr"
	"raisind/sql/types"
)

// A relation with everything, and the objects it uses, survive a restart.
func TestModelSurvivesRestart(t *testing.T) {
	s := newStore(t)
	ctx := context.Background()
	txn, tx := s.begin()
	mood := &UserType{OID: s.c.NextOID(), ArrayOID: s.c.NextOID(), Schema: "app", Name: "mood", Enum: &Enum{
		Labels: []types.Label{{OID: s.c.NextOID(), Name: "sad", Order: 1}, {OID: s.c.NextOID(), Name: "glad", Order: 2}},
	}}
	for _, o := range []Object{
		&Schema{OID: s.c.NextOID(), Name: "app"}, mood,
		&UserType{OID: s.c.NextOID(), ArrayOID: s.c.NextOID(), Schema: "app", Name: "best", Domain: &Domain{
			Base: mood.OID, Typmod: -1, Checks: []Constraint{{OID: s.c.NextOID(), Name: "best_check", Kind: ConstraintCheck, Expr: "VALUE > 'sad'"}},
		}},
		&Function{OID: s.c.NextOID(), Schema: "app", Name: "f", Kind: 'f', Args: []FunctionArg{{Type: 23, Mode: 'i'}}, Returns: 23, Language: "sql", Body: "SELECT 1", Volatility: 'v'},
		&Role{OID: s.c.NextOID(), Name: "ann", Login: true, ConnectionLimit: -1, MemberOf: []Membership{{Role: BootstrapRole}}},
	} {
		if err := tx.CreateObject(ctx, o); err != nil {
			t.Fatal(err)
		}
	}
	enum, ok := tx.Snapshot().TypeByName("app", "mood")
	if !ok || enum.Kind() != types.KindEnum || enum.SQLName != "app.mood" {
		t.Fatalf("enum: %+v", enum)
	}
	r := s.c.NewRelation(Table, "app", "people")
	missing := "none"
	r.Columns = []Column{
		{ID: 1, Name: "id", Type: types.TInt4, Typmod: -1, NotNull: true, Identity: 'a'},
		{ID: 3, Name: "mood", Type: enum, Typmod: -1, Default: "'sad'::app.mood", Missing: &missing, Comment: "how", Depends: []Dependency{{On: mood.Ref()}}},
	}
	r.NextColumnID = 4
	r.Indexes = []Index{
		{ID: s.c.NextIndexID(), OID: s.c.NextOID(), Name: "people_pkey", Columns: []int{0}, Unique: true, Primary: true, Include: []int{1}},
		{
			ID: s.c.NextIndexID(), OID: s.c.NextOID(), Name: "people_lower", Columns: []int{ExprColumn, 0},
			Keys:   []IndexKey{{Expr: "mood::text", Type: 25}, {Desc: true, NullsFirst: true}},
			Format: RowKeys, Method: "btree", Predicate: "id > 0",
		},
	}
	r.Constraints = []Constraint{
		r.ConstraintOf(&r.Indexes[0], s.c.NextOID()),
		{OID: s.c.NextOID(), Name: "people_self", Kind: ConstraintForeign, Columns: []uint16{1}, RefRelation: r.ID, RefColumns: []uint16{1}, Match: 's', OnUpdate: 'a', OnDelete: 'c', Deferrable: true},
	}
	r.Triggers = []Trigger{{OID: s.c.NextOID(), Name: "tr", Timing: TriggerBefore, Events: TriggerInsert | TriggerUpdate, ForRow: true, Enabled: 'O', Args: []string{"x"}}}
	r.Comment, r.Owner, r.ACL = "folk", BootstrapRole, []ACLItem{{Grantor: BootstrapRole, Privileges: PrivilegeSelect}}
	if err := tx.Create(ctx, r); err != nil {
		t.Fatal(err)
	}
	s.commit(txn, tx)
	s.restart()
	now := s.c.Current()
	got, ok := now.ByName("app", "people")
	if !ok {
		t.Fatal("lost")
	}
	if got.Columns[1].Type == enum || got.Columns[1].Type.Labels()[1].Name != "glad" {
		t.Errorf("type of the column: %+v", got.Columns[1].Type)
	}
	if again, _ := now.TypeByOID(mood.OID); again != got.Columns[1].Type {
		t.Error("the column's type is not the snapshot's")
	}
	if f := got.RowType().Fields(); len(f) != 2 || f[1].Type != got.Columns[1].Type {
		t.Errorf("row type: %+v", f)
	}
	if a, ok := now.TypeByOID(got.ArrayOID); !ok || a.Elem != got.RowType() {
		t.Errorf("array of rows: %v", a)
	}
	if best, ok := now.TypeByName("app", "best"); !ok {
		t.Error("domain lost")
	} else if base, _ := best.Domain(); base != got.Columns[1].Type {
		t.Error("domain over another type")
	}
	if _, x, ok := now.IndexByName("app", "people_lower"); !ok || x.Key(1).Desc != true || x.Key(5) != (IndexKey{}) {
		t.Errorf("index: %+v", x)
	}
	if _, c, ok := now.ConstraintByOID(r.Constraints[1].OID); !ok || c.OnDelete != 'c' {
		t.Errorf("constraint: %+v", c)
	}
	if s.c.NextOID() <= r.Triggers[0].OID {
		t.Error("OIDs are handed out again")
	}
	want := r.Clone()
	want.Columns[1].Type = got.Columns[1].Type
	got = got.Clone()
	got.Spatial, want.Spatial = SpatialConfig{}, SpatialConfig{}
	if !reflect.DeepEqual(got.Constraints, want.Constraints) || !reflect.DeepEqual(got.Triggers, want.Triggers) ||
		!reflect.DeepEqual(got.Security, want.Security) || got.Comment != want.Comment || *got.Columns[1].Missing != missing {
		t.Errorf("read back as\n%+v\nwas\n%+v", got, want)
	}
}

// A label that is added changes the type of the columns that have it, and nothing else.
func TestTypesFollowTheirDefinitions(t *testing.T) {
	s := newStore(t)
	ctx := context.Background()
	txn, tx := s.begin()
	mood := &UserType{OID: s.c.NextOID(), ArrayOID: s.c.NextOID(), Schema: "public", Name: "mood", Enum: &Enum{}}
	if err := tx.CreateObject(ctx, mood); err != nil {
		t.Fatal(err)
	}
	if err := tx.CreateObject(ctx, mood.Clone()); !pgerr.Is(err, pgerr.DuplicateObject) {
		t.Errorf("second of a name: %v", err)
	}
	enum, _ := tx.Snapshot().TypeByOID(mood.OID)
	with, without := s.c.NewRelation(Table, "public", "a"), s.c.NewRelation(Table, "public", "b")
	with.Columns = []Column{{ID: 1, Name: "m", Type: enum.Array(), Typmod: -1}}
	without.Columns = []Column{{ID: 1, Name: "m", Type: types.TText, Typmod: -1}}
	for _, r := range []*Relation{with, without} {
		if err := tx.Create(ctx, r); err != nil {
			t.Fatal(err)
		}
	}
	s.commit(txn, tx)
	txn, tx = s.begin()
	if _, err := tx.LockObject(ctx, mood.Ref()); err != nil {
		t.Fatal(err)
	}
	next := mood.Clone()
	next.Enum.Labels = []types.Label{{OID: s.c.NextOID(), Name: "glad", Order: 1}}
	if err := tx.ReplaceObject(ctx, next); err != nil {
		t.Fatal(err)
	}
	a, _ := tx.Snapshot().ByID(with.ID)
	b, _ := tx.Snapshot().ByID(without.ID)
	if len(a.Columns[0].Type.Elem.Labels()) != 1 || b != without {
		t.Errorf("a has %v, b changed %v", a.Columns[0].Type.Elem.Labels(), b != without)
	}
	txn.Rollback()
	if a, _ := s.c.Current().ByID(with.ID); len(a.Columns[0].Type.Elem.Labels()) != 0 {
		t.Error("a label outlived its transaction")
	}
}

// The first stores knew unique indexes alone.
func TestOldRecords(t *testing.T) {
	key := recordKey(7)
	value := append([]byte{oldRecordFormat}, `{"schema":"public","name":"fleet","kind":1,"columns":[{"id":1,"name":"id","type":2950,"typmod":-1,"not_null":true}],
		"indexes":[{"id":3,"name":"fleet_pkey","columns":[0],"unique":true,"primary":true}],"spatial":{},"next_column":2}`...)
	r, dropped, err := decodeRecord(key, value)
	if err != nil || dropped {
		t.Fatal(dropped, err)
	}
	if len(r.Constraints) != 1 || r.Constraints[0].Kind != ConstraintPrimary || r.Constraints[0].Index != 3 || r.Indexes[0].OID == 0 || r.TypeOID == 0 {
		t.Errorf("completed as %+v", r)
	}
}

func TestBuiltinObjects(t *testing.T) {
	s := newStore(t)
	now := s.c.Current()
	for _, name := range []string{"public", "pg_catalog", "information_schema"} {
		if _, ok := now.Schema(name); !ok {
			t.Errorf("no schema %s", name)
		}
	}
	public, _ := now.Schema("public")
	if r, ok := now.Role(BootstrapRoleName); !ok || !r.Superuser || public.OwnerOID() != r.OID {
		t.Errorf("bootstrap role: %+v", r)
	}
	txn, tx := s.begin()
	if err := tx.DropObject(context.Background(), public.Ref()); err != nil {
		t.Fatal(err)
	}
	s.commit(txn, tx)
	s.restart()
	if _, ok := s.c.Current().Schema("public"); ok {
		t.Error("public came back")
	}
}
