package types

import "strconv"

// append2 appends two digits.
func append2(dst []byte, v int) []byte { return append(dst, '0'+byte(v/10%10), '0'+byte(v%10)) }

// appendYear appends the year as people count it, with at least four digits.
func appendYear(dst []byte, year int) []byte {
	if year <= 0 {
		year = 1 - year
	}
	if year < 10000 {
		return append2(append2(dst, year/100), year%100)
	}
	return strconv.AppendInt(dst, int64(year), 10)
}

func appendEra(dst []byte, year int) []byte {
	if year <= 0 {
		return append(dst, " BC"...)
	}
	return dst
}

// appendSeconds appends ss[.ffffff] without zeros at the end of the fraction.
func appendSeconds(dst []byte, second, micros int) []byte {
	return appendFraction(append2(dst, second), micros)
}

func appendFraction(dst []byte, micros int) []byte {
	if micros == 0 {
		return dst
	}
	dst = append(dst, '.')
	for unit := 100_000; micros > 0; unit /= 10 {
		dst = append(dst, '0'+byte(micros/unit))
		micros %= unit
	}
	return dst
}

// appendOffset appends an offset east of UTC: +hh[:mm[:ss]].
func appendOffset(dst []byte, offset int) []byte {
	if offset < 0 {
		dst = append(dst, '-')
		offset = -offset
	} else {
		dst = append(dst, '+')
	}
	if hours := offset / 3600; hours < 100 {
		dst = append2(dst, hours)
	} else {
		dst = strconv.AppendInt(dst, int64(hours), 10)
	}
	if offset%3600 != 0 {
		dst = append2(append(dst, ':'), offset/60%60)
	}
	if offset%60 != 0 {
		dst = append2(append(dst, ':'), offset%60)
	}
	return dst
}

func appendClock(dst []byte, c *Civil) []byte {
	dst = append2(dst, c.Hour)
	dst = append2(append(dst, ':'), c.Minute)
	return appendSeconds(append(dst, ':'), c.Second, c.Micros)
}

// appendInfinity appends infinity or -infinity, false for finite values.
func appendInfinity(dst []byte, v int64) ([]byte, bool) {
	switch v {
	case PosInfinity:
		return append(dst, "infinity"...), true
	case NegInfinity:
		return append(dst, "-infinity"...), true
	}
	return dst, false
}

func formatDate(dst []byte, _ *Type, d Datum, env *Env) []byte {
	dst, done := appendInfinity(dst, d.num)
	if done {
		return dst
	}
	c := CivilOfDay(d.num)
	sep, dayFirst := byte('-'), env.DateOrder == "DMY"
	switch env.DateStyle {
	case "SQL":
		sep = '/'
	case "German":
		sep, dayFirst = '.', true
	case "Postgres":
	default:
		return appendEra(appendISODate(dst, &c), c.Year)
	}
	return appendEra(appendShortDate(dst, &c, sep, dayFirst), c.Year)
}

func appendISODate(dst []byte, c *Civil) []byte {
	dst = appendYear(dst, c.Year)
	dst = append2(append(dst, '-'), c.Month)
	return append2(append(dst, '-'), c.Day)
}

func appendShortDate(dst []byte, c *Civil, sep byte, dayFirst bool) []byte {
	a, b := c.Month, c.Day
	if dayFirst {
		a, b = b, a
	}
	dst = append(append2(dst, a), sep)
	dst = append(append2(dst, b), sep)
	return appendYear(dst, c.Year)
}

func formatTime(dst []byte, _ *Type, d Datum, _ *Env) []byte { return appendTimeOfDay(dst, d.num) }

// appendTimeOfDay prints midnight at the end of a day as 24:00:00.
func appendTimeOfDay(dst []byte, micros int64) []byte {
	c := Civil{
		Hour: int(micros / MicrosPerHour), Minute: int(micros / MicrosPerMinute % 60),
		Second: int(micros / MicrosPerSecond % 60), Micros: int(micros % MicrosPerSecond),
	}
	return appendClock(dst, &c)
}

func formatTimeTZ(dst []byte, _ *Type, d Datum, _ *Env) []byte {
	v := d.TimeTZ()
	return appendOffset(appendTimeOfDay(dst, v.Micros), int(v.OffsetSecs))
}

func formatTimestamp(dst []byte, _ *Type, d Datum, env *Env) []byte {
	dst, done := appendInfinity(dst, d.num)
	if done {
		return dst
	}
	c := CivilOf(d.num)
	return appendDateTime(dst, &c, env, 0, "", false)
}

func formatTimestamptz(dst []byte, _ *Type, d Datum, env *Env) []byte {
	dst, done := appendInfinity(dst, d.num)
	if done {
		return dst
	}
	offset, abbrev := zoneAt(d.num, env.location())
	c := CivilOf(d.num + int64(offset)*MicrosPerSecond)
	return appendDateTime(dst, &c, env, offset, abbrev, true)
}

// appendDateTime prints by DateStyle: ISO with the offset, the others with the zone's name.
func appendDateTime(dst []byte, c *Civil, env *Env, offset int, abbrev string, zoned bool) []byte {
	dayFirst := env.DateOrder == "DMY"
	switch env.DateStyle {
	case "SQL":
		dst = appendClock(append(appendShortDate(dst, c, '/', dayFirst), ' '), c)
	case "German":
		dst = appendClock(append(appendShortDate(dst, c, '.', true), ' '), c)
	case "Postgres":
		dst = append(append(dst, weekdayNames[weekday(c.DayNumber())]...), ' ')
		if dayFirst {
			dst = append(append2(dst, c.Day), ' ')
			dst = append(append(dst, monthNames[c.Month-1]...), ' ')
		} else {
			dst = append(append(dst, monthNames[c.Month-1]...), ' ')
			dst = append(append2(dst, c.Day), ' ')
		}
		dst = appendYear(append(appendClock(dst, c), ' '), c.Year)
	default:
		dst = appendClock(append(appendISODate(dst, c), ' '), c)
		if zoned {
			dst = appendOffset(dst, offset)
		}
		return appendEra(dst, c.Year)
	}
	if zoned {
		dst = append(dst, ' ')
		dst = append(dst, abbrev[:min(len(abbrev), 10)]...)
	}
	return appendEra(dst, c.Year)
}

// appendXSD prints a moment as JSON holds it: 2006-01-02T15:04:05+00:00.
func appendXSD(dst []byte, c *Civil, offset int, zoned bool) []byte {
	dst = appendClock(append(appendISODate(dst, c), 'T'), c)
	if zoned {
		dst = appendOffset(dst, offset)
		if offset%3600 == 0 {
			dst = append(dst, ":00"...)
		}
	}
	return appendEra(dst, c.Year)
}
