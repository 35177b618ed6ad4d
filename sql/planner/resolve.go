package planner

import (
	"slices"

	"raisind/pgerr"
	"raisind/sql/types"
)

// candidate is one signature that a call might mean.
type candidate struct {
	// args has a declared type for each argument of the call.
	args []*types.Type
	// order maps parameters to arguments when some are named; nil: in order.
	order []int
	// variadic is how many arguments at the end go into the array; -1: none do.
	variadic int
	// defaults is how many parameters at the end are left out.
	defaults int
	index    int // in the caller's list
}

// exact reports whether the declared types are those of the call.
func (c *candidate) exact(ts []*types.Type) bool {
	for i, t := range c.args {
		if t != ts[i] {
			return false
		}
	}
	return true
}

// matches reports whether the call's types convert implicitly.
func (c *candidate) matches(ts []*types.Type) bool {
	polymorphic := false
	for i, t := range c.args {
		if !canCoerce(ts[i], t, types.Implicit) {
			return false
		}
		polymorphic = polymorphic || t.IsPolymorphic()
	}
	return !polymorphic || consistent(c.args, ts)
}

// consistent reports whether polymorphic parameters can stand for the call's types.
func consistent(declared, actual []*types.Type) bool {
	var elem, common *types.Type
	same := func(t *types.Type) bool {
		if elem == nil {
			elem = t
		}
		return elem == t
	}
	compatible := func(t *types.Type) bool {
		switch {
		case common == nil || t == common || t.Category == common.Category && canCoerce(common, t, types.Implicit):
			common = t
		case t.Category != common.Category || !canCoerce(t, common, types.Implicit):
			return false
		}
		return true
	}
	for i, d := range declared {
		a := actual[i]
		if a == types.TUnknown {
			continue
		}
		ok := true
		switch d {
		case types.TAnyElement, types.TAnyNonArray, types.TAnyEnum:
			ok = same(a)
		case types.TAnyArray:
			ok = a.Elem != nil && same(a.Elem)
		case types.TAnyCompatible, types.TAnyCompatibleNonArray:
			ok = compatible(a)
		case types.TAnyCompatibleArray:
			ok = a.Elem != nil && compatible(a.Elem)
		}
		if !ok {
			return false
		}
	}
	return true
}

// choose picks the candidate PostgreSQL would: func_select_candidate, the rules of
// the manual's chapter "Type Conversion". ts are the types of the call; the result
// is nil when there is no best one. candidates is reordered.
func choose(ts []*types.Type, candidates []candidate) *candidate {
	unknowns := 0
	for _, t := range ts {
		if t == types.TUnknown {
			unknowns++
		}
	}
	// Most exact matches.
	candidates = best(candidates, func(c *candidate) int {
		n := 0
		for i, t := range ts {
			if t != types.TUnknown && c.args[i] == t {
				n++
			}
		}
		return n
	})
	if len(candidates) == 1 {
		return &candidates[0]
	}
	// Most exact matches or preferred types of the argument's category.
	candidates = best(candidates, func(c *candidate) int {
		n := 0
		for i, t := range ts {
			if t != types.TUnknown && (c.args[i] == t || c.args[i].Preferred && c.args[i].Category == t.Category) {
				n++
			}
		}
		return n
	})
	if len(candidates) == 1 {
		return &candidates[0]
	}
	if unknowns == 0 {
		return nil
	}
	if c := chooseByCategory(ts, candidates); len(c) > 0 {
		candidates = c
	}
	if len(candidates) == 1 {
		return &candidates[0]
	}
	// Known arguments of one type: let the unknown ones be of it too.
	if unknowns == len(ts) {
		return nil
	}
	var known *types.Type
	for _, t := range ts {
		if t == types.TUnknown {
			continue
		}
		if known != nil && known != t {
			return nil
		}
		known = t
	}
	var found *candidate
	all := make([]*types.Type, len(ts))
	for i := range all {
		all[i] = known
	}
	for i := range candidates {
		c := &candidates[i]
		if c.matches(all) {
			if found != nil {
				return nil
			}
			found = c
		}
	}
	return found
}

// best keeps the candidates with the highest score.
func best(candidates []candidate, score func(*candidate) int) []candidate {
	top := -1
	kept := candidates[:0]
	for i := range candidates {
		n := score(&candidates[i])
		if n > top {
			top, kept = n, kept[:0]
		}
		if n == top {
			kept = append(kept, candidates[i])
		}
	}
	return kept
}

