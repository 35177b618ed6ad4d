package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"os"
	"path/filepath"
	"time"

	"raisind/session"
	"raisind/storage"
	"raisind/wire"
)

// serving are the flags that every serving command has.
type serving struct {
	Listen         string        `help:"Host and port to listen on; loopback addresses only." default:"127.0.0.1:5432" env:"RAISIN_LISTEN"`
	MaxConnections int           `help:"Clients served at once." default:"100" env:"RAISIN_MAX_CONNECTIONS"`
	CacheMiB       int64         `name:"cache-mib" help:"Caches, MiB: half for blocks, half for newest versions of rows." default:"256" env:"RAISIN_CACHE_MIB"`
	MemtableMiB    int64         `name:"memtable-mib" help:"One memtable, MiB; up to four exist." default:"64" env:"RAISIN_MEMTABLE_MIB"`
	MaxCellKeys    int           `help:"Keys of one cell that a scan of the spatial index visits before it goes on row by row." default:"250000" env:"RAISIN_MAX_CELL_KEYS"`
	DrainTimeout   time.Duration `help:"How long running statements may go on at shutdown." default:"10s" env:"RAISIN_DRAIN_TIMEOUT"`
	ProfileListen  string        `help:"Host and port to serve Go profiles on; loopback only, off when empty." placeholder:"HOST:PORT" env:"RAISIN_PROFILE_LISTEN"`
	MetricsListen  string        `help:"Host and port to serve /metrics, /healthz and /readyz on; loopback only, off when empty." placeholder:"HOST:PORT" env:"RAISIN_METRICS_LISTEN"`
	logging
}

type serveCmd struct {
	DataDir string `help:"Directory of the store; made when missing." default:"./raisin-data" env:"RAISIN_DATA_DIR" type:"path"`
	serving
}

// Run serves until ctx ends.
func (c *serveCmd) Run(ctx context.Context) error {
	return c.serve(ctx, c.DataDir, os.Stderr, func(ctx context.Context, addr net.Addr) error {
		host, port, err := net.SplitHostPort(addr.String())
		if err != nil {
			return err
		}
		fmt.Printf("raisind %s is ready: psql -h %s -p %s -U raisin raisin\n", version, host, port)
		<-ctx.Done()
		return nil
	})
}

// serve opens the store, listens, runs body beside the server, and stops all in
// the opposite order once ctx ends or body returns. Logs go to logTo.
func (s *serving) serve(ctx context.Context, dataDir string, logTo io.Writer, body func(context.Context, net.Addr) error) (err error) {
	log, err := s.logger(logTo)
	if err != nil {
		return err
	}
	slog.SetDefault(log)
	ln, err := listen(s.Listen)
	if err != nil {
		return err
	}
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	var m *metrics
	var events *session.Events
	if s.MetricsListen != "" {
		m = newMetrics()
		events = m.events()
		wait, merr := metricsServer(ctx, s.MetricsListen, m) // before the store is open: opening may take long
		if merr != nil {
			return errors.Join(merr, ln.Close())
		}
		defer func() { err = errors.Join(err, wait()) }()
	}
	db, err := openStore(storage.Options{
		Dir: dataDir, Logger: log, CacheBytes: s.CacheMiB << 20, MemTableBytes: s.MemtableMiB << 20,
		Prune: storage.PruneOptionsFromEnv(os.LookupEnv),
	})
	if err != nil {
		return errors.Join(err, ln.Close())
	}
	defer func() { err = errors.Join(err, db.Close()) }()
	_, port, err := net.SplitHostPort(ln.Addr().String())
	if err != nil {
		return errors.Join(err, ln.Close())
	}
	engine, err := session.NewEngine(session.Config{
		DB: db, Events: events, MaxSessions: s.MaxConnections, MaxKeysPerCell: s.MaxCellKeys, Version: version, Logger: log,
		TempDir:  filepath.Join(dataDir, "pgsql_tmp"),
		Settings: map[string]string{"port": port, "data_directory": dataDir},
	})
	if err != nil {
		return errors.Join(err, ln.Close())
	}
	defer func() { err = errors.Join(err, engine.Close()) }()
	server := wire.NewServer(engine, wire.Config{DrainTimeout: s.DrainTimeout, Logger: log})

	if s.ProfileListen != "" {
		wait, perr := profileServer(ctx, s.ProfileListen)
		if perr != nil {
			return errors.Join(perr, ln.Close())
		}
		defer func() { err = errors.Join(err, wait()) }()
	}
	if m != nil {
		m.registry.MustRegister(&storeMetrics{db: db, engine: engine, limit: s.MaxConnections})
		m.ready.Store(true)
		defer context.AfterFunc(ctx, func() { m.ready.Store(false) })()
	}
	served := make(chan error, 1)
	go func() {
		served <- server.Serve(ctx, ln)
		stop() // a server that ends by itself ends the body too
	}()
	err = body(ctx, ln.Addr())
	stop()
	return errors.Join(err, <-served)
}

// openStore opens a store and says what to do when it cannot.
func openStore(o storage.Options) (*storage.DB, error) {
	db, err := storage.Open(o)
	switch {
	case errors.Is(err, storage.ErrLocked):
		return nil, fmt.Errorf("data directory %s is in use by another process: stop it, or choose another with --data-dir", o.Dir)
	case errors.Is(err, storage.ErrForeign):
		return nil, fmt.Errorf("%s is not a raisind store and not empty: choose another directory with --data-dir (%w)", o.Dir, err)
	case err != nil:
		return nil, fmt.Errorf("open the store in %s: %w", o.Dir, err)
	}
	return db, nil
}
