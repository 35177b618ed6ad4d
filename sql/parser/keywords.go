package parser

import "github.com/alecthomas/participle/v2/lexer"

//go:generate go run gen_keywords.go

// class says where a keyword may stand as a name.
type class uint8

const (
	unreserved   class = iota // anywhere
	colName                   // anywhere but as a function or type
	typeFuncName              // as a function or type only
	reserved                  // only as a label after AS, or after a dot
)

type keyword struct {
	word  string
	class class
	bare  bool // may be a column label without AS
}

var keywordTypes = func() map[string]lexer.TokenType {
	m := make(map[string]lexer.TokenType, len(keywords))
	for i, k := range keywords {
		m[k.word] = firstKeyword + lexer.TokenType(i)
	}
	return m
}()

// maxKeywordBytes is the length of the longest keyword, current_timestamp.
const maxKeywordBytes = 17

func isKeyword(t lexer.TokenType) bool { return t >= firstKeyword }

func keywordOf(t lexer.TokenType) keyword { return keywords[t-firstKeyword] }

// isColID reports whether t may name a column, table or alias.
func isColID(t lexer.TokenType) bool {
	return t == tokIdent || t == tokQuoted || isKeyword(t) && keywordOf(t).class <= colName
}

// isTypeFuncName reports whether t may name a function or a type.
func isTypeFuncName(t lexer.TokenType) bool {
	return t == tokIdent || t == tokQuoted || isKeyword(t) && (keywordOf(t).class == unreserved || keywordOf(t).class == typeFuncName)
}

// isColLabel reports whether t may stand after AS or a dot.
func isColLabel(t lexer.TokenType) bool { return t == tokIdent || t == tokQuoted || isKeyword(t) }

// isNonReserved is PostgreSQL's NonReservedWord: everything but the reserved.
func isNonReserved(t lexer.TokenType) bool {
	return t == tokIdent || t == tokQuoted || isKeyword(t) && keywordOf(t).class != reserved
}

// isBareLabel reports whether t may label a column without AS.
func isBareLabel(t lexer.TokenType) bool {
	return t == tokIdent || t == tokQuoted || isKeyword(t) && keywordOf(t).bare
}
