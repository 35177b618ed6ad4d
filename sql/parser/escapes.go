package parser

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/alecthomas/participle/v2/lexer"

	"raisind/pgerr"
)

// escaped scans and checks E'...'.
func (s *scanner) escaped() (lexer.TokenType, string) {
	bytes := false // escapes that may break UTF-8
	for i := s.pos + 2; i < len(s.src); {
		switch s.src[i] {
		case '\'':
			if i++; i < len(s.src) && s.src[i] == '\'' {
				i++
				continue
			}
			if next := continuation(s.src, i); next > 0 {
				i = next
				continue
			}
			s.pos = i
			raw := s.src[s.start:i]
			if bytes {
				if err := checkUTF8(decodeEscapes(raw)); err != nil {
					s.err = err
					return tokBad, ""
				}
			}
			return tokString, raw
		case '\\':
			r, n, isByte := escape(s.src[i:])
			if n == 0 {
				if i+1 >= len(s.src) {
					return s.unterminated("unterminated quoted string")
				}
				s.pos = i
				s.err = pgerr.New(pgerr.InvalidEscapeSequence, "invalid Unicode escape").
					WithHint(`Unicode escapes must be \uXXXX or \UXXXXXXXX.`).At(pgerr.CharPos(s.src, i))
				return tokBad, ""
			}
			if isUnicodeEscape(s.src[i:]) {
				if r == 0 || r > utf8.MaxRune {
					return s.fail(pgerr.SyntaxError, "invalid Unicode escape value", i, i+n)
				}
				if second(r) {
					return s.fail(pgerr.SyntaxError, "invalid Unicode surrogate pair", i, i+n)
				}
				if first(r) {
					j := i + n
					m := 1
					if j < len(s.src) {
						_, m = utf8.DecodeRuneInString(s.src[j:])
						if isUnicodeEscape(s.src[j:]) {
							if r2, k, _ := escape(s.src[j:]); k > 0 {
								if m = k; second(r2) {
									i = j + k
									continue
								}
							}
						}
					}
					return s.fail(pgerr.SyntaxError, "invalid Unicode surrogate pair", j, min(j+m, len(s.src)))
				}
			}
			bytes = bytes || isByte
			i += n
		default:
			i++
		}
	}
	return s.unterminated("unterminated quoted string")
}

func first(r rune) bool  { return 0xD800 <= r && r <= 0xDBFF }
func second(r rune) bool { return 0xDC00 <= r && r <= 0xDFFF }

func pair(hi, lo rune) rune { return (hi&0x3FF)<<10 + lo&0x3FF + 0x10000 }

func isUnicodeEscape(s string) bool { return len(s) > 1 && s[0] == '\\' && s[1]|0x20 == 'u' }

// escape reads the backslash escape that s starts with: its value, its length (0
// for an invalid one) and whether the value is a raw byte rather than a
// character.
func escape(s string) (r rune, n int, isByte bool) {
	if len(s) < 2 {
		return 0, 0, false
	}
	switch c := s[1]; c {
	case 'b':
		return '\b', 2, false
	case 'f':
		return '\f', 2, false
	case 'n':
		return '\n', 2, false
	case 'r':
		return '\r', 2, false
	case 't':
		return '\t', 2, false
	case 'v':
		return '\v', 2, false
	case 'u', 'U':
		digits := 4
		if c == 'U' {
			digits = 8
		}
		v, ok := hex(s[2:], digits)
		if !ok {
			return 0, 0, false
		}
		return v, 2 + digits, false
	case 'x':
		n := 0
		for n < 2 && 2+n < len(s) && isHex(s[2+n]) {
			n++
		}
		if n == 0 {
			return 'x', 2, false
		}
		v, _ := hex(s[2:], n)
		return v, 2 + n, true
	case '0', '1', '2', '3', '4', '5', '6', '7':
		n := 1
		for v := rune(c - '0'); ; n++ {
			if n == 3 || 1+n >= len(s) || s[1+n] < '0' || s[1+n] > '7' {
				return v & 0xFF, 1 + n, true
			}
			v = v<<3 + rune(s[1+n]-'0')
		}
	}
	r, n = utf8.DecodeRuneInString(s[1:])
	return r, 1 + n, false
}

func isHex(c byte) bool {
	return '0' <= c && c <= '9' || 'a' <= c|0x20 && c|0x20 <= 'f'
}

// hex reads exactly n hexadecimal digits.
func hex(s string, n int) (rune, bool) {
	if len(s) < n {
		return 0, false
	}
	v := uint32(0)
	for i := 0; i < n; i++ {
		c := s[i]
		switch {
		case '0' <= c && c <= '9':
			v = v<<4 | uint32(c-'0')
		case isHex(c):
			v = v<<4 | uint32(c|0x20-'a'+10)
		default:
			return 0, false
		}
	}
	if v > utf8.MaxRune {
		v = utf8.MaxRune + 1
	}
	return rune(v), true
}

// checkUTF8 gives PostgreSQL's error for text that is not UTF-8 or holds a NUL.
func checkUTF8(s string) *pgerr.Error {
	for i := 0; i < len(s); {
		r, n := utf8.DecodeRuneInString(s[i:])
		if r != 0 && !(r == utf8.RuneError && n == 1) {
			i += n
			continue
		}
		want := 1
		switch c := s[i]; {
		case c&0xE0 == 0xC0:
			want = 2
		case c&0xF0 == 0xE0:
			want = 3
		case c&0xF8 == 0xF0:
			want = 4
		}
		var b strings.Builder
		for _, c := range []byte(s[i:min(i+want, len(s))]) {
			fmt.Fprintf(&b, " 0x%02x", c)
		}
		return pgerr.New(pgerr.CharacterNotInRepertoire, "invalid byte sequence for encoding \"UTF8\":%s", b.String())
	}
	return nil
}

// decodeEscapes is the text of E'...', which was checked when it was scanned.
func decodeEscapes(raw string) string {
	var b []byte
	for i := 2; ; {
		switch c := raw[i]; c {
		case '\'':
			if i++; i >= len(raw) {
				return string(b)
			}
			if raw[i] == '\'' {
				b = append(b, '\'')
				i++
			} else {
				i = continuation(raw, i)
			}
		case '\\':
			r, n, isByte := escape(raw[i:])
			i += n
			switch {
			case isByte:
				b = append(b, byte(r))
			case first(r):
				lo, n, _ := escape(raw[i:])
				i += n

				b = utf8.AppendRune(b, pair(r, lo))
			default:
				b = utf8.AppendRune(b, r)
			}
		default:
			b = append(b, c)
			i++
		}
	}
}
