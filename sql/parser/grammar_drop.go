package parser

import (
	"strings"

	"raisind/pgerr"
	"raisind/sql/ast"
)

type dropTableG struct {
	IfExists bool                `parser:"'drop' 'table' ( (?= 'if' 'exists' ) @'if' 'exists' )?"`
	Names    []hook[ast.RelName] `parser:"@@ ( ',' @@ )*"`
	Behavior string              `parser:"@( 'cascade' | 'restrict' )?"`
}

func (g *dropTableG) lower(string) (ast.Stmt, error) {
	return &ast.DropTable{IfExists: g.IfExists, Names: values(g.Names), Cascade: g.Behavior == "cascade"}, nil
}

type dropObjectG struct {
	Kind         []string        `parser:"'drop' ( @( 'view' | 'sequence' | 'schema' | 'type' | 'domain' | 'extension' ) | @'materialized' @'view' | @'index'"`
	Concurrently bool            `parser:"  @'concurrently'? )"`
	IfExists     bool            `parser:"( (?= 'if' 'exists' ) @'if' 'exists' )?"`
	Names        []hook[anyName] `parser:"@@ ( ',' @@ )*"`
	Behavior     string          `parser:"@( 'cascade' | 'restrict' )?"`
}

func (g *dropObjectG) lower(string) (ast.Stmt, error) {
	s := &ast.DropObject{
		Kind: strings.Join(g.Kind, " "), Concurrently: g.Concurrently, IfExists: g.IfExists, Cascade: g.Behavior == "cascade",
	}
	for _, n := range g.Names {
		s.Names = append(s.Names, relNameOf(n.get().parts))
	}
	return s, nil
}

type signatureG struct {
	Name   hook[funcName]      `parser:"@@"`
	Parens bool                `parser:"( @'('"`
	Star   bool                `parser:"  ( @'*'"`
	Args   []hook[ast.FuncArg] `parser:"  | @@ ( ',' @@ )* )? ')' )?"`
}

func (g *signatureG) types() []ast.TypeName {
	if !g.Parens {
		return nil
	}
	types := []ast.TypeName{}
	for _, a := range g.Args {
		types = append(types, a.get().Type)
	}
	return types
}

type dropFunctionG struct {
	Kind     string        `parser:"'drop' @( 'function' | 'procedure' | 'routine' | 'aggregate' )"`
	IfExists bool          `parser:"( (?= 'if' 'exists' ) @'if' 'exists' )?"`
	Names    []*signatureG `parser:"@@ ( ',' @@ )*"`
	Behavior string        `parser:"@( 'cascade' | 'restrict' )?"`
}

func (g *dropFunctionG) lower(string) (ast.Stmt, error) {
	s := &ast.DropObject{Kind: g.Kind, IfExists: g.IfExists, Cascade: g.Behavior == "cascade"}
	for _, n := range g.Names {
		s.Names = append(s.Names, relNameOf(n.Name.get().parts))
		s.Args = append(s.Args, n.types())
	}
	return s, nil
}

type dropTriggerG struct {
	IfExists bool              `parser:"'drop' 'trigger' ( (?= 'if' 'exists' ) @'if' 'exists' )?"`
	Name     hook[colID]       `parser:"@@"`
	On       hook[ast.RelName] `parser:"'on' @@"`
	Behavior string            `parser:"@( 'cascade' | 'restrict' )?"`
}

func (g *dropTriggerG) lower(string) (ast.Stmt, error) {
	return &ast.DropObject{
		Kind: "trigger", IfExists: g.IfExists, Names: []ast.RelName{{Name: g.Name.get().name}}, On: pointer(g.On.get()),
		Cascade: g.Behavior == "cascade",
	}, nil
}

type commentG struct {
	Kind     []string          `parser:"'comment' 'on' ( ( @( 'table' | 'index' | 'view' | 'sequence' | 'schema' | 'extension' | 'database' | 'type' | 'domain' | 'role' | 'collation' | 'tablespace' | 'workspace' ) | @'materialized' @'view' )"`
	Name     hook[ast.RelName] `parser:"  @@"`
	Column   []string          `parser:"| @'column'"`
	ColName  hook[anyName]     `parser:"  @@"`
	FuncKind string            `parser:"| @( 'function' | 'procedure' | 'aggregate' | 'routine' )"`
	Func     *signatureG       `parser:"  @@"`
	OnKind   string            `parser:"| @( 'trigger' | 'constraint' )"`
	OnName   hook[colID]       `parser:"  @@"`
	On       hook[ast.RelName] `parser:"  'on' @@ ) 'is'"`
	Text     hook[stringConst] `parser:"( @@"`
	Null     bool              `parser:"| @'null' )"`
}

func (g *commentG) lower(string) (ast.Stmt, error) {
	s := &ast.Comment{}
	if g.Text != nil {
		s.Text = pointer(g.Text.get().text)
	}
	switch {
	case g.Name != nil:
		s.Kind, s.Name = strings.Join(g.Kind, " "), parts(g.Name.get())
	case g.ColName != nil:
		s.Kind, s.Name = "column", g.ColName.get().parts
		if len(s.Name) == 1 {
			return nil, pgerr.New(pgerr.SyntaxError, "column name must be qualified")
		}
	case g.Func != nil:
		s.Kind, s.Name, s.Args = g.FuncKind, g.Func.Name.get().parts, g.Func.types()
	default:
		s.Kind, s.Name, s.On = g.OnKind, []string{g.OnName.get().name}, pointer(g.On.get())
	}
	return s, nil
}

// relNameOf makes a name of its parts; of more than three only the last count.
func relNameOf(parts []string) ast.RelName {
	var r ast.RelName
	if n := len(parts); n > 0 {
		r.Name = parts[n-1]
		if n > 1 {
			r.Schema = parts[n-2]
		}
		if n > 2 {
			r.Catalog = parts[n-3]
		}
	}
	return r
}

// parts are the parts of a relation's name that are given.
func parts(r ast.RelName) []string {
	var list []string
	for _, part := range []string{r.Catalog, r.Schema, r.Name} {
		if part != "" {
			list = append(list, part)
		}
	}
	return list
}
