package types

import (
	"bytes"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5/pgconn"
)

// TestGoldenTypes compares the type table with pg_type.
func TestGoldenTypes(t *testing.T) {
	const name = "types.txt"
	if *postgres != "" {
		rewriteGolden(t, name, func(conn *pgconn.PgConn, c *goldenCase) ([]string, error) {
			v, _, err := query(conn, 0, `SELECT concat_ws('|', oid::text, format_type(oid, NULL), typlen::text, typcategory::text, typispreferred::text,
				typarray::text, typdelim::text, typelem::text) FROM pg_type WHERE typname = $1 AND typnamespace = 'pg_catalog'::regnamespace`, c.in[0])
			return strings.Split(v, "|"), err
		})
	}
	cases, _ := readGolden(t, name)
	seen := map[*Type]bool{}
	for _, c := range cases {
		typ, ok := byName[c.in[0]]
		if !ok {
			t.Errorf("%v: missing", c)
			continue
		}
		seen[typ] = true
		var array, elem uint32
		if typ.Array() != nil {
			array = typ.Array().OID
			seen[typ.Array()] = true
		}
		if typ.Elem != nil {
			elem = typ.Elem.OID
		} else if typ == TName {
			elem = TChar.OID // name can be indexed, which we do not serve
		}
		got := []string{
			strconv.Itoa(int(typ.OID)), typ.SQLName, strconv.Itoa(int(typ.Len)), string(typ.Category), strconv.FormatBool(typ.Preferred),
			strconv.Itoa(int(array)), string(typ.Delimiter()), strconv.Itoa(int(elem)),
		}
		if fmt.Sprint(got) != fmt.Sprint(c.want) {
			t.Errorf("%v: got %q, want %q", c, got, c.want)
		}
	}
	for _, typ := range All() {
		if !seen[typ] && typ.OID < 90000 {
			t.Errorf("%s is not compared with pg_type", typ.Name)
		}
		if found, ok := ByOID(typ.OID); !ok || found != typ {
			t.Errorf("ByOID(%d) does not find %s", typ.OID, typ.Name)
		}
	}
}

// TestGoldenCasts compares the cast table with pg_cast.
func TestGoldenCasts(t *testing.T) {
	cases, _ := readGolden(t, "casts.txt")
	contexts := map[CastContext]string{Explicit: "e", Assignment: "a", Implicit: "i"}
	want := map[castKey]bool{}
	for _, c := range cases {
		from, to := byName[c.in[0]], byName[c.in[1]]
		want[castKey{from, to}] = true
		got := castIndex[castKey{from, to}]
		if got == nil {
			t.Errorf("%v: missing", c)
			continue
		}
		if contexts[got.Context] != c.want[0] {
			t.Errorf("%v: context %s", c, contexts[got.Context])
		}
		if got.Binary && c.want[1] != "b" && from != to {
			t.Errorf("%v: is not binary in PostgreSQL", c)
		}
	}
	for _, c := range Casts() {
		ours := c.From == TJSONB && (c.To == TGeometry || c.To == TGeography)
		if !want[castKey{c.From, c.To}] && !ours {
			t.Errorf("cast from %s to %s is not in pg_cast", c.From.Name, c.To.Name)
		}
	}
}

// TestGoldenCastValues casts values explicitly.
func TestGoldenCastValues(t *testing.T) {
	const name = "cast_values.txt"
	if *postgres != "" {
		rewriteGolden(t, name, func(conn *pgconn.PgConn, c *goldenCase) ([]string, error) {
			v, ok, err := query(conn, 0, "SELECT $1::"+c.in[0]+"::"+c.in[1], c.in[2])
			if err == nil && !ok {
				return []string{"NULL", "null"}, nil
			}
			return []string{v}, err
		})
	}
	cases, _ := readGolden(t, name)
	for _, c := range cases {
		from := typeNamed(t, c, c.in[0])
		to, typmod, err := ParseTypeName(c.in[1])
		if err != nil {
			t.Fatal(err)
		}
		d, err := from.ParseText(c.in[2], -1, c.env)
		if err != nil {
			t.Errorf("%v: %v", c, err)
			continue
		}
		cast, ok := FindCast(from, to)
		if !ok {
			t.Errorf("%v: no cast", c)
			continue
		}
		got, err := cast.Fn(c.env, d, typmod, true)
		if c.failed {
			checkError(t, c, err)
			continue
		}
		text := "NULL"
		if err == nil && !got.IsNull() {
			text = string(to.AppendText(nil, got, c.env))
		}
		if err != nil || text != c.want[0] {
			t.Errorf("%v: got %q %v, want %q", c, text, err, c.want[0])
		}
	}
}

