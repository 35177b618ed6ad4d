package parser

import (
	"strings"
	"unicode/utf8"

	"github.com/alecthomas/participle/v2/lexer"

	"raisind/pgerr"
)

// scanner cuts SQL text into tokens by PostgreSQL's rules. Its zero value with
// src set is ready.
type scanner struct {
	src   string
	pos   int // next byte
	start int // first byte of the token scanned last
	err   *pgerr.Error

	// behindUescape says that a plain string must follow: U&'...' is none, and
	// not looking for its UESCAPE keeps the lookahead from nesting.
	behindUescape bool
}

// What a byte may be part of.
const (
	chSpace = 1 << iota
	chWordStart
	chWord
	chDigit
	chOp
	chSelf // a token by itself
	chUpper
)

var chars = func() (t [256]uint8) {
	for _, c := range " \t\n\r\f" {
		t[c] |= chSpace
	}
	for c := 0; c < 256; c++ {
		lower, upper := 'a' <= c && c <= 'z', 'A' <= c && c <= 'Z'
		if lower || upper || c == '_' || c >= 0x80 {
			t[c] |= chWordStart | chWord
		}
		if upper {
			t[c] |= chUpper
		}
		if '0' <= c && c <= '9' {
			t[c] |= chDigit | chWord
		}
	}
	t['$'] |= chWord
	for _, c := range "~!@#^&|`?+-*/%<>=" {
		t[c] |= chOp
	}
	for _, c := range ",()[].;:+-*/%^<>=" {
		t[c] |= chSelf
	}
	return t
}()

// peek is the byte n past the next one, 0 beyond the end.
func (s *scanner) peek(n int) byte {
	if s.pos+n < len(s.src) {
		return s.src[s.pos+n]
	}
	return 0
}

// scan reads one token. On tokBad the error is in s.err.
func (s *scanner) scan() (lexer.TokenType, string) {
	if bad := s.skip(); bad {
		return tokBad, ""
	}
	s.start = s.pos
	if s.pos >= len(s.src) {
		return tokEOF, ""
	}
	c := s.src[s.pos]
	kind := chars[c]
	switch {
	case kind&chWordStart != 0:
		if s.peek(1) == '\'' || s.peek(1) == '&' {
			if typ, value, ok := s.prefixed(c | 0x20); ok {
				return typ, value
			}
		}
		return s.word()
	case kind&chDigit != 0 || c == '.' && chars[s.peek(1)]&chDigit != 0:
		return s.number()
	case c == '\'':
		return s.plain(tokString, "unterminated quoted string")
	case c == '"':
		return s.quotedIdent()
	case c == '$':
		return s.dollar()
	case kind&chOp != 0:
		return s.operator()
	}
	return s.punctuation(c)
}

// skip moves to the next token over white space and comments; true when a
// comment does not end.
func (s *scanner) skip() bool {
	for s.pos < len(s.src) {
		switch c := s.src[s.pos]; {
		case chars[c]&chSpace != 0:
			s.pos++
		case c == '-' && s.peek(1) == '-':
			s.pos = s.lineEnd(s.pos)
		case c == '/' && s.peek(1) == '*':
			if !s.comment() {
				return true
			}
		default:
			return false
		}
	}
	return false
}

func (s *scanner) lineEnd(from int) int {
	if n := strings.IndexAny(s.src[from:], "\n\r"); n >= 0 {
		return from + n
	}
	return len(s.src)
}

// comment skips a comment, which may hold others.
func (s *scanner) comment() bool {
	s.start = s.pos
	depth := 0
	for i := s.pos; i+1 < len(s.src); {
		switch {
		case s.src[i] == '/' && s.src[i+1] == '*':
			depth++
			i += 2
		case s.src[i] == '*' && s.src[i+1] == '/':
			depth--
			i += 2
			if depth == 0 {
				s.pos = i
				return true
			}
		default:
			i++
		}
	}
	s.unterminated("unterminated /* comment")
	return false
}

func (s *scanner) word() (lexer.TokenType, string) {
	i, upper := s.pos, uint8(0)
	for i < len(s.src) && chars[s.src[i]]&chWord != 0 {
		upper |= chars[s.src[i]]
		i++
	}
	word := s.src[s.pos:i]
	s.pos = i
	if upper&chUpper == 0 {
		if len(word) <= maxKeywordBytes {
			if t, ok := keywordTypes[word]; ok {
				return t, word
			}
		}
		return tokIdent, truncate(word)
	}
	var buf [maxIdentBytes + 1]byte
	if len(word) < len(buf) {
		folded := fold(buf[:0], word)
		if t, ok := keywordTypes[string(folded)]; ok {
			return t, keywordOf(t).word
		}
		return tokIdent, string(folded)
	}
	return tokIdent, truncate(string(fold(nil, word)))
}

// fold appends word with A-Z in lower case; other letters stay, as in PostgreSQL
// with UTF-8.
func fold(dst []byte, word string) []byte {
	for i := 0; i < len(word); i++ {
		c := word[i]
		if chars[c]&chUpper != 0 {
			c |= 0x20
		}
		dst = append(dst, c)
	}
	return dst
}

