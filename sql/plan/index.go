package plan

import (
	"raisind/catalog"
	"raisind/sql/expr"
	"raisind/sql/types"
)

// IndexScan reads rows by an index: the entries whose first keys are given by Points,
// and whose next key lies in a range, in the index's order.
type IndexScan struct {
	Rel   *catalog.Relation
	Alias string
	Index *catalog.Index
	// KeyTypes are the types of the index's keys.
	KeyTypes []*types.Type
	Points   []IndexPoint
	// Lo and Hi bound key number len(Points), by value whatever way the index sorts it;
	// nil is open. NotNull leaves its NULLs out, as a bound does.
	Lo, Hi         expr.Expr
	LoIncl, HiIncl bool
	NotNull        bool
	Reverse        bool
	// Conds are what the above stands for, as EXPLAIN prints it.
	Conds  []expr.Expr
	Need   []bool
	Filter expr.Expr
	// Only is set when nothing is wanted of the rows themselves.
	Only bool
	Cols []Column
}

// IndexPoint is what one key of an index has to equal: any of Values, any element of
// Array, or NULL.
type IndexPoint struct {
	Values []expr.Expr
	Array  expr.Expr
	Null   bool
}

// Columns implements Node.
func (n *IndexScan) Columns() []Column { return n.Cols }

// Children implements Node.
func (n *IndexScan) Children() []Node { return nil }

// exprs are the expressions a scan evaluates.
func (n *IndexScan) exprs() []expr.Expr {
	es := []expr.Expr{n.Lo, n.Hi, n.Filter}
	for _, p := range n.Points {
		es = append(append(es, p.Values...), p.Array)
	}
	return es
}

// index describes an IndexScan.
func (x *explainer) index(e *entry, n *IndexScan) {
	cond := ""
	switch len(n.Conds) {
	case 0:
	case 1:
		cond = expr.Format(n.Conds[0])
	default:
		cond = expr.Format(&expr.And{Args: n.Conds})
	}
	x.indexScan(e, n.Rel, n.Alias, n.Index, n.Reverse, cond)
	if n.Only {
		e.kind = "Index Only Scan"
		e.title = "Index Only" + e.title[len("Index"):]
	}
}
