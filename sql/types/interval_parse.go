package types

import (
	"math"
	"math/bits"
	"strings"
)

func parseInterval(t *Type, s string, typmod int32, env *Env) (Datum, error) {
	a := intervalSum{env: env, span: intervalRange(typmod)}
	fields, err := scanDateTime(s, 256)
	if err == nil {
		err = a.decode(fields)
	}
	if err == errBadFormat {
		a = intervalSum{env: env, span: a.span}
		err = a.decodeISO(s)
	}
	if err == errFieldOverflow {
		err = errIntervalOverflow
	}
	if err != nil {
		return Null, dateTimeError(err, s, "interval")
	}
	months := int64(a.years)*12 + int64(a.months)
	if months != int64(int32(months)) {
		return Null, intervalOutOfRange()
	}
	return NewInterval(int32(months), a.days, a.micros), nil
}

// intervalSum adds up the fields of an interval.
type intervalSum struct {
	env    *Env
	span   int32 // range bits of the typmod: they decide what a bare number means
	years  int32
	months int32
	days   int32
	micros int64
}

// microsPer are the units that add to the time part.
var microsPer = map[unit]int64{
	unitMicro: 1, unitMilli: 1000, unitSecond: MicrosPerSecond, unitMinute: MicrosPerMinute, unitHour: MicrosPerHour,
}

// parts an interval may give once each.
var intervalParts = map[unit]uint32{
	unitMicro: 1 << 0, unitMilli: 1 << 1, unitSecond: 1 << 2, unitMinute: 1 << 3, unitHour: 1 << 4, unitDay: 1 << 5, unitWeek: 1 << 6,
	unitMonth: 1 << 7, unitYear: 1 << 8, unitDecade: 1 << 9, unitCentury: 1 << 10, unitMillennium: 1 << 11,
}

const (
	partsSeconds = 1<<0 | 1<<1 | 1<<2
	partsClock   = partsSeconds | 1<<3 | 1<<4
)

// decode reads fields from the right, so that a unit is known before its number.
func (a *intervalSum) decode(fields []dateField) error {
	negative := a.env.IntervalStyle == "sql_standard" && len(fields) > 0 && fields[0].text[0] == '-'
	for _, f := range fields[min(1, len(fields)):] { // one sign in front counts for all, if it is the only one
		if f.text[0] == '-' || f.text[0] == '+' {
			negative = false
		}
	}
	var seen uint32
	u, ago := unitNone, false
	for i := len(fields) - 1; i >= 0; i-- {
		var got uint32
		text := fields[i].text
		switch fields[i].kind {
		case fieldTime:
			if err := a.clock(text, 1, negative); err != nil {
				return err
			}
			got, u = partsClock, unitDay
		case fieldString, fieldSpecial:
			w := unitWords[token(text)]
			switch w.kind {
			case wordIgnored:
				continue
			case wordUnit:
				u = unit(w.value)
			case wordAgo:
				ago, u = true, unitOther
			default:
				return errBadFormat
			}
		default:
			if fields[i].kind == fieldZone && strings.IndexByte(text, ':') > 0 {
				sign := int64(1)
				if text[0] == '-' {
					sign = -1
				}
				if a.clock(text[1:], sign, negative) == nil {
					got, u = partsClock, unitDay
					break
				}
			}
			if u == unitNone {
				u = lastUnit(a.span)
			}
			var err error
			if got, u, err = a.number(text, u, negative); err != nil {
				return err
			}
		}
		if got&seen != 0 {
			return errBadFormat
		}
		seen |= got
	}
	if seen == 0 {
		return errBadFormat
	}
	if ago {
		if a.years == math.MinInt32 || a.months == math.MinInt32 || a.days == math.MinInt32 || a.micros == math.MinInt64 {
			return errFieldOverflow
		}
		a.years, a.months, a.days, a.micros = -a.years, -a.months, -a.days, -a.micros
	}
	return nil
}

// lastUnit is what a number without a unit counts, by the typmod's range.
func lastUnit(span int32) unit {
	switch {
	case span == rangeFull || span&rangeSecond != 0:
		return unitSecond
	case span&rangeMinute != 0:
		return unitMinute
	case span&rangeHour != 0:
		return unitHour
	case span&rangeDay != 0:
		return unitDay
	case span&rangeMonth != 0:
		return unitMonth
	case span&rangeYear != 0:
		return unitYear
	}
	return unitSecond
}

// clock reads hh:mm[:ss[.ffffff]] and replaces the time part.
func (a *intervalSum) clock(s string, sign int64, negative bool) error {
	h, m, sec, frac, err := parseClock(s, a.span == rangeMinute|rangeSecond)
	if err != nil {
		return err
	}
	a.micros = int64(frac)
	if !a.addMicros(h, MicrosPerHour) || !a.addMicros(int64(m), MicrosPerMinute) || !a.addMicros(int64(sec), MicrosPerSecond) {
		return errFieldOverflow
	}
	a.micros *= sign
	if negative && a.micros > 0 {
		a.micros = -a.micros
	}
	return nil
}

