package exec

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/cockroachdb/pebble/v2/vfs"

	"raisind/catalog"
	"raisind/geom"
	"raisind/relation"
	"raisind/sql/expr"
	"raisind/sql/funcs"
	"raisind/sql/plan"
	"raisind/sql/types"
	"raisind/storage"
)

// benchFleet is a fleet of nodes around one town, indexed for tracking, and the plans
// of the two statements tracking consists of.
type benchFleet struct {
	rt  *Runtime
	rel *catalog.Relation
	rng *rand.Rand
	n   int
}

const (
	benchNodes = 100_000
	benchLon   = 13.4
	benchLat   = 52.5
)

// newBenchFleet spreads nodes so that a circle of 1 km holds about 120 of them.
func newBenchFleet(b *testing.B) *benchFleet {
	b.Helper()
	db, err := storage.Open(storage.Options{Dir: "db", FS: vfs.NewMem()})
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { db.Close() })
	cat, err := catalog.Load(db)
	if err != nil {
		b.Fatal(err)
	}
	ix, err := relation.NewIndexer(db, cat)
	if err != nil {
		b.Fatal(err)
	}
	f := &benchFleet{rt: &Runtime{DB: db, Catalog: cat, Indexer: ix}, rng: rand.New(rand.NewPCG(1, 2)), n: benchNodes}
	f.rel = cat.NewWorkspace("fleet")
	f.rel.Spatial.Set("position", &catalog.PolicyOverride{Precisions: []int{8, 6}})
	f.do(b, func(txn *storage.Txn, tx *catalog.Tx) {
		if err := tx.Create(context.Background(), f.rel); err != nil {
			b.Fatal(err)
		}
	})
	for at := 0; at < f.n; at += 10_000 {
		f.do(b, func(txn *storage.Txn, tx *catalog.Tx) {
			in, err := f.rt.NewInserter(context.Background(), InserterOptions{
				Txn: txn, Catalog: tx, Rel: f.rel, Funcs: f.funcs(),
				Targets: []int{catalog.ColPath, catalog.ColNodeType, catalog.ColProperties},
			})
			if err != nil {
				b.Fatal(err)
			}
			defer in.Close()
			for i := at; i < at+10_000; i++ {
				if err := in.Insert(types.Row{types.Str(path(i)), types.Str("fleet:Van"), types.Str(f.properties())}); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
	if err := db.Flush(); err != nil {
		b.Fatal(err)
	}
	return f
}

func path(i int) string { return fmt.Sprintf("/depot/van-%d", i) }

// properties are those of a node somewhere in the town: 28.9 km around its middle.
func (f *benchFleet) properties() string {
	r, a := 28.9*math.Sqrt(f.rng.Float64()), 2*math.Pi*f.rng.Float64()
	lat := benchLat + r*math.Sin(a)/111.2
	lon := benchLon + r*math.Cos(a)/(111.2*math.Cos(benchLat*math.Pi/180))
	return fmt.Sprintf(`{"speed": 13.4, "driver": "a name of usual length", "heading": 271, "position": {"type": "Point", "coordinates": [%.6f, %.6f]}, "note": "some free text that fills the row to its size"}`, lon, lat)
}

func (f *benchFleet) funcs() *funcs.Ctx {
	return &funcs.Ctx{Context: context.Background(), Env: types.DefaultEnv(), TxnTime: time.Now(), StmtTime: time.Now()}
}

func (f *benchFleet) do(b *testing.B, fn func(*storage.Txn, *catalog.Tx)) storage.CommitInfo {
	b.Helper()
	txn := f.rt.DB.Begin(storage.ReadCommitted)
	tx := f.rt.Catalog.Begin(txn)
	fn(txn, tx)
	info, err := txn.Commit(context.Background(), f.rt.Indexer.Deriver(tx), storage.CommitOptions{OnApply: tx.OnApply})
	if err != nil {
		b.Fatal(err)
	}
	return info
}

func scanColumns(r *catalog.Relation) []plan.Column {
	return make([]plan.Column, len(r.Columns)+plan.ExtraColumns)
}

// updatePlan is UPDATE 'fleet' SET properties = $1::jsonb WHERE path = $2.
func (f *benchFleet) updatePlan() *plan.Statement {
	u := &plan.Update{
		Rel: f.rel,
		Source: &plan.KeyScan{
			Rel: f.rel, Index: f.rel.PathIndex(), Keys: [][]expr.Expr{{&expr.Param{N: 2, T: types.TText}}}, Cols: scanColumns(f.rel),
		},
		Set: []plan.Assign{{Column: catalog.ColProperties, Value: &expr.Param{N: 1, T: types.TJSONB}}},
	}
	return &plan.Statement{Root: u, Verb: "UPDATE", Writes: true, Relations: []plan.RelationUse{{ID: f.rel.ID, Mode: storage.RowExclusive}}}
}

// radiusPlan is SELECT path FROM 'fleet' WHERE ST_DWithin(properties->'position', $1, $2).
func (f *benchFleet) radiusPlan() *plan.Statement {
	need := make([]bool, len(f.rel.Columns))
	need[catalog.ColPath] = true
	s := &plan.SpatialScan{
		Kind: plan.DistanceScan, Rel: f.rel, Property: "position", Exact: true, Need: need, NeedRow: true,
		Center: &expr.Param{N: 1, T: types.TGeometry}, RadiusM: &expr.Param{N: 2, T: types.TFloat8}, Cols: scanColumns(f.rel),
	}
	p := &plan.Project{Source: s, Exprs: []expr.Expr{&expr.Column{Index: catalog.ColPath, T: types.TText}}, Cols: make([]plan.Column, 1)}
	return &plan.Statement{Root: p, Verb: "SELECT", Relations: []plan.RelationUse{{ID: f.rel.ID, Mode: storage.AccessShare}}}
}

func BenchmarkUpdateByPath(b *testing.B) {
	f := newBenchFleet(b)
	st := f.updatePlan()
	properties := make([]types.Datum, 4099)
	for i := range properties {
		properties[i] = types.Str(f.properties())
	}
	var keys, bytes int64
	b.ReportAllocs()
	n := 0
	for b.Loop() {
		info := f.do(b, func(txn *storage.Txn, tx *catalog.Tx) {
			q, err := f.rt.Open(context.Background(), st, OpenOptions{Txn: txn, Catalog: tx, Funcs: f.funcs(),
				Params: types.Row{properties[n%len(properties)], types.Str(path(f.rng.IntN(f.n)))}})
			if err != nil {
				b.Fatal(err)
			}
			if _, _, err := q.Next(); err != nil {
				b.Fatal(err)
			}
			if q.RowsAffected() != 1 {
				b.Fatalf("%d rows", q.RowsAffected())
			}
			q.Close()
		})
		keys += int64(info.Keys)
		bytes += info.Bytes
		n++
	}
	b.ReportMetric(float64(keys)/float64(n), "keys/op")
	b.ReportMetric(float64(bytes)/float64(n), "bytes/op")
}

func BenchmarkRadius1km(b *testing.B) {
	f := newBenchFleet(b)
	st := f.radiusPlan()
	var rows, visited int64
	run := func(instrument bool) {
		lon, lat := benchLon+(f.rng.Float64()-0.5)/8, benchLat+(f.rng.Float64()-0.5)/12
		txn := f.rt.DB.Begin(storage.ReadCommitted)
		defer txn.Rollback()
		q, err := f.rt.Open(context.Background(), st, OpenOptions{
			Txn: txn, Catalog: f.rt.Catalog.Begin(txn), Funcs: f.funcs(), Instrument: instrument,
			Params: types.Row{types.Geom(geom.NewPoint(lon, lat, 4326)), types.Float(1000)},
		})
		if err != nil {
			b.Fatal(err)
		}
		for {
			_, ok, err := q.Next()
			if err != nil {
				b.Fatal(err)
			}
			if !ok {
				break
			}
			rows++
		}
		for _, s := range q.Stats() {
			visited += s.KeysVisited
		}
		q.Close()
	}
	for range 100 {
		run(true)
	}
	keysPerOp, rowsPerOp := float64(visited)/100, float64(rows)/100
	b.ReportAllocs()
	for b.Loop() {
		run(false)
	}
	b.ReportMetric(keysPerOp, "keys/op")
	b.ReportMetric(rowsPerOp, "rows/op")
}
