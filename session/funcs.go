package session

import (
	"raisind/catalog"
	"raisind/pgerr"
	"raisind/sql/syscat"
	"raisind/sql/types"
)

// The session as functions see it: funcs.Session.

// Setting implements funcs.Session.
func (s *Session) Setting(name string) (string, bool) {
	_, v, err := s.show(name)
	return v, err == nil
}

func (s *Session) settingOrEmpty(name string) string {
	v, _ := s.Setting(name)
	return v
}

// SetSetting implements funcs.Session.
func (s *Session) SetSetting(name, value string, local bool) error {
	return s.set(name, &value, local)
}

// User implements funcs.Session: the current user.
func (s *Session) User() string {
	if role := s.value(settingByName["role"]); role != "none" {
		return role
	}
	return s.sessionUser()
}

func (s *Session) sessionUser() string { return s.value(settingByName["session_authorization"]) }

// Database implements funcs.Session.
func (s *Session) Database() string { return s.start.Database }

// PID implements funcs.Session.
func (s *Session) PID() int32 { return s.pid }

// ServerVersion implements funcs.Session: the text of version().
func (s *Session) ServerVersion() string { return s.engine.version }

// names finds and names objects of the catalog as the session sees them.
func (s *Session) names() *syscat.Names { return s.engine.system.Names(s) }

// RelationName implements funcs.Session.
func (s *Session) RelationName(oid uint32) (schema, name string, ok bool) {
	if r, ok := s.catalogNow().ByOID(oid); ok {
		return r.Schema, r.Name, true
	}
	return s.names().RelationName(oid)
}

// RelationOID implements funcs.Session.
func (s *Session) RelationOID(name string) (uint32, bool) {
	oid, err := s.regOID(types.TRegclass, name)
	return oid, err == nil
}

// Notice implements funcs.Session.
func (s *Session) Notice(severity, msg string) {
	e := pgerr.Notice("%s", msg)
	e.Severity = pgerr.Severity(severity)
	s.notice(e)
}

// Cancel implements funcs.Session.
func (s *Session) Cancel(pid int32) bool { return s.engine.cancelPID(pid) }

// Terminate implements funcs.Session.
func (s *Session) Terminate(pid int32) bool { return s.engine.Terminate(pid) }

// CancelRebuild implements funcs.Rebuilder.
func (s *Session) CancelRebuild(job string) bool { return s.engine.indexer.CancelRebuild(job) }

// TransactionID implements funcs.Session.
func (s *Session) TransactionID() int64 {
	if s.tx == nil {
		return 0
	}
	return int64(s.tx.store.ID())
}

// userOID is the OID of the user a database begins with.
const userOID = catalog.BootstrapRole

// regName names what a value of a reg type stands for.
func (s *Session) regName(t *types.Type, oid uint32) (string, bool) { return s.names().Name(t, oid) }

// regOID finds what the text of a reg type names.
func (s *Session) regOID(t *types.Type, name string) (uint32, error) {
	if t == types.TRegclass {
		// Relations of the database need no list of all there are.
		if parts, ok := syscat.SplitName(name); ok && len(parts) <= 2 {
			schema := ""
			if len(parts) == 2 {
				schema = parts[0]
			}
			if r, ok := s.findRelation(schema, parts[len(parts)-1]); ok {
				return r.OID, nil
			}
		}
	}
	return s.names().Find(t, name)
}
