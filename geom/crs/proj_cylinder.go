package crs

import "math"

// projection computes longitude from the central meridian and latitude to x and y in
// units of a, and back. What lies outside its domain gives NaN.
type projection struct {
	forward func(lam, phi float64) (x, y float64)
	inverse func(x, y float64) (lam, phi float64)
}

// transverseMercator is Krüger's series to the sixth order (Karney 2011).
func transverseMercator(e ellipsoid, k0, lat0 float64) projection {
	n := e.n()
	n2, n3 := n*n, n*n*n
	n4, n5, n6 := n2*n2, n2*n3, n3*n3
	scale := k0 / (1 + n) * (1 + n2/4 + n4/64 + n6/256)
	alpha := [6]float64{
		n/2 - 2.0/3*n2 + 5.0/16*n3 + 41.0/180*n4 - 127.0/288*n5 + 7891.0/37800*n6,
		13.0/48*n2 - 3.0/5*n3 + 557.0/1440*n4 + 281.0/630*n5 - 1983433.0/1935360*n6,
		61.0/240*n3 - 103.0/140*n4 + 15061.0/26880*n5 + 167603.0/181440*n6,
		49561.0/161280*n4 - 179.0/168*n5 + 6601661.0/7257600*n6,
		34729.0/80640*n5 - 3418889.0/1995840*n6,
		212378941.0 / 319334400 * n6,
	}
	beta := [6]float64{
		n/2 - 2.0/3*n2 + 37.0/96*n3 - 1.0/360*n4 - 81.0/512*n5 + 96199.0/604800*n6,
		1.0/48*n2 + 1.0/15*n3 - 437.0/1440*n4 + 46.0/105*n5 - 1118711.0/3870720*n6,
		17.0/480*n3 - 37.0/840*n4 - 209.0/4480*n5 + 5569.0/90720*n6,
		4397.0/161280*n4 - 11.0/504*n5 - 830251.0/7257600*n6,
		4583.0/161280*n5 - 108847.0/3991680*n6,
		20648693.0 / 638668800 * n6,
	}
	series := func(c *[6]float64, sign, xi, eta float64) (float64, float64) {
		dxi, deta := 0.0, 0.0
		for j, v := range c {
			k := 2 * float64(j+1)
			dxi += v * math.Sin(k*xi) * math.Cosh(k*eta)
			deta += v * math.Cos(k*xi) * math.Sinh(k*eta)
		}
		return xi + sign*dxi, eta + sign*deta
	}
	xi0, _ := series(&alpha, 1, math.Atan(e.conformalTau(math.Tan(lat0))), 0)
	const farthest = 2.623395162778 // where PROJ's exact transverse Mercator ends, 150 degrees out
	return projection{
		forward: func(lam, phi float64) (x, y float64) {
			taup := e.conformalTau(math.Tan(phi))
			xi := math.Atan2(taup, math.Cos(lam))
			eta := math.Asinh(math.Sin(lam) / math.Hypot(taup, math.Cos(lam)))
			xi, eta = series(&alpha, 1, xi, eta)
			if !(math.Abs(eta) <= farthest) {
				return math.NaN(), math.NaN()
			}
			return scale * eta, scale * (xi - xi0)
		},
		inverse: func(x, y float64) (lam, phi float64) {
			xi, eta := y/scale+xi0, x/scale
			if !(math.Abs(eta) <= farthest) {
				return math.NaN(), math.NaN()
			}
			xi, eta = series(&beta, -1, xi, eta)
			sh, c := math.Sinh(eta), math.Cos(xi)
			taup := math.Sin(xi) / math.Hypot(sh, c)
			return math.Atan2(sh, c), math.Atan(e.geodeticTau(taup))
		},
	}
}

// mercator has the scale k0 on the equator.
func mercator(e ellipsoid, k0 float64) projection {
	return projection{
		forward: func(lam, phi float64) (x, y float64) {
			return k0 * lam, k0 * math.Asinh(e.conformalTau(math.Tan(phi)))
		},
		inverse: func(x, y float64) (lam, phi float64) {
			return x / k0, math.Atan(e.geodeticTau(math.Sinh(y / k0)))
		},
	}
}

