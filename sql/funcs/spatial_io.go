package funcs

import (
	"slices"
	"strings"

	"raisind/geom"
	"raisind/sql/types"
)

// Digits that PostGIS writes when not asked for others.
const (
	textDigits    = 15
	geoJSONDigits = 9
)

func geomResult(g *geom.Geometry, err error) (types.Datum, error) {
	if err != nil {
		return types.Null, geomError(err)
	}
	return types.Geom(g), nil
}

// parseWKT reads WKT, with an SRID in front or without, and no other form.
func parseWKT(s string) (*geom.Geometry, error) {
	if t := strings.TrimSpace(s); t != "" && (t[0] == '{' || t[0] == '0') {
		e := &geom.ParseError{Msg: geom.ErrParse.Error(), Hint: `"` + t[:min(2, len(t))] + `" <-- parse error at position 2 within geometry`}
		return nil, e
	}
	return geom.ParseText(s)
}

// geomFromText is ST_GeomFromText with an optional SRID.
func geomFromText(fc *Ctx, args []types.Datum) (types.Datum, error) {
	g, err := parseWKT(args[0].Str())
	if err != nil {
		return types.Null, geomError(err)
	}
	if g.SRID() != 0 {
		fc.notice("WARNING", "OGC WKT expected, EWKT provided - use GeomFromEWKT() for this")
	}
	if len(args) > 1 {
		g = g.WithSRID(clampSRID(fc, args[1].Int()))
	}
	return types.Geom(g), nil
}

// only gives NULL for a geometry of another kind.
func only(kind geom.Kind, body EvalFunc) EvalFunc {
	return func(fc *Ctx, args []types.Datum) (types.Datum, error) {
		d, err := body(fc, args)
		if err != nil || d.IsNull() || d.Geom().Kind() != kind {
			return types.Null, err
		}
		return d, nil
	}
}

func geomFromEWKT(_ *Ctx, args []types.Datum) (types.Datum, error) {
	return geomResult(geom.ParseText(args[0].Str()))
}

func geomFromWKB(fc *Ctx, args []types.Datum) (types.Datum, error) {
	g, err := geom.ParseEWKB([]byte(args[0].Str()))
	if err != nil {
		return types.Null, geomError(err)
	}
	if g.SRID() != 0 {
		fc.notice("WARNING", "OGC WKB expected, EWKB provided - use GeometryFromEWKB() for this")
	}
	if len(args) > 1 {
		g = g.WithSRID(clampSRID(fc, args[1].Int()))
	}
	return types.Geom(g), nil
}

func geomFromEWKB(_ *Ctx, args []types.Datum) (types.Datum, error) {
	return geomResult(geom.ParseEWKB([]byte(args[0].Str())))
}

func geomFromGeoJSON(_ *Ctx, args []types.Datum) (types.Datum, error) {
	return geomResult(geom.ParseGeoJSON([]byte(args[0].Str())))
}

func geogFromText(_ *Ctx, args []types.Datum) (types.Datum, error) {
	g, err := geom.ParseText(args[0].Str())
	if err != nil {
		return types.Null, geomError(err)
	}
	return asGeography(types.Geom(g))
}

func geogFromWKB(_ *Ctx, args []types.Datum) (types.Datum, error) {
	g, err := geom.ParseEWKB([]byte(args[0].Str()))
	if err != nil {
		return types.Null, geomError(err)
	}
	return asGeography(types.Geom(g))
}

// digitsArg is the optional argument i, or otherwise.
func digitsArg(args []types.Datum, i, otherwise int) int {
	if len(args) <= i {
		return otherwise
	}
	return int(min(max(args[i].Int(), 0), textDigits))
}

func asTextGeom(_ *Ctx, args []types.Datum) (types.Datum, error) {
	return types.Str(string(geom.AppendText(nil, args[0].Geom(), digitsArg(args, 1, textDigits)))), nil
}

func asEWKT(_ *Ctx, args []types.Datum) (types.Datum, error) {
	return types.Str(string(geom.AppendEWKT(nil, args[0].Geom(), digitsArg(args, 1, textDigits)))), nil
}

func asGeoJSON(_ *Ctx, args []types.Datum) (types.Datum, error) {
	return types.Str(string(geom.AppendGeoJSON(nil, args[0].Geom(), digitsArg(args, 1, geoJSONDigits), int(args[2].Int())))), nil
}

// parsed gives a body the geometry that its first argument, a text, holds.
func parsed(body EvalFunc, more ...types.Datum) EvalFunc {
	return func(fc *Ctx, args []types.Datum) (types.Datum, error) {
		g, err := geom.ParseText(args[0].Str())
		if err != nil {
			return types.Null, geomError(err)
		}
		return body(fc, slices.Concat([]types.Datum{types.Geom(g)}, args[1:], more))
	}
}

// bigEndian reads the optional byte order argument: XDR, else little endian.
func bigEndian(args []types.Datum) bool {
	return len(args) > 1 && strings.HasPrefix(strings.ToUpper(args[1].Str()), "XDR")
}

