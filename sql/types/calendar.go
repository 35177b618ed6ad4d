package types

import "math"

// Microseconds and seconds in the units of date and time.
const (
	MicrosPerSecond = 1_000_000
	MicrosPerMinute = 60 * MicrosPerSecond
	MicrosPerHour   = 60 * MicrosPerMinute
	MicrosPerDay    = 24 * MicrosPerHour

	// EpochUnixSeconds is 2000-01-01, the origin of dates and timestamps.
	EpochUnixSeconds = 946_684_800
	epochUnixDays    = EpochUnixSeconds / 86400
)

// Infinite dates and timestamps, and the ends of the finite ones.
const (
	PosInfinity = math.MaxInt64
	NegInfinity = math.MinInt64

	minDay       = -2451545 // 4714-11-24 BC, Julian day 0
	endDay       = 2145031949
	minTimestamp = minDay * MicrosPerDay
	endTimestamp = 9223371331200000000 // 294277-01-01
)

// julianOffset is the Julian day of 2000-01-01.
const julianOffset = 2451545

// validDay reports whether days since 2000-01-01 lie within the type date.
func validDay(day int64) bool { return day >= minDay && day < endDay }

// validTimestamp reports whether microseconds since 2000-01-01 lie within the type timestamp.
func validTimestamp(micros int64) bool { return micros >= minTimestamp && micros < endTimestamp }

// IsInfinite reports whether the number behind a date or timestamp stands for ±infinity.
func IsInfinite(v int64) bool { return v == PosInfinity || v == NegInfinity }

// dayOf returns the days from 2000-01-01 to a date of the proleptic Gregorian calendar;
// year 0 is 1 BC. Method: http://howardhinnant.github.io/date_algorithms.html
func dayOf(year, month, day int) int64 {
	y := int64(year)
	if month <= 2 {
		y--
	}
	era := floorDiv(y, 400)
	yearOfEra := y - era*400
	dayOfYear := int64((153*((month+9)%12)+2)/5 + day - 1)
	return era*146097 + yearOfEra*365 + yearOfEra/4 - yearOfEra/100 + dayOfYear - 719468 - epochUnixDays
}

// civil is the inverse of dayOf.
func civil(d int64) (year, month, day int) {
	z := d + 719468 + epochUnixDays
	era := floorDiv(z, 146097)
	n := z - era*146097
	yearOfEra := (n - n/1460 + n/36524 - n/146096) / 365
	dayOfYear := n - (365*yearOfEra + yearOfEra/4 - yearOfEra/100)
	mp := (5*dayOfYear + 2) / 153
	day = int(dayOfYear - (153*mp+2)/5 + 1)
	month = int((mp+2)%12 + 1)
	year = int(yearOfEra + era*400)
	if month <= 2 {
		year++
	}
	return year, month, day
}

func floorDiv(a, b int64) int64 {
	q := a / b
	if a%b < 0 {
		q--
	}
	return q
}

// weekday is 0 for Sunday.
func weekday(day int64) int { return int(((day+6)%7 + 7) % 7) }

func isLeap(year int) bool { return year%4 == 0 && (year%100 != 0 || year%400 == 0) }

func daysInMonth(year, month int) int {
	switch month {
	case 2:
		if isLeap(year) {
			return 29
		}
		return 28
	case 4, 6, 9, 11:
		return 30
	}
	return 31
}

// splitDay splits microseconds since 2000-01-01 into day and microseconds of that day.
func splitDay(micros int64) (day, ofDay int64) {
	day = floorDiv(micros, MicrosPerDay)
	return day, micros - day*MicrosPerDay
}

// Civil is a date and a time of day taken apart. Year 0 is 1 BC.
type Civil struct {
	Year, Month, Day     int
	Hour, Minute, Second int
	Micros               int // of the second
}

// CivilOf takes microseconds since 2000-01-01 apart.
func CivilOf(micros int64) Civil {
	day, t := splitDay(micros)
	var c Civil
	c.Year, c.Month, c.Day = civil(day)
	c.Hour = int(t / MicrosPerHour)
	c.Minute = int(t / MicrosPerMinute % 60)
	c.Second = int(t / MicrosPerSecond % 60)
	c.Micros = int(t % MicrosPerSecond)
	return c
}

// CivilOfDay takes days since 2000-01-01 apart.
func CivilOfDay(day int64) Civil {
	var c Civil
	c.Year, c.Month, c.Day = civil(day)
	return c
}

// DayNumber returns the days since 2000-01-01.
func (c Civil) DayNumber() int64 { return dayOf(c.Year, c.Month, c.Day) }

// TimeMicros returns the microseconds since midnight.
func (c Civil) TimeMicros() int64 {
	return int64(c.Hour)*MicrosPerHour + int64(c.Minute)*MicrosPerMinute + int64(c.Second)*MicrosPerSecond + int64(c.Micros)
}

// localSeconds returns whole seconds since 2000-01-01 of the same wall clock.
func (c Civil) localSeconds() int64 {
	return c.DayNumber()*86400 + int64(c.Hour)*3600 + int64(c.Minute)*60 + int64(c.Second)
}

// Timestamp returns microseconds since 2000-01-01, false outside the type's range.
func (c Civil) Timestamp() (int64, bool) { return c.timestampAt(0) }

// timestampAt is Timestamp of a wall clock that is offset seconds ahead of UTC.
func (c Civil) timestampAt(offset int) (int64, bool) {
	day := c.DayNumber()
	if day < minDay-1 || day > endTimestamp/MicrosPerDay {
		return 0, false
	}
	v := day*MicrosPerDay + c.TimeMicros() - int64(offset)*MicrosPerSecond
	if day > 0 && v < 0 {
		return 0, false
	}
	return v, validTimestamp(v)
}

// DaysInMonth returns the length of a month in days.
func DaysInMonth(year, month int) int { return daysInMonth(year, month) }
