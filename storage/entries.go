package storage

import (
	"bytes"
	"cmp"
	"slices"
)

// Deriver turns one row change into index entries. It is pure: it sees only its arguments. old is the last
// committed value or nil, cur the final value or nil, never both nil. Both live until Derive returns.
type Deriver interface {
	Derive(rel RelationID, row RowID, old, cur []byte, out *Entries) error
}

// Entries collects what a Deriver derives from one row change. Keys and values are copied.
type Entries struct {
	row     RowID
	spatial []spatialEntry
	uniques []uniqueEntry // of all rows of the commit
	bytes   []byte        // keys and values of the entries
}

// span is a part of Entries.bytes.
type span struct{ from, to int }

func (e *Entries) store(b []byte) span {
	from := len(e.bytes)
	e.bytes = append(e.bytes, b...)
	return span{from, len(e.bytes)}
}

func (e *Entries) at(s span) []byte { return e.bytes[s.from:s.to] }

type spatialEntry struct {
	prop      PropertyID
	prec      byte // with the bit of the wide list
	tombstone bool
	order     int32 // of the call
	cell      uint64
	value     span
}

type uniqueEntry struct {
	index IndexID
	gone  bool
	row   RowID
	key   span
}

// SetUnique claims a unique key for the row.
func (e *Entries) SetUnique(index IndexID, key []byte) {
	e.uniques = append(e.uniques, uniqueEntry{index: index, row: e.row, key: e.store(key)})
}

// DeleteUnique gives up a unique key of the row. When a row of the same commit claims it, the claim wins.
func (e *Entries) DeleteUnique(index IndexID, key []byte) {
	e.uniques = append(e.uniques, uniqueEntry{index: index, gone: true, row: e.row, key: e.store(key)})
}

// SetSpatial puts the row into a cell, or into the wide list of the precision, where cell has no meaning.
func (e *Entries) SetSpatial(prop PropertyID, prec uint8, cell uint64, wide bool, value []byte) {
	e.addSpatial(prop, prec, cell, wide, false, e.store(value))
}

// TombstoneSpatial takes the row out of a cell it has left. With SetSpatial for the same cell the entry
// wins.
func (e *Entries) TombstoneSpatial(prop PropertyID, prec uint8, cell uint64, wide bool) {
	e.addSpatial(prop, prec, cell, wide, true, span{})
}

func (e *Entries) addSpatial(prop PropertyID, prec uint8, cell uint64, wide, tombstone bool, value span) {
	if wide {
		prec, cell = prec|wideBit, 0
	}
	e.spatial = append(e.spatial, spatialEntry{
		prop: prop, prec: prec, tombstone: tombstone, order: int32(len(e.spatial)), cell: cell, value: value,
	})
}

// reset forgets the entries of the previous commit.
func (e *Entries) reset() {
	const maxKept = 1 << 20
	if cap(e.bytes) > maxKept || cap(e.uniques) > maxKept/32 || cap(e.spatial) > maxKept/32 {
		*e = Entries{}
	}
	e.spatial, e.uniques, e.bytes = e.spatial[:0], e.uniques[:0], e.bytes[:0]
}

// settleSpatial brings the row's spatial entries into key order with one entry per cell: the last live one,
// else a tombstone. So a key is written once, which pruning by SingleDelete depends on.
func (e *Entries) settleSpatial() []spatialEntry {
	slices.SortFunc(e.spatial, func(a, b spatialEntry) int {
		if c := compareCell(a, b); c != 0 {
			return c
		}
		if a.tombstone != b.tombstone {
			if b.tombstone {
				return -1
			}
			return 1
		}
		return cmp.Compare(b.order, a.order)
	})
	e.spatial = slices.CompactFunc(e.spatial, func(a, b spatialEntry) bool { return compareCell(a, b) == 0 })
	return e.spatial
}

func compareCell(a, b spatialEntry) int {
	return cmp.Or(cmp.Compare(a.prop, b.prop), cmp.Compare(a.prec, b.prec), cmp.Compare(a.cell, b.cell))
}

// settleUniques brings the unique keys of all rows into key order with one entry per key.
func (e *Entries) settleUniques() ([]uniqueEntry, error) {
	same := func(a, b uniqueEntry) int {
		return cmp.Or(cmp.Compare(a.index, b.index), bytes.Compare(e.at(a.key), e.at(b.key)))
	}
	slices.SortStableFunc(e.uniques, func(a, b uniqueEntry) int {
		if c := same(a, b); c != 0 || a.gone == b.gone {
			return c
		}
		if b.gone {
			return -1
		}
		return 1
	})
	for i := 1; i < len(e.uniques); i++ {
		a, b := e.uniques[i-1], e.uniques[i]
		if !a.gone && !b.gone && a.row != b.row && same(a, b) == 0 {
			return nil, ErrUnique
		}
	}
	e.uniques = slices.CompactFunc(e.uniques, func(a, b uniqueEntry) bool { return same(a, b) == 0 })
	return e.uniques, nil
}
