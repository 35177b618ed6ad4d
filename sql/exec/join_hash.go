package exec

import (
	"math/bits"

	"raisind/sql/expr"
	"raisind/sql/plan"
	"raisind/sql/types"
)

// hashJoin keeps the right side by its keys and looks each left row up. Keys with a
// NULL match nothing.
//
// When the right side is larger than memory, the rows of both sides are split by a
// hash of their keys into partitions on disk. Each partition is joined by itself, its
// right rows in chunks as large as memory allows; its left rows are read once for each
// chunk, and those that no chunk has a match for are known after the last.
type hashJoin struct {
	q     *Query
	n     *plan.HashJoin
	ec    *expr.Ctx
	stats *plan.Stats
	acc   account
	left  iter
	nLeft int
	row   types.Row
	key   []byte

	built  bool
	rows   []types.Row      // right rows
	chains []int32          // the next row with the same key, -1 at the end of the chain
	heads  map[string]int32 // the first row of each key
	used   []bool           // right rows that have met their match, of RIGHT and FULL

	spill *joinSpill // nil while everything is in memory

	leftRow types.Row
	chain   int32
	matched bool
	tail    bool
	at      int
}

// joinSpill is the state of a join on disk.
type joinSpill struct {
	file        *spillFile
	left, right partitions
	part        int         // the partition being joined
	chunk       *tapeReader // its right rows that are still to come
	ended       bool        // the chunk in memory is the last of its partition
	met         []bool      // left rows of the partition that an earlier chunk matched
	leftAt      int         // the left row under work
}

func (q *Query) newHashJoin(n *plan.HashJoin, ec *expr.Ctx) (iter, error) {
	left, err := q.build(n.Left, ec)
	if err != nil {
		return nil, err
	}
	j := &hashJoin{q: q, n: n, ec: ec, left: left, nLeft: len(n.Left.Columns()), stats: q.stat(n), acc: q.hashMemory()}
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
	if full, err := j.gather(right); err != nil || !full {
		if err == nil {
			err = j.index()
		}
		return err
	}
	sp := &joinSpill{file: j.q.newSpillFile(), part: -1}
	j.spill = sp
	for _, row := range j.rows {
		if err := j.putAside(&sp.right, j.n.RightKeys, row); err != nil {
			return err
		}
	}
	j.empty()
	return j.partition(right, &sp.right, j.n.RightKeys)
}

// gather keeps rows of the right side; full is set when there may be more than memory
// has room for.
func (j *hashJoin) gather(right iter) (full bool, err error) {
	a := arena{q: j.q, acc: &j.acc}
	for {
		row, err := right.next()
		if err != nil || row == nil {
			return false, err
		}
		if err := j.q.tick(); err != nil {
			return false, err
		}
		if row, err = a.keep(row); err != nil {
			return false, err
		}
		j.rows = append(j.rows, row)
		if err := j.acc.take(mapEntryBytes + 16); err != nil { // its place in the table
			return false, err
		}
		if j.acc.full() {
			return true, nil
		}
	}
}

// index makes the table of the right rows in memory.
func (j *hashJoin) index() error {
	j.stats.Batches = max(j.stats.Batches, 1)
	j.stats.HashBytes = max(j.stats.HashBytes, j.acc.peak)
	j.stats.Buckets = max(j.stats.Buckets, 1024, 1<<bits.Len(uint(len(j.rows))))
	j.chains = make([]int32, len(j.rows))
	j.used = make([]bool, len(j.rows))
	j.heads = make(map[string]int32, len(j.rows))
	// From the end, so that chains run in the order of the rows.
	for i := len(j.rows) - 1; i >= 0; i-- {
		if err := j.q.tick(); err != nil {
			return err
		}
		null, err := j.makeKey(j.n.RightKeys, j.rows[i])
		if err != nil {
			return err
		}
		j.chains[i] = -1
		if null {
			continue
		}
		if head, ok := j.heads[string(j.key)]; ok {
			j.chains[i] = head
		} else if err := j.acc.take(int64(len(j.key))); err != nil {
			return err
		}
		j.heads[string(j.key)] = int32(i)
	}
	return nil
}

// empty forgets the right rows in memory.
func (j *hashJoin) empty() {
	j.acc.release()
	j.rows, j.chains, j.heads, j.used = nil, nil, nil, nil
}

