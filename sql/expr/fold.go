package expr

import (
	"raisind/sql/funcs"
	"raisind/sql/types"
)

// VolatilityOf is the volatility of the least stable part of e. Subqueries count as
// volatile: their plans are not seen from here.
func VolatilityOf(e Expr) funcs.Volatility {
	v := funcs.Immutable
	Walk(e, func(e Expr) bool {
		switch e := e.(type) {
		case *Call:
			if e.Fn.Func != nil {
				v = weaker(v, e.Fn.Func.Volatility)
			}
		case *Cast:
			if e.Fn != nil && e.Fn.Stable {
				v = weaker(v, funcs.Stable)
			}
		case *Param, *Outer:
			v = weaker(v, funcs.Stable)
		case *Subquery:
			v = funcs.Volatile
		}
		return v != funcs.Volatile
	})
	return v
}

func weaker(a, b funcs.Volatility) funcs.Volatility {
	if a == funcs.Volatile || b == funcs.Volatile {
		return funcs.Volatile
	}
	if a == funcs.Stable || b == funcs.Stable {
		return funcs.Stable
	}
	return funcs.Immutable
}

// Fold computes e when its operands are constants and its value cannot depend on
// anything else, and simplifies the logic of known truth values. It looks at the
// topmost node only: callers fold as they build. What fails to compute stays, so
// that it fails when it is executed.
func Fold(e Expr, ec *Ctx) Expr {
	switch e := e.(type) {
	case *Call:
		if e.Fn.IsSet() || e.Fn.Func == nil {
			return e
		}
		constants, null := constArgs(e.Args)
		if null && e.Fn.Func.Nulls == funcs.NullOnNull {
			return &Const{T: e.T}
		}
		if !constants || e.Fn.Func.Volatility != funcs.Immutable || e.Fn.Routine != 0 {
			return e
		}
	case *Cast:
		if _, ok := e.Arg.(*Const); !ok || e.Fn != nil && e.Fn.Stable {
			return e
		}
	case *And:
		return foldJunction(e.Args, false, func(a []Expr) Expr { return &And{a} })
	case *Or:
		return foldJunction(e.Args, true, func(a []Expr) Expr { return &Or{a} })
	case *Not, *IsTest, *Distinct, *ArrayLit, *MinMax, *NullIf, *AnyAll, *InList, *Subscript:
		if constants, _ := constArgs(e.(Parent).Children()); !constants {
			return e
		}
		switch e := e.(type) {
		case *AnyAll:
			if !foldable(e.Op) {
				return e
			}
		case *InList:
			if !foldable(e.Eq) {
				return e
			}
		case *NullIf:
			if !foldable(e.Eq) {
				return e
			}
		}
	case *Coalesce:
		return foldCoalesce(e)
	case *Case:
		return foldCase(e)
	default:
		return e
	}
	v, err := e.Eval(ec, nil)
	if err != nil {
		return e
	}
	c := &Const{Val: v, T: e.Type()}
	if cast, ok := e.(*Cast); ok {
		c.Mod = cast.Typmod + 1
	}
	return c
}

func foldable(o *funcs.Overload) bool { return o.Func != nil && o.Func.Volatility == funcs.Immutable }

// constArgs reports whether all arguments are constants and whether one is NULL.
func constArgs(args []Expr) (all, null bool) {
	all = true
	for _, a := range args {
		c, ok := a.(*Const)
		all = all && ok
		null = null || ok && c.Val.IsNull()
	}
	return all, null
}

// IsConst reports whether e is a constant that is not NULL, and gives its value.
func IsConst(e Expr) (types.Datum, bool) {
	c, ok := e.(*Const)
	if !ok || c.Val.IsNull() {
		return types.Null, false
	}
	return c.Val, true
}

// foldJunction leaves out what does not matter and stops at what decides.
func foldJunction(args []Expr, decisive bool, again func([]Expr) Expr) Expr {
	kept := args[:0:0]
	for _, a := range args {
		if v, ok := IsConst(a); ok {
			if v.Bool() == decisive {
				return &Const{Val: types.Bool(decisive), T: types.TBool}
			}
			continue
		}
		kept = append(kept, a)
	}
	switch len(kept) {
	case 0:
		return &Const{Val: types.Bool(!decisive), T: types.TBool}
	case 1:
		return kept[0]
	}
	return again(kept)
}

func foldCoalesce(e *Coalesce) Expr {
	kept := e.Args[:0:0]
	for _, a := range e.Args {
		c, ok := a.(*Const)
		if ok && c.Val.IsNull() {
			continue
		}
		kept = append(kept, a)
		if ok {
			break
		}
	}
	switch len(kept) {
	case 0:
		return &Const{T: e.T}
	case 1:
		return kept[0]
	}
	return &Coalesce{kept, e.T}
}

// foldCase takes out branches whose condition is known.
func foldCase(e *Case) Expr {
	if e.Operand != nil {
		return e
	}
	n := &Case{Else: e.Else, T: e.T}
	for _, w := range e.Whens {
		if c, ok := w.Cond.(*Const); ok {
			if c.Val.IsNull() || !c.Val.Bool() {
				continue
			}
			n.Else = w.Then
			break
		}
		n.Whens = append(n.Whens, w)
	}
	switch {
	case len(n.Whens) > 0:
		return n
	case n.Else == nil:
		return &Const{T: e.T}
	}
	return n.Else
}
