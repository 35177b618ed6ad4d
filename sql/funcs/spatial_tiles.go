package funcs

import (
	"errors"

	"raisind/geom"
	"raisind/pgerr"
	"raisind/sql/types"
	"raisind/tiles"
)

// tileSet expands the parts of a geometry, each by its own box: that of the whole would
// list what lies between them.
func tileSet(g *geom.Geometry, minZoom, maxZoom int64, buffer float64) (*tiles.Set, error) {
	o := tiles.Options{MinZoom: int(minZoom), MaxZoom: int(maxZoom), Buffer: buffer}
	if err := o.Validate(); err != nil {
		return nil, pgerr.Wrap(err, pgerr.InvalidParameterValue, "%v", err)
	}
	set := &tiles.Set{}
	d := &pieces{srid: g.SRID()}
	d.parts(g, nil)
	for _, row := range d.rows {
		box, ok := boxOf(row[1])
		if !ok {
			continue // an empty part is nowhere
		}
		ranges, err := o.Ranges(tiles.Extent{MinX: box.MinX, MinY: box.MinY, MaxX: box.MaxX, MaxY: box.MaxY, SRID: int(g.SRID())})
		switch {
		case errors.Is(err, tiles.ErrSRID):
			return nil, errPostGIS("Cannot find SRID (%d) in spatial_ref_sys", g.SRID())
		case err != nil:
			return nil, pgerr.Wrap(err, pgerr.InvalidParameterValue, "%v", err)
		}
		for _, r := range ranges {
			set.Add(r)
		}
	}
	return set, nil
}

func raisinTiles(_ *Ctx, args []types.Datum) (RowSource, error) {
	set, err := tileSet(args[0].Geom(), args[1].Int(), args[2].Int(), args[3].Float())
	if err != nil {
		return nil, err
	}
	cursor := set.Cursor()
	var rows rowMaker
	return rowFunc(func() (types.Row, bool, error) {
		t, ok := cursor.Next()
		if !ok {
			return nil, false, nil
		}
		return rows.row(types.Int(int64(t.Z)), types.Int(int64(t.X)), types.Int(int64(t.Y))), true, nil
	}), nil
}

func raisinTileCount(_ *Ctx, args []types.Datum) (types.Datum, error) {
	set, err := tileSet(args[0].Geom(), args[1].Int(), args[2].Int(), args[3].Float())
	if err != nil {
		return types.Null, err
	}
	return types.Int(set.Count()), nil
}

func tileListFuncs() []Func {
	const args = "extent geometry,zmin int4,zmax int4,buffer float8 default 0"
	return []Func{
		{
			Name: "raisin_tiles", Group: groupGeomTile, Volatility: Immutable,
			Doc: "The XYZ tiles that a geometry dirties at zooms zmin to zmax, each once: those that touch the box of one of its parts. " +
				"buffer is what tiles draw beyond their edge, as a part of a tile's side (0.0625 for 256 of 4096).",
			Overloads: []Overload{set(args, "(z int4, x int4, y int4)", raisinTiles)},
			Examples: []Example{{
				`SELECT string_agg(concat_ws('/', z, x, y), ' ') FROM raisin_tiles(ST_SetSRID(ST_Point(180, 10), 4326), 0, 2, 0.05)`,
				"0/0/0 1/0/0 1/1/0 2/0/1 2/3/1",
			}},
		},
		{
			Name: "raisin_tile_count", Group: groupGeomTile, Volatility: Immutable,
			Doc:       "How many rows raisin_tiles returns for these arguments. None is listed for it.",
			Overloads: []Overload{of(args, "int8", raisinTileCount)},
			Examples:  []Example{{`SELECT raisin_tile_count(ST_MakeEnvelope(-180, -90, 180, 90, 4326), 0, 20)`, "1466015503701"}},
		},
	}
}
