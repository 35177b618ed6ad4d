// Package catalog knows which objects exist: workspaces, tables, views, sequences
// and composite types with their columns, indexes, constraints, triggers, options
// and spatial policies, and schemas, types, functions and roles. It promises
// immutable snapshots, changes that live and die with their transaction, publication
// in the order of commits, and numbers of relations and indexes that are never used
// twice. What the bytes of a row mean is the business of package relation; SQL
// within an object is text; who may wait for whom is the caller's, who locks a
// relation before changing it.
package catalog

import (
	"slices"

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
	Workspace        Kind = 1 // fixed columns, rows are nodes with JSON properties
	Table            Kind = 2 // columns of its own
	View             Kind = 3 // a query
	MaterializedView Kind = 4 // a query and the rows it had
	Sequence         Kind = 5
	CompositeType    Kind = 6 // columns without rows
)

// String is the word for messages: workspace, table, view.
func (k Kind) String() string {
	switch k {
	case Workspace:
		return "workspace"
	case View:
		return "view"
	case MaterializedView:
		return "materialized view"
	case Sequence:
		return "sequence"
	case CompositeType:
		return "composite type"
	}
	return "table"
}

// HasRows reports whether rows are stored under a relation of kind k.
func (k Kind) HasRows() bool { return k == Workspace || k == Table || k == MaterializedView }

// Persistence is pg_class.relpersistence; 0 is 'p'.
type Persistence byte

// How long a relation lasts.
const (
	Permanent Persistence = 'p'
	Unlogged  Persistence = 'u'
	Temporary Persistence = 't' // as long as the session whose schema it is in
)

// Relation is a workspace, table or another thing with columns. Once it is in a
// Snapshot it is immutable; who changes one starts from Clone.
type Relation struct {
	ID      storage.RelationID
	OID     uint32 // FirstOID + ID
	Schema  string
	Name    string
	Kind    Kind
	Columns []Column
	Indexes []Index
	// Gone are the numbers of indexes that were dropped, whose keys may still be stored.
	Gone []storage.IndexID
	// Constraints other than NOT NULL, by their OIDs.
	Constraints []Constraint
	Triggers    []Trigger // by name
	Spatial     SpatialConfig
	// Options are the WITH options, names in lower case.
	Options map[string]string
	// NextColumnID is above every column number ever used.
	NextColumnID uint16
	Persistence  Persistence
	// OnCommit of a temporary table is "delete rows", "drop" or empty.
	OnCommit string
	// TypeOID and ArrayOID are those of the row type and of arrays of it; 0 for a
	// sequence.
	TypeOID, ArrayOID uint32
	// Query is of a view and a materialized view, Sequence of a sequence.
	Query    *Query
	Sequence *SequenceDef
	Comment  string
	Security
	row *rowType
}

// Query is what a view shows.
type Query struct {
	SQL string `json:"sql"` // names and types settled, as pg_get_viewdef prints it
	// CheckOption is "local", "cascaded" or empty.
	CheckOption string `json:"check_option,omitempty"`
	// Populated tells of a materialized view that it can be read.
	Populated bool         `json:"populated,omitempty"`
	Depends   []Dependency `json:"depends,omitempty"` // columns as Sub
}

// SequenceDef is how a sequence counts. Where it stands is not the catalog's.
type SequenceDef struct {
	Type      uint32 `json:"type"` // int2, int4 or int8
	Start     int64  `json:"start"`
	Increment int64  `json:"increment"`
	Min       int64  `json:"min"`
	Max       int64  `json:"max"`
	Cache     int64  `json:"cache"`
	Cycle     bool   `json:"cycle,omitempty"`
	// Owner and OwnerColumn are the column it goes with; 0 for none. Identity tells
	// that it is part of an identity column.
	Owner       storage.RelationID `json:"owner,omitempty"`
	OwnerColumn uint16             `json:"owner_column,omitempty"`
	Identity    bool               `json:"identity,omitempty"`
	// Values numbers where it stands, the relation's number when 0. A restart that can be
	// rolled back takes a new number.
	Values storage.RelationID `json:"values,omitempty"`
	// First is what comes first under Values when it is not Start.
	First *int64 `json:"first,omitempty"`
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
	// Generated is the SQL text of GENERATED ALWAYS AS (…) STORED, empty for none.
	Generated string
	// Identity is 'a' (always), 'd' (by default) or 0; the sequence's Owner is the column.
	Identity  byte
	Collation string // as written; empty is the type's
	// Missing is the text form of the value that rows have which were stored before the
	// column was added; nil is NULL.
	Missing *string
	Comment string
	ACL     []ACLItem
	// Slot is what stored rows name the column by when it is not ID: a column whose type
	// was changed has a new one, so that older versions of rows are not misread.
	Slot uint16
	// Depends is what Default or Generated needs.
	Depends []Dependency
}

// StoredAs is the number stored rows name the column by.
func (c *Column) StoredAs() uint16 {
	if c.Slot != 0 {
		return c.Slot
	}
	return c.ID
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

// ColumnByID finds the position of the column with a number.
func (r *Relation) ColumnByID(id uint16) (int, bool) {
	for i := range r.Columns {
		if r.Columns[i].ID == id {
			return i, true
		}
	}
	return 0, false
}

// Constraint finds a constraint by its name.
func (r *Relation) Constraint(name string) (*Constraint, bool) {
	for i := range r.Constraints {
		if r.Constraints[i].Name == name {
			return &r.Constraints[i], true
		}
	}
	return nil, false
}

// Trigger finds a trigger by its name.
func (r *Relation) Trigger(name string) (*Trigger, bool) {
	for i := range r.Triggers {
		if r.Triggers[i].Name == name {
			return &r.Triggers[i], true
		}
	}
	return nil, false
}

// Ref names the relation.
func (r *Relation) Ref() Ref { return Ref{Class: ClassRelation, OID: r.OID} }

// Clone returns a copy that shares nothing that could be changed.
func (r *Relation) Clone() *Relation {
	c := *r
	c.row = nil
	c.Columns = slices.Clone(r.Columns)
	for i := range c.Columns {
		c.Columns[i].ACL, c.Columns[i].Depends = slices.Clone(c.Columns[i].ACL), slices.Clone(c.Columns[i].Depends)
	}
	c.Indexes = slices.Clone(r.Indexes)
	for i := range c.Indexes {
		x := &c.Indexes[i]
		x.Columns, x.Keys, x.Include = slices.Clone(x.Columns), slices.Clone(x.Keys), slices.Clone(x.Include)
		x.Depends = slices.Clone(x.Depends)
	}
	c.Gone = slices.Clone(r.Gone)
	c.Constraints = cloneConstraints(r.Constraints)
	c.Triggers = slices.Clone(r.Triggers)
	c.Spatial = r.Spatial.Clone()
	c.ACL = slices.Clone(r.ACL)
	c.Options = make(map[string]string, len(r.Options))
	for k, v := range r.Options {
		c.Options[k] = v
	}
	if r.Query != nil {
		q := *r.Query
		c.Query = &q
	}
	if r.Sequence != nil {
		q := *r.Sequence
		c.Sequence = &q
	}
	return &c
}
