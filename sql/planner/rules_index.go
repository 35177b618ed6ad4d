package planner

import (
	"slices"

	"raisind/catalog"
	"raisind/sql/expr"
	"raisind/sql/funcs"
	"raisind/sql/parser"
	"raisind/sql/plan"
	"raisind/sql/types"
)

// indexAccess is how a scan of an index is bounded. Conditions on the keys from the
// first on become points, as long as each is an equality; one range follows them.
type indexAccess struct {
	points         []indexPoint
	lo, hi         expr.Expr
	loIncl, hiIncl bool
	notNull        bool
	conds          []expr.Expr // what EXPLAIN prints
	keyTypes       []*types.Type
	keys           []expr.Expr // the keys over the table's row
	single         int         // points that are one value, from the first on
	prefix         bool        // bounded by the start of a LIKE pattern
}

// bounded reports whether conditions narrow the scan.
func (ia *indexAccess) bounded() bool {
	return len(ia.points) > 0 || ia.lo != nil || ia.hi != nil || ia.notNull
}

// values are the expressions that the scan is bounded by.
func (ia *indexAccess) values() []expr.Expr {
	var es []expr.Expr
	for _, p := range ia.points {
		es = append(es, p.values...)
		if p.array != nil {
			es = append(es, p.array)
		}
	}
	return append(es, slices.DeleteFunc([]expr.Expr{ia.lo, ia.hi}, func(e expr.Expr) bool { return e == nil })...)
}

// indexPoint is what a key has to equal.
type indexPoint struct {
	values []expr.Expr
	array  expr.Expr
	null   bool
}

func (p *indexPoint) single() bool { return p.null || p.array == nil && len(p.values) == 1 }

// indexRule takes the index of which the conditions, or the order and LIMIT, make the
// cheapest scan. It must not use an index whose predicate the conditions do not imply,
// nor one whose keys leave out rows because of a NULL.
func indexRule(c *choice) bool {
	rows := max(c.b.tableRows(c.r), defaultRows) // plans outlive small tables
	best, cost := (*access)(nil), rows
	for i := range c.r.table.Indexes {
		a := c.indexScan(&c.r.table.Indexes[i])
		if a == nil {
			continue
		}
		c.indexOrder(a)
		found := rows
		for _, q := range a.used {
			found *= share(q.e)
		}
		if a.ix.prefix {
			found *= patternShare
		}
		if n := len(a.ix.points); a.index.Unique && n == len(a.index.Columns) && a.ix.single == n {
			found = 1
		}
		k := max(1, found) * lookupCost
		switch q := c.r.q; {
		case a.ordered == len(q.order) && a.ordered > 0 && q.limit != nil:
			if v, ok := expr.IsConst(q.limit); ok && !v.IsNull() {
				left := found
				for _, q := range c.quals {
					if !slices.Contains(a.used, q) {
						left *= share(q.e)
					}
				}
				k *= min(1, float64(v.Int())/max(1, left))
			} else {
				k /= 10
			}
		case !a.ix.bounded():
			continue
		}
		if k < cost || k == cost && best == nil {
			best, cost = a, k
			a.rows = max(1, found)
		}
	}
	if best == nil {
		return false
	}
	c.a = best
	return true
}

// indexScan matches the conditions with an index's keys; nil when the index cannot be
// used.
func (c *choice) indexScan(x *catalog.Index) *access {
	a := c.indexKeys(x)
	if a == nil {
		return nil
	}
	ia, i := a.ix, 0
	for i < len(ia.keys) && c.point(a, i) {
		if ia.points[i].single() && ia.single == i {
			ia.single++
		}
		i++
	}
	if i < len(ia.keys) {
		for _, q := range c.quals {
			c.indexBound(a, q, i)
		}
		if ia.lo != nil || ia.hi != nil || ia.notNull {
			i++
		}
	}
	if x.Format == catalog.UniqueKeys && !c.complete(x, i) {
		return nil // rows with a NULL further on are not in the index
	}
	return a
}

// indexKeys begins an access by an index; nil when it cannot be used at all.
func (c *choice) indexKeys(x *catalog.Index) *access {
	if x.Invalid || x.Format == catalog.NoKeys || x.AccessMethod() != "btree" && x.AccessMethod() != "hash" || !c.implied(x) {
		return nil
	}
	ia := &indexAccess{}
	for i := range x.Columns {
		e := c.indexKey(x, i)
		if e == nil {
			return nil
		}
		ia.keys, ia.keyTypes = append(ia.keys, e), append(ia.keyTypes, e.Type())
	}
	return &access{kind: indexScan, index: x, ix: ia}
}

