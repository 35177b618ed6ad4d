package types

import (
	"strings"
	"time"

	"raisind/pgerr"
)

// dateError is a fault of a date or time; dateTimeError turns it into a message.
type dateError uint8

const (
	errBadFormat dateError = iota + 1
	errFieldOverflow
	errMonthDayOverflow // as errFieldOverflow, with a hint at DateStyle
	errIntervalOverflow
	errZoneOverflow
)

// Error implements error; a client never sees it.
func (dateError) Error() string { return "bad date or time" }

// dateTimeError words err for the input s of a type, as PostgreSQL's DateTimeParseError.
func dateTimeError(err error, s, typeName string) error {
	e, ok := err.(dateError)
	if !ok {
		return err
	}
	switch e {
	case errFieldOverflow:
		return pgerr.New(pgerr.DatetimeFieldOverflow, "date/time field value out of range: \"%s\"", s)
	case errMonthDayOverflow:
		return pgerr.New(pgerr.DatetimeFieldOverflow, "date/time field value out of range: \"%s\"", s).
			WithHint("Perhaps you need a different \"datestyle\" setting.")
	case errIntervalOverflow:
		return pgerr.New(pgerr.IntervalFieldOverflow, "interval field value out of range: \"%s\"", s)
	case errZoneOverflow:
		return pgerr.New(pgerr.InvalidTimeZoneDisplacementValue, "time zone displacement out of range: \"%s\"", s)
	}
	return pgerr.New(pgerr.InvalidDatetimeFormat, "invalid input syntax for type %s: \"%s\"", typeName, s)
}

// dateParts is a set of the parts that fields have given.
type dateParts uint32

const (
	partYear dateParts = 1 << iota
	partMonth
	partDay
	partYearDay
	partHour
	partMinute
	partSecond
	partFraction
	partZone
	partSummer
	partSummerWord
	partClock
	partEra
	partWeekday
	partSpecial

	partDate = partYear | partMonth | partDay
	partTime = partHour | partMinute | partSecond | partFraction
)

// dateDecoder works through the fields of a date, a time or both, from the left. The
// meaning of a number depends on what was seen before it.
type dateDecoder struct {
	env      *Env
	fields   []dateField
	timeOnly bool // a time of day is wanted, a date only helps to find its zone

	c       Civil
	yearDay int
	seen    dateParts
	special int // valueEpoch, valueInfinity, valueNegInfinity, or -1
	offset  int // seconds east of UTC

	prefix     unit // what the word before announced
	clock      int
	textMonth  bool
	julian     bool
	twoDigits  bool // the year is to be completed
	bc         bool
	zone       *time.Location
	abbrev     string
	abbrevZone *time.Location
}

// decodeDateTime reads a date with or without a time.
func decodeDateTime(fields []dateField, env *Env) (*dateDecoder, error) {
	d := &dateDecoder{env: env, fields: fields, special: -1}
	if err := d.run(); err != nil {
		return nil, err
	}
	if err := d.finishDate(); err != nil {
		return nil, err
	}
	if d.special >= 0 {
		return d, nil
	}
	if d.seen&partDate != partDate {
		return nil, errBadFormat
	}
	return d, d.finishZone(d.c)
}

// decodeTime reads a time of day, with a zone perhaps.
func decodeTime(fields []dateField, env *Env) (*dateDecoder, error) {
	d := &dateDecoder{env: env, fields: fields, special: -1, timeOnly: true}
	if err := d.run(); err != nil {
		return nil, err
	}
	if err := d.finishDate(); err != nil {
		return nil, err
	}
	if d.timeOverflows() {
		return nil, errFieldOverflow
	}
	if d.seen&partTime != partTime {
		return nil, errBadFormat
	}
	at := d.c
	if got := d.seen & partDate; got != 0 && got != partDate && (d.seen&partZone == 0 || d.abbrevZone != nil) {
		return nil, errBadFormat // a part of a date does not tell the zone
	} else if got == 0 {
		at = CivilOf(UTCToLocal(microsOf(env.now()), env.location()))
		at.Hour, at.Minute, at.Second, at.Micros = d.c.Hour, d.c.Minute, d.c.Second, d.c.Micros
	}
	return d, d.finishZone(at)
}

func (d *dateDecoder) run() error {
	for i, f := range d.fields {
		var got dateParts
		var err error
		ignored := false
		switch f.kind {
		case fieldDate:
			got, err = d.dateField(i, f.text)
		case fieldTime:
			if d.prefix != unitNone && !d.timeOnly {
				if d.prefix != unitTime {
					return errBadFormat
				}
				d.prefix = unitNone
			}
			if got, err = partTime, d.clockTime(f.text); err == nil && !d.timeOnly && d.timeOverflows() {
				err = errFieldOverflow
			}
		case fieldZone:
			got = partZone
			d.offset, err = decodeOffset(f.text)
		case fieldNumber:
			got, err = d.numberField(i, f.text)
		default:
			got, ignored, err = d.word(i, f.text)
		}
		if err != nil {
			return err
		}
		if ignored {
			continue
		}
		if got&d.seen != 0 {
			return errBadFormat
		}
		d.seen |= got
	}
	return nil
}

