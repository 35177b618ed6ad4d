package plpgsql

import (
	"context"

	"raisind/pgerr"
	"raisind/sql/funcs"
	"raisind/sql/plan"
	"raisind/sql/planner"
	"raisind/sql/types"
)

// Event is one firing of a trigger.
type Event struct {
	Name, When, Level, Op string
	RelID                 uint32
	Schema, Table         string
	Args                  []string
	Old, New              types.Row // nil where the operation has none
	// Tables are the transition tables by their names.
	Tables map[string]*Transition
}

// Transition is a transition table: the rows a statement changed.
type Transition struct {
	Cols []plan.Column
	Rows []types.Row
}

// scan makes the relation that a query sees.
func (t *Transition) scan(name string) *plan.VirtualScan {
	return &plan.VirtualScan{Name: name, Alias: name, Cols: t.Cols, Rows: func(*funcs.Ctx) (funcs.RowSource, error) {
		return &transitionRows{rows: t.Rows}, nil
	}}
}

type transitionRows struct {
	rows []types.Row
	at   int
}

// Next implements funcs.RowSource.
func (r *transitionRows) Next() (types.Row, bool, error) {
	if r.at == len(r.rows) {
		return nil, false, nil
	}
	r.at++
	return r.rows[r.at-1], true, nil
}

// transitions puts transition tables before the relations of a catalog.
type transitions struct {
	tables map[string]*Transition
	below  planner.VirtualCatalog
}

// Lookup implements planner.VirtualCatalog. A transition table hides whatever has its name,
// in any schema searched: pg_catalog is the first.
func (t transitions) Lookup(schema, name string) (*plan.VirtualScan, bool) {
	if x, ok := t.tables[name]; ok && schema == "pg_catalog" {
		return x.scan(name), true
	}
	if t.below == nil {
		return nil, false
	}
	return t.below.Lookup(schema, name)
}

// CallTrigger runs a trigger function. The result is the row it returns, nil for NULL.
func (in *Interpreter) CallTrigger(ctx context.Context, fn *Function, ev *Event) (types.Row, error) {
	f := in.newFrame(ctx, fn)
	f.atomic = true
	f.slots[fn.newRow].vals = ev.New
	f.slots[fn.oldRow].vals = ev.Old
	set := func(i int, v types.Datum) { f.slots[fn.tg[i]].val = v }
	set(tgName, types.Str(ev.Name))
	set(tgWhen, types.Str(ev.When))
	set(tgLevel, types.Str(ev.Level))
	set(tgOp, types.Str(ev.Op))
	set(tgRelID, types.Int(int64(ev.RelID)))
	set(tgRelName, types.Str(ev.Table))
	set(tgTableName, types.Str(ev.Table))
	set(tgTableSchema, types.Str(ev.Schema))
	set(tgNArgs, types.Int(int64(len(ev.Args))))
	if len(ev.Args) > 0 {
		a := &types.Array{Elem: types.TText, Dims: []int32{int32(len(ev.Args))}, Lower: []int32{0}}
		for _, s := range ev.Args {
			a.Elems = append(a.Elems, types.Str(s))
		}
		set(tgArgv, types.Ref(a))
	}
	f.tables = ev.Tables
	if _, err := in.run(f, nil); err != nil {
		return nil, err
	}
	if f.retNull || !f.retRow {
		return nil, nil
	}
	return f.ret.Record().Fields, nil
}

// returnTrigger is RETURN in a trigger function: NULL, NEW, OLD or another row.
func (f *frame) returnTrigger(s *returnStmt) error {
	if s.value == nil {
		return pgerr.New(pgerr.SyntaxError, "RETURN in a trigger function needs a row")
	}
	if s.dno >= 0 && (s.dno == f.fn.newRow || s.dno == f.fn.oldRow) {
		sl := &f.slots[s.dno]
		if sl.vals == nil {
			f.retNull = true
			return nil
		}
		f.retRow = true
		f.ret = types.Ref(&types.Record{Names: sl.desc.names, Types: sl.desc.types, Fields: sl.vals})
		return nil
	}
	v, t, _, err := f.returned(s.dno, s.value)
	if err != nil {
		return err
	}
	if v.IsNull() {
		f.retNull = true
		return nil
	}
	rec := v.Record()
	if rec == nil {
		return pgerr.New(pgerr.DatatypeMismatch, "cannot return non-composite value from function returning composite type")
	}
	_ = t
	desc := f.slots[f.fn.newRow].desc
	saved := f.fn.Columns
	f.fn.Columns = &Fields{Names: desc.names, Types: desc.types, Typmods: desc.typmods}
	row, err := f.fitRow(rec.Fields, rec.Types, "returned row structure does not match the structure of the triggering table")
	f.fn.Columns = saved
	if err != nil {
		return err
	}
	f.retRow = true
	f.ret = types.Ref(&types.Record{Names: desc.names, Types: desc.types, Fields: row})
	return nil
}
