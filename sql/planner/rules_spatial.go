package planner

import (
	"slices"

	"raisind/sql/expr"
	"raisind/sql/funcs"
	"raisind/sql/plan"
	"raisind/sql/types"
)

// spatialMatch is a predicate or ordering that the cell index may answer.
type spatialMatch struct {
	property
	kind   plan.SpatialKind
	center expr.Expr
	radius expr.Expr // metres
	count  expr.Expr
	strict bool
	exact  bool
	pred   expr.Expr
	text   string
	// geodesic is set when distances are in metres on the spheroid.
	geodesic bool
	// call is the distance or predicate function; side is which of its arguments is the
	// property.
	call *expr.Call
	side int
}

// pointRule is what the predicate asks of a point and a rectangle.
func (m *spatialMatch) pointRule() plan.PointRule {
	for _, a := range m.call.Fn.Args[:2] {
		if a.Type == types.TGeography { // its edges are geodesics
			return plan.PointRecheck
		}
	}
	switch f := m.call.Fn.Func; {
	case f.Operator == "&&" || f.Operator == "@" && m.side == 0 || f.Operator == "~" && m.side == 1:
		return plan.PointMeetsBox
	case f.Name == "st_intersects" || f.Name == "st_coveredby" && m.side == 0 || f.Name == "st_covers" && m.side == 1:
		return plan.PointMeets
	case f.Name == "st_within" && m.side == 0 || f.Name == "st_contains" && m.side == 1:
		return plan.PointInside
	}
	return plan.PointRecheck
}

// columnSRID is the SRID that all geometries of a column have; -1 when they may differ.
func (m *spatialMatch) columnSRID() int32 {
	if v, ok := m.e.(*variable); ok && m.e.Type() == types.TGeometry && v.column().typmod >= 0 {
		if srid := types.ParseGeoTypmod(v.column().typmod).SRID; srid != 0 {
			return srid
		}
	}
	return -1
}

// radiusRule takes the first radius around a place that keeps its value.
func radiusRule(c *choice) bool {
	var best *spatialMatch
	var of *qual
	for _, q := range c.quals {
		m := c.matchPredicate(q)
		if m == nil || m.kind != plan.DistanceScan || m.wildcard || !c.constant(m.center) || !c.constant(m.radius) {
			continue
		}
		if best == nil || smaller(m.radius, best.radius) {
			best, of = m, q
		}
	}
	if best == nil {
		return false
	}
	c.a = &access{kind: spatialScan, spatial: best, used: []*qual{of}}
	return true
}

// smaller reports whether one known radius is below another.
func smaller(a, b expr.Expr) bool {
	x, ok := expr.IsConst(a)
	y, both := expr.IsConst(b)
	return ok && both && x.Float() < y.Float()
}

func boxRule(c *choice) bool {
	for _, q := range c.quals {
		m := c.matchPredicate(q)
		if m == nil || m.kind != plan.BoxScan || m.wildcard || !c.constant(m.center) {
			continue
		}
		c.a = &access{kind: spatialScan, spatial: m, used: []*qual{q}}
		return true
	}
	return false
}

// nearestRule answers ORDER BY distance LIMIT k.
func nearestRule(c *choice) bool {
	m, k := c.matchOrder()
	if m == nil || c.refusedOrder(m, k) != 0 {
		return false
	}
	c.a = &access{kind: spatialScan, spatial: m}
	m.kind = plan.KnnScan
	m.count = c.b.wanted(c.r.q)
	return true
}

// refuseOrder names why an ordering by distance is not read from the index.
func (c *choice) refuseOrder() {
	if m, k := c.matchOrder(); m != nil {
		if why := c.refusedOrder(m, k); why != 0 {
			c.note(m, why)
		}
	}
}

// refusedOrder is the reason why an ordering by distance cannot be read from the
// index, 0 for none.
func (c *choice) refusedOrder(m *spatialMatch, k *orderKey) plan.Reason {
	q := c.r.q
	switch {
	case m.wildcard:
		return plan.ReasonWildcardPath
	case !c.constant(m.center):
		return plan.ReasonCenterNotConstant
	case k.desc || k.nullsFirst:
		return plan.ReasonDescending
	case q.limit == nil || volatile(q.limit) || volatile(q.offset):
		return plan.ReasonNoLimit
	case len(q.locks) > 0:
		return plan.ReasonRowLocks
	}
	return 0
}

