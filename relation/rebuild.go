package relation

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"raisind/catalog"
	"raisind/spatialidx"
	"raisind/storage"
)

// A rebuild runs while rows are read and written, in these steps:
//
//  1. The state goes to building: from now on writes put entries at the precisions of
//     the new policy as well as at those complete so far, which stay usable. A barrier
//     waits for commits that derived their entries before.
//  2. A pass over the rows for each precision that is missing, the one that serves most
//     radii first: a row that lacks an entry is locked against writers, read again,
//     and its entry written. After the pass the precision is complete, and usable by
//     views that begin from then on. The first pass also mends what is complete.
//  3. The new policy's precisions become all there are; another barrier.
//  4. A pass over the entries: what no row calls for under the new policy gets a
//     tombstone, whoever left it there.
//  5. The state goes to ready.
//
// Only a batch is in memory at a time, views last for a batch, and so do the locks of
// rows. A record says how far it is; a crash leaves a state that is right and a record
// to go on from.

// Rebuilt tells what a rebuild did.
type Rebuilt struct {
	Properties, Rows, Entries, Tombstones int64
}

const (
	// rebuildBatchRows rows are locked and written at once.
	rebuildBatchRows = 512
	// rebuildViewRows rows or entries are read in one view, fewer rows when they call for
	// more than rebuildViewEntries.
	rebuildViewRows    = 32 << 10
	rebuildViewEntries = 256 << 10
	// maxPutOff rows that others hold locked are put off to the end of a pass.
	maxPutOff = 4096
)

// rebuild is one job at work.
type rebuild struct {
	j    *Job
	ctx  context.Context
	ix   *Indexer
	db   *storage.DB
	r    *catalog.Relation
	rr   rowReader
	rec  jobRecord
	all  bool // every property, those found by the way too
	done Rebuilt

	props map[string]*rebuilding
	// list is the relation's overflow list, 0 when there is none or it is left alone.
	list storage.PropertyID
	// putOff are rows that others hold locked.
	putOff []storage.RowID

	// chunk, its values and entries are memory of the passes, used again.
	chunk   []called
	values  []byte
	entries []entry
}

// rebuilding is one property of a rebuild.
type rebuilding struct {
	name   string
	prop   storage.PropertyID
	policy catalog.EffectivePolicy
	// write are the precisions of this pass; of these next become complete with it.
	write, next []int
	// wrote are precisions at which an entry was written in this pass.
	wrote uint16
}

func newRebuild(j *Job, r *catalog.Relation, rec jobRecord) (*rebuild, error) {
	b := &rebuild{
		j: j, ctx: j.ctx, ix: j.ix, db: j.ix.db, r: r, rr: rowReader{r: r}, rec: rec,
		all: j.Property == "", props: map[string]*rebuilding{},
	}
	policies, err := policiesOf(r)
	if err != nil {
		return nil, err
	}
	if !bytes.Equal(policies, rec.Policies) {
		b.rec = jobRecord{Property: j.Property, Policies: policies}
	}
	return b, b.save()
}

func (b *rebuild) save() error { return b.ix.saveJob(b.j, b.rec) }

