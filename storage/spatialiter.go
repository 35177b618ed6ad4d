package storage

import (
	"encoding/binary"
	"math"

	"github.com/tidwall/btree"

	"raisind/storage/keys"
)

// SpatialIter iterates over spatial entries. Next, then Err, and Close in every case.
//
// It is one iterator that skips from range to range:
//
//  1. On a key behind the current range, take the next range, and the wide list after the last.
//  2. On a key before the range, seek to the range's start. So cells without entries cost nothing.
//  3. Within a range the newest version the view reads decides for its cell and row; NextPrefix jumps over
//     those beneath it.
type SpatialIter struct {
	base   iterBase
	ranges []CellRange // still to be read, the current first
	prec   byte        // precision byte of ranges
	wide   bool        // the wide list is still to be read
	budget int
	own    *btree.Map[RowID, rowWrite]
	head   []byte // relation and property, what all keys start with

	cell    uint64 // cell being read, and how many groups of it were visited
	inCell  int
	row     RowID
	rev     Revision
	current []byte
}

// wideBit marks a precision byte as that of the wide list.
var wideBit = keys.PrecisionByte(0, true)

// ScanSpatial iterates over the newest entry per (cell, row) in ranges, which must be sorted and disjoint.
// Tombstones are left out, and so are rows the transaction itself wrote: the caller adds OwnRows.
func (v *View) ScanSpatial(rel RelationID, prop PropertyID, prec uint8, ranges []CellRange, o SpatialScan) *SpatialIter {
	it := &SpatialIter{
		ranges: ranges, prec: keys.PrecisionByte(prec, false), wide: o.Wide, budget: o.MaxKeysPerCell,
		own: v.own.rows(rel),
	}
	if it.budget <= 0 {
		it.budget = math.MaxInt
	}
	if v.reads != nil {
		v.reads.relation(rel)
	}
	if !it.nextRange(true) {
		return it
	}
	if it.base.err = v.check(rel); it.base.err == nil {
		it.base.err = v.checkIndex()
	}
	buf := make([]byte, 0, 64)
	it.head = keys.AppendSpatialProperty(buf, rel, prop)
	lower := it.start(it.head[len(it.head):])
	if o.FirstRow > 0 {
		lower = binary.BigEndian.AppendUint64(lower, uint64(o.FirstRow))
	}
	it.base.init(v, lower, it.upper(rel, prop, ranges, o.Wide))
	return it
}

// upper is where the scan ends: behind the wide list, or behind the last cell.
func (it *SpatialIter) upper(rel RelationID, prop PropertyID, ranges []CellRange, wide bool) []byte {
	if wide {
		head := append(it.head[:len(it.head):len(it.head)], it.prec&^wideBit|wideBit)
		return keys.AppendSuccessor(nil, head)
	}
	last := keys.AppendSpatialCell(nil, rel, prop, it.prec, ranges[len(ranges)-1].Last)
	return keys.AppendSuccessor(nil, last)
}

// nextRange goes to the next range; the wide list is a range of its own precision byte and cell 0.
func (it *SpatialIter) nextRange(first bool) bool {
	if !first {
		it.ranges = it.ranges[1:]
	}
	it.inCell = 0
	if len(it.ranges) == 0 {
		if !it.wide {
			return false
		}
		it.wide = false
		it.prec |= wideBit
		it.ranges = wideRange
	}
	return true
}

var wideRange = []CellRange{{0, 0}}

// start appends the start of the current range.
func (it *SpatialIter) start(dst []byte) []byte {
	dst = append(append(dst, it.head...), it.prec)
	return binary.BigEndian.AppendUint64(dst, it.ranges[0].First)
}

// Next moves to the next live entry.
func (it *SpatialIter) Next() bool {
	b := &it.base
	for len(it.ranges) > 0 && b.usable() {
		key, rev, ok := it.nextGroup()
		if !ok {
			break
		}
		if it.inCell++; it.inCell > it.budget {
			b.fail(ErrCellBudget)
			break
		}
		row, _, tombstone := keys.SpatialTail(key)
		if tombstone {
			continue
		}
		if it.own != nil {
			if _, own := it.own.Get(row); own {
				continue
			}
		}
		value, err := b.it.ValueAndErr()
		if err != nil {
			b.fail(err)
			break
		}
		it.row, it.rev, it.current = row, rev, value
		return true
	}
	return false
}

// nextGroup moves to the newest version the view reads of the next cell and row within the ranges.
func (it *SpatialIter) nextGroup() (key []byte, rev Revision, ok bool) {
	b := &it.base
	key, rev, ok = b.nextVisible()
	for ok {
		prec, cell, valid := keys.SpatialCell(key)
		if !valid {
			b.fail(keys.ErrCorrupt)
			return nil, 0, false
		}
		for prec > it.prec || prec == it.prec && cell > it.ranges[0].Last {
			if !it.nextRange(false) {
				it.ranges = nil
				return nil, 0, false
			}
		}
		if prec == it.prec && cell >= it.ranges[0].First {
			if cell != it.cell {
				it.cell, it.inCell = cell, 0
			}
			return key, rev, true
		}
		b.seekKey = it.start(b.seekKey[:0])
		b.stats.Seeks++
		if !b.visit(b.it.SeekGE(b.seekKey)) {
			return nil, 0, false
		}
		key, rev, ok = b.visibleFrom()
	}
	return nil, 0, false
}

// RowID of the current entry. A row that lies in several cells comes once per cell.
func (it *SpatialIter) RowID() RowID { return it.row }

// Cell of the current entry; 0 in the wide list.
func (it *SpatialIter) Cell() uint64 { return it.cell }

// Revision of the current entry: when the row entered the cell or last moved within it.
func (it *SpatialIter) Revision() Revision { return it.rev }

// Value of the current entry; lives until the following Next.
func (it *SpatialIter) Value() []byte { return it.current }

// Err tells an end from a failure; ErrCellBudget when a cell is over budget.
func (it *SpatialIter) Err() error { return it.base.err }

// Stats counts what was read so far.
func (it *SpatialIter) Stats() ScanStats { return it.base.stats }

// Close ends the iteration.
func (it *SpatialIter) Close() error { return it.base.close() }
