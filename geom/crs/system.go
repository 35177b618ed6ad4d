package crs

import (
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"
)

// ErrUnsupported is a text that describes a system this package cannot compute.
var ErrUnsupported = errors.New("unsupported spatial reference system")

// ErrDomain is a position outside of the domain of a projection; ErrCoordinate one that
// is no position at all, as a latitude beyond the poles. The texts are PROJ's.
var (
	ErrDomain     = errors.New("Point outside of projection domain (2050)")
	ErrCoordinate = errors.New("Invalid coordinate (2049)")
)

const radPerDeg = math.Pi / 180

// Frame computes positions of one system to and from longitude and latitude on WGS 84.
type Frame struct {
	ell        ellipsoid
	proj       projection
	geographic bool
	web        bool // Web Mercator: the sphere's formulas on WGS 84's positions
	lon0       float64
	pm         float64
	x0, y0     float64
	unit       float64
	flipX      bool
	flipY      bool
	shift      *helmert
}

// Geographic reports whether positions are longitude and latitude in degrees.
func (f *Frame) Geographic() bool { return f.geographic }

// UnitM returns the length of a unit of a projected system in metres.
func (f *Frame) UnitM() float64 { return f.unit }

// Parse reads a proj4 text such as "+proj=utm +zone=33 +datum=WGS84 +units=m +no_defs".
func Parse(text string) (*Frame, error) {
	p := params{}
	for word := range strings.FieldsSeq(text) {
		k, v, _ := strings.Cut(strings.TrimPrefix(word, "+"), "=")
		if _, twice := p[k]; !twice {
			p[k] = v
		}
	}
	f := &Frame{unit: 1}
	var err error
	if f.ell, err = p.ellipsoid(); err != nil {
		return nil, err
	}
	if err := p.read(f); err != nil {
		return nil, err
	}
	for _, v := range [...]float64{f.lon0, f.pm, f.x0, f.y0, f.unit, f.ell.a, f.ell.es} {
		if v != v {
			return nil, fmt.Errorf("%w: %q", ErrUnsupported, text)
		}
	}
	return f, nil
}

// params are the words of a proj4 text.
type params map[string]string

func (p params) number(key string, def float64) float64 {
	s, ok := p[key]
	if !ok {
		return def
	}
	v, err := strconv.ParseFloat(s, 64)
	if err != nil {
		return math.NaN()
	}
	return v
}

func (p params) angle(key string, def float64) float64 { return p.number(key, def) * radPerDeg }

// ellipsoid is that of +datum, +ellps, +R or +a with +b, +rf or +f.
func (p params) ellipsoid() (ellipsoid, error) {
	if r := p.number("R", 0); r != 0 {
		return ellipsoid{a: r}, nil
	}
	if a := p.number("a", 0); a != 0 {
		switch {
		case p["b"] != "":
			return ellipsoidByAxes(a, p.number("b", a)), nil
		case p["rf"] != "":
			return newEllipsoid(a, p.number("rf", 0)), nil
		case p["f"] != "":
			return newEllipsoid(a, 1/p.number("f", 0)), nil
		}
		return ellipsoid{a: a}, nil
	}
	name := p["ellps"]
	if d, ok := datums[p["datum"]]; ok {
		name = d.ellps
	}
	if name == "" {
		name = "GRS80" // PROJ's default
	}
	fig, ok := figures[name]
	if !ok {
		return ellipsoid{}, fmt.Errorf("%w: ellipsoid %q", ErrUnsupported, name)
	}
	if fig.b != 0 {
		return ellipsoidByAxes(fig.a, fig.b), nil
	}
	return newEllipsoid(fig.a, fig.rf), nil
}

