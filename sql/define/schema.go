package define

import (
	"strings"

	"raisind/catalog"
	"raisind/pgerr"
	"raisind/sql/ast"
)

func (e *Env) createSchema(s *ast.CreateSchema) error {
	owner := e.Role
	if s.Owner != "" {
		r, err := e.role(s.Owner)
		if err != nil {
			return err
		}
		owner = r.OID
	}
	name := s.Name
	if name == "" {
		r, _ := e.snapshot().RoleByOID(owner)
		name = r.Name
	}
	if !e.snapshot().Allowed(e.Role, catalog.PrivilegeCreate, catalog.DatabaseKind, &e.snapshot().Database().Security) {
		return pgerr.New(pgerr.InsufficientPrivilege, "permission denied for database %s", e.databaseName())
	}
	if owner != e.Role && !e.snapshot().HasRole(e.Role, owner) {
		return pgerr.New(pgerr.InsufficientPrivilege, "must be member of role %q", s.Owner)
	}
	if s.IfNotExists {
		if _, ok := e.snapshot().Schema(name); ok {
			e.notice(pgerr.DuplicateSchema, "schema %q already exists, skipping", name)
			return nil
		}
	}
	if err := checkSchemaName(name); err != nil {
		return err
	}
	return e.Cat.CreateObject(e.Ctx, &catalog.Schema{OID: e.Cat.Catalog().NextOID(), Name: name, Security: catalog.Security{Owner: owner}})
}

func checkSchemaName(name string) error {
	if strings.HasPrefix(name, "pg_") {
		return pgerr.New(pgerr.ReservedName, "unacceptable schema name %q", name).
			WithDetail(`The prefix "pg_" is reserved for system schemas.`)
	}
	return nil
}

func (e *Env) databaseName() string {
	if o := e.Plan(""); o.Settings != nil {
		return o.Settings("database")
	}
	return ""
}
