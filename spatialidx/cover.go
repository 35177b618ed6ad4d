package spatialidx

import (
	"math"
	"math/bits"
	"slices"

	"raisind/geom"
)

// Range is an inclusive run of cells of one precision, in the order of keys.
type Range struct{ First, Last Cell }

// Cover is a set of cells of one precision.
type Cover struct {
	Precision int
	Ranges    []Range // ascending, neighbours merged
	Cells     int
	AreaKm2   float64 // of the cells, on the sphere of the Earth's mean radius
}

// meanRadiusKm is the Earth's, as areas are only estimates.
const meanRadiusKm = 6371.0088

// maxCountedRows is up to how many rows of cells are counted one by one when a cover is
// over its budget; beyond, the number of cells needed is an estimate.
const maxCountedRows = 4096

// span is the columns of one row that are covered, inclusive; lo > hi is none. They may
// leave the world at either side: column -1 is the last one.
type span struct{ lo, hi int64 }

// grid is the cells of one precision as columns and rows.
type grid struct {
	precision  int
	cols, rows int64
}

func gridOf(precision int) grid {
	return grid{precision: precision, cols: 1 << lonBits(precision), rows: 1 << latBits(precision)}
}

// bottomDeg is the latitude of the lower edge of a row.
func (g grid) bottomDeg(row int64) float64 { return float64(row)*(180/float64(g.rows)) - 90 }

// rowAt and columnAt are the row and the column of a place, exactly as CellAt has them.
func (g grid) rowAt(latDeg float64) int64 {
	return int64(row(latDeg) >> (32 - latBits(g.precision)))
}

func (g grid) columnAt(lonDeg float64) int64 {
	return int64(column(lonDeg) >> (32 - lonBits(g.precision)))
}

// WholeWorld returns the cover of all cells of a precision.
func WholeWorld(precision int) Cover {
	return Cover{
		Precision: precision,
		Ranges:    []Range{{First: 0, Last: Cell(-step(precision))}},
		Cells:     1 << cellBits(precision),
		AreaKm2:   4 * math.Pi * meanRadiusKm * meanRadiusKm,
	}
}

// CoverBox covers a box in degrees, edges included, as planar predicates read it: what
// lies at longitude -180 is not in a box that ends at 180. It returns the cover, the
// cells needed, and whether they are no more than maxCells; if not, nothing is built. A
// box off the world, empty or with NaN bounds needs no cells.
func CoverBox(b geom.Box, precision, maxCells int) (Cover, int, bool) {
	cover := Cover{Precision: precision}
	if b.Empty() || !b.Intersects(geom.World) {
		return cover, 0, true
	}
	g := gridOf(precision)
	cols := span{lo: g.columnAt(max(b.MinX, -180)), hi: g.columnAt(min(b.MaxX, 180))}
	bottom, top := g.rowAt(max(b.MinY, -90)), g.rowAt(min(b.MaxY, 90))
	need := (cols.hi - cols.lo + 1) * (top - bottom + 1)
	if need > int64(maxCells) {
		return Cover{}, int(need), false
	}
	if need == g.cols*g.rows {
		return WholeWorld(precision), int(need), true
	}
	spans := make([]span, top-bottom+1)
	for i := range spans {
		spans[i] = cols
	}
	cover.Cells = int(need)
	cover.AreaKm2 = g.areaKm2(float64(cols.hi-cols.lo+1), bottom, top+1)
	cover.Ranges = g.ranges(bottom, spans)
	return cover, int(need), true
}

// areaKm2 is the area of cols columns between the lower edges of two rows.
func (g grid) areaKm2(cols float64, from, to int64) float64 {
	lon := cols / float64(g.cols) * 2 * math.Pi
	sinTo, sinFrom := math.Sin(g.bottomDeg(to)*radPerDeg), math.Sin(g.bottomDeg(from)*radPerDeg)
	return lon * (sinTo - sinFrom) * meanRadiusKm * meanRadiusKm
}

const radPerDeg = math.Pi / 180

