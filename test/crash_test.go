package test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"strconv"
	"sync"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
)

// fleetWriter moves vehicles of its own and remembers what was acknowledged.
type fleetWriter struct {
	id     int
	rnd    *rand.Rand
	acked  map[string]place  // vehicles that must be there, and where
	gone   map[string]bool   // vehicles whose deletion was acknowledged
	flight map[string]*place // what the unanswered statement wanted; nil: a deletion
}

type place struct{ lon, lat float64 }

const writerVehicles = 20

// TestKillUnderLoad kills the server with SIGKILL at random moments while four
// clients insert, move and delete. After each restart every acknowledged commit
// is there, the two vehicles moved by one transaction are at one place, and
// `raisind check` finds rows and index in agreement.
func TestKillUnderLoad(t *testing.T) {
	rounds := 50
	if testing.Short() {
		rounds = 3
	}
	seed := uint64(time.Now().UnixNano())
	if s := os.Getenv("RAISIND_SEED"); s != "" {
		var err error
		if seed, err = strconv.ParseUint(s, 10, 64); err != nil {
			t.Fatal(err)
		}
	}
	t.Logf("seed %d", seed)
	rnd := rand.New(rand.NewPCG(seed, 1))
	s := startServer(t)
	c := s.connect(t)
	mustExec(t, c, `CREATE WORKSPACE 'fleet'`)
	mustExec(t, c, `ALTER SPATIAL INDEX FOR 'fleet' PROPERTY 'position' SET PRECISIONS = (8, 6, 4)`)
	writers := make([]*fleetWriter, 4)
	for i := range writers {
		writers[i] = &fleetWriter{
			id: i, rnd: rand.New(rand.NewPCG(seed, uint64(i)+2)),
			acked: map[string]place{}, gone: map[string]bool{}, flight: map[string]*place{},
		}
	}
	commits := 0
	for round := range rounds {
		ctx, cancel := context.WithCancel(context.Background())
		var wg sync.WaitGroup
		counts := make([]int, len(writers))
		for i, w := range writers {
			wg.Add(1)
			go func() {
				defer wg.Done()
				counts[i] = w.run(ctx, s.dsn())
			}()
		}
		time.Sleep(time.Duration(20+rnd.IntN(250)) * time.Millisecond)
		s.kill()
		cancel()
		wg.Wait()
		for _, n := range counts {
			commits += n
		}
		if out, err := exec.Command(raisindBinary, "check", "--data-dir", s.dir).CombinedOutput(); err != nil {
			t.Fatalf("round %d: check: %v\n%s", round, err, out)
		}
		s.start()
		for _, w := range writers {
			w.verify(t, s, round)
		}
	}
	t.Logf("%d acknowledged commits over %d kills", commits, rounds)
	if commits < rounds {
		t.Errorf("only %d commits were acknowledged: the load is too light to prove anything", commits)
	}
}

// run writes until the server is gone and returns how many commits it answered.
func (w *fleetWriter) run(ctx context.Context, dsn string) (commits int) {
	c, err := pgx.Connect(ctx, dsn)
	if err != nil {
		return 0
	}
	defer c.Close(context.Background())
	for ctx.Err() == nil {
		if err := w.step(ctx, c); err != nil {
			return commits
		}
		commits++
	}
	return commits
}

func (w *fleetWriter) path(i int) string { return fmt.Sprintf("/w%d/v%d", w.id, i) }

// step does one transaction: a pair moved together, or one vehicle deleted.
func (w *fleetWriter) step(ctx context.Context, c *pgx.Conn) error {
	clear(w.flight)
	i := w.rnd.IntN(writerVehicles/2) * 2
	pair := []string{w.path(i), w.path(i + 1)}
	if w.rnd.IntN(10) == 0 {
		w.flight[pair[0]], w.flight[pair[1]] = nil, nil
		if _, err := c.Exec(ctx, `DELETE FROM 'fleet' WHERE path IN ($1, $2)`, pair[0], pair[1]); err != nil {
			return err
		}
	} else {
		p := place{24 + w.rnd.Float64(), 59 + w.rnd.Float64()}
		w.flight[pair[0]], w.flight[pair[1]] = &p, &p
		tx, err := c.Begin(ctx)
		if err != nil {
			return err
		}
		props := fmt.Sprintf(`{"position":{"type":"Point","coordinates":[%v,%v]}}`, p.lon, p.lat)
		for _, path := range pair {
			tag, err := tx.Exec(ctx, `UPDATE 'fleet' SET properties = $1::jsonb WHERE path = $2`, props, path)
			if err != nil {
				return err
			}
			if tag.RowsAffected() == 0 {
				if _, err = tx.Exec(ctx, `INSERT INTO 'fleet' (path, node_type, properties) VALUES ($1, 'fleet:Vessel', $2::jsonb)`, path, props); err != nil {
					return err
				}
			}
		}
		if err := tx.Commit(ctx); err != nil {
			return err
		}
	}
	for path, p := range w.flight {
		w.settle(path, p)
	}
	clear(w.flight)
	return nil
}

func (w *fleetWriter) settle(path string, p *place) {
	if p == nil {
		delete(w.acked, path)
		w.gone[path] = true
	} else {
		w.acked[path] = *p
		delete(w.gone, path)
	}
}

// verify compares what the server has with what was acknowledged; the statement
// in flight may have happened or not, but wholly or not at all.
func (w *fleetWriter) verify(t *testing.T, s *server, round int) {
	t.Helper()
	c := s.connect(t)
	defer c.Close(context.Background())
	rows, err := c.Query(context.Background(),
		`SELECT path, ST_X(properties->'position'), ST_Y(properties->'position') FROM 'fleet' WHERE path LIKE $1`, fmt.Sprintf("/w%d/%%", w.id))
	if err != nil {
		t.Fatal(err)
	}
	got := map[string]place{}
	var path string
	var p place
	if _, err = pgx.ForEachRow(rows, []any{&path, &p.lon, &p.lat}, func() error { got[path] = p; return nil }); err != nil {
		t.Fatal(err)
	}
	for i := range writerVehicles {
		path := w.path(i)
		have, there := got[path]
		want, must := w.acked[path]
		asAcked := there == must && have == want
		if wish, flying := w.flight[path]; flying {
			asWished := wish == nil && !there || wish != nil && there && have == *wish
			if asWished {
				w.settle(path, wish)
			}
			if asAcked || asWished {
				continue
			}
		} else if asAcked {
			continue
		}
		t.Fatalf("round %d: %s is %v (there: %v), acknowledged was %v (there: %v)", round, path, have, there, want, must)
	}
	for i := 0; i < writerVehicles; i += 2 {
		a, aThere := got[w.path(i)]
		b, bThere := got[w.path(i+1)]
		if aThere != bThere || a != b {
			t.Fatalf("round %d: %s and %s were always moved together, yet are at %v (%v) and %v (%v)", round, w.path(i), w.path(i+1), a, aThere, b, bThere)
		}
	}
	for path, p := range got {
		n := queryOne[int64](t, c, `SELECT count(*) FROM 'fleet' WHERE path = $1 AND ST_DWithin(properties->'position', ST_Point($2, $3), 1)`, path, p.lon, p.lat)
		if n != 1 {
			t.Fatalf("round %d: %s is not found where it is", round, path)
		}
	}
	clear(w.flight)
}
