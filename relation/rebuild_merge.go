package relation

import (
	"bytes"
	"cmp"
	"slices"

	"raisind/spatialidx"
	"raisind/storage"
)

// Rows lie in the store in the order they were made, entries in that of their cells.
// Looking up one by the other jumps about: each look-up descends the tree anew, and
// reads a block for one key. So both passes of a rebuild take a chunk of one side, sort
// it into the order of the other, and go through that forward.

// called is an entry that a row calls for.
type called struct {
	prop     storage.PropertyID
	list     uint8 // precision, and wideList
	cell     uint64
	row      storage.RowID
	from, to int // of its value, among those of the chunk
}

const wideList = 0x80

// inKeyOrder is the order of the entries in the store.
func inKeyOrder(a, b called) int {
	return cmp.Or(cmp.Compare(a.prop, b.prop), cmp.Compare(a.list, b.list), cmp.Compare(a.cell, b.cell), cmp.Compare(a.row, b.row))
}

// lacking reads rows from first on, in one view, and returns those that lack entries,
// in their order, how many it read, and the last.
func (b *rebuild) lacking(first storage.RowID) (ids []storage.RowID, n int, last storage.RowID, err error) {
	v, err := b.db.NewView()
	if err != nil {
		return nil, 0, 0, err
	}
	defer v.Close()
	v.Bind(b.ctx)
	list, values := b.chunk[:0], b.values[:0]
	it := v.RowsFrom(b.r.ID, first)
	defer it.Close()
	for n < rebuildViewRows && len(list) < rebuildViewEntries && it.Next() {
		n++
		last = it.RowID()
		from := -1 // of the value of the geometry before
		err := b.calls(last, it.Value(), func(p *rebuilding, prec int, at spatialidx.Placement, entry []byte) error {
			if from < 0 || !bytes.Equal(values[from:], entry) {
				from = len(values)
				values = append(values, entry...)
			}
			c := called{prop: p.prop, list: uint8(prec), cell: uint64(at.Cell), row: last, from: from, to: len(values)}
			if at.Wide {
				c.list, c.cell = c.list|wideList, 0
			}
			list = append(list, c)
			return nil
		})
		if err != nil {
			return nil, 0, 0, err
		}
	}
	if err := it.Err(); err != nil {
		return nil, 0, 0, err
	}
	b.chunk, b.values = list, values
	slices.SortFunc(list, inKeyOrder)
	for i, c := range list {
		if i%checkRows == 0 && b.ctx.Err() != nil {
			return nil, 0, 0, b.ctx.Err()
		}
		stored, ok, err := v.PeekSpatial(b.r.ID, c.prop, c.list&^wideList, c.cell, c.list&wideList != 0, c.row)
		if err != nil {
			return nil, 0, 0, err
		}
		if !ok || !bytes.Equal(stored, values[c.from:c.to]) {
			ids = append(ids, c.row)
		}
	}
	slices.Sort(ids)
	return slices.Compact(ids), n, last, nil
}

// checkRows is how many look-ups pass between two looks at the context.
const checkRows = 1024

// unwanted returns those of a chunk of entries of one list that no row calls for; it
// sorts the chunk by row.
func (b *rebuild) unwanted(v *storage.View, p *rebuilding, chunk []entry) (all []entry, err error) {
	slices.SortFunc(chunk, func(x, y entry) int { return cmp.Compare(x.row, y.row) })
	for i, e := range chunk {
		if i%checkRows == 0 && b.ctx.Err() != nil {
			return nil, b.ctx.Err()
		}
		ok, err := b.rr.belongs(v, p.name, e, p.covers())
		if err != nil {
			return nil, err
		}
		if !ok {
			all = append(all, e)
		}
	}
	return all, nil
}
