package session

import (
	"strings"

	"raisind/pgerr"
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

// SearchPath implements funcs.Session.
func (s *Session) SearchPath() []string { return s.path }

// PID implements funcs.Session.
func (s *Session) PID() int32 { return s.pid }

// ServerVersion implements funcs.Session: the text of version().
func (s *Session) ServerVersion() string { return s.engine.version }

// RelationName implements funcs.Session.
func (s *Session) RelationName(oid uint32) (schema, name string, ok bool) {
	for _, r := range s.catalogNow().Relations() {
		if r.OID == oid {
			return r.Schema, r.Name, true
		}
	}
	return "", "", false
}

// RelationOID implements funcs.Session.
func (s *Session) RelationOID(name string) (uint32, bool) {
	parts, ok := splitQualified(name)
	if !ok || len(parts) > 2 {
		return 0, false
	}
	schemas := s.path
	if len(parts) == 2 {
		schemas = parts[:1]
	}
	snap := s.catalogNow()
	for _, schema := range schemas {
		if r, ok := snap.ByName(schema, parts[len(parts)-1]); ok {
			return r.OID, true
		}
	}
	return 0, false
}

// splitQualified splits a name as SQL writes it: public.fleet, "My Fleet".
func splitQualified(name string) ([]string, bool) {
	var parts []string
	for rest := strings.TrimSpace(name); ; {
		var part string
		if strings.HasPrefix(rest, `"`) {
			end := 1
			for end < len(rest) && (rest[end] != '"' || end+1 < len(rest) && rest[end+1] == '"') {
				if rest[end] == '"' {
					end++
				}
				end++
			}
			if end >= len(rest) {
				return nil, false
			}
			part, rest = strings.ReplaceAll(rest[1:end], `""`, `"`), rest[end+1:]
		} else {
			end := strings.IndexByte(rest, '.')
			if end < 0 {
				end = len(rest)
			}
			part, rest = strings.ToLower(rest[:end]), rest[end:]
		}
		if part == "" {
			return nil, false
		}
		parts = append(parts, part)
		if rest == "" {
			return parts, true
		}
		if rest[0] != '.' {
			return nil, false
		}
		rest = rest[1:]
	}
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

// TransactionID implements funcs.Session.
func (s *Session) TransactionID() int64 {
	if s.tx == nil {
		return 0
	}
	return int64(s.tx.store.ID())
}

// regName names what a regclass value stands for.
func (s *Session) regName(t *types.Type, oid uint32) (string, bool) {
	if t != types.TRegclass {
		return "", false
	}
	schema, name, ok := s.RelationName(oid)
	if !ok {
		return "", false
	}
	if found, ok := s.RelationOID(quoteIdentifier(name)); ok && found == oid {
		return quoteIdentifier(name), true
	}
	return quoteIdentifier(schema) + "." + quoteIdentifier(name), true
}

// regOID finds what a regclass text names.
func (s *Session) regOID(t *types.Type, name string) (uint32, error) {
	if t != types.TRegclass {
		return 0, pgerr.New(pgerr.UndefinedObject, `"%s" does not exist`, name)
	}
	oid, ok := s.RelationOID(name)
	if !ok {
		return 0, pgerr.New(pgerr.UndefinedTable, `relation "%s" does not exist`, name)
	}
	return oid, nil
}
