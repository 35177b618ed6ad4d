package parser

import (
	"strings"

	"github.com/alecthomas/participle/v2/lexer"

	"raisind/pgerr"
	"raisind/sql/ast"
)

// systemCall is a call that the grammar writes for a special form.
func systemCall(at ast.At, name string, args ...ast.Expr) *ast.FuncCall {
	return &ast.FuncCall{At: at, Name: []string{"pg_catalog", name}, Args: args}
}

// call reads the arguments of a function and the clauses behind them.
func (p *parser) call(at ast.At, name []string) ast.Expr {
	f := &ast.FuncCall{At: at, Name: name}
	orderAt := p.arguments(f)
	if p.is(tokString) && !f.Star && !f.Distinct && !f.Variadic && len(f.Args) > 0 {
		return p.constantWithModifiers(f, orderAt)
	}
	p.callClauses(f)
	return f
}

// arguments reads (...) into f and answers where its ORDER BY stands.
func (p *parser) arguments(f *ast.FuncCall) (orderAt ast.At) {
	p.want('(')
	switch {
	case p.take(')'):
		return 0
	case p.take('*'):
		f.Star = true
		p.want(')')
		return 0
	case p.take(kwDistinct):
		f.Distinct = true
	default:
		p.take(kwAll)
	}
	for first := true; first || p.take(','); first = false {
		if p.is(kwVariadic) && !f.Distinct {
			p.advance()
			f.Variadic = true
		}
		f.Args = append(f.Args, p.argument())
		if f.Variadic {
			break
		}
	}
	if orderAt = p.at(); p.is(kwOrder) {
		f.OrderBy = p.orderBy()
	}
	p.want(')')
	return orderAt
}

// argument reads an expression or name => expression.
func (p *parser) argument() ast.Expr {
	if isTypeFuncName(p.tok.Type) {
		if next := p.after().Type; next == tokArrow || next == tokAssign {
			x := &ast.NamedArg{At: p.at(), Name: p.name()}
			p.advance()
			x.Value = p.expr()
			return x
		}
	}
	return p.expr()
}

// constantWithModifiers turns what looked like a call into type(modifiers) 'x'.
func (p *parser) constantWithModifiers(f *ast.FuncCall, orderAt ast.At) ast.Expr {
	for _, arg := range f.Args {
		if named, ok := arg.(*ast.NamedArg); ok {
			p.failAt(named.At, pgerr.New(pgerr.SyntaxError, "type modifier cannot have parameter name"))
			return nil
		}
	}
	if f.OrderBy != nil {
		p.failAt(orderAt, pgerr.New(pgerr.SyntaxError, "type modifier cannot have ORDER BY"))
		return nil
	}
	return p.typedString(f.At, ast.TypeName{At: f.At, Names: f.Name, Mods: f.Args})
}

// callClauses reads WITHIN GROUP, FILTER and OVER.
func (p *parser) callClauses(f *ast.FuncCall) {
	if at := p.at(); p.take(kwWithin) {
		p.want(kwGroup)
		p.want('(')
		f.Within = p.orderBy()
		p.want(')')
		msg := ""
		switch {
		case f.OrderBy != nil:
			msg = "cannot use multiple ORDER BY clauses with WITHIN GROUP"
		case f.Distinct:
			msg = "cannot use DISTINCT with WITHIN GROUP"
		case f.Variadic:
			msg = "cannot use VARIADIC with WITHIN GROUP"
		}
		if msg != "" {
			p.failAt(at, pgerr.New(pgerr.SyntaxError, "%s", msg))
		}
	}
	if p.take(kwFilter) {
		p.want('(')
		p.want(kwWhere)
		f.Filter = p.expr()
		p.want(')')
	}
	if p.take(kwOver) {
		if p.is('(') {
			f.Over = p.window()
		} else {
			f.Over = &ast.Window{At: p.at(), Name: p.colID()}
		}
	}
}

// window reads (base PARTITION BY ... ORDER BY ... frame).
func (p *parser) window() *ast.Window {
	w := &ast.Window{At: p.at()}
	p.want('(')
	switch p.tok.Type {
	case kwPartition, kwRange, kwRows, kwGroups:
	default:
		if isColID(p.tok.Type) {
			w.Base = p.name()
		}
	}
	if p.take(kwPartition) {
		p.want(kwBy)
		w.PartitionBy = p.exprs()
	}
	if p.is(kwOrder) {
		w.OrderBy = p.orderBy()
	}
	w.Frame = p.frame()
	p.want(')')
	return w
}

