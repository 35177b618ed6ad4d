package funcs

import (
	"math"
	"time"

	"raisind/pgerr"
	"raisind/sql/types"
)

func dateTimeOps() []Func {
	op := func(symbol, name, commutator string, v Volatility, doc string, overloads ...Overload) Func {
		return Func{
			Name: name, Operator: symbol, Commutator: commutator, Group: groupDateTime,
			Volatility: v, Doc: doc, Overloads: overloads,
		}
	}
	return []Func{
		op("+", "datetime_pl", "+", Immutable, "Moves a date, a time or a timestamp by an amount, or adds intervals.",
			of("date,int4", "date", datePlusInt),
			of("int4,date", "date", swapped(datePlusInt)),
			of("date,interval", "timestamp", datePlusInterval),
			of("interval,date", "timestamp", swapped(datePlusInterval)),
			of("date,time", "timestamp", datePlusTime),
			of("time,date", "timestamp", swapped(datePlusTime)),
			of("date,timetz", "timestamptz", datePlusTimeTZ),
			of("timetz,date", "timestamptz", swapped(datePlusTimeTZ)),
			of("interval,interval", "interval", intervalPlusInterval),
			of("timestamp,interval", "timestamp", timestampPlusInterval),
			of("interval,timestamp", "timestamp", swapped(timestampPlusInterval)),
			of("time,interval", "time", timePlusInterval),
			of("interval,time", "time", swapped(timePlusInterval)),
			of("timetz,interval", "timetz", timeTZPlusInterval),
			of("interval,timetz", "timetz", swapped(timeTZPlusInterval)),
		),
		op("+", "timestamptz_pl_interval", "+", Stable, "Moves a timestamp with time zone; months and days are those of the session's time zone.",
			of("timestamptz,interval", "timestamptz", timestamptzPlusInterval),
			of("interval,timestamptz", "timestamptz", swapped(timestamptzPlusInterval)),
		),
		op("-", "datetime_mi", "", Immutable, "Moves back, or gives the distance between two dates, times or timestamps.",
			of("date,date", "int4", dateMinusDate),
			of("date,int4", "date", dateMinusInt),
			of("date,interval", "timestamp", minusInterval(datePlusInterval)),
			of("interval,interval", "interval", minusInterval(intervalPlusInterval)),
			of("time,time", "interval", timeMinusTime),
			of("time,interval", "time", minusInterval(timePlusInterval)),
			of("timetz,interval", "timetz", minusInterval(timeTZPlusInterval)),
			of("timestamp,interval", "timestamp", minusInterval(timestampPlusInterval)),
			of("timestamp,timestamp", "interval", timestampMinusTimestamp),
			of("timestamptz,timestamptz", "interval", timestampMinusTimestamp),
		),
		op("-", "timestamptz_mi_interval", "", Stable, "Moves a timestamp with time zone back.",
			of("timestamptz,interval", "timestamptz", minusInterval(timestamptzPlusInterval)),
		),
		op("*", "interval_mul", "*", Immutable, "Multiplies an interval.",
			of("interval,float8", "interval", intervalTimes),
			of("float8,interval", "interval", swapped(intervalTimes)),
		),
		op("/", "interval_div", "", Immutable, "Divides an interval.", of("interval,float8", "interval", intervalOver)),
	}
}

// swapped calls body with its two arguments exchanged.
func swapped(body EvalFunc) EvalFunc {
	return func(fc *Ctx, args []types.Datum) (types.Datum, error) {
		pair := [2]types.Datum{args[1], args[0]}
		return body(fc, pair[:])
	}
}

// minusInterval adds the negated second argument.
func minusInterval(plus EvalFunc) EvalFunc {
	return func(fc *Ctx, args []types.Datum) (types.Datum, error) {
		neg, err := negateInterval(fc, args[1:2])
		if err != nil {
			return types.Null, err
		}
		pair := [2]types.Datum{args[0], neg}
		return plus(fc, pair[:])
	}
}

func intervalOf(d types.Datum) types.Interval {
	if p, ok := d.Ref().(*types.Interval); ok {
		return *p
	}
	return types.Interval{}
}

func intervalDatum(v types.Interval) (types.Datum, error) { return types.Ref(&v), nil }

func negateInterval(_ *Ctx, args []types.Datum) (types.Datum, error) {
	v := intervalOf(args[0])
	if v.Months == math.MinInt32 || v.Days == math.MinInt32 || v.Micros == math.MinInt64 {
		return types.Null, errIntervalRange()
	}
	return intervalDatum(types.Interval{Months: -v.Months, Days: -v.Days, Micros: -v.Micros})
}

