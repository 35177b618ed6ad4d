package plpgsql

import (
	"context"
	"strings"

	"raisind/pgerr"
	"raisind/sql/ast"
	"raisind/sql/exec"
	"raisind/sql/expr"
	"raisind/sql/funcs"
	"raisind/sql/parser"
	"raisind/sql/plan"
	"raisind/sql/planner"
	"raisind/sql/types"
)

// Host is the session that functions run in.
type Host interface {
	Types
	// PlannerOptions are those of a statement within a function.
	PlannerOptions(sql string) planner.Options
	// PlanKey is equal for settings under which plans are the same, CatalogVersion for
	// catalogs.
	PlanKey() string
	CatalogVersion() uint64
	// Open begins the execution of a plan.
	Open(ctx context.Context, st *plan.Statement, params []types.Datum) (*exec.Query, error)
	Funcs(ctx context.Context) *funcs.Ctx
	// Utility runs a statement that is not planned and returns its tag's row count.
	Utility(ctx context.Context, st parser.Statement, vars planner.Variables, params func() []types.Datum) (Result, error)
	// Savepoint begins a subtransaction.
	Savepoint() Subtransaction
	// EndTransaction is COMMIT or ROLLBACK in a procedure.
	EndTransaction(ctx context.Context, commit, chain bool) error
	Notice(e *pgerr.Error)
	// The cursors are the session's portals.
	OpenCursor(ctx context.Context, name string, text string, st *plan.Statement, params []types.Datum, scroll *bool) error
	CursorColumns(name string) ([]plan.Column, error)
	FetchCursor(ctx context.Context, name string, dir ast.FetchDirection, count int64, all bool, row func(types.Row) error) (int64, error)
	CloseCursor(name string) error
	NewCursorName() string
}

// Result is what a statement that is not planned gives.
type Result struct {
	Columns []plan.Column
	Rows    []types.Row
	Count   int64
	// Out tells that Rows holds the output arguments of a procedure.
	Out bool
}

// Subtransaction is a part of a transaction that can be taken back.
type Subtransaction interface {
	Release()
	Rollback()
}

// maxDepth bounds how deep calls nest; at some kilobytes a call, far from the bound of
// the process.
const maxDepth = 2500

// Interpreter runs the functions of one session.
type Interpreter struct {
	host  Host
	stack []entry
	depth int
}

// New makes an interpreter.
func New(h Host) *Interpreter { return &Interpreter{host: h} }

// entry is what a CONTEXT line is made of: a call, or a statement of SQL at work.
type entry struct {
	frame *frame
	sql   string
}

func (e *entry) line() string {
	if e.frame != nil {
		return e.frame.where()
	}
	return e.sql
}

// context is the whole call stack, innermost first.
func (in *Interpreter) context() string {
	var lines []string
	for i := len(in.stack) - 1; i >= 0; i-- {
		lines = append(lines, in.stack[i].line())
	}
	return strings.Join(lines, "\n")
}

// slot holds the value of a variable.
type slot struct {
	val types.Datum
	// of a record: its fields, nil when not assigned, and their values, nil for NULL.
	desc *fields
	vals []types.Datum
}

// frame is one call of a function.
type frame struct {
	in    *Interpreter
	ctx   context.Context
	fn    *Function
	slots []slot
	cur   stmt
	// text is said in CONTEXT instead of the statement.
	text string
	// sqlAt is the number of the statement of a function in SQL.
	sqlAt int

	label   string // of EXIT and CONTINUE on their way
	ret     types.Datum
	retRow  bool
	retNull bool
	// rows are those of RETURN NEXT and RETURN QUERY; width is that of the result.
	rows      []types.Row
	processed int64
	err       *pgerr.Error // being handled
	rethrown  *pgerr.Error // by RAISE alone
	atomic    bool
	tables    map[string]*Transition
	eval      expr.Ctx
	params    []types.Datum
}

// where is the frame's CONTEXT line.
func (f *frame) where() string {
	if f.fn.root == nil {
		return `SQL function "` + f.fn.Name + `" statement ` + itoa(max(f.sqlAt, 1))
	}
	s := "PL/pgSQL function " + f.fn.Signature
	switch {
	case f.text != "" && f.cur != nil:
		return s + " line " + itoa(f.cur.line()) + " " + f.text
	case f.text != "":
		return s + " " + f.text
	case f.cur != nil:
		return s + " line " + itoa(f.cur.line()) + " at " + f.cur.what()
	}
	return s
}

// ctx is what a body is checked in.
func (in *Interpreter) ctx() context.Context { return context.Background() }

// enter opens a call.
func (in *Interpreter) enter(f *frame) error {
	if in.depth++; in.depth > maxDepth {
		in.depth--
		return TooDeep()
	}
	in.stack = append(in.stack, entry{frame: f})
	return nil
}

// TooDeep is the error of calls that nest too deep.
func TooDeep() *pgerr.Error {
	return pgerr.New(pgerr.StatementTooComplex, "stack depth limit exceeded").
		WithHint(`Increase the configuration parameter "max_stack_depth" (currently 2048kB), after ensuring the platform's stack depth limit is adequate.`)
}

