package syscat

import (
	"strconv"
	"strings"
	"sync"

	"raisind/catalog"
	"raisind/sql/plan"
	"raisind/sql/types"
)

func uitoa(n uint32) string { return strconv.FormatUint(uint64(n), 10) }

// systemIndex is an index of a relation of pg_catalog. Clients that look for keys of
// the catalog find PostgreSQL's; here rows are found by what syscat keeps of them.
type systemIndex struct {
	oid, relation      uint32
	name               string
	primary, unique    bool
	columns            []int
	classes, collation types.Datum
}

var systemIndexes = sync.OnceValue(func() []systemIndex {
	var out []systemIndex
	for _, row := range readData("indexes").rows {
		oid, _ := strconv.ParseUint(row[0], 10, 32)
		rel, _ := strconv.ParseUint(row[2], 10, 32)
		x := systemIndex{
			oid: uint32(oid), name: row[1], relation: uint32(rel), primary: row[3] == "t", unique: row[4] == "t",
			classes: read(types.TOIDVector, row[6]), collation: read(types.TOIDVector, row[7]),
		}
		for _, c := range strings.Fields(row[5]) {
			n, _ := strconv.Atoi(c)
			x.columns = append(x.columns, n)
		}
		if relations().byOID[x.relation] != nil {
			out = append(out, x)
		}
	}
	return out
})

func systemSchema(name string) uint32 {
	switch name {
	case "information_schema":
		return informationSchemaOID
	case "public":
		return publicOID
	}
	return pgCatalogOID
}

// systemACL lets everybody read what is not meant for superusers.
func (s *state) systemACL(r *relation) any {
	switch r.name {
	case "pg_authid", "pg_shadow", "pg_statistic", "pg_subscription", "pg_user_mapping", "pg_largeobject", "pg_file_settings", "pg_hba_file_rules",
		"pg_ident_file_mappings", "pg_config", "pg_shmem_allocations", "pg_backend_memory_contexts", "pg_replication_origin_status":
		return []string{s.owner + "=arwdDxt/" + s.owner}
	}
	return []string{s.owner + "=arwdDxt/" + s.owner, "=r/" + s.owner}
}

func classRows(r *reader) ([]types.Row, error) {
	b := build("pg_class", "relowner", ownerOID, "reltuples", -1, "relpersistence", "p", "relispopulated", true, "relreplident", "n")
	indexed := map[uint32]bool{}
	for _, x := range systemIndexes() {
		indexed[x.relation] = true
		b.add("oid", x.oid, "relname", x.name, "relnamespace", pgCatalogOID, "relam", btreeOID, "relkind", "i", "relnatts", len(x.columns))
	}
	for _, rel := range relations().sorted {
		am := 0
		if rel.kind == 'r' {
			am = heapOID
		}
		b.add("oid", rel.oid, "relname", rel.name, "relnamespace", systemSchema(rel.schema), "relam", am, "relkind", rel.kind,
			"relnatts", len(rel.cols), "relhasindex", indexed[rel.oid], "relhasrules", rel.kind == 'v', "relisshared", rel.shared,
			"relacl", r.systemACL(rel))
	}
	r.eachRelation(func(rel *catalog.Relation) { r.classOf(b, rel) })
	return b.rows, nil
}

// attribute is a column to be entered.
func addAttribute(b *builder, rel uint32, num int, name string, t *types.Type, typmod int32, notNull bool, more ...any) {
	dims := 0
	if t.IsArray() && t != types.TInt2Vector && t != types.TOIDVector {
		dims = 1
	}
	row := []any{
		"attrelid", rel, "attnum", num, "attname", name, "atttypid", t.OID, "atttypmod", typmod, "attnotnull", notNull, "attlen", t.Len,
		"attbyval", t.ByVal(), "attndims", dims, "attalign", align(t), "attstorage", storageOf(t), "attcollation", collationOf(t),
	}
	b.add(append(row, more...)...)
}

// align is pg_type.typalign.
func align(t *types.Type) string {
	switch t {
	case types.TBool, types.TChar, types.TName, types.TUUID, types.TUnknown:
		return "c"
	case types.TInt2, types.TTID:
		return "s"
	case types.TInt8, types.TFloat8, types.TTime, types.TTimeTZ, types.TTimestamp, types.TTimestamptz, types.TInterval, types.TGeometry, types.TGeography, types.TXID8:
		return "d"
	}
	if t.Elem != nil {
		return align8(t.Elem)
	}
	return "i"
}

