package parser

import (
	"raisind/pgerr"
	"raisind/sql/ast"
)

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
