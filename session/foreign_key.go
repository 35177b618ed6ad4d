package session

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"raisind/catalog"
	"raisind/pgerr"
	"raisind/relation"
	"raisind/sql/ast"
	"raisind/sql/types"
	"raisind/storage"
)

// keyEvent is a row that a foreign key has to be looked after for: of the referencing
// relation, when a row was written, or of the referenced one, when a key went away.
type keyEvent struct {
	constraint uint32 // OID
	referenced bool
	id         storage.RowID
	old, now   types.Row
	update     bool // of a referenced row: updated, not deleted
}

// keyEvents are those of a transaction that wait for the end of the statement or of
// the transaction.
type keyEvents struct {
	now, later []keyEvent
	// deferred is what SET CONSTRAINTS said, by the OIDs of constraints; all is what it
	// said of all of them.
	deferred map[uint32]bool
	all      *bool
}

// isDeferred tells whether a constraint is checked at the end of the transaction.
func (k *keyEvents) isDeferred(c *catalog.Constraint) bool {
	if !c.Deferrable {
		return false
	}
	if d, ok := k.deferred[c.OID]; ok {
		return d
	}
	if k.all != nil {
		return *k.all
	}
	return c.InitiallyDeferred
}

// Changed implements exec.KeyWatcher.
func (s *Session) Changed(r *catalog.Relation, id storage.RowID, old, now types.Row) {
	k := &s.tx.keys
	add := func(c *catalog.Constraint, e keyEvent, mayWait bool) {
		e.constraint = c.OID
		if mayWait && k.isDeferred(c) {
			k.later = append(k.later, e)
		} else {
			k.now = append(k.now, e)
		}
	}
	if now != nil {
		for i := range r.Constraints {
			c := &r.Constraints[i]
			if c.Kind == catalog.ConstraintForeign && (old == nil || !sameValues(r, c.Columns, old, now)) {
				add(c, keyEvent{id: id, old: old, now: now}, true)
			}
		}
	}
	if old == nil {
		return
	}
	for _, f := range s.tx.cat.Snapshot().ReferencedBy(r.ID) {
		if now != nil && sameValues(r, f.Constraint.RefColumns, old, now) {
			continue
		}
		if slices.ContainsFunc(columnsOf(r, f.Constraint.RefColumns), func(i int) bool { return old[i].IsNull() }) {
			continue
		}
		action := f.Constraint.OnDelete
		if now != nil {
			action = f.Constraint.OnUpdate
		}
		add(f.Constraint, keyEvent{referenced: true, id: id, old: old, now: now, update: now != nil}, action == 'a' || action == 0)
	}
}

// columnsOf are the positions of columns by their numbers.
func columnsOf(r *catalog.Relation, ids []uint16) []int {
	out := make([]int, 0, len(ids))
	for _, id := range ids {
		if i, ok := r.ColumnByID(id); ok {
			out = append(out, i)
		}
	}
	return out
}

func sameValues(r *catalog.Relation, ids []uint16, a, b types.Row) bool {
	for _, i := range columnsOf(r, ids) {
		if a[i].IsNull() != b[i].IsNull() || !a[i].IsNull() && types.Compare(r.Columns[i].Type, a[i], b[i]) != 0 {
			return false
		}
	}
	return true
}

// EndStatement implements exec.KeyWatcher.
func (s *Session) EndStatement(ctx context.Context) error {
	k := &s.tx.keys
	for len(k.now) > 0 {
		list := k.now
		k.now = nil
		if err := s.lookAfterKeys(ctx, list); err != nil {
			k.now = nil
			return err
		}
	}
	return nil
}

// endKeys looks after what waited for the end of the transaction.
func (s *Session) endKeys(ctx context.Context) error {
	k := &s.tx.keys
	for len(k.later) > 0 {
		list := k.later
		k.later = nil
		if err := s.lookAfterKeys(ctx, list); err != nil {
			return err
		}
		if err := s.EndStatement(ctx); err != nil {
			return err
		}
	}
	return nil
}

