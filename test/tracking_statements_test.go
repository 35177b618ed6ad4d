package test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgtype"
)

// The statements about spatial indexes and the rows they describe: name and type.
var spatialStatements = map[string]string{
	`SHOW SPATIAL INDEX CONFIG`:                                                        configFields,
	`SHOW SPATIAL INDEX CONFIG FOR 'fleet'`:                                            configFields,
	`SHOW SPATIAL INDEX CONFIG FOR fleet`:                                              configFields,
	`SHOW SPATIAL INDEX HEALTH`:                                                        healthFields,
	`SHOW SPATIAL INDEX HEALTH FOR 'fleet'`:                                            healthFields,
	`show spatial index health for "fleet"`:                                            healthFields,
	`VERIFY SPATIAL INDEX FOR 'fleet'`:                                                 "workspace text, property text, status text, detail text, live_entries int8, distinct_nodes int8, normalizer_version int8",
	`REBUILD SPATIAL INDEX FOR 'fleet'`:                                                "job_id text, workspace text, property text, scope text",
	`ALTER SPATIAL INDEX FOR 'fleet' RESET`:                                            "workspace text, property text, result text",
	tracking:                                                                           "workspace text, property text, precisions text, cover text, note text",
	`ALTER SPATIAL INDEX FOR 'fleet' SET SRID=4326`:                                    "workspace text, property text, precisions text, cover text, note text",
	`SHOW SPATIAL INDEX CONFIG FOR 'fleet' PROPERTY 'position'`:                        configFields,
	`SHOW SPATIAL INDEX HEALTH FOR 'fleet' PROPERTY 'position'`:                        healthFields,
	`VERIFY SPATIAL INDEX FOR 'fleet' PROPERTY 'nowhere'`:                              "workspace text, property text, status text, detail text, live_entries int8, distinct_nodes int8, normalizer_version int8",
	`REBUILD SPATIAL INDEX FOR 'fleet' PROPERTY 'position' WITH (wait = true)`:         "job_id text, workspace text, property text, scope text",
	`ALTER SPATIAL INDEX FOR 'fleet' PROPERTY 'position' SET BUCKET PROPERTY = 'deck'`: "workspace text, property text, precisions text, cover text, note text",
}

const (
	configFields = "workspace text, property text, precisions text, srid text, bucket_property text, cover text, declared_at text, policy_hash text"
	healthFields = "workspace text, property text, phase text, indexed_precisions text, indexed_policy_hash text, built_through int8, " +
		"nodes_indexed int8, configured_precisions text, configured_policy_hash text, needs_rebuild bool, live_entries int8, " +
		"tombstoned_entries int8, distinct_nodes int8, legacy_entries int8, live_per_precision text, normalizer_version int8, " +
		"pruning text, superseded_entries int8, prunable_entries int8, pruning_lag_seconds float8"
)

// Every statement in both protocols: prepared, it describes what it then yields; both
// yield the same.
func TestTrackingStatementsInBothProtocols(t *testing.T) {
	s := startServer(t)
	c := s.connect(t)
	berlin(t, c, 5)
	names := map[uint32]string{pgtype.TextOID: "text", pgtype.Int8OID: "int8", pgtype.BoolOID: "bool", pgtype.Float8OID: "float8"}
	ctx := context.Background()
	for sql, want := range spatialStatements {
		prepared, err := c.Prepare(ctx, "", sql)
		if err != nil {
			t.Fatalf("%s: %v", sql, err)
		}
		var described []string
		for _, f := range prepared.Fields {
			described = append(described, f.Name+" "+names[f.DataTypeOID])
			if f.TypeModifier != -1 || f.TableOID != 0 {
				t.Errorf("%s: %s has typmod %d and table %d", sql, f.Name, f.TypeModifier, f.TableOID)
			}
		}
		if got := strings.Join(described, ", "); got != want {
			t.Errorf("%s describes\n%s, want\n%s", sql, got, want)
		}
		run := func(mode pgx.QueryExecMode) (fields []string, rows []map[string]any) {
			t.Helper()
			r, err := c.Query(ctx, sql, mode)
			if err != nil {
				t.Fatalf("%s: %v", sql, err)
			}
			for _, f := range r.FieldDescriptions() {
				fields = append(fields, f.Name+" "+names[f.DataTypeOID])
			}
			if rows, err = pgx.CollectRows(r, pgx.RowToMap); err != nil {
				t.Fatalf("%s: %v", sql, err)
			}
			for _, m := range rows { // what differs from run to run
				delete(m, "job_id")
				delete(m, "result")
				delete(m, "pruning_lag_seconds")
			}
			return fields, rows
		}
		extended, rows := run(pgx.QueryExecModeExec)
		simple, simpleRows := run(pgx.QueryExecModeSimpleProtocol)
		if !slices.Equal(extended, described) || !slices.Equal(simple, described) {
			t.Errorf("%s: described %v, extended %v, simple %v", sql, described, extended, simple)
		}
		if len(rows) == 0 && !strings.Contains(sql, "nowhere") || !reflect.DeepEqual(rows, simpleRows) {
			t.Errorf("%s\nextended %v\nsimple   %v", sql, rows, simpleRows)
		}
	}
}

