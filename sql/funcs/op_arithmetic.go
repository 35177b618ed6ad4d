package funcs

import (
	"math"

	"raisind/sql/types"
)

func arithmeticOps() []Func {
	op := func(symbol, name, commutator, doc string, overloads ...[]Overload) Func {
		f := Func{
			Name: name, Operator: symbol, Commutator: commutator, Group: groupArithmetic,
			Volatility: Immutable, Doc: doc,
		}
		for _, o := range overloads {
			f.Overloads = append(f.Overloads, o...)
		}
		return f
	}
	numeric := func(body EvalFunc) []Overload { return []Overload{of("numeric,numeric", "numeric", body)} }
	return []Func{
		op("+", "plus", "+", "Adds.", intArithmetic("+"), floatArithmetic(addFloat), numeric(addNumeric)),
		op("-", "minus", "", "Subtracts.", intArithmetic("-"), floatArithmetic(subFloat), numeric(subNumeric)),
		op("*", "mul", "*", "Multiplies.", intArithmetic("*"), floatArithmetic(mulFloat), numeric(mulNumeric)),
		op("/", "div", "", "Divides; integers truncate toward zero.",
			intArithmetic("/"), floatArithmetic(divFloat), numeric(numericFunc2(number.quo))),
		op("%", "mod", "", "Remainder of a division, with the sign of the dividend.",
			eachInt(func(t intType) Overload { return of(t.name+","+t.name, t.name, modInt) }),
			numeric(numericFunc2(number.mod))),
		op("^", "pow", "", "Raises to a power.",
			[]Overload{of("float8,float8", "float8", powerFloat8)}, numeric(numericFunc2(number.pow))),
		op("+", "uplus", "", "Leaves a number as it is.",
			eachInt(func(t intType) Overload { return of(t.name, t.name, same) }),
			[]Overload{of("float4", "float4", same), of("float8", "float8", same), of("numeric", "numeric", same)}),
		op("-", "uminus", "", "Negates.",
			eachInt(func(t intType) Overload { return of(t.name, t.name, t.negate) }),
			[]Overload{
				of("float4", "float4", negateFloat), of("float8", "float8", negateFloat),
				of("numeric", "numeric", pure(number.negate)), of("interval", "interval", negateInterval),
			}),
		op("@", "abs", "", "Absolute value.",
			eachInt(func(t intType) Overload { return of(t.name, t.name, t.abs) }),
			[]Overload{
				of("float4", "float4", absFloat), of("float8", "float8", absFloat),
				of("numeric", "numeric", pure(number.abs)),
			}),
		op("|/", "dsqrt", "", "Square root.", []Overload{of("float8", "float8", sqrtFloat8)}),
		op("||/", "dcbrt", "", "Cube root.", []Overload{of("float8", "float8", float8Func(math.Cbrt))}),
		op("&", "and", "&", "Bitwise AND.",
			eachInt(func(t intType) Overload {
				return of(t.name+","+t.name, t.name, bitwise(func(a, b int64) int64 { return a & b }))
			})),
		op("|", "or", "|", "Bitwise OR.",
			eachInt(func(t intType) Overload {
				return of(t.name+","+t.name, t.name, bitwise(func(a, b int64) int64 { return a | b }))
			})),
		op("#", "xor", "#", "Bitwise exclusive OR.",
			eachInt(func(t intType) Overload {
				return of(t.name+","+t.name, t.name, bitwise(func(a, b int64) int64 { return a ^ b }))
			})),
		op("~", "not", "", "Bitwise NOT.",
			eachInt(func(t intType) Overload {
				return of(t.name, t.name, func(_ *Ctx, args []types.Datum) (types.Datum, error) {
					return types.Int(^args[0].Int()), nil
				})
			})),
		op("<<", "shl", "", "Bitwise shift left.",
			eachInt(func(t intType) Overload { return of(t.name+",int4", t.name, t.shiftLeft) })),
		op(">>", "shr", "", "Bitwise shift right, keeping the sign.",
			eachInt(func(t intType) Overload { return of(t.name+",int4", t.name, t.shiftRight) })),
	}
}
