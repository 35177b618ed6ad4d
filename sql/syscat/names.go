package syscat

import (
	"slices"
	"strings"

	"raisind/pgerr"
	"raisind/sql/ast"
	"raisind/sql/types"
)

// Names finds objects by what clients call them and names them by their OIDs, as one
// session sees them: through its search path.
type Names struct {
	s    *state
	path []uint32 // schemas in order, pg_catalog among them
}

// Names returns a session's.
func (c *Catalog) Names(session Session) *Names {
	n := &Names{s: c.state(session)}
	names := session.SearchPath()
	if !slices.Contains(names, "pg_catalog") {
		n.path = append(n.path, pgCatalogOID)
	}
	for _, name := range names {
		n.path = append(n.path, n.s.schemaOID(name))
	}
	return n
}

// rowsBy finds rows of a relation of pg_catalog by a column's value.
func (s *state) rowsBy(rel, column string, v types.Datum) []types.Row {
	r := relations().byName[relationName{"pg_catalog", rel}]
	c, err := s.contentOf(r)
	if err != nil {
		return nil // the relation itself tells when it is read
	}
	return s.find(c, r.at[column], v)
}

func (s *state) rowByOID(rel string, oid uint32) types.Row {
	rows := s.rowsBy(rel, "oid", types.Int(int64(oid)))
	if len(rows) == 0 {
		return nil
	}
	return rows[0]
}

// value is a column of a row of a relation of pg_catalog.
func value(rel string, row types.Row, column string) types.Datum {
	return row[mustRelation("pg_catalog", rel).at[column]]
}

func text(rel string, row types.Row, column string) string { return value(rel, row, column).Str() }

func oid(rel string, row types.Row, column string) uint32 {
	return uint32(value(rel, row, column).Int())
}

// kindOfName is what one of the reg types or visibility functions is about.
type kindOfName struct {
	rel, name, schema string // the relation with its columns of names and schemas
}

var (
	relationNames  = kindOfName{"pg_class", "relname", "relnamespace"}
	typeNames      = kindOfName{"pg_type", "typname", "typnamespace"}
	functionNames  = kindOfName{"pg_proc", "proname", "pronamespace"}
	operatorNames  = kindOfName{"pg_operator", "oprname", "oprnamespace"}
	collationNames = kindOfName{"pg_collation", "collname", "collnamespace"}
	opclassNames   = kindOfName{"pg_opclass", "opcname", "opcnamespace"}
	opfamilyNames  = kindOfName{"pg_opfamily", "opfname", "opfnamespace"}
)

// named are the rows of a name that stand in the first schema of the path that has one,
// or in a schema that is given.
func (n *Names) named(k kindOfName, schema, name string) []types.Row {
	rows := n.s.rowsBy(k.rel, k.name, types.Str(name))
	path := n.path
	if schema != "" {
		path = []uint32{n.s.schemaOID(schema)}
	}
	for _, ns := range path {
		var found []types.Row
		for _, row := range rows {
			if oid(k.rel, row, k.schema) == ns {
				found = append(found, row)
			}
		}
		if found != nil {
			return found
		}
	}
	return nil
}

// inPath are the rows of a name in any schema of the path.
func (n *Names) inPath(k kindOfName, schema, name string) []types.Row {
	path := n.path
	if schema != "" {
		path = []uint32{n.s.schemaOID(schema)}
	}
	var found []types.Row
	for _, row := range n.s.rowsBy(k.rel, k.name, types.Str(name)) {
		if slices.Contains(path, oid(k.rel, row, k.schema)) {
			found = append(found, row)
		}
	}
	return found
}

// qualified is a name with its schema where the path does not lead to it.
func (n *Names) qualified(k kindOfName, row types.Row, visible bool) string {
	name := text(k.rel, row, k.name)
	if k != operatorNames {
		name = ast.QuoteIdent(name)
	}
	if visible {
		return name
	}
	return ast.QuoteIdent(n.s.schemaName(oid(k.rel, row, k.schema))) + "." + name
}

func (s *state) schemaName(oid uint32) string {
	if row := s.rowByOID("pg_namespace", oid); row != nil {
		return text("pg_namespace", row, "nspname")
	}
	return uitoa(oid)
}

