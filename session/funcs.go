package session

import (
	"slices"
	"strings"

	"raisind/catalog"
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

// SearchPath implements funcs.Session: the schemas of search_path that exist.
func (s *Session) SearchPath() []string {
	snap := s.catalogNow()
	var path []string
	for _, schema := range s.path {
		switch schema {
		case catalog.DefaultSchema, "pg_catalog", "information_schema":
			path = append(path, schema)
			continue
		}
		if slices.ContainsFunc(snap.Relations(), func(r *catalog.Relation) bool { return r.Schema == schema }) {
			path = append(path, schema)
		}
	}
	return path
}

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

// CancelRebuild implements funcs.Rebuilder.
func (s *Session) CancelRebuild(job string) bool { return s.engine.indexer.CancelRebuild(job) }

// TransactionID implements funcs.Session.
func (s *Session) TransactionID() int64 {
	if s.tx == nil {
		return 0
	}
	return int64(s.tx.store.ID())
}

// OIDs that PostgreSQL gives what every database has; information_schema's is ours.
var schemaOIDs = map[string]uint32{"pg_catalog": 11, "public": 2200, "information_schema": 13000}

// userOID is the OID of the user a database begins with, who is everybody here.
const userOID = 10

// regName names what a value of a reg type stands for.
func (s *Session) regName(t *types.Type, oid uint32) (string, bool) {
	switch t {
	case types.TRegclass:
		schema, name, ok := s.RelationName(oid)
		if !ok {
			return "", false
		}
		if found, ok := s.RelationOID(quoteIdentifier(name)); ok && found == oid {
			return quoteIdentifier(name), true
		}
		return quoteIdentifier(schema) + "." + quoteIdentifier(name), true
	case types.TRegnamespace:
		for name, o := range schemaOIDs {
			if o == oid {
				return name, true
			}
		}
	case types.TRegrole:
		return quoteIdentifier(s.sessionUser()), oid == userOID
	}
	return "", false
}

// regOID finds what the text of a reg type names.
func (s *Session) regOID(t *types.Type, name string) (uint32, error) {
	switch t {
	case types.TRegclass:
		if oid, ok := s.RelationOID(name); ok {
			return oid, nil
		}
		return 0, pgerr.New(pgerr.UndefinedTable, `relation "%s" does not exist`, name)
	case types.TRegnamespace:
		parts, ok := splitQualified(name)
		if ok && len(parts) == 1 && schemaOIDs[parts[0]] != 0 {
			return schemaOIDs[parts[0]], nil
		}
		return 0, pgerr.New(pgerr.InvalidSchemaName, `schema "%s" does not exist`, name)
	case types.TRegrole:
		parts, ok := splitQualified(name)
		if ok && len(parts) == 1 && parts[0] == s.sessionUser() {
			return userOID, nil
		}
		return 0, pgerr.New(pgerr.UndefinedObject, `role "%s" does not exist`, name)
	case types.TRegcollation:
		return 0, pgerr.New(pgerr.UndefinedObject, `collation "%s" for encoding "UTF8" does not exist`, name)
	case types.TRegoper, types.TRegoperator:
		return 0, pgerr.New(pgerr.UndefinedFunction, "operator does not exist: %s", name)
	case types.TRegtype:
		return 0, pgerr.New(pgerr.UndefinedObject, `type "%s" does not exist`, name)
	}
	return 0, pgerr.New(pgerr.UndefinedFunction, `function "%s" does not exist`, name)
}
