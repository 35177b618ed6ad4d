package syscat

import (
	"strconv"
	"strings"
	"sync"

	"raisind/sql/ast"
	"raisind/sql/plan"
	"raisind/sql/types"
)

// relation is one relation of pg_catalog or information_schema.
type relation struct {
	schema, name string
	oid          uint32
	kind         byte // r or v, as in pg_class
	toast        bool
	shared       bool
	cols         []plan.Column
	notNull      []bool
	at           map[string]int // a column's position by its name
	// rows makes the rows; nil: there are none. Those of a view that has query are not asked for.
	rows func(*reader) ([]types.Row, error)
	// passing rows are made anew for each scan, others once for each state of the catalog.
	passing bool
	query   func() (*ast.Select, string, error)
}

// relationName is a key of the table of relations.
type relationName struct{ schema, name string }

type relationTable struct {
	byName map[relationName]*relation
	byOID  map[uint32]*relation
	sorted []*relation
}

// relations are all there are. What fills them is entered afterwards: it needs the
// columns itself.
var relations = sync.OnceValue(func() *relationTable {
	t := columnsTable()
	for name, s := range sources {
		r := t.byName[relationName{"pg_catalog", name}]
		r.rows, r.passing = s.rows, s.passing
	}
	for name, s := range informationSources {
		r := t.byName[relationName{"information_schema", name}]
		r.rows, r.passing = s.rows, s.passing
	}
	for name, s := range publicSources {
		r := t.byName[relationName{"public", name}]
		r.rows, r.passing = s.rows, s.passing
	}
	for name, text := range viewTexts() {
		r := t.byName[name]
		parsed := sync.OnceValues(func() (*ast.Select, error) { return parseView(text) })
		r.query = func() (*ast.Select, string, error) {
			q, err := parsed()
			return q, text, err
		}
	}
	return t
})

// columnsTable reads what relations there are with their columns.
var columnsTable = sync.OnceValue(func() *relationTable {
	t := &relationTable{byName: map[relationName]*relation{}, byOID: map[uint32]*relation{}}
	d := readData("relations")
	for _, row := range d.rows {
		oid, _ := strconv.ParseUint(row[2], 10, 32)
		r := &relation{
			schema: row[0], name: row[1], oid: uint32(oid), kind: row[3][0], toast: row[4] == "t", shared: row[5] == "t",
			at: map[string]int{},
		}
		for i, c := range strings.Fields(row[6]) {
			r.addColumn(i, strings.Split(c, ":"))
		}
		t.add(r)
	}
	for _, r := range ownRelations() {
		t.add(r)
	}
	return t
})

func (t *relationTable) add(r *relation) {
	t.byName[relationName{r.schema, r.name}] = r
	t.byOID[r.oid] = r
	t.sorted = append(t.sorted, r)
}

// addColumn takes name, type, typmod and whether NULL is refused.
func (r *relation) addColumn(i int, c []string) {
	oid, _ := strconv.ParseUint(c[1], 10, 32)
	typmod, _ := strconv.ParseInt(c[2], 10, 32)
	t, ok := types.ByOID(uint32(oid))
	if !ok {
		t = standIn(uint32(oid))
	}
	r.at[c[0]] = i
	r.cols = append(r.cols, plan.Column{Name: c[0], Type: t, Typmod: int32(typmod), TableOID: r.oid, AttNum: int16(i + 1)})
	r.notNull = append(r.notNull, c[3] == "1")
}

// standIn is the type of a catalog column whose own type this server does not have:
// the base types of information_schema's domains, text for others.
func standIn(oid uint32) *types.Type {
	switch domainBase(oid) {
	case "name":
		return types.TName
	case "int4":
		return types.TInt4
	case "varchar":
		return types.TVarchar
	case "timestamptz":
		return types.TTimestamptz
	}
	return types.TText
}

