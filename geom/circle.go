package geom

import "math"

// The WGS 84 ellipsoid.
const (
	equatorRadiusM = 6378137.0
	flattening     = 1 / 298.257223563
	eccentricity2  = flattening * (2 - flattening)
)

// The smallest and the largest radius of curvature of the ellipsoid: of the meridian at
// the equator, a(1-e²), and of either direction at a pole, a/√(1-e²).
const (
	minRadiusM = equatorRadiusM * (1 - eccentricity2) // 6335439.327 m
	maxRadiusM = equatorRadiusM / (1 - flattening)    // 6399593.626 m
	minMPerDeg = minRadiusM * radPerDeg               // metres a degree of latitude has at least
	slackRel   = 1e-7                                 // see Circle
	slackM     = 1e-6
)

// Circle is the set of places within a radius of a center: WithinM with what depends on
// center and radius computed once. Make one with NewCircle.
//
// Contains must be GeodesicM(center, p) <= radiusM to the last bit, and mostly decides it
// by a bound that costs a tenth of a geodesic:
//
//   - On the sphere of radius 1 that carries geodetic longitude and latitude a path has
//     the length ∫√(dφ² + cos²φ dλ²), on the ellipsoid ∫√(M²dφ² + N²cos²φ dλ²), with
//     M(φ) <= N(φ) the radii of curvature, both growing with |φ|. So where a path keeps
//     to latitudes on which M >= m and N <= n, its length on the ellipsoid is between m
//     and n times that on the sphere.
//   - Every path of at most radiusM from the center keeps to latitudes within
//     radiusM/minRadiusM of it; m and n are taken there.
//   - Hence, with σ the angle on the sphere, m·σ > radiusM means outside (the geodesic,
//     were it short enough, would not be shorter than its image, nor that than σ), and
//     n·σ <= radiusM means inside (the great circle is a path of at most n·σ).
//   - Between the two, a band of at most 1 % of the radius, 0.3 % in the middle
//     latitudes, the geodesic itself decides.
//
// Both bounds keep a distance of slackRel·radiusM + slackM from the radius. That covers
// the errors of GeodesicM (15 nm, rounded to 10 nm) and of σ: near the antipode sin²(σ/2)
// is 1 within 4e-16, so σ within 4e-8, 0.25 m, of which slackRel is 2 m there.
type Circle struct {
	center  LonLat
	radiusM float64

	cosLat  float64 // of center
	outside float64 // sin²(σ/2) above which a place is outside; 2 for none
	inside  float64 // sin²(σ/2) below which it is inside; -1 for none, 2 for all
	latDeg  float64 // difference of latitude above which it is outside
	lonDeg  float64 // difference of longitude above which it is outside; 180 for none
	bounded bool    // center and radius are such that the bounds hold
}

// NewCircle makes the circle of radiusM metres round center. A negative or NaN radius
// contains nothing.
func NewCircle(center LonLat, radiusM float64) Circle {
	c := Circle{center: center, radiusM: radiusM}
	if !center.Valid() || !(radiusM >= 0) {
		return c
	}
	c.bounded = true
	c.cosLat = math.Cos(center.LatDeg * radPerDeg)
	_, high := radiiAround(center.LatDeg, radiusM)
	c.inside = sinHalfSquared((radiusM*(1-slackRel) - slackM) / high)
	far := AngleBoundRad(center, radiusM)
	c.outside = sinHalfSquared(far)
	c.latDeg = (radiusM*(1+slackRel) + slackM) / minMPerDeg
	c.lonDeg = 180
	// The widest meridian the cap of angle far touches is asin(sin far / cos φ) away, when
	// the cap holds no pole.
	if s := math.Sin(far) / c.cosLat; far < math.Pi/2 && s < 1 && math.Abs(center.LatDeg)*radPerDeg+far < math.Pi/2 {
		c.lonDeg = math.Asin(s)/radPerDeg*(1+slackRel) + 1e-9
	}
	return c
}

