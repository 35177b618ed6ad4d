package types

import (
	"encoding/hex"
	"strings"
	"unicode/utf8"

	"raisind/pgerr"
)

func init() {
	TBytea.codec = codec{
		parse:   parseBytea,
		format:  formatBytea,
		recv:    func(_ *Type, b []byte, _ int32) (Datum, error) { return Str(string(b)), nil },
		send:    func(dst []byte, _ *Type, d Datum) []byte { return append(dst, d.str...) },
		compare: func(_ *Type, a, b Datum) int { return strings.Compare(a.str, b.str) },
		hash:    func(dst []byte, _ *Type, d Datum) []byte { return appendHashBytes(dst, d.str) },
		key:     func(dst []byte, _ *Type, d Datum) []byte { return appendKeyBytes(dst, d.str) },
	}
	TUUID.codec = codec{
		parse:  parseUUID,
		format: func(dst []byte, _ *Type, d Datum, _ *Env) []byte { return appendUUID(dst, d.str) },
		recv: func(_ *Type, b []byte, _ int32) (Datum, error) {
			if len(b) < 16 {
				return Null, shortBinary()
			}
			if len(b) > 16 {
				return Null, pgerr.New(pgerr.InvalidBinaryRepresentation, "incorrect binary data format")
			}
			return Str(string(b)), nil
		},
		send:    func(dst []byte, _ *Type, d Datum) []byte { return append(dst, d.str...) },
		compare: func(_ *Type, a, b Datum) int { return strings.Compare(a.str, b.str) },
		hash:    func(dst []byte, _ *Type, d Datum) []byte { return append(dst, d.str...) },
		key:     func(dst []byte, _ *Type, d Datum) []byte { return append(dst, d.str...) },
	}
}

// parseBytea reads \x with hexadecimal pairs (blanks between pairs allowed), or the
// escape format with \\ and \ooo.
func parseBytea(t *Type, s string, _ int32, _ *Env) (Datum, error) {
	if strings.HasPrefix(s, `\x`) {
		b, err := DecodeHex(s[2:])
		return Str(string(b)), err
	}
	if strings.IndexByte(s, '\\') < 0 {
		return Str(s), nil
	}
	b, ok := DecodeEscape(s)
	if !ok {
		return Null, pgerr.New(pgerr.InvalidTextRepresentation, "invalid input syntax for type bytea")
	}
	return Str(string(b)), nil
}

// DecodeHex reads hexadecimal pairs with blanks between them.
func DecodeHex(s string) ([]byte, error) {
	out := make([]byte, 0, len(s)/2)
	for i := 0; i < len(s); {
		if c := s[i]; c == ' ' || c == '\n' || c == '\t' || c == '\r' {
			i++
			continue
		}
		hi := hexValue(s[i])
		if hi > 15 {
			return nil, invalidHexDigit(s[i:])
		}
		if i+1 >= len(s) {
			return nil, pgerr.New(pgerr.InvalidParameterValue, "invalid hexadecimal data: odd number of digits")
		}
		lo := hexValue(s[i+1])
		if lo > 15 {
			return nil, invalidHexDigit(s[i+1:])
		}
		out = append(out, hi<<4|lo)
		i += 2
	}
	return out, nil
}

func invalidHexDigit(s string) error {
	_, n := utf8.DecodeRuneInString(s)
	return pgerr.New(pgerr.InvalidParameterValue, "invalid hexadecimal digit: \"%s\"", s[:n])
}

// DecodeEscape reads bytea's escape format.
func DecodeEscape(s string) ([]byte, bool) {
	out := make([]byte, 0, len(s))
	for i := 0; i < len(s); {
		switch {
		case s[i] != '\\':
			out = append(out, s[i])
			i++
		case i+3 < len(s) && s[i+1] >= '0' && s[i+1] <= '3' && isOctal(s[i+2]) && isOctal(s[i+3]):
			out = append(out, (s[i+1]-'0')<<6|(s[i+2]-'0')<<3|(s[i+3]-'0'))
			i += 4
		case i+1 < len(s) && s[i+1] == '\\':
			out = append(out, '\\')
			i += 2
		default:
			return nil, false
		}
	}
	return out, true
}

func isOctal(c byte) bool { return c >= '0' && c <= '7' }

func formatBytea(dst []byte, _ *Type, d Datum, env *Env) []byte {
	if env.ByteaHex {
		dst = append(dst, '\\', 'x')
		return hex.AppendEncode(dst, []byte(d.str))
	}
	return AppendEscape(dst, d.str)
}

// AppendEscape appends bytea's escape format.
func AppendEscape(dst []byte, s string) []byte {
	for i := 0; i < len(s); i++ {
		switch c := s[i]; {
		case c == '\\':
			dst = append(dst, '\\', '\\')
		case c < 0x20 || c > 0x7e:
			dst = append(dst, '\\', '0'+c>>6, '0'+c>>3&7, '0'+c&7)
		default:
			dst = append(dst, c)
		}
	}
	return dst
}

// parseUUID reads 32 digits with an optional hyphen after every fourth, in optional braces.
func parseUUID(t *Type, s string, _ int32, _ *Env) (Datum, error) {
	var u [16]byte
	in, braces := s, false
	if strings.HasPrefix(in, "{") {
		in, braces = in[1:], true
	}
	for i := range u {
		if len(in) < 2 {
			return Null, syntaxError(t, s)
		}
		hi, lo := hexValue(in[0]), hexValue(in[1])
		if hi > 15 || lo > 15 {
			return Null, syntaxError(t, s)
		}
		u[i] = hi<<4 | lo
		in = in[2:]
		if i%2 == 1 && i < 15 && strings.HasPrefix(in, "-") {
			in = in[1:]
		}
	}
	if braces {
		if !strings.HasPrefix(in, "}") {
			return Null, syntaxError(t, s)
		}
		in = in[1:]
	}
	if in != "" {
		return Null, syntaxError(t, s)
	}
	return Str(string(u[:])), nil
}

func appendUUID(dst []byte, u string) []byte {
	for i := 0; i < len(u); i++ {
		if i == 4 || i == 6 || i == 8 || i == 10 {
			dst = append(dst, '-')
		}
		dst = append(dst, hexDigits[u[i]>>4], hexDigits[u[i]&15])
	}
	return dst
}
