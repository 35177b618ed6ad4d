package session

import (
	"context"
	"errors"
	"fmt"
	"runtime/debug"
	"slices"
	"sync/atomic"
	"time"

	"raisind/pgerr"
	"raisind/sql/funcs"
	"raisind/sql/types"
	"raisind/storage"
)

// Startup is what a client says of itself when it connects.
type Startup struct {
	User, Database string
	// Settings are run-time settings in the order given.
	Settings []Option
	// Remote names the client's address for the log and for pg_stat_activity.
	Remote string
	// LongKey asks for a cancel key of 32 bytes instead of 4.
	LongKey bool
	// Wake is called, from any goroutine, when whoever waits for the session's client
	// should look at Doomed and, within a COPY, at Cancelled. It may be nil.
	Wake func()
}

// Option is a setting with its value.
type Option struct{ Name, Value string }

// Session is one client's session. All methods but Doomed are called by one goroutine.
//
// A session ends by Close. Others can make it end sooner: Engine.Terminate,
// pg_terminate_backend and Lost doom it, which cancels the running statement; whoever
// owns the session then finds Doomed and closes it.
type Session struct {
	engine *Engine
	client Client
	start  Startup
	pid    int32
	secret []byte
	owner  *storage.Owner
	intr   interrupts
	inbox  inbox
	random *funcs.Random

	settings settings
	env      *types.Env
	path     []string // the names of search_path
	temp     string   // the session's own schema, empty as long as it needs none

	sequences    map[uint32]*sequenceUse // by the OIDs of those used
	lastSequence uint32                  // the one that gave the last value

	tx       *transaction
	routines routines
	prepared map[string]*prepared
	unnamed  *prepared
	portals  map[string]*portal
	spare    *portal // the memory of the last unnamed portal
	// portalNumber numbers portals in the order they are made.
	portalNumber uint64

	// What follows is derived from settings.
	noticeLevel                   int
	statementTimeout, lockTimeout time.Duration
	// Memory of sorts and hash tables and the bound on temporary files, in bytes; 0 is the default.
	workMemBytes, hashMemBytes, tempFileBytes int64
	idleTimeout, idleInTxTimeout              time.Duration
	syncCommit, defaultReadOnly               bool
	defaultLevel                              string
	planKey                                   string // settings a plan may depend on

	noticeFn func(*pgerr.Error) // notice, made a value once
	// statementTime is when the message in hand arrived.
	statementTime time.Time
	// running is the text of the statement in hand, for the log.
	running string
	// began is when the client was let in; activity is what others may see.
	began    time.Time
	activity activity
	// ctx of the message in hand, for functions that call back into the session.
	ctx context.Context
	// plans counts statements that had to be planned.
	plans atomic.Uint64
}

// NewSession lets a client in. Errors are FATAL.
func (e *Engine) NewSession(start Startup, c Client) (*Session, error) {
	s, err := e.newSession(start, c)
	if err != nil {
		fatal := *pgerr.From(err)
		fatal.Severity = pgerr.SeverityFatal
		return nil, &fatal
	}
	return s, nil
}

func (e *Engine) newSession(start Startup, c Client) (*Session, error) {
	if start.User == "" {
		return nil, pgerr.New(pgerr.InvalidAuthorizationSpecification, "no PostgreSQL user name specified in startup packet")
	}
	if start.Database == "" {
		start.Database = start.User
	}
	if !slices.Contains(e.cfg.Databases, start.Database) {
		return nil, pgerr.New(pgerr.InvalidCatalogName, `database "%s" does not exist`, start.Database)
	}
	s := &Session{
		engine: e, client: c, start: start,
		began: e.cfg.Clock(), env: types.DefaultEnv(), prepared: map[string]*prepared{}, portals: map[string]*portal{},
	}
	s.env.RegName, s.env.RegOID = s.regName, s.regOID
	s.intr.wake = start.Wake
	s.noticeFn = s.notice
	s.random = funcs.NewRandom()
	s.settings.init(e.fixed)
	s.settings.startup["session_authorization"] = start.User
	for _, d := range settingsTable {
		if d.apply != nil {
			d.apply(s, s.value(&d))
		}
	}
	for _, o := range start.Settings {
		if err := s.setAtStartup(o.Name, o.Value); err != nil {
			return nil, err
		}
	}
	if err := e.register(s); err != nil {
		return nil, err
	}
	s.owner = e.cfg.DB.NewOwner()
	return s, nil
}

// Close ends the session: an open transaction is rolled back.
func (s *Session) Close() {
	defer s.engine.unregister(s)
	defer s.intr.close()
	defer s.owner.Close()
	defer s.engine.hub.forget(s)
	defer s.dropTemporary()
	if p := s.guard(func() error { s.rollback(); s.closePortals(true); return nil }); p != nil {
		s.engine.cfg.Logger.Error("closing a session", "pid", s.pid, "error", p)
	}
}

// Key returns what a cancel request must show.
func (s *Session) Key() (pid int32, secret []byte) { return s.pid, s.secret }

