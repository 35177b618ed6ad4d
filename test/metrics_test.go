package test

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"net/http"
	"os/exec"
	"strconv"
	"strings"
	"testing"

	"raisind/sql/plan"
)

// get fetches a page of the metrics listener.
func get(t testing.TB, port int, path string) (status int, body string) {
	t.Helper()
	resp, err := http.Get(fmt.Sprintf("http://127.0.0.1:%d%s", port, path))
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	b, err := io.ReadAll(resp.Body)
	if err != nil {
		t.Fatal(err)
	}
	return resp.StatusCode, string(b)
}

// scrape reads /metrics: value by name with its labels.
func scrape(t testing.TB, port int) map[string]float64 {
	t.Helper()
	status, body := get(t, port, "/metrics")
	if status != http.StatusOK {
		t.Fatalf("/metrics: %d %s", status, body)
	}
	values := map[string]float64{}
	for lines := bufio.NewScanner(strings.NewReader(body)); lines.Scan(); {
		line := lines.Text()
		if strings.HasPrefix(line, "#") {
			continue
		}
		at := strings.LastIndexByte(line, ' ')
		v, err := strconv.ParseFloat(line[at+1:], 64)
		if err != nil {
			t.Fatalf("%s: %v", line, err)
		}
		values[line[:at]] = v
	}
	return values
}

// The figures of /metrics move with what happens, by exactly as much.
func TestMetrics(t *testing.T) {
	port := freePort(t)
	s := startServer(t, "--metrics-listen", fmt.Sprintf("127.0.0.1:%d", port))
	c := s.connect(t)
	for path, want := range map[string]string{"/healthz": "ok", "/readyz": "ready"} {
		if status, body := get(t, port, path); status != http.StatusOK || strings.TrimSpace(body) != want {
			t.Errorf("%s: %d %q", path, status, body)
		}
	}
	berlin(t, c, 20)
	mustExec(t, c, tracking)
	mustExec(t, c, `REBUILD SPATIAL INDEX FOR 'fleet'`)
	expect := func(what string, do func(), want map[string]float64) {
		t.Helper()
		before := scrape(t, port)
		do()
		after := scrape(t, port)
		for name, by := range want {
			if got, ok := after["raisind_"+name]; !ok || got-before["raisind_"+name] != by {
				t.Errorf("%s: %s is %v (there: %v), was %v, want %v more", what, name, got, ok, before["raisind_"+name], by)
			}
		}
	}
	expect("a move", func() { mustExec(t, c, updatePosition("/van-1", -70, -33)) }, map[string]float64{
		`statements_total{command="UPDATE"}`: 1, "commits_total": 1, "row_versions_written_total": 1,
		"spatial_keys_written_total": 2, "spatial_tombstones_written_total": 2,
	})
	p := planOf(t, c, ", ANALYZE", within(13.4, 52.52, 1000))
	expect("a query", func() { queryAll[string](t, c, within(13.4, 52.52, 1000)) }, map[string]float64{
		`statements_total{command="SELECT"}`: 1, `spatial_scans_total{kind="SpatialDistanceScan"}`: 1, "commits_total": 0,
		"spatial_keys_visited_total":       p["Keys Visited"].(float64),
		"spatial_superseded_skipped_total": p["Superseded Skipped"].(float64), "spatial_candidates_total": p["Candidates"].(float64),
	})
	expect("a wide query", func() { queryAll[string](t, c, within(13.4, 52.52, 20000)) }, map[string]float64{
		`spatial_row_scans_total{reason="radius_not_covered"}`: 1, `spatial_scans_total{kind="SpatialDistanceScan"}`: 0,
	})
	expect("the past", func() { queryAll[string](t, c, within(13.4, 52.52, 100)+" AND __revision = 17000000000000000") }, map[string]float64{
		`spatial_row_scans_total{reason="historical_revision"}`: 1,
	})
	expect("an error", func() {
		if _, err := c.Exec(context.Background(), `SELECT FROM 'nowhere'`); err == nil {
			t.Error("there is a relation nowhere")
		}
	}, map[string]float64{`errors_total{sqlstate="42P01"}`: 1})
	other := s.connect(t)
	expect("a client that goes", func() {
		other.Close(context.Background())
		for scrape(t, port)["raisind_connections"] != 1 {
		}
	}, map[string]float64{"connections": -1, "connections_opened_total": 0})
	for i := range 30 {
		mustExec(t, c, updatePosition("/van-2", 13.4+float64(i)*1e-5, 52.5))
	}
	removed := 0.0
	expect("VACUUM", func() {
		mustExec(t, c, `VACUUM 'fleet'`)
		removed = scrape(t, port)["raisind_pruning_keys_removed_total"]
	}, map[string]float64{"pruning_errors_total": 0, "store_flushes_total": 1})
	if removed < 20 {
		t.Errorf("VACUUM removed %v keys of a vehicle that moved 30 times", removed)
	}
	values := scrape(t, port)
	for _, r := range plan.Reasons() {
		if _, ok := values[fmt.Sprintf("raisind_spatial_row_scans_total{reason=%q}", r.Name())]; !ok || r.Name() == "" {
			t.Errorf("no counter for the reason %q", r.Name())
		}
	}
	for _, name := range []string{"pruning_enabled", "pruning_groups_waiting", "pruning_behind_seconds", "store_disk_bytes", "message_seconds_count"} {
		if _, ok := values["raisind_"+name]; !ok {
			t.Errorf("%s is missing", name)
		}
	}
	out, err := exec.Command(raisindBinary, "serve", "--data-dir", t.TempDir(), "--listen", "127.0.0.1:0", "--metrics-listen", "0.0.0.0:0").CombinedOutput()
	if err == nil || !strings.Contains(string(out), "is not a loopback address") {
		t.Errorf("--metrics-listen beyond loopback: %v %s", err, out)
	}
}
