package syscat

import (
	"cmp"
	"slices"
	"strings"
	"sync"

	"raisind/sql/funcs"
	"raisind/sql/types"
)

// OIDs that clients and other rows rely on.
const (
	pgCatalogOID         = 11
	pgToastOID           = 99
	publicOID            = 2200
	informationSchemaOID = 13000
	cardinalNumberOID    = 13221
	characterDataOID     = 13224
	sqlIdentifierOID     = 13226
	timeStampOID         = 13232
	yesOrNoOID           = 13234

	ownerOID    = 10
	databaseOID = 5
	// otherDatabaseOID is of names that lead to the same database.
	otherDatabaseOID = 12000
	databaseOwnerOID = 6171
	tablespaceOID    = 1663
	globalSpaceOID   = 1664
	anyEnumOID       = 3500
	// PostGIS's relations.
	geometryColumnsOID, geographyColumnsOID, spatialRefSysOID = 13900, 13901, 13902
	heapOID, btreeOID, hashOID, gistOID                       = 2, 403, 405, 783
	cLangOID                                                  = 13
	plpgsqlLangOID                                            = 13563
	plpgsqlExtensionOID                                       = 13562
	// postgisOID is above what initdb makes: pg_dump writes CREATE EXTENSION for it.
	postgisOID = 90000

	classPgClass, classPgProc, classPgType, classPgOperator = 1259, 1255, 1247, 2617
	classPgCast, classPgNamespace, classPgConstraint        = 2605, 2615, 2606
	classPgAttrdef, classPgTrigger, classPgRewrite          = 2604, 2620, 2618
	classPgExtension, classPgAm, classPgOpclass             = 3079, 2601, 2616
	classPgOpfamily, classPgAuthid, classPgDatabase         = 2753, 1260, 1262
	classPgCollation, classPgLanguage                       = 3456, 2612
	defaultCollationOID, cCollationOID                      = 100, 950
)

// firstOwnOID is the first OID of what the registries have and PostgreSQL's catalog has
// not: PostGIS's functions and operators, and our own. initdb leaves those from here to
// 16383 free.
const firstOwnOID = 14000

// builtin is what every database has.
type builtin struct {
	types, procs, operators, casts, aggregates []types.Row
	families, classes, amops, amprocs          []types.Row
	descriptions                               []types.Row
	// postgis are the members of the extension, as pairs of pg_depend.
	postgis []member
	next    uint32
	proc    map[string]uint32 // by name(argument types' OIDs)
	family  map[string]uint32
	class   map[opclassKey]uint32
}

type member struct{ class, oid uint32 }

// opclassKey finds the default operator class of an access method for a type.
type opclassKey struct{ method, input uint32 }

var builtins = sync.OnceValue(func() *builtin {
	b := &builtin{next: firstOwnOID, proc: map[string]uint32{}, family: map[string]uint32{}, class: map[opclassKey]uint32{}}
	procs := load("pg_proc")
	chosen := map[int64]bool{}
	b.chooseProcs(procs, chosen)
	b.chooseTypes(chosen)
	b.chooseOperators(chosen)
	b.chooseCasts(chosen)
	b.chooseClasses(chosen)
	refer(chosen, loaded("pg_am")(), "pg_am", "amhandler")
	refer(chosen, loaded("pg_language")(), "pg_language", "lanplcallfoid", "laninline", "lanvalidator")
	for _, row := range load("pg_aggregate") {
		if chosen[row[0].Int()] {
			b.aggregates = append(b.aggregates, row)
			refer(chosen, []types.Row{row}, "pg_aggregate", "aggtransfn", "aggfinalfn", "aggcombinefn", "aggserialfn", "aggdeserialfn",
				"aggmtransfn", "aggminvtransfn", "aggmfinalfn")
		}
	}
	at := mustRelation("pg_catalog", "pg_proc").at
	var kept []types.Row
	for _, row := range procs {
		if chosen[row[at["oid"]].Int()] {
			kept = append(kept, row)
			b.proc[signature(row[at["proname"]].Str(), oidsOf(row[at["proargtypes"]]))] = uint32(row[at["oid"]].Int())
		}
	}
	b.procs = kept
	b.ownProcs()
	b.ownTypes()
	b.ownOperators()
	b.ownCasts()
	b.ownClasses()
	b.describe()
	return b
})

