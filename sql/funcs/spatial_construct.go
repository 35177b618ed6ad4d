package funcs

import (
	"raisind/geom"
	"raisind/sql/types"
)

// plain is a construction without other arguments.
func plain(fn func(g *geom.Geometry) (*geom.Geometry, error)) EvalFunc {
	return constructed(func(g *geom.Geometry, _ []types.Datum) (*geom.Geometry, error) { return fn(g) })
}

// edited is a construction that cannot fail; nil gives NULL.
func edited(fn func(g *geom.Geometry, args []types.Datum) *geom.Geometry) EvalFunc {
	return constructed(func(g *geom.Geometry, args []types.Datum) (*geom.Geometry, error) { return fn(g, args), nil })
}

// floats are the arguments behind the first.
func floats(args []types.Datum) []float64 {
	out := make([]float64, len(args)-1)
	for i, a := range args[1:] {
		out[i] = a.Float()
	}
	return out
}

func snapToGrid(g *geom.Geometry, args []types.Datum) *geom.Geometry {
	f := floats(args)
	r := geom.Grid{}
	switch len(f) {
	case 1:
		r.Size = [4]float64{f[0], f[0]}
	case 2:
		r.Size = [4]float64{f[0], f[1]}
	default:
		r.Origin, r.Size = [4]float64{f[0], f[1]}, [4]float64{f[2], f[3]}
	}
	if r.Size == [4]float64{} {
		return g
	}
	return geom.SnapToGrid(g, r)
}

func snapToGridPoint(_ *Ctx, args []types.Datum) (types.Datum, error) {
	o := args[1].Geom()
	if o.Kind() != geom.Point {
		return types.Null, errPostGIS("Second argument must be a point geometry")
	}
	if err := sameSRID("LWGEOM_snaptogrid_pointoff", args[0].Geom(), o); err != nil {
		return types.Null, err
	}
	r := geom.Grid{Size: [4]float64{args[2].Float(), args[3].Float(), args[4].Float(), args[5].Float()}}
	if x, y, ok := o.AsPoint(); ok {
		r.Origin[0], r.Origin[1] = x, y
		r.Origin[2], _ = o.Z()
		r.Origin[3], _ = o.M()
	}
	return types.Geom(geom.SnapToGrid(args[0].Geom(), r)), nil
}

func subdivide(fc *Ctx, args []types.Datum) (RowSource, error) {
	const least = 5
	if args[1].Int() < least {
		return nil, errPostGIS("lwgeom_subdivide: cannot subdivide to fewer than %d vertices per output", least)
	}
	g := args[0].Geom()
	var pieces []*geom.Geometry
	_, err := working(fc, func() (*geom.Geometry, error) {
		var err error
		pieces, err = geom.Subdivide(g, int(args[1].Int()))
		return nil, err
	}, g)
	if err != nil {
		return nil, geomError(err)
	}
	values := make([]types.Datum, len(pieces))
	for i, p := range pieces {
		values[i] = types.Geom(p)
	}
	return valueRows(values), nil
}

// circleAround is the circle of ST_MinimumBoundingCircle with segs segments a quarter.
func circleAround(g *geom.Geometry, args []types.Datum) (*geom.Geometry, error) {
	x, y, r, ok := geom.MinimumCircle(g)
	if !ok {
		return geom.NewEmpty(geom.Polygon, geom.XY, g.SRID()), nil
	}
	if r == 0 {
		return geom.NewPoint(x, y, g.SRID()), nil
	}
	style := geom.DefaultBuffer
	style.QuadSegments = int(args[1].Int())
	return geom.Buffer(geom.NewPoint(x, y, g.SRID()), r, style)
}

func minimumRadius(_ *Ctx, args []types.Datum) (RowSource, error) {
	g := args[0].Geom()
	x, y, r, ok := geom.MinimumCircle(g)
	center := geom.NewPoint(x, y, g.SRID())
	if !ok {
		center = geom.NewEmpty(geom.Point, geom.XY, g.SRID())
	}
	return rowsOf([]types.Row{{types.Geom(center), types.Float(r)}}), nil
}

