package parser

import "raisind/sql/ast"

// with reads WITH and its queries, standing on WITH.
func (p *parser) with() *ast.With {
	w := &ast.With{At: p.at()}
	p.advance()
	if next := p.after().Type; p.is(kwRecursive) && next != kwAs && next != '(' {
		w.Recursive = true
		p.advance()
	}
	for first := true; first || p.take(','); first = false {
		w.CTEs = append(w.CTEs, p.cte())
	}
	return w
}

func (p *parser) cte() *ast.CTE {
	c := &ast.CTE{At: p.at(), Name: p.colID()}
	if p.take('(') {
		c.Columns = p.names()
		p.want(')')
	}
	p.want(kwAs)
	switch {
	case p.take(kwMaterialized):
		c.Materialized = ast.Materialized
	case p.take(kwNot):
		p.want(kwMaterialized)
		c.Materialized = ast.NotMaterialized
	}
	p.want('(')
	c.Query = p.preparable()
	p.want(')')
	if at := p.at(); p.take(kwSearch) {
		s := &ast.Search{At: at}
		if s.Breadth = p.take(kwBreadth); !s.Breadth {
			p.want(kwDepth)
		}
		p.want(kwFirst)
		p.want(kwBy)
		s.By = p.names()
		p.want(kwSet)
		s.Set = p.colID()
		c.Search = s
	}
	if at := p.at(); p.take(kwCycle) {
		y := &ast.Cycle{At: at, Columns: p.names()}
		p.want(kwSet)
		y.Mark = p.colID()
		if p.take(kwTo) {
			y.To = p.constant()
			p.want(kwDefault)
			y.Otherwise = p.constant()
		}
		p.want(kwUsing)
		y.Path = p.colID()
		c.Cycle = y
	}
	return c
}

// constant reads a constant without operators.
func (p *parser) constant() ast.Expr {
	x := p.operand()
	switch x.(type) {
	case nil, *ast.Literal, *ast.TypedLiteral, *ast.IntervalLit:
		return x
	}
	p.fail()
	return nil
}

// preparable reads what PREPARE, EXPLAIN and WITH take: a query, INSERT, UPDATE or
// DELETE.
func (p *parser) preparable() ast.Stmt {
	outer := p.height
	p.height = 0
	if !p.enter() {
		return nil
	}
	var s ast.Stmt
	switch p.tok.Type {
	case kwWith:
		s = p.withStatement()
	case kwInsert:
		s = p.insert(nil)
	case kwUpdate:
		s = p.update(nil)
	case kwDelete:
		s = p.delete(nil)
	default:
		s = p.query()
	}
	p.grow()
	p.leave(outer)
	return s
}

// withStatement reads a statement that starts with WITH.
func (p *parser) withStatement() ast.Stmt {
	with := p.with()
	switch p.tok.Type {
	case kwInsert:
		return p.insert(with)
	case kwUpdate:
		return p.update(with)
	case kwDelete:
		return p.delete(with)
	}
	return p.queryTail(p.setOps(precUnion), with)
}
