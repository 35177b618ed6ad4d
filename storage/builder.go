package storage

import (
	"context"
	"encoding/binary"
	"errors"

	"github.com/cockroachdb/pebble/v2"

	"raisind/storage/keys"
)

// builder turns the writes of a transaction into a batch. It does so before the commit has a revision; the
// places of the revision are filled in by stamp. Builders are reused.
type builder struct {
	db       *DB
	batch    *pebble.Batch
	reads    *pebble.Iterator // committed rows, for the old values; opened with the first the cache lacks
	head     []byte           // an old value from the cache
	entries  Entries
	info     CommitInfo
	changes  []objectID
	inFlight inFlight
	key      []byte // scratch
}

func (db *DB) newBuilder() *builder {
	b, _ := db.builders.Get().(*builder)
	if b == nil {
		b = &builder{db: db}
	}
	return b
}

func (db *DB) freeBuilder(b *builder) {
	if b.batch != nil {
		b.batch.Close()
	}
	b.batch = nil
	b.info = CommitInfo{}
	b.changes = b.changes[:0]
	b.inFlight = inFlight{}
	b.entries.reset()
	db.builders.Put(b)
}

// build fills the batch with what t wrote and what d derives from it.
func (b *builder) build(ctx context.Context, t *Txn, d Deriver) (err error) {
	defer b.closeReads(&err)
	b.batch = b.db.p.NewBatch()
	b.slot()
	for _, w := range t.writes.relations {
		if err := b.relation(ctx, t, w, d); err != nil {
			return err
		}
	}
	if err := b.uniques(); err != nil {
		return err
	}
	b.meta(t.writes.meta)
	return b.withinLimit()
}

// slot reserves the record from which the newest revision is recovered.
func (b *builder) slot() {
	op := b.batch.SetDeferred(3, 8)
	op.Key[0], op.Key[1], op.Key[2] = keys.LocalFamily, byte(keys.RevisionSlot), 0
	clear(op.Value)
	op.Finish()
}

func (b *builder) relation(ctx context.Context, t *Txn, w *relationWrites, d Deriver) error {
	if err := b.db.rowIDs.failed(w.rel); err != nil {
		return err
	}
	rows := b.info.Rows
	it := w.rows.Iter()
	for ok := it.First(); ok; ok = it.Next() {
		row, value := it.Key(), it.Value().value
		old, rev, err := b.committed(w.rel, row)
		if err != nil {
			return err
		}
		if t.pinned && rev > t.snapshot.rev {
			return ErrSerialization
		}
		if old == nil && value == nil {
			continue
		}
		b.row(w.rel, row, value)
		if err := b.derive(d, w.rel, row, old, value); err != nil {
			return err
		}
		b.spatial(w.rel, row)
		if b.info.Rows%checkEvery == 0 {
			if err := context.Cause(ctx); err != nil {
				return err
			}
			if err := b.withinLimit(); err != nil {
				return err
			}
		}
	}
	if b.info.Rows > rows {
		b.changes = append(b.changes, objectID{id: uint32(w.rel)})
	}
	return nil
}

// committed returns the newest committed value of a row, nil when there is none, and its revision. The
// row's lock keeps it so until the commit. The value lives until the next call.
func (b *builder) committed(rel RelationID, row RowID) ([]byte, Revision, error) {
	b.key = keys.Row{Relation: rel, Row: row, Revision: keys.MaxRevision}.Append(b.key[:0])
	if stored, rev, ok := b.db.heads.get(b.head[:0], b.key); ok {
		b.head = stored
		payload, _, err := keys.DecodeValue(stored)
		return payload, rev, storeError(err)
	}
	if b.reads == nil {
		var err error
		if b.reads, err = b.db.p.NewIter(&pointReads); err != nil {
			return nil, 0, storeError(err)
		}
	}
	if !b.reads.SeekPrefixGE(b.key) {
		return nil, 0, storeError(b.reads.Error())
	}
	k, err := keys.DecodeRow(b.reads.Key())
	if err != nil {
		return nil, 0, storeError(err)
	}
	stored, err := b.reads.ValueAndErr()
	if err != nil {
		return nil, 0, storeError(err)
	}
	payload, _, err := keys.DecodeValue(stored)
	return payload, k.Revision, storeError(err)
}

func (b *builder) closeReads(err *error) {
	if b.reads != nil {
		*err = errors.Join(*err, storeError(b.reads.Close()))
		b.reads = nil
	}
}

func (b *builder) derive(d Deriver, rel RelationID, row RowID, old, cur []byte) error {
	b.entries.row = row
	b.entries.spatial = b.entries.spatial[:0]
	if d == nil {
		return nil
	}
	return d.Derive(rel, row, old, cur, &b.entries)
}

