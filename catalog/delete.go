package catalog

import (
	"context"
	"slices"
	"strings"

	"raisind/pgerr"
	"raisind/storage"
)

// maxReported is how many dependent objects a message names.
const maxReported = 100

// Dropping says how objects are dropped.
type Dropping struct {
	// Cascade drops what depends on them too; else it forbids the deletion.
	Cascade bool
	// Path are the schemas whose names messages print without qualification.
	Path []string
	// Notice is told of what goes too; may be nil.
	Notice func(*pgerr.Error)
}

// Delete removes objects, which the caller has found, with what depends on them and
// under locks on all relations concerned.
func (tx *Tx) Delete(ctx context.Context, refs []Ref, o Dropping) error {
	d := &dropper{Tx: tx, ctx: ctx, Dropping: o}
	now := d.Snapshot()
	gone := now.Deletion(refs)
	// Others may have made something dependent while the locks were waited for.
	for {
		if err := d.lockAll(now, gone); err != nil {
			return err
		}
		again := d.Snapshot()
		if again.Version() == now.Version() {
			break
		}
		now = again
		gone = now.Deletion(refs)
	}
	if len(gone.Reports) > 0 {
		if err := d.report(now, refs, gone); err != nil {
			return err
		}
	}
	return d.delete(now, gone)
}

// dropper is one deletion at work.
type dropper struct {
	*Tx
	Dropping
	ctx context.Context
}

func (d *dropper) tell(n *pgerr.Error) {
	if d.Notice != nil {
		d.Notice(n)
	}
}

func (d *dropper) lockAll(now *Snapshot, gone Deletion) error {
	for _, ref := range gone.Objects {
		if r, ok := now.Holder(ref); ok {
			if err := d.txn.LockRelation(d.ctx, r.ID, storage.AccessExclusive, storage.Wait); err != nil {
				return err
			}
		}
	}
	return nil
}

// report tells of what goes too, or refuses.
func (d *dropper) report(now *Snapshot, refs []Ref, gone Deletion) error {
	visible := func(schema string) bool { return slices.Contains(d.Path, schema) }
	var lines []string
	for i, r := range gone.Reports {
		if i == maxReported {
			break
		}
		if d.Cascade {
			lines = append(lines, "drop cascades to "+now.Describe(r.Object, visible))
		} else {
			lines = append(lines, now.Describe(r.Object, visible)+" depends on "+now.Describe(r.Needs, visible))
		}
	}
	switch {
	case d.Cascade && len(lines) == 1:
		d.tell(pgerr.Notice("%s", lines[0]))
		return nil
	case d.Cascade:
		n := pgerr.Notice("drop cascades to %d other objects", len(gone.Reports))
		n.Detail = strings.Join(lines, "\n")
		d.tell(n)
		return nil
	}
	what := "cannot drop desired object(s) because other objects depend on them"
	if len(refs) == 1 {
		what = "cannot drop " + now.Describe(refs[0], visible) + " because other objects depend on it"
	}
	e := pgerr.New(pgerr.DependentObjectsStillExist, "%s", what).WithHint("Use DROP ... CASCADE to drop the dependent objects too.")
	e.Detail = strings.Join(lines, "\n")
	return e
}

// delete removes all that goes: parts of relations that stay first.
func (d *dropper) delete(now *Snapshot, gone Deletion) error {
	whole := map[uint32]bool{}
	for _, ref := range gone.Objects {
		if ref.Class == ClassRelation && ref.Sub == 0 {
			whole[ref.OID] = true
		}
	}
	changed := map[uint32]*Relation{}
	var order []uint32
	for _, ref := range gone.Objects {
		r, ok := now.Holder(ref)
		if !ok || whole[r.OID] {
			continue
		}
		if changed[r.OID] == nil {
			changed[r.OID] = r.Clone()
			order = append(order, r.OID)
		}
		changed[r.OID].removePart(ref)
	}
	for _, oid := range order {
		if err := d.Replace(d.ctx, changed[oid]); err != nil {
			return err
		}
	}
	for _, ref := range gone.Objects {
		switch {
		case ref.Class == ClassRelation && ref.Sub == 0:
			r, ok := now.ByOID(ref.OID)
			if !ok {
				continue
			}
			if err := d.Drop(d.ctx, r.ID); err != nil {
				return err
			}
		case ref.Class >= ClassSchema:
			if err := d.DropObject(d.ctx, ref); err != nil {
				return err
			}
		}
	}
	return nil
}

// removePart takes a column, default, index, constraint or trigger out of a relation.
func (r *Relation) removePart(ref Ref) {
	switch ref.Class {
	case ClassRelation:
		if at, ok := r.ColumnByID(ref.Sub); ok {
			r.RemoveColumn(at)
		}
	case ClassDefault:
		if at, ok := r.ColumnByID(ref.Sub); ok {
			c := &r.Columns[at]
			c.Default, c.Generated, c.Depends = "", "", nil
		}
	case ClassIndex:
		r.Indexes = slices.DeleteFunc(r.Indexes, func(x Index) bool { return x.OID == ref.OID })
	case ClassConstraint:
		r.Constraints = slices.DeleteFunc(r.Constraints, func(c Constraint) bool { return c.OID == ref.OID })
	case ClassTrigger:
		r.Triggers = slices.DeleteFunc(r.Triggers, func(t Trigger) bool { return t.OID == ref.OID })
	}
}

// RemoveColumn takes a column out; the positions behind it move up.
func (r *Relation) RemoveColumn(at int) {
	r.Columns = slices.Delete(r.Columns, at, at+1)
	for i := range r.Indexes {
		x := &r.Indexes[i]
		for _, list := range [][]int{x.Columns, x.Include} {
			for k := range list {
				if list[k] > at {
					list[k]--
				}
			}
		}
	}
}
