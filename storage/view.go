package storage

import (
	"cmp"
	"context"
	"errors"
	"unsafe"

	"github.com/cockroachdb/pebble/v2"

	"raisind/storage/keys"
)

// View reads one revision, with the own writes of its transaction up to the moment it was taken. Not safe
// for concurrent use, not even with its transaction. To be closed.
//
// Versions newer than the revision may lie in the store beside those it reads; every read leaves them out.
// So a view needs no snapshot of Pebble, only a pin that keeps what it reads from being pruned.
type View struct {
	db      *DB
	pin     pin
	own     writeSet
	seq     uint64   // of the last own row write in it
	reads   *readSet // nil: reads are not recorded
	history bool     // opened at a revision that may lie below a horizon
	closed  bool

	ctx   context.Context  // of Bind
	point *pebble.Iterator // for point reads, opened with the first
	head  []byte           // what the last point read found in the cache
	open  []*iterBase      // open iterators
	key   [64]byte         // scratch
}

var errViewClosed = errors.New("storage: view is closed")

// Revision is what the view reads.
func (v *View) Revision() Revision { return v.pin.rev }

// Bind ends iterators of this view opened from now on with the cause of ctx once it is done.
func (v *View) Bind(ctx context.Context) { v.ctx = ctx }

// Close releases the view, closing iterators still open.
func (v *View) Close() error {
	if v.closed {
		return nil
	}
	v.closed = true
	var err error
	for len(v.open) > 0 {
		err = cmp.Or(err, v.open[len(v.open)-1].close())
	}
	if v.point != nil {
		err = cmp.Or(err, storeError(v.point.Close()))
	}
	v.db.registry.unpin(&v.pin)
	return err
}

// Get reads a row. The value is a copy the caller may keep and must not change. rev is 0 for an own write.
func (v *View) Get(rel RelationID, row RowID) (value []byte, rev Revision, ok bool, err error) {
	value, rev, ok, err = v.Peek(rel, row)
	if rev != 0 {
		value = append(make([]byte, 0, len(value)), value...)
	}
	return value, rev, ok, err
}

// Peek is Get without the copy: the value lives until the next call on the view.
func (v *View) Peek(rel RelationID, row RowID) (value []byte, rev Revision, ok bool, err error) {
	if rows := v.own.rows(rel); rows != nil {
		if w, own := rows.Get(row); own {
			return w.value, 0, w.value != nil, nil
		}
	}
	if err := v.check(rel); err != nil {
		return nil, 0, false, err
	}
	if v.reads != nil {
		v.reads.row(rel, row)
	}
	value, rev, ok, err = v.seek(keys.Row{Relation: rel, Row: row, Revision: v.pin.rev}.Append(v.key[:0]))
	if err != nil || !ok {
		return nil, 0, false, err
	}
	payload, live, err := keys.DecodeValue(value)
	if err != nil || !live {
		return nil, 0, false, storeError(err)
	}
	return payload, rev, true, nil
}

// LookupUnique finds the row that holds a unique key, own writes included. Indexes keep less of the past than
// rows: a view of history that they do not reach back to gets ErrSnapshotTooOld and has to read the rows.
func (v *View) LookupUnique(index IndexID, key []byte) (RowID, bool, error) {
	if own := v.own.keys(index); own != nil {
		if w, found := own.Get(unsafe.String(unsafe.SliceData(key), len(key))); found {
			return w.row, !w.gone, nil
		}
	}
	if err := v.checkIndex(); err != nil {
		return 0, false, err
	}
	if v.reads != nil {
		v.reads.key(index, key)
	}
	value, _, ok, err := v.seek(keys.Unique{Index: index, Key: key, Revision: v.pin.rev}.Append(v.key[:0]))
	if err != nil || !ok {
		return 0, false, err
	}
	row, live, err := keys.DecodeRowID(value)
	return row, live, storeError(err)
}

// GetMeta reads a catalog record, own writes included. The value is a copy.
func (v *View) GetMeta(key []byte) ([]byte, bool, error) {
	if m := v.own.meta; m != nil {
		if value, own := m.records.Get(unsafe.String(unsafe.SliceData(key), len(key))); own {
			return value, value != nil, nil
		}
	}
	if v.closed {
		return nil, false, errViewClosed
	}
	value, ok, err := v.search(keys.Catalog{Key: key, Revision: v.pin.rev}.Append(v.key[:0]))
	if err != nil || !ok {
		return nil, false, err
	}
	payload, live, err := keys.DecodeValue(value)
	if err != nil || !live {
		return nil, false, storeError(err)
	}
	return append([]byte{}, payload...), true, nil
}

// Changed tells whether the row has a committed version newer than the view. Asked with the row locked, the
// answer holds as long as the lock; a lock got without waiting needs the question as well.
func (v *View) Changed(rel RelationID, row RowID) (bool, error) {
	return v.db.rowChangedAfter(rel, row, v.pin.rev)
}

// OwnDeletedOrChanged counts the rows of rel that the transaction had written when the view was taken.
func (v *View) OwnDeletedOrChanged(rel RelationID) int {
	if rows := v.own.rows(rel); rows != nil {
		return rows.Len()
	}
	return 0
}

// seek finds the version that key, a complete row or unique key at the view's revision, asks for: itself or
// the next older one of its prefix. The value lives until the next call.
func (v *View) seek(key []byte) (value []byte, rev Revision, ok bool, err error) {
	if value, rev, ok = v.db.heads.get(v.head[:0], key); ok {
		v.head = value
		return value, rev, true, nil
	}
	if value, ok, err = v.search(key); err != nil || !ok {
		return nil, 0, false, err
	}
	k := v.point.Key()
	v.db.heads.found(k, value, v.pin.rev)
	return value, keys.RevisionOf(k[keys.Split(k):]), true, nil
}

// search is seek for any key, in the store; point stands on what it found.
func (v *View) search(key []byte) (value []byte, ok bool, err error) {
	if v.point == nil {
		v.point, err = v.db.p.NewIter(&pointReads)
		if err != nil {
			return nil, false, storeError(err)
		}
	}
	if !v.point.SeekPrefixGE(key) {
		return nil, false, storeError(v.point.Error())
	}
	value, err = v.point.ValueAndErr()
	return value, true, storeError(err)
}

// pointReads asks the bloom filters of the last level too: a miss then reads no block.
var pointReads = pebble.IterOptions{UseL6Filters: true}

// check refuses a closed view and, for history, a relation pruned above its revision.
func (v *View) check(rel RelationID) error {
	if v.closed {
		return errViewClosed
	}
	if v.history && v.pin.rev < v.db.Horizon(rel) {
		return ErrSnapshotTooOld
	}
	return nil
}

// checkIndex is check for index entries.
func (v *View) checkIndex() error {
	if v.closed {
		return errViewClosed
	}
	if v.history && int64(v.pin.rev) < v.db.pruner.index.Load() {
		return ErrSnapshotTooOld
	}
	return nil
}
