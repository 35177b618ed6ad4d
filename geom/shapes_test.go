package geom

import (
	"math"
	"math/rand/v2"
	"testing"

	sf "github.com/peterstace/simplefeatures/geom"
	"pgregory.net/rapid"
)

// TestPointInPolygon compares with simplefeatures on random rings, points on vertices,
// edges and beside them, with and without index.
func TestPointInPolygon(t *testing.T) {
	r := rand.New(rand.NewPCG(20260801, 6))
	for _, n := range []int{4, 20, 33, 100, 700} {
		for round := range 6 {
			grid := round%2 == 0 // whole numbers: many points on edges, many horizontal edges
			ring := make([]float64, 0, 2*n+2)
			for i := range n {
				a := float64(i) / float64(n) * 2 * math.Pi
				d := 10 * (0.5 + 0.5*r.Float64())
				x, y := d*math.Cos(a), d*math.Sin(a)
				if grid {
					x, y = math.Round(x), math.Round(y)
				}
				ring = append(ring, x, y)
			}
			ring = append(ring, ring[0], ring[1])
			g := NewPolygon([][]float64{ring}, XY, 0)
			index, plain := makeAreaIndex(g, true), makeAreaIndex(g, false)
			valid := g.SF().Validate() == nil
			for range 300 {
				x, y := 24*(r.Float64()-0.5), 24*(r.Float64()-0.5)
				switch i := 2 * r.IntN(n); r.IntN(4) {
				case 0:
					x, y = math.Round(x), math.Round(y)
				case 1:
					x, y = ring[i], ring[i+1]
				case 2:
					x, y = (ring[i]+ring[i+2])/2, (ring[i+1]+ring[i+3])/2
				}
				at := plain.locate(x, y)
				if index.locate(x, y) != at || locatePoint(g, x, y) != at {
					t.Fatalf("%v %v: index %v, plain %v, direct %v", x, y, index.locate(x, y), at, locatePoint(g, x, y))
				}
				if !valid {
					continue
				}
				m, err := sf.Relate(g.SF(), sf.NewPointXY(x, y).AsGeometry())
				if err != nil {
					t.Fatal(err)
				}
				want := exterior
				if m[0] == '0' {
					want = interior
				} else if m[3] == '0' {
					want = boundary
				}
				if at != want {
					t.Fatalf("%v in %v: %v, want %v (%s)", []float64{x, y}, ring, at, want, m)
				}
			}
		}
	}
}

// TestOrientationIsExact asks for points that plain arithmetic puts on the wrong side.
func TestOrientationIsExact(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		// a and b on a line of slope 1 with offsets a double can hold but not multiply.
		x := rapid.Float64Range(-180, 180).Draw(t, "x")
		d := rapid.Float64Range(1e-9, 1).Draw(t, "d")
		ax, bx := x, x+d
		mid := x + d/2
		// y = x on all three: exactly on the line whatever the rounding of x + d.
		if s := orientation(ax, ax, bx, bx, mid, mid); s != 0 {
			t.Fatalf("on the line: %d", s)
		}
		if s := orientation(ax, ax, bx, bx, mid, math.Nextafter(mid, 1e9)); s != 1 {
			t.Fatalf("one step left: %d", s)
		}
		if s := orientation(ax, ax, bx, bx, mid, math.Nextafter(mid, -1e9)); s != -1 {
			t.Fatalf("one step right: %d", s)
		}
	})
}

// TestMultiPointIsItsNearestPoint: a shape is as near as its nearest part, exactly.
func TestMultiPointIsItsNearestPoint(t *testing.T) {
	r := rand.New(rand.NewPCG(20260801, 7))
	for range 4000 {
		center := randomPlace(r)
		size := math.Pow(10, 7*r.Float64())
		var parts []*Geometry
		nearest := math.Inf(1)
		for range 1 + r.IntN(30) {
			// All about as far away, so that sphere and ellipsoid may differ in which is nearest.
			p := ProjectM(center, size*(1+0.004*r.Float64()), 2*math.Pi*r.Float64())
			parts = append(parts, NewPoint(p.LonDeg, p.LatDeg, 0))
			nearest = min(nearest, GeodesicM(center, p))
		}
		g := NewCollection(MultiPoint, parts, XY, 4326)
		point := NewPoint(center.LonDeg, center.LatDeg, 4326)
		other := NewCollection(MultiPoint, []*Geometry{point}, XY, 4326)
		for _, o := range []*Geometry{point, other} {
			if d, ok := GeodesicDistanceM(g, o); !ok || d != nearest {
				t.Fatalf("%v to %v: %v, nearest point %v", o, g, d, nearest)
			}
		}
	}
}

