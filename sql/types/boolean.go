package types

import (
	"strings"

	"raisind/pgerr"
)

func init() {
	TBool.codec = codec{
		parse: func(t *Type, s string, _ int32, _ *Env) (Datum, error) {
			v, ok := ParseBool(s)
			if !ok {
				return Null, syntaxError(t, s)
			}
			return Bool(v), nil
		},
		format: func(dst []byte, _ *Type, d Datum, _ *Env) []byte {
			if d.num != 0 {
				return append(dst, 't')
			}
			return append(dst, 'f')
		},
		recv: func(_ *Type, b []byte, _ int32) (Datum, error) {
			if len(b) < 1 {
				return Null, shortBinary()
			}
			if len(b) > 1 {
				return Null, pgerr.New(pgerr.InvalidBinaryRepresentation, "incorrect binary data format")
			}
			return Bool(b[0] != 0), nil
		},
		send:    func(dst []byte, _ *Type, d Datum) []byte { return append(dst, byte(d.num)) },
		compare: compareNum,
		hash:    func(dst []byte, _ *Type, d Datum) []byte { return append(dst, byte(d.num)) },
		key:     func(dst []byte, _ *Type, d Datum) []byte { return append(dst, byte(d.num)) },
	}
}

// ParseBool reads the words PostgreSQL takes for a boolean, or an unambiguous
// beginning of one, in any case: true, yes, on, 1, false, no, off, 0.
func ParseBool(s string) (v, ok bool) {
	i, n := trimSpace(s)
	if i == n || n-i > len("false") {
		return false, false
	}
	w := strings.ToLower(s[i:n])
	switch {
	case w == "1", w == "on", strings.HasPrefix("true", w), strings.HasPrefix("yes", w):
		return true, true
	case w == "0", w == "of", w == "off", strings.HasPrefix("false", w), strings.HasPrefix("no", w):
		return false, true
	}
	return false, false
}
