package types

import (
	_ "embed"
	"encoding/binary"
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
	std, offset, rest, ok := posixName(spec)
	if !ok || len(spec) > 255 {
		return nil
	}
	if std == "" && rest != "" {
		return nil
	}
	if rest == "" {
		return time.FixedZone(spec, -offset)
	}
	if !isAlpha(rest[0]) && rest[0] != '<' {
		return nil
	}
	loc, err := time.LoadLocationFromTZData(spec, zoneFile(std, -offset, spec))
	if err != nil {
		return nil
	}
	if name, _ := time.Unix(EpochUnixSeconds, 0).In(loc).Zone(); name == "UTC" && std != "UTC" {
		return nil // Go could not read the rule
	}
	return loc
}

// posixName reads a zone's name and its offset west of UTC in seconds.
func posixName(s string) (name string, offset int, rest string, ok bool) {
	i := 0
	if strings.HasPrefix(s, "<") {
		end := strings.IndexByte(s, '>')
		if end < 0 {
			return "", 0, "", false
		}
		name, i = s[1:end], end+1
	} else {
		for i < len(s) && !isDigit(s[i]) && s[i] != ',' && s[i] != '-' && s[i] != '+' {
			i++
		}
		name = s[:i]
	}
	sign := 1
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
		if i == start || unit == 3600 && v > maxOffsetHours || unit < 3600 && v > 59 {
			return "", 0, "", false
		}
		offset += v * unit
		if i >= len(s) || s[i] != ':' {
			break
		}
		i++
	}
	return name, sign * offset, s[i:], true
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
	return micros - int64(localOffset(micros, loc))*MicrosPerSecond
}

// localOffset finds the offset, in seconds east, that holds in loc at a wall clock time.
func localOffset(micros int64, loc *time.Location) int {
	if loc == time.UTC {
		return 0
	}
	// Changes are at least two days apart and offsets below one day, so the only change
	// that matters is the next one after the day before.
	local := floorDiv(micros, MicrosPerSecond) + EpochUnixSeconds
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
