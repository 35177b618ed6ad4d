package catalog

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"fmt"

	"raisind/pgerr"
	"raisind/sql/types"
	"raisind/storage"
)

// recordPrefix starts the key of every relation's record: the prefix, then the
// relation's number in four bytes, big endian.
var recordPrefix = []byte("rel/")

// recordFormat is the first byte of a record; JSON follows. Format 1 knew unique
// indexes alone, and no OIDs but the relation's.
const (
	recordFormat    = 2
	oldRecordFormat = 1
)

func recordKey(id storage.RelationID) []byte {
	return binary.BigEndian.AppendUint32(bytes.Clone(recordPrefix), uint32(id))
}

// record is a relation as stored. A dropped relation keeps its numbers, so that
// they are not given out again.
type record struct {
	Dropped     bool              `json:"dropped,omitempty"`
	Schema      string            `json:"schema,omitempty"`
	Name        string            `json:"name,omitempty"`
	Kind        Kind              `json:"kind,omitempty"`
	Columns     []columnRecord    `json:"columns,omitempty"`
	Indexes     []indexRecord     `json:"indexes,omitempty"`
	Gone        []storage.IndexID `json:"gone,omitempty"`
	Constraints []Constraint      `json:"constraints,omitempty"`
	Triggers    []Trigger         `json:"triggers,omitempty"`
	Spatial     spatialRecord     `json:"spatial,omitzero"`
	Options     map[string]string `json:"options,omitempty"`
	NextCol     uint16            `json:"next_column,omitempty"`
	Persistence Persistence       `json:"persistence,omitempty"`
	OnCommit    string            `json:"on_commit,omitempty"`
	TypeOID     uint32            `json:"row_type,omitempty"`
	ArrayOID    uint32            `json:"row_array,omitempty"`
	Query       *Query            `json:"query,omitempty"`
	Sequence    *SequenceDef      `json:"sequence,omitempty"`
	Comment     string            `json:"comment,omitempty"`
	Security
}

type columnRecord struct {
	ID        uint16       `json:"id"`
	Name      string       `json:"name"`
	Type      uint32       `json:"type"`
	Typmod    int32        `json:"typmod"`
	NotNull   bool         `json:"not_null,omitempty"`
	Hidden    bool         `json:"hidden,omitempty"`
	Default   string       `json:"default,omitempty"`
	Generated string       `json:"generated,omitempty"`
	Identity  byte         `json:"identity,omitempty"`
	Collation string       `json:"collation,omitempty"`
	Missing   *string      `json:"missing,omitempty"`
	Comment   string       `json:"comment,omitempty"`
	ACL       []ACLItem    `json:"acl,omitempty"`
	Slot      uint16       `json:"slot,omitempty"`
	Depends   []Dependency `json:"depends,omitempty"`
}

type indexRecord struct {
	ID               storage.IndexID   `json:"id"`
	OID              uint32            `json:"oid,omitempty"`
	Name             string            `json:"name"`
	Columns          []int             `json:"columns"`
	Keys             []IndexKey        `json:"keys,omitempty"`
	Unique           bool              `json:"unique,omitempty"`
	Primary          bool              `json:"primary,omitempty"`
	NullsNotDistinct bool              `json:"nulls_not_distinct,omitempty"`
	Include          []int             `json:"include,omitempty"`
	Method           string            `json:"method,omitempty"`
	Predicate        string            `json:"predicate,omitempty"`
	Format           IndexFormat       `json:"format,omitempty"`
	Options          map[string]string `json:"options,omitempty"`
	Invalid          bool              `json:"invalid,omitempty"`
	Comment          string            `json:"comment,omitempty"`
	Depends          []Dependency      `json:"depends,omitempty"`
}

type spatialRecord struct {
	Default    *PolicyOverride            `json:"default,omitempty"`
	Properties map[string]*PolicyOverride `json:"properties,omitempty"`
}

func encodeRecord(r *Relation) ([]byte, error) {
	rec := record{
		Schema: r.Schema, Name: r.Name, Kind: r.Kind,
		Gone: r.Gone, Constraints: r.Constraints, Triggers: r.Triggers,
		Spatial: spatialRecord(r.Spatial), Options: r.Options, NextCol: r.NextColumnID,
		Persistence: r.Persistence, OnCommit: r.OnCommit, TypeOID: r.TypeOID, ArrayOID: r.ArrayOID,
		Query: r.Query, Sequence: r.Sequence, Comment: r.Comment, Security: r.Security,
	}
	for _, c := range r.Columns {
		rec.Columns = append(rec.Columns, columnRecord{
			ID: c.ID, Name: c.Name, Type: c.Type.OID, Typmod: c.Typmod, NotNull: c.NotNull, Hidden: c.Hidden,
			Default: c.Default, Generated: c.Generated, Identity: c.Identity, Collation: c.Collation,
			Missing: c.Missing, Comment: c.Comment, ACL: c.ACL, Slot: c.Slot, Depends: c.Depends,
		})
	}
	for _, ix := range r.Indexes {
		rec.Indexes = append(rec.Indexes, indexRecord(ix))
	}
	return rec.append()
}

