package ddl

import (
	"raisind/catalog"
	"raisind/pgerr"
	"raisind/relation"
	"raisind/sql/expr"
	"raisind/sql/planner"
	"raisind/sql/types"
	"raisind/storage"
)

// fill enters the rows of the table in its new indexes. Nobody else writes to the
// table: it is locked, and the transaction's view is of what is committed now.
func (t *tableMaker) fill() error {
	var list []*catalog.Index
	for _, i := range t.built {
		if x := &t.r.Indexes[i]; x.Format != catalog.NoKeys {
			list = append(list, x)
		}
	}
	if len(list) == 0 {
		return nil
	}
	for _, x := range list {
		if err := t.fillIndex(x); err != nil {
			return err
		}
	}
	return nil
}

// fillIndex enters the committed rows directly, under a number that nobody else knows
// yet, and the transaction's own in its write set.
func (t *tableMaker) fillIndex(x *catalog.Index) error {
	r, ix := t.r, t.Runtime.Indexer
	v, err := t.Txn.NewLatestView()
	if err != nil {
		return err
	}
	defer v.Close()
	v.Bind(t.ctx)
	if err := relation.NoteBuild(t.Runtime.DB, x.ID); err != nil {
		return err
	}
	ix.NoteOwnRows(x.ID, t.Txn.OwnRows(r.ID))
	seen := map[string]struct{}{}
	var row types.Row
	return t.Runtime.DB.BuildIndex(t.ctx, x.ID, func(put func(key []byte, row storage.RowID) error) error {
		it := v.Rows(r.ID)
		defer it.Close()
		for it.Next() {
			var err error
			if row, err = relation.DecodeRow(r, it.Value(), nil, row); err != nil {
				return err
			}
			k, has, err := ix.AppendKey(r, x, row, it.RowID(), nil)
			if err != nil {
				return err
			}
			if !has {
				continue
			}
			if err := relation.CheckKeySize(r, x, k.Bytes); err != nil {
				return err
			}
			if k.Unique {
				if _, dup := seen[string(k.Bytes)]; dup {
					return ix.DuplicateKey(r, x, row)
				}
				seen[string(k.Bytes)] = struct{}{}
			}
			if it.Revision() == 0 { // the transaction's own: the commit derives its key
				t.Txn.PutUnique(x.ID, k.Bytes, it.RowID())
				continue
			}
			if err := put(k.Bytes, it.RowID()); err != nil {
				return err
			}
		}
		return it.Err()
	})
}

// eachRow calls fn with every row of the table as the transaction sees it, until fn
// fails. The row lives until fn returns.
func (d *definer) eachRow(r *catalog.Relation, fn func(id storage.RowID, row types.Row) error) error {
	v, err := d.Txn.NewLatestView()
	if err != nil {
		return err
	}
	defer v.Close()
	v.Bind(d.ctx)
	it := v.Rows(r.ID)
	defer it.Close()
	row := make(types.Row, len(r.Columns))
	for it.Next() {
		if row, err = relation.DecodeRow(r, it.Value(), nil, row); err != nil {
			return err
		}
		if err := fn(it.RowID(), row); err != nil {
			return err
		}
	}
	return it.Err()
}

// exprContext is what expressions over rows are evaluated in.
func (d *definer) exprContext() *expr.Ctx { return &expr.Ctx{Ctx: d.Funcs} }

// checkRows holds the rows that are there against the named checks and the columns
// that must not be NULL.
func (t *tableMaker) checkRows(checks []string, notNull []int) error {
	if len(checks) == 0 && len(notNull) == 0 {
		return nil
	}
	conds := make([]expr.Expr, len(checks))
	for i, name := range checks {
		c, _ := t.r.Constraint(name)
		var err error
		if conds[i], err = planner.BindStored(t.ctx, t.Planner, t.r, c.Expr, planner.UseCheck, nil); err != nil {
			return err
		}
	}
	ec := t.exprContext()
	return t.eachRow(t.r, func(_ storage.RowID, row types.Row) error {
		for _, c := range notNull {
			if row[c].IsNull() {
				return pgerr.New(pgerr.NotNullViolation, "column %q of relation %q contains null values", t.r.Columns[c].Name, t.r.Name).
					WithRelation(t.r.Schema, t.r.Name, t.r.Columns[c].Name, "")
			}
		}
		for i, cond := range conds {
			v, err := cond.Eval(ec, row)
			if err != nil {
				return err
			}
			if !v.IsNull() && !v.Bool() {
				return pgerr.New(pgerr.CheckViolation, "check constraint %q of relation %q is violated by some row", checks[i], t.r.Name).
					WithRelation(t.r.Schema, t.r.Name, "", checks[i])
			}
		}
		return nil
	})
}
