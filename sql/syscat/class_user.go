package syscat

import (
	"maps"
	"slices"
	"strings"

	"raisind/catalog"
	"raisind/sql/types"
	"raisind/storage"
)

// eachRelation calls fn for every relation of the catalog.
func (s *state) eachRelation(fn func(*catalog.Relation)) {
	for _, r := range s.snap.Relations() {
		fn(r)
	}
}

// relkind is pg_class.relkind. A workspace is listed as a table.
func relkind(r *catalog.Relation) byte {
	switch r.Kind {
	case catalog.View:
		return 'v'
	case catalog.MaterializedView:
		return 'm'
	case catalog.Sequence:
		return 'S'
	case catalog.CompositeType:
		return 'c'
	}
	return 'r'
}

// privilegeLetters are those of an aclitem, in PostgreSQL's order.
var privilegeLetters = []struct {
	p      catalog.Privilege
	letter byte
}{
	{catalog.PrivilegeInsert, 'a'},
	{catalog.PrivilegeSelect, 'r'},
	{catalog.PrivilegeUpdate, 'w'},
	{catalog.PrivilegeDelete, 'd'},
	{catalog.PrivilegeTruncate, 'D'},
	{catalog.PrivilegeReferences, 'x'},
	{catalog.PrivilegeTrigger, 't'},
	{catalog.PrivilegeExecute, 'X'},
	{catalog.PrivilegeUsage, 'U'},
	{catalog.PrivilegeCreate, 'C'},
	{catalog.PrivilegeTemporary, 'T'},
	{catalog.PrivilegeConnect, 'c'},
}

// acl is the text of an ACL; nil stands for the default of the kind of object.
func (s *state) acl(items []catalog.ACLItem) any {
	if items == nil {
		return nil
	}
	out := []string{}
	for _, it := range items {
		var b strings.Builder
		if it.Grantee != 0 {
			b.WriteString(aclName(s.roleName(it.Grantee)))
		}
		b.WriteByte('=')
		for _, l := range privilegeLetters {
			if it.Privileges&l.p != 0 {
				b.WriteByte(l.letter)
				if it.GrantOpt&l.p != 0 {
					b.WriteByte('*')
				}
			}
		}
		b.WriteByte('/')
		b.WriteString(aclName(s.roleName(it.Grantor)))
		out = append(out, b.String())
	}
	return out
}

// aclName writes a role's name within an aclitem: quoted unless it is plain letters.
func aclName(name string) string {
	for i := range len(name) {
		c := name[i]
		if c != '_' && (c < '0' || c > '9') && (c < 'a' || c > 'z') && (c < 'A' || c > 'Z') && c < 0x80 {
			return `"` + strings.ReplaceAll(name, `"`, `""`) + `"`
		}
	}
	return name
}

// roleName names a role by its OID.
func (s *state) roleName(oid uint32) string {
	if r, ok := s.snap.RoleByOID(oid); ok {
		return r.Name
	}
	if oid == ownerOID {
		return s.owner
	}
	return uitoa(oid)
}

// schemaOID is the OID of a schema by its name.
func (s *state) schemaOID(name string) uint32 {
	if oid := s.snap.SchemaOID(name); oid != 0 {
		return oid
	}
	return systemSchema(name)
}

// options are WITH options as pg_class.reloptions has them.
func options(m map[string]string) any {
	if len(m) == 0 {
		return nil
	}
	var out []string
	for _, k := range slices.Sorted(maps.Keys(m)) {
		out = append(out, k+"="+m[k])
	}
	return out
}

func persistence(r *catalog.Relation) byte {
	if r.Persistence == 0 {
		return 'p'
	}
	return byte(r.Persistence)
}

