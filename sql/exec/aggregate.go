package exec

import (
	"bytes"
	"slices"

	"raisind/sql/expr"
	"raisind/sql/funcs"
	"raisind/sql/plan"
	"raisind/sql/types"
)

// aggregate groups its input in memory and yields the groups in the order they were
// first met, one grouping set after the other. When memory is full, rows of groups it
// does not know are put aside on disk, split by their keys; each part is then grouped
// by itself, after the groups in memory were yielded.
type aggregate struct {
	q      *Query
	n      *plan.Aggregate
	ec     *expr.Ctx
	src    iter
	stats  *plan.Stats
	sets   []groupSet
	acc    account
	file   *spillFile
	wait   []waitingGroups
	row    types.Row
	keys   types.Row        // of the current input row
	orders [][]plan.SortKey // for each call what its arguments are sorted by
	ready  bool
	order  types.Row // scratch
	set    int       // the next group to yield
	at     int
}

// groupSet are the groups of one grouping set.
type groupSet struct {
	keys   []int // the keys that count, as indexes
	in     []bool
	groups map[string]*group
	order  []*group
	level  int
	aside  *partitions // input rows of other groups
}

// waitingGroups are rows of one grouping set put aside.
type waitingGroups struct {
	waitingTape
	set *groupSet
}

// group is one group with the states of its aggregates.
type group struct {
	keys types.Row
	aggs []aggState
}

// aggState is one aggregate of one group. Those of ORDER BY and DISTINCT see their
// arguments at the end only, sorted; DISTINCT alone sorts by the arguments.
type aggState struct {
	state   funcs.AggState
	seen    map[string]struct{} // arguments taken, of DISTINCT, while memory has room for them
	waiting *sorter             // arguments not fed yet
}

