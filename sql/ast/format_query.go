package ast

func (p *printer) query(q *Select) {
	indent := p.indent
	defer func() { p.indent = indent }()
	if q.With != nil {
		p.with(q.With)
	}
	switch {
	case q.Op != NoSetOp:
		p.setOperand(q.Left, q.Op, false)
		p.line(" ")
		p.put([]string{"", "UNION", "INTERSECT", "EXCEPT"}[q.Op], " ")
		p.flag(q.All, "ALL ")
		p.line("")
		p.setOperand(q.Right, q.Op, true)
	case q.Values != nil:
		p.put("VALUES ")
		list(p, q.Values, func(row []Expr) { p.special("", row...) })
	default:
		p.plainSelect(q)
	}
	if len(q.OrderBy) > 0 {
		if p.pretty && q.Op != NoSetOp {
			p.indent += indentStandard
		}
		p.clauseWord(" ", 1)
		p.orderBy("", q.OrderBy)
	}
	switch {
	case q.WithTies:
		p.offset(q.Offset)
		p.put(" FETCH FIRST ")
		p.fetchCount(q.Limit)
		p.put(" ROWS WITH TIES")
	default:
		if p.pretty { // in PostgreSQL's order
			p.offset(q.Offset)
		}
		if q.Limit != nil {
			p.clauseWord(" LIMIT ", 0)
			p.expr(q.Limit)
		}
		if !p.pretty {
			p.offset(q.Offset)
		}
	}
	for _, l := range q.Locking {
		p.clauseWord(" FOR ", 0)
		p.put([]string{"KEY SHARE", "SHARE", "NO KEY UPDATE", "UPDATE"}[l.Strength])
		if l.Of != nil {
			p.put(" OF ")
			p.rels(l.Of)
		}
		p.put([]string{"", " NOWAIT", " SKIP LOCKED"}[l.Wait])
	}
}

func (p *printer) offset(x Expr) {
	if x != nil {
		p.clauseWord(" OFFSET ", 0)
		p.expr(x)
	}
}

// fetchCount writes a count that FETCH FIRST takes: a number, or anything in
// parentheses.
func (p *printer) fetchCount(x Expr) {
	if lit, ok := x.(*Literal); ok && (lit.Kind == LitInt || lit.Kind == LitNumeric) {
		p.put(lit.Text)
		return
	}
	if _, ok := x.(*Subquery); ok {
		p.expr(x)
		return
	}
	p.put("(")
	p.expr(x)
	p.put(")")
}

// setOperand writes one side of a set operation, in parentheses where it would
// otherwise be read differently.
func (p *printer) setOperand(q *Select, op SetOp, right bool) {
	bare := q.With == nil && q.OrderBy == nil && q.Limit == nil && q.Offset == nil && q.Locking == nil
	if bare && q.Op != NoSetOp {
		stronger := q.Op == Intersect && op != Intersect
		equal := (q.Op == Intersect) == (op == Intersect)
		bare = stronger || equal && !right
	}
	if bare {
		p.query(q)
	} else {
		p.subquery(q)
	}
}

func (p *printer) plainSelect(q *Select) {
	if p.pretty {
		p.indent += indentStandard
		p.put(" ")
	}
	p.put("SELECT")
	p.flag(q.Distinct, " DISTINCT")
	if q.DistinctOn != nil {
		p.special(" ON ", q.DistinctOn...)
	}
	if q.Targets != nil {
		p.put(" ")
		p.targets(q.Targets)
	}
	if q.Into != nil {
		p.put(" INTO ")
		p.flag(q.Into.Temp, "TEMPORARY ")
		p.flag(q.Into.Unlogged, "UNLOGGED ")
		p.rel(q.Into.Name)
	}
	p.from(" FROM ", q.From)
	if q.Where != nil {
		p.clauseWord(" WHERE ", 1)
		p.expr(q.Where)
	}
	if q.GroupBy != nil {
		p.clauseWord(" GROUP BY ", 1)
		p.flag(q.GroupDistinct, "DISTINCT ")
		list(p, q.GroupBy, p.groupItem)
	}
	if q.Having != nil {
		p.clauseWord(" HAVING ", 0)
		p.expr(q.Having)
	}
	if q.Windows != nil {
		p.clauseWord(" WINDOW ", 1)
		list(p, q.Windows, func(w *Window) {
			p.put(QuoteIdent(w.Name), " AS ")
			p.window(w)
		})
	}
}

