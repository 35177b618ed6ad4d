package exec

import (
	"raisind/catalog"
	"raisind/relation"
	"raisind/sql/expr"
	"raisind/sql/plan"
	"raisind/sql/types"
	"raisind/storage"
)

// remove deletes the rows its source yields.
type remove struct {
	*writer
	n     *plan.Delete
	fires Firing    // nil without triggers
	old   types.Row // every column of the row at work: the scan reads those it needs
}

func (q *Query) newDelete(n *plan.Delete, ec *expr.Ctx) (iter, error) {
	w, err := q.newWriter(n, n.Source, n.Returning, ec)
	if err != nil {
		return nil, err
	}
	d := &remove{writer: w, n: n, old: make(types.Row, len(n.Rel.Columns))}
	if d.fires, err = w.fire(n.Rel, catalog.TriggerDelete, nil); err != nil {
		return nil, err
	}
	w.run = d.all
	return w, nil
}

func (d *remove) all() error {
	var row types.Row // ours: the source's own may be shared
	for {
		src, err := d.src.next()
		if err != nil || src == nil {
			return err
		}
		if err := d.q.tick(); err != nil {
			return err
		}
		id, ok := rowID(d.n.Rel, src, d.n.Offset)
		if !ok {
			continue
		}
		row = append(row[:0], src...)
		path, gone, err := d.one(id, row, d.n.Qual)
		if err != nil {
			return err
		}
		if gone && d.n.Descendants && d.n.Rel.Kind == catalog.Workspace {
			if err := d.below(path, row); err != nil {
				return err
			}
		}
	}
}

// one deletes the row whose scan row is in row, and returns the path it had.
func (d *remove) one(id storage.RowID, row types.Row, qual expr.Expr) (path string, gone bool, err error) {
	r := d.n.Rel
	if !d.q.touch(r.ID, id) {
		return "", false, nil
	}
	ok, err := d.q.claim(r, id, storage.ForUpdate, storage.Wait, row, d.n.Offset, qual, d.ec)
	if err != nil || !ok {
		return "", false, err
	}
	if len(r.Indexes) > 0 || d.fires != nil || d.q.watched(r) {
		value, _, ok, err := d.q.opt.Txn.GetLatest(r.ID, id)
		if err != nil || !ok {
			return "", false, err
		}
		if d.old, err = relation.DecodeRow(r, value, nil, d.old); err != nil {
			return "", false, err
		}
	}
	switch err := before(d.fires, d.old, nil); {
	case err == errPassedOver:
		return "", false, nil
	case err != nil:
		return "", false, err
	}
	for i := range r.Indexes {
		if err := d.q.releaseKey(r, &r.Indexes[i], d.old, id); err != nil {
			return "", false, err
		}
	}
	d.q.opt.Txn.Delete(r.ID, id)
	d.q.changed(r, id, d.old, nil)
	if err := after(d.fires, d.old, nil); err != nil {
		return "", false, err
	}
	if r.Kind == catalog.Workspace {
		path = d.old[catalog.ColPath].Str()
	}
	return path, true, d.wrote(row)
}

// below deletes the nodes under path that the statement's view holds. row is the
// source's row, in which they take the place of the node above them.
func (d *remove) below(path string, row types.Row) error {
	r := d.n.Rel
	// '0' follows '/': the range holds what starts with path and a slash.
	start := types.AppendOrderedKey(nil, types.TText, types.Str(path+"/"))
	end := types.AppendOrderedKey(nil, types.TText, types.Str(path+"0"))
	var ids []storage.RowID
	it := d.q.view.ScanUnique(r.PathIndex().ID, start, end, false)
	for it.Next() {
		ids = append(ids, it.RowID())
	}
	err := it.Err()
	it.Close()
	if err != nil {
		return err
	}
	for _, id := range ids {
		if err := d.q.tick(); err != nil {
			return err
		}
		value, rev, ok, err := d.q.view.Peek(r.ID, id)
		if err != nil {
			return err
		}
		if !ok {
			continue
		}
		s := scanRow(r, row, d.n.Offset)
		if _, err := relation.DecodeRow(r, value, nil, s); err != nil {
			return err
		}
		setExtras(r, s, rev, types.Null, id)
		if _, _, err := d.one(id, row, nil); err != nil {
			return err
		}
	}
	return nil
}
