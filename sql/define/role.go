package define

import (
	"crypto/hmac"
	"crypto/md5"
	"crypto/pbkdf2"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"fmt"
	"slices"
	"strings"

	"raisind/catalog"
	"raisind/pgerr"
	"raisind/sql/ast"
	"raisind/sql/types"
)

// acting is the role that acts.
func (e *Env) acting() *catalog.Role {
	r, ok := e.snapshot().RoleByOID(e.Role)
	if !ok {
		return &catalog.Role{}
	}
	return r
}

func (e *Env) createRole(s *ast.CreateRole) error {
	me := e.acting()
	if !me.Superuser && !me.CreateRole {
		return pgerr.New(pgerr.InsufficientPrivilege, "permission denied to create role")
	}
	if err := checkRoleName(s.Name); err != nil {
		return err
	}
	r := &catalog.Role{OID: e.Cat.Catalog().NextOID(), Name: s.Name, Inherit: true, Login: s.Kind == "user", ConnectionLimit: -1}
	var in, members, admins []string
	for i := range s.Options {
		o := &s.Options[i]
		switch o.Name {
		case "in role":
			in = append(in, o.Roles...)
		case "role":
			members = append(members, o.Roles...)
		case "admin":
			admins = append(admins, o.Roles...)
		}
	}
	if err := e.roleOptions(r, s.Options); err != nil {
		return err
	}
	if !me.Superuser {
		switch {
		case r.Superuser:
			return pgerr.New(pgerr.InsufficientPrivilege, "must be superuser to create superusers")
		case r.Replication:
			return pgerr.New(pgerr.InsufficientPrivilege, "must be superuser to create replication users")
		case r.BypassRLS:
			return pgerr.New(pgerr.InsufficientPrivilege, "must be superuser to create bypassrls users")
		}
	}
	for _, name := range in {
		g, err := e.role(name)
		if err != nil {
			return err
		}
		r.MemberOf = append(r.MemberOf, catalog.Membership{Role: g.OID, Grantor: e.Role})
	}
	if err := e.Cat.CreateObject(e.Ctx, r); err != nil {
		return err
	}
	for i, list := range [][]string{members, admins} {
		for _, name := range list {
			if err := e.addMember(r, name, i == 1); err != nil {
				return err
			}
		}
	}
	return nil
}

func checkRoleName(name string) error {
	switch {
	case name == "public" || name == "none":
		return pgerr.New(pgerr.ReservedName, "role name %q is reserved", name)
	case strings.HasPrefix(name, "pg_"):
		return pgerr.New(pgerr.ReservedName, "role name %q is reserved", name).WithDetail(`Role names starting with "pg_" are reserved.`)
	}
	return nil
}

// roleOptions applies the options that are attributes of the role.
func (e *Env) roleOptions(r *catalog.Role, options []ast.RoleOption) error {
	seen := map[string]bool{}
	for i := range options {
		o := &options[i]
		if seen[o.Name] {
			return pgerr.New(pgerr.SyntaxError, "conflicting or redundant options")
		}
		seen[o.Name] = true
		switch o.Name {
		case "superuser":
			r.Superuser = o.On
		case "createdb":
			r.CreateDB = o.On
		case "createrole":
			r.CreateRole = o.On
		case "inherit":
			r.Inherit = o.On
		case "login":
			r.Login = o.On
		case "replication":
			r.Replication = o.On
		case "bypassrls":
			r.BypassRLS = o.On
		case "sysid":
			e.notice(pgerr.Code{}, "SYSID can no longer be specified")
		case "connection limit":
			if o.Number < -1 {
				return pgerr.New(pgerr.InvalidParameterValue, "invalid connection limit: %d", o.Number)
			}
			r.ConnectionLimit = int32(o.Number)
		case "valid until":
			if _, err := types.TTimestamptz.ParseText(*o.Text, -1, e.Plan("").Env); err != nil {
				return err
			}
			r.ValidUntil = *o.Text
		case "password":
			switch {
			case o.Text == nil:
				r.Password = ""
			case *o.Text == "":
				e.notice(pgerr.Code{}, "empty string is not a valid password, clearing password")
				r.Password = ""
			default:
				var err error
				if r.Password, err = Verifier(r.Name, *o.Text); err != nil {
					return err
				}
			}
		}
	}
	return nil
}

