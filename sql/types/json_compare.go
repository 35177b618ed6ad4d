package types

import (
	"cmp"
	"encoding/binary"
	"strings"

	"raisind/pgerr"
)

func init() {
	TJSONB.codec = codec{
		parse: func(_ *Type, s string, _ int32, _ *Env) (Datum, error) {
			c, err := CanonicalJSONB(s)
			return Str(c), err
		},
		format: func(dst []byte, _ *Type, d Datum, _ *Env) []byte { return append(dst, d.str...) },
		recv:   recvJSONB,
		send: func(dst []byte, _ *Type, d Datum) []byte {
			return append(append(dst, jsonbVersion), d.str...)
		},
		compare: func(_ *Type, a, b Datum) int { return JSONCompare(a.str, b.str) },
		hash:    func(dst []byte, _ *Type, d Datum) []byte { return appendHashBytes(dst, normalNumbers(d.str)) },
		key:     func(dst []byte, _ *Type, d Datum) []byte { return keyJSON(dst, d.str, true) },
	}
	TJSON.codec = codec{
		parse: func(_ *Type, s string, _ int32, _ *Env) (Datum, error) {
			return Str(s), jsonError(s, false)
		},
		format: func(dst []byte, _ *Type, d Datum, _ *Env) []byte { return append(dst, d.str...) },
		recv: func(_ *Type, b []byte, _ int32) (Datum, error) {
			s := string(b)
			if err := CheckEncoding(s); err != nil {
				return Null, err
			}
			return Str(s), jsonError(s, false)
		},
		send: func(dst []byte, _ *Type, d Datum) []byte { return append(dst, d.str...) },
	}
}

// ranks of jsonb values, from PostgreSQL's enum jbvType.
func jsonRank(c byte) int {
	switch c {
	case 'n':
		return 0
	case '"':
		return 1
	case 't', 'f':
		return 3
	case '[':
		return 4
	case '{':
		return 5
	}
	return 2
}

// JSONCompare is the order of jsonb: Object > Array > Boolean > Number > String > Null,
// containers by size first; an empty array at the top sorts before every scalar, as
// PostgreSQL keeps it for its old indexes.
func JSONCompare(a, b string) int {
	if a == b {
		return 0
	}
	if a == "" || b == "" {
		return cmp.Compare(len(a), len(b))
	}
	// At the top a scalar is held as an array of one element.
	switch aArray, bArray := a[0] == '[', b[0] == '['; {
	case aArray && b[0] != '[' && b[0] != '{':
		if n, _ := JSONArrayLength(a); n == 0 {
			return -1
		}
		return 1
	case bArray && a[0] != '[' && a[0] != '{':
		if n, _ := JSONArrayLength(b); n == 0 {
			return 1
		}
		return -1
	}
	return compareJSON(a, b)
}

func compareJSON(a, b string) int {
	if c := cmp.Compare(jsonRank(a[0]), jsonRank(b[0])); c != 0 || a == b {
		return c
	}
	switch jsonRank(a[0]) {
	case 1:
		return strings.Compare(keyText(a), keyText(b))
	case 2:
		return compareJSONNumber(a, b)
	case 3:
		return cmp.Compare(a[0], b[0]) // f before t
	case 4:
		m, _ := JSONArrayLength(a)
		n, _ := JSONArrayLength(b)
		if m != n {
			return cmp.Compare(m, n)
		}
		return compareParts(walkJSON(a, '['), walkJSON(b, '['))
	case 5:
		if c := cmp.Compare(countMembers(a), countMembers(b)); c != 0 {
			return c
		}
		return compareParts(walkJSON(a, '{'), walkJSON(b, '{'))
	}
	return 0
}

// compareParts compares two walks of equal length part by part, keys before values.
func compareParts(x, y jsonWalk) int {
	for x.next() && y.next() {
		if x.object && x.key != y.key {
			return strings.Compare(keyText(x.key), keyText(y.key))
		}
		if c := compareJSON(x.value, y.value); c != 0 {
			return c
		}
	}
	return 0
}

func countMembers(doc string) (n int) {
	for c := walkJSON(doc, '{'); c.next(); {
		n++
	}
	return n
}

func compareJSONNumber(a, b string) int {
	x, _, errX := scanNumeric(a)
	y, _, errY := scanNumeric(b)
	if errX != nil || errY != nil || x.IsNull() || y.IsNull() {
		return strings.Compare(a, b)
	}
	return CompareNumeric(x.Numeric(), y.Numeric())
}

const jsonbVersion = 1

func recvJSONB(_ *Type, b []byte, _ int32) (Datum, error) {
	if len(b) < 1 {
		return Null, shortBinary()
	}
	if b[0] != jsonbVersion {
		return Null, pgerr.New(pgerr.InternalError, "unsupported jsonb version number %d", b[0])
	}
	s := string(b[1:])
	if err := CheckEncoding(s); err != nil {
		return Null, err
	}
	c, err := CanonicalJSONB(s)
	return Str(c), err
}

// normalNumbers removes zeros at the end of fractions, so that equal values get equal text.
func normalNumbers(doc string) string {
	if strings.IndexByte(doc, '.') < 0 {
		return doc
	}
	out := make([]byte, 0, len(doc))
	for i := 0; i < len(doc); {
		switch c := doc[i]; {
		case c == '"':
			end := skipString(doc, i)
			out = append(out, doc[i:end]...)
			i = end
		case c == '-' || isDigit(c):
			end := skipValue(doc, i)
			n := doc[i:end]
			if strings.IndexByte(n, '.') >= 0 {
				n = strings.TrimSuffix(strings.TrimRight(n, "0"), ".")
			}
			out = append(out, n...)
			i = end
		default:
			out = append(out, c)
			i++
		}
	}
	return string(out)
}

// keyJSON writes rank, count, then the parts, so that bytes sort as JSONCompare does.
func keyJSON(dst []byte, doc string, top bool) []byte {
	if doc == "" {
		return append(dst, 0)
	}
	rank := jsonRank(doc[0])
	if top && doc == "[]" {
		return append(dst, 0)
	}
	dst = append(dst, byte(rank)+1)
	switch rank {
	case 1:
		return appendKeyBytes(dst, keyText(doc))
	case 2:
		if d, _, err := scanNumeric(doc); err == nil && !d.IsNull() {
			return keyNumeric(dst, d.Numeric())
		}
		return appendKeyBytes(dst, doc)
	case 3:
		if doc[0] == 't' {
			return append(dst, 1)
		}
		return append(dst, 0)
	case 4:
		n, _ := JSONArrayLength(doc)
		dst = binary.BigEndian.AppendUint32(dst, uint32(n))
		for v := range JSONElements(doc) {
			dst = keyJSON(dst, v, false)
		}
	case 5:
		dst = binary.BigEndian.AppendUint32(dst, uint32(countMembers(doc)))
		for k, v := range JSONEach(doc) {
			dst = keyJSON(appendKeyBytes(dst, k), v, false)
		}
	}
	return dst
}
