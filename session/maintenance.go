package session

import (
	"context"

	"raisind/catalog"
	"raisind/pgerr"
	"raisind/sql/ast"
	"raisind/sql/parser"
	"raisind/storage"
)

// vacuum is VACUUM: it prunes the relations named, or everything, and rewrites their tables without what
// was pruned. FULL does the same, as nothing is left to it.
func (s *Session) vacuum(ctx context.Context, n *ast.Vacuum) error {
	if err := s.forbidBlock("VACUUM"); err != nil {
		return err
	}
	if err := s.targets(n.Relations); err != nil {
		return err
	}
	db := s.engine.cfg.DB
	if len(n.Relations) == 0 {
		return db.VacuumAll(ctx)
	}
	for _, t := range n.Relations {
		rel, err := s.relation(t.Name, s.running)
		if err != nil {
			return err
		}
		indexes := make([]storage.IndexID, 0, len(rel.Indexes))
		for i := range rel.Indexes {
			indexes = append(indexes, rel.Indexes[i].ID)
		}
		if err := db.Vacuum(ctx, rel.ID, indexes); err != nil {
			return err
		}
	}
	return nil
}

// analyzeStatement is ANALYZE: it collects statistics of the relations named, or of all.
func (s *Session) analyzeStatement(ctx context.Context, n *ast.Analyze) error {
	if err := s.targets(n.Relations); err != nil {
		return err
	}
	var rels []*catalog.Relation
	for _, t := range n.Relations {
		rel, err := s.relation(t.Name, s.running)
		if err != nil {
			return err
		}
		rels = append(rels, rel)
	}
	if len(n.Relations) == 0 {
		rels = s.catalogNow().Relations()
	}
	for _, rel := range rels {
		if !rel.Kind.HasRows() {
			continue
		}
		if err := s.engine.indexer.Analyze(ctx, rel); err != nil {
			return mapError(err)
		}
	}
	s.engine.cache.forgetPlans()
	return nil
}

// analyzeStale collects statistics of relations of which much has changed.
func (e *Engine) analyzeStale(ctx context.Context) error {
	for _, rel := range e.cat.Current().Relations() {
		if !rel.Kind.HasRows() || !e.indexer.Stale(rel.ID) {
			continue
		}
		if err := e.indexer.Analyze(ctx, rel); err != nil {
			return err
		}
		e.cache.forgetPlans()
	}
	return nil
}

func (s *Session) targets(list []ast.VacuumTarget) error {
	for _, t := range list {
		rel, err := s.relation(t.Name, s.running)
		if err != nil {
			return err
		}
		for _, c := range t.Columns {
			if _, ok := rel.ColumnByName(c); !ok {
				return pgerr.New(pgerr.UndefinedColumn, `column "%s" of relation "%s" does not exist`, c, rel.Name)
			}
		}
	}
	return nil
}

var lockModes = map[string]storage.RelLockMode{
	"":                       storage.AccessExclusive,
	"access share":           storage.AccessShare,
	"row share":              storage.RowShare,
	"row exclusive":          storage.RowExclusive,
	"share update exclusive": storage.ShareUpdateExclusive,
	"share":                  storage.Share,
	"share row exclusive":    storage.ShareRowExclusive,
	"exclusive":              storage.Exclusive,
	"access exclusive":       storage.AccessExclusive,
}

func (s *Session) lockRelation(ctx context.Context, rel *catalog.Relation, n *ast.LockTable) error {
	policy := storage.Wait
	if n.NoWait {
		policy = storage.NoWait
	}
	err := s.tx.store.LockRelation(ctx, rel.ID, lockModes[n.Mode], policy)
	if mapped := mapError(err); pgerr.Is(mapped, pgerr.LockNotAvailable) && n.NoWait {
		return pgerr.New(pgerr.LockNotAvailable, `could not obtain lock on relation "%s"`, rel.Name)
	}
	return err
}

// planless wraps a statement made here, which has no text.
func planless(n ast.Stmt) parser.Statement { return parser.Statement{Node: n} }

// catalogNow is what the session sees of the catalog.
func (s *Session) catalogNow() *catalog.Snapshot {
	if s.tx != nil {
		return s.tx.cat.Snapshot()
	}
	return s.engine.cat.Current()
}
