package main

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"

	"raisind/tiles"
)

// errLeaseLost is the error of a worker whose batch was given to others.
var errLeaseLost = errors.New("the lease of the batch ran out, and its extents went back to the queue")

// queue is the table of dirty extents and, beside it, the batches made of it.
type queue struct {
	conn    *pgx.Conn
	table   string
	batches string
	lease   time.Duration
	worker  string
}

// A batch's extents stay in the queue, claimed, until it ends. changed is the purge
// list, which is an outbox: written before the tiles are, sent once the batch is over.
const batchesDDL = `CREATE TABLE IF NOT EXISTS %s (
  id bigserial PRIMARY KEY,
  layer text NOT NULL,
  worker text NOT NULL,
  state text NOT NULL,
  epoch integer NOT NULL,
  lease_until timestamptz NOT NULL,
  extents bigint[] NOT NULL,
  changed text[] NOT NULL DEFAULT '{}',
  created_at timestamptz NOT NULL DEFAULT now(),
  purged_at timestamptz)`

func openQueue(ctx context.Context, c *config, worker string) (*queue, error) {
	conn, err := pgx.Connect(ctx, c.Database)
	if err != nil {
		return nil, err
	}
	name := strings.Split(c.Table, ".")
	batches := append([]string(nil), name...)
	batches[len(batches)-1] += "_batch"
	q := &queue{
		conn: conn, table: pgx.Identifier(name).Sanitize(), batches: pgx.Identifier(batches).Sanitize(),
		lease: c.Lease, worker: worker,
	}
	if _, err := conn.Exec(ctx, "SET client_min_messages = warning"); err != nil {
		return nil, errors.Join(err, conn.Close(ctx))
	}
	if _, err := conn.Exec(ctx, fmt.Sprintf(batchesDDL, q.batches)); err != nil {
		return nil, errors.Join(err, conn.Close(ctx))
	}
	return q, nil
}

// batch is a claim on extents.
type batch struct {
	id    int64
	epoch int
	ids   []int64
	tiles *tiles.Set
}

// claim takes the oldest free extents of a layer, as many as both caps allow; nil when
// there is none. It is committed when it returns.
func (q *queue) claim(ctx context.Context, l layer, rows int, most int64) (*batch, error) {
	var b *batch
	err := pgx.BeginFunc(ctx, q.conn, func(tx pgx.Tx) error {
		found, err := tx.Query(ctx, `SELECT id, ST_XMin(extent), ST_YMin(extent), ST_XMax(extent), ST_YMax(extent), ST_SRID(extent)
			FROM `+q.table+` WHERE layer = $1 AND claimed_at IS NULL ORDER BY created_at, id LIMIT $2 FOR UPDATE SKIP LOCKED`, l.Name, rows)
		if err != nil {
			return err
		}
		set := &tiles.Set{}
		var ids []int64
		total, full := int64(0), false
		for found.Next() {
			var id int64
			var box [4]*float64
			var srid int
			if err := found.Scan(&id, &box[0], &box[1], &box[2], &box[3], &srid); err != nil {
				return err
			}
			if full {
				continue
			}
			if box[0] != nil { // an empty extent is nowhere
				ranges, err := l.options().Ranges(tiles.Extent{MinX: *box[0], MinY: *box[1], MaxX: *box[2], MaxY: *box[3], SRID: srid})
				if err != nil {
					return fmt.Errorf("extent %d: %w", id, err)
				}
				n := int64(0)
				for _, r := range ranges {
					n += r.Count()
				}
				if total += n; total > most && len(ids) > 0 {
					full = true
					continue
				}
				for _, r := range ranges {
					set.Add(r)
				}
			}
			ids = append(ids, id)
		}
		if err := found.Err(); err != nil || len(ids) == 0 {
			return err
		}
		if _, err := tx.Exec(ctx, `UPDATE `+q.table+` SET claimed_at = now() WHERE id = ANY($1)`, ids); err != nil {
			return err
		}
		b = &batch{epoch: 1, ids: ids, tiles: set}
		return tx.QueryRow(ctx, `INSERT INTO `+q.batches+` (layer, worker, state, epoch, lease_until, extents)
			VALUES ($1, $2, 'leased', $3, now() + $4::float8 * interval '1 second', $5) RETURNING id`,
			l.Name, q.worker, b.epoch, q.lease.Seconds(), ids).Scan(&b.id)
	})
	if err != nil {
		return nil, err
	}
	return b, nil
}

