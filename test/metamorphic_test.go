package test

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/cockroachdb/pebble/v2/vfs"

	"raisind/catalog"
	"raisind/geom"
	"raisind/pgerr"
	"raisind/relation"
	"raisind/spatialidx"
	"raisind/sql/exec"
	"raisind/sql/funcs"
	"raisind/sql/parser"
	"raisind/sql/plan"
	"raisind/sql/planner"
	"raisind/sql/types"
	"raisind/storage"
)

// engine is everything below sessions, on a store in memory.
type engine struct {
	t   testing.TB
	fs  *vfs.MemFS
	opt engineOptions
	db  *storage.DB
	rt  *exec.Runtime

	ahead atomic.Int64 // of the store's clock before ours, ns
}

type engineOptions struct {
	memTableBytes  int64
	maxKeysPerCell int
	crashes        bool // a restart loses some of what was not yet synced
	prune          storage.PruneOptions
}

func newEngine(t testing.TB, opt engineOptions) *engine {
	e := &engine{t: t, fs: vfs.NewCrashableMem(), opt: opt}
	e.open()
	t.Cleanup(func() {
		e.rt.Indexer.Close()
		e.db.Close()
	})
	return e
}

func (e *engine) open() {
	e.t.Helper()
	var err error
	e.db, err = storage.Open(storage.Options{
		Dir: "db", FS: e.fs, MemTableBytes: e.opt.memTableBytes, Prune: e.opt.prune,
		Clock: func() time.Time { return time.Now().Add(time.Duration(e.ahead.Load())) },
	})
	if err != nil {
		e.t.Fatal(err)
	}
	cat, err := catalog.Load(e.db)
	if err != nil {
		e.t.Fatal(err)
	}
	ix, err := relation.NewIndexer(e.db, cat)
	if err != nil {
		e.t.Fatal(err)
	}
	e.db.SetHistoryRetention(func(id storage.RelationID) (time.Duration, bool) {
		if r, ok := cat.Current().ByID(id); ok {
			return r.HistoryRetention()
		}
		return 0, true
	})
	if err := ix.ResumeRebuilds(); err != nil {
		e.t.Fatal(err)
	}
	e.rt = &exec.Runtime{DB: e.db, Catalog: cat, Indexer: ix, MaxKeysPerCell: e.opt.maxKeysPerCell}
}

func (e *engine) restart() {
	e.t.Helper()
	e.rt.Indexer.Close()
	if err := e.db.Close(); err != nil {
		e.t.Fatal(err)
	}
	e.open()
}

// crash opens what a power failure would leave of the store.
func (e *engine) crash(r *rand.Rand) {
	e.t.Helper()
	left := e.fs.CrashClone(vfs.CrashCloneCfg{UnsyncedDataPercent: r.IntN(101), RNG: r})
	e.rt.Indexer.Close()
	if err := e.db.Close(); err != nil {
		e.t.Fatal(err)
	}
	e.fs = left
	e.open()
}

// check compares rows and indexes.
func (e *engine) check() {
	e.t.Helper()
	rep, err := relation.Check(context.Background(), e.db, e.rt.Catalog, e.rt.Indexer)
	if err != nil {
		e.t.Fatal(err)
	}
	if !rep.OK() {
		e.t.Fatalf("check: %d problems:\n%s", rep.ProblemCount, strings.Join(rep.Problems, "\n"))
	}
}

// transaction is one open transaction of the engine.
type transaction struct {
	e   *engine
	txn *storage.Txn
	cat *catalog.Tx
	// scans counts the spatial scans that used the index and those that did not.
	used, unused int
}

func (e *engine) begin(iso storage.Isolation) *transaction {
	txn := e.db.Begin(iso)
	return &transaction{e: e, txn: txn, cat: e.rt.Catalog.Begin(txn)}
}

func (tx *transaction) commit() error {
	_, err := tx.txn.Commit(context.Background(), tx.e.rt.Indexer.Deriver(tx.cat), storage.CommitOptions{OnApply: tx.cat.OnApply})
	return exec.MapError(err)
}

