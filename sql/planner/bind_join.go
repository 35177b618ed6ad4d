package planner

import (
	"slices"

	"raisind/pgerr"
	"raisind/sql/ast"
	"raisind/sql/expr"
	"raisind/sql/plan"
)

// join binds a JOIN: its sides, its condition, and the columns it merges.
func (b *builder) join(te *ast.Join, s *scope) (*fromNode, []*item, error) {
	left, litems, err := b.tableExpr(te.Left, s)
	if err != nil {
		return nil, nil, err
	}
	lateralOK := te.Kind == ast.InnerJoin || te.Kind == ast.LeftJoin || te.Kind == ast.CrossJoin
	for _, it := range litems {
		it.lateralOnly, it.lateralOK = true, lateralOK
	}
	outside := s.items
	s.items = append(slices.Clone(outside), litems...)
	right, ritems, err := b.tableExpr(te.Right, s)
	s.items = outside
	if err != nil {
		return nil, nil, err
	}
	if err := b.checkNames(litems, ritems); err != nil {
		return nil, nil, err
	}
	for _, it := range litems {
		it.lateralOnly, it.lateralOK = false, true
	}
	n := &fromNode{left: left, right: right}
	switch te.Kind {
	case ast.LeftJoin:
		n.kind = plan.LeftJoin
		markNullable(s.q, right.rels())
	case ast.RightJoin:
		n.kind = plan.RightJoin
		markNullable(s.q, left.rels())
	case ast.FullJoin:
		n.kind = plan.FullJoin
		markNullable(s.q, left.rels()|right.rels())
	}
	items := append(slices.Clone(litems), ritems...)
	using := te.Using
	if te.Natural {
		using = commonNames(litems, ritems)
	}
	var merged []joinItem
	if using != nil {
		if merged, err = b.using(n, using, litems, ritems, te); err != nil {
			return nil, nil, err
		}
	}
	if te.On != nil {
		s.items = items
		clause, lateral := s.clause, s.lateral
		s.clause, s.lateral = inOn, false
		x, err := b.typed(te.On, s)
		s.items, s.clause, s.lateral = outside, clause, lateral
		if err != nil {
			return nil, nil, err
		}
		cond, err := b.toBool(x.e, "JOIN/ON", x.at)
		if err != nil {
			return nil, nil, err
		}
		n.on = appendConjuncts(n.on, cond)
	}
	if merged == nil && te.Alias == nil {
		return n, items, nil
	}
	return b.joinItems(te, n, items, litems, ritems, using, merged)
}

func markNullable(q *query, s relSet) {
	for _, r := range q.rels {
		if s.has(r) {
			r.nullable = true
		}
	}
}

// visibleColumns lists the columns that * of the items gives.
func visibleColumns(items []*item) []joinItem {
	var out []joinItem
	for _, it := range items {
		if !it.colVisible {
			continue
		}
		for k := range it.width() {
			if name, hidden, e := it.column(k, -1); !hidden {
				out = append(out, joinItem{name, e})
			}
		}
	}
	return out
}

// commonNames are the columns that NATURAL joins by.
func commonNames(l, r []*item) []string {
	names := []string{}
	right := visibleColumns(r)
	for _, c := range visibleColumns(l) {
		if slices.ContainsFunc(right, func(o joinItem) bool { return o.name == c.name }) && !slices.Contains(names, c.name) {
			names = append(names, c.name)
		}
	}
	return names
}

// using binds USING (…): equality of the columns, and the merged columns.
func (b *builder) using(n *fromNode, names []string, litems, ritems []*item, te *ast.Join) ([]joinItem, error) {
	merged := []joinItem{}
	lcols, rcols := visibleColumns(litems), visibleColumns(ritems)
	find := func(cols []joinItem, name, side string) (expr.Expr, error) {
		var found expr.Expr
		for _, c := range cols {
			if c.name != name {
				continue
			}
			if found != nil {
				return nil, b.err(pgerr.AmbiguousColumn, -1, "common column name %q appears more than once in %s table", name, side)
			}
			found = c.e
		}
		if found == nil {
			return nil, b.err(pgerr.UndefinedColumn, -1, "column %q specified in USING clause does not exist in %s table", name, side)
		}
		return found, nil
	}
	for i, name := range names {
		if slices.Contains(names[:i], name) {
			return nil, b.err(pgerr.DuplicateColumn, -1, "column name %q appears more than once in USING clause", name)
		}
		l, err := find(lcols, name, "left")
		if err != nil {
			return nil, err
		}
		r, err := find(rcols, name, "right")
		if err != nil {
			return nil, err
		}
		cond, err := b.binary("=", typed{l, te.Pos()}, typed{r, te.Pos()}, te.Pos())
		if err != nil {
			return nil, err
		}
		n.on = appendConjuncts(n.on, cond)
		t, both, err := b.unify([]typed{{l, te.Pos()}, {r, te.Pos()}}, "JOIN/USING")
		if err != nil {
			return nil, err
		}
		e := both[0]
		switch n.kind {
		case plan.RightJoin:
			e = both[1]
		case plan.FullJoin:
			e = &expr.Coalesce{Args: both, T: t}
		}
		merged = append(merged, joinItem{name, e})
	}
	return merged, nil
}

// joinItems are the names under which a join's columns are found from outside.
func (b *builder) joinItems(te *ast.Join, n *fromNode, items, litems, ritems []*item, using []string, merged []joinItem) (*fromNode, []*item, error) {
	cols := slices.Clone(merged)
	for _, side := range [][]*item{litems, ritems} {
		for _, c := range visibleColumns(side) {
			if !slices.Contains(using, c.name) {
				cols = append(cols, c)
			}
		}
	}
	j := &item{cols: cols, colVisible: true, lateralOK: true}
	for _, it := range items {
		it.colVisible = false
	}
	if te.UsingAlias != "" {
		items = append(items, &item{name: te.UsingAlias, cols: merged, relVisible: true, lateralOK: true})
	}
	if te.Alias == nil {
		return n, append(items, j), nil
	}
	if len(te.Alias.Columns) > len(cols) {
		return nil, nil, b.err(pgerr.SyntaxError, te.Alias.Pos(), "column alias list for %q has too many entries", te.Alias.Name)
	}
	for i, name := range te.Alias.Columns {
		cols[i].name = name
	}
	// An alias hides the names within the join.
	j.name, j.relVisible = te.Alias.Name, true
	return n, []*item{j}, nil
}

// appendConjuncts splits a condition at its top-level ANDs.
func appendConjuncts(dst []expr.Expr, e expr.Expr) []expr.Expr {
	if and, ok := e.(*expr.And); ok {
		for _, a := range and.Args {
			dst = appendConjuncts(dst, a)
		}
		return dst
	}
	return append(dst, e)
}
