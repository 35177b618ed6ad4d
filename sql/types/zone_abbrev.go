package types

import (
	_ "embed"
	"strconv"
	"strings"
	"sync"
	"time"
)

//go:embed zones/abbrevs.txt
var zoneAbbrevText string

// ZoneAbbrev is one abbreviation of PostgreSQL's default set. Zone is set when the
// meaning changed over time and has to be looked up there.
type ZoneAbbrev struct {
	Abbrev     string
	OffsetSecs int // east of UTC
	DST        bool
	Zone       string
}

// ZoneAbbrevs returns all abbreviations in order. The slice is shared: do not write to it.
var ZoneAbbrevs = sync.OnceValue(func() []ZoneAbbrev {
	var out []ZoneAbbrev
	for line := range strings.Lines(zoneAbbrevText) {
		f := strings.Fields(line)
		a := ZoneAbbrev{Abbrev: f[0], DST: len(f) > 2}
		if n, err := strconv.Atoi(f[1]); err == nil {
			a.OffsetSecs = n
		} else {
			a.Zone = f[1]
		}
		out = append(out, a)
	}
	return out
})

var zoneAbbrevIndex = sync.OnceValue(func() map[string]ZoneAbbrev {
	m := map[string]ZoneAbbrev{}
	for _, a := range ZoneAbbrevs() {
		m[token(strings.ToLower(a.Abbrev))] = a
	}
	return m
})

// abbrevOffset returns the offset that abbrev means in loc around a wall clock time, given
// in seconds since 2000-01-01: its
// latest use up to then, else its first use after, else the zone's own offset.
func abbrevOffset(abbrev string, seconds int64, loc *time.Location) int {
	offset := localOffset(seconds, loc)
	at := time.Unix(seconds+EpochUnixSeconds-int64(offset), 0).In(loc)
	if o, ok := findAbbrev(abbrev, at, false); ok {
		return o
	}
	if o, ok := findAbbrev(abbrev, at, true); ok {
		return o
	}
	return offset
}

// findAbbrev walks the zone's changes from at, backwards or forwards.
func findAbbrev(abbrev string, at time.Time, forward bool) (int, bool) {
	for range 400 { // more changes than any zone has recorded
		name, offset := at.Zone()
		if strings.EqualFold(name, abbrev) {
			return offset, true
		}
		start, end := at.ZoneBounds()
		if forward {
			if end.IsZero() {
				return 0, false
			}
			at = end
			continue
		}
		if start.IsZero() {
			return 0, false
		}
		at = start.Add(-time.Second)
	}
	return 0, false
}
