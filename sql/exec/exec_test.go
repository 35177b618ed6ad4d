package exec

import (
	"context"
	"errors"
	"testing"

	"raisind/catalog"
	"raisind/pgerr"
	"raisind/sql/funcs"
	"raisind/sql/parser"
	"raisind/sql/plan"
	"raisind/sql/planner"
	"raisind/sql/types"
	"raisind/storage"
)

// open plans and opens one statement in a transaction that the test's end rolls back.
func (s *server) openQuery(ctx context.Context, sql string, o OpenOptions) (*Query, *plan.Statement) {
	s.t.Helper()
	stmts, err := parser.Parse(sql)
	if err != nil {
		s.t.Fatal(err)
	}
	if o.Txn == nil {
		o.Txn = s.db.Begin(storage.ReadCommitted)
		s.t.Cleanup(o.Txn.Rollback)
	}
	o.Catalog = s.rt.Catalog.Begin(o.Txn)
	o.Funcs = &funcs.Ctx{Context: ctx, Env: types.DefaultEnv(), TxnTime: s.testTime, StmtTime: s.testTime}
	st, err := planner.Plan(ctx, stmts[0].Node, planner.Options{Catalog: o.Catalog, SQL: sql})
	if err != nil {
		s.t.Fatal(err)
	}
	q, err := s.rt.Open(ctx, st, o)
	if err != nil {
		s.t.Fatal(err)
	}
	s.t.Cleanup(func() { q.Close() })
	return q, st
}

// all reads a query to its end.
func all(q *Query) (rows int, err error) {
	for {
		_, ok, err := q.Next()
		if err != nil || !ok {
			return rows, err
		}
		rows++
	}
}

func TestCancelEndsAnyPlan(t *testing.T) {
	s := newServer(t)
	s.client("a").run(`CREATE WORKSPACE 'w'; INSERT INTO w (path, node_type) SELECT '/' || i, 't' FROM generate_series(1, 2000) i`)
	reason := errors.New("the operator wanted it")
	for _, sql := range []string{
		`SELECT count(*) FROM generate_series(1, 100000000)`,
		`SELECT a.path FROM w a, w b, w c WHERE a.path = b.path || c.path`,
		`SELECT path FROM w ORDER BY properties`,
		`WITH RECURSIVE t(n) AS (SELECT 1 UNION ALL SELECT 1 - n FROM t) SELECT n FROM t WHERE n = 5`,
		`SELECT generate_series(1, 100000000) EXCEPT SELECT 1`,
		`UPDATE w SET properties = '{"a": 1}'`,
		`DELETE FROM w`,
		`SELECT path FROM w WHERE path > '/' AND name = '-'`,
		`SELECT a FROM generate_series(1, 100000) a, generate_series(1, 100000) b ORDER BY b, a`,
		`SELECT a, count(*) FROM generate_series(1, 100000000) a GROUP BY a`,
		`SELECT a FROM generate_series(1, 10) a JOIN generate_series(1, 100000000) b ON a = b`,
		`SELECT DISTINCT a FROM generate_series(1, 100000000) a`,
		`SELECT count(ST_Buffer(ST_Point(a % 90, 0), 1, 500)) FROM generate_series(1, 100000000) a`,
		`SELECT count(*) FROM generate_series(1, 100000) a, generate_series(1, 100000) b WHERE ST_Distance(ST_Point(a, b), ST_Point(b, a)) < 0`,
	} {
		ctx, cancel := context.WithCancelCause(context.Background())
		q, _ := s.openQuery(ctx, sql, OpenOptions{})
		cancel(reason)
		if _, err := all(q); !errors.Is(err, reason) {
			t.Errorf("%s: %v", sql, err)
		}
		q.Close()
	}
	ctx, cancel := context.WithCancel(context.Background())
	q, _ := s.openQuery(ctx, `SELECT count(*) FROM generate_series(1, 100000000)`, OpenOptions{})
	cancel()
	if _, err := all(q); !pgerr.Is(err, pgerr.QueryCanceled) {
		t.Errorf("cancelled without a reason: %v", err)
	}
}

func TestMemoryIsBounded(t *testing.T) {
	s := newServer(t)
	// What keeps only some rows may read as many as it likes.
	for _, sql := range []string{
		`SELECT i FROM generate_series(1, 300000) i ORDER BY -i LIMIT 10`,
		`SELECT count(*), max(i) FROM generate_series(1, 300000) i`,
		`SELECT i % 10, count(*) FROM generate_series(1, 300000) i GROUP BY 1`,
	} {
		q, _ := s.openQuery(context.Background(), sql, OpenOptions{MemoryBytes: 1 << 20})
		if _, err := all(q); err != nil {
			t.Errorf("%s: %v", sql, err)
		}
		q.Close()
	}
}

