package parser

import (
	"raisind/sql/ast"
)

func createType(p *parser, w ast.Written) ast.Stmt {
	s := &ast.CreateType{Written: w}
	p.wantWords("create", "type")
	s.Name = p.objectName()
	if !p.is(kwAs) {
		return &ast.Unsupported{Command: "CREATE TYPE of a base or shell type", Text: p.rest(w)}
	}
	p.want(kwAs)
	if p.isWord("range") {
		return &ast.Unsupported{Command: "CREATE TYPE AS RANGE", Text: p.rest(w)}
	}
	if s.Enum = p.takeWords("enum"); s.Enum {
		p.want('(')
		if !p.is(')') {
			for first := true; first || p.take(','); first = false {
				s.Labels = append(s.Labels, p.text())
			}
		}
		p.want(')')
		return s
	}
	p.want('(')
	if !p.is(')') {
		s.Columns = p.columnDefs()
	}
	p.want(')')
	return s
}

// rest passes over what is left of a statement that is recognised, no more.
func (p *parser) rest(w ast.Written) string {
	for !p.is(tokEOF) {
		p.advance()
	}
	return w.Text
}

func alterType(p *parser, w ast.Written) ast.Stmt {
	p.wantWords("alter", "type")
	name := p.objectName()
	switch {
	case p.takeWords("add", "value"):
		s := &ast.AlterEnum{Written: w, Name: name, IfNotExists: p.ifNotExists()}
		s.Label = p.text()
		if p.takeWords("before") {
			s.Neighbor = p.text()
		} else if p.takeWords("after") {
			s.Neighbor, s.After = p.text(), true
		}
		return s
	case p.takeWords("rename", "value"):
		s := &ast.AlterObject{Written: w, Kind: "type", Name: name, Action: "rename value", Part: p.text()}
		p.wantWords("to")
		s.New = p.text()
		return s
	case p.takeWords("rename", "attribute"):
		s := &ast.AlterObject{Written: w, Kind: "type", Name: name, Action: "rename attribute", Part: p.colID()}
		p.wantWords("to")
		s.New = p.colID()
		p.cascade()
		return s
	case p.isWord("rename"), p.isWord("owner"), p.takeWords("set", "schema"):
		return p.alterObject(w, "type", name)
	}
	s := &ast.AlterComposite{Written: w, Name: name}
	for first := true; first || p.take(','); first = false {
		a := ast.AlterAction{At: p.at()}
		switch {
		case p.takeWords("add", "attribute"):
			defs := ast.ColumnDef{At: p.at(), Name: p.colID(), Type: p.typeName()}
			a.Kind, a.Column = ast.AddColumn, &defs
		case p.takeWords("drop", "attribute"):
			a.Kind, a.IfExists = ast.DropColumn, p.ifExists()
			a.Name = p.colID()
		case p.takeWords("alter", "attribute"):
			a.Kind, a.Name = ast.SetType, p.colID()
			p.takeWords("set", "data")
			p.wantWords("type")
			a.Type = pointer(p.typeName())
		default:
			p.fail()
		}
		a.Cascade = p.cascade()
		s.Actions = append(s.Actions, a)
		if p.err != nil {
			break
		}
	}
	return s
}

// alterObject reads RENAME TO, OWNER TO and SET SCHEMA, whose first two words may
// have been read.
func (p *parser) alterObject(w ast.Written, kind string, name ast.RelName) ast.Stmt {
	s := &ast.AlterObject{Written: w, Kind: kind, Name: name}
	switch {
	case p.takeWords("rename", "to"):
		s.Action, s.New = "rename", p.colID()
	case p.takeWords("rename", "constraint"):
		s.Action, s.Part = "rename constraint", p.colID()
		p.wantWords("to")
		s.New = p.colID()
	case p.takeWords("owner", "to"):
		s.Action, s.New = "owner", p.roleSpec()
	default:
		p.takeWords("set", "schema")
		s.Action, s.New = "schema", p.colID()
	}
	return s
}

func createDomain(p *parser, w ast.Written) ast.Stmt {
	s := &ast.CreateDomain{Written: w}
	p.wantWords("create", "domain")
	s.Name = p.objectName()
	p.take(kwAs)
	s.Type = p.typeName()
	if p.take(kwCollate) {
		s.Collation = p.anyName()
	}
	for !p.is(tokEOF) {
		s.Constraints = append(s.Constraints, p.domainConstraint())
		if p.take(kwCollate) {
			s.Collation = p.anyName()
		}
	}
	return s
}

// domainConstraint reads a constraint of a domain.
func (p *parser) domainConstraint() ast.Constraint {
	c := ast.Constraint{At: p.at()}
	if p.take(kwConstraint) {
		c.Name = p.colID()
	}
	switch {
	case p.takeWords("not", "null"):
		c.Kind = ast.NotNull
	case p.takeWords("null"):
		c.Kind = ast.Null
	case p.take(kwDefault):
		c.Kind, c.Expr = ast.DefaultValue, p.restricted()
	case p.take(kwCheck):
		p.want('(')
		c.Kind, c.Expr = ast.Check, p.expr()
		p.want(')')
		c.NotValid = p.takeWords("not", "valid")
	default:
		p.fail()
	}
	return c
}

func alterDomain(p *parser, w ast.Written) ast.Stmt {
	p.wantWords("alter", "domain")
	s := &ast.AlterDomain{Written: w, Name: p.objectName()}
	switch {
	case p.takeWords("set", "default"):
		s.Action, s.Expr = "set default", p.expr()
	case p.takeWords("drop", "default"):
		s.Action = "drop default"
	case p.takeWords("set", "not", "null"):
		s.Action = "set not null"
	case p.takeWords("drop", "not", "null"):
		s.Action = "drop not null"
	case p.takeWords("add"):
		s.Action, s.Constraint = "add", pointer(p.domainConstraint())
	case p.takeWords("drop", "constraint"):
		s.Action, s.IfExists = "drop constraint", p.ifExists()
		s.Part = p.colID()
		s.Cascade = p.cascade()
	case p.takeWords("validate", "constraint"):
		s.Action, s.Part = "validate", p.colID()
	default:
		return p.alterObject(w, "domain", s.Name)
	}
	return s
}

func alterSchema(p *parser, w ast.Written) ast.Stmt {
	p.wantWords("alter", "schema")
	name := ast.RelName{At: p.at(), Name: p.colID()}
	if !p.isWord("rename") && !p.isWord("owner") {
		p.fail()
	}
	return p.alterObject(w, "schema", name)
}
