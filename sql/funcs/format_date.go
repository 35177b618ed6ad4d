package funcs

import (
	"fmt"
	"strconv"
	"strings"

	"raisind/pgerr"
	"raisind/sql/types"
)

var (
	monthNames = []string{"January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November", "December"}
	dayNames   = []string{"Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"}
	romanMonth = []string{"I", "II", "III", "IV", "V", "VI", "VII", "VIII", "IX", "X", "XI", "XII"}
)

// nameWidth is what full names of months and days are filled to.
const nameWidth = 9

// moment is a date and time, or an interval, as to_char reads it.
type moment struct {
	year, month, day  int // of an interval: its fields
	hour, minute, sec int64
	micros            int64 // of the second
	dayNumber         int64 // days since 2000-01-01
	yearDay           int   // day of the year; of an interval, of months of 30 days
	interval          bool
	offset            int64 // seconds east of UTC
	zone              string
	zoned             bool
}

// padded writes a number with zeros to a width, one more for a sign, none with FM.
func padded(v int64, width int, fill bool) string {
	if fill {
		return strconv.FormatInt(v, 10)
	}
	if v < 0 {
		width++
	}
	return fmt.Sprintf("%0*d", width, v)
}

// fixedWidth is padded with the sign within the width.
func fixedWidth(v, width int, fill bool) string {
	if fill {
		return strconv.Itoa(v)
	}
	return fmt.Sprintf("%0*d", width, v)
}

// ordinalOf is st, nd, rd or th for a number's text.
func ordinalOf(num string, upper bool) string {
	th := "th"
	if n := len(num); n > 0 && (n < 2 || num[n-2] != '1') {
		switch num[n-1] {
		case '1':
			th = "st"
		case '2':
			th = "nd"
		case '3':
			th = "rd"
		}
	}
	if upper {
		return strings.ToUpper(th)
	}
	return th
}

// inCase gives a name the case the pattern is written in.
func inCase(pattern, name string) string {
	switch {
	case strings.ToUpper(pattern) == pattern:
		return strings.ToUpper(name)
	case strings.ToLower(pattern) == pattern:
		return strings.ToLower(name)
	}
	return name
}

// shown is the year without its era.
func (m *moment) shown() int64 {
	if m.interval || m.year > 0 {
		return int64(m.year)
	}
	return int64(1 - m.year)
}

// calendarOnly are the fields that an interval, tied to no date, does not have.
var calendarOnly = map[string]bool{
	"TZ": true, "TZH": true, "TZM": true, "OF": true, "AD": true, "BC": true, "A.D.": true, "B.C.": true,
	"MONTH": true, "MON": true, "DAY": true, "DY": true, "D": true, "ID": true,
}

func (m *moment) format(nodes []node) (string, error) {
	var b strings.Builder
	for i := range nodes {
		n := &nodes[i]
		if n.key == nil {
			b.WriteString(n.char)
			continue
		}
		if m.interval && calendarOnly[n.key.field] {
			return "", pgerr.New(pgerr.InvalidDatetimeFormat, "invalid format specification for an interval value").
				WithHint("Intervals are not tied to specific calendar dates.")
		}
		s, isNumber := m.field(n)
		b.WriteString(s)
		if n.ordinal != 0 && isNumber && s != "" {
			b.WriteString(ordinalOf(s, n.ordinal == 'T'))
		}
	}
	return b.String(), nil
}

