package funcs

import (
	"slices"

	"raisind/geom"
	"raisind/sql/types"
)

// mapPositions returns g with every position changed by fn, which gets a copy and may
// write to it.
func mapPositions(g *geom.Geometry, fn func(p []float64)) *geom.Geometry {
	if g.IsEmpty() {
		return g
	}
	stride := g.Dims().Stride()
	apply := func(src []float64) []float64 {
		out := slices.Clone(src)
		for i := 0; i+stride <= len(out); i += stride {
			fn(out[i : i+stride])
		}
		return out
	}
	switch g.Kind() {
	case geom.Point:
		return geom.NewPointDims(apply(g.Positions()), g.Dims(), g.SRID())
	case geom.LineString:
		return geom.NewLineString(apply(g.Positions()), g.Dims(), g.SRID())
	case geom.Polygon:
		rings := make([][]float64, g.NumRings())
		for i := range rings {
			rings[i] = apply(g.Ring(i))
		}
		return geom.NewPolygon(rings, g.Dims(), g.SRID())
	}
	parts := make([]*geom.Geometry, g.NumParts())
	for i := range parts {
		parts[i] = mapPositions(g.Part(i), fn)
	}
	return geom.NewCollection(g.Kind(), parts, g.Dims(), g.SRID())
}

func flipCoordinates(_ *Ctx, args []types.Datum) (types.Datum, error) {
	return types.Geom(mapPositions(args[0].Geom(), func(p []float64) { p[0], p[1] = p[1], p[0] })), nil
}

// force brings a geometry to dims; ordinates it did not have get the values of the
// arguments behind it, z before m.
func force(dims geom.Dims) EvalFunc {
	return func(_ *Ctx, args []types.Datum) (types.Datum, error) {
		g := args[0].Geom()
		added := dims &^ g.Dims()
		out := geom.Force(g, dims)
		fill := make([]float64, 0, 2)
		for _, a := range args[1:] {
			fill = append(fill, a.Float())
		}
		if added == 0 || !slices.ContainsFunc(fill, func(v float64) bool { return v != 0 }) {
			return types.Geom(out), nil
		}
		return types.Geom(mapPositions(out, func(p []float64) {
			next := 0
			if dims.HasZ() {
				if added.HasZ() {
					p[2] = fill[next]
				}
				next++
			}
			if dims.HasM() && added.HasM() {
				p[len(p)-1] = fill[next]
			}
		})), nil
	}
}

func forceCollection(_ *Ctx, args []types.Datum) (types.Datum, error) {
	g := args[0].Geom()
	if g.Kind() == geom.GeometryCollection {
		return args[0], nil
	}
	var parts []*geom.Geometry
	if g.Kind() < geom.MultiPoint {
		parts = []*geom.Geometry{g}
	} else {
		for i := range g.NumParts() {
			parts = append(parts, g.Part(i))
		}
	}
	return types.Geom(geom.NewCollection(geom.GeometryCollection, parts, g.Dims(), g.SRID())), nil
}

func multi(_ *Ctx, args []types.Datum) (types.Datum, error) {
	g := args[0].Geom()
	switch {
	case g.Kind() >= geom.MultiPoint:
		return args[0], nil
	case g.IsEmpty():
		return types.Geom(geom.NewEmpty(g.Kind()+3, g.Dims(), g.SRID())), nil
	}
	return types.Geom(geom.NewCollection(g.Kind()+3, []*geom.Geometry{g}, g.Dims(), g.SRID())), nil
}

// reverse turns the order of positions of every line and ring.
func reverse(g *geom.Geometry) *geom.Geometry {
	if g.IsEmpty() {
		return g
	}
	stride := g.Dims().Stride()
	backward := func(src []float64) []float64 {
		out := make([]float64, 0, len(src))
		for i := len(src) - stride; i >= 0; i -= stride {
			out = append(out, src[i:i+stride]...)
		}
		return out
	}
	switch g.Kind() {
	case geom.Point, geom.MultiPoint:
		return g
	case geom.LineString:
		return geom.NewLineString(backward(g.Positions()), g.Dims(), g.SRID())
	case geom.Polygon:
		rings := make([][]float64, g.NumRings())
		for i := range rings {
			rings[i] = backward(g.Ring(i))
		}
		return geom.NewPolygon(rings, g.Dims(), g.SRID())
	}
	parts := make([]*geom.Geometry, g.NumParts())
	for i := range parts {
		parts[i] = reverse(g.Part(i))
	}
	return geom.NewCollection(g.Kind(), parts, g.Dims(), g.SRID())
}

