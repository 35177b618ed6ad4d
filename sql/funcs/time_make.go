package funcs

import (
	"math"
	"strconv"
	"time"

	"raisind/pgerr"
	"raisind/sql/types"
)

// txnTime is now(): the start of the transaction.
func txnTime(fc *Ctx, _ []types.Datum) (types.Datum, error) {
	return types.Int(microsOf(fc.txnTime())), nil
}

func (fc *Ctx) txnTime() time.Time {
	switch {
	case fc == nil:
	case !fc.TxnTime.IsZero():
		return fc.TxnTime
	case !fc.StmtTime.IsZero():
		return fc.StmtTime
	}
	return time.Now()
}

func stmtTime(fc *Ctx, args []types.Datum) (types.Datum, error) {
	if fc == nil || fc.StmtTime.IsZero() {
		return txnTime(fc, args)
	}
	return types.Int(microsOf(fc.StmtTime)), nil
}

func clockTime(*Ctx, []types.Datum) (types.Datum, error) { return types.Int(microsOf(time.Now())), nil }

func timeOfDayText(fc *Ctx, _ []types.Datum) (types.Datum, error) {
	return types.Str(time.Now().In(fc.location()).Format("Mon Jan 02 15:04:05.000000 2006 MST")), nil
}

// age subtracts field by field: years and months first, then days of the months
// between, then the time.
func age(a, b int64) (types.Datum, error) {
	if isInfinite(a) || isInfinite(b) {
		return types.Null, errTimestampRange()
	}
	later, earlier, sign := types.CivilOf(a), types.CivilOf(b), int32(1)
	if a < b {
		later, earlier, sign = earlier, later, -1
	}
	months := (later.Year-earlier.Year)*monthsPerYear + later.Month - earlier.Month
	days := later.Day - earlier.Day
	micros := later.TimeMicros() - earlier.TimeMicros()
	if micros < 0 {
		micros += microsPerDay
		days--
	}
	// Borrowed days are those of the month of the second argument.
	from := earlier
	for days < 0 {
		days += types.DaysInMonth(from.Year, from.Month)
		months--
	}
	return intervalDatum(types.Interval{Months: sign * int32(months), Days: sign * int32(days), Micros: int64(sign) * micros})
}

func ageTimestamp(_ *Ctx, args []types.Datum) (types.Datum, error) {
	return age(args[0].Int(), args[1].Int())
}

func ageTimestamptz(fc *Ctx, args []types.Datum) (types.Datum, error) {
	loc := fc.location()
	return age(types.UTCToLocal(args[0].Int(), loc), types.UTCToLocal(args[1].Int(), loc))
}

// today is the midnight that began the current day in the session's zone, as a wall clock.
func today(fc *Ctx) int64 {
	return dayOf(types.UTCToLocal(microsOf(fc.txnTime()), fc.location())) * microsPerDay
}

func ageToday(fc *Ctx, args []types.Datum) (types.Datum, error) { return age(today(fc), args[0].Int()) }

func ageTodayTZ(fc *Ctx, args []types.Datum) (types.Datum, error) {
	return age(today(fc), types.UTCToLocal(args[0].Int(), fc.location()))
}

// makeDay checks a date; a negative year is BC.
func makeDay(year, month, day int64) (int64, error) {
	y := year
	if y < 0 {
		y++
	}
	bad := year == 0 || y < math.MinInt32 || y > endDate/365 || month < 1 || month > 12
	if bad || !validDate(int(y), int(month), int(day)) {
		return 0, pgerr.New(pgerr.DatetimeFieldOverflow, "date field value out of range: %d-%02d-%02d", year, month, day)
	}
	d := daysOf(int(y), int(month), int(day))
	if !validDays(d) {
		return 0, pgerr.New(pgerr.DatetimeFieldOverflow, "date out of range: %d-%02d-%02d", year, month, day)
	}
	return d, nil
}

func makeDate(_ *Ctx, args []types.Datum) (types.Datum, error) {
	d, err := makeDay(args[0].Int(), args[1].Int(), args[2].Int())
	if err != nil {
		return types.Null, err
	}
	return types.Int(d), nil
}

// makeTimeOfDay checks a time; second 60 and hour 24 are allowed at the end only.
func makeTimeOfDay(hour, minute int64, sec float64) (int64, error) {
	micros := math.RoundToEven(sec * microsPerSecond)
	ok := hour >= 0 && minute >= 0 && minute < 60 && hour <= 24 && !math.IsNaN(sec) && micros >= 0 && micros <= 60*microsPerSecond
	t := hour*microsPerHour + minute*microsPerMinute + int64(micros)
	if !ok || t > microsPerDay {
		return 0, pgerr.New(pgerr.DatetimeFieldOverflow, "time field value out of range: %d:%02d:%s", hour, minute, twoDigits(sec))
	}
	return t, nil
}

