package types

import (
	_ "embed"
	"encoding/binary"
	"fmt"
	"math"
	"strconv"
	"strings"
	"sync"
	"time"
	_ "time/tzdata" // a machine without zoneinfo knows all zones too

	"raisind/pgerr"
)

//go:embed zones/names.txt
var zoneNamesText string

// zoneNames maps lower case to the name's own spelling.
var zoneNames = sync.OnceValue(func() map[string]string {
	names := strings.Fields(zoneNamesText)
	m := make(map[string]string, len(names))
	for _, n := range names {
		m[strings.ToLower(n)] = n
	}
	return m
})

// ZoneNames returns the names of all time zones in order.
func ZoneNames() []string { return strings.Fields(zoneNamesText) }

var zoneCache struct {
	sync.RWMutex
	zones map[string]*time.Location // by lower case name, nil for what does not exist
}

// maxOffsetHours bounds a zone given as a number: one week.
const maxOffsetHours = 167

const zoneCacheLimit = 4096 // entries; names come from clients

// FindZone finds a time zone by its name in any case or by a POSIX specification such
// as EST5EDT, <+03>-3 or UTC+1 (hours west of UTC).
func FindZone(name string) (*time.Location, bool) {
	lower := strings.TrimPrefix(strings.ToLower(name), "posix/")
	if lower == "utc" {
		return time.UTC, true
	}
	zoneCache.RLock()
	loc, known := zoneCache.zones[lower]
	zoneCache.RUnlock()
	if known {
		return loc, loc != nil
	}
	loc = loadZone(lower)
	zoneCache.Lock()
	if zoneCache.zones == nil || len(zoneCache.zones) >= zoneCacheLimit {
		zoneCache.zones = map[string]*time.Location{}
	}
	zoneCache.zones[lower] = loc
	zoneCache.Unlock()
	return loc, loc != nil
}

func loadZone(lower string) *time.Location {
	if name, ok := zoneNames()[lower]; ok {
		if loc, err := time.LoadLocation(name); err == nil {
			return loc
		}
	}
	return posixZone(strings.ToUpper(lower))
}

// posixZone reads a POSIX TZ string: a name, hours west, then optionally a summer name,
// its offset and the rule. Go reads such a string only at the end of a zoneinfo file,
// so one is made around it.
func posixZone(spec string) *time.Location {
	if len(spec) > 255 {
		return nil
	}
	std, rest, ok := posixName(spec)
	if !ok {
		return nil
	}
	offset, rest, ok := posixOffset(rest)
	if !ok {
		return nil
	}
	if rest == "" {
		return time.FixedZone(spec, -offset)
	}
	summer, rest, ok := posixName(rest)
	if !ok || summer == "" {
		return nil
	}
	summerOffset := offset - 3600
	if rest != "" && rest[0] != ',' {
		if summerOffset, rest, ok = posixOffset(rest); !ok || rest != "" && rest[0] != ',' {
			return nil
		}
	}
	if rest == "" {
		rest = ",M3.2.0,M11.1.0" // as the United States do
	}
	// Names in angle brackets, so that Go takes short ones too.
	footer := "<" + std + ">" + posixSeconds(offset) + "<" + summer + ">" + posixSeconds(summerOffset) + rest
	if summerOffset == offset {
		return time.FixedZone(spec, -offset)
	}
	loc, err := time.LoadLocationFromTZData(spec, zoneFile(std, -offset, footer))
	if err != nil || !posixRuleWorks(loc, -offset) {
		return nil
	}
	return loc
}

// posixRuleWorks looks whether Go understood the rule: else no clock ever changes.
func posixRuleWorks(loc *time.Location, std int) bool {
	for month := range 12 {
		if _, offset := time.Date(2001, time.Month(month+1), 15, 0, 0, 0, 0, time.UTC).In(loc).Zone(); offset != std {
			return true
		}
	}
	return false
}

func posixSeconds(offset int) string {
	sign := ""
	if offset < 0 {
		sign, offset = "-", -offset
	}
	return fmt.Sprintf("%s%d:%02d:%02d", sign, offset/3600, offset/60%60, offset%60)
}

// posixName reads a zone's name, in angle brackets or up to a digit, sign or comma.
func posixName(s string) (name, rest string, ok bool) {
	if strings.HasPrefix(s, "<") {
		end := strings.IndexByte(s, '>')
		if end < 0 {
			return "", "", false
		}
		return s[1:end], s[end+1:], true
	}
	i := 0
	for i < len(s) && !isDigit(s[i]) && s[i] != ',' && s[i] != '-' && s[i] != '+' {
		i++
	}
	return s[:i], s[i:], true
}

// posixOffset reads [+-]hh[:mm[:ss]] as seconds west of UTC.
func posixOffset(s string) (offset int, rest string, ok bool) {
	i, sign := 0, 1
	if i < len(s) && (s[i] == '+' || s[i] == '-') {
		if s[i] == '-' {
			sign = -1
		}
		i++
	}
	for unit := 3600; unit > 0; unit /= 60 {
		start, v := i, 0
		for i < len(s) && isDigit(s[i]) && v < 1000 {
			v = v*10 + int(s[i]-'0')
			i++
		}
		if i == start || unit == 3600 && v > maxOffsetHours || unit == 60 && v > 59 || v > maxOffsetHours || unit == 1 && v > 60 {
			return 0, "", false
		}
		offset += v * unit
		if i >= len(s) || s[i] != ':' || unit == 1 {
			break
		}
		i++
	}
	return sign * offset, s[i:], true
}

