package funcs

import (
	"math/big"

	"raisind/sql/types"
)

// part is a field read from a value: a number, NULL, or one beyond reach.
type part struct {
	n    number
	null bool
}

func intPart(v int64) part { return part{n: numberOfInt(v)} }

// scaledPart is v × 10^-scale, with all its digits.
func scaledPart(v int64, scale int) part { return part{n: number{coef: big.NewInt(v), scale: scale}} }

// secondParts answers the units within a minute; micros are those of the minute.
func secondParts(u unit, micros int64) (part, bool) {
	switch u {
	case unitMicros:
		return intPart(micros), true
	case unitMillis:
		return scaledPart(micros, 3), true
	case unitSecond:
		return scaledPart(micros, 6), true
	}
	return part{}, false
}

// infinitePart: units that grow without end are infinite, those that come round are NULL.
func infinitePart(u unit, v int64) part {
	switch u {
	case unitYear, unitDecade, unitCentury, unitMillennium, unitJulian, unitISOYear, unitEpoch:
		if v < 0 {
			return part{n: infinity(-1)}
		}
		return part{n: infinity(1)}
	}
	return part{null: true}
}

// datePart answers the units of a date.
func datePart(u unit, day int64) (part, bool) {
	c := types.CivilOfDay(day)
	switch u {
	case unitDay:
		return intPart(int64(c.Day)), true
	case unitWeek:
		_, week := isoWeek(day)
		return intPart(int64(week)), true
	case unitMonth:
		return intPart(int64(c.Month)), true
	case unitQuarter:
		return intPart(int64((c.Month-1)/3 + 1)), true
	case unitYear:
		return intPart(int64(shownYear(c.Year))), true
	case unitDecade:
		return intPart(int64(decadeOf(c.Year))), true
	case unitCentury:
		return intPart(int64(centuryOf(c.Year))), true
	case unitMillennium:
		return intPart(int64(millenniumOf(c.Year))), true
	case unitISOYear:
		year, _ := isoWeek(day)
		return intPart(int64(shownYear(year))), true
	case unitDayOfWeek:
		return intPart(int64(dayOfWeek(day))), true
	case unitISODayOfWeek:
		return intPart(int64((dayOfWeek(day)+6)%7 + 1)), true
	case unitDayOfYear:
		return intPart(int64(dayOfYear(day))), true
	}
	return part{}, false
}

// extractor reads a unit from a value; ok is false when the type does not have it.
type extractor func(fc *Ctx, u unit, d types.Datum) (p part, ok bool)

func extractDate(_ *Ctx, u unit, d types.Datum) (part, bool) {
	day := d.Int()
	if isInfinite(day) {
		if _, ok := datePart(u, 0); !ok && u != unitEpoch && u != unitJulian {
			return part{}, false
		}
		return infinitePart(u, day), true
	}
	switch u {
	case unitEpoch:
		return intPart(day*86400 + types.EpochUnixSeconds), true
	case unitJulian:
		return intPart(day + epochJulian), true
	}
	return datePart(u, day)
}

// extractLocal reads from a wall clock time.
func extractLocal(u unit, micros int64) (part, bool) {
	day := dayOf(micros)
	ofDay := micros - day*microsPerDay
	if p, ok := secondParts(u, ofDay%microsPerMinute); ok {
		return p, true
	}
	switch u {
	case unitMinute:
		return intPart(ofDay / microsPerMinute % 60), true
	case unitHour:
		return intPart(ofDay / microsPerHour), true
	case unitJulian:
		fraction, err := numberOfInt(ofDay).quo(numberOfInt(microsPerDay))
		return part{n: numberOfInt(day + epochJulian).add(fraction)}, err == nil
	}
	return datePart(u, day)
}

// epochPart is seconds since 1970 with six digits.
func epochPart(micros int64) part {
	n := numberOfInt(types.EpochUnixSeconds * microsPerSecond).add(numberOfInt(micros))
	n.scale = 6
	return part{n: n}
}

