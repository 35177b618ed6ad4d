package syscat

import (
	"maps"
	"slices"
	"strconv"
	"strings"

	"raisind/catalog"
	"raisind/sql/ast"
	"raisind/sql/types"
)

// Definition is the SQL text that made an object, as PostgreSQL's pg_get_*def give it.
// kind is index, constraint, view, function, trigger, rule, arguments, identity, result,
// body or statistics; sub is a column or argument, 0 for the whole. ok is false when
// there is no such object, or it has no such text.
func (n *Names) Definition(kind string, o uint32, sub int, pretty bool) (string, bool) {
	switch kind {
	case "index":
		if r, x, ok := n.s.snap.IndexByOID(o); ok {
			return n.indexDef(r, x, sub, pretty), true
		}
		return n.systemIndexDef(o, sub)
	case "constraint":
		return n.constraintDef(o, pretty)
	case "view":
		return n.viewDef(o, pretty)
	case "rule":
		if text, ok := n.viewDef(o&^ruleBit, pretty); ok && o&ruleBit != 0 {
			schema, name, _ := n.RelationName(o &^ ruleBit)
			return "CREATE RULE \"_RETURN\" AS\n    ON SELECT TO " + n.relationText(schema, name) + " DO INSTEAD " + strings.TrimSuffix(text, ";") + ";", true
		}
	case "trigger":
		if r, t, ok := n.s.snap.TriggerByOID(o); ok {
			return n.triggerDef(r, t, pretty), true
		}
	case "function":
		return n.functionDef(o)
	case "arguments", "identity", "result", "body", "default":
		return n.functionPart(kind, o, sub)
	}
	return "", false
}

// relationText is a relation's name as this session would write it.
func (n *Names) relationText(schema, name string) string {
	if rows := n.named(relationNames, "", name); len(rows) > 0 && n.s.schemaName(oid("pg_class", rows[0], "relnamespace")) == schema {
		return ast.QuoteIdent(name)
	}
	return ast.QuoteIdent(schema) + "." + ast.QuoteIdent(name)
}

func qualifiedText(schema, name string) string {
	return ast.QuoteIdent(schema) + "." + ast.QuoteIdent(name)
}

// columnList names columns by their numbers.
func columnList(r *catalog.Relation, ids []uint16) string {
	var names []string
	for _, id := range ids {
		if i, ok := r.ColumnByID(id); ok {
			names = append(names, ast.QuoteIdent(r.Columns[i].Name))
		}
	}
	return strings.Join(names, ", ")
}

// bracketed puts an expression in brackets where it has none of its own.
func bracketed(text string) string {
	if enclosed(text) {
		return text
	}
	return "(" + text + ")"
}

// enclosed reports whether the first bracket closes at the end.
func enclosed(s string) bool {
	if !strings.HasPrefix(s, "(") || !strings.HasSuffix(s, ")") {
		return false
	}
	depth := 0
	for i := 0; i < len(s); i++ {
		switch s[i] {
		case '\'', '"':
			end := strings.IndexByte(s[i+1:], s[i])
			if end < 0 {
				return false
			}
			i += end + 1
		case '(':
			depth++
		case ')':
			if depth--; depth == 0 && i < len(s)-1 {
				return false
			}
		}
	}
	return depth == 0
}

// expression is the text of an expression of the catalog; pretty leaves out brackets
// that need not be.
func expression(text string, pretty bool) string {
	if pretty {
		return Pretty(text)
	}
	return text
}

