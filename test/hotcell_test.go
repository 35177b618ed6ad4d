package test

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"raisind/geom"
	"raisind/spatialidx"
)

// A run of the hot cell: vehicles that circulate one site, all within one cell of
// precision 6. The long form is `make hotcell`.
type hotRun struct {
	vehicles, updates int // updates of each vehicle
	retention         time.Duration
	memtableMiB       int // 0: the default
	filter            bool
	samples           int           // how often the store is looked at
	pace              time.Duration // from one update of a vehicle to its next, at least
}

// hotSample is what the store looks like at one moment of a run.
type hotSample struct {
	after    time.Duration
	updates  int64 // of all vehicles
	visited  float64
	found    float64
	entries  int64 // of the index, whatever their revision
	prunable int64
	disk     float64 // bytes of the store
}

// site is the middle of a cell of precision 6.
var site = func() geom.LonLat {
	b := spatialidx.CellAt(geom.LonLat{LonDeg: 13.4, LatDeg: 52.52}, 6).Bounds(6)
	return geom.LonLat{LonDeg: (b.MinX + b.MaxX) / 2, LatDeg: (b.MinY + b.MaxY) / 2}
}()

// circulating is where a vehicle is: on a ring of some 150 to 250 m around the site, ten
// metres on with each update.
func circulating(vehicle, update int, r *rand.Rand) (lon, lat float64) {
	radiusM := 150 + float64(vehicle%11)*10
	angle := float64(vehicle)*0.7 + float64(update)*10/radiusM
	const metresPerDegree = 111_320
	lat = site.LatDeg + (radiusM*math.Sin(angle)+r.Float64())/metresPerDegree
	lon = site.LonDeg + (radiusM*math.Cos(angle)+r.Float64())/metresPerDegree/math.Cos(site.LatDeg*math.Pi/180)
	return lon, lat
}

func hotVehicle(i int) string { return fmt.Sprintf("/van-%02d", i) }

// hotServer starts a server with one fleet under the tracking profile, every vehicle on
// its ring.
func hotServer(t testing.TB, run hotRun) (s *server, metricsPort int) {
	t.Helper()
	retention := fmt.Sprint(int(run.retention.Seconds()))
	t.Setenv("RAISIN_SPATIAL_RETENTION_SECS", retention)
	t.Setenv("RAISIN_SPATIAL_COMPACTION_FILTER", map[bool]string{true: "on", false: "off"}[run.filter])
	metricsPort = freePort(t)
	args := []string{"--metrics-listen", fmt.Sprintf("127.0.0.1:%d", metricsPort)}
	if run.memtableMiB > 0 {
		args = append(args, "--memtable-mib", fmt.Sprint(run.memtableMiB))
	}
	s = startServer(t, args...)
	c := s.connect(t)
	mustExec(t, c, `CREATE WORKSPACE 'fleet' WITH (history_retention = `+retention+`)`)
	mustExec(t, c, tracking)
	r := rand.New(rand.NewPCG(1, 2))
	for i := range run.vehicles {
		lon, lat := circulating(i, 0, r)
		mustExec(t, c, `INSERT INTO 'fleet' (path, node_type, properties) VALUES ($1, 'fleet:Van', $2::jsonb)`,
			hotVehicle(i), `{"position": `+pointJSON(lon, lat)+`}`)
	}
	return s, metricsPort
}

// hotCell makes the run and returns what was seen by the way.
func hotCell(t *testing.T, run hotRun) []hotSample {
	s, metricsPort := hotServer(t, run)
	const writers = 4
	var done atomic.Int64
	var writing sync.WaitGroup
	began := time.Now()
	for w := range writers {
		c := s.connect(t)
		mustExec(t, c, `SET synchronous_commit = off`)
		r := rand.New(rand.NewPCG(uint64(w), 3))
		writing.Go(func() {
			for u := 1; u <= run.updates; u++ {
				var batch pgx.Batch // each vehicle moves once in a commit
				for v := w; v < run.vehicles; v += writers {
					lon, lat := circulating(v, u, r)
					batch.Queue(`UPDATE 'fleet' SET properties = $1::jsonb WHERE path = $2`, `{"position": `+pointJSON(lon, lat)+`}`, hotVehicle(v))
				}
				if err := c.SendBatch(context.Background(), &batch).Close(); err != nil {
					t.Error(err)
					return
				}
				done.Add(int64(batch.Len()))
				time.Sleep(time.Until(began.Add(time.Duration(u) * run.pace)))
			}
		})
	}
	over := make(chan struct{})
	go func() { writing.Wait(); close(over) }()
	c := s.connect(t)
	look := func() hotSample {
		p := planOf(t, c, ", ANALYZE", within(site.LonDeg, site.LatDeg, 1000))
		m := hotSample{after: time.Since(began), updates: done.Load(), visited: p["Keys Visited"].(float64), found: p["Actual Rows"].(float64)}
		h := queryRow(t, c, `SHOW SPATIAL INDEX HEALTH FOR 'fleet' PROPERTY 'position'`)
		m.entries = h["live_entries"].(int64) + h["tombstoned_entries"].(int64) + h["superseded_entries"].(int64)
		m.prunable = h["prunable_entries"].(int64)
		m.disk = scrape(t, metricsPort)["raisind_store_disk_bytes"]
		return m
	}
	var samples []hotSample
	total := int64(run.vehicles * run.updates)
	for running := true; running; {
		next := total * int64(len(samples)+1) / int64(run.samples)
		for running && done.Load() < next {
			select {
			case <-over:
				running = false
			case <-time.After(time.Millisecond):
			}
		}
		samples = append(samples, look())
		running = running && len(samples) < run.samples
	}
	<-over
	samples = append(samples, look())
	if m := queryRow(t, c, `VERIFY SPATIAL INDEX FOR 'fleet'`); m["status"] != "OK" {
		t.Errorf("VERIFY: %v", m)
	}
	for _, m := range samples {
		if m.found != float64(run.vehicles) {
			t.Errorf("after %d updates the query finds %v of %d vehicles", m.updates, m.found, run.vehicles)
		}
	}
	return samples
}

