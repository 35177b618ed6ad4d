package planner

import (
	"strings"

	"raisind/pgerr"
	"raisind/sql/expr"
	"raisind/sql/funcs"
	"raisind/sql/types"
)

// operator picks the overload of a binary operator for two types, as PostgreSQL's
// oper() does; right or left may be unknown.
func (b *builder) operator(symbol string, left, right *types.Type, at int) (*funcs.Overload, *candidate, error) {
	if i := strings.LastIndexByte(symbol, '.'); i >= 0 { // OPERATOR(s.op)
		symbol = symbol[i+1:]
	}
	overloads := funcs.ByOperator(symbol, 2)
	// An exact match; one unknown side is taken to be of the other side's type first.
	l, r := left, right
	if l == types.TUnknown {
		l = right
	} else if r == types.TUnknown {
		r = left
	}
	if l == types.TJSONB && left != right && isSpatialOperator(symbol) {
		l = types.TUnknown // beside a property an unknown literal is a geometry
	}
	for i, o := range overloads {
		if o.Args[0].Type == l && o.Args[1].Type == r && l != types.TUnknown {
			return o, &candidate{args: []*types.Type{l, r}, variadic: -1, index: i}, nil
		}
	}
	ts := []*types.Type{left, right}
	var kept []candidate
	for i, o := range overloads {
		c := candidate{args: []*types.Type{o.Args[0].Type, o.Args[1].Type}, variadic: -1, index: i}
		if c.matches(ts) {
			kept = append(kept, c)
		}
	}
	kept = withoutProperties(ts, kept)
	var c *candidate
	if len(kept) == 1 {
		c = &kept[0]
	} else if len(kept) > 1 {
		c = choose(ts, kept)
	}
	if c == nil {
		text := left.String() + " " + symbol + " " + right.String()
		if len(kept) > 1 {
			return nil, nil, b.err(pgerr.AmbiguousFunction, at, "operator is not unique: %s", text).
				WithHint("Could not choose a best candidate operator. You might need to add explicit type casts.")
		}
		return nil, nil, b.err(pgerr.UndefinedFunction, at, "operator does not exist: %s", text).
			WithHint("No operator matches the given name and argument types. You might need to add explicit type casts.")
	}
	return overloads[c.index], c, nil
}

// binary builds left op right.
func (b *builder) binary(symbol string, l, r typed, at int) (expr.Expr, error) {
	ov, args, t, err := b.binaryArgs(symbol, l, r, at)
	if err != nil {
		return nil, err
	}
	return b.fold(&expr.Call{Fn: ov, Args: args, T: t, Pos: b.pos(at)}), nil
}

// binaryArgs resolves an operator and converts its operands.
func (b *builder) binaryArgs(symbol string, l, r typed, at int) (*funcs.Overload, []expr.Expr, *types.Type, error) {
	if isSpatialOperator(symbol) {
		b.propertyOperands(&l, &r)
	}
	ov, c, err := b.operator(symbol, l.e.Type(), r.e.Type(), at)
	if err != nil {
		return nil, nil, nil, err
	}
	// Comparisons of the exact types are the common case.
	if l.e.Type() == ov.Args[0].Type && r.e.Type() == ov.Args[1].Type && !ov.Args[0].Type.IsPolymorphic() &&
		ov.ResultType == nil && !ov.Result.IsPolymorphic() {
		args := []expr.Expr{l.e, r.e}
		return ov.Bind(c.args), args, ov.Result, nil
	}
	args := &callArgs{es: []expr.Expr{l.e, r.e}, ats: []int{l.at, r.at}}
	final, t, err := b.convertArgs(ov.Args, nil, ov.Result, ov.ResultType, c, args, at)
	if err != nil {
		return nil, nil, nil, err
	}
	return ov.Bind([]*types.Type{final[0].Type(), final[1].Type()}), final, t, nil
}

// unary builds op x.
func (b *builder) unary(symbol string, x typed, at int) (expr.Expr, error) {
	if i := strings.LastIndexByte(symbol, '.'); i >= 0 {
		symbol = symbol[i+1:]
	}
	overloads := funcs.ByOperator(symbol, 1)
	ts := []*types.Type{x.e.Type()}
	var kept []candidate
	for i, o := range overloads {
		c := candidate{args: []*types.Type{o.Args[0].Type}, variadic: -1, index: i}
		if c.exact(ts) {
			kept = append(kept[:0], c)
			break
		}
		if c.matches(ts) {
			kept = append(kept, c)
		}
	}
	var c *candidate
	if len(kept) == 1 {
		c = &kept[0]
	} else if len(kept) > 1 {
		c = choose(ts, kept)
	}
	if c == nil {
		if len(kept) > 1 {
			return nil, b.err(pgerr.AmbiguousFunction, at, "operator is not unique: %s %s", symbol, ts[0]).
				WithHint("Could not choose a best candidate operator. You might need to add explicit type casts.")
		}
		return nil, b.err(pgerr.UndefinedFunction, at, "operator does not exist: %s %s", symbol, ts[0]).
			WithHint("No operator matches the given name and argument type. You might need to add an explicit type cast.")
	}
	ov := overloads[c.index]
	final, t, err := b.convertArgs(ov.Args, nil, ov.Result, ov.ResultType, c, &callArgs{es: []expr.Expr{x.e}, ats: []int{x.at}}, at)
	if err != nil {
		return nil, err
	}
	return b.fold(&expr.Call{Fn: ov.Bind([]*types.Type{final[0].Type()}), Args: final, T: t, Pos: b.pos(at)}), nil
}

// equality returns the = of two types for places that compare by themselves.
func (b *builder) equality(t *types.Type, at int) (*funcs.Overload, error) {
	ov, c, err := b.operator("=", t, t, at)
	if err != nil {
		return nil, err
	}
	return ov.Bind(c.args), nil
}

// isComparison reports whether symbol is one of the six comparisons.
func isComparison(symbol string) bool {
	switch symbol {
	case "=", "<>", "<", "<=", ">", ">=":
		return true
	}
	return false
}
