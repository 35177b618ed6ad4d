package plpgsql

import (
	"raisind/pgerr"
	"raisind/sql/types"
)

// cast converts a value as an assignment does: by a cast that applies to assignments, or
// through the text form.
func (f *frame) cast(v types.Datum, from, to *types.Type, typmod int32) (types.Datum, error) {
	if from == to && typmod < 0 || v.IsNull() && from != to {
		return v, nil
	}
	if from == to {
		if v.IsNull() {
			return v, nil
		}
		return types.ApplyTypmod(to, v, typmod, false)
	}
	env := f.env()
	if c, ok := types.FindCast(from, to); ok && (c.Context >= types.Assignment || from == types.TUnknown) {
		return c.Fn(env, v, typmod, false)
	}
	if to == types.TRecord || from == types.TRecord && v.Record() != nil && to.Category == types.CategoryComposite {
		return v, nil
	}
	return to.ParseText(string(from.AppendText(nil, v, env)), typmod, env)
}

func (f *frame) env() *types.Env {
	if f.eval.Ctx == nil {
		f.eval.Ctx = f.in.host.Funcs(f.ctx)
	}
	return f.eval.Env
}

// setScalar stores a value in a variable that is no record.
func (f *frame) setScalar(dno int, v types.Datum, t *types.Type, typmod int32) error {
	d := &f.fn.vars[dno]
	if d.t != nil && (t != d.t || d.typmod >= 0 && typmod != d.typmod) {
		var err error
		if v, err = f.cast(v, t, d.t, d.typmod); err != nil {
			return err
		}
	}
	if v.IsNull() && d.notNull {
		return pgerr.New(pgerr.NullValueNotAllowed, `null value cannot be assigned to variable "%s" declared NOT NULL`, d.name)
	}
	f.slots[dno].val = v
	return nil
}

// assignExpr evaluates an expression into a target.
func (f *frame) assignExpr(to *target, q *fragment) error {
	v := &f.fn.vars[to.dno]
	if len(to.path) == 0 && v.kind == recordVar {
		return f.assignRecord(to, q)
	}
	val, t, mod, err := f.evalExpr(q)
	if err != nil {
		return err
	}
	return f.assignTo(to, val, t, mod)
}

// assignRecord assigns to a whole record. A variable alone is copied field by field.
func (f *frame) assignRecord(to *target, q *fragment) error {
	p, err := f.planOf(q)
	if err != nil {
		return err
	}
	if len(p.st.Columns) == 1 {
		v, t, _, err := f.evalExpr(q)
		if err != nil {
			return err
		}
		if rec := v.Record(); rec == nil && !v.IsNull() || v.IsNull() && t != types.TRecord && t.Category != types.CategoryComposite && t != types.TText {
			return pgerr.New(pgerr.DatatypeMismatch, "cannot assign non-composite value to a record variable")
		}
		return f.storeRecord(to.dno, v)
	}
	return pgerr.New(pgerr.SyntaxError, "query returned %d columns", len(p.st.Columns))
}

// storeRecord makes a record variable hold a composite value, converted to its fields
// where they are declared.
func (f *frame) storeRecord(dno int, v types.Datum) error {
	d := &f.fn.vars[dno]
	rec := v.Record()
	if rec == nil {
		if d.notNull {
			return pgerr.New(pgerr.NullValueNotAllowed, `null value cannot be assigned to variable "%s" declared NOT NULL`, d.name)
		}
		f.slots[dno].vals = nil
		return nil
	}
	if d.desc == nil {
		f.setRecordDatum(dno, v)
		return nil
	}
	return f.storeRow(dno, rec.Fields, rec.Types)
}

