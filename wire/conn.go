package wire

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"runtime/debug"
	"sync/atomic"
	"time"

	"github.com/jackc/pgx/v5/pgproto3"

	"raisind/pgerr"
	"raisind/session"
)

// conn serves one client on a goroutine of its own, which ends when
//
//   - the client says goodbye, closes its socket, or breaks the protocol;
//   - writing to the client fails;
//   - the session is doomed: terminated, idle for too long, or its client found gone by
//     the server's watch while a statement ran, which is then cancelled;
//   - the server shuts down: at once between messages, else when the message in hand
//     has been answered or the drain timeout has passed.
//
// Nobody else reads or writes the socket; others only set its deadline or close it.
type conn struct {
	*writer
	out  *writer
	srv  *Server
	nc   net.Conn
	in   *reader
	dec  decoder
	sess *session.Session
	// atRest: the client has the word, and nothing of its next message was taken.
	atRest bool
	// turn is odd while a message is handled; the watch looks whether it moves.
	turn atomic.Uint64
	// watched is what turn was when the watch last came by; the watch's own.
	watched uint64
	// session is sess for others to see.
	session atomic.Pointer[session.Session]
}

func newConn(s *Server, nc net.Conn) *conn {
	w := &writer{dst: nc}
	return &conn{writer: w, out: w, srv: s, nc: nc, in: newReader(nc, s.cfg.MaxMessageBytes)}
}

// run serves the client to its end.
func (c *conn) run(ctx context.Context) {
	defer c.nc.Close()
	err := c.work(ctx)
	var e *pgerr.Error
	switch {
	case errors.As(err, &e):
		c.out.sendError(e)
		c.linger()
	case err == nil, errors.Is(err, errNoSession), errors.Is(err, io.EOF), errors.Is(err, net.ErrClosed):
	default:
		c.srv.cfg.Logger.Debug("lost a client", "remote", c.nc.RemoteAddr().String(), "error", err)
	}
}

// work lets the client in and serves it; the session is closed when it returns.
func (c *conn) work(ctx context.Context) (err error) {
	defer func() {
		if p := recover(); p != nil {
			c.srv.cfg.Logger.Error("panic in a connection", "remote", c.nc.RemoteAddr().String(), "panic", fmt.Sprint(p), "stack", string(debug.Stack()))
			err = errNoSession
		}
		if c.sess != nil {
			c.sess.Close()
		}
	}()
	if err := c.startup(); err != nil {
		return err
	}
	return c.serve(ctx)
}

// linger sends the last words. A client that does not take them is not waited for, and
// one that is still sending is read from for a moment, for closing with unread bytes
// would throw away what it has not read yet.
func (c *conn) linger() {
	c.nc.SetDeadline(time.Now().Add(lingerTime)) // fails only when the socket is closed already
	if c.out.flush() != nil {
		return
	}
	if t, ok := c.nc.(*net.TCPConn); ok && t.CloseWrite() == nil {
		c.nc.SetReadDeadline(time.Now().Add(drainTime))
		io.CopyN(io.Discard, c.nc, drainBytes)
	}
}

const (
	lingerTime = 2 * time.Second
	drainTime  = 100 * time.Millisecond
	drainBytes = 1 << 20
)

// serve answers messages until the client leaves. A failed statement is reported and
// forgotten; a broken socket or protocol ends the loop, for this client alone. After an
// error outside a simple query everything up to Sync is skipped.
func (c *conn) serve(ctx context.Context) error {
	ready, skip := true, false
	for {
		if ready {
			if err := c.ready(); err != nil {
				return err
			}
			ready = false
		}
		typ, body, err := c.receive()
		if err != nil {
			return err
		}
		switch {
		case typ == 'X':
			return c.out.flush()
		case typ == 'S':
			skip = false
		case skip:
			continue
		}
		c.turn.Add(1)
		err = c.handle(ctx, typ, body)
		c.turn.Add(1)
		if err != nil {
			var e *pgerr.Error
			if !errors.As(err, &e) || e.Severity == pgerr.SeverityFatal {
				return err
			}
			c.out.sendError(e)
			skip = extended(typ)
			if skip { // the client may wait for the bad news before it sends Sync
				if err := c.out.flush(); err != nil {
					return err
				}
			}
		}
		if doom := c.sess.Doomed(); doom != nil {
			return doom
		}
		if c.out.err != nil {
			return c.out.err
		}
		ready = typ == 'Q' || typ == 'S' || typ == 'F'
	}
}

