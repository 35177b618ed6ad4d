// Package pgerr holds errors as PostgreSQL's protocol reports them: a SQLSTATE,
// a message that names the thing, and where possible a hint that names the way
// out. It promises that no error leaves the server without a code; mapping the
// errors of other packages to codes is left to the callers who know them.
package pgerr

import (
	"context"
	"errors"
	"fmt"
	"unicode/utf8"

	"github.com/jackc/pgx/v5/pgproto3"
)

// Code is a SQLSTATE. It is a struct so that no bare string passes for one.
type Code struct{ state string }

// String returns the five characters of the SQLSTATE.
func (c Code) String() string { return c.state }

// StateCode is the code with the five characters given.
func StateCode(state string) Code { return Code{state} }

// Class is the class of the code: its first two characters, then 000.
func (c Code) Class() string {
	if len(c.state) < 2 {
		return c.state
	}
	return c.state[:2] + "000"
}

// Severity of a message, in PostgreSQL's words.
type Severity string

// The severities a client may see.
const (
	SeverityError   Severity = "ERROR"
	SeverityFatal   Severity = "FATAL"
	SeverityPanic   Severity = "PANIC"
	SeverityWarning Severity = "WARNING"
	SeverityNotice  Severity = "NOTICE"
	SeverityInfo    Severity = "INFO"
	SeverityLog     Severity = "LOG"
	SeverityDebug   Severity = "DEBUG"
)

// Error is an error or a notice with everything PostgreSQL's protocol can carry.
type Error struct {
	// Severity is ERROR when empty.
	Severity Severity
	Code     Code
	Msg      string
	Detail   string
	Hint     string
	// Pos is the 1-based character of the statement the error points at, 0 for none.
	Pos int
	// Where is the call context, innermost first (CONTEXT lines).
	Where string
	// InternalQuery is a query the server made or found in a function, and InternalPos
	// the 1-based character of it that the error points at; Pos is 0 then.
	InternalQuery string
	InternalPos   int

	Schema, Table, Column, DataType, Constraint string

	cause error
}

// Error returns the message alone, as psql's first line shows it.
func (e *Error) Error() string { return e.Msg }

// Unwrap returns the error this one was made from, or nil.
func (e *Error) Unwrap() error { return e.cause }

// New makes an error; format and args are those of fmt.Sprintf.
func New(code Code, format string, args ...any) *Error {
	if len(args) == 0 {
		return &Error{Code: code, Msg: format}
	}
	return &Error{Code: code, Msg: fmt.Sprintf(format, args...)}
}

// Wrap makes an error with a code of its own out of cause, which errors.Is still finds.
func Wrap(cause error, code Code, format string, args ...any) *Error {
	e := New(code, format, args...)
	e.cause = cause
	return e
}

// Notice makes a message of severity NOTICE with code 00000.
func Notice(format string, args ...any) *Error {
	e := New(SuccessfulCompletion, format, args...)
	e.Severity = SeverityNotice
	return e
}

// Warning makes a message of severity WARNING.
func Warning(code Code, format string, args ...any) *Error {
	e := New(code, format, args...)
	e.Severity = SeverityWarning
	return e
}

// AddContext puts a line of call context below those there are.
func (e *Error) AddContext(line string) {
	if e.Where != "" {
		e.Where += "\n"
	}
	e.Where += line
}

// WithHint adds the way out and returns e.
func (e *Error) WithHint(format string, args ...any) *Error {
	e.Hint = fmt.Sprintf(format, args...)
	return e
}

// WithDetail adds the facts behind the message and returns e.
func (e *Error) WithDetail(format string, args ...any) *Error {
	e.Detail = fmt.Sprintf(format, args...)
	return e
}

// At sets the 1-based character position if none is set yet and returns e.
func (e *Error) At(pos int) *Error {
	if e.Pos == 0 {
		e.Pos = pos
	}
	return e
}

// WithRelation names the table, and the constraint or column when not empty.
func (e *Error) WithRelation(schema, table, column, constraint string) *Error {
	e.Schema, e.Table, e.Column, e.Constraint = schema, table, column, constraint
	return e
}

// CharPos turns a byte offset into sql (0-based) into the 1-based character
// position that the protocol's P field wants.
func CharPos(sql string, byteOffset int) int {
	if byteOffset > len(sql) {
		byteOffset = len(sql)
	}
	return utf8.RuneCountInString(sql[:byteOffset]) + 1
}

// Is reports whether err carries code.
func Is(err error, code Code) bool {
	var e *Error
	return errors.As(err, &e) && e.Code == code
}

// From returns err as an *Error: the innermost code with the outermost text.
// A cancelled context is 57014; an error without a code is a bug of ours, XX000.
func From(err error) *Error {
	var e *Error
	if errors.As(err, &e) {
		return e
	}
	if errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded) {
		return Wrap(err, QueryCanceled, "canceling statement due to user request")
	}
	return Wrap(err, InternalError, "internal error: %v", err)
}

// Response is err as an ErrorResponse message.
func Response(err error) *pgproto3.ErrorResponse {
	r := fields(From(err), SeverityError)
	return &r
}

// NoticeResponse is e as a NoticeResponse message.
func NoticeResponse(e *Error) *pgproto3.NoticeResponse {
	r := pgproto3.NoticeResponse(fields(e, SeverityNotice))
	return &r
}

func fields(e *Error, severity Severity) pgproto3.ErrorResponse {
	if e.Severity != "" {
		severity = e.Severity
	}
	return pgproto3.ErrorResponse{
		Severity: string(severity), SeverityUnlocalized: string(severity),
		Code: e.Code.state, Message: e.Msg, Detail: e.Detail, Hint: e.Hint, Position: int32(e.Pos), Where: e.Where,
		InternalQuery: e.InternalQuery, InternalPosition: int32(e.InternalPos),
		SchemaName: e.Schema, TableName: e.Table, ColumnName: e.Column, DataTypeName: e.DataType, ConstraintName: e.Constraint,
	}
}