func align8(elem *types.Type) string {
	if align(elem) == "d" {
		return "d"
	}
	return "i"
}

// storageOf is pg_type.typstorage.
func storageOf(t *types.Type) string {
	switch {
	case t.Len > 0 || t == types.TInt2Vector || t == types.TOIDVector:
		return "p"
	case t == types.TNumeric || t == types.TGeometry || t == types.TGeography:
		return "m"
	}
	return "x"
}

// collationOf is pg_type.typcollation.
func collationOf(t *types.Type) uint32 {
	if t.Elem != nil && t.IsArray() {
		t = t.Elem
	}
	switch t {
	case types.TText, types.TVarchar, types.TBPChar, types.TPgNodeTree:
		return defaultCollationOID
	case types.TName:
		return cCollationOID
	}
	return 0
}

func attributeRows(r *reader) ([]types.Row, error) {
	b := build("pg_attribute", "attstattarget", -1, "attcacheoff", -1, "attislocal", true)
	for _, rel := range relations().sorted {
		for i, c := range rel.cols {
			collation := collationOf(c.Type)
			if collation == defaultCollationOID && rel.kind == 'r' && rel.schema == "pg_catalog" {
				collation = cCollationOID
			}
			addAttribute(b, rel.oid, i+1, c.Name, c.Type, c.Typmod, rel.notNull[i], "attcollation", collation)
		}
		if rel.kind == 'r' {
			addSystemAttributes(b, rel.oid)
		}
	}
	for _, x := range systemIndexes() {
		rel := relations().byOID[x.relation]
		for i, n := range x.columns {
			if n > 0 {
				c := rel.cols[n-1]
				addAttribute(b, x.oid, i+1, c.Name, c.Type, c.Typmod, false)
			}
		}
	}
	r.eachRelation(func(rel *catalog.Relation) { r.attributesOf(b, rel) })
	return b.rows, nil
}

// systemColumns are those every table has.
var systemColumns = []plan.Column{
	{Name: "ctid", Type: types.TTID, AttNum: -1},
	{Name: "xmin", Type: types.TXID, AttNum: -2},
	{Name: "cmin", Type: types.TCID, AttNum: -3},
	{Name: "xmax", Type: types.TXID, AttNum: -4},
	{Name: "cmax", Type: types.TCID, AttNum: -5},
	{Name: "tableoid", Type: types.TOID, AttNum: -6},
}

func addSystemAttributes(b *builder, rel uint32) {
	for _, c := range systemColumns {
		addAttribute(b, rel, int(c.AttNum), c.Name, c.Type, -1, true, "attstattarget", 0)
	}
}

func indexRows(r *reader) ([]types.Row, error) {
	b := build("pg_index", "indimmediate", true, "indisvalid", true, "indisready", true, "indislive", true)
	for _, x := range systemIndexes() {
		b.add("indexrelid", x.oid, "indrelid", x.relation, "indnatts", len(x.columns), "indnkeyatts", len(x.columns), "indisunique", x.unique,
			"indisprimary", x.primary, "indkey", x.columns, "indclass", x.classes, "indcollation", x.collation,
			"indoption", make([]int, len(x.columns)))
	}
	r.eachRelation(func(rel *catalog.Relation) { r.indexesOf(b, rel) })
	return b.rows, nil
}

func rewriteRows(r *reader) ([]types.Row, error) {
	b := build("pg_rewrite", "rulename", "_RETURN", "ev_type", "1", "ev_enabled", "O", "is_instead", true, "ev_qual", "<>")
	for _, rel := range relations().sorted {
		if rel.kind == 'v' {
			b.add("oid", ruleOID(rel.oid), "ev_class", rel.oid)
		}
	}
	r.eachRelation(func(rel *catalog.Relation) { r.ruleOf(b, rel) })
	return b.rows, nil
}

// ruleOID numbers the rule of a view, which no catalog of ours has as an object.
func ruleOID(view uint32) uint32 { return ruleBit | view }

const ruleBit = 1 << 31
