package relation

import (
	"encoding/binary"
	"fmt"
	"math"

	"raisind/catalog"
	"raisind/geom"
	"raisind/pgerr"
	"raisind/sql/types"
	"raisind/storage"
)

// A stored row is a format byte and then, in the order of the relation, the columns
// that are not NULL, by Column.StoredAs:
//
//	+--------+----------------------+----------+----------------------+---
//	| format | column << 2 | form   | payload  | column << 2 | form   | …
//	| 1 B    | uvarint              |          | uvarint              |
//	+--------+----------------------+----------+----------------------+---
//
// The form tells how long the payload is, so that a reader skips columns it does
// not know, those of dropped columns for instance.
const rowFormat = 1

// Forms of a payload. The numbers are stored.
const (
	formVarint = 0 // zigzag varint: what a Datum holds as an integer
	formFixed  = 1 // 8 bytes, little endian: IEEE 754 bits
	formBytes  = 2 // uvarint length, then bytes: what a Datum holds as text
	formBinary = 3 // uvarint length, then the type's binary form
)

// maxInlineColumns columns are read without an allocation for their places.
const maxInlineColumns = 24

// formOf tells how values of t are stored.
func formOf(t *types.Type) uint64 {
	t = t.Storage()
	if t.Kind() == types.KindEnum {
		return formVarint // the label's OID
	}
	if t.Elem != nil {
		return formBinary
	}
	switch t.OID {
	case 16, 20, 21, 23, 24, 26, 28, 29, // bool int8 int2 int4 regproc oid xid cid
		1082, 1083, 1114, 1184, // date time timestamp timestamptz
		2202, 2203, 2204, 2205, 2206, 4089, 4096, 4191, 5069: // reg… xid8
		return formVarint
	case 700, 701: // float4 float8
		return formFixed
	case 17, 18, 19, 25, 114, 1042, 1043, 2950, 3802, 705, 1790: // bytea "char" name text json bpchar varchar uuid jsonb unknown refcursor
		return formBytes
	}
	return formBinary
}

// EncodeRow writes the columns of row, of which the first len(r.Columns) values are
// read. The result is one new allocation, the caller's to keep or to give away.
func EncodeRow(r *catalog.Relation, row types.Row) ([]byte, error) {
	size := 1
	for i := range r.Columns {
		// A tag and a length or number of up to 10 bytes each; text is exact.
		size += 12 + len(row[i].Str())
	}
	dst := append(make([]byte, 0, size), rowFormat)
	for i := range r.Columns {
		d, c := row[i], &r.Columns[i]
		if d.IsNull() {
			continue
		}
		form := formOf(c.Type)
		dst = binary.AppendUvarint(dst, uint64(c.StoredAs())<<2|form)
		switch form {
		case formVarint:
			dst = binary.AppendVarint(dst, d.Int())
		case formFixed:
			dst = binary.LittleEndian.AppendUint64(dst, math.Float64bits(d.Float()))
		case formBytes:
			dst = binary.AppendUvarint(dst, uint64(len(d.Str())))
			dst = append(dst, d.Str()...)
		default:
			b, err := appendBinary(nil, c.Type, d)
			if err != nil {
				return nil, err
			}
			dst = binary.AppendUvarint(dst, uint64(len(b)))
			dst = append(dst, b...)
		}
	}
	return dst, nil
}

// span is where a column's payload lies in a stored row; start 0 is a NULL.
type span struct {
	start, end int
	form       uint64
}

// columnSpans finds the payloads of r's columns in value, by position.
func columnSpans(r *catalog.Relation, value []byte, spans []span) ([]span, error) {
	return findSpans(r, len(r.Columns), value, spans)
}

// findSpans is columnSpans for the first n columns; the rest of value is not looked at.
func findSpans(r *catalog.Relation, n int, value []byte, spans []span) ([]span, error) {
	spans = spans[:0]
	for range n {
		spans = append(spans, span{})
	}
	if len(value) == 0 || value[0] != rowFormat {
		return nil, corrupt(r, "format")
	}
	at := 0 // position of the next column to expect: both are in the order of columns
	for off := 1; off < len(value) && at < n; {
		tag, size := uvarint(value[off:])
		if size <= 0 {
			return nil, corrupt(r, "tag")
		}
		off += size
		s := span{start: off, form: tag & 3}
		switch s.form {
		case formVarint:
			for off < len(value) && value[off] >= 0x80 {
				off++
			}
			off++
		case formFixed:
			off += 8
		default:
			length, size := uvarint(value[off:])
			if size <= 0 || length > uint64(len(value)-off-size) {
				return nil, corrupt(r, "length")
			}
			s.start = off + size
			off = s.start + int(length)
		}
		if off > len(value) {
			return nil, corrupt(r, "end")
		}
		s.end = off
		id := uint16(tag >> 2)
		for i := at; i < n; i++ {
			if r.Columns[i].StoredAs() == id {
				spans[i], at = s, i+1
				break
			}
		}
	}
	return spans, nil
}

