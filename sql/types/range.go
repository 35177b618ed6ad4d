package types

import (
	"encoding/binary"
	"strings"

	"raisind/pgerr"
)

// The range types, each with its multirange. Discrete ones are kept as [a,b).
var (
	TInt4Range = defineRange(3904, 3905, 4451, 6150, "int4", TInt4)
	TNumRange  = defineRange(3906, 3907, 4532, 6151, "num", TNumeric)
	TTsRange   = defineRange(3908, 3909, 4533, 6152, "ts", TTimestamp)
	TTstzRange = defineRange(3910, 3911, 4534, 6153, "tstz", TTimestamptz)
	TDateRange = defineRange(3912, 3913, 4535, 6155, "date", TDate)
	TInt8Range = defineRange(3926, 3927, 4536, 6157, "int8", TInt8)
)

// RangeTypes are all of them.
func RangeTypes() []*Type {
	return []*Type{TInt4Range, TNumRange, TTsRange, TTstzRange, TDateRange, TInt8Range}
}

// Range is a value of a range type. Bounds without a value are infinite.
type Range struct {
	Empty              bool
	Lower, Upper       Datum
	LowerInc, UpperInc bool
}

// Multirange is a value of a multirange type: ranges in order that do not touch.
type Multirange struct{ Ranges []*Range }

func defineRange(oid, arrayOID, multiOID, multiArrayOID uint32, prefix string, sub *Type) *Type {
	r := define(oid, arrayOID, prefix+"range", prefix+"range", -1, CategoryRange, ordinary)
	m := define(multiOID, multiArrayOID, prefix+"multirange", prefix+"multirange", -1, CategoryRange, ordinary)
	r.subtype, r.multi, m.subtype = sub, m, r
	return r
}

// Subtype is the type of a range's bounds, or the range type of a multirange.
func (t *Type) Subtype() *Type { return t.subtype }

// Multirange is the multirange type of a range type.
func (t *Type) Multirange() *Type { return t.multi }

// IsRange and IsMultirange tell the two kinds.
func (t *Type) IsRange() bool { return t.multi != nil }

// IsMultirange reports a multirange type.
func (t *Type) IsMultirange() bool { return t.subtype != nil && t.multi == nil }

// Range returns the range a Datum holds, or nil. It must not be changed.
func (d Datum) Range() *Range {
	r, _ := d.ref.(*Range)
	return r
}

// Multirange returns the multirange a Datum holds, or nil. It must not be changed.
func (d Datum) Multirange() *Multirange {
	m, _ := d.ref.(*Multirange)
	return m
}

func init() {
	for _, t := range RangeTypes() {
		t.codec = codec{
			parse: func(t *Type, s string, _ int32, env *Env) (Datum, error) {
				p := rangeReader{s: s}
				r, err := p.read(t, env, true)
				if err != nil {
					return Null, err
				}
				return Ref(r), nil
			},
			format:  func(dst []byte, t *Type, d Datum, env *Env) []byte { return appendRange(dst, t, d.Range(), env) },
			send:    func(dst []byte, t *Type, d Datum) []byte { return sendRange(dst, t, d.Range()) },
			recv:    recvRange,
			compare: func(t *Type, a, b Datum) int { return CompareRanges(t, a.Range(), b.Range()) },
			hash:    func(dst []byte, t *Type, d Datum) []byte { return hashRange(dst, t, d.Range()) },
			key:     func(dst []byte, t *Type, d Datum) []byte { return keyRange(dst, t, d.Range()) },
		}
		t.multi.codec = multirangeCodec
		addCast(t, t.multi, Explicit, func(_ *Env, d Datum) (Datum, error) {
			return Ref(NewMultirange(t.multi, []*Range{d.Range()})), nil
		})
	}
}

