package session

import (
	"context"
	"slices"
	"time"

	"raisind/catalog"
	"raisind/pgerr"
	"raisind/sql/ast"
	"raisind/sql/exec"
	"raisind/sql/expr"
	"raisind/sql/funcs"
	"raisind/sql/parser"
	"raisind/sql/plan"
	"raisind/sql/planner"
	"raisind/sql/plpgsql"
	"raisind/sql/types"
)

// firedTriggers are the triggers of one statement: exec.Triggers.
type firedTriggers struct {
	s   *Session
	ctx context.Context
	// queue are the AFTER triggers to fire when the statement is through.
	queue []queued
	// stats are kept where they are wanted.
	stats *[]plan.TriggerStats
}

// measured tells a trigger's place in the statistics, making it one.
func (a *firedTriggers) measured(t *catalog.Trigger, r *catalog.Relation) *plan.TriggerStats {
	for i := range *a.stats {
		if x := &(*a.stats)[i]; x.Name == t.Name && x.Relation == r.Name {
			return x
		}
	}
	*a.stats = append(*a.stats, plan.TriggerStats{Name: t.Name, Relation: r.Name})
	return &(*a.stats)[len(*a.stats)-1]
}

// queued is one firing that waits.
type queued struct {
	f        *firing
	t        *boundTrigger
	old, cur types.Row
}

// boundTrigger is a trigger ready to fire.
type boundTrigger struct {
	t    *catalog.Trigger
	r    *routine
	when *planner.TriggerWhen
}

// firing is a command on a relation: exec.Firing.
type firing struct {
	all   *firedTriggers
	r     *catalog.Relation
	op    string
	event catalog.TriggerEvent

	beforeStmt, beforeRow, afterRow, afterStmt []*boundTrigger
	// oldTable and newTable are transition tables, where a trigger wants them.
	oldTable, newTable *plpgsql.Transition
	params             []types.Datum
	ec                 *expr.Ctx
}

var eventWords = map[catalog.TriggerEvent]string{
	catalog.TriggerInsert: "INSERT", catalog.TriggerUpdate: "UPDATE", catalog.TriggerDelete: "DELETE", catalog.TriggerTruncate: "TRUNCATE",
}

// triggersOf is what fires the triggers of a plan; nil when no relation has any.
func (s *Session) triggersOf(ctx context.Context, st *plan.Statement) exec.Triggers {
	if !st.Writes {
		return nil
	}
	snap := s.tx.cat.Snapshot()
	for _, u := range st.Relations {
		if r, ok := snap.ByID(u.ID); ok && len(r.Triggers) > 0 {
			return &firedTriggers{s: s, ctx: ctx}
		}
	}
	return nil
}

// fires tells whether a trigger fires under the session's replication role.
func (s *Session) fires(t *catalog.Trigger) bool {
	switch t.Enabled {
	case 'D':
		return false
	case 'A':
		return true
	}
	return (s.value(settingByName["session_replication_role"]) == "replica") == (t.Enabled == 'R')
}

// Begin implements exec.Triggers.
func (a *firedTriggers) Begin(r *catalog.Relation, event catalog.TriggerEvent, columns []int) (exec.Firing, error) {
	f, err := a.begin(r, event, columns)
	if f == nil || err != nil {
		return nil, err
	}
	return f, nil
}

func (a *firedTriggers) begin(r *catalog.Relation, event catalog.TriggerEvent, columns []int) (*firing, error) {
	var f *firing
	for i := range r.Triggers {
		t := &r.Triggers[i]
		if t.Events&event == 0 || !a.s.fires(t) || event == catalog.TriggerUpdate && !updates(r, t, columns) {
			continue
		}
		b, err := a.s.bindTrigger(t, r)
		if err != nil {
			return nil, err
		}
		if a.stats != nil {
			a.measured(t, r)
		}
		if f == nil {
			f = &firing{all: a, r: r, op: eventWords[event], event: event}
		}
		switch {
		case t.Timing == catalog.TriggerBefore && t.ForRow:
			f.beforeRow = append(f.beforeRow, b)
		case t.Timing == catalog.TriggerBefore:
			f.beforeStmt = append(f.beforeStmt, b)
		case t.Timing == catalog.TriggerAfter && t.ForRow:
			f.afterRow = append(f.afterRow, b)
		case t.Timing == catalog.TriggerAfter:
			f.afterStmt = append(f.afterStmt, b)
		}
		if t.OldTable != "" && f.oldTable == nil {
			f.oldTable = &plpgsql.Transition{Cols: transitionColumns(r)}
		}
		if t.NewTable != "" && f.newTable == nil {
			f.newTable = &plpgsql.Transition{Cols: transitionColumns(r)}
		}
	}
	return f, nil
}

