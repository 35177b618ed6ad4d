package define

import (
	"slices"

	"raisind/catalog"
	"raisind/pgerr"
	"raisind/sql/ast"
	"raisind/storage"
)

// alterObject renames an object, gives it another owner or another schema.
func (e *Env) alterObject(s *ast.AlterObject) error {
	switch s.Kind {
	case "schema":
		return e.alterSchema(s)
	case "role":
		return e.renameRole(s)
	case "database":
		return pgerr.New(pgerr.FeatureNotSupported, "ALTER DATABASE is not supported").
			WithHint("A server has one database; its name is given when the server is started.")
	}
	if s.Action == "rename attribute" {
		return e.renameAttribute(s)
	}
	u, err := e.userType(s.Name)
	if err != nil {
		return err
	}
	if u == nil {
		r, err := e.composite(s.Name)
		if err != nil {
			return err
		}
		return e.MoveRelation(r, s.Action, s.New)
	}
	u = u.Clone()
	switch s.Action {
	case "rename":
		if err := e.freeType(u.Schema, s.New); err != nil {
			return err
		}
		u.Name = s.New
	case "owner":
		if err := e.newOwner(&u.Security, s.New); err != nil {
			return err
		}
	case "schema":
		if err := e.CheckSchemaCreate(s.New); err != nil {
			return err
		}
		if err := e.freeType(s.New, u.Name); err != nil {
			return err
		}
		u.Schema = s.New
	case "rename constraint":
		at := -1
		if u.Domain != nil {
			at = slices.IndexFunc(u.Domain.Checks, func(c catalog.Constraint) bool { return c.Name == s.Part })
		}
		if at < 0 {
			return pgerr.New(pgerr.UndefinedObject, "constraint %q for domain %s does not exist", s.Part, u.Name)
		}
		u.Domain.Checks[at].Name = s.New
	}
	return e.Cat.ReplaceObject(e.Ctx, u)
}

// newOwner gives an object to another role.
func (e *Env) newOwner(sec *catalog.Security, name string) error {
	r, err := e.role(name)
	if err != nil {
		return err
	}
	if !e.snapshot().IsMember(e.Role, r.OID) {
		return pgerr.New(pgerr.InsufficientPrivilege, "must be member of role %q", r.Name)
	}
	old := sec.OwnerOID()
	for i := range sec.ACL {
		if sec.ACL[i].Grantee == old {
			sec.ACL[i].Grantee = r.OID
		}
		if sec.ACL[i].Grantor == old {
			sec.ACL[i].Grantor = r.OID
		}
	}
	sec.Owner = r.OID
	return nil
}

func (e *Env) alterSchema(s *ast.AlterObject) error {
	o, ok := e.snapshot().Schema(s.Name.Name)
	if !ok {
		return pgerr.New(pgerr.InvalidSchemaName, "schema %q does not exist", s.Name.Name)
	}
	if err := e.MustOwn(o.OwnerOID(), "schema", o.Name); err != nil {
		return err
	}
	n := o.Clone()
	if s.Action == "owner" {
		if err := e.newOwner(&n.Security, s.New); err != nil {
			return err
		}
		return e.Cat.ReplaceObject(e.Ctx, n)
	}
	if err := checkSchemaName(s.New); err != nil {
		return err
	}
	n.Name = s.New
	if err := e.Cat.ReplaceObject(e.Ctx, n); err != nil {
		return err
	}
	// Everything in the schema says where it is.
	for _, r := range slices.Clone(e.snapshot().Relations()) {
		if r.Schema != o.Name {
			continue
		}
		if err := e.Txn.LockRelation(e.Ctx, r.ID, storage.AccessExclusive, storage.Wait); err != nil {
			return err
		}
		if err := e.MoveRelation(r.Clone(), "schema", s.New); err != nil {
			return err
		}
	}
	for _, x := range e.snapshot().Objects(catalog.ClassType) {
		if u, ok := x.(*catalog.UserType); ok && u.Schema == o.Name {
			u = u.Clone()
			u.Schema = s.New
			if err := e.Cat.ReplaceObject(e.Ctx, u); err != nil {
				return err
			}
		}
	}
	for _, x := range e.snapshot().Objects(catalog.ClassFunction) {
		if f, ok := x.(*catalog.Function); ok && f.Schema == o.Name {
			f = f.Clone()
			f.Schema = s.New
			if err := e.Cat.ReplaceObject(e.Ctx, f); err != nil {
				return err
			}
		}
	}
	return nil
}

func (e *Env) renameRole(s *ast.AlterObject) error {
	r, err := e.lockRole(s.Name.Name)
	if err != nil {
		return err
	}
	me := e.acting()
	switch {
	case r.OID == e.User || r.OID == e.Role:
		what := "session user"
		if r.OID != e.User {
			what = "current user"
		}
		return pgerr.New(pgerr.FeatureNotSupported, "%s cannot be renamed", what)
	case r.Superuser && !me.Superuser:
		return pgerr.New(pgerr.InsufficientPrivilege, "must be superuser to rename superusers")
	case !me.Superuser && !me.CreateRole:
		return pgerr.New(pgerr.InsufficientPrivilege, "permission denied to rename role")
	}
	if err := checkRoleName(s.New); err != nil {
		return err
	}
	r.Name = s.New
	return e.Cat.ReplaceObject(e.Ctx, r)
}

