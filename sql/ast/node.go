// Package ast holds parsed SQL as plain structs: statements, expressions, and
// the way back to text (Format). It promises that Format of a parsed tree
// parses to the same tree again; names, types and meanings are not looked up
// here but left to the planner. A tree is immutable once parsed and may be
// shared; its strings may alias the statement's text.
package ast

// Node is any part of a statement that can be pointed at.
type Node interface {
	// Pos is the byte offset of the node in the statement's text, the place
	// PostgreSQL would point at (for an operator: the operator itself).
	Pos() int
}

// Stmt is a whole statement.
type Stmt interface {
	Node
	stmt()
}

// Expr is a scalar (or row) expression.
type Expr interface {
	Node
	expr()
}

// TableExpr is an item of a FROM list.
type TableExpr interface {
	Node
	tableExpr()
}

// At is a node's byte offset in the statement's text. Two trees that differ in
// nothing else mean the same.
type At int

// Pos returns the byte offset.
func (a At) Pos() int { return int(a) }

// RelName names a relation: 'fleet', fleet, "Fleet" or public.fleet. Parts left
// out are empty.
type RelName struct {
	At
	Catalog, Schema, Name string
}

// Dotted is the name as messages print it: unquoted, with the schema that was given.
func (r RelName) Dotted() string {
	if r.Schema == "" {
		return r.Name
	}
	return r.Schema + "." + r.Name
}

// Option is a name with an optional value, as in WITH (name = value). Value is
// nil, a *Literal (words are strings: on, off, true, gzip), a *ColumnRef with
// Star, or a *RowLit for a parenthesised list.
type Option struct {
	At
	Name  string
	Value Expr
}

// Target is an output column: of SELECT or RETURNING.
type Target struct {
	At
	// Expr is a *ColumnRef with Star for * and t.*.
	Expr Expr
	// Name is the label given with or without AS, empty for none.
	Name string
}

// OrderItem is one sort key.
type OrderItem struct {
	At
	Expr  Expr
	Desc  bool
	Nulls NullsOrder
	// Using is the operator of ORDER BY x USING >, qualified as in Binary.Op.
	Using string
}

// NullsOrder says where NULLs sort.
type NullsOrder uint8

// The places of NULLs; the default is last when ascending, first when descending.
const (
	NullsDefault NullsOrder = iota
	NullsFirst
	NullsLast
)
