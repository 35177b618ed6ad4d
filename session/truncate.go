package session

import (
	"context"
	"slices"

	"raisind/catalog"
	"raisind/pgerr"
	"raisind/sql/ast"
	"raisind/storage"
)

// truncate is TRUNCATE. Rows are deleted like any others, so that a rollback has them
// back and history keeps them; foreign keys and row triggers are not asked.
func (s *Session) truncate(ctx context.Context, n *ast.Truncate) error {
	tx := s.ensureTx()
	tx.queried = true
	list, err := s.truncated(ctx, n)
	if err != nil {
		return err
	}
	all := &firedTriggers{s: s, ctx: ctx}
	var fired []*firing
	for _, r := range list {
		if len(r.Triggers) == 0 {
			continue
		}
		f, err := all.begin(r, catalog.TriggerTruncate, nil)
		if err != nil {
			return err
		}
		if f == nil {
			continue
		}
		if err := f.Statement(); err != nil {
			return err
		}
		fired = append(fired, f)
	}
	for _, r := range list {
		if err := s.deleteAll(ctx, r); err != nil {
			return err
		}
		if n.RestartIdentity {
			if err := s.restartSequencesOf(ctx, r); err != nil {
				return err
			}
		}
	}
	for _, f := range fired {
		f.Done()
	}
	return all.Finish()
}

// truncated finds and locks the relations of a TRUNCATE, with CASCADE those that
// reference them too.
func (s *Session) truncated(ctx context.Context, n *ast.Truncate) ([]*catalog.Relation, error) {
	tx := s.tx
	var list []*catalog.Relation
	add := func(r *catalog.Relation) (*catalog.Relation, error) {
		switch r.Kind {
		case catalog.Table, catalog.Workspace:
		default:
			return nil, pgerr.New(pgerr.WrongObjectType, "%q is not a table", r.Name)
		}
		if !tx.cat.Snapshot().Allowed(s.roleOID(), catalog.PrivilegeTruncate, catalog.TableKind, &r.Security) {
			return nil, pgerr.New(pgerr.InsufficientPrivilege, "permission denied for table %s", r.Name)
		}
		if err := tx.store.LockRelation(ctx, r.ID, storage.AccessExclusive, storage.Wait); err != nil {
			return nil, mapError(err)
		}
		now, ok := tx.cat.ByID(r.ID)
		if !ok {
			return nil, pgerr.New(pgerr.UndefinedTable, "relation %q does not exist", r.Name)
		}
		list = append(list, now)
		return now, nil
	}
	has := func(id storage.RelationID) bool {
		return slices.ContainsFunc(list, func(r *catalog.Relation) bool { return r.ID == id })
	}
	for _, name := range n.Names {
		r, err := s.relation(name, s.running)
		if err != nil {
			return nil, err
		}
		if has(r.ID) {
			continue
		}
		if _, err := add(r); err != nil {
			return nil, err
		}
	}
	for i := 0; i < len(list); i++ {
		for _, fk := range tx.cat.Snapshot().ReferencedBy(list[i].ID) {
			child := fk.Relation
			if has(child.ID) {
				continue
			}
			if !n.Cascade {
				return nil, pgerr.New(pgerr.FeatureNotSupported, "cannot truncate a table referenced in a foreign key constraint").
					WithDetail("Table %q references %q.", child.Name, list[i].Name).
					WithHint("Truncate table %q at the same time, or use TRUNCATE ... CASCADE.", child.Name)
			}
			s.notice(pgerr.Notice("truncate cascades to table %q", child.Name))
			if _, err := add(child); err != nil {
				return nil, err
			}
		}
	}
	return list, nil
}

// deleteAll deletes every row of a relation that is locked against all others.
func (s *Session) deleteAll(ctx context.Context, r *catalog.Relation) error {
	return s.runUnwatched(ctx, "DELETE FROM "+ast.QuoteIdent(r.Schema)+"."+ast.QuoteIdent(r.Name))
}

// restartSequencesOf makes the sequences that go with columns of r begin again.
func (s *Session) restartSequencesOf(ctx context.Context, r *catalog.Relation) error {
	e := s.definer(ctx)
	for _, q := range s.tx.cat.Snapshot().Relations() {
		if q.Kind != catalog.Sequence || q.Sequence.Owner != r.ID {
			continue
		}
		if err := s.tx.store.LockRelation(ctx, q.ID, storage.AccessExclusive, storage.Wait); err != nil {
			return mapError(err)
		}
		c := q.Clone()
		e.RestartSequence(c)
		if err := s.tx.cat.Replace(ctx, c); err != nil {
			return err
		}
	}
	return nil
}
