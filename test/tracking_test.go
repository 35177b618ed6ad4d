package test

import (
	"context"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"

	"raisind/geom"
	"raisind/spatialidx"
)

// alteredRow is what ALTER SPATIAL INDEX answers for the tracking profile.
var alteredRow = map[string]any{
	"workspace": "fleet", "property": "position", "precisions": "(8, 6)", "cover": "Centroid",
	"note": "configuration written and replicated; run REBUILD SPATIAL INDEX on each node to migrate existing entries",
}

// queryRow is queryOne for a row of several columns, by name.
func queryRow(t testing.TB, c *pgx.Conn, sql string, args ...any) map[string]any {
	t.Helper()
	rows, err := c.Query(context.Background(), sql, args...)
	if err != nil {
		t.Fatalf("%s: %v", sql, err)
	}
	m, err := pgx.CollectExactlyOneRow(rows, pgx.RowToMap)
	if err != nil {
		t.Fatalf("%s: %v", sql, err)
	}
	return m
}

// planOf runs EXPLAIN (FORMAT JSON, …) and returns the plan's top node.
func planOf(t testing.TB, c *pgx.Conn, options, sql string) map[string]any {
	t.Helper()
	text := queryOne[string](t, c, "EXPLAIN (FORMAT JSON"+options+") "+sql)
	var doc []struct {
		Plan map[string]any
	}
	if err := json.Unmarshal([]byte(text), &doc); err != nil || len(doc) != 1 {
		t.Fatalf("%s: %v in %s", sql, err, text)
	}
	return doc[0].Plan
}

// wrote are the spatial keys and tombstones of one statement.
func wrote(t testing.TB, c *pgx.Conn, sql string) string {
	t.Helper()
	p := planOf(t, c, ", ANALYZE", sql)
	return fmt.Sprintf("%v+%v", p["Spatial Keys Written"], p["Spatial Tombstones Written"])
}

func pointJSON(lon, lat float64) string {
	return fmt.Sprintf(`{"type": "Point", "coordinates": [%.7f, %.7f]}`, lon, lat)
}

func updatePosition(path string, lon, lat float64) string {
	return fmt.Sprintf(`UPDATE 'fleet' SET properties = '{"position": %s}'::jsonb WHERE path = '%s'`, pointJSON(lon, lat), path)
}

// within is the proximity query of the tests.
func within(lon, lat, radiusM float64) string {
	return fmt.Sprintf(`SELECT path FROM 'fleet' WHERE ST_DWithin(properties->'position', ST_Point(%v, %v), %v)`, lon, lat, radiusM)
}

// berlin makes a fleet of n vehicles over a town of some 10 km.
func berlin(t testing.TB, c *pgx.Conn, n int) {
	t.Helper()
	mustExec(t, c, `CREATE WORKSPACE 'fleet'`)
	mustExec(t, c, `INSERT INTO 'fleet' (path, node_type, name, properties)
	  SELECT '/van-' || i, 'fleet:Van', 'van-' || i, jsonb_build_object('position', jsonb_build_object(
	    'type', 'Point', 'coordinates', jsonb_build_array(13.33 + (i * 7919 % 1000) * 0.00015, 52.47 + (i * 4723 % 997) * 0.0001)))
	  FROM generate_series(1, $1::bigint) i`, n)
}

const tracking = `ALTER SPATIAL INDEX FOR 'fleet' PROPERTY 'position' SET PRECISIONS = (8, 6)`

