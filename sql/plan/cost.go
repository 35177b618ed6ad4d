package plan

import (
	"math"

	"raisind/sql/expr"
	"raisind/sql/types"
	"raisind/storage"
)

// RelationRows may be implemented by IndexStates that know roughly how many rows a
// relation has.
type RelationRows interface {
	RelationRows(rel storage.RelationID) (rows int64, ok bool)
}

// Cost is an estimate in the unit of PostgreSQL's: reading a row in order is 0.01.
type Cost struct {
	Startup, Total float64
	Rows           float64
	Width          int // bytes
}

// What steps are taken to cost. They rank plans for a reader; nothing is chosen by them.
const (
	rowCost         = 0.01
	lookupRowCost   = 0.03
	conditionCost   = 0.0025
	unknownRows     = 1000
	filterShare     = 1.0 / 3
	equalityShare   = 0.005
	unknownTextSize = 32
)

type costing struct {
	st     *Statement
	states IndexStates
	ec     *expr.Ctx
	memo   map[Node]Cost
}

func (c *costing) of(n Node) Cost {
	if k, ok := c.memo[n]; ok {
		return k
	}
	k := c.compute(n)
	if c.st != nil {
		if rows, ok := c.st.Expected[n]; ok {
			k.Rows = rows
		}
	}
	k.Rows = math.Max(0, math.Round(k.Rows))
	k.Width = width(n.Columns())
	c.memo[n] = k
	return k
}

func width(cols []Column) int {
	w := 0
	for _, c := range cols {
		if c.Type != nil && c.Type.Len > 0 {
			w += int(c.Type.Len)
		} else {
			w += unknownTextSize
		}
	}
	return w
}

func (c *costing) relationRows(id storage.RelationID) float64 {
	if r, ok := c.states.(RelationRows); ok {
		if n, ok := r.RelationRows(id); ok {
			return float64(n)
		}
	}
	return unknownRows
}

// filtered is what a filter leaves of rows, and what it costs.
func filtered(k Cost, f expr.Expr) Cost {
	if f == nil {
		return k
	}
	k.Total += k.Rows * conditionCost
	k.Rows = math.Max(1, k.Rows*share(f))
	return k
}

// share is the part of rows expected to satisfy a condition.
func share(e expr.Expr) float64 {
	switch e := e.(type) {
	case *expr.And:
		s := 1.0
		for _, a := range e.Args {
			s *= share(a)
		}
		return s
	case *expr.Call:
		if e.Fn.Func != nil && e.Fn.Func.Operator == "=" {
			return equalityShare
		}
	}
	return filterShare
}

func (c *costing) compute(n Node) Cost {
	switch n := n.(type) {
	case *Values:
		return Cost{Total: float64(len(n.Rows)) * rowCost, Rows: float64(len(n.Rows))}
	case *RowScan:
		rows := c.relationRows(n.Rel.ID)
		return filtered(Cost{Total: rows * rowCost, Rows: rows}, n.Filter)
	case *KeyScan:
		rows := math.Max(1, float64(len(n.Keys)))
		return filtered(Cost{Total: rows * lookupRowCost, Rows: rows}, n.Filter)
	case *IndexScan:
		rows := c.relationRows(n.Rel.ID)
		for range n.Points {
			rows *= equalityShare
		}
		for _, e := range []expr.Expr{n.Lo, n.Hi} {
			if e != nil {
				rows *= filterShare
			}
		}
		rows = math.Max(1, rows)
		return filtered(Cost{Total: rows * lookupRowCost, Rows: rows}, n.Filter)
	case *SpatialScan:
		return c.spatial(n)
	case *VirtualScan:
		return filtered(Cost{Total: 100 * rowCost, Rows: 100}, n.Filter)
	case *FuncScan:
		rows := 1.0
		if n.Fn != nil {
			rows = 100
		}
		return Cost{Total: rows * rowCost, Rows: rows}
	case *CTEScan:
		k := Cost{Total: 10 * rowCost, Rows: 10}
		if !n.Working && n.ID < len(c.st.CTEs) && c.st.CTEs[n.ID].Root != nil {
			k.Rows = c.of(c.st.CTEs[n.ID].Root).Rows
			k.Total = k.Rows * rowCost
		}
		return k
	}
	return c.inner(n)
}

