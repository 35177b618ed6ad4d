package parser

import (
	"io"

	"github.com/alecthomas/participle/v2/lexer"
)

// Token types. A single character such as ( or + is a token of that character's
// code. Values: words are folded to lower case and cut to 63 bytes; strings and
// quoted identifiers keep quotes and escapes (so that no literal of the grammar
// can match them) until stringValue and identValue; all alias the text.
const (
	tokEOF    = lexer.EOF
	tokIdent  = lexer.TokenType(iota + 256)
	tokQuoted // "x", U&"x"
	tokString // 'x', E'x', U&'x', $$x$$
	tokBits   // B'x', X'x'
	tokInt
	tokNumber // with a point or an exponent
	tokParam  // $1
	tokOp     // an operator that is not one of those below or a single character
	tokCast   // ::
	tokDots   // ..
	tokAssign // :=
	tokArrow  // =>
	tokLE
	tokGE
	tokNE  // <> and !=
	tokBad // what cannot be scanned; scanning it again gives the error

	firstKeyword = lexer.TokenType(1024)
)

// maxIdentBytes is PostgreSQL's NAMEDATALEN - 1.
const maxIdentBytes = 63

// definition presents the scanner to participle.
type definition struct{}

// Symbols implements lexer.Definition.
func (definition) Symbols() map[string]lexer.TokenType {
	return map[string]lexer.TokenType{
		"EOF": tokEOF, "Ident": tokIdent, "Quoted": tokQuoted, "String": tokString, "Bits": tokBits,
		"Int": tokInt, "Number": tokNumber, "Param": tokParam, "Op": tokOp, "Bad": tokBad,
	}
}

// Lex implements lexer.Definition.
func (definition) Lex(_ string, r io.Reader) (lexer.Lexer, error) {
	text, err := io.ReadAll(r)
	if err != nil {
		return nil, err
	}
	return newSource(string(text)), nil
}

// source cuts a text into statements: as a lexer.Lexer it answers the tokens of
// one statement, then EOF; after next those of the following one. Offsets count
// from the statement's first token.
type source struct {
	scanner
	base   int // offset of the statement's first token in the text, -1 before it
	end    int // offset of what ended the statement: a semicolon, or the text's length
	done   bool
	tokens int
	parens int
	limit  error // what bad stands for when a limit of ours was exceeded
	bad    int   // offset in the text of the token that exceeded it

	// CREATE FUNCTION ... BEGIN ATOMIC ...; END holds semicolons of its own.
	words  [4]lexer.TokenType // the first tokens of the statement
	prev   lexer.TokenType
	atomic int
}

func newSource(sql string) *source { return &source{scanner: scanner{src: sql}, base: -1} }

// next starts the following statement and reports whether there may be one.
func (s *source) next() bool {
	if s.done {
		return false
	}
	s.base, s.tokens, s.parens, s.atomic, s.prev = -1, 0, 0, 0, 0
	s.words = [4]lexer.TokenType{}
	return true
}

// Next implements lexer.Lexer; it never fails, what cannot be scanned is tokBad
// and ends the text.
func (s *source) Next() (lexer.Token, error) {
	if s.done {
		return s.token(tokEOF, "", s.end), nil
	}
	typ, value := s.scan()
	if s.base < 0 {
		s.base = s.start
	}
	switch typ {
	case ';':
		if s.atomic == 0 {
			s.end = s.start
			return s.token(tokEOF, "", s.start), nil
		}
	case tokEOF, tokBad:
		s.done, s.end = true, s.start
		return s.token(typ, "", s.start), nil
	case '(', '[':
		if s.parens++; s.parens > MaxDepth {
			return s.exceed(errTooDeep()), nil
		}
	case ')', ']':
		s.parens--
	default:
		if isKeyword(typ) {
			s.countBodies(typ)
		}
	}
	if s.tokens < len(s.words) {
		s.words[s.tokens] = typ
	}
	if s.tokens++; s.tokens > MaxTokens {
		return s.exceed(errTooLong()), nil
	}
	s.prev = typ
	return s.token(typ, value, s.start), nil
}

func (s *source) token(typ lexer.TokenType, value string, at int) lexer.Token {
	return lexer.Token{Type: typ, Value: value, Pos: lexer.Position{Offset: at - s.base}}
}

func (s *source) exceed(err error) lexer.Token {
	s.done, s.end, s.limit, s.bad = true, s.start, err, s.start
	return s.token(tokBad, "", s.start)
}

// countBodies keeps track of BEGIN ATOMIC ... END in a function's definition.
func (s *source) countBodies(typ lexer.TokenType) {
	switch typ {
	case kwAtomic:
		if s.prev == kwBegin && s.atomic == 0 && s.definesRoutine() {
			s.atomic = 1
		}
	case kwCase:
		if s.atomic > 0 {
			s.atomic++
		}
	case kwEnd:
		if s.atomic > 0 {
			s.atomic--
		}
	}
}

func (s *source) definesRoutine() bool {
	w := s.words[1]
	if w == kwOr {
		w = s.words[3]
	}
	return s.words[0] == kwCreate && (w == kwFunction || w == kwProcedure)
}
