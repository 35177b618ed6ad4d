package planner

import (
	"slices"

	"raisind/pgerr"
	"raisind/sql/ast"
	"raisind/sql/expr"
	"raisind/sql/funcs"
	"raisind/sql/plan"
	"raisind/sql/types"
)

// windowDef is a window of a query: one of its WINDOW clause, or one written after
// OVER. It is bound after all clauses of the query.
type windowDef struct {
	src       *ast.Window
	partition []expr.Expr
	order     []orderKey
	frame     plan.Frame // its offsets not finished
	refs      []int      // numbers of the keys in the order they were first used, partition first
	bound     bool
}

// windowCall is a call of a window function, or of an aggregate OVER a window.
type windowCall struct {
	q      *query
	def    *windowDef
	fn     *funcs.WindowOverload
	agg    *funcs.AggOverload
	args   []expr.Expr
	filter expr.Expr
	t      *types.Type
	at     int
}

// Type implements expr.Expr.
func (w *windowCall) Type() *types.Type { return w.t }

// Eval implements expr.Expr.
func (w *windowCall) Eval(*expr.Ctx, types.Row) (types.Datum, error) { return unfinished() }

// Children implements expr.Parent: the arguments, the filter, and the window's keys.
func (w *windowCall) Children() []expr.Expr {
	out := slices.Clone(w.args)
	if w.filter != nil {
		out = append(out, w.filter)
	}
	out = append(out, w.def.partition...)
	for _, k := range w.def.order {
		out = append(out, k.e)
	}
	for _, e := range []expr.Expr{w.def.frame.StartOffset, w.def.frame.EndOffset} {
		if e != nil {
			out = append(out, e)
		}
	}
	return out
}

// WithChildren implements expr.Parent. The window stays as it is.
func (w *windowCall) WithChildren(c []expr.Expr) expr.Expr {
	n := *w
	n.args = c[:len(w.args)]
	if w.filter != nil {
		n.filter = c[len(w.args)]
	}
	return &n
}

// SameAs compares calls so that each is computed once.
func (w *windowCall) SameAs(e expr.Expr) bool {
	o, ok := e.(*windowCall)
	return ok && o.q == w.q && o.def == w.def && o.fn == w.fn && o.agg == w.agg && expr.Equal(o.filter, w.filter) &&
		slices.EqualFunc(o.args, w.args, expr.Equal)
}

func (w *windowCall) name() string {
	if w.agg != nil {
		return w.agg.Agg.Name
	}
	return w.fn.Window.Name
}

// findWindowCall finds a window function of q in e.
func findWindowCall(e expr.Expr, q *query) (at int, found bool) {
	expr.Walk(e, func(x expr.Expr) bool {
		if w, ok := x.(*windowCall); ok && w.q == q {
			at, found = w.at, true
		}
		if a, ok := x.(*aggregate); ok {
			for _, arg := range a.args {
				if p, ok := findWindowCall(arg, q); ok {
					at, found = p, true
				}
			}
		}
		return !found
	})
	return at, found
}

// overCall binds a call with OVER.
func (b *builder) overCall(f *ast.FuncCall, name string, s *scope) (expr.Expr, error) {
	aggs, windows := funcs.AggregatesByName(name), funcs.WindowsByName(name)
	args, err := b.callArguments(f, s)
	if err != nil {
		return nil, err
	}
	call := &windowCall{q: s.q, at: f.Pos()}
	switch {
	case len(f.Within) > 0 && (aggs != nil || hypothetical(name)):
		return nil, b.err(pgerr.FeatureNotSupported, f.Pos(), "OVER is not supported for ordered-set aggregate %s", name)
	case windows != nil:
		err = b.resolveWindow(f, windows, call, args)
	case aggs != nil:
		err = b.resolveOver(f, aggs, call, args)
	default:
		if len(funcs.ByName(name)) > 0 {
			if _, _, err := b.resolveCall(funcs.ByName(name), f, args); err != nil {
				return nil, err
			}
			return nil, b.err(pgerr.WrongObjectType, f.Pos(), "OVER specified, but %s is not a window function nor an aggregate function", name)
		}
		return nil, b.undefinedFunction(f, args)
	}
	if err != nil {
		return nil, err
	}
	return b.placeWindow(f, call, s)
}

