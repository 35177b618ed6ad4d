package parser

import "raisind/sql/ast"

// copyOptions reads (name [value], ...) as COPY takes it.
func (p *parser) copyOptions() []ast.Option {
	return p.optionsBy(func() ast.Option {
		o := ast.Option{At: p.at(), Name: p.label()}
		if !p.is(',') && !p.is(')') {
			o.Value = p.copyValue()
		}
		return o
	})
}

// utilityOptions reads (name [value], ...) as EXPLAIN and VACUUM take it.
func (p *parser) utilityOptions() []ast.Option {
	return p.optionsBy(func() ast.Option {
		o := ast.Option{At: p.at()}
		switch {
		case p.take(kwAnalyze), p.take(kwAnalyse):
			o.Name = "analyze"
		case isNonReserved(p.tok.Type):
			o.Name = p.name()
		default:
			p.fail()
		}
		if !p.is(',') && !p.is(')') {
			o.Value = p.settingValue()
		}
		return o
	})
}

// optionsBy reads a list in parentheses.
func (p *parser) optionsBy(option func() ast.Option) []ast.Option {
	p.want('(')
	list := []ast.Option{option()}
	for p.take(',') {
		list = append(list, option())
	}
	p.want(')')
	return list
}

// copyValue reads a word, string, number, * or (list of words) as an option's
// value.
func (p *parser) copyValue() ast.Expr {
	at := p.at()
	switch {
	case p.take('*'):
		return &ast.ColumnRef{At: at, Star: true}
	case p.take('('):
		row := &ast.RowLit{At: at}
		for first := true; first || p.take(','); first = false {
			row.Args = append(row.Args, p.settingWord())
		}
		p.want(')')
		return row
	}
	return p.settingValue()
}

// settingValue reads a word, string or number as a constant.
func (p *parser) settingValue() ast.Expr {
	switch p.tok.Type {
	case tokInt, tokNumber, '-', '+':
		return p.signedNumber()
	}
	return p.settingWord()
}

// settingWord reads true, false, on, another word that is not reserved, or a
// string.
func (p *parser) settingWord() ast.Expr {
	lit := &ast.Literal{At: p.at(), Kind: ast.LitString}
	switch p.tok.Type {
	case kwTrue, kwFalse, kwOn:
		lit.Text = p.name()
	default:
		lit.Text = p.nonReserved()
	}
	return lit
}

// options reads (name = value, ...).
func (p *parser) options() []ast.Option {
	return p.optionsBy(func() ast.Option {
		o := ast.Option{At: p.at(), Name: p.label()}
		for p.take('.') {
			o.Name += "." + p.label()
		}
		if p.take('=') {
			o.Value = p.optionValue()
		}
		return o
	})
}

// optionValue reads a word, operator, string or signed number as a constant.
func (p *parser) optionValue() ast.Expr {
	at := p.at()
	switch p.tok.Type {
	case '-', '+':
		if next := p.after().Type; next == tokInt || next == tokNumber {
			return p.signedNumber()
		}
	case tokInt, tokNumber:
		return p.signedNumber()
	case tokString:
		return &ast.Literal{At: at, Kind: ast.LitString, Text: p.text()}
	}
	if !isColLabel(p.tok.Type) {
		return &ast.Literal{At: at, Kind: ast.LitString, Text: p.anyOperator()}
	}
	return &ast.Literal{At: at, Kind: ast.LitString, Text: p.name()}
}

// signedNumber reads a number with an optional sign.
func (p *parser) signedNumber() ast.Expr {
	at := p.at()
	text := ""
	if p.take('-') {
		text = "-"
	} else {
		p.take('+')
	}
	if !p.is(tokInt) && !p.is(tokNumber) {
		p.fail()
		return nil
	}
	text += p.tok.Value
	p.advance()
	return numberLiteral(at, text)
}
