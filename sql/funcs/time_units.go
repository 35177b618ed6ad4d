package funcs

import (
	"strings"

	"raisind/pgerr"
	"raisind/sql/types"
)

// unit is a field of a date, a time or an interval.
type unit uint8

const (
	unitNone unit = iota
	unitMicros
	unitMillis
	unitSecond
	unitMinute
	unitHour
	unitDay
	unitWeek
	unitMonth
	unitQuarter
	unitYear
	unitDecade
	unitCentury
	unitMillennium
	unitEpoch
	unitJulian
	unitISOYear
	unitDayOfWeek
	unitISODayOfWeek
	unitDayOfYear
	unitZone
	unitZoneHour
	unitZoneMinute
)

// units are the words of datetime.c for them.
var units = func() map[string]unit {
	m := map[string]unit{}
	for u, words := range map[unit]string{
		unitMicros:       "microsecond microseconds us usec usecs usecond useconds microsecon",
		unitMillis:       "millisecond milliseconds ms msec msecs msecond mseconds millisecon",
		unitSecond:       "second seconds s sec secs",
		unitMinute:       "minute minutes m min mins",
		unitHour:         "hour hours h hr hrs",
		unitDay:          "day days d",
		unitWeek:         "week weeks w",
		unitMonth:        "month months mon mons",
		unitQuarter:      "quarter qtr",
		unitYear:         "year years y yr yrs",
		unitDecade:       "decade decades dec decs",
		unitCentury:      "century centuries c cent",
		unitMillennium:   "millennium millennia mil mils",
		unitEpoch:        "epoch",
		unitJulian:       "julian j jd",
		unitISOYear:      "isoyear",
		unitDayOfWeek:    "dow",
		unitISODayOfWeek: "isodow",
		unitDayOfYear:    "doy",
		unitZone:         "timezone",
		unitZoneHour:     "timezone_hour timezone_h",
		unitZoneMinute:   "timezone_minute timezone_m",
	} {
		for w := range strings.FieldsSeq(words) {
			m[w] = u
		}
	}
	return m
}()

func errUnitUnknown(name string, t *types.Type) error {
	return pgerr.New(pgerr.InvalidParameterValue, "unit \"%s\" not recognized for type %s", strings.ToLower(name), t)
}

func errUnitUnsupported(name string, t *types.Type) *pgerr.Error {
	return pgerr.New(pgerr.FeatureNotSupported, "unit \"%s\" not supported for type %s", strings.ToLower(name), t)
}

// unitOf finds a unit by its word in any case.
func unitOf(name string, t *types.Type) (unit, error) {
	u, ok := units[strings.ToLower(name)]
	if !ok {
		return unitNone, errUnitUnknown(name, t)
	}
	return u, nil
}

// truncUnit is unitOf for date_trunc, to which the words of datetime's other table
// (epoch, dow, …) are unknown.
func truncUnit(name string, t *types.Type) (unit, error) {
	u, err := unitOf(name, t)
	if err == nil && u >= unitEpoch && u < unitZone {
		return unitNone, errUnitUnknown(name, t)
	}
	return u, err
}

// Years of decades, centuries and millennia; year 0 is 1 BC. There is no year, century
// or millennium 0.
func decadeOf(year int) int {
	if year >= 0 {
		return year / 10
	}
	return -((8 - (year - 1)) / 10)
}

func centuryOf(year int) int {
	if year > 0 {
		return (year + 99) / 100
	}
	return -((99 - (year - 1)) / 100)
}

func millenniumOf(year int) int {
	if year > 0 {
		return (year + 999) / 1000
	}
	return -((999 - (year - 1)) / 1000)
}

// shownYear is the year as SQL counts: -1 is 1 BC.
func shownYear(year int) int {
	if year <= 0 {
		return year - 1
	}
	return year
}