// hotTable prints samples as a table of Markdown, by vehicle.
func hotTable(run hotRun, samples []hotSample) string {
	var b strings.Builder
	fmt.Fprintln(&b, "| seconds | updates a vehicle | keys visited a vehicle | entries a vehicle | store, MiB |")
	fmt.Fprintln(&b, "| --- | --- | --- | --- | --- |")
	for _, m := range samples {
		n := float64(run.vehicles)
		fmt.Fprintf(&b, "| %.0f | %d | %.1f | %.0f | %.0f |\n", m.after.Seconds(), m.updates/int64(run.vehicles), m.visited/n, float64(m.entries)/n, m.disk/(1<<20))
	}
	return b.String()
}

// hotPlot draws entries a vehicle over updates a vehicle, with the filter on and off.
func hotPlot(run hotRun, on, off []hotSample) string {
	const width, height, left, bottom = 720, 300, 70, 40
	top := 0.0
	for _, m := range off {
		top = max(top, float64(m.entries)/float64(run.vehicles))
	}
	line := func(samples []hotSample) string {
		points := []string{fmt.Sprintf("%d,%d", left, height-bottom)}
		for _, m := range samples {
			x := left + (width-left-10)*float64(m.updates)/float64(run.vehicles*run.updates)
			y := (height - bottom) - (height-bottom-20)*float64(m.entries)/float64(run.vehicles)/top
			points = append(points, fmt.Sprintf("%.1f,%.1f", x, y))
		}
		return strings.Join(points, " ")
	}
	return fmt.Sprintf(`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %[1]d %[2]d" font-family="sans-serif" font-size="12">
<title>Entries of the spatial index a vehicle, over updates a vehicle, with pruning on and off</title>
<path d="M%[3]d 10V%[4]dH%[1]d" fill="none" stroke="#888"/>
<polyline points="%[5]s" fill="none" stroke="#c0392b" stroke-width="2"/>
<polyline points="%[6]s" fill="none" stroke="#2471a3" stroke-width="2"/>
<text x="%[3]d" y="%[7]d">0</text><text x="%[1]d" y="%[7]d" text-anchor="end">%[8]d updates a vehicle</text>
<text x="%[9]d" y="24" text-anchor="end">%.0[10]f</text><text x="%[9]d" y="%[4]d" text-anchor="end">0</text>
<text x="%[11]d" y="40" fill="#c0392b">pruning off</text><text x="%[11]d" y="58" fill="#2471a3">pruning on</text>
<text x="%[11]d" y="76">entries a vehicle</text>
</svg>
`, width, height, left, height-bottom, line(off), line(on), height-bottom+18, run.updates, left-6, top, left+20)
}

