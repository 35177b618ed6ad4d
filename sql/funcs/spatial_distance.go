package funcs

import (
	"math"

	"raisind/geom"
	"raisind/sql/types"
)

// roundGeography rounds a distance between geographies, in metres, as PostGIS does.
func roundGeography(m float64) float64 {
	const perMetre = 1e8
	return math.Round(m*perMetre) / perMetre
}

func floatOrNull(v float64, ok bool) types.Datum {
	if !ok {
		return types.Null
	}
	return types.Float(v)
}

// distanceGeometry is planar, in the unit of the SRID; NULL when a side is empty.
func distanceGeometry(_ *Ctx, args []types.Datum) (types.Datum, error) {
	a, b := args[0].Geom(), args[1].Geom()
	if err := sameSRID("ST_Distance", a, b); err != nil {
		return types.Null, err
	}
	if ax, ay, ok := a.AsPoint(); ok {
		if bx, by, ok := b.AsPoint(); ok {
			// As PostGIS: sqrt of the sum of squares, NULL where that is no number.
			dx, dy := bx-ax, by-ay
			d := math.Sqrt(dx*dx + dy*dy)
			return floatOrNull(d, d < math.MaxFloat32), nil
		}
	}
	return floatOrNull(geom.PlanarDistance(a, b)), nil
}

// distanceGeography is geodesic, in metres.
func distanceGeography(_ *Ctx, args []types.Datum) (types.Datum, error) {
	a, b := args[0].Geom(), args[1].Geom()
	if err := sameSRID("geography_distance", a, b); err != nil {
		return types.Null, err
	}
	d, ok := geographyDistanceM(a, b, args[2].Bool())
	return floatOrNull(roundGeography(d), ok), nil
}

// geographyDistanceM is the distance on the spheroid or the sphere; ok is false for empty.
func geographyDistanceM(a, b *geom.Geometry, spheroid bool) (m float64, ok bool) {
	if !spheroid {
		return sphereDistanceM(a, b)
	}
	if pa, ok := a.LonLat(); ok {
		if pb, ok := b.LonLat(); ok {
			return geom.GeodesicM(pa, pb), true
		}
	}
	return geom.GeodesicDistanceM(a, b)
}

// distanceProperty is the workspace distance: the index, the row scan and this
// function share it, so no plan changes a boundary row. It is not rounded.
func distanceProperty(_ *Ctx, a, b place, _ []types.Datum) (types.Datum, error) {
	if a.shape == nil && b.shape == nil {
		return types.Float(geom.GeodesicM(a.point, b.point)), nil
	}
	return floatOrNull(geom.GeodesicDistanceM(a.geometry(), b.geometry())), nil
}

func dwithinGeometry(_ *Ctx, args []types.Datum) (types.Datum, error) {
	a, b := args[0].Geom(), args[1].Geom()
	if err := sameSRID("LWGEOM_dwithin", a, b); err != nil {
		return types.Null, err
	}
	r := args[2].Float()
	if ax, ay, ok := a.AsPoint(); ok && r >= 0 {
		if bx, by, ok := b.AsPoint(); ok {
			dx, dy := bx-ax, by-ay
			return types.Bool(math.Sqrt(dx*dx+dy*dy) <= r), nil
		}
	}
	return boolResult(geom.PlanarDWithin(a, b, r))
}

func dwithinGeography(_ *Ctx, args []types.Datum) (types.Datum, error) {
	a, b, r := args[0].Geom(), args[1].Geom(), args[2].Float()
	if err := sameSRID("geography_dwithin", a, b); err != nil {
		return types.Null, err
	}
	if !args[3].Bool() {
		d, ok := sphereDistanceM(a, b)
		return types.Bool(ok && d <= r), nil
	}
	if pa, ok := a.LonLat(); ok {
		if pb, ok := b.LonLat(); ok {
			return types.Bool(geom.WithinM(pa, pb, r)), nil
		}
	}
	return types.Bool(geom.GeodesicDWithin(a, b, r)), nil
}

