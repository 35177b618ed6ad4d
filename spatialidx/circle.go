package spatialidx

import (
	"math"

	"raisind/geom"
)

// CoverCircle covers all places within radiusM metres of center on the WGS 84 ellipsoid,
// across the antimeridian and over the poles. It returns the cover, the cells needed, and
// whether they are no more than maxCells; if not, nothing is built, and beyond
// maxCountedRows rows the number is an estimate. It may name a cell the circle misses,
// never miss one that holds a place p with GeodesicM(center, p) <= radiusM. A negative or
// NaN radius and a center without a latitude need no cells.
//
//  1. The circle lies in the cap of angle ρ = AngleBoundRad round the center, on the
//     sphere that carries geodetic coordinates.
//  2. On latitude φ the cap reaches to the longitudes within Δλ of the center's, where
//     sin²(Δλ/2) = (sin²(ρ/2) - sin²((φ-φc)/2)) / (cos φc cos φ).
//  3. Over a row of cells Δλ is greatest on one of its edges, or, when the cap holds no
//     pole, at the latitude where a meridian touches it, sin φ = sin φc / cos ρ.
//     (With a pole Δλ grows towards it; with both it has a minimum between.)
//  4. So each row is one run of columns, found from its two edges, and the runs become
//     ranges of cells.
func CoverCircle(center geom.LonLat, radiusM float64, precision, maxCells int) (Cover, int, bool) {
	cover := Cover{Precision: precision}
	lon := math.Remainder(center.LonDeg, 360)
	center.LonDeg = lon
	if !(radiusM >= 0) || !center.Valid() {
		return cover, 0, true
	}
	g := gridOf(precision)
	c := newCap(center, geom.AngleBoundRad(center, radiusM))
	if c.whole() {
		all := WholeWorld(precision)
		if all.Cells > maxCells {
			return Cover{}, all.Cells, false
		}
		return all, all.Cells, true
	}
	bottom, top := g.rowAt(max(c.southDeg, -90)), g.rowAt(min(c.northDeg, 90))
	rows := top - bottom + 1
	if rows > maxCountedRows {
		return Cover{}, c.estimate(g, bottom, top), false
	}

	var buf [64]span
	spans := buf[:0]
	if rows > int64(len(buf)) && rows <= int64(maxCells) {
		spans = make([]span, 0, rows)
	}
	need := int64(0)
	area := 0.0
	edge := c.edge(g.bottomDeg(bottom))
	for r := bottom; r <= top; r++ {
		next := c.edge(g.bottomDeg(r + 1))
		s := c.columns(g, c.widest(edge, next))
		if s.hi >= s.lo {
			need += s.hi - s.lo + 1
			area += float64(s.hi-s.lo+1) * (edge.cos + next.cos)
		}
		if need <= int64(maxCells) {
			spans = append(spans, s)
		}
		edge = next
	}
	if need > int64(maxCells) {
		return Cover{}, int(need), false
	}
	cover.Cells = int(need)
	cellRad := math.Pi / float64(g.rows) * 2 * math.Pi / float64(g.cols)
	cover.AreaKm2 = area / 2 * cellRad * meanRadiusKm * meanRadiusKm
	cover.Ranges = g.ranges(bottom, spans)
	return cover, int(need), true
}

// Rounding allowances. AngleBoundRad already adds 1e-7 of the radius and a micrometre,
// which also outweighs the rounding of cosines next to a pole.
const (
	slackDeg  = 1e-9 // on latitudes and longitudes: 0.1 mm
	slackPole = 1e-9 // radians from a pole at which a cap counts as holding it
)

// sphereCap is a circle on the sphere that carries geodetic coordinates.
type sphereCap struct {
	center   geom.LonLat
	angleRad float64

	cosLat      float64
	sinHalf2    float64 // sin²(ρ/2)
	southDeg    float64 // of the cap, may be beyond a pole
	northDeg    float64
	north       bool // the cap holds the pole
	south       bool
	tangentDeg  float64 // latitude where the cap is widest, when it holds no pole
	tangentHalf float64 // half its width there, radians of longitude
}

