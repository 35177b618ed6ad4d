package funcs

import (
	"raisind/sql/types"
)

// overlaps is the SQL predicate over two periods. Each has a start and an end, in any
// order; a NULL end makes a period of its other end alone.
func overlaps(t *types.Type, addLeft, addRight EvalFunc) EvalFunc {
	return func(fc *Ctx, args []types.Datum) (types.Datum, error) {
		ends := [4]types.Datum{args[0], args[1], args[2], args[3]}
		for i, add := range []EvalFunc{addLeft, addRight} {
			if add == nil {
				continue
			}
			s, n := 2*i, 2*i+1
			if ends[s].IsNull() || ends[n].IsNull() {
				ends[n] = types.Null
				continue
			}
			d, err := add(fc, ends[s:n+1])
			if err != nil {
				return types.Null, err
			}
			ends[n] = d
		}
		return overlapping(t, ends), nil
	}
}

func overlapping(t *types.Type, e [4]types.Datum) types.Datum {
	for i := 0; i < 4; i += 2 {
		if e[i].IsNull() && e[i+1].IsNull() {
			return types.Null
		}
		if e[i].IsNull() || !e[i+1].IsNull() && types.Compare(t, e[i], e[i+1]) > 0 {
			e[i], e[i+1] = e[i+1], e[i]
		}
	}
	s1, e1, s2, e2 := e[0], e[1], e[2], e[3]
	c := types.Compare(t, s1, s2)
	switch {
	case c == 0:
		if e1.IsNull() || e2.IsNull() {
			return types.Null
		}
		return types.Bool(true)
	case c < 0: // swap, so that the first one starts later
		s1, s2, e1, e2 = s2, s1, e2, e1
	}
	switch {
	case e2.IsNull():
		return types.Null
	case types.Compare(t, s1, e2) < 0:
		return types.Bool(true)
	case e1.IsNull():
		return types.Null
	}
	return types.Bool(false)
}
