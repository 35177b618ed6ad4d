package storage

import (
	"context"
	"fmt"
	"log/slog"
	"runtime"
	"sync/atomic"

	"github.com/cockroachdb/pebble/v2"
	"github.com/cockroachdb/pebble/v2/bloom"

	"raisind/storage/keys"
)

// pebbleOptions are the settings of the store; where a number needs a reason it is a measured one.
func pebbleOptions(o *Options, events *events, lock *pebble.Lock, pruner *pruner) *pebble.Options {
	log := pebbleLogger{log: o.Logger, fatal: o.Fatal}
	p := &pebble.Options{
		FS:                 o.FS,
		Lock:               lock,
		ReadOnly:           o.ReadOnly,
		Comparer:           keys.Comparer,
		FormatMajorVersion: pebble.FormatValueSeparation, // the default is old: no columnar blocks
		CacheSize:          o.CacheBytes - o.CacheBytes/headCacheShare,

		// Large memtables absorb overwrites before they cost a compaction: 1205, 1032, 722 bytes an update
		// at 4, 16, 64 MiB. NextPrefix keeps reads independent of what piles up in them.
		MemTableSize:                uint64(o.MemTableBytes),
		MemTableStopWritesThreshold: 4,
		L0CompactionThreshold:       4, // more sublevels cost fetches up to 2.7 times
		L0StopWritesThreshold:       24,
		CompactionConcurrencyRange:  func() (int, int) { return 1, max(2, runtime.GOMAXPROCS(0)/2) },

		Logger:        log,
		EventListener: events.listener(log),
	}
	p.ApplyCompressionSettings(func() pebble.DBCompressionSettings { return pebble.DBCompressionBalanced })
	for i := range p.Levels {
		p.Levels[i].BlockSize = 32 << 10                  // against 8 KiB: scans 15 % slower, fetches 35 % faster, disk 4 % less
		p.Levels[i].FilterPolicy = bloom.FilterPolicy(10) // bits a key, on the prefix
	}
	if !pruner.disabled {
		p.BlockPropertyCollectors = []func() pebble.BlockPropertyCollector{pruner.newCollector}
	}
	p.Experimental.SpanPolicyFunc = spanPolicy
	return p
}

// spanPolicy keeps the small values of the index families beside their keys. By default the values of all
// but the newest version go to blocks of their own, which for 9 and 16 bytes costs more than it saves.
func spanPolicy(start []byte) (pebble.SpanPolicy, []byte, error) {
	indexes := []byte{keys.UniqueFamily}
	if len(start) == 0 || start[0] < keys.UniqueFamily {
		return pebble.SpanPolicy{}, indexes, nil
	}
	return pebble.SpanPolicy{
		DisableValueSeparationBySuffix: true,
		ValueStoragePolicy:             pebble.ValueStorageLowReadLatency,
	}, nil, nil
}

// Events counts rare happenings since the store was opened.
type Events struct {
	WriteStalls      uint64 // times Pebble stopped writers to catch up
	BackgroundErrors uint64 // failed flushes and compactions, retried by Pebble
	Corruptions      uint64 // damaged tables met
	DisksSlow        uint64
	APIMisuses       uint64 // deletions Pebble found suspicious; always a bug of this package
}

// events is the EventListener that counts.
type events struct {
	stalls, background, corruption, slow, misuse atomic.Uint64
}

func (e *events) listener(log pebbleLogger) *pebble.EventListener {
	counts := pebble.EventListener{
		WriteStallBegin: func(pebble.WriteStallBeginInfo) { e.stalls.Add(1) },
		BackgroundError: func(err error) {
			e.background.Add(1)
			log.log.Error("background work of the store failed", "error", err)
		},
		DataCorruption: func(info pebble.DataCorruptionInfo) {
			e.corruption.Add(1)
			log.log.Error("corrupt table", "path", info.Path, "error", info.Details)
		},
		DiskSlow: func(pebble.DiskSlowInfo) { e.slow.Add(1) },
		PossibleAPIMisuse: func(info pebble.PossibleAPIMisuseInfo) {
			e.misuse.Add(1)
			log.log.Error("suspicious deletion in the store", "kind", fmt.Sprint(info.Kind), "key", keys.String(info.UserKey))
		},
	}
	lines := pebble.MakeLoggingEventListener(log)
	lines.BackgroundError = func(error) {}
	lines.DataCorruption = func(pebble.DataCorruptionInfo) {}
	lines.PossibleAPIMisuse = func(pebble.PossibleAPIMisuseInfo) {}
	tee := pebble.TeeEventListener(counts, lines)
	return &tee
}

func (e *events) snapshot() Events {
	return Events{
		WriteStalls: e.stalls.Load(), BackgroundErrors: e.background.Load(), Corruptions: e.corruption.Load(),
		DisksSlow: e.slow.Load(), APIMisuses: e.misuse.Load(),
	}
}

// pebbleLogger passes Pebble's lines on at debug level, its errors at error level.
type pebbleLogger struct {
	log   *slog.Logger
	fatal func(string)
}

// Infof implements pebble.Logger.
func (l pebbleLogger) Infof(format string, args ...any) {
	if l.log.Enabled(context.Background(), slog.LevelDebug) {
		l.log.Debug("pebble: " + fmt.Sprintf(format, args...))
	}
}

// Errorf implements pebble.Logger.
func (l pebbleLogger) Errorf(format string, args ...any) {
	l.log.Error("pebble: " + fmt.Sprintf(format, args...))
}

// Fatalf implements pebble.Logger; it does not return.
func (l pebbleLogger) Fatalf(format string, args ...any) {
	l.fatal(fmt.Sprintf(format, args...))
	panic("storage: Options.Fatal returned") // Pebble goes on as if the disk had not failed otherwise
}
