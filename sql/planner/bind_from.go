package planner

import (
	"slices"

	"raisind/catalog"
	"raisind/pgerr"
	"raisind/sql/ast"
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
	case name.Schema == "pg_temp":
		schemas = []string{b.opt.TempSchema}
	case name.Schema != "":
		schemas = []string{name.Schema}
	default:
		schemas = b.searchPath()
	}
	for _, schema := range schemas {
		if b.opt.Virtual != nil {
			if v, ok := b.opt.Virtual.Lookup(schema, name.Name); ok {
				if v.Query != nil {
					return b.virtualView(r, schema, v)
				}
				b.virtualColumns(r, schema, v)
				b.settleRelation(name, schema)
				return nil
			}
		}
		if b.opt.Catalog == nil || schema == "pg_catalog" || schema == "" {
			continue
		}
		t, ok, err := b.opt.Catalog.Lookup(schema, name.Name)
		if err != nil {
			return err
		}
		if ok {
			b.settleRelation(name, t.Schema)
			return b.catalogRelation(r, t, name)
		}
	}
	e := b.err(pgerr.UndefinedTable, name.Pos(), "relation %q does not exist", name.Dotted())
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
		cols = append(cols, column{name: c.Name, t: c.Type.Storage(), typmod: storedTypmod(c), hidden: c.Hidden, oid: t.OID, attnum: int16(c.ID)})
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
