package funcs

import (
	"strings"

	"raisind/geom"
	"raisind/sql/types"
)

// ordinate is the body of ST_X and its kin: NULL for an empty point or one without
// that ordinate.
func ordinate(name string, get func(g *geom.Geometry) (float64, bool)) EvalFunc {
	return func(_ *Ctx, args []types.Datum) (types.Datum, error) {
		g := args[0].Geom()
		if g.Kind() != geom.Point {
			return types.Null, errPostGIS("Argument to %s() must have type POINT", name)
		}
		return floatOrNull(get(g)), nil
	}
}

// extreme is the body of ST_XMin and its kin; of picks one side of the box.
func extreme(of func(b geom.Box) float64) EvalFunc {
	return func(_ *Ctx, args []types.Datum) (types.Datum, error) {
		b, ok := boxOf(args[0])
		if !ok {
			return types.Null, nil
		}
		return types.Float(of(b)), nil
	}
}

// extremeZ is ST_ZMin and ST_ZMax; a geometry without z has it at 0.
func extremeZ(pick func(a, b float64) float64) EvalFunc {
	return func(_ *Ctx, args []types.Datum) (types.Datum, error) {
		g := args[0].Geom()
		if g == nil {
			b, ok := args[0].Box3D()
			return floatOrNull(pick(b.MinZ, b.MaxZ), ok), nil
		}
		z, seen := 0.0, false
		g.EachPosition(func(p []float64) bool {
			v := 0.0
			if g.Dims().HasZ() {
				v = p[2]
			}
			if z = pick(v, z); !seen {
				z, seen = v, true
			}
			return true
		})
		return floatOrNull(z, seen), nil
	}
}

func lower(a, b float64) float64  { return min(a, b) }
func higher(a, b float64) float64 { return max(a, b) }

func stGeometryType(_ *Ctx, args []types.Datum) (types.Datum, error) {
	return types.Str("ST_" + args[0].Geom().Kind().String()), nil
}

// geometryType is OGC's spelling: POINT, and POINTM for a measure without z.
func geometryType(_ *Ctx, args []types.Datum) (types.Datum, error) {
	g := args[0].Geom()
	s := strings.ToUpper(g.Kind().String())
	if g.Dims() == geom.XYM {
		s += "M"
	}
	return types.Str(s), nil
}

// intOf is a body for a number read from a geometry.
func intOf(f func(g *geom.Geometry) int) EvalFunc {
	return func(_ *Ctx, args []types.Datum) (types.Datum, error) {
		return types.Int(int64(f(args[0].Geom()))), nil
	}
}

// boolOf is a body for a fact about a geometry.
func boolOf(f func(g *geom.Geometry) bool) EvalFunc {
	return func(_ *Ctx, args []types.Datum) (types.Datum, error) {
		return types.Bool(f(args[0].Geom())), nil
	}
}

func numGeometries(g *geom.Geometry) int {
	if g.IsEmpty() {
		return 0
	}
	return g.NumParts()
}

func geometryN(_ *Ctx, args []types.Datum) (types.Datum, error) {
	g, n := args[0].Geom(), args[1].Int()
	if g.IsEmpty() || n < 1 || n > int64(g.NumParts()) {
		return types.Null, nil
	}
	return types.Geom(g.Part(int(n - 1))), nil
}

func numPoints(_ *Ctx, args []types.Datum) (types.Datum, error) {
	g := args[0].Geom()
	if g.Kind() != geom.LineString {
		return types.Null, nil
	}
	return types.Int(int64(g.NumPoints())), nil
}

// position makes a point of position i of a line, counted from 0.
func position(g *geom.Geometry, i int) types.Datum {
	stride := g.Dims().Stride()
	return types.Geom(geom.NewPointDims(g.Positions()[i*stride:(i+1)*stride], g.Dims(), g.SRID()))
}

// pointN counts from 1, from the end when negative.
func pointN(_ *Ctx, args []types.Datum) (types.Datum, error) {
	g, n := args[0].Geom(), args[1].Int()
	if g.Kind() != geom.LineString {
		return types.Null, nil
	}
	count := int64(g.NumPoints())
	if n < 0 {
		n += count + 1
	}
	if n < 1 || n > count {
		return types.Null, nil
	}
	return position(g, int(n-1)), nil
}

