package storage

import (
	"bytes"
	"context"
	"errors"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"raisind/storage/keys"
)

// sweepInterval is how often the pruner looks for tables at rest that hold something aged.
const sweepInterval = 10 * time.Minute

// maxNominated bounds the groups waiting for the pruner; what comes beyond widens one range to be walked.
const maxNominated = 64 << 10

// pruner removes versions that nobody reads any more, as decide says. Pebble has no filter of its own, so:
//
//  1. A pruneCollector at each table being written nominates groups.
//  2. One goroutine reads each group anew, decides, and deletes, all drops of a group in one batch: a
//     tombstone that went before what it hides would bring that back after a crash.
//  3. A sweep, at open, every sweepInterval and on demand, walks what lies at rest and has aged since.
//
// The goroutine runs from start to stop. It holds no lock while it reads, and no writer waits for it. What
// it decides on a state that is no longer the newest stays right, as superseded stays superseded.
//
// Deletions are SingleDeletes, which meet their Set in the first compaction both take part in. They need a
// key to be Set at most once in the life of the store. So it is: a commit has a revision of its own, writes
// a row once, and settles entries and unique keys to one per prefix; so does Reindex. A batch that fails
// or is lost in a crash takes all its keys with it, and relations purged do not come back under their id.
type pruner struct {
	db        *DB
	disabled  bool
	keep      int
	retention time.Duration // negative: NoRetention
	history   atomic.Pointer[HistoryRetention]

	// index is the revision from which on index entries are complete: views of history below it must not
	// read them. It moves while the registry is locked.
	index atomic.Int64

	mu        sync.Mutex
	nominated map[string]struct{}
	overflow  keyRange
	since     time.Time // of the oldest group waiting
	requests  []*pruneRequest
	sweepDue  bool
	stopped   bool

	// reading is held from reading groups to committing their drops; Purge holds it too, as a SingleDelete
	// after its range deletion would meet nothing.
	reading sync.Mutex

	wake    chan struct{}
	quit    context.Context
	cancel  context.CancelFunc
	done    sync.WaitGroup
	swept   map[sweptRange]Revision // of the goroutine
	counter pruneCounters
}

// HistoryRetention tells how long superseded versions of a relation's rows can be read; forever: always.
// It must be quick, safe for concurrent use, and must not call into the store.
type HistoryRetention func(RelationID) (d time.Duration, forever bool)

// keyRange is [lower, upper).
type keyRange struct{ lower, upper []byte }

// pruneRequest asks for what is nominated, then ranges, to be pruned now.
type pruneRequest struct {
	ctx    context.Context
	ranges []keyRange
	done   chan error // capacity 1
}

func (p *pruner) init(db *DB) {
	o := db.opts.Prune
	p.db, p.keep, p.retention = db, o.KeepRevisions, o.Retention
	p.disabled = o.Disabled || db.opts.ReadOnly
	p.nominated = map[string]struct{}{}
	p.swept = map[sweptRange]Revision{}
	p.wake = make(chan struct{}, 1)
	p.quit, p.cancel = context.WithCancel(context.Background())
}

// load reads how far the index has been pruned.
func (p *pruner) load() error {
	value, found, err := p.db.get(keys.Local{Kind: keys.IndexHorizon}.Append(nil))
	if err != nil || !found {
		return err
	}
	rev, err := keys.DecodeUint64(value)
	p.index.Store(int64(rev))
	return storeError(err)
}

func (p *pruner) start() {
	if p.disabled {
		return
	}
	p.sweepDue = true
	p.signal()
	p.done.Go(p.run)
}

// stop ends the goroutine and refuses what still waits.
func (p *pruner) stop() {
	p.mu.Lock()
	p.stopped = true
	p.mu.Unlock()
	p.cancel()
	p.done.Wait()
	for _, r := range p.requests {
		r.done <- ErrClosed
	}
}

// SetHistoryRetention gives the retention of rows. Until then superseded row versions are not pruned. A
// change of what fn answers counts from the next pruning on.
func (db *DB) SetHistoryRetention(fn HistoryRetention) {
	db.pruner.history.Store(&fn)
	db.pruner.requestSweep()
}

func (p *pruner) signal() {
	select {
	case p.wake <- struct{}{}:
	default: // it is about to look
	}
}

func (p *pruner) requestSweep() {
	p.mu.Lock()
	p.sweepDue = true
	p.mu.Unlock()
	p.signal()
}

