// Package parser turns SQL text into trees of package ast, with PostgreSQL's
// grammar, error texts and error positions. It looks nothing up: whether names
// and types exist is the planner's to say.
//
// A hand-written scanner feeds participle's PeekingLexer. Queries, INSERT,
// UPDATE, DELETE and expressions are parsed by hand on that lexer; every other
// statement is a participle grammar of its own (grammar_*.go), chosen by the
// statement's first words, whose expressions and names lead back here.
package parser

import (
	"strings"

	"github.com/alecthomas/participle/v2/lexer"

	"raisind/pgerr"
	"raisind/sql/ast"
)

// Limits of a text. Beyond the first two the answer is 54000, beyond MaxDepth
// 54001, beyond MaxParams 42P02.
const (
	// MaxStatementBytes is the longest text Parse looks at.
	MaxStatementBytes = 64 << 20
	// MaxTokens bounds one statement.
	MaxTokens = 2 << 20
	// MaxDepth bounds the height of the tree, whatever nests.
	MaxDepth = 10_000
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
// left out. Errors are *pgerr.Error with the position in characters of sql.
func Parse(sql string) ([]Statement, error) {
	if err := checkLength(sql); err != nil {
		return nil, err
	}
	var out []Statement
	src := newSource(sql)
	for src.next() {
		lex, err := lexer.Upgrade(src)
		if err != nil {
			return nil, err
		}
		if lex.Peek().EOF() {
			continue
		}
		text := strings.TrimRight(sql[src.base:src.end], " \t\n\r\f")
		node, err := parseStatement(lex, text)
		if err != nil {
			return nil, report(src, lex, err)
		}
		out = append(out, Statement{Node: node, Text: text, Offset: src.base})
	}
	return out, nil
}

// ParseExpr parses one expression; positions count from the start of its first
// token.
func ParseExpr(sql string) (ast.Expr, error) {
	if err := checkLength(sql); err != nil {
		return nil, err
	}
	src := newSource(sql)
	lex, err := lexer.Upgrade(src)
	if err != nil {
		return nil, err
	}
	p := newParser(lex)
	x := p.expr()
	p.end()
	if !src.done { // a semicolon
		p.fail()
	}
	if p.err != nil {
		return nil, report(src, lex, p.err)
	}
	return x, nil
}

func checkLength(sql string) error {
	if len(sql) > MaxStatementBytes {
		return pgerr.New(pgerr.ProgramLimitExceeded, "statement is too long").
			WithDetail("It has %d bytes, the limit is %d.", len(sql), MaxStatementBytes)
	}
	return nil
}

func errTooLong() *pgerr.Error {
	return pgerr.New(pgerr.ProgramLimitExceeded, "statement is too long").
		WithDetail("It has more than %d tokens.", MaxTokens)
}

func errTooDeep() *pgerr.Error {
	return pgerr.New(pgerr.StatementTooComplex, "stack depth limit exceeded").
		WithDetail("A statement may nest at most %d levels deep.", MaxDepth)
}

// parser reads one statement. The first error sticks: from then on the current
// token is the end, so that every rule finishes without doing harm.
type parser struct {
	lex *lexer.PeekingLexer
	tok *lexer.Token
	err error
	// last is the offset of the token before the current one.
	last int
	// depth counts the rules being in each other now; height is that of the
	// highest tree read since it was last set to 0. Chains such as 1 + 1 + 1 grow
	// in height only.
	depth, height int
	// similar is set in the first argument of SUBSTRING, where SIMILAR is only an
	// operator before TO.
	similar bool
}

func newParser(lex *lexer.PeekingLexer) *parser {
	return &parser{lex: lex, tok: lex.Peek()}
}

var endToken = lexer.Token{Type: tokEOF}

// advance goes to the next token.
func (p *parser) advance() {
	if p.err == nil {
		p.last = p.tok.Pos.Offset
		p.lex.Next()
		p.tok = p.lex.Peek()
	}
}

// after is the token behind the current one.
func (p *parser) after() *lexer.Token {
	if p.err != nil {
		return &endToken
	}
	return peekSecond(p.lex)
}

func peekSecond(lex *lexer.PeekingLexer) *lexer.Token {
	here := lex.MakeCheckpoint()
	lex.Next()
	tok := lex.Peek()
	lex.LoadCheckpoint(here)
	return tok
}

// at is the offset of the current token.
func (p *parser) at() ast.At { return ast.At(p.tok.Pos.Offset) }

func (p *parser) is(t lexer.TokenType) bool { return p.tok.Type == t }

// take steps over a token of type t, if it is the next.
func (p *parser) take(t lexer.TokenType) bool {
	if p.tok.Type != t {
		return false
	}
	p.advance()
	return true
}

// want steps over a token of type t or fails.
func (p *parser) want(t lexer.TokenType) {
	if !p.take(t) {
		p.fail()
	}
}

// end fails unless the statement is over.
func (p *parser) end() {
	if !p.is(tokEOF) {
		p.fail()
	}
}

// fail reports a syntax error at the current token.
func (p *parser) fail() { p.failWith(&fault{at: p.tok.Pos.Offset}) }

// failAt reports an error of its own at an offset of the statement.
func (p *parser) failAt(at ast.At, err *pgerr.Error) { p.failWith(&fault{at: int(at), err: err}) }

// failNear reports a message that ends in the current token.
func (p *parser) failNear(msg string) { p.failWith(&fault{at: p.tok.Pos.Offset, msg: msg}) }

func (p *parser) failWith(err error) {
	if p.err == nil {
		p.err = err
		p.tok = &endToken
	}
}

// enter opens a level of nesting; false when there are too many.
func (p *parser) enter() bool {
	if p.depth++; p.depth > MaxDepth {
		p.failAt(p.at(), errTooDeep())
		return false
	}
	return true
}

// leave closes the level. outer is the height that enter's caller had saved.
func (p *parser) leave(outer int) {
	p.depth--
	p.height = max(outer, p.height)
}

// grow puts one level on top of the trees read since height was 0.
func (p *parser) grow() {
	if p.height++; p.height > MaxDepth {
		p.failAt(p.at(), errTooDeep())
	}
}