func addIntervals(a, b types.Interval) (types.Interval, error) {
	months, days := int64(a.Months)+int64(b.Months), int64(a.Days)+int64(b.Days)
	micros, ok := addInt(a.Micros, b.Micros)
	if !ok || months != int64(int32(months)) || days != int64(int32(days)) {
		return types.Interval{}, errIntervalRange()
	}
	return types.Interval{Months: int32(months), Days: int32(days), Micros: micros}, nil
}

func intervalPlusInterval(_ *Ctx, args []types.Datum) (types.Datum, error) {
	v, err := addIntervals(intervalOf(args[0]), intervalOf(args[1]))
	if err != nil {
		return types.Null, err
	}
	return intervalDatum(v)
}

func datePlusInt(_ *Ctx, args []types.Datum) (types.Datum, error) {
	return moveDate(args[0].Int(), args[1].Int())
}

func dateMinusInt(_ *Ctx, args []types.Datum) (types.Datum, error) {
	return moveDate(args[0].Int(), -args[1].Int())
}

func moveDate(days, by int64) (types.Datum, error) {
	if isInfinite(days) {
		return types.Int(days), nil
	}
	if days += by; !validDays(days) {
		return types.Null, errDateRange()
	}
	return types.Int(days), nil
}

func dateMinusDate(_ *Ctx, args []types.Datum) (types.Datum, error) {
	a, b := args[0].Int(), args[1].Int()
	if isInfinite(a) || isInfinite(b) {
		return types.Null, pgerr.New(pgerr.DatetimeFieldOverflow, "cannot subtract infinite dates")
	}
	return types.Int(a - b), nil
}

// dateAsTimestamp is the midnight of a date, or an error when timestamps do not reach it.
func dateAsTimestamp(days int64) (int64, error) {
	micros, out := dateToMicros(days)
	if out != 0 {
		return 0, pgerr.New(pgerr.DatetimeFieldOverflow, "date out of range for timestamp")
	}
	return micros, nil
}

func datePlusInterval(_ *Ctx, args []types.Datum) (types.Datum, error) {
	micros, err := dateAsTimestamp(args[0].Int())
	if err != nil {
		return types.Null, err
	}
	return timestampDatum(addToTimestamp(micros, intervalOf(args[1])))
}

func timestampDatum(micros int64, err error) (types.Datum, error) {
	if err != nil {
		return types.Null, err
	}
	return types.Int(micros), nil
}

func datePlusTime(_ *Ctx, args []types.Datum) (types.Datum, error) {
	micros, err := dateAsTimestamp(args[0].Int())
	if err != nil || isInfinite(micros) {
		return timestampDatum(micros, err)
	}
	if micros += args[1].Int(); !validTimestamp(micros) {
		return types.Null, errTimestampRange()
	}
	return types.Int(micros), nil
}

func datePlusTimeTZ(_ *Ctx, args []types.Datum) (types.Datum, error) {
	micros, err := dateAsTimestamp(args[0].Int())
	if err != nil || isInfinite(micros) {
		return timestampDatum(micros, err)
	}
	t, _ := args[1].Ref().(*types.TimeTZ)
	if t == nil {
		return types.Null, nil
	}
	if micros += t.Micros - int64(t.OffsetSecs)*microsPerSecond; !validTimestamp(micros) {
		return types.Null, errTimestampRange()
	}
	return types.Int(micros), nil
}

// addMonths moves a wall clock by months; a day the month does not have becomes its
// last. ok is false beyond the range of timestamps.
func addMonths(micros int64, months int32) (moved int64, ok bool) {
	if months == 0 {
		return micros, true
	}
	c := types.CivilOf(micros)
	m := int64(c.Year)*monthsPerYear + int64(c.Month-1) + int64(months)
	c.Year = int(floorDiv64(m, monthsPerYear))
	c.Month = int(m-int64(c.Year)*monthsPerYear) + 1
	c.Day = min(c.Day, types.DaysInMonth(c.Year, c.Month))
	return c.Timestamp()
}

// addToTimestamp moves a timestamp without time zone: months, then days, then the rest.
func addToTimestamp(micros int64, by types.Interval) (int64, error) {
	if isInfinite(micros) {
		return micros, nil
	}
	micros, ok := addMonths(micros, by.Months)
	if !ok {
		return 0, errTimestampRange()
	}
	days, ok := mulInt(int64(by.Days), microsPerDay)
	if ok {
		micros, ok = addInt(micros, days)
	}
	if ok {
		micros, ok = addInt(micros, by.Micros)
	}
	if !ok || isInfinite(micros) || !validTimestamp(micros) {
		return 0, errTimestampRange()
	}
	return micros, nil
}

