package types

import (
	"bufio"
	"bytes"
	"context"
	"encoding/hex"
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5/pgconn"

	"raisind/pgerr"
)

// The files under testdata hold what PostgreSQL 15 answers. With -postgres they are
// written anew from a server (which needs the extension postgis for geometries):
//
//	go test ./sql/types -run Golden -postgres 'host=127.0.0.1 user=postgres'
var postgres = flag.String("postgres", "", "connection string of a PostgreSQL 15 that writes the golden files anew")

// goldenCase is one line: words, then "=" and the answer, or "!" and the error.
type goldenCase struct {
	file   string
	line   int
	in     []string // unquoted words
	env    *Env
	set    map[string]string
	want   []string // words of the answer
	failed bool
}

func (c *goldenCase) String() string { return fmt.Sprintf("%s:%d %q", c.file, c.line, c.in) }

// readGolden reads a file; "set name value" lines change the settings of what follows.
func readGolden(t *testing.T, name string) (cases []*goldenCase, lines []string) {
	t.Helper()
	path := filepath.Join("testdata", name)
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	set := map[string]string{}
	sc := bufio.NewScanner(bytes.NewReader(data))
	sc.Buffer(nil, 1<<20)
	for n := 1; sc.Scan(); n++ {
		lines = append(lines, sc.Text())
		words, err := splitWords(sc.Text())
		if err != nil {
			t.Fatalf("%s:%d: %v", path, n, err)
		}
		if len(words) == 0 || strings.HasPrefix(words[0], "#") {
			continue
		}
		if words[0] == "set" {
			next := map[string]string{}
			for k, v := range set {
				next[k] = v
			}
			next[words[1]] = strings.TrimPrefix(words[2], "\x00")
			set = next
			continue
		}
		c := &goldenCase{file: name, line: n, set: set, env: envOf(t, set)}
		for i, w := range words {
			if w == "=" || w == "!" {
				c.failed = w == "!"
				c.want = words[i+1:]
				break
			}
			c.in = append(c.in, strings.TrimPrefix(w, "\x00"))
		}
		for i := range c.want {
			c.want[i] = strings.TrimPrefix(c.want[i], "\x00")
		}
		cases = append(cases, c)
	}
	return cases, lines
}

// splitWords splits at blanks; quoted words are marked with a zero byte in front.
func splitWords(s string) (words []string, err error) {
	for s = strings.TrimSpace(s); s != ""; s = strings.TrimSpace(s) {
		if s[0] == '#' {
			return append(words, s), nil
		}
		if s[0] != '"' {
			w, rest, _ := strings.Cut(s, " ")
			words, s = append(words, w), rest
			continue
		}
		q, err := strconv.QuotedPrefix(s)
		if err != nil {
			return nil, fmt.Errorf("bad quotes in %s", s)
		}
		w, err := strconv.Unquote(q)
		if err != nil {
			return nil, err
		}
		words, s = append(words, "\x00"+w), s[len(q):]
	}
	return words, nil
}

func envOf(t *testing.T, set map[string]string) *Env {
	env := DefaultEnv()
	for k, v := range set {
		switch k {
		case "TimeZone":
			loc, err := ParseZoneSetting(v)
			if err != nil {
				t.Fatal(err)
			}
			env.Location = loc
		case "DateStyle":
			env.DateStyle, env.DateOrder, _ = strings.Cut(v, ", ")
		case "IntervalStyle":
			env.IntervalStyle = v
		case "bytea_output":
			env.ByteaHex = v == "hex"
		case "extra_float_digits":
			env.ExtraFloatDigits, _ = strconv.Atoi(v)
		default:
			t.Fatalf("unknown setting %s", k)
		}
	}
	return env
}

// rewriteGolden asks the server for each case and writes the file.
func rewriteGolden(t *testing.T, name string, ask func(conn *pgconn.PgConn, c *goldenCase) ([]string, error)) {
	t.Helper()
	ctx := context.Background()
	conn, err := pgconn.Connect(ctx, *postgres)
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close(ctx)
	cases, lines := readGolden(t, name)
	var set map[string]string
	for _, c := range cases {
		if fmt.Sprint(set) != fmt.Sprint(c.set) {
			set = c.set
			for k, v := range set {
				if err := conn.Exec(ctx, fmt.Sprintf("SET %s = '%s'", k, v)).Close(); err != nil {
					t.Fatal(err)
				}
			}
		}
		answer, err := ask(conn, c)
		var out strings.Builder
		for _, w := range c.in {
			out.WriteString(quoteWord(w))
			out.WriteByte(' ')
		}
		var e *pgconn.PgError
		switch {
		case err == nil:
			out.WriteByte('=')
			for _, a := range answer {
				out.WriteByte(' ')
				out.WriteString(quoteWord(a))
			}
		case errors.As(err, &e):
			out.WriteString("! " + e.Code + " " + strconv.Quote(e.Message))
			for _, extra := range [3][2]string{{"detail:", e.Detail}, {"hint:", e.Hint}, {"where:", where(e.Where)}} {
				if extra[1] != "" {
					out.WriteString(" " + strconv.Quote(extra[0]+extra[1]))
				}
			}
		default:
			t.Fatalf("%v: %v", c, err)
		}
		lines[c.line-1] = out.String()
	}
	if err := os.WriteFile(filepath.Join("testdata", name), []byte(strings.Join(lines, "\n")+"\n"), 0o644); err != nil {
		t.Fatal(err)
	}
}

