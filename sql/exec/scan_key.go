package exec

import (
	"raisind/relation"
	"raisind/sql/expr"
	"raisind/sql/plan"
	"raisind/sql/types"
	"raisind/storage"
)

// keyScan reads rows by their unique keys, in the order the keys were given.
type keyScan struct {
	q     *Query
	n     *plan.KeyScan
	ec    *expr.Ctx
	stats *plan.Stats
	at    int
	key   []byte
	seen  map[storage.RowID]bool // a row named twice comes once
	row   types.Row
}

func (s *keyScan) next() (types.Row, error) {
	r := s.n.Rel
	for s.at < len(s.n.Keys) {
		if err := s.q.tick(); err != nil {
			return nil, err
		}
		exprs := s.n.Keys[s.at]
		s.at++
		var null bool
		var err error
		if s.key, null, err = encodeKey(s.key[:0], s.n, exprs, s.ec); err != nil {
			return nil, err
		}
		if null {
			continue
		}
		id, ok, err := s.q.view.LookupUnique(s.n.Index.ID, s.key)
		s.stats.Seeks++
		if err != nil {
			return nil, err
		}
		if !ok || s.seen[id] {
			continue
		}
		if len(s.n.Keys) > 1 {
			if s.seen == nil {
				s.seen = make(map[storage.RowID]bool, len(s.n.Keys))
			}
			s.seen[id] = true
		}
		value, rev, ok, err := s.q.view.Peek(r.ID, id)
		if err != nil {
			return nil, err
		}
		if !ok {
			continue
		}
		s.stats.KeysVisited++
		if s.row, err = relation.DecodeRow(r, value, s.n.Need, s.row); err != nil {
			return nil, err
		}
		setExtras(r, s.row, rev, types.Null, id)
		if s.n.Filter != nil {
			ok, err := expr.EvalBool(s.n.Filter, s.ec, s.row)
			if err != nil {
				return nil, err
			}
			if !ok {
				s.stats.RemovedByFilter++
				continue
			}
		}
		return s.row, nil
	}
	return nil, nil
}

// encodeKey evaluates one key; null tells that it can match nothing.
func encodeKey(dst []byte, n *plan.KeyScan, exprs []expr.Expr, ec *expr.Ctx) (key []byte, null bool, err error) {
	for i, e := range exprs {
		d, err := e.Eval(ec, nil)
		if err != nil || d.IsNull() {
			return dst, true, err
		}
		dst = types.AppendOrderedKey(dst, n.Rel.Columns[n.Index.Columns[i]].Type, d)
	}
	return dst, false, nil
}

func (s *keyScan) close() {}
