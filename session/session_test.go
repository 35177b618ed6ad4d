package session

import (
	"context"
	"strings"
	"sync"
	"testing"
	"time"

	"raisind/pgerr"
	"raisind/sql/exec"
	"raisind/sql/funcs"
	"raisind/sql/plan"
	"raisind/sql/types"
	"raisind/storage"
)

// Catalog changes live and die with their transaction, and with savepoints.
func TestCatalogInTransactions(t *testing.T) {
	e := newTestEngine(t, Config{})
	u, other := newUser(t, e), newUser(t, e)
	u.want("BEGIN; CREATE WORKSPACE 'a'; INSERT INTO 'a' (path, node_type) VALUES ('/x', 't'); SELECT count(*) FROM 'a'",
		"BEGIN\nCREATE WORKSPACE\nINSERT 0 1\n1\nSELECT 1")
	other.want("SELECT count(*) FROM 'a'", `42P01 relation "a" does not exist`)
	u.want("ROLLBACK; SELECT count(*) FROM 'a'", "ROLLBACK\n42P01 relation \"a\" does not exist")

	u.want("BEGIN; CREATE WORKSPACE 'a'; SAVEPOINT s; CREATE WORKSPACE 'b'; INSERT INTO 'b' (path, node_type) VALUES ('/x', 't'); ROLLBACK TO s; COMMIT",
		"BEGIN\nCREATE WORKSPACE\nSAVEPOINT\nCREATE WORKSPACE\nINSERT 0 1\nROLLBACK\nCOMMIT")
	other.want("SELECT count(*) FROM 'a'", "0\nSELECT 1")
	other.want("SELECT count(*) FROM 'b'", `42P01 relation "b" does not exist`)

	u.want("BEGIN; DROP WORKSPACE 'a'; SELECT 1 FROM 'a'", "BEGIN\nDROP WORKSPACE\n42P01 relation \"a\" does not exist")
	u.want("ROLLBACK; SELECT count(*) FROM 'a'", "ROLLBACK\n0\nSELECT 1")
	u.want("CREATE WORKSPACE 'a'", `42P07 relation "a" already exists`)
}

// A message's statements are one transaction: an error takes all of them back.
func TestImplicitTransaction(t *testing.T) {
	u := newUser(t, newTestEngine(t, Config{}))
	ins := func(path string) string { return "INSERT INTO 'm' (path, node_type) VALUES ('" + path + "', 't')" }
	u.want("CREATE WORKSPACE 'm'", "CREATE WORKSPACE")
	u.want(ins("/1")+";"+ins("/2")+";"+ins("/1")+";"+ins("/3"), "INSERT 0 1\nINSERT 0 1\n23505 duplicate key value violates unique constraint \"m_path_key\"")
	u.want("SELECT count(*) FROM 'm'", "0\nSELECT 1")
	u.want(ins("/4")+"; COMMIT; "+ins("/5")+"; SELECT 1/x FROM generate_series(0,0) AS x",
		"INSERT 0 1\nWARNING: there is no transaction in progress\nCOMMIT\nINSERT 0 1\n22012 division by zero")
	u.want("SELECT path FROM 'm'", "/4\nSELECT 1")
	u.want("BEGIN READ ONLY; "+ins("/6"), "BEGIN\n25006 cannot execute INSERT in a read-only transaction")
	u.want("ROLLBACK; BEGIN READ ONLY; CREATE WORKSPACE 'n'", "ROLLBACK\nBEGIN\n25006 cannot execute CREATE WORKSPACE in a read-only transaction")
	u.want("ROLLBACK; BEGIN READ ONLY; SELECT path FROM 'm' FOR UPDATE", "ROLLBACK\nBEGIN\n25006 cannot execute SELECT FOR UPDATE in a read-only transaction")
	u.want("ROLLBACK", "ROLLBACK")
}

