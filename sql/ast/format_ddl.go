package ast

import "strings"

// ddl writes the statements of ddl.go and function.go and reports whether s is
// one.
func (p *printer) ddl(s Stmt) bool {
	switch s := s.(type) {
	case *CreateTable:
		p.createTable(s)
	case *CreateTableAs:
		p.createTableAs(s)
	case *DropTable:
		p.put("DROP TABLE ")
		p.flag(s.IfExists, "IF EXISTS ")
		p.rels(s.Names)
		p.flag(s.Cascade, " CASCADE")
	case *DropObject:
		p.dropObject(s)
	case *CreateIndex:
		p.createIndex(s)
	case *AlterTable:
		p.alterTable(s)
	case *Truncate:
		p.put("TRUNCATE TABLE ")
		p.rels(s.Names)
		p.flag(s.RestartIdentity, " RESTART IDENTITY")
		p.flag(s.Cascade, " CASCADE")
	case *CreateExtension:
		p.put("CREATE EXTENSION ")
		p.flag(s.IfNotExists, "IF NOT EXISTS ")
		p.put(QuoteIdent(s.Name))
		for _, o := range s.Options {
			p.put(" ", strings.ToUpper(o.Name))
			if lit, ok := o.Value.(*Literal); ok {
				p.put(" ")
				p.either(o.Name == "schema", QuoteIdent(lit.Text), QuoteLiteral(lit.Text))
			}
		}
	case *Comment:
		p.comment(s)
	case *CreateFunction:
		p.createFunction(s)
	case *CreateTrigger:
		p.createTrigger(s)
	default:
		return p.routine(s)
	}
	return true
}

func (p *printer) persistence(temp, unlogged bool) {
	p.flag(temp, "TEMPORARY ")
	p.flag(unlogged, "UNLOGGED ")
}

func (p *printer) createTable(s *CreateTable) {
	p.put("CREATE ")
	p.persistence(s.Temp, s.Unlogged)
	p.put("TABLE ")
	p.flag(s.IfNotExists, "IF NOT EXISTS ")
	p.rel(s.Name)
	p.put(" (")
	sep := ""
	for _, c := range s.Columns {
		p.put(sep)
		p.columnDef(c)
		sep = ", "
	}
	for _, l := range s.Likes {
		p.put(sep, "LIKE ")
		p.rel(l.Name)
		for _, o := range l.Options {
			p.put(" ", strings.ToUpper(o))
		}
		sep = ", "
	}
	for _, c := range s.Constraints {
		p.put(sep)
		p.constraint(c, true)
		sep = ", "
	}
	p.put(")")
	if s.Inherits != nil {
		p.put(" INHERITS (")
		p.rels(s.Inherits)
		p.put(")")
	}
	if b := s.PartitionBy; b != nil {
		p.put(" PARTITION BY ", QuoteIdent(b.Strategy), " ")
		p.indexElems(b.Elems)
	}
	p.storage(s.Method, s.Options, s.OnCommit, s.Tablespace)
}

func (p *printer) storage(method string, options []Option, onCommit, tablespace string) {
	p.name(" USING ", method)
	p.options(" WITH ", options, " = ")
	if onCommit != "" {
		p.put(" ON COMMIT ", strings.ToUpper(onCommit))
	}
	p.name(" TABLESPACE ", tablespace)
}

func (p *printer) createTableAs(s *CreateTableAs) {
	p.put("CREATE ")
	p.persistence(s.Temp, s.Unlogged)
	p.either(s.View, "MATERIALIZED VIEW ", "TABLE ")
	p.flag(s.IfNotExists, "IF NOT EXISTS ")
	p.rel(s.Name)
	p.columns(" ", s.Columns)
	p.storage(s.Method, s.Options, s.OnCommit, s.Tablespace)
	p.put(" AS ")
	p.stmt(s.Query)
	p.flag(s.NoData, " WITH NO DATA")
}

func (p *printer) columnDef(c ColumnDef) {
	p.put(QuoteIdent(c.Name), " ")
	p.typeName(c.Type)
	if c.Collation != nil {
		p.put(" COLLATE ")
		p.dotted(c.Collation)
	}
	for _, k := range c.Constraints {
		p.put(" ")
		p.constraint(k, false)
	}
}

// constraint writes a constraint of a table or of a column.
func (p *printer) constraint(c Constraint, table bool) {
	if c.Name != "" {
		p.put("CONSTRAINT ", QuoteIdent(c.Name), " ")
	}
	switch c.Kind {
	case NotNull:
		p.put("NOT NULL")
	case Null:
		p.put("NULL")
	case DefaultValue:
		p.put("DEFAULT ")
		p.operand(c.Expr)
	case Check:
		p.special("CHECK ", c.Expr)
		p.flag(c.NoInherit && !table, " NO INHERIT")
	case Unique, PrimaryKey:
		p.key(c)
	case References:
		p.references(c)
	case Generated:
		p.special("GENERATED ALWAYS AS ", c.Expr)
		p.put(" STORED")
	case Identity:
		p.put("GENERATED ")
		p.either(c.Always, "ALWAYS", "BY DEFAULT")
		p.put(" AS IDENTITY")
		p.sequenceOptions(c.Options)
	case Exclude:
		p.exclude(c)
	}
	if c.Deferrable != nil {
		p.either(*c.Deferrable, " DEFERRABLE", " NOT DEFERRABLE")
	}
	if c.InitiallyDeferred != nil {
		p.either(*c.InitiallyDeferred, " INITIALLY DEFERRED", " INITIALLY IMMEDIATE")
	}
	p.flag(c.NoInherit && table, " NO INHERIT")
	p.flag(c.NotValid, " NOT VALID")
}