// storeRow fills a record whose fields are known: surplus values are dropped, missing ones
// are NULL.
func (f *frame) storeRow(dno int, vals []types.Datum, ts []*types.Type) error {
	s := &f.slots[dno]
	out := make([]types.Datum, len(s.desc.types))
	for i := range out {
		if i >= len(vals) {
			break
		}
		v, err := f.cast(vals[i], ts[i], s.desc.types[i], s.desc.typmods[i])
		if err != nil {
			return err
		}
		out[i] = v
	}
	s.vals = out
	return nil
}

// assignTo stores a value in a variable or a part of one.
func (f *frame) assignTo(to *target, v types.Datum, t *types.Type, typmod int32) error {
	d := &f.fn.vars[to.dno]
	switch {
	case len(to.path) > 0:
		return f.assignPart(to, v, t, typmod)
	case d.kind == recordVar:
		if rec := v.Record(); rec == nil && !v.IsNull() {
			return pgerr.New(pgerr.DatatypeMismatch, "cannot assign non-composite value to a record variable")
		}
		return f.storeRecord(to.dno, v)
	case d.kind == rowVar:
		list := f.fn.rows[to.dno]
		if rec := v.Record(); rec != nil {
			return f.spread(list, rec.Fields, rec.Types)
		}
		return f.spread(list, []types.Datum{v}, []*types.Type{t})
	}
	return f.setScalar(to.dno, v, t, typmod)
}

// spread assigns values to a list of targets; missing ones are NULL.
func (f *frame) spread(list []target, vals []types.Datum, ts []*types.Type) error {
	for i := range list {
		v, t := types.Null, types.TText
		if i < len(vals) {
			v, t = vals[i], ts[i]
		}
		if err := f.assignTo(&list[i], v, t, -1); err != nil {
			return err
		}
	}
	return nil
}

// assignPart stores a value in a field of a record or an element of an array.
func (f *frame) assignPart(to *target, v types.Datum, t *types.Type, typmod int32) error {
	d := &f.fn.vars[to.dno]
	s := &f.slots[to.dno]
	if d.kind != recordVar {
		cur, err := f.replaced(s.val, d.t, to.path, v, t, to.name)
		if err != nil {
			return err
		}
		s.val = cur
		return nil
	}
	name := to.path[0].field
	if s.desc == nil {
		return pgerr.New(pgerr.ObjectNotInPrerequisiteState, `record "%s" is not assigned yet`, d.name).
			WithDetail("The tuple structure of a not-yet-assigned record is indeterminate.")
	}
	i := -1
	if to.path[0].index == nil {
		i = s.desc.find(name)
	}
	if i < 0 {
		return pgerr.New(pgerr.UndefinedColumn, `record "%s" has no field "%s"`, d.name, name)
	}
	if s.vals == nil {
		s.vals = make([]types.Datum, len(s.desc.types))
	} else {
		s.vals = append([]types.Datum(nil), s.vals...) // others may hold it
	}
	var err error
	if len(to.path) == 1 {
		s.vals[i], err = f.cast(v, t, s.desc.types[i], s.desc.typmods[i])
		return err
	}
	s.vals[i], err = f.replaced(s.vals[i], s.desc.types[i], to.path[1:], v, t, to.name)
	return err
}

