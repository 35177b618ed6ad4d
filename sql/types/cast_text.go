package types

import (
	"raisind/pgerr"
)

func init() {
	trim := func(_ *Env, d Datum) (Datum, error) { return Str(trimBlanks(d.str)), nil }
	name := func(_ *Env, d Datum) (Datum, error) { return Str(TruncateName(d.str)), nil }
	char := func(_ *Env, d Datum) (Datum, error) { return Str(d.str[:min(len(d.str), 1)]), nil }

	addCast(Text, Varchar, Implicit, nil)
	addCast(Text, BPChar, Implicit, nil)
	addCast(Varchar, Text, Implicit, nil)
	addCast(Varchar, BPChar, Implicit, nil)
	addCast(BPChar, Text, Implicit, trim)
	addCast(BPChar, Varchar, Implicit, trim)
	addCast(PgNodeTree, Text, Implicit, nil)

	addCast(Name, Text, Implicit, keep)
	addCast(Name, Varchar, Assignment, keep)
	addCast(Name, BPChar, Assignment, keep)
	addCast(Text, Name, Implicit, name)
	addCast(Varchar, Name, Implicit, name)
	addCast(BPChar, Name, Implicit, func(_ *Env, d Datum) (Datum, error) { return Str(trimBlanks(TruncateName(d.str))), nil })

	addCast(Char, Text, Implicit, keep)
	addCast(Char, Varchar, Assignment, keep)
	addCast(Char, BPChar, Assignment, keep)
	for _, from := range [3]*Type{Text, Varchar, BPChar} {
		addCast(from, Char, Assignment, char)
	}
	addCast(Char, Int4, Explicit, func(_ *Env, d Datum) (Datum, error) { return Int(int64(int8(charByte(d.str)))), nil })
	addCast(Int4, Char, Explicit, func(_ *Env, d Datum) (Datum, error) {
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
	for _, to := range [3]*Type{Text, Varchar, BPChar} {
		addCast(BoolT, to, Assignment, word)
	}
	addCast(JSON, JSONB, Assignment, func(_ *Env, d Datum) (Datum, error) {
		s, err := CanonicalJSONB(d.str)
		return Str(s), err
	})
	addCast(JSONB, JSON, Assignment, keep)
}