// refer marks the functions that rows name.
func refer(chosen map[int64]bool, rows []types.Row, rel string, columns ...string) {
	at := mustRelation("pg_catalog", rel).at
	for _, row := range rows {
		for _, c := range columns {
			chosen[row[at[c]].Int()] = true
		}
	}
}

func oidsOf(d types.Datum) []uint32 {
	a := d.Array()
	if a == nil {
		return nil
	}
	out := make([]uint32, len(a.Elems))
	for i, e := range a.Elems {
		out[i] = uint32(e.Int())
	}
	return out
}

func signature(name string, args []uint32) string {
	var b strings.Builder
	b.WriteString(name)
	for _, a := range args {
		b.WriteByte(' ')
		b.WriteString(uitoa(a))
	}
	return b.String()
}

// known reports whether all types are this server's.
func known(oids ...uint32) bool {
	for _, oid := range oids {
		if _, ok := types.ByOID(oid); !ok && oid != 0 {
			return false
		}
	}
	return true
}

// answers reports whether an overload with these arguments takes the place of a
// function of PostgreSQL's: its own types, or polymorphic ones in their stead.
func answers(args []funcs.Arg, want []uint32) bool {
	if len(args) != len(want) {
		return false
	}
	for i, a := range args {
		w, ok := types.ByOID(want[i])
		switch {
		case !ok:
			return false
		case a.Type == w, a.Type == types.TAny:
		case a.Type.IsPolymorphic():
			if a.Type.IsArray() && !w.IsArray() && !w.IsPolymorphic() {
				return false
			}
		default:
			return false
		}
	}
	return true
}

// chooseProcs marks the functions that the registry has.
func (b *builtin) chooseProcs(procs []types.Row, chosen map[int64]bool) {
	at := mustRelation("pg_catalog", "pg_proc").at
	for _, row := range procs {
		name, args := row[at["proname"]].Str(), oidsOf(row[at["proargtypes"]])
		found := slices.ContainsFunc(funcs.ByName(name), func(o *funcs.Overload) bool { return answers(o.Args, args) }) ||
			slices.ContainsFunc(funcs.AggregatesByName(name), func(o *funcs.AggOverload) bool { return answers(o.Args, args) })
		if found {
			chosen[row[at["oid"]].Int()] = true
		}
	}
}

func (b *builtin) chooseTypes(chosen map[int64]bool) {
	for _, row := range load("pg_type") {
		if known(uint32(row[0].Int())) {
			b.types = append(b.types, row)
		}
	}
	refer(chosen, b.types, "pg_type", "typsubscript", "typinput", "typoutput", "typreceive", "typsend", "typmodin", "typmodout", "typanalyze")
}

func (b *builtin) chooseOperators(chosen map[int64]bool) {
	at := mustRelation("pg_catalog", "pg_operator").at
	kept := map[int64]bool{}
	for _, row := range load("pg_operator") {
		left, right := uint32(row[at["oprleft"]].Int()), uint32(row[at["oprright"]].Int())
		n := 2
		if left == 0 {
			n = 1
		}
		if known(left, right, uint32(row[at["oprresult"]].Int())) && len(funcs.ByOperator(row[at["oprname"]].Str(), n)) > 0 {
			b.operators = append(b.operators, row)
			kept[row[0].Int()] = true
		}
	}
	for _, row := range b.operators {
		for _, c := range []string{"oprcom", "oprnegate"} {
			if !kept[row[at[c]].Int()] {
				row[at[c]] = types.Int(0)
			}
		}
	}
	refer(chosen, b.operators, "pg_operator", "oprcode", "oprrest", "oprjoin")
}

func (b *builtin) chooseCasts(chosen map[int64]bool) {
	at := mustRelation("pg_catalog", "pg_cast").at
	for _, row := range load("pg_cast") {
		from, ok1 := types.ByOID(uint32(row[at["castsource"]].Int()))
		to, ok2 := types.ByOID(uint32(row[at["casttarget"]].Int()))
		if ok1 && ok2 {
			if _, ok := types.FindCast(from, to); ok || from == to {
				b.casts = append(b.casts, row)
			}
		}
	}
	refer(chosen, b.casts, "pg_cast", "castfunc")
}

