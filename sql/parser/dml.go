package parser

import "raisind/sql/ast"

// insert reads INSERT, standing on it.
func (p *parser) insert(with *ast.With) *ast.Insert {
	s := &ast.Insert{At: p.at(), With: with}
	p.advance()
	p.want(kwInto)
	s.Into = p.relName()
	if p.take(kwAs) {
		s.Alias = p.colID()
	}
	if p.take(kwDefault) {
		p.want(kwValues)
	} else {
		if p.is('(') && !p.queryInParensFollows() {
			p.advance()
			s.Columns = p.columnTargets()
			p.want(')')
		}
		if p.take(kwOverriding) {
			s.Overriding = ast.OverridingSystem
			if p.take(kwUser) {
				s.Overriding = ast.OverridingUser
			} else {
				p.want(kwSystem)
			}
			p.want(kwValue)
		}
		s.Source = p.query()
	}
	if p.is(kwOn) {
		s.OnConflict = p.onConflict()
	}
	s.Returning = p.returning()
	return s
}

// queryInParensFollows tells INSERT INTO t (SELECT ...) from a list of columns.
func (p *parser) queryInParensFollows() bool {
	switch p.after().Type {
	case '(', kwSelect, kwWith, kwTable:
		return true
	case kwValues:
		here := p.lex.MakeCheckpoint()
		defer p.lex.LoadCheckpoint(here)
		p.lex.Next()
		p.lex.Next()
		return p.lex.Peek().Type == '('
	}
	return false
}

func (p *parser) columnTargets() []ast.ColumnTarget {
	list := []ast.ColumnTarget{p.columnTarget()}
	for p.take(',') {
		list = append(list, p.columnTarget())
	}
	return list
}

// columnTarget reads a column with subscripts and fields.
func (p *parser) columnTarget() ast.ColumnTarget {
	c := ast.ColumnTarget{At: p.at(), Name: p.colID()}
	star, misplaced := false, false
	for p.is('[') || p.is('.') {
		misplaced = misplaced || star
		if p.is('[') {
			c.Path = append(c.Path, p.subscript(nil))
			continue
		}
		f := p.field(nil)
		star = star || f.Star
		c.Path = append(c.Path, f)
	}
	if misplaced {
		p.failNear(improperStar)
	}
	return c
}

// onConflict reads ON CONFLICT, standing on ON.
func (p *parser) onConflict() *ast.OnConflict {
	c := &ast.OnConflict{At: p.at()}
	p.advance()
	p.want(kwConflict)
	switch {
	case p.take('('):
		for first := true; first || p.take(','); first = false {
			c.Elems = append(c.Elems, p.indexElem())
		}
		p.want(')')
		if p.take(kwWhere) {
			c.ElemsWhere = p.expr()
		}
	case p.take(kwOn):
		p.want(kwConstraint)
		c.Constraint = p.colID()
	}
	p.want(kwDo)
	if p.take(kwNothing) {
		return c
	}
	c.Update = true
	p.want(kwUpdate)
	p.want(kwSet)
	c.Set = p.setClauses()
	if p.take(kwWhere) {
		c.Where = p.expr()
	}
	return c
}

// indexElem reads a column or expression of an index.
func (p *parser) indexElem() ast.IndexElem {
	e := ast.IndexElem{At: p.at()}
	switch {
	case p.take('('):
		e.Expr = p.expr()
		p.want(')')
	case p.indexColumn():
		e.Name = p.name()
	default:
		e.Expr = p.plainFunc()
	}
	if p.take(kwCollate) {
		e.Collation = p.anyName()
	}
	if isColID(p.tok.Type) && !p.nullsFollow() {
		e.Opclass = p.anyName()
		if p.is('(') {
			e.OpclassOptions = p.options()
		}
	}
	if e.Desc = p.take(kwDesc); !e.Desc {
		p.take(kwAsc)
	}
	e.Nulls = p.nullsOrder()
	return e
}

// indexColumn reports whether a bare column stands here, rather than a call.
func (p *parser) indexColumn() bool {
	next := p.after().Type
	return isColID(p.tok.Type) && next != '(' && next != '.'
}

func (p *parser) setClauses() []ast.SetClause {
	list := []ast.SetClause{p.setClause()}
	for p.take(',') {
		list = append(list, p.setClause())
	}
	return list
}

func (p *parser) setClause() ast.SetClause {
	c := ast.SetClause{At: p.at()}
	if c.Multi = p.take('('); c.Multi {
		c.Columns = p.columnTargets()
		p.want(')')
	} else {
		c.Columns = []ast.ColumnTarget{p.columnTarget()}
	}
	p.want('=')
	c.Value = p.expr()
	return c
}

// update reads UPDATE, standing on it.
func (p *parser) update(with *ast.With) *ast.Update {
	s := &ast.Update{At: p.at(), With: with}
	p.advance()
	s.Relation, s.Only = p.changed()
	s.Alias = p.changedAlias()
	p.want(kwSet)
	s.Set = p.setClauses()
	if p.take(kwFrom) {
		s.From = p.fromList()
	}
	s.Where, s.CurrentOf = p.whereOrCurrent()
	s.Returning = p.returning()
	return s
}

// delete reads DELETE, standing on it.
func (p *parser) delete(with *ast.With) *ast.Delete {
	s := &ast.Delete{At: p.at(), With: with}
	p.advance()
	p.want(kwFrom)
	s.Relation, s.Only = p.changed()
	s.Alias = p.changedAlias()
	if p.take(kwUsing) {
		s.Using = p.fromList()
	}
	s.Where, s.CurrentOf = p.whereOrCurrent()
	if p.is(kwWith) && isWord(p.after(), "descendants") {
		s.Descendants = true
		p.advance()
		p.advance()
	}
	s.Returning = p.returning()
	return s
}

// changed reads the relation of UPDATE and DELETE.
func (p *parser) changed() (ast.RelName, bool) {
	ref := &ast.TableRef{}
	p.relation(ref)
	return ref.Name, ref.Only
}

// changedAlias reads the alias behind it; the word SET is none without AS.
func (p *parser) changedAlias() string {
	if p.take(kwAs) || isColID(p.tok.Type) && !p.is(kwSet) {
		return p.colID()
	}
	return ""
}

func (p *parser) whereOrCurrent() (where ast.Expr, cursor string) {
	if !p.take(kwWhere) {
		return nil, ""
	}
	if p.is(kwCurrent) && p.after().Type == kwOf {
		p.advance()
		p.advance()
		return nil, p.colID()
	}
	return p.expr(), ""
}

func (p *parser) returning() []ast.Target {
	if !p.take(kwReturning) {
		return nil
	}
	return p.targets()
}
