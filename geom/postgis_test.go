package geom

import (
	"bufio"
	"encoding/hex"
	"errors"
	"math"
	"os"
	"strconv"
	"strings"
	"testing"
)

// corpus reads a file of what PostGIS answers and calls fn with the fields of each line.
func corpus(t *testing.T, name string, fn func(t *testing.T, line int, f []string)) {
	file, err := os.Open("testdata/postgis/" + name)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	in := bufio.NewScanner(file)
	n := 0
	for in.Scan() {
		if n++; strings.HasPrefix(in.Text(), "#") {
			continue
		}
		fn(t, n, strings.Split(in.Text(), "\t"))
	}
	if err := in.Err(); err != nil {
		t.Fatal(err)
	}
}

func mustParse(t testing.TB, s string) *Geometry {
	t.Helper()
	g, err := ParseText(s)
	if err != nil {
		t.Fatalf("%s: %v", s, err)
	}
	return g
}

func unquote(t *testing.T, s string) string {
	v, err := strconv.Unquote(s)
	if err != nil {
		t.Fatal(err)
	}
	return v
}

func float(t *testing.T, s string) float64 {
	v, err := strconv.ParseFloat(s, 64)
	if err != nil {
		t.Fatal(err)
	}
	return v
}

func TestPostGISText(t *testing.T) {
	corpus(t, "text.tsv", func(t *testing.T, line int, f []string) {
		in := unquote(t, f[0])
		g, err := ParseText(in)
		if f[1] == "error" {
			var pe *ParseError
			if !errors.As(err, &pe) || !errors.Is(err, ErrParse) {
				t.Errorf("line %d: %q gives %v, want %s", line, in, err, f[2])
			} else if pe.Msg != unquote(t, f[2]) || pe.Hint != unquote(t, f[3]) {
				t.Errorf("line %d: %q gives %q %q, want %s %s", line, in, pe.Msg, pe.Hint, f[2], f[3])
			}
			return
		}
		if err != nil {
			t.Errorf("line %d: %q gives %v", line, in, err)
			return
		}
		for _, c := range []struct{ what, got, want string }{
			{"AsText", string(AppendText(nil, g, 15)), f[1]},
			{"AsEWKT", string(AppendEWKT(nil, g, 15)), f[2]},
			{"EWKB", string(g.AppendHexEWKB(nil)), f[3]},
			{"WKB", hex.EncodeToString(g.AppendWKB(nil)), f[4]},
			{"GeoJSON", string(AppendGeoJSON(nil, g, 9, 0)), f[5]},
		} {
			if c.got != c.want && c.want != "-" {
				t.Errorf("line %d: %q %s\ngot  %s\nwant %s", line, in, c.what, c.got, c.want)
			}
		}
		if strings.Contains(f[1], "Infinity") { // PostGIS writes what it does not read
			return
		}
		for _, again := range []string{f[1], f[2], f[3]} {
			if again == f[2] && g.Dims() != XY && strings.Contains(again, "EMPTY") {
				continue // EWKT does not tell the ordinates of what is empty
			}
			if b := mustParse(t, again); !Identical(Force(g, b.Dims()), b) && !strings.Contains(in, "EMPTY") {
				t.Errorf("line %d: %q read again from %s is %v", line, in, again, b)
			}
		}
	})
}

func TestPostGISNumbers(t *testing.T) {
	corpus(t, "numbers.tsv", func(t *testing.T, line int, f []string) {
		bits, err := strconv.ParseUint(f[0], 16, 64)
		if err != nil {
			t.Fatal(err)
		}
		decimals, err := strconv.Atoi(f[1])
		if err != nil {
			t.Fatal(err)
		}
		if got := string(appendNumber(nil, math.Float64frombits(bits), decimals)); got != f[2] {
			t.Errorf("line %d: %v with %d decimals is %s, want %s", line, math.Float64frombits(bits), decimals, got, f[2])
		}
	})
}

var relations = []func(a, b *Geometry) (bool, error){
	Intersects, Disjoint, Contains, Within, Covers, CoveredBy, Touches, Crosses, Overlaps, Equals, ContainsProperly,
}

func TestPostGISRelate(t *testing.T) {
	corpus(t, "relate.tsv", func(t *testing.T, line int, f []string) {
		a, b := mustParse(t, f[0]), mustParse(t, f[1])
		got := make([]byte, len(relations))
		for i, relation := range relations {
			got[i] = 'f'
			if yes, err := relation(a, b); err != nil {
				t.Fatalf("line %d: %v", line, err)
			} else if yes {
				got[i] = 't'
			}
		}
		if string(got) != f[2] {
			t.Errorf("line %d: %s %s: %s, want %s", line, f[0], f[1], got, f[2])
		}
		if m, err := Relate(a, b); err != nil || m != f[3] {
			t.Errorf("line %d: %s %s: %s %v, want %s", line, f[0], f[1], m, err, f[3])
		}
		p := Prepare(mustParse(t, f[0]))
		for i, ask := range map[int]func(*Geometry) (bool, error){
			0: p.Intersects, 1: p.Disjoint, 2: p.Contains, 3: p.Within, 4: p.Covers, 5: p.CoveredBy,
		} {
			if yes, err := ask(b); err != nil || yes != (f[2][i] == 't') {
				t.Errorf("line %d: %s %s: prepared %d %v %v", line, f[0], f[1], i, yes, err)
			}
		}
		want := float(t, f[4])
		d, ok := PlanarDistance(a, b)
		if ok != (want >= 0) || ok && math.Abs(d-want) > 1e-15*max(1, want) {
			t.Errorf("line %d: %s %s: distance %v %v, want %v", line, f[0], f[1], d, ok, want)
		}
		for _, tolerance := range []float64{0, d, math.Nextafter(d, 0), 1.5, 10} {
			if near, err := PlanarDWithin(a, b, tolerance); err != nil || near != (ok && d <= tolerance) {
				t.Errorf("line %d: %s %s: within %v is %v, distance %v", line, f[0], f[1], tolerance, near, d)
			}
		}
	})
}

