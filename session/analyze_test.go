package session

import "testing"

// ANALYZE makes EXPLAIN tell how many rows a condition leaves, also of plans kept from before.
func TestAnalyze(t *testing.T) {
	e := newTestEngine(t, Config{})
	u := newUser(t, e)
	u.want("CREATE WORKSPACE 'w'; INSERT INTO w (path, node_type) SELECT '/' || i, CASE WHEN i % 4 = 0 THEN 'a' ELSE 't' || i END FROM generate_series(1, 2000) i",
		"CREATE WORKSPACE\nINSERT 0 2000")
	q := "EXPLAIN SELECT path FROM w WHERE node_type = 'a'"
	u.do(q)
	u.do(q)
	u.want("ANALYZE w", "ANALYZE")
	want := "TableScan on w  (cost=0.00..25.00 rows=500 width=218)\n  Filter: (node_type = 'a'::text)\nEXPLAIN\n"
	if got := u.do(q); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	u.want("ANALYZE nowhere", `42P01 relation "nowhere" does not exist`)
}
