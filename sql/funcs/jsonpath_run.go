package funcs

import (
	"strings"

	"raisind/pgerr"
	"raisind/sql/types"
)

// pathRun evaluates one jsonpath over one document, in the manner of PostgreSQL's
// executeJsonPath: items are collected, or only looked for.
type pathRun struct {
	fc      *Ctx
	strict  bool
	silent  bool // errors end the search without being raised
	useZone bool
	vars    string
	root    pathItem
	current pathItem
	// lenient: structural errors are passed over, as in lax mode.
	lenient bool
	size    int // of the array whose subscript is evaluated, -1 outside
	fault   error
	steps   int
}

// pathState is what a step came to.
type pathState uint8

const (
	pathNone pathState = iota
	pathOK
	pathError
)

// pathFound collects items; nil asks only whether there are any.
type pathFound struct{ items []pathItem }

// runPath evaluates a path. found nil: whether anything is there.
func runPath(fc *Ctx, p *types.JSONPath, doc, vars string, silent, useZone bool, found *pathFound) (pathState, error) {
	if types.JSONTypeof(vars) != "object" {
		return pathError, pgerr.New(pgerr.InvalidParameterValue, `"vars" argument is not an object`).
			WithDetail(`Jsonpath parameters should be encoded as key-value pairs of "vars" object.`)
	}
	x := &pathRun{fc: fc, strict: p.Strict, silent: silent, useZone: useZone, vars: vars, lenient: !p.Strict, size: -1}
	x.root = itemOf(doc)
	x.current = x.root
	if p.Strict && found == nil { // all values are looked at, as there may be errors
		all := &pathFound{}
		st := x.item(p.Root, x.root, all)
		switch {
		case st == pathError:
			return pathError, x.fault
		case len(all.items) == 0:
			return pathNone, x.fault
		}
		return pathOK, x.fault
	}
	st := x.item(p.Root, x.root, found)
	return st, x.fault
}

// fail is an error of the path: raised, or just an end.
func (x *pathRun) fail(code pgerr.Code, format string, args ...any) pathState {
	if !x.silent && x.fault == nil {
		x.fault = pgerr.New(code, format, args...)
	}
	return pathError
}

// quietly runs fn with errors that are not raised.
func (x *pathRun) quietly(fn func() pathState) pathState {
	silent := x.silent
	x.silent = true
	st := fn()
	x.silent = silent
	return st
}

// item evaluates n over it, unwrapping arrays where lax mode does.
func (x *pathRun) item(n *types.JSONPathNode, it pathItem, found *pathFound) pathState {
	return x.step(n, it, found, !x.strict)
}

// next gives it to what follows n.
func (x *pathRun) next(n *types.JSONPathNode, it pathItem, found *pathFound) pathState {
	if n != nil && n.Next != nil {
		return x.item(n.Next, it, found)
	}
	if found != nil {
		found.items = append(found.items, it)
	}
	return pathOK
}

// unwrapped applies n to each element of an array, which are not unwrapped again.
func (x *pathRun) unwrapped(n *types.JSONPathNode, it pathItem, found *pathFound, unwrap bool) pathState {
	return x.each(n, it, found, 1, 1, 1, false, unwrap)
}

// each applies n to the elements below it on levels first to last.
func (x *pathRun) each(n *types.JSONPathNode, it pathItem, found *pathFound, level, first, last uint32, lenient, unwrap bool) pathState {
	st := pathNone
	if level > last {
		return st
	}
	for _, e := range it.elements() {
		container := e.kind == 'o' || e.kind == 'a'
		if level >= first || first == types.MaxPathLevel && last == types.MaxPathLevel && !container {
			switch {
			case n != nil:
				saved := x.lenient
				x.lenient = saved || lenient
				st = x.step(n, e, found, unwrap)
				x.lenient = saved
				if st == pathError || st == pathOK && found == nil {
					return st
				}
			case found != nil:
				found.items = append(found.items, e)
				st = pathOK
			default:
				return pathOK
			}
		}
		if level < last && container {
			r := x.each(n, e, found, level+1, first, last, lenient, unwrap)
			if r == pathError || r == pathOK && found == nil {
				return r
			}
			if r == pathOK {
				st = r
			}
		}
	}
	return st
}

