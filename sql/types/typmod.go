package types

import (
	"strconv"
	"strings"

	"raisind/pgerr"
)

// varlenaHeader is what PostgreSQL adds to the typmod of types of variable length.
const varlenaHeader = 4

// Limits of modifiers, as in PostgreSQL.
const (
	maxCharLength       = 10485760 // characters
	maxNumericPrecision = 1000
	maxTimePrecision    = 6
	maxBits             = 83886080
)

// TypmodFromNames turns the words in parentheses behind a type name into its modifier:
// varchar(10), numeric(10,2), geometry(Point,4326). For interval the words are the first
// and last unit and the digits of seconds, each optional.
func TypmodFromNames(t *Type, mods []string) (int32, error) {
	if len(mods) == 0 {
		return -1, nil
	}
	if t.IsArray() && t.Elem != nil {
		return TypmodFromNames(t.Elem, mods)
	}
	switch t {
	case TGeometry, TGeography:
		return geoTypmod(t, mods)
	case TInterval:
		return intervalTypmodOf(mods)
	}
	n := make([]int, len(mods))
	for i, m := range mods {
		var err error
		if n[i], err = strconv.Atoi(strings.TrimSpace(m)); err != nil {
			return -1, pgerr.New(pgerr.InvalidTextRepresentation, "invalid input syntax for type integer: \"%s\"", m)
		}
	}
	switch t {
	case TBit, TVarbit:
		name := "bit"
		if t == TVarbit {
			name = "varbit"
		}
		switch {
		case len(n) != 1:
			return -1, pgerr.New(pgerr.InvalidParameterValue, "invalid type modifier")
		case n[0] < 1:
			return -1, pgerr.New(pgerr.InvalidParameterValue, "length for type %s must be at least 1", name)
		case n[0] > maxBits:
			return -1, pgerr.New(pgerr.InvalidParameterValue, "length for type %s cannot exceed %d", name, maxBits)
		}
		return int32(n[0]), nil
	case TVarchar, TBPChar:
		name := "varchar"
		if t == TBPChar {
			name = "char"
		}
		switch {
		case len(n) != 1:
			return -1, pgerr.New(pgerr.InvalidParameterValue, "invalid type modifier")
		case n[0] < 1:
			return -1, pgerr.New(pgerr.InvalidParameterValue, "length for type %s must be at least 1", name)
		case n[0] > maxCharLength:
			return -1, pgerr.New(pgerr.InvalidParameterValue, "length for type %s cannot exceed %d", name, maxCharLength)
		}
		return int32(n[0]) + varlenaHeader, nil
	case TNumeric:
		return numericTypmodOf(n)
	case TTime, TTimeTZ, TTimestamp, TTimestamptz:
		if len(n) != 1 {
			return -1, pgerr.New(pgerr.InvalidParameterValue, "invalid type modifier")
		}
		if n[0] < 0 {
			word, zone := strings.ToUpper(strings.Fields(t.SQLName)[0]), ""
			if t == TTimeTZ || t == TTimestamptz {
				zone = " WITH TIME ZONE"
			}
			return -1, pgerr.New(pgerr.InvalidParameterValue, "%s(%d)%s precision must not be negative", word, n[0], zone)
		}
		return int32(min(n[0], maxTimePrecision)), nil
	}
	return -1, pgerr.New(pgerr.SyntaxError, "type modifier is not allowed for type \"%s\"", t.Name)
}

func numericTypmodOf(n []int) (int32, error) {
	if len(n) > 2 {
		return -1, pgerr.New(pgerr.InvalidParameterValue, "invalid NUMERIC type modifier")
	}
	if n[0] < 1 || n[0] > maxNumericPrecision {
		return -1, pgerr.New(pgerr.InvalidParameterValue, "NUMERIC precision %d must be between 1 and %d", n[0], maxNumericPrecision)
	}
	scale := 0
	if len(n) == 2 {
		if scale = n[1]; scale < -maxNumericPrecision || scale > maxNumericPrecision {
			return -1, pgerr.New(pgerr.InvalidParameterValue, "NUMERIC scale %d must be between %d and %d", scale, -maxNumericPrecision, maxNumericPrecision)
		}
	}
	return int32(n[0]<<16|scale&0x7ff) + varlenaHeader, nil
}

func intervalTypmodOf(mods []string) (int32, error) {
	first, last, digits := "", "", -1
	for _, m := range mods {
		if n, err := strconv.Atoi(m); err == nil {
			if digits = n; n < 0 {
				return -1, pgerr.New(pgerr.InvalidParameterValue, "INTERVAL(%d) precision must not be negative", n)
			}
			continue
		}
		for _, w := range strings.Fields(strings.ToLower(m)) {
			switch {
			case w == "to":
			case first == "":
				first = w
			default:
				last = w
			}
		}
	}
	typmod, ok := IntervalTypmod(first, last, digits)
	if !ok {
		return -1, pgerr.New(pgerr.InvalidParameterValue, "invalid INTERVAL type modifier")
	}
	return typmod, nil
}

// ApplyTypmod fits d, which may be NULL, to typmod. An explicit cast cuts what is too
// long; an assignment fails.
func ApplyTypmod(t *Type, d Datum, typmod int32, explicit bool) (Datum, error) {
	if typmod < 0 || d.IsNull() || t.codec.fit == nil {
		return d, nil
	}
	return t.codec.fit(t, d, typmod, explicit)
}

// HasTypmod reports whether t takes modifiers.
func (t *Type) HasTypmod() bool {
	if t.IsArray() {
		return t.Elem.codec.fit != nil
	}
	return t.codec.fit != nil
}
