package funcs

import (
	"math"
	"strings"

	"raisind/geom"
	"raisind/pgerr"
	"raisind/sql/types"
)

// paramOf finds key=value among words.
func paramOf(params, key string) string {
	for _, w := range strings.Fields(params) {
		if k, v, ok := strings.Cut(w, "="); ok && k == key {
			return v
		}
	}
	return ""
}

func errUnsupported(what string) error {
	return pgerr.New(pgerr.FeatureNotSupported, "%s is not supported", what)
}

func lineInterpolate(_ *Ctx, args []types.Datum) (types.Datum, error) {
	g, f := args[0].Geom(), args[1].Float()
	if !(f >= 0 && f <= 1) {
		return types.Null, errPostGIS("line_interpolate_point: 2nd arg isn't within [0,1]")
	}
	if g.Kind() != geom.LineString {
		return types.Null, errPostGIS("line_interpolate_point: 1st arg isn't a line")
	}
	return types.Geom(geom.Interpolate(g, f)), nil
}

func lineInterpolates(_ *Ctx, args []types.Datum) (types.Datum, error) {
	g, f, repeat := args[0].Geom(), args[1].Float(), args[2].Bool()
	if !(f >= 0 && f <= 1) {
		return types.Null, errPostGIS("line_interpolate_point: 2nd arg isn't within [0,1]")
	}
	if g.Kind() != geom.LineString {
		return types.Null, errPostGIS("line_interpolate_point: 1st arg isn't a line")
	}
	if g.IsEmpty() {
		return types.Geom(geom.NewEmpty(geom.Point, g.Dims(), g.SRID())), nil
	}
	n := 1
	if repeat && f > 0 {
		n = int(math.Floor(1/f + 1e-12))
	}
	if n <= 1 {
		return types.Geom(geom.Interpolate(g, f)), nil
	}
	parts := make([]*geom.Geometry, n)
	for i := range parts {
		parts[i] = geom.Interpolate(g, f*float64(i+1))
	}
	return types.Geom(geom.NewCollection(geom.MultiPoint, parts, g.Dims(), g.SRID())), nil
}

func lineLocate(_ *Ctx, args []types.Datum) (types.Datum, error) {
	a, b := args[0].Geom(), args[1].Geom()
	if a.Kind() != geom.LineString {
		return types.Null, errPostGIS("line_locate_point: 1st arg isn't a line")
	}
	if b.Kind() != geom.Point {
		return types.Null, errPostGIS("line_locate_point: 2nd arg isn't a point")
	}
	if err := sameSRID("LWGEOM_line_locate_point", a, b); err != nil {
		return types.Null, err
	}
	x, y, ok := b.AsPoint()
	if !ok || a.IsEmpty() {
		return types.Null, nil
	}
	return types.Float(geom.Locate(a, x, y)), nil
}

func lineSubstring(_ *Ctx, args []types.Datum) (types.Datum, error) {
	g, from, to := args[0].Geom(), args[1].Float(), args[2].Float()
	switch {
	case !(from >= 0 && from <= 1):
		return types.Null, errPostGIS("line_interpolate_point: 2nd arg isn't within [0,1]")
	case !(to >= 0 && to <= 1):
		return types.Null, errPostGIS("line_interpolate_point: 3rd arg isn't within [0,1]")
	case from > to:
		return types.Null, errPostGIS("2nd arg must be smaller then 3rd arg")
	case g.Kind() != geom.LineString:
		return types.Null, errPostGIS("line_substring: 1st arg isn't a line")
	}
	return types.Geom(geom.Substring(g, from, to)), nil
}

func measureBetween(g *geom.Geometry, lo, hi, offset float64, axis int) (*geom.Geometry, error) {
	if axis < 0 && !g.Dims().HasM() {
		return nil, errPostGIS("Input geometry does not have a measure dimension")
	}
	if axis == 2 && !g.Dims().HasZ() {
		return nil, errPostGIS("This function only accepts geometries with Z dimensions.")
	}
	if offset != 0 {
		return nil, errUnsupported("an offset of located points and lines")
	}
	return geom.Between(g, min(lo, hi), max(lo, hi), axis)
}

func addMeasure(g *geom.Geometry, args []types.Datum) (*geom.Geometry, error) {
	if g.Kind() != geom.LineString && g.Kind() != geom.MultiLineString {
		return nil, errPostGIS("Only LINESTRING and MULTILINESTRING are supported")
	}
	return geom.AddMeasure(g, args[1].Float(), args[2].Float()), nil
}

