package types

import (
	"context"
	"fmt"
	"strconv"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5/pgconn"
)

// TestGoldenTypmods fits values to modifiers, by a cast and by an assignment.
func TestGoldenTypmods(t *testing.T) {
	const name = "typmods.txt"
	if *postgres != "" {
		rewriteGolden(t, name, func(conn *pgconn.PgConn, c *goldenCase) ([]string, error) {
			base := baseName(c.in[1])
			if c.in[0] == "cast" {
				// A literal: it is read first, then cut.
				v, _, err := query(conn, 0, fmt.Sprintf("SELECT ('%s'::%s)::text", strings.ReplaceAll(c.in[2], "'", "''"), c.in[1]))
				return []string{v}, err
			}
			exec := "DROP TABLE IF EXISTS golden; CREATE TEMP TABLE golden (c " + c.in[1] + ")"
			if err := conn.Exec(context.Background(), exec).Close(); err != nil {
				return nil, err
			}
			v, _, err := query(conn, 0, "INSERT INTO golden VALUES ($1::"+base+") RETURNING c::text", c.in[2])
			return []string{v}, err
		})
	}
	cases, _ := readGolden(t, name)
	for _, c := range cases {
		typ, typmod, err := ParseTypeName(c.in[1])
		if err != nil {
			t.Errorf("%v: %v", c, err)
			continue
		}
		// An interval literal is read under its modifier, everything else is fitted afterwards.
		readAs := int32(-1)
		if typ == TInterval && c.in[0] == "cast" {
			readAs = typmod
		}
		d, err := typ.ParseText(c.in[2], readAs, c.env)
		if err == nil {
			d, err = ApplyTypmod(typ, d, typmod, c.in[0] == "cast")
		}
		if c.failed {
			checkError(t, c, err)
			continue
		}
		if err != nil {
			t.Errorf("%v: %v", c, err)
			continue
		}
		cast, ok := FindCast(typ, TText)
		if !ok {
			t.Fatalf("%v: no cast to text", c)
		}
		got, err := cast.Fn(c.env, d, -1, true)
		if err != nil || got.Str() != c.want[0] {
			t.Errorf("%v: got %q %v, want %q", c, got.Str(), err, c.want[0])
		}
	}
}

// baseName drops the modifier.
func baseName(s string) string {
	array := ""
	if strings.HasSuffix(s, "[]") {
		array = "[]"
	}
	if i := strings.IndexByte(s, '('); i >= 0 {
		s = s[:i]
	}
	return strings.Fields(s)[0] + array
}

// TestGoldenTypeNames reads type names and prints them back.
func TestGoldenTypeNames(t *testing.T) {
	const name = "typenames.txt"
	if *postgres != "" {
		rewriteGolden(t, name, func(conn *pgconn.PgConn, c *goldenCase) ([]string, error) {
			ctx := context.Background()
			exec := "DROP TABLE IF EXISTS golden; CREATE TEMP TABLE golden (c " + c.in[0] + ")"
			if err := conn.Exec(ctx, exec).Close(); err != nil {
				// Pseudo-types have a name but no column.
				v, ok, rerr := query(conn, 0, "SELECT $1::regtype::oid", c.in[0])
				if rerr != nil || !ok || strings.Contains(err.Error(), "22023") {
					return nil, err
				}
				return []string{v, "-1", c.in[0]}, nil
			}
			r := conn.ExecParams(ctx, `SELECT CASE WHEN atttypid > 16384 THEN '0' ELSE atttypid::text END, atttypmod::text, format_type(atttypid, atttypmod)
				FROM pg_attribute WHERE attrelid = 'golden'::regclass AND attname = 'c'`, nil, nil, nil, nil).Read()
			if r.Err != nil {
				return nil, r.Err
			}
			row := r.Rows[0]
			return []string{string(row[0]), string(row[1]), string(row[2])}, nil
		})
	}
	cases, _ := readGolden(t, name)
	for _, c := range cases {
		typ, typmod, err := ParseTypeName(c.in[0])
		if c.failed {
			if err == nil {
				t.Errorf("%v: no error, want %q", c, c.want)
			} else if got := err.Error(); got != c.want[1] {
				t.Errorf("%v: %q, want %q", c, got, c.want[1])
			}
			continue
		}
		if err != nil {
			t.Errorf("%v: %v", c, err)
			continue
		}
		oid := strconv.Itoa(int(typ.OID))
		if typ.OID > 90000 {
			oid = "0"
		}
		got := []string{oid, strconv.Itoa(int(typmod)), FormatType(typ, typmod)}
		if fmt.Sprint(got) != fmt.Sprint(c.want) {
			t.Errorf("%v: got %q, want %q", c, got, c.want)
		}
	}
}
