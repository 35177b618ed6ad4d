package types

import (
	"encoding/binary"

	"raisind/pgerr"
)

func sendArray(dst []byte, t *Type, d Datum) []byte {
	a := d.Array()
	hasNull := uint32(0)
	for _, e := range a.Elems {
		if e.IsNull() {
			hasNull = 1
		}
	}
	dst = binary.BigEndian.AppendUint32(dst, uint32(len(a.Dims)))
	dst = binary.BigEndian.AppendUint32(dst, hasNull)
	dst = binary.BigEndian.AppendUint32(dst, t.Elem.OID)
	for i, n := range a.Dims {
		dst = binary.BigEndian.AppendUint32(dst, uint32(n))
		dst = binary.BigEndian.AppendUint32(dst, uint32(a.Lower[i]))
	}
	for _, e := range a.Elems {
		dst = appendSized(dst, t.Elem, e)
	}
	return dst
}

// appendSized appends the length and the binary form; -1 stands for NULL.
func appendSized(dst []byte, t *Type, d Datum) []byte {
	if d.IsNull() {
		return append(dst, 0xff, 0xff, 0xff, 0xff)
	}
	head := len(dst)
	dst = t.AppendBinary(append(dst, 0, 0, 0, 0), d)
	binary.BigEndian.PutUint32(dst[head:], uint32(len(dst)-head-4))
	return dst
}

func recvArray(t *Type, b []byte, typmod int32) (Datum, error) {
	next := func() (v uint32, ok bool) {
		if len(b) < 4 {
			return 0, false
		}
		v = binary.BigEndian.Uint32(b)
		b = b[4:]
		return v, true
	}
	ndim, ok1 := next()
	flags, ok2 := next()
	elem, ok3 := next()
	switch {
	case !ok1 || !ok2 || !ok3:
		return Null, shortBinary()
	case int32(ndim) < 0:
		return Null, pgerr.New(pgerr.InvalidBinaryRepresentation, "invalid number of dimensions: %d", int32(ndim))
	case ndim > MaxArrayDims:
		return Null, tooManyDims(int(ndim))
	case flags > 1:
		return Null, pgerr.New(pgerr.InvalidBinaryRepresentation, "invalid array flags")
	case elem != t.Elem.OID:
		got := "-"
		if e, ok := ByOID(elem); ok {
			got = e.SQLName
		}
		return Null, pgerr.New(pgerr.DatatypeMismatch, "binary data has array element type %d (%s) instead of expected %d (%s)",
			elem, got, t.Elem.OID, t.Elem.SQLName)
	}
	a := &Array{Elem: t.Elem}
	n := int64(1)
	for range ndim {
		size, ok1 := next()
		lower, ok2 := next()
		if !ok1 || !ok2 {
			return Null, shortBinary()
		}
		a.Dims = append(a.Dims, int32(size))
		a.Lower = append(a.Lower, int32(lower))
		if n *= int64(int32(size)); int32(size) < 0 || n > MaxArrayElems {
			return Null, tooManyElems()
		}
		if int64(int32(lower))+int64(int32(size)) > 1<<31-1 {
			return Null, pgerr.New(pgerr.ArraySubscriptError, "array lower bound is too large: %d", int32(lower))
		}
	}
	if ndim == 0 || n == 0 {
		if len(b) > 0 {
			return Null, binaryError(t)
		}
		if t == TInt2Vector || t == TOIDVector {
			return parseVector(t, "", -1, nil)
		}
		return Ref(&Array{Elem: t.Elem}), nil
	}
	if n > int64(len(b)/4) {
		return Null, shortBinary()
	}
	a.Elems = make([]Datum, n)
	for i := range a.Elems {
		var err error
		if a.Elems[i], b, err = nextSized(t.Elem, b, typmod); err != nil {
			return Null, err
		}
	}
	if len(b) > 0 {
		return Null, binaryError(t)
	}
	return Ref(a), nil
}

// nextSized reads what appendSized wrote.
func nextSized(t *Type, b []byte, typmod int32) (Datum, []byte, error) {
	if len(b) < 4 {
		return Null, nil, shortBinary()
	}
	size := int32(binary.BigEndian.Uint32(b))
	b = b[4:]
	if size == -1 {
		return Null, b, nil
	}
	if size < 0 || int(size) > len(b) {
		return Null, nil, shortBinary()
	}
	d, err := t.ParseBinary(b[:size], typmod)
	return d, b[size:], err
}

func tooManyDims(n int) error {
	return pgerr.New(pgerr.ProgramLimitExceeded, "number of array dimensions (%d) exceeds the maximum allowed (%d)", n, MaxArrayDims)
}

func tooManyElems() error {
	return pgerr.New(pgerr.ProgramLimitExceeded, "array size exceeds the maximum allowed (%d)", MaxArrayElems)
}
