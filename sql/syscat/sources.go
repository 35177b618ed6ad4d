package syscat

import (
	"sync"

	"raisind/geom/crs"
	"raisind/sql/plan"
	"raisind/sql/types"
)

// sourceOf fills one relation.
type sourceOf struct {
	rows    func(*reader) ([]types.Row, error)
	passing bool
}

// fixed are rows that no catalog changes.
func fixed(rows func() []types.Row) sourceOf {
	return sourceOf{rows: func(*reader) ([]types.Row, error) { return rows(), nil }}
}

// kept are rows that follow from the catalog.
func kept(rows func(*reader) ([]types.Row, error)) sourceOf { return sourceOf{rows: rows} }

// passing are rows of the moment.
func passing(rows func(*reader) ([]types.Row, error)) sourceOf {
	return sourceOf{rows: rows, passing: true}
}

// facts turns what the server tells into rows of a relation.
func facts(name string, get func(Server) []Fact) sourceOf {
	return passing(func(r *reader) ([]types.Row, error) {
		b := build(name)
		for _, f := range get(r.session.Server()) {
			b.add(f...)
		}
		return b.rows, nil
	})
}

// sources fill the relations of pg_catalog. One that is neither here nor a view has no
// rows: what it would list does not exist in this server.
var sources map[string]sourceOf

// publicSources fill PostGIS's.
var publicSources map[string]sourceOf

// informationSources fill those of information_schema that are no views.
var informationSources map[string]sourceOf

func init() {
	from := func(get func(*builtin) []types.Row) func() []types.Row {
		return func() []types.Row { return get(builtins()) }
	}
	sources = map[string]sourceOf{
		"pg_am": fixed(loaded("pg_am")), "pg_language": fixed(loaded("pg_language")), "pg_collation": fixed(loaded("pg_collation")),
		"pg_operator":  fixed(from(func(b *builtin) []types.Row { return b.operators })),
		"pg_cast":      fixed(from(func(b *builtin) []types.Row { return b.casts })),
		"pg_aggregate": fixed(from(func(b *builtin) []types.Row { return b.aggregates })),
		"pg_opclass":   fixed(from(func(b *builtin) []types.Row { return b.classes })),
		"pg_opfamily":  fixed(from(func(b *builtin) []types.Row { return b.families })),
		"pg_amop":      fixed(from(func(b *builtin) []types.Row { return b.amops })),
		"pg_amproc":    fixed(from(func(b *builtin) []types.Row { return b.amprocs })),
		"pg_range":     fixed(rangeRows),
		"pg_tablespace": fixed(func() []types.Row {
			b := build("pg_tablespace", "spcowner", ownerOID)
			b.add("oid", tablespaceOID, "spcname", "pg_default")
			b.add("oid", globalSpaceOID, "spcname", "pg_global")
			return b.rows
		}),

		"pg_class": kept(classRows), "pg_attribute": kept(attributeRows), "pg_attrdef": kept(attrdefRows), "pg_index": kept(indexRows),
		"pg_constraint": kept(constraintRows), "pg_type": kept(typeRows), "pg_proc": kept(procRows), "pg_namespace": kept(namespaceRows),
		"pg_description": kept(descriptionRows), "pg_shdescription": kept(sharedDescriptionRows), "pg_depend": kept(dependRows),
		"pg_enum": kept(enumRows), "pg_sequence": kept(sequenceRows), "pg_trigger": kept(triggerRows), "pg_rewrite": kept(rewriteRows),
		"pg_authid": kept(authidRows), "pg_auth_members": kept(authMemberRows), "pg_extension": kept(extensionRows),
		"pg_db_role_setting": kept(roleSettingRows), "pg_init_privs": kept(initialPrivilegeRows),

		"pg_database": passing(databaseRows),
		"pg_settings": facts("pg_settings", Server.SettingRows), "pg_stat_activity": facts("pg_stat_activity", Server.Backends),
		"pg_prepared_statements": facts("pg_prepared_statements", Server.PreparedStatements), "pg_cursors": facts("pg_cursors", Server.Cursors),
		"pg_stat_database": passing(statDatabaseRows), "pg_stat_ssl": passing(sslRows),
		"pg_timezone_abbrevs": fixed(abbreviationRows), "pg_timezone_names": passing(zoneRows),
		"pg_available_extensions": kept(availableRows), "pg_available_extension_versions": kept(availableVersionRows),
		"pg_config": fixed(func() []types.Row { return nil }),
	}
	informationSources = map[string]sourceOf{}
	publicSources = map[string]sourceOf{
		"geometry_columns":  geometryColumns("geometry_columns", types.TGeometry),
		"geography_columns": geometryColumns("geography_columns", types.TGeography),
		"spatial_ref_sys":   fixed(referenceSystemRows),
	}
}

// rangeRows keeps the ranges of types there are.
func rangeRows() []types.Row {
	var out []types.Row
	for _, row := range load("pg_range") {
		if known(uint32(row[0].Int()), uint32(row[1].Int()), uint32(row[2].Int())) {
			out = append(out, row)
		}
	}
	return out
}

// referenceSystemRows are the spatial reference systems that ST_Transform knows.
var referenceSystemRows = sync.OnceValue(func() []types.Row {
	b := builderOf(relations().byName[relationName{"public", "spatial_ref_sys"}])
	for _, s := range crs.All() {
		b.add("srid", s.SRID, "auth_name", s.AuthName, "auth_srid", s.AuthSRID, "srtext", s.SRText, "proj4text", s.Proj4)
	}
	return b.rows
})

// ownRelations are PostGIS's and those that PostgreSQL has not.
func ownRelations() []*relation {
	text := func(names ...string) []plan.Column {
		var out []plan.Column
		for _, n := range names {
			out = append(out, plan.Column{Name: n, Type: types.TName, Typmod: -1})
		}
		return out
	}
	own := func(oid uint32, name string, cols []plan.Column) *relation {
		r := &relation{schema: "public", name: name, oid: oid, kind: 'v', at: map[string]int{}, notNull: make([]bool, len(cols))}
		for i, c := range cols {
			c.TableOID, c.AttNum = oid, int16(i+1)
			r.cols = append(r.cols, c)
			r.at[c.Name] = i
		}
		return r
	}
	tail := []plan.Column{
		{Name: "coord_dimension", Type: types.TInt4, Typmod: -1},
		{Name: "srid", Type: types.TInt4, Typmod: -1},
		{Name: "type", Type: types.TText, Typmod: -1},
	}
	geometry := text("f_table_catalog", "f_table_schema", "f_table_name", "f_geometry_column")
	geometry[0].Type, geometry[0].Typmod = types.TVarchar, 256+4
	systems := own(spatialRefSysOID, "spatial_ref_sys", []plan.Column{
		{Name: "srid", Type: types.TInt4, Typmod: -1},
		{Name: "auth_name", Type: types.TVarchar, Typmod: 256 + 4},
		{Name: "auth_srid", Type: types.TInt4, Typmod: -1},
		{Name: "srtext", Type: types.TVarchar, Typmod: 2048 + 4},
		{Name: "proj4text", Type: types.TVarchar, Typmod: 2048 + 4},
	})
	systems.kind, systems.notNull[0] = 'r', true
	return []*relation{
		systems,
		own(geometryColumnsOID, "geometry_columns", append(geometry, tail...)),
		own(geographyColumnsOID, "geography_columns", append(text("f_table_catalog", "f_table_schema", "f_table_name", "f_geography_column"), tail...)),
	}
}
