package planner

import (
	"context"

	"raisind/catalog"
	"raisind/pgerr"
	"raisind/sql/ast"
	"raisind/sql/expr"
	"raisind/sql/funcs"
	"raisind/sql/parser"
	"raisind/sql/types"
)

// routines are the users' functions that a name may mean, those of schemas searched first
// in front.
func (b *builder) routines(name []string) []*funcs.Overload {
	snap := b.snapshot()
	if snap == nil {
		return nil
	}
	schemas := b.searchPath()
	if len(name) > 1 {
		schemas = name[len(name)-2 : len(name)-1]
	}
	var out []*funcs.Overload
	for _, schema := range schemas {
		for _, f := range snap.Functions(schema, name[len(name)-1]) {
			if f.Kind != 'f' {
				continue
			}
			o := RoutineOf(snap, f).Overload()
			if !hidden(out, o) {
				out = append(out, o)
			}
		}
	}
	return out
}

// hidden reports whether a function of the same arguments stands in front.
func hidden(list []*funcs.Overload, o *funcs.Overload) bool {
	for _, x := range list {
		if sameArgs(x.Args, o.Args) {
			return true
		}
	}
	return false
}

func sameArgs(a, b []funcs.Arg) bool {
	if len(a) != len(b) {
		return false
	}
	for i := range a {
		if a[i].Type != b[i].Type {
			return false
		}
	}
	return true
}

// overlaid are the built-in functions and those of users that they do not hide.
func overlaid(built, routines []*funcs.Overload) []*funcs.Overload {
	if len(routines) == 0 {
		return built
	}
	out := append([]*funcs.Overload(nil), built...)
	for _, r := range routines {
		if !hidden(built, r) {
			out = append(out, r)
		}
	}
	return out
}

// RoutineOf describes a function of the catalog for the planner.
func RoutineOf(snap *catalog.Snapshot, f *catalog.Function) *funcs.Routine {
	r := &funcs.Routine{
		OID: f.OID, Name: f.Name, Set: f.ReturnsSet, Volatility: funcs.Volatility(f.Volatility), Strict: f.Strict,
		Result: typeByOID(snap, f.Returns),
	}
	if f.Kind == 'p' {
		r.Volatility = funcs.Volatile
	}
	outs := []funcs.Arg{}
	for _, a := range f.Args {
		arg := funcs.Arg{Name: a.Name, Type: typeByOID(snap, a.Type), Default: a.Default}
		if a.Mode != 'i' && a.Mode != 'v' {
			outs = append(outs, funcs.Arg{Name: a.Name, Type: arg.Type})
		}
		if a.Mode == 'o' || a.Mode == 't' {
			continue
		}
		r.Args = append(r.Args, arg)
		r.Variadic = r.Variadic || a.Mode == 'v'
		if a.Default != "" {
			r.Defaults++
		}
	}
	for i := range outs {
		if outs[i].Name == "" {
			outs[i].Name = "column" + itoa(i+1)
		}
	}
	switch {
	case len(outs) > 0:
		r.Columns = outs
		if len(outs) == 1 && !f.ReturnsSet {
			r.Columns = nil
		}
	default:
		if rel := rowRelation(snap, f.Returns); rel != nil {
			for i := range rel.Columns {
				if c := &rel.Columns[i]; !c.Hidden {
					r.Columns = append(r.Columns, funcs.Arg{Name: c.Name, Type: c.Type})
				}
			}
			if len(r.Columns) > 1 {
				r.Result = types.TRecord
			}
		}
	}
	return r
}

// rowRelation is the relation, or composite type, whose row type has an OID.
func rowRelation(snap *catalog.Snapshot, oid uint32) *catalog.Relation {
	if oid == 0 {
		return nil
	}
	if _, ok := types.ByOID(oid); ok {
		return nil
	}
	for _, r := range snap.Relations() {
		if r.TypeOID == oid {
			return r
		}
	}
	return nil
}

