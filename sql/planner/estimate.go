package planner

import (
	"math"

	"raisind/catalog"
	"raisind/sql/expr"
	"raisind/sql/funcs"
	"raisind/sql/plan"
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
	if s, ok := b.opt.Catalog.(Statistics); ok && r.table != nil && r.stats == nil {
		r.stats = s.Statistics(r.table.ID)
	}
	if c, ok := b.opt.Catalog.(RowCounter); ok && r.table != nil {
		if n, ok := c.RowCount(r.table.ID); ok {
			return max(1, float64(n))
		}
	}
	return defaultRows
}

// expect notes how many rows a scan is expected to give, for EXPLAIN, where ANALYZE has
// something to say about the table.
func (b *builder) expect(u *unit, r *rel) {
	if r.stats == nil {
		return
	}
	if b.st.Expected == nil {
		b.st.Expected = map[plan.Node]float64{}
	}
	b.st.Expected[u.node] = u.rows
}

// selectivity is what conditions leave of rows.
func selectivity(conds []expr.Expr, rows float64) float64 {
	for _, e := range conds {
		rows *= share(e)
	}
	return math.Max(1, math.Round(rows))
}

// statisticsOf are those of a column; nil for anything else.
func statisticsOf(e expr.Expr) *catalog.ColumnStatistics {
	if cast, ok := e.(*expr.Cast); ok && cast.Fn != nil && cast.Fn.Binary {
		e = cast.Arg
	}
	v, ok := e.(*variable)
	if !ok || v.rel.stats == nil || v.rel.table == nil || v.col >= len(v.rel.table.Columns) {
		return nil
	}
	s := v.rel.stats.Columns[v.rel.table.Columns[v.col].ID]
	if s == nil || s.Distinct == 0 {
		return nil
	}
	return s
}

// knownShare is the part of rows for which a comparison of a column holds, by what
// ANALYZE found out; false where that says nothing.
func knownShare(e expr.Expr) (float64, bool) {
	switch e := e.(type) {
	case *expr.Call:
		if e.Fn.Func == nil || len(e.Args) != 2 {
			return 0, false
		}
		op, s, other := e.Fn.Func.Operator, statisticsOf(e.Args[0]), e.Args[1]
		if s == nil {
			op, s, other = e.Fn.Func.Commutator, statisticsOf(e.Args[1]), e.Args[0]
		}
		if s == nil {
			return 0, false
		}
		v, isConst := expr.IsConst(other)
		isConst = isConst && !v.IsNull() && sameKeys(other.Type(), s.Type)
		switch op {
		case "=":
			if isConst {
				return s.Equal(&v), true
			}
			return s.Equal(nil), true
		case "<>":
			return 1 - s.Nulls - s.Equal(nil), true
		case "<", "<=", ">", ">=":
			if !isConst {
				return 0, false
			}
			below := s.Below(v)
			if op[0] == '>' {
				below = 1 - s.Nulls - below
			}
			return max(below, s.Equal(nil)), true
		}
	case *expr.IsTest:
		if s := statisticsOf(e.Arg); s != nil && e.What == expr.IsNull {
			if e.Not {
				return 1 - s.Nulls, true
			}
			return s.Nulls, true
		}
	case *expr.InList:
		if s := statisticsOf(e.Arg); s != nil && !e.Not {
			return min(1, s.Equal(nil)*float64(len(e.List))), true
		}
	}
	return 0, false
}

// share is the part of rows for which a condition is expected to hold.
func share(e expr.Expr) float64 {
	if s, ok := knownShare(e); ok {
		return s
	}
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
