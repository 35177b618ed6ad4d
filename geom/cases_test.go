package geom

import (
	"errors"
	"math"
	"sync"
	"testing"
)

func check(t *testing.T, what string, got bool, err error, want bool) {
	t.Helper()
	if err != nil || got != want {
		t.Errorf("%s: %v %v, want %v", what, got, err, want)
	}
}

func TestNaNIsNowhere(t *testing.T) {
	nan := NewPoint(math.NaN(), 1, 0)
	square := mustParse(t, "POLYGON((0 0,2 0,2 2,0 2,0 0))")
	line := mustParse(t, "LINESTRING(0 0,NaN NaN,1 1)")
	other := mustParse(t, "POINT(0 1)")
	for _, odd := range []*Geometry{nan, line, NewPoint(math.Inf(1), 1, 0)} {
		for _, g := range []*Geometry{square, other, odd, mustParse(t, "LINESTRING(0 0,1 1)")} {
			for i, relation := range relations {
				got, err := relation(odd, g)
				check(t, "relation", got, err, i == 1)
				got, err = relation(g, odd)
				check(t, "relation", got, err, i == 1)
			}
			if m, err := Relate(odd, g); err != nil || m[:2] != "FF" || m[3:5] != "FF" {
				t.Errorf("relate %s %v", m, err)
			}
			if _, ok := PlanarDistance(odd, g); ok {
				t.Errorf("%v has a distance to %v", odd, g)
			}
			got, err := PlanarDWithin(odd, g, 10)
			check(t, "within 10", got, err, false)
			if _, ok := GeodesicDistanceM(odd, g); ok || GeodesicDWithin(odd, g, math.Inf(1)) {
				t.Errorf("%v has a geodesic distance to %v", odd, g)
			}
			if _, ok := GeodesicBox(odd); ok {
				t.Errorf("%v has a box", odd)
			}
		}
	}
	if x, _, ok := nan.AsPoint(); !ok || x == x {
		t.Error("x of a point is not kept")
	}
	origin := mustParse(t, "POINT(0 0)")
	far := mustParse(t, "POINT(180 0)")
	got, err := PlanarDWithin(origin, origin, math.NaN())
	check(t, "NaN tolerance", got, err, false)
	got, err = PlanarDWithin(origin, far, math.Inf(1))
	check(t, "infinite tolerance", got, err, true)
	if !GeodesicDWithin(origin, far, math.Inf(1)) || GeodesicDWithin(origin, origin, math.NaN()) || GeodesicDWithin(origin, origin, -1) {
		t.Error("geodesic tolerance")
	}
	if _, err = PlanarDWithin(origin, origin, -1); !errors.Is(err, ErrNegativeTolerance) {
		t.Error(err)
	}
}

func TestEmptyGeometries(t *testing.T) {
	square, origin := mustParse(t, "POLYGON((0 0,2 0,2 2,0 2,0 0))"), mustParse(t, "POINT(0 0)")
	for _, s := range []string{"POINT EMPTY", "LINESTRING EMPTY", "POLYGON EMPTY", "MULTIPOINT EMPTY", "GEOMETRYCOLLECTION EMPTY", "GEOMETRYCOLLECTION(POINT EMPTY)"} {
		e := mustParse(t, s)
		if !e.IsEmpty() || e.NumPoints() != 0 {
			t.Errorf("%s is not empty", s)
		}
		if _, ok := e.Box(); ok {
			t.Errorf("%s has a box", s)
		}
		for i, relation := range relations {
			for _, g := range []*Geometry{square, origin} {
				got, err := relation(e, g)
				check(t, s, got, err, i == 1)
				got, err = relation(g, e)
				check(t, s, got, err, i == 1)
			}
		}
		for _, o := range []string{"POLYGON EMPTY", "POINT EMPTY"} {
			got, err := Equals(e, mustParse(t, o))
			check(t, s+" equals "+o, got, err, true)
		}
		if _, ok := PlanarDistance(e, origin); ok {
			t.Errorf("%s has a distance", s)
		}
		if _, ok := GeodesicDistanceM(origin, e); ok || GeodesicDWithin(e, origin, 1e9) {
			t.Errorf("%s has a geodesic distance", s)
		}
		if PlanarArea(e) != 0 || GeodesicAreaM2(e) != 0 || GeodesicLengthM(e) != 0 || !Centroid(e).IsEmpty() {
			t.Errorf("%s has a measure", s)
		}
		if env := Envelope(e); env.Kind() != e.Kind() || !env.IsEmpty() {
			t.Errorf("envelope of %s is %v", s, env)
		}
	}
}

