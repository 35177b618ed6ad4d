package demo

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"time"

	"github.com/jackc/pgx/v5"
)

// Workspace is where the fleet lives.
const Workspace = "fleet"

// Statements are for a newcomer to try while the fleet moves: who is near, the
// nearest, and why the index answered.
var Statements = []string{
	`SELECT path, round(__distance) AS metres FROM 'fleet' WHERE ST_DWithin(properties->'position', ST_Point(24.73, 59.72), 5000) ORDER BY __distance;`,
	`SELECT name, properties->'position'->'coordinates' AS lon_lat FROM 'fleet' ORDER BY properties->'position' <-> ST_Point(24.73, 59.72) LIMIT 5;`,
	`EXPLAIN (ANALYZE) SELECT path FROM 'fleet' WHERE ST_DWithin(properties->'position', ST_Point(24.73, 59.72), 2000);`,
}

// Options of a replay.
type Options struct {
	// ConnString says where the server is.
	ConnString string
	// Speed is how many recorded seconds pass in a second of real time. Default 10.
	Speed float64
	// Rounds is how often the record is replayed; 0 means until the context ends.
	Rounds int
	// Progress is called about once a second, and at the end of each round.
	Progress func(Progress)
}

// Progress of a replay.
type Progress struct {
	Round     int           // from 1
	Vehicles  int           // seen so far
	Positions int64         // written so far
	At        time.Time     // recorded time
	Elapsed   time.Duration // real time
	PerSecond float64       // positions written a second, over the last interval
}

// String is one line for a terminal.
func (p Progress) String() string {
	return fmt.Sprintf("fleet at %s UTC, round %d: %d vessels, %d positions written, %.0f a second",
		p.At.Format("15:04:05"), p.Round, p.Vehicles, p.Positions, p.PerSecond)
}

// Replay creates the workspace if need be, sets a tracking policy and moves the
// fleet until ctx ends or the rounds are done. It returns nil when ctx ended.
func Replay(ctx context.Context, o Options) error {
	if o.Speed <= 0 {
		o.Speed = 10
	}
	fixes, err := Fleet()
	if err != nil {
		return err
	}
	conn, err := pgx.Connect(ctx, o.ConnString)
	if err != nil {
		return fmt.Errorf("connect: %w", err)
	}
	defer conn.Close(context.WithoutCancel(ctx))
	r := &replay{conn: conn, opt: o, known: make(map[string]bool), start: time.Now()}
	if err = r.prepare(ctx); err == nil {
		err = r.run(ctx, fixes)
	}
	if errors.Is(ctx.Err(), context.Canceled) {
		return nil
	}
	return err
}

type replay struct {
	conn  *pgx.Conn
	opt   Options
	known map[string]bool
	start time.Time

	written     int64
	lastWritten int64
	lastReport  time.Time
}

func (r *replay) prepare(ctx context.Context) error {
	for _, sql := range []string{
		`CREATE WORKSPACE IF NOT EXISTS 'fleet'`,
		`ALTER SPATIAL INDEX FOR 'fleet' PROPERTY 'position' SET PRECISIONS = (8, 6, 4)`,
		// A position is worth nothing a few seconds later: do not wait for the disk.
		`SET synchronous_commit = off`,
	} {
		if _, err := r.conn.Exec(ctx, sql); err != nil {
			return fmt.Errorf("%s: %w", sql, err)
		}
	}
	rows, err := r.conn.Query(ctx, `SELECT path FROM 'fleet'`)
	if err != nil {
		return err
	}
	paths, err := pgx.CollectRows(rows, pgx.RowTo[string])
	for _, p := range paths {
		r.known[p] = true
	}
	return err
}

func (r *replay) run(ctx context.Context, fixes []Fix) error {
	for round := 1; r.opt.Rounds == 0 || round <= r.opt.Rounds; round++ {
		began := time.Now()
		for _, f := range fixes {
			due := began.Add(time.Duration(float64(f.Time.Sub(fixes[0].Time)) / r.opt.Speed))
			if err := sleepUntil(ctx, due); err != nil {
				return err
			}
			if err := r.move(ctx, f); err != nil {
				return err
			}
			if time.Since(r.lastReport) >= time.Second {
				r.report(round, f.Time)
			}
		}
		r.report(round, fixes[len(fixes)-1].Time)
	}
	return nil
}

// move writes one position, inserting the vessel when it is first heard.
func (r *replay) move(ctx context.Context, f Fix) error {
	path := "/" + f.Vehicle
	props := `{"position":{"type":"Point","coordinates":[` +
		strconv.FormatFloat(f.LonDeg, 'f', -1, 64) + `,` + strconv.FormatFloat(f.LatDeg, 'f', -1, 64) +
		`]},"heard_at":"` + f.Time.Format(time.RFC3339Nano) + `"}`
	sql, args := `UPDATE 'fleet' SET properties = $1::jsonb WHERE path = $2`, []any{props, path}
	if !r.known[path] {
		sql = `INSERT INTO 'fleet' (path, node_type, name, properties) VALUES ($2, 'fleet:Vessel', $3, $1::jsonb)`
		args = append(args, f.Vehicle)
	}
	tag, err := r.conn.Exec(ctx, sql, args...)
	if err != nil {
		return fmt.Errorf("move %s: %w", path, err)
	}
	r.known[path] = tag.RowsAffected() > 0 // somebody may have deleted it: insert it next time
	r.written++
	return nil
}

func (r *replay) report(round int, at time.Time) {
	now := time.Now()
	p := Progress{Round: round, Vehicles: len(r.known), Positions: r.written, At: at, Elapsed: now.Sub(r.start)}
	if since := now.Sub(r.lastReport); !r.lastReport.IsZero() && since > 0 {
		p.PerSecond = float64(r.written-r.lastWritten) / since.Seconds()
	}
	r.lastReport, r.lastWritten = now, r.written
	if r.opt.Progress != nil {
		r.opt.Progress(p)
	}
}

func sleepUntil(ctx context.Context, t time.Time) error {
	d := time.Until(t)
	if d <= 0 {
		return ctx.Err()
	}
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-timer.C:
		return nil
	}
}
