package session

import (
	"strconv"

	"raisind/pgerr"
	"raisind/sql/plan"
	"raisind/sql/types"
)

// Client is who a session answers to. Calls come in the order the protocol wants
// them. They buffer; only Row, CopyData and the reading of COPY may block, and their
// error means that the client is gone.
type Client interface {
	// Describe announces rows.
	Describe(r *Result)
	// Row sends one row, which lives until Row returns.
	Row(r *Result, row types.Row) error
	// Complete ends a statement.
	Complete(tag Tag)
	// Empty answers a statement without words.
	Empty()
	// Suspended tells that a portal has more rows than were asked for.
	Suspended()
	// Notice sends a notice or warning, which has passed client_min_messages.
	Notice(e *pgerr.Error)

	// CopyIn asks for COPY data, in text or (format 1) binary, of this many columns.
	CopyIn(format int8, columns int) error
	// CopyNext returns the next piece of data, which lives until the following call;
	// io.EOF at the end, 57014 when the client gave up.
	CopyNext() ([]byte, error)
	// CopyOut announces COPY data.
	CopyOut(format int8, columns int)
	// CopyData sends a piece of data.
	CopyData(b []byte) error
	// CopyDone ends it.
	CopyDone()
}

// Result describes rows on their way to a client.
type Result struct {
	Columns []plan.Column
	// Formats are the format codes asked for: none (all text), one for all, or one a column.
	Formats []int16
	// Env holds the settings values are printed with.
	Env *types.Env
}

// Binary reports whether column i was asked for in binary.
func (r *Result) Binary(i int) bool {
	switch len(r.Formats) {
	case 0:
		return false
	case 1:
		return r.Formats[0] == 1
	}
	return r.Formats[i] == 1
}

// Tag is a command tag: the words, and the number of rows where the command counts them.
type Tag struct {
	Verb string
	Rows int64
	// Counted tells that Rows is part of the tag.
	Counted bool
}

// Append appends the tag as clients read it.
func (t Tag) Append(dst []byte) []byte {
	dst = append(dst, t.Verb...)
	if !t.Counted {
		return dst
	}
	if t.Verb == "INSERT" {
		dst = append(dst, " 0"...) // where the OID of the row once stood
	}
	dst = append(dst, ' ')
	return strconv.AppendInt(dst, t.Rows, 10)
}

// String returns the tag as clients read it.
func (t Tag) String() string { return string(t.Append(nil)) }
