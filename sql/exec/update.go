package exec

import (
	"slices"

	"raisind/catalog"
	"raisind/pgerr"
	"raisind/relation"
	"raisind/sql/expr"
	"raisind/sql/plan"
	"raisind/sql/types"
	"raisind/storage"
)

// update changes the rows its source yields.
type update struct {
	*writer
	n *plan.Update
	changer
}

// changer gives rows new values: for UPDATE, and for ON CONFLICT DO UPDATE.
type changer struct {
	q   *Query
	r   *catalog.Relation
	set []plan.Assign
	// fires are the triggers of the update; nil for none.
	fires Firing
	// keyed are the indexes with a column that is assigned to.
	keyed []*catalog.Index
	mode  storage.RowLockMode
	cur   types.Row
}

func newChanger(q *Query, r *catalog.Relation, set []plan.Assign, fires Firing) changer {
	c := changer{q: q, r: r, set: set, fires: fires, mode: storage.ForNoKeyUpdate, cur: make(types.Row, len(r.Columns))}
	for i := range r.Indexes {
		ix := &r.Indexes[i]
		if fires != nil && fires.Changes() || slices.ContainsFunc(set, func(a plan.Assign) bool { return slices.Contains(ix.Columns, a.Column) }) {
			c.keyed = append(c.keyed, ix)
			c.mode = storage.ForUpdate
		}
	}
	return c
}

func (q *Query) newUpdate(n *plan.Update, ec *expr.Ctx) (iter, error) {
	w, err := q.newWriter(n, n.Source, n.Returning, ec)
	if err != nil {
		return nil, err
	}
	fires, err := w.fire(n.Rel, catalog.TriggerUpdate, n.Set)
	if err != nil {
		return nil, err
	}
	u := &update{writer: w, n: n, changer: newChanger(q, n.Rel, n.Set, fires)}
	w.run = u.all
	return w, nil
}

func (u *update) all() error {
	var row types.Row // ours: the source's own may be shared
	for {
		src, err := u.src.next()
		if err != nil || src == nil {
			return err
		}
		if err := u.writer.q.tick(); err != nil {
			return err
		}
		id, ok := rowID(u.r, src, u.n.Offset)
		if !ok {
			continue
		}
		if !u.writer.q.touch(u.r.ID, id) {
			continue // by an earlier row of a join
		}
		row = append(row[:0], src...)
		if ok, err = u.writer.q.claim(u.r, id, u.mode, storage.Wait, row, u.n.Offset, u.n.Qual, u.ec); err != nil {
			return err
		}
		if !ok {
			continue
		}
		old := scanRow(u.r, row, u.n.Offset)
		switch err := u.change(id, old, row, u.ec); {
		case err == errPassedOver:
			continue
		case err != nil:
			return err
		}
		copy(old, u.cur)
		setExtras(u.r, old, 0, old[len(u.r.Columns)+plan.ExtraDistance], id)
		if err := u.wrote(row); err != nil {
			return err
		}
	}
}

// change writes a row that is claimed: old are its values, row what the assignments
// are evaluated over. The new values are in c.cur afterwards.
func (c *changer) change(id storage.RowID, old, row types.Row, ec *expr.Ctx) error {
	n := len(c.r.Columns)
	copy(c.cur, old[:n])
	for i := range c.set {
		v, err := c.set[i].Value.Eval(ec, row)
		if err != nil {
			return err
		}
		c.cur[c.set[i].Column] = v
	}
	if err := before(c.fires, old[:n], c.cur[:n]); err != nil {
		return err
	}
	if err := relation.CompleteUpdate(c.r, old[:n], c.cur, c.q.nowMicros()); err != nil {
		return err
	}
	for _, ix := range c.keyed {
		if sameKey(c.r, ix, old, c.cur) {
			continue
		}
		if err := c.q.releaseKey(c.r, ix, old); err != nil {
			return err
		}
		if err := c.q.setKey(c.r, ix, c.cur, id); err != nil {
			return err
		}
	}
	value, err := relation.EncodeRow(c.r, c.cur)
	if err != nil {
		return err
	}
	c.q.opt.Txn.Put(c.r.ID, id, value)
	return after(c.fires, old[:n], c.cur[:n])
}

func sameKey(r *catalog.Relation, ix *catalog.Index, a, b types.Row) bool {
	for _, c := range ix.Columns {
		if a[c].IsNull() != b[c].IsNull() || !a[c].IsNull() && types.Compare(r.Columns[c].Type, a[c], b[c]) != 0 {
			return false
		}
	}
	return true
}

// conflictAgain is the error for a row that one INSERT would change twice.
func conflictAgain() error {
	return pgerr.New(pgerr.CardinalityViolation, "ON CONFLICT DO UPDATE command cannot affect row a second time").
		WithHint("Ensure that no rows proposed for insertion within the same command have duplicate constrained values.")
}
