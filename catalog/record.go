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

// recordFormat is the first byte of a record; JSON follows.
const recordFormat = 1

func recordKey(id storage.RelationID) []byte {
	return binary.BigEndian.AppendUint32(bytes.Clone(recordPrefix), uint32(id))
}

// record is a relation as stored. A dropped relation keeps its numbers, so that
// they are not given out again.
type record struct {
	Dropped bool              `json:"dropped,omitempty"`
	Schema  string            `json:"schema,omitempty"`
	Name    string            `json:"name,omitempty"`
	Kind    Kind              `json:"kind,omitempty"`
	Columns []columnRecord    `json:"columns,omitempty"`
	Indexes []indexRecord     `json:"indexes,omitempty"`
	Spatial spatialRecord     `json:"spatial,omitzero"`
	Options map[string]string `json:"options,omitempty"`
	NextCol uint16            `json:"next_column,omitempty"`
}

type columnRecord struct {
	ID      uint16 `json:"id"`
	Name    string `json:"name"`
	Type    uint32 `json:"type"`
	Typmod  int32  `json:"typmod"`
	NotNull bool   `json:"not_null,omitempty"`
	Hidden  bool   `json:"hidden,omitempty"`
	Default string `json:"default,omitempty"`
}

type indexRecord struct {
	ID      storage.IndexID `json:"id"`
	Name    string          `json:"name"`
	Columns []int           `json:"columns"`
	Unique  bool            `json:"unique,omitempty"`
	Primary bool            `json:"primary,omitempty"`
}

type spatialRecord struct {
	Default    *PolicyOverride            `json:"default,omitempty"`
	Properties map[string]*PolicyOverride `json:"properties,omitempty"`
}

func encodeRecord(r *Relation) ([]byte, error) {
	rec := record{
		Schema: r.Schema, Name: r.Name, Kind: r.Kind,
		Spatial: spatialRecord(r.Spatial), Options: r.Options, NextCol: r.NextColumnID,
	}
	for _, c := range r.Columns {
		rec.Columns = append(rec.Columns, columnRecord{c.ID, c.Name, c.Type.OID, c.Typmod, c.NotNull, c.Hidden, c.Default})
	}
	for _, ix := range r.Indexes {
		rec.Indexes = append(rec.Indexes, indexRecord(ix))
	}
	return rec.append()
}

func encodeDropped(r *Relation) ([]byte, error) {
	rec := record{Dropped: true}
	for _, ix := range r.Indexes {
		rec.Indexes = append(rec.Indexes, indexRecord{ID: ix.ID})
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
	if len(key) != len(recordPrefix)+4 || len(value) == 0 || value[0] != recordFormat {
		return nil, false, pgerr.New(pgerr.DataCorrupted, "catalog record %x has an unknown format", key)
	}
	var rec record
	if err := json.Unmarshal(value[1:], &rec); err != nil {
		return nil, false, pgerr.Wrap(err, pgerr.DataCorrupted, "catalog record %x cannot be read: %v", key, err)
	}
	id := storage.RelationID(binary.BigEndian.Uint32(key[len(recordPrefix):]))
	r = &Relation{
		ID: id, OID: FirstOID + uint32(id), Schema: rec.Schema, Name: rec.Name, Kind: rec.Kind,
		Spatial: SpatialConfig(rec.Spatial), Options: rec.Options, NextColumnID: rec.NextCol,
	}
	for _, c := range rec.Columns {
		t, ok := types.ByOID(c.Type)
		if !ok {
			return nil, false, pgerr.New(pgerr.DataCorrupted, "column %s.%s has unknown type %d", rec.Name, c.Name, c.Type)
		}
		r.Columns = append(r.Columns, Column{c.ID, c.Name, t, c.Typmod, c.NotNull, c.Hidden, c.Default})
	}
	for _, ix := range rec.Indexes {
		for _, c := range ix.Columns {
			if c < 0 || c >= len(r.Columns) {
				return nil, false, pgerr.New(pgerr.DataCorrupted, "index %s names column %d", ix.Name, c)
			}
		}
		r.Indexes = append(r.Indexes, Index(ix))
	}
	return r, rec.Dropped, nil
}
