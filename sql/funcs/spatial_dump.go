package funcs

import (
	"raisind/geom"
	"raisind/sql/types"
)

// pieces gathers the rows of a dump: a path of numbers from 1 and a piece.
type pieces struct {
	rows []types.Row
	srid int32
}

func (d *pieces) add(path []int, g *geom.Geometry) {
	elems := make([]types.Datum, len(path))
	for i, n := range path {
		elems[i] = types.Int(int64(n))
	}
	d.rows = append(d.rows, types.Row{types.Ref(newArray(types.TInt4, elems)), types.Geom(g.WithSRID(d.srid))})
}

// with returns path with one number more, in storage of its own.
func with(path []int, n int) []int { return append(append(make([]int, 0, len(path)+1), path...), n) }

// dump is ST_Dump and its kin.
func dump(fn func(d *pieces, g *geom.Geometry, path []int)) SetFunc {
	return func(_ *Ctx, args []types.Datum) (RowSource, error) {
		g := args[0].Geom()
		d := &pieces{srid: g.SRID()}
		fn(d, g, nil)
		return rowsOf(d.rows), nil
	}
}

// parts are what a collection is made of, down to single geometries.
func (d *pieces) parts(g *geom.Geometry, path []int) {
	if g.IsEmpty() {
		return
	}
	if g.Kind() < geom.MultiPoint {
		d.add(path, g)
		return
	}
	for i := range g.NumParts() {
		if p := g.Part(i); p.Kind() < geom.MultiPoint {
			d.add(with(path, i+1), p) // empty ones too
		} else {
			d.parts(p, with(path, i+1))
		}
	}
}

func point(p []float64, dims geom.Dims) *geom.Geometry { return geom.NewPointDims(p, dims, 0) }

// points are all positions.
func (d *pieces) points(g *geom.Geometry, path []int) {
	dims := g.Dims()
	stride := dims.Stride()
	line := func(c []float64, path []int) {
		for i := 0; i+stride <= len(c); i += stride {
			d.add(with(path, i/stride+1), point(c[i:i+stride], dims))
		}
	}
	switch {
	case g.IsEmpty():
	case g.Kind() == geom.Point && path == nil:
		d.add([]int{1}, g)
	case g.Kind() == geom.Point:
		d.add(path, g)
	case g.Kind() == geom.LineString:
		line(g.Positions(), path)
	case g.Kind() == geom.Polygon:
		for i := range g.NumRings() {
			line(g.Ring(i), with(path, i+1))
		}
	default:
		for i := range g.NumParts() {
			d.points(g.Part(i), with(path, i+1))
		}
	}
}

// segments are the two-point lines between positions.
func (d *pieces) segments(g *geom.Geometry, path []int) {
	dims := g.Dims()
	stride := dims.Stride()
	line := func(c []float64, path []int) {
		for i := 0; i+2*stride <= len(c); i += stride {
			d.add(with(path, i/stride+1), geom.NewLineString(append([]float64(nil), c[i:i+2*stride]...), dims, 0))
		}
	}
	switch {
	case g.IsEmpty() || g.Kind() == geom.Point:
	case g.Kind() == geom.LineString:
		line(g.Positions(), path)
	case g.Kind() == geom.Polygon:
		for i := range g.NumRings() {
			line(g.Ring(i), with(path, i+1))
		}
	default:
		for i := range g.NumParts() {
			d.segments(g.Part(i), with(path, i+1))
		}
	}
}

// dumpRings are the rings of one polygon as polygons, the shell under 0.
func dumpRings(_ *Ctx, args []types.Datum) (RowSource, error) {
	g := args[0].Geom()
	if g.Kind() != geom.Polygon {
		return nil, errPostGIS("Input is not a polygon")
	}
	d := &pieces{srid: g.SRID()}
	for i := range g.NumRings() {
		d.add([]int{i}, geom.NewPolygon([][]float64{g.Ring(i)}, g.Dims(), 0))
	}
	return rowsOf(d.rows), nil
}

func dumpFuncs() []Func {
	const piece = "(path int4[], geom geometry)"
	fn := func(name, doc string, example Example, body SetFunc) Func {
		return Func{
			Name: name, Group: groupGeomRead, Volatility: Immutable, Doc: doc,
			Overloads: []Overload{set("geometry", piece, body)}, Examples: []Example{example},
		}
	}
	return []Func{
		fn("ST_Dump", "The parts of a geometry, each with its path.",
			Example{`SELECT string_agg(path::text || ST_AsText(geom), ' ') FROM ST_Dump('MULTIPOINT((1 1),(2 2))'::geometry)`, "{1}POINT(1 1) {2}POINT(2 2)"},
			dump((*pieces).parts)),
		fn("ST_DumpPoints", "The positions of a geometry, each with its path.",
			Example{`SELECT string_agg(path::text || ST_AsText(geom), ' ') FROM ST_DumpPoints('LINESTRING(1 1,2 2)'::geometry)`, "{1}POINT(1 1) {2}POINT(2 2)"},
			dump((*pieces).points)),
		fn("ST_DumpSegments", "The segments of a geometry, each with its path.",
			Example{`SELECT string_agg(path::text || ST_AsText(geom), ' ') FROM ST_DumpSegments('LINESTRING(1 1,2 2,3 1)'::geometry)`, "{1}LINESTRING(1 1,2 2) {2}LINESTRING(2 2,3 1)"},
			dump((*pieces).segments)),
		fn("ST_DumpRings", "The rings of a polygon as polygons, the shell under path 0.",
			Example{`SELECT string_agg(path::text || ST_AsText(geom), ' ') FROM ST_DumpRings('POLYGON((0 0,1 0,0 1,0 0))'::geometry)`, "{0}POLYGON((0 0,1 0,0 1,0 0))"},
			dumpRings),
	}
}