// query runs one statement and returns the text of its rows, columns divided by a bar.
func (tx *transaction) query(sql string, args ...any) ([]string, error) {
	ctx := context.Background()
	stmts, err := parser.Parse(fmt.Sprintf(sql, args...))
	if err != nil {
		return nil, err
	}
	st := stmts[0]
	env := types.DefaultEnv()
	fc := &funcs.Ctx{Context: ctx, Env: env, TxnTime: time.Now(), StmtTime: time.Now()}
	if _, handled, err := tx.e.rt.RunDDL(ctx, st.Node, tx.txn, tx.cat); handled {
		return nil, err
	}
	p, err := planner.Plan(ctx, st.Node, planner.Options{Catalog: tx.cat, SQL: st.Text, Env: env})
	if err != nil {
		return nil, err
	}
	q, err := tx.e.rt.Open(ctx, p, exec.OpenOptions{Txn: tx.txn, Catalog: tx.cat, Funcs: fc, Instrument: true})
	if err != nil {
		return nil, err
	}
	defer q.Close()
	var rows []string
	for {
		row, ok, err := q.Next()
		if err != nil {
			return nil, err
		}
		if !ok {
			break
		}
		var text []byte
		for i, c := range p.Columns {
			if i > 0 {
				text = append(text, '|')
			}
			if !row[i].IsNull() {
				text = c.Type.AppendText(text, row[i], env)
			}
		}
		rows = append(rows, string(text))
	}
	for n, s := range q.Stats() {
		if _, ok := n.(*plan.SpatialScan); ok && s.Decided != nil {
			if s.Decided.NotUsed == nil && s.FellBack == nil {
				tx.used++
			} else {
				tx.unused++
			}
		}
	}
	return rows, nil
}

// seedOf returns the seed of a random test: RAISIND_SEED, to repeat a failure, or the
// clock.
func seedOf(t *testing.T) uint64 {
	seed := uint64(time.Now().UnixNano())
	if s := os.Getenv("RAISIND_SEED"); s != "" {
		var err error
		if seed, err = strconv.ParseUint(s, 10, 64); err != nil {
			t.Fatal(err)
		}
	}
	t.Logf("RAISIND_SEED=%d repeats this run", seed)
	return seed
}

// earth makes places where indexes of places go wrong.
type earth struct {
	*rand.Rand
	shapes bool          // more lines and polygons than points
	used   []geom.LonLat // places given out, to come back to
}

func (e *earth) near(v, spread float64) float64 { return v + (e.Float64()-0.5)*spread }

func clampLon(lon float64) float64 { return max(-180, min(180, lon)) }
func clampLat(lat float64) float64 { return max(-90, min(90, lat)) }

func (e *earth) place() geom.LonLat {
	var p geom.LonLat
	switch e.IntN(8) {
	case 0, 1: // a town
		town := []geom.LonLat{{LonDeg: 13.4, LatDeg: 52.5}, {LonDeg: 103.8, LatDeg: 1.3}, {LonDeg: -70.6, LatDeg: -33.4}}[e.IntN(3)]
		spread := math.Pow(10, -float64(e.IntN(5)))
		p = geom.LonLat{LonDeg: e.near(town.LonDeg, spread), LatDeg: e.near(town.LatDeg, spread)}
	case 2: // about a pole, or the pole itself
		p = geom.LonLat{LonDeg: e.near(0, 360), LatDeg: 90 - math.Pow(10, -float64(e.IntN(8)))}
		if e.IntN(4) == 0 {
			p.LatDeg = 90
		}
		if e.IntN(2) == 0 {
			p.LatDeg = -p.LatDeg
		}
	case 3: // about the antimeridian, or on it
		p = geom.LonLat{LonDeg: 180 - e.Float64()*math.Pow(10, -float64(e.IntN(6))), LatDeg: e.near(0, 170)}
		if e.IntN(4) == 0 {
			p.LonDeg = 180
		}
		if e.IntN(2) == 0 {
			p.LonDeg = -p.LonDeg
		}
	case 4: // the corner of a cell
		prec := 1 + e.IntN(spatialidx.MaxPrecision)
		b := spatialidx.CellAt(geom.LonLat{LonDeg: e.near(0, 360), LatDeg: e.near(0, 180)}, prec).Bounds(prec)
		p = geom.LonLat{LonDeg: []float64{b.MinX, b.MaxX}[e.IntN(2)], LatDeg: []float64{b.MinY, b.MaxY}[e.IntN(2)]}
	case 5, 6: // where somebody was, or a step aside
		if len(e.used) > 0 {
			p = e.used[e.IntN(len(e.used))]
			if e.IntN(2) == 0 {
				step := math.Pow(10, -float64(1+e.IntN(9)))
				p = geom.LonLat{LonDeg: e.near(p.LonDeg, step), LatDeg: e.near(p.LatDeg, step)}
			}
			break
		}
		fallthrough
	default: // anywhere
		p = geom.LonLat{LonDeg: e.near(0, 360), LatDeg: e.near(0, 180)}
	}
	p = geom.LonLat{LonDeg: clampLon(p.LonDeg), LatDeg: clampLat(p.LatDeg)}
	if len(e.used) < 64 {
		e.used = append(e.used, p)
	} else {
		e.used[e.IntN(len(e.used))] = p
	}
	return p
}

// radiusM is between nothing and half the Earth, each size as likely.
func (e *earth) radiusM() float64 {
	switch e.IntN(12) {
	case 0:
		return 0
	case 1:
		return 20_003_931.5
	}
	if e.IntN(2) == 0 {
		return math.Pow(10, -2+7*e.Float64())
	}
	return math.Pow(10, -2+9.3*e.Float64())
}