// resolveOver picks the aggregate of a call with OVER.
func (b *builder) resolveOver(f *ast.FuncCall, aggs []*funcs.AggOverload, call *windowCall, args *callArgs) error {
	if len(f.Args) == 0 && !f.Star && hasArgs(aggs) {
		return b.err(pgerr.WrongObjectType, f.Pos(), "%s(*) must be used to call a parameterless aggregate function", dotted(f.Name))
	}
	agg := &aggregate{at: f.Pos()}
	if err := b.resolveAggregate(f, aggs, agg, args); err != nil {
		return err
	}
	call.agg, call.args, call.t = agg.fn, agg.args, agg.t
	switch {
	case f.Distinct:
		return b.err(pgerr.FeatureNotSupported, f.Pos(), "DISTINCT is not implemented for window functions")
	case len(f.OrderBy) > 0:
		return b.err(pgerr.FeatureNotSupported, f.Pos(), "aggregate ORDER BY is not implemented for window functions")
	}
	return nil
}

// resolveWindow picks the overload of a window function.
func (b *builder) resolveWindow(f *ast.FuncCall, overloads []*funcs.WindowOverload, call *windowCall, args *callArgs) error {
	ts := args.typeOf()
	var candidates []candidate
	for i, o := range overloads {
		c, ok := candidateFor(o.Args, false, 0, args, f.Variadic)
		if !ok {
			continue
		}
		c.index = i
		candidates = append(candidates, c)
	}
	c, ambiguous := pick(ts, candidates)
	switch {
	case ambiguous:
		return b.err(pgerr.AmbiguousFunction, f.Pos(), "function %s is not unique", signatureOf(dotted(f.Name), args)).
			WithHint("Could not choose a best candidate function. You might need to add explicit type casts.")
	case c == nil:
		return b.undefinedFunction(f, args)
	}
	o := overloads[c.index]
	name := o.Window.Name
	switch {
	case len(f.Within) > 0:
		return b.err(pgerr.WrongObjectType, f.Pos(), "window function %s cannot have WITHIN GROUP", name)
	case f.Over == nil:
		return b.err(pgerr.WrongObjectType, f.Pos(), "window function %s requires an OVER clause", name)
	}
	call.fn = o
	var err error
	if call.args, call.t, err = b.convertArgs(o.Args, nil, o.Result, nil, c, args, f.Pos()); err != nil {
		return err
	}
	switch {
	case f.Distinct:
		return b.err(pgerr.FeatureNotSupported, f.Pos(), "DISTINCT is not implemented for window functions")
	case len(f.OrderBy) > 0:
		return b.err(pgerr.FeatureNotSupported, f.Pos(), "aggregate ORDER BY is not implemented for window functions")
	case f.Filter != nil:
		return b.err(pgerr.FeatureNotSupported, f.Pos(), "FILTER is not implemented for non-aggregate window functions")
	}
	return nil
}

// placeWindow checks that a window function may stand where it does, and gives it
// its window.
func (b *builder) placeWindow(f *ast.FuncCall, call *windowCall, s *scope) (expr.Expr, error) {
	q := s.q
	switch {
	case s.inAggregate:
		return nil, b.err(pgerr.GroupingError, f.Pos(), "aggregate function calls cannot contain window function calls")
	case s.clause == inWindow || s.clause == inWindowRange || s.clause == inWindowRows || s.clause == inWindowGroups:
		return nil, b.err(pgerr.WindowingError, f.Pos(), "window functions are not allowed in window definitions")
	case q == nil || s.clause != inSelect && s.clause != inOrderBy && s.clause != inDistinctOn:
		return nil, b.err(pgerr.WindowingError, f.Pos(), "window functions are not allowed in %s", clauseWords[s.clause])
	}
	for _, a := range call.args {
		if at, found := findWindowCall(a, q); found {
			return nil, b.err(pgerr.WindowingError, at, "window function calls cannot be nested")
		}
		if x := findSetCall(a); x != nil {
			return nil, b.err(pgerr.FeatureNotSupported, x.at, "window function calls cannot contain set-returning function calls").
				WithHint("You might be able to move the set-returning function into a LATERAL FROM item.")
		}
	}
	if f.Filter != nil {
		inner := *s
		inner.clause = inFilter
		x, err := b.typed(f.Filter, &inner)
		if err != nil {
			return nil, err
		}
		if call.filter, err = b.toBool(x.e, "FILTER", x.at); err != nil {
			return nil, err
		}
	}
	var err error
	if call.def, err = b.windowOf(f.Over, q); err != nil {
		return nil, err
	}
	for _, c := range q.windowCalls {
		if c.SameAs(call) && !volatile(call.filter) && !slices.ContainsFunc(call.args, volatile) {
			return c, nil
		}
	}
	q.windowCalls = append(q.windowCalls, call)
	return call, nil
}

