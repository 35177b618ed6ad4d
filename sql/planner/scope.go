package planner

import (
	"raisind/catalog"
	"raisind/pgerr"
	"raisind/sql/expr"
	"raisind/sql/plan"
	"raisind/sql/types"
)

// clause is where an expression stands; some things are allowed in some only.
type clause uint8

const (
	inSelect clause = iota
	inFrom          // function in FROM
	inWhere
	inOn
	inHaving
	inGroupBy
	inOrderBy
	inDistinctOn
	inLimit
	inOffset
	inValues
	inSet // UPDATE
	inReturning
	inDefault
	inFilter
	inWindow
	inWindowRange
	inWindowRows
	inWindowGroups
	inGenerated
	inCheck
	inIndex
	inIndexPredicate
	inTransform
)

// clauseWords is how messages name the clause.
var clauseWords = [...]string{
	inSelect: "SELECT", inFrom: "functions in FROM", inWhere: "WHERE", inOn: "JOIN conditions", inHaving: "HAVING",
	inGroupBy: "GROUP BY", inOrderBy: "ORDER BY", inDistinctOn: "DISTINCT ON", inLimit: "LIMIT", inOffset: "OFFSET",
	inValues: "VALUES", inSet: "UPDATE", inReturning: "RETURNING", inDefault: "DEFAULT expressions", inFilter: "FILTER",
	inWindow: "window definitions", inWindowRange: "window RANGE", inWindowRows: "window ROWS", inWindowGroups: "window GROUPS",
	inGenerated: "column generation expressions", inCheck: "check constraints", inIndex: "index expressions",
	inIndexPredicate: "index predicates", inTransform: "transform expressions",
}

// scope is what names mean at one level of queries.
type scope struct {
	parent *scope
	q      *query
	items  []*item
	ctes   []*cte
	later  []string // WITH queries that come after the one being bound
	clause clause
	// lateral is set while items to the left may be used by what is bound.
	lateral bool
	// inAggregate is set within the arguments of an aggregate.
	inAggregate bool
	// writes is what a statement that writes needs to do to its target.
	writes catalog.Privilege
	// sublink and setOp say where the query stands, for WITH RECURSIVE.
	sublink bool
	setOp   plan.SetOpKind
}

// item is a name that columns can be found under: a range item, or a join with
// merged or renamed columns.
type item struct {
	name   string
	schema string
	rel    *rel       // nil for a join
	cols   []joinItem // of a join
	// relVisible: t.c finds it; colVisible: c finds it.
	relVisible, colVisible bool
	// lateralOnly items are visible to LATERAL only, and then usable if lateralOK.
	lateralOnly, lateralOK bool
}

// joinItem is a column of a join.
type joinItem struct {
	name string
	e    expr.Expr
}

func (i *item) width() int {
	if i.rel != nil {
		return len(i.rel.cols)
	}
	return len(i.cols)
}

// column returns the k-th column's name, whether * leaves it out, and its value.
func (i *item) column(k, at int) (name string, hidden bool, e expr.Expr) {
	if i.rel != nil {
		c := &i.rel.cols[k]
		return c.name, c.hidden, i.rel.newVar(k, at)
	}
	c := &i.cols[k]
	return c.name, false, reposition(c.e, at)
}

// reposition returns e for a reference at another place.
func reposition(e expr.Expr, at int) expr.Expr {
	if v, ok := e.(*variable); ok {
		return &variable{v.rel, v.col, at}
	}
	return e
}

// find looks for a column of i by name: its number, or how many there are.
func (i *item) find(name string) (at, count int) {
	at = -1
	if i.rel != nil {
		for k := range i.rel.cols {
			if i.rel.cols[k].name == name {
				at, count = k, count+1
			}
		}
		return at, count
	}
	for k := range i.cols {
		if i.cols[k].name == name {
			at, count = k, count+1
		}
	}
	return at, count
}

// tableColumn binds c, t.c, s.t.c.
func (b *builder) tableColumn(s *scope, parts []string, at int) (expr.Expr, error) {
	e, err := b.findColumn(s, parts, at)
	if err == nil {
		b.settleColumn(e, at)
	}
	return e, err
}

