package types

import (
	"cmp"
	"encoding/binary"
	"strconv"

	"raisind/pgerr"
)

func init() {
	TRecord.codec = codec{
		parse: func(*Type, string, int32, *Env) (Datum, error) { return Null, anonymousRecord() },
		recv:  func(*Type, []byte, int32) (Datum, error) { return Null, anonymousRecord() },

		format: formatRecord, send: sendRecord,
		compare: func(_ *Type, a, b Datum) int { return CompareRecords(a.Record(), b.Record()) },
		hash: func(dst []byte, _ *Type, d Datum) []byte {
			r := d.Record()
			for i, f := range r.Fields {
				if f.IsNull() {
					dst = append(dst, 0)
					continue
				}
				dst = AppendHashKey(append(dst, 1), r.Types[i], f)
			}
			return append(dst, 2)
		},
		key: func(dst []byte, _ *Type, d Datum) []byte {
			r := d.Record()
			for i, f := range r.Fields {
				dst = appendNullableKey(dst, r.Types[i], f)
			}
			return append(dst, keyEnd)
		},
	}
}

func anonymousRecord() error {
	return pgerr.New(pgerr.FeatureNotSupported, "input of anonymous composite types is not implemented")
}

// CompareRecords orders field by field, NULL last, then by the number of fields.
func CompareRecords(a, b *Record) int {
	for i := range min(len(a.Fields), len(b.Fields)) {
		if c := compareNullsLast(a.Types[i], a.Fields[i], b.Fields[i]); c != 0 {
			return c
		}
	}
	return cmp.Compare(len(a.Fields), len(b.Fields))
}

func formatRecord(dst []byte, _ *Type, d Datum, env *Env) []byte {
	r := d.Record()
	dst = append(dst, '(')
	for i, f := range r.Fields {
		if i > 0 {
			dst = append(dst, ',')
		}
		if f.IsNull() {
			continue
		}
		start := len(dst)
		if dst = r.Types[i].AppendText(dst, f, env); recordNeedsQuotes(dst[start:]) {
			dst = quoteTail(dst, start, 0)
		}
	}
	return append(dst, ')')
}

func recordNeedsQuotes(s []byte) bool {
	for _, c := range s {
		if c == '"' || c == '\\' || c == '(' || c == ')' || c == ',' || isSpace(c) {
			return true
		}
	}
	return len(s) == 0
}

func sendRecord(dst []byte, _ *Type, d Datum) []byte {
	r := d.Record()
	dst = binary.BigEndian.AppendUint32(dst, uint32(len(r.Fields)))
	for i, f := range r.Fields {
		dst = binary.BigEndian.AppendUint32(dst, r.Types[i].OID)
		dst = appendSized(dst, r.Types[i], f)
	}
	return dst
}

func appendInt(dst []byte, v int64) []byte { return strconv.AppendInt(dst, v, 10) }
