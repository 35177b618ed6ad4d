package parser

import (
	"strings"
	"unicode/utf8"

	"github.com/alecthomas/participle/v2/lexer"

	"raisind/pgerr"
)

// plain scans '...', in which only a doubled quote is special, with its parts on
// following lines.
func (s *scanner) plain(typ lexer.TokenType, unterminated string) (lexer.TokenType, string) {
	end := s.quoted(strings.IndexByte(s.src[s.pos:], '\'')+s.pos, '\'')
	if end < 0 {
		return s.unterminated(unterminated)
	}
	s.pos = end
	return typ, s.src[s.start:end]
}

// quoted returns the offset behind the text quoted by quote at from, or -1.
func (s *scanner) quoted(from int, quote byte) int {
	for i := from + 1; ; {
		n := strings.IndexByte(s.src[i:], quote)
		if n < 0 {
			return -1
		}
		i += n + 1
		if i < len(s.src) && s.src[i] == quote {
			i++
			continue
		}
		if quote == '\'' {
			if next := continuation(s.src, i); next > 0 {
				i = next
				continue
			}
		}
		return i
	}
}

// continuation returns the offset behind the opening quote that goes on with the
// string that ended before i: white space with a line break, then a quote. 0 for
// none.
func continuation(src string, i int) int {
	newline := false
	for i < len(src) {
		switch c := src[i]; {
		case c == '\n' || c == '\r':
			newline = true
			i++
		case chars[c]&chSpace != 0:
			i++
		case c == '-' && i+1 < len(src) && src[i+1] == '-':
			n := strings.IndexAny(src[i:], "\n\r")
			if n < 0 {
				return 0
			}
			i += n
		case c == '\'' && newline:
			return i + 1
		default:
			return 0
		}
	}
	return 0
}

func (s *scanner) quotedIdent() (lexer.TokenType, string) {
	end := s.quoted(s.pos, '"')
	if end < 0 {
		return s.unterminated("unterminated quoted identifier")
	}
	s.pos = end
	if end == s.start+2 {
		return s.fail(pgerr.SyntaxError, "zero-length delimited identifier", s.start, end)
	}
	return tokQuoted, s.src[s.start:end]
}

// prefixed scans what a letter before a quote begins; lower is that letter in
// lower case.
func (s *scanner) prefixed(lower byte) (lexer.TokenType, string, bool) {
	var typ lexer.TokenType
	var value string
	quote := s.peek(1) == '\''
	switch {
	case lower == 'e' && quote:
		typ, value = s.escaped()
	case lower == 'b' && quote:
		typ, value = s.plain(tokBits, "unterminated bit string literal")
	case lower == 'x' && quote:
		typ, value = s.plain(tokBits, "unterminated hexadecimal string literal")
	case lower == 'n' && quote:
		s.pos++
		return kwNchar, "nchar", true
	case lower == 'u' && (s.peek(2) == '\'' || s.peek(2) == '"'):
		typ, value = s.unicode(s.peek(2))
	default:
		return 0, "", false
	}
	return typ, value, true
}

// unicode scans and checks U&'...' and U&"..." with their UESCAPE.
func (s *scanner) unicode(quote byte) (lexer.TokenType, string) {
	end := s.quoted(s.pos+2, quote)
	typ := tokString
	if quote == '"' {
		typ = tokQuoted
	}
	if end < 0 {
		if quote == '"' {
			return s.unterminated("unterminated quoted identifier")
		}
		return s.unterminated("unterminated quoted string")
	}
	start := s.start
	s.pos = end
	if quote == '"' && end == start+4 {
		return s.fail(pgerr.SyntaxError, "zero-length delimited identifier", start, end)
	}
	esc := byte('\\')
	if s.behindUescape {
		return tokBits, s.src[start:end] // anything but a plain string
	}
	if ahead := s.uescape(end); ahead != nil {
		t, raw := ahead.scan()
		if t == tokBad {
			s.err = ahead.err
			return tokBad, ""
		}
		if t != tokString {
			return s.fail(pgerr.SyntaxError, "UESCAPE must be followed by a simple string literal", ahead.start, ahead.pos)
		}
		value := stringValue(raw)
		if len(value) != 1 || isHex(value[0]) || strings.Contains("+'\"", value) || chars[value[0]]&chSpace != 0 {
			return s.fail(pgerr.SyntaxError, "invalid Unicode escape character", ahead.start, ahead.pos)
		}
		esc, s.pos = value[0], ahead.pos
	}
	body := s.src[start+3 : end-1]
	if _, at, msg := unescapeUnicode(body, esc, quote); msg != "" {
		s.err = pgerr.New(pgerr.SyntaxError, "%s", msg).At(pgerr.CharPos(s.src, start+3+at))
		if msg == invalidUnicode {
			s.err.WithHint(`Unicode escapes must be \XXXX or \+XXXXXX.`)
		}
		s.start = start
		return tokBad, ""
	}
	s.start = start
	return typ, s.src[start:s.pos]
}

