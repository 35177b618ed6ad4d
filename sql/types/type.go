// Package types holds SQL types and values: OIDs, PostgreSQL's text and binary
// forms, casts and comparison. It promises that what a client reads is byte for
// byte what PostgreSQL would send. It knows no functions and no tables.
package types

// Category is PostgreSQL's typcategory, used to resolve functions and operators.
type Category byte

// Categories of pg_type.
const (
	CategoryArray     Category = 'A'
	CategoryBool      Category = 'B'
	CategoryComposite Category = 'C'
	CategoryDateTime  Category = 'D'
	CategoryEnum      Category = 'E'
	CategoryNumeric   Category = 'N'
	CategoryPseudo    Category = 'P'
	CategoryRange     Category = 'R'
	CategoryString    Category = 'S'
	CategoryBitString Category = 'V'
	CategoryNetwork   Category = 'I'
	CategoryGeometric Category = 'G'
	CategoryTimespan  Category = 'T'
	CategoryUser      Category = 'U'
	CategoryUnknown   Category = 'X'
	CategoryInternal  Category = 'Z'
)

// Type describes one SQL type. Types are compared by pointer; one Type exists per OID.
type Type struct {
	OID       uint32
	Name      string // pg_type.typname: int4
	SQLName   string // format_type without typmod: integer
	Len       int16  // pg_type.typlen: bytes, -1 for varlena
	Category  Category
	Preferred bool
	Elem      *Type // the element type of an array, else nil
	array     *Type
	codec     codec
	// of ranges and multiranges
	subtype, multi *Type
	user           *user // of a type that a user defined
}

// String returns the SQL spelling, as messages print it.
func (t *Type) String() string { return t.SQLName }

// IsArray reports whether t is an array type.
func (t *Type) IsArray() bool { return t.Elem != nil && t.Category == CategoryArray && t.Len == -1 }

// Array returns the type of arrays of t, or nil when there is none.
func (t *Type) Array() *Type { return t.array }

// IsPseudo reports whether no column can have type t.
func (t *Type) IsPseudo() bool { return t.Category == CategoryPseudo }

// IsPolymorphic reports whether t stands for the type of an argument.
func (t *Type) IsPolymorphic() bool {
	return t == TAnyElement || t == TAnyArray || t == TAnyNonArray || t == TAnyEnum || t == TAnyCompatible || t == TAnyCompatibleArray || t == TAnyCompatibleNonArray
}

// ByVal reports pg_type.typbyval: whether PostgreSQL passes the value in a register.
func (t *Type) ByVal() bool { return t.Len == 1 || t.Len == 2 || t.Len == 4 || t.Len == 8 }
