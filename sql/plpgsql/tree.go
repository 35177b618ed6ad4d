package plpgsql

import (
	"raisind/pgerr"
	"raisind/sql/ast"
	"raisind/sql/parser"
	"raisind/sql/types"
)

// stmt is one statement of a body.
type stmt interface {
	// line is where it starts; the body's first line is 1.
	line() int
	// what is how a CONTEXT line names it.
	what() string
}

// at is where a statement starts, by line.
type at int

func (a at) line() int { return int(a) }

// block is [<<label>>] [DECLARE …] BEGIN … [EXCEPTION …] END.
type block struct {
	at
	label string
	// init are the variables declared here, in order; each entry of the block sets them anew.
	init     []int
	body     []stmt
	handlers []handler
	// state and message are the variables SQLSTATE and SQLERRM of the handlers.
	state, message int
}

func (*block) what() string { return "statement block" }

// handler is WHEN condition OR … THEN ….
type handler struct {
	conditions []condition
	body       []stmt
}

// condition matches errors: all of them, a class of SQLSTATEs, or one.
type condition struct {
	others bool
	code   string
}

// assign is target := expression.
type assign struct {
	at
	to    target
	value *fragment
}

func (*assign) what() string { return "assignment" }

// target is what is assigned to: a variable or a part of it.
type target struct {
	dno  int
	path []step
	name string // as written, for messages
	pos  int    // in the body
}

// step goes into a value: to a field of a record or an element of an array.
type step struct {
	field string
	index *fragment // nil for a field
}

type ifStmt struct {
	at
	conds  []*fragment
	bodies [][]stmt
	orElse []stmt
}

func (*ifStmt) what() string { return "IF" }

// caseStmt is CASE. With a subject the conditions compare a variable that holds it.
type caseStmt struct {
	at
	subject *fragment
	subj    int // its variable
	conds   []*fragment
	bodies  [][]stmt
	orElse  []stmt
	hasElse bool
}

func (*caseStmt) what() string { return "CASE" }

type loop struct {
	at
	label string
	cond  *fragment // of WHILE
	body  []stmt
}

func (l *loop) what() string {
	if l.cond != nil {
		return "WHILE"
	}
	return "LOOP"
}

type forInt struct {
	at
	label     string
	dno       int
	low, high *fragment
	step      *fragment
	reverse   bool
	body      []stmt
}

func (*forInt) what() string { return "FOR with integer loop variable" }

// forQuery is FOR over the rows of a query, of EXECUTE, or of a cursor.
type forQuery struct {
	at
	label   string
	into    target
	source  *querySource
	cursor  int // of FOR r IN cursor, else -1
	args    *fragment
	argList []int
	body    []stmt
}

func (f *forQuery) what() string {
	switch {
	case f.cursor >= 0:
		return "FOR over cursor"
	case f.source.dynamic:
		return "FOR over EXECUTE statement"
	}
	return "FOR over SELECT rows"
}

// querySource is a query, written out or computed.
type querySource struct {
	q       *fragment
	dynamic bool
	using   []*fragment
}

type forEach struct {
	at
	label string
	into  target
	slice int
	array *fragment
	body  []stmt
}

func (*forEach) what() string { return "FOREACH over array" }

type exit struct {
	at
	next  bool // CONTINUE
	label string
	cond  *fragment
}

func (e *exit) what() string {
	if e.next {
		return "CONTINUE"
	}
	return "EXIT"
}

type returnStmt struct {
	at
	value *fragment // nil: nothing, or the OUT parameters
	// dno is the variable that is returned when value is a variable's name alone, else -1.
	dno int
}

func (*returnStmt) what() string { return "RETURN" }

type returnNext struct {
	at
	value *fragment // nil: the OUT parameters
	dno   int       // as in returnStmt
}

func (*returnNext) what() string { return "RETURN NEXT" }

type returnQuery struct {
	at
	source querySource
}

func (*returnQuery) what() string { return "RETURN QUERY" }

type raise struct {
	at
	level   pgerr.Severity
	code    string // SQLSTATE of a condition, empty when not given
	cond    string // the condition's name, which is the message when there is no other
	format  string
	hasText bool
	args    []*fragment
	options []raiseOption
	again   bool // RAISE alone
}

func (*raise) what() string { return "RAISE" }

type raiseOption struct {
	name  string
	value *fragment
}

type assert struct {
	at
	cond, message *fragment
}

func (*assert) what() string { return "ASSERT" }

// execSQL is an SQL statement, with or without INTO; PERFORM and CALL are two more.
type execSQL struct {
	at
	q      *fragment
	into   *target
	strict bool
	kind   string // "SQL statement", "PERFORM", "CALL", "DO"
}

func (e *execSQL) what() string { return e.kind }

type execute struct {
	at
	q      *fragment
	into   *target
	strict bool
	using  []*fragment
}

func (*execute) what() string { return "EXECUTE" }

type getDiag struct {
	at
	stacked bool
	items   []diagItem
}

type diagItem struct {
	to   target
	what string
}

func (g *getDiag) what() string {
	if g.stacked {
		return "GET STACKED DIAGNOSTICS"
	}
	return "GET DIAGNOSTICS"
}

type openCursor struct {
	at
	dno     int
	source  *querySource // nil: of a bound cursor
	args    *fragment
	argList []int
	scroll  *bool
}

func (*openCursor) what() string { return "OPEN" }

type fetch struct {
	at
	dno   int
	into  *target
	dir   ast.FetchDirection
	count int64
	all   bool
	n     *fragment // a count that is computed
	move  bool
}

func (f *fetch) what() string {
	if f.move {
		return "MOVE"
	}
	return "FETCH"
}

type closeCursor struct {
	at
	dno int
}

func (*closeCursor) what() string { return "CLOSE" }

// endTxn is COMMIT or ROLLBACK.
type endTxn struct {
	at
	commit, chain bool
}

func (e *endTxn) what() string {
	if e.commit {
		return "COMMIT"
	}
	return "ROLLBACK"
}

// mode is what a fragment is to PostgreSQL's parser.
type mode uint8

const (
	modeStatement mode = iota
	modeExpr
	modeAssign
)

// fragment is a piece of SQL within a body.
type fragment struct {
	mode mode
	// text is what messages show, pos where it starts in the body.
	text string
	pos  int
	// skip is what of text comes before the expression, for modeAssign.
	skip int
	stmt parser.Statement
	ns   *scope
	plan *prepared
}

// selectWord makes a query of an expression.
const selectWord = "SELECT "

// varKind tells variables apart.
type varKind uint8

const (
	scalarVar  varKind = iota
	recordVar          // a record, its fields known or not before it is assigned
	rowVar             // a list of other variables: OUT parameters, INTO a, b
	cursorVar          // a refcursor bound to a query
	promiseVar         // TG_OP and its kin, set when a trigger fires
)

// variable is a declared name.
type variable struct {
	kind              varKind
	name              string
	line              int
	t                 *types.Type // of scalars, and of records of a named composite type
	typmod            int32
	constant, notNull bool
	def               *fragment
	// desc are the fields of a record that are known beforehand.
	desc *fields
	// parts are the variables of a row, or the arguments of a cursor.
	parts []int
	// query is what a bound cursor reads.
	query  *fragment
	scroll *bool
}

// fields describe a record.
type fields struct {
	names   []string
	types   []*types.Type
	typmods []int32
}

func (f *fields) find(name string) int {
	for i, n := range f.names {
		if n == name {
			return i
		}
	}
	return -1
}
