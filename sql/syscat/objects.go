package syscat

import (
	"slices"

	"raisind/catalog"
	"raisind/sql/types"
)

func namespaceRows(r *reader) ([]types.Row, error) {
	b := build("pg_namespace", "nspowner", ownerOID)
	have := map[string]bool{}
	for _, o := range r.snap.Objects(catalog.ClassSchema) {
		s := o.(*catalog.Schema)
		have[s.Name] = true
		switch {
		case s.OID == publicOID && s.Owner == 0: // as a database begins, it is the database's owner's
			b.add("oid", s.OID, "nspname", s.Name, "nspowner", databaseOwnerOID, "nspacl", r.publicACL())
			continue
		case (s.OID == pgCatalogOID || s.OID == informationSchemaOID) && s.ACL == nil:
			b.add("oid", s.OID, "nspname", s.Name, "nspacl", r.systemSchemaACL())
			continue
		}
		b.add("oid", s.OID, "nspname", s.Name, "nspowner", s.OwnerOID(), "nspacl", r.acl(s.ACL))
	}
	everybody := r.systemSchemaACL()
	for _, s := range []struct {
		oid   uint32
		name  string
		owner uint32
		acl   any
	}{
		{pgToastOID, "pg_toast", ownerOID, nil},
		{pgCatalogOID, "pg_catalog", ownerOID, everybody},
		{publicOID, "public", databaseOwnerOID, r.publicACL()},
		{informationSchemaOID, "information_schema", ownerOID, everybody},
	} {
		if !have[s.name] {
			b.add("oid", s.oid, "nspname", s.name, "nspowner", s.owner, "nspacl", s.acl)
		}
	}
	return b.rows, nil
}

func (s *state) systemSchemaACL() []string {
	return []string{s.owner + "=UC/" + s.owner, "=U/" + s.owner}
}

// publicACL is what the schema public begins with.
func (s *state) publicACL() any {
	const fresh = catalog.PrivilegeUsage | catalog.PrivilegeCreate
	acl := []string{"pg_database_owner=UC/pg_database_owner", "=U/pg_database_owner"}
	if o, ok := s.snap.Schema(catalog.DefaultSchema); ok {
		for _, it := range o.ACL { // what was granted since
			switch {
			case it.Grantee == catalog.BootstrapRole && it.Privileges == fresh, it.Grantee == 0 && it.Privileges == catalog.PrivilegeUsage:
				continue
			case it.Grantee == 0:
				acl = acl[:1]
			}
			acl = append(acl, s.acl([]catalog.ACLItem{it}).([]string)...)
		}
	}
	return acl
}

// initialPrivilegeRows tell pg_dump which ACLs every database has.
func initialPrivilegeRows(r *reader) ([]types.Row, error) {
	b := build("pg_init_privs", "privtype", "i")
	for _, rel := range relations().sorted {
		privtype := "i"
		if rel.schema == "public" {
			privtype = "e"
		}
		b.add("objoid", rel.oid, "classoid", classPgClass, "privtype", privtype, "initprivs", r.systemACL(rel))
	}
	for _, schema := range []uint32{pgCatalogOID, informationSchemaOID} {
		b.add("objoid", schema, "classoid", classPgNamespace, "initprivs", r.systemSchemaACL())
	}
	b.add("objoid", publicOID, "classoid", classPgNamespace, "initprivs", []string{"pg_database_owner=UC/pg_database_owner", "=U/pg_database_owner"})
	return b.rows, nil
}

