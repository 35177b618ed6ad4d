// Package session is one client's side of the server: its statements, portals,
// transaction status, settings and cancellation, with PostgreSQL's rules for each.
// It promises that what a client sees of these is what PostgreSQL would show. It
// knows no messages: what a session answers goes to a Client, which package wire
// implements.
package session

import (
	"errors"
	"fmt"
	"log/slog"
	"time"
)

// Config says what an Engine works on. Zero fields get their defaults from EnsureDefaults.
type Config struct {
	// Databases are the names a client may connect to; default: raisin.
	Databases []string
	// MaxSessions bounds the clients served at once; default 100.
	MaxSessions int
	// StatementCacheEntries bounds the texts whose parse and plan are kept; default 4096.
	StatementCacheEntries int
	// Version is the program's own version, shown by version(); default 0.1.0.
	Version string
	// Clock gives the wall time; default time.Now.
	Clock func() time.Time
	// Logger receives what an operator should know; default slog.Default().
	Logger *slog.Logger
}

// EnsureDefaults fills fields that were left zero.
func (c *Config) EnsureDefaults() {
	if len(c.Databases) == 0 {
		c.Databases = []string{"raisin"}
	}
	if c.MaxSessions == 0 {
		c.MaxSessions = 100
	}
	if c.StatementCacheEntries == 0 {
		c.StatementCacheEntries = 4096
	}
	if c.Version == "" {
		c.Version = "0.1.0"
	}
	if c.Clock == nil {
		c.Clock = time.Now
	}
	if c.Logger == nil {
		c.Logger = slog.Default()
	}
}

// Validate lists every fault of the configuration.
func (c *Config) Validate() error {
	var errs []error
	if c.MaxSessions < 1 {
		errs = append(errs, fmt.Errorf("max sessions must be positive, not %d", c.MaxSessions))
	}
	if c.StatementCacheEntries < 1 {
		errs = append(errs, fmt.Errorf("statement cache entries must be positive, not %d", c.StatementCacheEntries))
	}
	return errors.Join(errs...)
}

// Engine is what all sessions share. It is safe for concurrent use.
type Engine struct {
	cfg Config
}

// NewEngine starts an engine; Close ends it.
func NewEngine(cfg Config) (*Engine, error) {
	cfg.EnsureDefaults()
	if err := cfg.Validate(); err != nil {
		return nil, err
	}
	return &Engine{cfg: cfg}, nil
}

// Close ends the engine. Its sessions must be closed before; the store stays open.
func (e *Engine) Close() error { return nil }