// position is a property: mostly a point, sometimes a shape or no geometry at all.
func (e *earth) position() string {
	p := e.place()
	size := math.Pow(10, 1-5*e.Float64())
	lon, lat := clampLon(p.LonDeg+size), clampLat(p.LatDeg+size)
	kind := e.IntN(16)
	if e.shapes {
		kind = e.IntN(5)
	}
	switch kind {
	case 0:
		return []string{
			`null`, `"text"`, `17`, `{"type": "Point"}`, `{"type": "Point", "coordinates": [181, 0]}`,
			`{"type": "Point", "coordinates": []}`, `{"type": "GeometryCollection", "geometries": []}`,
			`{"type": "Polygon", "coordinates": [[[0, 0], [1, 1], [1, 0]]]}`,
		}[e.IntN(8)]
	case 1:
		return fmt.Sprintf(`{"type": "Polygon", "coordinates": [[[%v, %v], [%v, %v], [%v, %v], [%v, %v], [%v, %v]]]}`,
			p.LonDeg, p.LatDeg, lon, p.LatDeg, lon, lat, p.LonDeg, lat, p.LonDeg, p.LatDeg)
	case 2:
		return fmt.Sprintf(`{"type": "LineString", "coordinates": [[%v, %v], [%v, %v]]}`, p.LonDeg, p.LatDeg, lon, lat)
	case 3:
		return fmt.Sprintf(`{"type": "MultiPoint", "coordinates": [[%v, %v], [%v, %v]]}`, p.LonDeg, p.LatDeg, lon, lat)
	}
	return fmt.Sprintf(`{"type": "Point", "coordinates": [%v, %v]}`, p.LonDeg, p.LatDeg)
}

// metamorph is one run of the metamorphic test.
type metamorph struct {
	t            *testing.T
	e            *engine
	o            optionSet
	earth        *earth
	steps        int
	model        map[string]string // path to position, of what is committed
	used, unused int
	queries      int
}

const metamorphNodes = 150

// policies an index may have; "" is the default.
var policies = []string{"", "(8, 6)", "(6)", "(12, 1)", "(8, 6, 4, 2)", "(7, 5)", "(9, 5, 3)"}

// optionSet is a way to run the metamorphic test.
type optionSet struct {
	name   string
	engine engineOptions
	// policy is what the index starts with, "" for the default; changes tells that it
	// changes in mid-run, one step in so many, 0 for never.
	policy  string
	changes int
	cover   string // "": either
	shapes  bool   // mostly lines and polygons
	// Every so many steps, 0 for now and then: a flush, with the pruning it brings; a
	// restart; a rebuild, which then goes on beside the following steps.
	flush, restart, rebuild int
	age                     time.Duration // by how much the clock goes ahead with each step
	history                 string        // history_retention of the rows
}

var tiny = int64(64 << 10)

var optionSets = []optionSet{
	{name: "default", changes: 60},
	{name: "one precision", policy: "(6)"},
	{name: "eight precisions", engine: engineOptions{memTableBytes: tiny}},
	{name: "changing policy", changes: 5, rebuild: 12},
	{name: "pruning at every flush", flush: 1, age: 200 * time.Millisecond, history: "1", policy: "(8, 6)", engine: engineOptions{
		prune: storage.PruneOptions{KeepRevisions: 1, Retention: time.Second},
	}},
	{name: "retention 0", flush: 7, policy: "(8, 6, 4, 2)", history: "0", engine: engineOptions{
		memTableBytes: tiny, prune: storage.PruneOptions{KeepRevisions: 1, Retention: storage.NoRetention},
	}},
	{name: "retention 1 s", flush: 5, age: 90 * time.Millisecond, changes: 60, history: "1", engine: engineOptions{
		memTableBytes: tiny, prune: storage.PruneOptions{Retention: time.Second},
	}},
	{name: "pruning off", flush: 5, age: time.Minute, changes: 60, engine: engineOptions{prune: storage.PruneOptions{Disabled: true}}},
	{name: "tiny memtables", changes: 60, engine: engineOptions{memTableBytes: tiny}},
	{name: "restart every 50", restart: 50, changes: 60},
	{name: "rebuild in mid-run", rebuild: 9, changes: 10, engine: engineOptions{memTableBytes: tiny}},
	{name: "extent of polygons and lines", shapes: true, cover: "EXTENT", policy: "(8, 6)", changes: 60},
	{name: "centroid of polygons and lines", shapes: true, cover: "CENTROID", policy: "(8, 6)", changes: 60},
	{name: "cell budget of 3", changes: 60, engine: engineOptions{maxKeysPerCell: 3}},
	{name: "crashes", changes: 60, engine: engineOptions{memTableBytes: tiny, crashes: true}},
	{name: "together", shapes: true, flush: 3, restart: 50, rebuild: 11, changes: 8, age: 150 * time.Millisecond, history: "1", engine: engineOptions{
		memTableBytes: tiny, maxKeysPerCell: 40, crashes: true, prune: storage.PruneOptions{KeepRevisions: 2, Retention: time.Second},
	}},
}