// chooseClasses keeps what concerns the operator classes of types there are.
func (b *builtin) chooseClasses(chosen map[int64]bool) {
	at := mustRelation("pg_catalog", "pg_opclass").at
	families := map[int64]bool{}
	for _, row := range load("pg_opclass") {
		method, input := uint32(row[at["opcmethod"]].Int()), uint32(row[at["opcintype"]].Int())
		if !known(input, uint32(row[at["opckeytype"]].Int())) {
			continue
		}
		b.classes = append(b.classes, row)
		families[row[at["opcfamily"]].Int()] = true
		if row[at["opcdefault"]].Bool() {
			b.class[opclassKey{method, input}] = uint32(row[0].Int())
		}
	}
	for _, row := range load("pg_opfamily") {
		if families[row[0].Int()] {
			b.families = append(b.families, row)
		}
	}
	operators := map[int64]bool{}
	for _, row := range b.operators {
		operators[row[0].Int()] = true
	}
	at = mustRelation("pg_catalog", "pg_amop").at
	for _, row := range load("pg_amop") {
		if families[row[at["amopfamily"]].Int()] && operators[row[at["amopopr"]].Int()] {
			b.amops = append(b.amops, row)
		}
	}
	at = mustRelation("pg_catalog", "pg_amproc").at
	for _, row := range load("pg_amproc") {
		if families[row[at["amprocfamily"]].Int()] && known(uint32(row[at["amproclefttype"]].Int()), uint32(row[at["amprocrighttype"]].Int())) {
			b.amprocs = append(b.amprocs, row)
		}
	}
	refer(chosen, b.amprocs, "pg_amproc", "amproc")
}

func (b *builtin) newOID() uint32 {
	b.next++
	return b.next - 1
}

// isPostGIS reports whether a name or a type comes with the extension.
func isPostGIS(name string, ts ...*types.Type) bool {
	for _, p := range []string{"st_", "_st_", "postgis", "geometry", "geography", "box2d", "box3d", "addgeometry", "dropgeometry", "updategeometry", "populate_geometry", "find_srid"} {
		if strings.HasPrefix(name, p) {
			return true
		}
	}
	return slices.ContainsFunc(ts, isGeo)
}

func isGeo(t *types.Type) bool {
	if t == nil {
		return false
	}
	if t.Elem != nil {
		t = t.Elem
	}
	return t == types.TGeometry || t == types.TGeography || t == types.TBox2D || t == types.TBox3D
}

// procRow is what a function of our own is entered with.
type procRow struct {
	name       string
	args       []funcs.Arg
	result     *types.Type
	columns    []funcs.Arg
	kind       byte
	volatility byte
	strict     bool
	set        bool
	variadic   bool
	defaults   int
	doc        string
}

func (b *builtin) addProc(to *builder, p procRow) uint32 {
	oids := make([]uint32, len(p.args))
	var names []string
	named := false
	ts := []*types.Type{p.result}
	for i, a := range p.args {
		oids[i] = a.Type.OID
		ts = append(ts, a.Type)
		names = append(names, a.Name)
		named = named || a.Name != ""
	}
	if oid, ok := b.proc[signature(p.name, oids)]; ok {
		return oid
	}
	oid := b.newOID()
	b.proc[signature(p.name, oids)] = oid
	schema := uint32(pgCatalogOID)
	if isPostGIS(p.name, ts...) {
		schema = publicOID
		b.postgis = append(b.postgis, member{classPgProc, oid})
	}
	row := []any{
		"oid", oid, "proname", p.name, "pronamespace", schema, "proowner", ownerOID, "prolang", cLangOID, "procost", 1, "prokind", p.kind,
		"proisstrict", p.strict, "proretset", p.set, "provolatile", p.volatility, "proparallel", "s", "pronargs", len(p.args),
		"pronargdefaults", p.defaults, "prorettype", p.result.OID, "proargtypes", oids, "prosrc", p.name,
	}
	if p.set {
		row = append(row, "prorows", 1000)
	}
	all := slices.Clone(oids)
	modes := slices.Repeat([]string{"i"}, len(all))
	if p.variadic {
		modes[len(modes)-1] = "v"
		elem := uint32(types.TAny.OID)
		if e := p.args[len(p.args)-1].Type.Elem; e != nil {
			elem = e.OID
		}
		row = append(row, "provariadic", elem)
	}
	for _, c := range p.columns {
		all, modes, names, named = append(all, c.Type.OID), append(modes, "t"), append(names, c.Name), true
	}
	if p.variadic || len(p.columns) > 0 {
		row = append(row, "proallargtypes", all, "proargmodes", modes)
	}
	if named {
		row = append(row, "proargnames", names)
	}
	to.add(row...)
	if p.doc != "" {
		b.comment(oid, classPgProc, p.doc)
	}
	return oid
}

