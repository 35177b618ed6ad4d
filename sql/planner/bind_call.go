package planner

import (
	"strings"

	"raisind/pgerr"
	"raisind/sql/ast"
	"raisind/sql/expr"
	"raisind/sql/funcs"
	"raisind/sql/types"
)

// maxCallArgs is PostgreSQL's limit of arguments.
const maxCallArgs = 100

// callArgs are the bound arguments of a call.
type callArgs struct {
	es    []expr.Expr
	ats   []int
	names []string // of named arguments, "" for the others; nil when none is named
	ts    []*types.Type
}

func (a *callArgs) typeOf() []*types.Type {
	if a.ts == nil {
		a.ts = make([]*types.Type, len(a.es))
		for i, e := range a.es {
			a.ts[i] = e.Type()
		}
	}
	return a.ts
}

// funcCall binds a call of a function or aggregate.
func (b *builder) funcCall(f *ast.FuncCall, s *scope) (expr.Expr, error) {
	name := f.Name[len(f.Name)-1]
	if len(f.Name) > 1 && !isSystemSchema(f.Name[len(f.Name)-2]) {
		if !b.schemaExists(f.Name[len(f.Name)-2]) {
			return nil, b.err(pgerr.InvalidSchemaName, f.Pos(), "schema %q does not exist", f.Name[len(f.Name)-2])
		}
		name = ""
	}
	if aggs := funcs.AggregatesByName(name); aggs != nil && f.Over == nil && !b.plainFunctionFits(f, name, s) {
		return b.aggregateCall(f, aggs, s)
	}
	args, err := b.callArguments(f, s)
	if err != nil {
		return nil, err
	}
	if err := b.plainCallOnly(f, name); err != nil {
		return nil, err
	}
	overloads := funcs.ByName(name)
	if len(args.es) == 1 && args.names == nil && !f.Variadic {
		if e, ok, err := b.castCall(overloads, f, name, args); ok || err != nil {
			return e, err
		}
	}
	if isSpatialName(name) {
		b.propertyArguments(overloads, args)
	}
	ov, cand, err := b.resolveCall(overloads, f, args)
	if err != nil {
		if len(args.es) == 1 && args.names == nil {
			if e, ferr := b.fieldOf(args.es[0], name, f.Pos()); ferr == nil {
				return e, nil // f(x) may mean x.f
			}
		}
		return nil, err
	}
	return b.makeCall(ov, cand, f, args, s)
}

// plainFunctionFits reports whether a name that aggregates and plain functions share,
// as ST_Collect is, means a plain function: it does when the arguments fit one.
func (b *builder) plainFunctionFits(f *ast.FuncCall, name string, s *scope) bool {
	overloads := funcs.ByName(name)
	if len(overloads) == 0 || f.Star || f.Distinct || len(f.Within) > 0 || len(f.OrderBy) > 0 || f.Filter != nil {
		return false
	}
	args, err := b.callArguments(f, s)
	if err != nil {
		return false // said again, and better, when the call is bound
	}
	_, _, err = b.resolveCall(overloads, f, args)
	return err == nil
}

// plainCallOnly refuses what only aggregates and window functions take.
func (b *builder) plainCallOnly(f *ast.FuncCall, name string) error {
	what := ""
	switch {
	case f.Over != nil:
		return b.notSupported(f.Pos(), "window function %s", name)
	case f.Star:
		return b.err(pgerr.WrongObjectType, f.Pos(), "%s(*) specified, but %s is not an aggregate function", dotted(f.Name), name)
	case f.Distinct:
		what = "DISTINCT"
	case len(f.Within) > 0:
		what = "WITHIN GROUP"
	case len(f.OrderBy) > 0:
		what = "ORDER BY"
	case f.Filter != nil:
		what = "FILTER"
	default:
		return nil
	}
	if len(funcs.ByName(name)) == 0 {
		return nil // that it does not exist is said later
	}
	return b.err(pgerr.WrongObjectType, f.Pos(), "%s specified, but %s is not an aggregate function", what, dotted(f.Name))
}

