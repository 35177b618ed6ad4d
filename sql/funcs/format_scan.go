package funcs

import (
	"math"
	"strconv"
	"strings"
	"unicode/utf8"

	"raisind/pgerr"
)

// scanned is what a template found in a text; zero fields were not there
// (TmFromChar of formatting.c).
type scanned struct {
	mode                           byte // 'g' or 'i' once a date field was seen
	hh, mi, ss, ssss               int64
	d, dd, ddd, mm, ms, us         int64
	year, yearDigits, cc           int64
	j, ww, w                       int64
	bc, pm, clock12                bool
	bcSet, pmSet                   bool
	zoneSign, zoneHour, zoneMinute int64
}

// scanner reads a text by a template.
type scanner struct {
	in, s string // the whole text and what is left of it
	out   scanned
}

func errFormatField(format string, args ...any) *pgerr.Error {
	return pgerr.New(pgerr.InvalidDatetimeFormat, format, args...)
}

const hintFM = `If your source string is not fixed-width, try using the "FM" modifier.`

func (r *scanner) skipBlanks() int {
	n := 0
	for n < len(r.s) && isBlank(r.s[n]) {
		n++
	}
	r.s = r.s[n:]
	return n
}

func (r *scanner) skipChar() {
	if r.s != "" {
		_, n := utf8.DecodeRuneInString(r.s)
		r.s = r.s[n:]
	}
}

// run reads all of a template. Blanks and separators match loosely unless FX is set.
func (r *scanner) run(nodes []node) error {
	fixed := false
	extra := 0 // characters skipped beyond those of the template
	for i := range nodes {
		n := &nodes[i]
		if r.s == "" {
			break
		}
		isFX := n.key != nil && n.key.field == "FX"
		if !fixed && !isFX && (n.key != nil || i == 0) {
			extra += r.skipBlanks()
		}
		switch {
		case n.key == nil && n.sep:
			if fixed {
				r.skipChar()
				continue
			}
			extra--
			if r.s != "" && isSeparator(r.s[0]) {
				r.s = r.s[1:]
				extra++
			}
			continue
		case n.key == nil:
			if !fixed && extra > 0 {
				extra--
			} else {
				r.skipChar()
			}
			continue
		case isFX:
			fixed = true
			continue
		}
		if err := r.setMode(n.key.mode); err != nil {
			return err
		}
		if err := r.field(nodes, i, extra); err != nil {
			return err
		}
		if !fixed {
			extra = r.skipBlanks()
		}
	}
	return nil
}

func (r *scanner) setMode(mode byte) error {
	switch {
	case mode == 0:
	case r.out.mode == 0:
		r.out.mode = mode
	case r.out.mode != mode:
		return errFormatField("invalid combination of date conventions").
			WithHint("Do not mix Gregorian and ISO week date conventions in a formatting template.")
	}
	return nil
}

// setField stores a field; a second, different value is an error.
func setField(dst *int64, v int64, n *node) error {
	if *dst != 0 && *dst != v {
		return errFormatField("conflicting values for \"%s\" field in formatting string", n.key.name).
			WithDetail("This value contradicts a previous setting for the same field type.")
	}
	*dst = v
	return nil
}

// integer reads up to width digits, or all there are where no digit can follow. It
// returns how many characters were read.
func (r *scanner) integer(dst *int64, width int, nodes []node, i int) (int, error) {
	n := &nodes[i]
	r.skipBlanks()
	text := r.s
	loose := n.fill || endsBefore(nodes, i)
	if !loose && len(text) < width {
		return 0, errFormatField("source string too short for \"%s\" formatting field", n.key.name).
			WithDetail("Field requires %d characters, but only %d remain.", width, len(text)).WithHint(hintFM)
	}
	if !loose {
		text = text[:width]
	}
	end := 0
	for end < len(text) && (text[end] >= '0' && text[end] <= '9' || end == 0 && (text[end] == '-' || text[end] == '+')) {
		end++
	}
	if end == 1 && (text[0] == '-' || text[0] == '+') {
		end = 0
	}
	if !loose && end > 0 && end < width {
		return 0, errFormatField("invalid value \"%s\" for \"%s\"", text, n.key.name).
			WithDetail("Field requires %d characters, but only %d could be parsed.", width, end).WithHint(hintFM)
	}
	if end == 0 {
		return 0, errFormatField("invalid value \"%s\" for \"%s\"", cutText(r.s, width), n.key.name).
			WithDetail("Value must be an integer.")
	}
	v, err := strconv.ParseInt(text[:end], 10, 64)
	if err != nil || v < math.MinInt32 || v > math.MaxInt32 {
		return 0, pgerr.New(pgerr.DatetimeFieldOverflow, "value for \"%s\" in source string is out of range", n.key.name).
			WithDetail("Value must be in the range %d to %d.", math.MinInt32, math.MaxInt32)
	}
	r.s = r.s[end:]
	return end, setField(dst, v, n)
}