func (b *builtin) comment(oid, class uint32, text string) {
	b.descriptions = append(b.descriptions, types.Row{types.Int(int64(oid)), types.Int(int64(class)), types.Int(0), types.Str(text)})
}

// ownProcs enters functions and aggregates that PostgreSQL has not.
func (b *builtin) ownProcs() {
	to := build("pg_proc")
	seen := map[*funcs.Overload]bool{}
	at := mustRelation("pg_catalog", "pg_proc").at
	aggregates := map[*funcs.AggOverload]bool{}
	for _, row := range b.procs {
		name, args := row[at["proname"]].Str(), oidsOf(row[at["proargtypes"]])
		for _, o := range funcs.ByName(name) {
			seen[o] = seen[o] || answers(o.Args, args)
		}
		for _, o := range funcs.AggregatesByName(name) {
			aggregates[o] = aggregates[o] || answers(o.Args, args)
		}
	}
	for _, f := range funcs.All() {
		if f.Operator != "" {
			continue
		}
		for i := range f.Overloads {
			o := &f.Overloads[i]
			if seen[o] || !callable(o.Args) {
				continue
			}
			p := procRow{
				name: f.Name, args: o.Args, result: o.Result, kind: 'f', volatility: byte(f.Volatility), doc: f.Doc,
				strict: f.Nulls == funcs.NullOnNull, set: o.IsSet(), variadic: o.Variadic, defaults: len(o.Defaults),
			}
			if o.Result == types.TRecord {
				p.columns = o.Columns
			}
			b.addProc(to, p)
		}
	}
	agg := build("pg_aggregate", "aggkind", "n", "aggfinalmodify", "r", "aggmfinalmodify", "r")
	for _, a := range funcs.AllAggregates() {
		for i := range a.Overloads {
			o := &a.Overloads[i]
			if aggregates[o] || !callable(o.Args) {
				continue
			}
			result := o.Result
			if result == nil {
				result = types.TAnyElement
			}
			oid := b.addProc(to, procRow{name: a.Name, args: o.Args, result: result, kind: 'a', volatility: 'i', variadic: o.Variadic, doc: a.Doc})
			agg.add("aggfnoid", oid, "aggtranstype", result.OID)
		}
	}
	b.procs = append(b.procs, to.rows...)
	b.aggregates = append(b.aggregates, agg.rows...)
}

// callable leaves out overloads that stand for a grammar of their own.
func callable(args []funcs.Arg) bool {
	return !slices.ContainsFunc(args, func(a funcs.Arg) bool { return a.Type == nil })
}

