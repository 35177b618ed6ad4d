// Package catalog knows which relations exist: workspaces and tables, their
// columns, unique indexes, options and spatial policies. It promises immutable
// snapshots, changes that live and die with their transaction, publication in the
// order of commits, and numbers that are never used twice. What the bytes of a row
// mean is the business of package relation; who may wait for whom is the caller's,
// who locks a relation before changing it.
package catalog

import (
	"raisind/sql/types"
	"raisind/storage"
)

// DefaultSchema holds relations that were named without a schema.
const DefaultSchema = "public"

// FirstOID is the OID of relation number 0; those below belong to pg_catalog.
const FirstOID = 16384

// Kind is what a relation is.
type Kind uint8

// The kinds of relations. The numbers are stored.
const (
	Workspace Kind = 1 // fixed columns, rows are nodes with JSON properties
	Table     Kind = 2 // columns of its own
)

// String is the word for messages: workspace, table.
func (k Kind) String() string {
	if k == Workspace {
		return "workspace"
	}
	return "table"
}

// Relation is a workspace or a table. Once it is in a Snapshot it is immutable;
// who changes one starts from Clone.
type Relation struct {
	ID      storage.RelationID
	OID     uint32 // FirstOID + ID
	Schema  string
	Name    string
	Kind    Kind
	Columns []Column
	Indexes []Index
	Spatial SpatialConfig
	// Options are the WITH options, names in lower case.
	Options map[string]string
	// NextColumnID is above every column number ever used.
	NextColumnID uint16
}

// Column is one column of a relation.
type Column struct {
	// ID is its number, from 1, never used again after the column was dropped. It is
	// attnum, and what stored rows name the column by.
	ID     uint16
	Name   string
	Type   *types.Type
	Typmod int32 // -1 for none
	// Hidden columns are left out of *.
	NotNull, Hidden bool
	// Default is the default's SQL text, empty for none.
	Default string
}

// Index is a unique index.
type Index struct {
	ID   storage.IndexID
	Name string
	// Columns are positions in Relation.Columns.
	Columns         []int
	Unique, Primary bool
}

// ColumnByName finds a column's position.
func (r *Relation) ColumnByName(name string) (int, bool) {
	for i := range r.Columns {
		if r.Columns[i].Name == name {
			return i, true
		}
	}
	return 0, false
}

// IndexByName finds an index by its name.
func (r *Relation) IndexByName(name string) (*Index, bool) {
	for i := range r.Indexes {
		if r.Indexes[i].Name == name {
			return &r.Indexes[i], true
		}
	}
	return nil, false
}

// Clone returns a copy that shares nothing that could be changed.
func (r *Relation) Clone() *Relation {
	c := *r
	c.Columns = append([]Column(nil), r.Columns...)
	c.Indexes = append([]Index(nil), r.Indexes...)
	c.Spatial = r.Spatial.Clone()
	c.Options = make(map[string]string, len(r.Options))
	for k, v := range r.Options {
		c.Options[k] = v
	}
	return &c
}
