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
		if !ix.Unique {
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
	if !c.constant(e) {
		return nil
	}
	t := c.r.table.Columns[col].Type
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

// rangeRule looks for bounds on the first column of a unique index.
func rangeRule(c *choice) bool {
	t := c.r.table
	for i := range t.Indexes {
		ix := &t.Indexes[i]
		if !ix.Unique || !c.complete(ix, 1) {
			continue
		}
		a := &access{kind: keyRange, index: ix}
		for _, q := range c.quals {
			c.bound(a, q, ix.Columns[0])
		}
		if a.lo == nil && a.hi == nil {
			continue
		}
		c.a = a
		c.useOrder()
		return true
	}
	return false
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

// bound takes a comparison of the column with a value as an end of the range.
func (c *choice) bound(a *access, q *qual, col int) {
	call, ok := q.e.(*expr.Call)
	if !ok || call.Fn.Func == nil || len(call.Args) != 2 {
		return
	}
	l, r, op := call.Args[0], call.Args[1], call.Fn.Func.Operator
	if c.isColumn(r, col) {
		l, r, op = r, l, call.Fn.Func.Commutator
	}
	if !c.isColumn(l, col) {
		return
	}
	if op == "~~" {
		c.prefix(a, r, col)
		return
	}
	v := c.keyValue(r, col)
	if v == nil {
		return
	}
	switch op {
	case "=":
		if a.lo == nil && a.hi == nil {
			a.lo, a.hi, a.loIncl, a.hiIncl = v, v, true, true
			a.used = append(a.used, q)
		}
	case ">", ">=":
		if a.lo == nil {
			a.lo, a.loIncl = v, op == ">="
			a.used = append(a.used, q)
		}
	case "<", "<=":
		if a.hi == nil {
			a.hi, a.hiIncl = v, op == "<="
			a.used = append(a.used, q)
		}
	}
}

// prefix bounds the range by the fixed start of a LIKE pattern; LIKE itself stays a
// condition.
func (c *choice) prefix(a *access, pattern expr.Expr, col int) {
	v, ok := expr.IsConst(pattern)
	if !ok || !sameKeys(c.r.table.Columns[col].Type, types.TText) || a.lo != nil || a.hi != nil {
		return
	}
	lo, hi := likePrefix(v.Str())
	if lo == "" {
		return
	}
	text := func(s string) expr.Expr { return &expr.Const{Val: types.Str(s), T: types.TText} }
	a.lo, a.loIncl = text(lo), true
	if hi != "" {
		a.hi = text(hi)
	}
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

// useOrder notes that a range gives the query's order, forwards or backwards.
func (c *choice) useOrder() {
	q := c.r.q
	if !c.p.single || len(q.order) == 0 || q.grouped || q.distinct || len(q.setCalls) > 0 || len(q.windowCalls) > 0 {
		return
	}
	// All keys in one direction, column by column. NULLs are not in the index, and
	// bounds refuse them.
	cols := c.a.index.Columns
	n := 0
	for n < len(cols) && n < len(q.order) && c.isColumn(q.order[n].e, cols[n]) && q.order[n].desc == q.order[0].desc {
		n++
	}
	if n == len(cols) { // unique: further keys change nothing
		n = len(q.order)
	}
	c.a.ordered = n
	c.a.reverse = n > 0 && q.order[0].desc
}

// orderRule reads in the order of a unique index when LIMIT wants few rows and no
// condition would make it skip many.
func orderRule(c *choice) bool {
	q := c.r.q
	if !c.p.single || q.limit == nil || len(q.order) == 0 || len(c.quals) > 0 || len(q.locks) > 0 || q.ties {
		return false
	}
	for i := range c.r.table.Indexes {
		ix := &c.r.table.Indexes[i]
		if !ix.Unique || !c.complete(ix, 0) || !c.isColumn(q.order[0].e, ix.Columns[0]) {
			continue
		}
		before := c.a
		c.a = &access{kind: keyRange, index: ix}
		c.useOrder()
		if c.a.ordered == len(q.order) {
			return true
		}
		c.a = before
	}
	return false
}

// extremeRule reads one end of a unique index for min or max of its first column. It
// must not skip rows that are not in the index, nor apply beside another aggregate.
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
		if !ix.Unique || !c.complete(ix, 1) || !c.isColumn(a.args[0], ix.Columns[0]) {
			continue
		}
		u, err := p.scan(r, nil, &access{kind: keyRange, index: ix, reverse: name == "max", rows: 1}, f)
		if err != nil {
			return nil
		}
		u.node = &plan.Limit{Source: u.node, Count: &expr.Const{Val: types.Int(1), T: types.TInt8}}
		return u
	}
	return nil
}
