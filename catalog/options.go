package catalog

import (
	"time"
)

// DefaultHistoryRetention is how long superseded versions of rows can be read when a
// relation does not say otherwise.
const DefaultHistoryRetention = time.Hour

// OptionHistoryRetention is the option that sets it: a duration as time.Duration
// prints one, or Forever.
const (
	OptionHistoryRetention = "history_retention"
	Forever                = "forever"
)

// HistoryRetention is how long superseded versions of r's rows are kept; forever
// tells that they all are.
func (r *Relation) HistoryRetention() (d time.Duration, forever bool) {
	s, ok := r.Options[OptionHistoryRetention]
	if s == Forever {
		return 0, true
	}
	if d, err := time.ParseDuration(s); ok && err == nil {
		return d, false
	}
	return DefaultHistoryRetention, false
}
