package plpgsql

import (
	"context"

	"raisind/pgerr"
	"raisind/sql/plan"
	"raisind/sql/planner"
	"raisind/sql/types"
)

func planStatement(ctx context.Context, q *fragment, opt planner.Options) (*plan.Statement, error) {
	return planner.Plan(ctx, q.stmt.Node, opt)
}

// cursorNamed is the name of the portal that a variable holds.
func (f *frame) cursorNamed(dno int) (string, error) {
	v := f.slots[dno].val
	if v.IsNull() {
		return "", pgerr.New(pgerr.NullValueNotAllowed, `cursor variable "%s" is null`, f.fn.vars[dno].name)
	}
	return v.Str(), nil
}

func (f *frame) openCursor(s *openCursor) error {
	return f.openPortal(s.dno, s.source, s.args, s.argList, s.scroll)
}

// openPortal opens a cursor and leaves its name in the variable.
func (f *frame) openPortal(dno int, src *querySource, args *fragment, list []int, scroll *bool) error {
	d := &f.fn.vars[dno]
	name, had := "", !f.slots[dno].val.IsNull()
	if had {
		name = f.slots[dno].val.Str()
		if _, err := f.in.host.CursorColumns(name); err == nil {
			return pgerr.New(pgerr.DuplicateCursor, `cursor "%s" already in use`, name)
		}
	} else if d.kind == cursorVar {
		name = d.name
		if _, err := f.in.host.CursorColumns(name); err == nil {
			return pgerr.New(pgerr.DuplicateCursor, `cursor "%s" already in use`, name)
		}
	} else {
		name = f.in.host.NewCursorName()
	}
	if src == nil {
		if args != nil {
			if err := f.cursorArguments(args, list); err != nil {
				return err
			}
		}
		src, scroll = &querySource{q: d.query}, d.scroll
	}
	var p *prepared
	var vals []types.Datum
	text := src.q.text
	if src.dynamic {
		q, err := f.dynamicQuery(src)
		if err != nil {
			return err
		}
		p, vals, text = q.p, q.vals, q.q.text
	} else {
		if !isPlanned(src.q.stmt.Node) {
			return pgerr.New(pgerr.InvalidCursorDefinition, "cannot open %s query as cursor", commandWord(src.q.text))
		}
		var err error
		if p, err = f.planOf(src.q); err != nil {
			return err
		}
		if p.st.Columns == nil {
			return pgerr.New(pgerr.InvalidCursorDefinition, "cannot open %s query as cursor", p.st.Verb)
		}
		vals = f.values(p, true)
	}
	if err := f.in.host.OpenCursor(f.ctx, name, text, p.st, vals, scroll); err != nil {
		return f.inFragment(err, src.q)
	}
	f.slots[dno].val = types.Str(name)
	return nil
}

// cursorArguments sets the variables of a cursor's arguments.
func (f *frame) cursorArguments(args *fragment, list []int) error {
	p, err := f.planOf(args)
	if err != nil {
		return err
	}
	var row types.Row
	if _, err := f.query(args, p, 1, func(r types.Row) error { row = append(types.Row{}, r...); return nil }); err != nil {
		return err
	}
	for i, dno := range list {
		if i < len(row) {
			if err := f.setScalar(dno, row[i], p.st.Columns[i].Type, -1); err != nil {
				return err
			}
		}
	}
	return nil
}

func (f *frame) fetch(s *fetch) error {
	name, err := f.cursorNamed(s.dno)
	if err != nil {
		return err
	}
	cols, err := f.in.host.CursorColumns(name)
	if err != nil {
		return err
	}
	count := s.count
	if s.n != nil {
		v, t, _, err := f.evalExpr(s.n)
		if err != nil {
			return err
		}
		if v, err = f.cast(v, t, types.TInt8, -1); err != nil {
			return err
		}
		if v.IsNull() {
			return pgerr.New(pgerr.NullValueNotAllowed, "relative or absolute cursor position is null")
		}
		count = v.Int()
	}
	var row types.Row
	n, err := f.in.host.FetchCursor(f.ctx, name, s.dir, count, s.all, func(r types.Row) error {
		row = append(types.Row{}, r...)
		return nil
	})
	if err != nil {
		return err
	}
	if s.into != nil {
		if row == nil {
			n = 0
		}
		if err := f.assignRow(s.into, cols, row, nil); err != nil {
			return err
		}
	}
	f.processed = n
	f.setFound(n > 0)
	return nil
}

func (f *frame) closeCursor(s *closeCursor) error {
	name, err := f.cursorNamed(s.dno)
	if err != nil {
		return err
	}
	return f.in.host.CloseCursor(name)
}

// forCursor opens a bound cursor, loops over it and closes it.
func (f *frame) forCursor(s *forQuery, body func([]plan.Column, types.Row, *prepared) error) error {
	given := !f.slots[s.cursor].val.IsNull()
	if err := f.openPortal(s.cursor, nil, s.args, s.argList, nil); err != nil {
		return err
	}
	name := f.slots[s.cursor].val.Str()
	cols, err := f.in.host.CursorColumns(name)
	if err != nil {
		return err
	}
	desc := &prepared{st: &plan.Statement{Columns: cols}}
	for {
		var row types.Row
		if _, err = f.in.host.FetchCursor(f.ctx, name, 0, 1, false, func(r types.Row) error {
			row = append(types.Row{}, r...)
			return nil
		}); err != nil || row == nil {
			break
		}
		if err = body(cols, row, desc); err != nil {
			break
		}
	}
	if _, failed := err.(bodyError); err == nil || err == errStop || !failed {
		if cerr := f.in.host.CloseCursor(name); cerr != nil && err == nil {
			err = cerr
		}
	}
	if !given {
		f.slots[s.cursor].val = types.Null
	}
	return err
}