// TestGeodesicCases are distances across the antimeridian and the poles, in metres.
func TestGeodesicCases(t *testing.T) {
	for _, c := range []struct {
		a, b     string
		from, to float64
	}{
		{"POINT(0 90)", "POINT(77 90)", 0, 0},
		{"POINT(10 89.9)", "POINT(-170 89.9)", 22_000, 23_000},
		{"POINT(100 -89.95)", "POINT(-80 -89.95)", 11_000, 11_500},
		{"POINT(0 90)", "POINT(0 -90)", 20_003_931.4, 20_003_931.5},
		{"POINT(179.5 0)", "POINT(-179.5 0)", 111_319, 111_320},
		{"POINT(180 12)", "POINT(-180 12)", 0, 0},
		{"POINT(10 60)", "POINT(11 60)", 55_000, 56_500},
		{"LINESTRING(179 -1,-179 1)", "POINT(180 0)", 0, 10},
		{"LINESTRING(179 -1,-179 1)", "POINT(0 0)", 1e7, 2.1e7},
		{"LINESTRING(0 -80,180 -80)", "POINT(33 -90)", 0, 10},
		{"LINESTRING(0 -80,180 -80)", "POINT(90 -80)", 100_000, 2e6},
		{"POLYGON((178 -45,180 -45,180 -43,178 -43,178 -45))", "POINT(-179.98 -44)", 1000, 2000},
		{"POLYGON((178 -45,180 -45,180 -43,178 -43,178 -45))", "POINT(0 -44)", 9e6, 2e7},
		{"POLYGON((0 80,120 80,-120 80,0 80))", "POINT(50 89)", 0, 0},
		{"POLYGON((0 80,-120 80,120 80,0 80))", "POINT(50 89)", 0, 0},
		{"POLYGON((0 80,120 80,-120 80,0 80))", "POINT(50 20)", 7.0e6, 7.1e6},
		{"POLYGON((0 0,10 0,10 10,0 10,0 0),(3 3,6 3,6 6,3 6,3 3))", "POINT(4 4)", 110_477.535, 110_477.536}, // to the edge below; PostGIS takes the one nearest on the sphere, 111050.103
		{"POLYGON((0 0,10 0,10 10,0 10,0 0),(3 3,6 3,6 6,3 6,3 3))", "POINT(3 4)", 0, 1e-8},
		{"POLYGON((0 0,10 0,10 10,0 10,0 0))", "POLYGON((3 3,6 3,6 6,3 6,3 3))", 0, 0},
		{"LINESTRING(0 0,10 10)", "LINESTRING(0 10,10 0)", 0, 0},
		{"LINESTRING(0 60,90 60)", "POINT(45 70)", 246_258.652, 246_258.653},
		{"LINESTRING(0 0,180 0)", "POINT(5 1)", 0, 2.1e7}, // antipodal ends: which way is left open
		{"POLYGON((-179 -60,0 -60,179 -60,179 60,0 60,-179 60,-179 -60))", "POINT(180 0)", 0, 0},
		{"POLYGON((0 0,0 0,0 0,0 0))", "POINT(0 1)", 110_574.388, 110_574.389},
		{"GEOMETRYCOLLECTION(POINT EMPTY,POINT(5 1))", "POINT(5 1)", 0, 0},
	} {
		a, b := mustParse(t, c.a), mustParse(t, c.b)
		d, ok := GeodesicDistanceM(a, b)
		if !ok || d < c.from || d > c.to {
			t.Errorf("%s %s: %v m", c.a, c.b, d)
		}
		for _, r := range []float64{d, math.Nextafter(d, 0), d + 1} {
			if GeodesicDWithin(a, b, r) != (d <= r) || GeodesicDWithin(b, a, r) != (d <= r) {
				t.Errorf("%s %s: within %v, distance %v", c.a, c.b, r, d)
			}
		}
	}
}