// partition puts all rows of one side aside.
func (j *hashJoin) partition(src iter, p *partitions, keys []expr.Expr) error {
	for {
		row, err := src.next()
		if err != nil {
			return err
		}
		if row == nil {
			break
		}
		if err := j.q.tick(); err != nil {
			return err
		}
		if err := j.putAside(p, keys, row); err != nil {
			return err
		}
	}
	for _, t := range p.tapes {
		if t == nil {
			continue
		}
		if err := t.flush(); err != nil {
			return err
		}
		t.buf = nil
	}
	return nil
}

func (j *hashJoin) putAside(p *partitions, keys []expr.Expr, row types.Row) error {
	part := 0
	null, err := j.makeKey(keys, row)
	if err != nil {
		return err
	}
	if !null {
		part = p.of(j.key)
	}
	return p.add(j.spill.file, part, row)
}

// split puts the left side aside, after the right one was.
func (j *hashJoin) split() error {
	sp := j.spill
	if err := j.partition(j.left, &sp.left, j.n.LeftKeys); err != nil {
		return err
	}
	j.left.close()
	j.left = &rowsIter{}
	j.stats.Batches = max(j.stats.Batches, partitionCount)
	j.stats.HashDiskBytes = max(j.stats.HashDiskBytes, sp.file.size)
	sp.ended = true
	return nil
}

// nextChunk loads the next right rows and starts the left rows anew; false at the end.
func (j *hashJoin) nextChunk() (bool, error) {
	sp := j.spill
	j.empty()
	if sp.ended {
		sp.part++
		for sp.part < partitionCount && sp.left.tapes[sp.part] == nil && sp.right.tapes[sp.part] == nil {
			sp.part++
		}
		if sp.part == partitionCount {
			return false, nil
		}
		sp.chunk, sp.met = nil, nil
		if t := sp.right.tapes[sp.part]; t != nil {
			sp.chunk = t.reader()
		}
	}
	left := sp.left.tapes[sp.part]
	sp.ended = true
	if sp.chunk != nil {
		if _, err := j.gather(sp.chunk); err != nil {
			return false, err
		}
		sp.ended = sp.chunk.read == sp.chunk.t.rows
	}
	if err := j.index(); err != nil {
		return false, err
	}
	j.left, sp.leftAt = &rowsIter{}, -1
	if left != nil {
		j.left = left.reader()
		if !sp.ended && sp.met == nil {
			if err := j.acc.take(left.rows); err != nil {
				return false, err
			}
			sp.met = make([]bool, left.rows)
		}
	}
	return true, nil
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
	for {
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
		if j.n.Kind == plan.RightJoin || j.n.Kind == plan.FullJoin {
			if row := j.unmatched(); row != nil {
				return row, nil
			}
		}
		if j.spill == nil {
			return nil, nil
		}
		more, err := j.nextChunk()
		if err != nil || !more {
			return nil, err
		}
		j.tail = false
	}
}

// unmatched is the next right row that met no match, behind a left row of NULLs; nil
// when there is none.
func (j *hashJoin) unmatched() types.Row {
	for j.at < len(j.rows) {
		i := j.at
		j.at++
		if !j.used[i] {
			clear(j.row[:j.nLeft])
			copy(j.row[j.nLeft:], j.rows[i])
			return j.row
		}
	}
	return nil
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
		if sp := j.spill; sp != nil {
			if row != nil {
				if err := j.putAside(&sp.left, j.n.LeftKeys, row); err != nil {
					return false, err
				}
			}
			return false, j.split()
		}
	}
	if row == nil {
		return false, nil
	}
	copy(j.row, row)
	j.leftRow, j.matched, j.chain = j.row[:j.nLeft:j.nLeft], false, -1
	if sp := j.spill; sp != nil {
		if sp.leftAt++; sp.met != nil {
			j.matched = sp.met[sp.leftAt]
		}
		if j.matched && (j.n.Kind == plan.SemiJoin || j.n.Kind == plan.AntiJoin) {
			return true, nil // settled by an earlier chunk
		}
	}
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
		if sp := j.spill; sp != nil && sp.met != nil {
			sp.met[sp.leftAt] = true
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
	case j.matched, j.spill != nil && !j.spill.ended, j.n.Kind == plan.InnerJoin, j.n.Kind == plan.RightJoin, j.n.Kind == plan.SemiJoin:
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

func (j *hashJoin) close() {
	j.left.close()
	j.empty()
	if j.spill != nil {
		j.spill.file.close()
	}
}