// replaced is the value cur of type t with the part at path replaced by v of type from.
func (f *frame) replaced(cur types.Datum, t *types.Type, path []step, v types.Datum, from *types.Type, name string) (types.Datum, error) {
	if path[0].index == nil {
		rec := cur.Record()
		if rec == nil {
			return cur, pgerr.New(pgerr.DatatypeMismatch, `cannot assign to field "%s" of column "%s" because its type %s is not a composite type`, path[0].field, name, t)
		}
		for i, n := range rec.Names {
			if n != path[0].field {
				continue
			}
			c := *rec
			c.Fields = append([]types.Datum(nil), rec.Fields...)
			var err error
			if len(path) > 1 {
				c.Fields[i], err = f.replaced(c.Fields[i], c.Types[i], path[1:], v, from, name)
			} else {
				c.Fields[i], err = f.cast(v, from, c.Types[i], -1)
			}
			return types.Ref(&c), err
		}
		return cur, pgerr.New(pgerr.UndefinedColumn, `cannot assign to field "%s" of column "%s" because there is no such column in data type %s`, path[0].field, name, t)
	}
	var at []int32
	for len(path) > 0 && path[0].index != nil {
		i, it, _, err := f.evalExpr(path[0].index)
		if err != nil {
			return cur, err
		}
		if i, err = f.cast(i, it, types.TInt4, -1); err != nil {
			return cur, err
		}
		if i.IsNull() {
			return cur, pgerr.New(pgerr.NullValueNotAllowed, "array subscript in assignment must not be null")
		}
		at, path = append(at, int32(i.Int())), path[1:]
	}
	if !t.IsArray() {
		return f.replacedJSON(cur, t, at, v, from)
	}
	if len(path) > 0 {
		old := elementAt(cur.Array(), at)
		nv, err := f.replaced(old, t.Elem, path, v, from, name)
		if err != nil {
			return cur, err
		}
		return setElement(cur.Array(), t.Elem, at, nv)
	}
	v, err := f.cast(v, from, t.Elem, -1)
	if err != nil {
		return cur, err
	}
	return setElement(cur.Array(), t.Elem, at, v)
}

func (f *frame) replacedJSON(cur types.Datum, t *types.Type, _ []int32, _ types.Datum, _ *types.Type) (types.Datum, error) {
	return cur, pgerr.New(pgerr.DatatypeMismatch, "cannot subscript type %s because it does not support subscripting", t)
}

// place is where an element lies; -1 when it does not.
func place(a *types.Array, at []int32) int {
	if a == nil || len(at) != len(a.Dims) {
		return -1
	}
	n := 0
	for i, x := range at {
		x -= a.Lower[i]
		if x < 0 || x >= a.Dims[i] {
			return -1
		}
		n = n*int(a.Dims[i]) + int(x)
	}
	return n
}

func elementAt(a *types.Array, at []int32) types.Datum {
	if i := place(a, at); i >= 0 {
		return a.Elems[i]
	}
	return types.Null
}

// maxArray bounds the elements of an array.
const maxArray = 134217727

// setElement is a copy of an array with one element set. A one-dimensional array grows to
// hold it, with NULLs between.
func setElement(a *types.Array, elem *types.Type, at []int32, v types.Datum) (types.Datum, error) {
	if a == nil || len(a.Dims) == 0 {
		dims := make([]int32, len(at))
		for i := range dims {
			dims[i] = 1
		}
		return types.Ref(&types.Array{Elem: elem, Dims: dims, Lower: at, Elems: []types.Datum{v}}), nil
	}
	if len(at) != len(a.Dims) {
		return types.Null, pgerr.New(pgerr.ArraySubscriptError, "wrong number of array subscripts")
	}
	c := *a
	if i := place(a, at); i >= 0 {
		c.Elems = append([]types.Datum(nil), a.Elems...)
		c.Elems[i] = v
		return types.Ref(&c), nil
	}
	if len(a.Dims) > 1 {
		return types.Null, pgerr.New(pgerr.ArraySubscriptError, "array subscript out of range")
	}
	low, high := min(int64(a.Lower[0]), int64(at[0])), max(int64(a.Lower[0])+int64(a.Dims[0])-1, int64(at[0]))
	if high-low+1 > maxArray {
		return types.Null, pgerr.New(pgerr.ProgramLimitExceeded, "array size exceeds the maximum allowed (%d)", maxArray)
	}
	c.Lower, c.Dims = []int32{int32(low)}, []int32{int32(high - low + 1)}
	c.Elems = make([]types.Datum, high-low+1)
	copy(c.Elems[int64(a.Lower[0])-low:], a.Elems)
	c.Elems[int64(at[0])-low] = v
	return types.Ref(&c), nil
}
