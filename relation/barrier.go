package relation

import (
	"context"
	"sync"
	"sync/atomic"
	"time"

	"raisind/storage"
)

// inFlight counts commits that derive entries, in two generations, so that a rebuild
// can wait for those that began under the state before it without stopping new ones.
type inFlight struct {
	mu         sync.Mutex // one barrier at a time
	generation atomic.Uint64
	running    [2]atomic.Int64
}

// enter counts a commit until the returned function is called.
func (f *inFlight) enter() func() {
	for {
		g := f.generation.Load()
		n := &f.running[g&1]
		n.Add(1)
		if f.generation.Load() == g {
			return func() { n.Add(-1) }
		}
		n.Add(-1) // a barrier passed in between and may not have seen us
	}
}

// barrierPoll is how often a barrier looks whether the commits before it have ended.
const barrierPoll = time.Millisecond

// barrier returns when every commit that had entered has ended.
func (f *inFlight) barrier(ctx context.Context) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	g := f.generation.Load()
	// A barrier that was given up may have left commits in the other generation.
	if err := f.drained(ctx, (g+1)&1); err != nil {
		return err
	}
	f.generation.Store(g + 1)
	return f.drained(ctx, g&1)
}

func (f *inFlight) drained(ctx context.Context, i uint64) error {
	if f.running[i].Load() == 0 {
		return nil
	}
	tick := time.NewTicker(barrierPoll)
	defer tick.Stop()
	for f.running[i].Load() != 0 {
		select {
		case <-ctx.Done():
			return context.Cause(ctx)
		case <-tick.C:
		}
	}
	return nil
}

// Committing returns the deriver for one commit, and what to call when the commit has
// ended, either way. A rebuild waits for commits that derive under an earlier state;
// it does not know of those that use Deriver.
func (ix *Indexer) Committing(cat Relations) (d storage.Deriver, ended func()) {
	ended = ix.commits.enter()
	return ix.Deriver(cat), ended
}
