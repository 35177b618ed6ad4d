package session

import (
	"crypto/rand"
	"crypto/subtle"
	"time"

	"raisind/pgerr"
	"raisind/storage"
)

// Events are told of what happens, each by one call that must be quick. A nil function
// is not called.
type Events struct {
	// Session is called when a session begins (+1) and ends (-1).
	Session func(delta int)
	// Commit is called for each commit.
	Commit func(storage.CommitInfo)
	// Ran is called when a statement begins to run, with its command: SELECT, UPDATE …
	Ran func(command string)
	// Statement is called when a message has been handled; code is the SQLSTATE of its
	// error, empty without one.
	Statement func(took time.Duration, code string)
	// Panic is called for each panic that a session survived.
	Panic func(what string)
}

// count calls fn when somebody listens.
func (e *Engine) count(fn func(*Events)) {
	if e.cfg.Events != nil {
		fn(e.cfg.Events)
	}
}

// countRun tells that a statement of a portal begins to run.
func (s *Session) countRun(p *portal) {
	if ev := s.engine.cfg.Events; ev != nil && !p.started {
		callIf(ev.Ran, commandName(p.prep.stmt.Node))
	}
}

func callIf[T any](fn func(T), v T) {
	if fn != nil {
		fn(v)
	}
}

// register gives a session its number and key, and a place among the others.
func (e *Engine) register(s *Session) error {
	size := 4
	if s.start.LongKey {
		size = 32
	}
	s.secret = make([]byte, size)
	if _, err := rand.Read(s.secret); err != nil {
		return pgerr.Wrap(err, pgerr.InternalError, "could not generate a cancel key")
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.closed {
		return pgerr.New(pgerr.CannotConnectNow, "the database system is shutting down")
	}
	if len(e.sessions) >= e.cfg.MaxSessions {
		return pgerr.New(pgerr.TooManyConnections, "sorry, too many clients already")
	}
	for {
		e.lastPID++
		if e.lastPID <= 0 {
			e.lastPID = 1
		}
		if e.sessions[e.lastPID] == nil {
			break
		}
	}
	s.pid = e.lastPID
	e.sessions[s.pid] = s
	e.count(func(ev *Events) { callIf(ev.Session, 1) })
	return nil
}

func (e *Engine) unregister(s *Session) {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.sessions[s.pid] == s {
		delete(e.sessions, s.pid)
		e.count(func(ev *Events) { callIf(ev.Session, -1) })
	}
}

func (e *Engine) session(pid int32) *Session {
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.sessions[pid]
}

// Cancel ends the statement a session is running, if the secret is the session's. It
// never tells whether it was.
func (e *Engine) Cancel(pid int32, secret []byte) {
	s := e.session(pid)
	if s != nil && subtle.ConstantTimeCompare(s.secret, secret) == 1 {
		s.intr.cancelStatement()
	}
}

// cancelPID is pg_cancel_backend.
func (e *Engine) cancelPID(pid int32) bool {
	s := e.session(pid)
	if s == nil {
		return false
	}
	s.intr.cancelStatement()
	return true
}

// Terminate ends a session, as pg_terminate_backend does; false when there is none.
func (e *Engine) Terminate(pid int32) bool {
	s := e.session(pid)
	if s == nil {
		return false
	}
	s.Shutdown()
	return true
}

// Shutdown dooms the session by the administrator's wish. Any goroutine may call it.
func (s *Session) Shutdown() {
	e := pgerr.New(pgerr.AdminShutdown, "terminating connection due to administrator command")
	e.Severity = pgerr.SeverityFatal
	s.intr.terminate(e)
}