func (p *printer) key(c Constraint) {
	p.either(c.Kind == PrimaryKey, "PRIMARY KEY", "UNIQUE")
	p.flag(c.NullsNotDistinct, " NULLS NOT DISTINCT")
	p.name(" USING INDEX ", c.UsingIndex)
	p.columns(" ", c.Columns)
	p.columns(" INCLUDE ", c.Include)
	p.options(" WITH ", c.Options, " = ")
	p.name(" USING INDEX TABLESPACE ", c.Tablespace)
}

func (p *printer) references(c Constraint) {
	p.columns("FOREIGN KEY ", c.Columns)
	p.flag(c.Columns != nil, " ")
	p.put("REFERENCES ")
	p.rel(c.Ref)
	p.columns(" ", c.RefColumns)
	for _, part := range [][2]string{{" MATCH ", c.Match}, {" ON DELETE ", c.OnDelete}, {" ON UPDATE ", c.OnUpdate}} {
		if part[1] != "" {
			p.put(part[0], strings.ToUpper(part[1]))
		}
	}
}

func (p *printer) exclude(c Constraint) {
	p.put("EXCLUDE ")
	p.name("USING ", c.Method)
	p.put(" (")
	for i, e := range c.Elems {
		p.flag(i > 0, ", ")
		p.indexElem(e)
		p.put(" WITH ")
		p.op(c.Operators[i])
	}
	p.put(")")
	p.options(" WITH ", c.Options, " = ")
	if c.Where != nil {
		p.special(" WHERE ", c.Where)
	}
}

func (p *printer) sequenceOptions(options []Option) {
	if options == nil {
		return
	}
	p.put(" (")
	for i, o := range options {
		p.flag(i > 0, " ")
		lit, _ := o.Value.(*Literal)
		switch {
		case lit == nil:
		case lit.Kind == LitString && lit.Text == "none":
			p.put("NO ", strings.ToUpper(o.Name))
		case lit.Kind == LitString:
			p.put(strings.ToUpper(o.Name))
		default:
			p.put(strings.ToUpper(o.Name), " ", lit.Text)
		}
	}
	p.put(")")
}

func (p *printer) indexElems(elems []IndexElem) {
	p.put("(")
	list(p, elems, p.indexElem)
	p.put(")")
}

func (p *printer) indexElem(e IndexElem) {
	if e.Expr != nil {
		p.special("", e.Expr)
	} else {
		p.put(QuoteIdent(e.Name))
	}
	if e.Collation != nil {
		p.put(" COLLATE ")
		p.dotted(e.Collation)
	}
	if e.Opclass != nil {
		p.put(" ")
		p.dotted(e.Opclass)
		p.options(" ", e.OpclassOptions, " = ")
	}
	p.flag(e.Desc, " DESC")
	p.put([]string{"", " NULLS FIRST", " NULLS LAST"}[e.Nulls])
}

func (p *printer) createIndex(s *CreateIndex) {
	p.put("CREATE ")
	p.flag(s.Unique, "UNIQUE ")
	p.put("INDEX ")
	p.flag(s.Concurrently, "CONCURRENTLY ")
	p.flag(s.IfNotExists, "IF NOT EXISTS ")
	p.name("", s.Name)
	p.put(" ON ")
	p.flag(s.Only, "ONLY ")
	p.rel(s.Relation)
	p.name(" USING ", s.Method)
	p.put(" ")
	p.indexElems(s.Elems)
	if s.Include != nil {
		p.put(" INCLUDE ")
		p.indexElems(s.Include)
	}
	p.flag(s.NullsNotDistinct, " NULLS NOT DISTINCT")
	p.options(" WITH ", s.Options, " = ")
	p.name(" TABLESPACE ", s.Tablespace)
	p.clause(" WHERE ", s.Where)
}

func (p *printer) dropObject(s *DropObject) {
	p.put("DROP ", strings.ToUpper(s.Kind), " ")
	p.flag(s.Concurrently, "CONCURRENTLY ")
	p.flag(s.IfExists, "IF EXISTS ")
	for i, n := range s.Names {
		p.flag(i > 0, ", ")
		p.rel(n)
		if i < len(s.Args) {
			p.signature(s.Kind, s.Args[i])
		}
	}
	if s.On != nil {
		p.put(" ON ")
		p.rel(*s.On)
	}
	p.flag(s.Cascade, " CASCADE")
}

// signature writes the argument types of a function; none of an aggregate is *.
func (p *printer) signature(kind string, types []TypeName) {
	switch {
	case types == nil:
	case len(types) == 0 && kind == "aggregate":
		p.put("(*)")
	default:
		p.put("(")
		list(p, types, p.typeName)
		p.put(")")
	}
}

func (p *printer) comment(s *Comment) {
	p.put("COMMENT ON ", strings.ToUpper(s.Kind), " ")
	p.dotted(s.Name)
	p.signature(s.Kind, s.Args)
	if s.On != nil {
		p.put(" ON ")
		p.rel(*s.On)
	}
	p.put(" IS ")
	if s.Text == nil {
		p.put("NULL")
	} else {
		p.put(QuoteLiteral(*s.Text))
	}
}
