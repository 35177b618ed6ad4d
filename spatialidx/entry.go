package spatialidx

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math"

	"raisind/geom"
)

// ErrEntryFormat is the value of an index entry that cannot be read.
var ErrEntryFormat = errors.New("malformed index entry")

// Formats of an entry's value, its first byte. Never renumbered.
const (
	entryPoint     = 1 // longitude, latitude
	entryBox       = 2 // minimum longitude and latitude, maximum longitude and latitude
	entryUnbounded = 3 // a shape that leaves the world: nothing is known of it
)

// Entry is what an index entry tells of its shape: enough to decide distance to a point,
// and to reject other shapes, without reading the row.
type Entry struct {
	Point bool
	P     geom.LonLat // of a point: exact
	// Box holds the shape, as GeodesicBox does; of a point it is the point. Of a shape that
	// leaves the world it is everything.
	Box geom.Box
}

// EncodeEntry appends the value of an index entry for g.
//
//	+--------+-----------+----------+
//	|   1    | longitude | latitude |            a point: degrees, float64, little-endian
//	| 1 byte | 8 bytes   | 8 bytes  |
//	+--------+-----------+----------+
//	|   2    | min longitude, min latitude, max longitude, max latitude |
//	+--------+-----------------------+
//	|   3    |
//	+--------+
func EncodeEntry(dst []byte, g *geom.Geometry) []byte {
	if p, ok := g.LonLat(); ok && p.Valid() {
		return appendFloats(append(dst, entryPoint), p.LonDeg, p.LatDeg)
	}
	box, ok := geom.GeodesicBox(g)
	if !ok {
		return append(dst, entryUnbounded)
	}
	return appendFloats(append(dst, entryBox), box.MinX, box.MinY, box.MaxX, box.MaxY)
}

func appendFloats(dst []byte, vs ...float64) []byte {
	for _, v := range vs {
		dst = binary.LittleEndian.AppendUint64(dst, math.Float64bits(v))
	}
	return dst
}

// DecodeEntry reads what EncodeEntry wrote; anything else wraps ErrEntryFormat.
func DecodeEntry(b []byte) (Entry, error) {
	if len(b) == 0 {
		return Entry{}, fmt.Errorf("%w: empty", ErrEntryFormat)
	}
	floats := b[1:]
	float := func(i int) float64 {
		return math.Float64frombits(binary.LittleEndian.Uint64(floats[8*i:]))
	}
	switch {
	case b[0] == entryPoint && len(floats) == 16:
		p := geom.LonLat{LonDeg: float(0), LatDeg: float(1)}
		if !p.Valid() {
			return Entry{}, fmt.Errorf("%w: place %v", ErrEntryFormat, p)
		}
		return Entry{Point: true, P: p, Box: geom.Box{MinX: p.LonDeg, MinY: p.LatDeg, MaxX: p.LonDeg, MaxY: p.LatDeg}}, nil
	case b[0] == entryBox && len(floats) == 32:
		box := geom.Box{MinX: float(0), MinY: float(1), MaxX: float(2), MaxY: float(3)}
		if box.Empty() || !geom.World.Contains(box) {
			return Entry{}, fmt.Errorf("%w: box %v", ErrEntryFormat, box)
		}
		return Entry{Box: box}, nil
	case b[0] == entryUnbounded && len(floats) == 0:
		inf := math.Inf(1)
		return Entry{Box: geom.Box{MinX: -inf, MinY: -inf, MaxX: inf, MaxY: inf}}, nil
	}
	return Entry{}, fmt.Errorf("%w: format %d, %d bytes", ErrEntryFormat, b[0], len(b))
}

// MinDistanceM is no greater than the geodesic distance in metres from center, which must
// be Valid, to the shape: of a point the distance itself, of a box a lower bound.
func (e Entry) MinDistanceM(center geom.LonLat) float64 {
	if e.Point {
		return geom.GeodesicM(center, e.P)
	}
	if !geom.World.Contains(e.Box) || e.Box.ContainsPoint(center.LonDeg, center.LatDeg) {
		return 0
	}
	return geom.DistanceBoundM(boxAngleRad(e.Box, center))
}

// boxAngleRad is the angle between p and the nearest place of a box that does not hold
// it, on the sphere that carries geodetic coordinates.
func boxAngleRad(b geom.Box, p geom.LonLat) float64 {
	left, right := lonGapDeg(p.LonDeg, b.MinX), lonGapDeg(p.LonDeg, b.MaxX)
	if left == 0 || right == 0 || b.MinX <= p.LonDeg && p.LonDeg <= b.MaxX {
		return max(0, p.LatDeg-b.MaxY, b.MinY-p.LatDeg) * radPerDeg
	}
	// The side towards p is nearest: a stretch of the meridian gap degrees away.
	gap := min(left, right) * radPerDeg
	sin, cos := math.Sincos(p.LatDeg * radPerDeg)
	sinGap, cosGap := math.Sincos(gap)
	low, high := b.MinY*radPerDeg, b.MaxY*radPerDeg
	if foot := math.Atan2(sin, cos*cosGap); foot > low && foot < high {
		return math.Asin(min(1, cos*sinGap))
	}
	return min(angleRad(p.LatDeg*radPerDeg, low, gap), angleRad(p.LatDeg*radPerDeg, high, gap))
}

// lonGapDeg is the difference of two longitudes, the short way round.
func lonGapDeg(a, b float64) float64 {
	d := math.Abs(a - b)
	return min(d, 360-d)
}

// angleRad is the angle between two places given their latitudes and the difference of
// their longitudes, all in radians.
func angleRad(lat1, lat2, lon float64) float64 {
	sLat, sLon := math.Sin((lat2-lat1)/2), math.Sin(lon/2)
	h := sLat*sLat + math.Cos(lat1)*math.Cos(lat2)*sLon*sLon
	return 2 * math.Asin(math.Sqrt(min(1, h)))
}
