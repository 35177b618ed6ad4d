package types

import (
	"cmp"
	"encoding/binary"
	"math"
	"strings"

	"raisind/pgerr"
)

// Limits of arrays, as in PostgreSQL.
const (
	MaxArrayDims  = 6
	MaxArrayElems = 134217727 // elements
)

func init() {
	array := codec{
		parse: parseArray, format: formatArray, recv: recvArray, send: sendArray,
		fit: fitArray, compare: compareArrays, hash: hashArray, key: keyArray,
	}
	for _, t := range all {
		if t.Elem != nil {
			t.codec = array
		}
	}
	for t, elem := range map[*Type]*Type{TInt2Vector: TInt2, TOIDVector: TOID} {
		t.Elem = elem
		t.codec = array
		t.codec.parse, t.codec.format = parseVector, formatVector
		t.codec.compare = func(t *Type, a, b Datum) int { // shorter ones first
			return cmp.Or(cmp.Compare(len(a.Array().Elems), len(b.Array().Elems)), compareArrays(t, a, b))
		}
		t.codec.key = func(dst []byte, t *Type, d Datum) []byte {
			return keyArray(appendKeyInt(dst, int64(len(d.Array().Elems))), t, d)
		}
	}
	TAnyArray.codec.format = func(dst []byte, _ *Type, d Datum, env *Env) []byte {
		if a := d.Array(); a != nil {
			return formatArray(dst, a.Elem.Array(), d, env)
		}
		return dst
	}
}

// NewArray makes a one-dimensional array of elements numbered from 1. It keeps elems.
func NewArray(elem *Type, elems []Datum) Datum {
	a := &Array{Elem: elem, Elems: elems}
	if len(elems) > 0 {
		a.Dims, a.Lower = []int32{int32(len(elems))}, []int32{1}
	}
	return Ref(a)
}

// StringArray makes a text[].
func StringArray(values []string) Datum {
	elems := make([]Datum, len(values))
	for i, v := range values {
		elems[i] = Str(v)
	}
	return NewArray(TText, elems)
}

// Delimiter is the byte between the elements of an array of t.
func (t *Type) Delimiter() byte {
	if t == TGeometry || t == TGeography {
		return ':' // PostGIS chose it so that text forms with commas need no quotes
	}
	return ','
}

func fitArray(t *Type, d Datum, typmod int32, explicit bool) (Datum, error) {
	if t.Elem.codec.fit == nil {
		return d, nil
	}
	a := *d.Array()
	elems := make([]Datum, len(a.Elems))
	for i, e := range a.Elems {
		if e.IsNull() {
			continue
		}
		var err error
		if elems[i], err = t.Elem.codec.fit(t.Elem, e, typmod, explicit); err != nil {
			return Null, err
		}
	}
	a.Elems = elems
	return Ref(&a), nil
}

func formatArray(dst []byte, t *Type, d Datum, env *Env) []byte {
	a := d.Array()
	if a == nil || len(a.Elems) == 0 {
		return append(dst, "{}"...)
	}
	for _, l := range a.Lower {
		if l != 1 {
			for i, lower := range a.Lower {
				dst = appendInt(append(dst, '['), int64(lower))
				dst = appendInt(append(dst, ':'), int64(lower)+int64(a.Dims[i])-1)
				dst = append(dst, ']')
			}
			dst = append(dst, '=')
			break
		}
	}
	rest := a.Elems
	dst, _ = appendArrayLevel(dst, t.Elem, a.Dims, rest, env)
	return dst
}

func appendArrayLevel(dst []byte, elem *Type, dims []int32, rest []Datum, env *Env) ([]byte, []Datum) {
	dst = append(dst, '{')
	for i := range int(dims[0]) {
		if i > 0 {
			dst = append(dst, elem.Delimiter())
		}
		if len(dims) > 1 {
			dst, rest = appendArrayLevel(dst, elem, dims[1:], rest, env)
			continue
		}
		if len(rest) == 0 {
			break
		}
		dst = appendArrayElem(dst, elem, rest[0], env)
		rest = rest[1:]
	}
	return append(dst, '}'), rest
}

func appendArrayElem(dst []byte, elem *Type, d Datum, env *Env) []byte {
	if d.IsNull() {
		return append(dst, "NULL"...)
	}
	start := len(dst)
	dst = elem.AppendText(dst, d, env)
	if !arrayNeedsQuotes(dst[start:], elem.Delimiter()) {
		return dst
	}
	return quoteTail(dst, start, '\\')
}

func arrayNeedsQuotes(s []byte, delim byte) bool {
	if len(s) == 0 || len(s) == 4 && strings.EqualFold(string(s), "NULL") {
		return true
	}
	for _, c := range s {
		if c == '"' || c == '\\' || c == '{' || c == '}' || c == delim || isSpace(c) {
			return true
		}
	}
	return false
}

