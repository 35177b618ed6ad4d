package funcs

import (
	"fmt"
	"slices"

	"raisind/geom"
	"raisind/sql/types"
)

// Limits of SRIDs (PostGIS's liblwgeom).
const (
	maxSRID     = 999999
	maxUserSRID = 998999
)

// notice tells the client something, when there is one.
func (fc *Ctx) notice(severity, format string, args ...any) {
	if fc != nil && fc.Session != nil {
		fc.Session.Notice(severity, fmt.Sprintf(format, args...))
	}
}

// clampSRID brings an SRID into PostGIS's range and tells when it had to.
func clampSRID(fc *Ctx, srid int64) int32 {
	switch {
	case srid < 0:
		fc.notice("NOTICE", "SRID value %d converted to the officially unknown SRID value %d", srid, 0)
		return 0
	case srid > maxSRID:
		n := maxUserSRID + 1 + srid%(maxSRID-maxUserSRID-1)
		fc.notice("NOTICE", "SRID value %d > SRID_MAXIMUM converted to %d", srid, n)
		return int32(n)
	}
	return int32(srid)
}

func makePoint(_ *Ctx, args []types.Datum) (types.Datum, error) {
	return types.Geom(geom.NewPoint(args[0].Float(), args[1].Float(), 0)), nil
}

func makePointSRID(fc *Ctx, args []types.Datum) (types.Datum, error) {
	return types.Geom(geom.NewPoint(args[0].Float(), args[1].Float(), clampSRID(fc, args[2].Int()))), nil
}

// makePointDims is a body over floats, and an SRID behind them where withSRID says so.
func makePointDims(dims geom.Dims, withSRID bool) EvalFunc {
	return func(fc *Ctx, args []types.Datum) (types.Datum, error) {
		var o [4]float64
		for i := range dims.Stride() {
			o[i] = args[i].Float()
		}
		var srid int32
		if withSRID {
			srid = clampSRID(fc, args[dims.Stride()].Int())
		}
		return types.Geom(geom.NewPointDims(o[:dims.Stride()], dims, srid)), nil
	}
}

func makeEnvelope(fc *Ctx, args []types.Datum) (types.Datum, error) {
	return types.Geom(geom.MakeEnvelope(args[0].Float(), args[1].Float(), args[2].Float(), args[3].Float(),
		clampSRID(fc, args[4].Int()))), nil
}

func setSRID(fc *Ctx, args []types.Datum) (types.Datum, error) {
	return types.Geom(args[0].Geom().WithSRID(clampSRID(fc, args[1].Int()))), nil
}

func setSRIDGeography(fc *Ctx, args []types.Datum) (types.Datum, error) {
	srid := clampSRID(fc, args[1].Int())
	if srid == 0 {
		srid = wgs84
	}
	return types.Geom(args[0].Geom().WithSRID(srid)), nil
}

// collect2 is ST_Collect of two geometries; a NULL leaves the other one as it is.
func collect2(_ *Ctx, args []types.Datum) (types.Datum, error) {
	switch {
	case args[0].IsNull():
		return args[1], nil
	case args[1].IsNull():
		return args[0], nil
	}
	a, b := args[0].Geom(), args[1].Geom()
	if err := sameSRID("LWGEOM_collect", a, b); err != nil {
		return types.Null, err
	}
	if a.Dims() != b.Dims() {
		return types.Null, errPostGIS("Cannot ST_Collect geometries with differing dimensionality.")
	}
	return types.Geom(collect([]*geom.Geometry{a, b})), nil
}

// collect puts shapes of one SRID into a multi geometry when all are of one single
// kind, else into a collection.
func collect(parts []*geom.Geometry) *geom.Geometry {
	kind := parts[0].Kind()
	multi := geom.GeometryCollection
	if kind <= geom.Polygon {
		multi = kind + 3
		for _, p := range parts {
			if p.Kind() != kind {
				multi = geom.GeometryCollection
			}
		}
	}
	dims := commonDims(parts)
	return geom.NewCollection(multi, forceAll(parts, dims), dims, parts[0].SRID())
}

// commonDims has Z where any part has Z, and M likewise.
func commonDims(parts []*geom.Geometry) geom.Dims {
	dims := geom.XY
	for _, p := range parts {
		dims |= p.Dims()
	}
	return dims
}

func forceAll(parts []*geom.Geometry, dims geom.Dims) []*geom.Geometry {
	out := make([]*geom.Geometry, len(parts))
	for i, p := range parts {
		out[i] = geom.Force(p, dims)
	}
	return out
}

// shapesOf returns the geometries of an array without its NULLs.
func shapesOf(d types.Datum) []*geom.Geometry {
	var out []*geom.Geometry
	for _, e := range arrayOf(d).Elems {
		if g := e.Geom(); g != nil {
			out = append(out, g)
		}
	}
	return out
}