func typeByOID(snap *catalog.Snapshot, oid uint32) *types.Type {
	if oid == 0 {
		return types.TVoid
	}
	if t, ok := snap.TypeByOID(oid); ok {
		return t
	}
	return types.TUnknown
}

// fillDefaults adds the defaults of a user's function to the arguments of a call.
func (b *builder) fillDefaults(o *funcs.Overload, c *candidate, args *callArgs, s *scope) error {
	if o.Routine == 0 || c.defaults == 0 {
		return nil
	}
	given := make([]bool, len(o.Args))
	switch {
	case c.order != nil:
		for k, i := range c.order {
			given[k] = i >= 0
		}
	default:
		for k := range args.es {
			given[k] = true
		}
	}
	n := len(args.es)
	for k := range o.Args {
		if given[k] {
			continue
		}
		e, err := b.textExpr(o.Args[k].Default, s)
		if err != nil {
			return err
		}
		args.es, args.ats = append(args.es, e), append(args.ats, -1)
		if args.names != nil {
			args.names = append(args.names, o.Args[k].Name)
		}
		args.ts = nil
		c.args = append(c.args, o.Args[k].Type)
		if c.order != nil {
			c.order[k] = n
		}
		n++
	}
	c.defaults = 0
	return nil
}

// textExpr binds an expression that the catalog keeps as text.
func (b *builder) textExpr(text string, s *scope) (expr.Expr, error) {
	src, err := parser.ParseExpr(text)
	if err != nil {
		return nil, err
	}
	sql, vars := b.opt.SQL, b.opt.Variables
	b.opt.SQL, b.opt.Variables = "", nil
	defer func() { b.opt.SQL, b.opt.Variables = sql, vars }()
	return b.expr(src, &scope{clause: inDefault, parent: nil, q: s.query()})
}

func (s *scope) query() *query {
	if s == nil {
		return nil
	}
	return s.q
}

// ResolveType finds the type that a name stands for.
func ResolveType(ctx context.Context, n *ast.TypeName, opt Options) (*types.Type, int32, error) {
	return newBuilder(ctx, opt).typeName(n)
}

// ResolveRelation finds a relation by name as a FROM clause would; nil when there is none.
func ResolveRelation(ctx context.Context, name ast.RelName, opt Options) (*catalog.Relation, error) {
	b := newBuilder(ctx, opt)
	r := &rel{}
	if err := b.relation(r, &name, &scope{q: &query{}}); err != nil {
		if pgerr.Is(err, pgerr.UndefinedTable) {
			return nil, nil
		}
		return nil, err
	}
	return r.table, nil
}

// BoundCall is a call of a procedure, bound.
type BoundCall struct {
	OID uint32
	// Args are the values of all arguments in their order, nil for those that are output only.
	Args []expr.Expr
	// Types are those of Args.
	Types []*types.Type
	// Params are the types of $1, $2 ….
	Params []*types.Type
}