// withoutProperties drops signatures that would read a literal of unknown type as a
// property (jsonb) where others read it as a geometry: those with properties are the
// server's own, and must not make ambiguous what PostGIS resolves.
func withoutProperties(ts []*types.Type, cs []candidate) []candidate {
	for i, t := range ts {
		if t != types.TUnknown {
			continue
		}
		spatial := false
		for k := range cs {
			spatial = spatial || isSpatialType(cs[k].args[i])
		}
		if spatial {
			cs = slices.DeleteFunc(cs, func(c candidate) bool { return c.args[i] == types.TJSONB })
		}
	}
	return cs
}

// chooseByCategory decides a category for each unknown argument, string before all
// others, and keeps the candidates that accept it; nil when that leaves none.
func chooseByCategory(ts []*types.Type, candidates []candidate) []candidate {
	type slot struct {
		category  types.Category
		preferred bool
	}
	slots := make([]slot, len(ts))
	resolved := false
	for i, t := range ts {
		if t != types.TUnknown {
			continue
		}
		s := slot{category: candidates[0].args[i].Category, preferred: candidates[0].args[i].Preferred}
		conflict := false
		for _, c := range candidates[1:] {
			a := c.args[i]
			switch {
			case a.Category == s.category:
				s.preferred = s.preferred || a.Preferred
			case a.Category == types.CategoryString:
				s = slot{a.Category, a.Preferred}
			case s.category != types.CategoryString:
				conflict = true
			}
		}
		if conflict && s.category != types.CategoryString {
			return nil
		}
		slots[i], resolved = s, true
	}
	if !resolved {
		return nil
	}
	var kept []candidate
	for _, c := range candidates {
		fits := true
		for i, t := range ts {
			if t != types.TUnknown {
				continue
			}
			a := c.args[i]
			if a.Category != slots[i].category || slots[i].preferred && !a.Preferred {
				fits = false
			}
		}
		if fits {
			kept = append(kept, c)
		}
	}
	return kept
}

// generics are the types that polymorphic parameters stand for in one call.
type generics struct {
	elem       *types.Type // anyelement, anynonarray; anyarray is its array
	compatible *types.Type
}

// solve decides them from a call's types, as enforce_generic_type_consistency does.
func (b *builder) solve(declared, actual []*types.Type, at int) (generics, error) {
	var g generics
	var elem, array *types.Type
	polymorphic := false
	var compatible []typed
	for i, d := range declared {
		a := actual[i]
		switch d {
		case types.TAnyElement, types.TAnyNonArray, types.TAnyEnum:
			polymorphic = true
			if a == types.TUnknown {
				continue
			}
			if elem != nil && elem != a {
				return g, b.err(pgerr.DatatypeMismatch, at, `arguments declared "anyelement" are not all alike`).
					WithDetail("%s versus %s", elem, a)
			}
			elem = a
		case types.TAnyArray:
			polymorphic = true
			if a == types.TUnknown {
				continue
			}
			if array != nil && array != a {
				return g, b.err(pgerr.DatatypeMismatch, at, `arguments declared "anyarray" are not all alike`).
					WithDetail("%s versus %s", array, a)
			}
			array = a
		case types.TAnyCompatible, types.TAnyCompatibleNonArray:
			compatible = append(compatible, typed{typeOnly{a}, at})
		case types.TAnyCompatibleArray:
			if a.Elem != nil {
				a = a.Elem
			}
			compatible = append(compatible, typed{typeOnly{a}, at})
		}
	}
	if array != nil {
		if array.Elem == nil {
			return g, b.err(pgerr.DatatypeMismatch, at, `argument declared %s is not an array but type %s`, "anyarray", array)
		}
		if elem != nil && elem != array.Elem {
			return g, b.err(pgerr.DatatypeMismatch, at, `argument declared %s is not consistent with argument declared %s`, "anyarray", "anyelement").
				WithDetail("%s versus %s", array, elem)
		}
		elem = array.Elem
	}
	if polymorphic && elem == nil {
		return g, b.err(pgerr.DatatypeMismatch, -1, "could not determine polymorphic type because input has type unknown")
	}
	g.elem = elem
	if len(compatible) > 0 {
		t, err := b.commonType(compatible, "anycompatible")
		if err != nil {
			return g, err
		}
		g.compatible = t
	}
	return g, nil
}

// concrete is the type a declared one stands for.
func (g generics) concrete(t *types.Type) *types.Type {
	switch t {
	case types.TAnyElement, types.TAnyNonArray, types.TAnyEnum:
		return g.elem
	case types.TAnyArray:
		if g.elem == nil {
			return nil
		}
		return g.elem.Array()
	case types.TAnyCompatible, types.TAnyCompatibleNonArray:
		return g.compatible
	case types.TAnyCompatibleArray:
		if g.compatible == nil {
			return nil
		}
		return g.compatible.Array()
	}
	return t
}