// longRun multiplies the steps of random tests: RAISIND_LONG=20, say.
func longRun(t *testing.T) int {
	s := os.Getenv("RAISIND_LONG")
	if s == "" {
		return 1
	}
	n, err := strconv.Atoi(s)
	if err != nil || n < 1 {
		t.Fatalf("RAISIND_LONG=%q is no factor", s)
	}
	return n
}

// TestMetamorphic runs random inserts, moves, deletions, rollbacks, policy changes,
// rebuilds and restarts under each set of options, and asks random questions on the
// way. An answer of the index has to be that of a row scan of the same moment, within a
// transaction that has written and outside; the row scan's has to be what a plain map
// says.
func TestMetamorphic(t *testing.T) {
	operations := 1200 * longRun(t)
	if testing.Short() {
		operations = 300
	}
	seed := seedOf(t)
	for i, o := range optionSets {
		t.Run(o.name, func(t *testing.T) {
			m := &metamorph{
				t: t, e: newEngine(t, o.engine), o: o, model: map[string]string{},
				earth: &earth{Rand: rand.New(rand.NewPCG(seed, uint64(i))), shapes: o.shapes},
			}
			if o.history == "" {
				m.must(`CREATE WORKSPACE 'w'`)
			} else {
				m.must(`CREATE WORKSPACE 'w' WITH (history_retention = %s)`, o.history)
			}
			if o.policy != "" {
				m.must(`ALTER SPATIAL INDEX FOR 'w' PROPERTY 'position' SET PRECISIONS = %s`, o.policy)
			}
			if o.cover != "" {
				m.must(`ALTER SPATIAL INDEX FOR 'w' PROPERTY 'position' SET COVER = %s`, o.cover)
			}
			if o.engine.crashes { // there is a workspace whatever is lost
				if err := m.e.db.Flush(); err != nil {
					t.Fatal(err)
				}
			}
			for n := 0; n < operations; {
				n += m.step()
			}
			m.settle()
			m.e.check()
			m.compare(m.e.begin(storage.ReadCommitted), m.model)
			t.Logf("%d questions, %d scans of the index, %d that gave up on it; %+v", m.queries, m.used, m.unused, m.e.db.PruneStats())
			if m.used == 0 {
				t.Error("the index was never used")
			}
			if pruned := m.e.db.PruneStats().Pruned; o.engine.prune.Disabled && pruned > 0 {
				t.Errorf("%d keys were pruned", pruned)
			}
			if events := m.e.db.Events(); events.APIMisuses > 0 {
				t.Errorf("%+v", events)
			}
		})
	}
}

// settle waits for rebuilds that run.
func (m *metamorph) settle() {
	m.t.Helper()
	for {
		running := false
		for _, p := range m.e.rt.Indexer.Rebuilds() {
			if p.Phase == "failed" {
				m.t.Fatalf("a rebuild failed: %s", p.Detail)
			}
			running = running || !p.Ended
		}
		if !running {
			return
		}
		time.Sleep(time.Millisecond)
	}
}

// must runs a statement in a transaction of its own.
func (m *metamorph) must(sql string, args ...any) {
	m.t.Helper()
	tx := m.e.begin(storage.ReadCommitted)
	if _, err := tx.query(sql, args...); err != nil {
		m.t.Fatalf("%s: %v", fmt.Sprintf(sql, args...), err)
	}
	if err := tx.commit(); err != nil {
		m.t.Fatalf("%s: %v", fmt.Sprintf(sql, args...), err)
	}
}

// every tells whether what happens each n steps is due; n 0 is one step in 60.
func (m *metamorph) every(n int) bool {
	if n == 0 {
		return m.earth.IntN(60) == 0
	}
	return m.steps%n == 0
}

// step does one thing, after what is due, and returns how many operations it was.
func (m *metamorph) step() int {
	m.steps++
	m.e.ahead.Add(int64(m.o.age))
	if m.every(m.o.restart) {
		if m.e.opt.crashes {
			m.e.crash(m.earth.Rand)
			m.settle()
			m.e.check()
			m.model = m.survivors()
		} else {
			m.e.restart()
		}
	}
	if m.o.changes > 0 && m.earth.IntN(m.o.changes) == 0 {
		cover := m.o.cover
		if cover == "" {
			cover = []string{"CENTROID", "EXTENT"}[m.earth.IntN(2)]
		}
		if p := policies[m.earth.IntN(len(policies))]; p == "" {
			m.must(`ALTER SPATIAL INDEX FOR 'w' PROPERTY 'position' RESET`)
		} else {
			m.must(`ALTER SPATIAL INDEX FOR 'w' PROPERTY 'position' SET PRECISIONS = %s SET COVER = %s`, p, cover)
		}
	}
	if m.every(m.o.rebuild) {
		if m.o.rebuild > 0 {
			m.must(`REBUILD SPATIAL INDEX FOR 'w' WITH (wait = false)`)
		} else {
			m.must(`REBUILD SPATIAL INDEX FOR 'w'`)
			m.e.check()
		}
	}
	if m.every(m.o.flush) {
		if err := m.e.db.Flush(); err != nil {
			m.t.Fatal(err)
		}
		if m.earth.IntN(20) == 0 {
			if err := m.e.db.VacuumAll(context.Background()); err != nil {
				m.t.Fatal(err)
			}
		}
	}
	return m.transact()
}