// clause writes an expression behind a keyword, nothing when there is none.
func (p *printer) clause(word string, x Expr) {
	if x != nil {
		p.put(word)
		p.expr(x)
	}
}

func (p *printer) target(t Target) {
	p.expr(t.Expr)
	p.name(" AS ", t.Name)
}

func (p *printer) groupItem(g GroupItem) {
	switch g.Kind {
	case GroupEmpty:
		p.put("()")
	case GroupRollup:
		p.special("ROLLUP ", g.Exprs...)
	case GroupCube:
		p.special("CUBE ", g.Exprs...)
	case GroupSets:
		p.put("GROUPING SETS (")
		list(p, g.Sets, p.groupItem)
		p.put(")")
	default:
		p.exprs(g.Exprs)
	}
}

func (p *printer) with(w *With) {
	p.put("WITH ")
	p.flag(w.Recursive, "RECURSIVE ")
	list(p, w.CTEs, func(c *CTE) {
		p.put(QuoteIdent(c.Name))
		p.columns(" ", c.Columns)
		p.put(" AS ", []string{"", "MATERIALIZED ", "NOT MATERIALIZED "}[c.Materialized], "(")
		p.stmt(c.Query)
		p.put(")")
		if s := c.Search; s != nil {
			p.put(" SEARCH ")
			if s.Breadth {
				p.put("BREADTH")
			} else {
				p.put("DEPTH")
			}
			p.put(" FIRST BY ")
			p.names(s.By)
			p.put(" SET ", QuoteIdent(s.Set))
		}
		if y := c.Cycle; y != nil {
			p.put(" CYCLE ")
			p.names(y.Columns)
			p.put(" SET ", QuoteIdent(y.Mark))
			p.clause(" TO ", y.To)
			p.clause(" DEFAULT ", y.Otherwise)
			p.put(" USING ", QuoteIdent(y.Path))
		}
	})
	p.put(" ")
}

func (p *printer) from(word string, items []TableExpr) {
	if items == nil {
		return
	}
	if p.pretty {
		p.clauseWord(word, 2)
	} else {
		p.put(word)
	}
	list(p, items, func(t TableExpr) {
		_, join := t.(*Join)
		p.flag(join && p.pretty, "(")
		p.table(t)
		p.flag(join && p.pretty, ")")
	})
}

// line ends a line in a pretty print, else writes sep.
func (p *printer) line(sep string) {
	if p.pretty {
		p.keyword("", 0, 0, 0)
	} else {
		p.put(sep)
	}
}

func (p *printer) alias(a *Alias) {
	if a != nil {
		if p.pretty {
			p.put(" ", QuoteIdent(a.Name))
			p.columns("", a.Columns)
			return
		}
		p.put(" AS ", QuoteIdent(a.Name))
		p.columns(" ", a.Columns)
	}
}

func (p *printer) table(t TableExpr) {
	switch t := t.(type) {
	case *TableRef:
		p.flag(t.Only, "ONLY ")
		p.rel(t.Name)
		if p.relName != nil && t.Alias == nil && p.relName(t.Name).Name != t.Name.Name {
			p.alias(&Alias{Name: t.Name.Name})
		}
		p.alias(t.Alias)
		if s := t.Sample; s != nil {
			p.put(" TABLESAMPLE ")
			p.dotted(s.Method)
			p.special("", s.Args...)
			if s.Repeat != nil {
				p.special(" REPEATABLE ", s.Repeat)
			}
		}
	case *SubqueryRef:
		p.flag(t.Lateral, "LATERAL ")
		p.subquery(t.Query)
		p.alias(t.Alias)
	case *FuncRef:
		p.funcRef(t)
	case *Join:
		p.join(t)
	}
}

func (p *printer) funcRef(t *FuncRef) {
	p.flag(t.Lateral, "LATERAL ")
	call := func(f RowsFunc) {
		if cast, ok := f.Func.(*Cast); ok { // x::t is no function
			p.put("CAST(")
			p.expr(cast.Expr)
			p.put(" AS ")
			p.typeName(cast.Type)
			p.put(")")
		} else {
			p.expr(f.Func)
		}
		if f.Columns != nil {
			p.put(" AS ")
			p.columnList(f.Columns)
		}
	}
	if t.RowsFrom {
		p.put("ROWS FROM (")
		list(p, t.Funcs, call)
		p.put(")")
	} else {
		list(p, t.Funcs, call)
	}
	p.flag(t.Ordinality, " WITH ORDINALITY")
	p.alias(t.Alias)
	if t.Columns != nil {
		p.flag(t.Alias == nil, " AS")
		p.put(" ")
		p.columnList(t.Columns)
	}
}