func timestampPlusInterval(_ *Ctx, args []types.Datum) (types.Datum, error) {
	return timestampDatum(addToTimestamp(args[0].Int(), intervalOf(args[1])))
}

// addToTimestamptz moves an instant: months and days on the wall clock of loc.
func addToTimestamptz(micros int64, by types.Interval, loc *time.Location) (int64, error) {
	if isInfinite(micros) {
		return micros, nil
	}
	if by.Months != 0 || by.Days != 0 {
		local, err := addToTimestamp(types.UTCToLocal(micros, loc), types.Interval{Months: by.Months, Days: by.Days})
		if err != nil {
			return 0, err
		}
		micros = types.LocalToUTC(local, loc)
	}
	return addToTimestamp(micros, types.Interval{Micros: by.Micros})
}

func timestamptzPlusInterval(fc *Ctx, args []types.Datum) (types.Datum, error) {
	return timestampDatum(addToTimestamptz(args[0].Int(), intervalOf(args[1]), fc.location()))
}

// timeOfDay wraps microseconds into one day.
func timeOfDay(micros int64) int64 { return micros - floorDiv64(micros, microsPerDay)*microsPerDay }

func timePlusInterval(_ *Ctx, args []types.Datum) (types.Datum, error) {
	return types.Int(timeOfDay(args[0].Int() + timeOfDay(intervalOf(args[1]).Micros))), nil
}

func timeTZPlusInterval(_ *Ctx, args []types.Datum) (types.Datum, error) {
	t, _ := args[0].Ref().(*types.TimeTZ)
	if t == nil {
		return types.Null, nil
	}
	return types.Ref(&types.TimeTZ{
		Micros:     timeOfDay(t.Micros + timeOfDay(intervalOf(args[1]).Micros)),
		OffsetSecs: t.OffsetSecs,
	}), nil
}

func timeMinusTime(_ *Ctx, args []types.Datum) (types.Datum, error) {
	return intervalDatum(types.Interval{Micros: args[0].Int() - args[1].Int()})
}

func timestampMinusTimestamp(_ *Ctx, args []types.Datum) (types.Datum, error) {
	a, b := args[0].Int(), args[1].Int()
	if isInfinite(a) || isInfinite(b) {
		return types.Null, pgerr.New(pgerr.DatetimeFieldOverflow, "cannot subtract infinite timestamps")
	}
	d, ok := subInt(a, b)
	if !ok {
		return types.Null, errIntervalRange()
	}
	return intervalDatum(types.Interval{Days: int32(d / microsPerDay), Micros: d % microsPerDay})
}

func intervalTimes(_ *Ctx, args []types.Datum) (types.Datum, error) {
	f := args[1].Float()
	return scaleInterval(intervalOf(args[0]), func(v float64) float64 { return v * f })
}

func intervalOver(_ *Ctx, args []types.Datum) (types.Datum, error) {
	f := args[1].Float()
	if f == 0 {
		return types.Null, errDivisionByZero()
	}
	return scaleInterval(intervalOf(args[0]), func(v float64) float64 { return v / f })
}

// scaleInterval multiplies each part and carries fractions of months into days of
// 30 to a month, and fractions of days into seconds (interval_mul).
func scaleInterval(v types.Interval, scale func(float64) float64) (types.Datum, error) {
	toMicros := func(secs float64) float64 { return math.RoundToEven(secs*microsPerSecond) / microsPerSecond }
	months, days := scale(float64(v.Months)), scale(float64(v.Days))
	if !(math.Abs(months) < math.MaxInt32) || !(math.Abs(days) < math.MaxInt32) {
		return types.Null, errIntervalRange()
	}
	wholeMonths, wholeDays := math.Trunc(months), math.Trunc(days)
	restDays := toMicros((months - wholeMonths) * daysPerMonth)
	restSecs := toMicros((days - wholeDays + restDays - math.Trunc(restDays)) * 86400)
	if math.Abs(restSecs) >= 86400 {
		wholeDays += math.Trunc(restSecs / 86400)
		restSecs -= math.Trunc(restSecs/86400) * 86400
	}
	wholeDays += math.Trunc(restDays)
	micros := math.RoundToEven(scale(float64(v.Micros)) + restSecs*microsPerSecond)
	if !(micros >= math.MinInt64 && micros < math.MaxInt64) || math.Abs(wholeDays) > math.MaxInt32 {
		return types.Null, errIntervalRange()
	}
	return intervalDatum(types.Interval{Months: int32(wholeMonths), Days: int32(wholeDays), Micros: int64(micros)})
}
