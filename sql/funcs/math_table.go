package funcs

import (
	"math"

	"raisind/sql/types"
)

func mathFuncs() []Func {
	fn := func(name, doc string, example Example, overloads ...Overload) Func {
		return Func{
			Name: name, Group: groupMath, Volatility: Immutable, Doc: doc,
			Overloads: overloads, Examples: []Example{example},
		}
	}
	// one is a function of one double.
	one := func(name, doc, arg, want string, body EvalFunc) Func {
		return fn(name, doc, Example{`SELECT ` + name + `(` + arg + `)`, want}, of("float8", "float8", body))
	}
	both := func(f func(float64) float64, n func(number) number) []Overload {
		return []Overload{of("float8", "float8", float8Func(f)), of("numeric", "numeric", pure(n))}
	}
	pair := func(body func(t intType) EvalFunc, n func(a, b number) (number, error), small bool) []Overload {
		var out []Overload
		for _, t := range intTypes {
			if t.name != "int2" || small {
				out = append(out, of(t.name+","+t.name, t.name, body(t)))
			}
		}
		return append(out, of("numeric,numeric", "numeric", numericFunc2(n)))
	}
	power := []Overload{of("float8,float8", "float8", powerFloat8), of("numeric,numeric", "numeric", numericFunc2(number.pow))}
	log10 := []Overload{of("float8", "float8", logFloat(math.Log10)), of("numeric", "numeric", numericFunc1(func(n number) (number, error) {
		return n.log(numberOfInt(10))
	}))}
	out := []Func{
		fn("abs", "Absolute value.", Example{`SELECT abs(-17)`, "17"},
			append(eachInt(func(t intType) Overload { return of(t.name, t.name, t.abs) }),
				of("float4", "float4", absFloat), of("float8", "float8", absFloat), of("numeric", "numeric", pure(number.abs)))...),
		fn("ceil", "Least integer not below.", Example{`SELECT ceil(1.2)`, "2"}, both(math.Ceil, number.ceil)...),
		fn("ceiling", "Least integer not below.", Example{`SELECT ceiling(-1.2)`, "-1"}, both(math.Ceil, number.ceil)...),
		fn("floor", "Greatest integer not above.", Example{`SELECT floor(-1.2)`, "-2"}, both(math.Floor, number.floor)...),
		fn("round", "Nearest integer, or nearest with so many digits after the point. A half goes away from zero, of doubles to the even one.",
			Example{`SELECT round(2.567, 2)`, "2.57"},
			append(both(math.RoundToEven, func(n number) number { return n.round(0) }), of("numeric,int4", "numeric", roundTo(number.round)))...),
		fn("trunc", "Cuts the digits after the point, or those behind so many.", Example{`SELECT trunc(-2.567, 1)`, "-2.5"},
			append(both(math.Trunc, func(n number) number { return n.trunc(0) }), of("numeric,int4", "numeric", roundTo(number.trunc)))...),
		fn("sign", "-1, 0 or 1.", Example{`SELECT sign(-8.4)`, "-1"}, both(signFloat, number.signum)...),
		fn("sqrt", "Square root.", Example{`SELECT sqrt(2)`, "1.4142135623730951"},
			of("float8", "float8", sqrtFloat8), of("numeric", "numeric", numericFunc1(number.sqrtChecked))),
		one("cbrt", "Cube root.", "27", "3", float8Func(math.Cbrt)),
		fn("exp", "e raised to a power.", Example{`SELECT exp(1.0)`, "2.7182818284590452"},
			of("float8", "float8", growing(math.Exp, true)), of("numeric", "numeric", numericFunc1(number.exp))),
		fn("ln", "Natural logarithm.", Example{`SELECT ln(2.0)`, "0.6931471805599453"},
			of("float8", "float8", logFloat(math.Log)), of("numeric", "numeric", numericFunc1(number.ln))),
		fn("log", "Logarithm to base 10, or to the base given first.", Example{`SELECT log(2.0, 64.0)`, "6.0000000000000000"},
			append(log10, of("numeric,numeric", "numeric", numericFunc2(func(b, n number) (number, error) { return n.log(b) })))...),
		fn("log10", "Logarithm to base 10.", Example{`SELECT log10(1000::float8)`, "3"}, log10...),
		fn("power", "Raises to a power.", Example{`SELECT power(9.0, 3.0)`, "729.0000000000000000"}, power...),
		fn("pow", "Raises to a power.", Example{`SELECT pow(2::float8, 10)`, "1024"}, power...),
		fn("mod", "Remainder of a division, with the sign of the dividend.", Example{`SELECT mod(9, 4)`, "1"},
			pair(func(intType) EvalFunc { return modInt }, number.mod, true)...),
		fn("div", "Integer quotient, toward zero.", Example{`SELECT div(9, 4)`, "2"}, of("numeric,numeric", "numeric", numericFunc2(number.div))),
		fn("gcd", "Greatest common divisor.", Example{`SELECT gcd(1071, 462)`, "21"},
			pair(func(t intType) EvalFunc { return t.gcd }, number.gcd, false)...),
		fn("lcm", "Least common multiple.", Example{`SELECT lcm(1071, 462)`, "23562"},
			pair(func(t intType) EvalFunc { return t.lcm }, number.lcm, false)...),
		fn("factorial", "Product of the integers from 1 on.", Example{`SELECT factorial(5)`, "120"}, of("int8", "numeric", factorial)),
		fn("scale", "Number of digits after the point.", Example{`SELECT scale(8.4100)`, "4"}, of("numeric", "int4", scaleOf)),
		fn("min_scale", "Number of digits after the point that are needed.", Example{`SELECT min_scale(8.4100)`, "2"}, of("numeric", "int4", minScale)),
		fn("trim_scale", "Drops zeros behind the point.", Example{`SELECT trim_scale(8.4100)`, "8.41"}, of("numeric", "numeric", pure(number.trimScale))),
		fn("pi", "The number π.", Example{`SELECT pi()`, "3.141592653589793"}, of("", "float8", func(*Ctx, []types.Datum) (types.Datum, error) {
			return types.Float(math.Pi), nil
		})),
		one("degrees", "Radians to degrees.", "pi()", "180", growing(func(x float64) float64 { return x / radPerDeg }, false)),
		one("radians", "Degrees to radians.", "180", "3.141592653589793", float8Func(func(x float64) float64 { return x * radPerDeg })),
		one("sin", "Sine of radians.", "0", "0", periodic(math.Sin)),
		one("cos", "Cosine of radians.", "0", "1", periodic(math.Cos)),
		one("tan", "Tangent of radians.", "0", "0", periodic(math.Tan)),
		one("cot", "Cotangent of radians.", "pi() / 4", "1.0000000000000002", periodic(func(x float64) float64 { return math.Cos(x) / math.Sin(x) })),
		one("asin", "Arc sine in radians.", "0", "0", within(-1, 1, math.Asin)),
		one("acos", "Arc cosine in radians.", "1", "0", within(-1, 1, math.Acos)),
		one("atan", "Arc tangent in radians.", "0", "0", float8Func(math.Atan)),
		fn("atan2", "Arc tangent of y/x in radians.", Example{`SELECT atan2(0, 1)`, "0"}, of("float8,float8", "float8", float8Func2(math.Atan2))),
		one("sinh", "Hyperbolic sine.", "0", "0", float8Func(math.Sinh)),
		one("cosh", "Hyperbolic cosine.", "0", "1", float8Func(math.Cosh)),
		one("tanh", "Hyperbolic tangent.", "0", "0", float8Func(math.Tanh)),
		one("asinh", "Inverse hyperbolic sine.", "0", "0", float8Func(math.Asinh)),
		one("acosh", "Inverse hyperbolic cosine.", "1", "0", within(1, math.Inf(1), math.Acosh)),
		one("atanh", "Inverse hyperbolic tangent.", "0", "0", within(-1, 1, math.Atanh)),
		one("sind", "Sine of degrees.", "30", "0.5", periodic(sinDeg)),
		one("cosd", "Cosine of degrees.", "60", "0.5", periodic(cosDeg)),
		one("tand", "Tangent of degrees.", "45", "1", periodic(tanDeg)),
		one("cotd", "Cotangent of degrees.", "45", "1", periodic(cotDeg)),
		one("asind", "Arc sine in degrees.", "0.5", "30", within(-1, 1, asinDeg)),
		one("acosd", "Arc cosine in degrees.", "0.5", "60", within(-1, 1, acosDeg)),
		one("atand", "Arc tangent in degrees.", "1", "45", float8Func(atanDeg)),
		fn("atan2d", "Arc tangent of y/x in degrees.", Example{`SELECT atan2d(1, 1)`, "45"}, of("float8,float8", "float8", float8Func2(func(y, x float64) float64 {
			return math.Atan2(y, x) / atanOne * 45
		}))),
		fn("width_bucket", "The bucket a value falls into: of so many equal ones, or of those that begin at the elements of a sorted array.",
			Example{`SELECT width_bucket(5.35, 0.024, 10.06, 5)`, "3"},
			of("float8,float8,float8,int4", "int4", widthBucketFloat),
			of("numeric,numeric,numeric,int4", "int4", widthBucketNumeric),
			typed("anycompatible,anycompatiblearray", "int4", widthBucketArray)),
	}
	random := fn("random", "A number from 0 up to, not including, 1.", Example{`SELECT random() < 1`, "t"}, of("", "float8", randomFloat))
	seed := fn("setseed", "Starts the sequence of random() that belongs to a seed between -1 and 1.", Example{`SELECT setseed(0.5) IS NULL`, "f"},
		of("float8", "void", setSeed))
	random.Volatility, seed.Volatility = Volatile, Volatile
	return append(out, random, seed)
}
