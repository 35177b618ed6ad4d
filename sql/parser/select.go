package parser

import (
	"github.com/alecthomas/participle/v2/lexer"

	"raisind/sql/ast"
)

// query reads a query without parentheses around the whole, or one that starts
// with a query in parentheses.
func (p *parser) query() *ast.Select {
	outer := p.height
	p.height = 0
	if !p.enter() {
		return nil
	}
	var with *ast.With
	if p.is(kwWith) {
		with = p.with()
	}
	q := p.queryTail(p.setOps(precUnion), with)
	p.grow()
	p.leave(outer)
	return q
}

// queryFrom reads on behind a query in parentheses.
func (p *parser) queryFrom(q *ast.Select) *ast.Select {
	q = p.queryTail(p.setOpsFrom(q, precUnion), nil)
	p.grow()
	return q
}

// queryInParens reads (query), in however many parentheses.
func (p *parser) queryInParens() *ast.Select {
	p.want('(')
	q := p.query()
	p.want(')')
	return q
}

const (
	precUnion     = 1 // and EXCEPT
	precIntersect = 2
)

func setOp(t lexer.TokenType) (ast.SetOp, int) {
	switch t {
	case kwUnion:
		return ast.Union, precUnion
	case kwExcept:
		return ast.Except, precUnion
	case kwIntersect:
		return ast.Intersect, precIntersect
	}
	return ast.NoSetOp, precNone
}

// setOps reads queries joined by set operations of at least the given strength.
func (p *parser) setOps(lowest int) *ast.Select {
	return p.setOpsFrom(p.simpleQuery(), lowest)
}

func (p *parser) setOpsFrom(left *ast.Select, lowest int) *ast.Select {
	for {
		op, prec := setOp(p.tok.Type)
		if op == ast.NoSetOp || prec < lowest {
			return left
		}
		q := &ast.Select{At: p.at(), Op: op, Left: left}
		p.advance()
		if q.All = p.take(kwAll); !q.All {
			p.take(kwDistinct)
		}
		q.Right = p.setOps(prec + 1)
		p.grow()
		left = q
	}
}

func (p *parser) simpleQuery() *ast.Select {
	at := p.at()
	switch {
	case p.is(kwSelect):
		return p.plainSelect()
	case p.take(kwValues):
		q := &ast.Select{At: at}
		for first := true; first || p.take(','); first = false {
			p.want('(')
			q.Values = append(q.Values, p.exprs())
			p.want(')')
		}
		return q
	case p.take(kwTable):
		ref := &ast.TableRef{}
		p.relation(ref)
		star := ast.Target{At: at, Expr: &ast.ColumnRef{At: at, Star: true}}
		return &ast.Select{At: at, Targets: []ast.Target{star}, From: []ast.TableExpr{ref}}
	case p.is('('):
		return p.queryInParens()
	}
	p.fail()
	return &ast.Select{}
}

// plainSelect reads SELECT up to its WINDOW clause.
func (p *parser) plainSelect() *ast.Select {
	q := &ast.Select{At: p.at()}
	p.advance()
	switch {
	case p.take(kwDistinct):
		q.Distinct = true
		if p.take(kwOn) {
			p.want('(')
			q.DistinctOn = p.exprs()
			p.want(')')
		}
		q.Targets = p.targets()
	default:
		p.take(kwAll)
		if !endsTarget(p.tok.Type) {
			q.Targets = p.targets()
		}
	}
	if p.take(kwInto) {
		q.Into = p.into()
	}
	if p.take(kwFrom) {
		q.From = p.fromList()
	}
	if p.take(kwWhere) {
		q.Where = p.expr()
	}
	if p.take(kwGroup) {
		p.want(kwBy)
		if q.GroupDistinct = p.take(kwDistinct); !q.GroupDistinct {
			p.take(kwAll)
		}
		q.GroupBy = p.groupItems()
	}
	if p.take(kwHaving) {
		q.Having = p.expr()
	}
	if p.take(kwWindow) {
		for first := true; first || p.take(','); first = false {
			name := p.colID()
			p.want(kwAs)
			w := p.window()
			w.Name = name
			q.Windows = append(q.Windows, w)
		}
	}
	return q
}

// targets reads output columns.
func (p *parser) targets() []ast.Target {
	list := []ast.Target{p.target()}
	for p.take(',') {
		list = append(list, p.target())
	}
	return list
}

func (p *parser) target() ast.Target {
	t := ast.Target{At: p.at()}
	if p.take('*') {
		t.Expr = &ast.ColumnRef{At: t.At, Star: true}
		return t
	}
	t.Expr = p.labelled()
	if p.take(kwAs) {
		t.Name = p.label()
	} else if isBareLabel(p.tok.Type) {
		t.Name = p.name()
	}
	return t
}

func (p *parser) into() *ast.Into {
	into := &ast.Into{}
	next := p.after().Type
	switch p.tok.Type {
	case kwLocal, kwGlobal:
		if next == kwTemp || next == kwTemporary {
			into.Temp = true
			p.advance()
			p.advance()
		}
	case kwTemp, kwTemporary, kwUnlogged:
		if isColID(next) || next == kwTable || next == tokString { // else it is the name
			into.Temp = !p.is(kwUnlogged)
			into.Unlogged = p.is(kwUnlogged)
			p.advance()
		}
	}
	p.take(kwTable)
	into.Name = p.relName()
	return into
}

func (p *parser) groupItems() []ast.GroupItem {
	list := []ast.GroupItem{p.groupItem()}
	for p.take(',') {
		list = append(list, p.groupItem())
	}
	return list
}

func (p *parser) groupItem() ast.GroupItem {
	outer := p.height
	p.height = 0
	item := ast.GroupItem{At: p.at()}
	if !p.enter() {
		return item
	}
	next := p.after().Type
	switch {
	case (p.is(kwRollup) || p.is(kwCube)) && next == '(':
		item.Kind = ast.GroupRollup
		if p.is(kwCube) {
			item.Kind = ast.GroupCube
		}
		p.advance()
		p.advance()
		item.Exprs = p.exprs()
		p.want(')')
	case p.is(kwGrouping) && next == kwSets:
		item.Kind = ast.GroupSets
		p.advance()
		p.advance()
		p.want('(')
		item.Sets = p.groupItems()
		p.want(')')
	case p.is('(') && next == ')':
		item.Kind = ast.GroupEmpty
		p.advance()
		p.advance()
	default:
		item.Exprs = []ast.Expr{p.expr()}
	}
	p.grow()
	p.leave(outer)
	return item
}
