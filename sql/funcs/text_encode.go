package funcs

import (
	"crypto/md5"
	"crypto/sha256"
	"crypto/sha512"
	"encoding/base64"
	"encoding/hex"
	"math/bits"
	"strconv"
	"strings"
	"unicode/utf8"

	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/unicode/norm"

	"raisind/pgerr"
	"raisind/sql/types"
)

func md5Hex(s string) string {
	sum := md5.Sum([]byte(s))
	return hex.EncodeToString(sum[:])
}

func sha224Sum(s string) string { h := sha256.Sum224([]byte(s)); return string(h[:]) }
func sha256Sum(s string) string { h := sha256.Sum256([]byte(s)); return string(h[:]) }
func sha384Sum(s string) string { h := sha512.Sum384([]byte(s)); return string(h[:]) }
func sha512Sum(s string) string { h := sha512.Sum512([]byte(s)); return string(h[:]) }

func errEncodingName(name string) error {
	return pgerr.New(pgerr.InvalidParameterValue, "unrecognized encoding: \"%s\"", name)
}

// base64Line is how many characters of base64 stand on a line (RFC 2045).
const base64Line = 76

func encodeBytes(_ *Ctx, args []types.Datum) (types.Datum, error) {
	data, format := args[0].Str(), args[1].Str()
	switch strings.ToLower(format) {
	case "hex":
		return types.Str(hex.EncodeToString([]byte(data))), nil
	case "base64":
		s := base64.StdEncoding.EncodeToString([]byte(data))
		var b strings.Builder
		for len(s) > base64Line {
			b.WriteString(s[:base64Line])
			b.WriteByte('\n')
			s = s[base64Line:]
		}
		b.WriteString(s)
		return types.Str(b.String()), nil
	case "escape":
		return types.Str(encodeEscape(data)), nil
	}
	return types.Null, errEncodingName(format)
}

// encodeEscape leaves ASCII as it is: only NUL, bytes with the high bit and backslashes
// are escaped.
func encodeEscape(s string) string {
	var b strings.Builder
	for i := range len(s) {
		switch c := s[i]; {
		case c == 0 || c >= utf8.RuneSelf:
			b.WriteByte('\\')
			b.WriteString(strconv.FormatUint(uint64(c)|0o1000, 8)[1:])
		case c == '\\':
			b.WriteString(`\\`)
		default:
			b.WriteByte(c)
		}
	}
	return b.String()
}

func decodeText(_ *Ctx, args []types.Datum) (types.Datum, error) {
	s, format := args[0].Str(), args[1].Str()
	switch strings.ToLower(format) {
	case "hex":
		b, err := types.DecodeHex(s)
		return strResult(string(b), err)
	case "base64":
		return decodeBase64(s)
	case "escape":
		b, ok := types.DecodeEscape(s)
		if !ok {
			return types.Null, pgerr.New(pgerr.InvalidTextRepresentation, "invalid input syntax for type %s", "bytea")
		}
		return types.Str(string(b)), nil
	}
	return types.Null, errEncodingName(format)
}

func decodeBase64(s string) (types.Datum, error) {
	var clean strings.Builder
	end := false
	for i := range len(s) {
		switch c := s[i]; {
		case c == ' ' || c == '\t' || c == '\n' || c == '\r':
		case c == '=':
			clean.WriteByte(c)
			end = true
		case isAlnum(c) || c == '+' || c == '/':
			if end {
				return types.Null, errBase64End()
			}
			clean.WriteByte(c)
		default:
			_, n := utf8.DecodeRuneInString(s[i:])
			return types.Null, pgerr.New(pgerr.InvalidParameterValue, "invalid symbol \"%s\" found while decoding base64 sequence", s[i:i+n])
		}
	}
	b, err := base64.StdEncoding.DecodeString(clean.String())
	if err != nil {
		return types.Null, errBase64End()
	}
	return types.Str(string(b)), nil
}

func errBase64End() error {
	return pgerr.New(pgerr.InvalidParameterValue, "invalid base64 end sequence").
		WithHint("Input data is missing padding, is truncated, or is otherwise corrupted.")
}

// toHex shows a negative number as its two's complement of the type's width.
func (t intType) toHex(_ *Ctx, args []types.Datum) (types.Datum, error) {
	v := uint64(args[0].Int())
	if t.bits == 32 {
		v = uint64(uint32(v))
	}
	return types.Str(strconv.FormatUint(v, 16)), nil
}

func errIndex(i int64, n int) error {
	return pgerr.New(pgerr.ArraySubscriptError, "index %d out of valid range, 0..%d", i, n-1)
}

func getByte(_ *Ctx, args []types.Datum) (types.Datum, error) {
	s, i := args[0].Str(), args[1].Int()
	if i < 0 || i >= int64(len(s)) {
		return types.Null, errIndex(i, len(s))
	}
	return types.Int(int64(s[i])), nil
}

