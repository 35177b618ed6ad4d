package funcs

import (
	"math"
	"math/big"
	"strconv"
	"strings"

	"raisind/sql/types"
)

func numericToChar(_ *Ctx, args []types.Datum) (types.Datum, error) {
	return numberToChar(numberOf(args[0]), args[1].Str())
}

func intToChar(_ *Ctx, args []types.Datum) (types.Datum, error) {
	return numberToChar(numberOfInt(args[0].Int()), args[1].Str())
}

func numberToChar(n number, template string) (types.Datum, error) {
	f, err := parseNumberFormat(template)
	if err != nil {
		return types.Null, err
	}
	switch {
	case f.roman:
		v, err := types.NumericToInt(n.round(0).decimal(), types.TInt4)
		if err != nil {
			return types.Null, err
		}
		return types.Str(f.write(roman(v, true), '+', 0)), nil
	case f.scientific:
		return types.Str(scientific(n, f)), nil
	}
	if f.shift {
		n = n.mul(number{coef: pow10(f.multi)})
		f.pre += f.multi
	}
	n = n.round(f.post)
	text := string(types.TNumeric.AppendText(nil, types.Ref(n.abs().decimal()), nil))
	if n.isNaN() || n.isInf() {
		text = strings.TrimPrefix(text, "-")
	}
	return types.Str(f.fit(text, n.sign() < 0)), nil
}

// roman writes 1 to 3999; other numbers are filled with #.
func roman(v int64, ok bool) string {
	if !ok || v < 1 || v > 3999 {
		return strings.Repeat("#", 15)
	}
	var b strings.Builder
	for _, r := range []struct {
		v int64
		s string
	}{{1000, "M"}, {900, "CM"}, {500, "D"}, {400, "CD"}, {100, "C"}, {90, "XC"}, {50, "L"}, {40, "XL"}, {10, "X"}, {9, "IX"}, {5, "V"}, {4, "IV"}, {1, "I"}} {
		for v >= r.v {
			b.WriteString(r.s)
			v -= r.v
		}
	}
	return b.String()
}

// scientific writes one digit, the point, digits and an exponent of two digits at least.
func scientific(n number, f *numberFormat) string {
	if !n.finite() {
		return " " + strings.Repeat("#", f.pre) + "." + strings.Repeat("#", f.post+4)
	}
	sign := " "
	if n.sign() < 0 {
		sign = "-"
	}
	a := n.abs()
	exp := 0
	mantissa := number{coef: new(big.Int)}.round(f.post)
	if !a.isZero() {
		exp = a.digits() - a.scale - 1
		shifted := number{coef: a.coef, scale: a.digits() - 1} // d.ddd
		if mantissa = shifted.round(f.post); mantissa.cmp(numberOfInt(10)) >= 0 {
			exp++
			mantissa = number{coef: a.coef, scale: a.digits()}.round(f.post)
		}
	}
	text := string(types.TNumeric.AppendText(nil, types.Ref(mantissa.decimal()), nil))
	e := strconv.Itoa(int(abs64(int64(exp))))
	if len(e) < 2 {
		e = "0" + e
	}
	return sign + text + "e" + string(signOf(int64(exp))) + e
}

// floatToChar keeps no more digits than the type has: 15 of a double, 6 of a real.
func floatToChar(digits int) EvalFunc {
	return func(_ *Ctx, args []types.Datum) (types.Datum, error) {
		v, template := args[0].Float(), args[1].Str()
		f, err := parseNumberFormat(template)
		if err != nil {
			return types.Null, err
		}
		switch {
		case f.roman:
			r := math.RoundToEven(v)
			return types.Str(f.write(roman(int64(r), r >= 1 && r < 4000), '+', 0)), nil
		case f.scientific && (math.IsNaN(v) || isInf(v)):
			return types.Str(scientific(nan(), f)), nil
		case f.scientific:
			s := strconv.FormatFloat(v, 'e', f.post, 64)
			if !strings.HasPrefix(s, "-") {
				s = " " + s
			}
			return types.Str(s), nil
		}
		if f.shift {
			v *= math.Pow(10, float64(f.multi))
			f.pre += f.multi
		}
		whole := len(strconv.FormatFloat(math.Abs(v), 'f', 0, 64))
		if whole >= digits {
			f.post = 0
		} else {
			f.post = min(f.post, digits-whole)
		}
		text := strings.ToLower(strconv.FormatFloat(math.Abs(v), 'f', f.post, 64))
		text = strings.TrimPrefix(text, "+")
		return types.Str(f.fit(text, v < 0)), nil
	}
}
