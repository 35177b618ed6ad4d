package session

import (
	"context"
	"errors"

	"raisind/catalog"
	"raisind/pgerr"
	"raisind/sql/ast"
	"raisind/sql/define"
	"raisind/sql/funcs"
	"raisind/sql/plan"
	"raisind/sql/types"
	"raisind/storage"
)

// sequenceUse is what a session knows of a sequence it has used.
type sequenceUse struct {
	values storage.RelationID
	last   int64 // given out by this session
	called bool
	// left values from next on are the session's already.
	next, increment int64
	left            int
}

// sequence finds, checks and locks a sequence for the function named by what.
func (s *Session) sequence(ctx context.Context, oid uint32, want catalog.Privilege) (*catalog.Relation, error) {
	tx := s.ensureTx()
	r, ok := tx.cat.Snapshot().ByOID(oid)
	if !ok {
		return nil, pgerr.New(pgerr.UndefinedTable, "could not open relation with OID %d", oid)
	}
	if r.Kind != catalog.Sequence {
		return nil, pgerr.New(pgerr.WrongObjectType, "%q is not a sequence", r.Name)
	}
	if err := tx.store.LockRelation(ctx, r.ID, storage.RowExclusive, storage.Wait); err != nil {
		return nil, err
	}
	if now, ok := tx.cat.Snapshot().ByOID(oid); ok {
		r = now
	}
	if want != 0 {
		if has, _ := tx.cat.Snapshot().Held(s.roleOID(), catalog.SequenceKind, &r.Security); has&want == 0 {
			return nil, pgerr.New(pgerr.InsufficientPrivilege, "permission denied for sequence %s", r.Name)
		}
	}
	return r, nil
}

// NextVal implements funcs.Sequencer.
func (s *Session) NextVal(ctx context.Context, oid uint32) (int64, error) {
	if err := s.forbidReadOnly("nextval()"); err != nil {
		return 0, err
	}
	r, err := s.sequence(ctx, oid, catalog.PrivilegeUsage|catalog.PrivilegeUpdate)
	if err != nil {
		return 0, err
	}
	id, def := define.SequenceValues(r)
	u := s.sequences[oid]
	if u == nil || u.values != id {
		u = &sequenceUse{values: id}
		if s.sequences == nil {
			s.sequences = map[uint32]*sequenceUse{}
		}
		s.sequences[oid] = u
	}
	if u.left == 0 {
		first, n, err := s.engine.cfg.DB.NextSequence(id, def, int(r.Sequence.Cache), s.syncCommit)
		if errors.Is(err, storage.ErrSequenceExhausted) {
			if def.Increment > 0 {
				return 0, pgerr.New(pgerr.SequenceGeneratorLimitExceeded, "nextval: reached maximum value of sequence %q (%d)", r.Name, def.Max)
			}
			return 0, pgerr.New(pgerr.SequenceGeneratorLimitExceeded, "nextval: reached minimum value of sequence %q (%d)", r.Name, def.Min)
		}
		if err != nil {
			return 0, err
		}
		u.next, u.left, u.increment = first, n, def.Increment
	}
	u.last, u.called = u.next, true
	u.left--
	u.next += u.increment
	s.lastSequence = oid
	return u.last, nil
}

// CurrVal implements funcs.Sequencer.
func (s *Session) CurrVal(ctx context.Context, oid uint32) (int64, error) {
	r, err := s.sequence(ctx, oid, catalog.PrivilegeUsage|catalog.PrivilegeSelect)
	if err != nil {
		return 0, err
	}
	if u := s.sequences[oid]; u != nil && u.called {
		return u.last, nil
	}
	return 0, pgerr.New(pgerr.ObjectNotInPrerequisiteState, "currval of sequence %q is not yet defined in this session", r.Name)
}

// LastVal implements funcs.Sequencer.
func (s *Session) LastVal(ctx context.Context) (int64, error) {
	u := s.sequences[s.lastSequence]
	_, exists := s.catalogNow().ByOID(s.lastSequence)
	if u == nil || !exists {
		return 0, pgerr.New(pgerr.ObjectNotInPrerequisiteState, "lastval is not yet defined in this session")
	}
	if _, err := s.sequence(ctx, s.lastSequence, catalog.PrivilegeUsage|catalog.PrivilegeSelect); err != nil {
		return 0, err
	}
	return u.last, nil
}

