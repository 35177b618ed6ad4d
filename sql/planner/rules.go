package planner

import (
	"slices"

	"raisind/sql/expr"
	"raisind/sql/plan"
)

// rules decide how a table is read, in this order; the first that applies wins. All
// conditions hold whatever is chosen: what a rule does not take off the list stays
// in the scan's filter.
var rules []rule

type rule struct {
	name  string
	apply func(c *choice) bool
}

// The list is made here since a rule may bind the SQL of an index, which leads back to
// the rules.
func init() {
	rules = []rule{
		// Reads of other revisions go row by row: keys and cells are kept for HEAD. It must
		// not hide that a spatial predicate was there: the reason is named.
		{"historical revision", historicalRule},
		// All columns of a unique index equal to values: at most a row each. It must not use
		// values that change while the table is read.
		{"unique key", keyRule},
		// A property within a radius of a place. It must not take the predicate off the list
		// of shapes that an entry does not decide (SpatialScan.Predicate rechecks those).
		{"radius", radiusRule},
		// A property that meets, lies in or holds a shape. It must always recheck: boxes
		// meet more often than shapes do.
		{"box", boxRule},
		// Values and a range of the first keys of an index, or its order where LIMIT wants few
		// rows; the cheapest of all indexes. It must not leave out rows that are not in one.
		{"index", indexRule},
		// The nearest rows. It must not count rows before all other conditions were checked,
		// nor apply where anything but ORDER BY stands between the scan and LIMIT.
		{"nearest", nearestRule},
		// Every row is read; a spatial predicate that no rule took has its reason named.
		{"row scan", rowRule},
	}
}

// choice is the state of the rules for one table.
type choice struct {
	p     *fromPlan
	b     *builder
	r     *rel
	quals []*qual
	avail relSet // items whose values are at hand while the table is read
	a     *access
}

// constant reports whether e keeps its value while the table is read: constants,
// parameters, stable functions, and values of rows around.
func (c *choice) constant(e expr.Expr) bool {
	return relsOf(e, c.r.q).within(c.avail&^c.r.set()) && !volatile(e) && !hasGroupValue(e)
}

// hasGroupValue reports whether e needs a group or a set-returning function.
func hasGroupValue(e expr.Expr) bool {
	return expr.Any(e, func(e expr.Expr) bool {
		switch e.(type) {
		case *setCall, *grouping:
			return true
		}
		return false
	})
}

// historicalRule keeps the indexes out of reads of other revisions.
func historicalRule(c *choice) bool {
	if c.r.target || c.b.asOf == nil && !c.r.versions {
		return false
	}
	c.refuse(plan.ReasonHistorical)
	return true
}

// refuse names why a spatial predicate among the conditions, or an ordering by
// distance, is not answered by the index.
func (c *choice) refuse(why plan.Reason) {
	if m := c.anySpatial(); m != nil {
		c.note(m, why)
	}
}

func (c *choice) note(m *spatialMatch, why plan.Reason) {
	if c.a.reason != nil {
		return
	}
	if m.wildcard && why != plan.ReasonHistorical {
		why = plan.ReasonWildcardPath
	}
	c.a.reason = &plan.NotUsed{Reason: why, Relation: c.r.table.Name, Property: m.name}
	c.a.refused = m
}

// rowRule is the last resort.
func rowRule(c *choice) bool {
	for _, q := range c.quals {
		m := c.matchPredicate(q)
		if m == nil {
			continue
		}
		switch {
		case m.wildcard:
			c.note(m, plan.ReasonWildcardPath)
		case !c.constant(m.center) || m.radius != nil && !c.constant(m.radius):
			c.note(m, plan.ReasonCenterNotConstant)
		}
	}
	if c.a.reason == nil {
		c.refuseOrder()
	}
	return true
}

// estimate fills in how many rows the access gives.
func (c *choice) estimate() {
	a := c.a
	rows := c.b.tableRows(c.r)
	switch a.kind {
	case keyScan:
		rows = max(1, float64(len(a.keys)))
		if a.array != nil {
			rows = 10
		}
	case indexScan:
		rows = a.rows
	case spatialScan:
		switch a.spatial.kind {
		case plan.DistanceScan:
			rows *= radiusShare
		case plan.BoxScan:
			rows *= boxShare
		default:
			rows = min(rows, 100)
			if v, ok := expr.IsConst(a.spatial.count); ok {
				rows = min(rows, float64(v.Int()))
			}
		}
	}
	for _, q := range c.quals {
		if !slices.Contains(a.used, q) {
			rows *= share(q.e)
		}
	}
	a.rows = max(1, rows)
}
