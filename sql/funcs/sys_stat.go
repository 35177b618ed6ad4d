package funcs

import (
	"strings"

	"raisind/sql/types"
)

// Counters may be implemented by a Session that counts what happens to relations.
type Counters interface {
	// Counter returns what a pg_stat_get_ function without its prefix asks of an object,
	// false where nobody counts it.
	Counter(name string, oid uint32) (int64, bool)
}

func counter(name string) EvalFunc {
	name = strings.TrimPrefix(name, "pg_stat_get_")
	return func(fc *Ctx, args []types.Datum) (types.Datum, error) {
		if c, ok := session[Counters](fc); ok {
			if n, ok := c.Counter(name, uint32(args[0].Int())); ok {
				return types.Int(n), nil
			}
		}
		return types.Int(0), nil
	}
}

// volatilityOf: what a transaction itself did changes while it runs.
func volatilityOf(name string) Volatility {
	if strings.HasPrefix(name, "xact_") {
		return Volatile
	}
	return Stable
}

func statisticsFuncs() []Func {
	fn := func(name string, v Volatility, doc, sql, want string, overloads ...Overload) Func {
		return Func{Name: name, Group: groupSystem, Volatility: v, Doc: doc, Overloads: overloads, Examples: []Example{{sql, want}}}
	}
	var out []Func
	for _, n := range strings.Fields(`numscans tuples_returned tuples_fetched tuples_inserted tuples_updated tuples_deleted tuples_hot_updated
		live_tuples dead_tuples mod_since_analyze ins_since_vacuum vacuum_count autovacuum_count analyze_count autoanalyze_count
		blocks_fetched blocks_hit xact_numscans xact_tuples_returned xact_tuples_fetched xact_tuples_inserted xact_tuples_updated
		xact_tuples_deleted xact_tuples_hot_updated xact_blocks_fetched xact_blocks_hit`) {
		name := "pg_stat_get_" + n
		out = append(out, fn(name, volatilityOf(n), "How often something happened to a relation or index; 0 where nobody counts.", `SELECT `+name+`(0) >= 0`, "t",
			of("oid", "int8", counter(name))))
	}
	null := func(result string) Overload { return of("oid", result, constant(types.Null)) }
	for _, n := range strings.Fields(`last_vacuum_time last_autovacuum_time last_analyze_time last_autoanalyze_time`) {
		name := "pg_stat_get_" + n
		out = append(out, fn(name, Stable, "When something last happened to a relation; NULL: it is not noted.", `SELECT `+name+`(0) IS NULL`, "t", null("timestamptz")))
	}
	for _, n := range strings.Fields(`function_calls xact_function_calls`) {
		name := "pg_stat_get_" + n
		out = append(out, fn(name, volatilityOf(n), "Calls of a function; NULL: they are not counted.", `SELECT `+name+`(0) IS NULL`, "t", null("int8")))
	}
	for _, n := range strings.Fields(`function_total_time function_self_time xact_function_total_time xact_function_self_time`) {
		name := "pg_stat_get_" + n
		out = append(out, fn(name, volatilityOf(n), "Time spent in a function; NULL: it is not measured.", `SELECT `+name+`(0) IS NULL`, "t", null("float8")))
	}
	trees := func(name, doc string, overloads ...Overload) Func {
		return fn(name, Volatile, doc, `SELECT count(*) FROM `+name+`('pg_class')`, "0", overloads...)
	}
	empty := func(*Ctx, []types.Datum) (RowSource, error) { return noRows, nil }
	property := func(name, args, example string, body EvalFunc) Func {
		return fn(name, Stable, "Whether an index, its column or its method can do something.", `SELECT `+name+`(`+example+`)`, "t", of(args, "bool", body))
	}
	out = append(out,
		trees("pg_partition_tree", "The partitions below a relation; there are none.",
			set("regclass", "(relid regclass,parentrelid regclass,isleaf bool,level int4)", empty)),
		trees("pg_partition_ancestors", "The relations above a partition; there are none.", set("regclass", "regclass", empty).named("relid")),
		fn("pg_partition_root", Immutable, "The relation above all partitions; NULL: there are none.", `SELECT pg_partition_root('pg_class') IS NULL`, "t",
			of("regclass", "regclass", constant(types.Null))),
		fn("pg_get_partition_constraintdef", Stable, "NULL: there are no partitions.", `SELECT pg_get_partition_constraintdef(0) IS NULL`, "t", of("oid", "text", constant(types.Null))),
		fn("pg_get_statisticsobjdef", Stable, "NULL: there are no extended statistics.", `SELECT pg_get_statisticsobjdef(0) IS NULL`, "t", of("oid", "text", constant(types.Null))),
		fn("pg_get_statisticsobjdef_expressions", Stable, "NULL: there are no extended statistics.", `SELECT pg_get_statisticsobjdef_expressions(0) IS NULL`, "t",
			of("oid", "text[]", constant(types.Null))),
		property("pg_indexam_has_property", "oid,text", "403, 'can_unique'", methodProperty),
		property("pg_index_has_property", "regclass,text", "'pg_class_oid_index', 'index_scan'", indexProperty),
		property("pg_index_column_has_property", "regclass,int4,text", "'pg_class_oid_index', 1, 'orderable'", columnProperty),
		fn("pg_relation_filenode", Stable, "The number of a relation's rows in the store.", `SELECT pg_relation_filenode('pg_class') IS NULL OR true`, "t",
			of("regclass", "oid", func(_ *Ctx, args []types.Datum) (types.Datum, error) {
				if args[0].Int() < firstUserOID {
					return types.Null, nil
				}
				return args[0], nil
			})),
		fn("pg_relation_filepath", Stable, "NULL: relations share the store's files.", `SELECT pg_relation_filepath('pg_class') IS NULL`, "t",
			of("regclass", "text", constant(types.Null))),
		fn("pg_tablespace_size", Volatile, "Size of the database in bytes.", `SELECT pg_tablespace_size('pg_default') IS NULL OR true`, "t",
			of("name", "int8", databaseSize), of("oid", "int8", databaseSize)),
		fn("pg_tablespace_databases", Stable, "The databases of a tablespace.", `SELECT count(*) FROM pg_tablespace_databases(1663)`, "1",
			set("oid", "oid", func(*Ctx, []types.Datum) (RowSource, error) { return oneRow(types.Int(databaseOID)), nil })),
		fn("pg_encoding_max_length", Immutable, "The most bytes of a character.", `SELECT pg_encoding_max_length(6)`, "4",
			of("int4", "int4", constant(types.Int(maxBytesOfRune)))),
		fn("row_security_active", Stable, "False: there are no row security policies.", `SELECT row_security_active('pg_class')`, "f",
			of("text", "bool", constant(types.Bool(false))), of("oid", "bool", constant(types.Bool(false)))),
		fn("pg_get_replica_identity_index", Stable, "NULL: there is no logical replication.", `SELECT pg_get_replica_identity_index('pg_class') IS NULL`, "t",
			of("regclass", "regclass", constant(types.Null))),
		fn("pg_get_publication_tables", Stable, "The relations of a publication; there are none.", `SELECT count(*) FROM pg_get_publication_tables('p')`, "0",
			set("text", "(relid oid,attrs int2vector,qual pg_node_tree)", empty)),
		fn("has_parameter_privilege", Stable, "True when a role may change a setting.", `SELECT has_parameter_privilege('work_mem', 'SET')`, "t",
			of("text,text", "bool", constant(types.Bool(true))), of("name,text,text", "bool", constant(types.Bool(true)))),
	)
	return out
}