func checkOneSRID(fn string, parts []*geom.Geometry) error {
	for _, p := range parts {
		if p.SRID() != parts[0].SRID() {
			return errPostGIS("%s: Operation on mixed SRID geometries %s %d != %d", fn, p.Kind(), p.SRID(), parts[0].SRID())
		}
	}
	return nil
}

func collectArray(_ *Ctx, args []types.Datum) (types.Datum, error) {
	return collectAll(shapesOf(args[0]))
}

func collectAll(parts []*geom.Geometry) (types.Datum, error) {
	if len(parts) == 0 {
		return types.Null, nil
	}
	if err := checkOneSRID("LWGEOM_collect_garray", parts); err != nil {
		return types.Null, err
	}
	return types.Geom(collect(parts)), nil
}

func makeLine2(_ *Ctx, args []types.Datum) (types.Datum, error) {
	a, b := args[0].Geom(), args[1].Geom()
	for _, g := range []*geom.Geometry{a, b} {
		if g.Kind() != geom.Point && g.Kind() != geom.LineString {
			return types.Null, errPostGIS("Input geometries must be points or lines")
		}
	}
	if err := sameSRID("LWGEOM_makeline", a, b); err != nil {
		return types.Null, err
	}
	return types.Geom(joinLine([]*geom.Geometry{a, b})), nil
}

func linePart(g *geom.Geometry) bool {
	return g.Kind() == geom.Point || g.Kind() == geom.LineString || g.Kind() == geom.MultiPoint
}

// joinLine strings points and lines together. A line that starts where the one before
// it ended does not repeat that position.
func joinLine(parts []*geom.Geometry) *geom.Geometry {
	dims := commonDims(parts)
	stride := dims.Stride()
	var coords []float64
	for _, p := range parts {
		p = geom.Force(p, dims)
		first := true
		p.EachPosition(func(pos []float64) bool {
			if first && p.Kind() == geom.LineString && len(coords) > 0 && slices.Equal(coords[len(coords)-stride:], pos) {
				first = false
				return true
			}
			first = false
			coords = append(coords, pos...)
			return true
		})
	}
	return geom.NewLineString(coords, dims, parts[0].SRID())
}

func makeLineArray(fc *Ctx, args []types.Datum) (types.Datum, error) {
	return makeLineAll(fc, shapesOf(args[0]))
}

// makeLineAll leaves out what is neither point nor line.
func makeLineAll(fc *Ctx, shapes []*geom.Geometry) (types.Datum, error) {
	parts := slices.DeleteFunc(slices.Clone(shapes), func(g *geom.Geometry) bool { return !linePart(g) })
	if len(parts) == 0 {
		if len(shapes) > 0 {
			fc.notice("NOTICE", "No points or linestrings in input array")
		}
		return types.Null, nil
	}
	if err := checkOneSRID("LWGEOM_makeline_garray", parts); err != nil {
		return types.Null, err
	}
	return types.Geom(joinLine(parts)), nil
}

// ringOf checks one ring of ST_MakePolygon; what is shell or holes.
func ringOf(g *geom.Geometry, what string) ([]float64, error) {
	const minPositions = 4
	coords, stride := g.Positions(), g.Dims().Stride()
	if len(coords)/stride < minPositions {
		return nil, errPostGIS("lwpoly_from_lwlines: %s must have at least %d points", what, minPositions)
	}
	if last := coords[len(coords)-stride:]; last[0] != coords[0] || last[1] != coords[1] {
		return nil, errPostGIS("lwpoly_from_lwlines: %s must be closed", what)
	}
	return coords, nil
}

func makePolygon(_ *Ctx, args []types.Datum) (types.Datum, error) {
	shell := args[0].Geom()
	if shell.Kind() != geom.LineString {
		return types.Null, errPostGIS("Shell is not a line")
	}
	lines := []*geom.Geometry{shell}
	if len(args) > 1 {
		for i, hole := range shapesOf(args[1]) {
			if hole.Kind() != geom.LineString {
				return types.Null, errPostGIS("Hole %d is not a line", i)
			}
			lines = append(lines, hole)
		}
	}
	dims := shell.Dims()
	rings := make([][]float64, len(lines))
	for i, line := range lines {
		what := "holes"
		if i == 0 {
			what = "shell"
		}
		if line.Dims() != dims {
			return types.Null, errPostGIS("lwpoly_from_lwlines: mixed dimensions in the rings")
		}
		var err error
		if rings[i], err = ringOf(line, what); err != nil {
			return types.Null, err
		}
	}
	return types.Geom(geom.NewPolygon(rings, dims, shell.SRID())), nil
}

func polygonSRID(fc *Ctx, args []types.Datum) (types.Datum, error) {
	d, err := makePolygon(fc, args[:1])
	if err != nil {
		return types.Null, err
	}
	return setSRID(fc, []types.Datum{d, args[1]})
}