func (n *Names) constraintDef(o uint32, pretty bool) (string, bool) {
	r, c, ok := n.s.snap.ConstraintByOID(o)
	if !ok {
		if text, ok := systemConstraintDef(o); ok {
			return text, true
		}
		for _, obj := range n.s.snap.Objects(catalog.ClassType) {
			if u := obj.(*catalog.UserType); u.Domain != nil {
				for i := range u.Domain.Checks {
					if k := &u.Domain.Checks[i]; k.OID == o {
						return n.checkDef(k, pretty), true
					}
				}
			}
		}
		return "", false
	}
	var b strings.Builder
	switch c.Kind {
	case catalog.ConstraintCheck:
		return n.checkDef(c, pretty), true
	case catalog.ConstraintForeign:
		b.WriteString("FOREIGN KEY (" + columnList(r, c.Columns) + ") REFERENCES ")
		if ref, ok := n.s.snap.ByID(c.RefRelation); ok {
			b.WriteString(n.relationText(ref.Schema, ref.Name) + "(" + columnList(ref, c.RefColumns) + ")")
		}
		if c.Match == 'f' {
			b.WriteString(" MATCH FULL")
		}
		for _, a := range []struct {
			on     string
			action byte
		}{{"UPDATE", c.OnUpdate}, {"DELETE", c.OnDelete}} {
			if word := actions[a.action]; word != "" {
				b.WriteString(" ON " + a.on + " " + word)
			}
		}
	default:
		var x *catalog.Index
		for i := range r.Indexes {
			if r.Indexes[i].ID == c.Index {
				x = &r.Indexes[i]
			}
		}
		switch c.Kind {
		case catalog.ConstraintPrimary:
			b.WriteString("PRIMARY KEY (")
		case catalog.ConstraintUnique:
			b.WriteString("UNIQUE ")
			if x != nil && x.NullsNotDistinct {
				b.WriteString("NULLS NOT DISTINCT ")
			}
			b.WriteString("(")
		case catalog.ConstraintExclusion:
			if x == nil {
				return "", false
			}
			b.WriteString("EXCLUDE USING " + x.AccessMethod() + " (")
			for i := range x.Columns {
				if i > 0 {
					b.WriteString(", ")
				}
				b.WriteString(n.indexKey(r, x, i, pretty, true))
				if i < len(c.Operators) {
					b.WriteString(" WITH " + c.Operators[i])
				}
			}
		}
		if c.Kind != catalog.ConstraintExclusion {
			b.WriteString(columnList(r, c.Columns))
		}
		b.WriteString(")")
		if x != nil {
			b.WriteString(includeText(r, x) + withText(x.Options))
			if c.Kind == catalog.ConstraintExclusion && x.Predicate != "" {
				b.WriteString(" WHERE (" + expression(x.Predicate, pretty) + ")")
			}
		}
	}
	if c.Deferrable {
		b.WriteString(" DEFERRABLE")
	}
	if c.InitiallyDeferred {
		b.WriteString(" INITIALLY DEFERRED")
	}
	if c.NotValid {
		b.WriteString(" NOT VALID")
	}
	return b.String(), true
}

// actions are the words of pg_constraint.confupdtype and confdeltype; NO ACTION is not written.
var actions = map[byte]string{'r': "RESTRICT", 'c': "CASCADE", 'n': "SET NULL", 'd': "SET DEFAULT"}

func (n *Names) checkDef(c *catalog.Constraint, pretty bool) string {
	text := c.Expr
	if pretty {
		text = Pretty(text)
	} else {
		text = bracketed(text)
	}
	text = "CHECK (" + text + ")"
	if c.NoInherit {
		text += " NO INHERIT"
	}
	if c.NotValid {
		text += " NOT VALID"
	}
	return text
}

func includeText(r *catalog.Relation, x *catalog.Index) string {
	if len(x.Include) == 0 {
		return ""
	}
	var names []string
	for _, at := range x.Include {
		names = append(names, ast.QuoteIdent(r.Columns[at].Name))
	}
	return " INCLUDE (" + strings.Join(names, ", ") + ")"
}

func withText(options map[string]string) string {
	if len(options) == 0 {
		return ""
	}
	var list []string
	for _, k := range slices.Sorted(maps.Keys(options)) {
		list = append(list, ast.QuoteIdent(k)+"="+ast.QuoteLiteral(options[k]))
	}
	return " WITH (" + strings.Join(list, ", ") + ")"
}

// indexKey is one key of an index with its collation, class and order.
func (n *Names) indexKey(r *catalog.Relation, x *catalog.Index, i int, pretty, all bool) string {
	k, at := x.Key(i), x.Columns[i]
	var text string
	var t *types.Type
	collation := uint32(0)
	if at >= 0 {
		c := &r.Columns[at]
		text, t, collation = ast.QuoteIdent(c.Name), c.Type, n.s.collation(c)
	} else {
		text = expression(k.Expr, pretty)
		if !isCall(k.Expr) {
			text = bracketed(text)
		}
		t, _ = n.s.snap.TypeByOID(k.Type)
		if t == nil {
			t = types.TText
		}
		collation = collationOf(t)
	}
	if !all {
		return text
	}
	if k.Collation != "" {
		if o, ok := collationOID(k.Collation); ok && o != collation {
			name, _ := n.Name(types.TRegcollation, o)
			text += " COLLATE " + name
		}
	}
	if k.Opclass != "" {
		method := methodOID(x.AccessMethod())
		if o := n.s.opclass(method, t, k.Opclass); o != n.s.opclass(method, t, "") {
			if row := n.s.rowByOID("pg_opclass", o); row != nil {
				text += " " + n.qualified(opclassNames, row, n.sees(opclassNames, row))
			}
		}
	}
	switch {
	case k.Desc && !k.NullsFirst:
		text += " DESC NULLS LAST"
	case k.Desc:
		text += " DESC"
	case k.NullsFirst:
		text += " NULLS FIRST"
	}
	return text
}

