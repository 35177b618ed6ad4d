package wire

import (
	"bufio"
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"io"
	"log/slog"
	"net"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgproto3"

	"raisind/pgerr"
	"raisind/session"
	"raisind/sql/funcs"
	"raisind/sql/plan"
	"raisind/sql/types"
)

func connect(t *testing.T, h *harness) *pgx.Conn {
	t.Helper()
	c, err := pgx.Connect(context.Background(), "postgres://raisin@"+h.addr+"/raisin?sslmode=disable")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { c.Close(context.Background()) })
	return c
}

func sqlState(err error) string {
	var e *pgconn.PgError
	if errors.As(err, &e) {
		return e.Code
	}
	return ""
}

// A driver as users have it: prepared, binary, batches, COPY.
func TestPgx(t *testing.T) {
	h := start(t, session.Config{}, Config{})
	c := connect(t, h)
	ctx := context.Background()
	if _, err := c.Exec(ctx, "CREATE WORKSPACE 'fleet'"); err != nil {
		t.Fatal(err)
	}
	rows := [][]any{}
	for _, p := range []string{"/a", "/b", "/c"} {
		rows = append(rows, []any{p, "t", map[string]any{"n": p}})
	}
	n, err := c.CopyFrom(ctx, pgx.Identifier{"fleet"}, []string{"path", "node_type", "properties"}, pgx.CopyFromRows(rows))
	if err != nil || n != 3 {
		t.Fatal(n, err)
	}
	var name string
	var made time.Time
	var props map[string]string
	if err := c.QueryRow(ctx, "SELECT name, created_at, properties FROM fleet WHERE path = $1", "/b").Scan(&name, &made, &props); err != nil {
		t.Fatal(err)
	}
	if name != "b" || time.Since(made) > time.Hour || props["n"] != "/b" {
		t.Error(name, made, props)
	}
	b := &pgx.Batch{}
	for range 20 {
		b.Queue("UPDATE fleet SET properties = $1 WHERE path = $2", `{"x": 1}`, "/a")
	}
	if err := c.SendBatch(ctx, b).Close(); err != nil {
		t.Fatal(err)
	}
	_, err = c.Exec(ctx, "INSERT INTO fleet (path, node_type) VALUES ($1, $2)", "/a", "t")
	if sqlState(err) != "23505" {
		t.Error(err)
	}
	timeout, cancel := context.WithTimeout(ctx, 50*time.Millisecond)
	defer cancel()
	if _, err := connect(t, h).Exec(timeout, "SELECT pg_sleep(20)"); err == nil {
		t.Error("a query outlived its context")
	}
}

// At shutdown a client at rest hears 57P01, a statement that runs may end.
func TestShutdown(t *testing.T) {
	h := start(t, session.Config{}, Config{DrainTimeout: 10 * time.Second})
	idle, busy := dialRaw(t, h), connect(t, h)
	done := make(chan error, 1)
	go func() {
		_, err := busy.Exec(context.Background(), "SELECT pg_sleep(0.3)")
		done <- err
	}()
	time.Sleep(100 * time.Millisecond)
	if err := h.stop(); err != nil {
		t.Fatal(err)
	}
	if err := <-done; err != nil {
		t.Errorf("a running statement was not let end: %v", err)
	}
	fe := pgproto3.NewFrontend(idle.in, io.Discard)
	m, err := fe.Receive()
	if e, ok := m.(*pgproto3.ErrorResponse); !ok || e.Code != "57P01" || e.Severity != "FATAL" {
		t.Errorf("a client at rest got %v, %v", m, err)
	}
}

// While it drains, the server hears cancel requests and lets nobody else in.
func TestCancelWhileDraining(t *testing.T) {
	h := start(t, session.Config{}, Config{DrainTimeout: patience})
	busy := connect(t, h)
	done, stopped := make(chan error, 1), make(chan error, 1)
	go func() {
		_, err := busy.Exec(context.Background(), "SELECT pg_sleep(60)")
		done <- err
	}()
	time.Sleep(100 * time.Millisecond)
	go func() { stopped <- h.stop() }()
	time.Sleep(50 * time.Millisecond)
	if _, err := pgx.Connect(context.Background(), "postgres://raisin@"+h.addr+"/raisin?sslmode=disable"); sqlState(err) != "57P03" {
		t.Errorf("a new client: %v", err)
	}
	if err := busy.PgConn().CancelRequest(context.Background()); err != nil {
		t.Error(err)
	}
	if err := <-done; sqlState(err) != "57014" {
		t.Error(err)
	}
	if err := <-stopped; err != nil {
		t.Error(err)
	}
}