// domainBase names what the domains of information_schema stand for. Their OIDs are
// those that initdb gives out.
func domainBase(oid uint32) string {
	switch oid {
	case cardinalNumberOID:
		return "int4"
	case characterDataOID, yesOrNoOID:
		return "varchar"
	case sqlIdentifierOID:
		return "name"
	case timeStampOID:
		return "timestamptz"
	}
	return ""
}

func mustRelation(schema, name string) *relation {
	r := columnsTable().byName[relationName{schema, name}]
	if r == nil {
		panic("syscat: no relation " + schema + "." + name)
	}
	return r
}

// builder makes rows of a relation, column by column.
type builder struct {
	rel  *relation
	base types.Row
	rows []types.Row
}

// build begins rows of a relation of pg_catalog. Columns that a row does not set have
// the value given by defaults, or what is zero for a type that is never NULL.
func build(name string, defaults ...any) *builder {
	return builderOf(mustRelation("pg_catalog", name), defaults...)
}

func builderOf(rel *relation, defaults ...any) *builder {
	b := &builder{rel: rel}
	b.base = make(types.Row, len(b.rel.cols))
	for i, c := range b.rel.cols {
		if !b.rel.notNull[i] {
			continue
		}
		switch c.Type {
		case types.TText, types.TName, types.TChar, types.TVarchar, types.TPgNodeTree:
			b.base[i] = types.Str("")
		case types.TInt2Vector, types.TOIDVector:
			b.base[i] = types.NewArray(c.Type.Elem, nil)
		default:
			b.base[i] = types.Int(0)
		}
	}
	b.set(b.base, defaults)
	return b
}

// add appends a row from names of columns and their values in turn.
func (b *builder) add(pairs ...any) {
	row := append(types.Row(nil), b.base...)
	b.set(row, pairs)
	b.rows = append(b.rows, row)
}

func (b *builder) set(row types.Row, pairs []any) {
	for i := 0; i < len(pairs); i += 2 {
		at, ok := b.rel.at[pairs[i].(string)]
		if !ok {
			panic("syscat: " + b.rel.name + " has no column " + pairs[i].(string))
		}
		row[at] = datum(b.rel.cols[at].Type, pairs[i+1])
	}
}

// datum makes a value of type t. What is given decides how: nil is NULL.
func datum(t *types.Type, v any) types.Datum {
	switch v := v.(type) {
	case nil:
		return types.Null
	case types.Datum:
		return v
	case bool:
		return types.Bool(v)
	case int:
		if t == types.TFloat4 || t == types.TFloat8 {
			return types.Float(float64(v))
		}
		return types.Int(int64(v))
	case int16:
		return types.Int(int64(v))
	case int32:
		return types.Int(int64(v))
	case int64:
		return types.Int(v)
	case uint32:
		return types.Int(int64(v))
	case float64:
		return types.Float(v)
	case byte:
		return types.Str(string(rune(v)))
	case string:
		return types.Str(v)
	case []string:
		if v == nil {
			return types.Null
		}
		elems := make([]types.Datum, len(v))
		for i, s := range v {
			elems[i] = types.Str(s)
		}
		return types.NewArray(t.Elem, elems)
	case []uint32:
		elems := make([]types.Datum, len(v))
		for i, n := range v {
			elems[i] = types.Int(int64(n))
		}
		return vector(t, elems)
	case []int:
		elems := make([]types.Datum, len(v))
		for i, n := range v {
			elems[i] = types.Int(int64(n))
		}
		return vector(t, elems)
	}
	panic("syscat: a value that no column holds")
}

// vector makes an array; those of the vector types count from 0.
func vector(t *types.Type, elems []types.Datum) types.Datum {
	d := types.NewArray(t.Elem, elems)
	if t == types.TInt2Vector || t == types.TOIDVector {
		if a := d.Array(); len(a.Dims) > 0 {
			a.Lower = []int32{0}
		} else {
			a.Dims, a.Lower = []int32{0}, []int32{0}
		}
	}
	return d
}
