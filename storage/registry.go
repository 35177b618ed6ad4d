package storage

import "sync"

// pin keeps what one revision needs from being pruned, and the store from being closed.
type pin struct {
	rev        Revision
	prev, next *pin
}

// registry holds the open pins, oldest first, and counts calls that must end before the store closes.
// Pins come in almost sorted: views read the newest revision, history is the exception.
type registry struct {
	mu     sync.Mutex
	idle   sync.Cond // signalled when nothing is open any more
	oldest pin       // head of the ring: oldest.next is the oldest pin
	open   int       // pins and running calls
	closed bool
}

func (r *registry) init() {
	r.idle.L = &r.mu
	r.oldest.prev, r.oldest.next = &r.oldest, &r.oldest
}

// pin registers p at the revision that choose returns while nothing can be pruned; false: closed.
func (r *registry) pin(p *pin, choose func() Revision) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.closed {
		return false
	}
	r.link(p, choose())
	return true
}

// link needs mu.
func (r *registry) link(p *pin, rev Revision) {
	p.rev = rev
	after := r.oldest.prev
	for after != &r.oldest && after.rev > rev {
		after = after.prev
	}
	p.prev, p.next = after, after.next
	after.next.prev = p
	after.next = p
	r.open++
}

func (r *registry) unpin(p *pin) {
	r.mu.Lock()
	p.prev.next, p.next.prev = p.next, p.prev
	p.prev, p.next = nil, nil
	r.leaveLocked()
	r.mu.Unlock()
}

// enter starts a call that needs the store open; false: closed.
func (r *registry) enter() bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.closed {
		return false
	}
	r.open++
	return true
}

func (r *registry) leave() {
	r.mu.Lock()
	r.leaveLocked()
	r.mu.Unlock()
}

func (r *registry) leaveLocked() {
	r.open--
	if r.open == 0 && r.closed {
		r.idle.Broadcast()
	}
}

// oldestOr returns the oldest pinned revision, or other when nothing is pinned. Needs mu.
func (r *registry) oldestOr(other Revision) Revision {
	if p := r.oldest.next; p != &r.oldest && p.rev < other {
		return p.rev
	}
	return other
}

// close refuses new pins and calls and waits for the open ones; false: closed before.
func (r *registry) close() bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.closed {
		return false
	}
	r.closed = true
	for r.open > 0 {
		r.idle.Wait()
	}
	return true
}
