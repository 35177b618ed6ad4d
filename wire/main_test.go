package wire

import (
	"context"
	"io"
	"log/slog"
	"net"
	"testing"
	"time"

	"github.com/cockroachdb/pebble/v2/vfs"
	"go.uber.org/goleak"

	"raisind/session"
	"raisind/storage"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// harness is a server of its own for one test.
type harness struct {
	engine *session.Engine
	addr   string
	// stop shuts the server down and returns what Serve said.
	stop func() error
}

// start serves an empty store on the loopback interface until the test ends.
func start(t testing.TB, cfg session.Config, wcfg Config) *harness {
	t.Helper()
	db, err := storage.Open(storage.Options{Dir: "data", FS: vfs.NewMem()})
	if err != nil {
		t.Fatal(err)
	}
	quiet := slog.New(slog.NewTextHandler(io.Discard, nil))
	cfg.DB = db
	if cfg.Logger == nil {
		cfg.Logger = quiet
	}
	if wcfg.Logger == nil {
		wcfg.Logger = quiet
	}
	engine, err := session.NewEngine(cfg)
	if err != nil {
		t.Fatal(err)
	}
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	served := make(chan error, 1)
	go func() { served <- NewServer(engine, wcfg).Serve(ctx, ln) }()
	h := &harness{engine: engine, addr: ln.Addr().String()}
	stopped := false
	h.stop = func() error {
		if stopped {
			return nil
		}
		stopped = true
		cancel()
		return <-served
	}
	t.Cleanup(func() {
		if err := h.stop(); err != nil {
			t.Error(err)
		}
		if err := engine.Close(); err != nil {
			t.Error(err)
		}
		if err := db.Close(); err != nil {
			t.Error(err)
		}
	})
	return h
}

// patience bounds waiting for an answer in tests.
const patience = 20 * time.Second