// inner costs the nodes that read from others.
func (c *costing) inner(n Node) Cost {
	var kids []Cost
	sum := Cost{}
	for _, ch := range n.Children() {
		k := c.of(ch)
		kids = append(kids, k)
		sum.Startup += k.Startup
		sum.Total += k.Total
	}
	if len(kids) == 0 {
		return sum
	}
	k := kids[0]
	switch n := n.(type) {
	case *Project, *LockRows:
		k.Total += k.Rows * conditionCost
	case *ProjectSet:
		k.Rows *= 10
		k.Total += k.Rows * conditionCost
	case *Filter:
		return filtered(k, n.Cond)
	case *Sort:
		k.Total += k.Rows * conditionCost * math.Log2(k.Rows+2)
		k.Startup = k.Total
		if v, ok := c.constant(n.Top); ok {
			k.Rows = math.Min(k.Rows, v)
		}
	case *Limit:
		rows := k.Rows
		if v, ok := c.constant(n.Offset); ok {
			rows = math.Max(0, rows-v)
		}
		if v, ok := c.constant(n.Count); ok {
			rows = math.Min(rows, v)
		}
		if k.Rows > 0 {
			k.Total = k.Startup + (k.Total-k.Startup)*math.Min(1, rows/k.Rows)
		}
		k.Rows = rows
	case *Distinct:
		k.Total += k.Rows * conditionCost
		k.Rows = math.Max(1, k.Rows/5)
	case *Aggregate:
		k.Total += k.Rows * conditionCost * float64(1+len(n.Calls))
		k.Startup = k.Total
		if len(n.Keys) == 0 {
			k.Rows = 1
		} else {
			k.Rows = math.Max(1, k.Rows/5)
		}
	case *Window:
		k.Total += k.Rows * conditionCost * float64(1+len(n.Calls))
	case *NestedLoop:
		return joinCost(kids, n.On, n.Kind, n.Lateral)
	case *HashJoin:
		rows := math.Max(kids[0].Rows, kids[1].Rows)
		sum.Startup += kids[1].Total
		sum.Total += (kids[0].Rows + kids[1].Rows) * conditionCost
		sum.Rows = rows
		return sum
	case *SetOp:
		sum.Rows = kids[0].Rows + kids[1].Rows
		return sum
	case *RecursiveUnion:
		sum.Total = kids[0].Total + 10*kids[1].Total
		sum.Rows = kids[0].Rows + 10*kids[1].Rows
		return sum
	case *Insert, *Update, *Delete:
		if len(n.Columns()) == 0 {
			k.Rows = 0
		}
	}
	return k
}

func joinCost(kids []Cost, on expr.Expr, kind JoinKind, lateral bool) Cost {
	l, r := kids[0], kids[1]
	k := Cost{Startup: l.Startup + r.Startup, Rows: l.Rows * r.Rows}
	again := r.Total
	if !lateral { // the right side is kept and read again
		again = r.Rows * conditionCost
	}
	k.Total = l.Total + r.Total + math.Max(0, l.Rows-1)*again
	k = filtered(k, on)
	switch kind {
	case LeftJoin, FullJoin:
		k.Rows = math.Max(k.Rows, l.Rows)
	case SemiJoin, AntiJoin:
		k.Rows = math.Min(k.Rows, l.Rows)
	}
	return k
}

// constant is a count that is known while explaining.
func (c *costing) constant(e expr.Expr) (float64, bool) {
	if e == nil {
		return 0, false
	}
	v, ok := known(e, c.ec)
	if !ok || v.IsNull() {
		return 0, false
	}
	return float64(v.Int()), true
}

// spatial costs a scan by the cells it would read.
func (c *costing) spatial(n *SpatialScan) Cost {
	rows := c.relationRows(n.Rel.ID)
	scan := filtered(Cost{Total: rows * rowCost, Rows: math.Max(1, rows*equalityShare)}, n.Filter)
	d, ok := decide(n, c.ec, c.states)
	if !ok || d.NotUsed != nil {
		return scan
	}
	if n.Kind == KnnScan {
		k := Cost{Rows: math.Min(rows, 100)}
		if d.Count < math.MaxInt64 {
			k.Rows = math.Min(k.Rows, float64(d.Count))
		}
		k.Total = k.Rows * 10 * rowCost
		return filtered(k, n.Filter)
	}
	visited := VisitedKeys(d.Cover, d.State.Rows)
	k := Cost{Total: visited * rowCost, Rows: math.Max(1, population(d.Cover.AreaKm2, d.State.Rows))}
	if n.NeedRow {
		k.Total += k.Rows * lookupRowCost
	}
	return filtered(k, n.Filter)
}

// known evaluates an expression that depends on nothing but constants and bound
// parameters; ok is false for anything else.
func known(e expr.Expr, ec *expr.Ctx) (types.Datum, bool) {
	if ec == nil || ec.Ctx == nil || !knowable(e, ec) {
		return types.Null, false
	}
	v, err := e.Eval(ec, nil)
	return v, err == nil
}

func knowable(e expr.Expr, ec *expr.Ctx) bool {
	if e == nil {
		return true
	}
	return !expr.Any(e, func(e expr.Expr) bool {
		switch e := e.(type) {
		case *expr.Column, *expr.Outer, *expr.Subquery:
			return true
		case *expr.Param:
			return e.N > len(ec.Params)
		}
		return false
	})
}

// decide is Decide for EXPLAIN: ok is false when the scan's constants are not known yet.
func decide(n *SpatialScan, ec *expr.Ctx, states IndexStates) (Decision, bool) {
	if ec == nil || ec.Ctx == nil || states == nil || !knowable(n.Center, ec) || !knowable(n.RadiusM, ec) || !knowable(n.Count, ec) {
		return Decision{}, false
	}
	d, err := n.Decide(ec, states)
	return d, err == nil
}
