package types

// wordKind is the part a known word plays.
type wordKind uint8

const (
	wordUnknown wordKind = iota
	wordReserved
	wordMonth
	wordWeekday
	wordIgnored
	wordAMPM
	wordEra
	wordUnit
	wordISOTime
	wordSummer // DST behind a zone
	wordAgo
)

// Values of reserved words.
const (
	valueNow = iota
	valueToday
	valueTomorrow
	valueYesterday
	valueAllBalls
	valueEpoch
	valueInfinity
	valueNegInfinity
)

// unit is a unit of dates, times and intervals.
type unit uint8

const (
	unitNone unit = iota
	unitMicro
	unitMilli
	unitSecond
	unitMinute
	unitHour
	unitDay
	unitWeek
	unitMonth
	unitQuarter
	unitYear
	unitDecade
	unitCentury
	unitMillennium
	unitJulian
	unitTime
	unitOther // a word that is known and never valid here
)

const (
	clock24 = iota
	clockAM
	clockPM
)

type dateWord struct {
	kind  wordKind
	value int
}

// dateWords are the words in dates and times, cut by token.
var dateWords = map[string]dateWord{
	"-infinity": {wordReserved, valueNegInfinity},
	"ad":        {wordEra, 0}, "bc": {wordEra, 1},
	"allballs": {wordReserved, valueAllBalls},
	"am":       {wordAMPM, clockAM}, "pm": {wordAMPM, clockPM},
	"jan": {wordMonth, 1}, "january": {wordMonth, 1},
	"feb": {wordMonth, 2}, "february": {wordMonth, 2},
	"mar": {wordMonth, 3}, "march": {wordMonth, 3},
	"apr": {wordMonth, 4}, "april": {wordMonth, 4},
	"may": {wordMonth, 5},
	"jun": {wordMonth, 6}, "june": {wordMonth, 6},
	"jul": {wordMonth, 7}, "july": {wordMonth, 7},
	"aug": {wordMonth, 8}, "august": {wordMonth, 8},
	"sep": {wordMonth, 9}, "sept": {wordMonth, 9}, "september": {wordMonth, 9},
	"oct": {wordMonth, 10}, "october": {wordMonth, 10},
	"nov": {wordMonth, 11}, "november": {wordMonth, 11},
	"dec": {wordMonth, 12}, "december": {wordMonth, 12},
	"sun": {wordWeekday, 0}, "sunday": {wordWeekday, 0},
	"mon": {wordWeekday, 1}, "monday": {wordWeekday, 1},
	"tue": {wordWeekday, 2}, "tues": {wordWeekday, 2}, "tuesday": {wordWeekday, 2},
	"wed": {wordWeekday, 3}, "weds": {wordWeekday, 3}, "wednesday": {wordWeekday, 3},
	"thu": {wordWeekday, 4}, "thur": {wordWeekday, 4}, "thurs": {wordWeekday, 4}, "thursday": {wordWeekday, 4},
	"fri": {wordWeekday, 5}, "friday": {wordWeekday, 5},
	"sat": {wordWeekday, 6}, "saturday": {wordWeekday, 6},
	"at": {wordIgnored, 0}, "on": {wordIgnored, 0},
	"y": {wordUnit, int(unitYear)}, "m": {wordUnit, int(unitMonth)}, "d": {wordUnit, int(unitDay)},
	"h": {wordUnit, int(unitHour)}, "mm": {wordUnit, int(unitMinute)}, "s": {wordUnit, int(unitSecond)},
	"j": {wordUnit, int(unitJulian)}, "jd": {wordUnit, int(unitJulian)}, "julian": {wordUnit, int(unitJulian)},
	"dow": {wordUnit, int(unitOther)}, "doy": {wordUnit, int(unitOther)},
	"isodow": {wordUnit, int(unitOther)}, "isoyear": {wordUnit, int(unitOther)},
	"t":         {wordISOTime, int(unitTime)},
	"dst":       {wordSummer, 3600},
	"epoch":     {wordReserved, valueEpoch},
	"infinity":  {wordReserved, valueInfinity},
	"now":       {wordReserved, valueNow},
	"today":     {wordReserved, valueToday},
	"tomorrow":  {wordReserved, valueTomorrow},
	"yesterday": {wordReserved, valueYesterday},
}

// unitWords are the words in intervals, cut by token.
var unitWords = map[string]dateWord{
	"@": {wordIgnored, 0}, "ago": {wordAgo, 0},
	"c": {wordUnit, int(unitCentury)}, "cent": {wordUnit, int(unitCentury)}, "centuries": {wordUnit, int(unitCentury)}, "century": {wordUnit, int(unitCentury)},
	"d": {wordUnit, int(unitDay)}, "day": {wordUnit, int(unitDay)}, "days": {wordUnit, int(unitDay)},
	"dec": {wordUnit, int(unitDecade)}, "decade": {wordUnit, int(unitDecade)}, "decades": {wordUnit, int(unitDecade)}, "decs": {wordUnit, int(unitDecade)},
	"h": {wordUnit, int(unitHour)}, "hour": {wordUnit, int(unitHour)}, "hours": {wordUnit, int(unitHour)}, "hr": {wordUnit, int(unitHour)}, "hrs": {wordUnit, int(unitHour)},
	"m": {wordUnit, int(unitMinute)}, "min": {wordUnit, int(unitMinute)}, "mins": {wordUnit, int(unitMinute)}, "minute": {wordUnit, int(unitMinute)}, "minutes": {wordUnit, int(unitMinute)},
	"microsecon": {wordUnit, int(unitMicro)}, "us": {wordUnit, int(unitMicro)}, "usec": {wordUnit, int(unitMicro)}, "usecond": {wordUnit, int(unitMicro)}, "useconds": {wordUnit, int(unitMicro)}, "usecs": {wordUnit, int(unitMicro)},
	"mil": {wordUnit, int(unitMillennium)}, "millennia": {wordUnit, int(unitMillennium)}, "millennium": {wordUnit, int(unitMillennium)}, "mils": {wordUnit, int(unitMillennium)},
	"millisecon": {wordUnit, int(unitMilli)}, "ms": {wordUnit, int(unitMilli)}, "msec": {wordUnit, int(unitMilli)}, "mseconds": {wordUnit, int(unitMilli)}, "msecond": {wordUnit, int(unitMilli)}, "msecs": {wordUnit, int(unitMilli)},
	"mon": {wordUnit, int(unitMonth)}, "mons": {wordUnit, int(unitMonth)}, "month": {wordUnit, int(unitMonth)}, "months": {wordUnit, int(unitMonth)},
	"qtr": {wordUnit, int(unitQuarter)}, "quarter": {wordUnit, int(unitQuarter)},
	"s": {wordUnit, int(unitSecond)}, "sec": {wordUnit, int(unitSecond)}, "second": {wordUnit, int(unitSecond)}, "seconds": {wordUnit, int(unitSecond)}, "secs": {wordUnit, int(unitSecond)},
	"timezone": {wordUnit, int(unitOther)}, "timezone_h": {wordUnit, int(unitOther)}, "timezone_m": {wordUnit, int(unitOther)},
	"w": {wordUnit, int(unitWeek)}, "week": {wordUnit, int(unitWeek)}, "weeks": {wordUnit, int(unitWeek)},
	"y": {wordUnit, int(unitYear)}, "year": {wordUnit, int(unitYear)}, "years": {wordUnit, int(unitYear)}, "yr": {wordUnit, int(unitYear)}, "yrs": {wordUnit, int(unitYear)},
}

var (
	monthNames   = [...]string{"Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"}
	weekdayNames = [...]string{"Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"}
)