func (n *Names) indexDef(r *catalog.Relation, x *catalog.Index, column int, pretty bool) string {
	if column > 0 {
		switch {
		case column <= len(x.Columns):
			return n.indexKey(r, x, column-1, pretty, false)
		case column <= len(x.Columns)+len(x.Include):
			return ast.QuoteIdent(r.Columns[x.Include[column-len(x.Columns)-1]].Name)
		}
		return ""
	}
	table := qualifiedText(r.Schema, r.Name)
	if pretty {
		table = n.relationText(r.Schema, r.Name)
	}
	unique := ""
	if x.Unique {
		unique = "UNIQUE "
	}
	var keys []string
	for i := range x.Columns {
		keys = append(keys, n.indexKey(r, x, i, pretty, true))
	}
	text := "CREATE " + unique + "INDEX " + ast.QuoteIdent(x.Name) + " ON " + table + " USING " + x.AccessMethod() + " (" + strings.Join(keys, ", ") + ")" +
		includeText(r, x)
	if x.NullsNotDistinct {
		text += " NULLS NOT DISTINCT"
	}
	text += withText(x.Options)
	if x.Predicate != "" {
		if pretty {
			text += " WHERE " + Pretty(x.Predicate)
		} else {
			text += " WHERE " + bracketed(x.Predicate)
		}
	}
	return text
}

// systemConstraintDef is the key of a relation of pg_catalog.
func systemConstraintDef(o uint32) (string, bool) {
	for _, x := range systemIndexes() {
		if !x.unique || o != ruleBit|x.oid {
			continue
		}
		var keys []string
		for _, c := range x.columns {
			keys = append(keys, ast.QuoteIdent(relations().byOID[x.relation].cols[c-1].Name))
		}
		word := "UNIQUE ("
		if x.primary {
			word = "PRIMARY KEY ("
		}
		return word + strings.Join(keys, ", ") + ")", true
	}
	return "", false
}

func (n *Names) systemIndexDef(o uint32, column int) (string, bool) {
	for _, x := range systemIndexes() {
		if x.oid != o {
			continue
		}
		rel := relations().byOID[x.relation]
		var keys []string
		for _, c := range x.columns {
			keys = append(keys, ast.QuoteIdent(rel.cols[c-1].Name))
		}
		if column > 0 && column <= len(keys) {
			return keys[column-1], true
		}
		unique := ""
		if x.unique {
			unique = "UNIQUE "
		}
		return "CREATE " + unique + "INDEX " + ast.QuoteIdent(x.name) + " ON " + qualifiedText(rel.schema, rel.name) + " USING btree (" + strings.Join(keys, ", ") + ")", true
	}
	return "", false
}

func (n *Names) viewDef(o uint32, _ bool) (string, bool) {
	if r, ok := n.s.snap.ByOID(o); ok {
		if r.Query == nil {
			return "", false
		}
		text := r.Query.SQL
		if !strings.HasPrefix(text, " ") {
			text = " " + text
		}
		return strings.TrimRight(text, "; \n") + ";", true
	}
	rel, ok := relations().byOID[o]
	if !ok || rel.kind != 'v' {
		return "", false
	}
	text, ok := viewTexts()[relationName{rel.schema, rel.name}]
	return " " + text + ";", ok
}

