package parser

import (
	"strconv"
	"strings"

	"raisind/pgerr"
	"raisind/sql/ast"
)

// operand reads an expression without operators (PostgreSQL's c_expr).
func (p *parser) operand() ast.Expr {
	at := p.at()
	switch p.tok.Type {
	case tokIdent, tokQuoted:
		return p.nameOrCall()
	case tokString:
		text := stringValue(p.tok.Value)
		p.advance()
		return &ast.Literal{At: at, Kind: ast.LitString, Text: text}
	case tokInt, tokNumber:
		lit := numberLiteral(at, p.tok.Value)
		p.advance()
		return lit
	case tokParam:
		return p.indirection(p.param())
	case tokBits:
		text := bitsValue(p.tok.Value)
		p.advance()
		return &ast.Literal{At: at, Kind: ast.LitBit, Text: text}
	case '(':
		return p.paren()
	}
	if !isKeyword(p.tok.Type) {
		p.fail()
		return nil
	}
	return p.keywordOperand()
}

// numberLiteral makes a constant of a number as written, perhaps with a minus.
func numberLiteral(at ast.At, text string) *ast.Literal {
	if n, err := strconv.ParseInt(text, 10, 64); err == nil {
		if text[0] == '0' || text[0] == '-' && text[1] == '0' {
			text = strconv.FormatInt(n, 10)
		}
		return &ast.Literal{At: at, Kind: ast.LitInt, Text: text, Int: n}
	}
	return &ast.Literal{At: at, Kind: ast.LitNumeric, Text: text}
}

// bitsValue is b and the digits of B'...', x and those of X'...'.
func bitsValue(raw string) string {
	return strings.ToLower(raw[:1]) + joinQuoted(raw[1:])
}

func (p *parser) param() ast.Expr {
	n, err := strconv.Atoi(p.tok.Value)
	if err != nil || n < 1 || n > MaxParams {
		p.failAt(p.at(), pgerr.New(pgerr.UndefinedParameter, "there is no parameter $%s", p.tok.Value))
	}
	x := &ast.Param{At: p.at(), N: n}
	p.advance()
	return x
}

// keywordOperand reads an operand that starts with a keyword.
func (p *parser) keywordOperand() ast.Expr {
	at := p.at()
	switch p.tok.Type {
	case kwNull:
		p.advance()
		return &ast.Literal{At: at, Kind: ast.LitNull}
	case kwTrue, kwFalse:
		lit := &ast.Literal{At: at, Kind: ast.LitBool, Bool: p.is(kwTrue)}
		p.advance()
		return lit
	case kwCase:
		return p.caseExpr()
	case kwCast:
		p.advance()
		p.want('(')
		x := &ast.Cast{At: at, Expr: p.expr()}
		p.want(kwAs)
		x.Type = p.typeName()
		p.want(')')
		return x
	case kwArray:
		p.advance()
		if p.is('(') {
			return &ast.ArraySubquery{At: at, Query: p.queryInParens()}
		}
		if !p.is('[') {
			p.fail()
			return nil
		}
		lit := p.arrayLit()
		if lit != nil {
			lit.At = at
		}
		return lit
	case kwCurrentDate, kwCurrentTime, kwCurrentTimestamp, kwLocaltime, kwLocaltimestamp, kwCurrentRole, kwCurrentUser,
		kwSessionUser, kwUser, kwCurrentCatalog:
		return p.sqlValue()
	case kwCurrentSchema:
		if p.after().Type != '(' {
			return p.sqlValue()
		}
	case kwCollation:
		if p.after().Type == kwFor {
			p.advance()
			p.advance()
			p.want('(')
			x := p.expr()
			p.want(')')
			return systemCall(at, "pg_collation_for", x)
		}
	}
	k := keywordOf(p.tok.Type)
	switch k.class {
	case colName:
		if p.after().Type == '(' {
			if x, ok := p.specialCall(); ok {
				return x
			}
		}
		if p.startsConstant() {
			return p.typedConstant()
		}
	case unreserved:
		if p.startsConstant() { // DOUBLE PRECISION
			return p.typedConstant()
		}
	case reserved:
		p.fail()
		return nil
	}
	return p.nameOrCall()
}

func (p *parser) sqlValue() ast.Expr {
	x := &ast.SQLValue{At: p.at(), Name: p.tok.Value, Precision: -1}
	timed := p.is(kwCurrentTime) || p.is(kwCurrentTimestamp) || p.is(kwLocaltime) || p.is(kwLocaltimestamp)
	p.advance()
	if timed && p.take('(') {
		x.Precision = p.int()
		p.want(')')
	}
	return x
}

// int reads an integer constant of 32 bits (PostgreSQL's Iconst).
func (p *parser) int() int {
	n, err := strconv.ParseInt(p.tok.Value, 10, 32)
	if !p.is(tokInt) || err != nil {
		p.fail()
		return 0
	}
	p.advance()
	return int(n)
}