func (s *state) classOf(b *builder, r *catalog.Relation) {
	kind := relkind(r)
	am := 0
	if r.Kind.HasRows() {
		am = heapOID
	}
	checks := 0
	for i := range r.Constraints {
		if r.Constraints[i].Kind == catalog.ConstraintCheck {
			checks++
		}
	}
	tuples := -1.0
	if n, ok := s.rowCount(r); ok {
		tuples = float64(n)
	}
	atts := len(r.Columns)
	if r.Kind == catalog.Sequence {
		atts = len(sequenceColumns)
	}
	b.add("oid", r.OID, "relname", r.Name, "relnamespace", s.schemaOID(r.Schema), "reltype", r.TypeOID, "relowner", r.OwnerOID(), "relam", am,
		"relfilenode", filenode(r), "reltuples", tuples, "relhasindex", len(r.Indexes) > 0, "relpersistence", persistence(r), "relkind", kind,
		"relnatts", atts, "relchecks", checks, "relhasrules", kind == 'v' || kind == 'm', "relhastriggers", len(r.Triggers) > 0 || s.hasForeign(r),
		"relispopulated", r.Kind != catalog.MaterializedView || r.Query != nil && r.Query.Populated, "relreplident", replicaIdentity(r),
		"relacl", s.acl(r.ACL), "reloptions", options(r.Options))
	for i := range r.Indexes {
		x := &r.Indexes[i]
		b.add("oid", x.OID, "relname", x.Name, "relnamespace", s.schemaOID(r.Schema), "relowner", r.OwnerOID(), "relam", methodOID(x.AccessMethod()),
			"relfilenode", x.OID, "reltuples", tuples, "relpersistence", persistence(r), "relkind", "i",
			"relnatts", len(x.Columns)+len(x.Include), "reloptions", options(x.Options))
	}
}

func replicaIdentity(r *catalog.Relation) byte {
	if r.Kind.HasRows() {
		return 'd'
	}
	return 'n'
}

func filenode(r *catalog.Relation) uint32 {
	if r.Kind.HasRows() || r.Kind == catalog.Sequence {
		return r.OID
	}
	return 0
}

// hasForeign reports whether foreign keys make PostgreSQL keep triggers on a relation.
func (s *state) hasForeign(r *catalog.Relation) bool {
	return slices.ContainsFunc(r.Constraints, func(c catalog.Constraint) bool { return c.Kind == catalog.ConstraintForeign }) ||
		s.referenced()[r.ID]
}

// methodOID is the OID of an access method.
func methodOID(name string) uint32 {
	at := mustRelation("pg_catalog", "pg_am").at
	for _, row := range loaded("pg_am")() {
		if row[at["amname"]].Str() == name {
			return uint32(row[at["oid"]].Int())
		}
	}
	return 0
}

// sequenceColumns are what a sequence has when it is selected from.
var sequenceColumns = []struct {
	name string
	t    *types.Type
}{{"last_value", types.TInt8}, {"log_cnt", types.TInt8}, {"is_called", types.TBool}}

func (s *state) collation(c *catalog.Column) uint32 {
	if c.Collation != "" {
		if oid, ok := collationOID(c.Collation); ok {
			return oid
		}
	}
	return collationOf(c.Type.Storage())
}

// collationOID finds a collation by its name, with or without its schema, quoted or not.
func collationOID(name string) (uint32, bool) {
	if i := strings.LastIndexByte(name, '.'); i >= 0 {
		name = name[i+1:]
	}
	name = strings.Trim(name, `"`)
	at := mustRelation("pg_catalog", "pg_collation").at
	for _, row := range loaded("pg_collation")() {
		if row[at["collname"]].Str() == name {
			return uint32(row[at["oid"]].Int()), true
		}
	}
	return 0, false
}

func (s *state) attributesOf(b *builder, r *catalog.Relation) {
	if r.Kind == catalog.Sequence {
		for i, c := range sequenceColumns {
			addAttribute(b, r.OID, i+1, c.name, c.t, -1, true)
		}
		addSystemAttributes(b, r.OID)
		return
	}
	next := 1
	for i := range r.Columns {
		c := &r.Columns[i]
		for ; next < int(c.ID); next++ { // what was dropped leaves its number
			dropped(b, r.OID, next)
		}
		next++
		var identity, generated any = "", ""
		if c.Identity != 0 {
			identity = c.Identity
		}
		if c.Generated != "" {
			generated = "s"
		}
		addAttribute(b, r.OID, int(c.ID), c.Name, c.Type, c.Typmod, c.NotNull, "atthasdef", c.Default != "" || c.Generated != "",
			"attidentity", identity, "attgenerated", generated, "attcollation", s.collation(c), "attacl", s.acl(c.ACL))
	}
	for ; next < int(r.NextColumnID); next++ {
		dropped(b, r.OID, next)
	}
	if r.Kind.HasRows() {
		addSystemAttributes(b, r.OID)
	}
	for i := range r.Indexes {
		x := &r.Indexes[i]
		for k, at := range slices.Concat(x.Columns, x.Include) {
			if at >= 0 && at < len(r.Columns) {
				c := &r.Columns[at]
				addAttribute(b, x.OID, k+1, c.Name, c.Type, c.Typmod, false, "attcollation", s.collation(c))
				continue
			}
			name := "expr"
			if k > 0 {
				name += uitoa(uint32(k))
			}
			t, ok := s.snap.TypeByOID(x.Key(k).Type)
			if !ok {
				t = types.TText
			}
			addAttribute(b, x.OID, k+1, name, t, -1, false)
		}
	}
}