func interpolateMeasure(_ *Ctx, args []types.Datum) (types.Datum, error) {
	l, p := args[0].Geom(), args[1].Geom()
	if err := sameSRID("ST_InterpolatePoint", l, p); err != nil {
		return types.Null, err
	}
	x, y, ok := p.AsPoint()
	switch {
	case p.Kind() != geom.Point:
		return types.Null, errPostGIS("Second argument to ST_InterpolatePoint must be a point")
	case !l.Dims().HasM():
		return types.Null, errPostGIS("ST_InterpolatePoint only accepts geometries that have an M dimension")
	case l.Kind() != geom.LineString:
		return types.Null, errPostGIS("lwgeom_interpolate_point: only linestrings are supported")
	case !ok || l.IsEmpty():
		return types.Null, nil
	}
	return types.Float(geom.MeasureAt(l, x, y)), nil
}

// pairOf is a body over the nearest or farthest points of two geometries.
func pairOf(name string, solid bool, find func(a, b *geom.Geometry, solid bool) (geom.Pair, bool), result func(p geom.Pair, dims geom.Dims, srid int32) types.Datum) EvalFunc {
	return func(_ *Ctx, args []types.Datum) (types.Datum, error) {
		a, b := args[0].Geom(), args[1].Geom()
		if err := sameSRID(name, a, b); err != nil {
			return types.Null, err
		}
		p, ok := find(a, b, solid)
		if !ok {
			return types.Null, nil
		}
		dims := geom.XY
		if solid {
			dims = (a.Dims() | b.Dims()) & geom.XYZ
		}
		return result(p, dims, a.SRID()), nil
	}
}

func pairLine(p geom.Pair, dims geom.Dims, srid int32) types.Datum {
	return types.Geom(p.Line(dims, srid))
}

func pairStart(p geom.Pair, dims geom.Dims, srid int32) types.Datum {
	return types.Geom(geom.NewPointDims(p.A[:dims.Stride()], dims, srid))
}

func pairDistance(p geom.Pair, _ geom.Dims, _ int32) types.Datum { return types.Float(p.Distance) }

// withinPair compares the distance of a pair with the third argument.
func withinPair(name string, solid bool, find func(a, b *geom.Geometry, solid bool) (geom.Pair, bool)) EvalFunc {
	return func(_ *Ctx, args []types.Datum) (types.Datum, error) {
		a, b := args[0].Geom(), args[1].Geom()
		if args[2].Float() < 0 {
			return types.Null, errPostGIS("Tolerance cannot be less than zero")
		}
		if err := sameSRID(name, a, b); err != nil {
			return types.Null, err
		}
		p, ok := find(a, b, solid)
		return types.Bool(ok && p.Distance <= args[2].Float()), nil
	}
}

func pathDistance(name string, fn func(a, b *geom.Geometry, fraction float64) (float64, bool)) EvalFunc {
	return func(_ *Ctx, args []types.Datum) (types.Datum, error) {
		a, b := args[0].Geom(), args[1].Geom()
		if err := sameSRID(name, a, b); err != nil {
			return types.Null, err
		}
		f := -1.0
		if len(args) > 2 {
			f = args[2].Float()
		}
		if n := a.NumPoints() * b.NumPoints(); n > 1e9 {
			return types.Null, pgerr.New(pgerr.ProgramLimitExceeded, "%s of so many positions", name)
		}
		return floatOrNull(fn(a, b, f)), nil
	}
}

