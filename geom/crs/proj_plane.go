package crs

import "math"

// polarStereographic has its centre at a pole (Snyder, chapter 21). latTS is the latitude
// of true scale; at the pole itself k0 counts.
func polarStereographic(e ellipsoid, k0, latTS float64, south bool) projection {
	sign := 1.0
	if south {
		sign = -1
	}
	latTS = math.Abs(latTS)
	var f float64
	if math.Abs(latTS-math.Pi/2) < 1e-10 {
		f = 2 * k0 / math.Sqrt(math.Pow(1+e.e, 1+e.e)*math.Pow(1-e.e, 1-e.e))
	} else {
		f = k0 * e.m(latTS) / e.isometricT(latTS)
	}
	return projection{
		forward: func(lam, phi float64) (x, y float64) {
			r := f * e.isometricT(sign*phi)
			return r * math.Sin(lam), -sign * r * math.Cos(lam)
		},
		inverse: func(x, y float64) (lam, phi float64) {
			r := math.Hypot(x, y)
			if r == 0 {
				return 0, sign * math.Pi / 2
			}
			return math.Atan2(x, -sign*y), sign * e.phiOfT(r/f)
		},
	}
}

// obliqueStereographic is PROJ's stere away from the poles: on the conformal sphere with
// the scale of the ellipsoid at the centre (Snyder 21-24 to 21-27).
func obliqueStereographic(e ellipsoid, k0, lat0 float64) projection {
	chi0 := math.Atan(e.conformalTau(math.Tan(lat0)))
	s0, c0 := math.Sincos(chi0)
	scale := 2 * k0 * e.m(lat0)
	if math.Abs(lat0) < 1e-10 {
		scale = 2 * k0
	} else {
		scale /= c0
	}
	return projection{
		forward: func(lam, phi float64) (x, y float64) {
			s, c := math.Sincos(math.Atan(e.conformalTau(math.Tan(phi))))
			a := scale / (1 + s0*s + c0*c*math.Cos(lam))
			return a * c * math.Sin(lam), a * (c0*s - s0*c*math.Cos(lam))
		},
		inverse: func(x, y float64) (lam, phi float64) {
			r := math.Hypot(x, y)
			if r == 0 {
				return 0, lat0
			}
			s, c := math.Sincos(2 * math.Atan2(r, scale))
			chi := math.Asin(c*s0 + y*s*c0/r)
			return math.Atan2(x*s, r*c0*c-y*s0*s), math.Atan(e.geodeticTau(math.Tan(chi)))
		},
	}
}

// doubleStereographic is EPSG method 9809: the ellipsoid onto Gauss's sphere, and that
// onto the plane.
func doubleStereographic(e ellipsoid, k0, lat0 float64) projection {
	s, cp := math.Sincos(lat0)
	r := math.Sqrt(1-e.es) / (1 - e.es*s*s) // mean radius
	c := math.Sqrt(1 + e.es*cp*cp*cp*cp/(1-e.es))
	chi0 := math.Asin(s / c)
	ratexp := 0.5 * c * e.e
	srat := func(esinp, exp float64) float64 { return math.Pow((1-esinp)/(1+esinp), exp) }
	k := math.Tan(0.5*chi0+math.Pi/4) / (math.Pow(math.Tan(0.5*lat0+math.Pi/4), c) * srat(e.e*s, ratexp))
	s0, c0 := math.Sincos(chi0)
	scale := 2 * r * k0
	return projection{
		forward: func(lam, phi float64) (x, y float64) {
			chi := 2*math.Atan(k*math.Pow(math.Tan(0.5*phi+math.Pi/4), c)*srat(e.e*math.Sin(phi), ratexp)) - math.Pi/2
			lam *= c
			ss, cc := math.Sincos(chi)
			a := scale / (1 + s0*ss + c0*cc*math.Cos(lam))
			return a * cc * math.Sin(lam), a * (c0*ss - s0*cc*math.Cos(lam))
		},
		inverse: func(x, y float64) (lam, phi float64) {
			rho := math.Hypot(x, y)
			chi := chi0
			if rho != 0 {
				ss, cc := math.Sincos(2 * math.Atan2(rho, scale))
				chi = math.Asin(cc*s0 + y*ss*c0/rho)
				lam = math.Atan2(x*ss, rho*c0*cc-y*s0*ss) / c
			}
			num := math.Pow(math.Tan(0.5*chi+math.Pi/4)/k, 1/c)
			phi = chi
			for range 30 {
				next := 2*math.Atan(num*srat(e.e*math.Sin(phi), -0.5*e.e)) - math.Pi/2
				d := next - phi
				phi = next
				if math.Abs(d) < 1e-14 {
					return lam, phi
				}
			}
			return lam, phi
		},
	}
}

// lambertAzimuthal is the azimuthal projection of equal areas (Snyder, chapter 24).
func lambertAzimuthal(e ellipsoid, lat0 float64) projection {
	qp := e.q(math.Pi / 2)
	rq := math.Sqrt(qp / 2)
	if math.Abs(math.Abs(lat0)-math.Pi/2) < 1e-10 {
		sign := math.Copysign(1, lat0)
		return projection{
			forward: func(lam, phi float64) (x, y float64) {
				r := math.Sqrt(max(qp-sign*e.q(phi), 0))
				return r * math.Sin(lam), -sign * r * math.Cos(lam)
			},
			inverse: func(x, y float64) (lam, phi float64) {
				return math.Atan2(x, -sign*y), e.phiOfQ(sign * (qp - (x*x + y*y)))
			},
		}
	}
	b0 := math.Asin(e.q(lat0) / qp)
	s0, c0 := math.Sincos(b0)
	d := e.m(lat0) / (rq * c0)
	return projection{
		forward: func(lam, phi float64) (x, y float64) {
			s, c := math.Sincos(math.Asin(max(-1, min(1, e.q(phi)/qp))))
			w := 1 + s0*s + c0*c*math.Cos(lam)
			if w < 1e-10 {
				return math.NaN(), math.NaN()
			}
			b := rq * math.Sqrt(2/w)
			return b * d * c * math.Sin(lam), b / d * (c0*s - s0*c*math.Cos(lam))
		},
		inverse: func(x, y float64) (lam, phi float64) {
			x, y = x/d, y*d
			rho := math.Hypot(x, y)
			if rho < 1e-10 {
				return 0, lat0
			}
			half := 0.5 * rho / rq
			if half > 1 {
				return math.NaN(), math.NaN()
			}
			s, c := math.Sincos(2 * math.Asin(half))
			q := qp * (c*s0 + y*s*c0/rho)
			return math.Atan2(x*s, rho*c0*c-y*s0*s), e.phiOfQ(q)
		},
	}
}