// Doomed returns why the session must end now, or nil. Any goroutine may call it.
func (s *Session) Doomed() *pgerr.Error { return s.intr.doomed() }

// Lost tells the session that its client is gone. Any goroutine may call it.
func (s *Session) Lost() {
	e := pgerr.New(pgerr.ConnectionFailure, "connection to client lost")
	e.Severity = pgerr.SeverityFatal
	s.intr.terminate(e)
}

// Status is the transaction status of ReadyForQuery: I idle, T in a transaction block,
// E in one that failed.
func (s *Session) Status() byte {
	switch {
	case s.tx == nil || !s.tx.block:
		return 'I'
	case s.tx.failed:
		return 'E'
	}
	return 'T'
}

// IdleLimit returns how long the session may wait for its client's next message, 0 for
// ever, and what to say when it waited too long.
func (s *Session) IdleLimit() (time.Duration, *pgerr.Error) {
	var d time.Duration
	var e *pgerr.Error
	if s.Status() == 'I' {
		if d = s.idleTimeout; d > 0 {
			e = pgerr.New(pgerr.IdleSessionTimeout, "terminating connection due to idle-session timeout")
		}
	} else if d = s.idleInTxTimeout; d > 0 {
		e = pgerr.New(pgerr.IdleInTransactionSessionTimeout, "terminating connection due to idle-in-transaction timeout")
	}
	if e != nil {
		e.Severity = pgerr.SeverityFatal
	}
	return d, e
}

// handle runs the handling of one message. Others can cancel it through ctx; whatever
// goes wrong comes back as an error of ours, and the transaction has taken notice.
func (s *Session) handle(parent context.Context, fn func(context.Context) error) error {
	ctx := s.intr.begin(parent, s.statementTimeout)
	s.ctx = ctx
	began := s.engine.cfg.Clock()
	s.statementTime = began
	s.activity.busy(began, s)
	err := s.guard(func() error { return fn(ctx) })
	if err != nil {
		err = s.explain(ctx, err)
		if p := s.guard(func() error { s.fail(); return nil }); p != nil {
			// What the transaction holds cannot be given back in order; only the end of the
			// session can.
			s.tx = nil
			s.intr.terminate(fatal(p))
			err = fatal(p)
		}
	}
	s.intr.end()
	s.activity.idle(began, s)
	s.engine.count(func(ev *Events) {
		if ev.Statement != nil {
			code := ""
			if err != nil {
				code = pgerr.From(err).Code.String()
			}
			ev.Statement(s.engine.cfg.Clock().Sub(began), code)
		}
	})
	return err
}

// guard runs fn; a panic becomes XX000 and is logged with the statement.
func (s *Session) guard(fn func() error) (err error) {
	defer func() {
		if p := recover(); p != nil {
			s.engine.cfg.Logger.Error("panic in a session", "pid", s.pid, "statement", s.running,
				"panic", fmt.Sprint(p), "stack", string(debug.Stack()))
			s.engine.count(func(ev *Events) { callIf(ev.Panic, fmt.Sprint(p)) })
			err = pgerr.New(pgerr.InternalError, "internal error: %v", p).
				WithHint("The server's log has the details; please report them.")
		}
	}()
	return fn()
}

// explain turns an error into one a client can read: the reason of a cancellation
// instead of its symptom.
func (s *Session) explain(ctx context.Context, err error) error {
	if ctx.Err() != nil && isCancellation(err) {
		if cause := context.Cause(ctx); cause != nil {
			err = cause
		}
	}
	err = mapError(err)
	var e *pgerr.Error
	if !errors.As(err, &e) { // a mistake of ours
		e = pgerr.From(err)
		s.engine.cfg.Logger.Error("internal error", "pid", s.pid, "statement", s.running, "error", err)
	}
	return e
}

func fatal(err error) *pgerr.Error {
	e := *pgerr.From(err)
	e.Severity = pgerr.SeverityFatal
	return &e
}

// notice sends a notice if client_min_messages lets it pass.
func (s *Session) notice(e *pgerr.Error) {
	if noticeRank(e.Severity) >= s.noticeLevel {
		s.client.Notice(e)
	}
}

// noticeRank orders severities as client_min_messages does; INFO always passes.
func noticeRank(sev pgerr.Severity) int {
	switch sev {
	case pgerr.SeverityInfo:
		return len(levelWords)
	case pgerr.SeverityDebug:
		return slices.Index(levelWords, "debug1")
	case pgerr.SeverityLog:
		return slices.Index(levelWords, "log")
	case pgerr.SeverityWarning:
		return slices.Index(levelWords, "warning")
	}
	return slices.Index(levelWords, "notice")
}

// Reject takes notice of a message that could not be understood: its error ends what a
// failed statement would end.
func (s *Session) Reject(ctx context.Context, err error) error {
	return s.handle(ctx, func(context.Context) error { return err })
}

// Cancelled returns why the message in hand should stop, or nil. Its client's side asks
// when it was woken while waiting for COPY data.
func (s *Session) Cancelled() error {
	if s.ctx == nil || s.ctx.Err() == nil {
		return nil
	}
	return context.Cause(s.ctx)
}