func cutText(s string, n int) string { return s[:min(n, len(s))] }

// endsBefore tells that what follows node i cannot start with a digit.
func endsBefore(nodes []node, i int) bool {
	if nodes[i].ordinal != 0 || i+1 == len(nodes) {
		return true
	}
	next := &nodes[i+1]
	if next.key != nil {
		return !next.key.digit
	}
	return len(next.char) != 1 || next.char[0] < '0' || next.char[0] > '9'
}

// name reads one of several words in any case and returns which.
func (r *scanner) name(words []string, n *node) (int, error) {
	best := -1
	for i, w := range words {
		if len(r.s) >= len(w) && strings.EqualFold(r.s[:len(w)], w) && (best < 0 || len(w) > len(words[best])) {
			best = i
		}
	}
	if best < 0 {
		word := r.s
		for i := range word {
			if isBlank(word[i]) {
				word = word[:i]
				break
			}
		}
		return 0, errFormatField("invalid value \"%s\" for \"%s\"", word, n.key.name).
			WithDetail("The given value did not match any of the allowed values for this field.")
	}
	r.s = r.s[len(words[best]):]
	return best, nil
}

// lists of words that fields match
var (
	halfWords      = []string{"AM", "PM"}
	halfWordsLong  = []string{"A.M.", "P.M."}
	eraWords       = []string{"AD", "BC"}
	eraWordsLong   = []string{"A.D.", "B.C."}
	shortMonths    = cutNames(monthNames)
	shortDays      = cutNames(dayNames)
	romanBackwards = []string{"XII", "XI", "X", "IX", "VIII", "VII", "VI", "V", "IV", "III", "II", "I"}
)

func cutNames(names []string) []string {
	out := make([]string, len(names))
	for i, n := range names {
		out[i] = n[:3]
	}
	return out
}