// survivors is what the rows say after a crash.
func (m *metamorph) survivors() map[string]string {
	m.t.Helper()
	tx := m.e.begin(storage.ReadCommitted)
	defer tx.txn.Rollback()
	rows, err := tx.query(`SELECT path, properties->'position' FROM 'w'`)
	if err != nil {
		m.t.Fatal(err)
	}
	model := map[string]string{}
	for _, row := range rows {
		path, position, _ := strings.Cut(row, "|")
		model[path] = position
	}
	return model
}

// transact writes a few rows in one transaction, asks in its midst, and commits or
// rolls back.
func (m *metamorph) transact() int {
	iso := storage.ReadCommitted
	if m.earth.IntN(4) == 0 {
		iso = storage.RepeatableRead
	}
	tx := m.e.begin(iso)
	defer tx.txn.Rollback()
	seen := maps2(m.model)
	ops := 1 + m.earth.IntN(4)
	var saved map[string]string
	var sp storage.Savepoint
	for range ops {
		m.write(tx, seen)
		if saved == nil && m.earth.IntN(6) == 0 {
			saved, sp = maps2(seen), tx.txn.Savepoint()
		}
	}
	if saved != nil && m.earth.IntN(2) == 0 {
		tx.txn.RollbackTo(sp)
		seen = saved
	}
	if m.earth.IntN(5) == 0 {
		m.compare(tx, seen)
	}
	if m.earth.IntN(4) == 0 {
		tx.txn.Rollback()
		seen = m.model
	} else if err := tx.commit(); err != nil {
		m.t.Fatal(err)
	}
	m.model = seen
	if m.earth.IntN(5) == 0 {
		after := m.e.begin(storage.ReadCommitted)
		m.compare(after, m.model)
		after.txn.Rollback()
	}
	return ops
}

func maps2(m map[string]string) map[string]string {
	c := make(map[string]string, len(m))
	for k, v := range m {
		c[k] = v
	}
	return c
}

// write inserts, moves or deletes one node, in the transaction and in the model.
func (m *metamorph) write(tx *transaction, model map[string]string) {
	path := fmt.Sprintf("/n-%d", m.earth.IntN(metamorphNodes))
	_, exists := model[path]
	pos := m.earth.position()
	var err error
	var sql string
	switch {
	case !exists:
		sql = fmt.Sprintf(`INSERT INTO 'w' (path, node_type, properties) VALUES ('%s', 't', '{"n": %d, "position": %s}')`, path, m.earth.IntN(4), pos)
		model[path] = pos
	case m.earth.IntN(6) == 0:
		sql = fmt.Sprintf(`DELETE FROM 'w' WHERE path = '%s'`, path)
		delete(model, path)
	case m.earth.IntN(8) == 0: // another property only
		sql = fmt.Sprintf(`UPDATE 'w' SET properties = properties || '{"n": %d}' WHERE path = '%s'`, m.earth.IntN(4), path)
	default:
		sql = fmt.Sprintf(`UPDATE 'w' SET properties = properties || '{"position": %s}' WHERE path = '%s'`, pos, path)
		model[path] = pos
	}
	if _, err = tx.query("%s", sql); err != nil {
		m.t.Fatalf("%s: %v", sql, err)
	}
}

// What the two ways of asking differ in: the planner does not know the second as a
// property.
const (
	byIndex = `properties->'position'`
	byRow   = `(properties || '{}'::jsonb)->'position'`
)

