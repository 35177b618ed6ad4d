package types

import (
	"raisind/pgerr"
)

func init() {
	trim := func(_ *Env, d Datum) (Datum, error) { return Str(trimBlanks(d.str)), nil }
	name := func(_ *Env, d Datum) (Datum, error) { return Str(TruncateName(d.str)), nil }
	char := func(_ *Env, d Datum) (Datum, error) { return Str(d.str[:min(len(d.str), 1)]), nil }

	addCast(TText, TVarchar, Implicit, nil)
	addCast(TText, TBPChar, Implicit, nil)
	addCast(TVarchar, TText, Implicit, nil)
	addCast(TVarchar, TBPChar, Implicit, nil)
	addCast(TBPChar, TText, Implicit, trim)
	addCast(TBPChar, TVarchar, Implicit, trim)
	addCast(TPgNodeTree, TText, Implicit, nil)

	addCast(TName, TText, Implicit, keep)
	addCast(TName, TVarchar, Assignment, keep)
	addCast(TName, TBPChar, Assignment, keep)
	addCast(TText, TName, Implicit, name)
	addCast(TVarchar, TName, Implicit, name)
	addCast(TBPChar, TName, Implicit, func(_ *Env, d Datum) (Datum, error) { return Str(trimBlanks(TruncateName(d.str))), nil })

	addCast(TChar, TText, Implicit, keep)
	addCast(TChar, TVarchar, Assignment, keep)
	addCast(TChar, TBPChar, Assignment, keep)
	for _, from := range [3]*Type{TText, TVarchar, TBPChar} {
		addCast(from, TChar, Assignment, char)
	}
	addCast(TChar, TInt4, Explicit, func(_ *Env, d Datum) (Datum, error) { return Int(int64(int8(charByte(d.str)))), nil })
	addCast(TInt4, TChar, Explicit, func(_ *Env, d Datum) (Datum, error) {
		if d.num < -128 || d.num > 127 {
			return Null, pgerr.New(pgerr.NumericValueOutOfRange, "\"char\" out of range")
		}
		return Str(charText(byte(d.num))), nil
	})

	word := func(_ *Env, d Datum) (Datum, error) {
		if d.Bool() {
			return Str("true"), nil
		}
		return Str("false"), nil
	}
	for _, to := range [3]*Type{TText, TVarchar, TBPChar} {
		addCast(TBool, to, Assignment, word)
	}
	addCast(TJSON, TJSONB, Assignment, func(_ *Env, d Datum) (Datum, error) {
		s, err := CanonicalJSONB(d.str)
		return Str(s), err
	})
	addCast(TJSONB, TJSON, Assignment, keep)
}