// matchOrder finds a distance as the first key of ORDER BY, where nothing stands
// between the scan and the ordering.
func (c *choice) matchOrder() (*spatialMatch, *orderKey) {
	q := c.r.q
	if !c.p.single || len(q.order) == 0 || q.grouped || q.distinct || len(q.setCalls) > 0 || len(q.windowCalls) > 0 || c.r.target {
		return nil, nil
	}
	k := &q.order[0]
	call, ok := k.e.(*expr.Call)
	if !ok {
		return nil, nil
	}
	m := c.matchCall(call, funcs.IndexDistance)
	if m == nil {
		return nil, nil
	}
	m.kind = plan.KnnScan
	m.exact = exactDistance(call)
	return m, k
}

// anySpatial finds a spatial predicate or ordering, constant or not.
func (c *choice) anySpatial() *spatialMatch {
	for _, q := range c.quals {
		if m := c.matchPredicate(q); m != nil {
			return m
		}
	}
	m, _ := c.matchOrder()
	return m
}

// matchPredicate reads a condition as a spatial predicate on a property of the table.
func (c *choice) matchPredicate(q *qual) *spatialMatch {
	call, ok := q.e.(*expr.Call)
	if !ok || call.Fn.Func == nil {
		return nil
	}
	var m *spatialMatch
	switch call.Fn.Func.Index {
	case funcs.IndexRadius:
		if m = c.matchCall(call, funcs.IndexRadius); m != nil && !c.radius(m, call.Args[2], call.Fn.Func.Name == "st_dwithin") {
			return nil
		}
	case funcs.IndexBox:
		if m = c.matchCall(call, funcs.IndexBox); m != nil {
			m.kind = plan.BoxScan
		}
	case funcs.IndexNone:
		m = c.matchDistanceBelow(call)
	}
	if m != nil {
		m.pred = q.e
	}
	return m
}

// matchDistanceBelow reads ST_Distance(property, place) < radius, either way round.
func (c *choice) matchDistanceBelow(call *expr.Call) *spatialMatch {
	if len(call.Args) != 2 {
		return nil
	}
	d, radius, op := call.Args[0], call.Args[1], call.Fn.Func.Operator
	switch op {
	case "<", "<=":
	case ">", ">=":
		d, radius = radius, d
	default:
		return nil
	}
	dist, ok := d.(*expr.Call)
	if !ok || radius.Type() != types.TFloat8 {
		return nil
	}
	m := c.matchCall(dist, funcs.IndexDistance)
	if m == nil || !c.radius(m, radius, exactDistance(dist)) {
		return nil
	}
	m.strict = op == "<" || op == ">"
	return m
}

// radius makes m a search within a radius; planar distances, which count in units of
// the SRID, become a search of the box around the place.
func (c *choice) radius(m *spatialMatch, radius expr.Expr, exact bool) bool {
	if m.geodesic {
		m.kind, m.radius, m.exact = plan.DistanceScan, radius, false
		if exact && m.spheroid() {
			m.exact = !mayBeShape(m.center)
			return true
		}
		// A rounded distance, or one on the sphere, is off by less than this.
		op, slack := "+", 0.001
		if !m.spheroid() {
			op, slack = "*", 1.01
		}
		r, err := c.b.binary(op, typed{radius, -1}, typed{&expr.Const{Val: types.Float(slack), T: types.TFloat8}, -1}, -1)
		if err != nil {
			return false
		}
		m.radius = r
		return true
	}
	m.kind = plan.BoxScan
	grown, err := c.b.call("st_expand", -1, nil, typed{m.center, -1}, typed{radius, -1})
	m.center = grown
	return err == nil
}

// mayBeShape reports whether a centre is known to be no point, or is a property, of
// which nobody knows: the circle around it then has to be rechecked.
func mayBeShape(center expr.Expr) bool {
	if v, ok := expr.IsConst(center); ok {
		g := plan.CenterGeometry(center.Type(), v)
		if g == nil {
			return false
		}
		_, _, point := g.AsPoint()
		return !point
	}
	return center.Type() == types.TJSONB && hasVariable(center)
}

// spheroid is false for a call that asks for the sphere.
func (m *spatialMatch) spheroid() bool {
	last := m.call.Args[len(m.call.Args)-1]
	if last.Type() != types.TBool {
		return true
	}
	v, ok := expr.IsConst(last)
	return ok && v.Bool()
}

