package test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
)

// publishedPage returns the SQL and the Python of the page on dirty tile extents, as
// they stand there.
func publishedPage(t *testing.T) (sql, python string) {
	t.Helper()
	const page = "../../shared/seeds/000_3fc20a67b31cdc0f.txt"
	text, err := os.ReadFile(page)
	if errors.Is(err, os.ErrNotExist) {
		// A linked working tree lies one folder deeper.
		text, err = os.ReadFile("../" + page)
	}
	if errors.Is(err, os.ErrNotExist) {
		t.Skip("the page is not here")
	}
	if err != nil {
		t.Fatal(err)
	}
	_, rest, ok := strings.Cut(string(text), "CREATE TABLE IF NOT EXISTS dirty_extent")
	sql, rest, ok2 := strings.Cut(rest, "\ndef claim_dirty_extents")
	python, _, ok3 := strings.Cut(rest, "cur.fetchall()\n")
	if !ok || !ok2 || !ok3 {
		t.Fatal("the page has another form")
	}
	return "CREATE TABLE IF NOT EXISTS dirty_extent" + sql, "def claim_dirty_extents" + python + "cur.fetchall()\n"
}

// extents lists what the queue holds of a layer, oldest first.
func extents(t *testing.T, c *pgx.Conn) string {
	t.Helper()
	return strings.Join(queryAll[string](t, c, `SELECT reason || ' ' || ST_XMin(extent) || ' ' || ST_XMax(extent) FROM dirty_extent ORDER BY id`), ", ")
}

// TestPublishedPage runs the page's SQL as one message, its five steps, and its Python
// with both drivers.
func TestPublishedPage(t *testing.T) {
	sql, python := publishedPage(t)
	s := startServer(t)
	c := s.connect(t)
	mustExec(t, c, `CREATE TABLE incidents (id int PRIMARY KEY, kind text, geom geometry(Geometry, 4326))`)
	results, err := c.PgConn().Exec(context.Background(), sql).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	var tags []string
	for _, r := range results {
		tags = append(tags, r.CommandTag.String())
	}
	if got := strings.Join(tags, ", "); got != "CREATE TABLE, CREATE INDEX, CREATE FUNCTION, CREATE TRIGGER" {
		t.Errorf("tags %s", got)
	}

	for _, step := range []struct{ sql, want string }{
		{`INSERT INTO incidents VALUES (1, 'a', ST_MakeEnvelope(0, 0, 1, 1, 4326))`, "insert 0 1"},
		{`UPDATE incidents SET geom = ST_MakeEnvelope(5, 5, 6, 6, 4326)`, "update_geom 0 1, update_geom 5 6"},
		{`UPDATE incidents SET kind = 'b'`, "update_attr 5 6"},
		{`UPDATE incidents SET kind = 'b'`, ""},
		{`UPDATE incidents SET geom = ST_Reverse(geom)`, "update_attr 5 6"},
		{`DELETE FROM incidents`, "delete 5 6"},
	} {
		mustExec(t, c, step.sql)
		if got := extents(t, c); got != step.want {
			t.Errorf("%s: %q, want %q", step.sql, got, step.want)
		}
		mustExec(t, c, `DELETE FROM dirty_extent`)
	}
	for geom, state := range map[string]string{"'SRID=4326;POINT(0 0)'": "22023", "NULL": "23502", "'SRID=4326;LINESTRING EMPTY'": "22023"} {
		var pe *pgconn.PgError
		_, err := c.Exec(context.Background(), `INSERT INTO incidents VALUES (9, 'x', `+geom+`)`)
		if !errors.As(err, &pe) || pe.Code != state || !strings.Contains(pe.Where, "PL/pgSQL function mark_dirty() line 4 at SQL statement") {
			t.Errorf("%s: %v, want %s", geom, err, state)
		}
	}

	for _, driver := range []string{"psycopg2", "psycopg"} {
		t.Run(driver, func(t *testing.T) {
			const interpreter = "/usr/bin/python3"
			need(t, interpreter, "-c", "import "+driver)
			mustExec(t, c, `DELETE FROM incidents; DELETE FROM dirty_extent`)
			mustExec(t, c, `INSERT INTO incidents SELECT g, 'n', ST_MakeEnvelope(2 * g, 0, 2 * g + 1, 1, 4326) FROM generate_series(1, 200) g`)
			out, err := exec.Command(interpreter, "-c", "import sys, threading, "+driver+" as driver\n"+python+claimers, strconv.Itoa(s.port)).CombinedOutput()
			if err != nil || strings.TrimSpace(string(out)) != "200 200" {
				t.Errorf("%v: %s", err, out)
			}
		})
	}
}

