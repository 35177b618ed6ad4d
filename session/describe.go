package session

import "raisind/sql/funcs"

// The session as functions about objects see it: funcs.Describer and funcs.KeyReader,
// answered by the names it sees.

var (
	_ funcs.Describer = (*Session)(nil)
	_ funcs.KeyReader = (*Session)(nil)
)

// Definition implements funcs.Describer.
func (s *Session) Definition(kind string, oid uint32, sub int, pretty bool) (string, bool) {
	return s.names().Definition(kind, oid, sub, pretty)
}

// Visible implements funcs.Describer.
func (s *Session) Visible(relation string, oid uint32) (visible, ok bool) {
	return s.names().Visible(relation, oid)
}

// Comment implements funcs.Describer.
func (s *Session) Comment(class string, oid uint32, column int) (string, bool) {
	return s.names().Comment(class, oid, column)
}

// SharedComment implements funcs.Describer.
func (s *Session) SharedComment(class string, oid uint32) (string, bool) {
	return s.names().SharedComment(class, oid)
}

// RoleName implements funcs.Describer.
func (s *Session) RoleName(oid uint32) (string, bool) { return s.names().RoleName(oid) }

// RoleOID implements funcs.Describer.
func (s *Session) RoleOID(name string) (uint32, bool) { return s.names().RoleOID(name) }

// FormatType implements funcs.Describer.
func (s *Session) FormatType(oid uint32, typmod int32) (string, bool) {
	return s.names().FormatType(oid, typmod)
}

// Object implements funcs.Describer.
func (s *Session) Object(class, oid uint32, sub int) (funcs.ObjectName, bool) {
	return s.names().Object(class, oid, sub)
}

// IndexKeys implements funcs.KeyReader.
func (s *Session) IndexKeys(index uint32) []int { return s.names().IndexKeys(index) }

// Updatable implements funcs.KeyReader.
func (s *Session) Updatable(relation uint32) int { return s.names().Updatable(relation) }
