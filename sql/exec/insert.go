package exec

import (
	"context"

	"raisind/catalog"
	"raisind/pgerr"
	"raisind/relation"
	"raisind/sql/expr"
	"raisind/sql/funcs"
	"raisind/sql/plan"
	"raisind/sql/types"
	"raisind/storage"
)

// insert writes new rows.
type insert struct {
	*writer
	n *plan.Insert
	rowMaker
	conflict *changer // of DO UPDATE
	both     types.Row
}

// rowMaker turns given values into complete rows of a relation.
type rowMaker struct {
	q        *Query
	r        *catalog.Relation
	targets  []int
	defaults []expr.Expr
	fires    Firing // nil without triggers
	rules    *plan.RowRules
	row      types.Row // the layout of a scan of r
	id       storage.RowID
	// generatedID is set when the row got its id from the server: nobody else has it.
	generatedID bool
	// keys of the row by index, made in keyBytes.
	keys     []relation.Key
	keyBytes [][]byte
}

func (q *Query) newInsert(n *plan.Insert, ec *expr.Ctx) (iter, error) {
	w, err := q.newWriter(n, n.Source, n.Returning, ec)
	if err != nil {
		return nil, err
	}
	in := &insert{writer: w, n: n, rowMaker: newRowMaker(q, n.Rel, n.Targets, n.Defaults, n.Rules)}
	if in.fires, err = w.fire(n.Rel, catalog.TriggerInsert, nil); err != nil {
		return nil, err
	}
	if n.OnConflict != nil && n.OnConflict.Update != nil {
		fires, err := w.fire(n.Rel, catalog.TriggerUpdate, n.OnConflict.Update)
		if err != nil {
			return nil, err
		}
		c := newChanger(q, n.Rel, n.OnConflict.Update, n.Rules, fires)
		in.conflict = &c
	}
	w.run = in.all
	return w, nil
}

func newRowMaker(q *Query, r *catalog.Relation, targets []int, defaults []expr.Expr, rules *plan.RowRules) rowMaker {
	return rowMaker{
		q: q, r: r, targets: targets, defaults: defaults, rules: rules, row: make(types.Row, len(r.Columns)+plan.ExtraColumns),
		keys: make([]relation.Key, len(r.Indexes)), keyBytes: make([][]byte, len(r.Indexes)),
	}
}

// complete makes a row of the values for the targets.
func (m *rowMaker) complete(given types.Row, ec *expr.Ctx) error {
	clear(m.row)
	for i, e := range m.defaults {
		if e == nil {
			continue
		}
		var err error
		if m.row[i], err = e.Eval(ec, nil); err != nil {
			return err
		}
	}
	for i, t := range m.targets {
		m.row[t] = given[i]
	}
	if err := before(m.fires, nil, m.row[:len(m.r.Columns)]); err != nil {
		return err
	}
	m.generatedID = m.r.Kind == catalog.Workspace && m.row[catalog.ColID].IsNull()
	if err := generate(m.rules, m.row, ec); err != nil {
		return err
	}
	if err := relation.CompleteInsert(m.r, m.row[:len(m.r.Columns)], m.q.nowMicros()); err != nil {
		return err
	}
	return checkRow(m.r, m.rules, m.row, ec)
}

// generate computes the generated columns of a row.
func generate(rules *plan.RowRules, row types.Row, ec *expr.Ctx) error {
	if rules == nil {
		return nil
	}
	for i := range rules.Generated {
		v, err := rules.Generated[i].Value.Eval(ec, row)
		if err != nil {
			return err
		}
		row[rules.Generated[i].Column] = v
	}
	return nil
}

// checkRow holds a row against the checks of its relation.
func checkRow(r *catalog.Relation, rules *plan.RowRules, row types.Row, ec *expr.Ctx) error {
	if rules == nil {
		return nil
	}
	for i := range rules.Checks {
		v, err := rules.Checks[i].Cond.Eval(ec, row)
		if err != nil {
			return err
		}
		if !v.IsNull() && !v.Bool() {
			return relation.CheckViolation(r, rules.Checks[i].Name, row)
		}
	}
	return nil
}

// skipsCheck tells that an index cannot hold the new row's key yet.
func (m *rowMaker) skipsCheck(ix *catalog.Index) bool {
	return m.generatedID && len(ix.Columns) == 1 && ix.Columns[0] == catalog.ColID
}

