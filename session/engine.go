// Package session is one client's side of the server: its statements, portals,
// transaction status, settings and cancellation, with PostgreSQL's rules for each.
// It promises that what a client sees of these is what PostgreSQL would show. It
// knows no messages: what a session answers goes to a Client, which package wire
// implements.
package session

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"maps"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"raisind/catalog"
	"raisind/relation"
	"raisind/sql/ddl"
	"raisind/sql/exec"
	"raisind/sql/planner"
	"raisind/sql/syscat"
	"raisind/storage"
)

// Config says what an Engine works on. Zero fields get their defaults from EnsureDefaults.
type Config struct {
	// DB is the open store. It belongs to the caller and must outlive the engine.
	DB *storage.DB
	// Virtual holds relations the server makes up besides pg_catalog and its kin; may be nil.
	Virtual planner.VirtualCatalog
	// Databases are the names a client may connect to; default: raisin.
	Databases []string
	// MaxSessions bounds the clients served at once; default 100.
	MaxSessions int
	// StatementCacheEntries bounds the texts whose parse and plan are kept; default 2048.
	StatementCacheEntries int
	// MaxKeysPerCell is the scan budget of one cell of the spatial index, in keys; default 250,000.
	MaxKeysPerCell int
	// StatementMemoryBytes bounds what one statement's sorts, groups and joins hold; default 1 GiB.
	StatementMemoryBytes int64
	// TempDir is where statements put rows that work_mem has no room for; empty: the
	// system's directory of temporary files. What an earlier server left there is removed.
	TempDir string
	// Settings are run-time settings the server starts with, which sessions may change
	// where SQL allows it: port, data_directory, search_path, statement_timeout …
	Settings map[string]string
	// Events is told of what happens; may be nil.
	Events *Events
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
		c.StatementCacheEntries = 2048
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
	if c.DB == nil {
		errs = append(errs, errors.New("no store given"))
	}
	if c.MaxSessions < 1 {
		errs = append(errs, fmt.Errorf("max sessions must be positive, not %d", c.MaxSessions))
	}
	if c.StatementCacheEntries < 1 {
		errs = append(errs, fmt.Errorf("statement cache entries must be positive, not %d", c.StatementCacheEntries))
	}
	if c.MaxKeysPerCell < 0 {
		errs = append(errs, fmt.Errorf("max keys per cell must not be negative, but is %d", c.MaxKeysPerCell))
	}
	return errors.Join(errs...)
}

// Engine is what all sessions share. It is safe for concurrent use.
type Engine struct {
	cfg     Config
	cat     *catalog.Catalog
	indexer *relation.Indexer
	system  *syscat.Catalog
	runtime *exec.Runtime
	cache   *cache
	// fixed are the settings the server was started with, by lower-case name.
	fixed   map[string]string
	version string

	hub hub

	mu       sync.Mutex
	sessions map[int32]*Session
	lastPID  int32
	closed   bool

	// The sweeper is one goroutine that deletes what dropped relations left; Close ends it
	// and waits.
	sweep     chan struct{}
	stop      context.CancelFunc
	sweeperWG sync.WaitGroup
}

// NewEngine reads what the store holds; Close ends the engine.
func NewEngine(cfg Config) (*Engine, error) {
	cfg.EnsureDefaults()
	if err := cfg.Validate(); err != nil {
		return nil, err
	}
	e := &Engine{cfg: cfg, sessions: map[int32]*Session{}, system: syscat.New()}
	var err error
	if e.cat, err = catalog.Load(cfg.DB); err != nil {
		return nil, err
	}
	if e.indexer, err = relation.NewIndexer(cfg.DB, e.cat); err != nil {
		return nil, err
	}
	e.indexer.SetCompiler(ddl.CompileIndex)
	if e.cache, err = newCache(cfg.StatementCacheEntries); err != nil {
		return nil, err
	}
	cfg.DB.SetHistoryRetention(func(id storage.RelationID) (time.Duration, bool) {
		rel, ok := e.cat.Current().ByID(id)
		if !ok {
			return 0, true // dropped: purging deletes all of it
		}
		return rel.HistoryRetention()
	})
	e.runtime = &exec.Runtime{
		DB: cfg.DB, Catalog: e.cat, Indexer: e.indexer, MaxKeysPerCell: cfg.MaxKeysPerCell,
		MemoryBytes: cfg.StatementMemoryBytes, TempDir: cfg.TempDir, Logger: cfg.Logger,
	}
	if cfg.TempDir != "" {
		if err := exec.ClearTempDir(cfg.TempDir); err != nil {
			return nil, err
		}
	}
	e.version = fmt.Sprintf("PostgreSQL %s (raisind %s, %s %s, %s)", serverVersion, cfg.Version, runtime.GOOS, runtime.GOARCH, runtime.Version())
	e.fixed = map[string]string{"max_connections": strconv.Itoa(cfg.MaxSessions)}
	for name, value := range cfg.Settings {
		d := findSetting(name)
		if d == nil {
			return nil, unknownSetting(name)
		}
		if d.ctx == internalContext {
			return nil, d.mayChange(false)
		}
		if value, err = d.canonical(&Session{engine: e, settings: settings{fixed: e.fixed}}, value); err != nil {
			return nil, err
		}
		e.fixed[strings.ToLower(name)] = value
	}
	if err := e.indexer.ResumeRebuilds(); err != nil {
		e.indexer.Close()
		return nil, err
	}
	e.sweep = make(chan struct{}, 1)
	ctx, stop := context.WithCancel(context.Background())
	e.stop = stop
	e.sweeperWG.Go(func() { e.sweeper(ctx) })
	// A crash leaves what sessions kept for themselves.
	if err := e.dropSchemas(isTemporarySchema); err != nil {
		return nil, errors.Join(err, e.Close())
	}
	return e, nil
}

// sweepEvery is how often the sweeper looks for relations whose last reader has gone.
const sweepEvery = 30 * time.Second

func (e *Engine) sweeper(ctx context.Context) {
	tick := time.NewTicker(sweepEvery)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		case <-e.sweep:
		}
		if err := e.analyzeStale(ctx); err != nil && !errors.Is(err, storage.ErrClosed) && ctx.Err() == nil {
			e.cfg.Logger.Error("collecting statistics", "error", err)
		}
		if err := e.indexer.Purge(); err != nil && !errors.Is(err, storage.ErrClosed) {
			e.cfg.Logger.Error("deleting what dropped relations left", "error", err)
		}
	}
}

func (e *Engine) sweepSoon() {
	select {
	case e.sweep <- struct{}{}:
	default: // it is about to
	}
}

// Close ends the engine: no session begins any more, those there are become doomed. The
// store stays open; the caller closes it when the sessions have ended.
func (e *Engine) Close() error {
	e.mu.Lock()
	e.closed = true
	left := slices.Collect(maps.Values(e.sessions))
	e.mu.Unlock()
	for _, s := range left {
		s.Shutdown()
	}
	e.indexer.Close()
	e.stop()
	e.sweeperWG.Wait()
	return nil
}

// Runtime returns the executor's shared part, for counters and checks.
func (e *Engine) Runtime() *exec.Runtime { return e.runtime }

// Sessions returns how many sessions there are.
func (e *Engine) Sessions() int {
	e.mu.Lock()
	defer e.mu.Unlock()
	return len(e.sessions)
}
