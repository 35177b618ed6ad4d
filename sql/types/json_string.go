package types

import (
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// canonicalString accepts a string in which only what must be escaped is.
func canonicalString(s string, i int) (int, bool) {
	if i >= len(s) || s[i] != '"' {
		return i, false
	}
	for i++; i < len(s); i++ {
		c := s[i]
		if c >= 0x20 && c != '"' && c != '\\' {
			continue
		}
		if c == '"' {
			return i + 1, true
		}
		if c != '\\' || i+1 >= len(s) {
			return i, false
		}
		i++
		switch s[i] {
		case '"', '\\', 'b', 'f', 'n', 'r', 't':
		case 'u': // control characters without a short form
			if len(s)-i < 5 || s[i+1] != '0' || s[i+2] != '0' {
				return i, false
			}
			hi, lo := s[i+3], s[i+4]
			switch {
			case hi == '1' && (isDigit(lo) || lo >= 'a' && lo <= 'f'):
			case hi == '0' && (lo >= '1' && lo <= '7' || lo == 'b' || lo == 'e' || lo == 'f'):
			default:
				return i, false
			}
			i += 4
		default:
			return i, false
		}
	}
	return i, false
}

// unescapeJSON decodes the inside of a JSON string. It fails on unknown escapes, on
// \u0000 and on half surrogate pairs.
func unescapeJSON(raw string) (string, bool) {
	i := strings.IndexByte(raw, '\\')
	if i < 0 {
		return raw, true
	}
	out := append(make([]byte, 0, len(raw)), raw[:i]...)
	for i < len(raw) {
		if raw[i] != '\\' {
			out = append(out, raw[i])
			i++
			continue
		}
		if i+1 >= len(raw) {
			return "", false
		}
		switch c := raw[i+1]; c {
		case '"', '\\', '/':
			out = append(out, c)
		case 'b':
			out = append(out, '\b')
		case 'f':
			out = append(out, '\f')
		case 'n':
			out = append(out, '\n')
		case 'r':
			out = append(out, '\r')
		case 't':
			out = append(out, '\t')
		case 'u':
			r, ok := hex4(raw, i+2)
			if !ok || r == 0 {
				return "", false
			}
			if utf16.IsSurrogate(r) {
				if i += 6; i+1 >= len(raw) || raw[i] != '\\' || raw[i+1] != 'u' {
					return "", false
				}
				low, ok := hex4(raw, i+2)
				if r = utf16.DecodeRune(r, low); !ok || r == utf8.RuneError {
					return "", false
				}
			}
			out = utf8.AppendRune(out, r)
			i += 4
		default:
			return "", false
		}
		i += 2
	}
	return string(out), true
}

func hex4(s string, i int) (rune, bool) {
	if i+4 > len(s) {
		return 0, false
	}
	var r rune
	for _, c := range []byte(s[i : i+4]) {
		d := hexValue(c)
		if d > 15 {
			return 0, false
		}
		r = r<<4 | rune(d)
	}
	return r, true
}

// AppendJSONString appends s as a JSON string, escaped as PostgreSQL does.
func AppendJSONString(dst []byte, s string) []byte {
	dst = append(dst, '"')
	start := 0
	for i := 0; i < len(s); i++ {
		c := s[i]
		if c >= 0x20 && c != '"' && c != '\\' {
			continue
		}
		dst = append(dst, s[start:i]...)
		start = i + 1
		switch c {
		case '"', '\\':
			dst = append(dst, '\\', c)
		case '\b':
			dst = append(dst, '\\', 'b')
		case '\f':
			dst = append(dst, '\\', 'f')
		case '\n':
			dst = append(dst, '\\', 'n')
		case '\r':
			dst = append(dst, '\\', 'r')
		case '\t':
			dst = append(dst, '\\', 't')
		default:
			dst = append(dst, '\\', 'u', '0', '0', hexDigits[c>>4], hexDigits[c&15])
		}
	}
	dst = append(dst, s[start:]...)
	return append(dst, '"')
}
