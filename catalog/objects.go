package catalog

import (
	"slices"
)

// OIDs of what every database has.
const (
	BootstrapRole     = 10 // the role the server was made with, a superuser
	PgCatalogSchema   = 11
	PgToastSchema     = 99
	PublicSchema      = 2200
	InformationSchema = 13000
	TheDatabase       = 5
)

// Schema is a namespace.
type Schema struct {
	OID  uint32 `json:"oid"`
	Name string `json:"name"`
	Security
	Comment string `json:"comment,omitempty"`
}

// Extension is an installed extension.
type Extension struct {
	OID     uint32 `json:"oid"`
	Name    string `json:"name"`
	Schema  string `json:"schema"`
	Version string `json:"version"`
	Comment string `json:"comment,omitempty"`
	Security
}

// Database is the one database of a store, under whatever name it is served.
type Database struct {
	OID     uint32   `json:"oid"`
	Config  []string `json:"config,omitempty"` // name=value, of ALTER DATABASE SET
	Comment string   `json:"comment,omitempty"`
	Security
}

// UserType is an enum or a domain. Composite types are relations.
type UserType struct {
	OID      uint32  `json:"oid"`
	ArrayOID uint32  `json:"array"`
	Schema   string  `json:"schema"`
	Name     string  `json:"name"`
	Enum     *Enum   `json:"enum,omitempty"`
	Domain   *Domain `json:"domain,omitempty"`
	Comment  string  `json:"comment,omitempty"`
	Security
	Depends []Dependency `json:"depends,omitempty"`
}

// Function is a function, procedure or aggregate.
type Function struct {
	OID    uint32 `json:"oid"`
	Schema string `json:"schema"`
	Name   string `json:"name"`
	// Kind is pg_proc.prokind: 'f', 'p', 'a' or 'w'.
	Kind byte          `json:"kind"`
	Args []FunctionArg `json:"args,omitempty"`
	// Returns is the OID of the result's type, 0 for a procedure.
	Returns    uint32 `json:"returns,omitempty"`
	ReturnsSet bool   `json:"returns_set,omitempty"`
	Language   string `json:"language"`
	Body       string `json:"body"`
	// Standard tells that Body is RETURN … or BEGIN ATOMIC … END, not a string.
	Standard bool `json:"standard,omitempty"`
	// Volatility is 'i', 's' or 'v', Parallel 's', 'r' or 'u'.
	Volatility      byte     `json:"volatility"`
	Parallel        byte     `json:"parallel,omitempty"`
	Strict          bool     `json:"strict,omitempty"`
	SecurityDefiner bool     `json:"security_definer,omitempty"`
	Leakproof       bool     `json:"leakproof,omitempty"`
	Cost            float64  `json:"cost,omitempty"`
	Rows            float64  `json:"rows,omitempty"`
	Config          []string `json:"config,omitempty"` // name=value
	Comment         string   `json:"comment,omitempty"`
	Security
	Depends []Dependency `json:"depends,omitempty"`
}

// FunctionArg is an argument of a function or a column it returns.
type FunctionArg struct {
	Name string `json:"name,omitempty"`
	Type uint32 `json:"type"`
	// Mode is pg_proc.proargmodes: 'i', 'o', 'b', 'v' or 't'.
	Mode    byte   `json:"mode"`
	Default string `json:"default,omitempty"` // SQL text
}

// Inputs are the types of the arguments of a call, which with the name identify a function.
func (f *Function) Inputs() []uint32 {
	var in []uint32
	for _, a := range f.Args {
		if a.Mode != 'o' && a.Mode != 't' {
			in = append(in, a.Type)
		}
	}
	return in
}

// Role is a user or group.
type Role struct {
	OID             uint32 `json:"oid"`
	Name            string `json:"name"`
	Superuser       bool   `json:"superuser,omitempty"`
	Inherit         bool   `json:"inherit,omitempty"`
	CreateRole      bool   `json:"create_role,omitempty"`
	CreateDB        bool   `json:"create_db,omitempty"`
	Login           bool   `json:"login,omitempty"`
	Replication     bool   `json:"replication,omitempty"`
	BypassRLS       bool   `json:"bypass_rls,omitempty"`
	ConnectionLimit int32  `json:"connection_limit"` // -1: none
	// Password is the verifier of pg_authid.rolpassword, empty for none.
	Password   string       `json:"password,omitempty"`
	ValidUntil string       `json:"valid_until,omitempty"`
	Config     []string     `json:"config,omitempty"` // name=value
	MemberOf   []Membership `json:"member_of,omitempty"`
	Comment    string       `json:"comment,omitempty"`
}