// renew puts the end of a lease off; the database's clock decides.
func (q *queue) renew(ctx context.Context, b *batch) error {
	tag, err := q.conn.Exec(ctx, `UPDATE `+q.batches+` SET lease_until = now() + $3::float8 * interval '1 second'
		WHERE id = $1 AND epoch = $2 AND state = 'leased'`, b.id, b.epoch, q.lease.Seconds())
	if err == nil && tag.RowsAffected() == 0 {
		err = errLeaseLost
	}
	return err
}

// announce adds tiles to the purge list of a batch before they are written: a worker
// that dies in between must not leave a changed tile out, as its successor would find
// the bytes in place.
func (q *queue) announce(ctx context.Context, b *batch, changed []string) error {
	tag, err := q.conn.Exec(ctx, `UPDATE `+q.batches+` SET changed = changed || $3::text[], lease_until = now() + $4::float8 * interval '1 second'
		WHERE id = $1 AND epoch = $2 AND state = 'leased'`, b.id, b.epoch, changed, q.lease.Seconds())
	if err == nil && tag.RowsAffected() == 0 {
		err = errLeaseLost
	}
	return err
}

// finish ends a batch and takes its extents out of the queue, at once.
func (q *queue) finish(ctx context.Context, b *batch) error {
	return pgx.BeginFunc(ctx, q.conn, func(tx pgx.Tx) error {
		tag, err := tx.Exec(ctx, `UPDATE `+q.batches+` SET state = 'done' WHERE id = $1 AND epoch = $2 AND state = 'leased'`, b.id, b.epoch)
		if err != nil {
			return err
		}
		if tag.RowsAffected() == 0 {
			return errLeaseLost
		}
		_, err = tx.Exec(ctx, `DELETE FROM `+q.table+` WHERE id = ANY($1)`, b.ids)
		return err
	})
}

// sweep gives extents of batches whose lease ran out back to the queue.
func (q *queue) sweep(ctx context.Context) (batches int, err error) {
	err = pgx.BeginFunc(ctx, q.conn, func(tx pgx.Tx) error {
		rows, err := tx.Query(ctx, `UPDATE `+q.batches+` SET state = 'expired', epoch = epoch + 1
			WHERE state = 'leased' AND lease_until < now() RETURNING extents`)
		if err != nil {
			return err
		}
		lists, err := pgx.CollectRows(rows, pgx.RowTo[[]int64])
		if err != nil {
			return err
		}
		for _, ids := range lists {
			if _, err := tx.Exec(ctx, `UPDATE `+q.table+` SET claimed_at = NULL WHERE id = ANY($1)`, ids); err != nil {
				return err
			}
		}
		batches = len(lists)
		return nil
	})
	return batches, err
}

// outbox hands each purge list not yet sent to send, and marks it sent: at least once.
func (q *queue) outbox(ctx context.Context, send func(layer string, changed []string) error) error {
	rows, err := q.conn.Query(ctx, `SELECT id, layer, changed FROM `+q.batches+` WHERE state <> 'leased' AND purged_at IS NULL ORDER BY id`)
	if err != nil {
		return err
	}
	type list struct {
		ID      int64
		Layer   string
		Changed []string
	}
	lists, err := pgx.CollectRows(rows, pgx.RowToStructByPos[list])
	if err != nil {
		return err
	}
	for _, l := range lists {
		if err := send(l.Layer, l.Changed); err != nil {
			return err
		}
		if _, err := q.conn.Exec(ctx, `UPDATE `+q.batches+` SET purged_at = now() WHERE id = $1`, l.ID); err != nil {
			return err
		}
	}
	return nil
}
