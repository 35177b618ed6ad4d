package crs

import (
	"bufio"
	"math"
	"os"
	"strconv"
	"strings"
	"testing"
)

// TestPROJ compares positions with what PostGIS 3.3 with PROJ 9.1 computed: SRID,
// longitude, latitude, x, y.
func TestPROJ(t *testing.T) {
	file, err := os.Open("testdata/proj.tsv")
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	world := frame(t, 4326)
	n := 0
	for in := bufio.NewScanner(file); in.Scan(); n++ {
		f := strings.Split(in.Text(), "\t")
		var v [5]float64
		for i := range v {
			if v[i], err = strconv.ParseFloat(f[i], 64); err != nil {
				t.Fatal(err)
			}
		}
		fr := frame(t, int32(v[0]))
		unit := fr.UnitM()
		if fr.Geographic() {
			unit = 111_000
		}
		x, y, err := Between(world, fr).Apply(v[1], v[2], 0)
		if d := math.Hypot(x-v[3], y-v[4]) * unit; err != nil || !(d < 1e-3) && !(fr.Geographic() && d < 20) && v[0] != 5514 {
			t.Errorf("SRID %v: %v %v is %v %v (%v m off), %v", v[0], v[1], v[2], x, y, d, err)
			continue
		}
		lon, lat, err := Between(fr, world).Apply(x, y, 0)
		if d := math.Hypot(lon-v[1], lat-v[2]) * 111_000; err != nil || !(d < 0.3) {
			t.Errorf("SRID %v: %v %v goes back to %v %v (%v m off), %v", v[0], v[1], v[2], lon, lat, d, err)
		}
	}
	if n < 2000 {
		t.Errorf("only %d positions", n)
	}
}

func frame(t *testing.T, srid int32) *Frame {
	t.Helper()
	s, ok := ByID(srid)
	if !ok {
		t.Fatalf("no SRID %d", srid)
	}
	f, err := s.Frame()
	if err != nil {
		t.Fatal(err)
	}
	return f
}

func TestEveryFrame(t *testing.T) {
	for _, s := range All() {
		if _, err := s.Frame(); err != nil {
			t.Errorf("SRID %d: %v", s.SRID, err)
		}
	}
}

func TestParseRefuses(t *testing.T) {
	for _, text := range []string{"", "+proj=none", "+proj=utm +zone=77", "+proj=merc +units=parsec", "+proj=tmerc +lon_0=x", "+proj=merc +ellps=?"} {
		if _, err := Parse(text); err == nil {
			t.Errorf("%q is taken", text)
		}
	}
}