func transitionColumns(r *catalog.Relation) []plan.Column {
	cols := make([]plan.Column, len(r.Columns))
	for i := range r.Columns {
		c := &r.Columns[i]
		cols[i] = plan.Column{Name: c.Name, Type: c.Type, Typmod: c.Typmod}
	}
	return cols
}

// updates tells whether an UPDATE of columns is one that a trigger fires on.
func updates(r *catalog.Relation, t *catalog.Trigger, columns []int) bool {
	return len(t.Columns) == 0 || slices.ContainsFunc(columns, func(c int) bool { return slices.Contains(t.Columns, r.Columns[c].ID) })
}

// whens keeps conditions by trigger and the relation they were bound for.
type whenKey struct {
	t *catalog.Trigger
	r *catalog.Relation
}

// bindTrigger finds a trigger's function and binds its condition.
func (s *Session) bindTrigger(t *catalog.Trigger, r *catalog.Relation) (*boundTrigger, error) {
	k := whenKey{t, r}
	if b, ok := s.routines.triggers[k]; ok && s.routines.triggersAt == s.ensureTx().cat.Version() {
		return b, nil
	}
	if s.routines.triggersAt != s.ensureTx().cat.Version() || s.routines.triggers == nil {
		s.routines.triggers, s.routines.triggersAt = map[whenKey]*boundTrigger{}, s.tx.cat.Version()
	}
	fn, err := s.routine(t.Function, nil, nil, r)
	if err != nil {
		return nil, err
	}
	b := &boundTrigger{t: t, r: fn}
	if t.When != "" {
		cond, err := parser.ParseExpr(t.When)
		if err != nil {
			return nil, err
		}
		if b.when, err = planner.BindTriggerWhen(s.ctx, cond, whenRows(t, r), s.plannerOptions("", nil, s.ensureTx())); err != nil {
			return nil, err
		}
	}
	s.routines.triggers[k] = b
	return b, nil
}

func whenRows(t *catalog.Trigger, r *catalog.Relation) planner.TriggerRows {
	return planner.TriggerRows{
		Relation: r, Row: t.ForRow, Before: t.Timing == catalog.TriggerBefore,
		Insert: t.Events&catalog.TriggerInsert != 0, Delete: t.Events&catalog.TriggerDelete != 0,
	}
}

// Statement implements exec.Firing.
func (f *firing) Statement() error {
	for _, b := range f.beforeStmt {
		if ok, err := f.wants(b, nil, nil); err != nil || !ok {
			if err != nil {
				return err
			}
			continue
		}
		row, err := f.call(b, nil, nil)
		if err != nil {
			return err
		}
		if row != nil {
			return pgerr.New(pgerr.TriggerProtocolViolated, "BEFORE STATEMENT trigger cannot return a value")
		}
	}
	return nil
}

// Changes implements exec.Firing.
func (f *firing) Changes() bool { return len(f.beforeRow) > 0 }

// Before implements exec.Firing.
func (f *firing) Before(old, cur types.Row) (bool, error) {
	for _, b := range f.beforeRow {
		ok, err := f.wants(b, old, cur)
		if err != nil {
			return false, err
		}
		if !ok {
			continue
		}
		row, err := f.call(b, slices.Clone(old), slices.Clone(cur))
		if err != nil || row == nil {
			return false, err
		}
		if cur != nil {
			copy(cur, row)
		}
	}
	return true, nil
}

// After implements exec.Firing.
func (f *firing) After(old, cur types.Row) error {
	if f.oldTable != nil && old != nil {
		f.oldTable.Rows = append(f.oldTable.Rows, slices.Clone(old))
	}
	if f.newTable != nil && cur != nil {
		f.newTable.Rows = append(f.newTable.Rows, slices.Clone(cur))
	}
	if len(f.afterRow) == 0 {
		return nil
	}
	var o, c types.Row
	for _, b := range f.afterRow {
		ok, err := f.wants(b, old, cur)
		if err != nil {
			return err
		}
		if !ok {
			continue
		}
		if o == nil && c == nil {
			o, c = slices.Clone(old), slices.Clone(cur)
		}
		f.all.push(queued{f, b, o, c})
	}
	return nil
}

// push queues a firing: until the end of the statement, or of the transaction.
func (a *firedTriggers) push(q queued) {
	if q.t.t.Constraint && a.s.isDeferred(q.t.t) {
		a.s.tx.deferred = append(a.s.tx.deferred, q)
		return
	}
	a.queue = append(a.queue, q)
}

// isDeferred tells whether a constraint trigger waits for the end of the transaction.
func (s *Session) isDeferred(t *catalog.Trigger) bool {
	if !t.Deferrable {
		return false
	}
	if on, ok := s.tx.deferring[t.Name]; ok {
		return on
	}
	if on, ok := s.tx.deferring[""]; ok {
		return on
	}
	return t.InitiallyDeferred
}

