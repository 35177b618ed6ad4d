package define

import (
	"slices"
	"strings"

	"raisind/catalog"
	"raisind/pgerr"
	"raisind/sql/ast"
	"raisind/sql/planner"
)

// privilegeWords are the privileges by their names in GRANT.
var privilegeWords = map[string]catalog.Privilege{
	"select": catalog.PrivilegeSelect, "insert": catalog.PrivilegeInsert, "update": catalog.PrivilegeUpdate, "delete": catalog.PrivilegeDelete,
	"truncate": catalog.PrivilegeTruncate, "references": catalog.PrivilegeReferences, "trigger": catalog.PrivilegeTrigger,
	"usage": catalog.PrivilegeUsage, "create": catalog.PrivilegeCreate, "connect": catalog.PrivilegeConnect,
	"temporary": catalog.PrivilegeTemporary, "temp": catalog.PrivilegeTemporary, "execute": catalog.PrivilegeExecute,
}

// grant is GRANT and REVOKE.
func (e *Env) grant(s *ast.Grant) error {
	if s.Kind == "role" {
		return e.grantRole(s)
	}
	grantees, err := e.grantees(s.Grantees)
	if err != nil {
		return err
	}
	if s.AllIn {
		return e.grantAllIn(s, grantees)
	}
	switch s.Kind {
	case "table", "sequence":
		for _, name := range s.On {
			if err := e.grantRelation(s, name, grantees); err != nil {
				return err
			}
		}
	case "schema":
		for _, name := range s.On {
			o, ok := e.snapshot().Schema(name.Name)
			if !ok {
				return pgerr.New(pgerr.InvalidSchemaName, "schema %q does not exist", name.Name)
			}
			n := o.Clone()
			if err := e.change(s, &n.Security, catalog.SchemaKind, "schema", n.Name, grantees); err != nil {
				return err
			}
			if err := e.Cat.ReplaceObject(e.Ctx, n); err != nil {
				return err
			}
		}
	case "database":
		for _, name := range s.On {
			if name.Name != e.databaseName() {
				return pgerr.New(pgerr.InvalidCatalogName, "database %q does not exist", name.Name)
			}
			n := e.snapshot().Database().Clone()
			if err := e.change(s, &n.Security, catalog.DatabaseKind, "database", name.Name, grantees); err != nil {
				return err
			}
			if err := e.Cat.ReplaceObject(e.Ctx, n); err != nil {
				return err
			}
		}
	case "type", "domain":
		for _, name := range s.On {
			u, err := e.userType(name)
			if err != nil {
				return err
			}
			if u == nil {
				return pgerr.New(pgerr.FeatureNotSupported, "privileges on composite types are not supported")
			}
			n := u.Clone()
			if err := e.change(s, &n.Security, catalog.TypeKind, "type", n.Name, grantees); err != nil {
				return err
			}
			if err := e.Cat.ReplaceObject(e.Ctx, n); err != nil {
				return err
			}
		}
	case "function", "procedure", "routine":
		return e.grantFunctions(s, grantees)
	default:
		return pgerr.New(pgerr.FeatureNotSupported, "privileges on a %s are not supported", s.Kind)
	}
	return nil
}

func (e *Env) grantees(names []string) ([]uint32, error) {
	var out []uint32
	for _, n := range names {
		if n == "public" {
			out = append(out, 0)
			continue
		}
		r, err := e.role(n)
		if err != nil {
			return nil, err
		}
		out = append(out, r.OID)
	}
	return out, nil
}

// wanted are the privileges of a statement for a kind of object, columns apart.
func wanted(s *ast.Grant, k catalog.ObjectKind, kind string) (catalog.Privilege, error) {
	var want catalog.Privilege
	for _, p := range s.Privileges {
		if len(p.Columns) > 0 {
			continue
		}
		if p.Name == "all" {
			want |= k.All()
			continue
		}
		one, ok := privilegeWords[p.Name]
		if !ok {
			return 0, pgerr.New(pgerr.SyntaxError, "unrecognized privilege type %q", p.Name)
		}
		if one&k.All() == 0 {
			return 0, pgerr.New(pgerr.InvalidGrantOperation, "invalid privilege type %s for %s", strings.ToUpper(p.Name), kind)
		}
		want |= one
	}
	return want, nil
}

