package ast

import "strings"

func (p *printer) alterTable(s *AlterTable) {
	p.put("ALTER ", strings.ToUpper(s.Kind), " ")
	p.flag(s.IfExists, "IF EXISTS ")
	p.flag(s.Only, "ONLY ")
	p.rel(s.Name)
	p.put(" ")
	list(p, s.Actions, p.alterAction)
}

func (p *printer) alterAction(a AlterAction) {
	column := func(verb string) { p.put("ALTER COLUMN ", QuoteIdent(a.Name), verb) }
	switch a.Kind {
	case AddColumn:
		p.put("ADD COLUMN ")
		p.flag(a.IfNotExists, "IF NOT EXISTS ")
		p.columnDef(*a.Column)
	case DropColumn, DropConstraint:
		p.either(a.Kind == DropColumn, "DROP COLUMN ", "DROP CONSTRAINT ")
		p.flag(a.IfExists, "IF EXISTS ")
		p.put(QuoteIdent(a.Name))
		p.flag(a.Cascade, " CASCADE")
	case SetType:
		column(" TYPE ")
		p.typeName(*a.Type)
		if a.Collation != nil {
			p.put(" COLLATE ")
			p.dotted(a.Collation)
		}
		p.clause(" USING ", a.Using)
	case SetDefault:
		if a.Expr == nil {
			column(" DROP DEFAULT")
			return
		}
		column(" SET DEFAULT ")
		p.expr(a.Expr)
	case SetNotNull:
		column(" SET NOT NULL")
	case DropNotNull:
		column(" DROP NOT NULL")
	case SetStatistics:
		column(" SET STATISTICS ")
		p.expr(a.Expr)
	case SetStorage:
		column(" SET STORAGE ")
		p.put(QuoteIdent(a.NewName))
	case SetCompression:
		column(" SET COMPRESSION ")
		p.put(QuoteIdent(a.NewName))
	case SetColumnOptions:
		column("")
		if a.NewName == "reset" {
			p.options(" RESET ", a.Options, " = ")
		} else {
			p.options(" SET ", a.Options, " = ")
		}
	case AddIdentity:
		column(" ADD ")
		p.constraint(*a.Constraint, false)
	case SetIdentity:
		column("")
		p.identityParts(a)
	case DropIdentity, DropExpression:
		column(" DROP ")
		p.either(a.Kind == DropIdentity, "IDENTITY", "EXPRESSION")
		p.flag(a.IfExists, " IF EXISTS")
	case AlterConstraint:
		p.name("ALTER CONSTRAINT ", a.Name)
		if d := a.Constraint.Deferrable; d != nil {
			p.either(*d, " DEFERRABLE", " NOT DEFERRABLE")
		}
		if d := a.Constraint.InitiallyDeferred; d != nil {
			p.either(*d, " INITIALLY DEFERRED", " INITIALLY IMMEDIATE")
		}
	case AddConstraint:
		p.put("ADD ")
		p.constraint(*a.Constraint, true)
	case ValidateConstraint:
		p.name("VALIDATE CONSTRAINT ", a.Name)
	case RenameColumn, RenameConstraint:
		p.either(a.Kind == RenameColumn, "RENAME COLUMN ", "RENAME CONSTRAINT ")
		p.put(QuoteIdent(a.Name), " TO ", QuoteIdent(a.NewName))
	case RenameTable:
		p.name("RENAME TO ", a.NewName)
	case SetSchema:
		p.name("SET SCHEMA ", a.NewName)
	case SetOptions:
		p.options("SET ", a.Options, " = ")
	case ResetOptions:
		p.options("RESET ", a.Options, " = ")
	case OwnerTo:
		p.put("OWNER TO ")
		switch a.NewName {
		case "current_user", "session_user", "current_role":
			p.put(strings.ToUpper(a.NewName))
		default:
			p.put(QuoteIdent(a.NewName))
		}
	case EnableTrigger, DisableTrigger:
		p.either(a.Kind == EnableTrigger, "ENABLE ", "DISABLE ")
		if a.Firing != "" {
			p.put(strings.ToUpper(a.Firing) + " ")
		}
		p.put("TRIGGER ")
		p.either(a.AllTriggers, strings.ToUpper(a.Name), QuoteIdent(a.Name))
	case AlterOther:
		p.put(a.Name)
	}
}

