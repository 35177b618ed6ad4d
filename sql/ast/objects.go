package ast

// Written is the text of a statement as its client wrote it.
type Written struct{ Text string }

// CreateSequence is CREATE SEQUENCE.
type CreateSequence struct {
	At
	Written
	Temp, IfNotExists bool
	Name              RelName
	// Options are those of SequenceOption.
	Options []SequenceOption
}

// SequenceOption is an option of a sequence: "as" with Type; "increment", "minvalue",
// "maxvalue", "start", "cache" and "restart" with Value; "no minvalue", "no maxvalue",
// "cycle" and "no cycle"; "owned by" with Owner, empty for NONE; "restart" without
// Value; "sequence name" with Owner; "logged" and "unlogged".
type SequenceOption struct {
	At
	Name  string
	Value *int64
	Type  *TypeName
	Owner []string
}

// AlterSequence is ALTER SEQUENCE with options of the sequence.
type AlterSequence struct {
	At
	Written
	IfExists bool
	Name     RelName
	Options  []SequenceOption
}

// CreateView is CREATE VIEW.
type CreateView struct {
	At
	Written
	Replace, Temp bool
	Name          RelName
	Columns       []string
	Options       []Option
	Query         *Select
	// Check is "local", "cascaded" or empty: WITH CHECK OPTION.
	Check string
}

// Refresh is REFRESH MATERIALIZED VIEW.
type Refresh struct {
	At
	Written
	Concurrently bool
	Name         RelName
	NoData       bool
}

// CreateSchema is CREATE SCHEMA.
type CreateSchema struct {
	At
	Written
	IfNotExists bool
	Name        string // empty: that of the role
	Owner       string // AUTHORIZATION, empty when not given
	Elements    []Stmt
}

// AlterObject is ALTER of a schema, type, domain, database or role that renames it,
// gives it another owner or moves it to another schema. Action is "rename", "owner",
// "schema", or, of a type's attribute, value or constraint, "rename value", "rename
// attribute", "rename constraint" with Part.
type AlterObject struct {
	At
	Written
	Kind   string
	Name   RelName
	Action string
	Part   string
	New    string
}

// CreateType is CREATE TYPE AS ENUM with Enum, else AS (attributes).
type CreateType struct {
	At
	Written
	Name    RelName
	Enum    bool
	Labels  []string
	Columns []ColumnDef
}

// AlterEnum is ALTER TYPE ADD VALUE.
type AlterEnum struct {
	At
	Written
	Name        RelName
	Label       string
	IfNotExists bool
	// Neighbor is the value that the new one comes before or, with After, behind;
	// empty: the end.
	Neighbor string
	After    bool
}

// AlterComposite is ALTER TYPE with ADD, DROP or ALTER ATTRIBUTE.
type AlterComposite struct {
	At
	Written
	Name    RelName
	Actions []AlterAction
}

// CreateDomain is CREATE DOMAIN.
type CreateDomain struct {
	At
	Written
	Name        RelName
	Type        TypeName
	Collation   []string
	Constraints []Constraint
}

// AlterDomain is ALTER DOMAIN. Action is "set default" with Expr, "drop default", "set
// not null", "drop not null", "add" with Constraint, "drop constraint" or "validate"
// with Part.
type AlterDomain struct {
	At
	Written
	Name       RelName
	Action     string
	Expr       Expr
	Constraint *Constraint
	Part       string
	IfExists   bool
	Cascade    bool
}

// RoleOption is an option of CREATE ROLE and ALTER ROLE: "superuser", "createdb",
// "createrole", "inherit", "login", "replication" and "bypassrls" with On; "password"
// with Text, nil for NULL; "connection limit" with Number; "valid until" with Text;
// "in role", "role" and "admin" with Roles; "sysid".
type RoleOption struct {
	At
	Name   string
	On     bool
	Text   *string
	Number int64
	Roles  []string
}

// CreateRole is CREATE ROLE, USER or GROUP.
type CreateRole struct {
	At
	Written
	Kind    string // role, user, group
	Name    string
	Options []RoleOption
}

// AlterRole is ALTER ROLE, USER or GROUP. Name is empty for ALL.
type AlterRole struct {
	At
	Written
	Kind    string
	Name    string
	Options []RoleOption
	// Set is ALTER ROLE ... [IN DATABASE d] SET or RESET.
	Set      Stmt
	Database string
	// Add and Drop are the members of ALTER GROUP.
	Add, Drop []string
}

// DropRole is DROP ROLE, USER or GROUP.
type DropRole struct {
	At
	Written
	Kind     string
	IfExists bool
	Names    []string
}

// DropOwned is DROP OWNED BY, or with To REASSIGN OWNED BY.
type DropOwned struct {
	At
	Written
	Roles   []string
	To      string
	Cascade bool
}

// Privilege is one of GRANT's: its name in lower case, "all" for all of them, and the
// columns it is for.
type Privilege struct {
	Name    string
	Columns []string
}

// Grant is GRANT or REVOKE. Kind says what On names: "table", "sequence", "schema",
// "function", "procedure", "routine", "database", "type", "domain", "language", "role"
// and so on; with AllIn, On are schemas whose objects are meant; "role" grants the
// roles that Privileges name.
type Grant struct {
	At
	Written
	Revoke bool
	// OptionFor is REVOKE GRANT OPTION FOR or ADMIN OPTION FOR; WithOption is WITH
	// GRANT OPTION or WITH ADMIN OPTION.
	OptionFor, WithOption bool
	Privileges            []Privilege
	Kind                  string
	AllIn                 bool
	On                    []RelName
	// Args are the argument types of functions.
	Args      [][]TypeName
	Grantees  []string // "public" as it is
	GrantedBy string
	Cascade   bool
	// Default is ALTER DEFAULT PRIVILEGES: For are the roles, In the schemas.
	Default bool
	For, In []string
}

// SetConstraints is SET CONSTRAINTS; Names is empty for ALL.
type SetConstraints struct {
	At
	Written
	Names    []RelName
	Deferred bool
}

// Database is CREATE, ALTER or DROP DATABASE; Verb is in lower case.
type Database struct {
	At
	Written
	Verb     string
	Name     string
	IfExists bool
	// Set is ALTER DATABASE ... SET or RESET.
	Set Stmt
}

func (*CreateSequence) stmt() {}
func (*AlterSequence) stmt()  {}
func (*CreateView) stmt()     {}
func (*Refresh) stmt()        {}
func (*CreateSchema) stmt()   {}
func (*AlterObject) stmt()    {}
func (*CreateType) stmt()     {}
func (*AlterEnum) stmt()      {}
func (*AlterComposite) stmt() {}
func (*CreateDomain) stmt()   {}
func (*AlterDomain) stmt()    {}
func (*CreateRole) stmt()     {}
func (*AlterRole) stmt()      {}
func (*DropRole) stmt()       {}
func (*DropOwned) stmt()      {}
func (*Grant) stmt()          {}
func (*SetConstraints) stmt() {}
func (*Database) stmt()       {}

// written is a statement that Format prints as it was written.
type written interface{ text() string }

func (w Written) text() string { return w.Text }
