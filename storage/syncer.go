package storage

import (
	"sync"
	"sync/atomic"
	"time"

	"github.com/cockroachdb/pebble/v2"
)

// lazySyncInterval bounds what a power failure takes of commits without Sync, as PostgreSQL's
// wal_writer_delay does.
const lazySyncInterval = 200 * time.Millisecond

// syncer syncs the log some time after commits that did not wait for it. One goroutine, from start to stop;
// it sleeps while there is nothing to sync.
type syncer struct {
	dirty atomic.Bool
	wake  chan struct{}
	quit  chan struct{}
	done  sync.WaitGroup
}

func (s *syncer) start(p *pebble.DB, fatal func(string)) {
	s.wake, s.quit = make(chan struct{}, 1), make(chan struct{})
	s.done.Go(func() { s.run(p, fatal) })
}

// written says that the log holds something unsynced.
func (s *syncer) written() {
	if s.dirty.CompareAndSwap(false, true) {
		s.wake <- struct{}{} // capacity 1, taken before dirty is cleared: never blocks
	}
}

func (s *syncer) run(p *pebble.DB, fatal func(string)) {
	for {
		select {
		case <-s.quit:
			return
		case <-s.wake:
		}
		pause := time.NewTimer(lazySyncInterval)
		select {
		case <-s.quit:
			pause.Stop()
			return
		case <-pause.C:
		}
		s.dirty.Store(false) // before the sync: what is written from here on wakes us again
		if err := p.LogData(nil, pebble.Sync); err != nil {
			fatal("sync of the log failed: " + err.Error())
			return
		}
	}
}

// stop ends the goroutine. Pebble syncs the log itself when it is closed.
func (s *syncer) stop() {
	if s.quit == nil {
		return
	}
	close(s.quit)
	s.done.Wait()
}
