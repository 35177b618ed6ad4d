package define

import (
	"strconv"

	"raisind/catalog"
	"raisind/pgerr"
	"raisind/sql/ast"
	"raisind/sql/parser"
	"raisind/sql/plan"
	"raisind/sql/planner"
	"raisind/storage"
)

// settle binds the query of a view and settles its names.
func (e *Env) settle(s ast.Stmt, q *ast.Select, names []string, text string) (*planner.SettledQuery, error) {
	if q.Into != nil {
		return nil, pgerr.New(pgerr.SyntaxError, "views must not contain SELECT INTO")
	}
	out, err := planner.Settle(e.Ctx, q, names, e.Plan(text))
	if err != nil {
		return nil, err
	}
	if len(names) > len(out.Columns) {
		what := "CREATE VIEW"
		if _, ok := s.(*ast.CreateTableAs); ok {
			return nil, pgerr.New(pgerr.SyntaxError, "too many column names were specified")
		}
		return nil, pgerr.New(pgerr.SyntaxError, "%s specifies more column names than columns", what)
	}
	seen := map[string]bool{}
	for _, c := range out.Columns {
		if seen[c.Name] {
			return nil, pgerr.New(pgerr.DuplicateColumn, "column %q specified more than once", c.Name)
		}
		seen[c.Name] = true
		if c.Type.IsPseudo() {
			return nil, pgerr.New(pgerr.InvalidTableDefinition, "column %q has pseudo-type %s", c.Name, c.Type)
		}
	}
	return out, nil
}

// plainText prints a query anew where its parts have no places of their own.
func plainText(q *ast.Select) (*ast.Select, string, error) {
	text := ast.Format(q)
	stmts, err := parser.Parse(text)
	if err != nil {
		return nil, "", err
	}
	sel, ok := stmts[0].Node.(*ast.Select)
	if !ok {
		return nil, "", pgerr.New(pgerr.InternalError, "the query of the view is no query")
	}
	return sel, text, nil
}

func (e *Env) createView(s *ast.CreateView) error {
	query, text := s.Query, s.Text
	if query.With != nil && query.With.Recursive {
		var err error
		if query, text, err = plainText(query); err != nil {
			return err
		}
	}
	q, err := e.settle(s, query, s.Columns, text)
	if err != nil {
		return err
	}
	if q.Temporary && !s.Temp && s.Name.Schema == "" {
		e.notice(pgerr.Code{}, "view %q will be a temporary view", s.Name.Name)
	}
	schema, err := e.Target(s.Name, s.Temp || q.Temporary && s.Name.Schema == "")
	if err != nil {
		return err
	}
	check := s.Check
	options := map[string]string{}
	for _, o := range s.Options {
		lit, _ := o.Value.(*ast.Literal)
		value := "true"
		if lit != nil {
			value = lit.Text
		}
		switch o.Name {
		case "check_option":
			if value != "local" && value != "cascaded" {
				return pgerr.New(pgerr.InvalidParameterValue, `invalid value for enum option "check_option": %s`, value).
					WithDetail(`Valid values are "local" and "cascaded".`)
			}
			check = value
		case "security_barrier", "security_invoker":
			options[o.Name] = value
		default:
			return pgerr.New(pgerr.InvalidParameterValue, "unrecognized parameter %q", o.Name)
		}
	}
	if check != "" {
		options["check_option"] = check
		if reason := planner.NotUpdatable(e.snapshot(), query); reason != "" {
			return pgerr.New(pgerr.FeatureNotSupported, "WITH CHECK OPTION is supported only on automatically updatable views").
				WithHint("%s", reason)
		}
	}
	def := &catalog.Query{SQL: q.SQL, CheckOption: check, Depends: q.Depends}
	if old, ok := e.snapshot().ByName(schema, s.Name.Name); ok && s.Replace {
		return e.replaceView(old, def, q.Columns, options)
	}
	r := e.Cat.Catalog().NewRelation(catalog.View, schema, s.Name.Name)
	r.Owner, r.Query, r.Options = e.Role, def, options
	if schema == e.Temp {
		r.Persistence = catalog.Temporary
	}
	addColumns(r, q.Columns)
	return e.Cat.Create(e.Ctx, r)
}

// addColumns gives a relation the columns of a query that it has not yet.
func addColumns(r *catalog.Relation, cols []plan.Column) {
	for _, c := range cols[len(r.Columns):] {
		r.Columns = append(r.Columns, catalog.Column{ID: r.NextColumnID, Name: c.Name, Type: c.Type, Typmod: c.Typmod})
		r.NextColumnID++
	}
}

