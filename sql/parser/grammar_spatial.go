package parser

import (
	"strings"

	"github.com/alecthomas/participle/v2/lexer"

	"raisind/pgerr"
	"raisind/sql/ast"
)

type createWorkspaceG struct {
	IfNotExists bool              `parser:"'create' 'workspace' ( (?= 'if' 'not' ) @'if' 'not' 'exists' )?"`
	Name        hook[ast.RelName] `parser:"@@"`
	Options     hook[optionList]  `parser:"( 'with' @@ )?"`
}

func (g *createWorkspaceG) lower(string) (ast.Stmt, error) {
	return &ast.CreateWorkspace{IfNotExists: g.IfNotExists, Name: g.Name.get(), Options: value(g.Options).list}, nil
}

type dropWorkspaceG struct {
	IfExists bool                `parser:"'drop' 'workspace' ( (?= 'if' 'exists' ) @'if' 'exists' )?"`
	Names    []hook[ast.RelName] `parser:"@@ ( ',' @@ )*"`
	Behavior string              `parser:"@( 'cascade' | 'restrict' )?"`
}

func (g *dropWorkspaceG) lower(string) (ast.Stmt, error) {
	return &ast.DropWorkspace{IfExists: g.IfExists, Names: values(g.Names), Cascade: g.Behavior == "cascade"}, nil
}

type alterWorkspaceG struct {
	IfExists bool              `parser:"'alter' 'workspace' ( (?= 'if' 'exists' ) @'if' 'exists' )?"`
	Name     hook[ast.RelName] `parser:"@@"`
	Set      hook[optionList]  `parser:"( 'set' @@"`
	Reset    []hook[colLabel]  `parser:"| 'reset' '(' @@ ( ',' @@ )* ')'"`
	RenameTo hook[ast.RelName] `parser:"| 'rename' 'to' @@ )"`
}

func (g *alterWorkspaceG) lower(string) (ast.Stmt, error) {
	s := &ast.AlterWorkspace{IfExists: g.IfExists, Name: g.Name.get(), Set: value(g.Set).list}
	for _, r := range g.Reset {
		s.Reset = append(s.Reset, r.get().name)
	}
	if g.RenameTo != nil {
		to := g.RenameTo.get()
		if to.Schema != "" {
			return nil, &fault{at: to.Pos()}
		}
		s.RenameTo = to.Name
	}
	return s, nil
}

type spatialTargetG struct {
	Pos      lexer.Position
	Relation hook[ast.RelName] `parser:"'for' @@"`
	Property hook[propertyG]   `parser:"( 'property' @@ )?"`
}

// propertyG is the name of a property: a literal or an identifier.
type propertyG struct{ name string }

func (p *parser) property() propertyG {
	at := p.at()
	var name string
	if p.is(tokString) {
		name = p.text()
	} else {
		name = p.colID()
	}
	if name == "" && p.err == nil {
		p.failAt(at, pgerr.New(pgerr.SyntaxError, "zero-length property name"))
	}
	return propertyG{name}
}

func (g *spatialTargetG) lower() ast.SpatialTarget {
	return ast.SpatialTarget{At: ast.At(g.Pos.Offset), Relation: g.Relation.get(), Property: value(g.Property).name}
}

type alterSpatialG struct {
	Target spatialTargetG `parser:"'alter' 'spatial' 'index' @@"`
	Reset  bool           `parser:"( @'reset'"`
	Sets   []*spatialSetG `parser:"| @@+ )"`
}

type spatialSetG struct {
	Pos        lexer.Position
	Precisions []hook[intConst]  `parser:"'set' ( 'precisions' '=' '(' @@ ( ',' @@ )* ')'"`
	SRID       hook[intConst]    `parser:"| 'srid' '=' @@"`
	Bucket     hook[stringConst] `parser:"| 'bucket' 'property' '=' @@"`
	Cover      hook[nonReserved] `parser:"| 'cover' '=' @@ )"`
}

func (g *alterSpatialG) lower(string) (ast.Stmt, error) {
	s := &ast.AlterSpatialIndex{Target: g.Target.lower(), Reset: g.Reset}
	given := map[string]bool{}
	for _, set := range g.Sets {
		what := ""
		switch {
		case set.Precisions != nil:
			what = "PRECISIONS"
			for _, p := range set.Precisions {
				s.Precisions = append(s.Precisions, p.get().n)
			}
		case set.SRID != nil:
			what, s.SRID = "SRID", pointer(set.SRID.get().n)
		case set.Bucket != nil:
			what, s.BucketProperty = "BUCKET PROPERTY", pointer(set.Bucket.get().text)
		default:
			what, s.Cover = "COVER", strings.ToLower(set.Cover.get().text)
			if s.Cover != "centroid" && s.Cover != "extent" {
				return nil, &fault{at: set.Pos.Offset, err: pgerr.New(pgerr.InvalidParameterValue, "unknown cover \"%s\"", set.Cover.get().text).
					WithHint("A cover is CENTROID or EXTENT.")}
			}
		}
		if given[what] {
			return nil, &fault{at: set.Pos.Offset, err: pgerr.New(pgerr.SyntaxError, "%s is set twice", what)}
		}
		given[what] = true
	}
	return s, nil
}

type showSpatialG struct {
	What   string          `parser:"'show' 'spatial' 'index' @( 'config' | 'health' )"`
	Target *spatialTargetG `parser:"@@?"`
}

func (g *showSpatialG) lower(string) (ast.Stmt, error) {
	var target *ast.SpatialTarget
	if g.Target != nil {
		target = pointer(g.Target.lower())
	}
	if g.What == "health" {
		return &ast.ShowSpatialIndexHealth{Target: target}, nil
	}
	return &ast.ShowSpatialIndexConfig{Target: target}, nil
}

type verifySpatialG struct {
	Target spatialTargetG `parser:"'verify' 'spatial' 'index' @@"`
}

func (g *verifySpatialG) lower(string) (ast.Stmt, error) {
	return &ast.VerifySpatialIndex{Target: g.Target.lower()}, nil
}

type rebuildSpatialG struct {
	Target  spatialTargetG   `parser:"'rebuild' 'spatial' 'index' @@"`
	Options hook[optionList] `parser:"( 'with' @@ )?"`
}

func (g *rebuildSpatialG) lower(string) (ast.Stmt, error) {
	return &ast.RebuildSpatialIndex{Target: g.Target.lower(), Options: value(g.Options).list}, nil
}
