package syscat

import (
	"strings"

	"raisind/catalog"
	"raisind/sql/ast"
	"raisind/sql/funcs"
	"raisind/sql/types"
)

// Comment is the comment on an object of a relation of pg_catalog (any when class is
// empty), or on a column.
func (n *Names) Comment(class string, o uint32, column int) (string, bool) {
	rel, ok := relations().byName[relationName{"pg_catalog", class}]
	if class != "" && !ok {
		return "", false
	}
	for _, row := range n.s.rowsBy("pg_description", "objoid", types.Int(int64(o))) {
		if (rel == nil || oid("pg_description", row, "classoid") == rel.oid) && int(value("pg_description", row, "objsubid").Int()) == column {
			return text("pg_description", row, "description"), true
		}
	}
	return "", false
}

// SharedComment is the comment on a role or database.
func (n *Names) SharedComment(class string, o uint32) (string, bool) {
	rel, ok := relations().byName[relationName{"pg_catalog", class}]
	if !ok {
		return "", false
	}
	for _, row := range n.s.rowsBy("pg_shdescription", "objoid", types.Int(int64(o))) {
		if oid("pg_shdescription", row, "classoid") == rel.oid {
			return text("pg_shdescription", row, "description"), true
		}
	}
	return "", false
}

// RoleName names a role.
func (n *Names) RoleName(o uint32) (string, bool) {
	if row := n.s.rowByOID("pg_authid", o); row != nil {
		return text("pg_authid", row, "rolname"), true
	}
	return "", false
}

// RoleOID finds a role.
func (n *Names) RoleOID(name string) (uint32, bool) {
	rows := n.s.rowsBy("pg_authid", "rolname", types.Str(name))
	if len(rows) == 0 {
		return 0, false
	}
	return uint32(rows[0][0].Int()), true
}

// FormatType names any type with its modifier.
func (n *Names) FormatType(o uint32, typmod int32) (string, bool) {
	if t, ok := types.ByOID(o); ok {
		return types.FormatType(t, typmod), true
	}
	return n.TypeName(o)
}

// IndexKeys are the numbers of the columns an index is over.
func (n *Names) IndexKeys(index uint32) []int {
	rows := n.s.rowsBy("pg_index", "indexrelid", types.Int(int64(index)))
	if len(rows) == 0 {
		return nil
	}
	var out []int
	for _, e := range value("pg_index", rows[0], "indkey").Array().Elems {
		out = append(out, int(e.Int()))
	}
	return out
}

// Updatable are the commands a relation takes: 4 UPDATE, 8 INSERT, 16 DELETE.
func (n *Names) Updatable(relation uint32) int {
	const all = 4 | 8 | 16
	if r, ok := n.s.snap.ByOID(relation); ok && (r.Kind == catalog.Table || r.Kind == catalog.Workspace) {
		return all
	}
	return 0
}

// relationWords are what pg_describe_object calls a relation, by relkind.
var relationWords = map[string]string{
	"r": "table", "i": "index", "S": "sequence", "v": "view", "m": "materialized view", "c": "composite type",
}

