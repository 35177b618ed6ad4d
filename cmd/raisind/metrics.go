package main

import (
	"context"
	"fmt"
	"net/http"
	"sync/atomic"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"
	"github.com/prometheus/client_golang/prometheus/promhttp"

	"raisind/session"
	"raisind/storage"
)

// metrics are what /metrics serves: counters that sessions feed, and what store and
// executor count themselves, read at each scrape.
type metrics struct {
	registry *prometheus.Registry
	ready    atomic.Bool

	statements, errors *prometheus.CounterVec
	seconds            prometheus.Histogram
	connections        prometheus.Counter
	panics             prometheus.Counter
	commits            prometheus.Counter
	commitWait         prometheus.Histogram
	commitBytes        prometheus.Counter
	rowVersions        prometheus.Counter
	spatialKeys        prometheus.Counter
	spatialTombstones  prometheus.Counter
}

// newMetrics makes and registers what sessions feed.
func newMetrics() *metrics {
	counter := func(name, help string) prometheus.Counter {
		return prometheus.NewCounter(prometheus.CounterOpts{Namespace: "raisind", Name: name, Help: help})
	}
	vector := func(name, help, label string) *prometheus.CounterVec {
		return prometheus.NewCounterVec(prometheus.CounterOpts{Namespace: "raisind", Name: name, Help: help}, []string{label})
	}
	histogram := func(name, help string) prometheus.Histogram {
		return prometheus.NewHistogram(prometheus.HistogramOpts{
			Namespace: "raisind", Name: name, Help: help, Buckets: prometheus.ExponentialBuckets(50e-6, 4, 10), // 50 µs to 13 s
		})
	}
	m := &metrics{
		registry:          prometheus.NewRegistry(),
		statements:        vector("statements_total", "Statements begun, by command.", "command"),
		errors:            vector("errors_total", "Errors sent to clients, by SQLSTATE.", "sqlstate"),
		seconds:           histogram("message_seconds", "Time to handle one message of a client."),
		connections:       counter("connections_opened_total", "Sessions begun."),
		panics:            counter("panics_total", "Panics that a session survived; always a bug."),
		commits:           counter("commits_total", "Commits that wrote something."),
		commitWait:        histogram("commit_wait_seconds", "Time commits waited for earlier commits and for the disk."),
		commitBytes:       counter("commit_bytes_total", "Bytes of committed batches."),
		rowVersions:       counter("row_versions_written_total", "Row versions written by commits."),
		spatialKeys:       counter("spatial_keys_written_total", "Spatial entries written by commits."),
		spatialTombstones: counter("spatial_tombstones_written_total", "Spatial tombstones written by commits."),
	}
	m.registry.MustRegister(m.statements, m.errors, m.seconds, m.connections, m.panics, m.commits, m.commitWait,
		m.commitBytes, m.rowVersions, m.spatialKeys, m.spatialTombstones,
		collectors.NewGoCollector(), collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}))
	return m
}

// events feed the counters.
func (m *metrics) events() *session.Events {
	return &session.Events{
		Session: func(delta int) {
			if delta > 0 {
				m.connections.Inc()
			}
		},
		Ran: func(command string) { m.statements.WithLabelValues(command).Inc() },
		Statement: func(took time.Duration, code string) {
			m.seconds.Observe(took.Seconds())
			if code != "" {
				m.errors.WithLabelValues(code).Inc()
			}
		},
		Commit: func(info storage.CommitInfo) {
			if info.Revision == 0 {
				return
			}
			m.commits.Inc()
			m.commitWait.Observe(info.Wait.Seconds())
			m.commitBytes.Add(float64(info.Bytes))
			m.rowVersions.Add(float64(info.Rows))
			m.spatialKeys.Add(float64(info.SpatialLive))
			m.spatialTombstones.Add(float64(info.SpatialTombstones))
		},
		Panic: func(string) { m.panics.Inc() },
	}
}

// handler serves /metrics, /healthz (the process answers) and /readyz (clients are served).
func (m *metrics) handler() http.Handler {
	mux := http.NewServeMux()
	mux.Handle("GET /metrics", promhttp.HandlerFor(m.registry, promhttp.HandlerOpts{}))
	mux.HandleFunc("GET /healthz", func(w http.ResponseWriter, _ *http.Request) { fmt.Fprintln(w, "ok") })
	mux.HandleFunc("GET /readyz", func(w http.ResponseWriter, _ *http.Request) {
		if !m.ready.Load() {
			http.Error(w, "starting or stopping", http.StatusServiceUnavailable)
			return
		}
		fmt.Fprintln(w, "ready")
	})
	return mux
}

// metricsServer serves metrics on addr until ctx ends; wait returns once it has ended.
func metricsServer(ctx context.Context, addr string, m *metrics) (wait func() error, err error) {
	ln, err := listenPrivately("--metrics-listen", addr, "no password protects it; let a collector on this machine scrape it")
	if err != nil {
		return nil, err
	}
	return serveHTTP(ctx, ln, m.handler()), nil
}
