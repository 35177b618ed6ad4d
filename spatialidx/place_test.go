package spatialidx

import (
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"raisind/geom"
)

// randomShape draws a point, line or polygon of any size anywhere.
func randomShape(r *rand.Rand) *geom.Geometry {
	c := randomCenter(r)
	sizeDeg := math.Pow(10, -5+7*r.Float64())
	vertex := func() (x, y float64) {
		x = c.LonDeg + sizeDeg*(r.Float64()-0.5)
		y = c.LatDeg + sizeDeg*(r.Float64()-0.5)
		return max(-180, min(180, math.Remainder(x, 360))), max(-90, min(90, y))
	}
	n := 1 + r.IntN(6)
	coords := make([]float64, 0, 2*n+2)
	for range n {
		x, y := vertex()
		coords = append(coords, x, y)
	}
	switch {
	case n == 1:
		return geom.NewPoint(coords[0], coords[1], 4326)
	case n > 2 && r.IntN(2) == 0:
		return geom.NewPolygon([][]float64{append(coords, coords[0], coords[1])}, geom.XY, 4326)
	}
	return geom.NewLineString(coords, geom.XY, 4326)
}

// TestScanFindsShapes: whatever the cover and the precision, a shape within a radius has a
// placement in the circle's cover or in the wide list, and its entry says so.
func TestScanFindsShapes(t *testing.T) {
	n := 4_000
	if testing.Short() {
		n = 2_000
	}
	r := rand.New(rand.NewPCG(20260801, 5))
	hits := 0
	for range n {
		g := randomShape(r)
		center := randomCenter(r)
		distanceM, ok := geom.GeodesicDistanceM(g, geom.NewPoint(center.LonDeg, center.LatDeg, 4326))
		if !ok {
			t.Fatalf("no distance from %v to %v", center, g)
		}
		entry, err := DecodeEntry(EncodeEntry(nil, g))
		if err != nil {
			t.Fatalf("%v: %v", g, err)
		}
		if low := entry.MinDistanceM(center); low > distanceM || low < 0 || low != low {
			t.Fatalf("%v from %v: at least %v m, distance %v", g, center, low, distanceM)
		}
		radiusM := distanceM * (1 + []float64{0, 1e-12, 1e-3, 1}[r.IntN(4)])
		if !geom.GeodesicDWithin(g, geom.NewPoint(center.LonDeg, center.LatDeg, 4326), radiusM) {
			t.Fatalf("%v not within its distance %v of %v", g, distanceM, center)
		}
		for p := 1; p <= MaxPrecision; p++ {
			cover, _, ok := CoverCircle(center, radiusM, p, MaxScanCells)
			if !ok {
				continue
			}
			for _, kind := range []CoverKind{Centroid, Extent} {
				hits++
				if !slices.ContainsFunc(Place(g, p, kind), func(pl Placement) bool { return pl.Wide || cover.holds(pl.Cell) }) {
					t.Fatalf("%v at %d, %v: not in the cover of %v m round %v, distance %v", g, p, kind, radiusM, center, distanceM)
				}
			}
		}
	}
	if hits < n {
		t.Fatalf("only %d covers looked at", hits)
	}
}

func TestPlace(t *testing.T) {
	shape := func(s string) *geom.Geometry {
		g, err := geom.ParseText(s)
		if err != nil {
			t.Fatal(err)
		}
		return g
	}
	wide := []Placement{{Wide: true}}
	cells := func(names ...string) []Placement {
		var out []Placement
		for _, s := range names {
			c, _, err := ParseCell(s)
			if err != nil {
				t.Fatal(err)
			}
			out = append(out, Placement{Cell: c})
		}
		return out
	}
	for _, c := range []struct {
		name      string
		g         string
		precision int
		kind      CoverKind
		want      []Placement
	}{
		{"point", "POINT(13.404954 52.520008)", 6, Centroid, cells("u33dc0")},
		{"point, extent", "POINT(13.404954 52.520008)", 6, Extent, cells("u33dc0")},
		{"minus zero", "POINT(-0 -0)", 2, Centroid, cells("s0")},
		{"the last corner", "POINT(180 90)", 2, Centroid, cells("zz")},
		{"empty", "POINT EMPTY", 6, Centroid, nil},
		{"empty collection", "GEOMETRYCOLLECTION EMPTY", 6, Extent, nil},
		{"off the world", "POINT(200 0)", 6, Centroid, wide},
		{"no number", "POINT(NaN 0)", 6, Centroid, wide},
		{"line in one cell", "LINESTRING(13.404 52.520,13.405 52.5201)", 6, Centroid, cells("u33dc0")},
		{"line over two cells", "LINESTRING(1 1,12 1)", 2, Centroid, wide},
		{"line over two cells, extent", "LINESTRING(1 1,12 1)", 2, Extent, cells("s0", "s2")},
		{"line that is short across the antimeridian", "LINESTRING(179 1,-179 1)", 1, Extent, cells("8", "9", "d", "e", "s", "t", "w", "x")},
		{"ring round a pole", "POLYGON((0 80,120 80,-120 80,0 80))", 4, Extent, wide},
		{"continent", "POLYGON((-15 -34,50 -34,50 35,-15 35,-15 -34))", 4, Extent, wide},
	} {
		got := Place(shape(c.g), c.precision, c.kind)
		if !slices.Equal(got, c.want) {
			t.Errorf("%s: %v, want %v", c.name, got, c.want)
		}
	}
}

