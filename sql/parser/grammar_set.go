package parser

import (
	"strings"

	"raisind/pgerr"
	"raisind/sql/ast"
)

// settingName is a setting of one or more parts; the names that have a grammar of
// their own are settings like others when TO, =, FROM or a dot follows.
type settingName struct {
	Parts []hook[colID] `parser:"@@ ( '.' @@ )*"`
}

func (g *settingName) name() string {
	return string(fold(nil, strings.Join(names(g.Parts), ".")))
}

type setG struct {
	Local   bool       `parser:"'set' ( (?! ( 'local' | 'session' ) ( 'authorization' | 'characteristics' | 'to' | '=' | 'from' | '.' ) ) ( @'local' | 'session' ) )?"`
	Special *setWordsG `parser:"( (?! ( 'transaction' | 'time' | 'catalog' | 'schema' | 'names' | 'role' | 'session' ) ( 'to' | '=' | 'from' | '.' ) ) @@"`
	Setting *setPlainG `parser:"| @@ )"`
}

// setWordsG are the forms of SET that start with a word of their own.
type setWordsG struct {
	Snapshot hook[stringConst] `parser:"  'transaction' ( 'snapshot' @@"`
	Modes    []*modeG          `parser:"    | @@ ( ','? @@ )* )"`
	Zone     hook[zoneValue]   `parser:"| 'time' 'zone' @@"`
	Catalog  hook[stringConst] `parser:"| 'catalog' @@"`
	Schema   hook[stringConst] `parser:"| 'schema' @@"`
	Names    bool              `parser:"| @'names'"`
	NamesTo  hook[stringConst] `parser:"  ( @@ | 'default' )?"`
	Role     hook[nonReserved] `parser:"| 'role' @@"`
	Session  []*modeG          `parser:"| 'session' ( 'characteristics' 'as' 'transaction' @@ ( ','? @@ )*"`
	Auth     bool              `parser:"    | @'authorization'"`
	AuthTo   hook[nonReserved] `parser:"      ( 'default' | @@ ) )"`
}

type setPlainG struct {
	Name    settingName          `parser:"@@"`
	Default bool                 `parser:"( ( 'to' | '=' ) ( @'default'"`
	Values  []hook[settingValue] `parser:"    | @@ ( ',' @@ )* )"`
	Current bool                 `parser:"| 'from' @'current' )"`
}

func (g *setG) lower(string) (ast.Stmt, error) {
	if g.Setting != nil {
		s := &ast.Set{Name: g.Setting.Name.name(), Local: g.Local, Default: g.Setting.Default, FromCurrent: g.Setting.Current}
		for _, v := range g.Setting.Values {
			s.Values = append(s.Values, v.get().Expr)
		}
		return s, nil
	}
	w := g.Special
	set := func(name string, v ast.Expr) (ast.Stmt, error) {
		s := &ast.Set{Name: name, Local: g.Local}
		if v == nil {
			s.Default = true
		} else {
			s.Values = []ast.Expr{v}
		}
		return s, nil
	}
	text := func(s string) ast.Expr { return &ast.Literal{Kind: ast.LitString, Text: s} }
	switch {
	case w.Snapshot != nil:
		return &ast.SetTransaction{Snapshot: w.Snapshot.get().text}, nil
	case w.Modes != nil:
		return &ast.SetTransaction{Modes: lowerModes(w.Modes)}, nil
	case w.Session != nil:
		return &ast.SetTransaction{Session: true, Modes: lowerModes(w.Session)}, nil
	case w.Zone != nil:
		return set("timezone", w.Zone.get().Expr)
	case w.Catalog != nil:
		return nil, &fault{at: w.Catalog.get().at, err: pgerr.New(pgerr.FeatureNotSupported, "current database cannot be changed")}
	case w.Schema != nil:
		return set("search_path", text(w.Schema.get().text))
	case w.NamesTo != nil:
		return set("client_encoding", text(w.NamesTo.get().text))
	case w.Names:
		return set("client_encoding", nil)
	case w.Role != nil:
		return set("role", text(w.Role.get().text))
	case w.AuthTo != nil:
		return set("session_authorization", text(w.AuthTo.get().text))
	}
	return set("session_authorization", nil)
}

// zoneValue reads what SET TIME ZONE takes; nil for DEFAULT and LOCAL.
func (p *parser) zoneValue() ast.Expr {
	at := p.at()
	switch p.tok.Type {
	case kwDefault, kwLocal:
		p.advance()
		return nil
	case tokString:
		return &ast.Literal{At: at, Kind: ast.LitString, Text: p.text()}
	case tokIdent, tokQuoted:
		return &ast.Literal{At: at, Kind: ast.LitString, Text: p.name()}
	case kwInterval:
		p.advance()
		return p.intervalConstant(at)
	}
	return p.signedNumber()
}

// namedSettingG are the settings that SHOW and RESET spell in several words.
type namedSettingG struct {
	All       bool         `parser:"  @'all'"`
	Zone      bool         `parser:"| (?= 'time' 'zone' ) @'time' 'zone'"`
	Isolation bool         `parser:"| (?= 'transaction' 'isolation' ) @'transaction' 'isolation' 'level'"`
	Auth      bool         `parser:"| (?= 'session' 'authorization' ) @'session' 'authorization'"`
	Name      *settingName `parser:"| @@"`
}

func (g *namedSettingG) name() string {
	switch {
	case g.All:
		return "all"
	case g.Zone:
		return "timezone"
	case g.Isolation:
		return "transaction_isolation"
	case g.Auth:
		return "session_authorization"
	}
	return g.Name.name()
}

type showG struct {
	Setting namedSettingG `parser:"'show' @@"`
}

func (g *showG) lower(string) (ast.Stmt, error) { return &ast.Show{Name: g.Setting.name()}, nil }

type resetG struct {
	Setting namedSettingG `parser:"'reset' @@"`
}

func (g *resetG) lower(string) (ast.Stmt, error) { return &ast.Reset{Name: g.Setting.name()}, nil }

type discardG struct {
	What string `parser:"'discard' @( 'all' | 'temp' | 'temporary' | 'plans' | 'sequences' )"`
}

func (g *discardG) lower(string) (ast.Stmt, error) {
	if g.What == "temporary" {
		g.What = "temp"
	}
	return &ast.Discard{What: g.What}, nil
}
