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
	routines := b.routines(f.Name)
	if len(f.Name) > 1 && len(routines) == 0 && !isSystemSchema(f.Name[len(f.Name)-2]) {
		if !b.schemaExists(f.Name[len(f.Name)-2]) {
			return nil, b.err(pgerr.InvalidSchemaName, f.Pos(), "schema %q does not exist", f.Name[len(f.Name)-2])
		}
		name = ""
	}
	if f.Over != nil {
		return b.overCall(f, name, s)
	}
	if len(f.Within) > 0 && hypothetical(name) {
		return b.hypotheticalSet(f, name, s)
	}
	if aggs := funcs.AggregatesByName(name); aggs != nil && len(routines) == 0 && !b.plainFunctionFits(f, name, s) {
		return b.aggregateCall(f, aggs, s)
	}
	args, err := b.callArguments(f, s)
	if err != nil {
		return nil, err
	}
	if windows := funcs.WindowsByName(name); windows != nil {
		return nil, b.resolveWindow(f, windows, &windowCall{}, args)
	}
	if err := b.plainCallOnly(f, name); err != nil {
		return nil, err
	}
	overloads := overlaid(funcs.ByName(name), routines)
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
		return nil, b.procedureInstead(f, args, err)
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
	if err := b.fillDefaults(ov, c, args, s); err != nil {
		return nil, err
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
	if ov.Routine != 0 {
		b.st.Uncacheable = b.st.Uncacheable || b.opt.Catalog == nil
	}
	bound := ov.Bind
	if f != nil && f.Variadic && len(ov.Args) > 0 && ov.Args[len(ov.Args)-1].Type == types.TAny {
		bound = func(ts []*types.Type) *funcs.Overload { return spread(ov, ts) }
	}
	return b.fold(&expr.Call{Fn: bound(ts), Args: final, T: result, Pos: b.pos(at)}), nil
}

// markVolatile notes in all queries around that they call a volatile function.
func (b *builder) markVolatile(s *scope) {
	for ; s != nil; s = s.parent {
		if s.q != nil {
			s.q.volatile = true
		}
	}
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
