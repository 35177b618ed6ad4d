package types

import (
	"cmp"
	"strconv"

	"raisind/pgerr"
)

// Label is one value of an enum. Labels sort by Order; a value is the label's OID, so
// that a renamed label keeps the rows it is in.
type Label struct {
	OID   uint32  `json:"oid"`
	Name  string  `json:"name"`
	Order float64 `json:"order"`
}

// Field is a column of a composite type.
type Field struct {
	Name   string
	Type   *Type
	Typmod int32
}

// Kind is PostgreSQL's typtype.
type Kind byte

// The kinds of pg_type.typtype.
const (
	KindBase       Kind = 'b'
	KindComposite  Kind = 'c'
	KindDomain     Kind = 'd'
	KindEnum       Kind = 'e'
	KindPseudo     Kind = 'p'
	KindRange      Kind = 'r'
	KindMultirange Kind = 'm'
)

// user is what only types that users define have.
type user struct {
	schema string
	kind   Kind
	labels []Label
	byOID  map[uint32]*Label
	byName map[string]*Label
	base   *Type
	typmod int32
	fields []Field
}

// Kind returns pg_type.typtype.
func (t *Type) Kind() Kind {
	switch {
	case t.user != nil:
		return t.user.kind
	case t.IsPseudo():
		return KindPseudo
	case t.IsRange():
		return KindRange
	case t.IsMultirange():
		return KindMultirange
	}
	return KindBase
}

// Schema names the schema of the type.
func (t *Type) Schema() string {
	switch {
	case t.user != nil:
		return t.user.schema
	case t.Elem != nil && t.Elem.user != nil:
		return t.Elem.user.schema
	case t.OID >= TGeometry.OID && t.OID <= TBox3D.array.OID:
		return "public"
	}
	return "pg_catalog"
}

// Labels are those of an enum, in order; shared.
func (t *Type) Labels() []Label {
	if t.user == nil {
		return nil
	}
	return t.user.labels
}

// Fields are those of a composite type; shared.
func (t *Type) Fields() []Field {
	if t.user == nil {
		return nil
	}
	return t.user.fields
}

// Domain returns what a domain is over and with which typmod; nil for other types.
func (t *Type) Domain() (base *Type, typmod int32) {
	if t.user == nil || t.user.kind != KindDomain {
		return nil, -1
	}
	return t.user.base, t.user.typmod
}

// Storage is the type whose values a value of t is stored as: of a domain, its base.
func (t *Type) Storage() *Type {
	for t.user != nil && t.user.kind == KindDomain {
		t = t.user.base
	}
	return t
}

// UserName is what a type that a user defines is called.
type UserName struct {
	OID          uint32
	ArrayOID     uint32 // 0: there are no arrays of it
	Schema, Name string
	SQL          string // as format_type prints it, quoted where needed
}

func newUser(n UserName, length int16, c Category, u *user) *Type {
	u.schema = n.Schema
	t := &Type{OID: n.OID, Name: n.Name, SQLName: n.SQL, Len: length, Category: c, user: u}
	if n.ArrayOID != 0 {
		t.array = &Type{OID: n.ArrayOID, Name: "_" + n.Name, SQLName: n.SQL + "[]", Len: -1, Category: CategoryArray, Elem: t, codec: TText.array.codec}
	}
	return t
}

// NewEnum makes an enum type; labels come in order.
func NewEnum(n UserName, labels []Label) *Type {
	u := &user{kind: KindEnum, labels: labels, byOID: make(map[uint32]*Label, len(labels)), byName: make(map[string]*Label, len(labels))}
	for i := range labels {
		u.byOID[labels[i].OID], u.byName[labels[i].Name] = &labels[i], &labels[i]
	}
	t := newUser(n, 4, CategoryEnum, u)
	t.codec = enumCodec
	return t
}

// NewDomain makes a domain. Its constraints are not the type's to check: whoever makes
// a value of it does.
func NewDomain(n UserName, base *Type, typmod int32) *Type {
	t := newUser(n, base.Len, base.Category, &user{kind: KindDomain, base: base, typmod: typmod})
	t.Preferred, t.Elem, t.codec = base.Preferred, base.Elem, base.codec
	return t
}

// NewComposite makes a row type.
func NewComposite(n UserName, fields []Field) *Type {
	t := newUser(n, -1, CategoryComposite, &user{kind: KindComposite, fields: fields})
	t.codec = TRecord.codec
	t.codec.parse, t.codec.recv = parseComposite, recvComposite
	return t
}

var enumCodec = codec{
	parse: func(t *Type, s string, _ int32, _ *Env) (Datum, error) {
		l, ok := t.user.byName[s]
		if !ok {
			return Null, pgerr.New(pgerr.InvalidTextRepresentation, "invalid input value for enum %s: %q", t.Name, s)
		}
		return Int(int64(l.OID)), nil
	},
	format: func(dst []byte, t *Type, d Datum, _ *Env) []byte { return append(dst, t.labelOf(d)...) },
	recv: func(t *Type, b []byte, _ int32) (Datum, error) {
		l, ok := t.user.byName[string(b)]
		if !ok {
			return Null, pgerr.New(pgerr.InvalidTextRepresentation, "invalid input value for enum %s: %q", t.Name, b)
		}
		return Int(int64(l.OID)), nil
	},
	send:    func(dst []byte, t *Type, d Datum) []byte { return append(dst, t.labelOf(d)...) },
	compare: func(t *Type, a, b Datum) int { return cmp.Compare(t.orderOf(a), t.orderOf(b)) },
	hash:    func(dst []byte, _ *Type, d Datum) []byte { return appendHashInt(dst, d.num) },
	// A label that is added between two others gets an order between theirs: stored
	// keys stay right.
	key: func(dst []byte, t *Type, d Datum) []byte { return appendKeyFloat(dst, t.orderOf(d)) },
}

func (t *Type) labelOf(d Datum) string {
	if l, ok := t.user.byOID[uint32(d.num)]; ok {
		return l.Name
	}
	return strconv.FormatInt(d.num, 10)
}

func (t *Type) orderOf(d Datum) float64 {
	if l, ok := t.user.byOID[uint32(d.num)]; ok {
		return l.Order
	}
	return float64(d.num)
}
