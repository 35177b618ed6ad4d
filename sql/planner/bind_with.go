package planner

import (
	"slices"

	"raisind/pgerr"
	"raisind/sql/ast"
	"raisind/sql/plan"
	"raisind/sql/types"
)

// cteState is how far a WITH query is bound.
type cteState uint8

const (
	cteUnbound cteState = iota
	cteInitial          // its non-recursive term, or a query that is not recursive
	cteNext             // its recursive term
	cteBound
)

// cte is a query of a WITH clause.
type cte struct {
	name  string
	src   *ast.CTE
	state cteState
	cols  []column
	refs  int
	self  int // references from its own recursive term

	q         *query // SELECT
	d         *dml   // INSERT, UPDATE, DELETE
	recursive bool
	initial   *query
	next      *query
	all       bool

	id      int // number in Statement.CTEs, once planned
	planned bool
}

// withClause binds a WITH clause into s.
func (b *builder) withClause(w *ast.With, s *scope) error {
	if w == nil {
		return nil
	}
	var mine []*cte
	for _, src := range w.CTEs {
		for _, c := range mine {
			if c.name == src.Name {
				return b.err(pgerr.DuplicateAlias, src.Pos(), "WITH query name %q specified more than once", src.Name)
			}
		}
		if src.Search != nil {
			return b.notSupported(src.Search.Pos(), "SEARCH clause of WITH")
		}
		if src.Cycle != nil {
			return b.notSupported(src.Cycle.Pos(), "CYCLE clause of WITH")
		}
		mine = append(mine, &cte{name: src.Name, src: src})
	}
	if w.Recursive { // all names are known to all
		s.ctes = append(s.ctes, mine...)
	}
	for i, c := range mine {
		if s.later = nil; !w.Recursive {
			for _, o := range mine[i:] {
				s.later = append(s.later, o.name)
			}
		}
		if err := b.bindCTE(c, s, w.Recursive); err != nil {
			return err
		}
		if !w.Recursive {
			s.ctes = append(s.ctes, c)
		}
	}
	s.later = nil
	return nil
}

// isLater reports whether a WITH query of that name exists and cannot be read yet.
func (s *scope) isLater(name string) bool {
	for ; s != nil; s = s.parent {
		if slices.Contains(s.later, name) {
			return true
		}
	}
	return false
}

// findCTE finds a WITH query by name, and the scope that declares it.
func findCTE(s *scope, name string) (*cte, *scope) {
	for ; s != nil; s = s.parent {
		for i := len(s.ctes) - 1; i >= 0; i-- {
			if s.ctes[i].name == name {
				return s.ctes[i], s
			}
		}
	}
	return nil, nil
}

// cteRel makes r a reference to c.
func (b *builder) cteRel(r *rel, c *cte, level, s *scope) error {
	if c.state == cteUnbound {
		if err := b.bindCTE(c, level, true); err != nil {
			return err
		}
	}
	refuse := func(where string) error {
		return b.err(pgerr.InvalidRecursion, r.at, "recursive reference to query %q must not appear %s", c.name, where)
	}
	r.cte, r.alias = c, c.name
	switch c.state {
	case cteInitial:
		if _, ok := c.src.Query.(*ast.Select); !ok {
			return b.err(pgerr.InvalidRecursion, r.at, "recursive query %q must not contain data-modifying statements", c.name)
		}
		if !unionForm(c.src.Query) {
			return b.err(pgerr.InvalidRecursion, c.src.Pos(), "recursive query %q does not have the form non-recursive-term UNION [ALL] recursive-term", c.name)
		}
		return refuse("within its non-recursive term")
	case cteNext:
		for l := s; l != nil && l != level; l = l.parent {
			if l.sublink {
				return refuse("within a subquery")
			}
			if l.setOp == plan.Intersect || l.setOp == plan.Except {
				return refuse("within " + map[plan.SetOpKind]string{plan.Intersect: "INTERSECT", plan.Except: "EXCEPT"}[l.setOp])
			}
		}
		if c.self++; c.self > 1 {
			return refuse("more than once")
		}
		r.kind = relWorking
		s.q.recursive = true
	default:
		c.refs++
		r.kind = relCTE
		if c.d != nil && len(c.d.returning) == 0 {
			return b.err(pgerr.FeatureNotSupported, r.at, "WITH query %q does not have a RETURNING clause", c.name)
		}
		if c.q != nil && c.q.volatile || c.d != nil {
			b.markVolatile(s)
		}
	}
	r.cols = slices.Clone(c.cols)
	return nil
}

func unionForm(stmt ast.Stmt) bool {
	sel, ok := stmt.(*ast.Select)
	return ok && sel.Op == ast.Union
}

