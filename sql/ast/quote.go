package ast

import "strings"

// quotedWords are PostgreSQL's keywords that cannot be a name everywhere without
// quotes.
var quotedWords = func() map[string]bool {
	m := map[string]bool{}
	for _, w := range strings.Fields(keywordsToQuote) {
		m[w] = true
	}
	return m
}()

const keywordsToQuote = "all analyse analyze and any array as asc asymmetric authorization between bigint binary bit boolean both case " +
	"cast char character check coalesce collate collation column concurrently constraint create cross " +
	"current_catalog current_date current_role current_schema current_time current_timestamp current_user dec " +
	"decimal default deferrable desc distinct do else end except exists extract false fetch float for foreign " +
	"freeze from full grant greatest group grouping having ilike in initially inner inout int integer intersect " +
	"interval into is isnull join lateral leading least left like limit localtime localtimestamp national natural " +
	"nchar none normalize not notnull null nullif numeric offset on only or order out outer overlaps overlay " +
	"placing position precision primary real references returning right row select session_user setof similar " +
	"smallint some substring symmetric table tablesample then time timestamp to trailing treat trim true union " +
	"unique user using values varchar variadic verbose when where window with xmlattributes xmlconcat xmlelement " +
	"xmlexists xmlforest xmlnamespaces xmlparse xmlpi xmlroot xmlserialize xmltable"

// QuoteIdent returns name as an identifier, in double quotes where PostgreSQL's
// quote_ident would use them.
func QuoteIdent(name string) string {
	if isPlainName(name) && !quotedWords[name] {
		return name
	}
	return `"` + strings.ReplaceAll(name, `"`, `""`) + `"`
}

func isPlainName(name string) bool {
	for i := 0; i < len(name); i++ {
		c := name[i]
		if c == '_' || 'a' <= c && c <= 'z' || i > 0 && '0' <= c && c <= '9' {
			continue
		}
		return false
	}
	return name != ""
}

// QuoteLiteral returns s as a string constant.
func QuoteLiteral(s string) string {
	return "'" + strings.ReplaceAll(s, "'", "''") + "'"
}
