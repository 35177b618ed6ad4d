package catalog

import (
	"slices"
)

// ObjectKind is a kind of object that privileges are granted on.
type ObjectKind uint8

// The kinds.
const (
	TableKind ObjectKind = iota
	ColumnKind
	SequenceKind
	SchemaKind
	FunctionKind
	DatabaseKind
	TypeKind
	LanguageKind
)

// allPrivileges are what the owner of each kind of object has.
var allPrivileges = [...]Privilege{
	TableKind: PrivilegeInsert | PrivilegeSelect | PrivilegeUpdate | PrivilegeDelete | PrivilegeTruncate |
		PrivilegeReferences | PrivilegeTrigger,
	ColumnKind:   PrivilegeInsert | PrivilegeSelect | PrivilegeUpdate | PrivilegeReferences,
	SequenceKind: PrivilegeSelect | PrivilegeUpdate | PrivilegeUsage,
	SchemaKind:   PrivilegeUsage | PrivilegeCreate,
	FunctionKind: PrivilegeExecute,
	DatabaseKind: PrivilegeCreate | PrivilegeConnect | PrivilegeTemporary,
	TypeKind:     PrivilegeUsage,
	LanguageKind: PrivilegeUsage,
}

// publicPrivileges are what everybody has by default.
var publicPrivileges = [...]Privilege{
	FunctionKind: PrivilegeExecute, DatabaseKind: PrivilegeConnect | PrivilegeTemporary, TypeKind: PrivilegeUsage, LanguageKind: PrivilegeUsage,
}

// All is every privilege there is on a kind of object.
func (k ObjectKind) All() Privilege { return allPrivileges[k] }

// KindOf is the kind of object a relation is.
func KindOf(r *Relation) ObjectKind {
	if r.Kind == Sequence {
		return SequenceKind
	}
	return TableKind
}

// DefaultACL is what holds for an object with a nil ACL: acldefault.
func DefaultACL(k ObjectKind, owner uint32) []ACLItem {
	var acl []ACLItem
	if int(k) < len(publicPrivileges) && publicPrivileges[k] != 0 {
		acl = append(acl, ACLItem{Grantor: owner, Privileges: publicPrivileges[k]})
	}
	if k != ColumnKind {
		acl = append(acl, ACLItem{Grantee: owner, Grantor: owner, Privileges: allPrivileges[k]})
	}
	return acl
}

// Effective is the ACL that holds for the object.
func (s *Security) Effective(k ObjectKind) []ACLItem {
	if s.ACL == nil {
		return DefaultACL(k, s.OwnerOID())
	}
	return s.ACL
}

// IsSuperuser reports whether a role may do everything.
func (s *Snapshot) IsSuperuser(role uint32) bool {
	r, ok := s.RoleByOID(role)
	return ok && r.Superuser
}

// RolesOf are the roles whose privileges a role has: itself and, with inherit those it
// inherits from, else all it is a member of.
func (s *Snapshot) RolesOf(role uint32, inherit bool) []uint32 {
	list := []uint32{role}
	for i := 0; i < len(list); i++ {
		r, ok := s.RoleByOID(list[i])
		if !ok || inherit && !r.Inherit {
			continue
		}
		for _, m := range r.MemberOf {
			if !slices.Contains(list, m.Role) {
				list = append(list, m.Role)
			}
		}
	}
	return list
}

// HasRole reports whether a role has the privileges of another.
func (s *Snapshot) HasRole(role, other uint32) bool {
	return role == other || s.IsSuperuser(role) || slices.Contains(s.RolesOf(role, true), other)
}

// IsMember reports whether a role may become another by SET ROLE.
func (s *Snapshot) IsMember(role, other uint32) bool {
	return role == other || s.IsSuperuser(role) || slices.Contains(s.RolesOf(role, false), other)
}

// Held are the privileges that a role has on an object, and those it may grant.
func (s *Snapshot) Held(role uint32, k ObjectKind, sec *Security) (has, mayGrant Privilege) {
	if s.IsSuperuser(role) {
		return allPrivileges[k], allPrivileges[k]
	}
	roles := s.RolesOf(role, true)
	if slices.Contains(roles, sec.OwnerOID()) {
		mayGrant = allPrivileges[k]
	}
	h, g := heldBy(roles, sec.Effective(k))
	return h, mayGrant | g
}

func heldBy(roles []uint32, acl []ACLItem) (has, mayGrant Privilege) {
	for _, item := range acl {
		if item.Grantee == 0 || slices.Contains(roles, item.Grantee) {
			has |= item.Privileges
			mayGrant |= item.GrantOpt
		}
	}
	return has, mayGrant
}

// Allowed reports whether a role has all of the privileges.
func (s *Snapshot) Allowed(role uint32, want Privilege, k ObjectKind, sec *Security) bool {
	has, _ := s.Held(role, k, sec)
	return has&want == want
}

// ColumnAllowed reports whether a role has a privilege on a column by a grant on the
// column itself.
func (s *Snapshot) ColumnAllowed(role uint32, want Privilege, c *Column) bool {
	if s.IsSuperuser(role) {
		return true
	}
	has, _ := heldBy(s.RolesOf(role, true), c.ACL)
	return has&want == want
}
