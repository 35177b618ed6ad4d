package exec

import (
	"raisind/sql/expr"
	"raisind/sql/plan"
	"raisind/sql/types"
)

// hashJoin keeps the right side by its keys and looks each left row up. Keys with a
// NULL match nothing.
type hashJoin struct {
	q     *Query
	n     *plan.HashJoin
	ec    *expr.Ctx
	left  iter
	nLeft int
	row   types.Row
	key   []byte

	built  bool
	rows   []types.Row      // right rows
	chains []int32          // the next row with the same key, -1 at the end of the chain
	heads  map[string]int32 // the first row of each key
	used   []bool           // right rows that have met their match, of RIGHT and FULL

	leftRow types.Row
	chain   int32
	matched bool
	tail    bool
	at      int
}

func (q *Query) newHashJoin(n *plan.HashJoin, ec *expr.Ctx) (iter, error) {
	left, err := q.build(n.Left, ec)
	if err != nil {
		return nil, err
	}
	j := &hashJoin{q: q, n: n, ec: ec, left: left, nLeft: len(n.Left.Columns())}
	j.row = make(types.Row, j.nLeft+len(n.Right.Columns()))
	return j, nil
}

// build reads the right side.
func (j *hashJoin) build() error {
	j.built = true
	right, err := j.q.build(j.n.Right, j.ec)
	if err != nil {
		return err
	}
	defer right.close()
	if j.rows, err = j.q.drain(right); err != nil {
		return err
	}
	if err := j.q.hold(int64(len(j.rows)) * 8); err != nil {
		return err
	}
	j.chains = make([]int32, len(j.rows))
	j.used = make([]bool, len(j.rows))
	j.heads = make(map[string]int32, len(j.rows))
	// From the end, so that chains run in the order of the rows.
	for i := len(j.rows) - 1; i >= 0; i-- {
		null, err := j.makeKey(j.n.RightKeys, j.rows[i])
		if err != nil {
			return err
		}
		j.chains[i] = -1
		if null {
			continue
		}
		head, ok := j.heads[string(j.key)]
		if ok {
			j.chains[i] = head
		} else if err := j.q.hold(int64(len(j.key)) + mapEntryBytes); err != nil {
			return err
		}
		j.heads[string(j.key)] = int32(i)
	}
	return nil
}

// makeKey evaluates the keys of a row into j.key; null tells that it matches nothing.
func (j *hashJoin) makeKey(keys []expr.Expr, row types.Row) (null bool, err error) {
	j.key = j.key[:0]
	for _, e := range keys {
		v, err := e.Eval(j.ec, row)
		if err != nil || v.IsNull() {
			return true, err
		}
		j.key = appendValueKey(j.key, e.Type(), v)
	}
	return false, nil
}

func (j *hashJoin) next() (types.Row, error) {
	for !j.tail {
		if j.leftRow == nil {
			ok, err := j.advance()
			if err != nil {
				return nil, err
			}
			if !ok {
				j.tail = true
				break
			}
		}
		row, err := j.match()
		if err != nil || row != nil {
			return row, err
		}
	}
	if j.n.Kind != plan.RightJoin && j.n.Kind != plan.FullJoin {
		return nil, nil
	}
	return unmatched(j.rows, j.used, &j.at, j.row, j.nLeft), nil
}

// advance takes the next left row and finds its chain.
func (j *hashJoin) advance() (bool, error) {
	row, err := j.left.next()
	if err != nil {
		return false, err
	}
	if !j.built && (row != nil || j.n.Kind == plan.RightJoin || j.n.Kind == plan.FullJoin) {
		if err := j.build(); err != nil {
			return false, err
		}
	}
	if row == nil {
		return false, nil
	}
	copy(j.row, row)
	j.leftRow, j.matched, j.chain = j.row[:j.nLeft:j.nLeft], false, -1
	null, err := j.makeKey(j.n.LeftKeys, j.leftRow)
	if err != nil {
		return false, err
	}
	if head, ok := j.heads[string(j.key)]; ok && !null {
		j.chain = head
	}
	return true, nil
}

// match goes on with the current left row; nil when it is done with.
func (j *hashJoin) match() (types.Row, error) {
	for j.chain >= 0 {
		if err := j.q.tick(); err != nil {
			return nil, err
		}
		i := j.chain
		j.chain = j.chains[i]
		copy(j.row[j.nLeft:], j.rows[i])
		if j.n.On != nil {
			ok, err := expr.EvalBool(j.n.On, j.ec, j.row)
			if err != nil {
				return nil, err
			}
			if !ok {
				continue
			}
		}
		j.matched, j.used[i] = true, true
		switch j.n.Kind {
		case plan.SemiJoin:
			return j.endLeft(), nil
		case plan.AntiJoin:
			j.endLeft()
			return nil, nil
		}
		return j.row, nil
	}
	left := j.endLeft()
	switch {
	case j.matched, j.n.Kind == plan.InnerJoin, j.n.Kind == plan.RightJoin, j.n.Kind == plan.SemiJoin:
		return nil, nil
	case j.n.Kind == plan.AntiJoin:
		return left, nil
	}
	clear(j.row[j.nLeft:])
	return j.row, nil
}

func (j *hashJoin) endLeft() types.Row {
	left := j.leftRow
	j.leftRow = nil
	return left
}

func (j *hashJoin) close() { j.left.close() }
