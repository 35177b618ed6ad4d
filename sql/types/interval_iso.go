package types

import "strconv"

// decodeISO reads an ISO 8601 duration: P1Y2M3DT4H5M6S, P0001-02-03T04:05:06, P00010203T040506.
func (a *intervalSum) decodeISO(s string) error {
	if len(s) < 2 || s[0] != 'P' {
		return errBadFormat
	}
	s = s[1:]
	datePart, haveField := true, false
	for s != "" {
		if s[0] == 'T' {
			datePart, haveField = false, false
			s = s[1:]
			continue
		}
		v, f, width, rest, err := isoNumber(s)
		if err != nil {
			return err
		}
		var designator byte
		if s = rest; s != "" {
			designator, s = s[0], s[1:]
		}
		u := unitNone
		if datePart {
			switch designator {
			case 'Y':
				u = unitYear
			case 'M':
				u = unitMonth
			case 'W':
				u = unitWeek
			case 'D':
				u = unitDay
			case 'T', 0, '-':
				done, err := a.isoDate(v, f, width, designator, haveField, &s)
				if done || err != nil {
					return err
				}
				datePart, haveField = false, false
				continue
			}
		} else {
			switch designator {
			case 'H':
				u = unitHour
			case 'M':
				u = unitMinute
			case 'S':
				u = unitSecond
			case 0, ':':
				return a.isoClock(v, f, width, designator, haveField, s)
			}
		}
		if u == unitNone {
			return errBadFormat
		}
		if !a.add(v, f, u) {
			return errFieldOverflow
		}
		haveField = true
	}
	return nil
}

// isoDate reads the alternative forms yyyymmdd and yyyy-mm-dd; done tells that s ended.
func (a *intervalSum) isoDate(v int64, f float64, width int, designator byte, haveField bool, s *string) (done bool, err error) {
	if designator != '-' && width == 8 && !haveField {
		if !a.add(v/10000, 0, unitYear) || !a.add(v/100%100, 0, unitMonth) || !a.add(v%100, f, unitDay) {
			return false, errFieldOverflow
		}
		return designator == 0, nil
	}
	if haveField {
		return false, errBadFormat
	}
	if !a.add(v, f, unitYear) {
		return false, errFieldOverflow
	}
	if designator != '-' {
		return designator == 0, nil
	}
	for _, u := range [2]unit{unitMonth, unitDay} {
		var err error
		if v, f, _, *s, err = isoNumber(*s); err != nil {
			return false, err
		}
		if !a.add(v, f, u) {
			return false, errFieldOverflow
		}
		switch {
		case *s == "":
			return true, nil
		case (*s)[0] == 'T':
			return false, nil
		case (*s)[0] != '-' || u == unitDay:
			return false, errBadFormat
		}
		*s = (*s)[1:]
	}
	return false, nil
}

// isoClock reads the alternative forms hhmmss and hh:mm:ss, which end the text.
func (a *intervalSum) isoClock(v int64, f float64, width int, designator byte, haveField bool, s string) error {
	if designator == 0 && width == 6 && !haveField {
		if !a.add(v/10000, 0, unitHour) || !a.add(v/100%100, 0, unitMinute) || !a.add(v%100, 0, unitSecond) || !a.addFraction(f, 1) {
			return errFieldOverflow
		}
		return nil
	}
	if haveField {
		return errBadFormat
	}
	if !a.add(v, f, unitHour) {
		return errFieldOverflow
	}
	if designator == 0 {
		return nil
	}
	for _, u := range [2]unit{unitMinute, unitSecond} {
		var err error
		if v, f, _, s, err = isoNumber(s); err != nil {
			return err
		}
		if !a.add(v, f, u) {
			return errFieldOverflow
		}
		if s == "" {
			return nil
		}
		if s[0] != ':' || u == unitSecond {
			return errBadFormat
		}
		s = s[1:]
	}
	return nil
}

// isoNumber reads a decimal number at the start of s, whole part and fraction; width
// counts the digits of the whole part.
func isoNumber(s string) (v int64, f float64, width int, rest string, err error) {
	i := 0
	if i < len(s) && s[i] == '-' {
		i++
	}
	start := i
	for i < len(s) && isDigit(s[i]) {
		i++
	}
	width = i - start
	if i < len(s) && s[i] == '.' {
		for i++; i < len(s) && isDigit(s[i]); i++ {
		}
	}
	if e := i + 1; i < len(s) && s[i]|0x20 == 'e' && i > start {
		if e < len(s) && (s[e] == '-' || s[e] == '+') {
			e++
		}
		if e < len(s) && isDigit(s[e]) {
			for i = e; i < len(s) && isDigit(s[i]); i++ {
			}
		}
	}
	n, perr := strconv.ParseFloat(s[:i], 64)
	if perr != nil {
		return 0, 0, 0, s, errBadFormat
	}
	if n < -1e15 || n > 1e15 {
		return 0, 0, 0, s, errFieldOverflow
	}
	v = int64(n)
	return v, n - float64(v), width, s[i:], nil
}