func findSetCall(e expr.Expr) (found *setCall) {
	expr.Walk(e, func(x expr.Expr) bool {
		if c, ok := x.(*setCall); ok {
			found = c
		}
		return found == nil
	})
	return found
}

// windowOf is the window that OVER means: one by name, one written the same before,
// or a new one.
func (b *builder) windowOf(w *ast.Window, q *query) (*windowDef, error) {
	if w.Name != "" {
		for _, d := range q.windows {
			if d.src.Name == w.Name {
				return d, nil
			}
		}
		return nil, b.err(pgerr.UndefinedObject, w.Pos(), "window %q does not exist", w.Name)
	}
	text := ast.Format(w)
	for _, d := range q.windows {
		if d.src.Name == "" && ast.Format(d.src) == text {
			return d, nil
		}
	}
	d := &windowDef{src: w}
	q.windows = append(q.windows, d)
	return d, nil
}

// declareWindows notes the WINDOW clause, to which the calls of the query refer.
func declareWindows(sel *ast.Select, q *query) {
	for _, w := range sel.Windows {
		q.windows = append(q.windows, &windowDef{src: w})
	}
}

// windowClause binds the windows of a query.
func (b *builder) windowClause(q *query, s *scope) error {
	var keys []expr.Expr // all that sort or group, numbered by first use
	number := func(e expr.Expr) int {
		for i, k := range keys {
			if expr.Equal(k, e) {
				return i
			}
		}
		keys = append(keys, e)
		return len(keys) - 1
	}
	if len(q.windows) > 0 {
		for _, k := range q.order {
			number(k.e)
		}
		for _, k := range q.keys {
			number(k)
		}
		for _, e := range q.distinctOn {
			number(e)
		}
	}
	for i, d := range q.windows {
		w := d.src
		if w.Name != "" {
			for _, o := range q.windows[:i] {
				if o.src.Name == w.Name {
					return b.err(pgerr.WindowingError, w.Pos(), "window %q is already defined", w.Name)
				}
			}
		}
		var base *windowDef
		if w.Base != "" {
			for _, o := range q.windows[:i] {
				if o.src.Name == w.Base {
					base = o
				}
			}
			if base == nil {
				return b.err(pgerr.UndefinedObject, w.Pos(), "window %q does not exist", w.Base)
			}
		}
		if err := b.bindWindow(d, base, s); err != nil {
			return err
		}
		var order []int
		for _, k := range d.order {
			order = append(order, number(k.e))
		}
		for _, e := range d.partition {
			d.refs = append(d.refs, number(e))
		}
		d.refs = append(d.refs, order...)
	}
	return nil
}

