package planner

import (
	"raisind/pgerr"
	"raisind/sql/ast"
	"raisind/storage"
)

// lockWords are the clauses as messages name them.
var lockWords = [...]string{
	ast.ForKeyShare: "FOR KEY SHARE", ast.ForShare: "FOR SHARE",
	ast.ForNoKeyUpdate: "FOR NO KEY UPDATE", ast.ForUpdate: "FOR UPDATE",
}

// lockQuery applies a locking clause to the relations of q it names, or to all.
func (b *builder) lockQuery(l *ast.Locking, q *query, s *scope) error {
	word := lockWords[l.Strength]
	refuse := func(what string) error {
		return b.err(pgerr.FeatureNotSupported, -1, "%s is not allowed with %s", word, what)
	}
	switch {
	case q.kind == setQuery:
		return refuse("UNION/INTERSECT/EXCEPT")
	case q.kind == valuesQuery:
		return b.err(pgerr.FeatureNotSupported, -1, "%s cannot be applied to VALUES", word)
	case q.distinct:
		return refuse("DISTINCT clause")
	case len(q.keys) > 0 || q.sets != nil:
		return refuse("GROUP BY clause")
	case q.having != nil:
		return refuse("HAVING clause")
	case len(q.aggs) > 0:
		return refuse("aggregate functions")
	case len(q.windowCalls) > 0:
		return refuse("window functions")
	case len(q.setCalls) > 0:
		return refuse("set-returning functions in the target list")
	}
	if len(l.Of) == 0 {
		for _, r := range q.rels {
			if err := b.lockRel(l, q, r, false); err != nil {
				return err
			}
		}
		return nil
	}
	for i := range l.Of {
		name := &l.Of[i]
		if name.Schema != "" {
			return b.err(pgerr.SyntaxError, name.Pos(), "%s must specify unqualified relation names", word)
		}
		var found *rel
		for _, r := range q.rels {
			if r.alias == name.Name {
				found = r
			}
		}
		if found == nil {
			return b.err(pgerr.UndefinedTable, name.Pos(), "relation %q in %s clause not found in FROM clause", name.Name, word)
		}
		if err := b.lockRel(l, q, found, true); err != nil {
			return err
		}
	}
	return nil
}

// lockRel locks one range item; those that cannot be are passed over unless named.
func (b *builder) lockRel(l *ast.Locking, q *query, r *rel, named bool) error {
	word := lockWords[l.Strength]
	switch r.kind {
	case relTable:
	case relDerived:
		all := *l
		all.Of = nil
		r.sub.volatile = true
		return b.lockQuery(&all, r.sub, nil)
	default:
		if named {
			what := map[relKind]string{relFunction: "a function", relCTE: "a WITH query", relWorking: "a WITH query", relVirtual: "a system relation"}[r.kind]
			return b.err(pgerr.FeatureNotSupported, -1, "%s cannot be applied to %s", word, what)
		}
		return nil
	}
	if r.nullable {
		return b.err(pgerr.FeatureNotSupported, -1, "%s cannot be applied to the nullable side of an outer join", word)
	}
	mode := [...]storage.RowLockMode{
		ast.ForKeyShare: storage.ForKeyShare, ast.ForShare: storage.ForShare,
		ast.ForNoKeyUpdate: storage.ForNoKeyUpdate, ast.ForUpdate: storage.ForUpdate,
	}[l.Strength]
	wait := [...]storage.WaitPolicy{ast.LockBlock: storage.Wait, ast.LockNoWait: storage.NoWait, ast.LockSkip: storage.SkipLocked}[l.Wait]
	b.writes = true
	b.use(r.table.ID, storage.RowShare)
	q.volatile = true
	for i := range q.locks { // the strongest mode and the least patient wait win
		if q.locks[i].rel == r {
			q.locks[i].mode = max(q.locks[i].mode, mode)
			q.locks[i].wait = strongerWait(q.locks[i].wait, wait)
			return nil
		}
	}
	q.locks = append(q.locks, lock{r, mode, wait})
	return nil
}

// strongerWait is NOWAIT before SKIP LOCKED before waiting.
func strongerWait(a, b storage.WaitPolicy) storage.WaitPolicy {
	if a == storage.NoWait || b == storage.NoWait {
		return storage.NoWait
	}
	if a == storage.SkipLocked || b == storage.SkipLocked {
		return storage.SkipLocked
	}
	return storage.Wait
}