// compare asks the same in both ways.
func (m *metamorph) compare(tx *transaction, model map[string]string) {
	m.t.Helper()
	c := m.earth.place()
	center := fmt.Sprintf("ST_Point(%v, %v)", c.LonDeg, c.LatDeg)
	radius := m.earth.radiusM()
	if m.earth.IntN(4) == 0 { // exactly as far as some node
		if d := m.someDistance(c, model); d >= 0 {
			radius = d
		}
	}
	want := m.within(c, radius, model)
	got := m.both(tx, `SELECT path FROM 'w' WHERE ST_DWithin(%[1]s, %[2]s, %[3]v) ORDER BY path`, center, radius)
	if !slices.Equal(got, want) {
		m.t.Fatalf("within %v m of %s: got %v, the map says %v", radius, center, got, want)
	}
	m.both(tx, `SELECT path, ST_Distance(%[1]s, %[2]s) FROM 'w' WHERE ST_DWithin(%[1]s, %[2]s, %[3]v) AND properties->>'n' <> '1' ORDER BY path`, center, radius)
	m.both(tx, `SELECT count(*) FROM 'w' WHERE ST_Distance(%[1]s, %[2]s) < %[3]v`, center, radius)
	k := 1 + m.earth.IntN(12)
	if m.earth.IntN(10) == 0 {
		k = metamorphNodes
	}
	m.both(tx, `SELECT path, ST_Distance(%[1]s, %[2]s) FROM 'w' ORDER BY ST_Distance(%[1]s, %[2]s), path LIMIT %[3]d`, center, k)
	m.both(tx, `SELECT path FROM 'w' WHERE properties->>'n' = '2' ORDER BY ST_Distance(%[1]s, %[2]s), path LIMIT %[3]d`, center, k)
	o := m.earth.place()
	if m.earth.IntN(2) == 0 {
		size := math.Pow(10, 1-5*m.earth.Float64())
		o = geom.LonLat{LonDeg: clampLon(c.LonDeg + size), LatDeg: clampLat(c.LatDeg - size)}
	}
	box := fmt.Sprintf("ST_MakeEnvelope(%v, %v, %v, %v, 4326)", min(c.LonDeg, o.LonDeg), min(c.LatDeg, o.LatDeg), max(c.LonDeg, o.LonDeg), max(c.LatDeg, o.LatDeg))
	for _, f := range []string{"ST_Intersects", "ST_Within", "ST_CoveredBy"} {
		m.both(tx, `SELECT path FROM 'w' WHERE `+f+`(%[1]s, %[2]s) ORDER BY path`, box)
	}
}

// both runs a query over the index and over the rows, compares and returns the rows.
func (m *metamorph) both(tx *transaction, sql string, args ...any) []string {
	m.t.Helper()
	return m.bothWays(tx, byIndex, byRow, sql, args...)
}

// bothWays is both for two spellings of one value, of which only the first has an index.
func (m *metamorph) bothWays(tx *transaction, byIndex, byRow, sql string, args ...any) []string {
	m.t.Helper()
	m.queries++
	ask := func(property string) []string {
		text := fmt.Sprintf(sql, append([]any{property}, args...)...)
		rows, err := tx.query("%s", text)
		if err != nil {
			m.t.Fatalf("%s: %v", text, err)
		}
		return rows
	}
	got := ask(byIndex)
	m.used, m.unused = m.used+tx.used, m.unused+tx.unused
	tx.used, tx.unused = 0, 0
	want := ask(byRow)
	if tx.used+tx.unused > 0 {
		m.t.Fatalf("the row scan is none: %s", fmt.Sprintf(sql, append([]any{byRow}, args...)...))
	}
	if !slices.Equal(got, want) {
		m.t.Fatalf("%s\nindex: %v\n rows: %v", fmt.Sprintf(sql, append([]any{byIndex}, args...)...), got, want)
	}
	return got
}

// within is what the answer to a radius has to be.
func (m *metamorph) within(c geom.LonLat, radiusM float64, model map[string]string) []string {
	var paths []string
	center := geom.NewPoint(c.LonDeg, c.LatDeg, 4326)
	for path, pos := range model {
		if g, _ := geom.FromProperty(pos); g != nil && geom.GeodesicDWithin(g, center, radiusM) {
			paths = append(paths, path)
		}
	}
	slices.Sort(paths)
	return paths
}

// someDistance is how far some node is; -1 when that one has no place.
func (m *metamorph) someDistance(c geom.LonLat, model map[string]string) float64 {
	paths := make([]string, 0, len(model))
	for p := range model {
		paths = append(paths, p)
	}
	if len(paths) == 0 {
		return -1
	}
	slices.Sort(paths)
	g, _ := geom.FromProperty(model[paths[m.earth.IntN(len(paths))]])
	if g == nil {
		return -1
	}
	d, ok := geom.GeodesicDistanceM(g, geom.NewPoint(c.LonDeg, c.LatDeg, 4326))
	if !ok {
		return -1
	}
	return d
}

