package funcs

import "raisind/sql/types"

func timeFuncs() []Func {
	fn := func(name string, v Volatility, doc string, example Example, overloads ...Overload) Func {
		return Func{
			Name: name, Group: groupDateTime, Volatility: v, Doc: doc,
			Overloads: overloads, Examples: []Example{example},
		}
	}
	// fields gives the overloads of extract or date_part, without timestamptz.
	fields := func(result string) []Overload {
		asNumeric := result == "numeric"
		return []Overload{
			of("text,date", result, extract(types.TDate, extractDate, asNumeric)),
			of("text,interval", result, extract(types.TInterval, extractInterval, asNumeric)),
			of("text,timetz", result, extract(types.TTimeTZ, extractTimeTZ, asNumeric)),
			of("text,time", result, extract(types.TTime, extractTime, asNumeric)),
			of("text,timestamp", result, extract(types.TTimestamp, extractTimestamp, asNumeric)),
		}
	}
	const fieldDoc = "A field of a date, a time or an interval: year, month, day, hour, minute, second, epoch, dow, doy, week, …"
	moment := func(name, doc string, body EvalFunc, v Volatility) Func {
		return fn(name, v, doc, Example{`SELECT ` + name + `() > '2000-01-01'::timestamptz`, "t"}, of("", "timestamptz", body))
	}
	return []Func{
		moment("now", "The start of the transaction.", txnTime, Stable),
		moment("transaction_timestamp", "The start of the transaction.", txnTime, Stable),
		moment("statement_timestamp", "When the statement arrived.", stmtTime, Stable),
		moment("clock_timestamp", "The time of the clock, which moves during a statement.", clockTime, Volatile),
		fn("timeofday", Volatile, "The time of the clock as text.", Example{`SELECT length(timeofday()) > 20`, "t"}, of("", "text", timeOfDayText)),
		fn("date_trunc", Immutable, "Cuts a timestamp or an interval to a unit: hour, day, week, month, …",
			Example{`SELECT date_trunc('hour', '2026-02-16 20:38:40'::timestamp)`, "2026-02-16 20:00:00"},
			of("text,timestamp", "timestamp", truncTimestamp), of("text,interval", "interval", truncInterval)),
		fn("date_trunc", Stable, "Cuts a timestamp to a unit in the session's time zone or the one named.",
			Example{`SELECT date_trunc('day', '2026-02-16 20:38:40+00'::timestamptz, 'UTC') = '2026-02-16 00:00:00+00'::timestamptz`, "t"},
			of("text,timestamptz", "timestamptz", truncTimestamptz), of("text,timestamptz,text", "timestamptz", truncTimestamptz)),
		fn("date_bin", Immutable, "Cuts a timestamp to bins of a stride that begin at an origin.",
			Example{`SELECT date_bin('15 minutes', '2026-02-11 15:44:17'::timestamp, '2001-01-01'::timestamp)`, "2026-02-11 15:30:00"},
			of("interval,timestamp,timestamp", "timestamp", dateBin), of("interval,timestamptz,timestamptz", "timestamptz", dateBin)),
		fn("extract", Immutable, fieldDoc, Example{`SELECT extract(day FROM '2026-02-16'::date)`, "16"}, fields("numeric")...),
		fn("extract", Stable, "A field of a timestamp, in the session's time zone.",
			Example{`SELECT extract(epoch FROM '2000-01-01 00:00:00+00'::timestamptz)`, "946684800.000000"},
			of("text,timestamptz", "numeric", extract(types.TTimestamptz, extractTimestamptz, true))),
		fn("date_part", Immutable, fieldDoc, Example{`SELECT date_part('day', '2026-02-16'::date)`, "16"}, fields("float8")...),
		fn("date_part", Stable, "A field of a timestamp, in the session's time zone.",
			Example{`SELECT date_part('epoch', '2000-01-01 00:00:00+00'::timestamptz)`, "946684800"},
			of("text,timestamptz", "float8", extract(types.TTimestamptz, extractTimestamptz, false))),
		fn("age", Immutable, "The second timestamp taken from the first, in years, months and days.",
			Example{`SELECT age('2026-04-10'::timestamp, '1957-06-13'::timestamp)`, "68 years 9 mons 27 days"},
			of("timestamp,timestamp", "interval", ageTimestamp)),
		fn("age", Immutable, "The second timestamp taken from the first, in years, months and days.",
			Example{`SELECT age('2026-04-10 00:00+00'::timestamptz, '2026-03-10 00:00+00'::timestamptz)`, "1 mon"},
			of("timestamptz,timestamptz", "interval", ageTimestamptz)),
		fn("age", Stable, "A timestamp taken from today's midnight.", Example{`SELECT age(now()::timestamp) < interval '2 days'`, "t"},
			of("timestamp", "interval", ageToday), of("timestamptz", "interval", ageTodayTZ)),
		fn("make_date", Immutable, "A date from its fields.", Example{`SELECT make_date(2026, 7, 15)`, "2026-07-15"},
			of("year int4,month int4,day int4", "date", makeDate)),
		fn("make_time", Immutable, "A time from its fields.", Example{`SELECT make_time(8, 15, 23.5)`, "08:15:23.5"},
			of("hour int4,min int4,sec float8", "time", makeTime)),
		fn("make_timestamp", Immutable, "A timestamp from its fields.", Example{`SELECT make_timestamp(2026, 7, 15, 8, 15, 23.5)`, "2026-07-15 08:15:23.5"},
			of("year int4,month int4,mday int4,hour int4,min int4,sec float8", "timestamp", makeTimestamp)),
		fn("make_timestamptz", Stable, "A timestamp with time zone from its fields, in the session's time zone or the one named.",
			Example{`SELECT make_timestamptz(2026, 7, 15, 8, 15, 23.5, 'UTC') = '2026-07-15 08:15:23.5+00'::timestamptz`, "t"},
			of("year int4,month int4,mday int4,hour int4,min int4,sec float8", "timestamptz", makeTimestamptz),
			of("year int4,month int4,mday int4,hour int4,min int4,sec float8,timezone text", "timestamptz", makeTimestamptz)),
		fn("make_interval", Immutable, "An interval from its fields.", Example{`SELECT make_interval(days => 10, hours => 2)`, "10 days 02:00:00"},
			of("years int4 default 0,months int4 default 0,weeks int4 default 0,days int4 default 0,hours int4 default 0,mins int4 default 0,secs float8 default 0", "interval", makeInterval)),
		fn("justify_days", Immutable, "Turns 30 days into a month.", Example{`SELECT justify_days('65 days'::interval)`, "2 mons 5 days"},
			of("interval", "interval", justifyDays)),
		fn("justify_hours", Immutable, "Turns 24 hours into a day.", Example{`SELECT justify_hours('50 hours'::interval)`, "2 days 02:00:00"},
			of("interval", "interval", justifyHours)),
		fn("justify_interval", Immutable, "Turns 24 hours into a day, 30 days into a month, and gives all parts one sign.",
			Example{`SELECT justify_interval('1 mon -1 hour'::interval)`, "29 days 23:00:00"}, of("interval", "interval", justifyInterval)),
		fn("timezone", Immutable, "AT TIME ZONE: the wall clock of a zone at a moment, or the moment at which it shows a time.",
			Example{`SELECT timezone('Europe/Berlin', '2026-07-01 12:00:00+00'::timestamptz)`, "2026-07-01 14:00:00"},
			of("text,timestamptz", "timestamp", func(_ *Ctx, args []types.Datum) (types.Datum, error) {
				return types.TimestamptzAtZone(args[1].Int(), args[0].Str())
			}),
			of("text,timestamp", "timestamptz", func(_ *Ctx, args []types.Datum) (types.Datum, error) {
				return types.TimestampAtZone(args[1].Int(), args[0].Str())
			}),
			of("interval,timestamptz", "timestamp", zoneShift(1)),
			of("interval,timestamp", "timestamptz", zoneShift(-1)),
			of("interval,timetz", "timetz", timeTZAtInterval)),
		fn("timezone", Stable, "AT TIME ZONE of a time with time zone.", Example{`SELECT timezone('UTC', '12:00+02'::timetz)`, "10:00:00+00"},
			of("text,timetz", "timetz", timeTZAtZone)),
		fn("isfinite", Immutable, "False for infinity.", Example{`SELECT isfinite('infinity'::date)`, "f"},
			of("date", "bool", isFinite), of("timestamp", "bool", isFinite), of("timestamptz", "bool", isFinite),
			of("interval", "bool", func(*Ctx, []types.Datum) (types.Datum, error) { return types.Bool(true), nil })),
		fn("to_timestamp", Immutable, "The moment so many seconds after 1970.",
			Example{`SELECT to_timestamp(1284352323) = '2010-09-13 04:32:03+00'::timestamptz`, "t"}, of("float8", "timestamptz", toTimestampFloat)),
		fn("pg_sleep", Volatile, "Waits so many seconds.", Example{`SELECT pg_sleep(0) IS NULL`, "f"}, of("float8", "void", pgSleep)),
		fn("pg_sleep_for", Volatile, "Waits for an interval.", Example{`SELECT pg_sleep_for('0 s') IS NULL`, "f"}, of("interval", "void", pgSleepFor)),
		fn("pg_sleep_until", Volatile, "Waits until a moment.", Example{`SELECT pg_sleep_until('2000-01-01 00:00+00') IS NULL`, "f"},
			of("timestamptz", "void", pgSleepUntil)),
		overlapsFunc(Immutable, types.TTimestamp, timestampPlusInterval, true),
		overlapsFunc(Immutable, types.TTime, timePlusInterval, true),
		overlapsFunc(Immutable, types.TTimeTZ, nil, true),
		overlapsFunc(Immutable, types.TTimestamptz, nil, true),
		overlapsFunc(Stable, types.TTimestamptz, timestamptzPlusInterval, false),
	}
}

// overlapsFunc gives the overloads of a type: with plain ends where asked for, and with
// intervals in place of ends where add is given.
func overlapsFunc(v Volatility, t *types.Type, add EvalFunc, plain bool) Func {
	f := Func{
		Name: "overlaps", Group: groupDateTime, Volatility: v, Nulls: CalledOnNull,
		Doc:      "True when two periods have a moment in common: (start, end) OVERLAPS (start, end).",
		Examples: []Example{{`SELECT ('2026-02-16'::date, '2026-12-21'::date) OVERLAPS ('2026-10-30'::date, '2027-10-30'::date)`, "t"}},
	}
	n := t.Name
	if plain {
		f.Overloads = append(f.Overloads, of(n+","+n+","+n+","+n, "bool", overlaps(t, nil, nil)))
	}
	if add != nil {
		f.Overloads = append(f.Overloads,
			of(n+",interval,"+n+",interval", "bool", overlaps(t, add, add)),
			of(n+",interval,"+n+","+n, "bool", overlaps(t, add, nil)),
			of(n+","+n+","+n+",interval", "bool", overlaps(t, nil, add)))
	}
	return f
}