// startPoint is the first position of any geometry, endPoint the last one of a line.
func startPoint(_ *Ctx, args []types.Datum) (types.Datum, error) {
	g, d := args[0].Geom(), types.Null
	g.EachPosition(func(p []float64) bool {
		d = types.Geom(geom.NewPointDims(p, g.Dims(), g.SRID()))
		return false
	})
	return d, nil
}

func endPoint(_ *Ctx, args []types.Datum) (types.Datum, error) {
	g := args[0].Geom()
	if g.Kind() != geom.LineString || g.IsEmpty() {
		return types.Null, nil
	}
	return position(g, g.NumPoints()-1), nil
}

func exteriorRing(_ *Ctx, args []types.Datum) (types.Datum, error) {
	g := args[0].Geom()
	if g.Kind() != geom.Polygon {
		return types.Null, nil
	}
	if g.NumRings() == 0 {
		return types.Geom(geom.NewEmpty(geom.LineString, g.Dims(), g.SRID())), nil
	}
	return ringLine(g, 0), nil
}

func ringLine(g *geom.Geometry, i int) types.Datum {
	coords := append([]float64(nil), g.Ring(i)...)
	return types.Geom(geom.NewLineString(coords, g.Dims(), g.SRID()))
}

func interiorRingN(_ *Ctx, args []types.Datum) (types.Datum, error) {
	g, n := args[0].Geom(), args[1].Int()
	if g.Kind() != geom.Polygon || n < 1 || n >= int64(g.NumRings()) {
		return types.Null, nil
	}
	return ringLine(g, int(n)), nil
}

func numInteriorRings(_ *Ctx, args []types.Datum) (types.Datum, error) {
	g := args[0].Geom()
	if g.Kind() != geom.Polygon {
		return types.Null, nil
	}
	return types.Int(int64(max(g.NumRings()-1, 0))), nil
}

func numRings(g *geom.Geometry) int {
	if g.Kind() < geom.MultiPoint {
		return g.NumRings()
	}
	n := 0
	for i := range g.NumParts() {
		n += numRings(g.Part(i))
	}
	return n
}

// isClosed: lines that end where they start, points and areas always.
func isClosed(g *geom.Geometry) bool {
	switch {
	case g.IsEmpty():
		return false
	case g.Kind() == geom.LineString:
		stride, c := g.Dims().Stride(), g.Positions()
		last := c[len(c)-stride:]
		closed := c[0] == last[0] && c[1] == last[1]
		return closed && (!g.Dims().HasZ() || c[2] == last[2])
	case g.Kind() >= geom.MultiPoint:
		for i := range g.NumParts() {
			if !isClosed(g.Part(i)) {
				return false
			}
		}
	}
	return true
}

func zmFlag(g *geom.Geometry) int {
	return b2i(g.Dims().HasM()) + 2*b2i(g.Dims().HasZ())
}

func envelope(_ *Ctx, args []types.Datum) (types.Datum, error) {
	return types.Geom(geom.Envelope(args[0].Geom())), nil
}