// uescape looks for the word UESCAPE at from and returns a scanner behind it, nil
// when there is none.
func (s *scanner) uescape(from int) *scanner {
	ahead := &scanner{src: s.src, pos: from, behindUescape: true}
	if ahead.skip() || ahead.peek(0)|0x20 != 'u' || ahead.peek(1)|0x20 != 'e' {
		return nil
	}
	if t, _ := ahead.word(); t != kwUescape {
		return nil
	}
	return ahead
}

const invalidUnicode = "invalid Unicode escape"

// unescapeUnicode decodes the inside of U&'...'; a message tells what is wrong
// at byte at.
func unescapeUnicode(body string, esc, quote byte) (text string, at int, msg string) {
	var b strings.Builder
	var hi rune
	for i := 0; i < len(body); {
		c := body[i]
		if c != esc || i+1 < len(body) && body[i+1] == esc {
			if hi != 0 {
				return "", i, "invalid Unicode surrogate pair"
			}
			switch {
			case c == esc:
				b.WriteByte(c)
				i += 2
			case c == quote:
				if i+1 < len(body) && body[i+1] == quote {
					b.WriteByte(c)
					i += 2
					continue
				}
				i = continuation(body, i+1) // nothing else has a single quote
			default:
				b.WriteByte(c)
				i++
			}
			continue
		}
		r, n := rune(0), 0
		if v, ok := hex(body[i+1:], 4); ok {
			r, n = v, 5
		} else if i+1 < len(body) && body[i+1] == '+' {
			if v, ok := hex(body[i+2:], 6); ok {
				r, n = v, 8
			}
		}
		switch {
		case n == 0:
			return "", i, invalidUnicode
		case r == 0 || r > utf8.MaxRune:
			return "", i, "invalid Unicode escape value"
		case hi != 0 && !second(r) || hi == 0 && second(r):
			return "", i, "invalid Unicode surrogate pair"
		case first(r):
			hi = r
		case hi != 0:
			b.WriteRune(pair(hi, r))
			hi = 0
		default:
			b.WriteRune(r)
		}
		i += n
	}
	if hi != 0 {
		return "", len(body), "invalid Unicode surrogate pair"
	}
	return b.String(), 0, ""
}

// stringValue is the text that the raw token of a string stands for.
func stringValue(raw string) string {
	switch raw[0] {
	case '\'':
		return joinQuoted(raw)
	case '$':
		n := strings.IndexByte(raw[1:], '$') + 2
		return raw[n : len(raw)-n]
	case 'e', 'E':
		return decodeEscapes(raw)
	}
	return decodeUnicode(raw)
}

// identValue is the name that the raw token of an identifier stands for.
func identValue(tok *lexer.Token) string {
	switch {
	case tok.Type != tokQuoted:
		return tok.Value
	case tok.Value[0] == '"':
		return truncate(undouble(tok.Value[1:len(tok.Value)-1], `"`))
	}
	return truncate(decodeUnicode(tok.Value))
}

func undouble(s, quote string) string {
	if strings.IndexByte(s, quote[0]) < 0 {
		return s
	}
	return strings.ReplaceAll(s, quote+quote, quote)
}

// joinQuoted is the text of '...' with its continuations.
func joinQuoted(raw string) string {
	body := raw[1 : len(raw)-1]
	if strings.IndexByte(body, '\'') < 0 {
		return body
	}
	var b strings.Builder
	for i := 1; ; {
		n := strings.IndexByte(raw[i:], '\'')
		b.WriteString(raw[i : i+n])
		i += n + 1
		if i >= len(raw) {
			return b.String()
		}
		if raw[i] == '\'' {
			b.WriteByte('\'')
			i++
		} else {
			i = continuation(raw, i)
		}
	}
}

// decodeUnicode is the text of U&'...' or U&"..." with its UESCAPE, which were
// checked when they were scanned.
func decodeUnicode(raw string) string {
	s := scanner{src: raw}
	end := s.quoted(2, raw[2])
	esc := byte('\\')
	if end < len(raw) {
		s.pos = end
		s.scan()
		_, value := s.scan()
		esc = stringValue(value)[0]
	}
	text, _, _ := unescapeUnicode(raw[3:end-1], esc, raw[2])
	return text
}
