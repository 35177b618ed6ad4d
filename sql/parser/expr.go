package parser

import (
	"strings"

	"github.com/alecthomas/participle/v2/lexer"

	"raisind/sql/ast"
)

// The binding strengths of PostgreSQL's operators, weakest first.
const (
	precNone = iota
	precOr
	precAnd
	precNot
	precIs      // IS, ISNULL, NOTNULL
	precCompare // < > = <= >= <>
	precIn      // BETWEEN, IN, LIKE, ILIKE, SIMILAR
	precEscape
	precOp // all other operators
	precAdd
	precMul
	precPow
	precAt
	precCollate
	precMinus // unary + and -
	precCast
)

// expr reads an expression (PostgreSQL's a_expr).
func (p *parser) expr() ast.Expr { return p.exprAbove(precOr, false) }

// restricted reads an expression without AND, OR, NOT, IN, LIKE, BETWEEN and IS
// NULL outside parentheses (PostgreSQL's b_expr).
func (p *parser) restricted() ast.Expr { return p.exprAbove(precOr, true) }

// labelled reads the expression of an output column, behind which a keyword such
// as AND may be a label.
func (p *parser) labelled() ast.Expr {
	outer := p.height
	p.height = 0
	if !p.enter() {
		return nil
	}
	x := p.prefix(false)
	p.grow()
	x = p.infix(x, precOr, false, true)
	p.leave(outer)
	return x
}

// exprAbove reads an expression whose operators bind at least as strongly as
// lowest.
func (p *parser) exprAbove(lowest int, restricted bool) ast.Expr {
	outer := p.height
	p.height = 0
	if !p.enter() {
		return nil
	}
	x := p.prefix(restricted)
	p.grow()
	x = p.infix(x, lowest, restricted, false)
	p.leave(outer)
	return x
}

// exprs reads a list separated by commas.
func (p *parser) exprs() []ast.Expr {
	list := []ast.Expr{p.expr()}
	for p.take(',') {
		list = append(list, p.expr())
	}
	return list
}

// prefix reads an operand with the operators before it.
func (p *parser) prefix(restricted bool) ast.Expr {
	at := p.at()
	switch p.tok.Type {
	case '-':
		p.advance()
		return negate(at, p.exprAbove(precMinus, restricted))
	case '+':
		p.advance()
		return &ast.Unary{At: at, Op: "+", Expr: p.exprAbove(precMinus, restricted)}
	case kwDefault:
		if !restricted { // where it may stand is the planner's to say
			p.advance()
			return &ast.Default{At: at}
		}
	case kwNot:
		if restricted {
			p.fail()
			return nil
		}
		p.advance()
		return &ast.Not{At: at, Expr: p.exprAbove(precNot, false)}
	case tokOp:
		op := p.tok.Value
		p.advance()
		return &ast.Unary{At: at, Op: op, Expr: p.exprAbove(precOp+1, restricted)}
	case kwOperator:
		if p.after().Type == '(' {
			op := p.qualifiedOp()
			return &ast.Unary{At: at, Op: op, Expr: p.exprAbove(precOp+1, restricted)}
		}
	}
	return p.operand()
}

// negate folds the sign into a number, as PostgreSQL does.
func negate(at ast.At, x ast.Expr) ast.Expr {
	lit, ok := x.(*ast.Literal)
	if !ok || lit.Kind != ast.LitInt && lit.Kind != ast.LitNumeric {
		return &ast.Unary{At: at, Op: "-", Expr: x}
	}
	text, signed := strings.CutPrefix(lit.Text, "-")
	if !signed {
		text = "-" + text
	}
	return numberLiteral(at, text)
}

// precedence is the binding strength of the current token as an infix operator,
// precNone when it is none.
func (p *parser) precedence(restricted bool) int {
	switch p.tok.Type {
	case '=', '<', '>', tokLE, tokGE, tokNE:
		return precCompare
	case tokOp:
		return precOp
	case '+', '-':
		return precAdd
	case '*', '/', '%':
		return precMul
	case '^':
		return precPow
	case tokCast:
		return precCast
	case kwIs:
		return precIs
	case kwOperator:
		return precOp
	}
	if restricted || !isKeyword(p.tok.Type) {
		return precNone
	}
	switch p.tok.Type {
	case kwOr:
		return precOr
	case kwAnd:
		return precAnd
	case kwIsnull, kwNotnull:
		return precIs
	case kwSimilar:
		if p.similar && p.after().Type != kwTo {
			return precNone
		}
		return precIn
	case kwBetween, kwIn, kwLike, kwIlike:
		return precIn
	case kwNot:
		switch p.after().Type {
		case kwBetween, kwIn, kwLike, kwIlike, kwSimilar:
			return precIn
		}
	case kwAt:
		return precAt
	case kwCollate:
		return precCollate
	}
	return precNone
}

