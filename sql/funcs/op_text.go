package funcs

import (
	"raisind/sql/types"
)

func textOps() []Func {
	op := func(symbol, name string, v Volatility, doc string, overloads ...Overload) Func {
		return Func{Name: name, Operator: symbol, Group: groupText, Volatility: v, Doc: doc, Overloads: overloads}
	}
	return []Func{
		op("||", "textcat", Immutable, "Joins two texts.", of("text,text", "text", concatStr)),
		op("||", "byteacat", Immutable, "Joins two binary strings.", of("bytea,bytea", "bytea", concatStr)),
		op("||", "anytextcat", Stable, "Joins a text and the text of another value.",
			typed("text,anynonarray", "text", func(args []*types.Type) EvalFunc {
				text := textOf(args[1])
				return func(fc *Ctx, a []types.Datum) (types.Datum, error) {
					return types.Str(a[0].Str() + text(fc, a[1])), nil
				}
			}),
			typed("anynonarray,text", "text", func(args []*types.Type) EvalFunc {
				text := textOf(args[0])
				return func(fc *Ctx, a []types.Datum) (types.Datum, error) {
					return types.Str(text(fc, a[0]) + a[1].Str()), nil
				}
			})),
	}
}

func concatStr(_ *Ctx, args []types.Datum) (types.Datum, error) {
	return types.Str(args[0].Str() + args[1].Str()), nil
}

// textOf gives what a cast of t to text gives: true and false spelled out, else the
// text form.
func textOf(t *types.Type) func(fc *Ctx, d types.Datum) string {
	switch t.Name {
	case "text", "varchar", "name", "unknown", "json", "jsonb":
		return func(_ *Ctx, d types.Datum) string { return d.Str() }
	case "bool":
		return func(_ *Ctx, d types.Datum) string {
			if d.Bool() {
				return "true"
			}
			return "false"
		}
	case "bpchar":
		return func(_ *Ctx, d types.Datum) string { return trimBlanks(d.Str()) }
	}
	return outputOf(t)
}

// outputOf gives the text form of t: what a client reads.
func outputOf(t *types.Type) func(fc *Ctx, d types.Datum) string {
	switch t.Name {
	case "text", "varchar", "name", "unknown", "json", "jsonb", "bpchar":
		return func(_ *Ctx, d types.Datum) string { return d.Str() }
	}
	return func(fc *Ctx, d types.Datum) string {
		var buf [64]byte
		return string(t.AppendText(buf[:0], d, fc.Env))
	}
}

func trimBlanks(s string) string {
	for len(s) > 0 && s[len(s)-1] == ' ' {
		s = s[:len(s)-1]
	}
	return s
}
