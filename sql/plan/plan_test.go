package plan

import (
	"context"
	"math"
	"strings"
	"testing"

	"raisind/catalog"
	"raisind/geom"
	"raisind/sql/expr"
	"raisind/sql/funcs"
	"raisind/sql/types"
	"raisind/storage"
)

// states is an index of one property.
type states struct{ of IndexState }

func (s states) IndexState(storage.RelationID, string) (IndexState, bool) {
	return s.of, s.of.Property != 0
}

var (
	ready    = states{IndexState{Property: 1, Ready: true, Precisions: []int{8, 6}, Rows: 1000}}
	building = states{IndexState{Property: 1, Rebuilding: true}}
)

func newCtx(params ...types.Datum) *expr.Ctx {
	return &expr.Ctx{Ctx: &funcs.Ctx{Context: context.Background(), Env: types.DefaultEnv()}, Params: params}
}

func shape(t testing.TB, text string) expr.Expr {
	t.Helper()
	if text == "" {
		return &expr.Const{T: types.TGeometry}
	}
	g, err := geom.ParseText(text)
	if err != nil {
		t.Fatal(err)
	}
	return &expr.Const{Val: types.Geom(g), T: types.TGeometry}
}

func float(v float64) expr.Expr { return &expr.Const{Val: types.Float(v), T: types.TFloat8} }

func testScan(kind SpatialKind, center, radius expr.Expr, exact bool) *SpatialScan {
	r := &catalog.Relation{Schema: "public", Name: "fleet", Kind: catalog.Workspace, Columns: catalog.WorkspaceColumns()}
	n := &SpatialScan{
		Kind: kind, Rel: r, Property: "position", Center: center, RadiusM: radius, Exact: exact,
		Geometry: &expr.Column{Name: "properties", T: types.TJSONB},
	}
	if kind == KnnScan {
		n.Count = &expr.Const{Val: types.Int(5), T: types.TInt8}
	}
	return n
}

func TestDecide(t *testing.T) {
	const berlin = "POINT(13.4 52.5)"
	for _, c := range []struct {
		name   string
		n      *SpatialScan
		states IndexStates
		never  bool
		reason Reason
		prec   int // expected precision, 0 for not looked at
	}{
		{"near", testScan(DistanceScan, shape(t, berlin), float(5), true), ready, false, 0, 8},
		{"farther", testScan(DistanceScan, shape(t, berlin), float(2000), true), ready, false, 0, 6},
		{"too far", testScan(DistanceScan, shape(t, berlin), float(1e5), true), ready, false, ReasonRadiusNotCovered, 0},
		{"infinite", testScan(DistanceScan, shape(t, berlin), float(math.Inf(1)), true), ready, false, ReasonRadiusNotCovered, 0},
		{"negative", testScan(DistanceScan, shape(t, berlin), float(-1), true), ready, true, 0, 0},
		{"NaN", testScan(DistanceScan, shape(t, berlin), float(math.NaN()), true), ready, true, 0, 0},
		{"NULL radius", testScan(DistanceScan, shape(t, berlin), &expr.Const{T: types.TFloat8}, true), ready, true, 0, 0},
		{"NULL centre", testScan(DistanceScan, shape(t, ""), float(5), true), ready, true, 0, 0},
		{"empty centre", testScan(BoxScan, shape(t, "POLYGON EMPTY"), nil, false), ready, true, 0, 0},
		{"off the Earth", testScan(DistanceScan, shape(t, "POINT(200 10)"), float(5), true), ready, false, ReasonCenterNotPoint, 0},
		{"another SRID", testScan(DistanceScan, shape(t, "SRID=4258;POINT(13 52)"), float(5), true), ready, false, ReasonCenterNotPoint, 0},
		{"a line, exactly", testScan(DistanceScan, shape(t, "LINESTRING(13.4 52.5,13.41 52.5)"), float(5), true), ready, false, 0, 0},
		{"a line", testScan(DistanceScan, shape(t, "LINESTRING(13.4 52.5,13.45 52.5)"), float(5), false), ready, false, 0, 6},
		{"a box", testScan(BoxScan, shape(t, "POLYGON((13 52,13.01 52,13.01 52.01,13 52))"), nil, false), ready, false, 0, 6},
		{"a box off the Earth", testScan(BoxScan, shape(t, "POLYGON((500 52,501 52,501 53,500 52))"), nil, false), ready, false, 0, 0},
		{"a large box", testScan(BoxScan, shape(t, "POLYGON((0 0,90 0,90 80,0 0))"), nil, false), ready, false, ReasonBoxNotCovered, 0},
		{"nearest", testScan(KnnScan, shape(t, berlin), nil, true), ready, false, 0, 0},
		{"nearest to NULL", testScan(KnnScan, shape(t, ""), nil, true), ready, false, ReasonCenterNotPoint, 0},
		{"not indexed", testScan(DistanceScan, shape(t, berlin), float(5), true), states{}, false, ReasonNotIndexed, 0},
		{"rebuilding", testScan(DistanceScan, shape(t, berlin), float(5), true), building, false, ReasonRebuilding, 0},
		{"not built", testScan(DistanceScan, shape(t, berlin), float(5), true), states{IndexState{Property: 1}}, false, ReasonNotBuilt, 0},
	} {
		d, err := c.n.Decide(newCtx(), c.states)
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		var reason Reason
		if d.NotUsed != nil {
			reason = d.NotUsed.Reason
		}
		if d.Never != c.never || reason != c.reason || c.prec != 0 && d.Cover.Precision != c.prec {
			t.Errorf("%s: never %v, reason %v, precision %d", c.name, d.Never, d.NotUsed, d.Cover.Precision)
		}
	}
}

