package parser

import (
	"strings"

	"raisind/sql/ast"
)

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