// What does not end within the drain timeout is ended.
func TestShutdownInsists(t *testing.T) {
	h := start(t, session.Config{}, Config{DrainTimeout: 50 * time.Millisecond})
	busy := connect(t, h)
	done := make(chan error, 1)
	go func() {
		_, err := busy.Exec(context.Background(), "SELECT pg_sleep(60)")
		done <- err
	}()
	time.Sleep(100 * time.Millisecond)
	if err := h.stop(); err != nil {
		t.Fatal(err)
	}
	if err := <-done; sqlState(err) != "57P01" {
		t.Error(err)
	}
}

// The work of a client that vanished is cancelled, and its locks are given back.
func TestLostClient(t *testing.T) {
	h := start(t, session.Config{}, Config{})
	keeper := connect(t, h)
	ctx := context.Background()
	keeper.Exec(ctx, "CREATE WORKSPACE 'l'; INSERT INTO 'l' (path, node_type) VALUES ('/x', 't')")
	gone := dialRaw(t, h)
	gone.query("BEGIN")
	gone.query("UPDATE 'l' SET node_type = 'u'")
	gone.send(&pgproto3.Query{String: "SELECT pg_sleep(60)"})
	time.Sleep(20 * time.Millisecond)
	gone.nc.Close()
	timeout, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	if _, err := keeper.Exec(timeout, "UPDATE 'l' SET node_type = 'v'"); err != nil {
		t.Error(err)
	}
}

// A panic in a statement is that statement's error and a line in the log; others live on.
func TestPanicIsOneSessions(t *testing.T) {
	var mu sync.Mutex
	var log bytes.Buffer
	h := start(t, session.Config{
		Virtual: boom{},
		Logger:  slog.New(slog.NewTextHandler(lockedWriter{&mu, &log}, nil)),
	}, Config{})
	a, b := connect(t, h), connect(t, h)
	ctx := context.Background()
	if _, err := a.Exec(ctx, "SELECT * FROM pg_boom"); sqlState(err) != "XX000" {
		t.Error(err)
	}
	for _, c := range []*pgx.Conn{a, b} {
		if _, err := c.Exec(ctx, "SELECT 1"); err != nil {
			t.Error(err)
		}
	}
	mu.Lock()
	defer mu.Unlock()
	if !strings.Contains(log.String(), "SELECT * FROM pg_boom") {
		t.Error("the log does not name the statement")
	}
}

type lockedWriter struct {
	mu *sync.Mutex
	w  io.Writer
}

func (l lockedWriter) Write(b []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.w.Write(b)
}

type boom struct{}

func (boom) Lookup(_, name string) (*plan.VirtualScan, bool) {
	return &plan.VirtualScan{
		Name: "pg_boom", Cols: []plan.Column{{Name: "n", Type: types.TInt4, Typmod: -1}},
		Rows: func(*funcs.Ctx) (funcs.RowSource, error) { panic("boom") },
	}, name == "pg_boom"
}

// A length is not believed before its bytes are there: many clients that announce a
// gigabyte cost nothing.
func TestAnnouncedLengthCostsNothing(t *testing.T) {
	r := newReader(bytes.NewReader(append([]byte{'Q', 0x3f, 0xff, 0xff, 0xff}, make([]byte, 100)...)), 1<<30)
	if _, _, err := r.next(); !errors.Is(err, io.EOF) {
		t.Error(err)
	}
	if len(r.buf) > 2<<20 {
		t.Errorf("%d bytes were allocated", len(r.buf))
	}
}

// A message beyond the limit ends its client with 08P01.
func TestMessageLimit(t *testing.T) {
	h := start(t, session.Config{}, Config{MaxMessageBytes: 1 << 20})
	c := dialRaw(t, h)
	c.query("SELECT length('%s')", strings.Repeat("x", 1<<20-100))
	c.write([]byte{'Q', 0, 0x20, 0, 0})
	m, err := pgproto3.NewFrontend(c.in, io.Discard).Receive()
	if e, ok := m.(*pgproto3.ErrorResponse); !ok || e.Code != "08P01" {
		t.Error(m, err)
	}
}

// Rows beyond the buffer flow while the statement runs, to a client that reads slowly.
func TestLargeResult(t *testing.T) {
	h := start(t, session.Config{}, Config{})
	c := connect(t, h)
	rows, err := c.Query(context.Background(), "SELECT repeat('x', 1000) FROM generate_series(1, 20000)")
	if err != nil {
		t.Fatal(err)
	}
	n := 0
	for rows.Next() {
		if n++; n == 10 {
			time.Sleep(50 * time.Millisecond)
		}
	}
	if rows.Err() != nil || n != 20000 {
		t.Error(n, rows.Err())
	}
}

