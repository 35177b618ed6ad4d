package parser

import (
	"strings"

	"github.com/alecthomas/participle/v2/lexer"

	"raisind/pgerr"
	"raisind/sql/ast"
)

// byHand makes a production of a rule that reads a statement to its end.
func byHand(read func(p *parser, w ast.Written) ast.Stmt) production {
	return func(lex *lexer.PeekingLexer, text string) (ast.Stmt, error) {
		p := newParser(lex)
		s := read(p, ast.Written{Text: text})
		p.end()
		if p.err != nil {
			return nil, p.err
		}
		return s, nil
	}
}

// isWord reports whether the current token is a word, keyword or not, without quotes.
func (p *parser) isWord(word string) bool { return strings.EqualFold(p.tok.Value, word) }

// takeWords steps over words, if they are what follows.
func (p *parser) takeWords(words ...string) bool {
	if p.err != nil || !p.isWord(words[0]) {
		return false
	}
	here := p.lex.MakeCheckpoint()
	for _, w := range words {
		if !strings.EqualFold(p.lex.Peek().Value, w) {
			p.lex.LoadCheckpoint(here)
			return false
		}
		p.lex.Next()
	}
	p.lex.LoadCheckpoint(here)
	for range words {
		p.advance()
	}
	return true
}

// wantWords steps over words or fails.
func (p *parser) wantWords(words ...string) {
	for _, w := range words {
		if !p.takeWords(w) {
			p.fail()
		}
	}
}

func (p *parser) ifExists() bool    { return p.takeWords("if", "exists") }
func (p *parser) ifNotExists() bool { return p.takeWords("if", "not", "exists") }

// cascade reads CASCADE or RESTRICT.
func (p *parser) cascade() bool {
	if p.takeWords("cascade") {
		return true
	}
	p.takeWords("restrict")
	return false
}

// roleSpec reads the name of a role.
func (p *parser) roleSpec() string {
	switch p.tok.Type {
	case kwCurrentUser, kwSessionUser, kwCurrentRole:
		return p.name()
	}
	if p.is(tokString) {
		p.fail()
		return ""
	}
	return p.nonReserved()
}

func (p *parser) roleSpecs() []string {
	list := []string{p.roleSpec()}
	for p.take(',') {
		list = append(list, p.roleSpec())
	}
	return list
}

// objectName reads a qualified name that is no string.
func (p *parser) objectName() ast.RelName {
	at := p.at()
	r := relNameOf(p.anyName())
	r.At = at
	return r
}

// bigint reads a number with a sign.
func (p *parser) bigint() int64 {
	at := p.at()
	lit, ok := p.signedNumber().(*ast.Literal)
	switch {
	case p.err != nil:
		return 0
	case !ok || lit.Kind != ast.LitInt:
		text := ""
		if ok {
			text = lit.Text
		}
		p.failAt(at, pgerr.New(pgerr.NumericValueOutOfRange, "value \"%s\" is out of range for type %s", text, "bigint"))
		return 0
	}
	return lit.Int
}

// createTemp reads CREATE with its words before the kind of object.
func (p *parser) createTemp() (replace, temp bool) {
	p.wantWords("create")
	replace = p.takeWords("or", "replace")
	if !p.takeWords("local") {
		p.takeWords("global")
	}
	temp = p.takeWords("temp") || p.takeWords("temporary")
	p.takeWords("unlogged")
	return replace, temp
}

func createSequence(p *parser, w ast.Written) ast.Stmt {
	s := &ast.CreateSequence{Written: w}
	_, s.Temp = p.createTemp()
	p.wantWords("sequence")
	s.IfNotExists = p.ifNotExists()
	s.Name = p.objectName()
	s.Options = p.sequenceOptions()
	return s
}

func alterSequence(p *parser, w ast.Written) ast.Stmt {
	s := &ast.AlterSequence{Written: w}
	p.wantWords("alter", "sequence")
	s.IfExists = p.ifExists()
	s.Name = p.objectName()
	s.Options = p.sequenceOptions()
	if len(s.Options) == 0 {
		p.fail()
	}
	return s
}

