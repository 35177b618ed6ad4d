package planner

import (
	"slices"

	"raisind/sql/expr"
	"raisind/sql/plan"
)

// revisionRule reads conditions on __revision. An equality with a constant among the
// top-level ANDs makes the whole query read that revision and is taken away; IS NULL
// means HEAD and is taken away; any other condition makes its relation yield every
// retained version. It must not touch UPDATE and DELETE: what they change is HEAD,
// and __revision there compares the row's present revision.
func (b *builder) revisionRule(q *query, conds []expr.Expr) ([]expr.Expr, error) {
	for _, r := range q.rels {
		r.versions = false
	}
	if !slices.ContainsFunc(conds, mentionsRevision) || slices.ContainsFunc(q.rels, func(r *rel) bool { return r.target }) {
		return conds, nil
	}
	var kept []expr.Expr
	for _, e := range conds {
		if !mentionsRevision(e) {
			kept = append(kept, e)
			continue
		}
		if is, ok := e.(*expr.IsTest); ok && is.What == expr.IsNull && !is.Not && isRevision(is.Arg, q) {
			continue
		}
		if rev := asOfValue(e, q); rev != nil && b.asOf == nil {
			b.asOf = rev
			continue
		}
		kept = append(kept, e)
		expr.Walk(e, func(x expr.Expr) bool {
			if isRevision(x, q) {
				x.(*variable).rel.versions = true
			}
			return true
		})
	}
	if b.asOf != nil { // one revision has one version of a row
		for _, r := range q.rels {
			r.versions = false
		}
	}
	return kept, nil
}

func mentionsRevision(e expr.Expr) bool {
	return expr.Any(e, func(x expr.Expr) bool {
		v, ok := x.(*variable)
		return ok && v.rel.table != nil && v.col == v.rel.extra(plan.ExtraRevision)
	})
}

func isRevision(e expr.Expr, q *query) bool {
	v, ok := e.(*variable)
	return ok && v.rel.q == q && v.rel.table != nil && v.col == v.rel.extra(plan.ExtraRevision)
}

// asOfValue is the constant of __revision = R.
func asOfValue(e expr.Expr, q *query) expr.Expr {
	call, ok := e.(*expr.Call)
	if !ok || call.Fn.Func == nil || call.Fn.Func.Operator != "=" || len(call.Args) != 2 {
		return nil
	}
	for i := range 2 {
		v := call.Args[1-i]
		if isRevision(call.Args[i], q) && !hasVariable(v) && !volatile(v) {
			return v
		}
	}
	return nil
}

// historical sets which revision a row scan reads.
func (b *builder) historical(r *rel, n *plan.RowScan, f frames) {
	switch {
	case r.target:
	case r.versions:
		n.AsOf.Versions = true
	case b.asOf != nil:
		n.AsOf.Revision = b.finished(b.asOf, nil, f)
	}
}