// field writes one field; number tells whether a TH may follow it.
func (m *moment) field(n *node) (text string, number bool) {
	num := func(v int64, width int) (string, bool) { return padded(v, width, n.fill), true }
	clock := m.hour % 12
	if clock == 0 {
		clock = 12
		if m.hour < 0 {
			clock = -12
		}
	}
	isoYear, isoWeekNumber := isoWeek(m.dayNumber)
	word := func(name string) (string, bool) { return inCase(n.key.name, name), false }
	switch f := n.key.field; f {
	case "A.M.", "P.M.", "AM", "PM":
		half := "AM"
		if m.hour%24 >= 12 {
			half = "PM"
		}
		if strings.Contains(f, ".") {
			half = half[:1] + "." + half[1:] + "."
		}
		return word(half)
	case "HH", "HH12":
		if m.hour%12 == 0 {
			return num(12, 2)
		}
		return num(clock, 2)
	case "HH24":
		return num(m.hour, 2)
	case "MI":
		return num(m.minute, 2)
	case "SS":
		return num(m.sec, 2)
	case "MS", "FF3":
		return fmt.Sprintf("%03d", m.micros/1000), true
	case "US", "FF6":
		return fmt.Sprintf("%06d", m.micros), true
	case "FF1", "FF2", "FF4", "FF5":
		digits := int(f[2] - '0')
		return fmt.Sprintf("%06d", m.micros)[:digits], true
	case "SSSS", "SSSSS":
		return strconv.FormatInt(m.hour*3600+m.minute*60+m.sec, 10), true
	case "TZ":
		if n.key.name == "tz" {
			return strings.ToLower(m.zone), false
		}
		return m.zone, false
	case "TZH":
		if !m.zoned {
			return "+00", false
		}
		return fmt.Sprintf("%c%02d", signOf(m.offset), abs64(m.offset)/3600), false
	case "TZM":
		return fmt.Sprintf("%02d", abs64(m.offset)%3600/60), false
	case "OF":
		s := fmt.Sprintf("%c%02d", signOf(m.offset), abs64(m.offset)/3600)
		if n.fill {
			s = fmt.Sprintf("%c%d", signOf(m.offset), abs64(m.offset)/3600)
		}
		if rest := abs64(m.offset) % 3600; rest != 0 {
			s += fmt.Sprintf(":%02d", rest/60)
		}
		return s, false
	case "A.D.", "B.C.", "AD", "BC":
		era := "AD"
		if m.year <= 0 {
			era = "BC"
		}
		if strings.Contains(f, ".") {
			era = era[:1] + "." + era[1:] + "."
		}
		return word(era)
	case "MONTH", "MON":
		name := monthNames[m.month-1]
		if f == "MON" {
			return word(name[:3])
		}
		return word(m.filled(name, n))
	case "DAY":
		return word(m.filled(dayNames[dayOfWeek(m.dayNumber)], n))
	case "DY":
		return word(dayNames[dayOfWeek(m.dayNumber)][:3])
	case "MM":
		return num(int64(m.month), 2)
	case "RM":
		if m.month == 0 && m.year == 0 {
			return "", false
		}
		name := romanMonth[(m.month+11)%12]
		if !n.fill {
			name = fmt.Sprintf("%-4s", name)
		}
		return word(name)
	case "DDD":
		return fixedWidth(m.yearDay, 3, n.fill), true
	case "IDDD":
		return num(m.dayNumber-mondayOfISOWeek(isoYear, 1)+1, 3)
	case "DD":
		return fixedWidth(m.day, 2, n.fill), true
	case "D":
		return strconv.Itoa(dayOfWeek(m.dayNumber) + 1), true
	case "ID":
		return strconv.Itoa((dayOfWeek(m.dayNumber)+6)%7 + 1), true
	case "WW":
		return fixedWidth((m.yearDay-1)/7+1, 2, n.fill), true
	case "IW":
		return num(int64(isoWeekNumber), 2)
	case "W":
		return strconv.Itoa((m.day-1)/7 + 1), true
	case "Q":
		if m.month == 0 {
			return "", false
		}
		return strconv.Itoa((m.month-1)/3 + 1), true
	case "CC":
		c := int64(m.year / 100)
		if !m.interval {
			if c = int64(m.year/100 - 1); m.year > 0 {
				c = int64((m.year-1)/100 + 1)
			}
		}
		if c > 99 || c < -99 {
			return strconv.FormatInt(c, 10), true
		}
		return num(c, 2)
	case "Y,YYY":
		y := m.shown()
		return fmt.Sprintf("%d,%03d", y/1000, y%1000), true
	case "YYYY", "YYY", "YY", "Y":
		return yearDigits(m.shown(), len(f), n.fill), true
	case "IYYY", "IYY", "IY", "I":
		y := int64(isoYear)
		if y <= 0 {
			y = 1 - y
		}
		return yearDigits(y, len(f), n.fill), true
	case "J":
		return strconv.FormatInt(m.dayNumber+epochJulian, 10), true
	}
	return "", false
}

// filled pads a full name unless FM or TM is set.
func (m *moment) filled(name string, n *node) string {
	if n.fill || n.localed {
		return name
	}
	return fmt.Sprintf("%-*s", nameWidth, name)
}

func yearDigits(y int64, digits int, fill bool) string {
	for mod, d := int64(10), 1; d < 4; mod, d = mod*10, d+1 {
		if d == digits {
			return padded(y%mod, digits, fill)
		}
	}
	return padded(y, 4, fill)
}

func signOf(v int64) byte {
	if v < 0 {
		return '-'
	}
	return '+'
}

func abs64(v int64) int64 {
	if v < 0 {
		return -v
	}
	return v
}

func momentOf(micros int64) moment {
	c := types.CivilOf(micros)
	return moment{
		year: c.Year, month: c.Month, day: c.Day, hour: int64(c.Hour), minute: int64(c.Minute), sec: int64(c.Second),
		micros: int64(c.Micros), dayNumber: dayOf(micros), yearDay: dayOfYear(dayOf(micros)),
	}
}

func timestampToChar(_ *Ctx, args []types.Datum) (types.Datum, error) {
	if args[1].Str() == "" || isInfinite(args[0].Int()) {
		return types.Null, nil
	}
	m := momentOf(args[0].Int())
	return strResult(m.format(dateTemplate(args[1].Str())))
}

func timestamptzToChar(fc *Ctx, args []types.Datum) (types.Datum, error) {
	t := args[0].Int()
	if args[1].Str() == "" || isInfinite(t) {
		return types.Null, nil
	}
	m := momentOf(types.UTCToLocal(t, fc.location()))
	zone, offset := goTime(t, fc.location()).Zone()
	m.zone, m.offset, m.zoned = zone, int64(offset), true
	return strResult(m.format(dateTemplate(args[1].Str())))
}

func intervalToChar(_ *Ctx, args []types.Datum) (types.Datum, error) {
	if args[1].Str() == "" {
		return types.Null, nil
	}
	v := intervalOf(args[0])
	m := moment{
		interval: true, year: int(v.Months / monthsPerYear), month: int(v.Months % monthsPerYear), day: int(v.Days),
		hour: v.Micros / microsPerHour, minute: v.Micros / microsPerMinute % 60, sec: v.Micros / microsPerSecond % 60,
		micros: v.Micros % microsPerSecond, yearDay: int(v.Months)*daysPerMonth + int(v.Days),
	}
	m.dayNumber = daysOf(m.year, max(m.month, 1), m.day) // such fields mean little, but answer
	return strResult(m.format(dateTemplate(args[1].Str())))
}
