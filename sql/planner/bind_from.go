package planner

import (
	"slices"

	"raisind/catalog"
	"raisind/pgerr"
	"raisind/sql/ast"
	"raisind/sql/expr"
	"raisind/sql/plan"
	"raisind/sql/types"
	"raisind/storage"
)

// fromClause binds a FROM list into s.
func (b *builder) fromClause(list []ast.TableExpr, s *scope) error {
	clause := s.clause
	defer func() { s.clause = clause }()
	for _, te := range list {
		for _, it := range s.items {
			it.lateralOnly, it.lateralOK = true, true
		}
		n, items, err := b.tableExpr(te, s)
		if err != nil {
			return err
		}
		if err := b.checkNames(s.items, items); err != nil {
			return err
		}
		s.items = append(s.items, items...)
		if s.q.from == nil {
			s.q.from = n
		} else {
			s.q.from = &fromNode{kind: plan.InnerJoin, left: s.q.from, right: n}
		}
	}
	for _, it := range s.items {
		it.lateralOnly, it.lateralOK = false, true
	}
	return nil
}

// checkNames refuses a name that is there already.
func (b *builder) checkNames(have, more []*item) error {
	for _, x := range more {
		if !x.relVisible || x.name == "" {
			continue
		}
		for _, y := range have {
			if !y.relVisible || y.name != x.name {
				continue
			}
			if x.schema != "" && y.schema != "" && x.schema != y.schema {
				continue // the same table name from two schemas
			}
			return b.err(pgerr.DuplicateAlias, -1, "table name %q specified more than once", x.name)
		}
	}
	return nil
}

func (b *builder) tableExpr(te ast.TableExpr, s *scope) (*fromNode, []*item, error) {
	if b.depth++; b.depth > maxNesting*4 {
		return nil, nil, b.err(pgerr.StatementTooComplex, te.Pos(), "FROM clause is nested too deeply")
	}
	defer func() { b.depth-- }()
	switch te := te.(type) {
	case *ast.TableRef:
		return b.tableRef(te, s)
	case *ast.SubqueryRef:
		return b.subqueryRef(te, s)
	case *ast.FuncRef:
		return b.funcRef(te, s)
	case *ast.Join:
		return b.join(te, s)
	}
	return nil, nil, b.notSupported(te.Pos(), "this FROM item")
}

// leaf makes the tree and the name of one range item.
func leaf(r *rel) (*fromNode, []*item) {
	return &fromNode{rel: r}, []*item{{name: r.alias, schema: r.schema, rel: r, relVisible: true, colVisible: true, lateralOK: true}}
}

func (b *builder) tableRef(te *ast.TableRef, s *scope) (*fromNode, []*item, error) {
	if te.Sample != nil {
		return nil, nil, b.notSupported(te.Sample.Pos(), "TABLESAMPLE")
	}
	r := &rel{at: te.Pos(), alias: te.Name.Name}
	if te.Name.Schema == "" {
		if c, level := findCTE(s, te.Name.Name); c != nil {
			if err := b.cteRel(r, c, level, s); err != nil {
				return nil, nil, err
			}
		}
	}
	if r.cte == nil {
		if err := b.relation(r, &te.Name, s); err != nil {
			return nil, nil, err
		}
		if r.table != nil {
			b.use(r.table.ID, storage.AccessShare)
		}
	}
	if err := b.applyAlias(r, te.Alias); err != nil {
		return nil, nil, err
	}
	if err := b.addRel(s.q, r); err != nil {
		return nil, nil, err
	}
	n, items := leaf(r)
	return n, items, nil
}

// relation finds a table, workspace or virtual relation by name.
func (b *builder) relation(r *rel, name *ast.RelName, s *scope) error {
	if name.Catalog != "" {
		if db := b.database(); db != "" && db != name.Catalog {
			return b.err(pgerr.FeatureNotSupported, name.Pos(), "cross-database references are not implemented: %q",
				name.Catalog+"."+name.Schema+"."+name.Name)
		}
	}
	var schemas []string
	switch {
	case name.Schema != "":
		schemas = []string{name.Schema}
	default:
		schemas = b.searchPath()
	}
	for _, schema := range schemas {
		if b.opt.Virtual != nil {
			if v, ok := b.opt.Virtual.Lookup(schema, name.Name); ok {
				b.virtualColumns(r, schema, v)
				return nil
			}
		}
		if b.opt.Catalog == nil || schema == "pg_catalog" {
			continue
		}
		t, ok, err := b.opt.Catalog.Lookup(schema, name.Name)
		if err != nil {
			return err
		}
		if ok {
			r.kind, r.table, r.schema = relTable, t, schema
			r.cols = tableColumns(t)
			return nil
		}
	}
	full := name.Name
	if name.Schema != "" {
		full = name.Schema + "." + name.Name
	}
	e := b.err(pgerr.UndefinedTable, name.Pos(), "relation %q does not exist", full)
	if name.Schema == "" && s.isLater(name.Name) {
		e.WithDetail("There is a WITH item named %q, but it cannot be referenced from this part of the query.", name.Name).
			WithHint("Use WITH RECURSIVE, or re-order the WITH items to remove forward references.")
	}
	return e
}

