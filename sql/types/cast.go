package types

import (
	"sync"

	"raisind/pgerr"
)

// CastContext tells where a cast applies by itself.
type CastContext byte

// The contexts of pg_cast.castcontext, weakest first.
const (
	Explicit CastContext = iota
	Assignment
	Implicit
)

// Cast is one way from a type to another.
type Cast struct {
	From, To *Type
	Context  CastContext
	// Fn casts a value that is not NULL; its result may be NULL. typmod (-1 for none) is
	// applied to the result. It is never nil; Binary tells when it changes nothing but
	// for the typmod.
	Fn func(env *Env, d Datum, typmod int32, explicit bool) (Datum, error)
	// Binary is set when the value stays as it is.
	Binary bool
	// Stable is set when the result depends on the session's settings or the clock.
	Stable bool
}

type castKey struct{ from, to *Type }

var (
	castTable []*Cast
	castIndex = map[castKey]*Cast{}
	// madeCasts holds casts that follow from rules: through text, of array elements.
	madeCasts sync.Map // castKey -> *Cast, nil *Cast for none
)

// castFn converts a value that is not NULL.
type castFn func(env *Env, d Datum) (Datum, error)

func keep(_ *Env, d Datum) (Datum, error) { return d, nil }

// addCast enters one cast; fn nil means that the value stays as it is.
func addCast(from, to *Type, context CastContext, fn castFn) *Cast {
	c := newCast(from, to, context, fn)
	castTable = append(castTable, c)
	castIndex[castKey{from, to}] = c
	return c
}

func newCast(from, to *Type, context CastContext, fn castFn) *Cast {
	c := &Cast{From: from, To: to, Context: context, Binary: fn == nil}
	if fn == nil {
		fn = keep
	}
	c.Fn = func(env *Env, d Datum, typmod int32, explicit bool) (Datum, error) {
		if env == nil {
			env = defaultEnv
		}
		v, err := fn(env, d)
		if err != nil || typmod < 0 || v.IsNull() || to.codec.fit == nil {
			return v, err
		}
		return to.codec.fit(to, v, typmod, explicit)
	}
	return c
}

func stable(c *Cast) { c.Stable = true }

// Casts returns the table of casts without those that follow from rules. The slice is
// shared: do not write to it.
func Casts() []*Cast { return castTable }

// FindCast finds the cast from one type to another: an entry of the table; else, of
// arrays, the cast of their elements; else through the text form, to a string type by
// assignment and from one explicitly. A type casts to itself, a literal of unknown
// type to every type.
func FindCast(from, to *Type) (*Cast, bool) {
	k := castKey{from, to}
	if c, ok := castIndex[k]; ok && from != to {
		return c, true
	}
	if c, ok := madeCasts.Load(k); ok {
		c := c.(*Cast)
		return c, c != nil
	}
	c := makeCast(from, to)
	madeCasts.Store(k, c)
	return c, c != nil
}

func makeCast(from, to *Type) *Cast {
	switch {
	case from == to:
		return newCast(from, to, Implicit, nil)
	case from == TUnknown && to.codec.parse != nil && to.Category != CategoryPseudo:
		c := newCast(from, to, Implicit, func(env *Env, d Datum) (Datum, error) { return to.ParseText(d.str, -1, env) })
		if to == TInterval { // the modifier decides how a bare number is read
			c.Fn = func(env *Env, d Datum, typmod int32, _ bool) (Datum, error) { return to.ParseText(d.str, typmod, env) }
		}
		c.Stable = textDependsOnEnv(to)
		return c
	case from == TUnknown && (to == TCstring || to == TAny || to == TAnyElement || to == TAnyNonArray || to == TAnyEnum):
		return newCast(from, to, Implicit, nil)
	case to.IsPolymorphic(), to == TAny:
		return nil
	case from.IsArray() && to.IsArray():
		if e, ok := FindCast(from.Elem, to.Elem); ok {
			return arrayCast(from, to, e)
		}
		return nil
	case to.Category == CategoryString && from.codec.format != nil:
		c := newCast(from, to, Assignment, func(env *Env, d Datum) (Datum, error) {
			s := string(from.AppendText(nil, d, env))
			if to == TName {
				s = TruncateName(s)
			}
			return Str(s), nil
		})
		c.Stable = textDependsOnEnv(from)
		return c
	case from.Category == CategoryString && to.codec.parse != nil && to.Category != CategoryPseudo:
		c := newCast(from, to, Explicit, func(env *Env, d Datum) (Datum, error) { return to.ParseText(d.str, -1, env) })
		c.Stable = textDependsOnEnv(to)
		return c
	}
	return nil
}

// textDependsOnEnv reports whether settings change how values of t are read or printed.
func textDependsOnEnv(t *Type) bool {
	if t.Elem != nil {
		return textDependsOnEnv(t.Elem)
	}
	switch t {
	case TDate, TTimestamp, TTimestamptz, TTime, TTimeTZ, TInterval, TFloat4, TFloat8, TBytea, TRecord:
		return true
	}
	return isReg(t)
}

func arrayCast(from, to *Type, elem *Cast) *Cast {
	c := &Cast{From: from, To: to, Context: elem.Context, Binary: elem.Binary, Stable: elem.Stable}
	c.Fn = func(env *Env, d Datum, typmod int32, explicit bool) (Datum, error) {
		a := *d.Array()
		a.Elem = to.Elem
		elems := make([]Datum, len(a.Elems))
		for i, e := range a.Elems {
			if e.IsNull() {
				continue
			}
			var err error
			if elems[i], err = elem.Fn(env, e, typmod, explicit); err != nil {
				return Null, err
			}
		}
		a.Elems = elems
		return Ref(&a), nil
	}
	return c
}

// CannotCast is the error for two types without a cast.
func CannotCast(from, to *Type) error {
	return pgerr.New(pgerr.CannotCoerce, "cannot cast type %s to %s", from.SQLName, to.SQLName)
}
