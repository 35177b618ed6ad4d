package test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"testing"

	"raisind/storage"
)

// Joins and lateral searches by a spatial predicate give the rows of the same
// predicate where the index cannot see it.
func TestSpatialJoinsEqualRowScans(t *testing.T) {
	seed := seedOf(t)
	r := rand.New(rand.NewPCG(seed, 1))
	e := newEngine(t, engineOptions{maxKeysPerCell: 1000})
	tx := e.begin(storage.ReadCommitted)
	run := func(sql string, args ...any) []string {
		t.Helper()
		rows, err := tx.query(sql, args...)
		if err != nil {
			t.Fatalf("%s: %v", fmt.Sprintf(sql, args...), err)
		}
		slices.Sort(rows)
		return rows
	}
	commit := func() {
		t.Helper()
		if err := tx.commit(); err != nil {
			t.Fatal(err)
		}
		tx = e.begin(storage.ReadCommitted)
	}
	run(`CREATE WORKSPACE 'cars'`)
	run(`CREATE WORKSPACE 'zones'`)
	commit()
	// A grid of round numbers, so that points lie on edges and on each other.
	place := func() string { return fmt.Sprintf("[%g,%g]", 13+float64(r.IntN(40))/100, 52+float64(r.IntN(40))/100) }
	shape := func() string {
		switch x, y, w := 13+float64(r.IntN(40))/100, 52+float64(r.IntN(40))/100, float64(1+r.IntN(8))/100; r.IntN(6) {
		case 0:
			return fmt.Sprintf(`{"type":"LineString","coordinates":[%s,%s]}`, place(), place())
		case 1:
			return fmt.Sprintf(`{"type":"Point","coordinates":%s}`, place())
		case 2, 3:
			return fmt.Sprintf(`{"type":"Polygon","coordinates":[[[%[1]g,%[2]g],[%[3]g,%[2]g],[%[3]g,%[4]g],[%[1]g,%[4]g],[%[1]g,%[2]g]]]}`, x, y, x+w, y+w)
		case 4:
			return fmt.Sprintf(`{"type":"Polygon","coordinates":[[[%[1]g,%[2]g],[%[3]g,%[2]g],[%[3]g,%[4]g],[%[1]g,%[2]g]]]}`, x, y, x+w, y+w)
		}
		return "null"
	}
	for i := range 90 {
		g := fmt.Sprintf(`{"type":"Point","coordinates":%s}`, place())
		if r.IntN(10) == 0 {
			g = shape()
		}
		run(`INSERT INTO cars (path, node_type, properties) VALUES ('/%d', 't', '{"n": %d, "at": %s}')`, i, i%7, g)
	}
	for i := range 14 {
		run(`INSERT INTO zones (path, node_type, properties) VALUES ('/%d', 't', '{"n": %d, "area": %s}')`, i, i%3, shape())
	}
	commit()
	predicates := []string{
		`ST_DWithin(c.properties->'at', z.properties->'area', %d)`,
		`ST_Intersects(c.properties->'at', z.properties->'area')`,
		`ST_Within(c.properties->'at', z.properties->'area')`,
		`ST_Contains(z.properties->'area', c.properties->'at')`,
		`ST_Covers(z.properties->'area', c.properties->'at')`,
		`ST_CoveredBy(c.properties->'at', z.properties->'area')`,
		`ST_Distance(c.properties->'at', z.properties->'area') < %d`,
	}
	joins := []string{
		`SELECT c.path, z.path FROM zones z JOIN cars c ON %s WHERE z.properties->>'n' <> '1'`,
		`SELECT c.path, z.path FROM zones z LEFT JOIN cars c ON %s AND c.properties->>'n' = '3'`,
		`SELECT z.path, s.n FROM zones z, LATERAL (SELECT count(*) AS n FROM cars c WHERE %s) s`,
		`SELECT z.path FROM zones z WHERE EXISTS (SELECT FROM cars c WHERE %s)`,
		`SELECT z.path FROM zones z WHERE NOT EXISTS (SELECT FROM cars c WHERE %s)`,
	}
	compare := func() {
		t.Helper()
		for _, p := range predicates {
			p = strings.ReplaceAll(p, "%d", strconv.Itoa(500+r.IntN(4000)))
			for _, j := range joins {
				got := run(j, p)
				if want := run(j, "CASE WHEN "+p+" THEN true ELSE false END"); !slices.Equal(got, want) {
					t.Errorf("seed %d: %s: %d rows instead of %d, or others", seed, fmt.Sprintf(j, p), len(got), len(want))
				}
			}
		}
		near := `SELECT z.path, (SELECT string_agg(d::text, ' ' ORDER BY d) FROM (SELECT ST_Distance(c.properties->'at', z.properties->'area') AS d FROM cars c
			WHERE c.properties->>'n' <> '2' ORDER BY %s LIMIT 4) s) FROM zones z`
		if got, want := run(near, `(c.properties->'at') <-> (z.properties->'area')`), run(near, `ST_Distance(c.properties->'at', z.properties->'area') + 0`); !slices.Equal(got, want) {
			t.Errorf("seed %d: nearest rows differ:\n%v\n%v", seed, got, want)
		}
	}
	compare()
	if tx.used == 0 {
		t.Error("no scan used the index")
	}
	// Own writes that are not in the index yet.
	for range 15 {
		run(`UPDATE cars SET properties = properties || '{"at": %s}' WHERE path = '/%d'`, shape(), r.IntN(90))
	}
	run(`DELETE FROM cars WHERE properties->>'n' = '5' AND path < '/3'`)
	compare()
	commit()
	compare()
}