// number reads a number of units, or years-months. It returns the unit that a number
// further left has when it names none.
func (a *intervalSum) number(s string, u unit, negative bool) (uint32, unit, error) {
	v, rest, inRange := leadingInt64(s)
	if !inRange {
		return 0, u, errFieldOverflow
	}
	var f float64
	switch {
	case rest == "":
	case rest[0] == '-':
		m, rest, inRange := leadingInt(rest[1:])
		if !inRange || m < 0 || m >= 12 {
			return 0, u, errFieldOverflow
		}
		if rest != "" {
			return 0, u, errBadFormat
		}
		if s[0] == '-' {
			m = -m
		}
		u = unitMonth
		if v > math.MaxInt64/12-12 || v < math.MinInt64/12+12 {
			return 0, u, errFieldOverflow
		}
		v = v*12 + m
	case rest[0] == '.':
		var ok bool
		if f, ok = fractionValue(rest); !ok {
			return 0, u, errBadFormat
		}
		if s[0] == '-' {
			f = -f
		}
	default:
		return 0, u, errBadFormat
	}
	if negative {
		v, f = min(v, -v), -math.Abs(f)
	}
	got, ok := intervalParts[u]
	if !ok {
		return 0, u, errBadFormat
	}
	if !a.add(v, f, u) {
		return 0, u, errFieldOverflow
	}
	if u == unitSecond && f != 0 {
		got = partsSeconds
	}
	if u == unitHour {
		u = unitDay
	}
	return got, u, nil
}

// add adds v.f units; false on overflow. The fraction goes to the next smaller parts.
func (a *intervalSum) add(v int64, f float64, u unit) bool {
	switch u {
	case unitDay:
		return a.addDays(v, 1) && a.addFraction(f, MicrosPerDay)
	case unitWeek:
		return a.addDays(v, 7) && a.addFractionDays(f, 7)
	case unitMonth:
		return add32(&a.months, v, 1) && a.addFractionDays(f, 30)
	case unitYear:
		return a.addYears(v, f, 1)
	case unitDecade:
		return a.addYears(v, f, 10)
	case unitCentury:
		return a.addYears(v, f, 100)
	case unitMillennium:
		return a.addYears(v, f, 1000)
	}
	return a.addMicros(v, microsPer[u]) && a.addFraction(f, microsPer[u])
}

func (a *intervalSum) addYears(v int64, f float64, scale int64) bool {
	return add32(&a.years, v, scale) && add32(&a.months, int64(math.RoundToEven(f*float64(scale)*12)), 1)
}

func (a *intervalSum) addDays(v, scale int64) bool { return add32(&a.days, v, scale) }

func (a *intervalSum) addMicros(v, scale int64) bool {
	magnitude := uint64(v)
	if v < 0 {
		magnitude = -magnitude
	}
	hi, lo := bits.Mul64(magnitude, uint64(scale))
	if hi != 0 || lo > 1<<63 || lo == 1<<63 && v > 0 {
		return false
	}
	p := int64(lo)
	if v < 0 {
		p = -p // the lowest number stays
	}
	sum := a.micros + p
	if p > 0 && sum < a.micros || p < 0 && sum > a.micros {
		return false
	}
	a.micros = sum
	return true
}

// addFraction adds a part of a unit of scale microseconds, rounded.
func (a *intervalSum) addFraction(f float64, scale int64) bool {
	f *= float64(scale)
	n := int64(f)
	switch rest := f - float64(n); {
	case rest > 0.5:
		n++
	case rest < -0.5:
		n--
	}
	return a.addMicros(n, 1)
}

// addFractionDays adds a part of a unit of scale days: whole days, then time.
func (a *intervalSum) addFractionDays(f float64, scale int64) bool {
	f *= float64(scale)
	n := int64(f)
	return a.addDays(n, 1) && a.addFraction(f-float64(n), MicrosPerDay)
}

// add32 adds v*scale; false when a 32 bit part overflows.
func add32(to *int32, v, scale int64) bool {
	if v != int64(int32(v)) || v*scale != int64(int32(v*scale)) {
		return false
	}
	sum := int64(*to) + v*scale
	*to = int32(sum)
	return sum == int64(int32(sum))
}

func leadingInt64(s string) (v int64, rest string, inRange bool) {
	i := 0
	if i < len(s) && (s[i] == '-' || s[i] == '+') {
		i++
	}
	for i < len(s) && isDigit(s[i]) {
		i++
	}
	v, ok, inRange := scanInt(s[:i])
	if !ok {
		return 0, s, true
	}
	return v, s[i:], inRange
}
