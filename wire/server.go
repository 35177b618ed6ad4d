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
// is gone. While it drains, it still hears cancel requests. It closes ln.
func (s *Server) Serve(ctx context.Context, ln net.Listener) error {
	// Clients outlive ctx while they are drained.
	work, stop := context.WithCancel(context.WithoutCancel(ctx))
	defer stop()
	var clients, helpers sync.WaitGroup
	helpers.Go(func() { s.watch(work) })
	accepted := make(chan error, 1)
	go func() { accepted <- s.accept(work, ln, &clients) }()

	var err error
	running := true
	select {
	case <-ctx.Done():
	case err = <-accepted: // the listener failed, or somebody else closed it
		running = false
	}
	s.draining.Store(true)
	s.each((*conn).wake)
	empty := s.waitEmpty(s.cfg.DrainTimeout)
	ln.Close() // an error leaves nothing to do: Accept has failed already
	if running {
		<-accepted // it fails because of Close
	}
	if !empty {
		s.each((*conn).shutdown)
		s.waitEmpty(hangUpAfter)
	}
	s.each(func(c *conn) { c.nc.Close() })
	clients.Wait()
	stop()
	helpers.Wait()
	return err
}

// accept starts a goroutine for each client, until the listener fails.
func (s *Server) accept(work context.Context, ln net.Listener, clients *sync.WaitGroup) error {
	for delay := time.Duration(0); ; {
		nc, err := ln.Accept()
		if errors.Is(err, net.ErrClosed) {
			return err
		}
		if err != nil { // out of file descriptors, for one: it passes
			delay = min(max(2*delay, minAcceptDelay), maxAcceptDelay)
			s.cfg.Logger.Warn("accepting a client", "error", err, "retry_in", delay)
			time.Sleep(delay)
			continue
		}
		delay = 0
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
	// lookEvery is how often a server that shuts down looks whether clients are left.
	lookEvery = 5 * time.Millisecond
	// hangUpAfter is how long a terminated client has to take the news.
	hangUpAfter = 3 * time.Second
)

// waitEmpty waits until there are no clients, for d at most.
func (s *Server) waitEmpty(d time.Duration) bool {
	look := time.NewTicker(lookEvery)
	defer look.Stop()
	for end := time.Now().Add(d); ; {
		s.mu.Lock()
		n := len(s.conns)
		s.mu.Unlock()
		if n == 0 {
			return true
		}
		if time.Now().After(end) {
			return false
		}
		<-look.C
	}
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
