package crs

import "math"

// ellipsoid is a figure of the Earth: half its greater axis in metres, and the square of
// its first eccentricity.
type ellipsoid struct {
	a, es float64
	e     float64
}

func newEllipsoid(a, rf float64) ellipsoid {
	if rf == 0 {
		return ellipsoid{a: a}
	}
	f := 1 / rf
	es := f * (2 - f)
	return ellipsoid{a: a, es: es, e: math.Sqrt(es)}
}

func ellipsoidByAxes(a, b float64) ellipsoid {
	es := 1 - b*b/(a*a)
	if es <= 0 {
		return ellipsoid{a: a}
	}
	return ellipsoid{a: a, es: es, e: math.Sqrt(es)}
}

// n is the third flattening.
func (e ellipsoid) n() float64 {
	b := math.Sqrt(1 - e.es)
	return (1 - b) / (1 + b)
}

// figures are the ellipsoids by the names proj4 texts use (PROJ's ellps.cpp): a and
// either the reciprocal flattening or b.
var figures = map[string]struct{ a, rf, b float64 }{
	"MERIT":     {6378137, 298.257, 0},
	"SGS85":     {6378136, 298.257, 0},
	"GRS80":     {6378137, 298.257222101, 0},
	"IAU76":     {6378140, 298.257, 0},
	"airy":      {6377563.396, 299.3249646, 0},
	"APL4.9":    {6378137, 298.25, 0},
	"NWL9D":     {6378145, 298.25, 0},
	"mod_airy":  {6377340.189, 0, 6356034.446},
	"andrae":    {6377104.43, 300, 0},
	"danish":    {6377019.2563, 300, 0},
	"aust_SA":   {6378160, 298.25, 0},
	"GRS67":     {6378160, 298.2471674270, 0},
	"GSK2011":   {6378136.5, 298.2564151, 0},
	"bessel":    {6377397.155, 299.1528128, 0},
	"bess_nam":  {6377483.865, 299.1528128, 0},
	"clrk66":    {6378206.4, 0, 6356583.8},
	"clrk80":    {6378249.145, 293.4663, 0},
	"clrk80ign": {6378249.2, 293.4660212936269, 0},
	"CPM":       {6375738.7, 334.29, 0},
	"delmbr":    {6376428, 311.5, 0},
	"engelis":   {6378136.05, 298.2566, 0},
	"evrst30":   {6377276.345, 300.8017, 0},
	"evrst48":   {6377304.063, 300.8017, 0},
	"evrst56":   {6377301.243, 300.8017, 0},
	"evrst69":   {6377295.664, 300.8017, 0},
	"evrstSS":   {6377298.556, 300.8017, 0},
	"fschr60":   {6378166, 298.3, 0},
	"helmert":   {6378200, 298.3, 0},
	"hough":     {6378270, 297, 0},
	"intl":      {6378388, 297, 0},
	"krass":     {6378245, 298.3, 0},
	"kaula":     {6378163, 298.24, 0},
	"lerch":     {6378139, 298.257, 0},
	"new_intl":  {6378157.5, 0, 6356772.2},
	"plessis":   {6376523, 0, 6355863},
	"PZ90":      {6378136, 298.25784, 0},
	"SEasia":    {6378155, 0, 6356773.3205},
	"walbeck":   {6376896, 0, 6355834.8467},
	"WGS60":     {6378165, 298.3, 0},
	"WGS66":     {6378145, 298.25, 0},
	"WGS72":     {6378135, 298.26, 0},
	"WGS84":     {6378137, 298.257223563, 0},
	"sphere":    {6370997, 0, 6370997},
}

// datums are the names of +datum (PROJ's datums.cpp): figure and shift.
var datums = map[string]struct{ ellps, towgs84 string }{
	"WGS84":         {"WGS84", ""},
	"NAD83":         {"GRS80", ""},
	"NAD27":         {"clrk66", ""},
	"GGRS87":        {"GRS80", "-199.87,74.79,246.62"},
	"potsdam":       {"bessel", "598.1,73.7,418.2,0.202,0.045,-2.455,6.7"},
	"carthage":      {"clrk80ign", "-263.0,6.0,431.0"},
	"hermannskogel": {"bessel", "577.326,90.129,463.919,5.137,1.474,5.297,2.4232"},
	"ire65":         {"mod_airy", "482.530,-130.596,564.557,-1.042,-0.214,-0.631,8.15"},
	"nzgd49":        {"intl", "59.47,-5.04,187.44,0.47,-0.1,1.024,-4.5993"},
	"OSGB36":        {"airy", "446.448,-125.157,542.060,0.1502,0.2470,0.8421,-20.4894"},
}

// meridians are the names of +pm, degrees east of Greenwich.
var meridians = map[string]float64{
	"greenwich": 0,
	"lisbon":    -(9 + 7.0/60 + 54.862/3600),
	"paris":     2 + 20.0/60 + 14.025/3600,
	"bogota":    -(74 + 4.0/60 + 51.3/3600),
	"madrid":    -(3 + 41.0/60 + 16.58/3600),
	"rome":      12 + 27.0/60 + 8.4/3600,
	"bern":      7 + 26.0/60 + 22.5/3600,
	"jakarta":   106 + 48.0/60 + 27.79/3600,
	"ferro":     -(17 + 40.0/60),
	"brussels":  4 + 22.0/60 + 4.71/3600,
	"stockholm": 18 + 3.0/60 + 29.8/3600,
	"athens":    23 + 42.0/60 + 58.815/3600,
	"oslo":      10 + 43.0/60 + 22.5/3600,
}