// The cost of an update under the default and under the tracking profile, and what
// bounds it while the one becomes the other.
func TestTrackingWrites(t *testing.T) {
	s := startServer(t)
	c := s.connect(t)
	berlin(t, c, 20)
	for _, step := range []struct{ what, want string }{
		{updatePosition("/van-1", -70, -33), "8+8"},
		{updatePosition("/van-1", -70.0000001, -33), "8+0"},
	} {
		if got := wrote(t, c, step.what); got != step.want {
			t.Errorf("%s wrote %s, want %s", step.what, got, step.want)
		}
	}
	if got := queryRow(t, c, tracking); !equalMaps(got, alteredRow) {
		t.Errorf("ALTER answered %v, want %v", got, alteredRow)
	}
	if got := wrote(t, c, updatePosition("/van-1", 13.4, 52.5)); got != "8+8" {
		t.Errorf("before the rebuild an update wrote %s, want 8+8", got)
	}
	mustExec(t, c, `REBUILD SPATIAL INDEX FOR 'fleet'`)
	for _, step := range []struct{ what, want string }{
		{updatePosition("/van-1", -70, -33), "2+2"},
		{updatePosition("/van-1", -70.001, -33), "2+1"}, // stays in its precision-6 cell
		{`DELETE FROM 'fleet' WHERE path = '/van-1'`, "0+2"},
	} {
		if got := wrote(t, c, step.what); got != step.want {
			t.Errorf("%s wrote %s, want %s", step.what, got, step.want)
		}
	}
}

func equalMaps(a, b map[string]any) bool {
	return fmt.Sprint(a) == fmt.Sprint(b) // maps print sorted
}

// Which precision answers which radius, for an ordinary fleet under (8, 6).
func TestTrackingRadii(t *testing.T) {
	s := startServer(t)
	c := s.connect(t)
	berlin(t, c, 1000)
	mustExec(t, c, tracking)
	mustExec(t, c, `REBUILD SPATIAL INDEX FOR 'fleet'`)
	for _, at := range [][2]float64{{13.4, 52.52}, {13.377, 52.509}, {13.45, 52.5}, {13.35, 52.48}, {13.41234, 52.53456}} {
		for radiusM, want := range map[float64][]float64{
			5: {8}, 20: {8}, 50: {8}, 80: {8}, 100: {8, 6}, 200: {8, 6}, 400: {6}, 1000: {6}, 3000: {6}, 9000: {6},
		} {
			p := planOf(t, c, "", within(at[0], at[1], radiusM))
			precision, _ := p["Precision"].(float64)
			if p["Node Type"] != "SpatialDistanceScan" || !slices.Contains(want, precision) {
				t.Errorf("%v m around %v: %v at precision %v, want one of %v", radiusM, at, p["Node Type"], p["Precision"], want)
			}
			if cells, _ := p["Cells"].(float64); cells < 1 || cells > 1024 || p["Cell Budget"] != 1024.0 {
				t.Errorf("%v m around %v: %v cells of %v", radiusM, at, p["Cells"], p["Cell Budget"])
			}
		}
	}
	wide := "EXPLAIN " + within(13.4, 52.52, 13000)
	text := strings.Join(queryAll[string](t, c, wide), "\n")
	for _, want := range []string{"TableScan on fleet", "spatial index NOT USED for 'fleet'.'position'", "radius 13000 m needs", "limit 1024", "SET PRECISIONS", "applied per row"} {
		if !strings.Contains(text, want) {
			t.Errorf("13 km: %q is missing in\n%s", want, text)
		}
	}
	rowScan := queryAll[string](t, c, within(13.4, 52.52, 13000)+" ORDER BY path")
	mustExec(t, c, `ALTER SPATIAL INDEX FOR 'fleet' PROPERTY 'position' SET PRECISIONS = (8, 6, 4)`)
	mustExec(t, c, `REBUILD SPATIAL INDEX FOR 'fleet'`)
	for radiusM, want := range map[float64]float64{100: 8, 1000: 6, 3000: 6, 13000: 4, 100000: 4} {
		p := planOf(t, c, "", within(13.4, 52.52, radiusM))
		if p["Node Type"] != "SpatialDistanceScan" || p["Precision"] != want {
			t.Errorf("(8, 6, 4): %v m: %v at precision %v, want %v", radiusM, p["Node Type"], p["Precision"], want)
		}
	}
	if got := queryAll[string](t, c, within(13.4, 52.52, 13000)+" ORDER BY path"); !slices.Equal(got, rowScan) {
		t.Errorf("13 km: the index yields %d rows, the row scan %d", len(got), len(rowScan))
	}
}

