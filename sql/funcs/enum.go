package funcs

import (
	"raisind/pgerr"
	"raisind/sql/types"
)

// enumFuncs are the functions of every enum; the type of the argument says which,
// its value may be NULL.
func enumFuncs() []Func {
	one := func(at func(n int) int) func([]*types.Type) EvalFunc {
		return func(args []*types.Type) EvalFunc {
			labels := args[0].Labels()
			return func(*Ctx, []types.Datum) (types.Datum, error) {
				if len(labels) == 0 {
					return types.Null, pgerr.New(pgerr.ObjectNotInPrerequisiteState, "enum %s contains no values", args[0])
				}
				return types.Int(int64(labels[at(len(labels))].OID)), nil
			}
		}
	}
	list := func(args []*types.Type) EvalFunc {
		t := args[0]
		return func(_ *Ctx, values []types.Datum) (types.Datum, error) {
			var elems []types.Datum
			in := func(d types.Datum) bool {
				if !values[0].IsNull() && len(values) > 1 && types.Compare(t, d, values[0]) < 0 {
					return false
				}
				return len(values) < 2 || values[1].IsNull() || types.Compare(t, d, values[1]) <= 0
			}
			for _, l := range t.Labels() {
				if d := types.Int(int64(l.OID)); in(d) {
					elems = append(elems, d)
				}
			}
			return types.Ref(newArray(t, elems)), nil
		}
	}
	fn := func(name, doc string, example Example, overloads ...Overload) Func {
		return Func{
			Name: name, Group: groupSystem, Volatility: Stable, Nulls: CalledOnNull, Doc: doc,
			Examples: []Example{example}, Overloads: overloads,
		}
	}
	return []Func{
		fn("enum_first", "The first value of an enum.", Example{"SELECT enum_first(NULL::mood)", "sad"}, typed("anyenum", "anyenum", one(func(int) int { return 0 }))),
		fn("enum_last", "The last value of an enum.", Example{"SELECT enum_last(NULL::mood)", "happy"}, typed("anyenum", "anyenum", one(func(n int) int { return n - 1 }))),
		fn("enum_range", "The values of an enum, or those between two.", Example{"SELECT enum_range('ok'::mood, NULL)", "{ok,happy}"},
			typed("anyenum", "anyarray", list), typed("anyenum,anyenum", "anyarray", list)),
	}
}