// ownTypes enters PostGIS's types with the functions that read and write them.
func (b *builtin) ownTypes() {
	have := map[uint32]bool{}
	for _, row := range b.types {
		have[uint32(row[0].Int())] = true
	}
	to := build("pg_type", "typowner", ownerOID, "typtype", "b", "typisdefined", true, "typdelim", ",", "typalign", "d", "typtypmod", -1)
	procs := build("pg_proc")
	arrayIO := func(name string, args ...*types.Type) uint32 {
		oids := make([]uint32, len(args))
		for i, a := range args {
			oids[i] = a.OID
		}
		return b.proc[signature(name, oids)]
	}
	for _, t := range types.All() {
		if have[t.OID] || !isGeo(t) {
			continue
		}
		b.postgis = append(b.postgis, member{classPgType, t.OID})
		storage := "m"
		if t.Len > 0 {
			storage = "p"
		}
		row := []any{
			"oid", t.OID, "typname", t.Name, "typnamespace", publicOID, "typlen", t.Len, "typcategory", byte(t.Category),
			"typispreferred", t.Preferred, "typstorage", storage,
		}
		if t.Elem != nil {
			b.postgis = b.postgis[:len(b.postgis)-1] // it belongs to its element's type
			row = append(row, "typelem", t.Elem.OID, "typstorage", "x", "typdelim", t.Elem.Delimiter(),
				"typinput", arrayIO("array_in", types.TCstring, types.TOID, types.TInt4), "typoutput", arrayIO("array_out", types.TAnyArray),
				"typreceive", arrayIO("array_recv", types.TInternal, types.TOID, types.TInt4), "typsend", arrayIO("array_send", types.TAnyArray),
				"typsubscript", arrayIO("array_subscript_handler", types.TInternal))
			to.add(row...)
			continue
		}
		fn := func(suffix string, result *types.Type, args ...*types.Type) uint32 {
			list := make([]funcs.Arg, len(args))
			for i, a := range args {
				list[i].Type = a
			}
			return b.addProc(procs, procRow{name: t.Name + suffix, args: list, result: result, kind: 'f', volatility: 'i', strict: true})
		}
		row = append(row, "typdelim", t.Delimiter(), "typarray", t.Array().OID, "typoutput", fn("_out", types.TCstring, t))
		switch t {
		case types.TGeometry:
			row = append(row, "typinput", fn("_in", t, types.TCstring))
		case types.TGeography:
			row = append(row, "typinput", fn("_in", t, types.TCstring, types.TOID, types.TInt4))
		default:
			row = append(row, "typinput", fn("_in", t, types.TCstring))
		}
		if t == types.TGeometry || t == types.TGeography {
			row = append(row, "typsend", fn("_send", types.TBytea, t), "typreceive", fn("_recv", t, types.TInternal, types.TOID, types.TInt4),
				"typmodin", fn("_typmod_in", types.TInt4, types.TCstring.Array()), "typmodout", fn("_typmod_out", types.TCstring, types.TInt4))
		} else {
			row = append(row, "typalign", "i")
		}
		to.add(row...)
	}
	b.types = append(b.types, to.rows...)
	b.procs = append(b.procs, procs.rows...)
	slices.SortFunc(b.types, func(x, y types.Row) int { return cmp.Compare(x[0].Int(), y[0].Int()) })
}

// ownOperators enters the operators that PostgreSQL has not.
func (b *builtin) ownOperators() {
	type operatorKey struct {
		name        string
		left, right uint32
	}
	at := mustRelation("pg_catalog", "pg_operator").at
	have := map[operatorKey]uint32{}
	covered := map[*funcs.Overload]bool{}
	for _, row := range b.operators {
		name, left, right := row[at["oprname"]].Str(), uint32(row[at["oprleft"]].Int()), uint32(row[at["oprright"]].Int())
		have[operatorKey{name, left, right}] = uint32(row[0].Int())
		args := []uint32{left, right}
		if left == 0 {
			args = args[1:]
		}
		for _, o := range funcs.ByOperator(name, len(args)) {
			covered[o] = covered[o] || answers(o.Args, args)
		}
	}
	to, procs := build("pg_operator", "oprowner", ownerOID), build("pg_proc")
	type pending struct {
		o   *funcs.Overload
		key operatorKey
	}
	var own []pending
	for _, f := range funcs.All() {
		for i := range f.Overloads {
			o := &f.Overloads[i]
			if f.Operator == "" || covered[o] || !callable(o.Args) || len(o.Args) == 0 || len(o.Args) > 2 {
				continue
			}
			k := operatorKey{name: f.Operator, right: o.Args[len(o.Args)-1].Type.OID}
			if len(o.Args) == 2 {
				k.left = o.Args[0].Type.OID
			}
			if have[k] == 0 {
				have[k] = b.newOID()
				own = append(own, pending{o, k})
			}
		}
	}
	for _, p := range own {
		f := p.o.Func
		oid := have[p.key]
		schema := uint32(pgCatalogOID)
		kind := "b"
		ts := []*types.Type{p.o.Args[len(p.o.Args)-1].Type, p.o.Args[0].Type}
		if isPostGIS("", ts...) {
			schema = publicOID
			b.postgis = append(b.postgis, member{classPgOperator, oid})
		}
		if len(p.o.Args) == 1 {
			kind = "l"
		}
		result := p.o.Result
		if result == nil {
			result = types.TBool
		}
		code := b.addProc(procs, procRow{
			name: f.Name, args: p.o.Args, result: result, kind: 'f', volatility: byte(f.Volatility),
			strict: f.Nulls == funcs.NullOnNull,
		})
		to.add("oid", oid, "oprname", f.Operator, "oprnamespace", schema, "oprkind", kind, "oprleft", p.key.left, "oprright", p.key.right,
			"oprresult", result.OID, "oprcode", code, "oprcom", have[operatorKey{f.Commutator, p.key.right, p.key.left}],
			"oprnegate", have[operatorKey{f.Negator, p.key.left, p.key.right}])
		if f.Doc != "" {
			b.comment(oid, classPgOperator, f.Doc)
		}
	}
	b.operators = append(b.operators, to.rows...)
	b.procs = append(b.procs, procs.rows...)
}

