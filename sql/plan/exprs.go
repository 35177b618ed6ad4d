package plan

import "raisind/sql/expr"

// Exprs are the expressions a node computes itself, those of its children aside.
func Exprs(n Node) []expr.Expr {
	var out []expr.Expr
	add := func(es ...expr.Expr) {
		for _, e := range es {
			if e != nil {
				out = append(out, e)
			}
		}
	}
	keys := func(ks []SortKey) {
		for _, k := range ks {
			add(k.Expr)
		}
	}
	assigns := func(as []Assign) {
		for _, a := range as {
			add(a.Value)
		}
	}
	switch n := n.(type) {
	case *Values:
		for _, r := range n.Rows {
			add(r...)
		}
	case *RowScan:
		add(n.AsOf.Revision, n.Filter, n.Distance)
	case *KeyScan:
		for _, k := range n.Keys {
			add(k...)
		}
		add(n.Filter)
	case *IndexScan:
		add(n.exprs()...)
	case *SpatialScan:
		add(n.Center, n.RadiusM, n.Count, n.Predicate, n.Filter)
	case *Project:
		add(n.Exprs...)
	case *ProjectSet:
		for _, i := range n.Items {
			add(i.Expr)
			add(i.Args...)
		}
	case *Filter:
		add(n.Cond)
	case *Sort:
		keys(n.Keys)
		add(n.Top)
	case *Limit:
		add(n.Count, n.Offset)
		keys(n.TiesKeys)
	case *Distinct:
		add(n.On...)
	case *Aggregate:
		add(n.Keys...)
		for _, c := range n.Calls {
			add(c.Args...)
			keys(c.OrderBy)
			add(c.Filter)
		}
	case *Window:
		add(n.Partition...)
		keys(n.Order)
		add(n.Frame.StartOffset, n.Frame.EndOffset)
		for _, c := range n.Calls {
			add(c.Args...)
			add(c.Filter)
		}
	case *NestedLoop:
		add(n.On)
	case *HashJoin:
		add(n.LeftKeys...)
		add(n.RightKeys...)
		add(n.On)
	case *FuncScan:
		add(n.Args...)
		add(n.Scalar)
	case *VirtualScan:
		add(n.Filter, n.Key)
	case *LockRows:
		for _, l := range n.Locks {
			add(l.Qual)
		}
	case *Insert:
		add(n.Defaults...)
		if n.OnConflict != nil {
			assigns(n.OnConflict.Update)
			add(n.OnConflict.Where)
		}
		add(n.Returning...)
	case *Update:
		assigns(n.Set)
		add(n.Returning...)
	case *Delete:
		add(n.Returning...)
	}
	return out
}

// subplansOf are the subqueries a node runs, by number, in order and once each.
func subplansOf(n Node) []int {
	var ids []int
	seen := map[int]bool{}
	for _, e := range Exprs(n) {
		expr.Walk(e, func(e expr.Expr) bool {
			if s, ok := e.(*expr.Subquery); ok && !seen[s.ID] {
				seen[s.ID] = true
				ids = append(ids, s.ID)
			}
			return true
		})
	}
	return ids
}
