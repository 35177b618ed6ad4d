package storage

import (
	"bytes"
	"context"
	"encoding/binary"
	"slices"

	"github.com/cockroachdb/pebble/v2"
	"github.com/cockroachdb/pebble/v2/sstable"

	"raisind/storage/keys"
)

// sweptRange names what a table file holds of one relation or index. Several virtual tables can lie in one
// file; they share its property.
type sweptRange struct {
	file   uint64
	family byte
	id     uint32
}

// sweepItem is a range to be walked for the sake of some tables.
type sweepItem struct {
	keyRange
	of []sweptRange
}

// lowestLevel is the level under which nothing lies.
const lowestLevel = 6

// sweepTables walks the ranges of the tables that hold something aged. A range that was walked is left alone
// until more of its table has aged.
func (p *pruner) sweepTables(pass *prunePass) error {
	levels, err := p.db.p.SSTables(pebble.WithProperties())
	if err != nil {
		return storeError(err)
	}
	aged, history, visible := p.aged(), p.historyCutoff(), p.db.Visible()
	cutoff := func(family byte, id uint32) Revision {
		switch family {
		case keys.SpatialFamily:
			return aged
		case keys.RowFamily:
			return history(RelationID(id))
		}
		return visible
	}
	live := map[sweptRange]Revision{}
	var items []sweepItem
	for level, tables := range levels {
		for i := range tables {
			t := &tables[i]
			for _, r := range p.tableRanges(t) {
				name := sweptRange{uint64(t.BackingSSTNum), r.family, r.id}
				before, swept := p.swept[name]
				if swept {
					live[name] = before
				}
				now := cutoff(r.family, r.id)
				atRest := r.garbage > 0 && r.first <= now && (!swept || before < r.last)
				over := level < lowestLevel && r.newest <= now && (!swept || before < r.newest) // may supersede what lies below
				if atRest || over {
					items = append(items, sweepItem{clip(t, r.family, r.id), []sweptRange{name}})
				}
			}
		}
	}
	p.swept = live
	for _, item := range mergeItems(items) {
		held, err := pass.walk(item.keyRange)
		if err != nil {
			return err
		}
		if held > 0 {
			continue
		}
		for _, name := range item.of {
			p.swept[name] = cutoff(name.family, name.id)
		}
	}
	return nil
}

// tableRanges reads the property of a table. One that has none, or one counted otherwise, may hold anything:
// then each family counts as aged once.
func (p *pruner) tableRanges(t *pebble.SSTableInfo) []tableRange {
	if t.Properties != nil {
		// Pebble puts a short id of its own before the property.
		if s := t.Properties.UserProperties[pruneProperty]; len(s) > 0 {
			if keep, ranges, ok := decodeTableProperty([]byte(s[1:])); ok && keep <= p.keep {
				return ranges
			}
		}
	}
	return []tableRange{{family: anyFamily, garbage: 1}}
}

// anyFamily stands for all of a table.
const anyFamily = 0

// clip is what the table may hold of a family and relation or index, in whole groups.
func clip(t *pebble.SSTableInfo, family byte, id uint32) keyRange {
	first, last := t.Smallest.UserKey, t.Largest.UserKey
	r := keyRange{
		lower: slices.Clone(first[:keys.Split(first)]),
		upper: keys.Comparer.ImmediateSuccessor(nil, last[:keys.Split(last)]),
	}
	if family == anyFamily {
		return r
	}
	head := binary.BigEndian.AppendUint32([]byte{family}, id)
	if bytes.Compare(r.lower, head) < 0 {
		r.lower = head
	}
	if after := keys.AppendSuccessor(nil, head); bytes.Compare(after, r.upper) < 0 {
		r.upper = after
	}
	return r
}

// mergeItems sorts the items and merges those that overlap.
func mergeItems(items []sweepItem) []sweepItem {
	slices.SortFunc(items, func(a, b sweepItem) int { return bytes.Compare(a.lower, b.lower) })
	var merged []sweepItem
	for _, it := range items {
		if n := len(merged); n > 0 && bytes.Compare(it.lower, merged[n-1].upper) < 0 {
			last := &merged[n-1]
			if bytes.Compare(it.upper, last.upper) > 0 {
				last.upper = it.upper
			}
			last.of = append(last.of, it.of...)
			continue
		}
		merged = append(merged, it)
	}
	return merged
}

var _ sstable.BlockPropertyCollector = (*pruneCollector)(nil)

// Sweep prunes the whole store now, whatever the tables say of themselves, and waits for it.
func (db *DB) Sweep(ctx context.Context) error {
	return db.running(func() error {
		if db.pruner.disabled {
			return nil
		}
		return db.pruner.request(ctx, []keyRange{allKeys})
	})
}

// Vacuum prunes the rows and entries of rel and its indexes now and rewrites their tables without what was
// pruned. It waits for both.
func (db *DB) Vacuum(ctx context.Context, rel RelationID, indexes []IndexID) error {
	ranges := []keyRange{within(keys.AppendRelationRows(nil, rel)), within(keys.AppendSpatialRelation(nil, rel))}
	for _, ix := range indexes {
		ranges = append(ranges, within(keys.AppendIndex(nil, ix)))
	}
	return db.vacuum(ctx, ranges)
}

// VacuumAll is Vacuum of everything there is.
func (db *DB) VacuumAll(ctx context.Context) error { return db.vacuum(ctx, []keyRange{allKeys}) }

var allKeys = keyRange{[]byte{0}, []byte{0xff}}

// within is the range of all keys that start with prefix.
func within(prefix []byte) keyRange { return keyRange{prefix, keys.AppendSuccessor(nil, prefix)} }

func (db *DB) vacuum(ctx context.Context, ranges []keyRange) error {
	return db.running(func() error {
		if db.opts.ReadOnly {
			return ErrReadOnly
		}
		if !db.pruner.disabled {
			if err := db.pruner.request(ctx, ranges); err != nil {
				return err
			}
		}
		if err := db.p.Flush(); err != nil {
			return storeError(err)
		}
		for _, r := range ranges {
			if err := db.p.Compact(ctx, r.lower, r.upper, true); err != nil {
				return storeError(err)
			}
		}
		return nil
	})
}
