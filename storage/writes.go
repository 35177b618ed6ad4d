package storage

import (
	"slices"

	"github.com/tidwall/btree"

	"raisind/storage/keys"
)

// writeSet is what a transaction has written. Views and savepoints hold copies of this struct; they share
// everything below it, and the transaction copies a part before it first writes to it in a new epoch. The
// trees copy their nodes lazily, so such a copy costs the path to what is written.
type writeSet struct {
	relations []*relationWrites
	uniques   []*uniqueWrites
	meta      *metaWrites
	bytes     int64 // of rows and catalog records, with their keys
}

type relationWrites struct {
	rel   RelationID
	epoch uint64
	rows  *btree.Map[RowID, rowWrite]
	tree  btree.Map[RowID, rowWrite] // rows, unless it is a copy
}

// rowWrite is the latest write to a row.
type rowWrite struct {
	value []byte // nil: deleted
	seq   uint64
}

// uniqueWrites overlay an index: the row that holds a key, or noRow.
type uniqueWrites struct {
	index IndexID
	epoch uint64
	keys  *btree.Map[string, uniqueWrite]
}

type uniqueWrite struct {
	row  RowID
	gone bool
}

// metaWrites are written catalog records; nil: deleted.
type metaWrites struct {
	epoch   uint64
	records *btree.Map[string, []byte]
}

// Put writes a row; the value belongs to the transaction from now on. Writes after Commit or Rollback are
// dropped.
func (t *Txn) Put(rel RelationID, row RowID, value []byte) {
	if value == nil {
		value = []byte{}
	}
	t.writeRow(rel, row, value)
}

// Delete deletes a row.
func (t *Txn) Delete(rel RelationID, row RowID) { t.writeRow(rel, row, nil) }

func (t *Txn) writeRow(rel RelationID, row RowID, value []byte) {
	if t.done {
		return
	}
	t.seq++
	before, again := t.relation(rel).rows.Set(row, rowWrite{value, t.seq})
	t.writes.bytes += int64(len(value) - len(before.value))
	if !again {
		t.writes.bytes += keys.RowLen
	}
}

// OwnRows are the rows of a relation that the transaction has written or deleted.
func (t *Txn) OwnRows(rel RelationID) map[RowID]struct{} {
	rows := t.writes.rows(rel)
	if rows == nil {
		return nil
	}
	own := make(map[RowID]struct{}, rows.Len())
	rows.Scan(func(row RowID, _ rowWrite) bool {
		own[row] = struct{}{}
		return true
	})
	return own
}

// Bytes is what the transaction has written so far, without what will be derived. A commit beyond
// MaxCommitBytes fails; who writes much asks before it fills the memory.
func (t *Txn) Bytes() int64 { return t.writes.bytes }

// PutUnique makes an own unique key visible to later views of this transaction. What goes to disk at commit
// is derived from the rows, not this. The key is copied.
func (t *Txn) PutUnique(index IndexID, key []byte, row RowID) {
	if !t.done {
		t.unique(index).keys.Set(string(key), uniqueWrite{row: row})
	}
}

// DeleteUnique hides a unique key from later views of this transaction.
func (t *Txn) DeleteUnique(index IndexID, key []byte) {
	if !t.done {
		t.unique(index).keys.Set(string(key), uniqueWrite{gone: true})
	}
}

// PutMeta writes a catalog record, versioned by the commit revision. The value belongs to the transaction.
func (t *Txn) PutMeta(key, value []byte) {
	if value == nil {
		value = []byte{}
	}
	t.writeMeta(key, value)
}

// DeleteMeta deletes a catalog record.
func (t *Txn) DeleteMeta(key []byte) { t.writeMeta(key, nil) }

func (t *Txn) writeMeta(key, value []byte) {
	if t.done {
		return
	}
	m := t.writes.meta
	if m == nil {
		m = &metaWrites{epoch: t.epoch, records: new(btree.Map[string, []byte])}
	} else if m.epoch != t.epoch {
		m = &metaWrites{epoch: t.epoch, records: m.records.Copy()}
	}
	t.writes.meta = m
	before, again := m.records.Set(string(key), value)
	t.writes.bytes += int64(len(value) - len(before))
	if !again {
		t.writes.bytes += int64(len(key))
	}
}

// relation returns the writes to rel, not shared with any view.
func (t *Txn) relation(rel RelationID) *relationWrites {
	list := t.writes.relations
	i := slices.IndexFunc(list, func(w *relationWrites) bool { return w.rel == rel })
	if i >= 0 && list[i].epoch == t.epoch {
		return list[i]
	}
	if i < 0 && t.inline.writes.rel == 0 && rel != 0 && len(list) == 0 { // most transactions write to one relation
		w := &t.inline.writes
		w.rel, w.epoch, w.rows = rel, t.epoch, &w.tree
		t.inline.relations[0] = w
		t.writes.relations = t.inline.relations[:]
		return w
	}
	w := &relationWrites{rel: rel, epoch: t.epoch}
	if i < 0 {
		w.rows = &w.tree
		t.writes.relations = append(slices.Clip(list), w)
		return w
	}
	w.rows = list[i].rows.Copy()
	t.writes.relations = slices.Clone(list)
	t.writes.relations[i] = w
	return w
}

// unique returns the overlay of an index, not shared with any view.
func (t *Txn) unique(index IndexID) *uniqueWrites {
	list := t.writes.uniques
	i := slices.IndexFunc(list, func(w *uniqueWrites) bool { return w.index == index })
	if i >= 0 && list[i].epoch == t.epoch {
		return list[i]
	}
	w := &uniqueWrites{index: index, epoch: t.epoch}
	if i < 0 {
		w.keys = new(btree.Map[string, uniqueWrite])
		t.writes.uniques = append(slices.Clip(list), w)
		return w
	}
	w.keys = list[i].keys.Copy()
	t.writes.uniques = slices.Clone(list)
	t.writes.uniques[i] = w
	return w
}

// rows returns the writes to rel; nil: none.
func (w *writeSet) rows(rel RelationID) *btree.Map[RowID, rowWrite] {
	for _, r := range w.relations {
		if r.rel == rel {
			return r.rows
		}
	}
	return nil
}

// keys returns the overlay of an index; nil: none.
func (w *writeSet) keys(index IndexID) *btree.Map[string, uniqueWrite] {
	for _, u := range w.uniques {
		if u.index == index {
			return u.keys
		}
	}
	return nil
}