func asBinary(_ *Ctx, args []types.Datum) (types.Datum, error) {
	if args[0].IsNull() || len(args) > 1 && args[1].IsNull() {
		return types.Null, nil
	}
	return types.Str(string(args[0].Geom().AppendWKBOrder(nil, false, bigEndian(args)))), nil
}

func asEWKB(_ *Ctx, args []types.Datum) (types.Datum, error) {
	return types.Str(string(args[0].Geom().AppendWKBOrder(nil, true, bigEndian(args)))), nil
}

func asHexEWKB(_ *Ctx, args []types.Datum) (types.Datum, error) {
	const digits = "0123456789ABCDEF"
	b := args[0].Geom().AppendWKBOrder(nil, true, bigEndian(args))
	out := make([]byte, 0, 2*len(b))
	for _, c := range b {
		out = append(out, digits[c>>4], digits[c&15])
	}
	return types.Str(string(out)), nil
}

// propertyOr gives a body on jsonb: the geometry of a property, NULL when there is none.
func propertyOr(body EvalFunc) EvalFunc {
	return func(fc *Ctx, args []types.Datum) (types.Datum, error) {
		g, _ := geom.FromProperty(args[0].Str())
		if g == nil {
			return types.Null, nil
		}
		var buf [4]types.Datum
		shapes := append(buf[:0], args...)
		shapes[0] = types.Geom(g)
		return body(fc, shapes)
	}
}

