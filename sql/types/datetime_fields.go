package types

import (
	"math"
	"strconv"
	"strings"
)

// leadingInt reads a decimal integer of 32 bits at the start of s, as strtol does: blanks,
// a sign, digits. Without digits nothing is read.
func leadingInt(s string) (v int64, rest string, inRange bool) {
	i := 0
	for i < len(s) && isSpace(s[i]) {
		i++
	}
	neg := false
	if i < len(s) && (s[i] == '-' || s[i] == '+') {
		neg = s[i] == '-'
		i++
	}
	start := i
	for i < len(s) && isDigit(s[i]) {
		if v < 1<<40 {
			v = v*10 + int64(s[i]-'0')
		}
		i++
	}
	if i == start {
		return 0, s, true
	}
	if neg {
		v = -v
	}
	return v, s[i:], v == int64(int32(v))
}

// fractionValue reads ".", ".5", ".25" to the end of s.
func fractionValue(s string) (float64, bool) {
	if s == "." {
		return 0, true
	}
	f, err := strconv.ParseFloat(s, 64)
	return f, err == nil && strings.IndexByte(s, '_') < 0
}

// fractionMicros reads the fraction of a second.
func fractionMicros(s string) (int, error) {
	f, ok := fractionValue(s)
	if !ok {
		return 0, errBadFormat
	}
	return int(math.RoundToEven(f * MicrosPerSecond)), nil
}

// clockTime reads hours:minutes[:seconds[.fraction]]; minutes:seconds.fraction too.
func (d *dateDecoder) clockTime(s string) error {
	h, m, sec, micros, err := parseClock(s, false)
	if err != nil {
		return err
	}
	d.c.Hour, d.c.Minute, d.c.Second, d.c.Micros = int(h), m, sec, micros
	return nil
}

// parseClock reads a time with colons. minutesFirst reads two parts as minutes and
// seconds. Hours have no upper limit here: intervals use them too.
func parseClock(s string, minutesFirst bool) (hour int64, minute, second, micros int, err error) {
	digits := 0
	for digits < len(s) && isDigit(s[digits]) {
		digits++
	}
	hour, perr := strconv.ParseInt(s[:digits], 10, 64)
	if digits == 0 {
		hour, perr = 0, nil
	}
	if perr != nil {
		return 0, 0, 0, 0, errFieldOverflow
	}
	rest := s[digits:]
	if !strings.HasPrefix(rest, ":") {
		return 0, 0, 0, 0, errBadFormat
	}
	m, rest, inRange := leadingInt(rest[1:])
	if !inRange {
		return 0, 0, 0, 0, errFieldOverflow
	}
	minute = int(m)
	shift := func() error { // the two parts were minutes and seconds
		if hour > math.MaxInt32 {
			return errFieldOverflow
		}
		second, minute, hour = minute, int(hour), 0
		return nil
	}
	switch {
	case rest == "":
		if minutesFirst {
			err = shift()
		}
	case rest[0] == '.':
		if micros, err = fractionMicros(rest); err == nil {
			err = shift()
		}
	case rest[0] == ':':
		var n int64
		if n, rest, inRange = leadingInt(rest[1:]); !inRange {
			return 0, 0, 0, 0, errFieldOverflow
		}
		second = int(n)
		switch {
		case rest == "":
		case rest[0] == '.':
			micros, err = fractionMicros(rest)
		default:
			err = errBadFormat
		}
	default:
		err = errBadFormat
	}
	if err == nil && (hour < 0 || minute < 0 || minute > 59 || second < 0 || second > 60 || micros < 0 || micros > MicrosPerSecond) {
		err = errFieldOverflow
	}
	return hour, minute, second, micros, err
}

// date reads a field that holds a whole date: parts of digits and one month's name.
func (d *dateDecoder) date(s string) (dateParts, error) {
	var parts []string
	for i := 0; i < len(s) && len(parts) < maxDateFields; {
		for i < len(s) && !isDigit(s[i]) && !isAlpha(s[i]) {
			i++
		}
		if i == len(s) {
			return 0, errBadFormat
		}
		start, is := i, isAlpha
		if isDigit(s[i]) {
			is = isDigit
		}
		for i < len(s) && is(s[i]) {
			i++
		}
		parts = append(parts, s[start:i])
		i++ // the delimiter
	}
	var got dateParts
	seen, textMonth := d.seen, false
	for i, p := range parts {
		if !isAlpha(p[0]) {
			continue
		}
		w := dateWords[token(p)]
		if _, isZone := zoneAbbrevIndex()[token(p)]; isZone {
			w = dateWord{}
		}
		if w.kind == wordIgnored {
			continue
		}
		if w.kind != wordMonth || seen&partMonth != 0 {
			return 0, errBadFormat
		}
		d.c.Month, textMonth = w.value, true
		seen |= partMonth
		got |= partMonth
		parts[i] = ""
	}
	for _, p := range parts {
		if p == "" || isAlpha(p[0]) {
			if p != "" {
				return 0, errBadFormat
			}
			continue
		}
		part, err := d.number(p, seen, textMonth)
		if err != nil {
			return 0, err
		}
		if part&seen != 0 {
			return 0, errBadFormat
		}
		seen |= part
		got |= part
	}
	if seen&^(partYearDay|partZone) != partDate {
		return 0, errBadFormat
	}
	return got, nil
}