// ownCasts enters the casts from and to PostGIS's types.
func (b *builtin) ownCasts() {
	to, procs := build("pg_cast"), build("pg_proc")
	for _, c := range types.Casts() {
		if !isGeo(c.From) && !isGeo(c.To) || c.From.Elem != nil || c.To.Elem != nil {
			continue
		}
		context := "e"
		switch c.Context {
		case types.Implicit:
			context = "i"
		case types.Assignment:
			context = "a"
		}
		oid := b.newOID()
		b.postgis = append(b.postgis, member{classPgCast, oid})
		row := []any{"oid", oid, "castsource", c.From.OID, "casttarget", c.To.OID, "castcontext", context, "castmethod", "b"}
		if !c.Binary {
			fn := b.addProc(procs, procRow{
				name: c.To.Name, args: []funcs.Arg{{Type: c.From}}, result: c.To, kind: 'f', volatility: 'i', strict: true,
			})
			row = append(row, "castmethod", "f", "castfunc", fn)
		}
		to.add(row...)
	}
	b.casts = append(b.casts, to.rows...)
	b.procs = append(b.procs, procs.rows...)
}

// ownClasses enters PostGIS's operator classes.
func (b *builtin) ownClasses() {
	classes, families := build("pg_opclass", "opcowner", ownerOID, "opcnamespace", publicOID), build("pg_opfamily", "opfowner", ownerOID, "opfnamespace", publicOID)
	for _, c := range []struct {
		name   string
		method uint32
		t      *types.Type
	}{
		{"btree_geometry_ops", btreeOID, types.TGeometry},
		{"hash_geometry_ops", hashOID, types.TGeometry},
		{"gist_geometry_ops_2d", gistOID, types.TGeometry},
		{"btree_geography_ops", btreeOID, types.TGeography},
		{"gist_geography_ops", gistOID, types.TGeography},
	} {
		family, class := b.newOID(), b.newOID()
		families.add("oid", family, "opfmethod", c.method, "opfname", c.name)
		classes.add("oid", class, "opcmethod", c.method, "opcname", c.name, "opcfamily", family, "opcintype", c.t.OID, "opcdefault", true)
		b.class[opclassKey{c.method, c.t.OID}] = class
		b.postgis = append(b.postgis, member{classPgOpfamily, family}, member{classPgOpclass, class})
	}
	b.classes = append(b.classes, classes.rows...)
	b.families = append(b.families, families.rows...)
}

// describe keeps PostgreSQL's comments on what there is.
func (b *builtin) describe() {
	have := map[member]bool{}
	for class, rows := range map[uint32][]types.Row{
		classPgType: b.types, classPgProc: b.procs, classPgOperator: b.operators, classPgCast: b.casts, classPgOpclass: b.classes,
		classPgOpfamily: b.families, classPgAm: loaded("pg_am")(), classPgCollation: loaded("pg_collation")(), classPgLanguage: loaded("pg_language")(),
	} {
		for _, row := range rows {
			have[member{class, uint32(row[0].Int())}] = true
		}
	}
	at := mustRelation("pg_catalog", "pg_description").at
	for _, row := range load("pg_description") {
		if have[member{uint32(row[at["classoid"]].Int()), uint32(row[at["objoid"]].Int())}] {
			b.descriptions = append(b.descriptions, row)
		}
	}
}
