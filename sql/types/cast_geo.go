package types

import (
	"raisind/geom"
)

func init() {
	box := func(_ *Env, d Datum) (Datum, error) {
		b, ok := d.Geom().Box()
		if !ok {
			return Null, nil
		}
		return NewBox(b), nil
	}
	parse := func(to *Type) castFn {
		return func(env *Env, d Datum) (Datum, error) { return parseGeometry(to, d.str, -1, env) }
	}
	fromBytes := func(to *Type) castFn {
		return func(_ *Env, d Datum) (Datum, error) {
			g, err := geom.ParseEWKB([]byte(d.str))
			if err != nil {
				return Null, GeomError(err)
			}
			return geoValue(to, g)
		}
	}
	bytes := func(_ *Env, d Datum) (Datum, error) { return Str(string(d.Geom().AppendEWKB(nil))), nil }
	geoJSON := func(_ *Env, d Datum) (Datum, error) { return Str(string(appendGeoJSON(nil, d.Geom()))), nil }

	addCast(TGeometry, TGeometry, Implicit, nil)
	addCast(TGeography, TGeography, Implicit, nil)
	addCast(TGeometry, TGeography, Implicit, func(_ *Env, d Datum) (Datum, error) { return NewGeography(d.Geom()) })
	addCast(TGeography, TGeometry, Explicit, keep)
	addCast(TGeometry, TBox2D, Implicit, box)
	addCast(TGeometry, TBox3D, Implicit, func(_ *Env, d Datum) (Datum, error) {
		b, ok := geom.Box3DOf(d.Geom())
		if !ok {
			return Null, nil
		}
		return NewBox3D(b), nil
	})
	addCast(TBox2D, TBox3D, Implicit, func(_ *Env, d Datum) (Datum, error) { return NewBox3D(box3DOf(d)), nil })
	addCast(TBox3D, TBox2D, Implicit, func(_ *Env, d Datum) (Datum, error) { return NewBox(boxOf(d)), nil })
	for _, from := range [2]*Type{TBox2D, TBox3D} {
		addCast(from, TGeometry, Implicit, func(_ *Env, d Datum) (Datum, error) { return Geom(boxGeometry(boxOf(d))), nil })
	}
	addCast(TText, TGeometry, Implicit, parse(TGeometry))
	addCast(TGeometry, TText, Implicit, func(_ *Env, d Datum) (Datum, error) {
		return Str(string(d.Geom().AppendHexEWKB(nil))), nil
	})
	for _, t := range [2]*Type{TGeometry, TGeography} {
		addCast(t, TBytea, Implicit, bytes)
		addCast(TBytea, t, Implicit, fromBytes(t))
		// A property of a workspace serves wherever a geometry is wanted; what is none
		// counts as NULL, so that no stored value makes a search fail.
		addCast(TJSONB, t, Implicit, func(_ *Env, d Datum) (Datum, error) {
			g, problem := geom.FromProperty(d.str)
			if problem != "" || g == nil {
				return Null, nil
			}
			return Geom(g), nil
		})
	}
	addCast(TGeometry, TJSON, Explicit, geoJSON)
	addCast(TGeometry, TJSONB, Explicit, func(_ *Env, d Datum) (Datum, error) {
		s, err := CanonicalJSONB(string(appendGeoJSON(nil, d.Geom())))
		return Str(s), err
	})
}

// geoJSONDecimals is what PostGIS's cast to json prints.
const (
	geoJSONDecimals = 15
	geoJSONShortCRS = 2 // names the system when there is one
)

func appendGeoJSON(dst []byte, g *geom.Geometry) []byte {
	return geom.AppendGeoJSON(dst, g, geoJSONDecimals, geoJSONShortCRS)
}

// boxGeometry is a box as a shape: a point, a line or a polygon, by what its corners are.
func boxGeometry(b geom.Box) *geom.Geometry {
	switch {
	case b.MinX == b.MaxX && b.MinY == b.MaxY:
		return geom.NewPoint(b.MinX, b.MinY, 0)
	case b.MinX == b.MaxX || b.MinY == b.MaxY:
		return geom.NewLineString([]float64{b.MinX, b.MinY, b.MaxX, b.MaxY}, geom.XY, 0)
	}
	ring := []float64{b.MinX, b.MinY, b.MinX, b.MaxY, b.MaxX, b.MaxY, b.MaxX, b.MinY, b.MinX, b.MinY}
	return geom.NewPolygon([][]float64{ring}, geom.XY, 0)
}
