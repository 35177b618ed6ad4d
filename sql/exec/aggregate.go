package exec

import (
	"slices"

	"raisind/sql/expr"
	"raisind/sql/funcs"
	"raisind/sql/plan"
	"raisind/sql/types"
)

// aggregate groups its input in memory and yields the groups in the order they were
// first met, one grouping set after the other.
type aggregate struct {
	q     *Query
	n     *plan.Aggregate
	ec    *expr.Ctx
	src   iter
	sets  []groupSet
	arena arena
	row   types.Row
	keys  types.Row // of the current input row
	ready bool
	set   int // the next group to yield
	at    int
}

// groupSet are the groups of one grouping set.
type groupSet struct {
	keys   []int // the keys that count, as indexes
	in     []bool
	groups map[string]*group
	order  []*group
}

// group is one group with the states of its aggregates.
type group struct {
	keys types.Row
	aggs []aggState
}

// aggState is one aggregate of one group. Ordered ones see their arguments at the
// end only.
type aggState struct {
	state   funcs.AggState
	seen    map[string]struct{} // arguments fed, of DISTINCT
	waiting []sorted            // arguments not fed yet, of ORDER BY
}

func (q *Query) newAggregate(n *plan.Aggregate, ec *expr.Ctx) (iter, error) {
	src, err := q.build(n.Source, ec)
	if err != nil {
		return nil, err
	}
	a := &aggregate{q: q, n: n, ec: ec, src: src, arena: arena{q: q}, keys: make(types.Row, len(n.Keys))}
	a.row = make(types.Row, len(n.Keys)+len(n.Calls)+len(n.Grouping))
	sets := n.Sets
	if sets == nil {
		all := make([]int, len(n.Keys))
		for i := range all {
			all[i] = i
		}
		sets = [][]int{all}
	}
	for _, keys := range sets {
		s := groupSet{keys: keys, in: make([]bool, len(n.Keys)), groups: map[string]*group{}}
		for _, k := range keys {
			s.in[k] = true
		}
		a.sets = append(a.sets, s)
	}
	return a, nil
}

func (a *aggregate) next() (types.Row, error) {
	if !a.ready {
		if err := a.read(); err != nil {
			return nil, err
		}
		a.ready = true
		a.src.close()
	}
	for a.set < len(a.sets) && a.at == len(a.sets[a.set].order) {
		a.set, a.at = a.set+1, 0
	}
	if a.set == len(a.sets) {
		return nil, nil
	}
	s := &a.sets[a.set]
	g := s.order[a.at]
	a.at++
	return a.result(s, g)
}

// read feeds every input row to its groups.
func (a *aggregate) read() error {
	var key []byte
	args := make(types.Row, 0, 8)
	for {
		row, err := a.src.next()
		if err != nil {
			return err
		}
		if row == nil {
			break
		}
		if err := a.q.tick(); err != nil {
			return err
		}
		if err := evalAll(a.keys, a.n.Keys, a.ec, row); err != nil {
			return err
		}
		for i := range a.sets {
			s := &a.sets[i]
			key = key[:0]
			for _, k := range s.keys {
				key = appendValueKey(key, a.n.Keys[k].Type(), a.keys[k])
			}
			g := s.groups[string(key)]
			if g == nil {
				if g, err = a.newGroup(s, key); err != nil {
					return err
				}
			}
			for j := range a.n.Calls {
				if args, err = a.feed(&a.n.Calls[j], &g.aggs[j], row, args); err != nil {
					return err
				}
			}
		}
	}
	for i := range a.sets { // the group of everything exists without rows, too
		if s := &a.sets[i]; len(s.keys) == 0 && len(s.order) == 0 {
			if _, err := a.newGroup(s, nil); err != nil {
				return err
			}
		}
	}
	return nil
}

func (a *aggregate) newGroup(s *groupSet, key []byte) (*group, error) {
	keys := slices.Clone(a.keys)
	for k := range keys {
		if !s.in[k] {
			keys[k] = types.Null
		}
	}
	if err := a.q.hold(int64(len(key)) + 2*mapEntryBytes + int64(len(keys))*datumBytes + int64(len(a.n.Calls))*128); err != nil {
		return nil, err
	}
	g := &group{keys: keys, aggs: make([]aggState, len(a.n.Calls))}
	for i := range a.n.Calls {
		c := &a.n.Calls[i]
		argTypes := make([]*types.Type, len(c.Args))
		for j, e := range c.Args {
			argTypes[j] = e.Type()
		}
		g.aggs[i].state = c.Fn.New(argTypes)
		if c.Distinct {
			g.aggs[i].seen = map[string]struct{}{}
		}
	}
	s.groups[string(key)] = g
	s.order = append(s.order, g)
	return g, nil
}

// feed gives one input row to one aggregate.
func (a *aggregate) feed(c *plan.AggCall, st *aggState, row, args types.Row) (types.Row, error) {
	if c.Filter != nil {
		if ok, err := expr.EvalBool(c.Filter, a.ec, row); !ok {
			return args, err
		}
	}
	args = args[:0]
	for _, e := range c.Args {
		v, err := e.Eval(a.ec, row)
		if err != nil {
			return args, err
		}
		if c.Fn.Strict && v.IsNull() {
			return args, nil
		}
		args = append(args, v)
	}
	if st.seen != nil {
		var key []byte
		for i, e := range c.Args {
			key = appendValueKey(key, e.Type(), args[i])
		}
		if fresh, err := a.q.addKey(st.seen, key); !fresh {
			return args, err
		}
	}
	if len(c.OrderBy) == 0 {
		return args, st.state.Add(a.ec.Ctx, args)
	}
	w := sorted{seq: len(st.waiting), keys: make(types.Row, len(c.OrderBy))}
	if err := evalKeys(w.keys, c.OrderBy, a.ec, row); err != nil {
		return args, err
	}
	var err error
	if w.row, err = a.arena.keep(args); err != nil {
		return args, err
	}
	st.waiting = append(st.waiting, w)
	return args, a.q.hold(int64(len(w.keys))*datumBytes + 64)
}

// result makes the output row of a group.
func (a *aggregate) result(s *groupSet, g *group) (types.Row, error) {
	n := copy(a.row, g.keys)
	for i := range g.aggs {
		st := &g.aggs[i]
		if order := a.n.Calls[i].OrderBy; len(order) > 0 {
			slices.SortStableFunc(st.waiting, func(x, y sorted) int { return compareKeys(order, x.keys, y.keys) })
			for _, w := range st.waiting {
				if err := st.state.Add(a.ec.Ctx, w.row); err != nil {
					return nil, err
				}
			}
			st.waiting = nil
		}
		v, err := st.state.Result(a.ec.Ctx)
		if err != nil {
			return nil, err
		}
		a.row[n] = v
		n++
	}
	for _, keys := range a.n.Grouping {
		// GROUPING(a, b): one bit an argument, the last lowest, set when it is not grouped by.
		var bits int64
		for _, k := range keys {
			bits <<= 1
			if !s.in[k] {
				bits |= 1
			}
		}
		a.row[n] = types.Int(bits)
		n++
	}
	return a.row, nil
}

func (a *aggregate) close() { a.src.close() }
