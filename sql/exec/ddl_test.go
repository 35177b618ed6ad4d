package exec

import (
	"context"
	"testing"

	"raisind/catalog"
	"raisind/pgerr"
	"raisind/sql/ast"
	"raisind/sql/parser"
	"raisind/storage"
)

// Everybody may look at policies and health; to change, rebuild and verify is for the
// owner, whoever has the owner's rights, and the superuser.
func TestSpatialIndexRights(t *testing.T) {
	s := newServer(t)
	ctx := context.Background()
	parse := func(sql string) ast.Stmt {
		t.Helper()
		st, err := parser.Parse(sql)
		if err != nil {
			t.Fatal(err)
		}
		return st[0].Node
	}
	as := func(role uint32, sql string) error {
		t.Helper()
		txn := s.rt.DB.Begin(storage.ReadCommitted)
		defer txn.Rollback()
		cat := s.rt.Catalog.Begin(txn)
		_, handled, err := s.rt.RunDDLAs(ctx, role, parse(sql), txn, cat)
		if !handled {
			t.Fatalf("%s is not handled", sql)
		}
		if err != nil {
			return err
		}
		_, err = txn.Commit(ctx, s.rt.Indexer.Deriver(cat), storage.CommitOptions{OnApply: cat.OnApply})
		return err
	}
	ann, bob, cas := s.rt.Catalog.NextOID(), s.rt.Catalog.NextOID(), s.rt.Catalog.NextOID()
	txn := s.rt.DB.Begin(storage.ReadCommitted)
	cat := s.rt.Catalog.Begin(txn)
	for _, r := range []*catalog.Role{
		{OID: ann, Name: "ann", Inherit: true},
		{OID: bob, Name: "bob", Inherit: true, MemberOf: []catalog.Membership{{Role: ann}}},
		{OID: cas, Name: "cas", Inherit: true},
	} {
		if err := cat.CreateObject(ctx, r); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := txn.Commit(ctx, s.rt.Indexer.Deriver(cat), storage.CommitOptions{OnApply: cat.OnApply}); err != nil {
		t.Fatal(err)
	}
	if err := as(ann, `CREATE WORKSPACE 'fleet'`); err != nil {
		t.Fatal(err)
	}
	for _, sql := range []string{
		`ALTER SPATIAL INDEX FOR 'fleet' PROPERTY 'position' SET PRECISIONS = (8, 6)`,
		`ALTER SPATIAL INDEX FOR 'fleet' PROPERTY 'position' RESET`,
		`REBUILD SPATIAL INDEX FOR 'fleet'`, `VERIFY SPATIAL INDEX FOR 'fleet'`,
		`SHOW SPATIAL INDEX CONFIG FOR 'fleet'`, `SHOW SPATIAL INDEX HEALTH FOR 'fleet'`,
		`ALTER WORKSPACE 'fleet' SET (history_retention = 60)`, `DROP WORKSPACE 'fleet'`,
	} {
		for role, may := range map[uint32]bool{ann: true, bob: true, catalog.BootstrapRole: true, cas: sql[:4] == "SHOW"} {
			if sql[:4] == "DROP" && may {
				continue
			}
			err := as(role, sql)
			if may && err != nil || !may && (!pgerr.Is(err, pgerr.InsufficientPrivilege) || err.Error() != "must be owner of workspace fleet") {
				t.Errorf("%s by role %d: %v", sql, role, err)
			}
		}
	}
}