// NewRange makes a range; discrete ones are brought to the form [a,b).
func NewRange(t *Type, r Range) (*Range, error) {
	if r.Empty {
		return &Range{Empty: true}, nil
	}
	if r.Lower.IsNull() {
		r.LowerInc = false
	}
	if r.Upper.IsNull() {
		r.UpperInc = false
	}
	if !r.Lower.IsNull() && !r.Upper.IsNull() {
		c := Compare(t.subtype, r.Lower, r.Upper)
		if c > 0 {
			return nil, pgerr.New(pgerr.DataException, "range lower bound must be less than or equal to range upper bound")
		}
		if c == 0 && !(r.LowerInc && r.UpperInc) {
			return &Range{Empty: true}, nil
		}
	}
	step := func(d Datum) (Datum, error) {
		limit := int64(1<<63 - 1)
		switch t.subtype {
		case TInt4:
			limit = 1<<31 - 1
		case TDate:
			if d.num == limit || d.num == -limit-1 {
				return d, nil
			}
		}
		if d.num == limit {
			if t.subtype == TInt4 {
				return d, pgerr.New(pgerr.NumericValueOutOfRange, "integer out of range")
			}
			return d, pgerr.New(pgerr.NumericValueOutOfRange, "bigint out of range")
		}
		return Int(d.num + 1), nil
	}
	if t.subtype == TInt4 || t.subtype == TInt8 || t.subtype == TDate {
		infinite := func(d Datum) bool { return t.subtype == TDate && (d.num == 1<<63-1 || d.num == -1<<63) }
		var err error
		if !r.Lower.IsNull() && !r.LowerInc && !infinite(r.Lower) {
			if r.Lower, err = step(r.Lower); err != nil {
				return nil, err
			}
			r.LowerInc = true
		}
		if !r.Upper.IsNull() && r.UpperInc && !infinite(r.Upper) {
			if r.Upper, err = step(r.Upper); err != nil {
				return nil, err
			}
			r.UpperInc = false
		}
		if !r.Lower.IsNull() && !r.Upper.IsNull() && Compare(t.subtype, r.Lower, r.Upper) == 0 && !(r.LowerInc && r.UpperInc) {
			return &Range{Empty: true}, nil
		}
	}
	return &r, nil
}

// CompareLower orders two lower bounds; an infinite one comes first.
func CompareLower(t *Type, a, b *Range) int {
	switch {
	case a.Lower.IsNull() && b.Lower.IsNull():
		return 0
	case a.Lower.IsNull():
		return -1
	case b.Lower.IsNull():
		return 1
	}
	if c := Compare(t.subtype, a.Lower, b.Lower); c != 0 || a.LowerInc == b.LowerInc {
		return c
	}
	if a.LowerInc {
		return -1
	}
	return 1
}

// CompareUpper orders two upper bounds; an infinite one comes last.
func CompareUpper(t *Type, a, b *Range) int {
	switch {
	case a.Upper.IsNull() && b.Upper.IsNull():
		return 0
	case a.Upper.IsNull():
		return 1
	case b.Upper.IsNull():
		return -1
	}
	if c := Compare(t.subtype, a.Upper, b.Upper); c != 0 || a.UpperInc == b.UpperInc {
		return c
	}
	if a.UpperInc {
		return 1
	}
	return -1
}

// CompareRanges is the order of ORDER BY: empty first, then by lower and upper bound.
func CompareRanges(t *Type, a, b *Range) int {
	switch {
	case a.Empty && b.Empty:
		return 0
	case a.Empty:
		return -1
	case b.Empty:
		return 1
	}
	if c := CompareLower(t, a, b); c != 0 {
		return c
	}
	return CompareUpper(t, a, b)
}

func hashRange(dst []byte, t *Type, r *Range) []byte {
	flags := rangeFlags(r)
	dst = append(dst, flags)
	for _, d := range [2]Datum{r.Lower, r.Upper} {
		if !r.Empty && !d.IsNull() {
			dst = AppendHashKey(dst, t.subtype, d)
		}
	}
	return dst
}

