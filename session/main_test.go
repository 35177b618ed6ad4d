package session

import (
	"context"
	"fmt"
	"io"
	"log/slog"
	"strings"
	"testing"

	"github.com/cockroachdb/pebble/v2/vfs"
	"go.uber.org/goleak"

	"raisind/pgerr"
	"raisind/sql/types"
	"raisind/storage"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// newTestEngine makes an engine on an empty store in memory.
func newTestEngine(t testing.TB, cfg Config) *Engine {
	t.Helper()
	db, err := storage.Open(storage.Options{Dir: "data", FS: vfs.NewMem()})
	if err != nil {
		t.Fatal(err)
	}
	cfg.DB = db
	if cfg.Logger == nil {
		cfg.Logger = slog.New(slog.NewTextHandler(io.Discard, nil))
	}
	e, err := NewEngine(cfg)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := e.Close(); err != nil {
			t.Error(err)
		}
		if err := db.Close(); err != nil {
			t.Error(err)
		}
	})
	return e
}

// recorder is a Client that writes down what it is told.
type recorder struct {
	out strings.Builder
	// copyData is what COPY FROM STDIN reads.
	copyData []string
}

func (r *recorder) Describe(*Result) {}
func (r *recorder) Empty()           { r.out.WriteString("empty\n") }
func (r *recorder) Suspended()       { r.out.WriteString("suspended\n") }
func (r *recorder) CopyDone()        {}

func (r *recorder) Row(res *Result, row types.Row) error {
	for i := range res.Columns {
		if i > 0 {
			r.out.WriteByte('|')
		}
		if row[i].IsNull() {
			r.out.WriteString("NULL")
		} else {
			r.out.Write(res.Columns[i].Type.AppendText(nil, row[i], res.Env))
		}
	}
	r.out.WriteByte('\n')
	return nil
}

func (r *recorder) Complete(tag Tag) { fmt.Fprintln(&r.out, tag) }

func (r *recorder) Notice(e *pgerr.Error) { fmt.Fprintf(&r.out, "%s: %s\n", e.Severity, e.Msg) }

func (r *recorder) CopyIn(int8, int) error { return nil }

func (r *recorder) CopyNext() ([]byte, error) {
	if len(r.copyData) == 0 {
		return nil, io.EOF
	}
	b := []byte(r.copyData[0])
	r.copyData = r.copyData[1:]
	return b, nil
}

func (r *recorder) CopyOut(int8, int) {}

func (r *recorder) CopyData(b []byte) error { r.out.Write(b); return nil }

// user is a session with its recorder.
type user struct {
	t testing.TB
	*Session
	*recorder
}

func newUser(t testing.TB, e *Engine) *user {
	t.Helper()
	r := &recorder{}
	s, err := e.NewSession(Startup{User: "raisin", Database: "raisin"}, r)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(s.Close)
	return &user{t, s, r}
}

// do runs a simple query and returns what came of it, an error as its last line.
func (u *user) do(sql string) string {
	u.out.Reset()
	if err := u.Query(context.Background(), sql); err != nil {
		e := pgerr.From(err)
		fmt.Fprintf(&u.out, "%s %s\n", e.Code, e.Msg)
		if e.Where != "" {
			fmt.Fprintln(&u.out, e.Where)
		}
	}
	return u.out.String()
}

// want runs a simple query and compares, leading and trailing space aside.
func (u *user) want(sql, want string) {
	u.t.Helper()
	got := strings.TrimSpace(u.do(sql))
	var lines []string
	for l := range strings.Lines(strings.TrimSpace(want)) {
		lines = append(lines, strings.TrimSpace(l))
	}
	if want = strings.Join(lines, "\n"); got != want {
		u.t.Errorf("%s\ngot:\n%s\nwant:\n%s", sql, got, want)
	}
}
