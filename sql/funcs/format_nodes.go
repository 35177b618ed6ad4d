package funcs

import (
	"sort"
	"strings"
	"unicode/utf8"

	lru "github.com/hashicorp/golang-lru/v2"
)

// Templates of to_char, to_date, to_timestamp and to_number, after formatting.c.

// keyDef is a pattern that stands for a field.
type keyDef struct {
	name  string // as it is written
	field string // in upper case: what it means
	digit bool   // its value starts with a digit
	mode  byte   // 'g' and 'i': a date of the calendar, of ISO weeks; 0 neither
}

// node is one piece of a template: a field, or a character to copy.
type node struct {
	key     *keyDef // nil for a character
	char    string
	sep     bool // a blank or punctuation outside quotes
	fill    bool // FM
	localed bool // TM
	ordinal byte // 't' th, 'T' TH
}

// dateKeys and numberKeys are the patterns, longest first among those of one beginning.
var (
	dateKeys = makeKeys(
		"HH24 HH12 HH MI SS MS US FF1 FF2 FF3 FF4 FF5 FF6 SSSSS SSSS J Q CC D DD DDD ID IDDD IW WW W Y YY YYY YYYY Y,YYY I IY IYY IYYY MM TZH TZM",
		"A.M. P.M. AM PM A.D. B.C. AD BC TZ OF RM FX",
		"Month MON Mon mon MONTH month DAY Day day DY Dy dy")
	numberKeys = makeKeys("9 0 . , D G L S B C PR RN MI PL SG V EEEE FM TH th", "", "")
)

// dateModes tell which kind of date a field describes.
var dateModes = map[string]byte{
	"IYYY": 'i', "IYY": 'i', "IY": 'i', "I": 'i', "ID": 'i', "IDDD": 'i', "IW": 'i',
	"YYYY": 'g', "YYY": 'g', "YY": 'g', "Y": 'g', "Y,YYY": 'g', "MM": 'g', "MON": 'g', "MONTH": 'g', "RM": 'g',
	"DD": 'g', "DDD": 'g', "D": 'g', "WW": 'g', "W": 'g',
}

// makeKeys builds a table: numeric fields and words in upper and lower case, names in
// the cases given.
func makeKeys(numeric, words, names string) []keyDef {
	var out []keyDef
	add := func(name string, digit bool) {
		field := strings.ToUpper(name)
		out = append(out, keyDef{name: name, field: field, digit: digit, mode: dateModes[field]})
	}
	for n := range strings.FieldsSeq(numeric) {
		add(n, true)
		if l := strings.ToLower(n); l != n && n != "TH" {
			add(l, true)
		}
	}
	for n := range strings.FieldsSeq(words) {
		add(n, false)
		add(strings.ToLower(n), false)
	}
	for n := range strings.FieldsSeq(names) {
		add(n, false)
	}
	sort.SliceStable(out, func(i, j int) bool { return len(out[i].name) > len(out[j].name) })
	return out
}

func findKey(keys []keyDef, s string) *keyDef {
	for i := range keys {
		if strings.HasPrefix(s, keys[i].name) {
			return &keys[i]
		}
	}
	return nil
}

// templateCacheSize templates are kept taken apart, for all sessions together.
const templateCacheSize = 128

var dateTemplates, numberTemplates = newTemplateCache(), newTemplateCache()

func newTemplateCache() *lru.Cache[string, []node] {
	c, err := lru.New[string, []node](templateCacheSize)
	if err != nil { // only for a size below 1
		panic(err)
	}
	return c
}

// dateTemplate takes a template for dates apart.
func dateTemplate(s string) []node {
	if n, ok := dateTemplates.Get(s); ok {
		return n
	}
	n := parseTemplate(s, dateKeys, true)
	dateTemplates.Add(s, n)
	return n
}

// numberTemplate takes a template for numbers apart.
func numberTemplate(s string) []node {
	if n, ok := numberTemplates.Get(s); ok {
		return n
	}
	n := parseTemplate(s, numberKeys, false)
	numberTemplates.Add(s, n)
	return n
}

func parseTemplate(s string, keys []keyDef, date bool) []node {
	var out []node
	for len(s) > 0 {
		var n node
		if date {
			for len(s) >= 2 {
				p := s[:2]
				if p == "FM" || p == "fm" {
					n.fill = true
				} else if p == "TM" || p == "tm" {
					n.localed = true
				} else {
					break
				}
				s = s[2:]
				if findKey(keys, s) != nil {
					break
				}
			}
		}
		if s == "" {
			break
		}
		if k := findKey(keys, s); k != nil {
			n.key = k
			s = s[len(k.name):]
			if date && len(s) >= 2 {
				switch s[:2] {
				case "TH":
					n.ordinal, s = 'T', s[2:]
				case "th":
					n.ordinal, s = 't', s[2:]
				}
			}
			out = append(out, n)
			continue
		}
		if s[0] == '"' {
			for s = s[1:]; len(s) > 0 && s[0] != '"'; {
				if s[0] == '\\' && len(s) > 1 {
					s = s[1:]
				}
				_, size := utf8.DecodeRuneInString(s)
				out = append(out, node{char: s[:size]})
				s = s[size:]
			}
			s = strings.TrimPrefix(s, `"`)
			continue
		}
		if s[0] == '\\' && len(s) > 1 && s[1] == '"' {
			s = s[1:]
		}
		_, size := utf8.DecodeRuneInString(s)
		out = append(out, node{char: s[:size], sep: isSeparator(s[0])})
		s = s[size:]
	}
	return out
}

// isSeparator: printing ASCII that is neither letter nor digit, and blanks.
func isSeparator(c byte) bool {
	return isBlank(c) || c > 0x20 && c < 0x7f && !isAlnum(c)
}

func isBlank(c byte) bool { return c == ' ' || c >= '\t' && c <= '\r' }
