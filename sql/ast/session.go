package ast

// TxnModes are the modes of a transaction; what is not given is empty or nil.
type TxnModes struct {
	// Isolation is "read uncommitted", "read committed", "repeatable read" or
	// "serializable".
	Isolation  string
	ReadOnly   *bool
	Deferrable *bool
}

// Begin is BEGIN or START TRANSACTION.
type Begin struct {
	At
	Modes TxnModes
}

// Commit is COMMIT or END.
type Commit struct {
	At
	Chain bool
}

// Rollback is ROLLBACK or ABORT.
type Rollback struct {
	At
	Chain bool
}

// Savepoint is SAVEPOINT name.
type Savepoint struct {
	At
	Name string
}

// Release is RELEASE [SAVEPOINT] name.
type Release struct {
	At
	Name string
}

// RollbackTo is ROLLBACK TO [SAVEPOINT] name.
type RollbackTo struct {
	At
	Name string
}

// TwoPhase is PREPARE TRANSACTION, COMMIT PREPARED or ROLLBACK PREPARED; Verb is
// "prepare", "commit" or "rollback".
type TwoPhase struct {
	At
	Verb string
	ID   string
}

// SetTransaction is SET TRANSACTION, or SET SESSION CHARACTERISTICS AS
// TRANSACTION with Session.
type SetTransaction struct {
	At
	Session  bool
	Modes    TxnModes
	Snapshot string
}

// Set is SET [SESSION | LOCAL] name = value. The special spellings come as the
// setting they change: TIME ZONE as timezone, NAMES as client_encoding, SCHEMA as
// search_path, ROLE as role, SESSION AUTHORIZATION as session_authorization.
type Set struct {
	At
	// Name is in lower case, a.b for a setting of two parts.
	Name  string
	Local bool
	// Default is SET name TO DEFAULT.
	Default bool
	// FromCurrent is SET name FROM CURRENT.
	FromCurrent bool
	// Values are literals, words as strings; an *IntervalLit for SET TIME ZONE
	// INTERVAL.
	Values []Expr
}

// Show is SHOW name; Name is "all" for SHOW ALL.
type Show struct {
	At
	Name string
}

// Reset is RESET name; Name is "all" for RESET ALL.
type Reset struct {
	At
	Name string
}

// Discard is DISCARD; What is "all", "plans", "sequences" or "temp".
type Discard struct {
	At
	What string
}

// Prepare is PREPARE name (types) AS statement.
type Prepare struct {
	At
	Name  string
	Types []TypeName
	Stmt  Stmt
}

// Execute is EXECUTE name (args).
type Execute struct {
	At
	Name string
	Args []Expr
}

// Deallocate is DEALLOCATE name; Name is empty for ALL.
type Deallocate struct {
	At
	Name string
}

// Declare is DECLARE name CURSOR FOR query.
type Declare struct {
	At
	Name                            string
	Binary, Insensitive, Asensitive bool
	// Scroll is SCROLL or NO SCROLL, nil for neither.
	Scroll *bool
	Hold   bool
	Query  *Select
}

// FetchDirection is where FETCH and MOVE go.
type FetchDirection uint8

// The directions of FETCH: NEXT and a plain count are Forward, PRIOR is Backward,
// FIRST is Absolute 1, LAST is Absolute -1.
const (
	Forward FetchDirection = iota
	Backward
	Absolute
	Relative
)

// Fetch is FETCH, or MOVE with Move.
type Fetch struct {
	At
	Cursor    string
	Move      bool
	Direction FetchDirection
	Count     int64
	All       bool // ALL, FORWARD ALL, BACKWARD ALL
}

// CloseCursor is CLOSE name; Name is empty for ALL.
type CloseCursor struct {
	At
	Name string
}

// Listen is LISTEN channel.
type Listen struct {
	At
	Channel string
}

// Unlisten is UNLISTEN channel; Channel is empty for *.
type Unlisten struct {
	At
	Channel string
}

// Notify is NOTIFY channel [, 'payload'].
type Notify struct {
	At
	Channel, Payload string
}

// Vacuum is VACUUM.
type Vacuum struct {
	At
	Full, Freeze, Verbose, Analyze bool
	// Options are those of the parenthesised form that have no field above.
	Options   []Option
	Relations []VacuumTarget // empty for all
}

// Analyze is ANALYZE.
type Analyze struct {
	At
	Verbose    bool
	SkipLocked bool
	Relations  []VacuumTarget // empty for all
}

// VacuumTarget is a relation and some of its columns.
type VacuumTarget struct {
	Name    RelName
	Columns []string
}

// Checkpoint is CHECKPOINT.
type Checkpoint struct{ At }

// Copy is COPY relation or query, in or out.
type Copy struct {
	At
	// Relation or Query is set.
	Relation *RelName
	Columns  []string
	Query    Stmt
	From     bool // false is TO
	// Std is STDIN or STDOUT; otherwise File is a path, or a command with
	// Program.
	Std     bool
	File    string
	Program bool
	Options []Option
	Where   Expr
}

// LockTable is LOCK [TABLE].
type LockTable struct {
	At
	Relations []RelName
	// Mode is "access exclusive", "row share", ... in lower case.
	Mode   string
	NoWait bool
}

// Do is DO $$...$$.
type Do struct {
	At
	Language string // empty for plpgsql
	Body     string
}

// Unsupported is a statement of PostgreSQL's that is known by its first words
// only; its syntax was not checked.
type Unsupported struct {
	At
	// Command is the name in capitals, as in CREATE VIEW.
	Command string
	// Text is the whole statement.
	Text string
}

func (*Begin) stmt()          {}
func (*Commit) stmt()         {}
func (*Rollback) stmt()       {}
func (*Savepoint) stmt()      {}
func (*Release) stmt()        {}
func (*RollbackTo) stmt()     {}
func (*TwoPhase) stmt()       {}
func (*SetTransaction) stmt() {}
func (*Set) stmt()            {}
func (*Show) stmt()           {}
func (*Reset) stmt()          {}
func (*Discard) stmt()        {}
func (*Prepare) stmt()        {}
func (*Execute) stmt()        {}
func (*Deallocate) stmt()     {}
func (*Declare) stmt()        {}
func (*Fetch) stmt()          {}
func (*CloseCursor) stmt()    {}
func (*Listen) stmt()         {}
func (*Unlisten) stmt()       {}
func (*Notify) stmt()         {}
func (*Vacuum) stmt()         {}
func (*Analyze) stmt()        {}
func (*Checkpoint) stmt()     {}
func (*Copy) stmt()           {}
func (*LockTable) stmt()      {}
func (*Do) stmt()             {}
func (*Unsupported) stmt()    {}
