package funcs

import (
	"strconv"
	"strings"

	"raisind/geom"
	"raisind/geom/crs"
	"raisind/sql/types"
)

// clampDigits brings a number of decimals into PostGIS's range.
func clampDigits(v int64) int { return int(max(0, min(v, textDigits))) }

func asSVG(_ *Ctx, args []types.Datum) (types.Datum, error) {
	return types.Str(string(geom.AppendSVG(nil, args[0].Geom(), args[1].Int() != 0, clampDigits(args[2].Int())))), nil
}

func asKML(_ *Ctx, args []types.Datum) (types.Datum, error) {
	g := args[0].Geom()
	if g.SRID() == 0 {
		return types.Null, errPostGIS("Input geometry has unknown (0) SRID")
	}
	g, err := reproject(g, wgs84)
	if err != nil {
		return types.Null, err
	}
	prefix := args[2].Str()
	if prefix != "" {
		prefix += ":"
	}
	return types.Str(string(geom.AppendKML(nil, g, clampDigits(args[1].Int()), prefix))), nil
}

// srsName is how GML names a system, "" for none.
func srsName(srid int32, long bool) string {
	s, ok := crs.ByID(srid)
	switch {
	case !ok:
		return ""
	case long:
		return "urn:ogc:def:crs:" + s.AuthName + "::" + strconv.Itoa(int(s.AuthSRID))
	}
	return s.AuthName + ":" + strconv.Itoa(int(s.AuthSRID))
}

func asGML(_ *Ctx, args []types.Datum) (types.Datum, error) {
	g := args[0].Geom()
	opts := int(args[2].Int())
	return types.Str(string(geom.AppendGML(nil, g, 2, clampDigits(args[1].Int()), srsName(g.SRID(), opts&1 != 0), opts))), nil
}

func asGMLVersion(_ *Ctx, args []types.Datum) (types.Datum, error) {
	v, g := int(args[0].Int()), args[1].Geom()
	if v != 2 && v != 3 {
		return types.Null, errPostGIS("Only GML 2 and GML 3 are supported")
	}
	if args[1].IsNull() {
		return types.Null, nil
	}
	opts := int(args[3].Int())
	return types.Str(string(geom.AppendGML(nil, g, v, clampDigits(args[2].Int()), srsName(g.SRID(), opts&1 != 0), opts))), nil
}

func asPolyline(_ *Ctx, args []types.Datum) (types.Datum, error) {
	g := args[0].Geom()
	if g.SRID() != wgs84 {
		return types.Null, errPostGIS("Only SRID 4326 is supported.")
	}
	if g.Kind() != geom.LineString && g.Kind() != geom.MultiPoint {
		return types.Null, errPostGIS("lwgeom_to_encoded_polyline: '%s' geometry type not supported", g.Kind())
	}
	return types.Str(string(geom.AppendPolyline(nil, g, int(args[1].Int())))), nil
}

func fromPolyline(_ *Ctx, args []types.Datum) (types.Datum, error) {
	return types.Geom(geom.ParsePolyline(args[0].Str(), int(args[1].Int()))), nil
}

func asTWKB(_ *Ctx, args []types.Datum) (types.Datum, error) {
	if args[0].IsNull() {
		return types.Null, nil
	}
	digits := [3]int{}
	for i := range digits {
		if !args[i+1].IsNull() {
			digits[i] = int(args[i+1].Int())
		}
	}
	b, err := geom.TWKB(args[0].Geom(), digits[0], digits[1], digits[2], args[4].Bool(), args[5].Bool())
	if err != nil {
		return types.Null, geomError(err)
	}
	return types.Str(string(b)), nil
}

func fromTWKB(_ *Ctx, args []types.Datum) (types.Datum, error) {
	return geomResult(geom.ParseTWKB([]byte(args[0].Str())))
}

const geohashDigits = "0123456789bcdefghjkmnpqrstuvwxyz"

// geohashBox is the cell of a geohash, of precision characters when that is not negative.
func geohashBox(s string, precision types.Datum) (geom.Box, error) {
	if !precision.IsNull() && precision.Int() >= 0 && int(precision.Int()) < len(s) {
		s = s[:precision.Int()]
	}
	b := geom.World
	even := true
	for i := range len(s) {
		d := strings.IndexByte(geohashDigits, strings.ToLower(s)[i])
		if d < 0 {
			return b, errPostGIS("%s: Invalid character '%c'", "decode_geohash_bbox", s[i])
		}
		for bit := 16; bit > 0; bit >>= 1 {
			lo, hi := &b.MinX, &b.MaxX
			if !even {
				lo, hi = &b.MinY, &b.MaxY
			}
			if mid := (*lo + *hi) / 2; d&bit != 0 {
				*lo = mid
			} else {
				*hi = mid
			}
			even = !even
		}
	}
	return b, nil
}

func fromGeohash(result func(b geom.Box) types.Datum) EvalFunc {
	return func(_ *Ctx, args []types.Datum) (types.Datum, error) {
		if args[0].IsNull() {
			return types.Null, nil
		}
		b, err := geohashBox(args[0].Str(), args[1])
		if err != nil {
			return types.Null, err
		}
		return result(b), nil
	}
}

