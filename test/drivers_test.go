package test

import (
	"context"
	"errors"
	"math"
	"os/exec"
	"strconv"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
)

// TestPgx drives the extended protocol with binary parameters and results, as a Go
// application would.
func TestPgx(t *testing.T) {
	s := startServer(t)
	c := s.connect(t)
	ctx := context.Background()
	mustExec(t, c, `CREATE WORKSPACE 'fleet'`)

	t.Run("batch insert", func(t *testing.T) {
		var b pgx.Batch
		for i := range 100 {
			b.Queue(`INSERT INTO 'fleet' (path, node_type, name, properties) VALUES ($1, 'fleet:Van', $2, $3::jsonb)`,
				"/van-"+strconv.Itoa(i), "van-"+strconv.Itoa(i),
				map[string]any{"n": i, "position": map[string]any{"type": "Point", "coordinates": []float64{13 + float64(i)/100, 52.5}}})
		}
		if err := c.SendBatch(ctx, &b).Close(); err != nil {
			t.Fatal(err)
		}
		if n := queryOne[int64](t, c, `SELECT count(*) FROM 'fleet'`); n != 100 {
			t.Errorf("%d rows", n)
		}
	})
	t.Run("update by path", func(t *testing.T) {
		tag, err := c.Exec(ctx, `UPDATE 'fleet' SET properties = $1::jsonb WHERE path = $2`,
			`{"position":{"type":"Point","coordinates":[13.005,52.5]}}`, "/van-0")
		if err != nil || tag.String() != "UPDATE 1" {
			t.Fatalf("%v, %v", tag, err)
		}
		if tag, err = c.Exec(ctx, `UPDATE 'fleet' SET properties = '{}' WHERE path = $1`, "/nobody"); err != nil || tag.String() != "UPDATE 0" {
			t.Errorf("%v, %v", tag, err)
		}
	})
	t.Run("radius", func(t *testing.T) {
		paths := queryAll[string](t, c,
			`SELECT path FROM 'fleet' WHERE ST_DWithin(properties->'position', ST_Point($1, $2), $3) ORDER BY __distance, path`, 13.005, 52.5, 1000.0)
		if strings.Join(paths, " ") != "/van-0 /van-1" {
			t.Errorf("got %v", paths)
		}
	})
	t.Run("nearest with its distance", func(t *testing.T) {
		rows, err := c.Query(ctx, `SELECT path, ST_Distance(properties->'position', ST_Point($1, $2)) AS d FROM 'fleet'
			ORDER BY properties->'position' <-> ST_Point($1, $2) LIMIT $3`, 13.5, 52.5, 3)
		if err != nil {
			t.Fatal(err)
		}
		type near struct {
			Path string
			D    float64
		}
		got, err := pgx.CollectRows(rows, pgx.RowToStructByPos[near])
		if err != nil || len(got) != 3 || got[0].Path != "/van-50" || got[0].D != 0 {
			t.Fatalf("%v, %v", got, err)
		}
		// 0.01 degrees of longitude at 52.5 north, on the spheroid.
		if math.Abs(got[1].D-679.06) > 1 {
			t.Errorf("%v", got)
		}
	})
	t.Run("box", func(t *testing.T) {
		paths := queryAll[string](t, c,
			`SELECT path FROM 'fleet' WHERE ST_Within(properties->'position', ST_MakeEnvelope($1, $2, $3, $4, 4326)) ORDER BY path`, 13.095, 52.4, 13.125, 52.6)
		if strings.Join(paths, " ") != "/van-10 /van-11 /van-12" {
			t.Errorf("got %v", paths)
		}
	})
	t.Run("error with its code, and life after it", func(t *testing.T) {
		_, err := c.Exec(ctx, `INSERT INTO 'fleet' (path, node_type) VALUES ($1, 'fleet:Van')`, "/van-1")
		var pg *pgconn.PgError
		if !errors.As(err, &pg) || pg.Code != "23505" || pg.ConstraintName == "" {
			t.Fatalf("%v", err)
		}
		_, err = c.Exec(ctx, `SELECT path FROM 'fleet' WHER true`)
		if !errors.As(err, &pg) || pg.Code != "42601" || pg.Position == 0 {
			t.Fatalf("%v", err)
		}
		if n := queryOne[int32](t, c, `SELECT $1::int + 1`, 41); n != 42 {
			t.Errorf("%d", n)
		}
	})
	t.Run("a transaction undone", func(t *testing.T) {
		tx, err := c.Begin(ctx)
		if err != nil {
			t.Fatal(err)
		}
		if _, err = tx.Exec(ctx, `DELETE FROM 'fleet'`); err != nil {
			t.Fatal(err)
		}
		if err = tx.Rollback(ctx); err != nil {
			t.Fatal(err)
		}
		if n := queryOne[int64](t, c, `SELECT count(*) FROM 'fleet'`); n != 100 {
			t.Errorf("%d rows", n)
		}
	})
	t.Run("copy in", func(t *testing.T) {
		in := strings.NewReader("/copied\tfleet:Van\tcopied\t{\"position\":{\"type\":\"Point\",\"coordinates\":[1,2]}}\n")
		tag, err := c.PgConn().CopyFrom(ctx, in, `COPY 'fleet' (path, node_type, name, properties) FROM STDIN`)
		if err != nil || tag.RowsAffected() != 1 {
			t.Fatalf("%v, %v", tag, err)
		}
	})
}

