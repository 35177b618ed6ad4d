package storage

import (
	"unsafe"

	"github.com/cockroachdb/pebble/v2"

	"raisind/storage/keys"
)

// GetLatest reads the row as it is now, newest commit or own write, whatever the isolation. The value is a
// copy. To be called with the row locked; cheaper than a view when a row is written after it.
func (t *Txn) GetLatest(rel RelationID, row RowID) (value []byte, rev Revision, ok bool, err error) {
	if t.done {
		return nil, 0, false, ErrTxnDone
	}
	if rows := t.writes.rows(rel); rows != nil {
		if w, own := rows.Get(row); own {
			return w.value, 0, w.value != nil, nil
		}
	}
	key := keys.Row{Relation: rel, Row: row, Revision: t.db.Visible()}
	err = t.db.seekOnce(key.Append(nil), func(found Revision, stored []byte) error {
		payload, live, err := keys.DecodeValue(stored)
		if live {
			value, rev, ok = append([]byte{}, payload...), found, true
		}
		return err
	})
	return value, rev, ok, err
}

// LookupLatest finds the row that holds a unique key now, in the newest commit or by an own write, whatever
// the isolation. To be called with the key locked: then this is the uniqueness check.
func (t *Txn) LookupLatest(index IndexID, key []byte) (row RowID, ok bool, err error) {
	if t.done {
		return 0, false, ErrTxnDone
	}
	if own := t.writes.keys(index); own != nil {
		if w, found := own.Get(unsafe.String(unsafe.SliceData(key), len(key))); found {
			return w.row, !w.gone, nil
		}
	}
	var buf [64]byte
	k := keys.Unique{Index: index, Key: key, Revision: t.db.Visible()}.Append(buf[:0])
	err = t.db.seekOnce(k, func(_ Revision, stored []byte) error {
		var err error
		row, ok, err = keys.DecodeRowID(stored)
		return err
	})
	return row, ok, err
}

// rowChangedAfter tells whether the row has a visible version newer than rev.
func (db *DB) rowChangedAfter(rel RelationID, row RowID, rev Revision) (changed bool, err error) {
	if !db.changes.after(objectID{id: uint32(rel)}, rev) || !db.recent.after(rel, row, rev) {
		return false, nil
	}
	var buf [keys.RowLen]byte
	key := keys.Row{Relation: rel, Row: row, Revision: db.Visible()}.Append(buf[:0])
	err = db.seekOnce(key, func(found Revision, _ []byte) error {
		changed = found > rev
		return nil
	})
	return changed, err
}

// keyChangedAfter is rowChangedAfter for a unique key.
func (db *DB) keyChangedAfter(index IndexID, key string, rev Revision) (changed bool, err error) {
	if !db.changes.after(objectID{index: true, id: uint32(index)}, rev) {
		return false, nil
	}
	k := keys.Unique{Index: index, Key: []byte(key), Revision: db.Visible()}.Append(nil)
	err = db.seekOnce(k, func(found Revision, _ []byte) error {
		changed = found > rev
		return nil
	})
	return changed, err
}

// seekOnce calls fn with the version that key, a complete key, asks for, if there is one, and what is stored
// under it, which lives until fn returns.
func (db *DB) seekOnce(key []byte, fn func(rev Revision, stored []byte) error) error {
	if !db.registry.enter() {
		return ErrClosed
	}
	defer db.registry.leave()
	var buf [512]byte
	if stored, rev, ok := db.heads.get(buf[:0], key); ok {
		return storeError(fn(rev, stored))
	}
	it, err := db.p.NewIter(&pointReads)
	if err != nil {
		return storeError(err)
	}
	if it.SeekPrefixGE(key) {
		var stored []byte
		if stored, err = it.ValueAndErr(); err == nil {
			k := it.Key()
			err = fn(keys.RevisionOf(k[keys.Split(k):]), stored)
		}
	}
	if closeErr := it.Close(); err == nil { // tells a failed seek as well
		err = closeErr
	}
	return storeError(err)
}

// iterOptions bound an iterator to [lower, upper).
func iterOptions(lower, upper []byte) pebble.IterOptions {
	return pebble.IterOptions{LowerBound: lower, UpperBound: upper}
}