// ranges turns spans of consecutive rows into runs of cells along the Z-order curve.
//
// It descends the curve by halves, as a key's bits do: a block of cells without a
// covered one is left, a block of covered cells only is one run, others are halved. So
// runs come out in order.
func (g grid) ranges(bottom int64, spans []span) []Range {
	var out []Range
	inside := make([]span, len(spans))
	passes := 0
	for _, shift := range [...]int64{0, g.cols, -g.cols} {
		lo, hi := g.cols, int64(-1)
		for i, s := range spans {
			s = span{lo: max(s.lo+shift, 0), hi: min(s.hi+shift, g.cols-1)}
			inside[i] = s
			if s.lo <= s.hi {
				lo, hi = min(lo, s.lo), max(hi, s.hi)
			}
		}
		if lo > hi {
			continue
		}
		passes++
		d := descent{grid: g, bottom: bottom, spans: inside, out: out, step: step(g.precision)}
		d.start(lo, hi)
		out = d.out
	}
	if passes > 1 {
		out = mergeRanges(out, step(g.precision))
	}
	return out
}

// descent is one walk down the curve.
type descent struct {
	grid
	bottom int64
	spans  []span
	step   uint64
	out    []Range
	merge  int // ranges before this one belong to an earlier pass
}

// start begins at the smallest block of the curve that holds the columns lo to hi of all
// rows.
func (d *descent) start(lo, hi int64) {
	d.merge = len(d.out)
	top := d.bottom + int64(len(d.spans)) - 1
	first, last := cellOf(lo, d.bottom, d.precision), cellOf(hi, top, d.precision)
	depth := min(bits.LeadingZeros64(uint64(first^last)), cellBits(d.precision))
	xBits := lonBits(d.precision) - (depth+1)/2
	yBits := latBits(d.precision) - depth/2
	d.block(lo>>xBits<<xBits, d.bottom>>yBits<<yBits, xBits, yBits)
}

// block covers the 2^xBits columns from x and the 2^yBits rows from y.
func (d *descent) block(x, y int64, xBits, yBits int) {
	right := x + 1<<xBits - 1
	from, to := y, y+1<<yBits-1
	first, last := max(from-d.bottom, 0), min(to-d.bottom, int64(len(d.spans))-1)
	if first > last {
		return
	}
	all := first == from-d.bottom && last == to-d.bottom
	some := false
	for _, s := range d.spans[first : last+1] {
		if s.lo <= right && s.hi >= x && s.lo <= s.hi {
			some = true
		}
		if s.lo > x || s.hi < right {
			all = false
		}
		if some && !all {
			break
		}
	}
	switch {
	case !some:
		return
	case all:
		d.emit(cellOf(x, y, d.precision), uint64(1)<<(xBits+yBits))
		return
	}
	// Bits of longitude and latitude take turns, longitude first.
	if depth := cellBits(d.precision) - xBits - yBits; depth%2 == 0 {
		d.block(x, y, xBits-1, yBits)
		d.block(x+1<<(xBits-1), y, xBits-1, yBits)
	} else {
		d.block(x, y, xBits, yBits-1)
		d.block(x, y+1<<(yBits-1), xBits, yBits-1)
	}
}

// emit adds a run of n cells.
func (d *descent) emit(first Cell, n uint64) {
	last := Cell(uint64(first) + (n-1)*d.step)
	if k := len(d.out); k > d.merge && uint64(d.out[k-1].Last)+d.step == uint64(first) {
		d.out[k-1].Last = last
		return
	}
	d.out = append(d.out, Range{First: first, Last: last})
}

// mergeRanges sorts ranges and joins those that overlap or touch.
func mergeRanges(rs []Range, step uint64) []Range {
	slices.SortFunc(rs, func(a, b Range) int {
		switch {
		case a.First < b.First:
			return -1
		case a.First > b.First:
			return 1
		}
		return 0
	})
	out := rs[:0]
	for _, r := range rs {
		if n := len(out); n > 0 && (r.First <= out[n-1].Last || uint64(r.First) == uint64(out[n-1].Last)+step) {
			out[n-1].Last = max(out[n-1].Last, r.Last)
			continue
		}
		out = append(out, r)
	}
	return out
}