// Plans are made once and found again, by all sessions, until the catalog moves.
func TestPlansAreReused(t *testing.T) {
	e := newTestEngine(t, Config{})
	u := newUser(t, e)
	u.want("CREATE WORKSPACE 'p'", "CREATE WORKSPACE")
	ctx := context.Background()
	run := func(s *Session) {
		t.Helper()
		if err := s.Bind(ctx, &Bind{Statement: "s", Params: [][]byte{[]byte("/x")}}); err != nil {
			t.Fatal(err)
		}
		if err := s.Execute(ctx, "", 0); err != nil {
			t.Fatal(err)
		}
		if err := s.Sync(ctx); err != nil {
			t.Fatal(err)
		}
	}
	if err := u.Parse(ctx, "s", "SELECT name FROM 'p' WHERE path = $1", nil); err != nil {
		t.Fatal(err)
	}
	made := u.plans.Load()
	for range 5 {
		run(u.Session)
	}
	if n := u.plans.Load() - made; n != 0 {
		t.Errorf("planned %d times more", n)
	}
	u.do("SELECT count(*) FROM 'p'") // seen
	u.do("SELECT count(*) FROM 'p'") // kept
	made = u.plans.Load()
	u.do("SELECT count(*) FROM 'p'")
	v := newUser(t, e)
	v.do("SELECT count(*) FROM 'p'")
	if n := u.plans.Load() + v.plans.Load() - made; n != 0 {
		t.Errorf("a known text was planned %d times", n)
	}
	v.do("SET TimeZone = 'Asia/Tokyo'")
	v.do("SELECT count(*) FROM 'p'")
	if v.plans.Load() != 1 {
		t.Error("a plan was used under settings it was not made for")
	}
	u.do("CREATE WORKSPACE 'q'")
	made = u.plans.Load()
	run(u.Session)
	if u.plans.Load() != made+1 {
		t.Error("the plan was not made anew after the catalog moved")
	}
	u.do("DROP WORKSPACE 'p'")
	err := u.Bind(ctx, &Bind{Statement: "s", Params: [][]byte{[]byte("/x")}})
	if !pgerr.Is(err, pgerr.UndefinedTable) {
		t.Errorf("after DROP: %v", err)
	}
}

// virtual is a catalog of relations whose rows are made by functions.
type virtual map[string]func(*funcs.Ctx) (funcs.RowSource, error)

func (v virtual) Lookup(schema, name string) (*plan.VirtualScan, bool) {
	rows, ok := v[name]
	if !ok || schema != "pg_catalog" {
		return nil, false
	}
	return &plan.VirtualScan{Name: name, Rows: rows, Cols: []plan.Column{{Name: "n", Type: types.TInt4, Typmod: -1}}}, true
}

// changing is a relation whose columns are of a type that changes.
type changing struct{ typ *types.Type }

func (c *changing) Lookup(_, name string) (*plan.VirtualScan, bool) {
	return &plan.VirtualScan{
		Name: name, Cols: []plan.Column{{Name: "n", Type: c.typ, Typmod: -1}},
		Rows: func(*funcs.Ctx) (funcs.RowSource, error) { return nothing{}, nil },
	}, name == "pg_changing"
}

type nothing struct{}

func (nothing) Next() (types.Row, bool, error) { return nil, false, nil }

// A client that was told columns is not sent others.
func TestResultTypeMustNotChange(t *testing.T) {
	v := &changing{types.TInt4}
	u := newUser(t, newTestEngine(t, Config{Virtual: v}))
	ctx := context.Background()
	if err := u.Parse(ctx, "s", "SELECT * FROM pg_changing", nil); err != nil {
		t.Fatal(err)
	}
	bind := func() error {
		err := u.Bind(ctx, &Bind{Statement: "s"})
		if e := u.Sync(ctx); err == nil {
			err = e
		}
		return err
	}
	u.do("CREATE WORKSPACE 'a'")
	if err := bind(); err != nil {
		t.Error(err)
	}
	v.typ = types.TText
	u.do("CREATE WORKSPACE 'b'")
	if err := bind(); !pgerr.Is(err, pgerr.FeatureNotSupported) || err.Error() != "cached plan must not change result type" {
		t.Error(err)
	}
	if err := bind(); !pgerr.Is(err, pgerr.FeatureNotSupported) {
		t.Errorf("the second time: %v", err)
	}
	v.typ = types.TInt4
	if err := bind(); err != nil {
		t.Errorf("after the type came back: %v", err)
	}
}