// TestGoldenOrder sorts values by Compare and by their ordered keys.
func TestGoldenOrder(t *testing.T) {
	const name = "order.txt"
	if *postgres != "" {
		rewriteGolden(t, name, func(conn *pgconn.PgConn, c *goldenCase) ([]string, error) {
			sql := fmt.Sprintf(`SELECT array_agg(v::text ORDER BY r, v::text)::text FROM (SELECT v, dense_rank() OVER (ORDER BY v) r
				FROM (SELECT x::%s v FROM unnest($1::text[]) x) a) b`, c.in[0])
			ranks := strings.Replace(sql, "v::text ORDER BY r, v::text", "r ORDER BY r, v::text", 1)
			literal := string(formatArray(nil, TText.Array(), StringArray(c.in[1:]), DefaultEnv()))
			v, _, err := query(conn, 0, sql, literal)
			if err != nil {
				return nil, err
			}
			r, _, err := query(conn, 0, ranks, literal)
			return []string{v, r}, err
		})
	}
	cases, _ := readGolden(t, name)
	for _, c := range cases {
		typ := typeNamed(t, c, c.in[0])
		parse := func(words []string) []Datum {
			out := make([]Datum, len(words))
			for i, w := range words {
				var err error
				if out[i], err = typ.ParseText(w, -1, c.env); err != nil {
					t.Fatalf("%v: %v", c, err)
				}
			}
			return out
		}
		wantWords := textArray(t, c.want[0])
		ranks := textArray(t, c.want[1])
		want := parse(wantWords)
		for i := range want {
			for j := range want {
				// Ranks rise with the order, equal values share one.
				ri, _ := strconv.Atoi(ranks[i])
				rj, _ := strconv.Atoi(ranks[j])
				sign := min(max(ri-rj, -1), 1)
				if got := Compare(typ, want[i], want[j]); min(max(got, -1), 1) != sign {
					t.Errorf("%s: Compare(%q, %q) = %d, want %d", typ.Name, wantWords[i], wantWords[j], got, sign)
				}
				ki, kj := AppendOrderedKey(nil, typ, want[i]), AppendOrderedKey(nil, typ, want[j])
				if got := bytes.Compare(ki, kj); got != sign {
					t.Errorf("%s: keys of %q, %q compare as %d, want %d", typ.Name, wantWords[i], wantWords[j], got, sign)
				}
				if sign != 0 && bytes.HasPrefix(kj, ki) {
					t.Errorf("%s: key of %q is a prefix of that of %q", typ.Name, wantWords[i], wantWords[j])
				}
				hi, hj := AppendHashKey(nil, typ, want[i]), AppendHashKey(nil, typ, want[j])
				if bytes.Equal(hi, hj) != (sign == 0) || sign != 0 && bytes.HasPrefix(hj, hi) {
					t.Errorf("%s: hash keys of %q, %q: %x %x", typ.Name, wantWords[i], wantWords[j], hi, hj)
				}
			}
		}
		sorted := parse(c.in[1:])
		slices.SortFunc(sorted, func(a, b Datum) int { return Compare(typ, a, b) })
		for i := range sorted {
			if Compare(typ, sorted[i], want[i]) != 0 {
				t.Errorf("%s: place %d holds %s, want %s", typ.Name, i, typ.AppendText(nil, sorted[i], nil), wantWords[i])
			}
		}
	}
}

func textArray(t *testing.T, s string) []string {
	t.Helper()
	d, err := TText.Array().ParseText(s, -1, nil)
	if err != nil {
		t.Fatal(err)
	}
	var out []string
	for _, e := range d.Array().Elems {
		out = append(out, e.Str())
	}
	return out
}