func typeRows(r *reader) ([]types.Row, error) {
	b := build("pg_type", "typisdefined", true, "typdelim", ",", "typalign", "i", "typstorage", "x", "typtypmod", -1, "typtype", "b", "typlen", -1)
	b.rows = append(b.rows, builtins().types...)
	io := func(names ...string) []any {
		columns := []string{"typinput", "typoutput", "typreceive", "typsend"}
		var out []any
		for i, n := range names {
			out = append(out, columns[i], procByName(n))
		}
		return out
	}
	array := func(oid, elem uint32, name string, schema, owner uint32, align any) {
		if oid == 0 {
			return
		}
		b.add(append([]any{
			"oid", oid, "typname", name, "typnamespace", schema, "typowner", owner, "typcategory", "A", "typelem", elem, "typalign", align,
			"typsubscript", procByName("array_subscript_handler"),
		}, io("array_in", "array_out", "array_recv", "array_send")...)...)
	}
	for _, o := range r.snap.Objects(catalog.ClassType) {
		u := o.(*catalog.UserType)
		t, ok := r.snap.TypeByOID(u.OID)
		if !ok {
			continue
		}
		schema := r.schemaOID(u.Schema)
		row := []any{
			"oid", u.OID, "typname", u.Name, "typnamespace", schema, "typowner", u.OwnerOID(), "typacl", r.acl(u.ACL), "typarray", u.ArrayOID,
			"typcategory", byte(t.Category), "typlen", t.Len, "typbyval", t.ByVal(), "typalign", align(t.Storage()), "typstorage", storageOf(t.Storage()),
		}
		if d := u.Domain; d != nil {
			base, _ := r.snap.TypeByOID(d.Base)
			row = append(row, "typtype", "d", "typbasetype", d.Base, "typtypmod", d.Typmod, "typnotnull", d.NotNull, "typinput", procByName("domain_in"),
				"typreceive", procByName("domain_recv"), "typcollation", collationOf(base.Storage()))
			if d.Collation != "" {
				if oid, ok := collationOID(d.Collation); ok {
					row = append(row, "typcollation", oid)
				}
			}
			if d.Default != "" {
				row = append(row, "typdefault", d.Default, "typdefaultbin", d.Default)
			}
			if i := slices.IndexFunc(b.rows, func(x types.Row) bool { return uint32(x[0].Int()) == base.Storage().OID }); i >= 0 {
				row = append(row, "typoutput", b.rows[i][b.rel.at["typoutput"]], "typsend", b.rows[i][b.rel.at["typsend"]])
			}
			if base.IsArray() {
				row = append(row, "typndims", 0)
			}
		} else {
			row = append(append(row, "typtype", "e", "typalign", "i", "typstorage", "p", "typbyval", true, "typlen", 4),
				io("enum_in", "enum_out", "enum_recv", "enum_send")...)
		}
		b.add(row...)
		array(u.ArrayOID, u.OID, "_"+u.Name, schema, u.OwnerOID(), align(t.Storage()))
	}
	r.eachRelation(func(rel *catalog.Relation) {
		if rel.TypeOID == 0 {
			return
		}
		schema := r.schemaOID(rel.Schema)
		b.add(append([]any{
			"oid", rel.TypeOID, "typname", rel.Name, "typnamespace", schema, "typowner", rel.OwnerOID(), "typtype", "c", "typcategory", "C",
			"typrelid", rel.OID, "typarray", rel.ArrayOID, "typalign", "d",
		}, io("record_in", "record_out", "record_recv", "record_send")...)...)
		array(rel.ArrayOID, rel.TypeOID, "_"+rel.Name, schema, rel.OwnerOID(), "d")
	})
	return b.rows, nil
}

// procByName is the OID of a function that PostgreSQL has once.
func procByName(name string) uint32 {
	at := mustRelation("pg_catalog", "pg_proc").at
	for _, row := range builtins().procs {
		if row[at["proname"]].Str() == name {
			return uint32(row[0].Int())
		}
	}
	return 0
}

func enumRows(r *reader) ([]types.Row, error) {
	b := build("pg_enum")
	for _, o := range r.snap.Objects(catalog.ClassType) {
		if u := o.(*catalog.UserType); u.Enum != nil {
			for _, l := range u.Enum.Labels {
				b.add("oid", l.OID, "enumtypid", u.OID, "enumsortorder", l.Order, "enumlabel", l.Name)
			}
		}
	}
	return b.rows, nil
}

func languageOID(name string) uint32 {
	at := mustRelation("pg_catalog", "pg_language").at
	for _, row := range loaded("pg_language")() {
		if row[at["lanname"]].Str() == name {
			return uint32(row[0].Int())
		}
	}
	return 0
}

