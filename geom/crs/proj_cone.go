package crs

import "math"

// lambertConic is the conformal conic projection with one or two standard parallels
// (Snyder, chapter 15). lat1 and lat2 are equal for one.
func lambertConic(e ellipsoid, k0, lat0, lat1, lat2 float64) projection {
	n := math.Sin(lat1)
	m1, t1 := e.m(lat1), e.isometricT(lat1)
	if math.Abs(lat1-lat2) >= 1e-10 {
		n = math.Log(m1/e.m(lat2)) / math.Log(t1/e.isometricT(lat2))
	}
	f := k0 * m1 * math.Pow(t1, -n) / n
	rho := func(phi float64) float64 {
		if math.Abs(math.Abs(phi)-math.Pi/2) < 1e-10 {
			if phi*n <= 0 {
				return math.NaN()
			}
			return 0
		}
		return f * math.Pow(e.isometricT(phi), n)
	}
	rho0 := rho(lat0)
	return projection{
		forward: func(lam, phi float64) (x, y float64) {
			r := rho(phi)
			return r * math.Sin(n*lam), rho0 - r*math.Cos(n*lam)
		},
		inverse: func(x, y float64) (lam, phi float64) {
			y = rho0 - y
			r := math.Hypot(x, y)
			if r == 0 {
				return 0, math.Copysign(math.Pi/2, n)
			}
			if n < 0 {
				r, x, y = -r, -x, -y
			}
			return math.Atan2(x, y) / n, e.phiOfT(math.Pow(r/f, 1/n))
		},
	}
}

// albers is the conic projection of equal areas (Snyder, chapter 14).
func albers(e ellipsoid, lat0, lat1, lat2 float64) projection {
	m1, q1 := e.m(lat1), e.q(lat1)
	n := math.Sin(lat1)
	if math.Abs(lat1-lat2) >= 1e-10 {
		m2, q2 := e.m(lat2), e.q(lat2)
		n = (m1*m1 - m2*m2) / (q2 - q1)
	}
	c := m1*m1 + n*q1
	rho0 := math.Sqrt(c-n*e.q(lat0)) / n
	return projection{
		forward: func(lam, phi float64) (x, y float64) {
			r := math.Sqrt(c-n*e.q(phi)) / n
			return r * math.Sin(n*lam), rho0 - r*math.Cos(n*lam)
		},
		inverse: func(x, y float64) (lam, phi float64) {
			y = rho0 - y
			r := math.Hypot(x, y)
			if n < 0 {
				r, x, y = -r, -x, -y
			}
			q := (c - r*r*n*n) / n
			return math.Atan2(x, y) / n, e.phiOfQ(q)
		},
	}
}

// polyconic is the American polyconic projection (Snyder, chapter 18).
func polyconic(e ellipsoid, lat0 float64) projection {
	md := e.meridian()
	m0 := md.arc(lat0)
	forward := func(lam, phi float64) (x, y float64) {
		if math.Abs(phi) <= 1e-10 {
			return lam, -m0
		}
		s := math.Sin(phi)
		ms := e.m(phi) / s
		el := lam * s
		return ms * math.Sin(el), md.arc(phi) - m0 + ms*(1-math.Cos(el))
	}
	return projection{
		forward: forward,
		inverse: func(x, y float64) (lam, phi float64) {
			y += m0
			if math.Abs(y) <= 1e-10 {
				return x, 0
			}
			r := y*y + x*x
			phi = y
			for range 30 {
				sp, cp := math.Sincos(phi)
				if math.Abs(cp) < 1e-12 {
					return math.NaN(), math.NaN()
				}
				s2 := sp * cp
				mlp := math.Sqrt(1 - e.es*sp*sp)
				c := sp * mlp / cp
				ml := md.arc(phi)
				mlb := ml*ml + r
				mlp = (1 - e.es) / (mlp * mlp * mlp)
				d := (ml + ml + c*mlb - 2*y*(c*ml+1)) / (e.es*s2*(mlb-2*y*ml)/c + 2*(y-ml)*(c*mlp-1/s2) - mlp - mlp)
				phi += d
				if math.Abs(d) <= 1e-13 {
					break
				}
			}
			s := math.Sin(phi)
			return math.Asin(x*math.Tan(phi)*math.Sqrt(1-e.es*s*s)) / s, phi
		},
	}
}

// krovak is EPSG method 1041: the conic oblique projection of the former Czechoslovakia,
// easting and northing negative.
func krovak(e ellipsoid, k0, lat0, azimuth float64) projection {
	const s0 = 78.5 * math.Pi / 180 // pseudo standard parallel
	s, c := math.Sincos(lat0)
	alpha := math.Sqrt(1 + e.es*c*c*c*c/(1-e.es))
	u0 := math.Asin(s / alpha)
	g := math.Pow((1+e.e*s)/(1-e.e*s), alpha*e.e/2)
	k := math.Tan(u0/2+math.Pi/4) / math.Pow(math.Tan(lat0/2+math.Pi/4), alpha) * g
	n0 := math.Sqrt(1-e.es) / (1 - e.es*s*s)
	n := math.Sin(s0)
	rho0 := k0 * n0 / math.Tan(s0)
	ad := azimuth
	return projection{
		forward: func(lam, phi float64) (x, y float64) {
			sp := e.e * math.Sin(phi)
			gfi := math.Pow((1+sp)/(1-sp), alpha*e.e/2)
			u := 2 * (math.Atan(k*math.Pow(math.Tan(phi/2+math.Pi/4), alpha)/gfi) - math.Pi/4)
			dv := -lam * alpha
			ss := math.Asin(math.Cos(ad)*math.Sin(u) + math.Sin(ad)*math.Cos(u)*math.Cos(dv))
			cs := math.Cos(ss)
			if cs < 1e-12 {
				return 0, 0
			}
			d := math.Asin(math.Cos(u) * math.Sin(dv) / cs)
			eps := n * d
			rho := rho0 * math.Pow(math.Tan(s0/2+math.Pi/4), n) / math.Pow(math.Tan(ss/2+math.Pi/4), n)
			return -rho * math.Sin(eps), -rho * math.Cos(eps)
		},
		inverse: func(x, y float64) (lam, phi float64) {
			x, y = -x, -y
			rho := math.Hypot(x, y)
			eps := math.Atan2(x, y)
			d := eps / n
			ss := math.Pi / 2
			if rho != 0 {
				ss = 2 * (math.Atan(math.Pow(rho0/rho, 1/n)*math.Tan(s0/2+math.Pi/4)) - math.Pi/4)
			}
			u := math.Asin(math.Cos(ad)*math.Sin(ss) - math.Sin(ad)*math.Cos(ss)*math.Cos(d))
			dv := math.Asin(math.Cos(ss) * math.Sin(d) / math.Cos(u))
			lam = -dv / alpha
			phi = u
			for range 100 {
				sp := e.e * math.Sin(phi)
				next := 2 * (math.Atan(math.Pow(k, -1/alpha)*math.Pow(math.Tan(u/2+math.Pi/4), 1/alpha)*math.Pow((1+sp)/(1-sp), e.e/2)) - math.Pi/4)
				d := next - phi
				phi = next
				if math.Abs(d) < 1e-15 {
					break
				}
			}
			return lam, phi
		},
	}
}
