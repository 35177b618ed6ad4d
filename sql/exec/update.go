package exec

import (
	"bytes"
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
	q     *Query
	r     *catalog.Relation
	set   []plan.Assign
	rules *plan.RowRules
	// fires are the triggers of the update; nil for none.
	fires Firing
	// keyed are the indexes whose keys may change.
	keyed []*catalog.Index
	mode  storage.RowLockMode
	cur   types.Row
}

func newChanger(q *Query, r *catalog.Relation, set []plan.Assign, rules *plan.RowRules, fires Firing) changer {
	// The row is as wide as a scan's: what is checked may read system columns.
	c := changer{q: q, r: r, set: set, rules: rules, fires: fires, mode: storage.ForNoKeyUpdate, cur: make(types.Row, len(r.Columns)+plan.ExtraColumns)}
	changed := set
	if rules != nil {
		changed = append(slices.Clone(set), rules.Generated...)
	}
	for i := range r.Indexes {
		ix := &r.Indexes[i]
		if ix.Format == catalog.NoKeys {
			continue
		}
		touched := fires != nil && fires.Changes() || slices.ContainsFunc(changed, func(a plan.Assign) bool { return slices.Contains(ix.Columns, a.Column) })
		if touched || ix.HasExprs() || ix.Predicate != "" {
			c.keyed = append(c.keyed, ix)
		}
		if touched && ix.Plain() { // others lock such a row by its key
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
	u := &update{writer: w, n: n, changer: newChanger(q, n.Rel, n.Set, n.Rules, fires)}
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
		copy(old, u.cur[:len(u.r.Columns)])
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
	copy(c.cur[n:], old[n:])
	if err := before(c.fires, old[:n], c.cur[:n]); err != nil {
		return err
	}
	if err := generate(c.rules, c.cur, ec); err != nil {
		return err
	}
	if err := relation.CompleteUpdate(c.r, old[:n], c.cur[:n], c.q.nowMicros()); err != nil {
		return err
	}
	if err := checkRow(c.r, c.rules, c.cur, ec); err != nil {
		return err
	}
	for _, ix := range c.keyed {
		if same, err := c.q.sameKey(c.r, ix, old, c.cur, id); same || err != nil {
			if err != nil {
				return err
			}
			continue
		}
		if err := c.q.releaseKey(c.r, ix, old, id); err != nil {
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
	c.q.changed(c.r, id, old, c.cur)
	return after(c.fires, old[:n], c.cur[:n])
}

// sameKey reports whether two rows with one id have the same key in ix.
func (q *Query) sameKey(r *catalog.Relation, ix *catalog.Index, a, b types.Row, id storage.RowID) (bool, error) {
	if ix.Format == catalog.UniqueKeys {
		for _, c := range ix.Columns {
			if a[c].IsNull() != b[c].IsNull() || !a[c].IsNull() && types.Compare(r.Columns[c].Type, a[c], b[c]) != 0 {
				return false, nil
			}
		}
		return true, nil
	}
	was, had, err := q.rt.Indexer.AppendKey(r, ix, a, id, nil)
	if err != nil {
		return false, err
	}
	is, has, err := q.rt.Indexer.AppendKey(r, ix, b, id, nil)
	return had == has && bytes.Equal(was.Bytes, is.Bytes), err
}

// conflictAgain is the error for a row that one INSERT would change twice.
func conflictAgain() error {
	return pgerr.New(pgerr.CardinalityViolation, "ON CONFLICT DO UPDATE command cannot affect row a second time").
		WithHint("Ensure that no rows proposed for insertion within the same command have duplicate constrained values.")
}
