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

// keyRange reads rows in the order of a unique index.
type keyRange struct {
	q     *Query
	n     *plan.KeyRange
	ec    *expr.Ctx
	stats *plan.Stats
	it    *storage.UniqueIter
	done  bool
	row   types.Row
}

// open turns the bounds into keys. A bound on the first column of several stands
// before or behind all keys that begin with it.
func (s *keyRange) open() error {
	bound := func(e expr.Expr) (key []byte, null bool, err error) {
		d, err := e.Eval(s.ec, nil)
		if err != nil || d.IsNull() {
			return nil, true, err
		}
		return types.AppendOrderedKey(nil, s.n.Rel.Columns[s.n.Index.Columns[0]].Type, d), false, nil
	}
	var start, end []byte
	if s.n.Lo != nil {
		key, null, err := bound(s.n.Lo)
		if null {
			s.done = true
			return err
		}
		if start = key; !s.n.LoIncl {
			start = relation.PrefixEnd(key)
		}
	}
	if s.n.Hi != nil {
		key, null, err := bound(s.n.Hi)
		if null {
			s.done = true
			return err
		}
		if end = key; s.n.HiIncl {
			end = relation.PrefixEnd(key)
		}
	}
	s.it = s.q.view.ScanUnique(s.n.Index.ID, start, end, s.n.Reverse)
	return nil
}

func (s *keyRange) next() (types.Row, error) {
	if s.it == nil && !s.done {
		if err := s.open(); err != nil {
			return nil, err
		}
	}
	r := s.n.Rel
	for !s.done {
		if err := s.q.tick(); err != nil {
			return nil, err
		}
		if !s.it.Next() {
			return nil, s.end()
		}
		id := s.it.RowID()
		value, rev, ok, err := s.q.view.Peek(r.ID, id)
		if err != nil {
			return nil, err
		}
		if !ok {
			continue
		}
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

func (s *keyRange) end() error {
	countReads(s.stats, s.it.Stats())
	err := s.it.Err()
	s.close()
	return err
}

func (s *keyRange) close() {
	if s.it != nil {
		s.it.Close()
		s.it = nil
	}
	s.done = true
}