// quoteTail puts quotes around dst[start:] and escape before each quote and backslash;
// escape 0 doubles them.
func quoteTail(dst []byte, start int, escape byte) []byte {
	text := string(dst[start:])
	dst = append(dst[:start], '"')
	for i := 0; i < len(text); i++ {
		if c := text[i]; c == '"' || c == '\\' {
			dst = append(dst, cmp.Or(escape, c))
		}
		dst = append(dst, text[i])
	}
	return append(dst, '"')
}

// compareArrays orders by the elements, NULL last, then by their number, then by shape.
func compareArrays(t *Type, x, y Datum) int {
	a, b := x.Array(), y.Array()
	for i := range min(len(a.Elems), len(b.Elems)) {
		if c := compareNullsLast(t.Elem, a.Elems[i], b.Elems[i]); c != 0 {
			return c
		}
	}
	if c := cmp.Or(cmp.Compare(len(a.Elems), len(b.Elems)), cmp.Compare(len(a.Dims), len(b.Dims))); c != 0 {
		return c
	}
	for i := range a.Dims {
		if c := cmp.Compare(a.Dims[i], b.Dims[i]); c != 0 {
			return c
		}
	}
	for i := range a.Lower {
		if c := cmp.Compare(a.Lower[i], b.Lower[i]); c != 0 {
			return c
		}
	}
	return 0
}

func compareNullsLast(t *Type, a, b Datum) int {
	switch {
	case a.IsNull() && b.IsNull():
		return 0
	case a.IsNull():
		return 1
	case b.IsNull():
		return -1
	}
	return Compare(t, a, b)
}

func hashArray(dst []byte, t *Type, d Datum) []byte {
	a := d.Array()
	dst = append(dst, byte(len(a.Dims)))
	for i := range a.Dims {
		dst = binary.LittleEndian.AppendUint32(dst, uint32(a.Dims[i]))
		dst = binary.LittleEndian.AppendUint32(dst, uint32(a.Lower[i]))
	}
	for _, e := range a.Elems {
		if e.IsNull() {
			dst = append(dst, 0)
			continue
		}
		dst = AppendHashKey(append(dst, 1), t.Elem, e)
	}
	return dst
}

// Marks in front of the parts of an ordered key: the end sorts before any element, a
// NULL after it.
const (
	keyEnd   = 1
	keyValue = 2
	keyNull  = 3
)

func keyArray(dst []byte, t *Type, d Datum) []byte {
	a := d.Array()
	for _, e := range a.Elems {
		dst = appendNullableKey(dst, t.Elem, e)
	}
	dst = append(dst, keyEnd, byte(len(a.Dims)))
	for _, n := range a.Dims {
		dst = appendKeyInt(dst, int64(n))
	}
	for _, n := range a.Lower {
		dst = appendKeyInt(dst, int64(n))
	}
	return dst
}

func appendNullableKey(dst []byte, t *Type, d Datum) []byte {
	if d.IsNull() {
		return append(dst, keyNull)
	}
	return AppendOrderedKey(append(dst, keyValue), t, d)
}

// maxVectorElems is FUNC_MAX_ARGS, which bounds vectors in text.
const maxVectorElems = 100

// parseVector reads int2vector and oidvector: numbers between blanks, numbered from 0.
func parseVector(t *Type, s string, _ int32, _ *Env) (Datum, error) {
	a := &Array{Elem: t.Elem}
	lo, hi := int64(math.MinInt16), int64(math.MaxInt16)
	if t == TOIDVector {
		lo, hi = math.MinInt32, math.MaxUint32
	}
	for s = s[skipCSpace(s, 0):]; s != ""; {
		if len(a.Elems) == maxVectorElems {
			return Null, pgerr.New(pgerr.InvalidParameterValue, "%s has too many elements", t.Name)
		}
		v, rest, state := leadingInteger(s)
		switch {
		case state == noDigits:
			return Null, syntaxError(t.Elem, s)
		case state != inRange64 || v < lo || v > hi:
			return Null, valueOutOfRange(t.Elem, s)
		case t == TInt2Vector && rest < len(s) && !isSpace(s[rest-1]):
			return Null, syntaxError(t.Elem, s)
		}
		if t == TOIDVector {
			v = int64(uint32(v))
		}
		a.Elems = append(a.Elems, Int(v))
		s = s[rest:]
	}
	a.Dims, a.Lower = []int32{int32(len(a.Elems))}, []int32{0}
	return Ref(a), nil
}

func formatVector(dst []byte, t *Type, d Datum, env *Env) []byte {
	for i, e := range d.Array().Elems {
		if i > 0 {
			dst = append(dst, ' ')
		}
		dst = t.Elem.AppendText(dst, e, env)
	}
	return dst
}