// sees reports whether the path leads from a row's name to it.
func (n *Names) sees(k kindOfName, row types.Row) bool {
	return slices.ContainsFunc(n.named(k, "", text(k.rel, row, k.name)), func(x types.Row) bool { return x[0].Int() == row[0].Int() })
}

// Relation finds a relation, index or sequence.
func (n *Names) Relation(schema, name string) (uint32, bool) {
	rows := n.named(relationNames, schema, name)
	if len(rows) == 0 {
		return 0, false
	}
	return uint32(rows[0][0].Int()), true
}

// RelationName names a relation, index or sequence.
func (n *Names) RelationName(o uint32) (schema, name string, ok bool) {
	row := n.s.rowByOID("pg_class", o)
	if row == nil {
		return "", "", false
	}
	return n.s.schemaName(oid("pg_class", row, "relnamespace")), text("pg_class", row, "relname"), true
}

// Visible answers pg_*_is_visible about an object of a relation of pg_catalog; ok is
// false when there is none.
func (n *Names) Visible(rel string, o uint32) (visible, ok bool) {
	for _, k := range []kindOfName{relationNames, typeNames, functionNames, operatorNames, collationNames, opclassNames, opfamilyNames} {
		if k.rel != rel {
			continue
		}
		row := n.s.rowByOID(rel, o)
		if row == nil {
			return false, false
		}
		switch k {
		case functionNames:
			return n.seesOverload(k, row, "proargtypes"), true
		case operatorNames:
			return n.seesOverload(k, row, "oprleft", "oprright"), true
		}
		return n.sees(k, row), true
	}
	return false, false
}

// seesOverload is sees for what shares names: one in an earlier schema hides it only
// when it takes the same types.
func (n *Names) seesOverload(k kindOfName, row types.Row, columns ...string) bool {
	at := slices.Index(n.path, oid(k.rel, row, k.schema))
	if at < 0 {
		return false
	}
	same := func(x types.Row) bool {
		return !slices.ContainsFunc(columns, func(c string) bool {
			a, b := value(k.rel, x, c), value(k.rel, row, c)
			if a.Array() != nil {
				return !slices.Equal(oidsOf(a), oidsOf(b))
			}
			return a.Int() != b.Int()
		})
	}
	return !slices.ContainsFunc(n.s.rowsBy(k.rel, k.name, value(k.rel, row, k.name)), func(x types.Row) bool {
		i := slices.Index(n.path, oid(k.rel, x, k.schema))
		return i >= 0 && i < at && same(x)
	})
}

// TypeName is what format_type prints, without a modifier.
func (n *Names) TypeName(o uint32) (string, bool) {
	if t, ok := types.ByOID(o); ok {
		return t.SQLName, true
	}
	row := n.s.rowByOID("pg_type", o)
	if row == nil {
		return "", false
	}
	if elem := oid("pg_type", row, "typelem"); elem != 0 && text("pg_type", row, "typcategory") == "A" {
		name, ok := n.TypeName(elem)
		return name + "[]", ok
	}
	return n.qualified(typeNames, row, n.sees(typeNames, row)), true
}

// Signature is a function's name with the types of its arguments, as regprocedure
// prints it.
func (n *Names) Signature(o uint32) (string, bool) {
	row := n.s.rowByOID("pg_proc", o)
	if row == nil {
		return "", false
	}
	return n.qualified(functionNames, row, n.seesOverload(functionNames, row, "proargtypes")) + "(" + n.typeList(oidsOf(value("pg_proc", row, "proargtypes"))) + ")", true
}

func (n *Names) typeList(oids []uint32) string {
	var names []string
	for _, o := range oids {
		name, ok := n.TypeName(o)
		if !ok {
			name = "???"
		}
		names = append(names, name)
	}
	return strings.Join(names, ",")
}