// endsTarget reports whether t may follow an output column.
func endsTarget(t lexer.TokenType) bool {
	switch t {
	case tokEOF, ',', ')', kwFrom, kwInto, kwWhere, kwGroup, kwHaving, kwWindow, kwUnion, kwIntersect, kwExcept,
		kwOrder, kwLimit, kwOffset, kwFetch, kwFor, kwReturning, kwOn, kwWith:
		return true
	}
	return false
}

// infix reads the operators that follow left. With label an operator word that
// an output column could end in is left for a label.
func (p *parser) infix(left ast.Expr, lowest int, restricted, label bool) ast.Expr {
	for {
		prec := p.precedence(restricted)
		if prec < lowest || prec == precNone {
			return left
		}
		typ := p.tok.Type
		if label && isKeyword(typ) && isBareLabel(typ) && endsTarget(p.after().Type) {
			return left
		}
		at := p.at()
		switch prec {
		case precOr, precAnd:
			left = p.junction(at, left, prec)
			continue
		case precIs:
			left = p.isTest(at, left, restricted)
		case precIn:
			left = p.pattern(at, left)
		case precAt:
			p.advance()
			p.want(kwTime)
			p.want(kwZone)
			left = &ast.AtTimeZone{At: at, Expr: left, Zone: p.exprAbove(precAt+1, restricted)}
		case precCollate:
			p.advance()
			left = &ast.Collate{At: at, Expr: left, Name: p.anyName()}
		case precCast:
			p.advance()
			left = &ast.Cast{At: at, Expr: left, Type: p.typeName()}
		default:
			left = p.operator(at, left, prec, restricted)
		}
		p.grow()
	}
}

// junction reads the right side of AND or OR, which PostgreSQL keeps flat.
func (p *parser) junction(at ast.At, left ast.Expr, prec int) ast.Expr {
	p.advance()
	height := p.height
	p.height = 0
	right := p.exprAbove(prec+1, false)
	p.grow()
	p.height = max(p.height, height)
	if prec == precAnd {
		if and, ok := left.(*ast.And); ok {
			and.Args = append(and.Args, right)
			return and
		}
		left = &ast.And{At: at, Args: []ast.Expr{left, right}}
	} else {
		if or, ok := left.(*ast.Or); ok {
			or.Args = append(or.Args, right)
			return or
		}
		left = &ast.Or{At: at, Args: []ast.Expr{left, right}}
	}
	p.height = max(p.height, height+1)
	return left
}

// operator reads a symbol and its right side: an operand, ANY or ALL.
func (p *parser) operator(at ast.At, left ast.Expr, prec int, restricted bool) ast.Expr {
	var op string
	if p.is(kwOperator) {
		op = p.qualifiedOp()
	} else {
		op = p.tok.Value
		p.advance()
	}
	if !restricted && p.isQuantifier() {
		return p.anyAll(at, left, op)
	}
	x := &ast.Binary{At: at, Op: op, Left: left, Right: p.exprAbove(prec+1, restricted)}
	if prec == precCompare && p.precedence(restricted) == precCompare {
		p.fail() // a < b < c
	}
	return x
}

// qualifiedOp reads OPERATOR(schema.op).
func (p *parser) qualifiedOp() string {
	p.advance()
	p.want('(')
	op := p.anyOperator()
	p.want(')')
	return op
}

// anyOperator reads an operator with its schemas.
func (p *parser) anyOperator() string {
	var b strings.Builder
	for isColID(p.tok.Type) {
		b.WriteString(ast.QuoteIdent(identValue(p.tok)))
		b.WriteByte('.')
		p.advance()
		p.want('.')
	}
	switch p.tok.Type {
	case tokOp, '+', '-', '*', '/', '%', '^', '<', '>', '=', tokLE, tokGE, tokNE:
		b.WriteString(p.tok.Value)
		p.advance()
	default:
		p.fail()
	}
	return b.String()
}
