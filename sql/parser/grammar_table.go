package parser

import (
	"strings"

	"github.com/alecthomas/participle/v2/lexer"

	"raisind/pgerr"
	"raisind/sql/ast"
)

type createTableG struct {
	Persistence string              `parser:"'create' ( ( 'local' | 'global' )? @( 'temp' | 'temporary' ) | @'unlogged' )? 'table'"`
	IfNotExists bool                `parser:"( (?= 'if' 'not' ) @'if' 'not' 'exists' )?"`
	Name        hook[ast.RelName]   `parser:"@@"`
	Elements    []*tableElementG    `parser:"'(' ( @@ ( ',' @@ )* )? ')'"`
	Inherits    []hook[ast.RelName] `parser:"( 'inherits' '(' @@ ( ',' @@ )* ')' )?"`
	Partition   *partitionG         `parser:"@@?"`
	Method      hook[colID]         `parser:"( 'using' @@ )?"`
	Options     hook[optionList]    `parser:"( 'with' @@ | 'without' 'oids' )?"`
	OnCommit    []string            `parser:"( 'on' 'commit' ( @'preserve' @'rows' | @'delete' @'rows' | @'drop' ) )?"`
	Tablespace  hook[colID]         `parser:"( 'tablespace' @@ )?"`
}

type partitionG struct {
	Strategy hook[colID]           `parser:"'partition' 'by' @@"`
	Elems    []hook[ast.IndexElem] `parser:"'(' @@ ( ',' @@ )* ')'"`
}

type tableElementG struct {
	Constraint *tableConstraintG `parser:"  (?= 'constraint' | 'check' | 'unique' | 'primary' | 'foreign' | 'exclude' ( 'using' | '(' ) ) @@"`
	Like       *tableLikeG       `parser:"| @@"`
	Column     *columnG          `parser:"| @@"`
}

type tableLikeG struct {
	Pos     lexer.Position
	Name    hook[ast.RelName] `parser:"'like' @@"`
	Options []*likeOptionG    `parser:"@@*"`
}

type likeOptionG struct {
	Verb string `parser:"@( 'including' | 'excluding' )"`
	What string `parser:"@( 'comments' | 'compression' | 'constraints' | 'defaults' | 'identity' | 'generated' | 'indexes' | 'statistics' | 'storage' | 'all' )"`
}

type columnG struct {
	Pos         lexer.Position
	Name        hook[colID]          `parser:"@@"`
	Type        hook[ast.TypeName]   `parser:"@@"`
	Constraints []*columnConstraintG `parser:"@@*"`
}

type columnConstraintG struct {
	Pos        lexer.Position
	Name       hook[colID]      `parser:"( 'constraint' @@ )?"`
	Not        string           `parser:"( 'not' @( 'null' | 'deferrable' )"`
	Null       bool             `parser:"| @'null'"`
	Default    hook[restricted] `parser:"| 'default' @@"`
	Check      hook[ast.Expr]   `parser:"| 'check' '(' @@ ')'"`
	NoInherit  bool             `parser:"  ( @'no' 'inherit' )?"`
	Key        string           `parser:"| ( @'unique' | @'primary' 'key' )"`
	Nulls      []string         `parser:"  ( 'nulls' @'not'? @'distinct' )?"`
	With       hook[optionList] `parser:"  ( 'with' @@ )?"`
	Tablespace hook[colID]      `parser:"  ( 'using' 'index' 'tablespace' @@ )?"`
	Generated  *generatedG      `parser:"| 'generated' @@"`
	References *referencesG     `parser:"| 'references' @@"`
	Deferrable bool             `parser:"| @'deferrable'"`
	Initially  string           `parser:"| 'initially' @( 'deferred' | 'immediate' )"`
	Collate    hook[anyName]    `parser:"| 'collate' @@ )"`
}

type generatedG struct {
	When     string          `parser:"( @'always' | 'by' @'default' ) 'as'"`
	Expr     hook[ast.Expr]  `parser:"( '(' @@ ')' 'stored'"`
	Identity bool            `parser:"| @'identity'"`
	Options  []*sequenceOptG `parser:"  ( '(' @@+ ')' )? )"`
}

type sequenceOptG struct {
	No    string            `parser:"  'no' @( 'cycle' | 'maxvalue' | 'minvalue' )"`
	Cycle bool              `parser:"| @'cycle'"`
	Name  string            `parser:"| ( @( 'cache' | 'maxvalue' | 'minvalue' ) | @'increment' 'by'? | @( 'start' | 'restart' ) 'with'? )"`
	Value hook[numberConst] `parser:"  @@"`
}