// CONFIG tells the policy and where each was declared; fields are merged from the
// property, the workspace and the server.
func TestTrackingConfig(t *testing.T) {
	s := startServer(t)
	c := s.connect(t)
	berlin(t, c, 3)
	mustExec(t, c, tracking)
	mustExec(t, c, `ALTER SPATIAL INDEX FOR 'fleet' SET COVER = EXTENT SET SRID = 4326`)
	config := func(property string) map[string]any {
		return queryRow(t, c, `SHOW SPATIAL INDEX CONFIG FOR 'fleet' PROPERTY '`+property+`'`)
	}
	for property, want := range map[string]string{
		"position": "(8, 6) Extent 4326 property override",
		"site":     "(11, 10, 9, 8, 7, 6, 4, 2) Extent 4326 workspace default",
	} {
		m := config(property)
		if got := fmt.Sprintf("%v %v %v %v", m["precisions"], m["cover"], m["srid"], m["declared_at"]); got != want {
			t.Errorf("%s: %s, want %s", property, got, want)
		}
	}
	mustExec(t, c, `BEGIN`)
	mustExec(t, c, `ALTER SPATIAL INDEX FOR 'fleet' PROPERTY 'position' SET PRECISIONS = (5, 3) SET COVER = CENTROID`)
	if m := config("position"); m["precisions"] != "(5, 3)" || m["cover"] != "Centroid" {
		t.Errorf("within the transaction: %v", m)
	}
	mustExec(t, c, `ROLLBACK`)
	if m := config("position"); m["precisions"] != "(8, 6)" || m["cover"] != "Extent" {
		t.Errorf("after the rollback: %v", m)
	}
	mustExec(t, c, `ALTER SPATIAL INDEX FOR 'fleet' PROPERTY 'position' RESET`)
	if m := config("position"); m["declared_at"] != "workspace default" {
		t.Errorf("after RESET: %v", m)
	}
	for sql, want := range map[string]string{
		`ALTER SPATIAL INDEX FOR 'fleet' SET PRECISIONS = (9, 7)`:                                            "Add a precision of 6 or coarser",
		`ALTER SPATIAL INDEX FOR 'fleet' SET PRECISIONS = (13, 6)`:                                           "lies between 1 and 12",
		`ALTER SPATIAL INDEX FOR 'fleet' SET PRECISIONS = (8, 8, 6)`:                                         "Name each precision once",
		`ALTER SPATIAL INDEX FOR 'fleet' SET SRID = 3857`:                                                    "SRID 4326",
		`ALTER SPATIAL INDEX FOR 'fleet' SET COVER = circle`:                                                 "CENTROID or EXTENT",
		`REBUILD SPATIAL INDEX FOR 'fleet' PROPERTY 'stops[].geo'`:                                           "stops.0.geo",
		`ALTER SPATIAL INDEX FOR 'trucks' SET PRECISIONS = (8, 6)`:                                           "",
		`BEGIN; INSERT INTO 'fleet' (path, node_type) VALUES ('/x', 't'); REBUILD SPATIAL INDEX FOR 'fleet'`: "",
	} {
		_, err := c.PgConn().Exec(context.Background(), sql).ReadAll()
		pg, ok := err.(*pgconn.PgError)
		if !ok || !strings.Contains(pg.Hint, want) {
			t.Errorf("%s: %v, want a hint with %q", sql, err, want)
		}
		mustExec(t, c, `ROLLBACK`)
	}
}

