package types

import "strings"

// numberField reads a field of digits.
func (d *dateDecoder) numberField(i int, text string) (dateParts, error) {
	if d.prefix != unitNone {
		return d.prefixed(text)
	}
	seen := d.seen
	if d.timeOnly {
		seen |= partDate
	}
	point := strings.IndexByte(text, '.')
	switch {
	case point >= 0 && d.timeOnly && i == 0 && len(d.fields) >= 2 && d.fields[len(d.fields)-1].kind == fieldDate,
		point >= 0 && !d.timeOnly && d.seen&partDate == 0:
		return d.date(text)
	case point > 2, // 20011223 or 040506; a year may have five digits and more once the rest is there
		!d.timeOnly && len(text) >= 6 && (d.seen&partDate == 0 || d.seen&partTime == 0),
		d.timeOnly && point < 0 && len(text) > 4:
		return d.runTogether(text, seen)
	case point >= 0 && d.timeOnly:
		return 0, errBadFormat
	}
	return d.number(text, seen, d.textMonth)
}

// prefixed reads the number behind a unit: y2001m02d04, j2451187, t040506.
func (d *dateDecoder) prefixed(text string) (dateParts, error) {
	p := d.prefix
	n, rest, inRange := leadingInt(text)
	if !inRange {
		return 0, errFieldOverflow
	}
	fraction := strings.HasPrefix(rest, ".")
	if fraction && p != unitJulian && p != unitTime && p != unitSecond || !fraction && rest != "" {
		return 0, errBadFormat
	}
	d.prefix, d.special = unitNone, -1
	v := int(n)
	switch p {
	case unitYear:
		d.c.Year = v
		return partYear, nil
	case unitMonth:
		if d.seen&partMonth != 0 && d.seen&partHour != 0 { // after a month and an hour, m is minutes
			d.c.Minute = v
			return partMinute, nil
		}
		d.c.Month = v
		return partMonth, nil
	case unitDay:
		d.c.Day = v
		return partDay, nil
	case unitHour:
		d.c.Hour = v
		return partHour, nil
	case unitMinute:
		d.c.Minute = v
		return partMinute, nil
	case unitSecond:
		d.c.Second = v
		if !fraction {
			return partSecond, nil
		}
		var err error
		d.c.Micros, err = fractionMicros(rest)
		return partSecond | partFraction, err
	case unitJulian:
		if n < 0 {
			return 0, errFieldOverflow
		}
		d.setJulian(n)
		if !fraction {
			return partDate, nil
		}
		f, ok := fractionValue(rest)
		if !ok {
			return 0, errBadFormat
		}
		t := CivilOf(int64(f * MicrosPerDay))
		d.c.Hour, d.c.Minute, d.c.Second, d.c.Micros = t.Hour, t.Minute, t.Second, t.Micros
		return partDate | partTime, nil
	case unitTime:
		got, err := d.runTogether(text, d.seen|partDate)
		if err == nil && got != partTime {
			err = errBadFormat
		}
		return got, err
	}
	return 0, errBadFormat
}

// word reads a field of letters.
func (d *dateDecoder) word(i int, text string) (got dateParts, ignored bool, err error) {
	if a, ok := zoneAbbrevIndex()[token(text)]; ok {
		if a.Zone != "" {
			if d.abbrevZone, ok = FindZone(a.Zone); !ok {
				return 0, false, errBadFormat
			}
			d.abbrev = a.Abbrev
			return partZone, false, nil
		}
		d.offset = a.OffsetSecs
		if a.DST {
			return partZone | partSummer, false, nil
		}
		return partZone, false, nil
	}
	w := dateWords[token(text)]
	switch w.kind {
	case wordIgnored:
		return 0, true, nil
	case wordReserved:
		got, err = d.reserved(w.value)
		return got, false, err
	case wordMonth:
		if d.timeOnly {
			return 0, false, errBadFormat
		}
		got = partMonth
		// A number taken for the month before was the day.
		if d.seen&partMonth != 0 && !d.textMonth && d.seen&partDay == 0 && d.c.Month >= 1 && d.c.Month <= 31 {
			d.c.Day = d.c.Month
			got = partDay
		}
		d.textMonth = true
		d.c.Month = w.value
		return got, false, nil
	case wordSummer:
		d.offset += w.value
		return partSummer | partSummerWord, false, nil
	case wordAMPM:
		d.clock = w.value
		return partClock, false, nil
	case wordEra:
		d.bc = w.value == 1
		return partEra, false, nil
	case wordWeekday:
		if d.timeOnly {
			return 0, false, errBadFormat
		}
		return partWeekday, false, nil
	case wordUnit:
		d.prefix = unit(w.value)
		return 0, false, nil
	case wordISOTime:
		if !d.timeOnly && d.seen&partDate != partDate {
			return 0, false, errBadFormat
		}
		if i+1 >= len(d.fields) {
			return 0, false, errBadFormat
		}
		switch d.fields[i+1].kind {
		case fieldNumber, fieldTime, fieldDate:
		default:
			return 0, false, errBadFormat
		}
		d.prefix = unitTime
		return 0, false, nil
	}
	loc, ok := FindZone(text)
	if !ok {
		return 0, false, errBadFormat
	}
	d.zone = loc
	return partZone, false, nil
}

func (d *dateDecoder) reserved(value int) (dateParts, error) {
	loc := d.env.location()
	now := func() Civil { return CivilOf(UTCToLocal(microsOf(d.env.now()), loc)) }
	if d.timeOnly {
		switch value {
		case valueNow:
			d.c = now()
			return partTime, nil
		case valueAllBalls:
			d.c.Hour, d.c.Minute, d.c.Second, d.c.Micros = 0, 0, 0, 0
			return partTime | partZone, nil
		}
		return 0, errBadFormat
	}
	d.special = -1
	switch value {
	case valueNow:
		at := microsOf(d.env.now())
		d.offset, _ = zoneAt(at, loc)
		d.c = CivilOf(at + int64(d.offset)*MicrosPerSecond)
		return partDate | partTime | partZone, nil
	case valueToday, valueTomorrow, valueYesterday:
		day := now().DayNumber()
		switch value {
		case valueTomorrow:
			day++
		case valueYesterday:
			day--
		}
		d.c.Year, d.c.Month, d.c.Day = civil(day)
		return partDate, nil
	case valueAllBalls:
		d.c.Hour, d.c.Minute, d.c.Second, d.offset = 0, 0, 0, 0
		return partTime | partZone, nil
	}
	d.special = value
	return partSpecial, nil
}
