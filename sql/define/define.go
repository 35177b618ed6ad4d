// Package define runs the statements that define objects other than tables: schemas,
// sequences, views, types, domains, roles and privileges. It promises PostgreSQL's
// checks, messages and notices, and that what it does is part of the transaction.
package define

import (
	"context"
	"strings"

	"raisind/catalog"
	"raisind/pgerr"
	"raisind/sql/ast"
	"raisind/sql/planner"
	"raisind/storage"
)

// Env is what the statements of one transaction of a session work on.
type Env struct {
	Ctx context.Context
	DB  *storage.DB
	Txn *storage.Txn
	Cat *catalog.Tx
	// Path are the schemas of unqualified names, in order; the first that is no
	// session's own is where objects are made.
	Path []string
	// TempSchema makes the session's own schema and names it.
	TempSchema func() (string, error)
	// Temp is its name, empty as long as there is none.
	Temp string
	// Role is the OID of the role that acts, User that of the role that logged in.
	Role, User uint32
	Notice     func(*pgerr.Error)
	// Drop removes objects with what depends on them.
	Drop func(refs []catalog.Ref, cascade bool) error
	// VerifyDomain holds the values of a domain that are stored against one of its checks,
	// or against "not null".
	VerifyDomain func(u *catalog.UserType, check string) error
	// Plan are the options for binding queries and expressions.
	Plan func(sql string) planner.Options
	// Fill runs the query of a relation into it and counts the rows, Empty deletes its rows.
	Fill  func(r *catalog.Relation) (rows int, err error)
	Empty func(r *catalog.Relation) error
	// Sync tells that what is not part of a transaction has to be on disk at once.
	Sync bool
}

// Run runs a statement that this package knows; handled is false for any other.
func Run(e *Env, stmt ast.Stmt) (tag string, handled bool, err error) {
	switch s := stmt.(type) {
	case *ast.CreateSequence:
		return "CREATE SEQUENCE", true, e.createSequence(s)
	case *ast.AlterSequence:
		return "ALTER SEQUENCE", true, e.AlterSequence(s)
	case *ast.CreateSchema:
		return "CREATE SCHEMA", true, e.createSchema(s)
	case *ast.CreateView:
		return "CREATE VIEW", true, e.createView(s)
	case *ast.CreateRole:
		return "CREATE ROLE", true, e.createRole(s)
	case *ast.AlterRole:
		return "ALTER ROLE", true, e.alterRole(s)
	case *ast.DropRole:
		return "DROP ROLE", true, e.dropRole(s)
	case *ast.Grant:
		if s.Default {
			break
		}
		tag := "GRANT"
		if s.Revoke {
			tag = "REVOKE"
		}
		if s.Kind == "role" {
			tag += " ROLE"
		}
		return tag, true, e.grant(s)
	case *ast.CreateType:
		return "CREATE TYPE", true, e.createType(s)
	case *ast.AlterEnum:
		return "ALTER TYPE", true, e.alterEnum(s)
	case *ast.AlterComposite:
		return "ALTER TYPE", true, e.alterComposite(s)
	case *ast.CreateDomain:
		return "CREATE DOMAIN", true, e.createDomain(s)
	case *ast.AlterDomain:
		return "ALTER DOMAIN", true, e.alterDomain(s)
	case *ast.AlterObject:
		if s.Action == "rename value" {
			return "ALTER TYPE", true, e.renameLabel(s)
		}
		return "ALTER " + strings.ToUpper(s.Kind), true, e.alterObject(s)
	case *ast.AlterTable:
		if _, ok := kinds[s.Kind]; ok {
			return "ALTER " + words[s.Kind], true, e.AlterRelation(s)
		}
	case *ast.DropObject:
		switch s.Kind {
		case "view", "materialized view", "sequence", "schema", "type", "domain", "extension":
			return "DROP " + strings.ToUpper(s.Kind), true, e.drop(s)
		}
	case *ast.Database:
		return "", true, pgerr.New(pgerr.FeatureNotSupported, "%s DATABASE is not supported", strings.ToUpper(s.Verb)).
			WithHint("A server has one database, named when it is started. Use a schema, or another server with a data directory of its own.")
	case *ast.Refresh:
		return "REFRESH MATERIALIZED VIEW", true, e.refresh(s)
	case *ast.CreateTableAs:
		if s.View {
			tag, err := e.createMaterializedView(s)
			return tag, true, err
		}
		tag, err := e.createTableAs(s)
		return tag, true, err
	case *ast.Comment:
		return "COMMENT", true, e.comment(s)
	}
	return "", false, nil
}

