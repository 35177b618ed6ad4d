package parser

import (
	"strings"

	"github.com/alecthomas/participle/v2/lexer"

	"raisind/pgerr"
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

func (p *parser) isQuantifier() bool { return p.is(kwAny) || p.is(kwSome) || p.is(kwAll) }

// anyAll reads ANY (...) or ALL (...).
func (p *parser) anyAll(at ast.At, left ast.Expr, op string) ast.Expr {
	x := &ast.AnyAll{At: at, Expr: left, Op: op, All: p.is(kwAll)}
	p.advance()
	p.want('(')
	x.Query, x.Array = p.queryOrExpr()
	p.want(')')
	return x
}

// isTest reads IS and what follows, ISNULL and NOTNULL.
func (p *parser) isTest(at ast.At, left ast.Expr, restricted bool) ast.Expr {
	x := &ast.IsTest{At: at, Expr: left}
	switch {
	case p.take(kwIsnull):
		return x
	case p.take(kwNotnull):
		x.Not = true
		return x
	}
	p.advance()
	x.Not = p.take(kwNot)
	switch {
	case p.take(kwDistinct):
		p.want(kwFrom)
		x.Kind = ast.IsDistinct
		x.Right = p.exprAbove(precIs+1, restricted)
		if p.precedence(restricted) == precIs {
			p.fail()
		}
		return x
	case p.take(kwDocument):
		x.Kind = ast.IsDocument
		return x
	case restricted:
		p.fail()
	case p.take(kwNull):
	case p.take(kwTrue):
		x.Kind = ast.IsTrue
	case p.take(kwFalse):
		x.Kind = ast.IsFalse
	case p.take(kwUnknown):
		x.Kind = ast.IsUnknown
	default:
		form := "NFC"
		switch p.tok.Type {
		case kwNfc, kwNfd, kwNfkc, kwNfkd:
			form = strings.ToUpper(p.tok.Value)
			p.advance()
		}
		formGiven := &ast.Literal{At: at, Kind: ast.LitString, Text: form}
		p.want(kwNormalized)
		call := systemCall(at, "is_normalized", left, formGiven)
		if x.Not {
			return &ast.Not{At: at, Expr: call}
		}
		return call
	}
	return x
}

// pattern reads [NOT] IN, BETWEEN, LIKE, ILIKE and SIMILAR TO.
func (p *parser) pattern(at ast.At, left ast.Expr) ast.Expr {
	not := p.take(kwNot)
	switch {
	case p.take(kwIn):
		return p.in(at, left, not)
	case p.take(kwBetween):
		x := &ast.Between{At: at, Expr: left, Not: not, Symmetric: p.take(kwSymmetric)}
		if !x.Symmetric {
			p.take(kwAsymmetric)
		}
		x.Low = p.restricted()
		p.want(kwAnd)
		x.High = p.exprAbove(precIn+1, false)
		p.nonAssociative()
		return x
	}
	x := &ast.LikeExpr{At: at, Expr: left, Not: not}
	op := "~~"
	switch {
	case p.take(kwIlike):
		x.Kind, op = ast.ILike, "~~*"
	case p.take(kwSimilar):
		x.Kind = ast.SimilarTo
		p.want(kwTo)
	default:
		p.want(kwLike)
	}
	if x.Kind != ast.SimilarTo && p.isQuantifier() {
		if not {
			op = "!" + op
		}
		return p.anyAll(at, left, op)
	}
	x.Pattern = p.exprAbove(precIn+1, false)
	if p.take(kwEscape) {
		x.Escape = p.exprAbove(precIn+1, false)
	}
	p.nonAssociative()
	return x
}

// nonAssociative refuses a second operator of BETWEEN's strength.
func (p *parser) nonAssociative() {
	if p.precedence(false) == precIn {
		p.fail()
	}
}

func (p *parser) in(at ast.At, left ast.Expr, not bool) ast.Expr {
	x := &ast.In{At: at, Expr: left, Not: not}
	p.want('(')
	query, first := p.queryOrExpr()
	if x.Query = query; query == nil {
		x.List = append(x.List, first)
		for p.take(',') {
			x.List = append(x.List, p.expr())
		}
	}
	p.want(')')
	return x
}

// startsQuery reports whether a query starts here, parentheses aside.
func (p *parser) startsQuery() bool {
	switch p.tok.Type {
	case kwSelect, kwWith, kwTable:
		return true
	case kwValues:
		return p.after().Type == '('
	}
	return false
}

// continuesQuery reports whether the current token goes on with a query that
// ended in a parenthesis.
func (p *parser) continuesQuery() bool {
	switch p.tok.Type {
	case kwUnion, kwIntersect, kwExcept, kwOrder, kwLimit, kwOffset, kwFetch, kwFor:
		return true
	}
	return false
}

// queryOrExpr reads what stands behind an opening parenthesis, up to the closing
// one (a query) or up to that or a comma (an expression). A query in parentheses
// of its own is a query, unless an operator follows.
func (p *parser) queryOrExpr() (*ast.Select, ast.Expr) {
	if p.startsQuery() {
		return p.query(), nil
	}
	if !p.is('(') {
		return nil, p.expr()
	}
	at := p.at()
	outer := p.height
	p.height = 0
	if !p.enter() {
		return nil, nil
	}
	defer func() { p.leave(outer) }()
	p.advance()
	query, x := p.queryOrExpr()
	if query != nil {
		p.want(')')
		switch {
		case p.continuesQuery():
			return p.queryFrom(query), nil
		case p.is(')'):
			return query, nil
		}
		x = p.indirection(&ast.Subquery{At: at, Query: query})
	} else {
		x = p.closeParen(at, x)
	}
	return nil, p.infix(x, precOr, false, false)
}

// paren reads an operand in parentheses: a sub-select, a row or an expression.
func (p *parser) paren() ast.Expr {
	at := p.at()
	similar := p.similar
	p.similar = false
	p.advance()
	query, x := p.queryOrExpr()
	p.similar = similar
	if query == nil {
		return p.closeParen(at, x)
	}
	p.want(')')
	return p.indirection(&ast.Subquery{At: at, Query: query})
}

// closeParen reads on behind the first expression in parentheses.
func (p *parser) closeParen(at ast.At, x ast.Expr) ast.Expr {
	if p.is(',') {
		row := &ast.RowLit{At: at, Args: []ast.Expr{x}}
		for p.take(',') {
			row.Args = append(row.Args, p.expr())
		}
		p.want(')')
		return p.overlaps(row)
	}
	p.want(')')
	return p.indirection(x)
}

// overlaps reads row OVERLAPS row, if it follows.
func (p *parser) overlaps(left *ast.RowLit) ast.Expr {
	at := p.at()
	if !p.take(kwOverlaps) {
		return left
	}
	right := &ast.RowLit{At: p.at()}
	if p.is(kwRow) {
		right = p.row()
	} else {
		p.want('(')
		right.Args = []ast.Expr{p.expr()}
		p.want(',')
		right.Args = append(right.Args, p.exprs()...)
		p.want(')')
	}
	switch {
	case p.err != nil:
		return nil
	case len(left.Args) != 2:
		p.failAt(left.At, errOverlaps("left"))
		return nil
	case len(right.Args) != 2:
		p.failAt(right.At, errOverlaps("right"))
		return nil
	}
	return systemCall(at, "overlaps", left.Args[0], left.Args[1], right.Args[0], right.Args[1])
}

func errOverlaps(side string) *pgerr.Error {
	return pgerr.New(pgerr.SyntaxError, "wrong number of parameters on %s side of OVERLAPS expression", side)
}

// row reads ROW(...), standing on ROW.
func (p *parser) row() *ast.RowLit {
	row := &ast.RowLit{At: p.at()}
	p.advance()
	p.want('(')
	if !p.is(')') {
		row.Args = p.exprs()
	}
	p.want(')')
	return row
}

// indirection reads the subscripts and fields that follow an operand.
func (p *parser) indirection(x ast.Expr) ast.Expr {
	star, misplaced := false, false
	for p.is('[') || p.is('.') {
		misplaced = misplaced || star
		if p.is('[') {
			x = p.subscript(x)
		} else {
			f := p.field(x)
			x, star = f, star || f.Star
		}
		p.grow()
	}
	if misplaced {
		p.failNear(improperStar)
	}
	return x
}

const improperStar = `improper use of "*"`

// start is the offset of x, or that of the current token when x is nil.
func (p *parser) start(x ast.Expr) ast.At {
	if x == nil {
		return p.at()
	}
	return ast.At(x.Pos())
}

func (p *parser) field(x ast.Expr) *ast.FieldSelect {
	f := &ast.FieldSelect{At: p.start(x), Expr: x}
	p.advance()
	if p.take('*') {
		f.Star = true
		return f
	}
	f.Name = p.label()
	return f
}

func (p *parser) subscript(x ast.Expr) ast.Expr {
	at := p.start(x)
	p.advance()
	var low, high ast.Expr
	if !p.is(':') {
		low = p.expr()
	}
	if !p.take(':') {
		p.want(']')
		return &ast.Index{At: at, Expr: x, Index: low}
	}
	if !p.is(']') {
		high = p.expr()
	}
	p.want(']')
	return &ast.Slice{At: at, Expr: x, Low: low, High: high}
}