// dropped enters what a dropped column leaves.
func dropped(b *builder, rel uint32, num int) {
	b.add("attrelid", rel, "attname", "........pg.dropped."+uitoa(uint32(num))+"........", "attnum", num, "attstattarget", 0, "attisdropped", true,
		"atttypmod", -1, "attalign", "i", "attstorage", "p")
}

func attrdefRows(r *reader) ([]types.Row, error) {
	b := build("pg_attrdef")
	r.eachRelation(func(rel *catalog.Relation) {
		for i := range rel.Columns {
			c := &rel.Columns[i]
			if text := c.Default + c.Generated; text != "" {
				b.add("oid", r.defaultOID(rel, c), "adrelid", rel.OID, "adnum", int(c.ID), "adbin", defaultText(r.snap, text))
			}
		}
	})
	return b.rows, nil
}

// firstDefaultOID is where the OIDs of defaults begin, which no catalog of ours has as
// objects.
const firstDefaultOID = 3 << 30

// defaultOID numbers a column's default.
func (s *state) defaultOID(r *catalog.Relation, c *catalog.Column) uint32 {
	s.defaultsOnce.Do(func() {
		s.defaults = map[catalog.Ref]uint32{}
		s.eachRelation(func(r *catalog.Relation) {
			for i := range r.Columns {
				if r.Columns[i].Default+r.Columns[i].Generated != "" {
					s.defaults[catalog.Ref{OID: r.OID, Sub: r.Columns[i].ID}] = firstDefaultOID + uint32(len(s.defaults))
				}
			}
		})
	})
	return s.defaults[catalog.Ref{OID: r.OID, Sub: c.ID}]
}

func (s *state) indexesOf(b *builder, r *catalog.Relation) {
	for i := range r.Indexes {
		x := &r.Indexes[i]
		method := methodOID(x.AccessMethod())
		var keys, option []int
		var classes, collations []uint32
		var exprs []string
		for k, at := range x.Columns {
			key := x.Key(k)
			var t *types.Type
			collation := uint32(0)
			if at >= 0 {
				keys = append(keys, int(r.Columns[at].ID))
				t, collation = r.Columns[at].Type, s.collation(&r.Columns[at])
			} else {
				keys = append(keys, 0)
				exprs = append(exprs, key.Expr)
				t, _ = s.snap.TypeByOID(key.Type)
				if t == nil {
					t = types.TText
				}
				collation = collationOf(t)
			}
			if key.Collation != "" {
				if oid, ok := collationOID(key.Collation); ok {
					collation = oid
				}
			}
			opt := 0
			if key.Desc {
				opt |= 1
			}
			if key.NullsFirst {
				opt |= 2
			}
			option = append(option, opt)
			collations = append(collations, collation)
			classes = append(classes, s.opclass(method, t, key.Opclass))
		}
		for _, at := range x.Include {
			keys = append(keys, int(r.Columns[at].ID))
		}
		var predicate, expressions any
		if x.Predicate != "" {
			predicate = x.Predicate
		}
		if len(exprs) > 0 {
			expressions = strings.Join(exprs, ", ")
		}
		b.add("indexrelid", x.OID, "indrelid", r.OID, "indnatts", len(keys), "indnkeyatts", len(x.Columns), "indisunique", x.Unique,
			"indnullsnotdistinct", x.NullsNotDistinct, "indisprimary", x.Primary, "indisexclusion", s.excludes(r, x), "indisvalid", !x.Invalid,
			"indimmediate", !s.deferrable(r, x), "indkey", keys, "indcollation", collations, "indclass", classes, "indoption", option,
			"indexprs", expressions, "indpred", predicate)
	}
}

// constraintOf is the constraint an index enforces.
func constraintOf(r *catalog.Relation, x *catalog.Index) *catalog.Constraint {
	for i := range r.Constraints {
		c := &r.Constraints[i]
		if c.Index == x.ID && c.Kind != catalog.ConstraintForeign && c.Kind != catalog.ConstraintCheck {
			return c
		}
	}
	return nil
}