// truncate cuts an identifier to 63 bytes, not inside a character.
func truncate(s string) string {
	if len(s) <= maxIdentBytes {
		return s
	}
	for n := maxIdentBytes; n > maxIdentBytes-utf8.UTFMax; n-- {
		if utf8.RuneStart(s[n]) {
			return s[:n]
		}
	}
	return s[:maxIdentBytes] // no UTF-8 at all
}

// number scans integers, decimals and exponents; a letter right after one is an
// error, 1..2 is 1 and .. .
func (s *scanner) number() (lexer.TokenType, string) {
	typ := tokInt
	i := s.digits(s.pos)
	if i < len(s.src) && s.src[i] == '.' && !(i > s.pos && i+1 < len(s.src) && s.src[i+1] == '.') {
		typ = tokNumber
		i = s.digits(i + 1)
	}
	junk := false
	if i < len(s.src) && s.src[i]|0x20 == 'e' {
		j := i + 1
		signed := j < len(s.src) && (s.src[j] == '+' || s.src[j] == '-')
		if signed {
			j++
		}
		if end := s.digits(j); end > j {
			typ, i = tokNumber, end
		} else if signed {
			junk, i = true, j
		}
	}
	if !junk && i < len(s.src) && chars[s.src[i]]&chWordStart != 0 {
		junk = true
		for i < len(s.src) && chars[s.src[i]]&chWord != 0 {
			i++
		}
	}
	value := s.src[s.pos:i]
	s.pos = i
	if junk {
		return s.fail(pgerr.SyntaxError, "trailing junk after numeric literal", s.start, i)
	}
	return typ, value
}

func (s *scanner) digits(i int) int {
	for i < len(s.src) && chars[s.src[i]]&chDigit != 0 {
		i++
	}
	return i
}

// dollar scans $1, $$...$$ and $tag$...$tag$; the value of a parameter is its
// digits.
func (s *scanner) dollar() (lexer.TokenType, string) {
	i := s.pos + 1
	if end := s.digits(i); end > i {
		if end < len(s.src) && chars[s.src[end]]&chWordStart != 0 {
			for end < len(s.src) && chars[s.src[end]]&chWord != 0 {
				end++
			}
			s.pos = end
			return s.fail(pgerr.SyntaxError, "trailing junk after parameter", s.start, end)
		}
		s.pos = end
		return tokParam, s.src[i:end]
	}
	for i < len(s.src) && chars[s.src[i]]&chWord != 0 && s.src[i] != '$' {
		i++
	}
	if i >= len(s.src) || s.src[i] != '$' {
		s.pos++
		return '$', "$"
	}
	tag := s.src[s.pos : i+1]
	n := strings.Index(s.src[i+1:], tag)
	if n < 0 {
		return s.unterminated("unterminated dollar-quoted string")
	}
	s.pos = i + 1 + n + len(tag)
	return tokString, s.src[s.start:s.pos]
}

// operator scans the longest run of operator characters that does not start a
// comment and, being of several characters, ends in + or - only when it also
// holds one that no SQL operator has.
func (s *scanner) operator() (lexer.TokenType, string) {
	i := s.pos
	for i < len(s.src) && chars[s.src[i]]&chOp != 0 {
		if i+1 < len(s.src) && (s.src[i] == '/' && s.src[i+1] == '*' || s.src[i] == '-' && s.src[i+1] == '-') {
			break
		}
		i++
	}
	op := s.src[s.pos:i]
	if n := len(op); n > 1 && (op[n-1] == '+' || op[n-1] == '-') && !strings.ContainsAny(op, "~!@#^&|`?%") {
		op = strings.TrimRight(op, "+-")
		if op == "" {
			op = s.src[s.pos : s.pos+1]
		}
	}
	s.pos += len(op)
	switch {
	case len(op) == 1 && chars[op[0]]&chSelf != 0:
		return lexer.TokenType(op[0]), op
	case op == "<=":
		return tokLE, op
	case op == ">=":
		return tokGE, op
	case op == "<>" || op == "!=":
		return tokNE, "<>"
	case op == "=>":
		return tokArrow, op
	case len(op) > maxIdentBytes:
		return s.fail(pgerr.SyntaxError, "operator too long", s.start, s.pos)
	}
	return tokOp, op
}

func (s *scanner) punctuation(c byte) (lexer.TokenType, string) {
	switch {
	case c == ':' && s.peek(1) == ':':
		s.pos += 2
		return tokCast, "::"
	case c == ':' && s.peek(1) == '=':
		s.pos += 2
		return tokAssign, ":="
	case c == '.' && s.peek(1) == '.':
		s.pos += 2
		return tokDots, ".."
	}
	s.pos++
	return lexer.TokenType(c), s.src[s.start:s.pos]
}

// fail records an error that shows the text from..to; tokBad follows.
func (s *scanner) fail(code pgerr.Code, msg string, from, to int) (lexer.TokenType, string) {
	if from >= len(s.src) {
		s.err = pgerr.New(code, "%s at end of input", msg)
	} else {
		s.err = pgerr.New(code, "%s at or near \"%s\"", msg, s.src[from:to])
	}
	s.err.At(pgerr.CharPos(s.src, from))
	return tokBad, ""
}

func (s *scanner) unterminated(msg string) (lexer.TokenType, string) {
	s.pos = len(s.src)
	return s.fail(pgerr.SyntaxError, msg, s.start, len(s.src))
}