// all evaluates n to a list, and takes arrays apart in lax mode when asked to.
func (x *pathRun) all(n *types.JSONPathNode, it pathItem, unwrap bool) ([]pathItem, pathState) {
	found := &pathFound{}
	st := x.item(n, it, found)
	if st == pathError || !unwrap || x.strict {
		return found.items, st
	}
	out := found.items[:0:0]
	for _, i := range found.items {
		if i.kind == 'a' {
			out = append(out, i.elements()...)
		} else {
			out = append(out, i)
		}
	}
	return out, pathOK
}

// step evaluates one node.
func (x *pathRun) step(n *types.JSONPathNode, it pathItem, found *pathFound, unwrap bool) pathState {
	if x.steps++; x.steps%1024 == 0 && x.fc.Context != nil && x.fc.Context.Err() != nil {
		x.fault = x.fc.Context.Err()
		return pathError
	}
	switch n.Op {
	case types.PathNull, types.PathBool, types.PathNumeric, types.PathString, types.PathVariable:
		v, st := x.constant(n)
		if st == pathError {
			return st
		}
		if n.Next == nil && found == nil {
			return pathOK
		}
		return x.next(n, v, found)
	case types.PathRoot:
		return x.next(n, x.root, found)
	case types.PathCurrent:
		return x.next(n, x.current, found)
	case types.PathLast:
		return x.next(n, numberItem(numberOfInt(int64(x.size-1))), found)
	case types.PathKey, types.PathAnyKey, types.PathAnyArray, types.PathIndex, types.PathAny:
		return x.accessor(n, it, found, unwrap)
	case types.PathMethod, types.PathDatetime:
		return x.method(n, it, found, unwrap)
	case types.PathFilter:
		if unwrap && it.kind == 'a' {
			return x.unwrapped(n, it, found, false)
		}
		saved := x.current
		x.current = it
		t := x.truth(n.Left, it)
		x.current = saved
		switch {
		case x.fault != nil:
			return pathError
		case t != isTrue:
			return pathNone
		}
		return x.next(n, it, found)
	case types.PathAdd, types.PathSub, types.PathMul, types.PathDiv, types.PathMod:
		return x.arithmetic(n, it, found)
	case types.PathPlus, types.PathMinus:
		return x.sign(n, it, found)
	}
	t := x.truth(n, it)
	if x.fault != nil {
		return pathError
	}
	if n.Next == nil && found == nil {
		return pathOK // a truth value was found
	}
	v := pathItem{kind: 'n', text: "null"}
	if t != isUnknown {
		v = pathItem{kind: 'b', text: map[bool]string{true: "true", false: "false"}[t == isTrue], b: t == isTrue}
	}
	return x.next(n, v, found)
}

func (x *pathRun) constant(n *types.JSONPathNode) (pathItem, pathState) {
	switch n.Op {
	case types.PathNull:
		return pathItem{kind: 'n', text: "null"}, pathOK
	case types.PathBool:
		return pathItem{kind: 'b', text: map[bool]string{true: "true", false: "false"}[n.Bool], b: n.Bool}, pathOK
	case types.PathNumeric:
		return numberItem(numberOfText(n.Text)), pathOK
	case types.PathString:
		return pathItem{kind: 's', text: n.Text}, pathOK
	}
	v, ok := types.JSONGetKey(x.vars, n.Text)
	if !ok { // raised always
		if x.fault == nil {
			x.fault = pgerr.New(pgerr.UndefinedObject, "could not find jsonpath variable \"%s\"", n.Text)
		}
		return pathItem{}, pathError
	}
	return itemOf(v), pathOK
}