const psycopg2Script = `
import json, sys
import psycopg2, psycopg2.errors
conn = psycopg2.connect(host="127.0.0.1", port=int(sys.argv[1]), user="raisin", dbname="raisin")
with conn.cursor() as cur:
    cur.execute("CREATE WORKSPACE 'py_fleet'")
    for i in range(10):
        cur.execute("INSERT INTO 'py_fleet' (path, node_type, name, properties) VALUES (%s, %s, %s, %s)",
            ("/van-%d" % i, "fleet:Van", "van-%d" % i,
             json.dumps({"position": {"type": "Point", "coordinates": [13 + i / 100, 52.5]}})))
conn.commit()
with conn.cursor() as cur:
    cur.execute("UPDATE 'py_fleet' SET properties = %s::jsonb WHERE path = %s",
        (json.dumps({"position": {"type": "Point", "coordinates": [13.005, 52.5]}}), "/van-0"))
    assert cur.rowcount == 1, cur.rowcount
    cur.execute("SELECT path FROM 'py_fleet' WHERE ST_DWithin(properties->'position', ST_Point(%s, %s), %s) ORDER BY path", (13.005, 52.5, 1000))
    assert [r[0] for r in cur.fetchall()] == ["/van-0", "/van-1"]
    cur.execute("SELECT path, properties FROM 'py_fleet' ORDER BY properties->'position' <-> ST_Point(%s, %s) LIMIT 1", (13.05, 52.5))
    path, properties = cur.fetchone()
    assert path == "/van-5" and properties["position"]["coordinates"] == [13.05, 52.5], (path, properties)
    cur.execute("SELECT path FROM 'py_fleet' WHERE ST_Within(properties->'position', ST_MakeEnvelope(13.025, 52, 13.045, 53, 4326)) ORDER BY path")
    assert [r[0] for r in cur.fetchall()] == ["/van-3", "/van-4"]
conn.commit()
try:
    with conn.cursor() as cur:
        cur.execute("INSERT INTO 'py_fleet' (path, node_type) VALUES ('/van-1', 'fleet:Van')")
    raise SystemExit("a second /van-1 was taken")
except psycopg2.errors.UniqueViolation:
    conn.rollback()
with conn.cursor() as cur:
    cur.execute("SELECT count(*) FROM 'py_fleet'")
    assert cur.fetchone() == (10,)
    cur.execute("DROP WORKSPACE 'py_fleet'")
conn.commit()
print("fine")
`

// TestPsycopg2 does the same from Python, whose driver writes values into the text.
func TestPsycopg2(t *testing.T) {
	const python = "/usr/bin/python3"
	need(t, python, "-c", "import psycopg2")
	s := startServer(t)
	out, err := exec.Command(python, "-c", psycopg2Script, strconv.Itoa(s.port)).CombinedOutput()
	if err != nil || !strings.HasSuffix(string(out), "fine\n") {
		t.Fatalf("%v\n%s", err, out)
	}
}
