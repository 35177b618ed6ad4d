// Package planner turns parsed statements into plans: it finds what names mean,
// decides types as PostgreSQL does, and picks how relations are read by rules that
// stand in one list (rules.go). Every refusal carries PostgreSQL's SQLSTATE, words
// and position; every index that could have served and does not leaves its reason
// in the plan. It reads no data: catalogs come through interfaces declared here.
package planner

import (
	"context"

	"raisind/catalog"
	"raisind/pgerr"
	"raisind/sql/ast"
	"raisind/sql/plan"
	"raisind/sql/types"
	"raisind/storage"
)

// Catalog finds relations as the transaction sees them.
type Catalog interface {
	// Lookup finds a relation; schema is never empty.
	Lookup(schema, name string) (*catalog.Relation, bool, error)
	// Version changes whenever a plan made before may no longer hold.
	Version() uint64
}

// VirtualCatalog finds relations that the server makes up: pg_catalog,
// information_schema, statistics. The scan returned is a template: the planner sets
// Alias and Filter in a copy.
type VirtualCatalog interface {
	Lookup(schema, name string) (*plan.VirtualScan, bool)
}

// RowCounter may be implemented by a Catalog that knows roughly how many rows a
// relation has; it steers the order of joins.
type RowCounter interface {
	RowCount(rel storage.RelationID) (rows int64, ok bool)
}

// Statistics may be implemented by a Catalog that knows more of a relation's values.
type Statistics interface {
	Statistics(rel storage.RelationID) *catalog.Statistics
}

// Options are what planning depends on besides the statement.
type Options struct {
	Catalog Catalog
	Virtual VirtualCatalog // may be nil
	// ParamTypes are types given for $1, $2 …; nil and types.TUnknown are inferred.
	ParamTypes []*types.Type
	// SearchPath are the schemas for unqualified names, in order; pg_catalog is
	// searched first. Empty: public.
	SearchPath []string
	// Role is the OID of the role whose privileges count; 0: nobody asks.
	Role uint32
	// TempSchema is what pg_temp stands for; empty: nothing.
	TempSchema string
	// Env is how literals are read; nil: defaults.
	Env *types.Env
	// SQL is the statement's text, for positions in errors.
	SQL string
	// Settings returns a run-time setting; may be nil.
	Settings func(name string) string
	// Variables are names that are no columns: those of a function's body; may be nil.
	Variables Variables
}

// Plan binds and plans SELECT, VALUES, INSERT, UPDATE or DELETE.
func Plan(ctx context.Context, stmt ast.Stmt, opt Options) (*plan.Statement, error) {
	b := newBuilder(ctx, opt)
	if err := b.statement(stmt); err != nil {
		return nil, err
	}
	return b.st, nil
}

func (b *builder) statement(stmt ast.Stmt) error {
	var err error
	switch stmt := stmt.(type) {
	case *ast.Select:
		err = b.selectStatement(stmt)
	case *ast.Insert, *ast.Update, *ast.Delete:
		err = b.dmlStatement(stmt)
	default:
		err = pgerr.New(pgerr.FeatureNotSupported, "this statement cannot be planned")
	}
	if err != nil {
		return err
	}
	return b.finish()
}

func (b *builder) selectStatement(stmt *ast.Select) error {
	if stmt.Into != nil {
		return b.err(pgerr.FeatureNotSupported, stmt.Into.Name.Pos(), "SELECT INTO is not supported")
	}
	q, err := b.selectQuery(stmt, nil, queryUse{})
	if err != nil {
		return err
	}
	b.st.Verb = "SELECT"
	if err := b.checkParams(); err != nil {
		return err
	}
	if b.st.Root, err = b.planQuery(q, nil); err != nil {
		return err
	}
	b.st.Columns = b.resultColumns(q)
	if b.st.Columns == nil {
		b.st.Columns = []plan.Column{}
	}
	return nil
}

func (b *builder) dmlStatement(stmt ast.Stmt) error {
	d, err := b.dml(stmt, nil)
	if err != nil {
		return err
	}
	if err := b.checkParams(); err != nil {
		return err
	}
	if b.st.Root, err = b.planDML(d); err != nil {
		return err
	}
	b.st.Verb = d.verb
	if len(d.returning) > 0 {
		b.st.Columns = b.st.Root.Columns()
	}
	return nil
}

// finish fills in what is known once everything is planned.
func (b *builder) finish() error {
	if err := b.planModifying(); err != nil {
		return err
	}
	for _, f := range b.atEnd {
		f()
	}
	b.st.Params = b.paramTypes()
	b.st.Relations = b.uses
	b.st.Writes = b.writes
	b.st.CatalogVersion = b.version
	return b.failed
}