func (p *printer) createFunction(s *CreateFunction) {
	p.put("CREATE ")
	p.flag(s.OrReplace, "OR REPLACE ")
	p.either(s.Procedure, "PROCEDURE ", "FUNCTION ")
	p.rel(s.Name)
	p.put("(")
	list(p, s.Args, p.funcArg)
	p.put(")")
	switch {
	case s.Returns != nil:
		p.put(" RETURNS ")
		p.typeName(*s.Returns)
	case s.Table != nil:
		p.put(" RETURNS TABLE (")
		list(p, s.Table, p.funcArg)
		p.put(")")
	}
	if s.Language != "" {
		p.put(" LANGUAGE ", QuoteLiteral(s.Language))
	}
	for _, o := range s.Options {
		p.functionOption(o)
	}
	switch {
	case s.Inline:
		p.put(" ", s.Body)
	case s.BodyAt > 0:
		p.put(" AS ", QuoteLiteral(s.Body))
		if s.Symbol != "" {
			p.put(", ", QuoteLiteral(s.Symbol))
		}
	}
}

func (p *printer) funcArg(a FuncArg) {
	if a.Mode != "in" && a.Mode != "table" {
		p.put(strings.ToUpper(a.Mode), " ")
	}
	if a.Name != "" {
		p.put(QuoteIdent(a.Name), " ")
	}
	p.typeName(a.Type)
	p.clause(" DEFAULT ", a.Default)
}

func (p *printer) functionOption(o Option) {
	text := ""
	if lit, ok := o.Value.(*Literal); ok {
		text = lit.Text
	}
	p.put(" ")
	switch o.Name {
	case "volatility":
		p.put(strings.ToUpper(text))
	case "strict":
		p.either(text == "on", "STRICT", "CALLED ON NULL INPUT")
	case "security":
		p.put("SECURITY ", strings.ToUpper(text))
	case "leakproof":
		p.either(text == "on", "LEAKPROOF", "NOT LEAKPROOF")
	case "window":
		p.put("WINDOW")
	case "parallel":
		p.put("PARALLEL ", QuoteIdent(text))
	case "cost", "rows":
		p.put(strings.ToUpper(o.Name), " ", text)
	case "support":
		p.put("SUPPORT ")
		p.expr(o.Value)
	case "set":
		p.functionSetting(o.Value)
	}
}

// functionSetting writes SET name TO values; values are none for DEFAULT and a
// NULL for FROM CURRENT.
func (p *printer) functionSetting(x Expr) {
	row, ok := x.(*RowLit)
	if !ok || len(row.Args) == 0 {
		return
	}
	name, _ := row.Args[0].(*Literal)
	p.put("SET ")
	p.pathName(name.Text)
	values := row.Args[1:]
	if len(values) == 0 {
		p.put(" TO DEFAULT")
		return
	}
	if lit, ok := values[0].(*Literal); ok && lit.Kind == LitNull {
		p.put(" FROM CURRENT")
		return
	}
	p.put(" TO ")
	p.exprs(values)
}

func (p *printer) createTrigger(s *CreateTrigger) {
	p.put("CREATE ")
	p.flag(s.OrReplace, "OR REPLACE ")
	p.flag(s.Constraint, "CONSTRAINT ")
	p.put("TRIGGER ", QuoteIdent(s.Name), " ", strings.ToUpper(s.Timing), " ")
	sep := ""
	for _, e := range []struct {
		on   bool
		name string
	}{{s.Insert, "INSERT"}, {s.Update, "UPDATE"}, {s.Delete, "DELETE"}, {s.Truncate, "TRUNCATE"}} {
		if !e.on {
			continue
		}
		p.put(sep, e.name)
		sep = " OR "
		if e.name == "UPDATE" && s.UpdateOf != nil {
			p.put(" OF ")
			p.names(s.UpdateOf)
		}
	}
	p.put(" ON ")
	p.rel(s.Relation)
	if s.From != nil {
		p.put(" FROM ")
		p.rel(*s.From)
	}
	if s.Deferrable != nil {
		p.either(*s.Deferrable, " DEFERRABLE", " NOT DEFERRABLE")
	}
	if s.InitiallyDeferred != nil {
		p.either(*s.InitiallyDeferred, " INITIALLY DEFERRED", " INITIALLY IMMEDIATE")
	}
	p.flag(s.OldTable != "" || s.NewTable != "", " REFERENCING")
	p.name(" OLD TABLE AS ", s.OldTable)
	p.name(" NEW TABLE AS ", s.NewTable)
	p.either(s.ForEachRow, " FOR EACH ROW", " FOR EACH STATEMENT")
	if s.When != nil {
		p.special(" WHEN ", s.When)
	}
	p.put(" EXECUTE FUNCTION ")
	p.dotted(s.Function)
	p.put("(")
	list(p, s.Args, func(arg string) { p.put(QuoteLiteral(arg)) })
	p.put(")")
}