// dwithinProperty: a radius that is negative or NaN matches nothing.
func dwithinProperty(_ *Ctx, a, b place, args []types.Datum) (types.Datum, error) {
	r := args[2].Float()
	switch {
	case !(r >= 0):
		return types.Bool(false), nil
	case a.shape == nil && b.shape == nil:
		return types.Bool(geom.WithinM(a.point, b.point, r)), nil
	}
	return types.Bool(geom.GeodesicDWithin(a.geometry(), b.geometry(), r)), nil
}

// distanceSphere is on a sphere of the radius given, or of WGS 84's mean radius.
func distanceSphere(_ *Ctx, args []types.Datum) (types.Datum, error) {
	a, b := args[0].Geom(), args[1].Geom()
	if len(args) > 2 {
		if err := sameSRID("geometry_distance_spheroid", a, b); err != nil {
			return types.Null, err
		}
		d, ok := sphereDistanceM(a, b)
		return floatOrNull(d*args[2].Float()/sphereRadiusM, ok), nil
	}
	ga, err := asGeography(args[0])
	if err != nil {
		return types.Null, err
	}
	gb, err := asGeography(args[1])
	if err != nil {
		return types.Null, err
	}
	if err := sameSRID("geography_distance", ga.Geom(), gb.Geom()); err != nil {
		return types.Null, err
	}
	d, ok := sphereDistanceM(ga.Geom(), gb.Geom())
	return floatOrNull(roundGeography(d), ok), nil
}

func distanceSpheroid(_ *Ctx, args []types.Datum) (types.Datum, error) {
	a, b := args[0].Geom(), args[1].Geom()
	if err := sameSRID("geometry_distance_spheroid", a, b); err != nil {
		return types.Null, err
	}
	return floatOrNull(geographyDistanceM(a, b, true)), nil
}

func azimuthGeometry(_ *Ctx, args []types.Datum) (types.Datum, error) {
	a, b := args[0].Geom(), args[1].Geom()
	if a.Kind() != geom.Point || b.Kind() != geom.Point {
		return types.Null, errPostGIS("Argument must be POINT geometries")
	}
	if a.SRID() != b.SRID() {
		return types.Null, errPostGIS("Operation on mixed SRID geometries")
	}
	ax, ay, okA := a.AsPoint()
	bx, by, okB := b.AsPoint()
	if !okA || !okB {
		return types.Null, errPostGIS("Error extracting point")
	}
	return floatOrNull(geom.PlanarAzimuthRad(ax, ay, bx, by)), nil
}

func azimuthGeography(_ *Ctx, args []types.Datum) (types.Datum, error) {
	a, b := args[0].Geom(), args[1].Geom()
	if err := sameSRID("geography_azimuth", a, b); err != nil {
		return types.Null, err
	}
	if a.Kind() != geom.Point || b.Kind() != geom.Point {
		return types.Null, errPostGIS("ST_Azimuth(geography, geography) is only valid for point inputs")
	}
	pa, okA := a.LonLat()
	pb, okB := b.LonLat()
	if !okA || !okB {
		return types.Null, errPostGIS("ST_Azimuth(geography, geography) cannot work with empty points")
	}
	return floatOrNull(geom.AzimuthRad(pa, pb)), nil
}

func azimuthProperty(_ *Ctx, a, b place, _ []types.Datum) (types.Datum, error) {
	if a.shape != nil || b.shape != nil {
		return types.Null, errPostGIS("Argument must be POINT geometries")
	}
	return floatOrNull(geom.AzimuthRad(a.point, b.point)), nil
}