// HEALTH asks for a rebuild after a change of policy and until one has run.
func TestTrackingHealth(t *testing.T) {
	s := startServer(t)
	c := s.connect(t)
	berlin(t, c, 40)
	health := func() map[string]any {
		return queryRow(t, c, `SHOW SPATIAL INDEX HEALTH FOR 'fleet' PROPERTY 'position'`)
	}
	expect := func(when string, want map[string]any) {
		t.Helper()
		got := health()
		for k, v := range want {
			if fmt.Sprint(got[k]) != fmt.Sprint(v) {
				t.Errorf("%s: %s is %v, want %v", when, k, got[k], v)
			}
		}
	}
	expect("at first", map[string]any{"phase": "ready", "needs_rebuild": false, "live_entries": 320, "tombstoned_entries": 0, "distinct_nodes": 40})
	mustExec(t, c, tracking)
	expect("after ALTER", map[string]any{
		"needs_rebuild": true, "indexed_precisions": "(11, 10, 9, 8, 7, 6, 4, 2)", "configured_precisions": "(8, 6)",
	})
	mustExec(t, c, `REBUILD SPATIAL INDEX FOR 'fleet'`)
	expect("after REBUILD", map[string]any{
		"phase": "ready", "needs_rebuild": false, "indexed_precisions": "(8, 6)", "live_entries": 80,
		"tombstoned_entries": 240, "live_per_precision": "8:40, 6:40", "nodes_indexed": 40, "legacy_entries": 0,
	})
	if m := queryRow(t, c, `VERIFY SPATIAL INDEX FOR 'fleet' PROPERTY 'position'`); m["status"] != "OK" {
		t.Errorf("VERIFY: %v", m)
	}
	// Twenty moves within both cells leave twenty entries beneath the newest of each, of
	// which eight may stay; what is not on disk yet is not pruned.
	for i := range 20 {
		mustExec(t, c, updatePosition("/van-1", 13.4+float64(i)*1e-7, 52.5))
	}
	before := health()
	expect("after twenty moves", map[string]any{"pruning": "on", "prunable_entries": 2 * (20 - 8)})
	mustExec(t, c, `VACUUM 'fleet'`)
	expect("after VACUUM", map[string]any{
		"prunable_entries": 0, "superseded_entries": before["superseded_entries"].(int64) - 2*(20-8), "live_entries": 80, "needs_rebuild": false,
	})
}

// A revision given explicitly is answered from the rows, with the reason.
func TestTrackingHistory(t *testing.T) {
	s := startServer(t)
	c := s.connect(t)
	berlin(t, c, 10)
	mustExec(t, c, updatePosition("/van-1", 13.4, 52.5))
	rev := queryOne[int64](t, c, `SELECT __revision FROM 'fleet' WHERE path = '/van-1'`)
	mustExec(t, c, updatePosition("/van-1", -70, -33))
	then := within(13.4, 52.5, 1) + fmt.Sprintf(" AND __revision = %d", rev)
	text := strings.Join(queryAll[string](t, c, "EXPLAIN "+then), "\n")
	if !strings.Contains(text, "TableScan on fleet") || !strings.Contains(text, "historical revision") || !strings.Contains(text, "applied per row") {
		t.Errorf("plan of a historical query:\n%s", text)
	}
	if got := queryAll[string](t, c, then); !slices.Equal(got, []string{"/van-1"}) {
		t.Errorf("then: %v", got)
	}
	if got := queryAll[string](t, c, within(13.4, 52.5, 1)); len(got) != 0 {
		t.Errorf("now: %v", got)
	}
}

