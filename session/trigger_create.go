package session

import (
	"context"
	"slices"
	"strings"

	"raisind/catalog"
	"raisind/pgerr"
	"raisind/sql/ast"
	"raisind/sql/funcs"
	"raisind/sql/planner"
	"raisind/sql/types"
	"raisind/storage"
)

// triggerRelation finds the relation of a trigger.
func (s *Session) triggerRelation(name ast.RelName) (*catalog.Relation, error) {
	r, err := s.relation(name, s.running)
	if err != nil {
		return nil, err
	}
	switch r.Kind {
	case catalog.Table, catalog.Workspace, catalog.View:
		return r, nil
	}
	return nil, pgerr.New(pgerr.WrongObjectType, `relation "%s" cannot have triggers`, r.Name)
}

// changeTriggers gives a relation other triggers, with the lock that takes.
func (s *Session) changeTriggers(ctx context.Context, r *catalog.Relation, change func(*catalog.Relation) error) error {
	tx := s.ensureTx()
	if err := tx.store.LockRelation(ctx, r.ID, storage.ShareRowExclusive, storage.Wait); err != nil {
		return mapError(err)
	}
	now, ok := tx.cat.ByID(r.ID)
	if !ok {
		return pgerr.New(pgerr.UndefinedTable, `relation "%s" does not exist`, r.Name)
	}
	c := now.Clone()
	if err := change(c); err != nil {
		return err
	}
	slices.SortFunc(c.Triggers, func(a, b catalog.Trigger) int { return strings.Compare(a.Name, b.Name) })
	return tx.cat.Replace(ctx, c)
}

// createTrigger is CREATE TRIGGER.
func (s *Session) createTrigger(ctx context.Context, p *portal, n *ast.CreateTrigger) error {
	if err := s.forbidReadOnly("CREATE TRIGGER"); err != nil {
		return err
	}
	s.ensureTx().queried = true
	r, err := s.triggerRelation(n.Relation)
	if err != nil {
		return err
	}
	if err := s.definer(ctx).MustOwn(r.OwnerOID(), relationWord(r), r.Name); err != nil {
		return err
	}
	t, err := s.triggerOf(ctx, n, r, p.prep.stmt.Text)
	if err != nil {
		return err
	}
	return s.changeTriggers(ctx, r, func(c *catalog.Relation) error {
		i := slices.IndexFunc(c.Triggers, func(x catalog.Trigger) bool { return x.Name == t.Name })
		if i < 0 {
			c.Triggers = append(c.Triggers, *t)
			return nil
		}
		if !n.OrReplace {
			return pgerr.New(pgerr.DuplicateObject, `trigger "%s" for relation "%s" already exists`, t.Name, r.Name)
		}
		if c.Triggers[i].Constraint || t.Constraint {
			return pgerr.New(pgerr.DuplicateObject, `trigger "%s" for relation "%s" is a constraint trigger`, t.Name, r.Name)
		}
		t.OID = c.Triggers[i].OID
		c.Triggers[i] = *t
		return nil
	})
}

