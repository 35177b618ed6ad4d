package parser

import (
	"strings"

	"github.com/alecthomas/participle/v2/lexer"

	"raisind/pgerr"
	"raisind/sql/ast"
)

type vacuumTargetG struct {
	Name    hook[ast.RelName] `parser:"@@"`
	Columns []hook[colID]     `parser:"( '(' @@ ( ',' @@ )* ')' )?"`
}

func lowerTargets(list []*vacuumTargetG) []ast.VacuumTarget {
	var out []ast.VacuumTarget
	for _, g := range list {
		out = append(out, ast.VacuumTarget{Name: g.Name.get(), Columns: names(g.Columns)})
	}
	return out
}

// vacuumG is VACUUM with words, vacuumListG with options in parentheses.
type vacuumG struct {
	Full      bool             `parser:"'vacuum' @'full'?"`
	Freeze    bool             `parser:"@'freeze'?"`
	Verbose   bool             `parser:"@'verbose'?"`
	Analyze   bool             `parser:"@( 'analyze' | 'analyse' )?"`
	Relations []*vacuumTargetG `parser:"( @@ ( ',' @@ )* )?"`
}

func (g *vacuumG) lower(string) (ast.Stmt, error) {
	return &ast.Vacuum{Full: g.Full, Freeze: g.Freeze, Verbose: g.Verbose, Analyze: g.Analyze, Relations: lowerTargets(g.Relations)}, nil
}

type vacuumListG struct {
	Options   hook[utilityList] `parser:"'vacuum' @@"`
	Relations []*vacuumTargetG  `parser:"( @@ ( ',' @@ )* )?"`
}

func (g *vacuumListG) lower(string) (ast.Stmt, error) {
	s := &ast.Vacuum{Relations: lowerTargets(g.Relations)}
	fields := map[string]*bool{"full": &s.Full, "freeze": &s.Freeze, "verbose": &s.Verbose, "analyze": &s.Analyze}
	known := map[string]bool{
		"disable_page_skipping": true, "skip_locked": true, "index_cleanup": true, "process_toast": true,
		"truncate": true, "parallel": true,
	}
	for _, o := range value(g.Options).list {
		field := fields[o.Name]
		switch {
		case field == nil && known[o.Name]:
			s.Options = append(s.Options, o)
			continue
		case field == nil:
			return nil, &fault{at: o.Pos(), err: pgerr.New(pgerr.SyntaxError, "unrecognized VACUUM option \"%s\"", o.Name)}
		}
		on, ok := optionIsOn(o)
		if !ok {
			return nil, pgerr.New(pgerr.SyntaxError, "%s requires a Boolean value", o.Name)
		}
		*field = on
	}
	return s, nil
}

type analyzeG struct {
	Options   hook[utilityList] `parser:"( 'analyze' | 'analyse' ) ( (?= '(' ) @@"`
	Verbose   bool              `parser:"| @'verbose' )?"`
	Relations []*vacuumTargetG  `parser:"( @@ ( ',' @@ )* )?"`
}

func (g *analyzeG) lower(string) (ast.Stmt, error) {
	s := &ast.Analyze{Verbose: g.Verbose, Relations: lowerTargets(g.Relations)}
	for _, o := range value(g.Options).list {
		on, ok := optionIsOn(o)
		switch {
		case o.Name != "verbose" && o.Name != "skip_locked":
			return nil, &fault{at: o.Pos(), err: pgerr.New(pgerr.SyntaxError, "unrecognized ANALYZE option \"%s\"", o.Name)}
		case !ok:
			return nil, pgerr.New(pgerr.SyntaxError, "%s requires a Boolean value", o.Name)
		case o.Name == "verbose":
			s.Verbose = on
		default:
			s.SkipLocked = on
		}
	}
	return s, nil
}

// copyG reads COPY of a relation or query; the options before WITH's list are
// those of PostgreSQL before 9.0.
type copyG struct {
	Query     hook[ast.Stmt]    `parser:"'copy' ( '(' @@ ')'"`
	Direction string            `parser:"  @'to'"`
	Binary    bool              `parser:"| @'binary'?"`
	Relation  hook[ast.RelName] `parser:"  @@"`
	Columns   []hook[colID]     `parser:"  ( '(' @@ ( ',' @@ )* ')' )?"`
	From      bool              `parser:"  ( @'from' | 'to' ) )"`
	Program   bool              `parser:"@'program'?"`
	File      hook[stringConst] `parser:"( (?= String ) @@"`
	Std       string            `parser:"| @( 'stdin' | 'stdout' ) )"`
	Delimiter hook[stringConst] `parser:"( 'using'? 'delimiters' @@ )?"`
	Options   hook[copyList]    `parser:"'with'? ( (?= '(' ) @@"`
	Old       []*copyOldOptionG `parser:"| @@+ )?"`
	Where     *whereG           `parser:"@@?"`
}

type whereG struct {
	Pos  lexer.Position
	Expr hook[ast.Expr] `parser:"'where' @@"`
}