// snapshot is the catalog as the transaction sees it.
func (e *Env) snapshot() *catalog.Snapshot { return e.Cat.Snapshot() }

// MaxNameBytes bounds names; longer ones are cut, as PostgreSQL's are.
const MaxNameBytes = 63

// Target finds the schema that an object of a name is made in.
func (e *Env) Target(name ast.RelName, temp bool) (string, error) {
	schema := name.Schema
	switch {
	case temp:
		if schema != "" && schema != "pg_temp" && schema != e.Temp {
			return "", pgerr.New(pgerr.InvalidTableDefinition, "cannot create temporary relation in non-temporary schema")
		}
		return e.TempSchema()
	case schema == "pg_temp":
		return e.TempSchema()
	case schema != "":
		if _, ok := e.snapshot().Schema(schema); !ok {
			return "", pgerr.New(pgerr.InvalidSchemaName, "schema %q does not exist", schema)
		}
	default:
		for _, s := range e.Path {
			if _, ok := e.snapshot().Schema(s); ok && s != e.Temp && s != "pg_catalog" {
				schema = s
				break
			}
		}
		if schema == "" {
			return "", pgerr.New(pgerr.InvalidSchemaName, "no schema has been selected to create in")
		}
	}
	return schema, e.CheckSchemaCreate(schema)
}

// CheckSchemaCreate refuses to make objects in a schema that the role may not make
// them in.
func (e *Env) CheckSchemaCreate(schema string) error {
	o, ok := e.snapshot().Schema(schema)
	if !ok {
		return pgerr.New(pgerr.InvalidSchemaName, "schema %q does not exist", schema)
	}
	if o.OID == catalog.PgCatalogSchema || o.OID == catalog.PgToastSchema {
		return pgerr.New(pgerr.InsufficientPrivilege, "permission denied to create in schema %q", schema).
			WithDetail("System catalog modifications are currently disallowed.")
	}
	if schema == e.Temp || e.snapshot().Allowed(e.Role, catalog.PrivilegeCreate, catalog.SchemaKind, &o.Security) {
		return nil
	}
	return pgerr.New(pgerr.InsufficientPrivilege, "permission denied for schema %s", schema)
}

// find looks a relation up by name along the path; nil when there is none.
func (e *Env) find(name ast.RelName) *catalog.Relation {
	if name.Schema != "" {
		schema := name.Schema
		if schema == "pg_temp" {
			schema = e.Temp
		}
		if schema == "" {
			return nil
		}
		r, _ := e.snapshot().ByName(schema, name.Name)
		return r
	}
	for _, s := range e.Path {
		if r, ok := e.snapshot().ByName(s, name.Name); ok {
			return r
		}
	}
	return nil
}

func missingRelation(name ast.RelName) *pgerr.Error {
	return pgerr.New(pgerr.UndefinedTable, "relation %q does not exist", name.Dotted())
}

// lock locks a relation found by find, and returns it as it is then; nil when there is
// none of the name.
func (e *Env) lock(name ast.RelName, mode storage.RelLockMode) (*catalog.Relation, error) {
	for {
		r := e.find(name)
		if r == nil {
			return nil, nil
		}
		if err := e.Txn.LockRelation(e.Ctx, r.ID, mode, storage.Wait); err != nil {
			return nil, err
		}
		if again := e.find(name); again != nil && again.ID == r.ID {
			return again, nil
		}
	}
}

// notice sends a notice with a SQLSTATE of its own.
func (e *Env) notice(code pgerr.Code, format string, args ...any) {
	n := pgerr.Notice(format, args...)
	if code != (pgerr.Code{}) {
		n.Code = code
	}
	e.Notice(n)
}

// MustOwn refuses what only an object's owner may do.
func (e *Env) MustOwn(owner uint32, kind, name string) error {
	if e.snapshot().HasRole(e.Role, owner) {
		return nil
	}
	return pgerr.New(pgerr.InsufficientPrivilege, "must be owner of %s %s", kind, name)
}