// equidistantCylindrical is PROJ's eqc, which counts on a sphere.
func equidistantCylindrical(lat0, latTS float64) projection {
	c := math.Cos(latTS)
	return projection{
		forward: func(lam, phi float64) (x, y float64) { return c * lam, phi - lat0 },
		inverse: func(x, y float64) (lam, phi float64) { return x / c, y + lat0 },
	}
}

// equalAreaCylindrical is Snyder's chapter 10.
func equalAreaCylindrical(e ellipsoid, k0 float64) projection {
	return projection{
		forward: func(lam, phi float64) (x, y float64) { return k0 * lam, e.q(phi) / (2 * k0) },
		inverse: func(x, y float64) (lam, phi float64) {
			q := 2 * y * k0
			if math.Abs(q) > e.q(math.Pi/2)+1e-10 {
				return math.NaN(), math.NaN()
			}
			return x / k0, e.phiOfQ(q)
		},
	}
}

// cassini is EPSG method 9806.
func cassini(e ellipsoid, lat0 float64) projection {
	md := e.meridian()
	m0 := md.arc(lat0)
	return projection{
		forward: func(lam, phi float64) (x, y float64) {
			s, c := math.Sincos(phi)
			nu := 1 / math.Sqrt(1-e.es*s*s)
			t := s * s / (c * c)
			a := lam * c
			cc := e.es * c * c / (1 - e.es)
			a2 := a * a
			x = nu * a * (1 - a2*t/6 - (8-t+8*cc)*t*a2*a2/120)
			y = md.arc(phi) - m0 + nu*math.Tan(phi)*a2*(0.5+(5-t+6*cc)*a2/24)
			return x, y
		},
		inverse: func(x, y float64) (lam, phi float64) {
			phi1 := md.phi(m0 + y)
			s, c := math.Sincos(phi1)
			if math.Abs(c) < 1e-12 {
				return 0, phi1
			}
			t := s * s / (c * c)
			w := 1 - e.es*s*s
			nu := 1 / math.Sqrt(w)
			rho := (1 - e.es) * nu / w
			d := x / nu
			d2 := d * d
			phi = phi1 - nu*math.Tan(phi1)/rho*d2*(0.5-(1+3*t)*d2/24)
			lam = d * (1 + t*d2*(-1.0/3+(1+3*t)*d2/15)) / c
			return lam, phi
		},
	}
}

// swissObliqueMercator is PROJ's somerc (Bolliger 1967).
func swissObliqueMercator(e ellipsoid, k0, lat0 float64) projection {
	s, cp := math.Sincos(lat0)
	cp *= cp
	c := math.Sqrt(1 + e.es*cp*cp/(1-e.es))
	sinp0 := s / c
	phip0 := math.Asin(sinp0)
	cosp0 := math.Cos(phip0)
	es := e.e * s
	hlf := 0.5 * e.e
	k := math.Log(math.Tan(math.Pi/4+0.5*phip0)) - c*(math.Log(math.Tan(math.Pi/4+0.5*lat0))-hlf*math.Log((1+es)/(1-es)))
	kr := k0 * math.Sqrt(1-e.es) / (1 - es*es)
	return projection{
		forward: func(lam, phi float64) (x, y float64) {
			sp := e.e * math.Sin(phi)
			phip := 2*math.Atan(math.Exp(c*(math.Log(math.Tan(math.Pi/4+0.5*phi))-hlf*math.Log((1+sp)/(1-sp)))+k)) - math.Pi/2
			lamp := c * lam
			cp := math.Cos(phip)
			phipp := math.Asin(cosp0*math.Sin(phip) - sinp0*cp*math.Cos(lamp))
			lampp := math.Asin(cp * math.Sin(lamp) / math.Cos(phipp))
			return kr * lampp, kr * math.Log(math.Tan(math.Pi/4+0.5*phipp))
		},
		inverse: func(x, y float64) (lam, phi float64) {
			phipp := 2 * (math.Atan(math.Exp(y/kr)) - math.Pi/4)
			lampp := x / kr
			cp := math.Cos(phipp)
			phip := math.Asin(cosp0*math.Sin(phipp) + sinp0*cp*math.Cos(lampp))
			lamp := math.Asin(cp * math.Sin(lampp) / math.Cos(phip))
			con := (k - math.Log(math.Tan(math.Pi/4+0.5*phip))) / c
			for range 20 {
				esp := e.e * math.Sin(phip)
				d := (con + math.Log(math.Tan(math.Pi/4+0.5*phip)) - hlf*math.Log((1+esp)/(1-esp))) * (1 - esp*esp) * math.Cos(phip) / (1 - e.es)
				phip -= d
				if math.Abs(d) < 1e-12 {
					return lamp / c, phip
				}
			}
			return math.NaN(), math.NaN()
		},
	}
}