// number reads a part of digits by what is there already and by the order of DateStyle.
func (d *dateDecoder) number(s string, seen dateParts, textMonth bool) (dateParts, error) {
	n, rest, inRange := leadingInt(s)
	switch {
	case !inRange:
		return 0, errFieldOverflow
	case len(rest) == len(s):
		return 0, errBadFormat
	case rest != "" && rest[0] == '.':
		if len(s)-len(rest) > 2 { // 2001.360 or 040506.789
			return d.runTogether(s, seen|partDate)
		}
		var err error
		if d.c.Micros, err = fractionMicros(rest); err != nil {
			return 0, err
		}
	case rest != "":
		return 0, errBadFormat
	}
	v := int(n)
	if len(s) == 3 && seen&partDate == partYear && v >= 1 && v <= 366 {
		d.yearDay = v
		return partYearDay | partMonth | partDay, nil
	}
	set := func(to *int, part dateParts) (dateParts, error) {
		*to = v
		if part == partYear {
			d.twoDigits = len(s) <= 2
		}
		return part, nil
	}
	year := len(s) >= 3 || d.env.DateOrder == "YMD"
	switch seen & partDate {
	case 0:
		switch {
		case year:
			return set(&d.c.Year, partYear)
		case d.env.DateOrder == "DMY":
			return set(&d.c.Day, partDay)
		}
		return set(&d.c.Month, partMonth)
	case partYear:
		return set(&d.c.Month, partMonth)
	case partMonth:
		if textMonth && year {
			return set(&d.c.Year, partYear)
		}
		return set(&d.c.Day, partDay)
	case partYear | partMonth:
		if textMonth && len(s) >= 3 && d.twoDigits { // what was taken for the year was the day
			d.c.Day, d.c.Year, d.twoDigits = d.c.Year, v, false
			return partDay, nil
		}
		return set(&d.c.Day, partDay)
	case partDay:
		return set(&d.c.Month, partMonth)
	case partMonth | partDay:
		return set(&d.c.Year, partYear)
	case partDate:
		return d.runTogether(s, seen)
	}
	return 0, errBadFormat
}

// runTogether reads yyyymmdd, yymmdd, hhmmss[.fraction] or hhmm.
func (d *dateDecoder) runTogether(s string, seen dateParts) (dateParts, error) {
	whole := len(s)
	if point := strings.IndexByte(s, '.'); point >= 0 {
		f, ok := fractionValue(s[point:])
		if !ok {
			return 0, errBadFormat
		}
		d.c.Micros = int(math.RoundToEven(f * MicrosPerSecond))
		s = s[:point]
	}
	for i := range len(s) {
		if !isDigit(s[i]) {
			return 0, errBadFormat
		}
	}
	if n := len(s); n >= 6 && n == whole && seen&partDate != partDate {
		d.c.Day, d.c.Month = digits2(s[n-2:]), digits2(s[n-4:])
		year, _, inRange := leadingInt(s[:n-4])
		if !inRange {
			year = math.MaxInt32
		}
		d.c.Year = int(year)
		if n == 6 {
			d.twoDigits = true
		}
		return partDate, nil
	}
	if seen&partTime == partTime || len(s) != 6 && len(s) != 4 {
		return 0, errBadFormat
	}
	d.c.Hour, d.c.Minute, d.c.Second = digits2(s), digits2(s[2:]), 0
	if len(s) == 6 {
		d.c.Second = digits2(s[4:])
	}
	return partTime, nil
}

func digits2(s string) int { return int(s[0]-'0')*10 + int(s[1]-'0') }

// decodeOffset reads +hh, +hhmm, +hh:mm or +hh:mm:ss as seconds east of UTC.
func decodeOffset(s string) (int, error) {
	if s == "" || s[0] != '+' && s[0] != '-' {
		return 0, errBadFormat
	}
	var minute, second int64
	hour, rest, inRange := leadingInt(s[1:])
	if !inRange {
		return 0, errZoneOverflow
	}
	switch {
	case strings.HasPrefix(rest, ":"):
		if minute, rest, inRange = leadingInt(rest[1:]); !inRange {
			return 0, errZoneOverflow
		}
		if strings.HasPrefix(rest, ":") {
			if second, rest, inRange = leadingInt(rest[1:]); !inRange {
				return 0, errZoneOverflow
			}
		}
	case rest == "" && len(s) > 3:
		hour, minute = hour/100, hour%100
	}
	if hour < 0 || hour > 15 || minute < 0 || minute > 59 || second < 0 || second > 59 {
		return 0, errZoneOverflow
	}
	if rest != "" {
		return 0, errBadFormat
	}
	offset := int(hour*3600 + minute*60 + second)
	if s[0] == '-' {
		offset = -offset
	}
	return offset, nil
}