func translate(_ *Ctx, args []types.Datum) (types.Datum, error) {
	return types.Geom(mapPositions(args[0].Geom(), func(p []float64) {
		p[0] += args[1].Float()
		p[1] += args[2].Float()
		if len(args) > 3 && args[0].Geom().Dims().HasZ() {
			p[2] += args[3].Float()
		}
	})), nil
}

func scale(_ *Ctx, args []types.Datum) (types.Datum, error) {
	return types.Geom(mapPositions(args[0].Geom(), func(p []float64) {
		p[0] *= args[1].Float()
		p[1] *= args[2].Float()
		if len(args) > 3 && args[0].Geom().Dims().HasZ() {
			p[2] *= args[3].Float()
		}
	})), nil
}

// expand grows the box of a geometry into a polygon; an empty one stays as it is. Where
// there are z and m, the first side has their least and the other side their greatest.
func expand(_ *Ctx, args []types.Datum) (types.Datum, error) {
	g := args[0].Geom()
	b, ok := g.Box()
	if !ok {
		return args[0], nil
	}
	dx, dy := sides(args)
	b = b.Expand(dx, dy)
	if g.Dims() == geom.XY {
		return types.Geom(geom.MakeEnvelope(b.MinX, b.MinY, b.MaxX, b.MaxY, g.SRID())), nil
	}
	dz, dm := dx, dx
	if len(args) > 2 {
		dz, dm = args[3].Float(), args[4].Float()
	}
	grow := []float64{dz, dm}
	if g.Dims() == geom.XYM {
		grow = grow[1:]
	}
	lo, hi := extraRange(g)
	for i := range lo {
		lo[i] -= grow[i]
		hi[i] += grow[i]
	}
	corner := func(x, y float64, extra []float64) []float64 { return append([]float64{x, y}, extra...) }
	first := corner(b.MinX, b.MinY, lo)
	ring := slices.Concat(first, corner(b.MinX, b.MaxY, lo), corner(b.MaxX, b.MaxY, hi), corner(b.MaxX, b.MinY, hi), first)
	return types.Geom(geom.NewPolygon([][]float64{ring}, g.Dims(), g.SRID())), nil
}

// extraRange is the least and greatest of the ordinates behind x and y.
func extraRange(g *geom.Geometry) (lo, hi []float64) {
	g.EachPosition(func(p []float64) bool {
		if lo == nil {
			lo, hi = slices.Clone(p[2:]), slices.Clone(p[2:])
		}
		for i, v := range p[2:] {
			lo[i], hi[i] = min(lo[i], v), max(hi[i], v)
		}
		return true
	})
	return lo, hi
}

// sides are the one or two amounts behind the first argument.
func sides(args []types.Datum) (dx, dy float64) {
	if len(args) == 2 {
		return args[1].Float(), args[1].Float()
	}
	return args[1].Float(), args[2].Float()
}

func expandBox(_ *Ctx, args []types.Datum) (types.Datum, error) {
	b, ok := boxOf(args[0])
	if !ok {
		return args[0], nil
	}
	dx, dy := sides(args)
	if v, ok := args[0].Ref().(*geom.Box3D); ok {
		dz := dx
		if len(args) > 3 {
			dz = args[3].Float()
		}
		return types.NewBox3D(v.Expand(dx, dy, dz)), nil
	}
	return types.NewBox(b.Expand(dx, dy)), nil
}

func makeBox2D(_ *Ctx, args []types.Datum) (types.Datum, error) {
	b := geom.EmptyBox()
	for _, a := range args {
		x, y, ok := a.Geom().AsPoint()
		if !ok {
			return types.Null, errPostGIS("BOX2D_construct: args can not be empty points")
		}
		b = b.ExtendPoint(x, y)
	}
	return types.NewBox(b), nil
}