// twoDigits prints seconds as C's %02g does.
func twoDigits(sec float64) string {
	s := strconv.FormatFloat(sec, 'g', 6, 64)
	for len(s) < 2 {
		s = "0" + s
	}
	return s
}

func makeTime(_ *Ctx, args []types.Datum) (types.Datum, error) {
	t, err := makeTimeOfDay(args[0].Int(), args[1].Int(), args[2].Float())
	if err != nil {
		return types.Null, err
	}
	return types.Int(t), nil
}

func makeLocal(args []types.Datum) (int64, error) {
	day, err := makeDay(args[0].Int(), args[1].Int(), args[2].Int())
	if err != nil {
		return 0, err
	}
	t, err := makeTimeOfDay(args[3].Int(), args[4].Int(), args[5].Float())
	if err != nil {
		return 0, err
	}
	micros, out := dateToMicros(day)
	if out != 0 || !validTimestamp(micros+t) {
		return 0, pgerr.New(pgerr.DatetimeFieldOverflow, "timestamp out of range: %d-%02d-%02d %d:%02d:%s",
			args[0].Int(), args[1].Int(), args[2].Int(), args[3].Int(), args[4].Int(), twoDigits(args[5].Float()))
	}
	return micros + t, nil
}

func makeTimestamp(_ *Ctx, args []types.Datum) (types.Datum, error) {
	return timestampDatum(makeLocal(args))
}

func makeTimestamptz(fc *Ctx, args []types.Datum) (types.Datum, error) {
	local, err := makeLocal(args)
	if err != nil {
		return types.Null, err
	}
	if len(args) > 6 {
		return types.TimestampAtZone(local, args[6].Str())
	}
	return types.TimestampToTimestamptz(local, fc.location())
}

func makeInterval(_ *Ctx, args []types.Datum) (types.Datum, error) {
	secs := args[6].Float()
	if math.IsNaN(secs) || isInf(secs) {
		return types.Null, errIntervalRange()
	}
	months, err := int32OrRange(args[0].Int()*monthsPerYear + args[1].Int())
	if err != nil {
		return types.Null, err
	}
	days, err := int32OrRange(args[2].Int()*7 + args[3].Int())
	if err != nil {
		return types.Null, err
	}
	micros := math.RoundToEven(secs * microsPerSecond)
	if !(math.Abs(micros) < math.MaxInt64) {
		return types.Null, errIntervalRange()
	}
	t, ok := addInt(args[4].Int()*microsPerHour+args[5].Int()*microsPerMinute, int64(micros))
	if !ok {
		return types.Null, errIntervalRange()
	}
	return intervalDatum(types.Interval{Months: months, Days: days, Micros: t})
}

// justify moves whole units from a field into the larger one and gives both one sign.
func justify(small, large, per int64) (int64, int64) {
	large += small / per
	small %= per
	switch {
	case large > 0 && small < 0:
		small += per
		large--
	case large < 0 && small > 0:
		small -= per
		large++
	}
	return small, large
}

func justifiedInterval(months, days, micros int64) (types.Datum, error) {
	m, err := int32OrRange(months)
	if err != nil {
		return types.Null, err
	}
	d, err := int32OrRange(days)
	if err != nil {
		return types.Null, err
	}
	return intervalDatum(types.Interval{Months: m, Days: d, Micros: micros})
}

func justifyDays(_ *Ctx, args []types.Datum) (types.Datum, error) {
	v := intervalOf(args[0])
	days, months := justify(int64(v.Days), int64(v.Months), daysPerMonth)
	return justifiedInterval(months, days, v.Micros)
}

func justifyHours(_ *Ctx, args []types.Datum) (types.Datum, error) {
	v := intervalOf(args[0])
	micros, days := justify(v.Micros, int64(v.Days), microsPerDay)
	return justifiedInterval(int64(v.Months), days, micros)
}

func justifyInterval(_ *Ctx, args []types.Datum) (types.Datum, error) {
	v := intervalOf(args[0])
	days := int64(v.Days) + v.Micros/microsPerDay
	micros := v.Micros % microsPerDay
	months := int64(v.Months) + days/daysPerMonth
	days %= daysPerMonth
	switch {
	case months > 0 && (days < 0 || days == 0 && micros < 0):
		days += daysPerMonth
		months--
	case months < 0 && (days > 0 || days == 0 && micros > 0):
		days -= daysPerMonth
		months++
	}
	switch {
	case days > 0 && micros < 0:
		micros += microsPerDay
		days--
	case days < 0 && micros > 0:
		micros -= microsPerDay
		days++
	}
	return justifiedInterval(months, days, micros)
}

