package parser

import (
	"strings"

	"github.com/alecthomas/participle/v2/lexer"

	"raisind/pgerr"
	"raisind/sql/ast"
)

type createFunctionG struct {
	Replace bool                `parser:"'create' ( @'or' 'replace' )?"`
	Kind    string              `parser:"@( 'function' | 'procedure' )"`
	Name    hook[funcName]      `parser:"@@"`
	Args    []hook[ast.FuncArg] `parser:"'(' ( @@ ( ',' @@ )* )? ')'"`
	Table   []*tableArgG        `parser:"( (?= 'returns' 'table' ) 'returns' 'table' '(' @@ ( ',' @@ )* ')'"`
	Returns hook[funcType]      `parser:"| (?! 'returns' 'null' ) 'returns' @@ )?"`
	Options []*functionOptG     `parser:"@@*"`
	Body    hook[bodySpan]      `parser:"( (?= 'return' | 'begin' 'atomic' ) @@ )?"`
}

// body reads RETURN expression or passes over BEGIN ATOMIC ... END.
func (p *parser) body() span {
	if !p.is(kwReturn) {
		return p.skip(tokEOF)
	}
	s := span{first: p.tok.Pos.Offset}
	p.advance()
	p.expr()
	s.last = p.last
	return s
}

type tableArgG struct {
	Pos  lexer.Position
	Name hook[colID]    `parser:"@@"`
	Type hook[funcType] `parser:"@@"`
}

type functionOptG struct {
	Pos        lexer.Position
	As         hook[stringConst] `parser:"  'as' @@"`
	Symbol     hook[stringConst] `parser:"  ( ',' @@ )?"`
	Language   hook[nonReserved] `parser:"| 'language' @@"`
	Volatility string            `parser:"| @( 'immutable' | 'stable' | 'volatile' )"`
	Called     bool              `parser:"| @'called' 'on' 'null' 'input'"`
	Strict     bool              `parser:"| ( @'strict' | @'returns' 'null' 'on' 'null' 'input' )"`
	Security   string            `parser:"| 'external'? 'security' @( 'definer' | 'invoker' )"`
	Leakproof  []string          `parser:"| @'not'? @'leakproof'"`
	Window     bool              `parser:"| @'window'"`
	Parallel   hook[colID]       `parser:"| 'parallel' @@"`
	Number     string            `parser:"| @( 'cost' | 'rows' )"`
	Value      hook[numberConst] `parser:"  @@"`
	Support    hook[anyName]     `parser:"| 'support' @@"`
	Set        *functionSetG     `parser:"| 'set' @@"`
}

type functionSetG struct {
	Name    settingName          `parser:"@@"`
	Current bool                 `parser:"( 'from' @'current' | ( 'to' | '=' ) ("`
	Default bool                 `parser:"  @'default'"`
	Values  []hook[settingValue] `parser:"  | @@ ( ',' @@ )* ) )"`
}

func (g *createFunctionG) lower(text string) (ast.Stmt, error) {
	s := &ast.CreateFunction{
		OrReplace: g.Replace, Procedure: g.Kind == "procedure", Name: relNameOf(g.Name.get().parts), Args: values(g.Args),
	}
	if g.Returns != nil {
		s.Returns = pointer(g.Returns.get().TypeName)
	}
	for _, a := range g.Table {
		s.Table = append(s.Table, ast.FuncArg{At: ast.At(a.Pos.Offset), Mode: "table", Name: a.Name.get().name, Type: a.Type.get().TypeName})
	}
	given := map[string]bool{}
	for _, o := range g.Options {
		name := o.lower(s)
		if given[name] && name != "set" {
			return nil, &fault{at: o.Pos.Offset, err: pgerr.New(pgerr.SyntaxError, "conflicting or redundant options")}
		}
		given[name] = true
	}
	if g.Body != nil {
		at := g.Body.get()
		s.Body, s.BodyAt, s.Inline = text[at.first:tokenEnd(text, at.last)], ast.At(at.first), true
	}
	return s, nil
}