type copyOldOptionG struct {
	Flag     string            `parser:"  @( 'binary' | 'freeze' | 'csv' | 'header' )"`
	Name     string            `parser:"| @( 'delimiter' | 'null' | 'quote' | 'escape' ) 'as'?"`
	Text     hook[stringConst] `parser:"  @@"`
	Encoding hook[stringConst] `parser:"| 'encoding' @@"`
	Force    []string          `parser:"| 'force' ( @'not' @'null' | @'null' | @'quote' )"`
	Star     bool              `parser:"  ( @'*'"`
	Columns  []hook[colID]     `parser:"  | @@ ( ',' @@ )* )"`
}

func (g *copyOldOptionG) lower() ast.Option {
	text := func(s string) ast.Expr { return &ast.Literal{Kind: ast.LitString, Text: s} }
	switch {
	case g.Flag == "binary" || g.Flag == "csv":
		return ast.Option{Name: "format", Value: text(g.Flag)}
	case g.Flag != "":
		return ast.Option{Name: g.Flag, Value: text("true")}
	case g.Text != nil:
		return ast.Option{Name: g.Name, Value: text(g.Text.get().text)}
	case g.Encoding != nil:
		return ast.Option{Name: "encoding", Value: text(g.Encoding.get().text)}
	}
	o := ast.Option{Name: "force_" + strings.Join(g.Force, "_")}
	if g.Star {
		o.Value = &ast.ColumnRef{Star: true}
		return o
	}
	row := &ast.RowLit{}
	for _, name := range names(g.Columns) {
		row.Args = append(row.Args, text(name))
	}
	o.Value = row
	return o
}

func (g *copyG) lower(string) (ast.Stmt, error) {
	s := &ast.Copy{
		Query: value(g.Query), Columns: names(g.Columns), From: g.From, Std: g.Std != "", Program: g.Program,
		File: value(g.File).text, Options: value(g.Options).list,
	}
	if g.Where != nil {
		s.Where = g.Where.Expr.get()
	}
	if g.Relation != nil {
		s.Relation = pointer(g.Relation.get())
	}
	switch {
	case s.Program && s.Std:
		return nil, pgerr.New(pgerr.SyntaxError, "STDIN/STDOUT not allowed with PROGRAM")
	case s.Where != nil && !s.From:
		return nil, &fault{at: g.Where.Pos.Offset, err: pgerr.New(pgerr.SyntaxError, "WHERE clause not allowed with COPY TO")}
	}
	if g.Binary {
		s.Options = append(s.Options, ast.Option{Name: "format", Value: &ast.Literal{Kind: ast.LitString, Text: "binary"}})
	}
	if g.Delimiter != nil {
		s.Options = append(s.Options, ast.Option{Name: "delimiter", Value: &ast.Literal{Kind: ast.LitString, Text: g.Delimiter.get().text}})
	}
	for _, o := range g.Old {
		s.Options = append(s.Options, o.lower())
	}
	return s, nil
}

type truncateG struct {
	Names    []hook[inherited] `parser:"'truncate' 'table'? @@ ( ',' @@ )*"`
	Identity string            `parser:"( @( 'continue' | 'restart' ) 'identity' )?"`
	Behavior string            `parser:"@( 'cascade' | 'restrict' )?"`
}

func (g *truncateG) lower(string) (ast.Stmt, error) {
	s := &ast.Truncate{RestartIdentity: g.Identity == "restart", Cascade: g.Behavior == "cascade"}
	for _, n := range g.Names {
		s.Names = append(s.Names, n.get().name)
	}
	return s, nil
}

type createExtensionG struct {
	IfNotExists bool             `parser:"'create' 'extension' ( @'if' 'not' 'exists' )?"`
	Name        hook[colID]      `parser:"@@ 'with'?"`
	Options     []*extensionOptG `parser:"@@*"`
}

type extensionOptG struct {
	Pos     lexer.Position
	Schema  hook[colID]       `parser:"  'schema' @@"`
	Version hook[nonReserved] `parser:"| 'version' @@"`
	Cascade bool              `parser:"| @'cascade'"`
	From    hook[nonReserved] `parser:"| 'from' @@"`
}

func (g *createExtensionG) lower(string) (ast.Stmt, error) {
	s := &ast.CreateExtension{IfNotExists: g.IfNotExists, Name: g.Name.get().name}
	for _, o := range g.Options {
		switch {
		case o.From != nil:
			return nil, &fault{at: o.Pos.Offset, err: pgerr.New(pgerr.FeatureNotSupported, "CREATE EXTENSION ... FROM is no longer supported")}
		case o.Schema != nil:
			s.Options = append(s.Options, ast.Option{Name: "schema", Value: &ast.Literal{Kind: ast.LitString, Text: o.Schema.get().name}})
		case o.Version != nil:
			s.Options = append(s.Options, ast.Option{Name: "version", Value: &ast.Literal{Kind: ast.LitString, Text: o.Version.get().text}})
		default:
			s.Options = append(s.Options, ast.Option{Name: "cascade"})
		}
	}
	return s, nil
}