func spatialEditFuncs() []Func {
	fn := func(name, doc string, example Example, overloads ...Overload) Func {
		return Func{
			Name: name, Group: groupGeomEdit, Volatility: Immutable, Doc: doc,
			Overloads: overloads, Examples: []Example{example},
		}
	}
	return []Func{
		fn("ST_FlipCoordinates", "Exchanges x and y: for data written latitude first.",
			Example{`SELECT ST_AsText(ST_FlipCoordinates('POINT(52.5 13.4)'))`, "POINT(13.4 52.5)"},
			of("geometry", "geometry", flipCoordinates)),
		fn("ST_Force2D", "Drops z and m.", Example{`SELECT ST_AsText(ST_Force2D('POINT Z (1 2 3)'))`, "POINT(1 2)"},
			of("geometry", "geometry", force(geom.XY))),
		fn("ST_Force3D", "Gives positions a z and drops m.", Example{`SELECT ST_AsText(ST_Force3D('POINT(1 2)', 7))`, "POINT Z (1 2 7)"},
			of("geom geometry,zvalue float8 default 0", "geometry", force(geom.XYZ))),
		fn("ST_Force3DZ", "Gives positions a z and drops m.", Example{`SELECT ST_AsText(ST_Force3DZ('POINT(1 2)', 7))`, "POINT Z (1 2 7)"},
			of("geom geometry,zvalue float8 default 0", "geometry", force(geom.XYZ))),
		fn("ST_Force3DM", "Gives positions a measure and drops z.", Example{`SELECT ST_AsText(ST_Force3DM('POINT(1 2)', 7))`, "POINT M (1 2 7)"},
			of("geom geometry,mvalue float8 default 0", "geometry", force(geom.XYM))),
		fn("ST_Force4D", "Gives positions a z and a measure.", Example{`SELECT ST_AsText(ST_Force4D('POINT(1 2)', 7, 8))`, "POINT ZM (1 2 7 8)"},
			of("geom geometry,zvalue float8 default 0,mvalue float8 default 0", "geometry", force(geom.XYZM))),
		fn("ST_ForceCollection", "Turns a geometry into a collection.", Example{`SELECT ST_AsText(ST_ForceCollection('POINT(1 2)'))`, "GEOMETRYCOLLECTION(POINT(1 2))"},
			of("geometry", "geometry", forceCollection)),
		fn("ST_Multi", "Turns a single geometry into a multi geometry.", Example{`SELECT ST_AsText(ST_Multi('POINT(1 2)'))`, "MULTIPOINT((1 2))"},
			of("geometry", "geometry", multi)),
		fn("ST_Reverse", "Turns the order of positions.", Example{`SELECT ST_AsText(ST_Reverse('LINESTRING(0 0,1 1)'))`, "LINESTRING(1 1,0 0)"},
			of("geometry", "geometry", func(_ *Ctx, args []types.Datum) (types.Datum, error) {
				return types.Geom(reverse(args[0].Geom())), nil
			})),
		fn("ST_Translate", "Moves a geometry by amounts of x, y and z.", Example{`SELECT ST_AsText(ST_Translate('POINT(1 2)', 10, 20))`, "POINT(11 22)"},
			of("geometry,float8,float8", "geometry", translate), of("geometry,float8,float8,float8", "geometry", translate)),
		fn("ST_Scale", "Multiplies ordinates.", Example{`SELECT ST_AsText(ST_Scale('POINT(1 2)', 10, 20))`, "POINT(10 40)"},
			of("geometry,float8,float8", "geometry", scale), of("geometry,float8,float8,float8", "geometry", scale),
			of("geom geometry,scale geometry", "geometry", constructed(scaleBy)),
			of("geom geometry,scale geometry,origin geometry", "geometry", constructed(scaleBy))),
		fn("ST_Expand", "The bounding box grown to all sides.", Example{`SELECT ST_AsText(ST_Expand('POINT(0 0)'::geometry, 1))`, "POLYGON((-1 -1,-1 1,1 1,1 -1,-1 -1))"},
			of("geometry,float8", "geometry", expand),
			of("geom geometry,dx float8,dy float8,dz float8 default 0,dm float8 default 0", "geometry", expand),
			of("box2d,float8", "box2d", expandBox), of("box box2d,dx float8,dy float8", "box2d", expandBox),
			of("box3d,float8", "box3d", expandBox), of("box box3d,dx float8,dy float8,dz float8 default 0", "box3d", expandBox)),
		fn("ST_MakeBox2D", "The box of two corner points.", Example{`SELECT ST_MakeBox2D(ST_Point(0, 0), ST_Point(1, 2))`, "BOX(0 0,1 2)"},
			of("geom1 geometry,geom2 geometry", "box2d", makeBox2D)),
		fn("ST_Centroid", "The centre of mass; of geographies on the sphere.",
			Example{`SELECT ST_AsText(ST_Centroid('POLYGON((0 0,2 0,2 2,0 2,0 0))'::geometry))`, "POINT(1 1)"},
			of("geometry", "geometry", centroid), of("text", "geometry", parsed(centroid)),
			of("geography,use_spheroid bool default true", "geography", centroidGeography),
			of("jsonb", "geometry", propertyOr(centroid))),
	}
}

func centroid(_ *Ctx, args []types.Datum) (types.Datum, error) {
	return types.Geom(geom.Centroid(args[0].Geom())), nil
}