func distanceFuncs() []Func {
	const (
		geometries  = "geom1 geometry,geom2 geometry"
		geographies = "geog1 geography,geog2 geography"
		useSpheroid = ",use_spheroid bool default true"
	)
	distance := []Overload{
		of(geometries, "float8", distanceGeometry),
		of(geographies+useSpheroid, "float8", distanceGeography),
		of("text,text", "float8", onText(distanceGeometry)),
	}
	return []Func{
		{
			Name: "ST_Distance", Group: groupGeomMeasure, Volatility: Immutable, Index: IndexDistance,
			Doc: "Shortest distance of a and b: metres on the spheroid for geographies and for properties of a workspace, " +
				"units of the SRID for geometries. NULL when a side is empty or, as a property, no geometry.",
			Overloads: append(distance, propertyOverloads("ST_Distance", "", "float8", distanceProperty)...),
			Examples: []Example{
				{`SELECT ST_Distance('POINT(0 0)'::geometry, 'POINT(3 4)'::geometry)`, "5"},
				{`SELECT round(ST_Distance('POINT(0 0)'::geography, 'POINT(0 1)'::geography))`, "110574"},
				{`SELECT round(ST_Distance('{"type":"Point","coordinates":[0,0]}'::jsonb, ST_Point(0, 1)))`, "110574"},
			},
		},
		{
			Name: "ST_DWithin", Group: groupGeomRelate, Volatility: Immutable, Index: IndexRadius,
			Doc: "True when a and b lie no farther apart than distance: metres for geographies and for properties of a " +
				"workspace, units of the SRID for geometries. The spatial index answers it.",
			Overloads: append([]Overload{
				of(geometries+",float8", "bool", dwithinGeometry),
				of(geographies+",tolerance float8"+useSpheroid, "bool", dwithinGeography),
			}, propertyOverloads("ST_DWithin", ",distance float8", "bool", dwithinProperty)...),
			Examples: []Example{
				{`SELECT ST_DWithin('POINT(0 0)'::geography, 'POINT(0 1)'::geography, 112000)`, "t"},
				{`SELECT ST_DWithin('{"type":"Point","coordinates":[0,0]}'::jsonb, ST_Point(0, 1), 110000)`, "f"},
			},
		},
		{
			Name: "ST_DWithin", Group: groupGeomRelate, Volatility: Immutable, Nulls: CalledOnNull, Index: IndexRadius,
			Doc:       "As with geometries, on texts that hold them.",
			Overloads: []Overload{of("text,text,float8", "bool", onText(dwithinGeometry))},
			Examples:  []Example{{`SELECT ST_DWithin('POINT(0 0)', 'POINT(0 1)', 1)`, "t"}},
		},
		{
			Name: "ST_DistanceSphere", Group: groupGeomMeasure, Volatility: Immutable,
			Doc: "Distance in metres of two longitude and latitude geometries on a sphere, by default of radius 6371008.77 m.",
			Overloads: []Overload{
				of(geometries, "float8", distanceSphere),
				of(geometries+",radius float8", "float8", distanceSphere),
			},
			Examples: []Example{{`SELECT round(ST_DistanceSphere('POINT(0 0)'::geometry, 'POINT(0 1)'::geometry))`, "111195"}},
		},
		{
			Name: "ST_DistanceSpheroid", Group: groupGeomMeasure, Volatility: Immutable,
			Doc:       "Distance in metres of two longitude and latitude geometries on the WGS 84 spheroid.",
			Overloads: []Overload{of(geometries, "float8", distanceSpheroid)},
			Examples:  []Example{{`SELECT round(ST_DistanceSpheroid('POINT(0 0)'::geometry, 'POINT(0 1)'::geometry))`, "110574"}},
		},
		{
			Name: "ST_Azimuth", Group: groupGeomMeasure, Volatility: Immutable,
			Doc: "Direction from a to b in radians clockwise from north; NULL when they are one place.",
			Overloads: append([]Overload{
				of(geometries, "float8", azimuthGeometry),
				of(geographies, "float8", azimuthGeography),
			}, propertyOverloads("ST_Azimuth", "", "float8", azimuthProperty)...),
			Examples: []Example{{`SELECT degrees(ST_Azimuth('POINT(0 0)'::geometry, 'POINT(1 0)'::geometry))`, "90"}},
		},
	}
}
