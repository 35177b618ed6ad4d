package types

import (
	"strconv"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5/pgconn"
)

// jsonFunctions are the operations of json_functions.txt: what PostgreSQL is asked, and
// what the package answers (false for NULL).
var jsonFunctions = map[string]struct {
	sql string
	fn  func(c *goldenCase, a []string) (string, bool, error)
}{
	"get_key":      {"SELECT ($1::jsonb -> $2::text)::text", func(_ *goldenCase, a []string) (string, bool, error) { return ok(JSONGetKey(a[0], a[1])) }},
	"get_key_text": {"SELECT $1::jsonb ->> $2::text", func(_ *goldenCase, a []string) (string, bool, error) { return asText(JSONGetKey(a[0], a[1])) }},
	"get_index":    {"SELECT ($1::jsonb -> $2::int)::text", func(_ *goldenCase, a []string) (string, bool, error) { return ok(JSONGetIndex(a[0], number(a[1]))) }},
	"get_path":     {"SELECT ($1::jsonb #> $2::text[])::text", func(_ *goldenCase, a []string) (string, bool, error) { return ok(JSONGetPath(a[0], words(a[1]))) }},
	"exists":       {"SELECT ($1::jsonb ? $2::text)::text", func(_ *goldenCase, a []string) (string, bool, error) { return truth(JSONExists(a[0], a[1])) }},
	"contains":     {"SELECT ($1::jsonb @> $2::jsonb)::text", func(_ *goldenCase, a []string) (string, bool, error) { return truth(JSONContains(a[0], a[1])) }},
	"typeof":       {"SELECT jsonb_typeof($1)", func(_ *goldenCase, a []string) (string, bool, error) { return JSONTypeof(a[0]), true, nil }},
	"concat":       {"SELECT ($1::jsonb || $2::jsonb)::text", func(_ *goldenCase, a []string) (string, bool, error) { return made(JSONConcat(a[0], a[1])) }},
	"delete_key":   {"SELECT ($1::jsonb - $2::text)::text", func(_ *goldenCase, a []string) (string, bool, error) { return made(JSONDeleteKey(a[0], a[1])) }},
	"delete_keys":  {"SELECT ($1::jsonb - $2::text[])::text", func(_ *goldenCase, a []string) (string, bool, error) { return made(JSONDeleteKeys(a[0], words(a[1]))) }},
	"delete_index": {"SELECT ($1::jsonb - $2::int)::text", func(_ *goldenCase, a []string) (string, bool, error) {
		return made(JSONDeleteIndex(a[0], number(a[1])))
	}},
	"delete_path": {"SELECT ($1::jsonb #- $2::text[])::text", func(_ *goldenCase, a []string) (string, bool, error) { return made(JSONDeletePath(a[0], words(a[1]))) }},
	"jsonb_set": {"SELECT jsonb_set($1::jsonb, $2::text[], $3::jsonb, $4::bool)::text", func(_ *goldenCase, a []string) (string, bool, error) {
		return made(JSONSet(a[0], words(a[1]), canonical(a[2]), a[3] == "true"))
	}},
	"jsonb_insert": {"SELECT jsonb_insert($1::jsonb, $2::text[], $3::jsonb, $4::bool)::text", func(_ *goldenCase, a []string) (string, bool, error) {
		return made(JSONInsert(a[0], words(a[1]), canonical(a[2]), a[3] == "true"))
	}},
	"strip_nulls":       {"SELECT jsonb_strip_nulls($1)::text", func(_ *goldenCase, a []string) (string, bool, error) { return JSONStripNulls(a[0]), true, nil }},
	"pretty":            {"SELECT jsonb_pretty($1)", func(_ *goldenCase, a []string) (string, bool, error) { return JSONPretty(a[0]), true, nil }},
	"array_length":      {"SELECT CASE WHEN jsonb_typeof($1::jsonb) = 'array' THEN jsonb_array_length($1::jsonb)::text END", func(_ *goldenCase, a []string) (string, bool, error) { return length(a[0]) }},
	"each":              {"SELECT CASE WHEN jsonb_typeof($1::jsonb) = 'object' THEN (SELECT string_agg(key || '=' || value, ';') FROM jsonb_each($1::jsonb)) END", each},
	"elements":          {"SELECT CASE WHEN jsonb_typeof($1::jsonb) = 'array' THEN (SELECT string_agg(value::text, ';') FROM jsonb_array_elements($1::jsonb)) END", elements},
	"json_get_key":      {"SELECT ($1::json -> $2::text)::text", func(_ *goldenCase, a []string) (string, bool, error) { return ok(JSONTextGetKey(a[0], a[1])) }},
	"json_get_key_text": {"SELECT $1::json ->> $2::text", func(_ *goldenCase, a []string) (string, bool, error) { return asText(JSONTextGetKey(a[0], a[1])) }},
	"json_get_index":    {"SELECT ($1::json -> $2::int)::text", func(_ *goldenCase, a []string) (string, bool, error) { return ok(JSONTextGetIndex(a[0], number(a[1]))) }},
	"json_get_path":     {"SELECT ($1::json #> $2::text[])::text", func(_ *goldenCase, a []string) (string, bool, error) { return ok(JSONTextGetPath(a[0], words(a[1]))) }},
	"json_typeof":       {"SELECT json_typeof($1)", func(_ *goldenCase, a []string) (string, bool, error) { return JSONTypeof(a[0]), true, nil }},
	"json_array_length": {"SELECT CASE WHEN json_typeof($1::json) = 'array' THEN json_array_length($1::json)::text END", func(_ *goldenCase, a []string) (string, bool, error) { return length(a[0]) }},
	"json_each":         {"SELECT CASE WHEN json_typeof($1::json) = 'object' THEN (SELECT string_agg(key || '=' || value, ';') FROM json_each($1::json)) END", each},
	"json_elements":     {"SELECT CASE WHEN json_typeof($1::json) = 'array' THEN (SELECT string_agg(value::text, ';') FROM json_array_elements($1::json)) END", elements},
	"to_json":           {"", nil},
	"to_jsonb":          {"", nil},
}