// unitsM are the names of +units in metres.
var unitsM = map[string]float64{
	"m": 1, "km": 1000, "dm": 0.1, "cm": 0.01, "mm": 0.001, "ft": 0.3048,
	"us-ft": 1200.0 / 3937, "yd": 0.9144, "us-yd": 3600.0 / 3937, "mi": 1609.344, "us-mi": 1609.347218694437,
	"kmi": 1852, "fath": 1.8288, "ch": 20.1168, "us-ch": 20.11684023368047, "link": 0.201168,
	"ind-yd": 0.91439523, "ind-ft": 0.30479841, "ind-ch": 20.11669506, "in": 0.0254, "us-in": 100.0 / 3937,
}

// conformalTau is the tangent of the conformal latitude for the tangent of the latitude
// (Karney 2011, equations 7 to 9).
func (e ellipsoid) conformalTau(tau float64) float64 {
	if e.es == 0 || math.IsInf(tau, 0) {
		return tau
	}
	t1 := math.Hypot(1, tau)
	sig := math.Sinh(e.e * math.Atanh(e.e*tau/t1))
	return math.Hypot(1, sig)*tau - sig*t1
}

// geodeticTau is the inverse of conformalTau, by Newton's method.
func (e ellipsoid) geodeticTau(taup float64) float64 {
	if e.es == 0 || math.IsInf(taup, 0) || taup != taup {
		return taup
	}
	e2m := 1 - e.es
	tau := taup / e2m
	if math.Abs(taup) > 70 {
		tau = taup * math.Exp(e.e*math.Atanh(e.e))
	}
	tol := 1e-12 * max(1, math.Abs(taup))
	for range 8 {
		ta := e.conformalTau(tau)
		d := (taup - ta) * (1 + e2m*tau*tau) / (e2m * math.Hypot(1, tau) * math.Hypot(1, ta))
		tau += d
		if math.Abs(d) < tol {
			break
		}
	}
	return tau
}

// isometricT is Snyder's t: exp(-psi), psi the isometric latitude.
func (e ellipsoid) isometricT(phi float64) float64 {
	tau := e.conformalTau(math.Tan(phi))
	if tau > 0 { // exp(-asinh tau) without cancellation
		return 1 / (tau + math.Hypot(1, tau))
	}
	return math.Hypot(1, tau) - tau
}

// phiOfT is the inverse of isometricT.
func (e ellipsoid) phiOfT(t float64) float64 {
	if t == 0 {
		return math.Pi / 2
	}
	return math.Atan(e.geodeticTau(math.Sinh(-math.Log(t))))
}

// m is Snyder's m: the radius of the parallel in units of a.
func (e ellipsoid) m(phi float64) float64 {
	s := math.Sin(phi)
	return math.Cos(phi) / math.Sqrt(1-e.es*s*s)
}

// q is Snyder's q, of authalic latitudes.
func (e ellipsoid) q(phi float64) float64 {
	s := math.Sin(phi)
	if e.es == 0 {
		return 2 * s
	}
	return (1 - e.es) * (s/(1-e.es*s*s) + math.Atanh(e.e*s)/e.e)
}

// phiOfQ is the inverse of q, by Newton's method (Snyder 3-16).
func (e ellipsoid) phiOfQ(q float64) float64 {
	qp := e.q(math.Pi / 2)
	if math.Abs(q) >= qp {
		return math.Copysign(math.Pi/2, q)
	}
	phi := math.Asin(max(-1, min(1, q/2)))
	if e.es == 0 {
		return phi
	}
	for range 20 {
		s := math.Sin(phi)
		w := 1 - e.es*s*s
		d := w * w / (2 * math.Cos(phi)) * (q/(1-e.es) - s/w - math.Atanh(e.e*s)/e.e)
		phi += d
		if math.Abs(d) < 1e-15 {
			break
		}
	}
	return phi
}

// meridian holds the series of the meridian arc in the third flattening (to n^6,
// enough for 1e-15 of the Earth's radius).
type meridian struct {
	a0   float64
	c, d [6]float64
}

func (e ellipsoid) meridian() meridian {
	n := e.n()
	n2, n3 := n*n, n*n*n
	n4, n5, n6 := n2*n2, n2*n3, n3*n3
	return meridian{
		a0: (1 + n2/4 + n4/64 + n6/256) / (1 + n),
		// mu = phi + sum c sin(2k phi) (Karney 2023, table of rectifying latitudes)
		c: [6]float64{
			-3.0/2*n + 9.0/16*n3 - 3.0/32*n5,
			15.0/16*n2 - 15.0/32*n4 + 135.0/2048*n6,
			-35.0/48*n3 + 105.0/256*n5,
			315.0/512*n4 - 189.0/512*n6,
			-693.0 / 1280 * n5,
			1001.0 / 2048 * n6,
		},
		d: [6]float64{
			3.0/2*n - 27.0/32*n3 + 269.0/512*n5,
			21.0/16*n2 - 55.0/32*n4 + 6759.0/4096*n6,
			151.0/96*n3 - 417.0/128*n5,
			1097.0/512*n4 - 15543.0/2560*n6,
			8011.0 / 2560 * n5,
			293393.0 / 61440 * n6,
		},
	}
}

// arc is the length of the meridian from the equator, in units of a.
func (m meridian) arc(phi float64) float64 {
	mu := phi
	for k, c := range m.c {
		mu += c * math.Sin(2*float64(k+1)*phi)
	}
	return m.a0 * mu
}

// phi is the inverse of arc.
func (m meridian) phi(arc float64) float64 {
	mu := arc / m.a0
	phi := mu
	for k, d := range m.d {
		phi += d * math.Sin(2*float64(k+1)*mu)
	}
	return phi
}