func (b *builder) database() string {
	if b.opt.Settings == nil {
		return ""
	}
	return b.opt.Settings("database")
}

// searchPath are the schemas for unqualified names.
func (b *builder) searchPath() []string {
	path := b.opt.SearchPath
	if len(path) == 0 {
		path = []string{catalog.DefaultSchema}
	}
	if slices.Contains(path, "pg_catalog") {
		return path
	}
	return append([]string{"pg_catalog"}, path...)
}

// tableColumns are the columns of a scan row: the relation's, then the pseudo columns.
func tableColumns(t *catalog.Relation) []column {
	cols := make([]column, 0, len(t.Columns)+plan.ExtraColumns)
	for i := range t.Columns {
		c := &t.Columns[i]
		cols = append(cols, column{name: c.Name, t: c.Type, typmod: c.Typmod, hidden: c.Hidden, oid: t.OID, attnum: int16(c.ID)})
	}
	return append(cols,
		column{name: "__revision", t: types.TInt8, typmod: -1, hidden: true},
		column{name: "__distance", t: types.TFloat8, typmod: -1, hidden: true},
		column{name: "ctid", t: types.TTID, typmod: -1, hidden: true}, // the row id
	)
}

func (b *builder) virtualColumns(r *rel, schema string, v *plan.VirtualScan) {
	r.kind, r.virtual, r.schema = relVirtual, v, schema
	for _, c := range v.Cols {
		r.cols = append(r.cols, column{name: c.Name, t: c.Type, typmod: c.Typmod, oid: c.TableOID, attnum: c.AttNum})
	}
}

// applyAlias renames a range item and its columns.
func (b *builder) applyAlias(r *rel, a *ast.Alias) error {
	if a == nil {
		return nil
	}
	r.alias, r.schema = a.Name, ""
	visible := 0
	for i := range r.cols {
		if !r.cols[i].hidden {
			visible++
		}
	}
	if len(a.Columns) > visible {
		return b.err(pgerr.InvalidColumnReference, -1, "table %q has %d columns available but %d columns specified",
			a.Name, visible, len(a.Columns))
	}
	i := 0
	cols := slices.Clone(r.cols)
	for _, name := range a.Columns {
		for cols[i].hidden {
			i++
		}
		cols[i].name = name
		i++
	}
	r.cols = cols
	return nil
}

func (b *builder) subqueryRef(te *ast.SubqueryRef, s *scope) (*fromNode, []*item, error) {
	if te.Alias == nil {
		return nil, nil, b.err(pgerr.SyntaxError, te.Pos(), "subquery in FROM must have an alias").
			WithHint("For example, FROM (SELECT ...) [AS] foo.")
	}
	lateral := s.lateral
	s.lateral = te.Lateral
	q, err := b.selectQuery(te.Query, s, queryUse{})
	s.lateral = lateral
	if err != nil {
		return nil, nil, err
	}
	if q.volatile {
		s.q.volatile = true
	}
	r := &rel{kind: relDerived, sub: q, at: te.Pos(), cols: q.columns()}
	if err := b.applyAlias(r, te.Alias); err != nil {
		return nil, nil, err
	}
	for _, o := range q.outer {
		r.lateral |= relsOf(o, s.q)
	}
	if err := b.addRel(s.q, r); err != nil {
		return nil, nil, err
	}
	n, items := leaf(r)
	return n, items, nil
}

// join binds a JOIN: its sides, its condition, and the columns it merges.
func (b *builder) join(te *ast.Join, s *scope) (*fromNode, []*item, error) {
	left, litems, err := b.tableExpr(te.Left, s)
	if err != nil {
		return nil, nil, err
	}
	lateralOK := te.Kind == ast.InnerJoin || te.Kind == ast.LeftJoin || te.Kind == ast.CrossJoin
	for _, it := range litems {
		it.lateralOnly, it.lateralOK = true, lateralOK
	}
	outside := s.items
	s.items = append(slices.Clone(outside), litems...)
	right, ritems, err := b.tableExpr(te.Right, s)
	s.items = outside
	if err != nil {
		return nil, nil, err
	}
	if err := b.checkNames(litems, ritems); err != nil {
		return nil, nil, err
	}
	for _, it := range litems {
		it.lateralOnly, it.lateralOK = false, true
	}
	n := &fromNode{left: left, right: right}
	switch te.Kind {
	case ast.LeftJoin:
		n.kind = plan.LeftJoin
		markNullable(s.q, right.rels())
	case ast.RightJoin:
		n.kind = plan.RightJoin
		markNullable(s.q, left.rels())
	case ast.FullJoin:
		n.kind = plan.FullJoin
		markNullable(s.q, left.rels()|right.rels())
	}
	items := append(slices.Clone(litems), ritems...)
	using := te.Using
	if te.Natural {
		using = commonNames(litems, ritems)
	}
	var merged []joinItem
	if using != nil {
		if merged, err = b.using(n, using, litems, ritems, te); err != nil {
			return nil, nil, err
		}
	}
	if te.On != nil {
		s.items = items
		clause, lateral := s.clause, s.lateral
		s.clause, s.lateral = inOn, false
		x, err := b.typed(te.On, s)
		s.items, s.clause, s.lateral = outside, clause, lateral
		if err != nil {
			return nil, nil, err
		}
		cond, err := b.toBool(x.e, "JOIN/ON", x.at)
		if err != nil {
			return nil, nil, err
		}
		n.on = appendConjuncts(n.on, cond)
	}
	if merged == nil && te.Alias == nil {
		return n, items, nil
	}
	return b.joinItems(te, n, items, litems, ritems, using, merged)
}