// AngleBoundRad is an angle in radians no smaller than the angle, on the unit sphere that
// carries geodetic longitude and latitude, between center and any place within radiusM
// metres of it (the proof stands at Circle). It may exceed π. The center must be Valid
// and the radius not negative.
func AngleBoundRad(center LonLat, radiusM float64) float64 {
	low, _ := radiiAround(center.LatDeg, radiusM)
	return (radiusM*(1+slackRel) + slackM) / low
}

// DistanceBoundM is no greater than the distance in metres between any two places whose
// angle on that sphere is angleRad.
func DistanceBoundM(angleRad float64) float64 {
	return max(0, angleRad*minRadiusM*(1-slackRel)-slackM)
}

// sinHalfSquared is sin²(σ/2), -1 below 0 and 2 from half a turn on.
func sinHalfSquared(sigma float64) float64 {
	switch {
	case sigma < 0:
		return -1
	case sigma >= math.Pi:
		return 2
	}
	s := math.Sin(sigma / 2)
	return s * s
}

// radiiAround returns bounds of the radii of curvature, in metres, on all latitudes that
// a path of radiusM from latDeg can reach.
func radiiAround(latDeg, radiusM float64) (low, high float64) {
	reach := radiusM/minMPerDeg*(1+slackRel) + 1e-9
	near := math.Abs(latDeg) - reach
	far := math.Abs(latDeg) + reach
	if near > 0 {
		s := math.Sin(near * radPerDeg)
		w := 1 - eccentricity2*s*s
		low = minRadiusM / (w * math.Sqrt(w))
	} else {
		low = minRadiusM
	}
	if far < 90 {
		s := math.Sin(far * radPerDeg)
		high = equatorRadiusM / math.Sqrt(1-eccentricity2*s*s)
	} else {
		high = maxRadiusM
	}
	return low, high
}

// Center returns the middle of the circle.
func (c *Circle) Center() LonLat { return c.center }

// RadiusM returns the radius in metres.
func (c *Circle) RadiusM() float64 { return c.radiusM }

// Contains reports whether GeodesicM(center, p) <= radiusM; false when p is not Valid and
// its latitude is out of range, or anything is NaN.
func (c *Circle) Contains(p LonLat) bool {
	if !c.bounded || !p.Valid() {
		return GeodesicM(c.center, p) <= c.radiusM
	}
	dLat := p.LatDeg - c.center.LatDeg
	if math.Abs(dLat) > c.latDeg {
		return false
	}
	dLon := math.Abs(p.LonDeg - c.center.LonDeg)
	if dLon > 180 {
		dLon = 360 - dLon
	}
	if dLon > c.lonDeg {
		return false
	}
	sLat, sLon := math.Sin(dLat*(radPerDeg/2)), math.Sin(dLon*(radPerDeg/2))
	h := sLat*sLat + c.cosLat*math.Cos(p.LatDeg*radPerDeg)*sLon*sLon
	if h > c.outside {
		return false
	}
	return h < c.inside || GeodesicM(c.center, p) <= c.radiusM
}

// WithinM reports whether a and b lie no farther apart than radiusM metres: exactly
// GeodesicM(a, b) <= radiusM, mostly for a tenth of its cost. It decides as Circle does,
// by the radii of the whole ellipsoid. For many places against one, use a Circle.
func WithinM(a, b LonLat, radiusM float64) bool {
	if !a.Valid() || !b.Valid() || !(radiusM >= 0) {
		return GeodesicM(a, b) <= radiusM && radiusM >= 0
	}
	dLat := b.LatDeg - a.LatDeg
	if math.Abs(dLat)*minMPerDeg*(1-slackRel) > radiusM+slackM {
		return false
	}
	sLat, sLon := math.Sin(dLat*(radPerDeg/2)), math.Sin((b.LonDeg-a.LonDeg)*(radPerDeg/2))
	h := sLat*sLat + math.Cos(a.LatDeg*radPerDeg)*math.Cos(b.LatDeg*radPerDeg)*sLon*sLon
	sigma := 2 * math.Asin(math.Sqrt(min(h, 1)))
	switch {
	case sigma*minRadiusM*(1-slackRel) > radiusM+slackM:
		return false
	case sigma*maxRadiusM*(1+slackRel) < radiusM-slackM:
		return true
	}
	return GeodesicM(a, b) <= radiusM
}