// zoneFile is a version 2 zoneinfo file without transitions whose footer is spec.
func zoneFile(name string, offset int, spec string) []byte {
	head := func(dst []byte) []byte {
		dst = append(dst, "TZif2"...)
		dst = append(dst, make([]byte, 15)...)
		for _, count := range [6]uint32{0, 0, 0, 0, 1, uint32(len(name) + 1)} {
			dst = binary.BigEndian.AppendUint32(dst, count)
		}
		dst = binary.BigEndian.AppendUint32(dst, uint32(int32(offset)))
		dst = append(dst, 0, 0)
		return append(append(dst, name...), 0)
	}
	return append(append(append(head(head(nil)), '\n'), spec...), '\n')
}

// OffsetZone makes a zone with a fixed offset, named as PostgreSQL names it: <+03>-03.
func OffsetZone(secondsEast int) *time.Location {
	display := string(appendOffset(nil, secondsEast))
	sign := "-" // POSIX counts west
	if secondsEast < 0 {
		sign = "+"
	}
	return time.FixedZone("<"+display+">"+sign+display[1:], secondsEast)
}

// ParseZoneSetting reads the value of the setting TimeZone: a name, a POSIX
// specification, hours east of UTC, or an interval.
func ParseZoneSetting(value string) (*time.Location, error) {
	bad := func() *pgerr.Error {
		return pgerr.New(pgerr.InvalidParameterValue, "invalid value for parameter \"TimeZone\": \"%s\"", value)
	}
	offset := func(seconds float64) (*time.Location, error) {
		if math.Abs(seconds) > maxOffsetHours*3600 {
			return nil, bad().WithDetail("UTC timezone offset is out of range.")
		}
		return OffsetZone(int(seconds)), nil
	}
	if len(value) >= 8 && strings.EqualFold(value[:8], "interval") {
		text := value[8:]
		if parts := strings.Split(text, "'"); len(parts) == 3 { // units may follow the literal
			text = parts[1]
		}
		d, err := TInterval.ParseText(text, -1, nil)
		if err != nil {
			return nil, bad()
		}
		iv := d.Interval()
		switch {
		case iv.Months != 0:
			return nil, bad().WithDetail("Cannot specify months in time zone interval.")
		case iv.Days != 0:
			return nil, bad().WithDetail("Cannot specify days in time zone interval.")
		}
		return offset(float64(iv.Micros / MicrosPerSecond))
	}
	if hours, err := strconv.ParseFloat(value, 64); err == nil && !math.IsNaN(hours) {
		return offset(hours * 3600)
	}
	loc, ok := FindZone(value)
	if !ok {
		return nil, bad()
	}
	if at, _ := zoneAt(0, loc); at%60 != 0 {
		return nil, pgerr.New(pgerr.InvalidParameterValue, "time zone \"%s\" appears to use leap seconds", value).
			WithDetail("PostgreSQL does not support leap seconds.")
	}
	return loc, nil
}

// zoneAt returns the offset east of UTC in seconds, and the abbreviation, at a moment
// given in microseconds since 2000-01-01 UTC.
func zoneAt(micros int64, loc *time.Location) (offset int, abbrev string) {
	if loc == time.UTC {
		return 0, "UTC"
	}
	abbrev, offset = time.Unix(floorDiv(micros, MicrosPerSecond)+EpochUnixSeconds, 0).In(loc).Zone()
	return offset, abbrev
}

// UTCToLocal turns a moment into the wall clock of loc. Infinities stay.
func UTCToLocal(micros int64, loc *time.Location) int64 {
	if IsInfinite(micros) {
		return micros
	}
	offset, _ := zoneAt(micros, loc)
	return micros + int64(offset)*MicrosPerSecond
}

// LocalToUTC turns the wall clock of loc into a moment. A time that a change of the
// clocks skips is read with the offset before it, one that occurs twice with the offset
// after it, as PostgreSQL does. Infinities stay.
func LocalToUTC(micros int64, loc *time.Location) int64 {
	if IsInfinite(micros) {
		return micros
	}
	return micros - int64(localOffset(floorDiv(micros, MicrosPerSecond), loc))*MicrosPerSecond
}

// localOffset finds the offset, in seconds east, that holds in loc at a wall clock time
// given in seconds since 2000-01-01: dates reach farther than microseconds count.
func localOffset(seconds int64, loc *time.Location) int {
	if loc == time.UTC {
		return 0
	}
	// Changes are at least two days apart and offsets below one day, so the only change
	// that matters is the next one after the day before.
	local := seconds + EpochUnixSeconds
	prev := time.Unix(local-86400, 0).In(loc)
	_, before := prev.Zone()
	_, end := prev.ZoneBounds()
	if end.IsZero() {
		return before
	}
	boundary := end.Unix()
	_, after := end.Zone()
	beforeTime, afterTime := local-int64(before), local-int64(after)
	switch {
	case beforeTime < boundary && afterTime < boundary:
		return before
	case beforeTime > boundary && afterTime >= boundary:
		return after
	case beforeTime > afterTime:
		return before
	}
	return after
}