func newCap(center geom.LonLat, angleRad float64) sphereCap {
	c := sphereCap{center: center, angleRad: angleRad}
	phi := center.LatDeg * radPerDeg
	sin, cos := math.Sincos(phi)
	c.cosLat = cos
	if angleRad < math.Pi {
		s := math.Sin(angleRad / 2)
		c.sinHalf2 = s * s
	} else {
		c.sinHalf2 = 1
	}
	c.southDeg = center.LatDeg - angleRad/radPerDeg - slackDeg
	c.northDeg = center.LatDeg + angleRad/radPerDeg + slackDeg
	c.north = phi+angleRad >= math.Pi/2-slackPole
	c.south = phi-angleRad <= -math.Pi/2+slackPole
	if !c.north && !c.south {
		sinRho, cosRho := math.Sincos(angleRad)
		c.tangentDeg = math.Asin(max(-1, min(1, sin/cosRho))) / radPerDeg
		c.tangentHalf = math.Asin(min(1, sinRho/cos))
	}
	return c
}

// whole reports whether the cap is the whole sphere.
func (c *sphereCap) whole() bool { return c.angleRad >= math.Pi-slackPole }

// rowEdge is one parallel between rows of cells.
type rowEdge struct {
	latDeg float64
	cos    float64
	half   float64 // half the cap's width on it, radians of longitude; negative for none
}

func (c *sphereCap) edge(latDeg float64) rowEdge {
	e := rowEdge{latDeg: latDeg, half: -1}
	if latDeg >= 90 || latDeg <= -90 {
		if latDeg > 0 && c.north || latDeg < 0 && c.south {
			e.half = math.Pi
		}
		return e
	}
	s := math.Sin((latDeg - c.center.LatDeg) * (radPerDeg / 2))
	e.cos = math.Cos(latDeg * radPerDeg)
	switch num, den := c.sinHalf2-s*s, c.cosLat*e.cos; {
	case num < 0:
	case num >= den:
		e.half = math.Pi
	default:
		e.half = 2 * math.Asin(math.Sqrt(num/den))
	}
	return e
}

// widest is half the cap's greatest width between two edges, radians of longitude;
// negative when it does not touch the row.
func (c *sphereCap) widest(low, high rowEdge) float64 {
	half := max(low.half, high.half)
	if !c.north && !c.south && c.tangentDeg >= low.latDeg-slackDeg && c.tangentDeg <= high.latDeg+slackDeg {
		half = max(half, c.tangentHalf)
	}
	return half
}

// columns are those within half radians of longitude of the center.
func (c *sphereCap) columns(g grid, half float64) span {
	if half < 0 {
		return span{lo: 0, hi: -1}
	}
	halfDeg := half/radPerDeg + slackDeg
	if halfDeg >= 180 {
		return span{lo: 0, hi: g.cols - 1}
	}
	scale := float64(g.cols) / 360
	s := span{
		lo: int64(math.Floor((c.center.LonDeg-halfDeg)*scale)) + g.cols/2,
		hi: int64(math.Floor((c.center.LonDeg+halfDeg)*scale)) + g.cols/2,
	}
	if s.hi-s.lo+1 >= g.cols {
		return span{lo: 0, hi: g.cols - 1}
	}
	return s
}

// estimate is about how many cells the rows from bottom to top have, from a sample of
// them.
func (c *sphereCap) estimate(g grid, bottom, top int64) int {
	const samples = 512
	sum := 0.0
	rows := float64(top-bottom) + 1
	for i := range samples {
		r := bottom + int64(rows*(float64(i)+0.5)/samples)
		s := c.columns(g, c.widest(c.edge(g.bottomDeg(r)), c.edge(g.bottomDeg(r+1))))
		sum += float64(s.hi - s.lo + 1)
	}
	return int(max(rows, sum*rows/samples))
}
