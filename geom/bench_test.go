package geom

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"
)

var (
	sinkGeometry *Geometry
	sinkPoint    LonLat
	sinkFloat    float64
	sinkBool     bool
	sinkBytes    []byte
)

// berlin and places round it, up to 0.1 degrees away.
var berlin = LonLat{LonDeg: 13.404954, LatDeg: 52.520008}

func placesNear(n int) []LonLat {
	r := rand.New(rand.NewPCG(1, 2))
	ps := make([]LonLat, n)
	for i := range ps {
		ps[i] = LonLat{LonDeg: berlin.LonDeg + 0.2*(r.Float64()-0.5), LatDeg: berlin.LatDeg + 0.2*(r.Float64()-0.5)}
	}
	return ps
}

// starPolygon is a ring of n vertices round Berlin, rugged as a coast.
func starPolygon(n int) *Geometry {
	r := rand.New(rand.NewPCG(3, 4))
	coords := make([]float64, 0, 2*n+2)
	for i := range n {
		a := float64(i) / float64(n) * 2 * math.Pi
		d := 0.05 * (0.8 + 0.2*r.Float64())
		coords = append(coords, berlin.LonDeg+d*math.Cos(a), berlin.LatDeg+d*math.Sin(a))
	}
	return NewPolygon([][]float64{append(coords, coords[0], coords[1])}, XY, 4326)
}

func BenchmarkFromProperty(b *testing.B) {
	for _, c := range []struct{ name, json string }{
		{"point", `{"type": "Point", "coordinates": [13.404954, 52.520008]}`},
		{"pointZ", `{"type": "Point", "coordinates": [13.404954, 52.520008, 34.5]}`},
		{"pointOtherOrder", `{"coordinates": [13.404954, 52.520008], "type": "Point"}`},
		{"polygon1000", string(AppendGeoJSON(nil, starPolygon(1000), 9, 0))},
		{"none", `{"speed": 12, "unit": "km/h"}`},
	} {
		b.Run(c.name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				sinkGeometry, _ = FromProperty(c.json)
			}
		})
	}
}

func BenchmarkPropertyPoint(b *testing.B) {
	b.ReportAllocs()
	for b.Loop() {
		sinkPoint, _ = PropertyPoint(`{"type": "Point", "coordinates": [13.404954, 52.520008]}`)
	}
}

func BenchmarkGeodesicM(b *testing.B) {
	ps := placesNear(1024)
	i := 0
	for b.Loop() {
		sinkFloat = GeodesicM(berlin, ps[i&1023])
		i++
	}
}

func BenchmarkWithinM(b *testing.B) {
	ps := placesNear(1024)
	for _, radiusM := range []float64{100, 5000} {
		b.Run(fmt.Sprintf("pair/%.0fm", radiusM), func(b *testing.B) {
			i := 0
			for b.Loop() {
				sinkBool = WithinM(berlin, ps[i&1023], radiusM)
				i++
			}
		})
		b.Run(fmt.Sprintf("circle/%.0fm", radiusM), func(b *testing.B) {
			c := NewCircle(berlin, radiusM)
			i := 0
			for b.Loop() {
				sinkBool = c.Contains(ps[i&1023])
				i++
			}
		})
	}
}

func BenchmarkPointInPolygon(b *testing.B) {
	ps := placesNear(1024)
	for _, n := range []int{5, 100, 1000, 10_000} {
		g := starPolygon(n)
		b.Run(fmt.Sprintf("prepared/%d", n), func(b *testing.B) {
			p := Prepare(g)
			i := 0
			for b.Loop() {
				sinkBool = p.IntersectsPoint(ps[i&1023].LonDeg, ps[i&1023].LatDeg)
				i++
			}
		})
		b.Run(fmt.Sprintf("contains/%d", n), func(b *testing.B) {
			points := make([]*Geometry, len(ps))
			for i, p := range ps {
				points[i] = NewPoint(p.LonDeg, p.LatDeg, 4326)
			}
			b.ReportAllocs()
			i := 0
			for b.Loop() {
				sinkBool, _ = Contains(g, points[i&1023])
				i++
			}
		})
	}
}

func BenchmarkGeodesicToPolygon(b *testing.B) {
	ps := placesNear(1024)
	for _, n := range []int{5, 100, 10_000} {
		g := starPolygon(n)
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			b.ReportAllocs()
			i := 0
			for b.Loop() {
				sinkFloat, _ = GeodesicDistanceM(g, NewPoint(ps[i&1023].LonDeg, ps[i&1023].LatDeg, 4326))
				i++
			}
		})
	}
}

func BenchmarkIntersects(b *testing.B) {
	g := starPolygon(1000)
	r := rand.New(rand.NewPCG(5, 6))
	boxes := make([]*Geometry, 256)
	for i := range boxes {
		x, y := berlin.LonDeg+0.15*(r.Float64()-0.5), berlin.LatDeg+0.15*(r.Float64()-0.5)
		boxes[i] = MakeEnvelope(x, y, x+0.005, y+0.005, 4326)
	}
	for name, f := range map[string]func(a, b *Geometry) (bool, error){"intersects": Intersects, "contains": Contains} {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			i := 0
			for b.Loop() {
				fresh := *boxes[i&255]
				fresh.s = &shape{coords: fresh.s.coords, ends: fresh.s.ends}
				sinkBool, _ = f(g, &fresh)
				i++
			}
		})
	}
}

func BenchmarkCodecs(b *testing.B) {
	point, polygon := NewPoint(13.404954, 52.520008, 4326), starPolygon(1000)
	for name, g := range map[string]*Geometry{"point": point, "polygon1000": polygon} {
		ewkb, text := g.AppendEWKB(nil), g.String()
		b.Run(name+"/ParseEWKB", func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				sinkGeometry, _ = ParseEWKB(ewkb)
			}
		})
		b.Run(name+"/ParseText", func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				sinkGeometry, _ = ParseText(text)
			}
		})
		b.Run(name+"/AppendEWKB", func(b *testing.B) {
			for b.Loop() {
				sinkBytes = g.AppendEWKB(sinkBytes[:0])
			}
		})
		b.Run(name+"/AppendText", func(b *testing.B) {
			for b.Loop() {
				sinkBytes = AppendText(sinkBytes[:0], g, 15)
			}
		})
		b.Run(name+"/AppendGeoJSON", func(b *testing.B) {
			for b.Loop() {
				sinkBytes = AppendGeoJSON(sinkBytes[:0], g, 9, 8)
			}
		})
	}
}