// A panic is one session's error; its transaction is undone, and it goes on.
func TestPanic(t *testing.T) {
	var seen []string
	e := newTestEngine(t, Config{
		Virtual: virtual{"pg_boom": func(*funcs.Ctx) (funcs.RowSource, error) { panic("boom") }},
		Events:  &Events{Panic: func(what string) { seen = append(seen, what) }},
	})
	u := newUser(t, e)
	u.want("CREATE WORKSPACE 'w'; INSERT INTO 'w' (path, node_type) VALUES ('/x', 't'); SELECT * FROM pg_boom",
		"CREATE WORKSPACE\nINSERT 0 1\nXX000 internal error: boom")
	u.want("SELECT count(*) FROM 'w'", `42P01 relation "w" does not exist`)
	u.want("BEGIN; SELECT * FROM pg_boom", "BEGIN\nXX000 internal error: boom")
	u.want("SELECT 1", "25P02 current transaction is aborted, commands ignored until end of transaction block")
	u.want("ROLLBACK; SELECT 1", "ROLLBACK\n1\nSELECT 1")
	if len(seen) != 2 {
		t.Errorf("%d panics were told", len(seen))
	}
}

// Waiting for a lock ends by lock_timeout, by statement_timeout, by cancelling and by the
// loss of the client; then the lock is free again.
func TestLockWaitEnds(t *testing.T) {
	e := newTestEngine(t, Config{})
	a, b := newUser(t, e), newUser(t, e)
	a.want("CREATE WORKSPACE 'l'; INSERT INTO 'l' (path, node_type) VALUES ('/x', 't')", "CREATE WORKSPACE\nINSERT 0 1")
	lock := "BEGIN; UPDATE 'l' SET node_type = 'u' WHERE path = '/x'"
	a.want(lock, "BEGIN\nUPDATE 1")
	b.want("SET lock_timeout = 30", "SET")
	b.want(lock, "BEGIN\n55P03 canceling statement due to lock timeout")
	b.want("ROLLBACK; SET lock_timeout = 0; SET statement_timeout = 30", "ROLLBACK\nSET\nSET")
	b.want(lock, "BEGIN\n57014 canceling statement due to statement timeout")
	b.want("ROLLBACK; SET statement_timeout = 0", "ROLLBACK\nSET")
	b.want("SELECT path FROM 'l' FOR UPDATE NOWAIT", `55P03 could not obtain lock on row in relation "l"`)

	pid, secret := b.Key()
	var wg sync.WaitGroup
	wg.Go(func() {
		for range 200 {
			time.Sleep(time.Millisecond)
			e.Cancel(pid, secret)
		}
	})
	b.want("UPDATE 'l' SET node_type = 'v' WHERE path = '/x'", "57014 canceling statement due to user request")
	wg.Wait()
	e.Cancel(pid, []byte("????"))
	b.want("SELECT 1", "1\nSELECT 1")

	time.AfterFunc(20*time.Millisecond, b.Lost)
	b.want("UPDATE 'l' SET node_type = 'v' WHERE path = '/x'", "08006 connection to client lost")
	if b.Doomed() == nil {
		t.Error("the session of a lost client goes on")
	}
	a.want("COMMIT", "COMMIT")
}

