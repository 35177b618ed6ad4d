package funcs

import (
	"strings"

	"raisind/sql/types"
)

// quotedWords are the key words that quote_ident puts in quotes: all of PostgreSQL's
// that are not plain names everywhere.
var quotedWords = func() map[string]bool {
	m := map[string]bool{}
	for w := range strings.FieldsSeq(`
		all analyse analyze and any array as asc asymmetric authorization between bigint binary bit boolean both case
		cast char character check coalesce collate collation column concurrently constraint create cross
		current_catalog current_date current_role current_schema current_time current_timestamp current_user dec
		decimal default deferrable desc distinct do else end except exists extract false fetch float for foreign
		freeze from full grant greatest group grouping having ilike in initially inner inout int integer intersect
		interval into is isnull join lateral leading least left like limit localtime localtimestamp national natural
		nchar none normalize not notnull null nullif numeric offset on only or order out outer overlaps overlay
		placing position precision primary real references returning right row select session_user setof similar
		smallint some substring symmetric table tablesample then time timestamp to trailing treat trim true union
		unique user using values varchar variadic verbose when where window with xmlattributes xmlconcat xmlelement
		xmlexists xmlforest xmlnamespaces xmlparse xmlpi xmlroot xmlserialize xmltable`) {
		m[w] = true
	}
	return m
}()

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
