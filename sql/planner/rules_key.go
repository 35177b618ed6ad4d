package planner

import (
	"unicode/utf8"

	"raisind/catalog"
	"raisind/sql/expr"
	"raisind/sql/plan"
	"raisind/sql/types"
)

// keyRule looks for equalities with all columns of a unique index.
func keyRule(c *choice) bool {
	t := c.r.table
	var fallback *access
	for i := range t.Indexes {
		ix := &t.Indexes[i]
		if !ix.Plain() {
			continue
		}
		a := &access{kind: keyScan, index: ix}
		row := make([]expr.Expr, 0, len(ix.Columns))
		for _, col := range ix.Columns {
			e, q := c.equalTo(col)
			if e == nil {
				break
			}
			row, a.used = append(row, e), append(a.used, q)
		}
		if len(row) == len(ix.Columns) {
			a.keys = [][]expr.Expr{row}
			c.a = a
			return true
		}
		if len(ix.Columns) == 1 && fallback == nil {
			fallback = c.keyList(ix)
		}
	}
	if fallback != nil {
		c.a = fallback
		return true
	}
	return false
}

// equalTo finds a condition column = value.
func (c *choice) equalTo(col int) (expr.Expr, *qual) {
	for _, q := range c.quals {
		call, ok := q.e.(*expr.Call)
		if !ok || call.Fn.Func == nil || call.Fn.Func.Operator != "=" || len(call.Args) != 2 {
			continue
		}
		for i := range 2 {
			if c.isColumn(call.Args[i], col) {
				if v := c.keyValue(call.Args[1-i], col); v != nil {
					return v, q
				}
			}
		}
	}
	return nil, nil
}

// isColumn reports whether e is the column, or the same value as another type of its
// family: varchar as text, name as text.
func (c *choice) isColumn(e expr.Expr, col int) bool {
	if cast, ok := e.(*expr.Cast); ok && cast.Typmod < 0 && (cast.Fn == nil || cast.Fn.Binary) && sameKeys(cast.T, cast.Arg.Type()) {
		e = cast.Arg
	}
	v, ok := e.(*variable)
	return ok && v.rel == c.r && v.col == col
}

// sameKeys reports whether two types order and print their values alike as keys.
func sameKeys(a, b *types.Type) bool {
	text := func(t *types.Type) bool { return t == types.TText || t == types.TVarchar || t == types.TName }
	return a == b || text(a) && text(b)
}

// keyValue returns e as a value of the column's type, nil when it is none or
// changes from row to row.
func (c *choice) keyValue(e expr.Expr, col int) expr.Expr {
	return c.valueAs(e, c.r.table.Columns[col].Type)
}

// valueAs returns e as a value of type t, nil when it is none or changes from row to
// row.
func (c *choice) valueAs(e expr.Expr, t *types.Type) expr.Expr {
	if !c.constant(e) {
		return nil
	}
	if sameKeys(e.Type(), t) {
		return e
	}
	// Integers of another width: a value the column cannot hold equals none, so only
	// narrower ones are safe.
	if isInteger(t) && isInteger(e.Type()) && (e.Type().Len < t.Len || fitsInteger(e, t)) {
		return c.b.fold(&expr.Cast{Arg: e, T: t, Typmod: -1, Fn: mustCast(e.Type(), t)})
	}
	return nil
}

func isInteger(t *types.Type) bool {
	return t == types.TInt2 || t == types.TInt4 || t == types.TInt8
}

func fitsInteger(e expr.Expr, t *types.Type) bool {
	v, ok := expr.IsConst(e)
	if !ok {
		return false
	}
	limit := int64(1) << (8*t.Len - 1)
	return v.Int() >= -limit && v.Int() < limit
}

func mustCast(from, to *types.Type) *types.Cast {
	c, _ := castable(from, to, types.Explicit)
	return c
}