// row writes a row version; nil: a deletion.
func (b *builder) row(rel RelationID, row RowID, value []byte) {
	op := b.batch.SetDeferred(keys.RowLen, keys.ValueHeadLen+len(value))
	keys.Row{Relation: rel, Row: row}.Append(op.Key[:0])
	if value != nil {
		keys.AppendLive(op.Value[:0])
		copy(op.Value[keys.ValueHeadLen:], value)
	} else {
		keys.AppendDeleted(op.Value[:0])
	}
	op.Finish()
	b.info.Rows++
	b.info.Keys++
}

// spatial writes the spatial entries of the row derived last.
func (b *builder) spatial(rel RelationID, row RowID) {
	for _, e := range b.entries.settleSpatial() {
		value := b.entries.at(e.value)
		op := b.batch.SetDeferred(keys.SpatialLen, len(value))
		keys.Spatial{
			Relation: rel, Property: e.prop, Precision: e.prec &^ wideBit, Wide: e.prec&wideBit != 0,
			Cell: e.cell, Row: row, Tombstone: e.tombstone,
		}.Append(op.Key[:0])
		copy(op.Value, value)
		op.Finish()
		b.countSpatial(e)
	}
}

func (b *builder) countSpatial(e spatialEntry) {
	b.info.Keys++
	if e.tombstone {
		b.info.SpatialTombstones++
	} else {
		b.info.SpatialLive++
	}
}

// uniques writes the unique keys of all rows.
func (b *builder) uniques() error {
	list, err := b.entries.settleUniques()
	if err != nil {
		return err
	}
	var value [16]byte
	for _, e := range list {
		b.key = keys.Unique{Index: e.index, Key: b.entries.at(e.key)}.Append(b.key[:0])
		if e.gone {
			b.set(b.key, keys.AppendDeleted(value[:0]))
		} else {
			b.set(b.key, keys.AppendRowID(value[:0], e.row))
		}
		id := objectID{index: true, id: uint32(e.index)}
		if n := len(b.changes); n == 0 || b.changes[n-1] != id { // the list is sorted by index
			b.changes = append(b.changes, id)
		}
	}
	return nil
}

func (b *builder) meta(m *metaWrites) {
	if m == nil {
		return
	}
	m.records.Scan(func(key string, value []byte) bool {
		b.key = keys.Catalog{Key: []byte(key)}.Append(b.key[:0])
		if value == nil {
			b.set(b.key, keys.AppendDeleted(nil))
		} else {
			b.set(b.key, append(keys.AppendLive(nil), value...))
		}
		return true
	})
}

func (b *builder) set(key, value []byte) {
	op := b.batch.SetDeferred(len(key), len(value))
	copy(op.Key, key)
	copy(op.Value, value)
	op.Finish()
	b.info.Keys++
}

func (b *builder) withinLimit() error {
	b.info.Bytes = int64(b.batch.Len())
	if b.info.Bytes > MaxCommitBytes {
		return ErrTooLarge
	}
	return nil
}

// stamp writes the revision into every key that has one and into the slot record. The batch is not applied
// and has no index, so its bytes may still be changed in place.
func (b *builder) stamp(rev Revision, slot int) error {
	for r := b.batch.Reader(); len(r) > 0; {
		_, key, value, ok, err := r.Next()
		if !ok {
			return errors.Join(err, keys.ErrCorrupt)
		}
		if n := keys.Split(key); n < len(key) {
			keys.PutRevision(key[n:], rev)
		} else {
			key[len(key)-1] = byte(slot)
			binary.BigEndian.PutUint64(value, uint64(rev))
		}
	}
	return nil
}

// dry counts what would be derived from the rows written since a view.
func (b *builder) dry(t *Txn, d Deriver, since *View) (err error) {
	defer b.closeReads(&err)
	var seq uint64
	if since != nil {
		seq = since.seq
	}
	for _, w := range t.writes.relations {
		it := w.rows.Iter()
		for ok := it.First(); ok; ok = it.Next() {
			now := it.Value()
			if now.seq <= seq {
				continue
			}
			old, _, err := b.committed(w.rel, it.Key())
			if err != nil {
				return err
			}
			if since != nil {
				if rows := since.own.rows(w.rel); rows != nil {
					if before, own := rows.Get(it.Key()); own {
						old = before.value
					}
				}
			}
			if old == nil && now.value == nil {
				continue
			}
			if err := b.derive(d, w.rel, it.Key(), old, now.value); err != nil {
				return err
			}
			b.info.Rows++
			b.info.Keys++
			for _, e := range b.entries.settleSpatial() {
				b.countSpatial(e)
				b.info.Bytes += int64(keys.SpatialLen + e.value.to - e.value.from)
			}
			b.info.Bytes += int64(keys.RowLen + keys.ValueHeadLen + len(now.value))
		}
	}
	list, err := b.entries.settleUniques()
	b.info.Keys += len(list)
	return err
}
