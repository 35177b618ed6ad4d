package parser

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"raisind/pgerr"
	"raisind/sql/ast"
)

// TestDepth throws things that nest without end at the parser. It must answer
// 54001 instead of overflowing the stack, which would end the process.
func TestDepth(t *testing.T) {
	const n = 3 * MaxDepth
	many := func(s string) string { return strings.Repeat(s, n) }
	million := func(s string) string { return strings.Repeat(s, 1_000_000) }
	for name, sql := range map[string]string{
		"parentheses":        "SELECT " + million("(") + "1" + million(")"),
		"open parentheses":   "SELECT " + many("("),
		"statement":          many("(") + "SELECT 1" + many(")"),
		"scalar sub-selects": "SELECT " + many("(SELECT "),
		"IN":                 "SELECT " + many("1 IN ("),
		"ANY":                "SELECT " + many("1 = ANY ("),
		"EXISTS":             "SELECT " + many("EXISTS (SELECT "),
		"calls":              "SELECT " + many("f("),
		"COALESCE":           "SELECT " + many("COALESCE("),
		"casts":              "SELECT " + many("CAST("),
		"CASE":               "SELECT " + many("CASE WHEN "),
		"CASE operands":      "SELECT " + many("CASE "),
		"unary minus":        "SELECT " + many("- ") + "a",
		"unary operators":    "SELECT " + many("@ ") + "a",
		"NOT":                "SELECT " + many("NOT ") + "a",
		"arrays":             "SELECT ARRAY" + many("[") + "1",
		"subscripts":         "SELECT a" + many("[1]"),
		"nested subscripts":  "SELECT a" + many("[a"),
		"fields":             "SELECT (a)" + many(".b"),
		"::":                 "SELECT a" + many("::int"),
		"+":                  "SELECT 1" + many("+1"),
		"||":                 "SELECT 'a'" + many("||'b'"),
		"IS NULL":            "SELECT a" + many(" IS NULL"),
		"COLLATE":            "SELECT a" + many(` COLLATE "C"`),
		"AT TIME ZONE":       "SELECT a" + many(" AT TIME ZONE b"),
		"right chain":        "SELECT 1" + many(" IN (1) + 1"),
		"AND on the right":   "SELECT a" + many(" AND (b"),
		"FROM":               "SELECT 1 FROM " + many("(SELECT 1 FROM "),
		"FROM parentheses":   "SELECT 1 FROM " + many("("),
		"joins":              "SELECT 1 FROM a" + many(" CROSS JOIN a"),
		"pending joins":      "SELECT 1 FROM a" + many(" JOIN a"),
		"joined parentheses": "SELECT 1 FROM " + many("(a JOIN "),
		"UNION":              "SELECT 1" + many(" UNION SELECT 1"),
		"UNION parentheses":  "SELECT 1" + many(" UNION (SELECT 1"),
		"WITH":               many("WITH a AS ("),
		"WITH in CTEs":       "WITH a AS (" + many("WITH a AS (SELECT "),
		"grouping sets":      "SELECT 1 GROUP BY " + many("GROUPING SETS ("),
		"VALUES":             "VALUES (" + many("(VALUES ("),
		"windows":            "SELECT " + many("f() OVER (ORDER BY "),
		"FILTER":             "SELECT " + many("f() FILTER (WHERE "),
		"BETWEEN":            "SELECT " + many("1 BETWEEN (") + "1",
		"LIKE":               "SELECT " + many("a LIKE (") + "1",
		"type modifiers":     "SELECT " + many("a::t("),
		"default":            "CREATE TABLE t (a int DEFAULT " + many("("),
		"check":              "CREATE TABLE t (CHECK " + many("("),
		"index":              "CREATE INDEX ON t " + many("("),
		"COPY":               "COPY (" + many("(") + "SELECT 1",
		"EXPLAIN":            "EXPLAIN " + many("(") + "SELECT 1",
		"PREPARE":            "PREPARE p AS " + many("WITH a AS ("),
		"U& strings":         "SELECT " + many("U&'a' UESCAPE "),
		"slices":             "SELECT a" + many("[1:a"),
		"LATERAL":            "SELECT 1 FROM " + many("LATERAL (SELECT 1 FROM "),
		"EXPLAIN options":    "EXPLAIN (" + many("("),
		"INSERT":             "INSERT INTO t " + many("("),
		"comments":           "SELECT 1 " + many("/*"),
	} {
		_, err := Parse(sql)
		var e *pgerr.Error
		if !errors.As(err, &e) {
			t.Errorf("%s: %v", name, err)
			continue
		}
		switch e.Code {
		case pgerr.StatementTooComplex, pgerr.SyntaxError:
		default:
			t.Errorf("%s: %v %v", name, e.Code, err)
		}
	}
}

// TestWide holds that what is long but does not nest parses, and in proportion.
func TestWide(t *testing.T) {
	for name, text := range map[string]func(n int) string{
		"AND":     func(n int) string { return "SELECT a" + strings.Repeat(" AND a = 1", n) },
		"OR":      func(n int) string { return "SELECT a" + strings.Repeat(" OR a = 1", n) },
		"IN":      func(n int) string { return "SELECT a IN (1" + strings.Repeat(", 1", n) + ")" },
		"VALUES":  func(n int) string { return "INSERT INTO t VALUES (1, 'a')" + strings.Repeat(", (1, 'a')", n) },
		"targets": func(n int) string { return "SELECT a" + strings.Repeat(", a", n) },
		"FROM":    func(n int) string { return "SELECT 1 FROM a" + strings.Repeat(", a", n) },
		"CASE":    func(n int) string { return "SELECT CASE" + strings.Repeat(" WHEN a THEN b", n) + " END" },
		"columns": func(n int) string { return "CREATE TABLE t (a int" + strings.Repeat(", a int", n) + ")" },
		"strings": func(n int) string { return "SELECT 'a'" + strings.Repeat("\n'a'", n) },
		"U&":      func(n int) string { return "SELECT U&'a'" + strings.Repeat(", U&'a' UESCAPE '!'", n) },
		"many":    func(n int) string { return strings.Repeat("SELECT 1;", n) },
	} {
		small, large := 10_000, 40_000
		if name == "columns" {
			small, large = 1_000, 4_000
		}
		allocs := func(n int) float64 {
			sql := text(n)
			return testing.AllocsPerRun(1, func() {
				if _, err := Parse(sql); err != nil {
					t.Fatalf("%s: %v", name, err)
				}
			})
		}
		if a, b := allocs(small), allocs(large); b > 4.5*a+100 {
			t.Errorf("%s: %g allocations for %d, %g for %d", name, a, small, b, large)
		}
	}
}

func TestLimits(t *testing.T) {
	for _, c := range []struct {
		sql  string
		code pgerr.Code
	}{
		{strings.Repeat(" ", MaxStatementBytes+1), pgerr.ProgramLimitExceeded},
		{"SELECT " + strings.Repeat("1,", MaxTokens/2+1) + "1", pgerr.ProgramLimitExceeded},
		{fmt.Sprintf("SELECT $%d", MaxParams+1), pgerr.UndefinedParameter},
	} {
		if _, err := Parse(c.sql); !pgerr.Is(err, c.code) {
			t.Errorf("%.20s: %v", c.sql, err)
		}
	}
	chain := "SELECT 1" + strings.Repeat("+1", MaxDepth-10)
	stmts, err := Parse(chain)
	if err != nil {
		t.Fatal(err)
	}
	if text := ast.Format(stmts[0].Node); len(text) < len(chain) {
		t.Error("the longest chain does not print")
	}
}