func collectionExtract(g *geom.Geometry, args []types.Datum) (*geom.Geometry, error) {
	kind := 0
	if len(args) > 1 {
		kind = int(args[1].Int())
		if kind < 1 || kind > 3 {
			return nil, errPostGIS("ST_CollectionExtract: only point, linestring and polygon may be extracted")
		}
	}
	if g.Kind() < geom.MultiPoint {
		if kind == 0 || int(g.Kind()) == kind {
			return g, nil
		}
		return geom.NewEmpty(geom.Kind(kind), g.Dims(), g.SRID()), nil
	}
	if g.Kind() != geom.GeometryCollection && kind == 0 {
		return g, nil
	}
	if kind == 0 {
		kind = g.Dimension() + 1
	}
	if g.Kind() == geom.Kind(kind+3) {
		return g, nil
	}
	var parts []*geom.Geometry
	var walk func(g *geom.Geometry)
	walk = func(g *geom.Geometry) {
		if g.Kind() < geom.MultiPoint {
			if int(g.Kind()) == kind && !g.IsEmpty() {
				parts = append(parts, g)
			}
			return
		}
		for i := range g.NumParts() {
			walk(g.Part(i))
		}
	}
	walk(g)
	return geom.NewCollection(geom.Kind(kind+3), parts, g.Dims(), g.SRID()), nil
}

func points(g *geom.Geometry, _ []types.Datum) *geom.Geometry {
	var parts []*geom.Geometry
	g.EachPosition(func(p []float64) bool {
		parts = append(parts, geom.NewPointDims(p, g.Dims(), 0))
		return true
	})
	return geom.NewCollection(geom.MultiPoint, parts, g.Dims(), g.SRID())
}

