package planner

import (
	"slices"

	"raisind/catalog"
	"raisind/sql/ast"
	"raisind/sql/expr"
	"raisind/sql/plan"
)

// cte plans a reference to a WITH query. One that is read once and changes nothing
// is planned in its place, as a subquery; so is one that depends on outer rows,
// which differ from place to place.
func (p *fromPlan) cte(r *rel, conds []expr.Expr, f frames) (plan.Node, []expr.Expr, error) {
	b, c := p.b, r.cte
	correlated := c.q != nil && len(c.q.outer) > 0
	switch {
	case c.d != nil:
	case c.recursive:
		if correlated {
			n, err := b.recursiveUnion(c, f)
			return n, conds, err
		}
	case correlated, c.refs == 1 && !c.q.volatile && c.src.Materialized != ast.Materialized,
		c.src.Materialized == ast.NotMaterialized && !c.q.volatile:
		return p.derived(c.q, r, conds, f)
	}
	if err := b.planCTE(c); err != nil {
		return nil, nil, err
	}
	return &plan.CTEScan{ID: c.id, Name: c.name, Alias: r.alias, Cols: planColumns(r.cols)}, conds, nil
}

// planCTE plans a WITH query of its own, once.
func (b *builder) planCTE(c *cte) error {
	if c.planned {
		return nil
	}
	c.planned = true
	c.id = len(b.st.CTEs)
	b.st.CTEs = append(b.st.CTEs, plan.CTE{Name: c.name, Modifies: c.d != nil, Recursive: c.recursive})
	subplans, asOf := b.subplans, b.asOf
	b.subplans, b.asOf = nil, nil
	defer func() { b.subplans, b.asOf = subplans, asOf }()
	var n plan.Node
	var err error
	switch {
	case c.d != nil:
		n, err = b.planDML(c.d)
	case c.recursive:
		n, err = b.planRecursive(c, nil)
	default:
		n, err = b.planQuery(c.q, nil)
	}
	b.st.CTEs[c.id].Root = n
	return err
}

// recursiveUnion plans a recursive query in the place that reads it.
func (b *builder) recursiveUnion(c *cte, f frames) (plan.Node, error) {
	c.id = len(b.st.CTEs)
	b.st.CTEs = append(b.st.CTEs, plan.CTE{Name: c.name, Recursive: true})
	n, err := b.planRecursive(c, f)
	if err == nil {
		b.st.CTEs[n.ID].Root = n
	}
	return n, err
}

// planRecursive plans both terms; c.id is the number of the working table.
func (b *builder) planRecursive(c *cte, f frames) (*plan.RecursiveUnion, error) {
	u := &plan.RecursiveUnion{ID: c.id, All: c.all, Cols: planColumns(c.cols)}
	var err error
	if u.Initial, err = b.planQuery(c.initial, f); err != nil {
		return nil, err
	}
	u.Next, err = b.planQuery(c.next, f)
	return u, err
}

// planModifying plans the writing WITH queries that nothing read.
func (b *builder) planModifying() error {
	for _, c := range b.modifying {
		if err := b.planCTE(c); err != nil {
			return err
		}
	}
	return nil
}

// planDML plans INSERT, UPDATE or DELETE.
func (b *builder) planDML(d *dml) (plan.Node, error) {
	if d.verb == "INSERT" {
		return b.planInsert(d)
	}
	u, err := b.planFrom(d.q, nil, nil)
	if err != nil {
		return nil, err
	}
	t := d.target
	offset := u.l.at[t.index]
	qual := b.conjunction(u.conds, u.l, nil)
	cols := planColumns(d.columns())
	if d.verb == "DELETE" {
		return &plan.Delete{
			Rel: t.table, Alias: t.alias, Source: u.node, Offset: offset, Qual: qual, Descendants: d.descendants,
			Returning: b.targets(d.returning, u.l), Cols: cols,
		}, nil
	}
	n := &plan.Update{Rel: t.table, Alias: t.alias, Source: u.node, Offset: offset, Qual: qual, Rules: d.rules, Cols: cols}
	assigned := map[int]bool{}
	for _, a := range d.set {
		n.Set = append(n.Set, plan.Assign{Column: a.col, Value: b.finished(a.e, u.l, nil)})
		assigned[a.col] = true
	}
	// What is not assigned is written again as it was; of keys the old values are needed.
	for i := range t.table.Columns {
		if !assigned[i] || isKey(t.table, i) || len(t.table.Triggers) > 0 { // triggers see the whole old row
			t.mark(i, false)
		}
	}
	n.Returning = b.targets(d.returning, u.l)
	return n, nil
}

// isKey reports whether an index or a foreign key has a column.
func isKey(t *catalog.Relation, col int) bool {
	for i := range t.Indexes {
		if x := &t.Indexes[i]; slices.Contains(x.Columns, col) || x.HasExprs() || x.Predicate != "" {
			return true
		}
	}
	return slices.ContainsFunc(t.Constraints, func(c catalog.Constraint) bool {
		return c.Kind == catalog.ConstraintForeign && slices.Contains(c.Columns, t.Columns[col].ID)
	})
}

func (b *builder) targets(ts []target, l *layout) []expr.Expr {
	if ts == nil {
		return nil
	}
	out := make([]expr.Expr, len(ts))
	for i, t := range ts {
		out[i] = b.finished(t.e, l, nil)
	}
	return out
}

func (b *builder) planInsert(d *dml) (plan.Node, error) {
	src, err := b.planQuery(d.source, nil)
	if err != nil {
		return nil, err
	}
	n := &plan.Insert{Rel: d.target.table, Source: src, Targets: d.targets, Rules: d.rules, Cols: planColumns(d.columns())}
	n.Defaults = b.finishAll(d.defaults, nil, nil)
	l := relLayout(d.target)
	if c := d.conflict; c != nil {
		n.OnConflict = b.planConflict(c, d.target)
	}
	n.Returning = b.targets(d.returning, l)
	return n, nil
}

// planConflict finishes ON CONFLICT over the existing row and the proposed one.
func (b *builder) planConflict(c *conflict, target *rel) *plan.OnConflict {
	out := &plan.OnConflict{Index: c.index}
	if !c.update {
		return out
	}
	l := relLayout(target)
	l.at[c.proposed.index] = l.width
	l.width += len(c.proposed.cols)
	for _, a := range c.set {
		out.Update = append(out.Update, plan.Assign{Column: a.col, Value: b.finished(a.e, l, nil)})
	}
	out.Where = b.finished(c.where, l, nil)
	return out
}
