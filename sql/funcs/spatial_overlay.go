package funcs

import (
	"context"

	"raisind/geom"
	"raisind/sql/types"
)

// longWork is from how many positions on a construction is left behind when its statement
// is cancelled, instead of being waited for.
const longWork = 5000

// working runs a construction on shapes. Those of many positions run aside, so that a
// cancelled statement ends at once; the computation itself then ends in its own time.
func working(fc *Ctx, fn func() (*geom.Geometry, error), shapes ...*geom.Geometry) (*geom.Geometry, error) {
	n := 0
	for _, s := range shapes {
		n += s.NumPoints()
	}
	if n < longWork || fc == nil || fc.Context == nil {
		return fn()
	}
	if err := context.Cause(fc.Context); err != nil {
		return nil, err
	}
	type result struct {
		g   *geom.Geometry
		err error
	}
	done := make(chan result, 1)
	go func() {
		defer func() {
			if r := recover(); r != nil {
				done <- result{nil, errPostGIS("%v", r)}
			}
		}()
		g, err := fn()
		done <- result{g, err}
	}()
	select {
	case r := <-done:
		return r.g, r.err
	case <-fc.Context.Done():
		return nil, context.Cause(fc.Context)
	}
}

// constructed is the body of a function that makes a shape of its first argument.
func constructed(fn func(g *geom.Geometry, args []types.Datum) (*geom.Geometry, error)) EvalFunc {
	return func(fc *Ctx, args []types.Datum) (types.Datum, error) {
		g := args[0].Geom()
		return geomResult(working(fc, func() (*geom.Geometry, error) { return fn(g, args) }, g))
	}
}

// combined is a set operation; a third argument, the grid size, rounds both shapes first.
func combined(op geom.Overlay, name string) EvalFunc {
	return func(fc *Ctx, args []types.Datum) (types.Datum, error) {
		a, b := args[0].Geom(), args[1].Geom()
		if err := sameSRID(name, a, b); err != nil {
			return types.Null, err
		}
		return geomResult(working(fc, func() (*geom.Geometry, error) {
			grid := -1.0
			if len(args) > 2 {
				grid = args[2].Float()
			}
			return combineOnGrid(op, a, b, grid)
		}, a, b))
	}
}

func combineOnGrid(op geom.Overlay, a, b *geom.Geometry, grid float64) (*geom.Geometry, error) {
	if grid <= 0 {
		return geom.Combine(op, a, b)
	}
	ga, err := geom.ReducePrecision(a, grid)
	if err != nil {
		return nil, err
	}
	gb, err := geom.ReducePrecision(b, grid)
	if err != nil {
		return nil, err
	}
	out, err := geom.Combine(op, ga, gb)
	if err != nil {
		return nil, err
	}
	return geom.ReducePrecision(out, grid)
}

// overlayGeography computes in the plane of the system that suits both shapes best.
func overlayGeography(op geom.Overlay) EvalFunc {
	return func(fc *Ctx, args []types.Datum) (types.Datum, error) {
		return inBestPlane(args, 2, func(g []*geom.Geometry) (*geom.Geometry, error) {
			return working(fc, func() (*geom.Geometry, error) { return geom.Combine(op, g[0], g[1]) }, g...)
		})
	}
}

func unaryUnion(g *geom.Geometry, args []types.Datum) (*geom.Geometry, error) {
	if len(args) > 1 && args[1].Float() > 0 {
		r, err := geom.ReducePrecision(g, args[1].Float())
		if err != nil {
			return nil, err
		}
		g = r
	}
	return geom.UnaryUnion(g)
}

// unionAll is ST_Union of many.
func unionAll(fc *Ctx, shapes []*geom.Geometry) (types.Datum, error) {
	if len(shapes) == 0 {
		return types.Null, nil
	}
	if err := checkOneSRID("pgis_union_geometry_array", shapes); err != nil {
		return types.Null, err
	}
	return geomResult(working(fc, func() (*geom.Geometry, error) { return geom.UnionAll(shapes) }, shapes...))
}

func overlayFuncs() []Func {
	fn := func(name, doc string, example Example, overloads ...Overload) Func {
		return Func{
			Name: name, Group: groupGeomOverlay, Volatility: Immutable, Doc: doc,
			Overloads: overloads, Examples: []Example{example},
		}
	}
	set2 := func(name, doc, want string, op geom.Overlay, inner string) Func {
		return fn(name, doc, Example{`SELECT ST_AsText(` + name + `('LINESTRING(0 0,2 0)'::geometry, 'LINESTRING(1 0,3 0)'::geometry))`, want},
			of("geom1 geometry,geom2 geometry,gridsize float8 default -1", "geometry", combined(op, inner)))
	}
	intersection := set2("ST_Intersection", "What both geometries have in common.", "LINESTRING(1 0,2 0)", geom.OverlayIntersection, "lwgeom_intersection_prec")
	intersection.Overloads = append(intersection.Overloads, of("geography,geography", "geography", overlayGeography(geom.OverlayIntersection)),
		of("text,text", "geometry", func(fc *Ctx, args []types.Datum) (types.Datum, error) {
			a, err := parsed(func(_ *Ctx, d []types.Datum) (types.Datum, error) { return d[0], nil })(fc, args[:1])
			if err != nil {
				return types.Null, err
			}
			b, err := parsed(func(_ *Ctx, d []types.Datum) (types.Datum, error) { return d[0], nil })(fc, args[1:])
			if err != nil {
				return types.Null, err
			}
			return combined(geom.OverlayIntersection, "lwgeom_intersection_prec")(fc, []types.Datum{a, b})
		}))
	union := set2("ST_Union", "Every point of either geometry.", "MULTILINESTRING((0 0,1 0),(1 0,2 0),(2 0,3 0))", geom.OverlayUnion, "lwgeom_union_prec")
	union.Overloads = []Overload{
		of("geom1 geometry,geom2 geometry", "geometry", combined(geom.OverlayUnion, "lwgeom_union_prec")),
		of("geom1 geometry,geom2 geometry,gridsize float8", "geometry", combined(geom.OverlayUnion, "lwgeom_union_prec")),
		of("geometry[]", "geometry", func(fc *Ctx, args []types.Datum) (types.Datum, error) {
			return unionAll(fc, shapesOf(args[0]))
		}),
	}
	return []Func{
		intersection, union,
		set2("ST_Difference", "What the first geometry has and the second has not.", "LINESTRING(0 0,1 0)", geom.OverlayDifference, "lwgeom_difference_prec"),
		set2("ST_SymDifference", "What one of the geometries has and the other has not.", "MULTILINESTRING((0 0,1 0),(2 0,3 0))", geom.OverlaySymDifference, "lwgeom_symdifference_prec"),
		fn("ST_SymmetricDifference", "What one of the geometries has and the other has not.",
			Example{`SELECT ST_AsText(ST_SymmetricDifference('LINESTRING(0 0,2 0)', 'LINESTRING(1 0,3 0)'))`, "MULTILINESTRING((0 0,1 0),(2 0,3 0))"},
			of("geom1 geometry,geom2 geometry", "geometry", combined(geom.OverlaySymDifference, "lwgeom_symdifference_prec"))),
		fn("ST_UnaryUnion", "The union of a geometry's own parts: areas merged, lines noded.",
			Example{`SELECT ST_AsText(ST_UnaryUnion('MULTIPOINT((0 0),(0 0))'::geometry))`, "POINT(0 0)"},
			of("geom geometry,gridsize float8 default -1", "geometry", constructed(unaryUnion))),
	}
}