// keyList looks for column IN (…) and column = ANY (array).
func (c *choice) keyList(ix *catalog.Index) *access {
	col := ix.Columns[0]
	for _, q := range c.quals {
		switch e := q.e.(type) {
		case *expr.InList:
			if e.Not || e.Eq.Func.Operator != "=" || !c.isColumn(e.Arg, col) {
				continue
			}
			a := &access{kind: keyScan, index: ix, used: []*qual{q}}
			for _, item := range e.List {
				v := c.keyValue(item, col)
				if v == nil {
					a = nil
					break
				}
				a.keys = append(a.keys, []expr.Expr{v})
			}
			if a != nil {
				return a
			}
		case *expr.AnyAll:
			if e.All || e.Op.Func.Operator != "=" || !c.isColumn(e.Left, col) || !c.constant(e.Right) || e.ElemCast != nil {
				continue
			}
			if elem := e.Right.Type().Elem; unnest != nil && elem != nil && sameKeys(elem, c.r.table.Columns[col].Type) {
				return &access{kind: keyScan, index: ix, array: e.Right, used: []*qual{q}}
			}
		case *expr.Or:
			if a := c.keyOr(ix, q, e); a != nil {
				return a
			}
		}
	}
	return nil
}

// keyOr is column = a OR column = b.
func (c *choice) keyOr(ix *catalog.Index, q *qual, or *expr.Or) *access {
	a := &access{kind: keyScan, index: ix, used: []*qual{q}}
	for _, e := range or.Args {
		one := &choice{p: c.p, b: c.b, r: c.r, avail: c.avail, quals: []*qual{{e: e}}}
		v, _ := one.equalTo(ix.Columns[0])
		if v == nil {
			return nil
		}
		a.keys = append(a.keys, []expr.Expr{v})
	}
	return a
}

// complete reports whether every row whose first columns are not NULL is in the
// index: the others cannot be NULL.
func (c *choice) complete(ix *catalog.Index, from int) bool {
	for _, col := range ix.Columns[from:] {
		if !c.r.table.Columns[col].NotNull {
			return false
		}
	}
	return true
}

// likePrefix is what every match of a LIKE pattern starts with, and the first text
// after all those; hi is empty when there is none.
func likePrefix(pattern string) (lo, hi string) {
	var fixed []rune
	escaped := false
	for _, r := range pattern {
		if !escaped && (r == '%' || r == '_') {
			break
		}
		if escaped = !escaped && r == '\\'; !escaped {
			fixed = append(fixed, r)
		}
	}
	lo = string(fixed)
	for n := len(fixed); n > 0; n-- {
		next := fixed[n-1] + 1
		if next == 0xd800 { // no text holds a surrogate
			next = 0xe000
		}
		if next <= utf8.MaxRune {
			return lo, string(fixed[:n-1]) + string(next)
		}
	}
	return lo, ""
}

// extremeRule reads one end of an index for min or max of its first key. It must not
// skip rows that are not in the index, nor apply beside another aggregate.
func (b *builder) extremeRule(q *query, f frames) *unit {
	if len(q.keys) > 0 || q.sets != nil || len(q.aggs) != 1 || len(q.where) > 0 || q.from == nil || q.from.rel == nil || b.asOf != nil {
		return nil
	}
	a, r := q.aggs[0], q.from.rel
	name := a.fn.Agg.Name
	if r.kind != relTable || name != "min" && name != "max" || a.filter != nil || len(a.args) != 1 || len(q.setCalls) > 0 {
		return nil
	}
	p := &fromPlan{b: b, q: q}
	c := &choice{p: p, b: b, r: r, a: &access{}}
	for i := range r.table.Indexes {
		ix := &r.table.Indexes[i]
		x := c.indexScan(ix)
		if x == nil && ix.Format == catalog.UniqueKeys && c.complete(ix, 1) { // NULLs do not count
			x = c.indexKeys(ix)
		}
		if x == nil || ix.AccessMethod() == "hash" || !matchesKey(a.args[0], x.ix.keys[0]) {
			continue
		}
		x.rows, x.reverse, x.ix.notNull = 1, (name == "max") != ix.Key(0).Desc, true
		u, err := p.scan(r, nil, x, f)
		if err != nil {
			return nil
		}
		u.node = &plan.Limit{Source: u.node, Count: &expr.Const{Val: types.Int(1), T: types.TInt8}}
		return u
	}
	return nil
}
