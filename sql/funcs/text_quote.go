package funcs

import (
	"strings"

	"raisind/sql/types"
)

// quoteIdent puts a name in quotes where it would be read as something else.
func quoteIdent(s string) string {
	safe := s != "" && (s[0] >= 'a' && s[0] <= 'z' || s[0] == '_')
	for i := 1; safe && i < len(s); i++ {
		c := s[i]
		safe = c >= 'a' && c <= 'z' || c >= '0' && c <= '9' || c == '_'
	}
	if safe && !quotedWords[s] {
		return s
	}
	return `"` + strings.ReplaceAll(s, `"`, `""`) + `"`
}

// quoteLiteral writes a string constant; with a backslash inside it is an E'…' one.
func quoteLiteral(s string) string {
	q := `'` + strings.ReplaceAll(s, `'`, `''`) + `'`
	if strings.Contains(s, `\`) {
		q = ` E` + strings.ReplaceAll(q, `\`, `\\`)
		q = q[1:]
	}
	return q
}

func quoteIdentFunc(_ *Ctx, args []types.Datum) (types.Datum, error) {
	return types.Str(quoteIdent(args[0].Str())), nil
}

func quoteLiteralText(_ *Ctx, args []types.Datum) (types.Datum, error) {
	return types.Str(quoteLiteral(args[0].Str())), nil
}

func quoteNullableText(_ *Ctx, args []types.Datum) (types.Datum, error) {
	if args[0].IsNull() {
		return types.Str("NULL"), nil
	}
	return types.Str(quoteLiteral(args[0].Str())), nil
}

// quoteAny quotes the text of any value.
func quoteAny(ts []*types.Type) EvalFunc {
	text := textOf(ts[0])
	return func(fc *Ctx, args []types.Datum) (types.Datum, error) {
		if args[0].IsNull() {
			return types.Str("NULL"), nil
		}
		return types.Str(quoteLiteral(text(fc, args[0]))), nil
	}
}