// triggerOf makes the catalog's entry of a trigger.
func (s *Session) triggerOf(ctx context.Context, n *ast.CreateTrigger, r *catalog.Relation, text string) (*catalog.Trigger, error) {
	bad := func(code pgerr.Code, msg string, args ...any) error { return pgerr.New(code, msg, args...) }
	t := &catalog.Trigger{
		OID: s.engine.cat.NextOID(), Name: n.Name, ForRow: n.ForEachRow, Args: n.Args, OldTable: n.OldTable, NewTable: n.NewTable,
		Enabled: 'O', Constraint: n.Constraint,
	}
	t.Timing = map[string]catalog.TriggerTiming{"before": catalog.TriggerBefore, "after": catalog.TriggerAfter, "instead of": catalog.TriggerInsteadOf}[n.Timing]
	for _, e := range []struct {
		on    bool
		event catalog.TriggerEvent
	}{{n.Insert, catalog.TriggerInsert}, {n.Update, catalog.TriggerUpdate}, {n.Delete, catalog.TriggerDelete}, {n.Truncate, catalog.TriggerTruncate}} {
		if e.on {
			t.Events |= e.event
		}
	}
	isView := r.Kind == catalog.View
	switch {
	case isView && t.Timing != catalog.TriggerInsteadOf && t.ForRow:
		return nil, pgerr.New(pgerr.WrongObjectType, `"%s" is a view`, r.Name).WithDetail("Views cannot have row-level BEFORE or AFTER triggers.")
	case isView && n.Truncate:
		return nil, pgerr.New(pgerr.WrongObjectType, `"%s" is a view`, r.Name).WithDetail("Views cannot have TRUNCATE triggers.")
	case !isView && t.Timing == catalog.TriggerInsteadOf:
		return nil, pgerr.New(pgerr.WrongObjectType, `"%s" is a table`, r.Name).WithDetail("Tables cannot have INSTEAD OF triggers.")
	case n.Truncate && t.ForRow:
		return nil, bad(pgerr.FeatureNotSupported, "TRUNCATE FOR EACH ROW triggers are not supported")
	case t.Timing == catalog.TriggerInsteadOf && !t.ForRow:
		return nil, bad(pgerr.FeatureNotSupported, "INSTEAD OF triggers must be FOR EACH ROW")
	case t.Timing == catalog.TriggerInsteadOf && n.When != nil:
		return nil, bad(pgerr.FeatureNotSupported, "INSTEAD OF triggers cannot have WHEN conditions")
	case t.Timing == catalog.TriggerInsteadOf && n.UpdateOf != nil:
		return nil, bad(pgerr.FeatureNotSupported, "INSTEAD OF triggers cannot have column lists")
	case n.From != nil:
		return nil, bad(pgerr.FeatureNotSupported, "constraint triggers with FROM are not supported")
	}
	if n.Deferrable != nil && !*n.Deferrable && n.InitiallyDeferred != nil && *n.InitiallyDeferred {
		return nil, bad(pgerr.SyntaxError, "constraint declared INITIALLY DEFERRED must be DEFERRABLE")
	}
	t.InitiallyDeferred = n.InitiallyDeferred != nil && *n.InitiallyDeferred
	t.Deferrable = t.InitiallyDeferred || n.Deferrable != nil && *n.Deferrable
	if err := checkTransitions(n, t, r); err != nil {
		return nil, err
	}
	for _, name := range n.UpdateOf {
		i, ok := r.ColumnByName(name)
		if !ok {
			return nil, bad(pgerr.UndefinedColumn, `column "%s" of relation "%s" does not exist`, name, r.Name)
		}
		if slices.Contains(t.Columns, r.Columns[i].ID) {
			return nil, bad(pgerr.DuplicateColumn, `column "%s" specified more than once`, name)
		}
		t.Columns = append(t.Columns, r.Columns[i].ID)
	}
	f, err := s.triggerFunction(n.Function)
	if err != nil {
		return nil, err
	}
	t.Function = f.OID
	if n.When != nil {
		if _, err := planner.BindTriggerWhen(ctx, n.When, whenRows(t, r), s.plannerOptions(text, nil, s.ensureTx())); err != nil {
			return nil, err
		}
		t.When = ast.Format(n.When)
	}
	return t, nil
}

// checkTransitions refuses transition tables where there can be none.
func checkTransitions(n *ast.CreateTrigger, t *catalog.Trigger, r *catalog.Relation) error {
	if n.OldTable == "" && n.NewTable == "" {
		return nil
	}
	bad := func(code pgerr.Code, msg string) error { return pgerr.New(code, "%s", msg) }
	switch {
	case r.Kind == catalog.View:
		return pgerr.New(pgerr.WrongObjectType, `"%s" is a view`, r.Name).WithDetail("Triggers on views cannot have transition tables.")
	case t.Timing != catalog.TriggerAfter:
		return bad(pgerr.InvalidObjectDefinition, "transition table name can only be specified for an AFTER trigger")
	case n.Truncate:
		return bad(pgerr.InvalidObjectDefinition, "TRUNCATE triggers with transition tables are not supported")
	case len(n.UpdateOf) > 0:
		return bad(pgerr.FeatureNotSupported, "transition tables cannot be specified for triggers with column lists")
	case t.Events&(t.Events-1) != 0:
		return bad(pgerr.FeatureNotSupported, "transition tables cannot be specified for triggers with more than one event")
	case n.NewTable != "" && !n.Insert && !n.Update:
		return bad(pgerr.InvalidObjectDefinition, "NEW TABLE can only be specified for an INSERT or UPDATE trigger")
	case n.OldTable != "" && !n.Delete && !n.Update:
		return bad(pgerr.InvalidObjectDefinition, "OLD TABLE can only be specified for a DELETE or UPDATE trigger")
	case n.OldTable == n.NewTable:
		return bad(pgerr.InvalidObjectDefinition, "OLD TABLE name and NEW TABLE name cannot be the same")
	}
	return nil
}

// triggerFunction finds the function that a trigger calls.
func (s *Session) triggerFunction(name []string) (*catalog.Function, error) {
	snap := s.ensureTx().cat.Snapshot()
	schemas := s.searchPath()
	if len(name) > 1 {
		schemas = name[len(name)-2 : len(name)-1]
	}
	full := strings.Join(name, ".")
	for _, schema := range schemas {
		for _, f := range snap.Functions(schema, name[len(name)-1]) {
			if len(f.Inputs()) > 0 || f.Kind != 'f' {
				continue
			}
			if f.Returns != types.TTrigger.OID {
				return nil, pgerr.New(pgerr.InvalidObjectDefinition, "function %s must return type %s", full, "trigger")
			}
			return f, nil
		}
	}
	for _, o := range funcs.ByName(name[len(name)-1]) {
		if len(o.Args) == 0 && (len(name) == 1 || name[len(name)-2] == "pg_catalog") {
			return nil, pgerr.New(pgerr.InvalidObjectDefinition, "function %s must return type %s", full, "trigger")
		}
	}
	return nil, pgerr.New(pgerr.UndefinedFunction, "function %s() does not exist", full)
}