// scramIterations is PostgreSQL's.
const scramIterations = 4096

// Verifier is what is kept of a password: SCRAM-SHA-256$iterations:salt$StoredKey:ServerKey
// (RFC 5803), or the text itself when it is a verifier.
func Verifier(role, password string) (string, error) {
	if isVerifier(password) {
		return password, nil
	}
	salt := make([]byte, 16)
	if _, err := rand.Read(salt); err != nil {
		return "", pgerr.Wrap(err, pgerr.InternalError, "could not generate random salt")
	}
	salted, err := pbkdf2.Key(sha256.New, password, salt, scramIterations, sha256.Size)
	if err != nil {
		return "", pgerr.Wrap(err, pgerr.InternalError, "could not compute the verifier of a password: %v", err)
	}
	mac := func(word string) []byte {
		h := hmac.New(sha256.New, salted)
		h.Write([]byte(word))
		return h.Sum(nil)
	}
	stored := sha256.Sum256(mac("Client Key"))
	b64 := base64.StdEncoding.EncodeToString
	return fmt.Sprintf("SCRAM-SHA-256$%d:%s$%s:%s", scramIterations, b64(salt), b64(stored[:]), b64(mac("Server Key"))), nil
}

func isVerifier(s string) bool {
	if rest, ok := strings.CutPrefix(s, "md5"); ok && len(rest) == 2*md5.Size {
		_, err := hex.DecodeString(rest)
		return err == nil
	}
	return strings.HasPrefix(s, "SCRAM-SHA-256$") && strings.Count(s, "$") == 2 && strings.Count(s, ":") == 2
}

// lockRole finds and locks a role for a change.
func (e *Env) lockRole(name string) (*catalog.Role, error) {
	r, err := e.role(name)
	if err != nil {
		return nil, err
	}
	o, err := e.Cat.LockObject(e.Ctx, r.Ref())
	if err != nil {
		return nil, err
	}
	if now, ok := o.(*catalog.Role); ok {
		return now.Clone(), nil
	}
	return nil, pgerr.New(pgerr.UndefinedObject, "role %q does not exist", name)
}

func (e *Env) alterRole(s *ast.AlterRole) error {
	if s.Name == "" {
		return pgerr.New(pgerr.FeatureNotSupported, "ALTER ROLE ALL is not supported").WithHint("Set the parameter for each role, or for the server.")
	}
	r, err := e.lockRole(s.Name)
	if err != nil {
		return err
	}
	me := e.acting()
	own := len(s.Options) == 1 && s.Options[0].Name == "password" && r.OID == e.Role
	if s.Set != nil {
		own = r.OID == e.Role
	}
	if !me.Superuser && (r.Superuser || !me.CreateRole && !own) {
		if r.Superuser {
			return pgerr.New(pgerr.InsufficientPrivilege, "must be superuser to alter superuser roles or change superuser attribute")
		}
		return pgerr.New(pgerr.InsufficientPrivilege, "permission denied")
	}
	for _, o := range s.Options {
		if o.Name == "superuser" && !me.Superuser {
			return pgerr.New(pgerr.InsufficientPrivilege, "must be superuser to alter superuser roles or change superuser attribute")
		}
	}
	if s.Set != nil {
		if s.Database != "" {
			return pgerr.New(pgerr.FeatureNotSupported, "ALTER ROLE IN DATABASE is not supported").WithHint("There is one database: leave IN DATABASE out.")
		}
		if r.Config, err = e.setConfig(r.Config, s.Set); err != nil {
			return err
		}
		return e.Cat.ReplaceObject(e.Ctx, r)
	}
	for _, name := range s.Add {
		if err := e.addMember(r, name, false); err != nil {
			return err
		}
	}
	for _, name := range s.Drop {
		if err := e.dropMember(r, name, false); err != nil {
			return err
		}
	}
	var attributes []ast.RoleOption
	for _, o := range s.Options {
		if o.Name != "role" {
			attributes = append(attributes, o)
		}
	}
	if err := e.roleOptions(r, attributes); err != nil {
		return err
	}
	return e.Cat.ReplaceObject(e.Ctx, r)
}