// accessor evaluates the steps into objects and arrays.
func (x *pathRun) accessor(n *types.JSONPathNode, it pathItem, found *pathFound, unwrap bool) pathState {
	switch n.Op {
	case types.PathKey:
		switch {
		case it.kind == 'o':
			if v, ok := types.JSONGetKey(it.text, n.Text); ok {
				return x.next(n, itemOf(v), found)
			}
			if !x.lenient {
				return x.fail(pgerr.SQLJSONMemberNotFound, "JSON object does not contain key \"%s\"", n.Text)
			}
		case unwrap && it.kind == 'a':
			return x.unwrapped(n, it, found, false)
		case !x.lenient:
			return x.fail(pgerr.SQLJSONMemberNotFound, "jsonpath member accessor can only be applied to an object")
		}
		return pathNone
	case types.PathAnyKey:
		switch {
		case it.kind == 'o':
			return x.each(n.Next, it, found, 1, 1, 1, false, !x.strict)
		case unwrap && it.kind == 'a':
			return x.unwrapped(n, it, found, false)
		case !x.lenient:
			return x.fail(pgerr.SQLJSONObjectNotFound, "jsonpath wildcard member accessor can only be applied to an object")
		}
		return pathNone
	case types.PathAnyArray:
		switch {
		case it.kind == 'a':
			return x.unwrapped(n.Next, it, found, !x.strict)
		case !x.strict:
			return x.next(n, it, found)
		case !x.lenient:
			return x.fail(pgerr.SQLJSONArrayNotFound, "jsonpath wildcard array accessor can only be applied to an array")
		}
		return pathNone
	case types.PathIndex:
		return x.subscripts(n, it, found)
	}
	// **
	if n.First == 0 {
		saved := x.lenient
		x.lenient = true
		st := x.next(n, it, found)
		x.lenient = saved
		if st == pathError || st == pathOK && found == nil || it.kind != 'a' && it.kind != 'o' {
			return st
		}
		if r := x.each(n.Next, it, found, 1, n.First, n.Last, true, !x.strict); r != pathNone {
			return r
		}
		return st
	}
	if it.kind != 'a' && it.kind != 'o' {
		return pathNone
	}
	return x.each(n.Next, it, found, 1, n.First, n.Last, true, !x.strict)
}

func (x *pathRun) subscripts(n *types.JSONPathNode, it pathItem, found *pathFound) pathState {
	if it.kind != 'a' && x.strict {
		if x.lenient {
			return pathNone
		}
		return x.fail(pgerr.SQLJSONArrayNotFound, "jsonpath array accessor can only be applied to an array")
	}
	elems := []pathItem{it}
	if it.kind == 'a' {
		elems = it.elements()
	}
	saved := x.size
	defer func() { x.size = saved }()
	st := pathNone
	for _, s := range n.Subscripts {
		x.size = len(elems)
		from, r := x.subscript(s.From, it)
		if r == pathError {
			return r
		}
		to := from
		if s.To != nil {
			if to, r = x.subscript(s.To, it); r == pathError {
				return r
			}
		}
		if !x.lenient && (from < 0 || from > to || to >= len(elems)) {
			return x.fail(pgerr.InvalidSQLJSONSubscript, "jsonpath array subscript is out of bounds")
		}
		for i := max(from, 0); i <= min(to, len(elems)-1); i++ {
			if n.Next == nil && found == nil {
				return pathOK
			}
			x.size = len(elems)
			r := x.next(n, elems[i], found)
			if r == pathError || r == pathOK && found == nil {
				return r
			}
			if r == pathOK {
				st = r
			}
		}
	}
	return st
}

// subscript evaluates one subscript; fractions are cut.
func (x *pathRun) subscript(n *types.JSONPathNode, it pathItem) (int, pathState) {
	found := &pathFound{}
	if st := x.item(n, it, found); st == pathError {
		return 0, st
	}
	if len(found.items) != 1 || found.items[0].kind != '#' {
		return 0, x.fail(pgerr.InvalidSQLJSONSubscript, "jsonpath array subscript is not a single numeric value")
	}
	v, ok := found.items[0].num.trunc(0).int64()
	if !ok || v != int64(int32(v)) {
		return 0, x.fail(pgerr.InvalidSQLJSONSubscript, "jsonpath array subscript is out of integer range")
	}
	return int(v), pathOK
}

func (x *pathRun) arithmetic(n *types.JSONPathNode, it pathItem, found *pathFound) pathState {
	var operand [2]number
	for i, side := range []*types.JSONPathNode{n.Left, n.Right} {
		items, st := x.all(side, it, true)
		if st == pathError {
			return st
		}
		if len(items) != 1 || items[0].kind != '#' {
			return x.fail(pgerr.SingletonSQLJSONItemRequired, "%s operand of jsonpath operator %s is not a single numeric value",
				[]string{"left", "right"}[i], n.Op.Symbol())
		}
		operand[i] = items[0].num
	}
	a, b := operand[0], operand[1]
	var v number
	var err error
	switch n.Op {
	case types.PathAdd:
		v = a.add(b)
	case types.PathSub:
		v = a.sub(b)
	case types.PathMul:
		v = a.mul(b)
	case types.PathDiv:
		v, err = a.quo(b)
	default:
		v, err = a.mod(b)
	}
	if err == nil {
		_, err = v.datum()
	}
	if err != nil {
		if !x.silent && x.fault == nil {
			x.fault = err
		}
		return pathError
	}
	if n.Next == nil && found == nil {
		return pathOK
	}
	return x.next(n, numberItem(v), found)
}

