package funcs

import (
	"math"

	"raisind/sql/types"
)

func errMoneyRange() error { return intTypes[2].errRange() }

func moneyTimes(v float64) (types.Datum, error) {
	r := math.RoundToEven(v)
	if math.IsNaN(r) || r >= math.MaxInt64 || r < math.MinInt64 {
		return types.Null, errMoneyRange()
	}
	return types.Int(int64(r)), nil
}

// moneyFuncs are the operators of money. Factors are floats or integers.
func moneyFuncs() []Func {
	op := func(symbol, name, commutator, doc string, overloads ...Overload) Func {
		return Func{Name: name, Operator: symbol, Commutator: commutator, Group: groupArithmetic, Volatility: Immutable, Doc: doc, Overloads: overloads}
	}
	sum := func(add func(a, b int64) (int64, bool)) EvalFunc {
		return func(_ *Ctx, args []types.Datum) (types.Datum, error) {
			v, ok := add(args[0].Int(), args[1].Int())
			if !ok {
				return types.Null, errMoneyRange()
			}
			return types.Int(v), nil
		}
	}
	times := op("*", "cash_mul", "*", "Multiplies money.")
	over := op("/", "cash_div", "", "Divides money by a number, or two amounts.", of("money,money", "float8", func(_ *Ctx, args []types.Datum) (types.Datum, error) {
		if args[1].Int() == 0 {
			return types.Null, errDivisionByZero()
		}
		return types.Float(float64(args[0].Int()) / float64(args[1].Int())), nil
	}))
	for _, t := range []string{"float8", "float4", "int8", "int4", "int2"} {
		number := func(d types.Datum) float64 { return float64(d.Int()) }
		if t[0] == 'f' {
			number = types.Datum.Float
		}
		mul := func(_ *Ctx, args []types.Datum) (types.Datum, error) {
			return moneyTimes(float64(args[0].Int()) * number(args[1]))
		}
		times.Overloads = append(times.Overloads, of("money,"+t, "money", mul), of(t+",money", "money", swapped(mul)))
		over.Overloads = append(over.Overloads, of("money,"+t, "money", func(_ *Ctx, args []types.Datum) (types.Datum, error) {
			n := number(args[1])
			if n == 0 {
				return types.Null, errDivisionByZero()
			}
			if t[0] == 'i' { // integers cut, floats round
				return types.Int(args[0].Int() / args[1].Int()), nil
			}
			return moneyTimes(float64(args[0].Int()) / n)
		}))
	}
	return []Func{
		op("+", "cash_pl", "+", "Adds money.", of("money,money", "money", sum(addInt))),
		op("-", "cash_mi", "", "Subtracts money.", of("money,money", "money", sum(subInt))),
		times, over,
	}
}
