package exec

import (
	"bytes"

	"raisind/pgerr"
	"raisind/sql/expr"
	"raisind/sql/plan"
	"raisind/sql/types"
)

// limit passes on some rows after leaving some out.
type limit struct {
	n     *plan.Limit
	ec    *expr.Ctx
	src   iter
	begun bool
	skip  int64
	left  int64
	// last are the tie keys of the last row within the count; nil until then.
	last, keys types.Row
}

func (q *Query) newLimit(n *plan.Limit, ec *expr.Ctx) (iter, error) {
	src, err := q.build(n.Source, ec)
	if err != nil {
		return nil, err
	}
	return &limit{n: n, ec: ec, src: src}, nil
}

func (l *limit) begin() error {
	l.begun = true
	var err error
	if l.skip, err = evalCount(l.n.Offset, l.ec, 0); err != nil {
		return err
	}
	if l.skip < 0 {
		return pgerr.New(pgerr.InvalidRowCountInResultOffsetClause, "OFFSET must not be negative")
	}
	if l.left, err = evalCount(l.n.Count, l.ec, unbounded); err != nil {
		return err
	}
	if l.left < 0 {
		return pgerr.New(pgerr.InvalidRowCountInLimitClause, "LIMIT must not be negative")
	}
	return nil
}

func (l *limit) next() (types.Row, error) {
	if !l.begun {
		if err := l.begin(); err != nil {
			return nil, err
		}
	}
	if l.left == 0 && l.last == nil {
		return nil, nil
	}
	for ; l.skip > 0 && l.left > 0; l.skip-- {
		row, err := l.src.next()
		if err != nil || row == nil {
			l.left = 0
			return nil, err
		}
	}
	row, err := l.src.next()
	if err != nil || row == nil {
		l.left, l.last = 0, nil
		return nil, err
	}
	if l.left > 0 {
		l.left--
		if l.left == 0 && len(l.n.TiesKeys) > 0 {
			l.last = make(types.Row, len(l.n.TiesKeys))
			l.keys = make(types.Row, len(l.n.TiesKeys))
			err = evalKeys(l.last, l.n.TiesKeys, l.ec, row)
		}
		return row, err
	}
	if err := evalKeys(l.keys, l.n.TiesKeys, l.ec, row); err != nil {
		return nil, err
	}
	if compareKeys(l.n.TiesKeys, l.keys, l.last) != 0 {
		l.last = nil
		return nil, nil
	}
	return row, nil
}

func (l *limit) close() { l.src.close() }

// distinct passes on the first row of each group of equal rows.
//
// DISTINCT ON reads rows sorted by what they are distinct on, so that it only has to
// remember the last one.
type distinct struct {
	q    *Query
	n    *plan.Distinct
	ec   *expr.Ctx
	src  iter
	seen *deduper
	key  []byte
	last []byte // the last key of DISTINCT ON
	any  bool
}

func (q *Query) newDistinct(n *plan.Distinct, ec *expr.Ctx) (iter, error) {
	src, err := q.build(n.Source, ec)
	if err != nil {
		return nil, err
	}
	return &distinct{q: q, n: n, ec: ec, src: src, seen: q.newDeduper(q.stat(n))}, nil
}

func (d *distinct) next() (types.Row, error) {
	for {
		row, err := d.src.next()
		if err == nil && row == nil && d.n.On == nil {
			d.src.close()
			var more iter
			if more, err = d.seen.rest(); more != nil {
				d.src = more
				continue
			}
		}
		if err != nil || row == nil {
			return nil, err
		}
		if err := d.q.tick(); err != nil {
			return nil, err
		}
		if d.n.On == nil {
			d.key = appendRowKey(d.key[:0], d.n.Columns(), row)
			fresh, err := d.seen.fresh(d.key, row)
			if err != nil {
				return nil, err
			}
			if fresh {
				return row, nil
			}
			continue
		}
		d.key = d.key[:0]
		for _, e := range d.n.On {
			v, err := e.Eval(d.ec, row)
			if err != nil {
				return nil, err
			}
			d.key = appendValueKey(d.key, e.Type(), v)
		}
		if !d.any || !bytes.Equal(d.key, d.last) {
			d.any, d.last = true, append(d.last[:0], d.key...)
			return row, nil
		}
	}
}

// mapEntryBytes is about what an entry of a set of keys costs beside the key.
const mapEntryBytes = 48

// addKey puts key into set and reports whether it was not there.
func (q *Query) addKey(set map[string]struct{}, key []byte) (bool, error) {
	if _, ok := set[string(key)]; ok {
		return false, nil
	}
	if err := q.hold(int64(len(key)) + mapEntryBytes); err != nil {
		return false, err
	}
	set[string(key)] = struct{}{}
	return true, nil
}

func (d *distinct) close() {
	d.src.close()
	d.seen.close()
}
