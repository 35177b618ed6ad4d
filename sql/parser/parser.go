// Package parser turns SQL text into trees of package ast, with PostgreSQL's
// grammar, error texts and error positions. It looks nothing up: whether names
// and types exist is the planner's to say.
package parser

import "raisind/sql/ast"

// Limits of a statement; all answer 54001 or 54000 when exceeded.
const (
	// MaxStatementBytes is the longest text Parse looks at.
	MaxStatementBytes = 64 << 20
	// MaxDepth bounds the depth of the tree, whatever nests.
	MaxDepth = 5000
	// MaxParams is the highest $N.
	MaxParams = 65535
)

// Statement is one statement of a text.
type Statement struct {
	Node ast.Stmt
	// Text is the statement alone, without the semicolon; positions in Node
	// count from its start.
	Text string
	// Offset is where Text starts in the whole, in bytes.
	Offset int
}

// Parse parses any number of statements separated by semicolons; empty ones are
// left out.
func Parse(sql string) ([]Statement, error) { return nil, nil }

// ParseExpr parses one expression.
func ParseExpr(sql string) (ast.Expr, error) { return nil, nil }
