package relation

import (
	"context"
	"slices"
	"strings"

	"raisind/catalog"
	"raisind/spatialidx"
	"raisind/storage"
)

// A rebuild runs while the caller keeps rows from changing, in these steps:
//
//  1. The state goes to building: only precisions that are complete under the old
//     policy and wanted under the new one stay usable.
//  2. Every stored entry is compared with the rows. What the rows do not call for under
//     the new policy gets a tombstone, whoever left it there.
//  3. What the rows call for and was not found is written.
//  4. The state goes to ready, with the revision of the last write: a view of an
//     earlier revision does not see what was written and must not use the index.
//
// A crash leaves the state at building, which is right at every moment of 2 and 3.

// Rebuilt tells what a rebuild did.
type Rebuilt struct {
	Properties, Rows, Entries, Tombstones int64
}

// Rebuild brings the entries of a property, or with "" of all properties, in line
// with the rows and the policy of r. The caller holds a lock on the relation that
// keeps rows from changing until its transaction ends.
func (ix *Indexer) Rebuild(ctx context.Context, r *catalog.Relation, property string) (Rebuilt, error) {
	rs := ix.relation(r.ID)
	rs.building.Lock()
	defer rs.building.Unlock()
	v, err := ix.db.NewView()
	if err != nil {
		return Rebuilt{}, err
	}
	defer v.Close()
	all, overflow, rows, err := surveyRows(ctx, v, r, property)
	if err != nil {
		return Rebuilt{}, err
	}
	for _, name := range ix.namedProperties(r, property) {
		if all[name] == nil {
			all[name] = &survey{name: name}
		}
	}
	rs.rows.Store(rows)
	done := Rebuilt{Rows: rows}
	names := make([]string, 0, len(all))
	for name := range all {
		names = append(names, name)
	}
	slices.Sort(names)
	for _, name := range names {
		if err := ix.rebuildProperty(ctx, v, r, all[name], &done); err != nil {
			return done, err
		}
	}
	if property == "" {
		err = ix.rebuildOverflow(ctx, v, r, overflow, &done)
	}
	return done, err
}

// namedProperties are those that have a record or a declared policy, or the one asked
// for, whether or not a row holds a geometry there.
func (ix *Indexer) namedProperties(r *catalog.Relation, property string) []string {
	if property != "" {
		return []string{property}
	}
	var names []string
	for _, s := range ix.States(r.ID) {
		names = append(names, s.Name)
	}
	for name := range r.Spatial.Properties {
		if !strings.Contains(name, "[]") {
			names = append(names, name)
		}
	}
	return names
}

func (ix *Indexer) rebuildProperty(ctx context.Context, v *storage.View, r *catalog.Relation, s *survey, done *Rebuilt) error {
	policy := r.EffectivePolicy(s.name)
	full := false
	state, err := ix.change(r.ID, s.name, false, func(old *State, n storage.PropertyID) *State {
		next := State{Name: s.name, Property: n, Held: allPrecisions()}
		if old != nil {
			next = *old
		} else if full = n > MaxProperties; full {
			return nil
		}
		next.Phase = Building
		next.Precisions = intersect(next.Precisions, policy.Precisions)
		next.Held = union(next.Held, policy.Precisions)
		next.Covers = unionCovers(next.Covers, policy.Cover)
		return &next
	})
	if err != nil || full {
		return err
	}
	w := &indexWriter{ctx: ctx, ix: ix, rel: r.ID, prop: state.Property, done: done}
	covers := []spatialidx.CoverKind{policy.Cover}
	var sc scratch
	_, err = storedEntries(v, r.ID, state.Property, func(e entry) error {
		if slices.Contains(policy.Precisions, e.prec) && s.belongs(e, covers, &sc) {
			return nil
		}
		return w.clear(e)
	})
	if err != nil {
		return err
	}
	if err := w.flush(); err != nil {
		return err
	}
	if err := w.write(s, policy); err != nil {
		return err
	}
	done.Properties++
	_, err = ix.change(r.ID, s.name, true, func(old *State, _ storage.PropertyID) *State {
		next := *old
		next.Phase, next.Precisions, next.Held = Ready, policy.Precisions, policy.Precisions
		next.Cover, next.Covers = policy.Cover, covers
		next.PolicyHash, next.Indexed = policy.Hash(), int64(len(s.rows))
		next.BuiltThrough = max(next.BuiltThrough, w.last)
		return &next
	})
	return err
}