// where drops the line that tells which parameter was read.
func where(s string) string {
	var keep []string
	for _, l := range strings.Split(s, "\n") {
		if !strings.HasPrefix(l, "unnamed portal parameter") && !strings.HasPrefix(l, "SQL function") {
			keep = append(keep, l)
		}
	}
	return strings.Join(keep, "\n")
}

func quoteWord(w string) string {
	for _, c := range w {
		if !(c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || strings.ContainsRune("_()[],.:+-><#@?|&'", c)) {
			return strconv.Quote(w)
		}
	}
	if w == "" || strings.HasPrefix(w, "#") || w == "set" {
		return strconv.Quote(w)
	}
	return w
}

// checkError compares an error with the words PostgreSQL used.
func checkError(t *testing.T, c *goldenCase, err error) {
	t.Helper()
	if err == nil {
		t.Errorf("%v: no error, want %q", c, c.want)
		return
	}
	e := pgerr.From(err)
	got := []string{e.Code.String(), e.Msg}
	for _, extra := range [3][2]string{{"detail:", e.Detail}, {"hint:", e.Hint}, {"where:", e.Where}} {
		if extra[1] != "" {
			got = append(got, extra[0]+extra[1])
		}
	}
	if fmt.Sprintf("%q", got) != fmt.Sprintf("%q", c.want) {
		t.Errorf("%v:\n got %q\nwant %q", c, got, c.want)
	}
}

// query runs one statement with text parameters and returns its single value.
func query(conn *pgconn.PgConn, format int16, sql string, args ...string) (string, bool, error) {
	params := make([][]byte, len(args))
	for i, a := range args {
		params[i] = []byte(a)
	}
	r := conn.ExecParams(context.Background(), sql, params, nil, nil, []int16{format}).Read()
	if r.Err != nil {
		return "", false, r.Err
	}
	if len(r.Rows) != 1 || r.Rows[0][0] == nil {
		return "", false, nil
	}
	return string(r.Rows[0][0]), true, nil
}

func goldenFiles(t *testing.T, pattern string) []string {
	t.Helper()
	paths, err := filepath.Glob(filepath.Join("testdata", pattern))
	if err != nil || len(paths) == 0 {
		t.Fatalf("no files %s", pattern)
	}
	for i := range paths {
		paths[i] = filepath.Base(paths[i])
	}
	return paths
}

func typeNamed(t *testing.T, c *goldenCase, name string) *Type {
	t.Helper()
	typ, ok := ByName(name)
	if !ok {
		t.Fatalf("%v: no type %s", c, name)
	}
	return typ
}

// TestGoldenValues reads and prints values of every type, as text and in binary.
func TestGoldenValues(t *testing.T) {
	for _, name := range goldenFiles(t, "values_*.txt") {
		t.Run(name, func(t *testing.T) {
			if *postgres != "" {
				rewriteGolden(t, name, askValue)
			}
			cases, _ := readGolden(t, name)
			for _, c := range cases {
				checkValue(t, c)
			}
		})
	}
}

func askValue(conn *pgconn.PgConn, c *goldenCase) ([]string, error) {
	sql := "SELECT $1::" + c.in[0]
	text, _, err := query(conn, 0, sql, c.in[1])
	if err != nil {
		return nil, err
	}
	bin, _, err := query(conn, 1, sql, c.in[1])
	if err != nil || c.in[0] == "geometry[]" { // whose OIDs differ from database to database
		return []string{text}, nil // no binary form
	}
	return []string{text, hex.EncodeToString([]byte(bin))}, nil
}

func checkValue(t *testing.T, c *goldenCase) {
	t.Helper()
	typ := typeNamed(t, c, c.in[0])
	d, err := typ.ParseText(c.in[1], -1, c.env)
	if c.failed {
		checkError(t, c, err)
		return
	}
	if err != nil {
		t.Errorf("%v: %v", c, err)
		return
	}
	if got := string(typ.AppendText(nil, d, c.env)); got != c.want[0] {
		t.Errorf("%v: text\n got %q\nwant %q", c, got, c.want[0])
		return
	}
	if len(c.want) < 2 {
		return
	}
	bin := typ.AppendBinary(nil, d)
	if got := hex.EncodeToString(bin); got != c.want[1] {
		t.Errorf("%v: binary\n got %s\nwant %s", c, got, c.want[1])
		return
	}
	back, err := typ.ParseBinary(bin, -1)
	if err != nil {
		t.Errorf("%v: binary does not read back: %v", c, err)
		return
	}
	if got := string(typ.AppendText(nil, back, c.env)); got != c.want[0] {
		t.Errorf("%v: binary reads back as %q", c, got)
	}
	if typ.Hashable() {
		checkEqual(t, c, typ, d, back)
	}
}

func checkEqual(t *testing.T, what any, typ *Type, a, b Datum) {
	t.Helper()
	if Compare(typ, a, b) != 0 {
		t.Errorf("%v: not equal to itself", what)
	}
	if !bytes.Equal(AppendHashKey(nil, typ, a), AppendHashKey(nil, typ, b)) {
		t.Errorf("%v: hash keys differ", what)
	}
	if !bytes.Equal(AppendOrderedKey(nil, typ, a), AppendOrderedKey(nil, typ, b)) {
		t.Errorf("%v: ordered keys differ", what)
	}
}
