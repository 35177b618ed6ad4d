package funcs

import (
	"raisind/geom"
	"raisind/sql/types"
)

// predicate is a planar relationship of two geometries.
type predicate func(a, b *geom.Geometry) (bool, error)

// withinGeometry is the body of ST_Within, which PostGIS asks the other way round.
func withinGeometry(_ *Ctx, args []types.Datum) (types.Datum, error) {
	a, b := args[0].Geom(), args[1].Geom()
	if err := sameSRID("contains", b, a); err != nil {
		return types.Null, err
	}
	return boolResult(geom.Within(a, b))
}

// planar is the body over two geometries. fn is the name PostGIS's message about
// mixed SRIDs has.
func planar(fn string, p predicate) EvalFunc {
	return func(_ *Ctx, args []types.Datum) (types.Datum, error) {
		a, b := args[0].Geom(), args[1].Geom()
		if err := sameSRID(fn, a, b); err != nil {
			return types.Null, err
		}
		return boolResult(p(a, b))
	}
}

func boolResult(ok bool, err error) (types.Datum, error) {
	if err != nil {
		return types.Null, geomError(err)
	}
	return types.Bool(ok), nil
}

// onText is the body over two texts that hold geometries, for calls with two
// literals of unknown type.
func onText(body EvalFunc) EvalFunc {
	return func(fc *Ctx, args []types.Datum) (types.Datum, error) {
		var buf [4]types.Datum
		shapes := append(buf[:0], args...)
		for i := range min(2, len(args)) {
			if args[i].IsNull() {
				return types.Null, nil
			}
			g, err := geom.ParseText(args[i].Str())
			if err != nil {
				return types.Null, geomError(err)
			}
			shapes[i] = types.Geom(g)
		}
		for _, a := range shapes {
			if a.IsNull() {
				return types.Null, nil
			}
		}
		return body(fc, shapes)
	}
}

// planarOnProperties gives the overloads with jsonb: planar in longitude and latitude.
func planarOnProperties(fn string, p predicate) []Overload {
	eval := func(leftJSON, rightJSON bool) EvalFunc {
		return func(_ *Ctx, args []types.Datum) (types.Datum, error) {
			a, err := planarSide(fn, args[0], leftJSON)
			if a == nil || err != nil {
				return types.Null, err
			}
			b, err := planarSide(fn, args[1], rightJSON)
			if b == nil || err != nil {
				return types.Null, err
			}
			return boolResult(p(a, b))
		}
	}
	return []Overload{
		of("a jsonb,b geometry", "bool", eval(true, false)),
		of("a geometry,b jsonb", "bool", eval(false, true)),
		of("a jsonb,b jsonb", "bool", eval(true, true)),
	}
}

// planarSide reads one side; nil for a property that is no geometry.
func planarSide(fn string, d types.Datum, json bool) (*geom.Geometry, error) {
	if json {
		g, _ := geom.FromProperty(d.Str())
		return g, nil
	}
	return d.Geom(), checkWGS84(fn, d.Geom())
}