// TestHotCell holds what pruning promises of a hot cell: the keys a query visits and the
// size of the index do not grow with the updates.
func TestHotCell(t *testing.T) {
	run := hotRun{vehicles: 8, updates: 1500, retention: time.Second, memtableMiB: 1, samples: 5}
	out := os.Getenv("RAISIND_HOTCELL")
	if out != "" {
		run = hotRun{vehicles: 50, updates: 20_000, retention: time.Minute, samples: 20}
	} else if testing.Short() {
		run.updates = 600
	}
	samples := map[bool][]hotSample{}
	for _, filter := range []bool{true, false} {
		if run.filter = filter; out != "" {
			run.pace = map[bool]time.Duration{true: 18 * time.Millisecond}[filter] // several times the retention
		}
		t.Run(fmt.Sprintf("filter %v", filter), func(t *testing.T) {
			samples[filter] = hotCell(t, run)
			t.Logf("\n%s", hotTable(run, samples[filter]))
		})
	}
	if t.Failed() {
		return
	}
	on, off := samples[true], samples[false]
	for _, m := range on {
		if m.after > run.retention && m.visited >= 20*float64(run.vehicles) {
			t.Errorf("after %d updates a query visits %v keys for %d vehicles", m.updates, m.visited, run.vehicles)
		}
	}
	// Without pruning every entry written is there. With it no more is than what the
	// retention keeps and a few memtables hold.
	writes := int64(run.vehicles) * int64(run.updates) * 2
	end, endOff := on[len(on)-1], off[len(off)-1]
	if endOff.entries < writes {
		t.Errorf("without pruning there are %d entries of at least %d written", endOff.entries, writes)
	}
	if !testing.Short() && end.entries*2 > endOff.entries {
		t.Errorf("with pruning there are %d entries, without it %d", end.entries, endOff.entries)
	}
	if out == "" {
		return
	}
	for name, text := range map[string]string{
		"hotcell-on.md": hotTable(run, on), "hotcell-off.md": hotTable(run, off), "hotcell.svg": hotPlot(run, on, off),
	} {
		if err := os.WriteFile(filepath.Join(out, name), []byte(text), 0o644); err != nil {
			t.Error(err)
		}
	}
}

// TestHotCellKill kills the server again and again while vehicles circulate: what was
// answered is there, nobody is at two places, rows and index agree.
func TestHotCellKill(t *testing.T) {
	run := hotRun{vehicles: 10, retention: time.Second, memtableMiB: 1, filter: true}
	kills := 3
	if os.Getenv("RAISIND_HOTCELL") != "" {
		kills = 20
	}
	s, _ := hotServer(t, run)
	r := rand.New(rand.NewPCG(seedOf(t), 0))
	answered := make([]string, run.vehicles) // the last position the server has acknowledged
	for kill := range kills {
		var writing sync.WaitGroup
		tried := make([]string, run.vehicles)
		var moves atomic.Int64
		for w := range 2 {
			c := s.connect(t)
			r := rand.New(rand.NewPCG(r.Uint64(), uint64(w)))
			writing.Go(func() {
				for u := 1; ; u++ {
					for v := w; v < run.vehicles; v += 2 {
						lon, lat := circulating(v, kill*1000+u, r)
						tried[v] = pointJSON(lon, lat)
						if _, err := c.Exec(context.Background(), `UPDATE 'fleet' SET properties = $1::jsonb WHERE path = $2`, `{"position": `+tried[v]+`}`, hotVehicle(v)); err != nil {
							return // killed
						}
						answered[v] = tried[v]
						moves.Add(1)
					}
				}
			})
		}
		for enough := int64(20 + r.IntN(400)); moves.Load() < enough; {
			time.Sleep(time.Millisecond)
		}
		s.kill()
		writing.Wait()
		if out, err := exec.Command(raisindBinary, "check", "--data-dir", s.dir).CombinedOutput(); err != nil {
			t.Fatalf("check after kill %d: %v\n%s", kill, err, out)
		}
		s.start()
		c := s.connect(t)
		for _, v := range rand.Perm(run.vehicles) {
			position := queryOne[string](t, c, `SELECT properties->>'position' FROM 'fleet' WHERE path = $1`, hotVehicle(v))
			same := func(text string) bool {
				return text != "" && queryOne[bool](t, c, `SELECT $1::jsonb = $2::jsonb`, position, text)
			}
			if answered[v] != "" && !same(answered[v]) && !same(tried[v]) {
				t.Errorf("kill %d: %s is at %s, was acknowledged at %s, tried %s", kill, hotVehicle(v), position, answered[v], tried[v])
			}
			answered[v] = position
		}
		found := queryAll[string](t, c, within(site.LonDeg, site.LatDeg, 1000)+" ORDER BY path")
		if len(found) != run.vehicles {
			t.Errorf("kill %d: the index finds %v", kill, found)
		}
		near := `SELECT path FROM 'fleet' WHERE ST_DWithin(%s, ST_Point(13.4, 52.52), 5000) AND ST_DWithin(%[1]s, ST_Point(%v, %v), 160) ORDER BY path`
		byCells := queryAll[string](t, c, fmt.Sprintf(near, byIndex, site.LonDeg, site.LatDeg))
		byRows := queryAll[string](t, c, fmt.Sprintf(near, byRow, site.LonDeg, site.LatDeg))
		if strings.Join(byCells, " ") != strings.Join(byRows, " ") {
			t.Errorf("kill %d: by index %v, by row %v", kill, byCells, byRows)
		}
	}
	s.stop()
	if out, err := exec.Command(raisindBinary, "check", "--data-dir", s.dir).CombinedOutput(); err != nil {
		t.Errorf("check: %v\n%s", err, out)
	}
}