// indexKey is key i of an index over the table's row; nil when it cannot be read.
func (c *choice) indexKey(x *catalog.Index, i int) expr.Expr {
	if col := x.Columns[i]; col != catalog.ExprColumn {
		return c.r.newVar(col, -1)
	}
	return c.b.overRel(c.r, x.Key(i).Expr)
}

// overRel binds the SQL of an index over the rows of r; nil when it cannot be bound.
func (b *builder) overRel(r *rel, sql string) expr.Expr {
	tree, err := parser.ParseExpr(sql)
	if err != nil {
		return nil
	}
	s := &scope{q: r.q, clause: inWhere}
	_, s.items = leaf(r)
	x, err := b.typed(tree, s)
	if err != nil {
		return nil
	}
	return x.e
}

// matchesKey reports whether e is the key of an index, or the same value as another
// type of its family.
func matchesKey(e, key expr.Expr) bool {
	strip := func(e expr.Expr) expr.Expr {
		if cast, ok := e.(*expr.Cast); ok && cast.Typmod < 0 && (cast.Fn == nil || cast.Fn.Binary) && sameKeys(cast.T, cast.Arg.Type()) {
			return cast.Arg
		}
		return e
	}
	return expr.Equal(e, key) || expr.Equal(strip(e), strip(key))
}

// operands splits a condition key op value, either way round.
func (c *choice) operands(e expr.Expr, key expr.Expr) (op string, value expr.Expr, ok bool) {
	call, is := e.(*expr.Call)
	if !is || call.Fn.Func == nil || len(call.Args) != 2 {
		return "", nil, false
	}
	switch {
	case matchesKey(call.Args[0], key):
		return call.Fn.Func.Operator, call.Args[1], true
	case matchesKey(call.Args[1], key):
		return call.Fn.Func.Commutator, call.Args[0], true
	}
	return "", nil, false
}

// point looks for an equality with key i.
func (c *choice) point(a *access, i int) bool {
	key, t := a.ix.keys[i], a.ix.keyTypes[i]
	for _, q := range c.quals {
		p := indexPoint{}
		switch e := q.e.(type) {
		case *expr.Call:
			if op, v, ok := c.operands(e, key); ok && op == "=" {
				if v = c.valueAs(v, t); v != nil {
					p.values = []expr.Expr{v}
				}
			}
		case *expr.InList:
			if !e.Not && e.Eq.Func.Operator == "=" && matchesKey(e.Arg, key) {
				p.values = c.valuesAs(e.List, t)
			}
		case *expr.AnyAll:
			if !e.All && e.Op.Func.Operator == "=" && matchesKey(e.Left, key) && c.constant(e.Right) && e.ElemCast == nil {
				if elem := e.Right.Type().Elem; elem != nil && sameKeys(elem, t) {
					p.array = e.Right
				}
			}
		case *expr.Or:
			p.values = c.orValues(e, key, t)
		case *expr.IsTest:
			switch {
			case e.What == expr.IsNull && !e.Not && a.index.Format != catalog.UniqueKeys && matchesKey(e.Arg, key):
				p.null = true
			case e.What == expr.IsTrue && !e.Not && matchesKey(e.Arg, key):
				p.values = []expr.Expr{&expr.Const{Val: types.Bool(true), T: types.TBool}}
			case e.What == expr.IsFalse && !e.Not && matchesKey(e.Arg, key):
				p.values = []expr.Expr{&expr.Const{Val: types.Bool(false), T: types.TBool}}
			}
		case *expr.Not:
			if t == types.TBool && matchesKey(e.Arg, key) {
				p.values = []expr.Expr{&expr.Const{Val: types.Bool(false), T: types.TBool}}
			}
		}
		if t == types.TBool && matchesKey(q.e, key) {
			p.values = []expr.Expr{&expr.Const{Val: types.Bool(true), T: types.TBool}}
		}
		if p.values != nil || p.array != nil || p.null {
			a.ix.points = append(a.ix.points, p)
			a.ix.conds = append(a.ix.conds, q.e)
			a.used = append(a.used, q)
			return true
		}
	}
	return false
}

// valuesAs is valueAs for a list; nil when one is no value of the type.
func (c *choice) valuesAs(list []expr.Expr, t *types.Type) []expr.Expr {
	var out []expr.Expr
	for _, e := range list {
		v := c.valueAs(e, t)
		if v == nil {
			return nil
		}
		out = append(out, v)
	}
	return out
}

