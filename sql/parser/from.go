package parser

import (
	"github.com/alecthomas/participle/v2/lexer"

	"raisind/pgerr"
	"raisind/sql/ast"
)

// fromList reads FROM items separated by commas.
func (p *parser) fromList() []ast.TableExpr {
	list := []ast.TableExpr{p.tableRef()}
	for p.take(',') {
		list = append(list, p.tableRef())
	}
	return list
}

// tableRef reads a FROM item with the joins behind it.
func (p *parser) tableRef() ast.TableExpr {
	outer := p.height
	p.height = 0
	if !p.enter() {
		return nil
	}
	left := p.joins(p.tablePrimary())
	p.leave(outer)
	return left
}

func (p *parser) joins(left ast.TableExpr) ast.TableExpr {
	for startsJoin(p.tok.Type) {
		left = p.join(left)
	}
	return left
}

func startsJoin(t lexer.TokenType) bool {
	switch t {
	case kwJoin, kwInner, kwLeft, kwRight, kwFull, kwCross, kwNatural:
		return true
	}
	return false
}

// join reads one join onto left. A join with a condition waits for it: in a JOIN
// b JOIN c ON x ON y the first condition belongs to b and c.
func (p *parser) join(left ast.TableExpr) ast.TableExpr {
	j := &ast.Join{At: p.at(), Left: left}
	if !p.enter() {
		return nil
	}
	defer func() { p.depth-- }()
	if p.take(kwCross) {
		j.Kind = ast.CrossJoin
		p.want(kwJoin)
		j.Right = p.tablePrimary()
		p.grow()
		return j
	}
	j.Natural = p.take(kwNatural)
	switch {
	case p.take(kwLeft):
		j.Kind = ast.LeftJoin
		p.take(kwOuter)
	case p.take(kwRight):
		j.Kind = ast.RightJoin
		p.take(kwOuter)
	case p.take(kwFull):
		j.Kind = ast.FullJoin
		p.take(kwOuter)
	default:
		p.take(kwInner)
	}
	p.want(kwJoin)
	j.Right = p.tablePrimary()
	if !j.Natural {
		j.Right = p.joins(j.Right)
		p.joinCondition(j)
	}
	p.grow()
	return j
}

func (p *parser) joinCondition(j *ast.Join) {
	if p.take(kwOn) {
		j.On = p.expr()
		return
	}
	p.want(kwUsing)
	p.want('(')
	j.Using = p.names()
	p.want(')')
	if p.take(kwAs) {
		j.UsingAlias = p.colID()
	}
}

// tablePrimary reads a FROM item without joins, or joins in parentheses.
func (p *parser) tablePrimary() ast.TableExpr {
	at := p.at()
	switch {
	case p.is('('):
		return p.tableParen()
	case p.is(kwLateral):
		p.advance()
		if p.is('(') {
			return p.derived(&ast.SubqueryRef{At: p.at(), Lateral: true, Query: p.queryInParens()})
		}
		return p.tableFunc(&ast.FuncRef{At: at, Lateral: true})
	case p.is(tokString), p.is(kwOnly):
	case p.is(kwRows) && p.after().Type == kwFrom, !isColID(p.tok.Type), p.startsCall():
		return p.tableFunc(&ast.FuncRef{At: at})
	}
	ref := &ast.TableRef{At: at}
	p.relation(ref)
	ref.Alias = p.alias()
	if p.is(kwTablesample) {
		ref.Sample = p.sample()
	}
	return ref
}

// relation reads [ONLY] name [*] into ref.
func (p *parser) relation(ref *ast.TableRef) {
	if ref.Only = p.take(kwOnly); ref.Only {
		parens := p.take('(')
		ref.Name = p.relName()
		if parens {
			p.want(')')
		}
		return
	}
	ref.Name = p.relName()
	p.take('*')
}

// startsCall looks past a name for a parenthesis.
func (p *parser) startsCall() bool {
	if next := p.after().Type; next != '.' {
		return next == '(' && (isTypeFuncName(p.tok.Type) || specialCalls[p.tok.Type])
	}
	here := p.lex.MakeCheckpoint()
	defer p.lex.LoadCheckpoint(here)
	p.lex.Next()
	for p.lex.Peek().Type == '.' {
		p.lex.Next()
		p.lex.Next()
	}
	return p.lex.Peek().Type == '('
}

func (p *parser) sample() *ast.TableSample {
	s := &ast.TableSample{At: p.at()}
	p.advance()
	s.Method = p.funcName()
	p.want('(')
	s.Args = p.exprs()
	p.want(')')
	if p.take(kwRepeatable) {
		p.want('(')
		s.Repeat = p.expr()
		p.want(')')
	}
	return s
}

// funcName reads the name of a function.
func (p *parser) funcName() []string {
	first := p.tok.Type
	if !isColLabel(first) || isKeyword(first) && keywordOf(first).class == reserved {
		p.fail()
		return nil
	}
	parts := []string{p.name()}
	for p.take('.') {
		parts = append(parts, p.label())
	}
	if len(parts) == 1 && !isTypeFuncName(first) || len(parts) > 1 && !isColID(first) {
		p.fail()
	}
	return parts
}

// alias reads [AS] name [(columns)].
func (p *parser) alias() *ast.Alias {
	at := p.at()
	as := p.take(kwAs)
	if !as && !isColID(p.tok.Type) {
		return nil
	}
	a := &ast.Alias{At: at, Name: p.colID()}
	if p.take('(') {
		a.Columns = p.names()
		p.want(')')
	}
	return a
}

