package parser

import (
	"github.com/alecthomas/participle/v2/lexer"

	"raisind/sql/ast"
)

// Token is one token of a text, for a grammar that embeds SQL.
type Token struct {
	Kind TokenKind
	// Text is a word in lower case, the value of a quoted name or of a string, the
	// digits of a number or parameter, else the characters themselves.
	Text string
	// Start and End bound the token in the text, in bytes.
	Start, End int
}

// TokenKind tells tokens apart.
type TokenKind uint8

// The kinds of tokens.
const (
	TokenEnd    TokenKind = iota
	TokenWord             // a name without quotes, or a keyword
	TokenQuoted           // a name in quotes
	TokenString
	TokenInt
	TokenNumber
	TokenParam
	TokenOther // an operator or punctuation
)

// Tokens cuts a text into tokens, the last of which is of kind TokenEnd. Errors carry
// their position in the text.
func Tokens(sql string) ([]Token, error) {
	if err := checkLength(sql); err != nil {
		return nil, err
	}
	s := scanner{src: sql}
	out := make([]Token, 0, len(sql)/4+1)
	for {
		typ, value := s.scan()
		if typ == tokBad {
			return nil, s.err
		}
		if len(out) > MaxTokens {
			return nil, errTooLong()
		}
		t := Token{Kind: TokenOther, Text: value, Start: s.start, End: s.pos}
		switch {
		case typ == tokEOF:
			t.Kind, t.End = TokenEnd, s.start
			return append(out, t), nil
		case typ == tokIdent || isKeyword(typ):
			t.Kind = TokenWord
		case typ == tokQuoted:
			t.Kind, t.Text = TokenQuoted, identValue(&lexer.Token{Type: typ, Value: value})
		case typ == tokString:
			t.Kind, t.Text = TokenString, stringValue(value)
		case typ == tokInt:
			t.Kind = TokenInt
		case typ == tokNumber:
			t.Kind = TokenNumber
		case typ == tokParam:
			t.Kind = TokenParam
		}
		out = append(out, t)
	}
}

// IsReserved reports whether a word is a reserved keyword of SQL.
func IsReserved(word string) bool {
	t, ok := keywordTypes[word]
	return ok && !isColID(t)
}

// ParseType parses the name of a type, which may be name%TYPE; positions count from the
// start of its first token.
func ParseType(sql string) (ast.TypeName, error) {
	if err := checkLength(sql); err != nil {
		return ast.TypeName{}, err
	}
	src := newSource(sql)
	lex, err := lexer.Upgrade(src)
	if err != nil {
		return ast.TypeName{}, err
	}
	p := newParser(lex)
	t := p.funcType()
	p.end()
	if p.err != nil {
		return ast.TypeName{}, report(src, lex, p.err)
	}
	return t, nil
}
