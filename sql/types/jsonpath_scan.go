package types

import (
	"strings"
	"unicode/utf8"

	"raisind/pgerr"
)

// pathToken is a token of a jsonpath.
type pathToken struct {
	kind byte   // 0 end, 'i' word, 's' string, 'v' variable, 'n' number, 'd' integer, else a symbol's first byte
	text string // the word, the string's content, the symbol
	raw  string // as written
}

type pathScanner struct {
	src string
	at  int
}

func pathSyntax(near string) error {
	if near == "" {
		return pgerr.New(pgerr.SyntaxError, "syntax error at end of jsonpath input")
	}
	return pgerr.New(pgerr.SyntaxError, "syntax error at or near \"%s\" of jsonpath input", near)
}

// isPathSpecial tells the bytes that end a word.
func isPathSpecial(c byte) bool { return strings.IndexByte("?%$.[]{}()|&!=<>@#,*:-+/", c) >= 0 }

func isPathBlank(c byte) bool { return strings.IndexByte(" \t\n\r\f", c) >= 0 }

// next reads a token.
func (s *pathScanner) next() (pathToken, error) {
	if err := s.skip(); err != nil {
		return pathToken{}, err
	}
	if s.at >= len(s.src) {
		return pathToken{}, nil
	}
	start := s.at
	c := s.src[s.at]
	switch {
	case c == '"':
		return s.quoted('s', start)
	case c == '$' && s.at+1 < len(s.src) && s.src[s.at+1] == '"':
		s.at++
		return s.quoted('v', start)
	case c == '$':
		s.at++
		w, err := s.word()
		if err != nil {
			return pathToken{}, err
		}
		if w == "" {
			return pathToken{kind: '$', text: "$", raw: "$"}, nil
		}
		return pathToken{kind: 'v', text: w, raw: s.src[start:s.at]}, nil
	case isDigit(c), c == '.' && s.at+1 < len(s.src) && isDigit(s.src[s.at+1]):
		return s.number()
	case isPathSpecial(c):
		for _, sym := range []string{"**", "&&", "||", "==", "!=", "<>", "<=", ">="} {
			if strings.HasPrefix(s.src[s.at:], sym) {
				s.at += 2
				t := pathToken{kind: sym[0], text: sym, raw: sym}
				if sym == "<>" {
					t.text = "!="
				}
				return t, nil
			}
		}
		s.at++
		return pathToken{kind: c, text: s.src[start:s.at], raw: s.src[start:s.at]}, nil
	}
	w, err := s.word()
	return pathToken{kind: 'i', text: w, raw: s.src[start:s.at]}, err
}

// skip passes blanks and comments.
func (s *pathScanner) skip() error {
	for s.at < len(s.src) {
		switch {
		case isPathBlank(s.src[s.at]):
			s.at++
		case strings.HasPrefix(s.src[s.at:], "/*"):
			end := strings.Index(s.src[s.at+2:], "*/")
			if end < 0 {
				return pgerr.New(pgerr.SyntaxError, "unexpected end of comment at end of jsonpath input")
			}
			s.at += end + 4
		default:
			return nil
		}
	}
	return nil
}

// word reads an unquoted name, in which escapes may stand.
func (s *pathScanner) word() (string, error) {
	var b strings.Builder
	for s.at < len(s.src) {
		c := s.src[s.at]
		if isPathBlank(c) || isPathSpecial(c) || c == '"' {
			break
		}
		if c == '\\' {
			if err := s.escape(&b); err != nil {
				return "", err
			}
			continue
		}
		b.WriteByte(c)
		s.at++
	}
	return b.String(), nil
}

func (s *pathScanner) quoted(kind byte, start int) (pathToken, error) {
	var b strings.Builder
	for s.at++; s.at < len(s.src); {
		switch c := s.src[s.at]; c {
		case '"':
			s.at++
			return pathToken{kind: kind, text: b.String(), raw: s.src[start:s.at]}, nil
		case '\\':
			if err := s.escape(&b); err != nil {
				return pathToken{}, err
			}
		default:
			b.WriteByte(c)
			s.at++
		}
	}
	return pathToken{}, pgerr.New(pgerr.SyntaxError, "unexpected end of quoted string at end of jsonpath input")
}

