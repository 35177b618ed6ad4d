package planner

import (
	"raisind/pgerr"
	"raisind/sql/expr"
	"raisind/sql/funcs"
	"raisind/sql/types"
)

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

// convertArgs brings the arguments to the declared types, in the order of the
// parameters, and decides the type of the result.
func (b *builder) convertArgs(params []funcs.Arg, defaults []types.Datum, result *types.Type,
	resultType func([]*types.Type) (*types.Type, error), c *candidate, args *callArgs, at int,
) ([]expr.Expr, *types.Type, error) {
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
		return nil, nil, b.err(pgerr.DatatypeMismatch, -1, "could not determine polymorphic type because input has type unknown")
	}
	return out, t, nil
}

func defaultArg(params []funcs.Arg, defaults []types.Datum, k int) expr.Expr {
	return &expr.Const{Val: defaults[k-(len(params)-len(defaults))], T: params[k].Type}
}
