package exec

import (
	"bytes"
	"slices"

	"raisind/catalog"
	"raisind/pgerr"
	"raisind/relation"
	"raisind/sql/expr"
	"raisind/sql/plan"
	"raisind/sql/types"
	"raisind/storage"
)

// indexScan reads the entries of an index in ranges of keys, which it works out when
// its first row is asked for.
type indexScan struct {
	q     *Query
	n     *plan.IndexScan
	ec    *expr.Ctx
	stats *plan.Stats

	opened bool
	ranges []keySpan
	it     *storage.UniqueIter
	row    types.Row
}

// keySpan are the keys from start on and below end; nil is open.
type keySpan struct{ start, end []byte }

// maxSpans bounds the ranges of one scan, of lists given for several keys.
const maxSpans = 100_000

// part appends the bytes that key i has for a value.
func (s *indexScan) part(dst []byte, i int, d types.Datum) []byte {
	if s.n.Index.Format == catalog.UniqueKeys {
		return types.AppendOrderedKey(dst, s.n.KeyTypes[i], d)
	}
	return relation.AppendKeyPart(dst, s.n.Index, i, s.n.KeyTypes[i], d)
}

// open works out the ranges, in the order they are read in.
func (s *indexScan) open() error {
	s.opened = true
	prefixes := [][]byte{nil}
	for i := range s.n.Points {
		values, err := s.values(&s.n.Points[i])
		if err != nil {
			return err
		}
		if len(values)*len(prefixes) > maxSpans {
			return pgerr.New(pgerr.ProgramLimitExceeded, "index scan needs %d ranges, limit %d", len(values)*len(prefixes), maxSpans).
				WithHint("Give fewer values in the lists of the condition.")
		}
		next := make([][]byte, 0, len(values)*len(prefixes))
		for _, p := range prefixes {
			for _, v := range values {
				next = append(next, s.part(slices.Clone(p), i, v))
			}
		}
		prefixes = next
	}
	slices.SortFunc(prefixes, bytes.Compare)
	prefixes = slices.CompactFunc(prefixes, bytes.Equal)
	lo, hi, ok, err := s.bounds()
	if err != nil || !ok {
		return err
	}
	for _, p := range prefixes {
		s.ranges = append(s.ranges, s.span(p, lo, hi))
	}
	if s.n.Reverse {
		slices.Reverse(s.ranges)
	}
	return nil
}

// values are what one key may equal; NULL only where the index is asked for it.
func (s *indexScan) values(p *plan.IndexPoint) ([]types.Datum, error) {
	if p.Null {
		return []types.Datum{types.Null}, nil
	}
	if p.Array != nil {
		d, err := p.Array.Eval(s.ec, nil)
		if err != nil || d.IsNull() {
			return nil, err
		}
		return slices.DeleteFunc(slices.Clone(d.Array().Elems), types.Datum.IsNull), nil
	}
	var values []types.Datum
	for _, e := range p.Values {
		d, err := e.Eval(s.ec, nil)
		if err != nil {
			return nil, err
		}
		if !d.IsNull() {
			values = append(values, d)
		}
	}
	return values, nil
}

// bounds evaluates the ends of the range; ok is false when one is NULL.
func (s *indexScan) bounds() (lo, hi *types.Datum, ok bool, err error) {
	for _, b := range []struct {
		e  expr.Expr
		to **types.Datum
	}{{s.n.Lo, &lo}, {s.n.Hi, &hi}} {
		if b.e == nil {
			continue
		}
		d, err := b.e.Eval(s.ec, nil)
		if err != nil || d.IsNull() {
			return nil, nil, false, err
		}
		*b.to = &d
	}
	return lo, hi, true, nil
}

// span is the range of keys behind a prefix. A descending key has its bytes inverted,
// so that the bounds change sides.
func (s *indexScan) span(prefix []byte, lo, hi *types.Datum) keySpan {
	at := len(s.n.Points)
	loIncl, hiIncl := s.n.LoIncl, s.n.HiIncl
	all := keySpan{prefix, relation.PrefixEnd(prefix)}
	if lo == nil && hi == nil && !s.n.NotNull {
		return all
	}
	if s.n.Index.Format != catalog.UniqueKeys {
		marked := append(slices.Clone(prefix), relation.KeyNotNull)
		all = keySpan{marked, relation.PrefixEnd(marked)}
		if s.n.Index.Key(at).Desc {
			lo, hi, loIncl, hiIncl = hi, lo, hiIncl, loIncl
		}
	}
	if lo != nil {
		if all.start = s.part(slices.Clone(prefix), at, *lo); !loIncl {
			all.start = relation.PrefixEnd(all.start)
		}
	}
	if hi != nil {
		if all.end = s.part(slices.Clone(prefix), at, *hi); hiIncl {
			all.end = relation.PrefixEnd(all.end)
		}
	}
	return all
}

func (s *indexScan) next() (types.Row, error) {
	if !s.opened {
		if err := s.open(); err != nil {
			return nil, err
		}
	}
	for {
		if err := s.q.tick(); err != nil {
			return nil, err
		}
		if s.it == nil {
			if len(s.ranges) == 0 {
				return nil, nil
			}
			r := s.ranges[0]
			s.ranges = s.ranges[1:]
			s.it = s.q.view.ScanUnique(s.n.Index.ID, r.start, r.end, s.n.Reverse)
		}
		if !s.it.Next() {
			countReads(s.stats, s.it.Stats())
			err := s.it.Err()
			s.it.Close()
			if s.it = nil; err != nil {
				return nil, err
			}
			continue
		}
		if s.n.Only {
			setExtras(s.n.Rel, s.row, 0, types.Null, s.it.RowID())
			return s.row, nil
		}
		ok, err := s.fetch(s.it.RowID())
		if err != nil {
			return nil, err
		}
		if ok {
			return s.row, nil
		}
	}
}

// fetch reads a row into s.row; ok is false when it is not there or the filter is not true.
func (s *indexScan) fetch(id storage.RowID) (ok bool, err error) {
	r := s.n.Rel
	value, rev, ok, err := s.q.view.Peek(r.ID, id)
	if err != nil || !ok {
		return false, err
	}
	if s.row, err = relation.DecodeRow(r, value, s.n.Need, s.row); err != nil {
		return false, err
	}
	setExtras(r, s.row, rev, types.Null, id)
	if s.n.Filter == nil {
		return true, nil
	}
	if ok, err = expr.EvalBool(s.n.Filter, s.ec, s.row); !ok && err == nil {
		s.stats.RemovedByFilter++
	}
	return ok, err
}

func (s *indexScan) close() {
	if s.it != nil {
		s.it.Close()
		s.it = nil
	}
	s.opened, s.ranges = true, nil
}
