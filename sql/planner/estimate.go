package planner

import (
	"math"

	"raisind/sql/expr"
	"raisind/sql/funcs"
)

// Rows are guessed as PostgreSQL guesses without statistics. The guesses steer which
// way is tried first, never what is returned.
const (
	defaultRows   = 1000
	equalShare    = 0.005
	rangeShare    = 1.0 / 3
	patternShare  = 0.05
	otherShare    = 0.5
	radiusShare   = 0.01
	boxShare      = 0.05
	functionShare = 1.0 / 3
)

// tableRows is how many rows a table has, as far as is known.
func (b *builder) tableRows(r *rel) float64 {
	if c, ok := b.opt.Catalog.(RowCounter); ok && r.table != nil {
		if n, ok := c.RowCount(r.table.ID); ok {
			return max(1, float64(n))
		}
	}
	return defaultRows
}

// selectivity is what conditions leave of rows.
func selectivity(conds []expr.Expr, rows float64) float64 {
	for _, e := range conds {
		rows *= share(e)
	}
	return math.Max(1, math.Round(rows))
}

// share is the part of rows for which a condition is expected to hold.
func share(e expr.Expr) float64 {
	switch e := e.(type) {
	case *expr.Call:
		if e.Fn.Func == nil {
			return functionShare
		}
		switch e.Fn.Func.Operator {
		case "=":
			return equalShare
		case "<>":
			return 1 - equalShare
		case "<", "<=", ">", ">=":
			return rangeShare
		case "~~", "~~*", "~", "@>", "?":
			return patternShare
		}
		switch e.Fn.Func.Index {
		case funcs.IndexRadius:
			return radiusShare
		case funcs.IndexBox:
			return boxShare
		}
		return functionShare
	case *expr.And:
		s := 1.0
		for _, a := range e.Args {
			s *= share(a)
		}
		return s
	case *expr.Or:
		s := 0.0
		for _, a := range e.Args {
			s += share(a)
		}
		return min(1, s)
	case *expr.Not:
		return 1 - share(e.Arg)
	case *expr.IsTest:
		if e.What == expr.IsNull && !e.Not {
			return equalShare
		}
		return 1 - equalShare
	case *expr.InList:
		s := min(otherShare, equalShare*float64(len(e.List)))
		if e.Not {
			return 1 - s
		}
		return s
	case *expr.AnyAll:
		return min(otherShare, equalShare*10)
	}
	return otherShare
}

// estimate is how many rows a query is expected to give.
func (b *builder) estimate(q *query) float64 {
	rows := 1.0
	switch q.kind {
	case valuesQuery:
		rows = float64(len(q.rows))
	case setQuery:
		rows = b.estimate(q.left) + b.estimate(q.right)
	default:
		for _, r := range q.rels {
			switch {
			case r.sub != nil:
				rows = max(rows, b.estimate(r.sub))
			default:
				rows = max(rows, b.tableRows(r))
			}
		}
		rows = selectivity(q.where, rows)
		switch {
		case q.grouped && len(q.keys) == 0:
			rows = 1
		case q.grouped || q.distinct:
			rows = max(1, rows/10)
		}
	}
	if v, ok := expr.IsConst(q.limit); ok {
		rows = min(rows, float64(v.Int()))
	}
	return max(1, rows)
}
