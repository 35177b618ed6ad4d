package exec

import (
	"errors"

	"raisind/pgerr"
	"raisind/sql/expr"
	"raisind/sql/plan"
	"raisind/sql/types"
	"raisind/storage"
)

// lockRows locks the rows its source yields before passing them on, each in its
// newest version.
type lockRows struct {
	q   *Query
	n   *plan.LockRows
	ec  *expr.Ctx
	src iter
	row types.Row // ours: the source's own may be shared
}

func (q *Query) newLockRows(n *plan.LockRows, ec *expr.Ctx) (iter, error) {
	src, err := q.build(n.Source, ec)
	if err != nil {
		return nil, err
	}
	return &lockRows{q: q, n: n, ec: ec, src: src}, nil
}

func (l *lockRows) next() (types.Row, error) {
	for {
		src, err := l.src.next()
		if err != nil || src == nil {
			return nil, err
		}
		if err := l.q.tick(); err != nil {
			return nil, err
		}
		l.row = append(l.row[:0], src...)
		ok, err := l.lock()
		if err != nil {
			return nil, err
		}
		if ok {
			return l.row, nil
		}
	}
}

// lock takes the locks of one row; false when it is to be left out.
func (l *lockRows) lock() (bool, error) {
	for i := range l.n.Locks {
		k := &l.n.Locks[i]
		id, ok := rowID(k.Rel, l.row, k.Offset)
		if !ok {
			continue // the NULLs of an outer join
		}
		ok, err := l.q.claim(k.Rel, id, k.Mode, k.Wait, l.row, k.Offset, k.Qual, l.ec)
		switch {
		case errors.Is(err, storage.ErrSkip):
			return false, nil
		case errors.Is(err, storage.ErrLockNotAvailable):
			return false, pgerr.Wrap(err, pgerr.LockNotAvailable, "could not obtain lock on row in relation %q", k.Rel.Name)
		case err != nil || !ok:
			return false, err
		}
	}
	return true, nil
}

func (l *lockRows) close() { l.src.close() }