// wkt is a geometry as text; one time in eight a projected or otherwise unearthly one.
func (e *earth) wkt(geography bool) string {
	p := e.place()
	size := math.Pow(10, 1-5*e.Float64())
	lon, lat := clampLon(p.LonDeg+size), clampLat(p.LatDeg+size)
	if !geography && e.IntN(8) == 0 {
		return []string{
			"POINT EMPTY", "POINT(500000 5000000)", "POINT(500010 5000010)", "LINESTRING(170 80,190 95)",
			"POLYGON((400000 4000000,600000 4000000,600000 6000000,400000 4000000))", "POINT(NaN 1)",
		}[e.IntN(6)]
	}
	switch e.IntN(8) {
	case 0:
		return fmt.Sprintf("POLYGON((%[1]v %[2]v,%[3]v %[2]v,%[3]v %[4]v,%[1]v %[4]v,%[1]v %[2]v))", p.LonDeg, p.LatDeg, lon, lat)
	case 1:
		return fmt.Sprintf("LINESTRING(%v %v,%v %v)", p.LonDeg, p.LatDeg, lon, lat)
	case 2:
		return "POINT EMPTY"
	}
	return fmt.Sprintf("POINT(%v %v)", p.LonDeg, p.LatDeg)
}

// TestMetamorphicTable is TestMetamorphic for geometry and geography columns.
func TestMetamorphicTable(t *testing.T) {
	operations := 4_000
	if testing.Short() {
		operations = 600
	}
	seed := seedOf(t)
	m := &metamorph{t: t, e: newEngine(t, engineOptions{memTableBytes: 64 << 10}), earth: &earth{Rand: rand.New(rand.NewPCG(seed, 99))}}
	cat := m.e.rt.Catalog
	id := cat.NextRelationID()
	r := &catalog.Relation{ID: id, OID: catalog.FirstOID + uint32(id), Schema: catalog.DefaultSchema, Name: "places", Kind: catalog.Table}
	for i, c := range []catalog.Column{{Name: "id", Type: types.TInt4}, {Name: "g", Type: types.TGeometry}, {Name: "h", Type: types.TGeography}} {
		c.ID, c.Typmod = uint16(i+1), -1
		r.Columns = append(r.Columns, c)
	}
	r.Indexes = []catalog.Index{{ID: cat.NextIndexID(), Name: "places_pkey", Columns: []int{0}, Unique: true, Primary: true}}
	tx := m.e.begin(storage.ReadCommitted)
	if err := tx.cat.Create(context.Background(), r); err != nil {
		t.Fatal(err)
	}
	if err := tx.commit(); err != nil {
		t.Fatal(err)
	}
	for range operations {
		switch m.earth.IntN(80) {
		case 0:
			m.e.restart()
		case 1:
			if p := policies[m.earth.IntN(len(policies))]; p != "" {
				m.must(`ALTER SPATIAL INDEX FOR 'places' SET PRECISIONS = %s SET COVER = %s`, p, []string{"CENTROID", "EXTENT"}[m.earth.IntN(2)])
			}
		case 2:
			m.must(`REBUILD SPATIAL INDEX FOR 'places'`)
			m.e.check()
		}
		tx := m.e.begin(storage.ReadCommitted)
		n := m.earth.IntN(metamorphNodes)
		sql := fmt.Sprintf(`DELETE FROM places WHERE id = %d`, n)
		if m.earth.IntN(5) > 0 {
			sql = fmt.Sprintf(`INSERT INTO places VALUES (%d, '%s', '%s') ON CONFLICT (id) DO UPDATE SET g = excluded.g, h = excluded.h`, n, m.earth.wkt(false), m.earth.wkt(true))
		}
		if _, err := tx.query("%s", sql); err != nil {
			t.Fatalf("%s: %v", sql, err)
		}
		if m.earth.IntN(12) == 0 {
			m.comparePlaces(tx)
		}
		if m.earth.IntN(4) > 0 {
			if err := tx.commit(); err != nil {
				t.Fatal(err)
			}
		}
		tx.txn.Rollback()
	}
	m.e.check()
	t.Logf("%d questions, %d scans of the index, %d that gave up on it", m.queries, m.used, m.unused)
	if m.used == 0 {
		t.Error("the index was never used")
	}
}

// comparePlaces asks about the columns of a table.
func (m *metamorph) comparePlaces(tx *transaction) {
	m.t.Helper()
	c := m.earth.place()
	point := fmt.Sprintf("'POINT(%v %v)'::geography", c.LonDeg, c.LatDeg)
	r := m.earth.radiusM()
	for _, q := range []string{
		`SELECT id FROM places WHERE ST_DWithin(%s, %s, %v) ORDER BY id`,
		`SELECT id FROM places WHERE ST_DWithin(%s, %s, %v, false) ORDER BY id`,
		`SELECT id FROM places WHERE ST_Distance(%s, %s) < %v ORDER BY id`,
	} {
		m.columnBoth(tx, "h", "geography", q, point, r)
	}
	k := 1 + m.earth.IntN(10)
	for _, d := range []string{"ST_Distance(%[1]s, %[2]s)", "ST_Distance(%[1]s, %[2]s, false)", "%[1]s <-> %[2]s"} {
		m.columnBoth(tx, "h", "geography", "SELECT id, "+d+" FROM places ORDER BY "+d+", id LIMIT %[3]d", point, k)
	}
	size := math.Pow(10, 1-5*m.earth.Float64())
	box := fmt.Sprintf("ST_MakeEnvelope(%v, %v, %v, %v)", c.LonDeg, c.LatDeg, c.LonDeg+size, c.LatDeg+size)
	if m.earth.IntN(4) == 0 {
		box = "ST_MakeEnvelope(450000, 4500000, 550000, 5500000)"
	}
	for _, q := range []string{
		`SELECT id FROM places WHERE %s && %s ORDER BY id`,
		`SELECT id FROM places WHERE ST_Intersects(%s, %s) ORDER BY id`,
		`SELECT id FROM places WHERE ST_Within(%s, %s) ORDER BY id`,
		`SELECT count(*) FROM places WHERE %s && %s`,
	} {
		m.columnBoth(tx, "g", "geometry", q, box)
	}
	m.columnBoth(tx, "g", "geometry", `SELECT id FROM places WHERE ST_DWithin(%s, %s, %v) ORDER BY id`,
		fmt.Sprintf("'POINT(%v %v)'::geometry", c.LonDeg, c.LatDeg), size)
}

