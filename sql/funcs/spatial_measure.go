package funcs

import (
	"raisind/geom"
	"raisind/sql/types"
)

// floatOf is a body for a number measured on a geometry.
func floatOf(f func(g *geom.Geometry) float64) EvalFunc {
	return func(_ *Ctx, args []types.Datum) (types.Datum, error) {
		return types.Float(f(args[0].Geom())), nil
	}
}

// onEarth is a body for a measure of a geography: on the spheroid, or on the sphere
// when use_spheroid is false.
func onEarth(spheroid, sphere func(g *geom.Geometry) float64) EvalFunc {
	return func(_ *Ctx, args []types.Datum) (types.Datum, error) {
		if len(args) > 1 && !args[1].Bool() {
			return types.Float(sphere(args[0].Geom())), nil
		}
		return types.Float(spheroid(args[0].Geom())), nil
	}
}

// linesOf and areasOf leave the parts of one dimension: PostGIS's length counts lines
// only, its perimeter rings only.
func linesOf(g *geom.Geometry) []*geom.Geometry { return partsOf(g, geom.LineString) }
func areasOf(g *geom.Geometry) []*geom.Geometry { return partsOf(g, geom.Polygon) }

func partsOf(g *geom.Geometry, kind geom.Kind) []*geom.Geometry {
	if g.Kind() == kind {
		return []*geom.Geometry{g}
	}
	if g.Kind() < geom.MultiPoint {
		return nil
	}
	var out []*geom.Geometry
	for i := range g.NumParts() {
		out = append(out, partsOf(g.Part(i), kind)...)
	}
	return out
}

// sum adds up a measure of parts.
func sum(parts func(g *geom.Geometry) []*geom.Geometry, measure func(g *geom.Geometry) float64) func(g *geom.Geometry) float64 {
	return func(g *geom.Geometry) float64 {
		total := 0.0
		for _, p := range parts(g) {
			total += measure(p)
		}
		return total
	}
}

func measureFuncs() []Func {
	const useSpheroid = ",use_spheroid bool default true"
	fn := func(name, doc string, example Example, overloads ...Overload) Func {
		return Func{
			Name: name, Group: groupGeomMeasure, Volatility: Immutable, Doc: doc,
			Overloads: overloads, Examples: []Example{example},
		}
	}
	length := floatOf(sum(linesOf, geom.PlanarLength))
	area := floatOf(sum(areasOf, geom.PlanarArea))
	perimeter := floatOf(sum(areasOf, geom.PlanarPerimeter))
	geoLength := onEarth(sum(linesOf, geom.GeodesicLengthM), sum(linesOf, sphereLengthM))
	geoArea := onEarth(sum(areasOf, geom.GeodesicAreaM2), sum(areasOf, sphereAreaM2))
	geoPerimeter := onEarth(sum(areasOf, geom.GeodesicPerimeterM), sum(areasOf, sphereLengthM))
	return []Func{
		fn("ST_Length", "Length of the lines: metres for geographies and properties, units of the SRID for geometries.",
			Example{`SELECT ST_Length('LINESTRING(0 0,3 4)'::geometry)`, "5"},
			of("geometry", "float8", length), of("text", "float8", parsed(length)),
			of("geog geography"+useSpheroid, "float8", geoLength),
			of("jsonb", "float8", propertyOr(geoLength))),
		fn("ST_Length2D", "Length of the lines of a geometry.", Example{`SELECT ST_Length2D('LINESTRING(0 0,3 4)')`, "5"},
			of("geometry", "float8", length)),
		fn("ST_Area", "Area of the polygons: square metres for geographies and properties, square units of the SRID for geometries.",
			Example{`SELECT ST_Area('POLYGON((0 0,2 0,2 2,0 2,0 0))'::geometry)`, "4"},
			of("geometry", "float8", area), of("text", "float8", parsed(area)),
			of("geog geography"+useSpheroid, "float8", geoArea),
			of("jsonb", "float8", propertyOr(geoArea))),
		fn("ST_Area2D", "Area of the polygons of a geometry.", Example{`SELECT ST_Area2D('POLYGON((0 0,2 0,2 2,0 2,0 0))')`, "4"},
			of("geometry", "float8", area)),
		fn("ST_Perimeter", "Length of the rings of the polygons: metres for geographies and properties, units of the SRID for geometries.",
			Example{`SELECT ST_Perimeter('POLYGON((0 0,2 0,2 2,0 2,0 0))'::geometry)`, "8"},
			of("geometry", "float8", perimeter),
			of("geog geography"+useSpheroid, "float8", geoPerimeter),
			of("jsonb", "float8", propertyOr(geoPerimeter))),
		fn("ST_Perimeter2D", "Length of the rings of the polygons of a geometry.", Example{`SELECT ST_Perimeter2D('POLYGON((0 0,2 0,2 2,0 2,0 0))')`, "8"},
			of("geometry", "float8", perimeter)),
	}
}
