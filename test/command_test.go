package test

import (
	"bufio"
	"context"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
)

// TestDemo runs the README's first command: a fleet moves, the statements it
// prints work, and an interrupt ends it cleanly.
func TestDemo(t *testing.T) {
	port := freePort(t)
	cmd := exec.Command(raisindBinary, "demo", "--listen", "127.0.0.1:"+strconv.Itoa(port), "--speed", "200")
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	cmd.Stderr = os.Stderr
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	ended := make(chan error, 1)
	statements := make(chan string, 3)
	progress := make(chan string, 1)
	go func() {
		lines := bufio.NewScanner(out)
		for lines.Scan() {
			line := strings.TrimSpace(lines.Text())
			switch {
			case strings.HasSuffix(line, ";"):
				statements <- line
			case strings.Contains(line, "positions written"):
				select {
				case progress <- line:
				default:
				}
			}
		}
		ended <- cmd.Wait()
	}()
	defer cmd.Process.Kill()
	var sql []string
	for range 3 {
		select {
		case s := <-statements:
			sql = append(sql, s)
		case <-time.After(30 * time.Second):
			t.Fatalf("only %d statements were printed", len(sql))
		}
	}
	select {
	case line := <-progress:
		t.Log(line)
	case <-time.After(30 * time.Second):
		t.Fatal("no progress line")
	}
	c, err := pgx.Connect(context.Background(), "host=127.0.0.1 user=raisin dbname=raisin sslmode=disable port="+strconv.Itoa(port))
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close(context.Background())
	for _, s := range sql {
		rows, err := c.Query(context.Background(), strings.TrimSuffix(s, ";"))
		if err != nil {
			t.Fatalf("%s: %v", s, err)
		}
		n := 0
		for rows.Next() {
			n++
		}
		if err := rows.Err(); err != nil || n == 0 {
			t.Errorf("%s: %d rows, %v", s, n, err)
		}
	}
	before := queryOne[int64](t, c, `SELECT sum(version) FROM 'fleet'`)
	deadline := time.Now().Add(20 * time.Second)
	for queryOne[int64](t, c, `SELECT sum(version) FROM 'fleet'`) == before {
		if time.Now().After(deadline) {
			t.Fatal("the fleet does not move")
		}
		time.Sleep(50 * time.Millisecond)
	}
	if err := cmd.Process.Signal(syscall.SIGINT); err != nil {
		t.Fatal(err)
	}
	select {
	case err := <-ended:
		if err != nil {
			t.Errorf("demo ended with %v", err)
		}
	case <-time.After(20 * time.Second):
		t.Error("demo does not end")
	}
}

// TestRefusals: what the command refuses, it refuses with a reason.
func TestRefusals(t *testing.T) {
	s := startServer(t)
	foreign := t.TempDir()
	if err := os.WriteFile(filepath.Join(foreign, "letter.txt"), []byte("dear"), 0o644); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		name string
		args []string
		says string
	}{
		{"a directory in use", []string{"serve", "--data-dir", s.dir, "--listen", "127.0.0.1:0"}, "in use"},
		{"a directory in use, check", []string{"check", "--data-dir", s.dir}, "in use"},
		{"a foreign directory", []string{"serve", "--data-dir", foreign, "--listen", "127.0.0.1:0"}, "not a raisind store"},
		{"a port in use", []string{"serve", "--data-dir", filepath.Join(t.TempDir(), "d"), "--listen", s.addr()}, "is in use"},
		{"every address without a password", []string{"serve", "--data-dir", filepath.Join(t.TempDir(), "d"), "--listen", "0.0.0.0:0"}, "password"},
		{"every address, spelled shorter", []string{"serve", "--data-dir", filepath.Join(t.TempDir(), "d"), "--listen", ":0"}, "password"},
		{"check without a store", []string{"check", "--data-dir", filepath.Join(t.TempDir(), "none")}, "no store"},
		{"an unknown flag", []string{"serve", "--nothing"}, "unknown flag"},
	} {
		t.Run(c.name, func(t *testing.T) {
			ctx, cancel := context.WithTimeout(context.Background(), 20*time.Second)
			defer cancel()
			out, err := exec.CommandContext(ctx, raisindBinary, c.args...).CombinedOutput()
			if err == nil || ctx.Err() != nil {
				t.Fatalf("was not refused: %v\n%s", err, out)
			}
			if !strings.Contains(string(out), c.says) {
				t.Errorf("does not say %q:\n%s", c.says, out)
			}
		})
	}
	if _, err := os.Stat(filepath.Join(foreign, "letter.txt")); err != nil {
		t.Error(err)
	}
}

// TestRestartKeepsRows: what was committed is there after a clean stop, and after
// it the statements in flight are answered.
func TestRestartKeepsRows(t *testing.T) {
	s := startServer(t)
	c := s.connect(t)
	mustExec(t, c, `CREATE WORKSPACE 'fleet'`)
	mustExec(t, c, `INSERT INTO 'fleet' (path, node_type, properties)
		SELECT '/van-' || i, 'fleet:Van', ('{"position":{"type":"Point","coordinates":[' || i % 37 - 18 || ',' || i % 29 - 14 || ']}}')::jsonb
		FROM generate_series(1, 2000) AS i`)
	before := queryAll[string](t, c, `SELECT path FROM 'fleet' WHERE ST_DWithin(properties->'position', ST_Point(0, 0), 1000000) ORDER BY path`)
	if len(before) == 0 {
		t.Fatal("nothing near")
	}
	c.Close(context.Background())
	s.stop()
	if out, err := exec.Command(raisindBinary, "check", "--data-dir", s.dir).CombinedOutput(); err != nil {
		t.Fatalf("check: %v\n%s", err, out)
	}
	s.start()
	c = s.connect(t)
	if n := queryOne[int64](t, c, `SELECT count(*) FROM 'fleet'`); n != 2000 {
		t.Errorf("%d rows", n)
	}
	after := queryAll[string](t, c, `SELECT path FROM 'fleet' WHERE ST_DWithin(properties->'position', ST_Point(0, 0), 1000000) ORDER BY path`)
	if strings.Join(before, " ") != strings.Join(after, " ") {
		t.Errorf("%d rows before, %d after", len(before), len(after))
	}
}

// TestEnvironment: every flag has its variable.
func TestEnvironment(t *testing.T) {
	port := freePort(t)
	cmd := exec.Command(raisindBinary, "serve")
	cmd.Env = append(os.Environ(), "RAISIN_DATA_DIR="+filepath.Join(t.TempDir(), "data"), "RAISIN_LISTEN=127.0.0.1:"+strconv.Itoa(port))
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	line, err := bufio.NewReader(out).ReadString('\n')
	if err != nil || !strings.Contains(line, "psql") || !strings.Contains(line, strconv.Itoa(port)) {
		t.Errorf("the first line does not say where to connect: %q, %v", line, err)
	}
	if err := cmd.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	if _, err := io.Copy(io.Discard, out); err != nil {
		t.Fatal(err)
	}
	if err := cmd.Wait(); err != nil {
		t.Error(err)
	}
}
