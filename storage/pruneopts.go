package storage

import (
	"math"
	"strconv"
	"strings"
	"time"
)

// PruneOptions say how much of the past index entries keep. Rows have a retention of their own, which
// DB.SetHistoryRetention gives.
type PruneOptions struct {
	// Disabled: nothing is removed, neither entries nor rows, and nothing is watched.
	Disabled bool
	// KeepRevisions is how many revisions of a row a cell keeps, the newest included; default 8.
	KeepRevisions int
	// Retention is how old a superseded entry or a tombstone may be, by its own revision; default 1 hour.
	// NoRetention: any age, KeepRevisions alone counts, and a tombstone that is alone stays.
	Retention time.Duration
}

// NoRetention as PruneOptions.Retention lets nothing go by its age.
const NoRetention = time.Duration(-1)

const (
	defaultKeepRevisions  = 8
	defaultPruneRetention = time.Hour
)

func (o *PruneOptions) ensureDefaults() {
	if o.KeepRevisions <= 0 {
		o.KeepRevisions = defaultKeepRevisions
	}
	if o.Retention == 0 {
		o.Retention = defaultPruneRetention
	}
}

// PruneOptionsFromEnv reads the environment, os.LookupEnv in a program:
//
//	RAISIN_SPATIAL_COMPACTION_FILTER  0, off, false, no: Disabled; 1, on, true, yes: not
//	RAISIN_SPATIAL_KEEP_REVISIONS     KeepRevisions; 0 counts as 1
//	RAISIN_SPATIAL_RETENTION_SECS     Retention in seconds; 0: NoRetention
//
// What cannot be read leaves the default.
func PruneOptionsFromEnv(lookup func(string) (string, bool)) PruneOptions {
	var o PruneOptions
	read := func(name string) string {
		s, _ := lookup(name)
		return strings.ToLower(strings.TrimSpace(s))
	}
	switch read("RAISIN_SPATIAL_COMPACTION_FILTER") {
	case "0", "off", "false", "no":
		o.Disabled = true
	}
	if n, err := strconv.ParseUint(read("RAISIN_SPATIAL_KEEP_REVISIONS"), 10, 64); err == nil {
		o.KeepRevisions = int(min(max(n, 1), math.MaxInt32))
	}
	if n, err := strconv.ParseUint(read("RAISIN_SPATIAL_RETENTION_SECS"), 10, 64); err == nil {
		o.Retention = time.Duration(min(n, math.MaxInt64/uint64(time.Second))) * time.Second
		if n == 0 {
			o.Retention = NoRetention
		}
	}
	o.ensureDefaults()
	return o
}
