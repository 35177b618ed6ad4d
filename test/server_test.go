// Package test runs the built binary as its users do: through psql, drivers and
// kill -9.
package test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
)

// raisindBinary is built once for all tests.
var raisindBinary string

func TestMain(m *testing.M) {
	dir, err := os.MkdirTemp("", "raisind-test")
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	raisindBinary = filepath.Join(dir, "raisind")
	build := exec.Command("go", "build", "-o", raisindBinary, "raisind/cmd/raisind")
	build.Env = append(os.Environ(), "CGO_ENABLED=0")
	if out, err := build.CombinedOutput(); err != nil {
		fmt.Fprintf(os.Stderr, "build: %v\n%s", err, out)
		os.Exit(1)
	}
	code := m.Run()
	os.RemoveAll(dir)
	os.Exit(code)
}

// server is a running raisind on a directory of its own.
type server struct {
	t    testing.TB
	dir  string
	port int
	args []string
	cmd  *exec.Cmd
	log  *logBuffer
	done chan error
}

// logBuffer keeps what the server wrote; safe for concurrent use.
type logBuffer struct {
	mu  sync.Mutex
	buf bytes.Buffer
}

func (l *logBuffer) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.buf.Write(p)
}

func (l *logBuffer) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.buf.String()
}

func freePort(t testing.TB) int {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	return l.Addr().(*net.TCPAddr).Port
}

// startServer starts raisind and stops it when the test ends.
func startServer(t testing.TB, args ...string) *server {
	t.Helper()
	s := &server{t: t, dir: filepath.Join(t.TempDir(), "data"), port: freePort(t), args: args}
	s.start()
	t.Cleanup(func() {
		s.stop()
		if t.Failed() {
			t.Logf("server log:\n%s", s.log.String())
		}
	})
	return s
}

func (s *server) start() {
	s.t.Helper()
	args := append([]string{"serve", "--data-dir", s.dir, "--listen", "127.0.0.1:" + strconv.Itoa(s.port)}, s.args...)
	s.cmd = exec.Command(raisindBinary, args...)
	s.log = &logBuffer{}
	s.cmd.Stdout, s.cmd.Stderr = s.log, s.log
	if err := s.cmd.Start(); err != nil {
		s.t.Fatal(err)
	}
	s.done = make(chan error, 1)
	go func(cmd *exec.Cmd, done chan error) { done <- cmd.Wait() }(s.cmd, s.done)
	deadline := time.Now().Add(30 * time.Second)
	for {
		c, err := net.Dial("tcp", s.addr())
		if err == nil {
			c.Close()
			return
		}
		select {
		case err := <-s.done:
			s.t.Fatalf("raisind ended at start: %v\n%s", err, s.log.String())
		case <-time.After(10 * time.Millisecond):
		}
		if time.Now().After(deadline) {
			s.t.Fatalf("raisind does not listen\n%s", s.log.String())
		}
	}
}

// stop ends the server the kind way; it fails the test when the exit is not clean.
func (s *server) stop() {
	if s.cmd == nil {
		return
	}
	_ = s.cmd.Process.Signal(syscall.SIGTERM) // gone already is fine, Wait tells
	select {
	case err := <-s.done:
		if err != nil {
			s.t.Errorf("raisind: %v\n%s", err, s.log.String())
		}
	case <-time.After(30 * time.Second):
		s.t.Errorf("raisind does not stop\n%s", s.log.String())
		s.kill()
	}
	s.cmd = nil
}

// kill ends the server with SIGKILL.
func (s *server) kill() {
	s.t.Helper()
	if err := s.cmd.Process.Kill(); err != nil && !errors.Is(err, os.ErrProcessDone) {
		s.t.Fatal(err)
	}
	<-s.done
	s.cmd = nil
}

func (s *server) addr() string { return "127.0.0.1:" + strconv.Itoa(s.port) }

func (s *server) dsn() string {
	return fmt.Sprintf("host=127.0.0.1 port=%d user=raisin dbname=raisin sslmode=disable", s.port)
}

func (s *server) connect(t testing.TB) *pgx.Conn {
	t.Helper()
	c, err := pgx.Connect(context.Background(), s.dsn())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { c.Close(context.Background()) })
	return c
}

func mustExec(t testing.TB, c *pgx.Conn, sql string, args ...any) {
	t.Helper()
	if _, err := c.Exec(context.Background(), sql, args...); err != nil {
		t.Fatalf("%s: %v", sql, err)
	}
}

func queryOne[T any](t testing.TB, c *pgx.Conn, sql string, args ...any) T {
	t.Helper()
	rows, err := c.Query(context.Background(), sql, args...)
	if err != nil {
		t.Fatalf("%s: %v", sql, err)
	}
	v, err := pgx.CollectExactlyOneRow(rows, pgx.RowTo[T])
	if err != nil {
		t.Fatalf("%s: %v", sql, err)
	}
	return v
}

func queryAll[T any](t testing.TB, c *pgx.Conn, sql string, args ...any) []T {
	t.Helper()
	rows, err := c.Query(context.Background(), sql, args...)
	if err != nil {
		t.Fatalf("%s: %v", sql, err)
	}
	v, err := pgx.CollectRows(rows, pgx.RowTo[T])
	if err != nil {
		t.Fatalf("%s: %v", sql, err)
	}
	return v
}

// need skips the test when a program is missing, or fails it where RAISIND_REQUIRE_PSQL says all must be there.
func need(t testing.TB, program string, probe ...string) {
	t.Helper()
	path, err := exec.LookPath(program)
	if err == nil && len(probe) > 0 {
		err = exec.Command(path, probe...).Run()
	}
	if err == nil {
		return
	}
	if os.Getenv("RAISIND_REQUIRE_PSQL") != "" {
		t.Fatalf("%s %v is needed: %v", program, probe, err)
	}
	t.Skipf("%s %v is not here: %v", program, probe, err)
}
