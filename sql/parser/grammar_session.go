package parser

import (
	"github.com/alecthomas/participle/v2/lexer"

	"raisind/pgerr"
	"raisind/sql/ast"
)

type prepareG struct {
	Name  hook[colID]          `parser:"'prepare' @@"`
	Types []hook[ast.TypeName] `parser:"( '(' @@ ( ',' @@ )* ')' )?"`
	Stmt  hook[ast.Stmt]       `parser:"'as' @@"`
}

func (g *prepareG) lower(string) (ast.Stmt, error) {
	return &ast.Prepare{Name: g.Name.get().name, Types: values(g.Types), Stmt: g.Stmt.get()}, nil
}

type executeG struct {
	Name hook[colID]      `parser:"'execute' @@"`
	Args []hook[ast.Expr] `parser:"( '(' @@ ( ',' @@ )* ')' )?"`
}

func (g *executeG) lower(string) (ast.Stmt, error) {
	return &ast.Execute{Name: g.Name.get().name, Args: values(g.Args)}, nil
}

type deallocateG struct {
	All  bool               `parser:"'deallocate' ( (?= 'prepare' 'all' ) 'prepare' @'all' | @'all'"`
	Name hook[preparedName] `parser:"| @@ )"`
}

func (g *deallocateG) lower(string) (ast.Stmt, error) {
	return &ast.Deallocate{Name: value(g.Name).name}, nil
}

type cursorOptionG struct {
	Scroll string `parser:"  @'no' 'scroll' | @'scroll'"`
	Other  string `parser:"| @( 'binary' | 'insensitive' | 'asensitive' )"`
}

type declareG struct {
	Name    hook[colID]       `parser:"'declare' @@"`
	Options []*cursorOptionG  `parser:"@@* 'cursor'"`
	Hold    string            `parser:"( @( 'with' | 'without' ) 'hold' )?"`
	Query   hook[*ast.Select] `parser:"'for' @@"`
}

func (g *declareG) lower(string) (ast.Stmt, error) {
	s := &ast.Declare{Name: g.Name.get().name, Hold: g.Hold == "with", Query: g.Query.get()}
	for _, o := range g.Options {
		switch {
		case o.Scroll != "":
			scroll := o.Scroll == "scroll"
			if s.Scroll != nil && *s.Scroll != scroll {
				return nil, pgerr.New(pgerr.InvalidCursorDefinition, "cannot specify both %s and %s", "SCROLL", "NO SCROLL")
			}
			s.Scroll = &scroll
		case o.Other == "binary":
			s.Binary = true
		case o.Other == "insensitive":
			s.Insensitive = true
		default:
			s.Asensitive = true
		}
	}
	if s.Insensitive && s.Asensitive {
		return nil, pgerr.New(pgerr.InvalidCursorDefinition, "cannot specify both %s and %s", "ASENSITIVE", "INSENSITIVE")
	}
	return s, nil
}

type fetchG struct {
	Verb string          `parser:"@( 'fetch' | 'move' )"`
	Args hook[fetchArgs] `parser:"@@"`
}

func (g *fetchG) lower(string) (ast.Stmt, error) {
	s := g.Args.get().Fetch
	s.At, s.Move = 0, g.Verb == "move"
	return &s, nil
}

// fetchArgs reads [direction [FROM | IN]] cursor. A direction's word is the cursor
// when nothing follows it.
func (p *parser) fetchArgs() ast.Fetch {
	f := ast.Fetch{Count: 1}
	word := p.tok.Type
	switch word {
	case kwNext, kwPrior, kwFirst, kwLast, kwAbsolute, kwRelative, kwAll, kwForward, kwBackward:
		if p.after().Type == tokEOF && word != kwAll {
			f.Cursor = p.colID()
			return f
		}
		p.advance()
		p.fetchDirection(&f, word)
		p.fromOrIn()
	case tokInt, '-', '+':
		f.Count = p.signedInt()
		p.fromOrIn()
	default:
		p.fromOrIn()
	}
	f.Cursor = p.colID()
	return f
}

func (p *parser) fromOrIn() {
	if !p.take(kwFrom) {
		p.take(kwIn)
	}
}

func (p *parser) fetchDirection(f *ast.Fetch, word lexer.TokenType) {
	switch word {
	case kwPrior:
		f.Direction = ast.Backward
	case kwFirst:
		f.Direction = ast.Absolute
	case kwLast:
		f.Direction, f.Count = ast.Absolute, -1
	case kwAbsolute:
		f.Direction, f.Count = ast.Absolute, p.signedInt()
	case kwRelative:
		f.Direction, f.Count = ast.Relative, p.signedInt()
	case kwAll:
		f.All = true
	case kwForward, kwBackward:
		if word == kwBackward {
			f.Direction = ast.Backward
		}
		switch {
		case p.take(kwAll):
			f.All = true
		case p.is(tokInt) || p.is('-') || p.is('+'):
			f.Count = p.signedInt()
		}
	}
}

// signedInt reads an integer of 32 bits with an optional sign.
func (p *parser) signedInt() int64 {
	minus := p.take('-')
	if !minus {
		p.take('+')
	}
	n := int64(p.int())
	if minus {
		n = -n
	}
	return n
}

type closeG struct {
	All  bool        `parser:"'close' ( @'all'"`
	Name hook[colID] `parser:"| @@ )"`
}

func (g *closeG) lower(string) (ast.Stmt, error) {
	return &ast.CloseCursor{Name: value(g.Name).name}, nil
}

type listenG struct {
	Channel hook[colID] `parser:"'listen' @@"`
}

func (g *listenG) lower(string) (ast.Stmt, error) {
	return &ast.Listen{Channel: g.Channel.get().name}, nil
}

type unlistenG struct {
	All     bool        `parser:"'unlisten' ( @'*'"`
	Channel hook[colID] `parser:"| @@ )"`
}

func (g *unlistenG) lower(string) (ast.Stmt, error) {
	return &ast.Unlisten{Channel: value(g.Channel).name}, nil
}

type notifyG struct {
	Channel hook[colID]       `parser:"'notify' @@"`
	Payload hook[stringConst] `parser:"( ',' @@ )?"`
}

func (g *notifyG) lower(string) (ast.Stmt, error) {
	return &ast.Notify{Channel: g.Channel.get().name, Payload: value(g.Payload).text}, nil
}

type checkpointG struct {
	Verb string `parser:"@'checkpoint'"`
}

func (g *checkpointG) lower(string) (ast.Stmt, error) { return &ast.Checkpoint{}, nil }

type doG struct {
	Items []*doItemG `parser:"'do' @@+"`
}

type doItemG struct {
	Body     hook[stringConst] `parser:"  (?= String ) @@"`
	Language hook[nonReserved] `parser:"| 'language' @@"`
}

func (g *doG) lower(string) (ast.Stmt, error) {
	s := &ast.Do{}
	body := false
	for _, item := range g.Items {
		switch {
		case item.Body != nil && body || item.Language != nil && s.Language != "":
			return nil, errConflicting()
		case item.Body != nil:
			s.Body, body = item.Body.get().text, true
		default:
			s.Language = item.Language.get().text
		}
	}
	if !body {
		return nil, pgerr.New(pgerr.SyntaxError, "no inline code specified")
	}
	return s, nil
}

func errConflicting() error {
	return pgerr.New(pgerr.SyntaxError, "conflicting or redundant options")
}
