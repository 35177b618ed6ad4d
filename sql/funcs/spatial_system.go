package funcs

import (
	"raisind/sql/types"
)

// What postgis_version() and its kin say: the release whose answers are followed.
const (
	postgisRelease = "3.3.2"
	postgisVersion = "3.3 USE_GEOS=1 USE_PROJ=1 USE_STATS=1"
	geosVersion    = "3.11.1-CAPI-1.17.1"
	projVersion    = "9.1.1"
)

func spatialSystemFuncs() []Func {
	fn := func(name, doc, sql, want string, overloads ...Overload) Func {
		return Func{
			Name: name, Group: groupGeomSystem, Volatility: Immutable, Doc: doc,
			Overloads: overloads, Examples: []Example{{sql, want}},
		}
	}
	says := func(name, doc, text string) Func {
		f := fn(name, doc, `SELECT `+name+`() IS NULL`, "f", of("", "text", constant(types.Str(text))))
		f.Nulls = CalledOnNull
		return f
	}
	full := `POSTGIS="` + postgisRelease + `" [EXTENSION] PGSQL="150" GEOS="` + geosVersion + `" PROJ="` + projVersion + `"`
	return []Func{
		says("postgis_version", "The release of PostGIS whose answers are followed.", postgisVersion),
		says("postgis_lib_version", "The release of PostGIS whose answers are followed.", postgisRelease),
		says("postgis_full_version", "The release of PostGIS whose answers are followed, and of its libraries.", full),
		says("postgis_geos_version", "The release of GEOS whose predicates are followed.", geosVersion),
		says("postgis_proj_version", "The release of PROJ whose transformations are followed.", projVersion),
		says("postgis_scripts_installed", "The release of PostGIS whose functions are there.", postgisRelease),
		says("postgis_scripts_released", "The release of PostGIS whose functions are there.", postgisRelease),
		says("postgis_lib_build_date", "The date of the release of PostGIS followed.", "2022-11-20 20:32:11"),
		says("postgis_libxml_version", "The release of libxml2 that PostGIS would have.", "2.9.14"),
		fn("postgis_typmod_srid", "The SRID of a geometry column's modifier.", `SELECT postgis_typmod_srid(1107460)`, "4326",
			of("int4", "int4", func(_ *Ctx, args []types.Datum) (types.Datum, error) {
				return types.Int(int64(geoTypmod(args).SRID)), nil
			})),
		fn("postgis_typmod_type", "The type of a geometry column's modifier.", `SELECT postgis_typmod_type(1107460)`, "Point",
			of("int4", "text", func(_ *Ctx, args []types.Datum) (types.Datum, error) {
				return types.Str(typmodType(geoTypmod(args))), nil
			})),
		fn("postgis_typmod_dims", "The number of ordinates of a geometry column's modifier.", `SELECT postgis_typmod_dims(1107460)`, "2",
			of("int4", "int4", func(_ *Ctx, args []types.Datum) (types.Datum, error) {
				m := geoTypmod(args)
				if args[0].Int() < 0 {
					return types.Null, nil
				}
				return types.Int(int64(2 + b2i(m.HasZ) + b2i(m.HasM))), nil
			})),
	}
}

// geoTypmod takes a modifier apart; -1 allows everything.
func geoTypmod(args []types.Datum) types.GeoTypmod {
	if args[0].Int() < 0 {
		return types.GeoTypmod{}
	}
	return types.ParseGeoTypmod(int32(args[0].Int()))
}

// typmodType is the type with the letters of its further ordinates.
func typmodType(m types.GeoTypmod) string {
	name := "Geometry"
	if m.Kind != 0 {
		name = m.Kind.String()
	}
	if m.HasZ {
		name += "Z"
	}
	if m.HasM {
		name += "M"
	}
	return name
}
