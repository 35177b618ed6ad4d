package storage

import (
	"github.com/tidwall/btree"

	"raisind/storage/keys"
)

// RowIter iterates over rows. Next, then Err, and Close in every case.
type RowIter struct {
	base     iterBase
	versions bool // every version, not only the newest
	stored   storedRow
	own      ownRows
	row      RowID
	rev      Revision
	value    []byte
}

// storedRow is the next committed row, read ahead of the own ones.
type storedRow struct {
	ok    bool // holds a row not yet returned
	ended bool
	row   RowID
	rev   Revision
	value []byte
}

// ownRows walks the writes of the transaction.
type ownRows struct {
	ok  bool // on a write not yet returned
	all bool // deletions too, which hide stored rows
	it  btree.MapIter[RowID, rowWrite]
}

// Rows iterates over the rows of rel in ascending row id, own writes merged.
func (v *View) Rows(rel RelationID) *RowIter { return v.RowsFrom(rel, 0) }

// RowsFrom is Rows starting at row id first.
func (v *View) RowsFrom(rel RelationID, first RowID) *RowIter {
	it := new(RowIter)
	it.open(v, rel, first)
	if rows := v.own.rows(rel); rows != nil {
		it.own.start(rows, first, true)
	}
	if v.reads != nil {
		v.reads.relation(rel)
	}
	return it
}

// Versions iterates over every retained committed version up to the view's revision, newest first within a
// row. Deletions and own writes are left out.
func (v *View) Versions(rel RelationID) *RowIter {
	it := &RowIter{versions: true}
	it.open(v, rel, 0)
	if v.reads != nil {
		v.reads.relation(rel)
	}
	return it
}

// OwnRows iterates over the rows the transaction had written when the view was taken and that exist then.
func (v *View) OwnRows(rel RelationID) *RowIter {
	it := new(RowIter)
	it.stored.ended = true
	if rows := v.own.rows(rel); rows != nil {
		it.own.start(rows, 0, false)
	}
	return it
}

func (it *RowIter) open(v *View, rel RelationID, first RowID) {
	it.base.err = v.check(rel)
	buf := make([]byte, 0, 2*keys.RowLen)
	lower := keys.AppendRowPrefix(buf, rel, first)
	upper := keys.AppendSuccessor(lower[len(lower):], keys.AppendRelationRows(make([]byte, 0, 8), rel))
	it.base.init(v, lower, upper)
}

// Next moves to the next row.
func (it *RowIter) Next() bool {
	for it.base.err == nil {
		if !it.stored.ok && !it.stored.ended {
			it.readAhead()
			continue
		}
		if it.own.ok && (!it.stored.ok || it.own.it.Key() <= it.stored.row) {
			if it.stored.ok && it.own.it.Key() == it.stored.row {
				it.stored.ok = false
			}
			w := it.own.it.Value()
			it.row, it.rev, it.value = it.own.it.Key(), 0, w.value
			it.own.next()
			if w.value == nil {
				continue
			}
			return true
		}
		if !it.stored.ok {
			return false
		}
		it.row, it.rev, it.value = it.stored.row, it.stored.rev, it.stored.value
		it.stored.ok = false
		return true
	}
	return false
}

// readAhead finds the next stored row that exists.
func (it *RowIter) readAhead() {
	for it.base.usable() {
		key, rev, ok := it.step()
		if !ok {
			break
		}
		k, err := keys.DecodeRow(key)
		if err != nil {
			it.base.fail(err)
			return
		}
		stored, err := it.base.it.ValueAndErr()
		if err != nil {
			it.base.fail(err)
			return
		}
		payload, live, err := keys.DecodeValue(stored)
		if err != nil {
			it.base.fail(err)
			return
		}
		if live {
			it.stored = storedRow{ok: true, row: k.Row, rev: rev, value: payload}
			return
		}
	}
	it.stored.ended = true
}

// step moves to the next version wanted.
func (it *RowIter) step() (key []byte, rev Revision, ok bool) {
	if !it.versions || !it.base.started {
		return it.base.nextVisible()
	}
	if !it.base.visit(it.base.it.Next()) {
		return nil, 0, false
	}
	return it.base.visibleFrom()
}

// RowID of the current row.
func (it *RowIter) RowID() RowID { return it.row }

// Revision of the current row; 0 for an own write.
func (it *RowIter) Revision() Revision { return it.rev }

// Value of the current row; lives until the following Next.
func (it *RowIter) Value() []byte { return it.value }

// Err tells an end from a failure.
func (it *RowIter) Err() error { return it.base.err }

// Stats counts what was read so far.
func (it *RowIter) Stats() ScanStats { return it.base.stats }

// Close ends the iteration.
func (it *RowIter) Close() error { return it.base.close() }

// start goes to the first write at or above first; all: deletions too.
func (o *ownRows) start(rows *btree.Map[RowID, rowWrite], first RowID, all bool) {
	o.it, o.all = rows.Iter(), all
	o.ok = o.it.Seek(first)
	o.skip()
}

func (o *ownRows) next() {
	o.ok = o.it.Next()
	o.skip()
}

func (o *ownRows) skip() {
	for o.ok && !o.all && o.it.Value().value == nil {
		o.ok = o.it.Next()
	}
}