func (b *builder) findColumn(s *scope, parts []string, at int) (expr.Expr, error) {
	switch len(parts) {
	case 1:
		e, err := b.unqualified(s, parts[0], at)
		if e != nil || err != nil {
			return e, err
		}
		if e = b.systemColumn(s, parts[0], at); e != nil {
			return e, nil
		}
		// A range item's name alone is its whole row.
		if it := b.findItem(s, "", parts[0]); it != nil {
			if err := b.checkLateral(s, it, at); err != nil {
				return nil, err
			}
			return b.wholeRow(it, at), nil
		}
		return nil, b.missingColumn(s, "", parts[0], at)
	case 2:
		return b.qualified(s, "", parts[0], parts[1], at)
	case 3:
		return b.qualified(s, parts[0], parts[1], parts[2], at)
	case 4:
		return b.qualified(s, parts[1], parts[2], parts[3], at)
	}
	return nil, b.err(pgerr.SyntaxError, at, "improper qualified name (too many dotted names): %s", dotted(parts))
}

func dotted(parts []string) string {
	out := ""
	for i, p := range parts {
		if i > 0 {
			out += "."
		}
		out += p
	}
	return out
}

// unqualified finds a column by name alone; nil when there is none.
func (b *builder) unqualified(s *scope, name string, at int) (expr.Expr, error) {
	for ; s != nil; s = s.parent {
		var found *item
		col := -1
		for _, it := range s.items {
			if !it.colVisible || it.lateralOnly && !s.lateral {
				continue
			}
			k, n := it.find(name)
			if n == 0 {
				continue
			}
			if n > 1 || found != nil {
				return nil, b.err(pgerr.AmbiguousColumn, at, "column reference %q is ambiguous", name)
			}
			found, col = it, k
		}
		if found != nil {
			if err := b.checkLateral(s, found, at); err != nil {
				return nil, err
			}
			_, _, e := found.column(col, at)
			return e, nil
		}
	}
	return nil, nil
}

// tableOID is the system column tableoid of an item; nil where it has none.
func (i *item) tableOID(at int) expr.Expr {
	r := i.rel
	switch {
	case r == nil:
	case r.table != nil && r.nullable: // NULL in the rows an outer join made up
		missing := &expr.IsTest{Arg: r.newVar(r.extra(plan.ExtraRowID), at), What: expr.IsNull}
		return &expr.Case{
			Whens: []expr.When{{Cond: missing, Then: &expr.Const{T: types.TOID}}},
			Else:  &expr.Const{Val: types.Int(int64(r.table.OID)), T: types.TOID}, T: types.TOID,
		}
	case r.table != nil:
		return &expr.Const{Val: types.Int(int64(r.table.OID)), T: types.TOID}
	case r.virtual != nil && len(r.virtual.Cols) > 0:
		return &expr.Const{Val: types.Int(int64(r.virtual.Cols[0].TableOID)), T: types.TOID}
	}
	return nil
}

// systemColumn finds tableoid without a qualifier.
func (b *builder) systemColumn(s *scope, name string, at int) expr.Expr {
	for ; name == "tableoid" && s != nil; s = s.parent {
		for _, it := range s.items {
			if e := it.tableOID(at); e != nil && it.relVisible && !it.lateralOnly {
				return e
			}
		}
	}
	return nil
}

// checkLateral refuses an item that a LATERAL reference may see but not use.
func (b *builder) checkLateral(s *scope, it *item, at int) error {
	for ; s != nil; s = s.parent {
		for _, x := range s.items {
			if x == it {
				if it.lateralOnly && !it.lateralOK {
					return b.err(pgerr.InvalidColumnReference, at, "invalid reference to FROM-clause entry for table %q", it.name).
						WithDetail("The combining JOIN type must be INNER or LEFT for a LATERAL reference.")
				}
				return nil
			}
		}
	}
	return nil
}

// findItem finds a range item by the name it goes by, the nearest first.
func (b *builder) findItem(s *scope, schema, name string) *item {
	for ; s != nil; s = s.parent {
		for _, it := range s.items {
			if it.relVisible && it.name == name && (!it.lateralOnly || s.lateral) && it.inSchema(schema) {
				return it
			}
		}
	}
	return nil
}

