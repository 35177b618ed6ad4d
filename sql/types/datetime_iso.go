package types

// The commonest forms, 2006-01-02 and 2006-01-02 15:04:05[.ffffff][+hh[:mm]], are read
// here without the general reader. Whatever looks different, wrong values included, is
// left to that.

const (
	isoDateLen = len("2006-01-02")
	isoTimeLen = len("2006-01-02 15:04:05")
)

// scanISODate reads a valid date at the start of s.
func scanISODate(s string) (Civil, bool) {
	if len(s) < isoDateLen || s[4] != '-' || s[7] != '-' {
		return Civil{}, false
	}
	var c Civil
	c.Year, c.Month, c.Day = isoDigits(s[:4]), isoDigits(s[5:7]), isoDigits(s[8:10])
	return c, c.Year >= 1 && c.Month >= 1 && c.Month <= 12 && c.Day >= 1 && c.Day <= daysInMonth(c.Year, c.Month)
}

// isoDigits is the value of a string of digits, -1 when it holds something else.
func isoDigits(s string) int {
	v := 0
	for i := range len(s) {
		if !isDigit(s[i]) {
			return -1
		}
		v = v*10 + int(s[i]-'0')
	}
	return v
}

// scanISOTimestamp reads a timestamp with or without time zone, t tells which.
func scanISOTimestamp(s string, t *Type, env *Env) (int64, bool) {
	c, ok := scanISODate(s)
	if !ok || len(s) < isoTimeLen || s[10] != ' ' && s[10] != 'T' || s[13] != ':' || s[16] != ':' {
		return 0, false
	}
	c.Hour, c.Minute, c.Second = isoDigits(s[11:13]), isoDigits(s[14:16]), isoDigits(s[17:19])
	if c.Hour < 0 || c.Hour > 23 || c.Minute < 0 || c.Minute > 59 || c.Second < 0 || c.Second > 59 {
		return 0, false
	}
	rest := s[isoTimeLen:]
	if rest != "" && rest[0] == '.' {
		n := 1
		for unit := MicrosPerSecond / 10; n < len(rest) && isDigit(rest[n]); n++ {
			c.Micros += int(rest[n]-'0') * unit
			unit /= 10
		}
		if n == 1 || n > 7 { // beyond microseconds there is rounding to do
			return 0, false
		}
		rest = rest[n:]
	}
	offset, zoned := isoOffset(rest)
	switch {
	case rest != "" && !zoned:
		return 0, false
	case t == TTimestamp:
		offset = 0
	case rest == "":
		offset = localOffset(c.localSeconds(), env.location())
	}
	return c.timestampAt(offset)
}

// isoOffset reads Z, +hh or +hh:mm as seconds east of UTC.
func isoOffset(s string) (int, bool) {
	if s == "Z" {
		return 0, true
	}
	if len(s) != 3 && (len(s) != 6 || s[3] != ':') || s[0] != '+' && s[0] != '-' {
		return 0, false
	}
	hour, minute := isoDigits(s[1:3]), 0
	if len(s) == 6 {
		minute = isoDigits(s[4:6])
	}
	if hour < 0 || hour > 15 || minute < 0 || minute > 59 {
		return 0, false
	}
	offset := hour*3600 + minute*60
	if s[0] == '-' {
		offset = -offset
	}
	return offset, true
}
