package types

import (
	"time"

	"raisind/pgerr"
)

func init() {
	addCast(TDate, TTimestamp, Implicit, func(_ *Env, d Datum) (Datum, error) { return DateToTimestamp(d.num) })
	stable(addCast(TDate, TTimestamptz, Implicit, func(env *Env, d Datum) (Datum, error) {
		v, err := DateToTimestamp(d.num)
		if err != nil {
			return Null, err
		}
		return TimestampToTimestamptz(v.num, env.location())
	}))
	addCast(TTimestamp, TDate, Assignment, func(_ *Env, d Datum) (Datum, error) { return timestampToDate(d.num), nil })
	addCast(TTimestamp, TTime, Assignment, func(_ *Env, d Datum) (Datum, error) { return timestampToTime(d.num), nil })
	stable(addCast(TTimestamp, TTimestamptz, Implicit, func(env *Env, d Datum) (Datum, error) {
		return TimestampToTimestamptz(d.num, env.location())
	}))
	stable(addCast(TTimestamptz, TTimestamp, Assignment, func(env *Env, d Datum) (Datum, error) {
		return Int(UTCToLocal(d.num, env.location())), nil
	}))
	stable(addCast(TTimestamptz, TDate, Assignment, func(env *Env, d Datum) (Datum, error) {
		return timestampToDate(UTCToLocal(d.num, env.location())), nil
	}))
	stable(addCast(TTimestamptz, TTime, Assignment, func(env *Env, d Datum) (Datum, error) {
		return timestampToTime(UTCToLocal(d.num, env.location())), nil
	}))
	stable(addCast(TTimestamptz, TTimeTZ, Assignment, func(env *Env, d Datum) (Datum, error) {
		if IsInfinite(d.num) {
			return Null, nil
		}
		offset, _ := zoneAt(d.num, env.location())
		_, t := splitDay(d.num + int64(offset)*MicrosPerSecond)
		return NewTimeTZ(t, int32(offset)), nil
	}))
	addCast(TTime, TInterval, Implicit, func(_ *Env, d Datum) (Datum, error) { return NewInterval(0, 0, d.num), nil })
	stable(addCast(TTime, TTimeTZ, Implicit, func(env *Env, d Datum) (Datum, error) {
		day, _ := splitDay(UTCToLocal(microsOf(env.now()), env.location()))
		return NewTimeTZ(d.num, int32(localOffset(floorDiv(day*MicrosPerDay+d.num, MicrosPerSecond), env.location()))), nil
	}))
	addCast(TTimeTZ, TTime, Assignment, func(_ *Env, d Datum) (Datum, error) { return Int(d.TimeTZ().Micros), nil })
	addCast(TInterval, TTime, Assignment, func(_ *Env, d Datum) (Datum, error) {
		_, t := splitDay(d.Interval().Micros)
		return Int(t), nil
	})
	for _, t := range [6]*Type{TTime, TTimeTZ, TTimestamp, TTimestamptz, TInterval, TNumeric} {
		addCast(t, t, Implicit, nil)
	}
	addCast(TVarchar, TVarchar, Implicit, nil)
	addCast(TBPChar, TBPChar, Implicit, nil)
}

// DateToTimestamp is midnight of a day.
func DateToTimestamp(day int64) (Datum, error) {
	if IsInfinite(day) {
		return Int(day), nil
	}
	if day >= endTimestamp/MicrosPerDay {
		return Null, pgerr.New(pgerr.DatetimeFieldOverflow, "date out of range for timestamp")
	}
	return Int(day * MicrosPerDay), nil
}

func timestampToDate(micros int64) Datum {
	if IsInfinite(micros) {
		return Int(micros)
	}
	day, _ := splitDay(micros)
	return Int(day)
}

// timestampToTime of an infinite timestamp is NULL.
func timestampToTime(micros int64) Datum {
	if IsInfinite(micros) {
		return Null
	}
	_, t := splitDay(micros)
	return Int(t)
}

// TimestampToTimestamptz reads a wall clock time as one of loc.
func TimestampToTimestamptz(micros int64, loc *time.Location) (Datum, error) {
	v := LocalToUTC(micros, loc)
	if !IsInfinite(v) && !validTimestamp(v) {
		return Null, timestampOutOfRange()
	}
	return Int(v), nil
}

// zoneOrAbbrev is a zone as AT TIME ZONE names it.
type zoneOrAbbrev struct {
	loc    *time.Location
	abbrev string // looked up in loc when not empty
}

// findZoneWord knows abbreviations first, then names.
func findZoneWord(name string) (zoneOrAbbrev, error) {
	lower := make([]byte, 0, len(name))
	for _, c := range []byte(name) {
		if c >= 'A' && c <= 'Z' {
			c |= 0x20
		}
		lower = append(lower, c)
	}
	if a, ok := zoneAbbrevIndex()[token(string(lower))]; ok && len(lower) <= 10 {
		if a.Zone == "" {
			return zoneOrAbbrev{loc: OffsetZone(a.OffsetSecs)}, nil
		}
		if loc, ok := FindZone(a.Zone); ok {
			return zoneOrAbbrev{loc, a.Abbrev}, nil
		}
	}
	if loc, ok := FindZone(name); ok {
		return zoneOrAbbrev{loc: loc}, nil
	}
	return zoneOrAbbrev{}, pgerr.New(pgerr.InvalidParameterValue, "time zone \"%s\" not recognized", name)
}

// TimestampAtZone is timestamp AT TIME ZONE zone: the moment at which clocks in zone show
// micros.
func TimestampAtZone(micros int64, zone string) (Datum, error) {
	if IsInfinite(micros) {
		return Int(micros), nil
	}
	z, err := findZoneWord(zone)
	if err != nil {
		return Null, err
	}
	if z.abbrev == "" {
		return TimestampToTimestamptz(micros, z.loc)
	}
	v := micros - int64(abbrevOffset(z.abbrev, floorDiv(micros, MicrosPerSecond), z.loc))*MicrosPerSecond
	if !validTimestamp(v) {
		return Null, timestampOutOfRange()
	}
	return Int(v), nil
}

// TimestamptzAtZone is timestamptz AT TIME ZONE zone: what clocks in zone show.
func TimestamptzAtZone(micros int64, zone string) (Datum, error) {
	if IsInfinite(micros) {
		return Int(micros), nil
	}
	z, err := findZoneWord(zone)
	if err != nil {
		return Null, err
	}
	v := UTCToLocal(micros, z.loc)
	if z.abbrev != "" {
		at := time.Unix(floorDiv(micros, MicrosPerSecond)+EpochUnixSeconds, 0).In(z.loc)
		if o, ok := findAbbrev(z.abbrev, at, false); ok {
			v = micros + int64(o)*MicrosPerSecond
		} else if o, ok := findAbbrev(z.abbrev, at, true); ok {
			v = micros + int64(o)*MicrosPerSecond
		}
	}
	if !validTimestamp(v) {
		return Null, timestampOutOfRange()
	}
	return Int(v), nil
}

// ZoneOffset is the offset east of UTC, in seconds, that AT TIME ZONE zone means at a
// moment.
func ZoneOffset(micros int64, zone string) (int, error) {
	d, err := TimestamptzAtZone(micros, zone)
	return int((d.num - micros) / MicrosPerSecond), err
}
