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
	"raisind/sql/funcs"
	"raisind/sql/parser"
	"raisind/sql/plan"
	"raisind/sql/planner"
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

// plan plans a statement of the benchmark.
func (f *benchFleet) plan(b *testing.B, sql string) *plan.Statement {
	b.Helper()
	stmts, err := parser.Parse(sql)
	if err != nil {
		b.Fatal(err)
	}
	txn := f.rt.DB.Begin(storage.ReadCommitted)
	defer txn.Rollback()
	st, err := planner.Plan(context.Background(), stmts[0].Node, planner.Options{Catalog: f.rt.Catalog.Begin(txn), SQL: sql})
	if err != nil {
		b.Fatal(err)
	}
	return st
}

// ask runs a query and returns how many rows it gave and how many keys were visited,
// the latter only when it is measured.
func (f *benchFleet) ask(b *testing.B, st *plan.Statement, measure bool, params ...types.Datum) (rows, keys int64) {
	b.Helper()
	txn := f.rt.DB.Begin(storage.ReadCommitted)
	defer txn.Rollback()
	q, err := f.rt.Open(context.Background(), st, OpenOptions{
		Txn: txn, Catalog: f.rt.Catalog.Begin(txn), Funcs: f.funcs(), Instrument: measure, Params: params,
	})
	if err != nil {
		b.Fatal(err)
	}
	defer q.Close()
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
		keys += s.KeysVisited
	}
	return rows, keys
}

// around is a place within the town.
func (f *benchFleet) around() types.Datum {
	return types.Geom(geom.NewPoint(benchLon+(f.rng.Float64()-0.5)/8, benchLat+(f.rng.Float64()-0.5)/12, 4326))
}

// benchQuery measures a query about a random place.
func benchQuery(b *testing.B, sql string, params ...types.Datum) {
	f := newBenchFleet(b)
	st := f.plan(b, sql)
	var rows, keys int64
	const measured = 100
	for range measured {
		r, k := f.ask(b, st, true, append([]types.Datum{f.around()}, params...)...)
		rows, keys = rows+r, keys+k
	}
	b.ReportAllocs()
	for b.Loop() {
		f.ask(b, st, false, append([]types.Datum{f.around()}, params...)...)
	}
	b.ReportMetric(float64(keys)/measured, "keys/op")
	b.ReportMetric(float64(rows)/measured, "rows/op")
}

func BenchmarkRadius1km(b *testing.B) {
	benchQuery(b, `SELECT path FROM 'fleet' WHERE ST_DWithin(properties->'position', $1::geometry, $2::float8)`, types.Float(1000))
}

func BenchmarkRadiusCount3km(b *testing.B) {
	benchQuery(b, `SELECT count(*) FROM 'fleet' WHERE ST_DWithin(properties->'position', $1::geometry, $2::float8)`, types.Float(3000))
}

func BenchmarkNearest10(b *testing.B) {
	benchQuery(b, `SELECT path, __distance FROM 'fleet' ORDER BY ST_Distance(properties->'position', $1::geometry) LIMIT 10`)
}

func BenchmarkUpdateByPath(b *testing.B) {
	f := newBenchFleet(b)
	st := f.plan(b, `UPDATE 'fleet' SET properties = $1::jsonb WHERE path = $2`)
	properties := make([]types.Datum, 4099)
	for i := range properties {
		properties[i] = types.Str(f.properties())
	}
	var keys, bytes int64
	b.ReportAllocs()
	n := 0
	for b.Loop() {
		info := f.do(b, func(txn *storage.Txn, tx *catalog.Tx) {
			q, err := f.rt.Open(context.Background(), st, OpenOptions{
				Txn: txn, Catalog: tx, Funcs: f.funcs(),
				Params: types.Row{properties[n%len(properties)], types.Str(path(f.rng.IntN(f.n)))},
			})
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
