package define

import (
	"raisind/catalog"
	"raisind/pgerr"
)

// role finds a role by name, or the one that CURRENT_USER and its kin stand for.
func (e *Env) role(name string) (*catalog.Role, error) {
	var oid uint32
	switch name {
	case "current_user", "current_role":
		oid = e.Role
	case "session_user":
		oid = e.User
	case "public":
		return nil, pgerr.New(pgerr.UndefinedObject, "role %q does not exist", name)
	default:
		r, ok := e.snapshot().Role(name)
		if !ok {
			return nil, pgerr.New(pgerr.UndefinedObject, "role %q does not exist", name)
		}
		return r, nil
	}
	r, ok := e.snapshot().RoleByOID(oid)
	if !ok {
		return nil, pgerr.New(pgerr.UndefinedObject, "role with OID %d does not exist", oid)
	}
	return r, nil
}
