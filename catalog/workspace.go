package catalog

import (
	"raisind/sql/types"
)

// Positions of a workspace's columns.
const (
	ColID = iota
	ColPath
	ColParentPath
	ColName
	ColNodeType
	ColProperties
	ColVersion
	ColCreatedAt
	ColUpdatedAt
	workspaceColumns
)

// WorkspaceColumns are the columns every workspace has, in their order. The pseudo
// columns __revision and __distance are not stored and not among them.
func WorkspaceColumns() []Column {
	col := func(name string, t *types.Type) Column {
		return Column{Name: name, Type: t, Typmod: -1, NotNull: true}
	}
	cols := []Column{
		ColID:         col("id", types.TUUID),
		ColPath:       col("path", types.TText),
		ColParentPath: col("parent_path", types.TText),
		ColName:       col("name", types.TText),
		ColNodeType:   col("node_type", types.TText),
		ColProperties: col("properties", types.TJSONB),
		ColVersion:    col("version", types.TInt4),
		ColCreatedAt:  col("created_at", types.TTimestamptz),
		ColUpdatedAt:  col("updated_at", types.TTimestamptz),
	}
	for i := range cols {
		cols[i].ID = uint16(i + 1)
	}
	return cols
}

// NewWorkspace makes a workspace that Create may be given. Its numbers are new.
func (c *Catalog) NewWorkspace(name string) *Relation {
	r := c.NewRelation(Workspace, DefaultSchema, name)
	r.Columns, r.NextColumnID = WorkspaceColumns(), workspaceColumns+1
	r.Indexes = []Index{
		{ID: c.NextIndexID(), OID: c.NextOID(), Name: name + "_pkey", Columns: []int{ColID}, Unique: true, Primary: true},
		{ID: c.NextIndexID(), OID: c.NextOID(), Name: name + "_path_key", Columns: []int{ColPath}, Unique: true},
	}
	for i := range r.Indexes {
		r.Constraints = append(r.Constraints, r.ConstraintOf(&r.Indexes[i], c.NextOID()))
	}
	return r
}

// NewRelation makes a relation without columns that Create may be given once it has
// what its kind needs. Its numbers are new.
func (c *Catalog) NewRelation(kind Kind, schema, name string) *Relation {
	id := c.NextRelationID()
	r := &Relation{ID: id, OID: RelationOID(id), Schema: schema, Name: name, Kind: kind, Options: map[string]string{}, NextColumnID: 1}
	if kind != Sequence {
		r.TypeOID, r.ArrayOID = c.NextOID(), c.NextOID()
	}
	return r
}

// PathIndex is the unique index over a workspace's paths.
func (r *Relation) PathIndex() *Index { return &r.Indexes[1] }
