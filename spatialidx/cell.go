package spatialidx

import (
	"errors"
	"fmt"
	"math"
	"math/bits"

	"raisind/geom"
)

// Limits of the index.
const (
	// MaxPrecision is the longest geohash, in characters: cells of 37 by 19 mm at the
	// equator.
	MaxPrecision = 12
	// MaxScanCells is how many cells one predicate may scan.
	MaxScanCells = 1024
	// MaxCoverCells is how many cells one stored shape may have at one precision.
	MaxCoverCells = 32
)

// Cell is a geohash cell: the top 5·precision bits of the 64-bit geohash, longitude bit
// first, left-aligned, the rest 0. So cells of one precision sort along the Z-order
// curve, and a cell's parts at a finer precision are a contiguous run.
//
// A place on an edge belongs to the cell east and north of it, except at longitude 180
// and latitude 90, as in ST_GeoHash.
type Cell uint64

const cellDigits = "0123456789bcdefghjkmnpqrstuvwxyz"

// ErrCellText is a text that is no geohash of 1 to 12 characters.
var ErrCellText = errors.New("malformed geohash")

// Bounds of columns and rows are multiples of 360/2^32 and 180/2^32 degrees, which
// float64 holds exactly: 360/2^32 is 45/2^29.
const (
	colDeg = 45.0 / (1 << 29)
	rowDeg = 45.0 / (1 << 30)
)

// column is the index of the 2^-32th of all longitudes that lon lies in.
func column(lonDeg float64) uint32 { return slot(lonDeg, colDeg) }

// row is the index of the 2^-32th of all latitudes that lat lies in.
func row(latDeg float64) uint32 { return slot(latDeg, rowDeg) }

// slot is floor(deg/width) + 2^31, exact, and kept in range.
func slot(deg, width float64) uint32 {
	i := math.Floor(deg * (1 / width))
	// The product is rounded: compare with the exact edges.
	if deg < i*width {
		i--
	} else if deg >= (i+1)*width {
		i++
	}
	if i >= 1<<31 {
		return math.MaxUint32
	}
	if i < -(1 << 31) {
		return 0
	}
	return uint32(int64(i) + 1<<31)
}

// spread moves bit i of v to bit 2i.
func spread(v uint32) uint64 {
	x := uint64(v)
	x = (x | x<<16) & 0x0000ffff0000ffff
	x = (x | x<<8) & 0x00ff00ff00ff00ff
	x = (x | x<<4) & 0x0f0f0f0f0f0f0f0f
	x = (x | x<<2) & 0x3333333333333333
	return (x | x<<1) & 0x5555555555555555
}

// compact undoes spread.
func compact(x uint64) uint32 {
	x &= 0x5555555555555555
	x = (x | x>>1) & 0x3333333333333333
	x = (x | x>>2) & 0x0f0f0f0f0f0f0f0f
	x = (x | x>>4) & 0x00ff00ff00ff00ff
	x = (x | x>>8) & 0x0000ffff0000ffff
	return uint32(x | x>>16)
}

// cellBits is how many bits of a cell count at a precision; lonBits and latBits are those
// of the column and of the row.
func cellBits(precision int) int { return 5 * precision }
func lonBits(precision int) int  { return (5*precision + 1) / 2 }
func latBits(precision int) int  { return 5 * precision / 2 }

// step is the difference between a cell and the next.
func step(precision int) uint64 { return 1 << (64 - cellBits(precision)) }

// CellAt returns the cell p lies in. That p is Valid and precision is 1 to MaxPrecision
// is the caller's duty.
func CellAt(p geom.LonLat, precision int) Cell {
	z := spread(column(p.LonDeg))<<1 | spread(row(p.LatDeg))
	return Cell(z &^ (step(precision) - 1))
}

// cellOf makes a cell of a column and a row of its precision.
func cellOf(col, row int64, precision int) Cell {
	x := uint32(col << (32 - lonBits(precision)))
	y := uint32(row << (32 - latBits(precision)))
	return Cell(spread(x)<<1 | spread(y))
}

// Parent returns the cell of a coarser precision that c lies in.
func (c Cell) Parent(precision int) Cell { return Cell(uint64(c) &^ (step(precision) - 1)) }

// String returns c as a geohash of precision characters.
func (c Cell) String(precision int) string {
	var text [MaxPrecision]byte
	v := uint64(c)
	for i := range precision {
		v = bits.RotateLeft64(v, 5)
		text[i] = cellDigits[v&31]
	}
	return string(text[:precision])
}

// ParseCell reads a geohash and returns its cell and precision.
func ParseCell(s string) (Cell, int, error) {
	if len(s) == 0 || len(s) > MaxPrecision {
		return 0, 0, fmt.Errorf("%w: %q", ErrCellText, s)
	}
	v := uint64(0)
	for i := range len(s) {
		d := digitValue(s[i])
		if d < 0 {
			return 0, 0, fmt.Errorf("%w: %q", ErrCellText, s)
		}
		v = v<<5 | uint64(d)
	}
	return Cell(v << (64 - cellBits(len(s)))), len(s), nil
}

func digitValue(c byte) int {
	for i := range len(cellDigits) {
		if cellDigits[i] == c {
			return i
		}
	}
	return -1
}

// Bounds returns c as a box in degrees; its right and upper edges belong to the
// neighbours, except at the end of the world.
func (c Cell) Bounds(precision int) geom.Box {
	x, y := compact(uint64(c)>>1), compact(uint64(c))
	minX, minY := (float64(x)-1<<31)*colDeg, (float64(y)-1<<31)*rowDeg
	return geom.Box{
		MinX: minX, MinY: minY,
		MaxX: minX + 360/float64(uint64(1)<<lonBits(precision)),
		MaxY: minY + 180/float64(uint64(1)<<latBits(precision)),
	}
}