// keyRange sorts as CompareRanges: 0 for empty, else each bound by its rank.
func keyRange(dst []byte, t *Type, r *Range) []byte {
	if r.Empty {
		return append(dst, 0)
	}
	dst = append(dst, 1)
	if r.Lower.IsNull() {
		dst = append(dst, 0)
	} else {
		dst = AppendOrderedKey(append(dst, 1), t.subtype, r.Lower)
		dst = append(dst, map[bool]byte{true: 0, false: 1}[r.LowerInc])
	}
	if r.Upper.IsNull() {
		return append(dst, 2)
	}
	dst = AppendOrderedKey(append(dst, 1), t.subtype, r.Upper)
	return append(dst, map[bool]byte{true: 1, false: 0}[r.UpperInc])
}

// The flags of the binary form.
const (
	rangeEmpty    = 0x01
	rangeLowerInc = 0x02
	rangeUpperInc = 0x04
	rangeLowerInf = 0x08
	rangeUpperInf = 0x10
)

func rangeFlags(r *Range) (f byte) {
	if r.Empty {
		return rangeEmpty
	}
	if r.LowerInc {
		f |= rangeLowerInc
	}
	if r.UpperInc {
		f |= rangeUpperInc
	}
	if r.Lower.IsNull() {
		f |= rangeLowerInf
	}
	if r.Upper.IsNull() {
		f |= rangeUpperInf
	}
	return f
}

func sendRange(dst []byte, t *Type, r *Range) []byte {
	dst = append(dst, rangeFlags(r))
	if r.Empty {
		return dst
	}
	for _, d := range [2]Datum{r.Lower, r.Upper} {
		if !d.IsNull() {
			dst = appendSized(dst, t.subtype, d)
		}
	}
	return dst
}

func recvRange(t *Type, b []byte, _ int32) (Datum, error) {
	if len(b) < 1 {
		return Null, shortBinary()
	}
	flags := b[0]
	b = b[1:]
	r := Range{Empty: flags&rangeEmpty != 0, LowerInc: flags&rangeLowerInc != 0, UpperInc: flags&rangeUpperInc != 0}
	for i, inf := range [2]byte{rangeLowerInf, rangeUpperInf} {
		if r.Empty || flags&inf != 0 {
			continue
		}
		if len(b) < 4 {
			return Null, shortBinary()
		}
		n := binary.BigEndian.Uint32(b)
		if b = b[4:]; uint32(len(b)) < n {
			return Null, shortBinary()
		}
		d, err := t.subtype.ParseBinary(b[:n], -1)
		if err != nil {
			return Null, err
		}
		if b = b[n:]; i == 0 {
			r.Lower = d
		} else {
			r.Upper = d
		}
	}
	if len(b) > 0 {
		return Null, binaryError(t)
	}
	out, err := NewRange(t, r)
	if err != nil {
		return Null, err
	}
	return Ref(out), nil
}

func appendRange(dst []byte, t *Type, r *Range, env *Env) []byte {
	if r.Empty {
		return append(dst, "empty"...)
	}
	dst = append(dst, map[bool]byte{true: '[', false: '('}[r.LowerInc])
	if !r.Lower.IsNull() {
		dst = appendBound(dst, t.subtype, r.Lower, env)
	}
	dst = append(dst, ',')
	if !r.Upper.IsNull() {
		dst = appendBound(dst, t.subtype, r.Upper, env)
	}
	return append(dst, map[bool]byte{true: ']', false: ')'}[r.UpperInc])
}

// appendBound quotes what could be read as something else.
func appendBound(dst []byte, t *Type, d Datum, env *Env) []byte {
	s := string(t.AppendText(nil, d, env))
	if s != "" && !strings.ContainsAny(s, "\"\\()[], \t\n\r\v\f") {
		return append(dst, s...)
	}
	dst = append(dst, '"')
	for i := range len(s) {
		if s[i] == '"' || s[i] == '\\' {
			dst = append(dst, s[i])
		}
		dst = append(dst, s[i])
	}
	return append(dst, '"')
}
