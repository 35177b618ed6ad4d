package catalog

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"fmt"

	"raisind/pgerr"
)

// objectPrefix starts the key of every other object's record: the prefix, the class
// in one byte, then the OID in four, big endian.
var objectPrefix = []byte("obj/")

const (
	objectFormat  = 1 // JSON follows
	objectDropped = 2 // nothing follows: it is gone, though every store begins with it
)

func objectRecordKey(ref Ref) []byte {
	return binary.BigEndian.AppendUint32(append(bytes.Clone(objectPrefix), byte(ref.Class)), ref.OID)
}

func encodeObject(o Object) ([]byte, error) {
	b, err := json.Marshal(o)
	if err != nil {
		return nil, fmt.Errorf("catalog: encode object %d: %w", o.Ref().OID, err)
	}
	return append([]byte{objectFormat}, b...), nil
}

// decodeObject reads a record; the object is nil when it was dropped.
func decodeObject(key, value []byte) (Ref, Object, error) {
	if len(key) != len(objectPrefix)+5 || len(value) == 0 {
		return Ref{}, nil, pgerr.New(pgerr.DataCorrupted, "catalog record %x has an unknown format", key)
	}
	ref := Ref{Class: Class(key[len(objectPrefix)]), OID: binary.BigEndian.Uint32(key[len(objectPrefix)+1:])}
	switch value[0] {
	case objectDropped:
		return ref, nil, nil
	case objectFormat:
	default:
		return ref, nil, pgerr.New(pgerr.DataCorrupted, "catalog record %x has an unknown format", key)
	}
	var o Object
	switch ref.Class {
	case ClassSchema:
		o = new(Schema)
	case ClassType:
		o = new(UserType)
	case ClassFunction:
		o = new(Function)
	case ClassRole:
		o = new(Role)
	case ClassExtension:
		o = new(Extension)
	case ClassDatabase:
		o = new(Database)
	default:
		return ref, nil, pgerr.New(pgerr.DataCorrupted, "catalog record %x is of an unknown class", key)
	}
	if err := json.Unmarshal(value[1:], o); err != nil {
		return ref, nil, pgerr.Wrap(err, pgerr.DataCorrupted, "catalog record %x cannot be read: %v", key, err)
	}
	if o.Ref() != ref {
		return ref, nil, pgerr.New(pgerr.DataCorrupted, "catalog record %x holds another object", key)
	}
	return ref, o, nil
}

// builtin are the objects that are there before any is made.
func builtin() []Object {
	return []Object{
		&Schema{OID: PgCatalogSchema, Name: "pg_catalog", Comment: "system catalog schema"},
		&Schema{OID: PgToastSchema, Name: "pg_toast", Comment: "reserved schema for TOAST tables"},
		&Schema{OID: PublicSchema, Name: DefaultSchema, Comment: "standard public schema", Security: Security{ACL: []ACLItem{
			{Grantee: BootstrapRole, Grantor: BootstrapRole, Privileges: PrivilegeUsage | PrivilegeCreate},
			{Grantor: BootstrapRole, Privileges: PrivilegeUsage},
		}}},
		&Schema{OID: InformationSchema, Name: "information_schema"},
		&Role{
			OID: BootstrapRole, Name: BootstrapRoleName, Superuser: true, Inherit: true, CreateRole: true, CreateDB: true,
			Login: true, Replication: true, BypassRLS: true, ConnectionLimit: -1,
		},
		&Database{OID: TheDatabase},
		&Extension{
			OID: 90000, Name: "postgis", Schema: DefaultSchema, Version: "3.3.2",
			Comment: "PostGIS geometry and geography spatial types and functions",
		},
	}
}

// BootstrapRoleName is the name of BootstrapRole.
const BootstrapRoleName = "raisin"
