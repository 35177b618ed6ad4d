package geom

import "testing"

// The answers are PostGIS 3.3's.
func TestNormalize(t *testing.T) {
	for in, want := range map[string]string{
		"POLYGON((0 0,2 0,2 2,0 2,0 0),(0.5 0.5,0.5 0.6,0.6 0.6,0.5 0.5),(1 1,1 1.5,1.5 1.5,1 1))": "POLYGON((0 0,0 2,2 2,2 0,0 0),(1 1,1.5 1.5,1 1.5,1 1),(0.5 0.5,0.6 0.6,0.5 0.6,0.5 0.5))",
		"LINESTRING(3 3,1 1)":                                   "LINESTRING(1 1,3 3)",
		"LINESTRING(0 0,5 5,-1 3,0 0)":                          "LINESTRING(-1 3,5 5,0 0,-1 3)",
		"MULTIPOINT((1 1),(3 3),(2 2))":                         "MULTIPOINT((3 3),(2 2),(1 1))",
		"MULTIPOINT((1 1),EMPTY)":                               "MULTIPOINT((1 1),EMPTY)",
		"MULTILINESTRING((1 1,0 0),(5 5,6 6))":                  "MULTILINESTRING((5 5,6 6),(0 0,1 1))",
		"POLYGON EMPTY":                                         "POLYGON EMPTY",
		"LINESTRING Z (1 1 5,0 0 6)":                            "LINESTRING Z (0 0 6,1 1 5)",
		"MULTIPOLYGON(((0 0,1 0,1 1,0 0)),((5 5,6 5,6 6,5 5)))": "MULTIPOLYGON(((5 5,6 6,6 5,5 5)),((0 0,1 1,1 0,0 0)))",
		"GEOMETRYCOLLECTION(POINT(1 1),LINESTRING(1 1,0 0),POLYGON((0 0,1 0,1 1,0 0)),POINT(2 2),MULTIPOINT((1 1),(2 2)))": "GEOMETRYCOLLECTION(POLYGON((0 0,1 1,1 0,0 0)),LINESTRING(0 0,1 1),MULTIPOINT((2 2),(1 1)),POINT(2 2),POINT(1 1))",
	} {
		g, err := ParseText(in)
		if err != nil {
			t.Fatal(err)
		}
		if got := string(AppendText(nil, Normalize(g), 15)); got != want {
			t.Errorf("%s: %s, want %s", in, got, want)
		}
	}
}