// A cell over its budget of keys: the statement goes on as a row scan and says so.
func TestTrackingCellBudget(t *testing.T) {
	s := startServer(t, "--max-cell-keys", "100")
	cfg, err := pgx.ParseConfig(s.dsn())
	if err != nil {
		t.Fatal(err)
	}
	var notices []string
	cfg.OnNotice = func(_ *pgconn.PgConn, n *pgconn.Notice) { notices = append(notices, n.Message) }
	c, err := pgx.ConnectConfig(context.Background(), cfg)
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close(context.Background())
	mustExec(t, c, `CREATE WORKSPACE 'fleet'`)
	mustExec(t, c, tracking)
	put := func(from, to int) {
		for i := from; i < to; i++ {
			mustExec(t, c, fmt.Sprintf(`INSERT INTO 'fleet' (path, node_type, properties) VALUES ('/van-%d', 'fleet:Van', '{"position": %s}')`,
				i, pointJSON(13.4+float64(i)*1e-7, 52.5)))
		}
	}
	query := within(13.4, 52.5, 5000)
	put(0, 100)
	if got := queryAll[string](t, c, query); len(got) != 100 || len(notices) != 0 {
		t.Errorf("a full cell: %d rows, notices %v", len(got), notices)
	}
	put(100, 150)
	if got := queryAll[string](t, c, query); len(got) != 150 {
		t.Errorf("a cell over its budget: %d rows, want 150", len(got))
	}
	if len(notices) != 1 || !strings.Contains(notices[0], "a cell holds more keys than the scan budget") {
		t.Errorf("notices: %v", notices)
	}
	text := strings.Join(queryAll[string](t, c, "EXPLAIN (ANALYZE) "+query), "\n")
	if !strings.Contains(text, "a cell holds more keys than the scan budget") {
		t.Errorf("EXPLAIN ANALYZE:\n%s", text)
	}
	if p := planOf(t, c, "", query); p["Node Type"] != "SpatialDistanceScan" {
		t.Errorf("EXPLAIN alone: %v", p["Node Type"])
	}
}

// History kept as nodes of another property costs position queries nothing.
func TestTrackingHistoryNodes(t *testing.T) {
	if testing.Short() {
		t.Skip("writes 100,000 rows")
	}
	s := startServer(t)
	c := s.connect(t)
	berlin(t, c, 1000)
	mustExec(t, c, tracking)
	mustExec(t, c, `REBUILD SPATIAL INDEX FOR 'fleet'`)
	queries := []string{within(13.4, 52.52, 80), within(13.4, 52.52, 1000), within(13.38, 52.5, 3000)}
	visited := func() (all []string) {
		for _, q := range queries {
			p := planOf(t, c, ", ANALYZE", q)
			all = append(all, fmt.Sprintf("%v: %v keys in %v cells of precision %v, %v rows",
				p["Node Type"], p["Keys Visited"], p["Cells"], p["Precision"], p["Actual Rows"]))
		}
		return all
	}
	before := visited()
	mustExec(t, c, `INSERT INTO 'fleet' (path, node_type, name, properties)
	  SELECT '/ping-' || i, 'fleet:Ping', 'ping-' || i, jsonb_build_object('track_point', jsonb_build_object(
	    'type', 'Point', 'coordinates', jsonb_build_array(13.33 + (i * 7919 % 1000) * 0.00015, 52.47 + (i * 4723 % 997) * 0.0001)))
	  FROM generate_series(1, 100000::bigint) i`)
	after := visited()
	for i := range queries {
		if before[i] != after[i] {
			t.Errorf("%s\nbefore the pings: %s\nafter:            %s", queries[i], before[i], after[i])
		}
	}
	if n := queryOne[int64](t, c, `SELECT count(*) FROM 'fleet' WHERE ST_DWithin(properties->'track_point', ST_Point(13.4, 52.52), 100000)`); n != 100000 {
		t.Errorf("%d pings are found", n)
	}
}

