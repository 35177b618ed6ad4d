package main

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/http/pprof"
	"time"
)

// profileServer serves Go's profiles under /debug/pprof/ on addr until ctx ends;
// wait returns once it has ended.
func profileServer(ctx context.Context, addr string) (wait func() error, err error) {
	host, _, err := net.SplitHostPort(addr)
	if err != nil {
		return nil, fmt.Errorf("--profile-listen %q: %w", addr, err)
	}
	if !loopback(host) {
		return nil, fmt.Errorf("--profile-listen %q is not a loopback address: refused, profiles show statements", addr)
	}
	ln, err := net.Listen("tcp", addr)
	if err != nil {
		return nil, err
	}
	mux := http.NewServeMux()
	mux.HandleFunc("/debug/pprof/", pprof.Index)
	mux.HandleFunc("/debug/pprof/profile", pprof.Profile)
	mux.HandleFunc("/debug/pprof/trace", pprof.Trace)
	mux.HandleFunc("/debug/pprof/symbol", pprof.Symbol)
	srv := &http.Server{Handler: mux, ReadHeaderTimeout: 10 * time.Second}
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
	}, nil
}