// dateField reads a field with delimiters: a date, a zone, or a run-together time with a zone.
func (d *dateDecoder) dateField(i int, text string) (dateParts, error) {
	if d.timeOnly {
		last := d.fields[len(d.fields)-1].kind
		if i == 0 && len(d.fields) >= 2 && (last == fieldDate || d.fields[1].kind == fieldTime) {
			return d.date(text)
		}
		if isDigit(text[0]) {
			return d.timeWithOffset(text, partDate)
		}
		return d.namedZone(text)
	}
	switch {
	case d.prefix == unitJulian: // a whole Julian day with its zone
		n, rest, inRange := leadingInt(text)
		if !inRange || n < 0 {
			return 0, errFieldOverflow
		}
		d.setJulian(n)
		d.prefix = unitNone
		var err error
		d.offset, err = decodeOffset(rest)
		return partDate | partTime | partZone, err
	case d.prefix != unitNone || d.seen&(partMonth|partDay) == partMonth|partDay:
		if isDigit(text[0]) || d.prefix != unitNone {
			if d.prefix != unitNone && d.prefix != unitTime {
				return 0, errBadFormat
			}
			d.prefix = unitNone
			return d.timeWithOffset(text, d.seen)
		}
		return d.namedZone(text)
	}
	return d.date(text)
}

func (d *dateDecoder) timeWithOffset(text string, seen dateParts) (dateParts, error) {
	if d.seen&partTime == partTime {
		return 0, errBadFormat
	}
	at := strings.IndexByte(text, '-')
	if at < 0 {
		return 0, errBadFormat
	}
	var err error
	if d.offset, err = decodeOffset(text[at:]); err != nil {
		return 0, err
	}
	got, err := d.runTogether(text[:at], seen)
	return got | partZone, err
}

func (d *dateDecoder) namedZone(text string) (dateParts, error) {
	loc, ok := FindZone(text)
	if !ok {
		return 0, pgerr.New(pgerr.InvalidParameterValue, "time zone \"%s\" not recognized", text)
	}
	d.zone = loc
	return partZone, nil
}

func (d *dateDecoder) setJulian(n int64) {
	d.c.Year, d.c.Month, d.c.Day = civil(n - julianOffset)
	d.julian = true
}

// finishDate completes the year and checks the date, then turns a 12 hour clock.
func (d *dateDecoder) finishDate() error {
	if d.seen&partYear != 0 && !d.julian {
		switch {
		case d.bc:
			if d.c.Year <= 0 {
				return errFieldOverflow
			}
			d.c.Year = -(d.c.Year - 1)
		case d.twoDigits && d.c.Year >= 0:
			if d.c.Year < 70 {
				d.c.Year += 2000
			} else if d.c.Year < 100 {
				d.c.Year += 1900
			}
		case d.c.Year <= 0:
			return errFieldOverflow
		}
	}
	if d.seen&partYearDay != 0 {
		d.c.Year, d.c.Month, d.c.Day = civil(dayOf(d.c.Year, 1, 1) + int64(d.yearDay) - 1)
	}
	if d.seen&partMonth != 0 && (d.c.Month < 1 || d.c.Month > 12) {
		return errMonthDayOverflow
	}
	if d.seen&partDay != 0 && (d.c.Day < 1 || d.c.Day > 31) {
		return errMonthDayOverflow
	}
	if d.seen&partDate == partDate && d.c.Day > daysInMonth(d.c.Year, d.c.Month) {
		return errFieldOverflow
	}
	if d.clock != clock24 && d.c.Hour > 12 {
		return errFieldOverflow
	}
	switch {
	case d.clock == clockAM && d.c.Hour == 12:
		d.c.Hour = 0
	case d.clock == clockPM && d.c.Hour != 12:
		d.c.Hour += 12
	}
	return nil
}

// finishZone computes the offset at the wall clock time at.
func (d *dateDecoder) finishZone(at Civil) error {
	summer := d.seen&partSummerWord != 0
	switch local := at.localSeconds(); {
	case d.zone != nil:
		if summer {
			return errBadFormat
		}
		if d.timeOnly && d.seen&partDate != partDate {
			fixed, ok := fixedOffset(d.zone)
			if !ok {
				return errBadFormat // the date decides, and there is none
			}
			d.offset = fixed
			return nil
		}
		d.offset = localOffset(local, d.zone)
	case d.abbrevZone != nil:
		if summer {
			return errBadFormat
		}
		d.offset = abbrevOffset(d.abbrev, local, d.abbrevZone)
	case d.seen&partZone == 0:
		if summer {
			return errBadFormat
		}
		d.offset = localOffset(local, d.env.location())
	}
	return nil
}

// fixedOffset returns the offset of a zone that never had another one.
func fixedOffset(loc *time.Location) (int, bool) {
	at := time.Unix(EpochUnixSeconds, 0).In(loc)
	start, end := at.ZoneBounds()
	_, offset := at.Zone()
	return offset, start.IsZero() && end.IsZero()
}

// timeOverflows checks the time of day, 24:00:00 included.
func (d *dateDecoder) timeOverflows() bool {
	c := d.c
	return c.Hour < 0 || c.Hour > 24 || c.Minute < 0 || c.Minute > 59 || c.Second < 0 || c.Second > 60 ||
		c.Micros < 0 || c.Micros > MicrosPerSecond || c.TimeMicros() > MicrosPerDay
}

// microsOf is t in microseconds since 2000-01-01.
func microsOf(t time.Time) int64 {
	return (t.Unix()-EpochUnixSeconds)*MicrosPerSecond + int64(t.Nanosecond()/1000)
}
