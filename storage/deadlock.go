package storage

import (
	"slices"
	"sync"
)

// waitGraph finds deadlocks when somebody starts to wait. Its mutex orders all beginnings of waits, so the
// last of a circle sees it; it is taken before a shard's, and only by those who wait.
type waitGraph struct {
	mu sync.Mutex
}

// begin notes that w's owner waits and reports whether this closes a circle.
func (g *waitGraph) begin(w *waiter) (deadlock bool) {
	g.mu.Lock()
	defer g.mu.Unlock()
	w.owner.waiting = w
	s := search{start: w.owner, next: []*waiter{w}}
	for len(s.next) > 0 && !s.circle {
		w := s.next[len(s.next)-1]
		s.next = s.next[:len(s.next)-1]
		s.follow(w)
	}
	return s.circle
}

func (g *waitGraph) end(w *waiter) {
	g.mu.Lock()
	w.owner.waiting = nil
	g.mu.Unlock()
}

// search follows who waits for whom. What one step finds cannot change before the search ends: a waiting
// owner gives nothing back, and no other starts to wait. Only one that gives up waiting at this very moment
// can make the answer a needless yes.
type search struct {
	start  *Owner
	next   []*waiter
	seen   map[*waiter]struct{}
	circle bool
}

// follow looks at whom w waits for: conflicting holders, and conflicting waiters served before it. Of those
// waiters the ones in w's own mode wait for nobody w does not wait for, so they are not followed, and a
// long queue for one row is looked through once.
func (s *search) follow(w *waiter) {
	l := w.lock
	l.shard.mu.Lock()
	defer l.shard.mu.Unlock()
	at := slices.Index(l.queue, w)
	if at < 0 { // granted meanwhile
		return
	}
	against := conflicts[l.id.kind][w.mode]
	for i := range l.holders {
		if h := &l.holders[i]; h.owner != w.owner && h.modes&against != 0 {
			s.found(h.owner, h.owner.waiting)
		}
	}
	for _, before := range l.queue[:at] {
		switch {
		case against&(1<<before.mode) == 0:
		case before.mode == w.mode:
			s.found(before.owner, nil)
		default:
			s.found(before.owner, before)
		}
	}
}

func (s *search) found(o *Owner, waits *waiter) {
	if o == s.start {
		s.circle = true
	}
	if waits == nil {
		return
	}
	if _, again := s.seen[waits]; again {
		return
	}
	if s.seen == nil {
		s.seen = map[*waiter]struct{}{}
	}
	s.seen[waits] = struct{}{}
	s.next = append(s.next, waits)
}
