package funcs

import (
	"math"

	"raisind/geom"
	"raisind/sql/types"
)

// sphereRadiusM is the mean radius (2a+b)/3 of WGS 84, which PostGIS's sphere has.
const sphereRadiusM = 6371008.7714150598

// sphereDistanceM is the distance on that sphere; ok is false for empty.
func sphereDistanceM(a, b *geom.Geometry) (m float64, ok bool) {
	if pa, ok := a.LonLat(); ok {
		if pb, ok := b.LonLat(); ok {
			return sphereRadiusM * arcRad(pa, pb), true
		}
	}
	return geom.GeodesicDistanceM(a, b)
}

// arcRad is the angle between two places seen from the centre (Vincenty's formula for
// the sphere, exact at all distances).
func arcRad(a, b geom.LonLat) float64 {
	const rad = math.Pi / 180
	sinA, cosA := math.Sincos(a.LatDeg * rad)
	sinB, cosB := math.Sincos(b.LatDeg * rad)
	sinL, cosL := math.Sincos((b.LonDeg - a.LonDeg) * rad)
	return math.Atan2(math.Hypot(cosB*sinL, cosA*sinB-sinA*cosB*cosL), sinA*sinB+cosA*cosB*cosL)
}

func geographyRelationships() []Func { return nil }

var _ = types.Null
