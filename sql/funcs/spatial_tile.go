package funcs

import (
	"raisind/geom"
	"raisind/sql/types"
)

// Defaults of tiles.
const (
	tileExtent = 4096
	tileBuffer = 256
)

func tileEnvelope(_ *Ctx, args []types.Datum) (types.Datum, error) {
	bounds, ok := boxOf(args[3])
	if !ok || !(bounds.MaxX > bounds.MinX) || !(bounds.MaxY > bounds.MinY) {
		return types.Null, errPostGIS("ST_TileEnvelope: Geometric bounds are too small")
	}
	srid := args[3].Geom().SRID()
	b, err := geom.TileBounds(int(args[0].Int()), int(args[1].Int()), int(args[2].Int()), bounds, args[4].Float())
	if err != nil {
		return types.Null, geomError(err)
	}
	return types.Geom(geom.MakeEnvelope(b.MinX, b.MinY, b.MaxX, b.MaxY, srid)), nil
}

// asMVTGeom is called with NULLs: defaults stand for them.
func asMVTGeom(fc *Ctx, args []types.Datum) (types.Datum, error) {
	if args[1].IsNull() {
		return types.Null, errPostGIS("ST_AsMVTGeom: Geometric bounds cannot be null")
	}
	if args[0].IsNull() {
		return types.Null, nil
	}
	bounds, ok := boxOf(args[1])
	if !ok {
		return types.Null, errPostGIS("ST_AsMVTGeom: Geometric bounds are too small")
	}
	extent, buffer, clip := tileExtent, tileBuffer, true
	if !args[2].IsNull() {
		extent = int(args[2].Int())
	}
	if !args[3].IsNull() {
		buffer = int(args[3].Int())
	}
	if !args[4].IsNull() {
		clip = args[4].Bool()
	}
	if extent <= 0 {
		return types.Null, errPostGIS("ST_AsMVTGeom: Extent must be greater than 0")
	}
	if !(bounds.MaxX > bounds.MinX) || !(bounds.MaxY > bounds.MinY) {
		return types.Null, errPostGIS("ST_AsMVTGeom: Geometric bounds are too small")
	}
	g := args[0].Geom()
	return geomResult(working(fc, func() (*geom.Geometry, error) { return geom.MVTGeometry(g, bounds, extent, buffer, clip) }, g))
}

func tileFuncs() []Func {
	return []Func{
		{
			Name: "ST_TileEnvelope", Group: groupGeomTile, Volatility: Immutable,
			Doc: "The rectangle of a tile, in Web Mercator (3857) or within bounds of another system; margin adds a part of the tile's size to each side.",
			Overloads: []Overload{
				func() Overload {
					o := of("zoom int4,x int4,y int4,bounds geometry,margin float8 default 0", "geometry", tileEnvelope)
					o.Defaults = []types.Datum{types.Geom(geom.MakeEnvelope(geom.WebMercatorBounds.MinX, geom.WebMercatorBounds.MinY,
						geom.WebMercatorBounds.MaxX, geom.WebMercatorBounds.MaxY, webMercator)), types.Float(0)}
					return o
				}(),
			},
			Examples: []Example{{`SELECT ST_AsText(ST_TileEnvelope(1, 0, 0), 0)`, "POLYGON((-20037508 0,-20037508 20037508,0 20037508,0 0,-20037508 0))"}},
		},
		{
			Name: "ST_AsMVTGeom", Group: groupGeomTile, Volatility: Immutable, Nulls: CalledOnNull,
			Doc: "Takes a geometry into the grid of a tile: extent cells over bounds, cut at buffer cells beyond its edge. NULL when nothing is left.",
			Overloads: []Overload{
				of("geom geometry,bounds box2d,extent int4 default 4096,buffer int4 default 256,clip_geom bool default true", "geometry", asMVTGeom),
			},
			Examples: []Example{{`SELECT ST_AsText(ST_AsMVTGeom(ST_Point(5, 5), ST_MakeEnvelope(0, 0, 10, 10)::box2d, 100))`, "POINT(50 50)"}},
		},
	}
}