func (e *Env) renameAttribute(s *ast.AlterObject) error {
	r, err := e.composite(s.Name)
	if err != nil {
		return err
	}
	at, ok := r.ColumnByName(s.Part)
	if !ok {
		return pgerr.New(pgerr.UndefinedColumn, "column %q does not exist", s.Part)
	}
	if _, taken := r.ColumnByName(s.New); taken {
		return pgerr.New(pgerr.DuplicateColumn, "column %q of relation %q already exists", s.New, r.Name)
	}
	r.Columns[at].Name = s.New
	return e.Cat.Replace(e.Ctx, r)
}

// MoveRelation renames the clone of a relation, gives it another owner or schema.
func (e *Env) MoveRelation(r *catalog.Relation, action, to string) error {
	old := ast.RelName{Schema: r.Schema, Name: r.Name}
	switch action {
	case "rename":
		r.Name = to
	case "owner":
		if err := e.newOwner(&r.Security, to); err != nil {
			return err
		}
	case "schema":
		if err := e.CheckSchemaCreate(to); err != nil {
			return err
		}
		r.Schema = to
	}
	if err := e.Cat.Replace(e.Ctx, r); err != nil || action == "owner" {
		return err
	}
	return e.RenameInViews(r, old)
}

// RenameInViews puts the new name of a relation into the queries of views.
func (e *Env) RenameInViews(r *catalog.Relation, old ast.RelName) error {
	for _, v := range slices.Clone(e.snapshot().Relations()) {
		if v.Query == nil || !slices.ContainsFunc(v.Query.Depends, func(d catalog.Dependency) bool { return d.On.OID == r.OID }) {
			continue
		}
		sql, err := renameRelation(v.Query.SQL, old, ast.RelName{Schema: r.Schema, Name: r.Name})
		if err != nil {
			return err
		}
		v = v.Clone()
		v.Query.SQL = sql
		if err := e.Cat.Replace(e.Ctx, v); err != nil {
			return err
		}
	}
	return nil
}

// AlterRelation is ALTER VIEW, SEQUENCE and MATERIALIZED VIEW, as far as they have
// actions in common.
func (e *Env) AlterRelation(s *ast.AlterTable) error {
	r, err := e.lock(s.Name, storage.AccessExclusive)
	if err != nil {
		return err
	}
	if r == nil {
		if s.IfExists {
			e.notice(pgerr.Code{}, "relation %q does not exist, skipping", s.Name.Dotted())
			return nil
		}
		return missingRelation(s.Name)
	}
	if r.Kind != kinds[s.Kind] {
		return pgerr.New(pgerr.WrongObjectType, "%q is not a %s", r.Name, s.Kind)
	}
	if err := e.MustOwn(r.OwnerOID(), s.Kind, r.Name); err != nil {
		return err
	}
	for i := range s.Actions {
		a := &s.Actions[i]
		n := r.Clone()
		switch a.Kind {
		case ast.RenameTable:
			err = e.MoveRelation(n, "rename", a.NewName)
		case ast.SetSchema:
			if r.Sequence != nil && r.Sequence.Owner != 0 {
				return pgerr.New(pgerr.FeatureNotSupported, "cannot move an owned sequence into another schema").
					WithDetail("Sequence %q is linked to table %q.", r.Name, e.ownerName(r))
			}
			err = e.MoveRelation(n, "schema", a.NewName)
		case ast.OwnerTo:
			if r.Sequence != nil && r.Sequence.Owner != 0 {
				return pgerr.New(pgerr.FeatureNotSupported, "cannot change owner of sequence %q", r.Name).
					WithDetail("Sequence %q is linked to table %q.", r.Name, e.ownerName(r))
			}
			err = e.MoveRelation(n, "owner", a.NewName)
		case ast.RenameColumn:
			err = e.renameColumn(n, a.Name, a.NewName)
		case ast.SetOptions, ast.ResetOptions:
			for _, o := range a.Options {
				if a.Kind == ast.ResetOptions {
					delete(n.Options, o.Name)
					continue
				}
				value := "true"
				if lit, ok := o.Value.(*ast.Literal); ok {
					value = lit.Text
				}
				n.Options[o.Name] = value
			}
			err = e.Cat.Replace(e.Ctx, n)
		default:
			return pgerr.New(pgerr.FeatureNotSupported, "this action of ALTER %s is not supported", words[s.Kind])
		}
		if err != nil {
			return err
		}
		if now, ok := e.snapshot().ByID(r.ID); ok {
			r = now
		}
	}
	return nil
}

var words = map[string]string{"view": "VIEW", "materialized view": "MATERIALIZED VIEW", "sequence": "SEQUENCE"}

// renameColumn renames a column of a view.
func (e *Env) renameColumn(r *catalog.Relation, name, to string) error {
	at, ok := r.ColumnByName(name)
	if !ok {
		return pgerr.New(pgerr.UndefinedColumn, "column %q does not exist", name)
	}
	if _, taken := r.ColumnByName(to); taken {
		return pgerr.New(pgerr.DuplicateColumn, "column %q of relation %q already exists", to, r.Name)
	}
	r.Columns[at].Name = to
	return e.Cat.Replace(e.Ctx, r)
}
