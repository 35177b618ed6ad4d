// Package funcs is the one table of SQL functions, operators, aggregates and
// casts by function. An entry is the truth: the planner resolves against it, the
// executor calls it, documentation and tests walk it. Mathematics on shapes lives
// in geom; an Eval only unwraps, calls and wraps.
package funcs

import (
	"context"
	"slices"
	"time"

	"raisind/sql/types"
)

// Volatility tells when two calls with equal arguments give equal results.
type Volatility byte

// PostgreSQL's provolatile.
const (
	Immutable Volatility = 'i'
	Stable    Volatility = 's'
	Volatile  Volatility = 'v'
)

// NullRule tells what a NULL argument does.
type NullRule uint8

// NullOnNull functions are never called with a NULL: the result is NULL.
const (
	NullOnNull NullRule = iota
	CalledOnNull
)

// IndexUse tells the planner which index scan a predicate or an ordering may become.
type IndexUse uint8

// The uses the spatial index has.
const (
	IndexNone        IndexUse = iota
	IndexRadius               // f(a, b, metres): a within metres of b
	IndexDistance             // distance(a, b): ordering and comparison with a constant
	IndexBox                  // true only where the boxes of a and b meet
	IndexBoxDisjoint          // true also where boxes do not meet: no index
)

// Session is what a function may ask of the session that calls it.
type Session interface {
	// Setting returns a run-time setting's value, false when there is none of that name.
	Setting(name string) (string, bool)
	// SetSetting sets one, for the transaction only when local.
	SetSetting(name, value string, local bool) error
	User() string
	Database() string
	// SearchPath returns the schemas looked through, in order.
	SearchPath() []string
	PID() int32
	ServerVersion() string
	// RelationName returns the name of a relation by its OID.
	RelationName(oid uint32) (schema, name string, ok bool)
	// RelationOID resolves a name as a client would write it.
	RelationOID(name string) (uint32, bool)
	// Notice sends a notice to the client.
	Notice(severity, msg string)
	// Cancel and Terminate act on another backend; false when there is none.
	Cancel(pid int32) bool
	Terminate(pid int32) bool
	// TransactionID returns an identifier of the running transaction.
	TransactionID() int64
}

// The following interfaces may be implemented by a Session besides. Functions that need
// one of them answer NULL, or say that they are not supported, where it is missing.
type (
	// Sizer returns sizes on disk in bytes; oid 0 is the database.
	Sizer interface {
		SizeBytes(oid uint32) (int64, bool)
	}
	// AdvisoryLocker takes and releases advisory locks. A lock of the transaction is
	// released at its end, one of the session when asked for. ok is false when try is
	// set and the lock is taken, or when there was nothing to release.
	AdvisoryLocker interface {
		AdvisoryLock(ctx context.Context, key int64, pair, shared, transaction, try bool) (ok bool, err error)
		AdvisoryUnlock(key int64, pair, shared bool) (ok bool, err error)
		AdvisoryUnlockAll()
	}
	// Rebuilder cancels rebuilds of spatial indexes; false when there is no such job.
	Rebuilder interface {
		CancelRebuild(job string) bool
	}
	// TriggerDepther says how deep in triggers the session is.
	TriggerDepther interface{ TriggerDepth() int }
	// Notifier queues a notification for the end of the transaction.
	Notifier interface {
		Notify(channel, payload string) error
	}
)

// Ctx is what every call of one statement shares.
type Ctx struct {
	Context  context.Context // done when the statement is cancelled; sleeping functions watch it
	Env      *types.Env
	Session  Session
	StmtTime time.Time // statement_timestamp()
	TxnTime  time.Time // now()
	Random   *Random   // the session's generator; nil: one shared by all
}

// Arg is one declared argument.
type Arg struct {
	Name string
	Type *types.Type
	// Default is the text of the default of a user's function.
	Default string
}