// text reads a string constant.
func (p *parser) text() string {
	if !p.is(tokString) {
		p.fail()
		return ""
	}
	s := stringValue(p.tok.Value)
	p.advance()
	return s
}

func (p *parser) caseExpr() ast.Expr {
	x := &ast.Case{At: p.at()}
	p.advance()
	if !p.is(kwWhen) {
		x.Operand = p.expr()
	}
	for first := true; first || p.is(kwWhen); first = false {
		when := ast.When{At: p.at()}
		p.want(kwWhen)
		when.Cond = p.expr()
		p.want(kwThen)
		when.Result = p.expr()
		x.Whens = append(x.Whens, when)
	}
	if p.take(kwElse) {
		x.Else = p.expr()
	}
	p.want(kwEnd)
	return x
}

// arrayLit reads [...], whose elements are expressions or all arrays.
func (p *parser) arrayLit() *ast.ArrayLit {
	outer := p.height
	p.height = 0
	if !p.enter() {
		return nil
	}
	lit := &ast.ArrayLit{At: p.at()}
	p.advance()
	switch {
	case p.is(']'):
	case p.is('['):
		lit.Elems = append(lit.Elems, p.arrayLit())
		for p.take(',') {
			if !p.is('[') {
				p.fail()
				break
			}
			lit.Elems = append(lit.Elems, p.arrayLit())
		}
	default:
		lit.Elems = p.exprs()
	}
	p.want(']')
	p.grow()
	p.leave(outer)
	return lit
}

// nameOrCall reads a column, a call, or a type before a string, each perhaps
// qualified.
func (p *parser) nameOrCall() ast.Expr {
	at, first := p.at(), p.tok.Type
	parts := []string{identValue(p.tok)}
	p.advance()
	if p.is('.') || p.is('[') {
		if !isColID(first) {
			p.fail()
			return nil
		}
		for p.is('.') {
			p.advance()
			if p.take('*') {
				for p.is('.') || p.is('[') { // reported behind the last part
					p.indirection(nil)
					p.failNear(improperStar)
				}
				return &ast.ColumnRef{At: at, Parts: parts, Star: true}
			}
			parts = append(parts, p.label())
		}
	}
	switch {
	case p.is('(') && (len(parts) > 1 || isTypeFuncName(first)):
		return p.call(at, parts)
	case p.is(tokString) && (len(parts) > 1 || isTypeFuncName(first)):
		return p.typedString(at, ast.TypeName{At: at, Names: parts})
	case !isColID(first):
		p.fail()
		return nil
	}
	return p.indirection(&ast.ColumnRef{At: at, Parts: parts})
}

// typedString reads the string behind a type.
func (p *parser) typedString(at ast.At, typ ast.TypeName) ast.Expr {
	return &ast.TypedLiteral{At: at, Type: typ, Text: p.text()}
}

// colID reads the name of a column, table or alias.
func (p *parser) colID() string {
	if !isColID(p.tok.Type) {
		p.fail()
		return ""
	}
	return p.name()
}

// label reads any word as a name.
func (p *parser) label() string {
	if !isColLabel(p.tok.Type) {
		p.fail()
		return ""
	}
	return p.name()
}

func (p *parser) name() string {
	s := identValue(p.tok)
	p.advance()
	return s
}

// names reads a list of names.
func (p *parser) names() []string {
	list := []string{p.colID()}
	for p.take(',') {
		list = append(list, p.colID())
	}
	return list
}

// anyName reads a name with its schemas.
func (p *parser) anyName() []string {
	parts := []string{p.colID()}
	for p.take('.') {
		parts = append(parts, p.label())
	}
	return parts
}

// relName reads a relation: a literal, or a name with up to two qualifiers.
func (p *parser) relName() ast.RelName {
	r := ast.RelName{At: p.at()}
	if p.is(tokString) {
		r.Name = p.text()
		if r.Name == "" && p.err == nil {
			p.failAt(r.At, pgerr.New(pgerr.SyntaxError, "zero-length relation name"))
		}
		return r
	}
	r.Name = p.colID()
	if !p.is('.') {
		return r
	}
	p.advance()
	r.Schema, r.Name = r.Name, p.label()
	if !p.is('.') {
		return r
	}
	p.advance()
	r.Catalog, r.Schema, r.Name = r.Schema, r.Name, p.label()
	if p.is('.') {
		parts := []string{r.Catalog, r.Schema, r.Name}
		for p.take('.') {
			parts = append(parts, p.label())
		}
		p.failAt(r.At, pgerr.New(pgerr.SyntaxError, "improper qualified name (too many dotted names): %s", strings.Join(parts, ".")))
	}
	return r
}
