package exec

import (
	"slices"

	"raisind/catalog"
	"raisind/relation"
	"raisind/sql/expr"
	"raisind/sql/plan"
	"raisind/sql/types"
	"raisind/storage"
)

// writer is what INSERT, UPDATE and DELETE share: all of the source is worked off
// before the first row of RETURNING is handed out.
type writer struct {
	q         *Query
	node      plan.Node
	ec        *expr.Ctx
	src       iter
	run       func() error
	ran       bool
	commands  []Firing // in the order their BEFORE STATEMENT triggers fire
	returning []expr.Expr
	out       types.Row
	kept      arena
	rows      []types.Row
	at        int
}

func (q *Query) newWriter(node, source plan.Node, returning []expr.Expr, ec *expr.Ctx) (*writer, error) {
	src, err := q.build(source, ec)
	if err != nil {
		return nil, err
	}
	return &writer{q: q, node: node, ec: ec, src: src, returning: returning, out: make(types.Row, len(returning)), kept: arena{q: q}}, nil
}

func (w *writer) next() (types.Row, error) {
	if !w.ran {
		w.ran = true
		for _, f := range w.commands {
			if err := f.Statement(); err != nil {
				return nil, err
			}
		}
		if err := w.run(); err != nil {
			return nil, err
		}
		for _, f := range slices.Backward(w.commands) {
			f.Done()
		}
		w.src.close()
	}
	if w.at == len(w.rows) {
		return nil, nil
	}
	w.at++
	return w.rows[w.at-1], nil
}

func (w *writer) close() { w.src.close() }

// fire begins the triggers of a command of the writer; nil for none.
func (w *writer) fire(r *catalog.Relation, event catalog.TriggerEvent, set []plan.Assign) (Firing, error) {
	var columns []int
	for i := range set {
		columns = append(columns, set[i].Column)
	}
	f, err := w.q.firing(r, event, columns)
	if f != nil {
		w.commands = append(w.commands, f)
	}
	return f, err
}

// wrote counts a row that was written and keeps what RETURNING makes of it.
func (w *writer) wrote(row types.Row) error {
	if w.node == w.q.st.Root {
		w.q.affected++
	}
	if len(w.returning) == 0 {
		return nil
	}
	if err := evalAll(w.out, w.returning, w.ec, row); err != nil {
		return err
	}
	kept, err := w.kept.keep(w.out)
	w.rows = append(w.rows, kept)
	return err
}

// rowID reads the row id of the scan row of r that starts at offset; ok is false for
// the NULLs of an outer join.
func rowID(r *catalog.Relation, row types.Row, offset int) (id storage.RowID, ok bool) {
	d := row[offset+len(r.Columns)+plan.ExtraRowID]
	return storage.RowID(d.Int()), !d.IsNull()
}

// scanRow is the part of a source's row that a scan of r filled.
func scanRow(r *catalog.Relation, row types.Row, offset int) types.Row {
	end := offset + len(r.Columns) + plan.ExtraColumns
	return row[offset:end:end]
}

// touch notes that the statement changes a row; false when it has done so before.
func (q *Query) touch(rel storage.RelationID, id storage.RowID) bool {
	k := rowKey{rel, id}
	switch {
	case q.hasTouched(k):
		return false
	case q.first == rowKey{}:
		q.first = k
		return true
	case q.touched == nil:
		q.touched = map[rowKey]struct{}{}
	}
	q.touched[k] = struct{}{}
	return true
}

// hasTouched tells whether the statement has changed a row.
func (q *Query) hasTouched(k rowKey) bool {
	_, ok := q.touched[k]
	return ok || k == q.first
}

// claim locks a row that a scan found, for writing it or for FOR UPDATE and its
// kin, and makes sure that row holds its newest version: at READ COMMITTED a row
// that was changed meanwhile is read again and qual evaluated anew, at the higher
// levels it ends the transaction. ok is false when the row is to be passed over.
func (q *Query) claim(r *catalog.Relation, id storage.RowID, mode storage.RowLockMode, wait storage.WaitPolicy,
	row types.Row, offset int, qual expr.Expr, ec *expr.Ctx,
) (ok bool, err error) {
	if _, err := q.opt.Txn.LockRow(q.ctx, r.ID, id, mode, wait); err != nil {
		return false, err
	}
	if q.opt.Txn.Isolation() != storage.ReadCommitted {
		err := q.opt.Txn.CheckWrite(r.ID, id)
		return err == nil, err
	}
	changed, err := q.view.Changed(r.ID, id)
	if err != nil || !changed {
		return err == nil, err
	}
	value, rev, ok, err := q.opt.Txn.GetLatest(r.ID, id)
	if err != nil || !ok {
		return false, err
	}
	s := scanRow(r, row, offset)
	distance := s[len(r.Columns)+plan.ExtraDistance]
	if _, err := relation.DecodeRow(r, value, nil, s); err != nil {
		return false, err
	}
	setExtras(r, s, rev, distance, id)
	if qual == nil {
		return true, nil
	}
	return expr.EvalBool(qual, ec, row)
}

// setKey gives the row the key of an index, in the transaction's own sight; commit
// derives the stored key from the row. Another row that has the key is an error.
func (q *Query) setKey(r *catalog.Relation, ix *catalog.Index, row types.Row, id storage.RowID) error {
	key, ok, err := q.rt.Indexer.AppendKey(r, ix, row, id, nil)
	if err != nil || !ok {
		return err
	}
	if err := relation.CheckKeySize(r, ix, key.Bytes); err != nil {
		return err
	}
	if !key.Unique {
		q.opt.Txn.PutUnique(ix.ID, key.Bytes, id)
		return nil
	}
	if err := q.opt.Txn.LockKey(q.ctx, ix.ID, key.Bytes); err != nil {
		return err
	}
	other, taken, err := q.opt.Txn.LookupLatest(ix.ID, key.Bytes)
	if err != nil {
		return err
	}
	if taken && other != id {
		return q.rt.Indexer.KeyViolation(r, ix, row)
	}
	q.opt.Txn.PutUnique(ix.ID, key.Bytes, id)
	return nil
}

// releaseKey takes the key of an index from the row that had it.
func (q *Query) releaseKey(r *catalog.Relation, ix *catalog.Index, row types.Row, id storage.RowID) error {
	key, ok, err := q.rt.Indexer.AppendKey(r, ix, row, id, nil)
	if err != nil || !ok {
		return err
	}
	if key.Unique {
		if err := q.opt.Txn.LockKey(q.ctx, ix.ID, key.Bytes); err != nil {
			return err
		}
	}
	q.opt.Txn.DeleteUnique(ix.ID, key.Bytes)
	return nil
}