// setConfig applies SET or RESET to name=value settings.
func (e *Env) setConfig(config []string, set ast.Stmt) ([]string, error) {
	drop := func(name string) {
		config = slices.DeleteFunc(config, func(c string) bool { return strings.HasPrefix(c, name+"=") })
	}
	switch s := set.(type) {
	case *ast.Reset:
		if s.Name == "all" {
			return nil, nil
		}
		drop(s.Name)
	case *ast.Set:
		drop(s.Name)
		if s.Default {
			return config, nil
		}
		var values []string
		for _, v := range s.Values {
			if lit, ok := v.(*ast.Literal); ok {
				values = append(values, lit.Text)
			}
		}
		config = append(config, s.Name+"="+strings.Join(values, ", "))
	default:
		return nil, pgerr.New(pgerr.FeatureNotSupported, "this setting cannot be kept for a role")
	}
	return config, nil
}

// addMember makes a role, by name, a member of r.
func (e *Env) addMember(r *catalog.Role, name string, admin bool) error {
	m, err := e.lockRole(name)
	if err != nil {
		return err
	}
	if m.OID == r.OID || slices.Contains(e.snapshot().RolesOf(r.OID, false), m.OID) {
		return pgerr.New(pgerr.InvalidGrantOperation, "role %q is a member of role %q", r.Name, m.Name)
	}
	for i := range m.MemberOf {
		if m.MemberOf[i].Role == r.OID {
			if m.MemberOf[i].Admin || !admin {
				e.notice(pgerr.Code{}, "role %q is already a member of role %q", m.Name, r.Name)
				return nil
			}
			m.MemberOf[i].Admin = true
			return e.Cat.ReplaceObject(e.Ctx, m)
		}
	}
	m.MemberOf = append(m.MemberOf, catalog.Membership{Role: r.OID, Grantor: e.Role, Admin: admin})
	return e.Cat.ReplaceObject(e.Ctx, m)
}

func (e *Env) dropMember(r *catalog.Role, name string, adminOnly bool) error {
	m, err := e.lockRole(name)
	if err != nil {
		return err
	}
	at := slices.IndexFunc(m.MemberOf, func(x catalog.Membership) bool { return x.Role == r.OID })
	if at < 0 {
		w := pgerr.Warning(pgerr.WarningCode, "role %q is not a member of role %q", m.Name, r.Name)
		e.Notice(w)
		return nil
	}
	if adminOnly {
		m.MemberOf[at].Admin = false
	} else {
		m.MemberOf = slices.Delete(m.MemberOf, at, at+1)
	}
	return e.Cat.ReplaceObject(e.Ctx, m)
}

// grantRole is GRANT and REVOKE of membership.
func (e *Env) grantRole(s *ast.Grant) error {
	me := e.acting()
	for _, p := range s.Privileges {
		if len(p.Columns) > 0 {
			return pgerr.New(pgerr.InvalidGrantOperation, "column names cannot be included in GRANT/REVOKE ROLE")
		}
		r, err := e.role(p.Name)
		if err != nil {
			return err
		}
		admin := me.Superuser || me.CreateRole && !r.Superuser
		for _, m := range me.MemberOf {
			admin = admin || m.Role == r.OID && m.Admin
		}
		if !admin {
			return pgerr.New(pgerr.InsufficientPrivilege, "must have admin option on role %q", r.Name)
		}
		for _, g := range s.Grantees {
			if s.Revoke {
				err = e.dropMember(r, g, s.OptionFor)
			} else {
				err = e.addMember(r, g, s.WithOption)
			}
			if err != nil {
				return err
			}
		}
	}
	return nil
}