// A server killed in the middle of a rebuild takes it up again; answers stay exact
// before, meanwhile and after.
func TestTrackingRebuildSurvivesKill(t *testing.T) {
	s := startServer(t)
	c := s.connect(t)
	const fleet = 30000
	berlin(t, c, fleet)
	count := fmt.Sprintf(`SELECT count(*) FROM 'fleet' WHERE ST_DWithin(properties->'position', ST_Point(13.4, 52.52), %v)`, 2000)
	want := queryOne[int64](t, c, count)
	mustExec(t, c, `ALTER SPATIAL INDEX FOR 'fleet' PROPERTY 'position' SET PRECISIONS = (12, 5, 3)`)
	job := queryRow(t, c, `REBUILD SPATIAL INDEX FOR 'fleet' WITH (wait = false)`)
	progress := func(c *pgx.Conn) (phase string, done int64) {
		t.Helper()
		row := queryRow(t, c, `SELECT phase, done FROM raisin_progress_rebuild WHERE job_id = $1`, job["job_id"])
		return row["phase"].(string), row["done"].(int64)
	}
	for {
		phase, done := progress(c)
		if strings.HasPrefix(phase, "writing") && done > 0 {
			break
		}
		if phase == "finished" {
			t.Fatal("the rebuild was over before it could be interrupted")
		}
	}
	if got := queryOne[int64](t, c, count); got != want {
		t.Errorf("during the rebuild: %d, want %d", got, want)
	}
	s.kill()
	s.start()
	c = s.connect(t)
	for phase := ""; phase != "finished"; {
		if got := queryOne[int64](t, c, count); got != want {
			t.Errorf("after the kill, in phase %q: %d, want %d", phase, got, want)
		}
		if phase, _ = progress(c); phase == "failed" || phase == "cancelled" {
			t.Fatalf("the job has %s", phase)
		}
		time.Sleep(10 * time.Millisecond)
	}
	if m := queryRow(t, c, `SHOW SPATIAL INDEX HEALTH FOR 'fleet' PROPERTY 'position'`); m["needs_rebuild"] != false || m["live_per_precision"] != "12:30000, 5:30000, 3:30000" {
		t.Errorf("health: %v", m)
	}
	if m := queryRow(t, c, `VERIFY SPATIAL INDEX FOR 'fleet'`); m["status"] != "OK" {
		t.Errorf("VERIFY: %v", m)
	}
}

// Cancelling a rebuild: by the statement that waits, and by its job.
func TestTrackingRebuildCancel(t *testing.T) {
	s := startServer(t)
	c, other := s.connect(t), s.connect(t)
	berlin(t, c, 50)
	mustExec(t, c, `ALTER SPATIAL INDEX FOR 'fleet' PROPERTY 'position' SET PRECISIONS = (8, 5)`)
	mustExec(t, other, `BEGIN`) // a locked row holds the rebuild up
	mustExec(t, other, `SELECT FROM 'fleet' WHERE path = '/van-7' FOR UPDATE`)
	mustExec(t, c, `SET statement_timeout = '50ms'`)
	_, err := c.Exec(context.Background(), `REBUILD SPATIAL INDEX FOR 'fleet'`)
	if pg, ok := err.(*pgconn.PgError); !ok || pg.Code != "57014" {
		t.Errorf("timeout: %v", err)
	}
	mustExec(t, c, `RESET statement_timeout`)
	job := queryRow(t, c, `REBUILD SPATIAL INDEX FOR 'fleet' WITH (wait = false)`)["job_id"]
	if !queryOne[bool](t, c, `SELECT raisin_cancel_rebuild($1)`, job) {
		t.Error("there was no job")
	}
	for queryOne[string](t, c, `SELECT phase FROM raisin_progress_rebuild WHERE job_id = $1`, job) != "cancelled" {
		time.Sleep(time.Millisecond)
	}
	if n := queryOne[int64](t, c, `SELECT count(*) FROM 'fleet' WHERE ST_DWithin(properties->'position', ST_Point(13.4, 52.5), 50000)`); n != 50 {
		t.Errorf("after cancelling: %d rows", n)
	}
	mustExec(t, other, `ROLLBACK`)
	mustExec(t, c, `REBUILD SPATIAL INDEX FOR 'fleet'`)
	if m := queryRow(t, c, `VERIFY SPATIAL INDEX FOR 'fleet'`); m["status"] != "OK" {
		t.Errorf("VERIFY: %v", m)
	}
}

// seedPage is the page "Tracking moving objects", where it lies beside the repository.
func seedPage(t *testing.T) string {
	pages, err := filepath.Glob("../../shared/seeds/*.txt")
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range pages {
		text, err := os.ReadFile(p)
		if err != nil {
			t.Fatal(err)
		}
		if strings.HasPrefix(string(text), "Tracking moving objects") {
			return string(text)
		}
	}
	t.Skip("the page is not here")
	return ""
}

