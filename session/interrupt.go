package session

import (
	"context"
	"sync"
	"sync/atomic"
	"time"

	"raisind/pgerr"
)

// interrupts lets others end what a session is doing: a cancel request, a timeout, a
// lost client, the administrator. The session's own goroutine calls begin and end;
// the rest may be called by anyone.
type interrupts struct {
	mu sync.Mutex
	// ctx is what the session's work watches. It is kept from one message to the next
	// and made anew after it was cancelled.
	ctx    context.Context
	cancel context.CancelCauseFunc
	busy   bool
	// turn counts begins, so that a late timer does not hit the next message.
	turn uint64
	// doom, once set, ends the session after what it is doing now.
	doom  atomic.Pointer[pgerr.Error]
	timer *time.Timer
	// wake makes the session's goroutine look at doom, and at its context, when it waits
	// for its client.
	wake func()
}

// begin starts the handling of one message under parent. timeout is statement_timeout, 0 for none.
func (i *interrupts) begin(parent context.Context, timeout time.Duration) context.Context {
	i.mu.Lock()
	defer i.mu.Unlock()
	if i.ctx == nil || i.ctx.Err() != nil {
		i.ctx, i.cancel = context.WithCancelCause(parent)
	}
	i.turn++
	i.busy = true
	if d := i.doom.Load(); d != nil {
		i.cancel(d)
	}
	if timeout > 0 {
		turn := i.turn
		i.timer = time.AfterFunc(timeout, func() { i.timeout(turn) })
	}
	return i.ctx
}

// end follows begin when the message has been handled.
func (i *interrupts) end() {
	i.mu.Lock()
	defer i.mu.Unlock()
	i.busy = false
	if i.timer != nil {
		i.timer.Stop()
		i.timer = nil
	}
}

func (i *interrupts) timeout(turn uint64) {
	i.interrupt(turn, pgerr.New(pgerr.QueryCanceled, "canceling statement due to statement timeout"))
}

// cancelStatement ends what is running, if anything is.
func (i *interrupts) cancelStatement() {
	i.interrupt(0, pgerr.New(pgerr.QueryCanceled, "canceling statement due to user request"))
}

// interrupt cancels the message in hand, if there is one and it is the given turn; 0 is any.
func (i *interrupts) interrupt(turn uint64, why *pgerr.Error) {
	i.mu.Lock()
	hit := i.busy && (turn == 0 || turn == i.turn)
	if hit {
		i.cancel(why)
	}
	i.mu.Unlock()
	if hit {
		i.knock() // it may wait for COPY data
	}
}

// knock makes the session's goroutine look around when it waits for its client.
func (i *interrupts) knock() {
	i.mu.Lock()
	wake := i.wake
	i.mu.Unlock()
	if wake != nil {
		wake()
	}
}

// terminate ends the session, now.
func (i *interrupts) terminate(why *pgerr.Error) {
	i.mu.Lock()
	i.doom.CompareAndSwap(nil, why)
	if i.busy {
		i.cancel(i.doom.Load())
	}
	i.mu.Unlock()
	i.knock()
}

// doomed returns why the session must end, or nil.
func (i *interrupts) doomed() *pgerr.Error { return i.doom.Load() }

// close gives the context back.
func (i *interrupts) close() {
	i.mu.Lock()
	defer i.mu.Unlock()
	if i.cancel != nil {
		i.cancel(context.Canceled)
	}
	i.wake = nil
}