// bindWindow binds one window; base is the one it starts from.
func (b *builder) bindWindow(d, base *windowDef, s *scope) error {
	w := d.src
	s.clause = inWindow
	for i := range w.OrderBy {
		k, err := b.sortKey(&w.OrderBy[i], s, nil)
		if err != nil {
			return err
		}
		if !slices.ContainsFunc(d.order, func(o orderKey) bool { return expr.Equal(o.e, k.e) }) {
			d.order = append(d.order, k)
		}
	}
	for _, e := range w.PartitionBy {
		x, err := b.typed(e, s)
		if err != nil {
			return err
		}
		if x.e, err = b.toText(x.e, x.at); err != nil {
			return err
		}
		if !x.e.Type().Comparable() {
			return b.err(pgerr.UndefinedFunction, x.at, "could not identify an equality operator for type %s", x.e.Type())
		}
		if !slices.ContainsFunc(d.partition, func(o expr.Expr) bool { return expr.Equal(o, x.e) }) {
			d.partition = append(d.partition, x.e)
		}
	}
	if base != nil {
		if len(w.PartitionBy) > 0 {
			return b.err(pgerr.WindowingError, w.Pos(), "cannot override PARTITION BY clause of window %q", w.Base)
		}
		if len(w.OrderBy) > 0 && len(base.order) > 0 {
			return b.err(pgerr.WindowingError, w.Pos(), "cannot override ORDER BY clause of window %q", w.Base)
		}
		d.partition = base.partition
		if len(base.order) > 0 {
			d.order = base.order
		}
		if base.src.Frame != nil {
			e := b.err(pgerr.WindowingError, w.Pos(), "cannot copy window %q because it has a frame clause", w.Base)
			if w.Name != "" || len(w.OrderBy) > 0 || w.Frame != nil {
				return e
			}
			return e.WithHint("Omit the parentheses in this OVER clause.")
		}
	}
	d.frame = plan.Frame{End: ast.CurrentRow}
	if w.Frame == nil {
		d.bound = true
		return nil
	}
	d.frame.Mode, d.frame.Start, d.frame.End, d.frame.Exclude = w.Frame.Mode, w.Frame.Start.Kind, w.Frame.End.Kind, w.Frame.Exclude
	hasOffset := w.Frame.Start.Offset != nil || w.Frame.End.Offset != nil
	switch {
	case w.Frame.Mode == ast.FrameRange && hasOffset && len(d.order) != 1:
		return b.err(pgerr.WindowingError, w.Pos(), "RANGE with offset PRECEDING/FOLLOWING requires exactly one ORDER BY column")
	case w.Frame.Mode == ast.FrameGroups && len(d.order) == 0:
		return b.err(pgerr.WindowingError, w.Pos(), "GROUPS mode requires an ORDER BY clause")
	}
	var err error
	if d.frame.StartOffset, d.frame.StartRange, err = b.frameOffset(d, w.Frame.Start.Offset, s); err != nil {
		return err
	}
	d.frame.EndOffset, d.frame.EndRange, err = b.frameOffset(d, w.Frame.End.Offset, s)
	d.bound = err == nil
	return err
}

// frameOffset binds the offset of a bound.
func (b *builder) frameOffset(d *windowDef, e ast.Expr, s *scope) (expr.Expr, *funcs.InRange, error) {
	if e == nil {
		return nil, nil, nil
	}
	clauses := [...]clause{ast.FrameRange: inWindowRange, ast.FrameRows: inWindowRows, ast.FrameGroups: inWindowGroups}
	words := [...]string{ast.FrameRange: "RANGE", ast.FrameRows: "ROWS", ast.FrameGroups: "GROUPS"}
	word := words[d.frame.Mode]
	s.clause = clauses[d.frame.Mode]
	x, err := b.typed(e, s)
	if err != nil {
		return nil, nil, err
	}
	var in *funcs.InRange
	if d.frame.Mode == ast.FrameRange {
		if in, err = b.inRange(d.order[0].e.Type(), x); err != nil {
			return nil, nil, err
		}
		x.e, err = b.toCommon(x, in.Offset, word)
	} else {
		x.e, err = b.toType(x.e, types.TInt8, word, x.at)
	}
	if err != nil {
		return nil, nil, err
	}
	if usesQuery(x.e, s.q) {
		return nil, nil, b.err(pgerr.InvalidColumnReference, x.at, "argument of %s must not contain variables", word)
	}
	return x.e, in, nil
}

// inRange picks the support function of a RANGE offset.
func (b *builder) inRange(order *types.Type, x typed) (*funcs.InRange, error) {
	all := funcs.InRanges(order)
	if len(all) == 0 {
		return nil, b.err(pgerr.FeatureNotSupported, x.at, "RANGE with offset PRECEDING/FOLLOWING is not supported for column type %s", order)
	}
	t := x.e.Type()
	preferred := t
	if t == types.TUnknown {
		preferred = order
	}
	var found *funcs.InRange
	matches := 0
	for _, r := range all {
		if !canCoerce(t, r.Offset, types.Implicit) {
			continue
		}
		matches++
		if found == nil || found.Offset != preferred {
			found = r
		}
	}
	switch {
	case matches == 0:
		return nil, b.err(pgerr.FeatureNotSupported, x.at,
			"RANGE with offset PRECEDING/FOLLOWING is not supported for column type %s and offset type %s", order, t).
			WithHint("Cast the offset value to an appropriate type.")
	case matches > 1 && found.Offset != preferred:
		return nil, b.err(pgerr.FeatureNotSupported, x.at,
			"RANGE with offset PRECEDING/FOLLOWING has multiple interpretations for column type %s and offset type %s", order, t).
			WithHint("Cast the offset value to the exact intended type.")
	}
	return found, nil
}
