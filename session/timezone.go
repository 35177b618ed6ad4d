package session

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"time"
	_ "time/tzdata" // zones are there on machines without their own
)

// posixZone is a zone without daylight saving in POSIX notation, which counts west of
// Greenwich: <+03>-03, EST5.
var posixZone = regexp.MustCompile(`^(?:<([A-Za-z0-9+:-]{3,})>|([A-Za-z]{3,}))([+-]?\d{1,3})(?::(\d\d))?(?::(\d\d))?$`)

// loadZone finds a time zone by its name in any case, by a number of hours east of
// Greenwich, or in POSIX notation. name is as SHOW prints it.
func loadZone(v string) (loc *time.Location, name string, ok bool) {
	if h, err := strconv.ParseFloat(v, 64); err == nil && h > -168 && h < 168 {
		return fixedZone(int(h * 3600))
	}
	if strings.EqualFold(v, "default") || strings.EqualFold(v, "local") {
		return time.UTC, "UTC", true
	}
	for _, spelling := range zoneSpellings(v) {
		if spelling == "Local" || spelling == "" {
			continue
		}
		if loc, err := time.LoadLocation(spelling); err == nil {
			return loc, spelling, true
		}
	}
	if m := posixZone.FindStringSubmatch(v); m != nil {
		h, _ := strconv.Atoi(m[3])
		mins, _ := strconv.Atoi(m[4])
		secs, _ := strconv.Atoi(m[5])
		west := h * 3600
		if strings.HasPrefix(m[3], "-") {
			west -= mins*60 + secs
		} else {
			west += mins*60 + secs
		}
		if west > -168*3600 && west < 168*3600 {
			return time.FixedZone(m[1]+m[2], -west), v, true
		}
	}
	return nil, "", false
}

// fixedZone is the zone eastSecs seconds east of Greenwich, named as PostgreSQL does:
// <+02:30>-02:30.
func fixedZone(eastSecs int) (*time.Location, string, bool) {
	abs, sign, back := eastSecs, '+', '-'
	if eastSecs < 0 {
		abs, sign, back = -eastSecs, '-', '+'
	}
	text := fmt.Sprintf("%02d", abs/3600)
	if abs%3600 != 0 {
		text += fmt.Sprintf(":%02d", abs%3600/60)
	}
	if abs%60 != 0 {
		text += fmt.Sprintf(":%02d", abs%60)
	}
	return time.FixedZone(string(sign)+text, eastSecs), fmt.Sprintf("<%c%s>%c%s", sign, text, back, text), true
}

// zoneSpellings are the ways zone names are capitalised: as given, all capitals (UTC,
// EST5EDT), and word by word (America/Port-au-Prince, Europe/Isle_of_Man, Etc/GMT+3).
func zoneSpellings(v string) []string {
	lower := []byte(strings.ToLower(v))
	title := []byte(strings.ToLower(v))
	start := true
	for i, c := range title {
		if start && c >= 'a' && c <= 'z' {
			title[i] = c - 'a' + 'A'
		}
		start = c == '/' || c == '_' || c == '-'
	}
	t := string(title)
	small := strings.NewReplacer("_Of_", "_of_", "-Au-", "-au-", "-In-", "-in-", "_Es_", "_es_", "-Es-", "-es-", "Dumontdurville", "DumontDUrville", "Mcmurdo", "McMurdo")
	capital := t
	if area, rest, ok := strings.Cut(t, "/"); ok {
		capital = area + "/" + strings.ToUpper(rest)
	}
	return []string{v, t, strings.ToUpper(string(lower)), small.Replace(t), capital}
}