// uvarint is binary.Uvarint with the one-byte case inlined.
func uvarint(b []byte) (uint64, int) {
	if len(b) > 0 && b[0] < 0x80 {
		return uint64(b[0]), 1
	}
	return binary.Uvarint(b)
}

// DecodeRow reads a stored row into the first len(r.Columns) values of dst, which
// is made longer when needed. Columns whose need is false become NULL, as do those
// the row does not have; nil needs all. All text of the row shares one allocation;
// value may be overwritten afterwards.
func DecodeRow(r *catalog.Relation, value []byte, need []bool, dst types.Row) (types.Row, error) {
	for len(dst) < len(r.Columns) {
		dst = append(dst, types.Null)
	}
	last := len(r.Columns)
	for need != nil && last > 0 && !need[last-1] {
		last--
		dst[last] = types.Null
	}
	var inline [maxInlineColumns]span
	spans, err := findSpans(r, last, value, inline[:0])
	if err != nil {
		return dst, err
	}
	lo, hi := len(value), 0
	for i := range spans {
		s := &spans[i]
		if s.start == 0 || need != nil && !need[i] {
			dst[i], s.start = types.Null, 0
			continue
		}
		if s.form != formOf(r.Columns[i].Type) {
			return dst, corrupt(r, "form")
		}
		switch s.form {
		case formVarint:
			v, err := varint(r, value[s.start:s.end])
			if err != nil {
				return dst, err
			}
			dst[i] = types.Int(v)
		case formFixed:
			dst[i] = types.Float(math.Float64frombits(le64(value[s.start:])))
		case formBytes:
			lo, hi = min(lo, s.start), max(hi, s.end)
		default:
			if dst[i], err = parseBinary(r.Columns[i].Type, value[s.start:s.end]); err != nil {
				return dst, fmt.Errorf("%w: row of %s, column %s: %w", storage.ErrCorrupt, r.Name, r.Columns[i].Name, err)
			}
		}
	}
	if lo > hi {
		return dst, nil
	}
	text := string(value[lo:hi])
	for i := range spans {
		if s := &spans[i]; s.start != 0 && s.form == formBytes {
			dst[i] = types.Str(text[s.start-lo : s.end-lo])
		}
	}
	return dst, nil
}

// appendBinary is the type's binary form; boxes, which have none, are four floats.
func appendBinary(dst []byte, t *types.Type, d types.Datum) ([]byte, error) {
	switch v := d.Ref().(type) {
	case *geom.Geometry:
		return v.AppendEWKB(dst), nil
	case *geom.Box3D:
		for _, f := range [...]float64{v.MinX, v.MinY, v.MaxX, v.MaxY, v.MinZ, v.MaxZ} {
			dst = binary.LittleEndian.AppendUint64(dst, math.Float64bits(f))
		}
		return dst, nil
	case *geom.Box:
		for _, f := range [...]float64{v.MinX, v.MinY, v.MaxX, v.MaxY} {
			dst = binary.LittleEndian.AppendUint64(dst, math.Float64bits(f))
		}
		return dst, nil
	case nil:
		return nil, pgerr.New(pgerr.FeatureNotSupported, "values of type %s cannot be stored", t)
	}
	return t.AppendBinary(dst, d), nil
}

func parseBinary(t *types.Type, b []byte) (types.Datum, error) {
	switch t = t.Storage(); t {
	case types.TGeometry, types.TGeography:
		g, err := geom.ParseEWKB(b)
		return types.Geom(g), err
	case types.TBox2D, types.TBox3D:
		if len(b) != 32 && len(b) != 48 {
			return types.Null, fmt.Errorf("box of %d bytes", len(b))
		}
		var f [6]float64
		for i := range len(b) / 8 {
			f[i] = math.Float64frombits(le64(b[8*i:]))
		}
		if t == types.TBox3D {
			return types.NewBox3D(geom.Box3D{Box: geom.Box{MinX: f[0], MinY: f[1], MaxX: f[2], MaxY: f[3]}, MinZ: f[4], MaxZ: f[5]}), nil
		}
		return types.Ref(&geom.Box{MinX: f[0], MinY: f[1], MaxX: f[2], MaxY: f[3]}), nil
	}
	return t.ParseBinary(b, -1)
}

func corrupt(r *catalog.Relation, what string) error {
	return fmt.Errorf("%w: row of %s: %s", storage.ErrCorrupt, r.Name, what)
}

func varint(r *catalog.Relation, b []byte) (int64, error) {
	v, n := binary.Varint(b)
	if n <= 0 {
		return 0, corrupt(r, "number")
	}
	return v, nil
}

// le64 reads 8 bytes whose presence was checked when their place was found.
func le64(b []byte) uint64 { return binary.LittleEndian.Uint64(b) }
