package spatialidx

import (
	"math"
	"math/rand/v2"
	"testing"

	"pgregory.net/rapid"

	"raisind/geom"
)

// drawPlace draws a valid place with a liking for edges of cells and of the world.
func drawPlace(t *rapid.T) geom.LonLat {
	draw := func(name string, limit float64) float64 {
		switch rapid.IntRange(0, 3).Draw(t, name+" kind") {
		case 0: // an edge of cells, or next to one
			n := rapid.IntRange(0, 30).Draw(t, name+" bits")
			k := rapid.Int64Range(0, 1<<n).Draw(t, name+" edge")
			v := -limit + 2*limit*(float64(k)/float64(int64(1)<<n))
			switch rapid.IntRange(0, 2).Draw(t, name+" side") {
			case 0:
				v = math.Nextafter(v, -limit)
			case 1:
				v = math.Nextafter(v, limit)
			}
			return v
		case 1:
			return rapid.SampledFrom([]float64{-limit, limit, 0, math.Copysign(0, -1), 1e-300, -1e-300, 1e-9, -1e-9}).Draw(t, name)
		}
		return rapid.Float64Range(-limit, limit).Draw(t, name)
	}
	return geom.LonLat{LonDeg: draw("lon", 180), LatDeg: draw("lat", 90)}
}

func TestCellIsGeoHash(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := drawPlace(t)
		for precision := 1; precision <= MaxPrecision; precision++ {
			c := CellAt(p, precision)
			want := geom.GeoHash(p.LonDeg, p.LatDeg, precision)
			if got := c.String(precision); got != want {
				t.Fatalf("%v at %d: %s, geohash %s", p, precision, got, want)
			}
			if back, n, err := ParseCell(want); err != nil || n != precision || back != c {
				t.Fatalf("ParseCell(%s) = %x %d %v, want %x", want, back, n, err, c)
			}
			b := c.Bounds(precision)
			inLon := p.LonDeg < b.MaxX || b.MaxX == 180
			inLat := p.LatDeg < b.MaxY || b.MaxY == 90
			if !b.ContainsPoint(p.LonDeg, p.LatDeg) || !inLon || !inLat {
				t.Fatalf("%v not in bounds %v of its cell", p, b)
			}
			if precision > 1 && c.Parent(precision-1) != CellAt(p, precision-1) {
				t.Fatalf("%v: parent of %x is %x", p, c, c.Parent(precision-1))
			}
		}
	})
}

func TestParseCellErrors(t *testing.T) {
	for _, s := range []string{"", "a", "u4i", "0123456789bcd", "u 4", "ü"} {
		if c, n, err := ParseCell(s); err == nil {
			t.Errorf("ParseCell(%q) = %x, %d", s, c, n)
		}
	}
}

var (
	sinkCell  Cell
	sinkCover Cover
)

func BenchmarkCellAt(b *testing.B) {
	r := rand.New(rand.NewPCG(1, 2))
	var ps [1024]geom.LonLat
	for i := range ps {
		ps[i] = geom.LonLat{LonDeg: r.Float64()*360 - 180, LatDeg: r.Float64()*180 - 90}
	}
	i := 0
	for b.Loop() {
		sinkCell = CellAt(ps[i&1023], 8)
		i++
	}
}