// Func is one function name with its overloads. A name may have several Funcs
// when its overloads differ in volatility, null rule or index use.
type Func struct {
	Name       string // lower case after registration; written as documentation spells it
	Title      string // the spelling of documentation: ST_DWithin; set at registration
	Group      string // chapter of docs/functions.md
	Doc        string
	Volatility Volatility
	Nulls      NullRule
	Index      IndexUse
	Overloads  []Overload
	Examples   []Example
	// Operator is set for operators: the symbol, with Name the implementing function.
	Operator string
	// Negator and Commutator are symbols of operators, "" for none.
	Negator, Commutator string
}

// Example is a query and the text of its single value, executed by a test.
type Example struct{ SQL, Want string }

// EvalFunc is the body of a function: one value for its arguments, which it must
// not keep or change.
type EvalFunc = func(fc *Ctx, args []types.Datum) (types.Datum, error)

// SetFunc is the body of a set-returning function.
type SetFunc = func(fc *Ctx, args []types.Datum) (RowSource, error)

// Overload is one signature. For a variadic overload the last argument's type is
// the array type and Variadic is set. Polymorphic signatures use types.TAnyElement,
// types.TAnyArray, types.TAnyNonArray, types.TAny; Result may then be polymorphic too.
type Overload struct {
	Args     []Arg
	Result   *types.Type
	Eval     EvalFunc
	Variadic bool
	// Defaults are values of the last len(Defaults) arguments when left out.
	Defaults []types.Datum
	// EvalFor and SetFor are given instead of Eval and Set where the body must know
	// the types of its arguments ("any" and polymorphic ones); see Bind.
	EvalFor func(args []*types.Type) EvalFunc
	SetFor  func(args []*types.Type) SetFunc
	// Set is given instead of Eval by set-returning functions.
	Set SetFunc
	// Columns names the result columns of a set-returning function that returns records.
	Columns []Arg
	// ResultType computes the result when it depends on argument types beyond polymorphism.
	ResultType func(args []*types.Type) (*types.Type, error)
	Func       *Func // set at registration
	// Routine is the OID of a function that a user defines, else 0.
	Routine uint32
}

// Bind returns the overload to call with arguments of these types, one for each
// argument of the call after casts (an unknown literal that stays one counts as
// text). It is o itself unless the body depends on the types. A binder calls it
// once for each call or operator it resolves, before Eval or Set is used.
func (o *Overload) Bind(args []*types.Type) *Overload {
	if o.EvalFor == nil && o.SetFor == nil {
		return o
	}
	args = slices.Clone(args)
	bound := *o
	if o.EvalFor != nil {
		bound.Eval, bound.EvalFor = o.EvalFor(args), nil
	}
	if o.SetFor != nil {
		bound.Set, bound.SetFor = o.SetFor(args), nil
		if o.Func.Nulls == NullOnNull {
			bound.Set = strictSet(bound.Set)
		}
	}
	return &bound
}

// IsSet reports whether the function returns a set of rows.
func (o *Overload) IsSet() bool { return o.Set != nil || o.SetFor != nil }

// RowSource yields the rows of a set-returning function; ok is false at the end.
type RowSource interface {
	Next() (row types.Row, ok bool, err error)
}

// Aggregate is one aggregate with its overloads.
type Aggregate struct {
	Name      string // lower case after registration
	Title     string // the spelling of documentation; set at registration
	Group     string
	Doc       string
	Overloads []AggOverload
	Examples  []Example
}

// AggOverload is one signature of an aggregate. args is empty for count(*).
type AggOverload struct {
	Args     []Arg
	Variadic bool
	Result   *types.Type
	// ResultType as in Overload.
	ResultType func(args []*types.Type) (*types.Type, error)
	New        func(args []*types.Type) AggState
	// Strict states are not fed rows with a NULL argument.
	Strict bool
	Agg    *Aggregate
}

// AggState accumulates one group.
type AggState interface {
	Add(fc *Ctx, args []types.Datum) error
	Result(fc *Ctx) (types.Datum, error)
}
