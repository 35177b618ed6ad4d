package wire

import (
	"bufio"
	"encoding/binary"
	"fmt"
	"io"
	"net"
	"testing"

	"github.com/jackc/pgx/v5/pgproto3"

	"raisind/session"
)

// raw is a client that costs next to nothing itself.
type raw struct {
	tb testing.TB
	nc net.Conn
	in *bufio.Reader
}

func dialRaw(tb testing.TB, h *harness) *raw {
	tb.Helper()
	nc, err := net.Dial("tcp", h.addr)
	if err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(func() { nc.Close() })
	r := &raw{tb, nc, bufio.NewReaderSize(nc, 64<<10)}
	r.send(&pgproto3.StartupMessage{ProtocolVersion: pgproto3.ProtocolVersion30, Parameters: map[string]string{"user": "raisin"}})
	r.untilReady(1)
	return r
}

func encode(tb testing.TB, msgs ...pgproto3.FrontendMessage) []byte {
	var b []byte
	for _, m := range msgs {
		var err error
		if b, err = m.Encode(b); err != nil {
			tb.Fatal(err)
		}
	}
	return b
}

func (r *raw) send(msgs ...pgproto3.FrontendMessage) { r.write(encode(r.tb, msgs...)) }

func (r *raw) write(b []byte) {
	if _, err := r.nc.Write(b); err != nil {
		r.tb.Fatal(err)
	}
}

// untilReady reads until n times ReadyForQuery came. An error is fatal.
func (r *raw) untilReady(n int) {
	for n > 0 {
		head, err := r.in.Peek(5)
		if err != nil {
			r.tb.Fatal(err)
		}
		typ, size := head[0], int(binary.BigEndian.Uint32(head[1:]))+1
		if typ == 'E' {
			b := make([]byte, size)
			io.ReadFull(r.in, b)
			r.tb.Fatalf("%q", b)
		}
		if _, err := r.in.Discard(size); err != nil {
			r.tb.Fatal(err)
		}
		if typ == 'Z' {
			n--
		}
	}
}

func (r *raw) query(format string, args ...any) {
	r.send(&pgproto3.Query{String: fmt.Sprintf(format, args...)})
	r.untilReady(1)
}

// prepared measures one execution a round trip, and as many as batch in one.
func prepared(b *testing.B, r *raw, batch int, sql string, params func(i int) [][]byte) {
	r.send(&pgproto3.Parse{Name: "s", Query: sql}, &pgproto3.Sync{})
	r.untilReady(1)
	const kinds = 64
	var rounds [kinds][]byte
	for i := range rounds {
		var msgs []pgproto3.FrontendMessage
		for j := range batch {
			msgs = append(msgs, &pgproto3.Bind{PreparedStatement: "s", Parameters: params(i*batch + j), ResultFormatCodes: []int16{}}, &pgproto3.Execute{})
		}
		rounds[i] = encode(b, append(msgs, &pgproto3.Sync{})...)
	}
	for i := range kinds {
		r.write(rounds[i])
		r.untilReady(1)
	}
	b.ReportAllocs()
	for i := 0; b.Loop(); i++ {
		r.write(rounds[i%kinds])
		r.untilReady(1)
	}
	b.ReportMetric(float64(batch)*float64(b.N)/b.Elapsed().Seconds(), "statements/s")
}

func fleet(b *testing.B, r *raw, nodes int) {
	r.query("CREATE WORKSPACE 'fleet'")
	for i := range nodes {
		r.query(`INSERT INTO 'fleet' (path, node_type, properties) VALUES ('/v%d', 'v', '{"position":{"type":"Point","coordinates":[%.4f,%.4f]}}')`,
			i, 13.3+float64(i%40)*0.005, 52.4+float64(i/40)*0.005)
	}
}

func BenchmarkSelectOne(b *testing.B) {
	for _, batch := range []int{1, 50} {
		b.Run(fmt.Sprintf("batch=%d", batch), func(b *testing.B) {
			r := dialRaw(b, start(b, session.Config{}, Config{}))
			prepared(b, r, batch, "SELECT 1", func(int) [][]byte { return nil })
		})
	}
}

func BenchmarkSimpleSelectOne(b *testing.B) {
	r := dialRaw(b, start(b, session.Config{}, Config{}))
	msg := encode(b, &pgproto3.Query{String: "SELECT 1"})
	b.ReportAllocs()
	for b.Loop() {
		r.write(msg)
		r.untilReady(1)
	}
}

func BenchmarkSelectByPath(b *testing.B) {
	r := dialRaw(b, start(b, session.Config{}, Config{}))
	fleet(b, r, 1000)
	prepared(b, r, 1, "SELECT properties FROM 'fleet' WHERE path = $1", func(i int) [][]byte {
		return [][]byte{fmt.Appendf(nil, "/v%d", i%1000)}
	})
}

func BenchmarkUpdateByPath(b *testing.B) {
	r := dialRaw(b, start(b, session.Config{}, Config{}))
	fleet(b, r, 1000)
	prepared(b, r, 1, "UPDATE 'fleet' SET properties = $1 WHERE path = $2", func(i int) [][]byte {
		return [][]byte{
			fmt.Appendf(nil, `{"position":{"type":"Point","coordinates":[%.5f,%.5f]}}`, 13.3+float64(i)*0.0001, 52.4),
			fmt.Appendf(nil, "/v%d", i%1000),
		}
	})
}

func BenchmarkRadius(b *testing.B) {
	r := dialRaw(b, start(b, session.Config{}, Config{}))
	fleet(b, r, 1000)
	prepared(b, r, 1, "SELECT path, __distance FROM 'fleet' WHERE ST_DWithin(properties->'position', ST_Point($1, $2), $3)", func(i int) [][]byte {
		return [][]byte{fmt.Appendf(nil, "%.4f", 13.3+float64(i%40)*0.005), []byte("52.45"), []byte("1000")}
	})
}
