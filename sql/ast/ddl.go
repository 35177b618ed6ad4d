package ast

// CreateTable is CREATE TABLE.
type CreateTable struct {
	At
	Temp, Unlogged bool
	IfNotExists    bool
	Name           RelName
	Columns        []ColumnDef
	Constraints    []Constraint
	Likes          []TableLike
	Inherits       []RelName
	PartitionBy    *PartitionBy
	Method         string // USING
	Options        []Option
	// OnCommit is "preserve rows", "delete rows", "drop" or empty.
	OnCommit   string
	Tablespace string
}

// ColumnDef is a column of CREATE TABLE, ADD COLUMN, or of a column definition
// list.
type ColumnDef struct {
	At
	Name        string
	Type        TypeName
	Collation   []string
	Constraints []Constraint
}

// ConstraintKind tells constraints apart.
type ConstraintKind uint8

// The constraints of columns and tables.
const (
	NotNull ConstraintKind = iota
	Null
	DefaultValue
	Check
	Unique
	PrimaryKey
	References // FOREIGN KEY of a table, REFERENCES of a column
	Generated  // GENERATED ALWAYS AS (expr) STORED
	Identity   // GENERATED ALWAYS | BY DEFAULT AS IDENTITY
	Exclude    // EXCLUDE USING ...
)

// Constraint is a constraint of a column or table.
type Constraint struct {
	At
	Name string // empty when not given
	Kind ConstraintKind
	// Expr belongs to DefaultValue, Check and Generated.
	Expr Expr
	// Columns of Unique, PrimaryKey and References at table level.
	Columns []string
	Include []string
	// NullsNotDistinct belongs to Unique.
	NullsNotDistinct bool
	NoInherit        bool // Check
	// Method, Elems, Operators (one for each of Elems) and Where belong to
	// Exclude.
	Method    string
	Elems     []IndexElem
	Operators []string
	Where     Expr
	// UsingIndex is UNIQUE | PRIMARY KEY USING INDEX name; Tablespace that of the
	// index.
	UsingIndex, Tablespace string

	// Foreign key.
	Ref        RelName
	RefColumns []string
	// Match is "full", "partial", "simple" or empty; OnDelete and OnUpdate are
	// "cascade", "set null", "set default", "restrict", "no action" or empty.
	Match, OnDelete, OnUpdate string

	// Always is GENERATED ALWAYS AS IDENTITY, else BY DEFAULT; Options are the
	// sequence's, or the index's WITH (...).
	Always  bool
	Options []Option

	Deferrable        *bool
	InitiallyDeferred *bool
	NotValid          bool
}

// TableLike is LIKE t INCLUDING x EXCLUDING y.
type TableLike struct {
	At
	Name RelName
	// Options are "including all", "excluding defaults", ... in order.
	Options []string
}

// PartitionBy is PARTITION BY RANGE | LIST | HASH (...).
type PartitionBy struct {
	At
	Strategy string
	Elems    []IndexElem
}

// CreateTableAs is CREATE TABLE ... AS query.
type CreateTableAs struct {
	At
	Temp, Unlogged bool
	// View is CREATE MATERIALIZED VIEW.
	View        bool
	IfNotExists bool
	Name        RelName
	Columns     []string
	Method      string // USING
	Options     []Option
	OnCommit    string
	Tablespace  string
	Query       Stmt // *Select or *Execute
	NoData      bool
}

// DropTable is DROP TABLE.
type DropTable struct {
	At
	IfExists bool
	Names    []RelName
	Cascade  bool
}

// DropObject is any other DROP: Kind is "index", "view", "materialized view",
// "sequence", "schema", "type", "domain", "extension", "function", "procedure",
// "aggregate", "routine", "trigger".
type DropObject struct {
	At
	Kind         string
	Concurrently bool
	IfExists     bool
	Names        []RelName
	// Args are the argument types of each function; an entry is nil when none
	// were given.
	Args [][]TypeName
	// On is the table of a trigger.
	On      *RelName
	Cascade bool
}

// IndexElem is a column or expression of an index, or of ON CONFLICT.
type IndexElem struct {
	At
	// Name or Expr is set.
	Name           string
	Expr           Expr
	Collation      []string
	Opclass        []string
	OpclassOptions []Option
	Desc           bool
	Nulls          NullsOrder
}

// CreateIndex is CREATE INDEX.
type CreateIndex struct {
	At
	Unique, Concurrently, IfNotExists bool
	Name                              string // empty when not given
	Relation                          RelName
	Only                              bool
	Method                            string // empty for btree
	Elems                             []IndexElem
	Include                           []IndexElem
	NullsNotDistinct                  bool
	Options                           []Option
	Tablespace                        string
	Where                             Expr
}

// AlterKind is one thing ALTER TABLE does.
type AlterKind uint8

// What ALTER TABLE does.
const (
	AddColumn AlterKind = iota
	DropColumn
	SetType
	SetDefault // Expr nil: DROP DEFAULT
	SetNotNull
	DropNotNull
	AddConstraint
	DropConstraint
	ValidateConstraint
	RenameColumn
	RenameConstraint
	RenameTable
	SetSchema
	SetOptions
	ResetOptions
	OwnerTo
	EnableTrigger
	DisableTrigger
	SetStatistics
	SetStorage
	AlterOther // something else: Name holds its words
	SetCompression
	SetColumnOptions
	AddIdentity     // Constraint is an Identity
	SetIdentity     // NewName is "always", "default" or empty; Options are the sequence's
	DropIdentity    // may be IfExists
	DropExpression  // may be IfExists
	AlterConstraint // Constraint tells Deferrable and InitiallyDeferred
)

// AlterAction is one action of ALTER TABLE.
type AlterAction struct {
	At
	Kind AlterKind
	// Name is the column, constraint or trigger; "all" and "user" are the
	// triggers of those words when AllTriggers is set.
	Name        string
	AllTriggers bool
	Firing      string // of EnableTrigger: "replica", "always" or empty
	IfExists    bool
	IfNotExists bool
	Cascade     bool
	NewName     string // of the renames; schema, owner, storage
	Column      *ColumnDef
	Type        *TypeName
	Collation   []string
	Using       Expr
	Expr        Expr
	Constraint  *Constraint
	Options     []Option
}

// AlterTable is ALTER TABLE, or of another kind of relation: Kind is "table",
// "index", "view", "materialized view" or "sequence".
type AlterTable struct {
	At
	Kind     string
	IfExists bool
	Only     bool
	Name     RelName
	Actions  []AlterAction
}

// Truncate is TRUNCATE.
type Truncate struct {
	At
	Names           []RelName
	RestartIdentity bool
	Cascade         bool
}

// CreateExtension is CREATE EXTENSION.
type CreateExtension struct {
	At
	IfNotExists bool
	Name        string
	// Options are schema, version, cascade.
	Options []Option
}

// Comment is COMMENT ON kind name IS text. Kind is in lower case; Name holds the
// parts of the name, of a column its relation's parts first.
type Comment struct {
	At
	Kind string
	Name []string
	// Args are the argument types of a function.
	Args []TypeName
	// On is the relation of a trigger or constraint.
	On *RelName
	// Text is nil for NULL.
	Text *string
}

func (*CreateTable) stmt()     {}
func (*CreateTableAs) stmt()   {}
func (*DropTable) stmt()       {}
func (*DropObject) stmt()      {}
func (*CreateIndex) stmt()     {}
func (*AlterTable) stmt()      {}
func (*Truncate) stmt()        {}
func (*CreateExtension) stmt() {}
func (*Comment) stmt()         {}