// extended reports whether an error in a message of this type makes the server skip to
// the next Sync.
func extended(typ byte) bool {
	switch typ {
	case 'P', 'B', 'D', 'E', 'C', 'H':
		return true
	}
	return false
}

// ready tells the client that it is its turn.
func (c *conn) ready() error {
	c.notify()
	c.reportSettings()
	c.out.send(&pgproto3.ReadyForQuery{TxStatus: c.sess.Status()})
	c.atRest = true
	return c.out.flush()
}

// receive waits for the client's next message. While nothing of one has come, there may
// be news for the client, it may have been idle for too long, and the server may end.
func (c *conn) receive() (typ byte, body []byte, err error) {
	var end time.Time // of the client's patience; zero for none
	var tooLong *pgerr.Error
	if c.atRest {
		var limit time.Duration
		if limit, tooLong = c.sess.IdleLimit(); limit > 0 {
			end = time.Now().Add(limit)
			if err := c.nc.SetReadDeadline(end); err != nil {
				return 0, nil, err
			}
		}
	}
	for {
		if e := c.sess.Doomed(); e != nil {
			return 0, nil, e
		}
		if c.atRest && !c.in.buffered() {
			if c.srv.draining.Load() {
				return 0, nil, errShutdown()
			}
			if c.notify() {
				if err := c.out.flush(); err != nil {
					return 0, nil, err
				}
			}
		}
		typ, body, err = c.in.next()
		if err == nil || !errors.Is(err, os.ErrDeadlineExceeded) {
			break
		}
		// The limit has passed, or somebody woke us: look again.
		if !end.IsZero() && c.in.buffered() {
			end = time.Time{} // a message has begun
		}
		if !end.IsZero() && !time.Now().Before(end) {
			return 0, nil, tooLong
		}
		if err := c.nc.SetReadDeadline(end); err != nil {
			return 0, nil, err
		}
	}
	if !end.IsZero() && err == nil {
		err = c.nc.SetReadDeadline(time.Time{})
	}
	c.atRest = false
	return typ, body, err
}

// notify sends the notifications that wait, and reports whether there were any.
func (c *conn) notify() bool {
	notes := c.sess.Notifications()
	for _, n := range notes {
		c.out.send(&pgproto3.NotificationResponse{PID: uint32(n.PID), Channel: n.Channel, Payload: n.Payload})
	}
	return len(notes) > 0
}

func errShutdown() error {
	return fatal(pgerr.New(pgerr.AdminShutdown, "terminating connection due to administrator command"))
}

// shutdown ends the client whatever it does. Any goroutine may call it.
func (c *conn) shutdown() {
	if sess := c.session.Load(); sess != nil {
		sess.Shutdown()
	}
	c.wake()
}

// wake makes a blocked read look at what has changed. Any goroutine may call it.
func (c *conn) wake() {
	// It fails only when the socket is closed, which wakes the reader too.
	_ = c.nc.SetReadDeadline(time.Unix(1, 0))
}

// copyMessage waits for the next message of a COPY. A statement that is cancelled stops
// waiting.
func (c *conn) copyMessage() (typ byte, body []byte, err error) {
	for {
		typ, body, err = c.in.next()
		if err == nil || !errors.Is(err, os.ErrDeadlineExceeded) {
			break
		}
		if cause := c.sess.Cancelled(); cause != nil {
			err = cause
			break
		}
		if err := c.nc.SetReadDeadline(time.Time{}); err != nil {
			return 0, nil, err
		}
	}
	var e *pgerr.Error
	if err != nil && !errors.As(err, &e) {
		err = fatal(pgerr.Wrap(err, pgerr.ConnectionFailure, "unexpected EOF on client connection with an open transaction"))
	}
	return typ, body, err
}
