package funcs

import (
	"math"
	"time"

	"raisind/pgerr"
	"raisind/sql/types"
)

// Dates are days and timestamps microseconds since 2000-01-01.
const (
	posInfinity = types.PosInfinity
	negInfinity = types.NegInfinity

	microsPerSecond = types.MicrosPerSecond
	microsPerMinute = types.MicrosPerMinute
	microsPerHour   = types.MicrosPerHour
	microsPerDay    = types.MicrosPerDay

	daysPerMonth  = 30      // where an interval's months must become days
	monthsPerYear = 12      //
	epochJulian   = 2451545 // 2000-01-01 as a Julian day

	// The range of timestamps: 4714-11-24 BC up to, not including, 294277-01-01.
	minTimestamp = -211813488000000000
	endTimestamp = 9223371331200000000
	minDate      = -2451545   // 4714-11-24 BC
	endDate      = 2145031949 // 5874898-01-01
)

// location is the session's time zone.
func (fc *Ctx) location() *time.Location {
	if fc == nil || fc.Env == nil || fc.Env.Location == nil {
		return time.UTC
	}
	return fc.Env.Location
}

func isInfinite(v int64) bool { return types.IsInfinite(v) }

// dateToMicros turns a date into the timestamp of its midnight. out is not 0 when the
// date lies beyond the range of timestamps: 1 above, -1 below.
func dateToMicros(days int64) (micros int64, out int) {
	switch {
	case isInfinite(days):
		return days, 0
	case days >= endTimestamp/microsPerDay:
		return posInfinity, 1
	case days < minTimestamp/microsPerDay:
		return negInfinity, -1
	}
	return days * microsPerDay, 0
}

func floorDiv64(a, b int64) int64 {
	q := a / b
	if a%b != 0 && (a < 0) != (b < 0) {
		q--
	}
	return q
}

// dayOf is the date of a timestamp without time zone.
func dayOf(micros int64) int64 { return floorDiv64(micros, microsPerDay) }

// daysOf counts days of a date of the calendar; year 0 is 1 BC.
func daysOf(year, month, day int) int64 {
	return types.Civil{Year: year, Month: month, Day: day}.DayNumber()
}

// validDate reports whether the three are a date of the calendar.
func validDate(year, month, day int) bool {
	return month >= 1 && month <= 12 && day >= 1 && day <= types.DaysInMonth(year, month)
}

// dayOfWeek is 0 for Sunday.
func dayOfWeek(days int64) int { return int((days+6)%7+7) % 7 }

// dayOfYear counts from 1.
func dayOfYear(days int64) int {
	return int(days-daysOf(types.CivilOfDay(days).Year, 1, 1)) + 1
}

// isoWeek returns the ISO 8601 year and week of a date.
func isoWeek(days int64) (year, week int) {
	thursday := days - int64((dayOfWeek(days)+6)%7) + 3
	return types.CivilOfDay(thursday).Year, (dayOfYear(thursday)-1)/7 + 1
}

// mondayOfISOWeek is the first day of an ISO week.
func mondayOfISOWeek(year, week int) int64 {
	jan4 := daysOf(year, 1, 4)
	return jan4 - int64((dayOfWeek(jan4)+6)%7) + int64(week-1)*7
}

// goTime turns a timestamptz into a time of the standard library.
func goTime(micros int64, loc *time.Location) time.Time {
	secs := floorDiv64(micros, microsPerSecond)
	return time.Unix(secs+types.EpochUnixSeconds, (micros-secs*microsPerSecond)*1000).In(loc)
}

// microsOf turns a time into a timestamptz, cut to the microsecond.
func microsOf(t time.Time) int64 {
	return (t.Unix()-types.EpochUnixSeconds)*microsPerSecond + int64(t.Nanosecond())/1000
}

// offsetAt is the zone's distance from UTC in seconds, east positive, at an instant.
func offsetAt(micros int64, loc *time.Location) int64 {
	_, off := goTime(micros, loc).Zone()
	return int64(off)
}

func errTimestampRange() error {
	return pgerr.New(pgerr.DatetimeFieldOverflow, "timestamp out of range")
}

func errDateRange() error { return pgerr.New(pgerr.DatetimeFieldOverflow, "date out of range") }

func errIntervalRange() error {
	return pgerr.New(pgerr.DatetimeFieldOverflow, "interval out of range")
}

func validTimestamp(micros int64) bool {
	return isInfinite(micros) || micros >= minTimestamp && micros < endTimestamp
}

func validDays(days int64) bool { return isInfinite(days) || days >= minDate && days < endDate }

// int32OrRange brings a field of an interval into its width.
func int32OrRange(v int64) (int32, error) {
	if v < math.MinInt32 || v > math.MaxInt32 {
		return 0, errIntervalRange()
	}
	return int32(v), nil
}
