package types

import (
	"strconv"
	"strings"

	"raisind/pgerr"
)

// spellings are SQL's names for types that pg_type knows under others. The unquoted
// word char is SQL's character; the one-byte type is written "char", with the quotes.
var spellings = map[string]string{
	"boolean": "bool", "smallint": "int2", "int": "int4", "integer": "int4", "bigint": "int8",
	"real": "float4", "double precision": "float8", "float": "float8", "dec": "numeric", "decimal": "numeric",
	"char": "bpchar", "character": "bpchar", "nchar": "bpchar", "national char": "bpchar", "national character": "bpchar",
	"character varying": "varchar", "char varying": "varchar", "nchar varying": "varchar",
	"national char varying": "varchar", "national character varying": "varchar", `"char"`: "char", `"any"`: "any",
	"bit varying":            "varbit",
	"time without time zone": "time", "time with time zone": "timetz",
	"timestamp without time zone": "timestamp", "timestamp with time zone": "timestamptz",
}

// ByName finds a type by its name in pg_type or by a SQL spelling, in any case:
// integer, double precision, timestamp with time zone, integer[], pg_catalog.int4.
// The word char means character, as in SQL; "char" in quotes the one-byte type.
func ByName(name string) (*Type, bool) {
	if t, ok := byName[name]; ok && t != TChar {
		return t, true
	}
	n := strings.Join(strings.Fields(strings.ToLower(name)), " ")
	for _, schema := range [2]string{"pg_catalog.", "public."} {
		n = strings.TrimPrefix(n, schema)
	}
	array := false
	if i := strings.IndexByte(n, '['); i > 0 && strings.HasSuffix(n, "]") {
		n, array = strings.TrimSpace(n[:i]), true
	} else if strings.HasSuffix(n, " array") {
		n, array = strings.TrimSuffix(n, " array"), true
	}
	if pg, ok := spellings[n]; ok {
		n = pg
	} else if len(n) > 2 && n[0] == '"' && n[len(n)-1] == '"' {
		n = n[1 : len(n)-1]
	}
	t, ok := byName[n]
	if ok && array {
		t = t.array
	}
	return t, ok && t != nil
}

// ParseTypeName reads a type's name with its modifier: varchar(10), numeric(10,2)[],
// timestamp(3) with time zone, interval day to second, float(24).
func ParseTypeName(s string) (*Type, int32, error) {
	name, mods := s, []string(nil)
	if open := strings.IndexByte(s, '('); open >= 0 {
		end := strings.IndexByte(s, ')')
		if end < open {
			return nil, -1, pgerr.New(pgerr.SyntaxError, "invalid type name \"%s\"", s)
		}
		for _, m := range strings.Split(s[open+1:end], ",") {
			mods = append(mods, strings.TrimSpace(m))
		}
		name = s[:open] + " " + s[end+1:]
	}
	words := strings.Fields(strings.ToLower(strings.ReplaceAll(name, "[", " [")))
	if len(words) > 1 && words[0] == "interval" && words[1][0] != '[' {
		last := ""
		if len(words) > 3 && words[2] == "to" {
			last = words[3]
		}
		digits := -1
		if len(mods) == 1 {
			if n, err := strconv.Atoi(mods[0]); err == nil {
				digits = n
			}
		}
		if typmod, ok := IntervalTypmod(words[1], last, digits); ok {
			return TInterval, typmod, nil
		}
	}
	t, ok := ByName(name)
	if !ok {
		return nil, -1, pgerr.New(pgerr.UndefinedObject, "type \"%s\" does not exist", strings.TrimSpace(s))
	}
	if len(mods) == 0 {
		if first := words[0]; (t == TBPChar || t.Elem == TBPChar) && first != "bpchar" && first != "_bpchar" && first != "pg_catalog.bpchar" {
			return t, 1 + varlenaHeader, nil // character alone is character(1)
		}
		return t, -1, nil
	}
	if len(words) == 1 && words[0] == "float" {
		t, err := FloatType(mods[0])
		return t, -1, err
	}
	typmod, err := TypmodFromNames(t, mods)
	return t, typmod, err
}

// FloatType is the type of SQL's float(bits).
func FloatType(bits string) (*Type, error) {
	switch n, err := strconv.Atoi(bits); {
	case err != nil || n < 1:
		return nil, pgerr.New(pgerr.InvalidParameterValue, "precision for type float must be at least 1 bit")
	case n <= 24:
		return TFloat4, nil
	case n <= 53:
		return TFloat8, nil
	}
	return nil, pgerr.New(pgerr.InvalidParameterValue, "precision for type float must be less than 54 bits")
}

// FormatType is PostgreSQL's format_type: the SQL spelling with its modifier. typmod is -1 for none.
func FormatType(t *Type, typmod int32) string {
	if t.IsArray() && t != TInt2Vector && t != TOIDVector {
		return FormatType(t.Elem, typmod) + "[]"
	}
	if typmod < 0 {
		if t == TBPChar {
			return "bpchar" // character alone would mean character(1)
		}
		return t.SQLName
	}
	n := strconv.Itoa(int(typmod))
	switch t {
	case TBit, TVarbit:
		return t.SQLName + "(" + n + ")"
	case TVarchar, TBPChar:
		return t.SQLName + "(" + strconv.Itoa(int(typmod-varlenaHeader)) + ")"
	case TNumeric:
		p, s := NumericTypmod(typmod)
		return "numeric(" + strconv.Itoa(int(p)) + "," + strconv.Itoa(int(s)) + ")"
	case TTime, TTimeTZ:
		return "time(" + n + ")" + strings.TrimPrefix(t.SQLName, "time")
	case TTimestamp, TTimestamptz:
		return "timestamp(" + n + ")" + strings.TrimPrefix(t.SQLName, "timestamp")
	case TInterval:
		return "interval" + formatIntervalTypmod(typmod)
	case TGeometry, TGeography:
		return t.SQLName + formatGeoTypmod(typmod)
	}
	return t.SQLName
}

func formatIntervalTypmod(typmod int32) string {
	units := []struct {
		bit  int32
		name string
	}{{rangeYear, "year"}, {rangeMonth, "month"}, {rangeDay, "day"}, {rangeHour, "hour"}, {rangeMinute, "minute"}, {rangeSecond, "second"}}
	out := ""
	if r := intervalRange(typmod); r != rangeFull {
		first, last := "", ""
		for _, u := range units {
			if r&u.bit != 0 {
				if first == "" {
					first = u.name
				}
				last = u.name
			}
		}
		if out = " " + first; last != first {
			out += " to " + last
		}
	}
	if p := typmod & precisionFull; p != precisionFull {
		out += "(" + strconv.Itoa(int(p)) + ")"
	}
	return out
}
