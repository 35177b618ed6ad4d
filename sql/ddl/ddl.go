// Package ddl runs the statements that define tables and what belongs to them:
// columns, constraints, indexes, comments. It decides what a definition means with
// the planner, writes it into the transaction's catalog, and moves the rows that a
// change of definition moves. Locks are PostgreSQL's, taken before anything is read
// that they protect; messages, SQLSTATEs and notices are PostgreSQL's too.
package ddl

import (
	"context"
	"slices"
	"strings"

	"raisind/catalog"
	"raisind/pgerr"
	"raisind/sql/ast"
	"raisind/sql/define"
	"raisind/sql/exec"
	"raisind/sql/funcs"
	"raisind/sql/planner"
	"raisind/storage"
)

// Env is what a statement runs in.
type Env struct {
	Runtime *exec.Runtime
	Txn     *storage.Txn
	Catalog *catalog.Tx
	Funcs   *funcs.Ctx
	// Planner is how expressions of the statement are bound.
	Planner planner.Options
	// Role is the OID of the role that will own what is made.
	Role uint32
	// Notice is told of what the client should know; may be nil.
	Notice func(*pgerr.Error)
	// TempSchema makes the session's own schema; nil: there is none.
	TempSchema func() (string, error)
	// SwitchTrigger does ENABLE and DISABLE TRIGGER; nil: there are no triggers.
	SwitchTrigger func(*catalog.Relation, *ast.AlterAction) error
	// VerifyForeignKey holds rows against the foreign key with an OID; nil: nobody does.
	VerifyForeignKey func(constraint uint32) error
}

// Run runs a statement as part of the transaction; handled is false for a statement
// that is none of this package.
func Run(ctx context.Context, stmt ast.Stmt, e Env) (res exec.Result, handled bool, err error) {
	d := &definer{Env: e, ctx: ctx}
	switch s := stmt.(type) {
	case *ast.CreateTable:
		err = d.createTable(s)
		res.Tag = "CREATE TABLE"
	case *ast.DropTable:
		err = d.dropTables(s)
		res.Tag = "DROP TABLE"
	case *ast.CreateIndex:
		err = d.createIndex(s)
		res.Tag = "CREATE INDEX"
	case *ast.AlterTable:
		err = d.alterTable(s)
		res.Tag = "ALTER " + strings.ToUpper(s.Kind)
	case *ast.DropObject:
		if s.Kind != "index" {
			return res, false, nil
		}
		err = d.dropIndexes(s)
		res.Tag = "DROP INDEX"
	default:
		return res, false, nil
	}
	return res, true, exec.MapError(err)
}

// definer is one statement at work.
type definer struct {
	Env
	ctx context.Context
}

func (d *definer) notice(format string, args ...any) { d.tell(pgerr.Notice(format, args...)) }

func (d *definer) tell(n *pgerr.Error) {
	if d.Notice != nil {
		d.Notice(n)
	}
}

// noticeOf is a notice with an SQLSTATE.
func (d *definer) noticeOf(code pgerr.Code, format string, args ...any) {
	n := pgerr.Notice(format, args...)
	n.Code = code
	d.tell(n)
}

// err makes an error that points at a byte of the statement.
func (d *definer) err(code pgerr.Code, at int, format string, args ...any) *pgerr.Error {
	e := pgerr.New(code, format, args...)
	if at >= 0 && d.Planner.SQL != "" {
		return e.At(pgerr.CharPos(d.Planner.SQL, at))
	}
	return e
}

func notSupported(format string, args ...any) *pgerr.Error {
	e := pgerr.New(pgerr.FeatureNotSupported, format, args...)
	e.Msg += " is not supported"
	return e
}

// searchPath are the schemas for names without one.
func (d *definer) searchPath() []string {
	if len(d.Planner.SearchPath) == 0 {
		return []string{catalog.DefaultSchema}
	}
	return d.Planner.SearchPath
}