func TestCopyFrom(t *testing.T) {
	u := newUser(t, newTestEngine(t, Config{}))
	u.want("CREATE WORKSPACE 'c'", "CREATE WORKSPACE")
	copyIn := func(sql, want string, data ...string) {
		t.Helper()
		u.copyData = data
		u.want(sql, want)
	}
	copyIn("COPY 'c' (path, node_type, properties) FROM STDIN", "COPY 2", "/a\tt\t{\"n\": 1}\n/b", "\tt\t\\N\n")
	u.want("SELECT path, name, properties FROM 'c' ORDER BY path", "/a|a|{\"n\": 1}\n/b|b|{}\nSELECT 2")
	copyIn("COPY 'c' (path, node_type, properties) FROM STDIN", "22P02 invalid input syntax for type json\nCOPY c, line 2, column properties: \"{\"", "/c\tt\t{}\n/d\tt\t{\n")
	copyIn("COPY 'c' (path, node_type) FROM STDIN", "23505 duplicate key value violates unique constraint \"c_path_key\"\nCOPY c, line 2", "/e\tt\n/a\tt\n")
	copyIn("COPY 'c' (path, node_type) FROM STDIN (FORMAT csv)", "22P04 extra data after last expected column\nCOPY c, line 1: \"/e,t,x\"", "/e,t,x\n")
	copyIn("COPY 'c' (path, nosuch) FROM STDIN", `42703 column "nosuch" of relation "c" does not exist`)
	copyIn("COPY 'nosuch' FROM STDIN", `42P01 relation "nosuch" does not exist`)
	copyIn("BEGIN READ ONLY; COPY 'c' (path, node_type) FROM STDIN", "BEGIN\n25006 cannot execute COPY FROM in a read-only transaction")
	u.want("ROLLBACK; SELECT count(*) FROM 'c'", "ROLLBACK\n2\nSELECT 1")
	// What COPY TO writes COPY FROM reads, binary too.
	for _, format := range []string{"text", "csv", "binary"} {
		u.out.Reset()
		if err := u.Query(context.Background(), "COPY 'c' (path, node_type, properties, created_at) TO STDOUT (FORMAT "+format+")"); err != nil {
			t.Fatal(err)
		}
		data := strings.TrimSuffix(u.out.String(), "COPY 2\n")
		u.want("CREATE WORKSPACE 'd'", "CREATE WORKSPACE")
		copyIn("COPY 'd' (path, node_type, properties, created_at) FROM STDIN (FORMAT "+format+")", "COPY 2", data[:len(data)/2], data[len(data)/2:])
		u.want("SELECT count(*) FROM 'c' JOIN 'd' USING (path, node_type, properties, created_at); DROP WORKSPACE 'd'", "2\nSELECT 1\nDROP WORKSPACE")
	}
}

// What Describe tells of the statements about spatial indexes is what they yield.
func TestDDLColumns(t *testing.T) {
	e := newTestEngine(t, Config{})
	u := newUser(t, e)
	u.do("CREATE WORKSPACE 's'")
	u.do(`INSERT INTO 's' (path, node_type, properties) VALUES ('/x', 't', '{"p":{"type":"Point","coordinates":[1,2]}}')`)
	for _, sql := range []string{
		"SHOW SPATIAL INDEX CONFIG", "SHOW SPATIAL INDEX HEALTH FOR 's'", "VERIFY SPATIAL INDEX FOR 's'", "REBUILD SPATIAL INDEX FOR 's'",
		"ALTER SPATIAL INDEX FOR 's' PROPERTY 'p' SET PRECISIONS = (8, 6)", "ALTER SPATIAL INDEX FOR 's' PROPERTY 'p' RESET",
	} {
		st, _, err := e.cache.parse(sql)
		if err != nil {
			t.Fatal(err)
		}
		txn := e.cfg.DB.Begin(storage.ReadCommitted)
		res, handled, err := e.runtime.RunDDL(context.Background(), st[0].Node, txn, e.cat.Begin(txn))
		if err != nil || !handled {
			t.Fatal(sql, handled, err)
		}
		txn.Rollback()
		if want := exec.DDLColumns(st[0].Node); !sameColumns(res.Columns, want) {
			t.Errorf("%s\n yields  %v\n we tell %v", sql, res.Columns, want)
		}
	}
}

// A held cursor keeps its rows while the workspace changes below it.
func TestHeldCursorKeepsItsRows(t *testing.T) {
	u := newUser(t, newTestEngine(t, Config{}))
	u.do("CREATE WORKSPACE 'h'; INSERT INTO 'h' (path, node_type) VALUES ('/1', 't'), ('/2', 't'), ('/3', 't')")
	u.want("BEGIN; DECLARE c CURSOR WITH HOLD FOR SELECT path FROM 'h' ORDER BY path; FETCH c; COMMIT", "BEGIN\nDECLARE CURSOR\n/1\nFETCH 1\nCOMMIT")
	u.want("DROP WORKSPACE 'h'; FETCH ALL c; CLOSE c", "DROP WORKSPACE\n/2\n/3\nFETCH 2\nCLOSE CURSOR")
}

func TestVersion(t *testing.T) {
	u := newUser(t, newTestEngine(t, Config{Version: "9.9.9"}))
	if got := u.do("SELECT version()"); !strings.HasPrefix(got, "PostgreSQL 15.0 (raisind 9.9.9, ") {
		t.Error(got)
	}
	u.want("SELECT current_user, session_user, current_database(), current_schema(), current_setting('work_mem')", "raisin|raisin|raisin|public|4MB\nSELECT 1")
	u.want("SELECT set_config('work_mem', '8MB', false); SHOW work_mem", "8MB\nSELECT 1\n8MB\nSHOW")
	u.want("SELECT set_config('nosuch', '8MB', false)", `42704 unrecognized configuration parameter "nosuch"`)
}