func markNullable(q *query, s relSet) {
	for _, r := range q.rels {
		if s.has(r) {
			r.nullable = true
		}
	}
}

// visibleColumns lists the columns that * of the items gives.
func visibleColumns(items []*item) []joinItem {
	var out []joinItem
	for _, it := range items {
		if !it.colVisible {
			continue
		}
		for k := range it.width() {
			if name, hidden, e := it.column(k, -1); !hidden {
				out = append(out, joinItem{name, e})
			}
		}
	}
	return out
}

// commonNames are the columns that NATURAL joins by.
func commonNames(l, r []*item) []string {
	names := []string{}
	right := visibleColumns(r)
	for _, c := range visibleColumns(l) {
		if slices.ContainsFunc(right, func(o joinItem) bool { return o.name == c.name }) && !slices.Contains(names, c.name) {
			names = append(names, c.name)
		}
	}
	return names
}

// using binds USING (…): equality of the columns, and the merged columns.
func (b *builder) using(n *fromNode, names []string, litems, ritems []*item, te *ast.Join) ([]joinItem, error) {
	merged := []joinItem{}
	lcols, rcols := visibleColumns(litems), visibleColumns(ritems)
	find := func(cols []joinItem, name, side string) (expr.Expr, error) {
		var found expr.Expr
		for _, c := range cols {
			if c.name != name {
				continue
			}
			if found != nil {
				return nil, b.err(pgerr.AmbiguousColumn, -1, "common column name %q appears more than once in %s table", name, side)
			}
			found = c.e
		}
		if found == nil {
			return nil, b.err(pgerr.UndefinedColumn, -1, "column %q specified in USING clause does not exist in %s table", name, side)
		}
		return found, nil
	}
	for i, name := range names {
		if slices.Contains(names[:i], name) {
			return nil, b.err(pgerr.DuplicateColumn, -1, "column name %q appears more than once in USING clause", name)
		}
		l, err := find(lcols, name, "left")
		if err != nil {
			return nil, err
		}
		r, err := find(rcols, name, "right")
		if err != nil {
			return nil, err
		}
		cond, err := b.binary("=", typed{l, te.Pos()}, typed{r, te.Pos()}, te.Pos())
		if err != nil {
			return nil, err
		}
		n.on = appendConjuncts(n.on, cond)
		t, both, err := b.unify([]typed{{l, te.Pos()}, {r, te.Pos()}}, "JOIN/USING")
		if err != nil {
			return nil, err
		}
		e := both[0]
		switch n.kind {
		case plan.RightJoin:
			e = both[1]
		case plan.FullJoin:
			e = &expr.Coalesce{Args: both, T: t}
		}
		merged = append(merged, joinItem{name, e})
	}
	return merged, nil
}

// joinItems are the names under which a join's columns are found from outside.
func (b *builder) joinItems(te *ast.Join, n *fromNode, items, litems, ritems []*item, using []string, merged []joinItem) (*fromNode, []*item, error) {
	cols := slices.Clone(merged)
	for _, side := range [][]*item{litems, ritems} {
		for _, c := range visibleColumns(side) {
			if !slices.Contains(using, c.name) {
				cols = append(cols, c)
			}
		}
	}
	j := &item{cols: cols, colVisible: true, lateralOK: true}
	for _, it := range items {
		it.colVisible = false
	}
	if te.UsingAlias != "" {
		items = append(items, &item{name: te.UsingAlias, cols: merged, relVisible: true, lateralOK: true})
	}
	if te.Alias == nil {
		return n, append(items, j), nil
	}
	if len(te.Alias.Columns) > len(cols) {
		return nil, nil, b.err(pgerr.SyntaxError, te.Alias.Pos(), "column alias list for %q has too many entries", te.Alias.Name)
	}
	for i, name := range te.Alias.Columns {
		cols[i].name = name
	}
	// An alias hides the names within the join.
	j.name, j.relVisible = te.Alias.Name, true
	return n, []*item{j}, nil
}

// appendConjuncts splits a condition at its top-level ANDs.
func appendConjuncts(dst []expr.Expr, e expr.Expr) []expr.Expr {
	if and, ok := e.(*expr.And); ok {
		for _, a := range and.Args {
			dst = appendConjuncts(dst, a)
		}
		return dst
	}
	return append(dst, e)
}
