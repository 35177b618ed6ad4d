package parser

import (
	"strings"

	"github.com/alecthomas/participle/v2/lexer"

	"raisind/sql/ast"
)

type alterTableG struct {
	Kind     []string        `parser:"'alter' ( @( 'table' | 'index' | 'view' | 'sequence' ) | @'materialized' @'view' )"`
	IfExists bool            `parser:"( (?= 'if' 'exists' ) @'if' 'exists' )?"`
	Name     hook[inherited] `parser:"@@"`
	Rename   *renameG        `parser:"( 'rename' @@"`
	Schema   hook[colID]     `parser:"| (?= 'set' 'schema' ) 'set' 'schema' @@"`
	Actions  []*alterActionG `parser:"| @@ ( ',' @@ )* )"`
}

type renameG struct {
	To         hook[colID] `parser:"  'to' @@"`
	Constraint hook[colID] `parser:"| (?= 'constraint' ) 'constraint' @@"`
	NewName    hook[colID] `parser:"  'to' @@"`
	Column     hook[colID] `parser:"| 'column'? @@"`
	NewColumn  hook[colID] `parser:"  'to' @@"`
}

type alterActionG struct {
	Pos       lexer.Position
	Other     hook[span]        `parser:"  (?= 'cluster' | 'inherit' | 'no' | 'of' | 'not' | 'replica' | 'force' | 'attach' | 'detach' | 'options' | 'restart' | 'increment' | 'owned' | 'start' | 'cache' | 'cycle' | 'maxvalue' | 'minvalue' | 'as' | 'depends' | ( 'enable' | 'disable' ) ( 'row' | 'rule' | ( 'replica' | 'always' ) 'rule' ) | 'set' ( 'logged' | 'unlogged' | 'without' | 'tablespace' | 'access' ) ) @@"`
	Add       *addG             `parser:"| 'add' @@"`
	Drop      *dropPartG        `parser:"| 'drop' @@"`
	Deferring *alterConstraintG `parser:"| (?= 'alter' 'constraint' ) 'alter' 'constraint' @@"`
	Alter     *alterColumnG     `parser:"| 'alter' @@"`
	Validate  hook[colID]       `parser:"| 'validate' 'constraint' @@"`
	Enable    string            `parser:"| @( 'enable' | 'disable' )"`
	Firing    string            `parser:"  @( 'replica' | 'always' )? 'trigger'"`
	Triggers  string            `parser:"  ( @( 'all' | 'user' )"`
	Trigger   hook[colID]       `parser:"  | @@ )"`
	Set       hook[optionList]  `parser:"| 'set' @@"`
	Reset     hook[optionList]  `parser:"| 'reset' @@"`
	Owner     hook[nonReserved] `parser:"| 'owner' 'to' ( @@"`
	OwnerWord string            `parser:"  | @( 'current_user' | 'session_user' | 'current_role' ) )"`
}

type addG struct {
	Constraint  *tableConstraintG `parser:"  (?= 'constraint' | 'check' | 'unique' | 'primary' | 'foreign' | 'exclude' ( 'using' | '(' ) ) @@"`
	IfNotExists bool              `parser:"| 'column'? ( (?= 'if' 'not' ) @'if' 'not' 'exists' )?"`
	Column      *columnG          `parser:"  @@"`
}

type dropPartG struct {
	Constraint bool        `parser:"( @'constraint' | 'column' )?"`
	IfExists   bool        `parser:"( (?= 'if' 'exists' ) @'if' 'exists' )?"`
	Name       hook[colID] `parser:"@@"`
	Behavior   string      `parser:"@( 'cascade' | 'restrict' )?"`
}

type alterConstraintG struct {
	Name       hook[colID]   `parser:"@@"`
	Attributes []*attributeG `parser:"@@*"`
}

