package exec

import (
	"slices"

	"raisind/sql/expr"
	"raisind/sql/plan"
	"raisind/sql/types"
)

// nestedLoop tries every right row for every left row. A right side that depends on
// the left row is run anew for each; any other is read once and kept.
type nestedLoop struct {
	q     *Query
	n     *plan.NestedLoop
	ec    *expr.Ctx
	left  iter
	inner *expr.Ctx // of a lateral right side: the left row is its nearest outer row
	right iter
	kept  *rowStore // the right rows of a side that is not lateral
	again *storeReader
	read  bool

	leftRow types.Row
	matched bool   // the current left row has met its match
	used    []bool // right rows that have met theirs, of RIGHT and FULL
	at      int
	tail    bool
	row     types.Row
	nLeft   int
}

func (q *Query) newNestedLoop(n *plan.NestedLoop, ec *expr.Ctx) (iter, error) {
	left, err := q.build(n.Left, ec)
	if err != nil {
		return nil, err
	}
	j := &nestedLoop{q: q, n: n, ec: ec, left: left, nLeft: len(n.Left.Columns())}
	j.row = make(types.Row, j.nLeft+len(n.Right.Columns()))
	if n.Lateral {
		j.inner = &expr.Ctx{Ctx: ec.Ctx, Params: ec.Params, Subplans: ec.Subplans}
		j.inner.Outer = append(slices.Clone(ec.Outer), nil)
	}
	return j, nil
}

func (j *nestedLoop) next() (types.Row, error) {
	for !j.tail {
		if j.leftRow == nil {
			ok, err := j.advance()
			if err != nil {
				return nil, err
			}
			if !ok {
				j.tail, j.at = true, 0
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
	return j.unmatched()
}

// unmatched is the end of a RIGHT or FULL join: the next right row that met no match,
// behind a left row of NULLs; nil when there is none.
func (j *nestedLoop) unmatched() (types.Row, error) {
	if j.at == 0 {
		j.again = j.kept.reader()
	}
	for {
		right, err := j.again.next()
		if err != nil || right == nil {
			return nil, err
		}
		j.at++
		if !j.used[j.at-1] {
			clear(j.row[:j.nLeft])
			copy(j.row[j.nLeft:], right)
			return j.row, nil
		}
	}
}

// advance takes the next left row and begins the right side for it.
func (j *nestedLoop) advance() (bool, error) {
	row, err := j.left.next()
	if err != nil {
		return false, err
	}
	if !j.n.Lateral && !j.read && (row != nil || j.n.Kind == plan.RightJoin || j.n.Kind == plan.FullJoin) {
		if err := j.keep(); err != nil {
			return false, err
		}
	}
	if row == nil {
		return false, nil
	}
	copy(j.row, row)
	j.leftRow, j.matched, j.at = j.row[:j.nLeft:j.nLeft], false, 0
	if !j.n.Lateral {
		j.again = j.kept.reader()
	} else {
		j.closeRight()
		j.inner.Outer[len(j.inner.Outer)-1] = j.leftRow
		if j.right, err = j.q.build(j.n.Right, j.inner); err != nil {
			return false, err
		}
	}
	return true, nil
}

// keep reads the right side.
func (j *nestedLoop) keep() error {
	j.read = true
	right, err := j.q.build(j.n.Right, j.ec)
	if err != nil {
		return err
	}
	defer right.close()
	j.kept = j.q.newRowStore(len(j.n.Right.Columns()))
	if err := j.kept.fill(right); err != nil {
		return err
	}
	j.used = make([]bool, j.kept.len())
	return nil
}

// match goes on with the current left row; nil when it is done with.
func (j *nestedLoop) match() (types.Row, error) {
	for {
		if err := j.q.tick(); err != nil {
			return nil, err
		}
		right, i, err := j.nextRight()
		if err != nil {
			return nil, err
		}
		if right == nil {
			break
		}
		copy(j.row[j.nLeft:], right)
		if j.n.On != nil {
			ok, err := expr.EvalBool(j.n.On, j.ec, j.row)
			if err != nil {
				return nil, err
			}
			if !ok {
				continue
			}
		}
		j.matched = true
		if i >= 0 {
			j.used[i] = true
		}
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

// nextRight returns the next right row, and its index among those kept or -1.
func (j *nestedLoop) nextRight() (types.Row, int, error) {
	if j.n.Lateral {
		row, err := j.right.next()
		return row, -1, err
	}
	row, err := j.again.next()
	if err != nil || row == nil {
		return nil, -1, err
	}
	j.at++
	return row, j.at - 1, nil
}

func (j *nestedLoop) endLeft() types.Row {
	left := j.leftRow
	j.leftRow = nil
	return left
}

func (j *nestedLoop) closeRight() {
	if j.right != nil {
		j.right.close()
		j.right = nil
	}
}

func (j *nestedLoop) close() {
	j.left.close()
	j.closeRight()
	if j.kept != nil {
		j.kept.close()
	}
}
