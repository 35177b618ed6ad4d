package types

import (
	"cmp"
	"encoding/binary"
	"math"
	"math/bits"
	"strconv"

	"raisind/pgerr"
)

func init() {
	num := codec{
		parse:   parseInteger,
		format:  func(dst []byte, _ *Type, d Datum, _ *Env) []byte { return strconv.AppendInt(dst, d.num, 10) },
		compare: compareNum,
		hash:    func(dst []byte, _ *Type, d Datum) []byte { return appendHashInt(dst, d.num) },
		key:     func(dst []byte, _ *Type, d Datum) []byte { return appendKeyInt(dst, d.num) },
	}
	TInt2.codec, TInt4.codec, TInt8.codec = num, num, num
	TInt2.codec.recv = func(_ *Type, b []byte, _ int32) (Datum, error) {
		v, err := fixed(b, 2)
		return Int(int64(int16(v))), err
	}
	TInt2.codec.send = func(dst []byte, _ *Type, d Datum) []byte { return binary.BigEndian.AppendUint16(dst, uint16(d.num)) }
	TInt4.codec.recv = func(_ *Type, b []byte, _ int32) (Datum, error) {
		v, err := fixed(b, 4)
		return Int(int64(int32(v))), err
	}
	TInt4.codec.send = send4
	TInt8.codec.recv = recv8
	TInt8.codec.send = send8

	unsigned := num
	unsigned.parse = parseOID
	unsigned.recv = func(_ *Type, b []byte, _ int32) (Datum, error) {
		v, err := fixed(b, 4)
		return Int(int64(v)), err
	}
	unsigned.send = send4
	TOID.codec, TXID.codec, TCID.codec = unsigned, unsigned, unsigned
	TXID.codec.parse, TCID.codec.parse = parseXID, parseXID

	TXID8.codec = num
	TXID8.codec.recv, TXID8.codec.send = recv8, send8
	TXID8.codec.parse = parseXID
	TXID8.codec.format = func(dst []byte, _ *Type, d Datum, _ *Env) []byte { return strconv.AppendUint(dst, uint64(d.num), 10) }
	TXID8.codec.compare = func(_ *Type, a, b Datum) int { return cmp.Compare(uint64(a.num), uint64(b.num)) }
	TXID8.codec.key = func(dst []byte, _ *Type, d Datum) []byte { return binary.BigEndian.AppendUint64(dst, uint64(d.num)) }
}

func compareNum(_ *Type, a, b Datum) int { return cmp.Compare(a.num, b.num) }

func send4(dst []byte, _ *Type, d Datum) []byte {
	return binary.BigEndian.AppendUint32(dst, uint32(d.num))
}

func send8(dst []byte, _ *Type, d Datum) []byte {
	return binary.BigEndian.AppendUint64(dst, uint64(d.num))
}

func recv8(_ *Type, b []byte, _ int32) (Datum, error) {
	v, err := fixed(b, 8)
	return Int(int64(v)), err
}

// fixed reads a big-endian integer that must fill b.
func fixed(b []byte, n int) (uint64, error) {
	if len(b) < n {
		return 0, shortBinary()
	}
	if len(b) > n {
		return 0, pgerr.New(pgerr.InvalidBinaryRepresentation, "incorrect binary data format")
	}
	var v uint64
	for _, c := range b {
		v = v<<8 | uint64(c)
	}
	return v, nil
}

// integerRange is the range of an integer type.
func integerRange(t *Type) (lo, hi int64) {
	switch t {
	case TInt2:
		return math.MinInt16, math.MaxInt16
	case TInt4:
		return math.MinInt32, math.MaxInt32
	}
	return math.MinInt64, math.MaxInt64
}

// parseInteger reads what pg_strtoint32 and its kin read: blanks, a sign, decimal digits.
// A number too large is out of range whatever follows it.
func parseInteger(t *Type, s string, _ int32, _ *Env) (Datum, error) {
	v, rest, state := leadingInteger(s)
	lo, hi := integerRange(t)
	switch {
	case state == noDigits:
		return Null, syntaxError(t, s)
	case state == tooLarge || v < lo || v-1 > hi:
		return Null, valueOutOfRange(t, s)
	case rest < len(s):
		return Null, syntaxError(t, s)
	case state == justTooLarge || v > hi: // PostgreSQL counts downwards and sees the sign last
		return Null, valueOutOfRange(t, s)
	}
	return Int(v), nil
}