// orValues are the values of key = a OR key = b; nil when it is anything else.
func (c *choice) orValues(or *expr.Or, key expr.Expr, t *types.Type) []expr.Expr {
	var out []expr.Expr
	for _, e := range or.Args {
		op, v, ok := c.operands(e, key)
		if !ok || op != "=" {
			return nil
		}
		if v = c.valueAs(v, t); v == nil {
			return nil
		}
		out = append(out, v)
	}
	return out
}

// indexBound takes a condition as a bound of key i.
func (c *choice) indexBound(a *access, q *qual, i int) {
	ia := a.ix
	key, t := ia.keys[i], ia.keyTypes[i]
	if a.index.AccessMethod() == "hash" {
		return
	}
	if e, ok := q.e.(*expr.IsTest); ok && e.What == expr.IsNull && e.Not && matchesKey(e.Arg, key) {
		ia.notNull = true
		c.boundBy(a, q, q.e)
		return
	}
	op, v, ok := c.operands(q.e, key)
	if !ok {
		return
	}
	if op == "~~" {
		c.indexPrefix(a, key, v)
		return
	}
	if v = c.valueAs(v, t); v == nil {
		return
	}
	switch {
	case (op == ">" || op == ">=") && ia.lo == nil:
		ia.lo, ia.loIncl = v, op == ">="
	case (op == "<" || op == "<=") && ia.hi == nil:
		ia.hi, ia.hiIncl = v, op == "<="
	default:
		return
	}
	c.boundBy(a, q, q.e)
}

func (c *choice) boundBy(a *access, q *qual, cond expr.Expr) {
	a.ix.conds = append(a.ix.conds, cond)
	a.used = append(a.used, q)
}

// indexPrefix bounds a text key by the fixed start of a LIKE pattern, which stays a
// condition.
func (c *choice) indexPrefix(a *access, key, pattern expr.Expr) {
	v, ok := expr.IsConst(pattern)
	if !ok || v.IsNull() || !sameKeys(key.Type(), types.TText) || a.ix.lo != nil || a.ix.hi != nil {
		return
	}
	lo, hi := likePrefix(v.Str())
	if lo == "" {
		return
	}
	bound := func(op, s string) expr.Expr {
		e := &expr.Const{Val: types.Str(s), T: types.TText}
		if cond, err := c.b.binary(op, typed{key, -1}, typed{e, -1}, -1); err == nil {
			a.ix.conds = append(a.ix.conds, cond)
		}
		return e
	}
	a.ix.lo, a.ix.loIncl, a.ix.prefix = bound(">=", lo), true, true
	if hi != "" {
		a.ix.hi = bound("<", hi)
	}
}

// implied reports whether the conditions imply the predicate of a partial index.
func (c *choice) implied(x *catalog.Index) bool {
	if x.Predicate == "" {
		return true
	}
	p := c.b.overRel(c.r, x.Predicate)
	if p == nil {
		return false
	}
	for _, e := range appendConjuncts(nil, p) {
		if !slices.ContainsFunc(c.quals, func(q *qual) bool { return c.implies(q.e, e) }) {
			return false
		}
	}
	return true
}

// implies reports whether a row for which have is true is one for which want is true.
func (c *choice) implies(have, want expr.Expr) bool {
	if expr.Equal(have, want) {
		return true
	}
	if and, ok := have.(*expr.And); ok {
		return slices.ContainsFunc(and.Args, func(e expr.Expr) bool { return c.implies(e, want) })
	}
	switch w := want.(type) {
	case *expr.Or:
		return slices.ContainsFunc(w.Args, func(e expr.Expr) bool { return c.implies(have, e) })
	case *expr.IsTest:
		if w.What == expr.IsNull && w.Not {
			if v, ok := w.Arg.(*variable); ok {
				return nullIfColumn(have, v)
			}
		}
	case *expr.Call:
		return c.comparisonImplies(have, w)
	}
	return false
}

// nullIfColumn reports whether e is not true where the column is NULL.
func nullIfColumn(e expr.Expr, v *variable) bool {
	call, ok := e.(*expr.Call)
	if !ok {
		if in, ok := e.(*expr.InList); ok {
			return expr.Equal(in.Arg, v)
		}
		return false
	}
	return call.Fn.Func != nil && call.Fn.Func.Nulls == funcs.NullOnNull && slices.ContainsFunc(call.Args, func(a expr.Expr) bool { return expr.Equal(a, v) })
}

