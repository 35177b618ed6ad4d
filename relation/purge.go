package relation

import (
	"encoding/binary"
	"slices"

	"raisind/catalog"
	"raisind/storage"
)

// A purged relation is remembered, so that its rows are deleted once and not at
// every start. Key: the prefix and the relation's number in four bytes, big endian.
var purgedPrefix = []byte("purged/")

func purgedKey(rel storage.RelationID) []byte {
	return binary.BigEndian.AppendUint32(slices.Clone(purgedPrefix), uint32(rel))
}

// Purge deletes what is stored of relations that were dropped and that no open view
// can read any more. It is called now and then; what is still read waits for the
// next call.
func (ix *Indexer) Purge() error {
	for _, d := range ix.cat.TakeDropped(ix.db.OldestActive()) {
		if err := ix.purge(d); err != nil {
			return err
		}
	}
	return nil
}

func (ix *Indexer) purge(d catalog.Dropped) error {
	if _, done, err := ix.db.GetMeta(purgedKey(d.ID)); done || err != nil {
		return err
	}
	indexes := make([]storage.IndexID, 0, len(d.Indexes))
	for _, x := range d.Indexes {
		indexes = append(indexes, x.ID)
	}
	indexes = append(indexes, d.Gone...)
	if err := ix.db.Purge(d.ID, indexes); err != nil {
		return err
	}
	if err := ix.Drop(d.ID); err != nil {
		return err
	}
	return ix.db.PutMeta(false, storage.MetaKV{Key: purgedKey(d.ID), Value: []byte{1}})
}
