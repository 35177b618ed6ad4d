package relation

import (
	"bytes"
	"cmp"
	"fmt"
	"slices"

	"raisind/spatialidx"
	"raisind/storage"
)

// entryCursor is a place in the entries of a relation, in key order.
type entryCursor struct {
	Property  storage.PropertyID `json:"property,omitempty"`
	Precision int                `json:"precision,omitempty"`
	Wide      bool               `json:"wide,omitempty"`
	Cell      uint64             `json:"cell,omitempty"`
	Row       storage.RowID      `json:"row,omitempty"`
}

// before orders the lists of entries: by property, then cells before wide lists, then
// by precision.
func (c entryCursor) before(o entryCursor) bool {
	wide := func(c entryCursor) int {
		if c.Wide {
			return 1
		}
		return 0
	}
	return cmp.Or(cmp.Compare(c.Property, o.Property), cmp.Compare(wide(c), wide(o)), cmp.Compare(c.Precision, o.Precision)) < 0
}

// passEntries looks at every entry and takes out what no row calls for.
func (b *rebuild) passEntries() error {
	props := make([]*rebuilding, 0, len(b.props)+1)
	lists := int64(0)
	for _, p := range b.props {
		props = append(props, p)
		lists += int64(len(p.policy.Precisions))
	}
	if b.list != 0 {
		props = append(props, &rebuilding{name: overflowName, prop: b.list})
	}
	slices.SortFunc(props, func(x, y *rebuilding) int { return cmp.Compare(x.prop, y.prop) })
	b.j.enter("checking entries", lists*b.ix.Rows(b.r.ID))
	for _, p := range props {
		for _, wide := range []bool{false, true} {
			for prec := 1; prec <= spatialidx.MaxPrecision; prec++ {
				at := entryCursor{Property: p.prop, Precision: prec, Wide: wide}
				if at.before(b.rec.Entry) {
					continue
				}
				if !b.rec.Entry.before(at) { // in the middle of this list
					at = b.rec.Entry
				}
				if err := b.clearList(p, at); err != nil {
					return err
				}
			}
		}
	}
	return nil
}

// clearList looks at one list of entries from a place on.
func (b *rebuild) clearList(p *rebuilding, at entryCursor) error {
	for {
		stray, n, last, err := b.stray(p, at)
		if err != nil {
			return err
		}
		for len(stray) > 0 {
			k := min(len(stray), rebuildBatchRows)
			if err := b.remove(p, stray[:k]); err != nil {
				return err
			}
			stray = stray[k:]
		}
		if n == 0 {
			return nil
		}
		b.j.done.Add(int64(n))
		at.Cell, at.Row = uint64(last.place.Cell), last.row+1
		b.rec.Entry = at
		if err := b.save(); err != nil {
			return err
		}
	}
}

// wants tells whether the policy keeps entries at the precision of a list.
func (p *rebuilding) wants(prec int) bool {
	return p.name == overflowName || slices.Contains(p.policy.Precisions, prec)
}

func (p *rebuilding) covers() []spatialidx.CoverKind { return []spatialidx.CoverKind{p.policy.Cover} }

// stray reads entries of a list in one view and returns those no row calls for, how
// many it read, and the last.
func (b *rebuild) stray(p *rebuilding, at entryCursor) (all []entry, n int, last entry, err error) {
	v, err := b.db.NewView()
	if err != nil {
		return nil, 0, last, err
	}
	defer v.Close()
	v.Bind(b.ctx)
	ranges := []storage.CellRange{{First: at.Cell, Last: ^uint64(0)}}
	if at.Wide {
		ranges = nil
	}
	it := v.ScanSpatial(b.r.ID, p.prop, uint8(at.Precision), ranges, storage.SpatialScan{Wide: at.Wide, FirstRow: at.Row})
	defer it.Close()
	chunk, values := b.entries[:0], b.values[:0]
	for n < rebuildViewRows && it.Next() {
		n++
		last = entry{row: it.RowID(), prec: at.Precision}
		if last.place.Wide = at.Wide; !at.Wide {
			last.place.Cell = spatialidx.Cell(it.Cell())
		}
		from := len(values)
		values = append(values, it.Value()...)
		last.value = values[from:] // still right when values moves: nobody writes there
		chunk = append(chunk, last)
	}
	b.entries, b.values = chunk, values
	if err := it.Err(); err != nil || !p.wants(at.Precision) {
		return slices.Clone(chunk), n, last, err
	}
	all, err = b.unwanted(v, p, chunk)
	return all, n, last, err
}

// remove takes entries of one list out. Where nobody writes entries any more nobody
// has to be kept from it; elsewhere each is looked at again with its row locked.
func (b *rebuild) remove(p *rebuilding, list []entry) error {
	slices.SortFunc(list, func(x, y entry) int { return cmp.Compare(x.row, y.row) })
	if !p.wants(list[0].prec) {
		return b.tombstones(p, list)
	}
	rows := make([]storage.RowID, 0, len(list))
	for _, e := range list {
		rows = append(rows, e.row)
	}
	rows = slices.Compact(rows)
	again := func(v *storage.View, rows []storage.RowID) error {
		var still []entry
		for _, e := range list {
			if _, held := slices.BinarySearch(rows, e.row); !held {
				continue
			}
			value, ok, err := v.PeekSpatial(b.r.ID, p.prop, uint8(e.prec), uint64(e.place.Cell), e.place.Wide, e.row)
			if err != nil {
				return err
			}
			if !ok {
				continue
			}
			e.value = bytes.Clone(value)
			if ok, err = b.rr.belongs(v, p.name, e, p.covers()); err != nil {
				return err
			}
			if !ok {
				still = append(still, e)
			}
		}
		return b.tombstones(p, still)
	}
	skipped, err := b.locked(rows, storage.SkipLocked, again)
	for i := range skipped {
		if err != nil {
			return err
		}
		_, err = b.locked(skipped[i:i+1], storage.Wait, again)
	}
	return err
}

// tombstones writes tombstones for entries in the order of their rows.
func (b *rebuild) tombstones(p *rebuilding, list []entry) error {
	info, err := b.db.Reindex(b.ctx, b.r.ID, func(row func(storage.RowID, func(*storage.Entries)) error) error {
		for i := 0; i < len(list); {
			j := i
			for j < len(list) && list[j].row == list[i].row {
				j++
			}
			err := row(list[i].row, func(out *storage.Entries) {
				for _, e := range list[i:j] {
					out.TombstoneSpatial(p.prop, uint8(e.prec), uint64(e.place.Cell), e.place.Wide)
				}
			})
			if err != nil {
				return err
			}
			i = j
		}
		return nil
	})
	if err != nil {
		return fmt.Errorf("write spatial tombstones: %w", err)
	}
	b.done.Tombstones += int64(info.SpatialTombstones)
	return nil
}
