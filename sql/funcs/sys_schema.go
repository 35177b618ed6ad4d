package funcs

import (
	"strings"

	"raisind/sql/types"
)

// The functions that the views of information_schema are made of. They take a type's
// OID and modifier.

type typeFact func(oid uint32, typmod int32) (int64, bool)

func typeNumber(f typeFact) EvalFunc {
	return func(_ *Ctx, args []types.Datum) (types.Datum, error) {
		n, ok := f(uint32(args[0].Int()), int32(args[1].Int()))
		if !ok {
			return types.Null, nil
		}
		return types.Int(n), nil
	}
}

const (
	varlenaHeader = 4
	bitOID        = 1560
	varbitOID     = 1562
	// maxBytesOfRune is pg_encoding_max_length('UTF8').
	maxBytesOfRune = 4
)

func charMaxLength(oid uint32, typmod int32) (int64, bool) {
	switch {
	case typmod == -1:
		return 0, false
	case oid == types.TBPChar.OID || oid == types.TVarchar.OID:
		return int64(typmod - varlenaHeader), true
	case oid == bitOID || oid == varbitOID:
		return int64(typmod), true
	}
	return 0, false
}

func charOctetLength(oid uint32, typmod int32) (int64, bool) {
	switch oid {
	case types.TText.OID, types.TBPChar.OID, types.TVarchar.OID:
		if typmod == -1 {
			return 1 << 30, true
		}
		n, ok := charMaxLength(oid, typmod)
		return n * maxBytesOfRune, ok
	}
	return 0, false
}

func numericPrecision(oid uint32, typmod int32) (int64, bool) {
	switch oid {
	case types.TInt2.OID:
		return 16, true
	case types.TInt4.OID:
		return 32, true
	case types.TInt8.OID:
		return 64, true
	case types.TFloat4.OID:
		return 24, true
	case types.TFloat8.OID:
		return 53, true
	case types.TNumeric.OID:
		return int64(typmod-varlenaHeader) >> 16 & 0xffff, typmod != -1
	}
	return 0, false
}

func numericRadix(oid uint32, _ int32) (int64, bool) {
	switch oid {
	case types.TInt2.OID, types.TInt4.OID, types.TInt8.OID, types.TFloat4.OID, types.TFloat8.OID:
		return 2, true
	}
	return 10, oid == types.TNumeric.OID
}

func numericScale(oid uint32, typmod int32) (int64, bool) {
	switch oid {
	case types.TInt2.OID, types.TInt4.OID, types.TInt8.OID:
		return 0, true
	case types.TNumeric.OID:
		return int64(typmod-varlenaHeader) & 0xffff, typmod != -1
	}
	return 0, false
}

func datetimePrecision(oid uint32, typmod int32) (int64, bool) {
	const full = 6
	switch oid {
	case types.TDate.OID:
		return 0, true
	case types.TTime.OID, types.TTimestamp.OID, types.TTimestamptz.OID, types.TTimeTZ.OID:
		if typmod < 0 {
			return full, true
		}
		return int64(typmod), true
	case types.TInterval.OID:
		if typmod < 0 || typmod&0xffff == 0xffff {
			return full, true
		}
		return int64(typmod & 0xffff), true
	}
	return 0, false
}

func intervalType(_ *Ctx, args []types.Datum) (types.Datum, error) {
	if uint32(args[0].Int()) != types.TInterval.OID {
		return types.Null, nil
	}
	_, fields, ok := strings.Cut(types.FormatType(types.TInterval, int32(args[1].Int())), " ")
	if !ok {
		return types.Null, nil
	}
	fields, _, _ = strings.Cut(fields, "(")
	return types.Str(strings.ToUpper(fields)), nil
}

// expandArray gives each element with its place.
func expandArray(_ *Ctx, args []types.Datum) (RowSource, error) {
	elems := arrayOf(args[0]).Elems
	i := 0
	return rowFunc(func() (types.Row, bool, error) {
		if i == len(elems) {
			return nil, false, nil
		}
		i++
		return types.Row{elems[i-1], types.Int(int64(i))}, true, nil
	}), nil
}