// What is not this protocol gets no answer, and encryption a no.
func TestNotOurProtocol(t *testing.T) {
	h := start(t, session.Config{}, Config{})
	ask := func(b []byte, answer int) []byte {
		t.Helper()
		nc, err := net.Dial("tcp", h.addr)
		if err != nil {
			t.Fatal(err)
		}
		defer nc.Close()
		nc.SetDeadline(time.Now().Add(patience))
		nc.Write(b)
		got := make([]byte, answer)
		if answer == 0 {
			got, err = io.ReadAll(nc)
		} else {
			_, err = io.ReadFull(bufio.NewReader(nc), got)
		}
		if err != nil && !errors.Is(err, syscall.ECONNRESET) {
			t.Errorf("%q: %v", b, err)
		}
		return got
	}
	if got := ask([]byte("GET / HTTP/1.1\r\n\r\n"), 0); len(got) > 0 {
		t.Errorf("HTTP was answered %q", got)
	}
	for _, code := range []uint32{sslCode, gssCode} {
		b := binary.BigEndian.AppendUint32([]byte{0, 0, 0, 8}, code)
		if got := ask(append(b, b...), 2); string(got) != "NN" {
			t.Errorf("%q", got)
		}
	}
}

// Startup gives up on clients that do not finish a packet.
func TestStartupTimeout(t *testing.T) {
	h := start(t, session.Config{}, Config{StartupTimeout: 50 * time.Millisecond})
	nc, err := net.Dial("tcp", h.addr)
	if err != nil {
		t.Fatal(err)
	}
	defer nc.Close()
	nc.Write([]byte{0, 0})
	nc.SetDeadline(time.Now().Add(patience))
	if _, err := io.ReadAll(nc); err != nil {
		t.Error(err)
	}
}

func TestStartupParams(t *testing.T) {
	pack := func(s string) []byte { return []byte(strings.ReplaceAll(s, "|", "\x00")) }
	for _, c := range []struct{ in, want string }{
		{"user|u|database|d||", "u d []"},
		{`user|u|options|-c a=1 --b-c=2\ 3 -cd=4|x|y||`, "u  [{a 1} {b_c 2 3} {d 4} {x y}]"},
		{"user|u|", "08P01"},
		{"user|u", "08P01"},
		{"user|u||x", "08P01"},
		{"user|u|options|-q||", "42601"},
		{"user|u|options|--a||", "42601"},
		{"user|\xff||", "22021"},
	} {
		s, _, err := startupParams(pack(c.in))
		got := ""
		if err != nil {
			got = pgerr.From(err).Code.String()
		} else {
			got = s.User + " " + s.Database + " " + strings.ReplaceAll(sprint(s.Settings), "  ", " ")
		}
		if got != c.want {
			t.Errorf("%q: %q, want %q", c.in, got, c.want)
		}
	}
}

func sprint(o []session.Option) string {
	var parts []string
	for _, x := range o {
		parts = append(parts, "{"+x.Name+" "+x.Value+"}")
	}
	return "[" + strings.Join(parts, " ") + "]"
}

// Whatever bytes a client sends, decoding ends in a message or an error, and never
// reads beyond the body.
func FuzzDecode(f *testing.F) {
	for _, m := range []pgproto3.FrontendMessage{
		&pgproto3.Parse{Name: "n", Query: "SELECT 1", ParameterOIDs: []uint32{23}},
		&pgproto3.Bind{ParameterFormatCodes: []int16{1}, Parameters: [][]byte{nil, {}, []byte("x")}, ResultFormatCodes: []int16{0}},
		&pgproto3.Describe{ObjectType: 'S', Name: "n"},
		&pgproto3.Execute{Portal: "p", MaxRows: 7},
		&pgproto3.Query{String: "SELECT 1"},
	} {
		b, _ := m.Encode(nil)
		f.Add(b)
	}
	f.Fuzz(func(t *testing.T, stream []byte) {
		r := newReader(bytes.NewReader(stream), 1<<20)
		var d decoder
		for {
			typ, b, err := r.next()
			if err != nil {
				return
			}
			switch typ {
			case 'P':
				d.parse(b)
			case 'B':
				if v, err := d.decodeBind(b); err == nil && len(v.Params) > len(b) {
					t.Fatal("more parameters than bytes")
				}
			case 'D', 'C':
				d.target(b, "x")
			case 'E':
				d.execute(b)
			case 'Q':
				query(b)
			}
		}
	})
}

func FuzzStartup(f *testing.F) {
	f.Add([]byte("user\x00u\x00options\x00-c a=b\\ c\x00\x00"))
	f.Fuzz(func(_ *testing.T, b []byte) { startupParams(b) })
}