// TestGeodesicBoxHolds: every place on an edge, read either way, is in the box.
func TestGeodesicBoxHolds(t *testing.T) {
	r := rand.New(rand.NewPCG(20260801, 8))
	for range 3000 {
		a, b := randomPair(r)
		g := NewLineString([]float64{a.LonDeg, a.LatDeg, b.LonDeg, b.LatDeg}, XY, 4326)
		box, ok := GeodesicBox(g)
		if !ok {
			t.Fatalf("no box of %v", g)
		}
		for i := range 11 {
			f := float64(i) / 10
			x, y := a.LonDeg+f*(b.LonDeg-a.LonDeg), a.LatDeg+f*(b.LatDeg-a.LatDeg)
			if !box.Expand(1e-12, 1e-12).ContainsPoint(x, y) {
				t.Fatalf("%v: %v %v not in %v", g, x, y, box)
			}
			p, q := spherePoint(a), spherePoint(b)
			if p.Dot(q.Vector) < -0.9999 {
				continue
			}
			on := sphereLonLat(pointBetween(p, q, f))
			if !box.Expand(1e-8, 0).ContainsPoint(on.LonDeg, on.LatDeg) && math.Abs(on.LatDeg) < 90-1e-6 {
				t.Fatalf("%v: arc at %v not in %v", g, on, box)
			}
		}
	}
}

// TestDistanceToSegments compares the search with all pairs.
func TestDistanceToSegments(t *testing.T) {
	r := rand.New(rand.NewPCG(20260801, 9))
	line := func(n int, x, y float64) *Geometry {
		coords := make([]float64, 0, 2*n)
		for range n {
			x, y = x+r.NormFloat64(), y+r.NormFloat64()
			coords = append(coords, x, y)
		}
		return NewLineString(coords, XY, 0)
	}
	for range 300 {
		a, b := line(2+r.IntN(200), 0, 0), line(2+r.IntN(200), 40*r.Float64(), 40*r.Float64())
		sa, sb := a.planar(), b.planar()
		want := math.Inf(1)
		meets := false
		for _, ea := range sa.edges.edges {
			for _, eb := range sb.edges.edges {
				want = min(want, sa.segment(ea).distance(sb.segment(eb)))
				meets = meets || sa.segment(ea).meet(sb.segment(eb)) != apart
			}
		}
		if d, ok := PlanarDistance(a, b); !ok || d != want {
			t.Fatalf("distance %v, by all pairs %v", d, want)
		}
		if got, err := Intersects(a, b); err != nil || got != meets {
			t.Fatalf("intersects %v %v, by all pairs %v", got, err, meets)
		}
	}
}

// TestProjectAndBack: the place at a distance is at that distance, in that direction.
func TestProjectAndBack(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := LonLat{LonDeg: rapid.Float64Range(-180, 180).Draw(t, "lon"), LatDeg: rapid.Float64Range(-89, 89).Draw(t, "lat")}
		d := rapid.Float64Range(0.1, 1.9e7).Draw(t, "d")
		az := rapid.Float64Range(0, 2*math.Pi-1e-9).Draw(t, "azimuth")
		q := ProjectM(p, d, az)
		if got := GeodesicM(p, q); math.Abs(got-d) > 1e-6 {
			t.Fatalf("%v m from %v is %v, %v m away", d, p, q, got)
		}
		back, ok := AzimuthRad(p, q)
		if diff := math.Abs(math.Remainder(back-az, 2*math.Pi)); !ok || diff > 1e-5/min(d, 1e5) {
			t.Fatalf("direction %v from %v comes back as %v", az, p, back)
		}
	})
	if _, ok := AzimuthRad(berlin, berlin); ok {
		t.Error("a direction from a place to itself")
	}
	if az, ok := AzimuthRad(LonLat{}, LonLat{LonDeg: -1}); !ok || az != 4.71238898038469 {
		t.Errorf("west is %v", az)
	}
	if az, ok := PlanarAzimuthRad(0, 0, -1, 0); !ok || az != 4.71238898038469 {
		t.Errorf("west is %v", az)
	}
}