// claimKeys locks the row's unique keys and looks for a row that holds one of them.
// The keys are in m.keys afterwards, without bytes where the row has none.
func (m *rowMaker) claimKeys() (holder *catalog.Index, id storage.RowID, err error) {
	m.id = m.q.rt.DB.NextRowID(m.r.ID)
	for i := range m.r.Indexes {
		ix := &m.r.Indexes[i]
		key, ok, err := m.q.rt.Indexer.AppendKey(m.r, ix, m.row, m.id, m.keyBytes[i][:0])
		if err != nil {
			return nil, 0, err
		}
		m.keyBytes[i] = key.Bytes
		if m.keys[i] = (relation.Key{}); !ok {
			continue
		}
		if err := relation.CheckKeySize(m.r, ix, key.Bytes); err != nil {
			return nil, 0, err
		}
		m.keys[i] = key
		if !key.Unique || m.skipsCheck(ix) {
			continue
		}
		if err := m.q.opt.Txn.LockKey(m.q.ctx, ix.ID, key.Bytes); err != nil {
			return nil, 0, err
		}
	}
	for i := range m.r.Indexes {
		ix := &m.r.Indexes[i]
		if !m.keys[i].Unique || m.skipsCheck(ix) {
			continue
		}
		id, taken, err := m.q.opt.Txn.LookupLatest(ix.ID, m.keys[i].Bytes)
		if err != nil {
			return nil, 0, err
		}
		if taken {
			return ix, id, nil
		}
	}
	return nil, 0, nil
}

// put writes the row under the id that its keys were made for.
func (m *rowMaker) put() error {
	id := m.id
	value, err := relation.EncodeRow(m.r, m.row)
	if err != nil {
		return err
	}
	for i, key := range m.keys {
		if key.Bytes != nil {
			m.q.opt.Txn.PutUnique(m.r.Indexes[i].ID, key.Bytes, id)
		}
	}
	m.q.opt.Txn.Put(m.r.ID, id, value)
	m.q.changed(m.r, id, nil, m.row)
	setExtras(m.r, m.row, 0, types.Null, id)
	return after(m.fires, nil, m.row[:len(m.r.Columns)])
}

func (in *insert) all() error {
	for {
		given, err := in.src.next()
		if err != nil || given == nil {
			return err
		}
		if err := in.writer.q.tick(); err != nil {
			return err
		}
		switch err := in.complete(given, in.ec); {
		case err == errPassedOver:
			continue
		case err != nil:
			return err
		}
		if err := in.one(); err != nil {
			return err
		}
	}
}

// one inserts the row made, or does what ON CONFLICT says.
func (in *insert) one() error {
	q, oc := in.writer.q, in.n.OnConflict
	for {
		holder, other, err := in.claimKeys()
		if err != nil {
			return err
		}
		if holder == nil {
			if err := in.put(); err != nil {
				return err
			}
			if oc != nil { // it may be what a later row conflicts with
				id, _ := rowID(in.r, in.row, 0)
				q.touch(in.r.ID, id)
			}
			return in.wrote(in.row)
		}
		if oc == nil || oc.Index != nil && oc.Index.ID != holder.ID {
			return q.rt.Indexer.KeyViolation(in.r, holder, in.row)
		}
		if oc.Update == nil {
			return in.checkSeen(other)
		}
		again, err := in.onConflict(holder, other)
		if err != nil || !again {
			return err
		}
	}
}

// checkSeen refuses, above READ COMMITTED, to act on a row that the transaction
// cannot see.
func (in *insert) checkSeen(other storage.RowID) error {
	q := in.writer.q
	if q.opt.Txn.Isolation() == storage.ReadCommitted {
		return nil
	}
	if q.hasTouched(rowKey{in.r.ID, other}) {
		return nil
	}
	_, _, seen, err := q.view.Peek(in.r.ID, other)
	if err == nil && !seen {
		err = storage.ErrSerialization
	}
	return err
}

