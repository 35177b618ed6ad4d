package exec

import (
	"raisind/sql/expr"
	"raisind/sql/funcs"
	"raisind/sql/plan"
	"raisind/sql/types"
)

// project computes expressions over each row of its source.
type project struct {
	n   *plan.Project
	ec  *expr.Ctx
	src iter
	row types.Row
}

func (q *Query) newProject(n *plan.Project, ec *expr.Ctx) (iter, error) {
	src, err := q.build(n.Source, ec)
	if err != nil {
		return nil, err
	}
	return &project{n: n, ec: ec, src: src, row: make(types.Row, len(n.Exprs))}, nil
}

func (p *project) next() (types.Row, error) {
	in, err := p.src.next()
	if err != nil || in == nil {
		return nil, err
	}
	if err := evalAll(p.row, p.n.Exprs, p.ec, in); err != nil {
		return nil, err
	}
	return p.row, nil
}

func (p *project) close() { p.src.close() }

// filter passes rows on for which a condition is true.
type filter struct {
	q     *Query
	n     *plan.Filter
	ec    *expr.Ctx
	src   iter
	stats *plan.Stats
}

func (q *Query) newFilter(n *plan.Filter, ec *expr.Ctx) (iter, error) {
	src, err := q.build(n.Source, ec)
	if err != nil {
		return nil, err
	}
	return &filter{q: q, n: n, ec: ec, src: src, stats: q.stat(n)}, nil
}

func (f *filter) next() (types.Row, error) {
	for {
		row, err := f.src.next()
		if err != nil || row == nil {
			return nil, err
		}
		if err := f.q.tick(); err != nil {
			return nil, err
		}
		ok, err := expr.EvalBool(f.n.Cond, f.ec, row)
		if err != nil {
			return nil, err
		}
		if ok {
			return row, nil
		}
		f.stats.RemovedByFilter++
	}
}

func (f *filter) close() { f.src.close() }

// projectSet is a project of which some items yield sets. The sets of one source
// row advance together; those that end first give NULL, and a row for which all are
// empty yields nothing.
type projectSet struct {
	q     *Query
	n     *plan.ProjectSet
	ec    *expr.Ctx
	src   iter
	row   types.Row
	sets  []funcs.RowSource // by item; nil for scalars and for sets that have ended
	begun bool
	args  types.Row
}

func (q *Query) newProjectSet(n *plan.ProjectSet, ec *expr.Ctx) (iter, error) {
	src, err := q.build(n.Source, ec)
	if err != nil {
		return nil, err
	}
	return &projectSet{q: q, n: n, ec: ec, src: src, row: make(types.Row, len(n.Items)), sets: make([]funcs.RowSource, len(n.Items))}, nil
}

func (p *projectSet) next() (types.Row, error) {
	for {
		if err := p.q.tick(); err != nil {
			return nil, err
		}
		if !p.begun {
			in, err := p.src.next()
			if err != nil || in == nil {
				return nil, err
			}
			if err := p.begin(in); err != nil {
				return nil, err
			}
			p.begun = true
		}
		any, err := p.advance()
		if err != nil {
			return nil, err
		}
		if any {
			return p.row, nil
		}
		p.begun = false
	}
}

// begin evaluates the scalars and opens the sets for a row.
func (p *projectSet) begin(in types.Row) error {
	for i := range p.n.Items {
		item := &p.n.Items[i]
		if item.Set == nil {
			var err error
			if p.row[i], err = item.Expr.Eval(p.ec, in); err != nil {
				return err
			}
			continue
		}
		var err error
		if p.sets[i], p.args, err = openSet(item.Set, item.Args, p.ec, in, p.args); err != nil {
			return err
		}
	}
	return nil
}

// advance moves every set on; any is false when none had a row left.
func (p *projectSet) advance() (any bool, err error) {
	for i := range p.n.Items {
		item := &p.n.Items[i]
		if item.Set == nil {
			continue
		}
		p.row[i] = types.Null
		if p.sets[i] == nil {
			continue
		}
		row, ok, err := p.sets[i].Next()
		if err != nil {
			return false, err
		}
		if !ok {
			p.sets[i] = nil
			continue
		}
		any = true
		if len(item.Set.Columns) > 1 {
			p.row[i] = recordOf(item.Set, row)
		} else {
			p.row[i] = row[0]
		}
	}
	return any, nil
}

// recordOf is a row of a set-returning function used as one value.
func recordOf(fn *funcs.Overload, row types.Row) types.Datum {
	rec := &types.Record{Fields: append(types.Row(nil), row...)}
	for _, c := range fn.Columns {
		rec.Names = append(rec.Names, c.Name)
		rec.Types = append(rec.Types, c.Type)
	}
	return types.Ref(rec)
}

// openSet calls a set-returning function; a nil source has no rows. args is memory
// for the arguments, returned for the next call.
func openSet(fn *funcs.Overload, exprs []expr.Expr, ec *expr.Ctx, row types.Row, args types.Row) (funcs.RowSource, types.Row, error) {
	args = append(args[:0], make(types.Row, len(exprs))...)
	if err := evalAll(args, exprs, ec, row); err != nil {
		return nil, args, err
	}
	if fn.Func == nil || fn.Func.Nulls == funcs.NullOnNull {
		for _, a := range args {
			if a.IsNull() {
				return nil, args, nil
			}
		}
	}
	src, err := fn.Set(ec.Ctx, args)
	return src, args, err
}

func (p *projectSet) close() { p.src.close() }
