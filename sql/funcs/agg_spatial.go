package funcs

import (
	"raisind/geom"
	"raisind/sql/types"
)

// spatialAggregates are those that make one shape, or several, of many.
func spatialAggregates() []Aggregate {
	agg := func(name, doc string, example Example, overloads ...AggOverload) Aggregate {
		return Aggregate{Name: name, Group: groupAggregate, Doc: doc, Overloads: overloads, Examples: []Example{example}}
	}
	shapes := func(result string, finish func(fc *Ctx, s []*geom.Geometry) (types.Datum, error)) AggOverload {
		return aggregate("geometry", result, func() AggState { return &shapesState{finish: finish} })
	}
	two := `(VALUES ('POLYGON((0 0,2 0,2 2,0 2,0 0))'::geometry), ('POLYGON((1 0,3 0,3 2,1 2,1 0))')) AS v(g)`
	return []Aggregate{
		agg("ST_Union", "The union of all geometries.", Example{`SELECT ST_Area(ST_Union(g)) FROM ` + two, "6"},
			shapes("geometry", unionAll),
			AggOverload{
				Args: []Arg{{Type: types.TGeometry}, {Name: "gridsize", Type: types.TFloat8}}, Result: types.TGeometry, Strict: true,
				New: func([]*types.Type) AggState { return &gridUnionState{} },
			}),
		agg("ST_MemUnion", "The union of all geometries.", Example{`SELECT ST_Area(ST_MemUnion(g)) FROM ` + two, "6"},
			shapes("geometry", unionAll)),
		agg("ST_MemCollect", "Puts all geometries into one.",
			Example{`SELECT ST_AsText(ST_MemCollect(ST_Point(g, g) ORDER BY g)) FROM generate_series(1, 2) AS g`, "MULTIPOINT((1 1),(2 2))"},
			shapes("geometry", func(_ *Ctx, s []*geom.Geometry) (types.Datum, error) { return collectAll(s) })),
		agg("ST_3DExtent", "The three-dimensional box round all geometries.",
			Example{`SELECT ST_3DExtent(ST_Point(g, g)) FROM generate_series(1, 3) AS g`, "BOX3D(1 1 0,3 3 0)"},
			aggregate("geometry", "box3d", func() AggState { return &extent3DState{} })),
		agg("ST_Polygonize", "The areas that lines enclose.",
			Example{`SELECT ST_AsText(ST_Polygonize(g)) FROM (VALUES ('LINESTRING(0 0,1 0,0 1,0 0)'::geometry)) AS v(g)`, "GEOMETRYCOLLECTION(POLYGON((0 0,0 1,1 0,0 0)))"},
			shapes("geometry", polygonizeAll)),
		agg("ST_ClusterIntersecting", "Collections of what meets, directly or through others.",
			Example{`SELECT array_length(ST_ClusterIntersecting(g), 1) FROM ` + two, "1"},
			shapes("geometry[]", func(fc *Ctx, s []*geom.Geometry) (types.Datum, error) { return clusterAll(fc, s, -1) })),
		agg("ST_ClusterWithin", "Collections of what lies within a distance, directly or through others.",
			Example{`SELECT array_length(ST_ClusterWithin(ST_Point(g * g, 0), 3), 1) FROM generate_series(1, 4) AS g`, "3"},
			AggOverload{
				Args: []Arg{{Type: types.TGeometry}, {Name: "distance", Type: types.TFloat8}}, Result: types.TGeometry.Array(), Strict: true,
				New: func([]*types.Type) AggState { return &clusterState{} },
			}),
	}
}

type gridUnionState struct {
	shapes []*geom.Geometry
	grid   float64
}

func (s *gridUnionState) Add(_ *Ctx, args []types.Datum) error {
	g := args[0].Geom()
	s.grid = args[1].Float()
	s.shapes = append(s.shapes, g)
	return nil
}

func (s *gridUnionState) Result(fc *Ctx) (types.Datum, error) {
	for i, g := range s.shapes {
		r, err := geom.ReducePrecision(g, s.grid)
		if err != nil {
			return types.Null, geomError(err)
		}
		s.shapes[i] = r
	}
	return unionAll(fc, s.shapes)
}

type clusterState struct {
	shapes []*geom.Geometry
	radius float64
}

func (s *clusterState) Add(_ *Ctx, args []types.Datum) error {
	s.shapes, s.radius = append(s.shapes, args[0].Geom()), args[1].Float()
	return nil
}

func (s *clusterState) Result(fc *Ctx) (types.Datum, error) {
	if s.radius < 0 {
		return types.Null, errPostGIS("Tolerance must be a positive number")
	}
	return clusterAll(fc, s.shapes, s.radius)
}

// clusterAll groups shapes that meet, or that lie within radius when it is not negative.
func clusterAll(fc *Ctx, shapes []*geom.Geometry, radius float64) (types.Datum, error) {
	if len(shapes) == 0 {
		return types.Null, nil
	}
	if err := checkOneSRID("ST_ClusterIntersecting", shapes); err != nil {
		return types.Null, err
	}
	groups, err := geom.Cluster(fc.Context, shapes, radius)
	if err != nil {
		return types.Null, geomError(err)
	}
	elems := make([]types.Datum, len(groups))
	for i, members := range groups {
		parts := make([]*geom.Geometry, len(members))
		for j, m := range members {
			parts[j] = shapes[m]
		}
		dims := commonDims(parts)
		elems[i] = types.Geom(geom.NewCollection(geom.GeometryCollection, forceAll(parts, dims), dims, shapes[0].SRID()))
	}
	return types.Ref(newArray(types.TGeometry, elems)), nil
}

func polygonizeAll(fc *Ctx, shapes []*geom.Geometry) (types.Datum, error) {
	if len(shapes) == 0 {
		return types.Null, nil
	}
	if err := checkOneSRID("polygonize_garray", shapes); err != nil {
		return types.Null, err
	}
	return geomResult(working(fc, func() (*geom.Geometry, error) { return geom.Polygonize(shapes) }, shapes...))
}

// extent3DState is ST_3DExtent.
type extent3DState struct {
	box geom.Box3D
	any bool
}

func (s *extent3DState) Add(_ *Ctx, args []types.Datum) error {
	if b, ok := geom.Box3DOf(args[0].Geom()); ok {
		if s.any {
			b = s.box.Extend(b)
		}
		s.box, s.any = b, true
	}
	return nil
}

func (s *extent3DState) Result(*Ctx) (types.Datum, error) {
	if !s.any {
		return types.Null, nil
	}
	return types.NewBox3D(s.box), nil
}