// Name names what a value of a reg type stands for.
func (n *Names) Name(t *types.Type, o uint32) (string, bool) {
	row := func(rel string) types.Row { return n.s.rowByOID(rel, o) }
	switch t {
	case types.TRegclass:
		if r := row("pg_class"); r != nil {
			return n.qualified(relationNames, r, n.sees(relationNames, r)), true
		}
	case types.TRegtype:
		return n.TypeName(o)
	case types.TRegproc:
		if r := row("pg_proc"); r != nil {
			return n.qualified(functionNames, r, len(n.inPath(functionNames, "", text("pg_proc", r, "proname"))) == 1 && n.sees(functionNames, r)), true
		}
	case types.TRegprocedure:
		return n.Signature(o)
	case types.TRegoper:
		if r := row("pg_operator"); r != nil {
			return n.qualified(operatorNames, r, len(n.inPath(operatorNames, "", text("pg_operator", r, "oprname"))) == 1 && n.sees(operatorNames, r)), true
		}
	case types.TRegoperator:
		if r := row("pg_operator"); r != nil {
			arg := func(c string) string {
				if o := oid("pg_operator", r, c); o != 0 {
					name, _ := n.TypeName(o)
					return name
				}
				return "NONE"
			}
			return n.qualified(operatorNames, r, n.seesOverload(operatorNames, r, "oprleft", "oprright")) + "(" + arg("oprleft") + "," + arg("oprright") + ")", true
		}
	case types.TRegcollation:
		if r := row("pg_collation"); r != nil {
			return n.qualified(collationNames, r, n.sees(collationNames, r)), true
		}
	case types.TRegnamespace:
		if r := row("pg_namespace"); r != nil {
			return ast.QuoteIdent(text("pg_namespace", r, "nspname")), true
		}
	case types.TRegrole:
		if r := row("pg_authid"); r != nil {
			return ast.QuoteIdent(text("pg_authid", r, "rolname")), true
		}
	}
	return "", false
}

// Find finds what the text of a reg type names; parts are the identifiers in it and
// args, where the type asks for them, the names of types.
func (n *Names) Find(t *types.Type, name string) (uint32, error) {
	plain, args, hasArgs := cutArguments(name)
	wantArgs := t == types.TRegprocedure || t == types.TRegoperator
	if wantArgs != hasArgs {
		if wantArgs {
			return 0, pgerr.New(pgerr.InvalidTextRepresentation, "expected a left parenthesis")
		}
		plain = name
	}
	var schema, last string
	if t == types.TRegoper || t == types.TRegoperator {
		if i := strings.LastIndexByte(plain, '.'); i >= 0 {
			schema, last = strings.Trim(plain[:i], `" `), strings.TrimSpace(plain[i+1:])
		} else {
			last = strings.TrimSpace(plain)
		}
	} else {
		parts, ok := SplitName(plain)
		if !ok {
			return 0, pgerr.New(pgerr.InvalidName, "invalid name syntax")
		}
		last = parts[len(parts)-1]
		if len(parts) > 1 {
			schema = parts[len(parts)-2]
		}
		if len(parts) > 1 && (t == types.TRegrole || t == types.TRegnamespace) || len(parts) > 3 {
			return 0, pgerr.New(pgerr.InvalidName, "invalid name syntax")
		}
	}
	switch t {
	case types.TRegclass:
		if o, ok := n.Relation(schema, last); ok {
			return o, nil
		}
		return 0, pgerr.New(pgerr.UndefinedTable, `relation "%s" does not exist`, dotted(schema, last))
	case types.TRegtype:
		if rows := n.named(typeNames, schema, strings.TrimSuffix(last, "[]")); len(rows) > 0 {
			if strings.HasSuffix(last, "[]") {
				return oid("pg_type", rows[0], "typarray"), nil
			}
			return uint32(rows[0][0].Int()), nil
		}
		return 0, pgerr.New(pgerr.UndefinedObject, `type "%s" does not exist`, name)
	case types.TRegnamespace:
		if rows := n.s.rowsBy("pg_namespace", "nspname", types.Str(last)); len(rows) > 0 {
			return uint32(rows[0][0].Int()), nil
		}
		return 0, pgerr.New(pgerr.InvalidSchemaName, `schema "%s" does not exist`, last)
	case types.TRegrole:
		if rows := n.s.rowsBy("pg_authid", "rolname", types.Str(last)); len(rows) > 0 {
			return uint32(rows[0][0].Int()), nil
		}
		return 0, pgerr.New(pgerr.UndefinedObject, `role "%s" does not exist`, last)
	case types.TRegcollation:
		if rows := n.named(collationNames, schema, last); len(rows) > 0 {
			return uint32(rows[0][0].Int()), nil
		}
		return 0, pgerr.New(pgerr.UndefinedObject, `collation "%s" for encoding "UTF8" does not exist`, last)
	case types.TRegoper, types.TRegoperator:
		return n.findOperator(t, name, schema, last, args)
	}
	return n.findFunction(t, name, schema, last, args)
}

