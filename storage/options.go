package storage

import (
	"errors"
	"fmt"
	"log/slog"
	"os"
	"time"

	"github.com/cockroachdb/pebble/v2/vfs"
)

// Options open a store.
type Options struct {
	Dir string // directory of the store, ours alone; made when missing
	FS  vfs.FS // nil: the disk

	CacheBytes    int64 // half for blocks, half for newest versions of rows and unique keys; default 256 MiB
	MemTableBytes int64 // size of one memtable, of which up to four exist; default 64 MiB

	Prune PruneOptions // how much of the past index entries keep

	// ReadOnly refuses writes and changes no file but the lock.
	ReadOnly bool

	Clock  func() time.Time // time of commits; default time.Now. May step back, revisions do not.
	Logger *slog.Logger     // default: nothing is logged. Pebble's own lines come at debug level.

	// Fatal is called with a text when the disk failed in a way that leaves the store unusable; it must not
	// return. Default: write the text to the log and standard error, end the process with status 1.
	Fatal func(msg string)
}

const (
	defaultCacheBytes    = 256 << 20
	defaultMemTableBytes = 64 << 20
	headCacheShare       = 2 // one part in so many of CacheBytes
	minMemTableBytes     = 64 << 10
	maxMemTableBytes     = 2 << 30 // Pebble holds memtables below 4 GiB; two thirds of that is plenty
)

// EnsureDefaults fills the fields left zero.
func (o *Options) EnsureDefaults() {
	if o.FS == nil {
		o.FS = vfs.Default
	}
	if o.CacheBytes == 0 {
		o.CacheBytes = defaultCacheBytes
	}
	if o.MemTableBytes == 0 {
		o.MemTableBytes = defaultMemTableBytes
	}
	o.Prune.ensureDefaults()
	if o.Clock == nil {
		o.Clock = time.Now
	}
	if o.Logger == nil {
		o.Logger = slog.New(slog.DiscardHandler)
	}
	if o.Fatal == nil {
		log := o.Logger
		o.Fatal = func(msg string) {
			log.Error("store failed", "error", msg)
			fmt.Fprintln(os.Stderr, "raisind: store failed:", msg)
			os.Exit(1)
		}
	}
}

// Validate lists every fault of the options.
func (o *Options) Validate() error {
	var faults []error
	if o.Dir == "" {
		faults = append(faults, errors.New("storage: Dir is empty"))
	}
	if o.CacheBytes < 0 {
		faults = append(faults, fmt.Errorf("storage: CacheBytes %d is negative", o.CacheBytes))
	}
	if o.MemTableBytes < minMemTableBytes || o.MemTableBytes > maxMemTableBytes {
		faults = append(faults, fmt.Errorf("storage: MemTableBytes %d is outside %d to %d",
			o.MemTableBytes, minMemTableBytes, maxMemTableBytes))
	}
	return errors.Join(faults...)
}