// TestCircumcircle wants the circle around a shape to hold its corners.
func TestCircumcircle(t *testing.T) {
	for _, text := range []string{
		"LINESTRING(13 52,14 53)", "POLYGON((-80 -80,90 -80,90 80,-80 -80))", "LINESTRING(0 80,90 80)", "MULTIPOINT(10 10,10 10)",
	} {
		g, err := geom.ParseText(text)
		if err != nil {
			t.Fatal(err)
		}
		c, r, ok := circumcircle(g)
		if !ok {
			t.Errorf("%s has no circle", text)
			continue
		}
		box, _ := geom.GeodesicBox(g)
		for lon := box.MinX; lon <= box.MaxX; lon += math.Max((box.MaxX-box.MinX)/8, 0.001) {
			for lat := box.MinY; lat <= box.MaxY; lat += math.Max((box.MaxY-box.MinY)/8, 0.001) {
				if d := geom.GeodesicM(c, geom.LonLat{LonDeg: lon, LatDeg: lat}); d > r {
					t.Errorf("%s: %v %v is %.0f m away, circle %.0f m", text, lon, lat, d, r)
				}
			}
		}
	}
}

// TestReasonTexts wants every reason to say something of its own.
func TestReasonTexts(t *testing.T) {
	seen := map[string]bool{}
	for _, r := range Reasons() {
		text := (&NotUsed{Reason: r, Relation: "fleet", Property: "position"}).String()
		if text == "" || seen[text] {
			t.Errorf("reason %d: %q", r, text)
		}
		seen[text] = true
	}
}

func TestExplainAnalyze(t *testing.T) {
	scan := testScan(DistanceScan, &expr.Param{N: 1, T: types.TGeometry}, float(500), true)
	agg := &Aggregate{Source: scan}
	st := &Statement{Root: &Project{Source: agg}}
	point := shape(t, "POINT(13.405 52.52)").(*expr.Const).Val
	d, err := scan.Decide(newCtx(point), ready)
	if err != nil {
		t.Fatal(err)
	}
	stats := map[Node]*Stats{
		scan: {Loops: 1, Rows: 3, Cells: 4, Ranges: 2, Seeks: 2, KeysVisited: 9, Superseded: 5, Candidates: 3, Precision: 6, Decided: &d},
	}
	o := ExplainOptions{Analyze: true, Summary: true, PlanningNanos: 12_345, ExecutionNanos: 678_900}
	lines, err := ExplainLines(st, o, ready, newCtx(), stats)
	if err != nil {
		t.Fatal(err)
	}
	want := `Aggregate (never executed)
  ->  SpatialDistanceScan: position=ST_DWithin(POINT(13.4050, 52.5200), 500m) on fleet (actual rows=3 loops=1)
        Cells: 4 of 1024 (precision 6, 2 ranges)
        Cells Scanned: 4
        Ranges: 2
        Candidates: 3
        Rechecked: 0
        Seeks: 2
        Keys Visited: 9
        Superseded Skipped: 5
Planning Time: 0.012 ms
Execution Time: 0.679 ms`
	if got := strings.Join(lines, "\n"); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

func TestExplainWrite(t *testing.T) {
	r := &catalog.Relation{Schema: "public", Name: "fleet", Kind: catalog.Workspace, Columns: catalog.WorkspaceColumns()}
	src := &Values{Rows: [][]expr.Expr{{}}}
	n := &Insert{Rel: r, Source: src}
	stats := map[Node]*Stats{
		n:   {Loops: 1, SpatialKeysWritten: 2, SpatialTombstonesWritten: 1, BytesWritten: 321},
		src: {Loops: 1, Rows: 1},
	}
	lines, err := ExplainLines(&Statement{Root: n}, ExplainOptions{Analyze: true, Timing: true, Costs: true}, nil, nil, stats)
	if err != nil {
		t.Fatal(err)
	}
	want := `Insert on fleet  (cost=0.00..0.01 rows=0 width=0) (actual time=0.000..0.000 rows=0 loops=1)
  Spatial Keys Written: 2
  Spatial Tombstones Written: 1
  Dirty Extents Written: 0
  Bytes Written: 321
  ->  Result  (cost=0.00..0.01 rows=1 width=0) (actual time=0.000..0.000 rows=1 loops=1)`
	if got := strings.Join(lines, "\n"); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}
