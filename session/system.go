package session

import (
	"strings"
	"sync"
	"time"

	"raisind/catalog"
	"raisind/sql/syscat"
	"raisind/sql/types"
)

// The session as the relations of the catalog see it: syscat.Session and syscat.Server.

// CatalogSnapshot implements syscat.Session.
func (s *Session) CatalogSnapshot() *catalog.Snapshot { return s.catalogNow() }

// Server implements syscat.Session.
func (s *Session) Server() syscat.Server { return server{s} }

type server struct{ s *Session }

// Databases implements syscat.Server.
func (v server) Databases() []string { return v.s.engine.cfg.Databases }

// Owner implements syscat.Server.
func (v server) Owner() string {
	if r, ok := v.s.catalogNow().RoleByOID(userOID); ok {
		return r.Name
	}
	return v.s.sessionUser()
}

// RowCount implements syscat.Server.
func (v server) RowCount(uint32) (int64, bool) { return 0, false }

// SizeBytes implements syscat.Server.
func (v server) SizeBytes(oid uint32) (int64, bool) { return v.s.SizeBytes(oid) }

// settingContexts and settingKinds are pg_settings' words.
var (
	settingContexts = map[settingContext]string{
		userContext: "user", backendContext: "backend", sighupContext: "sighup", postmasterContext: "postmaster", internalContext: "internal",
	}
	settingKinds = map[settingKind]string{boolSetting: "bool", intSetting: "integer", realSetting: "real", enumSetting: "enum", stringSetting: "string"}
)

// SettingRows implements syscat.Server.
func (v server) SettingRows() []syscat.Fact {
	s := v.s
	var out []syscat.Fact
	for _, d := range settingsSorted {
		if d.hidden {
			continue
		}
		f := syscat.Fact{
			"name", d.name, "setting", s.value(d), "category", "raisind", "short_desc", d.doc, "context", settingContexts[d.ctx],
			"vartype", settingKinds[d.kind], "source", v.source(d), "boot_val", d.boot, "reset_val", s.resetValue(d), "pending_restart", false,
		}
		if d.unit != "" {
			f = append(f, "unit", d.unit)
		}
		switch d.kind {
		case intSetting, realSetting:
			f = append(f, "min_val", formatNumber(d.min), "max_val", formatNumber(d.max))
		case enumSetting:
			f = append(f, "enumvals", d.words)
		}
		out = append(out, f)
	}
	return out
}

// source tells where a setting's value comes from, as pg_settings does.
func (v server) source(d *setting) string {
	st, name := &v.s.settings, strings.ToLower(d.name)
	for _, from := range []struct {
		m    map[string]string
		word string
	}{{st.local, "session"}, {st.session, "session"}, {st.startup, "client"}, {st.fixed, "configuration file"}} {
		if _, ok := from.m[name]; ok {
			return from.word
		}
	}
	return "default"
}

// activity is what other sessions may know of one.
type activity struct {
	mu                           sync.Mutex
	query, state                 string
	queryStart, change, txnStart time.Time
	application                  string
}

// busy notes that a message of s is being handled.
func (a *activity) busy(now time.Time, s *Session) {
	a.mu.Lock()
	a.state, a.queryStart, a.change = "active", now, now
	if a.application == "" { // its first: later ones find what the one before left
		a.application = s.value(settingByName["application_name"])
	}
	a.mu.Unlock()
}

// idle notes that a message has been handled.
func (a *activity) idle(now time.Time, s *Session) {
	a.mu.Lock()
	a.change = now
	a.txnStart = time.Time{}
	switch s.Status() {
	case 'T':
		a.state = "idle in transaction"
	case 'E':
		a.state = "idle in transaction (aborted)"
	default:
		a.state = "idle"
	}
	if s.tx != nil {
		a.txnStart = s.tx.start
	}
	a.application = s.value(settingByName["application_name"])
	a.mu.Unlock()
}

// runs notes which text is being handled.
func (s *Session) runs(text string) {
	s.running = text
	s.activity.mu.Lock()
	s.activity.query = text
	s.activity.mu.Unlock()
}

// timestamp is a timestamptz, NULL for the zero time.
func timestamp(t time.Time) any {
	if t.IsZero() {
		return nil
	}
	return types.Int(t.UnixMicro() - types.EpochUnixSeconds*int64(time.Second/time.Microsecond))
}

// Backends implements syscat.Server.
func (v server) Backends() []syscat.Fact {
	e := v.s.engine
	e.mu.Lock()
	sessions := make([]*Session, 0, len(e.sessions))
	for _, s := range e.sessions {
		sessions = append(sessions, s)
	}
	e.mu.Unlock()
	var out []syscat.Fact
	for _, s := range sessions {
		s.activity.mu.Lock()
		a := syscat.Fact{
			"datid", catalog.TheDatabase, "datname", s.start.Database, "pid", int(s.pid), "usesysid", userOID, "usename", s.start.User,
			"backend_start", timestamp(s.began), "backend_type", "client backend", "state", s.activity.state, "query", s.activity.query,
			"query_start", timestamp(s.activity.queryStart), "state_change", timestamp(s.activity.change),
			"xact_start", timestamp(s.activity.txnStart), "application_name", s.activity.application,
		}
		s.activity.mu.Unlock()
		if s == v.s {
			a = append(a, "application_name", s.value(settingByName["application_name"]))
			if s.tx != nil {
				a = append(a, "xact_start", timestamp(s.tx.start))
			}
		}
		out = append(out, a)
	}
	return out
}

// PreparedStatements implements syscat.Server.
func (v server) PreparedStatements() []syscat.Fact {
	var out []syscat.Fact
	for name, p := range v.s.prepared {
		params := make([]types.Datum, len(p.params))
		for i, t := range p.params {
			params[i] = types.Int(int64(t.OID))
		}
		out = append(out, syscat.Fact{
			"name", name, "statement", p.text, "prepare_time", timestamp(p.made), "parameter_types", types.NewArray(types.TRegtype, params),
			"from_sql", p.sql, "generic_plans", 0, "custom_plans", 0,
		})
	}
	return out
}

// Cursors implements syscat.Server.
func (v server) Cursors() []syscat.Fact {
	var out []syscat.Fact
	for name, p := range v.s.portals {
		if p.hidden {
			continue
		}
		f := syscat.Fact{"name", name, "statement", "", "creation_time", timestamp(p.made), "is_holdable", false, "is_binary", false, "is_scrollable", false}
		if p.prep != nil {
			f = append(f, "statement", p.prep.text)
		}
		if c := p.cursor; c != nil {
			f = append(f, "is_holdable", c.hold, "is_binary", c.binary, "is_scrollable", c.scroll == scrollYes)
		}
		out = append(out, f)
	}
	return out
}