func formatFuncs() []Func {
	fn := func(name, doc, sql, want string, nulls NullRule, overloads ...Overload) Func {
		return Func{Name: name, Group: groupGeomIO, Volatility: Immutable, Nulls: nulls, Doc: doc, Overloads: overloads, Examples: []Example{{sql, want}}}
	}
	cell := func(name, doc, sql, want, result string, nulls NullRule, f func(b geom.Box) types.Datum) Func {
		return fn(name, doc, sql, want, nulls, of("text,int4 default null", result, fromGeohash(f)))
	}
	out := []Func{
		fn("ST_AsSVG", "Path data of SVG, y turned round.", `SELECT ST_AsSVG('LINESTRING(0 0,1 1)'::geometry)`, "M 0 0 L 1 -1", NullOnNull,
			of("geom geometry,rel int4 default 0,maxdecimaldigits int4 default 15", "text", asSVG),
			of("geog geography,rel int4 default 0,maxdecimaldigits int4 default 15", "text", asSVG)),
		fn("ST_AsKML", "KML 2, in longitude and latitude.", `SELECT ST_AsKML('SRID=4326;POINT(1 2)'::geometry)`, "<Point><coordinates>1,2</coordinates></Point>", NullOnNull,
			of("geom geometry,maxdecimaldigits int4 default 15,nprefix text default ''", "text", asKML),
			of("geog geography,maxdecimaldigits int4 default 15,nprefix text default ''", "text", asKML)),
		fn("ST_AsGML", "GML 2.", `SELECT ST_AsGML('POINT(1 2)'::geometry)`, "<gml:Point><gml:coordinates>1,2</gml:coordinates></gml:Point>", CalledOnNull,
			of("geom geometry,maxdecimaldigits int4 default 15,options int4 default 0", "text", func(fc *Ctx, args []types.Datum) (types.Datum, error) {
				if args[0].IsNull() {
					return types.Null, nil
				}
				return asGML(fc, args)
			})),
		fn("ST_AsEncodedPolyline", "Google's encoded polyline of a line in longitude and latitude.", `SELECT ST_AsEncodedPolyline('SRID=4326;LINESTRING(-120.2 38.5,-120.95 40.7,-126.453 43.252)'::geometry)`, "_p~iF~ps|U_ulLnnqC_mqNvxq`@", NullOnNull,
			of("geom geometry,nprecision int4 default 5", "text", asPolyline)),
		fn("ST_LineFromEncodedPolyline", "The line of an encoded polyline.", "SELECT ST_AsText(ST_LineFromEncodedPolyline('_p~iF~ps|U_ulLnnqC'))", "LINESTRING(-120.2 38.5,-120.95 40.7)", NullOnNull,
			of("txtin text,nprecision int4 default 5", "geometry", fromPolyline)),
		fn("ST_AsTWKB", "Tiny WKB, with so many decimals of x and y, z and m.", `SELECT encode(ST_AsTWKB('POINT(1 2)'::geometry), 'hex')`, "01000204", CalledOnNull,
			of("geom geometry,prec int4 default null,prec_z int4 default null,prec_m int4 default null,with_sizes bool default null,with_boxes bool default null", "bytea", asTWKB)),
		fn("ST_GeomFromTWKB", "Reads tiny WKB.", `SELECT ST_AsText(ST_GeomFromTWKB('\x01000204'))`, "POINT(1 2)", NullOnNull, of("bytea", "geometry", fromTWKB)),
		cell("ST_GeomFromGeoHash", "The cell of a geohash.", `SELECT ST_AsText(ST_GeomFromGeoHash('s'))`, "POLYGON((0 0,0 45,45 45,45 0,0 0))", "geometry", CalledOnNull,
			func(b geom.Box) types.Datum {
				return types.Geom(geom.MakeEnvelope(b.MinX, b.MinY, b.MaxX, b.MaxY, wgs84))
			}),
		cell("ST_PointFromGeoHash", "The centre of the cell of a geohash.", `SELECT ST_AsText(ST_PointFromGeoHash('s'))`, "POINT(22.5 22.5)", "geometry", CalledOnNull,
			func(b geom.Box) types.Datum {
				return types.Geom(geom.NewPoint((b.MinX+b.MaxX)/2, (b.MinY+b.MaxY)/2, wgs84))
			}),
		cell("ST_Box2dFromGeoHash", "The cell of a geohash as a box.", `SELECT ST_Box2dFromGeoHash('s')`, "BOX(0 0,45 45)", "box2d", CalledOnNull,
			func(b geom.Box) types.Datum { return types.NewBox(b) }),
	}
	return append(out, gml3())
}

// gml3 has its version in front; it is called with NULLs.
func gml3() Func {
	return Func{
		Name: "ST_AsGML", Group: groupGeomIO, Volatility: Immutable, Nulls: CalledOnNull, Doc: "GML 2 or 3.",
		Overloads: []Overload{of("version int4,geom geometry,maxdecimaldigits int4 default 15,options int4 default 0,nprefix text default '',id text default ''", "text", asGMLVersion)},
		Examples:  []Example{{`SELECT ST_AsGML(3, 'POINT(1 2)'::geometry)`, `<gml:Point><gml:pos srsDimension="2">1 2</gml:pos></gml:Point>`}},
	}
}