// Membership makes a role a member of another.
type Membership struct {
	Role    uint32 `json:"role"`
	Grantor uint32 `json:"grantor"`
	Admin   bool   `json:"admin,omitempty"`
}

// Ref names the object.
func (o *Schema) Ref() Ref { return Ref{Class: ClassSchema, OID: o.OID} }

// Ref names the object.
func (o *Extension) Ref() Ref { return Ref{Class: ClassExtension, OID: o.OID} }

// Ref names the object.
func (o *Database) Ref() Ref { return Ref{Class: ClassDatabase, OID: o.OID} }

// Ref names the object.
func (o *UserType) Ref() Ref { return Ref{Class: ClassType, OID: o.OID} }

// Ref names the object.
func (o *Function) Ref() Ref { return Ref{Class: ClassFunction, OID: o.OID} }

// Ref names the object.
func (o *Role) Ref() Ref { return Ref{Class: ClassRole, OID: o.OID} }

func (o *Schema) key() objectKey    { return objectKey{class: ClassSchema, name: o.Name} }
func (o *Extension) key() objectKey { return objectKey{class: ClassExtension, name: o.Name} }
func (o *Database) key() objectKey  { return objectKey{class: ClassDatabase} }
func (o *UserType) key() objectKey  { return objectKey{ClassType, o.Schema, o.Name} }
func (o *Role) key() objectKey      { return objectKey{class: ClassRole, name: o.Name} }

// key has the types of the arguments: functions share names.
func (o *Function) key() objectKey {
	name := []byte(o.Name)
	for _, t := range o.Inputs() {
		name = append(name, 0, byte(t>>24), byte(t>>16), byte(t>>8), byte(t))
	}
	return objectKey{ClassFunction, o.Schema, string(name)}
}

func (o *Schema) depends() []Dependency    { return nil }
func (o *Extension) depends() []Dependency { return nil }
func (o *Database) depends() []Dependency  { return nil }
func (o *Role) depends() []Dependency      { return nil }

func (o *UserType) depends() []Dependency {
	d := slices.Clone(o.Depends)
	if o.Domain != nil {
		d = append(d, Dependency{On: Ref{Class: ClassType, OID: o.Domain.Base}})
		for i := range o.Domain.Checks {
			d = append(d, o.Domain.Checks[i].Depends...)
		}
	}
	return d
}

func (o *Function) depends() []Dependency {
	d := slices.Clone(o.Depends)
	for _, a := range o.Args {
		d = append(d, Dependency{On: Ref{Class: ClassType, OID: a.Type}})
	}
	if o.Returns != 0 {
		d = append(d, Dependency{On: Ref{Class: ClassType, OID: o.Returns}})
	}
	return d
}

// Clone returns a copy that shares nothing that could be changed.
func (o *Schema) Clone() *Schema {
	c := *o
	c.ACL = slices.Clone(o.ACL)
	return &c
}

// Clone returns a copy that shares nothing that could be changed.
func (o *Extension) Clone() *Extension {
	c := *o
	c.ACL = slices.Clone(o.ACL)
	return &c
}

// Clone returns a copy that shares nothing that could be changed.
func (o *Database) Clone() *Database {
	c := *o
	c.ACL, c.Config = slices.Clone(o.ACL), slices.Clone(o.Config)
	return &c
}

// Clone returns a copy that shares nothing that could be changed.
func (o *UserType) Clone() *UserType {
	c := *o
	c.ACL, c.Depends = slices.Clone(o.ACL), slices.Clone(o.Depends)
	if o.Enum != nil {
		c.Enum = &Enum{Labels: slices.Clone(o.Enum.Labels)}
	}
	if o.Domain != nil {
		d := *o.Domain
		d.Checks = cloneConstraints(d.Checks)
		c.Domain = &d
	}
	return &c
}

// Clone returns a copy that shares nothing that could be changed.
func (o *Function) Clone() *Function {
	c := *o
	c.ACL, c.Depends = slices.Clone(o.ACL), slices.Clone(o.Depends)
	c.Args, c.Config = slices.Clone(o.Args), slices.Clone(o.Config)
	return &c
}

// Clone returns a copy that shares nothing that could be changed.
func (o *Role) Clone() *Role {
	c := *o
	c.Config, c.MemberOf = slices.Clone(o.Config), slices.Clone(o.MemberOf)
	return &c
}
