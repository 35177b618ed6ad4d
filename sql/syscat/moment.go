package syscat

import (
	"strings"
	"time"

	"raisind/catalog"
	"raisind/sql/types"
)

// rowCount estimates a relation's rows.
func (s *state) rowCount(r *catalog.Relation) (int64, bool) {
	if s.count == nil || !r.Kind.HasRows() {
		return 0, false
	}
	return s.count(r.OID)
}

func databaseRows(r *reader) ([]types.Row, error) {
	b := build("pg_database", "encoding", 6, "datlocprovider", "c", "datallowconn", true, "datconnlimit", -1, "datfrozenxid", 1, "datminmxid", 1,
		"dattablespace", tablespaceOID, "datcollate", "C.UTF-8", "datctype", "C.UTF-8")
	current := r.session.Database()
	d := r.snap.Database()
	for i, name := range r.session.Server().Databases() {
		oid := uint32(databaseOID)
		if name != current {
			oid = otherDatabaseOID + uint32(i)
		}
		b.add("oid", oid, "datname", name, "datdba", d.OwnerOID(), "datacl", r.acl(d.ACL))
	}
	return b.rows, nil
}

func statDatabaseRows(r *reader) ([]types.Row, error) {
	b := build("pg_stat_database")
	zero := []string{
		"xact_commit", "xact_rollback", "blks_read", "blks_hit", "tup_returned", "tup_fetched", "tup_inserted", "tup_updated", "tup_deleted",
		"conflicts", "temp_files", "temp_bytes", "deadlocks", "sessions", "sessions_abandoned", "sessions_fatal", "sessions_killed",
	}
	row := []any{"datid", databaseOID, "datname", r.session.Database(), "numbackends", len(r.session.Server().Backends())}
	for _, c := range append(zero, "blk_read_time", "blk_write_time", "session_time", "active_time", "idle_in_transaction_time") {
		row = append(row, c, datum(b.rel.cols[b.rel.at[c]].Type, 0))
	}
	b.add(row...)
	return b.rows, nil
}

func sslRows(r *reader) ([]types.Row, error) {
	b := build("pg_stat_ssl")
	for _, f := range r.session.Server().Backends() {
		for i := 0; i < len(f); i += 2 {
			if f[i] == "pid" {
				b.add("pid", f[i+1], "ssl", false)
			}
		}
	}
	return b.rows, nil
}

func abbreviationRows() []types.Row {
	b := build("pg_timezone_abbrevs")
	for _, a := range types.ZoneAbbrevs() {
		b.add("abbrev", a.Abbrev, "utc_offset", types.Ref(&types.Interval{Micros: int64(a.OffsetSecs) * microsPerSecond}), "is_dst", a.DST)
	}
	return b.rows
}

const microsPerSecond = 1_000_000

func zoneRows(*reader) ([]types.Row, error) {
	b := build("pg_timezone_names")
	now := time.Now()
	for _, name := range types.ZoneNames() {
		zone, ok := types.FindZone(name)
		if !ok {
			continue
		}
		at := now.In(zone)
		abbrev, offset := at.Zone()
		b.add("name", name, "abbrev", abbrev, "utc_offset", types.Ref(&types.Interval{Micros: int64(offset) * microsPerSecond}), "is_dst", at.IsDST())
	}
	return b.rows, nil
}

// geometryColumns lists columns of PostGIS's types.
func geometryColumns(name string, t *types.Type) sourceOf {
	return passing(func(r *reader) ([]types.Row, error) {
		b := builderOf(relations().byName[relationName{"public", name}])
		database := r.session.Database()
		r.eachRelation(func(rel *catalog.Relation) {
			if rel.Kind == catalog.CompositeType || rel.Kind == catalog.Sequence {
				return
			}
			for i := range rel.Columns {
				c := &rel.Columns[i]
				if c.Type != t {
					continue
				}
				var g types.GeoTypmod
				if c.Typmod >= 0 {
					g = types.ParseGeoTypmod(c.Typmod)
				}
				kind, dims := "Geometry", 2
				if g.Kind != 0 {
					kind = g.Kind.String()
				}
				for _, more := range []struct {
					on     bool
					suffix string
				}{{g.HasZ, "Z"}, {g.HasM, "M"}} {
					if more.on {
						dims++
						kind += more.suffix
					}
				}
				if t == types.TGeometry {
					kind = strings.TrimRight(strings.ToUpper(kind), "ZM")
				}
				b.add("f_table_catalog", database, "f_table_schema", rel.Schema, "f_table_name", rel.Name, b.rel.cols[3].Name, c.Name,
					"coord_dimension", dims, "srid", g.SRID, "type", kind)
			}
		})
		return b.rows, nil
	})
}