// onConflict runs DO UPDATE on the row that holds a key; again tells that the row
// went away and the insert has to be tried once more.
func (in *insert) onConflict(holder *catalog.Index, other storage.RowID) (again bool, err error) {
	q, r := in.writer.q, in.r
	if q.hasTouched(rowKey{r.ID, other}) {
		return false, conflictAgain()
	}
	if err := in.checkSeen(other); err != nil {
		return false, err
	}
	if _, err := q.opt.Txn.LockRow(q.ctx, r.ID, other, in.conflict.mode, storage.Wait); err != nil {
		return false, err
	}
	if q.opt.Txn.Isolation() != storage.ReadCommitted {
		if err := q.opt.Txn.CheckWrite(r.ID, other); err != nil {
			return false, err
		}
	}
	value, rev, ok, err := q.opt.Txn.GetLatest(r.ID, other)
	if err != nil || !ok {
		return true, err
	}
	// The existing row as a scan yields it, then the proposed one.
	n := len(r.Columns)
	if in.both == nil {
		in.both = make(types.Row, 2*n+plan.ExtraColumns)
	}
	old := in.both[: n+plan.ExtraColumns : n+plan.ExtraColumns]
	if _, err := relation.DecodeRow(r, value, nil, old); err != nil {
		return false, err
	}
	if same, err := q.sameKey(r, holder, old, in.row, other); err != nil || !same {
		return true, err // it has another key now
	}
	setExtras(r, old, rev, types.Null, other)
	copy(in.both[n+plan.ExtraColumns:], in.row[:n])
	if w := in.n.OnConflict.Where; w != nil {
		if ok, err := expr.EvalBool(w, in.ec, in.both); !ok {
			return false, err
		}
	}
	q.touch(r.ID, other)
	switch err := in.conflict.change(other, old, in.both, in.ec); {
	case err == errPassedOver:
		return false, nil
	case err != nil:
		return false, err
	}
	copy(old, in.conflict.cur[:n])
	setExtras(r, old, 0, types.Null, other)
	return false, in.wrote(old)
}

// Inserter inserts rows that come from outside a statement: COPY FROM.
type Inserter struct {
	q *Query
	m rowMaker
}

// InserterOptions say what an Inserter writes to.
type InserterOptions struct {
	Txn     *storage.Txn
	Catalog *catalog.Tx
	Rel     *catalog.Relation
	// Targets are the columns that Insert is given, as positions in Rel.Columns.
	Targets []int
	// Defaults has an expression for each column without a target; may be nil.
	Defaults []expr.Expr
	Rules    *plan.RowRules
	Funcs    *funcs.Ctx
	// Triggers fires triggers; nil for none.
	Triggers Triggers
	// Keys looks after foreign keys; nil: nobody does.
	Keys KeyWatcher
}

// NewInserter locks the relation for writing. ctx ends the waiting for locks.
func (rt *Runtime) NewInserter(ctx context.Context, o InserterOptions) (*Inserter, error) {
	if err := o.Txn.LockRelation(ctx, o.Rel.ID, storage.RowExclusive, storage.Wait); err != nil {
		return nil, mapError(err)
	}
	if _, ok := o.Catalog.ByID(o.Rel.ID); !ok {
		return nil, pgerr.New(pgerr.UndefinedTable, "relation %q does not exist", o.Rel.Name)
	}
	q := &Query{rt: rt, ctx: ctx, st: &plan.Statement{}, opt: OpenOptions{Txn: o.Txn, Catalog: o.Catalog, Funcs: o.Funcs, Keys: o.Keys}, memory: defaultMemoryBytes}
	q.ec = &expr.Ctx{Ctx: o.Funcs, Subplans: q}
	q.opt.Triggers = o.Triggers
	fires, err := q.firing(o.Rel, catalog.TriggerInsert, nil)
	if err == nil && fires != nil {
		err = fires.Statement()
	}
	if err != nil {
		return nil, mapError(err)
	}
	in := &Inserter{q: q, m: newRowMaker(q, o.Rel, o.Targets, o.Defaults, o.Rules)}
	in.m.fires = fires
	return in, nil
}

// Insert writes one row; given holds a value for each target and may be reused.
func (in *Inserter) Insert(given types.Row) error {
	if err := in.q.tick(); err != nil {
		return mapError(err)
	}
	switch err := in.m.complete(given, in.q.ec); {
	case err == errPassedOver:
		return nil
	case err != nil:
		return err
	}
	holder, _, err := in.m.claimKeys()
	if err != nil {
		return mapError(err)
	}
	if holder != nil {
		return in.q.rt.Indexer.KeyViolation(in.m.r, holder, in.m.row)
	}
	if err := in.m.put(); err != nil {
		return mapError(err)
	}
	in.q.affected++
	return nil
}

// Done fires the triggers that fire when all rows are written.
func (in *Inserter) Done() error {
	if in.m.fires == nil {
		return nil
	}
	in.m.fires.Done()
	return mapError(in.q.opt.Triggers.Finish())
}

// Finish ends the writing: foreign keys are looked after.
func (in *Inserter) Finish() error { return mapError(in.q.endKeys()) }

// Rows is how many rows were written.
func (in *Inserter) Rows() int64 { return in.q.affected }

// Close releases what the inserter holds.
func (in *Inserter) Close() error { return in.q.Close() }