func encodeDropped(r *Relation) ([]byte, error) {
	rec := record{Dropped: true, Gone: r.Gone, TypeOID: r.TypeOID, ArrayOID: r.ArrayOID}
	for _, ix := range r.Indexes {
		rec.Indexes = append(rec.Indexes, indexRecord{ID: ix.ID, OID: ix.OID})
	}
	return rec.append()
}

func (rec *record) append() ([]byte, error) {
	b, err := json.Marshal(rec)
	if err != nil {
		return nil, fmt.Errorf("catalog: encode %s: %w", rec.Name, err)
	}
	return append([]byte{recordFormat}, b...), nil
}

// decodeRecord reads a record. Of a dropped relation only the numbers are there.
func decodeRecord(key, value []byte) (r *Relation, dropped bool, err error) {
	if len(key) != len(recordPrefix)+4 || len(value) == 0 || value[0] != recordFormat && value[0] != oldRecordFormat {
		return nil, false, pgerr.New(pgerr.DataCorrupted, "catalog record %x has an unknown format", key)
	}
	var rec record
	if err := json.Unmarshal(value[1:], &rec); err != nil {
		return nil, false, pgerr.Wrap(err, pgerr.DataCorrupted, "catalog record %x cannot be read: %v", key, err)
	}
	id := storage.RelationID(binary.BigEndian.Uint32(key[len(recordPrefix):]))
	r = &Relation{
		ID: id, OID: RelationOID(id), Schema: rec.Schema, Name: rec.Name, Kind: rec.Kind,
		Gone: rec.Gone, Constraints: rec.Constraints, Triggers: rec.Triggers,
		Spatial: SpatialConfig(rec.Spatial), Options: rec.Options, NextColumnID: rec.NextCol,
		Persistence: rec.Persistence, OnCommit: rec.OnCommit, TypeOID: rec.TypeOID, ArrayOID: rec.ArrayOID,
		Query: rec.Query, Sequence: rec.Sequence, Comment: rec.Comment, Security: rec.Security,
	}
	for _, c := range rec.Columns {
		t, ok := types.ByOID(c.Type)
		if !ok {
			t = &types.Type{OID: c.Type} // a user's; the snapshot knows it
		}
		r.Columns = append(r.Columns, Column{
			ID: c.ID, Name: c.Name, Type: t, Typmod: c.Typmod, NotNull: c.NotNull, Hidden: c.Hidden,
			Default: c.Default, Generated: c.Generated, Identity: c.Identity, Collation: c.Collation,
			Missing: c.Missing, Comment: c.Comment, ACL: c.ACL, Slot: c.Slot, Depends: c.Depends,
		})
	}
	for _, ix := range rec.Indexes {
		for i, c := range ix.Columns {
			expr := c == ExprColumn && i < len(ix.Keys) && ix.Keys[i].Expr != ""
			if !expr && (c < 0 || c >= len(r.Columns)) {
				return nil, false, pgerr.New(pgerr.DataCorrupted, "index %s names column %d", ix.Name, c)
			}
		}
		for _, c := range ix.Include {
			if c < 0 || c >= len(r.Columns) {
				return nil, false, pgerr.New(pgerr.DataCorrupted, "index %s includes column %d", ix.Name, c)
			}
		}
		r.Indexes = append(r.Indexes, Index(ix))
	}
	if value[0] == oldRecordFormat && !rec.Dropped {
		r.complete()
	}
	return r, rec.Dropped, nil
}

// complete adds what records of format 1 do not have.
func (r *Relation) complete() {
	r.TypeOID, r.ArrayOID = oldTypeOID|uint32(r.ID), oldArrayOID|uint32(r.ID)
	for i := range r.Indexes {
		x := &r.Indexes[i]
		x.OID = oldIndexOID | uint32(x.ID)
		r.Constraints = append(r.Constraints, r.ConstraintOf(x, oldConstraintOID|uint32(x.ID)))
	}
}

// ConstraintOf makes the constraint that a unique index over columns enforces.
func (r *Relation) ConstraintOf(x *Index, oid uint32) Constraint {
	c := Constraint{OID: oid, Name: x.Name, Kind: ConstraintUnique, Index: x.ID}
	if x.Primary {
		c.Kind = ConstraintPrimary
	}
	for _, col := range x.Columns {
		c.Columns = append(c.Columns, r.Columns[col].ID)
	}
	return c
}
