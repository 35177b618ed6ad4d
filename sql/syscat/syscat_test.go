package syscat

import (
	"strings"
	"testing"

	"raisind/sql/types"
)

// TestRowsFitTheirColumns makes every row that no catalog changes, and every OID once.
func TestRowsFitTheirColumns(t *testing.T) {
	b := builtins()
	for name, rows := range map[string][]types.Row{
		"pg_type": b.types, "pg_proc": b.procs, "pg_operator": b.operators, "pg_cast": b.casts, "pg_opclass": b.classes, "pg_opfamily": b.families,
	} {
		rel := mustRelation("pg_catalog", name)
		seen := map[int64]bool{}
		for _, row := range rows {
			if len(row) != len(rel.cols) {
				t.Fatalf("%s: a row of %d columns instead of %d", name, len(row), len(rel.cols))
			}
			if o := row[0].Int(); o == 0 || seen[o] {
				t.Errorf("%s: OID %d is there twice", name, o)
			} else {
				seen[o] = true
			}
			for i, c := range rel.cols {
				if rel.notNull[i] && row[i].IsNull() {
					t.Errorf("%s %d: column %s is NULL", name, row[0].Int(), c.Name)
				}
			}
		}
	}
	if b.next > 16384 {
		t.Errorf("OIDs up to %d: they are those of users' objects", b.next)
	}
}

// TestReferencesLead follows OIDs from one relation to another.
func TestReferencesLead(t *testing.T) {
	b := builtins()
	ids := func(rows []types.Row) map[int64]bool {
		m := map[int64]bool{0: true}
		for _, r := range rows {
			m[r[0].Int()] = true
		}
		return m
	}
	procs, kinds, operators := ids(b.procs), ids(b.types), ids(b.operators)
	for _, c := range []struct {
		rel     string
		rows    []types.Row
		columns string
		in      map[int64]bool
	}{
		{"pg_type", b.types, "typinput typoutput typreceive typsend typmodin typmodout", procs},
		{"pg_type", b.types, "typelem typarray", kinds},
		{"pg_operator", b.operators, "oprcode oprrest oprjoin", procs},
		{"pg_operator", b.operators, "oprleft oprright oprresult", kinds},
		{"pg_operator", b.operators, "oprcom oprnegate", operators},
		{"pg_cast", b.casts, "castfunc", procs},
		{"pg_cast", b.casts, "castsource casttarget", kinds},
		{"pg_aggregate", b.aggregates, "aggfnoid aggtransfn aggfinalfn", procs},
		{"pg_opclass", b.classes, "opcintype", kinds},
	} {
		rel := mustRelation("pg_catalog", c.rel)
		for _, column := range strings.Fields(c.columns) {
			for _, row := range c.rows {
				if o := row[rel.at[column]].Int(); !c.in[o] {
					t.Errorf("%s %d: %s is %d, which is nothing", c.rel, row[0].Int(), column, o)
				}
			}
		}
	}
}

func TestViewsAreQueries(t *testing.T) {
	for name, r := range relations().byName {
		if r.query == nil {
			if r.kind == 'v' && name.schema == "information_schema" {
				t.Errorf("%s has neither rows nor a query", name.name)
			}
			continue
		}
		if _, _, err := r.query(); err != nil {
			t.Errorf("%s: %v", name.name, err)
		}
	}
}

func TestPretty(t *testing.T) {
	for text, want := range map[string]string{
		"(area >= (0)::numeric)":                     "area >= 0::numeric",
		"(area * (2)::numeric)":                      "area * 2::numeric",
		"((a + b) * c)":                              "(a + b) * c",
		"(a + (b * c))":                              "a + b * c",
		"((a > 1) AND (b < 2))":                      "a > 1 AND b < 2",
		"((a > 1) OR ((b < 2) AND (c IS NULL)))":     "a > 1 OR b < 2 AND c IS NULL",
		"((a > 1) AND ((b < 2) OR (c IS NOT NULL)))": "a > 1 AND (b < 2 OR c IS NOT NULL)",
		"(kind IS NOT NULL)":                         "kind IS NOT NULL",
		"now()":                                      "now()",
		"nextval('pd_site_id_seq'::regclass)":        "nextval('pd_site_id_seq'::regclass)",
		"((a || ' '::text) || b)":                    "(a || ' '::text) || b",
	} {
		if got := Pretty(text); got != want {
			t.Errorf("%s: %s, want %s", text, got, want)
		}
	}
}

func TestNamesSplit(t *testing.T) {
	for text, want := range map[string]string{
		`fleet`: "fleet", `Public.Fleet`: "public|fleet", `"My Fleet"`: "My Fleet", `a."b""c"`: `a|b"c`, `a..b`: "", `"a`: "", ``: "",
	} {
		parts, ok := SplitName(text)
		if got := strings.Join(parts, "|"); ok != (want != "") || ok && got != want {
			t.Errorf("%s: %q, %v", text, got, ok)
		}
	}
}