// The same is asked of two servers, of which one prunes all it may and one nothing:
// every answer about now is the same, and, as rows are kept for ever, about the past.
func TestTrackingPruningChangesNoAnswer(t *testing.T) {
	type side struct {
		s         *server
		c         *pgx.Conn
		revisions []int64
	}
	open := func(filter, keep, retention string) *side {
		t.Setenv("RAISIN_SPATIAL_COMPACTION_FILTER", filter)
		t.Setenv("RAISIN_SPATIAL_KEEP_REVISIONS", keep)
		t.Setenv("RAISIN_SPATIAL_RETENTION_SECS", retention)
		x := &side{s: startServer(t, "--memtable-mib", "1")}
		x.c = x.s.connect(t)
		mustExec(t, x.c, `SET synchronous_commit = off`)
		berlin(t, x.c, 60)
		mustExec(t, x.c, `ALTER WORKSPACE 'fleet' SET (history_retention = 'forever')`)
		mustExec(t, x.c, tracking)
		mustExec(t, x.c, `INSERT INTO 'fleet' (path, node_type, name, properties)
		  SELECT '/ping-' || i, 'fleet:Ping', 'ping-' || i, jsonb_build_object('track_point', jsonb_build_object(
		    'type', 'Point', 'coordinates', jsonb_build_array(13.4 + i * 0.0001, 52.5))) FROM generate_series(1, 100) i`)
		return x
	}
	sides := []*side{open("on", "1", "1"), open("off", "8", "3600")}
	r := rand.New(rand.NewPCG(seedOf(t), 0))
	same := func(ask func(x *side) []string) {
		t.Helper()
		if on, off := ask(sides[0]), ask(sides[1]); !slices.Equal(on, off) {
			t.Errorf("pruned:  %v\npruned not: %v", on, off)
		}
	}
	compare := func() {
		t.Helper()
		lon, lat, radiusM := 13.33+r.Float64()*0.15, 52.47+r.Float64()*0.1, 30*float64(int(1)<<r.IntN(9))
		same(func(x *side) []string { return queryAll[string](t, x.c, within(lon, lat, radiusM)+" ORDER BY path") })
		same(func(x *side) []string {
			return queryAll[string](t, x.c, fmt.Sprintf(`SELECT path FROM 'fleet' ORDER BY ST_Distance(properties->'position', ST_Point(%v, %v)), path LIMIT 7`, lon, lat))
		})
		same(func(x *side) []string {
			return queryAll[string](t, x.c, fmt.Sprintf(`SELECT path FROM 'fleet' WHERE ST_DWithin(properties->'track_point', ST_Point(%v, 52.5), %v) ORDER BY path`, lon, radiusM))
		})
		if n := len(sides[0].revisions); n > 0 {
			at := r.IntN(n)
			same(func(x *side) []string {
				return queryAll[string](t, x.c, within(lon, lat, radiusM)+fmt.Sprintf(" AND __revision = %d ORDER BY path", x.revisions[at]))
			})
		}
	}
	for round := range 12 {
		for range 150 {
			sql := updatePosition(fmt.Sprintf("/van-%d", 1+r.IntN(60)), 13.33+r.Float64()*0.15, 52.47+r.Float64()*0.1)
			if r.IntN(40) == 0 {
				sql = fmt.Sprintf(`DELETE FROM 'fleet' WHERE path = '/van-%d'`, 1+r.IntN(60))
			}
			for _, x := range sides {
				mustExec(t, x.c, sql)
			}
		}
		for _, x := range sides {
			x.revisions = append(x.revisions, queryOne[int64](t, x.c, `SELECT max(__revision) FROM 'fleet'`))
			if round%4 == 3 {
				mustExec(t, x.c, `VACUUM 'fleet'`)
			}
		}
		for range 8 {
			compare()
		}
	}
	usage := func(x *side) int64 {
		return queryRow(t, x.c, `SHOW SPATIAL INDEX HEALTH FOR 'fleet' PROPERTY 'position'`)["superseded_entries"].(int64)
	}
	if on, off := usage(sides[0]), usage(sides[1]); on*2 > off {
		t.Errorf("%d superseded entries where all were to go, %d where none was", on, off)
	}
	for _, x := range sides {
		if m := queryRow(t, x.c, `SHOW SPATIAL INDEX HEALTH FOR 'fleet' PROPERTY 'track_point'`); m["live_entries"] != int64(800) || m["superseded_entries"] != int64(0) {
			t.Errorf("pings: %v", m)
		}
	}
}