// alterTrigger is ALTER TRIGGER … RENAME.
func (s *Session) alterTrigger(ctx context.Context, n *ast.AlterTrigger) error {
	if err := s.forbidReadOnly("ALTER TRIGGER"); err != nil {
		return err
	}
	s.ensureTx().queried = true
	r, err := s.triggerRelation(n.On)
	if err != nil {
		return err
	}
	return s.changeTriggers(ctx, r, func(c *catalog.Relation) error {
		t, ok := c.Trigger(n.Name)
		if !ok {
			return noTrigger(n.Name, r)
		}
		if _, taken := c.Trigger(n.NewName); taken {
			return pgerr.New(pgerr.DuplicateObject, `trigger "%s" for relation "%s" already exists`, n.NewName, r.Name)
		}
		t.Name = n.NewName
		return nil
	})
}

func noTrigger(name string, r *catalog.Relation) error {
	return pgerr.New(pgerr.UndefinedObject, `trigger "%s" for table "%s" does not exist`, name, r.Name)
}

// dropTrigger is DROP TRIGGER.
func (s *Session) dropTrigger(ctx context.Context, n *ast.DropObject) error {
	if err := s.forbidReadOnly("DROP TRIGGER"); err != nil {
		return err
	}
	s.ensureTx().queried = true
	name := n.Names[0].Name
	r, err := s.triggerRelation(*n.On)
	if err != nil {
		if n.IfExists && pgerr.Is(err, pgerr.UndefinedTable) {
			s.notice(pgerr.Notice(`relation "%s" does not exist, skipping`, n.On.Name))
			return nil
		}
		return err
	}
	if _, ok := r.Trigger(name); !ok {
		if n.IfExists {
			s.notice(pgerr.Notice(`trigger "%s" for relation "%s" does not exist, skipping`, name, r.Name))
			return nil
		}
		return noTrigger(name, r)
	}
	return s.changeTriggers(ctx, r, func(c *catalog.Relation) error {
		c.Triggers = slices.DeleteFunc(c.Triggers, func(t catalog.Trigger) bool { return t.Name == name })
		return nil
	})
}

// switchTriggers is ENABLE and DISABLE TRIGGER of ALTER TABLE.
func (s *Session) switchTriggers(ctx context.Context, r *catalog.Relation, a *ast.AlterAction) error {
	state := byte('O')
	switch {
	case a.Kind == ast.DisableTrigger:
		state = 'D'
	case a.Firing == "replica":
		state = 'R'
	case a.Firing == "always":
		state = 'A'
	}
	return s.changeTriggers(ctx, r, func(c *catalog.Relation) error {
		if a.AllTriggers {
			for i := range c.Triggers {
				c.Triggers[i].Enabled = state
			}
			return nil
		}
		t, ok := c.Trigger(a.Name)
		if !ok {
			return noTrigger(a.Name, r)
		}
		t.Enabled = state
		return nil
	})
}

// alterTriggers does the actions of ALTER TABLE that switch triggers; done tells that there
// were no others.
func (s *Session) alterTriggers(ctx context.Context, n *ast.AlterTable) (done bool, err error) {
	isSwitch := func(a ast.AlterAction) bool { return a.Kind == ast.EnableTrigger || a.Kind == ast.DisableTrigger }
	if !slices.ContainsFunc(n.Actions, isSwitch) {
		return false, nil
	}
	if slices.ContainsFunc(n.Actions, func(a ast.AlterAction) bool { return !isSwitch(a) }) {
		return false, nil
	}
	if err := s.forbidReadOnly("ALTER TABLE"); err != nil {
		return false, err
	}
	s.ensureTx().queried = true
	r, err := s.triggerRelation(n.Name)
	if err != nil {
		if n.IfExists && pgerr.Is(err, pgerr.UndefinedTable) {
			s.notice(pgerr.Notice(`relation "%s" does not exist, skipping`, n.Name.Name))
			return true, nil
		}
		return false, err
	}
	if err := s.definer(ctx).MustOwn(r.OwnerOID(), relationWord(r), r.Name); err != nil {
		return false, err
	}
	for i := range n.Actions {
		if err := s.switchTriggers(ctx, r, &n.Actions[i]); err != nil {
			return false, err
		}
	}
	return true, nil
}