func TestAdvisoryLocks(t *testing.T) {
	e := newTestEngine(t, Config{})
	a, b := newUser(t, e), newUser(t, e)
	a.want("SELECT pg_try_advisory_lock(7), pg_try_advisory_lock(7)", "t|t\nSELECT 1")
	b.want("SELECT pg_try_advisory_lock(7), pg_try_advisory_lock(0, 7)", "f|t\nSELECT 1")
	a.want("SELECT pg_advisory_unlock(7)", "t\nSELECT 1")
	b.want("SELECT pg_try_advisory_lock(7)", "f\nSELECT 1")
	a.want("SELECT pg_advisory_unlock(7); SELECT pg_advisory_unlock(7)", "t\nSELECT 1\nWARNING: you don't own a lock of type ExclusiveLock\nf\nSELECT 1")
	b.want("BEGIN; SELECT pg_try_advisory_xact_lock(7); COMMIT", "BEGIN\nt\nSELECT 1\nCOMMIT")
	b.want("BEGIN; SELECT pg_try_advisory_xact_lock(7)", "BEGIN\nt\nSELECT 1")
	a.want("SET lock_timeout = 20; SELECT pg_advisory_lock(7)", "SET\n55P03 canceling statement due to lock timeout")
	b.Close()
	a.want("SELECT pg_try_advisory_lock(7), pg_try_advisory_lock(0, 7)", "t|t\nSELECT 1")
	a.want("DISCARD ALL", "DISCARD ALL")
	newUser(t, e).want("SELECT pg_try_advisory_lock(7)", "t\nSELECT 1")
}

func TestSettingsMarkdown(t *testing.T) {
	var b strings.Builder
	if err := SettingsMarkdown(&b); err != nil {
		t.Fatal(err)
	}
	for _, line := range []string{
		"| `statement_timeout` | `0` | from 0, in ms without a unit | session | Sets the maximum allowed duration of any statement. |",
		"| `server_version` | `15.0` | text | nobody | Shows the server version. |",
		"`enable_seqscan`",
	} {
		if !strings.Contains(b.String(), line) {
			t.Errorf("no %s in\n%s", line, b.String())
		}
	}
}

// TestVacuum: VACUUM removes what has aged, and reading it is an error from then on, while now stays as it is.
func TestVacuum(t *testing.T) {
	u := newUser(t, newTestEngine(t, Config{}))
	u.want("CREATE WORKSPACE 'v' WITH (history_retention = '0s')", "CREATE WORKSPACE")
	u.want("CREATE WORKSPACE 'kept' WITH (history_retention = 'forever')", "CREATE WORKSPACE")
	for _, w := range []string{"v", "kept"} {
		u.do("INSERT INTO '" + w + "' (path, node_type, properties) VALUES ('/x', 't', '{\"n\": 1}')")
	}
	first := strings.Fields(u.do("SELECT max(__revision) FROM 'kept'"))[0]
	for _, w := range []string{"v", "kept"} {
		for range 3 {
			u.do("UPDATE '" + w + "' SET node_type = node_type || 'u'")
		}
	}
	u.want("BEGIN; VACUUM 'v'", "BEGIN\n25001 VACUUM cannot run inside a transaction block")
	u.do("ROLLBACK")
	u.want("VACUUM 'nothere'", `42P01 relation "nothere" does not exist`)
	for _, sql := range []string{"VACUUM 'v'", "VACUUM 'v', 'kept'", "VACUUM", "VACUUM FULL 'kept'", "VACUUM (FULL, ANALYZE)"} {
		u.want(sql, "VACUUM")
	}
	u.want("SELECT path, node_type FROM 'v'", "/x|tuuu\nSELECT 1")
	u.want("SELECT path, node_type FROM 'v' WHERE __revision = "+first, "72000 snapshot too old")
	u.want("SELECT path, node_type FROM 'kept' WHERE __revision = "+first, "/x|t\nSELECT 1")
}