// nominate hands groups, by prefix, to the pruner.
func (p *pruner) nominate(prefixes []string) {
	if len(prefixes) == 0 {
		return
	}
	p.mu.Lock()
	if p.since.IsZero() {
		p.since = time.Now()
	}
	for _, s := range prefixes {
		if len(p.nominated) < maxNominated {
			p.nominated[s] = struct{}{}
			continue
		}
		if _, ok := p.nominated[s]; !ok {
			p.overflow.add([]byte(s))
			p.counter.overflows.Add(1)
		}
	}
	p.mu.Unlock()
	p.counter.nominated.Add(uint64(len(prefixes)))
	p.signal()
}

// add widens r by the group of prefix.
func (r *keyRange) add(prefix []byte) {
	if r.lower == nil || bytes.Compare(prefix, r.lower) < 0 {
		r.lower = prefix
	}
	if after := keys.Comparer.ImmediateSuccessor(nil, prefix); bytes.Compare(after, r.upper) > 0 {
		r.upper = after
	}
}

// request has the pruner prune what is nominated, then ranges, and waits for it.
func (p *pruner) request(ctx context.Context, ranges []keyRange) error {
	r := &pruneRequest{ctx: ctx, ranges: ranges, done: make(chan error, 1)}
	p.mu.Lock()
	if p.stopped || p.disabled {
		p.mu.Unlock()
		return ErrClosed
	}
	p.requests = append(p.requests, r)
	p.mu.Unlock()
	p.signal()
	select {
	case err := <-r.done:
		return err
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}

func (p *pruner) run() {
	tick := time.NewTicker(sweepInterval)
	defer tick.Stop()
	for {
		select {
		case <-p.quit.Done():
			return
		case <-tick.C:
			p.requestSweep()
		case <-p.wake:
			p.work()
		}
	}
}

// work does what is due.
func (p *pruner) work() {
	p.mu.Lock()
	var groups map[string]struct{}
	overflow, since := p.overflow, p.since
	requests, sweep := p.requests, p.sweepDue
	p.overflow, p.since, p.requests, p.sweepDue = keyRange{}, time.Time{}, nil, false
	if len(p.nominated) > 0 {
		groups, p.nominated = p.nominated, map[string]struct{}{}
		p.counter.inWork.Store(int64(len(groups)))
	}
	p.mu.Unlock()

	began := time.Now()
	pass := &prunePass{p: p, ctx: p.quit}
	if len(groups) > 0 {
		p.counter.working.Store(since.UnixNano())
		list := make([]string, 0, len(groups))
		for s := range groups {
			list = append(list, s)
		}
		slices.Sort(list)
		p.report(pass.groups(list))
	}
	if overflow.lower != nil {
		_, err := pass.walk(overflow)
		p.report(err)
	}
	if !since.IsZero() {
		p.counter.working.Store(0)
		p.counter.inWork.Store(0)
		p.counter.lag.Store(int64(time.Since(since)))
	}
	if sweep {
		p.report(p.sweepTables(pass))
		p.counter.sweeps.Add(1)
	}
	for _, r := range requests {
		pass := &prunePass{p: p, ctx: r.ctx}
		var err error
		for _, rng := range r.ranges {
			if _, err = pass.walk(rng); err != nil {
				break
			}
		}
		r.done <- err
	}
	p.counter.passes.Add(1)
	p.counter.busy.Add(int64(time.Since(began)))
}

// report logs what stopped a pass. What was not reached is nominated again, or found by a sweep.
func (p *pruner) report(err error) {
	if err == nil || errors.Is(err, ErrClosed) || p.quit.Err() != nil {
		return
	}
	p.counter.errors.Add(1)
	p.db.opts.Logger.Error("pruning failed", "error", err)
}

// aged is the revision below which index entries have aged; 0: none have.
func (p *pruner) aged() Revision {
	if p.retention < 0 {
		return 0
	}
	return p.before(p.retention)
}

func (p *pruner) before(d time.Duration) Revision {
	return keys.RevisionAtMs(max(0, p.db.opts.Clock().UnixMilli()-d.Milliseconds()))
}

// historyCutoff returns the function from a relation to the revision at or before which superseded versions
// of its rows have aged, as of now; 0: none have.
func (p *pruner) historyCutoff() func(RelationID) Revision {
	retention := p.history.Load()
	if retention == nil {
		return func(RelationID) Revision { return 0 }
	}
	nowMs := p.db.opts.Clock().UnixMilli()
	return func(rel RelationID) Revision {
		d, forever := (*retention)(rel)
		if forever {
			return 0
		}
		return keys.RevisionAtMs(max(0, nowMs-d.Milliseconds()))
	}
}
