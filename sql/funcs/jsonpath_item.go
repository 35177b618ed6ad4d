package funcs

import (
	"strings"

	"raisind/pgerr"
	"raisind/sql/types"
)

// pathItem is a value met while a jsonpath is evaluated. Objects and arrays stay
// text; dates exist only between .datetime() and the result.
type pathItem struct {
	kind byte   // n null, b bool, # number, s string, o object, a array, t date or time
	text string // canonical JSON; of strings the content
	b    bool
	num  number
	// of dates and times
	t    *types.Type
	d    types.Datum
	zone int64 // seconds east of UTC, of types with a time zone
}

// itemOf is the item of a canonical JSON value.
func itemOf(doc string) pathItem {
	if doc == "" {
		return pathItem{kind: 'n', text: "null"}
	}
	switch doc[0] {
	case '{':
		return pathItem{kind: 'o', text: doc}
	case '[':
		return pathItem{kind: 'a', text: doc}
	case '"':
		s, _ := types.JSONAsText(doc)
		return pathItem{kind: 's', text: s}
	case 't', 'f':
		return pathItem{kind: 'b', text: doc, b: doc[0] == 't'}
	case 'n':
		return pathItem{kind: 'n', text: doc}
	}
	return numberItem(numberOfText(doc))
}

func numberOfText(s string) number {
	d, err := mustType("numeric").ParseText(s, -1, nil)
	if err != nil {
		return nan()
	}
	return numberOf(d)
}

func numberItem(n number) pathItem { return pathItem{kind: '#', num: n} }

// json is the item as canonical JSON.
func (i pathItem) json() string {
	switch i.kind {
	case 's':
		return string(types.AppendJSONString(nil, i.text))
	case '#':
		return string(mustType("numeric").AppendText(nil, types.Ref(i.num.decimal()), nil))
	case 't':
		return i.datetimeJSON()
	}
	return i.text
}

// datetimeJSON prints ISO 8601; what has a time zone keeps the one it was given.
func (i pathItem) datetimeJSON() string {
	text := func(t string, d types.Datum) string {
		return strings.Trim(string(types.AppendJSONText(nil, mustType(t), d, nil)), `"`)
	}
	switch i.t {
	case types.TTimestamptz:
		local := text("timestamp", types.Int(i.d.Int()+i.zone*microsPerSecond))
		return `"` + local + zoneText(i.zone) + `"`
	case types.TTimeTZ:
		return `"` + text("time", types.Int(i.d.TimeTZ().Micros)) + zoneText(i.zone) + `"`
	}
	return `"` + text(i.t.Name, i.d) + `"`
}

func zoneText(secs int64) string {
	sign := "+"
	if secs < 0 {
		sign, secs = "-", -secs
	}
	two := func(v int64) string { return string([]byte{byte('0' + v/10), byte('0' + v%10)}) }
	s := sign + two(secs/3600) + ":" + two(secs/60%60)
	if secs%60 != 0 {
		s += ":" + two(secs%60)
	}
	return s
}

// typeName is what .type() gives.
func (i pathItem) typeName() string {
	switch i.kind {
	case 'n':
		return "null"
	case 'b':
		return "boolean"
	case '#':
		return "number"
	case 's':
		return "string"
	case 'o':
		return "object"
	case 'a':
		return "array"
	}
	return i.t.SQLName
}

// elements are the elements of an array, or the values of an object.
func (i pathItem) elements() []pathItem {
	var out []pathItem
	switch i.kind {
	case 'a':
		for v := range types.JSONElements(i.text) {
			out = append(out, itemOf(v))
		}
	case 'o':
		for _, v := range types.JSONEach(i.text) {
			out = append(out, itemOf(v))
		}
	}
	return out
}

// truth is a value of three-valued logic.
type truth uint8

const (
	isFalse truth = iota
	isTrue
	isUnknown
)

func truthOf(b bool) truth {
	if b {
		return isTrue
	}
	return isFalse
}

// compareItems compares two items by an operator. Items of different types, and
// objects and arrays, are not comparable.
func (x *pathRun) compareItems(op types.JSONPathOp, a, b pathItem) truth {
	cmp := 0
	switch {
	case a.kind == 'n' && b.kind == 'n':
	case a.kind == 'n' || b.kind == 'n': // only unequal
		return truthOf(op == types.PathNotEqual)
	case a.kind != b.kind:
		return isUnknown
	case a.kind == 'b':
		cmp = int(b2i(a.b) - b2i(b.b))
	case a.kind == '#':
		cmp = a.num.cmp(b.num)
	case a.kind == 's':
		cmp = strings.Compare(a.text, b.text)
	case a.kind == 't':
		c, ok, err := x.compareTimes(a, b)
		if err != nil {
			x.fault = err
			return isUnknown
		}
		if !ok {
			return isUnknown
		}
		cmp = c
	default:
		return isUnknown
	}
	switch op {
	case types.PathEqual:
		return truthOf(cmp == 0)
	case types.PathNotEqual:
		return truthOf(cmp != 0)
	case types.PathLess:
		return truthOf(cmp < 0)
	case types.PathGreater:
		return truthOf(cmp > 0)
	case types.PathLessEqual:
		return truthOf(cmp <= 0)
	}
	return truthOf(cmp >= 0)
}

// compareTimes compares dates and times, a date or timestamp with one that has a zone
// only where the session's may be used; ok is false for a date and a time.
func (x *pathRun) compareTimes(a, b pathItem) (c int, ok bool, err error) {
	isTime := func(t *types.Type) bool { return t == types.TTime || t == types.TTimeTZ }
	if isTime(a.t) != isTime(b.t) {
		return 0, false, nil
	}
	if a.t == b.t {
		return types.Compare(a.t, a.d, b.d), true, nil
	}
	to := types.TTimestamp
	switch {
	case isTime(a.t):
		to = types.TTimeTZ
	case a.t == types.TTimestamptz || b.t == types.TTimestamptz:
		to = types.TTimestamptz
	}
	lift := func(i pathItem) (types.Datum, error) {
		if i.t == to {
			return i.d, nil
		}
		if (to == types.TTimestamptz || to == types.TTimeTZ) && !x.useZone {
			return types.Null, pgerr.New(pgerr.FeatureNotSupported, "cannot convert value from %s to %s without time zone usage", i.t.Name, to.Name).
				WithHint("Use *_tz() function for time zone support.")
		}
		cast, found := types.FindCast(i.t, to)
		if !found {
			return types.Null, types.CannotCast(i.t, to)
		}
		return cast.Fn(x.fc.Env, i.d, -1, true)
	}
	u, err := lift(a)
	if err != nil {
		return 0, false, err
	}
	v, err := lift(b)
	if err != nil {
		return 0, false, err
	}
	return types.Compare(to, u, v), true, nil
}
