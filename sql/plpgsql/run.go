package plpgsql

import (
	"context"

	"raisind/pgerr"
	"raisind/sql/exec"
	"raisind/sql/types"
)

// outcome is how a statement ended.
type outcome uint8

const (
	rcOK outcome = iota
	rcExit
	rcContinue
	rcReturn
)

// block runs a block, as a subtransaction when it has handlers.
func (f *frame) block(b *block) (outcome, error) {
	f.cur, f.text = b, "during statement block local variable initialization"
	for _, dno := range b.init {
		f.cur = &block{at: at(f.fn.vars[dno].line)}
		if err := f.initVariable(dno); err != nil {
			return rcOK, err
		}
	}
	f.cur, f.text = b, ""
	if len(b.handlers) == 0 {
		return f.stmts(b.body)
	}
	saved := f.err
	sub := f.in.host.Savepoint()
	depth, calls := len(f.in.stack), f.in.depth
	rc, err := f.stmts(b.body)
	if err == nil {
		sub.Release()
		return rc, nil
	}
	e := *pgerr.From(exec.MapError(err))
	f.in.stack, f.in.depth = f.in.stack[:depth], calls
	h := b.handlerOf(&e)
	if h == nil || f.ctx.Err() != nil {
		sub.Release()
		return rcOK, err
	}
	// What handlers are told as the context is the whole stack.
	f.text = ""
	e.AddContext(f.in.context())
	sub.Rollback()
	f.err = &e
	f.slots[b.state].val, f.slots[b.message].val = types.Str(e.Code.String()), types.Str(e.Msg)
	rc, err = f.stmts(h.body)
	f.err = saved
	return rc, err
}

// handlerOf finds the handler of an error. OTHERS are all but cancellation and ASSERT.
func (b *block) handlerOf(e *pgerr.Error) *handler {
	for i := range b.handlers {
		for _, c := range b.handlers[i].conditions {
			state := e.Code.String()
			switch {
			case c.others:
				if e.Code != pgerr.QueryCanceled && e.Code != pgerr.AssertFailure {
					return &b.handlers[i]
				}
			case c.code == state, len(c.code) == 5 && c.code[2:] == "000" && c.code == e.Code.Class():
				return &b.handlers[i]
			}
		}
	}
	return nil
}

// initVariable gives a variable its default.
func (f *frame) initVariable(dno int) error {
	v := &f.fn.vars[dno]
	s := &f.slots[dno]
	switch v.kind {
	case recordVar:
		s.vals, s.desc = nil, v.desc
		if v.def == nil {
			return nil
		}
		return f.assignExpr(&target{dno: dno, name: v.name}, v.def)
	case cursorVar:
		s.val = types.Null
		return nil
	}
	s.val = types.Null
	if v.def == nil {
		return nil
	}
	val, t, mod, err := f.evalExpr(v.def)
	if err != nil {
		return err
	}
	return f.setScalar(dno, val, t, mod)
}

func (f *frame) stmts(list []stmt) (outcome, error) {
	for _, s := range list {
		if rc, err := f.stmt(s); rc != rcOK || err != nil {
			return rc, err
		}
	}
	return rcOK, nil
}

func (f *frame) stmt(s stmt) (outcome, error) {
	f.cur, f.text = s, ""
	if f.ctx.Err() != nil {
		return rcOK, context.Cause(f.ctx)
	}
	rc, err := f.dispatch(s)
	if err == nil {
		f.cur = s
	}
	return rc, err
}