// indexPosition is where a column stands in an index.
func indexPosition(fc *Ctx, args []types.Datum) (types.Datum, error) {
	k, ok := session[KeyReader](fc)
	if !ok {
		return types.Null, nil
	}
	for i, c := range k.IndexKeys(uint32(args[0].Int())) {
		if c == int(args[1].Int()) {
			return types.Int(int64(i + 1)), nil
		}
	}
	return types.Null, nil
}

// KeyReader may be implemented by a Session: it tells which columns an index is over.
type KeyReader interface {
	IndexKeys(index uint32) []int
	// Updatable are the commands a relation takes, as pg_relation_is_updatable counts them:
	// 4 UPDATE, 8 INSERT, 16 DELETE.
	Updatable(relation uint32) int
}

func relationUpdatable(fc *Ctx, args []types.Datum) (types.Datum, error) {
	k, ok := session[KeyReader](fc)
	if !ok {
		return types.Int(0), nil
	}
	return types.Int(int64(k.Updatable(uint32(args[0].Int())))), nil
}

func columnUpdatable(fc *Ctx, args []types.Datum) (types.Datum, error) {
	const changes = 4 | 16
	k, ok := session[KeyReader](fc)
	return types.Bool(ok && args[1].Int() > 0 && k.Updatable(uint32(args[0].Int()))&changes == changes), nil
}

func schemaFuncs() []Func {
	fn := func(name, doc, sql, want string, overloads ...Overload) Func {
		return Func{
			Name: name, Group: groupSystem, Volatility: Immutable, Doc: doc, Overloads: overloads, Examples: []Example{{sql, want}},
		}
	}
	number := func(name, doc, args, want string, f typeFact) Func {
		return fn(name, doc, `SELECT information_schema.`+name+`(`+args+`)`, want, of("typid oid,typmod int4", "int4", typeNumber(f)))
	}
	stable := func(f Func) Func {
		f.Volatility = Stable
		return f
	}
	var expand []Overload
	for _, elem := range []struct{ array, elem string }{{"int2[]", "int2"}, {"oid[]", "oid"}, {"int2vector", "int2"}, {"oidvector", "oid"}} {
		expand = append(expand, set(elem.array, "(x "+elem.elem+",n int4)", expandArray))
	}
	return []Func{
		number("_pg_char_max_length", "The longest text of a type in characters.", "1043, 14", "10", charMaxLength),
		number("_pg_char_octet_length", "The longest text of a type in bytes.", "1043, 14", "40", charOctetLength),
		number("_pg_numeric_precision", "The precision of a number's type.", "23, -1", "32", numericPrecision),
		number("_pg_numeric_precision_radix", "What the precision of a number's type counts.", "1700, -1", "10", numericRadix),
		number("_pg_numeric_scale", "The scale of a number's type.", "1700, 655366", "2", numericScale),
		number("_pg_datetime_precision", "The digits of a second of a type.", "1184, -1", "6", datetimePrecision),
		fn("_pg_interval_type", "The fields of a type of intervals.", `SELECT information_schema._pg_interval_type(1186, -1) IS NULL`, "t",
			of("typid oid,mod int4", "text", intervalType)),
		fn("_pg_expandarray", "The elements of an array with their places.", `SELECT count(*) FROM information_schema._pg_expandarray('7 8'::int2vector)`, "2", expand...),
		stable(fn("_pg_index_position", "The place of a column in an index.", `SELECT information_schema._pg_index_position(2662, 1::int2)`, "1",
			of("oid,int2", "int4", indexPosition))),
		stable(fn("pg_relation_is_updatable", "Which commands a relation takes: 4 UPDATE, 8 INSERT, 16 DELETE.", `SELECT pg_relation_is_updatable('pg_class', false)`, "0",
			of("regclass,bool", "int4", relationUpdatable))),
		stable(fn("pg_column_is_updatable", "True when a column can be changed.", `SELECT pg_column_is_updatable('pg_class', 1::int2, false)`, "f",
			of("regclass,int2,bool", "bool", columnUpdatable))),
	}
}
