package spatialidx

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"pgregory.net/rapid"

	"raisind/geom"
)

// holds reports whether a cell is in a cover, by binary search over its ranges.
func (c Cover) holds(cell Cell) bool {
	lo, hi := 0, len(c.Ranges)
	for lo < hi {
		if mid := (lo + hi) / 2; c.Ranges[mid].Last < cell {
			lo = mid + 1
		} else {
			hi = mid
		}
	}
	return lo < len(c.Ranges) && c.Ranges[lo].First <= cell
}

// check verifies what holds for every cover: ranges ascending, apart, whole cells, and as
// many as it says.
func (c Cover) check() error {
	s := step(c.Precision)
	n := uint64(0)
	for i, r := range c.Ranges {
		if r.Last < r.First || uint64(r.First)%s != 0 || uint64(r.Last)%s != 0 {
			return fmt.Errorf("range %d %x-%x", i, r.First, r.Last)
		}
		if i > 0 && uint64(c.Ranges[i-1].Last)+s >= uint64(r.First) {
			return fmt.Errorf("ranges %d and %d touch", i-1, i)
		}
		n += (uint64(r.Last)-uint64(r.First))/s + 1
	}
	if n != uint64(c.Cells) {
		return fmt.Errorf("%d cells in ranges, Cells %d", n, c.Cells)
	}
	return nil
}

// finestFor returns the finest precision that covers the circle within maxCells, 0 for none.
func finestFor(center geom.LonLat, radiusM float64, maxCells int) (Cover, int) {
	for p := MaxPrecision; p >= 1; p-- {
		if c, _, ok := CoverCircle(center, radiusM, p, maxCells); ok {
			return c, p
		}
	}
	return Cover{}, 0
}

func randomCenter(r *rand.Rand) geom.LonLat {
	c := geom.LonLat{LonDeg: r.Float64()*360 - 180, LatDeg: r.Float64()*180 - 90}
	if r.IntN(4) == 0 {
		lons := []float64{-180, 180, 0, 179.99999, -179.99999, 90, 11.25, 45}
		c.LonDeg = lons[r.IntN(len(lons))]
	}
	if r.IntN(4) == 0 {
		lats := []float64{90, -90, 0, 89.99999, -89.99999, 89.9, -89.5, 48.515625, 45, 84, -75}
		c.LatDeg = lats[r.IntN(len(lats))]
	}
	return c
}

// TestCircleCoverComplete draws circles of all sizes anywhere and places in them, most
// near the rim: every place's cell must be in the cover, at every precision that has one.
func TestCircleCoverComplete(t *testing.T) {
	circles, places := 5_000, 40
	if testing.Short() {
		circles = 1_000
	}
	r := rand.New(rand.NewPCG(20260801, 3))
	for range circles {
		center := randomCenter(r)
		radiusM := math.Pow(10, -2+r.Float64()*(math.Log10(2e7)+2))
		finest, p0 := finestFor(center, radiusM, MaxScanCells)
		if p0 == 0 {
			t.Fatalf("no cover of %v, %v m", center, radiusM)
		}
		covers := []Cover{finest}
		for p := p0 - 1; p >= 1; p-- {
			c, need, ok := CoverCircle(center, radiusM, p, MaxScanCells)
			if !ok {
				// A coarser precision may need more cells only in a polar cap.
				if need <= MaxScanCells {
					t.Fatalf("cover of %v, %v m at %d refused with %d cells", center, radiusM, p, need)
				}
				continue
			}
			covers = append(covers, c)
		}
		for _, c := range covers {
			if err := c.check(); err != nil {
				t.Fatalf("%v, %v m at %d: %v", center, radiusM, c.Precision, err)
			}
		}
		for range places {
			share := 1.0
			switch r.IntN(4) {
			case 0:
				share = math.Sqrt(r.Float64())
			case 1:
				share = 1 - math.Pow(10, -15*r.Float64())
			}
			q := geom.ProjectM(center, radiusM*share, 2*math.Pi*r.Float64())
			if r.IntN(8) == 0 { // the extremes lie in the main directions
				q = geom.ProjectM(center, radiusM, math.Pi/2*float64(r.IntN(4)))
			}
			if !q.Valid() || geom.GeodesicM(center, q) > radiusM {
				continue
			}
			for _, c := range covers {
				if cell := CellAt(q, c.Precision); !c.holds(cell) {
					t.Fatalf("%v, %v m at %d: place %v, %v m away, cell %s not covered", center, radiusM, c.Precision,
						q, geom.GeodesicM(center, q), cell.String(c.Precision))
				}
			}
		}
	}
}

