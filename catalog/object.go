package catalog

import (
	"raisind/storage"
)

// Class is what kind of object an OID names, as pg_depend's classid does.
type Class uint8

// The classes of objects. The numbers are stored.
const (
	ClassRelation Class = iota + 1 // a relation or, with a Sub, one of its columns
	ClassIndex
	ClassConstraint
	ClassTrigger
	ClassDefault // of the column with the Sub of its relation
	ClassSchema
	ClassType
	ClassFunction
	ClassRole
	ClassExtension
	ClassDatabase
)

// Ref names an object, or a column of a relation by its number in Sub.
type Ref struct {
	Class Class  `json:"class"`
	OID   uint32 `json:"oid"`
	Sub   uint16 `json:"sub,omitempty"`
}

// DependKind is pg_depend's deptype.
type DependKind byte

// How an object depends on another.
const (
	DependNormal   DependKind = 'n' // it keeps the other from being dropped
	DependAuto     DependKind = 'a' // it goes when the other goes
	DependInternal DependKind = 'i' // it is part of the other
)

// Dependency is something an object needs.
type Dependency struct {
	On   Ref        `json:"on"`
	Kind DependKind `json:"kind,omitempty"` // 0 is DependNormal
}

// Dependent is an object that needs another.
type Dependent struct {
	Ref
	Kind DependKind
}

// Object is what the catalog holds beside relations: *Schema, *UserType, *Function,
// *Role, *Extension and *Database. One in a Snapshot is immutable.
type Object interface {
	// Ref names the object.
	Ref() Ref
	// key is its name, unique within its class.
	key() objectKey
	depends() []Dependency
}

type objectKey struct {
	class        Class
	schema, name string
}

// Security says who owns an object and who else may use it.
type Security struct {
	Owner uint32    `json:"owner,omitempty"` // the OID of a role; 0 is BootstrapRole
	ACL   []ACLItem `json:"acl,omitempty"`   // nil: what the kind of object grants by default
}

// OwnerOID is the owner's OID.
func (s *Security) OwnerOID() uint32 {
	if s.Owner == 0 {
		return BootstrapRole
	}
	return s.Owner
}

// Privilege is a set of privileges.
type Privilege uint32

// The privileges, by their letters in an aclitem.
const (
	PrivilegeSelect     Privilege = 1 << iota // r
	PrivilegeInsert                           // a
	PrivilegeUpdate                           // w
	PrivilegeDelete                           // d
	PrivilegeTruncate                         // D
	PrivilegeReferences                       // x
	PrivilegeTrigger                          // t
	PrivilegeUsage                            // U
	PrivilegeCreate                           // C
	PrivilegeConnect                          // c
	PrivilegeTemporary                        // T
	PrivilegeExecute                          // X
)

// ACLItem is what one role was granted by another.
type ACLItem struct {
	Grantee    uint32    `json:"grantee,omitempty"` // 0: PUBLIC
	Grantor    uint32    `json:"grantor"`
	Privileges Privilege `json:"privileges"`
	GrantOpt   Privilege `json:"grant_option,omitempty"`
}

// NextOID returns an OID that was never returned before. One that was never committed
// may come again after a restart.
func (c *Catalog) NextOID() uint32 { return FirstOID + uint32(c.NextRelationID()) }

// RelationOID is the OID of a relation.
func RelationOID(id storage.RelationID) uint32 { return FirstOID + uint32(id) }

// Objects that records of older stores do not number have OIDs of their own, far from
// those handed out.
const (
	oldIndexOID      = 1 << 30
	oldConstraintOID = 1<<30 | 1<<29
	oldTypeOID       = 1 << 29
	oldArrayOID      = 1<<29 | 1<<28
)