// comparisonImplies compares x op constant with another such condition on x: x > 10
// implies x > 5.
func (c *choice) comparisonImplies(have expr.Expr, want *expr.Call) bool {
	if want.Fn.Func == nil || len(want.Args) != 2 {
		return false
	}
	bound, ok := expr.IsConst(want.Args[1])
	if !ok || bound.IsNull() {
		return false
	}
	op, value, ok := c.operands(have, want.Args[0])
	if !ok {
		return false
	}
	v, ok := expr.IsConst(value)
	if !ok || v.IsNull() || value.Type() != want.Args[1].Type() {
		return false
	}
	order := types.Compare(value.Type(), v, bound)
	switch want.Fn.Func.Operator {
	case ">":
		return order > 0 && (op == "=" || op == ">" || op == ">=") || order == 0 && op == ">"
	case ">=":
		return order >= 0 && (op == "=" || op == ">" || op == ">=")
	case "<":
		return order < 0 && (op == "=" || op == "<" || op == "<=") || order == 0 && op == "<"
	case "<=":
		return order <= 0 && (op == "=" || op == "<" || op == "<=")
	case "<>":
		return order != 0 && op == "=" || order >= 0 && op == ">" || order <= 0 && op == "<" || order > 0 && op == ">=" || order < 0 && op == "<="
	}
	return false
}

// indexOrder notes how many keys of ORDER BY the index gives, forwards or backwards.
func (c *choice) indexOrder(a *access) {
	q := c.r.q
	if !c.p.single || len(q.order) == 0 || q.grouped || q.distinct || len(q.setCalls) > 0 || a.index.AccessMethod() == "hash" {
		return
	}
	ia, x := a.ix, a.index
	at, n, decided := 0, 0, false
	for n < len(q.order) {
		k := &q.order[n]
		if slices.ContainsFunc(ia.keys[:ia.single], func(e expr.Expr) bool { return matchesKey(k.e, e) }) {
			n++ // one value
			continue
		}
		at = max(at, ia.single)
		if at == len(ia.keys) || !matchesKey(k.e, ia.keys[at]) {
			break
		}
		spec := x.Key(at)
		reverse := k.desc != spec.Desc
		nullsFirst := spec.NullsFirst != reverse
		if nullsFirst != k.nullsFirst && c.mayBeNull(a, at) || decided && reverse != a.reverse {
			break
		}
		a.reverse, decided = reverse, true
		at++
		n++
	}
	if x.Unique && decided && at == len(ia.keys) && n < len(q.order) && c.complete(x, 0) && !x.HasExprs() {
		n = len(q.order) // further keys change nothing
	}
	a.ordered = n
}

// mayBeNull reports whether NULLs are among the entries that are read of a key.
func (c *choice) mayBeNull(a *access, i int) bool {
	ia := a.ix
	switch {
	case a.index.Format == catalog.UniqueKeys:
		return false
	case i < len(ia.points):
		return ia.points[i].null
	case i == len(ia.points) && (ia.lo != nil || ia.hi != nil || ia.notNull):
		return false
	}
	col := a.index.Columns[i]
	return col == catalog.ExprColumn || !c.r.table.Columns[col].NotNull
}

// indexNode makes the node of an index scan.
func (p *fromPlan) indexNode(r *rel, a *access, filter expr.Expr, need []bool, cols []plan.Column, f frames) plan.Node {
	b, ia := p.b, a.ix
	n := &plan.IndexScan{
		Rel: r.table, Alias: r.alias, Index: a.index, KeyTypes: ia.keyTypes, NotNull: ia.notNull, Reverse: a.reverse,
		Lo: b.finished(ia.lo, nil, f), Hi: b.finished(ia.hi, nil, f), LoIncl: ia.loIncl, HiIncl: ia.hiIncl,
		Need: need, Filter: filter, Cols: cols,
	}
	for _, pt := range ia.points {
		n.Points = append(n.Points, plan.IndexPoint{Values: b.finishAll(pt.values, nil, f), Array: b.finished(pt.array, nil, f), Null: pt.null})
	}
	// What EXPLAIN prints reads no column.
	output, extras := r.needOutput, r.need
	r.need, r.needOutput = nil, nil
	n.Conds = b.finishAll(ia.conds, relLayout(r), f)
	r.need, r.needOutput = extras, output
	b.atEnd = append(b.atEnd, func() {
		n.Only = filter == nil && !slices.Contains(need, true) && !extras[r.extra(plan.ExtraRevision)]
	})
	return n
}
