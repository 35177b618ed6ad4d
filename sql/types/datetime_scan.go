package types

// fieldKind is what a word of a date or time looks like.
type fieldKind uint8

const (
	fieldNumber  fieldKind = iota // digits, with a decimal point perhaps
	fieldDate                     // digits and delimiters, or a name with punctuation: a zone
	fieldTime                     // digits and colons
	fieldString                   // letters
	fieldSpecial                  // a sign, then letters
	fieldZone                     // a sign, then digits
)

type dateField struct {
	kind fieldKind
	text string // letters in lower case
}

// Limits of what is looked at, as in PostgreSQL.
const (
	maxDateFields = 25
	maxDateLen    = 128 // bytes
)

// scanDateTime splits s into fields. Blanks and other punctuation separate them.
// maxLen is the size in bytes of all fields with one byte behind each.
func scanDateTime(s string, maxLen int) ([]dateField, error) {
	var fields []dateField
	buf := make([]byte, 0, len(s))
	i := 0
	peek := func() byte {
		if i < len(s) {
			return s[i]
		}
		return 0
	}
	take := func() {
		c := s[i]
		if c >= 'A' && c <= 'Z' {
			c |= 0x20
		}
		buf = append(buf, c)
		i++
	}
	takeWhile := func(ok func(c byte) bool) {
		for i < len(s) && ok(s[i]) {
			take()
		}
	}
	used := 0
	for i < len(s) {
		if isSpace(s[i]) {
			i++
			continue
		}
		if len(fields) >= maxDateFields {
			return nil, errBadFormat
		}
		start := len(buf)
		kind := fieldNumber
		switch c := s[i]; {
		case isDigit(c):
			takeWhile(isDigit)
			switch delim := peek(); delim {
			case ':':
				kind = fieldTime
				takeWhile(func(c byte) bool { return isDigit(c) || c == ':' || c == '.' })
			case '-', '/', '.':
				take()
				if !isDigit(peek()) { // a month's name may follow
					kind = fieldDate
					takeWhile(func(c byte) bool { return isDigit(c) || isAlpha(c) || c == delim })
					break
				}
				if delim != '.' {
					kind = fieldDate
				}
				takeWhile(isDigit)
				if peek() == delim { // three parts need equal delimiters
					kind = fieldDate
					takeWhile(func(c byte) bool { return isDigit(c) || c == delim })
				}
			}
		case c == '.':
			take()
			takeWhile(isDigit)
		case isAlpha(c):
			kind = fieldString
			takeWhile(isAlpha)
			isDate := false
			switch c := peek(); {
			case c == '-' || c == '/' || c == '.':
				isDate = true
			case c == '+' || isDigit(c): // a zone such as EST5EDT, unless the word is known
				_, known := dateWords[token(string(buf[start:]))]
				isDate = !known
			}
			if isDate {
				kind = fieldDate
				take()
				takeWhile(func(c byte) bool {
					return c == '+' || c == '-' || c == '/' || c == '_' || c == '.' || c == ':' || isDigit(c) || isAlpha(c)
				})
			}
		case c == '+' || c == '-':
			take()
			for i < len(s) && isSpace(s[i]) {
				i++
			}
			switch c := peek(); {
			case isDigit(c):
				kind = fieldZone
				takeWhile(func(c byte) bool { return isDigit(c) || c == ':' || c == '.' || c == '-' })
			case isAlpha(c):
				kind = fieldSpecial
				takeWhile(isAlpha)
			default:
				return nil, errBadFormat
			}
		case c > 0x20 && c < 0x7f: // punctuation
			i++
			continue
		default:
			return nil, errBadFormat
		}
		used += len(buf) - start + 1
		if used > maxLen {
			return nil, errBadFormat
		}
		fields = append(fields, dateField{kind, string(buf[start:])})
	}
	return fields, nil
}

// token cuts a word to the ten bytes by which words are known.
func token(w string) string { return w[:min(len(w), 10)] }