// exactDistance reports whether a distance is the very number that index entries
// give: not rounded, and on the spheroid.
func exactDistance(call *expr.Call) bool {
	if call.Fn.Func.Operator != "" {
		return true
	}
	return slices.ContainsFunc(call.Fn.Args, func(a funcs.Arg) bool { return a.Type == types.TJSONB })
}

// matchCall reads the two places of a spatial function: one a property of the table,
// the other anything.
func (c *choice) matchCall(call *expr.Call, use funcs.IndexUse) *spatialMatch {
	f := call.Fn.Func
	if f == nil || f.Index != use || len(call.Args) < 2 {
		return nil
	}
	m := &spatialMatch{call: call, text: f.Title}
	if f.Operator != "" {
		m.text = f.Operator
	}
	for _, a := range call.Fn.Args[:2] {
		m.geodesic = m.geodesic || a.Type == types.TJSONB || a.Type == types.TGeography
	}
	for i := range 2 {
		p, ok := propertyName(call.Args[i], c.r)
		if !ok {
			continue
		}
		m.property, m.center, m.side = p, call.Args[1-i], i
		if relsOf(m.center, c.r.q).has(c.r) { // both sides are of the row: try the other way, and say why not
			if o, ok := propertyName(call.Args[1-i], c.r); ok && i == 0 && !c.constant(m.center) && c.constant(call.Args[i]) {
				m.property, m.center, m.side = o, call.Args[i], 1-i
			}
		}
		return m
	}
	return nil
}

// distanceExpr is the distance of a row from the centre.
func (m *spatialMatch) distanceExpr(b *builder) expr.Expr {
	if m.call.Fn.Func.Index == funcs.IndexDistance {
		return m.call
	}
	d, err := b.call("st_distance", -1, nil, typed{m.e, -1}, typed{m.center, -1})
	if err != nil {
		return &expr.Const{T: types.TFloat8}
	}
	return d
}

// distanceRule reads __distance within conditions as the distance that fills it: that
// of a radius condition, or of ORDER BY. A scan's filter must not see __distance
// itself, which is filled in behind it.
func (p *fromPlan) distanceRule(conds []expr.Expr) []expr.Expr {
	var out []expr.Expr
	for i, e := range conds {
		r := distanceOf(e, p.q)
		if r == nil {
			continue
		}
		c := &choice{p: &fromPlan{b: p.b, q: p.q, single: len(p.q.rels) == 1}, b: p.b, r: r, avail: allRels(p.q) &^ r.set()}
		for _, o := range conds {
			if distanceOf(o, p.q) == nil {
				c.quals = append(c.quals, newQual(o, p.q))
			}
		}
		m := c.anySpatial()
		if m == nil || m.kind == plan.BoxScan || !c.constant(m.center) {
			continue
		}
		if out == nil {
			out = slices.Clone(conds)
		}
		d := m.distanceExpr(p.b)
		out[i] = expr.Rewrite(e, func(x expr.Expr) (expr.Expr, bool) {
			if isDistanceOf(x, r) {
				return d, false
			}
			return x, true
		})
	}
	if out == nil {
		return conds
	}
	return out
}

// distanceOf is the item of q whose __distance e reads, nil for none.
func distanceOf(e expr.Expr, q *query) (found *rel) {
	expr.Walk(e, func(x expr.Expr) bool {
		if v, ok := x.(*variable); ok && v.rel.q == q && isDistanceOf(v, v.rel) {
			found = v.rel
		}
		return found == nil
	})
	return found
}

func isDistanceOf(e expr.Expr, r *rel) bool {
	v, ok := e.(*variable)
	return ok && v.rel == r && r.table != nil && v.col == r.extra(plan.ExtraDistance)
}

// isDistance reports whether call is the very distance from the centre that the scan
// fills in as __distance.
func (m *spatialMatch) isDistance(call *expr.Call) bool {
	f := call.Fn.Func
	if f == nil || f.Index != funcs.IndexDistance || len(call.Args) < 2 || !geodesicCall(call) || !exactDistance(call) {
		return false
	}
	l, r := call.Args[0], call.Args[1]
	return expr.Equal(l, m.e) && expr.Equal(r, m.center) || expr.Equal(r, m.e) && expr.Equal(l, m.center)
}

func geodesicCall(call *expr.Call) bool {
	return slices.ContainsFunc(call.Fn.Args[:2], func(a funcs.Arg) bool {
		return a.Type == types.TJSONB || a.Type == types.TGeography
	})
}