func procRows(r *reader) ([]types.Row, error) {
	b := build("pg_proc")
	b.rows = append(b.rows, builtins().procs...)
	for _, o := range r.snap.Objects(catalog.ClassFunction) {
		f := o.(*catalog.Function)
		var names, modes []string
		var all []uint32
		named, plain, defaults := false, true, 0
		var variadic uint32
		for _, a := range f.Args {
			names, modes, all = append(names, a.Name), append(modes, string(rune(orByte(a.Mode, 'i')))), append(all, a.Type)
			named = named || a.Name != ""
			plain = plain && orByte(a.Mode, 'i') == 'i'
			if a.Default != "" {
				defaults++
			}
			if a.Mode == 'v' {
				if t, ok := r.snap.TypeByOID(a.Type); ok && t.Elem != nil {
					variadic = t.Elem.OID
				}
			}
		}
		result := f.Returns
		if result == 0 {
			result = types.TVoid.OID
		}
		cost, rows := f.Cost, f.Rows
		if cost == 0 {
			cost = 100
		}
		if rows == 0 && f.ReturnsSet {
			rows = 1000
		}
		inputs := f.Inputs()
		row := []any{
			"oid", f.OID, "proname", f.Name, "pronamespace", r.schemaOID(f.Schema), "proowner", f.OwnerOID(), "prolang", languageOID(f.Language),
			"procost", cost, "prorows", rows, "provariadic", variadic, "prokind", orByte(f.Kind, 'f'), "prosecdef", f.SecurityDefiner,
			"proleakproof", f.Leakproof, "proisstrict", f.Strict, "proretset", f.ReturnsSet, "provolatile", orByte(f.Volatility, 'v'),
			"proparallel", orByte(f.Parallel, 'u'), "pronargs", len(inputs), "pronargdefaults", defaults, "prorettype", result,
			"proargtypes", inputs, "prosrc", f.Body, "proacl", r.acl(f.ACL),
		}
		if !plain {
			row = append(row, "proallargtypes", all, "proargmodes", modes)
		}
		if named {
			row = append(row, "proargnames", names)
		}
		if f.Standard {
			row = append(row, "prosrc", "", "prosqlbody", f.Body)
		}
		if f.Config != nil {
			row = append(row, "proconfig", f.Config)
		}
		b.add(row...)
	}
	return b.rows, nil
}

func authidRows(r *reader) ([]types.Row, error) {
	b := build("pg_authid", "rolinherit", true, "rolconnlimit", -1)
	found := false
	for _, o := range r.snap.Objects(catalog.ClassRole) {
		role := o.(*catalog.Role)
		found = found || role.OID == ownerOID
		row := []any{
			"oid", role.OID, "rolname", role.Name, "rolsuper", role.Superuser, "rolinherit", role.Inherit, "rolcreaterole", role.CreateRole,
			"rolcreatedb", role.CreateDB, "rolcanlogin", role.Login, "rolreplication", role.Replication, "rolbypassrls", role.BypassRLS,
			"rolconnlimit", role.ConnectionLimit,
		}
		if role.Password != "" {
			row = append(row, "rolpassword", role.Password)
		}
		if role.ValidUntil != "" {
			at, err := types.TTimestamptz.ParseText(role.ValidUntil, -1, nil)
			if err != nil {
				return nil, err
			}
			row = append(row, "rolvaliduntil", at)
		}
		b.add(row...)
	}
	if !found {
		b.add("oid", ownerOID, "rolname", r.owner, "rolsuper", true, "rolcreaterole", true, "rolcreatedb", true, "rolcanlogin", true,
			"rolreplication", true, "rolbypassrls", true)
	}
	b.rows = append(b.rows, loaded("pg_authid")()...)
	return b.rows, nil
}

func authMemberRows(r *reader) ([]types.Row, error) {
	b := build("pg_auth_members")
	b.rows = append(b.rows, loaded("pg_auth_members")()...)
	for _, o := range r.snap.Objects(catalog.ClassRole) {
		role := o.(*catalog.Role)
		for _, m := range role.MemberOf {
			b.add("roleid", m.Role, "member", role.OID, "grantor", m.Grantor, "admin_option", m.Admin)
		}
	}
	return b.rows, nil
}

func roleSettingRows(r *reader) ([]types.Row, error) {
	b := build("pg_db_role_setting")
	if d := r.snap.Database(); len(d.Config) > 0 {
		b.add("setdatabase", databaseOID, "setconfig", d.Config)
	}
	for _, o := range r.snap.Objects(catalog.ClassRole) {
		if role := o.(*catalog.Role); len(role.Config) > 0 {
			b.add("setrole", role.OID, "setconfig", role.Config)
		}
	}
	return b.rows, nil
}

// installed are the extensions a database has: what they bring cannot be taken away.
var installed = []struct {
	oid, schema            uint32
	name, version, comment string
	relocatable            bool
}{
	{plpgsqlExtensionOID, pgCatalogOID, "plpgsql", "1.0", "PL/pgSQL procedural language", false},
}