// lower puts one option on s and answers its name.
func (g *functionOptG) lower(s *ast.CreateFunction) string {
	var v ast.Expr
	text := func(s string) ast.Expr { return &ast.Literal{At: ast.At(g.Pos.Offset), Kind: ast.LitString, Text: s} }
	name := ""
	switch {
	case g.As != nil:
		s.Body, s.Symbol, s.BodyAt = g.As.get().text, value(g.Symbol).text, ast.At(g.As.get().at)
		return "as"
	case g.Language != nil:
		s.Language = strings.ToLower(g.Language.get().text)
		return "language"
	case g.Volatility != "":
		name, v = "volatility", text(g.Volatility)
	case g.Called:
		name, v = "strict", text("off")
	case g.Strict:
		name, v = "strict", text("on")
	case g.Security != "":
		name, v = "security", text(g.Security)
	case g.Leakproof != nil:
		name, v = "leakproof", text("on")
		if len(g.Leakproof) == 2 {
			v = text("off")
		}
	case g.Window:
		name, v = "window", text("on")
	case g.Parallel != nil:
		name, v = "parallel", text(g.Parallel.get().name)
	case g.Number != "":
		name, v = g.Number, g.Value.get().Expr
	case g.Support != nil:
		name, v = "support", &ast.ColumnRef{At: ast.At(g.Pos.Offset), Parts: g.Support.get().parts}
	default:
		name = "set"
		row := &ast.RowLit{At: ast.At(g.Pos.Offset), Args: []ast.Expr{text(g.Set.Name.name())}}
		for _, value := range g.Set.Values {
			row.Args = append(row.Args, value.get().Expr)
		}
		if g.Set.Current {
			row.Args = append(row.Args, &ast.Literal{At: ast.At(g.Pos.Offset), Kind: ast.LitNull})
		}
		v = row
	}
	s.Options = append(s.Options, ast.Option{At: ast.At(g.Pos.Offset), Name: name, Value: v})
	return name
}

// funcType reads the type of an argument or result, which may be name%TYPE.
func (p *parser) funcType() ast.TypeName {
	t := p.typeName()
	if p.is('%') && p.after().Type == kwType && len(t.Names) > 1 && t.Dims == nil && t.Mods == nil {
		p.advance()
		p.advance()
		t.PctType = true
	}
	return t
}

// funcArg reads [mode] [name] type [DEFAULT value].
func (p *parser) funcArg() ast.FuncArg {
	a := ast.FuncArg{At: p.at(), Mode: "in"}
	mode := p.argMode()
	if p.argNameFollows() {
		a.Name = p.name()
		if mode == "" {
			mode = p.argMode()
		}
	}
	if mode != "" {
		a.Mode = mode
	}
	a.Type = p.funcType()
	if p.take(kwDefault) || p.take('=') {
		a.Default = p.expr()
	}
	return a
}

func (p *parser) argMode() string {
	switch {
	case p.take(kwIn):
		if p.take(kwOut) {
			return "inout"
		}
		return "in"
	case p.take(kwOut):
		return "out"
	case p.take(kwInout):
		return "inout"
	case p.take(kwVariadic):
		return "variadic"
	}
	return ""
}

// argNameFollows tells a name before a type from the type alone.
func (p *parser) argNameFollows() bool {
	next := p.after().Type
	if !isTypeFuncName(p.tok.Type) || !isColLabel(next) || next == kwDefault || next == kwArray {
		return false
	}
	return !(p.is(kwDouble) && next == kwPrecision)
}

