package types

import (
	"bytes"
	"strings"

	"raisind/pgerr"
)

// codec holds what a type can do. A nil field means the type cannot do it.
type codec struct {
	parse   func(t *Type, s string, typmod int32, env *Env) (Datum, error)
	format  func(dst []byte, t *Type, d Datum, env *Env) []byte
	recv    func(t *Type, b []byte, typmod int32) (Datum, error)
	send    func(dst []byte, t *Type, d Datum) []byte
	fit     func(t *Type, d Datum, typmod int32, explicit bool) (Datum, error)
	compare func(t *Type, a, b Datum) int
	hash    func(dst []byte, t *Type, d Datum) []byte
	key     func(dst []byte, t *Type, d Datum) []byte
}

// ParseText reads a value from PostgreSQL's text form. typmod is -1 for none; a value
// that does not fit it is an error or is rounded, as for an assignment. s must be valid
// UTF-8 without zero bytes (CheckEncoding); the Datum may keep it.
func (t *Type) ParseText(s string, typmod int32, env *Env) (Datum, error) {
	if t.codec.parse == nil {
		return Null, pgerr.New(pgerr.FeatureNotSupported, "cannot accept a value of type %s", t.Name)
	}
	if env == nil {
		env = defaultEnv
	}
	d, err := t.codec.parse(t, s, typmod, env)
	if err != nil || typmod < 0 || t.codec.fit == nil {
		return d, err
	}
	return t.codec.fit(t, d, typmod, false)
}

// AppendText appends the text form of d, which must not be NULL.
func (t *Type) AppendText(dst []byte, d Datum, env *Env) []byte {
	if t.codec.format == nil {
		return dst
	}
	if env == nil {
		env = defaultEnv
	}
	return t.codec.format(dst, t, d, env)
}

// ParseBinary reads a value from PostgreSQL's binary form. b may be reused afterwards.
func (t *Type) ParseBinary(b []byte, typmod int32) (Datum, error) {
	if t.codec.recv == nil {
		if t.IsPseudo() {
			return Null, pgerr.New(pgerr.FeatureNotSupported, "cannot accept a value of type %s", t.Name)
		}
		return Null, pgerr.New(pgerr.UndefinedFunction, "no binary input function available for type %s", t.SQLName)
	}
	d, err := t.codec.recv(t, b, typmod)
	if err != nil || typmod < 0 || t.codec.fit == nil {
		return d, err
	}
	return t.codec.fit(t, d, typmod, false)
}

// AppendBinary appends the binary form of d, which must not be NULL. Types without one
// (HasBinary) are sent as text.
func (t *Type) AppendBinary(dst []byte, d Datum) []byte {
	if t.codec.send == nil {
		return t.AppendText(dst, d, nil)
	}
	return t.codec.send(dst, t, d)
}

// HasBinary reports whether values of t can be sent in binary.
func (t *Type) HasBinary() bool { return t.codec.send != nil }

// Comparable reports whether SQL knows an order of values of t.
func (t *Type) Comparable() bool {
	switch t {
	case TXID, TCID, TACLItem: // equality alone
		return false
	}
	if t.IsArray() {
		return t.Elem.Comparable()
	}
	return t.Hashable()
}

// Hashable reports whether values of t can be grouped and joined by equality.
func (t *Type) Hashable() bool {
	if t.IsArray() {
		return t.Elem.Hashable()
	}
	switch t {
	case TBox2D, TBox3D, TRefcursor, TCstring:
		return false
	}
	return t.codec.compare != nil
}

// Compare orders two values of type t, neither of them NULL, as PostgreSQL's btree
// does: text by bytes, NaN greatest. Values of a type without an order compare by
// their binary form.
func Compare(t *Type, a, b Datum) int {
	if t.codec.compare == nil {
		return bytes.Compare(t.AppendBinary(nil, a), t.AppendBinary(nil, b))
	}
	return t.codec.compare(t, a, b)
}

// AppendHashKey appends bytes that are equal for equal values and differ for different
// ones; no key is a prefix of another, so keys of several columns may follow each
// other. d must not be NULL.
func AppendHashKey(dst []byte, t *Type, d Datum) []byte {
	if t.codec.hash == nil {
		return appendHashBytes(dst, string(t.AppendBinary(nil, d)))
	}
	return t.codec.hash(dst, t, d)
}

// AppendOrderedKey appends bytes that sort as Compare does and of which none is a
// prefix of another. d must not be NULL.
func AppendOrderedKey(dst []byte, t *Type, d Datum) []byte {
	if t.codec.key == nil {
		return appendKeyBytes(dst, string(t.AppendBinary(nil, d)))
	}
	return t.codec.key(dst, t, d)
}

// syntaxError is what every input function says about text it cannot read.
func syntaxError(t *Type, s string) error {
	return pgerr.New(pgerr.InvalidTextRepresentation, "invalid input syntax for type %s: \"%s\"", t.inputName(), s)
}

// inputName is the name PostgreSQL's input functions give the type in messages.
func (t *Type) inputName() string {
	switch t {
	case TTime:
		return "time"
	case TTimeTZ:
		return "time with time zone"
	case TTimestamp:
		return "timestamp"
	}
	return t.SQLName
}

func binaryError(t *Type) error {
	return pgerr.New(pgerr.InvalidBinaryRepresentation, "incorrect binary data format")
}

// shortBinary is the error for a message whose value has fewer bytes than its type.
func shortBinary() error {
	return pgerr.New(pgerr.ProtocolViolation, "insufficient data left in message")
}

// CheckEncoding refuses text that is not UTF-8 or holds a zero byte, with PostgreSQL's words.
func CheckEncoding(s string) error {
	i := invalidUTF8(s)
	if i < 0 {
		return nil
	}
	var b strings.Builder
	for j := i; j < len(s) && j < i+sequenceLen(s[i]); j++ {
		if j > i {
			b.WriteByte(' ')
		}
		b.WriteString("0x")
		b.WriteByte(hexDigits[s[j]>>4])
		b.WriteByte(hexDigits[s[j]&15])
	}
	return pgerr.New(pgerr.CharacterNotInRepertoire, "invalid byte sequence for encoding \"UTF8\": %s", b.String())
}

const hexDigits = "0123456789abcdef"

// sequenceLen is the length that the first byte of a UTF-8 sequence announces.
func sequenceLen(c byte) int {
	switch {
	case c&0xe0 == 0xc0:
		return 2
	case c&0xf0 == 0xe0:
		return 3
	case c&0xf8 == 0xf0:
		return 4
	}
	return 1
}