// SetVal implements funcs.Sequencer.
func (s *Session) SetVal(ctx context.Context, oid uint32, v int64, called bool) error {
	if err := s.forbidReadOnly("setval()"); err != nil {
		return err
	}
	r, err := s.sequence(ctx, oid, catalog.PrivilegeUpdate)
	if err != nil {
		return err
	}
	if d := r.Sequence; v < d.Min || v > d.Max {
		return pgerr.New(pgerr.NumericValueOutOfRange, "setval: value %d is out of bounds for sequence %q (%d..%d)", v, r.Name, d.Min, d.Max)
	}
	id, _ := define.SequenceValues(r)
	if err := s.engine.cfg.DB.SetSequence(id, v, called, s.syncCommit); err != nil {
		return err
	}
	u := s.sequences[oid]
	if u == nil {
		u = &sequenceUse{}
		if s.sequences == nil {
			s.sequences = map[uint32]*sequenceUse{}
		}
		s.sequences[oid] = u
	}
	u.values, u.left = id, 0
	if called {
		u.last, u.called = v, true
	}
	return nil
}

// SequenceState implements funcs.Sequencer.
func (s *Session) SequenceState(oid uint32) (funcs.SequenceState, error) {
	r, ok := s.catalogNow().ByOID(oid)
	if !ok || r.Kind != catalog.Sequence {
		return funcs.SequenceState{}, pgerr.New(pgerr.UndefinedTable, "could not open relation with OID %d", oid)
	}
	id, def := define.SequenceValues(r)
	st, err := s.engine.cfg.DB.ReadSequence(id, def)
	d := r.Sequence
	return funcs.SequenceState{
		Last: st.Last, Ahead: int64(st.Ahead), Called: st.Called,
		Start: d.Start, Min: d.Min, Max: d.Max, Increment: d.Increment, Cycle: d.Cycle, Cache: d.Cache, Type: d.Type,
	}, err
}

// SerialSequence implements funcs.Sequencer.
func (s *Session) SerialSequence(table, column string) (string, bool, error) {
	oid, ok := s.RelationOID(table)
	if !ok {
		return "", false, pgerr.New(pgerr.UndefinedTable, "relation %q does not exist", table)
	}
	snap := s.catalogNow()
	r, _ := snap.ByOID(oid)
	at, ok := r.ColumnByName(column)
	if !ok {
		return "", false, pgerr.New(pgerr.UndefinedColumn, "column %q of relation %q does not exist", column, r.Name)
	}
	for _, q := range snap.Relations() {
		if q.Kind == catalog.Sequence && q.Sequence.Owner == r.ID && q.Sequence.OwnerColumn == r.Columns[at].ID {
			return ast.QuoteIdent(q.Schema) + "." + ast.QuoteIdent(q.Name), true, nil
		}
	}
	return "", false, nil
}

// sequenceScan reads a sequence as a relation.
func sequenceScan(r *catalog.Relation) *plan.VirtualScan {
	v := &plan.VirtualScan{Name: r.Name}
	for _, c := range r.Columns {
		v.Cols = append(v.Cols, plan.Column{Name: c.Name, Type: c.Type, Typmod: -1, TableOID: r.OID, AttNum: int16(c.ID)})
	}
	oid := r.OID
	v.Rows = func(fc *funcs.Ctx) (funcs.RowSource, error) {
		q, ok := fc.Session.(funcs.Sequencer)
		if !ok {
			return nil, notSupported("reading a sequence here")
		}
		st, err := q.SequenceState(oid)
		if err != nil {
			return nil, err
		}
		return &sequenceRow{types.Row{types.Int(st.Last), types.Int(st.Ahead), types.Bool(st.Called)}}, nil
	}
	return v
}

type sequenceRow struct{ row types.Row }

// Next implements funcs.RowSource.
func (s *sequenceRow) Next() (types.Row, bool, error) {
	row := s.row
	s.row = nil
	return row, row != nil, nil
}
