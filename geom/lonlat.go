package geom

import (
	"math"

	"github.com/pymaxion/geographiclib-go/geodesic"
	"github.com/pymaxion/geographiclib-go/geodesic/capabilities"
)

// LonLat is a place on the WGS 84 ellipsoid in degrees, longitude first.
type LonLat struct{ LonDeg, LatDeg float64 }

// Valid reports whether p lies in [-180, 180] x [-90, 90]; NaN and infinities do not.
func (p LonLat) Valid() bool {
	return p.LonDeg >= -180 && p.LonDeg <= 180 && p.LatDeg >= -90 && p.LatDeg <= 90
}

// wrapped returns p with its longitude brought into [-180, 180], exactly.
func (p LonLat) wrapped() LonLat {
	if p.LonDeg < -180 || p.LonDeg > 180 {
		p.LonDeg = math.Remainder(p.LonDeg, 360)
	}
	return p
}

const radPerDeg = math.Pi / 180

// HalfCircumferenceM is no less than any distance on the ellipsoid, in metres: half a
// circle of the largest radius of curvature. (The true maximum, pole to pole, is
// 20003931.46 m.)
const HalfCircumferenceM = math.Pi * maxRadiusM

// perTenNanometres makes PostGIS's rounding of geography distances: to 1e-8 m.
const perTenNanometres = 1e8

// GeodesicM is the length in metres of the shortest path between a and b on the WGS 84
// ellipsoid (Karney 2013, error below 15 nm), rounded to 10 nm as PostGIS rounds
// ST_Distance of geographies. NaN when a latitude is out of range or a coordinate is not
// finite. It is symmetric, and it is the one distance between places: WithinM, Circle,
// GeodesicDistanceM and GeodesicDWithin never disagree with it.
func GeodesicM(a, b LonLat) float64 {
	if a == b && a.Valid() {
		return 0
	}
	if !isFinite(a.LonDeg) || !isFinite(b.LonDeg) {
		return math.NaN()
	}
	return roundM(geodesicRawM(a, b))
}

// geodesicRawM is GeodesicM before rounding, for sums.
func geodesicRawM(a, b LonLat) float64 {
	return geodesic.WGS84.InverseWithCapabilities(a.LatDeg, a.LonDeg, b.LatDeg, b.LonDeg, capabilities.Distance).S12
}

func roundM(m float64) float64 { return math.Floor(m*perTenNanometres+0.5) / perTenNanometres }

// AzimuthRad is the direction in which the geodesic from a to b leaves a, in radians
// clockwise from north, in [0, 2π). ok is false when a and b are one place.
func AzimuthRad(a, b LonLat) (rad float64, ok bool) {
	if a == b {
		return 0, false
	}
	d := geodesic.WGS84.InverseWithCapabilities(a.LatDeg, a.LonDeg, b.LatDeg, b.LonDeg, capabilities.Distance|capabilities.Azimuth)
	if d.S12 == 0 {
		return 0, false
	}
	rad = d.Azi1 * radPerDeg
	if rad < 0 {
		rad += 2 * math.Pi
	}
	return rad, rad == rad
}

// ProjectM is the place distanceM metres from p along the geodesic that leaves it in
// direction azimuthRad, in radians clockwise from north. A negative distance goes
// backwards. The longitude is in [-180, 180].
func ProjectM(p LonLat, distanceM, azimuthRad float64) LonLat {
	d := geodesic.WGS84.DirectWithCapabilities(p.LatDeg, p.LonDeg, azimuthRad/radPerDeg, distanceM,
		capabilities.Latitude|capabilities.Longitude)
	return LonLat{LonDeg: d.Lon2, LatDeg: d.Lat2}
}