// TestCircleCoverAgainstCells compares covers with a test of each cell of a coarse grid:
// every cell with a place within the radius must be there.
func TestCircleCoverAgainstCells(t *testing.T) {
	r := rand.New(rand.NewPCG(20260801, 4))
	n := 400
	if testing.Short() {
		n = 40
	}
	for range n {
		center := randomCenter(r)
		radiusM := 2.1e7 * r.Float64() * r.Float64()
		const precision = 2
		c, _, ok := CoverCircle(center, radiusM, precision, MaxScanCells)
		if !ok {
			t.Fatalf("cover of %v, %v m refused", center, radiusM)
		}
		for i := range 1 << cellBits(precision) {
			cell := Cell(uint64(i) << (64 - cellBits(precision)))
			if c.holds(cell) {
				continue
			}
			b := cell.Bounds(precision)
			for range 8 {
				p := geom.LonLat{LonDeg: b.MinX + r.Float64()*(b.MaxX-b.MinX), LatDeg: b.MinY + r.Float64()*(b.MaxY-b.MinY)}
				switch r.IntN(3) {
				case 0:
					p.LonDeg = b.MinX
				case 1:
					p.LatDeg = b.MinY
				}
				if geom.GeodesicM(center, p) <= radiusM {
					t.Fatalf("%v, %v m: cell %s with place %v not covered", center, radiusM, cell.String(precision), p)
				}
			}
		}
	}
}

func TestCircleCoverEnds(t *testing.T) {
	o := geom.LonLat{LonDeg: 10, LatDeg: 50}
	for _, c := range []struct {
		name      string
		center    geom.LonLat
		radiusM   float64
		precision int
		cells     int
		ok        bool
	}{
		{"negative", o, -1, 6, 0, true},
		{"NaN radius", o, math.NaN(), 6, 0, true},
		{"NaN center", geom.LonLat{LonDeg: math.NaN()}, 10, 6, 0, true},
		{"off the world", geom.LonLat{LatDeg: 91}, 10, 6, 0, true},
		{"zero", o, 0, 8, 1, true},
		{"zero on a corner of cells", geom.LonLat{LonDeg: 11.25, LatDeg: 48.515625}, 0, 8, 4, true},
		{"zero at 180", geom.LonLat{LonDeg: 180, LatDeg: 1}, 0, 6, 2, true},
		{"zero at -180", geom.LonLat{LonDeg: -180, LatDeg: 1}, 0, 6, 2, true},
		{"zero at a pole", geom.LonLat{LonDeg: 0, LatDeg: 90}, 0, 2, 32, true},
		{"the Earth", o, 25e6, 2, 1024, true},
		{"the Earth, infinite", o, math.Inf(1), 2, 1024, true},
		{"the Earth at 6", o, 25e6, 6, 1 << 30, false},
	} {
		cover, need, ok := CoverCircle(c.center, c.radiusM, c.precision, MaxScanCells)
		if ok != c.ok || need != c.cells {
			t.Errorf("%s: %d cells, %v; want %d, %v", c.name, need, ok, c.cells, c.ok)
		}
		if err := cover.check(); ok && err != nil {
			t.Errorf("%s: %v", c.name, err)
		}
		if !ok && (cover.Ranges != nil || cover.Cells != 0) {
			t.Errorf("%s: refused and built", c.name)
		}
	}
}

// TestCircleCoverEstimate holds the number of cells needed, where it is an estimate, to
// the area it must cover.
func TestCircleCoverEstimate(t *testing.T) {
	for _, lat := range []float64{0, 45, 70} {
		for _, precision := range []int{8, 10, 12} {
			center, radiusM := geom.LonLat{LonDeg: 3, LatDeg: lat}, 300_000.0
			_, need, ok := CoverCircle(center, radiusM, precision, MaxScanCells)
			b := CellAt(center, precision).Bounds(precision)
			cellM2 := (b.MaxX - b.MinX) * (b.MaxY - b.MinY) * 111_320 * 111_320 * math.Cos(lat*radPerDeg)
			want := math.Pi * radiusM * radiusM / cellM2
			if ok || float64(need) < 0.95*want || float64(need) > 1.1*want {
				t.Errorf("%v at %d: %d cells, by area %.0f", center, precision, need, want)
			}
		}
	}
}