// dateBin cuts to the bins of a stride that begin at an origin.
func dateBin(_ *Ctx, args []types.Datum) (types.Datum, error) {
	stride, t, origin := intervalOf(args[0]), args[1].Int(), args[2].Int()
	switch {
	case isInfinite(t):
		return args[1], nil
	case isInfinite(origin):
		return types.Null, pgerr.New(pgerr.DatetimeFieldOverflow, "origin out of range")
	case stride.Months != 0:
		return types.Null, pgerr.New(pgerr.FeatureNotSupported, "timestamps cannot be binned into intervals containing months or years")
	}
	days, ok := mulInt(int64(stride.Days), microsPerDay)
	step := int64(0)
	if ok {
		step, ok = addInt(days, stride.Micros)
	}
	switch {
	case !ok:
		return types.Null, errIntervalRange()
	case step <= 0:
		return types.Null, pgerr.New(pgerr.DatetimeFieldOverflow, "stride must be greater than zero")
	}
	diff, ok := subInt(t, origin)
	if !ok {
		return types.Null, errIntervalRange()
	}
	return types.Int(origin + floorDiv64(diff, step)*step), nil
}

func toTimestampFloat(_ *Ctx, args []types.Datum) (types.Datum, error) {
	secs := args[0].Float()
	switch {
	case math.IsNaN(secs):
		return types.Null, pgerr.New(pgerr.DatetimeFieldOverflow, "timestamp cannot be NaN")
	case math.IsInf(secs, 1):
		return types.Int(posInfinity), nil
	case math.IsInf(secs, -1):
		return types.Int(negInfinity), nil
	}
	micros := math.RoundToEven((secs - types.EpochUnixSeconds) * microsPerSecond)
	if !(micros >= minTimestamp && micros < endTimestamp) {
		return types.Null, pgerr.New(pgerr.DatetimeFieldOverflow, "timestamp out of range: \"%s\"", strconv.FormatFloat(secs, 'g', 6, 64))
	}
	return types.Int(int64(micros)), nil
}

func isFinite(_ *Ctx, args []types.Datum) (types.Datum, error) {
	return types.Bool(!isInfinite(args[0].Int())), nil
}

// intervalZone is the offset east of UTC that an interval means as a time zone.
func intervalZone(fc *Ctx, d types.Datum) (int64, error) {
	v := intervalOf(d)
	if v.Months != 0 || v.Days != 0 {
		return 0, pgerr.New(pgerr.InvalidParameterValue, "interval time zone \"%s\" must not include months or days",
			string(types.TInterval.AppendText(nil, d, fc.Env)))
	}
	return v.Micros / microsPerSecond * microsPerSecond, nil
}

// zoneShift is timezone(interval, …): to UTC for a wall clock, from it for an instant.
func zoneShift(sign int64) EvalFunc {
	return func(fc *Ctx, args []types.Datum) (types.Datum, error) {
		off, err := intervalZone(fc, args[0])
		if err != nil || isInfinite(args[1].Int()) {
			return args[1], err
		}
		v := args[1].Int() + sign*off
		if !validTimestamp(v) {
			return types.Null, errTimestampRange()
		}
		return types.Int(v), nil
	}
}

func timeTZAtOffset(t *types.TimeTZ, offsetSecs int64) types.Datum {
	utc := t.Micros - int64(t.OffsetSecs)*microsPerSecond
	return types.Ref(&types.TimeTZ{Micros: timeOfDay(utc + offsetSecs*microsPerSecond), OffsetSecs: int32(offsetSecs)})
}

func timeTZAtInterval(fc *Ctx, args []types.Datum) (types.Datum, error) {
	off, err := intervalZone(fc, args[0])
	t, _ := args[1].Ref().(*types.TimeTZ)
	if err != nil || t == nil {
		return types.Null, err
	}
	return timeTZAtOffset(t, off/microsPerSecond), nil
}

func timeTZAtZone(fc *Ctx, args []types.Datum) (types.Datum, error) {
	off, err := types.ZoneOffset(microsOf(fc.txnTime()), args[0].Str())
	t, _ := args[1].Ref().(*types.TimeTZ)
	if err != nil || t == nil {
		return types.Null, err
	}
	return timeTZAtOffset(t, int64(off)), nil
}