// columnBoth is both for a column of a table.
func (m *metamorph) columnBoth(tx *transaction, column, typ, sql string, args ...any) {
	m.t.Helper()
	m.bothWays(tx, column, fmt.Sprintf("CASE WHEN id < 0 THEN NULL::%[2]s ELSE %[1]s END", column, typ), sql, args...)
}

// TestMovingFleetIsAlwaysWhole moves vehicles across cell borders while others ask
// for all of them: each is there once in every answer, wherever it is.
func TestMovingFleetIsAlwaysWhole(t *testing.T) {
	seed := seedOf(t)
	e := newEngine(t, engineOptions{memTableBytes: 64 << 10})
	const vehicles, movers, readers = 40, 3, 3
	moves := 1500
	if testing.Short() {
		moves = 200
	}
	setup := e.begin(storage.ReadCommitted)
	for _, sql := range []string{`CREATE WORKSPACE 'w'`, `ALTER SPATIAL INDEX FOR 'w' PROPERTY 'position' SET PRECISIONS = (8, 6)`} {
		if _, err := setup.query("%s", sql); err != nil {
			t.Fatal(err)
		}
	}
	position := func(r *rand.Rand) string {
		return fmt.Sprintf(`{"position": {"type": "Point", "coordinates": [%v, %v]}}`, 11.25+(r.Float64()-0.5)/100, 45+(r.Float64()-0.5)/100)
	}
	r := rand.New(rand.NewPCG(seed, 0))
	for i := range vehicles {
		if _, err := setup.query(`INSERT INTO 'w' (path, node_type, properties) VALUES ('/v-%02d', 't', '%s')`, i, position(r)); err != nil {
			t.Fatal(err)
		}
	}
	if err := setup.commit(); err != nil {
		t.Fatal(err)
	}
	var writing, reading sync.WaitGroup
	stop := make(chan struct{})
	for w := range movers {
		r := rand.New(rand.NewPCG(seed, uint64(w+1)))
		writing.Go(func() {
			for range moves {
				tx := e.begin(storage.ReadCommitted)
				var err error
				for range 1 + r.IntN(3) {
					if _, err = tx.query(`UPDATE 'w' SET properties = '%s' WHERE path = '/v-%02d'`, position(r), r.IntN(vehicles)); err != nil {
						break
					}
				}
				if err == nil {
					err = tx.commit()
				}
				tx.txn.Rollback()
				if err != nil && !pgerr.Is(err, pgerr.DeadlockDetected) {
					t.Errorf("move: %v", err)
					return
				}
			}
		})
	}
	questions := []string{
		`SELECT count(*), count(DISTINCT path) FROM 'w' WHERE ST_DWithin(properties->'position', ST_Point(11.25, 45), 1500)`,
		`SELECT count(*), count(DISTINCT path) FROM (SELECT path FROM 'w' ORDER BY ST_Distance(properties->'position', ST_Point(11.25, 45)) LIMIT 1000) x`,
		`SELECT count(*), count(DISTINCT path) FROM 'w' WHERE ST_Within(properties->'position', ST_MakeEnvelope(11.2, 44.9, 11.3, 45.1, 4326))`,
	}
	for i := range readers {
		reading.Go(func() {
			for {
				select {
				case <-stop:
					return
				default:
				}
				tx := e.begin([]storage.Isolation{storage.ReadCommitted, storage.RepeatableRead}[i%2])
				rows, err := tx.query("%s", questions[i])
				tx.txn.Rollback()
				if want := fmt.Sprintf("%d|%d", vehicles, vehicles); err != nil || len(rows) != 1 || rows[0] != want {
					t.Errorf("%s: %v %v, want %s", questions[i], rows, err, want)
					return
				}
			}
		})
	}
	writing.Wait()
	close(stop)
	reading.Wait()
	e.check()
}