func (g *sequenceOptG) lower() ast.Option {
	text := func(s string) ast.Expr { return &ast.Literal{Kind: ast.LitString, Text: s} }
	switch {
	case g.No != "":
		return ast.Option{Name: g.No, Value: text("none")}
	case g.Cycle:
		return ast.Option{Name: "cycle", Value: text("true")}
	}
	return ast.Option{Name: g.Name, Value: g.Value.get().Expr}
}

type referencesG struct {
	Name    hook[ast.RelName] `parser:"@@"`
	Columns []hook[colID]     `parser:"( '(' @@ ( ',' @@ )* ')' )?"`
	Match   string            `parser:"( 'match' @( 'full' | 'partial' | 'simple' ) )?"`
	Actions []*keyActionG     `parser:"@@*"`
}

type keyActionG struct {
	Event  string   `parser:"'on' @( 'delete' | 'update' )"`
	Action []string `parser:"( @'no' @'action' | @'restrict' | @'cascade' | @'set' @( 'null' | 'default' ) )"`
}

func (g *referencesG) lower(c *ast.Constraint) {
	c.Kind, c.Ref, c.RefColumns, c.Match = ast.References, g.Name.get(), names(g.Columns), g.Match
	for _, a := range g.Actions {
		action := strings.Join(a.Action, " ")
		if a.Event == "delete" {
			c.OnDelete = action
		} else {
			c.OnUpdate = action
		}
	}
}

type tableConstraintG struct {
	Pos        lexer.Position
	Name       hook[colID]      `parser:"( 'constraint' @@ )?"`
	Check      hook[ast.Expr]   `parser:"( 'check' '(' @@ ')'"`
	Key        string           `parser:"| ( @'unique' | @'primary' 'key' )"`
	Nulls      []string         `parser:"  ( 'nulls' @'not'? @'distinct' )?"`
	Index      hook[colID]      `parser:"  ( 'using' 'index' @@"`
	Columns    []hook[colID]    `parser:"  | '(' @@ ( ',' @@ )* ')'"`
	Include    []hook[colID]    `parser:"    ( 'include' '(' @@ ( ',' @@ )* ')' )?"`
	With       hook[optionList] `parser:"    ( 'with' @@ )?"`
	Tablespace hook[colID]      `parser:"    ( 'using' 'index' 'tablespace' @@ )? )"`
	Foreign    []hook[colID]    `parser:"| 'foreign' 'key' '(' @@ ( ',' @@ )* ')'"`
	References *referencesG     `parser:"  'references' @@"`
	Exclude    *excludeG        `parser:"| @@ )"`
	Attributes []*attributeG    `parser:"@@*"`
}

type excludeG struct {
	Method hook[colID]      `parser:"'exclude' ( 'using' @@ )?"`
	Elems  []*excludeElemG  `parser:"'(' @@ ( ',' @@ )* ')'"`
	With   hook[optionList] `parser:"( 'with' @@ )?"`
	Where  hook[ast.Expr]   `parser:"( 'where' '(' @@ ')' )?"`
}

type excludeElemG struct {
	Elem hook[ast.IndexElem] `parser:"@@ 'with'"`
	Op   hook[anyOp]         `parser:"( 'operator' '(' @@ ')' | @@ )"`
}

type attributeG struct {
	Not        string `parser:"  'not' @( 'deferrable' | 'valid' )"`
	Deferrable bool   `parser:"| @'deferrable'"`
	Initially  string `parser:"| 'initially' @( 'deferred' | 'immediate' )"`
	NoInherit  bool   `parser:"| 'no' @'inherit'"`
}

func (g *tableConstraintG) lower() ast.Constraint {
	c := ast.Constraint{At: ast.At(g.Pos.Offset), Name: value(g.Name).name}
	switch {
	case g.Check != nil:
		c.Kind, c.Expr = ast.Check, g.Check.get()
	case g.References != nil:
		c.Columns = names(g.Foreign)
		g.References.lower(&c)
	case g.Exclude != nil:
		c.Kind, c.Method, c.Options, c.Where = ast.Exclude, value(g.Exclude.Method).name, value(g.Exclude.With).list, value(g.Exclude.Where)
		for _, e := range g.Exclude.Elems {
			c.Elems = append(c.Elems, e.Elem.get())
			c.Operators = append(c.Operators, e.Op.get().op)
		}
	default:
		c.Kind = ast.Unique
		if g.Key == "primary" {
			c.Kind = ast.PrimaryKey
		}
		c.Columns, c.Include, c.UsingIndex = names(g.Columns), names(g.Include), value(g.Index).name
		c.NullsNotDistinct, c.Options, c.Tablespace = len(g.Nulls) == 2, value(g.With).list, value(g.Tablespace).name
	}
	applyAttributes(g.Attributes, &c)
	return c
}