// escape reads a JavaScript escape at the backslash.
func (s *pathScanner) escape(b *strings.Builder) error {
	s.at++
	if s.at >= len(s.src) {
		return pgerr.New(pgerr.SyntaxError, "unexpected end after backslash at end of jsonpath input")
	}
	c := s.src[s.at]
	s.at++
	switch c {
	case 'b':
		b.WriteByte('\b')
	case 'f':
		b.WriteByte('\f')
	case 'n':
		b.WriteByte('\n')
	case 'r':
		b.WriteByte('\r')
	case 't':
		b.WriteByte('\t')
	case 'v':
		b.WriteByte('\v')
	case 'x':
		r, ok := s.hex(2)
		if !ok {
			return s.badEscape("invalid hex character sequence")
		}
		return s.rune(b, r)
	case 'u':
		r, ok := s.unicode()
		if !ok {
			return s.badEscape("invalid unicode escape sequence")
		}
		if r >= 0xd800 && r < 0xdc00 && strings.HasPrefix(s.src[s.at:], `\u`) {
			s.at += 2
			low, ok := s.unicode()
			if !ok || low < 0xdc00 || low > 0xdfff {
				return pgerr.New(pgerr.InvalidTextRepresentation, "invalid input syntax for type %s", "jsonpath").
					WithDetail("Unicode low surrogate must follow a high surrogate.")
			}
			r = 0x10000 + (r-0xd800)<<10 + (low - 0xdc00)
		}
		return s.rune(b, r)
	default:
		b.WriteByte(c)
	}
	return nil
}

func (s *pathScanner) rune(b *strings.Builder, r rune) error {
	switch {
	case r == 0:
		return pgerr.New(pgerr.UntranslatableCharacter, "unsupported Unicode escape sequence").WithDetail("\\u0000 cannot be converted to text.")
	case !utf8.ValidRune(r):
		return pgerr.New(pgerr.InvalidTextRepresentation, "invalid input syntax for type %s", "jsonpath").
			WithDetail("Unicode low surrogate must follow a high surrogate.")
	}
	b.WriteRune(r)
	return nil
}

func (s *pathScanner) badEscape(what string) error {
	return pgerr.New(pgerr.SyntaxError, "%s at or near \"%s\" of jsonpath input", what, s.src[:min(s.at, len(s.src))])
}

// hex reads exactly n hexadecimal digits.
func (s *pathScanner) hex(n int) (rune, bool) {
	var r rune
	for range n {
		if s.at >= len(s.src) {
			return 0, false
		}
		d := strings.IndexByte("0123456789abcdef", s.src[s.at]|0x20)
		if d < 0 {
			return 0, false
		}
		r = r<<4 | rune(d)
		s.at++
	}
	return r, true
}

// unicode reads XXXX or {X…} of up to six digits.
func (s *pathScanner) unicode() (rune, bool) {
	if s.at < len(s.src) && s.src[s.at] == '{' {
		end := strings.IndexByte(s.src[s.at:], '}')
		if end < 2 || end > 7 {
			return 0, false
		}
		s.at++
		r, ok := s.hex(end - 1)
		s.at++
		return r, ok
	}
	return s.hex(4)
}

func (s *pathScanner) number() (pathToken, error) {
	start, kind := s.at, byte('d')
	digits := func() {
		for s.at < len(s.src) && isDigit(s.src[s.at]) {
			s.at++
		}
	}
	digits()
	if s.at < len(s.src) && s.src[s.at] == '.' && s.src[start] != '0' || strings.HasPrefix(s.src[s.at:], ".") {
		if s.at+1 < len(s.src) && isDigit(s.src[s.at+1]) || start == s.at {
			kind = 'n'
			s.at++
			digits()
		} else if s.at+1 >= len(s.src) || isPathBlank(s.src[s.at+1]) || s.src[s.at+1] == ')' {
			kind = 'n'
			s.at++
		}
	}
	if s.at < len(s.src) && s.src[s.at]|0x20 == 'e' {
		end := s.at + 1
		if end < len(s.src) && (s.src[end] == '+' || s.src[end] == '-') {
			end++
		}
		if end < len(s.src) && isDigit(s.src[end]) {
			kind, s.at = 'n', end
			digits()
		}
	}
	text := s.src[start:s.at]
	if s.at < len(s.src) && (isAlpha(s.src[s.at]) || s.src[s.at] == '_' || s.src[s.at] >= 0x80) ||
		kind == 'd' && len(text) > 1 && text[0] == '0' {
		return pathToken{}, pgerr.New(pgerr.SyntaxError, "trailing junk after numeric literal at or near \"%s\" of jsonpath input",
			s.src[start:min(s.at+1, len(s.src))])
	}
	return pathToken{kind: kind, text: text, raw: text}, nil
}