func TestPolicy(t *testing.T) {
	for _, c := range []struct {
		precisions []int
		want       error
		text       string
	}{
		{[]int{8, 6}, nil, "(8, 6)"},
		{[]int{2, 11, 6}, nil, "(11, 6, 2)"},
		{[]int{1}, nil, "(1)"},
		{nil, ErrNoPrecision, "()"},
		{[]int{13, 6}, ErrPrecisionRange, ""},
		{[]int{6, 0}, ErrPrecisionRange, ""},
		{[]int{-1}, ErrPrecisionRange, ""},
		{[]int{8, 6, 8}, ErrPrecisionDuplicate, "(8, 6)"},
		{[]int{11, 9, 7}, ErrPrecisionTooFine, "(11, 9, 7)"},
		{[]int{8}, ErrPrecisionTooFine, "(8)"},
	} {
		p := Policy{Precisions: c.precisions}
		if err := p.Validate(); !errors.Is(err, c.want) {
			t.Errorf("%v: %v", c.precisions, err)
		}
		if c.text != "" && p.Normalize().String() != c.text {
			t.Errorf("%v: %s", c.precisions, p.Normalize())
		}
	}
	if err := DefaultPolicy().Validate(); err != nil {
		t.Error(err)
	}
	if err := (Policy{Precisions: []int{6}, Cover: 7}).Validate(); !errors.Is(err, ErrCoverKind) {
		t.Error(err)
	}
	for _, k := range []CoverKind{Centroid, Extent} {
		if back, err := ParseCoverKind(k.String()); err != nil || back != k {
			t.Errorf("%v: %v %v", k, back, err)
		}
	}
	if _, err := ParseCoverKind("convex"); !errors.Is(err, ErrCoverKind) {
		t.Error(err)
	}
}

func FuzzDecodeEntry(f *testing.F) {
	for _, s := range []string{"POINT(13.4 52.5)", "LINESTRING(1 2,3 4)", "POINT(200 0)", "POLYGON((0 80,120 80,-120 80,0 80))"} {
		g, err := geom.ParseText(s)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(EncodeEntry(nil, g))
	}
	f.Add([]byte{})
	f.Add([]byte{1, 2, 3})
	f.Fuzz(func(t *testing.T, b []byte) {
		e, err := DecodeEntry(b)
		if err != nil {
			if !errors.Is(err, ErrEntryFormat) {
				t.Fatal(err)
			}
			return
		}
		if e.Point {
			if back := EncodeEntry(nil, geom.NewPoint(e.P.LonDeg, e.P.LatDeg, 4326)); !slices.Equal(back, b) {
				t.Fatalf("%x encodes to %x", b, back)
			}
		}
		if d := e.MinDistanceM(geom.LonLat{LonDeg: 1, LatDeg: 2}); !(d >= 0 && d <= geom.HalfCircumferenceM) {
			t.Fatalf("%x: at least %v m", b, d)
		}
	})
}

func BenchmarkDecodeEntry(b *testing.B) {
	v := EncodeEntry(nil, geom.NewPoint(13.4, 52.5, 4326))
	b.ReportAllocs()
	for b.Loop() {
		e, _ := DecodeEntry(v)
		sinkCell = CellAt(e.P, 6)
	}
}