func (s *state) excludes(r *catalog.Relation, x *catalog.Index) bool {
	c := constraintOf(r, x)
	return c != nil && c.Kind == catalog.ConstraintExclusion
}

func (s *state) deferrable(r *catalog.Relation, x *catalog.Index) bool {
	c := constraintOf(r, x)
	return c != nil && c.Deferrable
}

// opclass finds an operator class by its name, or the default one of a type.
func (s *state) opclass(method uint32, t *types.Type, name string) uint32 {
	if name != "" {
		if i := strings.LastIndexByte(name, '.'); i >= 0 {
			name = name[i+1:]
		}
		at := mustRelation("pg_catalog", "pg_opclass").at
		for _, row := range builtins().classes {
			if row[at["opcname"]].Str() == name && uint32(row[at["opcmethod"]].Int()) == method {
				return uint32(row[0].Int())
			}
		}
	}
	t = t.Storage()
	switch {
	case t == types.TVarchar:
		t = types.TText
	case t.Kind() == types.KindEnum:
		return builtins().class[opclassKey{method, anyEnumOID}]
	}
	if oid := builtins().class[opclassKey{method, t.OID}]; oid != 0 {
		return oid
	}
	if t.IsArray() {
		return builtins().class[opclassKey{method, types.TAnyArray.OID}]
	}
	return 0
}

// referenced are the relations that foreign keys point at.
func (s *state) referenced() map[storage.RelationID]bool {
	s.refsOnce.Do(func() {
		s.refs = map[storage.RelationID]bool{}
		s.eachRelation(func(r *catalog.Relation) {
			for i := range r.Constraints {
				if c := &r.Constraints[i]; c.Kind == catalog.ConstraintForeign {
					s.refs[c.RefRelation] = true
				}
			}
		})
	})
	return s.refs
}

func numbers(list []uint16) any {
	if list == nil {
		return nil
	}
	out := make([]int, len(list))
	for i, n := range list {
		out[i] = int(n)
	}
	return out
}

func constraintRows(r *reader) ([]types.Row, error) {
	b := build("pg_constraint", "conislocal", true, "convalidated", true, "connoinherit", true)
	for _, x := range systemIndexes() {
		kind := "u"
		if x.primary {
			kind = "p"
		}
		if x.unique {
			b.add("oid", ruleBit|x.oid, "conname", x.name, "connamespace", pgCatalogOID, "contype", kind, "conrelid", x.relation, "conindid", x.oid,
				"conkey", x.columns, "confupdtype", " ", "confdeltype", " ", "confmatchtype", " ")
		}
	}
	r.eachRelation(func(rel *catalog.Relation) {
		for i := range rel.Constraints {
			r.constraintRow(b, rel, &rel.Constraints[i])
		}
	})
	for _, o := range r.snap.Objects(catalog.ClassType) {
		if u := o.(*catalog.UserType); u.Domain != nil {
			for i := range u.Domain.Checks {
				c := &u.Domain.Checks[i]
				b.add("oid", c.OID, "conname", c.Name, "connamespace", r.schemaOID(u.Schema), "contype", "c", "convalidated", !c.NotValid,
					"contypid", u.OID, "conbin", c.Expr, "connoinherit", false, "confupdtype", " ", "confdeltype", " ", "confmatchtype", " ")
			}
		}
	}
	return b.rows, nil
}

func (s *state) constraintRow(b *builder, r *catalog.Relation, c *catalog.Constraint) {
	row := []any{
		"oid", c.OID, "conname", c.Name, "connamespace", s.schemaOID(r.Schema), "contype", byte(c.Kind), "condeferrable", c.Deferrable,
		"condeferred", c.InitiallyDeferred, "convalidated", !c.NotValid, "conrelid", r.OID, "conkey", numbers(c.Columns),
		"confupdtype", " ", "confdeltype", " ", "confmatchtype", " ",
	}
	switch c.Kind {
	case catalog.ConstraintCheck:
		row = append(row, "conbin", c.Expr, "connoinherit", c.NoInherit)
	case catalog.ConstraintForeign:
		row = append(row, "confupdtype", orByte(c.OnUpdate, 'a'), "confdeltype", orByte(c.OnDelete, 'a'), "confmatchtype", orByte(c.Match, 's'),
			"confkey", numbers(c.RefColumns))
		if ref, ok := s.snap.ByID(c.RefRelation); ok {
			row = append(row, "confrelid", ref.OID, "conindid", indexByID(ref, c.Index))
		}
		ops := make([]uint32, len(c.Columns))
		for i := range ops {
			ops[i] = equality(r, c.Columns[i])
		}
		row = append(row, "conpfeqop", ops, "conppeqop", ops, "conffeqop", ops)
	default:
		row = append(row, "conindid", indexByID(r, c.Index))
	}
	b.add(row...)
}