// creationSchema is where something new of a name goes.
func (d *definer) creationSchema(n ast.RelName) (string, error) {
	now := d.Catalog.Snapshot()
	if n.Schema != "" {
		if _, ok := now.Schema(n.Schema); !ok {
			return "", d.err(pgerr.InvalidSchemaName, n.Pos(), "schema %q does not exist", n.Schema)
		}
		if n.Schema == "pg_catalog" || n.Schema == "information_schema" {
			return "", pgerr.New(pgerr.InsufficientPrivilege, "permission denied to create \"%s.%s\"", n.Schema, n.Name).
				WithDetail("System catalog modifications are currently disallowed.")
		}
		return n.Schema, nil
	}
	for _, s := range d.searchPath() {
		if s == "pg_catalog" {
			continue
		}
		if _, ok := now.Schema(s); ok {
			return s, nil
		}
	}
	return "", d.err(pgerr.InvalidSchemaName, n.Pos(), "no schema has been selected to create in")
}

// lookup finds a relation by name; nil when there is none.
func (d *definer) lookup(n ast.RelName) *catalog.Relation {
	now := d.Catalog.Snapshot()
	path := d.searchPath()
	if n.Schema != "" {
		path = []string{n.Schema}
	}
	for _, s := range path {
		if r, ok := now.ByName(s, n.Name); ok {
			return r
		}
	}
	return nil
}

// relation finds and locks a relation; nil when there is none. It may have changed
// while the lock was waited for, so it is looked up again.
func (d *definer) relation(n ast.RelName, mode storage.RelLockMode) (*catalog.Relation, error) {
	for {
		r := d.lookup(n)
		if r == nil {
			return nil, nil
		}
		if err := d.Txn.LockRelation(d.ctx, r.ID, mode, storage.Wait); err != nil {
			return nil, err
		}
		if again := d.lookup(n); again != nil && again.ID == r.ID {
			return again, nil
		}
	}
}

// mustRelation is relation with 42P01 when there is none.
func (d *definer) mustRelation(n ast.RelName, mode storage.RelLockMode) (*catalog.Relation, error) {
	r, err := d.relation(n, mode)
	if err == nil && r == nil {
		err = d.undefined(n)
	}
	return r, err
}

func (d *definer) undefined(n ast.RelName) error {
	if n.Schema != "" {
		if _, ok := d.Catalog.Snapshot().Schema(n.Schema); !ok {
			return pgerr.New(pgerr.InvalidSchemaName, "schema %q does not exist", n.Schema)
		}
	}
	return pgerr.New(pgerr.UndefinedTable, "relation %q does not exist", n.Dotted())
}

// hasTableRows refuses relations that are no tables.
func (d *definer) mustBeTable(r *catalog.Relation) error {
	switch r.Kind {
	case catalog.Table:
		return nil
	case catalog.Workspace:
		return pgerr.New(pgerr.WrongObjectType, "%q is not a table", r.Name).WithHint("It is a workspace, whose columns are fixed: use DROP WORKSPACE or ALTER WORKSPACE.")
	}
	return pgerr.New(pgerr.WrongObjectType, "%q is not a table", r.Name)
}

// objectName is PostgreSQL's makeObjectName: the parts joined, the longer of the
// first two shortened until all fit.
func objectName(first, second, label string) string {
	over := len(label) + 1
	if second != "" {
		over++
	}
	for len(first)+len(second)+over > define.MaxNameBytes {
		if len(first) > len(second) {
			first = first[:len(first)-1]
		} else {
			second = second[:len(second)-1]
		}
	}
	first, second = strings.ToValidUTF8(first, ""), strings.ToValidUTF8(second, "")
	name := first
	if second != "" {
		name += "_" + second
	}
	return name + "_" + label
}

// freeName is objectName with a number behind the label where the name is taken.
func freeName(first, second, label string, taken func(string) bool) string {
	name := objectName(first, second, label)
	for n := 1; taken(name); n++ {
		name = objectName(first, second, label+itoa(n))
	}
	return name
}

func itoa(n int) string {
	var b []byte
	for ; n > 0; n /= 10 {
		b = append(b, byte('0'+n%10))
	}
	slices.Reverse(b)
	return string(b)
}
