package geom

import (
	"math"
	"math/rand/v2"
	"testing"
)

// awkward are coordinates at which formulas tend to break.
var (
	awkwardLon = []float64{-180, 180, 0, 90, -90, 179.9999999, -179.9999999, 1e-9, -1e-9, 13.4}
	awkwardLat = []float64{90, -90, 0, 89.9999999, -89.9999999, 1e-9, -1e-9, 45, 52.5, 0.25}
)

// randomPlace draws from the whole Earth, with a tenth of awkward coordinates.
func randomPlace(r *rand.Rand) LonLat {
	p := LonLat{LonDeg: r.Float64()*360 - 180, LatDeg: math.Asin(2*r.Float64()-1) / radPerDeg}
	if r.IntN(10) == 0 {
		p.LonDeg = awkwardLon[r.IntN(len(awkwardLon))]
	}
	if r.IntN(10) == 0 {
		p.LatDeg = awkwardLat[r.IntN(len(awkwardLat))]
	}
	return p
}

// antipode is the place opposite p, moved by up to a degree.
func nearAntipode(r *rand.Rand, p LonLat) LonLat {
	size := math.Pow(10, -12*r.Float64())
	q := LonLat{LonDeg: p.LonDeg + 180 + size*(2*r.Float64()-1), LatDeg: -p.LatDeg + size*(2*r.Float64()-1)}
	if q.LonDeg > 180 {
		q.LonDeg -= 360
	}
	q.LonDeg = max(-180, min(180, q.LonDeg))
	q.LatDeg = max(-90, min(90, q.LatDeg))
	return q
}

// randomPair draws two places: anywhere, close together at all scales, or opposite.
func randomPair(r *rand.Rand) (a, b LonLat) {
	a = randomPlace(r)
	switch r.IntN(4) {
	case 0:
		return a, randomPlace(r)
	case 1:
		return a, nearAntipode(r, a)
	}
	b = ProjectM(a, math.Pow(10, -3+10*r.Float64()), 2*math.Pi*r.Float64())
	b.LonDeg = max(-180, min(180, b.LonDeg))
	b.LatDeg = max(-90, min(90, b.LatDeg))
	return a, b
}

// TestWithinIsGeodesic draws pairs and asks with radii round their distance, where a wrong
// bound would show: WithinM must be GeodesicM(a, b) <= r everywhere.
func TestWithinIsGeodesic(t *testing.T) {
	n := 1_000_000
	if testing.Short() {
		n = 100_000
	}
	r := rand.New(rand.NewPCG(20260801, 1))
	factors := []float64{1, 1 - 1e-12, 1 + 1e-12, 1 - 1e-6, 1 + 1e-6, 0.999, 1.001, 0.9966, 1.0034, 0.994, 1.006, 0.99, 1.01, 0.5, 2}
	for range n {
		a, b := randomPair(r)
		d := GeodesicM(a, b)
		if d != d || d < 0 || d > HalfCircumferenceM {
			t.Fatalf("GeodesicM(%v, %v) = %v", a, b, d)
		}
		f := factors[r.IntN(len(factors))]
		radius := d * f
		if r.IntN(8) == 0 {
			radius = math.Nextafter(d, math.Inf(r.IntN(3)-1))
		}
		if got, want := WithinM(a, b, radius), d <= radius; got != want {
			t.Fatalf("WithinM(%v, %v, %v) = %v, distance %v", a, b, radius, got, d)
		}
		if c := NewCircle(a, radius); c.Contains(b) != (d <= radius) {
			t.Fatalf("circle of %v m round %v, %v: %v, distance %v", radius, a, b, d > radius, d)
		}
		if r.IntN(16) == 0 {
			if back := GeodesicM(b, a); back != d {
				t.Fatalf("GeodesicM(%v, %v) = %v, back %v", a, b, d, back)
			}
		}
	}
}

// TestBoundsHold checks the inequality the circle rests on, m·σ <= distance <= n·σ, with
// no slack but that of float64.
func TestBoundsHold(t *testing.T) {
	n := 500_000
	if testing.Short() {
		n = 50_000
	}
	r := rand.New(rand.NewPCG(20260801, 2))
	for range n {
		a, b := randomPair(r)
		d := GeodesicM(a, b)
		low, high := radiiAround(a.LatDeg, d)
		if low < minRadiusM || high > maxRadiusM*(1+1e-15) || low > high {
			t.Fatalf("radii %v %v at %v, %v m", low, high, a.LatDeg, d)
		}
		sLat, sLon := math.Sin((b.LatDeg-a.LatDeg)*radPerDeg/2), math.Sin((b.LonDeg-a.LonDeg)*radPerDeg/2)
		h := sLat*sLat + math.Cos(a.LatDeg*radPerDeg)*math.Cos(b.LatDeg*radPerDeg)*sLon*sLon
		sigma := 2 * math.Asin(math.Sqrt(min(h, 1)))
		slack := 1e-7 + 1e-13*d // coordinates of random pairs are rounded
		if h > 1-1e-12 {
			slack = 1
		}
		if low*sigma > d+slack {
			t.Fatalf("%v %v: %v m, lower bound %v", a, b, d, low*sigma)
		}
		_, high = radiiAround(a.LatDeg, sigma*maxRadiusM)
		if high*sigma < d-slack {
			t.Fatalf("%v %v: %v m, upper bound %v", a, b, d, high*sigma)
		}
	}
}

func TestWithinOddInput(t *testing.T) {
	nan, inf := math.NaN(), math.Inf(1)
	o := LonLat{}
	for _, c := range []struct {
		a, b LonLat
		r    float64
		want bool
	}{
		{o, o, 0, true},
		{o, o, nan, false},
		{o, o, -1, false},
		{o, o, math.Copysign(0, -1), true},
		{o, LonLat{180, 0}, inf, true},
		{o, LonLat{180, 0}, 1e300, true},
		{o, LonLat{nan, 0}, inf, false},
		{LonLat{0, nan}, o, inf, false},
		{LonLat{inf, 0}, o, inf, false},
		{o, LonLat{0, 91}, inf, false},
		{LonLat{0, 91}, LonLat{0, 91}, inf, false},
		{LonLat{190, 0}, LonLat{-170, 0}, 1, true},
		{LonLat{0, 90}, LonLat{77, 90}, 0, true},
		{LonLat{180, 12}, LonLat{-180, 12}, 0, true},
		{LonLat{0, -90}, LonLat{0, 90}, 20003931.4587, true},
		{LonLat{0, -90}, LonLat{0, 90}, 20003931.45, false},
	} {
		if got := WithinM(c.a, c.b, c.r); got != c.want {
			t.Errorf("WithinM(%v, %v, %v) = %v", c.a, c.b, c.r, got)
		}
		if circle := NewCircle(c.a, c.r); circle.Contains(c.b) != c.want {
			t.Errorf("circle of %v m round %v, %v: %v", c.r, c.a, c.b, !c.want)
		}
		if got, want := WithinM(c.a, c.b, c.r), GeodesicM(c.a, c.b) <= c.r; got != want {
			t.Errorf("WithinM(%v, %v, %v) = %v, GeodesicM %v", c.a, c.b, c.r, got, GeodesicM(c.a, c.b))
		}
	}
}
