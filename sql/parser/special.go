package parser

import (
	"github.com/alecthomas/participle/v2/lexer"

	"raisind/sql/ast"
)

// specialArgs reads what stands in the parentheses of a call with a grammar of
// its own.
func (p *parser) specialArgs(at ast.At, typ lexer.TokenType) ast.Expr {
	switch typ {
	case kwCoalesce:
		return &ast.Coalesce{At: at, Args: p.exprs()}
	case kwGreatest:
		return &ast.Greatest{At: at, Args: p.exprs()}
	case kwLeast:
		return &ast.Least{At: at, Args: p.exprs()}
	case kwGrouping:
		return &ast.Grouping{At: at, Args: p.exprs()}
	case kwNullif:
		x := &ast.NullIf{At: at, Left: p.expr()}
		p.want(',')
		x.Right = p.expr()
		return x
	case kwExtract:
		return p.extract(at)
	case kwPosition:
		sub := p.restricted()
		p.want(kwIn)
		return systemCall(at, "position", p.restricted(), sub)
	case kwOverlay:
		return p.overlay(at)
	case kwSubstring:
		return p.substring(at)
	case kwTrim:
		return p.trim(at)
	case kwNormalize:
		args := []ast.Expr{p.expr()}
		if p.take(',') {
			form := &ast.Literal{At: p.at(), Kind: ast.LitString}
			switch p.tok.Type {
			case kwNfc, kwNfd, kwNfkc, kwNfkd:
				form.Text = keywordInCapitals(p.tok)
				p.advance()
			default:
				p.fail()
			}
			args = append(args, form)
		}
		return systemCall(at, "normalize", args...)
	}
	// TREAT(x AS t) calls the function named as the type.
	x := p.expr()
	p.want(kwAs)
	t := p.typeName()
	if len(t.Names) == 0 {
		return nil
	}
	return systemCall(at, t.Names[len(t.Names)-1], x)
}

// extract reads the arguments of EXTRACT(field FROM x).
func (p *parser) extract(at ast.At) ast.Expr {
	field := &ast.Literal{At: p.at(), Kind: ast.LitString}
	switch p.tok.Type {
	case tokString:
		field.Text = p.text()
	case tokIdent, tokQuoted, kwYear, kwMonth, kwDay, kwHour, kwMinute, kwSecond:
		field.Text = p.name()
	default:
		p.fail()
	}
	p.want(kwFrom)
	return systemCall(at, "extract", field, p.expr())
}

// plainCall reads the rest of a special call that was written as an ordinary
// one, with its first argument read.
func (p *parser) plainCall(at ast.At, name string, first ast.Expr) ast.Expr {
	f := &ast.FuncCall{At: at, Name: []string{name}, Args: []ast.Expr{first}}
	for p.take(',') {
		f.Args = append(f.Args, p.argument())
	}
	return f
}

func (p *parser) overlay(at ast.At) ast.Expr {
	if p.is(')') {
		return &ast.FuncCall{At: at, Name: []string{"overlay"}}
	}
	x := p.argument()
	if !p.is(kwPlacing) || isNamed(x) {
		return p.plainCall(at, "overlay", x)
	}
	p.advance()
	args := []ast.Expr{x, p.expr()}
	p.want(kwFrom)
	args = append(args, p.expr())
	if p.take(kwFor) {
		args = append(args, p.expr())
	}
	return systemCall(at, "overlay", args...)
}

func isNamed(x ast.Expr) bool {
	_, ok := x.(*ast.NamedArg)
	return ok
}

func (p *parser) substring(at ast.At) ast.Expr {
	if p.is(')') {
		return &ast.FuncCall{At: at, Name: []string{"substring"}}
	}
	outer := p.similar
	p.similar = true
	x := p.argument()
	p.similar = outer
	if isNamed(x) {
		return p.plainCall(at, "substring", x)
	}
	switch {
	case p.take(kwFrom):
		args := []ast.Expr{x, p.expr()}
		if p.take(kwFor) {
			args = append(args, p.expr())
		}
		return systemCall(at, "substring", args...)
	case p.take(kwFor):
		length := p.expr()
		if p.take(kwFrom) {
			return systemCall(at, "substring", x, p.expr(), length)
		}
		// Without FROM the length is cast, so that no function of patterns fits.
		one := &ast.Literal{At: at, Kind: ast.LitInt, Text: "1", Int: 1}
		cast := &ast.Cast{At: at, Expr: length, Type: ast.TypeName{At: at, Names: []string{"pg_catalog", "int4"}}}
		return systemCall(at, "substring", x, one, cast)
	case p.take(kwSimilar):
		pattern := p.expr()
		p.want(kwEscape)
		return systemCall(at, "substring", x, pattern, p.expr())
	}
	return p.plainCall(at, "substring", x)
}

// trim reads [BOTH | LEADING | TRAILING] [characters FROM] x.
func (p *parser) trim(at ast.At) ast.Expr {
	name := "btrim"
	switch {
	case p.take(kwBoth):
	case p.take(kwLeading):
		name = "ltrim"
	case p.take(kwTrailing):
		name = "rtrim"
	}
	if p.take(kwFrom) {
		return systemCall(at, name, p.exprs()...)
	}
	first := p.expr()
	if p.take(kwFrom) {
		return systemCall(at, name, append(p.exprs(), first)...)
	}
	args := []ast.Expr{first}
	for p.take(',') {
		args = append(args, p.expr())
	}
	return systemCall(at, name, args...)
}