// TestCoverArea adds up the cells of covers.
func TestCoverArea(t *testing.T) {
	r := rand.New(rand.NewPCG(20260801, 6))
	for range 300 {
		center := randomCenter(r)
		c, precision := finestFor(center, math.Pow(10, 1+6*r.Float64()), MaxScanCells)
		sum := 0.0
		for _, run := range c.Ranges {
			for cell := uint64(run.First); ; cell += step(precision) {
				b := Cell(cell).Bounds(precision)
				sum += (b.MaxX - b.MinX) * radPerDeg * (math.Sin(b.MaxY*radPerDeg) - math.Sin(b.MinY*radPerDeg))
				if cell == uint64(run.Last) {
					break
				}
			}
		}
		if sum *= meanRadiusKm * meanRadiusKm; math.Abs(c.AreaKm2-sum) > 0.02*sum {
			t.Errorf("%v at %d: %v km², cells have %v", center, precision, c.AreaKm2, sum)
		}
	}
	b, _, _ := CoverBox(geom.Box{MinX: 5, MinY: 45, MaxX: 6, MaxY: 46}, 4, MaxScanCells)
	if b.AreaKm2 < 8000 || b.AreaKm2 > 16000 {
		t.Errorf("a degree has %v km²", b.AreaKm2)
	}
}

// TestBoxCover compares with the cells of places in and out of the box.
func TestBoxCover(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a, b := drawPlace(t), drawPlace(t)
		box := geom.Box{
			MinX: min(a.LonDeg, b.LonDeg), MinY: min(a.LatDeg, b.LatDeg),
			MaxX: max(a.LonDeg, b.LonDeg), MaxY: max(a.LatDeg, b.LatDeg),
		}
		for p := 1; p <= MaxPrecision; p++ {
			c, need, ok := CoverBox(box, p, MaxScanCells)
			if !ok {
				if need <= MaxScanCells {
					t.Fatalf("refused with %d cells", need)
				}
				break
			}
			if err := c.check(); err != nil || need != c.Cells {
				t.Fatalf("%v at %d: %v, need %d", box, p, err, need)
			}
			for _, x := range []float64{box.MinX, box.MaxX, (box.MinX + box.MaxX) / 2} {
				for _, y := range []float64{box.MinY, box.MaxY, (box.MinY + box.MaxY) / 2} {
					if cell := CellAt(geom.LonLat{LonDeg: x, LatDeg: y}, p); !c.holds(cell) {
						t.Fatalf("%v at %d: %v %v not covered", box, p, x, y)
					}
				}
			}
			// No cell is there without need.
			for _, r := range c.Ranges {
				for _, cell := range []Cell{r.First, r.Last} {
					if !cell.Bounds(p).Intersects(box) {
						t.Fatalf("%v at %d: cell %s for nothing", box, p, cell.String(p))
					}
				}
			}
		}
	})
}

func TestBoxCoverEnds(t *testing.T) {
	inf, nan := math.Inf(1), math.NaN()
	for _, c := range []struct {
		box   geom.Box
		cells int
	}{
		{geom.EmptyBox(), 0},
		{geom.Box{MinX: nan, MinY: 0, MaxX: 1, MaxY: 1}, 0},
		{geom.Box{MinX: 181, MinY: 0, MaxX: 190, MaxY: 1}, 0},
		{geom.Box{MinX: 0, MinY: -100, MaxX: 1, MaxY: -90.1}, 0},
		{geom.Box{MinX: -inf, MinY: -inf, MaxX: inf, MaxY: inf}, 1024},
		{geom.World, 1024},
		{geom.Box{MinX: 180, MinY: 90, MaxX: 180, MaxY: 90}, 1},
		{geom.Box{MinX: 0, MinY: 0, MaxX: 0, MaxY: 0}, 1},
	} {
		cover, need, ok := CoverBox(c.box, 2, MaxScanCells)
		if !ok || need != c.cells || cover.Cells != c.cells {
			t.Errorf("%v: %d cells, need %d, %v; want %d", c.box, cover.Cells, need, ok, c.cells)
		}
	}
}

func BenchmarkCoverCircle(b *testing.B) {
	for _, c := range []struct {
		radiusM   float64
		precision int
	}{{100, 8}, {1000, 6}, {10_000, 6}} {
		b.Run(fmt.Sprintf("%.0fm@%d", c.radiusM, c.precision), func(b *testing.B) {
			b.ReportAllocs()
			center := geom.LonLat{LonDeg: 13.404954, LatDeg: 52.520008}
			for b.Loop() {
				sinkCover, _, _ = CoverCircle(center, c.radiusM, c.precision, MaxScanCells)
			}
			b.ReportMetric(float64(sinkCover.Cells), "cells/op")
			b.ReportMetric(float64(len(sinkCover.Ranges)), "ranges/op")
		})
	}
}
