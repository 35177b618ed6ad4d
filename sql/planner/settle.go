package planner

import (
	"cmp"
	"context"
	"slices"

	"raisind/catalog"
	"raisind/pgerr"
	"raisind/sql/ast"
	"raisind/sql/expr"
	"raisind/sql/plan"
)

// SettledQuery is a query whose names mean the same whatever the search path.
type SettledQuery struct {
	// SQL is its text, laid out as pg_get_viewdef does, without a semicolon.
	SQL     string
	Columns []plan.Column
	// Depends are the relations and columns it needs.
	Depends []catalog.Dependency
	// Temporary tells that it reads a temporary relation.
	Temporary bool
}

// Settle binds a query that is to be kept. names are those of its output columns, as
// far as they are given.
func Settle(ctx context.Context, sel *ast.Select, names []string, opt Options) (*SettledQuery, error) {
	b := newBuilder(ctx, opt)
	b.settled = &ast.Settled{
		Columns: map[int][]string{}, Stars: map[int][][]string{}, Relations: map[int]ast.RelName{}, Literals: map[int]string{},
		Label: columnName,
	}
	b.depends = map[catalog.Ref]struct{}{}
	q, err := b.selectQuery(sel, nil, queryUse{})
	if err != nil {
		return nil, err
	}
	if len(b.params) > 0 {
		return nil, b.err(pgerr.UndefinedParameter, b.params[0].at, "there is no parameter $1")
	}
	if b.writes {
		return nil, b.err(pgerr.FeatureNotSupported, -1, "views must not contain data-modifying statements in WITH")
	}
	out := &SettledQuery{Columns: b.resultColumns(q)}
	for i := range names {
		if i < len(out.Columns) {
			out.Columns[i].Name = names[i]
		}
	}
	all := make([]string, len(out.Columns))
	for i := range out.Columns {
		all[i] = out.Columns[i].Name
	}
	out.SQL = ast.FormatQuery(sel, b.settled, all, nil)
	for ref := range b.depends {
		out.Depends = append(out.Depends, catalog.Dependency{On: ref})
		if r, ok := b.snapshot().ByOID(ref.OID); ok && r.Persistence == catalog.Temporary {
			out.Temporary = true
		}
	}
	slices.SortFunc(out.Depends, func(a, b catalog.Dependency) int {
		return cmp.Or(cmp.Compare(a.On.OID, b.On.OID), cmp.Compare(a.On.Sub, b.On.Sub))
	})
	return out, b.failed
}

// settling reports whether what is being bound is the text to settle, not a view in it.
func (b *builder) settling() bool { return b.settled != nil && b.views == 0 }

func (b *builder) dependOn(c *column) {
	if c.oid >= catalog.FirstOID {
		b.depends[catalog.Ref{Class: catalog.ClassRelation, OID: c.oid, Sub: uint16(c.attnum)}] = struct{}{}
	}
}

func (b *builder) settleColumn(e expr.Expr, at int) {
	if !b.settling() {
		return
	}
	if v, ok := e.(*variable); ok && v.rel.alias != "" && v.rel.kind != relOut {
		b.settled.Columns[at] = []string{v.rel.alias, v.column().name}
		b.dependOn(v.column())
	}
}

func (b *builder) settleStar(it *item, name string, e expr.Expr, at int) {
	if !b.settling() {
		return
	}
	parts := []string{name}
	if v, ok := e.(*variable); ok && v.rel.alias != "" {
		parts = []string{v.rel.alias, v.column().name}
		b.dependOn(v.column())
	} else if it.name != "" {
		parts = []string{it.name, name}
	}
	b.settled.Stars[at] = append(b.settled.Stars[at], parts)
}

func (b *builder) settleRelation(name *ast.RelName, schema string) {
	if !b.settling() {
		return
	}
	b.settled.Relations[name.Pos()] = ast.RelName{At: name.At, Schema: schema, Name: name.Name}
	if t, ok, err := b.opt.Catalog.Lookup(schema, name.Name); err == nil && ok {
		b.depends[t.Ref()] = struct{}{}
	}
}