// applyAttributes gives a constraint what stands behind it.
func applyAttributes(list []*attributeG, c *ast.Constraint) {
	for _, a := range list {
		switch {
		case a.Not == "valid":
			c.NotValid = true
		case a.Not != "":
			c.Deferrable = pointer(false)
		case a.Deferrable:
			c.Deferrable = pointer(true)
		case a.NoInherit:
			c.NoInherit = true
		default:
			c.InitiallyDeferred = pointer(a.Initially == "deferred")
		}
	}
}

func (g *columnG) lower() (ast.ColumnDef, error) {
	col := ast.ColumnDef{At: ast.At(g.Pos.Offset), Name: g.Name.get().name, Type: g.Type.get()}
	for _, cg := range g.Constraints {
		at := ast.At(cg.Pos.Offset)
		if cg.Collate != nil {
			if col.Collation != nil {
				return col, &fault{at: int(at), err: pgerr.New(pgerr.SyntaxError, "multiple COLLATE clauses not allowed")}
			}
			col.Collation = cg.Collate.get().parts
			continue
		}
		if cg.Not == "deferrable" || cg.Deferrable || cg.Initially != "" {
			if err := attach(&col, cg); err != nil {
				return col, err
			}
			continue
		}
		col.Constraints = append(col.Constraints, cg.lower())
	}
	return col, nil
}

// attach gives DEFERRABLE and the like to the constraint before them.
func attach(col *ast.ColumnDef, g *columnConstraintG) error {
	clause := "NOT DEFERRABLE"
	switch {
	case g.Deferrable:
		clause = "DEFERRABLE"
	case g.Initially != "":
		clause = "INITIALLY " + strings.ToUpper(g.Initially)
	}
	n := len(col.Constraints)
	if n == 0 || col.Constraints[n-1].Kind < ast.Unique || col.Constraints[n-1].Kind > ast.References {
		return &fault{at: g.Pos.Offset, err: pgerr.New(pgerr.SyntaxError, "misplaced %s clause", clause)}
	}
	last := &col.Constraints[n-1]
	if g.Initially != "" {
		last.InitiallyDeferred = pointer(g.Initially == "deferred")
	} else {
		last.Deferrable = pointer(g.Deferrable)
	}
	return nil
}

func (g *columnConstraintG) lower() ast.Constraint {
	c := ast.Constraint{At: ast.At(g.Pos.Offset), Name: value(g.Name).name}
	switch {
	case g.Not == "null":
		c.Kind = ast.NotNull
	case g.Null:
		c.Kind = ast.Null
	case g.Default != nil:
		c.Kind, c.Expr = ast.DefaultValue, g.Default.get().Expr
	case g.Check != nil:
		c.Kind, c.Expr, c.NoInherit = ast.Check, g.Check.get(), g.NoInherit
	case g.References != nil:
		g.References.lower(&c)
	case g.Generated != nil && g.Generated.Identity:
		c.Kind, c.Always = ast.Identity, g.Generated.When == "always"
		for _, o := range g.Generated.Options {
			c.Options = append(c.Options, o.lower())
		}
	case g.Generated != nil:
		c.Kind, c.Expr, c.Always = ast.Generated, g.Generated.Expr.get(), true
	default:
		c.Kind = ast.Unique
		if g.Key == "primary" {
			c.Kind = ast.PrimaryKey
		}
		c.NullsNotDistinct, c.Options, c.Tablespace = len(g.Nulls) == 2, value(g.With).list, value(g.Tablespace).name
	}
	return c
}