// spatial writes the statements of spatial.go.
func (p *printer) spatial(s Stmt) {
	switch s := s.(type) {
	case *CreateWorkspace:
		p.put("CREATE WORKSPACE ")
		p.flag(s.IfNotExists, "IF NOT EXISTS ")
		p.workspace(s.Name)
		p.options(" WITH ", s.Options, " = ")
	case *DropWorkspace:
		p.put("DROP WORKSPACE ")
		p.flag(s.IfExists, "IF EXISTS ")
		list(p, s.Names, p.workspace)
		p.flag(s.Cascade, " CASCADE")
	case *AlterWorkspace:
		p.put("ALTER WORKSPACE ")
		p.flag(s.IfExists, "IF EXISTS ")
		p.workspace(s.Name)
		p.options(" SET ", s.Set, " = ")
		p.columns(" RESET ", s.Reset)
		if s.RenameTo != "" {
			p.put(" RENAME TO ", QuoteLiteral(s.RenameTo))
		}
	case *AlterSpatialIndex:
		p.alterSpatial(s)
	case *ShowSpatialIndexConfig:
		p.put("SHOW SPATIAL INDEX CONFIG")
		p.spatialTarget(s.Target)
	case *ShowSpatialIndexHealth:
		p.put("SHOW SPATIAL INDEX HEALTH")
		p.spatialTarget(s.Target)
	case *RebuildSpatialIndex:
		p.put("REBUILD SPATIAL INDEX")
		p.spatialTarget(&s.Target)
		p.options(" WITH ", s.Options, " = ")
	case *VerifySpatialIndex:
		p.put("VERIFY SPATIAL INDEX")
		p.spatialTarget(&s.Target)
	}
}

// workspace writes a relation in the workspace statements' own spelling.
func (p *printer) workspace(r RelName) {
	if r.Schema != "" {
		p.rel(r)
	} else {
		p.put(QuoteLiteral(r.Name))
	}
}

func (p *printer) spatialTarget(t *SpatialTarget) {
	if t == nil {
		return
	}
	p.put(" FOR ")
	p.workspace(t.Relation)
	if t.Property != "" {
		p.put(" PROPERTY ", QuoteLiteral(t.Property))
	}
}

func (p *printer) alterSpatial(s *AlterSpatialIndex) {
	p.put("ALTER SPATIAL INDEX")
	p.spatialTarget(&s.Target)
	if s.Reset {
		p.put(" RESET")
		return
	}
	if s.Precisions != nil {
		p.put(" SET PRECISIONS = (")
		list(p, s.Precisions, func(n int) { p.put(n) })
		p.put(")")
	}
	if s.SRID != nil {
		p.put(" SET SRID = ", *s.SRID)
	}
	if s.BucketProperty != nil {
		p.put(" SET BUCKET PROPERTY = ", QuoteLiteral(*s.BucketProperty))
	}
	if s.Cover != "" {
		p.put(" SET COVER = ", strings.ToUpper(s.Cover))
	}
}

// identityParts writes what SET changes of an identity column.
func (p *printer) identityParts(a AlterAction) {
	switch a.NewName {
	case "always":
		p.put(" SET GENERATED ALWAYS")
	case "default":
		p.put(" SET GENERATED BY DEFAULT")
	}
	for _, o := range a.Options {
		lit, _ := o.Value.(*Literal)
		switch {
		case o.Name == "restart":
			p.put(" RESTART")
		case lit != nil && lit.Text == "none":
			p.put(" SET NO ", strings.ToUpper(o.Name))
			continue
		default:
			p.put(" SET ", strings.ToUpper(o.Name))
		}
		if o.Value != nil && o.Name != "cycle" {
			p.put(" ")
			p.expr(o.Value)
		}
	}
}
