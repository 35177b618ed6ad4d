package exec

import (
	"slices"

	"raisind/sql/expr"
	"raisind/sql/funcs"
	"raisind/sql/plan"
	"raisind/sql/types"
)

// windowAgg computes an aggregate over the frame of one row after the other. What a
// frame has in common with the one before is not added again where the frame only
// grows, or where the aggregate can take rows back.
type windowAgg struct {
	p     *partition
	c     *plan.WindowCall
	types []*types.Type
	args  types.Row
	state funcs.AggState
	back  funcs.Retractor // state, when it can take rows back
	frame []funcs.Span    // what state holds
	last  types.Datum
	fresh bool // last is the state's result
}

func newWindowAgg(p *partition, c *plan.WindowCall) *windowAgg {
	a := &windowAgg{p: p, c: c, args: make(types.Row, len(c.Args))}
	for _, e := range c.Args {
		a.types = append(a.types, e.Type())
	}
	return a
}

func (a *windowAgg) value(row int) (types.Datum, error) {
	frame, err := a.p.Frame(row)
	if err != nil {
		return types.Null, err
	}
	if a.state == nil || !slices.Equal(frame, a.frame) {
		if err := a.move(frame); err != nil {
			return types.Null, err
		}
		a.frame, a.fresh = append(a.frame[:0], frame...), false
	}
	if !a.fresh {
		if a.last, err = a.state.Result(a.p.w.ec.Ctx); err != nil {
			return types.Null, err
		}
		a.fresh = true
	}
	return a.last, nil
}

// move brings the state from its frame to another.
func (a *windowAgg) move(to []funcs.Span) error {
	if a.state != nil && len(a.frame) == 1 && len(to) == 1 {
		old, next := a.frame[0], to[0]
		if old.From == next.From && old.To <= next.To {
			return a.add(funcs.Span{From: old.To, To: next.To})
		}
		// A frame that moved by less than its length.
		if a.back != nil && old.From <= next.From && old.To <= next.To && next.From < old.To {
			ok, err := a.remove(funcs.Span{From: old.From, To: next.From})
			if err != nil {
				return err
			}
			if ok {
				return a.add(funcs.Span{From: old.To, To: next.To})
			}
		}
	}
	a.state = a.c.Agg.New(a.types)
	a.back, _ = a.state.(funcs.Retractor)
	for _, s := range to {
		if err := a.add(s); err != nil {
			return err
		}
	}
	return nil
}

// counts evaluates the arguments of a row; ok is false when it is left out.
func (a *windowAgg) counts(row int) (ok bool, err error) {
	w := a.p.w
	if err := w.q.tick(); err != nil {
		return false, err
	}
	if a.c.Filter != nil {
		if ok, err := expr.EvalBool(a.c.Filter, w.ec, a.p.rows[row]); !ok {
			return false, err
		}
	}
	for i, e := range a.c.Args {
		if a.args[i], err = e.Eval(w.ec, a.p.rows[row]); err != nil {
			return false, err
		}
		if a.c.Agg.Strict && a.args[i].IsNull() {
			return false, nil
		}
	}
	return true, nil
}

func (a *windowAgg) add(s funcs.Span) error {
	for row := s.From; row < s.To; row++ {
		ok, err := a.counts(row)
		if err != nil {
			return err
		}
		if ok {
			if err := a.state.Add(a.p.w.ec.Ctx, a.args); err != nil {
				return err
			}
		}
	}
	return nil
}

func (a *windowAgg) remove(s funcs.Span) (bool, error) {
	for row := s.From; row < s.To; row++ {
		ok, err := a.counts(row)
		if err != nil {
			return false, err
		}
		if !ok {
			continue
		}
		if ok, err = a.back.Remove(a.p.w.ec.Ctx, a.args); !ok || err != nil {
			return false, err
		}
	}
	return true, nil
}