func TestInserter(t *testing.T) {
	s := newServer(t)
	s.client("a").run(`CREATE WORKSPACE 'w'`)
	txn := s.db.Begin(storage.ReadCommitted)
	tx := s.rt.Catalog.Begin(txn)
	rel, _, _ := tx.Lookup("", "w")
	in, err := s.rt.NewInserter(context.Background(), InserterOptions{
		Txn: txn, Catalog: tx, Rel: rel, Targets: []int{catalog.ColNodeType, catalog.ColPath},
		Funcs: &funcs.Ctx{Context: context.Background(), Env: types.DefaultEnv(), TxnTime: s.testTime},
	})
	if err != nil {
		t.Fatal(err)
	}
	row := make(types.Row, 2)
	insert := func(path string) error {
		row[0], row[1] = types.Str("t"), types.Str(path)
		return in.Insert(row)
	}
	for _, path := range []string{"/a", "/b", "/c"} {
		if err := insert(path); err != nil {
			t.Fatal(err)
		}
	}
	if err := insert("/b"); !pgerr.Is(err, pgerr.UniqueViolation) {
		t.Errorf("a path twice: %v", err)
	}
	if err := insert("b"); !pgerr.Is(err, pgerr.InvalidParameterValue) {
		t.Errorf("a bad path: %v", err)
	}
	if in.Rows() != 3 {
		t.Errorf("%d rows", in.Rows())
	}
	if err := in.Close(); err != nil {
		t.Fatal(err)
	}
	if _, err := txn.Commit(context.Background(), s.rt.Indexer.Deriver(tx), storage.CommitOptions{OnApply: tx.OnApply}); err != nil {
		t.Fatal(err)
	}
	if got := s.client("a").run(`SELECT path, parent_path, name FROM w`); got != "/a|/|a\n/b|/|b\n/c|/|c\n" {
		t.Errorf("rows:\n%s", got)
	}
	s.check()
}

// What EXPLAIN ANALYZE has to show.
func TestCounters(t *testing.T) {
	s := newServer(t)
	c := s.client("a")
	c.run(`CREATE WORKSPACE 'w';
		INSERT INTO w (path, node_type, properties) SELECT '/' || i, 't', jsonb_build_object('n', i, 'position',
			jsonb_build_object('type', 'Point', 'coordinates', jsonb_build_array(13.4 + i / 1000.0, 52.5))) FROM generate_series(1, 100) i`)
	find := func(q *Query, st *plan.Statement) *plan.Stats {
		t.Helper()
		for n, s := range q.Stats() {
			if _, ok := n.(*plan.SpatialScan); ok {
				return s
			}
		}
		t.Fatalf("no spatial scan in %T", st.Root)
		return nil
	}
	q, st := s.openQuery(context.Background(), `SELECT path FROM w WHERE ST_DWithin(properties->'position', ST_Point(13.45, 52.5), 500) AND properties->>'n' <> '50'`, OpenOptions{Instrument: true, Timing: true})
	rows, err := all(q)
	if err != nil {
		t.Fatal(err)
	}
	got := find(q, st)
	if rows != 14 || got.Candidates != 15 || got.RemovedByFilter != 1 || got.KeysVisited < 15 || got.Seeks == 0 || got.Cells == 0 ||
		got.Ranges == 0 || got.Precision == 0 || got.Rows != 14 || got.Loops != 1 || got.TotalNanos == 0 || got.Decided == nil || got.FellBack != nil {
		t.Errorf("%d rows, %+v", rows, *got)
	}
	if got.KeysVisited > 4*int64(rows)+64 {
		t.Errorf("%d keys visited for %d rows", got.KeysVisited, rows)
	}
	q, st = s.openQuery(context.Background(), `UPDATE w SET properties = '{"position": {"type": "Point", "coordinates": [-70, -30]}}' WHERE path IN ('/1', '/2')`, OpenOptions{Instrument: true})
	if _, err := all(q); err != nil {
		t.Fatal(err)
	}
	if w := q.Stats()[st.Root]; w.SpatialKeysWritten != 16 || w.SpatialTombstonesWritten != 16 || w.BytesWritten == 0 {
		t.Errorf("update: %+v", *w)
	}
	s.rt.MaxKeysPerCell = 1
	q, st = s.openQuery(context.Background(), `SELECT path FROM w WHERE ST_DWithin(properties->'position', ST_Point(13.45, 52.5), 500)`, OpenOptions{Instrument: true})
	if rows, err = all(q); err != nil {
		t.Fatal(err)
	}
	if got = find(q, st); got.FellBack == nil || got.FellBack.Reason != plan.ReasonCellBudget || rows != 15 || s.rt.Fallbacks() != 1 {
		t.Errorf("over budget: %d rows, %+v, %d fallbacks", rows, got.FellBack, s.rt.Fallbacks())
	}
}

func TestMapError(t *testing.T) {
	for err, want := range map[error]pgerr.Code{
		storage.ErrSerialization: pgerr.SerializationFailure, storage.ErrDeadlock: pgerr.DeadlockDetected,
		storage.ErrLockTimeout: pgerr.LockNotAvailable, storage.ErrLockNotAvailable: pgerr.LockNotAvailable,
		storage.ErrSnapshotTooOld: pgerr.SnapshotTooOld, storage.ErrCorrupt: pgerr.DataCorrupted,
		context.Canceled: pgerr.QueryCanceled, context.DeadlineExceeded: pgerr.QueryCanceled,
		pgerr.New(pgerr.DivisionByZero, "x"): pgerr.DivisionByZero,
	} {
		if got := MapError(errors.Join(errors.New("while testing"), err)); !pgerr.Is(got, want) || !errors.Is(got, err) {
			t.Errorf("%v: %v, want %s", err, got, want)
		}
	}
	if MapError(nil) != nil {
		t.Error("nil is an error")
	}
}
