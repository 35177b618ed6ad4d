package test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5/pgconn"

	"raisind/sql/types"
)

// postgresEnv names a PostgreSQL 15 to compare with: a connection string. The files
// of testdata/sql then run there too, and with -rewrite its answers are written
// into them.
const postgresEnv = "RAISIND_TEST_POSTGRES"

// differsEnv, with -rewrite, is the reason written to what differs from PostgreSQL; then
// read each of them.
const differsEnv = "RAISIND_TEST_DIFFERS"

// sqlRecord is a statement with what PostgreSQL answers, and, where that is not what
// the server answers, what the server does and why.
type sqlRecord struct {
	line    int
	sql     string // comments included
	want    string
	reason  string // given with ours
	ours    string
	hasOurs bool
}

const (
	// textOnly in a comment leaves out the comparison of binary values, for a reason.
	textOnly   = "# text only:"
	answerMark = "----"
	oursMark   = "---- differs: "
)

// parseSQLFile reads records: a statement, a line of four dashes and the answer, each
// ended by an empty line.
func parseSQLFile(path string) ([]sqlRecord, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	var out []sqlRecord
	var rec *sqlRecord
	into := (*string)(nil)
	for i, line := range strings.Split(string(text), "\n") {
		reason, differs := strings.CutPrefix(line, oursMark)
		switch {
		case line == "":
			rec, into = nil, nil
		case line == answerMark && rec != nil:
			into = &rec.want
		case differs && rec != nil:
			rec.reason, rec.hasOurs, into = reason, true, &rec.ours
		default:
			if rec == nil {
				out = append(out, sqlRecord{line: i + 1})
				rec = &out[len(out)-1]
				into = &rec.sql
			}
			*into += line + "\n"
		}
	}
	return out, nil
}

func writeSQLFile(path string, recs []sqlRecord) error {
	var b strings.Builder
	for i, r := range recs {
		if i > 0 {
			b.WriteString("\n")
		}
		b.WriteString(r.sql)
		if r.want != "" || r.hasOurs {
			b.WriteString(answerMark + "\n" + r.want)
		}
		if r.hasOurs {
			b.WriteString(oursMark + r.reason + "\n" + r.ours)
		}
	}
	return os.WriteFile(path, []byte(b.String()), 0o644)
}

// statement is the text sent: without comment lines.
func (r *sqlRecord) statement() string {
	var lines []string
	for line := range strings.SplitSeq(r.sql, "\n") {
		if !strings.HasPrefix(line, "#") {
			lines = append(lines, line)
		}
	}
	return strings.TrimSpace(strings.Join(lines, "\n"))
}

func dialSQL(t *testing.T, dsn string) *pgconn.PgConn {
	t.Helper()
	c, err := pgconn.Connect(context.Background(), dsn)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { c.Close(context.Background()) })
	for _, set := range []string{"SET timezone = 'UTC'", "SET datestyle = 'ISO, MDY'", "SET client_min_messages = error"} {
		if err := c.Exec(context.Background(), set).Close(); err != nil {
			t.Fatal(err)
		}
	}
	return c
}

// answerOf runs a statement and prints its answer: the columns with their types, the
// rows and the tag, or the error with all its parts.
func answerOf(c *pgconn.PgConn, sql string) string {
	var b strings.Builder
	results, err := c.Exec(context.Background(), sql).ReadAll()
	for _, r := range results {
		if r.Err != nil {
			continue
		}
		if len(r.FieldDescriptions) > 0 {
			cols := make([]string, len(r.FieldDescriptions))
			for i, f := range r.FieldDescriptions {
				name := fmt.Sprint(f.DataTypeOID)
				if t, ok := types.ByOID(f.DataTypeOID); ok {
					name = t.Name
				}
				if f.TypeModifier >= 0 {
					name += fmt.Sprintf("(%d)", f.TypeModifier)
				}
				cols[i] = f.Name + " " + name
			}
			fmt.Fprintf(&b, "%s\n", strings.Join(cols, " | "))
			for _, row := range r.Rows {
				for i, v := range row {
					if i > 0 {
						b.WriteString(" | ")
					}
					b.WriteString(valueText(v))
				}
				b.WriteString("\n")
			}
		}
		fmt.Fprintf(&b, "%s\n", r.CommandTag)
	}
	if err != nil {
		var pe *pgconn.PgError
		if !errors.As(err, &pe) {
			return err.Error() + "\n"
		}
		fmt.Fprintf(&b, "%s %s at %d: %s\n", pe.Severity, pe.Code, pe.Position, oneLine(pe.Message))
		if pe.Detail != "" {
			fmt.Fprintf(&b, "DETAIL: %s\n", oneLine(pe.Detail))
		}
		if pe.Hint != "" {
			fmt.Fprintf(&b, "HINT: %s\n", oneLine(pe.Hint))
		}
	}
	return b.String()
}