// Object describes an object of a class of pg_depend.
func (n *Names) Object(class, o uint32, sub int) (funcs.ObjectName, bool) {
	simple := func(kind, rel, column string) (funcs.ObjectName, bool) {
		row := n.s.rowByOID(rel, o)
		if row == nil {
			return funcs.ObjectName{}, false
		}
		name := text(rel, row, column)
		return funcs.ObjectName{
			Description: kind + " " + name, Type: kind, Name: ast.QuoteIdent(name), Identity: ast.QuoteIdent(name), AddressName: []string{name}, Address: []string{},
		}, true
	}
	inSchema := func(kind string, k kindOfName) (funcs.ObjectName, bool) {
		row := n.s.rowByOID(k.rel, o)
		if row == nil {
			return funcs.ObjectName{}, false
		}
		schema, name := n.s.schemaName(oid(k.rel, row, k.schema)), text(k.rel, row, k.name)
		return funcs.ObjectName{
			Description: kind + " " + n.qualified(k, row, n.sees(k, row)), Type: kind, Schema: ast.QuoteIdent(schema), Name: ast.QuoteIdent(name),
			Identity: qualifiedText(schema, name), AddressName: []string{schema, name}, Address: []string{},
		}, true
	}
	part := func(kind, name string, r *catalog.Relation) funcs.ObjectName {
		return funcs.ObjectName{
			Description: kind + " " + name + " on " + "table " + n.relationText(r.Schema, r.Name), Type: "table " + kind, Name: ast.QuoteIdent(name),
			Identity: ast.QuoteIdent(name) + " on " + qualifiedText(r.Schema, r.Name), AddressName: []string{r.Schema, r.Name, name}, Address: []string{},
		}
	}
	switch class {
	case classPgClass:
		row := n.s.rowByOID("pg_class", o)
		if row == nil {
			return funcs.ObjectName{}, false
		}
		kind := relationWords[text("pg_class", row, "relkind")]
		out, _ := inSchema(kind, relationNames)
		if sub != 0 {
			for _, a := range n.s.rowsBy("pg_attribute", "attrelid", types.Int(int64(o))) {
				if int(value("pg_attribute", a, "attnum").Int()) == sub {
					name := text("pg_attribute", a, "attname")
					out.Description = "column " + name + " of " + out.Description
					out.Type += " column"
					out.Name = ""
					out.Identity += "." + ast.QuoteIdent(name)
					out.AddressName = append(out.AddressName, name)
					return out, true
				}
			}
			return funcs.ObjectName{}, false
		}
		return out, true
	case classPgProc:
		out, ok := inSchema("function", functionNames)
		if !ok {
			return out, false
		}
		row := n.s.rowByOID("pg_proc", o)
		signature, _ := n.Signature(o)
		args := n.typeList(oidsOf(value("pg_proc", row, "proargtypes")))
		out.Description, out.Name, out.Identity = "function "+signature, "", out.Identity+"("+args+")"
		if args != "" {
			out.Address = strings.Split(args, ",")
		}
		return out, true
	case classPgType:
		out, ok := inSchema("type", typeNames)
		if name, found := n.TypeName(o); found {
			out.Description, out.Identity = "type "+name, name
			out.AddressName = []string{name}
		}
		return out, ok
	case classPgOperator:
		name, ok := n.Name(types.TRegoperator, o)
		return funcs.ObjectName{Description: "operator " + name, Type: "operator", Identity: name, AddressName: []string{name}, Address: []string{}}, ok
	case classPgNamespace:
		return simple("schema", "pg_namespace", "nspname")
	case classPgAuthid:
		return simple("role", "pg_authid", "rolname")
	case classPgExtension:
		return simple("extension", "pg_extension", "extname")
	case classPgLanguage:
		return simple("language", "pg_language", "lanname")
	case classPgAm:
		return simple("access method", "pg_am", "amname")
	case classPgCollation:
		return inSchema("collation", collationNames)
	case classPgOpclass:
		return inSchema("operator class", opclassNames)
	case classPgOpfamily:
		return inSchema("operator family", opfamilyNames)
	case classPgConstraint:
		if r, c, ok := n.s.snap.ConstraintByOID(o); ok {
			return part("constraint", c.Name, r), true
		}
	case classPgTrigger:
		if r, t, ok := n.s.snap.TriggerByOID(o); ok {
			out := part("trigger", t.Name, r)
			out.Type = "trigger"
			return out, true
		}
	case classPgRewrite:
		if r, ok := n.s.snap.ByOID(o &^ ruleBit); ok {
			out := part("rule", "_RETURN", r)
			out.Description = "rule _RETURN on " + relationWords[string(rune(relkind(r)))] + " " + n.relationText(r.Schema, r.Name)
			out.Type = "rule"
			return out, true
		}
	case classPgAttrdef:
		for _, row := range n.s.rowsBy("pg_attrdef", "oid", types.Int(int64(o))) {
			column, ok := n.Object(classPgClass, oid("pg_attrdef", row, "adrelid"), int(value("pg_attrdef", row, "adnum").Int()))
			column.Description, column.Type = "default value for "+column.Description, "default value"
			column.Identity = "for " + column.Identity
			return column, ok
		}
	}
	return funcs.ObjectName{}, false
}