func (f *frame) dispatch(s stmt) (outcome, error) {
	switch s := s.(type) {
	case *assign:
		return rcOK, f.assignExpr(&s.to, s.value)
	case *ifStmt:
		return f.ifStmt(s)
	case *execSQL:
		return rcOK, f.execSQL(s)
	case *returnStmt:
		return rcReturn, f.returnStmt(s)
	case *block:
		rc, err := f.block(s)
		return f.left(rc, s.label), err
	case *caseStmt:
		return f.caseStmt(s)
	case *loop:
		return f.loop(s)
	case *forInt:
		return f.forInt(s)
	case *forQuery:
		return f.forQuery(s)
	case *forEach:
		return f.forEach(s)
	case *exit:
		return f.exit(s)
	case *returnNext:
		return rcOK, f.returnNext(s)
	case *returnQuery:
		return rcOK, f.returnQuery(s)
	case *raise:
		return rcOK, f.raise(s)
	case *assert:
		return rcOK, f.assert(s)
	case *execute:
		return rcOK, f.execute(s)
	case *getDiag:
		return rcOK, f.getDiag(s)
	case *openCursor:
		return rcOK, f.openCursor(s)
	case *fetch:
		return rcOK, f.fetch(s)
	case *closeCursor:
		return rcOK, f.closeCursor(s)
	case *endTxn:
		if f.atomic {
			return rcOK, pgerr.New(pgerr.InvalidTransactionTermination, "invalid transaction termination")
		}
		f.eval.Ctx = nil
		return rcOK, f.in.host.EndTransaction(f.ctx, s.commit, s.chain)
	}
	return rcOK, pgerr.New(pgerr.InternalError, "unrecognized statement")
}

// left is what EXIT from a labelled block comes to.
func (f *frame) left(rc outcome, label string) outcome {
	if rc == rcExit && f.label != "" && f.label == label {
		f.label = ""
		return rcOK
	}
	return rc
}

// again tells a loop what its body's outcome means: whether to go on, and with what to
// leave otherwise.
func (f *frame) again(rc outcome, label string) (on bool, leave outcome) {
	mine := f.label == "" || f.label == label
	switch {
	case rc == rcOK:
		return true, rcOK
	case rc == rcExit && mine:
		f.label = ""
		return false, rcOK
	case rc == rcContinue && mine:
		f.label = ""
		return true, rcOK
	}
	return false, rc
}

func (f *frame) ifStmt(s *ifStmt) (outcome, error) {
	for i, c := range s.conds {
		ok, err := f.condition(c)
		if err != nil {
			return rcOK, err
		}
		if ok {
			return f.stmts(s.bodies[i])
		}
	}
	return f.stmts(s.orElse)
}

func (f *frame) caseStmt(s *caseStmt) (outcome, error) {
	if s.subject != nil {
		v, t, mod, err := f.evalExpr(s.subject)
		if err != nil {
			return rcOK, err
		}
		f.fn.vars[s.subj].t, f.fn.vars[s.subj].typmod = t, mod
		f.slots[s.subj].val = v
	}
	for i, c := range s.conds {
		ok, err := f.condition(c)
		if err != nil {
			return rcOK, err
		}
		if ok {
			return f.stmts(s.bodies[i])
		}
	}
	if !s.hasElse {
		return rcOK, pgerr.New(pgerr.CaseNotFound, "case not found").WithHint("CASE statement is missing ELSE part.")
	}
	return f.stmts(s.orElse)
}

func (f *frame) loop(s *loop) (outcome, error) {
	for {
		f.cur = s
		if f.ctx.Err() != nil {
			return rcOK, context.Cause(f.ctx)
		}
		if s.cond != nil {
			ok, err := f.condition(s.cond)
			if err != nil || !ok {
				return rcOK, err
			}
		}
		rc, err := f.stmts(s.body)
		if err != nil {
			return rcOK, err
		}
		if on, leave := f.again(rc, s.label); !on {
			return leave, nil
		}
	}
}

// bound computes a bound of an integer loop.
func (f *frame) bound(q *fragment, what string) (int64, error) {
	v, t, _, err := f.evalExpr(q)
	if err != nil {
		return 0, err
	}
	if v, err = f.cast(v, t, types.TInt4, -1); err != nil {
		return 0, err
	}
	if v.IsNull() {
		return 0, pgerr.New(pgerr.NullValueNotAllowed, "%s of FOR loop cannot be null", what)
	}
	return v.Int(), nil
}