// TestBetterThanPostGIS lists what GEOS 3.11 gets wrong and we do not follow.
func TestBetterThanPostGIS(t *testing.T) {
	for _, c := range []struct {
		why, a, b string
		matrix    string
	}{
		{"a shared segment, GEOS says 0F1FF0102", "LINESTRING(2 0,5 3,3 0,3 5)", "MULTILINESTRING((2 6,2 3,5 1,4 0),(6 5,5 1,3 1,6 4,5 6))", "1F1FF0102"},
		{"points on the boundary are no line, GEOS says 1021F1102", "POLYGON((2 4,4 4,4 7,2 7,2 4))", "MULTILINESTRING((6 4,0 1,3 5),(4 1,3 6,1 5,6 1,1 6))", "1020F1102"},
		{"the line is an edge of the other, GEOS says 0F1F0F102", "LINESTRING(1 3,2 2)", "MULTILINESTRING((3 5,2 0),(2 2,0 3,2 2,1 3),(5 3,0 2))", "1FFF0F102"},
		{"a collection is the union of its parts, GEOS fails or mixes them up", "GEOMETRYCOLLECTION(POLYGON((0 0,2 0,2 2,0 2,0 0)),POLYGON((2 0,4 0,4 2,2 2,2 0)))", "POLYGON((0 0,4 0,4 2,0 2,0 0))", "2FFF1FFF2"},
	} {
		if m, err := Relate(mustParse(t, c.a), mustParse(t, c.b)); err != nil || m != c.matrix {
			t.Errorf("%s: %s %v, want %s", c.why, m, err, c.matrix)
		}
	}
}

func TestPostGISGeography(t *testing.T) {
	corpus(t, "geography.tsv", func(t *testing.T, line int, f []string) {
		a, b := mustParse(t, f[0]), mustParse(t, f[1])
		d, ok := GeodesicDistanceM(a, b)
		want := float(t, f[2])
		// PostGIS measures one pair nearest on the sphere, we the nearest on the ellipsoid.
		if !ok || d > want+2e-8 || d < want*(1-7e-4)-2e-8 {
			t.Errorf("line %d: distance %.9f, want %.9f", line, d, want)
		}
		if back, _ := GeodesicDistanceM(b, a); back != d {
			t.Errorf("line %d: distance %v, back %v", line, d, back)
		}
		for _, radiusM := range []float64{d, math.Nextafter(d, 0), math.Nextafter(d, 1e9), 0.5 * d, 2 * d} {
			if GeodesicDWithin(a, b, radiusM) != (d <= radiusM) {
				t.Errorf("line %d: within %v is not distance %v", line, radiusM, d)
			}
		}
		for i, got := range []float64{GeodesicLengthM(a), GeodesicAreaM2(a), GeodesicPerimeterM(a)} {
			if want := float(t, f[3+i]); math.Abs(got-want) > 1e-8+1e-12*want && math.Abs(got-want) > 1e-3*float64(i%2) {
				t.Errorf("line %d: measure %d is %v, want %v", line, i, got, want)
			}
		}
	})
}

func TestPostGISMeasures(t *testing.T) {
	corpus(t, "measure.tsv", func(t *testing.T, line int, f []string) {
		g := mustParse(t, f[0])
		hash, err := GeoHashOf(g, 0)
		if err != nil {
			t.Fatal(err)
		}
		for _, c := range []struct{ what, got, want string }{
			{"length", strconv.FormatFloat(PlanarLength(g), 'g', -1, 64), f[1]},
			{"area", strconv.FormatFloat(PlanarArea(g), 'g', -1, 64), f[2]},
			{"perimeter", strconv.FormatFloat(PlanarPerimeter(g), 'g', -1, 64), f[3]},
			{"centroid", Centroid(g).String(), f[4]},
			{"envelope", Envelope(g).String(), f[5]},
			{"geohash", hash, f[6]},
		} {
			if c.got != c.want && (len(c.want) < 3 || c.want[0] < '0' || float(t, c.got) != float(t, c.want)) {
				t.Errorf("line %d: %s %s, want %s: %s", line, c.what, c.got, c.want, f[0])
			}
		}
	})
}
