package parser

import (
	"strings"

	"github.com/alecthomas/participle/v2/lexer"

	"raisind/pgerr"
	"raisind/sql/ast"
)

// parseExplain reads EXPLAIN, its options and the statement explained.
func parseExplain(lex *lexer.PeekingLexer, text string) (ast.Stmt, error) {
	p := newParser(lex)
	x := p.explain()
	if p.err != nil {
		return nil, p.err
	}
	var prod production
	switch p.tok.Type {
	case kwExecute:
		prod = ruleExecute
	case kwDeclare:
		prod = ruleDeclare
	case kwCreate:
		prod = ruleCreateTableAs
	case kwMerge, kwRefresh:
		prod = recognised("EXPLAIN " + keywordInCapitals(p.tok))
	default:
		x.Stmt = p.preparable()
		p.end()
		return x, p.err
	}
	s, err := prod(lex, text)
	if _, ok := s.(*ast.Unsupported); ok {
		return s, err
	}
	x.Stmt = s
	return x, err
}

// explain reads EXPLAIN and its options and resolves them.
func (p *parser) explain() *ast.Explain {
	x := &ast.Explain{At: p.at(), Costs: true}
	p.advance()
	var timing, summary *bool
	if p.is('(') && !p.queryInParensFollows() {
		for _, o := range p.genericOptions() {
			p.explainOption(x, o, &timing, &summary)
		}
	} else {
		if p.is(kwAnalyze) || p.is(kwAnalyse) {
			p.advance()
			x.Analyze = true
		}
		x.Verbose = p.take(kwVerbose)
	}
	refuse := func(name string) {
		p.failWith(pgerr.New(pgerr.InvalidParameterValue, "EXPLAIN option %s requires ANALYZE", name))
	}
	x.Timing, x.Summary = x.Analyze, x.Analyze
	if x.WAL && !x.Analyze {
		refuse("WAL")
	}
	if timing != nil {
		if x.Timing = *timing; x.Timing && !x.Analyze {
			refuse("TIMING")
		}
	}
	if summary != nil {
		x.Summary = *summary
	}
	return x
}

func (p *parser) explainOption(x *ast.Explain, o ast.Option, timing, summary **bool) {
	if p.err != nil {
		return
	}
	if o.Name == "format" {
		lit, _ := o.Value.(*ast.Literal)
		given := ""
		if lit != nil {
			given = lit.Text
		}
		switch given {
		case "text":
			x.Format = ast.FormatText
		case "json":
			x.Format = ast.FormatJSON
		case "yaml":
			x.Format = ast.FormatYAML
		case "xml":
			x.Format = ast.FormatXML
		default:
			if o.Value == nil {
				p.failWith(pgerr.New(pgerr.SyntaxError, "format requires a parameter"))
				return
			}
			p.failAt(o.At, pgerr.New(pgerr.InvalidParameterValue, "unrecognized value for EXPLAIN option \"format\": \"%s\"", given))
		}
		return
	}
	fields := map[string]*bool{
		"analyze": &x.Analyze, "verbose": &x.Verbose, "costs": &x.Costs, "buffers": &x.Buffers, "wal": &x.WAL, "settings": &x.Settings,
	}
	field := fields[o.Name]
	switch o.Name {
	case "timing":
		*timing = new(bool)
		field = *timing
	case "summary":
		*summary = new(bool)
		field = *summary
	}
	if field == nil {
		p.failAt(o.At, pgerr.New(pgerr.SyntaxError, "unrecognized EXPLAIN option \"%s\"", o.Name))
		return
	}
	on, ok := optionIsOn(o)
	if !ok {
		p.failWith(pgerr.New(pgerr.SyntaxError, "%s requires a Boolean value", o.Name))
		return
	}
	*field = on
}

// optionIsOn reads an option as a Boolean, by itself meaning true.
func optionIsOn(o ast.Option) (on, ok bool) {
	lit, isLit := o.Value.(*ast.Literal)
	switch {
	case o.Value == nil:
		return true, true
	case !isLit:
		return false, false
	case lit.Kind == ast.LitInt:
		return lit.Int == 1, lit.Int == 0 || lit.Int == 1
	}
	switch strings.ToLower(lit.Text) {
	case "true", "on":
		return true, true
	case "false", "off":
		return false, true
	}
	return false, false
}
