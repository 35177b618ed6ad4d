package parser

import (
	"strings"

	"github.com/alecthomas/participle/v2/lexer"

	"raisind/pgerr"
	"raisind/sql/ast"
)

// roleKind reads ROLE, USER or GROUP.
func (p *parser) roleKind() string {
	for _, k := range []string{"role", "user", "group"} {
		if p.takeWords(k) {
			return k
		}
	}
	p.fail()
	return ""
}

func createRole(p *parser, w ast.Written) ast.Stmt {
	s := &ast.CreateRole{Written: w}
	p.wantWords("create")
	s.Kind = p.roleKind()
	s.Name = p.roleSpec()
	p.takeWords("with")
	for !p.is(tokEOF) {
		s.Options = append(s.Options, p.roleOption(true))
	}
	return s
}

// roleFlags are options of a role that are on or, with NO before them, off.
var roleFlags = map[string]string{
	"superuser": "superuser", "createdb": "createdb", "createrole": "createrole", "inherit": "inherit", "login": "login",
	"replication": "replication", "bypassrls": "bypassrls",
}

func (p *parser) roleOption(create bool) ast.RoleOption {
	o := ast.RoleOption{At: p.at()}
	word := strings.ToLower(p.tok.Value)
	if name, ok := roleFlags[word]; ok {
		p.advance()
		o.Name, o.On = name, true
		return o
	}
	if name, ok := roleFlags[strings.TrimPrefix(word, "no")]; ok && p.tok.Type == tokIdent {
		p.advance()
		o.Name = name
		return o
	}
	switch {
	case p.takeWords("encrypted", "password"), p.takeWords("password"):
		o.Name = "password"
		if !p.takeWords("null") {
			o.Text = pointer(p.text())
		}
	case p.isWord("unencrypted"):
		p.failAt(p.at(), pgerr.New(pgerr.FeatureNotSupported, "UNENCRYPTED PASSWORD is no longer supported").
			WithHint("Remove UNENCRYPTED to store the password in encrypted form instead."))
	case p.takeWords("connection", "limit"):
		o.Name, o.Number = "connection limit", p.bigint()
	case p.takeWords("valid", "until"):
		o.Name, o.Text = "valid until", pointer(p.text())
	case p.takeWords("sysid"):
		o.Name, o.Number = "sysid", p.bigint()
	case create && (p.takeWords("in", "role") || p.takeWords("in", "group")):
		o.Name, o.Roles = "in role", p.roleSpecs()
	case create && p.takeWords("admin"):
		o.Name, o.Roles = "admin", p.roleSpecs()
	case p.takeWords("role"), p.takeWords("user"):
		o.Name, o.Roles = "role", p.roleSpecs()
	case p.tok.Type == tokIdent:
		p.failAt(p.at(), pgerr.New(pgerr.SyntaxError, "unrecognized role option \"%s\"", word))
	default:
		p.fail()
	}
	return o
}

// alterRole reads ALTER ROLE, whose SET has a grammar of its own.
func alterRole(lex *lexer.PeekingLexer, text string) (ast.Stmt, error) {
	p := newParser(lex)
	s := &ast.AlterRole{Written: ast.Written{Text: text}}
	p.wantWords("alter")
	s.Kind = p.roleKind()
	if !p.take(kwAll) {
		s.Name = p.roleSpec()
	}
	if p.takeWords("rename", "to") {
		r := &ast.AlterObject{Written: s.Written, Kind: "role", Name: ast.RelName{Name: s.Name}, Action: "rename", New: p.roleSpec()}
		p.end()
		return r, p.err
	}
	if s.Kind == "group" && (p.isWord("add") || p.isWord("drop")) {
		into := &s.Add
		if !p.takeWords("add") {
			p.advance()
			into = &s.Drop
		}
		p.wantWords("user")
		*into = p.roleSpecs()
		p.end()
		return s, p.err
	}
	if p.takeWords("in", "database") {
		s.Database = p.colID()
	}
	if set, err := p.setOrReset(text); set != nil || err != nil {
		s.Set = set
		return s, err
	}
	p.takeWords("with")
	for !p.is(tokEOF) {
		s.Options = append(s.Options, p.roleOption(false))
	}
	return s, p.err
}

// setOrReset reads SET or RESET to the end of the statement; nil when there is none.
func (p *parser) setOrReset(text string) (ast.Stmt, error) {
	switch {
	case p.err != nil:
		return nil, p.err
	case p.is(kwSet):
		return ruleSet(p.lex, text)
	case p.is(kwReset):
		return productions[kwReset](p.lex, text)
	}
	return nil, nil
}

func dropRole(p *parser, w ast.Written) ast.Stmt {
	s := &ast.DropRole{Written: w}
	p.wantWords("drop")
	s.Kind = p.roleKind()
	s.IfExists = p.ifExists()
	s.Names = p.roleSpecs()
	return s
}

func dropOwned(p *parser, w ast.Written) ast.Stmt {
	s := &ast.DropOwned{Written: w}
	if p.takeWords("reassign", "owned", "by") {
		s.Roles = p.roleSpecs()
		p.wantWords("to")
		s.To = p.roleSpec()
		return s
	}
	p.wantWords("drop", "owned", "by")
	s.Roles = p.roleSpecs()
	s.Cascade = p.cascade()
	return s
}

func grant(p *parser, w ast.Written) ast.Stmt {
	s := &ast.Grant{Written: w}
	p.grant(s)
	return s
}