func (x *pathRun) sign(n *types.JSONPathNode, it pathItem, found *pathFound) pathState {
	items, st := x.all(n.Left, it, true)
	if st == pathError {
		return st
	}
	st = pathNone
	for _, i := range items {
		if i.kind != '#' {
			if n.Next == nil && found == nil {
				continue
			}
			return x.fail(pgerr.SQLJSONNumberNotFound, "operand of unary jsonpath operator %s is not a numeric value", n.Op.Symbol())
		}
		if n.Next == nil && found == nil {
			return pathOK
		}
		if n.Op == types.PathMinus {
			i = numberItem(i.num.negate())
		}
		r := x.next(n, i, found)
		if r == pathError || r == pathOK && found == nil {
			return r
		}
		if r == pathOK {
			st = r
		}
	}
	return st
}

// truth evaluates a predicate.
func (x *pathRun) truth(n *types.JSONPathNode, it pathItem) truth {
	switch n.Op {
	case types.PathAnd, types.PathOr:
		decides, yields := isFalse, isTrue // AND; a side that yields leaves it to the other
		if n.Op == types.PathOr {
			decides, yields = isTrue, isFalse
		}
		l := x.truth(n.Left, it)
		if l == decides {
			return l
		}
		if r := x.truth(n.Right, it); r != yields {
			return r
		}
		return l
	case types.PathNot:
		switch x.truth(n.Left, it) {
		case isTrue:
			return isFalse
		case isFalse:
			return isTrue
		}
		return isUnknown
	case types.PathIsUnknown:
		return truthOf(x.truth(n.Left, it) == isUnknown)
	case types.PathExists:
		if x.strict {
			var items []pathItem
			st := x.quietly(func() (st pathState) { items, st = x.all(n.Left, it, false); return st })
			if st == pathError {
				return isUnknown
			}
			return truthOf(len(items) > 0)
		}
		switch x.quietly(func() pathState { return x.item(n.Left, it, nil) }) {
		case pathError:
			return isUnknown
		case pathOK:
			return isTrue
		}
		return isFalse
	case types.PathStartsWith:
		return x.predicate(n, it, false, func(a, b pathItem) truth {
			if a.kind != 's' || b.kind != 's' {
				return isUnknown
			}
			return truthOf(strings.HasPrefix(a.text, b.text))
		})
	case types.PathLikeRegex:
		return x.predicate(n, it, false, func(a, _ pathItem) truth { return x.likeRegex(n, a) })
	}
	return x.predicate(n, it, true, func(a, b pathItem) truth { return x.compareItems(n.Op, a, b) })
}

// predicate asks fn of every pair of items of both sides.
func (x *pathRun) predicate(n *types.JSONPathNode, it pathItem, unwrapRight bool, fn func(a, b pathItem) truth) truth {
	var left, right []pathItem
	if x.quietly(func() (st pathState) { left, st = x.all(n.Left, it, true); return st }) == pathError {
		return isUnknown
	}
	if n.Right == nil {
		right = []pathItem{{}}
	} else if x.quietly(func() (st pathState) { right, st = x.all(n.Right, it, unwrapRight); return st }) == pathError {
		return isUnknown
	}
	found, unknown := false, false
	for _, a := range left {
		for _, b := range right {
			switch fn(a, b) {
			case isUnknown:
				if x.strict {
					return isUnknown
				}
				unknown = true
			case isTrue:
				if !x.strict {
					return isTrue
				}
				found = true
			}
		}
	}
	switch {
	case found:
		return isTrue
	case unknown:
		return isUnknown
	}
	return isFalse
}

// likeRegex matches by an XQuery regular expression, which is taken for an advanced one.
func (x *pathRun) likeRegex(n *types.JSONPathNode, a pathItem) truth {
	if a.kind != 's' {
		return isUnknown
	}
	has := func(f string) bool { return strings.Contains(n.Flags, f) }
	re, err := compileRegex(n.Text, regexFlags{fold: has("i"), lines: has("m"), dotLine: !has("s"), literal: has("q")})
	if err != nil {
		if x.fault == nil {
			x.fault = err
		}
		return isUnknown
	}
	return truthOf(re.MatchString(a.text))
}