func spatialIOFuncs() []Func {
	fn := func(name, doc string, example Example, overloads ...Overload) Func {
		return Func{
			Name: name, Group: groupGeomIO, Volatility: Immutable, Doc: doc,
			Overloads: overloads, Examples: []Example{example},
		}
	}
	fromText := func(name string, kind geom.Kind, text string) Func {
		body := EvalFunc(geomFromText)
		doc := "Reads a geometry from WKT."
		if kind != 0 {
			body = only(kind, body)
			doc = "Reads a " + kind.String() + " from WKT; NULL for another kind."
		}
		return fn(name, doc, Example{`SELECT ST_AsText(` + name + `('` + text + `', 4326))`, text},
			of("text", "geometry", body), of("text,int4", "geometry", body))
	}
	out := []Func{
		fromText("ST_GeomFromText", 0, "POINT(1 2)"),
		fromText("ST_GeometryFromText", 0, "POINT(1 2)"),
		fromText("ST_PointFromText", geom.Point, "POINT(1 2)"),
		fromText("ST_LineFromText", geom.LineString, "LINESTRING(0 0,1 1)"),
		fromText("ST_PolygonFromText", geom.Polygon, "POLYGON((0 0,1 0,1 1,0 0))"),
		fromText("ST_PolyFromText", geom.Polygon, "POLYGON((0 0,1 0,1 1,0 0))"),
		fromText("ST_MPointFromText", geom.MultiPoint, "MULTIPOINT((0 0),(1 1))"),
		fromText("ST_MLineFromText", geom.MultiLineString, "MULTILINESTRING((0 0,1 1))"),
		fromText("ST_MPolyFromText", geom.MultiPolygon, "MULTIPOLYGON(((0 0,1 0,1 1,0 0)))"),
		fromText("ST_GeomCollFromText", geom.GeometryCollection, "GEOMETRYCOLLECTION(POINT(1 2))"),
		fn("ST_WKTToSQL", "Reads a geometry from WKT.", Example{`SELECT ST_AsText(ST_WKTToSQL('POINT(1 2)'))`, "POINT(1 2)"},
			of("text", "geometry", geomFromText)),
		fn("ST_GeomFromEWKT", "Reads a geometry from WKT with an SRID in front.",
			Example{`SELECT ST_SRID(ST_GeomFromEWKT('SRID=4326;POINT(1 2)'))`, "4326"}, of("text", "geometry", geomFromEWKT)),
		fn("ST_GeomFromWKB", "Reads a geometry from WKB.",
			Example{`SELECT ST_AsText(ST_GeomFromWKB('\x0101000000000000000000f03f0000000000000040'::bytea, 4326))`, "POINT(1 2)"},
			of("bytea", "geometry", geomFromWKB), of("bytea,int4", "geometry", geomFromWKB)),
		fn("ST_WKBToSQL", "Reads a geometry from WKB.",
			Example{`SELECT ST_AsText(ST_WKBToSQL('\x0101000000000000000000f03f0000000000000040'::bytea))`, "POINT(1 2)"},
			of("wkb bytea", "geometry", geomFromWKB)),
		fn("ST_PointFromWKB", "Reads a point from WKB; NULL for another kind.",
			Example{`SELECT ST_AsText(ST_PointFromWKB('\x0101000000000000000000f03f0000000000000040'::bytea))`, "POINT(1 2)"},
			of("bytea", "geometry", only(geom.Point, geomFromWKB)), of("bytea,int4", "geometry", only(geom.Point, geomFromWKB))),
		fn("ST_GeomFromEWKB", "Reads a geometry from EWKB: WKB with an SRID.",
			Example{`SELECT ST_AsEWKT(ST_GeomFromEWKB('\x0101000020e6100000000000000000f03f0000000000000040'::bytea))`, "SRID=4326;POINT(1 2)"},
			of("bytea", "geometry", geomFromEWKB)),
		fn("ST_GeomFromGeoJSON", "Reads a GeoJSON geometry; the SRID is 4326.",
			Example{`SELECT ST_AsEWKT(ST_GeomFromGeoJSON('{"type":"Point","coordinates":[1,2]}'))`, "SRID=4326;POINT(1 2)"},
			of("text", "geometry", geomFromGeoJSON), of("json", "geometry", geomFromGeoJSON), of("jsonb", "geometry", geomFromGeoJSON)),
		fn("ST_GeogFromText", "Reads a geography from WKT.", Example{`SELECT ST_AsText(ST_GeogFromText('POINT(1 2)'))`, "POINT(1 2)"},
			of("text", "geography", geogFromText)),
		fn("ST_GeographyFromText", "Reads a geography from WKT.", Example{`SELECT ST_AsText(ST_GeographyFromText('POINT(1 2)'))`, "POINT(1 2)"},
			of("text", "geography", geogFromText)),
		fn("ST_GeogFromWKB", "Reads a geography from WKB.",
			Example{`SELECT ST_AsText(ST_GeogFromWKB('\x0101000000000000000000f03f0000000000000040'::bytea))`, "POINT(1 2)"},
			of("bytea", "geography", geogFromWKB)),
		fn("ST_AsText", "Writes WKT, with at most so many digits after the point (15).",
			Example{`SELECT ST_AsText('POINT(1.26 2)'::geometry, 1)`, "POINT(1.3 2)"},
			of("geometry", "text", asTextGeom), of("geometry,int4", "text", asTextGeom),
			of("geography", "text", asTextGeom), of("geography,int4", "text", asTextGeom),
			of("text", "text", parsed(asTextGeom)),
			of("jsonb", "text", propertyOr(asTextGeom))),
		fn("ST_AsEWKT", "Writes WKT with the SRID in front.",
			Example{`SELECT ST_AsEWKT(ST_Point(1, 2, 4326))`, "SRID=4326;POINT(1 2)"},
			of("geometry", "text", asEWKT), of("geometry,int4", "text", asEWKT),
			of("geography", "text", asEWKT), of("geography,int4", "text", asEWKT),
			of("text", "text", parsed(asEWKT)),
			of("jsonb", "text", propertyOr(asEWKT))),
		fn("ST_AsGeoJSON", "Writes GeoJSON with at most so many digits after the point. Options: 1 bbox, 2 short crs, 4 long crs, 8 short crs unless 4326.",
			Example{`SELECT ST_AsGeoJSON(ST_Point(1.23456, 2), 2)`, `{"type":"Point","coordinates":[1.23,2]}`},
			of("geom geometry,maxdecimaldigits int4 default 9,options int4 default 8", "text", asGeoJSON),
			of("geog geography,maxdecimaldigits int4 default 9,options int4 default 0", "text", asGeoJSON),
			of("text", "text", parsed(asGeoJSON, types.Int(geoJSONDigits), types.Int(0))),
			of("property jsonb,maxdecimaldigits int4 default 9,options int4 default 8", "text", propertyOr(asGeoJSON))),
		fn("ST_AsBinary", "Writes WKB, little endian or as said: NDR or XDR.",
			Example{`SELECT ST_AsBinary(ST_Point(1, 2))`, `\x0101000000000000000000f03f0000000000000040`},
			of("geometry", "bytea", asBinary), of("geometry,text", "bytea", asBinary),
			of("geography", "bytea", asBinary),
			of("jsonb", "bytea", propertyOr(asBinary))),
		fn("ST_AsEWKB", "Writes EWKB: WKB with the SRID.",
			Example{`SELECT ST_AsEWKB(ST_Point(1, 2, 4326))`, `\x0101000020e6100000000000000000f03f0000000000000040`},
			of("geometry", "bytea", asEWKB), of("geometry,text", "bytea", asEWKB)),
		fn("ST_AsHEXEWKB", "Writes EWKB as hexadecimal digits.",
			Example{`SELECT ST_AsHEXEWKB(ST_Point(1, 2, 4326))`, "0101000020E6100000000000000000F03F0000000000000040"},
			of("geometry", "text", asHexEWKB), of("geometry,text", "text", asHexEWKB)),
	}
	ordered := fn("ST_AsBinary", "Writes a geography as WKB in a byte order.",
		Example{`SELECT ST_AsBinary('POINT(1 2)'::geography, 'XDR')`, `\x00000000013ff00000000000004000000000000000`},
		of("geography,text", "bytea", asBinary))
	ordered.Nulls = CalledOnNull
	return append(out, ordered)
}