func spatialBuildFuncs() []Func {
	fn := func(name, doc string, example Example, overloads ...Overload) Func {
		return Func{
			Name: name, Group: groupGeomBuild, Volatility: Immutable, Doc: doc,
			Overloads: overloads, Examples: []Example{example},
		}
	}
	out := []Func{
		fn("ST_Point", "Makes a point: x or longitude first.", Example{`SELECT ST_AsText(ST_Point(13.4, 52.5))`, "POINT(13.4 52.5)"},
			of("float8,float8", "geometry", makePoint),
			of("float8,float8,srid int4", "geometry", makePointSRID)),
		fn("ST_MakePoint", "Makes a point of two, three (z) or four (z, m) ordinates.",
			Example{`SELECT ST_AsText(ST_MakePoint(1, 2, 3))`, "POINT Z (1 2 3)"},
			of("float8,float8", "geometry", makePoint),
			of("float8,float8,float8", "geometry", makePointDims(geom.XYZ, false)),
			of("float8,float8,float8,float8", "geometry", makePointDims(geom.XYZM, false))),
		fn("ST_MakePointM", "Makes a point with a measure.", Example{`SELECT ST_AsText(ST_MakePointM(1, 2, 3))`, "POINT M (1 2 3)"},
			of("float8,float8,float8", "geometry", makePointDims(geom.XYM, false))),
		fn("ST_PointZ", "Makes a point with z.", Example{`SELECT ST_AsText(ST_PointZ(1, 2, 3))`, "POINT Z (1 2 3)"},
			of("xcoordinate float8,ycoordinate float8,zcoordinate float8,srid int4 default 0", "geometry", makePointDims(geom.XYZ, true))),
		fn("ST_PointM", "Makes a point with a measure.", Example{`SELECT ST_AsText(ST_PointM(1, 2, 3))`, "POINT M (1 2 3)"},
			of("xcoordinate float8,ycoordinate float8,mcoordinate float8,srid int4 default 0", "geometry", makePointDims(geom.XYM, true))),
		fn("ST_PointZM", "Makes a point with z and a measure.", Example{`SELECT ST_AsText(ST_PointZM(1, 2, 3, 4))`, "POINT ZM (1 2 3 4)"},
			of("xcoordinate float8,ycoordinate float8,zcoordinate float8,mcoordinate float8,srid int4 default 0", "geometry", makePointDims(geom.XYZM, true))),
		fn("ST_MakeEnvelope", "Makes a rectangle from its least and greatest x and y. It is planar: west beyond east gives the box between them, not one across the antimeridian.",
			Example{`SELECT ST_AsText(ST_MakeEnvelope(0, 1, 2, 3))`, "POLYGON((0 1,0 3,2 3,2 1,0 1))"},
			of("float8,float8,float8,float8,int4 default 0", "geometry", makeEnvelope)),
		fn("ST_MakeLine", "Joins points and lines to a line.",
			Example{`SELECT ST_AsText(ST_MakeLine(ST_Point(0, 0), ST_Point(1, 1)))`, "LINESTRING(0 0,1 1)"},
			of("geom1 geometry,geom2 geometry", "geometry", makeLine2),
			of("geometry[]", "geometry", makeLineArray)),
		fn("ST_MakePolygon", "Makes a polygon of a closed line, with closed lines as holes.",
			Example{`SELECT ST_AsText(ST_MakePolygon('LINESTRING(0 0,4 0,4 4,0 0)'))`, "POLYGON((0 0,4 0,4 4,0 0))"},
			of("geometry", "geometry", makePolygon),
			of("geometry,geometry[]", "geometry", makePolygon)),
		fn("ST_Polygon", "Makes a polygon of a closed line and gives it an SRID.",
			Example{`SELECT ST_AsEWKT(ST_Polygon('LINESTRING(0 0,4 0,4 4,0 0)', 4326))`, "SRID=4326;POLYGON((0 0,4 0,4 4,0 0))"},
			of("geometry,int4", "geometry", polygonSRID)),
		fn("ST_Collect", "Puts the geometries of an array into one.",
			Example{`SELECT ST_AsText(ST_Collect(ARRAY[ST_Point(0, 0), ST_Point(1, 1)]))`, "MULTIPOINT((0 0),(1 1))"},
			of("geometry[]", "geometry", collectArray)),
		fn("ST_SetSRID", "Labels a geometry with an SRID. Coordinates stay as they are.",
			Example{`SELECT ST_SRID(ST_SetSRID(ST_Point(1, 2), 4326))`, "4326"},
			of("geom geometry,srid int4", "geometry", setSRID),
			of("geog geography,srid int4", "geography", setSRIDGeography)),
	}
	pair := fn("ST_Collect", "Puts two geometries into one.",
		Example{`SELECT ST_AsText(ST_Collect(ST_Point(0, 0), ST_Point(1, 1)))`, "MULTIPOINT((0 0),(1 1))"},
		of("geom1 geometry,geom2 geometry", "geometry", collect2))
	pair.Nulls = CalledOnNull
	return append(out, pair)
}
