package funcs

import (
	"raisind/pgerr"
	"raisind/sql/types"
)

// localMicros puts the fields together to a wall clock time; text is for messages.
func (o *scanned) localMicros(text string) (micros int64, err error) {
	hour, minute, sec := o.hh, o.mi, o.ss
	if o.ssss != 0 {
		hour, minute, sec = o.ssss/3600, o.ssss/60%60, o.ssss%60
		for _, v := range []struct{ given, dst *int64 }{{&o.hh, &hour}, {&o.mi, &minute}, {&o.ss, &sec}} {
			if *v.given != 0 {
				*v.dst = *v.given
			}
		}
	}
	if o.clock12 {
		if hour < 1 || hour > 12 {
			return 0, errFormatField("hour \"%d\" is invalid for the 12-hour clock", hour).
				WithHint("Use the 24-hour clock, or give an hour between 1 and 12.")
		}
		if hour %= 12; o.pm {
			hour += 12
		}
	}
	fraction := o.ms*1000 + o.us
	errRange := pgerr.New(pgerr.DatetimeFieldOverflow, "date/time field value out of range: \"%s\"", text)
	if hour < 0 || hour >= 24 || minute < 0 || minute >= 60 || sec < 0 || sec >= 60 || fraction < 0 || fraction >= microsPerSecond {
		return 0, errRange
	}
	day, err := o.date(errRange)
	if err != nil {
		return 0, err
	}
	base, out := dateToMicros(day)
	t := base + hour*microsPerHour + minute*microsPerMinute + sec*microsPerSecond + fraction
	if out != 0 || !validTimestamp(t) {
		return 0, errTimestampRange()
	}
	return t, nil
}

// date is the day the fields name, in days since 2000-01-01. The year counts 0 for 1 BC.
func (o *scanned) date(errRange error) (int64, error) {
	year, month, day := int64(0), int64(1), int64(1)
	hasYear := false
	cc := o.cc
	if o.bc {
		cc = -cc
	}
	switch {
	case o.year != 0 && o.cc != 0 && o.yearDigits <= 2:
		hasYear = true
		switch year = o.year % 100; {
		case year != 0 && cc < 0:
			year = (cc+1)*100 - year + 1
		case year != 0:
			year += (cc - 1) * 100
		case cc >= 0:
			year = cc * 100
		default:
			year = cc*100 + 1
		}
	case o.year != 0:
		hasYear = true
		if year = o.year; o.bc {
			year = -year
		}
		if year < 0 {
			year++
		}
	case o.cc != 0:
		hasYear = true
		if year = cc*100 + 1; cc >= 0 {
			year = (cc-1)*100 + 1
		}
	}
	if year > endDate/365 || year < -endDate/365 {
		return 0, errRange
	}
	setDay := func(days int64) {
		c := types.CivilOfDay(days)
		year, month, day = int64(c.Year), int64(c.Month), int64(c.Day)
	}
	if o.j != 0 {
		if o.j < 0 || o.j > endDate-minDate {
			return 0, errRange
		}
		setDay(o.j - epochJulian)
	}
	ddd := o.ddd
	if o.ww != 0 {
		if o.mode == 'i' {
			days := mondayOfISOWeek(int(year), int(o.ww))
			if o.d != 0 { // 1 is Sunday, the last day of an ISO week
				days += (o.d + 5) % 7
			}
			setDay(days)
		} else {
			ddd = (o.ww-1)*7 + 1
		}
	}
	dd := o.dd
	if o.w != 0 {
		dd = (o.w-1)*7 + 1
	}
	if dd != 0 {
		day = dd
	}
	if o.mm != 0 {
		month = o.mm
	}
	if ddd != 0 && (month <= 1 || day <= 1) {
		if year == 0 && !o.bc && !hasYear {
			return 0, errFormatField("cannot calculate day of year without year information")
		}
		start := daysOf(int(year), 1, 1)
		if o.mode == 'i' {
			start = mondayOfISOWeek(int(year), 1)
			setDay(start + ddd - 1)
		} else {
			if ddd < 1 || ddd > 366 || ddd == 366 && types.DaysInMonth(int(year), 2) == 28 {
				return 0, errRange
			}
			c := types.CivilOfDay(start + ddd - 1)
			if month <= 1 {
				month = int64(c.Month)
			}
			if day <= 1 {
				day = int64(c.Day)
			}
		}
	}
	if month < 1 || month > 12 || day < 1 || day > 31 || !validDate(int(year), int(month), int(day)) {
		return 0, errRange
	}
	return daysOf(int(year), int(month), int(day)), nil
}

func scanDate(text, template string) (scanned, error) {
	r := scanner{in: text, s: text}
	err := r.run(dateTemplate(template))
	return r.out, err
}

func toDate(_ *Ctx, args []types.Datum) (types.Datum, error) {
	o, err := scanDate(args[0].Str(), args[1].Str())
	if err != nil {
		return types.Null, err
	}
	errRange := pgerr.New(pgerr.DatetimeFieldOverflow, "date/time field value out of range: \"%s\"", args[0].Str())
	if _, err := o.timeOnly(args[0].Str()); err != nil {
		return types.Null, err
	}
	day, err := o.date(errRange)
	if err != nil {
		return types.Null, err
	}
	if !validDays(day) {
		return types.Null, pgerr.New(pgerr.DatetimeFieldOverflow, "date out of range: \"%s\"", args[0].Str())
	}
	return types.Int(day), nil
}

// timeOnly checks the time of day that a date's template may hold too.
func (o scanned) timeOnly(text string) (int64, error) {
	o.year, o.cc, o.j, o.ww, o.w, o.d, o.dd, o.ddd, o.mm = 2000, 0, 0, 0, 0, 0, 0, 0, 0
	return o.localMicros(text)
}

func toTimestampText(fc *Ctx, args []types.Datum) (types.Datum, error) {
	o, err := scanDate(args[0].Str(), args[1].Str())
	if err != nil {
		return types.Null, err
	}
	local, err := o.localMicros(args[0].Str())
	if err != nil {
		return types.Null, err
	}
	if o.zoneSign == 0 {
		return types.TimestampToTimestamptz(local, fc.location())
	}
	const maxZoneHour = 15
	if o.zoneHour < 0 || o.zoneHour > maxZoneHour || o.zoneMinute < 0 || o.zoneMinute >= 60 {
		return types.Null, pgerr.New(pgerr.InvalidTimeZoneDisplacementValue, "time zone displacement out of range: \"%s\"", args[0].Str())
	}
	return types.Int(local - o.zoneSign*(o.zoneHour*microsPerHour+o.zoneMinute*microsPerMinute)), nil
}