// hotine is PROJ's omerc with an azimuth at the centre (Snyder, chapter 9).
func hotine(e ellipsoid, k0, lat0, lonc, alpha, gamma float64, noOffset bool) (p projection, lon0 float64) {
	com := math.Sqrt(1 - e.es)
	s, c := math.Sincos(lat0)
	con := 1 - e.es*s*s
	b := math.Sqrt(1 + e.es*c*c*c*c/(1-e.es))
	a := b * k0 * com / con
	d := b * com / (c * math.Sqrt(con))
	f := d*d - 1
	if f <= 0 {
		f = 0
	} else {
		f = math.Sqrt(f)
		if lat0 < 0 {
			f = -f
		}
	}
	f += d
	ee := f * math.Pow(e.isometricT(lat0), b)
	gamma0 := math.Asin(math.Sin(alpha) / d)
	if gamma != gamma {
		gamma = alpha
	}
	lon0 = lonc - math.Asin(0.5*(f-1/f)*math.Tan(gamma0))/b
	singam, cosgam := math.Sincos(gamma0)
	sinrot, cosrot := math.Sincos(gamma)
	arB := a / b
	u0 := 0.0
	if !noOffset {
		u0 = math.Abs(arB * math.Atan(math.Sqrt(max(d*d-1, 0))/math.Cos(alpha)))
		if lat0 < 0 {
			u0 = -u0
		}
	}
	return projection{
		forward: func(lam, phi float64) (x, y float64) {
			q := ee / math.Pow(e.isometricT(phi), b)
			si, ti := 0.5*(q-1/q), 0.5*(q+1/q)
			v := math.Sin(b * lam)
			uu := (si*singam - v*cosgam) / ti
			if math.Abs(math.Abs(uu)-1) < 1e-10 {
				return math.NaN(), math.NaN()
			}
			vv := 0.5 * arB * math.Log((1-uu)/(1+uu))
			cb := math.Cos(b * lam)
			u := a * lam
			if math.Abs(cb) >= 1e-7 {
				u = arB * math.Atan2(si*cosgam+v*singam, cb)
			}
			u -= u0
			return vv*cosrot + u*sinrot, u*cosrot - vv*sinrot
		},
		inverse: func(x, y float64) (lam, phi float64) {
			v := x*cosrot - y*sinrot
			u := y*cosrot + x*sinrot + u0
			qp := math.Exp(-v / arB)
			sp, tp := 0.5*(qp-1/qp), 0.5*(qp+1/qp)
			vp := math.Sin(u / arB)
			up := (vp*cosgam + sp*singam) / tp
			if math.Abs(math.Abs(up)-1) < 1e-10 {
				return 0, math.Copysign(math.Pi/2, up)
			}
			t := math.Pow(ee/math.Sqrt((1+up)/(1-up)), 1/b)
			return -math.Atan2(sp*cosgam-vp*singam, math.Cos(u/arB)) / b, e.phiOfT(t)
		},
	}, lon0
}
