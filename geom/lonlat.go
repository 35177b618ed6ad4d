package geom

// LonLat is a place on the WGS 84 ellipsoid in degrees, longitude first.
type LonLat struct{ LonDeg, LatDeg float64 }

// Valid reports whether p lies in [-180, 180] x [-90, 90]; NaN and infinities do not.
func (p LonLat) Valid() bool {
	return p.LonDeg >= -180 && p.LonDeg <= 180 && p.LatDeg >= -90 && p.LatDeg <= 90
}
