package funcs

import (
	"math"

	"raisind/sql/types"
)

// Spatial reference systems that ST_Transform knows: longitude and latitude on WGS 84,
// and Web Mercator under its two numbers.
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

func transform(_ *Ctx, args []types.Datum) (types.Datum, error) {
	g, to := args[0].Geom(), args[1].Int()
	from := g.SRID()
	switch {
	case to == 0:
		return types.Null, errPostGIS("ST_Transform: 0 is an invalid target SRID")
	case from == 0:
		return types.Null, errPostGIS("ST_Transform: Input geometry has unknown (0) SRID")
	case int64(from) == to:
		return args[0], nil
	}
	for _, srid := range []int64{int64(from), to} {
		if srid != wgs84 && !isMercator(int32(srid)) {
			return types.Null, errPostGIS("Cannot find SRID (%d) in spatial_ref_sys", srid)
		}
	}
	target := int32(to)
	switch {
	case isMercator(from) && isMercator(target):
		return types.Geom(g.WithSRID(target)), nil
	case target == wgs84:
		return types.Geom(mapPositions(g, toLonLat).WithSRID(target)), nil
	}
	if b, ok := g.Box(); ok && (b.MinY < -90 || b.MaxY > 90) {
		return types.Null, errPostGIS("transform: Invalid coordinate (2049)")
	}
	return types.Geom(mapPositions(g, toMercator).WithSRID(target)), nil
}

func transformFuncs() []Func {
	return []Func{{
		Name: "ST_Transform", Group: groupGeomEdit, Volatility: Immutable,
		Doc:       "Computes coordinates in another reference system: between longitude and latitude (4326) and Web Mercator (3857, 900913).",
		Overloads: []Overload{of("geometry,int4", "geometry", transform)},
		Examples:  []Example{{`SELECT round(ST_X(ST_Transform(ST_Point(13.4, 52.5, 4326), 3857)))`, "1491681"}},
	}}
}