func (p *printer) columnList(columns []ColumnDef) {
	p.put("(")
	list(p, columns, p.columnDef)
	p.put(")")
}

func (p *printer) join(j *Join) {
	p.flag(j.Alias != nil, "(")
	p.table(j.Left)
	word := []string{" JOIN ", " LEFT JOIN ", " RIGHT JOIN ", " FULL JOIN ", " CROSS JOIN "}[j.Kind]
	if j.Natural {
		word = " NATURAL" + word
	}
	if p.pretty {
		p.clauseWord(word, indentJoin)
	} else {
		p.put(word)
	}
	if right, ok := j.Right.(*Join); ok && right.Alias == nil {
		p.put("(")
		p.table(right)
		p.put(")")
	} else {
		p.table(j.Right)
	}
	p.clause(" ON ", j.On)
	p.columns(" USING ", j.Using)
	p.name(" AS ", j.UsingAlias)
	if j.Alias != nil {
		p.put(")")
		p.alias(j.Alias)
	}
}

func (p *printer) columnTarget(c ColumnTarget) {
	p.put(QuoteIdent(c.Name))
	for _, x := range c.Path {
		p.expr(x)
	}
}

func (p *printer) columnTargets(targets []ColumnTarget) {
	p.put("(")
	list(p, targets, p.columnTarget)
	p.put(")")
}

func (p *printer) insert(s *Insert) {
	if s.With != nil {
		p.with(s.With)
	}
	p.put("INSERT INTO ")
	p.rel(s.Into)
	p.name(" AS ", s.Alias)
	p.put(" ")
	if s.Columns != nil {
		p.columnTargets(s.Columns)
		p.put(" ")
	}
	p.put([]string{"", "OVERRIDING USER VALUE ", "OVERRIDING SYSTEM VALUE "}[s.Overriding])
	if s.Source == nil {
		p.put("DEFAULT VALUES")
	} else {
		p.query(s.Source)
	}
	if c := s.OnConflict; c != nil {
		p.onConflict(c)
	}
	p.returning(s.Returning)
}

func (p *printer) onConflict(c *OnConflict) {
	p.put(" ON CONFLICT")
	if c.Elems != nil {
		p.put(" ")
		p.indexElems(c.Elems)
		p.clause(" WHERE ", c.ElemsWhere)
	}
	p.name(" ON CONSTRAINT ", c.Constraint)
	if !c.Update {
		p.put(" DO NOTHING")
		return
	}
	p.put(" DO UPDATE SET ")
	list(p, c.Set, p.setClause)
	p.clause(" WHERE ", c.Where)
}

func (p *printer) setClause(s SetClause) {
	if s.Multi {
		p.columnTargets(s.Columns)
	} else {
		list(p, s.Columns, p.columnTarget)
	}
	p.put(" = ")
	p.expr(s.Value)
}

func (p *printer) returning(targets []Target) {
	if targets != nil {
		p.put(" RETURNING ")
		list(p, targets, p.target)
	}
}

func (p *printer) update(s *Update) {
	if s.With != nil {
		p.with(s.With)
	}
	p.put("UPDATE ")
	p.flag(s.Only, "ONLY ")
	p.rel(s.Relation)
	p.name(" AS ", s.Alias)
	p.put(" SET ")
	list(p, s.Set, p.setClause)
	p.from(" FROM ", s.From)
	p.clause(" WHERE ", s.Where)
	p.name(" WHERE CURRENT OF ", s.CurrentOf)
	p.returning(s.Returning)
}

func (p *printer) delete(s *Delete) {
	if s.With != nil {
		p.with(s.With)
	}
	p.put("DELETE FROM ")
	p.flag(s.Only, "ONLY ")
	p.rel(s.Relation)
	p.name(" AS ", s.Alias)
	p.from(" USING ", s.Using)
	p.clause(" WHERE ", s.Where)
	p.name(" WHERE CURRENT OF ", s.CurrentOf)
	p.flag(s.Descendants, " WITH DESCENDANTS")
	p.returning(s.Returning)
}
