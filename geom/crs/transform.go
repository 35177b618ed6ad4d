package crs

import "math"

var wgs84 = newEllipsoid(6378137, 298.257223563)

// Transform computes positions of one frame in another. It is safe for concurrent use.
type Transform struct {
	from, to *Frame
	shifts   bool
}

// Between returns the transform from one frame to another.
func Between(from, to *Frame) *Transform {
	return &Transform{from: from, to: to, shifts: !from.onWGS84(to)}
}

// onWGS84 reports whether f and o have one datum.
func (f *Frame) onWGS84(o *Frame) bool {
	switch {
	case f.shift == nil && o.shift == nil:
		return true
	case f.shift == nil || o.shift == nil:
		return false
	}
	return *f.shift == *o.shift && f.ell == o.ell
}

// Apply computes one position. z is a height in metres; it is not changed, as PROJ leaves
// heights of two-dimensional systems. An error is ErrDomain or ErrCoordinate.
func (t *Transform) Apply(x, y, z float64) (float64, float64, error) {
	lam, phi, err := t.from.toRadians(x, y)
	if err != nil {
		return 0, 0, err
	}
	if t.shifts {
		lam, phi = t.shift(lam, phi)
	}
	return t.to.fromRadians(lam, phi)
}

func (t *Transform) shift(lam, phi float64) (float64, float64) {
	x, y, z := t.from.ell.geocentric(lam, phi, 0)
	if t.from.shift != nil {
		x, y, z = t.from.shift.forward(x, y, z)
		if t.to.shift != nil { // PROJ concatenates two operations, which leave heights as they are
			lam, phi, _ = wgs84.geodetic(x, y, z)
			x, y, z = wgs84.geocentric(lam, phi, 0)
		}
	}
	if t.to.shift != nil {
		x, y, z = t.to.shift.inverse(x, y, z)
	}
	lam, phi, _ = t.to.ell.geodetic(x, y, z)
	return lam, phi
}

// toRadians gives longitude from Greenwich and latitude on f's ellipsoid.
func (f *Frame) toRadians(x, y float64) (lam, phi float64, err error) {
	if f.geographic {
		if !(math.Abs(y) <= 90+1e-9) || !isFinite(x) {
			return 0, 0, ErrCoordinate
		}
		return wrapRadians(x*radPerDeg + f.pm), y * radPerDeg, nil
	}
	if f.flipX {
		x, y = -x, -y
	}
	if !isFinite(x) || !isFinite(y) {
		return 0, 0, ErrCoordinate
	}
	lam, phi = f.proj.inverse((x*f.unit-f.x0)/f.ell.a, (y*f.unit-f.y0)/f.ell.a)
	if !isFinite(lam) || !isFinite(phi) {
		return 0, 0, ErrDomain
	}
	return wrapRadians(lam + f.lon0 + f.pm), phi, nil
}

// fromRadians is the inverse of toRadians.
func (f *Frame) fromRadians(lam, phi float64) (x, y float64, err error) {
	lam -= f.pm
	if f.geographic {
		return wrapRadians(lam) / radPerDeg, phi / radPerDeg, nil
	}
	if math.Abs(phi) > math.Pi/2 {
		phi = math.Copysign(math.Pi/2, phi)
	}
	x, y = f.proj.forward(wrapRadians(lam-f.lon0), phi)
	if !isFinite(x) || !isFinite(y) {
		return 0, 0, ErrDomain
	}
	x, y = (f.ell.a*x+f.x0)/f.unit, (f.ell.a*y+f.y0)/f.unit
	if f.flipX {
		x, y = -x, -y
	}
	return x, y, nil
}

// wrapRadians takes an angle round the circle into -pi to pi, both of which stay.
func wrapRadians(lam float64) float64 {
	if lam >= -math.Pi && lam <= math.Pi {
		return lam
	}
	if math.Abs(lam) < math.Pi+1e-10 {
		return math.Copysign(math.Pi, lam)
	}
	return math.Remainder(lam, 2*math.Pi)
}

func isFinite(v float64) bool { return math.Abs(v) <= math.MaxFloat64 }
