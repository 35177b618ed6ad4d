package exec

import (
	"time"

	"raisind/pgerr"
	"raisind/sql/expr"
	"raisind/sql/plan"
	"raisind/sql/types"
	"raisind/storage"
)

// iter yields the rows of one plan node.
type iter interface {
	// next returns the next row, nil at the end. The row lives until the following
	// next; a row of no columns is empty but not nil. After an error or the end it is
	// not called again.
	next() (types.Row, error)
	// close releases what the iterator and its sources hold. It may come at any time,
	// and more than once.
	close()
}

// build makes the iterator of a node. ec is what its expressions are evaluated in.
func (q *Query) build(n plan.Node, ec *expr.Ctx) (iter, error) {
	it, err := q.make(n, ec)
	if err != nil || q.stats == nil {
		return it, err
	}
	m := &measured{it: it, s: q.stat(n), timing: q.opt.Timing}
	m.s.Loops++
	return m, nil
}

func (q *Query) make(n plan.Node, ec *expr.Ctx) (iter, error) {
	switch n := n.(type) {
	case *plan.Values:
		return &valuesIter{n: n, ec: ec, row: make(types.Row, len(n.Cols))}, nil
	case *plan.RowScan:
		return q.newRowScan(n, ec)
	case *plan.KeyScan:
		return &keyScan{q: q, n: n, ec: ec, stats: q.stat(n), row: make(types.Row, len(n.Rel.Columns)+plan.ExtraColumns)}, nil
	case *plan.IndexScan:
		return &indexScan{q: q, n: n, ec: ec, stats: q.stat(n), row: make(types.Row, len(n.Rel.Columns)+plan.ExtraColumns)}, nil
	case *plan.SpatialScan:
		return q.newSpatialScan(n, ec)
	case *plan.Project:
		return q.newProject(n, ec)
	case *plan.ProjectSet:
		return q.newProjectSet(n, ec)
	case *plan.Filter:
		return q.newFilter(n, ec)
	case *plan.Sort:
		return q.newSort(n, ec)
	case *plan.Limit:
		return q.newLimit(n, ec)
	case *plan.Distinct:
		return q.newDistinct(n, ec)
	case *plan.Aggregate:
		return q.newAggregate(n, ec)
	case *plan.Window:
		return q.newWindow(n, ec)
	case *plan.NestedLoop:
		return q.newNestedLoop(n, ec)
	case *plan.HashJoin:
		return q.newHashJoin(n, ec)
	case *plan.SetOp:
		return q.newSetOp(n, ec)
	case *plan.CTEScan:
		return q.newCTEScan(n)
	case *plan.RecursiveUnion:
		return q.newRecursiveUnion(n, ec)
	case *plan.FuncScan:
		return q.newFuncScan(n, ec)
	case *plan.VirtualScan:
		return q.newVirtualScan(n, ec)
	case *plan.LockRows:
		return q.newLockRows(n, ec)
	case *plan.Insert:
		return q.newInsert(n, ec)
	case *plan.Update:
		return q.newUpdate(n, ec)
	case *plan.Delete:
		return q.newDelete(n, ec)
	}
	return nil, pgerr.New(pgerr.FeatureNotSupported, "plan node %T cannot be run", n)
}

// measured counts and times another iterator.
type measured struct {
	it      iter
	s       *plan.Stats
	timing  bool
	started bool
}

func (m *measured) next() (types.Row, error) {
	if !m.timing {
		row, err := m.it.next()
		if row != nil {
			m.s.Rows++
		}
		return row, err
	}
	begin := time.Now()
	row, err := m.it.next()
	took := time.Since(begin).Nanoseconds()
	m.s.TotalNanos += took
	if !m.started {
		m.started = true
		m.s.StartupNanos += took
	}
	if row != nil {
		m.s.Rows++
	}
	return row, err
}

func (m *measured) close() { m.it.close() }

// valuesIter computes rows of expressions.
type valuesIter struct {
	n   *plan.Values
	ec  *expr.Ctx
	at  int
	row types.Row
}

func (it *valuesIter) next() (types.Row, error) {
	if it.at == len(it.n.Rows) {
		return nil, nil
	}
	for i, e := range it.n.Rows[it.at] {
		var err error
		if it.row[i], err = e.Eval(it.ec, nil); err != nil {
			return nil, err
		}
	}
	it.at++
	return it.row, nil
}

func (it *valuesIter) close() {}

// rowsIter yields rows that lie in memory.
type rowsIter struct {
	rows []types.Row
	at   int
}

func (it *rowsIter) next() (types.Row, error) {
	if it.at == len(it.rows) {
		return nil, nil
	}
	it.at++
	return it.rows[it.at-1], nil
}

func (it *rowsIter) close() {}

// countReads adds what a scan of the store read to its node's counters.
func countReads(s *plan.Stats, r storage.ScanStats) {
	s.KeysVisited += int64(r.Keys)
	s.Superseded += int64(r.Superseded)
	s.Seeks += int64(r.Seeks)
}