func TestPlanarCases(t *testing.T) {
	am := MakeEnvelope(170, -10, -170, 10, 4326)
	if b, _ := am.Box(); b != (Box{MinX: -170, MinY: -10, MaxX: 170, MaxY: 10}) {
		t.Errorf("box %v", b)
	}
	if got := am.String(); got != "SRID=4326;POLYGON((170 -10,170 10,-170 10,-170 -10,170 -10))" {
		t.Error(got)
	}
	world := "POLYGON((-180 -90,180 -90,180 90,-180 90,-180 -90))"
	clockwise := "POLYGON((-180 -90,-180 90,180 90,180 -90,-180 -90))"
	wide := "POLYGON((-50 -60,170 -60,170 60,-50 60,-50 -60))"
	split := "MULTIPOLYGON(((177 -19,180 -19,180 -16,177 -16,177 -19)),((-180 -19,-178 -19,-178 -16,-180 -16,-180 -19)))"
	hole := "POLYGON((0 0,10 0,10 10,0 10,0 0),(4 4,6 4,6 6,4 6,4 4))"
	for _, c := range []struct {
		g                            string
		x, y                         float64
		contains, covers, intersects bool
	}{
		{"SRID=4326;POLYGON((170 -10,170 10,-170 10,-170 -10,170 -10))", 0, 0, true, true, true},
		{"SRID=4326;POLYGON((170 -10,170 10,-170 10,-170 -10,170 -10))", 175, 0, false, false, false},
		{world, 30.6, -89, true, true, true},
		{world, 30.6, -96.3, false, false, false},
		{world, 180, 90, false, true, true},
		{clockwise, 100, 30, true, true, true},
		{wide, 169, 0, true, true, true},
		{wide, 175, 0, false, false, false},
		{wide, -100, 0, false, false, false},
		{split, 178.5, -17.5, true, true, true},
		{split, -178.5, -17.5, true, true, true},
		{split, -176.5, -17.5, false, false, false},
		{split, 0, -17.5, false, false, false},
		{hole, 5, 5, false, false, false},
		{hole, 4, 5, false, true, true},
		{hole, 2, 5, true, true, true},
		{hole, 11, 5, false, false, false},
		{"POLYGON((0 0,2 2,2 0,0 2,0 0))", 1.8, 1, true, true, true}, // a bow tie
		{"LINESTRING(0 0,4 0)", 0, 0, false, true, true},
		{"LINESTRING(0 0,4 0)", 1, 0, true, true, true},
		{"LINESTRING(0 0,1 1,1 0,0 0)", 0, 0, true, true, true},
		{"MULTILINESTRING((0 0,1 1),(1 1,2 0))", 1, 1, true, true, true},
		{"MULTILINESTRING((0 0,1 1),(1 1,2 0),(1 1,0 5))", 1, 1, false, true, true},
		{"MULTIPOINT(1 1,2 2)", 2, 2, true, true, true},
		{"POINT(1 1)", 1, 1, true, true, true},
	} {
		g, p := mustParse(t, c.g), NewPoint(c.x, c.y, 0)
		prepared := Prepare(mustParse(t, c.g))
		for range 3 { // the index comes with the second question
			got, err := Contains(g, p)
			check(t, c.g+" contains", got, err, c.contains)
			got, err = Within(p, g)
			check(t, c.g+" within", got, err, c.contains)
			got, err = Covers(g, p)
			check(t, c.g+" covers", got, err, c.covers)
			got, err = Intersects(p, g)
			check(t, c.g+" intersects", got, err, c.intersects)
		}
		check(t, c.g+" prepared", prepared.ContainsPoint(c.x, c.y), nil, c.contains)
		check(t, c.g+" prepared", prepared.IntersectsPoint(c.x, c.y), nil, c.intersects)
		got, err := prepared.Contains(p)
		check(t, c.g+" prepared", got, err, c.contains)
	}
}