func orByte(b, otherwise byte) byte {
	if b == 0 {
		return otherwise
	}
	return b
}

func indexByID(r *catalog.Relation, id storage.IndexID) uint32 {
	for i := range r.Indexes {
		if r.Indexes[i].ID == id {
			return r.Indexes[i].OID
		}
	}
	return 0
}

// equality is the = operator of a column's type.
func equality(r *catalog.Relation, column uint16) uint32 {
	i, ok := r.ColumnByID(column)
	if !ok {
		return 0
	}
	t := r.Columns[i].Type.Storage()
	if t == types.TVarchar {
		t = types.TText
	}
	at := mustRelation("pg_catalog", "pg_operator").at
	for _, row := range builtins().operators {
		if row[at["oprname"]].Str() == "=" && uint32(row[at["oprleft"]].Int()) == t.OID && uint32(row[at["oprright"]].Int()) == t.OID {
			return uint32(row[0].Int())
		}
	}
	return 0
}

func (s *state) ruleOf(b *builder, r *catalog.Relation) {
	if k := relkind(r); k == 'v' || k == 'm' {
		b.add("oid", ruleOID(r.OID), "ev_class", r.OID)
	}
}

func sequenceRows(r *reader) ([]types.Row, error) {
	b := build("pg_sequence")
	r.eachRelation(func(rel *catalog.Relation) {
		if q := rel.Sequence; q != nil {
			b.add("seqrelid", rel.OID, "seqtypid", q.Type, "seqstart", q.Start, "seqincrement", q.Increment, "seqmax", q.Max, "seqmin", q.Min,
				"seqcache", q.Cache, "seqcycle", q.Cycle)
		}
	})
	return b.rows, nil
}

// Bits of pg_trigger.tgtype.
const (
	triggerRow      = 1 << 0
	triggerBefore   = 1 << 1
	triggerInsert   = 1 << 2
	triggerDelete   = 1 << 3
	triggerUpdate   = 1 << 4
	triggerTruncate = 1 << 5
	triggerInstead  = 1 << 6
)

func triggerType(t *catalog.Trigger) int {
	n := 0
	for _, bit := range []struct {
		on  bool
		bit int
	}{
		{t.ForRow, triggerRow},
		{t.Timing == catalog.TriggerBefore, triggerBefore},
		{t.Timing == catalog.TriggerInsteadOf, triggerInstead},
		{t.Events&catalog.TriggerInsert != 0, triggerInsert},
		{t.Events&catalog.TriggerDelete != 0, triggerDelete},
		{t.Events&catalog.TriggerUpdate != 0, triggerUpdate},
		{t.Events&catalog.TriggerTruncate != 0, triggerTruncate},
	} {
		if bit.on {
			n |= bit.bit
		}
	}
	return n
}

func triggerRows(r *reader) ([]types.Row, error) {
	b := build("pg_trigger")
	r.eachRelation(func(rel *catalog.Relation) {
		for i := range rel.Triggers {
			t := &rel.Triggers[i]
			columns := make([]int, len(t.Columns))
			for k, c := range t.Columns {
				columns[k] = int(c)
			}
			args := ""
			for _, a := range t.Args {
				args += a + "\x00"
			}
			row := []any{
				"oid", t.OID, "tgrelid", rel.OID, "tgname", t.Name, "tgfoid", t.Function, "tgtype", triggerType(t), "tgenabled", orByte(t.Enabled, 'O'),
				"tgdeferrable", t.Deferrable, "tginitdeferred", t.InitiallyDeferred, "tgnargs", len(t.Args), "tgattr", columns, "tgargs", args,
			}
			if t.When != "" {
				row = append(row, "tgqual", t.When)
			}
			if t.OldTable != "" {
				row = append(row, "tgoldtable", t.OldTable)
			}
			if t.NewTable != "" {
				row = append(row, "tgnewtable", t.NewTable)
			}
			b.add(row...)
		}
	})
	return b.rows, nil
}