// bindCTE binds the query of c; s is the scope of the WITH clause.
func (b *builder) bindCTE(c *cte, s *scope, recursive bool) error {
	if c.state != cteUnbound {
		return nil
	}
	c.state = cteInitial
	if sel, ok := c.src.Query.(*ast.Select); ok {
		if recursive && sel.Op == ast.Union {
			done, err := b.recursiveCTE(c, sel, s)
			if done || err != nil {
				return err
			}
		}
		q, err := b.selectQuery(sel, s, queryUse{})
		if err != nil {
			return err
		}
		c.q = q
		return b.cteColumns(c, q.columns())
	}
	if s.parent != nil {
		return b.err(pgerr.FeatureNotSupported, c.src.Pos(), "WITH clause containing a data-modifying statement must be at the top level")
	}
	d, err := b.dml(c.src.Query, s)
	if err != nil {
		return err
	}
	c.d = d
	b.modifying = append(b.modifying, c)
	return b.cteColumns(c, d.columns())
}

// cteColumns names the columns and ends the binding of c.
func (b *builder) cteColumns(c *cte, cols []column) error {
	names := c.src.Columns
	if len(names) > len(cols) {
		return b.err(pgerr.InvalidColumnReference, c.src.Pos(), "WITH query %q has %d columns available but %d columns specified",
			c.name, len(cols), len(names))
	}
	c.cols = slices.Clone(cols)
	for i, n := range names {
		c.cols[i].name = n
	}
	c.state = cteBound
	return nil
}

// recursiveCTE binds initial UNION [ALL] next; done is false when next does not read
// the query itself, which then is a plain one.
func (b *builder) recursiveCTE(c *cte, sel *ast.Select, s *scope) (done bool, err error) {
	inner := &scope{parent: s, q: &query{}}
	if err := b.withClause(sel.With, inner); err != nil {
		return false, err
	}
	initial, err := b.selectQuery(sel.Left, inner, queryUse{})
	if err != nil {
		return false, err
	}
	if err := b.cteColumns(c, initial.columns()); err != nil {
		return false, err
	}
	c.state = cteNext
	next, err := b.selectQuery(sel.Right, inner, queryUse{keepUnknown: true})
	if err != nil {
		return false, err
	}
	if c.self == 0 {
		c.state, c.cols = cteInitial, nil
		return false, nil
	}
	switch {
	case len(sel.OrderBy) > 0:
		return false, b.notImplemented(sel.OrderBy[0].Pos(), "ORDER BY in a recursive query")
	case sel.Offset != nil:
		return false, b.notImplemented(location(sel.Offset), "OFFSET in a recursive query")
	case sel.Limit != nil:
		return false, b.notImplemented(location(sel.Limit), "LIMIT in a recursive query")
	case len(sel.Locking) > 0:
		return false, b.notImplemented(sel.Locking[0].Pos(), "FOR UPDATE/SHARE in a recursive query")
	}
	if err := b.checkRecursive(c, next); err != nil {
		return false, err
	}
	if next.visible != initial.visible {
		return false, b.err(pgerr.SyntaxError, sel.Right.Pos(), "each UNION query must have the same number of columns")
	}
	for i := range initial.visible {
		t := initial.outputType(i)
		r := next.outputTyped(i)
		common, err := b.commonType([]typed{{typeOnly{t}, r.at}, r}, "UNION")
		if err != nil {
			return false, err
		}
		if common != t {
			return false, b.err(pgerr.DatatypeMismatch, initial.targets[i].at,
				"recursive query %q column %d has type %s in non-recursive term but type %s overall", c.name, i+1, t, common).
				WithHint("Cast the output of the non-recursive term to the correct type.")
		}
		if err := b.coerceOutput(next, i, t, "UNION"); err != nil {
			return false, err
		}
		if !sel.All && !t.Hashable() {
			return false, b.notImplemented(-1, "could not implement recursive UNION: type "+t.String()+" without equality")
		}
	}
	c.recursive, c.initial, c.next, c.all = true, initial, next, sel.All
	c.q = &query{volatile: initial.volatile || next.volatile, outer: append(slices.Clone(initial.outer), next.outer...)}
	for i := range c.cols {
		c.cols[i].typmod = -1
		if c.cols[i].t == types.TUnknown {
			c.cols[i].t = types.TText
		}
	}
	c.state = cteBound
	return true, nil
}

func (b *builder) notImplemented(at int, what string) error {
	return b.err(pgerr.FeatureNotSupported, at, "%s is not implemented", what)
}

// checkRecursive refuses what a recursive term must not hold.
func (b *builder) checkRecursive(c *cte, q *query) error {
	if q.kind == setQuery {
		for _, side := range []*query{q.left, q.right} {
			if err := b.checkRecursive(c, side); err != nil {
				return err
			}
		}
	}
	for _, r := range q.rels {
		if r.kind == relWorking && r.cte == c && r.nullable {
			return b.err(pgerr.InvalidRecursion, r.at, "recursive reference to query %q must not appear within an outer join", c.name)
		}
		if r.kind == relDerived && r.sub.recursive {
			if err := b.checkRecursive(c, r.sub); err != nil {
				return err
			}
		}
	}
	if len(q.aggs) > 0 && q.recursive {
		return b.err(pgerr.InvalidRecursion, q.aggs[0].at, "aggregate functions are not allowed in a recursive query's recursive term")
	}
	return nil
}