// change applies a statement to one object.
func (e *Env) change(s *ast.Grant, sec *catalog.Security, k catalog.ObjectKind, kind, name string, grantees []uint32) error {
	want, err := wanted(s, k, kind)
	if err != nil || want == 0 {
		return err
	}
	_, may := e.snapshot().Held(e.Role, k, sec)
	grantor := e.Role
	if e.snapshot().HasRole(e.Role, sec.OwnerOID()) {
		grantor, may = sec.OwnerOID(), k.All()
	}
	if may&want == 0 {
		if has, _ := e.snapshot().Held(e.Role, k, sec); has == 0 {
			return pgerr.New(pgerr.InsufficientPrivilege, "permission denied for %s %s", kind, name)
		}
		word := "granted"
		if s.Revoke {
			word = "revoked"
		}
		code := pgerr.Code{}
		w := pgerr.Warning(code, "no privileges were %s for %q", word, name)
		e.Notice(w)
		return nil
	}
	sec.ACL = apply(s, slices.Clone(sec.Effective(k)), want&may, grantor, grantees)
	return nil
}

// apply gives or takes privileges of grantees.
func apply(s *ast.Grant, acl []catalog.ACLItem, want catalog.Privilege, grantor uint32, grantees []uint32) []catalog.ACLItem {
	for _, g := range grantees {
		at := slices.IndexFunc(acl, func(a catalog.ACLItem) bool { return a.Grantee == g && a.Grantor == grantor })
		if s.Revoke {
			if at < 0 {
				continue
			}
			acl[at].GrantOpt &^= want
			if !s.OptionFor {
				acl[at].Privileges &^= want
			}
			if acl[at].Privileges == 0 {
				acl = slices.Delete(acl, at, at+1)
			}
			continue
		}
		if at < 0 {
			at = len(acl)
			acl = append(acl, catalog.ACLItem{Grantee: g, Grantor: grantor})
		}
		acl[at].Privileges |= want
		if s.WithOption {
			acl[at].GrantOpt |= want
		}
	}
	if acl == nil {
		acl = []catalog.ACLItem{}
	}
	return acl
}

func (e *Env) grantRelation(s *ast.Grant, name ast.RelName, grantees []uint32) error {
	r := e.find(name)
	if r == nil {
		return missingRelation(name)
	}
	k, kind := catalog.KindOf(r), "relation"
	switch {
	case r.Kind == catalog.CompositeType:
		return pgerr.New(pgerr.WrongObjectType, "%q is a composite type", r.Name)
	case s.Kind == "sequence" && r.Kind != catalog.Sequence:
		return pgerr.New(pgerr.WrongObjectType, "%q is not a sequence", r.Name)
	case r.Kind == catalog.Sequence:
		kind = "sequence"
	}
	n := r.Clone()
	if err := e.change(s, &n.Security, k, objectWord(r), r.Name, grantees); err != nil {
		if pgerr.Is(err, pgerr.InvalidGrantOperation) {
			_, err = wanted(s, k, kind)
		}
		return err
	}
	if err := e.grantColumns(s, n, grantees); err != nil {
		return err
	}
	return e.Cat.Replace(e.Ctx, n)
}

// objectWord is how permission errors name a relation.
func objectWord(r *catalog.Relation) string {
	if r.Kind == catalog.Workspace {
		return "table"
	}
	return r.Kind.String()
}

