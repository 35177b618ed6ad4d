package planner

import (
	"raisind/pgerr"
	"raisind/sql/expr"
	"raisind/sql/plan"
	"raisind/sql/types"
)

// virtualView puts the query of a view of the server's own in its place. Names in it
// mean what they mean in pg_catalog, whatever the session's path.
func (b *builder) virtualView(r *rel, schema string, v *plan.VirtualScan) error {
	sel, text, err := v.Query()
	if err != nil {
		return pgerr.Wrap(err, pgerr.InternalError, "view %q of the catalog", schema+"."+v.Name)
	}
	opt := b.opt
	b.opt.SearchPath, b.opt.SQL = []string{"pg_catalog"}, text
	q, err := b.selectQuery(sel, nil, queryUse{})
	if err == nil {
		err = b.viewColumns(q, v)
	}
	b.opt = opt
	if err != nil {
		e := *pgerr.From(err)
		e.Pos = 0 // it counts in the view's text
		return &e
	}
	r.kind, r.sub, r.schema = relDerived, q, schema
	for i, c := range q.columns() {
		c.name = v.Cols[i].Name
		c.typmod, c.oid, c.attnum = v.Cols[i].Typmod, v.Cols[i].TableOID, v.Cols[i].AttNum
		r.cols = append(r.cols, c)
	}
	return nil
}

// viewColumns makes the query's columns the view's.
func (b *builder) viewColumns(q *query, v *plan.VirtualScan) error {
	if len(q.columns()) != len(v.Cols) {
		return pgerr.New(pgerr.InternalError, "view %q of the catalog has %d columns instead of %d", v.Name, len(q.columns()), len(v.Cols))
	}
	for i, c := range v.Cols {
		switch {
		case q.outputType(i) == c.Type:
		case q.kind == plainQuery && q.post == nil:
			e, ok, err := b.coerce(q.targets[i].e, c.Type, -1, types.Explicit, -1)
			if err != nil {
				return err
			}
			if !ok {
				return pgerr.New(pgerr.InternalError, "column %q of view %q of the catalog cannot be %s", c.Name, v.Name, c.Type)
			}
			q.targets[i].e = e
		default:
			if err := b.coerceOutput(q, i, c.Type, "view"); err != nil {
				return err
			}
		}
	}
	return nil
}

// virtualKey picks a condition that gives a column of r one value while it is scanned,
// which the relation may know how to find.
func virtualKey(r *rel, conds []expr.Expr) (column int, value expr.Expr) {
	best := 0
	for _, e := range conds {
		c, ok := e.(*expr.Call)
		if !ok || len(c.Args) != 2 || c.Fn.Func == nil || c.Fn.Func.Operator != "=" {
			continue
		}
		for i := range c.Args {
			v, x := columnOf(c.Args[i]), c.Args[1-i]
			if v == nil || v.rel != r || relsOf(x, r.q).overlaps(r.set()) || volatile(x) || hasSubquery(x) || hasGroupValue(x) {
				continue
			}
			if rank := keyRank(r.cols[v.col].t, x.Type()); rank > best {
				best, column, value = rank, v.col, x
			}
		}
	}
	return column, value
}

// columnOf is the column that e is, seen through casts that keep the value.
func columnOf(e expr.Expr) *variable {
	for {
		switch x := e.(type) {
		case *variable:
			return x
		case *expr.Cast:
			if x.Fn != nil && !x.Fn.Binary || x.Typmod >= 0 {
				return nil
			}
			e = x.Arg
		default:
			return nil
		}
	}
}

// keyRank tells how selective equality of a column of type t with a value of type
// other is likely to be, 0 when equal values are not held alike.
func keyRank(t, other *types.Type) int {
	switch {
	case isOID(t) && isOID(other):
		return 3
	case isString(t) && isString(other):
		return 2
	case isInteger(t) && isInteger(other):
		return 1
	}
	return 0
}

func isOID(t *types.Type) bool {
	switch t {
	case types.TOID, types.TRegclass, types.TRegtype, types.TRegproc, types.TRegprocedure, types.TRegnamespace, types.TRegrole,
		types.TRegoper, types.TRegoperator, types.TRegcollation:
		return true
	}
	return false
}

func isString(t *types.Type) bool {
	return t == types.TName || t == types.TText || t == types.TVarchar
}
