package session

import (
	"errors"
	"math"
	"slices"
	"strconv"
	"strings"

	"raisind/pgerr"
)

// unit is one unit of memory or time with its size in the family's smallest.
type unit struct {
	name string
	size float64
}

// Units from large to small; sizes in bytes and in microseconds.
var (
	memoryUnits = []unit{{"TB", 1 << 40}, {"GB", 1 << 30}, {"MB", 1 << 20}, {"kB", 1 << 10}, {"B", 1}}
	timeUnits   = []unit{{"d", 86400e6}, {"h", 3600e6}, {"min", 60e6}, {"s", 1e6}, {"ms", 1e3}, {"us", 1}}
)

const (
	memoryHint = `Valid units for this parameter are "B", "kB", "MB", "GB", and "TB".`
	timeHint   = `Valid units for this parameter are "us", "ms", "s", "min", "h", and "d".`
)

// units returns the family of d's unit, and the size of the unit itself.
func (d *setting) units() (family []unit, base float64, hint string) {
	switch d.unit {
	case "":
		return nil, 1, ""
	case "8kB":
		return memoryUnits, 8 << 10, memoryHint
	}
	for _, u := range memoryUnits {
		if u.name == d.unit {
			return memoryUnits, u.size, memoryHint
		}
	}
	for _, u := range timeUnits {
		if u.name == d.unit {
			return timeUnits, u.size, timeHint
		}
	}
	return nil, 1, ""
}

// canonical checks a value as SET gives it and returns it as it is kept: numbers in the
// setting's own unit, words in their main spelling.
func (d *setting) canonical(s *Session, value string) (string, error) {
	var err error
	switch d.kind {
	case boolSetting:
		b, ok := parseBool(value)
		if !ok {
			return "", pgerr.New(pgerr.InvalidParameterValue, `parameter "%s" requires a Boolean value`, strings.ToLower(d.name))
		}
		value = onOff(b)
	case intSetting, realSetting:
		value, err = d.number(value)
	case enumSetting:
		value, err = d.word(value)
	}
	if err != nil || d.check == nil {
		return value, err
	}
	return d.check(s, value)
}

func onOff(b bool) string {
	if b {
		return "on"
	}
	return "off"
}

// parseBool takes what PostgreSQL's parse_bool does: any unambiguous beginning of
// true, false, yes, no, on, off, and 1 and 0.
func parseBool(s string) (value, ok bool) {
	s = strings.ToLower(s)
	if s == "" {
		return false, false
	}
	switch {
	case s == "1", strings.HasPrefix("true", s), strings.HasPrefix("yes", s), s == "on":
		return true, true
	case s == "0", strings.HasPrefix("false", s), strings.HasPrefix("no", s), len(s) > 1 && strings.HasPrefix("off", s):
		return false, true
	}
	return false, false
}

func (d *setting) invalid(value string) *pgerr.Error {
	return pgerr.New(pgerr.InvalidParameterValue, `invalid value for parameter "%s": "%s"`, d.name, value)
}

func (d *setting) word(value string) (string, error) {
	lower := strings.ToLower(value)
	if slices.Contains(d.words, lower) {
		return lower, nil
	}
	if w, ok := d.aliases[lower]; ok {
		return w, nil
	}
	// PostgreSQL repeats the name of an enum as it was written, which SQL folds.
	return "", pgerr.New(pgerr.InvalidParameterValue, `invalid value for parameter "%s": "%s"`, strings.ToLower(d.name), value).
		WithHint("Available values: %s.", strings.Join(d.words, ", "))
}

// number reads a number with an optional unit. Fractions are allowed everywhere and are
// rounded to the next smaller unit, then, for an integer, to a whole one.
func (d *setting) number(value string) (string, error) {
	family, base, hint := d.units()
	v, rest, ok := leadingNumber(strings.TrimSpace(value))
	if !ok {
		return "", d.invalid(value)
	}
	if rest != "" {
		i := slices.IndexFunc(family, func(u unit) bool { return u.name == rest })
		if i < 0 {
			if hint == "" {
				return "", d.invalid(value)
			}
			return "", d.invalid(value).WithHint("%s", hint)
		}
		v *= family[i].size / base
		if i+1 < len(family) {
			next := family[i+1].size / base
			if v != math.Trunc(v) {
				v = math.RoundToEven(v/next) * next
			}
		}
	}
	if d.kind == intSetting {
		v = math.RoundToEven(v)
		if v > math.MaxInt32 || v < math.MinInt32 {
			return "", d.invalid(value).WithHint("Value exceeds integer range.")
		}
	}
	if v < d.min || v > d.max || math.IsNaN(v) {
		unit := ""
		if d.unit != "" {
			unit = " " + d.unit
		}
		return "", pgerr.New(pgerr.InvalidParameterValue, `%s%s is outside the valid range for parameter "%s" (%s .. %s)`,
			formatNumber(v), unit, d.name, formatNumber(d.min), formatNumber(d.max))
	}
	return formatNumber(v), nil
}

// leadingNumber splits "1.5 GB" into the number and the unit. Integers may be written in
// hexadecimal or octal, as C does.
func leadingNumber(s string) (v float64, unit string, ok bool) {
	if n, err := strconv.ParseInt(s, 0, 64); err == nil && !strings.Contains(s, "_") {
		return float64(n), "", true
	}
	end := 0
	for end < len(s) && (s[end] >= '0' && s[end] <= '9' || s[end] == '.' || end == 0 && (s[end] == '-' || s[end] == '+')) {
		end++
	}
	// An exponent, unless the letter begins a unit.
	if end > 0 && end+1 < len(s) && (s[end] == 'e' || s[end] == 'E') {
		e := end + 1
		if s[e] == '-' || s[e] == '+' {
			e++
		}
		for e < len(s) && s[e] >= '0' && s[e] <= '9' {
			e++
			end = e
		}
	}
	v, err := strconv.ParseFloat(s[:end], 64)
	if err != nil && !errors.Is(err, strconv.ErrRange) {
		return 0, "", false
	}
	return v, strings.TrimSpace(s[end:]), true
}

// formatNumber prints as C's %g with enough digits for what settings hold.
func formatNumber(v float64) string {
	if v == math.Trunc(v) && math.Abs(v) < 1e15 {
		return strconv.FormatInt(int64(v), 10)
	}
	s := strconv.FormatFloat(v, 'g', 6, 64)
	if back, err := strconv.ParseFloat(s, 64); err != nil || back != v && math.Abs(v) < 1e300 {
		s = strconv.FormatFloat(v, 'g', -1, 64)
	}
	return s
}

// display is the value as SHOW prints it: a number with the largest unit that divides it.
func (d *setting) display(value string) string {
	if d.unit == "" {
		return value
	}
	v, err := strconv.ParseFloat(value, 64)
	if err != nil || v <= 0 {
		return value
	}
	family, base, _ := d.units()
	total := v * base
	for _, u := range family {
		if n := total / u.size; n >= 1 && math.Abs(n-math.RoundToEven(n)) < 1e-8 {
			return strconv.FormatInt(int64(math.RoundToEven(n)), 10) + u.name
		}
	}
	return value
}