func (b *rebuild) run() error {
	for _, name := range b.ix.namedProperties(b.r, b.j.Property) {
		if _, err := b.begin(name); err != nil {
			return err
		}
	}
	if b.all {
		if prop, _, ok := b.ix.Overflow(b.r.ID); ok {
			b.list = prop
		}
	}
	if err := b.ix.commits.barrier(b.ctx); err != nil {
		return err
	}
	for !b.rec.Clearing {
		if !b.choose() {
			if err := b.only(); err != nil {
				return err
			}
			b.rec.Clearing, b.rec.Row = true, 0
			if err := b.save(); err != nil {
				return err
			}
			break
		}
		if err := b.passRows(); err != nil {
			return err
		}
		if err := b.complete(); err != nil {
			return err
		}
	}
	if err := b.ix.commits.barrier(b.ctx); err != nil {
		return err
	}
	if err := b.passEntries(); err != nil {
		return err
	}
	return b.ready()
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

// begin takes a property into the rebuild; nil when the relation has too many.
func (b *rebuild) begin(name string) (*rebuilding, error) {
	if p := b.props[name]; p != nil {
		return p, nil
	}
	policy := b.r.EffectivePolicy(name)
	full := false
	state, err := b.ix.change(b.r.ID, name, true, func(old *State, n storage.PropertyID) *State {
		next := State{Name: strings.Clone(name), Property: n, Held: allPrecisions()}
		if old != nil {
			next = *old
		} else if full = n > MaxProperties; full {
			return nil
		}
		next.Phase = Building
		next.Held = union(next.Held, policy.Precisions)
		next.Covers = unionCovers(next.Covers, policy.Cover)
		return &next
	})
	if err != nil || full {
		return nil, err
	}
	p := &rebuilding{name: state.Name, prop: state.Property, policy: policy}
	b.props[p.name] = p
	b.done.Properties++
	return p, nil
}

// choose says what the next pass over the rows writes; false when none is needed.
func (b *rebuild) choose() bool {
	more := !b.rec.Checked
	for _, p := range b.props {
		s, _ := b.ix.State(b.r.ID, p.name)
		missing := slices.DeleteFunc(slices.Clone(p.policy.Precisions), func(prec int) bool { return slices.Contains(s.Precisions, prec) })
		// Precision 6 serves the radii that are asked for most; then its neighbours.
		slices.SortStableFunc(missing, func(x, y int) int {
			return distance(x, spatialidx.CoarsestAtMost) - distance(y, spatialidx.CoarsestAtMost)
		})
		p.next = missing[:min(1, len(missing))]
		p.write, p.wrote = slices.Clone(p.next), 0
		if !b.rec.Checked {
			p.write = append(p.write, intersect(s.Precisions, p.policy.Precisions)...)
		}
		more = more || len(p.write) > 0
	}
	return more
}

func distance(a, b int) int { return max(a-b, b-a) }

// phaseName says what a pass over the rows does.
func (b *rebuild) phaseName() string {
	var next []int
	for _, p := range b.props {
		next = union(next, p.next)
	}
	if len(next) == 0 {
		return "checking rows"
	}
	return "writing precision " + strings.Trim(spatialidx.FormatPrecisions(next), "()")
}

// complete makes usable what the pass wrote.
func (b *rebuild) complete() error {
	now := b.db.Visible()
	for _, p := range b.props {
		_, err := b.ix.change(b.r.ID, p.name, false, func(old *State, _ storage.PropertyID) *State {
			next := *old
			next.Precisions = union(next.Precisions, p.next)
			next.BuiltThrough = map[int]storage.Revision{}
			for prec, rev := range old.BuiltThrough {
				next.BuiltThrough[prec] = rev
			}
			for _, prec := range next.Precisions {
				if slices.Contains(p.next, prec) || p.wrote&(1<<prec) != 0 {
					next.BuiltThrough[prec] = now
				}
			}
			return &next
		})
		if err != nil {
			return err
		}
	}
	b.rec.Checked, b.rec.Row = true, 0
	return b.save()
}

// only leaves the precisions of the policy as the complete ones.
func (b *rebuild) only() error {
	for _, p := range b.props {
		_, err := b.ix.change(b.r.ID, p.name, false, func(old *State, _ storage.PropertyID) *State {
			next := *old
			next.Precisions = p.policy.Precisions
			return &next
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// ready says that the index is what the policy asks for.
func (b *rebuild) ready() error {
	for _, p := range b.props {
		_, err := b.ix.change(b.r.ID, p.name, true, func(old *State, _ storage.PropertyID) *State {
			next := *old
			next.Phase, next.Held = Ready, p.policy.Precisions
			next.Cover, next.Covers = p.policy.Cover, []spatialidx.CoverKind{p.policy.Cover}
			next.PolicyHash = p.policy.Hash()
			next.BuiltThrough = map[int]storage.Revision{}
			for _, prec := range next.Precisions {
				if rev, ok := old.BuiltThrough[prec]; ok {
					next.BuiltThrough[prec] = rev
				}
			}
			return &next
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// settle leaves a rebuild that ends before its time: what is complete stays usable.
func (b *rebuild) settle() error {
	var errs []error
	for _, p := range b.props {
		_, err := b.ix.change(b.r.ID, p.name, false, func(old *State, _ storage.PropertyID) *State {
			next := *old
			if next.Phase = Ready; len(next.Precisions) == 0 {
				next.Phase = NotBuilt
			}
			if !slices.Equal(next.Precisions, p.policy.Precisions) || b.rec.Clearing {
				next.PolicyHash = "" // it is what no policy asks for
			}
			return &next
		})
		errs = append(errs, err)
	}
	return errors.Join(errs...)
}

// wanted calls fn for each entry the row lacks at the precisions of this pass.
func (b *rebuild) wanted(v *storage.View, row storage.RowID, value []byte, fn func(*rebuilding, int, spatialidx.Placement, []byte)) error {
	return b.calls(row, value, func(p *rebuilding, prec int, at spatialidx.Placement, entry []byte) error {
		stored, ok, err := v.PeekSpatial(b.r.ID, p.prop, uint8(prec), uint64(at.Cell), at.Wide, row)
		if err == nil && (!ok || !bytes.Equal(stored, entry)) {
			fn(p, prec, at, entry)
		}
		return err
	})
}

// calls calls fn for each entry the row calls for at the precisions of this pass. value
// is a copy of the row that no call of a view overwrites; the entry lives until fn
// returns.
func (b *rebuild) calls(row storage.RowID, value []byte, fn func(*rebuilding, int, spatialidx.Placement, []byte) error) error {
	list, whole, err := b.rr.geometries(value)
	if err != nil {
		return err
	}
	for i := range list {
		p, err := b.property(list[i].name)
		if err != nil {
			return err
		}
		if p == nil || len(p.write) == 0 {
			continue
		}
		g, ok, err := b.rr.placed(&list[i])
		if err != nil {
			return err
		}
		if !ok {
			continue
		}
		b.rr.sc.entry = g.value(b.rr.sc.entry[:0])
		for _, prec := range p.write {
			b.rr.sc.places = g.places(b.rr.sc.places[:0], prec, p.policy.Cover)
			for _, at := range b.rr.sc.places {
				if err := fn(p, prec, at, b.rr.sc.entry); err != nil {
					return err
				}
			}
		}
	}
	if whole || !b.all || b.rec.Checked {
		return nil
	}
	if b.list == 0 {
		if b.list, err = b.ix.overflow(b.r); err != nil {
			return err
		}
	}
	return fn(&rebuilding{prop: b.list}, overflowPrecision, spatialidx.Placement{Wide: true}, world)
}

// property finds a property of the rebuild. The first pass takes up the names it meets:
// rows before this one do not have them, or were written under the record since made.
func (b *rebuild) property(name string) (*rebuilding, error) {
	if p := b.props[name]; p != nil || !b.all || b.rec.Checked {
		return p, nil
	}
	p, err := b.begin(name)
	if p != nil {
		p.next = p.policy.Precisions
		p.write = p.next
	}
	return p, err
}

// passRows looks at every row and writes the entries it lacks.
func (b *rebuild) passRows() error {
	b.j.enter(b.phaseName(), b.ix.Rows(b.r.ID))
	rows := int64(0)
	for more := true; more; {
		ids, n, last, err := b.lacking(b.rec.Row)
		if err != nil {
			return err
		}
		for at := 0; at < len(ids); at += rebuildBatchRows {
			b.j.done.Store(rows + int64(n)*int64(at)/int64(len(ids)))
			if err := b.writeRows(ids[at:min(at+rebuildBatchRows, len(ids))]); err != nil {
				return err
			}
			if len(b.putOff) >= maxPutOff {
				if err := b.writePutOff(); err != nil {
					return err
				}
			}
		}
		rows += int64(n)
		b.j.done.Store(rows)
		if more = n > 0; more {
			b.rec.Row = last + 1
			if err := b.saveRows(); err != nil {
				return err
			}
		}
	}
	b.done.Rows = max(b.done.Rows, rows)
	return b.writePutOff()
}

// saveRows records where the pass is: before the rows that were put off.
func (b *rebuild) saveRows() error {
	rec := b.rec
	if len(b.putOff) > 0 {
		rec.Row = slices.Min(b.putOff)
	}
	return b.ix.saveJob(b.j, rec)
}

// writeRows writes the entries that rows lack; those locked by others are put off.
func (b *rebuild) writeRows(ids []storage.RowID) error {
	if len(ids) == 0 {
		return nil
	}
	skipped, err := b.locked(ids, storage.SkipLocked, b.writeLocked)
	b.putOff = append(b.putOff, skipped...)
	return err
}

// writePutOff waits for each row that was put off; no lock is held while waiting.
func (b *rebuild) writePutOff() error {
	for len(b.putOff) > 0 {
		if _, err := b.locked(b.putOff[:1], storage.Wait, b.writeLocked); err != nil {
			return err
		}
		b.putOff = b.putOff[1:]
	}
	b.putOff = nil
	return nil
}

// locked calls fn with a view in which the rows are as they stay until it returns.
func (b *rebuild) locked(ids []storage.RowID, policy storage.WaitPolicy, fn func(*storage.View, []storage.RowID) error) (skipped []storage.RowID, err error) {
	txn := b.db.Begin(storage.ReadCommitted)
	defer txn.Rollback()
	held := make([]storage.RowID, 0, len(ids))
	for _, id := range ids {
		_, err := txn.LockRow(b.ctx, b.r.ID, id, storage.ForShare, policy)
		switch {
		case errors.Is(err, storage.ErrSkip):
			skipped = append(skipped, id)
		case err != nil:
			return nil, err
		default:
			held = append(held, id)
		}
	}
	v, err := b.db.NewView()
	if err != nil {
		return nil, err
	}
	defer v.Close()
	return skipped, fn(v, held)
}

func (b *rebuild) writeLocked(v *storage.View, ids []storage.RowID) error {
	info, err := b.db.Reindex(b.ctx, b.r.ID, func(row func(storage.RowID, func(*storage.Entries)) error) error {
		for _, id := range ids {
			value, _, ok, err := v.Get(b.r.ID, id)
			if err != nil {
				return err
			}
			if !ok {
				continue
			}
			var failed error
			err = row(id, func(out *storage.Entries) {
				failed = b.wanted(v, id, value, func(p *rebuilding, prec int, at spatialidx.Placement, entry []byte) {
					p.wrote |= 1 << prec
					out.SetSpatial(p.prop, uint8(prec), uint64(at.Cell), at.Wide, entry)
				})
			})
			if err := errors.Join(failed, err); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return fmt.Errorf("write spatial entries: %w", err)
	}
	b.done.Entries += int64(info.SpatialLive)
	return nil
}