func (p *parser) frame() *ast.Frame {
	f := &ast.Frame{End: ast.FrameBound{Kind: ast.CurrentRow}}
	switch {
	case p.take(kwRange):
	case p.take(kwRows):
		f.Mode = ast.FrameRows
	case p.take(kwGroups):
		f.Mode = ast.FrameGroups
	default:
		return nil
	}
	between := p.is(kwBetween) && !continuesName(p.after().Type)
	if between {
		p.advance()
	}
	start := p.at()
	f.Start = p.frameBound()
	end := start
	if between {
		p.want(kwAnd)
		end = p.at()
		f.End = p.frameBound()
	}
	if msg, at := frameFault(f, between), end; msg != "" && p.err == nil {
		if strings.HasPrefix(msg, "frame start cannot") {
			at = start
		}
		p.failAt(at, pgerr.New(pgerr.WindowingError, "%s", msg))
	}
	if p.take(kwExclude) {
		switch {
		case p.take(kwCurrent):
			p.want(kwRow)
			f.Exclude = ast.ExcludeCurrentRow
		case p.take(kwGroup):
			f.Exclude = ast.ExcludeGroup
		case p.take(kwTies):
			f.Exclude = ast.ExcludeTies
		default:
			p.want(kwNo)
			p.want(kwOthers)
		}
	}
	return f
}

// continuesName reports whether t can only follow a column, which the word before
// it then is.
func continuesName(t lexer.TokenType) bool {
	switch t {
	case tokCast, '.', '[', '*', '/', '%', '^', '<', '>', '=', tokLE, tokGE, tokNE, kwAnd, kwOr, kwIs, kwPreceding, kwFollowing:
		return true
	}
	return false
}

// frameFault says what PostgreSQL's grammar refuses about the ends of a frame.
func frameFault(f *ast.Frame, between bool) string {
	switch {
	case f.Start.Kind == ast.UnboundedFollowing:
		return "frame start cannot be UNBOUNDED FOLLOWING"
	case !between && f.Start.Kind == ast.OffsetFollowing:
		return "frame starting from following row cannot end with current row"
	case f.End.Kind == ast.UnboundedPreceding:
		return "frame end cannot be UNBOUNDED PRECEDING"
	case f.Start.Kind == ast.CurrentRow && f.End.Kind == ast.OffsetPreceding:
		return "frame starting from current row cannot have preceding rows"
	case f.Start.Kind == ast.OffsetFollowing && (f.End.Kind == ast.OffsetPreceding || f.End.Kind == ast.CurrentRow):
		return "frame starting from following row cannot have preceding rows"
	}
	return ""
}

func (p *parser) frameBound() ast.FrameBound {
	switch {
	case p.is(kwUnbounded) && (p.after().Type == kwPreceding || p.after().Type == kwFollowing):
		p.advance()
		if p.take(kwPreceding) {
			return ast.FrameBound{Kind: ast.UnboundedPreceding}
		}
		p.advance()
		return ast.FrameBound{Kind: ast.UnboundedFollowing}
	case p.is(kwCurrent) && p.after().Type == kwRow:
		p.advance()
		p.advance()
		return ast.FrameBound{Kind: ast.CurrentRow}
	}
	b := ast.FrameBound{Offset: p.expr()}
	if p.take(kwPreceding) {
		b.Kind = ast.OffsetPreceding
	} else {
		p.want(kwFollowing)
		b.Kind = ast.OffsetFollowing
	}
	return b
}

// specialCalls are the names of functions whose arguments specialArgs reads.
var specialCalls = map[lexer.TokenType]bool{
	kwCoalesce: true, kwGreatest: true, kwLeast: true, kwNullif: true, kwGrouping: true, kwExtract: true, kwOverlay: true,
	kwPosition: true, kwSubstring: true, kwTrim: true, kwNormalize: true, kwTreat: true,
}

// specialCall reads the calls with a grammar of their own, standing on their
// name before a parenthesis; false when it is none of them.
func (p *parser) specialCall() (ast.Expr, bool) {
	at, name, typ := p.at(), p.tok.Value, p.tok.Type
	switch typ {
	case kwExists:
		p.advance()
		return &ast.Exists{At: at, Query: p.queryInParens()}, true
	case kwRow:
		return p.overlaps(p.row()), true
	case kwXmlattributes, kwXmlconcat, kwXmlelement, kwXmlexists, kwXmlforest, kwXmlparse, kwXmlpi, kwXmlroot, kwXmlserialize:
		p.failAt(at, pgerr.New(pgerr.FeatureNotSupported, "%s is not supported", strings.ToUpper(name)))
		return nil, true
	}
	if !specialCalls[typ] {
		return nil, false
	}
	p.advance()
	p.want('(')
	x := p.specialArgs(at, typ)
	p.want(')')
	return x, true
}
