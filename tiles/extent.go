package tiles

import (
	"errors"
	"fmt"
	"math"
)

// LatitudeLimitDeg is the northern and, negated, southern end of the Web Mercator
// square: degrees(atan(sinh(pi))).
const LatitudeLimitDeg = 85.05112877980659

// halfWorldM is half the width of the Web Mercator square: pi times the equatorial
// radius of WGS 84.
const halfWorldM = math.Pi * 6378137

// tolerance is the distance, in widths of the world, up to which things touch: 40 µm at
// the equator. Borders of tiles in latitude have no exact double; without it two correct
// implementations would list different tiles for an extent that follows a border.
const tolerance = 1e-12

// What makes an extent meaningless.
var (
	ErrNaN             = errors.New("a coordinate of the extent is not a number")
	ErrWestBeyondEast  = errors.New("the west of the extent lies beyond its east")
	ErrSouthAboveNorth = errors.New("the south of the extent lies above its north")
	ErrSRID            = errors.New("the extent's spatial reference system is not known")
	ErrTransform       = errors.New("the extent cannot be computed in longitude and latitude")
)

// Extent is a closed rectangle, which may be a line or a point, in the units of its
// SRID: degrees, longitude first, for 4326 and 0, metres for 3857. X may run past ±180
// degrees (or the edge of the Web Mercator square) and is then taken round the Earth.
// An infinite end stands for all of that axis.
type Extent struct {
	MinX, MinY, MaxX, MaxY float64
	SRID                   int
}

// Point returns the extent of one position in degrees.
func Point(lonDeg, latDeg float64) Extent {
	return Extent{MinX: lonDeg, MinY: latDeg, MaxX: lonDeg, MaxY: latDeg, SRID: 4326}
}

// part is a piece of an extent on the unit square of the grid: U to the east, V to the
// south, both from 0 to 1.
type part struct{ u0, v0, u1, v1 float64 }

// parts cuts e into at most two pieces. None means that e lies wholly beyond the
// latitudes of the grid.
func (e Extent) parts(o Options) ([]part, error) {
	if math.IsNaN(e.MinX) || math.IsNaN(e.MinY) || math.IsNaN(e.MaxX) || math.IsNaN(e.MaxY) {
		return nil, ErrNaN
	}
	if e.MinY > e.MaxY {
		return nil, fmt.Errorf("%w: %v > %v", ErrSouthAboveNorth, e.MinY, e.MaxY)
	}
	if e.MinX > e.MaxX && (!o.RFC7946 || !e.geographic()) {
		return nil, fmt.Errorf("%w: %v > %v", ErrWestBeyondEast, e.MinX, e.MaxX)
	}
	switch {
	case e.geographic():
		return e.partsOfDegrees(o), nil
	case e.mercator():
		return e.partsOfMetres(o), nil
	}
	d, err := e.degrees()
	if err != nil {
		return nil, err
	}
	return d.partsOfDegrees(o), nil
}

func (e Extent) geographic() bool { return e.SRID == 4326 || e.SRID == 0 }

func (e Extent) mercator() bool { return e.SRID == 3857 || e.SRID == 900913 }

func (e Extent) partsOfDegrees(o Options) []part {
	south, north, ok := cut(e.MinY, e.MaxY, LatitudeLimitDeg, 0, o.ClampLatitude)
	if !ok {
		return nil
	}
	if e.MinX > e.MaxX {
		e.MaxX += 360
	}
	v0, v1 := vOf(north), vOf(south)
	var out []part
	for _, s := range wrap(e.MinX, e.MaxX, 180, 0) {
		out = append(out, part{(s[0] + 180) / 360, v0, (s[1] + 180) / 360, v1})
	}
	return out
}

func (e Extent) partsOfMetres(o Options) []part {
	const slack = tolerance * 2 * halfWorldM // edges of the square are often rounded
	south, north, ok := cut(e.MinY, e.MaxY, halfWorldM, slack, o.ClampLatitude)
	if !ok {
		return nil
	}
	unit := func(m float64) float64 { return m/(2*halfWorldM) + 0.5 }
	var out []part
	for _, s := range wrap(e.MinX, e.MaxX, halfWorldM, slack) {
		out = append(out, part{unit(s[0]), unit(-north), unit(s[1]), unit(-south)})
	}
	return out
}

// vOf is the position of a latitude on the unit square, from the north.
func vOf(latDeg float64) float64 {
	return 0.5 - math.Asinh(math.Tan(latDeg*(math.Pi/180)))/(2*math.Pi)
}

// cut limits [low, high] to [-limit, limit]; ok is false when nothing is left.
func cut(low, high, limit, slack float64, clamp bool) (float64, float64, bool) {
	if (low > limit+slack || high < -limit-slack) && !clamp {
		return 0, 0, false
	}
	return min(max(low, -limit), limit), min(max(high, -limit), limit), true
}

// wrap takes [west, east] round the Earth into [-half, half] and cuts it there into
// pieces of positive width. What lies inside already is one piece and does not touch
// the other side.
func wrap(west, east, half, slack float64) [][2]float64 {
	switch {
	case math.IsInf(west, 0) || math.IsInf(east, 0) || east-west >= 2*half:
		return [][2]float64{{-half, half}}
	case west >= -half-slack && east <= half+slack:
		return [][2]float64{{max(west, -half), min(east, half)}}
	}
	turns := math.Floor((west + half) / (2 * half))
	west, east = west-turns*2*half, east-turns*2*half
	if west >= half { // rounding of a west just below the edge
		west, east = west-2*half, east-2*half
	}
	if east <= half {
		return [][2]float64{{west, east}}
	}
	return [][2]float64{{west, half}, {-half, east - 2*half}}
}