func (q *Query) newAggregate(n *plan.Aggregate, ec *expr.Ctx) (iter, error) {
	src, err := q.build(n.Source, ec)
	if err != nil {
		return nil, err
	}
	a := &aggregate{q: q, n: n, ec: ec, src: src, stats: q.stat(n), acc: q.hashMemory(), keys: make(types.Row, len(n.Keys))}
	a.orders = make([][]plan.SortKey, len(n.Calls))
	for i := range n.Calls {
		a.orders[i] = feedingOrder(&n.Calls[i])
	}
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

// feedingOrder is the order in which an aggregate sees its arguments, nil for any.
func feedingOrder(c *plan.AggCall) []plan.SortKey {
	order := c.OrderBy
	if c.Distinct {
		order = slices.Clone(order)
		for _, e := range c.Args {
			if e.Type().Comparable() && !slices.ContainsFunc(order, func(k plan.SortKey) bool { return expr.Equal(k.Expr, e) }) {
				order = append(order, plan.SortKey{Expr: e})
			}
		}
	}
	return order
}

func (a *aggregate) next() (types.Row, error) {
	if !a.ready {
		if err := a.read(); err != nil {
			return nil, err
		}
		a.ready = true
		a.src.close()
	}
	for {
		for a.set < len(a.sets) && a.at == len(a.sets[a.set].order) {
			a.set, a.at = a.set+1, 0
		}
		if a.set < len(a.sets) {
			break
		}
		if len(a.wait) == 0 {
			return nil, nil
		}
		if err := a.readAside(); err != nil {
			return nil, err
		}
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
				if len(s.keys) > 0 && len(s.order) > 0 && a.acc.full() {
					if err := a.putAside(s, key, row); err != nil {
						return err
					}
					continue
				}
				if g, err = a.newGroup(s, key); err != nil {
					return err
				}
			}
			for j := range a.n.Calls {
				if args, err = a.feed(j, &g.aggs[j], row, args); err != nil {
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
	return a.endOfInput()
}

func (a *aggregate) putAside(s *groupSet, key []byte, row types.Row) error {
	if s.aside == nil {
		s.aside = &partitions{level: s.level}
	}
	return s.aside.add(a.spillTo(), s.aside.of(key), row)
}

func (a *aggregate) spillTo() *spillFile {
	if a.file == nil {
		a.file = a.q.newSpillFile()
	}
	return a.file
}

// endOfInput lists what was put aside.
func (a *aggregate) endOfInput() error {
	for i := range a.sets {
		s := &a.sets[i]
		if s.aside == nil {
			continue
		}
		for _, t := range s.aside.tapes {
			if t == nil {
				continue
			}
			if err := t.flush(); err != nil {
				return err
			}
			t.buf = nil
			a.wait = append(a.wait, waitingGroups{waitingTape{t, s.level + 1}, s})
		}
		s.aside = nil
	}
	if len(a.n.Keys) > 0 {
		a.stats.Batches++
		a.stats.HashBytes = max(a.stats.HashBytes, a.acc.peak)
		if a.file != nil {
			a.stats.HashDiskBytes = max(a.stats.HashDiskBytes, a.file.size)
		}
	}
	return nil
}

// readAside groups the next part of what was put aside.
func (a *aggregate) readAside() error {
	w := a.wait[len(a.wait)-1]
	a.wait = a.wait[:len(a.wait)-1]
	a.acc.release()
	a.sets = []groupSet{{keys: w.set.keys, in: w.set.in, groups: map[string]*group{}, level: w.level}}
	a.set, a.at, a.src = 0, 0, w.t.reader()
	return a.read()
}

func (a *aggregate) newGroup(s *groupSet, key []byte) (*group, error) {
	keys := slices.Clone(a.keys)
	for k := range keys {
		if !s.in[k] {
			keys[k] = types.Null
		}
	}
	if err := a.acc.take(int64(len(key)) + 2*mapEntryBytes + rowBytes(keys) + int64(len(a.n.Calls))*128); err != nil {
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
		if order := a.orders[i]; len(order) > 0 {
			w := a.q.newSorter(order)
			w.acc.parent, w.spillTo = &a.acc, a.spillTo
			g.aggs[i].waiting = w
		}
	}
	s.groups[string(key)] = g
	s.order = append(s.order, g)
	return g, nil
}

// feed gives one input row to one aggregate.
func (a *aggregate) feed(call int, st *aggState, row, args types.Row) (types.Row, error) {
	c, order := &a.n.Calls[call], a.orders[call]
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
		if _, ok := st.seen[string(key)]; ok {
			return args, nil
		}
		if err := a.acc.take(int64(len(key)) + mapEntryBytes); err != nil {
			return args, err
		}
		st.seen[string(key)] = struct{}{}
		if len(order) > 0 && sortable(c) && (a.acc.full() || int64(len(st.seen))*mapEntryBytes > a.acc.limit/4) {
			st.seen = nil // equal arguments meet when they are sorted
		}
	}
	if len(order) == 0 {
		return args, st.state.Add(a.ec.Ctx, args)
	}
	a.order = append(a.order[:0], make(types.Row, len(order))...)
	if err := evalKeys(a.order, order, a.ec, row); err != nil {
		return args, err
	}
	return args, st.waiting.add(a.order, args)
}

// sortable reports whether equal arguments of a call are next to each other once sorted.
func sortable(c *plan.AggCall) bool {
	return !slices.ContainsFunc(c.Args, func(e expr.Expr) bool { return !e.Type().Comparable() })
}

// feedSorted gives an aggregate its arguments in their order.
func (a *aggregate) feedSorted(c *plan.AggCall, st *aggState) error {
	w := st.waiting
	var last, key []byte
	for first := true; ; {
		_, args, err := w.next()
		if err != nil {
			return err
		}
		if args == nil {
			break
		}
		if err := a.q.tick(); err != nil {
			return err
		}
		if c.Distinct {
			key = key[:0]
			for i, e := range c.Args {
				key = appendValueKey(key, e.Type(), args[i])
			}
			if !first && bytes.Equal(key, last) {
				continue
			}
			first, last = false, append(last[:0], key...)
		}
		if err := st.state.Add(a.ec.Ctx, args); err != nil {
			return err
		}
	}
	w.forget()
	st.waiting, st.seen = nil, nil
	return nil
}

// result makes the output row of a group.
func (a *aggregate) result(s *groupSet, g *group) (types.Row, error) {
	n := copy(a.row, g.keys)
	for i := range g.aggs {
		st := &g.aggs[i]
		if st.waiting != nil {
			if err := a.feedSorted(&a.n.Calls[i], st); err != nil {
				return nil, err
			}
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

func (a *aggregate) close() {
	a.src.close()
	a.acc.release()
	a.sets, a.wait, a.set, a.ready = nil, nil, 0, true
	if a.file != nil {
		a.file.close()
	}
}
