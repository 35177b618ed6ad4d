package crs

import (
	"fmt"
	"math"
	"strconv"
	"strings"
)

// helmert takes geocentric positions to those on WGS 84: position vector convention
// (EPSG method 1033), rotations in radians.
type helmert struct {
	tx, ty, tz, rx, ry, rz, scale float64
	m                             [3][3]float64
}

const arcSecond = math.Pi / 180 / 3600

// parseShift reads +towgs84: three or seven numbers, seconds of arc and parts per million.
// It returns nil for no shift at all.
func parseShift(s string) (*helmert, error) {
	var v [7]float64
	words := strings.Split(s, ",")
	if len(words) != 3 && len(words) != 7 {
		return nil, fmt.Errorf("%w: towgs84 %q", ErrUnsupported, s)
	}
	all := true
	for i, w := range words {
		var err error
		if v[i], err = strconv.ParseFloat(strings.TrimSpace(w), 64); err != nil {
			return nil, fmt.Errorf("%w: towgs84 %q", ErrUnsupported, s)
		}
		all = all && v[i] == 0
	}
	if all {
		return nil, nil
	}
	h := &helmert{
		tx: v[0], ty: v[1], tz: v[2],
		rx: v[3] * arcSecond, ry: v[4] * arcSecond, rz: v[5] * arcSecond, scale: 1 + v[6]*1e-6,
	}
	// For angles so small the linear form is the registry's own.
	h.m = [3][3]float64{{1, -h.rz, h.ry}, {h.rz, 1, -h.rx}, {-h.ry, h.rx, 1}}
	return h, nil
}

func (h *helmert) forward(x, y, z float64) (float64, float64, float64) {
	m := &h.m
	return h.tx + h.scale*(m[0][0]*x+m[0][1]*y+m[0][2]*z),
		h.ty + h.scale*(m[1][0]*x+m[1][1]*y+m[1][2]*z),
		h.tz + h.scale*(m[2][0]*x+m[2][1]*y+m[2][2]*z)
}

// inverse is PROJ's: the transposed matrix.
func (h *helmert) inverse(x, y, z float64) (float64, float64, float64) {
	m := &h.m
	x, y, z = (x-h.tx)/h.scale, (y-h.ty)/h.scale, (z-h.tz)/h.scale
	return m[0][0]*x + m[1][0]*y + m[2][0]*z,
		m[0][1]*x + m[1][1]*y + m[2][1]*z,
		m[0][2]*x + m[1][2]*y + m[2][2]*z
}

// geocentric gives metres from the centre of the Earth; h is the height in metres.
func (e ellipsoid) geocentric(lam, phi, h float64) (x, y, z float64) {
	s, c := math.Sincos(phi)
	n := e.a / math.Sqrt(1-e.es*s*s)
	return (n + h) * c * math.Cos(lam), (n + h) * c * math.Sin(lam), (n*(1-e.es) + h) * s
}

// geodetic is the inverse of geocentric (Bowring 1985, iterated once more).
func (e ellipsoid) geodetic(x, y, z float64) (lam, phi, h float64) {
	lam = math.Atan2(y, x)
	p := math.Hypot(x, y)
	b := e.a * math.Sqrt(1-e.es)
	ep2 := e.es / (1 - e.es)
	theta := math.Atan2(z*e.a, p*b)
	for range 3 {
		s, c := math.Sincos(theta)
		phi = math.Atan2(z+ep2*b*s*s*s, p-e.es*e.a*c*c*c)
		theta = math.Atan2(b*math.Sin(phi), e.a*math.Cos(phi))
	}
	s, c := math.Sincos(phi)
	n := e.a / math.Sqrt(1-e.es*s*s)
	h = p*c + z*s - n*(1-e.es*s*s)
	return lam, phi, h
}
