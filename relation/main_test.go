package relation

import (
	"context"
	"fmt"
	"testing"
	"time"

	"github.com/cockroachdb/pebble/v2/vfs"
	"go.uber.org/goleak"

	"raisind/catalog"
	"raisind/geom"
	"raisind/sql/types"
	"raisind/storage"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// house is a store in memory with a catalog and an indexer.
type house struct {
	t   testing.TB
	fs  vfs.FS
	db  *storage.DB
	cat *catalog.Catalog
	ix  *Indexer
}

func newHouse(t testing.TB) *house {
	h := &house{t: t, fs: vfs.NewMem()}
	h.open()
	t.Cleanup(func() { h.db.Close() })
	return h
}

func (h *house) open() {
	h.t.Helper()
	var err error
	if h.db, err = storage.Open(storage.Options{Dir: "db", FS: h.fs}); err != nil {
		h.t.Fatal(err)
	}
	if h.cat, err = catalog.Load(h.db); err != nil {
		h.t.Fatal(err)
	}
	if h.ix, err = NewIndexer(h.db, h.cat); err != nil {
		h.t.Fatal(err)
	}
}

func (h *house) restart() {
	h.t.Helper()
	if err := h.db.Close(); err != nil {
		h.t.Fatal(err)
	}
	h.open()
}

// do runs fn in a transaction and commits it.
func (h *house) do(fn func(t *storage.Txn, tx *catalog.Tx)) storage.CommitInfo {
	h.t.Helper()
	txn := h.db.Begin(storage.ReadCommitted)
	tx := h.cat.Begin(txn)
	fn(txn, tx)
	info, err := txn.Commit(context.Background(), h.ix.Deriver(tx), storage.CommitOptions{OnApply: tx.OnApply})
	if err != nil {
		h.t.Fatal(err)
	}
	return info
}

func (h *house) workspace(name string) *catalog.Relation {
	h.t.Helper()
	r := h.cat.NewWorkspace(name)
	h.do(func(_ *storage.Txn, tx *catalog.Tx) {
		if err := tx.Create(context.Background(), r); err != nil {
			h.t.Fatal(err)
		}
	})
	return r
}

// alter changes the declared policy of a property.
func (h *house) alter(r *catalog.Relation, property string, o *catalog.PolicyOverride) *catalog.Relation {
	h.t.Helper()
	cur, _ := h.cat.Current().ByID(r.ID)
	n := cur.Clone()
	n.Spatial.Set(property, o)
	h.do(func(_ *storage.Txn, tx *catalog.Tx) {
		if err := tx.Replace(context.Background(), n); err != nil {
			h.t.Fatal(err)
		}
	})
	return n
}

// node makes a complete row.
func node(t testing.TB, r *catalog.Relation, path, properties string) types.Row {
	t.Helper()
	row := make(types.Row, len(r.Columns))
	row[catalog.ColPath], row[catalog.ColNodeType] = types.Str(path), types.Str("t:Node")
	row[catalog.ColProperties] = types.Str(properties)
	if err := CompleteInsert(r, row, time.Now().UnixMicro()); err != nil {
		t.Fatal(err)
	}
	return row
}

func encode(t testing.TB, r *catalog.Relation, row types.Row) []byte {
	t.Helper()
	b, err := EncodeRow(r, row)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// put writes a node under a row id and returns what the commit wrote.
func (h *house) put(r *catalog.Relation, id storage.RowID, properties string) storage.CommitInfo {
	h.t.Helper()
	return h.do(func(t *storage.Txn, _ *catalog.Tx) {
		row := node(h.t, r, fmt.Sprintf("/n-%d", id), properties)
		row[catalog.ColID] = types.Str(fmt.Sprintf("%016d", id))
		t.Put(r.ID, id, encode(h.t, r, row))
	})
}

func (h *house) delete(r *catalog.Relation, id storage.RowID) storage.CommitInfo {
	h.t.Helper()
	return h.do(func(t *storage.Txn, _ *catalog.Tx) { t.Delete(r.ID, id) })
}

// check runs Check and fails on any problem.
func (h *house) check() Report {
	h.t.Helper()
	rep, err := Check(context.Background(), h.db, h.cat, h.ix)
	if err != nil {
		h.t.Fatal(err)
	}
	if !rep.OK() {
		h.t.Errorf("check: %d problems: %v", rep.ProblemCount, rep.Problems)
	}
	return rep
}

// point is a properties object with a position.
func point(lon, lat float64) string {
	return fmt.Sprintf(`{"speed": 3, "position": {"type": "Point", "coordinates": [%v, %v]}}`, lon, lat)
}

func lonLat(lonDeg, latDeg float64) geom.LonLat { return geom.LonLat{LonDeg: lonDeg, LatDeg: latDeg} }
