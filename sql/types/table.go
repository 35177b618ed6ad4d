package types

// The types, under PostgreSQL's OIDs. Their names begin with T, since Bool, Interval
// and Record are values.
var (
	TBool         = define(16, 1000, "bool", "boolean", 1, CategoryBool, preferred)
	TBytea        = define(17, 1001, "bytea", "bytea", -1, CategoryUser, ordinary)
	TChar         = define(18, 1002, "char", `"char"`, 1, CategoryInternal, ordinary)
	TName         = define(19, 1003, "name", "name", 64, CategoryString, ordinary)
	TInt8         = define(20, 1016, "int8", "bigint", 8, CategoryNumeric, ordinary)
	TInt2         = define(21, 1005, "int2", "smallint", 2, CategoryNumeric, ordinary)
	TInt2Vector   = define(22, 1006, "int2vector", "int2vector", -1, CategoryArray, ordinary)
	TInt4         = define(23, 1007, "int4", "integer", 4, CategoryNumeric, ordinary)
	TRegproc      = define(24, 1008, "regproc", "regproc", 4, CategoryNumeric, ordinary)
	TText         = define(25, 1009, "text", "text", -1, CategoryString, preferred)
	TOID          = define(26, 1028, "oid", "oid", 4, CategoryNumeric, preferred)
	TTID          = define(27, 1010, "tid", "tid", 6, CategoryUser, ordinary)
	TXID          = define(28, 1011, "xid", "xid", 4, CategoryUser, ordinary)
	TCID          = define(29, 1012, "cid", "cid", 4, CategoryUser, ordinary)
	TOIDVector    = define(30, 1013, "oidvector", "oidvector", -1, CategoryArray, ordinary)
	TJSON         = define(114, 199, "json", "json", -1, CategoryUser, ordinary)
	TPgNodeTree   = define(194, 0, "pg_node_tree", "pg_node_tree", -1, CategoryInternal, ordinary)
	TFloat4       = define(700, 1021, "float4", "real", 4, CategoryNumeric, ordinary)
	TFloat8       = define(701, 1022, "float8", "double precision", 8, CategoryNumeric, preferred)
	TUnknown      = define(705, 0, "unknown", "unknown", -2, CategoryUnknown, ordinary)
	TACLItem      = define(1033, 1034, "aclitem", "aclitem", 12, CategoryUser, ordinary)
	TBPChar       = define(1042, 1014, "bpchar", "character", -1, CategoryString, ordinary)
	TVarchar      = define(1043, 1015, "varchar", "character varying", -1, CategoryString, ordinary)
	TDate         = define(1082, 1182, "date", "date", 4, CategoryDateTime, ordinary)
	TTime         = define(1083, 1183, "time", "time without time zone", 8, CategoryDateTime, ordinary)
	TTimestamp    = define(1114, 1115, "timestamp", "timestamp without time zone", 8, CategoryDateTime, ordinary)
	TTimestamptz  = define(1184, 1185, "timestamptz", "timestamp with time zone", 8, CategoryDateTime, preferred)
	TInterval     = define(1186, 1187, "interval", "interval", 16, CategoryTimespan, preferred)
	TTimeTZ       = define(1266, 1270, "timetz", "time with time zone", 12, CategoryDateTime, ordinary)
	TNumeric      = define(1700, 1231, "numeric", "numeric", -1, CategoryNumeric, ordinary)
	TRefcursor    = define(1790, 2201, "refcursor", "refcursor", -1, CategoryUser, ordinary)
	TRegprocedure = define(2202, 2207, "regprocedure", "regprocedure", 4, CategoryNumeric, ordinary)
	TRegoper      = define(2203, 2208, "regoper", "regoper", 4, CategoryNumeric, ordinary)
	TRegoperator  = define(2204, 2209, "regoperator", "regoperator", 4, CategoryNumeric, ordinary)
	TRegclass     = define(2205, 2210, "regclass", "regclass", 4, CategoryNumeric, ordinary)
	TRegtype      = define(2206, 2211, "regtype", "regtype", 4, CategoryNumeric, ordinary)
	TUUID         = define(2950, 2951, "uuid", "uuid", 16, CategoryUser, ordinary)
	TJSONB        = define(3802, 3807, "jsonb", "jsonb", -1, CategoryUser, ordinary)
	TJSONPath     = define(4072, 4073, "jsonpath", "jsonpath", -1, CategoryUser, ordinary)
	TRegnamespace = define(4089, 4090, "regnamespace", "regnamespace", 4, CategoryNumeric, ordinary)
	TRegrole      = define(4096, 4097, "regrole", "regrole", 4, CategoryNumeric, ordinary)
	TRegcollation = define(4191, 4192, "regcollation", "regcollation", 4, CategoryNumeric, ordinary)
	TXID8         = define(5069, 271, "xid8", "xid8", 8, CategoryUser, ordinary)
)