func oneLine(s string) string { return strings.ReplaceAll(s, "\n", `\n`) }

func valueText(v []byte) string {
	switch {
	case v == nil:
		return "NULL"
	case len(v) == 0:
		return "''"
	}
	return oneLine(string(v))
}

// binaryOf runs a query once more and returns its values in binary form; ok is false
// for what cannot be run so.
func binaryOf(c *pgconn.PgConn, sql string) (string, bool) {
	r := c.ExecParams(context.Background(), sql, nil, nil, nil, []int16{1}).Read()
	if r.Err != nil {
		return "", false
	}
	var b strings.Builder
	for _, row := range r.Rows {
		for _, v := range row {
			fmt.Fprintf(&b, "%x ", v)
		}
		b.WriteString("\n")
	}
	return b.String(), true
}

// TestSQL runs testdata/sql/*.slt: what the server answers must be what PostgreSQL
// answered when the file was written, but where the file says otherwise.
func TestSQL(t *testing.T) {
	files, err := filepath.Glob("testdata/sql/*.slt")
	if err != nil || len(files) == 0 {
		t.Fatal("no files: ", err)
	}
	postgres := os.Getenv(postgresEnv)
	s := startServer(t)
	statements := 0
	for _, path := range files {
		t.Run(strings.TrimSuffix(filepath.Base(path), ".slt"), func(t *testing.T) {
			recs, err := parseSQLFile(path)
			if err != nil {
				t.Fatal(err)
			}
			statements += len(recs)
			ours := dialSQL(t, s.dsn())
			var theirs *pgconn.PgConn
			if postgres != "" {
				theirs = dialSQL(t, postgres)
			}
			for i := range recs {
				r := &recs[i]
				sql := r.statement()
				if sql == "" {
					continue
				}
				if theirs != nil {
					got := answerOf(theirs, sql)
					if *rewrite {
						r.want = got
					} else if got != r.want {
						t.Errorf("%s:%d: PostgreSQL answers\n%s\nand not\n%s", path, r.line, got, r.want)
					}
				}
				want := r.want
				if r.hasOurs {
					want = r.ours
				}
				got := answerOf(ours, sql)
				if reason := os.Getenv(differsEnv); *rewrite && reason != "" && got != r.want {
					if r.reason == "" {
						r.reason = reason
					}
					r.ours, r.hasOurs, want = got, true, got
				} else if *rewrite && got == r.want {
					r.reason, r.ours, r.hasOurs, want = "", "", false, got
				}
				if got != want {
					t.Errorf("%s:%d: %s\ngot\n%s\nwant\n%s", path, r.line, sql, got, want)
				} else if theirs != nil && !r.hasOurs && !strings.Contains(r.sql, textOnly) && strings.HasPrefix(strings.ToUpper(sql), "SELECT") && !strings.Contains(sql, "random()") {
					a, okA := binaryOf(ours, sql)
					if b, okB := binaryOf(theirs, sql); okA && okB && a != b {
						t.Errorf("%s:%d: %s\nin binary form\n%s\nwant\n%s", path, r.line, sql, a, b)
					}
				}
			}
			if *rewrite {
				if err := writeSQLFile(path, recs); err != nil {
					t.Fatal(err)
				}
			}
		})
	}
	t.Logf("%d statements", statements)
}