func extractTimestamp(_ *Ctx, u unit, d types.Datum) (part, bool) {
	t := d.Int()
	if isInfinite(t) {
		return infinitePart(u, t), true
	}
	if u == unitEpoch {
		return epochPart(t), true
	}
	return extractLocal(u, t)
}

func extractTimestamptz(fc *Ctx, u unit, d types.Datum) (part, bool) {
	t := d.Int()
	if isInfinite(t) {
		return infinitePart(u, t), true
	}
	switch u {
	case unitEpoch:
		return epochPart(t), true
	case unitZone, unitZoneHour, unitZoneMinute:
		return zonePart(u, offsetAt(t, fc.location())), true
	}
	return extractLocal(u, types.UTCToLocal(t, fc.location()))
}

// zonePart reads an offset east of UTC in seconds.
func zonePart(u unit, offset int64) part {
	switch u {
	case unitZoneHour:
		return intPart(offset / 3600)
	case unitZoneMinute:
		return intPart(offset / 60 % 60)
	}
	return intPart(offset)
}

func extractTime(_ *Ctx, u unit, d types.Datum) (part, bool) { return timePart(u, d.Int()) }

func timePart(u unit, micros int64) (part, bool) {
	if p, ok := secondParts(u, micros%microsPerMinute); ok {
		return p, true
	}
	switch u {
	case unitMinute:
		return intPart(micros / microsPerMinute % 60), true
	case unitHour:
		return intPart(micros / microsPerHour), true
	case unitEpoch:
		return scaledPart(micros, 6), true
	}
	return part{}, false
}

func extractTimeTZ(_ *Ctx, u unit, d types.Datum) (part, bool) {
	t, _ := d.Ref().(*types.TimeTZ)
	if t == nil {
		return part{null: true}, true
	}
	switch u {
	case unitZone, unitZoneHour, unitZoneMinute:
		return zonePart(u, int64(t.OffsetSecs)), true
	case unitEpoch:
		return scaledPart(t.Micros-int64(t.OffsetSecs)*microsPerSecond, 6), true
	}
	return timePart(u, t.Micros)
}

// quarterDays is a quarter of the days of a year, of 365.25.
const quarterDays = 1461

func extractInterval(_ *Ctx, u unit, d types.Datum) (part, bool) {
	v := intervalOf(d)
	if p, ok := secondParts(u, v.Micros%microsPerMinute); ok {
		return p, true
	}
	years := int64(v.Months / monthsPerYear)
	switch u {
	case unitMinute:
		return intPart(v.Micros / microsPerMinute % 60), true
	case unitHour:
		return intPart(v.Micros / microsPerHour), true
	case unitDay:
		return intPart(int64(v.Days)), true
	case unitMonth:
		return intPart(int64(v.Months % monthsPerYear)), true
	case unitQuarter:
		return intPart(int64(v.Months%monthsPerYear)/3 + 1), true
	case unitYear:
		return intPart(years), true
	case unitDecade:
		return intPart(years / 10), true
	case unitCentury:
		return intPart(years / 100), true
	case unitMillennium:
		return intPart(years / 1000), true
	case unitEpoch:
		secs := (quarterDays*years + 4*daysPerMonth*int64(v.Months%monthsPerYear) + 4*int64(v.Days)) * (86400 / 4)
		n := numberOfInt(secs).mul(numberOfInt(microsPerSecond)).add(numberOfInt(v.Micros))
		n.scale = 6
		return part{n: n}, true
	}
	return part{}, false
}

// extract is the body of extract (numeric) and date_part (double).
func extract(t *types.Type, read extractor, asNumeric bool) EvalFunc {
	return func(fc *Ctx, args []types.Datum) (types.Datum, error) {
		u, err := unitOf(args[0].Str(), t)
		if err != nil {
			return types.Null, err
		}
		p, ok := read(fc, u, args[1])
		switch {
		case !ok:
			return types.Null, errUnitUnsupported(args[0].Str(), t)
		case p.null:
			return types.Null, nil
		case asNumeric:
			return p.n.datum()
		}
		return types.Float(p.n.float()), nil
	}
}