func relationshipFuncs() []Func {
	const pair = "geom1 geometry,geom2 geometry"
	rel := func(name, fn, doc string, p predicate, index IndexUse, json bool, examples ...Example) Func {
		f := Func{
			Name: name, Group: groupGeomRelate, Doc: doc, Volatility: Immutable, Index: index, Examples: examples,
			Overloads: []Overload{of(pair, "bool", planar(fn, p))},
		}
		if json {
			f.Overloads = append(f.Overloads, planarOnProperties(name, p)...)
		}
		return f
	}
	square := `'POLYGON((0 0,4 0,4 4,0 4,0 0))'::geometry`
	within := rel("ST_Within", "contains", "True when a lies wholly in b and their interiors meet: a point on the edge of an area is not within it.",
		geom.Within, IndexBox, true, Example{`SELECT ST_Within('POINT(1 1)'::geometry, ` + square + `)`, "t"})
	within.Overloads[0].Eval = withinGeometry
	out := []Func{
		within,
		rel("ST_Contains", "contains", "True when b lies wholly in a and their interiors meet: an area does not contain a point on its edge.",
			geom.Contains, IndexBox, true, Example{`SELECT ST_Contains(` + square + `, 'POINT(4 2)'::geometry)`, "f"}),
		rel("ST_ContainsProperly", "containsproperly", "True when b lies wholly in the interior of a.",
			geom.ContainsProperly, IndexBox, false, Example{`SELECT ST_ContainsProperly(` + square + `, 'POINT(2 2)'::geometry)`, "t"}),
		rel("ST_Covers", "covers", "True when no point of b lies outside a: an area covers the points of its edge.",
			geom.Covers, IndexBox, true, Example{`SELECT ST_Covers(` + square + `, 'POINT(4 2)'::geometry)`, "t"}),
		rel("ST_CoveredBy", "coveredby", "True when no point of a lies outside b.",
			geom.CoveredBy, IndexBox, true, Example{`SELECT ST_CoveredBy('POINT(4 2)'::geometry, ` + square + `)`, "t"}),
		rel("ST_Intersects", "ST_Intersects", "True when a and b have a point in common.",
			geom.Intersects, IndexBox, true, Example{`SELECT ST_Intersects(` + square + `, 'POINT(4 2)'::geometry)`, "t"}),
		rel("ST_Disjoint", "disjoint", "True when a and b have no point in common.",
			geom.Disjoint, IndexBoxDisjoint, true, Example{`SELECT ST_Disjoint(` + square + `, 'POINT(5 2)'::geometry)`, "t"}),
		rel("ST_Touches", "touches", "True when a and b meet in their edges only.",
			geom.Touches, IndexBox, false, Example{`SELECT ST_Touches(` + square + `, 'POINT(4 2)'::geometry)`, "t"}),
		rel("ST_Crosses", "crosses", "True when the interiors meet and the common part has a lower dimension than the higher of the two.",
			geom.Crosses, IndexBox, false, Example{`SELECT ST_Crosses(` + square + `, 'LINESTRING(2 2,6 2)'::geometry)`, "t"}),
		rel("ST_Overlaps", "overlaps", "True when a and b, of one dimension, have a part in common and neither holds the other.",
			geom.Overlaps, IndexBox, false, Example{`SELECT ST_Overlaps(` + square + `, 'POLYGON((2 2,6 2,6 6,2 6,2 2))'::geometry)`, "t"}),
		rel("ST_Equals", "ST_Equals", "True when a and b are the same set of points, whatever the order of their vertices.",
			geom.Equals, IndexBox, false, Example{`SELECT ST_Equals('LINESTRING(0 0,2 2)'::geometry, 'LINESTRING(2 2,1 1,0 0)'::geometry)`, "t"}),
		{
			Name: "ST_OrderingEquals", Group: groupGeomRelate, Volatility: Immutable, Index: IndexBox,
			Doc: "True when a and b are the same vertex for vertex.",
			Overloads: []Overload{of(pair, "bool", func(_ *Ctx, args []types.Datum) (types.Datum, error) {
				return types.Bool(geom.Identical(args[0].Geom(), args[1].Geom())), nil
			})},
			Examples: []Example{{`SELECT ST_OrderingEquals('LINESTRING(0 0,2 2)'::geometry, 'LINESTRING(2 2,0 0)'::geometry)`, "f"}},
		},
		{
			Name: "ST_Relate", Group: groupGeomRelate, Volatility: Immutable,
			Doc: "The DE-9IM matrix of two geometries, or whether it matches a pattern.",
			Overloads: []Overload{
				of(pair, "text", relate),
				of(pair+",pattern text", "bool", relatePattern),
			},
			Examples: []Example{{`SELECT ST_Relate('POINT(1 2)'::geometry, 'POINT(1 2)'::geometry)`, "0FFFFFFF2"}},
		},
		{
			Name: "ST_RelateMatch", Group: groupGeomRelate, Volatility: Immutable,
			Doc:       "True when a DE-9IM matrix matches a pattern.",
			Overloads: []Overload{of("text,text", "bool", relateMatch)},
			Examples:  []Example{{`SELECT ST_RelateMatch('101202FFF', 'TTTTTTFFF')`, "t"}},
		},
	}
	texts := Func{Group: groupGeomRelate, Volatility: Immutable, Nulls: CalledOnNull}
	for _, t := range []struct {
		name, fn string
		p        predicate
	}{{"ST_Covers", "covers", geom.Covers}, {"ST_CoveredBy", "coveredby", geom.CoveredBy}, {"ST_Intersects", "ST_Intersects", geom.Intersects}} {
		f := texts
		f.Name, f.Doc, f.Index = t.name, "As with geometries, on texts that hold them.", IndexBox
		f.Overloads = []Overload{of("text,text", "bool", onText(planar(t.fn, t.p)))}
		f.Examples = []Example{{`SELECT ` + t.name + `('POINT(0 0)', 'POINT(0 0)')`, "t"}}
		out = append(out, f)
	}
	return append(out, geographyRelationships()...)
}

func relate(_ *Ctx, args []types.Datum) (types.Datum, error) {
	a, b := args[0].Geom(), args[1].Geom()
	if err := sameSRID("relate_full", a, b); err != nil {
		return types.Null, err
	}
	m, err := geom.Relate(a, b)
	if err != nil {
		return types.Null, geomError(err)
	}
	return types.Str(m), nil
}

func relatePattern(_ *Ctx, args []types.Datum) (types.Datum, error) {
	a, b := args[0].Geom(), args[1].Geom()
	if err := sameSRID("relate_pattern", a, b); err != nil {
		return types.Null, err
	}
	if len(args[2].Str()) != 9 {
		return types.Null, errPostGIS("GEOSRelatePattern: IllegalArgumentException: IllegalArgumentException: Should be length 9, is [%s] instead", args[2].Str())
	}
	m, err := geom.Relate(a, b)
	if err != nil {
		return types.Null, geomError(err)
	}
	return types.Bool(geom.RelateMatches(m, args[2].Str())), nil
}

func relateMatch(_ *Ctx, args []types.Datum) (types.Datum, error) {
	return types.Bool(geom.RelateMatches(args[0].Str(), args[1].Str())), nil
}
