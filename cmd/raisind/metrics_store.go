package main

import (
	"github.com/prometheus/client_golang/prometheus"

	"raisind/session"
	"raisind/storage"
)

// storeMetrics reads, at each scrape, what store and executor count.
type storeMetrics struct {
	db     *storage.DB
	engine *session.Engine
	limit  int // of connections
}

func desc(name, help string, labels ...string) *prometheus.Desc {
	return prometheus.NewDesc("raisind_"+name, help, labels, nil)
}

// The figures of storeMetrics.
var (
	descConnections    = desc("connections", "Sessions there are.")
	descConnectionsMax = desc("connections_limit", "Sessions there may be.")

	descScans      = desc("spatial_scans_total", "Scans answered from the spatial index, by kind.", "kind")
	descRowScans   = desc("spatial_row_scans_total", "Scans of rows in place of the spatial index, by reason.", "reason")
	descVisited    = desc("spatial_keys_visited_total", "Keys that scans of the spatial index visited.")
	descSuperseded = desc("spatial_superseded_skipped_total", "Of the keys visited, versions that the scan could not jump over.")
	descCandidates = desc("spatial_candidates_total", "Rows that scans of the spatial index named.")

	descPruning        = desc("pruning_enabled", "1 when superseded entries are removed.")
	descPruneNominated = desc("pruning_groups_nominated_total", "Groups of versions that flushes and compactions nominated.")
	descPruneGroups    = desc("pruning_groups_read_total", "Groups of versions the pruner read.")
	descPruneRead      = desc("pruning_keys_read_total", "Keys the pruner read.")
	descPruned         = desc("pruning_keys_removed_total", "Keys the pruner removed.")
	descPrunedTombs    = desc("pruning_tombstones_removed_total", "Of the keys removed, known to be tombstones.")
	descPrunePasses    = desc("pruning_passes_total", "Passes of the pruner.")
	descPruneSweeps    = desc("pruning_sweeps_total", "Looks for what has aged at rest.")
	descPruneErrors    = desc("pruning_errors_total", "Passes that failed; each is in the log.")
	descPruneBusy      = desc("pruning_busy_seconds_total", "Time spent in passes.")
	descPruneWaiting   = desc("pruning_groups_waiting", "Groups nominated and not yet through.")
	descPruneBehind    = desc("pruning_behind_seconds", "How long the oldest of them has waited.")
	descPruneLag       = desc("pruning_lag_seconds", "From nomination to removal: of the oldest waiting, else of the last pass.")

	descDisk     = desc("store_disk_bytes", "Bytes of the store on disk, tables and log.")
	descMemtable = desc("store_memtable_bytes", "Bytes in memtables.")
	descLevel    = desc("store_level_bytes", "Bytes of tables, by level.", "level")
	descDebt     = desc("store_compaction_debt_bytes", "Bytes that compactions have before them.")
	descCompact  = desc("store_compactions_total", "Compactions.")
	descFlushes  = desc("store_flushes_total", "Flushes of memtables.")
	descHits     = desc("store_cache_hits_total", "Blocks found in the cache.")
	descMisses   = desc("store_cache_misses_total", "Blocks not found in the cache.")
	descHeadHits = desc("store_newest_hits_total", "Rows and keys found in the cache of newest versions.")
	descHeadMiss = desc("store_newest_misses_total", "Rows and keys not found in the cache of newest versions.")
	descStalls   = desc("store_write_stalls_total", "Times writers were stopped for compactions to catch up.")
	descBgErrors = desc("store_background_errors_total", "Flushes and compactions that failed and were tried again.")
	descCorrupt  = desc("store_corruptions_total", "Damaged tables met.")
)

// Describe implements prometheus.Collector.
func (s *storeMetrics) Describe(ch chan<- *prometheus.Desc) { prometheus.DescribeByCollect(s, ch) }

// Collect implements prometheus.Collector.
func (s *storeMetrics) Collect(ch chan<- prometheus.Metric) {
	gauge := func(d *prometheus.Desc, v float64, labels ...string) {
		ch <- prometheus.MustNewConstMetric(d, prometheus.GaugeValue, v, labels...)
	}
	total := func(d *prometheus.Desc, v float64, labels ...string) {
		ch <- prometheus.MustNewConstMetric(d, prometheus.CounterValue, v, labels...)
	}
	gauge(descConnections, float64(s.engine.Sessions()))
	gauge(descConnectionsMax, float64(s.limit))

	c := s.engine.Runtime().Counters()
	for kind, n := range c.IndexScans {
		total(descScans, float64(n), kind.String())
	}
	for reason, n := range c.RowScans {
		total(descRowScans, float64(n), reason.Name())
	}
	total(descVisited, float64(c.KeysVisited))
	total(descSuperseded, float64(c.SupersededSkipped))
	total(descCandidates, float64(c.Candidates))

	p := s.db.PruneStats()
	on := 0.0
	if p.Enabled {
		on = 1
	}
	gauge(descPruning, on)
	total(descPruneNominated, float64(p.Nominated))
	total(descPruneGroups, float64(p.Groups))
	total(descPruneRead, float64(p.KeysRead))
	total(descPruned, float64(p.Pruned))
	total(descPrunedTombs, float64(p.Tombstones))
	total(descPrunePasses, float64(p.Passes))
	total(descPruneSweeps, float64(p.Sweeps))
	total(descPruneErrors, float64(p.Errors))
	total(descPruneBusy, p.Busy.Seconds())
	gauge(descPruneWaiting, float64(p.Waiting))
	gauge(descPruneBehind, p.Behind.Seconds())
	gauge(descPruneLag, p.Lag.Seconds())

	m := s.db.Metrics()
	gauge(descDisk, float64(m.DiskSpaceUsage()))
	gauge(descMemtable, float64(m.MemTable.Size))
	for i := range m.Levels {
		gauge(descLevel, float64(m.Levels[i].TablesSize), string(rune('0'+i)))
	}
	gauge(descDebt, float64(m.Compact.EstimatedDebt))
	total(descCompact, float64(m.Compact.Count))
	total(descFlushes, float64(m.Flush.Count))
	total(descHits, float64(m.BlockCache.Hits))
	total(descMisses, float64(m.BlockCache.Misses))
	h := s.db.HeadCacheStats()
	total(descHeadHits, float64(h.Hits))
	total(descHeadMiss, float64(h.Misses))
	e := s.db.Events()
	total(descStalls, float64(e.WriteStalls))
	total(descBgErrors, float64(e.BackgroundErrors))
	total(descCorrupt, float64(e.Corruptions))
}
