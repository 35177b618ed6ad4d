package expr

import (
	"bytes"
	"slices"

	"raisind/sql/funcs"
	"raisind/sql/types"
)

// Equal reports whether two expressions are the same: their values for one row are
// equal, volatile functions aside. False means that it is not seen.
func Equal(a, b Expr) bool {
	if a == b {
		return true
	}
	if a == nil || b == nil || a.Type() != b.Type() || !sameNode(a, b) {
		return false
	}
	p, ok := a.(Parent)
	if !ok {
		return true
	}
	return slices.EqualFunc(p.Children(), b.(Parent).Children(), Equal)
}

// sameNode compares two nodes without their operands.
func sameNode(a, b Expr) bool {
	switch a := a.(type) {
	case *Const:
		b, ok := b.(*Const)
		return ok && sameValue(a.T, a.Val, b.Val)
	case *Column:
		b, ok := b.(*Column)
		return ok && a.Index == b.Index
	case *Outer:
		b, ok := b.(*Outer)
		return ok && a.Level == b.Level && a.Index == b.Index
	case *Param:
		b, ok := b.(*Param)
		return ok && a.N == b.N
	case *Call:
		b, ok := b.(*Call)
		return ok && sameOverload(a.Fn, b.Fn)
	case *Cast:
		b, ok := b.(*Cast)
		return ok && a.Typmod == b.Typmod
	case *And:
		_, ok := b.(*And)
		return ok
	case *Or:
		_, ok := b.(*Or)
		return ok
	case *Not:
		_, ok := b.(*Not)
		return ok
	case *IsTest:
		b, ok := b.(*IsTest)
		return ok && a.What == b.What && a.Not == b.Not
	case *Distinct:
		b, ok := b.(*Distinct)
		return ok && a.Not == b.Not
	case *Case:
		b, ok := b.(*Case)
		return ok && (a.Operand == nil) == (b.Operand == nil) && (a.Else == nil) == (b.Else == nil)
	case *CaseValue:
		_, ok := b.(*CaseValue)
		return ok
	case *NullIf:
		_, ok := b.(*NullIf)
		return ok
	case *Coalesce:
		_, ok := b.(*Coalesce)
		return ok
	case *MinMax:
		b, ok := b.(*MinMax)
		return ok && a.Greatest == b.Greatest
	case *InList:
		b, ok := b.(*InList)
		return ok && a.Not == b.Not && sameOverload(a.Eq, b.Eq)
	case *AnyAll:
		b, ok := b.(*AnyAll)
		return ok && a.All == b.All && sameOverload(a.Op, b.Op)
	case *ArrayLit:
		_, ok := b.(*ArrayLit)
		return ok
	case *Subscript:
		b, ok := b.(*Subscript)
		return ok && slices.EqualFunc(a.Index, b.Index, func(x, y SubscriptRange) bool {
			return x.Slice == y.Slice && (x.Lo == nil) == (y.Lo == nil) && (x.Hi == nil) == (y.Hi == nil)
		})
	case *Record:
		_, ok := b.(*Record)
		return ok
	case *Field:
		b, ok := b.(*Field)
		return ok && a.Index == b.Index
	case *Elements:
		b, ok := b.(*Elements)
		return ok && a.Path == b.Path
	case interface{ SameAs(Expr) bool }: // a node of another package
		return a.SameAs(b)
	}
	return false
}

// sameOverload compares overloads of which each call may hold a bound copy.
func sameOverload(a, b *funcs.Overload) bool {
	return a == b || a.Func != nil && a.Func == b.Func && slices.EqualFunc(a.Args, b.Args, func(x, y funcs.Arg) bool { return x.Type == y.Type })
}

func sameValue(t *types.Type, a, b types.Datum) bool {
	if a.IsNull() || b.IsNull() {
		return a.IsNull() == b.IsNull()
	}
	if a.Ref() == nil && b.Ref() == nil {
		return a.Int() == b.Int() && a.Str() == b.Str()
	}
	return bytes.Equal(t.AppendText(nil, a, nil), t.AppendText(nil, b, nil))
}