func (g *createTableG) lower(string) (ast.Stmt, error) {
	s := &ast.CreateTable{
		Temp: strings.HasPrefix(g.Persistence, "temp"), Unlogged: g.Persistence == "unlogged", IfNotExists: g.IfNotExists,
		Name: g.Name.get(), Inherits: values(g.Inherits), Method: value(g.Method).name, Options: value(g.Options).list,
		OnCommit: strings.Join(g.OnCommit, " "), Tablespace: value(g.Tablespace).name,
	}
	for _, e := range g.Elements {
		switch {
		case e.Constraint != nil:
			s.Constraints = append(s.Constraints, e.Constraint.lower())
		case e.Like != nil:
			like := ast.TableLike{At: ast.At(e.Like.Pos.Offset), Name: e.Like.Name.get()}
			for _, o := range e.Like.Options {
				like.Options = append(like.Options, o.Verb+" "+o.What)
			}
			s.Likes = append(s.Likes, like)
		default:
			col, err := e.Column.lower()
			if err != nil {
				return nil, err
			}
			s.Columns = append(s.Columns, col)
		}
	}
	if g.Partition != nil {
		s.PartitionBy = &ast.PartitionBy{Strategy: g.Partition.Strategy.get().name, Elems: values(g.Partition.Elems)}
	}
	return s, nil
}

// createTableAsG is also CREATE MATERIALIZED VIEW.
type createTableAsG struct {
	Persistence string            `parser:"'create' ( ( 'local' | 'global' )? @( 'temp' | 'temporary' ) | @'unlogged' )?"`
	View        bool              `parser:"( 'table' | @'materialized' 'view' )"`
	IfNotExists bool              `parser:"( (?= 'if' 'not' ) @'if' 'not' 'exists' )?"`
	Name        hook[ast.RelName] `parser:"@@"`
	Columns     []hook[colID]     `parser:"( '(' @@ ( ',' @@ )* ')' )?"`
	Method      hook[colID]       `parser:"( 'using' @@ )?"`
	Options     hook[optionList]  `parser:"( 'with' @@ | 'without' 'oids' )?"`
	OnCommit    []string          `parser:"( 'on' 'commit' ( @'preserve' @'rows' | @'delete' @'rows' | @'drop' ) )?"`
	Tablespace  hook[colID]       `parser:"( 'tablespace' @@ )?"`
	Execute     *executeG         `parser:"'as' ( @@"`
	Query       hook[*ast.Select] `parser:"| @@ )"`
	Data        []string          `parser:"( 'with' @'no'? @'data' )?"`
}

func (g *createTableAsG) lower(text string) (ast.Stmt, error) {
	s := &ast.CreateTableAs{
		Temp: strings.HasPrefix(g.Persistence, "temp"), Unlogged: g.Persistence == "unlogged", View: g.View, IfNotExists: g.IfNotExists,
		Name: g.Name.get(), Columns: names(g.Columns), Method: value(g.Method).name, Options: value(g.Options).list,
		OnCommit: strings.Join(g.OnCommit, " "), Tablespace: value(g.Tablespace).name, NoData: len(g.Data) == 2,
	}
	if g.Execute == nil {
		s.Query = g.Query.get()
		return s, nil
	}
	var err error
	s.Query, err = g.Execute.lower(text)
	return s, err
}

type createIndexG struct {
	Unique       bool                  `parser:"'create' @'unique'? 'index'"`
	Concurrently bool                  `parser:"@'concurrently'?"`
	IfNotExists  bool                  `parser:"( (?= 'if' 'not' ) @'if' 'not' 'exists'"`
	NewName      hook[colID]           `parser:"  @@"`
	Name         hook[colID]           `parser:"| (?! 'on' ) @@ )?"`
	Relation     hook[inherited]       `parser:"'on' @@"`
	Method       hook[colID]           `parser:"( 'using' @@ )?"`
	Elems        []hook[ast.IndexElem] `parser:"'(' @@ ( ',' @@ )* ')'"`
	Include      []hook[ast.IndexElem] `parser:"( 'include' '(' @@ ( ',' @@ )* ')' )?"`
	Nulls        []string              `parser:"( 'nulls' @'not'? @'distinct' )?"`
	Options      hook[optionList]      `parser:"( 'with' @@ )?"`
	Tablespace   hook[colID]           `parser:"( 'tablespace' @@ )?"`
	Where        hook[ast.Expr]        `parser:"( 'where' @@ )?"`
}

func (g *createIndexG) lower(string) (ast.Stmt, error) {
	return &ast.CreateIndex{
		Unique: g.Unique, Concurrently: g.Concurrently, IfNotExists: g.IfNotExists, Name: value(g.Name).name + value(g.NewName).name,
		Relation: g.Relation.get().name, Only: g.Relation.get().only, Method: value(g.Method).name, Elems: values(g.Elems), Include: values(g.Include),
		NullsNotDistinct: len(g.Nulls) == 2, Options: value(g.Options).list, Tablespace: value(g.Tablespace).name, Where: value(g.Where),
	}, nil
}