// truncateLocal cuts a wall clock time to a unit; ok is false for units that cannot be cut to.
func truncateLocal(micros int64, u unit) (int64, bool) {
	day := dayOf(micros)
	c := types.CivilOf(micros)
	startOf := func(year, month int) int64 { return daysOf(year, month, 1) * microsPerDay }
	step := func(n int64) int64 { return floorDiv64(micros, n) * n }
	switch u {
	case unitMicros:
		return micros, true
	case unitMillis:
		return step(1000), true
	case unitSecond:
		return step(microsPerSecond), true
	case unitMinute:
		return step(microsPerMinute), true
	case unitHour:
		return step(microsPerHour), true
	case unitDay:
		return step(microsPerDay), true
	case unitWeek:
		return (day - int64((dayOfWeek(day)+6)%7)) * microsPerDay, true
	case unitMonth:
		return startOf(c.Year, c.Month), true
	case unitQuarter:
		return startOf(c.Year, (c.Month-1)/3*3+1), true
	case unitYear:
		return startOf(c.Year, 1), true
	case unitDecade:
		return startOf(int(floorDiv64(int64(c.Year), 10))*10, 1), true
	case unitCentury:
		return startOf(int(floorDiv64(int64(c.Year-1), 100))*100+1, 1), true
	case unitMillennium:
		return startOf(int(floorDiv64(int64(c.Year-1), 1000))*1000+1, 1), true
	}
	return 0, false
}

func truncTimestamp(_ *Ctx, args []types.Datum) (types.Datum, error) {
	if isInfinite(args[1].Int()) {
		return args[1], nil
	}
	u, err := truncUnit(args[0].Str(), types.TTimestamp)
	if err != nil {
		return types.Null, err
	}
	v, ok := truncateLocal(args[1].Int(), u)
	if !ok {
		return types.Null, errUnitUnsupported(args[0].Str(), types.TTimestamp)
	}
	if !validTimestamp(v) {
		return types.Null, errTimestampRange()
	}
	return types.Int(v), nil
}

// truncTimestamptz cuts on the wall clock of the session's zone, or of the zone named.
func truncTimestamptz(fc *Ctx, args []types.Datum) (types.Datum, error) {
	t := args[1].Int()
	if isInfinite(t) {
		return args[1], nil
	}
	u, err := truncUnit(args[0].Str(), types.TTimestamptz)
	if err != nil {
		return types.Null, err
	}
	local := types.UTCToLocal(t, fc.location())
	if len(args) > 2 {
		d, err := types.TimestamptzAtZone(t, args[2].Str())
		if err != nil {
			return types.Null, err
		}
		local = d.Int()
	}
	v, ok := truncateLocal(local, u)
	switch {
	case !ok:
		return types.Null, errUnitUnsupported(args[0].Str(), types.TTimestamptz)
	case u <= unitHour: // the offset does not change: an hour that occurs twice stays the one it was
		v += t - local
	case len(args) > 2:
		return types.TimestampAtZone(v, args[2].Str())
	default:
		v = types.LocalToUTC(v, fc.location())
	}
	if !validTimestamp(v) {
		return types.Null, errTimestampRange()
	}
	return types.Int(v), nil
}

func truncInterval(_ *Ctx, args []types.Datum) (types.Datum, error) {
	u, err := truncUnit(args[0].Str(), types.TInterval)
	if err != nil {
		return types.Null, err
	}
	v := intervalOf(args[1])
	months := func(n int32) types.Interval { return types.Interval{Months: v.Months / n * n} }
	switch u {
	case unitMillennium:
		v = months(1000 * monthsPerYear)
	case unitCentury:
		v = months(100 * monthsPerYear)
	case unitDecade:
		v = months(10 * monthsPerYear)
	case unitYear:
		v = months(monthsPerYear)
	case unitQuarter:
		v = months(3)
	case unitMonth:
		v = months(1)
	case unitDay:
		v.Micros = 0
	case unitHour:
		v.Micros -= v.Micros % microsPerHour
	case unitMinute:
		v.Micros -= v.Micros % microsPerMinute
	case unitSecond:
		v.Micros -= v.Micros % microsPerSecond
	case unitMillis:
		v.Micros -= v.Micros % 1000
	case unitMicros:
	default:
		e := errUnitUnsupported(args[0].Str(), types.TInterval)
		if u == unitWeek {
			e.Detail = "Months usually have fractional weeks."
		}
		return types.Null, e
	}
	return intervalDatum(v)
}