// claimers has three workers drain 200 extents that do not touch, one of which ends in
// its transaction and one after its commit, so that the sweeper has to give back its
// claim.
const claimers = `
def connect():
    return driver.connect(host="127.0.0.1", port=int(sys.argv[1]), user="raisin", dbname="raisin")
lost = connect()
assert len(claim_dirty_extents(lost, "incidents", 10)) == 10
lost.close()
dead = connect()
assert len(claim_dirty_extents(dead, "incidents", 10)) == 10
dead.commit()
dead.close()
sweeper = connect()
cur = sweeper.cursor()
cur.execute("UPDATE dirty_extent SET claimed_at = NULL WHERE claimed_at < now()")
assert cur.rowcount == 10
sweeper.commit()
boxes = []
def work():
    conn = connect()
    while True:
        got = claim_dirty_extents(conn, "incidents", 7)
        conn.commit()
        assert len(got) <= 7
        if not got:
            return conn.close()
        boxes.extend(got)
workers = [threading.Thread(target=work) for _ in range(3)]
[w.start() for w in workers]
[w.join() for w in workers]
print(len(boxes), len(set(boxes)))
`

// TestClaimsKeepTheirLimit has several workers claim side by side: no claim is longer
// than its LIMIT, none is empty while rows are free, and no row is claimed twice.
func TestClaimsKeepTheirLimit(t *testing.T) {
	s := startServer(t)
	c := s.connect(t)
	mustExec(t, c, `CREATE TABLE job (id bigserial PRIMARY KEY, layer text NOT NULL, made timestamptz NOT NULL DEFAULT now(), taken timestamptz)`)
	mustExec(t, c, `CREATE INDEX job_free ON job (layer, made) WHERE taken IS NULL`)
	mustExec(t, c, `INSERT INTO job (layer) SELECT 'a' FROM generate_series(1, 400)`)
	var mu sync.Mutex
	seen := map[int64]int{}
	var wg sync.WaitGroup
	for w := range 4 {
		conn := s.connect(t)
		mustExec(t, conn, fmt.Sprintf(`SET enable_hashjoin = %v`, w%2 == 0))
		wg.Go(func() {
			for {
				rows, _ := conn.Query(context.Background(), `UPDATE job SET taken = now() WHERE id IN (
					SELECT id FROM job WHERE layer = $1 AND taken IS NULL ORDER BY made LIMIT $2 FOR UPDATE SKIP LOCKED) RETURNING id`, "a", 9)
				ids, err := pgx.CollectRows(rows, pgx.RowTo[int64])
				if err != nil || len(ids) > 9 {
					t.Errorf("%d rows, %v", len(ids), err)
					return
				}
				if len(ids) == 0 {
					return
				}
				mu.Lock()
				for _, id := range ids {
					seen[id]++
				}
				mu.Unlock()
			}
		})
	}
	wg.Wait()
	if n := queryOne[int64](t, c, `SELECT count(*) FROM job WHERE taken IS NULL`); n != 0 {
		t.Errorf("%d rows were left", n)
	}
	for id, n := range seen {
		if n != 1 {
			t.Errorf("row %d was claimed %d times", id, n)
		}
	}
	if len(seen) != 400 {
		t.Errorf("%d rows were claimed", len(seen))
	}
}

// TestWholeRowsAreComparedAsRecords compares rows with a column that has no equality:
// an error when the comparison gets to it, and not before.
func TestWholeRowsAreComparedAsRecords(t *testing.T) {
	s := startServer(t)
	c := s.connect(t)
	mustExec(t, c, `CREATE TABLE doc (id int PRIMARY KEY, body json, note text);
		CREATE FUNCTION differs() RETURNS trigger LANGUAGE plpgsql AS $$
		BEGIN
		  IF OLD.* IS DISTINCT FROM NEW.* THEN RAISE NOTICE 'differs'; END IF;
		  RETURN NULL;
		END $$;
		CREATE TRIGGER doc_differs AFTER UPDATE ON doc FOR EACH ROW EXECUTE FUNCTION differs();
		INSERT INTO doc VALUES (1, '{}', 'a')`)
	mustExec(t, c, `UPDATE doc SET id = 2`)
	var pe *pgconn.PgError
	if _, err := c.Exec(context.Background(), `UPDATE doc SET note = 'b'`); !errors.As(err, &pe) || pe.Code != "42883" ||
		pe.Message != "could not identify an equality operator for type json" || pe.Where != "PL/pgSQL function differs() line 3 at IF" {
		t.Errorf("%v (%v)", err, pe)
	}
	plan := strings.Join(queryAll[string](t, c, `EXPLAIN (ANALYZE, TIMING off, COSTS off, SUMMARY off) UPDATE doc SET id = id + 1`), "\n")
	if !strings.HasSuffix(plan, "\nTrigger doc_differs: calls=1") {
		t.Error(plan)
	}
}
