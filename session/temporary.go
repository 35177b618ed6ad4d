package session

import (
	"context"
	"strings"
	"time"

	"raisind/catalog"
	"raisind/storage"
)

// commitTemporary does at the end of a transaction what ON COMMIT says.
func (s *Session) commitTemporary(ctx context.Context) error {
	if s.temp == "" {
		return nil
	}
	tx := s.tx
	for _, r := range tx.cat.Snapshot().Relations() {
		if r.Schema != s.temp || r.OnCommit == "" {
			continue
		}
		if r.OnCommit == "delete rows" {
			if err := s.emptyView(ctx, r); err != nil {
				return err
			}
			continue
		}
		if err := tx.store.LockRelation(ctx, r.ID, storage.AccessExclusive, storage.Wait); err != nil {
			return err
		}
		for _, q := range tx.cat.Snapshot().Relations() {
			if q.Sequence != nil && q.Sequence.Owner == r.ID {
				if err := tx.cat.Drop(ctx, q.ID); err != nil {
					return err
				}
			}
		}
		if err := tx.cat.Drop(ctx, r.ID); err != nil {
			return err
		}
	}
	return nil
}

// dropTemporary drops what the session kept for itself.
func (s *Session) dropTemporary() {
	if s.temp == "" {
		return
	}
	if err := s.engine.dropSchemas(func(name string) bool { return name == s.temp }); err != nil {
		s.engine.cfg.Logger.Error("dropping the temporary objects of a session", "pid", s.pid, "error", err)
	}
}

// dropSchemas drops schemas with all that is in them, in a transaction of its own.
func (e *Engine) dropSchemas(which func(name string) bool) error {
	snap := e.cat.Current()
	var schemas []*catalog.Schema
	for _, o := range snap.Objects(catalog.ClassSchema) {
		if x, ok := o.(*catalog.Schema); ok && which(x.Name) {
			schemas = append(schemas, x)
		}
	}
	if len(schemas) == 0 {
		return nil
	}
	const patience = 30 * time.Second
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	txn := e.cfg.DB.Begin(storage.ReadCommitted)
	defer txn.Rollback()
	cat := e.cat.Begin(txn)
	for _, x := range schemas {
		for _, r := range snap.Relations() {
			if r.Schema != x.Name {
				continue
			}
			if err := txn.LockRelation(ctx, r.ID, storage.AccessExclusive, storage.Wait); err != nil {
				return err
			}
			if err := cat.Drop(ctx, r.ID); err != nil {
				return err
			}
		}
		for _, o := range snap.Objects(catalog.ClassType) {
			if u, ok := o.(*catalog.UserType); ok && u.Schema == x.Name {
				if err := cat.DropObject(ctx, u.Ref()); err != nil {
					return err
				}
			}
		}
		if err := cat.DropObject(ctx, x.Ref()); err != nil {
			return err
		}
	}
	deriver, ended := e.indexer.Committing(cat)
	defer ended()
	_, err := txn.Commit(ctx, deriver, storage.CommitOptions{OnApply: cat.OnApply})
	e.sweepSoon()
	return err
}

// isTemporarySchema reports whether a schema is one session's own.
func isTemporarySchema(name string) bool { return strings.HasPrefix(name, "pg_temp_") }