func (f *frame) forInt(s *forInt) (outcome, error) {
	low, err := f.bound(s.low, "lower bound")
	if err != nil {
		return rcOK, err
	}
	high, err := f.bound(s.high, "upper bound")
	if err != nil {
		return rcOK, err
	}
	step := int64(1)
	if s.step != nil {
		if step, err = f.bound(s.step, "BY value"); err != nil {
			return rcOK, err
		}
		if step <= 0 {
			return rcOK, pgerr.New(pgerr.InvalidParameterValue, "BY value of FOR loop must be greater than zero")
		}
	}
	if s.reverse {
		step = -step
	}
	found := false
	defer func() { f.setFound(found) }()
	for i := low; step > 0 && i <= high || step < 0 && i >= high; i += step {
		found = true
		f.cur = s
		f.slots[s.dno].val = types.Int(i)
		rc, err := f.stmts(s.body)
		if err != nil {
			return rcOK, err
		}
		if on, leave := f.again(rc, s.label); !on {
			return leave, nil
		}
		if f.ctx.Err() != nil {
			return rcOK, context.Cause(f.ctx)
		}
		if next := i + step; next > 1<<31-1 || next < -1<<31 {
			break
		}
	}
	return rcOK, nil
}

func (f *frame) setFound(on bool) { f.slots[f.fn.found].val = types.Bool(on) }

func (f *frame) forEach(s *forEach) (outcome, error) {
	v, t, _, err := f.evalExpr(s.array)
	if err != nil {
		return rcOK, err
	}
	switch {
	case v.IsNull():
		return rcOK, pgerr.New(pgerr.NullValueNotAllowed, "FOREACH expression must not be null")
	case !t.IsArray():
		return rcOK, pgerr.New(pgerr.DatatypeMismatch, "FOREACH expression must yield an array, not type %s", t)
	}
	a := v.Array()
	if s.slice < 0 || s.slice > len(a.Dims) {
		return rcOK, pgerr.New(pgerr.ArraySubscriptError, "slice dimension (%d) is out of the valid range 0..%d", s.slice, len(a.Dims))
	}
	isArray := false
	if k := &f.fn.vars[s.into.dno]; k.t != nil && len(s.into.path) == 0 {
		isArray = k.t.IsArray()
	}
	if s.slice > 0 && !isArray {
		return rcOK, pgerr.New(pgerr.DatatypeMismatch, "FOREACH ... SLICE loop variable must be of an array type")
	}
	if s.slice == 0 && isArray {
		return rcOK, pgerr.New(pgerr.DatatypeMismatch, "FOREACH loop variable must not be of an array type")
	}
	found := false
	defer func() { f.setFound(found) }()
	size := 1
	for _, d := range a.Dims[len(a.Dims)-s.slice:] {
		size *= int(d)
	}
	for i := 0; size > 0 && i+size <= len(a.Elems); i += size {
		found = true
		f.cur = s
		item, it := a.Elems[i], t.Elem
		if s.slice > 0 {
			n := len(a.Dims) - s.slice
			item, it = types.Ref(&types.Array{Elem: a.Elem, Dims: a.Dims[n:], Lower: a.Lower[n:], Elems: a.Elems[i : i+size]}), t
		}
		if err := f.assignTo(&s.into, item, it, -1); err != nil {
			return rcOK, err
		}
		rc, err := f.stmts(s.body)
		if err != nil {
			return rcOK, err
		}
		if on, leave := f.again(rc, s.label); !on {
			return leave, nil
		}
	}
	return rcOK, nil
}

func (f *frame) exit(s *exit) (outcome, error) {
	if s.cond != nil {
		ok, err := f.condition(s.cond)
		if err != nil || !ok {
			return rcOK, err
		}
	}
	f.label = s.label
	if s.next {
		return rcContinue, nil
	}
	return rcExit, nil
}
