package session

import (
	"sync"
	"sync/atomic"
	"unicode/utf8"

	"raisind/pgerr"
)

// Notification is what LISTEN waits for.
type Notification struct {
	PID              int32
	Channel, Payload string
}

const (
	// maxChannelBytes and maxPayloadBytes are PostgreSQL's bounds.
	maxChannelBytes = 63
	maxPayloadBytes = 7999
	// maxInbox bounds the notifications that wait for one session. While one is full,
	// NOTIFY on its channels fails.
	maxInbox = 100_000
)

// hub brings notifications to the sessions that listen. Safe for concurrent use.
type hub struct {
	mu       sync.Mutex
	channels map[string]map[*Session]struct{}
}

// inbox holds what waits for one session.
type inbox struct {
	mu    sync.Mutex
	notes []Notification
	full  atomic.Bool
	any   atomic.Bool
}

// listenAction is a LISTEN or UNLISTEN, done when its transaction commits. An empty
// channel is all of them.
type listenAction struct {
	channel string
	on      bool
}

// listen is LISTEN and UNLISTEN.
func (s *Session) listen(channel string, on bool) {
	tx := s.ensureTx()
	tx.listens = append(tx.listens, listenAction{channel, on})
}

// Notify implements funcs.Notifier: the notification goes out when the transaction
// commits, once however often it was asked for.
func (s *Session) Notify(channel, payload string) error {
	if len(payload) > maxPayloadBytes {
		return pgerr.New(pgerr.InvalidParameterValue, "payload string too long")
	}
	if s.engine.hub.full(channel) {
		return pgerr.New(pgerr.ProgramLimitExceeded, "too many notifications in the NOTIFY queue")
	}
	tx := s.ensureTx()
	n := Notification{s.pid, channel, payload}
	// ROLLBACK TO may have taken back what was noted.
	if i, noted := tx.noted[n]; noted && i < len(tx.notes) && tx.notes[i] == n {
		return nil
	}
	if tx.noted == nil {
		tx.noted = map[Notification]int{}
	}
	tx.noted[n] = len(tx.notes)
	tx.notes = append(tx.notes, n)
	return nil
}

// announce does what LISTEN, UNLISTEN and NOTIFY left for the end of tx, which has
// committed.
func (s *Session) announce(tx *transaction) {
	if len(tx.listens) == 0 && len(tx.notes) == 0 {
		return
	}
	h := &s.engine.hub
	h.mu.Lock()
	defer h.mu.Unlock()
	for _, a := range tx.listens {
		h.set(s, a)
	}
	for _, n := range tx.notes {
		for l := range h.channels[n.Channel] {
			l.inbox.put(n)
			if l != s { // s looks by itself
				l.intr.knock()
			}
		}
	}
}

// set makes s listen or not. The hub is locked.
func (h *hub) set(s *Session, a listenAction) {
	switch {
	case a.on:
		if h.channels == nil {
			h.channels = map[string]map[*Session]struct{}{}
		}
		if h.channels[a.channel] == nil {
			h.channels[a.channel] = map[*Session]struct{}{}
		}
		h.channels[a.channel][s] = struct{}{}
	case a.channel == "":
		for c := range h.channels {
			h.leave(s, c)
		}
	default:
		h.leave(s, a.channel)
	}
}

func (h *hub) leave(s *Session, channel string) {
	delete(h.channels[channel], s)
	if len(h.channels[channel]) == 0 {
		delete(h.channels, channel)
	}
}

// forget ends all listening of a session.
func (h *hub) forget(s *Session) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.set(s, listenAction{})
}

// full reports whether a session that listens to channel takes no more.
func (h *hub) full(channel string) bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	for s := range h.channels[channel] {
		if s.inbox.full.Load() {
			return true
		}
	}
	return false
}

func (b *inbox) put(n Notification) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.notes = append(b.notes, n)
	b.any.Store(true)
	b.full.Store(len(b.notes) >= maxInbox)
}

// Notifications takes the notifications that wait for the client; none while a
// transaction runs. The session's own goroutine calls it when the client has the word.
func (s *Session) Notifications() []Notification {
	if !s.inbox.any.Load() || s.tx != nil {
		return nil
	}
	b := &s.inbox
	b.mu.Lock()
	defer b.mu.Unlock()
	notes := b.notes
	b.notes = nil
	b.any.Store(false)
	b.full.Store(false)
	return notes
}

// channelName cuts a name at the length of an identifier.
func channelName(name string) string {
	if len(name) <= maxChannelBytes {
		return name
	}
	n := maxChannelBytes
	for n > 0 && !utf8.RuneStart(name[n]) {
		n--
	}
	return name[:n]
}