func spatialReadFuncs() []Func {
	fn := func(name, doc string, example Example, overloads ...Overload) Func {
		return Func{
			Name: name, Group: groupGeomRead, Volatility: Immutable, Doc: doc,
			Overloads: overloads, Examples: []Example{example},
		}
	}
	coordinate := func(name, doc string, want string, get func(g *geom.Geometry) (float64, bool)) Func {
		return fn(name, doc, Example{`SELECT ` + name + `('POINT ZM (1 2 3 4)'::geometry)`, want},
			of("geometry", "float8", ordinate(name, get)))
	}
	side := func(name, doc, want string, of4 func(b geom.Box) float64) Func {
		body := extreme(of4)
		return fn(name, doc, Example{`SELECT ` + name + `('LINESTRING(1 2,3 4)'::geometry)`, want},
			of("geometry", "float8", body), of("box2d", "float8", body), of("box3d", "float8", body))
	}
	sideZ := func(name, doc, want string, pick func(a, b float64) float64) Func {
		body := extremeZ(pick)
		return fn(name, doc, Example{`SELECT ` + name + `('LINESTRING Z (1 2 5,3 4 6)'::geometry)`, want},
			of("geometry", "float8", body), of("box3d", "float8", body))
	}
	srid := intOf(func(g *geom.Geometry) int { return int(g.SRID()) })
	return []Func{
		coordinate("ST_X", "The x, or longitude, of a point.", "1", func(g *geom.Geometry) (float64, bool) { x, _, ok := g.AsPoint(); return x, ok }),
		coordinate("ST_Y", "The y, or latitude, of a point.", "2", func(g *geom.Geometry) (float64, bool) { _, y, ok := g.AsPoint(); return y, ok }),
		coordinate("ST_Z", "The z of a point, NULL when it has none.", "3", (*geom.Geometry).Z),
		coordinate("ST_M", "The measure of a point, NULL when it has none.", "4", (*geom.Geometry).M),
		side("ST_XMin", "Least x of a geometry or a box.", "1", func(b geom.Box) float64 { return b.MinX }),
		side("ST_XMax", "Greatest x of a geometry or a box.", "3", func(b geom.Box) float64 { return b.MaxX }),
		side("ST_YMin", "Least y of a geometry or a box.", "2", func(b geom.Box) float64 { return b.MinY }),
		side("ST_YMax", "Greatest y of a geometry or a box.", "4", func(b geom.Box) float64 { return b.MaxY }),
		sideZ("ST_ZMin", "Least z of a geometry.", "5", lower),
		sideZ("ST_ZMax", "Greatest z of a geometry.", "6", higher),
		fn("ST_SRID", "The SRID; 0 when there is none.", Example{`SELECT ST_SRID(ST_Point(1, 2, 4326))`, "4326"},
			of("geom geometry", "int4", srid), of("geog geography", "int4", srid), of("jsonb", "int4", propertyOr(srid))),
		fn("ST_GeometryType", "The type: ST_Point, ST_Polygon, …", Example{`SELECT ST_GeometryType('POINT(1 2)')`, "ST_Point"},
			of("geometry", "text", stGeometryType)),
		fn("GeometryType", "The type: POINT, POLYGON, …", Example{`SELECT GeometryType('POINT(1 2)'::geometry)`, "POINT"},
			of("geometry", "text", geometryType), of("geography", "text", geometryType), of("jsonb", "text", propertyOr(geometryType))),
		fn("ST_IsEmpty", "True for a geometry without a position.", Example{`SELECT ST_IsEmpty('POINT EMPTY')`, "t"},
			of("geometry", "bool", boolOf((*geom.Geometry).IsEmpty))),
		fn("ST_NPoints", "Number of positions, closing ones included.", Example{`SELECT ST_NPoints('POLYGON((0 0,1 0,1 1,0 0))')`, "4"},
			of("geometry", "int4", intOf((*geom.Geometry).NumPoints))),
		fn("ST_NumGeometries", "Number of parts; 1 for a single geometry.", Example{`SELECT ST_NumGeometries('MULTIPOINT(0 0,1 1)')`, "2"},
			of("geometry", "int4", intOf(numGeometries))),
		fn("ST_GeometryN", "Part n, counted from 1.", Example{`SELECT ST_AsText(ST_GeometryN('MULTIPOINT(0 0,1 1)', 2))`, "POINT(1 1)"},
			of("geometry,int4", "geometry", geometryN)),
		fn("ST_NumPoints", "Number of positions of a line, NULL for other geometries.", Example{`SELECT ST_NumPoints('LINESTRING(0 0,1 1)')`, "2"},
			of("geometry", "int4", numPoints)),
		fn("ST_PointN", "Position n of a line, counted from 1, from the end when negative.",
			Example{`SELECT ST_AsText(ST_PointN('LINESTRING(0 0,1 1,2 2)', -1))`, "POINT(2 2)"}, of("geometry,int4", "geometry", pointN)),
		fn("ST_StartPoint", "The first position.", Example{`SELECT ST_AsText(ST_StartPoint('LINESTRING(0 0,1 1)'))`, "POINT(0 0)"},
			of("geometry", "geometry", startPoint)),
		fn("ST_EndPoint", "The last position of a line, NULL for other geometries.", Example{`SELECT ST_AsText(ST_EndPoint('LINESTRING(0 0,1 1)'))`, "POINT(1 1)"},
			of("geometry", "geometry", endPoint)),
		fn("ST_ExteriorRing", "The shell of a polygon as a line.", Example{`SELECT ST_AsText(ST_ExteriorRing('POLYGON((0 0,1 0,1 1,0 0))'))`, "LINESTRING(0 0,1 0,1 1,0 0)"},
			of("geometry", "geometry", exteriorRing)),
		fn("ST_InteriorRingN", "Hole n of a polygon as a line, counted from 1.",
			Example{`SELECT ST_AsText(ST_InteriorRingN('POLYGON((0 0,9 0,9 9,0 0),(3 1,4 1,4 2,3 1))', 1))`, "LINESTRING(3 1,4 1,4 2,3 1)"},
			of("geometry,int4", "geometry", interiorRingN)),
		fn("ST_NumInteriorRings", "Number of holes of a polygon.", Example{`SELECT ST_NumInteriorRings('POLYGON((0 0,1 0,1 1,0 0))')`, "0"},
			of("geometry", "int4", numInteriorRings)),
		fn("ST_NumInteriorRing", "Number of holes of a polygon.", Example{`SELECT ST_NumInteriorRing('POLYGON((0 0,1 0,1 1,0 0))')`, "0"},
			of("geometry", "int4", numInteriorRings)),
		fn("ST_NRings", "Number of rings of all polygons of a geometry.", Example{`SELECT ST_NRings('POLYGON((0 0,1 0,1 1,0 0))')`, "1"},
			of("geometry", "int4", intOf(numRings))),
		fn("ST_IsClosed", "True when every line ends where it starts.", Example{`SELECT ST_IsClosed('LINESTRING(0 0,1 1,0 0)')`, "t"},
			of("geometry", "bool", boolOf(isClosed))),
		fn("ST_IsCollection", "True for multi geometries and collections.", Example{`SELECT ST_IsCollection('MULTIPOINT(0 0)')`, "t"},
			of("geometry", "bool", boolOf(func(g *geom.Geometry) bool { return g.Kind() >= geom.MultiPoint }))),
		fn("ST_Dimension", "0 for points, 1 for lines, 2 for areas; the highest of a collection.", Example{`SELECT ST_Dimension('LINESTRING(0 0,1 1)')`, "1"},
			of("geometry", "int4", intOf((*geom.Geometry).Dimension))),
		fn("ST_CoordDim", "Number of ordinates of a position.", Example{`SELECT ST_CoordDim('POINT Z (1 2 3)')`, "3"},
			of("geometry geometry", "int2", intOf(func(g *geom.Geometry) int { return g.Dims().Stride() }))),
		fn("ST_NDims", "Number of ordinates of a position.", Example{`SELECT ST_NDims('POINT ZM (1 2 3 4)')`, "4"},
			of("geometry", "int2", intOf(func(g *geom.Geometry) int { return g.Dims().Stride() }))),
		fn("ST_Zmflag", "0 for two ordinates, 1 with m, 2 with z, 3 with both.", Example{`SELECT ST_Zmflag('POINT M (1 2 3)')`, "1"},
			of("geometry", "int2", intOf(zmFlag))),
		fn("ST_Envelope", "The bounding box as a geometry.", Example{`SELECT ST_AsText(ST_Envelope('LINESTRING(0 0,1 2)'))`, "POLYGON((0 0,0 2,1 2,1 0,0 0))"},
			of("geometry", "geometry", envelope)),
		fn("ST_IsValid", "True when a geometry obeys the rules of its type: rings that are closed and do not cross.",
			Example{`SELECT ST_IsValid('POLYGON((0 0,2 2,2 0,0 2,0 0))')`, "f"},
			of("geometry", "bool", isValid), of("geometry,int4", "bool", isValid)),
		fn("ST_IsValidReason", "Why a geometry is not valid, and where.", Example{`SELECT ST_IsValidReason('POINT(0 0)')`, "Valid Geometry"},
			of("geometry", "text", isValidReason), of("geometry,int4", "text", isValidReason)),
		fn("ST_GeoHash", "The geohash of a geometry in degrees: of a point to the length asked for (20), of others the cell that holds its box.",
			Example{`SELECT ST_GeoHash(ST_Point(13.4, 52.5), 6)`, "u33d8v"},
			of("geom geometry,maxchars int4 default 0", "text", geoHash),
			of("geog geography,maxchars int4 default 0", "text", geoHash),
			of("property jsonb,maxchars int4 default 0", "text", propertyOr(geoHash))),
	}
}

func geoHash(_ *Ctx, args []types.Datum) (types.Datum, error) {
	g := args[0].Geom()
	if g.IsEmpty() {
		return types.Null, nil
	}
	s, err := geom.GeoHashOf(g, int(args[1].Int()))
	if err != nil {
		return types.Null, geomError(err)
	}
	return types.Str(s), nil
}
