package exec

import (
	"raisind/sql/expr"
	"raisind/sql/plan"
	"raisind/sql/types"
)

// subplan is a subquery of an expression. The rows of one that does not depend on
// the outer row are kept; any other runs anew each time.
type subplan struct {
	kept *spool
	// ec is what a correlated subquery is evaluated in; busy while it runs.
	ec   *expr.Ctx
	busy bool
}

// Scan implements expr.SubplanRunner.
func (q *Query) Scan(ec *expr.Ctx, id int, outer types.Row, fn func(types.Row) (bool, error)) error {
	if q.subplans == nil {
		q.subplans = make([]subplan, len(q.st.Subplans))
	}
	s, sp := &q.subplans[id], &q.st.Subplans[id]
	if sp.Correlated {
		return q.scanCorrelated(ec, s, sp.Root, outer, fn)
	}
	if s.kept == nil {
		s.kept = q.newSpool(sp.Root, q.inside(ec, nil, outer))
	}
	for r := s.kept.reader(); ; {
		row, err := r.next()
		if err != nil || row == nil {
			return err
		}
		if more, err := fn(row); err != nil || !more {
			return err
		}
	}
}

// inside makes what a subquery's expressions are evaluated in: outer is their
// nearest outer row. in is reused when given.
func (q *Query) inside(ec, in *expr.Ctx, outer types.Row) *expr.Ctx {
	if in == nil {
		in = &expr.Ctx{Ctx: ec.Ctx, Params: ec.Params, Subplans: ec.Subplans}
	}
	in.Outer = append(append(in.Outer[:0], ec.Outer...), outer)
	return in
}

func (q *Query) scanCorrelated(ec *expr.Ctx, s *subplan, root plan.Node, outer types.Row, fn func(types.Row) (bool, error)) error {
	var in *expr.Ctx
	if !s.busy {
		s.busy = true
		defer func() { s.busy = false }()
		s.ec = q.inside(ec, s.ec, outer)
		in = s.ec
	} else {
		in = q.inside(ec, nil, outer)
	}
	it, err := q.build(root, in)
	if err != nil {
		return err
	}
	defer it.close()
	for {
		if err := q.tick(); err != nil {
			return err
		}
		row, err := it.next()
		if err != nil || row == nil {
			return err
		}
		if more, err := fn(row); err != nil || !more {
			return err
		}
	}
}