const databaseOID = 5

// Access methods, as pg_am numbers them.
const (
	amBtree, amHash, amGist = 403, 405, 783
)

// methodProperty is what an access method can do.
func methodProperty(_ *Ctx, args []types.Datum) (types.Datum, error) {
	am := args[0].Int()
	switch strings.ToLower(args[1].Str()) {
	case "can_order", "can_unique":
		return types.Bool(am == amBtree), nil
	case "can_multi_col":
		return types.Bool(am != amHash), nil
	case "can_exclude":
		return types.Bool(am == amBtree || am == amHash || am == amGist), nil
	case "can_include":
		return types.Bool(am == amBtree || am == amGist), nil
	}
	return types.Null, nil
}

func indexProperty(_ *Ctx, args []types.Datum) (types.Datum, error) {
	switch strings.ToLower(args[1].Str()) {
	case "index_scan", "bitmap_scan":
		return types.Bool(true), nil
	case "clusterable", "backward_scan":
		return types.Bool(true), nil
	}
	return types.Null, nil
}

func columnProperty(_ *Ctx, args []types.Datum) (types.Datum, error) {
	switch strings.ToLower(args[2].Str()) {
	case "asc", "nulls_last", "orderable", "returnable", "search_array", "search_nulls":
		return types.Bool(true), nil
	case "desc", "nulls_first", "distance_orderable":
		return types.Bool(false), nil
	}
	return types.Null, nil
}