func (e *Env) dropRole(s *ast.DropRole) error {
	me := e.acting()
	if !me.Superuser && !me.CreateRole {
		return pgerr.New(pgerr.InsufficientPrivilege, "permission denied to drop role")
	}
	for _, name := range s.Names {
		if _, ok := e.snapshot().Role(name); !ok && s.IfExists {
			e.notice(pgerr.Code{}, "role %q does not exist, skipping", name)
			continue
		}
		r, err := e.lockRole(name)
		switch {
		case err != nil:
			return err
		case r.OID == e.Role:
			return pgerr.New(pgerr.ObjectInUse, "current user cannot be dropped")
		case r.OID == e.User:
			return pgerr.New(pgerr.ObjectInUse, "session user cannot be dropped")
		case r.OID == catalog.BootstrapRole:
			return pgerr.New(pgerr.DependentObjectsStillExist, "cannot drop role %s because it is required by the database system", r.Name)
		case r.Superuser && !me.Superuser:
			return pgerr.New(pgerr.InsufficientPrivilege, "must be superuser to drop superusers")
		}
		if detail := e.roleDependents(r); detail != "" {
			return pgerr.New(pgerr.DependentObjectsStillExist, "role %q cannot be dropped because some objects depend on it", r.Name).
				WithDetail("%s", detail)
		}
		for _, o := range e.snapshot().Objects(catalog.ClassRole) {
			m, ok := o.(*catalog.Role)
			if !ok || !slices.ContainsFunc(m.MemberOf, func(x catalog.Membership) bool { return x.Role == r.OID }) {
				continue
			}
			m = m.Clone()
			m.MemberOf = slices.DeleteFunc(m.MemberOf, func(x catalog.Membership) bool { return x.Role == r.OID })
			if err := e.Cat.ReplaceObject(e.Ctx, m); err != nil {
				return err
			}
		}
		if err := e.Cat.DropObject(e.Ctx, r.Ref()); err != nil {
			return err
		}
	}
	return nil
}

// roleDependents describes what keeps a role from being dropped, a line each.
func (e *Env) roleDependents(r *catalog.Role) string {
	var lines []string
	e.secured(func(what, name string, sec *catalog.Security) {
		if sec.OwnerOID() == r.OID {
			lines = append(lines, "owner of "+what+" "+name)
		} else if slices.ContainsFunc(sec.ACL, func(a catalog.ACLItem) bool { return a.Grantee == r.OID || a.Grantor == r.OID }) {
			lines = append(lines, "privileges for "+what+" "+name)
		}
	})
	return strings.Join(lines, "\n")
}

// secured calls fn for everything that has an owner.
func (e *Env) secured(fn func(what, name string, sec *catalog.Security)) {
	snap := e.snapshot()
	for _, r := range snap.Relations() {
		what := r.Kind.String()
		if r.Kind == catalog.CompositeType {
			what = "type"
		}
		fn(what, shownName(r.Schema, r.Name), &r.Security)
	}
	for _, o := range snap.Objects(catalog.ClassSchema) {
		if x, ok := o.(*catalog.Schema); ok {
			fn("schema", x.Name, &x.Security)
		}
	}
	for _, o := range snap.Objects(catalog.ClassType) {
		if x, ok := o.(*catalog.UserType); ok {
			fn("type", shownName(x.Schema, x.Name), &x.Security)
		}
	}
	for _, o := range snap.Objects(catalog.ClassFunction) {
		if x, ok := o.(*catalog.Function); ok {
			fn("function", shownName(x.Schema, x.Name), &x.Security)
		}
	}
}

func shownName(schema, name string) string {
	if schema == catalog.DefaultSchema {
		return ast.QuoteIdent(name)
	}
	return ast.QuoteIdent(schema) + "." + ast.QuoteIdent(name)
}
