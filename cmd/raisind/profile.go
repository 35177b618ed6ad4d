package main

import (
	"context"
	"errors"
	"net"
	"net/http"
	"net/http/pprof"
	"time"
)

// profileServer serves Go's profiles under /debug/pprof/ on addr until ctx ends;
// wait returns once it has ended.
func profileServer(ctx context.Context, addr string) (wait func() error, err error) {
	ln, err := listenPrivately("--profile-listen", addr, "profiles show statements")
	if err != nil {
		return nil, err
	}
	mux := http.NewServeMux()
	mux.HandleFunc("/debug/pprof/", pprof.Index)
	mux.HandleFunc("/debug/pprof/profile", pprof.Profile)
	mux.HandleFunc("/debug/pprof/trace", pprof.Trace)
	mux.HandleFunc("/debug/pprof/symbol", pprof.Symbol)
	return serveHTTP(ctx, ln, mux), nil
}

// serveHTTP serves h on ln until ctx ends; wait returns once it has ended.
func serveHTTP(ctx context.Context, ln net.Listener, h http.Handler) (wait func() error) {
	srv := &http.Server{Handler: h, ReadHeaderTimeout: 10 * time.Second}
	ended := make(chan error, 1)
	go func() { ended <- srv.Serve(ln) }()
	stop := context.AfterFunc(ctx, func() { _ = srv.Close() }) // its error is Serve's
	return func() error {
		stop()
		err := errors.Join(srv.Close(), <-ended)
		if errors.Is(err, http.ErrServerClosed) {
			return nil
		}
		return err
	}
}