func (b *builder) callArguments(f *ast.FuncCall, s *scope) (*callArgs, error) {
	if len(f.Args) > maxCallArgs {
		return nil, b.err(pgerr.TooManyArguments, f.Pos(), "cannot pass more than %d arguments to a function", maxCallArgs)
	}
	args := &callArgs{es: make([]expr.Expr, 0, len(f.Args)), ats: make([]int, 0, len(f.Args))}
	for i, a := range f.Args {
		if ref, ok := a.(*ast.ColumnRef); ok && ref.Star && len(ref.Parts) > 0 {
			a = &ast.ColumnRef{At: ref.At, Parts: ref.Parts} // f(t.*) is f(t)
		}
		name := ""
		if n, ok := a.(*ast.NamedArg); ok {
			name, a = n.Name, n.Value
			if args.names == nil {
				args.names = make([]string, i)
			}
		} else if args.names != nil {
			return nil, b.err(pgerr.SyntaxError, location(a), "positional argument cannot follow named argument")
		}
		e, err := b.expr(a, s)
		if err != nil {
			return nil, err
		}
		args.es, args.ats = append(args.es, e), append(args.ats, location(a))
		if args.names != nil {
			args.names = append(args.names, name)
		}
	}
	return args, nil
}

// castCall binds t(x) where t is the name of a type and not of a function that
// takes an x: a cast in the spelling of a call.
func (b *builder) castCall(overloads []*funcs.Overload, f *ast.FuncCall, name string, args *callArgs) (expr.Expr, bool, error) {
	from := args.es[0].Type()
	for _, o := range overloads {
		if len(o.Args) == 1 && (o.Args[0].Type == from || o.Args[0].Type == types.TAny) {
			return nil, false, nil
		}
	}
	t, ok := types.ByName(name)
	if !ok || t.Name != name {
		return nil, false, nil
	}
	if from != types.TUnknown {
		if _, ok := castable(from, t, types.Explicit); !ok {
			return nil, false, nil
		}
	}
	e, err := b.cast(args.es[0], t, -1, args.ats[0], f.Pos())
	return e, true, err
}

// resolveCall picks the overload a call means.
func (b *builder) resolveCall(overloads []*funcs.Overload, f *ast.FuncCall, args *callArgs) (*funcs.Overload, *candidate, error) {
	ts := args.typeOf()
	var buf [8]candidate
	candidates := buf[:0]
	for i, o := range overloads {
		c, ok := candidateFor(o.Args, o.Variadic, len(o.Defaults), args, f.Variadic)
		if !ok {
			continue
		}
		c.index = i
		if c.defaults == 0 && c.variadic < 0 && c.exact(ts) {
			return o, &c, nil
		}
		candidates = append(candidates, c)
	}
	c, ambiguous := pick(ts, candidates)
	switch {
	case ambiguous:
		return nil, nil, b.err(pgerr.AmbiguousFunction, f.Pos(), "function %s is not unique", signatureOf(dotted(f.Name), args)).
			WithHint("Could not choose a best candidate function. You might need to add explicit type casts.")
	case c == nil:
		return nil, nil, b.undefinedFunction(f, args)
	}
	return overloads[c.index], c, nil
}

// pick chooses among candidates those that convert, preferring ones that need
// neither defaults nor a variadic array.
func pick(ts []*types.Type, candidates []candidate) (c *candidate, ambiguous bool) {
	for i := range candidates { // an exact one, whatever its variadic tail
		if candidates[i].exact(ts) && candidates[i].defaults == 0 {
			return &candidates[i], false
		}
	}
	kept := candidates[:0]
	for i := range candidates {
		if candidates[i].matches(ts) {
			kept = append(kept, candidates[i])
		}
	}
	kept = withoutProperties(ts, shadowed(kept))
	switch len(kept) {
	case 0:
		return nil, false
	case 1:
		return &kept[0], false
	}
	c = choose(ts, kept)
	return c, c == nil
}