func (i *item) inSchema(schema string) bool {
	return schema == "" || i.schema == schema && i.rel != nil
}

// qualified binds t.c or s.t.c.
func (b *builder) qualified(s *scope, schema, table, name string, at int) (expr.Expr, error) {
	it := b.findItem(s, schema, table)
	if it == nil {
		// a.b may also be a field of the composite column a.
		if schema == "" {
			if e, err := b.unqualified(s, table, at); e != nil && err == nil {
				if fields := fieldsOf(e); fields != nil {
					return b.fieldOf(e, name, at)
				}
			}
		}
		return nil, b.missingTable(s, schema, table, at)
	}
	if err := b.checkLateral(s, it, at); err != nil {
		return nil, err
	}
	k, n := it.find(name)
	if n > 1 {
		return nil, b.err(pgerr.AmbiguousColumn, at, "column reference %q is ambiguous", name)
	}
	if n == 0 {
		if e := it.tableOID(at); name == "tableoid" && e != nil {
			return e, nil
		}
		return nil, b.missingColumn(s, table, name, at)
	}
	_, _, e := it.column(k, at)
	return e, nil
}

// wholeRow is the row of an item as one value.
func (b *builder) wholeRow(it *item, at int) expr.Expr {
	var fields []expr.Expr
	var names []string
	for k := range it.width() {
		if name, hidden, e := it.column(k, at); !hidden {
			fields, names = append(fields, e), append(names, name)
		}
	}
	r := it.rel
	if r != nil && r.kind == relFunction && len(fields) == 1 && len(r.cols[0].fields) == 0 && !r.fn.ordinality {
		return fields[0] // a scalar function's row is its value
	}
	row := expr.NewRecord(fields, names)
	if r != nil && r.nullable && r.table != nil {
		// The row that an outer join made up is NULL, not a row of NULLs.
		missing := &expr.IsTest{Arg: r.newVar(r.extra(plan.ExtraRowID), at), What: expr.IsNull}
		return &expr.Case{Whens: []expr.When{{Cond: missing, Then: &expr.Const{T: row.Type()}}}, Else: row, T: row.Type()}
	}
	return row
}

// outerRef notes in every query between that e depends on an enclosing one.
func (b *builder) outerRef(s *scope, e expr.Expr) expr.Expr {
	expr.Walk(e, func(x expr.Expr) bool {
		var owner *query
		switch x := x.(type) {
		case *variable:
			owner = x.rel.q
		case *aggregate:
			owner = x.q
		}
		if owner == nil || owner == s.q {
			return owner == nil
		}
		for l := s; l != nil && l.q != owner; l = l.parent {
			if l.q != nil {
				l.q.outer = append(l.q.outer, x)
			}
		}
		return false
	})
	return e
}

// star lists the columns of * or t.*.
func (b *builder) star(s *scope, parts []string, at int) ([]target, error) {
	var out []target
	add := func(it *item) {
		for k := range it.width() {
			if name, hidden, e := it.column(k, at); !hidden {
				b.settleStar(it, name, e, at)
				out = append(out, target{e: b.outerRef(s, e), name: name, at: at})
			}
		}
	}
	if len(parts) == 0 {
		visible := false
		for _, it := range s.items {
			if it.colVisible && !it.lateralOnly {
				add(it)
				visible = true
			}
		}
		if !visible {
			return nil, b.err(pgerr.SyntaxError, at, "SELECT * with no tables specified is not valid")
		}
		return out, nil
	}
	schema, table := "", parts[len(parts)-1]
	if len(parts) > 1 {
		schema = parts[len(parts)-2]
	}
	it := b.findItem(s, schema, table)
	if vs := b.opt.Variables; vs != nil && (it == nil || vs.Precedence() == VariablesFirst) {
		if cols, err := b.variableStar(parts, at); cols != nil || err != nil {
			return cols, err
		}
	}
	if it == nil {
		return nil, b.missingTable(s, schema, table, at)
	}
	if err := b.checkLateral(s, it, at); err != nil {
		return nil, err
	}
	add(it)
	return out, nil
}