type createTriggerG struct {
	Replace    bool                `parser:"'create' ( @'or' 'replace' )?"`
	Constraint bool                `parser:"( @'constraint' 'trigger'"`
	After      hook[colID]         `parser:"  @@ 'after'"`
	Events     hook[triggerEvents] `parser:"  @@"`
	Owner      hook[ast.RelName]   `parser:"  'on' @@"`
	From       hook[ast.RelName]   `parser:"  ( 'from' @@ )?"`
	Attributes []*attributeG       `parser:"  @@* 'for' 'each'? 'row'"`
	Plain      *plainTriggerG      `parser:"| 'trigger' @@ )"`
	When       hook[ast.Expr]      `parser:"( 'when' '(' @@ ')' )?"`
	Function   hook[funcName]      `parser:"'execute' ( 'function' | 'procedure' ) @@"`
	Args       []*triggerArgG      `parser:"'(' ( @@ ( ',' @@ )* )? ')'"`
}

// plainTriggerG is the middle of a trigger that is no constraint.
type plainTriggerG struct {
	Name   hook[colID]         `parser:"@@"`
	Timing []string            `parser:"( @( 'before' | 'after' ) | @'instead' @'of' )"`
	Events hook[triggerEvents] `parser:"@@"`
	On     hook[ast.RelName]   `parser:"'on' @@"`
	Tables []*transitionG      `parser:"( 'referencing' @@+ )?"`
	Each   string              `parser:"( 'for' 'each'? @( 'row' | 'statement' ) )?"`
}

// triggerEvents are the events that a trigger fires at.
type triggerEvents struct {
	on map[lexer.TokenType]bool
	of []string
}

func (p *parser) triggerEvents() triggerEvents {
	e := triggerEvents{on: map[lexer.TokenType]bool{}}
	for first := true; first || p.take(kwOr); first = false {
		at, event := p.tok.Pos.Offset, p.tok.Type
		switch event {
		case kwInsert, kwDelete, kwUpdate, kwTruncate:
			p.advance()
		default:
			p.fail()
			return e
		}
		if event == kwUpdate && p.take(kwOf) {
			e.of = p.names()
		}
		if e.on[event] {
			p.failWith(&fault{at: at, msg: "duplicate trigger events specified"})
		}
		e.on[event] = true
	}
	return e
}

type transitionG struct {
	Which string      `parser:"@( 'old' | 'new' ) 'table' 'as'?"`
	Name  hook[colID] `parser:"@@"`
}

type triggerArgG struct {
	Text   hook[stringConst] `parser:"  (?= String ) @@"`
	Number string            `parser:"| @( Int | Number )"`
	Word   hook[colLabel]    `parser:"| @@"`
}

func (g *createTriggerG) lower(string) (ast.Stmt, error) {
	s := &ast.CreateTrigger{
		OrReplace: g.Replace, Constraint: g.Constraint, When: value(g.When), Function: g.Function.get().parts,
	}
	var events triggerEvents
	if plain := g.Plain; plain != nil {
		s.Name, s.Timing, s.Relation, s.ForEachRow = plain.Name.get().name, strings.Join(plain.Timing, " "), plain.On.get(), plain.Each == "row"
		events = plain.Events.get()
		for _, t := range plain.Tables {
			if t.Which == "old" {
				s.OldTable = t.Name.get().name
			} else {
				s.NewTable = t.Name.get().name
			}
		}
	} else {
		s.Name, s.Timing, s.Relation, s.ForEachRow = g.After.get().name, "after", g.Owner.get(), true
		events = g.Events.get()
		if g.From != nil {
			s.From = pointer(g.From.get())
		}
		for _, a := range g.Attributes {
			switch {
			case a.Not == "deferrable":
				s.Deferrable = pointer(false)
			case a.Deferrable:
				s.Deferrable = pointer(true)
			case a.Initially != "":
				s.InitiallyDeferred = pointer(a.Initially == "deferred")
			}
		}
	}
	s.Insert, s.Delete, s.Update, s.Truncate = events.on[kwInsert], events.on[kwDelete], events.on[kwUpdate], events.on[kwTruncate]
	s.UpdateOf = events.of
	for _, a := range g.Args {
		switch {
		case a.Text != nil:
			s.Args = append(s.Args, a.Text.get().text)
		case a.Number != "":
			s.Args = append(s.Args, a.Number)
		default:
			s.Args = append(s.Args, a.Word.get().name)
		}
	}
	return s, nil
}
