// Package wire speaks PostgreSQL's protocol, version 3: it reads messages, hands
// them to a session and writes what the session answers. It promises that a broken
// or hostile client ends only itself. It knows no SQL.
package wire

import (
	"context"
	"errors"
	"log/slog"
	"net"
	"sync"
	"sync/atomic"
	"time"

	"raisind/session"
)

// Config says how a Server treats its clients. Zero fields get their defaults from EnsureDefaults.
type Config struct {
	// MaxMessageBytes bounds one message of a client; default 1 GiB less one, as PostgreSQL.
	MaxMessageBytes int
	// StartupTimeout bounds the time from connecting to being let in; default 1 minute.
	StartupTimeout time.Duration
	// DrainTimeout is how long running statements may go on at shutdown; default 10 s.
	DrainTimeout time.Duration
	// Logger receives lost clients and recovered panics; default slog.Default().
	Logger *slog.Logger
}

// EnsureDefaults fills fields that were left zero.
func (c *Config) EnsureDefaults() {
	if c.MaxMessageBytes == 0 {
		c.MaxMessageBytes = 1<<30 - 1
	}
	if c.StartupTimeout == 0 {
		c.StartupTimeout = time.Minute
	}
	if c.DrainTimeout == 0 {
		c.DrainTimeout = 10 * time.Second
	}
	if c.Logger == nil {
		c.Logger = slog.Default()
	}
}

// Server serves clients over TCP. Serve may be called once for each listener, all with
// the same lifetime.
type Server struct {
	engine *session.Engine
	cfg    Config

	draining atomic.Bool
	mu       sync.Mutex
	conns    map[*conn]struct{}
}

// NewServer makes a server for the sessions of engine.
func NewServer(engine *session.Engine, cfg Config) *Server {
	cfg.EnsureDefaults()
	return &Server{engine: engine, cfg: cfg, conns: map[*conn]struct{}{}}
}

// Serve accepts clients on ln until ctx is done, then lets running statements end for as
// long as the drain timeout allows, tells clients at rest 57P01 and returns when the last
// is gone. It closes ln.
func (s *Server) Serve(ctx context.Context, ln net.Listener) error {
	// Clients outlive ctx while they are drained.
	work, stop := context.WithCancel(context.WithoutCancel(ctx))
	var clients, helpers sync.WaitGroup
	helpers.Go(func() { s.watch(work) })
	unhook := context.AfterFunc(ctx, func() { ln.Close() }) // an error has nobody to hear it; Accept fails
	err := s.accept(ctx, work, ln, &clients)
	unhook()
	ln.Close()
	s.drain(&clients)
	stop()
	helpers.Wait()
	return err
}

// accept starts a goroutine for each client, until ctx is done or the listener fails.
func (s *Server) accept(ctx, work context.Context, ln net.Listener, clients *sync.WaitGroup) error {
	for delay := time.Duration(0); ; {
		nc, err := ln.Accept()
		switch {
		case err == nil:
			delay = 0
		case ctx.Err() != nil:
			return nil
		case errors.Is(err, net.ErrClosed):
			return err
		default: // out of file descriptors, for one: it passes
			delay = min(max(2*delay, minAcceptDelay), maxAcceptDelay)
			s.cfg.Logger.Warn("accepting a client", "error", err, "retry_in", delay)
			select {
			case <-time.After(delay):
			case <-ctx.Done():
				return nil
			}
			continue
		}
		c := newConn(s, nc)
		s.mu.Lock()
		s.conns[c] = struct{}{}
		s.mu.Unlock()
		clients.Go(func() {
			c.run(work)
			s.mu.Lock()
			delete(s.conns, c)
			s.mu.Unlock()
		})
	}
}

const (
	minAcceptDelay = 5 * time.Millisecond
	maxAcceptDelay = time.Second
	// watchEvery is how often the server looks for clients that left in mid-statement.
	watchEvery = 250 * time.Millisecond
	// hangUpAfter is how long a terminated client has to take the news.
	hangUpAfter = 3 * time.Second
)

// drain ends what is left: clients at rest at once, the others when their message has
// been answered, all of them when the drain timeout has passed.
func (s *Server) drain(clients *sync.WaitGroup) {
	s.draining.Store(true)
	s.each(func(c *conn) { c.wake() })
	gone := make(chan struct{})
	go func() { clients.Wait(); close(gone) }()
	wait := func(d time.Duration) bool {
		t := time.NewTimer(d)
		defer t.Stop()
		select {
		case <-gone:
			return true
		case <-t.C:
			return false
		}
	}
	if wait(s.cfg.DrainTimeout) {
		return
	}
	s.each(func(c *conn) {
		if sess := c.session.Load(); sess != nil {
			sess.Shutdown()
		}
	})
	if wait(hangUpAfter) {
		return
	}
	s.each(func(c *conn) { c.nc.Close() })
	<-gone
}

// each calls fn for the clients there are.
func (s *Server) each(fn func(*conn)) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for c := range s.conns {
		fn(c)
	}
}

// watch cancels the work of clients that left while it ran. A client is looked at when it
// has been on one message since the watch last came by.
func (s *Server) watch(ctx context.Context) {
	tick := time.NewTicker(watchEvery)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
		s.each(func(c *conn) {
			turn := c.turn.Load()
			sess := c.session.Load()
			if turn%2 == 1 && turn == c.watched && sess != nil && gone(c.nc) {
				sess.Lost()
			}
			c.watched = turn
		})
	}
}
