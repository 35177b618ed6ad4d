package parser

import (
	"raisind/pgerr"
	"raisind/sql/ast"
)

// orderBy reads ORDER BY and its list, standing on ORDER.
func (p *parser) orderBy() []ast.OrderItem {
	p.want(kwOrder)
	p.want(kwBy)
	var list []ast.OrderItem
	for first := true; first || p.take(','); first = false {
		item := ast.OrderItem{At: p.at(), Expr: p.expr()}
		switch {
		case p.take(kwUsing):
			if p.is(kwOperator) {
				item.Using = p.qualifiedOp()
			} else if item.Using = p.tok.Value; isColID(p.tok.Type) {
				p.fail()
			} else {
				p.anyOperator()
			}
		case p.take(kwDesc):
			item.Desc = true
		default:
			p.take(kwAsc)
		}
		item.Nulls = p.nullsOrder()
		list = append(list, item)
	}
	return list
}

// nullsFollow reports whether NULLS FIRST or NULLS LAST stands here.
func (p *parser) nullsFollow() bool {
	if !p.is(kwNulls) {
		return false
	}
	next := p.after().Type
	return next == kwFirst || next == kwLast
}

func (p *parser) nullsOrder() ast.NullsOrder {
	if !p.nullsFollow() {
		return ast.NullsDefault
	}
	p.advance()
	if p.take(kwFirst) {
		return ast.NullsFirst
	}
	p.advance()
	return ast.NullsLast
}

// limits is what LIMIT, OFFSET and FETCH say.
type limits struct {
	given         bool
	limit, offset ast.Expr
	ties          bool
}

// queryTail reads ORDER BY, LIMIT, OFFSET, FETCH and FOR, and puts them and with
// on q, which may have some already when it came in parentheses.
func (p *parser) queryTail(q *ast.Select, with *ast.With) *ast.Select {
	var order []ast.OrderItem
	if p.is(kwOrder) {
		order = p.orderBy()
	}
	var l limits
	var locking []ast.Locking
	if p.is(kwFor) {
		locking = p.locking()
		l = p.limits()
	} else if l = p.limits(); p.is(kwFor) {
		locking = p.locking()
	}
	if p.err != nil {
		return q
	}
	multiple := func(at int, what string) {
		p.failAt(ast.At(at), pgerr.New(pgerr.SyntaxError, "multiple %s clauses not allowed", what))
	}
	if order != nil {
		if q.OrderBy != nil {
			multiple(order[0].Pos(), "ORDER BY")
		}
		q.OrderBy = order
	}
	q.Locking = append(q.Locking, locking...)
	if l.offset != nil {
		if q.Offset != nil {
			multiple(l.offset.Pos(), "OFFSET")
		}
		q.Offset = l.offset
	}
	if l.limit != nil {
		if q.Limit != nil {
			multiple(l.limit.Pos(), "LIMIT")
		}
		q.Limit = l.limit
	}
	if l.ties {
		if q.OrderBy == nil {
			p.failWith(pgerr.New(pgerr.SyntaxError, "WITH TIES cannot be specified without ORDER BY clause"))
		}
		for _, lock := range q.Locking {
			if lock.Wait == ast.LockSkip {
				p.failWith(pgerr.New(pgerr.SyntaxError, "SKIP LOCKED and WITH TIES options cannot be used together"))
			}
		}
		q.WithTies = true
	}
	if with != nil {
		if q.With != nil {
			multiple(with.Pos(), "WITH")
		}
		q.With = with
	}
	return q
}

func (p *parser) limits() limits {
	var l limits
	for {
		at := p.at()
		switch {
		case p.is(kwOffset) && l.offset == nil:
			p.advance()
			l.offset = p.offset()
		case p.is(kwLimit) && !l.given:
			l.given = true
			p.advance()
			if !p.take(kwAll) {
				l.limit = p.expr()
			}
			if p.is(',') {
				p.failAt(at, pgerr.New(pgerr.SyntaxError, "LIMIT #,# syntax is not supported").
					WithHint("Use separate LIMIT and OFFSET clauses."))
			}
		case p.is(kwFetch) && !l.given:
			l.given = true
			p.advance()
			p.fetch(&l, at)
		default:
			return l
		}
	}
}

// offset reads an expression, behind which ROW or ROWS may stand when it has no
// operators.
func (p *parser) offset() ast.Expr {
	outer := p.height
	p.height = 0
	if !p.enter() {
		return nil
	}
	next := p.after().Type
	bare := true
	switch p.tok.Type {
	case '-', '+':
		bare = next == tokInt || next == tokNumber
	case kwNot, kwDefault, tokOp:
		bare = false
	case kwOperator:
		bare = next != '('
	}
	x := p.prefix(false)
	p.grow()
	if p.precedence(false) != precNone {
		bare = false
		x = p.infix(x, precOr, false, false)
	}
	p.leave(outer)
	if bare && !p.take(kwRow) {
		p.take(kwRows)
	}
	return x
}

// fetch reads the rest of FETCH FIRST n ROWS ONLY.
func (p *parser) fetch(l *limits, at ast.At) {
	if !p.take(kwFirst) {
		p.want(kwNext)
	}
	l.limit = &ast.Literal{At: at, Kind: ast.LitInt, Text: "1", Int: 1}
	if next := p.after().Type; !p.is(kwRow) && !p.is(kwRows) || next == kwRow || next == kwRows {
		l.limit = p.fetchCount()
	}
	if !p.take(kwRow) {
		p.want(kwRows)
	}
	if p.take(kwWith) {
		p.want(kwTies)
		l.ties = true
	} else {
		p.want(kwOnly)
	}
}

// fetchCount reads a signed number or an operand.
func (p *parser) fetchCount() ast.Expr {
	at := p.at()
	minus := p.is('-')
	if minus || p.is('+') {
		p.advance()
		if !p.is(tokInt) && !p.is(tokNumber) {
			p.fail()
		}
	}
	x := p.operand()
	if minus && p.err == nil {
		return negate(at, x)
	}
	return x
}

// locking reads FOR UPDATE and its like; FOR READ ONLY says nothing.
func (p *parser) locking() []ast.Locking {
	if p.is(kwFor) && p.after().Type == kwRead {
		p.advance()
		p.advance()
		p.want(kwOnly)
		return nil
	}
	var list []ast.Locking
	for p.is(kwFor) {
		l := ast.Locking{At: p.at(), Strength: ast.ForUpdate}
		p.advance()
		switch {
		case p.take(kwNo):
			l.Strength = ast.ForNoKeyUpdate
			p.want(kwKey)
			p.want(kwUpdate)
		case p.take(kwShare):
			l.Strength = ast.ForShare
		case p.take(kwKey):
			l.Strength = ast.ForKeyShare
			p.want(kwShare)
		default:
			p.want(kwUpdate)
		}
		if p.take(kwOf) {
			l.Of = p.relNames()
		}
		switch {
		case p.take(kwNowait):
			l.Wait = ast.LockNoWait
		case p.take(kwSkip):
			p.want(kwLocked)
			l.Wait = ast.LockSkip
		}
		list = append(list, l)
	}
	return list
}

func (p *parser) relNames() []ast.RelName {
	list := []ast.RelName{p.relName()}
	for p.take(',') {
		list = append(list, p.relName())
	}
	return list
}