// pageStatement finds the statements of the page.
var pageStatement = regexp.MustCompile(`(?m)^(?:ALTER|UPDATE|INSERT)[^;]*;|SHOW SPATIAL INDEX HEALTH FOR 'fleet' PROPERTY 'position'|SHOW SPATIAL INDEX CONFIG FOR 'fleet'|REBUILD SPATIAL INDEX FOR 'fleet'`)

// The page's own SQL, as it stands there, and the answer it prints.
func TestTrackingPage(t *testing.T) {
	page := seedPage(t)
	s := startServer(t)
	c := s.connect(t)
	mustExec(t, c, `CREATE WORKSPACE 'fleet'`)
	mustExec(t, c, `INSERT INTO 'fleet' (path, node_type, name, properties) VALUES ('/van-17', 'fleet:Van', 'van-17', $1::jsonb)`,
		`{"position": `+pointJSON(13.4, 52.5)+`}`)
	var ran []string
	for _, sql := range pageStatement.FindAllString(page, -1) {
		verb := strings.Fields(sql)[0]
		ran = append(ran, verb)
		switch verb {
		case "ALTER":
			var answer struct {
				Columns []string         `json:"columns"`
				Rows    []map[string]any `json:"rows"`
			}
			from := strings.Index(page, `{"columns"`)
			if err := json.NewDecoder(strings.NewReader(page[from:])).Decode(&answer); err != nil {
				t.Fatal(err)
			}
			rows, err := c.Query(context.Background(), sql)
			if err != nil {
				t.Fatal(err)
			}
			var columns []string
			for _, f := range rows.FieldDescriptions() {
				columns = append(columns, f.Name)
			}
			got, err := pgx.CollectExactlyOneRow(rows, pgx.RowToMap)
			if err != nil {
				t.Fatal(err)
			}
			if !slices.Equal(columns, answer.Columns) || !equalMaps(got, answer.Rows[0]) {
				t.Errorf("%s\nanswers      %v %v\nthe page has %v %v", sql, columns, got, answer.Columns, answer.Rows[0])
			}
		case "UPDATE":
			mustExec(t, c, sql, `{"position": `+pointJSON(13.5, 52.6)+`}`)
		case "INSERT":
			mustExec(t, c, sql, "/ping-1", "ping-1", `{"track_point": `+pointJSON(13.4, 52.5)+`}`)
		default:
			if _, err := c.PgConn().Exec(context.Background(), sql).ReadAll(); err != nil {
				t.Errorf("%s: %v", sql, err)
			}
		}
	}
	for _, verb := range []string{"ALTER", "SHOW", "REBUILD", "UPDATE", "INSERT"} {
		if !slices.Contains(ran, verb) {
			t.Errorf("no %s was found on the page", verb)
		}
	}
	if m := queryRow(t, c, `SHOW SPATIAL INDEX HEALTH FOR 'fleet' PROPERTY 'position'`); m["needs_rebuild"] != false {
		t.Errorf("in the end: %v", m)
	}
}

// The cells of the table of precisions.
func TestTrackingCells(t *testing.T) {
	for precision, want := range map[int][2]float64{8: {38, 19}, 6: {1200, 600}, 4: {39000, 19500}} {
		b := spatialidx.CellAt(geom.LonLat{LonDeg: 1e-5, LatDeg: 1e-5}, precision).Bounds(precision)
		width := geom.GeodesicM(geom.LonLat{LonDeg: b.MinX, LatDeg: b.MinY}, geom.LonLat{LonDeg: b.MaxX, LatDeg: b.MinY})
		height := geom.GeodesicM(geom.LonLat{LonDeg: b.MinX, LatDeg: b.MinY}, geom.LonLat{LonDeg: b.MinX, LatDeg: b.MaxY})
		if math.Abs(width-want[0]) > 0.03*want[0] || math.Abs(height-want[1]) > 0.03*want[1] {
			t.Errorf("precision %d: %.1f m by %.1f m, want about %v", precision, width, height, want)
		}
	}
}