func dotted(schema, name string) string {
	if schema == "" {
		return name
	}
	return schema + "." + name
}

func (n *Names) findOperator(t *types.Type, name, schema, symbol string, args []string) (uint32, error) {
	rows := n.inPath(operatorNames, schema, symbol)
	if t == types.TRegoper {
		switch len(rows) {
		case 0:
			return 0, pgerr.New(pgerr.UndefinedFunction, "operator does not exist: %s", name)
		case 1:
			return uint32(rows[0][0].Int()), nil
		}
		return 0, pgerr.New(pgerr.AmbiguousFunction, "more than one operator named %s", name)
	}
	if len(args) != 2 {
		return 0, pgerr.New(pgerr.TooManyArguments, "Provide two argument types for operator.")
	}
	var want [2]uint32
	for i, a := range args {
		if strings.EqualFold(a, "none") {
			continue
		}
		o, err := n.typeOID(a)
		if err != nil {
			return 0, err
		}
		want[i] = o
	}
	for _, r := range rows {
		if oid("pg_operator", r, "oprleft") == want[0] && oid("pg_operator", r, "oprright") == want[1] {
			return uint32(r[0].Int()), nil
		}
	}
	return 0, pgerr.New(pgerr.UndefinedFunction, "operator does not exist: %s", name)
}

func (n *Names) findFunction(t *types.Type, name, schema, last string, args []string) (uint32, error) {
	rows := n.inPath(functionNames, schema, last)
	if t == types.TRegproc {
		switch len(rows) {
		case 0:
			return 0, pgerr.New(pgerr.UndefinedFunction, `function "%s" does not exist`, name)
		case 1:
			return uint32(rows[0][0].Int()), nil
		}
		return 0, pgerr.New(pgerr.AmbiguousFunction, `more than one function named "%s"`, name)
	}
	want := make([]uint32, len(args))
	for i, a := range args {
		o, err := n.typeOID(a)
		if err != nil {
			return 0, err
		}
		want[i] = o
	}
	for _, r := range rows {
		if slices.Equal(oidsOf(value("pg_proc", r, "proargtypes")), want) {
			return uint32(r[0].Int()), nil
		}
	}
	return 0, pgerr.New(pgerr.UndefinedFunction, `function "%s" does not exist`, name)
}

// typeOID finds a type by its SQL name.
func (n *Names) typeOID(name string) (uint32, error) {
	if t, _, err := types.ParseTypeName(strings.ToLower(name)); err == nil {
		return t.OID, nil
	}
	return n.Find(types.TRegtype, name)
}

// cutArguments takes the list in brackets off a name.
func cutArguments(s string) (name string, args []string, ok bool) {
	open := strings.IndexByte(s, '(')
	end := strings.LastIndexByte(s, ')')
	if open < 0 || end < open {
		return s, nil, false
	}
	name = s[:open]
	list := strings.TrimSpace(s[open+1 : end])
	if list == "" {
		return name, nil, true
	}
	depth, start := 0, 0
	for i := range len(list) {
		switch list[i] {
		case '(':
			depth++
		case ')':
			depth--
		case ',':
			if depth == 0 {
				args = append(args, strings.TrimSpace(list[start:i]))
				start = i + 1
			}
		}
	}
	return name, append(args, strings.TrimSpace(list[start:])), true
}

// SplitName splits a name as SQL writes it: public.fleet, "My Fleet".
func SplitName(name string) ([]string, bool) {
	var parts []string
	for rest := strings.TrimSpace(name); ; {
		var part string
		if strings.HasPrefix(rest, `"`) {
			end := 1
			for end < len(rest) && (rest[end] != '"' || end+1 < len(rest) && rest[end+1] == '"') {
				if rest[end] == '"' {
					end++
				}
				end++
			}
			if end >= len(rest) {
				return nil, false
			}
			part, rest = strings.ReplaceAll(rest[1:end], `""`, `"`), rest[end+1:]
		} else {
			end := strings.IndexByte(rest, '.')
			if end < 0 {
				end = len(rest)
			}
			part, rest = strings.TrimSpace(strings.ToLower(rest[:end])), rest[end:]
		}
		if part == "" {
			return nil, false
		}
		parts = append(parts, part)
		if rest == "" {
			return parts, true
		}
		if rest[0] != '.' {
			return nil, false
		}
		rest = rest[1:]
	}
}