// read fills f from everything but the ellipsoid.
func (p params) read(f *Frame) error {
	f.lon0 = p.angle("lon_0", 0)
	f.x0, f.y0 = p.number("x_0", 0), p.number("y_0", 0)
	if pm, ok := p["pm"]; ok {
		deg, known := meridians[pm]
		if !known {
			var err error
			if deg, err = strconv.ParseFloat(pm, 64); err != nil {
				return fmt.Errorf("%w: prime meridian %q", ErrUnsupported, pm)
			}
		}
		f.pm = deg * radPerDeg
	}
	if u, ok := p["units"]; ok {
		if f.unit, ok = unitsM[u]; !ok {
			return fmt.Errorf("%w: unit %q", ErrUnsupported, u)
		}
	}
	if u, ok := p["to_meter"]; ok {
		num, den, ratio := strings.Cut(u, "/")
		v, err := strconv.ParseFloat(num, 64)
		if ratio && err == nil {
			var d float64
			d, err = strconv.ParseFloat(den, 64)
			v /= d
		}
		if err != nil || v == 0 {
			return fmt.Errorf("%w: unit %q", ErrUnsupported, u)
		}
		f.unit = v
	}
	switch axis := p["axis"]; axis {
	case "", "enu", "neu": // the registry's order of axes is not kept
	case "wsu", "swu":
		f.flipX, f.flipY = true, true
	default:
		return fmt.Errorf("%w: axis %q", ErrUnsupported, axis)
	}
	shift := p["towgs84"]
	if shift == "" {
		shift = datums[p["datum"]].towgs84
	}
	if shift != "" {
		h, err := parseShift(shift)
		if err != nil {
			return err
		}
		f.shift = h
	}
	return p.projection(f)
}

func (p params) projection(f *Frame) error {
	e := f.ell
	k0 := p.number("k_0", p.number("k", 1))
	lat0, lat1, lat2 := p.angle("lat_0", 0), p.angle("lat_1", 0), p.angle("lat_2", 0)
	switch name := p["proj"]; name {
	case "longlat", "latlong", "lonlat", "latlon":
		f.geographic = true
	case "utm":
		zone := p.number("zone", 0)
		if !(zone >= 1 && zone <= 60) {
			return fmt.Errorf("%w: zone %q", ErrUnsupported, p["zone"])
		}
		f.lon0, f.x0, f.y0 = (6*zone-183)*radPerDeg, 500000, 0
		if _, south := p["south"]; south {
			f.y0 = 10000000
		}
		f.proj = transverseMercator(e, 0.9996, 0)
	case "tmerc", "etmerc":
		f.proj = transverseMercator(e, k0, lat0)
	case "merc":
		if _, ok := p["lat_ts"]; ok && p.number("lat_ts", 0) != 0 {
			k0 = e.m(p.angle("lat_ts", 0))
		}
		if p["nadgrids"] == "@null" && e.es == 0 {
			f.web = true
			f.ell = newEllipsoid(6378137, 298.257223563)
		}
		f.proj = mercator(e, k0)
	case "webmerc":
		f.web = true
		f.proj = mercator(ellipsoid{a: e.a}, 1)
	case "lcc":
		if _, ok := p["lat_2"]; !ok {
			lat2 = lat1
			if _, ok := p["lat_0"]; !ok {
				lat0 = lat1
			}
		}
		f.proj = lambertConic(e, k0, lat0, lat1, lat2)
	case "aea":
		f.proj = albers(e, lat0, lat1, lat2)
	case "poly":
		f.proj = polyconic(e, lat0)
	case "eqc":
		f.proj = equidistantCylindrical(lat0, p.angle("lat_ts", 0))
	case "cea":
		if _, ok := p["lat_ts"]; ok {
			k0 = e.m(p.angle("lat_ts", 0))
		}
		f.proj = equalAreaCylindrical(e, k0)
	case "cass":
		f.proj = cassini(e, lat0)
	case "somerc":
		f.proj = swissObliqueMercator(e, k0, lat0)
	case "krovak":
		f.lon0 = p.angle("lon_0", 24.833333333333333)
		f.proj = krovak(newEllipsoid(6377397.155, 299.1528128), p.number("k", 0.9999), p.angle("lat_0", 49.5), p.angle("alpha", 30.28813972222222))
	case "omerc":
		if _, ok := p["alpha"]; !ok {
			return fmt.Errorf("%w: omerc without alpha", ErrUnsupported)
		}
		_, off := p["no_uoff"]
		_, off2 := p["no_off"]
		f.proj, f.lon0 = hotine(e, k0, lat0, p.angle("lonc", 0), p.angle("alpha", 0), p.angle("gamma", math.NaN()), off || off2)
	case "stere":
		if math.Abs(math.Abs(lat0)-math.Pi/2) < 1e-10 {
			f.proj = polarStereographic(e, k0, p.angle("lat_ts", 90), lat0 < 0)
		} else {
			f.proj = obliqueStereographic(e, k0, lat0)
		}
	case "sterea":
		f.proj = doubleStereographic(e, k0, lat0)
	case "laea":
		f.proj = lambertAzimuthal(e, lat0)
	default:
		return fmt.Errorf("%w: projection %q", ErrUnsupported, name)
	}
	return nil
}