func setByte(_ *Ctx, args []types.Datum) (types.Datum, error) {
	b, i := []byte(args[0].Str()), args[1].Int()
	if i < 0 || i >= int64(len(b)) {
		return types.Null, errIndex(i, len(b))
	}
	b[i] = byte(args[2].Int())
	return types.Str(string(b)), nil
}

func bitCount(_ *Ctx, args []types.Datum) (types.Datum, error) {
	n := 0
	for _, c := range []byte(args[0].Str()) {
		n += bits.OnesCount8(c)
	}
	return types.Int(int64(n)), nil
}

// isUTF8 tells the names under which UTF-8 is known; SQL_ASCII passes bytes as they are.
func isUTF8(name string) bool {
	switch strings.ToUpper(strings.NewReplacer("-", "", "_", "").Replace(name)) {
	case "UTF8", "UNICODE":
		return true
	}
	return false
}

func isLatin1(name string) bool {
	switch strings.ToUpper(strings.NewReplacer("-", "", "_", "").Replace(name)) {
	case "LATIN1", "ISO88591":
		return true
	}
	return false
}

func convertFrom(_ *Ctx, args []types.Datum) (types.Datum, error) {
	s, name := args[0].Str(), args[1].Str()
	switch {
	case isUTF8(name):
		return strResult(s, types.CheckEncoding(s))
	case isLatin1(name):
		out, err := charmap.ISO8859_1.NewDecoder().String(s)
		return strResult(out, err)
	}
	return types.Null, pgerr.New(pgerr.InvalidParameterValue, "invalid source encoding name \"%s\"", name)
}

func convertTo(_ *Ctx, args []types.Datum) (types.Datum, error) {
	s, name := args[0].Str(), args[1].Str()
	switch {
	case isUTF8(name):
		return args[0], nil
	case isLatin1(name):
		out := make([]byte, 0, len(s))
		for _, r := range s {
			if r > 0xff {
				return types.Null, pgerr.New(pgerr.UntranslatableCharacter,
					"character with byte sequence %# x in encoding \"UTF8\" has no equivalent in encoding \"LATIN1\"", []byte(string(r)))
			}
			out = append(out, byte(r))
		}
		return types.Str(string(out)), nil
	}
	return types.Null, pgerr.New(pgerr.InvalidParameterValue, "invalid destination encoding name \"%s\"", name)
}

func normalize(_ *Ctx, args []types.Datum) (types.Datum, error) {
	form, ok := map[string]norm.Form{"NFC": norm.NFC, "NFD": norm.NFD, "NFKC": norm.NFKC, "NFKD": norm.NFKD}[strings.ToUpper(args[1].Str())]
	if !ok {
		return types.Null, pgerr.New(pgerr.InvalidParameterValue, "invalid normalization form: %s", args[1].Str())
	}
	return types.Str(form.String(args[0].Str())), nil
}

// unistr reads escapes of Unicode characters: \XXXX, \+XXXXXX, \uXXXX, \UXXXXXXXX.
func unistr(_ *Ctx, args []types.Datum) (types.Datum, error) {
	s := args[0].Str()
	var b strings.Builder
	var high rune // first half of a surrogate pair
	bad := func(msg string) (types.Datum, error) { return types.Null, pgerr.New(pgerr.SyntaxError, "%s", msg) }
	for len(s) > 0 {
		if s[0] != '\\' {
			if high != 0 {
				return bad("invalid Unicode surrogate pair")
			}
			b.WriteByte(s[0])
			s = s[1:]
			continue
		}
		skip, digits := 1, 4
		if len(s) > 1 {
			switch s[1] {
			case '\\':
				b.WriteByte('\\')
				s = s[2:]
				continue
			case '+':
				skip, digits = 2, 6
			case 'u':
				skip = 2
			case 'U':
				skip, digits = 2, 8
			}
		}
		if len(s) < skip+digits {
			return types.Null, errUnicodeEscape()
		}
		v, err := strconv.ParseUint(s[skip:skip+digits], 16, 32)
		if err != nil {
			return types.Null, errUnicodeEscape()
		}
		s = s[skip+digits:]
		r := rune(v)
		switch {
		case high != 0:
			if r < 0xDC00 || r > 0xDFFF {
				return bad("invalid Unicode surrogate pair")
			}
			r = (high-0xD800)<<10 | (r - 0xDC00) + 0x10000
			high = 0
		case r >= 0xD800 && r <= 0xDBFF:
			high = r
			continue
		case r >= 0xDC00 && r <= 0xDFFF:
			return bad("invalid Unicode surrogate pair")
		}
		if r == 0 || v > 0x10FFFF {
			return types.Null, pgerr.New(pgerr.InvalidParameterValue, "invalid Unicode code point: %04X", v)
		}
		b.WriteRune(r)
	}
	if high != 0 {
		return bad("invalid Unicode surrogate pair")
	}
	return types.Str(b.String()), nil
}

func errUnicodeEscape() error {
	return pgerr.New(pgerr.SyntaxError, "invalid Unicode escape").
		WithHint(`Unicode escapes must be \XXXX, \+XXXXXX, \uXXXX, or \UXXXXXXXX.`)
}