// derived gives a sub-select its alias, which it must have.
func (p *parser) derived(ref *ast.SubqueryRef) ast.TableExpr {
	if ref.Alias = p.alias(); ref.Alias == nil && p.err == nil {
		what, example := "subquery", "SELECT"
		if ref.Query.Values != nil {
			what, example = "VALUES", "VALUES"
		}
		p.failAt(ref.At, pgerr.New(pgerr.SyntaxError, "%s in FROM must have an alias", what).
			WithHint("For example, FROM (%s ...) [AS] foo.", example))
	}
	return ref
}

// tableParen reads a sub-select or joins in parentheses.
func (p *parser) tableParen() ast.TableExpr {
	at := p.at()
	query, table := p.queryOrJoins()
	if query != nil {
		return p.derived(&ast.SubqueryRef{At: at, Query: query})
	}
	if j, ok := table.(*ast.Join); ok {
		j.Alias = p.alias()
	}
	return table
}

// queryOrJoins reads a query or joins in parentheses, standing on the opening
// one, up to behind the closing one.
func (p *parser) queryOrJoins() (*ast.Select, ast.TableExpr) {
	outer := p.height
	p.height = 0
	if !p.enter() {
		return nil, nil
	}
	defer func() { p.leave(outer) }()
	p.advance()
	if p.startsQuery() {
		query := p.query()
		p.want(')')
		return query, nil
	}
	var table ast.TableExpr
	if p.is('(') {
		at := p.at()
		query, inner := p.queryOrJoins()
		switch {
		case query != nil && p.continuesQuery():
			query = p.queryFrom(query)
			p.want(')')
			return query, nil
		case query != nil && p.is(')'):
			p.advance()
			return query, nil
		case query != nil && !isColID(p.tok.Type) && !p.is(kwAs) && !startsJoin(p.tok.Type):
			p.fail()
			return nil, nil
		case query != nil:
			table = p.derived(&ast.SubqueryRef{At: at, Query: query})
		default:
			if j, ok := inner.(*ast.Join); ok {
				j.Alias = p.alias()
			}
			table = inner
		}
		table = p.joins(table)
	} else {
		table = p.tableRef()
	}
	if j, ok := table.(*ast.Join); !ok || j.Alias != nil {
		p.fail() // parentheses are for queries and joins
	}
	p.grow()
	p.want(')')
	return nil, table
}

// tableFunc reads a function in FROM, or ROWS FROM (...).
func (p *parser) tableFunc(ref *ast.FuncRef) ast.TableExpr {
	if p.is(kwXmltable) {
		p.failAt(p.at(), pgerr.New(pgerr.FeatureNotSupported, "XMLTABLE is not supported"))
	}
	if p.is(kwRows) && p.after().Type == kwFrom {
		ref.RowsFrom = true
		p.advance()
		p.advance()
		p.want('(')
		for first := true; first || p.take(','); first = false {
			f := ast.RowsFunc{Func: p.plainFunc()}
			if p.take(kwAs) {
				p.want('(')
				f.Columns = p.columnDefs()
				p.want(')')
			}
			ref.Funcs = append(ref.Funcs, f)
		}
		p.want(')')
	} else {
		ref.Funcs = []ast.RowsFunc{{Func: p.plainFunc()}}
	}
	if p.is(kwWith) && p.after().Type == kwOrdinality {
		p.advance()
		p.advance()
		ref.Ordinality = true
	}
	p.funcAlias(ref)
	return ref
}

// plainFunc reads a call without window clauses.
func (p *parser) plainFunc() ast.Expr {
	outer := p.height
	p.height = 0
	var x ast.Expr
	if !startsPlainFunc(p.tok.Type) {
		p.fail()
		return nil
	}
	if isTypeFuncName(p.tok.Type) && !(p.is(kwCurrentSchema) && p.after().Type != '(') || isColID(p.tok.Type) && p.after().Type == '.' {
		f := &ast.FuncCall{At: p.at(), Name: p.funcName()}
		p.arguments(f)
		x = f
	} else {
		x = p.operand()
		switch x.(type) {
		case nil, *ast.FuncCall, *ast.Cast, *ast.Coalesce, *ast.Greatest, *ast.Least, *ast.NullIf, *ast.SQLValue:
		default:
			p.fail()
		}
	}
	p.grow()
	p.height = max(outer, p.height)
	return x
}

func startsPlainFunc(t lexer.TokenType) bool {
	switch t {
	case kwCast, kwCurrentDate, kwCurrentTime, kwCurrentTimestamp, kwLocaltime, kwLocaltimestamp, kwCurrentRole,
		kwCurrentUser, kwSessionUser, kwUser, kwCurrentCatalog:
		return true
	}
	return isNonReserved(t)
}

// funcAlias reads the alias of a function, which may define columns.
func (p *parser) funcAlias(ref *ast.FuncRef) {
	at := p.at()
	as := p.take(kwAs)
	if as && p.take('(') {
		ref.Columns = p.columnDefs()
		p.want(')')
		return
	}
	if !as && !isColID(p.tok.Type) {
		return
	}
	ref.Alias = &ast.Alias{At: at, Name: p.colID()}
	if !p.take('(') {
		return
	}
	if next := p.after().Type; next == ',' || next == ')' {
		ref.Alias.Columns = p.names()
	} else {
		ref.Columns = p.columnDefs()
	}
	p.want(')')
}

// columnDefs reads a column definition list: name type [COLLATE c], ...
func (p *parser) columnDefs() []ast.ColumnDef {
	var list []ast.ColumnDef
	for first := true; first || p.take(','); first = false {
		c := ast.ColumnDef{At: p.at(), Name: p.colID(), Type: p.typeName()}
		if p.take(kwCollate) {
			c.Collation = p.anyName()
		}
		list = append(list, c)
	}
	return list
}
