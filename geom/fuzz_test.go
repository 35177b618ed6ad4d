package geom

import (
	"errors"
	"testing"
)

var fuzzTexts = []string{
	"POINT(1 2)", "SRID=4326;POINT Z (1 2 3)", "POINT ZM EMPTY", "LINESTRING M (1 2 3,4 5 6)", "POLYGON((0 0,9 9,9 0,0 0),(5 4,6 4,6 5,5 4))",
	"MULTIPOINT((1 2),3 4,EMPTY)", "MULTIPOLYGON(((0 0,1 1,1 0,0 0)),EMPTY)", "GEOMETRYCOLLECTION(POINT(NaN 2),GEOMETRYCOLLECTION(LINESTRING(0 0,1e400 -.5)))",
	"0101000020E6100000000000000000F03F0000000000000040", "SRID=1;0103000000010000000000", "CIRCULARSTRING(0 0,1 1,2 0)",
	`{"type":"Point","coordinates":[1,2,3,4]}`, `{"coordinates":[[[0,0],[1,1],[1,0],[0,0]]],"type":"Polygon","crs":{"type":"name","properties":{"name":"EPSG:3857"}}}`,
	`{"type":"GeometryCollection","geometries":[{"type":"MultiPoint","coordinates":[[],[1,2]]}]}`, `{"type":"MultiPolygon","coordinates":[[[]]]}`,
}

// probe checks what must hold for every geometry, however it came about.
func probe(t *testing.T, g *Geometry) {
	if _, err := ParseEWKB(g.AppendEWKB(nil)); err != nil {
		t.Fatalf("%v: its EWKB gives %v", g, err)
	}
	if g.NumPoints() > 200 {
		return
	}
	other := MakeEnvelope(0, 0, 5, 5, g.SRID())
	point := NewPoint(1, 2, g.SRID())
	for _, relation := range relations {
		if _, err := relation(g, other); err != nil && !errors.Is(err, ErrTopology) {
			t.Fatalf("%v: %v", g, err)
		}
		if _, err := relation(point, g); err != nil && !errors.Is(err, ErrTopology) {
			t.Fatalf("%v: %v", g, err)
		}
	}
	for _, o := range []*Geometry{other, point} {
		d, ok := GeodesicDistanceM(g, o)
		if ok && !(d >= 0 && d <= HalfCircumferenceM) {
			t.Fatalf("%v: %v m to %v", g, d, o)
		}
		if GeodesicDWithin(g, o, d) != ok && ok {
			t.Fatalf("%v: not within its distance of %v", g, o)
		}
		if d, ok := PlanarDistance(g, o); ok && !(d >= 0) {
			t.Fatalf("%v: %v to %v", g, d, o)
		}
	}
	AppendGeoJSON(nil, g, 9, GeoJSONBox|GeoJSONForeignCRS)
	Centroid(g)
	Envelope(g)
	GeodesicBox(g)
	GeodesicAreaM2(g)
}

func FuzzParseText(f *testing.F) {
	for _, s := range fuzzTexts {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		g, err := ParseText(s)
		if err != nil {
			if !errors.Is(err, ErrParse) && !errors.Is(err, ErrUnsupported) {
				t.Fatalf("%q: %v", s, err)
			}
			return
		}
		b, err := ParseText(string(g.AppendHexEWKB(nil)))
		if err != nil || b.SRID() != g.SRID() || b.Kind() != g.Kind() {
			t.Fatalf("%q: %v %v", s, b, err)
		}
		probe(t, g)
	})
}

func FuzzParseEWKB(f *testing.F) {
	for _, s := range fuzzTexts {
		if g, err := ParseText(s); err == nil {
			f.Add(g.AppendEWKB(nil))
			f.Add(g.AppendWKBOrder(nil, false, true))
		}
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		g, err := ParseEWKB(b)
		if err != nil {
			if !errors.Is(err, ErrParse) && !errors.Is(err, ErrUnsupported) {
				t.Fatalf("%x: %v", b, err)
			}
			return
		}
		again, err := ParseEWKB(g.AppendEWKB(nil))
		if err != nil || !Identical(g, again) || g.SRID() != again.SRID() {
			t.Fatalf("%x: %v read again is %v %v", b, g, again, err)
		}
		probe(t, g)
	})
}

func FuzzParseGeoJSON(f *testing.F) {
	for _, s := range fuzzTexts {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		g, err := ParseGeoJSON(b)
		if err != nil {
			if !errors.Is(err, ErrParse) {
				t.Fatalf("%q: %v", b, err)
			}
			return
		}
		if g.Dims().HasM() {
			t.Fatalf("%q: a measure", b)
		}
		if g.odd() {
			return // written as NaN or Infinity, which is no JSON
		}
		again, err := ParseGeoJSON(AppendGeoJSON(nil, g, 400, GeoJSONForeignCRS))
		if err != nil || again.NumPoints() != g.NumPoints() {
			t.Fatalf("%q: %v read again is %v %v", b, g, again, err)
		}
		probe(t, g)
	})
}

func FuzzFromProperty(f *testing.F) {
	for _, s := range fuzzTexts {
		f.Add(s)
	}
	f.Add(`{"type": "Point", "coordinates": [13.4, 52.5]}`)
	f.Fuzz(func(t *testing.T, s string) {
		g, problem := FromProperty(s)
		if (g == nil) == (problem == "") {
			t.Fatalf("%q: %v %q", s, g, problem)
		}
		p, ok := PropertyPoint(s)
		if g == nil {
			if ok {
				t.Fatalf("%q: a point and %q", s, problem)
			}
			return
		}
		if q, isPoint := g.LonLat(); ok != isPoint || p != q {
			t.Fatalf("%q: %v %v, %v %v", s, p, ok, q, isPoint)
		}
		if b, notEmpty := g.Box(); g.SRID() != 4326 || g.odd() || notEmpty && !World.Contains(b) || CheckStructure(g) != nil {
			t.Fatalf("%q: %v", s, g)
		}
		// What a property holds, ST_GeomFromGeoJSON reads, too.
		if strict, err := ParseGeoJSON([]byte(s)); err != nil || !Identical(strict, g) {
			t.Fatalf("%q: property %v, GeoJSON %v %v", s, g, strict, err)
		}
		probe(t, g)
	})
}
