package geom

import (
	"math"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

func TestFromProperty(t *testing.T) {
	for _, c := range []struct{ json, want string }{ // want: EWKT, or "!" and the problem
		{`{"type": "Point", "coordinates": [7.45, 46.95]}`, "SRID=4326;POINT(7.45 46.95)"},
		{`{"type":"Point","coordinates":[7.45,46.95]}`, "SRID=4326;POINT(7.45 46.95)"},
		{`{"coordinates":[7.45,46.95],"type":"Point"}`, "SRID=4326;POINT(7.45 46.95)"},
		{` { "type" : "Point" , "coordinates" : [ 7.45 , 46.95 ] } `, "SRID=4326;POINT(7.45 46.95)"},
		{`{"type":"Point","coordinates":[14.42,50.08,9000]}`, "SRID=4326;POINT(14.42 50.08 9000)"},
		{`{"type":"Point","coordinates":[14.42,50.08,120,1700000000]}`, "SRID=4326;POINT(14.42 50.08 120)"},
		{`{"type":"Point","coordinates":[14.42,50.08,null]}`, "SRID=4326;POINT(14.42 50.08)"},
		{`{"type":"Point","coordinates":[14.42,50.08,"high",{}]}`, "SRID=4326;POINT(14.42 50.08)"},
		{`{"type":"Point","coordinates":[14.42,50.08,1e400]}`, "SRID=4326;POINT(14.42 50.08)"},
		{`{"type":"Point","coordinates":[-0.0,-0]}`, "SRID=4326;POINT(0 0)"},
		{`{"type":"Point","coordinates":[180,90]}`, "SRID=4326;POINT(180 90)"},
		{`{"type":"Point","coordinates":[-180,-90]}`, "SRID=4326;POINT(-180 -90)"},
		{`{"type":"Point","coordinates":[1.5e1,2E-1]}`, "SRID=4326;POINT(15 0.2)"},
		{`{"type":"Point","coordinates":[]}`, "SRID=4326;POINT EMPTY"},
		{`{"type":"Point","coordinates":[1,2],"crs":{"type":"name","properties":{"name":"EPSG:3857"}},"bbox":[1,2,3]}`, "SRID=4326;POINT(1 2)"},
		{`{"\u0074ype":"Point","coordinates":[1,2]}`, "SRID=4326;POINT(1 2)"},
		{`{"type":"LineString","coordinates":[[1,2],[3,4,5]]}`, "SRID=4326;LINESTRING(1 2 0,3 4 5)"},
		{`{"type":"Polygon","coordinates":[[[0,0],[9,0],[9,9],[0,0]],[[3,1],[4,1],[4,2],[3,1]]]}`, "SRID=4326;POLYGON((0 0,9 0,9 9,0 0),(3 1,4 1,4 2,3 1))"},
		{`{"type":"Polygon","coordinates":[]}`, "SRID=4326;POLYGON EMPTY"},
		{`{"type":"MultiPoint","coordinates":[[1,2],[3,4]]}`, "SRID=4326;MULTIPOINT(1 2,3 4)"},
		{`{"type":"MultiLineString","coordinates":[[[1,2],[3,4]],[[5,6],[7,8]]]}`, "SRID=4326;MULTILINESTRING((1 2,3 4),(5 6,7 8))"},
		{`{"type":"MultiPolygon","coordinates":[[[[0,0],[9,0],[9,9],[0,0]]],[[[0,0],[-9,0],[-9,-9],[0,0]]]]}`, "SRID=4326;MULTIPOLYGON(((0 0,9 0,9 9,0 0)),((0 0,-9 0,-9 -9,0 0)))"},
		{`{"type":"GeometryCollection","geometries":[{"type":"Point","coordinates":[1,2]},{"type":"Point","coordinates":[1,2,3]}]}`, "SRID=4326;GEOMETRYCOLLECTION(POINT(1 2 0),POINT(1 2 3))"},
		{`{"geometries":[{"type":"Point","coordinates":[1,2]}],"type":"GeometryCollection"}`, "SRID=4326;GEOMETRYCOLLECTION(POINT(1 2))"},

		{``, "!is no JSON: it ends too early"},
		{`null`, "!is no GeoJSON object"},
		{`7.45`, "!is no GeoJSON object"},
		{`"POINT(7.45 46.95)"`, "!is no GeoJSON object"},
		{`[7.45,46.95]`, "!is no GeoJSON object"},
		{`{}`, "!has no type"},
		{`{"coordinates":[7.45,46.95]}`, "!has no type"},
		{`{"type":5,"coordinates":[7.45,46.95]}`, "!has no type"},
		{`{"type":"Circle","coordinates":[7.45,46.95]}`, "!has a type that is no GeoJSON geometry"},
		{`{"type":"Feature","properties":{},"geometry":{"type":"Point","coordinates":[1,2]}}`, "!is a Feature, not a geometry; its geometry is under ->'geometry'"},
		{`{"type":"FeatureCollection","features":[]}`, "!is a Feature, not a geometry; its geometry is under ->'geometry'"},
		{`{"type":"Point"}`, "!has no coordinates"},
		{`{"type":"Point","coordinates":null}`, "!has coordinates that are no array"},
		{`{"type":"Point","coordinates":[1]}`, "!has a position of fewer than two numbers"},
		{`{"type":"Point","coordinates":["1",2]}`, "!has a coordinate that is no number"},
		{`{"type":"Point","coordinates":[null,2]}`, "!has a coordinate that is no number"},
		{`{"type":"Point","coordinates":[[1,2]]}`, "!has coordinates of the wrong nesting for its type"},
		{`{"type":"LineString","coordinates":[1,2]}`, "!has coordinates of the wrong nesting for its type"},
		{`{"type":"Polygon","coordinates":[[0,0],[1,1],[0,0]]}`, "!has coordinates of the wrong nesting for its type"},
		{`{"type":"Point","coordinates":[180.0000001,2]}`, "!has a coordinate outside longitude -180 to 180, latitude -90 to 90"},
		{`{"type":"Point","coordinates":[2,-90.0000001]}`, "!has a coordinate outside longitude -180 to 180, latitude -90 to 90"},
		{`{"type":"Point","coordinates":[-270,30]}`, "!has a coordinate outside longitude -180 to 180, latitude -90 to 90"},
		{`{"type":"Point","coordinates":[1e300,-1e300]}`, "!has a coordinate outside longitude -180 to 180, latitude -90 to 90"},
		{`{"type":"Point","coordinates":[1e400,0]}`, "!has a coordinate that is not finite"},
		{`{"type":"LineString","coordinates":[[1,2]]}`, "!has a line of fewer than two or a ring of fewer than four positions"},
		{`{"type":"Polygon","coordinates":[[[0,0],[1,1],[0,0]]]}`, "!has a line of fewer than two or a ring of fewer than four positions"},
		{`{"type":"Polygon","coordinates":[[[10,50],[11,50],[11,51],[10,51]]]}`, "!has a ring whose last position is not its first"},
		{`{"type":"GeometryCollection"}`, "!is a GeometryCollection without geometries"},
		{`{"type":"GeometryCollection","geometries":[5]}`, "!is no GeoJSON object"},
		{`{"type":"GeometryCollection","geometries":[{"type":"Feature"}]}`, "!is a Feature, not a geometry; its geometry is under ->'geometry'"},
		{`{"type":"Point","coordinates":[1,2]} x`, "!is no JSON"},
		{`{"type":"Point","coordinates":[1,2`, "!is no JSON: it ends too early"},
		{`{"type":"Point","coordinates":[1,,2]}`, "!is no JSON"},
		{`{"type":"Point","coordinates":[01,2]}`, "!is no JSON"},
		{strings.Repeat(`{"type":"GeometryCollection","geometries":[`, 300), "!is nested too deep"},
		{`{"x":` + strings.Repeat(`[`, 1000), "!is nested too deep"},
	} {
		g, problem := FromProperty(c.json)
		got := "!" + problem
		if problem == "" {
			got = g.String()
		} else if g != nil {
			t.Errorf("%s: a geometry and a problem", c.json)
		}
		if got != c.want {
			t.Errorf("%.100s: %s, want %s", c.json, got, c.want)
		}
		p, ok := PropertyPoint(c.json)
		if isPoint := g != nil && g.Kind() == Point && !g.IsEmpty(); ok != isPoint {
			t.Errorf("%.100s: point %v", c.json, ok)
		} else if x, y, _ := asPoint(g); ok && (p.LonDeg != x || p.LatDeg != y || math.Signbit(p.LonDeg) != math.Signbit(x)) {
			t.Errorf("%.100s: point %v, geometry %v", c.json, p, g)
		}
	}
}

func asPoint(g *Geometry) (x, y float64, ok bool) {
	if g == nil {
		return 0, 0, false
	}
	return g.AsPoint()
}

func TestFromPropertyAllocations(t *testing.T) {
	const json = `{"type": "Point", "coordinates": [13.404954, 52.520008]}`
	if n := testing.AllocsPerRun(100, func() { sinkGeometry, _ = FromProperty(json) }); n != 1 {
		t.Errorf("FromProperty of a point allocates %v times", n)
	}
	if n := testing.AllocsPerRun(100, func() { sinkPoint, _ = PropertyPoint(json) }); n != 0 {
		t.Errorf("PropertyPoint allocates %v times", n)
	}
}

// drawGeometry draws a geometry of any kind within longitude and latitude.
func drawGeometry(t *rapid.T, dims Dims, depth int) *Geometry {
	position := func() []float64 {
		p := []float64{rapid.Float64Range(-180, 180).Draw(t, "x") + 0, rapid.Float64Range(-90, 90).Draw(t, "y") + 0}
		for len(p) < dims.Stride() {
			p = append(p, rapid.Float64Range(-1e6, 1e6).Draw(t, "zm")+0)
		}
		return p
	}
	path := func(atLeast int, closed bool) (coords []float64) {
		for range rapid.IntRange(atLeast, atLeast+4).Draw(t, "positions") {
			coords = append(coords, position()...)
		}
		if closed {
			coords = append(coords, coords[:dims.Stride()]...)
		}
		return coords
	}
	polygon := func() *Geometry {
		var rings [][]float64
		for range rapid.IntRange(1, 3).Draw(t, "rings") {
			rings = append(rings, path(3, true))
		}
		return NewPolygon(rings, dims, 0)
	}
	last := GeometryCollection
	if depth > 2 {
		last = MultiPolygon
	}
	kind := Kind(rapid.IntRange(int(Point), int(last)).Draw(t, "kind"))
	if rapid.IntRange(0, 9).Draw(t, "empty") == 0 {
		return NewEmpty(kind, dims, 0)
	}
	switch kind {
	case Point:
		return NewPointDims(position(), dims, 0)
	case LineString:
		return NewLineString(path(2, false), dims, 0)
	case Polygon:
		return polygon()
	}
	var parts []*Geometry
	for range rapid.IntRange(1, 3).Draw(t, "parts") {
		switch kind {
		case MultiPoint:
			parts = append(parts, NewPointDims(position(), dims, 0))
		case MultiLineString:
			parts = append(parts, NewLineString(path(2, false), dims, 0))
		case MultiPolygon:
			parts = append(parts, polygon())
		default:
			parts = append(parts, drawGeometry(t, dims, depth+1))
		}
	}
	return NewCollection(kind, parts, dims, 0)
}

// TestRoundTrips: what is written is read back as it was, in every form that keeps it.
func TestRoundTrips(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		dims := Dims(rapid.IntRange(0, 3).Draw(t, "dims"))
		g := drawGeometry(t, dims, 0).WithSRID(int32(rapid.IntRange(0, 999999).Draw(t, "srid")))
		same := func(what string, b *Geometry, err error) {
			if err != nil || !Identical(g, b) {
				t.Fatalf("%s of %v: %v %v", what, g, b, err)
			}
		}
		b, err := ParseEWKB(g.AppendEWKB(nil))
		same("EWKB", b, err)
		if b.SRID() != g.SRID() {
			t.Fatalf("SRID %d became %d", g.SRID(), b.SRID())
		}
		b, err = ParseEWKB(g.AppendWKBOrder(nil, true, true))
		same("EWKB big-endian", b, err)
		b, err = ParseEWKB(g.AppendWKB(nil))
		same("WKB", b, err)
		b, err = ParseText(string(g.AppendHexEWKB(nil)))
		same("HEXEWKB", b, err)
		b, err = ParseText(string(AppendText(nil, g, 400)))
		same("text", b, err)
		same("simplefeatures", FromSF(g.SF(), g.SRID()), nil)
		if n, m := g.NumPoints(), 0; true {
			g.EachPosition(func(p []float64) bool { m++; return len(p) == dims.Stride() })
			if n != m {
				t.Fatalf("%d points, %d positions", n, m)
			}
		}
		if dims.HasM() || hasEmptyPart(g) {
			return
		}
		json := AppendGeoJSON(nil, g, 400, 0)
		b, err = ParseGeoJSON(json)
		same("GeoJSON", b, err)
		b, problem := FromProperty(string(json))
		if problem != "" || !Identical(g, b) {
			t.Fatalf("property %s: %v %s", json, b, problem)
		}
	})
}

// hasEmptyPart reports whether g is or has an empty part, which GeoJSON writes without
// ordinates, so that their number may change.
func hasEmptyPart(g *Geometry) bool {
	if g.IsEmpty() {
		return true
	}
	for i := range g.NumParts() {
		if p := g.Part(i); p != g && hasEmptyPart(p) {
			return true
		}
	}
	return false
}
