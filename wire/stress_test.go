package wire

import (
	"context"
	"fmt"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgproto3"

	"raisind/session"
)

// Many clients that work, cancel, vanish in mid-message and come again: in the end the
// server has no session left over, and what was committed is there.
func TestManyClients(t *testing.T) {
	h := start(t, session.Config{}, Config{})
	ctx := context.Background()
	c := connect(t, h)
	if _, err := c.Exec(ctx, "CREATE WORKSPACE 'busy'"); err != nil {
		t.Fatal(err)
	}
	const clients, rounds = 8, 12
	done := make(chan int, clients)
	for i := range clients {
		go func() {
			rng := rand.New(rand.NewPCG(1, uint64(i)))
			kept := 0
			for j := range rounds {
				kept += disturb(h, rng, i*rounds+j)
			}
			done <- kept
		}()
	}
	want := 0
	for range clients {
		want += <-done
	}
	var got int
	if err := c.QueryRow(ctx, "SELECT count(*) FROM 'busy'").Scan(&got); err != nil {
		t.Fatal(err)
	}
	if got != want {
		t.Errorf("%d nodes, %d were acknowledged", got, want)
	}
	for end := time.Now().Add(patience); h.engine.Sessions() > 1; time.Sleep(time.Millisecond) {
		if time.Now().After(end) {
			t.Fatalf("%d sessions are left", h.engine.Sessions())
		}
	}
}

// disturb is one client; it returns how many nodes it was told are committed.
func disturb(h *harness, rng *rand.Rand, n int) int {
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	c, err := pgx.Connect(ctx, "postgres://raisin@"+h.addr+"/raisin?sslmode=disable")
	if err != nil {
		return 0
	}
	insert := fmt.Sprintf("INSERT INTO 'busy' (path, node_type) VALUES ('/n%d', 't')", n)
	switch rng.IntN(5) {
	case 0: // an honest client
		defer c.Close(ctx)
		if _, err := c.Exec(ctx, insert); err == nil {
			return 1
		}
	case 1: // one that is cancelled in a block
		defer c.Close(ctx)
		tx, err := c.Begin(ctx)
		if err != nil {
			return 0
		}
		tx.Exec(ctx, insert)
		short, stop := context.WithTimeout(ctx, time.Duration(rng.IntN(20))*time.Millisecond)
		defer stop()
		tx.Exec(short, "SELECT pg_sleep(1)") // the request may come before the statement, and be for nothing
	case 2: // one that vanishes with a statement on its way
		hijacked, err := c.PgConn().Hijack()
		if err != nil {
			return 0
		}
		b, _ := (&pgproto3.Query{String: "BEGIN; " + insert + "; SELECT pg_sleep(10)"}).Encode(nil)
		hijacked.Conn.Write(b[:len(b)-rng.IntN(2)*rng.IntN(len(b))])
		hijacked.Conn.Close()
	case 3: // one that vanishes with an open transaction
		if tx, err := c.Begin(ctx); err == nil {
			tx.Exec(ctx, insert)
		}
		c.PgConn().Conn().Close()
	case 4: // a pipeline of which the last fails
		defer c.Close(ctx)
		b := &pgx.Batch{}
		b.Queue(insert)
		b.Queue("SELECT 1/x FROM generate_series(0, 0) AS x")
		c.SendBatch(ctx, b).Close()
	}
	return 0
}
