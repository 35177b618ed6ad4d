package funcs

import (
	"math"
	"math/bits"

	"raisind/pgerr"
	"raisind/sql/types"
)

// intType is one of the integer types: its range and the words of its overflow.
type intType struct {
	name     string
	bits     uint
	min, max int64
	overflow string
}

var intTypes = []intType{
	{"int2", 16, math.MinInt16, math.MaxInt16, "smallint out of range"},
	{"int4", 32, math.MinInt32, math.MaxInt32, "integer out of range"},
	{"int8", 64, math.MinInt64, math.MaxInt64, "bigint out of range"},
}

func (t intType) errRange() error { return pgerr.New(pgerr.NumericValueOutOfRange, "%s", t.overflow) }

func errDivisionByZero() error { return pgerr.New(pgerr.DivisionByZero, "division by zero") }

// wider returns the type of an operation on two integer types.
func wider(a, b intType) intType {
	if a.bits > b.bits {
		return a
	}
	return b
}

// checked turns an operation that reports overflow of int64 into a body for t.
func (t intType) checked(op func(a, b int64) (int64, bool)) EvalFunc {
	return func(_ *Ctx, args []types.Datum) (types.Datum, error) {
		v, ok := op(args[0].Int(), args[1].Int())
		if !ok || v < t.min || v > t.max {
			return types.Null, t.errRange()
		}
		return types.Int(v), nil
	}
}

func addInt(a, b int64) (int64, bool) {
	s := a + b
	return s, (s > a) == (b > 0)
}

func subInt(a, b int64) (int64, bool) {
	s := a - b
	return s, (s < a) == (b > 0)
}

func mulInt(a, b int64) (int64, bool) {
	hi, lo := bits.Mul64(absU(a), absU(b))
	if hi != 0 {
		return 0, false
	}
	if (a < 0) != (b < 0) {
		return -int64(lo), lo <= 1<<63
	}
	return int64(lo), lo < 1<<63
}

// absU is |v|, which for the least int64 fits in unsigned only.
func absU(v int64) uint64 {
	if v < 0 {
		return -uint64(v)
	}
	return uint64(v)
}

func (t intType) div(_ *Ctx, args []types.Datum) (types.Datum, error) {
	a, b := args[0].Int(), args[1].Int()
	switch {
	case b == 0:
		return types.Null, errDivisionByZero()
	case b == -1 && a == t.min:
		return types.Null, t.errRange()
	}
	return types.Int(a / b), nil
}

func modInt(_ *Ctx, args []types.Datum) (types.Datum, error) {
	a, b := args[0].Int(), args[1].Int()
	switch b {
	case 0:
		return types.Null, errDivisionByZero()
	case -1: // the least integer by -1 traps on some machines; the answer is 0
		return types.Int(0), nil
	}
	return types.Int(a % b), nil
}

func (t intType) negate(_ *Ctx, args []types.Datum) (types.Datum, error) {
	if args[0].Int() == t.min {
		return types.Null, t.errRange()
	}
	return types.Int(-args[0].Int()), nil
}

func (t intType) abs(fc *Ctx, args []types.Datum) (types.Datum, error) {
	if args[0].Int() < 0 {
		return t.negate(fc, args)
	}
	return args[0], nil
}

func same(_ *Ctx, args []types.Datum) (types.Datum, error) { return args[0], nil }

// wrap keeps the low bits of v as a signed integer of t.
func (t intType) wrap(v int64) types.Datum {
	s := 64 - t.bits
	return types.Int(v << s >> s)
}

// shift widths are taken modulo the width PostgreSQL computes in, as its C code does.
func (t intType) shiftBits() uint { return max(t.bits, 32) - 1 }

func (t intType) shiftLeft(_ *Ctx, args []types.Datum) (types.Datum, error) {
	return t.wrap(args[0].Int() << (uint(args[1].Int()) & t.shiftBits())), nil
}

func (t intType) shiftRight(_ *Ctx, args []types.Datum) (types.Datum, error) {
	return types.Int(args[0].Int() >> (uint(args[1].Int()) & t.shiftBits())), nil
}

func bitwise(op func(a, b int64) int64) EvalFunc {
	return func(_ *Ctx, args []types.Datum) (types.Datum, error) {
		return types.Int(op(args[0].Int(), args[1].Int())), nil
	}
}

// intArithmetic gives the overloads of +, -, * and / for every pair of integer types.
func intArithmetic(symbol string) []Overload {
	var out []Overload
	for _, a := range intTypes {
		for _, b := range intTypes {
			t := wider(a, b)
			var body EvalFunc
			switch symbol {
			case "+":
				body = t.checked(addInt)
			case "-":
				body = t.checked(subInt)
			case "*":
				body = t.checked(mulInt)
			case "/":
				body = t.div
			}
			out = append(out, of(a.name+","+b.name, t.name, body))
		}
	}
	return out
}

// eachInt gives one overload for each integer type; sig has t for the type.
func eachInt(sig func(t intType) Overload) []Overload {
	var out []Overload
	for _, t := range intTypes {
		out = append(out, sig(t))
	}
	return out
}