// rebuildOverflow brings the overflow list in line with the rows.
func (ix *Indexer) rebuildOverflow(ctx context.Context, v *storage.View, r *catalog.Relation, s *survey, done *Rebuilt) error {
	prop, _, ok := ix.Overflow(r.ID)
	if !ok && len(s.rows) == 0 {
		return nil
	}
	if !ok {
		var err error
		if prop, err = ix.overflow(r); err != nil {
			return err
		}
	}
	w := &indexWriter{ctx: ctx, ix: ix, rel: r.ID, prop: prop, done: done}
	_, err := storedEntries(v, r.ID, prop, func(e entry) error {
		if row := s.row(e.row); row != nil && e.place.Wide && e.prec == overflowPrecision {
			row.found = 1
			return nil
		}
		return w.clear(e)
	})
	if err != nil {
		return err
	}
	if err := w.flush(); err != nil {
		return err
	}
	return w.rows(s, func(row *surveyed, out *storage.Entries) {
		if row.found == 0 {
			out.SetSpatial(prop, overflowPrecision, 0, true, world)
		}
	})
}

// indexWriter writes entries of one property in batches, each a commit of its own.
type indexWriter struct {
	ctx   context.Context
	ix    *Indexer
	rel   storage.RelationID
	prop  storage.PropertyID
	done  *Rebuilt
	stale []entry
	last  storage.Revision
}

// rebuildBatchRows is how many entries or rows a rebuild writes at once.
const rebuildBatchRows = 8192

// clear takes an entry out of the index.
func (w *indexWriter) clear(e entry) error {
	e.value = nil
	w.stale = append(w.stale, e)
	if len(w.stale) < rebuildBatchRows {
		return nil
	}
	return w.flush()
}

// flush writes the tombstones gathered, those of a row together.
func (w *indexWriter) flush() error {
	if len(w.stale) == 0 {
		return nil
	}
	slices.SortFunc(w.stale, func(a, b entry) int {
		switch {
		case a.row < b.row:
			return -1
		case a.row > b.row:
			return 1
		}
		return 0
	})
	err := w.commit(func(row func(storage.RowID, func(*storage.Entries)) error) error {
		for i := 0; i < len(w.stale); {
			j := i
			for j < len(w.stale) && w.stale[j].row == w.stale[i].row {
				j++
			}
			err := row(w.stale[i].row, func(out *storage.Entries) {
				for _, e := range w.stale[i:j] {
					out.TombstoneSpatial(w.prop, uint8(e.prec), uint64(e.place.Cell), e.place.Wide)
				}
			})
			if err != nil {
				return err
			}
			i = j
		}
		return nil
	})
	w.stale = w.stale[:0]
	return err
}

// write writes the entries of points that were not found, and those of all shapes.
func (w *indexWriter) write(s *survey, policy catalog.EffectivePolicy) error {
	var sc scratch
	return w.rows(s, func(row *surveyed, out *storage.Entries) {
		sc.entry = row.value(sc.entry[:0])
		for _, prec := range policy.Precisions {
			if row.shape == nil && row.found&(1<<prec) != 0 {
				continue
			}
			sc.places = row.places(sc.places[:0], prec, policy.Cover)
			for _, p := range sc.places {
				out.SetSpatial(w.prop, uint8(prec), uint64(p.Cell), p.Wide, sc.entry)
			}
		}
	})
}

// rows calls fn for each surveyed row, a batch at a time.
func (w *indexWriter) rows(s *survey, fn func(*surveyed, *storage.Entries)) error {
	for from := 0; from < len(s.rows); from += rebuildBatchRows {
		batch := s.rows[from:min(from+rebuildBatchRows, len(s.rows))]
		err := w.commit(func(row func(storage.RowID, func(*storage.Entries)) error) error {
			for i := range batch {
				if err := row(batch[i].row, func(out *storage.Entries) { fn(&batch[i], out) }); err != nil {
					return err
				}
			}
			return nil
		})
		if err != nil {
			return err
		}
	}
	return nil
}

func (w *indexWriter) commit(fn func(func(storage.RowID, func(*storage.Entries)) error) error) error {
	info, err := w.ix.db.Reindex(w.ctx, w.rel, fn)
	w.done.Entries += int64(info.SpatialLive)
	w.done.Tombstones += int64(info.SpatialTombstones)
	w.last = max(w.last, info.Revision)
	return err
}