// shadowed drops candidates that another one with the same types and fewer defaults,
// or without a variadic array, stands in front of.
func shadowed(cs []candidate) []candidate {
	worse := func(a, b *candidate) bool {
		if !a.exact(b.args) {
			return false
		}
		if (a.variadic >= 0) != (b.variadic >= 0) {
			return a.variadic >= 0
		}
		return a.defaults > b.defaults
	}
	kept := cs[:0:0]
	for i := range cs {
		drop := false
		for j := range cs {
			drop = drop || i != j && worse(&cs[i], &cs[j])
		}
		if !drop {
			kept = append(kept, cs[i])
		}
	}
	return kept
}

// candidateFor lays a call's arguments over a signature; ok is false when their
// number or names do not fit.
func candidateFor(params []funcs.Arg, variadic bool, defaults int, args *callArgs, spread bool) (candidate, bool) {
	n := len(args.es)
	c := candidate{variadic: -1}
	if args.names != nil {
		return namedCandidate(params, defaults, args)
	}
	switch {
	case n == len(params) && (!variadic || spread):
	case variadic && !spread && n >= len(params): // one argument at least goes into the array
		c.variadic = n - (len(params) - 1)
	case n < len(params) && n >= len(params)-defaults && !variadic:
		c.defaults = len(params) - n
	default:
		return c, false
	}
	c.args = make([]*types.Type, n)
	for i := range n {
		if c.variadic >= 0 && i >= len(params)-1 {
			t := params[len(params)-1].Type
			switch {
			case t == types.TAnyArray:
				t = types.TAnyElement
			case t == types.TAnyCompatibleArray:
				t = types.TAnyCompatible
			case t.Elem != nil:
				t = t.Elem
			}
			c.args[i] = t
			continue
		}
		c.args[i] = params[i].Type
	}
	return c, true
}

// namedCandidate lays named arguments over a signature.
func namedCandidate(params []funcs.Arg, defaults int, args *callArgs) (candidate, bool) {
	n := len(args.es)
	if n > len(params) {
		return candidate{}, false
	}
	c := candidate{variadic: -1, args: make([]*types.Type, n), order: make([]int, len(params))}
	for i := range c.order {
		c.order[i] = -1
	}
	for i, name := range args.names {
		at := i
		if name != "" {
			at = -1
			for k := range params {
				if params[k].Name == name {
					at = k
				}
			}
		}
		if at < 0 || c.order[at] >= 0 {
			return c, false
		}
		c.order[at], c.args[i] = i, params[at].Type
	}
	for k, i := range c.order {
		if i >= 0 {
			continue
		}
		if k < len(params)-defaults {
			return c, false
		}
		c.defaults++
	}
	return c, true
}

// signatureOf prints a call by its types: f(integer, unknown).
func signatureOf(name string, args *callArgs) string {
	var sb strings.Builder
	sb.WriteString(name)
	sb.WriteByte('(')
	for i, t := range args.typeOf() {
		if i > 0 {
			sb.WriteString(", ")
		}
		if args.names != nil && args.names[i] != "" {
			sb.WriteString(args.names[i] + " => ")
		}
		sb.WriteString(t.String())
	}
	sb.WriteByte(')')
	return sb.String()
}

func (b *builder) undefinedFunction(f *ast.FuncCall, args *callArgs) error {
	e := b.err(pgerr.UndefinedFunction, f.Pos(), "function %s does not exist", signatureOf(dotted(f.Name), args))
	return e.WithHint("No function matches the given name and argument types. You might need to add explicit type casts.")
}

// makeCall converts the arguments and builds the call.
func (b *builder) makeCall(ov *funcs.Overload, c *candidate, f *ast.FuncCall, args *callArgs, s *scope) (expr.Expr, error) {
	at := -1
	if f != nil {
		at = f.Pos()
	}
	final, result, err := b.convertArgs(ov.Args, ov.Defaults, ov.Result, ov.ResultType, c, args, at)
	if err != nil {
		return nil, err
	}
	ts := make([]*types.Type, len(final))
	for i, e := range final {
		ts[i] = e.Type()
	}
	if ov.Func != nil && ov.Func.Volatility == funcs.Volatile {
		b.markVolatile(s)
	}
	if ov.IsSet() {
		return b.setReturning(ov.Bind(ts), final, result, s, at)
	}
	return b.fold(&expr.Call{Fn: ov.Bind(ts), Args: final, T: result, Pos: b.pos(at)}), nil
}