func valueOutOfRange(t *Type, s string) error {
	return pgerr.New(pgerr.NumericValueOutOfRange, "value \"%s\" is out of range for type %s", s, t.SQLName)
}

// What leadingInteger found.
type integerState uint8

const (
	noDigits integerState = iota
	inRange64
	tooLarge     // for 64 bits
	justTooLarge // 2^63
)

// leadingInteger reads blanks, a sign and digits at the start of s, and the blanks
// behind them. rest is where it stopped.
func leadingInteger(s string) (v int64, rest int, state integerState) {
	i := 0
	for i < len(s) && isSpace(s[i]) {
		i++
	}
	neg := false
	if i < len(s) && (s[i] == '-' || s[i] == '+') {
		neg = s[i] == '-'
		i++
	}
	start := i
	state = inRange64
	for ; i < len(s) && isDigit(s[i]); i++ { // counts downwards: the range has one more number below zero
		c := int64(s[i] - '0')
		if v < math.MinInt64/10 || v*10 < math.MinInt64+c {
			state = tooLarge
		}
		v = v*10 - c
	}
	if i == start {
		return 0, 0, noDigits
	}
	if !neg {
		if v == math.MinInt64 && state == inRange64 {
			state = justTooLarge
		}
		v = -v
	}
	for i < len(s) && isSpace(s[i]) {
		i++
	}
	return v, i, state
}

// scanInt reads an integer that fills s, blanks around it allowed.
func scanInt(s string) (v int64, ok, inRange bool) {
	v, rest, state := leadingInteger(s)
	return v, state != noDigits && rest == len(s), state == inRange64
}

// trimSpace returns the bounds of s without the blanks that C's isspace knows.
func trimSpace(s string) (start, end int) {
	end = len(s)
	for start < end && isSpace(s[start]) {
		start++
	}
	for end > start && isSpace(s[end-1]) {
		end--
	}
	return start, end
}

func isSpace(c byte) bool { return c == ' ' || c >= '\t' && c <= '\r' }
func isDigit(c byte) bool { return c >= '0' && c <= '9' }
func isAlpha(c byte) bool { return c|0x20 >= 'a' && c|0x20 <= 'z' }

// parseOID reads what strtoul takes within 32 bits; a negative number counts from 2^32.
func parseOID(t *Type, s string, _ int32, _ *Env) (Datum, error) {
	v, rest, state := leadingInteger(s)
	switch {
	case state == noDigits:
		return Null, syntaxError(t, s)
	case state == tooLarge:
		return Null, valueOutOfRange(t, s)
	case rest < len(s):
		return Null, syntaxError(t, s)
	case state == justTooLarge || v < math.MinInt32 || v > math.MaxUint32:
		return Null, valueOutOfRange(t, s)
	}
	return Int(int64(uint32(v))), nil
}

// parseXID takes whatever strtoul makes of the text, as PostgreSQL 15 does: no error at all.
func parseXID(t *Type, s string, _ int32, _ *Env) (Datum, error) {
	i := 0
	for i < len(s) && isSpace(s[i]) {
		i++
	}
	neg := i < len(s) && s[i] == '-'
	if i < len(s) && (s[i] == '-' || s[i] == '+') {
		i++
	}
	base := uint64(10)
	if i < len(s) && s[i] == '0' {
		base = 8
		if i+1 < len(s) && s[i+1]|0x20 == 'x' {
			base, i = 16, i+2
		}
	}
	var v uint64
	overflow := false
	for ; i < len(s); i++ {
		d := uint64(hexValue(s[i]))
		if d >= base {
			break
		}
		hi, lo := bits.Mul64(v, base)
		if hi != 0 || lo > math.MaxUint64-d {
			overflow = true
		}
		v = lo + d
	}
	switch {
	case overflow:
		v = math.MaxUint64
	case neg:
		v = -v
	}
	if t.Len == 4 {
		return Int(int64(uint32(v))), nil
	}
	return Int(int64(v)), nil
}

// hexValue is the value of a hexadecimal digit, 255 for other bytes.
func hexValue(c byte) byte {
	switch {
	case isDigit(c):
		return c - '0'
	case c >= 'a' && c <= 'f':
		return c - 'a' + 10
	case c >= 'A' && c <= 'F':
		return c - 'A' + 10
	}
	return 255
}