func (r *scanner) field(nodes []node, i, extra int) error {
	n := &nodes[i]
	o := &r.out
	number := func(dst *int64, width int) error {
		_, err := r.integer(dst, width, nodes, i)
		if err == nil && n.ordinal != 0 {
			r.s = r.s[min(2, len(r.s)):]
		}
		return err
	}
	fraction := func(dst *int64, width, scale int) error {
		var v int64
		digits, err := r.integer(&v, width, nodes, i)
		if err != nil {
			return err
		}
		for ; digits < scale; digits++ {
			v *= 10
		}
		return setField(dst, v, n)
	}
	choose := func(words []string, dst, seen *bool) error {
		v, err := r.name(words, n)
		if err == nil && *seen && *dst != (v == 1) {
			return errFormatField("conflicting values for \"%s\" field in formatting string", n.key.name).
				WithDetail("This value contradicts a previous setting for the same field type.")
		}
		*dst, *seen = v == 1, true
		return err
	}
	pick := func(words []string, dst *int64, value func(i int) int64) error {
		v, err := r.name(words, n)
		if err != nil {
			return err
		}
		return setField(dst, value(v), n)
	}
	fromOne := func(i int) int64 { return int64(i) + 1 }
	switch f := n.key.field; f {
	case "AM", "PM":
		o.clock12 = true
		return choose(halfWords, &o.pm, &o.pmSet)
	case "A.M.", "P.M.":
		o.clock12 = true
		return choose(halfWordsLong, &o.pm, &o.pmSet)
	case "AD", "BC":
		return choose(eraWords, &o.bc, &o.bcSet)
	case "A.D.", "B.C.":
		return choose(eraWordsLong, &o.bc, &o.bcSet)
	case "HH", "HH12":
		o.clock12 = true
		return number(&o.hh, 2)
	case "HH24":
		return number(&o.hh, 2)
	case "MI":
		return number(&o.mi, 2)
	case "SS":
		return number(&o.ss, 2)
	case "MS":
		return fraction(&o.ms, 3, 3)
	case "US":
		return fraction(&o.us, 6, 6)
	case "FF1", "FF2", "FF3", "FF4", "FF5", "FF6":
		return fraction(&o.us, int(f[2]-'0'), 6)
	case "SSSS", "SSSSS":
		return number(&o.ssss, len(f))
	case "TZ", "OF":
		return pgerr.New(pgerr.FeatureNotSupported, "formatting field \"%s\" is only supported in to_char", n.key.name)
	case "TZH":
		before := r.in[:len(r.in)-len(r.s)]
		o.zoneSign = 1
		switch {
		case r.s != "" && strings.IndexByte("+- ", r.s[0]) >= 0:
			if r.s[0] == '-' {
				o.zoneSign = -1
			}
			r.s = r.s[1:]
		case extra > 0 && strings.HasSuffix(before, "-"): // the sign was taken for a separator
			o.zoneSign = -1
		}
		return number(&o.zoneHour, 2)
	case "TZM":
		if o.zoneSign == 0 {
			o.zoneSign = 1
		}
		return number(&o.zoneMinute, 2)
	case "MONTH":
		return pick(monthNames, &o.mm, fromOne)
	case "MON":
		return pick(shortMonths, &o.mm, fromOne)
	case "RM":
		return pick(romanBackwards, &o.mm, func(i int) int64 { return int64(monthsPerYear - i) })
	case "DAY":
		return pick(dayNames, &o.d, fromOne)
	case "DY":
		return pick(shortDays, &o.d, fromOne)
	case "MM", "DD":
		if f == "MM" {
			return number(&o.mm, 2)
		}
		return number(&o.dd, 2)
	case "DDD", "IDDD":
		return number(&o.ddd, 3)
	case "D":
		return number(&o.d, 1)
	case "ID": // Monday is 1 here, 2 among the days counted from Sunday
		var v int64
		if err := number(&v, 1); err != nil {
			return err
		}
		return setField(&o.d, v%7+1, n)
	case "WW", "IW":
		return number(&o.ww, 2)
	case "Q": // read and forgotten: it does not say which month
		var v int64
		return number(&v, 1)
	case "CC":
		return number(&o.cc, 2)
	case "Y,YYY":
		return r.commaYear(n)
	case "YYYY", "YYY", "YY", "Y", "IYYY", "IYY", "IY", "I":
		digits := len(strings.TrimPrefix(f, "I"))
		if f[0] == 'I' {
			digits = len(f)
		}
		return r.yearField(nodes, i, digits)
	case "J":
		return number(&o.j, 1)
	case "W":
		return number(&o.w, 1)
	}
	return nil
}

// yearField reads a year of so many digits; a short one is taken near 2020.
func (r *scanner) yearField(nodes []node, i, digits int) error {
	var v int64
	read, err := r.integer(&v, digits, nodes, i)
	if err != nil {
		return err
	}
	if digits < 4 && read < 4 {
		switch {
		case v < 70:
			v += 2000
		case v < 100:
			v += 1900
		case v < 520:
			v += 2000
		case v < 1000:
			v += 1000
		}
	}
	r.out.yearDigits = int64(digits)
	if nodes[i].ordinal != 0 {
		r.s = r.s[min(2, len(r.s)):]
	}
	return setField(&r.out.year, v, &nodes[i])
}

// commaYear reads 2,026.
func (r *scanner) commaYear(n *node) error {
	before, after, ok := strings.Cut(r.s, ",")
	thousands, err := strconv.ParseInt(before, 10, 32)
	end := 0
	for end < len(after) && end < 3 && after[end] >= '0' && after[end] <= '9' {
		end++
	}
	rest, err2 := strconv.ParseInt(after[:end], 10, 32)
	if !ok || err != nil || err2 != nil {
		return errFormatField("invalid input string for \"Y,YYY\"")
	}
	if r.s = after[end:]; n.ordinal != 0 {
		r.s = r.s[min(2, len(r.s)):]
	}
	r.out.yearDigits = 4
	return setField(&r.out.year, thousands*1000+rest, n)
}
