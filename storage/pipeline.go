package storage

import (
	"sync"
	"sync/atomic"

	"raisind/storage/keys"
)

// maxInFlight is how many commits may lie between getting their revision and becoming visible. It is also
// the number of revision slots on disk.
const maxInFlight = 64

// pipeline gives commits their revision and makes them visible in its order, while their batches are
// applied side by side:
//
//  1. assign: under mu the commit takes the next revision and the tail of the ring.
//  2. The commit stamps and applies its batch, without mu.
//  3. finish: under mu it marks itself applied; whoever finds the head of the ring applied takes it off,
//     runs its OnApply and moves the visible revision. Then each waits until its own turn has come.
type pipeline struct {
	db   *DB
	mu   sync.Mutex
	room sync.Cond // signalled when the ring was full
	last Revision  // newest assigned
	ring [maxInFlight]*inFlight
	head int // oldest
	n    int
}

// inFlight is one commit in the pipeline; its fields below slot need the pipeline's mu.
type inFlight struct {
	rev     Revision
	slot    int // place in the ring
	onApply func(Revision)
	applied bool
	failed  bool
	visible chan struct{} // closed when taken off; made only when the commit has to wait
	first   chan struct{} // closed when at the head; made only when the commit waits for that
}

// objectID names a relation or an index.
type objectID struct {
	index bool
	id    uint32
}

func (p *pipeline) init(db *DB) {
	p.db = db
	p.room.L = &p.mu
}

// assign puts c into the ring under the next revision and marks what it changes as changed. check runs
// first, when no other commit can get a revision; its error keeps c out.
func (p *pipeline) assign(c *inFlight, changes []objectID, check func() error) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	for p.n == maxInFlight {
		p.room.Wait()
	}
	if check != nil {
		if err := check(); err != nil {
			return err
		}
	}
	p.last = max(p.last+1, keys.RevisionAtMs(p.db.opts.Clock().UnixMilli()))
	c.rev = p.last
	c.slot = (p.head + p.n) % maxInFlight
	p.ring[c.slot] = c
	p.n++
	for _, id := range changes {
		p.db.changes.mark(id, c.rev)
	}
	return nil
}

// waitFirst returns when all commits before c are visible.
func (p *pipeline) waitFirst(c *inFlight) {
	p.mu.Lock()
	if p.ring[p.head] == c {
		p.mu.Unlock()
		return
	}
	first := make(chan struct{})
	c.first = first
	p.mu.Unlock()
	<-first
}

// finish marks c applied, or failed when nothing of it was written, and returns when it is visible.
func (p *pipeline) finish(c *inFlight, failed bool) {
	p.mu.Lock()
	c.applied, c.failed = true, failed
	wasFull := p.n == maxInFlight
	for p.n > 0 && p.ring[p.head].applied {
		p.takeHead()
	}
	if wasFull && p.n < maxInFlight {
		p.room.Broadcast()
	}
	if p.n > 0 && p.ring[c.slot] == c {
		visible := make(chan struct{})
		c.visible = visible
		p.mu.Unlock()
		<-visible
		return
	}
	p.mu.Unlock()
}

// takeHead makes the oldest commit visible. Needs mu.
func (p *pipeline) takeHead() {
	c := p.ring[p.head]
	p.ring[p.head] = nil
	p.head = (p.head + 1) % maxInFlight
	p.n--
	if !c.failed {
		if c.onApply != nil {
			c.onApply(c.rev)
		}
		p.db.visible.Store(int64(c.rev))
	}
	if c.visible != nil {
		close(c.visible)
	}
	if next := p.ring[p.head]; p.n > 0 && next.first != nil {
		close(next.first)
		next.first = nil
	}
}

// changes holds the newest revision assigned to a commit that changed a relation or an index. What is not
// in it has not been changed since the store was opened.
type changes struct {
	mu     sync.RWMutex
	newest map[objectID]*atomic.Int64
}

func (c *changes) entry(id objectID) *atomic.Int64 {
	c.mu.RLock()
	defer c.mu.RUnlock()
	return c.newest[id]
}

// mark notes that a commit with revision rev changes id. Called in the order of revisions.
func (c *changes) mark(id objectID, rev Revision) {
	e := c.entry(id)
	if e == nil {
		e = new(atomic.Int64)
		c.mu.Lock()
		c.newest[id] = e
		c.mu.Unlock()
	}
	e.Store(int64(rev))
}

// after tells whether a commit newer than rev changed id, or is about to.
func (c *changes) after(id objectID, rev Revision) bool {
	e := c.entry(id)
	return e != nil && e.Load() > int64(rev)
}

// lastRevision recovers the newest revision on disk. Each commit writes its revision under its slot, the
// place in the ring. Commits reach the log in any order, so one record would not do; but a slot is used again
// only after the commit that had it is in the log, so the newest slot holds the newest revision.
func (db *DB) lastRevision() (last Revision, err error) {
	err = db.scanLocal(keys.Local{Kind: keys.RevisionSlot}, func(_, value []byte) error {
		rev, err := keys.DecodeUint64(value)
		if err != nil {
			return storeError(err)
		}
		last = max(last, Revision(rev))
		return nil
	})
	return last, err
}
