package main

import (
	"bufio"
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"time"

	"github.com/jackc/pgx/v5"

	"raisind/tiles"
)

type configured struct {
	Config string `help:"Configuration file (YAML)." required:"" type:"path" short:"c"`
}

func (c configured) open(ctx context.Context) (*config, *queue, error) {
	conf, err := readConfig(c.Config)
	if err != nil {
		return nil, nil, err
	}
	host, _ := os.Hostname()
	q, err := openQueue(ctx, conf, fmt.Sprintf("%s-%d-%s", host, os.Getpid(), rand.Text()[:8]))
	return conf, q, err
}

type onceCmd struct{ configured }

// Run renders what is pending now and ends.
func (c *onceCmd) Run(ctx context.Context) error {
	conf, q, err := c.open(ctx)
	if err != nil {
		return err
	}
	defer q.conn.Close(ctx)
	for _, l := range conf.Layers {
		for {
			b, err := q.claim(ctx, l, conf.Rows, conf.Tiles)
			if err != nil {
				return fmt.Errorf("layer %s: %w", l.Name, err)
			}
			if b == nil {
				break
			}
			if err := render(ctx, q, conf, l, b); err != nil {
				return fmt.Errorf("layer %s, batch %d: %w", l.Name, b.id, err)
			}
		}
	}
	return deliver(ctx, q, conf)
}

// chunk is how many drawn tiles are held before they are announced and written.
const chunk = 256

// render draws the tiles of a batch and ends it. A sign of life goes out with every
// chunk and every third of the lease.
func render(ctx context.Context, q *queue, conf *config, l layer, b *batch) error {
	type drawn struct {
		tile tiles.Tile
		data []byte
	}
	store := directory{conf.Store}
	var held []drawn
	changed, total := 0, 0
	flush := func() error {
		if len(held) == 0 {
			return nil
		}
		names := make([]string, len(held))
		for i, d := range held {
			names[i] = d.tile.String()
		}
		if err := q.announce(ctx, b, names); err != nil {
			return err
		}
		for _, d := range held {
			if err := store.put(l.Name, d.tile, d.data); err != nil {
				return err
			}
		}
		changed += len(held)
		held = held[:0]
		return nil
	}
	alive := time.Now()
	for t := range b.tiles.All() {
		if time.Since(alive) > q.lease/3 {
			if err := q.renew(ctx, b); err != nil {
				return err
			}
			alive = time.Now()
		}
		var data []byte
		err := q.conn.QueryRow(ctx, l.SQL, t.Z, t.X, t.Y).Scan(&data)
		if err != nil && !errors.Is(err, pgx.ErrNoRows) {
			return fmt.Errorf("tile %v: %w", t, err)
		}
		total++
		different, err := store.differs(l.Name, t, data)
		if err != nil {
			return err
		}
		if different {
			held = append(held, drawn{t, data})
		}
		if len(held) == chunk {
			if err := flush(); err != nil {
				return err
			}
		}
	}
	if err := flush(); err != nil {
		return err
	}
	if err := q.finish(ctx, b); err != nil {
		return err
	}
	slog.Info("batch done", "layer", l.Name, "batch", b.id, "extents", len(b.ids), "tiles", total, "changed", changed)
	return nil
}

// deliver sends purge lists to the file of the configuration.
func deliver(ctx context.Context, q *queue, conf *config) error {
	var out io.Writer = os.Stdout
	if conf.Purge != "-" {
		f, err := os.OpenFile(conf.Purge, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o644)
		if err != nil {
			return err
		}
		defer f.Close()
		out = f
	}
	return q.outbox(ctx, func(_ string, changed []string) error {
		w := bufio.NewWriter(out)
		for _, line := range changed {
			fmt.Fprintln(w, line)
		}
		return w.Flush()
	})
}

type sweepCmd struct{ configured }

// Run gives abandoned extents back to the queue and sends purge lists left over.
func (c *sweepCmd) Run(ctx context.Context) error {
	conf, q, err := c.open(ctx)
	if err != nil {
		return err
	}
	defer q.conn.Close(ctx)
	n, err := q.sweep(ctx)
	if err != nil {
		return err
	}
	slog.Info("swept", "batches", n)
	return deliver(ctx, q, conf)
}

type statusCmd struct{ configured }

// Run prints what is pending, claimed and left to purge, a layer a line.
func (c *statusCmd) Run(ctx context.Context) error {
	conf, q, err := c.open(ctx)
	if err != nil {
		return err
	}
	defer q.conn.Close(ctx)
	for _, l := range conf.Layers {
		var pending, claimed, leased, unsent int64
		err := q.conn.QueryRow(ctx, `SELECT
			(SELECT count(*) FROM `+q.table+` WHERE layer = $1 AND claimed_at IS NULL),
			(SELECT count(*) FROM `+q.table+` WHERE layer = $1 AND claimed_at IS NOT NULL),
			(SELECT count(*) FROM `+q.batches+` WHERE layer = $1 AND state = 'leased'),
			(SELECT count(*) FROM `+q.batches+` WHERE layer = $1 AND state <> 'leased' AND purged_at IS NULL)`, l.Name).
			Scan(&pending, &claimed, &leased, &unsent)
		if err != nil {
			return err
		}
		fmt.Printf("%s: %d pending, %d claimed, %d batches at work, %d purge lists unsent\n", l.Name, pending, claimed, leased, unsent)
	}
	return nil
}
