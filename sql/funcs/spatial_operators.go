package funcs

import (
	"math"

	"raisind/geom"
	"raisind/sql/types"
)

// boxTest is a relation of two bounding boxes.
type boxTest func(a, b geom.Box) bool

// boxOp compares the boxes of two geometries; an empty one meets nothing. SRIDs are
// not compared, as in PostGIS.
func boxOp(t boxTest) EvalFunc {
	return func(_ *Ctx, args []types.Datum) (types.Datum, error) {
		a, okA := boxOf(args[0])
		b, okB := boxOf(args[1])
		return types.Bool(okA && okB && t(a, b)), nil
	}
}

// boxOf is the box of a geometry, a geography or a box.
func boxOf(d types.Datum) (geom.Box, bool) {
	switch v := d.Ref().(type) {
	case *geom.Geometry:
		return v.Box()
	case *geom.Box:
		return *v, !v.Empty()
	case *geom.Box3D:
		return v.Box, !v.Empty()
	}
	return geom.Box{}, false
}

// sameBox is ~=: two empty geometries have the same box, none.
func sameBox(_ *Ctx, args []types.Datum) (types.Datum, error) {
	a, okA := boxOf(args[0])
	b, okB := boxOf(args[1])
	return types.Bool(okA == okB && (!okA || a == b)), nil
}

// boxDistance is <#>: the distance of the boxes.
func boxDistance(_ *Ctx, args []types.Datum) (types.Datum, error) {
	a, okA := boxOf(args[0])
	b, okB := boxOf(args[1])
	if !okA || !okB {
		return types.Float(math.MaxFloat32), nil // as PostGIS
	}
	gap := func(loA, hiA, loB, hiB float64) float64 { return max(loA-hiB, loB-hiA, 0) }
	dx, dy := gap(a.MinX, a.MaxX, b.MinX, b.MaxX), gap(a.MinY, a.MaxY, b.MinY, b.MaxY)
	return types.Float(math.Sqrt(dx*dx + dy*dy)), nil
}

// overlapsGeography is && of geographies: the boxes round the geodesics meet.
func overlapsGeography(_ *Ctx, args []types.Datum) (types.Datum, error) {
	a, okA := geom.GeodesicBox(args[0].Geom())
	b, okB := geom.GeodesicBox(args[1].Geom())
	return types.Bool(okA && okB && a.Intersects(b)), nil
}

func spatialOps() []Func {
	op := func(symbol, name, commutator, doc string, index IndexUse, overloads ...Overload) Func {
		return Func{
			Name: name, Operator: symbol, Commutator: commutator, Group: groupGeomOps,
			Volatility: Immutable, Index: index, Doc: doc, Overloads: overloads,
		}
	}
	boxes := func(t boxTest) Overload { return of("geometry,geometry", "bool", boxOp(t)) }
	return []Func{
		op("&&", "geometry_overlaps", "&&", "True when the bounding boxes meet.", IndexBox,
			boxes(geom.Box.Intersects)),
		op("&&", "geography_overlaps", "&&", "True when the boxes round the geodesics meet.", IndexNone,
			of("geography,geography", "bool", overlapsGeography)),
		op("~", "geometry_contains", "@", "True when the box of a holds the box of b.", IndexBox, boxes(geom.Box.Contains)),
		op("@", "geometry_within", "~", "True when the box of b holds the box of a.", IndexBox,
			boxes(func(a, b geom.Box) bool { return b.Contains(a) })),
		op("~=", "geometry_same", "~=", "True when the boxes are the same.", IndexBox, of("geometry,geometry", "bool", sameBox)),
		op("<<", "geometry_left", ">>", "True when the box of a lies left of the box of b.", IndexNone,
			boxes(func(a, b geom.Box) bool { return a.MaxX < b.MinX })),
		op(">>", "geometry_right", "<<", "True when the box of a lies right of the box of b.", IndexNone,
			boxes(func(a, b geom.Box) bool { return a.MinX > b.MaxX })),
		op("&<", "geometry_overleft", "", "True when the box of a does not reach right of the box of b.", IndexNone,
			boxes(func(a, b geom.Box) bool { return a.MaxX <= b.MaxX })),
		op("&>", "geometry_overright", "", "True when the box of a does not reach left of the box of b.", IndexNone,
			boxes(func(a, b geom.Box) bool { return a.MinX >= b.MinX })),
		op("<<|", "geometry_below", "|>>", "True when the box of a lies below the box of b.", IndexNone,
			boxes(func(a, b geom.Box) bool { return a.MaxY < b.MinY })),
		op("|>>", "geometry_above", "<<|", "True when the box of a lies above the box of b.", IndexNone,
			boxes(func(a, b geom.Box) bool { return a.MinY > b.MaxY })),
		op("&<|", "geometry_overbelow", "", "True when the box of a does not reach above the box of b.", IndexNone,
			boxes(func(a, b geom.Box) bool { return a.MaxY <= b.MaxY })),
		op("|&>", "geometry_overabove", "", "True when the box of a does not reach below the box of b.", IndexNone,
			boxes(func(a, b geom.Box) bool { return a.MinY >= b.MinY })),
		op("<->", "geometry_distance_centroid", "<->",
			"Distance, for ordering by nearness: metres for geographies and properties, units of the SRID for geometries.", IndexDistance,
			append([]Overload{
				of("geometry,geometry", "float8", distanceGeometry),
				of("geography,geography", "float8", distanceKNNGeography),
			}, propertyOverloads("ST_Distance", "", "float8", distanceProperty)...)...),
		op("<#>", "geometry_distance_box", "<#>", "Distance of the bounding boxes.", IndexNone,
			of("geometry,geometry", "float8", boxDistance)),
	}
}

// distanceKNNGeography is <-> of geographies. PostGIS measures it on the sphere; here
// it is the distance of ST_Distance, unrounded, so that an index scan, a sort and the
// distance shown agree.
func distanceKNNGeography(_ *Ctx, args []types.Datum) (types.Datum, error) {
	a, b := args[0].Geom(), args[1].Geom()
	if err := sameSRID("geography_distance_knn", a, b); err != nil {
		return types.Null, err
	}
	return floatOrNull(geographyDistanceM(a, b, true)), nil
}
