package funcs

import (
	"math"
	"time"

	"raisind/pgerr"
)

// Dates are days and timestamps microseconds since 2000-01-01.
const (
	posInfinity = math.MaxInt64
	negInfinity = math.MinInt64

	microsPerSecond = 1_000_000
	microsPerMinute = 60 * microsPerSecond
	microsPerHour   = 60 * microsPerMinute
	microsPerDay    = 24 * microsPerHour

	daysPerMonth = 30 // where an interval's months must become days

	unixToPgDays  = 10957 // 2000-01-01 in days since 1970-01-01
	unixToPgSecs  = unixToPgDays * 86400
	julianOfEpoch = 2451545 // 2000-01-01 as a Julian day

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

func isInfinite(v int64) bool { return v == posInfinity || v == negInfinity }

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

// civil is a calendar date and time of day. Years are astronomical: 0 is 1 BC.
type civil struct {
	year, month, day int
	micros           int64 // since midnight
}

// civilOf takes a timestamp without time zone apart.
func civilOf(micros int64) civil {
	days := floorDiv64(micros, microsPerDay)
	c := civilOfDays(days)
	c.micros = micros - days*microsPerDay
	return c
}

func floorDiv64(a, b int64) int64 {
	q := a / b
	if a%b != 0 && (a < 0) != (b < 0) {
		q--
	}
	return q
}

// civilOfDays is Howard Hinnant's civil_from_days, counted from 2000-01-01.
func civilOfDays(days int64) civil {
	z := days + unixToPgDays + 719468
	era := floorDiv64(z, 146097)
	doe := z - era*146097
	yoe := (doe - doe/1460 + doe/36524 - doe/146096) / 365
	y := yoe + era*400
	doy := doe - (365*yoe + yoe/4 - yoe/100)
	mp := (5*doy + 2) / 153
	d := doy - (153*mp+2)/5 + 1
	m := mp + 3
	if m > 12 {
		m -= 12
		y++
	}
	return civil{year: int(y), month: int(m), day: int(d)}
}

// daysOf is the inverse of civilOfDays (days_from_civil); month and day must be valid.
func daysOf(year, month, day int) int64 {
	y, m := int64(year), int64(month)
	if m <= 2 {
		y--
	}
	era := floorDiv64(y, 400)
	yoe := y - era*400
	mp := (m + 9) % 12
	doy := (153*mp+2)/5 + int64(day) - 1
	doe := yoe*365 + yoe/4 - yoe/100 + doy
	return era*146097 + doe - 719468 - unixToPgDays
}

func (c civil) timestamp() int64 { return daysOf(c.year, c.month, c.day)*microsPerDay + c.micros }

func isLeap(year int) bool { return year%4 == 0 && (year%100 != 0 || year%400 == 0) }

func daysInMonth(year, month int) int {
	switch month {
	case 4, 6, 9, 11:
		return 30
	case 2:
		if isLeap(year) {
			return 29
		}
		return 28
	}
	return 31
}

// validDate reports whether the three are a date of the calendar.
func validDate(year, month, day int) bool {
	return month >= 1 && month <= 12 && day >= 1 && day <= daysInMonth(year, month)
}

// dayOfWeek is 0 for Sunday.
func dayOfWeek(days int64) int { return int((days+6)%7+7) % 7 }

func (c civil) days() int64 { return daysOf(c.year, c.month, c.day) }

func (c civil) dayOfYear() int { return int(c.days()-daysOf(c.year, 1, 1)) + 1 }

// isoWeek returns the ISO 8601 year and week.
func (c civil) isoWeek() (year, week int) {
	days := c.days()
	thursday := days - int64((dayOfWeek(days)+6)%7) + 3
	t := civilOfDays(thursday)
	return t.year, (t.dayOfYear()-1)/7 + 1
}

// mondayOfISOWeek is the first day of an ISO week.
func mondayOfISOWeek(year, week int) int64 {
	jan4 := daysOf(year, 1, 4)
	return jan4 - int64((dayOfWeek(jan4)+6)%7) + int64(week-1)*7
}

// goTime turns a timestamptz into a time of the standard library.
func goTime(micros int64, loc *time.Location) time.Time {
	secs := floorDiv64(micros, microsPerSecond)
	return time.Unix(secs+unixToPgSecs, (micros-secs*microsPerSecond)*1000).In(loc)
}

// microsOf turns a time into a timestamptz, cut to the microsecond.
func microsOf(t time.Time) int64 {
	return (t.Unix()-unixToPgSecs)*microsPerSecond + int64(t.Nanosecond())/1000
}

// offsetAt is the zone's distance from UTC in seconds, east positive, at an instant.
func offsetAt(micros int64, loc *time.Location) int64 {
	if loc == time.UTC {
		return 0
	}
	_, off := goTime(micros, loc).Zone()
	return int64(off)
}

// utcToLocal gives the wall clock in loc at an instant.
func utcToLocal(micros int64, loc *time.Location) int64 {
	if isInfinite(micros) {
		return micros
	}
	return micros + offsetAt(micros, loc)*microsPerSecond
}

// localToUTC gives the instant at which the wall clock in loc shows micros. As in
// PostgreSQL a time that a spring change leaves out, and one that an autumn change
// repeats, is read with the offset of standard time: the one before the gap, the
// one after the overlap.
func localToUTC(micros int64, loc *time.Location) int64 {
	if isInfinite(micros) || loc == time.UTC {
		return micros
	}
	before := offsetAt(micros-microsPerDay, loc)
	after := offsetAt(micros+microsPerDay, loc)
	if before == after {
		u := micros - before*microsPerSecond
		if offsetAt(u, loc) == before {
			return u
		}
	}
	// A change is near: try both sides of it.
	u1, u2 := micros-before*microsPerSecond, micros-after*microsPerSecond
	ok1, ok2 := offsetAt(u1, loc) == before, offsetAt(u2, loc) == after
	switch {
	case ok1 && !ok2:
		return u1
	case ok2 && !ok1:
		return u2
	case ok1 && ok2: // repeated hour: the later reading is standard time
		return max(u1, u2)
	}
	// In the gap: the offset that held before it.
	return u1
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
