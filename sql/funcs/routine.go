package funcs

import (
	"raisind/pgerr"
	"raisind/sql/types"
)

// RoutineCaller may be implemented by a Session: it runs functions that users define.
type RoutineCaller interface {
	// CallRoutine runs a function. ts are the types of the arguments and result the type of
	// the call, which differ from the declared ones where those are polymorphic.
	CallRoutine(fc *Ctx, oid uint32, ts []*types.Type, result *types.Type, args []types.Datum) (types.Datum, error)
	// CallSetRoutine runs one that returns a set.
	CallSetRoutine(fc *Ctx, oid uint32, ts []*types.Type, result *types.Type, args []types.Datum) (RowSource, error)
}

// Routine describes a function that a user defines.
type Routine struct {
	OID  uint32
	Name string
	Args []Arg // those of a call; Default is set where there is one
	// Defaults is how many arguments at the end have one.
	Defaults   int
	Variadic   bool
	Result     *types.Type
	Set        bool
	Columns    []Arg // of a composite result
	Volatility Volatility
	Strict     bool
}

// Overload makes an entry of a user's function, to be resolved beside those of the table.
func (r *Routine) Overload() *Overload {
	f := &Func{Name: r.Name, Title: r.Name, Volatility: r.Volatility, Nulls: CalledOnNull}
	if r.Strict {
		f.Nulls = NullOnNull
	}
	o := &Overload{
		Args: r.Args, Result: r.Result, Variadic: r.Variadic, Defaults: make([]types.Datum, r.Defaults), Columns: r.Columns,
		Func: f, Routine: r.OID,
	}
	oid := r.OID
	result := func(ts []*types.Type) *types.Type { return concreteResult(r, ts) }
	if r.Set {
		o.SetFor = func(ts []*types.Type) SetFunc {
			t := result(ts)
			return func(fc *Ctx, args []types.Datum) (RowSource, error) {
				c, ok := fc.Session.(RoutineCaller)
				if !ok {
					return nil, noRoutines(r.Name)
				}
				return c.CallSetRoutine(fc, oid, ts, t, args)
			}
		}
		return o
	}
	o.Eval = unbound
	o.EvalFor = func(ts []*types.Type) EvalFunc {
		t := result(ts)
		return func(fc *Ctx, args []types.Datum) (types.Datum, error) {
			c, ok := fc.Session.(RoutineCaller)
			if !ok {
				return types.Null, noRoutines(r.Name)
			}
			return c.CallRoutine(fc, oid, ts, t, args)
		}
	}
	return o
}

func noRoutines(name string) error {
	return pgerr.New(pgerr.FeatureNotSupported, "function %s cannot be called here", name)
}

// concreteResult is what a polymorphic result stands for in a call.
func concreteResult(r *Routine, ts []*types.Type) *types.Type {
	if !r.Result.IsPolymorphic() {
		return r.Result
	}
	for i, a := range r.Args {
		if i >= len(ts) || !a.Type.IsPolymorphic() {
			continue
		}
		elem := ts[i]
		if a.Type == types.TAnyArray || a.Type == types.TAnyCompatibleArray {
			elem = ts[i].Elem
		}
		if r.Result == types.TAnyArray || r.Result == types.TAnyCompatibleArray {
			return elem.Array()
		}
		return elem
	}
	return r.Result
}

// triggerDepth is pg_trigger_depth().
func triggerDepth(fc *Ctx, _ []types.Datum) (types.Datum, error) {
	if d, ok := fc.Session.(TriggerDepther); ok {
		return types.Int(int64(d.TriggerDepth())), nil
	}
	return types.Int(0), nil
}

// SpreadRecords makes of a set of records a set of rows with the columns given.
func SpreadRecords(set SetFunc, cols []Arg) SetFunc {
	return func(fc *Ctx, args []types.Datum) (RowSource, error) {
		src, err := set(fc, args)
		if err != nil {
			return nil, err
		}
		return rowFunc(func() (types.Row, bool, error) {
			row, ok, err := src.Next()
			if err != nil || !ok {
				return nil, false, err
			}
			rec := row[0].Record()
			if rec == nil {
				return make(types.Row, len(cols)), true, nil
			}
			mismatch := pgerr.New(pgerr.DatatypeMismatch, "function return row and query-specified return row do not match")
			if len(rec.Fields) != len(cols) {
				return nil, false, mismatch.WithDetail("Returned row contains %d attributes, but query expects %d.", len(rec.Fields), len(cols))
			}
			for i, t := range rec.Types {
				if t != cols[i].Type {
					return nil, false, mismatch.WithDetail("Returned type %s at ordinal position %d, but query expects %s.", t, i+1, cols[i].Type)
				}
			}
			if len(cols) == 1 {
				return types.Row{rec.Fields[0]}, true, nil
			}
			return rec.Fields, true, nil
		}), nil
	}
}