// leave closes it; err gets the call's CONTEXT line.
func (in *Interpreter) leave(f *frame, err error) error {
	in.depth--
	in.stack = in.stack[:len(in.stack)-1]
	if err == nil {
		return nil
	}
	e := *pgerr.From(exec.MapError(err))
	if f.rethrown == nil || err != error(f.rethrown) { // whose context has this call's line
		e.AddContext(f.where())
	}
	return &e
}

// newFrame makes the variables of a call.
func (in *Interpreter) newFrame(ctx context.Context, fn *Function) *frame {
	f := &frame{in: in, ctx: ctx, fn: fn, slots: make([]slot, len(fn.vars))}
	for i := range fn.vars {
		f.slots[i].desc = fn.vars[i].desc
	}
	f.slots[fn.found].val = types.Bool(false)
	return f
}

// Call runs a function that returns one value.
func (in *Interpreter) Call(ctx context.Context, fn *Function, args []types.Datum) (types.Datum, error) {
	f := in.newFrame(ctx, fn)
	f.atomic = true
	return in.run(f, args)
}

// CallProcedure runs a procedure; it may end transactions unless atomic. The result is a
// record of its output arguments, NULL without.
func (in *Interpreter) CallProcedure(ctx context.Context, fn *Function, args []types.Datum, atomic bool) (types.Datum, error) {
	f := in.newFrame(ctx, fn)
	f.atomic = atomic
	return in.run(f, args)
}

// CallSet runs a function that returns a set and collects its rows.
func (in *Interpreter) CallSet(ctx context.Context, fn *Function, args []types.Datum) ([]types.Row, error) {
	f := in.newFrame(ctx, fn)
	f.atomic = true
	if _, err := in.run(f, args); err != nil {
		return nil, err
	}
	return f.rows, nil
}

func (in *Interpreter) run(f *frame, args []types.Datum) (types.Datum, error) {
	if err := in.enter(f); err != nil {
		return types.Null, err
	}
	v, err := f.call(args)
	return v, in.leave(f, err)
}

// call stores the arguments, runs the body and makes the result.
func (f *frame) call(args []types.Datum) (types.Datum, error) {
	fn := f.fn
	f.text = "while storing call arguments into local variables"
	for i, dno := range fn.ins {
		if i >= len(args) {
			break
		}
		s := &f.slots[dno]
		if fn.vars[dno].kind == recordVar {
			f.setRecordDatum(dno, args[i])
			continue
		}
		s.val = args[i]
	}
	f.text = ""
	if fn.root == nil {
		return f.runSQL()
	}
	rc, err := f.block(fn.root)
	if err != nil {
		return types.Null, err
	}
	f.cur = nil
	if rc != rcReturn && !fn.Set {
		switch {
		case fn.Procedure, fn.Inline, fn.Result == types.TVoid, len(fn.outs) > 0:
		default:
			return types.Null, pgerr.New(pgerr.NoReturnStatement, "control reached end of function without RETURN")
		}
	}
	if fn.Set || fn.Trigger {
		return types.Null, nil
	}
	if len(fn.outs) > 0 {
		return f.outValue(), nil
	}
	return f.ret, nil
}

// outValue is the value of the output arguments: the only one, or a record.
func (f *frame) outValue() types.Datum {
	fn := f.fn
	if len(fn.outs) == 1 && !fn.Procedure {
		return f.whole(fn.outs[0])
	}
	rec := &types.Record{}
	for _, dno := range fn.outs {
		v := &fn.vars[dno]
		rec.Names, rec.Types, rec.Fields = append(rec.Names, v.name), append(rec.Types, v.t), append(rec.Fields, f.whole(dno))
	}
	return types.Ref(rec)
}

// whole is the value of a variable, a record as one value.
func (f *frame) whole(dno int) types.Datum {
	s := &f.slots[dno]
	if f.fn.vars[dno].kind != recordVar {
		return s.val
	}
	if s.desc == nil || s.vals == nil {
		return types.Null
	}
	return types.Ref(&types.Record{Names: s.desc.names, Types: s.desc.types, Fields: append([]types.Datum(nil), s.vals...)})
}

// setRecordDatum makes a record variable hold a composite value.
func (f *frame) setRecordDatum(dno int, d types.Datum) {
	s := &f.slots[dno]
	rec := d.Record()
	if rec == nil {
		s.vals = nil
		return
	}
	if s.desc == nil || f.fn.vars[dno].desc == nil && !sameFields(s.desc, rec) {
		mods := make([]int32, len(rec.Types))
		names := make([]string, len(rec.Types))
		for i := range mods {
			mods[i], names[i] = -1, "f"+itoa(i+1)
			if i < len(rec.Names) {
				names[i] = rec.Names[i]
			}
		}
		s.desc = &fields{names, rec.Types, mods}
	}
	s.vals = append(s.vals[:0:0], rec.Fields...)
	for len(s.vals) < len(s.desc.types) {
		s.vals = append(s.vals, types.Null)
	}
}

func sameFields(f *fields, rec *types.Record) bool {
	if len(f.types) != len(rec.Types) {
		return false
	}
	for i := range f.types {
		if f.types[i] != rec.Types[i] || i < len(rec.Names) && f.names[i] != rec.Names[i] {
			return false
		}
	}
	return true
}