func (s *Session) lookAfterKeys(ctx context.Context, list []keyEvent) error {
	for i := range list {
		e := &list[i]
		snap := s.tx.cat.Snapshot()
		r, c, ok := snap.ConstraintByOID(e.constraint)
		if !ok {
			continue // dropped meanwhile
		}
		parent, ok := snap.ByID(c.RefRelation)
		if !ok {
			continue
		}
		f := &foreignKey{s: s, ctx: ctx, child: r, parent: parent, c: c}
		var err error
		if e.referenced {
			err = f.keyGone(e)
		} else {
			err = f.check(e)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// foreignKey is a constraint at work.
type foreignKey struct {
	s             *Session
	ctx           context.Context
	child, parent *catalog.Relation
	c             *catalog.Constraint
}

// check makes sure that the key a row references exists, and that it stays until the
// transaction ends.
func (f *foreignKey) check(e *keyEvent) error {
	value, _, ok, err := f.s.tx.store.GetLatest(f.child.ID, e.id)
	if err != nil || !ok {
		return err // the row has gone
	}
	row, err := relation.DecodeRow(f.child, value, nil, nil)
	if err != nil {
		return err
	}
	cols := columnsOf(f.child, f.c.Columns)
	nulls := 0
	for _, i := range cols {
		if row[i].IsNull() {
			nulls++
		}
	}
	switch {
	case nulls == len(cols), nulls > 0 && f.c.Match != 'f':
		return nil
	case nulls > 0:
		return f.violation(fmt.Sprintf(`insert or update on table "%s" violates foreign key constraint "%s"`, f.child.Name, f.c.Name)).
			WithDetail("MATCH FULL does not allow mixing of null and nonnull key values.")
	}
	params := make([]param, len(cols))
	for i, col := range cols {
		params[i] = param{row[col], f.child.Columns[col].Type.Storage()}
	}
	found := false
	sql := "SELECT 1 FROM " + f.name(f.parent) + " x WHERE " + f.where(f.parent, f.c.RefColumns) + " FOR KEY SHARE OF x"
	err = f.s.runInternal(f.ctx, sql, params, false, func(types.Row) error { found = true; return nil })
	if err != nil || found {
		return err
	}
	return f.violation(fmt.Sprintf(`insert or update on table "%s" violates foreign key constraint "%s"`, f.child.Name, f.c.Name)).
		WithDetail("Key %s is not present in table \"%s\".", f.key(f.child, f.c.Columns, row), f.parent.Name)
}

func (f *foreignKey) violation(msg string) *pgerr.Error {
	return pgerr.New(pgerr.ForeignKeyViolation, "%s", msg).WithRelation(f.child.Schema, f.child.Name, "", f.c.Name)
}

// key is (a, b)=(1, 2).
func (f *foreignKey) key(r *catalog.Relation, ids []uint16, row types.Row) string {
	var names, values []string
	for _, i := range columnsOf(r, ids) {
		names = append(names, r.Columns[i].Name)
		v := "null"
		if !row[i].IsNull() {
			v = string(r.Columns[i].Type.AppendText(nil, row[i], f.s.env))
		}
		values = append(values, v)
	}
	return "(" + strings.Join(names, ", ") + ")=(" + strings.Join(values, ", ") + ")"
}

func (f *foreignKey) name(r *catalog.Relation) string {
	return ast.QuoteIdent(r.Schema) + "." + ast.QuoteIdent(r.Name)
}

// where is x.a = $1 AND x.b = $2.
func (f *foreignKey) where(r *catalog.Relation, ids []uint16) string {
	return f.terms(r, ids, "x.", " AND ", 0)
}

func (f *foreignKey) terms(r *catalog.Relation, ids []uint16, prefix, sep string, offset int) string {
	var b strings.Builder
	for n, i := range columnsOf(r, ids) {
		if n > 0 {
			b.WriteString(sep)
		}
		b.WriteString(prefix + ast.QuoteIdent(r.Columns[i].Name) + " = $" + strconv.Itoa(n+1+offset))
	}
	return b.String()
}

// keyGone does for the rows that reference a key what the constraint says.
func (f *foreignKey) keyGone(e *keyEvent) error {
	action := f.c.OnDelete
	if e.update {
		action = f.c.OnUpdate
	}
	cols := columnsOf(f.parent, f.c.RefColumns)
	params := make([]param, len(cols))
	for i, col := range cols {
		params[i] = param{e.old[col], f.parent.Columns[col].Type.Storage()}
	}
	child, where := f.name(f.child)+" x", " WHERE "+f.where(f.child, f.c.Columns)
	switch action {
	case 'c':
		if !e.update {
			return f.s.runInternal(f.ctx, "DELETE FROM "+child+where, params, true, nil)
		}
		for _, col := range cols {
			params = append(params, param{e.now[col], f.parent.Columns[col].Type.Storage()})
		}
		return f.s.runInternal(f.ctx, "UPDATE "+child+" SET "+f.terms(f.child, f.c.Columns, "", ", ", len(cols))+where, params, true, nil)
	case 'n', 'd':
		word := " = NULL"
		if action == 'd' {
			word = " = DEFAULT"
		}
		var set []string
		for _, i := range columnsOf(f.child, f.c.Columns) {
			set = append(set, ast.QuoteIdent(f.child.Columns[i].Name)+word)
		}
		if err := f.s.runInternal(f.ctx, "UPDATE "+child+" SET "+strings.Join(set, ", ")+where, params, true, nil); err != nil || action == 'n' {
			return err
		}
		// Where the default is the key that went away, nothing has changed: look.
	}
	if action != 'r' && action != 'n' {
		// Another row may have the key by now.
		again := false
		sql := "SELECT 1 FROM " + f.name(f.parent) + " x WHERE " + f.where(f.parent, f.c.RefColumns) + " FOR KEY SHARE OF x"
		if err := f.s.runInternal(f.ctx, sql, params, true, func(types.Row) error { again = true; return nil }); err != nil || again {
			return err
		}
	}
	found := false
	sql := "SELECT 1 FROM " + child + where + " LIMIT 1 FOR KEY SHARE OF x"
	if err := f.s.runInternal(f.ctx, sql, params, true, func(types.Row) error { found = true; return nil }); err != nil || !found {
		return err
	}
	return f.violation(fmt.Sprintf(`update or delete on table "%s" violates foreign key constraint "%s" on table "%s"`,
		f.parent.Name, f.c.Name, f.child.Name)).
		WithDetail("Key %s is still referenced from table \"%s\".", f.key(f.parent, f.c.RefColumns, e.old), f.child.Name)
}