// Done implements exec.Firing.
func (f *firing) Done() {
	for _, b := range f.afterStmt {
		f.all.queue = append(f.all.queue, queued{f: f, t: b})
	}
}

// Finish implements exec.Triggers.
func (a *firedTriggers) Finish() error {
	for len(a.queue) > 0 {
		list := a.queue
		a.queue = nil
		for i := range list {
			q := &list[i]
			if !q.t.t.ForRow {
				ok, err := q.f.wants(q.t, nil, nil)
				if err != nil {
					return err
				}
				if !ok {
					continue
				}
			}
			if _, err := q.f.call(q.t, q.old, q.cur); err != nil {
				return err
			}
		}
	}
	return nil
}

// fireDeferred fires what waited for the end of the transaction.
func (s *Session) fireDeferred(ctx context.Context) error {
	for s.tx != nil && len(s.tx.deferred) > 0 {
		list := s.tx.deferred
		s.tx.deferred = nil
		for i := range list {
			q := &list[i]
			q.f.all.ctx = ctx
			if _, err := q.f.call(q.t, q.old, q.cur); err != nil {
				return err
			}
			if err := q.f.all.Finish(); err != nil {
				return err
			}
		}
	}
	return nil
}

// setDeferred is SET CONSTRAINTS for constraint triggers: those that become immediate fire
// now.
func (s *Session) setDeferred(ctx context.Context, n *ast.SetConstraints) error {
	tx := s.ensureTx()
	if tx.deferring == nil || len(n.Names) == 0 {
		tx.deferring = map[string]bool{}
	}
	if len(n.Names) == 0 {
		tx.deferring[""] = n.Deferred
	}
	for _, name := range n.Names {
		tx.deferring[name.Name] = n.Deferred
	}
	if n.Deferred {
		return nil
	}
	var now, later []queued
	for _, q := range tx.deferred {
		if s.isDeferred(q.t.t) {
			later = append(later, q)
		} else {
			now = append(now, q)
		}
	}
	tx.deferred = now
	err := s.fireDeferred(ctx)
	tx.deferred = append(later, tx.deferred...)
	return err
}

// wants evaluates the condition of a trigger.
func (f *firing) wants(b *boundTrigger, old, cur types.Row) (bool, error) {
	if b.when == nil {
		return true, nil
	}
	if f.ec == nil {
		f.ec = &expr.Ctx{Ctx: f.all.s.funcsCtx(f.all.ctx)}
	}
	f.params = b.when.Values(f.params[:0], old, cur)
	f.ec.Params = f.params
	return expr.EvalBool(b.when.Cond, f.ec, nil)
}

var timingWords = map[catalog.TriggerTiming]string{
	catalog.TriggerBefore: "BEFORE", catalog.TriggerAfter: "AFTER", catalog.TriggerInsteadOf: "INSTEAD OF",
}

// call runs the function of a trigger.
func (f *firing) call(b *boundTrigger, old, cur types.Row) (row types.Row, err error) {
	s := f.all.s
	if f.all.stats != nil {
		began := time.Now()
		defer func() {
			m := f.all.measured(b.t, f.r)
			m.Calls++
			m.Nanos += time.Since(began).Nanoseconds()
		}()
	}
	ev := plpgsql.Event{
		Name: b.t.Name, When: timingWords[b.t.Timing], Level: "STATEMENT", Op: f.op, RelID: f.r.OID, Schema: f.r.Schema, Table: f.r.Name,
		Args: b.t.Args, Old: old, New: cur,
	}
	if b.t.ForRow {
		ev.Level = "ROW"
	}
	if b.t.OldTable != "" || b.t.NewTable != "" {
		ev.Tables = map[string]*plpgsql.Transition{}
		if b.t.OldTable != "" {
			ev.Tables[b.t.OldTable] = f.oldTable
		}
		if b.t.NewTable != "" {
			ev.Tables[b.t.NewTable] = f.newTable
		}
	}
	s.routines.triggerDepth++
	defer func() { s.routines.triggerDepth-- }()
	err = s.within(b.r, func() error {
		row, err = s.interpreter().CallTrigger(f.all.ctx, b.r.fn, &ev)
		return err
	})
	return row, err
}

// TriggerDepth implements funcs.TriggerDepther.
func (s *Session) TriggerDepth() int { return s.routines.triggerDepth }

var _ funcs.TriggerDepther = (*Session)(nil)

// triggersFor is what fires the triggers of one relation; nil when it has none.
func (s *Session) triggersFor(ctx context.Context, r *catalog.Relation) exec.Triggers {
	if len(r.Triggers) == 0 {
		return nil
	}
	return &firedTriggers{s: s, ctx: ctx}
}