// grant reads GRANT and REVOKE, also those of ALTER DEFAULT PRIVILEGES.
func (p *parser) grant(s *ast.Grant) {
	if s.Revoke = p.takeWords("revoke"); !s.Revoke {
		p.wantWords("grant")
	}
	if s.Revoke {
		s.OptionFor = p.takeWords("grant", "option", "for") || p.takeWords("admin", "option", "for")
	}
	s.Privileges = p.privileges()
	if p.take(kwOn) {
		p.grantObjects(s)
	} else {
		s.Kind = "role"
	}
	word := "to"
	if s.Revoke {
		word = "from"
	}
	p.wantWords(word)
	for first := true; first || p.take(','); first = false {
		p.takeWords("group")
		s.Grantees = append(s.Grantees, p.roleSpec())
	}
	if !s.Revoke && (p.takeWords("with", "grant", "option") || p.takeWords("with", "admin", "option")) {
		s.WithOption = true
	}
	if p.takeWords("granted", "by") {
		s.GrantedBy = p.roleSpec()
	}
	if s.Revoke {
		s.Cascade = p.cascade()
	}
}

func (p *parser) privileges() []ast.Privilege {
	if p.take(kwAll) {
		p.takeWords("privileges")
		pr := ast.Privilege{Name: "all"}
		if p.take('(') {
			pr.Columns = p.names()
			p.want(')')
		}
		return []ast.Privilege{pr}
	}
	var list []ast.Privilege
	for first := true; first || p.take(','); first = false {
		var pr ast.Privilege
		switch p.tok.Type {
		case kwSelect, kwReferences, kwCreate:
			pr.Name = p.name()
		default:
			pr.Name = p.roleSpec()
		}
		if p.take('(') {
			pr.Columns = p.names()
			p.want(')')
		}
		list = append(list, pr)
		if p.err != nil {
			break
		}
	}
	return list
}

func (p *parser) grantObjects(s *ast.Grant) {
	if p.take(kwAll) {
		s.AllIn = true
		for plural, kind := range map[string]string{
			"tables": "table", "sequences": "sequence", "functions": "function", "procedures": "procedure", "routines": "routine",
		} {
			if p.takeWords(plural) {
				s.Kind = kind
				break
			}
		}
		p.wantWords("in", "schema")
		s.On = p.objectNames()
		return
	}
	if s.Default {
		for plural, kind := range map[string]string{
			"tables": "table", "sequences": "sequence", "functions": "function", "routines": "routine", "types": "type", "schemas": "schema",
		} {
			if p.takeWords(plural) {
				s.Kind = kind
				return
			}
		}
		p.fail()
		return
	}
	s.Kind = "table"
	for _, kind := range []string{"sequence", "schema", "function", "procedure", "routine", "database", "type", "domain", "language", "tablespace", "parameter"} {
		if next := p.after().Type; p.isWord(kind) && next != ',' && next != '.' && next != kwTo && next != kwFrom {
			p.advance()
			s.Kind = kind
			break
		}
	}
	switch {
	case s.Kind == "table":
		p.takeWords("table")
	case p.isWord("foreign"):
		p.fail()
	}
	switch s.Kind {
	case "function", "procedure", "routine":
		for first := true; first || p.take(','); first = false {
			at := p.at()
			name := relNameOf(p.funcName())
			name.At = at
			s.On = append(s.On, name)
			var args []ast.TypeName
			if p.take('(') {
				args = []ast.TypeName{}
				for !p.is(')') && p.err == nil {
					args = append(args, p.funcArg().Type)
					if !p.take(',') {
						break
					}
				}
				p.want(')')
			}
			s.Args = append(s.Args, args)
			if p.err != nil {
				return
			}
		}
	case "table":
		for first := true; first || p.take(','); first = false {
			s.On = append(s.On, p.relName())
		}
	default:
		s.On = p.objectNames()
	}
}

func (p *parser) objectNames() []ast.RelName {
	list := []ast.RelName{p.objectName()}
	for p.take(',') {
		list = append(list, p.objectName())
	}
	return list
}

func defaultPrivileges(p *parser, w ast.Written) ast.Stmt {
	s := &ast.Grant{Written: w, Default: true}
	p.wantWords("alter", "default", "privileges")
	for {
		switch {
		case p.takeWords("for", "role"), p.takeWords("for", "user"):
			s.For = p.roleSpecs()
			continue
		case p.takeWords("in", "schema"):
			s.In = p.names()
			continue
		}
		break
	}
	p.grant(s)
	return s
}

// database reads CREATE, ALTER and DROP DATABASE, as far as they are told apart.
func database(lex *lexer.PeekingLexer, text string) (ast.Stmt, error) {
	p := newParser(lex)
	s := &ast.Database{Written: ast.Written{Text: text}, Verb: strings.ToLower(p.tok.Value)}
	p.advance()
	p.wantWords("database")
	s.IfExists = p.ifExists()
	s.Name = p.colID()
	if s.Verb == "alter" {
		if p.isWord("rename") || p.isWord("owner") {
			r := p.alterObject(s.Written, "database", ast.RelName{Name: s.Name})
			p.end()
			return r, p.err
		}
		if set, err := p.setOrReset(text); set != nil || err != nil {
			s.Set = set
			return s, err
		}
	}
	p.rest(s.Written)
	return s, p.err
}