// sequenceOptions reads options as long as there are some.
func (p *parser) sequenceOptions() []ast.SequenceOption {
	var list []ast.SequenceOption
	for {
		o := ast.SequenceOption{At: p.at()}
		number := func() {
			n := p.bigint()
			o.Value = &n
		}
		switch {
		case p.takeWords("as"):
			o.Name, o.Type = "as", pointer(p.typeName())
		case p.takeWords("increment"):
			o.Name = "increment"
			p.takeWords("by")
			number()
		case p.takeWords("minvalue"):
			o.Name = "minvalue"
			number()
		case p.takeWords("maxvalue"):
			o.Name = "maxvalue"
			number()
		case p.takeWords("no", "minvalue"):
			o.Name = "no minvalue"
		case p.takeWords("no", "maxvalue"):
			o.Name = "no maxvalue"
		case p.takeWords("no", "cycle"):
			o.Name = "no cycle"
		case p.takeWords("cycle"):
			o.Name = "cycle"
		case p.takeWords("start"):
			o.Name = "start"
			p.takeWords("with")
			number()
		case p.takeWords("cache"):
			o.Name = "cache"
			number()
		case p.takeWords("restart"):
			o.Name = "restart"
			if p.takeWords("with") || p.is(tokInt) || p.is(tokNumber) || p.is('-') || p.is('+') {
				number()
			}
		case p.takeWords("owned", "by"):
			o.Name = "owned by"
			if !p.takeWords("none") {
				o.Owner = p.anyName()
			}
		case p.takeWords("sequence", "name"):
			o.Name, o.Owner = "sequence name", p.anyName()
		case p.takeWords("set", "logged"):
			o.Name = "logged"
		case p.takeWords("set", "unlogged"):
			o.Name = "unlogged"
		default:
			return list
		}
		if p.err != nil {
			return list
		}
		list = append(list, o)
	}
}

func createView(p *parser, w ast.Written) ast.Stmt {
	s := &ast.CreateView{Written: w}
	s.Replace, s.Temp = p.createTemp()
	recursive := p.takeWords("recursive")
	p.wantWords("view")
	s.Name = p.objectName()
	if p.take('(') {
		s.Columns = p.names()
		p.want(')')
	}
	if p.takeWords("with") {
		s.Options = p.options()
	}
	p.want(kwAs)
	s.Query = p.query()
	if p.takeWords("with") {
		s.Check = "cascaded"
		if p.takeWords("local") {
			s.Check = "local"
		} else {
			p.takeWords("cascaded")
		}
		p.wantWords("check", "option")
	}
	if recursive && p.err == nil {
		if len(s.Columns) == 0 {
			p.fail()
			return s
		}
		s.Query = recursiveView(s.Name.Name, s.Columns, s.Query)
	}
	return s
}

// recursiveView is what CREATE RECURSIVE VIEW stands for.
func recursiveView(name string, columns []string, q *ast.Select) *ast.Select {
	at := ast.At(q.Pos())
	body := &ast.Select{At: at, With: &ast.With{At: at, Recursive: true, CTEs: []*ast.CTE{{At: at, Name: name, Columns: columns, Query: q}}}}
	for _, c := range columns {
		body.Targets = append(body.Targets, ast.Target{At: at, Expr: &ast.ColumnRef{At: at, Parts: []string{c}}})
	}
	body.From = []ast.TableExpr{&ast.TableRef{At: at, Name: ast.RelName{At: at, Name: name}}}
	return body
}

func refresh(p *parser, w ast.Written) ast.Stmt {
	s := &ast.Refresh{Written: w}
	p.wantWords("refresh", "materialized", "view")
	s.Concurrently = p.takeWords("concurrently")
	s.Name = p.objectName()
	if p.takeWords("with", "no", "data") {
		s.NoData = true
	} else {
		p.takeWords("with", "data")
	}
	return s
}

func setConstraints(p *parser, w ast.Written) ast.Stmt {
	s := &ast.SetConstraints{Written: w}
	p.wantWords("set", "constraints")
	if !p.take(kwAll) {
		for first := true; first || p.take(','); first = false {
			s.Names = append(s.Names, p.objectName())
		}
	}
	if p.takeWords("deferred") {
		s.Deferred = true
	} else {
		p.wantWords("immediate")
	}
	return s
}

func createSchema(p *parser, w ast.Written) ast.Stmt {
	s := &ast.CreateSchema{Written: w}
	p.wantWords("create", "schema")
	s.IfNotExists = p.ifNotExists()
	if !p.isWord("authorization") {
		s.Name = p.colID()
	}
	if p.takeWords("authorization") {
		s.Owner = p.roleSpec()
	}
	if p.is(kwCreate) || p.is(kwGrant) {
		p.failAt(p.at(), pgerr.New(pgerr.FeatureNotSupported, "CREATE SCHEMA with schema elements is not supported").
			WithHint("Create the schema first, then its objects."))
	}
	return s
}