// BindCall finds the procedure that CALL means and binds its arguments.
func BindCall(ctx context.Context, call *ast.Call, opt Options) (*BoundCall, error) {
	b := newBuilder(ctx, opt)
	f := call.Func
	snap := b.snapshot()
	s := &scope{q: &query{}, clause: inValues}
	args, err := b.callArguments(f, s)
	if err != nil {
		return nil, err
	}
	schemas := b.searchPath()
	if len(f.Name) > 1 {
		schemas = f.Name[len(f.Name)-2 : len(f.Name)-1]
	}
	var list []*funcs.Overload
	isFunction := false
	for _, schema := range schemas {
		if snap == nil {
			break
		}
		for _, p := range snap.Functions(schema, f.Name[len(f.Name)-1]) {
			if p.Kind != 'p' {
				isFunction = isFunction || p.Kind == 'f'
				continue
			}
			r := RoutineOf(snap, p)
			r.Args = nil // a CALL gives the output arguments too
			for _, a := range p.Args {
				r.Args = append(r.Args, funcs.Arg{Name: a.Name, Type: typeByOID(snap, a.Type), Default: a.Default})
			}
			list = append(list, r.Overload())
		}
	}
	ov, c, err := b.resolveCall(list, f, args)
	if err != nil {
		name := signatureOf(dotted(f.Name), args)
		if (isFunction || len(funcs.ByName(f.Name[len(f.Name)-1])) > 0) && len(list) == 0 {
			return nil, b.err(pgerr.WrongObjectType, f.Pos(), "%s is not a procedure", name).WithHint("To call a function, use SELECT.")
		}
		if pgerr.Is(err, pgerr.UndefinedFunction) {
			return nil, b.err(pgerr.UndefinedFunction, f.Pos(), "procedure %s does not exist", name).
				WithHint("No procedure matches the given name and argument types. You might need to add explicit type casts.")
		}
		return nil, err
	}
	if err := b.fillDefaults(ov, c, args, s); err != nil {
		return nil, err
	}
	es, _, err := b.convertArgs(ov.Args, ov.Defaults, types.TVoid, nil, c, args, f.Pos())
	if err != nil {
		return nil, err
	}
	if err := b.checkParams(); err != nil {
		return nil, err
	}
	out := &BoundCall{OID: ov.Routine, Args: es, Params: b.paramTypes()}
	for _, e := range es {
		if expr.Any(e, func(x expr.Expr) bool { _, ok := x.(*subquery); return ok }) {
			return nil, b.err(pgerr.FeatureNotSupported, f.Pos(), "cannot use subquery in CALL argument")
		}
		out.Types = append(out.Types, e.Type())
	}
	return out, nil
}

// CheckExpr binds an expression without columns and sees that it can be assigned to a type.
func CheckExpr(ctx context.Context, text string, t *types.Type, opt Options) error {
	b := newBuilder(ctx, opt)
	e, err := b.textExpr(text, &scope{q: &query{}})
	if err != nil {
		return err
	}
	if t.IsPolymorphic() || t == types.TRecord {
		return nil
	}
	_, ok, err := b.coerce(e, t, -1, types.Assignment, -1)
	if err == nil && !ok {
		err = pgerr.New(pgerr.DatatypeMismatch, "argument of DEFAULT must be type %s, not type %s", t, e.Type())
	}
	return err
}

// routineRecords gives the records of a user's function the columns of a definition list.
func (b *builder) routineRecords(call *setCall, defs []ast.ColumnDef) ([]column, *setCall, error) {
	fn := *call.fn
	fn.Columns = nil
	cols := make([]column, len(defs))
	for i := range defs {
		t, typmod, err := b.typeName(&defs[i].Type)
		if err != nil {
			return nil, nil, err
		}
		cols[i] = column{name: defs[i].Name, t: t, typmod: typmod}
		fn.Columns = append(fn.Columns, funcs.Arg{Name: defs[i].Name, Type: t})
	}
	fn.Set = funcs.SpreadRecords(call.fn.Set, fn.Columns)
	c := *call
	c.fn = &fn
	return cols, &c, nil
}

// procedureInstead says of a call that found no function that there is a procedure.
func (b *builder) procedureInstead(f *ast.FuncCall, args *callArgs, err error) error {
	snap := b.snapshot()
	if snap == nil || !pgerr.Is(err, pgerr.UndefinedFunction) {
		return err
	}
	schemas := b.searchPath()
	if len(f.Name) > 1 {
		schemas = f.Name[len(f.Name)-2 : len(f.Name)-1]
	}
	for _, schema := range schemas {
		for _, p := range snap.Functions(schema, f.Name[len(f.Name)-1]) {
			if p.Kind == 'p' && len(p.Inputs()) == len(args.es) {
				return b.err(pgerr.WrongObjectType, f.Pos(), "%s is a procedure", signatureOf(dotted(f.Name), args)).
					WithHint("To call a procedure, use CALL.")
			}
		}
	}
	return err
}