// Pseudo-types: no column has one.
var (
	TRecord                = define(2249, 2287, "record", "record", -1, CategoryPseudo, ordinary)
	TCstring               = define(2275, 1263, "cstring", "cstring", -2, CategoryPseudo, ordinary)
	TAny                   = define(2276, 0, "any", `"any"`, 4, CategoryPseudo, ordinary)
	TAnyArray              = define(2277, 0, "anyarray", "anyarray", -1, CategoryPseudo, ordinary)
	TVoid                  = define(2278, 0, "void", "void", 4, CategoryPseudo, ordinary)
	TTrigger               = define(2279, 0, "trigger", "trigger", 4, CategoryPseudo, ordinary)
	TInternal              = define(2281, 0, "internal", "internal", 8, CategoryPseudo, ordinary)
	TAnyElement            = define(2283, 0, "anyelement", "anyelement", 4, CategoryPseudo, ordinary)
	TAnyNonArray           = define(2776, 0, "anynonarray", "anynonarray", 4, CategoryPseudo, ordinary)
	TAnyEnum               = define(3500, 0, "anyenum", "anyenum", 4, CategoryPseudo, ordinary)
	TAnyCompatible         = define(5077, 0, "anycompatible", "anycompatible", 4, CategoryPseudo, ordinary)
	TAnyCompatibleArray    = define(5078, 0, "anycompatiblearray", "anycompatiblearray", -1, CategoryPseudo, ordinary)
	TAnyCompatibleNonArray = define(5079, 0, "anycompatiblenonarray", "anycompatiblenonarray", 4, CategoryPseudo, ordinary)
)

// PostGIS's types. An extension's OIDs differ from database to database; ours are fixed.
var (
	TGeometry  = define(90001, 90002, "geometry", "geometry", -1, CategoryUser, ordinary)
	TGeography = define(90003, 90004, "geography", "geography", -1, CategoryUser, ordinary)
	TBox2D     = define(90005, 90006, "box2d", "box2d", 65, CategoryUser, ordinary)
	TBox3D     = define(90007, 90008, "box3d", "box3d", 52, CategoryUser, ordinary)
)

const (
	ordinary  = false
	preferred = true
)

var (
	all    []*Type
	byOID  = map[uint32]*Type{}
	byName = map[string]*Type{}
)

func define(oid, arrayOID uint32, name, sqlName string, length int16, c Category, pref bool) *Type {
	t := &Type{OID: oid, Name: name, SQLName: sqlName, Len: length, Category: c, Preferred: pref}
	register(t)
	if arrayOID != 0 {
		t.array = &Type{OID: arrayOID, Name: "_" + name, SQLName: sqlName + "[]", Len: -1, Category: CategoryArray, Elem: t}
		if c == CategoryPseudo {
			t.array.Category = CategoryPseudo
		}
		register(t.array)
	}
	return t
}

func register(t *Type) {
	all = append(all, t)
	byOID[t.OID] = t
	byName[t.Name] = t
}

// ByOID finds a type by its OID.
func ByOID(oid uint32) (*Type, bool) {
	t, ok := byOID[oid]
	return t, ok
}

// All returns every type, array types after their elements. The slice is shared: do not write to it.
func All() []*Type { return all }
