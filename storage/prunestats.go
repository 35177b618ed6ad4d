package storage

import (
	"sync/atomic"
	"time"
)

// PruneStats tell what the pruner has done since the store was opened, and what it has before it.
type PruneStats struct {
	Enabled       bool
	KeepRevisions int
	Retention     time.Duration // NoRetention: by count only

	Nominated  uint64 // groups nominated by flushes and compactions
	Overflows  uint64 // of these, groups that came while too many waited, and went into a range
	Groups     uint64 // groups read
	KeysRead   uint64
	Pruned     uint64 // keys removed
	Tombstones uint64 // of these, known to be tombstones
	Passes     uint64
	Sweeps     uint64
	Errors     uint64        // passes that failed, each in the log
	Busy       time.Duration // spent in passes
	Waiting    int           // groups nominated and not yet through
	Behind     time.Duration // how long the oldest group that waits has waited; 0: none waits
	Lag        time.Duration // from nomination to pruning: of the oldest group waiting, else of the last pass
}

type pruneCounters struct {
	nominated, overflows, groups, read, pruned, tombstones, passes, sweeps, errors atomic.Uint64
	busy, lag                                                                      atomic.Int64 // ns
	inWork                                                                         atomic.Int64 // groups
	working                                                                        atomic.Int64 // since when the groups in work waited, unix ns; 0: none
}

// PruneStats returns the counters of pruning.
func (db *DB) PruneStats() PruneStats {
	p := &db.pruner
	c := &p.counter
	s := PruneStats{
		Enabled: !p.disabled, KeepRevisions: p.keep, Retention: p.retention,
		Nominated: c.nominated.Load(), Overflows: c.overflows.Load(), Groups: c.groups.Load(), KeysRead: c.read.Load(),
		Pruned: c.pruned.Load(), Tombstones: c.tombstones.Load(), Passes: c.passes.Load(), Sweeps: c.sweeps.Load(),
		Errors: c.errors.Load(), Busy: time.Duration(c.busy.Load()), Lag: time.Duration(c.lag.Load()),
	}
	p.mu.Lock()
	s.Waiting = len(p.nominated) + int(c.inWork.Load())
	since := p.since
	p.mu.Unlock()
	if working := c.working.Load(); working != 0 {
		since = time.Unix(0, working)
	}
	if !since.IsZero() {
		s.Behind = time.Since(since)
		s.Lag = s.Behind
	}
	return s
}