func TestWhatPredicatesRefuse(t *testing.T) {
	square := mustParse(t, "POLYGON((0 0,2 0,2 2,0 2,0 0))")
	for _, g := range []*Geometry{
		NewPolygon([][]float64{{0, 0, 1, 0, 1, 1, 0, 1}}, XY, 0),
		NewPolygon([][]float64{{0, 0, 1, 0, 0, 0}}, XY, 0),
		NewLineString([]float64{1, 1}, XY, 0),
	} {
		if err := CheckStructure(g); !errors.Is(err, ErrParse) {
			t.Errorf("%v: %v", g, err)
		}
		for i, relation := range relations {
			if _, err := relation(square, g); !errors.Is(err, ErrTopology) && i != 3 && i != 5 && i != 9 { // those are decided by the boxes
				t.Errorf("relation %d with %v: %v", i, g, err)
			}
		}
		if _, err := Relate(g, square); !errors.Is(err, ErrTopology) {
			t.Errorf("relate with %v: %v", g, err)
		}
		Prepare(g).IntersectsPoint(0, 0)
		GeodesicDistanceM(g, square)
		PlanarDistance(g, square)
	}
}

func TestSameSRID(t *testing.T) {
	a, b := NewPoint(0, 0, 4326), mustParse(t, "SRID=3857;POLYGON((0 0,2 2,2 0,0 0))")
	if err := SameSRID("ST_Distance", a, a); err != nil {
		t.Error(err)
	}
	err := SameSRID("ST_Distance", a, b)
	if !errors.Is(err, ErrMixedSRID) || err.Error() != "ST_Distance: Operation on mixed SRID geometries (Point, 4326) != (Polygon, 3857)" {
		t.Error(err)
	}
}

func TestGeoHash(t *testing.T) {
	for _, c := range []struct {
		x, y  float64
		chars int
		want  string
	}{
		{0, 0, 6, "s00000"},
		{-1e-9, -1e-9, 6, "7zzzzz"},
		{180, 90, 6, "zzzzzz"},
		{-180, -90, 6, "000000"},
		{180, 0, 8, "xbpbpbpb"},
		{-180, 0, 8, "80000000"},
		{11.25, 48.515625, 6, "u28h00"},
		{45, 45, 1, "v"},
		{44.999999, 45, 1, "u"},
		{10, 20, 20, "s5x1g8cu2yhrn5x1g8cu"},
		{1, 1, 0, ""},
	} {
		if got := GeoHash(c.x, c.y, c.chars); got != c.want {
			t.Errorf("%v %v: %s, want %s", c.x, c.y, got, c.want)
		}
	}
	if _, err := GeoHashOf(NewPoint(190, 0, 4326), 6); err == nil || err.Error() != "Geohash requires inputs in decimal degrees, got (190 0, 190 0)." {
		t.Error(err)
	}
}

// TestConcurrentUse asks one geometry everything from several goroutines; the race
// detector watches.
func TestConcurrentUse(t *testing.T) {
	g := starPolygon(200)
	p := Prepare(g)
	box := MakeEnvelope(berlin.LonDeg, berlin.LatDeg, berlin.LonDeg+0.06, berlin.LatDeg+0.06, 4326)
	inside := MakeEnvelope(berlin.LonDeg, berlin.LatDeg, berlin.LonDeg+0.01, berlin.LatDeg+0.01, 4326)
	touching := NewLineString([]float64{g.Ring(0)[0], g.Ring(0)[1], berlin.LonDeg, berlin.LatDeg}, XY, 4326)
	var wait sync.WaitGroup
	for range 4 {
		wait.Go(func() {
			for _, q := range placesNear(50) {
				point := NewPoint(q.LonDeg, q.LatDeg, 4326)
				a, _ := Contains(g, point)
				b, _ := p.Contains(point)
				if a != b {
					t.Errorf("contains %v %v", a, b)
				}
				GeodesicDistanceM(g, point)
				PlanarDistance(point, g)
			}
			for _, o := range []*Geometry{box, inside, touching} {
				a, errA := Covers(g, o)
				b, errB := p.Covers(o)
				if a != b || errA != nil || errB != nil {
					t.Errorf("covers %v %v %v %v", a, errA, b, errB)
				}
				GeodesicDistanceM(g, o)
				if _, err := Relate(g, o); err != nil {
					t.Error(err)
				}
			}
		})
	}
	wait.Wait()
}
