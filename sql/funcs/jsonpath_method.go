package funcs

import (
	"math"
	"regexp"
	"strings"

	"raisind/pgerr"
	"raisind/sql/types"
)

// method evaluates .type() and its kin.
func (x *pathRun) method(n *types.JSONPathNode, it pathItem, found *pathFound, unwrap bool) pathState {
	if n.Op == types.PathDatetime {
		return x.datetime(n, it, found, unwrap)
	}
	switch n.Text {
	case "type":
		return x.next(n, pathItem{kind: 's', text: it.typeName()}, found)
	case "size":
		size := 1
		if it.kind == 'a' {
			size, _ = types.JSONArrayLength(it.text)
		} else if x.strict {
			if x.lenient {
				return pathNone
			}
			return x.fail(pgerr.SQLJSONArrayNotFound, "jsonpath item method .%s() can only be applied to an array", n.Text)
		}
		return x.next(n, numberItem(numberOfInt(int64(size))), found)
	}
	if unwrap && it.kind == 'a' {
		return x.unwrapped(n, it, found, false)
	}
	switch n.Text {
	case "double":
		return x.double(n, it, found)
	case "keyvalue":
		return x.keyvalue(n, it, found)
	}
	if it.kind != '#' {
		return x.fail(pgerr.NonNumericSQLJSONItem, "jsonpath item method .%s() can only be applied to a numeric value", n.Text)
	}
	v := it.num
	switch n.Text {
	case "abs":
		if v.sign() < 0 {
			v = v.negate()
		}
	case "floor", "ceiling":
		whole := v.trunc(0)
		if c := v.cmp(whole); c < 0 && n.Text == "floor" {
			whole = whole.sub(numberOfInt(1))
		} else if c > 0 && n.Text == "ceiling" {
			whole = whole.add(numberOfInt(1))
		}
		v = whole
	}
	return x.next(n, numberItem(v), found)
}

func (x *pathRun) double(n *types.JSONPathNode, it pathItem, found *pathFound) pathState {
	bad := func(what string) pathState {
		return x.fail(pgerr.NonNumericSQLJSONItem, what, n.Text)
	}
	switch it.kind {
	case '#':
		if f := it.num.float(); math.IsInf(f, 0) || math.IsNaN(f) {
			return bad("numeric argument of jsonpath item method .%s() is out of range for type double precision")
		}
		return x.next(n, it, found)
	case 's':
		d, err := types.TFloat8.ParseText(it.text, -1, nil)
		if err != nil || math.IsInf(d.Float(), 0) || math.IsNaN(d.Float()) {
			return bad("string argument of jsonpath item method .%s() is not a valid representation of a double precision number")
		}
		return x.next(n, numberItem(numberOfText(string(types.TFloat8.AppendText(nil, d, nil)))), found)
	}
	return bad("jsonpath item method .%s() can only be applied to a string or numeric value")
}

// keyvalue gives an object of id, key and value for each member.
func (x *pathRun) keyvalue(n *types.JSONPathNode, it pathItem, found *pathFound) pathState {
	if it.kind != 'o' {
		return x.fail(pgerr.SQLJSONObjectNotFound, "jsonpath item method .%s() can only be applied to an object", n.Text)
	}
	id := max(strings.Index(x.root.text, it.text), 0)
	st := pathNone
	for key, value := range types.JSONEach(it.text) {
		if n.Next == nil && found == nil {
			return pathOK
		}
		b := append([]byte(`{"id": `), numberItem(numberOfInt(int64(id))).json()...)
		b = types.AppendJSONString(append(b, `, "key": `...), key)
		b = append(append(append(b, `, "value": `...), value...), '}')
		r := x.next(n, pathItem{kind: 'o', text: string(b)}, found)
		if r == pathError || r == pathOK && found == nil {
			return r
		}
		if r == pathOK {
			st = r
		}
	}
	return st
}

// isoForms are the shapes .datetime() reads without a template, with their types.
var isoForms = []struct {
	re *regexp.Regexp
	t  *types.Type
}{
	{regexp.MustCompile(`^\d{4,}-\d{1,2}-\d{1,2}$`), types.TDate},
	{regexp.MustCompile(`^\d{1,2}:\d{2}:\d{2}(\.\d+)?[+-]\d{1,2}(:\d{2})?$`), types.TTimeTZ},
	{regexp.MustCompile(`^\d{1,2}:\d{2}:\d{2}(\.\d+)?$`), types.TTime},
	{regexp.MustCompile(`^\d{4,}-\d{1,2}-\d{1,2}[ T]\d{1,2}:\d{2}:\d{2}(\.\d+)?[+-]\d{1,2}(:\d{2})?$`), types.TTimestamptz},
	{regexp.MustCompile(`^\d{4,}-\d{1,2}-\d{1,2}[ T]\d{1,2}:\d{2}:\d{2}(\.\d+)?$`), types.TTimestamp},
}

