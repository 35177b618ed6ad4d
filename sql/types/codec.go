package types

// codec holds what a type can do. A nil field means the type cannot do it.
type codec struct {
	parse   func(t *Type, s string, typmod int32, env *Env) (Datum, error)
	format  func(dst []byte, t *Type, d Datum, env *Env) []byte
	recv    func(t *Type, b []byte, typmod int32) (Datum, error)
	send    func(dst []byte, t *Type, d Datum) []byte
	compare func(t *Type, a, b Datum) int
	hash    func(dst []byte, t *Type, d Datum) []byte
	key     func(dst []byte, t *Type, d Datum) []byte
}

// ParseText reads a value from PostgreSQL's text form. typmod is -1 for none; a value
// that does not fit it is an error or is rounded, as for an assignment.
func (t *Type) ParseText(s string, typmod int32, env *Env) (Datum, error) { return Null, nil }

// AppendText appends the text form of d, which must not be NULL.
func (t *Type) AppendText(dst []byte, d Datum, env *Env) []byte { return dst }

// ParseBinary reads a value from PostgreSQL's binary form. b may be reused afterwards.
func (t *Type) ParseBinary(b []byte, typmod int32) (Datum, error) { return Null, nil }

// AppendBinary appends the binary form of d, which must not be NULL.
func (t *Type) AppendBinary(dst []byte, d Datum) []byte { return dst }

// Comparable reports whether values of t have PostgreSQL's btree order.
func (t *Type) Comparable() bool { return true }

// Hashable reports whether values of t can be grouped and joined by equality.
func (t *Type) Hashable() bool { return true }

// Compare orders two values of type t, neither of them NULL, as PostgreSQL's btree
// does: text by bytes, NaN greatest. Values of a type without an order compare by bytes.
func Compare(t *Type, a, b Datum) int { return 0 }

// AppendHashKey appends bytes that are equal for equal values and differ for
// different ones. d must not be NULL.
func AppendHashKey(dst []byte, t *Type, d Datum) []byte { return dst }

// AppendOrderedKey appends bytes that sort as Compare does and of which none is a
// prefix of another. d must not be NULL.
func AppendOrderedKey(dst []byte, t *Type, d Datum) []byte { return dst }