func (e *Env) replaceView(old *catalog.Relation, def *catalog.Query, cols []plan.Column, options map[string]string) error {
	if old.Kind != catalog.View {
		return pgerr.New(pgerr.WrongObjectType, "%q is not a view", old.Name)
	}
	if err := e.Txn.LockRelation(e.Ctx, old.ID, storage.AccessExclusive, storage.Wait); err != nil {
		return err
	}
	if err := e.MustOwn(old.OwnerOID(), "view", old.Name); err != nil {
		return err
	}
	if len(cols) < len(old.Columns) {
		return pgerr.New(pgerr.InvalidTableDefinition, "cannot drop columns from view")
	}
	r := old.Clone()
	for i := range r.Columns {
		was, now := &r.Columns[i], cols[i]
		if was.Name != now.Name {
			return pgerr.New(pgerr.InvalidTableDefinition, "cannot change name of view column %q to %q", was.Name, now.Name).
				WithHint("Use ALTER VIEW ... RENAME COLUMN ... to change name of view column instead.")
		}
		if was.Type != now.Type || was.Typmod != now.Typmod {
			return pgerr.New(pgerr.InvalidTableDefinition, "cannot change data type of view column %q from %s to %s", was.Name,
				formatType(was.Type, was.Typmod), formatType(now.Type, now.Typmod))
		}
	}
	r.Query, r.Options = def, options
	addColumns(r, cols)
	return e.Cat.Replace(e.Ctx, r)
}

func (e *Env) createMaterializedView(s *ast.CreateTableAs) (tag string, err error) {
	sel, ok := s.Query.(*ast.Select)
	if !ok {
		return "", pgerr.New(pgerr.FeatureNotSupported, "materialized views over prepared statements are not supported")
	}
	sel, text, err := plainText(sel)
	if err != nil {
		return "", err
	}
	schema, err := e.Target(s.Name, false)
	if err != nil {
		return "", err
	}
	if s.IfNotExists && e.snapshot().NameTaken(schema, s.Name.Name) {
		e.notice(pgerr.DuplicateTable, "relation %q already exists, skipping", s.Name.Name)
		return "CREATE MATERIALIZED VIEW", nil
	}
	q, err := e.settle(s, sel, s.Columns, text)
	if err != nil {
		return "", err
	}
	if q.Temporary {
		return "", pgerr.New(pgerr.FeatureNotSupported, "materialized views must not use temporary tables or views")
	}
	r := e.Cat.Catalog().NewRelation(catalog.MaterializedView, schema, s.Name.Name)
	r.Owner, r.Query = e.Role, &catalog.Query{SQL: q.SQL, Depends: q.Depends, Populated: !s.NoData}
	addColumns(r, q.Columns)
	if err := e.Txn.LockRelation(e.Ctx, r.ID, storage.AccessExclusive, storage.Wait); err != nil {
		return "", err
	}
	if err := e.Cat.Create(e.Ctx, r); err != nil || s.NoData {
		return "CREATE MATERIALIZED VIEW", err
	}
	n, err := e.Fill(r)
	return "SELECT " + strconv.Itoa(n), err
}

func (e *Env) refresh(s *ast.Refresh) error {
	mode := storage.AccessExclusive
	if s.Concurrently {
		mode = storage.Exclusive
	}
	r, err := e.lock(s.Name, mode)
	switch {
	case err != nil:
		return err
	case r == nil:
		return missingRelation(s.Name)
	case r.Kind != catalog.MaterializedView:
		return pgerr.New(pgerr.WrongObjectType, "%q is not a materialized view", r.Name)
	case s.Concurrently && s.NoData:
		return pgerr.New(pgerr.SyntaxError, "REFRESH options CONCURRENTLY and WITH NO DATA cannot be used together")
	case s.Concurrently && !r.Query.Populated:
		return pgerr.New(pgerr.FeatureNotSupported, "CONCURRENTLY cannot be used when the materialized view is not populated")
	}
	if err := e.MustOwn(r.OwnerOID(), "materialized view", r.Name); err != nil {
		return err
	}
	if s.Concurrently {
		unique := false
		for i := range r.Indexes {
			unique = unique || r.Indexes[i].Unique && r.Indexes[i].Predicate == "" && !r.Indexes[i].HasExprs()
		}
		if !unique {
			return pgerr.New(pgerr.ObjectNotInPrerequisiteState, "cannot refresh materialized view %q concurrently", r.Schema+"."+r.Name).
				WithHint("Create a unique index with no WHERE clause on one or more columns of the materialized view.")
		}
	}
	n := r.Clone()
	n.Query.Populated = !s.NoData
	if err := e.Cat.Replace(e.Ctx, n); err != nil {
		return err
	}
	if err := e.Empty(n); err != nil || s.NoData {
		return err
	}
	_, err = e.Fill(n)
	return err
}
