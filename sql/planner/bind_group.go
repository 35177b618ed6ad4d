package planner

import (
	"slices"

	"raisind/pgerr"
	"raisind/sql/ast"
	"raisind/sql/expr"
)

// maxGroupingSets is PostgreSQL's limit.
const maxGroupingSets = 4096

// groupBy binds GROUP BY with its grouping sets.
func (b *builder) groupBy(sel *ast.Select, q *query, s *scope) error {
	if len(sel.GroupBy) == 0 {
		return nil
	}
	q.grouped = true
	plainKeys := true
	sets := [][]int{{}}
	for i := range sel.GroupBy {
		item := &sel.GroupBy[i]
		plainKeys = plainKeys && item.Kind == ast.GroupExpr
		more, err := b.groupItem(item, q, s)
		if err != nil {
			return err
		}
		if len(sets)*len(more) > maxGroupingSets {
			return b.err(pgerr.StatementTooComplex, item.Pos(), "too many grouping sets present (maximum %d)", maxGroupingSets)
		}
		var product [][]int
		for _, x := range sets {
			for _, y := range more {
				product = append(product, unionKeys(x, y))
			}
		}
		sets = product
	}
	if plainKeys {
		return nil
	}
	if sel.GroupDistinct {
		sets = distinctSets(sets)
	}
	q.sets = sets
	return nil
}

func unionKeys(a, b []int) []int {
	out := slices.Clone(a)
	for _, k := range b {
		if !slices.Contains(out, k) {
			out = append(out, k)
		}
	}
	return out
}

func distinctSets(sets [][]int) [][]int {
	var out [][]int
	var seen [][]int
	for _, s := range sets {
		sorted := slices.Clone(s)
		slices.Sort(sorted)
		if !slices.ContainsFunc(seen, func(o []int) bool { return slices.Equal(o, sorted) }) {
			seen, out = append(seen, sorted), append(out, s)
		}
	}
	return out
}

// groupItem returns the grouping sets that one item stands for.
func (b *builder) groupItem(item *ast.GroupItem, q *query, s *scope) ([][]int, error) {
	switch item.Kind {
	case ast.GroupEmpty:
		return [][]int{{}}, nil
	case ast.GroupExpr:
		keys, err := b.groupKeys(item.Exprs[0], q, s)
		if err != nil {
			return nil, err
		}
		return [][]int{keys}, nil
	case ast.GroupSets:
		var out [][]int
		for i := range item.Sets {
			sets, err := b.groupItem(&item.Sets[i], q, s)
			if err != nil {
				return nil, err
			}
			out = append(out, sets...)
		}
		return out, nil
	}
	var elems [][]int // of ROLLUP and CUBE; (a, b) is one element
	for _, e := range item.Exprs {
		keys, err := b.groupKeys(e, q, s)
		if err != nil {
			return nil, err
		}
		elems = append(elems, keys)
	}
	var out [][]int
	if item.Kind == ast.GroupRollup {
		for n := len(elems); n >= 0; n-- {
			out = append(out, slices.Concat(elems[:n]...))
		}
		return out, nil
	}
	if len(elems) > 12 {
		return nil, b.err(pgerr.TooManyColumns, item.Pos(), "CUBE is limited to 12 elements")
	}
	for bits := 1<<len(elems) - 1; bits >= 0; bits-- {
		set := []int{}
		for i, keys := range elems {
			if bits&(1<<(len(elems)-1-i)) != 0 {
				set = append(set, keys...)
			}
		}
		out = append(out, set)
	}
	return out, nil
}

// groupKeys binds one expression, or the several of a row, and returns their
// positions among the query's keys.
func (b *builder) groupKeys(e ast.Expr, q *query, s *scope) ([]int, error) {
	if row, ok := e.(*ast.RowLit); ok {
		out := []int{}
		for _, a := range row.Args {
			keys, err := b.groupKeys(a, q, s)
			if err != nil {
				return nil, err
			}
			out = unionKeys(out, keys)
		}
		return out, nil
	}
	t, x, err := b.findTarget(e, inGroupBy, q, s)
	if err != nil {
		return nil, err
	}
	if t >= 0 {
		tgt := &q.targets[t]
		if at, found := findAggregate(tgt.e, q); found {
			return nil, b.err(pgerr.GroupingError, at, "aggregate functions are not allowed in GROUP BY")
		}
		if tgt.e, err = b.toText(tgt.e, tgt.at); err != nil {
			return nil, err
		}
		x = tgt.e
	}
	if x, err = b.toText(x, location(e)); err != nil {
		return nil, err
	}
	if !x.Type().Hashable() {
		return nil, b.err(pgerr.UndefinedFunction, location(e), "could not identify an equality operator for type %s", x.Type())
	}
	for i, k := range q.keys {
		if expr.Equal(k, x) {
			return []int{i}, nil
		}
	}
	q.keys = append(q.keys, x)
	return []int{len(q.keys) - 1}, nil
}

// findAggregate finds an aggregate or GROUPING of q in e.
func findAggregate(e expr.Expr, q *query) (at int, found bool) {
	expr.Walk(e, func(x expr.Expr) bool {
		switch x := x.(type) {
		case *aggregate:
			if x.q == q {
				at, found = x.at, true
			}
		case *grouping:
			if x.q == q {
				at, found = x.at, true
			}
		}
		return !found
	})
	return at, found
}

// checkGroupedQuery checks all that a grouped query computes over its groups.
func (b *builder) checkGroupedQuery(q *query) error {
	for i := range q.targets {
		if err := b.checkGrouped(q, q.targets[i].e); err != nil {
			return err
		}
	}
	if q.having != nil {
		if err := b.checkGrouped(q, q.having); err != nil {
			return err
		}
	}
	for _, k := range q.order {
		if err := b.checkGrouped(q, k.e); err != nil {
			return err
		}
	}
	for _, e := range q.distinctOn {
		if err := b.checkGrouped(q, e); err != nil {
			return err
		}
	}
	return nil
}