func constructFuncs() []Func {
	square := "'POLYGON((0 0,0 2,2 2,2 0,0 0))'::geometry"
	fn := func(name, doc, sql, want string, overloads ...Overload) Func {
		return Func{
			Name: name, Group: groupGeomOverlay, Volatility: Immutable, Doc: doc,
			Overloads: overloads, Examples: []Example{{sql, want}},
		}
	}
	asText := func(call string) string { return `SELECT ST_AsText(` + call + `)` }
	return []Func{
		fn("ST_ConvexHull", "The smallest convex shape round a geometry.", asText(`ST_ConvexHull('MULTIPOINT(0 0,0 2,2 2,2 0,1 1)'::geometry)`), "POLYGON((0 0,0 2,2 2,2 0,0 0))",
			of("geometry", "geometry", plain(geom.ConvexHull))),
		fn("ST_Boundary", "The ends of lines, the rings of areas.", asText(`ST_Boundary(`+square+`)`), "LINESTRING(0 0,0 2,2 2,2 0,0 0)",
			of("geometry", "geometry", plain(geom.Boundary))),
		fn("ST_Normalize", "The same shape with rings, parts and directions in a fixed order.", asText(`ST_Normalize('MULTILINESTRING((1 1,0 0),(5 5,6 6))'::geometry)`), "MULTILINESTRING((5 5,6 6),(0 0,1 1))",
			of("geometry", "geometry", edited(func(g *geom.Geometry, _ []types.Datum) *geom.Geometry { return geom.Normalize(g) }))),
		fn("ST_PointOnSurface", "A point of a geometry.", asText(`ST_PointOnSurface(`+square+`)`), "POINT(1 1)",
			of("geometry", "geometry", edited(func(g *geom.Geometry, _ []types.Datum) *geom.Geometry { return geom.PointOnSurface(g) }))),
		fn("ST_MakeValid", "A valid geometry of the same positions: areas by the even-odd rule, what collapses as lines and points.",
			asText(`ST_MakeValid('POLYGON((0 0,2 2,2 0,0 2,0 0))'::geometry)`), "MULTIPOLYGON(((0 2,1 1,0 0,0 2)),((2 2,2 0,1 1,2 2)))",
			of("geometry", "geometry", plain(geom.MakeValid)),
			of("geom geometry,params text", "geometry", constructed(func(g *geom.Geometry, args []types.Datum) (*geom.Geometry, error) {
				return makeValidWith(g, args[1].Str())
			}))),
		fn("ST_BuildArea", "The area of rings, with holes and islands.", asText(`ST_BuildArea('LINESTRING(0 0,0 2,2 2,2 0,0 0)'::geometry)`), "POLYGON((0 0,0 2,2 2,2 0,0 0))",
			of("geometry", "geometry", plain(geom.BuildArea))),
		fn("ST_Node", "Lines split wherever they cross.", asText(`ST_Node('MULTILINESTRING((0 0,2 2),(0 2,2 0))'::geometry)`), "MULTILINESTRING((0 0,1 1),(1 1,2 2),(0 2,1 1),(1 1,2 0))",
			of("geometry", "geometry", plain(geom.Node))),
		fn("ST_LineMerge", "Lines joined where two meet.", asText(`ST_LineMerge('MULTILINESTRING((0 0,1 1),(1 1,2 2))'::geometry)`), "LINESTRING(0 0,1 1,2 2)",
			of("geometry", "geometry", edited(func(g *geom.Geometry, _ []types.Datum) *geom.Geometry { return geom.LineMerge(g, false) })),
			of("geometry,bool", "geometry", edited(func(g *geom.Geometry, a []types.Datum) *geom.Geometry { return geom.LineMerge(g, a[1].Bool()) }))),
		fn("ST_Polygonize", "The areas that lines enclose.", `SELECT ST_NumGeometries(ST_Polygonize(ARRAY['LINESTRING(0 0,0 2,2 2,2 0,0 0)'::geometry]))`, "1",
			of("geometry[]", "geometry", func(fc *Ctx, args []types.Datum) (types.Datum, error) { return polygonizeAll(fc, shapesOf(args[0])) })),
		fn("ST_ClusterIntersecting", "Collections of what meets, directly or through others.", `SELECT array_length(ST_ClusterIntersecting(ARRAY[ST_Point(0, 0), ST_Point(1, 1)]), 1)`, "2",
			of("geometry[]", "geometry[]", func(fc *Ctx, args []types.Datum) (types.Datum, error) { return clusterAll(fc, shapesOf(args[0]), -1) })),
		fn("ST_ClusterWithin", "Collections of what lies within a distance, directly or through others.", `SELECT array_length(ST_ClusterWithin(ARRAY[ST_Point(0, 0), ST_Point(1, 1)], 2), 1)`, "1",
			of("geometry[],float8", "geometry[]", func(fc *Ctx, args []types.Datum) (types.Datum, error) {
				if args[1].Float() < 0 {
					return types.Null, errPostGIS("Tolerance must be a positive number")
				}
				return clusterAll(fc, shapesOf(args[0]), args[1].Float())
			})),
		fn("ST_Simplify", "Douglas and Peucker's algorithm; NULL when nothing is left.", asText(`ST_Simplify('LINESTRING(0 0,1 0.1,2 0)'::geometry, 0.5)`), "LINESTRING(0 0,2 0)",
			of("geometry,float8", "geometry", edited(func(g *geom.Geometry, a []types.Datum) *geom.Geometry { return geom.Simplify(g, a[1].Float(), false) })),
			of("geometry,float8,bool", "geometry", edited(func(g *geom.Geometry, a []types.Datum) *geom.Geometry {
				return geom.Simplify(g, a[1].Float(), a[2].Bool())
			}))),
		fn("ST_SimplifyVW", "Visvalingam and Whyatt's algorithm by the area of triangles.", asText(`ST_SimplifyVW('LINESTRING(0 0,1 0.1,2 0)'::geometry, 0.5)`), "LINESTRING(0 0,2 0)",
			of("geometry,float8", "geometry", edited(func(g *geom.Geometry, a []types.Datum) *geom.Geometry { return geom.SimplifyVW(g, a[1].Float()) }))),
		fn("ST_SnapToGrid", "Moves positions onto a grid and drops what repeats.", asText(`ST_SnapToGrid('LINESTRING(0.4 0,0.2 0,1.6 0)'::geometry, 1)`), "LINESTRING(0 0,2 0)",
			of("geometry,float8", "geometry", edited(snapToGrid)), of("geometry,float8,float8", "geometry", edited(snapToGrid)),
			of("geometry,float8,float8,float8,float8", "geometry", edited(snapToGrid)),
			of("geom1 geometry,geom2 geometry,float8,float8,float8,float8", "geometry", snapToGridPoint)),
		fn("ST_RemoveRepeatedPoints", "Drops positions within a tolerance of the one before.", asText(`ST_RemoveRepeatedPoints('LINESTRING(0 0,0 0,1 1)'::geometry)`), "LINESTRING(0 0,1 1)",
			of("geom geometry,tolerance float8 default 0", "geometry", edited(func(g *geom.Geometry, a []types.Datum) *geom.Geometry {
				return geom.RemoveRepeatedPoints(g, a[1].Float())
			}))),
		fn("ST_ReducePrecision", "Rounds coordinates and keeps areas valid.", asText(`ST_ReducePrecision('POINT(1.26 2)'::geometry, 0.1)`), "POINT(1.3 2)",
			of("geom geometry,gridsize float8", "geometry", constructed(func(g *geom.Geometry, a []types.Datum) (*geom.Geometry, error) {
				return geom.ReducePrecision(g, a[1].Float())
			}))),
		fn("ST_ClipByBox2D", "What of a geometry lies in a box, without care for validity.", asText(`ST_ClipByBox2D('LINESTRING(0 0,4 0)'::geometry, 'BOX(1 -1,2 1)')`), "LINESTRING(1 0,2 0)",
			of("geom geometry,box box2d", "geometry", edited(func(g *geom.Geometry, a []types.Datum) *geom.Geometry {
				b, _ := boxOf(a[1])
				return geom.ClipToBox(g, b)
			}))),
		fn("ST_Segmentize", "Adds positions so that no segment is longer than a length: units of the SRID, metres for geographies.",
			asText(`ST_Segmentize('LINESTRING(0 0,2 0)'::geometry, 1)`), "LINESTRING(0 0,1 0,2 0)",
			of("geometry,float8", "geometry", constructed(func(g *geom.Geometry, a []types.Datum) (*geom.Geometry, error) {
				if !(a[1].Float() > 0) {
					return nil, errPostGIS("ST_Segmentize: invalid max_distance %g (must be >= 0)", a[1].Float())
				}
				return geom.Segmentize(g, a[1].Float())
			}))),
		fn("ST_Split", "Cuts lines by points, lines or areas, and areas by lines.", asText(`ST_Split('LINESTRING(0 0,2 0)'::geometry, 'POINT(1 0)'::geometry)`), "GEOMETRYCOLLECTION(LINESTRING(0 0,1 0),LINESTRING(1 0,2 0))",
			of("geom1 geometry,geom2 geometry", "geometry", func(fc *Ctx, args []types.Datum) (types.Datum, error) {
				a, b := args[0].Geom(), args[1].Geom()
				if err := sameSRID("ST_Split", a, b); err != nil {
					return types.Null, err
				}
				return geomResult(working(fc, func() (*geom.Geometry, error) { return geom.Split(a, b) }, a, b))
			})),
		fn("ST_Subdivide", "Pieces of a geometry of no more than so many positions.", `SELECT count(*) FROM ST_Subdivide(ST_Buffer('POINT(0 0)'::geometry, 1), 10)`, "8",
			set("geom geometry,maxvertices int4 default 256,gridsize float8 default -1", "geometry", subdivide)),
		fn("ST_MinimumBoundingCircle", "The smallest circle round a geometry.", `SELECT ST_NPoints(ST_MinimumBoundingCircle('LINESTRING(0 0,2 0)'::geometry, 8))`, "33",
			of("inputgeom geometry,segs_per_quarter int4 default 48", "geometry", constructed(circleAround))),
		fn("ST_MinimumBoundingRadius", "Centre and radius of the smallest circle round a geometry.", `SELECT radius FROM ST_MinimumBoundingRadius('LINESTRING(0 0,2 0)'::geometry)`, "1",
			set("geometry", "(center geometry, radius float8)", minimumRadius)),
		fn("ST_OrientedEnvelope", "The rectangle of least area round a geometry, at any angle.", `SELECT ST_Area(ST_OrientedEnvelope('MULTIPOINT(0 0,1 1,2 0,1 -1)'::geometry))`, "2",
			of("geometry", "geometry", plain(geom.OrientedEnvelope))),
		fn("ST_ChaikinSmoothing", "Smooths lines and rings by cutting corners.", asText(`ST_ChaikinSmoothing('LINESTRING(0 0,4 0,4 4)'::geometry, 1, true)`), "LINESTRING(0 0,3 0,4 1,4 4)",
			of("geometry,int4 default 1,bool default false", "geometry", constructed(func(g *geom.Geometry, a []types.Datum) (*geom.Geometry, error) {
				if n := a[1].Int(); n < 1 || n > 5 {
					return nil, errPostGIS("Number of iterations must be between 1 and 5 : ST_ChaikinSmoothing")
				}
				return geom.Chaikin(g, int(a[1].Int()), a[2].Bool()), nil
			}))),
		fn("ST_CollectionExtract", "The points, lines or polygons (1, 2, 3) of a collection.", asText(`ST_CollectionExtract('GEOMETRYCOLLECTION(POINT(1 1),LINESTRING(0 0,1 1))'::geometry, 1)`), "MULTIPOINT((1 1))",
			of("geometry", "geometry", constructed(collectionExtract)), of("geometry,int4", "geometry", constructed(collectionExtract))),
		fn("ST_Points", "All positions as a multipoint.", asText(`ST_Points('LINESTRING(0 0,1 1)'::geometry)`), "MULTIPOINT((0 0),(1 1))",
			of("geometry", "geometry", edited(points))),
	}
}

// makeValidWith reads the parameters of ST_MakeValid: method=linework is ours.
func makeValidWith(g *geom.Geometry, params string) (*geom.Geometry, error) {
	if m := paramOf(params, "method"); m != "" && m != "linework" {
		return nil, errUnsupported("ST_MakeValid with method=" + m)
	}
	return geom.MakeValid(g)
}