type alterColumnG struct {
	Name       hook[colID]        `parser:"'column'? @@"`
	Add        *generatedG        `parser:"( 'add' 'generated' @@"`
	Identity   []*identityPartG   `parser:"| (?= 'restart' | 'set' ( 'generated' | 'sequence' | 'no' | 'cycle' | 'cache' | 'maxvalue' | 'minvalue' | 'increment' | 'start' | 'restart' ) ) @@+"`
	Options    hook[optionList]   `parser:"| (?= 'set' '(' ) 'set' @@"`
	Reset      hook[optionList]   `parser:"| 'reset' @@"`
	Default    hook[ast.Expr]     `parser:"| (?! 'set' 'data' ) 'set' ( 'default' @@"`
	NotNull    bool               `parser:"    | 'not' @'null'"`
	Statistics hook[numberConst]  `parser:"    | 'statistics' @@"`
	Compress   string             `parser:"    | @'compression'"`
	Storage    hook[colID]        `parser:"      @@ | 'storage' @@ )"`
	Drop       string             `parser:"| 'drop' ( @'default' | 'not' @'null' | @( 'identity' | 'expression' )"`
	DropIf     bool               `parser:"  ( (?= 'if' 'exists' ) @'if' 'exists' )? )"`
	Type       hook[ast.TypeName] `parser:"| ( 'set' 'data' )? 'type' @@"`
	Collate    hook[anyName]      `parser:"  ( 'collate' @@ )?"`
	Using      hook[ast.Expr]     `parser:"  ( 'using' @@ )? )"`
}

type identityPartG struct {
	When    string        `parser:"'set' ( 'generated' ( @'always' | 'by' @'default' )"`
	Option  *sequenceOptG `parser:"  | @@ )"`
	Restart bool          `parser:"| @'restart'"`
	Value   *restartG     `parser:"  @@?"`
}

type restartG struct {
	Value hook[numberConst] `parser:"'with'? @@"`
}

func (g *alterTableG) lower(text string) (ast.Stmt, error) {
	s := &ast.AlterTable{Kind: strings.Join(g.Kind, " "), IfExists: g.IfExists, Only: g.Name.get().only, Name: g.Name.get().name}
	switch {
	case g.Rename != nil:
		s.Actions = []ast.AlterAction{g.Rename.lower()}
	case g.Schema != nil:
		s.Actions = []ast.AlterAction{{Kind: ast.SetSchema, NewName: g.Schema.get().name}}
	}
	for _, ag := range g.Actions {
		a, err := ag.lower(text)
		if err != nil {
			return nil, err
		}
		s.Actions = append(s.Actions, a)
	}
	return s, nil
}

func (g *renameG) lower() ast.AlterAction {
	switch {
	case g.To != nil:
		return ast.AlterAction{Kind: ast.RenameTable, NewName: g.To.get().name}
	case g.Constraint != nil:
		return ast.AlterAction{Kind: ast.RenameConstraint, Name: g.Constraint.get().name, NewName: g.NewName.get().name}
	}
	return ast.AlterAction{Kind: ast.RenameColumn, Name: g.Column.get().name, NewName: g.NewColumn.get().name}
}