// markVolatile notes in all queries around that they call a volatile function.
func (b *builder) markVolatile(s *scope) {
	for ; s != nil; s = s.parent {
		if s.q != nil {
			s.q.volatile = true
		}
	}
}

// convertArgs brings the arguments to the declared types, in the order of the
// parameters, and decides the type of the result.
func (b *builder) convertArgs(params []funcs.Arg, defaults []types.Datum, result *types.Type,
	resultType func([]*types.Type) (*types.Type, error), c *candidate, args *callArgs, at int) ([]expr.Expr, *types.Type, error) {
	g, err := b.solve(c.args, args.typeOf(), at)
	if err != nil {
		return nil, nil, err
	}
	out := make([]expr.Expr, 0, max(len(args.es), len(params)))
	for i, e := range args.es {
		t := g.concrete(c.args[i])
		if t == types.TAny { // whatever it is; a literal of unknown type is text
			if c, ok := e.(*expr.Const); ok {
				if e, err = b.toText(c, args.ats[i]); err != nil {
					return nil, nil, err
				}
			}
			out = append(out, e)
			continue
		}
		r, ok, err := b.coerce(e, t, -1, types.Implicit, args.ats[i])
		if err == nil && !ok {
			err = b.err(pgerr.CannotCoerce, args.ats[i], "cannot cast type %s to %s", e.Type(), t)
		}
		if err != nil {
			return nil, nil, err
		}
		out = append(out, r)
	}
	if c.order != nil {
		ordered := make([]expr.Expr, 0, len(params))
		for k, i := range c.order {
			if i >= 0 {
				ordered = append(ordered, out[i])
			} else {
				ordered = append(ordered, defaultArg(params, defaults, k))
			}
		}
		out = ordered
	} else {
		for k := len(params) - c.defaults; k < len(params) && c.defaults > 0; k++ {
			out = append(out, defaultArg(params, defaults, k))
		}
	}
	if last := len(params) - 1; c.variadic >= 0 && params[last].Type != types.TAny {
		t := g.concrete(params[last].Type)
		elems := append([]expr.Expr(nil), out[last:]...)
		out = append(out[:last], b.fold(&expr.ArrayLit{Elems: elems, T: t}))
	}
	if resultType != nil {
		ts := make([]*types.Type, len(out))
		for i, e := range out {
			ts[i] = e.Type()
		}
		t, err := resultType(ts)
		return out, t, b.at(err, at)
	}
	t := g.concrete(result)
	if t == nil {
		return nil, nil, b.err(pgerr.DatatypeMismatch, at, "could not determine polymorphic type because input has type unknown")
	}
	return out, t, nil
}

func defaultArg(params []funcs.Arg, defaults []types.Datum, k int) expr.Expr {
	return &expr.Const{Val: defaults[k-(len(params)-len(defaults))], T: params[k].Type}
}

// call builds a call of a function the binder itself needs, such as timezone or
// like_escape, by PostgreSQL's name.
func (b *builder) call(name string, at int, s *scope, args ...typed) (expr.Expr, error) {
	f := &ast.FuncCall{At: ast.At(max(at, 0)), Name: []string{name}}
	a := &callArgs{}
	for _, x := range args {
		a.es, a.ats = append(a.es, x.e), append(a.ats, x.at)
	}
	ov, c, err := b.resolveCall(funcs.ByName(name), f, a)
	if err != nil {
		return nil, err
	}
	return b.makeCall(ov, c, f, a, s)
}

// schemaExists reports whether a schema is known at all.
func (b *builder) schemaExists(name string) bool {
	switch name {
	case "pg_catalog", "public", "information_schema", "pg_toast":
		return true
	}
	return false
}