func (n *Names) triggerDef(r *catalog.Relation, t *catalog.Trigger, pretty bool) string {
	var b strings.Builder
	b.WriteString("CREATE ")
	if t.Constraint {
		b.WriteString("CONSTRAINT ")
	}
	b.WriteString("TRIGGER " + ast.QuoteIdent(t.Name) + " ")
	switch t.Timing {
	case catalog.TriggerBefore:
		b.WriteString("BEFORE")
	case catalog.TriggerInsteadOf:
		b.WriteString("INSTEAD OF")
	default:
		b.WriteString("AFTER")
	}
	first := true
	for _, e := range []struct {
		event catalog.TriggerEvent
		word  string
	}{
		{catalog.TriggerInsert, "INSERT"}, {catalog.TriggerDelete, "DELETE"}, {catalog.TriggerUpdate, "UPDATE"}, {catalog.TriggerTruncate, "TRUNCATE"},
	} {
		if t.Events&e.event == 0 {
			continue
		}
		if !first {
			b.WriteString(" OR")
		}
		first = false
		b.WriteString(" " + e.word)
		if e.event == catalog.TriggerUpdate && len(t.Columns) > 0 {
			b.WriteString(" OF " + columnList(r, t.Columns))
		}
	}
	table := qualifiedText(r.Schema, r.Name)
	if pretty {
		table = n.relationText(r.Schema, r.Name)
	}
	b.WriteString(" ON " + table + " ")
	if t.Constraint {
		if !t.Deferrable {
			b.WriteString("NOT ")
		}
		b.WriteString("DEFERRABLE INITIALLY ")
		if t.InitiallyDeferred {
			b.WriteString("DEFERRED ")
		} else {
			b.WriteString("IMMEDIATE ")
		}
	}
	if t.OldTable+t.NewTable != "" {
		b.WriteString("REFERENCING ")
		if t.OldTable != "" {
			b.WriteString("OLD TABLE AS " + ast.QuoteIdent(t.OldTable) + " ")
		}
		if t.NewTable != "" {
			b.WriteString("NEW TABLE AS " + ast.QuoteIdent(t.NewTable) + " ")
		}
	}
	if t.ForRow {
		b.WriteString("FOR EACH ROW ")
	} else {
		b.WriteString("FOR EACH STATEMENT ")
	}
	if t.When != "" {
		b.WriteString("WHEN (" + expression(t.When, pretty) + ") ")
	}
	var args []string
	for _, a := range t.Args {
		args = append(args, ast.QuoteLiteral(a))
	}
	b.WriteString("EXECUTE FUNCTION " + n.functionName(t.Function) + "(" + strings.Join(args, ", ") + ")")
	return b.String()
}

// functionName is a function's name as this session would call it.
func (n *Names) functionName(o uint32) string {
	row := n.s.rowByOID("pg_proc", o)
	if row == nil {
		return uitoa(o)
	}
	return n.qualified(functionNames, row, n.seesOverload(functionNames, row, "proargtypes"))
}

// typeText is a type's name, ??? for one there is not.
func (n *Names) typeText(o uint32) string {
	name, ok := n.TypeName(o)
	if !ok {
		return "???"
	}
	return name
}

// procArg is one argument of a function as pg_proc has it.
type procArg struct {
	name, mode string
	t          uint32
	value      string // its default
}

func (n *Names) procArgs(row types.Row) []procArg {
	types := oidsOf(value("pg_proc", row, "proargtypes"))
	if all := value("pg_proc", row, "proallargtypes").Array(); all != nil {
		types = oidsOf(value("pg_proc", row, "proallargtypes"))
	}
	names, modes := value("pg_proc", row, "proargnames").Array(), value("pg_proc", row, "proargmodes").Array()
	out := make([]procArg, len(types))
	for i, t := range types {
		out[i] = procArg{t: t, mode: "i"}
		if names != nil && i < len(names.Elems) {
			out[i].name = names.Elems[i].Str()
		}
		if modes != nil && i < len(modes.Elems) {
			out[i].mode = modes.Elems[i].Str()
		}
	}
	if f, ok := n.s.snap.FunctionByOID(uint32(row[0].Int())); ok {
		for i := range f.Args {
			if i < len(out) {
				out[i].value = f.Args[i].Default
			}
		}
	}
	return out
}

// argumentText lists arguments; identity leaves out what does not tell functions apart.
func (n *Names) argumentText(args []procArg, identity bool) string {
	var list []string
	for _, a := range args {
		if a.mode == "t" || identity && a.mode == "o" {
			continue
		}
		word := map[string]string{"o": "OUT ", "b": "INOUT ", "v": "VARIADIC "}[a.mode]
		if a.name != "" {
			word += ast.QuoteIdent(a.name) + " "
		}
		word += n.typeText(a.t)
		if a.value != "" && !identity {
			word += " DEFAULT " + a.value
		}
		list = append(list, word)
	}
	return strings.Join(list, ", ")
}

