package parser

import (
	"strings"

	"raisind/sql/ast"
)

type modeG struct {
	Isolation  []string `parser:"  'isolation' 'level' ( @'read' @( 'uncommitted' | 'committed' ) | @'repeatable' @'read' | @'serializable' )"`
	Access     string   `parser:"| 'read' @( 'only' | 'write' )"`
	Deferrable string   `parser:"| @'deferrable' | @'not' 'deferrable'"`
}

func lowerModes(list []*modeG) ast.TxnModes {
	var m ast.TxnModes
	for _, g := range list {
		switch {
		case g.Isolation != nil:
			m.Isolation = strings.Join(g.Isolation, " ")
		case g.Access != "":
			m.ReadOnly = pointer(g.Access == "only")
		default:
			m.Deferrable = pointer(g.Deferrable == "deferrable")
		}
	}
	return m
}

type beginG struct {
	Modes []*modeG `parser:"( 'begin' ( 'work' | 'transaction' )? | 'start' 'transaction' ) ( @@ ( ','? @@ )* )?"`
}

func (g *beginG) lower(string) (ast.Stmt, error) {
	return &ast.Begin{Modes: lowerModes(g.Modes)}, nil
}

type commitG struct {
	No    bool `parser:"( 'commit' | 'end' ) ( 'work' | 'transaction' )? ( 'and' @'no'?"`
	Chain bool `parser:"  @'chain' )?"`
}

func (g *commitG) lower(string) (ast.Stmt, error) {
	return &ast.Commit{Chain: g.Chain && !g.No}, nil
}

type rollbackG struct {
	To    hook[savepointName] `parser:"( 'rollback' | 'abort' ) ( 'work' | 'transaction' )? ( 'to' @@"`
	No    bool                `parser:"  | 'and' @'no'?"`
	Chain bool                `parser:"    @'chain' )?"`
}

func (g *rollbackG) lower(string) (ast.Stmt, error) {
	if g.To != nil {
		return &ast.RollbackTo{Name: g.To.get().name}, nil
	}
	return &ast.Rollback{Chain: g.Chain && !g.No}, nil
}

type savepointG struct {
	Name hook[colID] `parser:"'savepoint' @@"`
}

func (g *savepointG) lower(string) (ast.Stmt, error) {
	return &ast.Savepoint{Name: g.Name.get().name}, nil
}

type releaseG struct {
	Name hook[savepointName] `parser:"'release' @@"`
}

func (g *releaseG) lower(string) (ast.Stmt, error) {
	return &ast.Release{Name: g.Name.get().name}, nil
}

type twoPhaseG struct {
	Verb string            `parser:"( @'prepare' 'transaction' | @( 'commit' | 'rollback' ) 'prepared' )"`
	ID   hook[stringConst] `parser:"@@"`
}

func (g *twoPhaseG) lower(string) (ast.Stmt, error) {
	return &ast.TwoPhase{Verb: g.Verb, ID: g.ID.get().text}, nil
}

type lockG struct {
	Relations []hook[inherited] `parser:"'lock' 'table'? @@ ( ',' @@ )*"`
	Mode      []string          `parser:"( 'in' ( @'access' @( 'share' | 'exclusive' ) | @'row' @( 'share' | 'exclusive' ) | @'share' ( @'update' @'exclusive' | @'row' @'exclusive' )? | @'exclusive' ) 'mode' )?"`
	NoWait    bool              `parser:"@'nowait'?"`
}

func (g *lockG) lower(string) (ast.Stmt, error) {
	s := &ast.LockTable{Mode: strings.Join(g.Mode, " "), NoWait: g.NoWait}
	if s.Mode == "" {
		s.Mode = "access exclusive"
	}
	for _, r := range g.Relations {
		s.Relations = append(s.Relations, r.get().name)
	}
	return s, nil
}
