package exec

import (
	"raisind/sql/expr"
	"raisind/sql/funcs"
	"raisind/sql/plan"
	"raisind/sql/types"
)

// funcScan reads a set-returning function, or a scalar one as a single row.
type funcScan struct {
	q     *Query
	n     *plan.FuncScan
	ec    *expr.Ctx
	src   funcs.RowSource
	begun bool
	count int64
	row   types.Row // the source's row with the ordinal behind it
}

func (q *Query) newFuncScan(n *plan.FuncScan, ec *expr.Ctx) (iter, error) {
	return &funcScan{q: q, n: n, ec: ec}, nil
}

func (f *funcScan) next() (types.Row, error) {
	if err := f.q.tick(); err != nil {
		return nil, err
	}
	row, err := f.fetch()
	if err != nil || row == nil || !f.n.Ordinality {
		return row, err
	}
	f.count++
	f.row = append(append(f.row[:0], row...), types.Int(f.count))
	return f.row, nil
}

func (f *funcScan) fetch() (types.Row, error) {
	if !f.begun {
		f.begun = true
		if f.n.Scalar != nil {
			v, err := f.n.Scalar.Eval(f.ec, nil)
			if err != nil {
				return nil, err
			}
			if f.width() <= 1 {
				return types.Row{v}, nil
			}
			if rec, ok := v.Ref().(*types.Record); ok {
				return rec.Fields, nil
			}
			return make(types.Row, f.width()), nil // a NULL record is a row of NULLs
		}
		var err error
		if f.src, _, err = openSet(f.n.Fn, f.n.Args, f.ec, nil, nil); err != nil {
			return nil, err
		}
	}
	if f.src == nil {
		return nil, nil
	}
	row, ok, err := f.src.Next()
	if err != nil || !ok {
		f.src = nil
		return nil, err
	}
	return row, nil
}

// width is how many columns come from the function.
func (f *funcScan) width() int {
	if f.n.Ordinality {
		return len(f.n.Cols) - 1
	}
	return len(f.n.Cols)
}

func (f *funcScan) close() {}

// virtualScan reads rows the server makes up.
type virtualScan struct {
	q     *Query
	n     *plan.VirtualScan
	ec    *expr.Ctx
	src   funcs.RowSource
	stats *plan.Stats
}

func (q *Query) newVirtualScan(n *plan.VirtualScan, ec *expr.Ctx) (iter, error) {
	return &virtualScan{q: q, n: n, ec: ec, stats: q.stat(n)}, nil
}

func (v *virtualScan) next() (types.Row, error) {
	if v.src == nil {
		var err error
		if v.src, err = v.n.Rows(v.ec.Ctx); err != nil {
			return nil, err
		}
		if err := v.narrow(); err != nil {
			return nil, err
		}
	}
	for {
		if err := v.q.tick(); err != nil {
			return nil, err
		}
		row, ok, err := v.src.Next()
		if err != nil || !ok {
			return nil, err
		}
		if v.n.Filter != nil {
			pass, err := expr.EvalBool(v.n.Filter, v.ec, row)
			if err != nil {
				return nil, err
			}
			if !pass {
				v.stats.RemovedByFilter++
				continue
			}
		}
		return row, nil
	}
}

// narrow lets the source leave out what cannot pass the filter.
func (v *virtualScan) narrow() error {
	n, ok := v.src.(plan.Narrower)
	if !ok || v.n.Key == nil {
		return nil
	}
	value, err := v.n.Key.Eval(v.ec, nil)
	if err != nil {
		return err
	}
	if !value.IsNull() {
		n.Only(v.n.KeyColumn, value)
	}
	return nil
}

func (v *virtualScan) close() {}
