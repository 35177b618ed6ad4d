package types

import (
	"strings"
	"unicode/utf8"

	"raisind/pgerr"
)

// NameDataLen is the longest name in bytes; longer ones are cut as PostgreSQL does.
const NameDataLen = 63

func init() {
	str := codec{
		parse:  func(_ *Type, s string, _ int32, _ *Env) (Datum, error) { return Str(s), nil },
		format: func(dst []byte, _ *Type, d Datum, _ *Env) []byte { return append(dst, d.str...) },
		recv:   recvText, send: func(dst []byte, _ *Type, d Datum) []byte { return append(dst, d.str...) },
		compare: func(_ *Type, a, b Datum) int { return strings.Compare(a.str, b.str) },
		hash:    func(dst []byte, _ *Type, d Datum) []byte { return appendHashBytes(dst, d.str) },
		key:     func(dst []byte, _ *Type, d Datum) []byte { return appendKeyBytes(dst, d.str) },
	}
	for _, t := range []*Type{TText, TUnknown, TRefcursor, TCstring, TPgNodeTree, TACLItem} {
		t.codec = str
	}
	TVarchar.codec = str
	TVarchar.codec.fit = fitVarchar

	TBPChar.codec = str
	TBPChar.codec.fit = fitBPChar
	TBPChar.codec.compare = func(_ *Type, a, b Datum) int { return strings.Compare(trimBlanks(a.str), trimBlanks(b.str)) }
	TBPChar.codec.hash = func(dst []byte, _ *Type, d Datum) []byte { return appendHashBytes(dst, trimBlanks(d.str)) }
	TBPChar.codec.key = func(dst []byte, _ *Type, d Datum) []byte { return appendKeyBytes(dst, trimBlanks(d.str)) }

	TName.codec = str
	TName.codec.parse = func(_ *Type, s string, _ int32, _ *Env) (Datum, error) { return Str(TruncateName(s)), nil }
	TName.codec.recv = func(t *Type, b []byte, typmod int32) (Datum, error) {
		if len(b) > NameDataLen {
			return Null, pgerr.New(pgerr.NameTooLong, "identifier too long").WithDetail("Identifier must be less than %d characters.", NameDataLen+1)
		}
		return recvText(t, b, typmod)
	}
	TChar.codec = str
	TChar.codec.parse = func(_ *Type, s string, _ int32, _ *Env) (Datum, error) { return Str(s[:min(len(s), 1)]), nil }
	TChar.codec.recv = func(_ *Type, b []byte, _ int32) (Datum, error) {
		if len(b) < 1 {
			return Null, shortBinary()
		}
		return Str(charText(b[0])), nil
	}
	TChar.codec.send = func(dst []byte, _ *Type, d Datum) []byte { return append(dst, charByte(d.str)) }
	TChar.codec.key = func(dst []byte, _ *Type, d Datum) []byte { return append(dst, charByte(d.str)) }

	TVoid.codec = codec{
		parse:  func(*Type, string, int32, *Env) (Datum, error) { return Str(""), nil },
		format: func(dst []byte, _ *Type, _ Datum, _ *Env) []byte { return dst },
		recv:   func(*Type, []byte, int32) (Datum, error) { return Str(""), nil },
		send:   func(dst []byte, _ *Type, _ Datum) []byte { return dst },
	}
}

// charText is the value of "char" for a byte: a zero byte is the empty string.
func charText(c byte) string {
	if c == 0 {
		return ""
	}
	return string([]byte{c})
}

func charByte(s string) byte {
	if s == "" {
		return 0
	}
	return s[0]
}

func recvText(_ *Type, b []byte, _ int32) (Datum, error) {
	s := string(b)
	if err := CheckEncoding(s); err != nil {
		return Null, err
	}
	return Str(s), nil
}

// TruncateName cuts s to what a name holds, between characters.
func TruncateName(s string) string {
	if len(s) <= NameDataLen {
		return s
	}
	n := NameDataLen
	for n > 0 && !utf8.RuneStart(s[n]) {
		n--
	}
	return s[:n]
}

// trimBlanks removes the blanks at the end, which character(n) does not compare.
func trimBlanks(s string) string { return strings.TrimRight(s, " ") }

// cutRunes splits s after n characters.
func cutRunes(s string, n int) (head, tail string) {
	if len(s) <= n {
		return s, ""
	}
	for i := range s {
		if n == 0 {
			return s[:i], s[i:]
		}
		n--
	}
	return s, ""
}

func fitVarchar(t *Type, d Datum, typmod int32, explicit bool) (Datum, error) {
	head, tail := cutRunes(d.str, int(typmod-varlenaHeader))
	if tail == "" {
		return d, nil
	}
	if !explicit && trimBlanks(tail) != "" {
		return Null, tooLong(t, typmod)
	}
	return Str(head), nil
}

func fitBPChar(t *Type, d Datum, typmod int32, explicit bool) (Datum, error) {
	n := int(typmod - varlenaHeader)
	if have := utf8.RuneCountInString(d.str); have <= n {
		if have == n {
			return d, nil
		}
		return Str(d.str + strings.Repeat(" ", n-have)), nil
	}
	head, tail := cutRunes(d.str, n)
	if !explicit && trimBlanks(tail) != "" {
		return Null, tooLong(t, typmod)
	}
	return Str(head), nil
}

func tooLong(t *Type, typmod int32) error {
	return pgerr.New(pgerr.StringDataRightTruncation, "value too long for type %s", FormatType(t, typmod))
}

// invalidUTF8 returns the offset of the first byte that is not part of valid UTF-8
// without zero bytes, or -1.
func invalidUTF8(s string) int {
	if utf8.ValidString(s) {
		return strings.IndexByte(s, 0)
	}
	for i := 0; i < len(s); {
		if s[i] == 0 {
			return i
		}
		r, n := utf8.DecodeRuneInString(s[i:])
		if r == utf8.RuneError && n <= 1 {
			return i
		}
		i += n
	}
	return -1
}
