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
	x := &ast.Explain{At: p.at()}
	p.advance()
	var options []ast.Option
	if p.is('(') && !p.queryInParensFollows() {
		options = p.utilityOptions()
	} else {
		if p.is(kwAnalyze) || p.is(kwAnalyse) {
			p.advance()
			x.Analyze = true
		}
		x.Verbose = p.take(kwVerbose)
	}
	if p.err != nil {
		return nil, p.err
	}
	prod, known := explained[p.tok.Type]
	switch {
	case p.is(kwMerge) || p.is(kwRefresh):
		return &ast.Unsupported{Command: "EXPLAIN " + keywordInCapitals(p.tok), Text: text}, nil
	case known:
		s, err := prod(lex, text)
		if err != nil {
			return nil, err
		}
		x.Stmt = s
	default:
		x.Stmt = p.preparable()
		p.end()
		if p.err != nil {
			return nil, p.err
		}
	}
	return x, resolveOptions(x, options)
}

// explained are the statements that EXPLAIN takes beside queries and changes.
var explained = map[lexer.TokenType]production{
	kwExecute: ruleExecute, kwDeclare: ruleDeclare, kwCreate: ruleCreateTableAs,
}

// resolveOptions puts options and the defaults of the others on x.
func resolveOptions(x *ast.Explain, options []ast.Option) error {
	x.Costs = true
	var timing, summary *bool
	fields := map[string]*bool{
		"analyze": &x.Analyze, "verbose": &x.Verbose, "costs": &x.Costs, "buffers": &x.Buffers, "wal": &x.WAL, "settings": &x.Settings,
	}
	for _, o := range options {
		if o.Name == "format" {
			if err := explainFormat(x, o); err != nil {
				return err
			}
			continue
		}
		field := fields[o.Name]
		switch o.Name {
		case "timing":
			timing = new(bool)
			field = timing
		case "summary":
			summary = new(bool)
			field = summary
		}
		if field == nil {
			return &fault{at: o.Pos(), err: pgerr.New(pgerr.SyntaxError, "unrecognized EXPLAIN option \"%s\"", o.Name)}
		}
		on, ok := optionIsOn(o)
		if !ok {
			return pgerr.New(pgerr.SyntaxError, "%s requires a Boolean value", o.Name)
		}
		*field = on
	}
	x.Timing, x.Summary = x.Analyze, x.Analyze
	if summary != nil {
		x.Summary = *summary
	}
	if timing != nil {
		x.Timing = *timing
	}
	switch {
	case x.Analyze:
	case x.WAL:
		return errNeedsAnalyze("WAL")
	case x.Timing:
		return errNeedsAnalyze("TIMING")
	}
	return nil
}

func errNeedsAnalyze(option string) error {
	return pgerr.New(pgerr.InvalidParameterValue, "EXPLAIN option %s requires ANALYZE", option)
}

var explainFormats = map[string]ast.ExplainFormat{
	"text": ast.FormatText, "json": ast.FormatJSON, "yaml": ast.FormatYAML, "xml": ast.FormatXML,
}

func explainFormat(x *ast.Explain, o ast.Option) error {
	lit, ok := o.Value.(*ast.Literal)
	if !ok {
		return pgerr.New(pgerr.SyntaxError, "format requires a parameter")
	}
	format, ok := explainFormats[lit.Text]
	if !ok {
		return &fault{at: o.Pos(), err: pgerr.New(pgerr.InvalidParameterValue, "unrecognized value for EXPLAIN option \"format\": \"%s\"", lit.Text)}
	}
	x.Format = format
	return nil
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