func (e *Env) grantColumns(s *ast.Grant, r *catalog.Relation, grantees []uint32) error {
	for _, p := range s.Privileges {
		if len(p.Columns) == 0 {
			continue
		}
		want, ok := privilegeWords[p.Name], true
		if p.Name == "all" {
			want = catalog.ColumnKind.All()
		} else if _, ok = privilegeWords[p.Name]; !ok {
			return pgerr.New(pgerr.SyntaxError, "unrecognized privilege type %q", p.Name)
		}
		if want&catalog.ColumnKind.All() == 0 {
			return pgerr.New(pgerr.InvalidGrantOperation, "invalid privilege type %s for column", strings.ToUpper(p.Name))
		}
		if !e.snapshot().HasRole(e.Role, r.OwnerOID()) {
			return pgerr.New(pgerr.InsufficientPrivilege, "permission denied for %s %s", objectWord(r), r.Name)
		}
		for _, c := range p.Columns {
			at, ok := r.ColumnByName(c)
			if !ok {
				return pgerr.New(pgerr.UndefinedColumn, "column %q of relation %q does not exist", c, r.Name)
			}
			acl := apply(s, slices.Clone(r.Columns[at].ACL), want, r.OwnerOID(), grantees)
			if len(acl) == 0 {
				acl = nil
			}
			r.Columns[at].ACL = acl
		}
	}
	return nil
}

func (e *Env) grantAllIn(s *ast.Grant, grantees []uint32) error {
	for _, schema := range s.On {
		if _, ok := e.snapshot().Schema(schema.Name); !ok {
			return pgerr.New(pgerr.InvalidSchemaName, "schema %q does not exist", schema.Name)
		}
		for _, r := range e.snapshot().Relations() {
			if r.Schema != schema.Name || r.Kind == catalog.CompositeType || (r.Kind == catalog.Sequence) != (s.Kind == "sequence") {
				continue
			}
			if s.Kind != "table" && s.Kind != "sequence" {
				continue
			}
			if err := e.grantRelation(s, ast.RelName{Schema: r.Schema, Name: r.Name}, grantees); err != nil {
				return err
			}
		}
		if s.Kind == "table" || s.Kind == "sequence" {
			continue
		}
		for _, o := range e.snapshot().Objects(catalog.ClassFunction) {
			if f, ok := o.(*catalog.Function); ok && f.Schema == schema.Name {
				if err := e.grantFunction(s, f, grantees); err != nil {
					return err
				}
			}
		}
	}
	return nil
}

func (e *Env) grantFunctions(s *ast.Grant, grantees []uint32) error {
	for i, name := range s.On {
		f, err := e.function(name, s.Args[i], s.Text)
		if err != nil {
			return err
		}
		if f == nil {
			continue // one of the server's own, which everybody may call
		}
		if err := e.grantFunction(s, f, grantees); err != nil {
			return err
		}
	}
	return nil
}

func (e *Env) grantFunction(s *ast.Grant, f *catalog.Function, grantees []uint32) error {
	n := f.Clone()
	if err := e.change(s, &n.Security, catalog.FunctionKind, "function", n.Name, grantees); err != nil {
		return err
	}
	return e.Cat.ReplaceObject(e.Ctx, n)
}

// function finds a user's function; nil when the server has one of its own.
func (e *Env) function(name ast.RelName, args []ast.TypeName, text string) (*catalog.Function, error) {
	schemas := e.Path
	if name.Schema != "" {
		schemas = []string{name.Schema}
	}
	var oids []uint32
	for i := range args {
		t, _, err := planner.TypeName(e.Ctx, &args[i], e.Plan(text))
		if err != nil {
			return nil, err
		}
		oids = append(oids, t.OID)
	}
	var found []*catalog.Function
	for _, schema := range schemas {
		for _, f := range e.snapshot().Functions(schema, name.Name) {
			if args == nil || slices.Equal(f.Inputs(), oids) {
				found = append(found, f)
			}
		}
		if found != nil {
			break
		}
	}
	switch {
	case len(found) == 1:
		return found[0], nil
	case len(found) > 1:
		return nil, pgerr.New(pgerr.AmbiguousFunction, "function name %q is not unique", name.Dotted()).
			WithHint("Specify the argument list to select the function unambiguously.")
	case planner.KnowsFunction(name.Name):
		return nil, nil
	case args == nil:
		return nil, pgerr.New(pgerr.UndefinedFunction, "could not find a function named %q", name.Dotted())
	}
	return nil, pgerr.New(pgerr.UndefinedFunction, "function %s does not exist", name.Dotted())
}
