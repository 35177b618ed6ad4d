package test

import (
	"flag"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

var rewrite = flag.Bool("rewrite", false, "write the outputs that tests expect anew; read the difference")

// volatile matches what differs from run to run in a psql transcript.
var volatile = []struct {
	re   *regexp.Regexp
	with string
}{
	{regexp.MustCompile(`\d+\.\d+ ms`), "N ms"},
	{regexp.MustCompile(`actual time=[0-9.]+\.\.[0-9.]+`), "actual time=N"},
	{regexp.MustCompile(`[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}`), "UUID"},
	{regexp.MustCompile(`Bytes Written: \d+`), "Bytes Written: N"},
	{regexp.MustCompile(`psql:[^:]*:\d+: `), ""},
	{regexp.MustCompile(`\d{4}-\d\d-\d\d \d\d:\d\d:\d\d[.0-9]*\+00`), "TIME"},
}

// TestPsql runs scripts through the real psql and compares its whole transcript.
func TestPsql(t *testing.T) {
	need(t, "psql")
	scripts, err := filepath.Glob("testdata/psql/*.sql")
	if err != nil || len(scripts) == 0 {
		t.Fatalf("no scripts: %v", err)
	}
	s := startServer(t)
	for _, script := range scripts {
		t.Run(strings.TrimSuffix(filepath.Base(script), ".sql"), func(t *testing.T) {
			cmd := exec.Command("psql", "-X", "-e", "-v", "ON_ERROR_STOP=0", "-f", script,
				"-h", "127.0.0.1", "-p", strconv.Itoa(s.port), "-U", "raisin", "-d", "raisin")
			cmd.Env = append(os.Environ(), "LC_ALL=C.UTF-8", "PGTZ=UTC")
			out, err := cmd.CombinedOutput()
			if err != nil {
				t.Fatalf("psql: %v\n%s", err, out)
			}
			got := string(out)
			for _, v := range volatile {
				got = v.re.ReplaceAllString(got, v.with)
			}
			compareFile(t, strings.TrimSuffix(script, ".sql")+".out", got)
		})
	}
}

// compareFile compares got with the file, or writes it under -rewrite.
func compareFile(t *testing.T, file, got string) {
	t.Helper()
	if *rewrite {
		if err := os.WriteFile(file, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if string(want) == got {
		return
	}
	wl, gl := strings.Split(string(want), "\n"), strings.Split(got, "\n")
	for i := range max(len(wl), len(gl)) {
		var w, g string
		if i < len(wl) {
			w = wl[i]
		}
		if i < len(gl) {
			g = gl[i]
		}
		if w != g {
			t.Fatalf("%s:%d differs\nwant %q\ngot  %q\nwhole output:\n%s", file, i+1, w, g, got)
		}
	}
}
