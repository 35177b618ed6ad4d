package test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
)

// randomQuery makes valid queries over a small table of NULLs and repeated values.
type randomQuery struct{ r *rand.Rand }

func (g *randomQuery) pick(of ...string) string { return of[g.r.IntN(len(of))] }

// number, text and predicate are expressions of a depth over the columns a, b and s.
func (g *randomQuery) number(depth int) string {
	if depth == 0 {
		return g.pick("a", "b", "a", "b", fmt.Sprint(g.r.IntN(7)-3), "NULL::int")
	}
	x := func() string { return g.number(depth - 1) }
	switch g.r.IntN(7) {
	case 0:
		return "(" + x() + g.pick(" + ", " - ", " * ") + x() + ")"
	case 1:
		return "coalesce(" + x() + ", " + x() + ")"
	case 2:
		return "(CASE WHEN " + g.predicate(depth-1) + " THEN " + x() + " ELSE " + x() + " END)"
	case 3:
		return "nullif(" + x() + ", " + x() + ")"
	case 4:
		return "abs(" + x() + ")"
	case 5:
		return "length(" + g.text(depth-1) + ")"
	}
	return g.pick("greatest", "least") + "(" + x() + ", " + x() + ")"
}

func (g *randomQuery) text(depth int) string {
	if depth == 0 {
		return g.pick("s", "s", "'x'", "'ab'", "NULL::text")
	}
	switch g.r.IntN(4) {
	case 0:
		return "(" + g.text(depth-1) + " || " + g.text(depth-1) + ")"
	case 1:
		return g.pick("upper", "lower", "reverse") + "(" + g.text(depth-1) + ")"
	case 2:
		return "(" + g.number(depth-1) + ")::text"
	}
	return "coalesce(" + g.text(depth-1) + ", " + g.text(depth-1) + ")"
}

func (g *randomQuery) predicate(depth int) string {
	if depth == 0 {
		return g.pick("a", "b") + g.pick(" = ", " < ", " >= ", " <> ") + g.pick("b", "1", "0", "NULL")
	}
	p, n := func() string { return g.predicate(depth - 1) }, func() string { return g.number(depth - 1) }
	switch g.r.IntN(11) {
	case 0:
		return "(" + p() + g.pick(" AND ", " OR ") + p() + ")"
	case 1:
		return "(NOT " + p() + ")"
	case 2:
		return "(" + n() + " " + g.pick("=", "<", "<=", ">", "<>") + " " + n() + ")"
	case 3:
		return "(" + n() + g.pick(" IN (", " NOT IN (") + n() + ", " + n() + "))"
	case 4:
		return "(" + n() + g.pick(" BETWEEN ", " NOT BETWEEN SYMMETRIC ") + n() + " AND " + n() + ")"
	case 5:
		return "(" + g.text(depth-1) + g.pick(" LIKE ", " NOT LIKE ", " ~ ") + g.pick("'a%'", "'x'", "'%b'", "NULL") + ")"
	case 6:
		return "(" + n() + g.pick(" IS NULL", " IS NOT NULL") + ")"
	case 7:
		return "(" + n() + g.pick(" IS DISTINCT FROM ", " IS NOT DISTINCT FROM ") + n() + ")"
	case 8:
		return "(EXISTS (SELECT 1 FROM t AS u WHERE u.a = " + g.pick("t.a", "t.b", "1") + "))"
	case 9:
		return "(" + n() + g.pick(" = ANY ", " <> ALL ", " < ALL ") + "(SELECT u.b FROM t AS u WHERE u.a " + g.pick("= t.a", "< 2", "IS NULL") + "))"
	}
	return "((" + n() + ", " + n() + ")" + g.pick(" = ", " < ", " >= ") + "(" + n() + ", " + n() + "))"
}

// TestPartitions checks that the rows where a predicate holds, where it does not, and
// where it is NULL are together all rows, however the predicate is made.
func TestPartitions(t *testing.T) {
	const with = `WITH t(a, b, s) AS (VALUES (1, 1, 'a'), (1, 2, 'ab'), (2, NULL, 'x'), (NULL, 0, NULL), (0, -1, ''), (3, 3, 'xb'), (NULL, NULL, 'b'), (-2, 2, 'a%'))`
	n := 400
	if testing.Short() {
		n = 100
	}
	s := startServer(t)
	c := s.connect(t).PgConn()
	g := &randomQuery{rand.New(rand.NewPCG(15, 3))}
	for range n {
		p := g.predicate(1 + g.r.IntN(3))
		from := g.pick("t", "t", "(SELECT * FROM t WHERE a IS NOT NULL) AS t", "(SELECT DISTINCT a, b, s FROM t) AS t", "(SELECT max(a) AS a, b, min(s) AS s FROM t GROUP BY b) AS t")
		sql := with + fmt.Sprintf(` SELECT (SELECT count(*) FROM %[1]s), (SELECT count(*) FROM %[1]s WHERE %[2]s), (SELECT count(*) FROM %[1]s WHERE NOT (%[2]s)),
 (SELECT count(*) FROM %[1]s WHERE (%[2]s) IS NULL), (SELECT count(*) FILTER (WHERE %[2]s) FROM %[1]s), (SELECT count(*) FROM (SELECT %[2]s AS p FROM %[1]s) AS q WHERE p)`, from, p)
		results, err := c.Exec(context.Background(), sql).ReadAll()
		if err != nil {
			t.Errorf("%s: %v", sql, err)
			continue
		}
		var v [6]int
		for i, f := range results[0].Rows[0] {
			if _, err := fmt.Sscan(string(f), &v[i]); err != nil {
				t.Fatal(err)
			}
		}
		if v[0] != v[1]+v[2]+v[3] || v[1] != v[4] || v[1] != v[5] {
			t.Errorf("%s: all, true, false, NULL, as a filter, as a column: %s", sql, strings.Trim(fmt.Sprint(v), "[]"))
		}
	}
}