func extensionRows(r *reader) ([]types.Row, error) {
	b := build("pg_extension", "extowner", ownerOID)
	for _, e := range installed {
		b.add("oid", e.oid, "extname", e.name, "extnamespace", e.schema, "extversion", e.version, "extrelocatable", e.relocatable)
	}
	for _, o := range r.snap.Objects(catalog.ClassExtension) {
		e := o.(*catalog.Extension)
		b.add("oid", e.OID, "extname", e.Name, "extowner", e.OwnerOID(), "extnamespace", r.schemaOID(e.Schema), "extversion", e.Version)
	}
	return b.rows, nil
}

// available is an extension as the lists of what could be installed have it.
type available struct {
	name, version, schema, comment string
	relocatable                    bool
}

func (s *state) extensions() []available {
	var out []available
	for _, e := range installed {
		out = append(out, available{e.name, e.version, s.schemaName(e.schema), e.comment, e.relocatable})
	}
	for _, o := range s.snap.Objects(catalog.ClassExtension) {
		e := o.(*catalog.Extension)
		out = append(out, available{e.Name, e.Version, e.Schema, e.Comment, false})
	}
	return out
}

func availableRows(r *reader) ([]types.Row, error) {
	b := build("pg_available_extensions")
	for _, e := range r.extensions() {
		b.add("name", e.name, "default_version", e.version, "installed_version", e.version, "comment", e.comment)
	}
	return b.rows, nil
}

func availableVersionRows(r *reader) ([]types.Row, error) {
	b := build("pg_available_extension_versions")
	for _, e := range r.extensions() {
		b.add("name", e.name, "version", e.version, "installed", true, "superuser", true, "trusted", e.name == "plpgsql",
			"relocatable", e.relocatable, "schema", e.schema, "comment", e.comment)
	}
	return b.rows, nil
}

func descriptionRows(r *reader) ([]types.Row, error) {
	b := build("pg_description")
	b.rows = append(b.rows, builtins().descriptions...)
	note := func(oid, class uint32, sub int, text string) {
		if text != "" {
			b.add("objoid", oid, "classoid", class, "objsubid", sub, "description", text)
		}
	}
	for _, e := range installed {
		note(e.oid, classPgExtension, 0, e.comment)
	}
	r.eachRelation(func(rel *catalog.Relation) {
		class := uint32(classPgClass)
		oid := rel.OID
		if rel.Kind == catalog.CompositeType {
			class, oid = classPgType, rel.TypeOID
		}
		note(oid, class, 0, rel.Comment)
		for i := range rel.Columns {
			note(rel.OID, classPgClass, int(rel.Columns[i].ID), rel.Columns[i].Comment)
		}
		for i := range rel.Indexes {
			note(rel.Indexes[i].OID, classPgClass, 0, rel.Indexes[i].Comment)
		}
		for i := range rel.Constraints {
			note(rel.Constraints[i].OID, classPgConstraint, 0, rel.Constraints[i].Comment)
		}
		for i := range rel.Triggers {
			note(rel.Triggers[i].OID, classPgTrigger, 0, rel.Triggers[i].Comment)
		}
	})
	for class, of := range map[catalog.Class]uint32{
		catalog.ClassSchema: classPgNamespace, catalog.ClassType: classPgType, catalog.ClassFunction: classPgProc, catalog.ClassExtension: classPgExtension,
	} {
		for _, o := range r.snap.Objects(class) {
			note(o.Ref().OID, of, 0, commentOf(o))
			if u, ok := o.(*catalog.UserType); ok && u.Domain != nil {
				for i := range u.Domain.Checks {
					note(u.Domain.Checks[i].OID, classPgConstraint, 0, u.Domain.Checks[i].Comment)
				}
			}
		}
	}
	return b.rows, nil
}

func commentOf(o catalog.Object) string {
	switch o := o.(type) {
	case *catalog.Schema:
		return o.Comment
	case *catalog.UserType:
		return o.Comment
	case *catalog.Function:
		return o.Comment
	case *catalog.Extension:
		return o.Comment
	case *catalog.Role:
		return o.Comment
	case *catalog.Database:
		return o.Comment
	}
	return ""
}

func sharedDescriptionRows(r *reader) ([]types.Row, error) {
	b := build("pg_shdescription")
	if c := r.snap.Database().Comment; c != "" {
		b.add("objoid", databaseOID, "classoid", classPgDatabase, "description", c)
	}
	for _, o := range r.snap.Objects(catalog.ClassRole) {
		if c := commentOf(o); c != "" {
			b.add("objoid", o.Ref().OID, "classoid", classPgAuthid, "description", c)
		}
	}
	return b.rows, nil
}
