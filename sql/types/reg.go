package types

import (
	"encoding/binary"
	"math"
	"strconv"
	"strings"

	"raisind/pgerr"
)

// The reg types are OIDs whose text names an object. Env says what the names are; of
// types the package knows them itself.

func init() {
	c := codec{
		parse: parseReg, format: formatReg,
		recv: func(_ *Type, b []byte, _ int32) (Datum, error) {
			v, err := fixed(b, 4)
			return Int(int64(v)), err
		},
		send:    send4,
		compare: compareNum,
		hash:    func(dst []byte, _ *Type, d Datum) []byte { return appendHashInt(dst, d.num) },
		key:     func(dst []byte, _ *Type, d Datum) []byte { return appendKeyInt(dst, d.num) },
	}
	for _, t := range regTypes {
		t.codec = c
	}
	TTID.codec = codec{
		parse: parseTID, format: formatTID,
		recv: func(_ *Type, b []byte, _ int32) (Datum, error) {
			v, err := fixed(b, 6)
			return Int(int64(v)), err
		},
		send: func(dst []byte, _ *Type, d Datum) []byte {
			dst = binary.BigEndian.AppendUint32(dst, uint32(d.num>>16))
			return binary.BigEndian.AppendUint16(dst, uint16(d.num))
		},
		compare: compareNum,
		hash:    func(dst []byte, _ *Type, d Datum) []byte { return appendHashInt(dst, d.num) },
		key:     func(dst []byte, _ *Type, d Datum) []byte { return appendKeyInt(dst, d.num) },
	}
}

var regTypes = []*Type{TRegproc, TRegprocedure, TRegoper, TRegoperator, TRegclass, TRegtype, TRegnamespace, TRegrole, TRegcollation}

func isReg(t *Type) bool {
	for _, r := range regTypes {
		if r == t {
			return true
		}
	}
	return false
}

func parseReg(t *Type, s string, _ int32, env *Env) (Datum, error) {
	if s == "-" {
		return Int(0), nil
	}
	if s != "" && strings.Trim(s, "0123456789") == "" {
		return parseOID(TOID, s, -1, env)
	}
	if t == TRegtype {
		if strings.IndexByte(s, '"') < 0 {
			s = strings.ToLower(s)
		}
		found, _, err := ParseTypeName(s)
		if err == nil {
			return Int(int64(found.OID)), nil
		}
		if env.RegOID == nil {
			return Null, err
		}
	}
	return findReg(t, s, env)
}

// findReg asks the session for the object of a name.
func findReg(t *Type, s string, env *Env) (Datum, error) {
	if env.RegOID != nil {
		oid, err := env.RegOID(t, s)
		return Int(int64(oid)), err
	}
	switch t {
	case TRegclass:
		return Null, pgerr.New(pgerr.UndefinedTable, "relation \"%s\" does not exist", s)
	case TRegnamespace:
		return Null, pgerr.New(pgerr.InvalidSchemaName, "schema \"%s\" does not exist", s)
	case TRegrole:
		return Null, pgerr.New(pgerr.UndefinedObject, "role \"%s\" does not exist", s)
	case TRegcollation:
		return Null, pgerr.New(pgerr.UndefinedObject, "collation \"%s\" for encoding \"UTF8\" does not exist", s)
	case TRegoper, TRegoperator:
		return Null, pgerr.New(pgerr.UndefinedFunction, "operator does not exist: %s", s)
	}
	return Null, pgerr.New(pgerr.UndefinedFunction, "function \"%s\" does not exist", s)
}

func formatReg(dst []byte, t *Type, d Datum, env *Env) []byte {
	if d.num == 0 {
		return append(dst, '-')
	}
	if t == TRegtype {
		if found, ok := ByOID(uint32(d.num)); ok {
			return append(dst, found.SQLName...)
		}
	}
	if env.RegName != nil {
		if name, ok := env.RegName(t, uint32(d.num)); ok {
			return append(dst, name...)
		}
	}
	return strconv.AppendInt(dst, d.num, 10)
}

// parseTID reads (block,offset). As in PostgreSQL, what stands before the bracket or
// behind it does not matter, and a missing number is 0.
func parseTID(t *Type, s string, _ int32, _ *Env) (Datum, error) {
	end := strings.IndexByte(s, ')')
	open := strings.IndexAny(s, "(,")
	if end < 0 || open < 0 || open > end {
		return Null, syntaxError(t, s)
	}
	block, offset, ok := strings.Cut(s[open+1:end], ",")
	b, ok1 := tidNumber(block, math.MaxUint32)
	o, ok2 := tidNumber(offset, math.MaxUint16)
	if !ok || !ok1 || !ok2 {
		return Null, syntaxError(t, s)
	}
	return Int(b<<16 | o), nil
}

func tidNumber(s string, limit int64) (int64, bool) {
	if s == "" {
		return 0, true
	}
	v, rest, state := leadingInteger(s)
	if limit == math.MaxUint32 && v < 0 && v >= math.MinInt32 { // strtoul counts from 2^32
		v = int64(uint32(v))
	}
	return v, state == inRange64 && rest == len(s) && !isSpace(s[len(s)-1]) && v >= 0 && v <= limit
}

func formatTID(dst []byte, _ *Type, d Datum, _ *Env) []byte {
	dst = strconv.AppendInt(append(dst, '('), d.num>>16, 10)
	dst = strconv.AppendInt(append(dst, ','), d.num&0xffff, 10)
	return append(dst, ')')
}
