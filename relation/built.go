package relation

import (
	"encoding/binary"
	"slices"
	"sync"

	"raisind/catalog"
	"raisind/storage"
)

// An index that is being built is noted before its first key is written, so that its
// number is not given out again when the transaction fails. Key: the prefix and the
// index's number in four bytes, big endian.
var builtPrefix = []byte("built/")

// NoteBuild tells the store that keys of an index are about to be written.
func NoteBuild(db *storage.DB, id storage.IndexID) error {
	return db.PutMeta(false, storage.MetaKV{Key: binary.BigEndian.AppendUint32(slices.Clone(builtPrefix), uint32(id)), Value: []byte{1}})
}

// purgeBuilds deletes the keys of indexes that were built by transactions that failed,
// and keeps the numbers of all from being used again. To be called when the store is
// opened.
func (ix *Indexer) purgeBuilds() error {
	known := map[storage.IndexID]bool{}
	for _, r := range ix.cat.Current().Relations() {
		for i := range r.Indexes {
			known[r.Indexes[i].ID] = true
		}
	}
	var stale []storage.IndexID
	err := ix.db.ScanMeta(builtPrefix, func(key, _ []byte) error {
		if len(key) == len(builtPrefix)+4 {
			id := storage.IndexID(binary.BigEndian.Uint32(key[len(builtPrefix):]))
			ix.cat.UsedIndexID(id)
			if !known[id] {
				stale = append(stale, id)
			}
		}
		return nil
	})
	for _, id := range stale {
		if err == nil {
			err = ix.db.PurgeIndex(id)
		}
	}
	return err
}

// builtBeside are, of an index that a transaction builds, the rows the transaction had
// written before: their keys come with its commit, and no earlier ones are there.
type builtBeside struct{ m sync.Map }

// NoteOwnRows tells which rows the transaction that builds an index had written itself.
func (ix *Indexer) NoteOwnRows(id storage.IndexID, rows map[storage.RowID]struct{}) {
	if len(rows) > 0 {
		ix.beside.m.Store(id, rows)
		ix.building.Add(1)
	}
}

// enteredAtCommit reports whether the row was written by the transaction that builds
// the index, before it did.
func (ix *Indexer) enteredAtCommit(r *catalog.Relation, x *catalog.Index, row storage.RowID) bool {
	if ix.building.Load() == 0 {
		return false
	}
	got, ok := ix.beside.m.Load(x.ID)
	if !ok {
		return false
	}
	if now, ok := ix.cat.Current().ByID(r.ID); ok && slices.ContainsFunc(now.Indexes, func(o catalog.Index) bool { return o.ID == x.ID }) {
		if _, was := ix.beside.m.LoadAndDelete(x.ID); was {
			ix.building.Add(-1)
		}
		return false // another transaction built it, and has committed
	}
	_, own := got.(map[storage.RowID]struct{})[row]
	return own
}
