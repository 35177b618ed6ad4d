package funcs

import (
	"errors"
	"math"
	"strconv"
	"strings"

	"raisind/geom"
	"raisind/geom/crs"
	"raisind/pgerr"
	"raisind/sql/types"
)

// webMercator systems take a short way to and from longitude and latitude.
const (
	webMercator       = 3857
	webMercatorGoogle = 900913
)

// mercatorRadiusM is the equatorial radius of WGS 84, which Web Mercator takes for a sphere's.
const mercatorRadiusM = 6378137.0

func isMercator(srid int32) bool { return srid == webMercator || srid == webMercatorGoogle }

// toMercator and toLonLat change a position in place (EPSG method 1024). A latitude
// beyond the poles is no coordinate; a longitude is taken round the Earth.
func toMercator(p []float64) {
	lon := p[0]
	if lon < -180 || lon > 180 {
		lon = math.Remainder(lon, 360)
	}
	p[0] = mercatorRadiusM * (lon * radPerDeg)
	p[1] = mercatorRadiusM * math.Asinh(math.Tan(p[1]*radPerDeg))
}

func toLonLat(p []float64) {
	lon := p[0] / mercatorRadiusM / radPerDeg
	if lon < -180 || lon > 180 {
		lon = math.Remainder(lon, 360)
	}
	p[0] = lon
	p[1] = math.Atan(math.Sinh(p[1]/mercatorRadiusM)) / radPerDeg
}

// frameOf finds a system by its SRID; the plane systems that serve geographies are among
// them.
func frameOf(srid int32) (*crs.Frame, error) {
	if f := planeFrame(srid); f != nil {
		return f, nil
	}
	s, ok := crs.ByID(srid)
	if !ok {
		return nil, errPostGIS("Cannot find SRID (%d) in spatial_ref_sys", srid)
	}
	f, err := s.Frame()
	if err != nil {
		return nil, pgerr.Wrap(err, pgerr.FeatureNotSupported, "SRID %d cannot be computed: %v", srid, err)
	}
	return f, nil
}

// project computes every position of g by t; z and m stay.
func project(g *geom.Geometry, t *crs.Transform) (*geom.Geometry, error) {
	var failed error
	out := g.Map(func(p []float64) {
		if failed != nil {
			return
		}
		z := 0.0
		if g.Dims().HasZ() {
			z = p[2]
		}
		x, y, err := t.Apply(p[0], p[1], z)
		if err != nil {
			failed = err
			return
		}
		p[0], p[1] = x, y
	})
	if failed != nil {
		return nil, errPostGIS("transform: %v", failed)
	}
	return out, nil
}

// reproject is ST_Transform to an SRID.
func reproject(g *geom.Geometry, target int32) (*geom.Geometry, error) {
	from := g.SRID()
	switch {
	case target == 0:
		return nil, errPostGIS("ST_Transform: 0 is an invalid target SRID")
	case from == 0:
		return nil, errPostGIS("ST_Transform: Input geometry has unknown (0) SRID")
	case from == target:
		return g, nil
	case isMercator(from) && isMercator(target):
		return g.WithSRID(target), nil
	case isMercator(from) && target == wgs84:
		return mapPositions(g, toLonLat).WithSRID(target), nil
	case from == wgs84 && isMercator(target):
		if b, ok := g.Box(); ok && (b.MinY < -90 || b.MaxY > 90) {
			return nil, errPostGIS("transform: %v", crs.ErrCoordinate)
		}
		return mapPositions(g, toMercator).WithSRID(target), nil
	}
	a, err := frameOf(from)
	if err != nil {
		return nil, err
	}
	b, err := frameOf(target)
	if err != nil {
		return nil, err
	}
	out, err := project(g, crs.Between(a, b))
	if err != nil {
		return nil, err
	}
	return out.WithSRID(target), nil
}

func transform(fc *Ctx, args []types.Datum) (types.Datum, error) {
	return geomResult(reproject(args[0].Geom(), clampSRID(fc, args[1].Int())))
}

// frameOfText reads a system written as a proj4 text or as EPSG:number.
func frameOfText(s string) (*crs.Frame, error) {
	s = strings.TrimSpace(s)
	if auth, code, ok := strings.Cut(s, ":"); ok && !strings.Contains(s, "=") {
		for _, sys := range crs.All() {
			if strings.EqualFold(sys.AuthName, auth) && code == strconv.Itoa(int(sys.AuthSRID)) {
				return frameOf(sys.SRID)
			}
		}
	}
	f, err := crs.Parse(s)
	if errors.Is(err, crs.ErrUnsupported) {
		return nil, pgerr.Wrap(err, pgerr.FeatureNotSupported, "%v", err)
	}
	return f, err
}

// transformText is ST_Transform with systems as text: to; from and to; from and an SRID.
func transformText(toSRID, hasFrom bool) EvalFunc {
	return func(fc *Ctx, args []types.Datum) (types.Datum, error) {
		g := args[0].Geom()
		var from, to *crs.Frame
		var err error
		if hasFrom {
			from, err = frameOfText(args[1].Str())
		} else {
			if g.SRID() == 0 {
				return types.Null, errPostGIS("ST_Transform: Input geometry has unknown (0) SRID")
			}
			from, err = frameOf(g.SRID())
		}
		if err != nil {
			return types.Null, err
		}
		srid := int32(0)
		if toSRID {
			srid = clampSRID(fc, args[2].Int())
			to, err = frameOf(srid)
		} else {
			to, err = frameOfText(args[len(args)-1].Str())
		}
		if err != nil {
			return types.Null, err
		}
		out, err := project(g, crs.Between(from, to))
		if err != nil {
			return types.Null, err
		}
		return types.Geom(out.WithSRID(srid)), nil
	}
}

func transformFuncs() []Func {
	return []Func{{
		Name: "ST_Transform", Group: groupGeomEdit, Volatility: Immutable,
		Doc: "Computes coordinates in another reference system of spatial_ref_sys, or in one written as a proj4 text. " +
			"Shifts between datums are seven parameters; grid files are not read.",
		Overloads: []Overload{
			of("geometry,int4", "geometry", transform),
			of("geom geometry,to_proj text", "geometry", transformText(false, false)),
			of("geom geometry,from_proj text,to_proj text", "geometry", transformText(false, true)),
			of("geom geometry,from_proj text,to_srid int4", "geometry", transformText(true, true)),
		},
		Examples: []Example{
			{`SELECT round(ST_X(ST_Transform(ST_Point(13.4, 52.5, 4326), 3857)))`, "1491681"},
			{`SELECT ST_AsText(ST_Transform(ST_Point(13.4, 52.5, 4326), 25833), 1)`, "POINT(391390.7 5817855.2)"},
		},
	}}
}