func ok(s string, found bool) (string, bool, error)  { return s, found, nil }
func made(s string, err error) (string, bool, error) { return s, true, err }
func truth(v bool) (string, bool, error)             { return strconv.FormatBool(v), true, nil }
func asText(s string, found bool) (string, bool, error) {
	if !found {
		return "", false, nil
	}
	return ok(JSONAsText(s))
}

func length(doc string) (string, bool, error) {
	n, found := JSONArrayLength(doc)
	return strconv.Itoa(n), found, nil
}

func number(s string) int {
	n, _ := strconv.Atoi(s)
	return n
}

func canonical(s string) string {
	c, _ := CanonicalJSONB(s)
	return c
}

func words(array string) []string {
	d, err := TText.Array().ParseText(array, -1, nil)
	if err != nil {
		return nil
	}
	var out []string
	for _, e := range d.Array().Elems {
		out = append(out, e.Str())
	}
	return out
}

func each(_ *goldenCase, a []string) (string, bool, error) {
	var parts []string
	for k, v := range JSONEach(a[0]) {
		parts = append(parts, k+"="+v)
	}
	return strings.Join(parts, ";"), parts != nil, nil
}

func elements(_ *goldenCase, a []string) (string, bool, error) {
	var parts []string
	for v := range JSONElements(a[0]) {
		parts = append(parts, v)
	}
	return strings.Join(parts, ";"), parts != nil, nil
}

// TestGoldenJSON runs the functions of json and jsonb.
func TestGoldenJSON(t *testing.T) {
	const name = "json_functions.txt"
	if *postgres != "" {
		rewriteGolden(t, name, func(conn *pgconn.PgConn, c *goldenCase) ([]string, error) {
			args, sql := c.in[1:], jsonFunctions[c.in[0]].sql
			if sql == "" {
				args, sql = c.in[2:], "SELECT "+c.in[0]+"($1::"+c.in[1]+")::text"
			}
			v, found, err := query(conn, 0, sql, args...)
			if err == nil && !found {
				return []string{}, nil
			}
			return []string{v}, err
		})
	}
	cases, _ := readGolden(t, name)
	for _, c := range cases {
		var got string
		var found bool
		var err error
		switch op := c.in[0]; {
		case strings.HasPrefix(op, "to_json"):
			typ := typeNamed(t, c, c.in[1])
			var d Datum
			if d, err = typ.ParseText(c.in[2], -1, c.env); err != nil {
				t.Fatalf("%v: %v", c, err)
			}
			found = true
			if op == "to_json" {
				got = string(AppendJSONText(nil, typ, d, c.env))
			} else {
				got, err = ToJSON(typ, d, c.env)
			}
		default:
			args := append([]string(nil), c.in[1:]...)
			if !strings.HasPrefix(op, "json_") {
				args[0] = canonical(args[0])
			}
			if op == "concat" || op == "contains" {
				args[1] = canonical(args[1])
			}
			got, found, err = jsonFunctions[op].fn(c, args)
		}
		if c.failed {
			checkError(t, c, err)
			continue
		}
		want := ""
		if len(c.want) > 0 {
			want = c.want[0]
		}
		if err != nil || found != (len(c.want) > 0) || found && got != want {
			t.Errorf("%v: got %q %v %v, want %q", c, got, found, err, c.want)
			continue
		}
		if _, changed := map[string]bool{"concat": true, "jsonb_set": true, "jsonb_insert": true, "delete_key": true, "delete_path": true, "strip_nulls": true}[c.in[0]]; changed {
			if again := canonical(got); again != got {
				t.Errorf("%v: result %q is not canonical", c, got)
			}
		}
	}
}
