package ast

import "testing"

func TestQuoteIdent(t *testing.T) {
	for name, want := range map[string]string{
		"fleet": "fleet", "a_1": "a_1", "1a": `"1a"`, "": `""`, "Fleet": `"Fleet"`, "a b": `"a b"`, `a"b`: `"a""b"`, "a$": `"a$"`,
		"é": `"é"`, "select": `"select"`, "int": `"int"`, "left": `"left"`, "index": "index", "path": "path", "value": "value",
	} {
		if got := QuoteIdent(name); got != want {
			t.Errorf("%q: %s, want %s", name, got, want)
		}
	}
}

func TestQuoteLiteral(t *testing.T) {
	for text, want := range map[string]string{"": "''", "it's": "'it''s'", `a\b`: `'a\b'`} {
		if got := QuoteLiteral(text); got != want {
			t.Errorf("%q: %s, want %s", text, got, want)
		}
	}
}