func lineFuncs() []Func {
	fn := func(group, name, doc, sql, want string, overloads ...Overload) Func {
		return Func{Name: name, Group: group, Volatility: Immutable, Doc: doc, Overloads: overloads, Examples: []Example{{sql, want}}}
	}
	const line = `'LINESTRING(0 0,10 0)'::geometry`
	asText := func(call string) string { return `SELECT ST_AsText(` + call + `)` }
	two := "geom1 geometry,geom2 geometry"
	return []Func{
		fn(groupGeomLines, "ST_LineInterpolatePoint", "The point at a part of a line's length.", asText(`ST_LineInterpolatePoint(`+line+`, 0.3)`), "POINT(3 0)",
			of("geometry,float8", "geometry", lineInterpolate)),
		fn(groupGeomLines, "ST_LineInterpolatePoints", "The points at every part of a line's length.", asText(`ST_LineInterpolatePoints(`+line+`, 0.5)`), "MULTIPOINT((5 0),(10 0))",
			of("geometry,float8,repeat bool default true", "geometry", lineInterpolates)),
		fn(groupGeomLines, "ST_LineLocatePoint", "Where on a line, as a part of its length, the point nearest to another lies.", `SELECT ST_LineLocatePoint(`+line+`, 'POINT(3 4)'::geometry)`, "0.3",
			of("geom1 geometry,geom2 geometry", "float8", lineLocate)),
		fn(groupGeomLines, "ST_LineSubstring", "The part of a line between two parts of its length.", asText(`ST_LineSubstring(`+line+`, 0.2, 0.5)`), "LINESTRING(2 0,5 0)",
			of("geometry,float8,float8", "geometry", lineSubstring)),
		fn(groupGeomLines, "ST_AddMeasure", "Gives lines a measure from one value to another.", asText(`ST_AddMeasure(`+line+`, 1, 2)`), "LINESTRING M (0 0 1,10 0 2)",
			of("geometry,float8,float8", "geometry", constructed(addMeasure))),
		fn(groupGeomLines, "ST_InterpolatePoint", "The measure of a line at the point nearest to another.", `SELECT ST_InterpolatePoint('LINESTRING M (0 0 0,10 0 20)'::geometry, 'POINT(5 5)'::geometry)`, "10",
			of("line geometry,point geometry", "float8", interpolateMeasure)),
		fn(groupGeomLines, "ST_LocateAlong", "The points of a measure.", asText(`ST_LocateAlong('LINESTRING M (0 0 0,10 0 20)'::geometry, 10)`), "MULTIPOINT M ((5 0 10))",
			of("geometry geometry,measure float8,leftrightoffset float8 default 0", "geometry", constructed(func(g *geom.Geometry, a []types.Datum) (*geom.Geometry, error) {
				return measureBetween(g, a[1].Float(), a[1].Float(), a[2].Float(), -1)
			}))),
		fn(groupGeomLines, "ST_LocateBetween", "What has a measure between two values.", asText(`ST_LocateBetween('LINESTRING M (0 0 0,10 0 20)'::geometry, 10, 20)`), "MULTILINESTRING M ((5 0 10,10 0 20))",
			of("geometry geometry,frommeasure float8,tomeasure float8,leftrightoffset float8 default 0", "geometry", constructed(func(g *geom.Geometry, a []types.Datum) (*geom.Geometry, error) {
				return measureBetween(g, a[1].Float(), a[2].Float(), a[3].Float(), -1)
			}))),
		fn(groupGeomLines, "ST_LocateBetweenElevations", "What has a z between two values.", asText(`ST_LocateBetweenElevations('LINESTRING Z (0 0 0,10 0 20)'::geometry, 10, 20)`), "MULTILINESTRING Z ((5 0 10,10 0 20))",
			of("geometry geometry,fromelevation float8,toelevation float8", "geometry", constructed(func(g *geom.Geometry, a []types.Datum) (*geom.Geometry, error) {
				return measureBetween(g, a[1].Float(), a[2].Float(), 0, 2)
			}))),
		fn(groupGeomMeasure, "ST_ShortestLine", "The shortest line between two geometries.", asText(`ST_ShortestLine('POINT(5 5)'::geometry, `+line+`)`), "LINESTRING(5 5,5 0)",
			of(two, "geometry", pairOf("lw_dist2d_distanceline", false, geom.Nearest, pairLine))),
		fn(groupGeomMeasure, "ST_ClosestPoint", "The point of the first geometry nearest to the second.", asText(`ST_ClosestPoint(`+line+`, 'POINT(5 5)'::geometry)`), "POINT(5 0)",
			of(two, "geometry", pairOf("lw_dist2d_distancepoint", false, geom.Nearest, pairStart))),
		fn(groupGeomMeasure, "ST_LongestLine", "The longest line between positions of two geometries.", asText(`ST_LongestLine('POINT(0 0)'::geometry, `+line+`)`), "LINESTRING(0 0,10 0)",
			of(two, "geometry", pairOf("lw_dist2d_distanceline", false, geom.Farthest, pairLine))),
		fn(groupGeomMeasure, "ST_MaxDistance", "The greatest distance between positions of two geometries.", `SELECT ST_MaxDistance('POINT(0 0)'::geometry, `+line+`)`, "10",
			of(two, "float8", pairOf("LWGEOM_maxdistance2d_linestring", false, geom.Farthest, pairDistance))),
		fn(groupGeomRelate, "ST_DFullyWithin", "True when no positions of two geometries lie farther apart than a distance.", `SELECT ST_DFullyWithin('POINT(0 0)'::geometry, `+line+`, 9)`, "f",
			of("geom1 geometry,geom2 geometry,float8", "bool", withinPair("LWGEOM_dfullywithin", false, geom.Farthest))),
		fn(groupGeomMeasure, "ST_HausdorffDistance", "The discrete Hausdorff distance.", `SELECT ST_HausdorffDistance('LINESTRING(0 0,2 0)'::geometry, 'LINESTRING(0 1,2 3)'::geometry)`, "3",
			of(two, "float8", pathDistance("hausdorffdistance", geom.Hausdorff)), of("geom1 geometry,geom2 geometry,float8", "float8", pathDistance("hausdorffdistance", geom.Hausdorff))),
		fn(groupGeomMeasure, "ST_FrechetDistance", "The discrete Fréchet distance.", `SELECT ST_FrechetDistance('LINESTRING(0 0,2 0)'::geometry, 'LINESTRING(0 1,2 3)'::geometry)`, "3",
			of("geom1 geometry,geom2 geometry,float8 default -1", "float8", pathDistance("ST_FrechetDistance", geom.Frechet))),
		fn(groupGeomMeasure, "ST_3DDistance", "Distance in space.", `SELECT ST_3DDistance('POINT Z (0 0 0)'::geometry, 'POINT Z (0 3 4)'::geometry)`, "5",
			of(two, "float8", pairOf("lwgeom_mindistance3d", true, geom.Nearest, pairDistance))),
		fn(groupGeomMeasure, "ST_3DMaxDistance", "The greatest distance between positions in space.", `SELECT ST_3DMaxDistance('POINT Z (0 0 0)'::geometry, 'POINT Z (0 3 4)'::geometry)`, "5",
			of(two, "float8", pairOf("lwgeom_maxdistance3d", true, geom.Farthest, pairDistance))),
		fn(groupGeomMeasure, "ST_3DShortestLine", "The shortest line between two geometries in space.", asText(`ST_3DShortestLine('POINT Z (0 0 0)'::geometry, 'POINT Z (0 3 4)'::geometry)`), "LINESTRING Z (0 0 0,0 3 4)",
			of(two, "geometry", pairOf("lw_dist3d_distanceline", true, geom.Nearest, pairLine))),
		fn(groupGeomMeasure, "ST_3DLongestLine", "The longest line between positions in space.", asText(`ST_3DLongestLine('POINT Z (0 0 0)'::geometry, 'POINT Z (0 3 4)'::geometry)`), "LINESTRING Z (0 0 0,0 3 4)",
			of(two, "geometry", pairOf("lw_dist3d_distanceline", true, geom.Farthest, pairLine))),
		fn(groupGeomMeasure, "ST_3DClosestPoint", "The point of the first geometry nearest to the second in space.", asText(`ST_3DClosestPoint('POINT Z (0 0 1)'::geometry, 'POINT Z (0 3 4)'::geometry)`), "POINT Z (0 0 1)",
			of(two, "geometry", pairOf("lw_dist3d_distancepoint", true, geom.Nearest, pairStart))),
		fn(groupGeomRelate, "ST_3DDWithin", "True when two geometries lie no farther apart in space than a distance.", `SELECT ST_3DDWithin('POINT Z (0 0 0)'::geometry, 'POINT Z (0 3 4)'::geometry, 5)`, "t",
			of("geom1 geometry,geom2 geometry,float8", "bool", withinPair("LWGEOM_dwithin3d", true, geom.Nearest))),
		fn(groupGeomRelate, "ST_3DDFullyWithin", "True when no positions lie farther apart in space than a distance.", `SELECT ST_3DDFullyWithin('POINT Z (0 0 0)'::geometry, 'POINT Z (0 3 4)'::geometry, 4)`, "f",
			of("geom1 geometry,geom2 geometry,float8", "bool", withinPair("LWGEOM_dfullywithin3d", true, geom.Farthest))),
	}
}
