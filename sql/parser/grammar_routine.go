package parser

import (
	"raisind/pgerr"
	"raisind/sql/ast"

	"github.com/alecthomas/participle/v2/lexer"
)

var (
	ruleAlterFunction = rule[alterFunctionG]()
	ruleAlterTrigger  = rule[alterTriggerG]()
)

// parseCall reads CALL name(arguments).
func parseCall(lex *lexer.PeekingLexer, _ string) (ast.Stmt, error) {
	p := newParser(lex)
	c := &ast.Call{At: p.at()}
	p.want(kwCall)
	at := p.at()
	e := p.expr()
	f, ok := e.(*ast.FuncCall)
	if p.err == nil && (!ok || f.Over != nil || f.Filter != nil) {
		p.failAt(at, pgerr.New(pgerr.SyntaxError, "CALL needs a procedure with its arguments in parentheses"))
	}
	p.end()
	if p.err != nil {
		return nil, p.err
	}
	c.Func = f
	return c, nil
}

type alterFunctionG struct {
	Kind    string            `parser:"'alter' @( 'function' | 'procedure' | 'routine' )"`
	Sig     *signatureG       `parser:"@@"`
	Rename  hook[colID]       `parser:"( 'rename' 'to' @@"`
	Owner   hook[nonReserved] `parser:"| 'owner' 'to' ( @@"`
	Word    string            `parser:"  | @( 'current_user' | 'session_user' | 'current_role' ) )"`
	Schema  hook[colID]       `parser:"| (?= 'set' 'schema' ) 'set' 'schema' @@"`
	Options []*alterOptG      `parser:"| @@+ 'restrict'? )"`
}

type alterOptG struct {
	All    bool          `parser:"  'reset' ( @'all'"`
	Reset  settingName   `parser:"  | @@ )"`
	Option *functionOptG `parser:"| @@"`
}

func (g *alterFunctionG) lower(string) (ast.Stmt, error) {
	s := &ast.AlterFunction{Kind: g.Kind, Name: relNameOf(g.Sig.Name.get().parts), Args: g.Sig.types(), Owner: g.Word}
	switch {
	case g.Rename != nil:
		s.Rename = g.Rename.get().name
	case g.Owner != nil:
		s.Owner = g.Owner.get().text
	case g.Schema != nil:
		s.Schema = g.Schema.get().name
	}
	f := &ast.CreateFunction{}
	for _, o := range g.Options {
		switch {
		case o.All:
			s.Reset = append(s.Reset, "all")
		case o.Option == nil:
			s.Reset = append(s.Reset, o.Reset.name())
		default:
			if name := o.Option.lower(f); name == "as" || name == "language" || name == "window" {
				return nil, &fault{at: o.Option.Pos.Offset}
			}
		}
	}
	s.Options = f.Options
	return s, nil
}

type alterTriggerG struct {
	Name hook[colID]       `parser:"'alter' 'trigger' @@"`
	On   hook[ast.RelName] `parser:"'on' @@ 'rename' 'to'"`
	To   hook[colID]       `parser:"@@"`
}

func (g *alterTriggerG) lower(string) (ast.Stmt, error) {
	return &ast.AlterTrigger{Name: g.Name.get().name, On: g.On.get(), NewName: g.To.get().name}, nil
}
