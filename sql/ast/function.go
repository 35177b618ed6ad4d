package ast

// CreateFunction is CREATE FUNCTION or, with Procedure, CREATE PROCEDURE. The
// body is opaque text.
type CreateFunction struct {
	At
	OrReplace, Procedure bool
	Name                 RelName
	Args                 []FuncArg
	// Returns is nil for none and for RETURNS TABLE, whose columns are in Table.
	Returns  *TypeName
	Table    []FuncArg
	Language string
	// Body is AS '...'; Symbol is the second string of AS 'file', 'symbol'.
	Body   string
	Inline bool // Body is RETURN ... or BEGIN ATOMIC ... END, written without AS
	BodyAt At   // offset of the body's token
	Symbol string
	// Options are the others, in order: volatility (immutable, stable,
	// volatile), strict (on, off), security (definer, invoker), leakproof,
	// parallel, cost, rows, support, window, set.
	Options []Option
}

// FuncArg is an argument of a function.
type FuncArg struct {
	At
	Mode    string // "in", "out", "inout", "variadic", "table"
	Name    string
	Type    TypeName
	Default Expr
}

// CreateTrigger is CREATE TRIGGER.
type CreateTrigger struct {
	At
	OrReplace, Constraint bool
	Name                  string
	Timing                string // "before", "after", "instead of"
	Insert, Update        bool
	Delete, Truncate      bool
	UpdateOf              []string
	Relation              RelName
	From                  *RelName // constraint triggers
	Deferrable            *bool
	InitiallyDeferred     *bool
	OldTable, NewTable    string // REFERENCING
	ForEachRow            bool
	When                  Expr
	Function              []string
	// Args are the arguments as text, whatever they were written as.
	Args []string
}

// Call is CALL of a procedure.
type Call struct {
	At
	Func *FuncCall
}

// AlterFunction is ALTER FUNCTION, PROCEDURE or ROUTINE, by Kind.
type AlterFunction struct {
	At
	Kind string
	Name RelName
	// Args are the argument types; nil when none were given.
	Args                  []TypeName
	Rename, Owner, Schema string
	Options               []Option // as in CreateFunction
	Reset                 []string // settings; "all"
}

// AlterTrigger is ALTER TRIGGER name ON relation RENAME TO.
type AlterTrigger struct {
	At
	Name    string
	On      RelName
	NewName string
}

func (*Call) stmt()           {}
func (*AlterFunction) stmt()  {}
func (*AlterTrigger) stmt()   {}
func (*CreateFunction) stmt() {}
func (*CreateTrigger) stmt()  {}