func (g *alterActionG) lower(text string) (ast.AlterAction, error) {
	a := ast.AlterAction{At: ast.At(g.Pos.Offset)}
	switch {
	case g.Other != nil:
		at := g.Other.get()
		a.Kind, a.Name = ast.AlterOther, text[at.first:tokenEnd(text, at.last)]
	case g.Add != nil && g.Add.Constraint != nil:
		a.Kind, a.Constraint = ast.AddConstraint, pointer(g.Add.Constraint.lower())
	case g.Add != nil:
		col, err := g.Add.Column.lower()
		if err != nil {
			return a, err
		}
		a.Kind, a.Column, a.IfNotExists = ast.AddColumn, &col, g.Add.IfNotExists
	case g.Drop != nil:
		a.Kind = ast.DropColumn
		if g.Drop.Constraint {
			a.Kind = ast.DropConstraint
		}
		a.Name, a.IfExists, a.Cascade = g.Drop.Name.get().name, g.Drop.IfExists, g.Drop.Behavior == "cascade"
	case g.Deferring != nil:
		c := &ast.Constraint{At: a.At}
		applyAttributes(g.Deferring.Attributes, c)
		a.Kind, a.Name, a.Constraint = ast.AlterConstraint, g.Deferring.Name.get().name, c
	case g.Alter != nil:
		g.Alter.lower(&a)
	case g.Validate != nil:
		a.Kind, a.Name = ast.ValidateConstraint, g.Validate.get().name
	case g.Enable != "":
		a.Kind = ast.EnableTrigger
		if g.Enable == "disable" {
			a.Kind = ast.DisableTrigger
		}
		a.Name, a.AllTriggers, a.Firing = g.Triggers, g.Triggers != "", g.Firing
		if g.Trigger != nil {
			a.Name = g.Trigger.get().name
		}
	case g.Set != nil:
		a.Kind, a.Options = ast.SetOptions, g.Set.get().list
	case g.Reset != nil:
		a.Kind, a.Options = ast.ResetOptions, g.Reset.get().list
	default:
		a.Kind, a.NewName = ast.OwnerTo, g.OwnerWord
		if g.Owner != nil {
			a.NewName = g.Owner.get().text
		}
	}
	return a, nil
}

func (g *alterColumnG) lower(a *ast.AlterAction) {
	a.Name = g.Name.get().name
	switch {
	case g.Add != nil:
		c := &ast.Constraint{At: a.At, Kind: ast.Identity, Always: g.Add.When == "always"}
		for _, o := range g.Add.Options {
			c.Options = append(c.Options, o.lower())
		}
		a.Kind, a.Constraint = ast.AddIdentity, c
	case g.Identity != nil:
		a.Kind = ast.SetIdentity
		for _, part := range g.Identity {
			switch {
			case part.When != "":
				a.NewName = part.When
			case part.Option != nil:
				a.Options = append(a.Options, part.Option.lower())
			default:
				o := ast.Option{Name: "restart"}
				if part.Value != nil {
					o.Value = part.Value.Value.get().Expr
				}
				a.Options = append(a.Options, o)
			}
		}
	case g.Options != nil:
		a.Kind, a.Options = ast.SetColumnOptions, g.Options.get().list
	case g.Reset != nil:
		a.Kind, a.Options, a.NewName = ast.SetColumnOptions, g.Reset.get().list, "reset"
	case g.Compress != "":
		a.Kind, a.NewName = ast.SetCompression, g.Storage.get().name
	case g.Default != nil:
		a.Kind, a.Expr = ast.SetDefault, g.Default.get()
	case g.NotNull:
		a.Kind = ast.SetNotNull
	case g.Statistics != nil:
		a.Kind, a.Expr = ast.SetStatistics, g.Statistics.get().Expr
	case g.Storage != nil:
		a.Kind, a.NewName = ast.SetStorage, g.Storage.get().name
	case g.Drop == "default":
		a.Kind = ast.SetDefault
	case g.Drop == "identity":
		a.Kind, a.IfExists = ast.DropIdentity, g.DropIf
	case g.Drop == "expression":
		a.Kind, a.IfExists = ast.DropExpression, g.DropIf
	case g.Drop != "":
		a.Kind = ast.DropNotNull
	default:
		a.Kind, a.Type, a.Collation, a.Using = ast.SetType, pointer(g.Type.get()), value(g.Collate).parts, value(g.Using)
	}
}

// skip passes over tokens up to the next one of type end outside parentheses.
func (p *parser) skip(end lexer.TokenType) span {
	s := span{first: p.tok.Pos.Offset}
	for depth := 0; !p.is(tokEOF) && (depth > 0 || !p.is(end)); p.advance() {
		switch {
		case p.is(tokBad):
			p.fail()
		case p.is('('):
			depth++
		case p.is(')'):
			depth--
		}
		s.last = p.tok.Pos.Offset
	}
	return s
}

// tokenEnd is the offset behind the token that starts at from.
func tokenEnd(text string, from int) int {
	s := scanner{src: text, pos: from}
	s.scan()
	return s.pos
}
