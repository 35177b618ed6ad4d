package types

import "strconv"

// intervalFields is an interval as it is printed. All fields of the time have its sign.
type intervalFields struct {
	year, month, day     int64
	hour                 int64
	minute, second, frac int64
}

func intervalFieldsOf(v Interval) intervalFields {
	return intervalFields{
		year: int64(v.Months / 12), month: int64(v.Months % 12), day: int64(v.Days),
		hour: v.Micros / MicrosPerHour, minute: v.Micros / MicrosPerMinute % 60,
		second: v.Micros / MicrosPerSecond % 60, frac: v.Micros % MicrosPerSecond,
	}
}

func (f *intervalFields) hasTime() bool {
	return f.hour != 0 || f.minute != 0 || f.second != 0 || f.frac != 0
}

func (f *intervalFields) timeNegative() bool {
	return f.hour < 0 || f.minute < 0 || f.second < 0 || f.frac < 0
}

func (f *intervalFields) negate() {
	*f = intervalFields{-f.year, -f.month, -f.day, -f.hour, -f.minute, -f.second, -f.frac}
}

func abs64(v int64) int64 { return max(v, -v) }

func formatInterval(dst []byte, _ *Type, d Datum, env *Env) []byte {
	f := intervalFieldsOf(d.Interval())
	switch env.IntervalStyle {
	case "sql_standard":
		return f.appendSQL(dst)
	case "iso_8601":
		return f.appendISO(dst)
	case "postgres_verbose":
		return f.appendVerbose(dst)
	}
	return f.appendPostgres(dst)
}

// appendUnsignedClock prints [h]h:mm:ss[.ffffff] without a sign.
func (f *intervalFields) appendUnsignedClock(dst []byte, twoDigitHour bool) []byte {
	hour := uint64(f.hour)
	if f.hour < 0 {
		hour = -hour
	}
	if twoDigitHour && hour < 10 {
		dst = append(dst, '0')
	}
	dst = strconv.AppendUint(dst, hour, 10)
	dst = append2(append(dst, ':'), int(abs64(f.minute)))
	return appendSeconds(append(dst, ':'), int(abs64(f.second)), int(abs64(f.frac)))
}

// appendPostgres prints 1 year 2 mons -3 days +04:05:06. A field behind a negative one
// shows its sign.
func (f *intervalFields) appendPostgres(dst []byte) []byte {
	empty, afterNegative := true, false
	for _, p := range [3]struct {
		v    int64
		unit string
	}{{f.year, " year"}, {f.month, " mon"}, {f.day, " day"}} {
		if p.v == 0 {
			continue
		}
		if !empty {
			dst = append(dst, ' ')
		}
		if afterNegative && p.v > 0 {
			dst = append(dst, '+')
		}
		dst = append(strconv.AppendInt(dst, p.v, 10), p.unit...)
		if p.v != 1 {
			dst = append(dst, 's')
		}
		empty, afterNegative = false, p.v < 0
	}
	if !empty && !f.hasTime() {
		return dst
	}
	if !empty {
		dst = append(dst, ' ')
	}
	if f.timeNegative() {
		dst = append(dst, '-')
	} else if afterNegative {
		dst = append(dst, '+')
	}
	return f.appendUnsignedClock(dst, true)
}

// appendSQL prints the standard's 1-2 or 3 4:05:06; all three groups, each with its
// sign, when the interval is none that the standard knows.
func (f *intervalFields) appendSQL(dst []byte) []byte {
	negative := f.year < 0 || f.month < 0 || f.day < 0 || f.timeNegative()
	hasTime := f.hasTime()
	positive := f.year > 0 || f.month > 0 || f.day > 0 || hasTime && !f.timeNegative()
	yearMonth, dayTime := f.year != 0 || f.month != 0, f.day != 0 || hasTime
	standard := !(negative && positive) && !(yearMonth && dayTime)
	if negative && standard {
		dst = append(dst, '-')
		f.negate()
	}
	sign := func(minus bool) {
		c := byte('+')
		if minus {
			c = '-'
		}
		dst = append(dst, c)
	}
	switch {
	case !negative && !positive:
		return append(dst, '0')
	case !standard:
		sign(f.year < 0 || f.month < 0)
		dst = append(strconv.AppendInt(dst, abs64(f.year), 10), '-')
		dst = append(strconv.AppendInt(dst, abs64(f.month), 10), ' ')
		sign(f.day < 0)
		dst = append(strconv.AppendInt(dst, abs64(f.day), 10), ' ')
		sign(f.timeNegative())
		return f.appendUnsignedClock(dst, false)
	case yearMonth:
		dst = append(strconv.AppendInt(dst, f.year, 10), '-')
		return strconv.AppendInt(dst, f.month, 10)
	case f.day != 0:
		dst = append(strconv.AppendInt(dst, f.day, 10), ' ')
	}
	return f.appendUnsignedClock(dst, false)
}

// appendISO prints P1Y2M3DT4H5M6.7S.
func (f *intervalFields) appendISO(dst []byte) []byte {
	if *f == (intervalFields{}) {
		return append(dst, "PT0S"...)
	}
	part := func(v int64, unit byte) {
		if v != 0 {
			dst = append(strconv.AppendInt(dst, v, 10), unit)
		}
	}
	dst = append(dst, 'P')
	part(f.year, 'Y')
	part(f.month, 'M')
	part(f.day, 'D')
	if f.hasTime() {
		dst = append(dst, 'T')
	}
	part(f.hour, 'H')
	part(f.minute, 'M')
	if f.second != 0 || f.frac != 0 {
		if f.second < 0 || f.frac < 0 {
			dst = append(dst, '-')
		}
		dst = strconv.AppendInt(dst, abs64(f.second), 10)
		dst = append(appendFraction(dst, int(abs64(f.frac))), 'S')
	}
	return dst
}

// appendVerbose prints @ 1 year 2 mons 3 days 4 hours 5 mins 6 secs ago. The sign of the
// first field goes to the end.
func (f *intervalFields) appendVerbose(dst []byte) []byte {
	dst = append(dst, '@')
	empty, ago := true, false
	for _, p := range [5]struct {
		v    int64
		unit string
	}{{f.year, " year"}, {f.month, " mon"}, {f.day, " day"}, {f.hour, " hour"}, {f.minute, " min"}} {
		v := p.v
		if v == 0 {
			continue
		}
		if empty {
			ago = v < 0
			v = abs64(v)
		} else if ago {
			v = -v
		}
		dst = append(strconv.AppendInt(append(dst, ' '), v, 10), p.unit...)
		if v != 1 {
			dst = append(dst, 's')
		}
		empty = false
	}
	if f.second != 0 || f.frac != 0 {
		dst = append(dst, ' ')
		switch negative := f.second < 0 || f.second == 0 && f.frac < 0; {
		case negative && empty:
			ago = true
		case negative != ago:
			dst = append(dst, '-')
		}
		dst = strconv.AppendInt(dst, abs64(f.second), 10)
		dst = append(appendFraction(dst, int(abs64(f.frac))), " sec"...)
		if abs64(f.second) != 1 || f.frac != 0 {
			dst = append(dst, 's')
		}
		empty = false
	}
	if empty {
		dst = append(dst, " 0"...)
	}
	if ago {
		dst = append(dst, " ago"...)
	}
	return dst
}
