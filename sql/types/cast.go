package types

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
	// applied to the result. It is never nil; Binary tells when it changes nothing.
	Fn func(env *Env, d Datum, typmod int32, explicit bool) (Datum, error)
	// Binary is set when the value stays as it is.
	Binary bool
	// Stable is set when the result depends on the session's settings or the clock.
	Stable bool
}

// FindCast finds the cast from one type to another. A type casts to itself.
func FindCast(from, to *Type) (*Cast, bool) { return nil, false }

// Casts returns the table of casts without the generated ones (text forms, arrays).
func Casts() []*Cast { return nil }