var isoZone = regexp.MustCompile(`:\d{2}(?:\.\d+)?([+-])(\d{1,2})(?::(\d{2}))?$`)

func (x *pathRun) datetime(n *types.JSONPathNode, it pathItem, found *pathFound, unwrap bool) pathState {
	if unwrap && it.kind == 'a' {
		return x.unwrapped(n, it, found, false)
	}
	if it.kind != 's' {
		return x.fail(pgerr.InvalidArgumentForJSONDatetime, "jsonpath item method .%s() can only be applied to a string", "datetime")
	}
	var out pathItem
	var err error
	if n.Left != nil {
		out, err = x.templateTime(it.text, n.Left.Text)
	} else {
		out, err = x.isoTime(it.text)
	}
	if err != nil {
		if !x.silent && x.fault == nil {
			x.fault = err
		}
		return pathError
	}
	if n.Next == nil && found == nil {
		return pathOK
	}
	return x.next(n, out, found)
}

func (x *pathRun) isoTime(s string) (pathItem, error) {
	for _, f := range isoForms {
		if !f.re.MatchString(s) {
			continue
		}
		d, err := f.t.ParseText(s, -1, x.fc.Env)
		if err != nil {
			break
		}
		out := pathItem{kind: 't', t: f.t, d: d}
		if m := isoZone.FindStringSubmatch(s); m != nil && (f.t == types.TTimestamptz || f.t == types.TTimeTZ) {
			atoi := func(s string) (v int64) {
				for _, c := range s {
					v = v*10 + int64(c-'0')
				}
				return v
			}
			out.zone = atoi(m[2])*3600 + atoi(m[3])*60
			if m[1] == "-" {
				out.zone = -out.zone
			}
		}
		return out, nil
	}
	return pathItem{}, pgerr.New(pgerr.InvalidArgumentForJSONDatetime, "datetime format is not recognized: \"%s\"", s).
		WithHint("Use a datetime template argument to specify the input data format.")
}

// templateTime reads by a template, whose fields decide the type.
func (x *pathRun) templateTime(s, template string) (pathItem, error) {
	var date, clock, zone bool
	for _, n := range dateTemplate(template) {
		if n.key == nil {
			continue
		}
		name := strings.ToUpper(n.key.name)
		switch {
		case strings.HasPrefix(name, "TZ"), strings.HasPrefix(name, "OF"):
			zone = true
		case strings.HasPrefix(name, "HH"), strings.HasPrefix(name, "MI"), strings.HasPrefix(name, "SS"), name == "MS", name == "US",
			strings.HasPrefix(name, "FF"), strings.HasPrefix(name, "AM"), strings.HasPrefix(name, "PM"), strings.HasPrefix(name, "A.M"), strings.HasPrefix(name, "P.M"):
			clock = true
		default:
			date = true
		}
	}
	o, err := scanDate(s, template)
	if err != nil {
		return pathItem{}, err
	}
	zoneSecs := o.zoneSign * (o.zoneHour*3600 + o.zoneMinute*60)
	switch {
	case date && clock:
		micros, err := o.localMicros(s)
		if err != nil {
			return pathItem{}, err
		}
		if zone {
			return pathItem{kind: 't', t: types.TTimestamptz, d: types.Int(micros - zoneSecs*microsPerSecond), zone: zoneSecs}, nil
		}
		return pathItem{kind: 't', t: types.TTimestamp, d: types.Int(micros)}, nil
	case date:
		if zone {
			return pathItem{}, pgerr.New(pgerr.InvalidDatetimeFormat, "datetime format is zoned but not timed")
		}
		day, err := o.date(pgerr.New(pgerr.DatetimeFieldOverflow, "date/time field value out of range: \"%s\"", s))
		return pathItem{kind: 't', t: types.TDate, d: types.Int(day)}, err
	case clock:
		micros, err := o.timeOnly(s)
		if err != nil {
			return pathItem{}, err
		}
		micros = timeOfDay(micros)
		if zone {
			return pathItem{kind: 't', t: types.TTimeTZ, d: types.Ref(&types.TimeTZ{Micros: micros, OffsetSecs: int32(zoneSecs)}), zone: zoneSecs}, nil
		}
		return pathItem{kind: 't', t: types.TTime, d: types.Int(micros)}, nil
	}
	return pathItem{}, pgerr.New(pgerr.InvalidDatetimeFormat, "datetime format is not dated and not timed")
}