func (n *Names) resultText(row types.Row, args []procArg) string {
	var columns []string
	for _, a := range args {
		if a.mode == "t" {
			columns = append(columns, ast.QuoteIdent(a.name)+" "+n.typeText(a.t))
		}
	}
	if columns != nil {
		return "TABLE(" + strings.Join(columns, ", ") + ")"
	}
	text := n.typeText(oid("pg_proc", row, "prorettype"))
	if value("pg_proc", row, "proretset").Bool() {
		return "SETOF " + text
	}
	return text
}

func (n *Names) functionPart(kind string, o uint32, sub int) (string, bool) {
	row := n.s.rowByOID("pg_proc", o)
	if row == nil {
		return "", false
	}
	args := n.procArgs(row)
	switch kind {
	case "arguments":
		return n.argumentText(args, false), true
	case "identity":
		return n.argumentText(args, true), true
	case "result":
		if text("pg_proc", row, "prokind") == "p" {
			return "", false
		}
		return n.resultText(row, args), true
	case "body":
		d := value("pg_proc", row, "prosqlbody")
		return d.Str(), !d.IsNull()
	}
	at := 0
	for _, a := range args {
		if a.mode == "o" || a.mode == "t" {
			continue
		}
		if at++; at == sub {
			return a.value, a.value != ""
		}
	}
	return "", false
}

func (n *Names) functionDef(o uint32) (string, bool) {
	row := n.s.rowByOID("pg_proc", o)
	if row == nil {
		return "", false
	}
	get := func(c string) string { return text("pg_proc", row, c) }
	args := n.procArgs(row)
	kind := "FUNCTION"
	if get("prokind") == "p" {
		kind = "PROCEDURE"
	}
	var b strings.Builder
	name := qualifiedText(n.s.schemaName(oid("pg_proc", row, "pronamespace")), get("proname"))
	b.WriteString("CREATE OR REPLACE " + kind + " " + name + "(" + n.argumentText(args, false) + ")\n")
	if kind == "FUNCTION" {
		b.WriteString(" RETURNS " + n.resultText(row, args) + "\n")
	}
	language := ""
	if l := n.s.rowByOID("pg_language", oid("pg_proc", row, "prolang")); l != nil {
		language = text("pg_language", l, "lanname")
	}
	b.WriteString(" LANGUAGE " + ast.QuoteIdent(language) + "\n")
	flags := ""
	if get("prokind") == "w" {
		flags += " WINDOW"
	}
	flags += map[string]string{"i": " IMMUTABLE", "s": " STABLE"}[get("provolatile")]
	flags += map[string]string{"s": " PARALLEL SAFE", "r": " PARALLEL RESTRICTED"}[get("proparallel")]
	for _, f := range []struct{ column, words string }{{"proisstrict", " STRICT"}, {"prosecdef", " SECURITY DEFINER"}, {"proleakproof", " LEAKPROOF"}} {
		if value("pg_proc", row, f.column).Bool() {
			flags += f.words
		}
	}
	usual := 100.0
	if language == "internal" || language == "c" {
		usual = 1
	}
	if cost := value("pg_proc", row, "procost").Float(); cost != usual {
		flags += " COST " + strconv.FormatFloat(cost, 'g', -1, 64)
	}
	if rows := value("pg_proc", row, "prorows").Float(); rows > 0 && rows != 1000 {
		flags += " ROWS " + strconv.FormatFloat(rows, 'g', -1, 64)
	}
	if flags != "" {
		b.WriteString(flags + "\n")
	}
	if config := value("pg_proc", row, "proconfig").Array(); config != nil {
		for _, e := range config.Elems {
			name, v, _ := strings.Cut(e.Str(), "=")
			b.WriteString(" SET " + ast.QuoteIdent(name) + " TO " + ast.QuoteLiteral(v) + "\n")
		}
	}
	if body := value("pg_proc", row, "prosqlbody"); !body.IsNull() {
		b.WriteString(body.Str() + "\n")
		return b.String(), true
	}
	source := get("prosrc")
	if language == "c" {
		b.WriteString("AS 'raisind', " + ast.QuoteLiteral(source) + "\n")
		return b.String(), true
	}
	tag := "$function$"
	if kind == "PROCEDURE" {
		tag = "$procedure$"
	}
	for strings.Contains(source, tag) {
		tag = tag[:len(tag)-1] + "x$"
	}
	if language == "internal" {
		b.WriteString("AS " + tag + source + tag + "\n")
		return b.String(), true
	}
	b.WriteString("AS " + tag + source + tag + "\n")
	return b.String(), true
}
