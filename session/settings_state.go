package session

import (
	"maps"
	"strings"

	"raisind/pgerr"
)

// settings are one session's values. A value is looked for from the transaction's own
// (SET LOCAL) over the session's (SET) and what the client asked for at startup to what
// the server was started with and the table's default. Names are in lower case.
type settings struct {
	fixed                   map[string]string // shared by all sessions
	startup, session, local map[string]string
	// undo is what a rollback restores, oldest first.
	undo []settingUndo
	// reported is what the client was told last; changed tells that something may differ.
	reported map[string]string
	changed  bool
}

type settingUndo struct {
	name           string
	session, local *string
}

func (st *settings) init(fixed map[string]string) {
	*st = settings{
		fixed: fixed, startup: map[string]string{}, session: map[string]string{}, local: map[string]string{},
		reported: map[string]string{}, changed: true,
	}
}

// stored returns the value of a name, custom ones included.
func (st *settings) stored(name string) (string, bool) {
	for _, m := range [...]map[string]string{st.local, st.session, st.startup, st.fixed} {
		if v, ok := m[name]; ok {
			return v, true
		}
	}
	return "", false
}

// value returns the value of a setting of the table, as it is kept.
func (s *Session) value(d *setting) string {
	if d.show != nil && s.engine != nil {
		return d.show(s)
	}
	if v, ok := s.settings.stored(strings.ToLower(d.name)); ok {
		return v
	}
	return d.boot
}

// resetValue is what RESET goes back to.
func (s *Session) resetValue(d *setting) string {
	name := strings.ToLower(d.name)
	if v, ok := s.settings.startup[name]; ok {
		return v
	}
	if v, ok := s.settings.fixed[name]; ok {
		return v
	}
	return d.boot
}

// setAtStartup applies a setting of the startup packet.
func (s *Session) setAtStartup(name, value string) error {
	d := findSetting(name)
	if d == nil {
		if err := customSetting(name); err != nil {
			return err
		}
		s.settings.startup[strings.ToLower(name)] = value
		return nil
	}
	if err := d.mayChange(true); err != nil {
		return err
	}
	value, err := d.canonical(s, value)
	if err != nil {
		return err
	}
	s.settings.startup[strings.ToLower(d.name)] = value
	if d.apply != nil {
		d.apply(s, value)
	}
	return nil
}

// set changes a setting, for the transaction only when local. A nil value resets it.
func (s *Session) set(name string, value *string, local bool) error {
	d := findSetting(name)
	key := strings.ToLower(name)
	if d == nil {
		if err := customSetting(name); err != nil {
			return err
		}
		if value == nil { // a name once made up stays known
			value = new(string)
		}
		s.put(key, value, local)
		return nil
	}
	if err := d.mayChange(false); err != nil {
		return err
	}
	if handled, err := s.setTransactionMode(d, value); handled {
		return err
	}
	if value != nil {
		v, err := d.canonical(s, *value)
		if err != nil {
			return err
		}
		value = &v
	} else if local {
		v := s.resetValue(d)
		value = &v
	}
	s.put(strings.ToLower(d.name), value, local)
	if d.apply != nil {
		d.apply(s, s.value(d))
	}
	return nil
}

// put stores a value, remembering the old one for a rollback. A nil value leaves the
// one of startup.
func (s *Session) put(key string, value *string, local bool) {
	st := &s.settings
	if s.tx != nil {
		st.undo = append(st.undo, settingUndo{key, lookup(st.session, key), lookup(st.local, key)})
	}
	if local {
		store(st.local, key, value)
	} else {
		delete(st.local, key)
		store(st.session, key, value)
	}
	st.changed = true
}

func lookup(m map[string]string, key string) *string {
	if v, ok := m[key]; ok {
		return &v
	}
	return nil
}

func store(m map[string]string, key string, value *string) {
	if value == nil {
		delete(m, key)
	} else {
		m[key] = *value
	}
}

// resetAll is RESET ALL.
func (s *Session) resetAll() error {
	keys := maps.Clone(s.settings.session)
	maps.Copy(keys, s.settings.local)
	for key := range keys {
		if d := settingByName[key]; d != nil && d.noReset {
			continue
		}
		if err := s.set(key, nil, false); err != nil {
			return err
		}
	}
	return nil
}

// settingsRollback undoes what was set since the undo log had this length.
func (s *Session) settingsRollback(to int) {
	st := &s.settings
	for len(st.undo) > to {
		u := st.undo[len(st.undo)-1]
		st.undo = st.undo[:len(st.undo)-1]
		store(st.session, u.name, u.session)
		store(st.local, u.name, u.local)
		s.reapply(u.name)
	}
}

// settingsCommit ends what SET LOCAL set.
func (s *Session) settingsCommit() {
	st := &s.settings
	st.undo = st.undo[:0]
	if len(st.local) == 0 {
		return
	}
	ended := st.local
	st.local = map[string]string{}
	for name := range ended {
		s.reapply(name)
	}
}

func (s *Session) reapply(name string) {
	s.settings.changed = true
	if d := settingByName[name]; d != nil && d.apply != nil {
		d.apply(s, s.value(d))
	}
}

// ReportSettings calls fn for each setting a client must hear of that has changed since
// the last call; the first call reports all of them.
func (s *Session) ReportSettings(fn func(name, value string)) {
	if !s.settings.changed {
		return
	}
	s.settings.changed = false
	for _, d := range settingsSorted {
		if !d.report {
			continue
		}
		v := s.value(d)
		if old, ok := s.settings.reported[d.name]; !ok || old != v {
			s.settings.reported[d.name] = v
			fn(d.name, v)
		}
	}
}

// SettingInfo is one line of SHOW ALL.
type SettingInfo struct{ Name, Value, Doc string }

// Settings lists the settings as SHOW ALL does.
func (s *Session) Settings() []SettingInfo {
	var all []SettingInfo
	for _, d := range settingsSorted {
		if !d.hidden {
			all = append(all, SettingInfo{d.name, d.display(s.value(d)), d.doc})
		}
	}
	return all
}

// show returns a setting as SHOW prints it, and its name as the table spells it.
func (s *Session) show(name string) (spelling, value string, err error) {
	if d := findSetting(name); d != nil {
		return d.name, d.display(s.value(d)), nil
	}
	if v, ok := s.settings.stored(strings.ToLower(name)); ok && strings.Contains(name, ".") {
		return name, v, nil
	}
	return "", "", unknownSetting(name)
}

// setTransactionMode handles the settings that are modes of the running transaction.
func (s *Session) setTransactionMode(d *setting, value *string) (handled bool, err error) {
	switch d.name {
	case "transaction_isolation", "transaction_read_only", "transaction_deferrable":
	default:
		return false, nil
	}
	if value == nil {
		return true, pgerr.New(pgerr.CantChangeRuntimeParam, `parameter "%s" cannot be reset`, d.name)
	}
	v, err := d.canonical(s, *value)
	if err != nil {
		return true, err
	}
	s.ensureTx()
	switch d.name {
	case "transaction_isolation":
		return true, s.setLevel(v)
	case "transaction_read_only":
		return true, s.setReadOnly(v == "on")
	}
	return true, s.setDeferrable(v == "on")
}
